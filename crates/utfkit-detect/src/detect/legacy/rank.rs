//! Ranks the legacy encodings of a sample by the score of the text that it would be.
//!
//! All candidates are scored on the front of the sample first. Those whose total
//! is far behind the best are pruned, and the rest are scored on ever larger
//! parts, down to one reading or to the end of the sample.
//!
//! Scoring stops early as well: candidates are tried in the order of a cheap
//! estimate, each only up to the limit at which it would be pruned.

use alloc::vec::Vec;

use super::candidate::{Candidate, PartScore, Scoring, Stream};
use super::encodings::{guessable, is_ebcdic, own_script, prior};
use super::guess::{CLOSE, Guess, LEAST, MOST_COMMON, RARE, Reading, TextKind, is_plain_text};
use super::part::{Bytes, Part};
use crate::model::{BIT, Script, Token, WordScores};
use utfkit_core::{Encoding, Legacy};

/// A part of the sample, and the margin beyond which candidates are pruned on it.
#[derive(Clone, Copy)]
struct Stage {
    len: usize,
    margin: u64,
}

/// The front of a page may hold hardly any text, so that the first margins are wide.
const STAGES: [Stage; 4] = [
    // Only where most bytes are above 7F: enough to tell scripts apart.
    Stage { len: 150, margin: 3 * FAR },
    Stage { len: 400, margin: 2 * FAR },
    Stage { len: 2_000, margin: FAR },
    Stage { len: usize::MAX, margin: FAR },
];
/// A larger margin says no more.
const FAR: u64 = 60 * BIT as u64;

/// The likeliest encoding of `sample`.
pub(super) fn rank(sample: &[u8], stream: &Stream<'_>) -> Option<Guess> {
    let mut search = Search::new(sample, stream);
    let guess = search.rank(Scoring::AsText)?;
    if guess.is_text() || is_ebcdic(guess.encoding) || stream.declared == Some(guess.encoding) {
        return Some(guess);
    }
    if guess.evaluation.script.is_some_and(|script| script != Script::Latin) {
        let kind = if guess.is_nearly_text() { TextKind::Fragments } else { TextKind::Text };
        return Some(Guess { kind, ..guess });
    }
    let list = search.rank(Scoring::ByWord(&WordScores::default()))?;
    let is_latin = list.evaluation.script == Some(Script::Latin) && own_script(list.encoding).is_none();
    if is_latin && list.margin >= CLOSE && list.is_text() {
        // Two ways of scoring that differ are no evidence.
        let agrees = list.encoding == guess.encoding || list.equivalent.contains(&guess.encoding);
        let margin = if agrees && guess.margin >= CLOSE / 2 { list.margin } else { list.margin.min(CLOSE - 1) };
        return Some(Guess { kind: TextKind::Words, margin, ..list });
    }
    Some(search.rank_fragments().unwrap_or(guess))
}

struct Search<'a> {
    sample: &'a [u8],
    stream: &'a Stream<'a>,
    bytes: Bytes,
    candidates: Vec<Candidate>,
}

