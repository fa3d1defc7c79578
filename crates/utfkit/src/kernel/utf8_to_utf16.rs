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
//! If nothing is ill-formed, comparing bytes tells what belongs together. If
//! something is, the masks of [`Marks`] do, U+FFFD is blended into the lanes
//! of the faults, and the rest is the same. No restart: a damaged text costs
//! the masks, and nothing else.

use core::marker::PhantomData;

use super::utf8::{BLOCK, Marks, NEXT, OWN, PREV1, PREV2, PREV3, Tables, Window, accepted_at, edge_window, window};
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
    let mut done = Progress::default();
    let mut doubtful = is_continuation(first);
    let mut at = 0;
    while at < src.len() {
        let (edge, window, lanes);
        match self::window(src, at) {
            Some(inner) => (window, lanes) = (inner, !0),
            None => {
                (edge, lanes) = edge_window(src, at);
                window = &edge;
            }
        }
        let mut spare = [0; ROOM];
        let room = dst.get_mut(done.written..).and_then(|rest| rest.first_chunk_mut::<ROOM>());
        let scarce = room.is_none();
        let out = room.unwrap_or(&mut spare);

        let mut stop = None;
        let written = if is_ascii(s, window) {
            doubtful = is_continuation(window[NEXT + BLOCK - 1]);
            for part in 0..BLOCK / S::LANES {
                let lane = part * S::LANES;
                s.widen::<BIG>(s.load(window, OWN + lane), out, 2 * lane);
            }
            2 * lanes.count_ones() as usize
        } else if doubtful || tables.is_faulty(s, window) {
            let mut marks = Marks::new(s, &tables, window, accepted_at(src, at));
            doubtful = marks.doubtful_end;
            marks.fault &= lanes;
            let mut keep = (marks.last | marks.third_of_four) & lanes;
            if marks.fault != 0 {
                done.replaced |= !F::STOP;
                if F::STOP {
                    let lane = marks.fault.trailing_zeros();
                    stop = Some(marks.start(at, lane));
                    keep &= (1 << lane) - 1;
                } else if F::REPLACE {
                    keep |= marks.fault;
                }
            }
            emit_marked::<S, BIG>(s, window, &marks, keep, out)
        } else {
            emit_well_formed::<S, BIG>(s, window, lanes, out)
        };
        if scarce {
            let Some(rest) = dst.get_mut(done.written..done.written + written) else {
                return done.back_to_boundary(src, at);
            };
            rest.copy_from_slice(&spare[..written]);
        }
        done.written += written;
        if let Some(read) = stop {
            return Progress { read, ..done };
        }
        at += BLOCK;
    }
    Progress { read: src.len(), ..done }
}

impl Progress {
    /// The progress when the block at `at` found no room: up to the character
    /// to which the byte at `at` belongs. If that is its fourth byte, the high
    /// surrogate was written already.
    #[cold]
    fn back_to_boundary(self, src: &[u8], at: usize) -> Progress {
        let back = accepted_at(src, at);
        Progress { read: at - back, written: self.written - if back == 3 { 2 } else { 0 }, ..self }
    }
}

#[inline(always)]
fn is_ascii<S: Simd>(s: S, window: &Window) -> bool {
    let mut all = s.load(window, OWN);
    for part in 1..BLOCK / S::LANES {
        all = s.or(all, s.load(window, OWN + part * S::LANES));
    }
    !s.any_msb(all)
}

/// What a lane's own byte is, as far as its unit depends on it.
struct Roles<C> {
    /// A continuation.
    continuation: C,
    /// The third byte.
    third: C,
    /// The third of four.
    high: C,
    /// The fourth.
    low: C,
}

