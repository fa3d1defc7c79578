//! UTF-16 to UTF-8 of a string: some blocks, without what has to be made ready for more.
//!
//! With masks a register is loaded, converted and stored by itself:
//!
//! ```text
//! below U+0800     pairs of bytes, also for US-ASCII
//! no surrogates    each unit as one lane of 32 bits
//! surrogates       the same; the lane of a high half has the character, that of a low one nothing
//! ```

use super::to_utf8::{Kind, emit, emit_pairs_within, quads};
use super::utf16_to_utf8::{block_within, half, short_ascii};
use super::window::BLOCK;
use super::{Otherwise, few, go_on};
use crate::engine::memory::{Aligned, copy_short};
use crate::engine::scalar::bytes::{Little, Unit};
use crate::engine::scalar::utf16::is_high;
use crate::engine::simd::dispatch::{Kernel, compiled_here, has_masks, run};
use crate::engine::simd::ops::Simd;
use crate::error::Error;

/// Converts a short source to its end, without what has to be made ready for a
/// long one. Returns the bytes written.
#[inline(always)]
pub(crate) fn short(src: &[u8], dst: &mut [u8], otherwise: Otherwise) -> Result<usize, Error> {
    // Masked loads and stores where no memory is are slow, even of nothing.
    if src.is_empty() {
        return Ok(0);
    }
    if src.len() > BLOCK || !src.len().is_multiple_of(2) {
        blocks(src, dst, otherwise)
    } else if src.len() <= few::UTF16 && !has_masks() {
        few::utf16_to_utf8(src, dst, otherwise)
    } else {
        run::<Block>(src, dst, otherwise, go_on)
    }
}

/// The same of more than a block, and of what is not US-ASCII without masks. Not inlined into
/// callers.
#[inline(never)]
pub(super) fn blocks(src: &[u8], dst: &mut [u8], otherwise: Otherwise) -> Result<usize, Error> {
    if src.len() <= SHORT && src.len().is_multiple_of(2) {
        run::<Blocks>(src, dst, otherwise, go_on)
    } else {
        otherwise(src, dst)
    }
}

/// The bytes of the longest source that is short.
const SHORT: usize = 8 * BLOCK;

/// One block, without masks only of US-ASCII. As few registers as can be: those that a
/// function has to save would take a short source as long as its conversion.
struct Block;

impl Kernel for Block {
    type Arg = Otherwise;
    type Output = Result<usize, Error>;
    compiled_here!(Block, Otherwise, Result<usize, Error>);

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], otherwise: Otherwise) -> Result<usize, Error> {
        if !S::MASKS {
            return match short_ascii(s, src, dst) {
                Some(written) => Ok(written),
                None => blocks(src, dst, otherwise),
            };
        }
        let whole = src.len() <= BLOCK;
        match if whole { register_within(s, s.load_front(src), src.len(), dst, true) } else { None } {
            Some(written) => Ok(written),
            None => otherwise(src, dst),
        }
    }
}

/// Two blocks below U+0800.
#[inline(always)]
fn two_within<S: Simd>(s: S, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    let (a, b) = two(s, src);
    if s.any_of16(s.or(a, b), 0xF800) {
        return None;
    }
    let written = two_of_pairs(s, a, b, dst)? - (2 * BLOCK - src.len()) / 2;
    (written <= dst.len()).then_some(written)
}

/// Up to two blocks, and zeros after them.
#[inline(always)]
fn two<S: Simd>(s: S, src: &[u8]) -> (S::V, S::V) {
    let (first, second) = src.split_at(src.len().min(BLOCK));
    (s.load_front(first), s.load_front(second))
}

/// Zeros become one byte each.
#[inline(always)]
fn two_of_pairs<S: Simd>(s: S, a: S::V, b: S::V, dst: &mut [u8]) -> Option<usize> {
    let written = emit_pairs_within(s, a, dst);
    Some(written + emit_pairs_within(s, b, dst.get_mut(written..)?))
}

