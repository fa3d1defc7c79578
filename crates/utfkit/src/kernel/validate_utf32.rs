//! How far values are well-formed UTF-32.
//!
//! No unit has a neighbour that bears on it, and what is ill-formed are two
//! ranges, the second one open above. Moved such that the surrogates are the
//! highest values there are, the greatest of the units shows one range, and
//! the greatest of them as they are the other:
//!
//! ```text
//! D800-DFFF  + FFFF2000 =  FFFFF800-FFFFFFFF
//! ```
//!
//! This is plain code over arrays of constant length, which compilers turn
//! into vector instructions.

use crate::scalar::MAX_CODE_POINT;
use crate::simd::dispatch::{Kernel, run};
use crate::simd::ops::Simd;

/// How many units of `src` are surely well-formed: all of them, or as many as
/// precede the first fault but for less than an array.
#[inline(always)]
pub(crate) fn well_formed_prefix(src: &[u32]) -> usize {
    run(Validate { src })
}

/// From here on arrays begin where a line of the cache does.
const LONG: usize = 4096;

struct Validate<'a> {
    src: &'a [u32],
}

impl Kernel for Validate<'_> {
    type Output = usize;

    #[inline(always)]
    fn vector<S: Simd>(self, _: S) -> usize {
        let mut len = 0;
        if self.src.len() >= LONG
            && let Some((front, _)) = self.src.split_at_checked(self.src.as_ptr().align_offset(64))
        {
            len = prefix_by::<1>(front);
            if len < front.len() {
                return len;
            }
        }
        len += prefix_by::<2048>(&self.src[len..]);
        len + prefix(&self.src[len..])
    }

    #[inline]
    fn scalar(self) -> usize {
        0
    }
}

/// The same by arrays of which the last one overlaps the one before it.
#[inline(always)]
fn prefix(src: &[u32]) -> usize {
    match src.len() {
        128.. => prefix_and_end::<128>(src),
        16.. => prefix_and_end::<16>(src),
        4.. => prefix_and_end::<4>(src),
        _ => prefix_by::<1>(src),
    }
}

#[inline(always)]
fn prefix_and_end<const N: usize>(src: &[u32]) -> usize {
    let len = prefix_by::<N>(src);
    let whole = src.len() - len < N && prefix_by::<N>(&src[src.len() - N..]) == N;
    if whole { src.len() } else { len }
}

/// The arrays of `N` units that are well-formed, up to one that is not.
#[inline(always)]
fn prefix_by<const N: usize>(src: &[u32]) -> usize {
    let mut len = 0;
    for units in src.as_chunks::<N>().0 {
        let (mut greatest, mut moved) = (0, 0);
        for &unit in units {
            greatest = unit.max(greatest);
            moved = unit.wrapping_add(0xFFFF_2000).max(moved);
        }
        if greatest > MAX_CODE_POINT || moved >= 0xFFFF_F800 {
            break;
        }
        len += N;
    }
    len
}
