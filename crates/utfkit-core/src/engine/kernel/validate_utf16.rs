//! Validation of UTF-16.
//!
//! # The idea
//!
//! UTF-16 is well-formed where each low surrogate has a high one before it and
//! nothing else has: of each two neighbours,
//!
//! ```text
//! error = prev is a high surrogate  xor  own is a low one
//! ```
//!
//! and before the first unit and after the last one there is no
//! surrogate. That is two loads and a few operations without a state or a
//! branch, so that text full of pairs costs what any other costs.
//!
//! A group of registers without a surrogate is told by less: the least of its
//! units, moved such that the surrogates come first.
//!
//! ```text
//! D800-DFFF  + A800 =  8000-87FF, signed the lowest
//! ```

use super::lanes::{any_same16, had_surrogate, lower16};
use crate::engine::memory::copy_short;
use crate::engine::simd::dispatch::{Entries, Kernel, run, run_entries};
use crate::engine::simd::ops::{Blocks, Simd};
use utfkit_forms::scalar::bytes::{Little, Unit};
use utfkit_forms::scalar::utf16::{is_high, is_low};

/// A length in bytes up to which the UTF-16 in `src` is well-formed: all of it, or a boundary between
/// characters less than a group of registers before the first error. An odd byte at the end
/// is ignored.
#[inline(always)]
pub(crate) fn well_formed_prefix(src: &[u8]) -> usize {
    static ENTRIES: Entries<(), usize> = Entries::of::<Short>();
    run_entries(&ENTRIES, &src[..src.len() & !1], &mut [], ())
}

/// A short source. All others are for [`long`], so that this function saves no registers for them.
struct Short;

impl Kernel for Short {
    type Arg = ();
    type Output = usize;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], _: &mut [u8], (): ()) -> usize {
        if src.len() <= SHORT && is_short_well_formed(s, src) { src.len() } else { long(src) }
    }
}

#[inline(never)]
fn long(src: &[u8]) -> usize {
    run::<Validate>(src, &mut [], ())
}

struct Validate;

impl Kernel for Validate {
    type Arg = ();
    type Output = usize;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], _: &mut [u8], (): ()) -> usize {
        match validate(s, src) {
            Ok(()) => src.len(),
            // Before `at` each surrogate has its other half, but the last unit
            // may be one that waits for it.
            Err(at) if at > 0 && is_high(u16::read::<Little>(&src[at - PREV..])) => at - PREV,
            Err(at) => at,
        }
    }
}

/// The bytes of the longest source that is looked at register by register.
const SHORT: usize = 512;

/// True if there is no surrogate, as in most strings, or if the source is less than a register and
/// all surrogates are paired.
#[inline(always)]
fn is_short_well_formed<S: Simd>(s: S, src: &[u8]) -> bool {
    if S::IS_BLOCK && src.len() <= S::LANES {
        let units = s.load_padded(src, 0);
        if !any_same16(s, s.and(units, s.splat16(0xF800)), s.splat16(0xD800)) {
            return true;
        }
        let (high, low) = halves(s, units);
        return high << 1 == low;
    }
    let Some(last) = src.len().checked_sub(S::LANES) else {
        return !few_have_surrogate(src) || are_paired_by_unit(src);
    };
    let mut lowest = lower16(s, s.splat(0), s.load(src, last));
    // The last one may overlap the one before it, but is not looked at twice.
    for register in src[..src.len() - 1].chunks_exact(S::LANES) {
        lowest = lower16(s, lowest, s.load(register, 0));
    }
    !had_surrogate(s, lowest)
}

#[inline(always)]
fn are_paired_by_unit(src: &[u8]) -> bool {
    let mut units = src.as_chunks().0.iter().map(|unit| u16::from_le_bytes(*unit));
    while let Some(unit) = units.next() {
        if is_low(unit) || is_high(unit) && !units.next().is_some_and(is_low) {
            return false;
        }
    }
    true
}

/// Which units are high and which are low surrogates, a bit a unit.
#[inline(always)]
pub(super) fn halves<S: Simd>(s: S, units: S::V) -> (u64, u64) {
    let upper = s.and(units, s.splat16(0xFC00));
    (s.bits::<16>(s.same::<16>(upper, s.splat16(0xD800))), s.bits::<16>(s.same::<16>(upper, s.splat16(0xDC00))))
}

/// True if fewer bytes than a register of 32 have a surrogate.
#[inline(always)]
fn few_have_surrogate(src: &[u8]) -> bool {
    ends_have_surrogate::<16>(src)
        .or_else(|| ends_have_surrogate::<8>(src))
        .or_else(|| ends_have_surrogate::<4>(src))
        .or_else(|| ends_have_surrogate::<2>(src))
        .unwrap_or(false)
}

/// True if the first or the last `N` bytes have a surrogate; `None` if there are fewer bytes.
#[inline(always)]
fn ends_have_surrogate<const N: usize>(src: &[u8]) -> Option<bool> {
    let (first, last) = (src.first_chunk::<N>()?, src.last_chunk::<N>()?);
    let mut found = false;
    for i in (1..N).step_by(2) {
        // By the upper byte. All are asked, so that they are asked together.
        found |= (first[i] & 0xF8 == 0xD8) | (last[i] & 0xF8 == 0xD8);
    }
    Some(found)
}

