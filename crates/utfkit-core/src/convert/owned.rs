//! The conversions with a vector of their own as the result, made in one
//! allocation of the right size.
//!
//! Each has the name of the one that writes into the caller's memory:
//!
//! ```
//! use utfkit::{owned, utf8_to_utf16};
//!
//! let mut units = [0; 2];
//! assert_eq!(utf8_to_utf16(b"A\xC3\xA9", &mut units)?, 2);
//! assert_eq!(owned::utf8_to_utf16(b"A\xC3\xA9")?, units);
//! # Ok::<(), utfkit::Error>(())
//! ```
//!
//! Strings are made by [`utf16_to_string`](crate::utf16_to_string),
//! [`utf32_to_string`](crate::utf32_to_string),
//! [`latin1_to_string`](crate::latin1_to_string) and
//! [`string_from_utf8`](crate::string_from_utf8).

use alloc::{vec, vec::Vec};

use crate::convert::length::*;
use crate::convert::slices;
use crate::error::Error;

/// The most that a result of unknown length grows by at once: what is filled
/// with zeros is still in the cache when it is overwritten. Less costs more by
/// the places where two pieces meet (measured on an EPYC of the fourth
/// generation: 32 KiB up to 20 % of the speed, 8 KiB up to 40 %), more gains
/// nothing up to 8 MiB.
pub(crate) const GROWTH: usize = 128 * 1024;

/// What `convert` writes into a vector of `len` units. The zeros of a large one
/// come from the operating system, which fills its pages anyway.
fn collect<T: Clone + Default>(
    len: usize,
    convert: impl FnOnce(&mut [T]) -> Result<usize, Error>,
) -> Result<Vec<T>, Error> {
    let mut units = vec![T::default(); len];
    let written = convert(&mut units)?;
    units.truncate(written);
    Ok(units)
}

/// The same for a conversion that nothing can stop: `len` is enough for it.
fn collect_all<T: Clone + Default>(len: usize, convert: impl FnOnce(&mut [T]) -> Result<usize, Error>) -> Vec<T> {
    let mut units = vec![T::default(); len];
    let written = convert(&mut units);
    debug_assert!(written.is_ok(), "{written:?}");
    units.truncate(written.unwrap_or_else(|e| e.written()));
    units
}

/// UTF-8 to UTF-16 in native order: [`utf8_to_utf16`](crate::utf8_to_utf16) into a vector.
///
/// # Errors
///
/// Those of [`utf8_to_utf16`](crate::utf8_to_utf16), except for [`OutputTooSmall`](crate::ErrorKind::OutputTooSmall).
///
/// ```
/// assert_eq!(utfkit::owned::utf8_to_utf16(b"A\xC3\xA9")?, [0x41, 0xE9]);
/// # Ok::<(), utfkit::Error>(())
/// ```
#[inline]
pub fn utf8_to_utf16(src: &[u8]) -> Result<Vec<u16>, Error> {
    collect(utf16_len_from_utf8(src), |dst| slices::utf8_to_utf16(src, dst))
}

/// UTF-8 to UTF-32 in native order: [`utf8_to_utf32`](crate::utf8_to_utf32) into a vector.
///
/// # Errors
///
/// Those of [`utf8_to_utf32`](crate::utf8_to_utf32), except for [`OutputTooSmall`](crate::ErrorKind::OutputTooSmall).
///
/// ```
/// assert_eq!(utfkit::owned::utf8_to_utf32(b"A\xC3\xA9")?, [0x41, 0xE9]);
/// # Ok::<(), utfkit::Error>(())
/// ```
#[inline]
pub fn utf8_to_utf32(src: &[u8]) -> Result<Vec<u32>, Error> {
    collect(count_code_points(src), |dst| slices::utf8_to_utf32(src, dst))
}

/// UTF-8 to ISO-8859-1: [`utf8_to_latin1`](crate::utf8_to_latin1) into a vector.
///
/// # Errors
///
/// Those of [`utf8_to_latin1`](crate::utf8_to_latin1), except for [`OutputTooSmall`](crate::ErrorKind::OutputTooSmall).
///
/// ```
/// assert_eq!(utfkit::owned::utf8_to_latin1(b"A\xC3\xA9")?, [0x41, 0xE9]);
/// # Ok::<(), utfkit::Error>(())
/// ```
#[inline]
pub fn utf8_to_latin1(src: &[u8]) -> Result<Vec<u8>, Error> {
    collect(count_code_points(src), |dst| slices::utf8_to_latin1(src, dst))
}

