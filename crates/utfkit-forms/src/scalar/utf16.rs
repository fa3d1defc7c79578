//! UTF-16, RFC 2781: one 16-bit unit, or a high surrogate (D800–DBFF) and a
//! low one (DC00–DFFF).
//!
//! ```text
//! U' = U - 10000        yyyyyyyyyyxxxxxxxxxx
//! high surrogate        110110yyyyyyyyyy
//! low surrogate         110111xxxxxxxxxx       (section 2.1)
//! ```

use super::{Decoded, Encoded, Form, is_scalar_value};
use crate::ErrorKind;

/// UTF-16 in units of native order.
pub struct Utf16;

#[inline(always)]
pub const fn is_high(unit: u16) -> bool {
    unit & 0xFC00 == 0xD800
}

#[inline(always)]
pub const fn is_low(unit: u16) -> bool {
    unit & 0xFC00 == 0xDC00
}

/// The value of a high surrogate and a low one.
#[inline(always)]
pub const fn join(high: u16, low: u16) -> u32 {
    0x1_0000 + ((high as u32 & 0x3FF) << 10 | (low as u32 & 0x3FF))
}

impl Form for Utf16 {
    type Unit = u16;

    /// RFC 2781 section 2.2.
    #[inline(always)]
    fn decode(src: &[u16]) -> Decoded {
        const KIND: ErrorKind = ErrorKind::UnpairedSurrogate;
        let first = src[0];
        if !is_high(first) && !is_low(first) {
            return Decoded::Value { value: first.into(), len: 1 };
        }
        if is_low(first) {
            return Decoded::IllFormed { kind: KIND, len: 1 };
        }
        match src.get(1) {
            None => Decoded::Unfinished { kind: KIND, len: 1 },
            Some(&second) if is_low(second) => Decoded::Value { value: join(first, second), len: 2 },
            Some(_) => Decoded::IllFormed { kind: KIND, len: 1 },
        }
    }

    /// RFC 2781 section 2.1.
    #[inline(always)]
    fn encode(value: u32) -> Option<Encoded<u16>> {
        if !is_scalar_value(value) {
            return None;
        }
        Some(match value.checked_sub(0x1_0000) {
            None => Encoded::from_slice(&[value as u16]),
            Some(u) => Encoded::from_slice(&[0xD800 | (u >> 10) as u16, 0xDC00 | (u & 0x3FF) as u16]),
        })
    }
}
