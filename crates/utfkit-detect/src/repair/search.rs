//! Searches for the encodings in which a text was read by mistake.
//!
//! A *chain* is the encodings to undo, the last mistake first. A beam search extends
//! the best chains by one encoding at a time; the score of a chain is the negative
//! log2-probability of the resulting text under the [model](crate::model), in bits,
//! plus the priors of its encodings. The *gain* is by how much that is lower than the
//! score of the text itself.

use alloc::vec::Vec;

use super::item::Item;
use super::misreading::{DEFAULTS, Index, Misreadings, misreading};
use super::undo::{Fit, indices, is_enough};
use crate::model::{BIT, score_of};

/// The longest chain.
const MAX_LAYERS: usize = 8;

/// The least gain for which a text is changed, and a chain extended, in bits.
pub(super) const MIN_GAIN: i64 = 8;

/// The chains followed at once.
const BEAM_WIDTH: usize = 3;

/// Added to the prior of an encoding that differs from the previous one.
const CHANGE_OF_ENCODING: i64 = 6;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Chain {
    indices: [Index; MAX_LAYERS],
    len: u8,
}

impl Chain {
    pub(super) fn encodings(&self) -> &[Index] {
        &self.indices[..usize::from(self.len)]
    }

    fn and(mut self, index: Index) -> Option<Chain> {
        *self.indices.get_mut(usize::from(self.len))? = index;
        self.len += 1;
        Some(self)
    }
}

/// A text with a chain undone.
#[derive(Clone, Debug)]
pub(super) struct Undone {
    pub(super) chain: Chain,
    pub(super) items: Vec<Item>,
    /// Of the first encoding.
    pub(super) fit: Fit,
    /// How many bytes of the text are decided; fewer than all if it is cut within a
    /// sequence.
    pub(super) end: usize,
}

/// The best chain for a text.
pub(super) struct Found {
    pub(super) undone: Undone,
    /// In bits.
    pub(super) gain: i64,
}

/// The words that are not all US-ASCII, with the white space after them: what the model
/// scores. Commands and names around them would only blur the language.
pub(super) fn words(text: &[Item]) -> Vec<Item> {
    let mut words = Vec::with_capacity(text.len());
    for word in text.split_inclusive(|item| item.c.is_ascii_whitespace()) {
        if word.iter().any(|item| !item.c.is_ascii()) {
            words.extend_from_slice(word);
        }
    }
    words
}

/// The score of a text, in bits.
pub(super) fn score(items: &[Item]) -> i64 {
    score_up_to(items, i64::MAX).unwrap_or(i64::MAX)
}

/// `None` if the score exceeds `limit`.
fn score_up_to(items: &[Item], limit: i64) -> Option<i64> {
    let text: Vec<char> = items.iter().map(|item| item.c).collect();
    let limit = u64::try_from(limit).ok()?.saturating_add(1).saturating_mul(u64::from(BIT));
    let score = score_of(&text, limit)? / u64::from(BIT);
    Some(i64::try_from(score).unwrap_or(i64::MAX))
}

/// A bonus for the text as it is if its runs are letters followed by a sign, or products:
/// `AMANHÃ…`, `Ã’s`, `T•Ø•R`, `5×£35`.
pub(super) fn intended_bonus(text: &[Item]) -> i64 {
    const AFTER: [char; 10] = ['’', '…', '”', '“', '»', '›', '–', '—', '•', '\u{A0}'];
    let is_intended = |run: &[Item]| {
        let run = &run[run.iter().position(|item| item.c.is_alphabetic() || item.c == '×').unwrap_or(0)..];
        matches!(run, [letter, sign] if letter.c.is_alphabetic() && AFTER.contains(&sign.c))
            // In windows-1255, a product sign and one more character are a Hebrew letter,
            // which does not come alone.
            || matches!(run, [times, _] if times.c == '×')
    };
    // Single characters and lower-case letters hardly ever fit an encoding.
    let is_word = |run: &[Item]| run.len() < 2 || run.iter().all(|item| item.c.is_lowercase());
    let runs = text.split(|item| item.c.is_ascii()).filter(|run| !is_word(run));
    if runs.clone().next().is_none() || !runs.clone().all(is_intended) {
        return 0;
    }
    // A word in capitals up to its end.
    let is_capital =
        |text: &[Item]| matches!(text, [a, b, c] if a.c.is_ascii_uppercase() && b.c.is_uppercase() && c.c == '\u{A0}');
    // `Ã•` is a common letter that was misread.
    let is_list = runs.clone().flatten().any(|item| item.c == '•') && !text.iter().any(|item| item.c == 'Ã');
    match runs.count() {
        _ if is_list => 100,
        1 if !text.windows(3).any(is_capital) => 10,
        _ => 20,
    }
}

