//! UTF-8 that was read in another encoding and encoded again, and the way back.
//!
//! A *sequence* is two to four characters whose bytes in that encoding are one
//! character of UTF-8. A *run* is a stretch of characters that are not US-ASCII.
//! It *fits* an encoding if it is sequences from end to end, except for signs that
//! stand beside them. A *chain* is the encodings to undo, the last one first.

use alloc::vec::Vec;

use super::misreading::{BY_DEFAULT, ENCODINGS, Misreadings, Roles, Set, Which, encoding};
use crate::likelihood::{BIT, Likelihood};

/// How often text may have been encoded once too often.
pub(super) const LAYERS: usize = 8;

/// What undoing must gain in a text, in bits.
pub(super) const ENOUGH: i64 = 8;

/// How many ways are followed at once.
const WAYS: usize = 3;

/// A character, the end of what it was made from, and whether it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) c: char,
    pub(super) end: u32,
    pub(super) made: bool,
}

/// The characters of a text as they stand there.
pub(super) fn items(text: &str) -> Vec<Item> {
    text.char_indices().map(|(at, c)| Item { c, end: (at + c.len_utf8()) as u32, made: false }).collect()
}

/// What the runs of a text are in an encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fit {
    /// Runs that fit, and their sequences.
    pub(super) runs: usize,
    pub(super) sequences: usize,
    /// Runs that do not.
    pub(super) others: usize,
    /// Runs of nothing but sequences in which a space was lost.
    lost: usize,
    /// How many characters at the end are the front of a sequence that is cut.
    open: usize,
}

/// What stands at the front of a run.
enum Front {
    Sequence {
        c: char,
        len: usize,
        lost: bool,
    },
    /// One that ends with the text.
    Open,
    Other,
}

impl Misreadings {
    /// Undoes one encoding wherever a run fits. A text that is `cut` may end
    /// within a sequence.
    pub(super) fn undo(&self, which: Which, from: &[Item], cut: bool, to: &mut Vec<Item>) -> Fit {
        let fit = self.undo_runs(which, from, cut, false, to);
        // Where there is something else, `Ã la` is an `à` that lost a space.
        if fit.sequences == 0 || fit.lost == 0 { fit } else { self.undo_runs(which, from, cut, true, to) }
    }

    fn undo_runs(&self, which: Which, from: &[Item], cut: bool, with_lost: bool, to: &mut Vec<Item>) -> Fit {
        let mut fit = Fit::default();
        let mut at = 0;
        to.clear();
        to.reserve(from.len());
        loop {
            let plain = from[at..].iter().position(|item| !item.c.is_ascii()).unwrap_or(from.len() - at);
            to.extend_from_slice(&from[at..at + plain]);
            at += plain;
            if at == from.len() {
                return fit;
            }
            let (start, mark) = (at, to.len());
            let (mut sequences, mut lost, mut is_bad) = (0, 0, false);
            while let Some(&item) = from.get(at)
                && !item.c.is_ascii()
            {
                match self.front(which, &from[at..]) {
                    Front::Sequence { c, len, lost: was_lost } if is_possible(c, to.last()) => {
                        to.push(Item { c, end: from[at + len - 1].end, made: true });
                        lost += usize::from(was_lost);
                        sequences += usize::from(!was_lost);
                        at += len;
                    }
                    Front::Open if cut => {
                        fit.open = from.len() - at;
                        at = from.len();
                    }
                    _ => {
                        is_bad |= self.is_letter(item.c) || self.is_broken(which, &from[at..]);
                        to.push(item);
                        at += 1;
                    }
                }
            }
            let lost_alone = sequences == 0 && lost > 0;
            fit.lost += usize::from(lost_alone && !is_bad);
            if is_bad || (lost_alone && !with_lost) {
                to.truncate(mark);
                // Of a run that does not fit nothing is open.
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
            }
        }
    }

    /// Whether a sequence has lost a part here: a lead, some of what follows one, but not all.
    fn is_broken(&self, which: Which, from: &[Item]) -> bool {
        let byte = |at: usize| from.get(at).and_then(|item: &Item| self.byte(which, item.c));
        matches!(byte(0), Some(0xC2..=0xF4))
            && (matches!(byte(1), Some(0x80..=0xBF)) || from.get(1).is_some_and(|item| item.c == '\u{FFFD}'))
    }

