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

use super::to_utf8::{pairs, triples};
use super::window::{Around, BLOCK, Edge, inner};
use super::{OnFault, Progress};
use crate::memory::copy_short;
use crate::scalar::REPLACEMENT;
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
            done.written += written;
            if read < BLOCK {
                done.read += read;
                return done;
            }
            // Not `read`: the next address must not wait for what was found.
            done.read += BLOCK;
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
            s.store(s.narrow16([first, second]), out, part * S::LANES);
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
    if !has(s, all, 0xFF80) {
        for part in 0..BLOCK / S::LANES {
            s.narrow(load::<S, O>(s, window, OWN, part), out, part * S::LANES / 2);
        }
        return (there, UNITS - padding);
    }
    let mut written = 0;
    for i in 0..BLOCK / S::LANES {
        let (read, more) = part::<S, O, F>(s, window, i, out, written, replaced);
        written += more;
        if F::STOP && read < S::LANES {
            return (i * S::LANES + read, written);
        }
    }
    (there, written - padding)
}

/// Whether any unit has any of `bits`.
#[inline(always)]
fn has<S: Simd>(s: S, units: S::V, bits: u16) -> bool {
    s.any(s.nonzero(s.and(units, s.splat16(bits))))
}

/// Converts one part of a block to the bytes of `out` from `at` on. Answers
/// with the bytes read, fewer than all only if something is ill-formed there
/// and that is to stop the conversion, and those written.
#[inline(always)]
fn part<S: Simd, O: Order, F: OnFault>(
    s: S,
    window: &impl Around<S>,
    i: usize,
    out: &mut [u8; ROOM],
    at: usize,
    replaced: &mut bool,
) -> (usize, usize) {
    let own = load::<S, O>(s, window, OWN, i);
    if S::LANES < BLOCK && !has(s, own, 0xFF80) {
        s.narrow(own, out, at);
        return (S::LANES, S::LANES / 2);
    }
    if !has(s, own, 0xF800) {
        return (S::LANES, s.emit_pairs(pairs(s, own), out, at));
    }
    if !s.any_eq16(s.and(own, s.splat16(0xF800)), s.splat16(0xD800)) {
        let (first, rest) = triples(s, own);
        return (S::LANES, s.emit_triples(first, rest, out, at));
    }
    let (own, read) = mend::<S, O, F>(s, window, i, own, replaced);
    let (first, rest) = halves(s, own, load::<S, O>(s, window, PREV, i));
    // Without characters of three bytes, pairs of bytes are enough.
    let written = if s.any_eq16(s.and(first, s.splat16(0xF000)), s.splat16(0xE000)) {
        s.emit_triples(first, rest, out, at)
    } else {
        s.emit_pairs(rest, out, at)
    };
    (read, written - (S::LANES - read) / 2)
}

/// A part of a block with U+FFFD for each surrogate without its other half, or
/// zeros from the first one on, if that is to stop the conversion. Answers with
/// the bytes that are to be read, too.
#[inline(always)]
fn mend<S: Simd, O: Order, F: OnFault>(
    s: S,
    window: &impl Around<S>,
    i: usize,
    own: S::V,
    replaced: &mut bool,
) -> (S::V, usize) {
    let (high, low) = (kind(s, own, 0xD800), kind(s, own, 0xDC00));
    let before_low = kind(s, load::<S, O>(s, window, NEXT, i), 0xDC00);
    let behind_high = kind(s, load::<S, O>(s, window, PREV, i), 0xD800);
    if s.differ16(high, before_low) || s.differ16(low, behind_high) {
        let fault = s.bits16(high) & !s.bits16(before_low) | s.bits16(low) & !s.bits16(behind_high);
        if fault != 0 {
            if F::STOP {
                let lane = fault.trailing_zeros();
                return (s.blend16(s.cond16(!0 << lane), s.splat(0), own), 2 * lane as usize);
            }
            *replaced = true;
            return (s.blend16(s.cond16(fault), s.splat16(REPLACEMENT as u16), own), S::LANES);
        }
    }
    (own, S::LANES)
}

/// The units that are high surrogates (D800) or low ones (DC00).
#[inline(always)]
fn kind<S: Simd>(s: S, units: S::V, value: u16) -> S::C16 {
    s.same16(s.and(units, s.splat16(0xFC00)), s.splat16(value))
}

/// As [`triples`], for units whose surrogates have their other halves. Each of
/// those makes two bytes.
#[inline(always)]
fn halves<S: Simd>(s: S, own: S::V, prev: S::V) -> (S::V, S::V) {
    let (first, rest) = triples(s, own);
    let surrogate = s.same16(s.and(own, s.splat16(0xF800)), s.splat16(0xD800));
    // 00000uuu uuzzzzyy
    let sum = s.add16(own, s.splat16(0x0040_u16.wrapping_sub(0xD800)));
    let fields = s.or(s.shr::<8>(sum), s.and(s.shl::<6>(sum), s.splat16(0x3F00)));
    let high = s.or(fields, s.splat16(0x80F0));
    // The last two bits of the high half, where the low one's header is.
    let yy = s.xor(s.shl::<4>(prev), s.splat16(0x0030));
    let low = s.xor(rest, s.and(yy, s.splat16(0x0030)));
    let rest = s.blend16(kind(s, own, 0xD800), high, s.blend16(kind(s, own, 0xDC00), low, rest));
    (s.blend16(surrogate, s.splat(0xFF), first), rest)
}
