//! The operations of AVX2 that close gaps, by shuffles of 16 bytes with a row of a table.
//!
//! Each of these functions is the operation of [`Simd`] that has its name.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use super::ops::{Blocks, Planes, Simd};
use super::tables::{COMPRESS8, COMPRESS16, HALVES, Lines, PAIRS, QUADS, REPLACED, triples, triples_len};
use crate::engine::memory::{Aligned, bytes_at, bytes_at_mut};

/// An instruction set with registers of 32 bytes.
///
/// # Safety
///
/// A value exists only where the processor has AVX2, BMI1, BMI2, LZCNT and POPCNT.
pub(super) unsafe trait Wide: Simd<V = __m256i, C = __m256i> {}

/// One operation that touches registers only.
macro_rules! op {
    ($($call:tt)+) => {
        // SAFETY: the instruction is there: the token, of a type that is `Wide`, was made only
        // where the processor was found to have it.
        unsafe { $($call)+ }
    };
}
pub(super) use op;

#[inline(always)]
pub(super) fn emit16(s: impl Wide, low: __m256i, high: __m256i, keep: u64, out: &mut [u8], at: usize) -> usize {
    let out = bytes_at_mut(out, at, 64);
    let (even, odd) = (low, high);
    // Every third lane, from one of the first three on: text of characters
    // of three bytes. One shuffle instead of four (Chinese: 1.2 times as
    // fast; others lose nothing that can be measured).
    let first = keep.trailing_zeros() as usize;
    if first < 3 && keep == EVERY_THIRD << first & 0xFFFF_FFFF {
        let row = s.load(&THIRDS[first], 0);
        let units = op!(_mm256_unpacklo_epi8(s.lookup16(even, row), s.lookup16(odd, row)));
        let lower = op!(_mm256_castsi256_si128(units));
        let upper = op!(_mm256_extracti128_si256::<1>(units));
        store16(s, lower, out, 0);
        store16(s, upper, out, 2 * (keep & 0xFFFF).count_ones() as usize);
        return 2 * keep.count_ones() as usize;
    }
    // Lanes 0-7 and 16-23, lanes 8-15 and 24-31.
    let outer = op!(_mm256_unpacklo_epi8(even, odd));
    let inner = op!(_mm256_unpackhi_epi8(even, odd));
    let eights = [
        op!(_mm256_castsi256_si128(outer)),
        op!(_mm256_castsi256_si128(inner)),
        op!(_mm256_extracti128_si256::<1>(outer)),
        op!(_mm256_extracti128_si256::<1>(inner)),
    ];
    let mut done = 0;
    for (i, &eight) in eights.iter().enumerate() {
        let set = keep >> (8 * i) & 0xFF;
        let units = shuffle16(s, eight, &COMPRESS16[set as usize]);
        // SAFETY: `done` grows by 16 at the most in each of the rounds
        // before this one, so that it is 48 at the most here, and `out` has
        // 64 bytes.
        let to = unsafe { out.as_mut_ptr().add(done) };
        // SAFETY: the 16 bytes from `to` on are within `out`, as above, and
        // may have any alignment.
        unsafe { to.cast::<__m128i>().write_unaligned(units) };
        done += 2 * set.count_ones() as usize;
    }
    done
}

#[inline(always)]
pub(super) fn emit_pairs(s: impl Wide, v: __m256i, one: __m256i, out: &mut [u8], at: usize) -> usize {
    let out = bytes_at_mut(out, at, 32);
    // In the lower eight of each 16.
    let two = !s.msb(op!(_mm256_packs_epi16(one, one))) as usize;
    let (set0, set1) = (two & 0xFF, two >> 16 & 0xFF);
    let done = 8 + set0.count_ones() as usize;
    store16(s, shuffle16(s, op!(_mm256_castsi256_si128(v)), &PAIRS[set0]), out, 0);
    let upper = shuffle16(s, op!(_mm256_extracti128_si256::<1>(v)), &PAIRS[set1]);
    // SAFETY: `done` is 16 at the most, as `set0` has eight bits, and `out`
    // has 32 bytes.
    unsafe { store16_at(s, upper, out, done) };
    done + 8 + set1.count_ones() as usize
}

