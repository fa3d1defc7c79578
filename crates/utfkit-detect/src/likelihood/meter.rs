//! What a text costs.

use alloc::vec::Vec;

use super::Script;
use super::letters::{Languages, TRIED};
use super::model::{ARABIC, HEBREW, LATIN, Language, THE_MODEL, WIDE, wide_costs};
use super::pieces::Pieces;
use super::plain::Plain;
use super::token::{BIT, Token};
use super::walk::{Take, Word, walk};

/// A word in a script that the language does not have: the switch, and each letter.
const SWITCH: u32 = 10 * BIT;
const FOREIGN: u32 = 7 * BIT;
/// An English word in another language.
const ENGLISH: u32 = 5 * BIT;
/// The text as one stored in the order of display.
const REVERSED: u64 = 6 * BIT as u64;

/// A text: its pieces, those that are plain, and the languages that it may be in.
#[derive(Clone, Copy)]
pub(crate) struct Text<'a> {
    pub(crate) pieces: Pieces<'a>,
    pub(crate) plain: &'a Plain,
    pub(crate) languages: Languages,
}

/// The language in which a text costs least.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Reading {
    /// There is not a word.
    #[default]
    None,
    /// One in ideographs, kana or Hangul.
    Wide,
    Language {
        number: u8,
        is_reversed: bool,
    },
}

/// What a text costs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    /// In [units](BIT).
    pub(crate) cost: u64,
    pub(super) reading: Reading,
}

impl Cost {
    /// The script of the language.
    pub(crate) fn script(&self) -> Option<Script> {
        match self.reading {
            Reading::None => None,
            Reading::Wide => Some(Script::Wide),
            Reading::Language { number, .. } => {
                Some(Script::ALL[usize::from(THE_MODEL.languages[usize::from(number)].script)])
            }
        }
    }
}

/// What a word costs in another language, and what in English, if that has its script and
/// it is less.
pub(super) fn elsewhere(script: u8, letters: &[Token]) -> (u32, u32) {
    let foreign = SWITCH + FOREIGN * u32::try_from(letters.len()).unwrap_or(u32::MAX);
    if script != LATIN {
        return (foreign, foreign);
    }
    let english = THE_MODEL.languages[0].word(letters.iter(), foreign);
    (foreign.min(english + ENGLISH), english)
}

/// What a word costs in a language.
#[inline]
pub(super) fn in_language(language: u8, script: u8, letters: &[Token], elsewhere: u32, english: u32) -> u32 {
    let own = &THE_MODEL.languages[usize::from(language)];
    match language {
        0 if script == LATIN => english.min(elsewhere),
        _ if own.script == script => own.word(letters.iter(), elsewhere),
        _ => elsewhere,
    }
}

/// Ideographs, kana and Hangul.
#[derive(Clone, Copy, Default)]
pub(super) struct Wides {
    count: u64,
    /// How many stretches of them there are.
    pub(super) stretches: u64,
    costs: [u64; WIDE],
}

impl Wides {
    pub(super) fn add(&mut self, code: u16, begins: bool, times: u64) {
        self.count += times;
        self.stretches += if begins { times } else { 0 };
        for (cost, each) in self.costs.iter_mut().zip(wide_costs(code.into())) {
            *cost += u64::from(each) * times;
        }
    }

    /// What they cost where the text is in another language, beside themselves.
    pub(super) fn foreign(&self) -> u64 {
        self.stretches * u64::from(SWITCH) + self.count * u64::from(ENGLISH)
    }

    /// What they cost in the language in which they cost least, and how much more
    /// than usual.
    pub(super) fn least(&self) -> (u64, i64) {
        let costs = THE_MODEL.wide.iter().zip(self.costs);
        costs.min_by_key(|(_, cost)| *cost).map_or((0, 0), |(wide, cost)| {
            let usual = u64::from(wide.fit) * self.count;
            (cost, cost.cast_signed() - usual.cast_signed())
        })
    }

    /// Where there are hardly any, they are not what the text is written in.
    pub(super) fn few(&self, words: u64) -> u64 {
        (words / 4).saturating_sub(self.stretches).min(4) * u64::from(ENGLISH)
    }

    /// The language in which they cost least.
    #[cfg(test)]
    pub(super) fn language(&self) -> &'static str {
        THE_MODEL.wide.iter().zip(self.costs).min_by_key(|(_, cost)| *cost).map_or("", |(wide, _)| wide.name)
    }

    pub(super) fn is_none(&self) -> bool {
        self.count == 0
    }
}

/// All of a text that is to be known before its words are weighed: most readings that
/// are wrong have signs and capitals where no text has them, and cost too much by these alone.
struct Gathered<'a> {
    /// What costs more is of no interest.
    most: u64,
    times: u64,
    common: u64,
    /// How many words there are.
    count: u64,
    wides: Wides,
    /// The letters of each word, and how often it is there.
    words: Vec<(&'a [Token], u8, u64)>,
}