impl<'a> Search<'a> {
    fn new(sample: &'a [u8], stream: &'a Stream<'a>) -> Search<'a> {
        let bytes = Bytes::new(sample, stream.bytes, stream.declared.is_some());
        let candidates = guessable()
            .filter(|candidate| stream.may_be_ebcdic || !is_ebcdic(candidate.encoding))
            .filter_map(|candidate| Candidate::new(candidate, &bytes, stream));
        let candidates = candidates.collect();
        Search { sample, stream, bytes, candidates }
    }

    fn rank(&mut self, scoring: Scoring<'_>) -> Option<Guess> {
        let sample = self.sample;
        let mut in_play: Vec<usize> = (0..self.candidates.len()).collect();
        let (mut scored_len, mut last) = (0, None);
        for (number, stage) in STAGES.into_iter().enumerate() {
            let len = end_of_part(sample, stage.len);
            if number == 0 && (len == sample.len() || !is_dense(&sample[..len])) {
                continue;
            }
            if len == scored_len {
                break;
            }
            scored_len = len;
            let part = Part::new(&sample[..len]);
            self.read(&part, &in_play);
            let mut round = Round::new(self, part, stage.margin, scoring);
            round.score(&in_play);
            let scored = round.prune(&in_play);
            if scored.is_empty() {
                return None;
            }
            in_play = scored.iter().map(|scored| scored.candidate).collect();
            let is_settled = number > 1 && round.is_settled(&scored);
            let best = scored.iter().min_by_key(|scored| scored.total)?.candidate;
            let Known::Score(score) = round.known[best] else { return None };
            last = Some((round.part, scored, score));
            if let Some(most_common) = self.rival_of_rare(best) {
                in_play.push(most_common);
                in_play.sort_unstable();
                in_play.dedup();
            }
            if is_settled {
                break;
            }
        }
        let (part, scored, score) = last?;
        self.guess(part, scored, score, scoring)
    }

    /// The most common encoding, if the best candidate is a rare one for the same script. The front of a text may be
    /// strange in the language of the rest.
    fn rival_of_rare(&self, best: usize) -> Option<usize> {
        let encoding = self.candidates[best].encoding;
        let is_rare = own_script(encoding).is_none() && prior(encoding).is_some_and(|prior| prior >= RARE);
        if !is_rare { None } else { self.candidates.iter().position(|other| other.encoding == MOST_COMMON) }
    }

    /// Ranks the encodings for a text without words.
    fn rank_fragments(&mut self) -> Option<Guess> {
        let part = Part::new(self.sample);
        let in_play: Vec<usize> = (0..self.candidates.len()).collect();
        self.read(&part, &in_play);
        let mut buffer = Vec::new();
        // By candidate, for those with a reading of their own.
        let mut means = alloc::vec![None; in_play.len()];
        let mut scored: Vec<Scored> = Vec::with_capacity(in_play.len());
        for &at in &in_play {
            let candidate = &self.candidates[at];
            if candidate.is_possible(self.stream) && !is_ebcdic(candidate.encoding) {
                let mean =
                    *means[candidate.same_as].get_or_insert_with(|| candidate.mean_of_fragments(&part, &mut buffer));
                let total = candidate.prior() + mean * part.distinct_evidence();
                scored.push(Scored { candidate: at, total });
            }
        }
        let best = &self.candidates[scored.iter().min_by_key(|scored| scored.total)?.candidate];
        let score = best.score(&part, Scoring::AsText, u64::MAX, &mut buffer)?;
        let guess = self.guess(part, scored, score, Scoring::AsText)?;
        Some(Guess { kind: TextKind::Fragments, ..guess })
    }

    /// Reads a part in every candidate in play.
    fn read(&mut self, part: &Part<'_>, in_play: &[usize]) {
        let is_cut = part.len() < self.sample.len() || self.stream.is_sampled;
        for (place, &at) in in_play.iter().enumerate() {
            let (earlier, rest) = self.candidates.split_at_mut(at);
            rest[0].read(at, part, &self.bytes, is_cut, earlier, &in_play[..place]);
        }
    }

    /// True if `other` is another text than `best`. ISO 8859 with controls is no rival of the code pages of Windows,
    /// which have letters and punctuation in their place.
    fn is_rival(&self, part: &Part<'_>, best: usize, other: usize) -> bool {
        if self.candidates[other].has_c1 && self.candidates[best].encoding.name().starts_with("windows-") {
            return false;
        }
        !self.are_equivalent(part, best, other)
    }

    /// True if two candidates read the part, and all bytes of the stream, the same.
    fn are_equivalent(&self, part: &Part<'_>, a: usize, b: usize) -> bool {
        let (a, b) = (&self.candidates[a], &self.candidates[b]);
        a.has_same_reading(b, part) && a.has_same_characters(b, &self.bytes)
    }

    /// The guess by the totals of the candidates, of which the best has this score.
    fn guess(&self, part: Part<'_>, mut scored: Vec<Scored>, score: PartScore, scoring: Scoring<'_>) -> Option<Guess> {
        scored.sort_by_key(|scored| scored.total);
        let (best, others) = scored.split_first()?;
        let (equivalent, mut different): (Vec<&Scored>, Vec<&Scored>) =
            others.iter().partition(|other| self.are_equivalent(&part, best.candidate, other.candidate));
        different.retain(|other| self.is_rival(&part, best.candidate, other.candidate));
        let encoding_of = |scored: &Scored| self.candidates[scored.candidate].encoding;
        let is_allowed = |encoding: &Encoding| self.stream.options.allows(*encoding);
        let candidate = &self.candidates[best.candidate];
        let encoding = candidate.encoding;
        let runner_up = different.iter().min_by_key(|other| self.total_as_text(other));
        Some(Guess {
            encoding,
            margin: match runner_up {
                _ if candidate.has_c1 => 0,
                Some(next) => {
                    let margin = self.total_as_text(next).saturating_sub(self.total_as_text(best)).min(FAR);
                    // `don’t`, `can´t`.
                    let has_not = || self.sample.windows(3).any(|bytes| matches!(bytes, [b'n', 0x92 | 0xB4, b't']));
                    let margin = margin / u64::from(BIT);
                    if margin < LEAST && encoding == MOST_COMMON && has_not() { LEAST } else { margin }
                }
                None => FAR / u64::from(BIT),
            },
            readings: self.readings(&part, best, &different),
            runner_up: runner_up.map(|next| encoding_of(next)),
            equivalent: equivalent.into_iter().map(encoding_of).filter(is_allowed).collect(),
            is_well_formed: candidate.is_well_formed() && (self.stream.errors)(encoding) == Some(0),
            is_alone: self.bytes.are_alone,
            evaluation: candidate.evaluate(&part, scoring, score, &mut Vec::new()),
            kind: TextKind::Text,
            kinds: self.bytes.non_ascii.len(),
            has_loose_signs: match encoding {
                Encoding::Ibm437 => has_loose_boxes(self.sample),
                Encoding::Legacy(Legacy::Windows1252) => has_loose_signs(self.sample),
                _ => false,
            },
        })
    }

    /// The total without the prior that few letters add.
    fn total_as_text(&self, scored: &Scored) -> u64 {
        scored.total - self.candidates[scored.candidate].sparse_prior
    }

    /// The readings other than the best.
    fn readings(&self, part: &Part<'_>, best: &Scored, others: &[&Scored]) -> Vec<Reading> {
        let mut found: Vec<(usize, Reading)> = Vec::new();
        for other in others {
            let encoding = self.candidates[other.candidate].encoding;
            if !self.stream.options.allows(encoding) {
                continue;
            }
            match found.iter_mut().find(|(first, _)| self.are_equivalent(part, *first, other.candidate)) {
                Some((_, reading)) => reading.equivalent.push(encoding),
                None => {
                    let behind = other.total - best.total;
                    let behind_as_text = self.total_as_text(other).saturating_sub(self.total_as_text(best));
                    let reading = Reading { encoding, equivalent: Vec::new(), behind, behind_as_text };
                    found.push((other.candidate, reading));
                }
            }
        }
        found.into_iter().map(|(_, reading)| reading).collect()
    }
}

/// The score of a reading, as far as it is known.
#[derive(Clone, Copy)]
enum Known {
    Nothing,
    Score(PartScore),
    /// It exceeds this limit.
    Over(u64),
}

/// A candidate with its total on a part.
#[derive(Clone, Copy)]
struct Scored {
    candidate: usize,
    total: u64,
}

/// The scores of the candidates on one part of the sample.
struct Round<'s, 'a> {
    search: &'s Search<'a>,
    part: Part<'a>,
    /// True if the part is the whole sample.
    is_whole: bool,
    margin: u64,
    scoring: Scoring<'s>,
    /// By candidate.
    known: Vec<Known>,
    /// The lowest total.
    best: u64,
    /// For tokens, reused.
    buffer: Vec<Token>,
}

impl<'s, 'a> Round<'s, 'a> {
    fn new(search: &'s Search<'a>, part: Part<'a>, margin: u64, scoring: Scoring<'s>) -> Round<'s, 'a> {
        let is_whole = part.len() == search.sample.len();
        let known = alloc::vec![Known::Nothing; search.candidates.len()];
        Round { search, part, is_whole, margin, scoring, known, best: u64::MAX, buffer: Vec::new() }
    }

