//! The output of a decoder: a sequence of values and errors.

/// A decoded part of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Offset in source units.
    pub offset: usize,
    /// Length in source units.
    pub len: usize,
    /// The content.
    pub what: What,
}

/// The content of a [`Piece`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A value.
    Value(u32),
    /// A maximal subpart of an ill-formed subsequence.
    IllFormed(IllFormed),
    /// A state change, which is no character.
    StateChange,
}

/// An error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllFormed {
    /// The kind of error, as named by `utfkit check`.
    pub kind: &'static str,
    /// True if the source ends here and more input could complete the sequence.
    pub open: bool,
}

impl Piece {
    /// The value, unless the piece is an error or a state change.
    pub fn value(&self) -> Option<u32> {
        match self.what {
            What::Value(value) => Some(value),
            What::IllFormed(_) | What::StateChange => None,
        }
    }

    /// The error, if the piece is one.
    pub fn error(&self) -> Option<IllFormed> {
        match self.what {
            What::Value(_) | What::StateChange => None,
            What::IllFormed(error) => Some(error),
        }
    }

    /// The number of units to skip; `None` if more input could complete the
    /// sequence. See `core::str::Utf8Error::error_len`.
    pub fn error_len(&self) -> Option<usize> {
        match self.error() {
            Some(IllFormed { open: true, .. }) => None,
            _ => Some(self.len),
        }
    }
}
