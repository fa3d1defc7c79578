//! Every example and every checkable statement of the five texts that define
//! UTF-8, a test each, in a module for each text. The name begins with the
//! section, or with the heading where sections have no number.
//!
//! What needs the encodings of the family (UCS-2, UCS-4, 31 bits, Unicode 1.1,
//! ISO 2022) is in `five_texts_family.rs`.

mod common;

use common::every_isa::for_each_isa;
use utfkit::diagnose::{Checker, Diagnosis, lenient_reading};
use utfkit::{
    Encoding, ErrorKind, Policy, Standard, Status, Transcoder, errors, from_utf8, utf8_to_utf16_to_vec,
    utf8_to_utf32_to_vec, utf16_to_utf8_to_vec, utf32_to_utf8_to_vec, validate,
};
use utfkit_testkit::random::Random;

const ALL: [Standard; 5] =
    [Standard::Rfc3629, Standard::Kuhn, Standard::NoNoncharacters, Standard::Rfc2279, Standard::Rfc2044];

/// The four that ask for the shortest form.
const SHORTEST: [Standard; 4] = [Standard::Rfc3629, Standard::Kuhn, Standard::NoNoncharacters, Standard::Rfc2279];

/// The bytes that `hex` spells, with spaces between them.
fn bytes(hex: &str) -> Vec<u8> {
    hex.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).expect("hexadecimal")).collect()
}

/// A character number by the texts' own steps: as many octets as its row of
/// the table has, header bits, and six bits an octet from the last one on.
fn by_the_steps(value: u32) -> Vec<u8> {
    let rows =
        [(0x7F, 0x00), (0x7FF, 0xC0), (0xFFFF, 0xE0), (0x1F_FFFF, 0xF0), (0x3FF_FFFF, 0xF8), (0x7FFF_FFFF, 0xFC)];
    let row = rows.iter().position(|&(last, _)| value <= last).expect("31 bits");
    let mut octets = vec![0x80; row + 1];
    octets[0] = rows[row].1;
    let mut rest = value;
    for octet in octets.iter_mut().skip(1).rev() {
        *octet |= (rest % 64) as u8;
        rest /= 64;
    }
    octets[0] |= rest as u8;
    octets
}

/// `value` in a form of `len` octets, shortest or not.
fn in_form(value: u32, len: usize) -> Vec<u8> {
    let header = [0x00, 0xC0, 0xE0, 0xF0, 0xF8, 0xFC][len - 1];
    let mut octets: Vec<u8> = (0..len).rev().map(|i| 0x80 | (value >> (6 * i) & 0x3F) as u8).collect();
    octets[0] = header | (value >> (6 * (len - 1))) as u8;
    octets
}

fn scalar_values() -> impl Iterator<Item = u32> {
    (0..0xD800).chain(0xE000..0x11_0000)
}

/// All of `src` in another encoding, strictly.
fn converted(from: Encoding, to: Encoding, src: &[u8]) -> Result<Vec<u8>, utfkit::Error> {
    let mut out = Vec::new();
    match Transcoder::new(from, to, Policy::Strict).transcode_to_vec(src, &mut out, true).status {
        Status::IllFormed(error) => Err(error),
        _ => Ok(out),
    }
}

/// `hex` and `values` are the same text, whichever way and on every
/// instruction set.
#[track_caller]
fn are_the_same(hex: &str, values: &[u32]) {
    let octets = bytes(hex);
    for_each_isa(|isa| {
        for standard in ALL {
            assert_eq!(validate(&octets, standard), Ok(()), "{isa} {standard:?}");
        }
        assert_eq!(utf8_to_utf32_to_vec(&octets).as_deref(), Ok(values), "{isa}");
        assert_eq!(utf32_to_utf8_to_vec(values).as_ref(), Ok(&octets), "{isa}");
        let units = utf8_to_utf16_to_vec(&octets).expect("well-formed");
        assert_eq!(utf16_to_utf8_to_vec(&units).as_ref(), Ok(&octets), "{isa}");
        for wide in [Encoding::Utf16Be, Encoding::Utf16Le, Encoding::Utf32Be, Encoding::Utf32Le] {
            let there = converted(Encoding::Utf8, wide, &octets).expect("well-formed");
            assert_eq!(converted(wide, Encoding::Utf8, &there).as_ref(), Ok(&octets), "{isa} {wide}");
        }
    });
}

/// Nothing of `src` is taken for a character, by any function that reads UTF-8
/// strictly.
#[track_caller]
fn is_refused(src: &[u8], standards: &[Standard]) {
    for_each_isa(|isa| {
        for &standard in standards {
            assert!(validate(src, standard).is_err(), "{isa} {standard:?}: {src:02X?}");
            assert!(errors(src, standard).next().is_some(), "{isa} {standard:?}: {src:02X?}");
        }
        if standards.contains(&Standard::Rfc3629) {
            assert!(from_utf8(src).is_err(), "{isa}: {src:02X?}");
            assert!(utf8_to_utf16_to_vec(src).is_err(), "{isa}: {src:02X?}");
            assert!(utf8_to_utf32_to_vec(src).is_err(), "{isa}: {src:02X?}");
            assert!(converted(Encoding::Utf8, Encoding::Utf16Be, src).is_err(), "{isa}: {src:02X?}");
        }
    });
}

mod rfc3629 {
    use super::*;

    /// "a plain ASCII string is also a valid UTF-8 string"
    #[test]
    fn section_1_plain_ascii_is_utf8() {
        let ascii: Vec<u8> = (0..=0x7F).collect();
        let values: Vec<u32> = (0..=0x7F).collect();
        for standard in ALL {
            assert_eq!(validate(&ascii, standard), Ok(()));
        }
        assert_eq!(utf8_to_utf32_to_vec(&ascii), Ok(values));
        assert_eq!(converted(Encoding::UsAscii, Encoding::Utf8, &ascii), Ok(ascii));
    }

    /// "US-ASCII octet values do not appear otherwise"
    #[test]
    fn section_1_ascii_octets_do_not_appear_otherwise() {
        for value in scalar_values().skip(0x80) {
            let octets = utf32_to_utf8_to_vec(&[value]).expect("a scalar value");
            assert!(octets.iter().all(|octet| *octet >= 0x80), "{value:X}");
        }
    }

    /// "Round-trip conversion is easy between UTF-8 and other encoding forms."
    #[test]
    fn section_1_round_trip() {
        let all: Vec<u32> = scalar_values().collect();
        for_each_isa(|isa| {
            let utf8 = utf32_to_utf8_to_vec(&all).expect("scalar values");
            let utf16 = utf8_to_utf16_to_vec(&utf8).expect("well-formed");
            assert_eq!(utf16_to_utf8_to_vec(&utf16).as_ref(), Ok(&utf8), "{isa}");
            assert_eq!(utf8_to_utf32_to_vec(&utf8).as_ref(), Ok(&all), "{isa}");
        });
    }

