//! AVX2 (with BMI1, BMI2, LZCNT, POPCNT): 32 bytes in a register.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
use core::mem::transmute;

use super::avx2_gaps::{self as gaps, op};
use super::ops::{Planes, Simd, instructions, operations};
use super::sixteen::{self, last, last_of_many};
use super::ssse3::Ssse3;
use crate::engine::memory::{bytes_at, bytes_at_mut, copy_short};

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

// SAFETY: that is what `Avx2::new` asks for.
unsafe impl gaps::Wide for Avx2 {}

impl Simd for Avx2 {
    type V = __m256i;
    type C = __m256i;
    type Blocks = gaps::ByTwos;

    const LANES: usize = 32;
    const WIDE_LOOKUP: bool = false;
    const COMPRESS: bool = false;

    #[inline(always)]
    fn load_padded(self, bytes: &[u8], at: usize) -> __m256i {
        let there = bytes.len().saturating_sub(at);
        if there >= 32 {
            return self.load(bytes, at);
        }
        // SAFETY: the processor has AVX2, as the token says, and so SSSE3.
        let narrow = unsafe { Ssse3::new() };
        if there <= 16 {
            return op!(_mm256_zextsi128_si256(last(narrow, bytes, there)));
        }
        let first = narrow.load(bytes, at);
        op!(_mm256_set_m128i(last_of_many(narrow, bytes, there - 16), first))
    }

    #[inline(always)]
    fn copy(self, from: &[u8], to: &mut [u8]) {
        copy_short(from, to);
    }

    instructions! {
        fn load(self, bytes: &[u8], at: usize) -> __m256i = {
            let bytes = bytes_at(bytes, at, 32);
            // SAFETY: `bytes` has 32 bytes to read, at any alignment.
            unsafe { bytes.as_ptr().cast::<__m256i>().read_unaligned() }
        };
        fn store(self, v: __m256i, bytes: &mut [u8], at: usize) = {
            let bytes = bytes_at_mut(bytes, at, 32);
            // SAFETY: `bytes` has 32 bytes to write, at any alignment.
            unsafe { bytes.as_mut_ptr().cast::<__m256i>().write_unaligned(v) }
        };
        fn across<const BY: isize>(self, a: __m256i, b: __m256i) -> __m256i = {
            // The instruction that moves bytes works within 16 of them: it is given
            // the 16 after, or before, as well.
            let middle = op!(_mm256_permute2x128_si256::<0x21>(a, b));
            match BY {
                1 => op!(_mm256_alignr_epi8::<1>(middle, a)),
                2 => op!(_mm256_alignr_epi8::<2>(middle, a)),
                -3 => op!(_mm256_alignr_epi8::<13>(b, middle)),
                -2 => op!(_mm256_alignr_epi8::<14>(b, middle)),
                -1 => op!(_mm256_alignr_epi8::<15>(b, middle)),
                _ => b,
            }
        };
        fn table16(self, table: &[u8; 16]) -> __m256i = {
            // SAFETY: `table` has 16 bytes to read, at any alignment.
            let row = unsafe { table.as_ptr().cast::<__m128i>().read_unaligned() };
            op!(_mm256_broadcastsi128_si256(row))
        };
        fn bits<const W: usize>(self, c: __m256i) -> u64 = {
            match W {
                8 => self.msb(c),
                16 => {
                    // A byte a lane, in the lower eight of each 16.
                    let bits = self.msb(op!(_mm256_packs_epi16(c, self.splat(0))));
                    bits & 0xFF | bits >> 8 & 0xFF00
                }
                _ => gaps::signs32(self, c) as u64,
            }
        };
        fn and(self, a: __m256i, b: __m256i) -> __m256i = op!(_mm256_and_si256(a, b));
        fn or(self, a: __m256i, b: __m256i) -> __m256i = op!(_mm256_or_si256(a, b));
        fn xor(self, a: __m256i, b: __m256i) -> __m256i = op!(_mm256_xor_si256(a, b));
        fn add<const W: usize>(self, a: __m256i, b: __m256i) -> __m256i = match W {
            8 => op!(_mm256_add_epi8(a, b)),
            16 => op!(_mm256_add_epi16(a, b)),
            _ => op!(_mm256_add_epi32(a, b)),
        };
        fn saturating_sub(self, a: __m256i, b: __m256i) -> __m256i = op!(_mm256_subs_epu8(a, b));
        fn shl<const W: usize, const N: i32>(self, v: __m256i) -> __m256i = match W {
            16 => op!(_mm256_slli_epi16::<N>(v)),
            _ => op!(_mm256_slli_epi32::<N>(v)),
        };
        fn shr<const W: usize, const N: i32>(self, v: __m256i) -> __m256i = match W {
            8 => self.and(self.shr::<16, N>(v), self.splat(0xFF >> N)),
            16 => op!(_mm256_srli_epi16::<N>(v)),
            _ => op!(_mm256_srli_epi32::<N>(v)),
        };
        fn lookup16(self, table: __m256i, index: __m256i) -> __m256i = op!(_mm256_shuffle_epi8(table, index));
        fn any_nonzero(self, v: __m256i) -> bool = op!(_mm256_testz_si256(v, v)) == 0;
        fn msb(self, v: __m256i) -> u64 = u64::from(op!(_mm256_movemask_epi8(v)) as u32);
        fn any_msb(self, v: __m256i) -> bool = self.msb(v) != 0;
        fn gt<const W: usize>(self, a: __m256i, b: __m256i) -> __m256i = match W {
            8 => op!(_mm256_cmpgt_epi8(a, b)),
            16 => op!(_mm256_cmpgt_epi16(a, b)),
            _ => op!(_mm256_cmpgt_epi32(a, b)),
        };
        fn same<const W: usize>(self, a: __m256i, b: __m256i) -> __m256i = match W {
            16 => op!(_mm256_cmpeq_epi16(a, b)),
            _ => op!(_mm256_cmpeq_epi32(a, b)),
        };
        fn select<const W: usize>(self, c: __m256i, a: __m256i, b: __m256i) -> __m256i =
            op!(_mm256_blendv_epi8(b, a, c));
        fn either(self, a: __m256i, b: __m256i) -> __m256i = self.or(a, b);
        fn fold16(self, v: __m256i) -> __m256i = op!(_mm256_maddubs_epi16(v, self.splat16(0x0140)));
        fn differ(self, a: __m256i, b: __m256i) -> bool = self.any_msb(self.xor(a, b));
        fn splat(self, byte: u8) -> __m256i = op!(transmute::<[u8; 32], __m256i>([byte; 32]));
        fn splat16(self, unit: u16) -> __m256i = op!(_mm256_set1_epi16(unit as i16));
        fn splat32(self, word: u32) -> __m256i = op!(_mm256_set1_epi32(word as i32));
        fn count<const W: usize>(self, count: __m256i, c: __m256i) -> __m256i = match W {
            8 => op!(_mm256_sub_epi8(count, c)),
            16 => op!(_mm256_sub_epi16(count, c)),
            _ => op!(_mm256_sub_epi32(count, c)),
        };
        fn pack16(self, a: __m256i, b: __m256i) -> __m256i = op!(_mm256_packus_epi16(a, b));
        fn min16(self, a: __m256i, b: __m256i) -> __m256i = op!(_mm256_min_epi16(a, b));
    }

