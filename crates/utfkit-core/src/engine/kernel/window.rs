//! A block and the bytes around it.

use crate::engine::memory::Aligned;
use crate::engine::simd::ops::Simd;

/// The bytes of a block, on every instruction set.
pub(crate) const BLOCK: usize = 64;

/// A block with the bytes around it that bear on it: four, before and after.
pub(crate) type Window = [u8; BLOCK + 4];

/// A window, wherever its bytes are.
pub(crate) trait Around<S: Simd> {
    const IN_REGISTERS: bool = false;

    /// The bytes from `WHICH` in the window on, in the lanes from `lane` on.
    fn load<const WHICH: usize>(&self, s: S, lane: usize) -> S::V;
    /// The first four bytes.
    fn front(&self) -> [u8; 4];
    /// The last two bytes.
    fn back(&self) -> [u8; 2];
}

impl<S: Simd> Around<S> for Window {
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn load<const WHICH: usize>(&self, s: S, lane: usize) -> S::V {
        s.load(self, WHICH + lane)
    }

    #[inline(always)]
    fn front(&self) -> [u8; 4] {
        [self[0], self[1], self[2], self[3]]
    }

    #[inline(always)]
    fn back(&self) -> [u8; 2] {
        [self[BLOCK + 2], self[BLOCK + 3]]
    }
}

/// The window of the block at `at`, with `before` bytes before it, if all
/// of it lies within `src`.
#[inline(always)]
pub(crate) fn inner(src: &[u8], at: usize, before: usize) -> Option<&Window> {
    src.get(at.checked_sub(before)?..)?.first_chunk()
}

/// Stores the block of a window as it is, from its front to its end.
///
/// Without a loop: of one the compiler makes a copy of 64 bytes that begins with
/// the upper half, and stores that do not go upwards take AVX2 twice as long.
#[inline(always)]
pub(crate) fn store_block<S: Simd, const OWN: usize>(s: S, window: &impl Around<S>, out: &mut [u8]) {
    s.store(window.load::<OWN>(s, 0), out, 0);
    if !S::IS_BLOCK {
        s.store(window.load::<OWN>(s, S::LANES), out, S::LANES);
    }
    if S::IS_NARROW {
        s.store(window.load::<OWN>(s, 2 * S::LANES), out, 2 * S::LANES);
        s.store(window.load::<OWN>(s, 3 * S::LANES), out, 3 * S::LANES);
    }
}

/// Copies the block at the front of `src`.
#[inline(always)]
pub(crate) fn copy_block<S: Simd>(s: S, src: &[u8], out: &mut [u8]) {
    s.store(s.load(src, 0), out, 0);
    if !S::IS_BLOCK {
        s.store(s.load(src, S::LANES), out, S::LANES);
    }
    if S::IS_NARROW {
        s.store(s.load(src, 2 * S::LANES), out, 2 * S::LANES);
        s.store(s.load(src, 3 * S::LANES), out, 3 * S::LANES);
    }
}

/// `out`, or a buffer of `N` bytes in its place if `out` has fewer than `most`.
///
/// Returns one slice for both, so that what writes to it is compiled once.
#[inline(always)]
pub(super) fn ample<'a, const N: usize>(
    out: &'a mut [u8],
    spare: &'a mut Option<Aligned<N>>,
    most: usize,
) -> &'a mut [u8] {
    if out.len() < most { &mut spare.insert(Aligned([0; N])).0 } else { out }
}

/// Copies the buffer of [`ample`], if there is one, to `out`. Returns `written`, or
/// `None` if it does not fit.
#[inline(always)]
pub(super) fn settle<S: Simd, const N: usize>(
    s: S,
    spare: &Option<Aligned<N>>,
    written: usize,
    out: &mut [u8],
) -> Option<usize> {
    if let Some(Aligned(bytes)) = spare {
        s.copy(bytes.get(..written)?, out.get_mut(..written)?);
    }
    Some(written)
}