    /// "The first octet of a multi-octet sequence indicates the number of
    /// octets in the sequence."
    #[test]
    fn section_1_first_octet_indicates_the_number() {
        for value in scalar_values().skip(0x80) {
            let octets = utf32_to_utf8_to_vec(&[value]).expect("a scalar value");
            assert_eq!(octets[0].leading_ones() as usize, octets.len(), "{value:X}");
        }
    }

    /// "The octet values C0, C1, F5 to FF never appear."
    #[test]
    fn section_1_c0_c1_f5_to_ff_never_appear() {
        let never = [0xC0, 0xC1].into_iter().chain(0xF5..=0xFF);
        let all = utf32_to_utf8_to_vec(&scalar_values().collect::<Vec<_>>()).expect("scalar values");
        for octet in never {
            assert!(!all.contains(&octet), "{octet:02X} is written");
            // Alone, before, behind and in place of others.
            for with in [vec![octet], [octet, 0x80, 0x80, 0x80, 0x80, 0x80].to_vec(), vec![0xE2, octet, 0x80]] {
                is_refused(&with, &[Standard::Rfc3629]);
            }
            let Err(error) = validate(&[b'a', octet], Standard::Rfc3629) else { panic!("{octet:02X} is read") };
            assert_eq!((error.offset(), error.error_len()), (1, Some(1)), "nothing can complete {octet:02X}");
        }
    }

    /// "Character boundaries are easily found from anywhere in an octet
    /// stream."
    #[test]
    fn section_1_boundaries_from_anywhere() {
        let text = "Aé€😀z";
        for at in 0..text.len() {
            let back = (0..4).find(|back| text.as_bytes()[at - back] & 0xC0 != 0x80).expect("at most three before");
            assert!(text.is_char_boundary(at - back));
            // What was cut off in front is as many faults as it has octets, and
            // nothing behind it is lost.
            let rest = &text.as_bytes()[at..];
            let stray = rest.iter().take_while(|octet| **octet & 0xC0 == 0x80).count();
            assert_eq!(errors(rest, Standard::Rfc3629).count(), stray);
            assert_eq!(validate(&rest[stray..], Standard::Rfc3629), Ok(()));
        }
    }

    /// "The byte-value lexicographic sorting order of UTF-8 strings is the same
    /// as if ordered by character numbers."
    #[test]
    fn section_1_sorting_order() {
        let mut random = Random::new(1);
        let mut texts = Vec::new();
        for _ in 0..400 {
            let len = random.below(4);
            let ends = [0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x1_0000, 0x10_FFFF];
            texts.push((0..len).map(|_| *random.pick(&ends)).collect::<Vec<u32>>());
        }
        texts.sort();
        let octets: Vec<_> = texts.iter().map(|text| utf32_to_utf8_to_vec(text).expect("scalar values")).collect();
        assert!(octets.is_sorted());
        // Which is not so in UTF-16.
        assert!([0xD800u16, 0xDC00] < [0xE000u16, 0]);
    }

    /// "The Boyer-Moore fast search algorithm can be used": what is found by
    /// octets is found by characters.
    #[test]
    fn section_1_search_by_octets() {
        let text = "日本語、日本、本日、é\u{65}\u{301}😀日本";
        for from in text.char_indices().map(|(at, _)| at) {
            for part in text[from..].char_indices().skip(1).map(|(to, _)| &text[from..from + to]) {
                for (at, window) in text.as_bytes().windows(part.len()).enumerate() {
                    assert_eq!(window == part.as_bytes(), text.get(at..at + part.len()) == Some(part));
                }
            }
        }
    }

    /// "the probability that a string of characters in any other encoding
    /// appears as valid UTF-8 is low, diminishing with increasing string
    /// length"
    #[test]
    fn section_1_recognized_reliably() {
        let mut random = Random::new(3629);
        let mut valid = [0; 3];
        for (len, count) in [2, 4, 8].into_iter().zip(&mut valid) {
            for _ in 0..20_000 {
                // Letters of a one-byte encoding, from A0 on.
                let text: Vec<u8> = (0..len).map(|_| random.between(0xA0, 0xFF) as u8).collect();
                *count += usize::from(from_utf8(&text).is_ok());
            }
        }
        assert!(valid[0] < 4000 && valid[1] < valid[0] / 2 && valid[2] < valid[1] / 2, "{valid:?}");
        let latin1 = b"d\xE9j\xE0 vu, stra\xDFe, \xC5ngstr\xF6m";
        assert!(from_utf8(latin1).is_err());
    }

    /// The table of section 3, the ends of every row: "the rows of the table
    /// are mutually exclusive".
    #[test]
    fn section_3_table() {
        for (hex, value) in [
            ("00", 0),
            ("7F", 0x7F),
            ("C2 80", 0x80),
            ("DF BF", 0x7FF),
            ("E0 A0 80", 0x800),
            ("EF BF BD", 0xFFFD),
            ("F0 90 80 80", 0x1_0000),
            ("F4 8F BF BD", 0x10_FFFD),
        ] {
            are_the_same(hex, &[value]);
        }
        // The very last ones are noncharacters, which RFC 3629 allows.
        assert_eq!(utf8_to_utf32_to_vec(&bytes("EF BF BF F4 8F BF BF")), Ok(vec![0xFFFF, 0x10_FFFF]));
        assert_eq!(validate(&bytes("EF BF BF F4 8F BF BF"), Standard::Rfc3629), Ok(()));
    }

    /// The three steps of encoding, for every character number.
    #[test]
    fn section_3_encoding_steps() {
        for value in scalar_values() {
            let octets = by_the_steps(value);
            assert!((1..=4).contains(&octets.len()));
            assert_eq!(utf32_to_utf8_to_vec(&[value]), Ok(octets), "{value:X}");
        }
    }

    /// The three steps of decoding: the bits marked x, from the last octet on.
    #[test]
    fn section_3_decoding_steps() {
        let all: Vec<u32> = scalar_values().collect();
        let octets: Vec<u8> = all.iter().flat_map(|&value| by_the_steps(value)).collect();
        for_each_isa(|isa| assert_eq!(utf8_to_utf32_to_vec(&octets).as_ref(), Ok(&all), "{isa}"));
    }

    /// "there is only one valid way to encode a given character"
    #[test]
    fn section_3_one_valid_way() {
        for value in [0, 0x0A, 0x2F, 0x7F, 0x80, 0x7FF, 0x800, 0xFFFD, 0x1_0000, 0x10_FFFF] {
            let shortest = by_the_steps(value).len();
            for len in shortest + 1..=6 {
                is_refused(&in_form(value, len), &SHORTEST);
            }
        }
    }