/// The low and the high byte of each lane's unit. `four` says whether `high`
/// or `low` holds anywhere.
#[inline(always)]
fn units<S: Simd>(s: S, window: &Window, lane: usize, roles: &Roles<S::C>, four: bool) -> (S::V, S::V) {
    let own = s.load(window, OWN + lane);
    let prev1 = s.load(window, PREV1 + lane);
    let prev2 = s.load(window, PREV2 + lane);
    let byte = |b| s.splat(b);

    let x = s.and_not(s.keep(roles.continuation, byte(0xC0)), own);
    let y = s.keep(roles.continuation, prev1);
    let mut low = s.or(x, s.and(s.shl::<6>(y), byte(0xC0)));
    let y = s.and(s.shr::<2>(y), byte(0x0F));
    let z = s.keep(roles.third, prev2);
    let mut high = s.or(y, s.and(s.shl::<4>(z), byte(0xF0)));
    if four {
        // D800 - 40 in two bytes: D7 C0, and the carry of the lower one.
        let lower = s.or(s.and(s.shl::<2>(prev1), byte(0xFC)), s.and(s.shr::<4>(own), byte(0x03)));
        let carry = s.keep(s.ge(lower, byte(0x40)), byte(1));
        let upper = s.add(s.and(prev2, byte(0x07)), s.add(carry, byte(0xD7)));
        low = s.select(roles.high, s.add(lower, byte(0xC0)), low);
        high = s.select(roles.high, upper, high);
        high = s.select(roles.low, s.or(s.and(y, byte(0x03)), byte(0xDC)), high);
    }
    (low, high)
}

/// Writes the units of a block in which nothing is ill-formed.
#[inline(always)]
fn emit_well_formed<S: Simd, const BIG: bool>(s: S, window: &Window, lanes: u64, out: &mut [u8; ROOM]) -> usize {
    let mut written = 0;
    for part in 0..BLOCK / S::LANES {
        let lane = part * S::LANES;
        let own = s.load(window, OWN + lane);
        let prev2 = s.load(window, PREV2 + lane);
        let prev3 = s.load(window, PREV3 + lane);
        let lead_of_four = s.splat(0xF0 - 0x80);
        let third_of_four = s.saturating_sub(prev2, lead_of_four);
        let four = s.any_msb(s.or(third_of_four, s.saturating_sub(prev3, lead_of_four)));
        let roles = Roles {
            continuation: s.lt_signed(own, s.splat(0xC0)),
            third: s.ge(prev2, s.splat(0xE0)),
            high: s.ge(prev2, s.splat(0xF0)),
            low: s.ge(prev3, s.splat(0xF0)),
        };
        let (low, high) = units(s, window, lane, &roles, four);
        let next = s.load(window, NEXT + lane);
        let goes_on = s.bits(s.lt_signed(next, s.splat(0xC0)));
        let mut keep = !goes_on;
        if four {
            keep |= s.msb(third_of_four);
        }
        written += s.emit16::<BIG>(low, high, keep & part_of::<S>(lanes, part), out, written);
    }
    written
}

/// Writes the units in `keep` of a block in which something is ill-formed, and
/// U+FFFD where that is at a fault.
#[inline(always)]
fn emit_marked<S: Simd, const BIG: bool>(
    s: S,
    window: &Window,
    marks: &Marks,
    keep: u64,
    out: &mut [u8; ROOM],
) -> usize {
    let mut written = 0;
    let four = marks.third_of_four | marks.fourth != 0;
    for part in 0..BLOCK / S::LANES {
        let lane = part * S::LANES;
        let cond = |mask: u64| s.cond(part_of::<S>(mask, part));
        let roles = Roles {
            continuation: cond(marks.second | marks.third | marks.fourth),
            third: cond(marks.third),
            high: cond(marks.third_of_four),
            low: cond(marks.fourth),
        };
        let (low, high) = units(s, window, lane, &roles, four);
        let fault = cond(marks.fault);
        let low = s.select(fault, s.splat(0xFD), low);
        let high = s.select(fault, s.splat(0xFF), high);
        written += s.emit16::<BIG>(low, high, part_of::<S>(keep, part), out, written);
    }
    written
}

/// The bits of `mask` for the lanes of one part of a block.
#[inline(always)]
fn part_of<S: Simd>(mask: u64, part: usize) -> u64 {
    let mask = mask >> (part * S::LANES);
    if S::LANES == 64 { mask } else { mask & ((1 << S::LANES) - 1) }
}
