//! UTF-32 to UTF-8, strict or with U+FFFD, in one pass.
//!
//! # The idea
//!
//! Steps of 32 units, by the highest unit in them:
//!
//! ```text
//! only US-ASCII    the lowest bytes
//! below U+0800     narrowed to 16 bits, then pairs of bytes, as from UTF-16
//! to U+FFFF        narrowed, then triples, if none is a surrogate
//! any              quads
//! ```
//!
//! In US-ASCII with a rare character above U+FFFF, quads would be computed for 32 units because of
//! one. There all units are written as US-ASCII, and then the character and all that follows it once more.

use super::lanes::{had_surrogate, lower16, swap32};
use super::to_utf8::{ASCII_ROW, Kind, emit, emit_block, emit_pairs, emit_scalars, emit_two, kind_of_block, quads};
use super::utf32::{STEP, all_bits, errors, ill_formed, load, mend, pair_len};
use super::window::{BLOCK, ample, settle};
use crate::engine::progress::{OnError, Packed, Progress};
use crate::engine::simd::dispatch::{Entries, Kernel, run, run_entries};
use crate::engine::simd::ops::{Blocks, Simd};
use utfkit_forms::scalar::short::encode_utf8;

/// Converts from UTF-32, four bytes of `src` a unit; one to three bytes at the end are not read.
///
/// With [`OnError::Stop`], the longest well-formed prefix of `src` that fits. The scalar codec
/// finds what stopped it within the next [`STEP`] bytes.
#[inline]
pub(crate) fn utf32_to_utf8(src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
    let (mut rest, mut space, mut all) = (&src[..src.len() & !3], dst, Packed::default());
    loop {
        let (done, is_mixed) = run::<Convert>(rest, space, on_error);
        all = all.then(done);
        if !is_mixed {
            return all;
        }
        // It has read a step at least.
        let Progress { read, written, .. } = done.unpack();
        (rest, space) = (&rest[read..], &mut space[written..]);
        let (read, written) = run::<Mixed>(rest, space, ());
        all = all.then(Packed::new(read, written));
        (rest, space) = (&rest[read..], &mut space[written..]);
        if rest.len() <= SHORT
            && let Some(written) = short(rest, space)
        {
            return all.then(Packed::new(rest.len(), written));
        }
    }
}

/// Converts a short source of whole units to its end. Returns the bytes written, or `None` if it is longer, ill-formed, or
/// `dst` too short.
#[inline(always)]
pub(crate) fn short(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    if src.len() <= SHORT { run_entries(&ENTRIES, src, dst, ()) } else { None }
}

static ENTRIES: Entries<(), Option<usize>> = Entries::of::<Short>();

/// The bytes of the longest source that is short.
const SHORT: usize = 16 * BLOCK;

struct Short;

impl Kernel for Short {
    type Arg = ();
    type Output = Option<usize>;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], (): ()) -> Option<usize> {
        if S::IS_BLOCK && src.len() <= S::LANES {
            return register_within(s, src, dst);
        }
        if src.len() > SHORT / 4 && !S::IS_BLOCK && !S::Blocks::BY_TWOS {
            return None;
        }
        let mut written = 0;
        for four in src.chunks(4 * S::LANES) {
            if let Some(bytes) = short_ascii(s, four, dst.get_mut(written..)?) {
                written += bytes;
                continue;
            }
            for own in four.chunks(if S::IS_BLOCK { S::LANES } else { pair_len::<S>() }) {
                let space = dst.get_mut(written..)?;
                written += if S::IS_BLOCK {
                    register_within(s, own, space)?
                } else {
                    let (read, bytes) = front_pair(s, own, space, OnError::Stop, &mut false)?;
                    (read == own.len()).then_some(bytes)?
                };
            }
        }
        Some(written)
    }
}

/// Converts two to four registers of US-ASCII, the last two overlapping those before them. Returns the bytes written, or
/// `None` if `src` is shorter or anything else.
#[inline(always)]
fn short_ascii<S: Simd>(s: S, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    let last = src.len().checked_sub(pair_len::<S>())?;
    let dst = dst.get_mut(..src.len() / 4)?;
    let (a, b) = (s.load(src, 0), s.load(src, S::LANES));
    let (c, d) = (s.load(src, last), s.load(src, last + S::LANES));
    // Most texts that are anything else show it at the front.
    if has(s, a, 0xFFFF_FF80) || has(s, s.or(s.or(a, b), s.or(c, d)), 0xFFFF_FF80) {
        return None;
    }
    s.narrow(s.join32(a, b), dst, 0);
    s.narrow(s.join32(c, d), dst, last / 4);
    Some(dst.len())
}

