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
    Fault(Fault),
    /// No character: a shift from one state to another.
    Shift,
}

/// Why a piece stands for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
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
            What::Fault(_) | What::Shift => None,
        }
    }

    /// The error, if it is one.
    pub fn fault(&self) -> Option<Fault> {
        match self.what {
            What::Value(_) | What::Shift => None,
            What::Fault(fault) => Some(fault),
        }
    }

    /// The number of units after which a decoder goes on, `None` if the
    /// source could still complete the sequence: `core::str::Utf8Error`'s
    /// `error_len`.
    pub fn error_len(&self) -> Option<usize> {
        match self.fault() {
            Some(Fault { open: true, .. }) => None,
            _ => Some(self.len),
        }
    }
}
