//! utf-8(7), by its headings.

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
        values.iter().map(|&value| conversion::UTF32_TO_UTF8.to_vec(&[value]).expect("a scalar value")).collect();
    assert!(octets.is_sorted());
}

/// "All possible 2^31 UCS codes can be encoded using UTF-8."
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
    assert_eq!(conversion::UTF32_TO_UTF8.to_vec(&[0x10_FFFF]).map(|octets| octets.len()), Ok(4));
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

/// "producing a two-byte sequence with first byte 0xc0 is nonconforming ... conforming programs
/// must not accept non-shortest forms": all overlong forms of "/", ";" and NUL.
#[test]
fn security_shortest_forms() {
    for value in [0x2F, 0x3B, 0x00] {
        for len in 2..=6 {
            is_refused(&in_form(value, len), &SHORTEST);
        }
    }
    for value in scalar_values().take(0x800) {
        assert_ne!(conversion::UTF32_TO_UTF8.to_vec(&[value]).expect("a scalar value")[0], 0xC0);
    }
}
