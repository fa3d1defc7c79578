//! Four registers at once: how NEON closes gaps.
//!
//! It has no instruction that makes a bit of each lane. A sum of powers of two
//! does, and takes eight instructions for a register; but sums of neighbours
//! take no more than ten for four registers, and the result is a byte for
//! each eight lanes, in the order in which they are written:
//!
//! ```text
//! drop       00 FF 00 00 FF FF FF 00 ...       64 lanes
//! weights    01 02 04 08 10 20 40 80 ...
//! less that  01 00 04 08 00 00 00 80 ...
//! sums       01    0C    00    80    ...       of two, of four, of eight
//!            8D                      ...       8 bytes: rows of a table
//! ones       04                      ...       how many lanes each keeps
//! ```
//!
//! (Of an "and" with the weights the compiler knows that neighbours have no bit in
//! common, and makes an "or" of their sum, of two shuffles.)
//!
//! The ones, multiplied by 0101010101010101, are how many are kept up to each: so
//! no store waits for the one before it, and none is checked for itself. A place is
//! a few bits, and from the highest that those could name on, `out` is long enough.

use core::arch::aarch64::*;

use super::ops::{Blocks, Planes, operations};
use super::sixteen::Sixteen;
use super::tables::{COMPRESS8, COMPRESS16, PAIRS, triples};
use crate::engine::memory::bytes_at_mut;

pub(super) type V = uint8x16_t;

/// One operation that touches registers only.
macro_rules! op {
    ($($call:tt)+) => {
        // SAFETY: the instruction is there: this file is compiled only for
        // targets whose processors have NEON.
        unsafe { $($call)+ }
    };
}
pub(super) use op;

// Registers have types by their lanes; all of ours are bytes.

#[inline(always)]
pub(super) fn as16(v: V) -> uint16x8_t {
    op!(vreinterpretq_u16_u8(v))
}
#[inline(always)]
pub(super) fn of16(v: uint16x8_t) -> V {
    op!(vreinterpretq_u8_u16(v))
}
#[inline(always)]
pub(super) fn as32(v: V) -> uint32x4_t {
    op!(vreinterpretq_u32_u8(v))
}
#[inline(always)]
pub(super) fn of32(v: uint32x4_t) -> V {
    op!(vreinterpretq_u8_u32(v))
}

/// What NEON has for the lanes of a register as a whole.
pub(super) trait Whole: Sixteen<V = V> {
    /// The sums of two neighbours each, first of `a`, then of `b`.
    #[inline(always)]
    fn add_neighbours(self, a: V, b: V) -> V {
        op!(vpaddq_u8(a, b))
    }
    /// The number of bits that are set in each byte.
    #[inline(always)]
    fn ones(self, v: V) -> V {
        op!(vcntq_u8(v))
    }
    /// The first eight bytes.
    #[inline(always)]
    fn front(self, v: V) -> u64 {
        op!(vgetq_lane_u64::<0>(vreinterpretq_u64_u8(v)))
    }
    /// The bytes of `table` that `row` names, 0 for an index above 15.
    #[inline(always)]
    fn shuffle(self, table: V, row: &[u8; 16]) -> V {
        self.pick(table, self.load(row, 0))
    }
    /// [`shuffle`](Whole::shuffle) to eight bytes, followed by zeros.
    #[inline(always)]
    fn shuffle_half(self, table: V, row: &[u8; 8]) -> V {
        let row = op!(vcreate_u8(u64::from_le_bytes(*row)));
        op!(vcombine_u8(vqtbl1_u8(table, row), vdup_n_u8(0)))
    }
    /// The lower (`UPPER`: upper) lanes, each as one twice as wide.
    #[inline(always)]
    fn spread8<const UPPER: bool>(self, v: V) -> V {
        of16(if UPPER { op!(vmovl_high_u8(v)) } else { op!(vmovl_u8(vget_low_u8(v))) })
    }
    #[inline(always)]
    fn spread16<const UPPER: bool>(self, v: V) -> V {
        of32(if UPPER { op!(vmovl_high_u16(as16(v))) } else { op!(vmovl_u16(vget_low_u16(as16(v)))) })
    }
}

impl<S: Sixteen<V = V>> Whole for S {}

/// [`Blocks`] by masks that four registers share.
pub(crate) struct AtOnce;

impl<S: Whole> Blocks<S> for AtOnce {
    const AT_ONCE: bool = true;
    const BY_TWOS: bool = false;
    const SPILL: usize = SPILL;

