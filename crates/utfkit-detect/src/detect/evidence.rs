//! The statistics of a stream on which the decision is based.

use alloc::vec::Vec;

use super::controls::{Controls, count, positions, without_marks};
use super::declaration::{FRONT, OPENING};
use super::joined::{Joined, first_units};
use super::legacy::{Guess, LegacyText};
use super::lines::{Lines, Window};
use super::mixed::Rest;
use super::options::Options;
use super::seven_bit::{Escapes, Hz, Utf7};
use super::units::Units;
use super::utf8::Utf8;
use crate::model::Script;
use utfkit_core::Encoding;
use utfkit_core::bom::Bom;

pub(super) struct Evidence {
    pub(super) options: Options,
    /// True unless UTF-8 is excluded.
    may_be_utf8: bool,
    pub(super) bytes: u64,
    pub(super) front: Vec<u8>,
    /// More of it.
    pub(super) opening: Vec<u8>,
    pub(super) utf8: Utf8,
    pub(super) lines: Lines,
    pub(super) controls: Controls,
    pub(super) units: Units,
    /// UTF-16 among bytes.
    pub(super) units_among_bytes: Option<Joined>,
    pub(super) escapes: Escapes,
    pub(super) utf7: Utf7,
    pub(super) hz: Hz,
    pub(super) legacy: LegacyText,
    /// True if escape sequences of ISO 2022 say what the bytes above 7F are: that changes within the text.
    pub(super) has_designations: bool,
    /// The lines that are not UTF-8, once their encoding was looked for with this declaration.
    pub(super) rest: Option<(Option<Encoding>, Rest)>,
    /// The readings in older encodings, once they were ranked with this declaration.
    pub(super) guess: Option<(Option<Encoding>, Guess)>,
    /// The sample without lists and repeats, if it has some and was ranked.
    pub(super) words: Option<Vec<u8>>,
    /// The encoding in which bytes that are text in none are the nearest to text.
    pub(super) nearest: Option<Encoding>,
}

impl Evidence {
    pub(super) fn new(options: Options) -> Evidence {
        Evidence {
            may_be_utf8: options.allows(Encoding::Utf8),
            options,
            bytes: 0,
            front: Vec::new(),
            opening: Vec::new(),
            utf8: Utf8::new(),
            lines: Lines::default(),
            controls: Controls::default(),
            units: Units::default(),
            units_among_bytes: None,
            has_designations: false,
            rest: None,
            guess: None,
            words: None,
            nearest: None,
            escapes: Escapes::default(),
            utf7: Utf7::default(),
            hz: Hz::default(),
            legacy: LegacyText::default(),
        }
    }

