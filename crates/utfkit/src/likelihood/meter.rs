//! What a text costs.

use alloc::vec::Vec;

use super::Script;
use super::letters::{Languages, TRIED};
use super::model::{ARABIC, HEBREW, LATIN, THE_MODEL, WIDE, wide_costs};
use super::plain::Plain;
use super::token::BIT;
use super::walk::{Pieces, Take, Word, walk};

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
    pub(crate) pieces: &'a dyn Pieces,
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

/// What a word costs in another language, and what in English, if that has its script.
pub(super) fn elsewhere(script: u8, numbers: &[u8]) -> (u32, u32) {
    let foreign = SWITCH + FOREIGN * u32::try_from(numbers.len()).unwrap_or(u32::MAX);
    if script != LATIN {
        return (foreign, foreign);
    }
    let english = THE_MODEL.languages[0].word(numbers.iter().copied());
    (foreign.min(english + ENGLISH), english)
}

/// What a word costs in a language.
#[inline]
pub(super) fn in_language(language: u8, script: u8, numbers: &[u8], elsewhere: u32, english: u32) -> u32 {
    let own = &THE_MODEL.languages[usize::from(language)];
    match language {
        0 if script == LATIN => english.min(elsewhere),
        _ if own.script == script => own.word(numbers.iter().copied()).min(elsewhere),
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

/// Sums up what a text costs in some languages at once.
struct Meter {
    /// The likeliest first.
    languages: Languages,
    /// What costs more is of no interest.
    most: u64,
    times: u64,
    common: u64,
    elsewhere: u64,
    own: [u64; TRIED],
    /// The same from right to left, where a language was stored so.
    reversed: [u64; TRIED],
    words: u64,
    wides: Wides,
}

impl Meter {
    /// Leaves out the languages in which it costs too much already, all except one.
    fn forget(&mut self) {
        let mut kept = 0;
        for at in 0..TRIED {
            let Some(language) = self.languages[at] else { break };
            let is_too_much = |cost: u64| cost + self.common > self.most;
            let is_out = is_too_much(self.own[at]) && (!is_stored_reversed(language) || is_too_much(self.reversed[at]));
            if !is_out || (kept == 0 && self.languages.get(at + 1).is_none_or(Option::is_none)) {
                self.languages[kept] = self.languages[at];
                (self.own[kept], self.reversed[kept]) = (self.own[at], self.reversed[at]);
                kept += 1;
            }
        }
        self.languages[kept..].fill(None);
    }

    /// The cost by what was taken so far. More of the text makes it no less.
    fn cost(&self) -> Cost {
        let mut least = Cost { cost: u64::MAX, reading: Reading::None };
        let mut take = |cost, reading| {
            if cost < least.cost {
                least = Cost { cost, reading };
            }
        };
        let (wide, foreign) = if self.wides.is_none() { (0, 0) } else { (self.wides.least().0, self.wides.foreign()) };
        // With ideographs, the language is the one in which these cost least.
        if !self.wides.is_none() {
            take(self.elsewhere + wide + self.wides.few(self.words), Reading::Wide);
        }
        for (at, number) in self.languages.into_iter().enumerate() {
            let Some(number) = number else { break };
            // Single ideographs in another language are read by the others' table.
            take(self.own[at] + wide + foreign, Reading::Language { number, is_reversed: false });
            if is_stored_reversed(number) {
                let cost = self.reversed[at] + wide + foreign + REVERSED;
                take(cost, Reading::Language { number, is_reversed: true });
            }
        }
        if least.reading == Reading::None {
            least.cost = 0;
        }
        Cost { cost: least.cost + self.common, ..least }
    }
}

fn is_stored_reversed(language: u8) -> bool {
    matches!(THE_MODEL.languages[usize::from(language)].script, HEBREW | ARABIC)
}

impl Take for Meter {
    #[inline]
    fn word(&mut self, word: &Word<'_>) {
        let &Word { script, numbers, case, .. } = word;
        self.words += self.times;
        self.common += u64::from(case) * self.times;
        let (elsewhere, english) = elsewhere(script, numbers);
        self.elsewhere += u64::from(elsewhere) * self.times;
        for (at, language) in self.languages.into_iter().enumerate() {
            let Some(language) = language else { break };
            let own = in_language(language, script, numbers, elsewhere, english);
            self.own[at] += u64::from(own) * self.times;
            if is_stored_reversed(language) {
                let model = &THE_MODEL.languages[usize::from(language)];
                let is_own = model.script == script;
                let back = if is_own { model.word(numbers.iter().rev().copied()) } else { elsewhere };
                self.reversed[at] += u64::from(back.min(elsewhere)) * self.times;
            }
        }
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
        self.most < u64::MAX && self.cost().cost > self.most
    }
}

impl Text<'_> {
    /// What the text costs; `None` if that is more than `most`.
    pub(crate) fn cost(&self, most: u64) -> Option<Cost> {
        let plain = self.plain;
        let own = |language: Option<u8>| match language {
            Some(language) if THE_MODEL.languages[usize::from(language)].script == LATIN => plain.in_language(language),
            Some(_) => plain.elsewhere,
            None => 0,
        };
        let mut meter = Meter {
            languages: self.languages,
            most,
            times: 1,
            common: plain.common,
            elsewhere: plain.elsewhere,
            own: self.languages.map(own),
            reversed: [plain.elsewhere; TRIED],
            words: plain.count,
            wides: Wides::default(),
        };
        if meter.is_enough() {
            return None;
        }
        meter.forget();
        let mut numbers = Vec::new();
        self.pieces.each(&mut |tokens, before, times| {
            meter.times = times;
            let goes_on = walk(tokens, before, &mut numbers, &mut meter) && !meter.is_enough();
            meter.forget();
            goes_on
        });
        Some(meter.cost()).filter(|cost| cost.cost <= most)
    }
}