    operations! {
        fn insert<const N: i32>(_: S, lower: V, upper: V) -> V = op!(vsliq_n_u8::<N>(lower, upper));
        fn planes16(_: S, a: V, b: V) -> [V; 2] = [op!(vuzp1q_u8(a, b)), op!(vuzp2q_u8(a, b))];
        fn greatest<const W: usize>(_: S, v: V) -> u32 =
            if W == 16 { op!(vmaxvq_u16(as16(v))).into() } else { op!(vmaxvq_u32(as32(v))) };
        fn lesser(_: S, a: V, b: V) -> V = op!(vminq_u8(a, b));
        fn least(s: S, a: V, b: V) -> u8 = op!(vminvq_u8(Self::lesser(s, a, b)));
    }

    #[inline(always)]
    fn emit8(s: S, v: [V; 4], drop: [V; 4], out: &mut [u8]) -> usize {
        let out = bytes_at_mut(out, 0, 64 + SPILL);
        let eights = Eights::of_bytes(s, drop);
        for (part, &v) in v.iter().enumerate() {
            let (lower, upper) = (eights.set(2 * part), eights.set(2 * part + 1));
            s.store_half(s.shuffle_half(v, &COMPRESS8[0][lower]), out, eights.start(2 * part) & 0x3F);
            s.store_half(s.shuffle_half(v, &COMPRESS8[1][upper]), out, eights.start(2 * part + 1) & 0x3F);
        }
        eights.end()
    }

    #[inline(always)]
    fn emit16(s: S, low: [V; 4], high: [V; 4], drop: [V; 4], out: &mut [u8]) -> usize {
        let out = bytes_at_mut(out, 0, 128 + SPILL);
        let eights = Eights::of_pairs(s, drop);
        for part in 0..4 {
            let lower = s.interleave8::<false>(low[part], high[part]);
            s.store(s.shuffle(lower, &COMPRESS16[eights.set(2 * part)]), out, eights.start(2 * part));
            let upper = s.interleave8::<true>(low[part], high[part]);
            s.store(s.shuffle(upper, &COMPRESS16[eights.set(2 * part + 1)]), out, eights.start(2 * part + 1));
        }
        eights.end()
    }

    /// Compresses the lower two bytes like [`emit16`](Blocks::emit16) and the third alone, then interleaves them:
    /// half the work of compressing units of 32 bits.
    #[inline(always)]
    fn emit32(s: S, planes: [Planes<V>; 4], drop: [V; 4], out: &mut [u8]) -> usize {
        let out = bytes_at_mut(out, 0, 256 + 2 * SPILL);
        let eights = Eights::of_pairs(s, drop);
        for (part, planes) in planes.iter().enumerate() {
            let lower = s.interleave8::<false>(planes.low, planes.middle);
            words::<S, false>(s, lower, planes.high, &eights, 2 * part, out);
            let upper = s.interleave8::<true>(planes.low, planes.middle);
            words::<S, true>(s, upper, planes.high, &eights, 2 * part + 1, out);
        }
        2 * eights.end()
    }

    #[inline(always)]
    fn emit_pairs(s: S, first: [V; 2], second: [V; 2], one: [V; 2], out: &mut [u8]) -> usize {
        let out = bytes_at_mut(out, 0, 64 + SPILL);
        // The first bytes that are dropped; the number of bytes is eight plus the other first bytes.
        let bits = |one| s.saturating_sub(s.halves(WEIGHTS), one);
        let halves = s.add_neighbours(bits(one[0]), bits(one[1]));
        let fours = s.add_neighbours(halves, halves);
        let sets = s.add_neighbours(fours, fours);
        let ones = s.add::<8>(s.ones(sets), s.splat(8));
        let (sets, ends) = (s.front(sets), up_to(s.front(ones)));
        for part in 0..2 {
            let lower = s.interleave8::<false>(first[part], second[part]);
            let upper = s.interleave8::<true>(first[part], second[part]);
            for (i, v) in [(2 * part, lower), (2 * part + 1, upper)] {
                let start = if i == 0 { 0 } else { byte(ends, i - 1) & 0x3F };
                s.store(s.shuffle(v, &PAIRS[byte(sets, i)]), out, start);
            }
        }
        byte(ends, 3)
    }

