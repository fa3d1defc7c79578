//! The conversions with a result of their own: a vector or a string of the
//! right size, made in one allocation.

use alloc::{string::String, vec, vec::Vec};

use crate::convert::length::*;
use crate::convert::*;
use crate::engine::memory::string_from_well_formed;
use crate::error::Error;

/// What `convert` writes into a vector with room for `len` units.
fn collect<T: Clone + Default>(
    len: usize,
    convert: impl FnOnce(&mut [T]) -> Result<usize, Error>,
) -> Result<Vec<T>, Error> {
    let mut units = vec![T::default(); len];
    let written = convert(&mut units)?;
    units.truncate(written);
    Ok(units)
}

/// The same for a conversion that nothing can stop: `len` is enough for it.
fn collect_all<T: Clone + Default>(len: usize, convert: impl FnOnce(&mut [T]) -> Result<usize, Error>) -> Vec<T> {
    let mut units = vec![T::default(); len];
    let written = convert(&mut units);
    debug_assert!(written.is_ok(), "{written:?}");
    units.truncate(written.unwrap_or_else(|e| e.written()));
    units
}

/// UTF-8 to UTF-16 in native order: [`utf8_to_utf16`] into a vector.
///
/// # Errors
///
/// Those of [`utf8_to_utf16`], but for want of room.
///
/// ```
/// assert_eq!(utfkit::utf8_to_utf16_to_vec(b"A\xC3\xA9")?, [0x41, 0xE9]);
/// # Ok::<(), utfkit::Error>(())
/// ```
pub fn utf8_to_utf16_to_vec(src: &[u8]) -> Result<Vec<u16>, Error> {
    collect(utf16_len_from_utf8(src), |dst| utf8_to_utf16(src, dst))
}

/// UTF-8 to UTF-32 in native order: [`utf8_to_utf32`] into a vector.
///
/// # Errors
///
/// Those of [`utf8_to_utf32`], but for want of room.
///
/// ```
/// assert_eq!(utfkit::utf8_to_utf32_to_vec(b"A\xC3\xA9")?, [0x41, 0xE9]);
/// # Ok::<(), utfkit::Error>(())
/// ```
pub fn utf8_to_utf32_to_vec(src: &[u8]) -> Result<Vec<u32>, Error> {
    collect(count_code_points(src), |dst| utf8_to_utf32(src, dst))
}

/// UTF-8 to ISO-8859-1: [`utf8_to_latin1`] into a vector.
///
/// # Errors
///
/// Those of [`utf8_to_latin1`], but for want of room.
///
/// ```
/// assert_eq!(utfkit::utf8_to_latin1_to_vec(b"A\xC3\xA9")?, [0x41, 0xE9]);
/// # Ok::<(), utfkit::Error>(())
/// ```
pub fn utf8_to_latin1_to_vec(src: &[u8]) -> Result<Vec<u8>, Error> {
    collect(count_code_points(src), |dst| utf8_to_latin1(src, dst))
}

/// UTF-16 in native order to UTF-8: [`utf16_to_utf8`] into a vector.
///
/// # Errors
///
/// Those of [`utf16_to_utf8`], but for want of room.
///
/// ```
/// assert_eq!(utfkit::utf16_to_utf8_to_vec(&[0x41, 0xE9])?, b"A\xC3\xA9");
/// # Ok::<(), utfkit::Error>(())
/// ```
pub fn utf16_to_utf8_to_vec(src: &[u16]) -> Result<Vec<u8>, Error> {
    collect(utf8_len_from_utf16(src), |dst| utf16_to_utf8(src, dst))
}

/// UTF-16 to UTF-32, both in native order: [`utf16_to_utf32`] into a vector.
///
/// # Errors
///
/// Those of [`utf16_to_utf32`], but for want of room.
///
/// ```
/// assert_eq!(utfkit::utf16_to_utf32_to_vec(&[0xD84C, 0xDFB4])?, [0x233B4]);
/// # Ok::<(), utfkit::Error>(())
/// ```
pub fn utf16_to_utf32_to_vec(src: &[u16]) -> Result<Vec<u32>, Error> {
    collect(src.len(), |dst| utf16_to_utf32(src, dst))
}

/// UTF-16 in native order to ISO-8859-1: [`utf16_to_latin1`] into a vector.
///
/// # Errors
///
/// Those of [`utf16_to_latin1`], but for want of room.
///
/// ```
/// assert_eq!(utfkit::utf16_to_latin1_to_vec(&[0x41, 0xE9])?, [0x41, 0xE9]);
/// # Ok::<(), utfkit::Error>(())
/// ```
pub fn utf16_to_latin1_to_vec(src: &[u16]) -> Result<Vec<u8>, Error> {
    collect(src.len(), |dst| utf16_to_latin1(src, dst))
}

/// UTF-32 in native order to UTF-8: [`utf32_to_utf8`] into a vector.
///
/// # Errors
///
/// Those of [`utf32_to_utf8`], but for want of room.
///
/// ```
/// assert_eq!(utfkit::utf32_to_utf8_to_vec(&[0x41, 0xE9])?, b"A\xC3\xA9");
/// # Ok::<(), utfkit::Error>(())
/// ```
pub fn utf32_to_utf8_to_vec(src: &[u32]) -> Result<Vec<u8>, Error> {
    collect(utf8_len_from_utf32(src), |dst| utf32_to_utf8(src, dst))
}

