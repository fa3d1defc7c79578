use core::ops::Range;

use super::certainty::Certainty;
use utfkit_core::Encoding;

/// A place in the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The byte offset, from 0.
    pub offset: u64,
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1.
    pub column: u64,
}

/// Consecutive bytes in one encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Piece {
    /// The byte offsets.
    pub range: Range<u64>,
    /// The lines with some of the bytes, from 1.
    pub lines: Range<u64>,
    /// The encoding; `None` if it is unknown.
    pub encoding: Option<Encoding>,
    /// How sure the encoding is.
    pub certainty: Certainty,
    /// True for a part of a character that was cut.
    pub is_cut: bool,
}
