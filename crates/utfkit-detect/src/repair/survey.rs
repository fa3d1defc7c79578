//! Finds the encodings in which a whole text was read by mistake.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;

use super::blanks::Blanks;
use super::crossing::{misreading, siblings};
use super::item::{Blank, Item, items};
use super::meant::{intended_bonus, is_about, is_further_of_signs, is_meant};
use super::misreading::{EncodingSet, Index, Misreadings};
use super::options::Options;
use super::scanner::{Event, Scanner};
use super::search::{
    Chain, Found, MARGIN, MIN_GAIN, Undone, differ_in_letters_alone, follow, hash, score, search, words,
};
use super::several::{Parts, Reading, left, merged};
use super::undo::indices;

/// The least gain of a line without a survey, in bits.
const MIN_GAIN_ALONE: i64 = 16;
/// The least gain of a crossing, in bits, in a text without anything else.
const MIN_GAIN_CROSSED: i64 = 10;
/// A lower gain is chance.
const CHANCE: i64 = 4;
/// Where more than 2 to the power of this is clean for each character that is not, lines have to gain more than
/// chance does, by `BEYOND_CHANCE` bits.
const LONG: i64 = 6;
const BEYOND_CHANCE: i64 = 6;
/// From this gain on, and with little else in the text, lines are undone unscored.
const BEYOND_DOUBT: i64 = 200;

/// The most chains of a text.
const MAX_CHAINS: usize = 8;
/// The most lines that are kept to tell encodings apart.
const MAX_OPEN: usize = 16;
/// The bytes that are scored, plus one in `SCORED_SHARE` of those read.
const SCORED: u64 = 512 << 10;
const SCORED_SHARE: u64 = 64;

/// The bytes that are tried in crossings in vain, plus one in `TRIED_SHARE` of those read.
const TRIED: u64 = 1 << 10;
const TRIED_SHARE: u64 = 2048;

/// The result of a [`Survey`]. The default is that of no survey.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// By falling gain. `None` without a survey.
    chains: Option<Vec<ChainEvidence>>,
    /// Characters beyond US-ASCII that were not encoded twice.
    clean: u64,
    /// The places where a space may be U+00A0.
    blanks: Blanks,
    pub(super) table: Option<Arc<Misreadings>>,
}

/// The evidence for a chain.
#[derive(Clone, Copy, Debug)]
struct ChainEvidence {
    chain: Chain,
    /// In bits.
    gain: i64,
    /// By how many bits the text is likelier than that of any other encoding.
    margin: i64,
    /// True if some line tells them apart.
    is_told: bool,
    /// The lines that were scored and had new runs for it.
    lines: u64,
    /// The part of the gain from lines that were not scored.
    unscored: i64,
    /// The sequences that it undoes.
    sequences: u64,
    /// The encodings that would have undone the same in its place, where it is a single one.
    alike: EncodingSet,
    /// The encodings that fit all of its lines, as the same text or another.
    fits: EncodingSet,
}

impl ChainEvidence {
    /// The binary logarithm of the number of characters that were not encoded twice, for each that was.
    fn doublings(&self, clean: u64) -> i64 {
        i64::from((clean / self.sequences.max(1)).checked_ilog2().unwrap_or(0))
    }

    /// True for a single encoding that UTF-8 was read in.
    fn is_single(&self) -> bool {
        self.chain.encodings().len() == 1 && self.chain.crossing().is_none()
    }

    /// The encodings that would have undone all but this line in the same way.
    fn others(&self, table: &Misreadings, line: &[Item]) -> EncodingSet {
        let [encoding] = *self.chain.encodings() else { return 0 };
        if self.chain.crossing().is_some() || self.alike == 1 << encoding {
            return 0;
        }
        let numbers = table.numbers(line);
        let is_other = |index: &Index| !table.are_equivalent(encoding, *index, &numbers);
        indices(self.alike).filter(is_other).fold(0, |set, index| set | 1 << index)
    }
}

