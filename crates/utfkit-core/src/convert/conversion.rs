//! Conversions as values: into a new vector, or on several threads.
//!
//! Each constant is named after the function at the root of the crate that
//! converts into the caller's memory:
//!
//! ```
//! use utfkit::conversion::UTF8_TO_UTF16;
//!
//! assert_eq!(UTF8_TO_UTF16.to_vec(b"A\xC3\xA9")?, [0x41, 0xE9]);
//! # Ok::<(), utfkit::Error>(())
//! ```
//!
//! For strings see [`utf16_to_string`](crate::utf16_to_string),
//! [`utf32_to_string`](crate::utf32_to_string),
//! [`latin1_to_string`](crate::latin1_to_string) and
//! [`string_from_utf8_lossy`](crate::string_from_utf8_lossy).

use alloc::vec;
use alloc::vec::Vec;

use super::length::*;
use super::slices;
use crate::error::Error;
use utfkit_forms::ErrorKind;
use utfkit_forms::scalar::utf8::is_continuation;
use utfkit_forms::scalar::utf16::{is_high, is_low};

/// The most by which a vector of unknown length grows at once: the zeros are
/// still in the cache when they are overwritten. On Zen 4, 32 KiB costs up to
/// 20 % of the speed, 8 KiB up to 40 %, and more than this gains nothing.
pub(crate) const GROWTH: usize = 128 * 1024;

/// A conversion from units `S` to units `D`: one of the constants of this module.
pub struct Conversion<S: 'static, D: 'static> {
    pub(super) convert: fn(&[S], &mut [D]) -> Result<usize, Error>,
    /// The units that well-formed text becomes, or an estimate where only the
    /// conversion itself can tell (`boundary` is `None` there).
    pub(super) capacity: fn(&[S]) -> usize,
    /// The last boundary between characters at or before an index. Only
    /// ill-formed text may have none.
    #[cfg_attr(not(feature = "parallel"), allow(dead_code))]
    pub(super) boundary: Option<fn(&[S], usize) -> usize>,
}

impl<S: 'static, D: Copy + Default> Conversion<S, D> {
    const fn new(
        convert: fn(&[S], &mut [D]) -> Result<usize, Error>,
        capacity: fn(&[S]) -> usize,
        boundary: Option<fn(&[S], usize) -> usize>,
    ) -> Conversion<S, D> {
        Conversion { convert, capacity, boundary }
    }

    /// Converts into a new vector, in one allocation of the right length except
    /// for lossy conversion from UTF-8, whose length is estimated.
    ///
    /// # Errors
    ///
    /// As the function of the same name, but never with
    /// [`OutputTooSmall`](ErrorKind::OutputTooSmall). A lossy conversion and
    /// one from ISO-8859-1 never fail.
    #[inline]
    pub fn to_vec(&self, src: &[S]) -> Result<Vec<D>, Error> {
        let mut dst = vec![D::default(); (self.capacity)(src)];
        self.append(src, &mut dst, 0)?;
        Ok(dst)
    }

    /// Converts `src` to `dst` after its first `written` units, and truncates `dst` after the result.
    pub(super) fn append(&self, src: &[S], dst: &mut Vec<D>, mut written: usize) -> Result<(), Error> {
        let mut read = 0;
        loop {
            match (self.convert)(&src[read..], &mut dst[written..]) {
                Ok(more) => {
                    dst.truncate(written + more);
                    return Ok(());
                }
                // Only where the capacity was estimated.
                Err(error) if error.kind() == ErrorKind::OutputTooSmall => {
                    read += error.offset();
                    written += error.written();
                    dst.resize(written + (src.len() - read).saturating_mul(2).min(GROWTH) + 16, D::default());
                }
                Err(error) => return Err(error.shifted(read).with_written(written + error.written())),
            }
        }
    }
}

/// [`utf8_to_utf16`](crate::utf8_to_utf16).
pub const UTF8_TO_UTF16: Conversion<u8, u16> =
    Conversion::new(slices::utf8_to_utf16, utf16_len_from_utf8, Some(utf8_boundary));

