//! Words in a text of another language.

use super::tables::{LATIN, MODEL};
use super::token::{BIT, Token};

/// Penalty for a word in a script that the language does not use.
pub(super) const SWITCH: u32 = 10 * BIT;
/// Each letter of such a word.
const FOREIGN_LETTER: u32 = 7 * BIT;
/// Penalty for `İ` in an English word: about that of a letter that the language lacks.
const DOTTED: u32 = 16 * BIT;
/// Penalty for an English word in another language.
pub(super) const ENGLISH: u32 = 5 * BIT;

/// Penalty for a name in any other language.
const NAME: u32 = 12 * BIT;
/// Shorter words may be without a letter of US-ASCII.
pub(super) const BARE: usize = 4;

/// The scores of a word in a text of another language.
#[derive(Clone, Copy)]
pub(super) struct ForeignWord {
    /// As English or as an unknown language, whichever is lower.
    pub(super) score: u32,
    /// As a word of an English text.
    pub(super) english: u32,
}

/// As [`foreign_word`], in a text with few words beyond US-ASCII. Most of these are names, and in one of all languages:
/// otherwise a letter that the language of the text lacks would be less likely than a sign within the word.
pub(super) fn name_in_text(script: u8, letters: &[Token]) -> ForeignWord {
    let found = foreign_word(script, letters);
    let is_non_ascii = |letter: &Token| letter.is_non_ascii();
    // Latin words have letters of US-ASCII.
    let is_bare = script == LATIN && letters.len() >= BARE && letters.iter().all(is_non_ascii);
    if is_bare || !letters.iter().any(is_non_ascii) {
        return found;
    }
    let script = usize::from(script);
    let languages = &MODEL.languages[MODEL.first_language[script]..MODEL.first_language[script + 1]];
    let limit = found.score.max(found.english).saturating_sub(NAME);
    let known = languages.iter().fold(limit, |best, language| best.min(language.word_within(letters, best))) + NAME;
    ForeignWord { score: found.score.min(known), english: found.english.min(known) }
}

pub(super) fn foreign_word(script: u8, letters: &[Token]) -> ForeignWord {
    let unknown = SWITCH + FOREIGN_LETTER * u32::try_from(letters.len()).unwrap_or(u32::MAX);
    if script != LATIN {
        return ForeignWord { score: unknown, english: unknown };
    }
    // No English word has it, though its lower case is `i`.
    let dotted = letters.iter().map(|letter| u32::from(*letter == MODEL.dotted_capital)).sum::<u32>();
    let english = (MODEL.languages[0].word(letters.iter(), unknown) + dotted * DOTTED).min(unknown);
    ForeignWord { score: unknown.min(english + ENGLISH), english }
}

/// The score of a word in a text of a language.
#[inline]
pub(super) fn word_in(language: u8, script: u8, letters: &[Token], foreign: ForeignWord) -> u32 {
    let own = &MODEL.languages[usize::from(language)];
    match language {
        0 if script == LATIN => foreign.english.min(foreign.score),
        _ if own.script == script => own.word(letters.iter(), foreign.score),
        _ => foreign.score,
    }
}
