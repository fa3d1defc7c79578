//! UTF-8 to UTF-32, strict or with U+FFFD, in one pass.
//!
//! # The idea
//!
//! That of [`utf8_to_utf16`](super::utf8_to_utf16), but a character is one
//! unit whatever its length: each lane whose own byte ends a character gets
//! the three bytes of that character's value, from own and what stands before
//! it.
//!
//! ```text
//! prev3    prev2    prev1    own        high     middle   low
//!                            0xxxxxxx   00000000 00000000 0xxxxxxx
//!                   110yyyyy 10xxxxxx   00000000 00000yyy yyxxxxxx
//!          1110zzzz 10yyyyyy 10xxxxxx   00000000 zzzzyyyy yyxxxxxx
//! 11110uuu 10uuzzzz 10yyyyyy 10xxxxxx   000uuuuu zzzzyyyy yyxxxxxx
//! ```
//!
//! The low byte is made alike for all lengths; so is the middle one, but for
//! where zzzz comes from. The high bytes are looked at only in a block in which
//! a character of four bytes ends.
//!
//! The three planes of bytes are compressed to the front, each for itself, and
//! then interleaved: that is less work than to compress the units, which are
//! four times as many bytes as the planes have.
//!
//! Something ill-formed is dealt with as it is for UTF-16: the masks of
//! [`Marks`] take the place of comparisons, and U+FFFD is blended in.

use core::marker::PhantomData;

use super::utf8::{Marks, NEXT, OWN, PREV1, PREV2, PREV3, Tables, bytes_before, front, tail, window};
use super::window::{Around, BLOCK};
use super::{OnFault, Progress};
use crate::scalar::bytes::Order;
use crate::scalar::utf8::is_continuation;
use crate::simd::dispatch::{Kernel, run};
use crate::simd::ops::{Planes, Simd};

/// Converts to UTF-32 in the byte order `O`, four bytes of `dst` a unit.
///
/// Strict: the longest well-formed prefix of `src` that fits; what stops it is
/// for the scalar codec to find at the front of the rest, or within the next
/// [`BLOCK`] bytes. With replacement, an unfinished sequence at the end of
/// `src` becomes U+FFFD like any other fault.
#[inline]
pub(crate) fn utf8_to_utf32<O: Order, F: OnFault>(src: &[u8], dst: &mut [u8]) -> Progress {
    run(Convert::<O, F> { src, dst, order: PhantomData })
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
        if O::BIG {
            convert::<S, F, true>(s, self.src, self.dst)
        } else {
            convert::<S, F, false>(s, self.src, self.dst)
        }
    }

    #[inline]
    fn scalar(self) -> Progress {
        Progress::default()
    }
}

/// The bytes that the units of a block may take.
const ROOM: usize = 4 * BLOCK;

#[inline(always)]
fn convert<S: Simd, F: OnFault, const BIG: bool>(s: S, src: &[u8], dst: &mut [u8]) -> Progress {
    let Some(&first) = src.first() else { return Progress::default() };
    let tables = Tables::new(s);
    let mut run = Run { at: 0, written: 0, replaced: false, doubtful: is_continuation(first) };
    while run.at < src.len() {
        // Blocks inside `src` and with room for a whole block's units.
        while let Some(window) = window(src, run.at)
            && let Some(out) = dst.get_mut(run.written..).and_then(|rest| rest.first_chunk_mut())
        {
            if is_ascii(s, window, OWN) {
                widen::<S, BIG>(s, window, OWN, out);
                let more = widen_ascii::<S, BIG>(s, &src[run.at + BLOCK..], &mut dst[run.written + ROOM..]);
                run.at += BLOCK + more;
                run.written += ROOM + 4 * more;
                run.doubtful = src.get(run.at).is_some_and(|&b| is_continuation(b));
                continue;
            }
            let (written, stop) = run.block::<S, F, BIG>(s, &tables, window, !0, Room::Ample(out));
            run.written += written.unwrap_or_default();
            if let Some(read) = stop {
                return run.progress(read);
            }
            run.at += BLOCK;
        }
        if run.at >= src.len() {
            break;
        }
        // A block at an end of `src` or of `dst`.
        let room = Room::Scarce(dst.get_mut(run.written..).unwrap_or_default());
        let (written, stop) = if run.at == 0 {
            let (window, lanes) = front(s, src);
            run.block::<S, F, BIG>(s, &tables, &window, lanes, room)
        } else {
            let (window, lanes) = tail(s, src, run.at);
            run.block::<S, F, BIG>(s, &tables, &window, lanes, room)
        };
        // No room: up to the character to which the next byte belongs.
        let Some(written) = written else { return run.progress(run.at - bytes_before(src, run.at)) };
        run.written += written;
        if let Some(read) = stop {
            return run.progress(read);
        }
        run.at += BLOCK;
    }
    run.progress(src.len())
}

