//! Destinations of every size from 0 to enough: the characters that fit are written, and the
//! first problem is reported, too small or ill-formed.

use std::fmt::Arguments;

use crate::common::check::{Exact, converts};
use crate::common::conversions::{
    Conversion, Unit, Visitor, from_all_forms, from_latin1, from_utf8, from_utf16, from_utf32,
};
use crate::common::every_isa::for_each_isa;
use crate::common::shards::in_shards;
use utfkit::isa::Isa;
use utfkit::{Encoding, ErrorKind};
use utfkit_testkit::mutate;
use utfkit_testkit::patterns::ill_formed;
use utfkit_testkit::piece::Piece;
use utfkit_testkit::random::Random;
use utfkit_testkit::text::{MIXTURES, boundary};

/// Runs each conversion with every size of destination up to one unit, and up to one vector,
/// more than it needs.
struct EverySize<'a> {
    isa: Isa,
    context: Arguments<'a>,
}

impl Visitor for EverySize<'_> {
    fn visit<S: Unit, D: Unit>(&mut self, conversion: &Conversion<S, D>, src: &[S], pieces: &[Piece]) {
        let plan = conversion.plan(pieces);
        let full = plan.output.len();
        for capacity in (0..=full + 1).chain([full + 17, full + 64, full + 100]) {
            converts(self.isa, conversion, self.context, src, capacity, plan.answer(capacity), &plan.output);
        }
    }
}

#[test]
fn every_size_for_text() {
    for_each_isa(|isa| {
        in_shards(MIXTURES.len() * 24, |range| {
            for i in range {
                let mixture = MIXTURES[i % MIXTURES.len()];
                let mut random = Random::new(i as u64);
                let len = [random.below(20), random.below(80), 64 + random.below(220)][i / MIXTURES.len() % 3];
                let text = mixture.text(&mut random, len);
                let context = format_args!("seed {i}: {len} code points of {}", mixture.name);
                from_all_forms(&text, &mut EverySize { isa, context });
            }
        });
    });
}

#[test]
fn every_size_for_damaged_text() {
    let patterns = ill_formed();
    for_each_isa(|isa| {
        in_shards(MIXTURES.len() * 24, |range| {
            for i in range {
                let mixture = MIXTURES[i % MIXTURES.len()];
                let mut random = Random::new(500 + i as u64);
                let len = [random.below(20), random.below(80), 64 + random.below(220)][i / MIXTURES.len() % 3];
                let text = mixture.text(&mut random, len);
                let context = format_args!("seed {i}: {len} code points of {}, damaged", mixture.name);

                let mut bytes = text.clone().into_bytes();
                let at = boundary(&text, random.below(text.len() + 1));
                bytes.splice(at..at, random.pick(&patterns).bytes.iter().copied());
                from_utf8(&bytes, &mut EverySize { isa, context });
                // Ill-formed at the very end.
                let mut bytes = text.clone().into_bytes();
                bytes.extend_from_slice(&random.pick(&patterns).bytes);
                from_utf8(&bytes, &mut EverySize { isa, context });

                let mut units: Vec<u16> = text.encode_utf16().collect();
                mutate::units16(&mut units, &mut random);
                from_utf16(&units, &mut EverySize { isa, context });
                let mut units: Vec<u32> = text.chars().map(u32::from).collect();
                mutate::units32(&mut units, &mut random);
                from_utf32(&units, &mut EverySize { isa, context });
                let bytes: Vec<u8> = (0..len).map(|_| random.next_u64() as u8).collect();
                from_latin1(&bytes, &mut EverySize { isa, context });
            }
        });
    });
}

/// A character of four bytes, or a surrogate pair, that no longer fits, at every offset.
#[test]
fn the_last_character_at_every_offset() {
    for_each_isa(|isa| {
        for c in ['\u{E9}', '\u{20AC}', '\u{1F600}'] {
            for before in 0..=200 {
                let text = format!("{}{c}", ".".repeat(before));
                let context = format_args!("{before} times ASCII and {c:?}");
                from_all_forms(&text, &mut Last { isa, context });
                let text = format!("{text}{}", c.to_string().repeat(30));
                from_all_forms(&text, &mut Last { isa, context });
            }
        }
    });
}

/// Only sizes close to the full one.
struct Last<'a> {
    isa: Isa,
    context: Arguments<'a>,
}

