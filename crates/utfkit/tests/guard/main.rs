//! Runs conversions next to pages that cannot be accessed: a read or a write out of bounds ends
//! the process. If this test crashes, run it with `--nocapture`: the last line names the case.
#![cfg(unix)]

mod alignments;
#[path = "../common/mod.rs"]
mod common;
mod every_function;

use std::fmt::Arguments;

use common::check::{self, answer, compare};
use common::conversions::{Conversion, Unit, Visitor, from_latin1, from_utf8, from_utf16, from_utf32};
use common::every_isa::for_each_isa;
use common::shards::in_share;
use common::transcoding::{POLICIES, SCHEMES};
use utfkit::isa::Isa;
use utfkit::{Status, Transcoder};
use utfkit_testkit::guard::{Guarded, PLACES};
use utfkit_testkit::hex::show;
use utfkit_testkit::mutate;
use utfkit_testkit::patterns::ill_formed;
use utfkit_testkit::piece::Piece;
use utfkit_testkit::random::Random;
use utfkit_testkit::text::{CLASSES, Class, MIXTURES, filler};
use utfkit_testkit::transcription::transcribe;

/// The longest source or destination, in bytes.
const BYTES: usize = 256 * 1024;

/// Runs each conversion between guarded buffers, with destinations that are empty, one unit too
/// short, exact, and longer.
struct Walled<'a> {
    isa: Isa,
    context: Arguments<'a>,
    src: &'a mut Guarded,
    dst: &'a mut Guarded,
}

impl Visitor for Walled<'_> {
    fn visit<S: Unit, D: Unit>(&mut self, conversion: &Conversion<S, D>, src: &[S], pieces: &[Piece]) {
        let plan = conversion.plan(pieces);
        let full = plan.output.len();
        for src_place in PLACES {
            let src = self.src.copy(src_place, src);
            for dst_place in PLACES {
                for capacity in [0, full / 2, full.saturating_sub(1), full, full + 1, full + 70] {
                    let dst = self.dst.slice::<D>(dst_place, capacity);
                    let got = answer((conversion.run)(src, dst));
                    let dst = &*dst;
                    compare(
                        self.isa,
                        conversion,
                        self.context,
                        src,
                        capacity,
                        got,
                        dst,
                        plan.answer(capacity),
                        &plan.output,
                    );
                }
            }
        }
    }
}

/// All lengths up to 300, and some at which kernels process several vectors at a time.
fn lengths() -> impl Iterator<Item = usize> {
    in_share((0..=300).chain((301..=1100).step_by(37)))
}

#[test]
fn conversions_stay_in_their_slices() {
    let patterns = ill_formed();
    let (mut src, mut dst) = (Guarded::new(BYTES), Guarded::new(BYTES));
    for_each_isa(|isa| {
        for len in lengths() {
            println!("{isa}, {len} units");
            for (i, mixture) in MIXTURES.iter().enumerate() {
                let mut random = Random::new((len * MIXTURES.len() + i) as u64);
                let context = format_args!("{len} units of {}", mixture.name);
                let mut walled = Walled { isa, context, src: &mut src, dst: &mut dst };

                // Exactly `len` bytes, of one class or of all in turn.
                let class = CLASSES.get(i).copied();
                let text = filler(class, len, &mut random);
                from_utf8(text.as_bytes(), &mut walled);
                let mut bytes = mixture.text(&mut random, len).into_bytes();
                bytes.truncate(len);
                from_utf8(&bytes, &mut walled);
                let pattern = random.pick(&patterns);
                let at = bytes.len() - random.below(bytes.len().min(80) + 1);
                bytes.splice(at..at, pattern.bytes.iter().copied());
                from_utf8(&bytes, &mut walled);

                let mut units: Vec<u16> = mixture.text(&mut random, len).encode_utf16().collect();
                units.truncate(len);
                from_utf16(&units, &mut walled);
                mutate::units16(&mut units, &mut random);
                from_utf16(&units, &mut walled);

                let mut units: Vec<u32> = mixture.text(&mut random, len).chars().map(u32::from).collect();
                from_utf32(&units, &mut walled);
                mutate::units32(&mut units, &mut random);
                from_utf32(&units, &mut walled);

                let bytes: Vec<u8> = (0..len).map(|_| u32::from(Class::Latin1.sample(&mut random)) as u8).collect();
                from_latin1(&bytes, &mut walled);
            }
        }
    });
}

