//! ISO-8859-1 to UTF-8 and back.
//!
//! # The idea
//!
//! A byte from 80 becomes two, and the second one is most of the first:
//!
//! ```text
//! 0xxxxxxx    0xxxxxxx
//! 1yxxxxxx    1100001y 10xxxxxx
//! ```
//!
//! So each byte is written with a lead before it, C2 or C3, where it is not
//! US-ASCII. On the way back a character is emitted at its last byte,
//! with `y` from the byte before it, and the leads, C2 and C3, are compressed
//! away. Blocks of US-ASCII are copied.

use super::lanes::nonzero;
use super::window::{Around, BLOCK, Edge, copy_block, inner};
use crate::engine::memory::{Aligned, copy_short};
use crate::engine::progress::{Packed, Progress};
use crate::engine::simd::dispatch::{Entries, Kernel, run, run_entries};
use crate::engine::simd::ops::{Blocks, Simd};

/// Converts from ISO-8859-1 to UTF-8, as much as fits except for less than a
/// block.
#[inline]
pub(crate) fn latin1_to_utf8(src: &[u8], dst: &mut [u8]) -> Packed {
    let (read, written) = run::<ToUtf8>(src, dst, ());
    Packed::new(read, written)
}

/// Converts a short source to its end. Returns the bytes written, or `None` if it is longer, or if `dst` has less space
/// than whole registers need.
#[inline(always)]
pub(crate) fn short_to_utf8(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    static ENTRIES: Entries<(), Option<usize>> = Entries::of::<ShortToUtf8>();
    if src.len() <= SHORT { run_entries(&ENTRIES, src, dst, ()) } else { None }
}

/// The bytes of the longest source that is short.
const SHORT: usize = 2 * BLOCK;

struct ShortToUtf8;

impl Kernel for ShortToUtf8 {
    type Arg = ();
    type Output = Option<usize>;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], (): ()) -> Option<usize> {
        let mut written = 0;
        for own in src.chunks(S::LANES) {
            let out = dst.get_mut(written..written + 2 * S::LANES)?;
            // Zeros after the source become one byte each.
            written += register_to_utf8(s, s.load_padded(own, 0), out) - (S::LANES - own.len());
        }
        Some(written)
    }
}

/// Converts from UTF-8 to ISO-8859-1 up to anything but US-ASCII and
/// well-formed sequences from C2 and C3, as much as fits except for less than a
/// block.
#[inline]
pub(crate) fn utf8_to_latin1(src: &[u8], dst: &mut [u8]) -> Packed {
    let (read, written) = run::<FromUtf8>(src, dst, ());
    Packed::new(read, written)
}

struct ToUtf8;

impl Kernel for ToUtf8 {
    type Arg = ();
    /// The bytes read and those written.
    type Output = (usize, usize);

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], (): ()) -> (usize, usize) {
        let done = to_utf8(s, src, dst);
        (done.read, done.written)
    }
}

#[inline(always)]
fn to_utf8<S: Simd>(s: S, src: &[u8], dst: &mut [u8]) -> Progress {
    let mut done = Progress::default();
    while done.read < src.len() {
        for from in src[done.read..].chunks_exact(BLOCK) {
            let Some(out) = dst.get_mut(done.written..done.written + 2 * BLOCK) else { break };
            done.written += block_to_utf8(s, from, out);
            done.read += BLOCK;
        }
        if done.read >= src.len() {
            break;
        }
        // A register at an end of `src` or of `dst`. The zeros after the source
        // become one byte each.
        let rest = &src[done.read..];
        let there = rest.len().min(S::LANES);
        let own = s.load_padded(&rest[..there], 0);
        if let Some(out) = dst.get_mut(done.written..done.written + 2 * S::LANES) {
            done.read += there;
            done.written += register_to_utf8(s, own, out) - (S::LANES - there);
            continue;
        }
        let Aligned(out) = &mut Aligned([0; 2 * BLOCK]);
        let written = register_to_utf8(s, own, out) - (S::LANES - there);
        let Some(space) = dst.get_mut(done.written..done.written + written) else { break };
        copy_short(&out[..written], space);
        done.read += there;
        done.written += written;
    }
    done
}

/// Returns the bytes written.
#[inline(always)]
fn block_to_utf8<S: Simd>(s: S, from: &[u8], out: &mut [u8]) -> usize {
    if !S::IS_BLOCK && copy_ascii(s, from, out) {
        return BLOCK;
    }
    let mut written = 0;
    for part in 0..BLOCK / S::LANES {
        written += register_to_utf8(s, s.load(from, part * S::LANES), &mut out[written..]);
    }
    written
}

