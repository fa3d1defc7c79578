//! The names of encodings in glibc.

use utfkit::internal::utf16::{is_high, is_low};
use utfkit::{Encoding, Legacy};

/// An encoding with the properties that glibc gives it under one of its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charset {
    /// The encoding, with a stated byte order.
    pub encoding: Encoding,
    /// True if a text begins with a BOM.
    pub has_bom: bool,
    /// True for glibc's internal form, UCS-4 in native byte order, which takes one conversion step less.
    pub is_internal: bool,
    /// A bit for each byte from 80 to 9F that glibc does not map, but utfkit maps to the control character of
    /// that number.
    pub holes: u32,
}

const LITTLE: bool = cfg!(target_endian = "little");
const UCS2_NATIVE: Encoding = if LITTLE { Encoding::Ucs2Le } else { Encoding::Ucs2Be };
const UCS4_NATIVE: Encoding = if LITTLE { Encoding::Ucs4Le } else { Encoding::Ucs4Be };

const fn plain(encoding: Encoding) -> Charset {
    Charset { encoding, has_bom: false, is_internal: false, holes: holes(encoding) }
}

const fn with_bom(encoding: Encoding) -> Charset {
    Charset { has_bom: true, ..plain(encoding) }
}

/// The names that only glibc has, or that mean something else in the IANA registry. Without a stated byte order
/// they are in native order, except UCS-4.
const NAMES: &[(&[&str], Charset)] = &[
    (&["UTF-16", "UTF16"], with_bom(Encoding::UTF16_NATIVE)),
    (&["UTF-32", "UTF32"], with_bom(Encoding::UTF32_NATIVE)),
    (&["UNICODE", "CSUNICODE"], with_bom(UCS2_NATIVE)),
    (&["UCS-2", "UCS2", "ISO-10646-UCS-2", "OSF00010100", "OSF00010101", "OSF00010102"], plain(UCS2_NATIVE)),
    (&["UNICODELITTLE"], plain(Encoding::Ucs2Le)),
    (&["UNICODEBIG"], plain(Encoding::Ucs2Be)),
    (&["OSF00010104", "OSF00010105", "OSF00010106"], plain(Encoding::Ucs4Be)),
    (&["10646-1:1993", "10646-1:1993/UCS4", "ISO-10646", "ISO-10646/UCS4"], plain(Encoding::Ucs4Be)),
    (&["WCHAR_T"], Charset { is_internal: true, ..plain(UCS4_NATIVE) }),
    (&["ISO-10646/UTF8", "ISO-10646/UTF-8", "ISO-IR-193", "OSF05010001"], plain(Encoding::Utf8)),
];

/// Returns the encoding that glibc calls `name`, in any case, if it is converted here. A name with a suffix
/// (`//TRANSLIT`) is not.
pub fn charset(name: &[u8]) -> Option<Charset> {
    let name = core::str::from_utf8(name).ok()?;
    let name = name.strip_suffix("//").or_else(|| name.strip_suffix('/')).unwrap_or(name);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-,.:/".contains(c);
    if name.is_empty() || !name.chars().all(is_plain) {
        return None;
    }
    let named = |(names, _): &&(&[&str], Charset)| names.iter().any(|known| known.eq_ignore_ascii_case(name));
    if let Some((_, charset)) = NAMES.iter().find(named) {
        return Some(*charset);
    }
    if name.contains('/') {
        return None;
    }
    Encoding::for_label(name).filter(|&encoding| is_served(encoding, name)).map(plain)
}

/// True if `encoding` is stateless and maps every byte and every character as glibc does under this name, except
/// for the [holes]. The test `tables` compares them all.
fn is_served(encoding: Encoding, name: &str) -> bool {
    let begins =
        |with: &str| name.as_bytes().get(..with.len()).is_some_and(|front| front.eq_ignore_ascii_case(with.as_bytes()));
    match encoding {
        Encoding::Utf8
        | Encoding::Utf16Le
        | Encoding::Utf16Be
        | Encoding::Utf32Le
        | Encoding::Utf32Be
        | Encoding::Ucs2Le
        | Encoding::Ucs2Be
        | Encoding::Ucs4Le
        | Encoding::Ucs4Be
        | Encoding::Latin1
        | Encoding::UsAscii
        | Encoding::Ibm437 => true,
        // glibc composes letters and marks, for which it looks ahead.
        Encoding::Legacy(Legacy::Windows1255 | Legacy::Windows1258) => false,
        // glibc maps some bytes to other characters.
        Encoding::Legacy(Legacy::Koi8U | Legacy::Macintosh | Legacy::XMacCyrillic | Legacy::XMacIcelandic) => false,
        // Other labels of it are other encodings in glibc.
        Encoding::Legacy(Legacy::Koi8R) => begins("KOI8-R") || begins("CSKOI8R"),
        // By ISO names, the Encoding Standard means more than ISO does.
        Encoding::Legacy(Legacy::Windows874 | Legacy::Windows1254) => ["CP", "MS", "WIN"].into_iter().any(begins),
        Encoding::Legacy(legacy) => legacy.is_single_byte(),
        _ => false,
    }
}

