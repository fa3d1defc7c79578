//! Lines that may be in one encoding, read together.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::legacy::ByteSet;
use crate::line::{Words, end};
use utfkit_core::Encoding;

/// The lines as text; `None` if something is ill-formed in the encoding.
pub(super) fn text(pool: &[u8], encoding: Encoding) -> Option<Vec<char>> {
    text_of(words_of(pool).iter().map(|line| line.text(encoding).text.into()))
}

pub(super) fn text_of<'a>(lines: impl Iterator<Item = Cow<'a, [char]>>) -> Option<Vec<char>> {
    let mut text = Vec::new();
    for line in lines {
        if line.contains(&char::REPLACEMENT_CHARACTER) {
            return None;
        }
        text.extend_from_slice(&line);
    }
    Some(text)
}

/// The lines, in words.
pub(super) fn words_of(mut pool: &[u8]) -> Vec<Words<'_>> {
    let mut lines = Vec::new();
    while let Some(at) = end(pool, true) {
        lines.push(Words::of(&pool[..at]));
        pool = &pool[at..];
    }
    lines
}

/// The distinct bytes from 80.
pub(super) fn bytes_beyond_ascii(bytes: &[u8]) -> Vec<u8> {
    let known = ByteSet::of(bytes);
    (0x80..=0xFF).filter(|byte| known.contains(*byte)).collect()
}

/// The words with a character beyond US-ASCII.
pub(super) fn words_beyond_ascii(text: &[char]) -> Vec<char> {
    let words = text.split_inclusive(|c| c.is_whitespace()).filter(|word| !word.iter().all(char::is_ascii));
    words.flatten().copied().collect()
}
