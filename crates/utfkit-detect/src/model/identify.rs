//! The language of a text that was decoded.

use alloc::vec::Vec;

use super::alphabet::latin_languages;
use super::foreign::foreign_word;
use super::scorer::{Scored, TextScore, WideChars};
use super::segments::{Segments, segments};
use super::tables::{LANGUAGES, LATIN, Language, MODEL, OF_SCRIPT, SCRIPTS, WIDE};
use super::token::{BIT, Token};
use super::tokens_of;
use super::visit::{Visitor, Word, visit};

/// A word or ideograph counts at most as often as this, so that what a program repeats does
/// not outweigh the rest.
const REPEATS: u32 = 4;

/// Languages of less than a thousandth of the Web's pages, with a prior in sixteenths of a bit:
/// short texts in larger neighbours often score as low in them.
const MINOR: [&str; 20] = [
    "ast", "br", "cy", "eo", "eu", "fo", "fy", "ga", "gd", "gl", "hsb", "kl", "kmr", "la", "lb", "oc", "rm", "se",
    "tl", "wa",
];
const OF_MINOR: u64 = 8 * BIT as u64;
/// The prior of all others where languages were told.
const NOT_TOLD: u64 = 8 * BIT as u64;

/// The languages of the model, as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LanguageSet(u128);

impl LanguageSet {
    /// Adds a language by the name that it has in the model.
    pub(crate) fn insert(&mut self, name: &str) {
        self.0 |= names().position(|known| known == name).map_or(0, |number| 1 << number);
    }

    fn contains(self, number: usize) -> bool {
        self.0 & 1 << number != 0
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if one of the languages uses a letter of Latin script.
    pub(crate) fn uses(self, letter: char) -> bool {
        self.0 & u128::from(latin_languages(letter)) != 0
    }

    /// True if the text was scored in one of these languages, or in none.
    pub(crate) fn may_contain(self, score: TextScore) -> bool {
        match score.language() {
            None => true,
            Some(Scored::Letters(number)) => self.contains(number.into()),
            // The score does not say in which.
            Some(Scored::Wide) => self.0 >> LANGUAGES != 0,
        }
    }
}

/// The names of the languages in the model, languages with letters first.
fn names() -> impl Iterator<Item = &'static str> {
    let letters = MODEL.languages.iter().map(|language| language.name);
    letters.chain(MODEL.wide.iter().map(|wide| wide.name))
}

/// The language in which a text scores lowest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Identified {
    /// Its name in the model.
    pub(crate) name: &'static str,
    /// By how many bits the next language scores higher, for all of the text.
    pub(crate) margin: u64,
    /// The letters or ideographs in the script of the language.
    pub(crate) letters: u64,
    /// By how much a letter scores higher than the mean of the language, in sixteenths of a bit.
    pub(crate) excess: i64,
    pub(crate) is_wide: bool,
}

#[derive(Default)]
struct Words<'a> {
    words: Vec<(u8, &'a [Token], u32)>,
    letters: [u64; SCRIPTS],
    wide: WideChars,
    wide_count: u64,
    repeats: u32,
}

impl<'a> Visitor<'a> for Words<'a> {
    fn word(&mut self, word: &Word<'a>) {
        self.letters[usize::from(word.script)] += u64::from(word.len() * self.repeats);
        self.words.push((word.script, word.letters, self.repeats));
    }

    fn wide(&mut self, code: u16, begins_stretch: bool) {
        self.wide_count += u64::from(self.repeats);
        self.wide.add(code, begins_stretch, self.repeats.into());
    }

    fn sign(&mut self, _: u32, _: bool, _: i64) {}

    fn penalty(&mut self, _: u32) {}
}

/// The language of `text`, probably one of those told; `None` without a letter.
pub(crate) fn identify(text: &[char], told: LanguageSet) -> Option<Identified> {
    let (tokens, ends) = tokens_of(text, &segments(text), Token::of);
    let mut found = Words::default();
    for segment in (Segments { tokens: &tokens, ends: &ends }).each() {
        found.repeats = segment.repeats.min(REPEATS.into()) as u32;
        visit(segment.tokens, segment.previous, &mut found);
    }
    // Texts of all scripts have English names, commands and markup.
    let weight = |script: usize, letters: u64| if script == 0 { letters } else { 4 * letters };
    let (script, letters) = found.letters.iter().copied().enumerate().max_by_key(|&(script, n)| weight(script, n))?;
    if 4 * found.wide_count > weight(script, letters) {
        return Some(found.in_ideographs());
    }
    if letters == 0 { None } else { found.in_letters(script, letters, told) }
}

