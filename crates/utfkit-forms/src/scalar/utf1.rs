//! UTF-1, the form that ISO/IEC 10646-1:1993 annex G defined and ISO-IR
//! registers as number 178. UTF-8 took its place.
//!
//! ```text
//! value                bytes                            y = value - least
//! 0000 0000-0000 009F  value
//! 0000 00A0-0000 00FF  A0 value
//! 0000 0100-0000 4015  A1+y/BE T(y)
//! 0000 4016-0003 8E2D  F6+y/BE² T(y/BE) T(y)
//! 0003 8E2E-7FFF FFFF  FC+y/BE⁴ T(y/BE³) T(y/BE²) T(y/BE) T(y)
//!
//! T(z), of z modulo BE    00-5D  21-7E
//!                         5E-BD  A0-FF
//! ```
//!
//! No byte of a sequence is a control character, a space or DEL, but any other
//! character of US-ASCII may be its last: what looks like `/` in UTF-1 need
//! not be one.
//!
//! Every value has one form. Values beyond U+10FFFF decode unchanged; the target
//! refuses them if it lacks them. A surrogate is refused, as in UTF-8.
//!
//! A complete sequence of a surrogate, or of more than 31 bits, is one error of
//! all its bytes. Its first bytes would be enough to refuse it, but then the rest
//! would be read as characters.

use super::{Decoded, Encoded, Form, is_surrogate};
use crate::ErrorKind;

/// UTF-1.
pub struct Utf1;

/// How many bytes T knows.
const BASE: u32 = 0xBE;

/// The least value of two bytes with T.
const LEAST_2: u32 = 0x100;
/// The least value of three bytes: the leads A1–F5 have two.
const LEAST_3: u32 = LEAST_2 + (0xF6 - 0xA1) * BASE;
/// The least value of five bytes: the leads F6–FB have three.
const LEAST_5: u32 = LEAST_3 + (0xFC - 0xF6) * BASE.pow(2);

/// The largest value.
const MAX: u32 = 0x7FFF_FFFF;

/// T of `z` modulo BE.
#[inline(always)]
const fn t(z: u32) -> u8 {
    match (z % BASE) as u8 {
        z @ 0x00..=0x5D => 0x21 + z,
        z => 0xA0 + (z - 0x5E),
    }
}

/// The other way round; `None` for a byte that continues nothing.
#[inline(always)]
const fn from_t(byte: u8) -> Option<u32> {
    match byte {
        0x21..=0x7E => Some((byte - 0x21) as u32),
        0xA0..=0xFF => Some((byte - 0xA0 + 0x5E) as u32),
        _ => None,
    }
}

impl Form for Utf1 {
    type Unit = u8;

    #[inline]
    fn decode(src: &[u8]) -> Decoded {
        let lead = src[0];
        let (need, least, high) = match lead {
            0x00..=0x9F => return Decoded::Value { value: lead.into(), len: 1 },
            0xA0 => {
                return match src.get(1) {
                    None => Decoded::Unfinished { kind: ErrorKind::Truncated, len: 1 },
                    Some(&value @ 0xA0..) => Decoded::Value { value: value.into(), len: 2 },
                    Some(_) => Decoded::IllFormed { kind: ErrorKind::MissingContinuation, len: 1 },
                };
            }
            0xA1..=0xF5 => (2, LEAST_2, lead - 0xA1),
            0xF6..=0xFB => (3, LEAST_3, lead - 0xF6),
            0xFC..=0xFD => (5, LEAST_5, lead - 0xFC),
            // 2 BE⁴ is more than 31 bits.
            0xFE..=0xFF => return Decoded::IllFormed { kind: ErrorKind::InvalidByte, len: 1 },
        };
        let mut y = u32::from(high);
        let mut have = 1;
        while have < need {
            let Some(&next) = src.get(have) else {
                return Decoded::Unfinished { kind: ErrorKind::Truncated, len: have };
            };
            let Some(z) = from_t(next) else {
                return Decoded::IllFormed { kind: ErrorKind::MissingContinuation, len: have };
            };
            // Less than 2 BE⁴ in the end, which 32 bits hold.
            y = y * BASE + z;
            have += 1;
        }
        let value = least + y;
        if value > MAX {
            Decoded::IllFormed { kind: ErrorKind::TooLarge, len: need }
        } else if is_surrogate(value) {
            Decoded::IllFormed { kind: ErrorKind::Surrogate, len: need }
        } else {
            Decoded::Value { value, len: need }
        }
    }

    #[inline]
    fn encode(value: u32) -> Option<Encoded<u8>> {
        if value > MAX || is_surrogate(value) {
            return None;
        }
        Some(match value {
            0..0xA0 => Encoded::from_slice(&[value as u8]),
            0xA0..LEAST_2 => Encoded::from_slice(&[0xA0, value as u8]),
            LEAST_2..LEAST_3 => {
                let y = value - LEAST_2;
                Encoded::from_slice(&[0xA1 + (y / BASE) as u8, t(y)])
            }
            LEAST_3..LEAST_5 => {
                let y = value - LEAST_3;
                Encoded::from_slice(&[0xF6 + (y / BASE.pow(2)) as u8, t(y / BASE), t(y)])
            }
            LEAST_5.. => {
                let y = value - LEAST_5;
                Encoded::from_slice(&[
                    0xFC + (y / BASE.pow(4)) as u8,
                    t(y / BASE.pow(3)),
                    t(y / BASE.pow(2)),
                    t(y / BASE),
                    t(y),
                ])
            }
        })
    }
}
