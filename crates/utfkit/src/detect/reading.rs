//! A sample as each encoding reads it.
//!
//! Most encodings read the US-ASCII of a text the same, and text repeats itself: a part of
//! the sample is taken apart into *pieces*, a piece being what stands between white space, with
//! that. Pieces in US-ASCII are weighed once, and others once for each reading of
//! them, however often they are there.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::candidates::{is_ebcdic, is_single_byte, own_script};
use super::guess::{Measure, Seen, Stream, undeclared};
use crate::encoding::Encoding;
use crate::engine::scalar::ibm437::Ibm437;
use crate::engine::scalar::{Decoded, Form};
use crate::likelihood::{
    BIT, Cost, Kind, Languages, Letters, Likelihood, Piece, Pieces, Plain, Script, TakePiece, Tally, Text, Token,
    pieces,
};

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
pub(super) fn ascii() -> [Token; 256] {
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

    pub(super) fn all(&self) -> impl Iterator<Item = u8> {
        self.above.iter().chain(&self.below).copied()
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
    /// Different ones that are not in US-ASCII, in the order in which they are met.
    pieces: Vec<Piece>,
    /// The bytes of these.
    not_plain: Vec<u8>,
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
        let letters = letters_of(&counts, &ascii, &below);
        let (plain, pieces): (Vec<Piece>, Vec<Piece>) =
            pieces(bytes).into_iter().partition(|piece| bytes[piece.at.clone()].is_ascii());
        let not_plain: Vec<u8> = pieces.iter().flat_map(|piece| &bytes[piece.at.clone()]).copied().collect();
        let mut plain_letters = counts;
        for piece in &pieces {
            let times = u32::try_from(piece.times).unwrap_or(u32::MAX);
            bytes[piece.at.clone()].iter().for_each(|&byte| plain_letters[usize::from(byte)] -= times);
        }
        let plain_letters = letters_of(&plain_letters, &ascii, &below);
        let plain = Plain::of(&Mapped { bytes, pieces: &plain, table: &ascii });
        let nothing = Plain::none();
        Part { bytes, counts, above, below, pieces, not_plain, plain, plain_letters, nothing, letters, ascii }
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

/// A part in an encoding with a byte a character.
struct Mapped<'a> {
    bytes: &'a [u8],
    pieces: &'a [Piece],
    table: &'a [Token; 256],
}

impl Pieces for Mapped<'_> {
    fn each(&self, take: &mut TakePiece<'_>) {
        let token = |byte: u8| self.table[usize::from(byte)];
        let mut tokens = Vec::new();
        for Piece { at, times } in self.pieces {
            tokens.clear();
            tokens.extend(self.bytes[at.clone()].iter().map(|&byte| token(byte)));
            let before = at.start.checked_sub(1).map(|before| token(self.bytes[before]));
            if !take(&tokens, before, *times) {
                return;
            }
        }
    }
}

/// A part in another encoding, in the same pieces: none of its characters reaches past
/// white space, and none of the bytes of that is in a longer one.
struct Split<'a> {
    part: &'a Part<'a>,
    tokens: &'a [Token],
}

impl Pieces for Split<'_> {
    fn each(&self, take: &mut TakePiece<'_>) {
        let is_white = |token: &Token| match token {
            Token::Sign { kind: Kind::Between | Kind::Odd, is_above: false, which, .. } => *which <= b' ',
            _ => false,
        };
        let mut rest = self.tokens;
        for piece in &self.part.pieces {
            let word = rest.iter().position(is_white).unwrap_or(rest.len());
            let len = rest[word..].iter().position(|token| !is_white(token)).map_or(rest.len(), |white| word + white);
            let (tokens, others) = rest.split_at(len);
            let before = piece.at.start.checked_sub(1).map(|at| self.part.ascii[usize::from(self.part.bytes[at])]);
            if !take(tokens, before, piece.times) {
                return;
            }
            rest = others;
        }
    }
}

/// How an encoding reads bytes.
enum Read {
    /// US-ASCII, and these for the bytes above it that the part has.
    Ascii(Vec<Token>),
    /// A byte a character, in some other way.
    Table(Box<[Token; 256]>),
    /// Characters of several bytes: what the pieces are that are not in US-ASCII.
    Longer(Vec<Token>),
}

