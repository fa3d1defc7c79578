//! What a text costs where each word may be of another language, as in a list of
//! names.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::cell::RefCell;

use super::meter::{Text, Wides};
use super::model::THE_MODEL;
use super::token::{BIT, Token};
use super::walk::{Take, Word, walk};

/// A word in a language of its own, beside others in others.
const OF_ITS_OWN: u32 = 3 * BIT;

/// What words cost, each in the language that suits it: the readings of a text have many
/// in common.
#[derive(Default)]
pub(crate) struct Words {
    known: RefCell<BTreeMap<Vec<u8>, (u32, u32)>>,
}

impl Words {
    /// What a word costs, and what usual ones of that length do.
    pub(super) fn of(&self, script: u8, letters: &[Token]) -> (u32, u32) {
        let len = u32::try_from(letters.len()).unwrap_or(u32::MAX);
        let mut name = Vec::with_capacity(letters.len() + 1);
        name.push(script);
        name.extend(letters.iter().map(|letter| letter.number()));
        *self.known.borrow_mut().entry(name).or_insert_with(|| {
            let script = usize::from(script);
            let languages = &THE_MODEL.languages[THE_MODEL.first[script]..THE_MODEL.first[script + 1]];
            let least = languages.iter().fold((u32::MAX, 0), |least, language| {
                // What costs more is none the less told apart from what costs as much.
                let most = least.0.saturating_add(1);
                least.min((language.word(letters.iter(), most), language.fit * len))
            });
            (least.0 + OF_ITS_OWN, least.1)
        })
    }
}

struct Sum<'a> {
    known: &'a Words,
    most: u64,
    times: u64,
    cost: u64,
    wides: Wides,
}

impl Sum<'_> {
    fn cost(&self) -> u64 {
        self.cost + self.wides.least().0 + self.wides.foreign()
    }
}

impl Take<'_> for Sum<'_> {
    fn word(&mut self, word: &Word<'_>) {
        let (cost, _) = self.known.of(word.script, word.letters);
        self.cost += u64::from(cost + word.case) * self.times;
    }

    fn wide(&mut self, code: u16, begins: bool) {
        self.wides.add(code, begins, self.times);
    }

    fn sign(&mut self, cost: u32, _: bool, _: i64) {
        self.common(cost);
    }

    fn common(&mut self, cost: u32) {
        self.cost += u64::from(cost) * self.times;
    }

    fn is_enough(&self) -> bool {
        self.cost() > self.most
    }
}

impl Text<'_> {
    /// What the text costs so; `None` if that is more than `most`.
    pub(crate) fn cost_by_word(&self, most: u64, known: &Words) -> Option<u64> {
        let plain = self.plain.by_word(|script, letters| known.of(script, letters)).0;
        let cost = self.plain.common + plain;
        let mut sum = Sum { known, most, times: 1, cost, wides: Wides::default() };
        if sum.is_enough() {
            return None;
        }
        for (tokens, before, times) in self.pieces.each() {
            sum.times = times;
            if !walk(tokens, before, &mut sum) || sum.is_enough() {
                return None;
            }
        }
        Some(sum.cost()).filter(|cost| *cost <= most)
    }
}
