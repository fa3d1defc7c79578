//! Lists of letters in the order of their bytes, such as the alphabet of a dictionary or the
//! table of a function that changes case. They are no words in any encoding, and where one
//! lists all letters of an encoding, every byte is a letter in another one.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;

use crate::detect::controls::count;

/// Text has fewer bytes above 7F in a row of which each is a little above the one before.
const LONG: usize = 8;
/// The same of bytes of which each is the next one of the encoding, with nothing between them.
const LONG_IN_WORD: usize = 4;
/// The most by which a byte of a list is above the one before.
const STEP: u8 = 3;
/// The most bytes of US-ASCII between two of a list, such as quotation marks, commas and their numbers.
const BETWEEN: usize = 24;
/// So many bytes above 7F are words enough to tell an encoding by, besides any list.
const ENOUGH: usize = 40;

/// The sample without the words that are a part of such a list, if enough is left.
pub(super) fn without_lists(sample: &[u8]) -> Cow<'_, [u8]> {
    let mut kept = Vec::new();
    // Up to `taken`, bytes are in `kept` or belong to a list.
    let mut taken = 0;
    let is_white = |byte: &u8| byte.is_ascii_whitespace();
    for list in lists(sample) {
        if list.end <= taken {
            continue;
        }
        let before = &sample[taken..list.start.max(taken)];
        let start = before.iter().rposition(is_white).map_or(taken, |at| taken + at);
        let end = sample[list.end..].iter().position(is_white).map_or(sample.len(), |at| list.end + at);
        kept.extend_from_slice(&sample[taken..start]);
        taken = end;
    }
    if taken == 0 {
        return Cow::Borrowed(sample);
    }
    kept.extend_from_slice(&sample[taken..]);
    let left = count(&kept, |byte| !byte.is_ascii());
    let all = count(sample, |byte| !byte.is_ascii());
    if left >= ENOUGH || 2 * left > all { Cow::Owned(kept) } else { Cow::Borrowed(sample) }
}

/// The ranges from the first to the last byte of each list.
fn lists(sample: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut above = sample.iter().enumerate().filter(|(_, byte)| !byte.is_ascii()).peekable();
    core::iter::from_fn(move || {
        loop {
            let (start, first) = above.next()?;
            let (mut at, mut byte, mut len, mut in_word, mut most) = (start, first, 1, 1, 1);
            let is_next = |at: usize, byte: u8, next: &(usize, &u8)| {
                (1..=STEP).contains(&next.1.wrapping_sub(byte)) && next.0 - at <= BETWEEN
            };
            while let Some((next_at, next)) = above.next_if(|next| is_next(at, *byte, next)) {
                in_word = if next_at == at + 1 && *next == *byte + 1 { in_word + 1 } else { 1 };
                (at, byte, len, most) = (next_at, next, len + 1, most.max(in_word));
            }
            if len >= LONG || most >= LONG_IN_WORD {
                return Some(start..at + 1);
            }
        }
    })
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
    fn words_stay_and_so_does_a_text_that_is_mostly_a_list() {
        let words = "Съешь ещё этих мягких французских булок".encode_utf16().map(|unit| unit as u8 | 0x80);
        let words: Vec<u8> = words.collect();
        assert!(matches!(without_lists(&words), Cow::Borrowed(_)));
        let list: Vec<u8> = (0xC0..=0xFF).collect();
        assert_eq!(&*without_lists(&list), list);
    }
}
