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
use crate::error::ErrorKind;

/// Reads WTF-8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wtf8Reader;

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
pub(crate) struct Wtf8Writer {
    /// A high surrogate that is not written yet.
    high: Option<u16>,
}

impl Wtf8Writer {
    pub(crate) const fn new() -> Wtf8Writer {
        Wtf8Writer { high: None }
    }

    /// True if nothing is pending.
    pub(crate) fn is_at_rest(&self) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::scalar::fed::{by, every_value_comes_back, for_each_string, pieces, values, written};
    use utfkit_testkit::scheme::Scheme;

    #[test]
    fn strings_decode_as_the_reference_says() {
        let look = |src: &[u8]| assert_eq!(pieces(&Wtf8Reader, src), Scheme::Wtf8.pieces(src), "{src:02X?}");
        let bytes = [
            0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xAF, 0xB0, 0xBF, 0xC0, 0xC1, 0xC2, 0xE0, 0xE2, 0xED, 0xEF,
            0xF0, 0xF1, 0xF4, 0xF5, 0xF8, 0xFC, 0xFF,
        ];
        for_each_string(&bytes, 4, look);
        for_each_string(&[0x41, 0x80, 0xA0, 0xAF, 0xB0, 0xED, 0xF0], 6, look);
        for_each_string(&[0x80, 0xA0, 0xB0, 0xED], 8, look);
    }

    #[test]
    fn every_lead_byte_and_two_more_decode_as_the_reference_says() {
        for number in 0xC0_0000..0x100_0000_u32 {
            let [_, src @ ..] = number.to_be_bytes();
            let first = match Wtf8Reader.decode(&src, true) {
                Decoded::Value { value, len } => (Some(value), len),
                Decoded::IllFormed { len, .. } | Decoded::Unfinished { len, .. } => (None, len),
                Decoded::StateChange { .. } => panic!("there are no states"),
            };
            let expected = Scheme::Wtf8.pieces(&src).first().map(|piece| (piece.value(), piece.len));
            assert_eq!(Some(first), expected, "{src:02X?}");
        }
    }

    #[test]
    fn every_value_is_written_and_read() {
        every_value_comes_back(&Wtf8Reader, &Wtf8Writer::new(), by(Scheme::Wtf8));
    }

    #[test]
    fn halves_that_meet_are_joined() {
        let write = |values: &[u32]| written(&Wtf8Writer::new(), values).unwrap();
        assert_eq!(write(&[0xD83D, 0xDCA9]), "💩".as_bytes());
        assert_eq!(write(&[0xD83D, 0xD83D, 0xDCA9, 0xDCA9]), b"\xED\xA0\xBD\xF0\x9F\x92\xA9\xED\xB2\xA9");
        assert_eq!(write(&[0xD83D, 0x61, 0xDCA9]), b"\xED\xA0\xBDa\xED\xB2\xA9");
        assert_eq!(write(&[0xD83D, 0x1_F4A9]), b"\xED\xA0\xBD\xF0\x9F\x92\xA9");
        assert_eq!(write(&[0xDCA9, 0xD83D]), b"\xED\xB2\xA9\xED\xA0\xBD");
    }

    #[test]
    fn what_is_no_code_point_changes_nothing() {
        let mut writer = Wtf8Writer::new();
        assert_eq!(writer.encode(0xD83D), Some(Encoded::from_slice(&[])));
        assert_eq!(writer.encode(0x11_0000), None);
        assert!(!writer.is_at_rest());
        assert_eq!(writer.encode(0xDCA9), Some(Encoded::from_slice("💩".as_bytes())));
        assert!(writer.is_at_rest());
    }

    #[test]
    fn a_pair_in_six_bytes_is_one_error() {
        let kind = ErrorKind::Surrogate;
        let src = b"\xED\xA0\xBD\xED\xB2\xA9";
        assert_eq!(Wtf8Reader.decode(src, false), Decoded::IllFormed { kind, len: 6 });
        assert_eq!(Wtf8Reader.decode(&src[..3], true), Decoded::Value { value: 0xD83D, len: 3 });
        assert_eq!(Wtf8Reader.decode(&src[..5], true), Decoded::Value { value: 0xD83D, len: 3 });
        for len in 1..6 {
            let kind = ErrorKind::Truncated;
            assert_eq!(Wtf8Reader.decode(&src[..len], false), Decoded::Unfinished { kind, len });
        }
        // A second high one takes the low one for itself.
        assert_eq!(values(&Wtf8Reader, b"\xED\xA0\xBD\xED\xA0\xBD\xED\xB2\xA9"), [Some(0xD83D), None]);
    }
}