/// UTF-32 to UTF-16, both in native order: [`utf32_to_utf16`] into a vector.
///
/// # Errors
///
/// Those of [`utf32_to_utf16`], but for want of room.
///
/// ```
/// assert_eq!(utfkit::utf32_to_utf16_to_vec(&[0x233B4])?, [0xD84C, 0xDFB4]);
/// # Ok::<(), utfkit::Error>(())
/// ```
pub fn utf32_to_utf16_to_vec(src: &[u32]) -> Result<Vec<u16>, Error> {
    collect(src.iter().map(|&u| 1 + usize::from(u > 0xFFFF)).sum(), |dst| utf32_to_utf16(src, dst))
}

/// UTF-32 in native order to ISO-8859-1: [`utf32_to_latin1`] into a vector.
///
/// # Errors
///
/// Those of [`utf32_to_latin1`], but for want of room.
///
/// ```
/// assert_eq!(utfkit::utf32_to_latin1_to_vec(&[0x41, 0xE9])?, [0x41, 0xE9]);
/// # Ok::<(), utfkit::Error>(())
/// ```
pub fn utf32_to_latin1_to_vec(src: &[u32]) -> Result<Vec<u8>, Error> {
    collect(src.len(), |dst| utf32_to_latin1(src, dst))
}

/// ISO-8859-1 to UTF-16 in native order: [`latin1_to_utf16`] into a vector.
///
/// ```
/// assert_eq!(utfkit::latin1_to_utf16_to_vec(b"A\xE9"), [0x41, 0xE9]);
/// ```
pub fn latin1_to_utf16_to_vec(src: &[u8]) -> Vec<u16> {
    collect_all(src.len(), |dst| latin1_to_utf16(src, dst))
}

/// ISO-8859-1 to UTF-32 in native order: [`latin1_to_utf32`] into a vector.
///
/// ```
/// assert_eq!(utfkit::latin1_to_utf32_to_vec(b"A\xE9"), [0x41, 0xE9]);
/// ```
pub fn latin1_to_utf32_to_vec(src: &[u8]) -> Vec<u32> {
    collect_all(src.len(), |dst| latin1_to_utf32(src, dst))
}

/// ISO-8859-1 to UTF-8: [`latin1_to_utf8`] into a vector.
///
/// ```
/// assert_eq!(utfkit::latin1_to_utf8_to_vec(b"A\xE9"), b"A\xC3\xA9");
/// ```
pub fn latin1_to_utf8_to_vec(src: &[u8]) -> Vec<u8> {
    collect_all(utf8_len_from_latin1(src), |dst| latin1_to_utf8(src, dst))
}

/// UTF-8 to UTF-16 in native order, with U+FFFD for each maximal subpart of
/// what is ill-formed: [`utf8_to_utf16_lossy`] into a vector.
///
/// ```
/// assert_eq!(utfkit::utf8_to_utf16_lossy_to_vec(b"A\xE9"), [0x41, 0xFFFD]);
/// ```
pub fn utf8_to_utf16_lossy_to_vec(src: &[u8]) -> Vec<u16> {
    collect_all(src.len(), |dst| utf8_to_utf16_lossy(src, dst))
}

/// UTF-8 with U+FFFD for each maximal subpart of what is ill-formed: [`utf8_to_utf8_lossy`] into a vector.
///
/// ```
/// assert_eq!(utfkit::utf8_to_utf8_lossy_to_vec(b"A\xE9"), "A\u{FFFD}".as_bytes());
/// ```
pub fn utf8_to_utf8_lossy_to_vec(src: &[u8]) -> Vec<u8> {
    // How long it gets nobody knows before; where it is not damaged, as long as
    // it was.
    let mut text = vec![0; src.len() + 16];
    let (mut read, mut written) = (0, 0);
    loop {
        match utf8_to_utf8_lossy(&src[read..], &mut text[written..]) {
            Ok(more) => {
                text.truncate(written + more);
                return text;
            }
            // For want of room, between two characters.
            Err(error) => {
                read += error.offset();
                written += error.written();
                text.resize(written + 2 * (src.len() - read) + 16, 0);
            }
        }
    }
}

/// UTF-16 in native order to UTF-8, with U+FFFD for each surrogate without
/// its other half: [`utf16_to_utf8_lossy`] into a vector.
///
/// ```
/// assert_eq!(utfkit::utf16_to_utf8_lossy_to_vec(&[0x41, 0xD800]), "A\u{FFFD}".as_bytes());
/// ```
pub fn utf16_to_utf8_lossy_to_vec(src: &[u16]) -> Vec<u8> {
    collect_all(utf8_len_from_utf16(src), |dst| utf16_to_utf8_lossy(src, dst))
}

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
pub fn utf16_to_string(src: &[u16]) -> Result<String, Error> {
    Ok(string_from_well_formed(utf16_to_utf8_to_vec(src)?))
}

/// UTF-16 in native order to a string, with U+FFFD for each surrogate without
/// its other half, as [`String::from_utf16_lossy`].
///
/// ```
/// assert_eq!(utfkit::utf16_to_string_lossy(&[0x41, 0xD800]), "A\u{FFFD}");
/// ```
pub fn utf16_to_string_lossy(src: &[u16]) -> String {
    string_from_well_formed(utf16_to_utf8_lossy_to_vec(src))
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
pub fn utf32_to_string(src: &[u32]) -> Result<String, Error> {
    Ok(string_from_well_formed(utf32_to_utf8_to_vec(src)?))
}

/// ISO-8859-1 to a string.
///
/// ```
/// assert_eq!(utfkit::latin1_to_string(b"caf\xE9"), "café");
/// ```
pub fn latin1_to_string(src: &[u8]) -> String {
    string_from_well_formed(latin1_to_utf8_to_vec(src))
}
