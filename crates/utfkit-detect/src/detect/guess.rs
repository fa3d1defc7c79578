//! Which of the legacy encodings bytes are in: the one in which they are the
//! likeliest text.

use alloc::vec::Vec;

use super::Certainty;
use super::candidates::{all, is_ebcdic, is_single_byte, own_script};
use super::reading::{Bytes, Candidate, Part};
use crate::likelihood::{BIT, Cost, Likelihood, Script, Words};
use utfkit_core::Encoding;
use utfkit_core::Legacy;

/// The bytes that occur in a stream.
#[derive(Clone, Debug)]
pub(super) struct Seen([bool; 256]);

impl Seen {
    pub(super) fn none() -> Seen {
        Seen([false; 256])
    }

    pub(super) fn of(bytes: &[u8]) -> Seen {
        let mut seen = Seen::none();
        seen.add(bytes);
        seen
    }

    pub(super) fn has_byte(&self, byte: u8) -> bool {
        self.0[usize::from(byte)]
    }

    pub(super) fn has(&self, range: core::ops::RangeInclusive<u8>) -> bool {
        range.into_iter().any(|byte| self.0[usize::from(byte)])
    }

    pub(super) fn add(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0[usize::from(byte)] = true);
    }

    pub(super) fn bytes(&self) -> impl Iterator<Item = u8> {
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
        strangeness_beyond(self.encoding, &self.likelihood, quarters)
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
            40.. if self.fits && !self.is_list && is_plainly_text(self.encoding, &self.likelihood) => {
                Certainty::NearlyCertain
            }
            CLOSE.. if self.fits => Certainty::Likely,
            _ => Certainty::Guess,
        }
    }
}

fn strangeness_beyond(encoding: Encoding, likelihood: &Likelihood, quarters: i64) -> i64 {
    let fresh = i64::try_from(likelihood.fresh.max(1)).unwrap_or(i64::MAX);
    // By what texts of these scripts are like that are read in the right
    // encoding, 99 of 100.
    let (each, all) = match likelihood.script {
        _ if is_ebcdic(encoding) => (32, 64),
        Some(Script::Wide) => (76, 320),
        Some(Script::Latin) | None => (80, 480),
        Some(_) => (28, 300),
    };
    likelihood.strangeness() - (each + all / fresh) * quarters / 4
}

/// Whether a text of more than a few letters is far from strange.
fn is_plainly_text(encoding: Encoding, likelihood: &Likelihood) -> bool {
    likelihood.fresh >= 8 && strangeness_beyond(encoding, likelihood, 2) <= 0
}

/// So few bits may be chance: one in a hundred.
const CLOSE: u64 = 7;

/// The sample is judged in ever larger parts; those that cost so much more then are
/// out. Of the front of a page hardly anything may be text.
const PARTS: [(usize, u64); 4] = [(SHORT, 3 * FAR), (400, 2 * FAR), (2_000, FAR), (usize::MAX, FAR)];
/// The first one, where more than half of it is above 7F: that tells scripts apart.
const SHORT: usize = 150;
const FAR: u64 = 60 * BIT as u64;

/// What any other encoding costs than the one that the text declares: those who
/// write it there know, as a rule; but a Western name often comes with a template
/// alone.
const UNDECLARED: u64 = 40 * BIT as u64;
const TEMPLATE: u64 = 12 * BIT as u64;

pub(super) const fn undeclared(declared: Encoding) -> u64 {
    match declared {
        Encoding::Latin1 | Encoding::Legacy(Legacy::Windows1252) => TEMPLATE,
        _ => UNDECLARED,
    }
}

/// What is known of a stream beside its sample.
pub(super) struct Stream<'a> {
    pub(super) seen: &'a Seen,
    /// Whether the sample has all that is above 7F.
    pub(super) is_cut: bool,
    /// Whether the bytes may be EBCDIC.
    pub(super) may_be_ebcdic: bool,
    /// Whether it may be in an encoding with longer characters, by a glance.
    pub(super) may_be: &'a dyn Fn(Encoding) -> bool,
    /// How many sequences of an encoding with longer characters are ill-formed in the
    /// stream; nothing if it is out.
    pub(super) ill_formed: &'a dyn Fn(Encoding) -> Option<u64>,
    /// The encoding that the text declares.
    pub(super) declared: Option<Encoding>,
}

