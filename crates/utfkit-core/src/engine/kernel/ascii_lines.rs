//! US-ASCII of any form into any other, written past the caches.
//!
//! A character of US-ASCII is one unit with the same value in every form, so that only the sizes of
//! the units matter. A group is validated before any of it is written, which brings it into
//! the first cache; while it is written, the source is prefetched.

use super::lanes::widen;
use crate::engine::simd::dispatch::{Kernel, run};
use crate::engine::simd::ops::Simd;
use crate::engine::simd::past_cache::{LINE, PastCache, prefetch};

/// Units that are looked at together.
pub(crate) const GROUP: usize = 1024;

/// The distance in bytes at which the source is prefetched.
const AHEAD: usize = 4096;

/// Converts the groups of US-ASCII at the front of `src`, in units of `FROM`
/// bytes, to units of `TO` bytes, both in the order of the machine: from one byte to one,
/// two and four, or from two to four. Returns
/// with the number of units.
#[inline]
pub(crate) fn ascii_lines<const FROM: usize, const TO: usize>(src: &[u8], dst: &mut [u8]) -> usize {
    run::<Lines<FROM, TO>>(src, dst, ())
}

struct Lines<const FROM: usize, const TO: usize>;

impl<const FROM: usize, const TO: usize> Kernel for Lines<FROM, TO> {
    type Arg = ();
    type Output = usize;
    const WIDEST: usize = 32;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], (): ()) -> usize {
        lines::<S, FROM, TO>(s, src, dst)
    }
}

/// Units that are converted in one step: a line of the cache or more.
const STEP: usize = LINE;

#[inline(always)]
fn lines<S: Simd, const FROM: usize, const TO: usize>(s: S, src: &[u8], dst: &mut [u8]) -> usize {
    let mut done = 0;
    let mut out = PastCache::new(dst);
    while let Some(group) = src.get(done * FROM..(done + GROUP) * FROM)
        && out.space() >= GROUP * TO
        && is_ascii::<S, FROM>(s, group)
    {
        for step in 0..GROUP / STEP {
            let at = step * STEP * FROM;
            prefetch(src, done * FROM + at + AHEAD, STEP * FROM);
            let mut bytes = [0; 4 * STEP];
            convert::<S, FROM, TO>(s, &group[at..at + STEP * FROM], &mut bytes);
            out.write(&bytes[..STEP * TO]);
        }
        done += GROUP;
    }
    done
}

#[inline(always)]
fn is_ascii<S: Simd, const FROM: usize>(s: S, group: &[u8]) -> bool {
    let mut all = s.splat(0);
    for part in 0..GROUP * FROM / S::LANES {
        all = s.or(all, s.load(group, part * S::LANES));
    }
    let beyond = if FROM == 1 { s.splat(0x80) } else { s.splat16(0xFF80) };
    !s.any_nonzero(s.and(all, beyond))
}

/// Converts a step of US-ASCII.
#[inline(always)]
fn convert<S: Simd, const FROM: usize, const TO: usize>(s: S, src: &[u8], out: &mut [u8; 4 * STEP]) {
    for part in 0..STEP / S::LANES {
        // One unit for each byte of a register.
        let (from, to) = (part * S::LANES * FROM, part * S::LANES * TO);
        match (FROM, TO) {
            (1, 2) => widen(s, s.load(src, from), out, to),
            (1, 4) => s.widen32(s.load(src, from), out, to),
            (2, 4) => {
                for half in 0..2 {
                    let v = s.load(src, from + half * S::LANES);
                    s.store(s.spread::<16, false>(v), out, to + 2 * half * S::LANES);
                    s.store(s.spread::<16, true>(v), out, to + (2 * half + 1) * S::LANES);
                }
            }
            _ => s.store(s.load(src, from), out, to),
        }
    }
}