    /// "prohibits encoding character numbers between U+D800 and U+DFFF"
    #[test]
    fn section_3_no_surrogates() {
        for value in 0xD800..=0xDFFF {
            let Err(error) = utf32_to_utf8_to_vec(&[value]) else { panic!("{value:X} is written") };
            assert_eq!(error.kind(), ErrorKind::Surrogate);
            let octets = in_form(value, 3);
            let Err(error) = validate(&octets, Standard::Rfc3629) else { panic!("{octets:02X?} is read") };
            assert_eq!((error.kind(), error.sequence(&octets)), (ErrorKind::Surrogate, 0..3));
        }
        assert_eq!(utf16_to_utf8_to_vec(&[0xD84C]).unwrap_err().kind(), ErrorKind::UnpairedSurrogate);
    }

    /// "it is necessary to first decode the UTF-16 data"
    #[test]
    fn section_3_utf16_is_decoded_first() {
        assert_eq!(utf16_to_utf8_to_vec(&[0xD84C, 0xDFB4]), Ok(bytes("F0 A3 8E B4")));
        assert_eq!(converted(Encoding::Utf16Be, Encoding::Utf8, &bytes("D8 4C DF B4")), Ok(bytes("F0 A3 8E B4")));
    }

    /// "the CESU-8 encoding of those characters is NOT valid UTF-8"
    #[test]
    fn section_3_cesu8_is_not_valid() {
        for c in ['\u{10000}', '\u{233B4}', '\u{1F600}', '\u{10FFFF}'] {
            let mut units = [0; 2];
            let pair = c.encode_utf16(&mut units);
            let cesu8: Vec<u8> = pair.iter().flat_map(|&unit| in_form(unit.into(), 3)).collect();
            is_refused(&cesu8, &SHORTEST);
            let d = Diagnosis::of(&cesu8, Encoding::Utf8, Standard::Rfc3629).expect("ill-formed");
            assert_eq!((d.kind(), d.pair()), (ErrorKind::Surrogate, Some(c)));
        }
    }

    /// "a naive implementation may decode the overlong UTF-8 sequence C0 80 into
    /// the character U+0000"
    #[test]
    fn section_3_c0_80() {
        let src = bytes("C0 80");
        is_refused(&src, &SHORTEST);
        assert_eq!(lenient_reading(&src), "\0");
        let d = Diagnosis::of(&src, Encoding::Utf8, Standard::Rfc3629).expect("ill-formed");
        assert_eq!((d.kind(), d.code_point(), d.bytes()), (ErrorKind::Overlong, Some(0), &src[..]));
    }

    /// "or the surrogate pair ED A1 8C ED BE B4 into U+233B4"
    #[test]
    fn section_3_surrogate_pair() {
        let src = bytes("ED A1 8C ED BE B4");
        is_refused(&src, &SHORTEST);
        assert_eq!(lenient_reading(&src), "\u{233B4}");
        let d = Diagnosis::of(&src, Encoding::Utf8, Standard::Rfc3629).expect("ill-formed");
        assert_eq!((d.code_point(), d.pair()), (Some(0xD84C), Some('\u{233B4}')));
    }

    /// The grammar, rule by rule, as the RFC writes it.
    mod abnf {
        use std::ops::RangeInclusive;

        const TAIL: RangeInclusive<u8> = 0x80..=0xBF;

        /// How many octets of `src` are a UTF8-char; 0 if none are.
        pub(super) fn utf8_char(src: &[u8]) -> usize {
            let alternatives: [&[RangeInclusive<u8>]; 9] = [
                &[0x00..=0x7F],
                &[0xC2..=0xDF, TAIL],
                &[0xE0..=0xE0, 0xA0..=0xBF, TAIL],
                &[0xE1..=0xEC, TAIL, TAIL],
                &[0xED..=0xED, 0x80..=0x9F, TAIL],
                &[0xEE..=0xEF, TAIL, TAIL],
                &[0xF0..=0xF0, 0x90..=0xBF, TAIL, TAIL],
                &[0xF1..=0xF3, TAIL, TAIL, TAIL],
                &[0xF4..=0xF4, 0x80..=0x8F, TAIL, TAIL],
            ];
            let matches = |rule: &&&[RangeInclusive<u8>]| {
                src.len() >= rule.len() && rule.iter().zip(src).all(|(range, octet)| range.contains(octet))
            };
            alternatives.iter().find(matches).map_or(0, |rule| rule.len())
        }

        /// UTF8-octets = *( UTF8-char )
        pub(super) fn utf8_octets(mut src: &[u8]) -> bool {
            while !src.is_empty() {
                match utf8_char(src) {
                    0 => return false,
                    len => src = &src[len..],
                }
            }
            true
        }
    }

    /// "An octet sequence is valid UTF-8 only if it matches the following
    /// syntax": all strings of up to two octets, and longer ones of the octets
    /// at which a rule begins or ends.
    #[test]
    fn section_4_abnf() {
        const ENDS: [u8; 26] = [
            0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
            0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFD, 0xFF,
        ];
        let agrees = |src: &[u8]| {
            let valid = abnf::utf8_octets(src);
            assert_eq!(validate(src, Standard::Rfc3629).is_ok(), valid, "{src:02X?}");
            assert_eq!(utf8_to_utf16_to_vec(src).is_ok(), valid, "{src:02X?}");
        };
        for_each_isa(|_| {
            agrees(&[]);
            for a in 0..=0xFF {
                agrees(&[a]);
                for b in 0..=0xFF {
                    agrees(&[a, b]);
                }
            }
            for a in ENDS {
                for b in ENDS {
                    for c in ENDS {
                        agrees(&[a, b, c]);
                        for d in [0x00, 0x7F, 0x80, 0xBF, 0xC2, 0xF0] {
                            agrees(&[a, b, c, d]);
                        }
                    }
                }
            }
        });
    }

    /// "the BOM will always appear as the octet sequence EF BB BF"
    #[test]
    fn section_6_the_signature_is_ef_bb_bf() {
        are_the_same("EF BB BF", &[0xFEFF]);
        for (signature, encoding) in [("FE FF", Encoding::Utf16Be), ("00 00 FE FF", Encoding::Utf32Be)] {
            assert_eq!(converted(encoding, Encoding::Utf8, &bytes(signature)), Ok(bytes("EF BB BF")));
        }
    }

    /// "A receiver may use the initial character ... to recognize which UCS
    /// encoding is involved and ... the serialization order of the octets."
    #[test]
    fn section_6_the_signature_tells_the_order() {
        for (hex, encoding) in [
            ("FE FF 22 62", Encoding::Utf16),
            ("FF FE 62 22", Encoding::Utf16),
            ("00 00 FE FF 00 00 22 62", Encoding::Utf32),
            ("FF FE 00 00 62 22 00 00", Encoding::Utf32),
        ] {
            assert_eq!(converted(encoding, Encoding::Utf8, &bytes(hex)), Ok(bytes("E2 89 A2")), "{hex}");
        }
    }

