//! Units of 32 bits, a step at a time: what the conversions from UTF-32 share.
//!
//! No unit depends on its neighbours, so there are no windows here: a step is
//! as many units as are dealt with alike.

use super::OnFault;
use crate::memory::copy_short;
use crate::scalar::REPLACEMENT;
use crate::scalar::bytes::Order;
use crate::simd::ops::Simd;

/// The units of a step.
pub(super) const UNITS: usize = 32;

/// Their bytes.
pub(super) type Step = [u8; 4 * UNITS];

/// What is left of `src`, less than a step, with zeros behind it.
#[inline(always)]
pub(super) fn last_step(src: &[u8]) -> Step {
    let mut step = [0; 4 * UNITS];
    copy_short(src, &mut step);
    step
}

/// One register of the units of a step.
#[inline(always)]
pub(super) fn load<S: Simd, O: Order>(s: S, step: &Step, part: usize) -> S::V {
    let v = s.load(step, part * S::LANES);
    if O::BIG { s.swap32(v) } else { v }
}

/// All bits that are set in any unit.
#[inline(always)]
pub(super) fn all_bits<S: Simd, O: Order>(s: S, step: &Step) -> S::V {
    let mut all = load::<S, O>(s, step, 0);
    for part in 1..step.len() / S::LANES {
        all = s.or(all, load::<S, O>(s, step, part));
    }
    all
}

/// The units that are no scalar values, a bit a unit.
///
/// Two ranges become one if the bit pattern of the first surrogate is taken
/// away:
///
/// ```text
/// value              ^ D800             - 800
/// D800-DFFF          000-7FF            -800 to -1
/// others to 10FFFF   800-10FFFF         0-10F7FF
/// above              above 10FFFF       above 10F7FF
/// ```
///
/// What is no scalar value is then above 10F7FF as an unsigned number; with
/// the top bit flipped, as a signed one.
#[inline(always)]
pub(super) fn ill_formed<S: Simd, O: Order>(s: S, step: &Step) -> u64 {
    let mut bits = 0;
    for part in 0..step.len() / S::LANES {
        let v = s.xor(load::<S, O>(s, step, part), s.splat32(0xD800));
        let v = s.add32(v, s.splat32(0x8000_0000 - 0x800));
        bits |= s.bits32(s.gt32(v, 0x8010_F7FF)) << (part * S::LANES / 4);
    }
    bits
}

/// What is to become of a step's units.
pub(super) struct Verdict {
    /// No scalar values: a bit a unit.
    fault: u64,
    /// The units in front of which there is none that stops the conversion.
    keep: u64,
    /// The bytes to be read.
    pub(super) read: usize,
}

impl Verdict {
    /// Of a step of which `there` bytes are in the source.
    #[inline(always)]
    pub(super) fn new<F: OnFault>(fault: u64, there: usize, replaced: &mut bool) -> Verdict {
        let mut verdict = Verdict { fault, keep: !0, read: there };
        if fault != 0 {
            if F::STOP {
                let lane = fault.trailing_zeros() as usize;
                verdict.keep = (1 << lane) - 1;
                verdict.read = 4 * lane;
            } else {
                *replaced = true;
            }
        }
        verdict
    }

    /// The units of one register, with U+FFFD for those that are no scalar
    /// values, and zeros where they are not kept.
    #[inline(always)]
    pub(super) fn apply<S: Simd>(&self, s: S, v: S::V, part: usize) -> S::V {
        if self.fault == 0 {
            return v;
        }
        let of_part = |bits: u64| bits >> (part * S::LANES / 4);
        let v = s.select32(s.cond32(of_part(self.fault)), s.splat32(REPLACEMENT), v);
        s.select32(s.cond32(of_part(self.keep)), v, s.splat(0))
    }
}
