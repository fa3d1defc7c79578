//! Finds lines that may have been decoded with the wrong encoding, at a small cost for clean text.
//!
//! A run of characters beyond US-ASCII is *odd* if clean text hardly ever has it: a capital or
//! a sign within a word, four Western letters in a row, two runs of capitals among words of
//! another script, rare ideographs, a control. Ordinary letters are odd together if no
//! language has them all, such as `è`, `ø` and `ì`.

use core::ops::Range;

use super::oddness::{Class, Oddness};
use super::runs::{HIGH, MAX_LINE, prefix};
use crate::model::{LatinSet, is_rare_wide};
use utfkit_core::internal::utf8::split_well_formed;

/// The number of runs at the start that are all examined. An odd run renews a sixteenth of it.
const ATTENTION: u32 = 256;
/// The number of runs that are skipped between two that are examined, later on.
const SKIPPED: u32 = 15;
/// The number of letters after which the languages start anew: a text can change its language.
const REMEMBERED: u8 = 24;
/// The number of characters of a run that are examined.
const LOOKED_AT: usize = 6;

/// Cyrillic and Greek letters that look Latin, and that people type within Latin words.
const LOOKALIKES: [char; 22] =
    ['а', 'е', 'о', 'р', 'с', 'у', 'х', 'і', 'ј', 'ѕ', 'А', 'В', 'Е', 'К', 'М', 'Н', 'О', 'Р', 'С', 'Т', 'Х', 'ο'];

/// Watches for odd runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    attention: u32,
    skipped: u32,
    /// The languages that have all of the last letters.
    languages: LatinSet,
    letters: u8,
    /// The runs in capitals before this one.
    capitals: u8,
}

impl Watch {
    pub(super) const fn new() -> Watch {
        Watch { attention: ATTENTION, skipped: 0, languages: LatinSet::MAX, letters: 0, capitals: 0 }
    }

    /// True if the run is examined and odd. Bytes before `from` are ignored.
    #[inline]
    pub(super) fn is_odd(&mut self, oddness: &Oddness, src: &[u8], from: usize, run: Range<usize>) -> bool {
        if self.attention == 0 {
            if self.skipped < SKIPPED {
                self.skipped += 1;
                return false;
            }
            self.skipped = 0;
        } else {
            self.attention -= 1;
        }
        let previous = match &src[from..run.start] {
            // Irish has a small letter before the capital: `nÓg`.
            [.., before, b'h' | b'n' | b't'] if !before.is_ascii_alphabetic() => b' ',
            [b'h' | b'n' | b't'] | [] => b' ',
            [.., previous] => *previous,
        };
        // A long run is cut, and its next byte may not be there yet.
        let next = src.get(run.end).copied().filter(|_| run.len() + 4 < MAX_LINE).unwrap_or(b' ');
        let is_odd = self.looks_odd(oddness, previous, &src[run], next);
        if is_odd {
            (self.languages, self.letters) = (LatinSet::MAX, 0);
            self.attention = self.attention.max(ATTENTION / 16);
        }
        is_odd
    }

    /// True if a line has an odd run. Every run is examined.
    pub(super) fn is_odd_line(oddness: &Oddness, line: &[u8]) -> bool {
        Watch { attention: u32::MAX, ..Watch::new() }.has_odd(oddness, line, 0)
    }

    /// True if an odd run starts at `at` or later. Later in a text, most lines are skipped.
    pub(super) fn has_odd(&mut self, oddness: &Oddness, line: &[u8], mut at: usize) -> bool {
        if self.attention == 0 {
            if self.skipped < SKIPPED {
                self.skipped += 1;
                return false;
            }
            self.skipped = 0;
            self.attention = LOOKED_AT as u32;
        }
        loop {
            let start = at + prefix(&line[at..], 0);
            if start == line.len() {
                return false;
            }
            at = start + prefix(&line[start..], HIGH);
            if self.is_odd(oddness, line, 0, start..at) {
                return true;
            }
        }
    }

    fn looks_odd(&mut self, oddness: &Oddness, previous: u8, run: &[u8], next: u8) -> bool {
        let mut rest = run;
        let mut before = match previous {
            b'a'..=b'z' => Class::Small,
            b'A'..=b'Z' => Class::Capital,
            _ => Class::Plain,
        };
        let (mut in_a_row, mut rare, mut capitals) = (0, 0, 0);
        let (mut is_letter, mut is_lookalike) = (false, true);
        for at in 0..LOOKED_AT {
            let Some((value, after)) = split_well_formed(rest) else { break };
            let Some(c) = char::from_u32(value) else { break };
            rest = after;
            let class = oddness.class(c);
            let is_last = rest.is_empty();
            match class {
                Class::Control => return true,
                // `€` and `№` occur next to digits, and mathematical signs alone.
                Class::Sign if matches!(before, Class::Small | Class::Letter | Class::Capital) => {
                    let is_currency = c == '€' && at > 0;
                    if !is_last || next.is_ascii_lowercase() || before == Class::Letter || is_currency {
                        return true;
                    }
                }
                Class::Small if before == Class::Sign && at > 0 => return true,
                Class::Capital if before == Class::Small => return true,
                _ => {}
            }
            if let Some(languages) = oddness.languages(value) {
                self.languages &= languages;
                self.letters += 1;
                in_a_row += u32::from(value < 0x180);
                if in_a_row == 4 || self.languages & !oddness.icelandic == 0 {
                    return true;
                }
                if self.letters >= REMEMBERED {
                    (self.languages, self.letters) = (LatinSet::MAX, 0);
                }
            } else {
                in_a_row = 0;
                match value {
                    0x370..0x530 => capitals += u32::from(class == Class::Capital),
                    0x4E00..0xD7A4 => rare += u32::from(is_rare_wide(c)),
                    0xE000..0xF900 | 0xFF61..0xFFA0 => rare += 1,
                    _ => {}
                }
                if rare == 2 {
                    return true;
                }
            }
            is_letter |= matches!(class, Class::Small | Class::Letter | Class::Capital);
            is_lookalike &= LOOKALIKES.contains(&c);
            before = class;
        }
        let is_in_word = previous.is_ascii_alphabetic() && next.is_ascii_alphabetic();
        if matches!(run[0], 0xCE..=0xDB) && is_in_word && is_letter && !is_lookalike {
            return true;
        }
        if run[0] >= 0xCE && run[0] < 0xD5 && run.len() >= 4 {
            let is_capital = capitals as usize >= LOOKED_AT.min(run.len() / 2);
            self.capitals = if is_capital { self.capitals + 1 } else { 0 };
            if self.capitals == 2 {
                self.capitals = 0;
                return true;
            }
        }
        false
    }
}
