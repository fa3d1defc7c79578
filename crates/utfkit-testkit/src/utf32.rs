//! UTF-32: the Unicode Standard, D90, for the scalar values of D76.

use crate::piece::{IllFormed, Piece, What};

/// Decodes `src`.
pub fn pieces(src: &[u32]) -> Vec<Piece> {
    let what = |&unit: &u32| match unit {
        // D76: U+0000 to U+D7FF and U+E000 to U+10FFFF.
        0..=0xD7FF | 0xE000..=0x10_FFFF => What::Value(unit),
        0xD800..=0xDFFF => What::IllFormed(IllFormed { kind: "surrogate", open: false }),
        0x11_0000.. => What::IllFormed(IllFormed { kind: "too-large", open: false }),
    };
    src.iter().enumerate().map(|(offset, unit)| Piece { offset, len: 1, what: what(unit) }).collect()
}
