//! How certain it is that bytes of unknown origin are UTF-8.
//!
//! "UTF-8 strings can be fairly reliably recognized as such by a simple
//! algorithm, i.e., the probability that a string of characters in any other
//! encoding appears as valid UTF-8 is low, diminishing with increasing string
//! length" (RFC 3629 section 1). The simple algorithm is validation; this module
//! quantifies the probability.

use crate::convert::length::{count_code_points, utf8_len_from_latin1};
use utfkit_forms::Standard;
use utfkit_forms::scalar::utf8::is_continuation;

/// The counts that [`recognize`] makes, and the verdict that follows from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Recognition {
    sequences: usize,
    errors: usize,
    unfinished: bool,
    ascii: usize,
    nulls: usize,
    bom: bool,
}

/// A verdict. See [`Recognition::verdict`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// No byte 80 or above, perhaps no byte at all: UTF-8, and equally any other
    /// encoding that contains US-ASCII.
    Ascii,
    /// Well-formed, with at least one multi-byte sequence.
    Utf8,
    /// Ill-formed, with at least two well-formed multi-byte sequences per error:
    /// UTF-8 with damage.
    DamagedUtf8,
    /// Ill-formed, with fewer sequences than that: another encoding, or not text.
    Other,
}

/// Determines whether `bytes` are UTF-8 (RFC 3629), and with what certainty.
///
/// "The probability that a string of characters in any other encoding appears
/// as valid UTF-8 is low, diminishing with increasing string length" (RFC 3629
/// section 1). A sequence truncated by the end of `bytes` is not an error here, so
/// the first kilobytes of a file can be judged alone.
///
/// Cost: a few passes over `bytes`, mostly by vector kernels, and some tens of
/// nanoseconds per error.
///
/// ```
/// use utfkit::{Verdict, recognize};
///
/// assert_eq!(recognize(b"plain").verdict(), Verdict::Ascii);
/// assert_eq!(recognize("Grüße aus Köln".as_bytes()).verdict(), Verdict::Utf8);
/// assert_eq!(recognize(b"Gr\xFC\xDFe aus K\xF6ln").verdict(), Verdict::Other);
/// assert_eq!(recognize(b"Gr\xC3\xBC\xC3\x9Fe aus K\xF6ln").verdict(), Verdict::DamagedUtf8);
///
/// let surely = recognize("日本語".as_bytes());
/// assert_eq!((surely.sequences(), surely.bits()), (3, 8)); // by chance: 1 in 2^8
/// ```
///
/// # The probability
///
/// Text in an encoding of one or two bytes per character is US-ASCII with runs
/// of bytes 80–FF in it. A run of one byte is never well-formed. Of longer runs,
/// this many in a million are:
///
/// | bytes | any, 80–FF | letters of windows-1252 | EUC, A1–FE |
/// |---|---|---|---|
/// | 1 | 0 | 0 | 0 |
/// | 2 | 117187 | 59861 | 105251 |
/// | 3 | 29296 | 4665 | 17355 |
/// | 4 | 17639 | 3770 | 12604 |
/// | 6 | 3383 | 258 | 1788 |
/// | 8 | 666 | 18 | 270 |
/// | 10 | 133 | 1 | 42 |
///
/// Random bytes 80–FF begin with a well-formed sequence in 77 of 512 cases, and
/// with n adjacent sequences with probability (77/512)^n, or 2^-2.73 per
/// sequence. [`Recognition::bits`] returns that: one sequence says little, four
/// leave one case in 1954, eleven one in a thousand million. It is an upper bound
/// for random bytes, because a run must also end with a whole sequence. It is an
/// estimate for text, which is not random: "Â©" in windows-1252 is "©" in UTF-8.
///
/// # Damage
///
/// UTF-8 is cut, joined and overwritten, so one error does not make it another
/// encoding. Where sequences are 77 of 512 of all sequences and errors, chance
/// explains them; damaged UTF-8 has more. Two sequences or more per error are
/// called UTF-8. By chance, this many in a million reach that ratio, by the
/// number of sequences and errors together:
///
/// | 3 | 6 | 12 | 24 |
/// |---|---|---|---|
/// | 61049 | 5942 | 73 | 0 |
#[must_use]
#[inline]
pub fn recognize(bytes: &[u8]) -> Recognition {
    let (mut errors, mut begun, mut unfinished) = (0, 0, false);
    for error in super::errors::errors(bytes, Standard::Rfc3629) {
        begun += usize::from(!is_continuation(bytes[error.offset()]));
        match error.error_len() {
            Some(_) => errors += 1,
            None => unfinished = true,
        }
    }
    let above = utf8_len_from_latin1(bytes) - bytes.len();
    let ascii = bytes.len() - above;
    Recognition {
        // Every byte that is not a continuation byte begins a US-ASCII character,
        // an error or a sequence.
        sequences: count_code_points(bytes) - ascii - begun,
        errors,
        unfinished,
        ascii,
        nulls: bytes.iter().filter(|&&byte| byte == 0).count(),
        bom: bytes.starts_with(b"\xEF\xBB\xBF"),
    }
}

