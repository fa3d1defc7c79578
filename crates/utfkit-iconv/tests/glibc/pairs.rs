//! Every pair that both know: well-formed and damaged text, cut at every place,
//! with every amount of space.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use utfkit::Encoding;
use utfkit_iconv::charset::Charset;
use utfkit_testkit::random::Random;

use crate::judge::{Called, Conversion, Iconv, OURS, glibc, is_single_byte, shared_names};

/// Characters of all lengths and scripts, a tag, a noncharacter, controls.
pub(crate) const POOL: &str = "az 09~\u{0}\u{80}\u{98}\u{A0}\u{A9}\u{E9}\u{DF}\u{131}\u{160}\u{3B1}\u{436}\u{451}\u{5D0}\u{627}\u{E01}\u{20AC}\u{2022}\u{2500}\u{3042}\u{AC00}\u{FEFF}\u{FFFE}\u{FFFD}\u{10437}\u{1F600}\u{E0041}\u{10FFFF}";

/// What is ill-formed, or seems so, in the encodings of Unicode, and what is not
/// whole.
pub(crate) const ODD: &[&[u8]] = &[
    b"\xED\xA0\x80",
    b"\xED\xBF\xBF",
    b"\xED\xA0",
    b"\xC0\x80",
    b"\xC1",
    b"\xE0\x80\x80",
    b"\xE0\x80",
    b"\xE2\x82",
    b"\xF0\x80\x80\x80",
    b"\xF0\x80\x80",
    b"\xF0\x8F",
    b"\xF0\x9F\x98",
    b"\xF4\x90\x80\x80",
    b"\xF4\x90",
    b"\xF5\x80\x80\x80",
    b"\xF7\xBF\xBF\xBF",
    b"\xF8\x88\x80\x80\x80",
    b"\xFC\x84\x80\x80\x80\x80",
    b"\xFE",
    b"\xFF",
    b"\x80",
    b"\xBF\xBF",
    b"\xC2A",
    b"\xE2A",
    b"\xE2\x82A",
    b"\xF0\x9F\x98A",
    b"\xEF\xBB\xBF",
    b"\x00\xD8",
    b"\xD8\x00",
    b"\x00\xDC",
    b"\xDC\x00",
    b"\x00\xD8\x00\xDC",
    b"\xD8\x00\xDC\x00",
    b"\x00\xDC\x00\xD8",
    b"\x00\xD8\x61\x00",
    b"\xD8\x00\x00\x61",
    b"\xFF\xFE",
    b"\xFE\xFF",
    b"\xFF\xFE\x00\x00",
    b"\x00\x00\xFE\xFF",
    b"\x00\xD8\x00\x00",
    b"\x00\x00\xD8\x00",
    b"\x00\x00\x11\x00",
    b"\x00\x11\x00\x00",
    b"\xFF\xFF\xFF\x7F",
    b"\x7F\xFF\xFF\xFF",
    b"\x00\x00\x00\x80",
    b"\x80\x00\x00\x00",
    b"\x00",
    b"\x00\x00\x00",
    // Of the windows code pages.
    b"\x81",
    b"\x98",
    b"\x9D",
];

/// Feeds `src` in two parts, in calls with `space` bytes each, as a program does
/// that keeps what was not converted, and goes on after a byte that could not be. Returns what every
/// call did and all that was written.
fn run(conversion: &mut Conversion, src: &[u8], cut: usize, space: usize) -> (Vec<Called>, Vec<u8>) {
    let (mut calls, mut output) = (Vec::new(), Vec::new());
    let mut dst = [0; 80];
    let mut at = 0;
    for end in [cut, src.len()] {
        loop {
            let called = conversion.convert(&src[at..end], &mut dst[..space]);
            calls.push(called);
            output.extend_from_slice(&dst[..called.written]);
            at += called.read;
            match called.errno {
                libc::EILSEQ => at += 1,
                libc::E2BIG if called.written > 0 || called.read > 0 => {}
                _ => break,
            }
        }
    }
    (calls, output)
}

