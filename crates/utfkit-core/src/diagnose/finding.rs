//! A description of one ill-formed sequence.

use core::fmt;

use super::naming::{LONGEST, Named, Rules, clause};
use crate::encoding::Encoding;
use crate::engine::scalar::utf8::{announced_len, cesu8_pair, doomed_kind, encode_31_bits};
use crate::engine::scalar::utf16::is_low;
use crate::engine::scalar::{MAX_CODE_POINT, is_surrogate};
use crate::engine::small_bytes::SmallBytes;
use crate::error::ErrorKind;
use crate::standard::Standard;

/// The error in a sequence of bytes, without its place.
///
/// `Display` writes the message:
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
    pub(super) rules: Rules,
    bytes: SmallBytes<LONGEST>,
    pub(super) kind: ErrorKind,
    pub(super) value: Option<u32>,
    /// The character that this surrogate and its neighbour encode.
    pair: Option<char>,
    /// The encoding that lacks the character, for
    /// [`ErrorKind::Unrepresentable`].
    target: Option<Encoding>,
}

impl Diagnosis {
    /// Describes the error at the front of `src`, which is the whole input. `None` if
    /// `src` is empty or begins with a character. UTF-16 and UTF-32 are read as at
    /// the start of a stream, so a BOM counts as a character.
    ///
    /// `standard` applies to UTF-8 alone.
    #[inline]
    pub fn of(src: &[u8], encoding: Encoding, standard: Standard) -> Option<Diagnosis> {
        let (encoding, bom) = super::naming::by_bom(encoding, src, true)?;
        let src = &src[bom..];
        let rules = Rules { encoding, standard };
        if src.is_empty() {
            return None;
        }
        rules.name(src).map(|named| Diagnosis::new(rules, named, src).paired(src, None))
    }

    #[inline]
    pub(super) fn new(rules: Rules, named: Named, src: &[u8]) -> Diagnosis {
        let bytes = SmallBytes::of(&src[..named.len.min(src.len())]);
        Diagnosis { rules, bytes, kind: named.kind, value: named.value, pair: None, target: None }
    }

    /// Describes the error with regard to its neighbours: half of a surrogate pair
    /// is called that.
    ///
    /// `src` begins with the sequence and should extend three bytes beyond it.
    /// `first_half` is the result of [`first_half`](Self::first_half) for the
    /// finding directly before.
    #[inline]
    pub(super) fn paired(self, src: &[u8], first_half: Option<char>) -> Diagnosis {
        let pair = match self.value {
            Some(value) if self.kind == ErrorKind::Surrogate && self.bytes.len() == 3 => {
                cesu8_pair(src).and_then(char::from_u32).or(first_half.filter(|&c| halves(c)[1] == value))
            }
            _ => None,
        };
        Diagnosis { pair, ..self }
    }

    /// The character of a surrogate pair whose first half this is. The next finding
    /// is then the second half, directly after it.
    #[inline]
    pub(super) fn first_half(&self) -> Option<char> {
        self.pair.filter(|&c| self.value == Some(halves(c)[0]))
    }

    #[inline]
    pub(super) fn unrepresentable(rules: Rules, named: Named, src: &[u8], target: Encoding) -> Diagnosis {
        Diagnosis { target: Some(target), ..Diagnosis::new(rules, named, src) }
    }

