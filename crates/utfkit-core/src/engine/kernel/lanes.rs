//! Small functions of lanes that are built of the operations of [`Simd`].

use crate::engine::simd::ops::Simd;

/// `!a & b`
#[inline(always)]
pub(super) fn and_not<S: Simd>(s: S, a: S::V, b: S::V) -> S::V {
    s.and(s.xor(a, s.splat(0xFF)), b)
}

/// The lanes of a register that are not 0.
#[inline(always)]
pub(super) fn nonzero<S: Simd>(s: S, v: S::V) -> S::C {
    s.ge(v, s.splat(1))
}

/// The lanes of 16 bits that have none of `bits`.
#[inline(always)]
pub(super) fn none_of16<S: Simd>(s: S, v: S::V, bits: u16) -> S::C {
    s.same::<16>(s.and(v, s.splat16(bits)), s.splat(0))
}

/// Writes each byte as a unit of 16 bits to the `2 * LANES` bytes of `out` from `at` on.
#[inline(always)]
pub(super) fn widen<S: Simd>(s: S, v: S::V, out: &mut [u8], at: usize) {
    s.store(s.spread::<8, false>(v), out, at);
    s.store(s.spread::<8, true>(v), out, at + S::LANES);
}

/// True if `a == b` in any lane of 16 bits.
#[inline(always)]
pub(super) fn any_same16<S: Simd>(s: S, a: S::V, b: S::V) -> bool {
    s.differ(s.same::<16>(a, b), s.cond::<16>(0))
}

/// The bytes of each lane of 16 bits in reverse.
#[inline(always)]
pub(super) fn swap16<S: Simd>(s: S, v: S::V) -> S::V {
    s.lookup16(v, s.table16(&[1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14]))
}

/// The bytes of each lane of 32 bits in reverse.
#[inline(always)]
pub(super) fn swap32<S: Simd>(s: S, v: S::V) -> S::V {
    s.lookup16(v, s.table16(&[3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]))
}

/// For the search of surrogates: from D800 on, which become the least of all as
/// signed numbers.
#[inline(always)]
pub(super) fn lower16<S: Simd>(s: S, lowest: S::V, units: S::V) -> S::V {
    s.min16(lowest, s.add::<16>(units, s.splat16(0xA800)))
}

/// True if there was a surrogate.
#[inline(always)]
pub(super) fn had_surrogate<S: Simd>(s: S, lowest: S::V) -> bool {
    any_same16(s, s.and(lowest, s.splat16(0xF800)), s.splat16(0x8000))
}
