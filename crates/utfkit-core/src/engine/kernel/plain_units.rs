//! Conversions between big-endian and little-endian units, of text in which every unit is a
//! character.
//!
//! Kernels know little-endian units, and others are swapped piece by piece. Where a kernel does
//! little more than load and store, swapping costs as much again: here are small conversions of
//! such text, with a shuffle between load and store. All other text is swapped.

use super::lanes::any_same16;
use super::window::BLOCK;
use crate::engine::simd::dispatch::{Kernel, run};
use crate::engine::simd::ops::Simd;

/// Which units are big-endian.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Orders {
    pub(crate) from_big: bool,
    pub(crate) to_big: bool,
}

/// Converts between UTF-16 and UTF-32, in units of `from` and `to` bytes, up to a surrogate or a value
/// above U+FFFF, in whole blocks. Returns the bytes read and written.
pub(crate) fn plain_units((from, to): (usize, usize), orders: Orders, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let units = match (from, to) {
        (2, 2) => run::<Plain<2, 2>>(src, dst, orders),
        (2, 4) => run::<Plain<2, 4>>(src, dst, orders),
        (4, 2) => run::<Plain<4, 2>>(src, dst, orders),
        (4, 4) => run::<Plain<4, 4>>(src, dst, orders),
        _ => 0,
    };
    (units * from, units * to)
}

struct Plain<const FROM: usize, const TO: usize>;

impl<const FROM: usize, const TO: usize> Kernel for Plain<FROM, TO> {
    type Arg = Orders;
    /// The number of units converted.
    type Output = usize;
    const WIDEST: usize = 32;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], orders: Orders) -> usize {
        let from = Swap::new(s, FROM, orders.from_big);
        let to = Swap::new(s, TO, orders.to_big);
        let mut units = 0;
        for (block, out) in src.chunks_exact(FROM * UNITS).zip(dst.chunks_exact_mut(TO * UNITS)) {
            if !convert::<S, FROM, TO>(s, from, to, block, out) {
                break;
            }
            units += UNITS;
        }
        units
    }
}

/// The units of a block.
const UNITS: usize = BLOCK;

/// Writes a block. Returns true if every unit is a character; otherwise the output is garbage.
#[inline(always)]
fn convert<S: Simd, const FROM: usize, const TO: usize>(
    s: S,
    from: Swap<S>,
    to: Swap<S>,
    block: &[u8],
    out: &mut [u8],
) -> bool {
    let mut lowest = s.splat(0);
    let mut above = s.splat(0);
    // A register of 16-bit units at a time, or two of 32-bit units.
    for part in 0..2 * UNITS / S::LANES {
        let at = part * S::LANES / 2;
        let units = if FROM == 2 {
            from.load(block, 2 * at)
        } else {
            let words = [from.load(block, 4 * at), from.load(block, 4 * at + S::LANES)];
            above = s.or(above, s.or(words[0], words[1]));
            if TO == 4 {
                to.store(words[0], out, 4 * at);
                to.store(words[1], out, 4 * at + S::LANES);
            }
            s.join32(words[0], words[1])
        };
        // From D800 on, which become the least of all as signed numbers.
        lowest = s.min16(lowest, s.add::<16>(units, s.splat16(0xA800)));
        if TO == 2 {
            to.store(units, out, 2 * at);
        } else if FROM == 2 {
            to.store(s.spread::<16, false>(units), out, 4 * at);
            to.store(s.spread::<16, true>(units), out, 4 * at + S::LANES);
        }
    }
    let surrogate = any_same16(s, s.and(lowest, s.splat16(0xF800)), s.splat16(0x8000));
    !surrogate && (FROM == 2 || !s.any_nonzero(s.and(above, s.splat32(0xFFFF_0000))))
}

/// Between memory and lanes.
#[derive(Clone, Copy)]
struct Swap<S: Simd> {
    s: S,
    /// Where the bytes of 16 come from.
    from: S::V,
}

impl<S: Simd> Swap<S> {
    #[inline(always)]
    fn new(s: S, size: usize, big: bool) -> Swap<S> {
        let from = match (size, big) {
            (2, true) => &[1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14],
            (_, true) => &[3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12],
            (_, false) => &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        };
        Swap { s, from: s.table16(from) }
    }

    #[inline(always)]
    fn load(self, bytes: &[u8], at: usize) -> S::V {
        self.s.lookup16(self.s.load(bytes, at), self.from)
    }

    #[inline(always)]
    fn store(self, v: S::V, bytes: &mut [u8], at: usize) {
        self.s.store(self.s.lookup16(v, self.from), bytes, at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::simd::dispatch::is_served;
    use crate::isa::Isa;
    use alloc::vec;
    use alloc::vec::Vec;

    /// `value` as a unit of `size` bytes.
    fn unit(value: u32, size: usize, big: bool) -> Vec<u8> {
        let mut bytes = value.to_le_bytes()[..size].to_vec();
        if big {
            bytes.reverse();
        }
        bytes
    }

    /// Converts units up to the block that has a surrogate or a value above U+FFFF.
    fn check(isa: Isa, sizes: (usize, usize), orders: Orders, values: &[u32]) {
        let special = |&value: &u32| (0xD800..0xE000).contains(&value) || value > 0xFFFF;
        let plain = values.iter().position(special).unwrap_or(values.len()) / UNITS * UNITS;
        let src: Vec<u8> = values.iter().flat_map(|&value| unit(value, sizes.0, orders.from_big)).collect();
        let expected: Vec<u8> = values[..plain].iter().flat_map(|&value| unit(value, sizes.1, orders.to_big)).collect();
        for space in [values.len(), plain, plain.saturating_sub(1), 0] {
            let mut dst = vec![0xA5; space * sizes.1];
            let units = if space < plain { space / UNITS * UNITS } else { plain };
            let wanted = (units * sizes.0, units * sizes.1);
            // Another test may set the instruction set at any time, for all, and
            // to one without this kernel.
            let mut once = || {
                crate::isa::set(isa).unwrap();
                plain_units(sizes, orders, &src, &mut dst)
            };
            let got = (0..100).map(|_| once()).find(|&got| got != (0, 0) || wanted == (0, 0)).unwrap_or_default();
            assert_eq!(got, wanted, "{isa} {sizes:?} {orders:?} {space}");
            assert_eq!(dst[..got.1], expected[..got.1], "{sizes:?} {orders:?} {space}");
        }
    }

    #[test]
    fn units_are_what_reversed_bytes_say() {
        for isa in crate::isa::available().filter(|isa| is_served::<Plain<2, 2>>(*isa)) {
            let plain: Vec<u32> = (0..3 * UNITS as u32 + 7)
                .map(|i| [0x41, 0xE9, 0x20AC, 0xD7FF, 0xE000, 0xFFFF][i as usize % 6] ^ (i % 2))
                .collect();
            for sizes in [(2, 2), (2, 4), (4, 2), (4, 4)] {
                for orders in [(false, true), (true, false), (true, true)] {
                    let orders = Orders { from_big: orders.0, to_big: orders.1 };
                    check(isa, sizes, orders, &plain);
                    for at in 0..plain.len() {
                        for special in [0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x1_0000, 0x10_FFFF, 0xFFFF_FFFF] {
                            if special <= 0xFFFF || sizes.0 == 4 {
                                let mut values = plain.clone();
                                values[at] = special;
                                check(isa, sizes, orders, &values);
                            }
                        }
                    }
                }
            }
        }
    }
}
