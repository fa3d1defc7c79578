//! Encoding schemes: the encodings of sequences of bytes.

use crate::encoder::Encoder;
use crate::iso2022::Iso2022Encoder;
use crate::piece::{IllFormed, Piece, What};
use crate::utf7::{Kind, Utf7Encoder};
use crate::wtf8::Wtf8Encoder;
use crate::{cesu8, ibm437, iso2022, latin1, ucs, utf1, utf7, utf8, utf16, utf32, wtf8};

/// A character encoding scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// RFC 3629.
    Utf8,
    /// RFC 2781 section 3.3.
    Utf16Le,
    /// RFC 2781 section 3.3.
    Utf16Be,
    /// RFC 2781 section 3.3: byte order by BOM, big-endian without one.
    Utf16,
    /// The Unicode Standard, D100.
    Utf32Le,
    /// The Unicode Standard, D99.
    Utf32Be,
    /// The Unicode Standard, D101: byte order by BOM, big-endian without one.
    Utf32,
    /// ISO-8859-1.
    Latin1,
    /// RFC 20.
    UsAscii,
    /// IBM's code page 437.
    Ibm437,
    /// RFC 2152, with set O encoded in base64.
    Utf7,
    /// RFC 2152, with set O written directly.
    Utf7Optional,
    /// RFC 3501 section 5.1.3.
    ImapUtf7,
    /// ISO-IR-178.
    Utf1,
    /// UTR #26.
    Cesu8,
    /// The Java Virtual Machine Specification, 4.4.7.
    Mutf8,
    /// "The WTF-8 encoding".
    Wtf8,
    /// Potentially ill-formed UTF-16 ("The WTF-8 encoding"), little-endian.
    Wtf16Le,
    /// Potentially ill-formed UTF-16 ("The WTF-8 encoding"), big-endian.
    Wtf16Be,
    /// ISO/IEC 10646-1, little-endian.
    Ucs2Le,
    /// ISO/IEC 10646-1, big-endian.
    Ucs2Be,
    /// ISO/IEC 10646-1, 31 bits, little-endian.
    Ucs4Le,
    /// ISO/IEC 10646-1, 31 bits, big-endian.
    Ucs4Be,
    /// RFC 2279.
    Utf8Rfc2279,
    /// RFC 2044.
    Utf8Rfc2044,
    /// "What is UTF-8?", utf-8(7).
    Utf8Kuhn,
    /// RFC 3629 without noncharacters (the Unicode Standard, D14).
    Utf8NoNoncharacters,
    /// utf-8(7): ISO-8859-1 with switches to UTF-8 and back.
    Iso2022Utf8,
}

