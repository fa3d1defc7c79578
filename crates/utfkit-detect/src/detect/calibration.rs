//! Probabilities: how often answers like one were right.

use alloc::vec::Vec;

use super::certainty::Certainty;
use super::legacy::{Guess, Reading, TextKind, prior};
use crate::model::BIT;

// Fitted by `model/calibrate.py` to texts from which the model was not made. In bits.

/// The weight of a bit of score, up to 4 bits behind the best reading, up to 16, and beyond:
/// letters are not independent, and a text may be unlike all of which the model was made.
const NEAR: f64 = 0.454;
const FAR: f64 = 0.560;
const FARTHER: f64 = 0.141;
/// The log-odds that no reading is right against the best one: of perfect text, for a penalty of
/// half the limit, for each further half of it, for ill-formed sequences, and for
/// each halving of eight letters.
const NONE: f64 = -11.013;
const HALF_PENALTY: f64 = 4.633;
const FURTHER_PENALTY: f64 = 2.060;
const ILL_FORMED: f64 = 7.847;
const FEW_LETTERS: f64 = 0.210;

// Of answers that are a guess, fitted to these alone: to short texts, to old files of packages and to pieces of texts.
const GUESS_NEAR: f64 = 0.840;
const GUESS_FAR: f64 = 0.340;
const GUESS_FARTHER: f64 = 0.107;
const GUESS_NONE: f64 = -4.599;
const GUESS_HALF_PENALTY: f64 = 2.111;
const GUESS_FURTHER_PENALTY: f64 = -0.013;
const GUESS_ILL_FORMED: f64 = 6.136;
/// For a table or another text without words, words that hardly exist, and the rarest encodings.
const GUESS_FRAGMENTS: f64 = 2.460;
const GUESS_ODD: f64 = 1.859;
const GUESS_RARE: f64 = 4.065;
/// For a single letter, the most common encoding of a text and of a table, and letters that would be likely without other
/// evidence.
const GUESS_SINGLE: f64 = -3.164;
const GUESS_COMMON: f64 = -1.548;
const GUESS_COMMON_FRAGMENTS: f64 = -2.592;
const GUESS_LIKELY: f64 = -1.692;
/// The share that was right at some probabilities by these constants, and in a line between them.
const GUESS_RIGHT: [(f64, f64); 8] = [
    (0.00, 0.005),
    (0.25, 0.027),
    (0.35, 0.451),
    (0.50, 0.527),
    (0.65, 0.546),
    (0.80, 0.757),
    (0.90, 0.856),
    (1.00, 0.995),
];

/// The evidence that no reading is right.
#[derive(Clone, Copy, Debug)]
pub struct Features {
    /// The mean penalty, in halves of that which is allowed for text; at most 6.
    pub penalty: f64,
    /// The binary logarithm of the letters in distinct words, of eight at most.
    pub letters: f64,
    /// 1 if a sequence is ill-formed.
    pub ill_formed: f64,
}

impl Features {
    pub(super) fn of(guess: &Guess) -> Features {
        Features {
            penalty: (2.0 * guess.relative_penalty()).clamp(0.0, 6.0),
            letters: f64::from(guess.evaluation.distinct.clamp(1, 8).ilog2()),
            ill_formed: f64::from(u8::from(!guess.is_well_formed)),
        }
    }

    fn weight_of_none(&self) -> f64 {
        let bits = NONE
            + HALF_PENALTY * self.penalty.min(1.0)
            + FURTHER_PENALTY * (self.penalty - 1.0).max(0.0)
            + ILL_FORMED * self.ill_formed
            + FEW_LETTERS * (3.0 - self.letters);
        exp2(bits)
    }

    /// The weight for a guess. `others` are its further features.
    fn weight_of_no_guess(&self, others: &[f64; OTHERS.len()]) -> f64 {
        let bits = GUESS_NONE
            + GUESS_HALF_PENALTY * self.penalty.min(1.0)
            + GUESS_FURTHER_PENALTY * (self.penalty - 1.0).max(0.0)
            + GUESS_ILL_FORMED * self.ill_formed;
        exp2(bits + OTHERS.iter().zip(others).map(|(weight, feature)| weight * feature).sum::<f64>())
    }
}

/// The weights of [`others`].
const OTHERS: [f64; 7] =
    [GUESS_FRAGMENTS, GUESS_ODD, GUESS_RARE, GUESS_SINGLE, GUESS_COMMON, GUESS_COMMON_FRAGMENTS, GUESS_LIKELY];

