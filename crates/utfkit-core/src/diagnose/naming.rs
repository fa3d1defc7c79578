//! The ill-formed sequence at the first error, as a person would delimit it, for
//! every encoding.

use crate::encoding::Encoding;
use crate::engine::scalar::utf8::sequence_of;
use crate::engine::scalar::{Decoded, utf8};
use crate::error::{Error, ErrorKind};
use crate::standard::Standard;
use crate::transcode::codec::Source;
use crate::utf8::validate::{first_error, validate};

/// The longest ill-formed sequence: a UTF-8 header announces at most six octets.
pub(super) const LONGEST: usize = 6;

/// The rules by which bytes are well-formed. The encoding is never one whose byte
/// order a BOM decides: [`by_bom`] resolves these first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rules {
    pub(super) encoding: Encoding,
    pub(super) standard: Standard,
}

/// An ill-formed sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) len: usize,
    pub(super) kind: ErrorKind,
    /// The value of the payload bits, if the sequence is complete.
    pub(super) value: Option<u32>,
    /// True if more bytes could change the description.
    pub(super) open: bool,
}

/// The encoding that the front of a stream selects, and the length of its BOM.
/// `None` if a few more bytes are needed.
///
/// Without a BOM, UTF-16 is big-endian (RFC 2781 section 4.3), and so is UTF-32
/// (Unicode Standard, D101).
#[inline]
pub(super) fn by_bom(encoding: Encoding, front: &[u8], last: bool) -> Option<(Encoding, usize)> {
    let need = match encoding {
        Encoding::Utf16 => 2,
        Encoding::Utf32 => 4,
        _ => return Some((encoding, 0)),
    };
    if front.len() < need && !last {
        return None;
    }
    Some(match (encoding, front) {
        (Encoding::Utf16, [0xFF, 0xFE, ..]) => (Encoding::Utf16Le, 2),
        (Encoding::Utf16, [0xFE, 0xFF, ..]) => (Encoding::Utf16Be, 2),
        (Encoding::Utf16, _) => (Encoding::Utf16Be, 0),
        (_, [0xFF, 0xFE, 0, 0, ..]) => (Encoding::Utf32Le, 4),
        (_, [0, 0, 0xFE, 0xFF, ..]) => (Encoding::Utf32Be, 4),
        _ => (Encoding::Utf32Be, 0),
    })
}

impl Rules {
    /// The rules of `encoding`; `standard` applies to UTF-8 alone. The UTF-8 of an
    /// older RFC is UTF-8 by another standard.
    #[inline]
    pub(super) fn new(encoding: Encoding, standard: Standard) -> Rules {
        match encoding {
            Encoding::Utf8Rfc2279 => Rules { encoding: Encoding::Utf8, standard: Standard::Rfc2279 },
            Encoding::Utf8Rfc2044 => Rules { encoding: Encoding::Utf8, standard: Standard::Rfc2044 },
            Encoding::Utf8Kuhn => Rules { encoding: Encoding::Utf8, standard: Standard::Kuhn },
            Encoding::Utf8NoNoncharacters => Rules { encoding: Encoding::Utf8, standard: Standard::NoNoncharacters },
            _ => Rules { encoding, standard },
        }
    }

    /// True if only decoding value by value can check it: there is no validator, or
    /// the meaning of bytes depends on earlier ones.
    #[inline]
    pub(super) fn by_value(self) -> bool {
        !matches!(
            self.encoding,
            Encoding::Utf8
                | Encoding::Utf16Le
                | Encoding::Utf16Be
                | Encoding::Utf16
                | Encoding::Utf32Le
                | Encoding::Utf32Be
                | Encoding::Utf32
                | Encoding::Latin1
                | Encoding::UsAscii
        )
    }

    /// The first error of `bytes`, if any.
    #[inline]
    pub(super) fn check(self, bytes: &[u8]) -> Result<(), Error> {
        match self.encoding {
            Encoding::Utf8 => validate(bytes, self.standard),
            Encoding::UsAscii if bytes.is_ascii() => Ok(()),
            Encoding::Latin1 => Ok(()),
            Encoding::Utf16Le | Encoding::Utf16Be | Encoding::Utf16 => {
                first_error(bytes, self.without_surrogates(bytes), |src| self.decode(src))
            }
            _ => first_error(bytes, 0, |src| self.decode(src)),
        }
    }

    /// The number of bytes at the front of UTF-16 that contain no surrogate, in
    /// whole blocks: these are well-formed.
    #[inline]
    fn without_surrogates(self, bytes: &[u8]) -> usize {
        let high = usize::from(self.encoding == Encoding::Utf16Le);
        let (blocks, _) = bytes.as_chunks::<64>();
        let surrogate = |block: &[u8; 64]| {
            block.as_chunks::<2>().0.iter().fold(false, |found, unit| found | (unit[high] & 0xF8 == 0xD8))
        };
        blocks.iter().position(surrogate).unwrap_or(blocks.len()) * 64
    }

    /// Decodes the front of `src` as at the start of a stream; more may follow.
    #[inline]
    pub(super) fn decode(self, src: &[u8]) -> Decoded {
        match self.encoding {
            Encoding::Utf8 => utf8::decode(src, self.standard),
            other => Source::of(other).decode(src, false),
        }
    }