    operations! {
        fn cond<const W: usize>(self, bits: u64) -> __m256i = {
            match W {
                8 => {
                    // Each byte of the mask to the eight lanes it speaks of, then each
                    // lane to its bit.
                    let v = self.splat32(bits as u32);
                    let spread =
                        op!(_mm256_setr_epi64x(0, 0x0101_0101_0101_0101, 0x0202_0202_0202_0202, 0x0303_0303_0303_0303));
                    let bit = op!(_mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64));
                    let own = self.and(self.lookup16(v, spread), bit);
                    op!(_mm256_cmpeq_epi8(own, bit))
                }
                16 => {
                    let lower = op!(_mm_setr_epi16(1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80));
                    let bit = op!(_mm256_set_m128i(_mm_slli_epi16::<8>(lower), lower));
                    self.same::<16>(self.and(self.splat16(bits as u16), bit), bit)
                }
                _ => {
                    let bit = op!(_mm256_setr_epi32(1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80));
                    self.same::<32>(self.and(self.splat32(bits as u32), bit), bit)
                }
            }
        };
        fn lookup64(self, table: &[u8; 64], index: __m256i) -> __m256i = sixteen::lookup64(self, table, index);
        fn emit16(self, low: __m256i, high: __m256i, keep: u64, out: &mut [u8], at: usize) -> usize =
            gaps::emit16(self, low, high, keep, out, at);
        fn emit_pairs(self, v: __m256i, one: __m256i, out: &mut [u8], at: usize) -> usize =
            gaps::emit_pairs(self, v, one, out, at);
        fn emit_zipped(self, first: __m256i, second: __m256i, keep: u64, out: &mut [u8], at: usize) -> usize =
            gaps::emit_zipped(self, first, second, keep, out, at);
        fn emit_replaced(self, v: __m256i, keep: u64, replace: u64, by: [u8; 4], out: &mut [u8], at: usize) -> usize =
            gaps::emit_replaced(self, v, keep, replace, by, out, at);
        fn emit_joined(self, lower: __m256i, upper: __m256i, keep: u64, out: &mut [u8], at: usize) -> usize =
            gaps::emit_joined(self, lower, upper, keep, out, at);
        fn emit8(self, v: __m256i, keep: u64, out: &mut [u8], at: usize) -> usize = gaps::emit8(self, v, keep, out, at);
        fn emit32(self, planes: Planes<__m256i>, keep: u64, out: &mut [u8], at: usize) -> usize =
            gaps::emit32(self, planes, keep, out, at);
        fn emit_words(self, v: __m256i, keep: u64, out: &mut [u8], at: usize) -> usize =
            gaps::emit_words(self, v, keep, out, at);
        fn emit_halves(self, v: __m256i, out: &mut [u8], at: usize) -> usize = gaps::emit_halves(self, v, out, at);
        fn emit_quads(self, v: __m256i, out: &mut [u8], at: usize) -> usize = gaps::emit_quads(self, v, out, at);
    }

    #[inline(always)]
    fn ge(self, a: __m256i, b: __m256i) -> __m256i {
        let greater = op!(_mm256_max_epu8(a, b));
        op!(_mm256_cmpeq_epi8(a, greater))
    }
    #[inline(always)]
    fn narrow(self, v: __m256i, out: &mut [u8], at: usize) {
        let lower = op!(_mm256_castsi256_si128(v));
        let upper = op!(_mm256_extracti128_si256::<1>(v));
        gaps::store16(self, op!(_mm_packus_epi16(lower, upper)), out, at);
    }
    #[inline(always)]
    fn emit_triples(
        self,
        upper: __m256i,
        lower: __m256i,
        one: __m256i,
        two: __m256i,
        out: &mut [u8],
        at: usize,
    ) -> usize {
        gaps::emit_triples(self, upper, lower, one, two, out, at)
    }

    #[inline(always)]
    fn spread<const W: usize, const UPPER: bool>(self, v: __m256i) -> __m256i {
        let half = if UPPER { op!(_mm256_extracti128_si256::<1>(v)) } else { op!(_mm256_castsi256_si128(v)) };
        match W {
            8 => op!(_mm256_cvtepu8_epi16(half)),
            _ => op!(_mm256_cvtepu16_epi32(half)),
        }
    }
    #[inline(always)]
    fn sum(self, v: __m256i) -> usize {
        let eights = op!(_mm256_sad_epu8(v, self.splat(0)));
        let lower = op!(_mm256_castsi256_si128(eights));
        let upper = op!(_mm256_extracti128_si256::<1>(eights));
        let two = op!(_mm_add_epi32(lower, upper));
        let upper = op!(_mm_unpackhi_epi64(two, two));
        let one = op!(_mm_add_epi32(two, upper));
        op!(_mm_cvtsi128_si32(one)) as usize
    }
    #[inline(always)]
    fn narrow16(self, v: [__m256i; 2]) -> __m256i {
        // By halves: lower, lower, upper, upper.
        let packed = op!(_mm256_packus_epi16(v[0], v[1]));
        op!(_mm256_permute4x64_epi64::<0b11_01_10_00>(packed))
    }
    #[inline(always)]
    fn narrow32(self, v: [__m256i; 4]) -> __m256i {
        let two = [op!(_mm256_packs_epi32(v[0], v[1])), op!(_mm256_packs_epi32(v[2], v[3]))];
        let packed = op!(_mm256_packus_epi16(two[0], two[1]));
        let order = op!(_mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
        op!(_mm256_permutevar8x32_epi32(packed, order))
    }
    #[inline(always)]
    fn lookup_above7(self, table: &[u8; 16], a: __m256i, b: __m256i) -> __m256i {
        // 0 to 15 as they are, and anything above with its top bit set.
        let index = op!(_mm256_adds_epu8(self.pack16(self.shr::<16, 7>(a), self.shr::<16, 7>(b)), self.splat(0x70)));
        self.lookup16(self.table16(table), index)
    }
    #[inline(always)]
    fn join32(self, lower: __m256i, upper: __m256i) -> __m256i {
        let packed = op!(_mm256_packus_epi32(lower, upper));
        op!(_mm256_permute4x64_epi64::<0b11_01_10_00>(packed))
    }
    #[inline(always)]
    fn sixes(self, v: __m256i) -> __m256i {
        // `fold16` moves bits 8 to 13 of each half of a lane to its lower byte, and bits 2 to 7 to its upper one.
        let bits = self.or(self.shr::<32, 10>(v), self.shl::<32, 18>(v));
        self.or(self.fold16(bits), self.shl::<32, 24>(v))
    }
    #[inline(always)]
    fn widen32(self, v: __m256i, out: &mut [u8], at: usize) {
        let out = bytes_at_mut(out, at, 128);
        let lower = op!(_mm256_castsi256_si128(v));
        let upper = op!(_mm256_extracti128_si256::<1>(v));
        let eights = [lower, op!(_mm_srli_si128::<8>(lower)), upper, op!(_mm_srli_si128::<8>(upper))];
        for (i, &eight) in eights.iter().enumerate() {
            let units = op!(_mm256_cvtepu8_epi32(eight));
            self.store(units, out, 32 * i);
        }
    }
}