/// How the cost of a text is measured.
#[derive(Clone, Copy)]
pub(super) enum Measure<'a> {
    /// In the language that suits it.
    AsText,
    /// Word by word.
    AsList(&'a Words),
}

/// The encoding that `sample` is in, of a stream of which it is a part.
pub(super) fn guess(sample: &[u8], stream: &Stream<'_>) -> Option<Guess> {
    let mut weighing = Weighing::new(sample, stream);
    let guess = weighing.guess(Measure::AsText)?;
    if guess.is_text() || guess.likelihood.script != Some(Script::Latin) || is_ebcdic(guess.encoding) {
        return Some(guess);
    }
    // Such as names from several countries.
    let list = weighing.guess(Measure::AsList(&Words::default()))?;
    let is_latin = list.likelihood.script == Some(Script::Latin) && own_script(list.encoding).is_none();
    let is_list = is_latin && list.margin >= CLOSE && list.is_text();
    Some(if is_list { Guess { is_list, ..list } } else { guess })
}

/// A sample, and the encodings in which it may be.
struct Weighing<'a> {
    sample: &'a [u8],
    stream: &'a Stream<'a>,
    bytes: Bytes,
    candidates: Vec<Candidate>,
}

/// What is known of a candidate by a part of the sample.
#[derive(Clone, Copy)]
enum Known {
    Nothing,
    /// What the text costs, in what language, and what it costs as it is measured.
    Cost(Cost, u64),
    /// It costs more than so much.
    More(u64),
}

