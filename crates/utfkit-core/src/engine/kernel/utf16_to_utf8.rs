//! UTF-16 to UTF-8, strict or with U+FFFD, in one pass.
//!
//! # The idea
//!
//! A block is 32 units. There are four kinds of block by the highest unit, each with less work
//! than the next:
//!
//! ```text
//! only US-ASCII     the lower bytes
//! below U+0800      pairs of bytes; the first is left out for US-ASCII
//! no surrogates     triples; fewer are written below U+0800
//! surrogates        the same, and each half of a pair makes two bytes
//! ```
//!
//! Every lane has all bytes that a unit may need. Compressing drops the others before the
//! register is stored; the next store overwrites the rest of it.
//!
//! ```text
//! unit                          first    second   third
//! 00000000 0xxxxxxx             -        -        0xxxxxxx
//! 00000yyy yyxxxxxx             -        110yyyyy 10xxxxxx
//! zzzzyyyy yyxxxxxx             1110zzzz 10yyyyyy 10xxxxxx
//! 110110vv vvzzzzyy (high)      -        11110uuu 10uuzzzz    uuuuu = vvvv + 1
//! 110111yy yyxxxxxx (low)       -        10yyyyyy 10xxxxxx    yy of the high one
//! ```
//!
//! Text without surrogates has a kernel of its own, whose loop fits into the registers.
//!
//! A surrogate is judged by its neighbours, so that no state is kept between blocks.

use super::lanes::{any_same16, had_surrogate, lower16, swap16};
use super::to_utf8::{ASCII_ROW, Kind, Triples, emit, emit_block, emit_pairs, emit_two, kind_of_block, quads};
use super::window::{Around, BLOCK, Edge, ample, inner, settle};
use crate::engine::memory::{Aligned, copy_short};
use crate::engine::progress::{OnError, Packed, Progress};
use crate::engine::simd::dispatch::{Entries, Kernel, run, run_entries, takes_any_length};
use crate::engine::simd::ops::{Blocks, Simd};
use utfkit_forms::scalar::REPLACEMENT;
use utfkit_forms::scalar::bytes::{Little, Unit};
use utfkit_forms::scalar::utf16::{is_high, is_low};

/// Converts from UTF-16, two bytes of `src` a unit (an odd one at the end is
/// not read).
///
/// Strict: the longest well-formed prefix of `src` that fits; what stops it is
/// for the scalar codec to find at the start of the rest, or within the next
/// [`BLOCK`] bytes. With replacement, a high surrogate at the end of `src`
/// becomes U+FFFD like any other without its other half.
pub(crate) fn utf16_to_utf8(src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
    let src = &src[..src.len() & !1];
    let (read, written) = run::<Plain<false>>(src, dst, ());
    if read == src.len() {
        return Packed::new(read, written);
    }
    if let Some(more) = short(&src[read..], &mut dst[written..]) {
        return Packed::new(src.len(), written + more);
    }
    // It may have stopped at a surrogate; the unit before is none.
    let rest = run::<Convert>(&src[read..], &mut dst[written..], on_error);
    Packed::new(read, written).then(rest)
}

/// Converts a short source of whole units to its end. Returns the bytes written, or `None` if it is longer, ill-formed, or
/// does not fit.
#[inline(always)]
pub(crate) fn short(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    static REGISTER_ENTRIES: Entries<(), Option<usize>> = Entries::of::<Register>();
    if takes_any_length() && src.len() <= BLOCK {
        run_entries(&REGISTER_ENTRIES, src, dst, ())
    } else if src.len() <= SHORT {
        run_entries(&ENTRIES, src, dst, true)
    } else {
        None
    }
}

static ENTRIES: Entries<bool, Option<usize>> = Entries::of::<Short>();

/// Converts UTF-16 without surrogates, up to a block with one, without a kernel, or without space for a whole block.
/// Returns the bytes read and written.
#[inline(never)]
pub(crate) fn ucs2_to_utf8(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let (read, written) = if src.len() > SHORT { run::<Plain<false>>(src, dst, ()) } else { (0, 0) };
    let (rest, space) = (&src[read..], &mut dst[written..]);
    let more = if rest.len() <= SHORT { run_entries(&ENTRIES, rest, space, false) } else { None };
    more.map_or((read, written), |more| (src.len(), written + more))
}

