//! Every pair of encodings: common characters survive a round trip, whole and in two parts, and
//! unrepresentable ones are reported.

use crate::common::converted::converted;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::common::shards::in_shards;
use utfkit::{Encoding, ErrorKind, Policy};

fn strictly(from: Encoding, to: Encoding, src: &[u8]) -> Vec<u8> {
    let (out, errors) = converted(from, to, Policy::Strict, &[src]);
    assert_eq!(errors, [], "{from} to {to}");
    out
}

/// `values` in UCS-4, which holds everything but surrogates.
fn ucs4(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_be_bytes()).collect()
}

/// The code points to try: all where encodings differ, a sample elsewhere, and values above
/// U+10FFFF for the 31-bit forms.
static TRIED: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let borders = [0x80, 0xA0, 0x100, 0x800, 0x3400, 0x4016, 0x4E00, 0xAC00, 0xD7A4, 0xD800, 0xE000, 0xFDD0, 0xFEFF];
    let planes = (0..=0x11).map(|plane| plane << 16);
    let above = [0x38E2E, 0x1F_FFFF, 0x20_0000, 0x3FF_FFFF, 0x400_0000, 0x7FFF_FFFF];
    let near = borders.into_iter().chain(planes).chain(above);
    let mut values: BTreeSet<u32> = near.flat_map(|at: u32| at.saturating_sub(3)..=(at + 3).min(0x7FFF_FFFF)).collect();
    values.extend(0..0x460);
    values.extend((0x460..0x3400).step_by(37));
    values.extend((0x2010..0x2270).step_by(3));
    values.extend(0x3040..0x30FF);
    values.extend((0x3400..0xFFFF).step_by(61));
    values.extend(0xFF61..0xFFA0);
    values.extend((0x1_0000..0x11_0000).step_by(4999));
    values.retain(|value| !(0xD800..0xE000).contains(value));
    values.into_iter().collect()
});

/// The values tried that `encoding` can represent.
fn held(encoding: Encoding) -> BTreeSet<u32> {
    let tried = &*TRIED;
    let (_, errors) = converted(Encoding::Ucs4Be, encoding, Policy::Strict, &[&ucs4(tried)]);
    assert!(errors.iter().all(|e| e.kind() == ErrorKind::Unrepresentable && e.len() == 4), "{encoding}");
    let lacking: BTreeSet<usize> = errors.iter().map(|e| e.offset() / 4).collect();
    assert_eq!(lacking.len(), errors.len(), "{encoding}: each is found once");
    (0..tried.len()).filter(|i| !lacking.contains(i)).map(|i| tried[i]).collect()
}

static HELD: LazyLock<Vec<(Encoding, BTreeSet<u32>)>> =
    LazyLock::new(|| Encoding::ALL.iter().map(|&encoding| (encoding, held(encoding))).collect());

#[test]
fn every_encoding_gives_back_what_it_holds() {
    for (encoding, held) in HELD.iter() {
        // US-ASCII, except for three controls that switch in ISO-2022-JP.
        assert!(held.len() >= 125, "{encoding} holds {} of the values tried", held.len());
        let values: Vec<u32> = held.iter().copied().collect();
        let encoded = strictly(Encoding::Ucs4Be, *encoding, &ucs4(&values));
        let back = strictly(*encoding, Encoding::Ucs4Be, &encoded);
        for (i, value) in values.iter().enumerate() {
            let got = back.get(4 * i..4 * i + 4).map(|b| u32::from_be_bytes([b[0], b[1], b[2], b[3]]));
            assert_eq!(got, Some(*value), "{encoding}: value {i}, U+{value:04X}");
        }
        assert_eq!(back.len(), 4 * values.len(), "{encoding}");
    }
}

/// Calls `work` with pairs of encodings, or a share of them, and the values of each.
fn in_pairs(work: impl Fn(&(Encoding, BTreeSet<u32>), &(Encoding, BTreeSet<u32>)) + Sync) {
    let all = &*HELD;
    in_shards(all.len() * all.len(), |range| {
        for pair in range {
            work(&all[pair / all.len()], &all[pair % all.len()]);
        }
    });
}

#[test]
fn every_pair_carries_what_both_hold() {
    in_pairs(|(from, in_from), (to, in_to)| {
        let both: Vec<u32> = in_from.intersection(in_to).copied().collect();
        let src = strictly(Encoding::Ucs4Be, *from, &ucs4(&both));
        let there = strictly(*from, *to, &src);
        assert_eq!(there, strictly(Encoding::Ucs4Be, *to, &ucs4(&both)), "{from} to {to}");
        assert_eq!(strictly(*to, *from, &there), src, "{from} to {to} and back");
    });
}

