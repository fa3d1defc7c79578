//! UTF-8 to UTF-32, strict or with U+FFFD, in one pass.
//!
//! # The idea
//!
//! The idea of [`utf8_to_utf16`](super::utf8_to_utf16), but every character is one unit: each lane
//! whose own byte ends a character gets the three bytes of its value, from own and the
//! bytes before it.
//!
//! ```text
//! prev3    prev2    prev1    own        high     middle   low
//!                            0xxxxxxx   00000000 00000000 0xxxxxxx
//!                   110yyyyy 10xxxxxx   00000000 00000yyy yyxxxxxx
//!          1110zzzz 10yyyyyy 10xxxxxx   00000000 zzzzyyyy yyxxxxxx
//! 11110uuu 10uuzzzz 10yyyyyy 10xxxxxx   000uuuuu zzzzyyyy yyxxxxxx
//! ```
//!
//! The low byte is computed in the same way for all lengths, and so is the middle one, except for
//! the source of zzzz. The high byte is computed only in a block in which a character of four
//! bytes ends.
//!
//! The three planes of bytes are compressed separately and then interleaved: less work than
//! compressing the units, each of which has four bytes.

use super::from_utf8::{Emit, convert, one_block, part_of, some_blocks};
use super::utf8::{Marks, NEXT, OWN, PREV1, PREV2, PREV3, Tables};
use super::utf8_to_utf16::{above_y, goes_on, low_and_y};
use super::window::{Around, BLOCK, Window};
use crate::engine::progress::{OnError, Packed};
use crate::engine::simd::dispatch::{Entries, Kernel, run, run_entries};
use crate::engine::simd::ops::{Blocks, Planes, Simd};

/// Converts to UTF-32, four bytes of `dst` a unit.
///
/// Strict: the longest well-formed prefix of `src` that fits; what stops it is
/// for the scalar codec to find at the start of the rest, or within the next
/// [`BLOCK`] bytes. With replacement, an unfinished sequence at the end of
/// `src` becomes U+FFFD like any other error.
#[inline]
pub(crate) fn utf8_to_utf32(src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
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

struct Convert;

impl Kernel for Convert {
    type Arg = OnError;
    type Output = Packed;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], on_error: OnError) -> Packed {
        convert::<S, Units>(s, src, dst, on_error).into()
    }
}

/// Units of UTF-32.
struct Units;

impl<S: Simd> Emit<S> for Units {
    const UNIT: usize = 4;
    const MOST: usize = 4 * BLOCK + 2 * S::Blocks::SPILL;
    const END_MOST: usize = 4 * BLOCK;
    const BEGUN: [usize; 4] = [0; 4];

    #[inline(always)]
    fn widen_register(s: S, own: S::V, out: &mut [u8], at: usize) {
        s.widen32(own, out, at);
    }

    #[inline(always)]
    fn has_four(s: S, window: &impl Around<S>) -> bool {
        has_four(s, window)
    }

    #[inline(always)]
    fn well_formed(s: S, window: &impl Around<S>, four: bool, lanes: u64, out: &mut [u8]) -> usize {
        let mut written = 0;
        for part in 0..BLOCK / S::LANES {
            let lane = part * S::LANES;
            let planes = planes(s, window, lane, &roles(s, window, lane), four);
            let keep = !s.bits::<8>(s.gt::<8>(s.splat(0xC0), window.load::<NEXT>(s, lane)));
            written += s.emit32(planes, keep & part_of::<S>(lanes, part), out, written);
        }
        written
    }

    #[inline(always)]
    fn at_once(s: S, ask: Option<&Tables<S>>, window: &Window, out: &mut [u8]) -> Option<usize> {
        at_once(s, ask, window, out)
    }

