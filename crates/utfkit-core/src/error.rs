//! The error, and where it is.

use core::fmt;
use utfkit_forms::ErrorKind;

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
