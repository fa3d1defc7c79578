//! Which units of a text are in a range of values: how much of its front has
//! none of them.
//!
//! A range is told by one subtraction: a unit less the first value of the range
//! is, without a sign, at most its span. Of bytes the ranges go up to FF, so
//! that a saturating subtraction leaves something; of 16-bit units the least
//! difference of a group tells. Nothing is asked but once a group.

use core::marker::PhantomData;

use super::window::BLOCK;
use crate::engine::simd::dispatch::{Kernel, run};
use crate::engine::simd::ops::Simd;

/// The bytes that share a branch.
pub(crate) const GROUP: usize = 4 * BLOCK;

/// How many bytes at the start of `src` are below `from`, and not 00 if `nul` is
/// special as well: up to the first that is not, or up to less than a register
/// before the end. 0 if there is no kernel.
#[inline]
pub(crate) fn bytes_without(src: &[u8], from: u8, nul: bool) -> usize {
    run::<Without<Bytes>>(src, &mut [], Bytes { from, nul }, Default::default)
}

/// Some values: `span` and one from `first` on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range16 {
    pub(crate) first: u16,
    pub(crate) span: u16,
}

/// How many bytes at the start of `src`, UTF-16, have no unit of either range,
/// likewise.
#[inline]
pub(crate) fn units_without(src: &[u8], one: Range16, two: Range16) -> usize {
    run::<Without<[Range16; 2]>>(src, &mut [], [one, two], Default::default)
}

/// What is looked for, and how it is seen in many registers at once.
trait Special: Copy {
    /// What is kept of the registers of a group.
    fn kept<S: Simd>(self, s: S) -> [S::V; 2];
    /// The same with one more register.
    fn keep<S: Simd>(self, s: S, kept: [S::V; 2], own: S::V) -> [S::V; 2];
    /// Whether it was in one of them.
    fn is_there<S: Simd>(self, s: S, kept: [S::V; 2]) -> bool;
    /// Where it is first in one register: that bit, and perhaps some after it.
    fn first<S: Simd>(self, s: S, own: S::V) -> u64;
}

struct Without<T>(PhantomData<T>);

impl<T: Special> Kernel for Without<T> {
    type Arg = T;
    type Output = usize;

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
    #[inline(always)]
    fn kept<S: Simd>(self, s: S) -> [S::V; 2] {
        [s.splat(0); 2]
    }

    #[inline(always)]
    fn keep<S: Simd>(self, s: S, [found, _]: [S::V; 2], own: S::V) -> [S::V; 2] {
        // If NUL is special, everything is one less, and that is FF.
        let less = u8::from(self.nul);
        let own = s.add(own, s.splat(less.wrapping_neg()));
        [s.or(found, s.saturating_sub(own, s.splat(self.from - 1 - less))), found]
    }

    #[inline(always)]
    fn is_there<S: Simd>(self, s: S, [found, _]: [S::V; 2]) -> bool {
        s.any(s.nonzero(found))
    }

    #[inline(always)]
    fn first<S: Simd>(self, s: S, own: S::V) -> u64 {
        s.bits(s.nonzero(self.keep(s, self.kept(s), own)[0]))
    }
}

/// Units of either range: the least of each, counted from the first value of
/// the range. The least is found with a sign: 8000 is the lowest.
impl Special for [Range16; 2] {
    #[inline(always)]
    fn kept<S: Simd>(self, s: S) -> [S::V; 2] {
        [s.splat16(0x7FFF); 2]
    }

    #[inline(always)]
    fn keep<S: Simd>(self, s: S, [one, two]: [S::V; 2], own: S::V) -> [S::V; 2] {
        let [first, second] = self.map(|range| s.splat16(0x8000u16.wrapping_sub(range.first)));
        [s.min16(one, s.add16(own, first)), s.min16(two, s.add16(own, second))]
    }

    #[inline(always)]
    fn is_there<S: Simd>(self, s: S, least: [S::V; 2]) -> bool {
        is_within(s, least[0], self[0]) != 0 || is_within(s, least[1], self[1]) != 0
    }

    #[inline(always)]
    fn first<S: Simd>(self, s: S, own: S::V) -> u64 {
        let [one, two] = self.keep(s, self.kept(s), own);
        let units = is_within(s, one, self[0]) | is_within(s, two, self[1]);
        // The first byte of the first one: nothing else is asked for.
        if units == 0 { 0 } else { 1 << (2 * units.trailing_zeros()) }
    }
}

/// The lanes of 16 bits, counted from the first value of `range`, that are in it.
#[inline(always)]
fn is_within<S: Simd>(s: S, moved: S::V, range: Range16) -> u64 {
    s.bits16(s.le16(s.add16(moved, s.splat16(0x8000)), range.span))
}
