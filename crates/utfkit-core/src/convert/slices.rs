//! Conversions between encoding forms in the caller's memory.
//!
//! Each function is the same two steps: a fast path (see
//! [`crate::engine::fast_path`]) takes the certain prefix, the scalar codecs
//! take the rest, which is empty unless something is ill-formed or does not fit.

use super::driver::{LATIN1, UTF8, UTF16, UTF32, convert, scarce, short};
use crate::engine::fast_path;
use crate::engine::kernel;
use crate::engine::memory::{bytes_of, bytes_of_mut};
use crate::engine::progress::OnError;
use crate::error::Error;
#[cfg(doc)]
use utfkit_forms::ErrorKind;
use utfkit_forms::scalar;

/// UTF-8 to UTF-16 in native order. Returns the units written.
///
/// # Errors
///
/// The first ill-formed sequence (RFC 3629 section 4), or
/// [`OutputTooSmall`](ErrorKind::OutputTooSmall) at the first character that
/// does not fit, whichever comes first in `src`. `dst` needs
/// [`utf16_len_from_utf8`](crate::utf16_len_from_utf8) units, never more than
/// one a byte.
///
/// # Cost
///
/// One pass, no allocation.
///
/// ```
/// let mut dst = [0; 8];
/// let n = utfkit::utf8_to_utf16("A≢Α.".as_bytes(), &mut dst)?;
/// assert_eq!(dst[..n], [0x0041, 0x2262, 0x0391, 0x002E]); // RFC 3629 section 7
/// # Ok::<(), utfkit::Error>(())
/// ```
#[inline]
pub fn utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> Result<usize, Error> {
    match short(src, dst, scalar::short::utf8_to_utf16, kernel::utf8_to_utf16::short) {
        Some(written) => Ok(written),
        None => long_utf8_to_utf16(src, dst),
    }
}

#[inline(never)]
fn long_utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> Result<usize, Error> {
    if let Some(written) = scarce(src, dst, kernel::utf8_to_utf16::short) {
        return Ok(written);
    }
    convert((&UTF8, &UTF16), fast_path::utf8_to_utf16, src, bytes_of_mut(dst), OnError::Stop)
}

/// UTF-16 in native order to UTF-8. Returns the bytes written.
///
/// # Errors
///
/// The first surrogate without its other half, or
/// [`OutputTooSmall`](ErrorKind::OutputTooSmall). `dst` needs
/// [`utf8_len_from_utf16`](crate::utf8_len_from_utf16) bytes, never more than
/// three a unit.
///
/// ```
/// let mut dst = [0; 8];
/// let n = utfkit::utf16_to_utf8(&[0xD84C, 0xDFB4], &mut dst)?;
/// assert_eq!(dst[..n], [0xF0, 0xA3, 0x8E, 0xB4]); // U+233B4, RFC 3629 section 7
/// # Ok::<(), utfkit::Error>(())
/// ```
#[inline]
pub fn utf16_to_utf8(src: &[u16], dst: &mut [u8]) -> Result<usize, Error> {
    match short(src, dst, scalar::short::utf16_to_utf8, kernel::utf16_to_utf8::short) {
        Some(written) => Ok(written),
        None => long_utf16_to_utf8(src, dst),
    }
}

#[inline(never)]
fn long_utf16_to_utf8(src: &[u16], dst: &mut [u8]) -> Result<usize, Error> {
    if let Some(written) = scarce(src, dst, kernel::utf16_to_utf8::short) {
        return Ok(written);
    }
    convert((&UTF16, &UTF8), fast_path::utf16_to_utf8, bytes_of(src), dst, OnError::Stop)
}

/// [`utf16_to_utf8`] of text without surrogates. `None` if there is one, paired or not, or if the text does not fit. For
/// strings in which two surrogates in a row are two characters, as in Python's.
#[doc(hidden)]
pub fn ucs2_to_utf8(src: &[u16], dst: &mut [u8]) -> Option<usize> {
    let is_little = cfg!(target_endian = "little");
    let (read, written) = if is_little { kernel::utf16_to_utf8::ucs2_to_utf8(bytes_of(src), dst) } else { (0, 0) };
    match &src[read / 2..] {
        [] => Some(written),
        rest => Some(written + scalar::short::ucs2_to_utf8(rest, &mut dst[written..])?),
    }
}

