//! Whether units are well-formed, and where the first fault is.

use crate::engine::kernel::validate_utf8::well_formed_prefix;
use crate::engine::kernel::{validate_utf16, validate_utf32};
use crate::engine::memory::bytes_of;
use crate::engine::scalar::utf16::Utf16;
use crate::engine::scalar::utf32::Utf32;
use crate::engine::scalar::{Decoded, Form, utf8};
use crate::error::Error;
use crate::standard::Standard;
use crate::utf8::noncharacter::first_noncharacter;

/// Checks that `bytes` are UTF-8 as `standard` defines it.
///
/// The speed is that of RFC 3629 for every standard, less a second look at the
/// bytes for [`Standard::Kuhn`] and [`Standard::NoNoncharacters`]. What only
/// RFC 2279 and RFC 2044 allow is read value by value.
///
/// # Errors
///
/// The first ill-formed sequence: offset, length of its maximal subpart, kind.
///
/// ```
/// use utfkit::{ErrorKind, Standard, validate};
///
/// let e = validate(b"/\xC0\xAE./", Standard::Rfc3629).unwrap_err(); // RFC 3629 section 10
/// assert_eq!((e.offset(), e.len(), e.kind()), (1, 1, ErrorKind::Overlong));
/// assert!(validate(b"\xFD\xBF\xBF\xBF\xBF\xBF", Standard::Rfc2279).is_ok());
///
/// let e = validate("a\u{FDD0}".as_bytes(), Standard::NoNoncharacters).unwrap_err();
/// assert_eq!((e.offset(), e.len(), e.kind()), (1, 3, ErrorKind::Noncharacter));
/// ```
#[inline]
pub fn validate(bytes: &[u8], standard: Standard) -> Result<(), Error> {
    if standard.refuses_noncharacters() {
        return validate_without_noncharacters(bytes, standard);
    }
    // What RFC 3629 allows, RFC 2279 and RFC 2044 allow as well.
    let sure = well_formed_prefix(bytes);
    if sure == bytes.len() { Ok(()) } else { utf8_fault(bytes, sure, standard) }
}

/// [`validate`] by RFC 3629, always in the caller's own code: a short source
/// feels a call more.
#[inline(always)]
pub(crate) fn validate_rfc3629(bytes: &[u8]) -> Result<(), Error> {
    let sure = well_formed_prefix(bytes);
    if sure == bytes.len() { Ok(()) } else { utf8_fault(bytes, sure, Standard::Rfc3629) }
}

/// Checks that `src`, in native order, is UTF-16: every surrogate has its
/// other half (RFC 2781 section 2.2).
///
/// # Errors
///
/// The first surrogate without; its `error_len` is `None` if it is a high one
/// at the end of `src`.
///
/// ```
/// let e = utfkit::validate_utf16(&[0x61, 0xDC00]).unwrap_err();
/// assert_eq!((e.offset(), e.kind()), (1, utfkit::ErrorKind::UnpairedSurrogate));
/// ```
pub fn validate_utf16(src: &[u16]) -> Result<(), Error> {
    let sure = validate_utf16::well_formed_prefix(bytes_of(src)) / size_of::<u16>();
    if sure == src.len() { Ok(()) } else { first_fault(src, sure, Utf16::decode) }
}

/// Checks that `src`, in native order, is UTF-32: no surrogates, nothing above
/// U+10FFFF (Unicode Standard, D90).
///
/// # Errors
///
/// The first value that is one or the other.
///
/// ```
/// let e = utfkit::validate_utf32(&[0x61, 0x11_0000]).unwrap_err();
/// assert_eq!((e.offset(), e.kind()), (1, utfkit::ErrorKind::TooLarge));
/// ```
pub fn validate_utf32(src: &[u32]) -> Result<(), Error> {
    let sure = validate_utf32::well_formed_prefix(src);
    if sure == src.len() { Ok(()) } else { first_fault(src, sure, Utf32::decode) }
}

/// The bytes that are looked through for noncharacters while they are still in
/// the first cache from their validation, and those to begin with: where one
/// thing is wrong the next may be near, and a caller who goes on behind each
/// fault should not pay for all that lies beyond the next one.
const PIECE: usize = 16 * 1024;
const FIRST_PIECE: usize = 256;

/// [`validate`] by a standard that refuses noncharacters: RFC 3629's kernel,
/// then a look for noncharacters, piece by piece.
#[inline(never)]
fn validate_without_noncharacters(bytes: &[u8], standard: Standard) -> Result<(), Error> {
    let (mut at, mut piece) = (0, FIRST_PIECE);
    while at < bytes.len() {
        let end = piece_end(bytes, at, piece);
        let sure = at + well_formed_prefix(&bytes[at..end]);
        if let Some(before) = first_noncharacter(&bytes[at..sure], standard) {
            return first_fault(bytes, at + before, |src| utf8::decode(src, standard));
        }
        if sure < end {
            return first_fault(bytes, sure, |src| utf8::decode(src, standard));
        }
        (at, piece) = (end, PIECE.min(4 * piece));
    }
    Ok(())
}

/// Where a piece of about `len` bytes ends that begins at `at` and cuts no
/// character: behind it stands no continuation byte. Where four of those follow
/// each other any cut will do, as the last of them belongs to no character that
/// begins before the piece's end.
fn piece_end(bytes: &[u8], at: usize, len: usize) -> usize {
    let end = at + len;
    if end >= bytes.len() {
        return bytes.len();
    }
    (end - 3..=end).rev().find(|&end| !utf8::is_continuation(bytes[end])).unwrap_or(end)
}

/// The most bytes that are decoded value by value before the kernel is asked
/// again.
const LONGEST_WALK: usize = 256;

/// The first fault from `at` on, which is a boundary between characters and
/// where the kernel stopped: at a fault of RFC 3629.
#[cold]
fn utf8_fault(bytes: &[u8], mut at: usize, standard: Standard) -> Result<(), Error> {
    // What only the older standards allow seldom comes alone: where the kernel
    // does not come far, the walk to its next start becomes longer.
    let mut walk = 1;
    while at < bytes.len() {
        let until = bytes.len().min(at + walk);
        while at < until {
            if bytes[at].is_ascii() {
                at += 1;
                continue;
            }
            match utf8::decode(&bytes[at..], standard) {
                Decoded::Value { len, .. } => at += len,
                _ => return first_fault(bytes, at, |src| utf8::decode(src, standard)),
            }
        }
        let sure = well_formed_prefix(&bytes[at..]);
        at += sure;
        walk = if sure < LONGEST_WALK { LONGEST_WALK.min(4 * walk) } else { 1 };
    }
    Ok(())
}

/// The first fault from `at` on, which is a boundary between characters.
pub(crate) fn first_fault<U>(src: &[U], mut at: usize, decode: impl Fn(&[U]) -> Decoded) -> Result<(), Error> {
    while at < src.len() {
        match decode(&src[at..]) {
            Decoded::Value { len, .. } | Decoded::Shift { len } => at += len,
            Decoded::IllFormed { kind, len } => return Err(Error::new(at, len, kind)),
            Decoded::Unfinished { kind, len } => return Err(Error::unfinished(at, len, kind)),
        }
    }
    Ok(())
}
