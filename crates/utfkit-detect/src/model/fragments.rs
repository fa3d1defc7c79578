//! The score of a text without words: a keymap, a code table, patterns for hyphenation.
//!
//! There the order of letters says nothing, and how frequent they are says little: a table has
//! each letter once, whatever its language. So every letter has nearly the same score, and the
//! prior of the encoding decides among equals.

use super::scorer::Text;
use super::tables::{LATIN, MODEL, wide_scores};
use super::token::{BIT, Meaning, Token};
use super::unigrams::LetterCounts;
use super::visit::{Visitor, Word, visit};

/// The score of a letter or a sign that no language of the text suggests.
const CHARACTER: u32 = 8 * BIT;
/// The score of a letter in a word that has others in US-ASCII.
const IN_WORD: u32 = 5 * BIT;
/// A character with a higher score is a control.
const CONTROL: u32 = 22 * BIT;
/// Penalty for a letter of another script than Latin among US-ASCII.
const OTHER_SCRIPT: u32 = 4 * BIT;
/// Penalty for a stretch of ideographs among US-ASCII.
const WIDE_STRETCH: u32 = 6 * BIT;
/// Above this, the case of a word is unusual.
const UNUSUAL_CASE: u32 = 5 * BIT;

/// The characters beyond US-ASCII in a few languages.
struct Fragments {
    repeats: u64,
    score: u64,
    /// Letters alone, and those in a word with others in US-ASCII.
    letters: [LetterCounts; 2],
    count: u64,
}

impl Fragments {
    fn add(&mut self, score: u32, count: u64) {
        self.score += u64::from(score) * self.repeats;
        self.count += count * self.repeats;
    }

    fn add_letter(&mut self, letter: Token, is_in_word: bool) {
        let Meaning::Letter { script, .. } = letter.meaning() else { return };
        self.letters[usize::from(is_in_word)].add(letter, u32::try_from(self.repeats).unwrap_or(u32::MAX));
        self.add(if script == LATIN { score_alone(is_in_word) } else { CHARACTER + OTHER_SCRIPT }, 1);
    }

    /// By how much the letters score lower in a language; `None` if it lacks one of them.
    fn gain_in(&self, language: u8) -> Option<u64> {
        let language = &MODEL.languages[usize::from(language)];
        let mut gain = 0;
        for (letters, is_in_word) in self.letters.iter().zip([false, true]) {
            for (script, number, count) in letters.each() {
                let known = if language.script == script { language.unigram_score(number) } else { None };
                gain += u64::from(score_alone(is_in_word).saturating_sub(known?)) * u64::from(count);
            }
        }
        Some(gain)
    }
}

fn score_alone(is_in_word: bool) -> u32 {
    if is_in_word { IN_WORD } else { CHARACTER }
}

impl Visitor<'_> for Fragments {
    fn word(&mut self, word: &Word<'_>) {
        let is_in_word = word.non_ascii < word.len();
        for &letter in word.letters.iter().filter(|letter| letter.is_non_ascii()) {
            self.add_letter(letter, is_in_word);
        }
        if word.non_ascii > 0 && word.case_penalty > UNUSUAL_CASE {
            self.add(word.case_penalty - UNUSUAL_CASE, 0);
        }
    }

    fn wide(&mut self, code: u16, begins_stretch: bool) {
        let score = wide_scores(code.into()).into_iter().min().unwrap_or(0);
        self.add(score + if begins_stretch { WIDE_STRETCH } else { 0 }, 1);
    }

    fn sign(&mut self, score: u32, is_distinct: bool, penalty: i64) {
        if is_distinct {
            // In a table, a sign may be anywhere.
            let score = if score < CONTROL { score.min(CHARACTER) } else { score };
            self.add(score, 1);
        } else if penalty > 0 {
            self.add(u32::try_from(penalty).unwrap_or(0), 0);
        }
    }

    fn penalty(&mut self, score: u32) {
        self.add(score, 0);
    }
}

impl Text<'_> {
    /// The mean score of a character beyond US-ASCII, in the best of the languages.
    pub(crate) fn mean_of_fragments(&self) -> u64 {
        let mut all = Fragments { repeats: 1, score: 0, letters: Default::default(), count: 0 };
        for segment in self.segments.each() {
            all.repeats = segment.repeats;
            visit(segment.tokens, segment.previous, &mut all);
        }
        let gain = self.languages.iter().flatten().filter_map(|language| all.gain_in(*language)).max();
        (all.score - gain.unwrap_or(0)) / all.count.max(1)
    }
}