/// UTF-8 to UTF-32 in native order. Returns the units written.
///
/// # Errors
///
/// The first ill-formed sequence, or
/// [`OutputTooSmall`](ErrorKind::OutputTooSmall). `dst` needs
/// [`count_code_points`](crate::count_code_points) units.
///
/// ```
/// let mut dst = [0; 3];
/// let n = utfkit::utf8_to_utf32("日本語".as_bytes(), &mut dst)?;
/// assert_eq!(dst[..n], [0x65E5, 0x672C, 0x8A9E]); // RFC 3629 section 7
/// # Ok::<(), utfkit::Error>(())
/// ```
#[inline]
pub fn utf8_to_utf32(src: &[u8], dst: &mut [u32]) -> Result<usize, Error> {
    match short(src, dst, scalar::short::utf8_to_utf32, kernel::utf8_to_utf32::short) {
        Some(written) => Ok(written),
        None => long_utf8_to_utf32(src, dst),
    }
}

#[inline(never)]
fn long_utf8_to_utf32(src: &[u8], dst: &mut [u32]) -> Result<usize, Error> {
    if let Some(written) = scarce(src, dst, kernel::utf8_to_utf32::short) {
        return Ok(written);
    }
    convert((&UTF8, &UTF32), fast_path::utf8_to_utf32, src, bytes_of_mut(dst), OnError::Stop)
}

/// UTF-32 in native order to UTF-8. Returns the bytes written.
///
/// # Errors
///
/// The first value that is a [`Surrogate`](ErrorKind::Surrogate) or
/// [`TooLarge`](ErrorKind::TooLarge), or
/// [`OutputTooSmall`](ErrorKind::OutputTooSmall). `dst` needs
/// [`utf8_len_from_utf32`](crate::utf8_len_from_utf32) bytes.
///
/// ```
/// let mut dst = [0; 8];
/// let n = utfkit::utf32_to_utf8(&[0x2262, 0x391], &mut dst)?;
/// assert_eq!(&dst[..n], "≢Α".as_bytes());
/// # Ok::<(), utfkit::Error>(())
/// ```
#[inline]
pub fn utf32_to_utf8(src: &[u32], dst: &mut [u8]) -> Result<usize, Error> {
    match short(src, dst, scalar::short::utf32_to_utf8, kernel::utf32_to_utf8::short) {
        Some(written) => Ok(written),
        None => long_utf32_to_utf8(src, dst),
    }
}

#[inline(never)]
fn long_utf32_to_utf8(src: &[u32], dst: &mut [u8]) -> Result<usize, Error> {
    if let Some(written) = scarce(src, dst, kernel::utf32_to_utf8::short) {
        return Ok(written);
    }
    convert((&UTF32, &UTF8), fast_path::utf32_to_utf8, bytes_of(src), dst, OnError::Stop)
}

/// UTF-16 to UTF-32, both in native order. Returns the units written.
///
/// # Errors
///
/// The first surrogate without its other half, or
/// [`OutputTooSmall`](ErrorKind::OutputTooSmall); a unit a unit is always
/// enough.
///
/// ```
/// let mut dst = [0; 2];
/// let n = utfkit::utf16_to_utf32(&[0xD84C, 0xDFB4], &mut dst)?;
/// assert_eq!(dst[..n], [0x233B4]);
/// # Ok::<(), utfkit::Error>(())
/// ```
pub fn utf16_to_utf32(src: &[u16], dst: &mut [u32]) -> Result<usize, Error> {
    convert((&UTF16, &UTF32), fast_path::utf16_to_utf32, bytes_of(src), bytes_of_mut(dst), OnError::Stop)
}

/// UTF-32 to UTF-16, both in native order. Returns the units written.
///
/// # Errors
///
/// The first value that is a [`Surrogate`](ErrorKind::Surrogate) or
/// [`TooLarge`](ErrorKind::TooLarge), or
/// [`OutputTooSmall`](ErrorKind::OutputTooSmall); two units a unit are always
/// enough.
///
/// ```
/// let mut dst = [0; 2];
/// let n = utfkit::utf32_to_utf16(&[0x233B4], &mut dst)?;
/// assert_eq!(dst[..n], [0xD84C, 0xDFB4]);
/// # Ok::<(), utfkit::Error>(())
/// ```
pub fn utf32_to_utf16(src: &[u32], dst: &mut [u16]) -> Result<usize, Error> {
    convert((&UTF32, &UTF16), fast_path::utf32_to_utf16, bytes_of(src), bytes_of_mut(dst), OnError::Stop)
}