/// Texts for a source in `from`: well-formed and not.
fn texts(random: &mut Random, from: Charset) -> Vec<Vec<u8>> {
    let pool: Vec<char> = POOL.chars().filter(|c| !from.encoding.encode(&c.to_string()).1).collect();
    let encoded = |random: &mut Random, count: usize| {
        let text: String = (0..count).map(|_| pool[random.below(pool.len())]).collect();
        let bom = if random.below(2) == 0 { from.bom() } else { &[] };
        [bom, &from.encoding.encode(&text).0].concat()
    };
    let mut texts = vec![encoded(random, 6), encoded(random, 3)];
    for _ in 0..4 {
        let mut text = encoded(random, 3);
        for _ in 0..1 + random.below(2) {
            let at = random.below(text.len() + 1);
            let mut odd = ODD[random.below(ODD.len())];
            if from.has_bom && random.below(3) == 0 {
                odd = from.bom();
            }
            // Where a unit begins, or anywhere.
            let at = if random.below(4) == 0 { at } else { at - at % from.encoding.unit_size() };
            text.splice(at..at, odd.iter().copied());
        }
        text.truncate(28);
        texts.push(text);
    }
    texts
}

/// What glibc takes for text and this library refuses, wherever it stands in
/// `src`, whatever the cut: see "Where glibc is not followed" in the library.
pub(crate) fn is_decided(from: Charset, to: Charset, src: &[u8]) -> bool {
    let ucs4 = |charset: Charset| matches!(charset.encoding, Encoding::Ucs4Le | Encoding::Ucs4Be);
    match from.encoding {
        Encoding::Utf8 => {
            (ucs4(to) || to.encoding == Encoding::Utf8)
                && src.windows(2).any(|s| s[0] == 0xF4 && s[1] >= 0x90 || (0xF5..=0xFD).contains(&s[0]))
        }
        Encoding::Ucs4Le | Encoding::Ucs4Be => {
            (ucs4(to) || to.encoding == Encoding::Utf8)
                && src.windows(4).any(|s| {
                    let value = if from.encoding == Encoding::Ucs4Le {
                        u32::from_le_bytes(s.try_into().unwrap())
                    } else {
                        u32::from_be_bytes(s.try_into().unwrap())
                    };
                    (0xD800..0xE000).contains(&value) || value > 0x10_FFFF
                })
        }
        _ => false,
    }
}

/// Runs `src` through both. Returns a description of the first difference.
fn compare(names: (&str, &str), judge: Iconv, src: &[u8], count: &AtomicUsize) -> Option<String> {
    let (from, to) = names;
    let mut most = 0;
    for cut in 0..=src.len() {
        for space in 0..=64 {
            if space > most + 8 && cut > 0 && space > 8 {
                break;
            }
            let [ours, theirs] = [OURS, judge].map(|iconv| {
                let mut conversion = iconv.open(from, to).unwrap();
                let first = run(&mut conversion, src, cut, space);
                // Once more after a reset of each kind.
                let mut dst = [0; 8];
                let reset = match cut % 3 {
                    0 => conversion.reset(None),
                    1 => conversion.reset(Some(&mut dst[..space.min(8)])),
                    _ => conversion.reset(Some(&mut [])),
                };
                (first, reset, dst, run(&mut conversion, src, src.len() - cut, space))
            });
            if ours != theirs {
                return Some(format!(
                    "{from} to {to}, {src:02X?} cut at {cut}, space {space}:\nours  {ours:X?}\nglibc {theirs:X?}"
                ));
            }
            most = most.max(theirs.0.0.iter().map(|called| called.written).max().unwrap_or(0));
            count.fetch_add(1, Relaxed);
        }
    }
    None
}

#[test]
fn every_pair_at_every_cut_with_every_space() {
    let (_, names) = shared_names();
    let judge = glibc();
    let count = AtomicUsize::new(0);
    let mut found = Vec::new();
    let all = std::env::var_os("UTFKIT_TEST_SHARE").is_some_and(|share| share == "1");
    let mut pairs = 0;
    for (i, (from_name, from)) in names.iter().enumerate() {
        for (j, (to_name, to)) in names.iter().enumerate() {
            let bytes = is_single_byte(from.encoding) && is_single_byte(to.encoding);
            if !all && bytes && (i + j) % 8 != 0 {
                continue;
            }
            pairs += 1;
            let mut random = Random::new((i * names.len() + j) as u64);
            let texts = texts(&mut random, *from);
            let texts = if bytes { &texts[..2] } else { &texts[..] };
            let difference = texts
                .iter()
                .filter(|text| !is_decided(*from, *to, text))
                .find_map(|text| compare((from_name, to_name), judge, text, &count));
            found.extend(difference);
        }
    }
    println!("{} encodings, {pairs} pairs, {} runs", names.len(), count.into_inner());
    assert!(
        found.is_empty(),
        "{} differences, the first of them:\n{}",
        found.len(),
        found[..found.len().min(8)].join("\n")
    );
}