impl<'a> Take<'a> for Gathered<'a> {
    #[inline]
    fn word(&mut self, word: &Word<'a>) {
        self.count += self.times;
        self.common += u64::from(word.case) * self.times;
        self.words.push((word.letters, word.script, self.times));
    }

    #[inline]
    fn wide(&mut self, code: u16, begins: bool) {
        self.wides.add(code, begins, self.times);
    }

    #[inline]
    fn sign(&mut self, cost: u32, _: bool, _: i64) {
        self.common += u64::from(cost) * self.times;
    }

    #[inline]
    fn common(&mut self, cost: u32) {
        self.common += u64::from(cost) * self.times;
    }

    fn is_enough(&self) -> bool {
        self.common + self.wides.least().0 > self.most
    }
}

/// What the words of a text cost in a language.
#[derive(Clone, Copy)]
struct Tried {
    number: u8,
    language: &'static Language,
    cost: u64,
    /// The same from right to left, where the language was stored so.
    reversed: Option<u64>,
}

impl Tried {
    #[inline]
    fn add(&mut self, script: u8, letters: &[Token], elsewhere: u32, english: u32, times: u64) {
        let is_own = self.language.script == script;
        let cost = match self.number {
            0 if is_own => english.min(elsewhere),
            _ if is_own => self.language.word(letters.iter(), elsewhere),
            _ => elsewhere,
        };
        self.cost += u64::from(cost) * times;
        if let Some(reversed) = &mut self.reversed {
            let back = if is_own { self.language.word(letters.iter().rev(), elsewhere) } else { elsewhere };
            *reversed += u64::from(back) * times;
        }
    }

    /// The less of both, and whether it is that from right to left.
    #[inline]
    fn least(&self) -> (u64, bool) {
        match self.reversed {
            Some(reversed) if reversed + REVERSED < self.cost => (reversed + REVERSED, true),
            _ => (self.cost, false),
        }
    }
}

impl Text<'_> {
    /// What the text costs; `None` if that is more than `most`.
    pub(crate) fn cost(&self, most: u64) -> Option<Cost> {
        let plain = self.plain;
        let mut all = Gathered {
            most,
            times: 1,
            common: plain.common,
            count: plain.count,
            wides: Wides::default(),
            // More of them is rare.
            words: Vec::with_capacity(self.pieces.cuts.len() + self.pieces.tokens.len() / 4),
        };
        for (tokens, before, times) in self.pieces.each() {
            all.times = times;
            if !walk(tokens, before, &mut all) || all.is_enough() {
                return None;
            }
        }
        let left = most.checked_sub(all.common)?;
        let has_wides = !all.wides.is_none();
        let wide = all.wides.least().0;
        // Single ideographs in another language are read by the others' table.
        let beside = if has_wides { wide + all.wides.foreign() } else { 0 };
        let beside_wide = wide + all.wides.few(all.count);
        let mut tried: Vec<Tried> = Vec::with_capacity(TRIED);
        tried.extend(self.languages.iter().map_while(|number| {
            let language = &THE_MODEL.languages[usize::from((*number)?)];
            Some(Tried {
                number: (*number)?,
                language,
                cost: beside + if language.script == LATIN { plain.in_language((*number)?) } else { plain.elsewhere },
                reversed: matches!(language.script, HEBREW | ARABIC).then_some(beside + plain.elsewhere),
            })
        }));
        if tried.is_empty() && !has_wides {
            return Some(Cost { cost: all.common, reading: Reading::None });
        }
        let mut as_wide = beside_wide + plain.elsewhere;
        let mut words = all.words.iter();
        loop {
            tried.retain(|tried| tried.least().0 <= left);
            if tried.is_empty() && (!has_wides || as_wide > left) {
                return None;
            }
            let Some(&(letters, script, times)) = words.next() else { break };
            let (elsewhere, english) = elsewhere(script, letters);
            as_wide += u64::from(elsewhere) * times;
            tried.iter_mut().for_each(|tried| tried.add(script, letters, elsewhere, english, times));
        }
        // With ideographs, the language is the one in which these cost least.
        let wide = (has_wides && as_wide <= left).then_some((as_wide, Reading::Wide));
        let languages = tried.iter().map(|tried| {
            let (cost, is_reversed) = tried.least();
            (cost, Reading::Language { number: tried.number, is_reversed })
        });
        let (cost, reading) = wide.into_iter().chain(languages).min_by_key(|(cost, _)| *cost)?;
        Some(Cost { cost: all.common + cost, reading })
    }
}
