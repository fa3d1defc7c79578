//! What of a text is in US-ASCII, and so the same in most encodings: it is
//! weighed once.

use alloc::vec::Vec;
use core::cell::Cell;

use super::meter::{elsewhere, in_language};
use super::model::{LANGUAGES, LATIN};
use super::pieces::Pieces;
use super::token::Token;
use super::walk::{Take, Word, walk};

/// Pieces of a text that are in US-ASCII.
pub(crate) struct Plain {
    /// All letters of all words, one after the other.
    letters_of_words: Vec<Token>,
    words: Vec<PlainWord>,
    pub(super) common: u64,
    /// What is strange about signs.
    pub(super) strange: i64,
    /// How many words and letters there are.
    pub(super) count: u64,
    pub(super) letters: u64,
    /// What the words cost as those of another language.
    pub(super) elsewhere: u64,
    /// What they cost in a language, once that was asked for.
    costs: [Cell<Option<u64>>; LANGUAGES],
    by_word: Cell<Option<(u64, i64)>>,
    times: u64,
}

/// A word, and how often it is there.
struct PlainWord {
    from: usize,
    to: usize,
    times: u64,
    elsewhere: u32,
    english: u32,
}

impl Plain {
    /// Nothing.
    pub(crate) fn none() -> Plain {
        Plain {
            letters_of_words: Vec::new(),
            words: Vec::new(),
            common: 0,
            strange: 0,
            count: 0,
            letters: 0,
            elsewhere: 0,
            costs: [const { Cell::new(None) }; LANGUAGES],
            by_word: Cell::new(None),
            times: 1,
        }
    }

    /// These pieces, which are in US-ASCII.
    pub(crate) fn of(pieces: Pieces<'_>) -> Plain {
        let mut plain = Plain::none();
        plain.letters_of_words.reserve(pieces.tokens.len());
        plain.words.reserve(pieces.cuts.len());
        for (tokens, before, times) in pieces.each() {
            plain.times = times;
            walk(tokens, before, &mut plain);
        }
        plain
    }

    /// What costs the same in every language.
    pub(crate) fn common(&self) -> u64 {
        self.common
    }

    /// What the words cost in a language.
    pub(super) fn in_language(&self, language: u8) -> u64 {
        let known = &self.costs[usize::from(language)];
        if let Some(cost) = known.get() {
            return cost;
        }
        let cost = |word: &PlainWord| {
            let letters = &self.letters_of_words[word.from..word.to];
            u64::from(in_language(language, LATIN, letters, word.elsewhere, word.english)) * word.times
        };
        let cost = self.words.iter().map(cost).sum();
        known.set(Some(cost));
        cost
    }

    /// What the words cost, each in the language that suits it, and how much more
    /// than usual.
    pub(super) fn by_word(&self, of_word: impl Fn(u8, &[Token]) -> (u32, u32)) -> (u64, i64) {
        if let Some(known) = self.by_word.get() {
            return known;
        }
        let sum = self.words.iter().fold((0, 0), |(sum, odd), word| {
            let (cost, usual) = of_word(LATIN, &self.letters_of_words[word.from..word.to]);
            let more = i64::from(cost) - i64::from(usual);
            (sum + u64::from(cost) * word.times, odd + more * word.times.cast_signed())
        });
        self.by_word.set(Some(sum));
        sum
    }
}

impl Take<'_> for Plain {
    fn word(&mut self, word: &Word<'_>) {
        let (elsewhere, english) = elsewhere(word.script, word.letters);
        let from = self.letters_of_words.len();
        self.letters_of_words.extend_from_slice(word.letters);
        self.words.push(PlainWord { from, to: self.letters_of_words.len(), times: self.times, elsewhere, english });
        self.common += u64::from(word.case) * self.times;
        self.elsewhere += u64::from(elsewhere) * self.times;
        self.count += self.times;
        self.letters += u64::from(word.len()) * self.times;
    }

    /// There is none in US-ASCII.
    fn wide(&mut self, _: u16, _: bool) {}

    fn sign(&mut self, cost: u32, _: bool, strange: i64) {
        self.common += u64::from(cost) * self.times;
        self.strange += strange * self.times.cast_signed();
    }

    fn common(&mut self, cost: u32) {
        self.common += u64::from(cost) * self.times;
    }
}
