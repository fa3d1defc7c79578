//! Conversions at every length and every alignment of source and destination.
//!
//! Not every pair: both have the same offset, or one of them has offset 0. A kernel moves through
//! both with one stride, so other pairs add nothing.

use std::fmt::Arguments;

use utfkit::isa::Isa;
use utfkit_testkit::guard::{Guarded, Place};
use utfkit_testkit::mutate;
use utfkit_testkit::piece::Piece;
use utfkit_testkit::random::Random;
use utfkit_testkit::text::{Class, MIXTURES};

use crate::common::check::{answer, compare};
use crate::common::conversions::{Conversion, Unit, Visitor, from_latin1, from_utf8, from_utf16, from_utf32};
use crate::common::every_isa::for_each_isa;
use crate::common::shards::in_share;

/// The units on each side of a destination that must not change.
const MARGIN: usize = 70;

/// The number of alignments, in units.
const MOST: usize = 64;

fn pairs() -> impl Iterator<Item = (usize, usize)> {
    (0..=MOST).flat_map(|at| [(at, 0), (0, at), (at, at)])
}

struct Aligned<'a> {
    isa: Isa,
    context: Arguments<'a>,
    src: &'a mut Guarded,
    dst: &'a mut Guarded,
}

impl Visitor for Aligned<'_> {
    fn visit<S: Unit, D: Unit>(&mut self, conversion: &Conversion<S, D>, src: &[S], pieces: &[Piece]) {
        let plan = conversion.plan(pieces);
        let capacity = plan.output.len();
        for (from, to) in pairs() {
            let source = &mut self.src.slice::<S>(Place::Start, from + src.len())[from..];
            source.copy_from_slice(src);
            let memory = self.dst.slice::<D>(Place::Start, to + MARGIN + capacity + MARGIN);
            memory.fill(D::CANARY);
            let (before, rest) = memory.split_at_mut(to + MARGIN);
            let (dst, after) = rest.split_at_mut(capacity);
            let got = answer((conversion.run)(source, dst));
            compare(self.isa, conversion, self.context, src, capacity, got, dst, plan.answer(capacity), &plan.output);
            assert!(
                before.iter().chain(&*after).all(|&unit| unit == D::CANARY),
                "{} {}, {}: wrote beside a destination of {capacity} units, alignments {from} and {to}",
                self.isa,
                conversion.name,
                self.context
            );
        }
    }
}

#[test]
fn conversions_at_every_alignment() {
    let (mut src, mut dst) = (Guarded::new(1 << 13), Guarded::new(1 << 13));
    for_each_isa(|isa| {
        for len in in_share(0..=300) {
            let mixture = &MIXTURES[len % MIXTURES.len()];
            let mut random = Random::new(len as u64);
            let context = format_args!("{len} units of {}", mixture.name);
            let mut aligned = Aligned { isa, context, src: &mut src, dst: &mut dst };
            let damage = len % 3 == 0;

            let mut bytes = mixture.text(&mut random, len).into_bytes();
            bytes.truncate(len);
            let mut units: Vec<u16> = mixture.text(&mut random, len).encode_utf16().collect();
            units.truncate(len);
            let mut values: Vec<u32> = mixture.text(&mut random, len).chars().map(u32::from).collect();
            if damage {
                mutate::bytes(&mut bytes, &mut random);
                mutate::units16(&mut units, &mut random);
                mutate::units32(&mut values, &mut random);
            }
            from_utf8(&bytes, &mut aligned);
            from_utf16(&units, &mut aligned);
            from_utf32(&values, &mut aligned);
            let bytes: Vec<u8> = (0..len).map(|_| u32::from(Class::Latin1.sample(&mut random)) as u8).collect();
            from_latin1(&bytes, &mut aligned);
        }
    });
}
