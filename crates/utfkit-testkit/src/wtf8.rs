//! WTF-8 and potentially ill-formed UTF-16, transcribed from Simon Sapin's "The
//! WTF-8 encoding".

use crate::encoder::Encoder;
use crate::piece::{IllFormed, Piece, What};
use crate::{utf8, utf16};

/// Decodes WTF-8: generalized UTF-8 in which no high surrogate precedes a low
/// one.
pub fn pieces(src: &[u8]) -> Vec<Piece> {
    let mut all: Vec<Piece> = Vec::new();
    let mut sequences = utf8::pieces(src, &utf8::GENERALIZED);
    utf8::name_what_is_forced(&mut sequences, src);
    for piece in sequences {
        match (all.last_mut(), piece.value()) {
            (Some(last @ Piece { what: What::Value(0xD800..=0xDBFF), .. }), Some(0xDC00..=0xDFFF)) => {
                last.len += piece.len;
                last.what = What::IllFormed(IllFormed { kind: "surrogate", open: false });
            }
            _ => all.push(piece),
        }
    }
    all
}

/// Encodes WTF-8. A high and a low surrogate combine into a supplementary
/// character, so a high surrogate is held back until the next value is known.
#[derive(Clone, Debug, Default)]
pub struct Wtf8Encoder {
    high: Option<u32>,
}

impl Encoder for Wtf8Encoder {
    /// Appends `value` after any pending surrogate, or returns false if it is
    /// not a code point.
    fn encode(&mut self, value: u32, out: &mut Vec<u8>) -> bool {
        if value > 0x10_FFFF {
            return false;
        }
        match (self.high, value) {
            (Some(high), 0xDC00..=0xDFFF) => {
                utf8::encode((high - 0xD800) * 0x400 + (value - 0xDC00) + 0x1_0000, out);
                self.high = None;
            }
            _ => {
                self.finish(out);
                match value {
                    0xD800..=0xDBFF => self.high = Some(value),
                    _ => utf8::encode(value, out),
                }
            }
        }
        true
    }

    /// Appends the pending surrogate.
    fn flush(&mut self, out: &mut Vec<u8>) {
        self.finish(out);
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        if let Some(high) = self.high.take() {
            utf8::encode(high, out);
        }
    }
}

/// Decodes potentially ill-formed UTF-16.
pub fn wide_pieces(src: &[u16]) -> Vec<Piece> {
    let mut all = utf16::pieces(src);
    for piece in &mut all {
        if piece.error().is_some() {
            piece.what = What::Value(src[piece.offset].into());
        }
    }
    all
}

/// Encodes a code point, or returns false if `value` is not one.
pub fn encode_wide(value: u32, out: &mut Vec<u16>) -> bool {
    // Surrogates are written as they are.
    let exists = value <= 0x10_FFFF;
    if exists {
        utf16::encode(value, out);
    }
    exists
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_that_meet_are_joined() {
        let mut out = Vec::new();
        let mut encoder = Wtf8Encoder::default();
        for value in [0xD83D, 0xD83D, 0xDCA9, 0xDCA9, 0x61, 0xD83D] {
            assert!(encoder.encode(value, &mut out));
        }
        assert!(!encoder.encode(0x11_0000, &mut out));
        encoder.finish(&mut out);
        assert_eq!(out, b"\xED\xA0\xBD\xF0\x9F\x92\xA9\xED\xB2\xA9a\xED\xA0\xBD");
        let values: Vec<_> = pieces(&out).iter().map(Piece::value).collect();
        assert_eq!(values, [0xD83D, 0x1_F4A9, 0xDCA9, 0x61, 0xD83D].map(Some));
    }

    #[test]
    fn a_pair_in_six_bytes_is_ill_formed() {
        let found = pieces(b"\xED\xA0\xBD\xED\xA0\xBD\xED\xB2\xA9");
        let what = What::IllFormed(IllFormed { kind: "surrogate", open: false });
        assert_eq!(found[0].value(), Some(0xD83D));
        assert_eq!(found[1..], [Piece { offset: 3, len: 6, what }]);
    }
}