/// Registers that share a branch.
const GROUP: usize = 4;
/// From here on registers are loaded from addresses that are their multiples.
const LONG: usize = 4096;
/// The bytes of the unit before.
const PREV: usize = 2;

/// Or where the registers begin of which one has an error.
#[inline(always)]
fn validate<S: Simd>(s: S, src: &[u8]) -> Result<(), usize> {
    if src.is_empty() {
        return Ok(());
    }
    if is_low(u16::read::<Little>(src)) {
        return Err(0);
    }
    let mut at = PREV;
    while let Some(group) = src.get(at - PREV..at + GROUP * S::LANES) {
        if has_surrogate(s, &group[PREV..]) {
            let mut errors = s.splat(0);
            for part in 0..GROUP / 2 {
                let (first, second) = (2 * part * S::LANES, (2 * part + 1) * S::LANES);
                errors = s.or(
                    errors,
                    if S::Blocks::AT_ONCE {
                        error_of_two(s, group, first)
                    } else {
                        s.or(error(s, group, first), error(s, group, second))
                    },
                );
            }
            if s.any_nonzero(errors) {
                return Err(at);
            }
        } else if is_high(u16::read::<Little>(group)) {
            return Err(at);
        }
        at += GROUP * S::LANES;
        // The others begin where a register would, by whole units; the first
        // one is looked at once more in part. Registers of 16 bytes gain
        // nothing.
        if S::LANES > 16 && at == PREV + GROUP * S::LANES && src.len() >= LONG {
            at -= (src[at..].as_ptr().addr() % S::LANES) & !1;
        }
    }
    while let Some(register) = src.get(at - PREV..at + S::LANES) {
        if s.any_nonzero(error(s, register, 0)) {
            return Err(at);
        }
        at += S::LANES;
    }
    // The last units and, after them, a zero.
    let error = if S::IS_BLOCK {
        let (prev, own) = (s.load_padded(&src[at - PREV..], 0), s.load_padded(&src[at..], 0));
        error_of(s, prev, own)
    } else {
        let mut rest = [0; 64 + PREV];
        copy_short(&src[at - PREV..], &mut rest);
        error(s, &rest, 0)
    };
    if s.any_nonzero(error) { Err(at) } else { Ok(()) }
}

/// True if the first [`GROUP`] registers of `units` have a surrogate.
#[inline(always)]
pub(super) fn has_surrogate<S: Simd>(s: S, units: &[u8]) -> bool {
    if S::Blocks::AT_ONCE {
        // The upper bytes of surrogates are D8 to DF.
        let moved = s.splat(0xD8_u8.wrapping_neg());
        let (a, b) = (upper_bytes(s, units, 0), upper_bytes(s, units, 2 * S::LANES));
        return S::Blocks::least(s, s.add::<8>(a, moved), s.add::<8>(b, moved)) < 8;
    }
    let mut lowest = s.splat(0);
    for part in 0..GROUP {
        lowest = lower16(s, lowest, s.load(units, part * S::LANES));
    }
    had_surrogate(s, lowest)
}

/// The upper bytes of the units in two registers.
#[inline(always)]
pub(super) fn upper_bytes<S: Simd>(s: S, units: &[u8], at: usize) -> S::V {
    let [_, upper] = S::Blocks::planes16(s, s.load(units, at), s.load(units, at + S::LANES));
    upper
}

/// FF where the upper byte of a unit is that of a high surrogate (D8) or of a low
/// one (DC).
#[inline(always)]
pub(super) fn half_by_upper<S: Simd>(s: S, upper: S::V, first: u8) -> S::V {
    // 0 where the upper six bits are equal.
    let rest = s.and(s.xor(upper, s.splat(first)), s.splat(0xFC));
    s.keep(s.ge(s.splat(0), rest), s.splat(0xFF))
}

/// [`error`] of two registers at once, by the upper bytes.
#[inline(always)]
fn error_of_two<S: Simd>(s: S, bytes: &[u8], at: usize) -> S::V {
    let (prev, own) = (upper_bytes(s, bytes, at), upper_bytes(s, bytes, at + PREV));
    s.xor(half_by_upper(s, prev, 0xD8), half_by_upper(s, own, 0xDC))
}

/// Not zero where the unit after `at` and the one at `at` are not what the
/// other one asks for.
#[inline(always)]
fn error<S: Simd>(s: S, bytes: &[u8], at: usize) -> S::V {
    error_of(s, s.load(bytes, at), s.load(bytes, at + PREV))
}

/// Not zero where `prev` is a high surrogate and `own`, the unit after it, no low one, or the
/// reverse.
///
/// A surrogate xor its header has no upper six bits. So 0400 minus the rest, saturated, is not 0
/// for a surrogate and 0 for any other unit.
#[inline(always)]
pub(super) fn error_of<S: Simd>(s: S, prev: S::V, own: S::V) -> S::V {
    let (upper, one) = (s.splat16(0xFC00), s.splat16(0x0400));
    let high = s.saturating_sub(one, s.xor(s.and(prev, upper), s.splat16(0xD800)));
    let low = s.saturating_sub(one, s.xor(s.and(own, upper), s.splat16(0xDC00)));
    s.xor(high, low)
}
