//! The legacy encodings, written one value at a time.

use super::{Legacy, iso_2022_jp};
use crate::engine::scalar::{Encoded, Writer};
use encoding_rs::EncoderResult;

/// An encoder into one of the legacy encodings.
#[derive(Clone, Debug)]
pub(crate) struct LegacyWriter {
    legacy: Legacy,
    shift: iso_2022_jp::ShiftWriter,
}

impl LegacyWriter {
    pub(crate) const fn new(legacy: Legacy) -> LegacyWriter {
        LegacyWriter { legacy, shift: iso_2022_jp::ShiftWriter::new() }
    }

    /// Whether [`encode_run`](super::encode_run) may go on here.
    pub(crate) const fn allows_run(&self) -> bool {
        !self.legacy.has_states()
    }
}

impl Writer for LegacyWriter {
    fn encode(&mut self, value: u32) -> Option<Encoded<u8>> {
        if self.legacy.has_states() {
            return self.shift.encode(value);
        }
        if is_folded(self.legacy, value) {
            return None;
        }
        if value < 0x80 {
            return Some(Encoded::from_slice(&[value as u8]));
        }
        let mut out = [0; 8];
        let len = encode_alone(self.legacy, value, &mut out)?;
        Some(Encoded::from_padded(out, len))
    }

    fn finish(&mut self) -> Encoded<u8> {
        self.shift.finish()
    }
}

/// Whether the Encoding Standard writes `value` as another character, which is
/// then what is read back: the yen sign as a backslash, katakana of half width
/// as that of full width. That is a loss, and here it is none that goes
/// unnoticed: the encoding lacks it.
pub(super) const fn is_folded(legacy: Legacy, value: u32) -> bool {
    match legacy {
        Legacy::EucJp | Legacy::ShiftJis => matches!(value, 0xA5 | 0x203E | 0x2212),
        Legacy::Iso2022Jp => matches!(value, 0x2212 | 0xFF61..=0xFF9F),
        // Places for private use that GB 18030-2022 moved to real characters.
        Legacy::Gbk | Legacy::Gb18030 => {
            matches!(value, 0xE78D..=0xE796 | 0xE81E | 0xE826 | 0xE82B | 0xE82C | 0xE832 | 0xE843 | 0xE854 | 0xE864)
        }
        _ => false,
    }
}

/// The bytes of a text of one character, but for what ends a text; how many
/// they are. None has more than five, an escape sequence included.
pub(super) fn encode_alone(legacy: Legacy, value: u32, out: &mut [u8; 8]) -> Option<usize> {
    let mut utf8 = [0; 4];
    let text = char::from_u32(value)?.encode_utf8(&mut utf8);
    let mut encoder = legacy.codec().new_encoder();
    match encoder.encode_from_utf8_without_replacement(text, out, false) {
        (EncoderResult::InputEmpty, _, written) => Some(written),
        _ => None,
    }
}
