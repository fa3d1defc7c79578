//! The instruction sets with 16 bytes in a register: all close gaps by a shuffle with a
//! row of a table.
//!
//! Each of these functions is the operation of [`Simd`] that has its name. An
//! instruction set says how it interleaves; the rest follows from the tables
//! of `tables.rs`.

use super::ops::{Planes, Simd};
use super::tables::{
    COMPRESS8, COMPRESS16, COMPRESS32, HALVES, LAST, ONES, PAIRS, QUADS, REPLACED, triples, triples_len,
};
use crate::engine::memory::{bytes_at_mut, short_word};

/// An instruction set with 16 bytes in a register. A lane whose condition
/// holds is all ones.
pub(super) trait Sixteen: Simd<C = <Self as Simd>::V> {
    /// The bytes of the two halves, the lower one first, each little-endian.
    fn halves(self, halves: [u64; 2]) -> Self::V;
    /// The lower (`UPPER`: upper) eight lanes of `a` and `b`, in turns.
    fn interleave8<const UPPER: bool>(self, a: Self::V, b: Self::V) -> Self::V;
    /// [`interleave8`](Sixteen::interleave8) of four lanes of 16 bits.
    fn interleave16<const UPPER: bool>(self, a: Self::V, b: Self::V) -> Self::V;
    /// [`interleave8`](Sixteen::interleave8) of two lanes of 32 bits.
    fn interleave32<const UPPER: bool>(self, a: Self::V, b: Self::V) -> Self::V;
    /// The upper eight lanes in both halves.
    fn upper_half(self, v: Self::V) -> Self::V;
    /// Writes the lower eight lanes to the 8 bytes of `out` from `at` on.
    fn store_half(self, v: Self::V, out: &mut [u8], at: usize);
    /// The top bit of each lane of 32 bits.
    fn signs32(self, v: Self::V) -> usize;
    /// [`lookup16`](Simd::lookup16) by a row of a table, whose lanes are below 16 or FF.
    #[inline(always)]
    fn pick(self, v: Self::V, row: Self::V) -> Self::V {
        self.lookup16(v, row)
    }
    /// `table[index]`, or 0 where the index is above 15.
    fn pick_or_zero(self, table: Self::V, index: Self::V) -> Self::V;
    /// Each byte as a lane of 16 bits, eight by eight.
    #[inline(always)]
    fn pairs(self, v: Self::V) -> [Self::V; 2] {
        [self.interleave8::<false>(v, self.splat(0)), self.interleave8::<true>(v, self.splat(0))]
    }
    /// Each byte as a lane of 32 bits, four by four.
    #[inline(always)]
    fn words(self, v: Self::V) -> [Self::V; 4] {
        units32(self, Planes { low: v, middle: self.splat(0), high: None })
    }
    /// The lanes that are `byte`.
    fn is(self, v: Self::V, byte: u8) -> Self::V;
}

