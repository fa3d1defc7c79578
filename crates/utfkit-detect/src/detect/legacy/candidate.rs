//! A candidate encoding: its prior, its reading of the sample, and the score of that.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cell::Cell;

use super::encodings::{Guessable, is_ascii_based, is_ebcdic, is_iso_8859, is_of_japan, own_script};
use super::guess::undeclared_penalty;
use super::part::{ByteSet, Bytes, Part};
use super::tokens::{HighTokens, token_of_ebcdic};
use crate::detect::options::Options;
use crate::line::{character, is_single_byte};
use crate::model::{
    BIT, Evaluation, Kind, Languages, LetterCounts, Meaning, Script, SegmentEnd, Segments, Text, TextScore, Token,
    Unigrams, WordScores,
};
use utfkit_core::{Encoding, Legacy};

/// Penalty for an implausible byte, or an ill-formed sequence, outside of the sample.
const IMPLAUSIBLE: u64 = 22 * BIT as u64;
/// The penalty of an encoding that the caller excluded. If it still scores lowest, no allowed
/// encoding fits.
const EXCLUDED: u64 = 40 * BIT as u64;
/// The penalty of every encoding but the declared one for letters by themselves, which say nothing.
const UNDECLARED_ALONE: u64 = 160 * BIT as u64;
/// More ill-formed sequences than this are not counted.
const MAX_ERRORS: u64 = 8;
/// The score of a character that the end of the sample truncates.
const TRUNCATED: u16 = 10 * BIT as u16;

/// Penalties for text in a script that the encoding was not made for, in bits.
const OTHER_SCRIPT: u32 = 6;
const KANA_IN_OTHER: u32 = 30;
const LATIN_IN_OTHER: u32 = 12;
/// For each sign of Arabic in a text in Latin script, as far as it is evidence: `nº` has none.
const ARABIC_SIGN: u32 = 8;

/// The penalty, in bits, for text with `count` bytes above 7F in an encoding of another script
/// than Latin: such a text has few that are US-ASCII.
fn sparse_penalty(encoding: Encoding, count: usize) -> u32 {
    let Some(script) = own_script(encoding) else { return 0 };
    match if script == Script::Wide { count / 2 } else { count } {
        0 | 1 => 6,
        2 => 4,
        3 => 2,
        _ => 0,
    }
}

/// The penalty of ISO 8859 for a control from 80 to 9F, in bits, where there are up to `FEW` letters: in more text it may
/// be a slip.
const CONTROL: u32 = 16;
const FEW: usize = 3;

/// The rest of a prior that is about halved, in sixteenths of a bit, for text with as few letters as `evidence`: the
/// fewer they are, the likelier is another reading by chance, and the more the shares of encodings decide.
fn sparse_prior(encoding: Encoding, prior: u32, evidence: usize) -> u32 {
    if own_script(encoding).is_some() {
        return if own_script(encoding) == Some(Script::Thai) { dense_penalty(evidence) } else { 0 };
    }
    let quarters = match evidence {
        0 | 1 => 4,
        2 => 3,
        3 => 2,
        4 | 5 => 1,
        _ => 0,
    };
    let dense = if encoding == Encoding::Legacy(Legacy::Viscii) { dense_penalty(evidence) } else { 0 };
    prior * quarters * BIT / 4 + dense
}

/// The penalty, in sixteenths of a bit, for an encoding in which nearly all bytes above 7F are letters, in any order: a
/// short word of any other encoding is one there.
fn dense_penalty(evidence: usize) -> u32 {
    match evidence {
        0..=4 => 6 * BIT,
        5..=8 => 4 * BIT,
        9..=12 => 2 * BIT,
        _ => 0,
    }
}

/// The score of an ideograph, roughly.
const WIDE_ESTIMATE: u64 = 8 * BIT as u64;

