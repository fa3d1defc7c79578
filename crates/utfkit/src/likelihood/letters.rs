//! Which languages a text may be in, by its letters alone.

use alloc::vec::Vec;

use super::model::{LANGUAGES, LATIN, SCRIPTS, THE_MODEL};
use super::token::{BIT, Token};

/// How many languages are tried to the end.
pub(super) const TRIED: usize = 4;

/// The numbers of languages.
pub(crate) type Languages = [Option<u8>; TRIED];

/// The letters of a text, and what they cost whatever stands before each.
#[derive(Clone)]
pub(crate) struct Letters {
    /// Enough for ten million letters.
    costs: [u32; LANGUAGES],
    in_script: [u64; SCRIPTS],
}

impl Letters {
    pub(crate) fn none() -> Letters {
        Letters { costs: [0; LANGUAGES], in_script: [0; SCRIPTS] }
    }

    /// The letters of `tokens`.
    pub(crate) fn of(tokens: &[Token]) -> Letters {
        let mut counts = [[0_u32; 256]; SCRIPTS];
        // In the order in which they are met.
        let mut met: Vec<(u8, u8)> = Vec::new();
        for token in tokens {
            if let &Token::Letter { script, number, .. } = token {
                let count = &mut counts[usize::from(script)][usize::from(number)];
                if *count == 0 {
                    met.push((script, number));
                }
                *count += 1;
            }
        }
        let mut letters = Letters::none();
        for (script, number) in met {
            letters.add_letter(script, number, counts[usize::from(script)][usize::from(number)]);
        }
        letters
    }

    /// Adds a token that is there so often.
    #[inline]
    pub(crate) fn add(&mut self, token: Token, times: u32) {
        if let Token::Letter { script, number, .. } = token {
            self.add_letter(script, number, times);
        }
    }

    fn add_letter(&mut self, script: u8, number: u8, mut times: u32) {
        self.in_script[usize::from(script)] += u64::from(times);
        let first = THE_MODEL.first[usize::from(script)];
        let each = THE_MODEL.alone(script, number);
        while times > 0 {
            // Products of 16 bits each are many in a vector.
            let some = u16::try_from(times).unwrap_or(u16::MAX);
            for (cost, &each) in self.costs[first..].iter_mut().zip(each) {
                *cost = cost.wrapping_add(u32::from(some) * u32::from(each));
            }
            times -= u32::from(some);
        }
    }

    /// Those languages in which the letters cost least, and how much that is.
    pub(crate) fn languages(&self) -> (Languages, u64) {
        let mut best = [(u64::MAX, None); TRIED];
        let each = |script| u64::from(if script == usize::from(LATIN) { 5 * BIT } else { 9 * BIT });
        let all: u64 = self.in_script.iter().enumerate().map(|(script, letters)| letters * each(script)).sum();
        for (script, &letters) in self.in_script.iter().enumerate().filter(|(_, letters)| **letters > 0) {
            // What the letters of other scripts cost.
            let others = all - letters * each(script);
            let languages = THE_MODEL.first[script]..THE_MODEL.first[script + 1];
            for (language, cost) in (0..).zip(&self.costs).skip(languages.start).take(languages.len()) {
                let cost = u64::from(*cost) + others;
                if cost < best[TRIED - 1].0
                    && let Some(at) = best.iter().position(|(other, _)| cost < *other)
                {
                    best[at..].rotate_right(1);
                    best[at] = (cost, Some(language));
                }
            }
        }
        let least = if best[0].1.is_some() { best[0].0 } else { 0 };
        (best.map(|(_, language)| language), least)
    }
}
