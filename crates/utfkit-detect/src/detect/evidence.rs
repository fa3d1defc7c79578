//! Everything that is counted before an encoding is chosen.

use alloc::vec::Vec;

use super::controls::{Controls, count};
use super::declaration::FRONT;
use super::legacy::LegacyText;
use super::seven_bit::{Escapes, Shifts, Tildes};
use super::units::Units;
use super::utf8::Utf8;
use utfkit_core::bom::Bom;

/// Of a stream, window by window.
pub(super) struct Evidence {
    pub(super) bytes: u64,
    pub(super) front: Vec<u8>,
    pub(super) utf8: Utf8,
    pub(super) controls: Controls,
    pub(super) units: Units,
    pub(super) escapes: Escapes,
    pub(super) shifts: Shifts,
    pub(super) tildes: Tildes,
    pub(super) legacy: LegacyText,
}

impl Evidence {
    pub(super) fn new() -> Evidence {
        Evidence {
            bytes: 0,
            front: Vec::new(),
            utf8: Utf8::new(),
            controls: Controls::default(),
            units: Units::default(),
            escapes: Escapes::default(),
            shifts: Shifts::default(),
            tildes: Tildes::default(),
            legacy: LegacyText::default(),
        }
    }

    /// The next window.
    pub(super) fn window(&mut self, window: &[u8]) {
        let before = self.bytes;
        self.bytes += window.len() as u64;
        if before == 0 {
            self.front.extend_from_slice(&window[..window.len().min(FRONT)]);
        }
        let escape = self.controls.window(window);
        let above = self.utf8.above;
        self.utf8.window(window);
        if before == 0 {
            self.choose_units();
        }
        if !self.units.is_out() {
            self.units.window(window, before);
            if Bom::of(&self.front).is_none() {
                self.units.weed();
            }
        }
        self.escapes.window(window, escape);
        if self.utf8.above == 0 {
            self.shifts.window(window);
            self.tildes.window(window);
        }
        let is_text = !self.is_foreign() && (self.units.is_out() || self.controls.nulls == 0);
        let is_text = is_text || self.legacy.may_be_ebcdic();
        self.legacy.window(window, self.utf8.above > above, self.utf8.errors() > 0 && is_text);
    }

    /// Whether there are more bytes foreign to text than a slip would leave, or than
    /// an encoding has that uses some of them for letters.
    pub(super) fn is_foreign(&self) -> bool {
        self.controls.nulls > self.bytes / 64 || self.controls.foreign() > self.bytes / 16
    }

    /// After the first window: tries units of 16 or 32 bits where that is worth it.
    fn choose_units(&mut self) {
        match Bom::of(&self.front) {
            Some(bom @ (Bom::Utf16Le | Bom::Utf16Be | Bom::Utf32Le | Bom::Utf32Be)) => {
                if let Some(encoding) = bom.encoding() {
                    self.units.try_one(encoding);
                }
            }
            Some(Bom::Utf8) => {}
            _ if is_mostly_ascii(&self.front) => {}
            // Cyrillic is 04 every other byte, and nothing above 7F.
            _ if self.controls.nulls > 0
                || (self.controls.foreign() > 0 && self.utf8.above > 0)
                || self.controls.foreign() > self.bytes / 16 =>
            {
                self.units.try_all();
            }
            _ => {}
        }
    }
}

/// Whether these are US-ASCII with something in it. In pairs its bytes would be
/// Chinese; but of Chinese, half of the bytes are US-ASCII at the most, and of
/// kana, four of five, and hardly a third are letters.
fn is_mostly_ascii(front: &[u8]) -> bool {
    let printable = count(front, |byte| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r'));
    let letters = count(front, |byte| byte.is_ascii_alphabetic() || byte == b' ');
    printable * 5 > front.len() * 4 && letters * 20 > front.len() * 9
}
