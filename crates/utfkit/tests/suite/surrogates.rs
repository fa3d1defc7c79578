//! Ill-formed UTF-16 and UTF-32 at every offset, and surrogate pairs across all boundaries of
//! vectors.

use crate::common::check;
use crate::common::every_isa::for_each_isa;
use crate::common::shards::in_shards;
use utfkit_testkit::hex::show;
use utfkit_testkit::random::Random;
use utfkit_testkit::text::{CLASSES, Class};

/// `len` units of UTF-16 of one class, or of all in turn.
fn units(class: Option<Class>, len: usize, random: &mut Random) -> Vec<u16> {
    let mut all = Vec::new();
    let mut turn = 0;
    loop {
        let c = class.unwrap_or(CLASSES[turn % CLASSES.len()]).sample(random);
        if all.len() + c.len_utf16() > len {
            break;
        }
        all.extend_from_slice(c.encode_utf16(&mut [0; 2]));
        turn += 1;
    }
    // US-ASCII at the front fills up the length.
    let mut front = vec![0x2E; len - all.len()];
    front.append(&mut all);
    front
}

const FILLERS: [Option<Class>; 6] =
    [Some(Class::Ascii), Some(Class::Latin1), Some(Class::Two), Some(Class::Three), Some(Class::Four), None];

/// Surrogates alone, in order and in the wrong order, and units next to their range, which an
/// inexact comparison takes for surrogates.
const STRINGS: [&[u16]; 20] = [
    &[0xD800],
    &[0xDBFF],
    &[0xDC00],
    &[0xDFFF],
    &[0xD83D],
    &[0xDC00, 0xD800],
    &[0xDFFF, 0xDBFF],
    &[0xD800, 0xD800],
    &[0xDC00, 0xDC00],
    &[0xD800, 0x41],
    &[0x41, 0xDC00],
    &[0xD800, 0xE000],
    &[0xD800, 0xD7FF],
    &[0xD7FF, 0xDC00],
    &[0xD800, 0xD800, 0xDC00],
    &[0xD800, 0xDC00, 0xDC00],
    &[0xDC00, 0xD800, 0xDC00, 0xD800],
    // Well-formed.
    &[0xD800, 0xDC00],
    &[0xDBFF, 0xDFFF],
    &[0xD7FF, 0xE000],
];

/// Text with surrogates, paired or not, is not UCS-2.
#[test]
fn ucs2_has_no_surrogates() {
    const STRINGS: [&[u16]; 5] = [&[], &[0xD7FF, 0xE000], &[0xD800], &[0xDC00], &[0xD83D, 0xDE00]];
    let lengths: Vec<usize> = (0..140).chain([255, 256, 257, 300, 600]).collect();
    for_each_isa(|isa| {
        in_shards(lengths.len() * FILLERS.len() * STRINGS.len(), |range| {
            for i in range {
                let (string, filler) = (STRINGS[i % STRINGS.len()], FILLERS[i / STRINGS.len() % FILLERS.len()]);
                let len = lengths[i / (STRINGS.len() * FILLERS.len())];
                let mut random = Random::new(i as u64);
                let mut src = units(filler, len, &mut random);
                let at = random.below(len + 1);
                src.splice(at..at, string.iter().copied());
                let expected = String::from_utf16(&src).ok();
                let expected = expected.filter(|text| text.chars().count() == src.len());
                let needed = expected.as_ref().map_or(3 * src.len(), String::len);
                for space in [needed, needed + 70, needed + 200] {
                    let mut dst = vec![0; space];
                    let got = utfkit::ucs2_to_utf8(&src, &mut dst).map(|written| &dst[..written]);
                    assert_eq!(got, expected.as_ref().map(|text| text.as_bytes()), "{isa}, {src:04X?}");
                }
                if needed > 0 {
                    assert!(utfkit::ucs2_to_utf8(&src, &mut vec![0; needed - 1]).is_none(), "{isa}");
                }
            }
        });
    });
}

/// Runs of all kinds of characters, so that every two code paths follow each other, and values
/// that are no characters.
#[test]
fn utf32_of_every_mixture() {
    const KINDS: [&[u32]; 7] = [
        &[0x61],
        &[0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6A, 0x6B, 0x6C, 0x6D, 0x6E, 0x6F, 0x1F600],
        &[0x61, 0x20, 0x2019, 0x1F44D, 0xE9],
        &[0x416, 0x7FF, 0x80],
        &[0x65E5, 0xFFFF, 0x800, 0xD7FF, 0xE000],
        &[0x4E00, 0x4E01, 0x4E02, 0x10_0000],
        &[0x1_0000, 0x1F600, 0x10_FFFF],
    ];
    let mut random = Random::new(2);
    for_each_isa(|isa| {
        for round in 0..600 {
            let mut src = Vec::new();
            for _ in 0..1 + random.below(6) {
                let (kind, len) =
                    (KINDS[random.below(KINDS.len())], random.below(if round % 4 == 0 { 400 } else { 60 }));
                src.extend((0..len).map(|_| kind[random.below(kind.len())]));
            }
            if round % 3 == 0 && !src.is_empty() {
                let at = random.below(src.len());
                src[at] = [0xD800, 0xDFFF, 0x11_0000, u32::MAX][random.below(4)];
            }
            let expected = src.iter().map(|value| char::from_u32(*value)).collect::<Option<String>>();
            let front: String = src.iter().map_while(|value| char::from_u32(*value)).collect();
            for space in [front.len(), front.len() + 70, 4 * src.len() + 200] {
                let mut dst = vec![0; space];
                let got = utfkit::utf32_to_utf8(&src, &mut dst);
                let written = got.unwrap_or_else(|error| error.written());
                assert_eq!((got.is_ok(), &dst[..written]), (expected.is_some(), front.as_bytes()), "{isa}, {src:04X?}");
                assert!(got.err().is_none_or(|error| error.offset() == front.chars().count()), "{isa}, {src:04X?}");
            }
            if let Some(text) = expected.filter(|text| !text.is_empty()) {
                let mut dst = vec![0; text.len() - 1];
                assert!(utfkit::utf32_to_utf8(&src, &mut dst).is_err(), "{isa}, {src:04X?}");
            }
        }
    });
}

