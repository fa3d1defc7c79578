//! AVX-512 with BW, VL, VBMI and VBMI2: 64 bytes in a register, conditions in
//! mask registers, and an instruction that compresses.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
use core::mem::transmute;

use super::ops::{ByRegister, Planes, Simd, instructions};
use crate::engine::memory::{bytes_at, bytes_at_mut};

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
    type C = u64;
    type Blocks = ByRegister;

    const LANES: usize = 64;
    const WIDE_LOOKUP: bool = true;
    const COMPRESS: bool = true;

    #[inline(always)]
    fn load_padded(self, bytes: &[u8], at: usize) -> __m512i {
        let bytes = bytes.get(at..).unwrap_or_default();
        // SAFETY: lane `i` is read only if `i < bytes.len()`, which is what the
        // mask says; a lane that is masked out is not accessed and raises no
        // error. The token says that the instruction is there.
        unsafe { _mm512_maskz_loadu_epi8(low_lanes(self, bytes.len()), bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn copy(self, from: &[u8], to: &mut [u8]) {
        for (from, to) in from.chunks(64).zip(to.chunks_mut(64)) {
            self.store_front(self.load_padded(from, 0), to);
        }
    }

    instructions! {
        fn load(self, bytes: &[u8], at: usize) -> __m512i = {
            let bytes = bytes_at(bytes, at, 64);
            // SAFETY: `bytes` has 64 bytes to read, at any alignment.
            unsafe { bytes.as_ptr().cast::<__m512i>().read_unaligned() }
        };
        fn store(self, v: __m512i, bytes: &mut [u8], at: usize) = {
            let bytes = bytes_at_mut(bytes, at, 64);
            // SAFETY: `bytes` has 64 bytes to write, at any alignment.
            unsafe { bytes.as_mut_ptr().cast::<__m512i>().write_unaligned(v) }
        };
        fn across<const BY: isize>(self, a: __m512i, b: __m512i) -> __m512i = {
            // The instruction that moves bytes works within 16 of them: it is given
            // the 16 after, or before, as well.
            match BY {
                1 => op!(_mm512_alignr_epi8::<1>(_mm512_alignr_epi64::<2>(b, a), a)),
                2 => op!(_mm512_alignr_epi8::<2>(_mm512_alignr_epi64::<2>(b, a), a)),
                -3 => op!(_mm512_alignr_epi8::<13>(b, _mm512_alignr_epi64::<6>(b, a))),
                -2 => op!(_mm512_alignr_epi8::<14>(b, _mm512_alignr_epi64::<6>(b, a))),
                -1 => op!(_mm512_alignr_epi8::<15>(b, _mm512_alignr_epi64::<6>(b, a))),
                _ => b,
            }
        };
        fn table16(self, table: &[u8; 16]) -> __m512i = {
            // SAFETY: `table` has 16 bytes to read, at any alignment.
            let row = unsafe { table.as_ptr().cast::<__m128i>().read_unaligned() };
            op!(_mm512_broadcast_i32x4(row))
        };
        fn and(self, a: __m512i, b: __m512i) -> __m512i = op!(_mm512_and_si512(a, b));
        fn or(self, a: __m512i, b: __m512i) -> __m512i = op!(_mm512_or_si512(a, b));
        fn xor(self, a: __m512i, b: __m512i) -> __m512i = op!(_mm512_xor_si512(a, b));
        fn add<const W: usize>(self, a: __m512i, b: __m512i) -> __m512i = match W {
            8 => op!(_mm512_add_epi8(a, b)),
            16 => op!(_mm512_add_epi16(a, b)),
            _ => op!(_mm512_add_epi32(a, b)),
        };
        fn saturating_sub(self, a: __m512i, b: __m512i) -> __m512i = op!(_mm512_subs_epu8(a, b));
        fn lookup16(self, table: __m512i, index: __m512i) -> __m512i = op!(_mm512_shuffle_epi8(table, index));
        fn any_msb(self, v: __m512i) -> bool = op!(_mm512_movepi8_mask(v)) != 0;
        fn ge(self, a: __m512i, b: __m512i) -> u64 = op!(_mm512_cmpge_epu8_mask(a, b));
        fn gt<const W: usize>(self, a: __m512i, b: __m512i) -> u64 = match W {
            8 => op!(_mm512_cmpgt_epi8_mask(a, b)),
            16 => op!(_mm512_cmpgt_epi16_mask(a, b)).into(),
            _ => op!(_mm512_cmpgt_epi32_mask(a, b)).into(),
        };
        fn same<const W: usize>(self, a: __m512i, b: __m512i) -> u64 = match W {
            16 => op!(_mm512_cmpeq_epi16_mask(a, b)).into(),
            _ => op!(_mm512_cmpeq_epi32_mask(a, b)).into(),
        };
        fn bits<const W: usize>(self, c: u64) -> u64 = c;
        fn cond<const W: usize>(self, bits: u64) -> u64 = bits & (!0 >> (64 - 512 / W));
        fn select<const W: usize>(self, c: u64, a: __m512i, b: __m512i) -> __m512i = match W {
            8 => op!(_mm512_mask_mov_epi8(b, c, a)),
            16 => op!(_mm512_mask_mov_epi16(b, c as __mmask32, a)),
            _ => op!(_mm512_mask_mov_epi32(b, c as __mmask16, a)),
        };
        fn either(self, a: u64, b: u64) -> u64 = a | b;
        fn fold16(self, v: __m512i) -> __m512i = op!(_mm512_maddubs_epi16(v, self.splat16(0x0140)));
        fn differ(self, a: u64, b: u64) -> bool = a != b;
        fn splat(self, byte: u8) -> __m512i = op!(transmute::<[u8; 64], __m512i>([byte; 64]));
        fn splat16(self, unit: u16) -> __m512i = op!(_mm512_set1_epi16(unit as i16));
        fn splat32(self, word: u32) -> __m512i = op!(_mm512_set1_epi32(word as i32));
        fn pack16(self, a: __m512i, b: __m512i) -> __m512i = op!(_mm512_packus_epi16(a, b));
        fn min16(self, a: __m512i, b: __m512i) -> __m512i = op!(_mm512_min_epi16(a, b));
        fn lookup64(self, table: &[u8; 64], index: __m512i) -> __m512i =
            op!(_mm512_permutexvar_epi8(index, self.load(table, 0)));
        fn any_nonzero(self, v: __m512i) -> bool = op!(_mm512_test_epi8_mask(v, v)) != 0;
    }

    #[inline(always)]
    fn shl<const W: usize, const N: i32>(self, v: __m512i) -> __m512i {
        let count = op!(_mm_cvtsi32_si128(N));
        match W {
            16 => op!(_mm512_sll_epi16(v, count)),
            _ => op!(_mm512_sll_epi32(v, count)),
        }
    }
    #[inline(always)]
    fn shr<const W: usize, const N: i32>(self, v: __m512i) -> __m512i {
        let count = op!(_mm_cvtsi32_si128(N));
        match W {
            8 => self.and(self.shr::<16, N>(v), self.splat(0xFF >> N)),
            16 => op!(_mm512_srl_epi16(v, count)),
            _ => op!(_mm512_srl_epi32(v, count)),
        }
    }

    #[inline(always)]
    fn emit16(self, low: __m512i, high: __m512i, keep: u64, out: &mut [u8], at: usize) -> usize {
        let out = bytes_at_mut(out, at, 128);
        let (first, second) = self.compress16(low, high, keep);
        self.store(first, out, 0);
        self.store(second, out, 64);
        2 * keep.count_ones() as usize
    }

    #[inline(always)]
    fn narrow(self, v: __m512i, out: &mut [u8], at: usize) {
        let out = bytes_at_mut(out, at, 32);
        let bytes = op!(_mm512_cvtepi16_epi8(v));
        // SAFETY: `out` has 32 bytes to write, at any alignment.
        unsafe { out.as_mut_ptr().cast::<__m256i>().write_unaligned(bytes) }
    }
    #[inline(always)]
    fn emit_pairs(self, v: __m512i, one: u64, out: &mut [u8], at: usize) -> usize {
        // FF is in no UTF-8.
        let v = self.select::<16>(one, self.or(v, self.splat16(0x00FF)), v);
        self.emit_quads(v, out, at)
    }
    #[inline(always)]
    fn emit_triples(self, upper: __m512i, lower: __m512i, one: u64, two: u64, out: &mut [u8], at: usize) -> usize {
        let out = bytes_at_mut(out, at, 128);
        let upper = self.select::<16>(two, self.or(upper, self.splat16(0x00FF)), upper);
        let upper = self.select::<16>(one, self.splat(0xFF), upper);
        let lower = self.select::<16>(one, self.or(lower, self.splat16(0xFF00)), self.or(lower, self.splat16(0x00FF)));
        let first = op!(_mm512_permutex2var_epi16(upper, self.load(&ZIPPED[0], 0), lower));
        let second = op!(_mm512_permutex2var_epi16(upper, self.load(&ZIPPED[1], 0), lower));
        let done = self.emit_quads(first, out, 0);
        done + self.emit_quads(second, out, done)
    }

    #[inline(always)]
    fn spread<const W: usize, const UPPER: bool>(self, v: __m512i) -> __m512i {
        let half = if UPPER { op!(_mm512_extracti64x4_epi64::<1>(v)) } else { op!(_mm512_castsi512_si256(v)) };
        match W {
            8 => op!(_mm512_cvtepu8_epi16(half)),
            _ => op!(_mm512_cvtepu16_epi32(half)),
        }
    }
    #[inline(always)]
    fn count<const W: usize>(self, count: __m512i, c: u64) -> __m512i {
        let less = self.splat(0xFF);
        match W {
            8 => op!(_mm512_mask_sub_epi8(count, c, count, less)),
            16 => op!(_mm512_mask_sub_epi16(count, c as __mmask32, count, less)),
            _ => op!(_mm512_mask_sub_epi32(count, c as __mmask16, count, less)),
        }
    }
    #[inline(always)]
    fn sum(self, v: __m512i) -> usize {
        let eights = op!(_mm512_sad_epu8(v, self.splat(0)));
        op!(_mm512_reduce_add_epi64(eights)) as usize
    }
    #[inline(always)]
    fn narrow16(self, v: [__m512i; 2]) -> __m512i {
        let lower = self.load(&EVERY_OTHER, 0);
        op!(_mm512_permutex2var_epi8(v[0], lower, v[1]))
    }
    #[inline(always)]
    fn narrow32(self, v: [__m512i; 4]) -> __m512i {
        let two = [self.narrow16([v[0], v[1]]), self.narrow16([v[2], v[3]])];
        self.narrow16(two)
    }

    #[inline(always)]
    fn msb(self, v: __m512i) -> u64 {
        // Two instructions to general registers are faster than one to a mask
        // and one from there, on Zen 4: ISO-8859-1 to UTF-8 by a sixth.
        let (lower, upper) = (op!(_mm512_castsi512_si256(v)), op!(_mm512_extracti64x4_epi64::<1>(v)));
        let (lower, upper) = (op!(_mm256_movemask_epi8(lower)), op!(_mm256_movemask_epi8(upper)));
        u64::from(lower as u32) | u64::from(upper as u32) << 32
    }
    #[inline(always)]
    fn lookup_above7(self, table: &[u8; 16], a: __m512i, b: __m512i) -> __m512i {
        // 0 to 15 as they are, and anything above with its top bit set.
        let index = op!(_mm512_adds_epu8(self.pack16(self.shr::<16, 7>(a), self.shr::<16, 7>(b)), self.splat(0x70)));
        self.lookup16(self.table16(table), index)
    }
    #[inline(always)]
    fn emit_zipped(self, first: __m512i, second: __m512i, keep: u64, out: &mut [u8], at: usize) -> usize {
        let out = bytes_at_mut(out, at, 128);
        let lower = op!(_mm512_permutex2var_epi8(first, self.load(&TURNS[0], 0), second));
        let upper = op!(_mm512_permutex2var_epi8(first, self.load(&TURNS[1], 0), second));
        // The second byte of each pair, and the first where it is asked for.
        let keep_lower = 0xAAAA_AAAA_AAAA_AAAA | every_other_bit(self, keep as u32);
        let keep_upper = 0xAAAA_AAAA_AAAA_AAAA | every_other_bit(self, (keep >> 32) as u32);
        let done = 32 + (keep as u32).count_ones() as usize;
        self.store(op!(_mm512_maskz_compress_epi8(keep_lower, lower)), out, 0);
        self.store(op!(_mm512_maskz_compress_epi8(keep_upper, upper)), out, done);
        done + 32 + (keep >> 32).count_ones() as usize
    }
    #[inline(always)]
    fn emit8(self, v: __m512i, keep: u64, out: &mut [u8], at: usize) -> usize {
        self.store(op!(_mm512_maskz_compress_epi8(keep, v)), out, at);
        keep.count_ones() as usize
    }
    #[inline(always)]
    fn emit_replaced(self, v: __m512i, keep: u64, replace: u64, by: [u8; 4], out: &mut [u8], at: usize) -> usize {
        let out = bytes_at_mut(out, at, 192);
        // Each lane three times over, of which a replaced one keeps all and any other
        // the last.
        let v = op!(_mm512_maskz_mov_epi8(!replace, v));
        let what = op!(_mm512_maskz_mov_epi8(keep, self.splat(LAST)));
        let what = op!(_mm512_mask_mov_epi8(what, keep & replace, self.splat(0xFF)));
        let by = self.splat32(u32::from_le_bytes(by));
        let mut done = 0;
        for third in &THIRDS {
            let what = self.lookup64_of(what, &third.from);
            let instead = self.lookup16(by, self.load(&third.place, 0));
            let bytes = self.or(self.lookup64_of(v, &third.from), self.and(what, instead));
            let keep = op!(_mm512_test_epi8_mask(what, self.load(&third.keep, 0)));
            // In the rounds before this one `done` grew by 64 at the most.
            self.store(op!(_mm512_maskz_compress_epi8(keep, bytes)), out, done);
            done += keep.count_ones() as usize;
        }
        done
    }
    #[inline(always)]
    fn emit_joined(self, lower: __m512i, upper: __m512i, keep: u64, out: &mut [u8], at: usize) -> usize {
        let out = bytes_at_mut(out, at, 128);
        let first = op!(_mm512_permutex2var_epi16(lower, self.load(&ZIPPED[0], 0), upper));
        let second = op!(_mm512_permutex2var_epi16(lower, self.load(&ZIPPED[1], 0), upper));
        let done = self.emit_words(first, keep & 0xFFFF, out, 0);
        done + self.emit_words(second, keep >> 16 & 0xFFFF, out, done)
    }

    #[inline(always)]
    fn join32(self, lower: __m512i, upper: __m512i) -> __m512i {
        // The first half of each lane: 0, 2, 4, ... 62.
        static FIRST: [u8; 64] = {
            let mut from = [0; 64];
            let mut i = 0;
            while i < 32 {
                from[2 * i] = 2 * i as u8;
                i += 1;
            }
            from
        };
        let from = self.load(&FIRST, 0);
        op!(_mm512_permutex2var_epi16(lower, from, upper))
    }
    #[inline(always)]
    fn sixes(self, v: __m512i) -> __m512i {
        // The instruction takes eight bits from anywhere in each 64.
        let from = op!(_mm512_set1_epi64(0x2026_2C32_0006_0C12));
        op!(_mm512_multishift_epi64_epi8(from, v))
    }
    #[inline(always)]
    fn widen32(self, v: __m512i, out: &mut [u8], at: usize) {
        let out = bytes_at_mut(out, at, 256);
        for (i, quarter) in quarters(self, v).into_iter().enumerate() {
            let units = op!(_mm512_cvtepu8_epi32(quarter));
            self.store(units, out, 64 * i);
        }
    }
    #[inline(always)]
    fn emit32(self, planes: Planes<__m512i>, keep: u64, out: &mut [u8], at: usize) -> usize {
        let out = bytes_at_mut(out, at, 256);
        let units = self.compress32(planes, keep);
        let len = keep.count_ones() as usize;
        self.store(units[0], out, 0);
        self.store(units[1], out, 64);
        // Text of characters of three bytes makes 22 units of 64 bytes: half the
        // stores (Chinese: 1.15 times as fast, nothing is slower).
        if len > 32 {
            self.store(units[2], out, 128);
            self.store(units[3], out, 192);
        }
        4 * len
    }
    #[inline(always)]
    fn emit_words(self, v: __m512i, keep: u64, out: &mut [u8], at: usize) -> usize {
        self.store(op!(_mm512_maskz_compress_epi32(keep as __mmask16, v)), out, at);
        4 * keep.count_ones() as usize
    }
    #[inline(always)]
    fn emit_halves(self, v: __m512i, out: &mut [u8], at: usize) -> usize {
        let keep = op!(_mm512_movepi16_mask(self.or(v, self.splat32(0x8000_0000))));
        let units = op!(_mm512_maskz_compress_epi16(keep, v));
        self.store(units, out, at);
        2 * keep.count_ones() as usize
    }
    #[inline(always)]
    fn emit_quads(self, v: __m512i, out: &mut [u8], at: usize) -> usize {
        let keep = op!(_mm512_cmpneq_epi8_mask(v, self.splat(0xFF)));
        self.store(op!(_mm512_maskz_compress_epi8(keep, v)), out, at);
        keep.count_ones() as usize
    }
}

#[inline(always)]
fn quarters(_: Avx512, v: __m512i) -> [__m128i; 4] {
    [
        op!(_mm512_castsi512_si128(v)),
        op!(_mm512_extracti32x4_epi32::<1>(v)),
        op!(_mm512_extracti32x4_epi32::<2>(v)),
        op!(_mm512_extracti32x4_epi32::<3>(v)),
    ]
}

/// Bit `i` of `bits` as bit `2 * i`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn every_other_bit(_: Avx512, bits: u32) -> u64 {
    op!(_pdep_u64(bits.into(), 0x5555_5555_5555_5555))
}

/// Bit `i` of `bits` as bit `2 * i`.
#[cfg(target_arch = "x86")]
#[inline(always)]
fn every_other_bit(_: Avx512, bits: u32) -> u64 {
    let lower = op!(_pdep_u32(bits, 0x5555_5555));
    let upper = op!(_pdep_u32(bits >> 16, 0x5555_5555));
    u64::from(upper) << 32 | u64::from(lower)
}

/// The even bytes of two registers.
static EVERY_OTHER: [u8; 64] = {
    let mut lanes = [0; 64];
    let mut i = 0;
    while i < 64 {
        lanes[i] = 2 * i as u8;
        i += 1;
    }
    lanes
};

/// Marks a lane that is kept as it is: a bit that the last of three replacing bytes does not have.
const LAST: u8 = 0x40;

/// A register of the lanes three times over: where its bytes come from, which of the three
/// replacing bytes each would be, and what shows that they are kept.
struct Third {
    from: [u8; 64],
    place: [u8; 64],
    keep: [u8; 64],
}

static THIRDS: [Third; 3] = {
    let mut thirds = [const { Third { from: [0; 64], place: [0; 64], keep: [0; 64] } }; 3];
    let mut place = 0;
    while place < 192 {
        let third = &mut thirds[place / 64];
        third.from[place % 64] = (place / 3) as u8;
        third.place[place % 64] = (place % 3) as u8;
        third.keep[place % 64] = if place % 3 == 2 { LAST } else { !LAST };
        place += 1;
    }
    thirds
};

/// Interleaves the bytes of the lower, then of the upper halves of two registers: 0, 64, 1, 65, ...
static TURNS: [[u8; 64]; 2] = {
    let mut lanes = [[0; 64]; 2];
    let mut i = 0;
    while i < 128 {
        lanes[i / 64][i % 64] = (i / 2 + 64 * (i % 2)) as u8;
        i += 1;
    }
    lanes
};

/// Interleaves the lanes of 16 bits of the lower, then of the upper halves of two registers: 0, 32, 1, 33, ...
static ZIPPED: [[u8; 64]; 2] = {
    let mut lanes = [[0; 64]; 2];
    let mut i = 0;
    while i < 64 {
        lanes[i / 32][i % 32 * 2] = (i / 2 + 32 * (i % 2)) as u8;
        i += 1;
    }
    lanes
};

/// The lanes below `n`. In one instruction where `n` is known to be 64 at most.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn low_lanes(_: Avx512, n: usize) -> u64 {
    op!(_bzhi_u64(!0, n.min(64) as u32))
}

