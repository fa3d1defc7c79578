//! The BOM: U+FEFF before a text, in each encoding, and its meaning (RFC 3629
//! section 6).
//!
//! ```
//! use utfkit::bom::{Bom, BomPolicy};
//!
//! let file = b"\xEF\xBB\xBFtext";
//! assert_eq!(Bom::of(file), Some(Bom::Utf8));
//!
//! // Nothing states the encoding of a file: its BOM does, and is not part of the text.
//! assert_eq!(BomPolicy::Unlabelled.split(file), (Some(Bom::Utf8), &b"text"[..]));
//! // A protocol that uses UTF-8 alone: U+FEFF is a character.
//! assert_eq!(BomPolicy::AlwaysUtf8.split(file), (None, &file[..]));
//! ```
//!
//! U+FEFF anywhere but at the very beginning is ZERO WIDTH NO-BREAK SPACE, so the
//! second of two at the start is text.

use core::fmt;

use crate::encoding::Encoding;
#[cfg(feature = "legacy")]
use crate::engine::legacy::Legacy;

/// U+FEFF before a text, in one of the encodings that it identifies.
///
/// Some of these encodings are not supported by this library; they have a name so
/// that a message can name them.
///
/// A BOM is a hint: the bytes of UTF-7's are US-ASCII, and the others are text in
/// ISO-8859-1 (`ï»¿`, `÷dL`), if not likely text. An encoding stated by a protocol
/// takes precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Bom {
    /// `EF BB BF`: UTF-8 (RFC 3629 section 6).
    Utf8,
    /// `FF FE`, not followed by `00 00`: UTF-16, little-endian.
    Utf16Le,
    /// `FE FF`: UTF-16, big-endian (RFC 2781 section 3.2).
    Utf16Be,
    /// `FF FE 00 00`: UTF-32, little-endian.
    Utf32Le,
    /// `00 00 FE FF`: UTF-32, big-endian (Unicode Standard, section 3.10).
    Utf32Be,
    /// `2B 2F 76` and one of `38`, `39`, `2B`, `2F`: UTF-7 (RFC 2152). The
    /// last two bits of the fourth byte belong to the character after U+FEFF.
    Utf7,
    /// `F7 64 4C`: UTF-1.
    Utf1,
    /// `0E FE FF`: the Standard Compression Scheme (Unicode Technical
    /// Standard #6).
    Scsu,
    /// `FB EE 28`: BOCU-1 (Unicode Technical Note #6).
    Bocu1,
    /// `DD 73 66 73`: UTF-EBCDIC (Unicode Technical Report #16).
    UtfEbcdic,
    /// `84 31 95 33`: GB18030.
    Gb18030,
}

