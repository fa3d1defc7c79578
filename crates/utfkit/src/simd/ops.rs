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

    /// A condition for each lane of 32 bits.
    type C32: Copy;

    /// The bytes of a register: 16, 32 or 64.
    const LANES: usize;
    /// Whether [`lookup64`](Simd::lookup64) is one instruction.
    const WIDE_LOOKUP: bool;

    /// Whether there are loads and stores of some of the lanes only.
    const MASKS: bool;

    /// The first bytes of `bytes`; 0 in the lanes behind them. Only where
    /// `MASKS`; elsewhere it is slow.
    fn load_front(self, bytes: &[u8]) -> Self::V;
    /// Each lane's byte `by` lanes further up (down, if negative), zeros coming
    /// in; by four at the most. Only where `MASKS`; elsewhere it is slow.
    fn slide(self, v: Self::V, by: isize) -> Self::V;
    /// The `LANES` bytes of `bytes` from `at` on.
    fn load(self, bytes: &[u8], at: usize) -> Self::V;
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

    /// `table[index]` for each lane; an index is below 16.
    fn lookup16(self, table: Self::V, index: Self::V) -> Self::V;
    /// `table[index & 63]` for each lane. Only where `WIDE_LOOKUP`; elsewhere
    /// the answer is the index.
    fn lookup64(self, table: Self::V, index: Self::V) -> Self::V;

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
    /// `v` where the condition holds, 0 elsewhere.
    fn keep(self, c: Self::C, v: Self::V) -> Self::V;
    /// `a` where the condition holds, `b` elsewhere.
    fn select(self, c: Self::C, a: Self::V, b: Self::V) -> Self::V;

    /// Writes each byte as a unit of 16 bits to the `2 * LANES` bytes of `out`
    /// from `at` on.
    fn widen<const BIG: bool>(self, v: Self::V, out: &mut [u8], at: usize);
    /// Writes the units `high << 8 | low` of the lanes in `keep`, without
    /// gaps, to `out` from `at` on, and answers with the bytes that they take.
    /// The `2 * LANES` bytes from `at` on may all be overwritten.
    fn emit16<const BIG: bool>(self, low: Self::V, high: Self::V, keep: u64, out: &mut [u8], at: usize) -> usize;
    /// The same where there may be less room: writes only what is meant, and
    /// answers `None` if that does not fit.
    fn emit16_within<const BIG: bool>(
        self,
        low: Self::V,
        high: Self::V,
        keep: u64,
        out: &mut [u8],
        at: usize,
    ) -> Option<usize>;

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
    /// `a` in the lanes where `v > bound`, unsigned, `b` elsewhere.
    fn select_gt16(self, v: Self::V, bound: u16, a: Self::V, b: Self::V) -> Self::V;
    /// Of each lane, below 800: bits 6 and up in the first byte, the lower byte
    /// in the second.
    fn split16(self, v: Self::V) -> Self::V;
    /// Of each lane: bits 12-15 in the lower half of the first byte, bits 6-11
    /// in the lower six of the second. The others are anything.
    fn split_upper16(self, v: Self::V) -> Self::V;
    /// The lanes `low | high << 16` of 32 bits, in two registers.
    fn zip16(self, low: Self::V, high: Self::V) -> (Self::V, Self::V);
    /// Writes the lower byte of each lane to the `LANES / 2` bytes of `out`
    /// from `at` on. The upper bytes are 0.
    fn narrow(self, v: Self::V, out: &mut [u8], at: usize);
    /// The lower byte of each lane of `a`, then of `b`. The upper bytes are 0.
    fn narrow_both(self, a: Self::V, b: Self::V) -> Self::V;
    /// Writes the bytes of `v`, without the first of each lane where its top
    /// bit is clear, to `out` from `at` on, and answers how many. The `LANES`
    /// bytes from `at` on may all be overwritten.
    fn emit_pairs(self, v: Self::V, out: &mut [u8], at: usize) -> usize;

    // Lanes of 32 bits, little-endian.

    /// `word` in every lane.
    fn splat32(self, word: u32) -> Self::V;
    /// The lower (`UPPER`: upper) half of the lanes of 16 bits, each as one of
    /// 32 bits.
    fn spread<const UPPER: bool>(self, v: Self::V) -> Self::V;
    /// Of each lane, below 10000: bits 12-15 in the lower half of the first
    /// byte, bits 6-11 in the lower six bits of the second, bits 0-6 in the
    /// lower seven of the third. The others are anything.
    fn split32(self, v: Self::V) -> Self::V;
    /// `v > bound`, signed.
    fn gt32(self, v: Self::V, bound: u32) -> Self::C32;
    /// The condition that holds in the lanes of `bits`.
    fn cond32(self, bits: u64) -> Self::C32;
    /// `a` where the condition holds, `b` elsewhere.
    fn select32(self, c: Self::C32, a: Self::V, b: Self::V) -> Self::V;
    /// Writes of each lane those of the first three bytes that are not FF to
    /// `out` from `at` on, without gaps, and answers how many. The `LANES`
    /// bytes from `at` on may all be overwritten.
    ///
    /// The fourth byte says the same again: 80 if the first byte is FF, and 40
    /// if the second or the third is. No other combination than these four may
    /// occur: none, the first, the first and second, the third.
    fn emit_triples(self, v: Self::V, out: &mut [u8], at: usize) -> usize;
}

