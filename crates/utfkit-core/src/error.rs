//! The error, and where it is.

use core::fmt;

/// The kind of error that an [`Error`] reports.
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

    const fn phrase(self) -> &'static str {
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

/// Where a conversion or validation stopped, and why.
///
/// Offsets and lengths are in units of the source (bytes for UTF-8),
/// [`written`](Error::written) is in units of the destination.
///
/// ```
/// use utfkit::{ErrorKind, from_utf8};
///
/// let e = from_utf8(b"caf\xE9 au lait").unwrap_err();
/// assert_eq!((e.offset(), e.len(), e.kind()), (3, 1, ErrorKind::MissingContinuation));
/// assert_eq!((e.valid_up_to(), e.error_len()), (3, Some(1)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Error {
    offset: usize,
    written: usize,
    len: u8,
    unfinished: bool,
    kind: ErrorKind,
}

impl Error {
    #[doc(hidden)]
    pub const fn new(offset: usize, len: usize, kind: ErrorKind) -> Error {
        Error { offset, written: 0, len: len as u8, unfinished: false, kind }
    }

    #[doc(hidden)]
    pub const fn unfinished(offset: usize, len: usize, kind: ErrorKind) -> Error {
        Error { offset, written: 0, len: len as u8, unfinished: true, kind }
    }

    #[doc(hidden)]
    pub const fn with_written(mut self, written: usize) -> Error {
        self.written = written;
        self
    }

    /// This error in a source of which `before` units came earlier.
    #[doc(hidden)]
    pub const fn shifted(mut self, before: usize) -> Error {
        self.offset += before;
        self
    }

    /// Where the ill-formed sequence, the character that the target lacks, or
    /// the character for which there was no space begins, in source units.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The number of destination units written before it. Zero where nothing is
    /// written.
    pub const fn written(&self) -> usize {
        self.written
    }

    /// How many units of the source the error is about: the length of the maximal
    /// subpart for an ill-formed sequence, of the character for
    /// [`ErrorKind::Unrepresentable`], and 0 for [`ErrorKind::OutputTooSmall`].
    ///
    /// **Which length when.** Use `len` to show or replace the ill-formed bytes:
    /// `src[e.offset()..e.offset() + e.len()]` are its units, also at the end of
    /// the input. Use [`error_len`](Self::error_len) to decide whether to continue:
    /// it is the same number, or `None` if the input ends inside a sequence that
    /// more input could complete, so that a stream has to wait. Ask
    /// [`sequence`](Self::sequence) for what a person would call the sequence.
    ///
    /// ```
    /// let e = utfkit::from_utf8(b"a\xE2\x82").unwrap_err(); // "€" cut off
    /// assert_eq!((e.len(), e.error_len()), (2, None));
    /// let e = utfkit::from_utf8(b"a\xE2\x82!").unwrap_err();
    /// assert_eq!((e.len(), e.error_len()), (2, Some(2)));
    /// ```
    #[allow(clippy::len_without_is_empty)]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// The kind of error.
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// [`offset`](Error::offset), under the name that
    /// [`core::str::Utf8Error`] gave it: the source is well-formed up to here.
    pub const fn valid_up_to(&self) -> usize {
        self.offset
    }

    /// The number of units to skip to continue after the ill-formed sequence; `None` if
    /// the input ends inside a sequence that more input could complete. It equals
    /// `error_len` of [`core::str::Utf8Error`]; see also [`len`](Self::len).
    pub const fn error_len(&self) -> Option<usize> {
        if self.unfinished { None } else { Some(self.len as usize) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at offset {}", self.kind.phrase(), self.offset)?;
        match self.kind {
            ErrorKind::OutputTooSmall => write!(f, " ({} units written)", self.written),
            _ => Ok(()),
        }
    }
}

impl core::error::Error for Error {}

/// Of the kind [`InvalidData`](std::io::ErrorKind::InvalidData), with the error in
/// it; a destination that is too small is
/// [`WriteZero`](std::io::ErrorKind::WriteZero). So `?` works in functions that
/// read and write.
///
/// ```
/// fn read(path: &std::path::Path) -> std::io::Result<String> {
///     let bytes = std::fs::read(path)?;
///     Ok(utfkit::from_utf8(&bytes)?.to_owned())
/// }
/// # assert_eq!(std::io::Error::from(utfkit::from_utf8(b"\xFF").unwrap_err()).kind(), std::io::ErrorKind::InvalidData);
/// ```
#[cfg(feature = "std")]
impl From<Error> for std::io::Error {
    fn from(error: Error) -> std::io::Error {
        let kind = match error.kind() {
            ErrorKind::OutputTooSmall => std::io::ErrorKind::WriteZero,
            _ => std::io::ErrorKind::InvalidData,
        };
        std::io::Error::new(kind, error)
    }
}