    /// "U+FEFF appearing at any position other than the beginning of a stream
    /// MUST be interpreted with the semantics for the zero-width non-breaking
    /// space"
    #[test]
    fn section_6_elsewhere_it_is_a_character() {
        are_the_same("41 EF BB BF 42", &[0x41, 0xFEFF, 0x42]);
        let twice = bytes("FE FF 00 41 FE FF");
        assert_eq!(converted(Encoding::Utf16, Encoding::Utf8, &twice), Ok(bytes("41 EF BB BF")));
    }

    /// "It is therefore RECOMMENDED to avoid stripping an initial U+FEFF"
    #[test]
    fn section_6_nothing_is_stripped() {
        let src = bytes("EF BB BF 41");
        assert_eq!(from_utf8(&src), Ok("\u{FEFF}A"));
        assert_eq!(utfkit::from_utf8_lossy(&src), "\u{FEFF}A");
        assert_eq!(converted(Encoding::Utf8, Encoding::Utf8, &src), Ok(src.clone()));
        assert_eq!(converted(Encoding::Utf8, Encoding::Utf16Be, &src), Ok(bytes("FE FF 00 41")));
        let mut checker = Checker::new(Encoding::Utf8, Standard::Rfc3629);
        checker.feed(&src, |f| panic!("{f}"));
        assert_eq!(checker.totals().code_points(), 2);
    }

    #[test]
    fn section_7_not_identical_to_alpha() {
        are_the_same("41 E2 89 A2 CE 91 2E", &[0x41, 0x2262, 0x391, 0x2E]);
    }

    #[test]
    fn section_7_hangugeo() {
        are_the_same("ED 95 9C EA B5 AD EC 96 B4", &[0xD55C, 0xAD6D, 0xC5B4]);
    }

    #[test]
    fn section_7_nihongo() {
        are_the_same("E6 97 A5 E6 9C AC E8 AA 9E", &[0x65E5, 0x672C, 0x8A9E]);
    }

    #[test]
    fn section_7_stump_of_tree_behind_a_signature() {
        are_the_same("EF BB BF F0 A3 8E B4", &[0xFEFF, 0x2_33B4]);
    }

    /// "The charset parameter value is "UTF-8"."
    #[test]
    fn section_8_charset() {
        assert_eq!(Encoding::for_label("UTF-8"), Some(Encoding::Utf8));
        assert_eq!(Encoding::Utf8.name(), "UTF-8");
    }

    /// "the label "UTF-8" does not contain a version identification"
    #[test]
    fn section_8_no_version() {
        for label in ["UTF-8-2.0", "UTF-8-3.2", "UTF-8 1.0"] {
            assert_eq!(Encoding::for_label(label), None);
        }
    }

    /// "prohibit the NUL character when encoded as the single-octet sequence
    /// 00, but erroneously allow the illegal two-octet sequence C0 80"
    #[test]
    fn section_10_nul() {
        for len in 2..=6 {
            let hidden = [b"a", &in_form(0, len)[..], b"b"].concat();
            is_refused(&hidden, &SHORTEST);
            assert!(!utfkit::from_utf8_lossy(&hidden).contains('\0'));
            assert_eq!(lenient_reading(&hidden), "a\0b");
        }
    }

    /// "permits the illegal octet sequence 2F C0 AE 2E 2F"
    #[test]
    fn section_10_slash_dot_dot_slash() {
        let src = bytes("2F C0 AE 2E 2F");
        is_refused(&src, &SHORTEST);
        assert!(!utfkit::from_utf8_lossy(&src).contains("/../"));
        assert_eq!(lenient_reading(&src), "/../");
        let d = Diagnosis::of(&src[1..], Encoding::Utf8, Standard::Rfc3629).expect("ill-formed");
        assert_eq!((d.code_point(), d.bytes()), (Some(0x2E), &src[1..3]));
        assert!(d.to_string().starts_with("two-byte form of U+002E \".\", which must be 2E"), "{d}");
    }

    /// "a risk of buffer overflow if the range of character numbers is not
    /// explicitly limited to U+10FFFF"
    #[test]
    fn section_10_numbers_are_limited() {
        for value in [0x11_0000, 0x1F_FFFF, 0x20_0000, 0x3FF_FFFF, 0x400_0000, 0x7FFF_FFFF, 0xFFFF_FFFF] {
            let mut room = [0xAA; 4];
            let error = utfkit::utf32_to_utf8(&[value], &mut room).unwrap_err();
            assert_eq!((error.kind(), error.written()), (ErrorKind::TooLarge, 0), "{value:X}");
        }
        for src in ["F4 90 80 80", "F7 BF BF BF", "F8 88 80 80 80", "FD BF BF BF BF BF"] {
            is_refused(&bytes(src), &[Standard::Rfc3629, Standard::Kuhn, Standard::NoNoncharacters]);
            let d = Diagnosis::of(&bytes(src), Encoding::Utf8, Standard::Rfc3629).expect("ill-formed");
            assert_eq!(d.kind(), ErrorKind::TooLarge, "{src}");
        }
    }

    /// "or if buffer sizing doesn't take into account the possibility": a
    /// destination that is too small is never passed.
    #[test]
    fn section_10_buffers_do_not_overflow() {
        for room in 0..8 {
            let mut dst = [0xAA; 8];
            let error = utfkit::utf32_to_utf8(&[0x10_FFFD, 0x10_FFFD, 0x41], &mut dst[..room]).unwrap_err();
            assert_eq!((error.kind(), error.written()), (ErrorKind::OutputTooSmall, room / 4 * 4));
            assert!(dst[room..].iter().all(|&octet| octet == 0xAA));
        }
    }

    /// "UTF-8 provides a single byte sequence for each character sequence": two
    /// ways to write e with acute stay two.
    #[test]
    fn section_10_e_with_acute() {
        are_the_same("C3 A9", &[0xE9]);
        are_the_same("65 CC 81", &[0x65, 0x301]);
        assert_ne!(utf8_to_utf16_to_vec("\u{E9}".as_bytes()), utf8_to_utf16_to_vec("e\u{301}".as_bytes()));
    }
}

mod rfc2279 {
    use super::*;

    fn is_valid(src: &[u8]) -> bool {
        let mut all = true;
        for_each_isa(|_| all &= validate(src, Standard::Rfc2279).is_ok());
        all
    }

    /// "The octet values FE and FF never appear."
    #[test]
    fn section_1_fe_and_ff_never_appear() {
        for octet in [0xFE, 0xFF] {
            for src in [vec![octet], vec![octet, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80], vec![b'a', octet, b'b']] {
                is_refused(&src, &ALL);
            }
        }
        assert!((0..31).all(|bit| by_the_steps(1 << bit).iter().all(|octet| *octet < 0xFE)));
    }

    /// "The lexicographic sorting order of UCS-4 strings is preserved.", all 31
    /// bits of it.
    #[test]
    fn section_1_sorting_order() {
        let mut random = Random::new(2279);
        let mut values: Vec<u32> = (0..2000).map(|i| random.between(0, 0x7FFF_FFFF) >> (i % 31)).collect();
        values.retain(|value| !(0xD800..=0xDFFF).contains(value));
        values.sort_unstable();
        let octets: Vec<_> = values.iter().map(|&value| by_the_steps(value)).collect();
        assert!(octets.is_sorted());
        assert!(octets.iter().all(|octets| validate(octets, Standard::Rfc2279).is_ok()));
    }

