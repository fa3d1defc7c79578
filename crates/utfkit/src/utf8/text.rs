//! Everyday UTF-8: the functions of `core::str` and `String` that read bytes.

#[cfg(feature = "alloc")]
use alloc::borrow::Cow;

use crate::engine::memory::str_from_well_formed;
use crate::error::Error;
use crate::utf8::validate::validate_rfc3629;
#[cfg(feature = "alloc")]
use crate::{convert::owned::utf8_to_utf8_lossy_to_vec, engine::memory::string_from_well_formed};

/// `bytes` as a string, if they are UTF-8 (RFC 3629).
///
/// # Errors
///
/// The first ill-formed sequence. `valid_up_to` and `error_len` are what
/// [`core::str::from_utf8`] says.
///
/// ```
/// assert_eq!(utfkit::from_utf8("Grüße".as_bytes()), Ok("Grüße"));
/// ```
#[inline]
pub fn from_utf8(bytes: &[u8]) -> Result<&str, Error> {
    validate_rfc3629(bytes)?;
    Ok(str_from_well_formed(bytes))
}

/// `bytes` as a string, with U+FFFD for each maximal subpart of what is
/// ill-formed: what [`String::from_utf8_lossy`] answers. Allocates only if
/// something is ill-formed.
///
/// [`String::from_utf8_lossy`]: alloc::string::String::from_utf8_lossy
///
/// ```
/// assert_eq!(utfkit::from_utf8_lossy(b"caf\xE9!"), "caf\u{FFFD}!");
/// ```
#[cfg(feature = "alloc")]
pub fn from_utf8_lossy(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(string_from_well_formed(utf8_to_utf8_lossy_to_vec(bytes)))
}

/// As much of the front of `bytes` as is well-formed.
#[cfg(feature = "legacy")]
pub(crate) fn well_formed_front(bytes: &[u8]) -> &str {
    let front = |error: Error| from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
    from_utf8(bytes).unwrap_or_else(front)
}
