//! UTF-16 to UTF-16 and UTF-32 to UTF-32: the same units in the other byte
//! order, or in the same one, strict or with U+FFFD.
//!
//! # The idea
//!
//! What is read and what is written are always as long, so that there is one
//! place for both, and no block waits for another. A block without surrogates
//! is stored as it was loaded, its bytes swapped. Where there are some, masks
//! say which have no other half: what stands beside a unit is the same block
//! loaded a unit earlier or later, and no state is kept between blocks. Of
//! UTF-32 no unit bears on another.

use core::marker::PhantomData;

use super::utf32::{self, STEP, last_step, pair_len};
use super::validate_utf16::fault_of;
use super::window::{Around, BLOCK, Edge, inner};
use super::{OnFault, Progress};
use crate::engine::memory::copy_short;
use crate::engine::scalar::bytes::{Order, Unit};
use crate::engine::scalar::utf16::{is_high, is_low};
use crate::engine::simd::dispatch::{Kernel, run};
use crate::engine::simd::ops::Simd;

/// Converts UTF-16 in the byte order `I` to the byte order `O` (an odd byte at
/// the end of `src` is not read).
///
/// Strict: the longest well-formed prefix of `src` that fits. With replacement,
/// a high surrogate at the end of `src` becomes U+FFFD like any other without
/// its other half.
#[inline]
pub(crate) fn utf16_to_utf16<I: Order, O: Order, F: OnFault>(src: &[u8], dst: &mut [u8]) -> Progress {
    run(Units16::<I, O, F> { src: &src[..src.len() & !1], dst, params: PhantomData })
}

/// The same for UTF-32 (one to three bytes at the end of `src` that are no unit
/// are not read).
#[inline]
pub(crate) fn utf32_to_utf32<I: Order, O: Order, F: OnFault>(src: &[u8], dst: &mut [u8]) -> Progress {
    run(Units32::<I, O, F> { src: &src[..src.len() & !3], dst, params: PhantomData })
}

struct Units16<'a, I, O, F> {
    src: &'a [u8],
    dst: &'a mut [u8],
    params: PhantomData<(I, O, F)>,
}

impl<I: Order, O: Order, F: OnFault> Kernel for Units16<'_, I, O, F> {
    type Output = Progress;

    #[inline(always)]
    fn vector<S: Simd>(self, s: S) -> Progress {
        let (len, replaced) = reorder16::<S, I, O, F>(s, self.src, self.dst);
        Progress { read: len, written: len, replaced }
    }

    #[inline]
    fn scalar(self) -> Progress {
        Progress::default()
    }
}

struct Units32<'a, I, O, F> {
    src: &'a [u8],
    dst: &'a mut [u8],
    params: PhantomData<(I, O, F)>,
}

impl<I: Order, O: Order, F: OnFault> Kernel for Units32<'_, I, O, F> {
    type Output = Progress;

    #[inline(always)]
    fn vector<S: Simd>(self, s: S) -> Progress {
        let (len, replaced) = reorder32::<S, I, O, F>(s, self.src, self.dst);
        Progress { read: len, written: len, replaced }
    }

    #[inline]
    fn scalar(self) -> Progress {
        Progress::default()
    }
}

/// Offsets in a window.
const PREV: usize = 0;
const OWN: usize = 2;
const NEXT: usize = 4;

