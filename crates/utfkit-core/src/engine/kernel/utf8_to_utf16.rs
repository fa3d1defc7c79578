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
//! The other lanes hold garbage. The units are compressed to the front and stored with the
//! rest of the register; the next block overwrites that.

use super::from_utf8::{Emit, convert, one_block, part_of, some_blocks};
use super::lanes::widen;
use super::utf8::{Marks, NEXT, OWN, PREV1, PREV2, PREV3, Tables};
use super::window::{Around, BLOCK, Window};
use crate::engine::progress::{OnError, Packed};
use crate::engine::simd::dispatch::{Entries, Kernel, run, run_entries};
use crate::engine::simd::ops::{Blocks, Simd};

/// Converts to UTF-16, two bytes of `dst` a unit.
///
/// Strict: the longest well-formed prefix of `src` that fits; what stops it is
/// for the scalar codec to find at the start of the rest, or within the next
/// [`BLOCK`] bytes. With replacement, an unfinished sequence at the end of
/// `src` becomes U+FFFD like any other error.
#[inline]
pub(crate) fn utf8_to_utf16(src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
    run::<Convert>(src, dst, on_error)
}

/// Converts a source of at most four blocks to its end, into a destination with space for a whole block more.
/// Returns the bytes written, or `None` if the source is ill-formed or the destination shorter.
#[inline(always)]
pub(crate) fn short(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    static BLOCK_ENTRIES: Entries<(), Option<usize>> = Entries::of::<Block>();
    static BLOCKS_ENTRIES: Entries<(), Option<usize>> = Entries::of::<SomeBlocks>();
    if src.len() <= BLOCK {
        run_entries(&BLOCK_ENTRIES, src, dst, ())
    } else if src.len() <= SHORT {
        run_entries(&BLOCKS_ENTRIES, src, dst, ())
    } else {
        None
    }
}

/// The bytes of the longest source that is short.
const SHORT: usize = 4 * BLOCK;

struct Block;

impl Kernel for Block {
    type Arg = ();
    type Output = Option<usize>;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], (): ()) -> Option<usize> {
        one_block::<S, Units>(s, src, dst)
    }
}

struct SomeBlocks;

impl Kernel for SomeBlocks {
    type Arg = ();
    type Output = Option<usize>;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], (): ()) -> Option<usize> {
        some_blocks::<S, Units>(s, src, dst)
    }
}

/// Writes a block that has no lead but of two bytes, unless something is
/// ill-formed.
#[inline(always)]
fn upto_two<S: Simd>(s: S, window: &impl Around<S>, lanes: u64, out: &mut [u8]) -> Option<usize> {
    let mut written = 0;
    for part in 0..BLOCK / S::LANES {
        let there = part_of::<S>(lanes, part);
        if there == 0 {
            break;
        }
        let lane = part * S::LANES;
        let own = window.load::<OWN>(s, lane);
        // Next continues own exactly if own is a lead, and that from C2 on.
        let goes_on = s.bits::<8>(s.gt::<8>(s.splat(0xC0), window.load::<NEXT>(s, lane)));
        let lead = s.bits::<8>(s.ge(own, s.splat(0xC0)));
        let allowed = s.bits::<8>(s.ge(own, s.splat(0xC2)));
        if (goes_on ^ lead) | (lead ^ allowed) != 0 {
            return None;
        }
        let roles = Roles { three: false, third: None, of_four: None };
        let (low, high) = units(s, window, lane, &roles);
        written += s.emit16(low, high, there & !goes_on, out, written);
    }
    Some(written)
}

struct Convert;

impl Kernel for Convert {
    type Arg = OnError;
    type Output = Packed;
    const NARROWEST: usize = 16;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
        convert::<S, Units>(s, src, dst, on_error).into()
    }
}

/// The bytes that may be written for a block.
const MOST: usize = 2 * BLOCK;

/// Units of UTF-16.
struct Units;

