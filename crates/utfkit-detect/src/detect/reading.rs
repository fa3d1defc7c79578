//! A sample as each encoding reads it.
//!
//! Most encodings read the US-ASCII of a text the same, and text repeats itself: a part of
//! the sample is taken apart into *pieces*, a piece being what stands between white space, with
//! that. Pieces in US-ASCII are weighed once, and others once for each reading of
//! them, however often they are there.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cell::Cell;
use core::sync::atomic::{AtomicU32, Ordering};

use super::candidates::{is_ebcdic, is_single_byte, own_script};
use super::guess::{Measure, Seen, Stream, undeclared};
use crate::likelihood::{
    BIT, Cost, Cut, Kind, Languages, Letters, Likelihood, Meaning, Pieces, Plain, Script, Tally, Text, Token, pieces,
    tokens_of,
};
use utfkit_core::Encoding;
use utfkit_core::Legacy;
use utfkit_core::internal::Ibm437;
use utfkit_core::internal::{Decoded, Form};

/// A byte of the stream that is not in the sample and that no text has.
const ODD: u64 = 22 * BIT as u64;

/// What ill-formed bytes elsewhere cost, up to so many of them.
const MANY: u64 = 8;
/// A character cut by the end.
const CUT: u16 = 6 * BIT as u16;

/// Text in another script than the one that the encoding was made for, in bits.
const OTHER_SCRIPT: u32 = 6;
/// And Latin text in an encoding for another one.
const LATIN_ELSEWHERE: u32 = 12;

/// What an ideograph costs, roughly.
const ABOUT: u64 = 8 * BIT as u64;

/// The character that a byte is in an encoding with a byte a character.
pub(super) fn character(encoding: Encoding, byte: u8) -> Option<char> {
    let value = match encoding {
        Encoding::Legacy(legacy) => legacy.value(byte)?,
        Encoding::Ibm437 => match Ibm437::decode(&[byte]) {
            Decoded::Value { value, .. } => value,
            _ => return None,
        },
        _ => byte.into(),
    };
    char::from_u32(value)
}

/// What bytes from 80 on are, each once it was asked for.
static ABOVE: [[AtomicU32; 128]; Legacy::ALL.len() + 2] =
    [const { [const { AtomicU32::new(UNKNOWN) }; 128] }; Legacy::ALL.len() + 2];

/// Nobody has asked for it yet.
const UNKNOWN: u32 = 0;
/// The byte is not a character.
const NOTHING: u32 = u32::MAX;

/// What is known of the bytes from 80 on in an encoding with a byte a character.
fn row(encoding: Encoding) -> &'static [AtomicU32; 128] {
    &ABOVE[match encoding {
        Encoding::Legacy(legacy) => legacy as usize,
        Encoding::Ibm437 => Legacy::ALL.len(),
        _ => Legacy::ALL.len() + 1,
    }]
}

/// The token of a byte from 80 on.
#[inline]
fn token_above(encoding: Encoding, row: &[AtomicU32; 128], byte: u8) -> Option<Token> {
    let entry = &row[usize::from(byte & 0x7F)];
    // Whoever fills it in twice writes the same: no order is needed.
    let mut bits = entry.load(Ordering::Relaxed);
    if bits == UNKNOWN {
        bits = character(encoding, byte).map_or(NOTHING, |c| Token::of(c).to_bits());
        entry.store(bits, Ordering::Relaxed);
    }
    (bits != NOTHING).then_some(Token::from_bits(bits))
}

/// The token of a character of EBCDIC. NEXT LINE ends lines. National EBCDIC has
/// letters where these signs are.
fn token_of_ebcdic(c: char) -> Token {
    match c {
        '\u{85}' => Token::of('\n'),
        '#' | '@' | '$' | '{' | '}' | '[' | ']' | '\\' | '|' | '~' | '!' | '^' | '`' => Token::national(),
        c => Token::of(c),
    }
}

/// What each byte is, in US-ASCII; those above are for the encodings to fill in.
fn ascii() -> [Token; 256] {
    core::array::from_fn(|byte| if byte < 0x80 { Token::of(char::from(byte as u8)) } else { Token::ILL_FORMED })
}

