//! UTF-16, transcribed from RFC 2781 section 2.

use crate::piece::{IllFormed, Piece, What};

/// Decodes `src`: section 2.2, with its numbered steps.
pub fn pieces(src: &[u16]) -> Vec<Piece> {
    let mut all = Vec::new();
    let mut offset = 0;
    while offset < src.len() {
        let lone =
            |open| Piece { offset, len: 1, what: What::IllFormed(IllFormed { kind: "unpaired-surrogate", open }) };
        let piece = match (src[offset], src.get(offset + 1)) {
            // 1) If W1 < 0xD800 or W1 > 0xDFFF, the character value U is the
            //    value of W1.
            (w1 @ (..0xD800 | 0xE000..), _) => Piece { offset, len: 1, what: What::Value(w1.into()) },
            // 2) W1 is not between 0xD800 and 0xDBFF: in error.
            (0xDC00..=0xDFFF, _) => lone(false),
            // 3) There is no W2, or it is not between 0xDC00 and 0xDFFF: in
            //    error.
            (0xD800..=0xDBFF, None) => lone(true),
            (0xD800..=0xDBFF, Some(..0xDC00 | 0xE000..)) => lone(false),
            // 4) and 5) Ten bits of each, and 0x10000.
            (w1 @ 0xD800..=0xDBFF, Some(w2 @ 0xDC00..=0xDFFF)) => {
                let value = u32::from(w1 - 0xD800) * 0x400 + u32::from(w2 - 0xDC00) + 0x1_0000;
                Piece { offset, len: 2, what: What::Value(value) }
            }
        };
        offset += piece.len;
        all.push(piece);
    }
    all
}

/// Encodes a scalar value: section 2.1.
pub fn encode(value: u32, out: &mut Vec<u16>) {
    match value {
        0..0x1_0000 => out.push(value as u16),
        _ => {
            let rest = value - 0x1_0000;
            out.extend([0xD800 + (rest / 0x400) as u16, 0xDC00 + (rest % 0x400) as u16]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_agrees_with_std() {
        for c in '\0'..=char::MAX {
            let mut ours = Vec::new();
            encode(c.into(), &mut ours);
            assert_eq!(ours, c.encode_utf16(&mut [0; 2]), "{c:?}");
            assert_eq!(pieces(&ours), [Piece { offset: 0, len: ours.len(), what: What::Value(c.into()) }], "{c:?}");
        }
        let edges = [0x41, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF];
        for a in edges {
            for b in edges {
                for c in edges {
                    let src = [a, b, c];
                    let ours: Vec<_> = pieces(&src).iter().map(Piece::value).collect();
                    let std: Vec<_> = char::decode_utf16(src).map(|c| c.ok().map(u32::from)).collect();
                    assert_eq!(ours, std, "{src:04X?}");
                }
            }
        }
    }
}
