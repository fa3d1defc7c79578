//! The vector algorithms, each written once and generic over the instruction
//! set.

pub(crate) mod ascii_lines;
pub(crate) mod copy_units;
pub(crate) mod count;
pub(crate) mod errors_utf8;
mod from_utf8;
mod lanes;
pub(crate) mod latin1;
pub(crate) mod latin1_units;
pub(crate) mod noncharacters;
pub(crate) mod plain_units;
#[cfg(feature = "legacy")]
pub(crate) mod single_bytes;
pub(crate) mod special;
pub(crate) mod swap;
mod to_utf8;
pub(crate) mod utf16_to_utf32;
pub(crate) mod utf16_to_utf8;
mod utf32;
pub(crate) mod utf32_to_utf16;
pub(crate) mod utf32_to_utf8;
pub(crate) mod utf8;
pub(crate) mod utf8_to_utf16;
pub(crate) mod utf8_to_utf32;
pub(crate) mod utf8_to_utf8;
pub(crate) mod validate_utf16;
pub(crate) mod validate_utf32;
pub(crate) mod validate_utf8;
pub(crate) mod window;