/// The bytes converted, and whether any were replaced.
#[inline(always)]
fn reorder16<S: Simd, I: Order, O: Order, F: OnFault>(s: S, src: &[u8], dst: &mut [u8]) -> (usize, bool) {
    let end = src.len().min(dst.len()) & !1;
    let mut replaced = false;
    let mut at = 0;
    while at < end {
        // Blocks inside of both.
        while let Some(window) = inner(src, at, OWN)
            && let Some(out) = dst.get_mut(at..).and_then(|rest| rest.first_chunk_mut())
        {
            let len = block::<S, I, O, F>(s, window, BLOCK, out, &mut replaced);
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
        let mut out = [0; BLOCK];
        let len = if at == 0 {
            block::<S, I, O, F>(s, &Edge::front(s, src, OWN), there, &mut out, &mut replaced)
        } else {
            block::<S, I, O, F>(s, &Edge::tail(s, src, at, OWN), there, &mut out, &mut replaced)
        };
        copy_short(&out[..len], &mut dst[at..]);
        at += len;
        if len < there {
            return (at, replaced);
        }
    }
    // Of a pair of which only one half has room, none.
    if at < src.len() && at > 0 && is_low(u16::read::<I>(&src[at..])) && is_high(u16::read::<I>(&src[at - 2..])) {
        at -= 2;
    }
    (at, replaced)
}

/// One part of a block, from `offset` in the window on.
#[inline(always)]
fn load<S: Simd, I: Order>(s: S, window: &impl Around<S>, offset: usize, part: usize) -> S::V {
    let v = window.load(s, offset + part * S::LANES);
    if I::BIG { s.swap16(v) } else { v }
}

/// The units of the block, or those beside them, whose upper six bits are those
/// of `surrogate`: a bit a unit.
#[inline(always)]
fn halves<S: Simd, I: Order>(s: S, window: &impl Around<S>, surrogate: u16, offset: usize) -> u64 {
    let mut bits = 0;
    for part in 0..BLOCK / S::LANES {
        let upper = s.and(load::<S, I>(s, window, offset, part), s.splat16(0xFC00));
        bits |= s.eq16(upper, s.splat16(surrogate)) << (part * S::LANES / 2);
    }
    bits
}

/// Whether each surrogate of the block, and the one before it, has its other
/// half. That takes fewer operations than to say which has not.
#[inline(always)]
fn all_paired<S: Simd, I: Order>(s: S, window: &impl Around<S>) -> bool {
    let front = window.front();
    let mut faults = s.splat(0);
    for part in 0..BLOCK / S::LANES {
        let (own, next) = (load::<S, I>(s, window, OWN, part), load::<S, I>(s, window, NEXT, part));
        faults = s.or(faults, fault_of(s, own, next));
    }
    !s.any(s.nonzero(faults)) && is_high(u16::read::<I>(&front)) == is_low(u16::read::<I>(&front[OWN..]))
}

/// Converts the first `there` bytes of a block. Answers with how many: fewer
/// only if something is ill-formed there and that is to stop the conversion.
#[inline(always)]
fn block<S: Simd, I: Order, O: Order, F: OnFault>(
    s: S,
    window: &impl Around<S>,
    there: usize,
    out: &mut [u8; BLOCK],
    replaced: &mut bool,
) -> usize {
    let mut surrogates = false;
    for part in 0..BLOCK / S::LANES {
        let own = load::<S, I>(s, window, OWN, part);
        surrogates |= s.any_eq16(s.and(own, s.splat16(0xF800)), s.splat16(0xD800));
        s.store(if O::BIG { s.swap16(own) } else { own }, out, part * S::LANES);
    }
    if !surrogates || all_paired::<S, I>(s, window) {
        return there;
    }
    let lone_high = halves::<S, I>(s, window, 0xD800, OWN) & !halves::<S, I>(s, window, 0xDC00, NEXT);
    let lone_low = halves::<S, I>(s, window, 0xDC00, OWN) & !halves::<S, I>(s, window, 0xD800, PREV);
    let fault = (lone_high | lone_low) & ((1 << (there / 2)) - 1);
    if fault == 0 {
        return there;
    }
    if F::STOP {
        return 2 * fault.trailing_zeros() as usize;
    }
    *replaced = true;
    for part in 0..BLOCK / S::LANES {
        let own = load::<S, I>(s, window, OWN, part);
        let mended = s.select16(fault >> (part * S::LANES / 2), s.splat16(0xFFFD), own);
        s.store(if O::BIG { s.swap16(mended) } else { mended }, out, part * S::LANES);
    }
    there
}

/// The bytes converted, and whether any were replaced.
#[inline(always)]
fn reorder32<S: Simd, I: Order, O: Order, F: OnFault>(s: S, src: &[u8], dst: &mut [u8]) -> (usize, bool) {
    let mut replaced = false;
    let mut at = 0;
    // Steps inside of both.
    while let Some(units) = src[at..].first_chunk()
        && let Some(out) = dst.get_mut(at..).and_then(|rest| rest.first_chunk_mut())
    {
        let len = step::<S, I, O, F>(s, units, STEP, out, &mut replaced);
        if len < STEP {
            return (at + len, replaced);
        }
        at += STEP;
    }
    // Steps at an end of one of them.
    let end = src.len().min(dst.len()) & !3;
    while at < end {
        let there = STEP.min(end - at);
        let units = last_step(&src[at..at + there]);
        let mut out = [0; STEP];
        let len = step::<S, I, O, F>(s, &units, there, &mut out, &mut replaced);
        copy_short(&out[..len], &mut dst[at..]);
        at += len;
        if len < there {
            break;
        }
    }
    (at, replaced)
}

/// Converts the first `there` bytes of a step; zeros stand behind them. Answers
/// as [`block`] does.
#[inline(always)]
fn step<S: Simd, I: Order, O: Order, F: OnFault>(
    s: S,
    units: &[u8; STEP],
    there: usize,
    out: &mut [u8; STEP],
    replaced: &mut bool,
) -> usize {
    for i in 0..STEP / pair_len::<S>() {
        let mut pair = [utf32::load::<S, I>(s, units, 2 * i), utf32::load::<S, I>(s, units, 2 * i + 1)];
        let mut len = pair_len::<S>();
        let fault = utf32::faults(s, pair);
        if fault != 0 {
            (pair, len) = utf32::mend::<S, F>(s, pair, fault, replaced);
        }
        let [lower, upper] = pair;
        s.store(if O::BIG { s.swap32(lower) } else { lower }, out, 2 * i * S::LANES);
        s.store(if O::BIG { s.swap32(upper) } else { upper }, out, (2 * i + 1) * S::LANES);
        if len < pair_len::<S>() {
            return i * pair_len::<S>() + len;
        }
    }
    there
}
