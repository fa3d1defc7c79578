//! Lines that are hardly text in an older encoding, and their gains in others.

use alloc::vec::Vec;
use core::cell::RefCell;

use super::frequencies::Frequencies;
use super::legacy::{ascii_tokens, is_text, tokens};
use super::line_costs::{beyond_ascii, characters, is_by_byte};
use crate::hashes::{Hashes, hash_of};
use crate::model::{BIT, Evaluation, Letters, Token, Tokens, Unigrams};
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
    /// The distinct bytes from 80, and how often each occurs.
    beyond_ascii: Vec<u8>,
    counts: Vec<u32>,
    /// The tokens of US-ASCII, and of the rest in the last encoding that the line was read in.
    tokens: RefCell<Tokens>,
    /// Of US-ASCII.
    unigrams: Unigrams,
    /// The gains in the encodings that it was read in.
    gains: RefCell<Vec<Gain>>,
}

/// The gain of a line with these characters over a least one.
struct Gain {
    characters: Vec<char>,
    least: u64,
    /// `None` if it is less.
    gain: Option<u64>,
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
    let by_byte = is_by_byte(encoding).then(|| tokens(encoding));
    let tokens_of = |words: &[u8]| match by_byte {
        Some(by_byte) => Tokens::of_words(words, |byte| by_byte[usize::from(byte)]),
        None => None,
    };
    let lines: Vec<(Vec<u8>, Tokens)> = lines
        .into_iter()
        .filter(is_unusual)
        .map(|bytes| {
            let tokens = tokens_of(&bytes).unwrap_or_else(|| Tokens::of(&chars(encoding, &bytes)));
            (bytes, tokens)
        })
        .collect();
    let mut letters = Letters::default();
    lines.iter().for_each(|(_, tokens)| letters.add(tokens));
    let languages = letters.languages();
    let is_odd = |evaluation: &Evaluation| evaluation.penalty >= i64::from(ODD * BIT);
    let odd = lines.into_iter().filter_map(|(bytes, tokens)| {
        // Most lines are ordinary text in the language of all.
        tokens.evaluate_if(languages, is_odd).map(|evaluation| OddLine::new(bytes, &evaluation))
    });
    odd.collect()
}

impl OddLine {
    fn new(bytes: Vec<u8>, evaluation: &Evaluation) -> OddLine {
        let ascii = ascii_tokens();
        let tokens = Tokens::of_words(&bytes, |byte| Some(ascii[usize::from(byte)])).unwrap_or_default();
        let mut counts = [0; 256];
        bytes.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
        let beyond_ascii: Vec<u8> = (0x80..=0xFF).filter(|byte| counts[usize::from(*byte)] > 0).collect();
        OddLine {
            counts: beyond_ascii.iter().map(|byte| counts[usize::from(*byte)]).collect(),
            beyond_ascii,
            unigrams: tokens.unigrams(),
            tokens: RefCell::new(tokens),
            bytes,
            score: evaluation.score,
            penalty: evaluation.penalty,
            gains: RefCell::default(),
        }
    }

    /// The gain of the line in `encoding`. Repeated characters gain nothing, and neither does a line that is
    /// ill-formed or no ordinary text, or gains no more than by chance, or less than `least`.
    pub(super) fn gain_in(&self, encoding: Encoding, least: u64) -> u64 {
        let bytes = if is_by_byte(encoding) { &self.beyond_ascii } else { &self.bytes };
        let Some(characters) = characters(bytes, encoding) else { return 0 };
        // Most encodings read it as another one does.
        let mut gains = self.gains.borrow_mut();
        let is_known = |known: &&Gain| known.least == least || (known.least < least && known.gain.is_none());
        if let Some(known) = gains.iter().find(|known| is_known(known) && known.characters == characters) {
            return known.gain.unwrap_or(0);
        }
        let gain = self.gain_of(encoding, &characters, least);
        gains.push(Gain { characters, least, gain });
        gain.unwrap_or(0)
    }

    /// `characters` are those of the bytes beyond US-ASCII, or of the whole line if the encoding is not by byte. `None`
    /// if the gain is less than `least`.
    #[inline(never)]
    fn gain_of(&self, encoding: Encoding, characters: &[char], least: u64) -> Option<u64> {
        let is_by_byte = is_by_byte(encoding);
        let beyond_ascii = characters.iter().enumerate().filter(|(_, c)| !c.is_ascii());
        let len = beyond_ascii.clone().map(|(at, _)| if is_by_byte { self.counts[at].into() } else { 1 }).sum::<u64>();
        let mut distinct: Vec<char> = beyond_ascii.map(|(_, c)| *c).collect();
        distinct.sort_unstable();
        distinct.dedup();
        let distinct = distinct.len() as u64;
        // Repeated characters gain nothing, so the score has to be lower by this much.
        let least = (least.max(CHANCE * u64::from(BIT)) * len).div_ceil(distinct.max(1));
        let most = self.score.checked_sub(least)?;
        let evaluation = if is_by_byte {
            let mut by_byte = [Token::ILL_FORMED; 256];
            for (byte, c) in self.beyond_ascii.iter().zip(characters) {
                by_byte[usize::from(*byte)] = Token::of(*c);
            }
            let mut tokens = self.tokens.borrow_mut();
            tokens.replace(&self.bytes, |byte| by_byte[usize::from(byte)]);
            tokens.evaluate_within(most, &|| {
                let mut unigrams = self.unigrams.clone();
                for (byte, count) in self.beyond_ascii.iter().zip(&self.counts) {
                    unigrams.add(by_byte[usize::from(*byte)], *count);
                }
                unigrams.ranked().languages
            })?
        } else {
            let tokens = Tokens::of(characters);
            tokens.evaluate_within(most, &|| tokens.unigrams().ranked().languages)?
        };
        let is_better = 2 * evaluation.penalty <= self.penalty && is_text(encoding, &evaluation);
        if 2 * evaluation.letters <= evaluation.distinct || !is_better {
            return Some(0);
        }
        Some((self.score - evaluation.score) * distinct / len.max(1))
    }
}

#[inline(never)]
pub(super) fn chars(encoding: Encoding, bytes: &[u8]) -> Vec<char> {
    encoding.decode_without_bom_handling(bytes).0.chars().collect()
}

#[cfg(test)]
mod tests {
    use super::super::legacy::guessable;
    use super::*;

    /// A line keeps tokens and gains from one encoding to the next.
    #[test]
    fn a_gain_is_the_same_whatever_the_line_was_read_in_before() {
        let [first, other] = ["windows-1251", "IBM866"].map(|name| Encoding::for_label(name).unwrap());
        let known = first.encode("Музей закрыт по вторникам и в праздники.\n").0;
        let odd = other.encode("Наша собака боится грозы и прячется под столом.\n").0;
        let text = [&*known, &*odd].concat();
        let lines = || odd_lines(&text, first);
        let used = lines();
        let mut gains = Vec::new();
        for encoding in guessable().chain(guessable()).map(|guessable| guessable.encoding) {
            for least in [0, 20 * u64::from(BIT)] {
                for (line, other) in used.iter().zip(lines()) {
                    let gain = line.gain_in(encoding, least);
                    assert_eq!(gain, other.gain_in(encoding, least), "{encoding} {least}");
                    gains.push(gain);
                }
            }
        }
        assert!(gains.contains(&0) && gains.iter().any(|gain| *gain > 20 * u64::from(BIT)), "{gains:?}");
    }
}
