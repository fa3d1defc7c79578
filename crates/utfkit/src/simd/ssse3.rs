//! SSSE3: 16 bytes in a register.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use super::ops::{
    COMPRESS8, COMPRESS16, COMPRESS32, HALVES, LAST, MENDED, ONES, PAIRS, Planes, QUADS, REPLACEMENT, Simd, TRIPLES,
};
use crate::memory::{copy_short, short_word};

/// The token.
#[derive(Clone, Copy)]
pub(crate) struct Ssse3(());

/// One operation that touches registers only.
macro_rules! op {
    ($($call:tt)+) => {
        // SAFETY: the instruction is there: the token `self` was made only
        // where the processor was found to have it (`Ssse3::new`).
        unsafe { $($call)+ }
    };
}

impl Ssse3 {
    /// # Safety
    ///
    /// The processor has SSSE3.
    #[inline(always)]
    pub(crate) unsafe fn new() -> Ssse3 {
        Ssse3(())
    }

    /// The last bytes of `bytes`, not more than 16, and zeros behind them.
    #[inline(always)]
    pub(super) fn last(self, bytes: &[u8], n: usize) -> __m128i {
        let n = n.min(16);
        let Some(from) = bytes.len().checked_sub(16) else {
            let word = short_word(&bytes[bytes.len().saturating_sub(n)..]);
            return op!(_mm_set_epi64x((word >> 64) as i64, word as i64));
        };
        self.lookup16(self.load(bytes, from), self.load(&LAST, 16 - n))
    }
}

impl Simd for Ssse3 {
    type V = __m128i;
    type C = __m128i;
    type C16 = __m128i;
    type C32 = __m128i;

    const LANES: usize = 16;
    const WIDE_LOOKUP: bool = false;
    const COMPRESS: bool = false;
    const MASKS: bool = false;

    #[inline(always)]
    fn load_padded(self, bytes: &[u8], at: usize) -> __m128i {
        let there = bytes.len().saturating_sub(at);
        if there >= 16 { self.load(bytes, at) } else { self.last(bytes, there) }
    }

    #[inline(always)]
    fn across(self, a: __m128i, b: __m128i, by: usize) -> __m128i {
        match by {
            0 => a,
            1 => op!(_mm_alignr_epi8::<1>(b, a)),
            2 => op!(_mm_alignr_epi8::<2>(b, a)),
            3 => op!(_mm_alignr_epi8::<3>(b, a)),
            4 => op!(_mm_alignr_epi8::<4>(b, a)),
            12 => op!(_mm_alignr_epi8::<12>(b, a)),
            13 => op!(_mm_alignr_epi8::<13>(b, a)),
            14 => op!(_mm_alignr_epi8::<14>(b, a)),
            15 => op!(_mm_alignr_epi8::<15>(b, a)),
            _ => b,
        }
    }

    #[inline(always)]
    fn load(self, bytes: &[u8], at: usize) -> __m128i {
        let bytes = &bytes[at..at + 16];
        // SAFETY: `bytes` has 16 bytes to read, at any alignment; the token
        // says that the instruction is there.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, v: __m128i, bytes: &mut [u8], at: usize) {
        let bytes = &mut bytes[at..at + 16];
        // SAFETY: `bytes` has 16 bytes to write, at any alignment; the token
        // says that the instruction is there.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), v) }
    }

    #[inline(always)]
    fn splat(self, byte: u8) -> __m128i {
        op!(_mm_set1_epi8(byte as i8))
    }

    #[inline(always)]
    fn table16(self, table: &[u8; 16]) -> __m128i {
        self.load(table, 0)
    }

    #[inline(always)]
    fn table64(self, table: &[u8; 64]) -> __m128i {
        self.load(table, 0)
    }

