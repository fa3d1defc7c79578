//! UTF-8 that was read as windows-1252 and encoded again.
//!
//! A *sequence* is two to four characters whose bytes are one character of
//! UTF-8, a *group* as many sequences as follow each other. Groups are undone
//! as a whole, and what they become is looked at in the same way: a layer
//! deeper.

use alloc::string::String;
use alloc::vec::Vec;

use super::fallback::Fallback;
use super::plausible::{Sequence, Verdict, judge};
use crate::encoding::Encoding;
use crate::engine::legacy::Legacy;
use crate::engine::scalar::Decoded;
use crate::engine::scalar::utf8::{decode, is_continuation, unfinished_tail};
use crate::standard::Standard;

/// How often text may have been encoded once too often.
pub(super) const LAYERS: usize = 8;

/// windows-1252, in which a byte that it leaves empty is the control of that
/// number: so it holds ISO-8859-1 too, which differs in nothing but controls.
#[derive(Clone, Debug)]
pub(super) struct Windows1252 {
    /// The characters of 80 to 9F.
    low: [char; 32],
}

impl Windows1252 {
    pub(super) fn new() -> Windows1252 {
        let table = Fallback::new(Encoding::Legacy(Legacy::Windows1252));
        let mut low = ['\0'; 32];
        for (c, byte) in low.iter_mut().zip(0x80..) {
            *c = table.as_ref().map_or(char::from(byte), |table| table.read(byte));
        }
        Windows1252 { low }
    }

    /// The byte from 80 on that was read as `c`.
    #[inline]
    pub(super) fn byte(&self, c: char) -> Option<u8> {
        match u32::from(c) {
            value @ 0x80..=0xFF => Some(value as u8),
            // Œ is the first of the others, ™ the last.
            0x152..=0x2122 => self.low.iter().position(|low| *low == c).map(|at| 0x80 + at as u8),
            _ => None,
        }
    }

    /// What stands there in windows-1252, also if `byte` was read as
    /// ISO-8859-1. The five empty places are controls.
    pub(super) fn character(&self, byte: u8) -> char {
        match byte {
            0x80..=0x9F => self.low[usize::from(byte & 0x1F)],
            _ => byte.into(),
        }
    }

    /// How many bytes of a run stand in front of a place where it can be cut:
    /// no sequence goes on behind it, be it one of a deeper layer.
    pub(super) fn whole(&self, run: &str) -> usize {
        let chars: Vec<char> = run.chars().collect();
        let whole = self.whole_characters(&chars, 0);
        chars[..whole].iter().map(|c| c.len_utf8()).sum()
    }

    fn whole_characters(&self, chars: &[char], layer: usize) -> usize {
        let run = chars.iter().rev().take_while(|c| self.byte(**c).is_some()).count();
        let bytes: Vec<u8> = chars[chars.len() - run..].iter().filter_map(|c| self.byte(*c)).collect();
        let mut end = bytes.len() - unfinished_tail(&bytes);
        // The sequences at the end.
        let (mut at, mut decoded) = (0, Vec::new());
        while at < end {
            match sequence(&bytes[at..end]) {
                Some(sequence) => {
                    at += sequence.bytes.len();
                    decoded.push(sequence.result);
                }
                None => {
                    at += 1;
                    decoded.clear();
                }
            }
        }
        if layer + 1 < LAYERS && !decoded.is_empty() {
            let whole = self.whole_characters(&decoded, layer + 1);
            end -= decoded[whole..].iter().map(|c| c.len_utf8()).sum::<usize>();
        }
        chars.len() - run + end
    }
}

/// Where in well-formed text the first character stands that could begin a
/// sequence: U+00C2 to U+00F4.
pub(super) fn could_begin(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += position(&text[at..], 0xC3)?;
        if matches!(text.get(at + 1), Some(0x82..=0xB4)) {
            return Some(at);
        }
        at += 1;
    }
}

