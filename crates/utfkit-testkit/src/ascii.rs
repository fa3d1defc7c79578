//! US-ASCII, RFC 20.

use crate::latin1;
use crate::piece::{IllFormed, Piece, What};

/// All of `src`, piece by piece.
pub fn pieces(src: &[u8]) -> Vec<Piece> {
    let mut pieces = latin1::pieces(src);
    for piece in pieces.iter_mut().filter(|piece| piece.value().is_some_and(|value| value > 0x7F)) {
        piece.what = What::IllFormed(IllFormed { kind: "invalid-byte", open: false });
    }
    pieces
}

/// Appends `value` if it has a byte.
pub fn encode(value: u32, out: &mut Vec<u8>) -> bool {
    value < 0x80 && latin1::encode(value, out)
}
