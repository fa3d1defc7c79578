//! Order by code point.

use utfkit::*;

const UNITS: [u16; 9] = [0x0000, 0x0061, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF];

/// All strings of up to three of these units.
fn strings() -> Vec<Vec<u16>> {
    let mut strings = vec![Vec::new()];
    let mut first = 0;
    for _ in 0..3 {
        let end = strings.len();
        for i in first..end {
            for unit in UNITS {
                strings.push(strings[i].iter().copied().chain([unit]).collect());
            }
        }
        first = end;
    }
    strings
}

fn code_points(units: &[u16]) -> Vec<u32> {
    char::decode_utf16(units.iter().copied())
        .map(|c| c.map_or_else(|e| e.unpaired_surrogate().into(), u32::from))
        .collect()
}

#[test]
fn utf16_sorts_as_its_code_points_do() {
    let strings = strings();
    let all: Vec<_> = strings.iter().map(|units| (units, code_points(units))).collect();
    for (a, a_points) in &all {
        for (b, b_points) in &all {
            let expected = a_points.cmp(b_points);
            assert_eq!(compare_utf16(a, b), expected, "{a:04X?} {b:04X?}");
            let le = |units: &[u16]| units.iter().flat_map(|u| u.to_le_bytes()).collect::<Vec<u8>>();
            let be = |units: &[u16]| units.iter().flat_map(|u| u.to_be_bytes()).collect::<Vec<u8>>();
            assert_eq!(compare_utf16_le(&le(a), &le(b)), expected, "{a:04X?} {b:04X?}");
            assert_eq!(compare_utf16_be(&be(a), &be(b)), expected, "{a:04X?} {b:04X?}");
        }
    }
}

#[test]
fn the_place_where_they_differ_is_found_after_blocks() {
    for before in [0, 1, 63, 64, 65, 200] {
        let with = |end: &[u16]| [&vec![0xD83D; before], end].concat();
        for a in [&[][..], &[0xE000], &[0xD800, 0xDC00], &[0xDC00]] {
            for b in [&[][..], &[0xE000], &[0xD800, 0xDC00], &[0xDC00]] {
                let (a, b) = (with(a), with(b));
                assert_eq!(compare_utf16(&a, &b), code_points(&a).cmp(&code_points(&b)), "{a:04X?} {b:04X?}");
            }
        }
    }
}

#[test]
fn well_formed_texts_sort_alike_in_both_forms() {
    let texts = ["", "a", "ab", "é", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}", "\u{10000}a"];
    for a in texts {
        for b in texts {
            let expected = a.chars().cmp(b.chars());
            assert_eq!(a.as_bytes().cmp(b.as_bytes()), expected);
            let units = |text: &str| text.encode_utf16().collect::<Vec<_>>();
            assert_eq!(compare_utf16(&units(a), &units(b)), expected);
        }
    }
}

#[test]
fn a_single_byte_comes_after_the_end_and_before_every_unit() {
    let rising: [&[u8]; 6] = [b"a\0", b"a\0\x01", b"a\0\x02", b"a\0\0\0", b"a\0\0\0\0", b"a\0b\0"];
    for (i, a) in rising.iter().enumerate() {
        for (j, b) in rising.iter().enumerate() {
            assert_eq!(compare_utf16_le(a, b), i.cmp(&j), "{a:02X?} {b:02X?}");
        }
    }
}
