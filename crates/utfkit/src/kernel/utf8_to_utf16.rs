//! UTF-8 to UTF-16, strict or with U+FFFD, in one pass.
//!
//! # The idea
//!
//! Each lane whose own byte ends a character gets that character's unit, as a
//! low and a high byte computed from own and the bytes before it:
//!
//! ```text
//! prev2    prev1    own        high     low
//!                   0xxxxxxx   00000000 0xxxxxxx
//!          110yyyyy 10xxxxxx   00000yyy yyxxxxxx
//! 1110zzzz 10yyyyyy 10xxxxxx   zzzzyyyy yyxxxxxx
//! ```
//!
//! Of a character of four bytes the third makes the high surrogate and the
//! fourth the low one, so that no lane ever makes more than one unit:
//!
//! ```text
//! prev3    prev2    prev1    own        high     low
//!          11110uuu 10uuzzzz 10yyyyyy   110110uu uuzzzzyy - 00000000 01000000
//! 11110uuu 10uuzzzz 10yyyyyy 10xxxxxx   110111yy yyxxxxxx
//! ```
//!
//! The other lanes hold something without meaning. The units that are meant
//! are then compressed to the front and stored, the whole register of them;
//! what is too much is overwritten by the next block.
//!
//! # Ill-formed blocks
//!
//! If nothing is ill-formed, comparing bytes tells where characters end. If
//! something is, the masks of [`Marks`] do, U+FFFD is blended into the lanes
//! of the faults, and the rest is the same. No restart: a damaged text costs
//! the masks, and nothing else.

use core::marker::PhantomData;

use super::utf8::{Marks, NEXT, OWN, PREV1, PREV2, PREV3, Tables, bytes_before, front, is_ascii, tail, window};
use super::window::{Around, BLOCK};
use super::{OnFault, Progress};
use crate::scalar::bytes::Order;
use crate::scalar::utf8::is_continuation;
use crate::simd::dispatch::{Kernel, run};
use crate::simd::ops::Simd;