    pub(super) fn window(&mut self, window: &[u8]) {
        let before = self.bytes;
        self.bytes += window.len() as u64;
        if before == 0 {
            self.front.extend_from_slice(&window[..window.len().min(FRONT)]);
            self.opening.extend_from_slice(&window[..window.len().min(OPENING)]);
        }
        let (nulls, of_terminals) = (self.controls.nulls, self.controls.of_terminals());
        let escape = self.controls.window(window);
        let is_designation = |at: usize| matches!(window[at..], [_, b'-'..=b'/', b'@'..=b'~', ..]);
        self.has_designations = self.has_designations || escape && positions(window, 0x1B).any(is_designation);
        let non_ascii = self.utf8.non_ascii;
        let (errors, sequences) = (self.utf8.errors(), self.utf8.sequences());
        self.utf8.window(window);
        let (errors, sequences) = (self.utf8.errors() - errors, self.utf8.sequences().saturating_sub(sequences));
        if before == 0 {
            self.choose_units();
        }
        if !self.units.is_out() {
            self.units.window(window, before, Bom::of(&self.front).is_some());
        }
        if self.controls.nulls > nulls && self.units.is_out() && self.units_among_bytes.is_none() {
            self.units_among_bytes = first_units(window, before);
        }
        self.escapes.window(window, escape, self.utf8.non_ascii == 0);
        if self.utf8.non_ascii == 0 {
            self.utf7.window(window);
            self.hz.window(window);
        }
        let is_text =
            !self.is_foreign() && (self.units.is_out() || self.controls.nulls == 0 || self.has_marks_of_bytes());
        let is_text = is_text || self.legacy.may_be_ebcdic();
        let is_counted = (self.utf8.errors() > 0 || !self.may_be_utf8) && is_text;
        let has_non_ascii = self.utf8.non_ascii > non_ascii;
        let is_for_terminal = self.controls.of_terminals() > of_terminals;
        let has_marks = self.controls.are_marks(self.bytes) || self.controls.are_holes(self.bytes);
        // Its line ends are controls of US-ASCII.
        let has_fields = has_marks && has_non_ascii && !self.legacy.begins_as_ebcdic(window);
        let fields = if has_fields { without_marks(window) } else { Vec::new() };
        let of_fields = if fields.is_empty() { window } else { &fields };
        self.legacy.window(of_fields, has_non_ascii, is_counted, is_for_terminal, &self.options);
        if !self.utf8.given_up {
            let is_multibyte = self.legacy.is_multibyte();
            let (first, looked_at) = (self.utf8.first, self.utf8.looked_at);
            let facts = Window { bytes: window, before, errors, sequences, first, is_multibyte, looked_at };
            self.lines.window(&facts, &mut self.utf8.cuts);
        }
    }

    /// True if controls that are not text are more frequent than slips, and than in
    /// encodings that use some of them for letters.
    pub(super) fn is_foreign(&self) -> bool {
        let is_much = self.controls.nulls > self.bytes / 64 || self.controls.foreign(self.bytes) > self.bytes / 16;
        is_much && !self.controls.are_marks(self.bytes) && !self.controls.are_holes(self.bytes)
    }

    /// The number of controls other than NUL that are not text.
    pub(super) fn other_controls(&self) -> u64 {
        match self.controls.are_marks(self.bytes) {
            true => 0,
            false => self.controls.foreign(self.bytes) - self.controls.nulls,
        }
    }

    /// True if controls mark the fields or records of text in bytes.
    pub(super) fn has_marks_of_bytes(&self) -> bool {
        self.controls.are_marks(self.bytes) && self.controls.are_at_all_offsets()
    }

    /// True for lines without controls: text, even where no words tell. In Latin script, most of
    /// them is US-ASCII.
    pub(super) fn has_lines(&self, script: Option<Script>) -> bool {
        let is_latin = script.is_none_or(|script| script == Script::Latin);
        self.controls.nulls + self.other_controls() == 0 && self.legacy.has_lines(is_latin)
    }

    /// Begins to read UTF-16 and UTF-32 after the first window, if it suggests them.
    fn choose_units(&mut self) {
        match Bom::of(&self.front) {
            Some(bom @ (Bom::Utf16Le | Bom::Utf16Be | Bom::Utf32Le | Bom::Utf32Be)) => {
                if let Some(encoding) = bom.encoding() {
                    self.units.try_one(encoding);
                }
            }
            Some(Bom::Utf8) => {}
            _ if is_mostly_ascii(&self.front) => {}
            // In Cyrillic every other byte is 04, and none is above 7F.
            _ if self.controls.nulls > 0
                || (self.controls.foreign(self.bytes) > 0 && self.utf8.non_ascii > 0)
                || self.controls.foreign(self.bytes) > self.bytes / 16 =>
            {
                self.units.try_all();
            }
            _ => {}
        }
    }
}

/// True for US-ASCII with something in it, which would be Chinese in units of 16 bits. At
/// most half of the bytes of Chinese text are US-ASCII; of kana four fifths, but hardly
/// a third are letters.
fn is_mostly_ascii(front: &[u8]) -> bool {
    let printable = count(front, |byte| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r'));
    let letters = count(front, |byte| byte.is_ascii_alphabetic() || byte == b' ');
    printable * 5 > front.len() * 4 && letters * 20 > front.len() * 9
}
