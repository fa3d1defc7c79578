//! The languages that the letters of a text suggest, each letter taken alone.

use alloc::vec::Vec;

use super::tables::{LANES, LANGUAGE_BLOCKS, LATIN, LETTERS, MODEL, SCRIPTS};
use super::token::{BIT, Meaning, Token};

/// How many languages are scored by bigrams.
pub(super) const BEST_LANGUAGES: usize = 4;

/// Numbers of languages, the likeliest first.
pub(crate) type Languages = [Option<u8>; BEST_LANGUAGES];

/// The likeliest languages by unigrams, and the score in the first.
pub(crate) struct RankedLanguages {
    pub(crate) languages: Languages,
    pub(crate) best_score: u64,
}

/// The unigram scores of a text in all languages.
#[derive(Clone)]
pub(crate) struct Unigrams {
    /// Wide enough for ten million letters.
    scores: [[u32; LANES]; LANGUAGE_BLOCKS],
    letters_in_script: [u64; SCRIPTS],
}

impl Unigrams {
    pub(crate) fn none() -> Unigrams {
        Unigrams { scores: [[0; LANES]; LANGUAGE_BLOCKS], letters_in_script: [0; SCRIPTS] }
    }

    pub(crate) fn add_all(&mut self, counts: &LetterCounts) {
        counts.each().for_each(|(script, number, count)| self.add_letter(script, number, count));
    }

    #[inline]
    pub(crate) fn add(&mut self, token: Token, repeats: u32) {
        if let Meaning::Letter { script, number } = token.meaning() {
            self.add_letter(script, number, repeats);
        }
    }

    fn add_letter(&mut self, script: u8, number: u8, mut repeats: u32) {
        self.letters_in_script[usize::from(script)] += u64::from(repeats);
        let (first, each) = MODEL.unigrams(script, number);
        if repeats == 1 {
            let lanes = self.scores[first..].as_flattened_mut().iter_mut().zip(each.as_flattened());
            return lanes.for_each(|(score, &each)| *score += u32::from(each));
        }
        while repeats > 0 {
            // Products of 16-bit factors vectorize better.
            let some = u16::try_from(repeats).unwrap_or(u16::MAX);
            for (scores, each) in self.scores[first..].iter_mut().zip(each) {
                for (score, &each) in scores.iter_mut().zip(each) {
                    *score = score.wrapping_add(u32::from(some) * u32::from(each));
                }
            }
            repeats -= u32::from(some);
        }
    }

    pub(crate) fn ranked(&self) -> RankedLanguages {
        // Sort keys: the score, and the language in the low byte.
        let mut best = [u64::MAX; BEST_LANGUAGES];
        let foreign_letter = |script| u64::from(if script == usize::from(LATIN) { 5 * BIT } else { 9 * BIT });
        let in_script = self.letters_in_script.iter().enumerate();
        let all: u64 = in_script.clone().map(|(script, letters)| letters * foreign_letter(script)).sum();
        for (script, &letters) in in_script.filter(|(_, letters)| **letters > 0) {
            let foreign = all - letters * foreign_letter(script);
            let scores = self.scores[MODEL.first_block[script]..].as_flattened();
            for (language, &score) in (MODEL.first_language[script]..MODEL.first_language[script + 1]).zip(scores) {
                let key = (u64::from(score) + foreign) << 8 | language as u64;
                if key < best[BEST_LANGUAGES - 1] {
                    let mut at = BEST_LANGUAGES - 1;
                    while at > 0 && key < best[at - 1] {
                        best[at] = best[at - 1];
                        at -= 1;
                    }
                    best[at] = key;
                }
            }
        }
        let best_score = if best[0] == u64::MAX { 0 } else { best[0] >> 8 };
        let languages = best.map(|key| if key == u64::MAX { None } else { Some(key as u8) });
        RankedLanguages { languages, best_score }
    }
}

/// Counts of the letters of a text: cheaper than adding their scores one by one.
pub(crate) struct LetterCounts {
    counts: [u32; LETTERS],
    /// The letters with a count.
    met: Vec<(u8, u8)>,
}

impl Default for LetterCounts {
    fn default() -> LetterCounts {
        LetterCounts { counts: [0; LETTERS], met: Vec::new() }
    }
}

impl LetterCounts {
    #[inline]
    pub(crate) fn add(&mut self, token: Token, repeats: u32) {
        if let Meaning::Letter { script, number } = token.meaning() {
            let count = &mut self.counts[index(script, number)];
            if *count == 0 {
                self.met.push((script, number));
            }
            *count += repeats;
        }
    }

    /// The script, the number and the count of each letter.
    pub(super) fn each(&self) -> impl Iterator<Item = (u8, u8, u32)> {
        self.met.iter().map(|&(script, number)| (script, number, self.counts[index(script, number)]))
    }
}

/// The index of a letter among the letters of all scripts.
fn index(script: u8, number: u8) -> usize {
    MODEL.first_letter[usize::from(script)] + usize::from(number)
}