/// The lanes below `n`.
#[cfg(target_arch = "x86")]
#[inline(always)]
fn low_lanes(_: Avx512, n: usize) -> u64 {
    if n < 64 { (1 << n) - 1 } else { !0 }
}

impl Avx512 {
    /// The bytes of `v` that `from` names.
    #[inline(always)]
    fn lookup64_of(self, v: __m512i, from: &[u8; 64]) -> __m512i {
        op!(_mm512_permutexvar_epi8(self.load(from, 0), v))
    }

    /// The units `high << 8 | low` of the lanes in `keep`, without gaps.
    #[inline(always)]
    fn compress16(self, low: __m512i, high: __m512i, keep: u64) -> (__m512i, __m512i) {
        let low = op!(_mm512_maskz_compress_epi8(keep, low));
        let high = op!(_mm512_maskz_compress_epi8(keep, high));
        self.interleave(low, high)
    }

    /// The units of 32 bits of the lanes in `keep`, without gaps.
    ///
    /// ```text
    /// planes    l0 l1 l2 ...   m0 m1 m2 ...   h0 h1 h2 ...
    /// by 8      l0 m0 l1 m1 ...      h0 00 h1 00 ...
    /// by 16     l0 m0 h0 00 l1 m1 h1 00 ...
    /// ```
    ///
    /// Both steps work within 16 bytes, on their lower or their upper eight:
    /// so the fours of bytes are first dealt out such that unit by unit comes
    /// last in order, four by four registers transposed.
    #[inline(always)]
    fn compress32(self, planes: Planes<__m512i>, keep: u64) -> [__m512i; 4] {
        let deal = op!(_mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
        let low = op!(_mm512_maskz_compress_epi8(keep, planes.low));
        let low = op!(_mm512_permutexvar_epi32(deal, low));
        let middle = op!(_mm512_maskz_compress_epi8(keep, planes.middle));
        let middle = op!(_mm512_permutexvar_epi32(deal, middle));
        let zero = self.splat(0);
        let (mut upper0, mut upper1) = (zero, zero);
        if let Some(high) = planes.high {
            let high = op!(_mm512_maskz_compress_epi8(keep, high));
            let high = op!(_mm512_permutexvar_epi32(deal, high));
            upper0 = op!(_mm512_unpacklo_epi8(high, zero));
            upper1 = op!(_mm512_unpackhi_epi8(high, zero));
        }
        let lower0 = op!(_mm512_unpacklo_epi8(low, middle));
        let lower1 = op!(_mm512_unpackhi_epi8(low, middle));
        [
            op!(_mm512_unpacklo_epi16(lower0, upper0)),
            op!(_mm512_unpackhi_epi16(lower0, upper0)),
            op!(_mm512_unpacklo_epi16(lower1, upper1)),
            op!(_mm512_unpackhi_epi16(lower1, upper1)),
        ]
    }

    /// Fills `out`, at most 64 bytes, with the first bytes of `v`.
    #[inline(always)]
    fn store_front(self, v: __m512i, out: &mut [u8]) {
        let lanes = low_lanes(self, out.len());
        // SAFETY: lane `i` is written only if `i < out.len()`, which is what
        // the mask says; a lane that is masked out is not accessed and raises
        // no error. The token says that the instruction is there.
        unsafe { _mm512_mask_storeu_epi8(out.as_mut_ptr().cast(), lanes, v) }
    }

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