/// Three or four blocks below U+0800. US-ASCII is written to where the last two begin that
/// go back from the end.
#[inline(always)]
fn four_within<S: Simd>(s: S, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    let (first, last) = (src.first_chunk::<128>()?, src.last_chunk::<128>()?);
    let (a, b) = (s.load(first, 0), s.load(first, BLOCK));
    let (c, d) = (s.load(last, 0), s.load(last, BLOCK));
    let all = s.or(s.or(a, b), s.or(c, d));
    if s.any_of16(all, 0xF800) {
        return None;
    }
    if s.any_of16(all, 0xFF80) {
        let written = two_of_pairs(s, a, b, dst)?;
        let (c, d) = two(s, &src[2 * BLOCK..]);
        let written = written + two_of_pairs(s, c, d, dst.get_mut(written..)?)? - (4 * BLOCK - src.len()) / 2;
        return (written <= dst.len()).then_some(written);
    }
    let dst = dst.get_mut(..src.len() / 2)?;
    let at = dst.len().checked_sub(BLOCK)?;
    s.narrow(a, dst, 0);
    s.narrow(b, dst, BLOCK / 2);
    s.narrow(c, dst, at);
    s.narrow(d, dst, at + BLOCK / 2);
    Some(dst.len())
}

/// Any text.
struct Blocks;

impl Kernel for Blocks {
    type Arg = Otherwise;
    type Output = Result<usize, Error>;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], otherwise: Otherwise) -> Result<usize, Error> {
        match some_blocks(s, src, dst) {
            Some(written) => Ok(written),
            None => otherwise(src, dst),
        }
    }
}

/// Without masks: register after register, and by blocks what has surrogates or is better written
/// at once. Returns the bytes written.
#[inline(always)]
fn some_registers<S: Simd>(s: S, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    let (mut rest, mut written) = (src, 0);
    while !rest.is_empty() {
        let (own, after) = rest.split_at(rest.len().min(S::LANES));
        let space = dst.get_mut(written..)?;
        let units = s.load_front(own);
        let kind = if S::BY_BLOCKS { Kind::Other } else { kind_of(s, units) };
        if kind == Kind::Other {
            let (own, after) = rest.split_at(block_len(rest));
            written += block_within::<S, false>(s, own, space, true)?;
            rest = after;
            continue;
        }
        // Zeros become one byte each.
        let padding = (S::LANES - own.len()) / 2;
        written += if space.len() >= 2 * S::LANES {
            emit(s, kind, units, space, 0) - padding
        } else {
            let Aligned(out) = &mut Aligned([0; BLOCK]);
            let bytes = emit(s, kind, units, out, 0) - padding;
            copy_short(&out[..bytes], space.get_mut(..bytes)?);
            bytes
        };
        rest = after;
    }
    Some(written)
}

/// The kind of the units of one register.
#[inline(always)]
fn kind_of<S: Simd>(s: S, units: S::V) -> Kind {
    if !s.any_of16(units, 0xFF80) {
        Kind::Ascii
    } else if !s.any_of16(units, 0xF800) {
        Kind::Pairs
    } else if s.any_eq16(s.and(units, s.splat16(0xF800)), s.splat16(0xD800)) {
        Kind::Other
    } else {
        Kind::Triples
    }
}

#[inline(always)]
fn some_blocks<S: Simd>(s: S, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    let written = match src.len() {
        ..=128 if S::MASKS => two_within(s, src, dst),
        129..=256 if S::MASKS => four_within(s, src, dst),
        len if len > BLOCK && are_ends_ascii(s, src) => short_ascii(s, src, dst),
        _ => None,
    };
    if written.is_some() {
        return written;
    }
    if !S::MASKS {
        return if S::BY_BLOCKS && src.len() > 2 * BLOCK { None } else { some_registers(s, src, dst) };
    }
    let (mut rest, mut written) = (src, 0);
    while !rest.is_empty() {
        let (own, after) = rest.split_at(block_len(rest));
        written += register_within(s, s.load_front(own), own.len(), dst.get_mut(written..)?, true)?;
        rest = after;
    }
    Some(written)
}

