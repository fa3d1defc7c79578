//! UTF-32 to UTF-8, strict or with U+FFFD, in one pass.
//!
//! # The idea
//!
//! Steps of 32 units. If all of one are below U+0800, it is dealt with at once;
//! otherwise pair by pair of registers. What is done depends on what is the
//! highest:
//!
//! ```text
//! only US-ASCII    the lowest bytes
//! below U+0800     narrowed to 16 bits, then pairs of bytes, as from UTF-16
//! to U+FFFF        narrowed, then triples; where bytes can be compressed, quads
//! any              quads
//! ```

use core::marker::PhantomData;

use super::to_utf8::{Triples, emit_pairs, quads};
use super::utf32::{STEP, all_bits, faults, last_step, load, mend, pair_len};
use super::{OnFault, Progress};
use crate::memory::copy_short;
use crate::scalar::bytes::Order;
use crate::simd::dispatch::{Kernel, run};
use crate::simd::ops::Simd;

/// Converts from UTF-32 in the byte order `O`, four bytes of `src` a unit (one
/// to three at the end that are no unit are not read).
///
/// Strict: the longest well-formed prefix of `src` that fits. What finds no
/// room, or stops it, is for the scalar codec to find within the next
/// [`STEP`] bytes.
#[inline]
pub(crate) fn utf32_to_utf8<O: Order, F: OnFault>(src: &[u8], dst: &mut [u8]) -> Progress {
    run(Convert::<O, F> { src: &src[..src.len() & !3], dst, params: PhantomData })
}

struct Convert<'a, O, F> {
    src: &'a [u8],
    dst: &'a mut [u8],
    params: PhantomData<(O, F)>,
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

#[inline(always)]
fn convert<S: Simd, O: Order, F: OnFault>(s: S, src: &[u8], dst: &mut [u8]) -> Progress {
    let mut done = Progress::default();
    // Steps inside `src` and with room for whatever they become: no character
    // is longer than its unit was.
    while let Some(units) = src[done.read..].first_chunk()
        && let Some(out) = dst.get_mut(done.written..).and_then(|rest| rest.first_chunk_mut())
    {
        let (read, written) = step::<S, O, F>(s, units, STEP, out, &mut done.replaced);
        done.written += written;
        if read < STEP {
            done.read += read;
            return done;
        }
        // Not `read`: the next address must not wait for what was found.
        done.read += STEP;
    }
    // Steps at an end of `src` or of `dst`.
    while done.read < src.len() {
        let there = STEP.min(src.len() - done.read);
        let units = last_step(&src[done.read..done.read + there]);
        let mut out = [0; STEP];
        let mut replaced = done.replaced;
        let (read, written) = step::<S, O, F>(s, &units, there, &mut out, &mut replaced);
        let Some(room) = dst.get_mut(done.written..done.written + written) else { break };
        copy_short(&out[..written], room);
        done = Progress { read: done.read + read, written: done.written + written, replaced };
        if read < there {
            break;
        }
    }
    done
}

/// Converts the first `there` bytes of a step; zeros stand behind them.
/// Answers with the bytes read, fewer than `there` only if something is
/// ill-formed there and that is to stop the conversion, and those written.
#[inline(always)]
fn step<S: Simd, O: Order, F: OnFault>(
    s: S,
    units: &[u8; STEP],
    there: usize,
    out: &mut [u8; STEP],
    replaced: &mut bool,
) -> (usize, usize) {
    // Zeros become one byte each.
    let padding = (STEP - there) / 4;
    let all = all_bits::<S, O>(s, units);
    if !s.any(s.nonzero(s.and(all, s.splat32(0xFFFF_F800)))) {
        let ascii = !s.any(s.nonzero(s.and(all, s.splat32(0x780))));
        let mut written = 0;
        for i in 0..STEP / pair_len::<S>() {
            let narrow = s.join32(load::<S, O>(s, units, 2 * i), load::<S, O>(s, units, 2 * i + 1));
            if ascii {
                s.narrow(narrow, out, i * S::LANES / 2);
            } else {
                written += emit_pairs(s, narrow, out, written);
            }
        }
        return (there, if ascii { STEP / 4 } else { written } - padding);
    }
    let mut written = 0;
    for i in 0..STEP / pair_len::<S>() {
        let units = [load::<S, O>(s, units, 2 * i), load::<S, O>(s, units, 2 * i + 1)];
        let (read, more) = pair::<S, F>(s, units, out, written, replaced);
        written += more;
        if F::STOP && read < pair_len::<S>() {
            return (i * pair_len::<S>() + read, written - (pair_len::<S>() - read) / 4);
        }
    }
    (there, written - padding)
}

/// Converts two registers of units to the bytes of `out` from `at` on. Answers
/// with the bytes read, fewer than there are only if something is ill-formed
/// and that is to stop the conversion, and those written; zeros stand for what
/// was not read.
#[inline(always)]
fn pair<S: Simd, F: OnFault>(
    s: S,
    mut units: [S::V; 2],
    out: &mut [u8; STEP],
    at: usize,
    replaced: &mut bool,
) -> (usize, usize) {
    let mut read = pair_len::<S>();
    let all = s.or(units[0], units[1]);
    if !s.any(s.nonzero(s.and(all, s.splat32(0xFFFF_F800)))) {
        let narrow = s.join32(units[0], units[1]);
        if s.any(s.nonzero(s.and(all, s.splat32(0x780)))) {
            return (read, emit_pairs(s, narrow, out, at));
        }
        s.narrow(narrow, out, at);
        return (read, S::LANES / 2);
    }
    if !S::COMPRESS && !s.any(s.nonzero(s.and(all, s.splat32(0xFFFF_0000)))) {
        // Without an instruction that compresses, triples are less work.
        let narrow = s.join32(units[0], units[1]);
        if !s.any_eq16(s.and(narrow, s.splat16(0xF800)), s.splat16(0xD800)) {
            return (read, Triples::new(s, narrow).emit(s, out, at));
        }
    }
    let fault = faults(s, units);
    if fault != 0 {
        (units, read) = mend::<S, F>(s, units, fault, replaced);
    }
    let lower = s.emit_quads(quads(s, units[0]), out, at);
    (read, lower + s.emit_quads(quads(s, units[1]), out, at + lower))
}
