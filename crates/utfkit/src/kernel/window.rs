//! A block and what stands around it.

use crate::memory::copy_short;
use crate::simd::ops::Simd;

/// The bytes of a block, on every instruction set.
pub(crate) const BLOCK: usize = 64;

/// A block with the bytes around it that bear on it: four, before and behind.
pub(crate) type Window = [u8; BLOCK + 4];

/// A window, wherever its bytes are.
pub(crate) trait Around {
    /// The bytes from `offset` in the window on.
    fn load<S: Simd>(&self, s: S, offset: usize) -> S::V;
    /// The first four bytes.
    fn front(&self) -> [u8; 4];
}

impl Around for Window {
    #[inline(always)]
    fn load<S: Simd>(&self, s: S, offset: usize) -> S::V {
        s.load(self, offset)
    }

    #[inline(always)]
    fn front(&self) -> [u8; 4] {
        [self[0], self[1], self[2], self[3]]
    }
}

/// The window of the block at `at`, with `before` bytes in front of it, if all
/// of it lies within `src`.
#[inline(always)]
pub(crate) fn inner(src: &[u8], at: usize, before: usize) -> Option<&Window> {
    src.get(at.checked_sub(before)?..)?.first_chunk()
}

/// A window that reaches beyond an end of the source, with zeros there.
pub(crate) struct Edge<'a> {
    src: &'a [u8],
    /// Where in `src` the window begins; negative in front of it.
    at: isize,
    /// The bytes of the window, for instruction sets without masked loads.
    copy: Window,
}

impl<'a> Edge<'a> {
    /// The window of the block at `at` (not behind the end of `src`), with
    /// `before` bytes in front of it.
    #[inline(always)]
    pub(crate) fn new<S: Simd>(_: S, src: &'a [u8], at: usize, before: usize) -> Edge<'a> {
        let mut copy = [0; BLOCK + 4];
        if !S::MASKS {
            let there = at.min(before);
            let part = &src[at - there..src.len().min(at + BLOCK + 4 - before)];
            copy_short(part, &mut copy[before - there..]);
        }
        // No slice is longer than `isize::MAX`.
        Edge { src, at: at as isize - before as isize, copy }
    }
}

impl Around for Edge<'_> {
    #[inline(always)]
    fn load<S: Simd>(&self, s: S, offset: usize) -> S::V {
        if S::MASKS { s.load_within(self.src, self.at + offset as isize) } else { s.load(&self.copy, offset) }
    }

    #[inline(always)]
    fn front(&self) -> [u8; 4] {
        core::array::from_fn(|i| {
            let at = usize::try_from(self.at + i as isize);
            at.ok().and_then(|at| self.src.get(at)).copied().unwrap_or(0)
        })
    }
}
