//! UTF-32 to UTF-16, strict or with U+FFFD, in one pass.
//!
//! # The idea
//!
//! Steps of 32 units. Without anything above U+FFFF, the lower halves; they
//! may still be surrogates. Otherwise each unit becomes two, and the first is
//! dropped where its top bit shows that it is not a high surrogate:
//!
//! ```text
//! value                      first                second
//! 00000 zzzzyyyy yyxxxxxx    0                    zzzzyyyyyyxxxxxx
//! uuuuu zzzzyyyy yyxxxxxx    110110vvvvzzzzyy     110111yyyyxxxxxx    vvvv = uuuuu - 1
//! ```
//!
//! The first is `value >> 10` plus D7C0, which is D800 - (1 << 6).

use super::lanes::any_same16;
use super::utf32::{STEP, all_bits, errors, last_step, load, mend, pair_len};
use crate::engine::memory::{Aligned, copy_short};
use crate::engine::progress::{OnError, Packed, Progress};
use crate::engine::simd::dispatch::{Kernel, run};
use crate::engine::simd::ops::Simd;

/// Converts from UTF-32 to UTF-16, four bytes of `src` and two of `dst` a unit; one to three bytes at the
/// end of `src` are not read.
///
/// With [`OnError::Stop`], the longest well-formed prefix of `src` that fits. The scalar codec
/// finds what stopped it within the next [`STEP`] bytes.
#[inline]
pub(crate) fn utf32_to_utf16(src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
    run::<Convert>(&src[..src.len() & !3], dst, on_error)
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

#[inline(always)]
fn convert<S: Simd>(s: S, src: &[u8], dst: &mut [u8], on_error: OnError) -> Progress {
    let mut done = Progress::default();
    // Steps inside `src` and with space for whatever they become: no character
    // is longer than its unit was.
    while let Some(units) = src[done.read..].first_chunk()
        && let Some(out) = dst.get_mut(done.written..).and_then(|rest| rest.first_chunk_mut())
    {
        let (read, written) = step(s, units, STEP, out, on_error, &mut done.replaced);
        done.written += written;
        if read < STEP {
            done.read += read;
            return done;
        }
        // Not `read`: the next address must not depend on the data.
        done.read += STEP;
    }
    // Steps at an end of `src` or of `dst`.
    while done.read < src.len() {
        let there = STEP.min(src.len() - done.read);
        let Aligned(units) = &last_step(&src[done.read..done.read + there]);
        let Aligned(out) = &mut Aligned([0; STEP]);
        let mut replaced = done.replaced;
        let (read, written) = step(s, units, there, out, on_error, &mut replaced);
        let Some(space) = dst.get_mut(done.written..done.written + written) else { break };
        copy_short(&out[..written], space);
        done = Progress { read: done.read + read, written: done.written + written, replaced };
        if read < there {
            break;
        }
    }
    done
}

/// Converts the first `there` bytes of a step, which zeros follow. Returns the bytes read, all unless
/// an ill-formed unit stops the conversion, and the bytes written.
#[inline(always)]
fn step<S: Simd>(
    s: S,
    units: &[u8; STEP],
    there: usize,
    out: &mut [u8; STEP],
    on_error: OnError,
    replaced: &mut bool,
) -> (usize, usize) {
    // Zeros become one unit each.
    let padding = (STEP - there) / 2;
    let all = all_bits(s, units);
    if !s.any_nonzero(s.and(all, s.splat32(0xFFFF_0000))) {
        let mut surrogates = false;
        for i in 0..STEP / pair_len::<S>() {
            let v = s.join32(load(s, units, 2 * i), load(s, units, 2 * i + 1));
            surrogates |= any_same16(s, s.and(v, s.splat16(0xF800)), s.splat16(0xD800));
            s.store(v, out, i * S::LANES);
        }
        if !surrogates {
            return (there, STEP / 2 - padding);
        }
    }
    let mut written = 0;
    for i in 0..STEP / pair_len::<S>() {
        let units = [load(s, units, 2 * i), load(s, units, 2 * i + 1)];
        let (read, more) = pair(s, units, out, written, on_error, replaced);
        written += more;
        if read < pair_len::<S>() {
            return (i * pair_len::<S>() + read, written - (pair_len::<S>() - read) / 2);
        }
    }
    (there, written - padding)
}

/// Converts two registers of units to `out` from `at` on. Returns the bytes read, all unless an
/// ill-formed unit stops the conversion, and the bytes written. Units that were not read are
/// written as zeros.
#[inline(always)]
fn pair<S: Simd>(
    s: S,
    mut units: [S::V; 2],
    out: &mut [u8; STEP],
    at: usize,
    on_error: OnError,
    replaced: &mut bool,
) -> (usize, usize) {
    let mut read = pair_len::<S>();
    let error = errors(s, units);
    if error != 0 {
        (units, read) = mend(s, units, error, on_error, replaced);
    }
    let lower = s.emit_halves(halves(s, units[0]), out, at);
    (read, lower + s.emit_halves(halves(s, units[1]), out, at + lower))
}

/// The two units of each scalar value, for [`Simd::emit_halves`].
#[inline(always)]
fn halves<S: Simd>(s: S, units: S::V) -> S::V {
    let one = s.shl::<32, 16>(units);
    let high = s.add::<32>(s.shr::<32, 10>(units), s.splat32(0xD7C0));
    let low = s.or(s.and(one, s.splat32(0x03FF_0000)), s.splat32(0xDC00_0000));
    s.select::<32>(s.gt::<32>(units, s.splat32(0xFFFF)), s.or(high, low), one)
}