/// Facts about the stream from which the sample was taken.
pub(super) struct Stream<'a> {
    pub(super) bytes: &'a ByteSet,
    /// True if the sample lacks some of the bytes above 7F.
    pub(super) is_sampled: bool,
    pub(super) may_be_ebcdic: bool,
    /// True if the stream may be in a multibyte encoding. A quick check.
    pub(super) may_be: &'a dyn Fn(Encoding) -> bool,
    /// The number of ill-formed sequences in an encoding; `None` if there are too many.
    pub(super) errors: &'a dyn Fn(Encoding) -> Option<u64>,
    pub(super) declared: Option<Encoding>,
    pub(super) options: &'a Options,
}

/// How a text is scored.
#[derive(Clone, Copy)]
pub(super) enum Scoring<'a> {
    /// In the language in which it scores lowest.
    AsText,
    /// Each word in a language of its own.
    ByWord(&'a WordScores),
}

/// The score of a part of the sample.
#[derive(Clone, Copy)]
pub(super) struct PartScore {
    /// As text of one language.
    text: TextScore,
    /// By the [`Scoring`].
    score: u64,
}

/// A part of the sample as an encoding reads it.
enum Reading {
    /// US-ASCII, and one byte per character from 80.
    AsciiBased {
        /// The tokens of [`Bytes::non_ascii`].
        stream: Vec<Token>,
        /// The tokens of [`Part::non_ascii`].
        part: Vec<Token>,
    },
    /// One byte per character, some below 80 other than US-ASCII.
    SingleByte(Box<[Token; 256]>),
    /// The tokens of [`Part::mixed`].
    Multibyte { tokens: Vec<Token>, ends: Vec<SegmentEnd> },
}

pub(super) struct Candidate {
    pub(super) encoding: Encoding,
    /// True for ISO 8859 if it has controls in the stream, which are no text.
    pub(super) has_c1: bool,
    /// See [`prior`](Candidate::prior).
    prior: Cell<u64>,
    /// True if the errors in the stream are few enough; `None` if they were not counted.
    is_possible: Cell<Option<bool>>,
    /// A rough score of the part.
    pub(super) estimate: u64,
    /// How much the signs of Arabic in the part are evidence.
    arabic_signs: u32,
    /// The part of the prior that few letters add. It makes no answer surer.
    pub(super) sparse_prior: u64,
    /// The first candidate with the same reading of the part, perhaps itself.
    pub(super) same_as: usize,
    reading: Reading,
    languages: Languages,
}

impl Candidate {
    /// `None` if a byte of the stream is unassigned in the encoding.
    pub(super) fn new(guessable: Guessable, bytes: &Bytes, stream: &Stream<'_>) -> Option<Candidate> {
        let Guessable { encoding, prior } = guessable;
        let has_c1 = is_iso_8859(encoding) && stream.bytes.contains_any(0x80..=0x9F);
        let has_c1 = has_c1 && stream.declared != Some(encoding) && !stream.options.is_listed();
        let sparse_prior = sparse_prior(encoding, prior, bytes.evidence);
        let prior = prior + stream.options.prior(encoding);
        let controls = if has_c1 && bytes.evidence <= FEW { CONTROL } else { 0 };
        let mut prior = u64::from((prior + controls + sparse_penalty(encoding, bytes.non_ascii_count)) * BIT)
            + u64::from(sparse_prior)
            + match stream.declared {
                Some(declared) if declared != encoding && bytes.are_alone => UNDECLARED_ALONE,
                Some(declared) if declared != encoding => undeclared_penalty(declared),
                _ => 0,
            }
            + if stream.options.allows(encoding) { 0 } else { EXCLUDED };
        let reading = if is_single_byte(encoding) {
            let mut tokens = Vec::with_capacity(bytes.non_ascii.len());
            let high = HighTokens::of(encoding);
            for &byte in &bytes.non_ascii {
                let token = high.token(encoding, byte)?;
                prior += if token.is_odd() && !bytes.in_sample.contains(byte) { IMPLAUSIBLE } else { 0 };
                tokens.push(token);
            }
            let is_ascii = |byte: &u8| character(encoding, *byte) == Some(char::from(*byte));
            if is_ascii_based(encoding) || (!is_ebcdic(encoding) && bytes.ascii.iter().all(is_ascii)) {
                Reading::AsciiBased { stream: tokens, part: Vec::new() }
            } else {
                let mut table = Box::new([Token::ILL_FORMED; 256]);
                for &byte in bytes.non_ascii.iter().chain(&bytes.ascii) {
                    let c = character(encoding, byte)?;
                    table[usize::from(byte)] = if is_ebcdic(encoding) { token_of_ebcdic(c) } else { Token::of(c) };
                }
                Reading::SingleByte(table)
            }
        } else {
            if !(stream.may_be)(encoding) {
                return None;
            }
            Reading::Multibyte { tokens: Vec::new(), ends: Vec::new() }
        };
        let is_possible = if matches!(reading, Reading::Multibyte { .. }) { None } else { Some(true) };
        Some(Candidate {
            encoding,
            has_c1,
            prior: Cell::new(prior),
            sparse_prior: sparse_prior.into(),
            is_possible: Cell::new(is_possible),
            estimate: 0,
            arabic_signs: 0,
            same_as: 0,
            reading,
            languages: Languages::default(),
        })
    }

