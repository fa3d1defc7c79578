//! SSSE3: 16 bytes in a register.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use super::ops::{COMPRESS16, Simd};

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

    const LANES: usize = 16;
    const WIDE_LOOKUP: bool = false;

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
}
