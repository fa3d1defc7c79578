//! What a kernel may ask of an instruction set.

/// The operations of one instruction set on its vectors of bytes.
///
/// A value of an implementing type is a token: it can be had only where the
/// processor was found to have the instructions, so every operation is safe to
/// call. All of them are `#[inline(always)]`; a kernel that uses them must
/// itself be inlined into a function that enables the instructions, or each
/// becomes a call.
///
/// Lanes are numbered from 0, the byte at the lowest address. In a mask of
/// `u64`, bit `i` is lane `i`; the bits above the lanes are zero.
pub(crate) trait Simd: Copy {
    /// One register of bytes.
    type V: Copy;
    /// A condition for each lane: a mask register, or a vector of 00 and FF.
    type C: Copy;

    /// A condition for each lane of 16 bits.
    type C16: Copy;
    /// A condition for each lane of 32 bits.
    type C32: Copy;

    /// The bytes of a register: 16, 32 or 64.
    const LANES: usize;
    /// Whether [`lookup64`](Simd::lookup64) is one instruction.
    const WIDE_LOOKUP: bool;

    /// Whether the bytes of a register that are to be kept are moved together in
    /// one instruction.
    const COMPRESS: bool;
    /// Whether two registers of units, which are a block of them, become UTF-8 together.
    const BY_TWOS: bool = false;
    /// How many registers of a block are asked at once whether anything in them is
    /// ill-formed. A divisor of those that it has.
    const TOGETHER: usize = 64 / Self::LANES;
    /// Whether conversions from UTF-8 have a way through damaged text: not where
    /// few processors end. The scalar codecs go on from what is ill-formed.
    const MENDS: bool = true;

