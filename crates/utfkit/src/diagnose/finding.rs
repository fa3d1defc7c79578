//! A fault as a person reads it.

use core::fmt;

use super::naming::{LONGEST, Named, Rules, clause};
use crate::encoding::Encoding;
use crate::error::ErrorKind;
use crate::scalar::utf8::{announced_len, encode_31_bits};
use crate::scalar::utf16::is_high;
use crate::scalar::{MAX_CODE_POINT, is_surrogate};
use crate::standard::Standard;

/// What is wrong with a sequence of bytes, without where it stands.
///
/// Its `Display` form is the message alone:
///
/// ```
/// use utfkit::diagnose::Diagnosis;
/// use utfkit::{Encoding, ErrorKind, Standard};
///
/// let d = Diagnosis::of(b"\xED\xA0\x80!", Encoding::Utf8, Standard::Rfc3629).unwrap();
/// assert_eq!(d.to_string(), "surrogate U+D800, which UTF-8 may not hold (RFC 3629 section 3)");
/// assert_eq!((d.kind(), d.bytes()), (ErrorKind::Surrogate, &b"\xED\xA0\x80"[..]));
/// assert_eq!(d.code_point(), Some(0xD800));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    rules: Rules,
    bytes: [u8; LONGEST],
    len: u8,
    kind: ErrorKind,
    value: Option<u32>,
    /// The encoding that lacks the character, for
    /// [`ErrorKind::Unrepresentable`].
    target: Option<Encoding>,
}

impl Diagnosis {
    /// What is wrong with the front of `src`, of which there is no more;
    /// `None` if a character stands there, or nothing. UTF-16 and UTF-32 are
    /// read as at the start of a stream, so that a signature counts as one.
    ///
    /// `standard` speaks to UTF-8 alone.
    pub fn of(src: &[u8], encoding: Encoding, standard: Standard) -> Option<Diagnosis> {
        let (encoding, signature) = super::naming::by_signature(encoding, src, true)?;
        let src = &src[signature..];
        let rules = Rules { encoding, standard };
        if src.is_empty() {
            return None;
        }
        rules.name(src).map(|named| Diagnosis::new(rules, named, src))
    }

    pub(super) fn new(rules: Rules, named: Named, src: &[u8]) -> Diagnosis {
        let len = named.len.min(src.len()).min(LONGEST);
        let mut bytes = [0; LONGEST];
        bytes[..len].copy_from_slice(&src[..len]);
        Diagnosis { rules, bytes, len: len as u8, kind: named.kind, value: named.value, target: None }
    }

    pub(super) fn unrepresentable(rules: Rules, named: Named, src: &[u8], target: Encoding) -> Diagnosis {
        Diagnosis { target: Some(target), ..Diagnosis::new(rules, named, src) }
    }

    /// All bytes of the faulty sequence.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len.into()]
    }

    /// What is wrong.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The code point that the sequence spells, or would if its form were
    /// allowed: U+002F for `C0 AF`. `None` where it spells none, or a value
    /// above U+10FFFF, which is no code point.
    pub fn code_point(&self) -> Option<u32> {
        self.value.filter(|&value| value <= MAX_CODE_POINT)
    }
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rules.encoding {
            Encoding::Utf8 => self.fmt_utf8(f)?,
            _ => self.fmt_units(f)?,
        }
        match self.kind {
            ErrorKind::Unrepresentable => Ok(()),
            kind => write!(f, " ({})", clause(self.rules, kind)),
        }
    }
}

impl Diagnosis {
    fn fmt_utf8(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lead = self.bytes[0];
        let announced = announced_len(lead);
        match (self.kind, self.value) {
            (ErrorKind::Overlong, Some(value)) => {
                write!(f, "{}-byte form of {}, which ", word(announced), Spelled(value))?;
                fmt_shortest(f, value)
            }
            (ErrorKind::TooLarge, Some(value)) if announced > 4 => {
                write!(f, "{}-byte form of {}", word(announced), Spelled(value))?;
                if value <= MAX_CODE_POINT {
                    f.write_str(", which ")?;
                    fmt_shortest(f, value)?;
                }
                f.write_str("; no form is longer than four bytes")
            }
            (ErrorKind::TooLarge, Some(value)) => {
                write!(f, "{}-byte form of {}, which is above U+10FFFF", word(announced), Spelled(value))
            }
            (ErrorKind::Surrogate, Some(value)) => write!(f, "surrogate {}, which UTF-8 may not hold", Spelled(value)),
            (ErrorKind::Noncharacter, Some(value)) => {
                write!(f, "noncharacter {}, which plain text may not hold", Spelled(value))
            }
            (ErrorKind::UnexpectedContinuation, _) => {
                write!(f, "continuation byte {lead:02X} without a lead byte that asks for it")
            }
            (ErrorKind::MissingContinuation, _) => {
                write!(f, "only {} of the {announced} bytes that {lead:02X} announces", self.len)
            }
            (ErrorKind::Truncated, _) => {
                write!(f, "the input ends behind {} of the {announced} bytes that {lead:02X} announces", self.len)
            }
            (ErrorKind::InvalidByte, _) => write!(f, "{lead:02X} can stand nowhere in UTF-8"),
            _ => self.fmt_others(f),
        }
    }