/// Converts the units of one register. Returns the bytes written, or `None` if something is
/// ill-formed or `dst` has not the space for a register.
#[inline(always)]
fn register_within<S: Simd>(s: S, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    let units = s.load_padded(src, 0);
    if dst.len() < S::LANES || s.bits::<32>(ill_formed(s, units)) != 0 {
        return None;
    }
    // Zeros after the source become one byte each.
    Some(s.emit_quads(quads(s, units, true), dst, 0) - (S::LANES - src.len()) / 4)
}

struct Convert;

impl Kernel for Convert {
    type Arg = OnError;
    /// True if it left the rest to [`Mixed`].
    type Output = (Packed, bool);

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], on_error: OnError) -> (Packed, bool) {
        let (done, is_mixed) = convert(s, src, dst, on_error);
        (done.into(), is_mixed)
    }
}

/// Text of characters of all lengths, where registers are written by twos: with code for other text in the same
/// function, the loop gets half the registers. Returns the bytes read and written.
struct Mixed;

impl Kernel for Mixed {
    type Arg = ();
    type Output = (usize, usize);
    const WIDEST: usize = 32;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], (): ()) -> (usize, usize) {
        mixed(s, src, dst)
    }
}

/// After this many steps in a row without a character above U+FFFF, or of US-ASCII with [`FEW`] others, [`Convert`]
/// is faster.
const MIXED_ROW: u32 = 4;

#[inline(always)]
fn mixed<S: Simd>(s: S, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let (steps, _) = src.as_chunks::<STEP>();
    let (mut rest, mut written, mut row) = (steps, 0, 0);
    let Some(last) = dst.len().checked_sub(STEP) else { return (0, 0) };
    while let Some((units, after)) = rest.split_first()
        && written <= last
        && row < MIXED_ROW
        && !has_errors(s, units)
    {
        let before = written;
        for i in 0..STEP / pair_len::<S>() {
            written += emit_scalars(s, [load(s, units, 2 * i), load(s, units, 2 * i + 1)], dst, written);
        }
        rest = after;
        let is_other = has_more_than_16_bits(s, units) && written - before > NEARLY;
        row = if is_other { 0 } else { row + 1 };
    }
    ((steps.len() - rest.len()) * STEP, written)
}

/// True if a unit of a step is above FFFF.
#[inline(always)]
fn has_more_than_16_bits<S: Simd>(s: S, units: &[u8; STEP]) -> bool {
    has(s, all_bits(s, units), 0xFFFF_0000)
}

/// True if a unit of a step is no scalar value.
#[inline(always)]
fn has_errors<S: Simd>(s: S, units: &[u8; STEP]) -> bool {
    let mut any = ill_formed(s, load(s, units, 0));
    for part in 1..STEP / S::LANES {
        any = s.either(any, ill_formed(s, load(s, units, part)));
    }
    s.bits::<32>(any) != 0
}

/// Converts UTF-32BE up to a surrogate or a value above U+FFFF, in whole steps. Returns the bytes
/// read and written.
pub(crate) fn plain_utf32_be_to_utf8(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    run::<PlainBig>(src, dst, ())
}

struct PlainBig;

impl Kernel for PlainBig {
    type Arg = ();
    type Output = (usize, usize);
    const WIDEST: usize = 32;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], (): ()) -> (usize, usize) {
        let (read, written, _) = plain_steps::<S, true>(s, src, dst);
        (read, written)
    }
}

/// A register of the units of a step.
#[inline(always)]
fn loaded<S: Simd, const BIG: bool>(s: S, units: &[u8; STEP], part: usize) -> S::V {
    in_order::<S, BIG>(s, load(s, units, part))
}

#[inline(always)]
fn in_order<S: Simd, const BIG: bool>(s: S, v: S::V) -> S::V {
    if BIG { swap32(s, v) } else { v }
}

