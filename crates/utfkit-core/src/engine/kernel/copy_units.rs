//! UTF-16 to UTF-16 and UTF-32 to UTF-32: a copy, strict or with U+FFFD.
//!
//! # The idea
//!
//! Source and destination have the same length, so that no block waits for another. A block
//! without surrogates is stored as it was loaded. In others, masks tell which are unpaired, by
//! the same block loaded a unit earlier and later, and no state is kept between blocks. In
//! UTF-32 no unit depends on another.

use super::lanes::any_same16;
use super::utf32::{self, STEP, last_step, pair_len};
use super::validate_utf16::error_of;
use super::window::{Around, BLOCK, Edge, inner, store_block};
use crate::engine::memory::{Aligned, copy_short};
use crate::engine::progress::{OnError, Packed, Progress};
use crate::engine::simd::dispatch::{Kernel, run};
use crate::engine::simd::ops::Simd;
use utfkit_forms::scalar::bytes::{Little, Unit};
use utfkit_forms::scalar::utf16::{is_high, is_low};

/// Copies UTF-16 (an odd byte at the end of `src` is not read).
///
/// Strict: the longest well-formed prefix of `src` that fits. With replacement,
/// a high surrogate at the end of `src` becomes U+FFFD like any other without
/// its other half.
#[inline]
pub(crate) fn utf16_to_utf16(src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
    run::<Units16>(&src[..src.len() & !1], dst, on_error)
}

/// Copies UTF-32; one to three bytes at the end of `src` are not read.
#[inline]
pub(crate) fn utf32_to_utf32(src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
    run::<Units32>(&src[..src.len() & !3], dst, on_error)
}

struct Units16;

impl Kernel for Units16 {
    type Arg = OnError;
    type Output = Packed;
    const WIDEST: usize = 32;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
        let (len, replaced) = copy16(s, src, dst, on_error);
        Progress { read: len, written: len, replaced }.into()
    }
}

struct Units32;

impl Kernel for Units32 {
    type Arg = OnError;
    type Output = Packed;
    const WIDEST: usize = 32;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
        let (len, replaced) = copy32(s, src, dst, on_error);
        Progress { read: len, written: len, replaced }.into()
    }
}

/// Offsets in a window.
const PREV: usize = 0;
const OWN: usize = 2;
const NEXT: usize = 4;

/// The bytes converted, and whether any were replaced.
#[inline(always)]
fn copy16<S: Simd>(s: S, src: &[u8], dst: &mut [u8], on_error: OnError) -> (usize, bool) {
    let end = src.len().min(dst.len()) & !1;
    let mut replaced = false;
    let mut at = 0;
    while at < end {
        // Blocks inside of both.
        while let Some(window) = inner(src, at, OWN)
            && let Some(out) = dst.get_mut(at..).and_then(|rest| rest.first_chunk_mut())
        {
            let len = block(s, window, BLOCK, out, on_error, &mut replaced);
            if len < BLOCK {
                return (at + len, replaced);
            }
            at += BLOCK;
        }
        if at >= end {
            break;
        }
        // A block at an end of one of them.
        let there = BLOCK.min(end - at);
        let Aligned(out) = &mut Aligned([0; BLOCK]);
        let len = block(s, &Edge::<S, OWN>::at(s, src, at), there, out, on_error, &mut replaced);
        copy_short(&out[..len], &mut dst[at..]);
        at += len;
        if len < there {
            return (at, replaced);
        }
    }
    // Of a pair of which only one half fits, none.
    if at < src.len() && at > 0 && is_low(unit(&src[at..])) && is_high(unit(&src[at - 2..])) {
        at -= 2;
    }
    (at, replaced)
}

/// The first unit of `bytes`.
#[inline(always)]
fn unit(bytes: &[u8]) -> u16 {
    u16::read::<Little>(bytes)
}

/// The units of the block, or their neighbours, whose upper six bits equal those of `surrogate`, a bit each.
#[inline(always)]
fn halves<S: Simd, const WHICH: usize>(s: S, window: &impl Around<S>, surrogate: u16) -> u64 {
    let mut bits = 0;
    for part in 0..BLOCK / S::LANES {
        let upper = s.and(window.load::<WHICH>(s, part * S::LANES), s.splat16(0xFC00));
        bits |= s.bits::<16>(s.same::<16>(upper, s.splat16(surrogate))) << (part * S::LANES / 2);
    }
    bits
}

