//! SSSE3: 16 bytes in a register.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
use core::mem::transmute;

use super::ops::{ByRegister, Planes, Simd, instructions, operations};
use super::sixteen::{self, Sixteen, by_tables};
use crate::engine::memory::{bytes_at, bytes_at_mut};

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
}

impl Simd for Ssse3 {
    type V = __m128i;
    type C = __m128i;
    type Blocks = ByRegister;

    const LANES: usize = 16;
    const WIDE_LOOKUP: bool = false;
    const COMPRESS: bool = false;
    const MENDS: bool = false;

    by_tables!();

    instructions! {
        fn load(self, bytes: &[u8], at: usize) -> __m128i = {
            let bytes = bytes_at(bytes, at, 16);
            // SAFETY: `bytes` has 16 bytes to read, at any alignment.
            unsafe { bytes.as_ptr().cast::<__m128i>().read_unaligned() }
        };
        fn store(self, v: __m128i, bytes: &mut [u8], at: usize) = {
            let bytes = bytes_at_mut(bytes, at, 16);
            // SAFETY: `bytes` has 16 bytes to write, at any alignment.
            unsafe { bytes.as_mut_ptr().cast::<__m128i>().write_unaligned(v) }
        };
        fn across<const BY: isize>(self, a: __m128i, b: __m128i) -> __m128i = match BY {
            1 => op!(_mm_alignr_epi8::<1>(b, a)),
            2 => op!(_mm_alignr_epi8::<2>(b, a)),
            -3 => op!(_mm_alignr_epi8::<13>(b, a)),
            -2 => op!(_mm_alignr_epi8::<14>(b, a)),
            -1 => op!(_mm_alignr_epi8::<15>(b, a)),
            _ => b,
        };
        fn and(self, a: __m128i, b: __m128i) -> __m128i = op!(_mm_and_si128(a, b));
        fn or(self, a: __m128i, b: __m128i) -> __m128i = op!(_mm_or_si128(a, b));
        fn xor(self, a: __m128i, b: __m128i) -> __m128i = op!(_mm_xor_si128(a, b));
        fn add<const W: usize>(self, a: __m128i, b: __m128i) -> __m128i = match W {
            8 => op!(_mm_add_epi8(a, b)),
            16 => op!(_mm_add_epi16(a, b)),
            _ => op!(_mm_add_epi32(a, b)),
        };
        fn saturating_sub(self, a: __m128i, b: __m128i) -> __m128i = op!(_mm_subs_epu8(a, b));
        fn shl<const W: usize, const N: i32>(self, v: __m128i) -> __m128i = match W {
            16 => op!(_mm_slli_epi16::<N>(v)),
            _ => op!(_mm_slli_epi32::<N>(v)),
        };
        fn shr<const W: usize, const N: i32>(self, v: __m128i) -> __m128i = match W {
            8 => self.and(self.shr::<16, N>(v), self.splat(0xFF >> N)),
            16 => op!(_mm_srli_epi16::<N>(v)),
            _ => op!(_mm_srli_epi32::<N>(v)),
        };
        fn lookup16(self, table: __m128i, index: __m128i) -> __m128i = op!(_mm_shuffle_epi8(table, index));
        fn any_nonzero(self, v: __m128i) -> bool = self.msb(op!(_mm_cmpeq_epi8(v, self.splat(0)))) != 0xFFFF;
        fn msb(self, v: __m128i) -> u64 = u64::from(op!(_mm_movemask_epi8(v)) as u32);
        fn any_msb(self, v: __m128i) -> bool = self.msb(v) != 0;
        fn gt<const W: usize>(self, a: __m128i, b: __m128i) -> __m128i = match W {
            8 => op!(_mm_cmpgt_epi8(a, b)),
            16 => op!(_mm_cmpgt_epi16(a, b)),
            _ => op!(_mm_cmpgt_epi32(a, b)),
        };
        fn same<const W: usize>(self, a: __m128i, b: __m128i) -> __m128i = match W {
            16 => op!(_mm_cmpeq_epi16(a, b)),
            _ => op!(_mm_cmpeq_epi32(a, b)),
        };
        fn bits<const W: usize>(self, c: __m128i) -> u64 = match W {
            8 => self.msb(c),
            16 => self.msb(op!(_mm_packs_epi16(c, self.splat(0)))),
            _ => self.signs32(c) as u64,
        };
        fn select<const W: usize>(self, c: __m128i, a: __m128i, b: __m128i) -> __m128i =
            self.or(self.and(c, a), op!(_mm_andnot_si128(c, b)));
        fn fold16(self, v: __m128i) -> __m128i = op!(_mm_maddubs_epi16(v, self.splat16(0x0140)));
        fn splat(self, byte: u8) -> __m128i = op!(transmute::<[u8; 16], __m128i>([byte; 16]));
        fn splat16(self, unit: u16) -> __m128i = op!(_mm_set1_epi16(unit as i16));
        fn splat32(self, word: u32) -> __m128i = op!(_mm_set1_epi32(word as i32));
        fn count<const W: usize>(self, count: __m128i, c: __m128i) -> __m128i = match W {
            8 => op!(_mm_sub_epi8(count, c)),
            16 => op!(_mm_sub_epi16(count, c)),
            _ => op!(_mm_sub_epi32(count, c)),
        };
        fn pack16(self, a: __m128i, b: __m128i) -> __m128i = op!(_mm_packus_epi16(a, b));
        fn min16(self, a: __m128i, b: __m128i) -> __m128i = op!(_mm_min_epi16(a, b));
        fn narrow16(self, v: [__m128i; 2]) -> __m128i = op!(_mm_packus_epi16(v[0], v[1]));
    }