/// The bytes of the longest source that is short.
const SHORT: usize = 8 * BLOCK;

/// One register where that is a block: a function that has to save others would take such a source a tenth longer.
struct Register;

impl Kernel for Register {
    type Arg = ();
    type Output = Option<usize>;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], (): ()) -> Option<usize> {
        if S::IS_BLOCK && src.len() <= BLOCK { register_within(s, src, dst, true) } else { None }
    }
}

struct Short;

impl Kernel for Short {
    /// True if there may be pairs of surrogates.
    type Arg = bool;
    type Output = Option<usize>;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], pairs: bool) -> Option<usize> {
        let (mut rest, mut written) = (src, 0);
        while !rest.is_empty() {
            let four = &rest[..rest.len().min(4 * S::LANES)];
            if let Some(ascii) = short_ascii(s, four, dst.get_mut(written..)?) {
                (rest, written) = (&rest[four.len()..], written + ascii);
                continue;
            }
            let until = rest.len() - four.len();
            while rest.len() > until {
                let (own, after) = rest.split_at(block_len(rest));
                written += block_within(s, own, dst.get_mut(written..)?, pairs)?;
                rest = after;
            }
        }
        Some(written)
    }
}

/// The bytes of the block at the front of `src`, which does not end within a pair of surrogates.
#[inline(always)]
fn block_len(src: &[u8]) -> usize {
    match src.get(BLOCK - 2..) {
        Some(last @ [_, _, _, ..]) if is_high(u16::read::<Little>(last)) => BLOCK - 2,
        _ => src.len().min(BLOCK),
    }
}

/// Converts UTF-16BE up to a surrogate. Returns the bytes read and written.
pub(crate) fn plain_utf16_be_to_utf8(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    run::<Plain<true>>(&src[..src.len() & !1], dst, ())
}

/// Converts one to four registers of US-ASCII, the last two overlapping those before them. Returns the bytes written, or
/// `None` if `src` is shorter or anything else.
#[inline(always)]
fn short_ascii<S: Simd>(s: S, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    let last = src.len().checked_sub(S::LANES)?;
    let dst = dst.get_mut(..src.len() / 2)?;
    let places = [0, S::LANES.min(last), last.saturating_sub(S::LANES), last];
    let [a, b, c, d] = places;
    let units = [s.load(src, a), s.load(src, b), s.load(src, c), s.load(src, d)];
    if s.any_nonzero(s.and(s.or(s.or(units[0], units[1]), s.or(units[2], units[3])), s.splat16(0xFF80))) {
        return None;
    }
    for (at, units) in places.into_iter().zip(units) {
        s.narrow(units, dst, at / 2);
    }
    Some(dst.len())
}

/// Text without surrogates, as far as it goes, and with little to be made ready
/// for it. Returns the bytes read and written.
struct Plain<const BIG: bool>;

impl<const BIG: bool> Kernel for Plain<BIG> {
    type Arg = ();
    type Output = (usize, usize);
    const NARROWEST: usize = if BIG { 32 } else { 16 };
    const WIDEST: usize = if BIG { 32 } else { 64 };

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], (): ()) -> (usize, usize) {
        plain_text::<S, BIG>(s, src, dst)
    }
}

/// All the rest, after a unit that is not a surrogate.
struct Convert;

impl Kernel for Convert {
    type Arg = OnError;
    type Output = Packed;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
        convert(s, src, dst, on_error).into()
    }
}

/// The bytes that a block may take while it is written.
const MOST: usize = 128;
/// Offsets in a window.
const PREV: usize = 0;
const OWN: usize = 2;
const NEXT: usize = 4;

