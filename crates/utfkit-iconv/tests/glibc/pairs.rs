//! Every pair that both convert: well-formed and damaged text at every cut, with every capacity.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use utfkit::Encoding;
use utfkit_iconv::charset::Charset;
use utfkit_testkit::random::Random;

use crate::judge::{Called, Conversion, OURS, glibc, shared_names};

/// Characters of all lengths and scripts, a tag, a noncharacter, controls.
pub(crate) const POOL: &str = "az 09~\u{0}\u{80}\u{98}\u{A0}\u{A9}\u{E9}\u{DF}\u{131}\u{160}\u{3B1}\u{436}\u{451}\u{5D0}\u{627}\u{E01}\u{20AC}\u{2022}\u{2500}\u{3042}\u{AC00}\u{FEFF}\u{FFFE}\u{FFFD}\u{10437}\u{1F600}\u{E0041}\u{10FFFF}";

/// Ill-formed and incomplete sequences of the encodings of Unicode, and some that only look so.
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
    // Bytes that windows code pages do not map.
    b"\x81",
    b"\x98",
    b"\x9D",
];

/// The position in the source and the result of every call, and the output.
pub(crate) struct Run {
    pub(crate) calls: Vec<(usize, Called)>,
    pub(crate) output: Vec<u8>,
}

/// Converts `src` in two parts, in calls with a target of `space` bytes, as a program does that keeps unconverted bytes
/// for the next call and skips a byte after an error.
pub(crate) fn run(conversion: &mut Conversion, src: &[u8], cut: usize, space: usize) -> Run {
    let (mut calls, mut output) = (Vec::new(), Vec::new());
    let mut dst = [0; 80];
    let mut at = 0;
    for end in [cut, src.len()] {
        loop {
            let called = conversion.convert(&src[at..end], &mut dst[..space]);
            calls.push((at, called));
            output.extend_from_slice(&dst[..called.written]);
            at += called.read;
            match called.errno {
                libc::EILSEQ => at += 1,
                libc::E2BIG if called.written > 0 || called.read > 0 => {}
                _ => break,
            }
        }
    }
    Run { calls, output }
}

/// Returns well-formed and ill-formed texts in `from`.
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
            // At the beginning of a unit, or anywhere.
            let at = if random.below(4) == 0 { at } else { at - at % from.encoding.unit_size() };
            text.splice(at..at, odd.iter().copied());
        }
        text.truncate(28);
        texts.push(text);
    }
    texts
}

/// Describes the first difference between two runs over `src`, except the "Differences from glibc" of the library's
/// documentation.
pub(crate) fn difference(from: Charset, to: Charset, src: &[u8], ours: &Run, theirs: &Run) -> Option<String> {
    let Some(at) = ours.calls.iter().zip(&theirs.calls).position(|(a, b)| a != b) else {
        return (ours.output != theirs.output)
            .then(|| format!("wrote {:02X?}\nglibc {:02X?}", ours.output, theirs.output));
    };
    let (begin, called) = ours.calls[at];
    let rest = &src[begin + called.read..];
    let is_ucs4 = |charset: Charset| matches!(charset.encoding, Encoding::Ucs4Le | Encoding::Ucs4Be);
    let is_decided = match (from.encoding, rest) {
        (Encoding::Utf8, [0xF4, 0x90..=0xBF, ..] | [0xF5..=0xFD, ..]) => is_ucs4(to) || to.encoding == Encoding::Utf8,
        (Encoding::Ucs4Le | Encoding::Ucs4Be, &[a, b, c, d, ..]) => {
            let big = from.encoding == Encoding::Ucs4Be;
            let value = if big { u32::from_be_bytes([a, b, c, d]) } else { u32::from_le_bytes([a, b, c, d]) };
            is_ucs4(to) || to.encoding == Encoding::Utf8 && value > 0x10_FFFF
        }
        _ => false,
    };
    let is_refused = called.errno == libc::EILSEQ;
    (!is_decided || !is_refused).then(|| format!("call {at}\nours  {:?}\nglibc {:?}", ours.calls[at], theirs.calls[at]))
}

/// Converts `src` by both. Describes the first difference.
fn compare(from: &(String, Charset), to: &(String, Charset), src: &[u8], count: &AtomicUsize) -> Option<String> {
    let mut most = 0;
    for cut in 0..=src.len() {
        for space in 0..=64 {
            // A few capacities at all cuts, all capacities at some.
            if space > 8 && (space > most + 8 && cut > 0 || cut % 4 != 0 && space % 8 != 0) {
                continue;
            }
            let [ours, theirs] = [OURS, glibc()].map(|iconv| {
                let mut conversion = iconv.open(&from.0, &to.0).unwrap();
                let first = run(&mut conversion, src, cut, space);
                // Again after each kind of reset.
                let mut dst = [0; 8];
                let reset = match cut % 3 {
                    0 => conversion.reset(None),
                    1 => conversion.reset(Some(&mut dst[..space.min(8)])),
                    _ => conversion.reset(Some(&mut [])),
                };
                (first, (reset, dst), run(&mut conversion, src, src.len() - cut, space))
            });
            let different = |ours, theirs| difference(from.1, to.1, src, ours, theirs);
            let found = different(&ours.0, &theirs.0).or_else(|| different(&ours.2, &theirs.2));
            if found.is_some() || ours.1 != theirs.1 {
                let found = found.unwrap_or_else(|| format!("reset: {:?}, {:?}", ours.1, theirs.1));
                return Some(format!("{} to {}, {src:02X?} cut at {cut}, space {space}: {found}", from.0, to.0));
            }
            most = most.max(theirs.0.calls.iter().map(|(_, called)| called.written).max().unwrap_or(0));
            count.fetch_add(1, Relaxed);
        }
    }
    None
}

#[test]
fn every_pair_at_every_cut_with_every_space() {
    let (_, names) = shared_names();
    let count = AtomicUsize::new(0);
    let mut found = Vec::new();
    // An eighth of the pairs of two single-byte encodings, unless all are asked for. A quarter of the pairs with one,
    // unless all are asked for or the long loops run in full.
    let all = std::env::var_os("UTFKIT_ICONV_ALL_PAIRS").is_some();
    let whole = all || std::env::var_os("UTFKIT_TEST_SHARE").is_some_and(|share| share == "1");
    let mut pairs = 0;
    for (i, from) in names.iter().enumerate() {
        for (j, to) in names.iter().enumerate() {
            let bytes = from.1.is_single_byte() && to.1.is_single_byte();
            let either = from.1.is_single_byte() || to.1.is_single_byte();
            if !all && bytes && (i + j) % 8 != 0 || !whole && either && (i + j) % 4 != 0 {
                continue;
            }
            if glibc().open(&from.0, &to.0).is_none() {
                assert!(OURS.open(&from.0, &to.0).is_none(), "{} to {}", from.0, to.0);
                continue;
            }
            pairs += 1;
            let mut random = Random::new((i * names.len() + j) as u64);
            let texts = texts(&mut random, from.1);
            let texts = if bytes { &texts[..2] } else { &texts[..] };
            found.extend(texts.iter().find_map(|text| compare(from, to, text, &count)));
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