/// ISO-8859-1 to UTF-8. Returns the bytes written.
///
/// # Errors
///
/// Only [`OutputTooSmall`](ErrorKind::OutputTooSmall). `dst` needs
/// [`utf8_len_from_latin1`](crate::utf8_len_from_latin1) bytes, never more
/// than two a byte.
///
/// ```
/// let mut dst = [0; 8];
/// let n = utfkit::latin1_to_utf8(b"caf\xE9", &mut dst)?;
/// assert_eq!(&dst[..n], "café".as_bytes());
/// # Ok::<(), utfkit::Error>(())
/// ```
#[inline]
pub fn latin1_to_utf8(src: &[u8], dst: &mut [u8]) -> Result<usize, Error> {
    match kernel::latin1::short_to_utf8(src, dst) {
        Some(written) => Ok(written),
        None => long_latin1_to_utf8(src, dst),
    }
}

#[inline(never)]
fn long_latin1_to_utf8(src: &[u8], dst: &mut [u8]) -> Result<usize, Error> {
    convert((&LATIN1, &UTF8), fast_path::latin1_to_utf8, src, dst, OnError::Stop)
}

/// UTF-8 to ISO-8859-1. Returns the bytes written.
///
/// # Errors
///
/// The first ill-formed sequence, the first character above U+00FF
/// ([`Unrepresentable`](ErrorKind::Unrepresentable)), or
/// [`OutputTooSmall`](ErrorKind::OutputTooSmall). `dst` needs
/// [`count_code_points`](crate::count_code_points) bytes.
///
/// ```
/// let mut dst = [0; 8];
/// let n = utfkit::utf8_to_latin1("café".as_bytes(), &mut dst)?;
/// assert_eq!(&dst[..n], b"caf\xE9");
/// # Ok::<(), utfkit::Error>(())
/// ```
pub fn utf8_to_latin1(src: &[u8], dst: &mut [u8]) -> Result<usize, Error> {
    convert((&UTF8, &LATIN1), fast_path::utf8_to_latin1, src, dst, OnError::Stop)
}

/// ISO-8859-1 to UTF-16 in native order. Returns the units written.
///
/// # Errors
///
/// Only [`OutputTooSmall`](ErrorKind::OutputTooSmall), if `dst` is shorter
/// than `src`.
///
/// ```
/// let mut dst = [0; 4];
/// utfkit::latin1_to_utf16(b"caf\xE9", &mut dst)?;
/// assert_eq!(dst, [0x63, 0x61, 0x66, 0xE9]);
/// # Ok::<(), utfkit::Error>(())
/// ```
pub fn latin1_to_utf16(src: &[u8], dst: &mut [u16]) -> Result<usize, Error> {
    convert((&LATIN1, &UTF16), fast_path::latin1_to_utf16, src, bytes_of_mut(dst), OnError::Stop)
}

/// UTF-16 in native order to ISO-8859-1. Returns the bytes written.
///
/// # Errors
///
/// The first surrogate without its other half, the first character above
/// U+00FF ([`Unrepresentable`](ErrorKind::Unrepresentable)), or
/// [`OutputTooSmall`](ErrorKind::OutputTooSmall).
///
/// ```
/// let mut dst = [0; 4];
/// utfkit::utf16_to_latin1(&[0x63, 0x61, 0x66, 0xE9], &mut dst)?;
/// assert_eq!(&dst, b"caf\xE9");
/// # Ok::<(), utfkit::Error>(())
/// ```
pub fn utf16_to_latin1(src: &[u16], dst: &mut [u8]) -> Result<usize, Error> {
    convert((&UTF16, &LATIN1), fast_path::utf16_to_latin1, bytes_of(src), dst, OnError::Stop)
}

