//! UTF-8 to itself, with U+FFFD for what is ill-formed, in one pass.
//!
//! # The idea
//!
//! A block in which nothing is ill-formed is copied. In any other a fault is
//! the last byte of a maximal subpart: it becomes the three bytes of U+FFFD,
//! and the bytes of the subpart before it, two at the most, are dropped. They
//! may be in the block before, and be written already: then they are taken
//! back, and written over.

use super::from_utf8::{Room, Target, convert};
use super::utf8::{Marks, OWN};
use super::window::{Around, BLOCK};
use super::{Progress, Replace};
use crate::engine::memory::copy_short;
use crate::engine::simd::dispatch::{Kernel, run};
use crate::engine::simd::ops::Simd;

/// Copies `src`, as much of it as fits, with U+FFFD for each maximal subpart of
/// what is ill-formed; an unfinished sequence at its end is one. What stops it
/// before the end is for the scalar codec to find within the next [`BLOCK`]
/// bytes.
#[inline]
pub(crate) fn mend(src: &[u8], dst: &mut [u8]) -> Progress {
    run(Mend { src, dst })
}

struct Mend<'a> {
    src: &'a [u8],
    dst: &'a mut [u8],
}

impl Kernel for Mend<'_> {
    type Output = Progress;

    #[inline(always)]
    fn vector<S: Simd>(self, s: S) -> Progress {
        convert::<S, Replace, Mended>(s, self.src, self.dst)
    }

    #[inline]
    fn scalar(self) -> Progress {
        Progress::default()
    }
}

/// Well-formed UTF-8.
struct Mended;

/// The bytes that may be written for a block in which all are faults, and by
/// the last store for it ([`Simd::emit_mended`]).
const ROOM: usize = 3 * BLOCK + 4;

impl<S: Simd> Target<S> for Mended {
    const UNIT: usize = 1;
    const ROOM: usize = ROOM;
    const BACK: usize = 2;
    const BEGUN: [usize; 4] = [0, 1, 2, 3];

    #[inline(always)]
    fn widen(s: S, block: &[u8], out: &mut [u8]) {
        for part in 0..BLOCK / S::LANES {
            s.store(s.load(block, part * S::LANES), out, part * S::LANES);
        }
    }

    #[inline(always)]
    fn has_four(_: S, _: &impl Around<S>) -> bool {
        false
    }

    #[inline(always)]
    fn well_formed(s: S, window: &impl Around<S>, _: bool, lanes: u64, out: Room<'_>) -> Option<usize> {
        match out {
            Room::Ample(out) => {
                for part in 0..BLOCK / S::LANES {
                    s.store(window.load(s, OWN + part * S::LANES), out, part * S::LANES);
                }
                Some(BLOCK)
            }
            Room::Scarce(out) => {
                let mut bytes = [0; BLOCK];
                for part in 0..BLOCK / S::LANES {
                    s.store(window.load(s, OWN + part * S::LANES), &mut bytes, part * S::LANES);
                }
                let len = lanes.count_ones() as usize;
                copy_short(&bytes[..len], out.get_mut(..len)?);
                Some(len)
            }
        }
    }

    #[inline(always)]
    fn marked(s: S, window: &impl Around<S>, marks: &Marks, lanes: u64, out: Room<'_>, there: usize) -> Option<usize> {
        let second = marks.fault & marks.second;
        let third = marks.fault & marks.third;
        let keep = lanes & !((second | third) >> 1 | third >> 2);
        let back = ((second | third | third >> 1) & 1) + (third & 1);
        let there = there.saturating_sub(back as usize);
        match out {
            Room::Ample(out) => Some(emit(s, window, keep, marks.fault, out, there)),
            Room::Scarce(out) => {
                let mut bytes = [0; ROOM];
                let len = emit(s, window, keep, marks.fault, &mut bytes, 0);
                out.get_mut(there..there + len)?.copy_from_slice(&bytes[..len]);
                Some(there + len)
            }
        }
    }
}

#[inline(always)]
fn emit<S: Simd>(s: S, window: &impl Around<S>, keep: u64, fault: u64, out: &mut [u8], mut at: usize) -> usize {
    for part in 0..BLOCK / S::LANES {
        let lane = part * S::LANES;
        at += s.emit_mended(window.load(s, OWN + lane), keep >> lane, fault >> lane, out, at);
    }
    at
}