impl Evidence {
    /// True if a survey found text that was read in another encoding.
    pub(super) fn has_crossing(&self) -> bool {
        self.chains.iter().flatten().any(|evidence| evidence.chain.crossing().is_some())
    }

    /// True if some of the text may have been read in another encoding, which gives a text that is nearly as likely.
    pub fn is_doubtful(&self) -> bool {
        self.chains.iter().flatten().any(|evidence| evidence.margin < MARGIN)
    }

    /// True if a survey found nothing that was encoded twice.
    pub fn is_empty(&self) -> bool {
        self.chains.as_ref().is_some_and(Vec::is_empty)
    }

    /// By falling gain.
    fn chains(&self) -> impl Iterator<Item = &Chain> {
        self.chains.iter().flatten().map(|evidence| &evidence.chain)
    }

    /// Undoes a line if the evidence suffices.
    pub(super) fn read(&self, table: &Misreadings, line: &[Item], cut: bool) -> Option<Reading> {
        let mut reading = self.read_words(table, line, cut, self.chains().count())?;
        // The neighbours of a space may be words that another chain explains.
        self.blanks.settle(&mut reading.items, line);
        Some(reading)
    }

    /// Undoes up to `most` chains and one.
    fn read_words(&self, table: &Misreadings, line: &[Item], cut: bool, most: usize) -> Option<Reading> {
        let (undone, parts) = self.undo(table, line, cut)?;
        let Some(Parts { after: own, rest, .. }) = parts else { return Some(Reading::of(undone, line)) };
        let others = most.checked_sub(1).and_then(|most| self.read_words(table, &rest, cut, most));
        let Some(others) = others else {
            return Some(Reading::of(Undone { items: merged(&own, &rest), ..undone }, line));
        };
        let items = merged(&own, &others.items);
        let mut chains: Vec<(u32, Chain)> = Vec::new();
        for item in items.iter().filter(|item| item.is_undone) {
            let is_own = own.binary_search_by_key(&item.end, |own| own.end).is_ok();
            let chain = if is_own { undone.chain } else { others.chain(item.end as usize) };
            // A space after it may become a part of it.
            chains.push((item.end + u32::from(item.blank == Blank::After), chain));
        }
        let end = if others.is_open { others.end } else { undone.end };
        Some(Reading { items, end, is_open: others.is_open, chains })
    }

    /// The parts of a line if another chain explains some of its words, or may do so.
    #[inline(never)]
    fn parts(&self, table: &Misreadings, line: &[Item], undone: &Undone) -> Option<Parts> {
        let others = || self.chains().filter(|chain| chain.crossing().is_none() && **chain != undone.chain);
        if undone.chain.crossing().is_some() || undone.fit.open > 0 || others().next().is_none() {
            return None;
        }
        let is_other = |before: &[Item], after: &[Item]| {
            others().any(|chain| {
                let other = follow(table, chain, before, false).filter(|other| other.chain == *chain);
                other.is_some_and(|other| {
                    other.fit.others + other.fit.elsewhere == 0
                        && score(&words(&other.items)) + CHANCE <= score(&words(after))
                })
            })
        };
        Some(Parts::of(line, &undone.items, &is_other)).filter(|parts| !parts.is_all())
    }