/// Where the units of a block go.
enum Room<'a> {
    /// There is room for a whole block's.
    Ample(&'a mut [u8; ROOM]),
    Scarce(&'a mut [u8]),
}

impl Room<'_> {
    #[inline(always)]
    fn emit<S: Simd, const BIG: bool>(&mut self, s: S, planes: Planes<S::V>, keep: u64, at: usize) -> Option<usize> {
        match self {
            Room::Ample(out) => Some(s.emit32::<BIG>(planes, keep, &mut out[..], at)),
            Room::Scarce(out) => s.emit32_within::<BIG>(planes, keep, out, at),
        }
    }
}

/// Where a conversion is between two blocks.
struct Run {
    at: usize,
    written: usize,
    replaced: bool,
    /// Whether the next block must be looked at closely.
    doubtful: bool,
}

impl Run {
    /// Converts one block. Answers with the bytes written, or `None` if they
    /// find no room, and where `src` is ill-formed if that is to stop the
    /// conversion.
    #[inline(always)]
    fn block<S: Simd, F: OnFault, const BIG: bool>(
        &mut self,
        s: S,
        tables: &Tables<S>,
        window: &impl Around<S>,
        lanes: u64,
        out: Room<'_>,
    ) -> (Option<usize>, Option<usize>) {
        if !self.doubtful && !tables.is_faulty(s, window) {
            return (emit_well_formed::<S, BIG>(s, window, lanes, out), None);
        }
        let mut marks = Marks::new(s, tables, window);
        self.doubtful = marks.doubtful_behind();
        marks.fault &= lanes;
        let mut keep = marks.ends() & lanes;
        let mut stop = None;
        if marks.fault != 0 {
            if F::STOP {
                let lane = marks.fault.trailing_zeros();
                stop = Some(marks.start(self.at, lane));
                keep &= (1 << lane) - 1;
            } else {
                self.replaced = true;
                keep |= marks.fault;
            }
        }
        (emit_marked::<S, BIG>(s, window, &marks, keep, out), stop)
    }

    fn progress(&self, read: usize) -> Progress {
        Progress { read, written: self.written, replaced: self.replaced }
    }
}

/// Converts whole blocks as long as they are US-ASCII. Answers with the bytes
/// read.
#[inline(always)]
fn widen_ascii<S: Simd, const BIG: bool>(s: S, src: &[u8], dst: &mut [u8]) -> usize {
    let mut read = 0;
    for (block, out) in src.chunks_exact(BLOCK).zip(dst.chunks_exact_mut(ROOM)) {
        if !is_ascii(s, block, 0) {
            break;
        }
        widen::<S, BIG>(s, block, 0, out);
        read += BLOCK;
    }
    read
}

/// Whether the 64 bytes of `src` from `at` on are US-ASCII.
#[inline(always)]
fn is_ascii<S: Simd>(s: S, src: &[u8], at: usize) -> bool {
    let mut all = s.load(src, at);
    for part in 1..BLOCK / S::LANES {
        all = s.or(all, s.load(src, at + part * S::LANES));
    }
    !s.any_msb(all)
}

#[inline(always)]
fn widen<S: Simd, const BIG: bool>(s: S, src: &[u8], at: usize, out: &mut [u8]) {
    for part in 0..BLOCK / S::LANES {
        let lane = part * S::LANES;
        s.widen32::<BIG>(s.load(src, at + lane), out, 4 * lane);
    }
}

/// What a lane's own byte is, as far as its value depends on it.
struct Roles<C> {
    /// A continuation.
    continuation: C,
    /// The third byte, if that is not to be seen from the lead before it.
    third: Option<C>,
    /// The fourth.
    fourth: C,
}