    /// The table: the first and the last value of each row.
    #[test]
    fn section_2_table() {
        for (first, last, len) in [
            (0, 0x7F, 1),
            (0x80, 0x7FF, 2),
            (0x800, 0xFFFF, 3),
            (0x1_0000, 0x1F_FFFF, 4),
            (0x20_0000, 0x3FF_FFFF, 5),
            (0x400_0000, 0x7FFF_FFFF, 6),
        ] {
            for value in [first, last] {
                let octets = by_the_steps(value);
                assert_eq!(octets.len(), len);
                assert!(is_valid(&octets), "{value:X}");
            }
        }
        assert_eq!(by_the_steps(0x7FFF_FFFF), bytes("FD BF BF BF BF BF"));
        assert_eq!(by_the_steps(0x400_0000), bytes("FC 84 80 80 80 80"));
        assert_eq!(by_the_steps(0x20_0000), bytes("F8 88 80 80 80"));
    }

    /// "there is only one valid way to encode a given UCS-4 character"
    #[test]
    fn section_2_one_valid_way() {
        for value in [0, 0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x1_0000, 0x1F_FFFF, 0x20_0000, 0x3FF_FFFF] {
            for len in 2..=6 {
                let shortest = by_the_steps(value).len();
                if len >= shortest {
                    assert_eq!(is_valid(&in_form(value, len)), len == shortest, "{value:X} in {len} octets");
                }
            }
        }
    }

    /// "pairs of UCS-2 values between D800 and DFFF ... the UTF-16
    /// transformation must be undone"
    #[test]
    fn section_2_surrogate_pairs_are_undone() {
        assert_eq!(utf16_to_utf8_to_vec(&[0xD800, 0xDC00]), Ok(bytes("F0 90 80 80")));
        assert_eq!(utf16_to_utf8_to_vec(&[0xDBFF, 0xDFFF]), Ok(bytes("F4 8F BF BF")));
        for value in [0xD800, 0xDBFF, 0xDC00, 0xDFFF] {
            is_refused(&in_form(value, 3), &[Standard::Rfc2279]);
        }
    }

    /// "the invalid UTF-8 sequence C0 80"
    #[test]
    fn section_2_c0_80() {
        let src = bytes("C0 80");
        is_refused(&src, &[Standard::Rfc2279]);
        let d = Diagnosis::of(&src, Encoding::Utf8, Standard::Rfc2279).expect("ill-formed");
        assert_eq!(d.to_string(), "two-byte form of U+0000, which must be 00 (RFC 2279 section 2)");
    }

    #[test]
    fn section_4_not_identical_to_alpha() {
        are_the_same("41 E2 89 A2 CE 91 2E", &[0x41, 0x2262, 0x391, 0x2E]);
    }

    #[test]
    fn section_4_hangugo() {
        are_the_same("ED 95 9C EA B5 AD EC 96 B4", &[0xD55C, 0xAD6D, 0xC5B4]);
    }

    #[test]
    fn section_4_nihongo() {
        are_the_same("E6 97 A5 E6 9C AC E8 AA 9E", &[0x65E5, 0x672C, 0x8A9E]);
    }

    /// "The proposed charset parameter value is "UTF-8"."
    #[test]
    fn section_5_charset() {
        assert_eq!(Encoding::for_label("UTF-8"), Some(Encoding::Utf8));
    }

    #[test]
    fn section_6_nul() {
        is_refused(&bytes("C0 80"), &[Standard::Rfc2279]);
        assert!(is_valid(&[0]));
    }

    #[test]
    fn section_6_slash_dot_dot_slash() {
        let src = bytes("2F C0 AE 2E 2F");
        is_refused(&src, &[Standard::Rfc2279]);
        assert!(is_valid(&bytes("2F 2E 2E 2F")));
        assert_eq!(lenient_reading(&src).as_bytes(), bytes("2F 2E 2E 2F"));
    }
}

mod rfc2044 {
    use super::*;

    /// "Character values from 0000 0000 to 0000 007F ... correspond to octets 00
    /// to 7F"
    #[test]
    fn section_1_us_ascii() {
        let ascii: Vec<u8> = (0..=0x7F).collect();
        assert_eq!(validate(&ascii, Standard::Rfc2044), Ok(()));
        assert_eq!(utf8_to_utf32_to_vec(&ascii), Ok((0..=0x7F).collect()));
    }

    /// "The octet values FE and FF never appear."
    #[test]
    fn section_1_fe_and_ff_never_appear() {
        is_refused(&[0xFE], &[Standard::Rfc2044]);
        is_refused(&[0xFF, 0x80, 0x80, 0x80, 0x80, 0x80], &[Standard::Rfc2044]);
    }

    /// The table: sequences of 1 to 6 octets by their header, whatever their
    /// bits.
    #[test]
    fn section_2_table() {
        for_each_isa(|isa| {
            for len in 1..=6 {
                let bits = [7, 11, 16, 21, 26, 31][len - 1];
                for value in [0, 1, (1 << (bits - 1)) - 1, 1 << (bits - 1), ((1u64 << bits) - 1) as u32] {
                    let octets = in_form(value, len);
                    assert_eq!(validate(&octets, Standard::Rfc2044), Ok(()), "{isa}: {octets:02X?}");
                    for cut in 1..len {
                        let error = validate(&octets[..cut], Standard::Rfc2044).unwrap_err();
                        assert_eq!((error.len(), error.error_len()), (cut, None), "{isa}: {octets:02X?}");
                    }
                }
            }
        });
    }

    /// "UCS-2 values between D800 and DFFF ... need special treatment"
    #[test]
    fn section_2_utf16_is_undone() {
        assert_eq!(utf16_to_utf8_to_vec(&[0xD83D, 0xDE00]), Ok(bytes("F0 9F 98 80")));
    }

    /// The decoding steps ask for nothing but the number of octets: what the
    /// later RFCs warn of is read.
    #[test]
    fn section_2_decoding_steps_do_not_protect() {
        for src in ["C0 80", "2F C0 AE 2E 2F", "ED A1 8C ED BE B4", "FC 80 80 80 80 8A"] {
            assert_eq!(validate(&bytes(src), Standard::Rfc2044), Ok(()), "{src}");
            is_refused(&bytes(src), &SHORTEST);
        }
    }

    #[test]
    fn section_3_not_identical_to_alpha() {
        are_the_same("41 E2 89 A2 CE 91 2E", &[0x41, 0x2262, 0x391, 0x2E]);
    }

