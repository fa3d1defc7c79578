//! No cut changes a result: every encoding as source and target, every policy, damaged text, cut
//! at every offset, with small destinations.

use utfkit::diagnose::{Checker, Finding, findings_in};
use utfkit::{Encoding, Policy, Standard, Transcoder};
use utfkit_testkit::random::Random;
use utfkit_testkit::transcription::{Outcome, Report};

use crate::common::shards::in_shards;
use crate::common::transcoding::{POLICIES, feed};

/// Characters that encodings represent differently.
const CHARACTERS: [&str; 16] =
    ["a", "b ", "+", "-", "~", "\\", "\n", "\u{1B}", "é", "Ж", "あ", "ｱ", "中", "한", "😀", "\u{FFFD}"];

/// Switches, complete and incomplete.
const SWITCHES: [&[u8]; 28] = [
    b"\x1B(B", b"\x1B(J", b"\x1B(I", b"\x1B$B", b"\x1B$@", b"\x1B$A", b"\x1B$(D", b"\x1B$)C", b"\x1B", b"\x1B$",
    b"\x1B(", b"\x0E", b"\x0F", b"~{", b"~}", b"~~", b"~\n", b"~", b"~x", b"+", b"&", b"-", b"+-", b"+AOk", b"&AOk-",
    b"\x1B%G", b"\x1B%@", b"\x1B%",
];

/// Damaged text in `encoding`.
pub(crate) fn source(encoding: Encoding, random: &mut Random) -> Vec<u8> {
    let mut src = Vec::new();
    for _ in 0..1 + random.below(6) {
        match random.below(8) {
            0 => src.extend((0..1 + random.below(3)).map(|_| random.next_u64() as u8)),
            1 | 2 => src.extend(*random.pick(&SWITCHES)),
            _ => {
                let text: String = (0..1 + random.below(4)).map(|_| *random.pick(&CHARACTERS)).collect();
                let mut writer = Transcoder::new(Encoding::Utf8, encoding, Policy::Skip);
                let _ = writer.transcode_to_vec(text.as_bytes(), &mut src, true);
            }
        }
        // Some are truncated.
        if random.one_in(5) {
            src.truncate(random.below(src.len() + 1));
        }
    }
    src.truncate(40);
    src
}

/// A result without the kinds of errors, which may depend on the cuts.
fn comparable(outcome: &Outcome) -> (&[u8], Vec<Report>, bool) {
    let reports = outcome.reports.iter().map(|report| Report { kind: "", ..*report }).collect();
    (&outcome.output, reports, outcome.had_errors)
}

#[track_caller]
fn no_cut_matters(from: Encoding, to: Encoding, policy: Policy, src: &[u8], random: &mut Random) {
    let by = |chunks: &[&[u8]], capacity| feed(&mut Transcoder::new(from, to, policy), chunks, capacity, true);
    let whole = by(&[src], 4096);
    let check = |chunks: &[&[u8]], capacity| {
        let cut = by(chunks, capacity);
        let lengths: Vec<usize> = chunks.iter().map(|chunk| chunk.len()).collect();
        assert_eq!(
            comparable(&cut),
            comparable(&whole),
            "{from} to {to}, {policy:?}, {src:02X?} in {lengths:?}, capacity {capacity}"
        );
    };
    for at in 0..=src.len() {
        let (front, rest) = src.split_at(at);
        check(&[front, rest], 4096);
        let capacity = 1 + random.below(12);
        check(&[front, &[], rest], capacity);
    }
    let bytes: Vec<&[u8]> = src.chunks(1).collect();
    check(&bytes, 4096);
    check(&bytes, 1);
    check(&[src], 1 + random.below(8));
}

/// All registered encodings, and examples of ISO-2022-UTF-8 around another encoding.
pub(crate) fn encodings() -> Vec<Encoding> {
    let within = ["ISO-2022-UTF-8+windows-1252", "ISO-2022-UTF-8+Big5"];
    Encoding::ALL.iter().copied().chain(within.iter().filter_map(|label| Encoding::for_label(label))).collect()
}

/// The number of sources for each encoding, each with two targets and all policies.
const CASES: usize = 400;

#[test]
fn no_cut_changes_what_an_encoding_becomes() {
    let encodings = encodings();
    in_shards(encodings.len() * CASES, |range| {
        for case in range {
            let from = encodings[case % encodings.len()];
            let mut random = Random::new(case as u64);
            let src = source(from, &mut random);
            for to in [Encoding::Utf8, *random.pick(&encodings)] {
                for (policy, _) in POLICIES {
                    no_cut_matters(from, to, policy, &src, &mut random);
                }
            }
        }
    });
}

#[test]
fn no_cut_changes_what_becomes_an_encoding() {
    let encodings = encodings();
    in_shards(encodings.len() * CASES, |range| {
        for case in range {
            let to = encodings[case % encodings.len()];
            let mut random = Random::new(!case as u64);
            for from in [Encoding::Utf8, Encoding::Wtf8, Encoding::Ucs4Be] {
                let src = source(from, &mut random);
                let (policy, _) = *random.pick(&POLICIES);
                no_cut_matters(from, to, policy, &src, &mut random);
            }
        }
    });
}

/// After an error the transcoder converts value by value if another error was near. Byte by byte
/// it never does.
#[test]
fn errors_of_a_long_text_are_the_same_byte_by_byte() {
    let encodings = encodings();
    let targets = [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be, Encoding::Latin1];
    in_shards(encodings.len() * 20, |range| {
        for case in range {
            let from = encodings[case % encodings.len()];
            let mut random = Random::new(!(case as u64) << 8);
            let mut src = Vec::new();
            for _ in 0..20 {
                src.extend(source(from, &mut random));
                let clean: String = (0..random.below(40)).map(|_| *random.pick(&CHARACTERS)).collect();
                let mut writer = Transcoder::new(Encoding::Utf8, from, Policy::Skip);
                let _ = writer.transcode_to_vec(clean.as_bytes(), &mut src, true);
            }
            for to in targets.into_iter().chain([*random.pick(&encodings)]) {
                let (policy, _) = *random.pick(&POLICIES);
                let by =
                    |chunks: &[&[u8]], capacity| feed(&mut Transcoder::new(from, to, policy), chunks, capacity, true);
                let whole = by(&[&src], 1 << 16);
                let bytes: Vec<&[u8]> = src.chunks(1).collect();
                let pieces: Vec<&[u8]> = src.chunks(1 + random.below(50)).collect();
                for (chunks, capacity) in [(&bytes, 4096), (&pieces, 4096), (&pieces, 1 + random.below(80))] {
                    let cut = by(chunks, capacity);
                    assert_eq!(
                        comparable(&cut),
                        comparable(&whole),
                        "{from} to {to}, {policy:?}, {src:02X?}, {capacity}"
                    );
                }
            }
        }
    });
}

#[test]
fn bytes_at_hand_have_the_findings_of_a_stream() {
    let encodings = encodings();
    in_shards(encodings.len() * CASES, |range| {
        for case in range {
            let encoding = encodings[case % encodings.len()];
            let src = source(encoding, &mut Random::new(case as u64));
            let mut found = Vec::new();
            let mut checker = Checker::new(encoding, Standard::Rfc3629);
            for chunk in src.chunks(1 + case % 3) {
                checker.feed(chunk, |finding| found.push(*finding));
            }
            checker.finish(|finding| found.push(*finding));
            let at_hand: Vec<Finding> = findings_in(&src, encoding).collect();
            assert_eq!(at_hand, found, "{encoding} {src:02X?}");
        }
    });
}