/// Converts to UTF-16 in the byte order `O`, two bytes of `dst` a unit.
///
/// Strict: the longest well-formed prefix of `src` that fits; what stops it is
/// for the scalar codec to find at the front of the rest, or within the next
/// [`BLOCK`] bytes. With replacement, an unfinished sequence at the end of
/// `src` becomes U+FFFD like any other fault.
#[inline]
pub(crate) fn utf8_to_utf16<O: Order, F: OnFault>(src: &[u8], dst: &mut [u8]) -> Progress {
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
const ROOM: usize = 2 * BLOCK;

#[inline(always)]
fn convert<S: Simd, F: OnFault, const BIG: bool>(s: S, src: &[u8], dst: &mut [u8]) -> Progress {
    let Some(&first) = src.first() else { return Progress::default() };
    let tables = Tables::new(s);
    let mut run = Run { doubtful: is_continuation(first), ..Run::default() };
    while run.at < src.len() {
        // Blocks inside `src` and with room for a whole block's units.
        while let Some(window) = window(src, run.at)
            && let Some(out) = dst.get_mut(run.written..).and_then(|rest| rest.first_chunk_mut())
        {
            if is_ascii(s, window) {
                widen::<S, BIG>(s, window, OWN, out);
                let more = widen_ascii::<S, BIG>(s, &src[run.at + BLOCK..], &mut dst[run.written + ROOM..]);
                run.at += BLOCK + more;
                run.written += ROOM + 2 * more;
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
        let Some(written) = written else { return run.back_to_boundary(src) };
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
    fn emit<S: Simd, const BIG: bool>(
        &mut self,
        s: S,
        (low, high): (S::V, S::V),
        keep: u64,
        at: usize,
    ) -> Option<usize> {
        match self {
            Room::Ample(out) => Some(s.emit16::<BIG>(low, high, keep, &mut out[..], at)),
            Room::Scarce(out) => s.emit16_within::<BIG>(low, high, keep, out, at),
        }
    }
}

/// Where a conversion is between two blocks.
#[derive(Default)]
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
            return (emit::<S, BIG, false>(s, window, has_four(s, window), lanes, 0, None, out), None);
        }
        let marks = Marks::new(s, tables, window);
        self.doubtful = marks.doubtful_behind();
        let fault = marks.fault & lanes;
        let mut keep = marks.keep() & lanes;
        let mut stop = None;
        if fault != 0 {
            self.replaced |= F::REPLACE;
            if F::STOP {
                let lane = fault.trailing_zeros();
                stop = Some(marks.start(self.at, lane));
                keep &= (1 << lane) - 1;
            }
        }
        (emit::<S, BIG, true>(s, window, marks.has_four(), lanes, fault, Some(keep), out), stop)
    }

    fn progress(&self, read: usize) -> Progress {
        Progress { read, written: self.written, replaced: self.replaced }
    }

    /// The progress when the next block found no room: up to the character to
    /// which its first byte belongs. If that is the fourth byte, the high
    /// surrogate was written already.
    #[cold]
    fn back_to_boundary(&self, src: &[u8]) -> Progress {
        let back = bytes_before(src, self.at);
        let written = self.written - if back == 3 { 2 } else { 0 };
        Progress { read: self.at - back, written, replaced: self.replaced }
    }
}

/// Converts whole blocks as long as they are US-ASCII. Answers with the bytes
/// read.
#[inline(always)]
fn widen_ascii<S: Simd, const BIG: bool>(s: S, src: &[u8], dst: &mut [u8]) -> usize {
    let mut read = 0;
    for (block, out) in src.chunks_exact(BLOCK).zip(dst.chunks_exact_mut(ROOM)) {
        let mut all = s.load(block, 0);
        for part in 1..BLOCK / S::LANES {
            all = s.or(all, s.load(block, part * S::LANES));
        }
        if s.any_msb(all) {
            break;
        }
        widen::<S, BIG>(s, block, 0, out);
        read += BLOCK;
    }
    read
}

#[inline(always)]
fn widen<S: Simd, const BIG: bool>(s: S, src: &[u8], at: usize, out: &mut [u8]) {
    for part in 0..BLOCK / S::LANES {
        let lane = part * S::LANES;
        s.widen::<BIG>(s.load(src, at + lane), out, 2 * lane);
    }
}

/// The low and the high byte of each lane's unit. `four` says whether a
/// character of four bytes may be among them.
///
/// Where something is `DAMAGED`, a lead may stand before a byte that does not
/// belong to it, and bytes are looked at that need not be otherwise. What is
/// not a whole character even so is a fault, and gets U+FFFD behind this.
#[inline(always)]
fn units<S: Simd, const DAMAGED: bool>(s: S, window: &impl Around<S>, lane: usize, four: bool) -> (S::V, S::V) {
    let own = window.load(s, OWN + lane);
    let prev1 = window.load(s, PREV1 + lane);
    let prev2 = window.load(s, PREV2 + lane);

    let own_continues = continues(s, own);
    let x = s.and_not(s.keep(own_continues, s.splat(0xC0)), own);
    let y = s.keep(own_continues, prev1);
    let mut low = s.or(x, s.and(s.shl::<6>(y), s.splat(0xC0)));
    let bits_of_y = s.and(s.shr::<2>(y), s.splat(0x0F));
    // 0000zzzz behind a lead of three, 0 behind what is less. Behind a lead of
    // four it is too much, and spoils this lane and the next: both get another
    // high byte, unless the next is no part of it.
    let mut z = s.saturating_sub(prev2, s.splat(0xE0));
    if DAMAGED {
        z = s.keep(own_continues, s.keep(continues(s, prev1), s.and(z, s.splat(0x0F))));
    }
    let mut high = s.or(bits_of_y, s.shl::<4>(z));
    if four {
        let prev3 = window.load(s, PREV3 + lane);
        let (mut lead_of_high, mut lead_of_low) = (prev2, prev3);
        if DAMAGED {
            lead_of_high = s.keep(own_continues, s.keep(continues(s, prev1), prev2));
            lead_of_low = s.keep(own_continues, s.keep(continues(s, prev1), s.keep(continues(s, prev2), prev3)));
        }
        let is_high = s.ge(lead_of_high, s.splat(0xF0));
        let is_low = s.ge(lead_of_low, s.splat(0xF0));
        // D800 - 40 in two bytes: D7 C0, and the carry of the lower one.
        let lower = s.or(s.and(s.shl::<2>(prev1), s.splat(0xFC)), s.and(s.shr::<4>(own), s.splat(0x03)));
        let carry = s.keep(s.ge(lower, s.splat(0x40)), s.splat(1));
        let upper = s.add(s.and(prev2, s.splat(0x07)), s.add(carry, s.splat(0xD7)));
        low = s.select(is_high, s.add(lower, s.splat(0xC0)), low);
        high = s.select(is_high, upper, high);
        high = s.select(is_low, s.or(s.and(bits_of_y, s.splat(0x03)), s.splat(0xDC)), high);
    }
    (low, high)
}

#[inline(always)]
fn continues<S: Simd>(s: S, v: S::V) -> S::C {
    s.lt_signed(v, s.splat(0xC0))
}

/// Whether a lead of four is two or three bytes before some own byte.
#[inline(always)]
fn has_four<S: Simd>(s: S, window: &impl Around<S>) -> bool {
    let mut four = s.splat(0);
    for part in 0..BLOCK / S::LANES {
        four = s.or(four, s.saturating_sub(window.load(s, PREV2 + part * S::LANES), s.splat(0xF0 - 0x80)));
    }
    s.any_msb(four) || window.front()[PREV3] >= 0xF0
}

/// Writes the units of a block: those in `keep`, or, if nothing is ill-formed,
/// those of the lanes in which a character ends; U+FFFD where there is a
/// `fault`.
#[inline(always)]
fn emit<S: Simd, const BIG: bool, const DAMAGED: bool>(
    s: S,
    window: &impl Around<S>,
    four: bool,
    lanes: u64,
    fault: u64,
    keep: Option<u64>,
    mut out: Room<'_>,
) -> Option<usize> {
    let mut written = 0;
    for part in 0..BLOCK / S::LANES {
        let lane = part * S::LANES;
        let (mut low, mut high) = units::<S, DAMAGED>(s, window, lane, four);
        let keep = match keep {
            Some(keep) => part_of::<S>(keep, part),
            None => {
                // A character ends where the next byte does not continue it,
                // and the third byte of four makes a unit as well.
                let next = window.load(s, NEXT + lane);
                let mut keep = !s.bits(s.lt_signed(next, s.splat(0xC0)));
                if four {
                    keep |= s.bits(s.ge(window.load(s, PREV2 + lane), s.splat(0xF0)));
                }
                keep & part_of::<S>(lanes, part)
            }
        };
        if DAMAGED {
            let fault = s.cond(part_of::<S>(fault, part));
            low = s.select(fault, s.splat(0xFD), low);
            high = s.select(fault, s.splat(0xFF), high);
        }
        written += out.emit::<S, BIG>(s, (low, high), keep, written)?;
    }
    Some(written)
}

/// The bits of `mask` for the lanes of one part of a block.
#[inline(always)]
fn part_of<S: Simd>(mask: u64, part: usize) -> u64 {
    let mask = mask >> (part * S::LANES);
    if S::LANES == 64 { mask } else { mask & ((1 << S::LANES) - 1) }
}
