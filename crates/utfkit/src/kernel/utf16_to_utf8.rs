//! UTF-16 to UTF-8, strict or with U+FFFD, in one pass.
//!
//! # The idea
//!
//! A block is 32 units, whatever they are. Four kinds of block are told apart
//! by what is the highest in them, each with less to do than the next:
//!
//! ```text
//! only US-ASCII     the lower bytes
//! below U+0800      pairs of bytes; the first is dropped for US-ASCII
//! no surrogates     triples; one or two bytes are dropped below U+0800
//! surrogates        the same, and each half of a pair makes two bytes
//! ```
//!
//! Bytes to be dropped are compressed away in the register before it is
//! stored; what it holds too much is overwritten by the next one.
//!
//! ```text
//! unit                          first    second   third
//! 00000000 0xxxxxxx             -        -        0xxxxxxx
//! 00000yyy yyxxxxxx             -        110yyyyy 10xxxxxx
//! zzzzyyyy yyxxxxxx             1110zzzz 10yyyyyy 10xxxxxx
//! 110110vv vvzzzzyy (high)      11110uuu 10uuzzzz -            uuuuu = vvvv + 1
//! 110111yy yyxxxxxx (low)       -        10yyyyyy 10xxxxxx     yy of the high one
//! ```
//!
//! Whether a surrogate has its other half depends on its neighbours alone, so
//! that no state is kept between blocks.

use core::marker::PhantomData;

use super::window::{Around, BLOCK, Edge, inner};
use super::{OnFault, Progress};
use crate::memory::copy_short;
use crate::scalar::bytes::{Order, Unit};
use crate::scalar::utf16::{is_high, is_low};
use crate::simd::dispatch::{Kernel, run};
use crate::simd::ops::Simd;

/// Converts from UTF-16 in the byte order `O`, two bytes of `src` a unit (an
/// odd one at the end is not read).
///
/// Strict: the longest well-formed prefix of `src` that fits; what stops it is
/// for the scalar codec to find at the front of the rest, or within the next
/// [`BLOCK`] bytes. With replacement, a high surrogate at the end of `src`
/// becomes U+FFFD like any other without its other half.
#[inline]
pub(crate) fn utf16_to_utf8<O: Order, F: OnFault>(src: &[u8], dst: &mut [u8]) -> Progress {
    run(Convert::<O, F> { src: &src[..src.len() & !1], dst, order: PhantomData })
}

struct Convert<'a, O, F> {
    src: &'a [u8],
    dst: &'a mut [u8],
    order: PhantomData<(O, F)>,
}

impl<O: Order, F: OnFault> Kernel for Convert<'_, O, F> {
    type Output = Progress;

    #[inline(always)]
    fn vector<S: Simd>(self, s: S) -> Progress {
        convert::<S, O, F>(s, self.src, self.dst)
    }

    #[inline]
    fn scalar(self) -> Progress {
        Progress::default()
    }
}

/// The units of a block.
const UNITS: usize = BLOCK / 2;
/// The bytes that a block may take while it is written.
const ROOM: usize = 128;
/// Offsets in a window.
const PREV: usize = 0;
const OWN: usize = 2;
const NEXT: usize = 4;

#[inline(always)]
fn convert<S: Simd, O: Order, F: OnFault>(s: S, src: &[u8], dst: &mut [u8]) -> Progress {
    let mut done = Progress::default();
    while done.read < src.len() {
        // Blocks inside `src` and with room for whatever they become.
        while let Some(window) = inner(src, done.read, OWN)
            && let Some(out) = dst.get_mut(done.written..).and_then(|rest| rest.first_chunk_mut())
        {
            let (read, written) = block::<S, O, F>(s, window, BLOCK, out, &mut done.replaced);
            done.read += read;
            done.written += written;
            if read < BLOCK {
                return done;
            }
            // As many bytes as units: it was US-ASCII, and more may follow.
            if written == UNITS {
                let ascii = narrow_ascii::<S, O>(s, &src[done.read..], &mut dst[done.written..]);
                done.read += 2 * ascii;
                done.written += ascii;
            }
        }
        if done.read >= src.len() {
            break;
        }
        // A block at an end of `src` or of `dst`.
        let there = BLOCK.min(src.len() - done.read);
        let mut out = [0; ROOM];
        let (read, written) = if done.read == 0 {
            block::<S, O, F>(s, &Edge::front(s, src, OWN), there, &mut out, &mut done.replaced)
        } else {
            block::<S, O, F>(s, &Edge::tail(s, src, done.read, OWN), there, &mut out, &mut done.replaced)
        };
        let Some(room) = dst.get_mut(done.written..done.written + written) else {
            return back_to_boundary::<O>(src, done);
        };
        copy_short(&out[..written], room);
        done.read += read;
        done.written += written;
        if read < there {
            return done;
        }
    }
    done
}