/// The features of a guess that others lack.
pub(super) fn others(guess: &Guess) -> [f64; OTHERS.len()] {
    let prior = prior(guess.encoding).unwrap_or(RAREST).min(RAREST);
    let is_fragments = guess.kind == TextKind::Fragments;
    let [is_odd, is_single, is_common] =
        [2 * guess.evaluation.odd_letters > guess.evaluation.word_letters, guess.evaluation.distinct < 2, prior <= 1];
    let feature = |is_it: bool| f64::from(u8::from(is_it));
    [
        feature(is_fragments),
        feature(is_odd),
        f64::from(prior.saturating_sub(USUAL)) / f64::from(RAREST - USUAL),
        feature(is_single),
        feature(is_common && !is_fragments),
        feature(is_common && is_fragments),
        feature(guess.certainty() > Certainty::Guess),
    ]
}

/// The priors of usual and of the rarest encodings, in bits.
const USUAL: u32 = 3;
const RAREST: u32 = 10;

/// The probabilities of the legacy readings, the likeliest first. `is_guess` says that the answer is a guess.
pub(super) fn of_readings(guess: &Guess, is_guess: bool) -> Vec<f64> {
    let behind_of = |reading: &Reading| if is_guess { reading.behind } else { reading.behind_as_text };
    let behind = guess.readings.iter().map(|reading| behind_of(reading) as f64 / f64::from(BIT));
    let each = if is_guess { [GUESS_NEAR, GUESS_FAR, GUESS_FARTHER] } else { [NEAR, FAR, FARTHER] };
    let mut weights: Vec<f64> = core::iter::once(0.0).chain(behind).map(|behind| weight(behind, each)).collect();
    let features = Features::of(guess);
    let none = if is_guess { features.weight_of_no_guess(&others(guess)) } else { features.weight_of_none() };
    let sum: f64 = weights.iter().sum::<f64>() + none;
    weights.iter_mut().for_each(|weight| *weight /= sum);
    if is_guess && let Some(best) = weights.first().copied() {
        // If the best reading gains, the others lose as much. If it loses, "no reading" gains.
        let right = of_guess(best);
        let rest = if right < best { right / best } else { (1.0 - right) / (1.0 - best) };
        weights.iter_mut().for_each(|weight| *weight *= rest);
        weights[0] = right;
    }
    weights
}

/// The share that is right of guesses with this probability by the constants.
fn of_guess(probability: f64) -> f64 {
    let at = GUESS_RIGHT.iter().rposition(|(from, _)| *from <= probability).unwrap_or(0).min(GUESS_RIGHT.len() - 2);
    let [(from, low), (to, high)] = [GUESS_RIGHT[at], GUESS_RIGHT[at + 1]];
    low + (high - low) * (probability - from) / (to - from)
}

/// The weight of a reading whose score is that many bits behind the best.
fn weight(behind: f64, [near, far, farther]: [f64; 3]) -> f64 {
    let part = |from: f64, to: f64| (behind.min(to) - from).max(0.0);
    exp2(-(near * part(0.0, 4.0) + far * part(4.0, 16.0) + farther * part(16.0, f64::MAX)))
}

/// The probability of UTF-8 if `sequences` of several bytes are well-formed: in a legacy
/// encoding one in 6.6 pairs is, and UTF-8 is by far the more common.
pub(super) fn of_utf8(sequences: u64) -> f64 {
    1.0 - 0.02 * exp2(-2.733 * (sequences.clamp(1, 20) - 1) as f64)
}

/// 2 to the power of `bits`: there is no `exp2` without `std`.
fn exp2(bits: f64) -> f64 {
    let bits = bits.clamp(-1000.0, 1000.0);
    let whole = bits as i64 - i64::from(bits < 0.0);
    let x = (bits - whole as f64) * core::f64::consts::LN_2;
    let rest = 1.0 + x * (1.0 + x / 2.0 * (1.0 + x / 3.0 * (1.0 + x / 4.0 * (1.0 + x / 5.0 * (1.0 + x / 6.0)))));
    rest * f64::from_bits(((whole + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_are_those_of_std() {
        for tenths in -9000..9000 {
            let x = f64::from(tenths) / 10.0;
            assert!((exp2(x) / x.exp2() - 1.0).abs() < 1e-4, "{x}");
        }
    }

    #[test]
    fn more_bits_behind_weigh_less() {
        for each in [[NEAR, FAR, FARTHER], [GUESS_NEAR, GUESS_FAR, GUESS_FARTHER]] {
            let weights: Vec<f64> = (0..120).map(|half| weight(f64::from(half) / 2.0, each)).collect();
            assert!(weights[0] == 1.0 && weights.is_sorted_by(|a, b| a >= b), "{weights:?}");
        }
        assert!(of_utf8(1) >= 0.95 && of_utf8(8) > 0.999_999);
    }

    #[test]
    fn likelier_guesses_are_right_more_often() {
        let right: Vec<f64> = (0..=1000).map(|thousandth| of_guess(f64::from(thousandth) / 1000.0)).collect();
        assert!(right.is_sorted() && right[0] > 0.0 && right[1000] < 1.0, "{right:?}");
        for (probability, share) in GUESS_RIGHT {
            assert!((of_guess(probability) - share).abs() < 1e-9, "{probability}");
        }
    }
}
