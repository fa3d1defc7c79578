//! The kinds of errors.

use core::fmt;

/// The kind of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A continuation byte (80–BF) where a character should begin.
    UnexpectedContinuation,
    /// A lead byte that is not followed by all of its continuation bytes.
    MissingContinuation,
    /// More bytes than the value needs (RFC 3629 section 3: C0, C1, E0 80–9F,
    /// F0 80–8F).
    Overlong,
    /// A surrogate, U+D800–U+DFFF, in UTF-8 or UTF-32 (RFC 3629 section 3).
    Surrogate,
    /// A value above U+10FFFF (in UTF-8: F4 90 and everything that F5–FD
    /// introduce).
    TooLarge,
    /// A byte that no sequence has: FE and FF, F8–FD without their
    /// continuation bytes, in US-ASCII every byte from 80.
    InvalidByte,
    /// The input ends inside a sequence that more input could complete.
    Truncated,
    /// A surrogate in UTF-16 without its other half.
    UnpairedSurrogate,
    /// A noncharacter, where the standard in use refuses it.
    Noncharacter,
    /// Bytes that are each allowed but have no meaning together: a pair that
    /// a multi-byte encoding leaves empty, an unknown escape sequence.
    InvalidSequence,
    /// The character that begins a run of base64 with no such run after it
    /// (RFC 2152, rule 2; RFC 3501 section 5.1.3).
    EmptyShift,
    /// A run of base64 that ends inside a 16-bit unit (RFC 2152, rule 2).
    PartialUnit,
    /// A run of base64 whose last bits, which belong to no unit, are not zero
    /// (RFC 2152, rule 2).
    PaddingBits,
    /// A run of base64 that nothing closes where something has to
    /// (RFC 3501 section 5.1.3).
    UnclosedShift,
    /// Base64 for a character that has to be written directly, or a run directly after another
    /// (RFC 3501 section 5.1.3).
    NeedlessShift,
    /// A character that the target encoding does not have.
    Unrepresentable,
    /// The destination has no space for the next character.
    OutputTooSmall,
}

impl ErrorKind {
    /// The name in lower case with hyphens, as the command prints it.
    ///
    /// ```
    /// assert_eq!(utfkit::ErrorKind::TooLarge.name(), "too-large");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            ErrorKind::UnexpectedContinuation => "unexpected-continuation",
            ErrorKind::MissingContinuation => "missing-continuation",
            ErrorKind::Overlong => "overlong",
            ErrorKind::Surrogate => "surrogate",
            ErrorKind::TooLarge => "too-large",
            ErrorKind::InvalidByte => "invalid-byte",
            ErrorKind::Truncated => "truncated",
            ErrorKind::UnpairedSurrogate => "unpaired-surrogate",
            ErrorKind::Noncharacter => "noncharacter",
            ErrorKind::InvalidSequence => "invalid-sequence",
            ErrorKind::EmptyShift => "empty-shift",
            ErrorKind::PartialUnit => "partial-unit",
            ErrorKind::PaddingBits => "padding-bits",
            ErrorKind::UnclosedShift => "unclosed-shift",
            ErrorKind::NeedlessShift => "needless-shift",
            ErrorKind::Unrepresentable => "unrepresentable",
            ErrorKind::OutputTooSmall => "output-too-small",
        }
    }

    /// The kind as a part of a sentence.
    #[doc(hidden)]
    pub const fn phrase(self) -> &'static str {
        match self {
            ErrorKind::UnexpectedContinuation => "unexpected continuation byte",
            ErrorKind::MissingContinuation => "missing continuation byte",
            ErrorKind::Overlong => "overlong form",
            ErrorKind::Surrogate => "surrogate",
            ErrorKind::TooLarge => "value above U+10FFFF",
            ErrorKind::InvalidByte => "invalid byte",
            ErrorKind::Truncated => "truncated sequence",
            ErrorKind::UnpairedSurrogate => "unpaired surrogate",
            ErrorKind::Noncharacter => "noncharacter",
            ErrorKind::InvalidSequence => "invalid sequence",
            ErrorKind::EmptyShift => "shift without base64",
            ErrorKind::PartialUnit => "base64 that ends inside a unit",
            ErrorKind::PaddingBits => "base64 whose padding bits are not zero",
            ErrorKind::UnclosedShift => "base64 that is not closed",
            ErrorKind::NeedlessShift => "base64 where none is allowed",
            ErrorKind::Unrepresentable => "character that the target encoding lacks",
            ErrorKind::OutputTooSmall => "output too small",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