    #[inline(always)]
    fn and(self, a: __m128i, b: __m128i) -> __m128i {
        op!(_mm_and_si128(a, b))
    }
    #[inline(always)]
    fn or(self, a: __m128i, b: __m128i) -> __m128i {
        op!(_mm_or_si128(a, b))
    }
    #[inline(always)]
    fn xor(self, a: __m128i, b: __m128i) -> __m128i {
        op!(_mm_xor_si128(a, b))
    }
    #[inline(always)]
    fn and_not(self, a: __m128i, b: __m128i) -> __m128i {
        op!(_mm_andnot_si128(a, b))
    }
    #[inline(always)]
    fn add(self, a: __m128i, b: __m128i) -> __m128i {
        op!(_mm_add_epi8(a, b))
    }
    #[inline(always)]
    fn saturating_sub(self, a: __m128i, b: __m128i) -> __m128i {
        op!(_mm_subs_epu8(a, b))
    }
    #[inline(always)]
    fn shl<const N: i32>(self, v: __m128i) -> __m128i {
        op!(_mm_slli_epi16::<N>(v))
    }
    #[inline(always)]
    fn shr<const N: i32>(self, v: __m128i) -> __m128i {
        op!(_mm_srli_epi16::<N>(v))
    }

    #[inline(always)]
    fn lookup16(self, table: __m128i, index: __m128i) -> __m128i {
        op!(_mm_shuffle_epi8(table, index))
    }
    #[inline(always)]
    fn lookup64(self, _table: __m128i, index: __m128i) -> __m128i {
        index
    }

    #[inline(always)]
    fn msb(self, v: __m128i) -> u64 {
        u64::from(op!(_mm_movemask_epi8(v)) as u32)
    }
    #[inline(always)]
    fn any_msb(self, v: __m128i) -> bool {
        self.msb(v) != 0
    }
    #[inline(always)]
    fn ge(self, a: __m128i, b: __m128i) -> __m128i {
        let greater = op!(_mm_max_epu8(a, b));
        op!(_mm_cmpeq_epi8(a, greater))
    }
    #[inline(always)]
    fn lt_signed(self, a: __m128i, b: __m128i) -> __m128i {
        op!(_mm_cmplt_epi8(a, b))
    }
    #[inline(always)]
    fn nonzero(self, v: __m128i) -> __m128i {
        let zero = op!(_mm_cmpeq_epi8(v, self.splat(0)));
        self.and_not(zero, self.splat(0xFF))
    }
    #[inline(always)]
    fn bits(self, c: __m128i) -> u64 {
        self.msb(c)
    }
    #[inline(always)]
    fn cond(self, bits: u64) -> __m128i {
        // Each byte of the mask to the eight lanes it speaks of, then each
        // lane to its bit.
        let v = op!(_mm_set1_epi16(bits as i16));
        let spread = op!(_mm_set_epi64x(0x0101_0101_0101_0101, 0));
        let bit = op!(_mm_set1_epi64x(0x8040_2010_0804_0201_u64 as i64));
        let own = self.and(self.lookup16(v, spread), bit);
        op!(_mm_cmpeq_epi8(own, bit))
    }
    #[inline(always)]
    fn any(self, c: __m128i) -> bool {
        self.msb(c) != 0
    }
    #[inline(always)]
    fn keep(self, c: __m128i, v: __m128i) -> __m128i {
        self.and(c, v)
    }
    #[inline(always)]
    fn select(self, c: __m128i, a: __m128i, b: __m128i) -> __m128i {
        self.or(self.and(c, a), self.and_not(c, b))
    }

    #[inline(always)]
    fn widen<const BIG: bool>(self, v: __m128i, out: &mut [u8], at: usize) {
        let out = &mut out[at..at + 32];
        let (even, odd) = if BIG { (self.splat(0), v) } else { (v, self.splat(0)) };
        self.store(op!(_mm_unpacklo_epi8(even, odd)), out, 0);
        self.store(op!(_mm_unpackhi_epi8(even, odd)), out, 16);
    }

    #[inline(always)]
    fn emit16<const BIG: bool>(self, low: __m128i, high: __m128i, keep: u64, out: &mut [u8], at: usize) -> usize {
        let out = &mut out[at..at + 32];
        let (even, odd) = if BIG { (high, low) } else { (low, high) };
        let eights = [op!(_mm_unpacklo_epi8(even, odd)), op!(_mm_unpackhi_epi8(even, odd))];
        let mut done = 0;
        for (i, eight) in eights.into_iter().enumerate() {
            let set = keep >> (8 * i) & 0xFF;
            let row = self.load(&COMPRESS16[set as usize], 0);
            // `done` is 16 at the most, and `out` has 32 bytes.
            self.store(self.lookup16(eight, row), out, done);
            done += 2 * set.count_ones() as usize;
        }
        done
    }

