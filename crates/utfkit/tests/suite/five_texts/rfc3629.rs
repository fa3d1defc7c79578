//! RFC 3629, by section.

use super::*;

/// "a plain ASCII string is also a valid UTF-8 string"
#[test]
fn section_1_plain_ascii_is_utf8() {
    let ascii: Vec<u8> = (0..=0x7F).collect();
    let values: Vec<u32> = (0..=0x7F).collect();
    for standard in ALL {
        assert_eq!(validate(&ascii, standard), Ok(()));
    }
    assert_eq!(conversion::UTF8_TO_UTF32.to_vec(&ascii), Ok(values));
    assert_eq!(converted(Encoding::UsAscii, Encoding::Utf8, &ascii), Ok(ascii));
}

/// "US-ASCII octet values do not appear otherwise"
#[test]
fn section_1_ascii_octets_do_not_appear_otherwise() {
    for value in scalar_values().skip(0x80) {
        let octets = conversion::UTF32_TO_UTF8.to_vec(&[value]).expect("a scalar value");
        assert!(octets.iter().all(|octet| *octet >= 0x80), "{value:X}");
    }
}

/// "Round-trip conversion is easy between UTF-8 and other encoding forms."
#[test]
fn section_1_round_trip() {
    let all: Vec<u32> = scalar_values().collect();
    for_each_isa(|isa| {
        let utf8 = conversion::UTF32_TO_UTF8.to_vec(&all).expect("scalar values");
        let utf16 = conversion::UTF8_TO_UTF16.to_vec(&utf8).expect("well-formed");
        assert_eq!(conversion::UTF16_TO_UTF8.to_vec(&utf16).as_ref(), Ok(&utf8), "{isa}");
        assert_eq!(conversion::UTF8_TO_UTF32.to_vec(&utf8).as_ref(), Ok(&all), "{isa}");
    });
}

/// "The first octet of a multi-octet sequence indicates the number of
/// octets in the sequence."
#[test]
fn section_1_first_octet_indicates_the_number() {
    for value in scalar_values().skip(0x80) {
        let octets = conversion::UTF32_TO_UTF8.to_vec(&[value]).expect("a scalar value");
        assert_eq!(octets[0].leading_ones() as usize, octets.len(), "{value:X}");
    }
}

/// "The octet values C0, C1, F5 to FF never appear."
#[test]
fn section_1_c0_c1_f5_to_ff_never_appear() {
    let never = [0xC0, 0xC1].into_iter().chain(0xF5..=0xFF);
    let all = conversion::UTF32_TO_UTF8.to_vec(&scalar_values().collect::<Vec<_>>()).expect("scalar values");
    for octet in never {
        assert!(!all.contains(&octet), "{octet:02X} is written");
        // Alone, and before, after or in place of others.
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
        // The rest of a cut character is one error for each octet, and the text after it is
        // intact.
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
    let octets: Vec<_> =
        texts.iter().map(|text| conversion::UTF32_TO_UTF8.to_vec(text).expect("scalar values")).collect();
    assert!(octets.is_sorted());
    // Not so in UTF-16.
    assert!([0xD800u16, 0xDC00] < [0xE000u16, 0]);
}

/// "The Boyer-Moore fast search algorithm can be used": a search for octets finds the
/// characters.
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
    // The last value of each row is a noncharacter, which RFC 3629 allows.
    assert_eq!(conversion::UTF8_TO_UTF32.to_vec(&bytes("EF BF BF F4 8F BF BF")), Ok(vec![0xFFFF, 0x10_FFFF]));
    assert_eq!(validate(&bytes("EF BF BF F4 8F BF BF"), Standard::Rfc3629), Ok(()));
}

/// The three steps of encoding, for every character number.
#[test]
fn section_3_encoding_steps() {
    for value in scalar_values() {
        let octets = by_the_steps(value);
        assert!((1..=4).contains(&octets.len()));
        assert_eq!(conversion::UTF32_TO_UTF8.to_vec(&[value]), Ok(octets), "{value:X}");
    }
}

