//! What a decoder of any form sees: a sequence of values and errors.

/// A stretch of the source that decodes as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where it begins, in source units.
    pub offset: usize,
    /// How many source units it has.
    pub len: usize,
    /// What it stands for.
    pub what: What,
}

/// What a [`Piece`] stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A value.
    Value(u32),
    /// Nothing: it is the maximal subpart of an ill-formed subsequence.
    IllFormed(IllFormed),
    /// No character: a state change.
    StateChange,
}

/// Why a piece stands for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllFormed {
    /// The name of the error, in the words of utfkit's command.
    pub kind: &'static str,
    /// The source ends here, and more of it could have completed the sequence.
    pub open: bool,
}

impl Piece {
    /// The value, if it has one.
    pub fn value(&self) -> Option<u32> {
        match self.what {
            What::Value(value) => Some(value),
            What::IllFormed(_) | What::StateChange => None,
        }
    }

    /// The error, if it is one.
    pub fn error(&self) -> Option<IllFormed> {
        match self.what {
            What::Value(_) | What::StateChange => None,
            What::IllFormed(error) => Some(error),
        }
    }

    /// The number of units after which a decoder goes on, `None` if the
    /// source could still complete the sequence: `core::str::Utf8Error`'s
    /// `error_len`.
    pub fn error_len(&self) -> Option<usize> {
        match self.error() {
            Some(IllFormed { open: true, .. }) => None,
            _ => Some(self.len),
        }
    }
}
