//! The evidence of a whole text about what was encoded twice in it.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::Options;
use super::misreading::Misreadings;
use super::scan::{Event, Scanner};
use super::undouble::{Chain, ENOUGH, Item, Undone, cost, endings, follow, items, search, words};

/// In one line, where nothing else is known of the text.
const CERTAIN: i64 = 16;
/// What is no more than chance.
const CHANCE: i64 = 4;
/// Where this much speaks for a chain and next to nothing against it, lines are
/// not judged one by one.
const BEYOND_DOUBT: i64 = 200;

/// How many chains a text may have suffered.
const CHAINS: usize = 8;
/// How many bytes are judged at once, and of how many that are read one more is.
const JUDGED: u64 = 512 << 10;
const OF_READ: u64 = 64;

/// What a [`Survey`] found. Without one, only what is certain in its line is undone.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// The likeliest first. `None` without a survey.
    chains: Option<Vec<Seen>>,
    /// Characters that are not US-ASCII, and in no line with double encodings.
    others: u64,
    pub(super) table: Option<Arc<Misreadings>>,
}

/// A chain, and what speaks for it.
#[derive(Clone, Copy, Debug)]
struct Seen {
    chain: Chain,
    gain: i64,
    /// How many sequences it undoes.
    sequences: u64,
}

impl Evidence {
    /// Whether nothing is to be undone.
    pub(super) fn is_empty(&self) -> bool {
        self.chains.as_ref().is_some_and(Vec::is_empty)
    }

    /// What is to be undone in a line.
    pub(super) fn decide(&self, table: &Misreadings, line: &[Item], cut: bool) -> Option<Undone> {
        let Some(chains) = &self.chains else {
            let (undone, _) = search(table, &words(line), cut).filter(|(_, gain)| *gain >= CERTAIN)?;
            return follow(table, &undone.chain, line, cut);
        };
        let longest = chains.iter().map(|seen| seen.chain.encodings().len()).max().unwrap_or(0);
        let mut best: Option<(Undone, Seen)> = None;
        for seen in chains {
            let Some(undone) = follow(table, &seen.chain, line, cut) else { continue };
            // The most runs; of chains that fit as many the one that goes on
            // longer, for it is the whole of what happened.
            let key = |undone: &Undone| (undone.fit.runs, undone.chain.encodings().len());
            if best.as_ref().is_none_or(|(other, _)| key(&undone) > key(other)) {
                let is_whole = undone.fit.others == 0 && undone.chain.encodings().len() == longest;
                best = Some((undone, *seen));
                if is_whole {
                    break;
                }
            }
        }
        let (undone, seen) = best?;
        let others = i64::try_from(self.others).unwrap_or(i64::MAX);
        if seen.gain >= BEYOND_DOUBT && seen.gain / 16 >= others {
            return Some(undone);
        }
        let words = words(line);
        let after = follow(table, &undone.chain, &words, cut)?;
        let gain = cost(&words) - cost(&after.items);
        let is_right = match self.others {
            0 => gain >= 0,
            others if others <= 4 * seen.sequences => gain - endings(&words) >= CHANCE,
            _ => gain - endings(&words) >= ENOUGH,
        };
        is_right.then_some(undone)
    }
}

/// Reads a whole text before it is repaired, and finds which encodings it was
/// read in by mistake.
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
    found: Found,
}

#[derive(Clone, Debug, Default)]
struct Found {
    seen: Vec<Seen>,
    others: u64,
    read: u64,
    judged: u64,
    runs: Runs,
}

/// The last runs that were undone, by a hash.
#[derive(Clone, Debug)]
struct Runs {
    known: [u32; 64],
    next: usize,
}

impl Default for Runs {
    fn default() -> Runs {
        Runs { known: [0; 64], next: 0 }
    }
}

impl Runs {
    /// How many sixteenths of the runs are new.
    fn new_of(&mut self, undone: &[Item]) -> i64 {
        let (mut all, mut new) = (0, 0);
        for run in undone.split(|item| !item.made).filter(|run| !run.is_empty()) {
            // FNV-1a.
            let hash =
                run.iter().fold(0x811C_9DC5_u32, |hash, item| (hash ^ u32::from(item.c)).wrapping_mul(0x0100_0193));
            all += 1;
            if !self.known.contains(&hash) {
                new += 1;
                self.known[self.next] = hash;
                self.next = (self.next + 1) % self.known.len();
            }
        }
        16 * new / all.max(1)
    }
}

