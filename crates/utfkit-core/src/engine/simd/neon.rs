//! NEON: 16 bytes in a register.
//!
//! No instruction gathers the top bits of all lanes; a sum of powers of two over the lanes does.

use core::arch::aarch64::*;

use super::neon_blocks::{AtOnce, Whole, as16, as32, of16, of32, op};
use super::ops::{Planes, Simd, instructions, operations};
use super::sixteen::{self, Sixteen, by_tables};
use crate::engine::memory::{bytes_at, bytes_at_mut};

/// The token. This module is compiled only for targets whose processors all have NEON (see `mod.rs`).
#[derive(Clone, Copy)]
pub(crate) struct Neon(());

impl Neon {
    /// # Safety
    ///
    /// The processor has the instructions: this file is compiled only where all have them.
    #[inline(always)]
    pub(crate) unsafe fn new() -> Neon {
        Neon(())
    }
}

/// The bytes as signed ones.
#[inline(always)]
fn signed(v: uint8x16_t) -> int8x16_t {
    op!(vreinterpretq_s8_u8(v))
}

/// The bit of each lane among its eight.
#[inline(always)]
fn weights() -> uint8x16_t {
    let bits = op!(vdupq_n_u64(0x8040_2010_0804_0201));
    op!(vreinterpretq_u8_u64(bits))
}

/// The bit of each lane of 16 bits.
#[inline(always)]
fn weights16() -> uint16x8_t {
    let bits = op!(vcreate_u8(0x8040_2010_0804_0201));
    op!(vmovl_u8(bits))
}

/// Lanes to shuffle 16 bytes by: four of them, each with three zeros after it.
static WORDS: [[u8; 16]; 4] = {
    let mut rows = [[0xFF; 16]; 4];
    let mut byte = 0;
    while byte < 16 {
        rows[byte / 4][4 * (byte % 4)] = byte as u8;
        byte += 1;
    }
    rows
};

/// A shift by `N`, which must be named where the compiler sees it for every width: a shift by more than a lane has
/// bits does not compile, even where it is never reached.
macro_rules! by_one_of {
    (vshrq_n_u8($v:expr)) => { by_one_of!(vshrq_n_u8 $v; 1 2 3 4 5 6 7) };
    (vshlq_n_u16($v:expr)) => { by_one_of!(vshlq_n_u16 $v; 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15) };
    (vshrq_n_u16($v:expr)) => { by_one_of!(vshrq_n_u16 $v; 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15) };
    ($shift:ident($v:expr)) => {
        by_one_of!($shift $v; 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
            17 18 19 20 21 22 23 24 25 26 27 28 29 30 31)
    };
    ($shift:ident $v:expr; $($n:literal)*) => {
        match N {
            $($n => op!($shift::<$n>($v)),)*
            _ => $v,
        }
    };
}

impl Simd for Neon {
    type V = uint8x16_t;
    type C = uint8x16_t;
    type Blocks = AtOnce;

    const LANES: usize = 16;
    const WIDE_LOOKUP: bool = false;
    const COMPRESS: bool = false;

    by_tables!();

