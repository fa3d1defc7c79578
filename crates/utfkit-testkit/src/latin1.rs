//! ISO-8859-1 as registered with IANA: each byte is its code point.

use crate::piece::{Piece, What};

/// Decodes `src`.
pub fn pieces(src: &[u8]) -> Vec<Piece> {
    src.iter().enumerate().map(|(offset, &b)| Piece { offset, len: 1, what: What::Value(b.into()) }).collect()
}

/// Appends the byte of `value`, or returns false if there is none.
pub fn encode(value: u32, out: &mut Vec<u8>) -> bool {
    u8::try_from(value).map(|byte| out.push(byte)).is_ok()
}