    /// Describes the ill-formed sequence at the front of `src`; `None` if `src`
    /// begins with a well-formed one.
    #[inline]
    pub(super) fn name(self, src: &[u8]) -> Option<Named> {
        self.name_decoded(self.decode(src), src, false)
    }

    /// Describes the sequence for a known decoder result; `inside` is true in a
    /// UTF-8 section of another encoding.
    #[inline]
    pub(super) fn name_decoded(self, decoded: Decoded, src: &[u8], inside: bool) -> Option<Named> {
        let (kind, len, open) = match decoded {
            Decoded::Value { .. } | Decoded::StateChange { .. } => return None,
            Decoded::IllFormed { kind, len } => (kind, len, false),
            Decoded::Unfinished { kind, len } => (kind, len, true),
        };
        if open || !(inside || self.encoding.is_like_utf8()) {
            return Some(Named { len, kind, value: self.unit(src), open });
        }
        if kind == ErrorKind::UnexpectedContinuation {
            return Some(Named { len: 1, kind, value: None, open: false });
        }
        let seen = sequence_of(src, kind);
        // The first half of a pair is described with the value of the pair.
        let waits = self.encoding == Encoding::Utf8 && utf8::awaits_low_surrogate(src);
        Some(Named { len: seen.len.max(len), kind, value: seen.value, open: seen.open || waits })
    }

    /// The unit of UTF-16 or UTF-32 at the front of `src`.
    #[inline]
    fn unit(self, src: &[u8]) -> Option<u32> {
        match (self.encoding, src) {
            (Encoding::Utf16Le | Encoding::Ucs2Le, &[a, b, ..]) => Some(u16::from_le_bytes([a, b]).into()),
            (Encoding::Utf16Be | Encoding::Utf16 | Encoding::Ucs2Be, &[a, b, ..]) => {
                Some(u16::from_be_bytes([a, b]).into())
            }
            (Encoding::Utf32Le | Encoding::Ucs4Le, &[a, b, c, d, ..]) => Some(u32::from_le_bytes([a, b, c, d])),
            (Encoding::Utf32Be | Encoding::Utf32 | Encoding::Ucs4Be, &[a, b, c, d, ..]) => {
                Some(u32::from_be_bytes([a, b, c, d]))
            }
            _ => None,
        }
    }
}

/// The clause of the standard that the sequence breaks.
#[inline]
pub(super) fn clause(rules: Rules, kind: ErrorKind) -> &'static str {
    use ErrorKind::{InvalidByte, MissingContinuation, Noncharacter, Truncated, UnexpectedContinuation};
    match rules.encoding {
        // The older RFCs are UTF-8 by another standard here.
        Encoding::Utf8
        | Encoding::Utf8Rfc2279
        | Encoding::Utf8Rfc2044
        | Encoding::Utf8Kuhn
        | Encoding::Utf8NoNoncharacters => match (rules.standard, kind) {
            (Standard::Rfc2279, InvalidByte) => "RFC 2279 section 1",
            (Standard::Rfc2044, InvalidByte) => "RFC 2044 section 1",
            (Standard::Rfc2279, _) => "RFC 2279 section 2",
            (Standard::Rfc2044, _) => "RFC 2044 section 2",
            (Standard::NoNoncharacters, Noncharacter) => "Unicode Standard, D14",
            (_, Noncharacter) => "\"What is UTF-8?\"",
            (_, InvalidByte) => "RFC 3629 section 1",
            (_, MissingContinuation | UnexpectedContinuation | Truncated) => "RFC 3629 section 4",
            _ => "RFC 3629 section 3",
        },
        Encoding::Utf16Le | Encoding::Utf16Be | Encoding::Utf16 => match kind {
            Truncated => "Unicode Standard, D91",
            _ => "RFC 2781 section 2.2",
        },
        Encoding::Utf32Le | Encoding::Utf32Be | Encoding::Utf32 => "Unicode Standard, D90",
        Encoding::UsAscii => "RFC 20",
        Encoding::Latin1 => "ISO/IEC 8859-1",
        Encoding::Ibm437 => "IBM code page 437",
        Encoding::Utf7 | Encoding::Utf7Optional => "RFC 2152",
        Encoding::ImapUtf7 => "RFC 3501 section 5.1.3",
        Encoding::Utf1 => "ISO-IR-178",
        Encoding::Unicode11Utf8 => "RFC 2279 section 5",
        Encoding::Cesu8 => "UTR #26",
        Encoding::Mutf8 => "Java Virtual Machine Specification, 4.4.7",
        Encoding::Wtf8 => "The WTF-8 encoding",
        Encoding::Wtf16Le | Encoding::Wtf16Be => "The WTF-8 encoding, section 3",
        Encoding::Ucs2Le | Encoding::Ucs2Be => "ISO/IEC 10646-1:2000, UCS-2",
        Encoding::Ucs4Le | Encoding::Ucs4Be => "RFC 2279 section 1",
        Encoding::Iso2022Utf8 => "utf-8(7)",
        #[cfg(feature = "legacy")]
        Encoding::Legacy(legacy) => legacy.standard(),
        #[cfg(feature = "legacy")]
        Encoding::Iso2022Utf8In(_) => "utf-8(7)",
    }
}