impl Words<'_> {
    fn in_ideographs(&self) -> Identified {
        let mut scores: [(u64, usize); WIDE] = core::array::from_fn(|number| (self.wide.score_in(number), number));
        scores.sort_unstable();
        let (best, number) = scores[0];
        let expected = u64::from(MODEL.wide[number].mean) * self.wide_count;
        Identified {
            name: MODEL.wide[number].name,
            margin: (scores[1].0 - best) / u64::from(BIT),
            letters: self.wide_count,
            excess: mean(best.cast_signed() - expected.cast_signed(), self.wide_count),
            is_wide: true,
        }
    }

    fn in_letters(&self, script: usize, letters: u64, told: LanguageSet) -> Option<Identified> {
        let range = MODEL.first_language[script]..MODEL.first_language[script + 1];
        let prior = |number: usize| match MODEL.languages[number].name {
            _ if told.contains(number) => 0,
            name => {
                let of_minor = if MINOR.contains(&name) { OF_MINOR } else { 0 };
                of_minor + if told.is_empty() { 0 } else { NOT_TOLD }
            }
        };
        let mut pairs = Pairs::of(&MODEL.languages[range.clone()]);
        let mut sums = [0; OF_SCRIPT];
        for &(of, word, repeats) in self.words.iter().filter(|(of, ..)| usize::from(*of) == script) {
            let foreign = foreign_word(of, word);
            let mut scores = pairs.word(word);
            if of == LATIN {
                scores[0] = foreign.english;
            }
            for (sum, score) in sums.iter_mut().zip(scores) {
                *sum += u64::from(score.min(foreign.score) * repeats);
            }
        }
        let mut scores: Vec<(u64, usize)> =
            range.zip(sums).map(|(number, sum)| (prior(number) + sum, number)).collect();
        scores.sort_unstable();
        let &(best, number) = scores.first()?;
        let language = &MODEL.languages[number];
        // Vietnamese has a row for each of its forms.
        let is_same = |name: &str| name.trim_end_matches('+') == language.name.trim_end_matches('+');
        let next = scores.iter().find(|(_, other)| !is_same(MODEL.languages[*other].name));
        let expected = u64::from(language.mean) * letters;
        Some(Identified {
            name: language.name.trim_end_matches('+'),
            // A script with one language.
            margin: next.map_or(u64::MAX, |(next, _)| next - best) / u64::from(BIT),
            letters,
            excess: mean(best.cast_signed() - expected.cast_signed(), letters),
            is_wide: false,
        })
    }
}

/// The scores of pairs of letters in all languages of a script.
struct Pairs {
    languages: &'static [Language],
    /// By a hash: the last pair with it.
    known: Vec<(u32, [u16; OF_SCRIPT])>,
}

impl Pairs {
    fn of(languages: &'static [Language]) -> Pairs {
        Pairs { languages, known: alloc::vec![(0, [0; OF_SCRIPT]); 512] }
    }

    /// The scores of a word.
    fn word(&mut self, letters: &[Token]) -> [u32; OF_SCRIPT] {
        let mut sums = [0; OF_SCRIPT];
        let mut before = None;
        for letter in letters.iter().map(|letter| Some(letter.number())).chain([None]) {
            for (sum, score) in sums.iter_mut().zip(self.scores(before, letter)) {
                *sum += u32::from(*score);
            }
            before = letter;
        }
        sums
    }

    /// The scores of a letter after another, by their numbers; `None` is the begin or the end of a word.
    fn scores(&mut self, before: Option<u8>, letter: Option<u8>) -> &[u16; OF_SCRIPT] {
        let key = |number: Option<u8>| number.map_or(1, |number| 2 + u32::from(number));
        let pair = key(before) << 9 | key(letter);
        let slot = (key(before) * 29 + key(letter)) as usize % self.known.len();
        let (known, scores) = &mut self.known[slot];
        if *known != pair {
            *known = pair;
            for (score, language) in scores.iter_mut().zip(self.languages) {
                *score = language.pair(before, letter);
            }
        }
        scores
    }
}

fn mean(sum: i64, count: u64) -> i64 {
    sum / i64::try_from(count.max(1)).unwrap_or(i64::MAX)
}
