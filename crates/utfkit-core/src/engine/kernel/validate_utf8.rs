//! Validation of UTF-8.
//!
//! Four blocks are validated with one branch for 256 bytes. Validation is skipped if they are
//! US-ASCII, which four loads and three "or" show. When something is ill-formed, a second
//! kernel finds the first error, so that the first kernel stays short.

use super::utf8::{Before, Marks, NEXT, OWN, Tables, front, is_ascii, lanes_from, window};
use super::window::{Around, BLOCK, Edge};
use crate::engine::simd::dispatch::{Entries, Kernel, run, run_entries};
use crate::engine::simd::ops::{Blocks, Simd};
use utfkit_forms::scalar::utf8::is_continuation;

/// `Ok` if all of `src` is well-formed, else the place of the block from which on
/// [`first_error_from`] has to search.
#[inline(always)]
pub(crate) fn check(src: &[u8]) -> Result<(), usize> {
    static ENTRIES: Entries<bool, Option<usize>> = Entries::of::<Validate>();
    run_entries(&ENTRIES, src, &mut [], true).map_or(Ok(()), Err)
}

/// The length of the well-formed prefix of `src`, up to the first ill-formed or unfinished sequence.
#[inline]
pub(crate) fn well_formed_prefix(src: &[u8]) -> usize {
    match check(src) {
        Ok(()) => src.len(),
        Err(at) => first_error_from(src, at),
    }
}

/// The length of the well-formed prefix of `src` without forms of four bytes.
pub(crate) fn well_formed_prefix_of_three(src: &[u8]) -> usize {
    match run::<Validate>(src, &mut [], false) {
        None => src.len(),
        Some(at) => {
            // The error is in this group.
            let group = &src[at..src.len().min(at + GROUP + BLOCK)];
            let four = group.iter().position(|&byte| byte >= 0xF0);
            first_error_from(&src[..four.map_or(src.len(), |four| at + four)], at)
        }
    }
}

/// [`check`], also by the tables of three.
struct Validate;

impl Kernel for Validate {
    /// True if characters may have four bytes.
    type Arg = bool;
    /// The place of the block from which on to search, if anything is ill-formed.
    type Output = Option<usize>;
    const NARROWEST: usize = 16;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], _: &mut [u8], four: bool) -> Option<usize> {
        validate(s, src, four).err()
    }

    fn without(_: &[u8], _: &mut [u8], _: bool) -> Option<usize> {
        Some(0)
    }
}

/// The length of the well-formed prefix of `src`, searched from the block that [`check`] returned.
#[cold]
pub(crate) fn first_error_from(src: &[u8], at: usize) -> usize {
    run::<FirstError>(src, &mut [], at)
}

/// [`first_error_from`].
struct FirstError;

impl Kernel for FirstError {
    type Arg = usize;
    type Output = usize;
    // Once, where something is ill-formed.
    const WIDEST: usize = 32;
    const NARROWEST: usize = 16;

    #[inline(always)]
    fn vector<S: Simd>(s: S, src: &[u8], _: &mut [u8], at: usize) -> usize {
        first_error(s, src, at)
    }
}

/// Blocks that share one branch.
pub(super) const GROUP: usize = 4 * BLOCK;