#[test]
fn readers_stay_in_their_slices() {
    let patterns = ill_formed();
    let mut memory = Guarded::new(BYTES);
    for_each_isa(|isa| {
        for len in lengths() {
            println!("{isa}, {len} units");
            for (i, mixture) in MIXTURES.iter().enumerate() {
                for place in PLACES {
                    let mut random = Random::new((len * MIXTURES.len() + i) as u64);
                    let context = format_args!("{len} units of {} at the {place:?}", mixture.name);

                    let text = filler(CLASSES.get(i).copied(), len, &mut random);
                    check::reads_utf8(isa, context, memory.copy(place, text.as_bytes()));
                    let mut bytes = mixture.text(&mut random, len).into_bytes();
                    bytes.truncate(len);
                    check::reads_utf8(isa, context, memory.copy(place, &bytes));
                    check::reads_latin1(isa, context, memory.copy(place, &bytes));
                    let at = bytes.len() - random.below(bytes.len().min(80) + 1);
                    bytes.splice(at..at, random.pick(&patterns).bytes.iter().copied());
                    check::reads_utf8(isa, context, memory.copy(place, &bytes));

                    let mut units: Vec<u16> = mixture.text(&mut random, len).encode_utf16().collect();
                    units.truncate(len);
                    check::reads_utf16(isa, context, memory.copy(place, &units));
                    mutate::units16(&mut units, &mut random);
                    check::reads_utf16(isa, context, memory.copy(place, &units));

                    let mut units: Vec<u32> = mixture.text(&mut random, len).chars().map(u32::from).collect();
                    check::reads_utf32(isa, context, memory.copy(place, &units));
                    mutate::units32(&mut units, &mut random);
                    check::reads_utf32(isa, context, memory.copy(place, &units));
                }
            }
        }
    });
}

#[test]
fn transcoders_stay_in_their_slices() {
    let (mut src, mut dst) = (Guarded::new(BYTES), Guarded::new(BYTES));
    for_each_isa(|isa| {
        for len in lengths() {
            println!("{isa}, {len} characters");
            for (i, &(from, scheme)) in SCHEMES.iter().enumerate() {
                for (j, &(to, target)) in SCHEMES.iter().enumerate() {
                    // The encodings with kernels always, the others in turn.
                    if i.max(j) > 8 && (i + j + len) % 10 != 0 {
                        continue;
                    }
                    let mut random = Random::new((len * 81 + i * 9 + j) as u64);
                    let mut bytes = Vec::new();
                    for c in random.pick(&MIXTURES).text(&mut random, len).chars() {
                        scheme.encode(c.into(), &mut bytes);
                    }
                    if random.one_in(2) {
                        mutate::bytes(&mut bytes, &mut random);
                    }
                    // `Strict` stops at an error; the others continue.
                    let (policy, treatment) = POLICIES[1 + (len + i + j) % 5];
                    let expected = transcribe(scheme, target, treatment, &bytes);
                    let full = expected.output.len();
                    for place in PLACES {
                        let src = src.copy(place, &bytes);
                        for capacity in [full, random.below(full + 1), full + 70] {
                            let dst = dst.slice(place, capacity);
                            let step = Transcoder::new(from, to, policy).transcode(src, dst, true);
                            let done = step.status == Status::InputEmpty;
                            assert!(
                                dst[..step.written] == expected.output[..step.written] && done == (capacity >= full),
                                "{isa} {from} to {to}, {policy:?}, {place:?}, capacity {capacity}: {step:?}\n got      {}\n expected {}\n source   {}",
                                show(&dst[..step.written], 0),
                                show(&expected.output, 0),
                                show(src, 0)
                            );
                        }
                    }
                }
            }
        }
    });
}
