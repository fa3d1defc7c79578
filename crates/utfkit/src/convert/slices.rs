//! Conversions between encoding forms in the caller's memory.
//!
//! Each function is the same two steps: a row (see [`crate::engine::row`]) takes the
//! certain prefix, the scalar codecs take the rest, which is empty unless
//! something is ill-formed or does not fit.

use crate::convert::large;
use crate::engine::kernel::{OnFault, Progress, Replace, Stop, utf8_to_utf16, utf16_to_utf8};
use crate::engine::memory::{Plain, bytes_of, bytes_of_mut};
use crate::engine::row;
use crate::engine::scalar::bytes::Native;
use crate::engine::scalar::latin1::Latin1;
use crate::engine::scalar::utf8::Utf8;
use crate::engine::scalar::utf16::Utf16;
use crate::engine::scalar::utf32::Utf32;
use crate::engine::scalar::{Decoded, Form, REPLACEMENT};
use crate::error::{Error, ErrorKind};

/// Converts what is left of `src` behind `done`, one value at a time.
#[inline(never)]
fn finish<S: Form, D: Form, F: OnFault>(src: &[S::Unit], dst: &mut [D::Unit], done: Progress) -> Result<usize, Error> {
    let Progress { mut read, mut written, .. } = done;
    while read < src.len() {
        let (value, len) = match S::decode(&src[read..]) {
            Decoded::Value { value, len } => (value, len),
            Decoded::Shift { len } => {
                read += len;
                continue;
            }
            Decoded::IllFormed { len, .. } | Decoded::Unfinished { len, .. } if !F::STOP => (REPLACEMENT, len),
            Decoded::IllFormed { kind, len } => return Err(Error::new(read, len, kind).with_written(written)),
            Decoded::Unfinished { kind, len } => return Err(Error::unfinished(read, len, kind).with_written(written)),
        };
        let Some(units) = D::encode(value) else {
            return Err(Error::new(read, len, ErrorKind::Unrepresentable).with_written(written));
        };
        let units = units.as_slice();
        let Some(room) = dst.get_mut(written..written + units.len()) else {
            return Err(Error::new(read, 0, ErrorKind::OutputTooSmall).with_written(written));
        };
        room.copy_from_slice(units);
        read += len;
        written += units.len();
    }
    Ok(written)
}

/// Converts by `row`, and finds out by the scalar codecs what stopped it.
#[inline(always)]
fn convert<S: Form<Unit: Plain>, D: Form<Unit: Plain>, F: OnFault>(
    src: &[S::Unit],
    dst: &mut [D::Unit],
    row: impl Fn(&[u8], &mut [u8]) -> Progress,
) -> Result<usize, Error> {
    let (from, to) = (size_of::<S::Unit>(), size_of::<D::Unit>());
    let mut done = if large::is_large(src.len(), from, to) {
        large::convert(&row, from, to, bytes_of(src), bytes_of_mut(dst))
    } else {
        row(bytes_of(src), bytes_of_mut(dst))
    };
    done.read /= size_of::<S::Unit>();
    done.written /= size_of::<D::Unit>();
    if done.read == src.len() { Ok(done.written) } else { finish::<S, D, F>(src, dst, done) }
}

/// UTF-8 to UTF-16 in native order. Answers with the units written.
///
/// # Errors
///
/// The first ill-formed sequence (RFC 3629 section 4), or
/// [`OutputTooSmall`](ErrorKind::OutputTooSmall) at the first character that
/// finds no room, whichever comes first in `src`. `dst` needs
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
    match utf8_to_utf16::short::<Native>(src, bytes_of_mut(dst)) {
        Some(written) => Ok(written / 2),
        None => long_utf8_to_utf16(src, dst),
    }
}

/// What is not short or not well-formed. Out of line: a short source is not to
/// bear what it needs.
#[inline(never)]
fn long_utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> Result<usize, Error> {
    convert::<Utf8, Utf16, Stop>(src, dst, row::long_utf8_to_utf16::<Native, Stop>)
}

/// UTF-16 in native order to UTF-8. Answers with the bytes written.
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
    match utf16_to_utf8::short::<Native>(bytes_of(src), dst) {
        Some(written) => Ok(written),
        None => long_utf16_to_utf8(src, dst),
    }
}

/// What is not short or not well-formed, out of line as well.
#[inline(never)]
fn long_utf16_to_utf8(src: &[u16], dst: &mut [u8]) -> Result<usize, Error> {
    convert::<Utf16, Utf8, Stop>(src, dst, row::long_utf16_to_utf8::<Native, Stop>)
}

/// UTF-8 to UTF-32 in native order. Answers with the units written.
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
pub fn utf8_to_utf32(src: &[u8], dst: &mut [u32]) -> Result<usize, Error> {
    convert::<Utf8, Utf32, Stop>(src, dst, row::utf8_to_utf32::<Native, Stop>)
}

/// UTF-32 in native order to UTF-8. Answers with the bytes written.
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
pub fn utf32_to_utf8(src: &[u32], dst: &mut [u8]) -> Result<usize, Error> {
    convert::<Utf32, Utf8, Stop>(src, dst, row::utf32_to_utf8::<Native, Stop>)
}

/// UTF-16 to UTF-32, both in native order. Answers with the units written.
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
    convert::<Utf16, Utf32, Stop>(src, dst, row::utf16_to_utf32::<Native, Native, Stop>)
}

/// UTF-32 to UTF-16, both in native order. Answers with the units written.
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
    convert::<Utf32, Utf16, Stop>(src, dst, row::utf32_to_utf16::<Native, Native, Stop>)
}

/// ISO-8859-1 to UTF-8. Answers with the bytes written.
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
    convert::<Latin1, Utf8, Stop>(src, dst, row::latin1_to_utf8::<Stop>)
}

/// UTF-8 to ISO-8859-1. Answers with the bytes written.
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
    convert::<Utf8, Latin1, Stop>(src, dst, row::utf8_to_latin1)
}

/// ISO-8859-1 to UTF-16 in native order. Answers with the units written.
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
    convert::<Latin1, Utf16, Stop>(src, dst, row::latin1_to_utf16::<Native, Stop>)
}

/// UTF-16 in native order to ISO-8859-1. Answers with the bytes written.
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
    convert::<Utf16, Latin1, Stop>(src, dst, row::utf16_to_latin1::<Native>)
}

/// ISO-8859-1 to UTF-32 in native order. Answers with the units written.
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
    convert::<Latin1, Utf32, Stop>(src, dst, row::latin1_to_utf32::<Native, Stop>)
}

/// UTF-32 in native order to ISO-8859-1. Answers with the bytes written.
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
    convert::<Utf32, Latin1, Stop>(src, dst, row::utf32_to_latin1::<Native>)
}

/// UTF-8 to UTF-16 in native order, with U+FFFD for each maximal subpart of
/// what is ill-formed (Unicode Standard section 3.9). Answers with the units
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
    convert::<Utf8, Utf16, Replace>(src, dst, row::utf8_to_utf16::<Native, Replace>)
}

/// UTF-16 in native order to UTF-8, with U+FFFD for each surrogate without its
/// other half. Answers with the bytes written; three a unit are always enough.
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
    convert::<Utf16, Utf8, Replace>(src, dst, row::utf16_to_utf8::<Native, Replace>)
}

/// UTF-8 with U+FFFD for each maximal subpart of what is ill-formed. Answers
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
    convert::<Utf8, Utf8, Replace>(src, dst, row::utf8_to_utf8::<Replace>)
}