    #[test]
    fn section_3_hi_mom() {
        are_the_same("48 69 20 4D 6F 6D 20 E2 98 BA 21", &[0x48, 0x69, 0x20, 0x4D, 0x6F, 0x6D, 0x20, 0x263A, 0x21]);
    }

    #[test]
    fn section_3_nihongo() {
        are_the_same("E6 97 A5 E6 9C AC E8 AA 9E", &[0x65E5, 0x672C, 0x8A9E]);
    }

    /// "The proposed charset parameter value is "UTF-8"."
    #[test]
    fn mime_registrations_charset() {
        assert_eq!(Encoding::for_label("UTF-8"), Some(Encoding::Utf8));
    }
}

/// utf-8(7), by its headings.
mod utf_8_7 {
    use super::*;

    /// "files and strings which contain only 7-bit ASCII characters have the
    /// same encoding under both ASCII and UTF-8"
    #[test]
    fn properties_ascii_compatibility() {
        let ascii: Vec<u8> = (0..=0x7F).collect();
        assert_eq!(converted(Encoding::UsAscii, Encoding::Utf8, &ascii).as_ref(), Ok(&ascii));
        assert_eq!(converted(Encoding::Utf8, Encoding::UsAscii, &ascii).as_ref(), Ok(&ascii));
    }

    /// "All UCS characters greater than 0x7f are encoded as a multibyte sequence
    /// consisting only of bytes in the range 0x80 to 0xfd"
    #[test]
    fn properties_multibyte_sequences_are_80_to_fd() {
        let mut random = Random::new(7);
        let ends = [0x80, 0x7FF, 0x800, 0xFFFD, 0x1_0000, 0x1F_FFFF, 0x20_0000, 0x3FF_FFFF, 0x400_0000, 0x7FFF_FFFF];
        for value in (0..5000).map(|_| random.between(0x80, 0x7FFF_FFFF)).chain(ends) {
            let octets = by_the_steps(value);
            assert!(octets.iter().all(|octet| (0x80..=0xFD).contains(octet)), "{value:X}");
            assert_eq!(validate(&octets, Standard::Rfc2279), Ok(()), "{value:X}");
        }
    }

    /// "The lexicographic sorting order of UCS-4 strings is preserved."
    #[test]
    fn properties_sorting_order() {
        let values: Vec<u32> = scalar_values().step_by(97).collect();
        let octets: Vec<_> =
            values.iter().map(|&value| utf32_to_utf8_to_vec(&[value]).expect("a scalar value")).collect();
        assert!(octets.is_sorted());
    }

    /// "All possible 2^31 UCS codes can be encoded using UTF-8.": any of 31 bits.
    #[test]
    fn properties_all_codes_of_31_bits() {
        for bit in 0..31 {
            for value in [1u32 << bit, (1u32 << bit) - 1, 0x7FFF_FFFF >> bit] {
                assert_eq!(validate(&by_the_steps(value), Standard::Rfc2279), Ok(()), "{value:X}");
            }
        }
    }

    /// "The bytes 0xc0, 0xc1, 0xfe, and 0xff are never used"
    #[test]
    fn properties_never_used() {
        for byte in [0xC0, 0xC1, 0xFE, 0xFF] {
            is_refused(&[byte], &SHORTEST);
            is_refused(&[byte, 0xBF, 0xBF, 0xBF, 0xBF, 0xBF], &SHORTEST);
        }
    }

    /// "The first byte of a multibyte sequence ... is always in the range 0xc2
    /// to 0xfd and indicates how long this multibyte sequence is."
    #[test]
    fn properties_first_byte() {
        for first in 0xC2..=0xFDu8 {
            let len = first.leading_ones() as usize;
            let src: Vec<u8> = [first].into_iter().chain([0x9F; 5].into_iter().take(len - 1)).collect();
            let second_is_too_small = matches!(first, 0xE0);
            assert_eq!(validate(&src, Standard::Rfc2279).is_ok(), !second_is_too_small, "{src:02X?}");
        }
        for first in 0x80..=0xC1u8 {
            is_refused(&[first, 0x9F], &SHORTEST);
        }
    }

    /// "This allows easy resynchronization and makes the encoding stateless and
    /// robust against missing bytes."
    #[test]
    fn properties_robust_against_missing_bytes() {
        let text = "Grüße, 日本 😀!";
        for lost in 0..text.len() {
            let mut damaged = text.as_bytes().to_vec();
            damaged.remove(lost);
            let after = text.char_indices().map(|(at, _)| at).find(|&at| at > lost).unwrap_or(text.len());
            let before = (0..=lost).rev().find(|&at| text.is_char_boundary(at)).expect("0 is one");
            let read = utfkit::from_utf8_lossy(&damaged);
            assert!(read.starts_with(&text[..before]) && read.ends_with(&text[after..]), "{read}");
        }
    }

    /// "up to six bytes long, however ... Unicode characters can be only up to
    /// four bytes long in UTF-8"
    #[test]
    fn properties_six_bytes_and_four() {
        assert_eq!(validate(&by_the_steps(0x7FFF_FFFF), Standard::Rfc2279), Ok(()));
        is_refused(&by_the_steps(0x7FFF_FFFF), &[Standard::Rfc3629, Standard::Kuhn]);
        assert_eq!(utf32_to_utf8_to_vec(&[0x10_FFFF]).map(|octets| octets.len()), Ok(4));
    }

    /// The byte sequences of "Encoding".
    #[test]
    fn encoding_table() {
        for (first, last, len) in [
            (0, 0x7F, 1),
            (0x80, 0x7FF, 2),
            (0x800, 0xFFFF, 3),
            (0x1_0000, 0x1F_FFFF, 4),
            (0x20_0000, 0x3FF_FFFF, 5),
            (0x400_0000, 0x7FFF_FFFF, 6),
        ] {
            for value in [first, last] {
                assert_eq!(by_the_steps(value).len(), len);
                assert_eq!(validate(&by_the_steps(value), Standard::Rfc2279), Ok(()), "{value:X}");
            }
        }
    }

    /// "Only the shortest possible multibyte sequence ... can be used."
    #[test]
    fn encoding_shortest_only() {
        for (value, len) in [(0x7F, 2), (0x7FF, 3), (0xFFFD, 4), (0x10_FFFF, 5), (0x10_FFFF, 6)] {
            is_refused(&in_form(value, len), &SHORTEST);
        }
    }

    /// "The UCS code values 0xd800–0xdfff ... as well as 0xfffe and 0xffff ...
    /// should not appear in conforming UTF-8 streams."
    #[test]
    fn encoding_surrogates_fffe_ffff() {
        for value in (0xD800..=0xDFFF).chain([0xFFFE, 0xFFFF]) {
            is_refused(&in_form(value, 3), &[Standard::Kuhn]);
        }
        for value in [0xD7FF, 0xE000, 0xFFFD] {
            assert_eq!(validate(&in_form(value, 3), Standard::Kuhn), Ok(()), "{value:X}");
        }
    }