#[test]
fn every_pair_finds_what_the_target_lacks() {
    in_pairs(|(from, in_from), (to, in_to)| {
        let values: Vec<u32> = in_from.iter().copied().collect();
        let src = strictly(Encoding::Ucs4Be, *from, &ucs4(&values));
        let (out, errors) = converted(*from, *to, Policy::Strict, &[&src]);
        let lacking = values.iter().filter(|value| !in_to.contains(value)).count();
        assert_eq!(errors.len(), lacking, "{from} to {to}");
        assert!(errors.iter().all(|e| e.kind() == ErrorKind::Unrepresentable), "{from} to {to}");
        assert!(errors.is_sorted_by_key(|e| e.offset()), "{from} to {to}");
        let (skipped, none) = converted(*from, *to, Policy::Skip, &[&src]);
        assert_eq!((out, none), (skipped, vec![]), "{from} to {to}: strict goes on as skip does");
    });
}

#[test]
fn every_pair_escapes_what_the_target_lacks() {
    let sample = [0x41, 0xE9, 0x20AC, 0x4E00, 0xAC00, 0xFFFD, 0x1F600, 0x42];
    for (from, in_from) in HELD.iter() {
        let values: Vec<u32> = sample.into_iter().filter(|v| in_from.contains(v)).collect();
        let src = strictly(Encoding::Ucs4Be, *from, &ucs4(&values));
        for (to, in_to) in HELD.iter() {
            let (out, _) = converted(*from, *to, Policy::Escape, &[&src]);
            let mut expected = Vec::new();
            for &value in &values {
                if in_to.contains(&value) {
                    expected.push(value);
                } else {
                    // Without the characters of the escape that the target lacks.
                    let escape = format!("\\u{{{value:X}}}");
                    expected.extend(escape.bytes().map(u32::from).filter(|value| in_to.contains(value)));
                }
            }
            assert_eq!(out, strictly(Encoding::Ucs4Be, *to, &ucs4(&expected)), "{from} to {to}");
        }
    }
}

/// A text of at most some sixty bytes with samples of everything in `encoding`.
fn representative(held: &BTreeSet<u32>, encoding: Encoding) -> Vec<u8> {
    let candidates = [
        0x61,
        0x2B,
        0x26,
        0xE9,
        0x2D,
        0x0A,
        0x3B1,
        0x43F,
        0x20AC,
        0x65E5,
        0x672C,
        0x1F600,
        0x10FFFF,
        0xAC00,
        0xFF71,
        0x3042,
        0x05D0,
        0x0E01,
        0x5C,
        0x62,
        0x11_0000,
        0x7FFF_FFFF,
    ];
    let values: Vec<u32> = candidates.into_iter().filter(|v| held.contains(v)).collect();
    strictly(Encoding::Ucs4Be, encoding, &ucs4(&values))
}

#[test]
fn no_cut_changes_anything() {
    for (from, in_from) in HELD.iter() {
        let mut src = representative(in_from, *from);
        // Also ill-formed in most encodings, and truncated.
        src.extend_from_slice(b"\xFF\xC3");
        for to in [Encoding::Utf8, Encoding::Utf16, Encoding::Latin1, Encoding::Utf7, Encoding::Ucs4Be, *from] {
            for policy in [Policy::Strict, Policy::Replace(utfkit::Practice::MaximalSubpart), Policy::Escape] {
                let whole = converted(*from, to, policy, &[&src]);
                let same = |got: &(Vec<u8>, Vec<utfkit::Error>)| {
                    got.0 == whole.0
                        && got.1.len() == whole.1.len()
                        && got.1.iter().zip(&whole.1).all(|(a, b)| {
                            // Only the kind of an error may depend on the cut.
                            (a.offset(), a.len(), a.error_len(), a.written())
                                == (b.offset(), b.len(), b.error_len(), b.written())
                        })
                };
                for cut in 0..=src.len() {
                    let got = converted(*from, to, policy, &[&src[..cut], &src[cut..]]);
                    assert!(same(&got), "{from} to {to}, {policy:?}, cut at {cut}: {got:02X?}, not {whole:02X?}");
                }
                let bytes: Vec<&[u8]> = src.chunks(1).collect();
                let got = converted(*from, to, policy, &bytes);
                assert!(same(&got), "{from} to {to}, {policy:?}, byte by byte: {got:02X?}, not {whole:02X?}");
            }
        }
    }
}
