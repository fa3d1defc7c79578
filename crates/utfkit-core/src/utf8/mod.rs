//! UTF-8 in memory: the functions of `core::str`, and more.

pub(crate) mod boundary;
mod chunks;
mod errors;
mod recognize;
mod validator;

pub use crate::engine::text::from_utf8;
pub use crate::engine::validate::{validate, validate_ascii, validate_utf16, validate_utf32};
pub use boundary::{is_boundary, next_boundary, previous_boundary, resynchronize, trim_partial_utf8};
pub use chunks::{CharIndices, Utf8Chunk, Utf8Chunks, char_indices, utf8_chunks};
pub use errors::{Errors, errors};
pub use recognize::{Recognition, Verdict, recognize};
pub use validator::Utf8Validator;
