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

    /// Whether the bytes of a register that are to be kept are moved together in
    /// one instruction.
    const COMPRESS: bool;
    /// Whether there are loads and stores of some of the lanes only.
    const MASKS: bool;

    /// The first bytes of `bytes`; 0 in the lanes behind them.
    #[inline(always)]
    fn load_front(self, bytes: &[u8]) -> Self::V {
        self.load_padded(bytes, 0)
    }
    /// The bytes of `bytes` from `at` on; 0 in the lanes behind its end.
    fn load_padded(self, bytes: &[u8], at: usize) -> Self::V;
    /// The lanes of `a` from `by` on, then those of `b`. `by` is at most four,
    /// or at most four less than `LANES`, and known to the compiler; elsewhere
    /// the answer is `b`.
    fn across(self, a: Self::V, b: Self::V, by: usize) -> Self::V;
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

    /// `table[index & 15]` for each lane, or 0 if the top bit of the index is
    /// set.
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
    /// Writes the first bytes as units of 16 bits to all of `out`, at most
    /// `2 * LANES` bytes. Only where `MASKS`; elsewhere it does nothing.
    fn widen_front<const BIG: bool>(self, _: Self::V, _: &mut [u8]) {}
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
    fn shl32<const N: i32>(self, v: Self::V) -> Self::V;
    fn shr32<const N: i32>(self, v: Self::V) -> Self::V;
    fn add32(self, a: Self::V, b: Self::V) -> Self::V;
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

    // Counts, UTF-16 as it is, and Latin-1.

    /// `count + 1` where the condition holds.
    fn count(self, count: Self::V, c: Self::C) -> Self::V;
    /// Each lane of 16 bits of `count` plus 1 where `v` has none of `bits`.
    fn count_clear16(self, count: Self::V, v: Self::V, bits: u16) -> Self::V;
    /// Each lane of 32 bits of `count` plus 1 where `v` has none of `bits`.
    fn count_clear32(self, count: Self::V, v: Self::V, bits: u32) -> Self::V;
    /// `a + b`, or FF where that is more.
    fn saturating_add(self, a: Self::V, b: Self::V) -> Self::V;
    /// The lanes of 16 bits of both as bytes, FF for what is more; in any
    /// order. None is negative.
    fn pack16(self, a: Self::V, b: Self::V) -> Self::V;
    /// The sum of all bytes.
    fn sum(self, v: Self::V) -> usize;
    /// The lesser one of each two lanes of 16 bits, signed.
    fn min16(self, a: Self::V, b: Self::V) -> Self::V;
    /// The lower bytes of the lanes of 16 bits of both, in order. The upper
    /// bytes are 0, or the answer is anything.
    fn narrow16(self, v: [Self::V; 2]) -> Self::V;
    /// The lowest bytes of the lanes of 32 bits of all, in order. The others
    /// are 0, or the answer is anything.
    fn narrow32(self, v: [Self::V; 4]) -> Self::V;
    /// What [`msb`](Simd::msb) answers, where numbers are made of it and not
    /// conditions.
    fn signs(self, v: Self::V) -> u64;
    /// Writes each byte of `v`, and before it, if it is in `led`, C2, to `out`
    /// from `at` on, without gaps, and answers how many. Where `high` holds it
    /// is C3, and the byte less 40. The `2 * LANES` bytes from `at` on may all
    /// be overwritten.
    fn emit_led(self, v: Self::V, led: u64, high: Self::C, out: &mut [u8], at: usize) -> usize;
    /// Writes the lanes in `keep`, without gaps, to `out` from `at` on, and
    /// answers how many. The `LANES` bytes from `at` on may all be overwritten.
    fn emit8(self, v: Self::V, keep: u64, out: &mut [u8], at: usize) -> usize;
    /// Writes the lanes in `keep` without gaps to `out` from `at` on, the bytes
    /// EF BF BD (U+FFFD) in place of each that is in `fault` as well, and
    /// answers how many bytes. The `3 * LANES + 4` bytes from `at` on may all
    /// be overwritten.
    fn emit_mended(self, v: Self::V, keep: u64, fault: u64, out: &mut [u8], at: usize) -> usize;

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
    fn widen32<const BIG: bool>(self, v: Self::V, out: &mut [u8], at: usize);
    /// Writes the units `high << 16 | middle << 8 | low` (each a plane of
    /// bytes; no high plane is one of zeros) of the lanes in `keep`, without
    /// gaps, to `out` from `at` on, and answers with the bytes that they take.
    /// The `4 * LANES` bytes from `at` on may all be overwritten.
    fn emit32<const BIG: bool>(self, planes: Planes<Self::V>, keep: u64, out: &mut [u8], at: usize) -> usize;
    /// The same where there may be less room: writes only what is meant, and
    /// answers `None` if that does not fit.
    fn emit32_within<const BIG: bool>(
        self,
        planes: Planes<Self::V>,
        keep: u64,
        out: &mut [u8],
        at: usize,
    ) -> Option<usize>;
    /// Writes the lanes in `keep` without gaps to `out` from `at` on, and
    /// answers with the bytes that they take. The `LANES` bytes from `at` on
    /// may all be overwritten.
    fn emit_words(self, v: Self::V, keep: u64, out: &mut [u8], at: usize) -> usize;
    /// Writes the two units of 16 bits of each lane, without the first where
    /// its top bit is clear, to `out` from `at` on, and answers with the bytes
    /// that they take. The `LANES` bytes from `at` on may all be overwritten.
    fn emit_halves<const BIG: bool>(self, v: Self::V, out: &mut [u8], at: usize) -> usize;
    /// Writes one to three bytes of each pair of lanes of 16 bits, without gaps,
    /// to `out` from `at` on, and answers how many: the upper one of `first` if
    /// its top bit is set, the lower one of `rest` if the top bit of the upper
    /// one is, and that. The first of them only together with the second. The
    /// `2 * LANES` bytes from `at` on may all be overwritten.
    fn emit_first_rest(self, first: Self::V, rest: Self::V, out: &mut [u8], at: usize) -> usize;
    /// Writes of each lane those bytes that are not FF to `out` from `at` on,
    /// without gaps, and answers how many. Only the first one, two or three
    /// bytes of a lane may be FF. The `LANES` bytes from `at` on may all be
    /// overwritten.
    fn emit_quads(self, v: Self::V, out: &mut [u8], at: usize) -> usize;
}