    #[inline(always)]
    fn emit16_within<const BIG: bool>(
        self,
        low: __m128i,
        high: __m128i,
        keep: u64,
        out: &mut [u8],
        at: usize,
    ) -> Option<usize> {
        let mut units = [0; 32];
        let len = self.emit16::<BIG>(low, high, keep, &mut units, 0);
        copy_short(&units[..len], out.get_mut(at..at + len)?);
        Some(len)
    }

    #[inline(always)]
    fn splat16(self, unit: u16) -> __m128i {
        op!(_mm_set1_epi16(unit as i16))
    }
    #[inline(always)]
    fn add16(self, a: __m128i, b: __m128i) -> __m128i {
        op!(_mm_add_epi16(a, b))
    }
    #[inline(always)]
    fn or16(self, a: __m128i, b: __m128i) -> __m128i {
        self.or(a, b)
    }
    #[inline(always)]
    fn split16(self, v: __m128i) -> __m128i {
        // 000yyyyy xxxxxx00: times 1, and times 40, added.
        op!(_mm_maddubs_epi16(self.shl::<2>(v), self.splat16(0x0140)))
    }
    #[inline(always)]
    fn split_upper16(self, v: __m128i) -> __m128i {
        // 0000zzzz yyyyyy00
        let fields = self.and(self.shr::<4>(v), self.splat16(0x0FFC));
        op!(_mm_maddubs_epi16(fields, self.splat16(0x0140)))
    }
    #[inline(always)]
    fn swap16(self, v: __m128i) -> __m128i {
        let swap = self.table16(&[1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14]);
        self.lookup16(v, swap)
    }
    #[inline(always)]
    fn eq16(self, a: __m128i, b: __m128i) -> u64 {
        self.bits16(self.same16(a, b))
    }
    #[inline(always)]
    fn select16(self, bits: u64, a: __m128i, b: __m128i) -> __m128i {
        self.blend16(self.cond16(bits), a, b)
    }
    #[inline(always)]
    fn bits16(self, c: __m128i) -> u64 {
        self.msb(op!(_mm_packs_epi16(c, self.splat(0))))
    }
    #[inline(always)]
    fn cond16(self, bits: u64) -> __m128i {
        let bit = op!(_mm_setr_epi16(1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80));
        self.same16(self.and(self.splat16(bits as u16), bit), bit)
    }
    #[inline(always)]
    fn le16(self, v: __m128i, bound: u16) -> __m128i {
        let above = op!(_mm_subs_epu16(v, self.splat16(bound)));
        self.same16(above, self.splat(0))
    }
    #[inline(always)]
    fn same16(self, a: __m128i, b: __m128i) -> __m128i {
        op!(_mm_cmpeq_epi16(a, b))
    }
    #[inline(always)]
    fn differ16(self, a: __m128i, b: __m128i) -> bool {
        self.any_msb(self.xor(a, b))
    }
    #[inline(always)]
    fn blend16(self, c: __m128i, a: __m128i, b: __m128i) -> __m128i {
        self.select(c, a, b)
    }
    #[inline(always)]
    fn narrow(self, v: __m128i, out: &mut [u8], at: usize) {
        let out = &mut out[at..at + 8];
        let bytes = op!(_mm_packus_epi16(v, v));
        // SAFETY: `out` has the 8 bytes to write, at any alignment; the token
        // says that the instruction is there.
        unsafe { _mm_storel_epi64(out.as_mut_ptr().cast(), bytes) }
    }
    #[inline(always)]
    fn emit_pairs(self, v: __m128i, one: __m128i, out: &mut [u8], at: usize) -> usize {
        let two = !self.msb(op!(_mm_packs_epi16(one, one))) as usize & 0xFF;
        self.store(self.lookup16(v, self.load(&PAIRS[two], 0)), out, at);
        8 + two.count_ones() as usize
    }
    #[inline(always)]
    fn emit_triples(
        self,
        upper: __m128i,
        lower: __m128i,
        one: __m128i,
        two: __m128i,
        out: &mut [u8],
        at: usize,
    ) -> usize {
        let out = &mut out[at..at + 32];
        let rows = !self.msb(self.select(self.splat16(0xFF00), one, two)) as usize;
        let (row0, row1) = (rows & 0xFF, rows >> 8 & 0xFF);
        let done = 4 + row0.count_ones() as usize;
        let (first, second) = (op!(_mm_unpacklo_epi16(upper, lower)), op!(_mm_unpackhi_epi16(upper, lower)));
        self.store(self.lookup16(first, self.load(&TRIPLES[row0], 0)), out, 0);
        // `done` is 12 at the most, and `out` has 32 bytes.
        self.store(self.lookup16(second, self.load(&TRIPLES[row1], 0)), out, done);
        done + 4 + row1.count_ones() as usize
    }

