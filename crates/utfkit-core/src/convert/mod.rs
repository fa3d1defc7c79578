//! Conversions of whole slices between UTF-8, UTF-16, UTF-32 and ISO-8859-1.

#[cfg(feature = "alloc")]
pub mod conversion;
mod driver;
mod in_place;
pub(crate) mod large;
pub(crate) mod length;
#[cfg(feature = "parallel")]
mod parallel;
mod slices;
#[cfg(feature = "alloc")]
#[allow(unsafe_code)]
mod strings;

pub use in_place::*;
pub use length::*;
#[cfg(feature = "parallel")]
pub use parallel::validate_parallel;
pub use slices::*;
#[cfg(feature = "alloc")]
pub use strings::*;
