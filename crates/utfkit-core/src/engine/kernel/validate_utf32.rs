//! Validation of UTF-32.
//!
//! No unit depends on its neighbours, and the ill-formed values are two ranges, the second one
//! open above. With some bits exchanged the surrogates
//! are the lowest values there are, and moved down they are the highest, so
//! that the greatest unit shows both ranges:
//!
//! ```text
//! D800-DFFF      ^ D800 =  0-7FF        - 800 =  FFFFF800-FFFFFFFF
//! 110000-        ^ D800 =  110000-      - 800 =    10F800-
//! all others     ^ D800 =  800-10FFFF   - 800 =         0-10F7FF
//! ```
//!
//! This is plain code over arrays of constant length, which compilers turn
//! into vector instructions.

use core::marker::PhantomData;

use crate::engine::simd::dispatch::{Kernel, run};
use crate::engine::simd::ops::Simd;
use utfkit_forms::scalar::MAX_CODE_POINT;

/// The number of units at the front of `src` that are known to be well-formed: all of them, or the
/// units before the first error except for less than an array.
#[inline(always)]
pub(crate) fn well_formed_prefix(src: &[u32]) -> usize {
    run::<Validate<'_>>(&[], &mut [], src)
}

/// From here on arrays begin where a line of the cache does.
const LONG: usize = 4096;

struct Validate<'a>(PhantomData<&'a ()>);

impl<'a> Kernel for Validate<'a> {
    /// The source, by units.
    type Arg = &'a [u32];
    type Output = usize;

    #[inline(always)]
    fn vector<S: Simd>(s: S, _: &[u8], _: &mut [u8], src: &[u32]) -> usize {
        let mut len = 0;
        if src.len() >= LONG
            && let Some((front, _)) = src.split_at_checked(src.as_ptr().align_offset(64))
        {
            len = prefix_by::<S, 1>(s, front);
            if len < front.len() {
                return len;
            }
        }
        len += prefix_by::<S, 2048>(s, &src[len..]);
        len + prefix(s, &src[len..])
    }
}

/// [`prefix_by`] arrays of which the last one may overlap the one before it.
#[inline(always)]
fn prefix<S: Simd>(s: S, src: &[u32]) -> usize {
    match src.len() {
        128.. => prefix_and_end::<S, 128>(s, src),
        16.. => prefix_and_end::<S, 16>(s, src),
        4.. => prefix_and_end::<S, 4>(s, src),
        _ => prefix_by::<S, 1>(s, src),
    }
}

#[inline(always)]
fn prefix_and_end<S: Simd, const N: usize>(s: S, src: &[u32]) -> usize {
    let len = prefix_by::<S, N>(s, src);
    let whole = src.len() - len < N && prefix_by::<S, N>(s, &src[src.len() - N..]) == N;
    if whole { src.len() } else { len }
}

/// The arrays of `N` units that are well-formed, up to one that is not.
#[inline(always)]
fn prefix_by<S: Simd, const N: usize>(_: S, src: &[u32]) -> usize {
    let mut len = 0;
    for units in src.as_chunks::<N>().0 {
        let mut seen = 0;
        for &unit in units {
            let moved = (unit ^ 0xD800).wrapping_sub(0x800);
            seen = if S::IS_NARROW { seen | above(moved) } else { moved.max(seen) };
        }
        if seen > GREATEST {
            break;
        }
        len += N;
    }
    len
}

/// The greatest scalar value, moved.
const GREATEST: u32 = MAX_CODE_POINT - 0x800;

/// All bits, if `moved` is above [`GREATEST`], or none. SSSE3 has no maximum of
/// 32 bits, and compares signed: three times as fast.
#[inline(always)]
fn above(moved: u32) -> u32 {
    const SIGN: u32 = 1 << 31;
    if (moved ^ SIGN).cast_signed() > (GREATEST ^ SIGN).cast_signed() { !0 } else { 0 }
}
