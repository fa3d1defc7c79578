//! Which units of a text are in a range of values: how much of its front has
//! none of them.
//!
//! A range is told by one subtraction: a unit less the first value of the range
//! is, without a sign, at most its span. Of bytes the ranges go up to FF, so
//! that a saturating subtraction leaves something; of 16-bit units the least
//! difference of a group tells. Nothing is asked but once a group.

use super::window::BLOCK;
use crate::engine::simd::dispatch::{Kernel, run};
use crate::engine::simd::ops::Simd;

/// The bytes that share a branch.
pub(crate) const GROUP: usize = 4 * BLOCK;

/// How many bytes at the start of `src`, in whole groups, are below `from`, and
/// not 00 if `nul` is special as well. 0 if there is no kernel.
#[inline]
pub(crate) fn bytes_without(src: &[u8], from: u8, nul: bool) -> usize {
    run(Bytes { src, from, nul }).unwrap_or_default()
}

struct Bytes<'a> {
    src: &'a [u8],
    from: u8,
    nul: bool,
}

impl Kernel for Bytes<'_> {
    type Output = usize;
    const ON_AVX512: bool = false;

    #[inline(always)]
    fn vector<S: Simd>(self, s: S) -> usize {
        // If NUL is special, everything is one less, and that is FF.
        let less = u8::from(self.nul);
        let (less, most) = (s.splat(less.wrapping_neg()), s.splat(self.from - 1 - less));
        let mut at = 0;
        while let Some(group) = self.src.get(at..at + GROUP) {
            let mut found = s.splat(0);
            for part in 0..GROUP / S::LANES {
                let own = s.add(s.load(group, part * S::LANES), less);
                found = s.or(found, s.saturating_sub(own, most));
            }
            if s.any(s.nonzero(found)) {
                break;
            }
            at += GROUP;
        }
        at
    }
}

/// Some values: `span` and one from `first` on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range16 {
    pub(crate) first: u16,
    pub(crate) span: u16,
}

/// How many bytes at the start of `src`, UTF-16, have no unit of either range;
/// in whole groups. 0 if there is no kernel.
#[inline]
pub(crate) fn units_without(src: &[u8], one: Range16, two: Range16) -> usize {
    run(Units { src, one, two }).unwrap_or_default()
}

struct Units<'a> {
    src: &'a [u8],
    one: Range16,
    two: Range16,
}

impl Kernel for Units<'_> {
    type Output = usize;
    const ON_AVX512: bool = false;

    #[inline(always)]
    fn vector<S: Simd>(self, s: S) -> usize {
        // The least is found with a sign: 8000 is the lowest.
        let (one, two) = (moved(s, self.one), moved(s, self.two));
        let mut at = 0;
        while let Some(group) = self.src.get(at..at + GROUP) {
            let (mut least_one, mut least_two) = (s.splat16(0x7FFF), s.splat16(0x7FFF));
            for part in 0..GROUP / S::LANES {
                let own = s.load(group, part * S::LANES);
                least_one = s.min16(least_one, s.add16(own, one));
                least_two = s.min16(least_two, s.add16(own, two));
            }
            if is_within(s, least_one, self.one) || is_within(s, least_two, self.two) {
                break;
            }
            at += GROUP;
        }
        at
    }
}

/// What makes the first value of `range` the lowest one with a sign.
#[inline(always)]
fn moved<S: Simd>(s: S, range: Range16) -> S::V {
    s.splat16(0x8000u16.wrapping_sub(range.first))
}

#[inline(always)]
fn is_within<S: Simd>(s: S, least: S::V, range: Range16) -> bool {
    s.bits16(s.le16(s.add16(least, s.splat16(0x8000)), range.span)) != 0
}
