//! Every pair of UTF-16 units, and every UTF-32 unit.
//!
//! A pair is followed by an ASCII unit; 256 pairs with the same first unit form
//! a text. A text of UTF-32 is 4096 consecutive units.

use utfkit::{Encoding, Policy, Practice, Transcoder};
use utfkit_testkit::hex::show;
use utfkit_testkit::piece::Piece;
use utfkit_testkit::{utf8, utf16, utf32};

use crate::dense::{differs, number};
use crate::tally::Line;

/// The expected outputs for a source, with U+FFFD for errors.
#[derive(Default)]
struct Outcome {
    utf8: Vec<u8>,
    utf16: Vec<u8>,
    utf32: Vec<u8>,
    units: Vec<u16>,
}

impl Outcome {
    fn of(&mut self, pieces: &[Piece]) {
        self.utf8.clear();
        self.units.clear();
        self.utf32.clear();
        for piece in pieces {
            let value = piece.value().unwrap_or(0xFFFD);
            utf8::encode(value, &mut self.utf8);
            utf16::encode(value, &mut self.units);
            self.utf32.extend(value.to_le_bytes());
        }
        self.utf16.clear();
        self.utf16.extend(self.units.iter().flat_map(|unit| unit.to_be_bytes()));
    }
}

fn replaced(from: Encoding, to: Encoding, src: &[u8], dst: &mut [u8], expected: &[u8]) -> Option<String> {
    let policy = Policy::Replace(Practice::MaximalSubpart);
    let step = Transcoder::new(from, to, policy).transcode(src, dst, true);
    differs(&dst[..step.written], expected)
}

/// Maximum number of units before the text: a block of UTF-16.
const FRONT: usize = 32;

/// Functions tested on UTF-16.
pub(crate) const UTF_16: [&str; 7] = [
    "utf16_to_utf8_lossy",
    "UTF-16LE to UTF-32LE, replace",
    "UTF-16BE to UTF-8, replace",
    "UTF-16LE to UTF-16BE, replace",
    "utf8_len_from_utf16",
    "validate_utf16",
    "utf16_to_utf8, utf16_to_utf32",
];

/// Functions tested on UTF-32.
pub(crate) const UTF_32: [&str; 4] =
    ["UTF-32LE to UTF-8, replace", "UTF-32LE to UTF-16BE, replace", "utf8_len_from_utf32", "validate_utf32"];

/// The buffers of one thread.
pub(crate) struct Units {
    outcome: Outcome,
    dst: Vec<u8>,
    dst32: Vec<u32>,
}

impl Units {
    pub(crate) fn new() -> Units {
        Units { outcome: Outcome::default(), dst: vec![0; 1 << 16], dst32: vec![0; 1 << 12] }
    }