    #[inline(always)]
    fn marked(s: S, window: &impl Around<S>, marks: &Marks, lanes: u64, out: &mut [u8]) -> usize {
        let keep = lanes & !(marks.next_second | marks.next_third | marks.next_fourth);
        let continuation = marks.second | marks.third | marks.fourth;
        let mut written = 0;
        for part in 0..BLOCK / S::LANES {
            let roles = Roles {
                continuation: s.cond::<8>(part_of::<S>(continuation, part)),
                third: Some(s.cond::<8>(part_of::<S>(marks.third, part))),
                fourth: s.cond::<8>(part_of::<S>(marks.fourth, part)),
            };
            // As if a character of four bytes ended here: two ways to write a block are
            // enough for text without damage.
            let Planes { low, middle, high } = planes(s, window, part * S::LANES, &roles, true);
            let error = s.cond::<8>(part_of::<S>(marks.error, part));
            let planes = Planes {
                low: s.select::<8>(error, s.splat(0xFD), low),
                middle: s.select::<8>(error, s.splat(0xFF), middle),
                // Already 0 where no fourth byte is.
                high,
            };
            written += s.emit32(planes, part_of::<S>(keep, part), out, written);
        }
        written
    }
}

/// See [`Emit::at_once`].
#[inline(always)]
fn at_once<S: Simd>(s: S, ask: Option<&Tables<S>>, window: &Window, out: &mut [u8]) -> Option<usize> {
    let (none, four) = (s.splat(0), ask.is_none());
    let mut all = [Planes { low: none, middle: none, high: None }; 4];
    let (mut drop, mut error) = ([none; 4], none);
    for part in 0..4 {
        let lane = part * S::LANES;
        if let Some(tables) = ask {
            error = s.or(error, tables.error_of_three(s, window, part));
        }
        all[part] = planes(s, window, lane, &roles(s, window, lane), four);
        drop[part] = goes_on(s, window, lane);
    }
    let written = S::Blocks::emit32(s, all, drop, out);
    (!s.any_nonzero(error)).then_some(written)
}

/// The roles in a block in which nothing is ill-formed.
#[inline(always)]
fn roles<S: Simd>(s: S, window: &impl Around<S>, lane: usize) -> Roles<S::C> {
    let continuation = s.gt::<8>(s.splat(0xC0), window.load::<OWN>(s, lane));
    let fourth = s.ge(window.load::<PREV3>(s, lane), s.splat(0xF0));
    Roles { continuation, third: None, fourth }
}

/// The roles of the own bytes that decide how their values are computed.
struct Roles<C> {
    /// A continuation.
    continuation: C,
    /// The third bytes, if the lead before them does not tell.
    third: Option<C>,
    /// The fourth.
    fourth: C,
}

/// The bytes of each lane's value. `four` says whether `fourth` holds anywhere.
#[inline(always)]
fn planes<S: Simd>(s: S, window: &impl Around<S>, lane: usize, roles: &Roles<S::C>, four: bool) -> Planes<S::V> {
    let own = window.load::<OWN>(s, lane);
    let prev1 = window.load::<PREV1>(s, lane);
    let prev2 = window.load::<PREV2>(s, lane);
    let byte = |b| s.splat(b);

    let (low, y) = low_and_y(s, roles.continuation, own, prev1);
    // 0000zzzz after a lead of three, 0 after a lesser byte.
    let z = s.saturating_sub(prev2, byte(0xE0));
    let z = match roles.third {
        None => z,
        // Ill-formed: the next lane may be no part of it.
        Some(third) => s.keep(third, s.and(z, byte(0x0F))),
    };
    if !four {
        return Planes { low, middle: above_y(s, roles.continuation, y, z), high: None };
    }
    let z = s.select::<8>(roles.fourth, prev2, z);
    let middle = if S::Blocks::AT_ONCE {
        above_y(s, roles.continuation, y, z)
    } else {
        s.or(y, s.and(s.shl::<16, 4>(z), byte(0xF0)))
    };
    let prev3 = window.load::<PREV3>(s, lane);
    let u = if S::Blocks::AT_ONCE {
        s.and(S::Blocks::insert::<2>(s, s.shr::<8, 4>(prev2), prev3), byte(0x1F))
    } else {
        s.or(s.and(s.shl::<16, 2>(prev3), byte(0x1C)), s.and(s.shr::<16, 4>(prev2), byte(0x03)))
    };
    Planes { low, middle, high: Some(s.keep(roles.fourth, u)) }
}

/// True if a lead of four bytes is three bytes before any own byte.
#[inline(always)]
fn has_four<S: Simd>(s: S, window: &impl Around<S>) -> bool {
    let mut four = s.splat(0);
    for part in 0..BLOCK / S::LANES {
        four = s.or(four, s.saturating_sub(window.load::<PREV3>(s, part * S::LANES), s.splat(0xF0 - 0x80)));
    }
    s.any_msb(four)
}