    #[inline(always)]
    fn splat32(self, word: u32) -> __m128i {
        op!(_mm_set1_epi32(word as i32))
    }
    #[inline(always)]
    fn spread<const UPPER: bool>(self, v: __m128i) -> __m128i {
        let zero = self.splat(0);
        if UPPER { op!(_mm_unpackhi_epi16(v, zero)) } else { op!(_mm_unpacklo_epi16(v, zero)) }
    }
    #[inline(always)]
    fn shl32<const N: i32>(self, v: __m128i) -> __m128i {
        op!(_mm_slli_epi32::<N>(v))
    }
    #[inline(always)]
    fn shr32<const N: i32>(self, v: __m128i) -> __m128i {
        op!(_mm_srli_epi32::<N>(v))
    }
    #[inline(always)]
    fn add32(self, a: __m128i, b: __m128i) -> __m128i {
        op!(_mm_add_epi32(a, b))
    }
    #[inline(always)]
    fn gt32(self, v: __m128i, bound: u32) -> __m128i {
        op!(_mm_cmpgt_epi32(v, self.splat32(bound)))
    }
    #[inline(always)]
    fn cond32(self, bits: u64) -> __m128i {
        let bit = op!(_mm_setr_epi32(1, 2, 4, 8));
        op!(_mm_cmpeq_epi32(self.and(self.splat32(bits as u32), bit), bit))
    }
    #[inline(always)]
    fn select32(self, c: __m128i, a: __m128i, b: __m128i) -> __m128i {
        self.select(c, a, b)
    }

    // Counts, UTF-16 as it is, and Latin-1.

