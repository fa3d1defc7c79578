//! UTF-8, one value at a time, and bytes in registers.

use utfkit_core::internal::utf8::{
    Utf8, awaits_low_surrogate, cesu8_pair, decode_scalar, encode_scalar, read_leniently,
};
use utfkit_core::internal::{Decoded, Form, SmallBytes};

/// A byte on each side of every border of RFC 3629 section 4.
const BORDERS: [u8; 21] = [
    0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xEC, 0xED, 0xEF, 0xF0, 0xF3, 0xF4,
    0xF5, 0xFF,
];

#[test]
fn the_first_character_is_what_the_definition_reads() {
    let mut seen = 0;
    for one in 0..=0xFF {
        for two in BORDERS {
            for rest in BORDERS.iter().flat_map(|three| BORDERS.map(|four| [*three, four])) {
                let bytes = [one, two, rest[0], rest[1]];
                for len in 1..=4 {
                    let wanted = match Utf8::decode(&bytes[..len]) {
                        Decoded::Value { value, len } => Some((value, len)),
                        _ => None,
                    };
                    assert_eq!(decode_scalar(&bytes[..len]), wanted, "{:X?}", &bytes[..len]);
                    seen += usize::from(wanted.is_some());
                }
            }
        }
    }
    assert!(seen > 100_000, "{seen}");
}

#[test]
fn the_bytes_of_a_character_are_those_of_the_definition() {
    for character in '\0'..=char::MAX {
        let (bytes, len) = encode_scalar(character.into());
        let wanted = Utf8::encode(character.into()).expect("a scalar value");
        assert_eq!(&bytes[..len], wanted.as_slice(), "{character:?}");
    }
}

/// The three bytes of a surrogate.
fn encoded(unit: u16) -> Vec<u8> {
    let mut bytes = Vec::new();
    utfkit_testkit::utf8::encode(unit.into(), &mut bytes);
    bytes
}

/// Every pair, by UTF-16's arithmetic.
#[test]
fn cesu8_pairs_are_those_of_utf16() {
    for value in (0x1_0000..=0x10_FFFF).step_by(0x3F).chain([0x1_FFFF, 0x2_33B4, 0x10_FFFF]) {
        let mut units = [0; 2];
        char::from_u32(value).unwrap().encode_utf16(&mut units);
        let bytes: Vec<u8> = units.iter().flat_map(|&unit| encoded(unit)).collect();
        assert_eq!(cesu8_pair(&bytes), Some(value), "{bytes:02X?}");
        for cut in 0..6 {
            assert_eq!(cesu8_pair(&bytes[..cut]), None);
            assert_eq!(awaits_low_surrogate(&bytes[..cut]), cut >= 3, "{cut} of {bytes:02X?}");
        }
        assert!(!awaits_low_surrogate(&bytes));
    }
    for none in [
        &b"\xED\xB0\x80\xED\xA0\x80"[..],
        b"\xED\xA0\x80\xED\xA0\x80",
        b"\xED\x9F\xBF\xED\xB0\x80",
        b"\xED\xA0\x80\xEE\xB0\x80",
        b"\xED\xA0\x80\xED\xB0A",
    ] {
        assert_eq!(cesu8_pair(none), None, "{none:02X?}");
    }
    for settled in [
        &b"\xED\xA0\x80\xED\xA0"[..],
        b"\xED\xA0\x80\xEE",
        b"\xED\xA0\x80\xEDA",
        b"\xED\xA0\x80A",
        b"\xED\xB0\x80",
        b"\xED\x9F\xBF",
    ] {
        assert!(!awaits_low_surrogate(settled), "{settled:02X?}");
    }
}

#[test]
fn a_lenient_decoder_asks_for_header_bits_alone() {
    for (src, expected) in [
        (&b"A"[..], (Some(0x41), 1)),
        (b"\xC0\x80", (Some(0), 2)),
        (b"\xC0\xAE.", (Some(0x2E), 2)),
        (b"\xFC\x80\x80\x80\x80\x8A", (Some(0x0A), 6)),
        (b"\xED\xA1\x8C\xED\xBE\xB4", (Some(0x2_33B4), 6)),
        (b"\xED\xA1\x8C\xED", (None, 3)),
        (b"\xED\xBE\xB4", (None, 3)),
        (b"\xF4\x90\x80\x80", (None, 4)),
        (b"\xF8\x88\x80\x80\x80", (None, 5)),
        (b"\xF8A", (None, 1)),
        (b"\xE2\x82A", (None, 2)),
        (b"\x80\x80", (None, 1)),
        (b"\xFF", (None, 1)),
    ] {
        assert_eq!(read_leniently(src), expected, "{src:02X?}");
    }
}

#[test]
fn space_at_the_front_is_used_again() {
    let mut bytes = SmallBytes::<4>::of(b"abcdef");
    assert_eq!(bytes.as_slice(), b"abcd");
    for (dropped, added, left) in [(1, &b"e"[..], &b"bcde"[..]), (3, b"f", b"ef"), (0, b"gh", b"efgh"), (4, b"", b"")] {
        bytes.drop_front(dropped);
        bytes.push(added);
        assert_eq!((bytes.as_slice(), bytes.len()), (left, left.len()));
    }
    assert_eq!(SmallBytes::<4>::of(b"ab").joined::<3>(b"cd").as_slice(), b"abc");
}

#[test]
fn equal_is_what_has_the_same_bytes() {
    let mut dropped = SmallBytes::<4>::of(b"xab");
    dropped.drop_front(1);
    assert_eq!(dropped, SmallBytes::of(b"ab"));
    assert_ne!(dropped, SmallBytes::of(b"a"));
}
