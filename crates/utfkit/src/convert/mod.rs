//! Conversions of whole slices between UTF-8, UTF-16, UTF-32 and ISO-8859-1.

pub(crate) mod large;
pub(crate) mod length;
#[cfg(feature = "alloc")]
pub(crate) mod owned;
#[cfg(feature = "std")]
pub mod parallel;
mod slices;

pub use length::{
    count_code_points, utf8_len_from_latin1, utf8_len_from_utf16, utf8_len_from_utf32, utf16_len_from_utf8,
};
pub use slices::*;