    /// The row of four lanes has two bits for each: see [`TRIPLES`](super::tables::TRIPLES).
    #[inline(always)]
    fn emit_triples(s: S, planes: [[V; 2]; 3], two: [V; 2], one: [V; 2], out: &mut [u8]) -> usize {
        let (three, more) = (s.halves([0x4010_0401_4010_0401; 2]), s.halves([0x8020_0802_8020_0802; 2]));
        let bits = |part: usize| s.or(s.saturating_sub(three, two[part]), s.saturating_sub(more, one[part]));
        let twos = s.add_neighbours(bits(0), bits(1));
        let rows = s.add_neighbours(twos, twos);
        let lens = s.add::<8>(s.ones(rows), s.splat(4));
        let (rows, lens) = (s.front(rows), s.front(lens));
        let [first, second, third] = planes;
        let mut written = 0;
        for part in 0..2 {
            // The lengths of these four: of no more than 48 bytes.
            let ends = (lens >> (32 * part) & 0xFFFF_FFFF).wrapping_mul(0x0101_0101);
            let out = bytes_at_mut(out, written, 64 + SPILL);
            let (one, two) = (
                [s.interleave8::<false>(first[part], second[part]), s.interleave8::<true>(first[part], second[part])],
                [s.interleave8::<false>(third[part], third[part]), s.interleave8::<true>(third[part], third[part])],
            );
            for half in 0..2 {
                let lower = s.interleave16::<false>(one[half], two[half]);
                let upper = s.interleave16::<true>(one[half], two[half]);
                for (i, v) in [(2 * half, lower), (2 * half + 1, upper)] {
                    let start = if i == 0 { 0 } else { byte(ends, i - 1) & 0x3F };
                    s.store(s.shuffle(v, triples(byte(rows, 4 * part + i) as u8)), out, start);
                }
            }
            written += byte(ends, 3);
        }
        written
    }
}

/// The bit of each lane among its eight.
const WEIGHTS: [u64; 2] = [0x8040_2010_0804_0201; 2];

/// A register.
const SPILL: usize = 16;

/// Eights of lanes: which are kept, and up to where they reach when they are
/// written one after the other.
struct Eights {
    sets: u64,
    ends: u64,
}

impl Eights {
    /// Of lanes of which each that is kept takes two bytes.
    #[inline(always)]
    fn of_pairs(s: impl Whole, drop: [V; 4]) -> Eights {
        let sets = sets(s, drop);
        let ones = s.ones(sets);
        Eights { sets: s.front(sets), ends: up_to(s.front(s.add::<8>(ones, ones))) }
    }

    /// Of lanes of which each that is kept takes one.
    #[inline(always)]
    fn of_bytes(s: impl Whole, drop: [V; 4]) -> Eights {
        let sets = sets(s, drop);
        Eights { sets: s.front(sets), ends: up_to(s.front(s.ones(sets))) }
    }

    operations! {
        fn set(&self, i: usize) -> usize = byte(self.sets, i);
        /// Where an eight begins, up to 7F.
        fn start(&self, i: usize) -> usize = if i == 0 { 0 } else { byte(self.ends, i - 1) & 0x7F };
        fn end(&self) -> usize = byte(self.ends, 7);
    }
}

#[inline(always)]
fn byte(word: u64, i: usize) -> usize {
    (word >> (8 * i) & 0xFF) as usize
}

/// The sum of each byte and those below it.
#[inline(always)]
fn up_to(bytes: u64) -> u64 {
    bytes.wrapping_mul(0x0101_0101_0101_0101)
}

/// A bit for each lane that is kept.
#[inline(always)]
fn sets(s: impl Whole, drop: [V; 4]) -> V {
    let bits = |drop| s.saturating_sub(s.halves(WEIGHTS), drop);
    let (lower, upper) =
        (s.add_neighbours(bits(drop[0]), bits(drop[1])), s.add_neighbours(bits(drop[2]), bits(drop[3])));
    let fours = s.add_neighbours(lower, upper);
    s.add_neighbours(fours, fours)
}

#[inline(always)]
fn words<S: Whole, const UPPER: bool>(s: S, lower: V, high: Option<V>, eights: &Eights, i: usize, out: &mut [u8]) {
    let set = eights.set(i);
    let lower = s.shuffle(lower, &COMPRESS16[set]);
    let out = bytes_at_mut(out, 2 * eights.start(i), 2 * SPILL);
    let both = match high {
        None => [s.spread16::<false>(lower), s.spread16::<true>(lower)],
        Some(high) => {
            let high = s.spread8::<false>(s.shuffle_half(high, &COMPRESS8[usize::from(UPPER)][set]));
            [s.interleave16::<false>(lower, high), s.interleave16::<true>(lower, high)]
        }
    };
    s.store(both[0], out, 0);
    s.store(both[1], out, SPILL);
}