    /// The sequence at the front of a run.
    fn front(&self, which: Which, from: &[Item]) -> Front {
        let Some(lead) = self.byte(which, from[0].c) else { return Front::Other };
        let len = match lead {
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => return Front::Other,
        };
        let mut value = u32::from(lead) & (0x7F >> len);
        let mut lost = false;
        let mut next = |at: usize| -> Result<u32, Front> {
            let Some(item) = from.get(at) else { return Err(Front::Open) };
            match self.byte(which, item.c) {
                Some(byte @ 0x80..=0xBF) => Ok(u32::from(byte & 0x3F)),
                None if item.c == ' ' && self.loses_spaces(which) => {
                    lost = true;
                    Ok(0x20)
                }
                _ => Err(Front::Other),
            }
        };
        let mut taken = len;
        for at in 1..len {
            match next(at) {
                Ok(bits) => value = value << 6 | bits,
                Err(front) => return front,
            }
        }
        // Two surrogates, as in CESU-8.
        if let (0xD800..0xDC00, 3) = (value, len) {
            if from.get(3).is_none() {
                return Front::Open;
            }
            if self.byte(which, from[3].c) != Some(0xED) {
                return Front::Other;
            }
            let low = match (next(4), next(5)) {
                (Ok(high), Ok(low)) => 0xD000 | high << 6 | low,
                (Err(Front::Open), _) | (_, Err(Front::Open)) => return Front::Open,
                _ => return Front::Other,
            };
            if !(0xDC00..0xE000).contains(&low) {
                return Front::Other;
            }
            value = 0x1_0000 + ((value - 0xD800) << 10) + (low - 0xDC00);
            taken = 6;
        }
        let shortest = [0, 0, 0x80, 0x800, 0x1_0000][len];
        match char::from_u32(value).filter(|_| value >= shortest) {
            Some(c) if lost && len == 2 && !self.stands_before_space(from) => Front::Sequence { c, len: 1, lost },
            Some(c) => Front::Sequence { c, len: taken, lost },
            None => Front::Other,
        }
    }

    /// Of `Ã la` the space is one between words; of two the first is what A0 became.
    fn stands_before_space(&self, from: &[Item]) -> bool {
        !from.get(2).is_some_and(|item| item.c.is_alphanumeric() && item.c.is_ascii())
    }

    /// The encodings in which two characters of a text begin a sequence.
    fn possible(&self, text: &[Item]) -> Set {
        let (mut possible, mut leads) = (0, 0);
        for item in text {
            let roles = if item.c.is_ascii() { Roles::default() } else { self.roles(item.c) };
            possible |= leads & roles.trail;
            leads = roles.leads.into_iter().fold(0, |all, set| all | set);
        }
        possible
    }

    /// Whether there is an encoding in which two characters of a run begin a sequence.
    pub(super) fn begins_sequence(&self, run: impl Iterator<Item = char>) -> bool {
        let mut leads = 0;
        for c in run {
            let roles = self.roles(c);
            if leads & roles.trail != 0 {
                return true;
            }
            leads = roles.leads.into_iter().fold(0, |all, set| all | set);
        }
        false
    }

    /// Those of some encodings that enough runs of a text may fit.
    fn of_runs(&self, text: &[Item], of: Set) -> Set {
        if of == 0 {
            return 0;
        }
        let mut runs = Runs::none();
        for run in text.split(|item| item.c.is_ascii()).filter(|run| !run.is_empty()) {
            runs.add(self.could_fit(run.iter().map(|item| item.c)));
        }
        bits(of).filter(|&which| runs.is_most(which)).fold(0, |set, which| set | 1 << which)
    }

    /// The encodings that a run may fit. All are looked at together: each is
    /// ready for a sequence, wants one to three characters more, or is out.
    pub(super) fn could_fit(&self, run: impl Iterator<Item = char>) -> Set {
        let (mut ready, mut wants) = (Set::MAX, [0; 3]);
        let mut has_sequence = 0;
        for c in run {
            let Roles { leads, trail, beside } = self.roles(c);
            let taken = leads[0] | leads[1] | leads[2];
            let complete = wants[0] & trail;
            has_sequence |= complete;
            let next =
                [(ready & leads[0]) | (wants[1] & trail), (ready & leads[1]) | (wants[2] & trail), ready & leads[2]];
            ready = complete | (ready & beside & !taken);
            wants = next;
            if ready | wants[0] | wants[1] | wants[2] == 0 {
                return 0;
            }
        }
        (ready & has_sequence) | wants[0] | wants[1] | wants[2]
    }
}

