//! UTF-8 in memory: what `core::str` has for it, and more.

pub(crate) mod boundary;
mod errors;
pub(crate) mod noncharacter;
mod recognize;
pub(crate) mod text;
pub(crate) mod validate;

pub use boundary::{is_boundary, next_boundary, previous_boundary, resynchronize};
pub use errors::{Errors, errors};
pub use recognize::{Recognition, Verdict, recognize};
pub use text::from_utf8;
#[cfg(feature = "alloc")]
pub use text::from_utf8_lossy;
pub use validate::{validate, validate_utf16, validate_utf32};