/// A penalty for a result with a single sequence: a sign or letter alone may be signs that
/// were meant, as in `√π` or `¬´`.
fn single_sequence_penalty(undone: &Undone) -> i64 {
    let items = &undone.items;
    // Box drawing was meant.
    if items.iter().any(|item| item.is_undone && item.c == 'ſ') {
        return 60;
    }
    let mut sequences = (0..items.len()).filter(|at| items[*at].is_undone);
    let (Some(at), None) = (sequences.next(), sequences.next()) else { return 0 };
    let c = items[at].c;
    let is_letter =
        |at: Option<usize>| at.and_then(|at| items.get(at)).is_some_and(|item| item.c.is_ascii_alphabetic());
    let touches_letter = is_letter(at.checked_sub(1)) || is_letter(Some(at + 1));
    let is_default = undone.chain.encodings().first().is_some_and(|index| usize::from(*index) < DEFAULTS);
    match c {
        '\0'..='\u{9F}' => 100,
        '\u{250}'.. if touches_letter && c.is_alphabetic() => 24,
        _ if is_default => 0,
        _ if !c.is_alphabetic() => 24,
        _ if !touches_letter => 8,
        _ => 0,
    }
}

/// A penalty for the text as it is if box drawing touches letters.
fn frame_penalty(text: &[Item]) -> i64 {
    let is_frame = |item: &Item| matches!(item.c, '\u{2500}'..='\u{259F}');
    let touch = |pair: &[Item]| {
        (is_frame(&pair[0]) && pair[1].c.is_ascii_alphabetic())
            || (pair[0].c.is_ascii_alphabetic() && is_frame(&pair[1]))
    };
    if text.windows(2).any(touch) { 6 } else { 0 }
}

/// Undoes a chain as far as the text fits it; `None` if it does not at all.
pub(super) fn follow(table: &Misreadings, chain: &Chain, text: &[Item], cut: bool) -> Option<Undone> {
    let mut undone = Undone {
        chain: Chain::default(),
        items: Vec::new(),
        fit: Fit::default(),
        end: text.last().map_or(0, |item| item.end as usize),
    };
    let mut items = Vec::with_capacity(text.len());
    for &index in chain.encodings() {
        let is_first = undone.chain.encodings().is_empty();
        let fit = table.undo(index, if is_first { text } else { &undone.items }, cut, &mut items);
        if fit.sequences == 0 {
            break;
        }
        if is_first {
            undone.fit = fit;
        }
        undone.chain = undone.chain.and(index)?;
        core::mem::swap(&mut undone.items, &mut items);
        if fit.open > 0 {
            undone.end = undone.items.last().map_or(0, |item| item.end as usize);
        }
    }
    (undone.fit.sequences > 0).then_some(undone)
}

/// A chain in the beam. A score of `i64::MAX` is above that of the others.
#[derive(Clone)]
struct Path {
    score: i64,
    undone: Undone,
}

/// The text of a path with one more encoding undone. Encodings that have the characters of
/// the text at the same bytes share it.
struct Extension {
    index: Index,
    fit: Fit,
    items: Vec<Item>,
}

