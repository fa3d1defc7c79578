//! How far bytes are well-formed UTF-8.
//!
//! Four blocks at a time are only asked whether anything is ill-formed, their
//! answers gathered in one register: one branch for 256 bytes. If they are all
//! US-ASCII, which four loads and three "or" show, even that is left out. When
//! something is ill-formed, the blocks from there are looked at one by one.

use super::utf8::{Marks, Tables, edge_window, window};
use super::window::BLOCK;
use crate::scalar::utf8::is_continuation;
use crate::simd::dispatch::{Kernel, run};
use crate::simd::ops::Simd;

/// How many bytes of `src` are well-formed: up to where the first ill-formed
/// or unfinished sequence begins.
#[inline]
pub(crate) fn well_formed_prefix(src: &[u8]) -> usize {
    run(Validate { src })
}

struct Validate<'a> {
    src: &'a [u8],
}

impl Kernel for Validate<'_> {
    type Output = usize;

    #[inline(always)]
    fn vector<S: Simd>(self, s: S) -> usize {
        validate(s, self.src)
    }

    #[inline]
    fn scalar(self) -> usize {
        0
    }
}

/// Blocks that share one branch.
const GROUP: usize = 4 * BLOCK;

#[inline(always)]
fn validate<S: Simd>(s: S, src: &[u8]) -> usize {
    let Some(&first) = src.first() else { return 0 };
    if is_continuation(first) {
        return 0;
    }
    let tables = Tables::new(s);
    let mut at = 0;
    if src.len() > BLOCK {
        let (edge, _) = edge_window(src, 0);
        if tables.is_faulty(s, &edge) {
            return first_fault(s, &tables, src, 0);
        }
        at = BLOCK;
        while at + GROUP < src.len() {
            let group = &src[at - super::utf8::OWN..at + GROUP + 1];
            let behind = group[super::utf8::OWN + GROUP];
            if is_continuation(behind) || !is_ascii(s, &group[super::utf8::OWN..]) {
                let mut fault = s.splat(0);
                for block in 0..GROUP / BLOCK {
                    let Some(window) = group[block * BLOCK..].first_chunk() else { return at };
                    for part in 0..BLOCK / S::LANES {
                        fault = s.or(fault, tables.fault(s, window, part));
                    }
                }
                if s.any(s.nonzero(fault)) {
                    break;
                }
            }
            at += GROUP;
        }
    }
    first_fault(s, &tables, src, at)
}

/// Whether the first [`GROUP`] bytes of `src` are all US-ASCII.
#[inline(always)]
fn is_ascii<S: Simd>(s: S, src: &[u8]) -> bool {
    let mut all = s.load(src, 0);
    for part in 1..GROUP / S::LANES {
        all = s.or(all, s.load(src, part * S::LANES));
    }
    !s.any_msb(all)
}

/// Where the first ill-formed or unfinished sequence begins that ends in the
/// block at `at` or behind it; the length of `src` if there is none.
#[inline(always)]
fn first_fault<S: Simd>(s: S, tables: &Tables<S>, src: &[u8], mut at: usize) -> usize {
    let mut doubtful = false;
    while at < src.len() {
        let (edge, window, lanes);
        match self::window(src, at) {
            Some(inner) => (window, lanes) = (inner, !0),
            None => {
                (edge, lanes) = edge_window(src, at);
                window = &edge;
            }
        }
        if doubtful || tables.is_faulty(s, window) {
            let marks = Marks::new(s, tables, window);
            let fault = marks.fault & lanes;
            if fault != 0 {
                return marks.start(at, fault.trailing_zeros());
            }
            doubtful = marks.doubtful_end;
        }
        at += BLOCK;
    }
    src.len()
}
