//! Which of the legacy encodings bytes are in: the one in which they are the
//! likeliest text.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::Certainty;
use super::candidates::{all, is_ebcdic, is_single_byte, own_script};
use crate::encoding::Encoding;
use crate::engine::legacy::Legacy;
use crate::likelihood::{BIT, Likelihood, Script, Token};

/// The bytes that occur in a stream.
#[derive(Clone, Debug)]
pub(super) struct Seen([bool; 256]);

impl Seen {
    pub(super) fn none() -> Seen {
        Seen([false; 256])
    }

    fn of(bytes: &[u8]) -> Seen {
        let mut seen = Seen::none();
        seen.add(bytes);
        seen
    }

    pub(super) fn has(&self, range: core::ops::RangeInclusive<u8>) -> bool {
        range.into_iter().any(|byte| self.0[usize::from(byte)])
    }

    pub(super) fn add(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0[usize::from(byte)] = true);
    }

    fn bytes(&self) -> impl Iterator<Item = u8> {
        (0..=255).filter(|&byte| self.0[usize::from(byte)])
    }
}

/// A guess.
#[derive(Clone, Debug)]
pub(super) struct Guess {
    pub(super) encoding: Encoding,
    /// How many bits the next one that reads the bytes otherwise costs more.
    pub(super) margin: u64,
    /// That next one.
    pub(super) next: Option<Encoding>,
    /// Others that read the bytes the same.
    pub(super) alike: Vec<Encoding>,
    /// Whether the sample is well-formed so.
    pub(super) fits: bool,
    /// What the text is like.
    pub(super) likelihood: Likelihood,
    /// Whether it is text only as a list of words of many languages.
    pub(super) is_list: bool,
}

impl Guess {
    /// Whether the bytes are text in the encoding: it is not stranger than text in
    /// that language is. What is of few characters may be strange by chance.
    pub(super) fn is_text(&self) -> bool {
        // Where another one is as likely, neither may be right.
        let is_close = self.margin < CLOSE && self.likelihood.script == Some(Script::Latin);
        self.strangeness_beyond(if is_close { 3 } else { 4 }) <= 0
    }

    /// How much stranger it is than so many quarters of what is allowed.
    fn strangeness_beyond(&self, quarters: i64) -> i64 {
        let fresh = i64::try_from(self.likelihood.fresh.max(1)).unwrap_or(i64::MAX);
        // By what texts of these scripts are like that are read in the right
        // encoding, 99 of 100.
        let (each, all) = match self.likelihood.script {
            _ if is_ebcdic(self.encoding) => (32, 64),
            Some(Script::Wide) => (76, 320),
            Some(Script::Latin) | None => (80, 480),
            Some(_) => (28, 300),
        };
        self.likelihood.strangeness() - (each + all / fresh) * quarters / 4
    }

    /// Whether it is in an encoding of Chinese, Japanese or Korean.
    pub(super) fn is_wide(&self) -> bool {
        !is_single_byte(self.encoding)
    }

    /// Whether it would be likely without the declaration that speaks for it.
    pub(super) fn is_likely_undeclared(&self) -> bool {
        self.margin >= undeclared(self.encoding) / u64::from(BIT) + CLOSE
    }

    /// How sure it is.
    pub(super) fn certainty(&self) -> Certainty {
        match self.margin {
            40.. if self.fits && !self.is_list && self.likelihood.fresh >= 8 && self.strangeness_beyond(2) <= 0 => {
                Certainty::NearlyCertain
            }
            CLOSE.. if self.fits => Certainty::Likely,
            _ => Certainty::Guess,
        }
    }
}

/// So few bits may be chance: one in a hundred.
const CLOSE: u64 = 7;

/// The sample is judged in ever larger parts; those that cost so much more then are
/// out. Of the front of a page hardly anything may be text.
const PARTS: [(usize, u64); 3] = [(400, 2 * FAR), (2_000, FAR), (usize::MAX, FAR)];
const FAR: u64 = 60 * BIT as u64;

