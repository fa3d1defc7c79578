//! UCS-2 and UCS-4 (ISO/IEC 10646-1): each unit is its value.

use crate::piece::{IllFormed, Piece, What};

const SURROGATE: What = What::IllFormed(IllFormed { kind: "surrogate", open: false });

/// Decodes UCS-2.
pub fn two_octets(src: &[u16]) -> Vec<Piece> {
    each(src, |unit| match unit {
        0xD800..=0xDFFF => SURROGATE,
        _ => What::Value(unit.into()),
    })
}

/// Decodes UCS-4.
pub fn four_octets(src: &[u32]) -> Vec<Piece> {
    each(src, |unit| match unit {
        0xD800..=0xDFFF => SURROGATE,
        0..=0x7FFF_FFFF => What::Value(unit),
        0x8000_0000.. => What::IllFormed(IllFormed { kind: "too-large", open: false }),
    })
}

fn each<U: Copy>(src: &[U], what: impl Fn(U) -> What) -> Vec<Piece> {
    src.iter().enumerate().map(|(offset, &unit)| Piece { offset, len: 1, what: what(unit) }).collect()
}