    /// All bytes of the ill-formed sequence.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_slice()
    }

    /// The kind of error.
    #[inline]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The code point that the payload bits spell: U+002F for `C0 AF`. `None` if they
    /// spell none, or a value above U+10FFFF, which is not a code point.
    #[inline]
    pub fn code_point(&self) -> Option<u32> {
        self.value.filter(|&value| value <= MAX_CODE_POINT)
    }

    /// The number that the payload bits spell, also above U+10FFFF.
    ///
    /// ```
    /// use utfkit::diagnose::Diagnosis;
    /// use utfkit::{Encoding, Standard};
    ///
    /// let d = Diagnosis::of(b"\xF4\x90\x80\x80", Encoding::Utf8, Standard::Rfc3629).unwrap();
    /// assert_eq!((d.code_point(), d.value()), (None, Some(0x11_0000)));
    /// ```
    #[inline]
    pub fn value(&self) -> Option<u32> {
        self.value
    }

    /// For half of a surrogate pair in UTF-8, the character that the pair encodes in
    /// CESU-8. Each half is an error of its own.
    ///
    /// ```
    /// use utfkit::diagnose::Diagnosis;
    /// use utfkit::{Encoding, Standard};
    ///
    /// // RFC 3629 section 3.
    /// let d = Diagnosis::of(b"\xED\xA1\x8C\xED\xBE\xB4", Encoding::Utf8, Standard::Rfc3629).unwrap();
    /// assert_eq!((d.code_point(), d.pair()), (Some(0xD84C), Some('\u{233B4}')));
    /// ```
    #[inline]
    pub fn pair(&self) -> Option<char> {
        self.pair
    }
}

/// The surrogates of a character above U+FFFF.
#[inline]
fn halves(c: char) -> [u32; 2] {
    let mut units = [0; 2];
    c.encode_utf16(&mut units);
    units.map(u32::from)
}

impl fmt::Display for Diagnosis {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rules.encoding {
            Encoding::Utf8 => self.fmt_utf8(f)?,
            _ => self.fmt_relative(f)?,
        }
        match self.kind {
            ErrorKind::Unrepresentable => Ok(()),
            kind => write!(f, " ({})", clause(self.rules, kind)),
        }
    }
}

impl Diagnosis {
    #[inline]
    pub(super) fn fmt_utf8(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lead = self.bytes().first().copied().unwrap_or_default();
        let announced = announced_len(lead);
        match (self.kind, self.value) {
            (ErrorKind::Overlong, Some(value)) => {
                write!(f, "{}-byte form of {}, which ", word(announced), Spelled(value))?;
                self.fmt_shortest(f, value)
            }
            (ErrorKind::TooLarge, Some(value)) => {
                write!(f, "{}-byte form of {}, which ", word(announced), Spelled(value))?;
                if value <= MAX_CODE_POINT {
                    self.fmt_shortest(f, value)?;
                } else {
                    f.write_str("is above U+10FFFF")?;
                }
                if announced > 4 { f.write_str("; no form is longer than four bytes") } else { Ok(()) }
            }
            (ErrorKind::Surrogate, Some(value)) => {
                write!(f, "surrogate {}, which UTF-8 may not hold", Spelled(value))?;
                match self.pair {
                    Some(c) => self.fmt_pair(f, value, c),
                    None => Ok(()),
                }
            }
            (ErrorKind::Noncharacter, Some(value)) => {
                write!(f, "noncharacter {}, which plain text may not hold", Spelled(value))
            }
            (ErrorKind::UnexpectedContinuation, _) => {
                write!(f, "continuation byte {lead:02X} without a lead byte that asks for it")
            }
            (ErrorKind::MissingContinuation, _) => {
                write!(f, "only {} of the {announced} bytes that {lead:02X} announces", self.bytes.len())?;
                self.fmt_doom(f)
            }
            (ErrorKind::Truncated, _) => {
                write!(
                    f,
                    "the input ends after {} of the {announced} bytes that {lead:02X} announces",
                    self.bytes.len()
                )
            }
            (ErrorKind::InvalidByte, _) => {
                write!(f, "{lead:02X} can stand nowhere in UTF-8: ")?;
                match announced {
                    0 => f.write_str("it is neither a lead byte nor a continuation byte"),
                    _ => write!(f, "it announces {} bytes, and no form is longer than four", word(announced)),
                }
            }
            _ => self.fmt_others(f),
        }
    }

    /// `must be 2F`, or the reason why the value has no form.
    #[inline]
    fn fmt_shortest(&self, f: &mut fmt::Formatter<'_>, value: u32) -> fmt::Result {
        if is_surrogate(value) {
            return f.write_str("is a surrogate and has no form");
        }
        if self.rules.standard.refuses(value) {
            return f.write_str("is a noncharacter and has no form");
        }
        write!(f, "must be {}", Hex(encode_31_bits(value).as_slice()))
    }

