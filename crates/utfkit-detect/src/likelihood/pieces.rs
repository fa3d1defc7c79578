//! A text as its words and the white space after each, those that come again counted.

use alloc::vec::Vec;
use core::ops::Range;

use super::token::Token;

/// What stands between white space, and the white space after it.
pub(crate) struct Piece {
    pub(crate) at: Range<usize>,
    /// How often it is there, after the same.
    pub(crate) times: u64,
}

/// The pieces of a text, in the order in which they are met. What is not above U+0020
/// is white space.
pub(crate) fn pieces<T: Copy + PartialEq + Into<u32>>(text: &[T]) -> Vec<Piece> {
    let mut found: Vec<Piece> = Vec::new();
    // Where in `found`, and 1 more, at the place that the hash names or the next free one.
    // Each but the last one has two characters.
    let mut places: Vec<u32> = alloc::vec![0; (text.len() + 2).next_power_of_two()];
    let last = places.len() - 1;
    // FNV-1a, with the character before.
    let mix = |hash: u64, c: T| (hash ^ u64::from(c.into())).wrapping_mul(0x0100_0000_01B3);
    let is_white = |c: T| c.into() <= 0x20;
    let mut from = 0;
    while from < text.len() {
        let mut hash = from.checked_sub(1).map_or(0, |at| mix(0, text[at]));
        let mut to = from;
        while to < text.len() && !is_white(text[to]) {
            hash = mix(hash, text[to]);
            to += 1;
        }
        while to < text.len() && is_white(text[to]) {
            hash = mix(hash, text[to]);
            to += 1;
        }
        let with_before = |at: &Range<usize>| &text[at.start.saturating_sub(1)..at.end];
        let at = from..to;
        let mut place = (hash ^ hash >> 32) as usize & last;
        loop {
            match places[place] {
                0 => {
                    found.push(Piece { at, times: 1 });
                    places[place] = u32::try_from(found.len()).unwrap_or(0);
                    break;
                }
                number => {
                    let other = &mut found[number as usize - 1];
                    if (other.at.start == 0) == (from == 0) && with_before(&other.at) == with_before(&at) {
                        other.times += 1;
                        break;
                    }
                }
            }
            place = (place + 1) & last;
        }
        from = to;
    }
    found
}

/// Where a piece ends, the token before it, and how often both are there.
pub(crate) struct Cut {
    pub(crate) end: usize,
    pub(crate) before: Option<Token>,
    pub(crate) times: u64,
}

/// A text in pieces, one after the other. Each ends with white space, so that what comes
/// after changes nothing.
#[derive(Clone, Copy)]
pub(crate) struct Pieces<'a> {
    pub(crate) tokens: &'a [Token],
    pub(crate) cuts: &'a [Cut],
}

impl<'a> Pieces<'a> {
    /// Each piece, the token before it, and how often both are there.
    #[inline]
    pub(crate) fn each(self) -> impl Iterator<Item = (&'a [Token], Option<Token>, u64)> {
        let Pieces { tokens, cuts } = self;
        cuts.iter().scan(0, move |from, cut| {
            let piece = &tokens[*from..cut.end];
            *from = cut.end;
            Some((piece, cut.before, cut.times))
        })
    }
}

/// The tokens of some pieces of a text, and where each ends.
pub(crate) fn tokens_of<T: Copy>(text: &[T], pieces: &[Piece], token: impl Fn(T) -> Token) -> (Vec<Token>, Vec<Cut>) {
    let mut tokens = Vec::with_capacity(pieces.iter().map(|piece| piece.at.len()).sum());
    let mut cuts = Vec::with_capacity(pieces.len());
    for Piece { at, times } in pieces {
        tokens.extend(text[at.clone()].iter().map(|&c| token(c)));
        let before = at.start.checked_sub(1).map(|before| token(text[before]));
        cuts.push(Cut { end: tokens.len(), before, times: *times });
    }
    (tokens, cuts)
}