#[inline(always)]
pub(super) fn emit_triples(
    s: impl Wide,
    upper: __m256i,
    lower: __m256i,
    one: __m256i,
    two: __m256i,
    out: &mut [u8],
    at: usize,
) -> usize {
    let out = bytes_at_mut(out, at, 64);
    let rows = !s.msb(s.select::<8>(s.splat16(0xFF00), one, two));
    // SAFETY: `out` has 64 bytes.
    unsafe { emit_rows(s, upper, lower, rows as u32, out, 0) }
}

/// [`Blocks`] where two registers of 16-bit units, which are a block, are written together.
pub(crate) struct ByTwos;

impl<S: Wide> Blocks<S> for ByTwos {
    const AT_ONCE: bool = false;
    const BY_TWOS: bool = true;
    const SPILL: usize = 0;

    #[inline(always)]
    fn emit_two_of_pairs(s: S, v: [__m256i; 2], two: [__m256i; 2], out: &mut [u8], at: usize) -> usize {
        let out = bytes_at_mut(out, at, 64);
        // A byte a lane, of both by turns of eight.
        let two = s.msb(op!(_mm256_packs_epi16(two[0], two[1]))) as u32;
        let sets = [two & 0xFF, two >> 16 & 0xFF, two >> 8 & 0xFF, two >> 24];
        let eights = [
            op!(_mm256_castsi256_si128(v[0])),
            op!(_mm256_extracti128_si256::<1>(v[0])),
            op!(_mm256_castsi256_si128(v[1])),
            op!(_mm256_extracti128_si256::<1>(v[1])),
        ];
        let mut done = 0;
        for (&eight, &set) in eights.iter().zip(&sets) {
            // SAFETY: `done` grows by 16 at the most in each of the rounds before
            // this one, as a set has eight bits, so that it is 48 at the most here,
            // and `out` has 64 bytes.
            unsafe { store16_at(s, shuffle16(s, eight, &PAIRS[set as usize]), out, done) };
            done += 8 + set.count_ones() as usize;
        }
        done
    }

    #[inline(always)]
    fn emit_classes(
        s: S,
        upper: [__m256i; 2],
        lower: [__m256i; 2],
        classes: [__m256i; 2],
        out: &mut [u8],
        at: usize,
    ) -> usize {
        let out = bytes_at_mut(out, at, 128);
        let rows = [s.msb(classes[0]) as u32, s.msb(classes[1]) as u32];
        let mut done = 0;
        for i in 0..2 {
            // SAFETY: `out` has 128 bytes, and `done` is 48 at the most.
            done += unsafe { emit_rows(s, upper[i], lower[i], rows[i], out, done) };
        }
        done
    }

    #[inline(always)]
    fn emit_two_of_quads(
        s: S,
        v: [__m256i; 2],
        odd: [__m256i; 2],
        two: [__m256i; 2],
        out: &mut [u8],
        at: usize,
    ) -> usize {
        let out = bytes_at_mut(out, at, 64);
        // In each half four lanes of `odd` and four of `two` of the first register, then of the second one: a byte
        // is a row.
        let (a, b) = (op!(_mm256_packs_epi32(odd[0], two[0])), op!(_mm256_packs_epi32(odd[1], two[1])));
        let rows = s.msb(op!(_mm256_packs_epi16(a, b))) as u32;
        let row = |by: u32| usize::from((rows >> by) as u8);
        let rows = [row(0), row(16), row(8), row(24)];
        let first = s.lookup16(v[0], two_rows(s, &QUADS.0[rows[0]], &QUADS.0[rows[1]]));
        let second = s.lookup16(v[1], two_rows(s, &QUADS.0[rows[2]], &QUADS.0[rows[3]]));
        let fours = [
            op!(_mm256_castsi256_si128(first)),
            op!(_mm256_extracti128_si256::<1>(first)),
            op!(_mm256_castsi256_si128(second)),
            op!(_mm256_extracti128_si256::<1>(second)),
        ];
        let mut done = 0;
        for (&four, &row) in fours.iter().zip(&rows) {
            // SAFETY: `done` grows by 16 at the most in each of the rounds before this one, as four lanes have 16
            // bytes, so that it is 48 at the most here, and `out` has 64 bytes.
            unsafe { store16_at(s, four, out, done) };
            done += usize::from(QUADS.1[row]);
        }
        done
    }

