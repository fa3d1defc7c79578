//! The definitions of UTF-8.

use crate::ErrorKind;

/// A definition of UTF-8. They differ in which sequences are well-formed, never
/// in the character of a well-formed sequence.
///
/// ```
/// use utfkit::{Standard, validate};
///
/// use Standard::*;
/// for (bytes, accepted_by) in [
///     (&b"\xF4\x90\x80\x80"[..], &[Rfc2279, Rfc2044][..]),           // U+110000
///     (b"\xC0\xAF", &[Rfc2044]),                                     // an overlong `/`
///     (b"\xEF\xBF\xBF", &[Rfc3629, Rfc2279, Rfc2044]),               // U+FFFF
///     (b"\xEF\xB7\x90", &[Rfc3629, Rfc2279, Rfc2044, Kuhn]),         // U+FDD0
/// ] {
///     for standard in [Rfc3629, Rfc2279, Rfc2044, Kuhn, NoNoncharacters] {
///         assert_eq!(validate(bytes, standard).is_ok(), accepted_by.contains(&standard), "{bytes:X?} {standard:?}");
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Standard {
    /// RFC 3629 (STD 63), the UTF-8 of today: shortest form only, no
    /// surrogates, nothing above U+10FFFF.
    #[default]
    Rfc3629,
    /// RFC 2279: up to 31 bits in up to six octets, shortest form only. Values
    /// U+D800–U+DFFF are refused, because section 2 wants them undone to the
    /// character of the pair before encoding.
    Rfc2279,
    /// RFC 2044: up to 31 bits in up to six octets, decoded as that memo's
    /// algorithm reads, which asks neither for the shortest form nor for the
    /// absence of surrogates. **Unsafe for anything except reading old data**: a
    /// check of the bytes says nothing about the decoded characters.
    Rfc2044,
    /// RFC 3629 without U+FFFE and U+FFFF, as "What is UTF-8?" and utf-8(7)
    /// ask.
    Kuhn,
    /// RFC 3629 without any of the 66 noncharacters: U+FDD0–U+FDEF and the last
    /// two code points of each plane (Unicode Standard, D14). For text that is
    /// to be interchanged; inside a program noncharacters are allowed.
    NoNoncharacters,
}

impl Standard {
    /// The clause that an ill-formed sequence breaks.
    #[doc(hidden)]
    pub const fn clause(self, kind: ErrorKind) -> &'static str {
        use ErrorKind::{InvalidByte, MissingContinuation, Noncharacter, Truncated, UnexpectedContinuation};
        match (self, kind) {
            (Standard::Rfc2279, InvalidByte) => "RFC 2279 section 1",
            (Standard::Rfc2044, InvalidByte) => "RFC 2044 section 1",
            (Standard::Rfc2279, _) => "RFC 2279 section 2",
            (Standard::Rfc2044, _) => "RFC 2044 section 2",
            (Standard::NoNoncharacters, Noncharacter) => "Unicode Standard, D14",
            (_, Noncharacter) => "\"What is UTF-8?\"",
            (_, InvalidByte) => "RFC 3629 section 1",
            (_, MissingContinuation | UnexpectedContinuation | Truncated) => "RFC 3629 section 4",
            _ => "RFC 3629 section 3",
        }
    }

    /// True if it refuses `value` because that is a noncharacter.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn refuses(self, value: u32) -> bool {
        match self {
            Standard::Rfc3629 | Standard::Rfc2279 | Standard::Rfc2044 => false,
            Standard::Kuhn => matches!(value, 0xFFFE | 0xFFFF),
            Standard::NoNoncharacters => is_noncharacter(value),
        }
    }

    /// True if it refuses any noncharacter.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn refuses_noncharacters(self) -> bool {
        self.refuses(0xFFFF)
    }
}

/// Unicode Standard, D14.
#[inline(always)]
const fn is_noncharacter(value: u32) -> bool {
    matches!(value, 0xFDD0..=0xFDEF) || (value & 0xFFFE == 0xFFFE && value <= 0x10_FFFF)
}
