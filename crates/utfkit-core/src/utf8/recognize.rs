//! How certain it is that bytes of unknown origin are UTF-8.
//!
//! "UTF-8 strings can be fairly reliably recognized as such by a simple
//! algorithm, i.e., the probability that a string of characters in any other
//! encoding appears as valid UTF-8 is low, diminishing with increasing string
//! length" (RFC 3629 section 1). The simple algorithm is validation; this module
//! quantifies the probability.

use crate::convert::length::{count_code_points, utf8_len_from_latin1};
use crate::engine::scalar::utf8::is_continuation;
use crate::standard::Standard;

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
    extern crate std;

    use super::*;
    use crate::engine::scalar::utf8::Utf8;
    use crate::engine::scalar::{Decoded, Form};
    use std::{format, string::String, vec, vec::Vec};

    const THIS_FILE: &str = include_str!("recognize.rs");

    fn is_whole(sequence: &[u8]) -> bool {
        matches!(Utf8::decode(sequence), Decoded::Value { len, .. } if len == sequence.len())
    }

    /// The number of well-formed sequences of 1 to 4 bytes of `alphabet`, by trying
    /// each one; a fourth byte is any continuation byte and counted without a
    /// trial.
    fn sequences(alphabet: &[u8]) -> [u128; 5] {
        let mut counts = [0; 5];
        let tails = alphabet.iter().filter(|&&byte| is_continuation(byte)).count() as u128;
        for &a in alphabet {
            counts[1] += u128::from(is_whole(&[a]));
            for &b in alphabet {
                counts[2] += u128::from(is_whole(&[a, b]));
                for &c in alphabet {
                    counts[3] += u128::from(is_whole(&[a, b, c]));
                    counts[4] += tails * u128::from(is_whole(&[a, b, c, 0x80]));
                }
            }
        }
        counts
    }

    /// The number of well-formed strings of `len` bytes.
    fn strings(sequences: &[u128; 5], len: usize) -> u128 {
        let mut counts = vec![1];
        for len in 1..=len {
            let count = (1..=len.min(4)).map(|last| sequences[last] * counts[len - last]).sum();
            counts.push(count);
        }
        counts[len]
    }

    fn any() -> Vec<u8> {
        (0x80..=0xFF).collect()
    }

    /// The bytes 80–FF that are letters in words: ƒŠŒŽšœžŸ, ªµº, À–ÿ without ×
    /// and ÷.
    fn letters_of_windows_1252() -> Vec<u8> {
        let mut letters = vec![0x83, 0x8A, 0x8C, 0x8E, 0x9A, 0x9C, 0x9E, 0x9F];
        letters.extend((0xA0..=0xFF).filter(|&byte| char::from(byte).is_alphabetic()));
        letters
    }

    fn million(count: u128, of: u128) -> u128 {
        count * 1_000_000 / of
    }

    #[test]
    fn the_table_of_runs_is_what_counting_gives() {
        let alphabets = [any(), letters_of_windows_1252(), (0xA1..=0xFE).collect()];
        let counts = alphabets.each_ref().map(|alphabet| sequences(alphabet));
        for len in [1, 2, 3, 4, 6, 8, 10] {
            let shares: Vec<_> = (0..3)
                .map(|i| million(strings(&counts[i], len), (alphabets[i].len() as u128).pow(len as u32)))
                .map(|share| format!(" {share} |"))
                .collect();
            let row = format!("/// | {len} |{}\n", shares.concat());
            assert!(THIS_FILE.contains(&row), "the table lacks {row}");
        }
    }

    #[test]
    fn counting_sequences_counts_strings() {
        let counts = sequences(&any());
        for len in 1..=3 {
            let mut well_formed = 0;
            for number in 0..1_u32 << (7 * len) {
                let text: Vec<u8> = (0..len).map(|i| 0x80 | (number >> (7 * i)) as u8).collect();
                well_formed += u128::from(core::str::from_utf8(&text).is_ok());
            }
            assert_eq!(strings(&counts, len), well_formed, "{len} bytes");
        }
        // RFC 3629: all scalar values from U+10000 on take four bytes.
        assert_eq!(counts[4], 0x10_0000);
    }

    #[test]
    fn a_sequence_begins_by_chance_in_77_of_512() {
        let counts = sequences(&any());
        let begun: u128 = (1..=4).map(|len| counts[len] << (7 * (4 - len))).sum();
        assert_eq!(begun * 512, 77 << 28);
        // The logarithm lies between 2733/1000 and 2734/1000.
        let ratio = 512_f64 / 77.0;
        assert!((2.733..2.734).contains(&ratio.log2()));
        assert_eq!(ratio.powi(4) as u32, 1954);
        assert_eq!(ratio.powi(11) as u64 / 1_000_000_000, 1);
    }

    #[test]
    fn the_table_of_damage_is_what_the_binomial_gives() {
        let chance = |of: u32| {
            let mut choose = 1.0;
            let mut sum = 0.0;
            for errors in 0..=of / 3 {
                sum += choose * (77_f64 / 512.0).powi((of - errors) as i32) * (435_f64 / 512.0).powi(errors as i32);
                choose = choose * f64::from(of - errors) / f64::from(errors + 1);
            }
            format!(" {} |", (sum * 1e6) as u32)
        };
        let row: String = [3, 6, 12, 24].map(chance).concat();
        assert!(THIS_FILE.contains(&format!("/// |{row}\n")), "the table lacks {row}");
    }

    #[test]
    fn every_short_string_is_counted_as_the_standard_library_sees_it() {
        let bytes = [0x00, 0x61, 0x80, 0xA9, 0xC3, 0xE2, 0xED, 0xF0, 0x9F, 0xFF];
        for len in 0..6 {
            for number in 0..10_usize.pow(len) {
                let text: Vec<u8> = (0..len).map(|place| bytes[number / 10_usize.pow(place) % 10]).collect();
                let (mut sequences, mut errors, mut ascii) = (0, 0, 0);
                for chunk in text.utf8_chunks() {
                    sequences += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
                    ascii += chunk.valid().chars().filter(char::is_ascii).count();
                    errors += usize::from(!chunk.invalid().is_empty());
                }
                let found = recognize(&text);
                let unfinished = core::str::from_utf8(&text[text.len() - trailing(&text)..])
                    .is_err_and(|e| e.valid_up_to() == 0 && e.error_len().is_none());
                assert_eq!(found.is_unfinished(), unfinished, "{text:02X?}");
                assert_eq!(found.errors(), errors - usize::from(unfinished), "{text:02X?}");
                assert_eq!((found.sequences(), found.ascii()), (sequences, ascii), "{text:02X?}");
                assert_eq!(found.nulls(), text.iter().filter(|&&byte| byte == 0).count());
            }
        }
    }

    /// The length of the last chunk's ill-formed part.
    fn trailing(text: &[u8]) -> usize {
        text.utf8_chunks().last().map_or(0, |chunk| chunk.invalid().len())
    }

    #[test]
    fn verdicts() {
        use Verdict::*;
        let cases: [(&[u8], Verdict); 10] = [
            (b"", Ascii),
            (b"a\0", Ascii),
            (b"\xEF\xBB\xBF", Utf8),
            ("ж".as_bytes(), Utf8),
            // A letter of ISO-8859-1 at the end, or a truncated sequence.
            (b"caf\xC3", Other),
            (b"caf\xE9!", Other),
            ("Съешь".as_bytes(), Utf8),
            // A word in KOI8-R, then in windows-1251.
            (b"\xF3\xDF\xC5\xDB\xD8", Other),
            (b"\xD1\xFA\xE5\xF8\xFC", Other),
            (b"\xC3\xA9\xC3\xA9\xC3\xA9\xFF\xC3", DamagedUtf8),
        ];
        for (bytes, verdict) in cases {
            assert_eq!(recognize(bytes).verdict(), verdict, "{bytes:02X?}");
        }
        assert!(recognize(b"\xEF\xBB\xBFa").has_bom());
        assert!(!recognize(b"a\xEF\xBB\xBF").has_bom());
    }

    #[test]
    fn bits_are_rounded_down_and_do_not_overflow() {
        let found = |sequences| Recognition { sequences, errors: 0, unfinished: false, ascii: 0, nulls: 0, bom: false };
        for (sequences, bits) in [(0, 0), (1, 2), (3, 8), (4, 10), (999, 2730), (1000, 2733), (1001, 2735)] {
            assert_eq!(found(sequences).bits(), bits);
        }
        // The largest length of a slice.
        let most = isize::MAX as usize / 2;
        assert!(found(most).bits() > most);
    }
}
