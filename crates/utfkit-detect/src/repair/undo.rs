//! Undoes one reading of UTF-8 in another encoding.
//!
//! A *run* is a stretch of characters beyond US-ASCII. A *sequence* is two to four
//! characters of it whose bytes in the encoding are one character of UTF-8, or six
//! that are a surrogate pair. A run *fits* an encoding if it consists of sequences
//! and of signs around them.

use alloc::vec::Vec;

use super::item::{Blank, Item};
use super::misreading::{DEFAULTS, ENCODINGS, EncodingSet, Index, Misreadings, Roles};
use crate::model::is_foreign_letter;
use utfkit_core::internal::utf8::{
    awaits_low_surrogate, cesu8_pair, is_continuation, split_well_formed, well_formed_len,
};

/// How well the runs of a text fit an encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fit {
    /// Runs that fit, and their sequences.
    pub(super) runs: usize,
    pub(super) sequences: usize,
    /// Runs that do not fit, in cells with one that fits.
    pub(super) others: usize,
    /// Runs in cells without one that fits.
    pub(super) elsewhere: usize,
    /// Runs that would fit if a space was U+00A0.
    lost: usize,
    /// Sequences that lack a character, and have no space in its place.
    pub(super) broken: usize,
    /// True if a sequence without such a space is a letter of three or four bytes.
    has_wide: bool,
    /// Characters at the end of the text that begin a sequence.
    pub(super) open: usize,
}

impl Fit {
    /// Ends a cell: what does not fit says nothing of other cells.
    fn end_cell(&mut self, before: &Fit) {
        if self.runs == before.runs {
            self.elsewhere += self.others - before.others;
            self.others = before.others;
        }
    }
}

/// True if the first character is between two cells of a table, or between two values. `byte` returns the characters
/// of US-ASCII, and others beyond it.
pub(super) fn ends_cell(byte: impl Fn(usize) -> u8) -> bool {
    match byte(0) {
        b'\t' | b'|' => true,
        b',' | b';' => byte(1) != b' ' || matches!(byte(2), b'"' | b'\''),
        _ => false,
    }
}

fn ends_cell_at(text: &[Item], at: usize) -> bool {
    ends_cell(|after| text.get(at + after).map_or(b' ', |item| u8::try_from(item.c).unwrap_or(u8::MAX)))
}

/// The front of a run.
pub(super) enum Front {
    Sequence {
        c: char,
        len: usize,
        /// True with a space for U+00A0.
        lost: bool,
        blank: Blank,
    },
    /// The text ends within a sequence.
    Open,
    Other,
}

impl Misreadings {
    /// Undoes one encoding in the runs that fit, into `to`. A text that is `cut` may end
    /// within a sequence.
    pub(super) fn undo(&self, index: Index, from: &[Item], cut: bool, to: &mut Vec<Item>) -> Fit {
        let fit = self.undo_runs(index, from, cut, None, to);
        // With other sequences around it, `Ã la` is an `à` that lost a U+00A0.
        if fit.sequences == 0 || fit.lost == 0 { fit } else { self.undo_runs(index, from, cut, Some(fit), to) }
    }

    /// `first` is the fit without sequences that lost a U+00A0.
    fn undo_runs(&self, index: Index, from: &[Item], cut: bool, first: Option<Fit>, to: &mut Vec<Item>) -> Fit {
        let mut fit = Fit::default();
        let mut before = fit;
        let mut at = 0;
        to.clear();
        to.reserve(from.len());
        loop {
            let ascii = from[at..].iter().position(|item| !item.c.is_ascii()).unwrap_or(from.len() - at);
            to.extend_from_slice(&from[at..at + ascii]);
            let is_end = at + ascii == from.len();
            if is_end || (at..at + ascii).any(|at| ends_cell_at(from, at)) {
                fit.end_cell(&before);
                before = fit;
            }
            at += ascii;
            if is_end {
                return fit;
            }
            let (start, mark) = (at, to.len());
            let (mut sequences, mut lost, mut is_bad, mut has_wide) = (0, 0, false, false);
            while let Some(&item) = from.get(at)
                && !item.c.is_ascii()
            {
                let front = match self.front(index, &from[at..]) {
                    // The text after the space tells more.
                    Front::Sequence { blank: Blank::Inside, len, .. } if cut && at + len == from.len() => Front::Open,
                    front => front,
                };
                match front {
                    Front::Sequence { c, len, lost: was_lost, blank }
                        if is_possible(c, to.last()) && !(c == '\u{A0}' && is_preposition(item.c, to.last())) =>
                    {
                        to.push(Item { c, end: from[at + len - 1].end, is_undone: true, blank });
                        lost += usize::from(was_lost);
                        sequences += usize::from(!was_lost);
                        has_wide |= is_wide(c);
                        at += len;
                    }
                    Front::Open if cut => {
                        fit.open = from.len() - at;
                        at = from.len();
                    }
                    _ => {
                        let is_broken = self.is_broken(index, &from[at..]);
                        fit.broken += usize::from(is_broken || self.is_front(index, &from[at..]));
                        is_bad |= self.is_letter(item.c) || is_broken;
                        to.push(item);
                        at += 1;
                    }
                }
            }
            let only_lost = sequences == 0 && lost > 0;
            fit.lost += usize::from(only_lost && !is_bad);
            // `znáš ` is a word, unless the text has other letters such as `ᚠ`.
            if is_bad || (only_lost && first.is_none_or(|first| has_wide && !first.has_wide)) {
                to.truncate(mark);
                at = start;
                while let Some(&item) = from.get(at)
                    && !item.c.is_ascii()
                {
                    to.push(item);
                    at += 1;
                }
                fit.open = 0;
                fit.others += 1;
            } else if sequences + lost == 0 {
                fit.others += usize::from(fit.open == 0);
            } else {
                fit.runs += 1;
                fit.sequences += sequences;
                fit.has_wide |= has_wide;
            }
        }
    }

