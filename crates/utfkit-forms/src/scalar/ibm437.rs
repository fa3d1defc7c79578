//! IANA's IBM437, code page 437 of the IBM PC (IBM's CPGID 00437): US-ASCII,
//! and 128 characters after it. A byte below 20, and 7F, is the control that
//! it is in US-ASCII, not the picture that the PC's screen has for it. Every
//! byte is a character.

use super::{Decoded, Encoded, Form};

/// IBM437.
pub struct Ibm437;

/// The characters of the bytes 80–FF, a row for each sixteen.
#[rustfmt::skip]
const UPPER: [char; 128] = [
    'Ç', 'ü', 'é', 'â', 'ä', 'à', 'å', 'ç', 'ê', 'ë', 'è', 'ï', 'î', 'ì', 'Ä', 'Å',
    'É', 'æ', 'Æ', 'ô', 'ö', 'ò', 'û', 'ù', 'ÿ', 'Ö', 'Ü', '¢', '£', '¥', '₧', 'ƒ',
    'á', 'í', 'ó', 'ú', 'ñ', 'Ñ', 'ª', 'º', '¿', '⌐', '¬', '½', '¼', '¡', '«', '»',
    '░', '▒', '▓', '│', '┤', '╡', '╢', '╖', '╕', '╣', '║', '╗', '╝', '╜', '╛', '┐',
    '└', '┴', '┬', '├', '─', '┼', '╞', '╟', '╚', '╔', '╩', '╦', '╠', '═', '╬', '╧',
    '╨', '╤', '╥', '╙', '╘', '╒', '╓', '╫', '╪', '┘', '┌', '█', '▄', '▌', '▐', '▀',
    'α', 'ß', 'Γ', 'π', 'Σ', 'σ', 'µ', 'τ', 'Φ', 'Θ', 'Ω', 'δ', '∞', 'φ', 'ε', '∩',
    '≡', '±', '≥', '≤', '⌠', '⌡', '÷', '≈', '°', '∙', '·', '√', 'ⁿ', '²', '■', '\u{A0}',
];

/// The characters of [`UPPER`] with their bytes, sorted by code point.
const BYTES: [(u32, u8); 128] = sorted();

const fn sorted() -> [(u32, u8); 128] {
    let mut sorted = [(0, 0); 128];
    let mut i = 0;
    while i < UPPER.len() {
        let value = UPPER[i] as u32;
        let mut at = i;
        while at > 0 && sorted[at - 1].0 > value {
            sorted[at] = sorted[at - 1];
            at -= 1;
        }
        sorted[at] = (value, 0x80 + i as u8);
        i += 1;
    }
    sorted
}

impl Form for Ibm437 {
    type Unit = u8;

    #[inline]
    fn decode(src: &[u8]) -> Decoded {
        let value = match src[0] {
            byte @ 0..=0x7F => byte.into(),
            byte => UPPER[usize::from(byte - 0x80)].into(),
        };
        Decoded::Value { value, len: 1 }
    }

    #[inline]
    fn encode(value: u32) -> Option<Encoded<u8>> {
        let byte = match value {
            0..=0x7F => value as u8,
            _ => BYTES[BYTES.binary_search_by_key(&value, |row| row.0).ok()?].1,
        };
        Some(Encoded::from_slice(&[byte]))
    }
}