    /// The pair of `c`, with `value` as one of its surrogates.
    #[inline]
    fn fmt_pair(&self, f: &mut fmt::Formatter<'_>, value: u32, c: char) -> fmt::Result {
        let [high, low] = halves(c);
        let (mate, where_) = if is_low(value as u16) { (high, "before") } else { (low, "after") };
        let mate = encode_31_bits(mate);
        write!(f, "; with {} {where_} it the CESU-8 form of {}, which ", Hex(mate.as_slice()), Spelled(c.into()))?;
        self.fmt_shortest(f, c.into())
    }

    /// The reason why no continuation could have completed the bytes.
    #[inline]
    fn fmt_doom(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fronts = (1..=self.bytes().len()).map(|len| &self.bytes()[..len]);
        let mut doomed = fronts.filter_map(|front| Some((front, doomed_kind(front, self.rules.standard)?)));
        match doomed.next() {
            None => Ok(()),
            Some((front, kind)) => {
                let only = match kind {
                    ErrorKind::Overlong => "overlong forms",
                    ErrorKind::Surrogate => "surrogates",
                    _ => "values above U+10FFFF",
                };
                write!(f, ", and {} begins only {only}", Hex(front))
            }
        }
    }

    #[inline]
    pub(super) fn fmt_others(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.kind, self.value, self.target) {
            (ErrorKind::Unrepresentable, Some(value), Some(target)) => {
                write!(f, "{} is not in {target}", Spelled(value))
            }
            (kind, ..) => write!(f, "{kind}"),
        }
    }
}

#[inline]
pub(super) fn word(number: usize) -> &'static str {
    ["zero", "one", "two", "three", "four", "five", "six"].get(number).copied().unwrap_or("many")
}

/// Writes `U+002F "/"`. A character that is not printable appears as the number
/// alone, so that no message carries a control sequence to a terminal.
pub(super) struct Spelled(pub(super) u32);

impl fmt::Display for Spelled {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "U+{:04X}", self.0)?;
        match char::from_u32(self.0) {
            Some(c) if is_printable(c) => write!(f, " \"{c}\""),
            _ => Ok(()),
        }
    }
}

#[inline]
fn is_printable(c: char) -> bool {
    // Rust escapes invisible characters (controls, formats, unassigned code
    // points, marks that would combine with the quote) and three visible ones.
    matches!(c, '"' | '\'' | '\\') || c.escape_debug().len() == 1
}

/// Writes `C0 AF`.
pub(super) struct Hex<'a>(pub(super) &'a [u8]);

impl fmt::Display for Hex<'_> {
    #[inline]
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

/// An error and its place.
///
/// `Display` writes the line that a compiler would print, without the name of the
/// file:
/// `2:7: byte 31: C0 AF: overlong: two-byte form of U+002F "/", which must be 2F (RFC 3629 section 3)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    pub(super) offset: u64,
    pub(super) line: u64,
    pub(super) column: u64,
    pub(super) diagnosis: Diagnosis,
}

impl Finding {
    /// The number of bytes before the ill-formed sequence.
    #[inline]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The line, from 1. Lines end at U+000A.
    #[inline]
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The column, from 1: one more than the code points and errors before it on its
    /// line.
    #[inline]
    pub fn column(&self) -> u64 {
        self.column
    }

    /// The kind of error.
    #[inline]
    pub fn diagnosis(&self) -> &Diagnosis {
        &self.diagnosis
    }

    /// The kind of error.
    #[inline]
    pub fn kind(&self) -> ErrorKind {
        self.diagnosis.kind
    }

    /// All bytes of the ill-formed sequence.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        self.diagnosis.bytes()
    }
}