#[inline(always)]
fn convert<S: Simd>(s: S, src: &[u8], dst: &mut [u8], on_error: OnError) -> Progress {
    let mut done = Progress::default();
    'blocks: while done.read < src.len() {
        // Blocks inside `src` and with space for whatever they become.
        let (read, written, stopped) =
            plain_blocks::<S, false>(s, &src[done.read..], dst.get_mut(done.written..).unwrap_or_default());
        done.read += read;
        done.written += written;
        if stopped {
            while let Some(window) = inner(src, done.read, OWN)
                && let Some(out) = dst.get_mut(done.written..).and_then(|rest| rest.first_chunk_mut())
            {
                let (read, written) = with_surrogates(s, window, out, on_error, &mut done.replaced);
                done.written += written;
                if on_error == OnError::Stop && read < BLOCK {
                    done.read += read;
                    return done;
                }
                // Not `read`: the next address must not depend on the data.
                done.read += BLOCK;
                let Some(next) = src[done.read..].first_chunk() else { break };
                if kind::<S, false>(s, next) != Kind::Other {
                    continue 'blocks;
                }
            }
        }
        if done.read >= src.len() {
            break;
        }
        // A block at an end of `src` or of `dst`.
        let there = BLOCK.min(src.len() - done.read);
        let Aligned(out) = &mut Aligned([0; MOST]);
        let window = Edge::<S, OWN>::at(s, src, done.read);
        let (mut read, mut written) = with_surrogates(s, &window, out, on_error, &mut done.replaced);
        if read == BLOCK {
            // The padding becomes one byte for each unit.
            read = there;
            written -= (BLOCK - there) / 2;
        }
        let Some(space) = dst.get_mut(done.written..done.written + written) else {
            return back_to_boundary(src, done);
        };
        copy_short(&out[..written], space);
        done.read += read;
        done.written += written;
        if read < there {
            return done;
        }
    }
    done
}

/// Converts blocks without surrogates, and an end of less than a block. It leaves the end of UTF-16BE to the driver,
/// which swaps it, and where registers are written by twos to [`short`]: with code for it in the same function, the
/// loop gets half the registers (AVX2).
#[inline(always)]
fn plain_text<S: Simd, const BIG: bool>(s: S, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    if const { S::Blocks::BY_TWOS || BIG } {
        let (read, written, _) = plain_blocks::<S, BIG>(s, src, dst);
        return (read, written);
    }
    let (mut read, mut written) = (0, 0);
    while read < src.len() {
        let (more, bytes, other) = plain_blocks::<S, false>(s, &src[read..], &mut dst[written..]);
        read += more;
        written += bytes;
        if other || read >= src.len() {
            break;
        }
        let (rest, space) = (&src[read..], &mut dst[written..]);
        let Some(bytes) = block_within(s, rest, space, false) else { break };
        read += BLOCK.min(rest.len());
        written += bytes;
    }
    (read, written)
}

/// Converts one block or the rest of one; the unit before it is no high surrogate. Returns the bytes
/// written, or `None` if it is ill-formed, has surrogates but may not, or does not fit.
#[inline(always)]
fn block_within<S: Simd>(s: S, src: &[u8], dst: &mut [u8], surrogates: bool) -> Option<usize> {
    let src = &src[..src.len().min(BLOCK)];
    if S::IS_BLOCK {
        return register_within(s, src, dst, surrogates);
    }
    let mut spare = None;
    let out: &mut [u8; MOST] = ample::<MOST>(dst, &mut spare, MOST).first_chunk_mut()?;
    if S::Blocks::BY_TWOS && src.len() <= S::LANES {
        // The other register would be zeros.
        let units = s.load_padded(src, 0);
        let kind = kind_of(s, &[units, s.splat(0), s.splat(0), s.splat(0)]);
        if kind != Kind::Other {
            let written = emit(s, kind, units, out, 0) - (S::LANES - src.len()) / 2;
            return settle(s, &spare, written, dst);
        }
    }
    let units = padded(s, src);
    let kind = kind_of(s, &units);
    let (read, written) = if kind != Kind::Other {
        (BLOCK, emit_units(s, kind, &units, out))
    } else if surrogates {
        with_surrogates(s, &Edge::<S, OWN>::front(s, src), out, OnError::Stop, &mut false)
    } else {
        return None;
    };
    if read < BLOCK {
        return None;
    }
    // Zeros after the source become one byte each.
    settle(s, &spare, written - (BLOCK - src.len()) / 2, dst)
}

