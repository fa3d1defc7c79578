//! The older definitions of UTF-8 and the stricter one, each compared with its own table.

use crate::common::check::{STANDARDS, finds_errors};
use crate::common::every_isa::for_each_isa;
use crate::common::shards::in_shards;
use utfkit::{ErrorKind, Standard, validate};
use utfkit_testkit::mutate;
use utfkit_testkit::patterns::{BOUNDARY_BYTES, ill_formed};
use utfkit_testkit::random::Random;
use utfkit_testkit::text::{Class, MIXTURES, filler};
use utfkit_testkit::utf8;

#[test]
fn every_boundary_string_by_every_standard() {
    let n = BOUNDARY_BYTES.len();
    for_each_isa(|isa| {
        for standard in STANDARDS {
            finds_errors(isa, format_args!("empty"), &[], standard);
            in_shards(n.pow(3), |range| {
                for i in range {
                    let [a, b, c] = [i / (n * n), i / n % n, i % n].map(|at| BOUNDARY_BYTES[at]);
                    finds_errors(isa, format_args!("three bytes"), &[a, b, c], standard);
                    finds_errors(isa, format_args!("six bytes"), &[a, b, c, 0x80, 0xBF, 0x80], standard);
                    finds_errors(isa, format_args!("six bytes"), &[a, b, c, c, c, b], standard);
                }
            });
        }
    });
}

/// The first and the last value of each length, and the neighbours of surrogates, noncharacters
/// and U+10FFFF.
#[test]
fn the_ends_of_every_length() {
    const VALUES: [u32; 22] = [
        0,
        0x7F,
        0x80,
        0x7FF,
        0x800,
        0xD7FF,
        0xD800,
        0xDFFF,
        0xE000,
        0xFFFD,
        0xFFFE,
        0xFFFF,
        0x1_0000,
        0x1_FFFE,
        0x10_FFFF,
        0x11_0000,
        0x1F_FFFF,
        0x20_0000,
        0x3FF_FFFF,
        0x400_0000,
        0x7FFF_FFFE,
        0x7FFF_FFFF,
    ];
    for_each_isa(|isa| {
        for value in VALUES {
            let mut bytes = Vec::new();
            utf8::encode(value, &mut bytes);
            for standard in STANDARDS {
                for before in 0..=70 {
                    let text = [&vec![b'.'; before][..], &bytes, b"after it"].concat();
                    finds_errors(isa, format_args!("{value:X} after {before} bytes"), &text, standard);
                }
                for cut in 1..bytes.len() {
                    finds_errors(isa, format_args!("{value:X} cut"), &bytes[..cut], standard);
                }
            }
        }
    });
}

#[test]
fn patterns_and_text_by_every_standard() {
    let patterns = ill_formed();
    for_each_isa(|isa| {
        for standard in STANDARDS {
            in_shards(patterns.len(), |range| {
                for pattern in &patterns[range] {
                    let mut random = Random::new(pattern.bytes.len() as u64);
                    for class in [Some(Class::Ascii), Some(Class::Three), None] {
                        for before in 0..=70 {
                            let mut text = filler(class, before, &mut random).into_bytes();
                            text.extend_from_slice(&pattern.bytes);
                            finds_errors(isa, format_args!("{} after {before} bytes", pattern.name), &text, standard);
                            text.extend(filler(class, 40, &mut random).bytes());
                            finds_errors(isa, format_args!("{} after {before} bytes", pattern.name), &text, standard);
                        }
                    }
                }
            });
            in_shards(300 * MIXTURES.len(), |range| {
                for i in range {
                    let (len, mixture) = (i / MIXTURES.len(), MIXTURES[i % MIXTURES.len()]);
                    let mut random = Random::new(len as u64);
                    let mut bytes = mixture.text(&mut random, len).into_bytes();
                    let context = format_args!("{len} code points of {}", mixture.name);
                    finds_errors(isa, context, &bytes, standard);
                    mutate::bytes(&mut bytes, &mut random);
                    finds_errors(isa, context, &bytes, standard);
                }
            });
        }
    });
}

/// The differences between the standards, in one example each, without the reference.
#[test]
fn what_sets_the_standards_apart() {
    use Standard::{Kuhn, NoNoncharacters, Rfc2044, Rfc2279, Rfc3629};
    for_each_isa(|isa| {
        let accepted_by = |bytes: &[u8]| {
            [Rfc3629, Kuhn, NoNoncharacters, Rfc2279, Rfc2044].map(|standard| validate(bytes, standard).is_ok())
        };
        assert_eq!(accepted_by("Grüße 😀".as_bytes()), [true, true, true, true, true], "{isa}");
        assert_eq!(accepted_by(b"\xEF\xBF\xBF"), [true, false, false, true, true], "{isa}: U+FFFF");
        assert_eq!(accepted_by(b"\xEF\xB7\x90"), [true, true, false, true, true], "{isa}: U+FDD0");
        assert_eq!(accepted_by(b"\xF0\x9F\xBF\xBE"), [true, true, false, true, true], "{isa}: U+1FFFE");
        assert_eq!(accepted_by(b"\xF4\x90\x80\x80"), [false, false, false, true, true], "{isa}: 110000");
        assert_eq!(accepted_by(b"\xFD\xBF\xBF\xBF\xBF\xBF"), [false, false, false, true, true], "{isa}: 7FFFFFFF");
        assert_eq!(accepted_by(b"\xC0\xAF"), [false, false, false, false, true], "{isa}: overlong");
        assert_eq!(accepted_by(b"\xED\xA0\x80"), [false, false, false, false, true], "{isa}: a surrogate");
        assert_eq!(accepted_by(b"\xFE"), [false, false, false, false, false], "{isa}: no lead byte");
        let e = validate(b"a\xEF\xBF\xBE", Kuhn).unwrap_err();
        assert_eq!((e.offset(), e.len(), e.kind()), (1, 3, ErrorKind::Noncharacter), "{isa}");
        let e = validate(b"a\xF4\x8F\xBF\xBF", NoNoncharacters).unwrap_err();
        assert_eq!((e.offset(), e.len(), e.kind()), (1, 4, ErrorKind::Noncharacter), "{isa}");
        assert_eq!(Standard::default(), Rfc3629);
    });
}

/// Forms that only the older standards have, in every density: the scalar steps between kernel
/// calls become longer and shorter.
#[test]
fn long_forms_among_text() {
    for_each_isa(|isa| {
        for one_in in [1, 2, 5, 50, 400] {
            let mut random = Random::new(one_in as u64);
            let mut bytes = Vec::new();
            while bytes.len() < 20_000 {
                if random.one_in(one_in) {
                    utf8::encode(random.between(0x11_0000, 0x7FFF_FFFF), &mut bytes);
                } else {
                    bytes.extend_from_slice(["word ", "Größe", "日本語"][random.below(3)].as_bytes());
                }
            }
            for (standard, definition) in STANDARDS {
                let context = format_args!("a long form for every {one_in} words");
                finds_errors(isa, context, &bytes, (standard, definition));
                let mut broken = bytes.clone();
                for _ in 0..20 {
                    let at = random.below(broken.len());
                    broken[at] = 0xFF;
                }
                finds_errors(isa, context, &broken, (standard, definition));
            }
        }
    });
}
