//! Character boundaries, from any byte of UTF-8 that may be damaged.
//!
//! Text is a sequence of *pieces*: well-formed sequences, and the maximal
//! subparts of ill-formed ones, as [`errors`](crate::errors()) and lossy
//! conversion see them. A byte that is not a continuation byte always begins a
//! piece. A continuation byte begins one unless it belongs to a lead byte at most
//! three bytes before it, so a search looks back at most that far.

use crate::engine::scalar::utf8::{Utf8, is_continuation, second_range, unfinished_tail};
use crate::engine::scalar::{Decoded, Form};

/// The most continuation bytes of a piece.
const MOST_CONTINUATIONS: usize = 3;

/// The length of the piece at the front of `src`, which is not empty.
#[inline]
fn piece_len(src: &[u8]) -> usize {
    match Utf8::decode(src) {
        Decoded::Value { len, .. }
        | Decoded::StateChange { len }
        | Decoded::IllFormed { len, .. }
        | Decoded::Unfinished { len, .. } => len,
    }
}

/// The start and the end of the piece that contains the byte at `at`, an index
/// of `bytes`.
fn piece_around(bytes: &[u8], at: usize) -> (usize, usize) {
    for start in (at.saturating_sub(MOST_CONTINUATIONS)..=at).rev() {
        if !is_continuation(bytes[start]) {
            let end = start + piece_len(&bytes[start..]);
            // The bytes between the lead byte's piece and `at` are continuation
            // bytes, each of them a piece.
            return if at < end { (start, end) } else { (at, at + 1) };
        }
    }
    (at, at + 1)
}

/// Returns true if a character begins or the text ends at `at`, or if a maximal
/// subpart of an ill-formed sequence begins there. False beyond the end.
///
/// Agrees with [`str::is_char_boundary`] on well-formed UTF-8 (RFC 3629 section
/// 1: "Character boundaries are easily found from anywhere in an octet stream").
/// Reads at most seven bytes.
///
/// ```
/// let text = "aé€".as_bytes();
/// let boundaries: Vec<_> = (0..8).filter(|&at| utfkit::is_boundary(text, at)).collect();
/// assert_eq!(boundaries, [0, 1, 3, 6]);
/// ```
pub fn is_boundary(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at) {
        None => at == bytes.len(),
        Some(&byte) => !is_continuation(byte) || piece_around(bytes, at).0 == at,
    }
}

/// Returns the first [boundary](is_boundary) after `at`, or the length of `bytes`
/// if there is none. `at` may lie inside a character.
///
/// Repeated calls from 0 on visit one character or one maximal subpart of an
/// ill-formed sequence at a time: as many as
/// [`from_utf8_lossy`](crate::from_utf8_lossy) returns characters. Reads at most
/// seven bytes, and takes the end of `bytes` for the end of the text.
///
/// ```
/// use utfkit::next_boundary;
///
/// let text = b"a\xE2\x82\xAC\x80\xE2\x82"; // "a€", a stray byte, a truncated "€"
/// let mut at = 0;
/// let mut places = vec![at];
/// while at < text.len() {
///     at = next_boundary(text, at);
///     places.push(at);
/// }
/// assert_eq!(places, [0, 1, 4, 5, 7]);
/// assert_eq!(next_boundary(text, 2), 4);
/// ```
pub fn next_boundary(bytes: &[u8], at: usize) -> usize {
    if at < bytes.len() { piece_around(bytes, at).1 } else { bytes.len() }
}

/// Returns the last [boundary](is_boundary) before `at`, or 0 if there is none.
/// `at` may lie inside a character or beyond the end.
///
/// Repeated calls from the end visit the boundaries that [`next_boundary`] visits
/// from the start. Reads at most seven bytes.
///
/// ```
/// use utfkit::previous_boundary;
///
/// let text = b"a\xE2\x82\xAC\x80\xE2\x82";
/// let mut at = text.len();
/// let mut places = vec![at];
/// while at > 0 {
///     at = previous_boundary(text, at);
///     places.push(at);
/// }
/// assert_eq!(places, [7, 5, 4, 1, 0]);
/// assert_eq!(previous_boundary(text, 3), 1);
/// ```
pub fn previous_boundary(bytes: &[u8], at: usize) -> usize {
    match at {
        0 => 0,
        _ if at > bytes.len() => bytes.len(),
        _ => piece_around(bytes, at - 1).0,
    }
}

