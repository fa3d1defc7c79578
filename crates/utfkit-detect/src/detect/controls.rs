//! Controls, which are rare in text.

use alloc::vec::Vec;

use utfkit_core::internal::{ascii_prefix, count_controls};

const ESC: u8 = 0x1B;
/// Ends a sequence that begins with `ESC ]`, such as the title of a terminal.
const BEL: u8 = 0x07;
/// The end of a text file of CP/M and DOS, which may fill a block.
const SUB: u8 = 0x1A;
/// The most kinds of controls that mark fields and records: STX, ETX, FS and RS, say.
const KINDS: u64 = 4;
/// The least number of bytes per mark.
const APART: u64 = 6;
/// The least bytes in a run of NUL that is a hole, and other bytes for each.
const LONG: u64 = 16;
const HOLE: u64 = 256;

/// Bytes that are looked at together, and counted.
const BLOCK: usize = 32;
const CHUNK: usize = 224;

/// Counts of the bytes 00 to 1F except white space.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Controls {
    pub(super) nulls: u64,
    /// The offset of the first byte 00.
    pub(super) first_null: Option<u64>,
    /// Bytes 00 that follow another.
    pub(super) null_runs: u64,
    /// ESC: terminal colours, character sets.
    pub(super) escapes: u64,
    /// BACKSPACE, SHIFT OUT and SHIFT IN: terminals, character sets.
    pub(super) layout: u64,
    /// SOH, FS, GS, RS and US, which separate fields and records.
    pub(super) separators: u64,
    /// The rest.
    pub(super) others: u64,
    /// The bytes [`SUB`] after which nothing else has come, which are among the others.
    ending: u64,
    /// The runs of each control that is neither white space nor of terminals, at even and at odd offsets.
    runs: [[u64; 2]; 32],
    /// They are of more kinds than [marks](Controls::are_marks) are, so that their runs say nothing.
    is_data: bool,
    /// The last ESC was followed by `]`, and no BEL came since.
    is_in_osc: bool,
    last: u8,
    /// The number of bytes before the window.
    before: u64,
}

impl Controls {
    /// Counts a window. Returns true if it has an ESC.
    pub(super) fn window(&mut self, window: &[u8]) -> bool {
        let escapes = self.escapes;
        self.is_in_osc |= self.last == ESC && window.first() == Some(&b']');
        // False for nearly every window of text: the kernel is much faster than the loop.
        let controls = count_controls(window);
        if controls > 0 && self.is_data {
            self.data(window, controls as u64);
        } else if controls > 0 {
            for (number, block) in window.chunks(BLOCK).enumerate() {
                let start = number * BLOCK;
                let is_null = |block: &[u8]| block.iter().fold(0, |any, byte| any | byte) == 0;
                if !block.iter().fold(false, |has, byte| has | is_control(*byte)) {
                    continue;
                }
                // Of a long run of NUL, the beginning says the most.
                if start > 0 && window[start - 1] == 0 && is_null(block) {
                    self.nulls += block.len() as u64;
                    self.null_runs += block.len() as u64;
                    continue;
                }
                for (at, &byte) in (start..).zip(block) {
                    if is_control(byte) {
                        self.control(window, at, byte);
                    }
                }
            }
            // The SUB at the end may be no mark.
            self.is_data = self.runs.iter().filter(|[even, odd]| even + odd > 0).count() as u64 > KINDS + 1;
        }
        self.last = window.last().copied().unwrap_or(self.last);
        let ending = window.iter().rev().take_while(|byte| **byte == SUB).count();
        self.ending = ending as u64 + if ending == window.len() { self.ending } else { 0 };
        self.before += window.len() as u64;
        self.escapes > escapes
    }