    /// True for a lead byte with a trail byte or U+FFFD after it: a sequence that lost a
    /// part.
    fn is_broken(&self, index: Index, from: &[Item]) -> bool {
        let byte = |at: usize| from.get(at).and_then(|item: &Item| self.byte(index, item.c));
        byte(0).is_some_and(|lead| well_formed_len(lead) > 1)
            && (byte(1).is_some_and(is_continuation) || from.get(1).is_some_and(|item| item.c == '\u{FFFD}'))
    }

    /// True for a lead byte of two before a letter or a digit: a sequence that lost its other character.
    fn is_front(&self, index: Index, from: &[Item]) -> bool {
        self.byte(index, from[0].c).is_some_and(|lead| well_formed_len(lead) == 2)
            && from.get(1).is_some_and(|next| next.c.is_ascii_alphanumeric())
    }

    pub(super) fn front(&self, index: Index, from: &[Item]) -> Front {
        let Some(lead) = self.byte(index, from[0].c) else { return Front::Other };
        let len = well_formed_len(lead);
        if len < 2 {
            return Front::Other;
        }
        let mut lost = false;
        let mut trail = |at: usize| -> Result<u8, Front> {
            let Some(item) = from.get(at) else { return Err(Front::Open) };
            match self.byte(index, item.c) {
                Some(byte) if is_continuation(byte) => Ok(byte),
                None if item.c == ' ' && self.loses_spaces(index) => {
                    lost = true;
                    Ok(0xA0)
                }
                _ => Err(Front::Other),
            }
        };
        let mut bytes = [lead, 0, 0, 0, 0, 0];
        for (at, byte) in bytes.iter_mut().enumerate().take(len).skip(1) {
            match trail(at) {
                Ok(trail) => *byte = trail,
                Err(front) => return front,
            }
        }
        let (value, len) = if awaits_low_surrogate(&bytes[..len]) {
            let Some(item) = from.get(3) else { return Front::Open };
            if self.byte(index, item.c) != Some(0xED) {
                return Front::Other;
            }
            match (trail(4), trail(5)) {
                (Ok(fifth), Ok(sixth)) => bytes[3..].copy_from_slice(&[0xED, fifth, sixth]),
                (Err(Front::Open), _) | (_, Err(Front::Open)) => return Front::Open,
                _ => return Front::Other,
            }
            (cesu8_pair(&bytes), 6)
        } else {
            (split_well_formed(&bytes).map(|(value, _)| value), len)
        };
        // An overlong form is longer than the character.
        match value.and_then(char::from_u32).filter(|c| len == 6 || c.len_utf8() == len) {
            // `È` before a space is no `Ƞ`, and `Í` no mark.
            Some(c)
                if len == 2
                    && matches!(from[1].c, ' ' | '\u{A0}')
                    && (is_foreign_letter(c) || matches!(c, '\u{300}'..='\u{36F}')) =>
            {
                Front::Other
            }
            Some(c) => {
                let (blank, len) = match from[len - 1].c {
                    ' ' => match from.get(len).map(|next| next.c) {
                        Some(' ') => (Blank::Two, len),
                        Some(next) if len == 2 && next.is_ascii_alphanumeric() => (Blank::After, 1),
                        _ => (Blank::Inside, len),
                    },
                    _ => (from[len - 1].blank, len),
                };
                Front::Sequence { c, len, lost, blank }
            }
            None => Front::Other,
        }
    }

    /// The encodings in which two adjacent characters begin a sequence.
    pub(super) fn possible(&self, text: &[Item]) -> EncodingSet {
        let (mut possible, mut leads) = (0, 0);
        for item in text {
            let roles = if item.c.is_ascii() { Roles::default() } else { self.roles(item.c) };
            possible |= leads & roles.trail;
            leads = roles.all_leads();
        }
        possible
    }

    /// True if two adjacent characters of a run begin a sequence in some encoding.
    pub(super) fn begins_sequence(&self, run: impl Iterator<Item = char>) -> bool {
        let mut leads = 0;
        for c in run {
            let roles = self.roles(c);
            if leads & roles.trail != 0 {
                return true;
            }
            leads = roles.all_leads();
        }
        false
    }

