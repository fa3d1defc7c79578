//! US-ASCII, RFC 20: seven bits; a byte with the eighth one set is nothing.

use super::{Decoded, Encoded, Form};
use crate::ErrorKind;

/// US-ASCII.
pub struct Ascii;

impl Form for Ascii {
    type Unit = u8;

    #[inline(always)]
    fn decode(src: &[u8]) -> Decoded {
        match src[0] {
            byte @ 0..=0x7F => Decoded::Value { value: byte.into(), len: 1 },
            _ => Decoded::IllFormed { kind: ErrorKind::InvalidByte, len: 1 },
        }
    }

    #[inline(always)]
    fn encode(value: u32) -> Option<Encoded<u8>> {
        (value < 0x80).then(|| Encoded::from_slice(&[value as u8]))
    }
}

/// How many bytes of US-ASCII are at the front.
pub fn ascii_prefix(bytes: &[u8]) -> usize {
    let blocks = bytes.as_chunks::<32>().0;
    let clean = 32 * blocks.iter().position(|block| !block.is_ascii()).unwrap_or(blocks.len());
    clean + bytes[clean..].iter().position(|byte| !byte.is_ascii()).unwrap_or(bytes.len() - clean)
}
