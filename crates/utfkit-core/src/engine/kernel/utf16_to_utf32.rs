//! UTF-16 to UTF-32, strict or with U+FFFD, in one pass.
//!
//! # The idea
//!
//! A block is 32 units. Without surrogates each is a value. Otherwise each
//! value is made at its last unit: of a pair that is the low half, which has
//! the high one before it.
//!
//! ```text
//! prev                  own                   value
//!                       zzzzyyyyyyxxxxxx      00000 zzzzyyyy yyxxxxxx
//! 110110vvvvzzzzyy      110111yyyyxxxxxx      uuuuu zzzzyyyy yyxxxxxx    uuuuu = vvvv + 1
//! ```
//!
//! The second is `(prev << 10) + own`, less what the headers and the missing 1
//! have put into that. The high halves are dropped by compressing the rest.
//! A surrogate is judged by its neighbours, so that no state is kept between blocks.

use super::lanes::any_same16;
use super::window::{Around, BLOCK, Edge, Window, inner};
use crate::engine::memory::{Aligned, copy_short};
use crate::engine::progress::{OnError, Packed, Progress};
use crate::engine::simd::dispatch::{Kernel, run};
use crate::engine::simd::ops::Simd;
use utfkit_forms::scalar::bytes::{Little, Unit};
use utfkit_forms::scalar::utf16::{is_high, is_low};

/// Converts from UTF-16 to UTF-32, two bytes of `src` and four of `dst` a unit
/// (an odd one at the end of `src` is not read).
///
/// Strict: the longest well-formed prefix of `src` that fits; what stops it is
/// for the scalar codec to find at the start of the rest, or within the next
/// [`BLOCK`] bytes. With replacement, a high surrogate at the end of `src`
/// becomes U+FFFD like any other without its other half.
#[inline]
pub(crate) fn utf16_to_utf32(src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
    run::<Convert>(&src[..src.len() & !1], dst, on_error)
}

struct Convert;

impl Kernel for Convert {
    type Arg = OnError;
    type Output = Packed;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
        convert(s, src, dst, on_error).into()
    }
}

/// The units of a block.
const UNITS: usize = BLOCK / 2;
/// The bytes that the units of a block may take.
const MOST: usize = 4 * UNITS;
/// The number of blocks after one with pairs that are converted as if they had pairs: a wrong
/// prediction costs more.
const WARY: u32 = 8;
/// Offsets in a window.
const PREV: usize = 0;
const OWN: usize = 2;

#[inline(always)]
fn convert<S: Simd>(s: S, src: &[u8], dst: &mut [u8], on_error: OnError) -> Progress {
    let mut done = Progress::default();
    let mut wary = 0;
    while done.read < src.len() {
        // Blocks inside `src` and with space for a whole block's units.
        while let Some(window) = inner(src, done.read, OWN)
            && let Some(out) = dst.get_mut(done.written..).and_then(|rest| rest.first_chunk_mut())
        {
            if wary == 0 {
                let wide = widen_all(s, &src[done.read..], &mut dst[done.written..]);
                if wide > 0 {
                    done.read += wide;
                    done.written += 2 * wide;
                    continue;
                }
                wary = WARY;
                continue;
            }
            let (read, written) = match paired(s, window, out) {
                Some(written) => (BLOCK, written),
                None => block(s, window, BLOCK, out, on_error, &mut done.replaced),
            };
            done.written += written;
            wary = if written < MOST { WARY } else { wary - 1 };
            if read < BLOCK {
                done.read += read;
                return done;
            }
            // Not `read`: the next address must not depend on the data.
            done.read += BLOCK;
        }
        if done.read >= src.len() {
            break;
        }
        // A block at an end of `src` or of `dst`.
        let there = BLOCK.min(src.len() - done.read);
        let Aligned(out) = &mut Aligned([0; MOST]);
        let mut replaced = done.replaced;
        let window = Edge::<S, OWN>::at(s, src, done.read);
        let (read, written) = block(s, &window, there, out, on_error, &mut replaced);
        let Some(space) = dst.get_mut(done.written..done.written + written) else {
            return back_to_boundary(src, done);
        };
        copy_short(&out[..written], space);
        done = Progress { read: done.read + read, written: done.written + written, replaced };
        if read < there {
            break;
        }
    }
    done
}

/// The progress when the next block did not fit: if it begins with the low
/// half of a pair, up to the high half, for which nothing was written yet.
#[cold]
fn back_to_boundary(src: &[u8], done: Progress) -> Progress {
    let halves = done.read.checked_sub(2).map(|at| (unit(&src[at..]), unit(&src[done.read..])));
    match halves {
        Some((high, low)) if is_high(high) && is_low(low) => Progress { read: done.read - 2, ..done },
        _ => done,
    }
}

/// The first unit of `bytes`.
#[inline(always)]
fn unit(bytes: &[u8]) -> u16 {
    u16::read::<Little>(bytes)
}

/// Converts whole blocks as long as there are no surrogates in them. Returns
/// with the bytes read.
#[inline(always)]
fn widen_all<S: Simd>(s: S, src: &[u8], dst: &mut [u8]) -> usize {
    let mut read = 0;
    for (block, out) in src.chunks_exact(BLOCK).zip(dst.chunks_exact_mut(MOST)) {
        if !widen(s, block, out) {
            break;
        }
        read += BLOCK;
    }
    read
}

