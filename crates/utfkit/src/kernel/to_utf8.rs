//! The bytes of UTF-8 in lanes of 16 and of 32 bits: what the conversions to
//! UTF-8 share.
//!
//! All bytes of a lane are made alike, whatever comes of it; a byte that is not
//! to be written becomes FF, which no UTF-8 has, and is left out when the rest
//! is written.
//!
//! ```text
//! value                         first    second   third    fourth
//! 00000 00000000 0xxxxxxx       11111111 11111111 11111111 0xxxxxxx
//! 00000 00000yyy yyxxxxxx       11111111 11111111 110yyyyy 10xxxxxx
//! 00000 zzzzyyyy yyxxxxxx       11111111 1110zzzz 10yyyyyy 10xxxxxx
//! uuuuu zzzzyyyy yyxxxxxx       11110uuu 10uuzzzz 10yyyyyy 10xxxxxx
//! ```
//!
//! Below U+0800 the last two are enough.

use crate::simd::ops::Simd;

/// The third and the fourth byte of units of 16 bits below U+0800, for
/// [`Simd::emit_pairs`].
#[inline(always)]
pub(super) fn pairs<S: Simd>(s: S, units: S::V) -> S::V {
    let fields = s.split16(units);
    let one = s.or(fields, s.splat16(0x00FF));
    let two = s.or(s.and(fields, s.splat16(0x3F3F)), s.splat16(0x80C0));
    s.blend16(s.le16(units, 0x7F), one, two)
}

/// The first two and the last two bytes of units of 16 bits, none of them a
/// surrogate, for [`Simd::emit_triples`].
#[inline(always)]
pub(super) fn triples<S: Simd>(s: S, units: S::V) -> (S::V, S::V) {
    let below_800 = s.le16(units, 0x7FF);
    let first = s.or(s.shr::<4>(units), s.splat16(0xE0FF));
    let first = s.blend16(below_800, s.splat(0xFF), first);
    let fields = s.split16(s.and(units, s.splat16(0x0FFF)));
    let one = s.or(fields, s.splat16(0x00FF));
    let header = s.blend16(below_800, s.splat16(0x80C0), s.splat16(0x8080));
    let more = s.or(s.and(fields, s.splat16(0x3F3F)), header);
    (first, s.blend16(s.le16(units, 0x7F), one, more))
}

/// The bytes of scalar values in lanes of 32 bits, for [`Simd::emit_quads`].
#[inline(always)]
pub(super) fn quads<S: Simd>(s: S, units: S::V) -> S::V {
    let two = s.gt32(units, 0x7F);
    let (three, four) = (s.gt32(units, 0x7FF), s.gt32(units, 0xFFFF));
    let fields = s.and(s.sixes(units), s.select32(two, s.splat(0x3F), s.splat(0xFF)));
    let header = s.select32(two, s.splat32(0x80C0_FFFF), s.splat32(0x00FF_FFFF));
    let header = s.select32(three, s.splat32(0x8080_E0FF), header);
    let header = s.select32(four, s.splat32(0x8080_80F0), header);
    s.or(fields, header)
}
