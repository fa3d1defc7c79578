//! Validation and lengths of bytes in any encoding.

use super::transcoder::{Status, Transcoder};
use crate::convert::{count_code_points, count_utf16, utf8_len_from_utf16};
use crate::encoding::Encoding;
use crate::engine::row::Clause;
use crate::engine::validate::{validate, validate_ascii, validate_utf16, validate_utf32};
use crate::error::Error;
use crate::policy::{Policy, Practice};
use utfkit_forms::ErrorKind;
use utfkit_forms::scalar::utf16::is_high;

/// Units that are brought into the order of the machine at once: they stay in the
/// first cache. And the bytes that are converted at once.
const UNITS: usize = 1024;

impl Encoding {
    /// Checks that `bytes` are well-formed in this encoding.
    ///
    /// # Errors
    ///
    /// The first ill-formed sequence; offset and length count bytes. Bytes at the end
    /// that are not a whole unit are [`Truncated`](ErrorKind::Truncated).
    ///
    /// ```
    /// use utfkit::{Encoding, ErrorKind};
    ///
    /// assert!(Encoding::Utf16Be.validate(b"\xD8\x3C\xDF\x89").is_ok());
    /// let error = Encoding::Utf16Le.validate(b"a\0\0\xDC").unwrap_err();
    /// assert_eq!((error.offset(), error.len(), error.kind()), (2, 2, ErrorKind::UnpairedSurrogate));
    /// assert_eq!(Encoding::Utf16Le.validate(b"a").unwrap_err().error_len(), None);
    /// ```
    ///
    /// # Cost
    ///
    /// For UTF-8, US-ASCII, UTF-16 and UTF-32 that of the functions on slices of
    /// units ([`validate_utf16`](crate::validate_utf16)), and some more for another
    /// byte order than the machine's. Others are converted piece by piece.
    pub fn validate(self, bytes: &[u8]) -> Result<(), Error> {
        match self {
            Encoding::UsAscii => return validate_ascii(bytes),
            Encoding::Utf16Le | Encoding::Utf16Be => return validate16(bytes, self == Encoding::Utf16Be),
            Encoding::Utf32Le | Encoding::Utf32Be => return validate32(bytes, self == Encoding::Utf32Be),
            _ => {}
        }
        if let Clause::Utf8(standard) = self.row().clause {
            return validate(bytes, standard);
        }
        // It has all values that an encoding may have, but for surrogates.
        self.in_pieces(Encoding::Utf8Rfc2279, Policy::Strict, bytes, &mut |_| ())
    }

    /// The number of bytes of UTF-8 that `bytes` become, if U+FFFD replaces each
    /// ill-formed sequence.
    ///
    /// ```
    /// use utfkit::Encoding;
    ///
    /// assert_eq!(Encoding::Utf16Be.utf8_len(b"\x20\xAC"), 3);
    /// assert_eq!(Encoding::Latin1.utf8_len(b"caf\xE9"), 5);
    /// ```
    pub fn utf8_len(self, bytes: &[u8]) -> usize {
        self.sum(bytes, utf8_len_from_utf16, <[u8]>::len)
    }

    /// The number of code points in `bytes`, each ill-formed sequence counted as one.
    ///
    /// ```
    /// use utfkit::Encoding;
    ///
    /// assert_eq!(Encoding::Utf16Le.count_code_points(b"\x3C\xD8\x89\xDF!\0"), 2);
    /// ```
    pub fn count_code_points(self, bytes: &[u8]) -> usize {
        self.sum(bytes, count_utf16, count_code_points)
    }

    /// The sum over all of `bytes`, in units of UTF-16 or in UTF-8.
    fn sum(self, bytes: &[u8], of_units: fn(&[u16]) -> usize, of_utf8: fn(&[u8]) -> usize) -> usize {
        let mut sum = 0;
        if let Encoding::Utf16Le | Encoding::Utf16Be = self {
            let mut high = false;
            for_units16(bytes, self == Encoding::Utf16Be, &mut |_, units| {
                sum += of_units(units);
                high = units.last().is_some_and(|&last| is_high(last));
                true
            });
            // A part of a unit is one ill-formed sequence with a high surrogate before it.
            return if bytes.len().is_multiple_of(2) || high { sum } else { sum + of_utf8("\u{FFFD}".as_bytes()) };
        }
        let lossy = Policy::Replace(Practice::MaximalSubpart);
        let _ = self.in_pieces(Encoding::Utf8, lossy, bytes, &mut |piece| sum += of_utf8(piece));
        sum
    }