/// The operations of [`Simd`] that the functions below are, each a line, for
/// the `impl` of an instruction set.
macro_rules! by_tables {
    () => {
        operations! {
            fn load_padded(self, bytes: &[u8], at: usize) -> Self::V = sixteen::load_padded(self, bytes, at);
            fn copy(self, from: &[u8], to: &mut [u8]) = crate::engine::memory::copy_short(from, to);
            fn emit16(self, low: Self::V, high: Self::V, keep: u64, out: &mut [u8], at: usize) -> usize =
                sixteen::emit16(self, low, high, keep, out, at);
            fn narrow(self, v: Self::V, out: &mut [u8], at: usize) = self.store_half(self.narrow16([v, v]), out, at);
            fn emit_pairs(self, v: Self::V, one: Self::V, out: &mut [u8], at: usize) -> usize =
                sixteen::emit_pairs(self, v, one, out, at);
            fn spread<const W: usize, const UPPER: bool>(self, v: Self::V) -> Self::V =
                if W == 8 { self.pairs(v)[usize::from(UPPER)] } else { self.interleave16::<UPPER>(v, self.splat(0)) };
            fn lookup_above7(self, table: &[u8; 16], a: Self::V, b: Self::V) -> Self::V =
                sixteen::lookup_above7(self, table, a, b);
            fn emit_zipped(self, first: Self::V, second: Self::V, keep: u64, out: &mut [u8], at: usize) -> usize =
                sixteen::emit_zipped(self, first, second, keep, out, at);
            fn emit8(self, v: Self::V, keep: u64, out: &mut [u8], at: usize) -> usize =
                sixteen::emit8(self, v, keep, out, at);
            fn sixes(self, v: Self::V) -> Self::V = sixteen::sixes(self, v);
            fn widen32(self, v: Self::V, out: &mut [u8], at: usize) = sixteen::widen32(self, v, out, at);
            fn emit32(self, planes: Planes<Self::V>, keep: u64, out: &mut [u8], at: usize) -> usize =
                sixteen::emit32(self, planes, keep, out, at);
            fn emit_words(self, v: Self::V, keep: u64, out: &mut [u8], at: usize) -> usize =
                sixteen::emit_words(self, v, keep, out, at);
            fn emit_joined(self, lower: Self::V, upper: Self::V, keep: u64, out: &mut [u8], at: usize) -> usize =
                sixteen::emit_joined(self, lower, upper, keep, out, at);
            fn emit_halves(self, v: Self::V, out: &mut [u8], at: usize) -> usize =
                sixteen::emit_halves(self, v, out, at);
            fn emit_quads(self, v: Self::V, out: &mut [u8], at: usize) -> usize = sixteen::emit_quads(self, v, out, at);
            fn either(self, a: Self::V, b: Self::V) -> Self::V = self.or(a, b);
            fn differ(self, a: Self::V, b: Self::V) -> bool = self.any_msb(self.xor(a, b));
            fn table16(self, table: &[u8; 16]) -> Self::V = self.load(table, 0);
            fn lookup64(self, table: &[u8; 64], index: Self::V) -> Self::V = sixteen::lookup64(self, table, index);
        }

        #[inline(always)]
        fn emit_triples(
            self,
            upper: Self::V,
            lower: Self::V,
            one: Self::V,
            two: Self::V,
            out: &mut [u8],
            at: usize,
        ) -> usize {
            sixteen::emit_triples(self, [upper, lower], one, two, out, at)
        }
        #[inline(always)]
        fn emit_replaced(self, v: Self::V, keep: u64, replace: u64, by: [u8; 4], out: &mut [u8], at: usize) -> usize {
            sixteen::emit_replaced(self, v, keep, replace, by, out, at)
        }
    };
}
pub(super) use by_tables;

/// The size of a set of eight lanes. None of these instruction sets counts bits, except WebAssembly,
/// which gains nothing by it.
#[inline(always)]
fn ones(set: usize) -> usize {
    ONES[set].into()
}

/// The last bytes of `bytes`, not more than 16, and zeros after them.
#[inline(always)]
pub(super) fn last<S: Sixteen>(s: S, bytes: &[u8], n: usize) -> S::V {
    let n = n.min(16);
    if bytes.len() < 16 {
        let word = short_word(&bytes[bytes.len().saturating_sub(n)..]);
        return s.halves([word as u64, (word >> 64) as u64]);
    }
    last_of_many(s, bytes, n)
}

/// [`last`] of 16 bytes or more.
#[inline(always)]
pub(super) fn last_of_many<S: Sixteen>(s: S, bytes: &[u8], n: usize) -> S::V {
    s.pick(s.load(bytes, bytes.len() - 16), s.load(&LAST, 16 - n))
}

#[inline(always)]
pub(super) fn load_padded<S: Sixteen>(s: S, bytes: &[u8], at: usize) -> S::V {
    let there = bytes.len().saturating_sub(at);
    if there >= 16 { s.load(bytes, at) } else { last(s, bytes, there) }
}

#[inline(always)]
pub(super) fn emit16<S: Sixteen>(s: S, low: S::V, high: S::V, keep: u64, out: &mut [u8], at: usize) -> usize {
    let out = bytes_at_mut(out, at, 32);
    let eights = [s.interleave8::<false>(low, high), s.interleave8::<true>(low, high)];
    let mut done = 0;
    for (i, &eight) in eights.iter().enumerate() {
        let set = keep >> (8 * i) & 0xFF;
        let row = s.load(&COMPRESS16[set as usize], 0);
        // `done` is 16 at the most, and `out` has 32 bytes.
        s.store(s.pick(eight, row), out, done);
        done += 2 * ones(set as usize);
    }
    done
}

#[inline(always)]
pub(super) fn emit_pairs<S: Sixteen>(s: S, v: S::V, one: S::V, out: &mut [u8], at: usize) -> usize {
    let two = !s.bits::<16>(one) as usize & 0xFF;
    s.store(s.pick(v, s.load(&PAIRS[two], 0)), out, at);
    8 + ones(two)
}