/// Returns [`Charset::holes`].
const fn holes(encoding: Encoding) -> u32 {
    let bytes: &[u8] = match encoding {
        Encoding::Legacy(Legacy::Windows1250) => &[0x81, 0x83, 0x88, 0x90, 0x98],
        Encoding::Legacy(Legacy::Windows1251) => &[0x98],
        Encoding::Legacy(Legacy::Windows1252) => &[0x81, 0x8D, 0x8F, 0x90, 0x9D],
        Encoding::Legacy(Legacy::Windows1253) => {
            &[0x81, 0x88, 0x8A, 0x8C, 0x8D, 0x8E, 0x8F, 0x90, 0x98, 0x9A, 0x9C, 0x9D, 0x9E, 0x9F]
        }
        Encoding::Legacy(Legacy::Windows1254) => &[0x81, 0x8D, 0x8E, 0x8F, 0x90, 0x9D, 0x9E],
        Encoding::Legacy(Legacy::Windows1257) => &[0x81, 0x83, 0x88, 0x8A, 0x8C, 0x90, 0x98, 0x9A, 0x9C, 0x9F],
        Encoding::Legacy(Legacy::Windows874) => &[
            0x81, 0x82, 0x83, 0x84, 0x86, 0x87, 0x88, 0x89, 0x8A, 0x8B, 0x8C, 0x8D, 0x8E, 0x8F, 0x90, 0x98, 0x99, 0x9A,
            0x9B, 0x9C, 0x9D, 0x9E, 0x9F,
        ],
        _ => &[],
    };
    let (mut mask, mut i) = (0, 0);
    while i < bytes.len() {
        mask |= 1 << (bytes[i] - 0x80);
        i += 1;
    }
    mask
}

impl Charset {
    /// The length of the shortest character in bytes. glibc reads or wants space for that many before it looks at
    /// a character.
    pub fn shortest(self) -> usize {
        self.encoding.unit_size()
    }

    /// The BOM written before a text.
    pub fn bom(self) -> &'static [u8] {
        match (self.has_bom, self.encoding.unit_size()) {
            (false, _) => &[],
            (true, 2) if LITTLE => &[0xFF, 0xFE],
            (true, 2) => &[0xFE, 0xFF],
            (true, _) if LITTLE => &[0xFF, 0xFE, 0, 0],
            (true, _) => &[0, 0, 0xFE, 0xFF],
        }
    }

    /// The encoding that differs from this one in holes alone and that utfkit converts faster: UTF-16 for UCS-2,
    /// and UTF-32 for UCS-4 unless `other` is UCS-4.
    pub fn nearest(self, other: Charset) -> Encoding {
        match self.encoding {
            Encoding::Ucs2Le => Encoding::Utf16Le,
            Encoding::Ucs2Be => Encoding::Utf16Be,
            Encoding::Ucs4Le if !other.is_ucs4() => Encoding::Utf32Le,
            Encoding::Ucs4Be if !other.is_ucs4() => Encoding::Utf32Be,
            encoding => encoding,
        }
    }

    /// True if each character is one byte.
    pub fn is_single_byte(self) -> bool {
        match self.encoding {
            Encoding::Legacy(legacy) => legacy.is_single_byte(),
            Encoding::Latin1 | Encoding::UsAscii | Encoding::Ibm437 => true,
            _ => false,
        }
    }

    /// True for UCS-4, whose values have 31 bits.
    pub fn is_ucs4(self) -> bool {
        matches!(self.encoding, Encoding::Ucs4Le | Encoding::Ucs4Be)
    }

    /// True for UCS-2, which has no surrogates.
    pub fn is_ucs2(self) -> bool {
        matches!(self.encoding, Encoding::Ucs2Le | Encoding::Ucs2Be)
    }

    /// The number of bytes before the first hole: one of [`holes`](Charset::holes), or a surrogate in UCS-2.
    pub fn before_hole(self, bytes: &[u8]) -> usize {
        match self.encoding {
            Encoding::Ucs2Le => before(bytes, |unit| is_surrogate(u16::from_le_bytes(*unit))),
            Encoding::Ucs2Be => before(bytes, |unit| is_surrogate(u16::from_be_bytes(*unit))),
            _ if self.holes != 0 => {
                before::<1>(bytes, |byte| byte[0] & 0xE0 == 0x80 && self.holes >> (byte[0] & 0x1F) & 1 != 0)
            }
            _ => bytes.len(),
        }
    }

    /// This encoding in the other byte order.
    pub fn swapped(self) -> Charset {
        let encoding = match self.encoding {
            Encoding::Utf16Le => Encoding::Utf16Be,
            Encoding::Utf16Be => Encoding::Utf16Le,
            Encoding::Utf32Le => Encoding::Utf32Be,
            Encoding::Utf32Be => Encoding::Utf32Le,
            Encoding::Ucs2Le => Encoding::Ucs2Be,
            Encoding::Ucs2Be => Encoding::Ucs2Le,
            other => other,
        };
        Charset { encoding, ..self }
    }
}

fn is_surrogate(unit: u16) -> bool {
    is_high(unit) | is_low(unit)
}

/// The number of bytes before the first unit that `is_hole`.
#[inline(always)]
fn before<const SIZE: usize>(bytes: &[u8], is_hole: impl Fn(&[u8; SIZE]) -> bool) -> usize {
    let (units, _) = bytes.as_chunks::<SIZE>();
    // A block without branches compiles to vector code.
    let blocks = units.chunks(32);
    let clean = blocks.take_while(|block| !block.iter().fold(false, |any, unit| any | is_hole(unit))).count();
    let rest = units.get(32 * clean..).unwrap_or_default();
    rest.iter().position(is_hole).map_or(bytes.len(), |place| SIZE * (32 * clean + place))
}