/// True if all surrogates of the block, and the one before it, are paired: fewer operations than
/// finding the unpaired ones.
#[inline(always)]
fn all_paired<S: Simd>(s: S, window: &impl Around<S>) -> bool {
    let front = window.front();
    let mut errors = s.splat(0);
    for part in 0..BLOCK / S::LANES {
        let (own, next) = (window.load::<OWN>(s, part * S::LANES), window.load::<NEXT>(s, part * S::LANES));
        errors = s.or(errors, error_of(s, own, next));
    }
    !s.any_nonzero(errors) && is_high(unit(&front[PREV..])) == is_low(unit(&front[OWN..]))
}

/// Converts the first `there` bytes of a block. Returns the bytes converted, all unless an unpaired
/// surrogate stops the conversion.
#[inline(always)]
fn block<S: Simd>(
    s: S,
    window: &impl Around<S>,
    there: usize,
    out: &mut [u8; BLOCK],
    on_error: OnError,
    replaced: &mut bool,
) -> usize {
    let mut surrogates = false;
    for part in 0..BLOCK / S::LANES {
        let own = window.load::<OWN>(s, part * S::LANES);
        surrogates |= any_same16(s, s.and(own, s.splat16(0xF800)), s.splat16(0xD800));
    }
    let mut error = 0;
    if surrogates && !all_paired(s, window) {
        let lone_high = halves::<S, OWN>(s, window, 0xD800) & !halves::<S, NEXT>(s, window, 0xDC00);
        let lone_low = halves::<S, OWN>(s, window, 0xDC00) & !halves::<S, PREV>(s, window, 0xD800);
        error = (lone_high | lone_low) & ((1 << (there / 2)) - 1);
    }
    // All loads precede all stores: a load waits for an earlier store at the same offset in
    // another page.
    if error == 0 || on_error == OnError::Stop {
        store_block::<S, OWN>(s, window, out);
        return if error == 0 { there } else { 2 * error.trailing_zeros() as usize };
    }
    *replaced = true;
    for part in 0..BLOCK / S::LANES {
        let own = window.load::<OWN>(s, part * S::LANES);
        let mended = s.select::<16>(s.cond::<16>(error >> (part * S::LANES / 2)), s.splat16(0xFFFD), own);
        s.store(mended, out, part * S::LANES);
    }
    there
}

/// The bytes converted, and whether any were replaced.
#[inline(always)]
fn copy32<S: Simd>(s: S, src: &[u8], dst: &mut [u8], on_error: OnError) -> (usize, bool) {
    let end = src.len().min(dst.len()) & !3;
    let mut replaced = false;
    let mut at = 0;
    // Steps inside of both.
    while let Some(units) = src[at..].first_chunk()
        && let Some(out) = dst.get_mut(at..).and_then(|rest| rest.first_chunk_mut())
    {
        let len = step(s, units, STEP, out, on_error, &mut replaced);
        if len < STEP {
            return (at + len, replaced);
        }
        at += STEP;
    }
    // Steps at an end of one of them.
    while at < end {
        let there = STEP.min(end - at);
        let Aligned(out) = &mut Aligned([0; STEP]);
        let len = step(s, &last_step(&src[at..at + there]).0, there, out, on_error, &mut replaced);
        copy_short(&out[..len], &mut dst[at..]);
        at += len;
        if len < there {
            break;
        }
    }
    (at, replaced)
}

/// [`block`] for a step of UTF-32; the bytes after `there` are zeros.
#[inline(always)]
fn step<S: Simd>(
    s: S,
    units: &[u8; STEP],
    there: usize,
    out: &mut [u8; STEP],
    on_error: OnError,
    replaced: &mut bool,
) -> usize {
    for i in 0..STEP / pair_len::<S>() {
        let mut pair = [utf32::load(s, units, 2 * i), utf32::load(s, units, 2 * i + 1)];
        let mut len = pair_len::<S>();
        let error = utf32::errors(s, pair);
        if error != 0 {
            (pair, len) = utf32::mend(s, pair, error, on_error, replaced);
        }
        for (j, &v) in pair.iter().enumerate() {
            s.store(v, out, (2 * i + j) * S::LANES);
        }
        if len < pair_len::<S>() {
            return i * pair_len::<S>() + len;
        }
    }
    there
}
