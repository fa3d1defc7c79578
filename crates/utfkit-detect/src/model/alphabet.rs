//! The evidence of single characters for the language of a text.

use super::tables::{LATIN, MODEL, wide_scores};
use super::token::{BIT, Meaning, Token};

/// A bit for each language in Latin script.
pub(crate) type LatinSet = u64;

/// Above this score a letter is in foreign words only: once in 2,000 letters.
const RARE_LETTER: u32 = 11 * BIT;
/// The score of ideographs and syllables that a text seldom has.
const RARE_WIDE: u32 = 14 * BIT;

/// The languages that use a letter of Latin script. Those not in the model are all of them
/// for other characters.
pub(crate) fn latin_languages(c: char) -> LatinSet {
    let Meaning::Letter { script: LATIN, number } = Token::of(c).meaning() else { return LatinSet::MAX };
    let languages = MODEL.languages.iter().take_while(|language| language.script == LATIN);
    languages.enumerate().fold(0, |set, (at, language)| match language.unigram_score(number) {
        Some(score) if score <= RARE_LETTER => set | 1 << at,
        _ => set,
    })
}

/// The languages that have many letters that other languages are misread as.
pub(crate) fn icelandic() -> LatinSet {
    let is_icelandic = |name| matches!(name, "is" | "fo");
    MODEL
        .languages
        .iter()
        .take(LatinSet::BITS as usize)
        .enumerate()
        .fold(0, |set, (at, language)| if is_icelandic(language.name) { set | 1 << at } else { set })
}

/// True for an ideograph or syllable that is rare in every language.
pub(crate) fn is_rare_wide(c: char) -> bool {
    wide_scores(c.into()).iter().all(|score| *score >= RARE_WIDE)
}

/// The score of an ideograph or syllable in the language that has it most, in bits.
pub(crate) fn wide_score(c: char) -> u32 {
    wide_scores(c.into()).iter().min().map_or(0, |score| score / BIT)
}

/// True for a letter that no language of the model has.
pub(crate) fn is_foreign_letter(c: char) -> bool {
    c.is_alphabetic() && !is_letter(c)
}

/// True for a letter, ideograph, kana or syllable of a script of the model.
pub(crate) fn is_letter(c: char) -> bool {
    match Token::of(c).meaning() {
        // The model lacks `μ`.
        Meaning::Sign { .. } => matches!(c, '\u{370}'..='\u{3FF}') && c.is_alphabetic(),
        _ => true,
    }
}
