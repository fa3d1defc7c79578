//! The legacy encodings, read one value at a time.

use super::{Legacy, iso_2022_jp, single_byte};
use crate::engine::scalar::{Decoded, Reader};
use crate::error::ErrorKind;
use encoding_rs::DecoderResult;

/// A decoder of one of the legacy encodings.
///
/// How long what is ill-formed is follows the Encoding Standard: a byte below
/// 80 behind a lead byte that it cannot follow is no part of it. The kind is
/// [`ErrorKind::InvalidByte`] for a byte with which nothing begins, and
/// [`ErrorKind::InvalidSequence`] for bytes that together stand for nothing,
/// or a lead byte with the wrong byte behind it.
///
/// Four pairs of Big5 stand for two code points. The first one is answered
/// with for the lead byte and the second one for the trail byte.
#[derive(Clone, Debug)]
pub(crate) struct LegacyReader {
    legacy: Legacy,
    /// The code point that the trail byte of such a pair still has to give.
    second: Option<u32>,
    shift: iso_2022_jp::ShiftReader,
}

impl LegacyReader {
    pub(crate) const fn new(legacy: Legacy) -> LegacyReader {
        LegacyReader { legacy, second: None, shift: iso_2022_jp::ShiftReader::new() }
    }

    /// Whether [`decode_run`](super::decode_run) may go on here: in front of a
    /// character, in an encoding without states.
    pub(crate) const fn allows_run(&self) -> bool {
        !self.legacy.has_states() && self.second.is_none()
    }

    /// What a sequence of bytes stands for that begins with one from 80. A
    /// decoder is given one byte after the other until it says something.
    fn sequence(&mut self, src: &[u8]) -> Decoded {
        let mut decoder = self.legacy.codec().new_decoder_without_bom_handling();
        for (at, byte) in src.iter().enumerate() {
            let mut out = [0; 8];
            let (result, _, written) =
                decoder.decode_to_utf8_without_replacement(core::slice::from_ref(byte), &mut out, false);
            if let DecoderResult::Malformed(len, _) = result {
                let kind = if at == 0 { ErrorKind::InvalidByte } else { ErrorKind::InvalidSequence };
                return Decoded::IllFormed { kind, len: len.into() };
            }
            let mut values = core::str::from_utf8(&out[..written]).unwrap_or_default().chars().map(u32::from);
            if let Some(value) = values.next() {
                self.second = values.next();
                return Decoded::Value { value, len: if self.second.is_some() { at } else { at + 1 } };
            }
        }
        Decoded::Unfinished { kind: ErrorKind::Truncated, len: src.len() }
    }
}

impl Reader for LegacyReader {
    fn decode(&mut self, src: &[u8], last: bool) -> Decoded {
        if self.legacy.has_states() {
            return self.shift.decode(src, last);
        }
        if let Some(value) = self.second.take() {
            return Decoded::Value { value, len: 1 };
        }
        match src[0] {
            byte @ 0..=0x7F => Decoded::Value { value: byte.into(), len: 1 },
            byte if self.legacy.is_single_byte() => match single_byte::value(self.legacy, byte) {
                Some(value) => Decoded::Value { value, len: 1 },
                None => Decoded::IllFormed { kind: ErrorKind::InvalidByte, len: 1 },
            },
            _ => self.sequence(src),
        }
    }
}
