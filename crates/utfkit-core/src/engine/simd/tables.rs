//! The tables by which bytes are shuffled, each computed from its rule.

use core::ops::Deref;

#[cfg(doc)]
use super::ops::Simd;

/// A table aligned to a cache line, so that no row crosses one. Without it a quarter of the rows
/// would take twice as long to load.
#[repr(C, align(64))]
pub(crate) struct Lines<T> {
    table: T,
}

impl<T> Lines<T> {
    pub(crate) const fn new(table: T) -> Lines<T> {
        Lines { table }
    }
}

impl<T> Deref for Lines<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.table
    }
}

/// Lanes to shuffle 16 bytes by, as a window of 16 in these: from `16 - n` on,
/// the last `n` bytes come to the front, with zeros after them.
pub(crate) static LAST: [u8; 32] = {
    let mut lanes = [0xFF; 32];
    let mut i = 0;
    while i < 16 {
        lanes[i] = i as u8;
        i += 1;
    }
    lanes
};

/// The bytes in `kept`, first to last, as indices for a byte shuffle; FF (which
/// a shuffle reads as "zero") after them.
///
/// ```text
/// kept 0b0011_0011: 00 01 04 05 FF FF ...
/// ```
const fn shuffle_of(kept: u16) -> [u8; 16] {
    let mut row = [0xFF; 16];
    let (mut byte, mut at) = (0, 0);
    while byte < 16 {
        if kept >> byte & 1 == 1 {
            row[at] = byte;
            at += 1;
        }
        byte += 1;
    }
    row
}

/// Bit `i` of the lower `16 / STEP` of `set` as bit `STEP * i`.
const fn every<const STEP: usize>(set: usize) -> u16 {
    let (mut bits, mut i) = (0, 0);
    while i * STEP < 16 {
        bits |= (set >> i & 1) << (i * STEP);
        i += 1;
    }
    bits as u16
}

/// For each set of eight lanes of 16 bits: the lanes in the set.
pub(crate) static COMPRESS16: Lines<[[u8; 16]; 256]> = {
    let mut rows = [[0; 16]; 256];
    let mut set = 0;
    while set < 256 {
        rows[set] = shuffle_of(every::<2>(set) * 0b11);
        set += 1;
    }
    Lines::new(rows)
};

/// For each set of eight lanes of 16 bits: both bytes of a lane in the set, the
/// second byte of one that is not.
pub(crate) static PAIRS: Lines<[[u8; 16]; 256]> = {
    let mut rows = [[0; 16]; 256];
    let mut set = 0;
    while set < 256 {
        rows[set] = shuffle_of(every::<2>(set) | (0b10 * every::<2>(0xFF)));
        set += 1;
    }
    Lines::new(rows)
};

/// The size of each set of eight lanes, for instruction sets that do not count bits.
pub(crate) static ONES: [u8; 256] = {
    let mut ones = [0; 256];
    let mut set = 0;
    while set < 256 {
        ones[set] = set.count_ones() as u8;
        set += 1;
    }
    ones
};

/// For each set of eight lanes, the lanes in it; the same eight lanes further
/// up, for the upper half of 16.
pub(crate) static COMPRESS8: Lines<[[[u8; 8]; 256]; 2]> = {
    let mut rows = [[[0; 8]; 256]; 2];
    let mut set = 0;
    while set < 256 {
        let row = shuffle_of(set as u16);
        let mut i = 0;
        while i < 8 {
            rows[0][set][i] = row[i];
            rows[1][set][i] = if row[i] == 0xFF { 0xFF } else { row[i] + 8 };
            i += 1;
        }
        set += 1;
    }
    Lines::new(rows)
};

