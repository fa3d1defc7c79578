//! Standards that refuse noncharacters: all of them, at every offset.

use crate::common::check::{STANDARDS, finds_errors};
use crate::common::every_isa::for_each_isa;
use crate::common::shards::in_shards;
use utfkit::{ErrorKind, Standard, errors, validate};
use utfkit_testkit::random::Random;
use utfkit_testkit::text::{Class, filler};
use utfkit_testkit::utf8::Definition;

/// The standards that refuse some, with their references.
fn refusing() -> impl Iterator<Item = (Standard, &'static Definition)> {
    STANDARDS.into_iter().filter(|(standard, _)| matches!(standard, Standard::Kuhn | Standard::NoNoncharacters))
}

/// Lengths at which validation continues with another piece, and the kernel with another group
/// of blocks.
const BORDERS: [usize; 8] = [64, 256, 320, 576, 1280, 5376, 21_760, 38_144];

#[test]
fn exactly_66_are_refused() {
    for_each_isa(|isa| {
        for (standard, expected) in [(Standard::Kuhn, 2), (Standard::NoNoncharacters, 66)] {
            let mut refused = 0;
            for c in '\0'..=char::MAX {
                let mut bytes = [0; 4];
                let bytes = c.encode_utf8(&mut bytes).as_bytes();
                if let Err(e) = validate(bytes, standard) {
                    let found = (e.offset(), e.error_len(), e.kind());
                    assert_eq!(found, (0, Some(bytes.len()), ErrorKind::Noncharacter), "{isa}: {c:?}");
                    refused += 1;
                }
            }
            assert_eq!(refused, expected, "{isa} {standard:?}");
        }
    });
}

/// Noncharacters and their neighbours at every offset of a buffer, after text of one, two, three
/// and four bytes a character.
#[test]
fn at_every_offset() {
    const VALUES: [char; 16] = [
        '\u{FDCF}',
        '\u{FDD0}',
        '\u{FDDF}',
        '\u{FDE0}',
        '\u{FDEF}',
        '\u{FDF0}',
        '\u{FFBF}',
        '\u{FFFD}',
        '\u{FFFE}',
        '\u{FFFF}',
        '\u{1FFFD}',
        '\u{1FFFE}',
        '\u{3FFFF}',
        '\u{FFFFE}',
        '\u{10FFFD}',
        '\u{10FFFF}',
    ];
    const CLASSES: [Option<Class>; 3] = [Some(Class::Ascii), Some(Class::Three), None];
    for_each_isa(|isa| {
        in_shards(VALUES.len() * CLASSES.len() * 131, |range| {
            for i in range {
                let (value, class) = (VALUES[i % VALUES.len()], CLASSES[i / VALUES.len() % CLASSES.len()]);
                let before = i / (VALUES.len() * CLASSES.len());
                let mut random = Random::new(i as u64);
                for after in [0, 1, 70] {
                    let front = filler(class, before, &mut random);
                    let text = format!("{front}{value}{}", filler(class, after, &mut random));
                    for standard in refusing() {
                        let context = format_args!("{value:?} after {before} bytes, {after} after it");
                        finds_errors(isa, context, text.as_bytes(), standard);
                    }
                }
            }
        });
    });
}

/// A sequence across two pieces, a truncated one, and a stray continuation byte.
#[test]
fn around_every_border() {
    const CASES: [&[u8]; 9] = [
        b"\xEF\xBF\xBE",
        b"\xEF\xB7\x90",
        b"\xEF\xB7\xAF\xEF\xBF\xBF",
        b"\xF0\x9F\xBF\xBF",
        b"\xEF\xBF",
        b"\xF0\x9F\xBF",
        b"\xEF\xBF\xBD\xBE\xBF\xBE\xBF",
        b"\x80\x80\x80\x80\x80",
        b"\xF4\x90\xBF\xBF",
    ];
    // From nine bytes before a border to three after it.
    const PLACES: usize = 13;
    for_each_isa(|isa| {
        in_shards(2 * CASES.len() * PLACES * BORDERS.len(), |range| {
            for i in range {
                let (fill, rest) = [("a", "a"), ("ﷺ", "€")][i % 2];
                let case = CASES[i / 2 % CASES.len()];
                let place = i / (2 * CASES.len());
                let before = BORDERS[place / PLACES] - 9 + place % PLACES;
                let mut text = fill.repeat(before / fill.len()).into_bytes();
                text.resize(before, b'.');
                text.extend_from_slice(case);
                for after in [0, 40] {
                    text.extend(rest.repeat(after).bytes());
                    for standard in refusing() {
                        let context = format_args!("{case:02X?} after {before} bytes of {fill}");
                        finds_errors(isa, context, &text, standard);
                    }
                }
            }
        });
    });
}

/// Characters whose bytes resemble noncharacters, and a few noncharacters among them.
#[test]
fn random_text_of_lookalikes() {
    const LOOKALIKES: [char; 12] = [
        '\u{5FFF}',
        '\u{4FFE}',
        '\u{FBBF}',
        '\u{FDF2}',
        '\u{FDFA}',
        '\u{FEFF}',
        '\u{FF7E}',
        '\u{FBFE}',
        '\u{7FF}',
        '\u{1F7FE}',
        '\u{DF7}',
        '\u{6BF7}',
    ];
    for_each_isa(|isa| {
        for one_in in [1, 3, 40, 2000] {
            let mut random = Random::new(one_in as u64);
            for len in [0, 1, 20, 100, 700, 7000] {
                let mut text = String::new();
                for _ in 0..len {
                    let any = random.between(0xFDD0, 0xFDEF + 34);
                    let any = if any > 0xFDEF { (any - 0xFDF0) / 2 * 0x1_0000 + 0xFFFE + any % 2 } else { any };
                    match random.one_in(one_in) {
                        true => text.extend(char::from_u32(any)),
                        false => text.push(*random.pick(&LOOKALIKES)),
                    }
                }
                for standard in refusing() {
                    finds_errors(isa, format_args!("{len} lookalikes"), text.as_bytes(), standard);
                }
                let mut bytes = text.into_bytes();
                utfkit_testkit::mutate::bytes(&mut bytes, &mut random);
                for standard in refusing() {
                    finds_errors(isa, format_args!("{len} lookalikes, damaged"), &bytes, standard);
                }
            }
        }
    });
}

/// Only noncharacters: a search of the whole rest for each would take minutes.
#[test]
fn nothing_but_noncharacters() {
    for_each_isa(|isa| {
        for (unit, standard) in [("\u{FFFE}", Standard::Kuhn), ("\u{10FFFF}", Standard::NoNoncharacters)] {
            let text = unit.repeat(300_000);
            assert_eq!(errors(text.as_bytes(), standard).count(), 300_000, "{isa}");
        }
    });
}