/// The bytes of units of 32 bits, one of each unit in a register.
#[derive(Clone, Copy)]
pub(crate) struct Planes<V> {
    pub(crate) low: V,
    pub(crate) middle: V,
    /// Zeros, if it is not there. The highest plane always is.
    pub(crate) high: Option<V>,
}

/// Lanes to shuffle 16 bytes by, as a window of 16 in these: from `16 - n` on,
/// the last `n` bytes come to the front, with zeros behind them.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) static LAST: [u8; 32] = {
    let mut lanes = [0xFF; 32];
    let mut i = 0;
    while i < 16 {
        lanes[i] = i as u8;
        i += 1;
    }
    lanes
};

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

/// How many lanes each set of eight has, for instruction sets that do not count
/// bits.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) static ONES: [u8; 256] = {
    let mut ones = [0; 256];
    let mut set = 0;
    while set < 256 {
        ones[set] = set.count_ones() as u8;
        set += 1;
    }
    ones
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

/// For each set of eight lanes, the lanes in it, first to last, as indices for
/// a byte shuffle; the same eight lanes further up, for the upper half of 16.
///
/// ```text
/// row 0b0000_0101: 00 02 FF FF ...      lanes 0 and 2
/// ```
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) static COMPRESS8: [[[u8; 8]; 256]; 2] = {
    let mut rows = [[[0xFF; 8]; 256]; 2];
    let mut set = 0;
    while set < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < 8 {
            if set >> lane & 1 == 1 {
                rows[0][set][at] = lane as u8;
                rows[1][set][at] = lane as u8 + 8;
                at += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    rows
};

/// The bytes of U+FFFD, and one that is never used.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) const REPLACEMENT: [u8; 4] = [0xEF, 0xBF, 0xBD, 0];

/// For four lanes with [`REPLACEMENT`] behind them, as indices for a byte
/// shuffle: what [`Simd::emit_mended`] makes of them, and how many bytes that
/// are.
///
/// ```text
/// row       bits 0-3: the lanes to keep
///           bits 4-7: the faults
/// row 0x26: lanes 1 and 2, of which 1 is a fault: 04 05 06 02 FF FF ...
/// ```
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) static MENDED: ([[u8; 16]; 256], [u8; 256]) = {
    let mut rows = [[0xFF; 16]; 256];
    let mut lens = [0; 256];
    let mut set = 0;
    while set < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < 4 {
            let (kept, fault) = (set >> lane & 1 == 1, set >> (lane + 4) & 1 == 1);
            if kept && fault {
                rows[set][at] = 4;
                rows[set][at + 1] = 5;
                rows[set][at + 2] = 6;
                at += 3;
            } else if kept {
                rows[set][at] = lane as u8;
                at += 1;
            }
            lane += 1;
        }
        lens[set] = at as u8;
        set += 1;
    }
    (rows, lens)
};

