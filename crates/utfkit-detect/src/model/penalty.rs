//! How far a text is from ordinary text in the language in which it scores lowest.

use super::Evaluation;
use super::foreign::{BARE, word_in};
use super::scorer::{Reading, Text, TextScore, WideChars};
use super::tables::{LATIN, MODEL};
use super::token::{BIT, Token};
use super::visit::{Visitor, Word, WordScore, visit};
use super::word_list::{WordScores, hash_of_letters};
use crate::hashes::Hashes;

/// No word repeats a letter four times in a row.
const RUN: usize = 4;

type ScoreWord<'a> = &'a dyn Fn(u8, &[Token]) -> WordScore;

/// By how much words exceed the mean of their language.
#[derive(Default)]
struct WordPenalty {
    /// Distinct words with letters beyond US-ASCII, and the number of their letters.
    distinct: i64,
    letters: i64,
    odd: i64,
    /// Words in US-ASCII, which every reading has.
    ascii: i64,
    ascii_letters: i64,
}

impl WordPenalty {
    /// Less the penalty of the US-ASCII words for the same number of letters: names and rare
    /// words have one in every reading.
    fn of_latin(&self) -> i64 {
        if self.ascii_letters == 0 {
            return self.distinct;
        }
        let ordinary = self.ascii * self.letters / self.ascii_letters;
        self.distinct - ordinary.clamp(0, self.letters * i64::from(3 * BIT))
    }
}

struct PenaltyVisitor<'a> {
    score_word: ScoreWord<'a>,
    /// Of the current segment.
    repeats: u64,
    seen: Hashes,
    wide_chars: WideChars,
    letters: u64,
    distinct: u64,
    words: WordPenalty,
    /// Of signs and capitals.
    sign_penalty: i64,
    word_count: u64,
}

impl Visitor<'_> for PenaltyVisitor<'_> {
    fn word(&mut self, word: &Word<'_>) {
        self.word_count += self.repeats;
        self.letters += u64::from(word.non_ascii) * self.repeats;
        let len = i64::from(word.len());
        if word.non_ascii == 0 {
            let WordScore { score, expected } = (self.score_word)(word.script, word.letters);
            self.words.ascii += (i64::from(score) - i64::from(expected)) * self.repeats.cast_signed();
            self.words.ascii_letters += len * self.repeats.cast_signed();
            return;
        }
        if self.seen.insert(hash_of_letters(word.script, word.letters)) {
            let WordScore { score, expected } = (self.score_word)(word.script, word.letters);
            self.distinct += u64::from(word.non_ascii);
            self.words.distinct += i64::from(score) - i64::from(expected);
            self.words.letters += len;
            let is_bare = word.script == LATIN && word.non_ascii == word.len() && word.letters.len() >= BARE;
            let is_run = |row: &[Token]| row.iter().all(|letter| *letter == row[0]);
            if is_bare || word.letters.windows(RUN).any(is_run) {
                self.words.odd += len;
            }
            if word.case_penalty > 5 * BIT {
                self.sign_penalty += i64::from(word.case_penalty);
            }
        }
    }

    fn wide(&mut self, code: u16, begins_stretch: bool) {
        (self.letters, self.distinct) = (self.letters + self.repeats, self.distinct + self.repeats);
        self.wide_chars.add(code, begins_stretch, self.repeats);
    }

    fn sign(&mut self, _: u32, is_distinct: bool, penalty: i64) {
        self.distinct += if is_distinct { self.repeats } else { 0 };
        self.sign_penalty += penalty * self.repeats.cast_signed();
    }

    fn penalty(&mut self, _: u32) {}
}

