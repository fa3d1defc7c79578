//! CESU-8 (UTR #26) and Java's modified UTF-8 (the Java Virtual Machine
//! Specification, 4.4.7): UTF-16 units, each encoded like a code point of
//! UTF-8.

use crate::piece::{IllFormed, Piece, What};
use crate::utf8::{self, Definition};
use crate::utf16;

/// Decodes CESU-8.
pub fn pieces(src: &[u8]) -> Vec<Piece> {
    paired(units(src, &utf8::CESU_8_UNITS), src)
}

/// Decodes modified UTF-8.
pub fn modified_pieces(src: &[u8]) -> Vec<Piece> {
    paired(units(src, &utf8::MODIFIED_UNITS), src)
}

/// Decodes the 16-bit units.
fn units(src: &[u8], definition: &Definition) -> Vec<Piece> {
    let mut units = utf8::pieces(src, definition);
    utf8::name_what_is_forced(&mut units, src);
    for piece in &mut units {
        // Bytes that occur in no sequence.
        if piece.error().is_some_and(|error| !error.open) && matches!(src[piece.offset], 0x00 | 0xF0..) {
            piece.what = What::IllFormed(IllFormed { kind: "invalid-byte", open: false });
        }
    }
    units
}

/// Combines surrogate pairs into characters.
fn paired(units: Vec<Piece>, src: &[u8]) -> Vec<Piece> {
    let mut all = Vec::new();
    let mut units = units.into_iter().peekable();
    while let Some(mut piece) = units.next() {
        let unpaired = |open| What::IllFormed(IllFormed { kind: "unpaired-surrogate", open });
        match piece.value() {
            Some(high @ 0xD800..=0xDBFF) => match units.peek().copied() {
                None => piece.what = unpaired(true),
                Some(next) => match next.what {
                    What::Value(low @ 0xDC00..=0xDFFF) => {
                        piece.len += next.len;
                        piece.what = What::Value((high - 0xD800) * 0x400 + (low - 0xDC00) + 0x1_0000);
                        units.next();
                    }
                    // The source ends where a low surrogate could follow.
                    What::IllFormed(IllFormed { open: true, .. })
                        if matches!(src[next.offset..], [0xED] | [0xED, 0xB0..=0xBF]) =>
                    {
                        piece.len += next.len;
                        piece.what = next.what;
                        units.next();
                    }
                    _ => piece.what = unpaired(false),
                },
            },
            Some(0xDC00..=0xDFFF) => piece.what = unpaired(false),
            _ => {}
        }
        all.push(piece);
    }
    all
}

/// Encodes a scalar value in CESU-8.
pub fn encode(value: u32, out: &mut Vec<u8>) {
    let mut units = Vec::new();
    utf16::encode(value, &mut units);
    units.into_iter().for_each(|unit| utf8::encode(unit.into(), out));
}

/// Encodes a scalar value in modified UTF-8.
pub fn encode_modified(value: u32, out: &mut Vec<u8>) {
    match value {
        0 => out.extend([0xC0, 0x80]),
        _ => encode(value, out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_s_example() {
        // UTR #26: 004D 0061 10000.
        let src = [0x4D, 0x61, 0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80];
        let values: Vec<_> = pieces(&src).iter().map(Piece::value).collect();
        assert_eq!(values, [Some(0x4D), Some(0x61), Some(0x1_0000)]);
        let mut back = Vec::new();
        [0x4D, 0x61, 0x1_0000].into_iter().for_each(|value| encode(value, &mut back));
        assert_eq!(back, src);
    }

    #[test]
    fn nul_has_two_bytes_in_one_of_them() {
        let value = |pieces: Vec<Piece>| pieces.iter().map(Piece::value).collect::<Vec<_>>();
        assert_eq!(value(pieces(&[0])), [Some(0)]);
        assert_eq!(value(modified_pieces(&[0])), [None]);
        assert_eq!(value(pieces(&[0xC0, 0x80])), [None, None]);
        assert_eq!(value(modified_pieces(&[0xC0, 0x80])), [Some(0)]);
    }
}