/// [`block_within`] where a block is one register. `None` also if `dst` has not the space for whole registers.
///
/// ```text
/// below U+0800     pairs of bytes, also for US-ASCII
/// no surrogates    each unit as one lane of 32 bits
/// surrogates       the same; the lane of a high half has the character, that of a low one nothing
/// ```
///
/// Strings come in no order: US-ASCII has no way of its own, because a branch that cannot be predicted costs
/// more than it saves.
#[inline(always)]
fn register_within<S: Simd>(s: S, src: &[u8], dst: &mut [u8], surrogates: bool) -> Option<usize> {
    let units = s.load_padded(src, 0);
    // Zeros after the source become one byte each.
    let padding = |lanes: usize| (lanes - src.len()) / 2;
    if dst.len() < S::LANES {
        return None;
    }
    if !s.any_nonzero(s.and(units, s.splat16(0xF800))) {
        return Some(emit_pairs(s, units, dst, 0) - padding(S::LANES));
    }
    let pairs = if !any_same16(s, s.and(units, s.splat16(0xF800)), s.splat16(0xD800)) {
        None
    } else if surrogates {
        Some(Paired::new(s, units)?)
    } else {
        return None;
    };
    let lower = s.emit_quads(lanes::<S, false>(s, units, &pairs), dst, 0);
    if src.len() <= S::LANES / 2 {
        return Some(lower - padding(S::LANES / 2));
    }
    let space = dst.get_mut(lower..).filter(|space| space.len() >= S::LANES)?;
    Some(lower + s.emit_quads(lanes::<S, true>(s, units, &pairs), space, 0) - padding(S::LANES))
}

/// The surrogates of a register in which each has its other half.
struct Paired<S: Simd> {
    /// The unit after each.
    next: S::V,
    high: u64,
    low: u64,
}

impl<S: Simd> Paired<S> {
    #[inline(always)]
    fn new(s: S, units: S::V) -> Option<Paired<S>> {
        let (high, low) = (s.bits::<16>(half(s, units, 0xD800)), s.bits::<16>(half(s, units, 0xDC00)));
        (high << 1 == low).then_some(Paired { next: s.across::<2>(units, s.splat(0)), high, low })
    }
}

/// The bytes of the lower (`UPPER`: upper) half of a register of units, for [`Simd::emit_quads`]. A
/// pair has its bytes in the lane of the high surrogate.
#[inline(always)]
fn lanes<S: Simd, const UPPER: bool>(s: S, units: S::V, pairs: &Option<Paired<S>>) -> S::V {
    let own = s.spread::<16, UPPER>(units);
    let Some(Paired { next, high, low }) = pairs else { return quads(s, own, false) };
    let from = if UPPER { S::LANES / 4 } else { 0 };
    let headers = s.splat32(0x1_0000_u32.wrapping_sub((0xD800 << 10) + 0xDC00));
    let sum = s.add::<32>(s.shl::<32, 10>(own), s.add::<32>(s.spread::<16, UPPER>(*next), headers));
    let bytes = quads(s, s.select::<32>(s.cond::<32>(high >> from), sum, own), true);
    s.select::<32>(s.cond::<32>(low >> from), s.splat(0xFF), bytes)
}

/// A register of units.
#[inline(always)]
fn load<S: Simd, const BIG: bool>(s: S, units: &[u8], at: usize) -> S::V {
    let v = s.load(units, at);
    if BIG { swap16(s, v) } else { v }
}

/// The registers of a block, which are four or fewer.
#[inline(always)]
fn registers<S: Simd, const BIG: bool>(s: S, units: &[u8; BLOCK]) -> [S::V; 4] {
    let mut all = [s.splat(0); 4];
    for (part, v) in all.iter_mut().enumerate().take(BLOCK / S::LANES) {
        *v = load::<S, BIG>(s, units, part * S::LANES);
    }
    all
}

