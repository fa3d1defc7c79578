//! Counts, lengths, validators of units and Latin-1, at every length and every alignment, with a
//! special value at every offset.

use crate::common::every_isa::{for_each_isa, for_each_isa_alone};
use crate::common::shards::in_shards;
use utfkit::{Encoding, ErrorKind, Policy, Transcoder};

/// Bytes and units of every kind. Their number is prime, so that no register length is a
/// multiple of it.
const BYTES: [u8; 17] =
    [0x00, 0x0A, 0x7F, 0x80, 0xBF, 0xC0, 0xC3, 0xDF, 0xE0, 0xEF, 0xF0, 0xF4, 0xFF, 0x41, 0x0A, 0xA0, 0x61];
const UNITS: [u16; 19] = [
    0x00, 0x7F, 0x80, 0x7FF, 0x800, 0x880, 0xD7FF, 0xD800, 0xDC00, 0xDBFF, 0xDFFF, 0xE000, 0xFFFF, 0xDC00, 0xD800,
    0xD801, 0xDC01, 0x7FFF, 0x8000,
];
const VALUES: [u32; 11] =
    [0x00, 0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x1_0000, 0x10_FFFF, 0x11_0000, 0x7FFF_FFFF, 0xFFFF_FFFF];

fn len_of_units(units: &[u16]) -> usize {
    char::decode_utf16(units.iter().copied()).map(|c| c.unwrap_or('\u{FFFD}').len_utf8()).sum()
}

fn len_of_values(values: &[u32]) -> usize {
    let len = |&value: &u32| match value {
        0..0x80 => 1,
        0x80..0x800 => 2,
        0x800..0x1_0000 => 3,
        _ => 4,
    };
    values.iter().map(len).sum()
}

#[test]
fn every_length_at_every_alignment() {
    // Longer than a page: kernels use aligned loads there.
    let lengths: Vec<usize> = (0..=300).chain([4095, 4096, 4097, 5000, 8250]).collect();
    let bytes: Vec<u8> = BYTES.into_iter().cycle().take(9000).collect();
    let units: Vec<u16> = UNITS.into_iter().cycle().take(9000).collect();
    let values: Vec<u32> = VALUES.into_iter().cycle().take(9000).collect();
    for_each_isa(|isa| {
        in_shards(lengths.len(), |range| {
            for &len in &lengths[range] {
                for at in 0..=64 {
                    let src = &bytes[at..at + len];
                    let starts = src.iter().filter(|&&b| !(0x80..0xC0).contains(&b)).count();
                    let fours = src.iter().filter(|&&b| b >= 0xF0).count();
                    let above = src.iter().filter(|&&b| b >= 0x80).count();
                    let highest = src.iter().copied().filter(|byte| *byte >= 0x80).max().unwrap_or(0);
                    assert_eq!(utfkit::count_code_points(src), starts, "{isa}, {len} bytes from {at}");
                    let both = utfkit::count_code_points_and_highest(src);
                    assert_eq!(both, (starts, highest), "{isa}, {len} bytes from {at}");
                    assert_eq!(utfkit::utf16_len_from_utf8(src), starts + fours, "{isa}, {len} bytes from {at}");
                    assert_eq!(utfkit::utf8_len_from_latin1(src), len + above, "{isa}, {len} bytes from {at}");
                    let src = &units[at..at + len];
                    assert_eq!(utfkit::utf8_len_from_utf16(src), len_of_units(src), "{isa}, {len} units from {at}");
                    let src = &values[at..at + len];
                    assert_eq!(utfkit::utf8_len_from_utf32(src), len_of_values(src), "{isa}, {len} values from {at}");
                }
            }
        });
    });
}

/// The result depends neither on the lane of the highest byte nor on its register.
#[test]
fn the_highest_byte_in_every_place() {
    for_each_isa(|isa| {
        for len in [1, 15, 16, 17, 31, 33, 63, 64, 65, 100, 255, 256, 257, 321, 600, 4096, 4097, 4500] {
            let mut src = vec![0x7F; len];
            for at in 0..len {
                for byte in [0x80, 0xC4, 0xF4] {
                    src[at] = byte;
                    let (count, highest) = utfkit::count_code_points_and_highest(&src);
                    let starts = if byte == 0x80 { len - 1 } else { len };
                    assert_eq!((count, highest), (starts, byte), "{isa}, {byte:02X} at {at} of {len}");
                }
                src[at] = 0x7F;
            }
        }
    });
}

