//! All ill-formed sequences of a text.

use core::iter::FusedIterator;
use core::ops::Range;

use crate::engine::kernel::errors_utf8::{BlockErrors, find_errors};
use crate::engine::kernel::utf8::bytes_before;
use crate::engine::validate::{error_at, validate};
use crate::error::Error;
use utfkit_forms::ErrorKind;
use utfkit_forms::Standard;
use utfkit_forms::scalar::utf8;

/// Iterates over the maximal subparts of ill-formed sequences in `bytes`, in
/// order. [`from_utf8_lossy`](crate::from_utf8_lossy) writes one U+FFFD for each.
///
/// With [`Standard::Rfc3629`] the bytes are read once, however many errors there
/// are, and `count` skips their classification.
///
/// ```
/// use utfkit::{Standard, errors};
///
/// let found = errors(b"a\xFFb\xE2\x82", Standard::Rfc3629);
/// let places: Vec<_> = found.map(|e| (e.offset(), e.error_len())).collect();
/// assert_eq!(places, [(1, Some(1)), (3, None)]);
/// ```
pub fn errors(bytes: &[u8], standard: Standard) -> Errors<'_> {
    let by_kernel = standard == Standard::Rfc3629;
    Errors { bytes, standard, at: 0, by_kernel, block: 0, found: [BlockErrors::default(); FOUND], first: 0, len: 0 }
}

/// The number of blocks with errors that one call of the kernel finds.
const FOUND: usize = 8;

/// The iterator that [`errors`] returns.
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy"]
pub struct Errors<'a> {
    bytes: &'a [u8],
    standard: Standard,
    /// The end of the last error reported.
    at: usize,
    /// True while a kernel finds the errors.
    by_kernel: bool,
    /// The block from which the kernel continues.
    block: usize,
    /// Blocks with errors, not reported yet from `first` to `len`.
    found: [BlockErrors; FOUND],
    first: usize,
    len: usize,
}

impl Errors<'_> {
    /// Has the kernel find more blocks. Returns true if there are any.
    fn find(&mut self) -> bool {
        (self.first, self.len) = (0, 0);
        if self.block == self.bytes.len() {
            return false;
        }
        match find_errors(self.bytes, self.block, &mut self.found) {
            Some((len, block)) => (self.len, self.block) = (len, block),
            None => {
                // The kernel does not report errors that begin before the block.
                self.by_kernel = false;
                self.at = self.at.max(self.block - bytes_before(self.bytes, self.block));
            }
        }
        self.len > 0
    }
}

impl Iterator for Errors<'_> {
    type Item = Error;

    fn next(&mut self) -> Option<Error> {
        let error = loop {
            if self.first < self.len {
                if let Some((at, len)) = self.found[self.first].take() {
                    break error_at(self.bytes, at, len)?;
                }
                self.first += 1;
            } else if !self.by_kernel {
                break validate(&self.bytes[self.at..], self.standard).err()?.shifted(self.at);
            } else if !self.find() && self.by_kernel {
                return None;
            }
        };
        self.at = error.offset() + error.len();
        Some(error)
    }

    fn count(mut self) -> usize {
        let mut count = 0;
        while self.by_kernel {
            count += self.found[self.first..self.len].iter().map(BlockErrors::count).sum::<usize>();
            if !self.find() && self.by_kernel {
                return count;
            }
        }
        while self.next().is_some() {
            count += 1;
        }
        count
    }
}

impl FusedIterator for Errors<'_> {}

impl Error {
    /// Returns the range of `src` that a person would call the ill-formed sequence:
    /// all three bytes of `ED A0 80` and all five of `F8 88 80 80 80`, where
    /// [`len`](Error::len) counts the maximal subpart, one byte.
    ///
    /// `src` is the UTF-8 text that the error came from. For errors of other
    /// encodings, and for another `src`, this is the range of [`len`](Error::len) units
    /// from [`offset`](Error::offset), cut at the end of `src`.
    ///
    /// ```
    /// let src = b"x \xED\xA0\x80";
    /// let e = utfkit::from_utf8(src).unwrap_err();
    /// assert_eq!((e.len(), e.sequence(src)), (1, 2..5));
    /// ```
    pub fn sequence(&self, src: &[u8]) -> Range<usize> {
        let start = self.offset().min(src.len());
        let rest = &src[start..];
        let len = match self.kind() {
            ErrorKind::Overlong | ErrorKind::Surrogate | ErrorKind::TooLarge | ErrorKind::MissingContinuation
                if !rest.is_empty() =>
            {
                self.len().max(utf8::sequence(rest).len)
            }
            _ => self.len(),
        };
        start..start + len.min(rest.len())
    }
}