/// Where `byte` is, by blocks: most have none.
fn position(text: &[u8], byte: u8) -> Option<usize> {
    let (blocks, rest) = text.as_chunks::<64>();
    let block = blocks.iter().position(|block| block.iter().fold(false, |found, b| found | (*b == byte)));
    let (from, part) = match block {
        Some(block) => (block * 64, &blocks[block][..]),
        None => (text.len() - rest.len(), rest),
    };
    part.iter().position(|b| *b == byte).map(|at| from + at)
}

/// A part of a run.
pub(super) enum Part<'a> {
    /// Sequences, one behind the other, what they would become, and what speaks
    /// for it.
    Group { text: &'a str, decoded: String, verdict: Verdict },
    /// Characters that belong to no sequence.
    Rest(&'a str),
}

/// Cuts a run into its parts.
pub(super) fn parts<'a>(
    table: &Windows1252,
    run: &'a str,
    before: Option<char>,
    after: Option<char>,
    mut each: impl FnMut(Part<'a>),
) {
    let chars: Vec<char> = run.chars().collect();
    let bytes: Vec<u8> = chars.iter().filter_map(|c| table.byte(*c)).collect();
    if bytes.len() != chars.len() {
        // Not a run.
        return each(Part::Rest(run));
    }
    let broken = is_broken(&bytes, after);
    let side = |at: Option<usize>| at.and_then(|at| chars.get(at).copied());
    let (mut at, mut offset) = (0, 0);
    let mut sequences = Vec::new();
    while at < bytes.len() {
        let start = at;
        sequences.clear();
        while let Some(sequence) = sequence(&bytes[at..]) {
            at += sequence.bytes.len();
            sequences.push(sequence);
        }
        let is_group = at > start;
        while !is_group && at < bytes.len() && sequence(&bytes[at..]).is_none() {
            at += 1;
        }
        let len: usize = chars[start..at].iter().map(|c| c.len_utf8()).sum();
        let text = &run[offset..offset + len];
        offset += len;
        if !is_group {
            each(Part::Rest(text));
            continue;
        }
        let previous = side(start.checked_sub(1)).or(before.filter(|_| start == 0));
        let next = side(Some(at)).or(after.filter(|_| at == bytes.len()));
        let verdict = if broken { Verdict::Never } else { judge(table, &sequences, previous, next) };
        each(Part::Group { text, decoded: sequences.iter().map(|sequence| sequence.result).collect(), verdict });
    }
}

/// The sequence at the front of a run.
fn sequence(bytes: &[u8]) -> Option<Sequence<'_>> {
    match bytes.first()? {
        0xC2..=0xF4 => match decode(bytes, Standard::Rfc3629) {
            Decoded::Value { value, len } => Some(Sequence { bytes: &bytes[..len], result: char::from_u32(value)? }),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a sequence of the run has lost a byte: a first one with some of its
/// others, but not all. Then the rest is no evidence of anything.
fn is_broken(bytes: &[u8], after: Option<char>) -> bool {
    let mut at = 0;
    while at < bytes.len() {
        match sequence(&bytes[at..]) {
            Some(sequence) => at += sequence.bytes.len(),
            None => {
                let behind = bytes.get(at + 1);
                let cut = behind.is_none() && after == Some(char::REPLACEMENT_CHARACTER);
                if matches!(bytes[at], 0xC2..=0xF4) && (cut || behind.is_some_and(|byte| is_continuation(*byte))) {
                    return true;
                }
                at += 1;
            }
        }
    }
    false
}

/// Cuts text into runs and what is between them. `each` gets a part, whether
/// it is a run, and the characters on both sides.
pub(super) fn runs<'a>(
    table: &Windows1252,
    text: &'a str,
    before: Option<char>,
    after: Option<char>,
    mut each: impl FnMut(&'a str, bool, Option<char>, Option<char>),
) {
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let is_run = table.byte(first).is_some();
        let rest = &text[at..];
        let len = rest.find(|c| table.byte(c).is_some() != is_run).unwrap_or(rest.len());
        let previous = text[..at].chars().next_back().or(before);
        let next = rest[len..].chars().next().or(after);
        each(&rest[..len], is_run, previous, next);
        at += len;
    }
}
