//! East Asian encodings: every character, every two bytes, and damaged text at every cut with every capacity, before
//! and after the library has learned from the system.

use std::time::{Duration, Instant};

use utfkit_testkit::random::Random;

use crate::judge::{Iconv, OURS, glibc, glibc_names};
use crate::pairs::run;

/// Returns one name per encoding that this glibc has.
fn names() -> Vec<&'static str> {
    const NAMES: [&str; 13] = [
        "EUC-JP",
        "EUC-JP-MS",
        "SHIFT_JIS",
        "CP932",
        "EUC-KR",
        "CP949",
        "JOHAB",
        "GB2312",
        "GBK",
        "GB18030",
        "BIG5",
        "EUC-TW",
        // It has lookahead, so the system converts it.
        "BIG5-HKSCS",
    ];
    let there = glibc_names();
    NAMES.into_iter().filter(|name| there.iter().any(|known| known == name)).collect()
}

const OTHERS: [&str; 7] = ["UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "WCHAR_T", "UCS-2BE", "UTF-16"];

/// US-ASCII, kana, ideographs of four countries, hangul, Latin, Greek, rare characters, characters outside the Basic
/// Multilingual Plane, and a tag.
const POOL: &str = "az 09~\\\u{A5}\u{203E}\u{0}\u{7F}\u{80}\u{A9}\u{E9}\u{3B1}\u{436}\u{20AC}\u{2022}\u{2500}\u{3042}\u{30A2}\u{FF71}\u{4E00}\u{9FA0}\u{7CFB}\u{4E02}\u{AC00}\u{B620}\u{3164}\u{E000}\u{F8FF}\u{FEFF}\u{FFFD}\u{1F600}\u{20000}\u{E0041}";

/// Compares both on `src`, in two parts.
fn compare(from: &str, to: &str, src: &[u8], cut: usize, space: usize) {
    let [ours, theirs] = [OURS, glibc()].map(|iconv| run(&mut iconv.open(from, to).unwrap(), src, cut, space));
    if let Some(at) = ours.calls.iter().zip(&theirs.calls).position(|(a, b)| a != b) {
        let (ours, theirs) = (&ours.calls[at], &theirs.calls[at]);
        panic!("{from} to {to}, {src:02X?} cut at {cut}, space {space}: call {at}\nours  {ours:?}\nglibc {theirs:?}");
    }
    assert_eq!(ours.output, theirs.output, "{from} to {to}, {src:02X?} cut at {cut}, space {space}");
}

fn both_ways(names: &[&'static str]) -> Vec<(&'static str, &'static str)> {
    names.iter().flat_map(|name| OTHERS.iter().flat_map(|other| [(*name, *other), (*other, *name)])).collect()
}

/// Encodes the characters of `text` that `from` has, by glibc.
fn encoded(from: &str, text: &str) -> Vec<u8> {
    let mut conversion = glibc().open("UTF-8", from).unwrap();
    let mut made = vec![0; 64];
    let each = |c: char| {
        let mut bytes = [0; 4];
        let called = conversion.convert(c.encode_utf8(&mut bytes).as_bytes(), &mut made);
        made[..if called.errno == 0 { called.written } else { 0 }].to_vec()
    };
    text.chars().flat_map(each).collect()
}

#[test]
fn damaged_text_at_every_cut_with_every_space() {
    let names = names();
    let mut random = Random::new(7);
    let pool: Vec<char> = POOL.chars().collect();
    for (from, to) in both_ways(&names) {
        for round in 0..6 {
            let text: String = (0..6).map(|_| pool[random.below(pool.len())]).collect();
            let mut src = encoded(from, &text);
            for _ in 0..round % 3 {
                let at = random.below(src.len() + 1);
                src.insert(at, [0x80, 0x8E, 0x8F, 0x81, 0xFF, 0xA1, 0xD8, 0x30, 0x00, 0xFE][random.below(10)]);
            }
            src.truncate(28);
            for cut in 0..=src.len() {
                for space in (0..=16).chain([24, 32, 64]) {
                    compare(from, to, &src, cut, space);
                }
            }
        }
    }
    println!("{} encodings", names.len());
}

/// The second round uses the answers that the first has learned.
#[test]
fn every_character_and_every_two_bytes() {
    for name in names() {
        for _ in 0..2 {
            let (mut reads, mut writes) =
                ([OURS, glibc()].map(|i| i.open(name, "UTF-8").unwrap()), opened("UTF-16LE", name));
            let mut dst = [[0; 16]; 2];
            for lead in 0..=0xFF_u8 {
                for trail in 0..=0xFF_u8 {
                    for src in [&[lead, trail, b'a'][..], &[b'a', lead, trail], &[lead, trail, 0x30, 0x81]] {
                        let [ours, theirs] = [0, 1].map(|i| reads[i].convert(src, &mut dst[i]));
                        assert_eq!(
                            (ours, &dst[0][..ours.written]),
                            (theirs, &dst[1][..theirs.written]),
                            "{name} {src:02X?}"
                        );
                    }
                }
            }
            for unit in 0..=0xFFFF_u16 {
                let [low, high] = unit.to_le_bytes();
                for src in [&[low, high, b'a', 0][..], &[b'a', 0, low, high], &[low, high, 0, 0xDC]] {
                    let [ours, theirs] = [0, 1].map(|i| writes[i].convert(src, &mut dst[i]));
                    assert_eq!(
                        (ours, &dst[0][..ours.written]),
                        (theirs, &dst[1][..theirs.written]),
                        "{name} {src:02X?}"
                    );
                }
            }
        }
    }
}

fn opened(from: &str, to: &str) -> [crate::judge::Conversion; 2] {
    [OURS, glibc()].map(|iconv: Iconv| iconv.open(from, to).unwrap())
}

/// Long texts in random pieces, for `UTFKIT_FUZZ_SECONDS` or one second.
#[test]
fn long_texts() {
    let number = |name| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let seconds = number("UTFKIT_FUZZ_SECONDS").unwrap_or(1);
    let (end, names) = (Instant::now() + Duration::from_secs(seconds), names());
    let all = both_ways(&names);
    let pool: Vec<char> = POOL.chars().chain('\u{4E00}'..'\u{4F00}').chain('\u{3040}'..'\u{30FF}').collect();
    let mut seed = number("UTFKIT_FUZZ_SEED").unwrap_or(1);
    while Instant::now() < end && !all.is_empty() {
        let mut random = Random::new(seed);
        let (from, to) = all[random.below(all.len())];
        let limit = [30, 800, 20_000][random.below(3)];
        let mut text = String::new();
        let len = random.below(limit);
        while text.len() < len {
            let c = pool[random.below(pool.len())];
            text.extend(std::iter::repeat_n(c, 1 + random.below(4) * random.below(20)));
        }
        let mut src = if random.below(3) == 0 { text.into_bytes() } else { encoded(from, &text) };
        for _ in 0..random.below(4) {
            let (at, byte) = (random.below(src.len() + 1), random.below(256) as u8);
            src.insert(at, byte);
        }
        let [mut ours, mut theirs] = opened(from, to);
        let [mut a, mut b] = [vec![0; 90_000], vec![0; 90_000]];
        let mut at = 0;
        for call in 0..200 {
            let most = [4, 100, 30_000][random.below(3)];
            let more = random.below(most);
            let space = if random.below(3) == 0 { random.below(20) } else { random.below(90_000) };
            let piece = &src[at..src.len().min(at + more)];
            let (one, other) = (ours.convert(piece, &mut a[..space]), theirs.convert(piece, &mut b[..space]));
            assert_eq!(one, other, "seed {seed}, {from} to {to}, call {call}");
            assert!(a[..one.written] == b[..one.written], "seed {seed}, {from} to {to}, call {call}");
            at += one.read;
            if one.errno == libc::EILSEQ && at < src.len() {
                at += 1;
            }
        }
        seed += 1;
    }
    println!("{} encodings, {seed} texts", names.len());
}