    /// The negative log-probability of the encoding before the text is scored: how common
    /// it is, whether another one is declared, bytes outside of the sample. A lower bound
    /// until [`is_possible`](Candidate::is_possible) counted the errors.
    pub(super) fn prior(&self) -> u64 {
        self.prior.get()
    }

    /// Counts the errors in the stream, at most once; returns false if there are too many.
    /// Slow: call it only where the sample speaks for the encoding.
    pub(super) fn is_possible(&self, stream: &Stream<'_>) -> bool {
        self.is_possible.get().unwrap_or_else(|| {
            let errors = (stream.errors)(self.encoding);
            self.is_possible.set(Some(errors.is_some()));
            self.prior.set(self.prior() + errors.unwrap_or(0).min(MAX_ERRORS) * IMPLAUSIBLE);
            errors.is_some()
        })
    }

    /// Reads a part of the sample, as the candidate with index `at`. `is_cut` says that text
    /// follows it. `earlier` holds the candidates before this one, of which those with an
    /// index in `in_play` have read the part: an equal reading is not evaluated again.
    pub(super) fn read(
        &mut self,
        at: usize,
        part: &Part<'_>,
        bytes: &Bytes,
        is_cut: bool,
        earlier: &[Candidate],
        in_play: &[usize],
    ) {
        self.same_as = at;
        if own_script(self.encoding) == Some(Script::Arabic) {
            let is_sign = |byte: &&u8| character(self.encoding, **byte).is_some_and(|c| matches!(c, '،' | '؛' | '؟'));
            self.arabic_signs = part.non_ascii.iter().filter(is_sign).map(|byte| 1 + part.count(*byte).ilog2()).sum();
        }
        let mut distinct = in_play.iter().map(|&at| (at, &earlier[at])).filter(|(at, other)| other.same_as == *at);
        let (mut unigrams, mut estimate);
        match &mut self.reading {
            Reading::AsciiBased { stream, part: tokens } => {
                tokens.clear();
                tokens.reserve(part.non_ascii.len());
                let of_stream = bytes.non_ascii.iter().zip(stream);
                tokens.extend(of_stream.filter(|(byte, _)| part.count(**byte) > 0).map(|(_, token)| *token));
                let is_same = |(_, other): &(usize, &Candidate)| matches!(&other.reading, Reading::AsciiBased { part: others, .. } if others == tokens);
                if let Some((same_as, other)) = distinct.find(is_same) {
                    (self.same_as, self.languages, self.estimate) = (same_as, other.languages, other.estimate);
                    return;
                }
                (unigrams, estimate) = (part.ascii_unigrams.clone(), part.ascii_text.shared());
                for (&byte, &token) in part.non_ascii.iter().zip(&*tokens) {
                    unigrams.add(token, part.count(byte));
                    estimate += estimate_of(token, part.count(byte));
                }
            }
            Reading::SingleByte(table) => {
                (unigrams, estimate) = (Unigrams::none(), 0);
                for &byte in part.non_ascii.iter().chain(&part.ascii) {
                    let token = table[usize::from(byte)];
                    unigrams.add(token, part.count(byte));
                    estimate += estimate_of(token, part.count(byte));
                }
            }
            Reading::Multibyte { tokens, ends } => {
                let (text, _) = self.encoding.decode(&part.mixed);
                // The four bytes of GB 18030 reach planes without characters.
                let token = |c| match c {
                    char::REPLACEMENT_CHARACTER | '\u{40000}'..='\u{DFFFF}' => Token::ILL_FORMED,
                    c => Token::of(c),
                };
                tokens.clear();
                tokens.extend(text.chars().map(token));
                let is_wide = |tokens: &[Token]| tokens.iter().filter(|token| token.is_wide()).count() > 2;
                if tokens.last() == Some(&Token::ILL_FORMED) && is_wide(tokens) {
                    tokens.pop();
                    if !is_cut {
                        tokens.push(Token::cut(TRUNCATED));
                    }
                }
                *ends = part.mixed_ends_in(tokens);
                let is_same = |(_, other): &(usize, &Candidate)| matches!(&other.reading, Reading::Multibyte { tokens: others, .. } if others == tokens);
                if let Some((same_as, other)) = distinct.find(is_same) {
                    (self.same_as, self.languages, self.estimate) = (same_as, other.languages, other.estimate);
                    return;
                }
                (unigrams, estimate) = (part.ascii_text_unigrams.clone(), part.ascii_text.shared());
                let mut counts = LetterCounts::default();
                for segment in (Segments { tokens, ends }).each() {
                    let repeats = u32::try_from(segment.repeats).unwrap_or(u32::MAX);
                    for token in segment.tokens {
                        counts.add(*token, repeats);
                        estimate += estimate_of(*token, repeats);
                    }
                }
                unigrams.add_all(&counts);
            }
        }
        let ranked = unigrams.ranked();
        self.languages = ranked.languages;
        self.estimate = estimate + ranked.best_score;
    }