/// For four lanes with the three replacing bytes after them, as indices for a byte
/// shuffle: what [`Simd::emit_replaced`] makes of them, and the number of bytes.
///
/// ```text
/// row       bits 0-3: the lanes to keep
///           bits 4-7: those to replace
/// row 0x26: lanes 1 and 2, of which 1 is replaced: 04 05 06 02 FF FF ...
/// ```
pub(crate) static REPLACED: Lines<([[u8; 16]; 256], [u8; 256])> = {
    let mut rows = [[0xFF; 16]; 256];
    let mut lens = [0; 256];
    let mut set = 0;
    while set < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < 4 {
            let (kept, replaced) = (set >> lane & 1 == 1, set >> (lane + 4) & 1 == 1);
            if kept && replaced {
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
    Lines::new((rows, lens))
};

/// For each set of four lanes of 32 bits: the lanes in the set.
pub(crate) static COMPRESS32: Lines<[[u8; 16]; 16]> = {
    let mut rows = [[0; 16]; 16];
    let mut set = 0;
    while set < 16 {
        rows[set] = shuffle_of(every::<4>(set) * 0b1111);
        set += 1;
    }
    Lines::new(rows)
};

/// For each set of four lanes of 32 bits: both halves of a lane in the set, the
/// second half of one that is not.
pub(crate) static HALVES: Lines<[[u8; 16]; 16]> = {
    let mut rows = [[0; 16]; 16];
    let mut set = 0;
    while set < 16 {
        rows[set] = shuffle_of((every::<4>(set) * 0b0011) | (every::<4>(0xF) * 0b1100));
        set += 1;
    }
    Lines::new(rows)
};

/// For four lanes of 32 bits: the bytes that [`Simd::emit_quads`] keeps, and how
/// many they are.
///
/// ```text
/// row       0 to 3 bytes dropped at the front of each lane
///   bits 0-3: an odd number of them
///   bits 4-7: two or three
/// ```
pub(crate) static QUADS: Lines<([[u8; 16]; 256], [u8; 256])> = {
    let mut rows = [[0; 16]; 256];
    let mut lens = [0; 256];
    let mut set = 0;
    while set < 256 {
        let (odd, two) = (every::<4>(set), every::<4>(set >> 4));
        let dropped = (odd | two) | two << 1 | (odd & two) << 2;
        rows[set] = shuffle_of(!dropped);
        lens[set] = 16 - dropped.count_ones() as u8;
        set += 1;
    }
    Lines::new((rows, lens))
};

/// For four lanes of 32 bits: the bytes that [`Simd::emit_triples`] writes if
/// `upper` and `lower` are the halves of a lane. They are 4 to 12.
///
/// ```text
/// row   two bits a lane: it is not in `two`, it is not in `one` (or anything,
///       if it is not in `two`)
/// ```
///
/// [`triples`] and [`triples_len`] read them. The number of bytes that a row keeps is in the last byte of
/// the row before it, which no row uses: in its own row, the compiler would extract it
/// from the register, which is slower.
pub(crate) static TRIPLES: Lines<[[u8; 16]; 257]> = {
    let mut rows = [[0xFF; 16]; 257];
    let mut set = 0;
    while set < 256 {
        let (mut three, mut more, mut lane) = (0, 0, 0);
        while lane < 4 {
            let is_three = set >> (2 * lane) & 1;
            three |= is_three << lane;
            more |= (set >> (2 * lane + 1) & 1 | is_three) << lane;
            lane += 1;
        }
        let (three, more, one) = (every::<4>(three), every::<4>(more), every::<4>(!more));
        let kept = three | more << 1 | one << 2 | more << 3;
        rows[set + 1] = shuffle_of(kept);
        rows[set][15] = kept.count_ones() as u8;
        set += 1;
    }
    Lines::new(rows)
};

/// The row of [`TRIPLES`].
#[inline(always)]
pub(crate) fn triples(row: u8) -> &'static [u8; 16] {
    &TRIPLES[usize::from(row) + 1]
}

/// The number of bytes that it keeps, at most 12.
#[inline(always)]
pub(crate) fn triples_len(row: u8) -> usize {
    TRIPLES[usize::from(row)][15].into()
}
