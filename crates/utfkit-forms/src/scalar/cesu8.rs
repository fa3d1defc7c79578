//! CESU-8, Unicode Technical Report #26: UTF-16 whose 16-bit units are each
//! written as UTF-8 writes a value of 16 bits.
//!
//! ```text
//! unit             bytes
//! 0000-007F        0xxxxxxx
//! 0080-07FF        110xxxxx 10xxxxxx
//! 0800-FFFF        1110xxxx 10xxxxxx 10xxxxxx
//! D800-DBFF and    11101101 1010xxxx 10xxxxxx
//!   DC00-DFFF        11101101 1011xxxx 10xxxxxx
//! ```
//!
//! So there are two levels, and an error belongs to one of them. A unit is
//! ill-formed as in UTF-8: overlong, a continuation byte missing or out of
//! place, or a byte that begins none: F0 to FF. A unit that is well-formed
//! may be a surrogate without its other half, which is an error of its three
//! bytes; decoding restarts after these, at the next unit.

use super::utf8::{self, encode_31_bits, kind_at_hand};
use super::utf16::{Utf16, is_high, is_low, join};
use super::{Decoded, Encoded, Form};
use crate::ErrorKind;

/// CESU-8.
pub struct Cesu8;

impl Form for Cesu8 {
    type Unit = u8;

    #[inline]
    fn decode(src: &[u8]) -> Decoded {
        decode_pairs(src, unit)
    }

    #[inline]
    fn encode(value: u32) -> Option<Encoded<u8>> {
        encode_pairs(value)
    }
}

/// One 16-bit unit at the front of `src`: the rules of RFC 3629 up to three
/// octets, and the surrogates, which it excludes from ED.
#[inline]
pub(crate) fn unit(src: &[u8]) -> Decoded {
    let decoded = utf8::decode_by(src, |lead| match lead {
        0xED => (3, 0x80, 0xBF),
        0xF0.. => (0, 0, 0),
        _ => utf8::rule(lead),
    });
    match decoded {
        Decoded::IllFormed { len, .. } if src[0] >= 0xF0 => Decoded::IllFormed { kind: ErrorKind::InvalidByte, len },
        Decoded::IllFormed { len, .. } => Decoded::IllFormed { kind: kind_at_hand(src), len },
        other => other,
    }
}

/// The value at the front of `src` by units that `unit` reads, of which
/// surrogates have three bytes.
#[inline(always)]
pub(crate) fn decode_pairs(src: &[u8], unit: impl Fn(&[u8]) -> Decoded) -> Decoded {
    const KIND: ErrorKind = ErrorKind::UnpairedSurrogate;
    let (first, len) = match unit(src) {
        Decoded::Value { value, len } => (value as u16, len),
        other => return other,
    };
    if is_low(first) {
        return Decoded::IllFormed { kind: KIND, len };
    }
    if !is_high(first) {
        return Decoded::Value { value: first.into(), len };
    }
    let rest = &src[len..];
    if rest.is_empty() {
        return Decoded::Unfinished { kind: KIND, len };
    }
    match unit(rest) {
        Decoded::Value { value, len: second } if is_low(value as u16) => {
            Decoded::Value { value: join(first, value as u16), len: len + second }
        }
        // ED, or ED and B0–BF: as far as it goes it is a low surrogate.
        Decoded::Unfinished { kind, len: second } if begins_low(rest) => {
            Decoded::Unfinished { kind, len: len + second }
        }
        _ => Decoded::IllFormed { kind: KIND, len },
    }
}

/// True if `src` could be the beginning of a low surrogate in three bytes.
#[inline]
pub(crate) fn begins_low(src: &[u8]) -> bool {
    let ranges = [(0xED, 0xED), (0xB0, 0xBF), (0x80, 0xBF)];
    src.iter().zip(ranges).all(|(byte, (low, high))| (low..=high).contains(byte))
}

/// One sequence, or two of three bytes.
#[inline(always)]
pub(crate) fn encode_pairs(value: u32) -> Option<Encoded<u8>> {
    let units = Utf16::encode(value)?;
    Some(match *units.as_slice() {
        [high, low] => encode_31_bits(high.into()).then(encode_31_bits(low.into())),
        _ => encode_31_bits(value),
    })
}