/// Writes the units of a block as units of 32 bits, if they are the values: if
/// none of them is a surrogate. Returns whether they are.
#[inline(always)]
fn widen<S: Simd>(s: S, block: &[u8], out: &mut [u8]) -> bool {
    let mut surrogates = false;
    for part in 0..BLOCK / S::LANES {
        let own = s.load(block, part * S::LANES);
        surrogates |= any_same16(s, s.and(own, s.splat16(0xF800)), s.splat16(0xD800));
    }
    if surrogates {
        return false;
    }
    for part in 0..BLOCK / S::LANES {
        let own = s.load(block, part * S::LANES);
        s.store(s.spread::<16, false>(own), out, 2 * part * S::LANES);
        s.store(s.spread::<16, true>(own), out, (2 * part + 1) * S::LANES);
    }
    true
}

/// Converts a block in which every surrogate has its other half, where registers have
/// 16 bytes: with conditions for lanes, of which only one becomes bits. Returns the
/// bytes written.
#[inline(always)]
fn paired<S: Simd>(s: S, window: &Window, out: &mut [u8; MOST]) -> Option<usize> {
    if !S::IS_NARROW {
        return None;
    }
    // That of the last unit, which nothing looks back to.
    if is_high(unit(&window[BLOCK..])) && !is_low(unit(&window[OWN + BLOCK..])) {
        return None;
    }
    let (mut written, mut alone) = (0, false);
    for part in 0..BLOCK / S::LANES {
        let at = part * S::LANES;
        let (own, prev) = (Around::<S>::load::<OWN>(window, s, at), Around::<S>::load::<PREV>(window, s, at));
        let low = halves(s, own, 0xDC00);
        alone |= s.differ(low, halves(s, prev, 0xD800));
        // Both halves of the value: the ten bits of each surrogate, and 10000 more.
        let lower = s.or(s.shl::<16, 10>(prev), s.and(own, s.splat16(0x03FF)));
        let upper = s.add::<16>(s.and(s.shr::<16, 6>(prev), s.splat16(0x000F)), s.splat16(1));
        let keep = !s.bits::<16>(halves(s, own, 0xD800)) & 0xFF;
        written +=
            s.emit_joined(s.select::<16>(low, lower, own), s.select::<16>(low, upper, s.splat(0)), keep, out, written);
    }
    (!alone).then_some(written)
}

/// The lanes that are halves of the kind that begins with `first`.
#[inline(always)]
fn halves<S: Simd>(s: S, units: S::V, first: u16) -> S::C {
    s.same::<16>(s.and(units, s.splat16(0xFC00)), s.splat16(first))
}

/// Converts the first `there` bytes of a block, which zeros follow. Returns the bytes read, all unless
/// an unpaired surrogate stops the conversion, and the bytes written.
#[inline(always)]
fn block<S: Simd>(
    s: S,
    window: &impl Around<S>,
    there: usize,
    out: &mut [u8; MOST],
    on_error: OnError,
    replaced: &mut bool,
) -> (usize, usize) {
    let high = units_where(s, window, 0xD800);
    let low = units_where(s, window, 0xDC00);
    let prev_high = is_high(unit(&window.front()[PREV..]));
    let next_low = is_low(unit(&window.back()));
    let paired_high = high & (low >> 1 | u64::from(next_low) << (UNITS - 1));
    let paired_low = low & (high << 1 | u64::from(prev_high));
    let surrogates = high | low;
    let error = surrogates & !paired_high & !paired_low;
    let mut read = there;
    let mut keep = !paired_high & ((1 << (there / 2)) - 1);
    if error != 0 {
        if on_error == OnError::Stop {
            let lane = error.trailing_zeros();
            keep &= (1 << lane) - 1;
            read = 2 * lane as usize;
        } else {
            *replaced = true;
        }
    }
    let replace = error != 0 && on_error == OnError::Replace;
    let mut written = 0;
    for part in 0..BLOCK / S::LANES {
        let own = window.load::<OWN>(s, part * S::LANES);
        let prev = window.load::<PREV>(s, part * S::LANES);
        let of_part = |bits: u64| bits >> (part * S::LANES / 2);
        // Without an error, a branch costs less than a mask.
        let own = if replace { s.select::<16>(s.cond::<16>(of_part(error)), s.splat16(0xFFFD), own) } else { own };
        let half = S::LANES / 4;
        let (low, keep) = (of_part(paired_low), of_part(keep));
        let lower = values(s, s.spread::<16, false>(own), s.spread::<16, false>(prev), low);
        written += s.emit_words(lower, low_bits(keep, half), out, written);
        let upper = values(s, s.spread::<16, true>(own), s.spread::<16, true>(prev), low >> half);
        written += s.emit_words(upper, low_bits(keep >> half, half), out, written);
    }
    (read, written)
}

#[inline(always)]
fn low_bits(bits: u64, n: usize) -> u64 {
    bits & ((1 << n) - 1)
}

/// The units of the block that are halves of the kind that begins with `first`,
/// a bit a unit.
#[inline(always)]
fn units_where<S: Simd>(s: S, window: &impl Around<S>, first: u16) -> u64 {
    let mut bits = 0;
    for part in 0..BLOCK / S::LANES {
        let units = window.load::<OWN>(s, part * S::LANES);
        bits |= s.bits::<16>(s.same::<16>(s.and(units, s.splat16(0xFC00)), s.splat16(first))) << (part * S::LANES / 2);
    }
    bits
}

/// The values of units; the lanes in `low` are low halves of pairs.
#[inline(always)]
fn values<S: Simd>(s: S, own: S::V, prev: S::V, low: u64) -> S::V {
    const HEADERS: u32 = (0xD800 << 10) + 0xDC00 - 0x1_0000;
    let pair = s.add::<32>(s.add::<32>(s.shl::<32, 10>(prev), own), s.splat32(HEADERS.wrapping_neg()));
    s.select::<32>(s.cond::<32>(low), pair, own)
}
