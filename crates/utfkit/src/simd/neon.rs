//! NEON: 16 bytes in a register.
//!
//! It has no instruction that gathers the top bits of all lanes; a sum of
//! powers of two over the lanes stands in for it.

use core::arch::aarch64::*;

use super::ops::{Planes, Simd};
use super::sixteen::{self, Sixteen, by_tables};

/// The token.
#[derive(Clone, Copy)]
pub(crate) struct Neon(());

/// One operation that touches registers only.
macro_rules! op {
    ($($call:tt)+) => {
        // SAFETY: the instruction is there: the token `self` was made only
        // where the processor was found to have it (`Neon::new`).
        unsafe { $($call)+ }
    };
}

/// Registers have types by their lanes; all of ours are bytes.
macro_rules! on16 {
    ($call:ident($($v:expr),+)) => { op!(vreinterpretq_u8_u16($call($(vreinterpretq_u16_u8($v)),+))) };
}
macro_rules! on32 {
    ($call:ident($($v:expr),+)) => { op!(vreinterpretq_u8_u32($call($(vreinterpretq_u32_u8($v)),+))) };
}

impl Neon {
    /// # Safety
    ///
    /// The processor has NEON.
    #[inline(always)]
    pub(crate) unsafe fn new() -> Neon {
        Neon(())
    }

    /// The bit of each lane among its eight.
    #[inline(always)]
    fn weights(self) -> uint8x16_t {
        self.halves([0x8040_2010_0804_0201; 2])
    }

    /// The eight conditions of 16 bits as one of 8 bits each, in both halves.
    #[inline(always)]
    fn weights16(self) -> uint16x8_t {
        let low = op!(vcreate_u8(0x8040_2010_0804_0201));
        op!(vmovl_u8(low))
    }
}

impl Simd for Neon {
    type V = uint8x16_t;
    type C = uint8x16_t;
    type C16 = uint8x16_t;
    type C32 = uint8x16_t;

    const LANES: usize = 16;
    const WIDE_LOOKUP: bool = false;
    const COMPRESS: bool = false;
    const MASKS: bool = false;

    by_tables!();

    #[inline(always)]
    fn across(self, a: uint8x16_t, b: uint8x16_t, by: usize) -> uint8x16_t {
        match by {
            0 => a,
            1 => op!(vextq_u8::<1>(a, b)),
            2 => op!(vextq_u8::<2>(a, b)),
            3 => op!(vextq_u8::<3>(a, b)),
            4 => op!(vextq_u8::<4>(a, b)),
            12 => op!(vextq_u8::<12>(a, b)),
            13 => op!(vextq_u8::<13>(a, b)),
            14 => op!(vextq_u8::<14>(a, b)),
            15 => op!(vextq_u8::<15>(a, b)),
            _ => b,
        }
    }