    /// True if both read the part as the same text.
    pub(super) fn has_same_reading(&self, other: &Candidate, part: &Part<'_>) -> bool {
        match (&self.reading, &other.reading) {
            (Reading::AsciiBased { .. }, Reading::AsciiBased { .. })
            | (Reading::Multibyte { .. }, Reading::Multibyte { .. }) => self.same_as == other.same_as,
            (Reading::Multibyte { tokens, .. }, _) => other.reads_as(part, tokens),
            (_, Reading::Multibyte { tokens, .. }) => self.reads_as(part, tokens),
            _ => {
                part.non_ascii.iter().chain(&part.ascii).all(|&byte| self.token(part, byte) == other.token(part, byte))
            }
        }
    }

    /// True if both have the same characters at all bytes of the stream. Not checked for
    /// multibyte encodings.
    pub(super) fn has_same_characters(&self, other: &Candidate, bytes: &Bytes) -> bool {
        let is_same = |byte: &u8| character(self.encoding, *byte) == character(other.encoding, *byte);
        match (&self.reading, &other.reading) {
            (Reading::Multibyte { .. }, _) | (_, Reading::Multibyte { .. }) => true,
            (Reading::AsciiBased { stream: a, .. }, Reading::AsciiBased { stream: b, .. }) => {
                a == b && bytes.non_ascii.iter().all(is_same)
            }
            _ => bytes.non_ascii.iter().chain(&bytes.ascii).all(is_same),
        }
    }

    /// True if this single-byte encoding reads the mixed segments as `tokens`.
    fn reads_as(&self, part: &Part<'_>, tokens: &[Token]) -> bool {
        tokens.len() == part.mixed.len()
            && part.mixed.iter().zip(tokens).all(|(&byte, token)| self.token(part, byte) == Some(*token))
            && part.ascii.iter().all(|&byte| self.token(part, byte) == Some(part.ascii_tokens[usize::from(byte)]))
    }

