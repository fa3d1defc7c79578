//! UTF-8 in every form it ever had: validate, convert, diagnose.
#![no_std]
#![deny(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod convert;
pub mod diagnose;
mod encoding;
mod error;
mod errors;
pub mod isa;
mod kernel;
mod length;
#[allow(unsafe_code)]
mod memory;
#[cfg(feature = "alloc")]
mod owned;
mod policy;
mod row;
mod scalar;
#[allow(unsafe_code)]
mod simd;
mod standard;
#[cfg(feature = "std")]
mod stream;
mod text;
mod transcode;
mod validate;
mod walk;

pub use convert::{
    latin1_to_utf8, latin1_to_utf16, latin1_to_utf32, utf8_to_latin1, utf8_to_utf8_lossy, utf8_to_utf16,
    utf8_to_utf16_lossy, utf8_to_utf32, utf16_to_latin1, utf16_to_utf8, utf16_to_utf8_lossy, utf16_to_utf32,
    utf32_to_latin1, utf32_to_utf8, utf32_to_utf16,
};
pub use encoding::Encoding;
pub use error::{Error, ErrorKind};
pub use errors::{Errors, errors};
pub use length::{
    count_code_points, utf8_len_from_latin1, utf8_len_from_utf16, utf8_len_from_utf32, utf16_len_from_utf8,
};
#[cfg(feature = "alloc")]
pub use owned::{
    latin1_to_string, latin1_to_utf8_to_vec, latin1_to_utf16_to_vec, latin1_to_utf32_to_vec, utf8_to_latin1_to_vec,
    utf8_to_utf8_lossy_to_vec, utf8_to_utf16_lossy_to_vec, utf8_to_utf16_to_vec, utf8_to_utf32_to_vec,
    utf16_to_latin1_to_vec, utf16_to_string, utf16_to_string_lossy, utf16_to_utf8_lossy_to_vec, utf16_to_utf8_to_vec,
    utf16_to_utf32_to_vec, utf32_to_latin1_to_vec, utf32_to_string, utf32_to_utf8_to_vec, utf32_to_utf16_to_vec,
};
pub use policy::{Policy, Practice};
pub use standard::Standard;
#[cfg(feature = "std")]
pub use stream::{FinishError, TranscodeReader, TranscodeWriter};
pub use text::from_utf8;
#[cfg(feature = "alloc")]
pub use text::from_utf8_lossy;
pub use transcode::{Status, Step, Transcoder};
pub use validate::{validate, validate_utf16, validate_utf32};
