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

use core::arch::aarch64::uint8x16_t;

use super::neon::Neon;
use super::ops::{Blocks, ByRegister, Planes, Simd};
use super::sixteen::Sixteen;
use super::tables::{COMPRESS8, COMPRESS16, PAIRS, triples};
use crate::engine::memory::bytes_at_mut;

type V = uint8x16_t;

/// [`Blocks`] by masks that four registers share.
pub(crate) struct AtOnce;

impl Blocks<Neon> for AtOnce {
    const AT_ONCE: bool = true;
    const BY_TWOS: bool = false;
    const SPILL: usize = SPILL;

    #[inline(always)]
    fn insert<const N: i32>(s: Neon, lower: V, upper: V) -> V {
        s.insert::<N>(lower, upper)
    }
    #[inline(always)]
    fn planes16(s: Neon, a: V, b: V) -> [V; 2] {
        s.planes16(a, b)
    }
    #[inline(always)]
    fn greatest<const W: usize>(s: Neon, v: V) -> u32 {
        s.greatest::<W>(v)
    }
    #[inline(always)]
    fn lesser(s: Neon, a: V, b: V) -> V {
        s.lesser(a, b)
    }
    #[inline(always)]
    fn least(s: Neon, a: V, b: V) -> u8 {
        s.least(s.lesser(a, b))
    }
    #[inline(always)]
    fn emit8(s: Neon, v: [V; 4], drop: [V; 4], out: &mut [u8]) -> usize {
        emit8(s, v, drop, out)
    }
    #[inline(always)]
    fn emit16(s: Neon, low: [V; 4], high: [V; 4], drop: [V; 4], out: &mut [u8]) -> usize {
        emit16(s, low, high, drop, out)
    }
    #[inline(always)]
    fn emit32(s: Neon, planes: [Planes<V>; 4], drop: [V; 4], out: &mut [u8]) -> usize {
        emit32(s, planes, drop, out)
    }
    #[inline(always)]
    fn emit_pairs(s: Neon, first: [V; 2], second: [V; 2], one: [V; 2], out: &mut [u8]) -> usize {
        emit_pairs(s, first, second, one, out)
    }
    #[inline(always)]
    fn emit_triples(s: Neon, planes: [[V; 2]; 3], two: [V; 2], one: [V; 2], out: &mut [u8]) -> usize {
        emit_triples(s, planes, two, one, out)
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
    fn of_pairs(s: Neon, drop: [V; 4]) -> Eights {
        let sets = sets(s, drop);
        let ones = s.ones(sets);
        Eights { sets: s.front(sets), ends: up_to(s.front(s.add::<8>(ones, ones))) }
    }

    /// Of lanes of which each that is kept takes one.
    #[inline(always)]
    fn of_bytes(s: Neon, drop: [V; 4]) -> Eights {
        let sets = sets(s, drop);
        Eights { sets: s.front(sets), ends: up_to(s.front(s.ones(sets))) }
    }

    #[inline(always)]
    fn set(&self, i: usize) -> usize {
        byte(self.sets, i)
    }

    /// Where an eight begins, up to 7F.
    #[inline(always)]
    fn start(&self, i: usize) -> usize {
        if i == 0 { 0 } else { byte(self.ends, i - 1) & 0x7F }
    }

    #[inline(always)]
    fn end(&self) -> usize {
        byte(self.ends, 7)
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
fn sets(s: Neon, drop: [V; 4]) -> V {
    let bits = |drop| s.saturating_sub(s.halves(WEIGHTS), drop);
    let (lower, upper) =
        (s.add_neighbours(bits(drop[0]), bits(drop[1])), s.add_neighbours(bits(drop[2]), bits(drop[3])));
    let fours = s.add_neighbours(lower, upper);
    s.add_neighbours(fours, fours)
}

#[inline(always)]
fn emit16(s: Neon, low: [V; 4], high: [V; 4], drop: [V; 4], out: &mut [u8]) -> usize {
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

/// Compresses the lower two bytes like [`emit16`] and the third alone, then interleaves them:
/// half the work of compressing units of 32 bits.
#[inline(always)]
fn emit32(s: Neon, planes: [Planes<V>; 4], drop: [V; 4], out: &mut [u8]) -> usize {
    let out = bytes_at_mut(out, 0, 256 + 2 * SPILL);
    let eights = Eights::of_pairs(s, drop);
    for (part, planes) in planes.iter().enumerate() {
        let lower = s.interleave8::<false>(planes.low, planes.middle);
        words::<false>(s, lower, planes.high, &eights, 2 * part, out);
        let upper = s.interleave8::<true>(planes.low, planes.middle);
        words::<true>(s, upper, planes.high, &eights, 2 * part + 1, out);
    }
    2 * eights.end()
}

#[inline(always)]
fn words<const UPPER: bool>(s: Neon, lower: V, high: Option<V>, eights: &Eights, i: usize, out: &mut [u8]) {
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

#[inline(always)]
fn emit8(s: Neon, v: [V; 4], drop: [V; 4], out: &mut [u8]) -> usize {
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
fn emit_pairs(s: Neon, first: [V; 2], second: [V; 2], one: [V; 2], out: &mut [u8]) -> usize {
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
fn emit_triples(s: Neon, planes: [[V; 2]; 3], two: [V; 2], one: [V; 2], out: &mut [u8]) -> usize {
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