    fn candidate(&self, at: usize) -> &'s Candidate {
        &self.search.candidates[at]
    }

    fn are_equivalent(&self, a: usize, b: usize) -> bool {
        self.search.are_equivalent(&self.part, a, b)
    }

    /// `u64::MAX` if the score is not known.
    fn total(&self, at: usize) -> u64 {
        match self.known[at] {
            Known::Score(score) => self.candidate(at).total(score, self.search.stream.options),
            _ => u64::MAX,
        }
    }

    fn score_up_to(&mut self, at: usize, limit: u64) -> Option<PartScore> {
        self.candidate(at).score(&self.part, self.scoring, limit, &mut self.buffer)
    }

    /// Scores the candidates, the likeliest by estimate first, up to the margin.
    fn score(&mut self, in_play: &[usize]) {
        let margin = if self.is_whole { self.margin.min(FAR) } else { self.margin };
        // The scores of readings, each shared by all candidates that have it.
        let mut of_readings = self.known.clone();
        let mut order = in_play.to_vec();
        order.sort_by_key(|&at| self.candidate(at).prior() + self.candidate(at).estimate);
        for at in order {
            let candidate = self.candidate(at);
            let limit = self.best.saturating_add(margin);
            let Some(limit) = limit.checked_sub(candidate.prior()) else { continue };
            let reading = match of_readings[candidate.same_as] {
                Known::Over(other) if other >= limit => Known::Over(other),
                Known::Score(score) => Known::Score(score),
                _ => self.score_up_to(at, limit).map_or(Known::Over(limit), Known::Score),
            };
            of_readings[candidate.same_as] = reading;
            self.known[at] = match reading {
                Known::Score(_) if !candidate.is_possible(self.search.stream) => Known::Nothing,
                known => known,
            };
            self.best = self.best.min(self.total(at));
        }
    }

