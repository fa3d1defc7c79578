//! Lines whose bytes above 7F are rare in the other lines.

use alloc::vec::Vec;

use crate::model::BIT;

/// The bytes of an odd line cost more than usual, at least by this, in bits.
const UNUSUAL: u32 = 5;

/// How often each byte from 80 occurs in all lines.
pub(super) struct Frequencies {
    counts: [u32; 128],
    sum: u32,
    /// The mean cost of a byte, in sixteenths of a bit.
    mean: u32,
}

impl Frequencies {
    pub(super) fn of(lines: &[Vec<u8>]) -> Frequencies {
        let mut all = Frequencies { counts: [0; 128], sum: 0, mean: 0 };
        for byte in lines.iter().flatten().filter(|byte| !byte.is_ascii()) {
            all.counts[usize::from(byte & 0x7F)] += 1;
            all.sum += 1;
        }
        let total = all.counts.iter().map(|&count| u64::from(count) * u64::from(all.cost(count, 0))).sum::<u64>();
        all.mean = u32::try_from(total / u64::from(all.sum.max(1))).unwrap_or(u32::MAX);
        all
    }

    /// The cost of a byte that occurs so often, in a line with `own` bytes.
    fn cost(&self, count: u32, own: u32) -> u32 {
        log2(2 * (self.sum - own) + 64) - log2(2 * count + 1)
    }

    /// True if a line has bytes that are rare in the others.
    pub(super) fn is_unusual(&self, line: &[u8]) -> bool {
        let mut own = [0_u32; 128];
        let non_ascii = || line.iter().filter(|byte| !byte.is_ascii()).map(|byte| usize::from(byte & 0x7F));
        let mut len = 0;
        for byte in non_ascii() {
            own[byte] += 1;
            len += 1;
        }
        // Each byte once for all of its occurrences.
        let cost: u32 = non_ascii()
            .map(|byte| match core::mem::take(&mut own[byte]) {
                0 => 0,
                own => own * self.cost(self.counts[byte] - own, len),
            })
            .sum();
        cost >= len * self.mean + UNUSUAL * BIT
    }
}

/// The binary logarithm, in sixteenths.
fn log2(n: u32) -> u32 {
    16 * n.ilog2() + ((u64::from(n) << 4 >> n.ilog2()) as u32 - 16)
}