    /// Undoes what one of the chains explains of a line, if the evidence suffices.
    fn undo(&self, table: &Misreadings, line: &[Item], cut: bool) -> Option<(Undone, Option<Parts>)> {
        let Some(chains) = &self.chains else {
            let found = search(table, line, &words(line), cut, true).filter(|found| found.gain >= MIN_GAIN_ALONE)?;
            return Some((follow(table, &found.undone.chain, line, cut)?, None));
        };
        let longest = chains.iter().map(|evidence| evidence.chain.encodings().len()).max().unwrap_or(0);
        let mut best: Option<(Undone, ChainEvidence)> = None;
        for evidence in chains {
            let Some(undone) = follow(table, &evidence.chain, line, cut) else { continue };
            // The most runs, then the longest chain: a shorter one is a part of it.
            let key = |undone: &Undone| (undone.fit.runs, undone.chain.encodings().len());
            let is_better = best.as_ref().is_none_or(|(other, _)| {
                let is_complete = other.fit.others == 0 && other.chain.encodings().len() == longest;
                let is_likelier = || is_likelier(&undone.items, &other.items);
                let crossings = (undone.chain.crossing(), other.chain.crossing());
                let is_single = crossings.0.is_none() && crossings.1.is_none();
                match (key(&undone).cmp(&key(other)), crossings) {
                    (_, (Some(crossing), Some(other))) if crossing.is_kin(other) => is_likelier(),
                    (Ordering::Greater, _) => !is_complete,
                    (Ordering::Equal, _) => is_single && is_likelier(),
                    (Ordering::Less, _) => false,
                }
            });
            if is_better {
                best = Some((undone, *evidence));
            }
        }
        let (mut undone, evidence) = best?;
        undone.keep_parts(table, line);
        let clean = i64::try_from(self.clean).unwrap_or(i64::MAX);
        let is_crossing = undone.chain.crossing().is_some();
        let crossing = undone.chain.crossing().filter(|_| undone.chain.encodings().len() == 1);
        let is_residue = || crossing.is_some_and(|crossing| table.is_doubled(crossing, line));
        if is_about(line, &undone.items) || is_residue() {
            return None;
        }
        let mut parts = self.parts(table, line, &undone);
        if is_crossing || evidence.gain < BEYOND_DOUBT || evidence.gain / 16 < clean {
            let words = words(parts.as_ref().map_or(line, |parts| &parts.before));
            let after = follow(table, &undone.chain, &words, cut)?;
            let gain = score(&words) - score(&after.items);
            let is_enough = match self.clean {
                0 => gain >= 0,
                clean if clean <= 4 * evidence.sequences => gain - intended_bonus(&words) >= CHANCE,
                clean => gain - intended_bonus(&words) >= MIN_GAIN.max(evidence.doublings(clean)),
            };
            if !is_enough || is_meant(table, line, after.chain.encodings(), &after.items) {
                return None;
            }
        }
        if let Some(parts) = &mut parts {
            core::mem::swap(&mut undone.items, &mut parts.after);
            let end = undone.end;
            undone = Undone { end, ..self.undo_further(table, undone, false) };
            core::mem::swap(&mut undone.items, &mut parts.after);
        } else {
            undone = self.undo_further(table, undone, cut);
        }
        Some((undone, parts))
    }

    /// Undoes what is left in the text that was undone, if it was misread more often than the rest.
    #[inline(never)]
    fn undo_further(&self, table: &Misreadings, mut undone: Undone, cut: bool) -> Undone {
        while undone.chain.crossing().is_none() {
            let mut further: Option<Undone> = None;
            for chain in self.chains() {
                let known = further.as_ref().map_or(0, |further| further.fit.runs);
                further = follow(table, chain, &undone.items, cut).filter(|read| read.fit.runs > known).or(further);
            }
            let Some(further) = further else { break };
            // All of it was undone before.
            let is_left = |item: &Item| {
                let at = further.items.binary_search_by_key(&item.end, |other| other.end);
                at.is_ok_and(|at| further.items[at].c == item.c)
            };
            let mut others = undone.items.iter().filter(|item| !item.is_undone && !item.c.is_ascii());
            let (before, after) = (words(&undone.items), words(&further.items));
            let chain = further.chain.encodings().iter().try_fold(undone.chain, |chain, index| chain.and(*index));
            let Some(chain) = chain.filter(|_| others.all(is_left) && score(&before) >= score(&after) + MIN_GAIN)
            else {
                break;
            };
            if is_further_of_signs(&undone.items, &further.items) {
                break;
            }
            undone = Undone { chain, fit: undone.fit, ..further };
        }
        undone
    }
}

/// True if a text is likelier than another one that the same line was read as for better evidence.
fn is_likelier(text: &[Item], other: &[Item]) -> bool {
    // An undoing makes text shorter: a longer result undid less.
    text.len() <= other.len()
        && text.iter().zip(other).any(|(a, b)| a.c != b.c)
        && score(&words(text)) + MIN_GAIN <= score(&words(other))
}

