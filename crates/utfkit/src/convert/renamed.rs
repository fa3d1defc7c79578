//! The names that [`owned`](crate::owned) had before, for one version.
#![allow(missing_docs)]

use alloc::vec::Vec;

use crate::convert::owned;
use crate::error::Error;

#[doc(hidden)]
#[deprecated(since = "0.1.0", note = "is `utfkit::owned::utf8_to_utf16` now")]
pub fn utf8_to_utf16_to_vec(src: &[u8]) -> Result<Vec<u16>, Error> {
    owned::utf8_to_utf16(src)
}

#[doc(hidden)]
#[deprecated(since = "0.1.0", note = "is `utfkit::owned::utf8_to_utf32` now")]
pub fn utf8_to_utf32_to_vec(src: &[u8]) -> Result<Vec<u32>, Error> {
    owned::utf8_to_utf32(src)
}

#[doc(hidden)]
#[deprecated(since = "0.1.0", note = "is `utfkit::owned::utf8_to_latin1` now")]
pub fn utf8_to_latin1_to_vec(src: &[u8]) -> Result<Vec<u8>, Error> {
    owned::utf8_to_latin1(src)
}

#[doc(hidden)]
#[deprecated(since = "0.1.0", note = "is `utfkit::owned::utf16_to_utf8` now")]
pub fn utf16_to_utf8_to_vec(src: &[u16]) -> Result<Vec<u8>, Error> {
    owned::utf16_to_utf8(src)
}

#[doc(hidden)]
#[deprecated(since = "0.1.0", note = "is `utfkit::owned::utf16_to_utf32` now")]
pub fn utf16_to_utf32_to_vec(src: &[u16]) -> Result<Vec<u32>, Error> {
    owned::utf16_to_utf32(src)
}

#[doc(hidden)]
#[deprecated(since = "0.1.0", note = "is `utfkit::owned::utf16_to_latin1` now")]
pub fn utf16_to_latin1_to_vec(src: &[u16]) -> Result<Vec<u8>, Error> {
    owned::utf16_to_latin1(src)
}

#[doc(hidden)]
#[deprecated(since = "0.1.0", note = "is `utfkit::owned::utf32_to_utf8` now")]
pub fn utf32_to_utf8_to_vec(src: &[u32]) -> Result<Vec<u8>, Error> {
    owned::utf32_to_utf8(src)
}

#[doc(hidden)]
#[deprecated(since = "0.1.0", note = "is `utfkit::owned::utf32_to_utf16` now")]
pub fn utf32_to_utf16_to_vec(src: &[u32]) -> Result<Vec<u16>, Error> {
    owned::utf32_to_utf16(src)
}

#[doc(hidden)]
#[deprecated(since = "0.1.0", note = "is `utfkit::owned::utf32_to_latin1` now")]
pub fn utf32_to_latin1_to_vec(src: &[u32]) -> Result<Vec<u8>, Error> {
    owned::utf32_to_latin1(src)
}

#[doc(hidden)]
#[deprecated(since = "0.1.0", note = "is `utfkit::owned::latin1_to_utf16` now")]
pub fn latin1_to_utf16_to_vec(src: &[u8]) -> Vec<u16> {
    owned::latin1_to_utf16(src)
}

#[doc(hidden)]
#[deprecated(since = "0.1.0", note = "is `utfkit::owned::latin1_to_utf32` now")]
pub fn latin1_to_utf32_to_vec(src: &[u8]) -> Vec<u32> {
    owned::latin1_to_utf32(src)
}

#[doc(hidden)]
#[deprecated(since = "0.1.0", note = "is `utfkit::owned::latin1_to_utf8` now")]
pub fn latin1_to_utf8_to_vec(src: &[u8]) -> Vec<u8> {
    owned::latin1_to_utf8(src)
}

#[doc(hidden)]
#[deprecated(since = "0.1.0", note = "is `utfkit::owned::utf8_to_utf16_lossy` now")]
pub fn utf8_to_utf16_lossy_to_vec(src: &[u8]) -> Vec<u16> {
    owned::utf8_to_utf16_lossy(src)
}

#[doc(hidden)]
#[deprecated(since = "0.1.0", note = "is `utfkit::owned::utf8_to_utf8_lossy` now")]
pub fn utf8_to_utf8_lossy_to_vec(src: &[u8]) -> Vec<u8> {
    owned::utf8_to_utf8_lossy(src)
}

#[doc(hidden)]
#[deprecated(since = "0.1.0", note = "is `utfkit::owned::utf16_to_utf8_lossy` now")]
pub fn utf16_to_utf8_lossy_to_vec(src: &[u16]) -> Vec<u8> {
    owned::utf16_to_utf8_lossy(src)
}