/// [`utf8_to_utf16_lossy`](crate::utf8_to_utf16_lossy).
pub const UTF8_TO_UTF16_LOSSY: Conversion<u8, u16> = Conversion::new(slices::utf8_to_utf16_lossy, src_len, None);

/// [`utf8_to_utf32`](crate::utf8_to_utf32).
pub const UTF8_TO_UTF32: Conversion<u8, u32> =
    Conversion::new(slices::utf8_to_utf32, count_code_points, Some(utf8_boundary));

/// [`utf8_to_latin1`](crate::utf8_to_latin1).
pub const UTF8_TO_LATIN1: Conversion<u8, u8> =
    Conversion::new(slices::utf8_to_latin1, count_code_points, Some(utf8_boundary));

/// [`utf8_to_utf8_lossy`](crate::utf8_to_utf8_lossy).
pub const UTF8_TO_UTF8_LOSSY: Conversion<u8, u8> = Conversion::new(slices::utf8_to_utf8_lossy, lossy_capacity, None);

/// [`utf16_to_utf8`](crate::utf16_to_utf8).
pub const UTF16_TO_UTF8: Conversion<u16, u8> =
    Conversion::new(slices::utf16_to_utf8, utf8_len_from_utf16, Some(utf16_boundary));

/// [`utf16_to_utf8_lossy`](crate::utf16_to_utf8_lossy).
pub const UTF16_TO_UTF8_LOSSY: Conversion<u16, u8> =
    Conversion::new(slices::utf16_to_utf8_lossy, utf8_len_from_utf16, Some(utf16_boundary));

/// [`utf16_to_utf32`](crate::utf16_to_utf32).
pub const UTF16_TO_UTF32: Conversion<u16, u32> =
    Conversion::new(slices::utf16_to_utf32, utf32_len_from_utf16, Some(utf16_boundary));

/// [`utf16_to_latin1`](crate::utf16_to_latin1).
pub const UTF16_TO_LATIN1: Conversion<u16, u8> = Conversion::new(slices::utf16_to_latin1, src_len, Some(anywhere));

/// [`utf32_to_utf8`](crate::utf32_to_utf8).
pub const UTF32_TO_UTF8: Conversion<u32, u8> =
    Conversion::new(slices::utf32_to_utf8, utf8_len_from_utf32, Some(anywhere));

/// [`utf32_to_utf16`](crate::utf32_to_utf16).
pub const UTF32_TO_UTF16: Conversion<u32, u16> =
    Conversion::new(slices::utf32_to_utf16, utf16_len_from_utf32, Some(anywhere));

/// [`utf32_to_latin1`](crate::utf32_to_latin1).
pub const UTF32_TO_LATIN1: Conversion<u32, u8> = Conversion::new(slices::utf32_to_latin1, src_len, Some(anywhere));

/// [`latin1_to_utf8`](crate::latin1_to_utf8).
pub const LATIN1_TO_UTF8: Conversion<u8, u8> =
    Conversion::new(slices::latin1_to_utf8, utf8_len_from_latin1, Some(anywhere));

/// [`latin1_to_utf16`](crate::latin1_to_utf16).
pub const LATIN1_TO_UTF16: Conversion<u8, u16> = Conversion::new(slices::latin1_to_utf16, src_len, Some(anywhere));

/// [`latin1_to_utf32`](crate::latin1_to_utf32).
pub const LATIN1_TO_UTF32: Conversion<u8, u32> = Conversion::new(slices::latin1_to_utf32, src_len, Some(anywhere));

fn src_len<S>(src: &[S]) -> usize {
    src.len()
}

/// Two bytes more for one in a hundred, the most damage that is common: a second
/// allocation, with the copy, costs more than the conversion.
fn lossy_capacity(src: &[u8]) -> usize {
    src.len() + src.len() / 32 + 16
}

fn anywhere<S>(_: &[S], at: usize) -> usize {
    at
}

pub(super) fn utf8_boundary(src: &[u8], at: usize) -> usize {
    let back = src[..=at].iter().rev().take(3).take_while(|&&byte| is_continuation(byte)).count();
    at - back.min(at)
}

pub(super) fn utf16_boundary(src: &[u16], at: usize) -> usize {
    if at > 0 && is_high(src[at - 1]) && is_low(src[at]) { at - 1 } else { at }
}