impl<S: Simd> Emit<S> for Units {
    const UNIT: usize = 2;
    const MOST: usize = MOST + S::Blocks::SPILL;
    const END_MOST: usize = MOST;
    /// The third byte of four makes the high surrogate.
    const BEGUN: [usize; 4] = [0, 0, 0, 2];

    #[inline(always)]
    fn widen_register(s: S, own: S::V, out: &mut [u8], at: usize) {
        widen(s, own, out, at);
    }

    #[inline(always)]
    fn has_four(s: S, window: &impl Around<S>) -> bool {
        has_four(s, window)
    }

    #[inline(always)]
    fn well_formed(s: S, window: &impl Around<S>, four: bool, lanes: u64, out: &mut [u8]) -> usize {
        well_formed(s, window, four, lanes, out)
    }

    #[inline(always)]
    fn unless_ill_formed(
        s: S,
        tables: &Tables<S>,
        window: &impl Around<S>,
        lanes: u64,
        out: &mut [u8],
    ) -> Option<usize> {
        if !has_three(s, window) {
            upto_two(s, window, lanes, out)
        } else if tables.is_ill_formed(s, window) {
            None
        } else {
            Some(well_formed(s, window, has_four(s, window), lanes, out))
        }
    }

    #[inline(always)]
    fn at_once(s: S, ask: Option<&Tables<S>>, window: &Window, out: &mut [u8]) -> Option<usize> {
        at_once(s, ask, window, out)
    }

    /// US-ASCII and errors of a byte each, where registers have 16 bytes: each byte
    /// becomes a unit, and some of these are mended.
    #[inline(always)]
    fn spliced(s: S, from: &[u8], marks: &Marks, _: u32, out: &mut [u8]) -> Option<usize> {
        if !S::IS_NARROW || marks.next_second | marks.second | marks.third | marks.fourth != 0 {
            return None;
        }
        let out = out.first_chunk_mut::<{ 2 * BLOCK }>()?;
        <Units as Emit<S>>::widen(s, from, out);
        let (units, _) = out.as_chunks_mut::<2>();
        let mut error = marks.error;
        while error != 0 {
            units[error.trailing_zeros() as usize] = [0xFD, 0xFF];
            error &= error - 1;
        }
        Some(2 * BLOCK)
    }

    const MENDS_ASCII: bool = true;

    /// Every byte becomes a unit.
    #[inline(always)]
    fn mended_ascii(s: S, from: &[u8], _: u64, out: &mut [u8]) -> Option<usize> {
        for part in 0..BLOCK / S::LANES {
            let lane = part * S::LANES;
            let own = s.load(from, lane);
            let error = s.gt::<8>(s.splat(0), own);
            let (low, high) = (s.select::<8>(error, s.splat(0xFD), own), s.keep(error, s.splat(0xFF)));
            s.emit16(low, high, part_of::<S>(!0, part), out, 2 * lane);
        }
        Some(2 * BLOCK)
    }

    #[inline(always)]
    fn marked(s: S, window: &impl Around<S>, marks: &Marks, lanes: u64, out: &mut [u8]) -> usize {
        // Not where the next byte continues the character; the third byte of four makes a unit,
        // too.
        let keep = lanes & !(marks.next_second | marks.next_third);
        let third = marks.third & !(marks.next_fourth | marks.error);
        let four = marks.next_fourth | marks.fourth != 0;
        let mut written = 0;
        for part in 0..BLOCK / S::LANES {
            let roles = Roles {
                three: true,
                third: Some(s.cond::<8>(part_of::<S>(third, part))),
                of_four: if four {
                    let high = s.cond::<8>(part_of::<S>(marks.next_fourth, part));
                    Some((high, s.cond::<8>(part_of::<S>(marks.fourth, part))))
                } else {
                    None
                },
            };
            let (low, high) = units(s, window, part * S::LANES, &roles);
            let error = s.cond::<8>(part_of::<S>(marks.error, part));
            let (low, high) = (s.select::<8>(error, s.splat(0xFD), low), s.select::<8>(error, s.splat(0xFF), high));
            written += s.emit16(low, high, part_of::<S>(keep, part), out, written);
        }
        written
    }
}