/// UTF-16 in native order to UTF-8: [`utf16_to_utf8`](crate::utf16_to_utf8) into a vector.
///
/// # Errors
///
/// Those of [`utf16_to_utf8`](crate::utf16_to_utf8), except for [`OutputTooSmall`](crate::ErrorKind::OutputTooSmall).
///
/// ```
/// assert_eq!(utfkit::owned::utf16_to_utf8(&[0x41, 0xE9])?, b"A\xC3\xA9");
/// # Ok::<(), utfkit::Error>(())
/// ```
#[inline]
pub fn utf16_to_utf8(src: &[u16]) -> Result<Vec<u8>, Error> {
    collect(utf8_len_from_utf16(src), |dst| slices::utf16_to_utf8(src, dst))
}

/// UTF-16 to UTF-32, both in native order: [`utf16_to_utf32`](crate::utf16_to_utf32) into a vector.
///
/// # Errors
///
/// Those of [`utf16_to_utf32`](crate::utf16_to_utf32), except for [`OutputTooSmall`](crate::ErrorKind::OutputTooSmall).
///
/// ```
/// assert_eq!(utfkit::owned::utf16_to_utf32(&[0xD84C, 0xDFB4])?, [0x233B4]);
/// # Ok::<(), utfkit::Error>(())
/// ```
#[inline]
pub fn utf16_to_utf32(src: &[u16]) -> Result<Vec<u32>, Error> {
    collect(src.len(), |dst| slices::utf16_to_utf32(src, dst))
}

/// UTF-16 in native order to ISO-8859-1: [`utf16_to_latin1`](crate::utf16_to_latin1) into a vector.
///
/// # Errors
///
/// Those of [`utf16_to_latin1`](crate::utf16_to_latin1), except for [`OutputTooSmall`](crate::ErrorKind::OutputTooSmall).
///
/// ```
/// assert_eq!(utfkit::owned::utf16_to_latin1(&[0x41, 0xE9])?, [0x41, 0xE9]);
/// # Ok::<(), utfkit::Error>(())
/// ```
#[inline]
pub fn utf16_to_latin1(src: &[u16]) -> Result<Vec<u8>, Error> {
    collect(src.len(), |dst| slices::utf16_to_latin1(src, dst))
}

/// UTF-32 in native order to UTF-8: [`utf32_to_utf8`](crate::utf32_to_utf8) into a vector.
///
/// # Errors
///
/// Those of [`utf32_to_utf8`](crate::utf32_to_utf8), except for [`OutputTooSmall`](crate::ErrorKind::OutputTooSmall).
///
/// ```
/// assert_eq!(utfkit::owned::utf32_to_utf8(&[0x41, 0xE9])?, b"A\xC3\xA9");
/// # Ok::<(), utfkit::Error>(())
/// ```
#[inline]
pub fn utf32_to_utf8(src: &[u32]) -> Result<Vec<u8>, Error> {
    collect(utf8_len_from_utf32(src), |dst| slices::utf32_to_utf8(src, dst))
}

/// UTF-32 to UTF-16, both in native order: [`utf32_to_utf16`](crate::utf32_to_utf16) into a vector.
///
/// # Errors
///
/// Those of [`utf32_to_utf16`](crate::utf32_to_utf16), except for [`OutputTooSmall`](crate::ErrorKind::OutputTooSmall).
///
/// ```
/// assert_eq!(utfkit::owned::utf32_to_utf16(&[0x233B4])?, [0xD84C, 0xDFB4]);
/// # Ok::<(), utfkit::Error>(())
/// ```
#[inline]
pub fn utf32_to_utf16(src: &[u32]) -> Result<Vec<u16>, Error> {
    collect(utf16_len_from_utf32(src), |dst| slices::utf32_to_utf16(src, dst))
}

/// UTF-32 in native order to ISO-8859-1: [`utf32_to_latin1`](crate::utf32_to_latin1) into a vector.
///
/// # Errors
///
/// Those of [`utf32_to_latin1`](crate::utf32_to_latin1), except for [`OutputTooSmall`](crate::ErrorKind::OutputTooSmall).
///
/// ```
/// assert_eq!(utfkit::owned::utf32_to_latin1(&[0x41, 0xE9])?, [0x41, 0xE9]);
/// # Ok::<(), utfkit::Error>(())
/// ```
#[inline]
pub fn utf32_to_latin1(src: &[u32]) -> Result<Vec<u8>, Error> {
    collect(src.len(), |dst| slices::utf32_to_latin1(src, dst))
}