/// Reads a whole text before it is repaired.
///
/// ```
/// use utfkit::repair::{Options, Stretch, Repairer, Survey};
///
/// let options = Options::new().undouble(true);
/// let bytes = "Å™eka, pÅ™Ã­pad, dÅ¯m".as_bytes();
///
/// let mut survey = Survey::new(&options);
/// survey.feed(bytes);
/// let mut repairer = Repairer::new(options).with_evidence(survey.finish());
///
/// let mut text = Vec::new();
/// let mut take = |piece: Stretch<'_>| text.extend_from_slice(piece.text());
/// repairer.feed(bytes, &mut take);
/// repairer.finish(&mut take);
/// assert_eq!(String::from_utf8(text).unwrap(), "řeka, případ, dům");
/// ```
#[derive(Clone, Debug)]
pub struct Survey {
    scanner: Scanner,
    counts: Counts,
}

#[derive(Clone, Debug, Default)]
struct Counts {
    chains: Vec<ChainEvidence>,
    /// See [`Evidence::clean`].
    clean: u64,
    /// See [`Evidence::blanks`].
    blanks: Blanks,
    /// Bytes read, and bytes of the lines that were scored.
    read: u64,
    scored: u64,
    /// Bytes of the lines that were tried in crossings, less those that were found in one.
    tried: u64,
    recent: RecentRuns,
    /// The words of a few lines that are other texts in other encodings, nearly as likely.
    open: Vec<Vec<Item>>,
}

/// Hashes of the last runs that were undone.
#[derive(Clone, Debug)]
struct RecentRuns {
    hashes: [u32; 64],
    next: usize,
}

impl Default for RecentRuns {
    fn default() -> RecentRuns {
        RecentRuns { hashes: [0; 64], next: 0 }
    }
}

impl RecentRuns {
    /// Adds the runs of a line; returns the gain of those that are new for their chain, as if each were
    /// there once. `bonus` was subtracted from the gain of the line; for a single run it is half.
    fn new_gain(&mut self, Undone { chain, items, .. }: &Undone, gain: i64, bonus: i64) -> i64 {
        let (mut total, mut new): (i64, i64) = (0, 0);
        // One text that was misread in two ways is evidence for both.
        let of_chain = chain.encodings().iter().fold(0, |hash: u32, index| hash << 5 ^ u32::from(*index));
        for run in items.split(|item| !item.is_undone).filter(|run| !run.is_empty()) {
            let hash = hash(run) ^ of_chain;
            total += 1;
            if !self.hashes.contains(&hash) {
                new += 1;
                self.hashes[self.next] = hash;
                self.next = (self.next + 1) % self.hashes.len();
            }
        }
        match new {
            0 => 0,
            _ if new == total => gain,
            _ => (gain + bonus).saturating_mul(new) / total - bonus / 2,
        }
    }
}

impl Survey {
    /// A survey for a repair with these options.
    pub fn new(options: &Options) -> Survey {
        Survey { scanner: Scanner::new(options.undouble, options.reinterpret), counts: Counts::default() }
    }

    /// Takes the next bytes of the text.
    pub fn feed(&mut self, chunk: &[u8]) {
        self.scan(chunk, false);
    }