/// Lanes count in bytes and must not overflow.
#[test]
fn lanes_do_not_overflow() {
    for_each_isa(|isa| {
        for len in (0..70_000).step_by(7_001).chain([16_000, 16_256, 32_256, 65_536]) {
            for byte in BYTES {
                let src = vec![byte; len];
                let starts = if (0x80..0xC0).contains(&byte) { 0 } else { len };
                let fours = if byte >= 0xF0 { len } else { 0 };
                assert_eq!(utfkit::count_code_points(&src), starts, "{isa}, {len} times {byte:02X}");
                let both = utfkit::count_code_points_and_highest(&src);
                assert_eq!(
                    both,
                    (starts, if len > 0 && byte >= 0x80 { byte } else { 0 }),
                    "{isa}, {len} times {byte:02X}"
                );
                assert_eq!(utfkit::utf16_len_from_utf8(&src), starts + fours, "{isa}, {len} times {byte:02X}");
                let two = if byte >= 0x80 { 2 } else { 1 };
                assert_eq!(utfkit::utf8_len_from_latin1(&src), two * len, "{isa}, {len} times {byte:02X}");
            }
            for unit in UNITS {
                let src = vec![unit; len];
                assert_eq!(utfkit::utf8_len_from_utf16(&src), len_of_units(&src), "{isa}, {len} times {unit:04X}");
            }
            let pairs: Vec<u16> = [0xD83C, 0xDF89].into_iter().cycle().take(len).collect();
            assert_eq!(utfkit::utf8_len_from_utf16(&pairs), len_of_units(&pairs), "{isa}, {len} halves of pairs");
            for value in VALUES {
                let src = vec![value; len];
                assert_eq!(utfkit::utf8_len_from_utf32(&src), len_of_values(&src), "{isa}, {len} times {value:08X}");
            }
        }
    });
}

/// Lengths close to that of a register, a group of registers, and a page.
fn lengths() -> Vec<usize> {
    (1..=70).chain([127, 128, 129, 130, 131, 255, 257, 300, 513, 515, 2049, 4099]).collect()
}

#[test]
fn surrogates_in_every_place() {
    let lengths = lengths();
    for_each_isa(|isa| {
        in_shards(lengths.len(), |range| {
            for &len in &lengths[range] {
                for filler in [0x61, 0x20AC, 0xE000, 0xFFFF] {
                    let mut src = vec![filler; len];
                    let plain = utfkit::utf8_len_from_utf16(&src);
                    let of_filler = plain / len;
                    for at in 0..len {
                        for (unit, alone) in [(0xD800, at + 1 == len), (0xDC00, false), (0xDBFF, at + 1 == len)] {
                            src[at] = unit;
                            let e = utfkit::validate_utf16(&src).unwrap_err();
                            let expected = (at, ErrorKind::UnpairedSurrogate, if alone { None } else { Some(1) });
                            assert_eq!((e.offset(), e.kind(), e.error_len()), expected, "{isa}, {len} units");
                            let got = utfkit::utf8_len_from_utf16(&src);
                            assert_eq!(got, plain - of_filler + 3, "{isa}, {unit:04X} at {at} of {len}");
                        }
                        if at + 1 < len {
                            (src[at], src[at + 1]) = (0xD83C, 0xDF89);
                            assert_eq!(utfkit::validate_utf16(&src), Ok(()), "{isa}, a pair at {at} of {len}");
                            let got = utfkit::utf8_len_from_utf16(&src);
                            assert_eq!(got, plain - 2 * of_filler + 4, "{isa}, a pair at {at} of {len}");
                            src[at + 1] = filler;
                        }
                        src[at] = filler;
                    }
                }
            }
        });
    });
}