#[inline(always)]
fn convert<S: Simd>(s: S, src: &[u8], dst: &mut [u8], on_error: OnError) -> (Progress, bool) {
    let mut done = Progress::default();
    while done.read < src.len() {
        let (read, written, other) = plain_steps::<S, false>(s, &src[done.read..], &mut dst[done.written..]);
        done.read += read;
        done.written += written;
        // Steps inside `src` and with space for whatever they become: no
        // character is longer than its unit was.
        while other
            && let Some(units) = src[done.read..].first_chunk()
            && let Some(out) = dst.get_mut(done.written..).and_then(|rest| rest.first_chunk_mut())
            && kind::<S, false>(s, units) == Kind::Other
        {
            let (read, written) = step(s, units, out, on_error, &mut done.replaced);
            done.written += written;
            if read < STEP {
                done.read += read;
                return (done, false);
            }
            // Not `read`: the next address must not depend on the data.
            done.read += STEP;
            // To ask each step would be felt where there is little US-ASCII.
            if !S::Blocks::AT_ONCE && written <= NEARLY {
                let (read, written) = nearly_ascii(s, &src[done.read..], &mut dst[done.written..]);
                done.read += read;
                done.written += written;
            } else if S::Blocks::BY_TWOS {
                return (done, true);
            }
        }
        if done.read >= src.len() {
            break;
        }
        // An end of `src` or of `dst`.
        let mut replaced = done.replaced;
        let space = dst.get_mut(done.written..).unwrap_or_default();
        let Some((read, written)) = front_pair(s, &src[done.read..], space, on_error, &mut replaced) else { break };
        done = Progress { read: done.read + read, written: done.written + written, replaced };
        if read < pair_len::<S>() {
            break;
        }
    }
    (done, false)
}

/// Converts at most two registers of units. Returns the bytes read, all unless an ill-formed unit
/// stops the conversion, and the bytes written; `None` if they do not fit.
#[inline(always)]
fn front_pair<S: Simd>(
    s: S,
    src: &[u8],
    dst: &mut [u8],
    on_error: OnError,
    replaced: &mut bool,
) -> Option<(usize, usize)> {
    let units = [s.load_padded(src, 0), s.load_padded(src, S::LANES)];
    let within = |(read, written): (usize, usize)| {
        // Units that are not there or were not read are zeros, which become one byte each.
        let there = read.min(src.len());
        (there, written - (pair_len::<S>() - there) / 4)
    };
    let mut spare = None;
    let out = ample::<STEP>(dst, &mut spare, pair_len::<S>());
    let all = s.or(units[0], units[1]);
    let (read, written) = if !has(s, all, 0xFFFF_FF80) {
        s.narrow(s.join32(units[0], units[1]), out, 0);
        within((pair_len::<S>(), pair_len::<S>() / 4))
    } else if S::Blocks::BY_TWOS && !has(s, all, 0xFFFF_F800) {
        within((pair_len::<S>(), emit_pairs(s, s.join32(units[0], units[1]), out, 0)))
    } else {
        within(pair(s, units, out, 0, on_error, replaced))
    };
    Some((read, settle(s, &spare, written, dst)?))
}

#[inline(always)]
fn kind<S: Simd, const BIG: bool>(s: S, units: &[u8; STEP]) -> Kind {
    let all = in_order::<S, BIG>(s, all_bits(s, units));
    if S::Blocks::AT_ONCE {
        return kind_of_block(s, all_narrowed::<S, BIG>(s, units), S::Blocks::greatest::<32>(s, all));
    }
    if !has(s, all, 0xFFFF_FF80) {
        return Kind::Ascii;
    }
    if !has(s, all, 0xFFFF_F800) {
        return Kind::Pairs;
    }
    if has(s, all, 0xFFFF_0000) {
        return Kind::Other;
    }
    let mut lowest = s.splat(0);
    for i in 0..STEP / pair_len::<S>() {
        lowest = lower16(s, lowest, narrowed::<S, BIG>(s, units, i));
    }
    if had_surrogate(s, lowest) { Kind::Other } else { Kind::Triples }
}

/// True if any unit has any of `bits`.
#[inline(always)]
fn has<S: Simd>(s: S, units: S::V, bits: u32) -> bool {
    s.any_nonzero(s.and(units, s.splat32(bits)))
}

