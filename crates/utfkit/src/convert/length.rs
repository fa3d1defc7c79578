//! Counts and lengths. For ill-formed input they follow from lead bytes and
//! units alone: no function here fails or panics.

use crate::engine::kernel::count::{self, BelowFour, NonAscii, Starts, Utf16OfUtf8, total};
use crate::engine::memory::bytes_of;

/// How many code points `bytes`, in UTF-8, hold: the bytes that are not
/// continuation bytes.
///
/// ```
/// assert_eq!(utfkit::count_code_points("日本語".as_bytes()), 3);
/// ```
pub fn count_code_points(bytes: &[u8]) -> usize {
    total(Starts, bytes)
}

/// How many UTF-16 units the UTF-8 in `src` becomes: one for each byte that is
/// not a continuation byte, and one more for each from F0. Exact for
/// well-formed input.
///
/// ```
/// assert_eq!(utfkit::utf16_len_from_utf8("a🎉".as_bytes()), 3);
/// ```
pub fn utf16_len_from_utf8(src: &[u8]) -> usize {
    total(Utf16OfUtf8, src)
}

/// How many bytes of UTF-8 the UTF-16 in `src`, in native order, becomes: 1, 2
/// or 3 a unit, and 2 for each half of a surrogate pair. Exact for
/// well-formed input; a surrogate without its other half counts as U+FFFD, so
/// that it is exact for [`utf16_to_utf8_lossy`](crate::utf16_to_utf8_lossy)
/// too.
///
/// ```
/// assert_eq!(utfkit::utf8_len_from_utf16(&[0x61, 0xE9, 0x20AC, 0xD83C, 0xDF89]), 1 + 2 + 3 + 4);
/// ```
pub fn utf8_len_from_utf16(src: &[u16]) -> usize {
    count::utf8_len_from_utf16(src)
}

/// How many bytes of UTF-8 the UTF-32 in `src`, in native order, becomes.
/// Exact for well-formed input; a value above U+10FFFF counts as 4.
///
/// ```
/// assert_eq!(utfkit::utf8_len_from_utf32(&[0x61, 0x1F389]), 5);
/// ```
pub fn utf8_len_from_utf32(src: &[u32]) -> usize {
    4 * src.len() - total(BelowFour, bytes_of(src))
}

/// How many bytes of UTF-8 the ISO-8859-1 in `src` becomes: 2 for each byte
/// from 80, 1 for each other.
///
/// ```
/// assert_eq!(utfkit::utf8_len_from_latin1(b"caf\xE9"), 5);
/// ```
pub fn utf8_len_from_latin1(src: &[u8]) -> usize {
    src.len() + total(NonAscii, src)
}