/// A window that reaches beyond an end of the source, with zeros there.
///
/// It is in registers: a copy of it in memory would be read at once at other
/// places than it was written, and wait for that.
///
/// Before the block are `BEFORE` bytes of the window.
pub(crate) struct Edge<'a, S: Simd, const BEFORE: usize> {
    src: &'a [u8],
    /// Where in `src` the block begins.
    at: usize,
    /// The register before the block, and the registers of the block.
    rows: [S::V; 1 + BLOCK / 16],
}

impl<'a, S: Simd, const BEFORE: usize> Edge<'a, S, BEFORE> {
    /// The window of the first block.
    #[inline(always)]
    pub(crate) fn front(s: S, src: &'a [u8]) -> Edge<'a, S, BEFORE> {
        Edge::new(s, src, 0, s.splat(0))
    }

    /// The window of a later block, at `at`.
    #[inline(always)]
    pub(crate) fn tail(s: S, src: &'a [u8], at: usize) -> Edge<'a, S, BEFORE> {
        debug_assert!(at >= BLOCK, "it is after the first one");
        Edge::at(s, src, at)
    }

    /// The window of any block.
    #[inline(always)]
    pub(crate) fn at(s: S, src: &'a [u8], at: usize) -> Edge<'a, S, BEFORE> {
        let first = match at.checked_sub(S::LANES) {
            Some(from) => s.load(src, from),
            None => s.splat(0),
        };
        Edge::new(s, src, at, first)
    }

    #[inline(always)]
    fn new(s: S, src: &'a [u8], at: usize, first: S::V) -> Edge<'a, S, BEFORE> {
        let mut rows = [first; 1 + BLOCK / 16];
        for part in 0..BLOCK / S::LANES {
            let from = at + part * S::LANES;
            rows[1 + part] = if part > 0 && from >= src.len() { s.splat(0) } else { s.load_padded(src, from) };
        }
        Edge { src, at, rows }
    }

    /// The bytes of one part of the block, from `BY` on, and those after them.
    #[inline(always)]
    fn after<const BY: isize>(&self, s: S, part: usize) -> S::V {
        let row = self.rows[part + 1];
        if part + 1 < BLOCK / S::LANES {
            return s.across::<BY>(row, self.rows[part + 2]);
        }
        // The last register reaches after the block.
        let end = self.at + BLOCK + BY as usize;
        if self.src.len() >= end { s.load(self.src, end - S::LANES) } else { s.across::<BY>(row, s.splat(0)) }
    }
}

impl<S: Simd, const BEFORE: usize> Around<S> for Edge<'_, S, BEFORE> {
    const IN_REGISTERS: bool = true;

    // One of the arms is compiled, even without optimisation.
    #[inline(always)]
    fn load<const WHICH: usize>(&self, s: S, lane: usize) -> S::V {
        const { assert!(WHICH + 3 >= BEFORE && WHICH <= BEFORE + 2) };
        let part = lane / S::LANES;
        match const { WHICH as isize - BEFORE as isize } {
            -3 => s.across::<-3>(self.rows[part], self.rows[part + 1]),
            -2 => s.across::<-2>(self.rows[part], self.rows[part + 1]),
            -1 => s.across::<-1>(self.rows[part], self.rows[part + 1]),
            1 => self.after::<1>(s, part),
            2 => self.after::<2>(s, part),
            _ => self.rows[part + 1],
        }
    }

    #[inline(always)]
    fn front(&self) -> [u8; 4] {
        let mut front = [0; 4];
        for (i, byte) in front.iter_mut().enumerate() {
            let at = (self.at + i).checked_sub(BEFORE);
            *byte = at.and_then(|at| self.src.get(at)).copied().unwrap_or(0);
        }
        front
    }

    #[inline(always)]
    fn back(&self) -> [u8; 2] {
        let from = self.at + BLOCK + 2 - BEFORE;
        let byte = |at| self.src.get(at).copied().unwrap_or(0);
        [byte(from), byte(from + 1)]
    }
}
