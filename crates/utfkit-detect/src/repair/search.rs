//! Searches for the encodings in which a text was read by mistake.
//!
//! A *chain* is the encodings to undo, the last mistake first. A beam search extends
//! the best chains by one encoding at a time; the score of a chain is the negative
//! log2-probability of the resulting text under the [model](crate::model), in bits,
//! plus the priors of its encodings. The *gain* is by how much that is lower than the
//! score of the text itself.

use alloc::vec::Vec;

use super::crossing::{Crossing, crossing, crossings, misreading};
use super::item::Item;
use super::meant::{are_words, intended_bonus, is_alphabet, is_further_of_signs, is_meant};
use super::misreading::{DEFAULTS, Index, Misreadings};
use super::oddness::is_c1;
use super::undo::{Fit, indices, is_enough};
use super::watch::Watch;
use crate::detect::Scatter;
use crate::hashes::Hashes;
use crate::model::{BIT, Evaluation, Script, is_foreign_letter, is_letter, score_of};
use utfkit_core::Encoding;

/// The longest chain.
const MAX_LAYERS: usize = 8;

/// The least gain for which a text is changed, and a chain extended, in bits.
pub(super) const MIN_GAIN: i64 = 8;

/// The most layers above a crossing.
const LAYERS_CROSSED: usize = 4;

/// The least gain of a crossing, in bits.
const CROSSING_GAIN: i64 = 6;

/// The mean penalty below which a text is as it should be.
const ORDINARY: i64 = BIT as i64;
/// In Latin script, where the words in US-ASCII were subtracted.
const ORDINARY_LATIN: i64 = -2 * BIT as i64;
/// From this mean penalty on an undone text is none.
const IMPLAUSIBLE: i64 = 5 * BIT as i64 / 2;
/// In Latin script, where the letters of US-ASCII count for those beyond it.
const IMPLAUSIBLE_LATIN: i64 = 5 * BIT as i64;
/// By how many bits the best undoing must be likelier than any other one.
pub(super) const MARGIN: i64 = 6;
/// The prior of controls that would be letters.
const CONTROLS_AS_LETTERS: i64 = 6;
/// How many of them are few.
const FEW_CONTROLS: u32 = 3;

/// The chains followed at once.
const BEAM_WIDTH: usize = 3;

/// Added to the prior of an encoding that differs from the previous one.
const CHANGE_OF_ENCODING: i64 = 6;

/// The penalty of each run that another encoding explains: a letter of a language that the model
/// does not have costs more than the characters that it was read as.
const UNEXPLAINED: i64 = 16;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Chain {
    indices: [Index; MAX_LAYERS],
    len: u8,
}

impl Chain {
    pub(super) fn encodings(&self) -> &[Index] {
        &self.indices[..usize::from(self.len)]
    }

    pub(super) fn and(mut self, index: Index) -> Option<Chain> {
        *self.indices.get_mut(usize::from(self.len))? = index;
        self.len += 1;
        Some(self)
    }

