//! Cuts sources into pieces, and compares the reference with the standard
//! library.

use utfkit_testkit::piece::Piece;
use utfkit_testkit::random::Random;

/// Cuts `src` into pieces of random length, with a random maximum; sometimes
/// not at all.
pub(crate) fn cut<'a>(src: &'a [u8], random: &mut Random) -> Vec<&'a [u8]> {
    let longest = *random.pick(&[1, 2, 5, 9, 40, 130, usize::MAX]);
    let mut pieces = Vec::new();
    let mut rest = src;
    while !rest.is_empty() {
        let len = if longest > rest.len() { rest.len() } else { 1 + random.below(longest) };
        let (piece, after) = rest.split_at(len.min(rest.len()));
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// Asserts that the reference's pieces of UTF-8 agree with the standard
/// library.
pub(crate) fn assert_agrees_with_std(src: &[u8], pieces: &[Piece]) {
    let mut pieces = pieces.iter();
    let mut at = 0;
    for chunk in src.utf8_chunks() {
        for c in chunk.valid().chars() {
            let piece = pieces.next().expect("the reference has as many pieces");
            assert_eq!((piece.offset, piece.len, piece.value()), (at, c.len_utf8(), Some(c.into())), "{src:02X?}");
            at += c.len_utf8();
        }
        if !chunk.invalid().is_empty() {
            let piece = pieces.next().expect("the reference has as many pieces");
            assert_eq!((piece.offset, piece.len, piece.value()), (at, chunk.invalid().len(), None), "{src:02X?}");
            at += piece.len;
        }
    }
    assert_eq!((pieces.next(), at), (None, src.len()), "{src:02X?}");
}
