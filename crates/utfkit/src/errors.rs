//! Every ill-formed subsequence, not only the first.

use core::iter::FusedIterator;

use crate::error::Error;
use crate::standard::Standard;
use crate::validate::validate;

/// Every maximal subpart of an ill-formed subsequence of `bytes`, in order:
/// as many as there are U+FFFD in
/// [`from_utf8_lossy`](crate::from_utf8_lossy).
///
/// ```
/// use utfkit::{Standard, errors};
///
/// let found = errors(b"a\xFFb\xE2\x82", Standard::Rfc3629);
/// let places: Vec<_> = found.map(|e| (e.offset(), e.error_len())).collect();
/// assert_eq!(places, [(1, Some(1)), (3, None)]);
/// ```
pub fn errors(bytes: &[u8], standard: Standard) -> Errors<'_> {
    Errors { bytes, standard, at: 0 }
}

/// An iterator over every fault. See [`errors`].
#[derive(Clone, Debug)]
pub struct Errors<'a> {
    bytes: &'a [u8],
    standard: Standard,
    /// Where to go on: behind the fault reported last.
    at: usize,
}

impl Iterator for Errors<'_> {
    type Item = Error;

    fn next(&mut self) -> Option<Error> {
        let error = validate(&self.bytes[self.at..], self.standard).err()?.shifted(self.at);
        self.at = error.offset() + error.len();
        Some(error)
    }
}

impl FusedIterator for Errors<'_> {}
