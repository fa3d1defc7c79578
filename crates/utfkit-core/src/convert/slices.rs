//! Conversions between encoding forms in the caller's memory.
//!
//! Each function is the same two steps: a fast path (see
//! [`crate::engine::fast_path`]) takes the certain prefix, the scalar codecs
//! take the rest, which is empty unless something is ill-formed or does not fit.

use super::large;
use crate::engine::fast_path::{self, Convert, FastPath};
use crate::engine::kernel::{OnError, Packed, few, short_utf16_to_utf8, utf8_to_utf16, utf8_to_utf32, utf32_to_utf8};
use crate::engine::memory::{bytes_of, bytes_of_mut};
use crate::engine::scalar::bytes::{Native, Serial};
use crate::engine::scalar::latin1::Latin1;
use crate::engine::scalar::utf8::Utf8;
use crate::engine::scalar::utf16::Utf16;
use crate::engine::scalar::utf32::Utf32;
use crate::engine::scalar::{Decode, Encode};
use crate::engine::scalar::{Form, REPLACEMENT};
use crate::engine::simd::dispatch::has_masks;
use crate::engine::walk::{Stop, by_value, put};
use crate::error::{Error, ErrorKind};

/// The short ways read and write the least significant byte of a unit first, and have
/// nobody who swaps for them.
const IS_LITTLE: bool = cfg!(target_endian = "little");

/// One of the forms that are converted here, in native order.
struct End {
    /// The bytes of a unit are `1 << shift`: a division by what only the program
    /// knows would be felt by a short source.
    shift: u32,
    decode: Decode,
    encode: Encode,
}

type NativeUtf16 = Serial<Utf16, Native>;
type NativeUtf32 = Serial<Utf32, Native>;

static UTF8: End = End { shift: 0, decode: Utf8::decode, encode: Utf8::encode };
static UTF16: End = End { shift: 1, decode: NativeUtf16::decode, encode: NativeUtf16::encode };
static UTF32: End = End { shift: 2, decode: NativeUtf32::decode, encode: NativeUtf32::encode };
static LATIN1: End = End { shift: 0, decode: Latin1::decode, encode: Latin1::encode };

/// Converts by the fast path, and finds out by the scalar codecs what stopped
/// it. Inlined into each conversion, whose fast path is then called directly.
#[inline(always)]
fn convert(ends: (&End, &End), path: Convert, src: &[u8], dst: &mut [u8], on_error: OnError) -> Result<usize, Error> {
    let (from, to) = ends;
    if src.is_empty() {
        return Ok(0);
    }
    if cfg!(target_endian = "big") || large::is_large(src.len() >> from.shift, 1 << from.shift, 1 << to.shift) {
        return convert_large(ends, path, src, dst, on_error);
    }
    let done = path(src, dst, on_error);
    if done.is_all_of(src.len()) {
        Ok(done.unpack().written >> to.shift)
    } else {
        finish(ends, done, src, dst, on_error)
    }
}

/// The same for more than the caches hold, and for units that kernels do not
/// know.
#[inline(never)]
fn convert_large(
    (from, to): (&End, &End),
    path: Convert,
    src: &[u8],
    dst: &mut [u8],
    on_error: OnError,
) -> Result<usize, Error> {
    let sizes = (1 << from.shift, 1 << to.shift);
    let path = FastPath::native(path, sizes.0, sizes.1);
    let done = if large::is_large(src.len() >> from.shift, sizes.0, sizes.1) {
        large::convert(path, sizes.0, sizes.1, src, dst, on_error)
    } else {
        path.convert(src, dst, on_error)
    };
    finish((from, to), done.into(), src, dst, on_error)
}

