//! A text as its words and the white space after each, those that come again counted.

use alloc::vec::Vec;
use core::ops::Range;

use super::token::Token;
use super::walk::{Pieces, TakePiece};

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

/// Characters in their pieces.
pub(super) struct Characters {
    pieces: Vec<Piece>,
    /// Of all pieces, one after the other, with the token before each.
    tokens: Vec<Token>,
}

impl Characters {
    pub(super) fn of(text: &[char]) -> Characters {
        let pieces = pieces(text);
        let before = |piece: &Piece| if piece.at.start == 0 { &[][..] } else { &text[piece.at.start - 1..][..1] };
        let each = pieces.iter().flat_map(|piece| before(piece).iter().chain(&text[piece.at.clone()]));
        let tokens = each.map(|&c| Token::of(c)).collect();
        Characters { pieces, tokens }
    }
}

impl Pieces for Characters {
    fn each(&self, take: &mut TakePiece<'_>) {
        let mut rest = &self.tokens[..];
        for Piece { at, times } in &self.pieces {
            let has_before = usize::from(at.start > 0);
            let (tokens, others) = rest.split_at(at.len() + has_before);
            let (before, tokens) = tokens.split_at(has_before);
            if !take(tokens, before.first().copied(), *times) {
                return;
            }
            rest = others;
        }
    }
}