impl Scheme {
    /// Decodes `src`; offsets are in bytes.
    pub fn pieces(self, src: &[u8]) -> Vec<Piece> {
        let after = |order: Scheme| {
            let mut pieces = order.pieces(&src[order.unit()..]);
            pieces.iter_mut().for_each(|piece| piece.offset += order.unit());
            pieces
        };
        match self {
            Scheme::Utf8 => utf8::pieces(src, &utf8::RFC_3629),
            Scheme::Utf16Le => units(src, u16::from_le_bytes, utf16::pieces),
            Scheme::Utf16Be => units(src, u16::from_be_bytes, utf16::pieces),
            Scheme::Utf32Le => units(src, u32::from_le_bytes, utf32::pieces),
            Scheme::Utf32Be => units(src, u32::from_be_bytes, utf32::pieces),
            Scheme::Utf16 => match src {
                [0xFF, 0xFE, ..] => after(Scheme::Utf16Le),
                [0xFE, 0xFF, ..] => after(Scheme::Utf16Be),
                _ => Scheme::Utf16Be.pieces(src),
            },
            Scheme::Utf32 => match src {
                [0xFF, 0xFE, 0x00, 0x00, ..] => after(Scheme::Utf32Le),
                [0x00, 0x00, 0xFE, 0xFF, ..] => after(Scheme::Utf32Be),
                _ => Scheme::Utf32Be.pieces(src),
            },
            Scheme::Latin1 => latin1::pieces(src),
            Scheme::UsAscii => {
                let mut pieces = latin1::pieces(src);
                for piece in &mut pieces {
                    if piece.value().is_some_and(|value| value > 0x7F) {
                        piece.what = What::IllFormed(IllFormed { kind: "invalid-byte", open: false });
                    }
                }
                pieces
            }
            Scheme::Ibm437 => ibm437::pieces(src),
            Scheme::Utf7 => utf7::pieces(src, utf7::Kind::Rfc2152),
            Scheme::Utf7Optional => utf7::pieces(src, utf7::Kind::Optional),
            Scheme::ImapUtf7 => utf7::pieces(src, utf7::Kind::Mailbox),
            Scheme::Utf1 => utf1::pieces(src),
            Scheme::Cesu8 => cesu8::pieces(src),
            Scheme::Mutf8 => cesu8::modified_pieces(src),
            Scheme::Wtf8 => wtf8::pieces(src),
            Scheme::Wtf16Le => units(src, u16::from_le_bytes, wtf8::wide_pieces),
            Scheme::Wtf16Be => units(src, u16::from_be_bytes, wtf8::wide_pieces),
            Scheme::Ucs2Le => units(src, u16::from_le_bytes, ucs::two_octets),
            Scheme::Ucs2Be => units(src, u16::from_be_bytes, ucs::two_octets),
            Scheme::Ucs4Le => units(src, u32::from_le_bytes, ucs::four_octets),
            Scheme::Ucs4Be => units(src, u32::from_be_bytes, ucs::four_octets),
            Scheme::Utf8Rfc2279 => utf8::pieces(src, &utf8::RFC_2279),
            Scheme::Utf8Rfc2044 => utf8::pieces(src, &utf8::RFC_2044),
            Scheme::Utf8Kuhn => utf8::pieces(src, &utf8::KUHN),
            Scheme::Utf8NoNoncharacters => utf8::pieces(src, &utf8::NO_NONCHARACTERS),
            Scheme::Iso2022Utf8 => iso2022::pieces(src),
        }
    }

