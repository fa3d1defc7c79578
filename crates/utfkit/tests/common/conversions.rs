//! All conversions between encoding forms, with their references.

use std::fmt::{Debug, UpperHex};

use utfkit::Error;
use utfkit_testkit::guard::Plain;
use utfkit_testkit::piece::Piece;
use utfkit_testkit::plan::{Plan, plan};
use utfkit_testkit::{latin1, utf8, utf16, utf32};

/// A code unit.
pub(crate) trait Unit: Plain + Copy + PartialEq + Debug + UpperHex + Send + Sync + 'static {
    /// Fills memory around a destination, to detect writes out of bounds.
    const CANARY: Self;
}

impl Unit for u8 {
    const CANARY: u8 = 0xA5;
}

impl Unit for u16 {
    const CANARY: u16 = 0xA5A5;
}

impl Unit for u32 {
    const CANARY: u32 = 0xA5A5_A5A5;
}

/// A conversion of the library, and the reference for its target.
pub(crate) struct Conversion<S, D> {
    pub(crate) name: &'static str,
    pub(crate) run: fn(&[S], &mut [D]) -> Result<usize, Error>,
    /// The conversion into a vector.
    pub(crate) owned: fn(&[S]) -> Result<Vec<D>, Error>,
    lossy: bool,
    encode: fn(u32, &mut Vec<D>) -> bool,
}

impl<S, D> Conversion<S, D> {
    /// The result that the reference expects for a source of these pieces.
    pub(crate) fn plan(&self, pieces: &[Piece]) -> Plan<D> {
        plan(pieces, self.lossy, self.encode)
    }
}

fn to_utf8(value: u32, out: &mut Vec<u8>) -> bool {
    utf8::encode(value, out);
    true
}

fn to_utf16(value: u32, out: &mut Vec<u16>) -> bool {
    utf16::encode(value, out);
    true
}

fn to_utf32(value: u32, out: &mut Vec<u32>) -> bool {
    out.push(value);
    true
}

/// Called with each conversion from a form.
pub(crate) trait Visitor {
    fn visit<S: Unit, D: Unit>(&mut self, conversion: &Conversion<S, D>, src: &[S], pieces: &[Piece]);
}

/// A conversion that reports errors.
macro_rules! strict {
    ($name:ident, $value:ident, $encode:expr) => {
        Conversion {
            name: stringify!($name),
            run: utfkit::$name,
            owned: |src| utfkit::conversion::$value.to_vec(src),
            lossy: false,
            encode: $encode,
        }
    };
}

/// A conversion that writes U+FFFD for errors.
macro_rules! lossy {
    ($name:ident, $value:ident, $encode:expr) => {
        Conversion {
            name: stringify!($name),
            run: utfkit::$name,
            owned: |src| utfkit::conversion::$value.to_vec(src),
            lossy: true,
            encode: $encode,
        }
    };
}

/// Visits every conversion from UTF-8.
pub(crate) fn from_utf8(src: &[u8], visitor: &mut impl Visitor) {
    let pieces = utf8::pieces(src, &utf8::RFC_3629);
    visitor.visit(&strict!(utf8_to_utf16, UTF8_TO_UTF16, to_utf16), src, &pieces);
    visitor.visit(&strict!(utf8_to_utf32, UTF8_TO_UTF32, to_utf32), src, &pieces);
    visitor.visit(&strict!(utf8_to_latin1, UTF8_TO_LATIN1, latin1::encode), src, &pieces);
    visitor.visit(&lossy!(utf8_to_utf16_lossy, UTF8_TO_UTF16_LOSSY, to_utf16), src, &pieces);
    visitor.visit(&lossy!(utf8_to_utf8_lossy, UTF8_TO_UTF8_LOSSY, to_utf8), src, &pieces);
}

/// Visits every conversion from UTF-16.
pub(crate) fn from_utf16(src: &[u16], visitor: &mut impl Visitor) {
    let pieces = utf16::pieces(src);
    visitor.visit(&strict!(utf16_to_utf8, UTF16_TO_UTF8, to_utf8), src, &pieces);
    visitor.visit(&strict!(utf16_to_utf32, UTF16_TO_UTF32, to_utf32), src, &pieces);
    visitor.visit(&strict!(utf16_to_latin1, UTF16_TO_LATIN1, latin1::encode), src, &pieces);
    visitor.visit(&lossy!(utf16_to_utf8_lossy, UTF16_TO_UTF8_LOSSY, to_utf8), src, &pieces);
}

/// Visits every conversion from UTF-32.
pub(crate) fn from_utf32(src: &[u32], visitor: &mut impl Visitor) {
    let pieces = utf32::pieces(src);
    visitor.visit(&strict!(utf32_to_utf8, UTF32_TO_UTF8, to_utf8), src, &pieces);
    visitor.visit(&strict!(utf32_to_utf16, UTF32_TO_UTF16, to_utf16), src, &pieces);
    visitor.visit(&strict!(utf32_to_latin1, UTF32_TO_LATIN1, latin1::encode), src, &pieces);
}

/// Visits every conversion from ISO-8859-1.
pub(crate) fn from_latin1(src: &[u8], visitor: &mut impl Visitor) {
    let pieces = latin1::pieces(src);
    visitor.visit(&strict!(latin1_to_utf8, LATIN1_TO_UTF8, to_utf8), src, &pieces);
    visitor.visit(&strict!(latin1_to_utf16, LATIN1_TO_UTF16, to_utf16), src, &pieces);
    visitor.visit(&strict!(latin1_to_utf32, LATIN1_TO_UTF32, to_utf32), src, &pieces);
}

/// Visits every conversion from every form that can hold `text`.
pub(crate) fn from_all_forms(text: &str, visitor: &mut impl Visitor) {
    from_utf8(text.as_bytes(), visitor);
    from_utf16(&text.encode_utf16().collect::<Vec<_>>(), visitor);
    from_utf32(&text.chars().map(u32::from).collect::<Vec<_>>(), visitor);
    if let Ok(bytes) = text.chars().map(|c| u8::try_from(u32::from(c))).collect::<Result<Vec<_>, _>>() {
        from_latin1(&bytes, visitor);
    }
}
