//! Every error of UTF-8, block by block.
//!
//! Blocks are asked whether anything is ill-formed, as in
//! [`validate_utf8`](super::validate_utf8); of one that has something the masks
//! are handed out, in which each error is a bit, for the caller to walk.

use core::cell::Cell;
use core::marker::PhantomData;

use super::utf8::{Before, Marks, OWN, Tables, lanes_from, window};
use super::validate_utf8::{GROUP, is_ascii_group};
use super::window::{Around, BLOCK, Edge};
use crate::engine::simd::dispatch::{Kernel, run};
use crate::engine::simd::ops::Simd;
use utfkit_forms::scalar::utf8::is_continuation;

/// The errors of one block, a bit a lane.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BlockErrors {
    /// Where the block begins.
    at: usize,
    /// The last bytes of maximal subparts.
    error: u64,
    /// The errors that are the second or the third byte of their sequence.
    second: u64,
    third: u64,
}

impl BlockErrors {
    /// The next error: where it begins, and its bytes.
    #[inline]
    pub(crate) fn take(&mut self) -> Option<(usize, usize)> {
        if self.error == 0 {
            return None;
        }
        let lane = self.error.trailing_zeros();
        self.error &= self.error - 1;
        let has = |mask: u64| (mask >> lane & 1) as usize;
        let before = has(self.second) + 2 * has(self.third);
        Some((self.at + lane as usize - before, before + 1))
    }

    /// The number of errors.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.error.count_ones() as usize
    }
}

/// Finds the next blocks with errors, from the block at `at` on. Returns the number of entries of `found` that
/// were filled and the place of the next block, or the length of `src`. `None` if there is no kernel.
pub(crate) fn find_errors(src: &[u8], at: usize, found: &mut [BlockErrors]) -> Option<(usize, usize)> {
    run::<FindErrors<'_>>(src, &mut [], (at, Cell::from_mut(found).as_slice_of_cells()))
}

struct FindErrors<'a>(PhantomData<&'a ()>);

impl<'a> Kernel for FindErrors<'a> {
    type Arg = (usize, &'a [Cell<BlockErrors>]);
    type Output = Option<(usize, usize)>;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], _: &mut [u8], (at, found): Self::Arg) -> Option<(usize, usize)> {
        Some(find(s, src, at, found))
    }
}

#[inline(always)]
fn find<S: Simd>(s: S, src: &[u8], mut at: usize, found: &[Cell<BlockErrors>]) -> (usize, usize) {
    let tables = Tables::new(s);
    let mut len = 0;
    // The bytes before the first block may be ill-formed.
    let mut doubtful = true;
    while at < src.len() && len < found.len() {
        if at.is_multiple_of(GROUP)
            && !doubtful
            && let Some(&after) = src.get(at + GROUP)
            && is_ascii_group(s, &src[at..])
        {
            at += GROUP;
            doubtful = is_continuation(after);
            continue;
        }
        match window(src, at) {
            Some(window) if !doubtful && !tables.is_ill_formed(s, window) => {}
            Some(window) => doubtful = look(s, &tables, window, !0, at, &found[len], &mut len),
            None => {
                let (window, lanes) = (Edge::<S, OWN>::at(s, src, at), lanes_from(src, at));
                doubtful = look(s, &tables, &window, lanes, at, &found[len], &mut len);
            }
        }
        at += BLOCK;
    }
    (len, at.min(src.len()))
}

/// Looks at one block closely, and counts it if it has errors. Returns whether
/// the next one must be looked at as well.
#[inline(always)]
fn look<S: Simd>(
    s: S,
    tables: &Tables<S>,
    window: &impl Around<S>,
    lanes: u64,
    at: usize,
    found: &Cell<BlockErrors>,
    len: &mut usize,
) -> bool {
    let marks = Marks::new(s, tables, window, Before::new(s, window));
    let error = marks.error & lanes;
    // Written in any case: a branch could not be predicted.
    found.set(BlockErrors { at, error, second: marks.second, third: marks.third });
    *len += usize::from(error != 0);
    marks.before_next().is_doubtful()
}
