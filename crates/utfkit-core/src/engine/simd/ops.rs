//! The operations that kernels are written in.

/// The operations of one instruction set on its vectors of bytes.
///
/// A value of an implementing type is a token: it exists only where detection found the
/// instructions, so every operation is safe to call. All of them are `#[inline(always)]`; a
/// kernel must itself be inlined into a function that enables the instructions, or each
/// operation becomes a call.
///
/// Lanes are numbered from 0, the byte at the lowest address. In a mask of
/// `u64`, bit `i` is lane `i`; the bits above the lanes are zero.
pub(crate) trait Simd: Copy + Sized {
    /// One register of bytes.
    type V: Copy;
    /// A condition for each lane: a mask register, or a vector of 00 and FF.
    type C: Copy;

    /// A condition for each lane of 16 bits.
    type C16: Copy;
    /// A condition for each lane of 32 bits.
    type C32: Copy;

    /// How whole blocks are asked and written.
    type Blocks: Blocks<Self>;

    /// The bytes of a register: 16, 32 or 64.
    const LANES: usize;
    /// True if [`lookup64`](Simd::lookup64) is one instruction.
    const WIDE_LOOKUP: bool;

    /// True if one instruction closes the gaps between the lanes to keep.
    const COMPRESS: bool;
    /// The number of registers that are validated between two branches. Divides the number of
    /// registers of a block.
    const TOGETHER: usize = 64 / Self::LANES;
    /// True if kernels convert ill-formed text. Otherwise they stop there, for the scalar codecs.
    const MENDS: bool = true;