/// The bytes that occur.
pub(super) struct Bytes {
    /// In the stream, above 7F and below.
    above: Vec<u8>,
    below: Vec<u8>,
    in_sample: Seen,
}

impl Bytes {
    pub(super) fn new(sample: &[u8], stream: &Stream<'_>) -> Bytes {
        let (below, above) = stream.seen.bytes().partition(u8::is_ascii);
        Bytes { above, below, in_sample: Seen::of(sample) }
    }
}

/// A part of the sample.
pub(super) struct Part<'a> {
    bytes: &'a [u8],
    /// How often each byte is there.
    counts: [u32; 256],
    /// Those from 80 on that are, and those below.
    above: Vec<u8>,
    below: Vec<u8>,
    /// The bytes of different pieces that are not in US-ASCII, in the order in which these
    /// are met.
    not_plain: Vec<u8>,
    cuts: Vec<Cut>,
    /// The others, and their letters.
    plain: Plain,
    plain_letters: Letters,
    nothing: Plain,
    /// All letters of US-ASCII.
    letters: Letters,
    ascii: [Token; 256],
}

impl<'a> Part<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Part<'a> {
        let mut counts = [0; 256];
        bytes.iter().for_each(|&byte| counts[usize::from(byte)] += 1);
        let (below, above): (Vec<u8>, Vec<u8>) =
            (0..=255).filter(|&byte| counts[usize::from(byte)] > 0).partition(u8::is_ascii);
        let ascii = ascii();
        let token = |byte: u8| ascii[usize::from(byte)];
        let letters = letters_of(&counts, &ascii, &below);
        let mut plain = pieces(bytes);
        let others: Vec<_> = plain.extract_if(.., |piece| !bytes[piece.at.clone()].is_ascii()).collect();
        let not_plain: Vec<u8> = others.iter().flat_map(|piece| &bytes[piece.at.clone()]).copied().collect();
        let mut plain_letters = counts;
        let (mut end, mut cuts) = (0, Vec::with_capacity(others.len()));
        for piece in &others {
            let times = u32::try_from(piece.times).unwrap_or(u32::MAX);
            let piece_bytes = &bytes[piece.at.clone()];
            piece_bytes.iter().for_each(|&byte| plain_letters[usize::from(byte)] -= times);
            end += piece_bytes.len();
            let before = piece.at.start.checked_sub(1).map(|before| token(bytes[before]));
            cuts.push(Cut { end, before, times: piece.times });
        }
        let plain_letters = letters_of(&plain_letters, &ascii, &below);
        let (tokens, plain_cuts) = tokens_of(bytes, &plain, token);
        let plain = Plain::of(Pieces { tokens: &tokens, cuts: &plain_cuts });
        let nothing = Plain::none();
        Part { bytes, counts, above, below, not_plain, cuts, plain, plain_letters, nothing, letters, ascii }
    }

    fn count(&self, byte: u8) -> u32 {
        self.counts[usize::from(byte)]
    }
}

/// The letters that some bytes are, by how often each is there.
fn letters_of(counts: &[u32; 256], table: &[Token; 256], bytes: &[u8]) -> Letters {
    let mut letters = Letters::none();
    bytes.iter().for_each(|&byte| letters.add(table[usize::from(byte)], counts[usize::from(byte)]));
    letters
}

/// Where the pieces of a part end in an encoding with longer characters: none of those
/// reaches past white space, and none of the bytes of that is in a longer one.
fn cuts_of(part: &Part<'_>, tokens: &[Token]) -> Vec<Cut> {
    let is_white =
        |token: &Token| (token.is_of(Kind::Between) || token.is_odd()) && !token.is_above() && token.number() <= b' ';
    let mut end = 0;
    let cut = |cut: &Cut| {
        end += tokens[end..].iter().position(is_white).unwrap_or(tokens.len() - end);
        end += tokens[end..].iter().position(|token| !is_white(token)).unwrap_or(tokens.len() - end);
        Cut { end, before: cut.before, times: cut.times }
    };
    part.cuts.iter().map(cut).collect()
}