/// ISO-8859-1 to UTF-16 in native order: [`latin1_to_utf16`](crate::latin1_to_utf16) into a vector.
///
/// ```
/// assert_eq!(utfkit::owned::latin1_to_utf16(b"A\xE9"), [0x41, 0xE9]);
/// ```
#[inline]
pub fn latin1_to_utf16(src: &[u8]) -> Vec<u16> {
    collect_all(src.len(), |dst| slices::latin1_to_utf16(src, dst))
}

/// ISO-8859-1 to UTF-32 in native order: [`latin1_to_utf32`](crate::latin1_to_utf32) into a vector.
///
/// ```
/// assert_eq!(utfkit::owned::latin1_to_utf32(b"A\xE9"), [0x41, 0xE9]);
/// ```
#[inline]
pub fn latin1_to_utf32(src: &[u8]) -> Vec<u32> {
    collect_all(src.len(), |dst| slices::latin1_to_utf32(src, dst))
}

/// ISO-8859-1 to UTF-8: [`latin1_to_utf8`](crate::latin1_to_utf8) into a vector.
///
/// ```
/// assert_eq!(utfkit::owned::latin1_to_utf8(b"A\xE9"), b"A\xC3\xA9");
/// ```
#[inline]
pub fn latin1_to_utf8(src: &[u8]) -> Vec<u8> {
    collect_all(utf8_len_from_latin1(src), |dst| slices::latin1_to_utf8(src, dst))
}

/// UTF-8 to UTF-16 in native order, with U+FFFD for each maximal subpart of
/// what is ill-formed: [`utf8_to_utf16_lossy`](crate::utf8_to_utf16_lossy) into a vector.
///
/// ```
/// assert_eq!(utfkit::owned::utf8_to_utf16_lossy(b"A\xE9"), [0x41, 0xFFFD]);
/// ```
#[inline]
pub fn utf8_to_utf16_lossy(src: &[u8]) -> Vec<u16> {
    collect_all(src.len(), |dst| slices::utf8_to_utf16_lossy(src, dst))
}

/// UTF-8 with U+FFFD for each maximal subpart of what is ill-formed: [`utf8_to_utf8_lossy`](crate::utf8_to_utf8_lossy) into a vector.
///
/// ```
/// assert_eq!(utfkit::owned::utf8_to_utf8_lossy(b"A\xE9"), "A\u{FFFD}".as_bytes());
/// ```
#[inline]
pub fn utf8_to_utf8_lossy(src: &[u8]) -> Vec<u8> {
    // How long it gets nobody knows before. Two bytes more for one in a hundred:
    // a second allocation, and what it moves, takes longer than all the rest.
    let mut text = vec![0; src.len() + src.len() / 32 + 16];
    let (mut read, mut written) = (0, 0);
    loop {
        match slices::utf8_to_utf8_lossy(&src[read..], &mut text[written..]) {
            Ok(more) => {
                text.truncate(written + more);
                return text;
            }
            // For lack of capacity, between two characters. Where more than
            // one byte in three is ill-formed, this comes again.
            Err(error) => {
                read += error.offset();
                written += error.written();
                text.resize(written + (src.len() - read).saturating_mul(2).min(GROWTH) + 16, 0);
            }
        }
    }
}

/// UTF-16 in native order to UTF-8, with U+FFFD for each surrogate without
/// its other half: [`utf16_to_utf8_lossy`](crate::utf16_to_utf8_lossy) into a vector.
///
/// ```
/// assert_eq!(utfkit::owned::utf16_to_utf8_lossy(&[0x41, 0xD800]), "A\u{FFFD}".as_bytes());
/// ```
#[inline]
pub fn utf16_to_utf8_lossy(src: &[u16]) -> Vec<u8> {
    collect_all(utf8_len_from_utf16(src), |dst| slices::utf16_to_utf8_lossy(src, dst))
}

/// A string to UTF-16 in native order. Nothing can go wrong: a `str` is
/// well-formed.
///
/// ```
/// assert_eq!(utfkit::owned::str_to_utf16("A\u{1F389}"), [0x41, 0xD83C, 0xDF89]);
/// ```
#[inline]
pub fn str_to_utf16(text: &str) -> Vec<u16> {
    collect_all(utf16_len_from_utf8(text.as_bytes()), |dst| slices::utf8_to_utf16(text.as_bytes(), dst))
}

/// A string to UTF-32 in native order, which nothing can stop either.
///
/// ```
/// assert_eq!(utfkit::owned::str_to_utf32("A\u{1F389}"), [0x41, 0x1F389]);
/// ```
#[inline]
pub fn str_to_utf32(text: &str) -> Vec<u32> {
    collect_all(count_code_points(text.as_bytes()), |dst| slices::utf8_to_utf32(text.as_bytes(), dst))
}