    /// The bytes of `bytes` from `at` on; 0 in the lanes after its end.
    fn load_padded(self, bytes: &[u8], at: usize) -> Self::V;
    /// The lanes of `a` from `BY` on, followed by lanes of `b`. With a negative `BY`, the last `-BY` lanes
    /// of `a`, followed by lanes of `b`. `BY` is 1, 2, -1, -2 or -3; for any other the result is `b`.
    fn across<const BY: isize>(self, a: Self::V, b: Self::V) -> Self::V;
    /// The `LANES` bytes of `bytes` from `at` on.
    fn load(self, bytes: &[u8], at: usize) -> Self::V;
    /// Copies `from` to `to`, which are of the same length, at most 256 bytes, without a call.
    fn copy(self, from: &[u8], to: &mut [u8]);
    /// Writes `v` to the `LANES` bytes of `bytes` from `at` on.
    fn store(self, v: Self::V, bytes: &mut [u8], at: usize);
    /// `byte` in every lane.
    fn splat(self, byte: u8) -> Self::V;
    /// `table` in every 16 lanes.
    fn table16(self, table: &[u8; 16]) -> Self::V;
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a - b`, or 0 where `b` is greater.
    fn saturating_sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// Each pair of lanes as a little-endian unit of 16 bits, shifted left:
    /// mask what crosses from one byte into the other.
    fn shl<const N: i32>(self, v: Self::V) -> Self::V;
    /// Each pair of lanes as a little-endian unit of 16 bits, shifted right.
    fn shr<const N: i32>(self, v: Self::V) -> Self::V;

    /// `table[index & 15]` for each lane, or 0 if the top bit of the index is
    /// set.
    fn lookup16(self, table: Self::V, index: Self::V) -> Self::V;
    /// `table[index & 63]` for each lane.
    fn lookup64(self, table: &[u8; 64], index: Self::V) -> Self::V;

    /// [`lookup16`](Simd::lookup16) by the upper nibble of each lane.
    fn lookup_upper(self, table: Self::V, v: Self::V) -> Self::V;

    /// Lanes whose top bit is set.
    fn msb(self, v: Self::V) -> u64;
    /// True if any lane has its top bit set.
    fn any_msb(self, v: Self::V) -> bool;
    /// `a >= b`, unsigned.
    fn ge(self, a: Self::V, b: Self::V) -> Self::C;
    /// `a < b`, signed.
    fn lt_signed(self, a: Self::V, b: Self::V) -> Self::C;
    /// The lanes where the condition holds.
    fn bits(self, c: Self::C) -> u64;
    /// The condition that holds in the lanes of `bits`.
    fn cond(self, bits: u64) -> Self::C;
    /// True if the condition holds in any lane.
    fn any(self, c: Self::C) -> bool;
    /// True if any lane is not 0.
    fn any_nonzero(self, v: Self::V) -> bool;
    /// `v` where the condition holds, 0 elsewhere.
    fn keep(self, c: Self::C, v: Self::V) -> Self::V;
    /// `a` where the condition holds, `b` elsewhere.
    fn select(self, c: Self::C, a: Self::V, b: Self::V) -> Self::V;

    /// Writes each byte as a unit of 16 bits to the `2 * LANES` bytes of `out`
    /// from `at` on.
    fn widen(self, v: Self::V, out: &mut [u8], at: usize);
    /// Writes the units `high << 8 | low` of the lanes in `keep`, without
    /// gaps, to `out` from `at` on, and returns the bytes that they take.
    /// The `2 * LANES` bytes from `at` on may all be overwritten.
    fn emit16(self, low: Self::V, high: Self::V, keep: u64, out: &mut [u8], at: usize) -> usize;

    // Lanes of 16 bits, little-endian.

    /// `unit` in every lane.
    fn splat16(self, unit: u16) -> Self::V;
    fn add16(self, a: Self::V, b: Self::V) -> Self::V;
    /// `v <= bound`, unsigned.
    fn le16(self, v: Self::V, bound: u16) -> Self::C16;
    /// True if any lane has any of `bits`.
    fn any_of16(self, v: Self::V, bits: u16) -> bool;
    /// `a == b`
    fn same16(self, a: Self::V, b: Self::V) -> Self::C16;
    /// True if the conditions differ in some lane.
    fn differ16(self, a: Self::C16, b: Self::C16) -> bool;
    /// `a` where the condition holds, `b` elsewhere.
    fn blend16(self, c: Self::C16, a: Self::V, b: Self::V) -> Self::V;
    /// The lanes where the condition holds, a bit a lane.
    fn bits16(self, c: Self::C16) -> u64;
    /// The condition that holds in the lanes of `bits`.
    fn cond16(self, bits: u64) -> Self::C16;
    /// The lanes where one of two conditions holds.
    fn or16(self, a: Self::C16, b: Self::C16) -> Self::C16;
    /// Of each lane, below 800: bits 6-10 in the first byte, bits 0-5 in the
    /// second.
    fn split16(self, v: Self::V) -> Self::V;
    /// Of each lane: bits 12-15 in the first byte, bits 6-11 in the second. The
    /// upper two bits of the first byte may be anything.
    fn split_upper16(self, v: Self::V) -> Self::V;
    /// Writes the lower byte of each lane to the `LANES / 2` bytes of `out`
    /// from `at` on. The upper bytes are 0.
    fn narrow(self, v: Self::V, out: &mut [u8], at: usize);
    /// Writes the bytes of `v`, of the lanes of `one` only the second, to `out`
    /// from `at` on, and returns how many. The `LANES` bytes from `at` on may
    /// all be overwritten.
    fn emit_pairs(self, v: Self::V, one: Self::C16, out: &mut [u8], at: usize) -> usize;
    /// Writes the two bytes of each lane of `upper` and the second one of
    /// `lower`; of the lanes of `two` without the first byte; of the lanes of
    /// `one`, which are also in `two`, only the first byte of `lower`. To `out`
    /// from `at` on; returns how many they are. The `2 * LANES` bytes from `at`
    /// on may all be overwritten.
    fn emit_triples(
        self,
        upper: Self::V,
        lower: Self::V,
        one: Self::C16,
        two: Self::C16,
        out: &mut [u8],
        at: usize,
    ) -> usize;

    // Lanes of 32 bits, little-endian.

    /// `word` in every lane.
    fn splat32(self, word: u32) -> Self::V;
    /// The lower (`UPPER`: upper) half of the lanes of 16 bits, each as one of
    /// 32 bits.
    fn spread<const UPPER: bool>(self, v: Self::V) -> Self::V;
    fn shl32<const N: i32>(self, v: Self::V) -> Self::V;
    fn shr32<const N: i32>(self, v: Self::V) -> Self::V;
    fn add32(self, a: Self::V, b: Self::V) -> Self::V;
    /// `v > bound`, signed.
    fn gt32(self, v: Self::V, bound: u32) -> Self::C32;
    /// The condition that holds in the lanes of `bits`.
    fn cond32(self, bits: u64) -> Self::C32;
    /// `a` where the condition holds, `b` elsewhere.
    fn select32(self, c: Self::C32, a: Self::V, b: Self::V) -> Self::V;

    // Counts, UTF-16 as it is, and Latin-1.

    /// `count + 1` where the condition holds.
    fn count(self, count: Self::V, c: Self::C) -> Self::V;
    /// Each lane of 16 bits of `count` plus 1 where `v` has none of `bits`.
    fn count_clear16(self, count: Self::V, v: Self::V, bits: u16) -> Self::V;
    /// Each lane of 32 bits of `count` plus 1 where `v` has none of `bits`.
    fn count_clear32(self, count: Self::V, v: Self::V, bits: u32) -> Self::V;
    /// The lanes of 16 bits of both as bytes, saturated to FF, and anything for a negative lane. In
    /// any order, except that a register of 32 bytes has eight of `a` and eight of `b` in turns.
    fn pack16(self, a: Self::V, b: Self::V) -> Self::V;
    /// `table[lane >> 7]`, or 0 where that is beyond the table, for the lanes of 16 bits
    /// of both as bytes. In any order. Entries 0 and 15 may be different from the others, which are the same.
    fn lookup_above7(self, table: &[u8; 16], a: Self::V, b: Self::V) -> Self::V;
    /// The sum of all bytes.
    fn sum(self, v: Self::V) -> usize;
    /// The lesser one of each two lanes of 16 bits, signed.
    fn min16(self, a: Self::V, b: Self::V) -> Self::V;
    /// The lower bytes of the lanes of 16 bits of both, in order. The upper
    /// bytes are 0, or the result is anything.
    fn narrow16(self, v: [Self::V; 2]) -> Self::V;
    /// The lowest bytes of the lanes of 32 bits of all, in order. The others
    /// are 0, or the result is anything.
    fn narrow32(self, v: [Self::V; 4]) -> Self::V;
    /// Writes of each lane `first`, if it is in `keep`, and `second`, without gaps, to `out`
    /// from `at` on, and returns how many bytes. The `2 * LANES` bytes from `at` on may
    /// all be overwritten.
    fn emit_zipped(self, first: Self::V, second: Self::V, keep: u64, out: &mut [u8], at: usize) -> usize;
    /// Writes the lanes in `keep`, without gaps, to `out` from `at` on, and
    /// returns how many. The `LANES` bytes from `at` on may all be overwritten.
    fn emit8(self, v: Self::V, keep: u64, out: &mut [u8], at: usize) -> usize;
    /// Writes the lanes in `keep` without gaps to `out` from `at` on, the first three bytes
    /// of `by` in place of each that is in `replace` as well, and returns how many bytes. The
    /// `3 * LANES + 4` bytes from `at` on may all be overwritten. Bit 6 of the third byte is 0.
    fn emit_replaced(self, v: Self::V, keep: u64, replace: u64, by: [u8; 4], out: &mut [u8], at: usize) -> usize;

    // To and from UTF-32. Lanes of 32 bits, little-endian, where nothing else
    // is said.

    /// The lanes where the condition holds, a bit a lane.
    fn bits32(self, c: Self::C32) -> u64;
    /// The lower 16 bits of each lane, first of `lower`, then of `upper`.
    /// The upper bits are 0.
    fn join32(self, lower: Self::V, upper: Self::V) -> Self::V;
    /// The bits of each lane from 18, 12, 6 and 0 on, in the lower six of its
    /// first, second, third and fourth byte. The upper two may be anything,
    /// but in the fourth byte they are the next ones. All bits from 21 on are
    /// 0.
    fn sixes(self, v: Self::V) -> Self::V;
    /// Writes each byte as a unit of 32 bits to the `4 * LANES` bytes of `out`
    /// from `at` on.
    fn widen32(self, v: Self::V, out: &mut [u8], at: usize);
    /// Writes the units `high << 16 | middle << 8 | low` (each a plane of
    /// bytes; no high plane is one of zeros) of the lanes in `keep`, without
    /// gaps, to `out` from `at` on, and returns the bytes that they take.
    /// The `4 * LANES` bytes from `at` on may all be overwritten.
    fn emit32(self, planes: Planes<Self::V>, keep: u64, out: &mut [u8], at: usize) -> usize;
    /// Writes the lanes in `keep` without gaps to `out` from `at` on, and
    /// returns the bytes that they take. The `LANES` bytes from `at` on
    /// may all be overwritten.
    fn emit_words(self, v: Self::V, keep: u64, out: &mut [u8], at: usize) -> usize;
    /// Writes the units `upper << 16 | lower` of the lanes of 16 bits in `keep`, without
    /// gaps, to `out` from `at` on, and returns the bytes that they take. The `2 * LANES`
    /// bytes from `at` on may all be overwritten.
    fn emit_joined(self, lower: Self::V, upper: Self::V, keep: u64, out: &mut [u8], at: usize) -> usize;
    /// Writes the two units of 16 bits of each lane, without the first where
    /// its top bit is clear, to `out` from `at` on, and returns the bytes
    /// that they take. The `LANES` bytes from `at` on may all be overwritten.
    fn emit_halves(self, v: Self::V, out: &mut [u8], at: usize) -> usize;
    /// Writes of each lane those bytes that are not FF to `out` from `at` on,
    /// without gaps, and returns how many. Only the first one, two or three
    /// bytes of a lane may be FF. The `LANES` bytes from `at` on may all be
    /// overwritten.
    fn emit_quads(self, v: Self::V, out: &mut [u8], at: usize) -> usize;
}

/// How whole blocks of registers are asked and written: by the operations of [`Simd`] for each register, or by
/// something that several registers share.
///
/// A lane of `drop`, which names the lanes that are left out, of `one` or `two` is FF or 00.
pub(crate) trait Blocks<S: Simd> {
    /// True if what a block becomes is written at once, because the masks of four registers cost little more than
    /// that of one.
    const AT_ONCE: bool;
    /// True if registers of 16-bit units are written by twos.
    const BY_TWOS: bool;
    /// The bytes that may be overwritten after twice the bytes of a block.
    const SPILL: usize;

    /// Each byte of `upper` shifted left by `N`, with the lower `N` bits of `lower`.
    fn insert<const N: i32>(s: S, lower: S::V, upper: S::V) -> S::V;
    /// Each byte shifted right, zeros coming in.
    fn shr8<const N: i32>(s: S, v: S::V) -> S::V;
    /// The lower bytes of the lanes of 16 bits of both, then the upper ones.
    fn planes16(s: S, a: S::V, b: S::V) -> [S::V; 2];
    /// The greatest lane of 16 bits.
    fn greatest16(s: S, v: S::V) -> u16;
    /// The greatest lane of 32 bits.
    fn greatest32(s: S, v: S::V) -> u32;
    /// The lesser one of each two bytes.
    fn lesser(s: S, a: S::V, b: S::V) -> S::V;
    /// The least byte of both.
    fn least(s: S, a: S::V, b: S::V) -> u8;
    /// FFFF where a lane of 16 bits is above `bound`, signed, and 0 elsewhere.
    fn above16(s: S, v: S::V, bound: u16) -> S::V;

    /// [`Simd::emit8`] of a block, to the front of `out`, which has the spill too.
    fn emit8(s: S, v: [S::V; 4], drop: [S::V; 4], out: &mut [u8]) -> usize;
    /// [`Simd::emit16`] of a block, to the front of `out`, which has the spill too.
    fn emit16(s: S, low: [S::V; 4], high: [S::V; 4], drop: [S::V; 4], out: &mut [u8]) -> usize;
    /// [`Simd::emit32`] of a block, to the front of `out`, which has twice the spill too. All
    /// have a high plane, or none has.
    fn emit32(s: S, planes: [Planes<S::V>; 4], drop: [S::V; 4], out: &mut [u8]) -> usize;
    /// Writes of each lane `first`, unless it is in `one`, and `second`, to the front
    /// of `out`, without gaps, and returns how many bytes. 128 bytes may be overwritten.
    fn emit_pairs(s: S, first: [S::V; 2], second: [S::V; 2], one: [S::V; 2], out: &mut [u8]) -> usize;
    /// Writes of each lane `first`, unless it is in `two`, `second`, unless it is in
    /// `one`, and `third`, to the front of `out`, without gaps, and returns how
    /// many bytes. The lanes in `one` are also in `two`. 128 bytes may be overwritten.
    fn emit_triples(s: S, planes: [[S::V; 2]; 3], two: [S::V; 2], one: [S::V; 2], out: &mut [u8]) -> usize;
    /// [`Simd::emit_pairs`] of two registers, one after the other: both bytes of the lanes of `two` that are
    /// FFFF, the second byte of all others. The `2 * LANES` bytes from `at` on may all be overwritten.
    fn emit_two_of_pairs(s: S, v: [S::V; 2], two: [S::V; 2], out: &mut [u8], at: usize) -> usize;
    /// [`Simd::emit_triples`] of two registers, one after the other. The top bits of `classes` say of each lane, in
    /// the first byte, that it is not in `two`, and in the second one that it is not in `one`; in
    /// they may say anything of lanes that are not in `two`. The `4 * LANES` bytes from `at` on may all be
    /// overwritten.
    fn emit_classes(s: S, upper: [S::V; 2], lower: [S::V; 2], classes: [S::V; 2], out: &mut [u8], at: usize) -> usize;
}

/// [`Blocks`] by the operations for single registers: what a set that has nothing better uses.
pub(crate) struct ByRegister;

/// The lanes of a register as bytes.
#[inline(always)]
fn lanes<S: Simd>(s: S, v: S::V) -> [u8; 64] {
    let mut bytes = [0; 64];
    s.store(v, &mut bytes, 0);
    bytes
}

impl<S: Simd> Blocks<S> for ByRegister {
    const AT_ONCE: bool = false;
    const BY_TWOS: bool = false;
    const SPILL: usize = 0;

    #[inline(always)]
    fn insert<const N: i32>(s: S, lower: S::V, upper: S::V) -> S::V {
        let mask = s.splat(0xFF << N);
        s.or(s.and(s.shl::<N>(upper), mask), s.and(lower, s.xor(mask, s.splat(0xFF))))
    }
    #[inline(always)]
    fn shr8<const N: i32>(s: S, v: S::V) -> S::V {
        s.and(s.shr::<N>(v), s.splat(0xFF >> N))
    }
    #[inline(always)]
    fn planes16(s: S, a: S::V, b: S::V) -> [S::V; 2] {
        let lower = s.splat16(0x00FF);
        [s.narrow16([s.and(a, lower), s.and(b, lower)]), s.narrow16([s.shr::<8>(a), s.shr::<8>(b)])]
    }
    #[inline(always)]
    fn greatest16(s: S, v: S::V) -> u16 {
        let units = lanes(s, v);
        units.as_chunks().0[..S::LANES / 2].iter().fold(0, |most, unit| most.max(u16::from_le_bytes(*unit)))
    }
    #[inline(always)]
    fn greatest32(s: S, v: S::V) -> u32 {
        let units = lanes(s, v);
        units.as_chunks().0[..S::LANES / 4].iter().fold(0, |most, unit| most.max(u32::from_le_bytes(*unit)))
    }
    #[inline(always)]
    fn lesser(s: S, a: S::V, b: S::V) -> S::V {
        s.select(s.ge(a, b), b, a)
    }
    #[inline(always)]
    fn least(s: S, a: S::V, b: S::V) -> u8 {
        lanes(s, Self::lesser(s, a, b))[..S::LANES].iter().fold(0xFF, |least, byte| least.min(*byte))
    }
    #[inline(always)]
    fn above16(s: S, v: S::V, bound: u16) -> S::V {
        let sign = s.splat16(0x8000);
        s.blend16(s.le16(s.xor(v, sign), bound ^ 0x8000), s.splat(0), s.splat(0xFF))
    }

    #[inline(always)]
    fn emit8(s: S, v: [S::V; 4], drop: [S::V; 4], out: &mut [u8]) -> usize {
        let mut written = 0;
        for (v, drop) in v.into_iter().zip(drop) {
            written += s.emit8(v, s.bits(s.ge(s.splat(0), drop)), out, written);
        }
        written
    }
    #[inline(always)]
    fn emit16(s: S, low: [S::V; 4], high: [S::V; 4], drop: [S::V; 4], out: &mut [u8]) -> usize {
        let mut written = 0;
        for i in 0..4 {
            written += s.emit16(low[i], high[i], s.bits(s.ge(s.splat(0), drop[i])), out, written);
        }
        written
    }
    #[inline(always)]
    fn emit32(s: S, planes: [Planes<S::V>; 4], drop: [S::V; 4], out: &mut [u8]) -> usize {
        let mut written = 0;
        for (planes, drop) in planes.into_iter().zip(drop) {
            written += s.emit32(planes, s.bits(s.ge(s.splat(0), drop)), out, written);
        }
        written
    }
    #[inline(always)]
    fn emit_pairs(s: S, first: [S::V; 2], second: [S::V; 2], one: [S::V; 2], out: &mut [u8]) -> usize {
        let mut written = 0;
        for i in 0..2 {
            written += s.emit_zipped(first[i], second[i], s.bits(s.ge(s.splat(0), one[i])), out, written);
        }
        written
    }
    #[inline(always)]
    fn emit_triples(s: S, planes: [[S::V; 2]; 3], two: [S::V; 2], one: [S::V; 2], out: &mut [u8]) -> usize {
        let mut written = 0;
        for i in 0..2 {
            let [first, second, third] = planes.map(|plane| lanes(s, plane[i]));
            let (two, one) = (lanes(s, two[i]), lanes(s, one[i]));
            for lane in 0..S::LANES {
                for (byte, dropped) in [(first[lane], two[lane]), (second[lane], one[lane]), (third[lane], 0)] {
                    out[written] = byte;
                    written += usize::from(dropped == 0);
                }
            }
        }
        written
    }
    #[inline(always)]
    fn emit_two_of_pairs(s: S, v: [S::V; 2], two: [S::V; 2], out: &mut [u8], at: usize) -> usize {
        let one = |two| s.same16(two, s.splat(0));
        let first = s.emit_pairs(v[0], one(two[0]), out, at);
        first + s.emit_pairs(v[1], one(two[1]), out, at + first)
    }
    #[inline(always)]
    fn emit_classes(s: S, upper: [S::V; 2], lower: [S::V; 2], classes: [S::V; 2], out: &mut [u8], at: usize) -> usize {
        let mut written = 0;
        for i in 0..2 {
            let has_none = |bits| s.same16(s.and(classes[i], s.splat16(bits)), s.splat(0));
            written += s.emit_triples(upper[i], lower[i], has_none(0x8080), has_none(0x0080), out, at + written);
        }
        written
    }
}

/// The bytes of units of 32 bits, one of each unit in a register.
#[derive(Clone, Copy)]
pub(crate) struct Planes<V> {
    pub(crate) low: V,
    pub(crate) middle: V,
    /// Zeros, if it is not there. The highest plane always is.
    pub(crate) high: Option<V>,
}