/// Converts the rest after `done` value by value, up to what stops it.
#[inline(never)]
fn finish(
    (from, to): (&End, &End),
    done: Packed,
    src: &[u8],
    dst: &mut [u8],
    on_error: OnError,
) -> Result<usize, Error> {
    let mut done = done.unpack();
    while done.read < src.len() {
        let error = match by_value(from.decode, to.encode, src, dst, &mut done, src.len()) {
            None => break,
            Some(Stop::IllFormed { len, .. } | Stop::Unfinished { len, .. }) if on_error == OnError::Replace => {
                match (to.encode)(REPLACEMENT) {
                    Some(replacement) if put(replacement.as_slice(), dst, &mut done) => {
                        done.read += len;
                        continue;
                    }
                    _ => Error::new(done.read >> from.shift, 0, ErrorKind::OutputTooSmall),
                }
            }
            Some(Stop::IllFormed { kind, len }) => Error::new(done.read >> from.shift, len >> from.shift, kind),
            Some(Stop::Unfinished { kind, len }) => Error::unfinished(done.read >> from.shift, len >> from.shift, kind),
            Some(Stop::Lacking { len }) => {
                Error::new(done.read >> from.shift, len >> from.shift, ErrorKind::Unrepresentable)
            }
            Some(Stop::Full) => Error::new(done.read >> from.shift, 0, ErrorKind::OutputTooSmall),
        };
        return Err(error.with_written(done.written >> to.shift));
    }
    Ok(done.written >> to.shift)
}

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
    if src.is_empty() {
        return Ok(0);
    }
    let dst = bytes_of_mut(dst);
    if IS_LITTLE { utf8_to_utf16::short(src, dst, long_utf8_to_utf16) } else { long_utf8_to_utf16(src, dst) }
}

#[inline(never)]
fn long_utf8_to_utf16(src: &[u8], dst: &mut [u8]) -> Result<usize, Error> {
    convert((&UTF8, &UTF16), fast_path::long_utf8_to_utf16, src, dst, OnError::Stop)
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
    if src.is_empty() {
        return Ok(0);
    }
    let src = bytes_of(src);
    if IS_LITTLE { short_utf16_to_utf8::short(src, dst, long_utf16_to_utf8) } else { long_utf16_to_utf8(src, dst) }
}

#[inline(never)]
fn long_utf16_to_utf8(src: &[u8], dst: &mut [u8]) -> Result<usize, Error> {
    convert((&UTF16, &UTF8), fast_path::long_utf16_to_utf8, src, dst, OnError::Stop)
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
    if src.is_empty() {
        return Ok(0);
    }
    let dst = bytes_of_mut(dst);
    if IS_LITTLE { utf8_to_utf32::short(src, dst, long_utf8_to_utf32) } else { long_utf8_to_utf32(src, dst) }
}

#[inline(never)]
fn long_utf8_to_utf32(src: &[u8], dst: &mut [u8]) -> Result<usize, Error> {
    if IS_LITTLE
        && src.len() <= if has_masks() { few::UTF8 } else { few::UTF8_TO_UTF32 }
        && let Some(written) = few::utf8_to_utf32(src, dst)
    {
        return Ok(written);
    }
    convert((&UTF8, &UTF32), fast_path::utf8_to_utf32, src, dst, OnError::Stop)
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
    if src.is_empty() {
        return Ok(0);
    }
    let src = bytes_of(src);
    if IS_LITTLE { utf32_to_utf8::short(src, dst, long_utf32_to_utf8) } else { long_utf32_to_utf8(src, dst) }
}

#[inline(never)]
fn long_utf32_to_utf8(src: &[u8], dst: &mut [u8]) -> Result<usize, Error> {
    convert((&UTF32, &UTF8), fast_path::utf32_to_utf8, src, dst, OnError::Stop)
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
pub fn latin1_to_utf8(src: &[u8], dst: &mut [u8]) -> Result<usize, Error> {
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
    convert((&UTF8, &UTF16), fast_path::utf8_to_utf16, src, bytes_of_mut(dst), OnError::Replace)
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
    convert((&UTF16, &UTF8), fast_path::utf16_to_utf8, bytes_of(src), dst, OnError::Replace)
}

/// UTF-8 with U+FFFD for each maximal subpart of what is ill-formed. Returns
/// with the bytes written; three a byte are always enough.
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
