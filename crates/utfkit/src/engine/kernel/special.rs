//! Which units of a text are in a range of values: how much of its front has
//! none of them.
//!
//! A range is told by one subtraction: a unit less the first value of the range
//! is, without a sign, at most its span. Of bytes the ranges go up to FF, so
//! that a saturating subtraction leaves something; of 16-bit units the least
//! difference of a group tells. Nothing is asked but once a group.

use core::marker::PhantomData;

use super::window::BLOCK;
use crate::engine::scalar::bytes::Order;
use crate::engine::simd::dispatch::{Kernel, run};
use crate::engine::simd::ops::Simd;

/// The bytes that share a branch.
pub(crate) const GROUP: usize = 4 * BLOCK;

/// How many bytes at the front of `src`, in whole groups, are below `from`;
/// with `NUL`, also not 00. 0 if there is no kernel.
#[inline]
pub(crate) fn bytes_without<const NUL: bool>(src: &[u8], from: u8) -> usize {
    run(Bytes::<NUL> { src, from })
}

struct Bytes<'a, const NUL: bool> {
    src: &'a [u8],
    from: u8,
}

impl<const NUL: bool> Kernel for Bytes<'_, NUL> {
    type Output = usize;

    #[inline(always)]
    fn vector<S: Simd>(self, s: S) -> usize {
        // With NUL, everything is one less, and that is FF.
        let (one, most) = (s.splat(0xFF), s.splat(self.from - 1 - u8::from(NUL)));
        let mut at = 0;
        while let Some(group) = self.src.get(at..at + GROUP) {
            let mut found = s.splat(0);
            for part in 0..GROUP / S::LANES {
                let mut own = s.load(group, part * S::LANES);
                if NUL {
                    own = s.add(own, one);
                }
                found = s.or(found, s.saturating_sub(own, most));
            }
            if s.any(s.nonzero(found)) {
                break;
            }
            at += GROUP;
        }
        at
    }

    #[inline]
    fn scalar(self) -> usize {
        0
    }
}

/// Some values: `span` and one from `first` on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range16 {
    pub(crate) first: u16,
    pub(crate) span: u16,
}

/// How many bytes at the front of `src`, UTF-16 in the byte order `O`, have no
/// unit of `one` nor, with `TWO`, of `two`; in whole groups. 0 if there is no
/// kernel.
#[inline]
pub(crate) fn units_without<O: Order, const TWO: bool>(src: &[u8], one: Range16, two: Range16) -> usize {
    run(Units::<O, TWO> { src, one, two, order: PhantomData })
}

struct Units<'a, O, const TWO: bool> {
    src: &'a [u8],
    one: Range16,
    two: Range16,
    order: PhantomData<O>,
}

impl<O: Order, const TWO: bool> Kernel for Units<'_, O, TWO> {
    type Output = usize;

    #[inline(always)]
    fn vector<S: Simd>(self, s: S) -> usize {
        // The least is found with a sign: 8000 is the lowest.
        let (one, two) = (moved(s, self.one), moved(s, self.two));
        let mut at = 0;
        while let Some(group) = self.src.get(at..at + GROUP) {
            let (mut least_one, mut least_two) = (s.splat16(0x7FFF), s.splat16(0x7FFF));
            for part in 0..GROUP / S::LANES {
                let mut own = s.load(group, part * S::LANES);
                if O::BIG {
                    own = s.swap16(own);
                }
                least_one = s.min16(least_one, s.add16(own, one));
                if TWO {
                    least_two = s.min16(least_two, s.add16(own, two));
                }
            }
            if is_within(s, least_one, self.one) || TWO && is_within(s, least_two, self.two) {
                break;
            }
            at += GROUP;
        }
        at
    }

    #[inline]
    fn scalar(self) -> usize {
        0
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