/// Returns the bytes written to the front of `out`. All of the first
/// `2 * LANES` may be overwritten.
#[inline(always)]
fn register_to_utf8<S: Simd>(s: S, own: S::V, out: &mut [u8]) -> usize {
    let led = s.msb(own);
    if led == 0 {
        s.store(own, out, 0);
        return S::LANES;
    }
    // C2, or C3 and 40 less.
    let high = s.ge(own, s.splat(0xC0));
    let (lead, tail) = (s.count::<8>(s.splat(0xC2), high), s.add::<8>(own, s.keep(high, s.splat(0xC0))));
    s.emit_zipped(lead, tail, led, out, 0)
}

/// True if the block at offset `WHICH` in the window is US-ASCII.
#[inline(always)]
fn is_ascii<S: Simd, const WHICH: usize>(s: S, window: &impl Around<S>) -> bool {
    let mut all = window.load::<WHICH>(s, 0);
    for part in 1..BLOCK / S::LANES {
        all = s.or(all, window.load::<WHICH>(s, part * S::LANES));
    }
    !s.any_msb(all)
}

/// Copies a block if it is US-ASCII, and says whether it is.
#[inline(always)]
fn copy_ascii<S: Simd>(s: S, from: &[u8], to: &mut [u8]) -> bool {
    let mut all = s.load(from, 0);
    for part in 1..BLOCK / S::LANES {
        all = s.or(all, s.load(from, part * S::LANES));
    }
    if s.any_msb(all) {
        return false;
    }
    copy_block(s, from, to);
    true
}

/// Bytes of US-ASCII in a row that let one expect many more.
const ASCII_RUN: usize = 8 * BLOCK;

/// Copies US-ASCII at the front of `src` as far as it fits, except for less than a
/// block. Returns the bytes.
#[inline(always)]
fn copy_run<S: Simd>(s: S, src: &[u8], dst: &mut [u8]) -> usize {
    let len = copy_blocks(s, &src[..src.len().min(ASCII_RUN)], dst);
    if len < ASCII_RUN {
        return len;
    }
    // From here on blocks are stored where lines of the cache begin, the first
    // one in part once more: 1.1 times as fast.
    let at = ASCII_RUN - dst.as_ptr().addr() % BLOCK;
    ASCII_RUN.max(at + copy_blocks(s, &src[at..], &mut dst[at..]))
}

#[inline(always)]
fn copy_blocks<S: Simd>(s: S, src: &[u8], dst: &mut [u8]) -> usize {
    let mut len = 0;
    for (from, to) in src.chunks_exact(BLOCK).zip(dst.chunks_exact_mut(BLOCK)) {
        if !copy_ascii(s, from, to) {
            break;
        }
        len += BLOCK;
    }
    len
}

struct FromUtf8;

impl Kernel for FromUtf8 {
    type Arg = ();
    /// The bytes read and those written.
    type Output = (usize, usize);

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], (): ()) -> (usize, usize) {
        let mut done = from_utf8(s, src, dst);
        // A lead waits for its other byte and has emitted nothing.
        if done.read > 0 && is_lead(src[done.read - 1]) {
            done.read -= 1;
        }
        (done.read, done.written)
    }
}

/// The offset of the block in its window.
const PREV: usize = 0;
const OWN: usize = 1;

/// True for the leads of characters from U+0080 to U+00FF.
#[inline(always)]
const fn is_lead(byte: u8) -> bool {
    byte & 0xFE == 0xC2
}

#[inline(always)]
fn from_utf8<S: Simd>(s: S, src: &[u8], dst: &mut [u8]) -> Progress {
    let mut done = Progress::default();
    while done.read < src.len() {
        // The next address must not depend on the data, or each block waits for the one before it.
        while let Some(window) = inner(src, done.read, OWN)
            && let Some(out) = dst.get_mut(done.written..).and_then(|rest| rest.get_mut(..BLOCK + S::Blocks::SPILL))
        {
            if is_ascii::<S, OWN>(s, window) && !is_lead(window[0]) {
                let ascii = copy_run(s, &src[done.read..], &mut dst[done.written..]);
                done.read += ascii;
                done.written += ascii;
                continue;
            }
            let Some(written) = block_from_utf8(s, window, out) else { break };
            done.read += BLOCK;
            done.written += written;
        }
        if done.read >= src.len() {
            break;
        }
        // A block at an end of `src` or of `dst`, or with something else in it.
        let there = BLOCK.min(src.len() - done.read);
        let Aligned(out) = &mut Aligned([0; BLOCK]);
        let (read, written) = part_from_utf8(s, &Edge::<S, OWN>::at(s, src, done.read), there, out);
        let Some(space) = dst.get_mut(done.written..done.written + written) else { break };
        copy_short(&out[..written], space);
        done.read += read;
        done.written += written;
        if read < there {
            break;
        }
    }
    done
}