/// The ends tell of most texts that they are something else.
#[inline(always)]
fn are_ends_ascii<S: Simd>(s: S, src: &[u8]) -> bool {
    !s.any_of16(s.or(s.load(src, 0), s.load(src, src.len() - S::LANES)), 0xFF80)
}

/// The bytes of the block at the front of `src`, which does not end within a pair.
#[inline(always)]
fn block_len(src: &[u8]) -> usize {
    match src.get(BLOCK - 2..) {
        Some(last @ [_, _, _, ..]) if is_high(u16::read::<Little>(last)) => BLOCK - 2,
        _ => src.len().min(BLOCK),
    }
}

/// Converts the units of one register, after which zeros stand, with masks: `len` bytes,
/// after something that is not a high surrogate. Returns the bytes written, or `None` if it is
/// ill-formed or ends within a pair, has surrogates but may not, or does not fit.
///
/// Strings come in no order: US-ASCII has no way of its own, because the question takes
/// longer than what it saves where some are and some are not.
#[inline(always)]
pub(super) fn register_within<S: Simd>(
    s: S,
    units: S::V,
    len: usize,
    dst: &mut [u8],
    surrogates: bool,
) -> Option<usize> {
    let written = if !s.any_of16(units, 0xF800) {
        // Zeros become one byte each.
        emit_pairs_within(s, units, dst) - (S::LANES - len) / 2
    } else if !s.any_eq16(s.and(units, s.splat16(0xF800)), s.splat16(0xD800)) {
        halves_within(s, units, None, len, dst)
    } else if surrogates {
        halves_within(s, units, Some(Halves::new(s, units)?), len, dst)
    } else {
        return None;
    };
    (written <= dst.len()).then_some(written)
}

/// What is known of units with surrogates, each of which has its other half.
struct Halves<S: Simd> {
    /// The unit after each.
    next: S::V,
    high: u64,
    low: u64,
}

impl<S: Simd> Halves<S> {
    #[inline(always)]
    fn new(s: S, units: S::V) -> Option<Halves<S>> {
        let (high, low) = (s.bits16(half(s, units, 0xD800)), s.bits16(half(s, units, 0xDC00)));
        (high << 1 == low).then_some(Halves { next: s.across::<2>(units, s.splat(0)), high, low })
    }
}

/// Writes the lower and, if there are so many as `len` bytes, the upper half of a register
/// of units, in lanes of 32 bits.
#[inline(always)]
fn halves_within<S: Simd>(s: S, units: S::V, halves: Option<Halves<S>>, len: usize, dst: &mut [u8]) -> usize {
    let lower = s.emit_quads_within(lanes::<S, false>(s, units, &halves), dst);
    if len <= S::LANES / 2 {
        return lower - (S::LANES / 2 - len) / 2;
    }
    let dst = dst.get_mut(lower..).unwrap_or_default();
    lower + s.emit_quads_within(lanes::<S, true>(s, units, &halves), dst) - (S::LANES - len) / 2
}

/// The bytes of the lower (`UPPER`: upper) half, for [`Simd::emit_quads`]: those of a pair
/// where its high half is.
#[inline(always)]
fn lanes<S: Simd, const UPPER: bool>(s: S, units: S::V, halves: &Option<Halves<S>>) -> S::V {
    let own = s.spread::<UPPER>(units);
    let Some(Halves { next, high, low }) = halves else { return quads(s, own, false) };
    let from = if UPPER { S::LANES / 4 } else { 0 };
    let headers = s.splat32(0x1_0000_u32.wrapping_sub((0xD800 << 10) + 0xDC00));
    let sum = s.add32(s.shl32::<10>(own), s.add32(s.spread::<UPPER>(*next), headers));
    let bytes = quads(s, s.select32(s.cond32(high >> from), sum, own), true);
    s.select32(s.cond32(low >> from), s.splat(0xFF), bytes)
}
