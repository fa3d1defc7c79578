//! The score of a text in which each word may be in a language of its own, such as
//! a list of names.

use alloc::collections::BTreeMap;
use core::cell::RefCell;

use super::scorer::{Text, WideChars};
use super::tables::MODEL;
use super::token::{BIT, Token};
use super::visit::{Visitor, Word, WordScore, visit};
use crate::hashes::{FNV_BASIS, mix};

/// Penalty of each word for the choice of its language.
const WORD_LANGUAGE: u32 = 3 * BIT;

/// Scores of words, each in the language in which it scores lowest. A cache, because
/// the readings of a text have most words in common.
#[derive(Default)]
pub(crate) struct WordScores {
    /// By the hash of the word.
    known: RefCell<BTreeMap<u64, WordScore>>,
}

impl WordScores {
    pub(super) fn of(&self, script: u8, letters: &[Token]) -> WordScore {
        let len = u32::try_from(letters.len()).unwrap_or(u32::MAX);
        *self.known.borrow_mut().entry(hash_of_letters(script, letters)).or_insert_with(|| {
            let script = usize::from(script);
            let languages = &MODEL.languages[MODEL.first_language[script]..MODEL.first_language[script + 1]];
            // Of languages with the same score, the one with the lowest mean.
            let (score, expected) = languages.iter().fold((u32::MAX, 0), |best, language| {
                let limit = best.0.saturating_add(1);
                best.min((language.word(letters.iter(), limit), language.mean * len))
            });
            WordScore { score: score + WORD_LANGUAGE, expected }
        })
    }
}

/// The hash of a word. Begun with a small number, words of one letter would have the hashes of some of two.
pub(super) fn hash_of_letters(script: u8, letters: &[Token]) -> u64 {
    letters.iter().fold(mix(FNV_BASIS, script.into()), |hash, letter| mix(hash, letter.number().into()))
}

struct WordSum<'a> {
    known: &'a WordScores,
    limit: u64,
    repeats: u64,
    score: u64,
    wide_chars: WideChars,
}

impl WordSum<'_> {
    fn score(&self) -> u64 {
        self.score + self.wide_chars.best().score + self.wide_chars.foreign_penalty()
    }
}

impl Visitor<'_> for WordSum<'_> {
    fn word(&mut self, word: &Word<'_>) {
        let known = self.known.of(word.script, word.letters);
        self.score += u64::from(known.score + word.case_penalty) * self.repeats;
    }

    fn wide(&mut self, code: u16, begins_stretch: bool) {
        self.wide_chars.add(code, begins_stretch, self.repeats);
    }

    fn sign(&mut self, score: u32, _: bool, _: i64) {
        self.penalty(score);
    }

    fn penalty(&mut self, score: u32) {
        self.score += u64::from(score) * self.repeats;
    }

    fn is_over_limit(&self) -> bool {
        self.score() > self.limit
    }
}

impl Text<'_> {
    /// The score word by word; `None` if it exceeds `limit`.
    pub(crate) fn score_by_word(&self, limit: u64, known: &WordScores) -> Option<u64> {
        let ascii = self.ascii.by_word(|script, letters| known.of(script, letters)).score;
        let score = self.ascii.shared + ascii;
        let mut sum = WordSum { known, limit, repeats: 1, score, wide_chars: WideChars::default() };
        if sum.is_over_limit() {
            return None;
        }
        for segment in self.segments.each() {
            sum.repeats = segment.repeats;
            if !visit(segment.tokens, segment.previous, &mut sum) || sum.is_over_limit() {
                return None;
            }
        }
        Some(sum.score()).filter(|score| *score <= limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn words_of_one_and_of_two_letters_have_hashes_of_their_own() {
        let letters: Vec<Token> = "abcdefghijklmnopqrstuvwxyzäéñøşžбвгдежзиклмн".chars().map(Token::of).collect();
        let mut hashes: Vec<u64> = Vec::new();
        for script in 0..6 {
            for first in &letters {
                hashes.push(hash_of_letters(script, &[*first]));
                hashes.extend(letters.iter().map(|second| hash_of_letters(script, &[*first, *second])));
            }
        }
        let numbers: alloc::collections::BTreeSet<u8> = letters.iter().map(|letter| letter.number()).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), 6 * numbers.len() * (1 + numbers.len()));
    }
}