/// The bytes of each lane's value. `four` says whether `fourth` holds anywhere.
#[inline(always)]
fn planes<S: Simd>(s: S, window: &impl Around<S>, lane: usize, roles: &Roles<S::C>, four: bool) -> Planes<S::V> {
    let own = window.load(s, OWN + lane);
    let prev1 = window.load(s, PREV1 + lane);
    let prev2 = window.load(s, PREV2 + lane);
    let byte = |b| s.splat(b);

    let x = s.and_not(s.keep(roles.continuation, byte(0xC0)), own);
    let y = s.keep(roles.continuation, prev1);
    let low = s.or(x, s.and(s.shl::<6>(y), byte(0xC0)));
    let y = s.and(s.shr::<2>(y), byte(0x0F));
    // 0000zzzz behind a lead of three, 0 behind what is less.
    let z = s.saturating_sub(prev2, byte(0xE0));
    let z = match roles.third {
        None => z,
        // Ill-formed: the next lane may be no part of it.
        Some(third) => s.keep(third, s.and(z, byte(0x0F))),
    };
    if !four {
        return Planes { low, middle: s.or(y, s.shl::<4>(z)), high: None };
    }
    let z = s.select(roles.fourth, prev2, z);
    let middle = s.or(y, s.and(s.shl::<4>(z), byte(0xF0)));
    let prev3 = window.load(s, PREV3 + lane);
    let u = s.or(s.and(s.shl::<2>(prev3), byte(0x1C)), s.and(s.shr::<4>(prev2), byte(0x03)));
    Planes { low, middle, high: Some(s.keep(roles.fourth, u)) }
}

/// Whether a lead of four is three bytes before some own byte.
#[inline(always)]
fn has_four<S: Simd>(s: S, window: &impl Around<S>) -> bool {
    let mut four = s.splat(0);
    for part in 0..BLOCK / S::LANES {
        four = s.or(four, s.saturating_sub(window.load(s, PREV3 + part * S::LANES), s.splat(0xF0 - 0x80)));
    }
    s.any_msb(four)
}

/// Writes the units of a block in which nothing is ill-formed.
#[inline(always)]
fn emit_well_formed<S: Simd, const BIG: bool>(
    s: S,
    window: &impl Around<S>,
    lanes: u64,
    mut out: Room<'_>,
) -> Option<usize> {
    let mut written = 0;
    let four = has_four(s, window);
    for part in 0..BLOCK / S::LANES {
        let lane = part * S::LANES;
        let own = window.load(s, OWN + lane);
        let prev3 = window.load(s, PREV3 + lane);
        let roles =
            Roles { continuation: s.lt_signed(own, s.splat(0xC0)), third: None, fourth: s.ge(prev3, s.splat(0xF0)) };
        let planes = planes(s, window, lane, &roles, four);
        let next = window.load(s, NEXT + lane);
        let keep = !s.bits(s.lt_signed(next, s.splat(0xC0)));
        written += out.emit::<S, BIG>(s, planes, keep & part_of::<S>(lanes, part), written)?;
    }
    Some(written)
}

/// Writes the units in `keep` of a block in which something is ill-formed, and
/// U+FFFD where that is at a fault.
#[inline(always)]
fn emit_marked<S: Simd, const BIG: bool>(
    s: S,
    window: &impl Around<S>,
    marks: &Marks,
    keep: u64,
    mut out: Room<'_>,
) -> Option<usize> {
    let mut written = 0;
    for part in 0..BLOCK / S::LANES {
        let lane = part * S::LANES;
        let cond = |mask: u64| s.cond(part_of::<S>(mask, part));
        let roles = Roles {
            continuation: cond(marks.second | marks.third | marks.fourth),
            third: Some(cond(marks.third)),
            fourth: cond(marks.fourth),
        };
        let Planes { low, middle, high } = planes(s, window, lane, &roles, marks.fourth != 0);
        let fault = cond(marks.fault);
        let planes = Planes {
            low: s.select(fault, s.splat(0xFD), low),
            middle: s.select(fault, s.splat(0xFF), middle),
            high: high.map(|high| s.select(fault, s.splat(0), high)),
        };
        written += out.emit::<S, BIG>(s, planes, part_of::<S>(keep, part), written)?;
    }
    Some(written)
}

/// The bits of `mask` for the lanes of one part of a block.
#[inline(always)]
fn part_of<S: Simd>(mask: u64, part: usize) -> u64 {
    let mask = mask >> (part * S::LANES);
    if S::LANES == 64 { mask } else { mask & ((1 << S::LANES) - 1) }
}
