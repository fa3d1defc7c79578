//! WTF-8 (Simon Sapin, "The WTF-8 encoding"): UTF-8 for any sequence of 16-bit
//! units, whether or not it is UTF-16.
//!
//! A surrogate without its other half is a value, in the three bytes that
//! generalized UTF-8 has for it. A pair is a supplementary character and has
//! its four bytes; the same pair in twice three bytes is ill-formed, for it
//! would be a second spelling. Everything else is UTF-8.
//!
//! Both directions look at two values at once. The decoder knows a high
//! surrogate for a value only when no low one follows. The encoder holds a
//! high surrogate back until it knows the next value, so that two halves that
//! meet become one character ("Encoding", "Concatenating WTF-8 strings").

use super::cesu8::begins_low;
use super::utf8::{self, encode_31_bits, kind_at_hand};
use super::utf16::{is_high, is_low, join};
use super::{Decoded, Encoded, MAX_CODE_POINT, Reader, Writer};
use crate::ErrorKind;

/// Reads WTF-8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wtf8Reader;

impl Reader for Wtf8Reader {
    #[inline]
    fn decode(&mut self, src: &[u8], last: bool) -> Decoded {
        let (value, len) = match generalized(src) {
            Decoded::Value { value, len } => (value, len),
            other => return other,
        };
        let whole = Decoded::Value { value, len };
        if !u16::try_from(value).is_ok_and(is_high) {
            return whole;
        }
        let rest = &src[len..];
        match rest.len() {
            _ if !begins_low(rest) => whole,
            3.. => Decoded::IllFormed { kind: ErrorKind::Surrogate, len: 2 * len },
            _ if last => whole,
            more => Decoded::Unfinished { kind: ErrorKind::Truncated, len: len + more },
        }
    }
}

/// One sequence of generalized UTF-8 (its table 3): the rules of RFC 3629, and the
/// surrogates, which these exclude from ED.
#[inline]
fn generalized(src: &[u8]) -> Decoded {
    let decoded = utf8::decode_by(src, |lead| match lead {
        0xED => (3, 0x80, 0xBF),
        _ => utf8::rule(lead),
    });
    match decoded {
        Decoded::IllFormed { len, .. } => Decoded::IllFormed { kind: kind_at_hand(src), len },
        other => other,
    }
}

/// Writes WTF-8: every code point up to U+10FFFF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wtf8Writer {
    /// A high surrogate that is not written yet.
    high: Option<u16>,
}

impl Wtf8Writer {
    pub const fn new() -> Wtf8Writer {
        Wtf8Writer { high: None }
    }

    /// True if nothing is pending.
    pub fn is_at_rest(&self) -> bool {
        self.high.is_none()
    }
}

impl Writer for Wtf8Writer {
    #[inline]
    fn encode(&mut self, value: u32) -> Option<Encoded<u8>> {
        if value > MAX_CODE_POINT {
            return None;
        }
        let unit = u16::try_from(value).ok();
        if let Some(high) = self.high
            && let Some(low) = unit.filter(|&unit| is_low(unit))
        {
            self.high = None;
            return Some(encode_31_bits(join(high, low)));
        }
        let pending = self.finish();
        self.high = unit.filter(|&unit| is_high(unit));
        Some(match self.high {
            Some(_) => pending,
            None => pending.then(encode_31_bits(value)),
        })
    }

    #[inline]
    fn finish(&mut self) -> Encoded<u8> {
        match self.high.take() {
            Some(high) => encode_31_bits(high.into()),
            None => Encoded::from_slice(&[]),
        }
    }
}
