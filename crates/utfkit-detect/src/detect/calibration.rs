//! Probabilities: how often answers like one were right.

use alloc::vec::Vec;

use super::legacy::Guess;
use crate::model::BIT;

// Fitted by `model/calibrate.py` to texts from which the model was not made. In bits.

/// The weight of a bit of score, up to 4 bits behind the best reading, up to 16, and beyond:
/// letters are not independent, and a text may be unlike all of which the model was made.
const NEAR: f64 = 0.454;
const FAR: f64 = 0.560;
const FARTHER: f64 = 0.141;
/// The log-odds that no reading is right against the best one: of perfect text, for a penalty of
/// the half of what is allowed, for each further such half, for ill-formed sequences, and for
/// each halving of eight letters.
const NONE: f64 = -11.013;
const HALF_PENALTY: f64 = 4.633;
const FURTHER_PENALTY: f64 = 2.060;
const ILL_FORMED: f64 = 7.847;
const FEW_LETTERS: f64 = 0.210;

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
}

/// The probabilities of the legacy readings, the likeliest first.
pub(super) fn of_readings(guess: &Guess) -> Vec<f64> {
    let behind = guess.readings.iter().map(|reading| reading.behind as f64 / f64::from(BIT));
    let mut weights: Vec<f64> = core::iter::once(0.0).chain(behind).map(weight).collect();
    let sum: f64 = weights.iter().sum::<f64>() + Features::of(guess).weight_of_none();
    weights.iter_mut().for_each(|weight| *weight /= sum);
    weights
}

/// The weight of a reading whose score is that many bits behind the best.
fn weight(behind: f64) -> f64 {
    let part = |from: f64, to: f64| (behind.min(to) - from).max(0.0);
    exp2(-(NEAR * part(0.0, 4.0) + FAR * part(4.0, 16.0) + FARTHER * part(16.0, f64::MAX)))
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
        let weights: Vec<f64> = (0..120).map(|half| weight(f64::from(half) / 2.0)).collect();
        assert!(weights[0] == 1.0 && weights.is_sorted_by(|a, b| a >= b), "{weights:?}");
        assert!(of_utf8(1) >= 0.95 && of_utf8(8) > 0.999_999);
    }
}
