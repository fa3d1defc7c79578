//! Conversions that return a string.
//!
//! None validates its output again: it is UTF-8 because the encoder
//! `engine/scalar/utf8.rs` and the kernels wrote it.

use alloc::borrow::Cow;
use alloc::{string::String, vec::Vec};
use core::fmt;

use crate::convert::conversion::{
    Conversion, LATIN1_TO_UTF8, UTF8_TO_UTF8_LOSSY, UTF16_TO_UTF8, UTF16_TO_UTF8_LOSSY, UTF32_TO_UTF8,
};
use crate::engine::memory::string_from_well_formed;
use crate::engine::text::from_utf8;
use crate::engine::validate::validate_rfc3629;
use crate::error::Error;

/// Converts UTF-16 in native order to a string, like [`String::from_utf16`].
///
/// # Errors
///
/// The first unpaired surrogate.
///
/// ```
/// assert_eq!(utfkit::utf16_to_string(&[0x41, 0xE9])?, "Aé");
/// # Ok::<(), utfkit::Error>(())
/// ```
#[inline]
#[cfg(feature = "alloc")]
pub fn utf16_to_string(src: &[u16]) -> Result<String, Error> {
    let bytes = UTF16_TO_UTF8.to_vec(src)?;
    // SAFETY: the conversion to UTF-8 wrote these bytes, whole characters each.
    Ok(unsafe { string_from_well_formed(bytes) })
}

/// Converts UTF-16 in native order to a string, with U+FFFD for each unpaired
/// surrogate, like [`String::from_utf16_lossy`].
///
/// ```
/// assert_eq!(utfkit::utf16_to_string_lossy(&[0x41, 0xD800]), "A\u{FFFD}");
/// ```
#[inline]
#[cfg(feature = "alloc")]
pub fn utf16_to_string_lossy(src: &[u16]) -> String {
    let bytes = total(&UTF16_TO_UTF8_LOSSY, src);
    // SAFETY: the conversion to UTF-8 wrote these bytes, whole characters each.
    unsafe { string_from_well_formed(bytes) }
}

/// Converts UTF-32 in native order to a string.
///
/// # Errors
///
/// The first surrogate or value above U+10FFFF.
///
/// ```
/// assert_eq!(utfkit::utf32_to_string(&[0x41, 0x1F389])?, "A🎉");
/// # Ok::<(), utfkit::Error>(())
/// ```
#[inline]
#[cfg(feature = "alloc")]
pub fn utf32_to_string(src: &[u32]) -> Result<String, Error> {
    let bytes = UTF32_TO_UTF8.to_vec(src)?;
    // SAFETY: the conversion to UTF-8 wrote these bytes, whole characters each.
    Ok(unsafe { string_from_well_formed(bytes) })
}

/// Converts ISO-8859-1 to a string.
///
/// ```
/// assert_eq!(utfkit::latin1_to_string(b"caf\xE9"), "café");
/// ```
#[inline]
#[cfg(feature = "alloc")]
pub fn latin1_to_string(src: &[u8]) -> String {
    let bytes = total(&LATIN1_TO_UTF8, src);
    // SAFETY: the conversion to UTF-8 wrote these bytes, whole characters each.
    unsafe { string_from_well_formed(bytes) }
}

/// Returns `bytes` as a string, with U+FFFD for each maximal subpart of an ill-formed
/// sequence, like [`String::from_utf8_lossy`]. Allocates only if there is one.
///
/// ```
/// assert_eq!(utfkit::from_utf8_lossy(b"caf\xE9!"), "caf\u{FFFD}!");
/// ```
#[doc(alias = "to_str_lossy")]
#[inline]
#[cfg(feature = "alloc")]
pub fn from_utf8_lossy(bytes: &[u8]) -> Cow<'_, str> {
    match from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(error) => Cow::Owned(replaced(bytes, error)),
    }
}

/// Validates `bytes` and returns them as a string without a copy, like
/// [`String::from_utf8`].
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
#[cfg(feature = "alloc")]
pub fn string_from_utf8(bytes: Vec<u8>) -> Result<String, FromUtf8Error> {
    match from_utf8(&bytes) {
        // SAFETY: `from_utf8` has just validated `bytes`.
        Ok(_) => Ok(unsafe { string_from_well_formed(bytes) }),
        Err(error) => Err(FromUtf8Error { bytes, error }),
    }
}

/// Returns `bytes` as a string, with U+FFFD for each maximal subpart of an ill-formed
/// sequence. Copies and allocates only if there is one.
///
/// ```
/// assert_eq!(utfkit::string_from_utf8_lossy(b"caf\xE9!".to_vec()), "caf\u{FFFD}!");
/// ```
#[doc(alias = "into_string_lossy")]
#[doc(alias = "from_utf8_lossy_owned")]
#[inline]
#[cfg(feature = "alloc")]
pub fn string_from_utf8_lossy(bytes: Vec<u8>) -> String {
    string_from_utf8(bytes).unwrap_or_else(FromUtf8Error::into_string_lossy)
}

/// Runs a conversion that cannot fail.
#[inline]
fn total<S>(conversion: &Conversion<S, u8>, src: &[S]) -> Vec<u8> {
    let bytes = conversion.to_vec(src);
    debug_assert!(bytes.is_ok(), "{bytes:?}");
    bytes.unwrap_or_default()
}

/// The least length of well-formed text before an error that lets one expect no other: then validating and copying
/// what is after it takes less time than to prepare the kernel that replaces errors.
const SPARSE: usize = 256;

/// `bytes`, whose first error is `error`, with U+FFFD for what is ill-formed.
#[cold]
#[inline(never)]
fn replaced(bytes: &[u8], error: Error) -> String {
    let mut text = Vec::with_capacity((UTF8_TO_UTF8_LOSSY.capacity)(bytes));
    let (valid, mut rest) = bytes.split_at(error.valid_up_to());
    text.extend_from_slice(valid);
    if valid.len() >= SPARSE {
        text.extend_from_slice("\u{FFFD}".as_bytes());
        rest = &rest[error.len()..];
        let valid = validate_rfc3629(rest).err().map_or(rest.len(), |error| error.valid_up_to());
        text.extend_from_slice(&rest[..valid]);
        rest = &rest[valid..];
    }
    if !rest.is_empty() {
        let written = text.len();
        text.resize(written + (UTF8_TO_UTF8_LOSSY.capacity)(rest), 0);
        let appended = UTF8_TO_UTF8_LOSSY.append(rest, &mut text, written);
        debug_assert!(appended.is_ok(), "{appended:?}");
    }
    // SAFETY: these are well-formed sequences that were copied, and U+FFFD.
    unsafe { string_from_well_formed(text) }
}

/// The error of [`string_from_utf8`], which keeps the bytes, like
/// [`alloc::string::FromUtf8Error`].
///
/// ```
/// let failed = utfkit::string_from_utf8(b"caf\xE9".to_vec()).unwrap_err();
/// assert_eq!((failed.error().valid_up_to(), failed.as_bytes()), (3, &b"caf\xE9"[..]));
/// assert_eq!(failed.into_string_lossy(), "caf\u{FFFD}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg(feature = "alloc")]
pub struct FromUtf8Error {
    bytes: Vec<u8>,
    error: Error,
}

impl FromUtf8Error {
    /// The first ill-formed sequence.
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

    /// The bytes as a string, with U+FFFD for each maximal subpart of an ill-formed
    /// sequence.
    #[inline]
    pub fn into_string_lossy(self) -> String {
        replaced(&self.bytes, self.error)
    }
}

impl fmt::Display for FromUtf8Error {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl core::error::Error for FromUtf8Error {}