/// Writes the characters that end in `lanes` of a well-formed block. `four` is true if it may have
/// characters of four bytes; as a constant, it drops their code.
#[inline(always)]
fn well_formed<S: Simd>(s: S, window: &impl Around<S>, four: bool, lanes: u64, out: &mut [u8]) -> usize {
    let mut written = 0;
    for part in 0..BLOCK / S::LANES {
        let there = part_of::<S>(lanes, part);
        if there == 0 {
            break;
        }
        let lane = part * S::LANES;
        let (low, high) = units(s, window, lane, &roles(s, window, lane, four));
        // A character ends where the next byte does not continue it, and the
        // third byte of four makes a unit as well.
        let next = window.load::<NEXT>(s, lane);
        let mut keep = !s.bits::<8>(s.gt::<8>(s.splat(0xC0), next));
        if four {
            keep |= s.bits::<8>(s.ge(window.load::<PREV2>(s, lane), s.splat(0xF0)));
        }
        written += s.emit16(low, high, keep & there, out, written);
    }
    written
}

/// See [`Emit::at_once`].
#[inline(always)]
fn at_once<S: Simd>(s: S, ask: Option<&Tables<S>>, window: &Window, out: &mut [u8]) -> Option<usize> {
    let (none, four) = (s.splat(0), ask.is_none());
    let (mut low, mut high, mut drop, mut error) = ([none; 4], [none; 4], [none; 4], none);
    for part in 0..4 {
        let lane = part * S::LANES;
        if let Some(tables) = ask {
            error = s.or(error, tables.error_of_three(s, window, part));
        }
        (low[part], high[part]) = units(s, window, lane, &roles(s, window, lane, four));
        drop[part] = goes_on(s, window, lane);
        if four {
            let not_third = s.ge(s.splat(0xEF), Around::<S>::load::<PREV2>(window, s, lane));
            drop[part] = s.keep(not_third, drop[part]);
        }
    }
    let written = S::Blocks::emit16(s, low, high, drop, out);
    (!s.any_nonzero(error)).then_some(written)
}

/// FF in the lanes where a character does not end.
#[inline(always)]
pub(super) fn goes_on<S: Simd>(s: S, window: &impl Around<S>, lane: usize) -> S::V {
    let next = window.load::<NEXT>(s, lane);
    s.keep(s.gt::<8>(s.splat(0xC0), next), s.splat(0xFF))
}

/// The roles of the own bytes that decide how their units are computed.
struct Roles<C> {
    /// True if there may be characters of three bytes.
    three: bool,
    /// The third bytes of three, if the byte two before does not tell.
    third: Option<C>,
    /// The third and the fourth byte of four, if there may be one.
    of_four: Option<(C, C)>,
}

/// The roles in a block in which nothing is ill-formed. `four` says whether a
/// character of four bytes may be in it.
#[inline(always)]
fn roles<S: Simd>(s: S, window: &impl Around<S>, lane: usize, four: bool) -> Roles<S::C> {
    let of_four = if four {
        let high = s.ge(window.load::<PREV2>(s, lane), s.splat(0xF0));
        Some((high, s.ge(window.load::<PREV3>(s, lane), s.splat(0xF0))))
    } else {
        None
    };
    Roles { three: true, third: None, of_four }
}

