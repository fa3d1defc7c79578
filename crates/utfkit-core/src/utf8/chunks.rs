//! Iterators over text that may be ill-formed: by chunk and by character.

use core::iter::FusedIterator;

use crate::engine::text::front_and_error;
use crate::utf8::boundary::previous_boundary;
use utfkit_forms::scalar::utf8::Utf8;
use utfkit_forms::scalar::{Decoded, Form};

/// Iterates over well-formed text and the maximal subparts of ill-formed
/// sequences, like [`<[u8]>::utf8_chunks`](slice::utf8_chunks).
///
/// ```
/// let mut escaped = String::new();
/// for chunk in utfkit::utf8_chunks(b"caf\xE9 au lait") {
///     escaped += chunk.valid();
///     for byte in chunk.invalid() {
///         escaped += &format!("<{byte:02X}>");
///     }
/// }
/// assert_eq!(escaped, "caf<E9> au lait");
/// ```
pub fn utf8_chunks(bytes: &[u8]) -> Utf8Chunks<'_> {
    Utf8Chunks { rest: bytes }
}

/// The iterator that [`utf8_chunks`] returns. Empty input has no chunk.
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy"]
pub struct Utf8Chunks<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Utf8Chunks<'a> {
    type Item = Utf8Chunk<'a>;

    fn next(&mut self) -> Option<Utf8Chunk<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let (valid, error) = front_and_error(self.rest);
        let (invalid, rest) = self.rest[valid.len()..].split_at(error.map_or(0, |error| error.len()));
        self.rest = rest;
        Some(Utf8Chunk { valid, invalid })
    }
}

impl FusedIterator for Utf8Chunks<'_> {}

/// Well-formed text and the error after it. See [`utf8_chunks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Utf8Chunk<'a> {
    valid: &'a str,
    invalid: &'a [u8],
}

impl<'a> Utf8Chunk<'a> {
    /// The well-formed text, which may be empty.
    pub fn valid(&self) -> &'a str {
        self.valid
    }

    /// The maximal subpart of an ill-formed sequence, of one to three bytes: one
    /// U+FFFD in [`from_utf8_lossy`](crate::from_utf8_lossy). Empty only in the
    /// last chunk.
    pub fn invalid(&self) -> &'a [u8] {
        self.invalid
    }
}

/// Iterates, from either end, over the characters of `bytes` with their start and
/// end; each maximal subpart of an ill-formed sequence is a U+FFFD.
///
/// A U+FFFD of the text itself is the three bytes `EF BF BD`.
///
/// ```
/// let found: Vec<_> = utfkit::char_indices(b"a\xE2\x82\xF0\x9F\x8E\x89").collect();
/// assert_eq!(found, [(0, 1, 'a'), (1, 3, '\u{FFFD}'), (3, 7, '🎉')]);
/// ```
pub fn char_indices(bytes: &[u8]) -> CharIndices<'_> {
    CharIndices { bytes, at: 0 }
}

/// The iterator that [`char_indices`] returns.
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy"]
pub struct CharIndices<'a> {
    /// The rest, which begins at `at`.
    bytes: &'a [u8],
    at: usize,
}

impl CharIndices<'_> {
    /// The length and the first character of `bytes`, which is not empty.
    fn first(bytes: &[u8]) -> (usize, char) {
        match Utf8::decode(bytes) {
            Decoded::Value { value, len } => (len, char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER)),
            Decoded::StateChange { len } | Decoded::IllFormed { len, .. } | Decoded::Unfinished { len, .. } => {
                (len, char::REPLACEMENT_CHARACTER)
            }
        }
    }
}

impl Iterator for CharIndices<'_> {
    type Item = (usize, usize, char);

    #[inline]
    fn next(&mut self) -> Option<(usize, usize, char)> {
        let (len, c) = match self.bytes.first()? {
            byte if byte.is_ascii() => (1, char::from(*byte)),
            _ => CharIndices::first(self.bytes),
        };
        let start = self.at;
        self.at += len;
        self.bytes = &self.bytes[len..];
        Some((start, self.at, c))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.bytes.len().div_ceil(4), Some(self.bytes.len()))
    }
}

impl DoubleEndedIterator for CharIndices<'_> {
    fn next_back(&mut self) -> Option<(usize, usize, char)> {
        if self.bytes.is_empty() {
            return None;
        }
        let (rest, last) = self.bytes.split_at(previous_boundary(self.bytes, self.bytes.len()));
        self.bytes = rest;
        let start = self.at + rest.len();
        Some((start, start + last.len(), CharIndices::first(last).1))
    }
}

impl FusedIterator for CharIndices<'_> {}