/// ISO-8859-1 to UTF-32 in native order. Returns the units written.
///
/// # Errors
///
/// Only [`OutputTooSmall`](ErrorKind::OutputTooSmall), if `dst` is shorter
/// than `src`.
///
/// ```
/// let mut dst = [0; 4];
/// utfkit::latin1_to_utf32(b"caf\xE9", &mut dst)?;
/// assert_eq!(dst, [0x63, 0x61, 0x66, 0xE9]);
/// # Ok::<(), utfkit::Error>(())
/// ```
pub fn latin1_to_utf32(src: &[u8], dst: &mut [u32]) -> Result<usize, Error> {
    convert((&LATIN1, &UTF32), fast_path::latin1_to_utf32, src, bytes_of_mut(dst), OnError::Stop)
}

/// UTF-32 in native order to ISO-8859-1. Returns the bytes written.
///
/// # Errors
///
/// The first value that is a [`Surrogate`](ErrorKind::Surrogate) or
/// [`TooLarge`](ErrorKind::TooLarge), the first character above U+00FF
/// ([`Unrepresentable`](ErrorKind::Unrepresentable)), or
/// [`OutputTooSmall`](ErrorKind::OutputTooSmall).
///
/// ```
/// let e = utfkit::utf32_to_latin1(&[0xE9, 0x20AC], &mut [0; 4]).unwrap_err();
/// assert_eq!((e.kind(), e.offset(), e.written()), (utfkit::ErrorKind::Unrepresentable, 1, 1));
/// ```
pub fn utf32_to_latin1(src: &[u32], dst: &mut [u8]) -> Result<usize, Error> {
    convert((&UTF32, &LATIN1), fast_path::utf32_to_latin1, bytes_of(src), dst, OnError::Stop)
}

/// UTF-8 to UTF-16 in native order, with U+FFFD for each maximal subpart of
/// what is ill-formed (Unicode Standard section 3.9). Returns the units
/// written; one a byte is always enough.
///
/// # Errors
///
/// Only [`OutputTooSmall`](ErrorKind::OutputTooSmall).
///
/// ```
/// let mut dst = [0; 8];
/// let n = utfkit::utf8_to_utf16_lossy(b"a\xF0\x9F\x92b", &mut dst)?;
/// assert_eq!(dst[..n], [0x61, 0xFFFD, 0x62]);
/// # Ok::<(), utfkit::Error>(())
/// ```
pub fn utf8_to_utf16_lossy(src: &[u8], dst: &mut [u16]) -> Result<usize, Error> {
    match short(src, dst, scalar::short::utf8_to_utf16, kernel::utf8_to_utf16::short) {
        Some(written) => Ok(written),
        None => convert((&UTF8, &UTF16), fast_path::utf8_to_utf16, src, bytes_of_mut(dst), OnError::Replace),
    }
}

/// UTF-16 in native order to UTF-8, with U+FFFD for each surrogate without its
/// other half. Returns the bytes written; three a unit are always enough.
///
/// # Errors
///
/// Only [`OutputTooSmall`](ErrorKind::OutputTooSmall).
///
/// ```
/// let mut dst = [0; 8];
/// let n = utfkit::utf16_to_utf8_lossy(&[0x61, 0xD800, 0x62], &mut dst)?;
/// assert_eq!(&dst[..n], "a\u{FFFD}b".as_bytes());
/// # Ok::<(), utfkit::Error>(())
/// ```
pub fn utf16_to_utf8_lossy(src: &[u16], dst: &mut [u8]) -> Result<usize, Error> {
    match short(src, dst, scalar::short::utf16_to_utf8, kernel::utf16_to_utf8::short) {
        Some(written) => Ok(written),
        None => convert((&UTF16, &UTF8), fast_path::utf16_to_utf8, bytes_of(src), dst, OnError::Replace),
    }
}

/// UTF-8 with U+FFFD for each maximal subpart of what is ill-formed. Returns
/// the bytes written; three a byte are always enough.
///
/// # Errors
///
/// Only [`OutputTooSmall`](ErrorKind::OutputTooSmall).
///
/// ```
/// let mut dst = [0; 8];
/// let n = utfkit::utf8_to_utf8_lossy(b"a\xC0\xAF", &mut dst)?;
/// assert_eq!(&dst[..n], "a\u{FFFD}\u{FFFD}".as_bytes());
/// # Ok::<(), utfkit::Error>(())
/// ```
pub fn utf8_to_utf8_lossy(src: &[u8], dst: &mut [u8]) -> Result<usize, Error> {
    convert((&UTF8, &UTF8), fast_path::utf8_to_utf8, src, dst, OnError::Replace)
}
