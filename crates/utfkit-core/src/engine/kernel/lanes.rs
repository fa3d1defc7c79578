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

/// True if `a == b` in any lane of 16 bits.
#[inline(always)]
pub(super) fn any_same16<S: Simd>(s: S, a: S::V, b: S::V) -> bool {
    s.differ16(s.same16(a, b), s.cond16(0))
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