    instructions! {
        fn load(self, bytes: &[u8], at: usize) -> uint8x16_t = {
            let bytes = bytes_at(bytes, at, 16);
            // SAFETY: `bytes` has 16 bytes to read, at any alignment; the token
            // says that the instruction is there.
            unsafe { vld1q_u8(bytes.as_ptr()) }
        };
        fn store(self, v: uint8x16_t, bytes: &mut [u8], at: usize) = {
            let bytes = bytes_at_mut(bytes, at, 16);
            // SAFETY: `bytes` has 16 bytes to write, at any alignment; the token
            // says that the instruction is there.
            unsafe { vst1q_u8(bytes.as_mut_ptr(), v) }
        };
        fn across<const BY: isize>(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = match BY {
            1 => op!(vextq_u8::<1>(a, b)),
            2 => op!(vextq_u8::<2>(a, b)),
            -3 => op!(vextq_u8::<13>(a, b)),
            -2 => op!(vextq_u8::<14>(a, b)),
            -1 => op!(vextq_u8::<15>(a, b)),
            _ => b,
        };
        fn and(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = op!(vandq_u8(a, b));
        fn or(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = op!(vorrq_u8(a, b));
        fn xor(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = op!(veorq_u8(a, b));
        fn add<const W: usize>(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = match W {
            8 => op!(vaddq_u8(a, b)),
            16 => of16(op!(vaddq_u16(as16(a), as16(b)))),
            _ => of32(op!(vaddq_u32(as32(a), as32(b)))),
        };
        fn saturating_sub(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = op!(vqsubq_u8(a, b));
        fn shl<const W: usize, const N: i32>(self, v: uint8x16_t) -> uint8x16_t =
            if W == 16 { of16(by_one_of!(vshlq_n_u16(as16(v)))) } else { of32(by_one_of!(vshlq_n_u32(as32(v)))) };
        fn shr<const W: usize, const N: i32>(self, v: uint8x16_t) -> uint8x16_t = match W {
            8 => by_one_of!(vshrq_n_u8(v)),
            16 => of16(by_one_of!(vshrq_n_u16(as16(v)))),
            _ => of32(by_one_of!(vshrq_n_u32(as32(v)))),
        };
        fn any_msb(self, v: uint8x16_t) -> bool = op!(vmaxvq_u8(v)) >= 0x80;
        fn any_nonzero(self, v: uint8x16_t) -> bool = op!(vmaxvq_u8(v)) != 0;
        fn ge(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = op!(vcgeq_u8(a, b));
        fn gt<const W: usize>(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = match W {
            8 => op!(vcgtq_s8(signed(a), signed(b))),
            16 => of16(op!(vcgtq_s16(vreinterpretq_s16_u8(a), vreinterpretq_s16_u8(b)))),
            _ => of32(op!(vcgtq_s32(vreinterpretq_s32_u8(a), vreinterpretq_s32_u8(b)))),
        };
        fn same<const W: usize>(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t =
            if W == 16 { of16(op!(vceqq_u16(as16(a), as16(b)))) } else { of32(op!(vceqq_u32(as32(a), as32(b)))) };
        fn bits<const W: usize>(self, c: uint8x16_t) -> u64 = match W {
            8 => self.msb(c),
            16 => op!(vaddvq_u16(vandq_u16(as16(c), weights16()))).into(),
            _ => self.signs32(c) as u64,
        };
        fn select<const W: usize>(self, c: uint8x16_t, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t =
            op!(vbslq_u8(c, a, b));
        fn fold16(self, v: uint8x16_t) -> uint8x16_t =
            self.or(self.shl::<16, 6>(self.and(v, self.splat16(0x00FF))), self.shr::<16, 8>(v));
        fn splat32(self, word: u32) -> uint8x16_t = of32(op!(vdupq_n_u32(word)));
        fn count<const W: usize>(self, count: uint8x16_t, c: uint8x16_t) -> uint8x16_t = match W {
            8 => op!(vsubq_u8(count, c)),
            16 => of16(op!(vsubq_u16(as16(count), as16(c)))),
            _ => of32(op!(vsubq_u32(as32(count), as32(c)))),
        };
        fn sum(self, v: uint8x16_t) -> usize = usize::from(op!(vaddlvq_u8(v)));
        fn narrow16(self, v: [uint8x16_t; 2]) -> uint8x16_t = op!(vuzp1q_u8(v[0], v[1]));
        fn narrow32(self, v: [uint8x16_t; 4]) -> uint8x16_t =
            self.narrow16([self.join32(v[0], v[1]), self.join32(v[2], v[3])]);
        fn join32(self, lower: uint8x16_t, upper: uint8x16_t) -> uint8x16_t =
            of16(op!(vuzp1q_u16(as16(lower), as16(upper))));
    }

    operations! {
        fn cond<const W: usize>(self, bits: u64) -> uint8x16_t = {
            match W {
                8 => {
                    // Each byte of the mask to the eight lanes it speaks of, then each
                    // lane to its bit.
                    let (low, high) = (op!(vdup_n_u8(bits as u8)), op!(vdup_n_u8((bits >> 8) as u8)));
                    let spread = op!(vcombine_u8(low, high));
                    op!(vtstq_u8(spread, weights()))
                }
                16 => of16(op!(vtstq_u16(vdupq_n_u16(bits as u16), weights16()))),
                _ => {
                    let bit = self.halves([1 | 2 << 32, 4 | 8 << 32]);
                    of32(op!(vtstq_u32(as32(self.splat32(bits as u32)), as32(bit))))
                }
            }
        };
    }

    #[inline(always)]
    fn lookup16(self, table: uint8x16_t, index: uint8x16_t) -> uint8x16_t {
        // The instruction returns 0 for each index above 15.
        let index = self.and(index, self.splat(0x8F));
        op!(vqtbl1q_u8(table, index))
    }
    #[inline(always)]
    fn msb(self, v: uint8x16_t) -> u64 {
        let set = op!(vcltzq_s8(signed(v)));
        let bits = self.and(set, weights());
        let (low, high) = (op!(vget_low_u8(bits)), op!(vget_high_u8(bits)));
        u64::from(op!(vaddv_u8(low))) | u64::from(op!(vaddv_u8(high))) << 8
    }
    #[inline(always)]
    fn pack16(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        let (low, high) = (op!(vqmovn_u16(as16(a))), op!(vqmovn_u16(as16(b))));
        op!(vcombine_u8(low, high))
    }
    #[inline(always)]
    fn min16(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        let (a, b) = (op!(vreinterpretq_s16_u8(a)), op!(vreinterpretq_s16_u8(b)));
        let least = op!(vminq_s16(a, b));
        op!(vreinterpretq_u8_s16(least))
    }
}

impl Sixteen for Neon {
    #[inline(always)]
    fn halves(self, halves: [u64; 2]) -> uint8x16_t {
        let (low, high) = (op!(vcreate_u8(halves[0])), op!(vcreate_u8(halves[1])));
        op!(vcombine_u8(low, high))
    }

    instructions! {
        fn interleave8<const UPPER: bool>(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t =
            if UPPER { op!(vzip2q_u8(a, b)) } else { op!(vzip1q_u8(a, b)) };
        fn interleave16<const UPPER: bool>(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t =
            if UPPER { of16(op!(vzip2q_u16(as16(a), as16(b)))) } else { of16(op!(vzip1q_u16(as16(a), as16(b)))) };
        fn interleave32<const UPPER: bool>(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t =
            if UPPER { of32(op!(vzip2q_u32(as32(a), as32(b)))) } else { of32(op!(vzip1q_u32(as32(a), as32(b)))) };
        fn pick(self, v: uint8x16_t, row: uint8x16_t) -> uint8x16_t = op!(vqtbl1q_u8(v, row));
        fn pairs(self, v: uint8x16_t) -> [uint8x16_t; 2] = [self.spread8::<false>(v), self.spread8::<true>(v)];
        fn pick_or_zero(self, table: uint8x16_t, index: uint8x16_t) -> uint8x16_t = op!(vqtbl1q_u8(table, index));
        fn is(self, v: uint8x16_t, byte: u8) -> uint8x16_t = op!(vceqq_u8(v, self.splat(byte)));
    }

    #[inline(always)]
    fn upper_half(self, v: uint8x16_t) -> uint8x16_t {
        let high = op!(vget_high_u8(v));
        op!(vcombine_u8(high, high))
    }
    #[inline(always)]
    fn store_half(self, v: uint8x16_t, out: &mut [u8], at: usize) {
        let out = bytes_at_mut(out, at, 8);
        let low = op!(vget_low_u8(v));
        // SAFETY: `out` has 8 bytes to write, at any alignment; the token says
        // that the instruction is there.
        unsafe { vst1_u8(out.as_mut_ptr(), low) }
    }
    #[inline(always)]
    fn signs32(self, v: uint8x16_t) -> usize {
        let v = op!(vreinterpretq_s32_u8(v));
        let set = of32(op!(vcltzq_s32(v)));
        let bits = self.and(set, self.halves([1 | 2 << 32, 4 | 8 << 32]));
        op!(vaddvq_u32(as32(bits))) as usize
    }
    #[inline(always)]
    fn words(self, v: uint8x16_t) -> [uint8x16_t; 4] {
        // A shuffle for each, where interleaving with zeros takes six.
        let mut words = [v; 4];
        for (i, word) in words.iter_mut().enumerate() {
            *word = self.shuffle(v, &WORDS[i]);
        }
        words
    }
}