    #[inline(always)]
    fn lesser(_: S, a: __m256i, b: __m256i) -> __m256i {
        op!(_mm256_min_epu8(a, b))
    }
}

/// Each four lanes by a row of eight bits of the table. Rows and lanes
/// are shuffled in registers of 32 bytes, which is cheaper than extracting the halves
/// first. Returns at most 48.
///
/// # Safety
///
/// `out` has the 64 bytes from `at` on.
#[inline(always)]
unsafe fn emit_rows(s: impl Wide, upper: __m256i, lower: __m256i, rows: u32, out: &mut [u8], at: usize) -> usize {
    // Lanes 0-3 and 8-11, lanes 4-7 and 12-15.
    let outer = op!(_mm256_unpacklo_epi16(upper, lower));
    let inner = op!(_mm256_unpackhi_epi16(upper, lower));
    let rows = [rows as u8, (rows >> 8) as u8, (rows >> 16) as u8, (rows >> 24) as u8];
    let outer = s.lookup16(outer, two_rows(s, triples(rows[0]), triples(rows[2])));
    let inner = s.lookup16(inner, two_rows(s, triples(rows[1]), triples(rows[3])));
    let fours = [
        op!(_mm256_castsi256_si128(outer)),
        op!(_mm256_castsi256_si128(inner)),
        op!(_mm256_extracti128_si256::<1>(outer)),
        op!(_mm256_extracti128_si256::<1>(inner)),
    ];
    let mut done = 0;
    for (&four, &row) in fours.iter().zip(&rows) {
        // SAFETY: `done` grows by 12 at the most in each of the rounds
        // before this one (`triples_len`), so that it is 36 at the most here,
        // and `out` has 64 bytes from `at` on, by the caller's promise.
        unsafe { store16_at(s, four, out, at + done) };
        done += triples_len(row);
    }
    done
}

#[inline(always)]
pub(super) fn emit_zipped(
    s: impl Wide,
    first: __m256i,
    second: __m256i,
    keep: u64,
    out: &mut [u8],
    at: usize,
) -> usize {
    let out = bytes_at_mut(out, at, 64);
    // Lanes 0-7 and 16-23, lanes 8-15 and 24-31.
    let outer = op!(_mm256_unpacklo_epi8(first, second));
    let inner = op!(_mm256_unpackhi_epi8(first, second));
    let eights = [
        op!(_mm256_castsi256_si128(outer)),
        op!(_mm256_castsi256_si128(inner)),
        op!(_mm256_extracti128_si256::<1>(outer)),
        op!(_mm256_extracti128_si256::<1>(inner)),
    ];
    let mut done = 0;
    for (i, &eight) in eights.iter().enumerate() {
        let set = keep >> (8 * i) & 0xFF;
        store16(s, shuffle16(s, eight, &PAIRS[set as usize]), out, done);
        done += 8 + set.count_ones() as usize;
    }
    done
}

#[inline(always)]
pub(super) fn emit8(s: impl Wide, v: __m256i, keep: u64, out: &mut [u8], at: usize) -> usize {
    let out = bytes_at_mut(out, at, 32);
    let lower = emit8_of16(s, op!(_mm256_castsi256_si128(v)), keep & 0xFFFF, out, 0);
    lower + emit8_of16(s, op!(_mm256_extracti128_si256::<1>(v)), keep >> 16 & 0xFFFF, out, lower)
}