#[inline(always)]
pub(super) fn emit_triples<S: Sixteen>(
    s: S,
    [upper, lower]: [S::V; 2],
    one: S::V,
    two: S::V,
    out: &mut [u8],
    at: usize,
) -> usize {
    let out = bytes_at_mut(out, at, 32);
    let rows = !s.msb(s.select::<8>(s.splat16(0xFF00), one, two));
    let (row0, row1) = (rows as u8, (rows >> 8) as u8);
    let done = triples_len(row0);
    let (first, second) = (s.interleave16::<false>(upper, lower), s.interleave16::<true>(upper, lower));
    s.store(s.pick(first, s.load(triples(row0), 0)), out, 0);
    // `done` is 12 at the most, and `out` has 32 bytes.
    s.store(s.pick(second, s.load(triples(row1), 0)), out, done);
    done + triples_len(row1)
}

/// Of four tables, that which the upper two of six bits name.
#[inline(always)]
pub(super) fn lookup64<S: Simd>(s: S, table: &[u8; 64], index: S::V) -> S::V {
    let mut found = s.splat(0);
    for (i, table) in table.as_chunks().0.iter().enumerate() {
        // Below 16 where the index is in this table, and with the top bit set elsewhere.
        let of_table = s.xor(s.and(index, s.splat(0x3F)), s.splat(16 * i as u8));
        let beyond = s.and(s.add::<8>(of_table, s.splat(0x70)), s.splat(0x80));
        found = s.or(found, s.lookup16(s.table16(table), s.or(of_table, beyond)));
    }
    found
}

#[inline(always)]
pub(super) fn lookup_above7<S: Sixteen>(s: S, table: &[u8; 16], a: S::V, b: S::V) -> S::V {
    s.pick_or_zero(s.table16(table), s.pack16(s.shr::<16, 7>(a), s.shr::<16, 7>(b)))
}

#[inline(always)]
pub(super) fn emit_zipped<S: Sixteen>(s: S, first: S::V, second: S::V, keep: u64, out: &mut [u8], at: usize) -> usize {
    let out = bytes_at_mut(out, at, 32);
    let eights = [s.interleave8::<false>(first, second), s.interleave8::<true>(first, second)];
    let mut done = 0;
    for (i, &eight) in eights.iter().enumerate() {
        let set = (keep >> (8 * i) & 0xFF) as usize;
        s.store(s.pick(eight, s.load(&PAIRS[set], 0)), out, done);
        done += 8 + ones(set);
    }
    done
}

#[inline(always)]
pub(super) fn emit8<S: Sixteen>(s: S, v: S::V, keep: u64, out: &mut [u8], at: usize) -> usize {
    let out = bytes_at_mut(out, at, 16);
    let (set0, set1) = (keep as usize & 0xFF, keep as usize >> 8 & 0xFF);
    let rows = [u64::from_le_bytes(COMPRESS8[0][set0]), u64::from_le_bytes(COMPRESS8[1][set1])];
    let bytes = s.pick(v, s.halves(rows));
    let done = ones(set0);
    s.store_half(bytes, out, 0);
    s.store_half(s.upper_half(bytes), out, done);
    done + ones(set1)
}

#[inline(always)]
pub(super) fn emit_replaced<S: Sixteen>(
    s: S,
    v: S::V,
    keep: u64,
    replace: u64,
    by: [u8; 4],
    out: &mut [u8],
    at: usize,
) -> usize {
    let out = bytes_at_mut(out, at, 52);
    // Four lanes each, with the replacing bytes after them.
    let after = s.splat32(u32::from_le_bytes(by));
    let (first, second) = (s.interleave32::<false>(v, after), s.interleave32::<true>(v, after));
    let fours = [first, s.upper_half(first), second, s.upper_half(second)];
    let mut done = 0;
    for (i, &four) in fours.iter().enumerate() {
        let row = (keep >> (4 * i) & 0xF | (replace >> (4 * i) & 0xF) << 4) as usize;
        // `done` grows by 12 at the most in each round.
        s.store(s.pick(four, s.table16(&REPLACED.0[row])), out, done);
        done += usize::from(REPLACED.1[row]);
    }
    done
}

#[inline(always)]
pub(super) fn sixes<S: Sixteen>(s: S, v: S::V) -> S::V {
    let upper = s.or(s.shr::<32, 18>(v), s.and(s.shr::<32, 4>(v), s.splat32(0x3F00)));
    let third = s.and(s.shl::<32, 10>(v), s.splat32(0x003F_0000));
    s.or(s.or(upper, third), s.shl::<32, 24>(v))
}