    #[inline(always)]
    fn count(self, count: __m128i, c: __m128i) -> __m128i {
        op!(_mm_sub_epi8(count, c))
    }
    #[inline(always)]
    fn count_clear16(self, count: __m128i, v: __m128i, bits: u16) -> __m128i {
        let clear = op!(_mm_cmpeq_epi16(self.and(v, self.splat16(bits)), self.splat(0)));
        op!(_mm_sub_epi16(count, clear))
    }
    #[inline(always)]
    fn count_clear32(self, count: __m128i, v: __m128i, bits: u32) -> __m128i {
        let clear = op!(_mm_cmpeq_epi32(self.and(v, self.splat32(bits)), self.splat(0)));
        op!(_mm_sub_epi32(count, clear))
    }
    #[inline(always)]
    fn saturating_add(self, a: __m128i, b: __m128i) -> __m128i {
        op!(_mm_adds_epu8(a, b))
    }
    #[inline(always)]
    fn pack16(self, a: __m128i, b: __m128i) -> __m128i {
        op!(_mm_packus_epi16(a, b))
    }
    #[inline(always)]
    fn sum(self, v: __m128i) -> usize {
        let two = op!(_mm_sad_epu8(v, self.splat(0)));
        let upper = op!(_mm_unpackhi_epi64(two, two));
        let one = op!(_mm_add_epi32(two, upper));
        op!(_mm_cvtsi128_si32(one)) as usize
    }
    #[inline(always)]
    fn min16(self, a: __m128i, b: __m128i) -> __m128i {
        op!(_mm_min_epi16(a, b))
    }
    #[inline(always)]
    fn narrow16(self, v: [__m128i; 2]) -> __m128i {
        op!(_mm_packus_epi16(v[0], v[1]))
    }
    #[inline(always)]
    fn narrow32(self, v: [__m128i; 4]) -> __m128i {
        let two = [op!(_mm_packs_epi32(v[0], v[1])), op!(_mm_packs_epi32(v[2], v[3]))];
        self.narrow16(two)
    }
    #[inline(always)]
    fn signs(self, v: __m128i) -> u64 {
        self.msb(v)
    }
    #[inline(always)]
    fn emit_led(self, v: __m128i, led: u64, high: __m128i, out: &mut [u8], at: usize) -> usize {
        let out = &mut out[at..at + 32];
        let lead = self.count(self.splat(0xC2), high);
        let v = self.add(v, self.keep(high, self.splat(0xC0)));
        let eights = [op!(_mm_unpacklo_epi8(lead, v)), op!(_mm_unpackhi_epi8(lead, v))];
        let mut done = 0;
        for (i, eight) in eights.into_iter().enumerate() {
            let set = (led >> (8 * i) & 0xFF) as usize;
            let row = self.load(&PAIRS[set], 0);
            self.store(self.lookup16(eight, row), out, done);
            done += 8 + usize::from(ONES[set]);
        }
        done
    }
    #[inline(always)]
    fn emit8(self, v: __m128i, keep: u64, out: &mut [u8], at: usize) -> usize {
        let out = &mut out[at..at + 16];
        let (set0, set1) = (keep as usize & 0xFF, keep as usize >> 8 & 0xFF);
        let row = [COMPRESS8[0][set0], COMPRESS8[1][set1]];
        let row = op!(_mm_set_epi64x(i64::from_le_bytes(row[1]), i64::from_le_bytes(row[0])));
        let bytes = self.lookup16(v, row);
        let done = usize::from(ONES[set0]);
        store8(self, bytes, out, 0);
        store8(self, op!(_mm_unpackhi_epi64(bytes, bytes)), out, done);
        done + usize::from(ONES[set1])
    }
    #[inline(always)]
    fn emit_mended(self, v: __m128i, keep: u64, fault: u64, out: &mut [u8], at: usize) -> usize {
        let out = &mut out[at..at + 52];
        // Four lanes each, with the bytes of U+FFFD behind them.
        let behind = self.splat32(u32::from_le_bytes(REPLACEMENT));
        let (first, second) = (op!(_mm_unpacklo_epi32(v, behind)), op!(_mm_unpackhi_epi32(v, behind)));
        let fours = [first, op!(_mm_unpackhi_epi64(first, first)), second, op!(_mm_unpackhi_epi64(second, second))];
        let mut done = 0;
        for (i, four) in fours.into_iter().enumerate() {
            let row = (keep >> (4 * i) & 0xF | (fault >> (4 * i) & 0xF) << 4) as usize;
            // `done` grows by 12 at the most in each round.
            self.store(self.lookup16(four, self.table16(&MENDED.0[row])), out, done);
            done += usize::from(MENDED.1[row]);
        }
        done
    }

    // To and from UTF-32.