/// Searches for the best chain for a text.
pub(super) fn search(table: &Misreadings, text: &[Item], cut: bool) -> Option<Found> {
    let end = text.last().map_or(0, |item| item.end as usize);
    let start = Undone { chain: Chain::default(), items: text.to_vec(), fit: Fit::default(), end };
    let mut beam = alloc::vec![Path { score: 0, undone: start }];
    let mut best: Option<Path> = None;
    for layer in 0..MAX_LAYERS {
        let mut next: Vec<Path> = Vec::new();
        for path in &beam {
            extend(table, &path.undone, layer, cut, &mut next);
        }
        next.truncate(BEAM_WIDTH);
        let Some(first) = next.first() else { break };
        if best.as_ref().is_none_or(|best| first.score + MIN_GAIN <= best.score) {
            best = Some(first.clone());
        }
        beam = next;
    }
    let Path { score: after, undone } = best?;
    let gain = score(text) - after + frame_penalty(text) - intended_bonus(text) - single_sequence_penalty(&undone);
    Some(Found { undone, gain })
}

/// Adds the extensions of a chain by one encoding to `next`, which is sorted by score.
fn extend(table: &Misreadings, path: &Undone, layer: usize, cut: bool, next: &mut Vec<Path>) {
    let mut extensions: Vec<Extension> = Vec::new();
    // The index of each encoding that fits, with its extension.
    let mut fitting: Vec<(Index, usize)> = Vec::new();
    let possible = table.fitting(&path.items, table.possible(&path.items));
    let characters = if possible == 0 { Vec::new() } else { table.numbers(&path.items) };
    for index in indices(possible) {
        let known = extensions.iter().position(|other| table.are_equivalent(other.index, index, &characters));
        let extension = known.unwrap_or_else(|| {
            let mut items = Vec::with_capacity(path.items.len());
            let fit = table.undo(index, &path.items, cut, &mut items);
            extensions.push(Extension { index, fit, items });
            extensions.len() - 1
        });
        let fit = extensions[extension].fit;
        if fit.sequences > 0 && is_enough(index, fit.runs, fit.others) {
            fitting.push((index, extension));
        }
    }
    let runs = |extension: usize| extensions[extension].fit.runs;
    // An encoding that explains less than half of what another does is out.
    let most_runs = fitting.iter().map(|(_, extension)| runs(*extension)).max().unwrap_or(0);
    fitting.retain(|(_, extension)| 2 * runs(*extension) >= most_runs);
    // Files usually suffer one mistake again and again.
    let previous = path.chain.encodings().last().copied();
    if fitting.iter().any(|(index, extension)| Some(*index) == previous && runs(*extension) == most_runs) {
        fitting.retain(|(index, _)| Some(*index) == previous);
    }
    for (index, extension) in fitting {
        // The first of several equivalent encodings takes the text.
        let Extension { fit, items, .. } = &mut extensions[extension];
        let items = core::mem::take(items);
        if items.is_empty() {
            continue;
        }
        let is_same = |other: &Path| {
            other.undone.items.len() == items.len() && other.undone.items.iter().zip(&items).all(|(a, b)| a.c == b.c)
        };
        if next.iter().any(is_same) {
            continue;
        }
        let prior = match previous {
            Some(previous) if previous == index => 0,
            Some(_) => i64::from(misreading(index).prior) + CHANGE_OF_ENCODING,
            None => misreading(index).prior.into(),
        };
        let Some(chain) = path.chain.and(index) else { continue };
        let end = match fit.open {
            0 => path.end,
            _ => items.last().map_or(0, |item| item.end as usize),
        };
        let limit = next.get(BEAM_WIDTH - 1).map_or(i64::MAX, |last| last.score - prior);
        let fit = if layer == 0 { *fit } else { path.fit };
        let undone = Undone { chain, items, fit, end };
        match score_up_to(&undone.items, limit) {
            Some(score) => {
                let score = score + prior;
                let at = next.partition_point(|other| other.score <= score);
                next.insert(at, Path { score, undone });
            }
            None => next.push(Path { score: i64::MAX, undone }),
        }
    }
}
