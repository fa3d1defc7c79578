//! Which languages a text may be in, by its letters alone.

use alloc::vec::Vec;

use super::model::{BLOCKS_OF_LANGUAGES, LANES, LATIN, LETTERS, SCRIPTS, THE_MODEL};
use super::token::{BIT, Meaning, Token};

/// How many languages are tried to the end.
pub(super) const TRIED: usize = 4;

/// The numbers of languages.
pub(crate) type Languages = [Option<u8>; TRIED];

/// The letters of a text, and what they cost whatever stands before each.
#[derive(Clone)]
pub(crate) struct Letters {
    /// Enough for ten million letters.
    costs: [[u32; LANES]; BLOCKS_OF_LANGUAGES],
    in_script: [u64; SCRIPTS],
}

impl Letters {
    pub(crate) fn none() -> Letters {
        Letters { costs: [[0; LANES]; BLOCKS_OF_LANGUAGES], in_script: [0; SCRIPTS] }
    }

    /// Adds all that were counted.
    pub(crate) fn add_all(&mut self, tally: &Tally) {
        for &(script, number) in &tally.met {
            self.add_letter(script, number, tally.counts[place(script, number)]);
        }
    }

    /// Adds a token that is there so often.
    #[inline]
    pub(crate) fn add(&mut self, token: Token, times: u32) {
        if let Meaning::Letter { script, number } = token.meaning() {
            self.add_letter(script, number, times);
        }
    }

    fn add_letter(&mut self, script: u8, number: u8, mut times: u32) {
        self.in_script[usize::from(script)] += u64::from(times);
        let (first, each) = THE_MODEL.alone(script, number);
        while times > 0 {
            // Products of 16 bits each are many in a vector.
            let some = u16::try_from(times).unwrap_or(u16::MAX);
            for (costs, each) in self.costs[first..].iter_mut().zip(each) {
                for (cost, &each) in costs.iter_mut().zip(each) {
                    *cost = cost.wrapping_add(u32::from(some) * u32::from(each));
                }
            }
            times -= u32::from(some);
        }
    }

    /// Those languages in which the letters cost least, and how much that is.
    pub(crate) fn languages(&self) -> (Languages, u64) {
        // The cost, and below it the number of the language.
        let mut best = [u64::MAX; TRIED];
        let each = |script| u64::from(if script == usize::from(LATIN) { 5 * BIT } else { 9 * BIT });
        let all: u64 = self.in_script.iter().enumerate().map(|(script, letters)| letters * each(script)).sum();
        for (script, &letters) in self.in_script.iter().enumerate().filter(|(_, letters)| **letters > 0) {
            // What the letters of other scripts cost.
            let others = all - letters * each(script);
            let costs = self.costs[THE_MODEL.block_of_languages[script]..].as_flattened();
            for (language, &cost) in (THE_MODEL.first[script]..THE_MODEL.first[script + 1]).zip(costs) {
                let key = (u64::from(cost) + others) << 8 | language as u64;
                if key < best[TRIED - 1] {
                    let mut at = TRIED - 1;
                    while at > 0 && key < best[at - 1] {
                        best[at] = best[at - 1];
                        at -= 1;
                    }
                    best[at] = key;
                }
            }
        }
        let least = if best[0] == u64::MAX { 0 } else { best[0] >> 8 };
        (best.map(|key| if key == u64::MAX { None } else { Some(key as u8) }), least)
    }
}

/// How often each letter is there, where the same ones come again and again.
pub(crate) struct Tally {
    counts: [u32; LETTERS],
    /// Those that are there at all.
    met: Vec<(u8, u8)>,
}

impl Tally {
    pub(crate) fn none() -> Tally {
        Tally { counts: [0; LETTERS], met: Vec::new() }
    }

    /// Counts a token that is there so often.
    #[inline]
    pub(crate) fn add(&mut self, token: Token, times: u32) {
        if let Meaning::Letter { script, number } = token.meaning() {
            let count = &mut self.counts[place(script, number)];
            if *count == 0 {
                self.met.push((script, number));
            }
            *count += times;
        }
    }
}

/// The place of a letter among those of all scripts.
fn place(script: u8, number: u8) -> usize {
    THE_MODEL.row[usize::from(script)] + usize::from(number)
}