/// [`registers`] of a source of at most a block, with zeros after it.
#[inline(always)]
fn padded<S: Simd>(s: S, src: &[u8]) -> [S::V; 4] {
    let mut all = [s.splat(0); 4];
    for (part, v) in all.iter_mut().enumerate().take(BLOCK / S::LANES) {
        *v = s.load_padded(src, part * S::LANES);
    }
    all
}

#[inline(always)]
fn kind<S: Simd, const BIG: bool>(s: S, units: &[u8; BLOCK]) -> Kind {
    kind_of(s, &registers::<S, BIG>(s, units))
}

#[inline(always)]
fn kind_of<S: Simd>(s: S, units: &[S::V; 4]) -> Kind {
    if S::Blocks::AT_ONCE {
        return kind_of_registers(s, *units);
    }
    let (mut all, mut lowest) = (s.splat(0), s.splat(0));
    for own in &units[..BLOCK / S::LANES] {
        all = s.or(all, *own);
        lowest = lower16(s, lowest, *own);
    }
    if !s.any_nonzero(s.and(all, s.splat16(0xFF80))) {
        Kind::Ascii
    } else if !s.any_nonzero(s.and(all, s.splat16(0xF800))) {
        Kind::Pairs
    } else if !had_surrogate(s, lowest) {
        Kind::Triples
    } else {
        Kind::Other
    }
}

#[inline(always)]
fn kind_of_registers<S: Simd>(s: S, units: [S::V; 4]) -> Kind {
    let all = s.or(s.or(units[0], units[1]), s.or(units[2], units[3]));
    kind_of_block(s, units, S::Blocks::greatest::<16>(s, all))
}

/// Converts a block without surrogates. Returns the bytes written.
#[inline(always)]
fn emit_units<S: Simd>(s: S, kind: Kind, units: &[S::V; 4], out: &mut [u8; MOST]) -> usize {
    if S::Blocks::AT_ONCE {
        return emit_block(s, kind, *units, out);
    }
    if S::Blocks::BY_TWOS {
        return emit_two(s, kind, [units[0], units[1]], out, 0);
    }
    let mut written = 0;
    for own in &units[..BLOCK / S::LANES] {
        written += emit(s, kind, *own, out, written);
    }
    written
}

/// Converts blocks as long as they have no surrogates. Returns the bytes
/// read and written, and whether it was a surrogate that stopped it.
#[inline(always)]
fn plain_blocks<S: Simd, const BIG: bool>(s: S, src: &[u8], dst: &mut [u8]) -> (usize, usize, bool) {
    if S::Blocks::AT_ONCE {
        return plain_at_once::<S, BIG>(s, src, dst);
    }
    if S::Blocks::BY_TWOS {
        return plain_by_twos::<S, BIG>(s, src, dst);
    }
    let (mut read, mut written) = (0, 0);
    let mut row = 0;
    while let Some(units) = src.get(read..).and_then(|rest| rest.first_chunk())
        && let Some(out) = dst.get_mut(written..).and_then(|rest| rest.first_chunk_mut())
    {
        let units = registers::<S, BIG>(s, units);
        let kind = kind_of(s, &units);
        if let Kind::Other = kind {
            return (read, written, true);
        }
        written += emit_units(s, kind, &units, out);
        read += BLOCK;
        row = if kind == Kind::Ascii { row + 1 } else { 0 };
        if row == ASCII_ROW {
            row = 0;
            let (r, w) = narrow_ascii::<S, BIG>(s, &src[read..], &mut dst[written..]);
            read += r;
            written += w;
        }
    }
    (read, written, false)
}