    /// Encodes `value`, or returns false if the encoding lacks it. Stateful
    /// encodings write it as a complete text.
    pub fn encode(self, value: u32, out: &mut Vec<u8>) -> bool {
        let mut units = Vec::new();
        match self {
            Scheme::Utf8
            | Scheme::Utf16Le
            | Scheme::Utf16Be
            | Scheme::Utf16
            | Scheme::Utf32Le
            | Scheme::Utf32Be
            | Scheme::Utf32
                if char::from_u32(value).is_none() =>
            {
                return false;
            }
            Scheme::Utf8 => utf8::encode(value, out),
            Scheme::Utf16Le | Scheme::Utf16 => {
                utf16::encode(value, &mut units);
                out.extend(units.iter().flat_map(|unit| unit.to_le_bytes()));
            }
            Scheme::Utf16Be => {
                utf16::encode(value, &mut units);
                out.extend(units.iter().flat_map(|unit| unit.to_be_bytes()));
            }
            Scheme::Utf32Le | Scheme::Utf32 => out.extend(value.to_le_bytes()),
            Scheme::Utf32Be => out.extend(value.to_be_bytes()),
            Scheme::Latin1 => return latin1::encode(value, out),
            Scheme::UsAscii => return value < 0x80 && latin1::encode(value, out),
            Scheme::Ibm437 => return ibm437::encode(value, out),
            Scheme::Utf7 | Scheme::Utf7Optional | Scheme::ImapUtf7 | Scheme::Wtf8 | Scheme::Iso2022Utf8 => {
                match self.encode_all(&[value]) {
                    Some(bytes) => out.extend(bytes),
                    None => return false,
                }
            }
            Scheme::Utf1 => return utf1::encode(value, out),
            Scheme::Wtf16Le | Scheme::Wtf16Be => {
                let exists = wtf8::encode_wide(value, &mut units);
                let big = self == Scheme::Wtf16Be;
                out.extend(units.iter().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }));
                return exists;
            }
            _ if !self.holds(value) => return false,
            Scheme::Cesu8 => cesu8::encode(value, out),
            Scheme::Mutf8 => cesu8::encode_modified(value, out),
            Scheme::Ucs2Le => out.extend((value as u16).to_le_bytes()),
            Scheme::Ucs2Be => out.extend((value as u16).to_be_bytes()),
            Scheme::Ucs4Le => out.extend(value.to_le_bytes()),
            Scheme::Ucs4Be => out.extend(value.to_be_bytes()),
            Scheme::Utf8Rfc2279 | Scheme::Utf8Rfc2044 => utf8::encode(value, out),
            Scheme::Utf8Kuhn | Scheme::Utf8NoNoncharacters => utf8::encode(value, out),
        }
        true
    }

    /// A new encoder, which writes no BOM.
    pub fn encoder(self) -> Box<dyn Encoder> {
        match self {
            Scheme::Utf7 => Box::new(Utf7Encoder::new(Kind::Rfc2152)),
            Scheme::Utf7Optional => Box::new(Utf7Encoder::new(Kind::Optional)),
            Scheme::ImapUtf7 => Box::new(Utf7Encoder::new(Kind::Mailbox)),
            Scheme::Wtf8 => Box::new(Wtf8Encoder::default()),
            Scheme::Iso2022Utf8 => Box::new(Iso2022Encoder::default()),
            _ => Box::new(Stateless(self)),
        }
    }

    /// Encodes `values` as a text without a BOM; `None` if the encoding lacks
    /// one.
    pub fn encode_all(self, values: &[u32]) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        let mut encoder = self.encoder();
        let all = values.iter().all(|value| encoder.encode(*value, &mut out));
        encoder.finish(&mut out);
        all.then_some(out)
    }

    /// True if the encoding has `value`, as far as that does not depend on
    /// context.
    fn holds(self, value: u32) -> bool {
        let surrogate = matches!(value, 0xD800..=0xDFFF);
        match self {
            Scheme::Ucs2Le | Scheme::Ucs2Be => value <= 0xFFFF && !surrogate,
            Scheme::Ucs4Le | Scheme::Ucs4Be | Scheme::Utf8Rfc2279 => value <= 0x7FFF_FFFF && !surrogate,
            Scheme::Utf8Rfc2044 => value <= 0x7FFF_FFFF,
            Scheme::Utf8Kuhn => char::from_u32(value).is_some_and(|c| !matches!(c, '\u{FFFE}' | '\u{FFFF}')),
            Scheme::Utf8NoNoncharacters => char::from_u32(value).is_some_and(|c| {
                let of_arabic_forms = ('\u{FDD0}'..='\u{FDEF}').contains(&c);
                !of_arabic_forms && value % 0x1_0000 < 0xFFFE
            }),
            _ => char::from_u32(value).is_some(),
        }
    }

    /// The BOM that the encoder of this scheme writes.
    pub fn bom(self) -> &'static [u8] {
        match self {
            Scheme::Utf16 => &[0xFF, 0xFE],
            Scheme::Utf32 => &[0xFF, 0xFE, 0x00, 0x00],
            _ => &[],
        }
    }

    /// The size of a code unit in bytes.
    pub fn unit(self) -> usize {
        match self {
            Scheme::Wtf16Le | Scheme::Wtf16Be | Scheme::Ucs2Le | Scheme::Ucs2Be => 2,
            Scheme::Ucs4Le | Scheme::Ucs4Be => 4,
            Scheme::Utf16 | Scheme::Utf16Le | Scheme::Utf16Be => 2,
            Scheme::Utf32 | Scheme::Utf32Le | Scheme::Utf32Be => 4,
            _ => 1,
        }
    }
}

/// The encoder of an encoding without state.
struct Stateless(Scheme);

impl Encoder for Stateless {
    fn encode(&mut self, value: u32, out: &mut Vec<u8>) -> bool {
        self.0.encode(value, out)
    }

    fn finish(&mut self, _out: &mut Vec<u8>) {}
}

/// Decodes units of `N` bytes. An incomplete unit at the end forms one piece
/// with an unpaired high surrogate before it.
fn units<U, const N: usize>(src: &[u8], unit: fn([u8; N]) -> U, pieces: fn(&[U]) -> Vec<Piece>) -> Vec<Piece> {
    let (whole, rest) = src.as_chunks::<N>();
    let mut all = pieces(&whole.iter().copied().map(unit).collect::<Vec<U>>());
    for piece in &mut all {
        piece.offset *= N;
        piece.len *= N;
    }
    if !rest.is_empty() {
        let what = What::IllFormed(IllFormed { kind: "truncated", open: true });
        match all.last_mut() {
            Some(last) if last.error().is_some_and(|error| error.open) => {
                last.len += rest.len();
                last.what = what;
            }
            _ => all.push(Piece { offset: src.len() - rest.len(), len: rest.len(), what }),
        }
    }
    all
}