impl Recognition {
    /// The verdict.
    ///
    /// ```
    /// use utfkit::{Verdict, recognize};
    ///
    /// assert_eq!(recognize(b"caf\xC3\xA9 \xC2").verdict(), Verdict::Utf8); // truncated
    /// assert_eq!(recognize(b"caf\xC3\xA9 \xC2 ").verdict(), Verdict::Other); // one of each
    /// ```
    #[inline]
    pub const fn verdict(&self) -> Verdict {
        match (self.sequences, self.errors) {
            (0, 0) if self.unfinished => Verdict::Other,
            (0, 0) => Verdict::Ascii,
            (_, 0) => Verdict::Utf8,
            (sequences, errors) if sequences / 2 >= errors => Verdict::DamagedUtf8,
            _ => Verdict::Other,
        }
    }

    /// Returns `n` where bytes of another encoding are well-formed like this by
    /// chance in 1 case of 2^n, rounded down. 0 for ill-formed bytes and for US-ASCII.
    ///
    /// ```
    /// use utfkit::recognize;
    ///
    /// assert_eq!(recognize("é".as_bytes()).bits(), 2);
    /// assert_eq!(recognize("é".repeat(100).as_bytes()).bits(), 273);
    /// assert_eq!(recognize(b"e").bits(), 0);
    /// ```
    #[inline]
    pub const fn bits(&self) -> usize {
        /// 1000 times the binary logarithm of 512/77, rounded down.
        const THOUSANDTHS: usize = 2733;
        // Split in two so that no slice has enough sequences to overflow.
        match self.errors {
            0 => self.sequences / 1000 * THOUSANDTHS + self.sequences % 1000 * THOUSANDTHS / 1000,
            _ => 0,
        }
    }

    /// The number of well-formed multi-byte sequences.
    #[inline]
    pub const fn sequences(&self) -> usize {
        self.sequences
    }

    /// The number of errors: maximal subparts of ill-formed sequences, not counting
    /// a sequence that the end truncates.
    #[inline]
    pub const fn errors(&self) -> usize {
        self.errors
    }

    /// True if the bytes end inside a sequence that more could complete.
    #[inline]
    pub const fn is_unfinished(&self) -> bool {
        self.unfinished
    }

    /// The number of bytes 00–7F.
    #[inline]
    pub const fn ascii(&self) -> usize {
        self.ascii
    }

    /// The number of bytes 00. Text hardly ever has any: mostly US-ASCII with many
    /// of them is UTF-16, UTF-32, or not text.
    ///
    /// ```
    /// assert_eq!(utfkit::recognize(b"U\0T\0F\0").nulls(), 3);
    /// ```
    #[inline]
    pub const fn nulls(&self) -> usize {
        self.nulls
    }

    /// True if the bytes begin with EF BB BF (RFC 3629 section 6). It counts as one
    /// sequence, although other encodings hardly ever begin so.
    #[inline]
    pub const fn has_bom(&self) -> bool {
        self.bom
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_do_not_overflow() {
        // The largest length of a slice.
        let most = isize::MAX as usize / 2;
        let found = Recognition { sequences: most, errors: 0, unfinished: false, ascii: 0, nulls: 0, bom: false };
        assert!(found.bits() > most);
    }
}