    /// Converts `bytes` and gives `each` the result in pieces of whole characters.
    /// A character that `to` lacks is no error.
    fn in_pieces(self, to: Encoding, policy: Policy, bytes: &[u8], each: &mut dyn FnMut(&[u8])) -> Result<(), Error> {
        let mut transcoder = Transcoder::new(self, to, policy);
        let (mut read, mut piece) = (0, [0; UNITS]);
        loop {
            let step = transcoder.transcode(&bytes[read..], &mut piece, true);
            each(&piece[..step.written]);
            read += step.read;
            match step.status {
                Status::InputEmpty => return Ok(()),
                Status::OutputFull => {}
                Status::IllFormed(error) if error.kind() == ErrorKind::Unrepresentable => {}
                Status::IllFormed(error) => return Err(error.with_written(0)),
            }
        }
    }
}

/// Gives `each` the units of `src` in the order of the machine, some at a time,
/// with their place in `src`, until it returns false. Surrogate pairs are not
/// separated.
fn for_units16(src: &[u8], big: bool, each: &mut dyn FnMut(usize, &[u16]) -> bool) {
    let (bytes, _) = src.as_chunks::<2>();
    let mut units = [0; UNITS];
    let mut at = 0;
    while at < bytes.len() {
        let mut len = UNITS.min(bytes.len() - at);
        // Two loops without a branch, each of which becomes vector code.
        let pairs = units.iter_mut().zip(&bytes[at..at + len]);
        if big {
            pairs.for_each(|(to, from)| *to = u16::from_be_bytes(*from));
        } else {
            pairs.for_each(|(to, from)| *to = u16::from_le_bytes(*from));
        }
        if at + len < bytes.len() && is_high(units[len - 1]) {
            len -= 1;
        }
        if !each(2 * at, &units[..len]) {
            return;
        }
        at += len;
    }
}

fn validate16(src: &[u8], big: bool) -> Result<(), Error> {
    let mut found = Ok(());
    for_units16(src, big, &mut |at, units| {
        found = validate_utf16(units).map_err(|error| in_bytes(error, at, 2, src.len()));
        found.is_ok()
    });
    found.and_then(|()| whole_units(src, 2))
}

fn validate32(src: &[u8], big: bool) -> Result<(), Error> {
    let mut units = [0; UNITS];
    for (i, bytes) in src.as_chunks::<4>().0.chunks(UNITS).enumerate() {
        let pairs = units.iter_mut().zip(bytes);
        if big {
            pairs.for_each(|(to, from)| *to = u32::from_be_bytes(*from));
        } else {
            pairs.for_each(|(to, from)| *to = u32::from_le_bytes(*from));
        }
        validate_utf32(&units[..bytes.len()]).map_err(|error| in_bytes(error, 4 * UNITS * i, 4, src.len()))?;
    }
    whole_units(src, 4)
}

/// An error in units of `size` bytes as one in bytes. The units begin at `at` of
/// `len` bytes.
fn in_bytes(error: Error, at: usize, size: usize, len: usize) -> Error {
    let offset = at + size * error.offset();
    match error.error_len() {
        // A part of the next unit belongs to it.
        None if !len.is_multiple_of(size) => Error::unfinished(offset, len - offset, ErrorKind::Truncated),
        None => Error::unfinished(offset, size * error.len(), error.kind()),
        Some(units) => Error::new(offset, size * units, error.kind()),
    }
}

/// An error if a part of a unit is left at the end.
fn whole_units(src: &[u8], size: usize) -> Result<(), Error> {
    match src.len() % size {
        0 => Ok(()),
        rest => Err(Error::unfinished(src.len() - rest, rest, ErrorKind::Truncated)),
    }
}