    /// "According to RFC 3629 no point above U+10FFFF should be used"
    #[test]
    fn encoding_nothing_above_10ffff() {
        is_refused(&by_the_steps(0x11_0000), &[Standard::Kuhn, Standard::Rfc3629]);
        assert_eq!(validate(&by_the_steps(0x10_FFFF), Standard::Kuhn), Ok(()));
    }

    #[test]
    fn example_copyright_sign() {
        are_the_same("C2 A9", &[0xA9]);
        assert_eq!([0b1100_0010, 0b1010_1001], bytes("C2 A9")[..]);
    }

    #[test]
    fn example_not_equal() {
        are_the_same("E2 89 A0", &[0x2260]);
        assert_eq!([0b1110_0010, 0b1000_1001, 0b1010_0000], bytes("E2 89 A0")[..]);
    }

    /// "a single byte does not necessarily correspond any more to a single
    /// character"
    #[test]
    fn application_notes_bytes_are_not_characters() {
        assert_eq!(utfkit::count_code_points("Größe".as_bytes()), 5);
        assert_eq!("Größe".len(), 7);
    }

    /// "producing a two-byte sequence with first byte 0xc0 is nonconforming ...
    /// conforming programs must not accept non-shortest forms": "/", ";" and NUL
    /// in all of them.
    #[test]
    fn security_shortest_forms() {
        for value in [0x2F, 0x3B, 0x00] {
            for len in 2..=6 {
                is_refused(&in_form(value, len), &SHORTEST);
            }
        }
        for value in scalar_values().take(0x800) {
            assert_ne!(utf32_to_utf8_to_vec(&[value]).expect("a scalar value")[0], 0xC0);
        }
    }
}

/// "What is UTF-8?", by paragraph.
mod what_is_utf_8 {
    use super::*;

    /// "An ASCII or Latin-1 file can be transformed into a UCS-2 file by simply
    /// inserting a 0x00 byte in front of every ASCII byte." Below U+D800 UCS-2
    /// and UTF-16 are one.
    #[test]
    fn ucs2_is_latin1_with_one_zero_byte_before_each() {
        let latin1: Vec<u8> = (0..=0xFF).collect();
        let inserted: Vec<u8> = latin1.iter().flat_map(|&byte| [0, byte]).collect();
        assert_eq!(converted(Encoding::Latin1, Encoding::Utf16Be, &latin1).as_ref(), Ok(&inserted));
        assert_eq!(converted(Encoding::Utf16Be, Encoding::Latin1, &inserted), Ok(latin1));
        assert_eq!(converted(Encoding::UsAscii, Encoding::Utf16Be, b"ASCII"), Ok(b"\0A\0S\0C\0I\0I".to_vec()));
    }

    /// "If we want to have a UCS-4 file, we have to insert three 0x00 bytes
    /// instead"
    #[test]
    fn ucs4_is_latin1_with_three_zero_bytes_before_each() {
        let latin1: Vec<u8> = (0..=0xFF).collect();
        let inserted: Vec<u8> = latin1.iter().flat_map(|&byte| [0, 0, 0, byte]).collect();
        assert_eq!(converted(Encoding::Latin1, Encoding::Utf32Be, &latin1).as_ref(), Ok(&inserted));
        assert_eq!(converted(Encoding::Utf32Be, Encoding::Latin1, &inserted), Ok(latin1));
    }

    /// "Strings with these encodings can contain as parts of many wide
    /// characters bytes like "\0" or "/"", and in UTF-8 they do not.
    #[test]
    fn ucs2_holds_bytes_with_a_meaning() {
        let text = "\u{2F00}\u{2F2F}\u{100}";
        let wide = converted(Encoding::Utf8, Encoding::Utf16Be, text.as_bytes()).expect("well-formed");
        assert!(wide.contains(&b'/') && wide.contains(&0));
        assert!(!text.as_bytes().contains(&b'/') && !text.as_bytes().contains(&0));
    }

    /// "UCS characters U+0000 to U+007F (ASCII) are encoded simply as bytes 0x00
    /// to 0x7F"
    #[test]
    fn properties_ascii() {
        for value in 0..=0x7F {
            assert_eq!(utf32_to_utf8_to_vec(&[value]), Ok(vec![value as u8]));
        }
    }

    /// "each of which has the most significant bit set"
    #[test]
    fn properties_no_ascii_byte_in_others() {
        for value in scalar_values().skip(0x80).step_by(13) {
            let octets = utf32_to_utf8_to_vec(&[value]).expect("a scalar value");
            assert!(octets.len() > 1 && octets.iter().all(|octet| octet & 0x80 != 0), "{value:X}");
        }
    }

    /// "The first byte ... is always in the range 0xC0 to 0xFD and it indicates
    /// how many bytes follow ... All further bytes ... are in the range 0x80 to
    /// 0xBF."
    #[test]
    fn properties_first_and_further_bytes() {
        let mut random = Random::new(9);
        for value in (0..5000).map(|i| random.between(0x80, 0x7FFF_FFFF) >> (i % 24)).filter(|&value| value >= 0x80) {
            let octets = by_the_steps(value);
            assert!((0xC0..=0xFD).contains(&octets[0]) && octets[0].leading_ones() as usize == octets.len());
            assert!(octets[1..].iter().all(|octet| (0x80..=0xBF).contains(octet)));
            assert_eq!(validate(&octets, Standard::Rfc2044), Ok(()));
        }
    }

    /// "All possible 2^31 UCS codes can be encoded."
    #[test]
    fn properties_all_codes() {
        let mut random = Random::new(31);
        for value in (0..5000).map(|_| random.between(0x11_0000, 0x7FFF_FFFF)) {
            assert_eq!(validate(&by_the_steps(value), Standard::Rfc2279), Ok(()), "{value:X}");
        }
    }

    /// "theoretically up to six bytes long, however 16-bit BMP characters are
    /// only up to three bytes long"
    #[test]
    fn properties_lengths() {
        assert_eq!(by_the_steps(0x7FFF_FFFF).len(), 6);
        for value in scalar_values().take_while(|&value| value <= 0xFFFF) {
            assert!(utf32_to_utf8_to_vec(&[value]).expect("a scalar value").len() <= 3, "{value:X}");
        }
    }

    /// "The sorting order of Bigendian UCS-4 byte strings is preserved."
    #[test]
    fn properties_sorting_order_of_bigendian_ucs4() {
        let mut random = Random::new(4);
        let mut texts: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
        for _ in 0..500 {
            let values: Vec<u32> = (0..random.below(5))
                .map(|i| random.between(0, 0x10_FFFF) >> (4 * i))
                .filter(|value| !(0xD800..=0xDFFF).contains(value))
                .collect();
            let ucs4: Vec<u8> = values.iter().flat_map(|value| value.to_be_bytes()).collect();
            let utf8 = converted(Encoding::Utf32Be, Encoding::Utf8, &ucs4).expect("scalar values");
            texts.push((ucs4, utf8));
        }
        texts.sort();
        assert!(texts.is_sorted_by_key(|(_, utf8)| utf8));
    }