impl Bom {
    /// Every BOM; one that begins with another comes before it.
    pub const ALL: &'static [Bom] = &[
        Bom::Utf32Le,
        Bom::Utf32Be,
        Bom::Utf8,
        Bom::Utf16Le,
        Bom::Utf16Be,
        Bom::Utf7,
        Bom::Utf1,
        Bom::Scsu,
        Bom::Bocu1,
        Bom::UtfEbcdic,
        Bom::Gb18030,
    ];

    /// The most bytes that [`of`](Bom::of) and [`split`](BomPolicy::split) read.
    /// Call them with at least this many bytes of a stream, or all of it.
    pub const LONGEST: usize = 5;

    /// The longest BOM with which `bytes` begin.
    ///
    /// `FF FE 00 00` is UTF-32LE. It could be UTF-16 that begins with U+0000, which
    /// text hardly ever does, while UTF-32LE has no other BOM. If you know better,
    /// state the encoding and do not call this.
    ///
    /// ```
    /// use utfkit::bom::Bom;
    ///
    /// assert_eq!(Bom::of(&[0xFF, 0xFE, b'a', 0]), Some(Bom::Utf16Le));
    /// assert_eq!(Bom::of(&[0xFF, 0xFE, 0, 0]), Some(Bom::Utf32Le));
    /// assert_eq!(Bom::of(b"+/v8-text"), Some(Bom::Utf7));
    /// assert_eq!(Bom::of(b"text"), None);
    /// ```
    pub fn of(bytes: &[u8]) -> Option<Bom> {
        Bom::ALL.iter().copied().find(|bom| bom.begins(bytes))
    }

    /// The bytes that encode the BOM. For UTF-7 they are `2B 2F 76 38 2D`, which
    /// include the end of the base64 run.
    pub const fn bytes(self) -> &'static [u8] {
        match self {
            Bom::Utf8 => &[0xEF, 0xBB, 0xBF],
            Bom::Utf16Le => &[0xFF, 0xFE],
            Bom::Utf16Be => &[0xFE, 0xFF],
            Bom::Utf32Le => &[0xFF, 0xFE, 0, 0],
            Bom::Utf32Be => &[0, 0, 0xFE, 0xFF],
            Bom::Utf7 => b"+/v8-",
            Bom::Utf1 => &[0xF7, 0x64, 0x4C],
            Bom::Scsu => &[0x0E, 0xFE, 0xFF],
            Bom::Bocu1 => &[0xFB, 0xEE, 0x28],
            Bom::UtfEbcdic => &[0xDD, 0x73, 0x66, 0x73],
            Bom::Gb18030 => &[0x84, 0x31, 0x95, 0x33],
        }
    }

    /// The number of its [`bytes`](Bom::bytes): 2 to 5.
    #[allow(clippy::len_without_is_empty)]
    pub const fn len(self) -> usize {
        self.bytes().len()
    }

    /// The name of the encoding.
    pub const fn name(self) -> &'static str {
        match self {
            Bom::Utf8 => "UTF-8",
            Bom::Utf16Le => "UTF-16LE",
            Bom::Utf16Be => "UTF-16BE",
            Bom::Utf32Le => "UTF-32LE",
            Bom::Utf32Be => "UTF-32BE",
            Bom::Utf7 => "UTF-7",
            Bom::Utf1 => "UTF-1",
            Bom::Scsu => "SCSU",
            Bom::Bocu1 => "BOCU-1",
            Bom::UtfEbcdic => "UTF-EBCDIC",
            Bom::Gb18030 => "gb18030",
        }
    }

    /// The encoding, if this library reads it: it does not read SCSU, BOCU-1 and
    /// UTF-EBCDIC, and reads GB 18030 with the feature `legacy`.
    ///
    /// ```
    /// use utfkit::Encoding;
    /// use utfkit::bom::Bom;
    ///
    /// let found = Bom::of(b"\xFF\xFEa\0");
    /// assert_eq!(found.and_then(Bom::encoding), Some(Encoding::Utf16Le));
    /// ```
    pub const fn encoding(self) -> Option<Encoding> {
        Some(match self {
            Bom::Utf8 => Encoding::Utf8,
            Bom::Utf16Le => Encoding::Utf16Le,
            Bom::Utf16Be => Encoding::Utf16Be,
            Bom::Utf32Le => Encoding::Utf32Le,
            Bom::Utf32Be => Encoding::Utf32Be,
            Bom::Utf7 => Encoding::Utf7,
            Bom::Utf1 => Encoding::Utf1,
            #[cfg(feature = "legacy")]
            Bom::Gb18030 => Encoding::Legacy(Legacy::Gb18030),
            _ => return None,
        })
    }

    /// True if `bytes` begin with this BOM.
    fn begins(self, bytes: &[u8]) -> bool {
        match self {
            Bom::Utf7 => matches!(bytes, [b'+', b'/', b'v', b'8' | b'9' | b'+' | b'/', ..]),
            _ => bytes.starts_with(self.bytes()),
        }
    }

    /// Removes the BOM from the front of `bytes`.
    ///
    /// In UTF-7 it can be removed only if the base64 run ends with it: by `-`, by
    /// another character that is not base64, or with the text. Otherwise nothing is
    /// removed, and U+FEFF is the first character that the decoder returns.
    fn cut_from(self, bytes: &[u8]) -> &[u8] {
        let len = match (self, bytes) {
            (Bom::Utf7, [_, _, _, b'8', b'-', ..]) => 5,
            (Bom::Utf7, [_, _, _, b'8', next, ..]) if !is_base64(*next) => 4,
            (Bom::Utf7, [_, _, _, b'8']) => 4,
            (Bom::Utf7, _) => 0,
            _ => self.len(),
        };
        &bytes[len..]
    }
}

/// True for the characters of base64 (RFC 2045 section 6.8).
const fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')
}