/// A pair of registers of the units of a step, their lower 16 bits.
#[inline(always)]
fn narrowed<S: Simd, const BIG: bool>(s: S, units: &[u8; STEP], i: usize) -> S::V {
    s.join32(loaded::<S, BIG>(s, units, 2 * i), loaded::<S, BIG>(s, units, 2 * i + 1))
}

/// All of them, where they are four registers then.
#[inline(always)]
fn all_narrowed<S: Simd, const BIG: bool>(s: S, units: &[u8; STEP]) -> [S::V; 4] {
    let mut all = [s.splat(0); 4];
    for (i, v) in all.iter_mut().enumerate() {
        *v = narrowed::<S, BIG>(s, units, i);
    }
    all
}

/// Converts steps as long as their units are scalar values below U+10000.
/// Returns the bytes read and written, and whether it was that that stopped it.
#[inline(always)]
fn plain_steps<S: Simd, const BIG: bool>(s: S, src: &[u8], dst: &mut [u8]) -> (usize, usize, bool) {
    let (mut read, mut written) = (0, 0);
    let mut row = 0;
    while let Some(units) = src.get(read..).and_then(|rest| rest.first_chunk())
        && let Some(out) = dst.get_mut(written..).and_then(|rest| rest.first_chunk_mut::<STEP>())
    {
        let kind = kind::<S, BIG>(s, units);
        if kind == Kind::Other {
            return (read, written, true);
        }
        let mut more = 0;
        if S::Blocks::AT_ONCE {
            more = emit_block(s, kind, all_narrowed::<S, BIG>(s, units), out);
        } else if S::Blocks::BY_TWOS {
            for two in 0..STEP / (2 * pair_len::<S>()) {
                let units = [narrowed::<S, BIG>(s, units, 2 * two), narrowed::<S, BIG>(s, units, 2 * two + 1)];
                more += emit_two(s, kind, units, out, more);
            }
        } else {
            for i in 0..STEP / pair_len::<S>() {
                if S::COMPRESS && kind == Kind::Triples {
                    more += s.emit_quads(quads(s, loaded::<S, BIG>(s, units, 2 * i), false), out, more);
                    more += s.emit_quads(quads(s, loaded::<S, BIG>(s, units, 2 * i + 1), false), out, more);
                } else {
                    more += emit(s, kind, narrowed::<S, BIG>(s, units, i), out, more);
                }
            }
        }
        read += STEP;
        written += more;
        row = if kind == Kind::Ascii { row + 1 } else { 0 };
        if row == ASCII_ROW {
            row = 0;
            let ascii = narrow_ascii::<S, BIG>(s, &src[read..], &mut dst[written..]);
            read += 4 * ascii;
            written += ascii;
        }
    }
    (read, written, false)
}

/// Converts two steps at a time as long as they are US-ASCII. Returns the
/// bytes written.
#[inline(always)]
fn narrow_ascii<S: Simd, const BIG: bool>(s: S, src: &[u8], dst: &mut [u8]) -> usize {
    let mut written = 0;
    for (steps, out) in src.chunks_exact(2 * STEP).zip(dst.chunks_exact_mut(STEP / 2)) {
        let mut all = s.load(steps, 0);
        for part in 1..2 * STEP / S::LANES {
            all = s.or(all, s.load(steps, part * S::LANES));
        }
        if has(s, in_order::<S, BIG>(s, all), 0xFFFF_FF80) {
            break;
        }
        for i in 0..STEP / 2 / S::LANES {
            let mut four = [s.splat(0); 4];
            for (j, v) in four.iter_mut().enumerate() {
                *v = in_order::<S, BIG>(s, s.load(steps, (4 * i + j) * S::LANES));
            }
            s.store(s.narrow32(four), out, i * S::LANES);
        }
        written += STEP / 2;
    }
    written
}

/// The most units beyond US-ASCII in a step that are converted one by one.
const FEW: usize = 4;
/// The most bytes of a step after which [`nearly_ascii`] is tried: with two characters of four bytes.
const NEARLY: usize = STEP / 4 + 6;

