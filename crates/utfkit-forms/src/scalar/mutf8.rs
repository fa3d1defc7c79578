//! Java's modified UTF-8, the Java Virtual Machine Specification section
//! 4.4.7: CESU-8 in which U+0000 is C0 80.
//!
//! ```text
//! U+0000           11000000 10000000
//! all others       as in CESU-8
//! ```
//!
//! "No byte may have the value (byte)0", so 00 is an error. C0 begins nothing
//! but that one sequence.
//!
//! The specification speaks of 16-bit units and says nothing of surrogates
//! without their other half, which Java's own methods read and write. Here
//! they are errors as in CESU-8; WTF-8 keeps them.

use super::cesu8::{self, decode_pairs, encode_pairs};
use super::{Decoded, Encoded, Form};
use crate::ErrorKind;

/// Java's modified UTF-8.
pub struct Mutf8;

impl Form for Mutf8 {
    type Unit = u8;

    #[inline]
    fn decode(src: &[u8]) -> Decoded {
        decode_pairs(src, unit)
    }

    #[inline]
    fn encode(value: u32) -> Option<Encoded<u8>> {
        match value {
            0 => Some(Encoded::from_slice(&[0xC0, 0x80])),
            _ => encode_pairs(value),
        }
    }
}

/// One 16-bit unit at the front of `src`.
#[inline]
fn unit(src: &[u8]) -> Decoded {
    match src {
        [0, ..] => Decoded::IllFormed { kind: ErrorKind::InvalidByte, len: 1 },
        [0xC0] => Decoded::Unfinished { kind: ErrorKind::Truncated, len: 1 },
        [0xC0, 0x80, ..] => Decoded::Value { value: 0, len: 2 },
        _ => cesu8::unit(src),
    }
}