    /// Tests the 256 pairs of `group` in one text, after each number of units
    /// in `fronts`, and each pair alone, after each number in `places`. `lines`
    /// are for [`UTF_16`].
    pub(crate) fn utf16(&mut self, group: usize, fronts: &[usize], places: &[usize], lines: &mut [Line]) {
        let first = (group >> 8) as u16;
        let seconds = (group as u16 & 0xFF) << 8..=(group as u16 & 0xFF) << 8 | 0xFF;
        // One text with the longest front; for shorter fronts it is sliced.
        let front = (0..FRONT as u16).map(|i| 0x41 + i % 26);
        let src: Vec<u16> = front.chain(seconds.clone().flat_map(|second| [first, second, 0x2E])).collect();
        self.outcome.of(&utf16::pieces(&src));
        let little: Vec<u8> = src.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = src.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        let Outcome { utf8, utf16, utf32, .. } = &self.outcome;
        for &front in fronts {
            let from = FRONT - front;
            let got = utfkit::utf16_to_utf8_lossy(&src[from..], &mut self.dst).unwrap_or(0);
            let wrong = [
                differs(&self.dst[..got], &utf8[from..]),
                replaced(Encoding::Utf16Le, Encoding::Utf32Le, &little[2 * from..], &mut self.dst, &utf32[4 * from..]),
                replaced(Encoding::Utf16Be, Encoding::Utf8, &big[2 * from..], &mut self.dst, &utf8[from..]),
                replaced(Encoding::Utf16Le, Encoding::Utf16Be, &little[2 * from..], &mut self.dst, &utf16[2 * from..]),
                number(utfkit::utf8_len_from_utf16(&src[from..]), utf8.len() - from),
            ];
            for (line, wrong) in lines.iter_mut().zip(wrong) {
                line.windows += 256;
                if let Some(wrong) = wrong {
                    line.mismatch(|| format!("{front} units before: {wrong}\n  source {}", show(&src[from..], 0)));
                }
            }
        }
        for &before in places {
            let mut src: Vec<u16> = vec![0x2E; before + 2 + 40];
            for second in seconds.clone() {
                (src[before], src[before + 1]) = (first, second);
                let pieces = utf16::pieces(&src[before..before + 3]);
                let error = pieces.iter().find(|piece| piece.error().is_some());
                let error = error.map(|piece| (before + piece.offset, piece.error_len()));
                let verdict = |error: Option<utfkit::Error>| error.map(|e| (e.offset(), e.error_len()));
                let got = verdict(utfkit::validate_utf16(&src).err());
                lines[5].windows += 1;
                if got != error {
                    lines[5].mismatch(|| format!("got {got:?}, expected {error:?}\n  source {}", show(&src, before)));
                }
                let got = (
                    verdict(utfkit::utf16_to_utf8(&src, &mut self.dst).err()),
                    verdict(utfkit::utf16_to_utf32(&src, &mut self.dst32).err()),
                );
                lines[6].windows += 1;
                if got != (error, error) {
                    lines[6].mismatch(|| format!("got {got:?}, expected {error:?}\n  source {}", show(&src, before)));
                }
            }
        }
    }

    /// Tests the 4096 units of `group` in one text, after each number of units
    /// in `fronts`, and each unit alone, after each number in `places`. `lines`
    /// are for [`UTF_32`].
    pub(crate) fn utf32(&mut self, group: usize, fronts: &[usize], places: &[usize], lines: &mut [Line]) {
        let values = (group as u32) << 12..=(group as u32) << 12 | 0xFFF;
        for &front in fronts {
            let src: Vec<u32> = (0..front as u32).map(|i| 0x41 + i % 26).chain(values.clone()).collect();
            self.outcome.of(&utf32::pieces(&src));
            let bytes: Vec<u8> = src.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let Outcome { utf8, utf16, .. } = &self.outcome;
            // The length function counts 4 above U+10FFFF, although the output
            // is U+FFFD.
            let len = |&unit: &u32| match unit {
                0..0x80 => 1,
                0x80..0x800 => 2,
                0x800..0x1_0000 => 3,
                _ => 4,
            };
            let wrong = [
                replaced(Encoding::Utf32Le, Encoding::Utf8, &bytes, &mut self.dst, utf8),
                replaced(Encoding::Utf32Le, Encoding::Utf16Be, &bytes, &mut self.dst, utf16),
                number(utfkit::utf8_len_from_utf32(&src), src.iter().map(len).sum()),
            ];
            for (line, wrong) in lines.iter_mut().zip(wrong) {
                line.windows += 0x1000;
                if let Some(wrong) = wrong {
                    line.mismatch(|| format!("{front} units before: {wrong}\n  source {}", show(&src, 0)));
                }
            }
        }
        for &before in places {
            let mut src: Vec<u32> = vec![0x2E; before + 1 + 20];
            for value in values.clone() {
                src[before] = value;
                let error = char::from_u32(value).is_none().then_some((before, Some(1)));
                let got = utfkit::validate_utf32(&src).err().map(|e| (e.offset(), e.error_len()));
                lines[3].windows += 1;
                if got != error {
                    lines[3].mismatch(|| format!("got {got:?}, expected {error:?}\n  source {}", show(&src, before)));
                }
            }
        }
    }
}