impl<'a> Text<'a> {
    fn penalties(&self, score_word: ScoreWord<'a>) -> PenaltyVisitor<'a> {
        let mut visitor = PenaltyVisitor {
            score_word,
            repeats: 1,
            seen: Hashes::default(),
            wide_chars: WideChars::default(),
            letters: 0,
            distinct: 0,
            words: WordPenalty::default(),
            sign_penalty: self.ascii.sign_penalty,
            word_count: self.ascii.word_count,
        };
        for segment in self.segments.each() {
            visitor.repeats = segment.repeats;
            visit(segment.tokens, segment.previous, &mut visitor);
        }
        visitor
    }

    /// Evaluates the text in the language of its score.
    pub(crate) fn evaluate(&self, score: TextScore) -> Evaluation {
        let score_word = |script: u8, letters: &[Token]| {
            let len = u32::try_from(letters.len()).unwrap_or(u32::MAX);
            let foreign = self.foreign_word(script, letters);
            match score.reading {
                Reading::None | Reading::Wide { .. } => WordScore { score: foreign.score, expected: 4 * BIT * len },
                Reading::Language { number, is_reversed } => {
                    let language = &MODEL.languages[usize::from(number)];
                    let score = if is_reversed && language.script == script {
                        language.word(letters.iter().rev(), foreign.score)
                    } else {
                        word_in(number, script, letters, foreign)
                    };
                    WordScore { score, expected: language.mean * len }
                }
            }
        };
        let mut found = self.penalties(&score_word);
        // Names in ideographs are plausible in any text, if they are ordinary ones.
        let wide = if found.wide_chars.is_empty() { 0 } else { found.wide_chars.best().excess };
        let penalty = match score.reading {
            Reading::None => 0,
            Reading::Wide { .. } => {
                found.words.distinct + wide + found.wide_chars.sparse_penalty(found.word_count).cast_signed()
            }
            Reading::Language { number, .. } => {
                let language = &MODEL.languages[usize::from(number)];
                let words = if language.script == LATIN {
                    found.words.ascii += self.ascii.in_language(number).cast_signed()
                        - (u64::from(language.mean) * self.ascii.letter_count).cast_signed();
                    found.words.ascii_letters += self.ascii.letter_count.cast_signed();
                    found.words.of_latin()
                } else {
                    found.words.distinct
                };
                words + wide
            }
        };
        #[cfg(test)]
        let language = match score.reading {
            Reading::None => None,
            Reading::Wide { .. } => Some(found.wide_chars.language()),
            Reading::Language { number, .. } => Some(MODEL.languages[usize::from(number)].name),
        };
        Evaluation {
            score: score.score,
            letters: found.letters,
            half_width: found.wide_chars.half_width,
            distinct: found.distinct,
            penalty: penalty + found.sign_penalty,
            word_excess: found.words.distinct,
            word_letters: found.words.letters,
            odd_letters: found.words.odd,
            wide_stretches: found.wide_chars.stretches,
            wide: found.wide_chars.count,
            wide_letters: found.wide_chars.letters,
            #[cfg(test)]
            language,
            script: score.script(),
        }
    }

    /// Evaluates the text word by word. `by_word` is its score, and `score` the one in a
    /// single language.
    pub(crate) fn evaluate_by_word(&self, by_word: u64, score: TextScore, words: &WordScores) -> Evaluation {
        let score_word = |script: u8, letters: &[Token]| words.of(script, letters);
        let mut found = self.penalties(&score_word);
        found.words.ascii += self.ascii.by_word(score_word).excess;
        found.words.ascii_letters += self.ascii.letter_count.cast_signed();
        let wide = found.wide_chars.best().excess;
        Evaluation {
            score: by_word,
            letters: found.letters,
            half_width: found.wide_chars.half_width,
            distinct: found.distinct,
            penalty: found.words.of_latin() + wide + found.sign_penalty,
            word_excess: found.words.distinct,
            word_letters: found.words.letters,
            odd_letters: found.words.odd,
            wide_stretches: found.wide_chars.stretches,
            wide: found.wide_chars.count,
            wide_letters: found.wide_chars.letters,
            #[cfg(test)]
            language: None,
            script: score.script(),
        }
    }
}
