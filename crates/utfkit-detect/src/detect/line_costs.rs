//! The likeliest encoding of each line, of some.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::legacy::{is_ascii_based, min_errors, token};
use crate::hashes::hash_of;
use crate::line::{SWITCH, character, decoded, is_single_byte, words_beyond_ascii};
use crate::model::{BIT, Languages, Letters, Tokens};
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
    /// Of lines with distinct words beyond US-ASCII, one line after another.
    costs: Vec<Option<u64>>,
    /// For each of these, the first encoding in which the line is the same text.
    same: Vec<usize>,
    /// For each line, its place among those.
    order: Vec<usize>,
}

impl Lines {
    /// `None` if there are too many lines, or a line is too long to be one.
    pub(super) fn of(bytes: &[u8], encodings: &[Encoding]) -> Option<Lines> {
        let mut known: BTreeMap<u64, usize> = BTreeMap::new();
        let mut distinct: Vec<Vec<u8>> = Vec::new();
        let mut order: Vec<usize> = Vec::new();
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            if line.len() > LONGEST || order.len() == MOST_LINES {
                return None;
            }
            let words = if line.is_ascii() { Vec::new() } else { beyond_ascii(line, |_| true) };
            let next = distinct.len();
            let place = *known.entry(hash_of(&words)).or_insert(next);
            // Other words may have the same hash.
            let is_known = distinct.get(place) == Some(&words);
            order.push(if is_known { place } else { next });
            if !is_known {
                distinct.push(words);
            }
        }
        let is_long = distinct.len() > MANY;
        let sampled = || distinct.iter().step_by(distinct.len().div_ceil(MANY)).map(|words| &words[..]);
        let languages = |encoding: &Encoding| is_long.then(|| languages(sampled(), *encoding));
        let encodings: Vec<(Encoding, Option<Languages>)> = encodings.iter().map(|it| (*it, languages(it))).collect();
        let mut lines = Lines { costs: Vec::new(), same: Vec::new(), order };
        distinct.iter().for_each(|words| lines.add(words, &encodings));
        Some(lines)
    }

    fn add(&mut self, words: &[u8], encodings: &[(Encoding, Option<Languages>)]) {
        let start = self.costs.len();
        if words.is_empty() {
            self.costs.resize(start + encodings.len(), Some(0));
            self.same.resize(start + encodings.len(), 0);
            return;
        }
        let texts: Vec<Option<Vec<char>>> =
            encodings.iter().map(|(encoding, _)| characters(words, *encoding)).collect();
        let mut limit = u64::MAX / 8;
        let first = |text| texts.iter().position(|other| other == text).unwrap_or_default();
        self.same.extend(texts.iter().map(first));
        self.costs.resize(start + encodings.len(), None);
        let (same, costs) = (&self.same[start..], &mut self.costs[start..]);
        // UTF-8, which is the last, is hardly ever well-formed by chance.
        for (at, &(encoding, languages)) in encodings.iter().enumerate().rev() {
            // Most lines are the same text in several of them.
            if let Some(text) = texts[at].as_ref().filter(|_| same[at] == at) {
                let tokens = tokens(words, encoding, text);
                let cost = match languages {
                    Some(languages) => tokens.score_of_part(languages, limit),
                    None => tokens.score(limit),
                };
                let cost = cost.unwrap_or(limit);
                costs[at] = Some(cost);
                limit = limit.min(cost + BEYOND);
            }
        }
        same.iter().enumerate().for_each(|(at, first)| costs[at] = costs[*first]);
    }

    /// The likeliest encoding of each line, by its number, and by how many bits another text is less likely.
    /// `None` if the line is ill-formed in all.
    ///
    /// Each change of the encoding costs some bits. So the cost of a line in an encoding is that of the
    /// likeliest encodings of the lines before and after it, too.
    pub(super) fn states(&self, count: usize) -> Vec<Option<(usize, u64)>> {
        const NEVER: u64 = u64::MAX / 4;
        let cost = |line: usize, state: usize| self.costs[line * count + state].unwrap_or(NEVER);
        // Of the lines up to the last one, by the encoding of the one after it.
        let before = |costs: &mut [u64]| {
            let least = costs.iter().min().map_or(NEVER, |least| least + SWITCH);
            costs.iter_mut().for_each(|cost| *cost = least.min(*cost));
        };
        let add = |costs: &mut [u64], line: usize| {
            costs.iter_mut().enumerate().for_each(|(state, total)| *total = (*total + cost(line, state)).min(NEVER));
        };
        let mut after = alloc::vec![0; count * self.order.len()];
        let mut here = alloc::vec![0; count];
        for (costs, &line) in after.chunks_mut(count).zip(&self.order).rev() {
            before(&mut here);
            costs.copy_from_slice(&here);
            add(&mut here, line);
        }
        here.fill(0);
        let mut last = 0;
        let mut states = Vec::with_capacity(self.order.len());
        for (after, &line) in after.chunks(count).zip(&self.order) {
            before(&mut here);
            add(&mut here, line);
            let total = |state: usize| (here[state] + after[state]).min(NEVER);
            let best = (0..count).min_by_key(|&state| (total(state), state != last)).unwrap_or_default();
            let same = &self.same[line * count..];
            let other = (0..count).filter(|&state| same[state] != same[best]).map(total).min();
            let margin = other.map_or(u64::MAX, |other| (other - total(best)) / u64::from(BIT));
            states.push((total(best) < NEVER).then_some((best, margin)));
            last = best;
        }
        states
    }
}

/// The languages of lines.
fn languages<'a>(lines: impl Iterator<Item = &'a [u8]>, encoding: Encoding) -> Languages {
    let mut letters = Letters::default();
    for words in lines {
        if let Some(text) = characters(words, encoding) {
            letters.add(&tokens(words, encoding, &text));
        }
    }
    letters.languages()
}

/// True if each byte is a character, and those below 80 are US-ASCII.
pub(super) fn is_by_byte(encoding: Encoding) -> bool {
    is_single_byte(encoding) && is_ascii_based(encoding)
}

/// Words as text, of which US-ASCII is left out where it is the same in others; `None` if they are ill-formed.
pub(super) fn characters(words: &[u8], encoding: Encoding) -> Option<Vec<char>> {
    if is_by_byte(encoding) {
        let mut text = Vec::with_capacity(words.len());
        for byte in words.iter().filter(|byte| !byte.is_ascii()) {
            text.push(character(encoding, *byte)?);
        }
        return Some(text);
    }
    // Most are ill-formed by the ranges of their bytes.
    if min_errors(encoding, words, 0) > 0 {
        return None;
    }
    let (text, is_ill_formed) = decoded(words, encoding);
    (!is_ill_formed).then(|| text.chars().collect())
}

/// Words with these [characters] as tokens.
fn tokens(words: &[u8], encoding: Encoding, text: &[char]) -> Tokens {
    if !is_by_byte(encoding) {
        return Tokens::of(text);
    }
    let are_distinct = || {
        let mut each: Vec<&[u8]> = words.split(|byte| *byte == b' ').collect();
        each.sort_unstable();
        each.windows(2).all(|pair| pair[0] != pair[1])
    };
    let is_one = words.iter().position(|byte| *byte == b' ') == Some(words.len() - 1);
    let are_distinct = is_one || are_distinct();
    let by_byte = if are_distinct { Tokens::of_words(words, |byte| token(encoding, byte)) } else { None };
    by_byte.unwrap_or_else(|| Tokens::of(&decoded(words, encoding).0.chars().collect::<Vec<char>>()))
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
