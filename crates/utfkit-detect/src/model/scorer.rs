//! The score of a text: the sum over its words, ideographs and signs.

use alloc::vec::Vec;

use super::Script;
use super::ascii::AsciiText;
use super::foreign::{ENGLISH, ForeignWord, SWITCH, foreign_word, name_in_text};
use super::segments::Segments;
use super::tables::{
    ARABIC, HALF_KANA_MEAN, HEBREW, JAPANESE, LATIN, Language, MODEL, WIDE, is_half_kana, wide_scores,
};
use super::token::{BIT, Token};
use super::unigrams::{BEST_LANGUAGES, Languages};
use super::visit::{Visitor, Word, visit};

/// Penalty for Hebrew or Arabic text stored in visual order.
const REVERSED: u64 = 6 * BIT as u64;

/// A text with no more segments beyond US-ASCII, and characters in them, may have them in names alone.
const FEW_SEGMENTS: usize = 4;
const FEW_TOKENS: usize = 160;

/// A text to score.
#[derive(Clone, Copy)]
pub(crate) struct Text<'a> {
    /// The segments that are not all US-ASCII.
    pub(crate) segments: Segments<'a>,
    /// The rest.
    pub(crate) ascii: &'a AsciiText,
    /// The languages to try.
    pub(crate) languages: Languages,
    /// True for a part of a longer text, whose languages these are: a few words in it need be no names.
    pub(crate) is_part: bool,
}

/// The language in which a text scores lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Reading {
    /// The text has no word.
    #[default]
    None,
    /// A language written in ideographs, kana or Hangul.
    Wide {
        is_japanese: bool,
        /// True if most characters are kana.
        is_kana: bool,
    },
    Language {
        number: u8,
        is_reversed: bool,
    },
}

/// The language in which a text was scored.
pub(super) enum Scored {
    Letters(u8),
    Wide,
}

/// The score of a text and the language behind it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TextScore {
    pub(crate) score: u64,
    pub(super) reading: Reading,
}

impl TextScore {
    /// The language, by its number; `None` without a word.
    pub(super) fn language(&self) -> Option<Scored> {
        match self.reading {
            Reading::None => None,
            Reading::Wide { .. } => Some(Scored::Wide),
            Reading::Language { number, .. } => Some(Scored::Letters(number)),
        }
    }

    pub(crate) fn is_japanese(&self) -> bool {
        matches!(self.reading, Reading::Wide { is_japanese: true, .. })
    }

    pub(crate) fn is_kana(&self) -> bool {
        matches!(self.reading, Reading::Wide { is_japanese: true, is_kana: true })
    }

    pub(crate) fn script(&self) -> Option<Script> {
        match self.reading {
            Reading::None => None,
            Reading::Wide { .. } => Some(Script::Wide),
            Reading::Language { number, .. } => {
                Some(Script::ALL[usize::from(MODEL.languages[usize::from(number)].script)])
            }
        }
    }
}

/// The ideographs, kana and Hangul of a text.
#[derive(Clone, Copy, Default)]
pub(super) struct WideChars {
    pub(super) count: u64,
    /// Of those, half-width katakana.
    pub(super) half_width: u64,
    /// Of those, kana and the letters of Hangul.
    pub(super) letters: u64,
    /// The number of uninterrupted stretches.
    pub(super) stretches: u64,
    /// In each of the languages.
    scores: [u64; WIDE],
}

/// In the language in which they score lowest.
pub(super) struct WideScore {
    pub(super) score: u64,
    /// By how much that exceeds the mean of the language.
    pub(super) excess: i64,
}

impl WideChars {
    pub(super) fn add(&mut self, code: u16, begins_stretch: bool, repeats: u64) {
        self.count += repeats;
        self.half_width += if is_half_kana(code) { repeats } else { 0 };
        self.letters += if (0x3041..=0x318E).contains(&code) { repeats } else { 0 };
        self.stretches += if begins_stretch { repeats } else { 0 };
        for (score, each) in self.scores.iter_mut().zip(wide_scores(code.into())) {
            *score += u64::from(each) * repeats;
        }
    }

