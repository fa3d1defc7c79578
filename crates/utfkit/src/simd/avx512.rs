//! AVX-512 with BW, VL, VBMI and VBMI2: 64 bytes in a register, conditions in
//! mask registers, and an instruction that compresses.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use super::ops::Simd;

/// The token.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// # Safety
    ///
    /// The processor has AVX-512 F, BW, VL, VBMI, VBMI2 and AVX2, BMI1, BMI2,
    /// LZCNT and POPCNT.
    #[inline(always)]
    pub(crate) unsafe fn new() -> Avx512 {
        Avx512(())
    }
}

/// One operation that touches registers only.
macro_rules! op {
    ($($call:tt)+) => {
        // SAFETY: the instruction is there: the token `self` was made only
        // where the processor was found to have it (`Avx512::new`).
        unsafe { $($call)+ }
    };
}

impl Simd for Avx512 {
    type V = __m512i;
    type C = __mmask64;

    const LANES: usize = 64;
    const WIDE_LOOKUP: bool = true;

    #[inline(always)]
    fn load(self, bytes: &[u8], at: usize) -> __m512i {
        let bytes = &bytes[at..at + 64];
        // SAFETY: `bytes` has 64 bytes to read, at any alignment; the token
        // says that the instruction is there.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, v: __m512i, bytes: &mut [u8], at: usize) {
        let bytes = &mut bytes[at..at + 64];
        // SAFETY: `bytes` has 64 bytes to write, at any alignment; the token
        // says that the instruction is there.
        unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), v) }
    }

    #[inline(always)]
    fn splat(self, byte: u8) -> __m512i {
        op!(_mm512_set1_epi8(byte as i8))
    }

    #[inline(always)]
    fn table16(self, table: &[u8; 16]) -> __m512i {
        // SAFETY: `table` has 16 bytes to read, at any alignment; the token
        // says that the instruction is there.
        let row = unsafe { _mm_loadu_si128(table.as_ptr().cast()) };
        op!(_mm512_broadcast_i32x4(row))
    }

    #[inline(always)]
    fn table64(self, table: &[u8; 64]) -> __m512i {
        self.load(table, 0)
    }

    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_and_si512(a, b))
    }
    #[inline(always)]
    fn or(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_or_si512(a, b))
    }
    #[inline(always)]
    fn xor(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_xor_si512(a, b))
    }
    #[inline(always)]
    fn and_not(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_andnot_si512(a, b))
    }
    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_add_epi8(a, b))
    }
    #[inline(always)]
    fn saturating_sub(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_subs_epu8(a, b))
    }
    #[inline(always)]
    fn shl<const N: i32>(self, v: __m512i) -> __m512i {
        let count = op!(_mm_cvtsi32_si128(N));
        op!(_mm512_sll_epi16(v, count))
    }
    #[inline(always)]
    fn shr<const N: i32>(self, v: __m512i) -> __m512i {
        let count = op!(_mm_cvtsi32_si128(N));
        op!(_mm512_srl_epi16(v, count))
    }

    #[inline(always)]
    fn lookup16(self, table: __m512i, index: __m512i) -> __m512i {
        op!(_mm512_shuffle_epi8(table, index))
    }
    #[inline(always)]
    fn lookup64(self, table: __m512i, index: __m512i) -> __m512i {
        op!(_mm512_permutexvar_epi8(index, table))
    }

    #[inline(always)]
    fn msb(self, v: __m512i) -> u64 {
        op!(_mm512_movepi8_mask(v))
    }
    #[inline(always)]
    fn any_msb(self, v: __m512i) -> bool {
        self.msb(v) != 0
    }
    #[inline(always)]
    fn ge(self, a: __m512i, b: __m512i) -> __mmask64 {
        op!(_mm512_cmpge_epu8_mask(a, b))
    }
    #[inline(always)]
    fn lt_signed(self, a: __m512i, b: __m512i) -> __mmask64 {
        op!(_mm512_cmplt_epi8_mask(a, b))
    }
    #[inline(always)]
    fn nonzero(self, v: __m512i) -> __mmask64 {
        op!(_mm512_test_epi8_mask(v, v))
    }
    #[inline(always)]
    fn bits(self, c: __mmask64) -> u64 {
        c
    }
    #[inline(always)]
    fn cond(self, bits: u64) -> __mmask64 {
        bits
    }
    #[inline(always)]
    fn any(self, c: __mmask64) -> bool {
        c != 0
    }
    #[inline(always)]
    fn keep(self, c: __mmask64, v: __m512i) -> __m512i {
        op!(_mm512_maskz_mov_epi8(c, v))
    }
    #[inline(always)]
    fn select(self, c: __mmask64, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_mask_mov_epi8(b, c, a))
    }

    #[inline(always)]
    fn widen<const BIG: bool>(self, v: __m512i, out: &mut [u8], at: usize) {
        let out = &mut out[at..at + 128];
        let (low, high) = if BIG { (op!(_mm512_setzero_si512()), v) } else { (v, op!(_mm512_setzero_si512())) };
        let (first, second) = self.interleave(low, high);
        self.store(first, out, 0);
        self.store(second, out, 64);
    }

    #[inline(always)]
    fn emit16<const BIG: bool>(self, low: __m512i, high: __m512i, keep: u64, out: &mut [u8], at: usize) -> usize {
        let out = &mut out[at..at + 128];
        let low = op!(_mm512_maskz_compress_epi8(keep, low));
        let high = op!(_mm512_maskz_compress_epi8(keep, high));
        let (first, second) = if BIG { self.interleave(high, low) } else { self.interleave(low, high) };
        self.store(first, out, 0);
        self.store(second, out, 64);
        2 * keep.count_ones() as usize
    }
}

impl Avx512 {
    /// The 64 pairs `even[i], odd[i]` as two registers.
    ///
    /// The instruction that interleaves works within 16 bytes, on their lower
    /// or their upper eight: so the eights are first dealt out such that what
    /// the lower ones give comes first.
    #[inline(always)]
    fn interleave(self, even: __m512i, odd: __m512i) -> (__m512i, __m512i) {
        let deal = op!(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7));
        let even = op!(_mm512_permutexvar_epi64(deal, even));
        let odd = op!(_mm512_permutexvar_epi64(deal, odd));
        (op!(_mm512_unpacklo_epi8(even, odd)), op!(_mm512_unpackhi_epi8(even, odd)))
    }
}
