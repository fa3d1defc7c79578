//! Random text, intact and damaged, of every short length and of some long ones.

use crate::common::check;
use crate::common::every_isa::for_each_isa;
use crate::common::shards::{in_shards, in_share};
use utfkit_testkit::mutate;
use utfkit_testkit::patterns::{BOUNDARY_BYTES, ill_formed};
use utfkit_testkit::random::Random;
use utfkit_testkit::text::MIXTURES;

#[test]
fn text_of_every_length() {
    for_each_isa(|isa| {
        in_shards(601, |range| {
            for len in range {
                for mixture in MIXTURES {
                    let mut random = Random::new(len as u64);
                    let text = mixture.text(&mut random, len);
                    check::text(isa, format_args!("{len} code points of {}", mixture.name), &text);
                }
            }
        });
    });
}

#[test]
fn damaged_text_of_every_length() {
    let patterns = ill_formed();
    for_each_isa(|isa| {
        in_shards(601, |range| {
            for len in range {
                for mixture in MIXTURES {
                    let mut random = Random::new(1000 + len as u64);
                    let text = mixture.text(&mut random, len);
                    let context = format_args!("{len} code points of {}, damaged", mixture.name);

                    let mut bytes = text.clone().into_bytes();
                    mutate::bytes(&mut bytes, &mut random);
                    check::utf8(isa, context, &bytes);
                    let at = random.below(bytes.len() + 1);
                    bytes.splice(at..at, random.pick(&patterns).bytes.iter().copied());
                    check::utf8(isa, context, &bytes);

                    let mut units: Vec<u16> = text.encode_utf16().collect();
                    mutate::units16(&mut units, &mut random);
                    check::utf16(isa, context, &units);

                    let mut units: Vec<u32> = text.chars().map(u32::from).collect();
                    mutate::units32(&mut units, &mut random);
                    check::utf32(isa, context, &units);
                }
            }
        });
    });
}

/// Parts of sequences, from one in 2 bytes to one in 200, with a density that changes within the
/// text: the way errors are handled depends on their density.
#[test]
fn damage_of_every_density() {
    const PARTS: [&[u8]; 6] = [b"\x80", b"\xFF", b"\xC3", b"\xE2\x82", b"\xF0\x9F", b"\xF0\x9F\x98"];
    for_each_isa(|isa| {
        in_shards(200, |range| {
            for density in range {
                let mut random = Random::new(4000 + density as u64);
                for mixture in MIXTURES {
                    let mut bytes = Vec::new();
                    for every in [2 + density, 201 - density, 2 + density] {
                        let end = bytes.len() + 1200;
                        while bytes.len() < end {
                            let count = random.below(every);
                            bytes.extend_from_slice(mixture.text(&mut random, count).as_bytes());
                            bytes.extend_from_slice(PARTS[random.below(PARTS.len())]);
                        }
                    }
                    assert_eq!(
                        utfkit::from_utf8_lossy(&bytes),
                        String::from_utf8_lossy(&bytes),
                        "{isa}, one in {density}, {}: {bytes:02X?}",
                        mixture.name
                    );
                    if density % 8 == 0 {
                        check::utf8(isa, format_args!("one in {density}, {}", mixture.name), &bytes);
                    }
                }
            }
        });
    });
}

/// US-ASCII with a few ill-formed bytes takes separate code paths: blocks are repaired one by
/// one, and the bytes at their ends affect the next one.
#[test]
fn damaged_us_ascii() {
    const OTHERS: [&[u8]; 8] =
        [b"\x80", b"\xBF", b"\xC3", b"\xC3\xA9", b"\xE2\x82", b"\xE2\x82\xAC", b"\xF0\x9F\x98", b"\xFF"];
    for_each_isa(|isa| {
        in_shards(200_000, |range| {
            for number in range {
                let mut random = Random::new(5000 + number as u64);
                let mut bytes = vec![b'a'; 300 + random.below(400)];
                // Mostly close to the ends of blocks.
                for _ in 0..random.below(20) {
                    let other = random.pick(&OTHERS);
                    let at = match random.below(3) {
                        0 => random.below(bytes.len() - 8),
                        _ => (64 * (1 + random.below(5)) + random.below(6) - 3).min(bytes.len() - 8),
                    };
                    bytes[at..at + other.len()].copy_from_slice(other);
                }
                let expected = String::from_utf8_lossy(&bytes);
                assert_eq!(utfkit::from_utf8_lossy(&bytes), expected, "{isa}: {bytes:02X?}");
                let mut units = vec![0; bytes.len()];
                let written = utfkit::utf8_to_utf16_lossy(&bytes, &mut units).unwrap();
                assert!(units[..written].iter().copied().eq(expected.encode_utf16()), "{isa}: {bytes:02X?}");
                if number % 64 == 0 {
                    check::utf8(isa, format_args!("damaged US-ASCII {number}"), &bytes);
                }
            }
        });
    });
}