/// Converts two blocks at a time as long as they are US-ASCII. Answers with
/// the bytes written.
#[inline(always)]
fn narrow_ascii<S: Simd, O: Order>(s: S, src: &[u8], dst: &mut [u8]) -> usize {
    let mut written = 0;
    for (blocks, out) in src.chunks_exact(2 * BLOCK).zip(dst.chunks_exact_mut(BLOCK)) {
        let mut all = s.load(blocks, 0);
        for part in 1..2 * BLOCK / S::LANES {
            all = s.or(all, s.load(blocks, part * S::LANES));
        }
        let beyond = if O::BIG { 0x80FF } else { 0xFF80 };
        if s.any(s.nonzero(s.and(all, s.splat16(beyond)))) {
            break;
        }
        for part in 0..BLOCK / S::LANES {
            let mut first = s.load(blocks, 2 * part * S::LANES);
            let mut second = s.load(blocks, (2 * part + 1) * S::LANES);
            if O::BIG {
                (first, second) = (s.shr::<8>(first), s.shr::<8>(second));
            }
            s.store(s.narrow_both(first, second), out, part * S::LANES);
        }
        written += BLOCK;
    }
    written
}

/// The progress when the next block found no room: if it begins with the low
/// half of a pair, up to the high half, whose two bytes were written already.
#[cold]
fn back_to_boundary<O: Order>(src: &[u8], done: Progress) -> Progress {
    let halves = done.read.checked_sub(2).map(|at| (u16::read::<O>(&src[at..]), u16::read::<O>(&src[done.read..])));
    match halves {
        Some((high, low)) if is_high(high) && is_low(low) => {
            Progress { read: done.read - 2, written: done.written - 2, ..done }
        }
        _ => done,
    }
}

/// One part of a block, from `offset` in the window on.
#[inline(always)]
fn load<S: Simd, O: Order>(s: S, window: &impl Around<S>, offset: usize, part: usize) -> S::V {
    let v = window.load(s, offset + part * S::LANES);
    if O::BIG { s.swap16(v) } else { v }
}

/// Converts the first `there` bytes of a block; zeros stand behind them.
/// Answers with the bytes read, fewer than `there` only if something is
/// ill-formed there and that is to stop the conversion, and those written.
#[inline(always)]
fn block<S: Simd, O: Order, F: OnFault>(
    s: S,
    window: &impl Around<S>,
    there: usize,
    out: &mut [u8; ROOM],
    replaced: &mut bool,
) -> (usize, usize) {
    let mut all = load::<S, O>(s, window, OWN, 0);
    for part in 1..BLOCK / S::LANES {
        all = s.or(all, load::<S, O>(s, window, OWN, part));
    }
    // Zeros become one byte each.
    let padding = (BLOCK - there) / 2;
    if !s.any(s.nonzero(s.and(all, s.splat16(0xFF80)))) {
        for part in 0..BLOCK / S::LANES {
            s.narrow(load::<S, O>(s, window, OWN, part), out, part * S::LANES / 2);
        }
        return (there, UNITS - padding);
    }
    if !s.any(s.nonzero(s.and(all, s.splat16(0xF800)))) {
        let mut written = 0;
        for part in 0..BLOCK / S::LANES {
            written += s.emit_pairs(pairs(s, load::<S, O>(s, window, OWN, part)), out, written);
        }
        return (there, written - padding);
    }
    let surrogates = units_where::<S, O>(s, window, 0xF800, 0xD800, OWN);
    if surrogates == 0 {
        let mut written = 0;
        for part in 0..BLOCK / S::LANES {
            let own = load::<S, O>(s, window, OWN, part);
            written += emit(s, own, headers(s, own), out, written);
        }
        return (there, written - padding);
    }

    let low = units_where::<S, O>(s, window, 0xFC00, 0xDC00, OWN);
    let next_low = units_where::<S, O>(s, window, 0xFC00, 0xDC00, NEXT);
    let prev_high = (surrogates & !low) << 1 | u64::from(is_high(u16::read::<O>(&window.front())));
    let paired_high = surrogates & !low & next_low;
    let paired_low = low & prev_high;
    let fault = surrogates & !paired_high & !paired_low;
    let mut read = there;
    // Lanes to be written as they are, as U+FFFD, and (the rest) as a zero.
    let mut keep = (1 << UNITS) - 1;
    if fault != 0 {
        if F::STOP {
            let lane = fault.trailing_zeros() as usize;
            keep = (1 << lane) - 1;
            read = 2 * lane;
        } else {
            *replaced = true;
        }
    }
    let mut written = 0;
    for part in 0..BLOCK / S::LANES {
        let of_part = |bits: u64| bits >> (part * S::LANES / 2);
        let (high, low) = (of_part(paired_high & keep), of_part(paired_low & keep));
        let own = load::<S, O>(s, window, OWN, part);
        let prev = load::<S, O>(s, window, PREV, part);
        let mut units = s.select16(high, high_half(s, own), s.select16(low, low_half(s, own, prev), own));
        if fault != 0 {
            units = s.select16(of_part(fault), s.splat16(0xFFFD), units);
            units = s.select16(of_part(keep), units, s.splat16(0));
        }
        let Headers { upper, mask, lower } = headers(s, units);
        // The high half makes two bytes and drops the third, the low one drops
        // the first.
        let upper = s.select16(high, s.splat16(0x80F0), s.select16(low, s.splat16(0x80FF), upper));
        let lower = s.select16(high, s.splat16(0x40FF), s.select16(low, s.splat16(0x8080), lower));
        written += emit(s, units, Headers { upper, mask, lower }, out, written);
    }
    (read, written - (BLOCK - read) / 2)
}