    operations! {
        fn cond<const W: usize>(self, bits: u64) -> __m128i = {
            match W {
                8 => {
                    // Each byte of the mask to the eight lanes it speaks of, then each
                    // lane to its bit.
                    let spread = op!(_mm_set_epi64x(0x0101_0101_0101_0101, 0));
                    let bit = op!(_mm_set1_epi64x(0x8040_2010_0804_0201_u64 as i64));
                    let own = self.and(self.lookup16(self.splat16(bits as u16), spread), bit);
                    op!(_mm_cmpeq_epi8(own, bit))
                }
                16 => {
                    let bit = op!(_mm_setr_epi16(1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80));
                    self.same::<16>(self.and(self.splat16(bits as u16), bit), bit)
                }
                _ => {
                    let bit = op!(_mm_setr_epi32(1, 2, 4, 8));
                    self.same::<32>(self.and(self.splat32(bits as u32), bit), bit)
                }
            }
        };
    }

    #[inline(always)]
    fn ge(self, a: __m128i, b: __m128i) -> __m128i {
        let greater = op!(_mm_max_epu8(a, b));
        op!(_mm_cmpeq_epi8(a, greater))
    }
    #[inline(always)]
    fn sum(self, v: __m128i) -> usize {
        let two = op!(_mm_sad_epu8(v, self.splat(0)));
        let upper = op!(_mm_unpackhi_epi64(two, two));
        let one = op!(_mm_add_epi32(two, upper));
        op!(_mm_cvtsi128_si32(one)) as usize
    }
    #[inline(always)]
    fn narrow32(self, v: [__m128i; 4]) -> __m128i {
        let two = [op!(_mm_packs_epi32(v[0], v[1])), op!(_mm_packs_epi32(v[2], v[3]))];
        self.narrow16(two)
    }
    #[inline(always)]
    fn join32(self, lower: __m128i, upper: __m128i) -> __m128i {
        // The instruction that packs takes signed values.
        let signed = |v| op!(_mm_srai_epi32::<16>(self.shl::<32, 16>(v)));
        op!(_mm_packs_epi32(signed(lower), signed(upper)))
    }
}

impl Sixteen for Ssse3 {
    instructions! {
        fn halves(self, halves: [u64; 2]) -> __m128i = op!(_mm_set_epi64x(halves[1] as i64, halves[0] as i64));
        fn interleave8<const UPPER: bool>(self, a: __m128i, b: __m128i) -> __m128i =
            if UPPER { op!(_mm_unpackhi_epi8(a, b)) } else { op!(_mm_unpacklo_epi8(a, b)) };
        fn interleave16<const UPPER: bool>(self, a: __m128i, b: __m128i) -> __m128i =
            if UPPER { op!(_mm_unpackhi_epi16(a, b)) } else { op!(_mm_unpacklo_epi16(a, b)) };
        fn interleave32<const UPPER: bool>(self, a: __m128i, b: __m128i) -> __m128i =
            if UPPER { op!(_mm_unpackhi_epi32(a, b)) } else { op!(_mm_unpacklo_epi32(a, b)) };
        fn upper_half(self, v: __m128i) -> __m128i = op!(_mm_unpackhi_epi64(v, v));
        fn is(self, v: __m128i, byte: u8) -> __m128i = op!(_mm_cmpeq_epi8(v, self.splat(byte)));
    }

    #[inline(always)]
    fn store_half(self, v: __m128i, out: &mut [u8], at: usize) {
        let out = bytes_at_mut(out, at, 8);
        // SAFETY: `out` has 8 bytes to write, at any alignment; the token says
        // that the instruction is there.
        unsafe { _mm_storel_epi64(out.as_mut_ptr().cast(), v) }
    }
    #[inline(always)]
    fn signs32(self, v: __m128i) -> usize {
        let v = op!(_mm_castsi128_ps(v));
        op!(_mm_movemask_ps(v)) as usize
    }
    #[inline(always)]
    fn pick_or_zero(self, table: __m128i, index: __m128i) -> __m128i {
        // 0 to 15 as they are, and anything above with its top bit set.
        self.lookup16(table, op!(_mm_adds_epu8(index, self.splat(0x70))))
    }
}