/// A candidate.
pub(super) struct Candidate {
    pub(super) encoding: Encoding,
    /// What it costs in advance, and for what is not in the sample.
    pub(super) before: u64,
    /// And the part, roughly.
    pub(super) about: u64,
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
            for &byte in &bytes.above {
                let c = character(encoding, byte)?;
                before += if !bytes.in_sample.has_byte(byte) && Token::of(c).is_odd() { ODD } else { 0 };
            }
            let is_ascii = |byte: &u8| character(encoding, *byte) == Some(char::from(*byte));
            let is_like_ascii = match encoding {
                Encoding::Legacy(legacy) => legacy.is_ascii_compatible(),
                _ => true,
            };
            if is_like_ascii || (!is_ebcdic(encoding) && bytes.below.iter().all(is_ascii)) {
                Read::Ascii(Vec::new())
            } else {
                let mut table = Box::new([Token::ILL_FORMED; 256]);
                for &byte in bytes.above.iter().chain(&bytes.below) {
                    let c = character(encoding, byte)?;
                    table[usize::from(byte)] = if is_ebcdic(encoding) { token_of_ebcdic(c) } else { Token::of(c) };
                }
                Read::Table(table)
            }
        } else {
            before += (stream.ill_formed)(encoding)?.min(MANY) * ODD;
            Read::Longer(Vec::new())
        };
        Some(Candidate { encoding, before, about: 0, read, languages: Languages::default() })
    }

    /// Reads a part of the sample. `is_cut`: it ends where the text does not. `others`
    /// have read it before, perhaps the same.
    pub(super) fn read<'c>(&mut self, part: &Part<'_>, is_cut: bool, mut others: impl Iterator<Item = &'c Candidate>) {
        let cost = |token: Token, times: u32| match token {
            // Those of a line are cheap.
            Token::Sign { kind: Kind::Frame, .. } => u64::from(2 * BIT * times),
            Token::Sign { cost, .. } => u64::from(cost) * u64::from(times),
            Token::Wide(_) => ABOUT * u64::from(times),
            Token::Letter { .. } => 0,
        };
        let (mut letters, mut about) = (Letters::none(), 0);
        match &mut self.read {
            Read::Ascii(here) => {
                here.clear();
                let token = |&byte: &u8| character(self.encoding, byte).map_or(Token::ILL_FORMED, Token::of);
                here.extend(part.above.iter().map(token));
                let is_same = |other: &&Candidate| matches!(&other.read, Read::Ascii(there) if there == here);
                if let Some(same) = others.find(is_same) {
                    (self.languages, self.about) = (same.languages, same.about);
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
            Read::Longer(tokens) => {
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
                letters.clone_from(&part.plain_letters);
                let mut tally = Tally::none();
                Split { part, tokens }.each(&mut |tokens, _, times| {
                    let times = u32::try_from(times).unwrap_or(u32::MAX);
                    for token in tokens {
                        tally.add(*token, times);
                        about += cost(*token, times);
                    }
                    true
                });
                letters.add_all(&tally);
            }
        }
        let (languages, least) = letters.languages();
        self.languages = languages;
        let plain = if matches!(self.read, Read::Table(_)) { 0 } else { part.plain.common() };
        self.about = about + least + plain;
    }

    /// Whether another one that is like it reads the part the same.
    pub(super) fn is_same_text(&self, other: &Candidate) -> bool {
        match (&self.read, &other.read) {
            (Read::Ascii(here), Read::Ascii(there)) => here == there,
            (Read::Longer(here), Read::Longer(there)) => here == there,
            _ => false,
        }
    }

    /// Whether another one reads the part the same.
    pub(super) fn reads_the_same(&self, other: &Candidate, part: &Part<'_>) -> bool {
        match (&self.read, &other.read) {
            (Read::Ascii(here), Read::Ascii(there)) => here == there,
            (Read::Longer(here), Read::Longer(there)) => here == there,
            (Read::Longer(tokens), _) => other.is(part, tokens),
            (_, Read::Longer(tokens)) => self.is(part, tokens),
            _ => part.above.iter().chain(&part.below).all(|&byte| self.token(part, byte) == other.token(part, byte)),
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
            Read::Ascii(here) => here.get(part.above.binary_search(&byte).ok()?).copied(),
            Read::Table(table) => Some(table[usize::from(byte)]),
            Read::Longer(_) => None,
        }
    }

    /// Whether nothing in the part is ill-formed.
    pub(super) fn is_well_formed(&self) -> bool {
        match &self.read {
            Read::Longer(tokens) => !tokens.contains(&Token::ILL_FORMED),
            // What stands for nothing was never a candidate.
            _ => true,
        }
    }

    /// Calls `with` with the part as text. `table` has US-ASCII, and space for the rest.
    fn text<T>(&self, part: &Part<'_>, table: &mut [Token; 256], with: impl FnOnce(&Text<'_>) -> T) -> T {
        let languages = self.languages;
        match &self.read {
            Read::Ascii(here) => {
                for (&byte, &token) in part.above.iter().zip(here) {
                    table[usize::from(byte)] = token;
                }
                let pieces = Mapped { bytes: part.bytes, pieces: &part.pieces, table };
                with(&Text { pieces: &pieces, plain: &part.plain, languages })
            }
            Read::Table(table) => {
                let all = [Piece { at: 0..part.bytes.len(), times: 1 }];
                let pieces = Mapped { bytes: part.bytes, pieces: &all, table };
                with(&Text { pieces: &pieces, plain: &part.nothing, languages })
            }
            Read::Longer(tokens) => with(&Text { pieces: &Split { part, tokens }, plain: &part.plain, languages }),
        }
    }

    /// What the part costs, in one language and as it is measured; `None` if that is
    /// more than `most`.
    pub(super) fn weigh(
        &self,
        part: &Part<'_>,
        measure: Measure<'_>,
        most: u64,
        table: &mut [Token; 256],
    ) -> Option<(Cost, u64)> {
        self.text(part, table, |text| match measure {
            Measure::AsText => text.cost(most).map(|cost| (cost, cost.cost)),
            Measure::AsList(words) => {
                let cost = text.cost_by_word(most, words)?;
                Some((text.cost(u64::MAX)?, cost))
            }
        })
    }

    /// The same with what the candidate costs beside.
    pub(super) fn whole(&self, cost: Cost, measured: u64) -> u64 {
        self.before + measured + self.other_script(cost.script())
    }

    /// What is to be known of the part that costs so much.
    pub(super) fn likelihood(
        &self,
        part: &Part<'_>,
        measure: Measure<'_>,
        cost: Cost,
        measured: u64,
        table: &mut [Token; 256],
    ) -> Likelihood {
        self.text(part, table, |text| match measure {
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