/// Returns the first index from `at` on where a well-formed sequence can begin: a
/// byte 00–7F or C2–F4 (RFC 3629 section 4). The length of `bytes` if there is none.
///
/// For a reader that enters a stream in the middle or lost bytes of it (utf-8(7):
/// "easy resynchronization"). It skips at most three bytes of well-formed text.
/// The result is a [boundary](is_boundary), but the sequence there may still be
/// ill-formed. The cost is linear in the bytes skipped.
///
/// ```
/// let text = "日本語".as_bytes();
/// assert_eq!(utfkit::resynchronize(text, 1), 3);
/// assert_eq!(utfkit::resynchronize(text, 3), 3);
/// assert_eq!(utfkit::resynchronize(b"\x80\xFF\xC0\x80a", 0), 4);
/// ```
pub fn resynchronize(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let can_begin = |&byte: &u8| byte.is_ascii() || second_range(byte).is_some();
    rest.iter().position(can_begin).map_or(bytes.len(), |skipped| at + skipped)
}

/// Returns `bytes` without a sequence at the end that more bytes could complete:
/// the part of a chunk that can be converted before the next chunk arrives.
///
/// ```
/// assert_eq!(utfkit::trim_partial_utf8(b"a\xE2\x82"), b"a");
/// assert_eq!(utfkit::trim_partial_utf8(b"a\xE2\x82\xAC"), b"a\xE2\x82\xAC");
/// assert_eq!(utfkit::trim_partial_utf8(b"a\xFF"), b"a\xFF"); // ill-formed, not unfinished
/// ```
pub fn trim_partial_utf8(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len() - unfinished_tail(bytes)]
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::{string::String, vec, vec::Vec};

    /// One byte of every class that the rules distinguish.
    const BYTES: [u8; 20] = [
        0x00, 0x61, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF4,
        0xF5, 0xFF,
    ];

    /// Calls `check` with every string of up to `len` of them.
    fn for_each_string(len: usize, check: impl Fn(&[u8])) {
        let mut digits = vec![0; len];
        loop {
            let text: Vec<u8> = digits.iter().map(|&digit: &usize| BYTES[digit]).collect();
            (0..=len).for_each(|len| check(&text[..len]));
            let Some(place) = digits.iter().position(|&digit| digit + 1 < BYTES.len()) else { return };
            digits[..place].fill(0);
            digits[place] += 1;
        }
    }

    /// The boundaries between pieces according to the standard library.
    fn places(bytes: &[u8]) -> Vec<usize> {
        let mut places = vec![0];
        let mut at = 0;
        for chunk in bytes.utf8_chunks() {
            for c in chunk.valid().chars() {
                at += c.len_utf8();
                places.push(at);
            }
            if !chunk.invalid().is_empty() {
                at += chunk.invalid().len();
                places.push(at);
            }
        }
        places
    }

    fn check(bytes: &[u8]) {
        let places = places(bytes);
        assert_eq!(places.len() - 1, String::from_utf8_lossy(bytes).chars().count());
        for at in 0..bytes.len() + 3 {
            assert_eq!(is_boundary(bytes, at), places.contains(&at), "{bytes:02X?} {at}");
            let next = places.iter().find(|&&place| place > at).map_or(bytes.len(), |&place| place);
            assert_eq!(next_boundary(bytes, at), next, "{bytes:02X?} {at}");
            let previous = places.iter().rfind(|&&place| place < at).map_or(0, |&place| place);
            assert_eq!(previous_boundary(bytes, at), previous, "{bytes:02X?} {at}");

            let mut again = at.min(bytes.len());
            while bytes.get(again).is_some_and(|byte| matches!(byte, 0x80..=0xC1 | 0xF5..)) {
                again += 1;
            }
            assert_eq!(resynchronize(bytes, at), again, "{bytes:02X?} {at}");
            assert!(is_boundary(bytes, again), "{bytes:02X?} {at}");
        }
    }

    #[test]
    fn every_short_string_has_the_pieces_of_the_standard_library() {
        for_each_string(4, check);
    }

    #[test]
    fn long_runs_are_told_apart_by_the_bytes_nearby() {
        check(&[0x80; 12]);
        check(&[0xF0; 12]);
        check(b"\xF0\x9F\x8E\x89\x80\x80\x80\x80\xF0\x9F\x8E\x89\xF0\x9F\x8E");
        check("aé€🎉".repeat(3).as_bytes());
    }

    #[test]
    fn the_ends_of_the_index_range_are_no_trouble() {
        assert_eq!(next_boundary(b"a", usize::MAX), 1);
        assert_eq!(previous_boundary(b"a", usize::MAX), 1);
        assert_eq!(resynchronize(b"a", usize::MAX), 1);
        assert!(!is_boundary(b"a", usize::MAX));
        assert_eq!((next_boundary(b"", 0), previous_boundary(b"", 0), resynchronize(b"", 0)), (0, 0, 0));
    }
}
