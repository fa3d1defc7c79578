//! WTF-8 and what it calls potentially ill-formed UTF-16, as Simon Sapin's
//! "The WTF-8 encoding" writes them.

use crate::encoder::Encoder;
use crate::piece::{IllFormed, Piece, What};
use crate::{utf8, utf16};

/// All of `src` in WTF-8, piece by piece: generalized UTF-8 in which no
/// high surrogate stands before a low one.
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

/// Writes WTF-8 as it concatenates strings: a high surrogate and a low one
/// that follows become a supplementary character. So a high surrogate is not
/// written before it is known what follows.
#[derive(Clone, Debug, Default)]
pub struct Wtf8Encoder {
    high: Option<u32>,
}

impl Encoder for Wtf8Encoder {
    /// Appends `value` and what waited for it, or returns false if it is no
    /// code point.
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

    /// Appends what waits.
    fn finish(&mut self, out: &mut Vec<u8>) {
        if let Some(high) = self.high.take() {
            utf8::encode(high, out);
        }
    }
}

/// All of `src` in potentially ill-formed UTF-16, piece by piece.
pub fn wide_pieces(src: &[u16]) -> Vec<Piece> {
    let mut all = utf16::pieces(src);
    for piece in &mut all {
        if piece.error().is_some() {
            piece.what = What::Value(src[piece.offset].into());
        }
    }
    all
}

/// Appends a code point, or returns false if it is none.
pub fn encode_wide(value: u32, out: &mut Vec<u16>) -> bool {
    // What has 16 bits is left as it is, surrogates too.
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
