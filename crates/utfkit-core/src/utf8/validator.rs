//! Validation of a stream.

use crate::engine::validate::validate_rfc3629;
use crate::error::Error;
use utfkit_forms::scalar::utf8::Utf8;
use utfkit_forms::scalar::{Decoded, Form};

/// The most bytes of an unfinished sequence.
const MOST_PENDING: usize = 3;

/// The bytes by which any ill-formed sequence is classified.
const NAMED: usize = 8;

/// Validates a stream of UTF-8 (RFC 3629) at the speed of
/// [`from_utf8`](crate::from_utf8).
/// `diagnose::Checker` also counts lines and columns.
///
/// ```
/// use utfkit::Utf8Validator;
///
/// let mut validator = Utf8Validator::new();
/// validator.push(b"5 \xE2\x82")?;
/// validator.push(b"\xAC")?;
/// validator.finish()?;
///
/// let mut validator = Utf8Validator::new();
/// validator.push(b"5 \xE2\x82")?;
/// assert_eq!(validator.push(b"a").unwrap_err().offset(), 2);
/// # Ok::<(), utfkit::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Utf8Validator {
    /// The number of bytes before the pending ones.
    before: usize,
    pending: [u8; MOST_PENDING],
    len: u8,
    error: Option<Error>,
}

impl Utf8Validator {
    /// A validator at the beginning of a stream.
    #[must_use]
    pub const fn new() -> Utf8Validator {
        Utf8Validator { before: 0, pending: [0; MOST_PENDING], len: 0, error: None }
    }

    /// Validates the next `bytes` of the stream.
    ///
    /// # Errors
    ///
    /// The first ill-formed sequence, with its offset in the stream, as soon as it is
    /// certain. Every later call returns it again.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let rest = self.complete(bytes).and_then(|taken| self.validate(&bytes[taken..]));
        self.error = rest.err();
        rest
    }

    /// Ends the stream.
    ///
    /// # Errors
    ///
    /// The first ill-formed sequence, or the one that the end truncates.
    pub fn finish(self) -> Result<(), Error> {
        if let Some(error) = self.error {
            return Err(error);
        }
        validate_rfc3629(&self.pending[..self.len.into()]).map_err(|error| error.shifted(self.before))
    }

    /// Completes the pending sequence; returns the number of bytes taken.
    fn complete(&mut self, bytes: &[u8]) -> Result<usize, Error> {
        let pending = usize::from(self.len);
        if pending == 0 || bytes.is_empty() {
            return Ok(0);
        }
        let mut window = [0; NAMED];
        let len = NAMED.min(pending + bytes.len());
        window[..pending].copy_from_slice(&self.pending[..pending]);
        window[pending..len].copy_from_slice(&bytes[..len - pending]);
        match Utf8::decode(&window[..len]) {
            Decoded::Value { len, .. } | Decoded::StateChange { len } => {
                self.before += len;
                self.len = 0;
                Ok(len - pending)
            }
            Decoded::IllFormed { kind, len } => Err(Error::new(self.before, len, kind)),
            Decoded::Unfinished { len, .. } => {
                self.hold(&window[..len]);
                Ok(len - pending)
            }
        }
    }

    /// Validates bytes that begin at a character boundary.
    fn validate(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if bytes.is_empty() {
            return Ok(());
        }
        match validate_rfc3629(bytes) {
            Ok(()) => self.before += bytes.len(),
            Err(error) if error.error_len().is_none() => {
                self.before += error.offset();
                self.hold(&bytes[error.offset()..]);
            }
            Err(error) => return Err(error.shifted(self.before)),
        }
        Ok(())
    }

    /// Holds `bytes`, the beginning of a sequence.
    fn hold(&mut self, bytes: &[u8]) {
        self.pending[..bytes.len()].copy_from_slice(bytes);
        self.len = bytes.len() as u8;
    }
}