    /// The token of a byte of the part in a single-byte encoding.
    fn token(&self, part: &Part<'_>, byte: u8) -> Option<Token> {
        match &self.reading {
            Reading::AsciiBased { .. } if byte < 0x80 => Some(part.ascii_tokens[usize::from(byte)]),
            Reading::AsciiBased { part: tokens, .. } => tokens.get(part.non_ascii.binary_search(&byte).ok()?).copied(),
            Reading::SingleByte(table) => Some(table[usize::from(byte)]),
            Reading::Multibyte { .. } => None,
        }
    }

    /// True if nothing in the part is ill-formed.
    pub(super) fn is_well_formed(&self) -> bool {
        match &self.reading {
            Reading::Multibyte { tokens, .. } => !tokens.contains(&Token::ILL_FORMED),
            // An unassigned byte excludes the candidate.
            _ => true,
        }
    }

    /// Calls `f` with the part as text; `buffer` is for its tokens.
    fn with_text<T>(&self, part: &Part<'_>, buffer: &mut Vec<Token>, f: impl FnOnce(&Text<'_>) -> T) -> T {
        let languages = self.languages;
        buffer.clear();
        match &self.reading {
            Reading::AsciiBased { part: tokens, .. } => {
                let mut table = part.ascii_tokens;
                for (&byte, &token) in part.non_ascii.iter().zip(tokens) {
                    table[usize::from(byte)] = token;
                }
                buffer.extend(part.mixed.iter().map(|&byte| table[usize::from(byte)]));
                let segments = Segments { tokens: buffer, ends: &part.mixed_ends };
                f(&Text { segments, ascii: &part.ascii_text, languages, is_part: false })
            }
            Reading::SingleByte(table) => {
                buffer.extend(part.bytes.iter().map(|&byte| table[usize::from(byte)]));
                let ends = [SegmentEnd { end: buffer.len(), previous: None, repeats: 1 }];
                let segments = Segments { tokens: buffer, ends: &ends };
                f(&Text { segments, ascii: &part.no_ascii_text, languages, is_part: false })
            }
            Reading::Multibyte { tokens, ends } => {
                f(&Text { segments: Segments { tokens, ends }, ascii: &part.ascii_text, languages, is_part: false })
            }
        }
    }

    /// Scores the part; `None` if the score exceeds `limit`.
    pub(super) fn score(
        &self,
        part: &Part<'_>,
        scoring: Scoring<'_>,
        limit: u64,
        buffer: &mut Vec<Token>,
    ) -> Option<PartScore> {
        self.with_text(part, buffer, |text| match scoring {
            Scoring::AsText => text.score(limit).map(|text| PartScore { text, score: text.score }),
            Scoring::ByWord(words) => {
                let score = text.score_by_word(limit, words)?;
                Some(PartScore { text: text.score(u64::MAX)?, score })
            }
        })
    }

    /// See [`Text::mean_of_fragments`].
    pub(super) fn mean_of_fragments(&self, part: &Part<'_>, buffer: &mut Vec<Token>) -> u64 {
        self.with_text(part, buffer, |text| text.mean_of_fragments())
    }

    /// The score of the candidate: that of the text, the priors of its encoding and language,
    /// and a penalty for a script that the encoding was not made for.
    pub(super) fn total(&self, score: PartScore, options: &Options) -> u64 {
        let script_penalty = match (score.text.script(), own_script(self.encoding)) {
            (Some(Script::Latin), Some(_)) => LATIN_IN_OTHER + ARABIC_SIGN * self.arabic_signs,
            (Some(script), Some(own)) if script != own => OTHER_SCRIPT,
            // GBK, Big5 and EUC-KR have kana too, but few texts of them.
            _ if score.text.is_kana() && !is_of_japan(self.encoding) => KANA_IN_OTHER,
            _ if score.text.is_japanese() && !is_of_japan(self.encoding) => OTHER_SCRIPT,
            _ => 0,
        };
        let language_penalty = match options.languages() {
            Some((languages, prior)) if !languages.may_contain(score.text) => prior,
            _ => 0,
        };
        self.prior() + score.score + u64::from((script_penalty + language_penalty) * BIT)
    }

    /// Evaluates the part, which has this score.
    pub(super) fn evaluate(
        &self,
        part: &Part<'_>,
        scoring: Scoring<'_>,
        score: PartScore,
        buffer: &mut Vec<Token>,
    ) -> Evaluation {
        self.with_text(part, buffer, |text| match scoring {
            Scoring::AsText => text.evaluate(score.text),
            Scoring::ByWord(words) => text.evaluate_by_word(score.score, score.text, words),
        })
    }
}