/// The units of the block, or those beside them, whose bits in `mask` are
/// `value`: a bit a unit.
#[inline(always)]
fn units_where<S: Simd, O: Order>(s: S, window: &impl Around<S>, mask: u16, value: u16, offset: usize) -> u64 {
    let mut bits = 0;
    for part in 0..BLOCK / S::LANES {
        let units = load::<S, O>(s, window, offset, part);
        bits |= s.eq16(s.and(units, s.splat16(mask)), s.splat16(value)) << (part * S::LANES / 2);
    }
    bits
}

/// The bytes of units below U+0800, for [`Simd::emit_pairs`].
#[inline(always)]
fn pairs<S: Simd>(s: S, own: S::V) -> S::V {
    // US-ASCII needs no more: the top bit of the first byte is clear.
    let fields = s.split16(own);
    let two = s.or(s.and(fields, s.splat16(0x3F1F)), s.splat16(0x80C0));
    s.select_gt16(own, 0x7F, two, fields)
}

/// What is added to the bits of a unit: the headers of its bytes, FF for a byte
/// to be dropped, and what [`Simd::emit_triples`] wants in the fourth.
struct Headers<V> {
    /// The first and the second byte.
    upper: V,
    /// The bits of the unit that are in the third.
    mask: V,
    /// The third and the fourth.
    lower: V,
}

/// One of the three by how many bytes a unit makes.
#[inline(always)]
fn by_len<S: Simd>(s: S, units: S::V, one: u16, two: u16, three: u16) -> S::V {
    let shorter = s.select_gt16(units, 0x7F, s.splat16(two), s.splat16(one));
    s.select_gt16(units, 0x7FF, s.splat16(three), shorter)
}

/// For units none of which is a surrogate.
#[inline(always)]
fn headers<S: Simd>(s: S, units: S::V) -> Headers<S::V> {
    Headers {
        upper: by_len(s, units, 0xFFFF, 0xC0FF, 0x80E0),
        mask: s.select_gt16(units, 0x7F, s.splat16(0x003F), s.splat16(0x007F)),
        lower: by_len(s, units, 0xC000, 0x8080, 0x0080),
    }
}

/// Writes the bytes of units.
#[inline(always)]
fn emit<S: Simd>(s: S, units: S::V, headers: Headers<S::V>, out: &mut [u8; ROOM], at: usize) -> usize {
    let upper = s.or(s.and(s.split_upper16(units), s.splat16(0x3F0F)), headers.upper);
    let lower = s.or(s.and(units, headers.mask), headers.lower);
    let (first, second) = s.zip16(upper, lower);
    let written = s.emit_triples(first, out, at);
    written + s.emit_triples(second, out, at + written)
}

/// What a high surrogate is to [`emit`]: bits 8-10 and 2-7 of its value,
/// with 1 added to the upper four bits, where a unit has bits 12-15 and 6-11.
#[inline(always)]
fn high_half<S: Simd>(s: S, own: S::V) -> S::V {
    let sum = s.add16(s.and(own, s.splat16(0x03FF)), s.splat16(0x0040));
    s.shl::<4>(sum)
}

/// What a low surrogate is to [`emit`]: the last two bits of the high one
/// before its ten; and a bit that makes it long, in the byte to be dropped.
#[inline(always)]
fn low_half<S: Simd>(s: S, own: S::V, prev: S::V) -> S::V {
    let upper = s.shl::<10>(s.and(prev, s.splat16(0x0003)));
    s.or(s.or(upper, s.and(own, s.splat16(0x03FF))), s.splat16(0x1000))
}
