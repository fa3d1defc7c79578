//! Evidence from neighbouring files: most files of one folder and extension are in one
//! encoding.
//!
//! A folder is read when a walk finds the first file in it whose encoding is open, so
//! other folders cost nothing. A file that the run has written over by then counts as it
//! was before, so that neither the order of the files nor the number of threads changes
//! the result.
//!
//! A file is detected once, unless it is longer than [`FRONT`]: the neighbours before it count with
//! the detection that they got, and the detection of a later neighbour is kept until its turn.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use utfkit::detect::{Basis, Candidate, Certainty, Detection, detect};
use utfkit::diagnose::Checker;
use utfkit::{Encoding, Standard, from_utf8};

use crate::lock::Lock;
use crate::paths::folder_of;
use crate::reading::{Replay, open_at_once, read_full};

/// The bytes of each file that are read.
const FRONT: usize = 64 << 10;
/// The number of files of a folder that are read, and of those whose encoding is likely
/// that are counted.
const READ: usize = 1024;
const COUNTED: usize = 50;
/// The least evidence: three files that are nearly certain, or six that are likely.
const LEAST: u64 = 6;
const SURE: u64 = 2;
const LIKELY: u64 = 1;
/// The number of folders that are remembered.
const FOLDERS: usize = 1024;
/// The number of files detected before, and the bytes of those detected ahead, that are remembered.
const MET: usize = 16 << 10;
const AHEAD: usize = 8 << 20;
/// The factor by which a reading becomes likelier for each neighbour in its encoding, up to [`MOST`]
/// neighbours.
const ODDS: f64 = 20.0;
const MOST: u64 = COUNTED as u64;

/// The encoding of the neighbours of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Beside {
    pub(crate) encoding: Encoding,
    /// Another encoding in which all of them are the same text.
    alike: Option<Encoding>,
    /// The number of those files.
    pub(crate) files: u64,
}

impl Beside {
    /// The reason, for people.
    pub(crate) fn reason(self) -> String {
        format!("as {} files beside it", self.files)
    }
}

/// A folder, and the extension of the files in it.
type Kind = (PathBuf, Option<OsString>);

/// The encoding that a file counts for.
#[derive(Clone, Copy, Debug)]
struct Counted {
    encoding: Encoding,
    /// Another encoding in which it is the same text.
    alike: Option<Encoding>,
    weight: u64,
}

/// The files that an encoding reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Count {
    weight: u64,
    /// The weight of the files for which it is the likeliest encoding.
    own: u64,
    files: u64,
}

/// The folders that were read.
#[derive(Debug, Default)]
pub(crate) struct Neighbours {
    pools: Lock<HashMap<Kind, Arc<OnceLock<Option<Beside>>>>>,
    /// The files that this run may write over, with the encodings that they count for.
    written: Lock<HashMap<PathBuf, Counted>>,
    /// Files other than UTF-8 that were detected in their turn, with the encodings that they count for.
    met: Lock<HashMap<PathBuf, Option<Counted>>>,
    ahead: Lock<Ahead>,
}

/// Detections of files that were read as neighbours, and follow.
#[derive(Debug, Default)]
struct Ahead {
    of: HashMap<PathBuf, Whole>,
    bytes: usize,
}

/// A file that was detected whole.
#[derive(Debug)]
pub(crate) struct Whole {
    pub(crate) bytes: Vec<u8>,
    pub(crate) found: Detection,
}

impl Neighbours {
    /// The encoding of the neighbours of `path`, if the encoding of the file is open and the file
    /// is well-formed in theirs.
    pub(crate) fn reading(&self, path: &Path, found: &Detection, file: &mut Replay<'_>) -> io::Result<Option<Beside>> {
        if !is_open(found) {
            return Ok(None);
        }
        let Some(mut beside) = self.of(path) else { return Ok(None) };
        if found.encoding() == Some(beside.encoding) && found.certainty() == Certainty::Likely {
            return Ok(None);
        }
        let candidates = found.candidates();
        let best = candidates.iter().map(|candidate| candidate.probability()).fold(0.0, f64::max);
        let probability_of = |encoding: Encoding| {
            let its =
                |candidate: &&Candidate| candidate.encoding() == encoding || candidate.equivalent().contains(&encoding);
            candidates.iter().find(its).map_or(0.0, Candidate::probability)
        };
        let mut probability = probability_of(beside.encoding);
        if let Some(alike) = beside.alike
            && probability_of(alike) > probability
        {
            (beside.encoding, probability) = (alike, probability_of(alike));
        }
        // Letters that are likely give way only to a reading that is nearly as likely, signs to any.
        let is_of_letters = match found.encoding().filter(|_| found.certainty() == Certainty::Likely) {
            Some(encoding) => has_letters(file, encoding)?,
            None => false,
        };
        let most = if is_of_letters { 1 } else { MOST };
        if probability == 0.0 || probability * ODDS * (beside.files.min(most) as f64) < best {
            return Ok(None);
        }
        let mut checker = Checker::new(beside.encoding, Standard::Rfc3629);
        file.each(|chunk| checker.feed(chunk, |_| ()))?;
        checker.finish(|_| ());
        Ok((checker.totals().findings() == 0).then_some(beside))
    }

