//! The legacy encodings, written one value at a time.

use super::character::{encode, is_folded};
use super::{Legacy, iso_2022_jp};
use crate::engine::scalar::{Encoded, Writer};

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

    /// Whether US-ASCII is written as it is.
    pub(crate) const fn is_ascii_transparent(&self) -> bool {
        self.legacy.is_ascii_compatible()
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
        if let Some(page) = self.legacy.page() {
            return Some(Encoded::from_slice(&[page.byte(value)?]));
        }
        if is_folded(self.legacy, value) {
            return None;
        }
        if value < 0x80 {
            return Some(Encoded::from_slice(&[value as u8]));
        }
        encode(self.legacy, value)
    }

    fn finish(&mut self) -> Encoded<u8> {
        self.shift.finish()
    }
}