/// The three steps of decoding: the bits marked x, from the last octet on.
#[test]
fn section_3_decoding_steps() {
    let all: Vec<u32> = scalar_values().collect();
    let octets: Vec<u8> = all.iter().flat_map(|&value| by_the_steps(value)).collect();
    for_each_isa(|isa| assert_eq!(conversion::UTF8_TO_UTF32.to_vec(&octets).as_ref(), Ok(&all), "{isa}"));
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
        let Err(error) = conversion::UTF32_TO_UTF8.to_vec(&[value]) else { panic!("{value:X} is written") };
        assert_eq!(error.kind(), ErrorKind::Surrogate);
        let octets = in_form(value, 3);
        let Err(error) = validate(&octets, Standard::Rfc3629) else { panic!("{octets:02X?} is read") };
        assert_eq!((error.kind(), error.sequence(&octets)), (ErrorKind::Surrogate, 0..3));
    }
    assert_eq!(conversion::UTF16_TO_UTF8.to_vec(&[0xD84C]).unwrap_err().kind(), ErrorKind::UnpairedSurrogate);
}

/// "it is necessary to first decode the UTF-16 data"
#[test]
fn section_3_utf16_is_decoded_first() {
    assert_eq!(conversion::UTF16_TO_UTF8.to_vec(&[0xD84C, 0xDFB4]), Ok(bytes("F0 A3 8E B4")));
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

    /// The number of octets at the front of `src` that match UTF8-char; 0 if none do.
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

/// "An octet sequence is valid UTF-8 only if it matches the following syntax": all strings of up
/// to two octets, and longer ones of the octets at which a rule begins or ends.
#[test]
fn section_4_abnf() {
    const ENDS: [u8; 26] = [
        0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
        0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFD, 0xFF,
    ];
    let agrees = |src: &[u8]| {
        let valid = abnf::utf8_octets(src);
        assert_eq!(validate(src, Standard::Rfc3629).is_ok(), valid, "{src:02X?}");
        assert_eq!(conversion::UTF8_TO_UTF16.to_vec(src).is_ok(), valid, "{src:02X?}");
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
fn section_6_the_bom_is_ef_bb_bf() {
    are_the_same("EF BB BF", &[0xFEFF]);
    for (bom, encoding) in [("FE FF", Encoding::Utf16Be), ("00 00 FE FF", Encoding::Utf32Be)] {
        assert_eq!(converted(encoding, Encoding::Utf8, &bytes(bom)), Ok(bytes("EF BB BF")));
    }
}

/// "A receiver may use the initial character ... to recognize which UCS
/// encoding is involved and ... the serialization order of the octets."
#[test]
fn section_6_the_bom_tells_the_order() {
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
fn section_7_stump_of_tree_after_a_bom() {
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
        let mut buf = [0xAA; 4];
        let error = utfkit::utf32_to_utf8(&[value], &mut buf).unwrap_err();
        assert_eq!((error.kind(), error.written()), (ErrorKind::TooLarge, 0), "{value:X}");
    }
    for src in ["F4 90 80 80", "F7 BF BF BF", "F8 88 80 80 80", "FD BF BF BF BF BF"] {
        is_refused(&bytes(src), &[Standard::Rfc3629, Standard::Kuhn, Standard::NoNoncharacters]);
        let d = Diagnosis::of(&bytes(src), Encoding::Utf8, Standard::Rfc3629).expect("ill-formed");
        assert_eq!(d.kind(), ErrorKind::TooLarge, "{src}");
    }
}

/// "or if buffer sizing doesn't take into account the possibility": no write passes the end of a
/// destination that is too small.
#[test]
fn section_10_buffers_do_not_overflow() {
    for capacity in 0..8 {
        let mut dst = [0xAA; 8];
        let error = utfkit::utf32_to_utf8(&[0x10_FFFD, 0x10_FFFD, 0x41], &mut dst[..capacity]).unwrap_err();
        assert_eq!((error.kind(), error.written()), (ErrorKind::OutputTooSmall, capacity / 4 * 4));
        assert!(dst[capacity..].iter().all(|&octet| octet == 0xAA));
    }
}

/// "UTF-8 provides a single byte sequence for each character sequence": the two ways to write e
/// with acute remain different.
#[test]
fn section_10_e_with_acute() {
    are_the_same("C3 A9", &[0xE9]);
    are_the_same("65 CC 81", &[0x65, 0x301]);
    assert_ne!(
        conversion::UTF8_TO_UTF16.to_vec("\u{E9}".as_bytes()),
        conversion::UTF8_TO_UTF16.to_vec("e\u{301}".as_bytes())
    );
}