    /// Ends the text, and returns the evidence.
    pub fn finish(mut self) -> Evidence {
        self.scan(&[], true);
        let Survey { scanner, mut counts } = self;
        let table = scanner.table();
        if let Some(table) = &table {
            counts.settle(table);
        }
        let Counts { mut chains, clean, blanks, .. } = counts;
        // A lead byte that lost the rest of its character is a letter in some other encoding. A misreading from
        // another encoding than that of the doubled text needs more evidence than the doubled text has.
        if let Some(doubled) = chains.iter().filter(|known| known.is_single()).max_by_key(|known| known.gain).copied() {
            let read = misreading(doubled.chain.encodings()[0]).encoding;
            chains.retain(|known| {
                let crossing = known.chain.crossing().filter(|_| known.chain.encodings().len() == 1);
                crossing.is_none_or(|crossing| {
                    crossing.is_of_controls() || crossing.read == read || known.gain > doubled.gain
                })
            });
        }
        // Longer texts have more chance, though not of one thing again and again.
        let min_gain = |evidence: &ChainEvidence| {
            let doublings = evidence.doublings(clean);
            let of_text = match evidence.chain.crossing() {
                // The rest of the text speaks against it: it was not read in that encoding.
                Some(crossing) if !crossing.is_of_controls() => MIN_GAIN_CROSSED + doublings * 6,
                _ => MIN_GAIN + doublings * 2,
            };
            // In a text of this length, some lines gain as much by chance.
            let lines = i64::try_from(evidence.lines).unwrap_or(i64::MAX);
            let of_lines = if doublings < LONG { 0 } else { lines.saturating_mul(doublings + BEYOND_CHANCE) };
            of_text.max(of_lines.saturating_add(evidence.unscored))
        };
        chains.retain(|evidence| evidence.gain >= min_gain(evidence));
        chains.sort_by_key(|evidence| -evidence.gain);
        Evidence { chains: Some(chains), clean, blanks, table }
    }

    fn scan(&mut self, chunk: &[u8], last: bool) {
        let Survey { scanner, counts } = self;
        scanner.feed(chunk, last, &mut |event| match event {
            Event::Text(text) => {
                counts.read += text.len() as u64;
                counts.clean += non_ascii(text);
                0
            }
            Event::Line { text, cut, has_sequence, is_odd, table } => {
                let is_odd = is_odd && counts.may_try(text.len());
                let done = match has_sequence || is_odd {
                    true => counts.line(table, text, cut, is_odd),
                    false => counts.clean_line(text),
                };
                counts.read += done as u64;
                done
            }
            Event::IllFormed { bytes, .. } => {
                counts.read += bytes.len() as u64;
                0
            }
        });
    }
}

impl Counts {
    fn clean_line(&mut self, text: &str) -> usize {
        if self.has_budget() {
            self.clean += non_ascii(text.as_bytes());
        }
        text.len()
    }

    /// True if a line of this length may be tried in all crossings.
    fn may_try(&mut self, len: usize) -> bool {
        let is_affordable = self.tried <= TRIED + self.read / TRIED_SHARE;
        if is_affordable {
            self.tried += len as u64;
        }
        is_affordable
    }

    /// True if more lines may be scored.
    fn has_budget(&self) -> bool {
        self.scored <= SCORED + self.read / SCORED_SHARE
    }