    #[inline(always)]
    fn swap32(self, v: __m128i) -> __m128i {
        let swap = self.table16(&[3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]);
        self.lookup16(v, swap)
    }
    #[inline(always)]
    fn bits32(self, c: __m128i) -> u64 {
        signs32(self, c) as u64
    }
    #[inline(always)]
    fn join32(self, lower: __m128i, upper: __m128i) -> __m128i {
        // The instruction that packs takes signed values.
        let signed = |v| op!(_mm_srai_epi32::<16>(self.shl32::<16>(v)));
        op!(_mm_packs_epi32(signed(lower), signed(upper)))
    }
    #[inline(always)]
    fn any_eq16(self, a: __m128i, b: __m128i) -> bool {
        self.any_msb(op!(_mm_cmpeq_epi16(a, b)))
    }
    #[inline(always)]
    fn sixes(self, v: __m128i) -> __m128i {
        let upper = self.or(self.shr32::<18>(v), self.and(self.shr32::<4>(v), self.splat32(0x3F00)));
        let third = self.and(self.shl32::<10>(v), self.splat32(0x003F_0000));
        self.or(self.or(upper, third), self.shl32::<24>(v))
    }
    #[inline(always)]
    fn widen32<const BIG: bool>(self, v: __m128i, out: &mut [u8], at: usize) {
        let zero = self.splat(0);
        let planes = Planes { low: v, middle: zero, high: None };
        for (i, units) in units32::<BIG>(self, planes).into_iter().enumerate() {
            self.store(units, out, at + 16 * i);
        }
    }
    #[inline(always)]
    fn emit32<const BIG: bool>(self, planes: Planes<__m128i>, keep: u64, out: &mut [u8], at: usize) -> usize {
        let out = &mut out[at..at + 64];
        let mut done = 0;
        for (i, units) in units32::<BIG>(self, planes).into_iter().enumerate() {
            let set = keep >> (4 * i) & 0xF;
            // `done` is 48 at the most, and `out` has 64 bytes.
            self.store(self.lookup16(units, self.load(&COMPRESS32[set as usize], 0)), out, done);
            done += 4 * set.count_ones() as usize;
        }
        done
    }
    #[inline(always)]
    fn emit32_within<const BIG: bool>(
        self,
        planes: Planes<__m128i>,
        keep: u64,
        out: &mut [u8],
        at: usize,
    ) -> Option<usize> {
        let mut units = [0; 64];
        let len = self.emit32::<BIG>(planes, keep, &mut units, 0);
        copy_short(&units[..len], out.get_mut(at..at + len)?);
        Some(len)
    }
    #[inline(always)]
    fn emit_words(self, v: __m128i, keep: u64, out: &mut [u8], at: usize) -> usize {
        let set = keep & 0xF;
        self.store(self.lookup16(v, self.load(&COMPRESS32[set as usize], 0)), out, at);
        4 * set.count_ones() as usize
    }
    #[inline(always)]
    fn emit_halves<const BIG: bool>(self, v: __m128i, out: &mut [u8], at: usize) -> usize {
        let set = signs32(self, self.shl32::<16>(v));
        let units = if BIG { self.swap16(v) } else { v };
        self.store(self.lookup16(units, self.load(&HALVES[set], 0)), out, at);
        8 + 2 * set.count_ones() as usize
    }
    #[inline(always)]
    fn emit_quads(self, v: __m128i, out: &mut [u8], at: usize) -> usize {
        let dropped = op!(_mm_cmpeq_epi8(v, self.splat(0xFF)));
        let second = self.shl32::<16>(dropped);
        let odd = self.xor(self.xor(self.shl32::<24>(dropped), second), self.shl32::<8>(dropped));
        let row = signs32(self, odd) | signs32(self, second) << 4;
        self.store(self.lookup16(v, self.load(&QUADS.0[row], 0)), out, at);
        usize::from(QUADS.1[row])
    }
}

/// Writes the lower half of `v` to the 8 bytes of `out` from `at` on.
#[inline(always)]
fn store8(_: Ssse3, v: __m128i, out: &mut [u8], at: usize) {
    let out = &mut out[at..at + 8];
    // SAFETY: `out` has 8 bytes to write, at any alignment; the token says that
    // the instruction is there.
    unsafe { _mm_storel_epi64(out.as_mut_ptr().cast(), v) }
}

/// The top bit of each lane of 32 bits.
#[inline(always)]
fn signs32(_: Ssse3, v: __m128i) -> usize {
    let v = op!(_mm_castsi128_ps(v));
    op!(_mm_movemask_ps(v)) as usize
}

/// The 16 units of 32 bits, four by four.
#[inline(always)]
fn units32<const BIG: bool>(s: Ssse3, planes: Planes<__m128i>) -> [__m128i; 4] {
    let zero = s.splat(0);
    let high = planes.high.unwrap_or(zero);
    let (a, b, c, d) =
        if BIG { (zero, high, planes.middle, planes.low) } else { (planes.low, planes.middle, high, zero) };
    let (first0, first1) = (op!(_mm_unpacklo_epi8(a, b)), op!(_mm_unpackhi_epi8(a, b)));
    let (second0, second1) = (op!(_mm_unpacklo_epi8(c, d)), op!(_mm_unpackhi_epi8(c, d)));
    [
        op!(_mm_unpacklo_epi16(first0, second0)),
        op!(_mm_unpackhi_epi16(first0, second0)),
        op!(_mm_unpacklo_epi16(first1, second1)),
        op!(_mm_unpackhi_epi16(first1, second1)),
    ]
}
