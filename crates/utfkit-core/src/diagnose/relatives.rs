//! Messages for text in encodings other than UTF-8.

use core::fmt;

use super::finding::{Diagnosis, Hex, Spelled, word};
use crate::encoding::Encoding;
use crate::engine::scalar::Form;
use crate::engine::scalar::cesu8::Cesu8;
use crate::engine::scalar::utf8::{cesu8_pair, encode_31_bits};
use crate::engine::scalar::utf16::is_high;
use crate::error::ErrorKind;

impl Diagnosis {
    #[inline]
    pub(super) fn fmt_relative(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rules.encoding {
            Encoding::Cesu8 | Encoding::Mutf8 | Encoding::Wtf8 | Encoding::Unicode11Utf8 => self.fmt_like_utf8(f),
            Encoding::Iso2022Utf8 => self.fmt_utf8(f),
            Encoding::Utf7 | Encoding::Utf7Optional | Encoding::ImapUtf7 => self.fmt_base64(f),
            Encoding::Utf1 => self.fmt_utf1(f),
            #[cfg(feature = "legacy")]
            Encoding::Legacy(_) | Encoding::Iso2022Utf8In(_) => self.fmt_legacy(f),
            _ => self.fmt_units(f),
        }
    }

    /// Encodings that are UTF-8 except for some sequences.
    #[inline]
    fn fmt_like_utf8(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let encoding = self.rules.encoding;
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
        let (first, encoding) = (self.bytes()[0], self.rules.encoding);
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
    #[cfg(feature = "legacy")]
    #[inline]
    fn fmt_legacy(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let encoding = self.rules.encoding;
        match self.kind {
            ErrorKind::InvalidByte | ErrorKind::InvalidSequence => {
                write!(f, "{} stands for no character of {encoding}", Hex(self.bytes()))
            }
            ErrorKind::Truncated if matches!(encoding, Encoding::Legacy(_)) => {
                f.write_str("the input ends inside a character")
            }
            _ => self.fmt_utf8(f),
        }
    }

    /// Encodings of 16- and 32-bit units, and US-ASCII.
    #[inline]
    fn fmt_units(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let encoding = self.rules.encoding;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::Checker;
    use crate::standard::Standard;
    use alloc::string::{String, ToString};
    use alloc::vec::Vec;

    /// The messages of the findings in `src`, without their places.
    fn messages(encoding: Encoding, src: &[u8]) -> Vec<String> {
        let mut found = Vec::new();
        let mut checker = Checker::new(encoding, Standard::Rfc3629);
        checker.feed(src, |finding| found.push(finding.diagnosis().to_string()));
        checker.finish(|finding| found.push(finding.diagnosis().to_string()));
        found
    }

    #[test]
    fn every_encoding_says_what_is_wrong() {
        for (encoding, src, expected) in [
            (
                Encoding::Cesu8,
                &b"\xF0\x9F\x98\x80"[..],
                "four-byte form of U+1F600 \"😀\", which must be a pair of surrogates: ED A0 BD ED B8 80 (UTR #26)",
            ),
            (Encoding::Cesu8, b"\xED\xA0\xBDa", "surrogate without its other half (UTR #26)"),
            (Encoding::Cesu8, b"\xC0\xAF", "two-byte form of U+002F \"/\", which must be 2F (UTR #26)"),
            (Encoding::Cesu8, b"\xFFa", "FF can stand nowhere in CESU-8: no form is longer than three bytes (UTR #26)"),
            (
                Encoding::Mutf8,
                b"a\0",
                "00 can stand nowhere in Modified-UTF-8, where U+0000 must be C0 80 (Java Virtual Machine Specification, 4.4.7)",
            ),
            (
                Encoding::Wtf8,
                b"\xED\xA0\xBD\xED\xB8\x80",
                "surrogate pair in six bytes for U+1F600 \"😀\", which must be F0 9F 98 80 (The WTF-8 encoding)",
            ),
            (
                Encoding::Unicode11Utf8,
                "가".as_bytes(),
                "U+AC00 \"가\", which Unicode 1.1 does not have: its Hangul is at U+3400 to U+4DFF (RFC 2279 section 5)",
            ),
            (Encoding::Ucs2Be, b"\xD8\0", "surrogate U+D800, which UCS-2 may not hold (ISO/IEC 10646-1:2000, UCS-2)"),
            (Encoding::Ucs4Be, b"\0\0\xD8\0", "surrogate U+D800, which UCS-4 may not hold (RFC 2279 section 1)"),
            (Encoding::Utf32Be, b"\0\0\xD8\0", "surrogate U+D800, which UTF-32 may not hold (Unicode Standard, D90)"),
            (Encoding::Utf32Be, b"\0\x11\0\0", "the value 110000 is above U+10FFFF (Unicode Standard, D90)"),
            (Encoding::Utf16Be, b"\xD8\0\0a", "high surrogate U+D800 that no low one follows (RFC 2781 section 2.2)"),
            (Encoding::Utf16Be, b"\xDC\0\0a", "low surrogate U+DC00 that follows no high one (RFC 2781 section 2.2)"),
            (Encoding::Utf16Be, b"a", "the input ends after 1 of the 2 bytes of a unit (Unicode Standard, D91)"),
            (
                Encoding::Utf16Be,
                b"\xD8\0\xDC",
                "the input ends after 3 of the 4 bytes of a surrogate pair (Unicode Standard, D91)",
            ),
            (Encoding::UsAscii, b"\xE9", "E9 in US-ASCII, which ends at 7F (RFC 20)"),
            (Encoding::Ucs4Le, b"\0\0\0\x80", "the value 80000000 has more than 31 bits (RFC 2279 section 1)"),
            (Encoding::Ucs4Le, b"\0\0\0", "the input ends after 3 of the 4 bytes of a unit (RFC 2279 section 1)"),
            (Encoding::Utf7, b"a\xE9", "E9 cannot stand as it is in UTF-7, but only in base64 (RFC 2152)"),
            (Encoding::Utf7, b"+!", "\"+\" with neither base64 nor \"-\" after it (RFC 2152)"),
            (Encoding::Utf7, b"+AG-", "a run of base64 ends here inside a unit of 16 bits (RFC 2152)"),
            (
                Encoding::Utf7,
                b"+AGF-",
                "the last digit of a run of base64 has bits after the last unit that are not zero (RFC 2152)",
            ),
            (Encoding::Utf7, b"+2AA-", "base64 of a surrogate without its other half (RFC 2152)"),
            (Encoding::Utf7, b"+AG", "the input ends inside a run of base64 (RFC 2152)"),
            (Encoding::ImapUtf7, b"&AOQ.", "no \"-\" closes the run of base64 that ends here (RFC 3501 section 5.1.3)"),
            (
                Encoding::ImapUtf7,
                b"&AOQ-&AOQ-",
                "a run of base64 directly after another, with which it has to be one (RFC 3501 section 5.1.3)",
            ),
            (
                Encoding::ImapUtf7,
                b"&AGE-",
                "base64 for a character that has to stand as it is (RFC 3501 section 5.1.3)",
            ),
            (Encoding::Utf1, b"\xFE", "FE announces more than 31 bits (ISO-IR-178)"),
            (Encoding::Utf1, b"\xF7\x2F\xC4", "a surrogate, which UTF-1 may not hold (ISO-IR-178)"),
            (Encoding::Utf1, b"\xFD\xFF\xFF\xFF\xFF", "a value of more than 31 bits (ISO-IR-178)"),
            (Encoding::Utf1, b"\xF5", "the input ends after 1 of the 2 bytes that F5 announces (ISO-IR-178)"),
            (Encoding::Utf1, b"\xF6\x21", "the input ends after 2 of the 3 bytes that F6 announces (ISO-IR-178)"),
            (Encoding::Utf1, b"\xFB\x21", "the input ends after 2 of the 3 bytes that FB announces (ISO-IR-178)"),
            (Encoding::Utf1, b"\xFC\x21", "the input ends after 2 of the 5 bytes that FC announces (ISO-IR-178)"),
            (Encoding::Utf1, b"\xA1\n", "only 1 of the 2 bytes that A1 announces (ISO-IR-178)"),
            (
                Encoding::Iso2022Utf8,
                b"\x1B%G\xC0\xAF\x1B%@",
                "two-byte form of U+002F \"/\", which must be 2F (utf-8(7))",
            ),
            #[cfg(feature = "legacy")]
            (
                Encoding::Iso2022Utf8In(crate::Legacy::Ibm866),
                b"\x1B%G\xC3",
                "the input ends after 1 of the 2 bytes that C3 announces (utf-8(7))",
            ),
            #[cfg(feature = "legacy")]
            (
                Encoding::Legacy(crate::Legacy::ShiftJis),
                b"\x81\xFF",
                "81 FF stands for no character of Shift_JIS (WHATWG Encoding Standard)",
            ),
            #[cfg(feature = "legacy")]
            (
                Encoding::Legacy(crate::Legacy::ShiftJis),
                b"\x81",
                "the input ends inside a character (WHATWG Encoding Standard)",
            ),
        ] {
            assert_eq!(messages(encoding, src).first().map(String::as_str), Some(expected), "{encoding} {src:02X?}");
        }
    }
}