    /// Takes the encoding of other lines for those that it gives the same text, or one that is nearly as likely.
    fn settle(&mut self, table: &Misreadings) {
        for at in 0..self.chains.len() {
            let of = self.chains[at];
            let mut best = (i64::MAX, of.chain);
            for rival in self.rivals(&of) {
                let Some(rival) = Chain::default().and(rival) else { continue };
                if let Some(behind) = self.behind(table, of.chain, rival)
                    && behind < best.0
                {
                    best = (behind, rival);
                }
            }
            let (behind, rival) = best;
            if behind == i64::MAX {
                continue;
            }
            let known = &mut self.chains[at];
            known.margin = known.margin.min(behind.abs());
            if behind < 0 {
                known.chain = rival;
            }
        }
        let mut at = 0;
        while at < self.chains.len() {
            let of = self.chains[at];
            let is_same = |other: &ChainEvidence| {
                let is_alike =
                    || of.is_single() && other.is_single() && of.alike >> other.chain.encodings()[0] & 1 == 1;
                other.chain == of.chain || is_alike()
            };
            let others = self.chains.iter_mut().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| other);
            match others.filter(|other| is_same(other)).max_by_key(|other| other.gain) {
                Some(other) => {
                    other.gain += of.gain;
                    other.margin = other.margin.min(of.margin);
                    other.lines += of.lines;
                    other.unscored += of.unscored;
                    other.sequences += of.sequences;
                    self.chains.remove(at);
                }
                None => at += 1,
            }
        }
    }

    /// The encodings that a chain of one may be taken for.
    fn rivals(&self, of: &ChainEvidence) -> Vec<Index> {
        let mut rivals = Vec::new();
        let &[index] = of.chain.encodings() else { return rivals };
        let own = of.chain.crossing();
        for other in &self.chains {
            let &[other_index] = other.chain.encodings() else { continue };
            let is_rival = match (own, other.chain.crossing()) {
                (Some(own), Some(other)) => own.is_kin(other),
                (None, None) => of.fits >> other_index & 1 == 1,
                _ => false,
            };
            if is_rival && other_index != index {
                rivals.push(other_index);
            }
        }
        // In an encoding that nothing else was written in, an apostrophe is no letter.
        if own.is_some_and(|own| !own.is_of_controls()) {
            rivals.extend(siblings(index));
        }
        rivals
    }

    /// By how many bits the lines that are kept are less likely in a rival than in a chain; `None` if no line is
    /// another text.
    fn behind(&self, table: &Misreadings, own: Chain, rival: Chain) -> Option<i64> {
        let mut behind = rival.prior() - own.prior();
        let mut is_other = false;
        for words in &self.open {
            let Some(text) = undone_whole(table, own, words) else { continue };
            let other = undone_whole(table, rival, words);
            let cost = score(&text);
            let other_cost = other.as_deref().map_or(cost + MIN_GAIN, score);
            if cost.min(other_cost) + CHANCE <= score(words) {
                if !other.as_ref().is_some_and(|other| differ_in_letters_alone(&text, other)) {
                    behind += other_cost - cost;
                }
                is_other |= other.is_some_and(|other| is_another(&text, &other));
            }
        }
        is_other.then_some(behind)
    }

    /// Scores a line; returns how much of it is decided.
    fn line(&mut self, table: &Misreadings, text: &str, cut: bool, is_odd: bool) -> usize {
        let has_budget = self.has_budget();
        if !has_budget && self.chains.iter().all(|evidence| evidence.gain < BEYOND_DOUBT) {
            return text.len();
        }
        let line = items(text);
        let is_known = |evidence: &&ChainEvidence| evidence.gain >= BEYOND_DOUBT && evidence.chain.crossing().is_none();
        let known = self.chains.iter().filter(is_known);
        let longest = known
            .filter_map(|known| follow(table, &known.chain, &line, cut).filter(|undone| undone.chain == known.chain))
            .max_by_key(|undone| (undone.fit.runs, undone.chain.encodings().len()));
        // A known chain explains all of it, as no other does: no search.
        if let Some(undone) = longest
            && undone.fit.others == 0
            && let Some(known) = self.chains.iter_mut().find(|known| known.chain == undone.chain)
            && let others = known.others(table, &line)
            && let fits = fitting(table, &line, known.fits)
            && others & fits == 0
        {
            (known.alike, known.fits) = (known.alike & !others, fits);
            known.sequences += undone.fit.sequences as u64;
            self.blanks.add(&undone.items, undone.fit.broken);
            self.clean += undone.fit.elsewhere as u64;
            let gain = i64::try_from(undone.fit.sequences).unwrap_or(0);
            known.gain += gain;
            known.unscored += gain;
            return undone.end;
        }
        if !has_budget {
            return text.len();
        }
        let found = self.search(table, &line, cut, is_odd);
        let is_found = found.is_some();
        let mut undone = found.and_then(|chain| follow(table, &chain, &line, cut));
        let end = undone.as_ref().map_or(text.len(), |undone| undone.end);
        if let Some(undone) = &undone {
            self.blanks.add(&undone.items, undone.fit.broken);
        }
        if !is_found {
            self.clean += non_ascii(text.as_bytes());
            let mut known =
                self.chains.iter().filter(|known| known.gain >= MIN_GAIN && known.chain.crossing().is_none());
            undone = known.find_map(|known| follow(table, &known.chain, &line, cut));
        }
        // Other words may have been misread in another encoding.
        let mut line = line;
        while let Some(known) = undone.take() {
            line = left(&line, &known);
            let next = match line.iter().all(|item| item.c.is_ascii()) {
                true => None,
                false => self.search(table, &line, cut, false),
            };
            match next {
                Some(chain) => undone = follow(table, &chain, &line, cut),
                None if is_found => self.clean += (known.fit.others + known.fit.elsewhere) as u64,
                None => {}
            }
        }
        end
    }

    /// Adds the likeliest chain of a line to the evidence.
    #[inline(never)]
    fn search(&mut self, table: &Misreadings, line: &[Item], cut: bool, is_odd: bool) -> Option<Chain> {
        let words = words(line);
        let Some(found) = search(table, line, &words, cut, is_odd) else {
            if is_odd && self.open.len() < MAX_OPEN {
                self.open.push(words);
            }
            return None;
        };
        let (margin, has_rival) = (found.margin(), found.has_rival());
        let Found { undone, gain, .. } = found;
        // Where others give the same text, it does not tell which one it is.
        let is_telling = has_rival || undone.chain.crossing().is_some() || {
            let fits = fitting(table, line, EncodingSet::MAX);
            fits & fits.wrapping_sub(1) == 0
        };
        let bytes = line.iter().map(|item| item.c.len_utf8() as u64).sum::<u64>();
        self.scored += bytes;
        if gain < CHANCE {
            return None;
        }
        // A repeated run is no new evidence.
        let gain = self.recent.new_gain(&undone, gain, intended_bonus(&words));
        if gain < 0 {
            return None;
        }
        let sequences = undone.fit.sequences as u64;
        if undone.chain.crossing().is_some() {
            self.tried = self.tried.saturating_sub(2 * bytes);
        }
        if self.open.len() < MAX_OPEN && (has_rival || is_open(table, undone.chain, &words)) {
            self.open.push(words);
        }
        if let Some(known) = self.chains.iter_mut().find(|known| known.chain == undone.chain) {
            known.gain += gain;
            if gain > 0 && is_telling {
                known.margin = margin + if known.is_told { known.margin } else { 0 };
                known.is_told = true;
            }
            known.lines += u64::from(gain > 0);
            known.sequences += sequences;
            known.alike &= !known.others(table, line);
            known.fits = fitting(table, line, known.fits);
        } else if self.chains.len() < MAX_CHAINS {
            let mut new = ChainEvidence {
                chain: undone.chain,
                gain,
                margin,
                is_told: is_telling,
                lines: 1,
                unscored: 0,
                sequences,
                alike: EncodingSet::MAX,
                fits: fitting(table, line, EncodingSet::MAX),
            };
            new.alike &= !new.others(table, line);
            self.chains.push(new);
        }
        Some(undone.chain)
    }
}

