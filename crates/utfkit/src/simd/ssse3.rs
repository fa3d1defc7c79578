//! SSSE3: 16 bytes in a register.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use super::ops::{COMPRESS16, PAIRS, Simd, TRIPLES, front_lanes, slid_lanes};
use crate::memory::copy_short;

/// The token.
#[derive(Clone, Copy)]
pub(crate) struct Ssse3(());

impl Ssse3 {
    /// # Safety
    ///
    /// The processor has SSSE3.
    #[inline(always)]
    pub(crate) unsafe fn new() -> Ssse3 {
        Ssse3(())
    }
}

/// One operation that touches registers only.
macro_rules! op {
    ($($call:tt)+) => {
        // SAFETY: the instruction is there: the token `self` was made only
        // where the processor was found to have it (`Ssse3::new`).
        unsafe { $($call)+ }
    };
}

impl Simd for Ssse3 {
    type V = __m128i;
    type C = __m128i;
    type C32 = __m128i;

    const LANES: usize = 16;
    const WIDE_LOOKUP: bool = false;
    const MASKS: bool = false;

    #[inline(always)]
    fn load_front(self, bytes: &[u8]) -> __m128i {
        self.load(&front_lanes::<16>(bytes), 0)
    }

    #[inline(always)]
    fn slide(self, v: __m128i, by: isize) -> __m128i {
        let mut lanes = [0; 16];
        self.store(v, &mut lanes, 0);
        self.load(&slid_lanes(lanes, by), 0)
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
    fn split16(self, v: __m128i) -> __m128i {
        self.or(self.shr::<6>(v), self.shl::<8>(v))
    }
    #[inline(always)]
    fn split_upper16(self, v: __m128i) -> __m128i {
        let second = self.and(self.shl::<2>(v), self.splat16(0x3F00));
        self.or(self.shr::<12>(v), second)
    }
    #[inline(always)]
    fn zip16(self, low: __m128i, high: __m128i) -> (__m128i, __m128i) {
        (op!(_mm_unpacklo_epi16(low, high)), op!(_mm_unpackhi_epi16(low, high)))
    }
    #[inline(always)]
    fn swap16(self, v: __m128i) -> __m128i {
        let swap = self.table16(&[1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14]);
        self.lookup16(v, swap)
    }
    #[inline(always)]
    fn eq16(self, a: __m128i, b: __m128i) -> u64 {
        let equal = op!(_mm_cmpeq_epi16(a, b));
        self.msb(op!(_mm_packs_epi16(equal, self.splat(0))))
    }
    #[inline(always)]
    fn select16(self, bits: u64, a: __m128i, b: __m128i) -> __m128i {
        let bit = op!(_mm_setr_epi16(1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80));
        let c = op!(_mm_cmpeq_epi16(self.and(self.splat16(bits as u16), bit), bit));
        self.select(c, a, b)
    }
    #[inline(always)]
    fn select_gt16(self, v: __m128i, bound: u16, a: __m128i, b: __m128i) -> __m128i {
        let above = op!(_mm_subs_epu16(v, self.splat16(bound)));
        let not_above = op!(_mm_cmpeq_epi16(above, self.splat(0)));
        self.select(not_above, b, a)
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
    fn narrow_both(self, a: __m128i, b: __m128i) -> __m128i {
        op!(_mm_packus_epi16(a, b))
    }
    #[inline(always)]
    fn emit_pairs(self, v: __m128i, out: &mut [u8], at: usize) -> usize {
        let firsts = op!(_mm_packs_epi16(self.shl::<8>(v), self.splat(0)));
        let set = self.msb(firsts) & 0xFF;
        let row = self.load(&PAIRS[set as usize], 0);
        self.store(self.lookup16(v, row), out, at);
        8 + set.count_ones() as usize
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
    fn split32(self, v: __m128i) -> __m128i {
        let first = op!(_mm_srli_epi32::<12>(v));
        let second = op!(_mm_slli_epi32::<2>(v));
        let third = op!(_mm_slli_epi32::<16>(v));
        self.or(self.or(first, third), self.and(second, self.splat32(0x3F00)))
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
    #[inline(always)]
    fn emit_triples(self, v: __m128i, out: &mut [u8], at: usize) -> usize {
        let row = signs32(self, v) | signs32(self, op!(_mm_slli_epi32::<1>(v))) << 4;
        let shuffle = self.load(&TRIPLES.0[row], 0);
        self.store(self.lookup16(v, shuffle), out, at);
        usize::from(TRIPLES.1[row])
    }
}

/// The top bit of each lane of 32 bits.
#[inline(always)]
fn signs32(_: Ssse3, v: __m128i) -> usize {
    let v = op!(_mm_castsi128_ps(v));
    op!(_mm_movemask_ps(v)) as usize
}