/// How an encoding reads bytes.
enum Read {
    /// US-ASCII, and these for the bytes above it that the stream has; of those the ones
    /// that the part has.
    Ascii(Vec<Token>, Vec<Token>),
    /// A byte a character, in some other way.
    Table(Box<[Token; 256]>),
    /// Characters of several bytes: what the pieces are that are not in US-ASCII, and where
    /// they end.
    Longer(Vec<Token>, Vec<Cut>),
}

/// A candidate.
pub(super) struct Candidate {
    pub(super) encoding: Encoding,
    /// What it costs in advance, and for what is not in the sample, as far as that is known.
    before: Cell<u64>,
    /// Whether it is known how much of the stream is ill-formed, and that this is not too much.
    is_possible: Cell<Option<bool>>,
    /// And the part, roughly.
    pub(super) about: u64,
    /// The first candidate that reads the part the same, or itself.
    pub(super) like: usize,
    read: Read,
    languages: Languages,
}

impl Candidate {
    /// A candidate, if all bytes can be in that encoding.
    pub(super) fn new(encoding: Encoding, prior: u32, bytes: &Bytes, stream: &Stream<'_>) -> Option<Candidate> {
        let mut before = u64::from(prior * BIT)
            + match stream.declared {
                Some(declared) if declared == encoding => 0,
                None => 0,
                Some(declared) => undeclared(declared),
            };
        let read = if is_single_byte(encoding) {
            let mut above = Vec::with_capacity(bytes.above.len());
            let row = row(encoding);
            for &byte in &bytes.above {
                let token = token_above(encoding, row, byte)?;
                before += if token.is_odd() && !bytes.in_sample.has_byte(byte) { ODD } else { 0 };
                above.push(token);
            }
            let is_ascii = |byte: &u8| character(encoding, *byte) == Some(char::from(*byte));
            let is_like_ascii = match encoding {
                Encoding::Legacy(legacy) => legacy.is_ascii_compatible(),
                _ => true,
            };
            if is_like_ascii || (!is_ebcdic(encoding) && bytes.below.iter().all(is_ascii)) {
                Read::Ascii(above, Vec::new())
            } else {
                let mut table = Box::new([Token::ILL_FORMED; 256]);
                for &byte in bytes.above.iter().chain(&bytes.below) {
                    let c = character(encoding, byte)?;
                    table[usize::from(byte)] = if is_ebcdic(encoding) { token_of_ebcdic(c) } else { Token::of(c) };
                }
                Read::Table(table)
            }
        } else {
            if !(stream.may_be)(encoding) {
                return None;
            }
            Read::Longer(Vec::new(), Vec::new())
        };
        let is_possible = Cell::new(if matches!(read, Read::Longer(..)) { None } else { Some(true) });
        let (before, languages) = (Cell::new(before), Languages::default());
        Some(Candidate { encoding, before, is_possible, about: 0, like: 0, read, languages })
    }

    /// What it costs beside the text, at the least.
    pub(super) fn before(&self) -> u64 {
        self.before.get()
    }

    /// Whether the stream can be in the encoding. That takes so long that it is asked only
    /// where the sample speaks for it; afterwards all is known of what it costs beside the text.
    pub(super) fn is_possible(&self, stream: &Stream<'_>) -> bool {
        self.is_possible.get().unwrap_or_else(|| {
            let ill_formed = (stream.ill_formed)(self.encoding);
            self.is_possible.set(Some(ill_formed.is_some()));
            self.before.set(self.before() + ill_formed.unwrap_or(0).min(MANY) * ODD);
            ill_formed.is_some()
        })
    }