    /// Counts a window with controls where no runs have to be known.
    fn data(&mut self, window: &[u8], controls: u64) {
        let (mut nulls, mut runs, mut escapes, mut layout, mut separators) = (0, 0, 0, 0, 0);
        let mut last = self.last;
        for part in window.chunks(CHUNK) {
            let (mut null, mut run, mut escape, mut of_layout, mut separator) = (0_u8, 0_u8, 0_u8, 0_u8, 0_u8);
            for &byte in part {
                null += u8::from(byte == 0);
                escape += u8::from(byte == ESC);
                of_layout += u8::from((byte == 0x08) | (byte & 0xFE == 0x0E));
                separator += u8::from((byte == 0x01) | (byte & 0xFC == 0x1C));
            }
            for pair in part.windows(2) {
                run += u8::from(pair[0] | pair[1] == 0);
            }
            runs += u64::from(run) + u64::from(last | part[0] == 0);
            last = part.last().copied().unwrap_or(last);
            nulls += u64::from(null);
            escapes += u64::from(escape);
            layout += u64::from(of_layout);
            separators += u64::from(separator);
        }
        if nulls > 0 && self.first_null.is_none() {
            self.first_null = position(window, 0).map(|at| self.before + at as u64);
        }
        let mut ends = 0;
        let is_of_osc = |byte: u8| (byte == ESC) | (byte == BEL);
        let may_end = escapes > 0 || self.is_in_osc;
        for (number, block) in window.chunks(BLOCK).enumerate().filter(|_| may_end) {
            if !block.iter().fold(false, |has, byte| has | is_of_osc(*byte)) {
                continue;
            }
            for (at, &byte) in (number * BLOCK..).zip(block).filter(|(_, byte)| is_of_osc(**byte)) {
                ends += u64::from(byte == BEL && self.is_in_osc);
                self.is_in_osc = byte == ESC && window.get(at + 1) == Some(&b']');
            }
        }
        self.nulls += nulls;
        self.null_runs += runs;
        self.escapes += escapes;
        self.layout += layout + ends;
        self.separators += separators;
        self.others += controls - nulls - escapes - layout - separators - ends;
    }

    /// Counts the control at an offset in the window.
    #[inline]
    fn control(&mut self, window: &[u8], at: usize, byte: u8) {
        let offset = self.before + at as u64;
        let last = at.checked_sub(1).map_or(self.last, |before| window[before]);
        let before = self.nulls + self.separators + self.others;
        match byte {
            BEL if core::mem::take(&mut self.is_in_osc) => self.layout += 1,
            0 => {
                self.nulls += 1;
                self.first_null = self.first_null.or(Some(offset));
                self.null_runs += u64::from(last == 0);
            }
            ESC => {
                self.escapes += 1;
                self.is_in_osc = window.get(at + 1) == Some(&b']');
            }
            0x08 | 0x0E | 0x0F => self.layout += 1,
            0x01 | 0x1C..=0x1F => self.separators += 1,
            _ => self.others += 1,
        }
        if self.nulls + self.separators + self.others > before && (byte != last || offset == 0) {
            self.runs[usize::from(byte)][usize::from(offset % 2 == 1)] += 1;
        }
    }

    /// Controls that are not part of text in a byte-based encoding of `bytes` bytes. Separators
    /// are, unless there are others or hardly anything is between them: in a binary file all of
    /// them are frequent.
    pub(super) fn foreign(&self, bytes: u64) -> u64 {
        let others = self.nulls + self.others - self.ending;
        let are_separators = 8 * others <= self.separators && 6 * self.separators <= bytes;
        others + if are_separators { 0 } else { self.separators }
    }

