//! Lists of letters in the order of their bytes, such as the alphabet of a dictionary or the
//! table of a function that changes case. They are no words in any encoding, and where one
//! lists all letters of an encoding, every byte is a letter in another one.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;

use crate::detect::controls::count;
use crate::hashes::{Hashes, mix};
use crate::line::words_beyond_ascii;

/// Text has fewer bytes above 7F in a row of which each is a little above the one before.
const LONG: usize = 8;
/// Adjacent bytes of which each is the one before plus 1: a word has fewer.
const LONG_IN_WORD: usize = 4;
/// The most by which a byte of a list is above the one before.
const STEP: u8 = 3;
/// The most bytes of US-ASCII between two of a list, such as quotation marks, commas and their numbers.
const BETWEEN: usize = 24;
/// The most different bytes above 7F in such a table.
const FEW_KINDS: usize = 3;
/// The least number of lines for each new one.
const MANY_LINES: usize = 4;
/// The most letters in US-ASCII of a unit with a sign, such as `dam²`.
const LONGEST_UNIT: usize = 3;
/// This many bytes above 7F outside of lists are enough to tell an encoding by.
const ENOUGH: usize = 40;

/// The sample without the words that are a part of such a list, if enough is left.
pub(super) fn without_lists(sample: &[u8]) -> Cow<'_, [u8]> {
    let mut list = List::default();
    // From the start of the first word of a list to the end of the last one.
    let mut left_out: Vec<Range<usize>> = Vec::new();
    let is_white = |byte: &u8| byte.is_ascii_whitespace();
    for (at, &byte) in sample.iter().enumerate().filter(|(_, byte)| !byte.is_ascii()) {
        list.add(at, byte);
        if !list.is_list() {
            continue;
        }
        let last = left_out.last().map_or(0, |last| last.end);
        if at >= last {
            let start = last + sample[last..list.start.max(last)].iter().rposition(is_white).unwrap_or(0);
            let end = at + sample[at..].iter().position(is_white).unwrap_or(sample.len() - at);
            left_out.push(start..end);
        }
    }
    if left_out.is_empty() {
        return Cow::Borrowed(sample);
    }
    let mut kept = Vec::new();
    let mut start = 0;
    for range in left_out {
        kept.extend_from_slice(sample.get(start..range.start).unwrap_or_default());
        start = range.end;
    }
    kept.extend_from_slice(sample.get(start..).unwrap_or_default());
    let above = |text: &[u8]| count(text, |byte| !byte.is_ascii());
    if above(&kept) >= ENOUGH || 2 * above(&kept) > above(sample) { Cow::Owned(kept) } else { Cow::Borrowed(sample) }
}

/// `text` without the lines that repeat signs, as a table does: `12 m²` on each line is no more evidence than on one.
pub(super) fn without_repeats(text: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let mut kinds = Vec::new();
    for byte in text.iter().filter(|byte| !byte.is_ascii()) {
        if !kinds.contains(byte) {
            kinds.push(*byte);
        }
        if kinds.len() > FEW_KINDS {
            return text;
        }
    }
    match first_of_table(&text) {
        Some(kept) => Cow::Owned(kept),
        None => text,
    }
}

/// The lines with a new sign, if `text` is a table with few of them and has no words beyond US-ASCII.
fn first_of_table(text: &[u8]) -> Option<Vec<u8>> {
    let mut seen = Hashes::default();
    let (mut kept, mut lines, mut new) = (Vec::with_capacity(text.len()), 0, 0);
    for line in text.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')) {
        let mut is_new = line.is_ascii();
        lines += usize::from(!is_new);
        for word in words_beyond_ascii(line) {
            let word = &line[word];
            if count(word, |byte| byte.is_ascii_alphabetic()) > LONGEST_UNIT {
                return None;
            }
            let mut hash = 0;
            for byte in word.iter().filter(|byte| !byte.is_ascii_digit()) {
                hash = mix(hash, (*byte).into());
            }
            let is_first = seen.insert(hash);
            new += usize::from(is_first && !is_new);
            is_new |= is_first;
        }
        if is_new {
            kept.extend_from_slice(line);
        }
    }
    let is_table = lines >= MANY_LINES * new && 2 * count(text, |byte| !byte.is_ascii()) < text.len();
    is_table.then_some(kept)
}

/// Bytes above 7F, each a little above the one before.
#[derive(Default)]
struct List {
    start: usize,
    len: usize,
    /// The last ones of which each is the next byte of the encoding, without anything between them.
    in_word: usize,
    at: usize,
    byte: u8,
}

impl List {
    /// Adds a byte, perhaps as the first one of another list.
    fn add(&mut self, at: usize, byte: u8) {
        let (step, way) = (byte.wrapping_sub(self.byte), at - self.at);
        if !(1..=STEP).contains(&step) || way > BETWEEN {
            *self = List { start: at, ..List::default() };
        }
        self.in_word = if (step, way) == (1, 1) { self.in_word + 1 } else { 1 };
        self.len += 1;
        (self.at, self.byte) = (at, byte);
    }

    fn is_list(&self) -> bool {
        self.len >= LONG || self.in_word >= LONG_IN_WORD
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_left_out_with_the_words_around_them() {
        let mut text = b"FOL ".to_vec();
        text.extend(0xE0..=0xFF);
        let words = b"x\nS\xe4tze mit W\xf6rtern\n".repeat(20);
        text.extend(&words);
        assert_eq!(&*without_lists(&text), [b"FOL", &words[1..]].concat());
        let quoted: Vec<u8> = (0xC0..0xC8).flat_map(|byte| [b'"', byte, b'"', b',', b' ']).collect();
        assert!(without_lists(&[&words, &*quoted].concat()).len() < words.len() + 8);
    }

    #[test]
    fn a_sign_on_each_line_of_a_table_is_one() {
        use crate::detect::detect;
        use alloc::string::{String, ToString};
        let encoding = utfkit_core::Encoding::for_label("windows-1252").unwrap();
        let rows = [
            ("Flat {}: {} m", "²"),
            ("R{};{} ", "± 2"),
            ("{}: {} ", "°"),
            ("{}\t{} ", "Å"),
            ("bolt {} x {}, ", "Ø 4 mm"),
        ];
        for (row, sign) in rows {
            let rows: String = (1..40).map(|n: u32| row.replace("{}", &n.to_string()) + sign + "\n").collect();
            let found = detect(&encoding.encode(&rows).0);
            assert_eq!(found.encoding(), Some(encoding), "{found}");
        }
        let text = "caf\u{E9} 12\n".repeat(30);
        assert!(matches!(without_repeats(Cow::Borrowed(&encoding.encode(&text).0)), Cow::Owned(_)));
        let text = "th\u{E9}\u{E2}tre 12\n".repeat(30);
        assert!(matches!(without_repeats(Cow::Borrowed(&encoding.encode(&text).0)), Cow::Borrowed(_)));
    }

    #[test]
    fn words_stay_and_so_does_a_text_that_is_mostly_a_list() {
        let words = "Съешь ещё этих мягких французских булок".encode_utf16().map(|unit| unit as u8 | 0x80);
        let words: Vec<u8> = words.collect();
        assert!(matches!(without_lists(&words), Cow::Borrowed(_)));
        let list: Vec<u8> = (0xC0..=0xFF).collect();
        assert_eq!(&*without_lists(&list), list);
    }
}