/// Whether text can have `c` after the character before it: marks stand at a letter, and
/// there are places that no character will ever have.
fn is_possible(c: char, before: Option<&Item>) -> bool {
    match u32::from(c) {
        0x300..=0x36F => {
            before.is_some_and(|before| before.c.is_alphabetic() || matches!(before.c, '\u{300}'..='\u{36F}'))
        }
        0xFDD0..=0xFDEF | 0x4_0000..=0xD_FFFF => false,
        value => value & 0xFFFE != 0xFFFE,
    }
}

/// Whether what fits may be what happened to a text. Some of it can be of another
/// kind where a web page or a mail was read in the encoding that both are
/// in by default; in others a text is read as a whole.
pub(super) fn is_most(which: Which, fits: usize, others: usize) -> bool {
    fits > 0 && (usize::from(which) < BY_DEFAULT || fits >= 2 * others)
}

/// How many runs may fit each of the encodings.
pub(super) struct Runs {
    all: usize,
    /// The counts of all encodings, bit by bit.
    counts: [Set; usize::BITS as usize],
}

impl Runs {
    pub(super) fn none() -> Runs {
        Runs { all: 0, counts: [0; usize::BITS as usize] }
    }

    /// Counts a run that may fit these.
    pub(super) fn add(&mut self, fits: Set) {
        self.all += 1;
        let mut carry = fits;
        for bit in &mut self.counts {
            if carry == 0 {
                break;
            }
            (*bit, carry) = (*bit ^ carry, *bit & carry);
        }
    }

    /// Whether one is what may have happened to the text.
    pub(super) fn is_most(&self, which: Which) -> bool {
        let fits = self.counts.iter().rev().fold(0, |fits, bit| fits << 1 | (bit >> which & 1) as usize);
        is_most(which, fits, self.all - fits)
    }
}

pub(super) fn bits(set: Set) -> impl Iterator<Item = Which> {
    let mut left = set & ((1 << ENCODINGS.len()) - 1);
    core::iter::from_fn(move || {
        let which = left.trailing_zeros() as Which;
        (left != 0).then(|| {
            left &= left - 1;
            which
        })
    })
}

/// Encodings to undo, one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Chain {
    which: [Which; LAYERS],
    len: u8,
}

impl Chain {
    pub(super) fn encodings(&self) -> &[Which] {
        &self.which[..usize::from(self.len)]
    }

    fn and(mut self, which: Which) -> Option<Chain> {
        *self.which.get_mut(usize::from(self.len))? = which;
        self.len += 1;
        Some(self)
    }
}

/// What a text becomes if a chain is undone.
#[derive(Clone, Debug)]
pub(super) struct Undone {
    pub(super) chain: Chain,
    pub(super) items: Vec<Item>,
    /// Of the first layer.
    pub(super) fit: Fit,
    /// The end of what is decided, if the text was cut.
    pub(super) end: usize,
}

/// The words of a text that are not all US-ASCII, with what stands between words:
/// what is judged. In a text of another language, such as commands and names,
/// they are nothing out of the ordinary.
pub(super) fn words(text: &[Item]) -> Vec<Item> {
    let mut words = Vec::with_capacity(text.len());
    for word in text.split_inclusive(|item| item.c.is_ascii_whitespace()) {
        if word.iter().any(|item| !item.c.is_ascii()) {
            words.extend_from_slice(word);
        }
    }
    words
}

/// What a text costs, in bits.
pub(super) fn cost(items: &[Item]) -> i64 {
    cost_up_to(items, i64::MAX).unwrap_or(i64::MAX)
}

/// The same; `None` if it is more than `most`.
fn cost_up_to(items: &[Item], most: i64) -> Option<i64> {
    let text: Vec<char> = items.iter().map(|item| item.c).collect();
    let most = u64::try_from(most).ok()?.saturating_add(1).saturating_mul(u64::from(BIT));
    let cost = Likelihood::cost_of(&text, most)? / u64::from(BIT);
    Some(i64::try_from(cost).unwrap_or(i64::MAX))
}