/// Converts steps of US-ASCII with at most [`FEW`] other units in them, up to a step that is not followed by another.
/// Returns the bytes read and written.
///
/// Such a step is written as if it were US-ASCII. Each other unit is then written in its place, and all that
/// follows it once more, after it.
#[inline(always)]
fn nearly_ascii<S: Simd>(s: S, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(two) = src.get(read..).and_then(|rest| rest.first_chunk::<{ 2 * STEP }>())
        && let Some(units) = two.first_chunk()
        && let Some(out) = dst.get_mut(written..).and_then(|rest| rest.first_chunk_mut::<STEP>())
    {
        let mut others = 0;
        if has(s, all_bits(s, units), 0xFFFF_FF80) {
            others = beyond_ascii(s, units);
            if others.count_ones() as usize > FEW {
                break;
            }
        }
        emit_ascii(s, units, out);
        let mut at = 0;
        for _ in 0..FEW {
            if others == 0 {
                break;
            }
            let lane = others.trailing_zeros() as usize;
            others &= others - 1;
            let value = units.as_chunks().0.get(lane).map_or(0, |unit| u32::from_le_bytes(*unit));
            let Some(place) = out[at + lane..].first_chunk_mut().filter(|_| char::from_u32(value).is_some()) else {
                return (read + 4 * lane, written + at + lane);
            };
            let (bytes, len) = encode_utf8(value);
            *place = bytes;
            at += len - 1;
            if let Some(after) = two[4 * (lane + 1)..].first_chunk() {
                emit_ascii(s, after, &mut out[at + lane + 1..]);
            }
        }
        read += STEP;
        // Not `lane`: the next address must not depend on the data.
        written += STEP / 4 + at;
    }
    (read, written)
}

/// Converts a step of US-ASCII.
#[inline(always)]
fn emit_ascii<S: Simd>(s: S, units: &[u8; STEP], out: &mut [u8]) {
    if const { S::LANES > STEP / 4 } {
        for i in 0..STEP / pair_len::<S>() {
            s.narrow(narrowed::<S, false>(s, units, i), out, i * S::LANES / 2);
        }
        return;
    }
    for i in 0..STEP / (4 * S::LANES) {
        let mut four = [s.splat(0); 4];
        for (j, v) in four.iter_mut().enumerate() {
            *v = load(s, units, 4 * i + j);
        }
        s.store(s.narrow32(four), out, i * S::LANES);
    }
}

/// The units of a step that are not US-ASCII, a bit a unit.
#[inline(always)]
fn beyond_ascii<S: Simd>(s: S, units: &[u8; STEP]) -> u64 {
    let mut others = 0;
    for part in 0..STEP / S::LANES {
        // As if signed, but never negative.
        others |= s.bits::<32>(s.gt::<32>(s.shr::<32, 7>(load(s, units, part)), s.splat(0))) << (part * S::LANES / 4);
    }
    others
}

/// Converts a step of any units. Returns the bytes read, fewer than all
/// only if something is ill-formed there and that is to stop the conversion, and
/// those written.
#[inline(always)]
fn step<S: Simd>(
    s: S,
    units: &[u8; STEP],
    out: &mut [u8; STEP],
    on_error: OnError,
    replaced: &mut bool,
) -> (usize, usize) {
    let mut written = 0;
    for i in 0..STEP / pair_len::<S>() {
        let units = [load(s, units, 2 * i), load(s, units, 2 * i + 1)];
        let (read, more) = pair(s, units, out, written, on_error, replaced);
        written += more;
        if read < pair_len::<S>() {
            return (i * pair_len::<S>() + read, written - (pair_len::<S>() - read) / 4);
        }
    }
    (STEP, written)
}

/// Converts two registers of units to `out` from `at` on. Returns the bytes read, all unless an
/// ill-formed unit stops the conversion, and the bytes written. Units that were not read are
/// written as zeros.
#[inline(always)]
fn pair<S: Simd>(
    s: S,
    mut units: [S::V; 2],
    out: &mut [u8],
    at: usize,
    on_error: OnError,
    replaced: &mut bool,
) -> (usize, usize) {
    let mut read = pair_len::<S>();
    // By twos all units cost the same, without a branch that cannot be predicted.
    if !S::Blocks::BY_TWOS && !has(s, s.or(units[0], units[1]), 0xFFFF_F800) {
        return (read, emit_pairs(s, s.join32(units[0], units[1]), out, at));
    }
    let error = errors(s, units);
    if error != 0 {
        (units, read) = mend(s, units, error, on_error, replaced);
    }
    (read, emit_scalars(s, units, out, at))
}