/// For each set of four lanes of 32 bits, as indices for a byte shuffle: the
/// lanes in it, first to last; FF behind them.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) static COMPRESS32: [[u8; 16]; 16] = {
    let mut rows = [[0xFF; 16]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut byte, mut at) = (0, 0);
        while byte < 16 {
            if set >> (byte / 4) & 1 == 1 {
                rows[set][at] = byte as u8;
                at += 1;
            }
            byte += 1;
        }
        set += 1;
    }
    rows
};

/// For each set of four lanes of 32 bits, as indices for a byte shuffle: both
/// halves of a lane in the set, the second half of one that is not.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) static HALVES: [[u8; 16]; 16] = {
    let mut rows = [[0xFF; 16]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut byte, mut at) = (0, 0);
        while byte < 16 {
            if set >> (byte / 4) & 1 == 1 || byte % 4 >= 2 {
                rows[set][at] = byte as u8;
                at += 1;
            }
            byte += 1;
        }
        set += 1;
    }
    rows
};

/// For four lanes of 32 bits, as indices for a byte shuffle: the bytes that
/// [`Simd::emit_quads`] keeps, and how many they are.
///
/// ```text
/// row       0 to 3 bytes dropped at the front of each lane
///   bits 0-3: an odd number of them
///   bits 4-7: two or three
/// ```
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) static QUADS: ([[u8; 16]; 256], [u8; 256]) = {
    let mut rows = [[0xFF; 16]; 256];
    let mut lens = [0; 256];
    let mut set = 0;
    while set < 256 {
        let (mut byte, mut at) = (0, 0);
        while byte < 16 {
            let lane = byte / 4;
            let dropped = (set >> lane & 1) + 2 * (set >> (lane + 4) & 1);
            if byte % 4 >= dropped {
                rows[set][at] = byte as u8;
                at += 1;
            }
            byte += 1;
        }
        lens[set] = at as u8;
        set += 1;
    }
    (rows, lens)
};

/// For four lanes of 32 bits, as indices for a byte shuffle: the bytes that
/// [`Simd::emit_first_rest`] keeps if `first` and `rest` are the halves of a
/// lane. They are four, and one more for each bit of the row.
///
/// ```text
/// row   two bits a lane: three bytes are kept, two or three are
/// lane  -, first, second, third
/// ```
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) static FIRST_REST: [[u8; 16]; 256] = {
    let mut rows = [[0xFF; 16]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut byte, mut at) = (0, 0);
        while byte < 16 {
            let bits = set >> (byte / 4 * 2) & 3;
            let kept = [false, bits & 1 == 1, bits & 2 == 2, true][byte % 4];
            if kept {
                rows[set][at] = byte as u8;
                at += 1;
            }
            byte += 1;
        }
        set += 1;
    }
    rows
};