/// Converts a block. Returns the bytes written, or `None` if there is
/// something else in it.
#[inline(always)]
fn block_from_utf8<S: Simd>(s: S, window: &impl Around<S>, out: &mut [u8]) -> Option<usize> {
    if S::Blocks::AT_ONCE {
        return block_at_once(s, window, out);
    }
    let (error, last) = look(s, window);
    if error == 0 { Some(emit_last(s, window, last, out)) } else { None }
}

/// [`block_from_utf8`] where [`Blocks::AT_ONCE`].
#[inline(always)]
fn block_at_once<S: Simd>(s: S, window: &impl Around<S>, out: &mut [u8]) -> Option<usize> {
    let (all, none) = (s.splat(0xFF), s.splat(0));
    // FF for C2 and C3.
    let is_lead = |v| s.keep(s.ge(none, s.xor(s.and(v, s.splat(0xFE)), s.splat(0xC2))), all);
    let (mut bytes, mut leads, mut error) = ([none; 4], [none; 4], none);
    for part in 0..4 {
        let (own, prev) = (window.load::<OWN>(s, part * S::LANES), window.load::<PREV>(s, part * S::LANES));
        let continues = s.keep(s.gt::<8>(s.splat(0xC0), own), all);
        leads[part] = s.keep(s.ge(own, s.splat(0xC0)), all);
        error = s.or(error, s.xor(continues, is_lead(prev)));
        error = s.or(error, s.xor(leads[part], is_lead(own)));
        bytes[part] = s.or(own, s.shl::<16, 6>(s.saturating_sub(prev, s.splat(0xC2))));
    }
    if s.any_nonzero(error) { None } else { Some(S::Blocks::emit8(s, bytes, leads, out)) }
}

/// Converts the first `there` bytes of a block, up to any other character; zeros follow them.
/// Returns the bytes read, the last of which may be a lead, and the bytes written.
#[inline(always)]
fn part_from_utf8<S: Simd>(s: S, window: &impl Around<S>, there: usize, out: &mut [u8; BLOCK]) -> (usize, usize) {
    let (error, last) = look(s, window);
    let read = there.min(error.trailing_zeros() as usize);
    let lanes = if read < BLOCK { (1 << read) - 1 } else { !0 };
    (read, emit_last(s, window, last & lanes, out))
}

/// The lanes of something else, or after a lead that should not be there, and
/// the last bytes of characters.
#[inline(always)]
fn look<S: Simd>(s: S, window: &impl Around<S>) -> (u64, u64) {
    let (mut leads, mut other_leads, mut continuations) = (0, 0, 0);
    for part in 0..BLOCK / S::LANES {
        let at = part * S::LANES;
        let own = window.load::<OWN>(s, at);
        let other = s.xor(s.and(own, s.splat(0xFE)), s.splat(0xC2));
        leads |= s.bits::<8>(s.ge(own, s.splat(0xC0))) << at;
        other_leads |= s.bits::<8>(nonzero(s, other)) << at;
        continuations |= s.bits::<8>(s.gt::<8>(s.splat(0xC0), own)) << at;
    }
    let follows = (leads & !other_leads) << 1 | u64::from(is_lead(window.front()[0]));
    (follows ^ continuations | leads & other_leads, !leads)
}

/// Writes the characters whose last bytes are in `last`.
#[inline(always)]
fn emit_last<S: Simd>(s: S, window: &impl Around<S>, last: u64, out: &mut [u8]) -> usize {
    let mut written = 0;
    for part in 0..BLOCK / S::LANES {
        let at = part * S::LANES;
        // 1 after C3, 0 elsewhere, up to the first error.
        let y = s.saturating_sub(window.load::<PREV>(s, at), s.splat(0xC2));
        let bytes = s.or(window.load::<OWN>(s, at), s.shl::<16, 6>(y));
        let of_part = last >> at & (!0 >> (64 - S::LANES));
        written += s.emit8(bytes, of_part, out, written);
    }
    written
}
