//! Whether units are well-formed, and where the first fault is.

use crate::error::Error;
use crate::kernel::validate_utf8::well_formed_prefix;
use crate::kernel::{validate_utf16, validate_utf32};
use crate::memory::bytes_of;
use crate::scalar::bytes::Native;
use crate::scalar::utf16::Utf16;
use crate::scalar::utf32::Utf32;
use crate::scalar::{Decoded, Form, utf8};
use crate::standard::Standard;

/// Checks that `bytes` are UTF-8 as `standard` defines it.
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
/// ```
#[inline]
pub fn validate(bytes: &[u8], standard: Standard) -> Result<(), Error> {
    let sure = well_formed_prefix_of(bytes, standard);
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
    let sure = validate_utf16::well_formed_prefix::<Native>(bytes_of(src)) / size_of::<u16>();
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

/// How much of `bytes` is surely well-formed. What RFC 3629 allows, RFC 2279
/// and RFC 2044 allow as well.
#[inline(always)]
fn well_formed_prefix_of(bytes: &[u8], standard: Standard) -> usize {
    match standard {
        Standard::Rfc3629 | Standard::Rfc2279 | Standard::Rfc2044 => well_formed_prefix(bytes),
        Standard::Kuhn => 0,
    }
}

/// The first fault from `at` on, which is a boundary between characters and
/// where the kernel stopped.
#[cold]
fn utf8_fault(bytes: &[u8], mut at: usize, standard: Standard) -> Result<(), Error> {
    if standard == Standard::Kuhn {
        return first_fault(bytes, at, |src| utf8::decode(src, standard));
    }
    while at < bytes.len() {
        // The one sequence at which the kernel stopped.
        let Decoded::Value { len, .. } = utf8::decode(&bytes[at..], standard) else {
            return first_fault(bytes, at, |src| utf8::decode(src, standard));
        };
        at += len;
        at += well_formed_prefix_of(&bytes[at..], standard);
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
