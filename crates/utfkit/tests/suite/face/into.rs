//! Strings and units as destinations, and the maximal lengths of results.

use utfkit::{Encoding, Policy, Practice, Status, Transcoder, WrongTarget};
use utfkit_testkit::random::Random;

use super::samples;
use crate::common::every_isa::for_each_isa;
use crate::common::shards::in_share;
use crate::common::transcoding::{POLICIES, SCHEMES};

const LOSSY: Policy = Policy::Replace(Practice::MaximalSubpart);

/// Two offsets at which `len` is cut, in order.
fn cuts(len: usize, random: &mut Random) -> [usize; 2] {
    let mut cuts = [random.below(len + 1), random.below(len + 1)];
    cuts.sort();
    cuts
}

#[test]
fn strings_have_what_vectors_have() {
    let samples = samples();
    for_each_isa(|isa| {
        for &(from, _) in SCHEMES.iter() {
            for (policy, _) in POLICIES {
                for (i, src) in samples.iter().enumerate().filter(|(_, src)| src.len() < 200) {
                    let mut random = Random::new(i as u64);
                    let [a, b] = cuts(src.len(), &mut random);
                    let mut to_string = Transcoder::new(from, Encoding::Utf8, policy);
                    let mut to_vec = to_string.clone();
                    let (mut text, mut bytes) = (String::from("before "), b"before ".to_vec());
                    for (piece, last) in [(&src[..a], false), (&src[a..b], false), (&src[b..], true)] {
                        let mut rest = piece;
                        loop {
                            let step = to_string.transcode_to_string(rest, &mut text, last).expect("it is UTF-8");
                            assert_eq!(step, to_vec.transcode_to_vec(rest, &mut bytes, last));
                            rest = &rest[step.read..];
                            if step.status == Status::InputEmpty {
                                break;
                            }
                        }
                        assert!(std::str::from_utf8(&bytes).is_ok(), "{isa} {from} {policy:?} {src:02X?}");
                        assert_eq!(text.as_bytes(), bytes, "{isa} {from} {policy:?} {src:02X?}");
                    }
                }
            }
        }
    });
}

/// A character must not be split between a vector and a string, which would become ill-formed.
#[test]
fn a_string_does_not_begin_inside_of_a_character() {
    let mut transcoder = Transcoder::new(Encoding::Utf16Le, Encoding::Utf8, Policy::Strict);
    let mut one = [0];
    let step = transcoder.transcode(b"\xAC\x20", &mut one, false);
    assert_eq!((step.written, step.status), (1, Status::OutputFull));
    let mut text = String::from("a");
    assert!(matches!(transcoder.transcode_to_string(b"", &mut text, true), Err(WrongTarget { .. })));
    assert_eq!(text, "a");
    let mut rest = Vec::new();
    let step = transcoder.transcode_to_vec(b"", &mut rest, false);
    assert_eq!((step.status, &rest[..]), (Status::InputEmpty, &b"\x82\xAC"[..]));
    assert!(transcoder.transcode_to_string(b"b\0", &mut text, true).is_ok());
    assert_eq!(text, "ab");

    for &target in Encoding::ALL {
        let mut transcoder = Transcoder::new(Encoding::Utf8, target, LOSSY);
        assert_eq!(transcoder.transcode_to_string(b"a", &mut text, true).is_ok(), target == Encoding::Utf8);
    }
}

#[test]
fn units_are_those_of_std_in_any_capacity() {
    let samples = samples();
    for_each_isa(|isa| {
        for src in &samples {
            let expected: Vec<u16> = String::from_utf8_lossy(src).encode_utf16().collect();
            for capacity in [1, 2, 3, 5, 64, 1000] {
                let mut transcoder = Transcoder::new(Encoding::Utf8, Encoding::UTF16_NATIVE, LOSSY);
                let (mut units, mut dst, mut rest) = (Vec::new(), vec![0xA5A5; capacity], &src[..]);
                loop {
                    let step = transcoder.transcode_to_utf16(rest, &mut dst, true).expect("it is UTF-16");
                    units.extend_from_slice(&dst[..step.written]);
                    rest = &rest[step.read..];
                    if step.status == Status::InputEmpty {
                        break;
                    }
                }
                assert_eq!(units, expected, "{isa} {capacity} {src:02X?}");
            }
        }
    });
}

#[test]
fn units_do_not_begin_inside_of_a_unit() {
    let mut transcoder = Transcoder::new(Encoding::Utf8, Encoding::UTF16_NATIVE, Policy::Strict);
    assert_eq!(transcoder.transcode(b"a", &mut [0], false).written, 1);
    assert!(matches!(transcoder.transcode_to_utf16(b"", &mut [0; 4], true), Err(WrongTarget { .. })));
    let mut to_utf8 = Transcoder::new(Encoding::Utf8, Encoding::Utf8, Policy::Strict);
    assert!(matches!(to_utf8.transcode_to_utf16(b"a", &mut [0; 4], true), Err(WrongTarget { .. })));
}

#[test]
fn no_result_is_longer_than_the_longest() {
    let samples = samples();
    let legacy = Encoding::ALL.iter().filter(|encoding| !SCHEMES.iter().any(|row| row.0 == **encoding));
    let encodings: Vec<Encoding> = SCHEMES.iter().map(|row| row.0).chain(legacy.copied()).collect();
    let mut seed = 0;
    for &from in in_share(encodings.iter()) {
        for &to in &encodings {
            for (policy, _) in POLICIES {
                for i in 0..2 {
                    // Another sample for each pair and policy.
                    let mut random = Random::new(i + 2 * seed);
                    seed += 1;
                    let sample = random.pick(&samples);
                    let src =
                        if i == 0 { sample.clone() } else { from.encode(&String::from_utf8_lossy(sample)).0.into() };
                    let [a, b] = cuts(src.len(), &mut random);
                    let mut transcoder = Transcoder::new(from, to, policy);
                    for (piece, last) in [(&src[..a], false), (&src[a..b], false), (&src[b..], true)] {
                        let longest = transcoder.max_len(piece.len()).expect("it is short");
                        let (mut dst, mut rest) = (vec![0; longest], piece);
                        let mut written = 0;
                        loop {
                            let step = transcoder.transcode(rest, &mut dst[written..], last);
                            let full = step.status == Status::OutputFull;
                            assert!(
                                !full,
                                "{from} to {to}, {policy:?}: {} bytes in {longest}: {src:02X?}",
                                piece.len()
                            );
                            rest = &rest[step.read..];
                            written += step.written;
                            if step.status == Status::InputEmpty {
                                break;
                            }
                        }
                    }
                }
            }
        }
    }
    for &from in &encodings {
        for &to in &encodings {
            let strict = Transcoder::new(from, to, Policy::Escape);
            assert_eq!(strict.max_len(usize::MAX), None, "{from} {to}: escapes are longer than what they stand for");
        }
    }
}
