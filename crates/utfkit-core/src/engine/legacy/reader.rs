//! The legacy encodings, read one value at a time.

use super::character::decode;
use super::hz::HzReader;
use super::iso_2022_jp::ShiftReader;
use super::iso_2022_kr::KoreanReader;
use super::run::{decode_run, decode_to_utf16, decodes_to_utf16};
use super::{Legacy, johab, single_byte};
use crate::engine::units::{read_units, read_utf8};
use utfkit_forms::ErrorKind;
use utfkit_forms::scalar::{Decoded, Reader};

/// A decoder of one of the legacy encodings.
///
/// The length of an ill-formed sequence follows the Encoding Standard: a byte below
/// 80 after a lead byte that it cannot follow is not part of it. The kind is
/// [`ErrorKind::InvalidByte`] for a byte that begins no character, and
/// [`ErrorKind::InvalidSequence`] for a pair without a character, or a lead byte with
/// the wrong byte after it.
///
/// Four pairs of Big5 are two code points each. The first one is returned for the
/// lead byte and the second one for the trail byte.
#[derive(Clone, Debug)]
pub(crate) struct LegacyReader {
    legacy: Legacy,
    /// The code point that the trail byte of such a pair still has to give.
    second: Option<u32>,
    states: States,
}

/// The state of an encoding with states.
#[derive(Clone, Debug)]
enum States {
    None,
    Japanese(ShiftReader),
    Korean(KoreanReader),
    Hz(HzReader),
}

impl LegacyReader {
    pub(crate) const fn new(legacy: Legacy) -> LegacyReader {
        let states = match legacy {
            Legacy::Iso2022Jp => States::Japanese(ShiftReader::new()),
            Legacy::Iso2022Kr => States::Korean(KoreanReader::new()),
            Legacy::Hz => States::Hz(HzReader::new()),
            _ => States::None,
        };
        LegacyReader { legacy, second: None, states }
    }

    /// True if a byte below 80 is US-ASCII here.
    pub(crate) const fn is_ascii_transparent(&self) -> bool {
        self.legacy.is_ascii_compatible() && self.second.is_none()
    }

    /// Decodes the front of `src` as [`decode_run`] says, in an encoding with or without states.
    pub(crate) fn decode_run(&mut self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        match &mut self.states {
            States::None if self.second.is_some() => (0, 0),
            States::None => decode_run(self.legacy, src, dst),
            States::Japanese(reader) => read_utf8(reader, src, dst),
            States::Korean(reader) => read_utf8(reader, src, dst),
            States::Hz(reader) => read_utf8(reader, src, dst),
        }
    }

    /// True for the encodings that [`decode_to_utf16`](Self::decode_to_utf16) decodes.
    pub(crate) const fn decodes_to_utf16(&self) -> bool {
        decodes_to_utf16(self.legacy)
    }

    /// As [`decode_run`](Self::decode_run), into UTF-16LE.
    pub(crate) fn decode_to_utf16(&mut self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let units = dst.as_chunks_mut().0;
        let (read, count) = match &mut self.states {
            States::None if self.second.is_some() => return (0, 0),
            States::None => return decode_to_utf16(self.legacy, src, dst),
            States::Japanese(reader) => read_units(reader, src, units),
            States::Korean(reader) => read_units(reader, src, units),
            States::Hz(reader) => read_units(reader, src, units),
        };
        (read, 2 * count)
    }

    /// True if the next bytes are read as at the beginning of a stream.
    pub(crate) fn is_initial(&self) -> bool {
        self.second.is_none() && self.state() == 0
    }
}

impl Reader for LegacyReader {
    fn decode(&mut self, src: &[u8], last: bool) -> Decoded {
        match &mut self.states {
            States::None => {}
            States::Japanese(reader) => return reader.decode(src, last),
            States::Korean(reader) => return reader.decode(src, last),
            States::Hz(reader) => return reader.decode(src, last),
        }
        if let Some(value) = self.second.take() {
            return Decoded::Value { value, len: 1 };
        }
        match src[0] {
            byte if self.legacy.is_single_byte() => match single_byte::value(self.legacy, byte) {
                Some(value) => Decoded::Value { value, len: 1 },
                None => Decoded::IllFormed { kind: ErrorKind::InvalidByte, len: 1 },
            },
            byte @ 0..=0x7F => Decoded::Value { value: byte.into(), len: 1 },
            _ if matches!(self.legacy, Legacy::Johab) => johab::decode(src),
            _ => {
                let (decoded, second) = decode(self.legacy, src);
                self.second = second;
                decoded
            }
        }
    }
    fn state(&self) -> u32 {
        match &self.states {
            States::None => 0,
            States::Japanese(reader) => reader.state(),
            States::Korean(reader) => reader.state(),
            States::Hz(reader) => reader.state(),
        }
    }

    fn set_state(&mut self, state: u32) {
        match &mut self.states {
            States::None => {}
            States::Japanese(reader) => reader.set_state(state),
            States::Korean(reader) => reader.set_state(state),
            States::Hz(reader) => reader.set_state(state),
        }
    }
}