#[inline(always)]
pub(super) fn emit_replaced(
    s: impl Wide,
    v: __m256i,
    keep: u64,
    replace: u64,
    by: [u8; 4],
    out: &mut [u8],
    at: usize,
) -> usize {
    let out = bytes_at_mut(out, at, 100);
    // Four lanes each, with the replacing bytes after them.
    let after = s.splat32(u32::from_le_bytes(by));
    let Aligned(fours) = &mut Aligned([0; 64]);
    s.store(op!(_mm256_unpacklo_epi32(v, after)), fours, 0);
    s.store(op!(_mm256_unpackhi_epi32(v, after)), fours, 32);
    let mut done = 0;
    for (i, &four) in [0, 8, 32, 40, 16, 24, 48, 56].iter().enumerate() {
        let row = (keep >> (4 * i) & 0xF | (replace >> (4 * i) & 0xF) << 4) as usize;
        let bytes = shuffle16(s, load8(s, fours, four), &REPLACED.0[row]);
        // `done` grows by 12 at the most in each round.
        store16(s, bytes, out, done);
        done += usize::from(REPLACED.1[row]);
    }
    done
}

#[inline(always)]
pub(super) fn emit32(s: impl Wide, planes: Planes<__m256i>, keep: u64, out: &mut [u8], at: usize) -> usize {
    let out = bytes_at_mut(out, at, 128);
    let Planes { low, middle, high } = planes;
    let (even, odd) = (low, middle);
    if let Some(high) = high {
        let lower = eights(s, even, odd);
        let upper = eights(s, high, s.splat(0));
        let mut done = 0;
        for i in 0..4 {
            let set = keep >> (8 * i) & 0xFF;
            let row = &COMPRESS16[set as usize];
            let (lower, upper) = (shuffle16(s, lower[i], row), shuffle16(s, upper[i], row));
            let four = op!(_mm_unpacklo_epi16(lower, upper));
            let next = op!(_mm_unpackhi_epi16(lower, upper));
            let units = op!(_mm256_set_m128i(next, four));
            // SAFETY: `out` has 128 bytes, and `done` grows by 8 at the most
            // in each of the rounds before this one: it is 24 at the most.
            unsafe { store_eight(s, units, out, done) };
            done += set.count_ones() as usize;
        }
        return 4 * done;
    }
    // Every third lane: see `emit16`.
    let first = keep.trailing_zeros() as usize;
    if first < 3 && keep == EVERY_THIRD << first & 0xFFFF_FFFF {
        let row = s.load(&THIRDS[first], 0);
        let units = op!(_mm256_unpacklo_epi8(s.lookup16(even, row), s.lookup16(odd, row)));
        let lower = widen_eight(s, op!(_mm256_castsi256_si128(units)));
        let upper = widen_eight(s, op!(_mm256_extracti128_si256::<1>(units)));
        s.store(lower, out, 0);
        s.store(upper, out, 4 * (keep & 0xFFFF).count_ones() as usize);
        return 4 * keep.count_ones() as usize;
    }
    let mut done = 0;
    for (i, &eight) in eights(s, even, odd).iter().enumerate() {
        let set = keep >> (8 * i) & 0xFF;
        let units = shuffle16(s, eight, &COMPRESS16[set as usize]);
        let units = widen_eight(s, units);
        // SAFETY: as above.
        unsafe { store_eight(s, units, out, done) };
        done += set.count_ones() as usize;
    }
    4 * done
}

#[inline(always)]
pub(super) fn emit_joined(s: impl Wide, lower: __m256i, upper: __m256i, keep: u64, out: &mut [u8], at: usize) -> usize {
    let out = bytes_at_mut(out, at, 64);
    // Units 0-3 and 8-11, units 4-7 and 12-15.
    let outer = op!(_mm256_unpacklo_epi16(lower, upper));
    let inner = op!(_mm256_unpackhi_epi16(lower, upper));
    let first = op!(_mm256_permute2x128_si256::<0x20>(outer, inner));
    let second = op!(_mm256_permute2x128_si256::<0x31>(outer, inner));
    let done = emit_words(s, first, keep & 0xFF, out, 0);
    done + emit_words(s, second, keep >> 8 & 0xFF, out, done)
}

#[inline(always)]
pub(super) fn emit_words(s: impl Wide, v: __m256i, keep: u64, out: &mut [u8], at: usize) -> usize {
    // SAFETY: a row has 8 bytes to read, at any alignment; the token says
    // that the instruction is there.
    let row = unsafe { _mm_loadl_epi64(LANES32[(keep & 0xFF) as usize].as_ptr().cast()) };
    let from = op!(_mm256_cvtepu8_epi32(row));
    s.store(op!(_mm256_permutevar8x32_epi32(v, from)), out, at);
    4 * keep.count_ones() as usize
}

