//! The ill-formed sequence at the first error, as a person would delimit it, for
//! every encoding.

use utfkit_core::Encoding;
use utfkit_core::internal::utf8::sequence_of;
use utfkit_core::internal::{self, Decoded, Decoder, first_error, is_like_utf8, utf8};
use utfkit_core::{Error, ErrorKind};
use utfkit_core::{Standard, validate};

/// The longest ill-formed sequence: a UTF-8 header announces at most six octets.
pub(crate) const LONGEST: usize = 6;

/// The encoding that is checked. With `--cfg utfkit_utf8_only` it is known when the crate is
/// compiled, and what concerns other encodings is not linked: for a module that is downloaded.
#[inline(always)]
pub(crate) const fn checked(encoding: Encoding) -> Encoding {
    if cfg!(utfkit_utf8_only) { Encoding::Utf8 } else { encoding }
}

/// The rules by which bytes are well-formed. The encoding is never one whose byte
/// order a BOM decides: [`by_bom`] resolves these first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    encoding: Encoding,
    pub(crate) standard: Standard,
}

/// An ill-formed sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) len: usize,
    pub(crate) kind: ErrorKind,
    /// The value of the payload bits, if the sequence is complete.
    pub(crate) value: Option<u32>,
    /// True if more bytes could change the description.
    pub(crate) open: bool,
}

/// The encoding that the front of a stream selects, and the length of its BOM.
/// `None` if a few more bytes are needed.
///
/// Without a BOM, UTF-16 is big-endian (RFC 2781 section 4.3), and so is UTF-32
/// (Unicode Standard, D101).
#[inline]
pub(crate) fn by_bom(encoding: Encoding, front: &[u8], last: bool) -> Option<(Encoding, usize)> {
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
    pub(crate) fn new(encoding: Encoding, standard: Standard) -> Rules {
        assert!(encoding == checked(encoding), "built for UTF-8 alone");
        match internal::own_standard(checked(encoding)) {
            Some(own) if encoding != Encoding::Utf8 => Rules { encoding: Encoding::Utf8, standard: own },
            _ => Rules { encoding, standard },
        }
    }

    /// The encoding.
    #[inline]
    pub(crate) fn encoding(self) -> Encoding {
        checked(self.encoding)
    }

    /// The same rules after a BOM has decided the byte order.
    #[inline]
    pub(crate) fn in_encoding(self, encoding: Encoding) -> Rules {
        Rules { encoding, ..self }
    }

    /// True if only decoding value by value can check it: there is no validator, or
    /// the meaning of bytes depends on earlier ones.
    #[inline]
    pub(crate) fn by_value(self) -> bool {
        !matches!(
            self.encoding(),
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
    pub(crate) fn check(self, bytes: &[u8]) -> Result<(), Error> {
        match self.encoding() {
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
        let high = usize::from(self.encoding() == Encoding::Utf16Le);
        let (blocks, _) = bytes.as_chunks::<64>();
        let surrogate = |block: &[u8; 64]| {
            block.as_chunks::<2>().0.iter().fold(false, |found, unit| found | (unit[high] & 0xF8 == 0xD8))
        };
        blocks.iter().position(surrogate).unwrap_or(blocks.len()) * 64
    }

    /// Decodes the front of `src` as at the start of a stream; more may follow.
    #[inline]
    pub(crate) fn decode(self, src: &[u8]) -> Decoded {
        match self.encoding() {
            Encoding::Utf8 => utf8::decode(src, self.standard),
            other => Decoder::new(other).decode(src, false),
        }
    }

    /// Describes the ill-formed sequence at the front of `src`; `None` if `src`
    /// begins with a well-formed one.
    #[inline]
    pub(crate) fn name(self, src: &[u8]) -> Option<Named> {
        self.name_decoded(self.decode(src), src, false)
    }

    /// Describes the sequence for a known decoder result; `inside` is true in a
    /// UTF-8 section of another encoding.
    #[inline]
    pub(crate) fn name_decoded(self, decoded: Decoded, src: &[u8], inside: bool) -> Option<Named> {
        let (kind, len, open) = match decoded {
            Decoded::Value { .. } | Decoded::StateChange { .. } => return None,
            Decoded::IllFormed { kind, len } => (kind, len, false),
            Decoded::Unfinished { kind, len } => (kind, len, true),
        };
        let is_like_utf8 = self.encoding() == Encoding::Utf8 || is_like_utf8(self.encoding());
        if open || !(inside || is_like_utf8) {
            return Some(Named { len, kind, value: internal::unit(self.encoding(), src), open });
        }
        if kind == ErrorKind::UnexpectedContinuation {
            return Some(Named { len: 1, kind, value: None, open: false });
        }
        let seen = sequence_of(src, kind);
        // The first half of a pair is described with the value of the pair.
        let waits = self.encoding() == Encoding::Utf8 && utf8::awaits_low_surrogate(src);
        Some(Named { len: seen.len.max(len), kind, value: seen.value, open: seen.open || waits })
    }
}

/// The clause of the standard that an ill-formed sequence breaks.
pub(crate) fn clause(rules: Rules, kind: ErrorKind) -> &'static str {
    internal::clause(rules.encoding(), rules.standard, kind)
}