    fn is_japanese(&self) -> bool {
        self.scores.iter().all(|score| self.scores[JAPANESE] <= *score)
    }

    fn reading(&self) -> Reading {
        Reading::Wide { is_japanese: self.is_japanese(), is_kana: 2 * self.letters > self.count }
    }

    /// The score in a language, by its number.
    pub(super) fn score_in(&self, number: usize) -> u64 {
        self.scores[number]
    }

    /// The penalty in a text of a language with letters.
    pub(super) fn foreign_penalty(&self) -> u64 {
        self.stretches * u64::from(SWITCH) + self.count * u64::from(ENGLISH)
    }

    pub(super) fn best(&self) -> WideScore {
        if self.is_empty() {
            return WideScore { score: 0, excess: 0 };
        }
        let scores = MODEL.wide.iter().zip(self.scores);
        scores.min_by_key(|(_, score)| *score).map_or(WideScore { score: 0, excess: 0 }, |(wide, score)| {
            let full_width = self.count - self.half_width;
            let expected = u64::from(wide.mean) * full_width + u64::from(HALF_KANA_MEAN) * self.half_width;
            WideScore { score, excess: score.cast_signed() - expected.cast_signed() }
        })
    }

    /// The penalty for taking a text of `words` words with few ideographs for one in
    /// ideographs.
    pub(super) fn sparse_penalty(&self, words: u64) -> u64 {
        (words / 4).saturating_sub(self.stretches).min(4) * u64::from(ENGLISH)
    }

    #[cfg(test)]
    pub(super) fn language(&self) -> &'static str {
        MODEL.wide.iter().zip(self.scores).min_by_key(|(_, score)| *score).map_or("", |(wide, _)| wide.name)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// First pass: collects the words and sums up everything else. Most wrong readings
/// have signs and capitals in unlikely places and exceed the limit here.
pub(super) struct Collector<'a> {
    limit: u64,
    /// Of the current segment.
    repeats: u64,
    /// The score shared by all languages.
    shared: u64,
    word_count: u64,
    wide_chars: WideChars,
    words: Vec<CollectedWord<'a>>,
}

struct CollectedWord<'a> {
    letters: &'a [Token],
    script: u8,
    repeats: u64,
}

impl<'a> Visitor<'a> for Collector<'a> {
    #[inline]
    fn word(&mut self, word: &Word<'a>) {
        self.word_count += self.repeats;
        self.shared += u64::from(word.case_penalty) * self.repeats;
        self.words.push(CollectedWord { letters: word.letters, script: word.script, repeats: self.repeats });
    }

    #[inline]
    fn wide(&mut self, code: u16, begins_stretch: bool) {
        self.wide_chars.add(code, begins_stretch, self.repeats);
    }

    #[inline]
    fn sign(&mut self, score: u32, _: bool, _: i64) {
        self.shared += u64::from(score) * self.repeats;
    }

    #[inline]
    fn penalty(&mut self, score: u32) {
        self.shared += u64::from(score) * self.repeats;
    }

    fn is_over_limit(&self) -> bool {
        self.shared + self.wide_chars.best().score > self.limit
    }
}

/// Second pass: the words of a text in one language.
#[derive(Clone, Copy)]
struct LanguageScore {
    number: u8,
    language: &'static Language,
    score: u64,
    /// With each word from right to left, for Hebrew and Arabic.
    reversed: Option<u64>,
}

impl LanguageScore {
    #[inline]
    fn add(&mut self, word: &CollectedWord<'_>, foreign: ForeignWord) {
        let is_own = self.language.script == word.script;
        let score = match self.number {
            0 if is_own => foreign.english.min(foreign.score),
            _ if is_own => self.language.word(word.letters.iter(), foreign.score),
            _ => foreign.score,
        };
        self.score += u64::from(score) * word.repeats;
        if let Some(reversed) = &mut self.reversed {
            let back =
                if is_own { self.language.word(word.letters.iter().rev(), foreign.score) } else { foreign.score };
            *reversed += u64::from(back) * word.repeats;
        }
    }

    fn best(&self) -> u64 {
        self.reversed.map_or(self.score, |reversed| self.score.min(reversed + REVERSED))
    }

