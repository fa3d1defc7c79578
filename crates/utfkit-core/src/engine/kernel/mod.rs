//! The vector algorithms, each written once and generic over the instruction
//! set.

pub(crate) mod ascii_lines;
pub(crate) mod copy_units;
pub(crate) mod count;
pub(crate) mod errors_utf8;
pub(crate) mod few;
mod from_utf8;
pub(crate) mod latin1;
pub(crate) mod latin1_units;
pub(crate) mod noncharacters;
pub(crate) mod plain_units;
pub(crate) mod short_utf16_to_utf8;
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

pub(crate) use crate::engine::progress::{OnError, Packed, Progress};
use crate::error::{Error, ErrorKind};

/// What converts a source that a way for short ones leaves: it is longer, something is
/// ill-formed or does not fit. The kernel calls it as its last step, so that those who call
/// the kernel keep nothing for it, which a short source would feel. Returns the units written.
pub(crate) type Otherwise = fn(&[u8], &mut [u8]) -> Result<usize, Error>;

/// What a short way does where there is no kernel for it.
#[inline(always)]
pub(crate) fn go_on(src: &[u8], dst: &mut [u8], otherwise: Otherwise) -> Result<usize, Error> {
    otherwise(src, dst)
}

/// [`Otherwise`] of those who go on by themselves.
#[cold]
pub(crate) fn refuse(_: &[u8], _: &mut [u8]) -> Result<usize, Error> {
    Err(Error::new(0, 0, ErrorKind::OutputTooSmall))
}