impl fmt::Display for Bom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The three kinds of protocol that RFC 3629 section 6 distinguishes. They
/// determine the meaning of U+FEFF at the start of a text.
///
/// | | a BOM | U+FEFF at the start is |
/// |---|---|---|
/// | [`AlwaysUtf8`](BomPolicy::AlwaysUtf8) | should be forbidden | ZERO WIDTH NO-BREAK SPACE |
/// | [`Labelled`](BomPolicy::Labelled) | should be forbidden | ZERO WIDTH NO-BREAK SPACE |
/// | [`Unlabelled`](BomPolicy::Unlabelled) | should not be forbidden | a BOM |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BomPolicy {
    /// The protocol mandates UTF-8, so a BOM adds nothing (first case of section
    /// 6).
    AlwaysUtf8,
    /// The protocol states the encoding of each text reliably (second case of
    /// section 6).
    Labelled,
    /// Nothing states the encoding reliably, or a ban could not be enforced: files,
    /// and texts made from files, such as the bodies of mail and HTTP (third case
    /// of section 6).
    Unlabelled,
}

/// The treatment of a BOM: keep, strip or add it.
///
/// RFC 3629 section 6 recommends to keep it, to ignore it where it disturbs (as in
/// display), and to strip it only where that is necessary, as when two texts are
/// joined: a digital signature or a count may depend on every character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BomTreatment {
    /// Leaves the text as it is.
    #[default]
    Keep,
    /// Removes a BOM.
    Strip,
    /// Adds a BOM if there is none.
    Add,
}

impl BomPolicy {
    /// True if U+FEFF at the start must not be a BOM.
    pub const fn forbids(self) -> bool {
        matches!(self, BomPolicy::AlwaysUtf8 | BomPolicy::Labelled)
    }

    /// True if a BOM may be added.
    pub const fn may_add(self) -> bool {
        !self.forbids()
    }

    /// Splits a text into its BOM and the rest.
    ///
    /// The BOM is `None` where a BOM is forbidden: U+FEFF at the start is then part of
    /// the text, ZERO WIDTH NO-BREAK SPACE by section 6.
    ///
    /// A BOM of UTF-7 whose base64 run continues after U+FEFF (`+/v9`, `+/v+`,
    /// `+/v/`, and `+/v8` with more base64) does not end between two bytes. The text
    /// is then whole, and U+FEFF is its first character.
    ///
    /// `bytes` are at least [`Bom::LONGEST`] bytes of the text, or all of it.
    ///
    /// ```
    /// use utfkit::bom::{Bom, BomPolicy};
    ///
    /// let twice = b"\xFE\xFF\xFE\xFF\0a";
    /// let (bom, text) = BomPolicy::Unlabelled.split(twice);
    /// assert_eq!((bom, text), (Some(Bom::Utf16Be), &b"\xFE\xFF\0a"[..]));
    /// ```
    pub fn split(self, bytes: &[u8]) -> (Option<Bom>, &[u8]) {
        if self.forbids() {
            return (None, bytes);
        }
        match Bom::of(bytes) {
            Some(bom) => (Some(bom), bom.cut_from(bytes)),
            None => (None, bytes),
        }
    }

    /// Applies `treatment` to a text; returns the BOM or nothing, and the rest of the
    /// text. `bom` is that of the text's encoding.
    ///
    /// Where a BOM is forbidden, and with [`BomTreatment::Keep`], the result is
    /// nothing and the text: U+FEFF at the start is a character, which must be
    /// neither removed nor added.
    ///
    /// ```
    /// use utfkit::bom::{Bom, BomPolicy, BomTreatment};
    ///
    /// let add = |policy: BomPolicy, text| policy.apply(BomTreatment::Add, Bom::Utf8, text);
    /// assert_eq!(add(BomPolicy::Unlabelled, b"text"), (&b"\xEF\xBB\xBF"[..], &b"text"[..]));
    /// assert_eq!(add(BomPolicy::Labelled, b"text"), (&b""[..], &b"text"[..]));
    /// ```
    pub fn apply(self, treatment: BomTreatment, bom: Bom, bytes: &[u8]) -> (&'static [u8], &[u8]) {
        let there = bom.begins(bytes);
        match treatment {
            BomTreatment::Strip if !self.forbids() && there => (&[], bom.cut_from(bytes)),
            BomTreatment::Add if self.may_add() && !there => (bom.bytes(), bytes),
            _ => (&[], bytes),
        }
    }
}