/// What [`Simd::load_front`] answers.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) fn front_lanes<const N: usize>(bytes: &[u8]) -> [u8; N] {
    core::array::from_fn(|lane| bytes.get(lane).copied().unwrap_or(0))
}

/// What [`Simd::slide`] answers.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) fn slid_lanes<const N: usize>(lanes: [u8; N], by: isize) -> [u8; N] {
    core::array::from_fn(|lane| lane.checked_add_signed(-by).and_then(|from| lanes.get(from)).copied().unwrap_or(0))
}

/// For each set of eight lanes, the lanes of 16 bits in it, first to last, as
/// indices for a byte shuffle; FF (which a shuffle reads as "zero") behind
/// them.
///
/// ```text
/// row 0b0000_0101: 00 01 04 05 FF FF ...      lanes 0 and 2
/// ```
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) static COMPRESS16: [[u8; 16]; 256] = {
    let mut rows = [[0xFF; 16]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < 8 {
            if set >> lane & 1 == 1 {
                rows[set][at] = 2 * lane as u8;
                rows[set][at + 1] = 2 * lane as u8 + 1;
                at += 2;
            }
            lane += 1;
        }
        set += 1;
    }
    rows
};

/// For each set of eight lanes of 16 bits, as indices for a byte shuffle: both
/// bytes of a lane in the set, the second byte of one that is not.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) static PAIRS: [[u8; 16]; 256] = {
    let mut rows = [[0xFF; 16]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < 8 {
            if set >> lane & 1 == 1 {
                rows[set][at] = 2 * lane as u8;
                at += 1;
            }
            rows[set][at] = 2 * lane as u8 + 1;
            at += 1;
            lane += 1;
        }
        set += 1;
    }
    rows
};

/// For four lanes of 32 bits, as indices for a byte shuffle: the bytes that
/// [`Simd::emit_triples`] keeps, and how many they are.
///
/// ```text
/// row   bits 0-3: the first byte is dropped in that lane
///       bits 4-7: the second is, or, if the first is not, the third
/// ```
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) static TRIPLES: ([[u8; 16]; 256], [u8; 256]) = {
    let mut rows = [[0xFF; 16]; 256];
    let mut lens = [0; 256];
    let mut set = 0;
    while set < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < 4 {
            let kept: &[u8] = match (set >> lane & 1, set >> (lane + 4) & 1) {
                (0, 0) => &[0, 1, 2],
                (1, 0) => &[1, 2],
                (0, _) => &[0, 1],
                _ => &[2],
            };
            let mut i = 0;
            while i < kept.len() {
                rows[set][at] = 4 * lane as u8 + kept[i];
                at += 1;
                i += 1;
            }
            lane += 1;
        }
        lens[set] = at as u8;
        set += 1;
    }
    (rows, lens)
};
