//! Character boundaries, from any byte of UTF-8 that may be damaged.
//!
//! Text is a sequence of *pieces*: well-formed sequences, and the maximal
//! subparts of ill-formed ones, as [`errors`](crate::errors()) and lossy
//! conversion see them. A byte that is not a continuation byte always begins a
//! piece. A continuation byte begins one unless it belongs to a lead byte at most
//! three bytes before it, so a search looks back at most that far.

use utfkit_forms::scalar::utf8::{Utf8, is_continuation, second_range, unfinished_tail};
use utfkit_forms::scalar::{Decoded, Form};

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
