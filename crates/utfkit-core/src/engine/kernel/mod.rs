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

use crate::error::{Error, ErrorKind};

/// How far a kernel came: `read` source units became `written` destination
/// units, both at a boundary between characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    pub(crate) read: usize,
    pub(crate) written: usize,
    /// Whether something ill-formed was replaced or skipped on the way.
    pub(crate) replaced: bool,
}

impl Progress {
    /// What was done with `next`, which went on after it.
    #[inline]
    pub(crate) fn then(self, next: Progress) -> Progress {
        Progress {
            read: self.read + next.read,
            written: self.written + next.written,
            replaced: self.replaced | next.replaced,
        }
    }
}

/// A [`Progress`] in two registers: what functions return that are not inlined.
/// One of three fields goes through memory, where it is read at once in other
/// pieces than it was written, and that takes as long as a short conversion.
#[derive(Clone, Copy, Default)]
pub(crate) struct Packed {
    read: usize,
    /// Twice what is written, and 1 if something was replaced: no slice is so
    /// long that this would be too much.
    written: usize,
}

impl Packed {
    /// What was read and written, with nothing ill-formed.
    #[inline(always)]
    pub(crate) fn new(read: usize, written: usize) -> Packed {
        Packed { read, written: written << 1 }
    }

    /// Whether all of a source of `len` bytes was read.
    #[inline(always)]
    pub(crate) fn is_all_of(self, len: usize) -> bool {
        self.read == len
    }

    /// What was done with `next`, which went on after it.
    #[inline(always)]
    pub(crate) fn then(self, next: Packed) -> Packed {
        self.unpack().then(next.unpack()).into()
    }

    #[inline(always)]
    pub(crate) fn unpack(self) -> Progress {
        Progress { read: self.read, written: self.written >> 1, replaced: self.written & 1 != 0 }
    }
}

impl From<Progress> for Packed {
    #[inline(always)]
    fn from(done: Progress) -> Packed {
        Packed { read: done.read, written: done.written << 1 | usize::from(done.replaced) }
    }
}

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

/// What a conversion does at something ill-formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnError {
    /// It stops before it.
    Stop,
    /// It writes U+FFFD for each maximal subpart.
    Replace,
}
