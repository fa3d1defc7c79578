//! The bytes of units in reverse: from one byte order into the other.

use super::lanes::{swap16, swap32};
use crate::engine::simd::dispatch::{Kernel, run};
use crate::engine::simd::ops::Simd;

/// Reverses the bytes of each unit of `size` bytes, 1, 2 or 4. An incomplete unit at the end is
/// left as it is.
pub(crate) fn swap(size: usize, bytes: &mut [u8]) {
    let done = match size {
        2 => run::<Swap<2>>(&[], bytes, ()),
        4 => run::<Swap<4>>(&[], bytes, ()),
        _ => return,
    };
    for unit in bytes[done..].chunks_exact_mut(size) {
        unit.reverse();
    }
}

/// Copies the units of `size` bytes, 2 or 4, with their bytes in reverse, to as
/// many bytes of `out`.
pub(crate) fn copy_swapped(size: usize, from: &[u8], out: &mut [u8]) {
    let done = match size {
        2 => run::<CopySwapped<2>>(from, out, ()),
        _ => run::<CopySwapped<4>>(from, out, ()),
    };
    out[done..].copy_from_slice(&from[done..]);
    for unit in out[done..].chunks_exact_mut(size) {
        unit.reverse();
    }
}

struct Swap<const SIZE: usize>;

impl<const SIZE: usize> Kernel for Swap<SIZE> {
    type Arg = ();
    /// The bytes of whole registers.
    type Output = usize;
    const WIDEST: usize = 32;

    #[inline(always)]
    fn vector<S: Simd>(s: S, _: &[u8], bytes: &mut [u8], (): ()) -> usize {
        let mut done = 0;
        for register in bytes.chunks_exact_mut(S::LANES) {
            s.store(swapped::<S, SIZE>(s, s.load(register, 0)), register, 0);
            done += S::LANES;
        }
        done
    }
}

struct CopySwapped<const SIZE: usize>;

impl<const SIZE: usize> Kernel for CopySwapped<SIZE> {
    type Arg = ();
    type Output = usize;
    const WIDEST: usize = 32;

    #[inline(always)]
    fn vector<S: Simd>(s: S, from: &[u8], out: &mut [u8], (): ()) -> usize {
        let mut done = 0;
        for (from, out) in from.chunks_exact(S::LANES).zip(out.chunks_exact_mut(S::LANES)) {
            s.store(swapped::<S, SIZE>(s, s.load(from, 0)), out, 0);
            done += S::LANES;
        }
        done
    }
}

#[inline(always)]
fn swapped<S: Simd, const SIZE: usize>(s: S, v: S::V) -> S::V {
    if SIZE == 2 { swap16(s, v) } else { swap32(s, v) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn every_unit_is_swapped_and_nothing_else() {
        for isa in crate::isa::available() {
            crate::isa::set(isa).unwrap();
            for len in 0..200 {
                let bytes: Vec<u8> = (0..len).map(|i| i as u8).collect();
                let (mut twos, mut fours) = (bytes.clone(), bytes.clone());
                swap(2, &mut twos);
                swap(4, &mut fours);
                for (size, expected) in [(2, &twos), (4, &fours)] {
                    let mut copy = alloc::vec![0; len];
                    copy_swapped(size, &bytes, &mut copy);
                    assert_eq!(&copy, expected, "{isa} {len} {size}");
                }
                for i in 0..len {
                    let pair = if i < len & !1 { i ^ 1 } else { i };
                    let four = if i < len & !3 { i ^ 3 } else { i };
                    assert_eq!((twos[i], fours[i]), (bytes[pair], bytes[four]), "{isa} {len} {i}");
                }
            }
        }
    }
}
