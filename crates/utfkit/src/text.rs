//! Everyday UTF-8: the functions of `core::str` and `String` that read bytes.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String, vec, vec::Vec};

use crate::error::Error;
use crate::standard::Standard;
use crate::validate::validate;
#[cfg(feature = "alloc")]
use crate::{convert::utf8_to_utf8_lossy, errors::errors};

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
    validate(bytes, Standard::Rfc3629)?;
    Ok(str_from_well_formed(bytes))
}

#[allow(unsafe_code)]
#[inline(always)]
fn str_from_well_formed(bytes: &[u8]) -> &str {
    debug_assert!(core::str::from_utf8(bytes).is_ok());
    // SAFETY: both callers pass what `validate` has found to be well-formed by
    // RFC 3629, which is what `str` asks for.
    unsafe { core::str::from_utf8_unchecked(bytes) }
}

/// `bytes` as a string, with U+FFFD for each maximal subpart of what is
/// ill-formed: what [`String::from_utf8_lossy`] answers. Allocates only if
/// something is ill-formed.
///
/// ```
/// assert_eq!(utfkit::from_utf8_lossy(b"caf\xE9!"), "caf\u{FFFD}!");
/// ```
#[cfg(feature = "alloc")]
pub fn from_utf8_lossy(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let faults = errors(bytes, Standard::Rfc3629);
    let len = faults.fold(bytes.len(), |len, fault| len + '\u{FFFD}'.len_utf8() - fault.len());
    let mut text = vec![0; len];
    let written = utf8_to_utf8_lossy(bytes, &mut text).unwrap_or_else(|e| e.written());
    text.truncate(written);
    Cow::Owned(string_from_well_formed(text))
}

#[cfg(feature = "alloc")]
#[allow(unsafe_code)]
fn string_from_well_formed(bytes: Vec<u8>) -> String {
    debug_assert!(core::str::from_utf8(&bytes).is_ok());
    // SAFETY: the caller passes whole characters that an encoder of RFC 3629
    // wrote, which is what `String` asks for.
    unsafe { String::from_utf8_unchecked(bytes) }
}