    /// The first bytes of `bytes`; 0 in the lanes after them.
    #[inline(always)]
    fn load_front(self, bytes: &[u8]) -> Self::V {
        self.load_padded(bytes, 0)
    }
    /// The bytes of `bytes` from `at` on; 0 in the lanes after its end.
    fn load_padded(self, bytes: &[u8], at: usize) -> Self::V;
    /// The lanes of `a` from `BY` on, then those of `b`; where `BY` is negative,
    /// so many of the last ones of `a`, then those of `b`. It is 1, 2, -1, -2 or
    /// -3; elsewhere the result is `b`. A constant, so that without optimisation
    /// what is for the others is not compiled at every load.
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
    /// The first `LANES` bytes of `table`.
    fn table64(self, table: &[u8; 64]) -> Self::V;

    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    /// `!a & b`
    fn and_not(self, a: Self::V, b: Self::V) -> Self::V;
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a - b`, or 0 where `b` is greater.
    fn saturating_sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// Each pair of lanes as a little-endian unit of 16 bits, shifted left:
    /// mask what crosses from one byte into the other.
    fn shl<const N: i32>(self, v: Self::V) -> Self::V;
    /// The same, shifted right, zeros coming in.
    fn shr<const N: i32>(self, v: Self::V) -> Self::V;

    /// `table[index & 15]` for each lane, or 0 if the top bit of the index is
    /// set.
    fn lookup16(self, table: Self::V, index: Self::V) -> Self::V;
    /// `table[index & 63]` for each lane. Only where `WIDE_LOOKUP`; elsewhere
    /// the result is the index.
    fn lookup64(self, table: Self::V, index: Self::V) -> Self::V;

    /// [`lookup16`](Simd::lookup16) by the upper nibble of each lane.
    #[inline(always)]
    fn lookup_upper(self, table: Self::V, v: Self::V) -> Self::V {
        self.lookup16(table, self.and(self.shr::<4>(v), self.splat(0x0F)))
    }
    /// The same by the lower one.
    #[inline(always)]
    fn lookup_lower(self, table: Self::V, v: Self::V) -> Self::V {
        self.lookup16(table, self.and(v, self.splat(0x0F)))
    }

    /// Lanes whose top bit is set.
    fn msb(self, v: Self::V) -> u64;
    /// Whether any lane has its top bit set.
    fn any_msb(self, v: Self::V) -> bool;
    /// `a >= b`, unsigned.
    fn ge(self, a: Self::V, b: Self::V) -> Self::C;
    /// `a < b`, signed.
    fn lt_signed(self, a: Self::V, b: Self::V) -> Self::C;
    /// `v != 0`
    fn nonzero(self, v: Self::V) -> Self::C;
    /// The lanes where the condition holds.
    fn bits(self, c: Self::C) -> u64;
    /// The condition that holds in the lanes of `bits`.
    fn cond(self, bits: u64) -> Self::C;
    /// Whether the condition holds in any lane.
    fn any(self, c: Self::C) -> bool;
    /// Whether any byte is not 0.
    #[inline(always)]
    fn any_nonzero(self, v: Self::V) -> bool {
        self.any(self.nonzero(v))
    }
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
    /// The two bytes of each lane exchanged.
    fn swap16(self, v: Self::V) -> Self::V;
    /// The lanes where `a == b`, a bit a lane.
    fn eq16(self, a: Self::V, b: Self::V) -> u64;
    /// `a` in the lanes of `bits`, `b` elsewhere.
    fn select16(self, bits: u64, a: Self::V, b: Self::V) -> Self::V;
    /// `v <= bound`, unsigned.
    fn le16(self, v: Self::V, bound: u16) -> Self::C16;
    /// FFFF where `v > bound`, signed, and 0 elsewhere. Only where `BY_TWOS`.
    #[inline(always)]
    fn above16(self, v: Self::V, _bound: u16) -> Self::V {
        v
    }
    /// Whether any lane has any of `bits`.
    #[inline(always)]
    fn any_of16(self, v: Self::V, bits: u16) -> bool {
        self.any_nonzero(self.and(v, self.splat16(bits)))
    }
    /// `a == b`
    fn same16(self, a: Self::V, b: Self::V) -> Self::C16;
    /// Whether the two conditions are not the same in some lane.
    fn differ16(self, a: Self::C16, b: Self::C16) -> bool;
    /// `a` where the condition holds, `b` elsewhere.
    fn blend16(self, c: Self::C16, a: Self::V, b: Self::V) -> Self::V;
    /// The lanes where the condition holds, a bit a lane.
    fn bits16(self, c: Self::C16) -> u64;
    /// The condition that holds in the lanes of `bits`.
    fn cond16(self, bits: u64) -> Self::C16;
    /// Whether one of two conditions holds.
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
    /// The same of two registers, one after the other, where the top bits of `classes`
    /// say of each lane, in the first byte, that it is not in `two`, and in the second
    /// one that it is not in `one`; in that they may say anything of what is not in
    /// `two`. The `4 * LANES` bytes from `at` on may all be overwritten. Only where
    /// `BY_TWOS`.
    #[inline(always)]
    fn emit_classes(
        self,
        _upper: [Self::V; 2],
        _lower: [Self::V; 2],
        _classes: [Self::V; 2],
        _: &mut [u8],
        _: usize,
    ) -> usize {
        0
    }
    /// [`emit_pairs`](Simd::emit_pairs) of two registers, one after the other: both
    /// bytes of the lanes of `two` that are FFFF, the second byte of those that are 0.
    /// The `2 * LANES` bytes from `at` on may all be overwritten. Only where `BY_TWOS`.
    #[inline(always)]
    fn emit_two_of_pairs(self, _: [Self::V; 2], _two: [Self::V; 2], _: &mut [u8], _: usize) -> usize {
        0
    }
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
    /// `a + b`, or FF where that is more.
    fn saturating_add(self, a: Self::V, b: Self::V) -> Self::V;
    /// The lanes of 16 bits of both as bytes, FF for what is more, and anything for
    /// what is negative; in any order, but where a register has 32 bytes those of both
    /// take turns by eight.
    fn pack16(self, a: Self::V, b: Self::V) -> Self::V;
    /// How many bytes of UTF-8 fewer than three each lane of 16 bits of both
    /// becomes: 2 below 80, 1 below 800. In any order.
    #[inline(always)]
    fn below_three(self, a: Self::V, b: Self::V) -> Self::V {
        let table = self.table16(&[2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
        let index = self.saturating_add(self.pack16(self.shr::<7>(a), self.shr::<7>(b)), self.splat(0x70));
        self.lookup16(table, index)
    }
    /// The sum of all bytes.
    fn sum(self, v: Self::V) -> usize;
    /// The lesser one of each two bytes. Only where `BY_TWOS` or `BY_BLOCKS`.
    #[inline(always)]
    fn lesser(self, a: Self::V, _: Self::V) -> Self::V {
        a
    }
    /// The lesser one of each two lanes of 16 bits, signed.
    fn min16(self, a: Self::V, b: Self::V) -> Self::V;
    /// The lower bytes of the lanes of 16 bits of both, in order. The upper
    /// bytes are 0, or the result is anything.
    fn narrow16(self, v: [Self::V; 2]) -> Self::V;
    /// The lowest bytes of the lanes of 32 bits of all, in order. The others
    /// are 0, or the result is anything.
    fn narrow32(self, v: [Self::V; 4]) -> Self::V;
    /// What [`msb`](Simd::msb) returns, where numbers are made of it and not
    /// conditions.
    fn signs(self, v: Self::V) -> u64;
    /// Writes each byte of `v`, and before it, if it is in `led`, C2, to `out`
    /// from `at` on, without gaps, and returns how many. Where `high` holds it
    /// is C3, and the byte less 40. The `2 * LANES` bytes from `at` on may all
    /// be overwritten.
    fn emit_led(self, v: Self::V, led: u64, high: Self::C, out: &mut [u8], at: usize) -> usize;
    /// Writes the lanes in `keep`, without gaps, to `out` from `at` on, and
    /// returns how many. The `LANES` bytes from `at` on may all be overwritten.
    fn emit8(self, v: Self::V, keep: u64, out: &mut [u8], at: usize) -> usize;
    /// Writes the lanes in `keep` without gaps to `out` from `at` on, the bytes
    /// EF BF BD (U+FFFD) in place of each that is in `error` as well, and
    /// returns how many bytes. The `3 * LANES + 4` bytes from `at` on may all
    /// be overwritten.
    fn emit_mended(self, v: Self::V, keep: u64, error: u64, out: &mut [u8], at: usize) -> usize;

    // To and from UTF-32. Lanes of 32 bits, little-endian, where nothing else
    // is said.

    /// The four bytes of each lane in reverse.
    fn swap32(self, v: Self::V) -> Self::V;
    /// The lanes where the condition holds, a bit a lane.
    fn bits32(self, c: Self::C32) -> u64;
    /// The lower 16 bits of each lane: those of `lower`, then those of `upper`.
    /// The upper bits are 0.
    fn join32(self, lower: Self::V, upper: Self::V) -> Self::V;
    /// Whether `a == b` in any lane of 16 bits.
    fn any_eq16(self, a: Self::V, b: Self::V) -> bool;
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
    /// gaps, to `out` from `at` on, and returns the bytes that they take. The 32 bytes
    /// from `at` on may all be overwritten. Only where `LANES` is 16.
    #[inline(always)]
    fn emit_joined(self, _lower: Self::V, _upper: Self::V, _keep: u64, _out: &mut [u8], _at: usize) -> usize {
        0
    }
    /// Writes the two units of 16 bits of each lane, without the first where
    /// its top bit is clear, to `out` from `at` on, and returns the bytes
    /// that they take. The `LANES` bytes from `at` on may all be overwritten.
    fn emit_halves(self, v: Self::V, out: &mut [u8], at: usize) -> usize;
    /// Writes of each lane those bytes that are not FF to `out` from `at` on,
    /// without gaps, and returns how many. Only the first one, two or three
    /// bytes of a lane may be FF. The `LANES` bytes from `at` on may all be
    /// overwritten.
    fn emit_quads(self, v: Self::V, out: &mut [u8], at: usize) -> usize;

    // Four registers of 16 bytes at once, where masks of bits are dear. A lane
    // of `drop`, which are those not to be kept, of `one` or `two` is FF or 00.
    // Only where `BY_BLOCKS`; elsewhere nothing calls them.

    /// Whether what is written of a block is better written at once: the masks of
    /// four registers cost little more than that of one.
    const BY_BLOCKS: bool = false;
    /// The bytes that these may overwrite after twice the block's.
    const SPILL: usize = 0;

    /// Each byte of `upper` shifted left by `N`, with the lower `N` bits of
    /// `lower`.
    #[inline(always)]
    fn insert<const N: i32>(self, lower: Self::V, _upper: Self::V) -> Self::V {
        lower
    }
    /// Each byte shifted right, zeros coming in.
    #[inline(always)]
    fn shr8<const N: i32>(self, v: Self::V) -> Self::V {
        v
    }
    /// The lower bytes of the lanes of 16 bits of both, then the upper ones.
    #[inline(always)]
    fn planes16(self, a: Self::V, b: Self::V) -> [Self::V; 2] {
        [a, b]
    }
    /// The greatest lane of 16 bits.
    #[inline(always)]
    fn greatest16(self, _: Self::V) -> u16 {
        0
    }
    /// The greatest lane of 32 bits.
    #[inline(always)]
    fn greatest32(self, _: Self::V) -> u32 {
        0
    }
    /// The least byte of both.
    #[inline(always)]
    fn least(self, _: Self::V, _: Self::V) -> u8 {
        0
    }
    /// [`emit16`](Simd::emit16) of a block, to the front of `out`, which has the
    /// `SPILL` bytes too.
    #[inline(always)]
    fn emit16_block(self, _low: [Self::V; 4], _high: [Self::V; 4], _drop: [Self::V; 4], _out: &mut [u8]) -> usize {
        0
    }
    /// [`emit32`](Simd::emit32) of a block, to the front of `out`, which has twice
    /// the `SPILL` bytes too. All have a high plane, or none has.
    #[inline(always)]
    fn emit32_block(self, _planes: [Planes<Self::V>; 4], _drop: [Self::V; 4], _out: &mut [u8]) -> usize {
        0
    }
    /// [`emit8`](Simd::emit8) of a block, to the front of `out`, which has the
    /// `SPILL` bytes too.
    #[inline(always)]
    fn emit8_block(self, _v: [Self::V; 4], _drop: [Self::V; 4], _out: &mut [u8]) -> usize {
        0
    }
    /// Writes of each lane `first`, unless it is in `one`, and `second`, to the front
    /// of `out`, without gaps, and returns how many. 128 bytes may be overwritten.
    #[inline(always)]
    fn emit_pairs_block(self, _first: [Self::V; 2], _second: [Self::V; 2], _one: [Self::V; 2], _: &mut [u8]) -> usize {
        0
    }
    /// Writes of each lane `first`, unless it is in `two`, `second`, unless it is in
    /// `one`, and `third`, to the front of `out`, without gaps, and returns how
    /// many. What is in `one` is also in `two`. 128 bytes may be overwritten.
    #[inline(always)]
    fn emit_triples_block(
        self,
        _planes: [[Self::V; 2]; 3],
        _two: [Self::V; 2],
        _one: [Self::V; 2],
        _: &mut [u8],
    ) -> usize {
        0
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
