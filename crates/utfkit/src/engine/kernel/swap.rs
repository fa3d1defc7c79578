//! The bytes of units in reverse: from one byte order into the other.

use crate::engine::simd::dispatch::{Kernel, run};
use crate::engine::simd::ops::Simd;

/// Reverses the bytes of each unit of `SIZE` bytes, 2 or 4; what is left over
/// at the end stays.
pub(crate) fn swap<const SIZE: usize>(bytes: &mut [u8]) {
    let done = run(Swap::<SIZE> { bytes: &mut *bytes }).unwrap_or_default();
    for unit in bytes[done..].chunks_exact_mut(SIZE) {
        unit.reverse();
    }
}

struct Swap<'a, const SIZE: usize> {
    bytes: &'a mut [u8],
}

impl<const SIZE: usize> Kernel for Swap<'_, SIZE> {
    /// The bytes of whole registers.
    type Output = usize;
    const ON_SSSE3: bool = true;

    #[inline(always)]
    fn vector<S: Simd>(self, s: S) -> usize {
        let mut done = 0;
        for register in self.bytes.chunks_exact_mut(S::LANES) {
            let v = s.load(register, 0);
            s.store(if SIZE == 2 { s.swap16(v) } else { s.swap32(v) }, register, 0);
            done += S::LANES;
        }
        done
    }
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
                swap::<2>(&mut twos);
                swap::<4>(&mut fours);
                for i in 0..len {
                    let pair = if i < len & !1 { i ^ 1 } else { i };
                    let four = if i < len & !3 { i ^ 3 } else { i };
                    assert_eq!((twos[i], fours[i]), (bytes[pair], bytes[four]), "{isa} {len} {i}");
                }
            }
        }
    }
}
