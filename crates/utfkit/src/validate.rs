//! Whether units are well-formed, and where the first fault is.

use crate::error::Error;
use crate::kernel::validate_utf8::well_formed_prefix;
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
    let sure = match standard {
        Standard::Rfc3629 => well_formed_prefix(bytes),
        _ => 0,
    };
    if sure == bytes.len() { Ok(()) } else { utf8_fault(bytes, sure, standard) }
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
    first_fault(src, 0, Utf16::decode)
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
    first_fault(src, 0, Utf32::decode)
}

/// The first fault from `at` on, where nothing before is ill-formed.
#[cold]
fn utf8_fault(bytes: &[u8], at: usize, standard: Standard) -> Result<(), Error> {
    first_fault(bytes, at, |src| utf8::decode(src, standard))
}

/// The first fault from `at` on, which is a boundary between characters.
pub(crate) fn first_fault<U>(src: &[U], mut at: usize, decode: impl Fn(&[U]) -> Decoded) -> Result<(), Error> {
    while at < src.len() {
        match decode(&src[at..]) {
            Decoded::Value { len, .. } => at += len,
            Decoded::IllFormed { kind, len } => return Err(Error::new(at, len, kind)),
            Decoded::Unfinished { kind, len } => return Err(Error::unfinished(at, len, kind)),
        }
    }
    Ok(())
}
