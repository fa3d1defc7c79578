//! RFC 2279, by section.

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

/// "The lexicographic sorting order of UCS-4 strings is preserved.", for all 31 bits.
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
    assert_eq!(conversion::UTF16_TO_UTF8.to_vec(&[0xD800, 0xDC00]), Ok(bytes("F0 90 80 80")));
    assert_eq!(conversion::UTF16_TO_UTF8.to_vec(&[0xDBFF, 0xDFFF]), Ok(bytes("F4 8F BF BF")));
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
