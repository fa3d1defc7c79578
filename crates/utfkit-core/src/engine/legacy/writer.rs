//! The legacy encodings, written one value at a time.

use super::character::{encode, is_folded};
use super::hz::HzWriter;
use super::iso_2022_jp::ShiftWriter;
use super::iso_2022_kr::KoreanWriter;
use super::lacking::Run;
use super::run::{encode_run, encode_utf16, encodes_utf16};
use super::{Legacy, johab};
use crate::engine::progress::OnLacking;
use crate::engine::units::{write_units, write_utf8};
use utfkit_forms::scalar::{Encoded, Writer};

/// An encoder into one of the legacy encodings.
#[derive(Clone, Debug)]
pub(crate) struct LegacyWriter {
    legacy: Legacy,
    states: States,
    /// A character that it is known to lack. For one that is not there, the
    /// large tables are searched from one end to the other: once is enough.
    lacking: Option<u32>,
    /// The number of lacking characters that runs have replaced or skipped.
    passed: u64,
}

/// The state of an encoding with states.
#[derive(Clone, Debug)]
enum States {
    None,
    Japanese(ShiftWriter),
    Korean(KoreanWriter),
    Hz(HzWriter),
}

impl LegacyWriter {
    pub(crate) const fn new(legacy: Legacy) -> LegacyWriter {
        let states = match legacy {
            Legacy::Iso2022Jp => States::Japanese(ShiftWriter::new()),
            Legacy::Iso2022Kr => States::Korean(KoreanWriter::new()),
            Legacy::Hz => States::Hz(HzWriter::new()),
            _ => States::None,
        };
        LegacyWriter { legacy, states, lacking: None, passed: 0 }
    }

    /// Encodes as [`encode_run`] says, into an encoding with or without states; with states it
    /// stops before a character that is lacking.
    pub(crate) fn encode_run(&mut self, src: &[u8], dst: &mut [u8], on_lacking: OnLacking) -> (usize, usize) {
        match &mut self.states {
            States::None => self.after(encode_run(self.legacy, src, dst, on_lacking)),
            States::Japanese(writer) => write_utf8(writer, src, dst),
            States::Korean(writer) => write_utf8(writer, src, dst),
            States::Hz(writer) => write_utf8(writer, src, dst),
        }
    }

    /// True for the encodings that [`encode_utf16`](Self::encode_utf16) encodes.
    pub(crate) const fn encodes_utf16(&self) -> bool {
        encodes_utf16(self.legacy)
    }

    /// Encodes UTF-16LE as [`encode_run`](Self::encode_run) encodes UTF-8.
    pub(crate) fn encode_utf16(&mut self, src: &[u8], dst: &mut [u8], on_lacking: OnLacking) -> (usize, usize) {
        let units = src.as_chunks().0;
        let (taken, written) = match &mut self.states {
            States::None => return self.after(encode_utf16(self.legacy, src, dst, on_lacking)),
            States::Japanese(writer) => write_units(writer, units, dst),
            States::Korean(writer) => write_units(writer, units, dst),
            States::Hz(writer) => write_units(writer, units, dst),
        };
        (2 * taken, written)
    }

    fn after(&mut self, run: Run) -> (usize, usize) {
        self.lacking = run.stopped_by;
        self.passed += run.lacking;
        (run.read, run.written)
    }

    /// The number of lacking characters in runs since the last call.
    pub(crate) fn take_passed(&mut self) -> u64 {
        core::mem::take(&mut self.passed)
    }

    /// True if US-ASCII is written unchanged.
    pub(crate) const fn is_ascii_transparent(&self) -> bool {
        self.legacy.is_ascii_compatible()
    }
}

impl Writer for LegacyWriter {
    fn encode(&mut self, value: u32) -> Option<Encoded<u8>> {
        match &mut self.states {
            States::None => {}
            States::Japanese(writer) => return writer.encode(value),
            States::Korean(writer) => return writer.encode(value),
            States::Hz(writer) => return writer.encode(value),
        }
        if let Some(page) = self.legacy.page() {
            return Some(Encoded::from_slice(&[page.byte(value)?]));
        }
        if is_folded(self.legacy, value) || self.lacking == Some(value) {
            return None;
        }
        if value < 0x80 {
            return Some(Encoded::from_slice(&[value as u8]));
        }
        if matches!(self.legacy, Legacy::Johab) {
            return johab::encode(value);
        }
        encode(self.legacy, value)
    }

    fn finish(&mut self) -> Encoded<u8> {
        match &mut self.states {
            States::None => Encoded::from_slice(&[]),
            States::Japanese(writer) => writer.finish(),
            States::Korean(writer) => writer.finish(),
            States::Hz(writer) => writer.finish(),
        }
    }
    fn state(&self) -> u32 {
        match &self.states {
            States::None => 0,
            States::Japanese(writer) => writer.state(),
            States::Korean(writer) => writer.state(),
            States::Hz(writer) => writer.state(),
        }
    }

    fn set_state(&mut self, state: u32) {
        match &mut self.states {
            States::None => {}
            States::Japanese(writer) => writer.set_state(state),
            States::Korean(writer) => writer.set_state(state),
            States::Hz(writer) => writer.set_state(state),
        }
    }
}
