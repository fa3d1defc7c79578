//! "What is UTF-8?" by Markus Kuhn, by paragraph.

use super::*;

/// "An ASCII or Latin-1 file can be transformed into a UCS-2 file by simply inserting a 0x00
/// byte before every ASCII byte." Below U+D800 UCS-2 and UTF-16 are the same.
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

/// "Strings with these encodings can contain as parts of many wide characters bytes like "\0" or
/// "/"". In UTF-8 they do not.
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
        assert_eq!(conversion::UTF32_TO_UTF8.to_vec(&[value]), Ok(vec![value as u8]));
    }
}

/// "each of which has the most significant bit set"
#[test]
fn properties_no_ascii_byte_in_others() {
    for value in scalar_values().skip(0x80).step_by(13) {
        let octets = conversion::UTF32_TO_UTF8.to_vec(&[value]).expect("a scalar value");
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
        assert!(conversion::UTF32_TO_UTF8.to_vec(&[value]).expect("a scalar value").len() <= 3, "{value:X}");
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
        // Each single bit, and all bits, of the values that need this number of bytes.
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
                assert_eq!(conversion::UTF8_TO_UTF32.to_vec(&octets), Ok(vec![value]), "{value:X}");
                assert_eq!(conversion::UTF32_TO_UTF8.to_vec(&[value]), Ok(octets), "{value:X}");
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
    // Other spellings are accepted as labels.
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

/// "All overlong UTF-8 sequences start with one of the following byte patterns": all such
/// sequences are refused.
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
    // There are no other patterns: every overlong form begins with one.
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
        // The other standards allow them.
        for standard in [Standard::Rfc3629, Standard::Rfc2279, Standard::Rfc2044] {
            assert_eq!(validate(&src, standard), Ok(()), "{standard:?}");
        }
    }
}
