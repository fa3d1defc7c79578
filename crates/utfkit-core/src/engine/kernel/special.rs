//! Which units of a text are in a range of values: how much of its front has
//! none of them.
//!
//! A range is told by one subtraction: a unit less the first value of the range
//! is, without a sign, at most its span. Of bytes the ranges go up to FF, so
//! that a saturating subtraction leaves something; of 16-bit units the least
//! difference of a group tells. Nothing is asked but once a group.

use super::lanes::nonzero;
use core::marker::PhantomData;

use super::window::BLOCK;
use crate::engine::simd::dispatch::{Kernel, run};
use crate::engine::simd::ops::Simd;

/// The bytes that share a branch.
pub(crate) const GROUP: usize = 4 * BLOCK;

/// The length of the prefix of `src` whose bytes are below `from` and, with `nul`, not 00. It may be
/// shorter by less than a register at the end of `src`. 0 if there is no kernel.
#[inline]
pub(crate) fn bytes_without(src: &[u8], from: u8, nul: bool) -> usize {
    run::<Without<Bytes>>(src, &mut [], Bytes { from, nul })
}

/// Some values: `span` and one from `first` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range16 {
    pub(crate) first: u16,
    pub(crate) span: u16,
}

/// The length in bytes of the prefix of the UTF-16 in `src` that has no unit of any range, with the same
/// exceptions. The number of ranges is a constant, because a second one costs a tenth of the
/// time.
#[inline]
pub(crate) fn units_without<const N: usize>(src: &[u8], ranges: [Range16; N]) -> usize {
    run::<Without<[Range16; N]>>(src, &mut [], ranges)
}

/// A set of values, and how to find one in many registers at once.
trait Special: Copy {
    /// The state after some registers of a group.
    type Kept<S: Simd>: Copy;
    fn kept<S: Simd>(self, s: S) -> Self::Kept<S>;
    /// The state after one more register.
    fn keep<S: Simd>(self, s: S, kept: Self::Kept<S>, own: S::V) -> Self::Kept<S>;
    /// True if a value was in one of the registers.
    fn is_there<S: Simd>(self, s: S, kept: Self::Kept<S>) -> bool;
    /// Where it is first in one register: that bit, and perhaps some after it.
    fn first<S: Simd>(self, s: S, own: S::V) -> u64;
}

struct Without<T>(PhantomData<T>);

impl<T: Special> Kernel for Without<T> {
    type Arg = T;
    type Output = usize;
    const WIDEST: usize = 32;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], _: &mut [u8], special: T) -> usize {
        let mut at = 0;
        while let Some(group) = src.get(at..at + GROUP) {
            let mut kept = special.kept(s);
            for part in 0..GROUP / S::LANES {
                kept = special.keep(s, kept, s.load(group, part * S::LANES));
            }
            if special.is_there(s, kept) {
                break;
            }
            at += GROUP;
        }
        while let Some(register) = src.get(at..at + S::LANES) {
            let first = special.first(s, s.load(register, 0));
            if first != 0 {
                return at + first.trailing_zeros() as usize;
            }
            at += S::LANES;
        }
        at
    }
}

/// Bytes from `from` on, and 00, if `nul`.
#[derive(Clone, Copy)]
struct Bytes {
    from: u8,
    nul: bool,
}

impl Special for Bytes {
    type Kept<S: Simd> = S::V;

    #[inline(always)]
    fn kept<S: Simd>(self, s: S) -> S::V {
        s.splat(0)
    }

    #[inline(always)]
    fn keep<S: Simd>(self, s: S, found: S::V, own: S::V) -> S::V {
        // If NUL is special, everything is one less, and that is FF.
        let less = u8::from(self.nul);
        let own = s.add::<8>(own, s.splat(less.wrapping_neg()));
        s.or(found, s.saturating_sub(own, s.splat(self.from - 1 - less)))
    }

    #[inline(always)]
    fn is_there<S: Simd>(self, s: S, found: S::V) -> bool {
        s.any_nonzero(found)
    }

    #[inline(always)]
    fn first<S: Simd>(self, s: S, own: S::V) -> u64 {
        s.bits::<8>(nonzero(s, self.keep(s, self.kept(s), own)))
    }
}

/// Units of any range: the least of each, counted from the first value of the
/// range. The least is found with a sign: 8000 is the lowest.
impl<const N: usize> Special for [Range16; N] {
    type Kept<S: Simd> = [S::V; N];

    #[inline(always)]
    fn kept<S: Simd>(self, s: S) -> [S::V; N] {
        [s.splat16(0x7FFF); N]
    }

    #[inline(always)]
    fn keep<S: Simd>(self, s: S, mut least: [S::V; N], own: S::V) -> [S::V; N] {
        for i in 0..N {
            let moved = s.add::<16>(own, s.splat16(0x8000u16.wrapping_sub(self[i].first)));
            least[i] = s.min16(least[i], moved);
        }
        least
    }

    #[inline(always)]
    fn is_there<S: Simd>(self, s: S, least: [S::V; N]) -> bool {
        let mut there = false;
        for i in 0..N {
            there |= is_within(s, least[i], self[i]) != 0;
        }
        there
    }

    #[inline(always)]
    fn first<S: Simd>(self, s: S, own: S::V) -> u64 {
        let least = self.keep(s, self.kept(s), own);
        let mut units = 0;
        for i in 0..N {
            units |= is_within(s, least[i], self[i]);
        }
        // The first byte of the first one: nothing else is asked for.
        if units == 0 { 0 } else { 1 << (2 * units.trailing_zeros()) }
    }
}

/// The lanes of 16 bits, counted from the first value of `range`, that are in it.
#[inline(always)]
fn is_within<S: Simd>(s: S, moved: S::V, range: Range16) -> u64 {
    // Signed: counted from -8000, not from 0.
    !s.bits::<16>(s.gt::<16>(moved, s.splat16(range.span ^ 0x8000))) & (!0 >> (64 - S::LANES / 2))
}