    /// True if the controls among `bytes` bytes mark where fields, records or messages begin and
    /// end, or fill them: they are of a few kinds, and each kind recurs among other bytes. The
    /// controls of other data are of many kinds.
    pub(super) fn are_marks(&self, bytes: u64) -> bool {
        let all = self.nulls + self.separators + self.others - self.ending;
        if all == 0 {
            return false;
        }
        let runs = self.runs.iter().enumerate().map(|(control, [even, odd])| {
            let is_ending = control == usize::from(SUB) && self.ending > 0;
            even + odd - u64::from(is_ending)
        });
        let (mut kinds, mut places, mut fewest) = (0, 0, u64::MAX);
        for runs in runs.filter(|runs| *runs > 0) {
            (kinds, places, fewest) = (kinds + 1, places + runs, fewest.min(runs));
        }
        let recur = if kinds == 1 { 3 } else { 2 };
        // Tables of numbers have NUL and a few other controls.
        let may_have_nulls = self.nulls == 0 || (kinds == 1 && 2 * all <= bytes);
        (1..=KINDS).contains(&kinds) && fewest >= recur && places * APART <= bytes && may_have_nulls
    }

    /// True if all controls are NUL in a few long runs, as a file has that was written while the machine
    /// crashed.
    pub(super) fn are_holes(&self, bytes: u64) -> bool {
        let runs = self.runs[0][0] + self.runs[0][1];
        runs > 0
            && self.separators + self.others == self.ending
            && self.nulls >= LONG * runs
            && runs * HOLE <= bytes - self.nulls
            && self.nulls <= bytes / 2
    }

    /// True if the same control is at even and at odd offsets, as in no text in units: there, one
    /// byte of each is high.
    pub(super) fn are_at_all_offsets(&self) -> bool {
        self.runs.iter().any(|[even, odd]| even.min(odd) * 4 >= even + odd && *even.min(odd) > 1)
    }

    /// Controls of terminals and printers.
    pub(super) fn of_terminals(&self) -> u64 {
        self.escapes + self.layout
    }
}

#[inline(always)]
fn is_control(byte: u8) -> bool {
    (byte < 0x20) & !matches!(byte, b'\t' | b'\n' | 0x0C | b'\r')
}

/// A line for each field between controls; empty for bytes without such controls.
pub(super) fn without_marks(bytes: &[u8]) -> Vec<u8> {
    let is_mark = |byte: u8| byte < b' ' && !matches!(byte, 0x08 | b'\t' | b'\n' | 0x0C..=0x0F | ESC);
    if !bytes.iter().any(|&byte| is_mark(byte)) {
        return Vec::new();
    }
    let mut lines = Vec::with_capacity(bytes.len());
    for &byte in bytes {
        match is_mark(byte) {
            true if lines.last() == Some(&b'\n') => {}
            true => lines.push(b'\n'),
            false => lines.push(byte),
        }
    }
    lines
}

/// Counts bytes, in chunks of whole vectors whose count fits in a byte, so that it vectorizes.
#[inline(always)]
pub(super) fn count(bytes: &[u8], predicate: impl Fn(u8) -> bool) -> usize {
    bytes.chunks(CHUNK).map(|part| usize::from(part.iter().map(|byte| u8::from(predicate(*byte))).sum::<u8>())).sum()
}

/// The offset of the first such byte, in blocks, so that it vectorizes.
#[inline(always)]
pub(super) fn position_by(bytes: &[u8], is_wanted: impl Fn(u8) -> bool) -> Option<usize> {
    let blocks = bytes.as_chunks::<BLOCK>().0;
    let has = |block: &[u8; BLOCK]| block.iter().fold(false, |has, byte| has | is_wanted(*byte));
    let clean = BLOCK * blocks.iter().position(has).unwrap_or(blocks.len());
    bytes[clean..].iter().position(|byte| is_wanted(*byte)).map(|at| clean + at)
}

pub(super) fn position(bytes: &[u8], wanted: u8) -> Option<usize> {
    position_by(bytes, |byte| byte == wanted)
}

/// The offsets of a byte.
pub(super) fn positions(bytes: &[u8], wanted: u8) -> impl Iterator<Item = usize> {
    let mut from = 0;
    core::iter::from_fn(move || {
        let at = from + position(&bytes[from..], wanted)?;
        from = at + 1;
        Some(at)
    })
}

