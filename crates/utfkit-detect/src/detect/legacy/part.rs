//! A part of the sample, prepared for all candidates.
//!
//! Most encodings read US-ASCII the same, and text repeats itself. So a part is
//! split into segments, a word and the white space after it: US-ASCII segments are
//! scored once for all encodings, and each distinct other one once per reading.

use alloc::vec::Vec;

use super::tokens::ascii_tokens;
use crate::detect::controls::count;
use crate::model::{AsciiText, Kind, SegmentEnd, Segments, Token, Unigrams, tokens_of, weighted_segments};

/// A set of byte values.
#[derive(Clone, Debug)]
pub(in crate::detect) struct ByteSet([bool; 256]);

impl ByteSet {
    pub(super) fn empty() -> ByteSet {
        ByteSet([false; 256])
    }

    pub(in crate::detect) fn of(bytes: &[u8]) -> ByteSet {
        let mut set = ByteSet::empty();
        set.add(bytes);
        set
    }

    pub(super) fn add(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0[usize::from(byte)] = true);
    }

    pub(in crate::detect) fn contains(&self, byte: u8) -> bool {
        self.0[usize::from(byte)]
    }

    pub(super) fn contains_any(&self, range: core::ops::RangeInclusive<u8>) -> bool {
        range.into_iter().any(|byte| self.contains(byte))
    }

    fn iter(&self) -> impl Iterator<Item = u8> {
        (0..=255).filter(|&byte| self.contains(byte))
    }
}

/// The byte values of the stream and of the sample.
pub(super) struct Bytes {
    /// Of the stream, from 80.
    pub(super) non_ascii: Vec<u8>,
    /// Of the stream, below 80.
    pub(super) ascii: Vec<u8>,
    pub(super) in_sample: ByteSet,
    /// How many bytes of the sample are above 7F.
    pub(super) non_ascii_count: usize,
    /// Those, as far as they are evidence: each value twice at most.
    pub(super) evidence: usize,
    /// True if an encoding is declared, and none of these bytes is next to a letter or to another of them.
    pub(super) are_alone: bool,
}

impl Bytes {
    pub(super) fn new(sample: &[u8], stream: &ByteSet, is_declared: bool) -> Bytes {
        let (ascii, non_ascii): (Vec<u8>, Vec<u8>) = stream.iter().partition(u8::is_ascii);
        let non_ascii_count = count(sample, |byte| !byte.is_ascii());
        let in_sample = ByteSet::of(sample);
        let kinds = non_ascii.iter().filter(|byte| in_sample.contains(**byte)).count();
        Bytes {
            evidence: non_ascii_count.min(2 * kinds),
            non_ascii,
            ascii,
            in_sample,
            non_ascii_count,
            are_alone: is_declared && are_alone(sample),
        }
    }
}

fn are_alone(sample: &[u8]) -> bool {
    let may_be_letter = |byte: &u8| !byte.is_ascii() || byte.is_ascii_alphabetic();
    let words = sample.chunk_by(|a, b| may_be_letter(a) && may_be_letter(b));
    words.filter(|word| !word.is_ascii()).all(|word| word.len() == 1)
}

pub(super) struct Part<'a> {
    pub(super) bytes: &'a [u8],
    counts: [u32; 256],
    /// Byte values from 80.
    pub(super) non_ascii: Vec<u8>,
    /// Byte values below 80.
    pub(super) ascii: Vec<u8>,
    /// The distinct segments with a byte from 80, concatenated.
    pub(super) mixed: Vec<u8>,
    pub(super) mixed_ends: Vec<SegmentEnd>,
    /// The segments in US-ASCII.
    pub(super) ascii_text: AsciiText,
    /// Of those segments.
    pub(super) ascii_text_unigrams: Unigrams,
    /// For encodings that read no segment as US-ASCII.
    pub(super) no_ascii_text: AsciiText,
    /// Of all bytes below 80.
    pub(super) ascii_unigrams: Unigrams,
    pub(super) ascii_tokens: [Token; 256],
}

impl<'a> Part<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Part<'a> {
        let mut counts = [0; 256];
        bytes.iter().for_each(|&byte| counts[usize::from(byte)] += 1);
        let (ascii, non_ascii): (Vec<u8>, Vec<u8>) =
            (0..=255).filter(|&byte| counts[usize::from(byte)] > 0).partition(u8::is_ascii);
        let ascii_tokens = ascii_tokens();
        let token = |byte: u8| ascii_tokens[usize::from(byte)];
        let unigrams = |counts: &[u32; 256]| {
            let mut unigrams = Unigrams::none();
            ascii.iter().for_each(|&byte| unigrams.add(token(byte), counts[usize::from(byte)]));
            unigrams
        };
        let mut of_ascii = weighted_segments(bytes);
        let others: Vec<_> = of_ascii.extract_if(.., |segment| !bytes[segment.range.clone()].is_ascii()).collect();
        let mixed: Vec<u8> = others.iter().flat_map(|segment| &bytes[segment.range.clone()]).copied().collect();
        let mut ascii_text_counts = [0; 256];
        for segment in &of_ascii {
            let repeats = u32::try_from(segment.repeats).unwrap_or(u32::MAX);
            bytes[segment.range.clone()].iter().for_each(|&byte| ascii_text_counts[usize::from(byte)] += repeats);
        }
        let (mut end, mut mixed_ends) = (0, Vec::with_capacity(others.len()));
        for segment in &others {
            end += segment.range.len();
            let previous = segment.range.start.checked_sub(1).map(|at| token(bytes[at]));
            mixed_ends.push(SegmentEnd { end, previous, repeats: segment.repeats });
        }
        let (tokens, ends) = tokens_of(bytes, &of_ascii, token);
        Part {
            bytes,
            counts,
            mixed,
            mixed_ends,
            ascii_text: AsciiText::of(Segments { tokens: &tokens, ends: &ends }),
            ascii_text_unigrams: unigrams(&ascii_text_counts),
            no_ascii_text: AsciiText::empty(),
            ascii_unigrams: unigrams(&counts),
            ascii_tokens,
            non_ascii,
            ascii,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn count(&self, byte: u8) -> u32 {
        self.counts[usize::from(byte)]
    }

    /// How many bytes from 80 count where each repetition says less than the one before: the sum
    /// of the binary logarithms of their numbers, and 1 for each.
    pub(super) fn distinct_evidence(&self) -> u64 {
        self.non_ascii.iter().map(|&byte| 1 + u64::from(self.count(byte).max(1).ilog2())).sum()
    }

    /// The segment ends in the mixed segments as a multibyte encoding reads them:
    /// none of these has white space within a character.
    pub(super) fn mixed_ends_in(&self, tokens: &[Token]) -> Vec<SegmentEnd> {
        let is_white = |token: &Token| {
            (token.is_of(Kind::Between) || token.is_odd()) && !token.is_non_ascii() && token.number() <= b' '
        };
        let mut end = 0;
        let ends = self.mixed_ends.iter().map(|segment| {
            end += tokens[end..].iter().position(is_white).unwrap_or(tokens.len() - end);
            end += tokens[end..].iter().position(|token| !is_white(token)).unwrap_or(tokens.len() - end);
            SegmentEnd { end, previous: segment.previous, repeats: segment.repeats }
        });
        ends.collect()
    }
}