/// The encodings that all of the line fits, of these.
fn fitting(table: &Misreadings, line: &[Item], encodings: EncodingSet) -> EncodingSet {
    let runs = line.split(|item| item.c.is_ascii()).filter(|run| !run.is_empty());
    runs.fold(encodings, |set, run| set & table.could_fit(run.iter().map(|item| item.c)))
}

/// The text of words with a chain undone, if all of them fit.
fn undone_whole(table: &Misreadings, chain: Chain, words: &[Item]) -> Option<Vec<Item>> {
    let undone = follow(table, &chain, words, false)?;
    (undone.fit.others == 0).then_some(undone.items)
}

fn is_another(text: &[Item], other: &[Item]) -> bool {
    text.len() != other.len() || text.iter().zip(other).any(|(a, b)| a.c != b.c)
}

/// True if the words may have been written in another encoding of the same script, as another text.
fn is_open(table: &Misreadings, chain: Chain, words: &[Item]) -> bool {
    let &[index] = chain.encodings() else { return false };
    let Some(own) = undone_whole(table, chain, words) else { return false };
    siblings(index).into_iter().any(|sibling| {
        let other = Chain::default().and(sibling).and_then(|sibling| undone_whole(table, sibling, words));
        other.is_some_and(|other| is_another(&own, &other))
    })
}