    /// Reads a part of the sample as the candidate of number `at`. `is_cut`: it ends where the
    /// text does not. `others` have read it before, perhaps the same.
    pub(super) fn read(
        &mut self,
        at: usize,
        part: &Part<'_>,
        bytes: &Bytes,
        is_cut: bool,
        others: &[Candidate],
        alive: &[usize],
    ) {
        let others = alive.iter().map(|&at| (at, &others[at]));
        self.like = at;
        let cost = |token: Token, times: u32| match token.meaning() {
            // Those of a line are cheap.
            Meaning::Sign { kind: Kind::Frame, .. } => u64::from(2 * BIT * times),
            Meaning::Sign { cost, .. } => u64::from(cost) * u64::from(times),
            Meaning::Wide(_) => ABOUT * u64::from(times),
            Meaning::Letter { .. } => 0,
        };
        let (mut letters, mut about) = (Letters::none(), 0);
        match &mut self.read {
            Read::Ascii(above, here) => {
                here.clear();
                here.reserve(part.above.len());
                let with_bytes = bytes.above.iter().zip(above);
                here.extend(with_bytes.filter(|(byte, _)| part.count(**byte) > 0).map(|(_, token)| *token));
                let is_same =
                    |(_, other): &(usize, &Candidate)| matches!(&other.read, Read::Ascii(_, there) if there == here);
                if let Some((like, same)) = others.filter(|(at, other)| other.like == *at).find(is_same) {
                    (self.like, self.languages, self.about) = (like, same.languages, same.about);
                    return;
                }
                letters.clone_from(&part.letters);
                for (&byte, &token) in part.above.iter().zip(&*here) {
                    letters.add(token, part.count(byte));
                    about += cost(token, part.count(byte));
                }
            }
            Read::Table(table) => {
                for &byte in part.above.iter().chain(&part.below) {
                    let token = table[usize::from(byte)];
                    letters.add(token, part.count(byte));
                    about += cost(token, part.count(byte));
                }
            }
            Read::Longer(tokens, cuts) => {
                let (text, _) = self.encoding.decode(&part.not_plain);
                let token = |c| if c == char::REPLACEMENT_CHARACTER { Token::ILL_FORMED } else { Token::of(c) };
                tokens.clear();
                tokens.extend(text.chars().map(token));
                let is_wide = |tokens: &[Token]| tokens.iter().filter(|token| token.is_wide()).count() > 2;
                if tokens.last() == Some(&Token::ILL_FORMED) && is_wide(tokens) {
                    tokens.pop();
                    if !is_cut {
                        tokens.push(Token::cut(CUT));
                    }
                }
                let is_same =
                    |(_, other): &(usize, &Candidate)| matches!(&other.read, Read::Longer(there, _) if there == tokens);
                if let Some((like, same)) = others.filter(|(at, other)| other.like == *at).find(is_same) {
                    (self.like, self.languages, self.about) = (like, same.languages, same.about);
                    *cuts = cuts_of(part, tokens);
                    return;
                }
                letters.clone_from(&part.plain_letters);
                let mut tally = Tally::none();
                *cuts = cuts_of(part, tokens);
                for (tokens, _, times) in (Pieces { tokens, cuts }).each() {
                    let times = u32::try_from(times).unwrap_or(u32::MAX);
                    for token in tokens {
                        tally.add(*token, times);
                        about += cost(*token, times);
                    }
                }
                letters.add_all(&tally);
            }
        }
        let (languages, least) = letters.languages();
        self.languages = languages;
        let plain = if matches!(self.read, Read::Table(_)) { 0 } else { part.plain.common() };
        self.about = about + least + plain;
    }

    /// Whether another one reads the part the same.
    pub(super) fn reads_the_same(&self, other: &Candidate, part: &Part<'_>) -> bool {
        match (&self.read, &other.read) {
            (Read::Ascii(..), Read::Ascii(..)) | (Read::Longer(..), Read::Longer(..)) => self.like == other.like,
            (Read::Longer(tokens, _), _) => other.is(part, tokens),
            (_, Read::Longer(tokens, _)) => self.is(part, tokens),
            _ => part.above.iter().chain(&part.below).all(|&byte| self.token(part, byte) == other.token(part, byte)),
        }
    }

    /// Whether another one that reads the part the same does so with all bytes of the stream.
    pub(super) fn reads_alike(&self, other: &Candidate, bytes: &Bytes) -> bool {
        let is_same = |byte: &u8| character(self.encoding, *byte) == character(other.encoding, *byte);
        match (&self.read, &other.read) {
            (Read::Longer(..), _) | (_, Read::Longer(..)) => true,
            (Read::Ascii(here, _), Read::Ascii(there, _)) => here == there && bytes.above.iter().all(is_same),
            _ => bytes.above.iter().chain(&bytes.below).all(is_same),
        }
    }