    #[inline(always)]
    fn load(self, bytes: &[u8], at: usize) -> uint8x16_t {
        let bytes = &bytes[at..at + 16];
        // SAFETY: `bytes` has 16 bytes to read, at any alignment; the token
        // says that the instruction is there.
        unsafe { vld1q_u8(bytes.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, v: uint8x16_t, bytes: &mut [u8], at: usize) {
        let bytes = &mut bytes[at..at + 16];
        // SAFETY: `bytes` has 16 bytes to write, at any alignment; the token
        // says that the instruction is there.
        unsafe { vst1q_u8(bytes.as_mut_ptr(), v) }
    }

    #[inline(always)]
    fn splat(self, byte: u8) -> uint8x16_t {
        op!(vdupq_n_u8(byte))
    }

    #[inline(always)]
    fn and(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        op!(vandq_u8(a, b))
    }
    #[inline(always)]
    fn or(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        op!(vorrq_u8(a, b))
    }
    #[inline(always)]
    fn xor(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        op!(veorq_u8(a, b))
    }
    #[inline(always)]
    fn and_not(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        op!(vbicq_u8(b, a))
    }
    #[inline(always)]
    fn add(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        op!(vaddq_u8(a, b))
    }
    #[inline(always)]
    fn saturating_sub(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        op!(vqsubq_u8(a, b))
    }
    #[inline(always)]
    fn shl<const N: i32>(self, v: uint8x16_t) -> uint8x16_t {
        let v = op!(vreinterpretq_u16_u8(v));
        let shifted = op!(vshlq_n_u16::<N>(v));
        op!(vreinterpretq_u8_u16(shifted))
    }
    #[inline(always)]
    fn shr<const N: i32>(self, v: uint8x16_t) -> uint8x16_t {
        let v = op!(vreinterpretq_u16_u8(v));
        let shifted = op!(vshrq_n_u16::<N>(v));
        op!(vreinterpretq_u8_u16(shifted))
    }

    #[inline(always)]
    fn lookup16(self, table: uint8x16_t, index: uint8x16_t) -> uint8x16_t {
        // The instruction answers 0 for each index above 15.
        let index = self.and(index, self.splat(0x8F));
        op!(vqtbl1q_u8(table, index))
    }
    #[inline(always)]
    fn msb(self, v: uint8x16_t) -> u64 {
        let signed = op!(vreinterpretq_s8_u8(v));
        let all = op!(vreinterpretq_u8_s8(vshrq_n_s8::<7>(signed)));
        let bits = self.and(all, self.weights());
        let low = op!(vaddv_u8(vget_low_u8(bits)));
        let high = op!(vaddv_u8(vget_high_u8(bits)));
        u64::from(low) | u64::from(high) << 8
    }
    #[inline(always)]
    fn any_msb(self, v: uint8x16_t) -> bool {
        op!(vmaxvq_u8(v)) >= 0x80
    }
    #[inline(always)]
    fn ge(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        op!(vcgeq_u8(a, b))
    }
    #[inline(always)]
    fn lt_signed(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        let (a, b) = (op!(vreinterpretq_s8_u8(a)), op!(vreinterpretq_s8_u8(b)));
        op!(vcltq_s8(a, b))
    }
    #[inline(always)]
    fn nonzero(self, v: uint8x16_t) -> uint8x16_t {
        op!(vtstq_u8(v, v))
    }
    #[inline(always)]
    fn cond(self, bits: u64) -> uint8x16_t {
        // Each byte of the mask to the eight lanes it speaks of, then each
        // lane to its bit.
        let (low, high) = (op!(vdup_n_u8(bits as u8)), op!(vdup_n_u8((bits >> 8) as u8)));
        let spread = op!(vcombine_u8(low, high));
        op!(vtstq_u8(spread, self.weights()))
    }
    #[inline(always)]
    fn select(self, c: uint8x16_t, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        op!(vbslq_u8(c, a, b))
    }

    #[inline(always)]
    fn splat16(self, unit: u16) -> uint8x16_t {
        let v = op!(vdupq_n_u16(unit));
        op!(vreinterpretq_u8_u16(v))
    }
    #[inline(always)]
    fn add16(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        on16!(vaddq_u16(a, b))
    }
    #[inline(always)]
    fn split16(self, v: uint8x16_t) -> uint8x16_t {
        // The upper bits down into the first byte, the lower ones up into the
        // second.
        let upper = self.shr::<6>(v);
        let lower = self.shl::<8>(self.and(v, self.splat16(0x003F)));
        self.or(upper, lower)
    }
    #[inline(always)]
    fn split_upper16(self, v: uint8x16_t) -> uint8x16_t {
        let upper = self.shr::<12>(v);
        let lower = self.and(self.shl::<2>(v), self.splat16(0x3F00));
        self.or(upper, lower)
    }
    #[inline(always)]
    fn swap16(self, v: uint8x16_t) -> uint8x16_t {
        op!(vrev16q_u8(v))
    }
    #[inline(always)]
    fn bits16(self, c: uint8x16_t) -> u64 {
        let c = op!(vreinterpretq_u16_u8(c));
        let bits = op!(vandq_u16(c, self.weights16()));
        u64::from(op!(vaddvq_u16(bits)))
    }
    #[inline(always)]
    fn cond16(self, bits: u64) -> uint8x16_t {
        let all = op!(vdupq_n_u16(bits as u16));
        let set = op!(vtstq_u16(all, self.weights16()));
        op!(vreinterpretq_u8_u16(set))
    }
    #[inline(always)]
    fn le16(self, v: uint8x16_t, bound: u16) -> uint8x16_t {
        on16!(vcleq_u16(v, self.splat16(bound)))
    }
    #[inline(always)]
    fn same16(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        on16!(vceqq_u16(a, b))
    }
    #[inline(always)]
    fn splat32(self, word: u32) -> uint8x16_t {
        let v = op!(vdupq_n_u32(word));
        op!(vreinterpretq_u8_u32(v))
    }
    #[inline(always)]
    fn shl32<const N: i32>(self, v: uint8x16_t) -> uint8x16_t {
        let v = op!(vreinterpretq_u32_u8(v));
        let shifted = op!(vshlq_n_u32::<N>(v));
        op!(vreinterpretq_u8_u32(shifted))
    }
    #[inline(always)]
    fn shr32<const N: i32>(self, v: uint8x16_t) -> uint8x16_t {
        let v = op!(vreinterpretq_u32_u8(v));
        let shifted = op!(vshrq_n_u32::<N>(v));
        op!(vreinterpretq_u8_u32(shifted))
    }
    #[inline(always)]
    fn add32(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        on32!(vaddq_u32(a, b))
    }
    #[inline(always)]
    fn gt32(self, v: uint8x16_t, bound: u32) -> uint8x16_t {
        let v = op!(vreinterpretq_s32_u8(v));
        let bound = op!(vdupq_n_s32(bound as i32));
        let greater = op!(vcgtq_s32(v, bound));
        op!(vreinterpretq_u8_u32(greater))
    }
    #[inline(always)]
    fn cond32(self, bits: u64) -> uint8x16_t {
        let bit = self.halves([1 | 2 << 32, 4 | 8 << 32]);
        on32!(vtstq_u32(self.splat32(bits as u32), bit))
    }

    // Counts, UTF-16 as it is, and Latin-1.

    #[inline(always)]
    fn count(self, count: uint8x16_t, c: uint8x16_t) -> uint8x16_t {
        op!(vsubq_u8(count, c))
    }
    #[inline(always)]
    fn count_clear16(self, count: uint8x16_t, v: uint8x16_t, bits: u16) -> uint8x16_t {
        let clear = self.same16(self.and(v, self.splat16(bits)), self.splat(0));
        on16!(vsubq_u16(count, clear))
    }
    #[inline(always)]
    fn count_clear32(self, count: uint8x16_t, v: uint8x16_t, bits: u32) -> uint8x16_t {
        let clear = on32!(vceqq_u32(self.and(v, self.splat32(bits)), self.splat(0)));
        on32!(vsubq_u32(count, clear))
    }
    #[inline(always)]
    fn saturating_add(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        op!(vqaddq_u8(a, b))
    }
    #[inline(always)]
    fn pack16(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        let (a, b) = (op!(vreinterpretq_u16_u8(a)), op!(vreinterpretq_u16_u8(b)));
        let (low, high) = (op!(vqmovn_u16(a)), op!(vqmovn_u16(b)));
        op!(vcombine_u8(low, high))
    }
    #[inline(always)]
    fn sum(self, v: uint8x16_t) -> usize {
        usize::from(op!(vaddlvq_u8(v)))
    }
    #[inline(always)]
    fn min16(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        let (a, b) = (op!(vreinterpretq_s16_u8(a)), op!(vreinterpretq_s16_u8(b)));
        let least = op!(vminq_s16(a, b));
        op!(vreinterpretq_u8_s16(least))
    }
    #[inline(always)]
    fn narrow16(self, v: [uint8x16_t; 2]) -> uint8x16_t {
        op!(vuzp1q_u8(v[0], v[1]))
    }
    #[inline(always)]
    fn narrow32(self, v: [uint8x16_t; 4]) -> uint8x16_t {
        self.narrow16([self.join32(v[0], v[1]), self.join32(v[2], v[3])])
    }

    // To and from UTF-32.

    #[inline(always)]
    fn swap32(self, v: uint8x16_t) -> uint8x16_t {
        op!(vrev32q_u8(v))
    }
    #[inline(always)]
    fn join32(self, lower: uint8x16_t, upper: uint8x16_t) -> uint8x16_t {
        on16!(vuzp1q_u16(lower, upper))
    }
}

impl Sixteen for Neon {
    #[inline(always)]
    fn halves(self, halves: [u64; 2]) -> uint8x16_t {
        let (low, high) = (op!(vcreate_u8(halves[0])), op!(vcreate_u8(halves[1])));
        op!(vcombine_u8(low, high))
    }
    #[inline(always)]
    fn interleave8<const UPPER: bool>(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        if UPPER { op!(vzip2q_u8(a, b)) } else { op!(vzip1q_u8(a, b)) }
    }
    #[inline(always)]
    fn interleave16<const UPPER: bool>(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        if UPPER { on16!(vzip2q_u16(a, b)) } else { on16!(vzip1q_u16(a, b)) }
    }
    #[inline(always)]
    fn interleave32<const UPPER: bool>(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        if UPPER { on32!(vzip2q_u32(a, b)) } else { on32!(vzip1q_u32(a, b)) }
    }
    #[inline(always)]
    fn upper_half(self, v: uint8x16_t) -> uint8x16_t {
        let high = op!(vget_high_u8(v));
        op!(vcombine_u8(high, high))
    }
    #[inline(always)]
    fn store_half(self, v: uint8x16_t, out: &mut [u8], at: usize) {
        let out = &mut out[at..at + 8];
        let low = op!(vget_low_u8(v));
        // SAFETY: `out` has 8 bytes to write, at any alignment; the token says
        // that the instruction is there.
        unsafe { vst1_u8(out.as_mut_ptr(), low) }
    }
    #[inline(always)]
    fn signs32(self, v: uint8x16_t) -> usize {
        let signs = self.shr32::<31>(v);
        let bit = self.halves([1 << 32, 2 | 3 << 32]);
        let (signs, bit) = (op!(vreinterpretq_u32_u8(signs)), op!(vreinterpretq_s32_u8(bit)));
        let bits = op!(vshlq_u32(signs, bit));
        op!(vaddvq_u32(bits)) as usize
    }
    #[inline(always)]
    fn is(self, v: uint8x16_t, byte: u8) -> uint8x16_t {
        op!(vceqq_u8(v, self.splat(byte)))
    }
}