/// The number of characters beyond US-ASCII in well-formed text: that of lead bytes.
fn non_ascii(text: &[u8]) -> u64 {
    // In chunks whose counts fit in bytes, so that it vectorizes.
    let count = |bytes: &[u8]| bytes.iter().fold(0, |count, byte| count + u64::from(*byte >= 0xC0));
    let (chunks, rest) = text.as_chunks::<32>();
    let blocks = chunks.chunks(255).map(|chunks| {
        let mut counts = [0_u8; 32];
        for chunk in chunks {
            for (count, byte) in counts.iter_mut().zip(chunk) {
                *count += u8::from(*byte >= 0xC0);
            }
        }
        counts.iter().map(|count| u64::from(*count)).sum::<u64>()
    });
    blocks.sum::<u64>() + count(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::repair;
    use alloc::string::{String, ToString};
    use utfkit_core::Encoding;

    #[test]
    fn lines_that_were_misread_more_often_than_the_rest_are_undone_whole() {
        let lines = [
            "Der Müller fährt früh über die Brücke.",
            "Später läuft er zurück zur Mühle.",
            "Das Gebäude gehört der Behörde.",
            "Für das Frühstück gibt es Käse.",
        ];
        for name in ["windows-1252", "macintosh", "IBM437", "IBM850", "windows-1250"] {
            let read = Encoding::for_label(name).unwrap();
            let misread = |text: &str, times: usize| {
                (0..times)
                    .fold(text.to_string(), |text, _| read.decode_without_bom_handling(text.as_bytes()).0.into_owned())
            };
            for often in 0..lines.len() {
                for times in [2, 3] {
                    let text = |(at, line): (usize, &&str)| misread(line, if at == often { times } else { 1 }) + "\n";
                    let text: String = lines.iter().enumerate().map(text).collect();
                    let undone = repair(text.as_bytes(), &Options::new().undouble(true)).into_owned();
                    assert_eq!(undone, lines.join("\n") + "\n", "{name} {often} {times}");
                }
            }
        }
    }

    /// `„ђ“` is three letters in windows-1251, where the Macintosh has quotation marks.
    #[test]
    fn quotation_marks_of_doubled_text_are_no_letters() {
        let read = Encoding::for_label("macintosh").unwrap();
        for line in ["ђ\tЋошак, мала буква „ђ“\n", "ё\tЋирилско велико слово „ё“\n"]
        {
            let twice = read.decode_without_bom_handling(line.as_bytes()).0;
            let undone = repair(twice.as_bytes(), &Options::new().undouble(true).reinterpret(true)).into_owned();
            assert_eq!(undone, line);
        }
    }

    /// `ž` and `ŝ` differ in one byte of two encodings, and no other letter does.
    #[test]
    fn a_letter_alone_does_not_tell_the_encoding() {
        let read = Encoding::for_label("IBM850").unwrap();
        let rows = "7E\tž\tPEQUEÑO\n7F\tż\tPEQUEÑO\n80\tŔ\tPEQUEÑO\n";
        let twice = read.decode_without_bom_handling(rows.as_bytes()).0.into_owned();
        let mut survey = Survey::new(&Options::new().undouble(true));
        survey.feed(twice.as_bytes());
        let evidence = survey.finish();
        assert!(!evidence.is_empty() && evidence.is_doubtful());
    }

    #[test]
    fn a_control_before_the_last_letter_of_a_word_is_no_dash() {
        for line in [
            "La versi\u{97}n nueva no tiene ese problema y se instala\ncomo antes, as\u{92} que basta con el\n",
            "Cuando la sesi\u{97}n termina se borra el archivo\ntemporal. Ocurre as\u{92} que el disco queda libre\n",
        ] {
            let undone = repair(line.as_bytes(), &Options::new().undouble(true).reinterpret(true)).into_owned();
            assert!(!undone.contains('—'), "{undone}");
        }
    }
}