/// The offset of the first byte from 80.
#[inline]
pub(super) fn first_beyond_ascii(bytes: &[u8]) -> Option<usize> {
    Some(ascii_prefix(bytes)).filter(|at| *at < bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{format, vec};

    #[test]
    fn every_byte_alone_and_in_the_lanes_of_a_kernel() {
        for byte in 0..=255_u8 {
            let mut controls = Controls::default();
            let mut text =
                *b"................................................................................................";
            text[70] = byte;
            controls.window(&text);
            let white = matches!(byte, b'\t' | b'\n' | 0x0C | b'\r');
            let counted = controls.nulls + controls.of_terminals() + controls.separators + controls.others;
            assert_eq!(counted, u64::from(byte < 0x20 && !white), "{byte:02X}");
            assert_eq!((controls.nulls, controls.escapes), (u64::from(byte == 0), u64::from(byte == ESC)));
        }
    }

    #[test]
    fn a_part_that_is_all_such_is_counted() {
        for len in [0, 1, 254, 255, 256, 510, 511, 1024] {
            let mut bytes = vec![b'x'; len];
            assert_eq!(count(&bytes, |byte| byte == b'x'), len);
            if let Some(last) = bytes.last_mut() {
                *last = b'y';
                assert_eq!(count(&bytes, |byte| byte == b'x'), len - 1);
            }
        }
    }

    #[test]
    fn a_byte_is_found_at_every_offset() {
        for len in [0, 1, 31, 32, 33, 64, 70] {
            let mut bytes = vec![b'x'; len];
            assert_eq!((position(&bytes, b'y'), first_beyond_ascii(&bytes)), (None, None));
            for at in (0..len).rev() {
                bytes[at] = b'y';
                assert_eq!(position(&bytes, b'y'), Some(at));
                bytes[at] = 0x80;
                assert_eq!((position(&bytes, b'y'), first_beyond_ascii(&bytes)), (None, Some(at)));
            }
        }
    }

    #[test]
    fn the_end_of_a_file_of_dos_is_no_foreign_control() {
        let foreign = |windows: &[&[u8]]| {
            let mut controls = Controls::default();
            windows.iter().for_each(|window| {
                controls.window(window);
            });
            controls.foreign(windows.iter().map(|window| window.len() as u64).sum())
        };
        assert_eq!(foreign(&[b"text\r\n\x1A"]), 0);
        assert_eq!(foreign(&[b"text\r\n\x1A", b"\x1A\x1A", b"", b"\x1A"]), 0);
        assert_eq!(foreign(&[b"text\r\n\x1A\x1A", b"\x1A more\x1A"]), 3);
        assert_eq!(foreign(&[b"\x1A", b"text"]), 1);
    }

    #[test]
    fn the_bell_that_ends_the_title_of_a_terminal_is_of_terminals() {
        for windows in [&[&b"\x1B]0;build\x07text\x07"[..]][..], &[b"\x1B", b"]0;bu", b"ild\x07text", b"\x07"]] {
            let mut controls = Controls::default();
            windows.iter().for_each(|window| {
                controls.window(window);
            });
            assert_eq!((controls.of_terminals(), controls.others), (2, 1), "{windows:?}");
        }
    }

    #[test]
    fn controls_that_recur_among_text_are_marks() {
        let are_marks = |text: &[u8]| {
            let mut controls = Controls::default();
            text.chunks(7).for_each(|window| {
                controls.window(window);
            });
            controls.are_marks(text.len() as u64)
        };
        let record = b"  \x1FaThe title of a book\x1Fbby somebody\x1E  \x1FaLondon :\x1FbA publisher,\x1E\x1D";
        assert!(are_marks(&record.repeat(3)));
        assert!(are_marks(b"\x02first line\x03\r\n\x02second line\x03\r\n"));
        assert!(are_marks(b"one/path\0another/path\0a/third/one\0"));
        assert!(are_marks(b"Jones\0\0\0\0\0\0London\0\0Miller\0\0\0\0\0Leeds\0\0\0"));
        assert!(!are_marks(b"no mark at all\n"));
        assert!(!are_marks(b"one stray\0 and more text\n"));
        assert!(!are_marks(b"one hole\0\0\0\0\0\0\0\0 in a line\n"));
        assert!(!are_marks(b"a\0b\0c\0d\0e\0f\0g\0"));
        assert!(!are_marks(
            b"\x01\x02text\x03\x04more\x05\x06text\x01\x02text\x03\x04more\x05\x06 and more of it here"
        ));
        assert!(!are_marks(b"TZif2\0\0\0\x01 abcdefgh\0\0\0\x01 abcdefgh\0\0\0\x01 abcdefgh"));
        assert!(!are_marks(&[b"name".as_slice(), &[0; 60], b"name", &[0; 60], b"name", &[0; 60]].concat()));
    }

    #[test]
    fn a_hole_is_one_long_run_of_nulls() {
        let are_holes = |parts: &[&[u8]]| {
            let mut controls = Controls::default();
            let text = parts.concat();
            controls.window(&text);
            controls.are_holes(text.len() as u64)
        };
        let text = b"a line of a log\n".repeat(20);
        assert!(are_holes(&[&text, &[0; 100], &text]));
        assert!(!are_holes(&[&text, &[0; 10], &text]));
        assert!(!are_holes(&[&text, &[0; 100], b"\x02", &text]));
        assert!(!are_holes(&[&text[..200], &[0; 100]]));
        assert!(!are_holes(&[&text, &[0; 1000], &text]));
    }

    #[test]
    fn controls_of_data_are_counted_as_those_of_text() {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize
        };
        let some = [0, 0, 0, 1, 7, 7, 8, b'\t', b'\n', 0x0E, 0x1A, ESC, ESC, b']', 0x1D, b'x', 0xE4];
        for _ in 0..200 {
            let mut counted = [Controls { is_data: true, ..Controls::default() }, Controls::default()];
            let text: Vec<u8> = (0..600).map(|_| some[next() % some.len()]).collect();
            let mut rest = &text[..];
            while !rest.is_empty() {
                let (window, after) = rest.split_at(rest.len().min(1 + next() % 300));
                rest = after;
                let has_escape = window.contains(&ESC);
                for (counted, is_data) in counted.iter_mut().zip([true, false]) {
                    counted.is_data = is_data;
                    assert_eq!(counted.window(window), has_escape);
                }
            }
            let [of_data, of_text] = counted.map(|of| Controls { runs: [[0; 2]; 32], is_data: false, ..of });
            assert_eq!(format!("{of_data:?}"), format!("{of_text:?}"), "{}", text.escape_ascii());
        }
    }

    #[test]
    fn runs_of_nulls_are_counted_whole() {
        for (before, nulls) in [(0, 200), (1, 31), (3, 64), (31, 33), (40, 161)] {
            for window in [16, 32, 100, 300] {
                let mut controls = Controls::default();
                let text = [vec![b'x'; before], vec![0; nulls], b"y\x02z".to_vec()].concat();
                text.chunks(window).for_each(|window| _ = controls.window(window));
                let runs = nulls as u64 - u64::from(before > 0);
                assert_eq!((controls.nulls, controls.null_runs, controls.others), (nulls as u64, runs, 1));
                assert_eq!(
                    (controls.runs[0], controls.first_null),
                    (if before % 2 == 0 { [1, 0] } else { [0, 1] }, Some(before as u64))
                );
            }
        }
    }

    #[test]
    fn runs_of_nulls_go_on_across_windows() {
        let mut controls = Controls::default();
        for window in [&b"a\0"[..], b"\0b\0c", b"\0"] {
            controls.window(window);
        }
        assert_eq!((controls.nulls, controls.null_runs, controls.first_null), (4, 1, Some(1)));
    }
}