#[inline(always)]
pub(super) fn widen32<S: Sixteen>(s: S, v: S::V, out: &mut [u8], at: usize) {
    let out = bytes_at_mut(out, at, 64);
    for (i, &units) in s.words(v).iter().enumerate() {
        s.store(units, out, 16 * i);
    }
}

#[inline(always)]
pub(super) fn emit32<S: Sixteen>(s: S, planes: Planes<S::V>, keep: u64, out: &mut [u8], at: usize) -> usize {
    let out = bytes_at_mut(out, at, 64);
    let (low, middle, zero) = (planes.low, planes.middle, s.splat(0));
    let (lower0, lower1) = (s.interleave8::<false>(low, middle), s.interleave8::<true>(low, middle));
    let (upper0, upper1) = match planes.high {
        Some(high) => (Some(s.interleave8::<false>(high, zero)), Some(s.interleave8::<true>(high, zero))),
        None => (None, None),
    };
    let first = joined(s, lower0, upper0, keep & 0xFF, out);
    // `first` is 32 at the most.
    first + joined(s, lower1, upper1, keep >> 8 & 0xFF, bytes_at_mut(out, first, 32))
}

#[inline(always)]
pub(super) fn emit_joined<S: Sixteen>(s: S, lower: S::V, upper: S::V, keep: u64, out: &mut [u8], at: usize) -> usize {
    joined(s, lower, Some(upper), keep & 0xFF, bytes_at_mut(out, at, 32))
}

/// Writes the units `upper << 16 | lower` of the lanes in `set` to the front of `out`, and returns
/// their bytes. Without `upper`, it is 0.
///
/// Both halves are compressed by one row before they are interleaved, which is half the work of
/// compressing the units.
#[inline(always)]
fn joined<S: Sixteen>(s: S, lower: S::V, upper: Option<S::V>, set: u64, out: &mut [u8]) -> usize {
    let row = s.load(&COMPRESS16[set as usize], 0);
    let lower = s.pick(lower, row);
    let upper = match upper {
        Some(upper) => s.pick(upper, row),
        None => s.splat(0),
    };
    s.store(s.interleave16::<false>(lower, upper), out, 0);
    s.store(s.interleave16::<true>(lower, upper), out, 16);
    4 * ones(set as usize)
}

#[inline(always)]
pub(super) fn emit_words<S: Sixteen>(s: S, v: S::V, keep: u64, out: &mut [u8], at: usize) -> usize {
    let set = keep & 0xF;
    s.store(s.pick(v, s.load(&COMPRESS32[set as usize], 0)), out, at);
    4 * ones(set as usize)
}

#[inline(always)]
pub(super) fn emit_halves<S: Sixteen>(s: S, v: S::V, out: &mut [u8], at: usize) -> usize {
    let set = s.signs32(s.shl::<32, 16>(v));
    s.store(s.pick(v, s.load(&HALVES[set], 0)), out, at);
    8 + 2 * ones(set)
}

#[inline(always)]
pub(super) fn emit_quads<S: Sixteen>(s: S, v: S::V, out: &mut [u8], at: usize) -> usize {
    let dropped = s.is(v, 0xFF);
    let second = s.shl::<32, 16>(dropped);
    let odd = s.xor(s.xor(s.shl::<32, 24>(dropped), second), s.shl::<32, 8>(dropped));
    let row = s.signs32(odd) | s.signs32(second) << 4;
    s.store(s.pick(v, s.load(&QUADS.0[row], 0)), out, at);
    usize::from(QUADS.1[row])
}

/// The 16 units of 32 bits, four by four.
#[inline(always)]
fn units32<S: Sixteen>(s: S, planes: Planes<S::V>) -> [S::V; 4] {
    let zero = s.splat(0);
    let high = planes.high.unwrap_or(zero);
    let (low, middle) = (planes.low, planes.middle);
    let (first0, first1) = (s.interleave8::<false>(low, middle), s.interleave8::<true>(low, middle));
    let (second0, second1) = (s.interleave8::<false>(high, zero), s.interleave8::<true>(high, zero));
    [
        s.interleave16::<false>(first0, second0),
        s.interleave16::<true>(first0, second0),
        s.interleave16::<false>(first1, second1),
        s.interleave16::<true>(first1, second1),
    ]
}
