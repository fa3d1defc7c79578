//! Units of 32 bits, a step at a time: what the conversions from UTF-32 share.
//!
//! No unit depends on its neighbours, so there are no windows: a step is a group of units that is
//! converted in one way.

use crate::engine::memory::{Aligned, copy_short};
use crate::engine::progress::OnError;
use crate::engine::simd::ops::{Blocks, Simd};
use utfkit_forms::scalar::REPLACEMENT;

/// The bytes of a step, on every instruction set.
pub(super) const STEP: usize = 128;

/// The bytes of a pair of registers: what becomes one register if the units
/// are narrowed to 16 bits. A step is one pair or more.
#[inline(always)]
pub(super) const fn pair_len<S: Simd>() -> usize {
    2 * S::LANES
}

/// The rest of `src`, at most a step, padded with zeros.
#[inline(always)]
pub(super) fn last_step(src: &[u8]) -> Aligned<STEP> {
    let mut step = Aligned([0; STEP]);
    copy_short(src, &mut step.0);
    step
}

/// One register of the units of a step.
#[inline(always)]
pub(super) fn load<S: Simd>(s: S, units: &[u8; STEP], part: usize) -> S::V {
    s.load(units, part * S::LANES)
}

/// All bits that are set in any unit of a step.
#[inline(always)]
pub(super) fn all_bits<S: Simd>(s: S, units: &[u8; STEP]) -> S::V {
    let mut all = s.load(units, 0);
    for part in 1..STEP / S::LANES {
        all = s.or(all, s.load(units, part * S::LANES));
    }
    all
}

/// The units that are not scalar values.
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
/// Ill-formed units are then above 10F7FF as unsigned numbers, and, with the top bit flipped, as
/// signed ones.
#[inline(always)]
pub(super) fn ill_formed<S: Simd>(s: S, v: S::V) -> S::C {
    let v = s.xor(v, s.splat32(0xD800));
    s.gt::<32>(s.add::<32>(v, s.splat32(0x8000_0000 - 0x800)), s.splat32(0x8010_F7FF))
}

/// The units of a pair of registers that are not scalar values, a bit a unit.
#[inline(always)]
pub(super) fn errors<S: Simd>(s: S, [lower, upper]: [S::V; 2]) -> u64 {
    let (lower, upper) = (ill_formed(s, lower), ill_formed(s, upper));
    let any = s.either(lower, upper);
    // Masks of bits are dear with `AT_ONCE`, and there is hardly ever one.
    let is_clean = match S::Blocks::AT_ONCE {
        true => !s.any_nonzero(s.select::<32>(any, s.splat(0xFF), s.splat(0))),
        false => s.bits::<32>(any) == 0,
    };
    if is_clean {
        return 0;
    }
    s.bits::<32>(lower) | s.bits::<32>(upper) << (S::LANES / 4)
}

/// Replaces the units in `error` by U+FFFD, or with [`OnError::Stop`] zeroes the units from the first
/// one on. Returns the units and the bytes read.
#[inline(always)]
pub(super) fn mend<S: Simd>(
    s: S,
    units: [S::V; 2],
    error: u64,
    on_error: OnError,
    replaced: &mut bool,
) -> ([S::V; 2], usize) {
    let (mut bits, mut instead, mut read) = (error, s.splat32(REPLACEMENT), pair_len::<S>());
    if on_error == OnError::Stop {
        let lane = error.trailing_zeros();
        (bits, instead, read) = (!0 << lane, s.splat(0), 4 * lane as usize);
    } else {
        *replaced = true;
    }
    let lower = s.select::<32>(s.cond::<32>(bits), instead, units[0]);
    let upper = s.select::<32>(s.cond::<32>(bits >> (S::LANES / 4)), instead, units[1]);
    ([lower, upper], read)
}
