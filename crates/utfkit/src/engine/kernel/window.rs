//! A block and what stands around it.

use crate::engine::simd::ops::Simd;

/// The bytes of a block, on every instruction set.
pub(crate) const BLOCK: usize = 64;

/// A block with the bytes around it that bear on it: four, before and after.
pub(crate) type Window = [u8; BLOCK + 4];

/// A window, wherever its bytes are.
pub(crate) trait Around<S: Simd> {
    /// The bytes from `offset` in the window on.
    fn load(&self, s: S, offset: usize) -> S::V;
    /// The first four bytes.
    fn front(&self) -> [u8; 4];
    /// The last two bytes.
    fn back(&self) -> [u8; 2];
}

impl<S: Simd> Around<S> for Window {
    #[inline(always)]
    fn load(&self, s: S, offset: usize) -> S::V {
        s.load(self, offset)
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

/// A window that reaches beyond an end of the source, with zeros there.
///
/// It is in registers: a copy of it in memory would be read at once at other
/// places than it was written, and wait for that.
pub(crate) struct Edge<'a, S: Simd> {
    src: &'a [u8],
    /// Where in `src` the block begins, after so many bytes of the window.
    at: usize,
    before: usize,
    /// The register before the block, and those of the block.
    rows: [S::V; 1 + BLOCK / 16],
}

impl<'a, S: Simd> Edge<'a, S> {
    /// The window of the first block, with `before` bytes before it.
    #[inline(always)]
    pub(crate) fn front(s: S, src: &'a [u8], before: usize) -> Edge<'a, S> {
        Edge::new(s, src, 0, before, s.splat(0))
    }

    /// The window of a later block, at `at`.
    #[inline(always)]
    pub(crate) fn tail(s: S, src: &'a [u8], at: usize, before: usize) -> Edge<'a, S> {
        debug_assert!(at >= BLOCK, "it is after the first one");
        Edge::at(s, src, at, before)
    }

    /// The window of any block.
    #[inline(always)]
    pub(crate) fn at(s: S, src: &'a [u8], at: usize, before: usize) -> Edge<'a, S> {
        let first = match at.checked_sub(S::LANES) {
            Some(from) => s.load(src, from),
            None => s.splat(0),
        };
        Edge::new(s, src, at, before, first)
    }

    #[inline(always)]
    fn new(s: S, src: &'a [u8], at: usize, before: usize, first: S::V) -> Edge<'a, S> {
        let mut rows = [first; 1 + BLOCK / 16];
        for part in 0..BLOCK / S::LANES {
            let from = at + part * S::LANES;
            rows[1 + part] = if part > 0 && from >= src.len() { s.splat(0) } else { s.load_padded(src, from) };
        }
        Edge { src, at, before, rows }
    }
}

impl<S: Simd> Around<S> for Edge<'_, S> {
    #[inline(always)]
    fn load(&self, s: S, offset: usize) -> S::V {
        let lane = offset + S::LANES - self.before;
        let (row, by) = (lane / S::LANES, lane % S::LANES);
        if by == 0 {
            return self.rows[row];
        }
        if row < BLOCK / S::LANES {
            return s.across(self.rows[row], self.rows[row + 1], by);
        }
        // The last register reaches after the block.
        if self.src.len() >= self.at + BLOCK + by {
            return s.load(self.src, self.at + BLOCK + by - S::LANES);
        }
        s.across(self.rows[row], s.splat(0), by)
    }

    #[inline(always)]
    fn front(&self) -> [u8; 4] {
        let mut front = [0; 4];
        for (i, byte) in front.iter_mut().enumerate() {
            let at = (self.at + i).checked_sub(self.before);
            *byte = at.and_then(|at| self.src.get(at)).copied().unwrap_or(0);
        }
        front
    }

    #[inline(always)]
    fn back(&self) -> [u8; 2] {
        let from = self.at + BLOCK + 2 - self.before;
        [from, from + 1].map(|at| self.src.get(at).copied().unwrap_or(0))
    }
}
