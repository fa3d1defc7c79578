//! The likeliest encoding of each line, of some.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::line::{SWITCH, decoded, words_beyond_ascii};
use crate::model::{BIT, Languages, Letters, Tokens, score_of};
use utfkit_core::Encoding;

/// More lines, and longer ones, are not told apart.
const MOST_LINES: usize = 1 << 20;
const LONGEST: usize = 64 << 10;
/// More lines are in the languages of all of them. Of fewer, each is in its own.
const MANY: usize = 4 << 10;
/// From this margin on, in bits, a reading is nearly certain.
pub(super) const SURE: u64 = 40;
/// By how much a line may cost more than in another encoding to be told apart: beyond that, it pays to change the
/// encoding before and after it, and the margin is as sure as any.
const BEYOND: u64 = 2 * SWITCH + SURE * BIT as u64;

/// The cost of each line in each encoding.
pub(super) struct Lines {
    /// Of lines with distinct words beyond US-ASCII.
    costs: Vec<Vec<Option<u64>>>,
    /// For each encoding, the first one in which the line is the same text.
    same: Vec<Vec<usize>>,
    /// For each line, its place among those.
    order: Vec<usize>,
}

impl Lines {
    /// `None` if there are too many lines, or a line is too long to be one.
    pub(super) fn of(bytes: &[u8], encodings: &[Encoding]) -> Option<Lines> {
        let mut known: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
        let mut order: Vec<usize> = Vec::new();
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            if line.len() > LONGEST || order.len() == MOST_LINES {
                return None;
            }
            let words = if line.is_ascii() { Vec::new() } else { beyond_ascii(line, |_| true) };
            let next = known.len();
            order.push(*known.entry(words).or_insert(next));
        }
        let mut distinct: Vec<(usize, &[u8])> = known.iter().map(|(words, number)| (*number, &words[..])).collect();
        distinct.sort_unstable();
        let is_long = distinct.len() > MANY;
        let sampled = || distinct.iter().step_by(distinct.len().div_ceil(MANY)).map(|(_, words)| *words);
        let languages = |encoding: &Encoding| is_long.then(|| languages(sampled(), *encoding));
        let encodings: Vec<(Encoding, Option<Languages>)> = encodings.iter().map(|it| (*it, languages(it))).collect();
        let mut lines = Lines { costs: Vec::new(), same: Vec::new(), order };
        distinct.iter().for_each(|(_, words)| lines.add(words, &encodings));
        Some(lines)
    }

    fn add(&mut self, words: &[u8], encodings: &[(Encoding, Option<Languages>)]) {
        if words.is_empty() {
            self.costs.push(alloc::vec![Some(0); encodings.len()]);
            self.same.push(alloc::vec![0; encodings.len()]);
            return;
        }
        let texts: Vec<Option<Vec<char>>> = encodings.iter().map(|(encoding, _)| text(words, *encoding)).collect();
        let mut limit = u64::MAX / 8;
        let first = |text| texts.iter().position(|other| other == text).unwrap_or_default();
        let same: Vec<usize> = texts.iter().map(first).collect();
        let mut costs = alloc::vec![None; texts.len()];
        // UTF-8, which is the last, is hardly ever well-formed by chance.
        for (at, text) in texts.iter().enumerate().rev() {
            // Most lines are the same text in several of them.
            if let Some(text) = text.as_ref().filter(|_| same[at] == at) {
                let cost = match encodings[at].1 {
                    Some(languages) => Tokens::of(text).score_of_part(languages, limit),
                    None => score_of(text, limit),
                };
                let cost = cost.unwrap_or(limit);
                costs[at] = Some(cost);
                limit = limit.min(cost + BEYOND);
            }
        }
        self.costs.push(same.iter().map(|first| costs[*first]).collect());
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

/// The languages of lines.
fn languages<'a>(lines: impl Iterator<Item = &'a [u8]>, encoding: Encoding) -> Languages {
    let mut letters = Letters::default();
    lines.filter_map(|words| text(words, encoding)).for_each(|text| letters.add(&Tokens::of(&text)));
    letters.languages()
}

/// Words as text; `None` if they are ill-formed.
fn text(words: &[u8], encoding: Encoding) -> Option<Vec<char>> {
    let (text, is_ill_formed) = decoded(words, encoding);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Each line has a word of its own.
    #[test]
    fn many_lines_are_told_apart_as_few_are() {
        let encodings = ["windows-1252", "IBM850", "UTF-8"].map(|name| Encoding::for_label(name).unwrap());
        for block in [3, 40, MANY / 2] {
            let mut bytes = Vec::new();
            for (state, encoding) in encodings.iter().enumerate() {
                for number in 0..block {
                    let line = alloc::format!("Die Größe von Müller{state}n{number} wäre für die Gäste schön.\n");
                    bytes.extend_from_slice(&encoding.encode(&line).0);
                }
            }
            let lines = Lines::of(&bytes, &encodings).unwrap();
            let states: Vec<usize> = lines.states(encodings.len()).into_iter().map(|state| state.unwrap().0).collect();
            let expected: Vec<usize> =
                (0..encodings.len()).flat_map(|state| core::iter::repeat_n(state, block)).collect();
            assert_eq!(states, expected, "{block}");
        }
    }
}