impl Survey {
    /// A survey for a repair with these options.
    pub fn new(options: &Options) -> Survey {
        Survey { scanner: Scanner::new(options.undouble, options.reinterpret), found: Found::default() }
    }

    /// Takes the next bytes of the text.
    pub fn feed(&mut self, chunk: &[u8]) {
        self.take(chunk, false);
    }

    /// Ends the text, and returns the evidence.
    pub fn finish(mut self) -> Evidence {
        self.take(&[], true);
        let Survey { scanner, mut found } = self;
        // What happened by chance happens in long texts too.
        let least = ENOUGH + i64::from(found.others.checked_ilog2().unwrap_or(0)) * 2;
        found.seen.retain(|seen| seen.gain >= least);
        found.seen.sort_by_key(|seen| -seen.gain);
        Evidence { chains: Some(found.seen), others: found.others, table: scanner.table() }
    }

    fn take(&mut self, chunk: &[u8], last: bool) {
        let Survey { scanner, found } = self;
        scanner.feed(chunk, last, &mut |event| match event {
            Event::Text(text) => {
                found.read += text.len() as u64;
                found.others += others(text);
                0
            }
            Event::Line { text, cut, has_sequence, table } => {
                let done = if has_sequence { found.line(table, text, cut) } else { found.nothing(text) };
                found.read += done as u64;
                done
            }
            Event::IllFormed { bytes, .. } => {
                found.read += bytes.len() as u64;
                0
            }
        });
    }
}

impl Found {
    /// Takes a line in which nothing is to be undone.
    fn nothing(&mut self, text: &str) -> usize {
        if self.has_budget() {
            self.others += others(text.as_bytes());
        }
        text.len()
    }

    /// Whether there is more to be judged.
    fn has_budget(&self) -> bool {
        self.judged <= JUDGED + self.read / OF_READ
    }

    /// Judges a line; returns how much of it is decided.
    fn line(&mut self, table: &Misreadings, text: &str, cut: bool) -> usize {
        let has_budget = self.has_budget();
        if !has_budget && self.seen.iter().all(|seen| seen.gain < BEYOND_DOUBT) {
            return text.len();
        }
        let line = items(text);
        let known = self.seen.iter().filter(|seen| seen.gain >= BEYOND_DOUBT);
        let longest = known
            .filter_map(|seen| follow(table, &seen.chain, &line, cut).filter(|undone| undone.chain == seen.chain))
            .max_by_key(|undone| (undone.fit.runs, undone.chain.encodings().len()));
        // Nothing is left for another chain.
        if let Some(undone) = longest
            && undone.fit.others == 0
            && let Some(seen) = self.seen.iter_mut().find(|seen| seen.chain == undone.chain)
        {
            seen.sequences += undone.fit.sequences as u64;
            seen.gain += i64::try_from(undone.fit.sequences).unwrap_or(0);
            return undone.end;
        }
        if !has_budget {
            return text.len();
        }
        let words = words(&line);
        let found = search(table, &words, cut);
        let Some((undone, gain)) = found else {
            self.others += others(text.as_bytes());
            return text.len();
        };
        self.judged += text.len() as u64;
        if gain < CHANCE {
            self.others += others(text.as_bytes());
            return text.len();
        }
        self.others += undone.fit.others as u64;
        // The same again says nothing new.
        let gain = gain * self.runs.new_of(&undone.items) / 16;
        let sequences = undone.fit.sequences as u64;
        if let Some(seen) = self.seen.iter_mut().find(|seen| seen.chain == undone.chain) {
            seen.gain += gain;
            seen.sequences += sequences;
        } else if self.seen.len() < CHAINS {
            self.seen.push(Seen { chain: undone.chain, gain, sequences });
        }
        follow(table, &undone.chain, &line, cut).map_or(text.len(), |undone| undone.end)
    }
}

/// How many characters are not US-ASCII.
fn others(text: &[u8]) -> u64 {
    // By chunks in which a byte is enough to count: that is many at a time.
    let leads = |chunk: &[u8]| u64::from(chunk.iter().map(|&byte| u8::from(byte >= 0xC0)).sum::<u8>());
    text.chunks(255).map(leads).sum()
}
