//! The conversions whose result is a string.
//!
//! None validates what was just written: that it is UTF-8 rests on the encoder
//! of UTF-8, `engine/scalar/utf8.rs`, and on the kernels that write for it.

use alloc::borrow::Cow;
use alloc::{string::String, vec::Vec};
use core::fmt;

use crate::convert::conversion::{
    Conversion, LATIN1_TO_UTF8, UTF8_TO_UTF8_LOSSY, UTF16_TO_UTF8, UTF16_TO_UTF8_LOSSY, UTF32_TO_UTF8,
};
use crate::engine::memory::string_from_well_formed;
use crate::error::Error;
use crate::utf8::text::from_utf8;

/// UTF-16 in native order to a string, as [`String::from_utf16`].
///
/// # Errors
///
/// The first surrogate without its other half.
///
/// ```
/// assert_eq!(utfkit::utf16_to_string(&[0x41, 0xE9])?, "Aé");
/// # Ok::<(), utfkit::Error>(())
/// ```
#[inline]
pub fn utf16_to_string(src: &[u16]) -> Result<String, Error> {
    let bytes = UTF16_TO_UTF8.to_vec(src)?;
    // SAFETY: these are whole characters as the conversion to UTF-8 wrote them.
    Ok(unsafe { string_from_well_formed(bytes) })
}

/// UTF-16 in native order to a string, with U+FFFD for each surrogate without
/// its other half, as [`String::from_utf16_lossy`].
///
/// ```
/// assert_eq!(utfkit::utf16_to_string_lossy(&[0x41, 0xD800]), "A\u{FFFD}");
/// ```
#[inline]
pub fn utf16_to_string_lossy(src: &[u16]) -> String {
    let bytes = total(&UTF16_TO_UTF8_LOSSY, src);
    // SAFETY: these are whole characters as the conversion to UTF-8 wrote them.
    unsafe { string_from_well_formed(bytes) }
}

/// UTF-32 in native order to a string.
///
/// # Errors
///
/// The first value that is a surrogate or above U+10FFFF.
///
/// ```
/// assert_eq!(utfkit::utf32_to_string(&[0x41, 0x1F389])?, "A🎉");
/// # Ok::<(), utfkit::Error>(())
/// ```
#[inline]
pub fn utf32_to_string(src: &[u32]) -> Result<String, Error> {
    let bytes = UTF32_TO_UTF8.to_vec(src)?;
    // SAFETY: these are whole characters as the conversion to UTF-8 wrote them.
    Ok(unsafe { string_from_well_formed(bytes) })
}

/// ISO-8859-1 to a string.
///
/// ```
/// assert_eq!(utfkit::latin1_to_string(b"caf\xE9"), "café");
/// ```
#[inline]
pub fn latin1_to_string(src: &[u8]) -> String {
    let bytes = total(&LATIN1_TO_UTF8, src);
    // SAFETY: these are whole characters as the conversion to UTF-8 wrote them.
    unsafe { string_from_well_formed(bytes) }
}

/// `bytes` as a string, with U+FFFD for each maximal subpart of what is
/// ill-formed, as [`String::from_utf8_lossy`]. Allocates only if something is
/// ill-formed.
///
/// ```
/// assert_eq!(utfkit::from_utf8_lossy(b"caf\xE9!"), "caf\u{FFFD}!");
/// ```
#[doc(alias = "to_str_lossy")]
#[inline]
pub fn from_utf8_lossy(bytes: &[u8]) -> Cow<'_, str> {
    match from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(replaced(bytes)),
    }
}

/// A string that takes over the memory of `bytes`, as [`String::from_utf8`].
///
/// # Errors
///
/// The first ill-formed sequence, with the bytes.
///
/// ```
/// let text = utfkit::string_from_utf8(b"caf\xC3\xA9".to_vec())?;
/// assert_eq!(text, "café");
///
/// let e = utfkit::string_from_utf8(b"caf\xE9".to_vec()).unwrap_err();
/// assert_eq!(e.error().valid_up_to(), 3);
/// assert_eq!(e.into_bytes(), b"caf\xE9");
/// # Ok::<(), utfkit::FromUtf8Error>(())
/// ```
#[inline]
pub fn string_from_utf8(bytes: Vec<u8>) -> Result<String, FromUtf8Error> {
    match from_utf8(&bytes) {
        // SAFETY: they were just validated.
        Ok(_) => Ok(unsafe { string_from_well_formed(bytes) }),
        Err(error) => Err(FromUtf8Error { bytes, error }),
    }
}

/// The same with U+FFFD for each maximal subpart of what is ill-formed. Only
/// then it allocates.
///
/// ```
/// assert_eq!(utfkit::string_from_utf8_lossy(b"caf\xE9!".to_vec()), "caf\u{FFFD}!");
/// ```
#[doc(alias = "into_string_lossy")]
#[doc(alias = "from_utf8_lossy_owned")]
#[inline]
pub fn string_from_utf8_lossy(bytes: Vec<u8>) -> String {
    string_from_utf8(bytes).unwrap_or_else(|e| replaced(&e.bytes))
}

/// Runs a conversion that cannot fail.
#[inline]
fn total<S>(conversion: &Conversion<S, u8>, src: &[S]) -> Vec<u8> {
    let bytes = conversion.to_vec(src);
    debug_assert!(bytes.is_ok(), "{bytes:?}");
    bytes.unwrap_or_default()
}

/// `bytes` with U+FFFD for each maximal subpart of an ill-formed sequence.
#[cold]
#[inline(never)]
fn replaced(bytes: &[u8]) -> String {
    let bytes = total(&UTF8_TO_UTF8_LOSSY, bytes);
    // SAFETY: these are well-formed sequences that were copied, and U+FFFD.
    unsafe { string_from_well_formed(bytes) }
}

/// Bytes that are not UTF-8, and why: as
/// [`alloc::string::FromUtf8Error`].
///
/// ```
/// let failed = utfkit::string_from_utf8(b"caf\xE9".to_vec()).unwrap_err();
/// assert_eq!((failed.error().valid_up_to(), failed.as_bytes()), (3, &b"caf\xE9"[..]));
/// assert_eq!(failed.into_string_lossy(), "caf\u{FFFD}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FromUtf8Error {
    bytes: Vec<u8>,
    error: Error,
}

impl FromUtf8Error {
    /// What is ill-formed, and where.
    #[doc(alias = "utf8_error")]
    #[inline]
    pub fn error(&self) -> Error {
        self.error
    }

    /// The bytes.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes, without a copy.
    #[inline]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// A string, with U+FFFD for each maximal subpart of what is ill-formed.
    #[inline]
    pub fn into_string_lossy(self) -> String {
        replaced(&self.bytes)
    }
}

impl fmt::Display for FromUtf8Error {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl core::error::Error for FromUtf8Error {}