impl Visitor for Last<'_> {
    fn visit<S: Unit, D: Unit>(&mut self, conversion: &Conversion<S, D>, src: &[S], pieces: &[Piece]) {
        let plan = conversion.plan(pieces);
        let full = plan.output.len();
        for capacity in full.saturating_sub(5)..=full {
            converts(self.isa, conversion, self.context, src, capacity, plan.answer(capacity), &plan.output);
        }
    }
}

/// Each statement of the contract, in one example, without the reference.
#[test]
fn what_is_reported() {
    for_each_isa(|isa| {
        let src = "aé€😀".as_bytes();
        let e = utfkit::utf8_to_utf16(src, &mut [0; 4]).unwrap_err();
        assert_eq!(
            (e.kind(), e.offset(), e.written(), e.len()),
            (ErrorKind::OutputTooSmall, 6, 3, 0),
            "{isa}: the pair does not fit"
        );
        assert_eq!(e.valid_up_to(), 6, "{isa}");

        let src = b"ab\xFFcd";
        let e = utfkit::utf8_to_utf16(src, &mut [0; 1]).unwrap_err();
        assert_eq!((e.kind(), e.offset(), e.written()), (ErrorKind::OutputTooSmall, 1, 1), "{isa}: b comes first");
        let e = utfkit::utf8_to_utf16(src, &mut [0; 2]).unwrap_err();
        assert_eq!((e.kind(), e.offset(), e.written()), (ErrorKind::InvalidByte, 2, 2), "{isa}: FF comes first");
        let e = utfkit::utf8_to_utf16_lossy(src, &mut [0; 2]).unwrap_err();
        assert_eq!(
            (e.kind(), e.offset(), e.written()),
            (ErrorKind::OutputTooSmall, 2, 2),
            "{isa}: no space for U+FFFD"
        );
        assert_eq!(utfkit::utf8_to_utf16_lossy(src, &mut [0; 5]), Ok(5), "{isa}");

        from_utf8(b"\xFF", &mut Exact { isa, context: format_args!("no destination") });
    });
}

/// True if a text can be cut between any two characters and converted in parts.
#[cfg(feature = "alloc")]
fn is_stateless(encoding: Encoding) -> bool {
    // There is no BOM and no switch if a repeated character takes twice the bytes, also next to
    // US-ASCII.
    let len = |text: &str| encoding.encode(text).0.len();
    ["a", "\u{E9}", "\u{3042}", "a\u{E9}", "a\u{3042}"].iter().all(|text| len(&text.repeat(2)) == 2 * len(text))
        && !encoding.name().starts_with("WTF")
}

#[cfg(feature = "alloc")]
#[test]
fn a_whole_text_of_any_pair_is_cut_between_characters() {
    let mut cuts = 0;
    for &from in Encoding::ALL {
        for &to in Encoding::ALL {
            let both = |c: &char| [from, to].iter().all(|encoding| !encoding.encode(&c.to_string()).1);
            let text: String = "az\u{E9}\u{436}\u{3042}b\u{20AC}\u{1F600}c".chars().filter(both).collect();
            let src = from.encode(&text).0;
            let mut full = [0; 128];
            let len = from.convert(to, &src, &mut full).unwrap();
            for capacity in 0..len {
                let mut dst = [0xAA; 128];
                let e = from.convert(to, &src, &mut dst[..capacity]).unwrap_err();
                let (at, written) = (e.offset(), e.written());
                assert_eq!(e.kind(), ErrorKind::OutputTooSmall, "{from} to {to}, {capacity}");
                assert!(
                    written <= capacity && dst[capacity..] == [0xAA; 128][capacity..],
                    "{from} to {to}, {capacity}"
                );
                assert_eq!(dst[..written], full[..written], "{from} to {to}, {capacity}");
                if is_stateless(from) && is_stateless(to) {
                    let mut again = [0; 128];
                    assert_eq!(from.convert(to, &src[..at], &mut again), Ok(written), "{from} to {to}, {capacity}");
                    let rest = from.convert(to, &src[at..], &mut again).unwrap();
                    assert_eq!(again[..rest], full[written..len], "{from} to {to}, {capacity}");
                    cuts += 1;
                }
            }
        }
    }
    assert!(cuts > 1000, "{cuts}");
}