/// A rough score of a token other than a letter; letters have their unigrams.
fn estimate_of(token: Token, repeats: u32) -> u64 {
    match token.meaning() {
        // Most continue a line.
        Meaning::Sign { kind: Kind::Frame | Kind::Bar, .. } => u64::from(2 * BIT * repeats),
        Meaning::Sign { score, .. } => u64::from(score) * u64::from(repeats),
        Meaning::Wide(_) => WIDE_ESTIMATE * u64::from(repeats),
        Meaning::Letter { .. } => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::{Certainty, Detection, detect};
    use utfkit_core::Encoding;

    const ENGLISH: &str = "The old bridge was closed in the spring of 1987, and nobody knows who built it.\n";

    /// `text` in an encoding, in a text of US-ASCII.
    fn found(encoding: &str, text: &str) -> Detection {
        let bytes = Encoding::for_label(encoding).unwrap().encode(text).0.into_owned();
        let [before, after] = ["Thanks to Karl ", " for the photograph.\n"].map(str::as_bytes);
        detect(&[ENGLISH.as_bytes(), before, &bytes, after, ENGLISH.as_bytes()].concat())
    }

    fn name(found: &Detection) -> Option<&'static str> {
        found.encoding().map(Encoding::name)
    }

    #[test]
    fn a_lone_letter_is_in_the_encoding_that_files_in_the_world_are_in() {
        for word in ["Özil", "Élisabeth", "Tomás", "Õunapuu", "Þorsteinn", "Muñiz", "Söderholm"] {
            let found = found("windows-1252", word);
            assert_eq!(name(&found), Some("windows-1252"), "{word}: {found}");
        }
    }

    #[test]
    fn a_name_in_another_script_is_one_in_a_text_of_us_ascii() {
        for (encoding, word) in
            [("KOI8-R", "страница"), ("windows-1251", "Павлов"), ("windows-1253", "λέξη"), ("KOI8-R", "Тарасов")]
        {
            let found = found(encoding, word);
            assert_eq!(name(&found), Some(encoding), "{word}: {found}");
        }
    }

    /// `ËÎÌå` is no more likely as `╦╬╠σ`.
    #[test]
    fn ideographs_are_no_box_drawing() {
        let bytes = Encoding::for_label("GBK").unwrap().encode("  font-family: 宋体, serif;\n").0.into_owned();
        assert_eq!(name(&detect(&bytes)), Some("GBK"));
    }

    /// ISO-8859-1 has a control there, and was likelier than `¸` or `š`.
    #[test]
    fn a_control_of_iso_8859_is_no_letter_of_a_name() {
        for word in ["Šimek", "Žižka", "Œuvrard"] {
            let found = found("windows-1252", word);
            assert!(name(&found) != Some("ISO-8859-1"), "{word}: {found}");
        }
    }

    /// The prior decides which reading is the likeliest, and does not make it likely.
    #[test]
    fn priors_of_few_letters_make_no_answer_surer() {
        for (encoding, word) in [("windows-1252", "Özil"), ("windows-1252", "Þorsteinn"), ("IBM437", "Ünal")] {
            let found = found(encoding, word);
            assert_eq!(found.certainty(), Certainty::Guess, "{word}: {found}");
        }
    }

    #[test]
    fn guesses_at_tables_have_low_probabilities() {
        let table: Vec<u8> = (0xE1..=0xFA).flat_map(|byte| [b'\t', b'^', byte, b'\t', b'\\', b'x', b'\n']).collect();
        let found = detect(&table);
        assert!(found.certainty() == Certainty::Guess && found.confidence() < 0.3, "{found} {}", found.confidence());
        let lone = super::tests::found("windows-1252", "Élisabeth").confidence();
        assert!((0.6..0.95).contains(&lone), "{lone}");
    }
}
