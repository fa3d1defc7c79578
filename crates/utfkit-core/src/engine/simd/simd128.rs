//! WebAssembly's simd128: 16 bytes in a register.
//!
//! A module that uses it cannot be loaded where it is missing, so there is
//! nothing to find out when the program runs.

use core::arch::wasm32::*;

use super::ops::{ByRegister, Planes, Simd, instructions, operations};
use super::sixteen::{self, Sixteen, by_tables};
use crate::engine::memory::{bytes_at, bytes_at_mut};

/// The token. It can be had wherever this is compiled.
#[derive(Clone, Copy)]
pub(crate) struct Simd128(());

impl Simd128 {
    /// # Safety
    ///
    /// The processor has the instructions: this file is compiled only where all have them.
    #[inline(always)]
    pub(crate) unsafe fn new() -> Simd128 {
        Simd128(())
    }
}

impl Simd for Simd128 {
    type V = v128;
    type C = v128;
    type Blocks = ByRegister;

    const LANES: usize = 16;
    const WIDE_LOOKUP: bool = false;
    const COMPRESS: bool = false;
    // V8 loads all that it can before it computes, up to the next branch or store: of a
    // whole block, more than it has registers for.
    const TOGETHER: usize = 2;

    by_tables!();

    instructions! {
        fn load(self, bytes: &[u8], at: usize) -> v128 = {
            let bytes = bytes_at(bytes, at, 16);
            // SAFETY: `bytes` has 16 bytes to read, at any alignment.
            unsafe { v128_load(bytes.as_ptr().cast()) }
        };
        fn store(self, v: v128, bytes: &mut [u8], at: usize) = {
            let bytes = bytes_at_mut(bytes, at, 16);
            // SAFETY: `bytes` has 16 bytes to write, at any alignment.
            unsafe { v128_store(bytes.as_mut_ptr().cast(), v) }
        };
        fn bits<const W: usize>(self, c: v128) -> u64 = {
            match W {
                8 => self.msb(c),
                16 => {
                    // The instruction for 16 bits waits in V8 on x86-64 for whatever was computed
                    // before it, which may be what depends on the bits before these.
                    u64::from(u8x16_bitmask(i8x16_narrow_i16x8(c, c))) & 0xFF
                }
                _ => self.signs32(c) as u64,
            }
        };
        fn across<const BY: isize>(self, a: v128, b: v128) -> v128 = match BY {
            1 => i8x16_shuffle::<1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16>(a, b),
            2 => i8x16_shuffle::<2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17>(a, b),
            -3 => i8x16_shuffle::<13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28>(a, b),
            -2 => i8x16_shuffle::<14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29>(a, b),
            -1 => i8x16_shuffle::<15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30>(a, b),
            _ => b,
        };
        fn and(self, a: v128, b: v128) -> v128 = v128_and(a, b);
        fn or(self, a: v128, b: v128) -> v128 = v128_or(a, b);
        fn xor(self, a: v128, b: v128) -> v128 = v128_xor(a, b);
        fn add<const W: usize>(self, a: v128, b: v128) -> v128 = match W {
            8 => u8x16_add(a, b),
            16 => u16x8_add(a, b),
            _ => u32x4_add(a, b),
        };
        fn saturating_sub(self, a: v128, b: v128) -> v128 = u8x16_sub_sat(a, b);
        fn shl<const W: usize, const N: i32>(self, v: v128) -> v128 =
            if W == 16 { u16x8_shl(v, N as u32) } else { u32x4_shl(v, N as u32) };
        fn shr<const W: usize, const N: i32>(self, v: v128) -> v128 = match W {
            8 => u8x16_shr(v, N as u32),
            16 => u16x8_shr(v, N as u32),
            _ => u32x4_shr(v, N as u32),
        };
        fn msb(self, v: v128) -> u64 = u64::from(u8x16_bitmask(v));
        fn any_msb(self, v: v128) -> bool = self.msb(v) != 0;
        fn any_nonzero(self, v: v128) -> bool = v128_any_true(v);
        fn ge(self, a: v128, b: v128) -> v128 = u8x16_ge(a, b);
        fn gt<const W: usize>(self, a: v128, b: v128) -> v128 = match W {
            8 => i8x16_gt(a, b),
            16 => i16x8_gt(a, b),
            _ => i32x4_gt(a, b),
        };
        fn same<const W: usize>(self, a: v128, b: v128) -> v128 = if W == 16 { u16x8_eq(a, b) } else { u32x4_eq(a, b) };
        fn select<const W: usize>(self, c: v128, a: v128, b: v128) -> v128 = v128_bitselect(a, b, c);
        fn fold16(self, v: v128) -> v128 =
            self.or(self.shl::<16, 6>(self.and(v, self.splat16(0x00FF))), self.shr::<16, 8>(v));
        fn splat32(self, word: u32) -> v128 = u32x4_splat(word);
        fn count<const W: usize>(self, count: v128, c: v128) -> v128 = match W {
            8 => u8x16_sub(count, c),
            16 => u16x8_sub(count, c),
            _ => u32x4_sub(count, c),
        };
        fn pack16(self, a: v128, b: v128) -> v128 = u8x16_narrow_i16x8(a, b);
        fn min16(self, a: v128, b: v128) -> v128 = i16x8_min(a, b);
        fn narrow16(self, v: [v128; 2]) -> v128 = u8x16_narrow_i16x8(v[0], v[1]);
        fn narrow32(self, v: [v128; 4]) -> v128 = self.narrow16([self.join32(v[0], v[1]), self.join32(v[2], v[3])]);
        fn join32(self, lower: v128, upper: v128) -> v128 = i16x8_shuffle::<0, 2, 4, 6, 8, 10, 12, 14>(lower, upper);
    }

