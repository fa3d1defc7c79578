#[cfg(feature = "detect")]
use alloc::boxed::Box;
use core::fmt;

use utfkit_core::Error;
#[cfg(feature = "detect")]
use utfkit_detect::detect::{Certainty, Detection};

/// Why a stream cannot be read further.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// A sequence is ill-formed in the encoding. The offset is in bytes of the stream.
    IllFormed(Error),
    /// No encoding was found: the bytes are not text, or in several encodings.
    #[cfg(feature = "detect")]
    NoEncoding(Box<Detection>),
    /// The encoding that was found is less sure than
    /// [`at_least`](crate::Options::at_least) asks for.
    #[cfg(feature = "detect")]
    Unsure {
        /// The detection, whose certainty is lower than `at_least`.
        found: Box<Detection>,
        /// The least certainty that the options accept.
        at_least: Certainty,
    },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::IllFormed(error) => error.fmt(f),
            #[cfg(feature = "detect")]
            ReadError::NoEncoding(found) if found.is_mixed() => write!(f, "text in several encodings: {found}"),
            #[cfg(feature = "detect")]
            ReadError::NoEncoding(found) => write!(f, "no encoding was found: {found}"),
            #[cfg(feature = "detect")]
            ReadError::Unsure { found, at_least } => write!(f, "less sure than {}: {found}", at_least.name()),
        }
    }
}

impl core::error::Error for ReadError {}

/// Of the kind [`InvalidData`](std::io::ErrorKind::InvalidData). It contains the
/// [`Error`] if a sequence is ill-formed, and else the [`ReadError`].
#[cfg(feature = "std")]
impl From<ReadError> for std::io::Error {
    fn from(error: ReadError) -> std::io::Error {
        match error {
            ReadError::IllFormed(error) => error.into(),
            #[cfg(feature = "detect")]
            error => std::io::Error::new(std::io::ErrorKind::InvalidData, error),
        }
    }
}