#[test]
fn ill_formed_utf32_in_every_place() {
    let lengths = lengths();
    for_each_isa(|isa| {
        in_shards(lengths.len(), |range| {
            for &len in &lengths[range] {
                let mut src: Vec<u32> = [0x61, 0xD7FF, 0xE000, 0x10_FFFF].into_iter().cycle().take(len).collect();
                assert_eq!(utfkit::validate_utf32(&src), Ok(()), "{isa}, {len} values");
                for at in 0..len {
                    let before = src[at];
                    for (value, kind) in [
                        (0xD800, ErrorKind::Surrogate),
                        (0xDFFF, ErrorKind::Surrogate),
                        (0x11_0000, ErrorKind::TooLarge),
                        (0x8000_D800, ErrorKind::TooLarge),
                        (0xFFFF_FFFF, ErrorKind::TooLarge),
                    ] {
                        src[at] = value;
                        let e = utfkit::validate_utf32(&src).unwrap_err();
                        assert_eq!((e.offset(), e.kind()), (at, kind), "{isa}, {value:08X} in {len} values");
                    }
                    src[at] = before;
                }
            }
        });
    });
}

/// Converts in one call; returns the bytes read before an unrepresentable character, and the
/// output.
fn transcoded(from: Encoding, to: Encoding, src: &[u8], capacity: usize) -> (usize, Vec<u8>) {
    let mut dst = vec![0; capacity];
    let step = Transcoder::new(from, to, Policy::Strict).transcode(src, &mut dst, true);
    dst.truncate(step.written);
    (step.read, dst)
}

/// Between Latin-1 and units in both byte orders: each byte, and a unit that Latin-1 lacks, at
/// each offset.
#[test]
fn latin1_from_and_to_units() {
    let lengths = lengths();
    for_each_isa(|isa| {
        in_shards(lengths.len(), |range| {
            for &len in &lengths[range] {
                let bytes: Vec<u8> = (0..len).map(|i| (i * 151 % 256) as u8).collect();
                for (encoding, size, at, others) in [
                    (Encoding::Utf16Le, 2, 0, 1..2),
                    (Encoding::Utf16Be, 2, 1, 0..1),
                    (Encoding::Utf32Le, 4, 0, 1..3),
                    (Encoding::Utf32Be, 4, 3, 1..3),
                ] {
                    let mut units = vec![0; len * size];
                    for (unit, &byte) in units.chunks_exact_mut(size).zip(&bytes) {
                        unit[at] = byte;
                    }
                    let wide = transcoded(Encoding::Latin1, encoding, &bytes, len * size);
                    assert!(wide == (len, units.clone()), "{isa}, {len} bytes to {encoding}");
                    let narrow = transcoded(encoding, Encoding::Latin1, &units, len);
                    assert!(narrow == (len * size, bytes.clone()), "{isa}, {len} units of {encoding}");
                    for place in 0..len {
                        for other in others.clone() {
                            units[place * size + other] = 1;
                            let (read, written) = transcoded(encoding, Encoding::Latin1, &units, len);
                            assert!(written == bytes[..place], "{isa}, {encoding}, unit {place} of {len}: {read} read");
                            units[place * size + other] = 0;
                        }
                    }
                }
            }
        });
    });
}

/// Another thread may choose another instruction set while errors are counted.
#[test]
fn every_error_is_found_where_the_instruction_set_changes_in_between() {
    use utfkit::isa::{self, Isa};
    use utfkit::{Standard, errors};

    let places = |found: &mut dyn Iterator<Item = utfkit::Error>| -> Vec<(usize, Option<usize>)> {
        found.map(|e| (e.offset(), e.error_len())).collect()
    };
    for_each_isa_alone(|isa| {
        for src in [&b"a\xE2\x82b\xF0\x9F\x98"[..], b"\xF0\x9F\x98\x80\xFF", b"\xE2\x82\xAC\xE2\x82"] {
            let src = src.repeat(200);
            let expected = places(&mut errors(&src, Standard::Rfc3629));
            for switch in 0..60 {
                let mut found = errors(&src, Standard::Rfc3629);
                let mut got = places(&mut found.by_ref().take(switch));
                isa::set(Isa::Scalar).expect("it is always there");
                got.extend(places(&mut found));
                isa::set(isa).expect("it was available before");
                assert_eq!(got, expected, "{isa}, {switch}");
            }
        }
    });
}
