//! A description of one ill-formed sequence.

use core::fmt;

use crate::naming::{LONGEST, Named, Rules, clause};
use utfkit_core::Encoding;
use utfkit_core::ErrorKind;
use utfkit_core::Standard;
use utfkit_core::internal::SmallBytes;
use utfkit_core::internal::utf8::{announced_len, cesu8_pair, doomed_kind, encode_31_bits};
use utfkit_core::internal::utf16::is_low;
use utfkit_core::internal::{MAX_CODE_POINT, is_surrogate, refuses};

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
    pub(crate) rules: Rules,
    bytes: SmallBytes<LONGEST>,
    pub(crate) kind: ErrorKind,
    pub(crate) value: Option<u32>,
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
        let (encoding, bom) = crate::naming::by_bom(encoding, src, true)?;
        let src = &src[bom..];
        let rules = Rules::new(encoding, standard);
        if src.is_empty() {
            return None;
        }
        rules.name(src).map(|named| Diagnosis::new(rules, named, src).paired(src, None))
    }

    #[inline]
    pub(crate) fn new(rules: Rules, named: Named, src: &[u8]) -> Diagnosis {
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
    pub(crate) fn paired(self, src: &[u8], first_half: Option<char>) -> Diagnosis {
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
    pub(crate) fn first_half(&self) -> Option<char> {
        self.pair.filter(|&c| self.value == Some(halves(c)[0]))
    }

    #[inline]
    pub(crate) fn unrepresentable(rules: Rules, named: Named, src: &[u8], target: Encoding) -> Diagnosis {
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
        match self.rules.encoding() {
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
    pub(crate) fn fmt_utf8(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
        if refuses(self.rules.standard, value) {
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
    pub(crate) fn fmt_others(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.kind, self.value, self.target) {
            (ErrorKind::Unrepresentable, Some(value), Some(target)) if !cfg!(utfkit_utf8_only) => {
                write!(f, "{} is not in {target}", Spelled(value))
            }
            (kind, ..) => write!(f, "{kind}"),
        }
    }
}

#[inline]
pub(crate) fn word(number: usize) -> &'static str {
    ["zero", "one", "two", "three", "four", "five", "six"].get(number).copied().unwrap_or("many")
}

/// Writes `U+002F "/"`. A character that is not printable appears as the number
/// alone, so that no message carries a control sequence to a terminal.
pub(crate) struct Spelled(pub(crate) u32);

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
pub(crate) struct Hex<'a>(pub(crate) &'a [u8]);

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
    pub(crate) offset: u64,
    pub(crate) line: u64,
    pub(crate) column: u64,
    pub(crate) diagnosis: Diagnosis,
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

    /// The sequence, its value, and the clause that it breaks.
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
    use alloc::string::ToString;

    /// The second half of a pair knows the first one only from the previous
    /// finding.
    #[test]
    fn the_second_half_of_a_pair() {
        let rules = Rules::new(Encoding::Utf8, Standard::Rfc3629);
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