    /// The detection of the file at `path`, if it was made as evidence for an earlier file. `first` has the
    /// bytes read: the whole file, unless it grew since.
    pub(crate) fn whole(&self, path: &Path, first: &[u8]) -> Option<Whole> {
        let mut ahead = self.ahead.lock();
        if ahead.of.is_empty() {
            return None;
        }
        let whole = ahead.of.remove(&in_folder(path)?)?;
        ahead.bytes -= whole.bytes.len();
        (whole.bytes == first).then_some(whole)
    }

    /// Keeps the encoding that `path` counts for, a file of these bytes that was detected without options.
    pub(crate) fn met(&self, path: &Path, bytes: &[u8], found: &Detection) {
        let is_plain = matches!(found.basis(), Basis::Ascii | Basis::Empty | Basis::WellFormed);
        if is_plain || bytes.len() > FRONT || from_utf8(bytes).is_ok() {
            return;
        }
        let mut met = self.met.lock();
        if met.len() >= MET {
            met.clear();
        }
        if let Some(path) = in_folder(path) {
            met.insert(path, if bytes.contains(&0) { None } else { counts_for(found) });
        }
    }

    fn keep_ahead(&self, path: &Path, whole: Whole) {
        let mut ahead = self.ahead.lock();
        if ahead.bytes + whole.bytes.len() > AHEAD {
            *ahead = Ahead::default();
        }
        ahead.bytes += whole.bytes.len();
        if let Some(before) = ahead.of.insert(path.to_owned(), whole) {
            ahead.bytes -= before.bytes.len();
        }
    }

    /// Keeps the encoding that `path` counts for. To be called before the file is written over.
    pub(crate) fn keep(&self, path: &Path, found: &Detection) -> io::Result<()> {
        let front = match found.bytes() <= FRONT as u64 {
            true => counts_for(found),
            false => {
                let mut front = vec![0; FRONT];
                let len = read_full(&mut open_at_once(path)?, &mut front)?;
                counts_for(&detect(&front[..len]))
            }
        };
        if let Some((encoding, path)) = front.zip(in_folder(path)) {
            self.written.lock().insert(path, encoding);
        }
        Ok(())
    }

    fn of(&self, path: &Path) -> Option<Beside> {
        let kind = (folder_of(path), path.extension().map(ToOwned::to_owned));
        let pool = {
            let mut pools = self.pools.lock();
            if pools.len() >= FOLDERS && !pools.contains_key(&kind) {
                pools.clear();
            }
            Arc::clone(pools.entry(kind.clone()).or_default())
        };
        *pool.get_or_init(|| self.counted(&kind, path))
    }