    /// The candidates within the margin of the best.
    fn prune(&self, in_play: &[usize]) -> Vec<Scored> {
        let scored = in_play.iter().filter(|&&at| matches!(self.known[at], Known::Score(_)));
        let scored = scored.map(|&at| Scored { candidate: at, total: self.total(at) });
        scored.filter(|scored| scored.total <= self.best + self.margin).collect()
    }

    /// True if one reading is left, and it is text beyond doubt.
    fn is_settled(&mut self, scored: &[Scored]) -> bool {
        let Some(first) = scored.first() else { return true };
        let candidate = self.candidate(first.candidate);
        let Known::Score(score) = self.known[first.candidate] else { return false };
        !is_ebcdic(candidate.encoding)
            && !self.is_whole
            && scored.iter().all(|other| self.are_equivalent(first.candidate, other.candidate))
            && is_plain_text(candidate.encoding, &candidate.evaluate(&self.part, self.scoring, score, &mut self.buffer))
    }
}

/// True for bytes that are box drawing in IBM437 and make none: no two side by side are the same, or
/// shades, no two stretches are the same, and no bar is in two lines.
fn has_loose_boxes(sample: &[u8]) -> bool {
    let is_box = |byte: &u8| (0xB0..0xE0).contains(byte);
    let is_shade = |byte: u8| matches!(byte, 0xB0..=0xB2 | 0xDB..=0xDF);
    let bars = sample.split(|byte| *byte == b'\n').filter(|line| line.iter().any(|byte| matches!(byte, 0xB3 | 0xBA)));
    let mut stretches: Vec<&[u8]> = sample.split(|byte| !is_box(byte)).filter(|boxes| boxes.len() > 1).collect();
    let are_joined = |pair: &[u8]| pair[0] == pair[1] || (is_shade(pair[0]) && is_shade(pair[1]));
    let has_lines = stretches.iter().any(|boxes| boxes.windows(2).any(are_joined));
    stretches.sort_unstable();
    let is_repeated = stretches.windows(2).any(|pair| pair[0] == pair[1]);
    sample.iter().any(is_box) && !has_lines && !is_repeated && bars.take(2).count() < 2
}

/// True for bytes that are no text in windows-1252 if they are signs there: one that is a control, signs
/// next to each other that are no punctuation, a sign of numbers before a letter, or an accent between blanks.
fn has_loose_signs(sample: &[u8]) -> bool {
    let is_control = |byte: &u8| matches!(byte, 0x81 | 0x8D | 0x8F | 0x90 | 0x9D);
    let is_punctuation = |byte: u8| {
        matches!(byte, 0x82 | 0x84 | 0x85 | 0x8B | 0x91..=0x97 | 0x9B | 0xA0 | 0xA1 | 0xAB | 0xAD | 0xB7 | 0xBB | 0xBF)
    };
    let is_of_numbers = |byte: u8| matches!(byte, 0x86 | 0x87 | 0x89 | 0x99 | 0xA2..=0xA6 | 0xA8 | 0xAC | 0xAF | 0xB1..=0xB3 | 0xB8 | 0xB9 | 0xBC..=0xBE);
    let is_loose = |pair: &[u8]| match *pair {
        [sign, next] if next.is_ascii_alphabetic() || next == b'_' => is_of_numbers(sign),
        [a, b] if a >= 0x80 && b >= 0x80 => !is_punctuation(a) && !is_punctuation(b),
        _ => false,
    };
    let is_blank = |at: Option<usize>| at.and_then(|at| sample.get(at)).is_none_or(u8::is_ascii_whitespace);
    let is_accent = |(at, byte): (usize, &u8)| {
        matches!(byte, 0xA8 | 0xAF | 0xB4 | 0xB8) && is_blank(at.checked_sub(1)) && is_blank(Some(at + 1))
    };
    sample.iter().any(is_control) || sample.windows(2).any(is_loose) || sample.iter().enumerate().any(is_accent)
}

/// The end of a part of about `len` bytes: before white space, if there is some.
fn end_of_part(sample: &[u8], len: usize) -> usize {
    if sample.len() <= len.saturating_add(len / 2) {
        return sample.len();
    }
    let part = &sample[..len];
    part.iter().rposition(|&byte| byte <= b' ').filter(|&at| at > len / 2).unwrap_or(len)
}

/// True if more than half of the bytes are above 7F.
fn is_dense(part: &[u8]) -> bool {
    2 * part.iter().filter(|byte| !byte.is_ascii()).count() > part.len()
}
