//! Every ill-formed subsequence, not only the first.

use core::iter::FusedIterator;

use crate::engine::kernel::faults_utf8::{Faulty, faults};
use crate::engine::kernel::utf8::bytes_before;
use crate::engine::scalar::utf8;
use crate::error::Error;
use crate::standard::Standard;
use crate::utf8::validate::{first_fault, validate};

/// Every maximal subpart of an ill-formed subsequence of `bytes`, in order:
/// as many as there are U+FFFD in
/// [`from_utf8_lossy`](crate::from_utf8_lossy).
///
/// For [`Standard::Rfc3629`] it goes through the bytes once, however many
/// errors there are; `count` does not even name them.
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
    Errors { bytes, standard, at: 0, by_kernel, block: 0, found: [Faulty::default(); FOUND], first: 0, len: 0 }
}

/// Blocks with errors that are found at once.
const FOUND: usize = 8;

/// An iterator over every fault. See [`errors`].
#[derive(Clone, Debug)]
pub struct Errors<'a> {
    bytes: &'a [u8],
    standard: Standard,
    /// Behind the error reported last.
    at: usize,
    /// Whether a kernel finds them.
    by_kernel: bool,
    /// From which block on it is to go on.
    block: usize,
    /// What it found, from `first` to `len` not reported yet.
    found: [Faulty; FOUND],
    first: usize,
    len: usize,
}

impl Errors<'_> {
    /// Has the kernel find more. Answers whether there are.
    fn find(&mut self) -> bool {
        (self.first, self.len) = (0, 0);
        if self.block == self.bytes.len() {
            return false;
        }
        match faults(self.bytes, self.block, &mut self.found) {
            Some((len, block)) => (self.len, self.block) = (len, block),
            None => {
                // What begins before the block and ends in it was not found.
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
                    break match self.bytes.get(at + len) {
                        Some(&next) if !utf8::is_continuation(next) => {
                            Error::new(at, len, utf8::broken_kind(self.bytes[at]))
                        }
                        _ => first_fault(self.bytes, at, |src| utf8::decode(src, Standard::Rfc3629)).err()?,
                    };
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
            count += self.found[self.first..self.len].iter().map(Faulty::count).sum::<usize>();
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