    pub(super) fn crossing(&self) -> Option<&'static Crossing> {
        crossing(*self.encodings().last()?)
    }

    /// Of the first encoding.
    pub(super) fn prior(&self) -> i64 {
        self.encodings().first().map_or(0, |index| misreading(*index).prior.into())
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

impl Undone {
    /// Takes back a change of a part of a word of `line`: another encoding explains it whole, or
    /// a part of it was meant.
    pub(super) fn keep_parts(&mut self, table: &Misreadings, line: &[Item]) {
        let is_part = |word: &[Item]| {
            let has_rest = |rest: &[Item]| table.begins_sequence(rest.iter().map(|item| item.c));
            word.iter().any(|item| item.is_undone)
                && word.split(|item| item.c.is_ascii() || item.is_undone).any(has_rest)
        };
        let is_between = |item: &Item| item.c.is_ascii() && !item.c.is_ascii_alphanumeric();
        if self.chain.crossing().is_some() || !self.items.split(is_between).any(is_part) {
            return;
        }
        let (mut kept, mut start) = (Vec::with_capacity(line.len()), 0);
        for word in self.items.split_inclusive(is_between) {
            let Some(end) = word.last().map(|item| item.end) else { continue };
            if is_part(word) {
                kept.extend(line.iter().filter(|item| item.end > start && item.end <= end));
            } else {
                kept.extend_from_slice(word);
            }
            start = end;
        }
        self.items = kept;
    }
}

/// The best chain for a text.
pub(super) struct Found {
    pub(super) undone: Undone,
    /// In bits.
    pub(super) gain: i64,
    /// By how much the score alone is lower.
    score_gain: i64,
    rival: Option<Rival>,
}

/// A single encoding that explains as much, and gives another text.
#[derive(Clone, Copy)]
struct Rival {
    chain: Chain,
    /// By how many bits the other text is less likely.
    margin: i64,
}

/// The margin without a rival.
const NO_RIVAL: i64 = 10 * MARGIN;

impl Found {
    /// By how many bits the text is likelier than that of any other single encoding.
    pub(super) fn margin(&self) -> i64 {
        self.rival.map_or(NO_RIVAL, |rival| rival.margin)
    }

    pub(super) fn has_rival(&self) -> bool {
        self.rival.is_some()
    }

    /// Takes the rival if it is the likelier in all of the line, where two texts are nearly as likely: the words in
    /// US-ASCII tell the language.
    fn settle(self, table: &Misreadings, line: &[Item], cut: bool) -> Found {
        let Some(Rival { chain: other, .. }) = self.rival else { return self };
        let own = self.undone.chain;
        let margin_in = |text: &[Item]| {
            let [other, own] = [other, own].map(|chain| Some((follow(table, &chain, text, cut)?.items, chain.prior())));
            let ((other, prior), (own, own_prior)) = (other?, own?);
            let margin = score(&other) + prior - score(&own) - own_prior;
            // A letter alone is as likely as any other.
            Some(if differ_in_letters_alone(&own, &other) { margin.clamp(1 - MARGIN, MARGIN - 1) } else { margin })
        };
        let line = distinct_words(line);
        let words = words(&line);
        let margin = margin_in(&words).filter(|margin| *margin >= MARGIN).or_else(|| margin_in(&line));
        match margin {
            None => self,
            Some(margin) if margin > -MARGIN => {
                Found { rival: Some(Rival { chain: other, margin: margin.max(0) }), ..self }
            }
            Some(margin) => {
                let Some(undone) = follow(table, &other, &words, cut) else { return self };
                let (gain, score_gain) = (self.gain - self.margin(), self.score_gain - self.margin());
                Found { undone, gain, score_gain, rival: Some(Rival { chain: own, margin: -margin }) }
            }
        }
    }
}

/// True if two undoings of a text differ in letters alone that are in no word.
#[inline(never)]
pub(super) fn differ_in_letters_alone(a: &[Item], b: &[Item]) -> bool {
    let is_in_word = |at: Option<usize>| at.and_then(|at| a.get(at)).is_some_and(|item| is_letter(item.c));
    let mut differing = (0..a.len()).filter(|at| a[*at].c != b[*at].c).peekable();
    a.len() == b.len()
        && differing.peek().is_some()
        && differing.all(|at| is_letter(a[at].c) && !is_in_word(at.checked_sub(1)) && !is_in_word(Some(at + 1)))
}

/// The words that are not all US-ASCII, with the white space after them: what the model
/// scores. Commands and names around them would only blur the language.
#[inline(never)]
pub(super) fn words(text: &[Item]) -> Vec<Item> {
    let mut words = Vec::with_capacity(text.len());
    for word in text.split_inclusive(|item| item.c.is_ascii_whitespace()) {
        if word.iter().any(|item| !item.c.is_ascii()) {
            words.extend_from_slice(word);
        }
    }
    words
}

/// Each word once: a repeated one is no new evidence.
fn distinct_words(text: &[Item]) -> Vec<Item> {
    let mut seen = Hashes::default();
    let words = text.split_inclusive(|item| item.c.is_ascii_whitespace());
    words.filter(|word| seen.insert(hash(word).into())).flatten().copied().collect()
}

/// FNV-1a.
pub(super) fn hash(text: &[Item]) -> u32 {
    text.iter().fold(0x811C_9DC5_u32, |hash, item| (hash ^ u32::from(item.c)).wrapping_mul(0x0100_0193))
}

/// The score of a text, in bits.
#[inline(never)]
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

/// False for characters that no text has next to each other, or a letter of a script that
/// the text does not have otherwise, in which no language of the model is written: a few
/// bytes fit UTF-8 by chance.
fn is_one_script(undone: &[Item]) -> bool {
    let mut score = Scatter::default();
    let mut foreign = 0;
    // U+FFFD was in the text before it was encoded twice, and ligatures are Latin letters, as are
    // those of Azerbaijani, and the apostrophes of Uzbek, Hawaiian and Navajo.
    let is_neutral = |c: char| {
        matches!(c, char::REPLACEMENT_CHARACTER | '\u{FB00}'..='\u{FB06}' | 'Ə' | 'ə' | '\u{2BB}' | '\u{2BC}')
    };
    for item in undone.iter().filter(|item| item.is_undone && !is_neutral(item.c)) {
        score.add(item.c.into());
        foreign += usize::from(is_foreign_letter(item.c));
    }
    (score.is_text() || score.values() == 0) && foreign != 1
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
#[inline(never)]
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
        let from = if is_first { text } else { &undone.items };
        let fit = match crossing(index) {
            Some(crossing) => table.cross(crossing, from, cut, &mut items),
            None => table.undo(index, from, cut, &mut items),
        };
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

/// Searches for the best chain for a line with these [`words`].
pub(super) fn search(
    table: &Misreadings,
    line: &[Item],
    words: &[Item],
    cut: bool,
    with_crossings: bool,
) -> Option<Found> {
    let found = search_words(table, words, cut, with_crossings)?.settle(table, line, cut);
    (!is_meant(table, line, found.undone.chain.encodings(), &found.undone.items)).then_some(found)
}

fn search_words(table: &Misreadings, text: &[Item], cut: bool, with_crossings: bool) -> Option<Found> {
    let mut layers = Vec::new();
    let doubled = search_doubled(table, text, cut, &mut layers);
    if !with_crossings {
        return doubled;
    }
    // Text in a legacy encoding is hardly ever UTF-8 by chance, least of all in a default encoding.
    let is_utf8 = doubled.as_ref().is_some_and(|Found { undone, gain, .. }| {
        let is_default = undone.chain.encodings().first().is_some_and(|index| usize::from(*index) < DEFAULTS);
        (*gain > 0 || is_default) && undone.fit.others == 0
    });
    let mut best = if is_utf8 { None } else { search_crossing(table, &nothing_undone(text), cut) };
    // Text that was encoded twice may have been read in another encoding before.
    for before in layers.iter().filter(|layer| layer.undone.fit.open == 0 && layer.undone.fit.others == 0) {
        let Some(found) = search_crossing(table, &before.undone, cut) else { continue };
        best = likelier(Found { gain: before.score_gain + found.gain, ..found }, best);
    }
    match doubled {
        Some(doubled) => likelier(doubled, best),
        None => best,
    }
}

/// The one with the higher gain; the second one if they are equal.
fn likelier(a: Found, b: Option<Found>) -> Option<Found> {
    match b {
        Some(b) if b.gain >= a.gain => Some(b),
        _ => Some(a),
    }
}

fn nothing_undone(text: &[Item]) -> Undone {
    let end = text.last().map_or(0, |item| item.end as usize);
    Undone { chain: Chain::default(), items: text.to_vec(), fit: Fit::default(), end }
}

/// Searches for the best crossing of a text of which a chain is undone.
fn search_crossing(table: &Misreadings, before: &Undone, cut: bool) -> Option<Found> {
    let text = &distinct_words(&before.items);
    if !Watch::is_odd_line(&table.oddness, &bytes(text)) || is_alphabet(text) {
        return None;
    }
    let as_is = Evaluation::of(text.iter().map(|item| item.c));
    let profile = table.profile(text);
    let ordinary = if as_is.script == Some(Script::Latin) { ORDINARY_LATIN } else { ORDINARY };
    if as_is.mean_penalty() < ordinary && !profile.has_controls {
        return None;
    }
    let has_wide = profile.has_wide;
    let score_before = i64::try_from(as_is.bits()).unwrap_or(i64::MAX);
    let letters = text.iter().filter(|item| !item.c.is_ascii() && is_letter(item.c)).count();
    let mut readings: Vec<(i64, Index, Fit, Vec<Item>)> = Vec::new();
    let mut items = Vec::with_capacity(text.len());
    let mut limit = score_before - CROSSING_GAIN;
    // A few controls may be letters, even if that is rare: then the words leave it open.
    let is_of_few = profile.has_controls && are_few_controls(text);
    let excused = |prior: i64| if is_of_few { (prior - CONTROLS_AS_LETTERS).max(0) } else { 0 };
    for (index, crossing) in crossings().filter(|(_, crossing)| profile.suits(table, crossing)) {
        if crossing.written == Encoding::Utf8 && !table.begins_utf8(crossing.read, text) {
            continue;
        }
        if table.is_doubled(crossing, text) {
            continue;
        }
        // One sequence that was encoded twice, to a control, is thin: it may be meant, as in `( o¬ô )`.
        if crossing.is_of_controls() && before.fit.sequences == 1 {
            continue;
        }
        let fit = table.cross(crossing, text, cut, &mut items);
        if fit.runs == 0
            || fit.runs < 2 * fit.others
            || !(crossing.is_of_controls() || are_words(letters, text, &items))
            || has_quotation(text, &items)
        {
            continue;
        }
        let is_same = |(.., other): &(i64, Index, Fit, Vec<Item>)| {
            other.len() == items.len() && other.iter().zip(&items).all(|(a, b)| a.c == b.c)
        };
        if readings.iter().any(is_same) {
            continue;
        }
        let is_letters = crossing.is_of_controls() && items.iter().any(|item| item.is_undone && item.c.is_alphabetic());
        let prior = i64::from(crossing.prior) + if is_letters { CONTROLS_AS_LETTERS } else { 0 };
        let Some(score) = score_up_to(&items, limit - prior + excused(prior)) else { continue };
        limit = limit.min(score + prior + MARGIN);
        readings.push((score + prior, index, fit, items.clone()));
    }
    readings.sort_by_key(|(score, ..)| *score);
    let mut readings = readings.into_iter();
    let (after, index, fit, items) = readings.next()?;
    let second = readings.map(|(score, other, ..)| score - excused(misreading(other).prior.into())).min();
    // A part that was left because it lost a byte is no evidence about the rest.
    let is_decided = |item: &&Item| item.is_undone || item.c.is_ascii() || !has_wide;
    let undone = Evaluation::of(items.iter().filter(is_decided).map(|item| item.c));
    let is_clear = second.is_none_or(|second| second >= after + MARGIN);
    let is_likelier = undone.mean_penalty() < as_is.mean_penalty() || profile.has_controls;
    let implausible = if undone.script == Some(Script::Latin) { IMPLAUSIBLE_LATIN } else { IMPLAUSIBLE };
    if !is_clear || !is_likelier || undone.mean_penalty() >= implausible {
        return None;
    }
    let gain = score_before - after;
    let chain = before.chain.and(index)?;
    let is_first = before.chain.encodings().is_empty();
    let end = if fit.open == 0 { before.end } else { items.last().map_or(0, |item| item.end as usize) };
    let fit = if is_first { fit } else { before.fit };
    Some(Found { undone: Undone { chain, items, fit, end }, gain, score_gain: gain, rival: None })
}

/// True if quotation marks around a word become letters of it.
#[inline(never)]
fn has_quotation(text: &[Item], after: &[Item]) -> bool {
    let is_letter = |item: &Item| {
        let at = after.partition_point(|other| other.end < item.end);
        after.get(at).is_some_and(|other| other.end == item.end && other.is_undone && is_letter(other.c))
    };
    text.split(|item| item.c.is_ascii()).any(|word| {
        matches!(word, [first, _, .., last] if matches!((first.c, last.c), ('„', '“' | '”') | ('“', '”') | ('«', '»'))
            && is_letter(first) && is_letter(last))
    })
}

/// True for few controls that are no apostrophes of windows-1252 in words of English, French or Italian.
fn are_few_controls(text: &[Item]) -> bool {
    let (mut controls, mut apostrophes) = (0, 0);
    for (at, item) in text.iter().enumerate().filter(|(_, item)| is_c1(item.c)) {
        controls += 1;
        let len_of =
            |letters: &mut dyn Iterator<Item = &Item>| letters.take_while(|item| item.c.is_alphabetic()).count();
        let before = len_of(&mut text[..at].iter().rev());
        let after = len_of(&mut text[at + 1..].iter());
        if item.c != '\u{92}' || before == 0 || after == 0 {
            continue;
        }
        let next = text[at + 1].c;
        let is_contraction = after == 1 && matches!(next, 's' | 't' | 'd' | 'm')
            || after == 2 && matches!((next, text[at + 2].c), ('l', 'l') | ('r' | 'v', 'e'));
        let is_elision = (before <= 2 || text[at - 1].c == 'l')
            && (!next.is_ascii() || matches!(next, 'a' | 'e' | 'h' | 'i' | 'o' | 'u' | 'y'));
        apostrophes += u32::from(is_contraction || is_elision);
    }
    controls <= FEW_CONTROLS && apostrophes < controls
}

fn bytes(items: &[Item]) -> Vec<u8> {
    items.iter().map(|item| item.c).collect::<alloc::string::String>().into_bytes()
}

/// Searches for the best chain of encodings in which UTF-8 was read. Adds the best chains
/// of each length to `layers`.
fn search_doubled(table: &Misreadings, text: &[Item], cut: bool, layers: &mut Vec<Found>) -> Option<Found> {
    let end = text.last().map_or(0, |item| item.end as usize);
    let start = Undone { chain: Chain::default(), items: text.to_vec(), fit: Fit::default(), end };
    let mut beam = alloc::vec![Path { score: 0, undone: start }];
    let (mut best, mut rival_of_best) = (None::<Path>, None);
    let mut before = None;
    for layer in 0..MAX_LAYERS {
        let mut next: Vec<Path> = Vec::new();
        for path in &beam {
            extend(table, &path.undone, layer, cut, &mut next);
        }
        next.truncate(BEAM_WIDTH);
        if next.is_empty() {
            break;
        }
        let before = *before.get_or_insert_with(|| score(text));
        for path in next.iter().filter(|path| layer < LAYERS_CROSSED && path.score < before) {
            let gain = before - path.score;
            layers.push(Found { undone: path.undone.clone(), gain, score_gain: gain, rival: None });
        }
        if let Some(first) = next.iter().find(|path| is_one_script(&path.undone.items))
            && best.as_ref().is_none_or(|best| first.score.saturating_add(MIN_GAIN) <= best.score)
        {
            let is_rival = |path: &&Path| {
                path.undone.chain != first.undone.chain
                    && path.undone.fit.runs == first.undone.fit.runs
                    && path.score < i64::MAX
                    && is_one_script(&path.undone.items)
            };
            let rival = next.iter().find(is_rival).filter(|_| layer == 0);
            rival_of_best = rival.map(|path| Rival { chain: path.undone.chain, margin: path.score - first.score });
            best = Some(first.clone());
        }
        beam = next;
    }
    let Path { score: after, undone } = best?;
    let score_gain = before? - after;
    let gain = score_gain + frame_penalty(text) - intended_bonus(text) - single_sequence_penalty(&undone);
    Some(Found { undone, gain, score_gain, rival: rival_of_best })
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
        let Extension { fit, items, .. } = &extensions[extension];
        if layer > 0 && is_further_of_signs(&path.items, items) {
            continue;
        }
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
        let prior = prior + UNEXPLAINED * i64::try_from(most_runs - fit.runs).unwrap_or(0);
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