#[inline(always)]
fn validate<S: Simd>(s: S, src: &[u8], four: bool) -> Result<(), usize> {
    let Some(&first) = src.first() else { return Ok(()) };
    if is_continuation(first) {
        return Err(0);
    }
    let (front, _) = front(s, src);
    // Registers of 16 bytes would have to be asked several times.
    if !S::IS_NARROW && src.len() <= S::LANES {
        // Strings come in no order: a question that some answer one way and some
        // the other takes longer than the look-ups.
        let tables = if four { Tables::new(s) } else { Tables::of_three(s) };
        return if s.any_nonzero(tables.error(s, &front, 0)) { Err(0) } else { Ok(()) };
    }
    let all_ascii = is_ascii(s, &front);
    if all_ascii && (src.len() <= BLOCK || src.len() <= GROUP && is_ascii_after(s, src)) {
        return Ok(());
    }
    let tables = if four { Tables::new(s) } else { Tables::of_three(s) };
    if (!all_ascii || is_continuation(src[BLOCK])) && is_front_ill_formed(s, &tables, &front, src.len()) {
        return Err(0);
    }
    let mut at = BLOCK;
    // Where the blocks are asked, too, the group is only after one of US-ASCII.
    let mut expects_ascii = true;
    while at + GROUP < src.len() {
        let group = &src[at - OWN..at + GROUP + 1];
        let after = group[OWN + GROUP];
        if is_continuation(after) || S::Blocks::AT_ONCE && !expects_ascii || !is_ascii_group(s, &group[OWN..]) {
            let mut error = s.splat(0);
            expects_ascii = true;
            for block in 0..GROUP / BLOCK {
                let Some(window) = window(group, OWN + block * BLOCK) else { return Err(at) };
                // With narrow look-ups a branch costs less than it saves.
                if S::WIDE_LOOKUP || !is_ascii_on(s, window) {
                    expects_ascii = false;
                    if const { S::TOGETHER < BLOCK / S::LANES } {
                        // Nor is it waited for the whole group.
                        if tables.is_ill_formed(s, window) {
                            return Err(at);
                        }
                        continue;
                    }
                    for part in 0..BLOCK / S::LANES {
                        error = s.or(error, tables.error(s, window, part));
                    }
                }
            }
            if s.any_nonzero(error) {
                return Err(at);
            }
        }
        at += GROUP;
    }
    while at < src.len() {
        let ill_formed = match window(src, at) {
            Some(window) => tables.is_ill_formed(s, window),
            None => {
                let tail = Edge::<S, OWN>::tail(s, src, at);
                (S::IS_BLOCK || !is_ascii(s, &tail)) && tables.is_ill_formed(s, &tail)
            }
        };
        if ill_formed {
            return Err(at);
        }
        at += BLOCK;
    }
    Ok(())
}

/// True if the first block of a source of `len` bytes is ill-formed.
#[inline(always)]
fn is_front_ill_formed<S: Simd>(s: S, tables: &Tables<S>, front: &impl Around<S>, len: usize) -> bool {
    // In one register, as long as that is all.
    if S::IS_NARROW && len <= S::LANES {
        return s.any_nonzero(tables.error(s, front, 0));
    }
    tables.is_ill_formed(s, front)
}

/// True if the second to fourth block are US-ASCII: by the blocks at both ends, which may
/// overlap.
#[inline(always)]
pub(super) fn is_ascii_after<S: Simd>(s: S, src: &[u8]) -> bool {
    let Some(last) = src.last_chunk::<BLOCK>() else { return false };
    let mut all = s.load(last, 0);
    for part in 1..BLOCK / S::LANES {
        all = s.or(all, s.load(last, part * S::LANES));
    }
    if src.len() > 2 * BLOCK {
        let from = src.len() - 2 * BLOCK;
        for part in 0..BLOCK / S::LANES {
            let both = s.or(s.load(src, BLOCK + part * S::LANES), s.load(src, from + part * S::LANES));
            all = s.or(all, both);
        }
    }
    !s.any_msb(all)
}

/// True if all own bytes and the byte after them are US-ASCII.
#[inline(always)]
fn is_ascii_on<S: Simd>(s: S, window: &impl Around<S>) -> bool {
    let mut all = window.load::<NEXT>(s, BLOCK - S::LANES);
    for part in 0..BLOCK / S::LANES {
        all = s.or(all, window.load::<OWN>(s, part * S::LANES));
    }
    !s.any_msb(all)
}

/// True if the first [`GROUP`] bytes of `src` are US-ASCII.
#[inline(always)]
pub(super) fn is_ascii_group<S: Simd>(s: S, src: &[u8]) -> bool {
    let mut all = s.load(src, 0);
    for part in 1..GROUP / S::LANES {
        all = s.or(all, s.load(src, part * S::LANES));
    }
    !s.any_msb(all)
}

/// The place of the first ill-formed or unfinished sequence, none of which begins before the block at
/// `at`; the length of `src` if there is none.
#[inline(always)]
fn first_error<S: Simd>(s: S, src: &[u8], mut at: usize) -> usize {
    let tables = &Tables::new(s);
    while at < src.len() {
        let window = &Edge::<S, OWN>::at(s, src, at);
        let (marks, lanes) = (Marks::new(s, tables, window, Before::new(s, window)), lanes_from(src, at));
        let error = marks.error & lanes;
        if error != 0 {
            return marks.start(at, error.trailing_zeros());
        }
        at += BLOCK;
    }
    src.len()
}