/// The low and the high byte of each lane's unit.
#[inline(always)]
fn units<S: Simd>(s: S, window: &impl Around<S>, lane: usize, roles: &Roles<S::C>) -> (S::V, S::V) {
    let own = window.load::<OWN>(s, lane);
    let prev1 = window.load::<PREV1>(s, lane);
    let prev2 = window.load::<PREV2>(s, lane);

    let continuation = s.gt::<8>(s.splat(0xC0), own);
    let (mut low, bits_of_y) = low_and_y(s, continuation, own, prev1);
    // 0000zzzz after a lead of three, 0 after a lesser byte. Wrong after a lead of four, in this lane
    // and the next, which both get another high byte below.
    let mut z = s.saturating_sub(prev2, s.splat(0xE0));
    if let Some(third) = roles.third {
        z = s.keep(third, z);
    }
    let mut high = match roles.three {
        true => above_y(s, continuation, bits_of_y, z),
        false if S::Blocks::AT_ONCE => s.keep(continuation, s.and(bits_of_y, s.splat(0x0F))),
        false => bits_of_y,
    };
    if let Some((is_high, is_low)) = roles.of_four {
        // D800 - 40 in two bytes: D7 C0, and the carry of the lower one.
        let lower = s.or(s.and(s.shl::<16, 2>(prev1), s.splat(0xFC)), s.and(s.shr::<16, 4>(own), s.splat(0x03)));
        let carry = s.keep(s.ge(lower, s.splat(0x40)), s.splat(1));
        let upper = s.add::<8>(s.and(prev2, s.splat(0x07)), s.add::<8>(carry, s.splat(0xD7)));
        low = s.select::<8>(is_high, s.add::<8>(lower, s.splat(0xC0)), low);
        high = s.select::<8>(is_high, upper, high);
        high = s.select::<8>(is_low, s.or(s.and(bits_of_y, s.splat(0x03)), s.splat(0xDC)), high);
    }
    (low, high)
}

/// The low byte of each value, and the lower half of the byte above it, 0000yyyy,
/// as far as the last two bytes say.
#[inline(always)]
pub(super) fn low_and_y<S: Simd>(s: S, continuation: S::C, own: S::V, prev1: S::V) -> (S::V, S::V) {
    if S::Blocks::AT_ONCE {
        // Above y is what `above_y` leaves out.
        return (s.select::<8>(continuation, S::Blocks::insert::<6>(s, own, prev1), own), s.shr::<8, 2>(prev1));
    }
    // A continuation has no bit 6, and a lead is not the last byte of anything.
    let x = s.and(own, s.splat(0x7F));
    let y = s.keep(continuation, prev1);
    (s.or(x, s.and(s.shl::<16, 6>(y), s.splat(0xC0))), s.and(s.shr::<16, 2>(y), s.splat(0x0F)))
}

/// zzzzyyyy of 0000yyyy and 0000zzzz, where both are of something before this byte.
#[inline(always)]
pub(super) fn above_y<S: Simd>(s: S, continuation: S::C, y: S::V, z: S::V) -> S::V {
    if S::Blocks::AT_ONCE { s.keep(continuation, S::Blocks::insert::<4>(s, y, z)) } else { s.or(y, s.shl::<16, 4>(z)) }
}

/// True if a lead of three or four bytes is in the block or before it.
#[inline(always)]
fn has_three<S: Simd>(s: S, window: &impl Around<S>) -> bool {
    let mut three = s.splat(0);
    for part in 0..BLOCK / S::LANES {
        three = s.or(three, s.saturating_sub(window.load::<OWN>(s, part * S::LANES), s.splat(0xE0 - 0x80)));
    }
    let [prev3, prev2, prev1, _] = window.front();
    s.any_msb(three) || prev3.max(prev2).max(prev1) >= 0xE0
}

/// True if a lead of four bytes is two or three bytes before any own byte.
#[inline(always)]
fn has_four<S: Simd>(s: S, window: &impl Around<S>) -> bool {
    let mut four = s.splat(0);
    for part in 0..BLOCK / S::LANES {
        four = s.or(four, s.saturating_sub(window.load::<PREV2>(s, part * S::LANES), s.splat(0xF0 - 0x80)));
    }
    s.any_msb(four) || window.front()[PREV3] >= 0xF0
}
