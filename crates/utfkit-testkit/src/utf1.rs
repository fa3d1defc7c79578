//! UTF-1, transcribed from the table of ISO-IR-178: ranges of values, ranges of
//! first bytes, and digits in base 190.

use crate::piece::{IllFormed, Piece, What};

/// The bytes that serve as digits, in order of value.
fn digits() -> Vec<u8> {
    (0x21..=0x7E).chain(0xA0..=0xFF).collect()
}

/// A row of the table: the first and last value, the first bytes, and the
/// number of digits that follow.
struct Class {
    values: (u32, u32),
    leads: (u8, u8),
    digits: u32,
}

const TABLE: [Class; 3] = [
    Class { values: (0x100, 0x4015), leads: (0xA1, 0xF5), digits: 1 },
    Class { values: (0x4016, 0x3_8E2D), leads: (0xF6, 0xFB), digits: 2 },
    Class { values: (0x3_8E2E, 0x7FFF_FFFF), leads: (0xFC, 0xFD), digits: 4 },
];

/// Decodes `src`.
pub fn pieces(src: &[u8]) -> Vec<Piece> {
    let mut all = Vec::new();
    let mut offset = 0;
    while offset < src.len() {
        let (len, what) = front(&src[offset..]);
        all.push(Piece { offset, len, what });
        offset += len;
    }
    all
}

fn front(src: &[u8]) -> (usize, What) {
    let error = |kind, open| What::IllFormed(IllFormed { kind, open });
    let lead = src[0];
    match (lead, src.get(1)) {
        (..=0x9F, _) => return (1, What::Value(lead.into())),
        (0xA0, None) => return (1, error("truncated", true)),
        (0xA0, Some(&second)) if second >= 0xA0 => return (2, What::Value(second.into())),
        (0xA0, Some(_)) => return (1, error("missing-continuation", false)),
        _ => {}
    }
    let Some(row) = TABLE.iter().find(|row| row.leads.0 <= lead && lead <= row.leads.1) else {
        return (1, error("invalid-byte", false));
    };
    let mut number = u64::from(lead - row.leads.0);
    let len = 1 + row.digits as usize;
    for at in 1..len {
        let Some(byte) = src.get(at) else { return (at, error("truncated", true)) };
        let Some(digit) = digits().iter().position(|digit| digit == byte) else {
            return (at, error("missing-continuation", false));
        };
        number = number * 190 + digit as u64;
    }
    match u64::from(row.values.0) + number {
        0xD800..=0xDFFF => (len, error("surrogate", false)),
        0x8000_0000.. => (len, error("too-large", false)),
        value => (len, What::Value(value as u32)),
    }
}

/// Encodes `value`, or returns false for surrogates and values of more than 31
/// bits.
pub fn encode(value: u32, out: &mut Vec<u8>) -> bool {
    match value {
        0xD800..=0xDFFF => return false,
        0..=0x9F => out.push(value as u8),
        0xA0..=0xFF => out.extend([0xA0, value as u8]),
        _ => {
            let Some(row) = TABLE.iter().find(|row| row.values.0 <= value && value <= row.values.1) else {
                return false;
            };
            let number = value - row.values.0;
            out.push(row.leads.0 + (number / 190u32.pow(row.digits)) as u8);
            for place in (0..row.digits).rev() {
                out.push(digits()[(number / 190u32.pow(place) % 190) as usize]);
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_meet() {
        for (value, bytes) in [
            (0x9F, &[0x9F][..]),
            (0xA0, &[0xA0, 0xA0]),
            (0xFF, &[0xA0, 0xFF]),
            (0x100, &[0xA1, 0x21]),
            (0x4015, &[0xF5, 0xFF]),
            (0x4016, &[0xF6, 0x21, 0x21]),
            (0x3_8E2D, &[0xFB, 0xFF, 0xFF]),
            (0x3_8E2E, &[0xFC, 0x21, 0x21, 0x21, 0x21]),
            (0x7FFF_FFFF, &[0xFD, 0xBD, 0x2B, 0xB9, 0x40]),
        ] {
            let mut out = Vec::new();
            assert!(encode(value, &mut out));
            assert_eq!(out, bytes, "{value:X}");
            assert_eq!(pieces(bytes), [Piece { offset: 0, len: bytes.len(), what: What::Value(value) }], "{value:X}");
        }
    }
}
