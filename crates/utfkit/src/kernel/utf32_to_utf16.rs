//! UTF-32 to UTF-16, strict or with U+FFFD, in one pass.
//!
//! # The idea
//!
//! Steps of 32 units. Without anything above U+FFFF, the lower halves; they
//! may still be surrogates. Otherwise each unit becomes two, and the first is
//! dropped where its top bit shows that it is no high surrogate:
//!
//! ```text
//! value                      first                second
//! 00000 zzzzyyyy yyxxxxxx    0                    zzzzyyyyyyxxxxxx
//! uuuuu zzzzyyyy yyxxxxxx    110110vvvvzzzzyy     110111yyyyxxxxxx    vvvv = uuuuu - 1
//! ```
//!
//! The first is `value >> 10` plus D7C0, which is D800 - (1 << 6).

use core::marker::PhantomData;

use super::utf32::{Step, UNITS, Verdict, all_bits, ill_formed, last_step, load};
use super::{OnFault, Progress};
use crate::memory::copy_short;
use crate::scalar::bytes::Order;
use crate::simd::dispatch::{Kernel, run};
use crate::simd::ops::Simd;

/// Converts from UTF-32 in the byte order `I` to UTF-16 in the byte order `O`,
/// four bytes of `src` and two of `dst` a unit (one to three at the end of
/// `src` that are no unit are not read).
///
/// Strict: the longest well-formed prefix of `src` that fits. What finds no
/// room, or stops it, is for the scalar codec to find within the next
/// [`UNITS`] units.
#[inline]
pub(crate) fn utf32_to_utf16<I: Order, O: Order, F: OnFault>(src: &[u8], dst: &mut [u8]) -> Progress {
    run(Convert::<I, O, F> { src: &src[..src.len() & !3], dst, params: PhantomData })
}

struct Convert<'a, I, O, F> {
    src: &'a [u8],
    dst: &'a mut [u8],
    params: PhantomData<(I, O, F)>,
}

impl<I: Order, O: Order, F: OnFault> Kernel for Convert<'_, I, O, F> {
    type Output = Progress;

    #[inline(always)]
    fn vector<S: Simd>(self, s: S) -> Progress {
        convert::<S, I, O, F>(s, self.src, self.dst)
    }

    #[inline]
    fn scalar(self) -> Progress {
        Progress::default()
    }
}

/// The bytes that a step may take while it is written.
const ROOM: usize = 4 * UNITS;

#[inline(always)]
fn convert<S: Simd, I: Order, O: Order, F: OnFault>(s: S, src: &[u8], dst: &mut [u8]) -> Progress {
    let mut done = Progress::default();
    while let Some(units) = src[done.read..].first_chunk()
        && let Some(out) = dst.get_mut(done.written..).and_then(|rest| rest.first_chunk_mut())
    {
        let (read, written) = step::<S, I, O, F>(s, units, 4 * UNITS, out, &mut done.replaced);
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
        let (read, written) = step::<S, I, O, F>(s, &units, there, &mut out, &mut replaced);
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
fn step<S: Simd, I: Order, O: Order, F: OnFault>(
    s: S,
    units: &Step,
    there: usize,
    out: &mut [u8; ROOM],
    replaced: &mut bool,
) -> (usize, usize) {
    let parts = units.len() / S::LANES;
    let all = all_bits::<S, I>(s, units);
    if !s.any(s.nonzero(s.and(all, s.splat32(0xFFFF_0000)))) {
        let mut surrogates = 0;
        for pair in 0..parts / 2 {
            let v = s.narrow32(load::<S, I>(s, units, 2 * pair), load::<S, I>(s, units, 2 * pair + 1));
            surrogates |= s.eq16(s.and(v, s.splat16(0xF800)), s.splat16(0xD800));
            s.store(if O::BIG { s.swap16(v) } else { v }, out, pair * S::LANES);
        }
        if surrogates == 0 {
            return (there, there / 2);
        }
    }
    let verdict = Verdict::new::<F>(ill_formed::<S, I>(s, units), there, replaced);
    let mut written = 0;
    for part in 0..parts {
        let v = verdict.apply(s, load::<S, I>(s, units, part), part);
        written += if O::BIG {
            s.emit_halves::<true>(halves(s, v), out, written)
        } else {
            s.emit_halves::<false>(halves(s, v), out, written)
        };
    }
    // Zeros become one unit each.
    (verdict.read, written - 2 * (UNITS - verdict.read / 4))
}

/// The two units of each scalar value, for [`Simd::emit_halves`].
#[inline(always)]
fn halves<S: Simd>(s: S, units: S::V) -> S::V {
    let one = s.shl32::<16>(units);
    let high = s.add32(s.shr32::<10>(units), s.splat32(0xD7C0));
    let low = s.or(s.and(one, s.splat32(0x03FF_0000)), s.splat32(0xDC00_0000));
    s.select32(s.gt32(units, 0xFFFF), s.or(high, low), one)
}