/// Random bytes, units, and bytes from the borders of rules, of every length.
#[test]
fn noise_of_every_length() {
    for_each_isa(|isa| {
        in_shards(601, |range| {
            for len in range {
                let mut random = Random::new(2000 + len as u64);
                let bytes: Vec<u8> = (0..len).map(|_| random.next_u64() as u8).collect();
                check::utf8(isa, format_args!("{len} bytes of noise"), &bytes);
                check::latin1(isa, format_args!("{len} bytes of noise"), &bytes);
                let bytes: Vec<u8> = (0..len).map(|_| *random.pick(&BOUNDARY_BYTES)).collect();
                check::utf8(isa, format_args!("{len} boundary bytes"), &bytes);
                let units: Vec<u16> = (0..len).map(|_| random.next_u64() as u16).collect();
                check::utf16(isa, format_args!("{len} units of noise"), &units);
                let units: Vec<u16> = (0..len).map(|_| random.between(0xD700, 0xE0FF) as u16).collect();
                check::utf16(isa, format_args!("{len} units about the surrogates"), &units);
                let units: Vec<u32> = (0..len).map(|_| random.next_u64() as u32).collect();
                check::utf32(isa, format_args!("{len} units of noise"), &units);
                let units: Vec<u32> = (0..len).map(|_| random.between(0, 0x11_0FFF)).collect();
                check::utf32(isa, format_args!("{len} units about U+10FFFF"), &units);
            }
        });
    });
}

#[test]
fn long_text_whole_and_damaged_near_its_end() {
    let patterns = ill_formed();
    for_each_isa(|isa| {
        in_shards(MIXTURES.len() * 4, |range| {
            for i in range {
                let mixture = MIXTURES[i % MIXTURES.len()];
                let mut random = Random::new(3000 + i as u64);
                // 4 to 70 KB.
                let count = (4_000 + random.below(60_000)) * 10 / bytes_in_ten(&mixture.weights);
                let text = mixture.text(&mut random, count);
                check::text(isa, format_args!("seed {i}: {count} code points of {}", mixture.name), &text);
                for _ in 0..4 {
                    let mut bytes = text.clone().into_bytes();
                    let at = bytes.len() - random.below(bytes.len().min(600));
                    let pattern = random.pick(&patterns);
                    bytes.splice(at..at, pattern.bytes.iter().copied());
                    let context = format_args!("seed {i}: {} in {count} code points of {}", pattern.name, mixture.name);
                    check::utf8(isa, context, &bytes);

                    let mut units: Vec<u16> = text.encode_utf16().collect();
                    let at = units.len() - random.below(units.len().min(600));
                    units.insert(at, random.between(0xD800, 0xDFFF) as u16);
                    check::utf16(isa, context, &units);
                }
            }
        });
    });
}

/// The approximate number of bytes of ten characters of a mixture.
fn bytes_in_ten(weights: &[usize; 5]) -> usize {
    let bytes: usize = weights.iter().zip([1, 2, 2, 3, 4]).map(|(w, len)| w * len * 10).sum();
    bytes / weights.iter().sum::<usize>()
}

/// Errors of long damaged texts, one by one and counted, compared with std.
#[test]
fn errors_are_those_of_std() {
    let patterns = ill_formed();
    for_each_isa(|isa| {
        for seed in in_share(0..60) {
            for mixture in MIXTURES {
                let mut random = Random::new(seed);
                let mut bytes = mixture.text(&mut random, 300).into_bytes();
                for _ in 0..seed {
                    let at = random.below(bytes.len() + 1);
                    bytes.splice(at..at, random.pick(&patterns).bytes.iter().copied());
                }
                let mut at = 0;
                let mut expected = Vec::new();
                for chunk in bytes.utf8_chunks() {
                    at += chunk.valid().len();
                    if !chunk.invalid().is_empty() {
                        expected.push((at, chunk.invalid().len()));
                    }
                    at += chunk.invalid().len();
                }
                let errors = utfkit::errors(&bytes, utfkit::Standard::Rfc3629);
                let found: Vec<_> = errors.clone().map(|e| (e.offset(), e.len())).collect();
                assert_eq!(found, expected, "{isa}, {}, seed {seed}", mixture.name);
                assert_eq!(errors.clone().count(), expected.len(), "{isa}, {}, seed {seed}", mixture.name);
                let mut rest = errors;
                if rest.next().is_some() {
                    assert_eq!(rest.count(), expected.len() - 1, "{isa}, {}, seed {seed}", mixture.name);
                }
                // Each error is that of a validation that starts there.
                for error in utfkit::errors(&bytes, utfkit::Standard::Rfc3629) {
                    let alone = utfkit::validate(&bytes[error.offset()..], utfkit::Standard::Rfc3629).unwrap_err();
                    assert_eq!((error.kind(), error.error_len()), (alone.kind(), alone.error_len()), "{isa}");
                }
            }
        }
    });
}
