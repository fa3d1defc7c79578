//! A text as its words, each with the white space after it, repeated ones counted.

use alloc::vec::Vec;
use core::ops::Range;

use super::token::Token;
use crate::hashes::mix;

/// Characters up to and including the white space after them.
pub(crate) struct Segment {
    pub(crate) range: Range<usize>,
    /// How often it occurs after the same character.
    pub(crate) repeats: u64,
}

/// The distinct segments of a text, in order of first occurrence. White space is
/// everything up to U+0020.
pub(crate) fn segments<T: Copy + PartialEq + Into<u32>>(text: &[T]) -> Vec<Segment> {
    segments_by(text, |c| c)
}

/// The distinct segments, where all digits are the same. A word that is repeated often says less each time, so from
/// the fifth repeat on the binary logarithm of their number counts, twice.
pub(crate) fn weighted_segments(text: &[u8]) -> Vec<Segment> {
    let mut found = segments_by(text, |byte| if byte.is_ascii_digit() { b'0' } else { byte });
    for segment in &mut found {
        if segment.repeats > 4 {
            segment.repeats = 2 * u64::from(segment.repeats.ilog2());
        }
    }
    found
}

/// The characters of a text with few segments.
const SHORT: usize = 64;

/// The distinct segments. Segments are the same if the keys of their characters are.
fn segments_by<T: Copy + PartialEq + Into<u32>>(text: &[T], key_of: impl Fn(T) -> T) -> Vec<Segment> {
    let mut found: Vec<Segment> = Vec::new();
    // A hash table with linear probing: indices in `found` plus 1, 0 for a free slot.
    // All segments but the last have two characters, so half of it stays free. A short
    // text has too few segments for one.
    let is_short = text.len() <= SHORT;
    let mut slots: Vec<u32> = alloc::vec![0; if is_short { 0 } else { (text.len() + 2).next_power_of_two() }];
    let mask = slots.len().wrapping_sub(1);
    let mix = |hash: u64, c: T| mix(hash, key_of(c).into().into());
    let is_white = |c: T| c.into() <= 0x20;
    let mut from = 0;
    while from < text.len() {
        // The character before the segment is part of the key.
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
        let key = |range: &Range<usize>| text[range.start.saturating_sub(1)..range.end].iter().map(|&c| key_of(c));
        let range = from..to;
        let is_first = from == 0;
        let is_same = |other: &Segment| (other.range.start == 0) == is_first && key(&other.range).eq(key(&range));
        from = to;
        if is_short {
            match found.iter_mut().find(|other| is_same(other)) {
                Some(other) => other.repeats += 1,
                None => found.push(Segment { range, repeats: 1 }),
            }
            continue;
        }
        let mut slot = (hash ^ hash >> 32) as usize & mask;
        loop {
            match slots[slot] {
                0 => {
                    found.push(Segment { range, repeats: 1 });
                    slots[slot] = u32::try_from(found.len()).unwrap_or(0);
                    break;
                }
                number => {
                    let other = &mut found[number as usize - 1];
                    if is_same(other) {
                        other.repeats += 1;
                        break;
                    }
                }
            }
            slot = (slot + 1) & mask;
        }
    }
    found
}

/// The end of a segment in the tokens of a text.
pub(crate) struct SegmentEnd {
    pub(crate) end: usize,
    /// The token before the segment.
    pub(crate) previous: Option<Token>,
    pub(crate) repeats: u64,
}

/// The tokens of the distinct segments of a text. As each ends with white space, the
/// next one does not matter for its score.
#[derive(Clone, Copy)]
pub(crate) struct Segments<'a> {
    pub(crate) tokens: &'a [Token],
    pub(crate) ends: &'a [SegmentEnd],
}

/// The tokens of a segment.
pub(crate) struct SegmentTokens<'a> {
    pub(crate) tokens: &'a [Token],
    pub(crate) previous: Option<Token>,
    pub(crate) repeats: u64,
}

impl<'a> Segments<'a> {
    #[inline]
    pub(crate) fn each(self) -> impl Iterator<Item = SegmentTokens<'a>> {
        let Segments { tokens, ends } = self;
        ends.iter().scan(0, move |from, end| {
            let tokens = &tokens[*from..end.end];
            *from = end.end;
            Some(SegmentTokens { tokens, previous: end.previous, repeats: end.repeats })
        })
    }
}

/// The tokens of some segments of a text, and their ends.
pub(crate) fn tokens_of<T: Copy>(
    text: &[T],
    segments: &[Segment],
    token: impl Fn(T) -> Token,
) -> (Vec<Token>, Vec<SegmentEnd>) {
    let mut tokens = Vec::with_capacity(segments.iter().map(|segment| segment.range.len()).sum());
    let mut ends = Vec::with_capacity(segments.len());
    for Segment { range, repeats } in segments {
        tokens.extend(text[range.clone()].iter().map(|&c| token(c)));
        let previous = range.start.checked_sub(1).map(|at| token(text[at]));
        ends.push(SegmentEnd { end: tokens.len(), previous, repeats: *repeats });
    }
    (tokens, ends)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::{Certainty, detect};
    use alloc::string::String;
    use core::fmt::Write;

    #[test]
    fn words_are_counted_whatever_the_numbers_beside_them() {
        let text = b" Bern,17 Basel,20 Bern,42 Bern,5 Basel,31 ";
        let counts = |segments: Vec<Segment>| segments.iter().map(|segment| segment.repeats).collect::<Vec<u64>>();
        assert_eq!(counts(segments(text)), [1, 1, 1, 1, 1, 1]);
        assert_eq!(counts(weighted_segments(text)), [1, 2, 2, 1]);
        assert_eq!(counts(weighted_segments(&b"Uri ".repeat(1 << 12))), [1, 22]);
    }

    /// Each word is read nearly as well in some other encoding, and so are all of them together.
    #[test]
    fn a_table_of_few_words_in_many_languages_is_as_sure_as_a_short_one() {
        let names = ["Grünau", "Cáceres", "Sète", "plain", "Gießen", "Saône", "aïoli", "Ålborg", "Orléans"];
        for rows in [9, 90, 900, 9_000] {
            let mut text = String::from("id,name,near\n");
            for row in 0..rows {
                writeln!(text, "{row},{} {},{}", names[row % 9], row % 89, names[row * 7 % 9]).unwrap();
            }
            let bytes = utfkit_core::Encoding::for_label("windows-1252").unwrap().encode(&text).0;
            let found = detect(&bytes);
            assert_eq!(found.encoding().map(|encoding| encoding.name()), Some("windows-1252"), "{rows} rows: {found}");
            assert!(found.certainty() >= Certainty::Likely, "{rows} rows: {found}");
        }
    }
}