    /// "The bytes 0xFE and 0xFF are never used"
    #[test]
    fn properties_fe_and_ff() {
        for byte in [0xFE, 0xFF] {
            is_refused(&[b'a', byte], &ALL);
        }
    }

    /// The byte sequences, bit by bit: "The rightmost x bit is the
    /// least-significant bit."
    #[test]
    fn byte_sequences() {
        for (pattern, bits) in [
            ("0xxxxxxx", 7),
            ("110xxxxx 10xxxxxx", 11),
            ("1110xxxx 10xxxxxx 10xxxxxx", 16),
            ("11110xxx 10xxxxxx 10xxxxxx 10xxxxxx", 21),
            ("111110xx 10xxxxxx 10xxxxxx 10xxxxxx 10xxxxxx", 26),
            ("1111110x 10xxxxxx 10xxxxxx 10xxxxxx 10xxxxxx 10xxxxxx", 31),
        ] {
            // Every single bit, and all of them, among those that ask for so
            // many bytes.
            let highest = 1u32 << (bits - 1);
            for value in (0..bits).map(|bit| highest | 1 << bit).chain([((1u64 << bits) - 1) as u32]) {
                let mut rest = value;
                let mut filled: Vec<char> = pattern.chars().collect();
                for place in filled.iter_mut().rev().filter(|place| **place == 'x') {
                    *place = if rest & 1 == 1 { '1' } else { '0' };
                    rest >>= 1;
                }
                let octets: Vec<u8> = String::from_iter(filled)
                    .split(' ')
                    .map(|octet| u8::from_str_radix(octet, 2).expect("binary"))
                    .collect();
                assert_eq!(validate(&octets, Standard::Rfc2279), Ok(()), "{value:X}");
                if value <= 0x10_FFFF {
                    assert_eq!(utf8_to_utf32_to_vec(&octets), Ok(vec![value]), "{value:X}");
                    assert_eq!(utf32_to_utf8_to_vec(&[value]), Ok(octets), "{value:X}");
                }
            }
        }
    }

    #[test]
    fn examples_copyright_sign() {
        are_the_same("C2 A9", &[0xA9]);
    }

    #[test]
    fn examples_not_equal_to() {
        are_the_same("E2 89 A0", &[0x2260]);
    }

    /// "The official name and spelling of this encoding is UTF-8"
    #[test]
    fn the_official_name() {
        assert_eq!(Encoding::Utf8.to_string(), "UTF-8");
        // Of labels, others are understood.
        assert_eq!(Encoding::for_label("UTF_8"), Some(Encoding::Utf8));
    }

    /// "the character U+000A (line feed) must be accepted from a UTF-8 stream
    /// only in the form 0x0A, but not in any of the following five possible
    /// overlong forms"
    #[test]
    fn five_overlong_forms_of_line_feed() {
        are_the_same("0A", &[0x0A]);
        for (hex, word) in [
            ("C0 8A", "two"),
            ("E0 80 8A", "three"),
            ("F0 80 80 8A", "four"),
            ("F8 80 80 80 8A", "five"),
            ("FC 80 80 80 80 8A", "six"),
        ] {
            let src = bytes(hex);
            is_refused(&src, &SHORTEST);
            assert!(!utfkit::from_utf8_lossy(&src).contains('\n'));
            assert_eq!(lenient_reading(&src), "\n");
            for standard in SHORTEST {
                let d = Diagnosis::of(&src, Encoding::Utf8, standard).expect("ill-formed");
                assert_eq!((d.code_point(), d.bytes()), (Some(0x0A), &src[..]), "{standard:?}");
                let start = format!("{word}-byte form of U+000A, which must be 0A");
                assert!(d.to_string().starts_with(&start), "{standard:?}: {d}");
                let mut count = 0;
                let mut checker = Checker::new(Encoding::Utf8, standard);
                checker.feed(&src, |_| count += 1);
                checker.finish(|_| count += 1);
                assert_eq!(count, 1, "{standard:?}: {hex}");
            }
        }
    }

    /// "All overlong UTF-8 sequences start with one of the following byte
    /// patterns", and whatever starts so is refused.
    #[test]
    fn overlong_patterns() {
        for (first, second, len) in [
            (0xC0..=0xC1, 0x80..=0xBFu8, 2),
            (0xE0..=0xE0, 0x80..=0x9F, 3),
            (0xF0..=0xF0, 0x80..=0x8F, 4),
            (0xF8..=0xF8, 0x80..=0x87, 5),
            (0xFC..=0xFC, 0x80..=0x83, 6),
        ] {
            for a in first {
                for b in 0x80..=0xBF {
                    for rest in [0x80, 0xA5, 0xBF] {
                        let mut src = vec![rest; len];
                        (src[0], src[1]) = (a, b);
                        let overlong = second.contains(&b);
                        assert_eq!(validate(&src, Standard::Rfc2279).is_err(), overlong, "{src:02X?}");
                        if overlong {
                            let kind = validate(&src, Standard::Rfc2279).unwrap_err().kind();
                            assert_eq!(kind, ErrorKind::Overlong, "{src:02X?}");
                        }
                    }
                }
            }
        }
        // There are no others: every form that is longer than needed has one.
        let mut random = Random::new(5);
        for _ in 0..5000 {
            let value = random.between(0, 0x7FFF_FFFF) >> random.below(31);
            for len in by_the_steps(value).len() + 1..=6 {
                let src = in_form(value, len);
                let pattern = matches!(
                    (src[0], src[1]),
                    (0xC0 | 0xC1, _) | (0xE0, ..=0x9F) | (0xF0, ..=0x8F) | (0xF8, ..=0x87) | (0xFC, ..=0x83)
                );
                assert!(pattern, "{src:02X?}");
                assert!(validate(&src, Standard::Rfc2279).is_err(), "{src:02X?}");
            }
        }
    }

    /// "the code positions U+D800 to U+DFFF (UTF-16 surrogates) as well as
    /// U+FFFE and U+FFFF must not occur ... UTF-8 decoders should treat them like
    /// malformed or overlong sequences"
    #[test]
    fn surrogates_fffe_ffff() {
        for value in 0xD800..=0xDFFF {
            is_refused(&in_form(value, 3), &[Standard::Kuhn]);
        }
        for value in [0xFFFE, 0xFFFF] {
            let src = in_form(value, 3);
            is_refused(&src, &[Standard::Kuhn]);
            let d = Diagnosis::of(&src, Encoding::Utf8, Standard::Kuhn).expect("refused");
            assert_eq!((d.kind(), d.code_point()), (ErrorKind::Noncharacter, Some(value)));
            // The others allow them.
            for standard in [Standard::Rfc3629, Standard::Rfc2279, Standard::Rfc2044] {
                assert_eq!(validate(&src, standard), Ok(()), "{standard:?}");
            }
        }
    }
}
