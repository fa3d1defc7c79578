//! The likeliest encoding of each line, of some.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::line::{SWITCH, words_beyond_ascii};
use crate::model::{BIT, score_of};
use utfkit_core::Encoding;

/// More lines, and longer ones, are not told apart.
const MOST_LINES: usize = 1 << 20;
const LONGEST: usize = 64 << 10;

/// The cost of each line in each encoding.
pub(super) struct Lines {
    /// Of distinct lines.
    costs: Vec<Vec<Option<u64>>>,
    /// For each encoding, the first one in which the line is the same text.
    same: Vec<Vec<usize>>,
    /// The distinct line of each line.
    order: Vec<usize>,
}

impl Lines {
    /// `None` if there are too many lines, or a line is too long to be one.
    pub(super) fn of(bytes: &[u8], encodings: &[Encoding]) -> Option<Lines> {
        let mut known: BTreeMap<&[u8], usize> = BTreeMap::new();
        let mut lines = Lines { costs: Vec::new(), same: Vec::new(), order: Vec::new() };
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            if line.len() > LONGEST || lines.order.len() == MOST_LINES {
                return None;
            }
            let number = *known.entry(line).or_insert_with(|| {
                lines.add(line, encodings);
                lines.costs.len() - 1
            });
            lines.order.push(number);
        }
        Some(lines)
    }

    fn add(&mut self, line: &[u8], encodings: &[Encoding]) {
        if line.is_ascii() {
            self.costs.push(alloc::vec![Some(0); encodings.len()]);
            self.same.push(alloc::vec![0; encodings.len()]);
            return;
        }
        let texts: Vec<Option<Vec<char>>> = encodings.iter().map(|encoding| text(line, *encoding)).collect();
        let limit = u64::MAX / 8;
        let first = |text| texts.iter().position(|other| other == text).unwrap_or_default();
        let same: Vec<usize> = texts.iter().map(first).collect();
        let mut costs: Vec<Option<u64>> = Vec::with_capacity(texts.len());
        for (text, &first) in texts.iter().zip(&same) {
            // Most lines are the same text in several of them.
            let cost = || text.as_ref().map(|text| score_of(text, limit).unwrap_or(limit));
            costs.push(costs.get(first).copied().unwrap_or_else(cost));
        }
        self.costs.push(costs);
        self.same.push(same);
    }

    /// The likeliest encoding of each line, by its number, and by how many bits another text is less likely.
    /// `None` if the line is ill-formed in all.
    ///
    /// Each change of the encoding costs some bits. So the cost of a line in an encoding is that of the
    /// likeliest encodings of the lines before and after it, too.
    pub(super) fn states(&self, count: usize) -> Vec<Option<(usize, u64)>> {
        const NEVER: u64 = u64::MAX / 4;
        let cost = |line: usize, state: usize| self.costs[line][state].unwrap_or(NEVER);
        let before = |costs: &[u64], to: usize| {
            let from = costs.iter().enumerate().map(|(state, cost)| cost + if state == to { 0 } else { SWITCH });
            from.min().unwrap_or(NEVER)
        };
        let mut after = alloc::vec![0; count * self.order.len()];
        let mut here = alloc::vec![0; count];
        for (costs, &line) in after.chunks_mut(count).zip(&self.order).rev() {
            let next: Vec<u64> = (0..count).map(|state| before(&here, state)).collect();
            costs.copy_from_slice(&next);
            here = next.iter().enumerate().map(|(state, next)| (next + cost(line, state)).min(NEVER)).collect();
        }
        let mut here = alloc::vec![0; count];
        let mut last = 0;
        let mut states = Vec::with_capacity(self.order.len());
        for (after, &line) in after.chunks(count).zip(&self.order) {
            here = (0..count).map(|state| (before(&here, state) + cost(line, state)).min(NEVER)).collect();
            let all: Vec<u64> = here.iter().zip(after).map(|(here, after)| (here + after).min(NEVER)).collect();
            let best = (0..count).min_by_key(|&state| (all[state], state != last)).unwrap_or_default();
            let same = &self.same[line];
            let other = (0..count).filter(|&state| same[state] != same[best]).map(|state| all[state]).min();
            let margin = other.map_or(u64::MAX, |other| (other - all[best]) / u64::from(BIT));
            states.push((all[best] < NEVER).then_some((best, margin)));
            last = best;
        }
        states
    }
}

/// The words of a line beyond US-ASCII, as text; `None` if they are ill-formed.
fn text(line: &[u8], encoding: Encoding) -> Option<Vec<char>> {
    let bytes = beyond_ascii(line, |_| true);
    let (text, is_ill_formed) = encoding.decode_without_bom_handling(&bytes);
    (!is_ill_formed).then(|| text.chars().collect())
}

/// The words of a line beyond US-ASCII that are wanted. The others would tell the language, which may be that
/// of markup.
pub(super) fn beyond_ascii<'a>(line: &'a [u8], mut is_wanted: impl FnMut(&'a [u8]) -> bool) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(line.len() + 1);
    for word in words_beyond_ascii(line).map(|word| &line[word]).filter(|word| is_wanted(word)) {
        bytes.extend_from_slice(word);
        bytes.push(b' ');
    }
    bytes
}
