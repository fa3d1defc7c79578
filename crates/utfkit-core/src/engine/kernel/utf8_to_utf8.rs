//! UTF-8 to itself, with U+FFFD for ill-formed sequences, in one pass.
//!
//! # The idea
//!
//! A block in which nothing is ill-formed is copied. In any other an error is
//! the last byte of a maximal subpart: it becomes the three bytes of U+FFFD,
//! and the bytes of the subpart before it, two at the most, are dropped. They
//! may be in the block before, and be written already: then they are taken
//! back, and written over.

use super::from_utf8::{Emit, convert};
use super::utf8::{Marks, OWN};
use super::window::{Around, BLOCK, copy_block, store_block};
use crate::engine::progress::{OnError, Packed};
use crate::engine::simd::dispatch::{Kernel, run};
use crate::engine::simd::ops::Simd;

/// Copies `src`, as far as it fits, with U+FFFD for each maximal subpart of an ill-formed sequence,
/// including an unfinished one at the end. The scalar codec finds what stopped it within the
/// next [`BLOCK`] bytes.
#[inline]
pub(crate) fn mend(src: &[u8], dst: &mut [u8]) -> Packed {
    run::<Mend>(src, dst, ())
}

struct Mend;

impl Kernel for Mend {
    type Arg = ();
    type Output = Packed;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], dst: &mut [u8], (): ()) -> Packed {
        convert::<S, Mended>(s, src, dst, OnError::Replace).into()
    }
}

/// The bytes that may be written for a block: all are errors, and the last store
/// of [`Simd::emit_replaced`].
const MOST: usize = 3 * BLOCK + 4;

/// The most errors, in a block and half of those before it, for which the
/// stretches between them are copied.
const FEW: u32 = 6;

/// The most errors for which stretches of US-ASCII are copied, where no marks are computed.
const FEW_IN_ASCII: u32 = 8;

/// U+FFFD, and a byte that is overwritten.
const REPLACEMENT: [u8; 4] = [0xEF, 0xBF, 0xBD, 0];
const REPLACEMENT_LEN: usize = 3;

/// Well-formed UTF-8.
struct Mended;

impl<S: Simd> Emit<S> for Mended {
    const UNIT: usize = 1;
    const MOST: usize = MOST;
    const END_MOST: usize = MOST;
    const BEGUN: [usize; 4] = [0, 1, 2, 3];
    const BACK: usize = 2;

    #[inline(always)]
    fn widen_register(s: S, own: S::V, out: &mut [u8], at: usize) {
        s.store(own, out, at);
    }

    #[inline(always)]
    fn widen(s: S, block: &[u8], out: &mut [u8]) {
        copy_block(s, block, out);
    }

    #[inline(always)]
    fn has_four(_: S, _: &impl Around<S>) -> bool {
        false
    }

    #[inline(always)]
    fn well_formed(s: S, window: &impl Around<S>, _: bool, lanes: u64, out: &mut [u8]) -> usize {
        store_block::<S, OWN>(s, window, out);
        lanes.count_ones() as usize
    }

    #[inline(always)]
    fn back(marks: &Marks) -> usize {
        let (second, third) = (marks.error & marks.second, marks.error & marks.third);
        (((second | third | third >> 1) & 1) + (third & 1)) as usize
    }

    /// The stretches between the errors, a block from the front of each, which
    /// the next one overwrites from its end on. As long as there are few, that is
    /// less work than to move every lane (AVX2, 1 byte in 100: 1.5 to 2 times as
    /// fast), unless lanes are moved by one instruction.
    #[inline(always)]
    fn spliced(s: S, from: &[u8], marks: &Marks, recent: u32, out: &mut [u8]) -> Option<usize> {
        if recent > FEW || from.len() < 2 * BLOCK {
            return None;
        }
        Some(splice(s, from, marks.error, marks.second, marks.third, out))
    }

    const MENDS_ASCII: bool = true;

    #[inline(always)]
    fn mended_ascii(s: S, from: &[u8], errors: u64, out: &mut [u8]) -> Option<usize> {
        if errors.count_ones() > FEW_IN_ASCII || from.len() < 2 * BLOCK {
            return None;
        }
        Some(splice(s, from, errors, 0, 0, out))
    }

    #[inline(always)]
    fn marked(s: S, window: &impl Around<S>, marks: &Marks, lanes: u64, out: &mut [u8]) -> usize {
        let (second, third) = (marks.error & marks.second, marks.error & marks.third);
        let keep = lanes & !((second | third) >> 1 | third >> 2);
        emit(s, window, keep, marks.error, out)
    }
}

/// Writes the stretches of a block between the errors, of which `second` and `third`
/// have one and two more bytes before them, and U+FFFD for these. Returns the bytes
/// written.
#[inline(always)]
fn splice<S: Simd>(s: S, from: &[u8], mut error: u64, second: u64, third: u64, out: &mut [u8]) -> usize {
    let (mut read, mut written) = (0, 0);
    loop {
        copy_block(s, &from[read..], &mut out[written..]);
        if error == 0 {
            return written + BLOCK - read;
        }
        let lane = error.trailing_zeros() as usize;
        error &= error - 1;
        let has = |mask: u64| (mask >> lane & 1) as usize;
        // Of a subpart that began before the block, nothing is in it.
        let begin = lane.saturating_sub(has(second) + 2 * has(third));
        written += begin - read;
        out[written..written + 4].copy_from_slice(&REPLACEMENT);
        written += REPLACEMENT_LEN;
        read = lane + 1;
    }
}

#[inline(always)]
fn emit<S: Simd>(s: S, window: &impl Around<S>, keep: u64, error: u64, out: &mut [u8]) -> usize {
    let mut written = 0;
    for part in 0..BLOCK / S::LANES {
        let lane = part * S::LANES;
        written += s.emit_replaced(window.load::<OWN>(s, lane), keep >> lane, error >> lane, REPLACEMENT, out, written);
    }
    written
}