    /// Whether it reads the part, a byte a character, as these.
    fn is(&self, part: &Part<'_>, tokens: &[Token]) -> bool {
        tokens.len() == part.not_plain.len()
            && part.not_plain.iter().zip(tokens).all(|(&byte, token)| self.token(part, byte) == Some(*token))
            && part.below.iter().all(|&byte| self.token(part, byte) == Some(part.ascii[usize::from(byte)]))
    }

    /// What a byte of the part is, if each is a character.
    fn token(&self, part: &Part<'_>, byte: u8) -> Option<Token> {
        match &self.read {
            Read::Ascii(..) if byte < 0x80 => Some(part.ascii[usize::from(byte)]),
            Read::Ascii(_, here) => here.get(part.above.binary_search(&byte).ok()?).copied(),
            Read::Table(table) => Some(table[usize::from(byte)]),
            Read::Longer(..) => None,
        }
    }

    /// Whether nothing in the part is ill-formed.
    pub(super) fn is_well_formed(&self) -> bool {
        match &self.read {
            Read::Longer(tokens, _) => !tokens.contains(&Token::ILL_FORMED),
            // What stands for nothing was never a candidate.
            _ => true,
        }
    }

    /// Calls `with` with the part as text. `buffer` is for the tokens.
    fn text<T>(&self, part: &Part<'_>, buffer: &mut Vec<Token>, with: impl FnOnce(&Text<'_>) -> T) -> T {
        let languages = self.languages;
        buffer.clear();
        match &self.read {
            Read::Ascii(_, here) => {
                let mut table = part.ascii;
                for (&byte, &token) in part.above.iter().zip(here) {
                    table[usize::from(byte)] = token;
                }
                buffer.extend(part.not_plain.iter().map(|&byte| table[usize::from(byte)]));
                with(&Text { pieces: Pieces { tokens: buffer, cuts: &part.cuts }, plain: &part.plain, languages })
            }
            Read::Table(table) => {
                buffer.extend(part.bytes.iter().map(|&byte| table[usize::from(byte)]));
                let all = [Cut { end: buffer.len(), before: None, times: 1 }];
                with(&Text { pieces: Pieces { tokens: buffer, cuts: &all }, plain: &part.nothing, languages })
            }
            Read::Longer(tokens, cuts) => {
                with(&Text { pieces: Pieces { tokens, cuts }, plain: &part.plain, languages })
            }
        }
    }

    /// What the part costs, in one language and as it is measured; `None` if that is
    /// more than `most`.
    pub(super) fn weigh(
        &self,
        part: &Part<'_>,
        measure: Measure<'_>,
        most: u64,
        buffer: &mut Vec<Token>,
    ) -> Option<(Cost, u64)> {
        self.text(part, buffer, |text| match measure {
            Measure::AsText => text.cost(most).map(|cost| (cost, cost.cost)),
            Measure::AsList(words) => {
                let cost = text.cost_by_word(most, words)?;
                Some((text.cost(u64::MAX)?, cost))
            }
        })
    }

    /// The same with what the candidate costs beside.
    pub(super) fn whole(&self, cost: Cost, measured: u64) -> u64 {
        self.before() + measured + self.other_script(cost.script())
    }

    /// What is to be known of the part that costs so much.
    pub(super) fn likelihood(
        &self,
        part: &Part<'_>,
        measure: Measure<'_>,
        cost: Cost,
        measured: u64,
        buffer: &mut Vec<Token>,
    ) -> Likelihood {
        self.text(part, buffer, |text| match measure {
            Measure::AsText => text.likelihood(cost),
            Measure::AsList(words) => text.likelihood_by_word(measured, cost, words),
        })
    }

    /// What it costs that the text is in another script than the one that the
    /// encoding was made for.
    fn other_script(&self, script: Option<Script>) -> u64 {
        let bits = match (script, own_script(self.encoding)) {
            (Some(Script::Latin), Some(_)) => LATIN_ELSEWHERE,
            (Some(script), Some(own)) if script != own => OTHER_SCRIPT,
            _ => 0,
        };
        u64::from(bits * BIT)
    }
}
