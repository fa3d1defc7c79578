//! The US-ASCII part of a text. Most encodings read it the same, so it is
//! scored once for all of them.

use alloc::vec::Vec;
use core::cell::Cell;

use super::foreign::{ForeignWord, foreign_word, word_in};
use super::segments::Segments;
use super::tables::{LANGUAGES, LATIN};
use super::token::Token;
use super::visit::{Visitor, Word, WordScore, visit};

/// The segments of a text that are in US-ASCII.
pub(crate) struct AsciiText {
    /// The letters of all words, concatenated.
    letters_of_words: Vec<Token>,
    words: Vec<AsciiWord>,
    /// The score shared by all languages: of signs and capitals.
    pub(super) shared: u64,
    /// The penalty of signs.
    pub(super) sign_penalty: i64,
    pub(super) word_count: u64,
    pub(super) letter_count: u64,
    /// The score of the words in a text of another script.
    pub(super) foreign: u64,
    /// The score of the words in each language, once it was asked for. Nothing without words.
    by_language: Vec<Cell<Option<u64>>>,
    by_word: Cell<Option<ByWord>>,
    /// Of the current segment.
    repeats: u64,
}

struct AsciiWord {
    from: usize,
    to: usize,
    repeats: u64,
    foreign: ForeignWord,
}

/// The words, each in the language in which it scores lowest.
#[derive(Clone, Copy, Default)]
pub(super) struct ByWord {
    pub(super) score: u64,
    /// By how much that exceeds the mean of those languages.
    pub(super) excess: i64,
}

impl AsciiText {
    pub(crate) fn empty() -> AsciiText {
        AsciiText {
            letters_of_words: Vec::new(),
            words: Vec::new(),
            shared: 0,
            sign_penalty: 0,
            word_count: 0,
            letter_count: 0,
            foreign: 0,
            by_language: Vec::new(),
            by_word: Cell::new(None),
            repeats: 1,
        }
    }

    pub(crate) fn of(segments: Segments<'_>) -> AsciiText {
        let mut text = AsciiText::empty();
        text.letters_of_words.reserve(segments.tokens.len());
        text.words.reserve(segments.ends.len());
        for segment in segments.each() {
            text.repeats = segment.repeats;
            visit(segment.tokens, segment.previous, &mut text);
        }
        if !text.words.is_empty() {
            text.by_language.resize(LANGUAGES, Cell::new(None));
        }
        text
    }

    /// The score shared by all languages.
    pub(crate) fn shared(&self) -> u64 {
        self.shared
    }

    /// The score of the words in a language.
    pub(super) fn in_language(&self, language: u8) -> u64 {
        let Some(known) = self.by_language.get(usize::from(language)) else { return 0 };
        if let Some(score) = known.get() {
            return score;
        }
        let score = |word: &AsciiWord| {
            let letters = &self.letters_of_words[word.from..word.to];
            u64::from(word_in(language, LATIN, letters, word.foreign)) * word.repeats
        };
        let score = self.words.iter().map(score).sum();
        known.set(Some(score));
        score
    }

    pub(super) fn by_word(&self, word_score: impl Fn(u8, &[Token]) -> WordScore) -> ByWord {
        if let Some(known) = self.by_word.get() {
            return known;
        }
        let sum = self.words.iter().fold(ByWord::default(), |sum, word| {
            let WordScore { score, expected } = word_score(LATIN, &self.letters_of_words[word.from..word.to]);
            let excess = i64::from(score) - i64::from(expected);
            ByWord {
                score: sum.score + u64::from(score) * word.repeats,
                excess: sum.excess + excess * word.repeats.cast_signed(),
            }
        });
        self.by_word.set(Some(sum));
        sum
    }
}

impl Visitor<'_> for AsciiText {
    fn word(&mut self, word: &Word<'_>) {
        let foreign = foreign_word(word.script, word.letters);
        let from = self.letters_of_words.len();
        self.letters_of_words.extend_from_slice(word.letters);
        self.words.push(AsciiWord { from, to: self.letters_of_words.len(), repeats: self.repeats, foreign });
        self.shared += u64::from(word.case_penalty) * self.repeats;
        self.foreign += u64::from(foreign.score) * self.repeats;
        self.word_count += self.repeats;
        self.letter_count += u64::from(word.len()) * self.repeats;
    }

    /// US-ASCII has none.
    fn wide(&mut self, _: u16, _: bool) {}

    fn sign(&mut self, score: u32, _: bool, penalty: i64) {
        self.shared += u64::from(score) * self.repeats;
        self.sign_penalty += penalty * self.repeats.cast_signed();
    }

    fn penalty(&mut self, score: u32) {
        self.shared += u64::from(score) * self.repeats;
    }
}