    /// The encoding of nine in ten files of a kind whose encoding is no guess and neither
    /// UTF-8 nor US-ASCII. Without a file that is nearly certain, they are most of those files.
    /// It is asked for at `here`.
    fn counted(&self, (folder, extension): &Kind, here: &Path) -> Option<Beside> {
        let here = here.file_name();
        let is_of_kind = |path: &PathBuf| {
            let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
            !is_hidden && path.extension() == extension.as_deref()
        };
        let files = fs::read_dir(folder).ok()?.filter_map(Result::ok);
        let files = files.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
        let mut files: Vec<PathBuf> = files.map(|entry| entry.path()).filter(is_of_kind).collect();
        files.sort_unstable();
        files.truncate(READ);
        // Another thread may be about to detect the next ones.
        if files.len() <= COUNTED {
            files.reverse();
        }
        let (mut counted, mut others): (Vec<Counted>, usize) = (Vec::new(), 0);
        let mut front = vec![0; FRONT];
        let met: Vec<Option<Option<Counted>>> = {
            let (met, written) = (self.met.lock(), self.written.lock());
            files.iter().map(|path| written.get(path).copied().map(Some).or_else(|| met.get(path).copied())).collect()
        };
        let weight = |now: Option<Counted>| now.map_or(0, |now| now.weight);
        // The most that the files can weigh: of three or four, it is soon known that they are too few.
        let mut weigh = met.iter().map(|met| met.map_or(SURE, weight)).sum::<u64>();
        for (path, met) in files.iter().zip(met) {
            if weigh < LEAST {
                return None;
            }
            let (is_utf8, now) = match met.or_else(|| self.met.lock().get(path).copied()) {
                Some(now) => (false, now),
                None => {
                    let read = open_at_once(path).and_then(|mut file| read_full(&mut file, &mut front));
                    let Ok(len) = read else {
                        weigh -= SURE;
                        continue;
                    };
                    let front = &front[..len];
                    let is_utf8 = from_utf8(front).is_ok();
                    // NUL is in no text that counts.
                    let found = if is_utf8 || front.contains(&0) { None } else { Some(detect(front)) };
                    let now = found.as_ref().and_then(counts_for);
                    if let Some(found) = found.filter(|_| len < FRONT && path.file_name() > here) {
                        self.keep_ahead(path, Whole { bytes: front.to_vec(), found });
                    }
                    (is_utf8, now)
                }
            };
            // Asked after the file was read: it is kept before it is written over.
            let before = self.written.lock().get(path).copied();
            others += usize::from(!is_utf8 && now.or(before).is_none());
            counted.extend(before.or(now));
            weigh -= if met.is_none() { SURE - weight(before.or(now)) } else { 0 };
            if counted.len() == COUNTED {
                break;
            }
        }
        // Bytes that are no text may look like some.
        if counted.iter().all(|file| file.weight < SURE) && counted.len() <= others {
            return None;
        }
        most(&counted)
    }
}

/// The path as its folder lists it.
fn in_folder(path: &Path) -> Option<PathBuf> {
    Some(folder_of(path).join(path.file_name()?))
}

/// True if a byte above 7F is a letter in a file.
fn has_letters(file: &mut Replay<'_>, encoding: Encoding) -> io::Result<bool> {
    let mut has_letters = false;
    file.each(|chunk| {
        let (text, _) = encoding.decode_without_bom_handling(chunk);
        has_letters |= text.chars().any(|c| !c.is_ascii() && c.is_alphabetic());
    })?;
    Ok(has_letters)
}

/// True if the encoding of a file is open, so that other files are evidence.
pub(crate) fn is_open(found: &Detection) -> bool {
    let is_open = match found.basis() {
        // A sign or two are likely in the code page of Windows, and likelier in that of the folder.
        Basis::Likeliest { .. } => found.certainty() <= Certainty::Likely,
        Basis::Damaged => found.certainty() == Certainty::Guess,
        Basis::Unknown => found.declaration().is_none(),
        _ => false,
    };
    is_open && !found.is_mixed()
}

/// The encoding of nine in ten files, and another that may be.
fn most(counted: &[Counted]) -> Option<Beside> {
    let mut counts: HashMap<Encoding, Count> = HashMap::new();
    for Counted { encoding, alike, weight } in counted {
        for (reads, own) in [(Some(encoding), *weight), (alike.as_ref(), 0)] {
            let Some(reads) = reads else { continue };
            let count = counts.entry(*reads).or_default();
            *count = Count { weight: count.weight + weight, own: count.own + own, files: count.files + 1 };
        }
    }
    let mut counts: Vec<(Encoding, Count)> = counts.into_iter().collect();
    counts.sort_by_key(|(encoding, count)| (Reverse(*count), encoding.name()));
    let (encoding, Count { weight, files, .. }) = *counts.first()?;
    let alike = counts.get(1).filter(|(_, other)| other.weight == weight).map(|(other, _)| *other);
    let all: u64 = counted.iter().map(|file| file.weight).sum();
    (weight >= LEAST && weight * 10 >= all * 9).then_some(Beside { encoding, alike, files })
}

/// The encoding that a file counts for: neither UTF-8 nor US-ASCII, and no guess.
fn counts_for(found: &Detection) -> Option<Counted> {
    let weight = match found.certainty() {
        Certainty::Certain | Certainty::NearlyCertain => SURE,
        Certainty::Likely => LIKELY,
        Certainty::Guess => return None,
    };
    let is_legacy = matches!(found.basis(), Basis::Likeliest { .. } | Basis::Declared) && !found.is_mixed();
    Some(Counted { encoding: found.encoding().filter(|_| is_legacy)?, alike: found.equivalent(), weight })
}