/// What speaks for a text as it stands if its runs are letters with a sign after
/// them, or a product: `AMANHÃ…`, `Ã’s`, `T•Ø•R`, `5×£35`.
pub(super) fn endings(text: &[Item]) -> i64 {
    const AFTER: [char; 10] = ['’', '…', '”', '“', '»', '›', '–', '—', '•', '\u{A0}'];
    let is_ending = |run: &[Item]| {
        let run = &run[run.iter().position(|item| item.c.is_alphabetic() || item.c == '×').unwrap_or(0)..];
        matches!(run, [letter, sign] if letter.c.is_alphabetic() && AFTER.contains(&sign.c))
            // A product: a letter of Hebrew does not come alone.
            || matches!(run, [times, _] if times.c == '×')
    };
    // One character alone fits nothing, and small letters hardly anything.
    let is_word = |run: &[Item]| run.len() < 2 || run.iter().all(|item| item.c.is_lowercase());
    let runs = text.split(|item| item.c.is_ascii()).filter(|run| !is_word(run));
    if runs.clone().next().is_none() || !runs.clone().all(is_ending) {
        return 0;
    }
    // A word of capitals that goes on to its end.
    let is_capital =
        |text: &[Item]| matches!(text, [a, b, c] if a.c.is_ascii_uppercase() && b.c.is_uppercase() && c.c == '\u{A0}');
    // `Ã•` is what becomes of a common letter.
    let is_list = runs.clone().flatten().any(|item| item.c == '•') && !text.iter().any(|item| item.c == 'Ã');
    match runs.count() {
        _ if is_list => 100,
        1 if !text.windows(3).any(is_capital) => 10,
        _ => 20,
    }
}

/// What speaks against a result that is a single sequence: a sign or a letter that
/// stands alone is often one of signs that were meant, as in `√π` or `¬´`.
pub(super) fn doubts(undone: &Undone) -> i64 {
    let items = &undone.items;
    // A long s where frames were is a drawing.
    if items.iter().any(|item| item.made && item.c == 'ſ') {
        return 60;
    }
    let mut made = (0..items.len()).filter(|at| items[*at].made);
    let (Some(at), None) = (made.next(), made.next()) else { return 0 };
    let c = items[at].c;
    let is_letter =
        |at: Option<usize>| at.and_then(|at| items.get(at)).is_some_and(|item| item.c.is_ascii_alphabetic());
    let touches = is_letter(at.checked_sub(1)) || is_letter(Some(at + 1));
    let is_default = undone.chain.encodings().first().is_some_and(|which| usize::from(*which) < BY_DEFAULT);
    match c {
        '\0'..='\u{9F}' => 100,
        '\u{250}'.. if touches && c.is_alphabetic() => 24,
        _ if is_default => 0,
        _ if !c.is_alphabetic() => 24,
        _ if !touches => 8,
        _ => 0,
    }
}

/// What frames speak for a chain, beyond what they cost: nobody draws them at
/// letters.
fn frames(text: &[Item]) -> i64 {
    let is_frame = |item: &Item| matches!(item.c, '\u{2500}'..='\u{259F}');
    let meet = |pair: &[Item]| {
        (is_frame(&pair[0]) && pair[1].c.is_ascii_alphabetic())
            || (pair[0].c.is_ascii_alphabetic() && is_frame(&pair[1]))
    };
    if text.windows(2).any(meet) { 6 } else { 0 }
}

/// Undoes a chain as far as it goes.
pub(super) fn follow(table: &Misreadings, chain: &Chain, text: &[Item], cut: bool) -> Option<Undone> {
    let mut undone = Undone {
        chain: Chain::default(),
        items: Vec::new(),
        fit: Fit::default(),
        end: text.last().map_or(0, |item| item.end as usize),
    };
    let mut made = Vec::with_capacity(text.len());
    for &which in chain.encodings() {
        let is_first = undone.chain.encodings().is_empty();
        let fit = table.undo(which, if is_first { text } else { &undone.items }, cut, &mut made);
        if fit.sequences == 0 {
            break;
        }
        if is_first {
            undone.fit = fit;
        }
        undone.chain = undone.chain.and(which)?;
        core::mem::swap(&mut undone.items, &mut made);
        if fit.open > 0 {
            undone.end = undone.items.last().map_or(0, |item| item.end as usize);
        }
    }
    (undone.fit.sequences > 0).then_some(undone)
}

