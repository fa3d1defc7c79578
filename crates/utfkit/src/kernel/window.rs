//! A block and what stands around it.

use crate::memory::copy_short;
use crate::simd::ops::Simd;

/// The bytes of a block, on every instruction set.
pub(crate) const BLOCK: usize = 64;

/// A block with the bytes around it that bear on it: four, before and behind.
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

/// The window of the block at `at`, with `before` bytes in front of it, if all
/// of it lies within `src`.
#[inline(always)]
pub(crate) fn inner(src: &[u8], at: usize, before: usize) -> Option<&Window> {
    src.get(at.checked_sub(before)?..)?.first_chunk()
}

/// A window that reaches beyond an end of the source, with zeros there.
pub(crate) struct Edge<'a, S: Simd> {
    src: &'a [u8],
    /// Where in `src` the block begins, behind so many bytes of the window.
    at: usize,
    before: usize,
    /// What the block has of `src`, where it is the first and a register.
    own: S::V,
    /// The bytes of the window, for instruction sets without masked loads.
    copy: Window,
}

impl<'a, S: Simd> Edge<'a, S> {
    /// The window of the first block, with `before` bytes in front of it.
    #[inline(always)]
    pub(crate) fn front(s: S, src: &'a [u8], before: usize) -> Edge<'a, S> {
        let mut edge = Edge { src, at: 0, before, own: s.splat(0), copy: [0; BLOCK + 4] };
        if S::MASKS {
            edge.own = if src.len() < BLOCK { s.load_front(src) } else { s.load(src, 0) };
        } else {
            edge.fill();
        }
        edge
    }

    /// The window of a later block, at `at`.
    #[inline(always)]
    pub(crate) fn tail(s: S, src: &'a [u8], at: usize, before: usize) -> Edge<'a, S> {
        let mut edge = Edge { src, at, before, own: s.splat(0), copy: [0; BLOCK + 4] };
        if !S::MASKS {
            edge.fill();
        }
        edge
    }

    #[inline(always)]
    fn fill(&mut self) {
        let there = self.at.min(self.before);
        let end = self.src.len().min(self.at + BLOCK + 4 - self.before);
        copy_short(&self.src[self.at - there..end], &mut self.copy[self.before - there..]);
    }
}

impl<S: Simd> Around<S> for Edge<'_, S> {
    #[inline(always)]
    fn load(&self, s: S, offset: usize) -> S::V {
        if !S::MASKS {
            return s.load(&self.copy, offset);
        }
        if self.at == 0 {
            if offset <= self.before {
                return s.slide(self.own, self.before as isize - offset as isize);
            }
            let behind = offset - self.before;
            return if self.src.len() < BLOCK + behind {
                s.slide(self.own, -(behind as isize))
            } else {
                s.load(self.src, behind)
            };
        }
        let from = self.at - self.before + offset;
        if self.src.len() >= from + BLOCK {
            s.load(self.src, from)
        } else {
            s.load_front(&self.src[from.min(self.src.len())..])
        }
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
