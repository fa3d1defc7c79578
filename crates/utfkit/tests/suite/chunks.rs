//! Streams in chunks: the result depends neither on the cuts nor on the space of each call.

use crate::common::every_isa::for_each_isa;
use crate::common::shards::in_shards;
use crate::common::transcoding::{POLICIES, SCHEMES, compare, feed};
use utfkit::isa::Isa;
use utfkit::{Encoding, Policy, Transcoder};
use utfkit_testkit::mutate;
use utfkit_testkit::patterns::ill_formed;
use utfkit_testkit::random::Random;
use utfkit_testkit::scheme::Scheme;
use utfkit_testkit::text::{Class, MIXTURES, filler};
use utfkit_testkit::transcription::{Treatment, transcribe};

type From = (Encoding, Scheme);

/// Capacities too small for a character, for a few characters, and for everything.
const CAPACITIES: [usize; 8] = [1, 2, 3, 4, 7, 16, 61, 1200];

/// Whole, byte by byte, and in two parts: all cuts near `error` and every fourth of the others,
/// starting at `turn`. The capacities alternate.
fn every_cut(
    isa: Isa,
    from: From,
    to: From,
    (policy, treatment): (Policy, Treatment),
    src: &[u8],
    error: usize,
    turn: usize,
) {
    let expected = transcribe(from.1, to.1, treatment, src);
    let mut transcoder = Transcoder::new(from.0, to.0, policy);
    let mut run = |chunks: &[&[u8]], cut: bool, capacity: usize| {
        transcoder.reset();
        let got = feed(&mut transcoder, chunks, capacity, true);
        compare(isa, &transcoder, chunks, capacity, cut, &got, &expected);
    };
    // With less capacity a call does not see all bytes.
    run(&[src], false, 1200);
    let bytes: Vec<&[u8]> = src.chunks(1).collect();
    for capacity in [1, 1200] {
        run(&bytes, true, capacity);
    }
    for at in 0..=src.len() {
        if at.abs_diff(error) <= 10 || (at + turn).is_multiple_of(4) {
            run(&[&src[..at], &src[at..]], true, CAPACITIES[(at + turn / 4) % CAPACITIES.len()]);
        }
    }
}

#[test]
fn every_pattern_at_every_offset_cut_everywhere() {
    let patterns = ill_formed();
    for_each_isa(|isa| {
        in_shards(patterns.len(), |range| {
            for i in range {
                let pattern = &patterns[i];
                let mut random = Random::new(i as u64);
                for before in 0..=130 {
                    // Policies, targets and fillers alternate at different rates, so that all
                    // combinations occur.
                    let turn = i + before;
                    let policy = POLICIES[turn % 6];
                    let to = SCHEMES[turn / 6 % SCHEMES.len()];
                    let class = [Some(Class::Ascii), Some(Class::Two), Some(Class::Three), Some(Class::Four), None]
                        [(i + before / 7) % 5];
                    let mut src = filler(class, before, &mut random).into_bytes();
                    src.extend_from_slice(&pattern.bytes);
                    src.extend(filler(class, random.below(24), &mut random).bytes());
                    every_cut(isa, SCHEMES[0], to, policy, &src, before, turn);
                }
            }
        });
    });
}

#[test]
fn every_pattern_by_every_policy_into_every_target() {
    let patterns = ill_formed();
    for_each_isa(|isa| {
        in_shards(patterns.len(), |range| {
            for i in range {
                for policy in POLICIES {
                    for &to in SCHEMES.iter() {
                        let mut src = b"ab\xC3\xA9".to_vec();
                        src.extend_from_slice(&patterns[i].bytes);
                        every_cut(isa, SCHEMES[0], to, policy, &src, 4, i);
                    }
                }
            }
        });
    });
}