/// A byte of the stream that is not in the sample and that no text has.
const ODD: u64 = 22 * BIT as u64;
/// What any other encoding costs than the one that the text declares: those who
/// write it there know, as a rule; but a Western name often comes with a template
/// alone.
const UNDECLARED: u64 = 40 * BIT as u64;
const TEMPLATE: u64 = 12 * BIT as u64;

const fn undeclared(declared: Encoding) -> u64 {
    match declared {
        Encoding::Latin1 | Encoding::Legacy(Legacy::Windows1252) => TEMPLATE,
        _ => UNDECLARED,
    }
}

/// What ill-formed bytes elsewhere cost, up to so many of them.
const MANY: u64 = 8;
/// A character cut by the end.
const CUT: u16 = 6 * BIT as u16;

/// Text in another script than the one that the encoding was made for, in bits.
const OTHER_SCRIPT: u32 = 6;
/// And Latin text in an encoding for another one.
const LATIN_ELSEWHERE: u32 = 12;

/// A candidate.
struct Candidate {
    encoding: Encoding,
    /// In advance, and for what is not in the sample.
    before: u64,
    /// What the bytes are, if each is a character.
    table: Option<Box<[Token; 256]>>,
    cost: u64,
    likelihood: Likelihood,
    /// What was judged.
    tokens: Vec<Token>,
}

/// What is known of a stream beside its sample.
pub(super) struct Stream<'a> {
    pub(super) seen: &'a Seen,
    /// Whether the sample has all that is above 7F.
    pub(super) is_cut: bool,
    /// Whether the bytes may be EBCDIC.
    pub(super) may_be_ebcdic: bool,
    /// How many sequences of an encoding with longer characters are ill-formed in the
    /// stream; nothing if it is out.
    pub(super) ill_formed: &'a dyn Fn(Encoding) -> Option<u64>,
    /// The encoding that the text declares.
    pub(super) declared: Option<Encoding>,
}

/// The encoding that `sample` is in, of a stream of which it is a part.
pub(super) fn guess(sample: &[u8], stream: &Stream<'_>) -> Option<Guess> {
    let guess = guess_by(Likelihood::of_tokens, sample, stream)?;
    if guess.is_text() || guess.likelihood.script != Some(Script::Latin) || is_ebcdic(guess.encoding) {
        return Some(guess);
    }
    // Such as names from several countries.
    let list = guess_by(Likelihood::by_word, sample, stream)?;
    let is_latin = list.likelihood.script == Some(Script::Latin) && own_script(list.encoding).is_none();
    let is_list = is_latin && list.margin >= CLOSE && list.is_text();
    Some(if is_list { Guess { is_list, ..list } } else { guess })
}

/// The same by that measure of likelihood.
fn guess_by(of: fn(&[Token]) -> Likelihood, sample: &[u8], stream: &Stream<'_>) -> Option<Guess> {
    let mut candidates: Vec<Candidate> = all()
        .filter(|&(encoding, _)| stream.may_be_ebcdic || !is_ebcdic(encoding))
        .filter_map(|(encoding, prior)| Candidate::new(encoding, prior, sample, stream))
        .collect();
    let mut judged = 0;
    for (part, far) in PARTS {
        let len = end_of_part(sample, part);
        if len == judged {
            break;
        }
        judged = len;
        candidates.iter_mut().for_each(|candidate| candidate.tokens.clear());
        for at in 0..candidates.len() {
            let tokens = candidates[at].read(&sample[..len], len < sample.len() || stream.is_cut);
            let same = candidates[..at].iter().find(|other| other.tokens == tokens);
            let likelihood = same.map_or_else(|| of(&tokens), |other| other.likelihood);
            let candidate = &mut candidates[at];
            candidate.likelihood = likelihood;
            candidate.cost = candidate.before + likelihood.cost + candidate.other_script(&likelihood);
            candidate.tokens = tokens;
        }
        let best = candidates.iter().map(|candidate| candidate.cost).min()?;
        candidates.retain(|candidate| candidate.cost <= best + far);
        // One is left, or all read the same.
        if candidates.iter().all(|candidate| candidate.tokens == candidates[0].tokens) && judged >= PARTS[1].0 {
            break;
        }
    }
    candidates.sort_by_key(|candidate| candidate.cost);
    let (best, others) = candidates.split_first()?;
    let is_alike =
        |other: &&Candidate| other.tokens == best.tokens && reads_alike(best.encoding, other.encoding, stream);
    let next = others.iter().find(|other| !is_alike(other));
    Some(Guess {
        encoding: best.encoding,
        margin: next.map_or(FAR, |next| next.cost - best.cost).min(FAR) / u64::from(BIT),
        next: next.map(|next| next.encoding),
        alike: others.iter().filter(is_alike).map(|other| other.encoding).collect(),
        fits: !best.tokens.contains(&Token::ILL_FORMED) && (stream.ill_formed)(best.encoding) == Some(0),
        likelihood: best.likelihood,
        is_list: false,
    })
}