#[inline(always)]
pub(super) fn emit_halves(s: impl Wide, v: __m256i, out: &mut [u8], at: usize) -> usize {
    let out = bytes_at_mut(out, at, 32);
    let sets = signs32(s, s.shl::<32, 16>(v));
    let lower = op!(_mm256_castsi256_si128(v));
    let upper = op!(_mm256_extracti128_si256::<1>(v));
    let done = 8 + 2 * (sets & 0xF).count_ones() as usize;
    store16(s, shuffle16(s, lower, &HALVES[sets & 0xF]), out, 0);
    store16(s, shuffle16(s, upper, &HALVES[sets >> 4]), out, done);
    done + 8 + 2 * (sets >> 4).count_ones() as usize
}

#[inline(always)]
pub(super) fn emit_quads(s: impl Wide, v: __m256i, out: &mut [u8], at: usize) -> usize {
    let out = bytes_at_mut(out, at, 32);
    let dropped = op!(_mm256_cmpeq_epi8(v, s.splat(0xFF)));
    let second = s.shl::<32, 16>(dropped);
    let odd = s.xor(s.xor(s.shl::<32, 24>(dropped), second), s.shl::<32, 8>(dropped));
    let (odd, two) = (signs32(s, odd), signs32(s, second));
    let row0 = odd & 0xF | two << 4 & 0xF0;
    let row1 = odd >> 4 | two & 0xF0;
    let lower = op!(_mm256_castsi256_si128(v));
    let upper = op!(_mm256_extracti128_si256::<1>(v));
    let done = usize::from(QUADS.1[row0]);
    store16(s, shuffle16(s, lower, &QUADS.0[row0]), out, 0);
    store16(s, shuffle16(s, upper, &QUADS.0[row1]), out, done);
    done + usize::from(QUADS.1[row1])
}

/// [`Simd::emit8`] for 16 lanes.
#[inline(always)]
fn emit8_of16(s: impl Wide, v: __m128i, keep: u64, out: &mut [u8], at: usize) -> usize {
    let out = bytes_at_mut(out, at, 16);
    let (set0, set1) = (keep as usize & 0xFF, keep as usize >> 8 & 0xFF);
    let row = [COMPRESS8[0][set0], COMPRESS8[1][set1]];
    let row = op!(_mm_set_epi64x(i64::from_le_bytes(row[1]), i64::from_le_bytes(row[0])));
    let bytes = op!(_mm_shuffle_epi8(v, row));
    let done = set0.count_ones() as usize;
    store8(s, bytes, out, 0);
    store8(s, op!(_mm_unpackhi_epi64(bytes, bytes)), out, done);
    done + set1.count_ones() as usize
}

/// The 8 bytes from `at` on, in the lower half.
#[inline(always)]
fn load8(_: impl Wide, bytes: &[u8], at: usize) -> __m128i {
    let bytes = bytes_at(bytes, at, 8);
    // SAFETY: `bytes` has 8 bytes to read, at any alignment; the token says
    // that the instruction is there.
    unsafe { _mm_loadl_epi64(bytes.as_ptr().cast()) }
}

/// Writes the lower half of `v` to the 8 bytes of `out` from `at` on.
#[inline(always)]
fn store8(_: impl Wide, v: __m128i, out: &mut [u8], at: usize) {
    let out = bytes_at_mut(out, at, 8);
    // SAFETY: `out` has 8 bytes to write, at any alignment; the token says that
    // the instruction is there.
    unsafe { _mm_storel_epi64(out.as_mut_ptr().cast(), v) }
}

const EVERY_THIRD: u64 = 0x4924_9249;