#[test]
fn surrogates_at_every_offset() {
    for_each_isa(|isa| {
        in_shards(STRINGS.len() * FILLERS.len() * 131, |range| {
            for i in range {
                let (string, class) = (STRINGS[i % STRINGS.len()], FILLERS[i / STRINGS.len() % FILLERS.len()]);
                let before = i / (STRINGS.len() * FILLERS.len());
                let mut random = Random::new(i as u64);
                for after in [0, 1 + random.below(15), 16 + random.below(70)] {
                    let mut text = units(class, before, &mut random);
                    text.extend_from_slice(string);
                    text.extend(units(class, after, &mut random));
                    let context = format_args!("{string:04X?} after {before} units of {class:?}");
                    check::utf16(isa, context, &text);
                    agrees_with_std(isa, &text);
                }
            }
        });
    });
}

/// Compares with std on the same units.
fn agrees_with_std(isa: utfkit::isa::Isa, src: &[u16]) {
    let expected = String::from_utf16_lossy(src);
    let mut dst = vec![0; expected.len()];
    let got = utfkit::utf16_to_utf8_lossy(src, &mut dst);
    assert!(
        got == Ok(expected.len()) && dst == expected.as_bytes(),
        "{isa} utf16_to_utf8_lossy\n got      {got:?} {dst:02X?}\n expected {:02X?}\n source   {}",
        expected.as_bytes(),
        show(src, 0)
    );
    let got = utfkit::validate_utf16(src).is_ok();
    let expected = String::from_utf16(src).is_ok();
    assert!(got == expected, "{isa} validate_utf16\n got      {got}\n expected {expected}\n source   {}", show(src, 0));
}

#[test]
fn bad_values_at_every_offset_of_utf32() {
    const BAD: [u32; 10] =
        [0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x11_0000, 0x11_D800, 0x7FFF_FFFF, 0x8000_0000, 0x8000_0041, 0xFFFF_FFFF];
    for_each_isa(|isa| {
        in_shards(BAD.len() * FILLERS.len() * 131, |range| {
            for i in range {
                let (bad, class) = (BAD[i % BAD.len()], FILLERS[i / BAD.len() % FILLERS.len()]);
                let before = i / (BAD.len() * FILLERS.len());
                let mut random = Random::new(i as u64);
                let mut sample = || u32::from(class.unwrap_or(CLASSES[before % CLASSES.len()]).sample(&mut random));
                let mut text: Vec<u32> = (0..before).map(|_| sample()).collect();
                text.push(bad);
                let context = format_args!("{bad:X} after {before} units of {class:?}");
                check::utf32(isa, context, &text);
                text.extend((0..37).map(|_| sample()));
                check::utf32(isa, context, &text);
            }
        });
    });
}

/// In US-ASCII after a character above U+FFFF, where a few other characters are converted one by
/// one.
#[test]
fn any_value_in_nearly_ascii_utf32() {
    const VALUES: [u32; 9] = [0x80, 0x7FF, 0x800, 0xD800, 0xDFFF, 0xFFFF, 0x1_F600, 0x11_0000, 0x8000_0041];
    // One to six characters at several distances: up to four are converted one by one.
    const OTHERS: [(usize, usize); 9] = [(1, 0), (2, 1), (2, 5), (2, 31), (2, 33), (4, 1), (4, 9), (5, 3), (6, 1)];
    for_each_isa(|isa| {
        in_shards(VALUES.len() * OTHERS.len() * 71, |range| {
            for i in range {
                let (value, (count, distance)) = (VALUES[i % VALUES.len()], OTHERS[i / VALUES.len() % OTHERS.len()]);
                let at = i / (VALUES.len() * OTHERS.len());
                let mut text: Vec<u32> = (0..240).map(|place| 0x20 + place % 0x5F).collect();
                text[1] = 0x1_F389;
                for other in 0..count - 1 {
                    text[40 + at + other * distance] = 0x1_F389;
                }
                text[40 + at + (count - 1) * distance] = value;
                let context = format_args!("{count} of {value:X} at {at}, {distance} apart");
                check::utf32(isa, context, &text);
            }
        });
    });
}