    /// The encodings of `set` that enough runs of a text may fit.
    pub(super) fn fitting(&self, text: &[Item], set: EncodingSet) -> EncodingSet {
        if set == 0 {
            return 0;
        }
        let (mut runs, mut fitting, mut at) = (RunCounts::none(), 0, 0);
        while at < text.len() {
            let len = text[at..].iter().take_while(|item| !item.c.is_ascii()).count();
            if len > 0 {
                runs.add(self.could_fit(text[at..at + len].iter().map(|item| item.c)));
            } else if ends_cell_at(text, at) {
                fitting |= runs.end_cell(set);
            }
            at += len.max(1);
        }
        fitting | runs.end_cell(set)
    }

    /// The encodings that a run may fit, all tried at once: each is a bit of `ready`
    /// (between sequences), of `wants[n]` (in a sequence that lacks `n + 1`
    /// characters), or out.
    pub(super) fn could_fit(&self, run: impl Iterator<Item = char>) -> EncodingSet {
        let (mut ready, mut wants) = (EncodingSet::MAX, [0; 3]);
        let mut has_sequence = 0;
        for c in run {
            let Roles { leads, trail, sign } = self.roles(c);
            let all_leads = leads[0] | leads[1] | leads[2];
            let complete = wants[0] & trail;
            has_sequence |= complete;
            let next =
                [(ready & leads[0]) | (wants[1] & trail), (ready & leads[1]) | (wants[2] & trail), ready & leads[2]];
            ready = complete | (ready & sign & !all_leads);
            wants = next;
            if ready | wants[0] | wants[1] | wants[2] == 0 {
                return 0;
            }
        }
        (ready & has_sequence) | wants[0] | wants[1] | wants[2]
    }
}

/// True for a letter that has three or four bytes in UTF-8: no punctuation and no symbol.
fn is_wide(c: char) -> bool {
    c >= '\u{800}' && !matches!(c, '\u{2000}'..='\u{2BFF}')
}

/// True for the word `В` of the languages in Cyrillic script, which people keep on the line of the next
/// one by a U+00A0: as bytes in windows-1251 these two are another U+00A0.
fn is_preposition(c: char, previous: Option<&Item>) -> bool {
    c == 'В' && previous.is_none_or(|item| !item.c.is_alphanumeric())
}

/// True if `c` can follow `previous` in text: combining marks need a letter, and some
/// code points are not characters.
fn is_possible(c: char, previous: Option<&Item>) -> bool {
    match u32::from(c) {
        0x300..=0x36F => previous.is_some_and(|item| item.c.is_alphabetic() || matches!(item.c, '\u{300}'..='\u{36F}')),
        0xFDD0..=0xFDEF | 0x4_0000..=0xD_FFFF => false,
        value => value & 0xFFFE != 0xFFFE,
    }
}

/// True if enough runs fit for the text to have been read in the encoding. A text is read as
/// a whole, except where a page or a mail mixes texts: then in a default encoding.
pub(super) fn is_enough(index: Index, fitting: usize, others: usize) -> bool {
    fitting > 0 && (usize::from(index) < DEFAULTS || fitting >= 2 * others)
}

/// How many runs may fit each encoding.
pub(super) struct RunCounts {
    total: usize,
    /// The encodings that some run may fit.
    known: EncodingSet,
    /// Bit-sliced: entry `n` holds bit `n` of the count of every encoding.
    bits: [EncodingSet; usize::BITS as usize],
}

impl RunCounts {
    pub(super) fn none() -> RunCounts {
        RunCounts { total: 0, known: 0, bits: [0; usize::BITS as usize] }
    }

    /// Adds a run that may fit the encodings of `set`.
    pub(super) fn add(&mut self, set: EncodingSet) {
        self.total += 1;
        self.known |= set;
        let mut carry = set;
        for bit in &mut self.bits {
            if carry == 0 {
                break;
            }
            (*bit, carry) = (*bit ^ carry, *bit & carry);
        }
    }

    /// Begins to count anew. Returns the encodings of `set` that enough of the runs before may fit.
    pub(super) fn end_cell(&mut self, set: EncodingSet) -> EncodingSet {
        if self.total == 0 {
            return 0;
        }
        let runs = core::mem::replace(self, RunCounts::none());
        indices(set & runs.known).filter(|&index| runs.is_enough(index)).fold(0, |set, index| set | 1 << index)
    }

    pub(super) fn is_enough(&self, index: Index) -> bool {
        let fitting = self.bits.iter().rev().fold(0, |count, bit| count << 1 | (bit >> index & 1) as usize);
        is_enough(index, fitting, self.total - fitting)
    }
}

/// The encodings of a set, in order.
pub(super) fn indices(set: EncodingSet) -> impl Iterator<Item = Index> {
    let mut left = set & ((1 << ENCODINGS.len()) - 1);
    core::iter::from_fn(move || {
        let index = left.trailing_zeros() as Index;
        (left != 0).then(|| {
            left &= left - 1;
            index
        })
    })
}