impl<'a> Weighing<'a> {
    fn new(sample: &'a [u8], stream: &'a Stream<'a>) -> Weighing<'a> {
        let bytes = Bytes::new(sample, stream);
        let candidates = all()
            .filter(|&(encoding, _)| stream.may_be_ebcdic || !is_ebcdic(encoding))
            .filter_map(|(encoding, prior)| Candidate::new(encoding, prior, &bytes, stream));
        let candidates = candidates.collect();
        Weighing { sample, stream, bytes, candidates }
    }

    fn guess(&mut self, measure: Measure<'_>) -> Option<Guess> {
        let Weighing { sample, stream, bytes, candidates } = self;
        let mut alive: Vec<usize> = (0..candidates.len()).collect();
        let mut costs: Vec<(Cost, u64, u64)> = Vec::new();
        let mut judged = 0;
        let mut buffer = Vec::new();
        let mut last = None;
        for (number, (size, far)) in PARTS.into_iter().enumerate() {
            let len = end_of_part(sample, size);
            if number == 0 && (len == sample.len() || !is_dense(&sample[..len])) {
                continue;
            }
            if len == judged {
                break;
            }
            judged = len;
            let part = Part::new(&sample[..len]);
            let is_cut = len < sample.len() || stream.is_cut;
            for (place, &at) in alive.iter().enumerate() {
                let (read, rest) = candidates.split_at_mut(at);
                rest[0].read(at, &part, bytes, is_cut, read, &alive[..place]);
            }
            let mut least = u64::MAX;
            // Of all of the sample only the best one and the next one that reads it otherwise
            // are of interest, and how far that is up to `FAR`: `enough` is the next one's.
            let is_all = len == sample.len();
            let (mut best, mut enough) = (None, u64::MAX);
            let is_alike = |a: usize, b: usize| {
                let (a, b) = (&candidates[a], &candidates[b]);
                a.reads_the_same(b, &part) && a.reads_alike(b, bytes)
            };
            let mut known = alloc::vec![Known::Nothing; candidates.len()];
            let mut of_texts = known.clone();
            let whole = |known: &[Known], at: usize| match known[at] {
                Known::Cost(cost, of) => candidates[at].whole(cost, of),
                _ => u64::MAX,
            };
            // The likeliest first: most others need not be read to the end then.
            let mut order = alive.clone();
            order.sort_by_key(|&at| candidates[at].before() + candidates[at].about);
            for (place, &at) in order.iter().enumerate() {
                let candidate = &candidates[at];
                let most = least.saturating_add(if is_all { far.min(FAR) } else { far }).min(enough);
                let Some(most) = most.checked_sub(candidate.before()) else { continue };
                let same = &mut of_texts[candidate.like];
                *same = match *same {
                    Known::More(other) if other >= most => Known::More(other),
                    Known::Cost(cost, of) => Known::Cost(cost, of),
                    _ => candidate
                        .weigh(&part, measure, most, &mut buffer)
                        .map_or(Known::More(most), |(cost, of)| Known::Cost(cost, of)),
                };
                known[at] = match *same {
                    Known::Cost(..) if !candidate.is_possible(stream) => Known::Nothing,
                    known => known,
                };
                let cost = whole(&known, at);
                if cost < least {
                    (least, best) = (cost, Some(at));
                    let others = order[..place].iter().filter(|other| is_all && !is_alike(at, **other));
                    enough = others.map(|other| whole(&known, *other)).min().unwrap_or(u64::MAX);
                } else if is_all && cost < enough && best.is_some_and(|best| !is_alike(best, at)) {
                    enough = cost;
                }
            }
            // Those that read all of it as the best one does are named, unless they are far.
            let best = alive.iter().copied().filter(|_| is_all).min_by_key(|&at| whole(&known, at));
            for &at in alive.iter().filter(|_| is_all) {
                if let Some(best) = best
                    && !matches!(known[at], Known::Cost(..))
                    && is_alike(best, at)
                    && let Some(most) = least.saturating_add(far).checked_sub(candidates[at].before())
                    && let Some((cost, of)) = candidates[at].weigh(&part, measure, most, &mut buffer)
                    && candidates[at].is_possible(stream)
                {
                    known[at] = Known::Cost(cost, of);
                }
            }
            let mut kept = Vec::with_capacity(alive.len());
            costs.clear();
            for at in alive {
                if let Known::Cost(cost, of) = known[at]
                    && candidates[at].whole(cost, of) <= least + far
                {
                    kept.push(at);
                    costs.push((cost, of, candidates[at].whole(cost, of)));
                }
            }
            alive = kept;
            // One is left, or all read the same, and that is text beyond doubt.
            let first = &candidates[*alive.first()?];
            let is_alike = |at: &usize| {
                let other = &candidates[*at];
                first.reads_the_same(other, &part) && first.reads_alike(other, bytes)
            };
            let is_sure = number > 1 && !is_ebcdic(first.encoding) && !is_all && alive.iter().all(is_alike) && {
                let (cost, of, _) = costs[0];
                is_plainly_text(first.encoding, &first.likelihood(&part, measure, cost, of, &mut buffer))
            };
            last = Some(part);
            if is_sure {
                break;
            }
        }
        let part = last?;
        let mut order: Vec<(u64, usize, Cost, u64)> =
            alive.into_iter().zip(costs).map(|(at, (cost, of, whole))| (whole, at, cost, of)).collect();
        order.sort_by_key(|(whole, ..)| *whole);
        let (&(least, at, cost, of), others) = order.split_first()?;
        let best = &candidates[at];
        let is_alike = |other: &&(u64, usize, Cost, u64)| {
            let other = &candidates[other.1];
            best.reads_the_same(other, &part) && best.reads_alike(other, bytes)
        };
        let next = others.iter().find(|other| !is_alike(other));
        Some(Guess {
            encoding: best.encoding,
            margin: next.map_or(FAR, |next| next.0 - least).min(FAR) / u64::from(BIT),
            next: next.map(|next| candidates[next.1].encoding),
            alike: others.iter().filter(is_alike).map(|other| candidates[other.1].encoding).collect(),
            fits: best.is_well_formed() && (stream.ill_formed)(best.encoding) == Some(0),
            likelihood: best.likelihood(&part, measure, cost, of, &mut buffer),
            is_list: false,
        })
    }
}

/// Where a part of the sample ends: before white space, if there is some.
fn end_of_part(sample: &[u8], part: usize) -> usize {
    if sample.len() <= part.saturating_add(part / 2) {
        return sample.len();
    }
    let until = &sample[..part];
    until.iter().rposition(|&byte| byte <= b' ').filter(|&at| at > part / 2).unwrap_or(part)
}

/// Whether more than half of some bytes are above 7F.
fn is_dense(part: &[u8]) -> bool {
    2 * part.iter().filter(|byte| !byte.is_ascii()).count() > part.len()
}