/// [`plain_blocks`] where registers are written by twos. Without a second loop for US-ASCII the
/// branches between kinds of block are predicted better (wiki-chinese, AVX2: a third faster).
#[inline(always)]
fn plain_by_twos<S: Simd, const BIG: bool>(s: S, src: &[u8], dst: &mut [u8]) -> (usize, usize, bool) {
    let (blocks, _) = src.as_chunks::<BLOCK>();
    let (mut rest, mut written, mut other) = (blocks, 0, false);
    let Some(last) = dst.len().checked_sub(MOST) else { return (0, 0, false) };
    while let Some((block, after)) = rest.split_first()
        && written <= last
        && let Some(out) = dst[written..].first_chunk_mut()
    {
        let units = registers::<S, BIG>(s, block);
        let kind = kind_of(s, &units);
        other = kind == Kind::Other;
        if other {
            break;
        }
        written += emit_units(s, kind, &units, out);
        rest = after;
    }
    ((blocks.len() - rest.len()) * BLOCK, written, other)
}

/// [`plain_blocks`] where a block is written at once.
#[inline(always)]
fn plain_at_once<S: Simd, const BIG: bool>(s: S, src: &[u8], dst: &mut [u8]) -> (usize, usize, bool) {
    let (blocks, _) = src.as_chunks::<BLOCK>();
    let (mut rest, mut written, mut to_row) = (blocks, 0, ASCII_ROW);
    let read = |rest: &[[u8; BLOCK]]| (blocks.len() - rest.len()) * BLOCK;
    let Some(last) = dst.len().checked_sub(MOST) else { return (0, 0, false) };
    while let Some((block, after)) = rest.split_first()
        && written <= last
        && let Some(out) = dst[written..].first_chunk_mut()
    {
        let units = registers::<S, BIG>(s, block);
        let kind = kind_of_registers(s, units);
        if kind == Kind::Other {
            return (read(rest), written, true);
        }
        written += emit_block(s, kind, units, out);
        rest = after;
        to_row = if kind == Kind::Ascii { to_row - 1 } else { ASCII_ROW };
        if to_row == 0 {
            to_row = ASCII_ROW;
            let (r, w) = narrow_ascii::<S, BIG>(s, rest.as_flattened(), &mut dst[written..]);
            rest = &rest[r / BLOCK..];
            written += w;
        }
    }
    (read(rest), written, false)
}

/// Converts two blocks at a time as long as they are US-ASCII. Returns
/// the bytes read and written.
#[inline(always)]
fn narrow_ascii<S: Simd, const BIG: bool>(s: S, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let beyond = s.splat16(if BIG { 0x80FF } else { 0xFF80 });
    let mut written = 0;
    for (blocks, out) in src.chunks_exact(2 * BLOCK).zip(dst.chunks_exact_mut(BLOCK)) {
        let mut all = s.load(blocks, 0);
        for part in 1..2 * BLOCK / S::LANES {
            all = s.or(all, s.load(blocks, part * S::LANES));
        }
        if s.any_nonzero(s.and(all, beyond)) {
            break;
        }
        for part in 0..BLOCK / S::LANES {
            let first = load::<S, BIG>(s, blocks, 2 * part * S::LANES);
            let second = load::<S, BIG>(s, blocks, (2 * part + 1) * S::LANES);
            s.store(s.narrow16([first, second]), out, part * S::LANES);
        }
        written += BLOCK;
    }
    (2 * written, written)
}

/// The progress when the next block did not fit: if it begins with the low
/// half of a pair, up to the high half, whose two bytes were written already.
#[cold]
fn back_to_boundary(src: &[u8], done: Progress) -> Progress {
    let unit = |at: usize| u16::read::<Little>(&src[at..]);
    let halves = done.read.checked_sub(2).map(|at| (unit(at), unit(done.read)));
    match halves {
        Some((high, low)) if is_high(high) && is_low(low) => {
            Progress { read: done.read - 2, written: done.written - 2, ..done }
        }
        _ => done,
    }
}