    fn is_reversed(&self) -> bool {
        self.reversed.is_some_and(|reversed| reversed + REVERSED < self.score)
    }
}

impl<'a> Text<'a> {
    /// True if names may be all that is not US-ASCII.
    fn is_sparse(&self) -> bool {
        !self.is_part && self.segments.ends.len() <= FEW_SEGMENTS && self.segments.tokens.len() <= FEW_TOKENS
    }

    /// The scores of a word in a text of another language.
    pub(super) fn foreign_word(&self, script: u8, letters: &[Token]) -> ForeignWord {
        if self.is_sparse() { name_in_text(script, letters) } else { foreign_word(script, letters) }
    }

    /// The languages to try. Letters of names suggest theirs, where the text is in English.
    fn languages(&self) -> impl Iterator<Item = u8> {
        let found = self.languages.into_iter().flatten();
        let is_english = self.languages[0].is_none() || self.languages.contains(&Some(0)) || !self.is_sparse();
        found.chain((!is_english).then_some(0))
    }

    /// The score; `None` if it exceeds `limit`.
    pub(crate) fn score(&self, limit: u64) -> Option<TextScore> {
        self.score_with(&self.shared(limit)?, limit)
    }

    /// All but the scores of the words in the languages; `None` if it exceeds `limit`.
    pub(super) fn shared(&self, limit: u64) -> Option<Collector<'a>> {
        let ascii = self.ascii;
        let mut all = Collector {
            limit,
            repeats: 1,
            shared: ascii.shared,
            word_count: ascii.word_count,
            wide_chars: WideChars::default(),
            // Seldom more.
            words: Vec::with_capacity(self.segments.ends.len() + self.segments.tokens.len() / 4),
        };
        for segment in self.segments.each() {
            all.repeats = segment.repeats;
            if !visit(segment.tokens, segment.previous, &mut all) || all.is_over_limit() {
                return None;
            }
        }
        Some(all)
    }

    /// The score of a text of which all but the words is known.
    pub(super) fn score_with(&self, all: &Collector<'_>, limit: u64) -> Option<TextScore> {
        let ascii = self.ascii;
        let limit = limit.checked_sub(all.shared)?;
        let has_wide = !all.wide_chars.is_empty();
        let wide = all.wide_chars.best().score;
        // Single ideographs in a text of another language.
        let foreign_wide = if has_wide { wide + all.wide_chars.foreign_penalty() } else { 0 };
        let mut languages: Vec<LanguageScore> = Vec::with_capacity(BEST_LANGUAGES + 1);
        languages.extend(self.languages().map(|number| {
            let language = &MODEL.languages[usize::from(number)];
            let ascii_score = if language.script == LATIN { ascii.in_language(number) } else { ascii.foreign };
            LanguageScore {
                number,
                language,
                score: foreign_wide + ascii_score,
                reversed: matches!(language.script, HEBREW | ARABIC).then_some(foreign_wide + ascii.foreign),
            }
        }));
        if languages.is_empty() && !has_wide {
            return Some(TextScore { score: all.shared, reading: Reading::None });
        }
        let mut as_wide = wide + all.wide_chars.sparse_penalty(all.word_count) + ascii.foreign;
        let mut words = all.words.iter();
        loop {
            if languages.iter().any(|language| language.best() > limit) {
                languages.retain(|language| language.best() <= limit);
            }
            if languages.is_empty() && (!has_wide || as_wide > limit) {
                return None;
            }
            let Some(word) = words.next() else { break };
            let foreign = self.foreign_word(word.script, word.letters);
            as_wide += u64::from(foreign.score) * word.repeats;
            languages.iter_mut().for_each(|language| language.add(word, foreign));
        }
        let wide = (has_wide && as_wide <= limit).then(|| (as_wide, all.wide_chars.reading()));
        let languages = languages.iter().map(|language| {
            (language.best(), Reading::Language { number: language.number, is_reversed: language.is_reversed() })
        });
        let (score, reading) = wide.into_iter().chain(languages).min_by_key(|(score, _)| *score)?;
        Some(TextScore { score: all.shared + score, reading })
    }
}
