//! UTF-16 to UTF-16 and UTF-32 to UTF-32: the same units again, strict or with
//! U+FFFD.
//!
//! # The idea
//!
//! What is read and what is written are always as long, so that there is one
//! place for both, and no block waits for another. A block without surrogates
//! is stored as it was loaded. Where there are some, masks say which have no
//! other half: what stands beside a unit is the same block loaded a unit
//! earlier or later, and no state is kept between blocks. Of UTF-32 no unit
//! bears on another.

use super::utf32::{self, STEP, last_step, pair_len};
use super::validate_utf16::fault_of;
use super::window::{Around, BLOCK, Window, inner, padded};
use super::{OnError, Progress};
use crate::engine::memory::copy_short;
use crate::engine::scalar::bytes::{Little, Unit};
use crate::engine::scalar::utf16::{is_high, is_low};
use crate::engine::simd::dispatch::{Kernel, run};
use crate::engine::simd::ops::Simd;

/// Copies UTF-16 (an odd byte at the end of `src` is not read).
///
/// Strict: the longest well-formed prefix of `src` that fits. With replacement,
/// a high surrogate at the end of `src` becomes U+FFFD like any other without
/// its other half.
#[inline]
pub(crate) fn utf16_to_utf16(src: &[u8], dst: &mut [u8], on_error: OnError) -> Progress {
    run(Units16 { src: &src[..src.len() & !1], dst, on_error }).unwrap_or_default()
}

/// The same for UTF-32 (one to three bytes at the end of `src` that are not a
/// unit are not read).
#[inline]
pub(crate) fn utf32_to_utf32(src: &[u8], dst: &mut [u8], on_error: OnError) -> Progress {
    run(Units32 { src: &src[..src.len() & !3], dst, on_error }).unwrap_or_default()
}

struct Units16<'a> {
    src: &'a [u8],
    dst: &'a mut [u8],
    on_error: OnError,
}

impl Kernel for Units16<'_> {
    type Output = Progress;

    #[inline(always)]
    fn vector<S: Simd>(self, s: S) -> Progress {
        let (len, replaced) = copy16(s, self.src, self.dst, self.on_error);
        Progress { read: len, written: len, replaced }
    }
}

struct Units32<'a> {
    src: &'a [u8],
    dst: &'a mut [u8],
    on_error: OnError,
}

impl Kernel for Units32<'_> {
    type Output = Progress;

    #[inline(always)]
    fn vector<S: Simd>(self, s: S) -> Progress {
        let (len, replaced) = copy32(s, self.src, self.dst, self.on_error);
        Progress { read: len, written: len, replaced }
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
        // A block inside of both, or one at an end of one of them.
        let (at_end, mut scarce);
        let there = BLOCK.min(end - at);
        let window = match inner(src, at, OWN) {
            Some(window) => window,
            None => {
                at_end = padded(src, at, OWN);
                &at_end
            }
        };
        let (out, fits) = match dst.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
            Some(out) => (out, true),
            None => {
                scarce = [0; BLOCK];
                (&mut scarce, false)
            }
        };
        let len = block(s, window, there, out, on_error, &mut replaced);
        if !fits {
            let out = *out;
            copy_short(&out[..len], &mut dst[at..]);
        }
        if len < there {
            return (at + len, replaced);
        }
        at += there;
    }
    // Of a pair of which only one half fits, none.
    let low = |at: usize| is_low(u16::read::<Little>(&src[at..]));
    let high = |at: usize| is_high(u16::read::<Little>(&src[at..]));
    if at < src.len() && at > 0 && low(at) && high(at - 2) {
        at -= 2;
    }
    (at, replaced)
}

/// The units of the block, or those beside them, whose upper six bits are those
/// of `surrogate`: a bit a unit.
#[inline(always)]
fn halves<S: Simd>(s: S, window: &Window, surrogate: u16, offset: usize) -> u64 {
    let mut bits = 0;
    for part in 0..BLOCK / S::LANES {
        let upper = s.and(window.load(s, offset + part * S::LANES), s.splat16(0xFC00));
        bits |= s.eq16(upper, s.splat16(surrogate)) << (part * S::LANES / 2);
    }
    bits
}

/// Whether each surrogate of the block, and the one before it, has its other
/// half. That takes fewer operations than to say which has not.
#[inline(always)]
fn all_paired<S: Simd>(s: S, window: &Window) -> bool {
    let mut faults = s.splat(0);
    for part in 0..BLOCK / S::LANES {
        let (own, next) = (window.load(s, OWN + part * S::LANES), window.load(s, NEXT + part * S::LANES));
        faults = s.or(faults, fault_of(s, own, next));
    }
    !s.any(s.nonzero(faults))
        && is_high(u16::read::<Little>(&window[PREV..])) == is_low(u16::read::<Little>(&window[OWN..]))
}

/// Converts the first `there` bytes of a block. Answers with how many: fewer
/// only if something is ill-formed there and that is to stop the conversion.
#[inline(always)]
fn block<S: Simd>(
    s: S,
    window: &Window,
    there: usize,
    out: &mut [u8; BLOCK],
    on_error: OnError,
    replaced: &mut bool,
) -> usize {
    let mut surrogates = false;
    for part in 0..BLOCK / S::LANES {
        let own = window.load(s, OWN + part * S::LANES);
        surrogates |= s.any_eq16(s.and(own, s.splat16(0xF800)), s.splat16(0xD800));
        s.store(own, out, part * S::LANES);
    }
    if !surrogates || all_paired(s, window) {
        return there;
    }
    let lone_high = halves(s, window, 0xD800, OWN) & !halves(s, window, 0xDC00, NEXT);
    let lone_low = halves(s, window, 0xDC00, OWN) & !halves(s, window, 0xD800, PREV);
    let fault = (lone_high | lone_low) & ((1 << (there / 2)) - 1);
    if fault == 0 {
        return there;
    }
    if on_error == OnError::Stop {
        return 2 * fault.trailing_zeros() as usize;
    }
    *replaced = true;
    for part in 0..BLOCK / S::LANES {
        let own = window.load(s, OWN + part * S::LANES);
        let mended = s.select16(fault >> (part * S::LANES / 2), s.splat16(0xFFFD), own);
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
    while at < end {
        // A step inside of both, or one at an end of one of them.
        let (at_end, mut scarce);
        let there = STEP.min(end - at);
        let units = match src[at..at + there].first_chunk() {
            Some(units) => units,
            None => {
                at_end = last_step(&src[at..at + there]);
                &at_end
            }
        };
        let (out, fits) = match dst.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
            Some(out) => (out, true),
            None => {
                scarce = [0; STEP];
                (&mut scarce, false)
            }
        };
        let len = step(s, units, there, out, on_error, &mut replaced);
        if !fits {
            let out = *out;
            copy_short(&out[..len], &mut dst[at..]);
        }
        if len < there {
            return (at + len, replaced);
        }
        at += there;
    }
    (at, replaced)
}

/// Converts the first `there` bytes of a step; zeros stand after them. Returns
/// what [`block`] does.
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
        let fault = utf32::faults(s, pair);
        if fault != 0 {
            (pair, len) = utf32::mend(s, pair, fault, on_error, replaced);
        }
        s.store(pair[0], out, 2 * i * S::LANES);
        s.store(pair[1], out, (2 * i + 1) * S::LANES);
        if len < pair_len::<S>() {
            return i * pair_len::<S>() + len;
        }
    }
    there
}
