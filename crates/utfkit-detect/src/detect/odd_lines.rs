//! Lines that are hardly text in an older encoding, and their gains in others.

use alloc::vec::Vec;
use core::cell::RefCell;

use super::frequencies::Frequencies;
use super::legacy::{is_text, token};
use super::line_costs::{beyond_ascii, characters, is_by_byte};
use super::pool::bytes_beyond_ascii;
use crate::hashes::{Hashes, hash_of};
use crate::model::{BIT, Evaluation, Letters, Tokens};
use utfkit_core::Encoding;

/// A line gains as much by chance in one of many encodings.
pub(super) const CHANCE: u64 = 5;
/// The least penalty of a line that may be in another encoding, in bits.
const ODD: u32 = 11;
/// In a longer text, lines with the usual bytes are not scored.
const FEW_LINES: usize = 12;

/// A line that is hardly text in the encoding of most of the file.
pub(super) struct OddLine {
    pub(super) bytes: Vec<u8>,
    score: u64,
    /// By how much its score exceeds the score of ordinary text, in sixteenths of a bit.
    pub(super) penalty: i64,
    /// The distinct bytes from 80.
    beyond_ascii: Vec<u8>,
    /// The gains of its texts over a least one.
    gains: RefCell<Vec<(Vec<char>, u64, u64)>>,
}

/// The lines that are hardly text in `encoding`, as their words beyond US-ASCII that no line before has.
pub(super) fn odd_lines(text: &[u8], encoding: Encoding) -> Vec<OddLine> {
    let mut known = Hashes::default();
    let lines = text.split(|byte| matches!(byte, b'\n' | b'\r')).filter(|line| !line.is_ascii());
    let lines =
        lines.map(|line| beyond_ascii(line, |word| known.insert(hash_of(word)))).filter(|line| !line.is_empty());
    let lines: Vec<Vec<u8>> = lines.collect();
    // One line is all of the text.
    if lines.len() < 2 {
        return Vec::new();
    }
    let usual = (lines.len() > FEW_LINES).then(|| Frequencies::of(&lines));
    let is_unusual = |line: &Vec<u8>| usual.as_ref().is_none_or(|usual| usual.is_unusual(line));
    let lines: Vec<(Vec<u8>, Tokens)> = lines
        .into_iter()
        .filter(is_unusual)
        .map(|bytes| {
            let tokens = tokens(encoding, &bytes);
            (bytes, tokens)
        })
        .collect();
    let mut letters = Letters::default();
    lines.iter().for_each(|(_, tokens)| letters.add(tokens));
    let languages = letters.languages();
    let is_odd = |evaluation: &Evaluation| evaluation.penalty >= i64::from(ODD * BIT);
    let odd = lines.into_iter().filter_map(|(bytes, tokens)| {
        // Most lines are ordinary text in the language of all.
        let evaluation = Some(tokens.evaluate_in(languages)).filter(is_odd).map(|_| tokens.evaluate())?;
        is_odd(&evaluation).then(|| OddLine {
            beyond_ascii: bytes_beyond_ascii(&bytes),
            bytes,
            score: evaluation.score,
            penalty: evaluation.penalty,
            gains: RefCell::default(),
        })
    });
    odd.collect()
}

/// The text of distinct words, each with a space after it.
fn tokens(encoding: Encoding, words: &[u8]) -> Tokens {
    well_formed_tokens(encoding, words).unwrap_or_else(|| Tokens::of(&chars(encoding, words)))
}

fn well_formed_tokens(encoding: Encoding, words: &[u8]) -> Option<Tokens> {
    if is_by_byte(encoding) {
        return Tokens::of_words(words, |byte| token(encoding, byte));
    }
    let (text, is_ill_formed) = encoding.decode_without_bom_handling(words);
    (!is_ill_formed).then(|| Tokens::of(&text.chars().collect::<Vec<char>>()))
}

impl OddLine {
    /// The gain of the line in `encoding`. Repeated characters gain nothing, and neither does a line that is
    /// ill-formed or no ordinary text, or gains no more than by chance, or less than `least`.
    pub(super) fn gain_in(&self, encoding: Encoding, least: u64) -> u64 {
        let bytes = if is_by_byte(encoding) { &self.beyond_ascii } else { &self.bytes };
        let Some(characters) = characters(bytes, encoding) else { return 0 };
        // Most encodings read it as another one does.
        let mut gains = self.gains.borrow_mut();
        if let Some((.., gain)) = gains.iter().find(|(known, with, _)| *with == least && *known == characters) {
            return *gain;
        }
        let gain = self.gain_of(encoding, least).unwrap_or(0);
        gains.push((characters, least, gain));
        gain
    }

    #[inline(never)]
    fn gain_of(&self, encoding: Encoding, least: u64) -> Option<u64> {
        let tokens = well_formed_tokens(encoding, &self.bytes)?;
        let most = self.score.saturating_sub(least.max(CHANCE * u64::from(BIT)));
        let evaluation = tokens.evaluate_within(most)?;
        let is_better = 2 * evaluation.penalty <= self.penalty && is_text(encoding, &evaluation);
        if 2 * evaluation.letters <= evaluation.distinct || !is_better {
            return None;
        }
        let mut characters = chars(encoding, &self.bytes);
        characters.retain(|c| !c.is_ascii());
        let len = characters.len() as u64;
        characters.sort_unstable();
        characters.dedup();
        Some((self.score - evaluation.score) * characters.len() as u64 / len.max(1))
    }
}

#[inline(never)]
pub(super) fn chars(encoding: Encoding, bytes: &[u8]) -> Vec<char> {
    encoding.decode_without_bom_handling(bytes).0.chars().collect()
}