    operations! {
        fn cond<const W: usize>(self, bits: u64) -> v128 = {
            let none = self.splat(0);
            match W {
                8 => {
                    // Each byte of the mask to the eight lanes it speaks of, then each
                    // lane to its bit.
                    let spread = self.halves([0, 0x0101_0101_0101_0101]);
                    let bit = self.halves([0x8040_2010_0804_0201; 2]);
                    u8x16_ne(self.and(u8x16_swizzle(self.splat16(bits as u16), spread), bit), none)
                }
                16 => u16x8_ne(self.and(self.splat16(bits as u16), u16x8(1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80)), none),
                _ => u32x4_ne(self.and(self.splat32(bits as u32), u32x4(1, 2, 4, 8)), none),
            }
        };
    }

    #[inline(always)]
    fn lookup16(self, table: v128, index: v128) -> v128 {
        // The instruction returns 0 for each index above 15.
        u8x16_swizzle(table, self.and(index, self.splat(0x8F)))
    }
    #[inline(always)]
    fn sum(self, v: v128) -> usize {
        let eight = u16x8_extadd_pairwise_u8x16(v);
        let four = u32x4_extadd_pairwise_u16x8(eight);
        let sum = u32x4_extract_lane::<0>(four)
            + u32x4_extract_lane::<1>(four)
            + u32x4_extract_lane::<2>(four)
            + u32x4_extract_lane::<3>(four);
        sum as usize
    }
}

impl Sixteen for Simd128 {
    instructions! {
        fn halves(self, halves: [u64; 2]) -> v128 = u64x2(halves[0], halves[1]);
        fn interleave32<const UPPER: bool>(self, a: v128, b: v128) -> v128 =
            if UPPER { i32x4_shuffle::<2, 6, 3, 7>(a, b) } else { i32x4_shuffle::<0, 4, 1, 5>(a, b) };
        fn upper_half(self, v: v128) -> v128 = i64x2_shuffle::<1, 1>(v, v);
        fn signs32(self, v: v128) -> usize = usize::from(u32x4_bitmask(v));
        fn pick(self, v: v128, row: v128) -> v128 = u8x16_swizzle(v, row);
        fn pick_or_zero(self, table: v128, index: v128) -> v128 = u8x16_swizzle(table, index);
        fn is(self, v: v128, byte: u8) -> v128 = u8x16_eq(v, self.splat(byte));
    }

    #[inline(always)]
    fn interleave8<const UPPER: bool>(self, a: v128, b: v128) -> v128 {
        if UPPER {
            i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b)
        } else {
            i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b)
        }
    }
    #[inline(always)]
    fn interleave16<const UPPER: bool>(self, a: v128, b: v128) -> v128 {
        if UPPER {
            i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b)
        } else {
            i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b)
        }
    }
    #[inline(always)]
    fn store_half(self, v: v128, out: &mut [u8], at: usize) {
        let low = u64x2_extract_lane::<0>(v);
        out[at..at + 8].copy_from_slice(&low.to_le_bytes());
    }
}