/// Where a part of the sample ends: before white space, if there is some.
fn end_of_part(sample: &[u8], part: usize) -> usize {
    if sample.len() <= part.saturating_add(part / 2) {
        return sample.len();
    }
    let until = &sample[..part];
    until.iter().rposition(|&byte| byte <= b' ').filter(|&at| at > part / 2).unwrap_or(part)
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

/// Whether two encodings read all bytes of a stream the same.
fn reads_alike(a: Encoding, b: Encoding, stream: &Stream<'_>) -> bool {
    if !is_single_byte(a) || !is_single_byte(b) {
        return true;
    }
    let bytes: Vec<u8> = stream.seen.bytes().collect();
    a.decode(&bytes).0 == b.decode(&bytes).0
}

impl Candidate {
    /// A candidate, if all bytes can be in that encoding.
    fn new(encoding: Encoding, prior: u32, sample: &[u8], stream: &Stream<'_>) -> Option<Candidate> {
        let mut before = u64::from(prior * BIT)
            + match stream.declared {
                Some(declared) if declared == encoding => 0,
                None => 0,
                Some(declared) => undeclared(declared),
            };
        let mut table = None;
        if is_single_byte(encoding) {
            let bytes: Vec<u8> = stream.seen.bytes().collect();
            let mut tokens = Box::new([Token::ILL_FORMED; 256]);
            let sampled = Seen::of(sample);
            let (text, _) = encoding.decode(&bytes);
            for (&byte, c) in bytes.iter().zip(text.chars()) {
                let mut token = Token::of(c);
                if c == char::REPLACEMENT_CHARACTER {
                    // Nothing stands there.
                    return None;
                }
                if is_ebcdic(encoding) {
                    token = token_of_ebcdic(c);
                }
                if byte >= 0x80 && token.is_odd() && !sampled.0[usize::from(byte)] {
                    before += ODD;
                }
                tokens[usize::from(byte)] = token;
            }
            table = Some(tokens);
        } else {
            before += (stream.ill_formed)(encoding)?.min(MANY) * ODD;
        }
        Some(Candidate { encoding, before, table, cost: 0, likelihood: Likelihood::default(), tokens: Vec::new() })
    }

    /// What it costs that the text is in another script than the one that the
    /// encoding was made for.
    fn other_script(&self, likelihood: &Likelihood) -> u64 {
        let bits = match (likelihood.script, own_script(self.encoding)) {
            (Some(Script::Latin), Some(_)) => LATIN_ELSEWHERE,
            (Some(script), Some(own)) if script != own => OTHER_SCRIPT,
            _ => 0,
        };
        u64::from(bits * BIT)
    }

    /// The tokens of a part of the sample. `is_cut`: the part ends where the text does
    /// not.
    fn read(&self, part: &[u8], is_cut: bool) -> Vec<Token> {
        if let Some(table) = &self.table {
            return part.iter().map(|&byte| table[usize::from(byte)]).collect();
        }
        let (text, _) = self.encoding.decode(part);
        let token = |c| if c == char::REPLACEMENT_CHARACTER { Token::ILL_FORMED } else { Token::of(c) };
        let mut tokens: Vec<Token> = text.chars().map(token).collect();
        if tokens.last() == Some(&Token::ILL_FORMED) && tokens.iter().filter(|token| token.is_wide()).count() > 2 {
            tokens.pop();
            if !is_cut {
                tokens.push(Token::cut(CUT));
            }
        }
        tokens
    }
}
