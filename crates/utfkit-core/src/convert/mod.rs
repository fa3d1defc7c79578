//! Conversions of whole slices between UTF-8, UTF-16, UTF-32 and ISO-8859-1.

mod in_place;
pub(crate) mod large;
pub(crate) mod length;
#[cfg(feature = "alloc")]
pub mod owned;
#[cfg(feature = "parallel")]
pub mod parallel;
mod slices;
#[cfg(feature = "alloc")]
#[allow(unsafe_code)]
mod strings;

pub use in_place::*;
pub use length::*;
pub use slices::*;
#[cfg(feature = "alloc")]
pub use strings::*;