impl fmt::Display for Finding {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { offset, line, column, diagnosis } = self;
        write!(f, "{line}:{column}: byte {offset}: {}: {}: {diagnosis}", Hex(self.bytes()), diagnosis.kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::{String, ToString};

    fn of(src: &[u8], standard: Standard) -> String {
        let Some(d) = Diagnosis::of(src, Encoding::Utf8, standard) else { return String::new() };
        alloc::format!("{}: {}: {d}", Hex(d.bytes()), d.kind())
    }

    /// Every message about UTF-8 by RFC 3629.
    #[test]
    fn every_error_says_why() {
        for (src, expected) in [
            // Overlong forms of each length.
            (&b"\xC0\x80"[..], "C0 80: overlong: two-byte form of U+0000, which must be 00 (RFC 3629 section 3)"),
            (b"\xC0\x8A", "C0 8A: overlong: two-byte form of U+000A, which must be 0A (RFC 3629 section 3)"),
            (b"\xE0\x80\x8A", "E0 80 8A: overlong: three-byte form of U+000A, which must be 0A (RFC 3629 section 3)"),
            (
                b"\xF0\x80\x80\x8A",
                "F0 80 80 8A: overlong: four-byte form of U+000A, which must be 0A (RFC 3629 section 3)",
            ),
            (
                b"\xF8\x80\x80\x80\x8A",
                "F8 80 80 80 8A: too-large: five-byte form of U+000A, which must be 0A; \
                 no form is longer than four bytes (RFC 3629 section 3)",
            ),
            (
                b"\xFC\x80\x80\x80\x80\x8A",
                "FC 80 80 80 80 8A: too-large: six-byte form of U+000A, which must be 0A; \
                 no form is longer than four bytes (RFC 3629 section 3)",
            ),
            (
                b"\xC0\xAE\x2E\x2F",
                "C0 AE: overlong: two-byte form of U+002E \".\", which must be 2E (RFC 3629 section 3)",
            ),
            (b"\xC1\xBF", "C1 BF: overlong: two-byte form of U+007F, which must be 7F (RFC 3629 section 3)"),
            (
                b"\xE0\x82\xA9",
                "E0 82 A9: overlong: three-byte form of U+00A9 \"©\", which must be C2 A9 (RFC 3629 section 3)",
            ),
            (
                b"\xF0\x82\x82\xAC",
                "F0 82 82 AC: overlong: four-byte form of U+20AC \"€\", which must be E2 82 AC (RFC 3629 section 3)",
            ),
            (
                b"\xF0\x8D\xA0\x80",
                "F0 8D A0 80: overlong: four-byte form of U+D800, which is a surrogate and has no form \
                 (RFC 3629 section 3)",
            ),
            (
                b"\xF8\x80\x8D\xA0\x80",
                "F8 80 8D A0 80: too-large: five-byte form of U+D800, which is a surrogate and has no form; \
                 no form is longer than four bytes (RFC 3629 section 3)",
            ),
            // Surrogates, single and in pairs.
            (b"\xED\xA0\x80", "ED A0 80: surrogate: surrogate U+D800, which UTF-8 may not hold (RFC 3629 section 3)"),
            (
                b"\xED\xBF\xBF\xED\xA0\x80",
                "ED BF BF: surrogate: surrogate U+DFFF, which UTF-8 may not hold (RFC 3629 section 3)",
            ),
            (
                b"\xED\xA0\x80\xED\xB0\x80",
                "ED A0 80: surrogate: surrogate U+D800, which UTF-8 may not hold; with ED B0 80 after it \
                 the CESU-8 form of U+10000 \"\u{10000}\", which must be F0 90 80 80 (RFC 3629 section 3)",
            ),
            (
                b"\xED\xA0\xBD\xED\xB8\x80",
                "ED A0 BD: surrogate: surrogate U+D83D, which UTF-8 may not hold; with ED B8 80 after it \
                 the CESU-8 form of U+1F600 \"😀\", which must be F0 9F 98 80 (RFC 3629 section 3)",
            ),
            // Values above U+10FFFF.
            (
                b"\xF4\x90\x80\x80",
                "F4 90 80 80: too-large: four-byte form of U+110000, which is above U+10FFFF (RFC 3629 section 3)",
            ),
            (
                b"\xF7\xBF\xBF\xBF",
                "F7 BF BF BF: too-large: four-byte form of U+1FFFFF, which is above U+10FFFF (RFC 3629 section 3)",
            ),
            (
                b"\xF8\x88\x80\x80\x80",
                "F8 88 80 80 80: too-large: five-byte form of U+200000, which is above U+10FFFF; \
                 no form is longer than four bytes (RFC 3629 section 3)",
            ),
            (
                b"\xFD\xBF\xBF\xBF\xBF\xBF",
                "FD BF BF BF BF BF: too-large: six-byte form of U+7FFFFFFF, which is above U+10FFFF; \
                 no form is longer than four bytes (RFC 3629 section 3)",
            ),
            // Bytes that no UTF-8 contains.
            (
                b"\xF8",
                "F8: invalid-byte: F8 can stand nowhere in UTF-8: it announces five bytes, \
                 and no form is longer than four (RFC 3629 section 1)",
            ),
            (
                b"\xFD\x80\x80A",
                "FD: invalid-byte: FD can stand nowhere in UTF-8: it announces six bytes, \
                 and no form is longer than four (RFC 3629 section 1)",
            ),
            (
                b"\xFE",
                "FE: invalid-byte: FE can stand nowhere in UTF-8: \
                 it is neither a lead byte nor a continuation byte (RFC 3629 section 1)",
            ),
            (
                b"\xFF\x80",
                "FF: invalid-byte: FF can stand nowhere in UTF-8: \
                 it is neither a lead byte nor a continuation byte (RFC 3629 section 1)",
            ),
            // Stray, missing, truncated.
            (
                b"\x80",
                "80: unexpected-continuation: continuation byte 80 without a lead byte that asks for it \
                 (RFC 3629 section 4)",
            ),
            (b"\xE2\x82A", "E2 82: missing-continuation: only 2 of the 3 bytes that E2 announces (RFC 3629 section 4)"),
            (b"\xE0A", "E0: missing-continuation: only 1 of the 3 bytes that E0 announces (RFC 3629 section 4)"),
            (
                b"\xC0A",
                "C0: missing-continuation: only 1 of the 2 bytes that C0 announces, \
                 and C0 begins only overlong forms (RFC 3629 section 4)",
            ),
            (
                b"\xC1",
                "C1: missing-continuation: only 1 of the 2 bytes that C1 announces, \
                 and C1 begins only overlong forms (RFC 3629 section 4)",
            ),
            (
                b"\xE0\x80A",
                "E0 80: missing-continuation: only 2 of the 3 bytes that E0 announces, \
                 and E0 80 begins only overlong forms (RFC 3629 section 4)",
            ),
            (
                b"\xF0\x8F\xBFA",
                "F0 8F BF: missing-continuation: only 3 of the 4 bytes that F0 announces, \
                 and F0 8F begins only overlong forms (RFC 3629 section 4)",
            ),
            (
                b"\xED\xA0",
                "ED A0: missing-continuation: only 2 of the 3 bytes that ED announces, \
                 and ED A0 begins only surrogates (RFC 3629 section 4)",
            ),
            (
                b"\xF4\x90A",
                "F4 90: missing-continuation: only 2 of the 4 bytes that F4 announces, \
                 and F4 90 begins only values above U+10FFFF (RFC 3629 section 4)",
            ),
            (
                b"\xF5\x80A",
                "F5 80: missing-continuation: only 2 of the 4 bytes that F5 announces, \
                 and F5 begins only values above U+10FFFF (RFC 3629 section 4)",
            ),
            (
                b"\xF0\x9F\x98",
                "F0 9F 98: truncated: the input ends after 3 of the 4 bytes that F0 announces (RFC 3629 section 4)",
            ),
            // No error.
            (b"\xEF\xBF\xBF", ""),
            (b"", ""),
        ] {
            assert_eq!(of(src, Standard::Rfc3629), expected);
        }
    }

    #[test]
    fn every_standard_says_why() {
        use Standard::{Kuhn, NoNoncharacters, Rfc2044, Rfc2279};
        for (standard, src, expected) in [
            (
                Rfc2279,
                &b"\xF8\x80\x80\x80\x8A"[..],
                "F8 80 80 80 8A: overlong: five-byte form of U+000A, which must be 0A (RFC 2279 section 2)",
            ),
            (
                Rfc2279,
                b"\xFC\x80\x88\x80\x80\x80",
                "FC 80 88 80 80 80: overlong: six-byte form of U+200000, which must be F8 88 80 80 80 \
                 (RFC 2279 section 2)",
            ),
            (
                Rfc2279,
                b"\xF8\x87A",
                "F8 87: missing-continuation: only 2 of the 5 bytes that F8 announces, \
                 and F8 87 begins only overlong forms (RFC 2279 section 2)",
            ),
            (
                Rfc2279,
                b"\xF5A",
                "F5: missing-continuation: only 1 of the 4 bytes that F5 announces (RFC 2279 section 2)",
            ),
            (
                Rfc2279,
                b"\xED\xA1\x8C\xED\xBE\xB4",
                "ED A1 8C: surrogate: surrogate U+D84C, which UTF-8 may not hold; with ED BE B4 after it \
                 the CESU-8 form of U+233B4 \"\u{233B4}\", which must be F0 A3 8E B4 (RFC 2279 section 2)",
            ),
            (
                Rfc2279,
                b"\xFE",
                "FE: invalid-byte: FE can stand nowhere in UTF-8: \
                 it is neither a lead byte nor a continuation byte (RFC 2279 section 1)",
            ),
            (
                Rfc2044,
                b"\xC0A",
                "C0: missing-continuation: only 1 of the 2 bytes that C0 announces (RFC 2044 section 2)",
            ),
            (Rfc2044, b"\xC0\x8A", ""),
            (
                Kuhn,
                b"\xEF\xBF\xBE",
                "EF BF BE: noncharacter: noncharacter U+FFFE, which plain text may not hold (\"What is UTF-8?\")",
            ),
            (
                Kuhn,
                b"\xF0\x8F\xBF\xBE",
                "F0 8F BF BE: overlong: four-byte form of U+FFFE, which is a noncharacter and has no form \
                 (RFC 3629 section 3)",
            ),
            (Kuhn, b"\xEF\xB7\x90", ""),
        ] {
            assert_eq!(of(src, standard), expected);
        }
        let d = Diagnosis::of(b"\xEF\xB7\x90", Encoding::Utf8, NoNoncharacters).unwrap();
        assert!(d.to_string().starts_with("noncharacter U+FDD0, which plain text may not hold ("), "{d}");
        let d = Diagnosis::of(b"\xED\xA1\xBF\xED\xBF\xBE", Encoding::Utf8, NoNoncharacters).unwrap();
        assert!(d.to_string().contains("the CESU-8 form of U+2FFFE, which is a noncharacter and has no form ("), "{d}");
    }

    /// The second half of a pair knows the first one only from the previous
    /// finding.
    #[test]
    fn the_second_half_of_a_pair() {
        let rules = Rules { encoding: Encoding::Utf8, standard: Standard::Rfc3629 };
        let name = |src: &[u8], first_half| {
            let named = rules.name(src).expect("each of these is ill-formed");
            Diagnosis::new(rules, named, src).paired(src, first_half)
        };
        let src = b"\xED\xA0\xBD\xED\xB8\x80\xED\xB8\x80";
        let first = name(src, None);
        assert_eq!((first.pair(), first.first_half()), (Some('😀'), Some('😀')));
        let second = name(&src[3..], first.first_half());
        assert_eq!((second.pair(), second.first_half()), (Some('😀'), None));
        assert_eq!(
            second.to_string(),
            "surrogate U+DE00, which UTF-8 may not hold; with ED A0 BD before it \
             the CESU-8 form of U+1F600 \"😀\", which must be F0 9F 98 80 (RFC 3629 section 3)"
        );
        let third = name(&src[6..], second.first_half());
        assert_eq!((third.pair(), third.first_half()), (None, None));

        // Not pairs: truncated, in reverse order, or of another kind.
        assert_eq!(name(&src[..5], None).pair(), None);
        assert_eq!(name(b"\xED\xB8\x80\xED\xA0\xBD", None).pair(), None);
        assert_eq!(name(b"\xED\xA0\xBD\xED\xA0\xBD", None).pair(), None);
        assert_eq!(name(b"\xC0\x80\xED", Some('😀')).pair(), None);
        assert_eq!(name(b"\xED\xB8\x81", Some('😀')).pair(), None);
    }
}