    /// Encodings of 16- and 32-bit units, and those of one byte.
    fn fmt_units(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wide = matches!(self.rules.encoding, Encoding::Utf32Le | Encoding::Utf32Be);
        match (self.kind, self.value) {
            (ErrorKind::UnpairedSurrogate, Some(unit)) if is_high(unit as u16) => {
                write!(f, "high surrogate {} that no low one follows", Spelled(unit))
            }
            (ErrorKind::UnpairedSurrogate, Some(unit)) => {
                write!(f, "low surrogate {} that follows no high one", Spelled(unit))
            }
            (ErrorKind::Surrogate, Some(value)) => write!(f, "surrogate {}, which UTF-32 may not hold", Spelled(value)),
            (ErrorKind::TooLarge, Some(value)) => write!(f, "the value {value:X} is above U+10FFFF"),
            (ErrorKind::Truncated, _) if self.len == 3 && !wide => {
                f.write_str("the input ends behind 3 of the 4 bytes of a surrogate pair")
            }
            (ErrorKind::Truncated, _) => {
                write!(f, "the input ends behind {} of the {} bytes of a unit", self.len, if wide { 4 } else { 2 })
            }
            (ErrorKind::InvalidByte, _) => {
                write!(f, "{:02X} in {}, which ends at 7F", self.bytes[0], self.rules.encoding)
            }
            _ => self.fmt_others(f),
        }
    }

    fn fmt_others(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.kind, self.value, self.target) {
            (ErrorKind::Unrepresentable, Some(value), Some(target)) => {
                write!(f, "{} is not in {target}", Spelled(value))
            }
            (kind, ..) => write!(f, "{kind}"),
        }
    }
}

/// `must be 2F`, or why the value has no form at all.
fn fmt_shortest(f: &mut fmt::Formatter<'_>, value: u32) -> fmt::Result {
    if is_surrogate(value) {
        return f.write_str("is a surrogate and has no form");
    }
    write!(f, "must be {}", Hex(encode_31_bits(value).as_slice()))
}

fn word(number: usize) -> &'static str {
    ["zero", "one", "two", "three", "four", "five", "six"].get(number).copied().unwrap_or("many")
}

/// `U+002F "/"`; what is not printable stands as the number alone, so that no
/// message carries a control sequence to a terminal.
struct Spelled(u32);

impl fmt::Display for Spelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "U+{:04X}", self.0)?;
        match char::from_u32(self.0) {
            Some(c) if is_printable(c) => write!(f, " \"{c}\""),
            _ => Ok(()),
        }
    }
}

fn is_printable(c: char) -> bool {
    // Rust escapes what does not show by itself: controls, formats, unassigned
    // code points, marks that would join the quote; and three that do show.
    matches!(c, '"' | '\'' | '\\') || c.escape_debug().len() == 1
}

/// `C0 AF`.
struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, byte) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(" ")?;
            }
            write!(f, "{byte:02X}")?;
        }
        Ok(())
    }
}

/// A fault and where it stands.
///
/// The `Display` form is a line as a compiler prints it, without the name of
/// the file:
/// `2:7: byte 31: C0 AF: overlong: two-byte form of U+002F "/", which must be 2F (RFC 3629 section 3)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    pub(super) offset: u64,
    pub(super) line: u64,
    pub(super) column: u64,
    pub(super) diagnosis: Diagnosis,
}

impl Finding {
    /// The bytes of the stream before the faulty sequence.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The line it stands on, from 1. Lines end at U+000A.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The column it stands at, from 1: code points and faults before it on
    /// its line, and one.
    pub fn column(&self) -> u64 {
        self.column
    }

    /// What is wrong.
    pub fn diagnosis(&self) -> &Diagnosis {
        &self.diagnosis
    }

    /// What is wrong, in one word.
    pub fn kind(&self) -> ErrorKind {
        self.diagnosis.kind
    }

    /// All bytes of the faulty sequence.
    pub fn bytes(&self) -> &[u8] {
        self.diagnosis.bytes()
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { offset, line, column, diagnosis } = self;
        write!(f, "{line}:{column}: byte {offset}: {}: {}: {diagnosis}", Hex(self.bytes()), diagnosis.kind)
    }
}
