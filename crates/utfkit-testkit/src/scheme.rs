//! Encoding schemes: the encodings of sequences of bytes, one row each.

use crate::encoder::Encoder;
use crate::iso2022::Iso2022Encoder;
use crate::piece::{IllFormed, Piece, What};
use crate::utf7::{Kind, Utf7Encoder};
use crate::wtf8::Wtf8Encoder;
use crate::{ascii, cesu8, ibm437, iso2022, latin1, ucs, utf1, utf7, utf8, utf16, utf32, wtf8};

/// All that is known of a scheme. `..BYTES` has what most have.
struct Row {
    name: &'static str,
    /// The bytes of a unit.
    unit: usize,
    bom: &'static [u8],
    pieces: fn(&[u8]) -> Vec<Piece>,
    encode: Encode,
    /// True if its sequences have the shape of UTF-8.
    is_like_utf8: bool,
}

/// How values are written.
enum Encode {
    /// One independently of the other. The function returns false if the encoding
    /// lacks the value.
    Each(fn(u32, &mut Vec<u8>) -> bool),
    /// By an encoder with states.
    States(fn() -> Box<dyn Encoder>),
}

use Encode::{Each, States};

const BYTES: Row =
    Row { name: "", unit: 1, bom: &[], pieces: latin1::pieces, encode: Each(latin1::encode), is_like_utf8: false };
const LIKE_UTF8: Row = Row { is_like_utf8: true, ..BYTES };
const TWO: Row = Row { unit: 2, ..BYTES };
const FOUR: Row = Row { unit: 4, ..BYTES };

