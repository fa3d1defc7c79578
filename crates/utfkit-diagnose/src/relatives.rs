//! Messages for text in encodings other than UTF-8.

use core::fmt;

use crate::finding::{Diagnosis, Hex, Spelled, word};
use utfkit_core::Encoding;
use utfkit_core::ErrorKind;
use utfkit_core::internal::utf8::{cesu8_pair, encode_31_bits};
use utfkit_core::internal::utf16::is_high;
use utfkit_core::internal::{Cesu8, Form, Tables, tables};

impl Diagnosis {
    #[inline]
    pub(crate) fn fmt_relative(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rules.encoding() {
            Encoding::Cesu8 | Encoding::Mutf8 | Encoding::Wtf8 | Encoding::Unicode11Utf8 => self.fmt_like_utf8(f),
            Encoding::Iso2022Utf8 => self.fmt_utf8(f),
            Encoding::Utf7 | Encoding::Utf7Optional | Encoding::ImapUtf7 => self.fmt_base64(f),
            Encoding::Utf1 => self.fmt_utf1(f),
            other => match tables(other) {
                Tables::None if other.unit_size() > 1 || other == Encoding::UsAscii => self.fmt_units(f),
                Tables::None => self.fmt_others(f),
                legacy => self.fmt_legacy(f, legacy == Tables::All),
            },
        }
    }

    /// Encodings that are UTF-8 except for some sequences.
    #[inline]
    fn fmt_like_utf8(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let encoding = self.rules.encoding();
        match (self.kind, self.value) {
            (ErrorKind::InvalidByte, Some(0)) => {
                write!(f, "00 can stand nowhere in {encoding}, where U+0000 must be C0 80")
            }
            (ErrorKind::InvalidByte, Some(value)) => {
                write!(f, "{}-byte form of {}, which ", word(self.bytes().len()), Spelled(value))?;
                match Cesu8::encode(value) {
                    Some(pair) => write!(f, "must be a pair of surrogates: {}", Hex(pair.as_slice())),
                    None => f.write_str("is above U+10FFFF"),
                }
            }
            (ErrorKind::InvalidByte, None) => {
                write!(f, "{:02X} can stand nowhere in {encoding}: no form is longer than three bytes", self.bytes()[0])
            }
            (ErrorKind::UnpairedSurrogate, _) => f.write_str("surrogate without its other half"),
            (ErrorKind::Surrogate, _) => match cesu8_pair(self.bytes()) {
                Some(value) => write!(
                    f,
                    "surrogate pair in six bytes for {}, which must be {}",
                    Spelled(value),
                    Hex(encode_31_bits(value).as_slice())
                ),
                None => self.fmt_utf8(f),
            },
            (ErrorKind::InvalidSequence, Some(value)) => {
                write!(f, "{}, which Unicode 1.1 does not have: its Hangul is at U+3400 to U+4DFF", Spelled(value))
            }
            _ => self.fmt_utf8(f),
        }
    }

    /// UTF-7 and IMAP's mailbox names.
    #[inline]
    fn fmt_base64(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, encoding) = (self.bytes()[0], self.rules.encoding());
        let shift = if encoding == Encoding::ImapUtf7 { '&' } else { '+' };
        match self.kind {
            ErrorKind::InvalidByte => write!(f, "{first:02X} cannot stand as it is in {encoding}, but only in base64"),
            ErrorKind::EmptyShift => write!(f, "\"{shift}\" with neither base64 nor \"-\" after it"),
            ErrorKind::PartialUnit => f.write_str("a run of base64 ends here inside a unit of 16 bits"),
            ErrorKind::PaddingBits => {
                f.write_str("the last digit of a run of base64 has bits after the last unit that are not zero")
            }
            ErrorKind::UnclosedShift => f.write_str("no \"-\" closes the run of base64 that ends here"),
            ErrorKind::NeedlessShift if first == b'&' => {
                f.write_str("a run of base64 directly after another, with which it has to be one")
            }
            ErrorKind::NeedlessShift => f.write_str("base64 for a character that has to stand as it is"),
            ErrorKind::UnpairedSurrogate => f.write_str("base64 of a surrogate without its other half"),
            ErrorKind::Truncated => f.write_str("the input ends inside a run of base64"),
            _ => self.fmt_others(f),
        }
    }

    #[inline]
    fn fmt_utf1(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = self.bytes()[0];
        let announced = match first {
            ..=0xF5 => 2,
            0xF6..=0xFB => 3,
            _ => 5,
        };
        match self.kind {
            ErrorKind::InvalidByte => write!(f, "{first:02X} announces more than 31 bits"),
            ErrorKind::MissingContinuation => {
                write!(f, "only {} of the {announced} bytes that {first:02X} announces", self.bytes().len())
            }
            ErrorKind::Truncated => write!(
                f,
                "the input ends after {} of the {announced} bytes that {first:02X} announces",
                self.bytes().len()
            ),
            ErrorKind::Surrogate => f.write_str("a surrogate, which UTF-1 may not hold"),
            ErrorKind::TooLarge => f.write_str("a value of more than 31 bits"),
            _ => self.fmt_others(f),
        }
    }

    /// Encodings defined by a table, and UTF-8 inside ISO 2022.
    #[inline]
    fn fmt_legacy(&self, f: &mut fmt::Formatter<'_>, outside_utf8: bool) -> fmt::Result {
        let encoding = self.rules.encoding();
        match self.kind {
            ErrorKind::InvalidByte | ErrorKind::InvalidSequence => {
                write!(f, "{} stands for no character of {encoding}", Hex(self.bytes()))
            }
            ErrorKind::Truncated if outside_utf8 => f.write_str("the input ends inside a character"),
            _ => self.fmt_utf8(f),
        }
    }

    /// Encodings of 16- and 32-bit units, and US-ASCII.
    #[inline]
    fn fmt_units(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let encoding = self.rules.encoding();
        let size = encoding.unit_size();
        match (self.kind, self.value) {
            (ErrorKind::UnpairedSurrogate, Some(unit)) if is_high(unit as u16) => {
                write!(f, "high surrogate {} that no low one follows", Spelled(unit))
            }
            (ErrorKind::UnpairedSurrogate, Some(unit)) => {
                write!(f, "low surrogate {} that follows no high one", Spelled(unit))
            }
            (ErrorKind::Surrogate, Some(value)) => {
                let form = match encoding {
                    Encoding::Ucs2Le | Encoding::Ucs2Be => "UCS-2",
                    Encoding::Ucs4Le | Encoding::Ucs4Be => "UCS-4",
                    _ => "UTF-32",
                };
                write!(f, "surrogate {}, which {form} may not hold", Spelled(value))
            }
            (ErrorKind::TooLarge, Some(value)) => match encoding {
                Encoding::Ucs4Le | Encoding::Ucs4Be => write!(f, "the value {value:X} has more than 31 bits"),
                _ => write!(f, "the value {value:X} is above U+10FFFF"),
            },
            (ErrorKind::Truncated, _) if self.bytes().len() > size => {
                f.write_str("the input ends after 3 of the 4 bytes of a surrogate pair")
            }
            (ErrorKind::Truncated, _) => {
                write!(f, "the input ends after {} of the {size} bytes of a unit", self.bytes().len())
            }
            // Only US-ASCII has invalid bytes.
            (ErrorKind::InvalidByte, _) => write!(f, "{:02X} in {encoding}, which ends at 7F", self.bytes()[0]),
            _ => self.fmt_others(f),
        }
    }
}