#[test]
fn damaged_units_at_every_offset_cut_everywhere() {
    const UNITS: [&[u16]; 10] = [
        &[0xD800],
        &[0xDBFF],
        &[0xDC00],
        &[0xD800, 0xD800],
        &[0xDC00, 0xD800],
        &[0xD83D, 0xDE00],
        &[0xD800, 0xD83D, 0xDE00],
        &[0xD83D, 0xDE00, 0xDE00],
        &[0xFEFF],
        &[0xFFFE],
    ];
    for_each_isa(|isa| {
        in_shards(131, |range| {
            for before in range {
                let mut random = Random::new(before as u64);
                for (i, units) in UNITS.iter().enumerate() {
                    let turn = i + before;
                    let mixture = MIXTURES[turn % MIXTURES.len()];
                    let mut text: Vec<u16> = mixture.text(&mut random, before).encode_utf16().collect();
                    text.truncate(before);
                    text.extend_from_slice(units);
                    text.extend(mixture.text(&mut random, i).encode_utf16());
                    let (policy, to) = (POLICIES[turn % 6], SCHEMES[turn / 6 % SCHEMES.len()]);
                    // Some end with an incomplete unit.
                    let tail = &b"\x00\xD8\x00"[..random.below(4)];
                    for from in [SCHEMES[1], SCHEMES[2], SCHEMES[3]] {
                        let big = from.0 == Encoding::Utf16Be;
                        // Every second source has a BOM if its encoding allows one.
                        let mut src = if before / 2 % 2 == 0 { from.1.bom().to_vec() } else { Vec::new() };
                        src.extend(text.iter().flat_map(|u| if big { u.to_be_bytes() } else { u.to_le_bytes() }));
                        src.extend_from_slice(tail);
                        every_cut(isa, from, to, policy, &src, 2 * before, turn);
                    }
                }
            }
        });
    });
}

#[test]
fn bad_values_at_every_offset_cut_everywhere() {
    const BAD: [u32; 7] = [0xD800, 0xDFFF, 0x11_0000, 0xFFFF_FFFF, 0xFEFF, 0xFFFE_0000, 0x41];
    for_each_isa(|isa| {
        in_shards(71, |range| {
            for before in range {
                let mut random = Random::new(before as u64);
                for (i, &bad) in BAD.iter().enumerate() {
                    let turn = i + before;
                    let mixture = MIXTURES[turn % MIXTURES.len()];
                    let mut values: Vec<u32> = mixture.text(&mut random, before).chars().map(u32::from).collect();
                    values.push(bad);
                    values.extend(mixture.text(&mut random, i).chars().map(u32::from));
                    let (policy, to) = (POLICIES[turn % 6], SCHEMES[turn / 6 % SCHEMES.len()]);
                    let tail = &b"\x00\x00\xD8"[..random.below(4)];
                    for from in [SCHEMES[4], SCHEMES[5], SCHEMES[6]] {
                        let big = from.0 == Encoding::Utf32Be;
                        // Every second source has a BOM if its encoding allows one.
                        let mut src = if before / 2 % 2 == 0 { from.1.bom().to_vec() } else { Vec::new() };
                        src.extend(values.iter().flat_map(|u| if big { u.to_be_bytes() } else { u.to_le_bytes() }));
                        src.extend_from_slice(tail);
                        every_cut(isa, from, to, policy, &src, 4 * before, turn);
                    }
                }
            }
        });
    });
}

/// `text` in the encoding, without characters that it lacks.
fn encoded(scheme: Scheme, text: &str) -> Vec<u8> {
    let mut bytes = scheme.bom().to_vec();
    let mut encoder = scheme.encoder();
    for c in text.chars() {
        encoder.encode(c.into(), &mut bytes);
    }
    encoder.finish(&mut bytes);
    bytes
}

#[test]
fn long_streams_in_random_chunks_for_every_pair() {
    let pairs: Vec<(From, From)> = SCHEMES.iter().flat_map(|&from| SCHEMES.iter().map(move |&to| (from, to))).collect();
    for_each_isa(|isa| {
        in_shards(pairs.len() * 2, |range| {
            for i in range {
                let (from, to) = pairs[i % pairs.len()];
                let mut random = Random::new(i as u64);
                let mixture = MIXTURES[(i + i / pairs.len()) % MIXTURES.len()];
                let count = [300, 3_000, 12_000][i % 3];
                let mut src = encoded(from.1, &mixture.text(&mut random, count));
                let (policy, treatment) = POLICIES[random.below(POLICIES.len())];
                if i / pairs.len() > 0 {
                    for _ in 0..1 + src.len() / 2_000 {
                        mutate::bytes(&mut src, &mut random);
                    }
                }
                let expected = transcribe(from.1, to.1, treatment, &src);
                let mut transcoder = Transcoder::new(from.0, to.0, policy);
                for longest in [src.len() + 1, 4096, 200, 9] {
                    let mut chunks = Vec::new();
                    let mut rest = &src[..];
                    while !rest.is_empty() {
                        let (chunk, after) = rest.split_at((1 + random.below(longest)).min(rest.len()));
                        chunks.push(chunk);
                        rest = after;
                    }
                    let capacity = [1 + random.below(200), 1 + random.below(5000), 1 << 20][random.below(3)];
                    transcoder.reset();
                    let got = feed(&mut transcoder, &chunks, capacity, true);
                    compare(isa, &transcoder, &chunks, capacity, true, &got, &expected);
                }
            }
        });
    });
}