/// Makes the enum, the list of all, and the row of each.
macro_rules! schemes {
    ($($(#[$doc:meta])* $scheme:ident => $row:expr;)*) => {
        /// An encoding of characters in bytes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Scheme {
            $($(#[$doc])* $scheme,)*
        }

        impl Scheme {
            /// All of them.
            pub const ALL: &[Scheme] = &[$(Scheme::$scheme),*];

            const fn row(self) -> &'static Row {
                match self {
                    $(Scheme::$scheme => const { &$row },)*
                }
            }
        }
    };
}

schemes! {
    /// RFC 3629.
    Utf8 => Row {
        name: "UTF-8",
        pieces: |src| utf8::pieces(src, &utf8::RFC_3629),
        encode: Each(|value, out| encode_if(is_scalar(value), value, out, utf8::encode)),
        ..LIKE_UTF8
    };
    /// RFC 2781 section 3.3.
    Utf16Le => Row {
        name: "UTF-16LE",
        pieces: |src| units(src, u16::from_le_bytes, utf16::pieces),
        encode: Each(|value, out| is_scalar(value) && encode_16(value, out, u16::to_le_bytes)),
        ..TWO
    };
    /// RFC 2781 section 3.3.
    Utf16Be => Row {
        name: "UTF-16BE",
        pieces: |src| units(src, u16::from_be_bytes, utf16::pieces),
        encode: Each(|value, out| is_scalar(value) && encode_16(value, out, u16::to_be_bytes)),
        ..TWO
    };
    /// RFC 2781 section 3.3: the order of the BOM, big-endian without.
    Utf16 => Row {
        name: "UTF-16",
        bom: &[0xFF, 0xFE],
        pieces: |src| match src {
            [0xFF, 0xFE, ..] => after_bom(Scheme::Utf16Le, src),
            [0xFE, 0xFF, ..] => after_bom(Scheme::Utf16Be, src),
            _ => Scheme::Utf16Be.pieces(src),
        },
        encode: Each(|value, out| Scheme::Utf16Le.encode(value, out)),
        ..TWO
    };
    /// The Unicode Standard, D100.
    Utf32Le => Row {
        name: "UTF-32LE",
        pieces: |src| units(src, u32::from_le_bytes, utf32::pieces),
        encode: Each(|value, out| is_scalar(value) && extend(out, value.to_le_bytes())),
        ..FOUR
    };
    /// The Unicode Standard, D99.
    Utf32Be => Row {
        name: "UTF-32BE",
        pieces: |src| units(src, u32::from_be_bytes, utf32::pieces),
        encode: Each(|value, out| is_scalar(value) && extend(out, value.to_be_bytes())),
        ..FOUR
    };
    /// The Unicode Standard, D101: the order of the BOM, big-endian without.
    Utf32 => Row {
        name: "UTF-32",
        bom: &[0xFF, 0xFE, 0x00, 0x00],
        pieces: |src| match src {
            [0xFF, 0xFE, 0x00, 0x00, ..] => after_bom(Scheme::Utf32Le, src),
            [0x00, 0x00, 0xFE, 0xFF, ..] => after_bom(Scheme::Utf32Be, src),
            _ => Scheme::Utf32Be.pieces(src),
        },
        encode: Each(|value, out| Scheme::Utf32Le.encode(value, out)),
        ..FOUR
    };
    /// ISO-8859-1.
    Latin1 => Row { name: "ISO-8859-1", ..BYTES };
    /// RFC 20.
    UsAscii => Row { name: "US-ASCII", pieces: ascii::pieces, encode: Each(ascii::encode), ..BYTES };
    /// IBM's code page 437.
    Ibm437 => Row { name: "IBM437", pieces: ibm437::pieces, encode: Each(ibm437::encode), ..BYTES };
    /// RFC 2152, set O written in base64.
    Utf7 => Row {
        name: "UTF-7",
        pieces: |src| utf7::pieces(src, Kind::Rfc2152),
        encode: States(|| Box::new(Utf7Encoder::new(Kind::Rfc2152))),
        ..BYTES
    };
    /// RFC 2152, set O written as it is.
    Utf7Optional => Row {
        name: "X-UTF-7-OPTIONAL",
        pieces: |src| utf7::pieces(src, Kind::Optional),
        encode: States(|| Box::new(Utf7Encoder::new(Kind::Optional))),
        ..BYTES
    };
    /// RFC 3501 section 5.1.3.
    ImapUtf7 => Row {
        name: "UTF-7-IMAP",
        pieces: |src| utf7::pieces(src, Kind::Mailbox),
        encode: States(|| Box::new(Utf7Encoder::new(Kind::Mailbox))),
        ..BYTES
    };
    /// ISO-IR-178.
    Utf1 => Row { name: "ISO-10646-UTF-1", pieces: utf1::pieces, encode: Each(utf1::encode), ..BYTES };
    /// ISO/IEC 10646-1, least significant byte first.
    Ucs2Le => Row {
        name: "UCS-2LE",
        pieces: |src| units(src, u16::from_le_bytes, ucs::two_octets),
        encode: Each(|value, out| is_ucs2(value) && extend(out, (value as u16).to_le_bytes())),
        ..TWO
    };
    /// ISO/IEC 10646-1, most significant byte first.
    Ucs2Be => Row {
        name: "ISO-10646-UCS-2",
        pieces: |src| units(src, u16::from_be_bytes, ucs::two_octets),
        encode: Each(|value, out| is_ucs2(value) && extend(out, (value as u16).to_be_bytes())),
        ..TWO
    };
    /// ISO/IEC 10646-1, 31 bits, least significant byte first.
    Ucs4Le => Row {
        name: "UCS-4LE",
        pieces: |src| units(src, u32::from_le_bytes, ucs::four_octets),
        encode: Each(|value, out| is_31_bits(value) && extend(out, value.to_le_bytes())),
        ..FOUR
    };
    /// ISO/IEC 10646-1, 31 bits, most significant byte first.
    Ucs4Be => Row {
        name: "ISO-10646-UCS-4",
        pieces: |src| units(src, u32::from_be_bytes, ucs::four_octets),
        encode: Each(|value, out| is_31_bits(value) && extend(out, value.to_be_bytes())),
        ..FOUR
    };
    /// RFC 2279.
    Utf8Rfc2279 => Row {
        name: "UTF-8-RFC2279",
        pieces: |src| utf8::pieces(src, &utf8::RFC_2279),
        encode: Each(|value, out| encode_if(is_31_bits(value), value, out, utf8::encode)),
        ..LIKE_UTF8
    };
    /// RFC 2044.
    Utf8Rfc2044 => Row {
        name: "UTF-8-RFC2044",
        pieces: |src| utf8::pieces(src, &utf8::RFC_2044),
        encode: Each(|value, out| encode_if(value <= 0x7FFF_FFFF, value, out, utf8::encode)),
        ..LIKE_UTF8
    };
    /// "What is UTF-8?", utf-8(7).
    Utf8Kuhn => Row {
        name: "UTF-8-Kuhn",
        pieces: |src| utf8::pieces(src, &utf8::KUHN),
        encode: Each(|value, out| {
            encode_if(is_scalar(value) && !matches!(value, 0xFFFE | 0xFFFF), value, out, utf8::encode)
        }),
        ..LIKE_UTF8
    };
    /// RFC 3629 without what the Unicode Standard, D14, calls noncharacters.
    Utf8NoNoncharacters => Row {
        name: "UTF-8-NO-NONCHARACTERS",
        pieces: |src| utf8::pieces(src, &utf8::NO_NONCHARACTERS),
        encode: Each(|value, out| {
            let is_noncharacter = (0xFDD0..=0xFDEF).contains(&value) || value % 0x1_0000 >= 0xFFFE;
            encode_if(is_scalar(value) && !is_noncharacter, value, out, utf8::encode)
        }),
        ..LIKE_UTF8
    };
    /// UTR #26.
    Cesu8 => Row {
        name: "CESU-8",
        pieces: cesu8::pieces,
        encode: Each(|value, out| encode_if(is_scalar(value), value, out, cesu8::encode)),
        ..LIKE_UTF8
    };
    /// The Java Virtual Machine Specification, 4.4.7.
    Mutf8 => Row {
        name: "Modified-UTF-8",
        pieces: cesu8::modified_pieces,
        encode: Each(|value, out| encode_if(is_scalar(value), value, out, cesu8::encode_modified)),
        ..LIKE_UTF8
    };
    /// "The WTF-8 encoding".
    Wtf8 => Row {
        name: "WTF-8",
        pieces: wtf8::pieces,
        encode: States(|| Box::new(Wtf8Encoder::default())),
        ..LIKE_UTF8
    };
    /// Potentially ill-formed UTF-16 of "The WTF-8 encoding", least significant
    /// byte first.
    Wtf16Le => Row {
        name: "WTF-16LE",
        pieces: |src| units(src, u16::from_le_bytes, wtf8::wide_pieces),
        encode: Each(|value, out| encode_wide(value, out, u16::to_le_bytes)),
        ..TWO
    };
    /// The same, most significant byte first.
    Wtf16Be => Row {
        name: "WTF-16BE",
        pieces: |src| units(src, u16::from_be_bytes, wtf8::wide_pieces),
        encode: Each(|value, out| encode_wide(value, out, u16::to_be_bytes)),
        ..TWO
    };
    /// utf-8(7): ISO-8859-1 with the way into UTF-8 and back.
    Iso2022Utf8 => Row {
        name: "ISO-2022-UTF-8",
        pieces: iso2022::pieces,
        encode: States(|| Box::new(Iso2022Encoder::default())),
        ..LIKE_UTF8
    };
}

fn is_scalar(value: u32) -> bool {
    char::from_u32(value).is_some()
}

fn is_ucs2(value: u32) -> bool {
    value <= 0xFFFF && is_scalar(value)
}

fn is_31_bits(value: u32) -> bool {
    value <= 0x7FFF_FFFF && !(0xD800..=0xDFFF).contains(&value)
}

fn extend<const N: usize>(out: &mut Vec<u8>, bytes: [u8; N]) -> bool {
    out.extend(bytes);
    true
}

fn encode_if(has: bool, value: u32, out: &mut Vec<u8>, encode: fn(u32, &mut Vec<u8>)) -> bool {
    if has {
        encode(value, out);
    }
    has
}

fn encode_16(value: u32, out: &mut Vec<u8>, bytes: fn(u16) -> [u8; 2]) -> bool {
    let mut units = Vec::new();
    utf16::encode(value, &mut units);
    out.extend(units.into_iter().flat_map(bytes));
    true
}

fn encode_wide(value: u32, out: &mut Vec<u8>, bytes: fn(u16) -> [u8; 2]) -> bool {
    let mut units = Vec::new();
    let has = wtf8::encode_wide(value, &mut units);
    out.extend(units.into_iter().flat_map(bytes));
    has
}

fn after_bom(order: Scheme, src: &[u8]) -> Vec<Piece> {
    let mut pieces = order.pieces(&src[order.unit()..]);
    pieces.iter_mut().for_each(|piece| piece.offset += order.unit());
    pieces
}

impl Scheme {
    /// The name that IANA prefers for MIME, or else the usual one.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// All of `src`, piece by piece, in bytes.
    pub fn pieces(self, src: &[u8]) -> Vec<Piece> {
        (self.row().pieces)(src)
    }

    /// Appends `value`, or returns false if the encoding lacks it. One with
    /// states writes it as a text of its own.
    pub fn encode(self, value: u32, out: &mut Vec<u8>) -> bool {
        match self.row().encode {
            Each(encode) => encode(value, out),
            States(_) => self.encode_all(&[value]).map(|bytes| out.extend(bytes)).is_some(),
        }
    }

    /// The encoder at the beginning of a text; BOMs are not its concern.
    pub fn encoder(self) -> Box<dyn Encoder> {
        match self.row().encode {
            Each(encode) => Box::new(Stateless(encode)),
            States(new) => new(),
        }
    }

    /// `values` as a text, without a BOM; `None` if the encoding lacks
    /// one of them.
    pub fn encode_all(self, values: &[u32]) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        let mut encoder = self.encoder();
        let all = values.iter().all(|value| encoder.encode(*value, &mut out));
        encoder.finish(&mut out);
        all.then_some(out)
    }

    /// True if a value may be written differently after another one.
    pub fn has_states(self) -> bool {
        matches!(self.row().encode, States(_))
    }

    /// True if its sequences have the shape of UTF-8.
    pub fn is_like_utf8(self) -> bool {
        self.row().is_like_utf8
    }

    /// The BOM of an output that has text.
    pub fn bom(self) -> &'static [u8] {
        self.row().bom
    }

    /// The bytes of a unit.
    pub fn unit(self) -> usize {
        self.row().unit
    }
}

/// An encoding without states.
struct Stateless(fn(u32, &mut Vec<u8>) -> bool);

impl Encoder for Stateless {
    fn encode(&mut self, value: u32, out: &mut Vec<u8>) -> bool {
        self.0(value, out)
    }

    fn finish(&mut self, _out: &mut Vec<u8>) {}
}

/// The pieces of a form of units of `N` bytes. What is unfinished at the end,
/// a part of a unit and perhaps a high surrogate before it, is one piece.
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
