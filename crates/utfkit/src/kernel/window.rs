//! A block and what stands around it.

/// The bytes of a block, on every instruction set.
pub(crate) const BLOCK: usize = 64;

/// A block with the bytes around it that bear on it: four, before and behind.
pub(crate) type Window = [u8; BLOCK + 4];

/// The window of the block at `at`, with `before` bytes in front of it, if all
/// of it lies within `src`.
#[inline(always)]
pub(crate) fn inner(src: &[u8], at: usize, before: usize) -> Option<&Window> {
    src.get(at.checked_sub(before)?..)?.first_chunk()
}

/// The same for a block that begins within `src`, with zeros where `src` has
/// nothing.
#[inline(always)]
pub(crate) fn edge(src: &[u8], at: usize, before: usize) -> Window {
    let mut window = [0; BLOCK + 4];
    let there = at.min(before);
    let part = &src[at - there..src.len().min(at + BLOCK + 4 - before)];
    window[before - there..][..part.len()].copy_from_slice(part);
    window
}