/// The likeliest chain for a text, and by how many bits what it gives is
/// likelier than what stands there.
pub(super) fn search(table: &Misreadings, text: &[Item], cut: bool) -> Option<(Undone, i64)> {
    let whole = text.last().map_or(0, |item| item.end as usize);
    let start = Undone { chain: Chain::default(), items: text.to_vec(), fit: Fit::default(), end: whole };
    let mut ways: Vec<(i64, Undone)> = alloc::vec![(0, start)];
    let mut best: Option<(i64, Undone)> = None;
    for layer in 0..LAYERS {
        let mut next: Vec<(i64, Undone)> = Vec::new();
        for (_, way) in &ways {
            let mut fits: Vec<(Which, Fit, usize)> = Vec::new();
            // What each is undone to. Many encodings have the characters of a text at the
            // same bytes.
            let mut undone: Vec<(Which, Fit, Vec<Item>)> = Vec::new();
            let possible = table.of_runs(&way.items, table.possible(&way.items));
            let there = if possible == 0 { Vec::new() } else { table.numbers(&way.items) };
            for which in bits(possible) {
                let like = undone.iter().position(|(other, ..)| table.are_alike(*other, which, &there));
                let like = like.unwrap_or_else(|| {
                    let mut made = Vec::with_capacity(way.items.len());
                    let fit = table.undo(which, &way.items, cut, &mut made);
                    undone.push((which, fit, made));
                    undone.len() - 1
                });
                let fit = undone[like].1;
                if fit.sequences > 0 && is_most(which, fit.runs, fit.others) {
                    fits.push((which, fit, like));
                }
            }
            // What is left of the text speaks against an encoding.
            let most = fits.iter().map(|(_, fit, _)| fit.runs).max().unwrap_or(0);
            fits.retain(|(_, fit, _)| 2 * fit.runs >= most);
            // A file suffers the same again, seldom something else.
            let previous = way.chain.encodings().last().copied();
            if fits.iter().any(|(which, fit, _)| Some(*which) == previous && fit.runs == most) {
                fits.retain(|(which, ..)| Some(*which) == previous);
            }
            for (which, fit, like) in fits {
                // The first one of those that are alike takes it.
                let made = core::mem::take(&mut undone[like].2);
                if made.is_empty() {
                    continue;
                }
                let same = |(_, other): &(i64, Undone)| {
                    other.items.len() == made.len() && other.items.iter().zip(&made).all(|(a, b)| a.c == b.c)
                };
                if next.iter().any(same) {
                    continue;
                }
                let price = match previous {
                    Some(previous) if previous == which => 0,
                    Some(_) => i64::from(encoding(which).1) + 6,
                    None => encoding(which).1.into(),
                };
                let Some(chain) = way.chain.and(which) else { continue };
                let end = match fit.open {
                    0 => way.end,
                    _ => made.last().map_or(0, |item| item.end as usize),
                };
                // What is costlier than so many others is followed no further.
                let most = next.get(WAYS - 1).map_or(i64::MAX, |(cost, _)| cost - price);
                let fit = if layer == 0 { fit } else { way.fit };
                let undone = Undone { chain, items: made, fit, end };
                match cost_up_to(&undone.items, most) {
                    Some(cost) => {
                        let at = next.partition_point(|(other, _)| *other <= cost + price);
                        next.insert(at, (cost + price, undone));
                    }
                    None => next.push((i64::MAX, undone)),
                }
            }
        }
        next.truncate(WAYS);
        let Some(first) = next.first() else { break };
        // A layer more has to be worth it, as the first one has.
        if best.as_ref().is_none_or(|(cost, _)| first.0 + ENOUGH <= *cost) {
            best = Some(first.clone());
        }
        ways = next;
    }
    let (after, undone) = best?;
    let gain = cost(text) - after + frames(text) - endings(text) - doubts(&undone);
    Some((undone, gain))
}
