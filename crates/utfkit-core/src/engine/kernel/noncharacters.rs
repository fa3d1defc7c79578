//! Noncharacters in UTF-8 that is known to be well-formed.
//!
//! There the last three bytes tell a noncharacter. After a byte that ends in
//! the bits 1111, two bytes BF BE or BF BF end one of the last two code points
//! of a plane: that byte is the lead EF, or the second of four, which is 8F,
//! 9F, AF or BF. EF B7 and a byte from 90 to AF are U+FDD0 to U+FDEF.
//!
//! Blocks are loaded again, one and two bytes earlier, so that each byte is
//! judged with those before it and no place in the text needs care. Groups of
//! them are only asked a cheaper question first, about two bytes: whether they
//! end a plane, or are the EF B7 of the others.

use super::lanes::nonzero;
use super::validate_utf8::{GROUP, is_ascii_group};
use super::window::BLOCK;
use crate::engine::simd::dispatch::{Kernel, run};
use crate::engine::simd::ops::Simd;

/// Where the last byte of the first noncharacter is in `src`, which is
/// well-formed: of U+FFFE and U+FFFF, or of `all`. The outer `None` says that
/// there is no kernel.
#[inline]
pub(crate) fn first_end(src: &[u8], all: bool) -> Option<Option<usize>> {
    run::<FirstEnd>(src, &mut [], all)
}

struct FirstEnd;

impl Kernel for FirstEnd {
    /// True to search for all noncharacters, false for U+FFFE and U+FFFF.
    type Arg = bool;
    type Output = Option<Option<usize>>;
    const WIDEST: usize = 32;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], _: &mut [u8], all: bool) -> Option<Option<usize>> {
        Some(find(s, src, all))
    }
}

/// Examines the first block, then groups in step with validation, then the end.
#[inline(always)]
fn find<S: Simd>(s: S, src: &[u8], all: bool) -> Option<usize> {
    // Nothing ends in the first two bytes.
    let mut at = 2;
    loop {
        let len = if at == 2 { BLOCK } else { GROUP };
        let piece = src.get(at - 2..src.len().min(at + len))?;
        let may_end_here = if piece.len() == 2 + GROUP {
            !is_ascii_group(s, &piece[2..]) && is_suspect(s, piece, all)
        } else {
            // Of a few bytes it is as quick to look at once.
            piece.len() <= BLOCK || !is_ascii(s, piece)
        };
        // EF B7 at the end of this piece is not seen in the next one.
        if may_end_here && let Some(end) = exactly(s, &src[at - 2..src.len().min(at + len + 1)], all) {
            return Some(at + end);
        }
        if at + len >= src.len() {
            return None;
        }
        at = if at == 2 { BLOCK } else { at + GROUP };
    }
}

#[inline(always)]
fn is_ascii<S: Simd>(s: S, bytes: &[u8]) -> bool {
    let mut all = s.load_padded(bytes, 0);
    let mut at = S::LANES;
    while at < bytes.len() {
        all = s.or(all, s.load_padded(bytes, at));
        at += S::LANES;
    }
    !s.any_msb(all)
}

/// True if the group may have the last two bytes of a noncharacter or the EF B7 of one. It is
/// preceded by two bytes.
#[inline(always)]
fn is_suspect<S: Simd>(s: S, group: &[u8], all: bool) -> bool {
    // BF, and of all also EF, AF and FF, become FF; the last byte BE and BF,
    // and of all also B6, B7 and F6 to FF. The others are rare after each
    // other.
    let (by_second, by_last) = if all { (0x50, 0x49) } else { (0x40, 0x41) };
    let mut found = s.splat(0);
    for part in 0..GROUP / S::LANES {
        let second = s.or(s.load(group, part * S::LANES + 1), s.splat(by_second));
        let last = s.or(s.load(group, part * S::LANES + 2), s.splat(by_last));
        // Only FF leaves something.
        found = s.or(found, s.saturating_sub(s.and(second, last), s.splat(0xFE)));
    }
    s.any_nonzero(found)
}

/// Where the first noncharacter ends in `bytes`, counted from the third one.
#[inline(always)]
fn exactly<S: Simd>(s: S, bytes: &[u8], all: bool) -> Option<usize> {
    let mut at = 0;
    let mut third = s.load_padded(bytes, 0);
    while at + 2 < bytes.len() {
        let next = if at + S::LANES < bytes.len() { s.load_padded(bytes, at + S::LANES) } else { s.splat(0) };
        let found =
            s.bits::<8>(nonzero(s, ends(s, third, s.across::<1>(third, next), s.across::<2>(third, next), all)));
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize);
        }
        third = next;
        at += S::LANES;
    }
    None
}

/// 1 in the lanes where a noncharacter ends, 0 elsewhere.
#[inline(always)]
fn ends<S: Simd>(s: S, third: S::V, second: S::V, last: S::V, all: bool) -> S::V {
    let one = s.splat(1);
    // Each is 0 where the byte is the one looked for.
    let bf = s.xor(second, s.splat(0xBF));
    let be_or_bf = s.xor(s.or(last, one), s.splat(0xBF));
    let ef = s.xor(third, s.splat(0xEF));
    if !all {
        return s.saturating_sub(one, s.or(ef, s.or(bf, be_or_bf)));
    }
    let ends_in_f = s.xor(s.or(third, s.splat(0xF0)), s.splat(0xFF));
    let of_plane = s.saturating_sub(one, s.or(ends_in_f, s.or(bf, be_or_bf)));
    let b7 = s.xor(second, s.splat(0xB7));
    // 90 to AF, moved to 00 to 1F.
    let in_range = s.and(s.add::<8>(last, s.splat(0x90u8.wrapping_neg())), s.splat(0xE0));
    s.or(of_plane, s.saturating_sub(one, s.or(ef, s.or(b7, in_range))))
}