/// For the sets `EVERY_THIRD << 0`, `1` and `2` of 32 lanes: in each half the
/// lanes of the half that are in the set, first to last; FF after them.
static THIRDS: [[u8; 32]; 3] = {
    let mut rows = [[0xFF; 32]; 3];
    let mut first = 0;
    while first < 3 {
        let mut at = [0, 16];
        let mut lane = first;
        while lane < 32 {
            rows[first][at[lane / 16]] = (lane % 16) as u8;
            at[lane / 16] += 1;
            lane += 3;
        }
        first += 1;
    }
    rows
};

/// The bytes of `v` that `row` names.
#[inline(always)]
fn shuffle16(s: impl Wide, v: __m128i, row: &[u8; 16]) -> __m128i {
    op!(_mm_shuffle_epi8(v, load16(s, row)))
}

/// Both rows, one after the other.
#[inline(always)]
fn two_rows(s: impl Wide, first: &[u8; 16], second: &[u8; 16]) -> __m256i {
    op!(_mm256_set_m128i(load16(s, second), load16(s, first)))
}

/// A row.
#[inline(always)]
fn load16(_: impl Wide, row: &[u8; 16]) -> __m128i {
    // SAFETY: `row` has 16 bytes to read, at any alignment.
    unsafe { row.as_ptr().cast::<__m128i>().read_unaligned() }
}

/// Writes `v` to the 16 bytes of `out` from `at` on.
#[inline(always)]
pub(super) fn store16(_: impl Wide, v: __m128i, out: &mut [u8], at: usize) {
    let out = bytes_at_mut(out, at, 16);
    // SAFETY: `out` has 16 bytes to write, at any alignment.
    unsafe { out.as_mut_ptr().cast::<__m128i>().write_unaligned(v) }
}

/// Writes `v` to the 16 bytes of `out` from `at` on.
///
/// # Safety
///
/// They are there.
#[inline(always)]
unsafe fn store16_at(_: impl Wide, v: __m128i, out: &mut [u8], at: usize) {
    debug_assert!(at + 16 <= out.len());
    // SAFETY: that is within `out`, by the caller's promise.
    let to = unsafe { out.as_mut_ptr().add(at) };
    // SAFETY: so are the 16 bytes from `to` on, which may have any alignment.
    unsafe { to.cast::<__m128i>().write_unaligned(v) }
}

/// The top bit of each lane of 32 bits.
#[inline(always)]
pub(super) fn signs32(_: impl Wide, v: __m256i) -> usize {
    let v = op!(_mm256_castsi256_ps(v));
    op!(_mm256_movemask_ps(v)) as usize
}

/// For each set of eight lanes of 32 bits, the lanes in it, first to last.
static LANES32: Lines<[[u8; 8]; 256]> = {
    let mut rows = [[0; 8]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < 8 {
            if set >> lane & 1 == 1 {
                rows[set][at] = lane as u8;
                at += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    Lines::new(rows)
};

/// The 32 pairs `even[i], odd[i]`, eight by eight.
#[inline(always)]
fn eights(_: impl Wide, even: __m256i, odd: __m256i) -> [__m128i; 4] {
    let outer = op!(_mm256_unpacklo_epi8(even, odd));
    let inner = op!(_mm256_unpackhi_epi8(even, odd));
    [
        op!(_mm256_castsi256_si128(outer)),
        op!(_mm256_castsi256_si128(inner)),
        op!(_mm256_extracti128_si256::<1>(outer)),
        op!(_mm256_extracti128_si256::<1>(inner)),
    ]
}

/// Eight units of 16 bits as units of 32.
#[inline(always)]
fn widen_eight(_: impl Wide, eight: __m128i) -> __m256i {
    op!(_mm256_cvtepu16_epi32(eight))
}

/// Writes eight units of 32 bits after the first `done` of `out`.
///
/// # Safety
///
/// `out` has space for `done` units and eight more.
#[inline(always)]
unsafe fn store_eight(_: impl Wide, v: __m256i, out: &mut [u8], done: usize) {
    debug_assert!(4 * done + 32 <= out.len());
    // SAFETY: that is within `out`, by the caller's promise.
    let to = unsafe { out.as_mut_ptr().add(4 * done) };
    // SAFETY: so are the 32 bytes from `to` on, which may have any alignment.
    unsafe { to.cast::<__m256i>().write_unaligned(v) }
}
