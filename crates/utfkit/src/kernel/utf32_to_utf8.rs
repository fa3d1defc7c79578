//! UTF-32 to UTF-8, strict or with U+FFFD, in one pass.
//!
//! # The idea
//!
//! Steps of 32 units, of three kinds, told apart by what is the highest in
//! them:
//!
//! ```text
//! only US-ASCII    the lowest bytes
//! below U+0800     narrowed to 16 bits, then pairs of bytes, as from UTF-16
//! any              quads; one, two or three bytes are dropped in front
//! ```
//!
//! A quad is made with as few decisions as possible: the fields are the same
//! for all lengths, and the headers have FF, which no UTF-8 has, in the bytes
//! to be dropped. "Or" keeps that, whatever the field there is.
//!
//! ```text
//! value                         first    second   third    fourth
//! 00000 00000000 0xxxxxxx       11111111 11111111 11111111 0xxxxxxx
//! 00000 00000yyy yyxxxxxx       11111111 11111111 110yyyyy 10xxxxxx
//! 00000 zzzzyyyy yyxxxxxx       11111111 1110zzzz 10yyyyyy 10xxxxxx
//! uuuuu zzzzyyyy yyxxxxxx       11110uuu 10uuzzzz 10yyyyyy 10xxxxxx
//! ```

use core::marker::PhantomData;

use super::utf32::{Step, UNITS, Verdict, all_bits, ill_formed, last_step, load};
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
/// [`UNITS`] units.
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

/// The bytes that a step may take while it is written.
const ROOM: usize = 4 * UNITS;

#[inline(always)]
fn convert<S: Simd, O: Order, F: OnFault>(s: S, src: &[u8], dst: &mut [u8]) -> Progress {
    let mut done = Progress::default();
    while let Some(units) = src[done.read..].first_chunk()
        && let Some(out) = dst.get_mut(done.written..).and_then(|rest| rest.first_chunk_mut())
    {
        let (read, written) = step::<S, O, F>(s, units, 4 * UNITS, out, &mut done.replaced);
        done.read += read;
        done.written += written;
        if read < 4 * UNITS {
            return done;
        }
    }
    // Steps at an end of `src` or of `dst`.
    while done.read < src.len() {
        let there = (4 * UNITS).min(src.len() - done.read);
        let units = last_step(&src[done.read..done.read + there]);
        let mut out = [0; ROOM];
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
    units: &Step,
    there: usize,
    out: &mut [u8; ROOM],
    replaced: &mut bool,
) -> (usize, usize) {
    let parts = units.len() / S::LANES;
    let all = all_bits::<S, O>(s, units);
    // Zeros become one byte each.
    let padding = UNITS - there / 4;
    if !s.any(s.nonzero(s.and(all, s.splat32(0xFFFF_F800)))) {
        if !s.any(s.nonzero(s.and(all, s.splat32(0x780)))) {
            for pair in 0..parts / 2 {
                s.narrow(narrowed::<S, O>(s, units, pair), out, pair * S::LANES / 2);
            }
            return (there, UNITS - padding);
        }
        let mut written = 0;
        for pair in 0..parts / 2 {
            written += s.emit_pairs(pairs(s, narrowed::<S, O>(s, units, pair)), out, written);
        }
        return (there, written - padding);
    }
    let verdict = Verdict::new::<F>(ill_formed::<S, O>(s, units), there, replaced);
    let mut written = 0;
    for part in 0..parts {
        let v = verdict.apply(s, load::<S, O>(s, units, part), part);
        written += s.emit_quads(quads(s, v), out, written);
    }
    (verdict.read, written - (UNITS - verdict.read / 4))
}

/// Two registers of units, none above U+FFFF, as one of units of 16 bits.
#[inline(always)]
fn narrowed<S: Simd, O: Order>(s: S, units: &Step, pair: usize) -> S::V {
    s.narrow32(load::<S, O>(s, units, 2 * pair), load::<S, O>(s, units, 2 * pair + 1))
}

/// The bytes of units of 16 bits below U+0800, for [`Simd::emit_pairs`].
#[inline(always)]
fn pairs<S: Simd>(s: S, units: S::V) -> S::V {
    // US-ASCII, or 10xxxxxx with two bits too many above it.
    let second = s.shl::<8>(units);
    let first = s.or(s.shr::<6>(units), s.splat16(0x80C0));
    s.select_gt16(units, 0x7F, s.or(first, s.and(second, s.splat16(0x3F00))), second)
}

/// The bytes of scalar values, for [`Simd::emit_quads`].
#[inline(always)]
fn quads<S: Simd>(s: S, units: S::V) -> S::V {
    let two = s.gt32(units, 0x7F);
    let (three, four) = (s.gt32(units, 0x7FF), s.gt32(units, 0xFFFF));
    let first = s.shr32::<18>(units);
    let second = s.and(s.shr32::<4>(units), s.splat32(0x3F00));
    let third = s.and(s.shl32::<10>(units), s.splat32(0x003F_0000));
    let fourth = s.and(s.shl32::<24>(units), s.select32(two, s.splat32(0x3F00_0000), s.splat32(0x7F00_0000)));
    let fields = s.or(s.or(first, second), s.or(third, fourth));
    let header = s.select32(two, s.splat32(0x80C0_FFFF), s.splat32(0x00FF_FFFF));
    let header = s.select32(three, s.splat32(0x8080_E0FF), header);
    let header = s.select32(four, s.splat32(0x8080_80F0), header);
    s.or(fields, header)
}