/// Converts a block that has surrogates. Returns the bytes read, fewer than
/// all only if something is ill-formed there and that is to stop the conversion,
/// and those written.
#[inline(always)]
fn with_surrogates<S: Simd>(
    s: S,
    window: &impl Around<S>,
    out: &mut [u8; MOST],
    on_error: OnError,
    replaced: &mut bool,
) -> (usize, usize) {
    let mut written = 0;
    for part in 0..BLOCK / S::LANES {
        let (own, read, mended) = mend(s, window, part, on_error, replaced);
        // Of damaged text without pairs nothing is left to be looked after.
        if mended && !had_surrogate(s, lower16(s, s.splat(0), own)) {
            written += emit(s, Kind::Triples, own, out, written);
            continue;
        }
        let bytes = halves(s, own, window.load::<PREV>(s, part * S::LANES));
        // Without characters of three bytes, pairs of bytes are enough.
        written += if s.differ(bytes.two, s.cond::<16>(!0)) {
            bytes.emit(s, out, written)
        } else {
            let second = s.select::<16>(bytes.one, s.shl::<16, 8>(bytes.lower), bytes.lower);
            let pairs = s.or(s.shr::<16, 8>(bytes.upper), s.and(second, s.splat16(0xFF00)));
            s.emit_pairs(pairs, bytes.one, out, written)
        };
        if on_error == OnError::Stop && read < S::LANES {
            return (part * S::LANES + read, written - (S::LANES - read) / 2);
        }
    }
    (BLOCK, written)
}

/// Replaces each unpaired surrogate of one register of a block by U+FFFD, or with
/// [`OnError::Stop`] zeroes the lanes from the first one on. Returns the lanes, the bytes
/// read, and true if any were replaced.
#[inline(always)]
fn mend<S: Simd>(
    s: S,
    window: &impl Around<S>,
    part: usize,
    on_error: OnError,
    replaced: &mut bool,
) -> (S::V, usize, bool) {
    let own = window.load::<OWN>(s, part * S::LANES);
    let (high, low) = (half(s, own, 0xD800), half(s, own, 0xDC00));
    let before_low = half(s, window.load::<NEXT>(s, part * S::LANES), 0xDC00);
    let after_high = half(s, window.load::<PREV>(s, part * S::LANES), 0xD800);
    if s.differ(high, before_low) || s.differ(low, after_high) {
        let error = s.bits::<16>(high) & !s.bits::<16>(before_low) | s.bits::<16>(low) & !s.bits::<16>(after_high);
        if error != 0 {
            if on_error == OnError::Stop {
                let lane = error.trailing_zeros();
                return (s.select::<16>(s.cond::<16>(!0 << lane), s.splat(0), own), 2 * lane as usize, false);
            }
            *replaced = true;
            return (s.select::<16>(s.cond::<16>(error), s.splat16(REPLACEMENT as u16), own), S::LANES, true);
        }
    }
    (own, S::LANES, false)
}

/// The units that are high surrogates (D800) or low ones (DC00).
#[inline(always)]
fn half<S: Simd>(s: S, units: S::V, value: u16) -> S::C {
    s.same::<16>(s.and(units, s.splat16(0xFC00)), s.splat16(value))
}

/// The bytes of units whose surrogates have their other halves. Each of those
/// makes two bytes.
#[inline(always)]
fn halves<S: Simd>(s: S, own: S::V, prev: S::V) -> Triples<S> {
    let Triples { upper, lower, one, two } = Triples::new(s, own);
    let (high, low) = (half(s, own, 0xD800), half(s, own, 0xDC00));
    // 00000uuu uuzzzzyy
    let sum = s.add::<16>(own, s.splat16(0x0040_u16.wrapping_sub(0xD800)));
    let upper_of_high = s.or(sum, s.splat16(0xF000));
    let lower_of_high = s.or(s.and(s.shl::<16, 6>(sum), s.splat16(0x3F00)), s.splat16(0x8000));
    // The last two bits of the high half, where the low one's header is.
    let yy = s.and(s.xor(s.shl::<16, 12>(prev), s.splat16(0x3000)), s.splat16(0x3000));
    let upper_of_low = s.xor(upper, yy);
    Triples {
        upper: s.select::<16>(high, upper_of_high, s.select::<16>(low, upper_of_low, upper)),
        lower: s.select::<16>(high, lower_of_high, lower),
        one,
        two: s.either(two, s.either(high, low)),
    }
}
