//! AVX2 (with BMI1, BMI2, LZCNT, POPCNT): 32 bytes in a register.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use super::ops::{COMPRESS16, Simd};

/// The token.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// # Safety
    ///
    /// The processor has AVX2, BMI1, BMI2, LZCNT and POPCNT.
    #[inline(always)]
    pub(crate) unsafe fn new() -> Avx2 {
        Avx2(())
    }
}

/// One operation that touches registers only.
macro_rules! op {
    ($($call:tt)+) => {
        // SAFETY: the instruction is there: the token `self` was made only
        // where the processor was found to have it (`Avx2::new`).
        unsafe { $($call)+ }
    };
}

impl Simd for Avx2 {
    type V = __m256i;
    type C = __m256i;

    const LANES: usize = 32;
    const WIDE_LOOKUP: bool = false;

    #[inline(always)]
    fn load(self, bytes: &[u8], at: usize) -> __m256i {
        let bytes = &bytes[at..at + 32];
        // SAFETY: `bytes` has 32 bytes to read, at any alignment; the token
        // says that the instruction is there.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, v: __m256i, bytes: &mut [u8], at: usize) {
        let bytes = &mut bytes[at..at + 32];
        // SAFETY: `bytes` has 32 bytes to write, at any alignment; the token
        // says that the instruction is there.
        unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), v) }
    }

    #[inline(always)]
    fn splat(self, byte: u8) -> __m256i {
        op!(_mm256_set1_epi8(byte as i8))
    }

    #[inline(always)]
    fn table16(self, table: &[u8; 16]) -> __m256i {
        // SAFETY: `table` has 16 bytes to read, at any alignment; the token
        // says that the instruction is there.
        let row = unsafe { _mm_loadu_si128(table.as_ptr().cast()) };
        op!(_mm256_broadcastsi128_si256(row))
    }

    #[inline(always)]
    fn table64(self, table: &[u8; 64]) -> __m256i {
        self.load(table, 0)
    }

    #[inline(always)]
    fn and(self, a: __m256i, b: __m256i) -> __m256i {
        op!(_mm256_and_si256(a, b))
    }
    #[inline(always)]
    fn or(self, a: __m256i, b: __m256i) -> __m256i {
        op!(_mm256_or_si256(a, b))
    }
    #[inline(always)]
    fn xor(self, a: __m256i, b: __m256i) -> __m256i {
        op!(_mm256_xor_si256(a, b))
    }
    #[inline(always)]
    fn and_not(self, a: __m256i, b: __m256i) -> __m256i {
        op!(_mm256_andnot_si256(a, b))
    }
    #[inline(always)]
    fn add(self, a: __m256i, b: __m256i) -> __m256i {
        op!(_mm256_add_epi8(a, b))
    }
    #[inline(always)]
    fn saturating_sub(self, a: __m256i, b: __m256i) -> __m256i {
        op!(_mm256_subs_epu8(a, b))
    }
    #[inline(always)]
    fn shl<const N: i32>(self, v: __m256i) -> __m256i {
        op!(_mm256_slli_epi16::<N>(v))
    }
    #[inline(always)]
    fn shr<const N: i32>(self, v: __m256i) -> __m256i {
        op!(_mm256_srli_epi16::<N>(v))
    }

    #[inline(always)]
    fn lookup16(self, table: __m256i, index: __m256i) -> __m256i {
        op!(_mm256_shuffle_epi8(table, index))
    }
    #[inline(always)]
    fn lookup64(self, _table: __m256i, index: __m256i) -> __m256i {
        index
    }

    #[inline(always)]
    fn msb(self, v: __m256i) -> u64 {
        u64::from(op!(_mm256_movemask_epi8(v)) as u32)
    }
    #[inline(always)]
    fn any_msb(self, v: __m256i) -> bool {
        self.msb(v) != 0
    }
    #[inline(always)]
    fn ge(self, a: __m256i, b: __m256i) -> __m256i {
        let greater = op!(_mm256_max_epu8(a, b));
        op!(_mm256_cmpeq_epi8(a, greater))
    }
    #[inline(always)]
    fn lt_signed(self, a: __m256i, b: __m256i) -> __m256i {
        op!(_mm256_cmpgt_epi8(b, a))
    }
    #[inline(always)]
    fn nonzero(self, v: __m256i) -> __m256i {
        let zero = op!(_mm256_cmpeq_epi8(v, self.splat(0)));
        self.and_not(zero, self.splat(0xFF))
    }
    #[inline(always)]
    fn bits(self, c: __m256i) -> u64 {
        self.msb(c)
    }
    #[inline(always)]
    fn cond(self, bits: u64) -> __m256i {
        // Each byte of the mask to the eight lanes it speaks of, then each
        // lane to its bit.
        let v = op!(_mm256_set1_epi32(bits as i32));
        let spread = op!(_mm256_setr_epi64x(0, 0x0101_0101_0101_0101, 0x0202_0202_0202_0202, 0x0303_0303_0303_0303));
        let bit = op!(_mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64));
        let own = self.and(self.lookup16(v, spread), bit);
        op!(_mm256_cmpeq_epi8(own, bit))
    }
    #[inline(always)]
    fn any(self, c: __m256i) -> bool {
        self.msb(c) != 0
    }
    #[inline(always)]
    fn keep(self, c: __m256i, v: __m256i) -> __m256i {
        self.and(c, v)
    }
    #[inline(always)]
    fn select(self, c: __m256i, a: __m256i, b: __m256i) -> __m256i {
        op!(_mm256_blendv_epi8(b, a, c))
    }

    #[inline(always)]
    fn widen<const BIG: bool>(self, v: __m256i, out: &mut [u8], at: usize) {
        let out = &mut out[at..at + 64];
        let lower = op!(_mm256_castsi256_si128(v));
        let upper = op!(_mm256_extracti128_si256::<1>(v));
        let first = op!(_mm256_cvtepu8_epi16(lower));
        let second = op!(_mm256_cvtepu8_epi16(upper));
        let order = |v| if BIG { self.shl::<8>(v) } else { v };
        self.store(order(first), out, 0);
        self.store(order(second), out, 32);
    }

    #[inline(always)]
    fn emit16<const BIG: bool>(self, low: __m256i, high: __m256i, keep: u64, out: &mut [u8], at: usize) -> usize {
        let out = &mut out[at..at + 64];
        let (even, odd) = if BIG { (high, low) } else { (low, high) };
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
        for (i, eight) in eights.into_iter().enumerate() {
            let set = keep >> (8 * i) & 0xFF;
            let row = &COMPRESS16[set as usize];
            // SAFETY: a row has 16 bytes to read, at any alignment; the token
            // says that the instruction is there.
            let row = unsafe { _mm_loadu_si128(row.as_ptr().cast()) };
            let units = op!(_mm_shuffle_epi8(eight, row));
            // SAFETY: `done` is at most 16 a round before this one, so at
            // most 48, and `out` has 64 bytes.
            let to = unsafe { out.as_mut_ptr().add(done) };
            // SAFETY: 16 bytes from `to` on are within `out`, as above; the
            // token says that the instruction is there.
            unsafe { _mm_storeu_si128(to.cast(), units) };
            done += 2 * set.count_ones() as usize;
        }
        done
    }
}
