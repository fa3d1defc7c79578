//! Jobs: windows, offsets and functions under test.

use crate::alphabet::{Alphabet, Strings};
use crate::dense::{DENSE, Dense, Table};
use crate::expected::{FRONT, Group, Wanted};
use crate::single::{Desk, Place, SINGLES, Single};
use crate::tally::Line;
use crate::units::{UTF_16, UTF_32, Units};

/// A part of the work, on one instruction set.
pub(crate) struct Job {
    pub(crate) name: String,
    kind: Kind,
}

enum Kind {
    Utf8 { strings: Strings, singles: Vec<(Single, Vec<Place>)>, dense: Vec<Dense>, fronts: Vec<usize> },
    Utf16 { firsts: std::ops::Range<u32>, fronts: Vec<usize>, places: Vec<usize> },
    Utf32 { fronts: Vec<usize>, places: Vec<usize> },
}

/// The buffers of one thread.
pub(crate) struct Worker {
    strings: Vec<u8>,
    group: Group,
    desk: Desk,
    table: Table,
    units: Units,
    pub(crate) lines: Vec<Line>,
}

impl Job {
    fn utf8(strings: Strings, singles: Vec<(Single, Vec<Place>)>, dense: &[Dense], fronts: Vec<usize>) -> Job {
        let name = format!("{} bytes of {}", strings.len, strings.alphabet.name);
        Job { name, kind: Kind::Utf8 { strings, singles, dense: dense.to_vec(), fronts } }
    }

    fn utf16(name: &str, firsts: std::ops::Range<u32>, fronts: Vec<usize>, places: Vec<usize>) -> Job {
        Job { name: name.to_owned(), kind: Kind::Utf16 { firsts, fronts, places } }
    }

    /// The number of groups, the unit of work.
    pub(crate) fn groups(&self) -> usize {
        match &self.kind {
            Kind::Utf8 { strings, .. } => strings.groups(),
            Kind::Utf16 { firsts, .. } => firsts.len() << 8,
            Kind::Utf32 { .. } => 1 << 20,
        }
    }

    /// Keeps only functions whose name contains `part` (`=name`: is `name`)
    /// and, unless `at` is empty, offsets in `at`. Returns false if nothing is
    /// left.
    pub(crate) fn only(&mut self, part: &str, at: &[usize]) -> bool {
        match &mut self.kind {
            Kind::Utf8 { singles, dense, fronts, .. } => {
                if !at.is_empty() {
                    fronts.retain(|front| at.contains(front));
                    singles.iter_mut().for_each(|(_, places)| places.retain(|place| at.contains(&place.before)));
                }
                singles.retain(|(single, places)| is_named(single.name(), part) && !places.is_empty());
                dense.retain(|dense| is_named(dense.name(), part) && !fronts.is_empty());
                !singles.is_empty() || !dense.is_empty()
            }
            Kind::Utf16 { .. } => at.is_empty() && UTF_16.iter().any(|name| is_named(name, part)),
            Kind::Utf32 { .. } => at.is_empty() && UTF_32.iter().any(|name| is_named(name, part)),
        }
    }

    pub(crate) fn lines(&self) -> Vec<Line> {
        let each = |n: usize, what: &str| match n {
            1 => format!("at 1 place of a {what}"),
            n => format!("at each of {n} places of a {what}"),
        };
        match &self.kind {
            Kind::Utf8 { singles, dense, fronts, .. } => {
                let mut lines = Vec::new();
                for (single, places) in singles {
                    if places.len() > 40 {
                        lines.push(Line::new(single.name(), summary(places)));
                    } else {
                        lines.extend(places.iter().map(|place| Line::new(single.name(), place.name())));
                    }
                }
                lines.extend(dense.iter().map(|dense| Line::new(dense.name(), each(fronts.len(), "block"))));
                lines
            }
            Kind::Utf16 { fronts, places, .. } => {
                let place = |i| if i < 5 { each(fronts.len(), "block") } else { format!("after {places:?} units") };
                UTF_16.iter().enumerate().map(|(i, name)| Line::new(name, place(i))).collect()
            }
            Kind::Utf32 { fronts, places } => {
                let place = |i| if i < 3 { each(fronts.len(), "block") } else { format!("after {places:?} units") };
                UTF_32.iter().enumerate().map(|(i, name)| Line::new(name, place(i))).collect()
            }
        }
    }

    pub(crate) fn worker(&self) -> Worker {
        Worker {
            strings: Vec::new(),
            group: Group::default(),
            desk: Desk::new(),
            table: Table::default(),
            units: Units::new(),
            lines: self.lines(),
        }
    }

    pub(crate) fn run(&self, group: usize, worker: &mut Worker) {
        match &self.kind {
            Kind::Utf8 { strings, singles, dense, fronts } => {
                strings.group(group, &mut worker.strings);
                let wanted = Wanted {
                    one_by_one: !singles.is_empty(),
                    in_text: dense.iter().any(|&dense| dense != Dense::SparseErrors),
                    sparse: dense.contains(&Dense::SparseErrors),
                };
                worker.group.judge(&worker.strings, strings.len, wanted);
                let mut lines = worker.lines.iter_mut();
                for (single, places) in singles {
                    let mut line = lines.next();
                    for (i, &place) in places.iter().enumerate() {
                        if i > 0 && places.len() <= 40 {
                            line = lines.next();
                        }
                        if let Some(line) = line.as_deref_mut() {
                            worker.desk.run(*single, place, &worker.group, line);
                        }
                    }
                }
                for (dense, line) in dense.iter().zip(lines) {
                    worker.table.run(*dense, fronts, &worker.group, line);
                }
            }
            Kind::Utf16 { firsts, fronts, places } => {
                worker.units.utf16(((firsts.start as usize) << 8) + group, fronts, places, &mut worker.lines);
            }
            Kind::Utf32 { fronts, places } => worker.units.utf32(group, fronts, places, &mut worker.lines),
        }
    }
}

fn summary(places: &[Place]) -> String {
    let most = places.iter().map(|place| place.before).max().unwrap_or(0);
    let after = places.iter().map(|place| place.after.to_string());
    let mut after: Vec<String> = after.collect();
    after.sort();
    after.dedup();
    format!("after 0 to {most} bytes, before {}: {} places", after.join(" or "), places.len())
}

/// The extent of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Level {
    /// One byte of each class; takes seconds.
    Quick,
    /// Every window, at offsets of every kind.
    Default,
    /// Every window at every offset.
    Full,
}

fn places(before: impl IntoIterator<Item = usize>, after: usize) -> Vec<Place> {
    before.into_iter().map(|before| Place { before, after }).collect()
}

/// Places at the end, in the middle, and followed by enough text for the main
/// loops.
fn everywhere(most: usize) -> Vec<Place> {
    [0, 60, 330].into_iter().flat_map(|after| places(0..=most, after)).collect()
}

/// A place of each kind for windows of four bytes: alone; inside a 16-byte
/// register; across the end of a 16-byte register, a 32-byte register and a
/// block, at each of three cuts; at the end of a text, with whole and partial
/// registers; in the main loop and across the end of its rounds.
fn of_each_kind() -> Vec<Place> {
    let mut all = places([0, 60, 61, 96], 0);
    all.extend(places([0, 5, 13, 14, 15, 29, 30, 31], 40));
    all.extend(places([61, 62, 63], 80));
    all.extend(places([317, 318, 319], 280));
    all
}

/// True if `name` contains `part` or, after `=`, equals it.
fn is_named(name: &str, part: &str) -> bool {
    match part.strip_prefix('=') {
        Some(whole) => name == whole,
        None => name.contains(part),
    }
}

/// One place for each path through the validator: a single block; the last
/// blocks, across the end of the first; groups of blocks, across the end of a
/// group.
fn some_places() -> Vec<Place> {
    of_each_kind()
        .into_iter()
        .filter(|place| [(0, 0), (62, 80), (318, 280)].contains(&(place.before, place.after)))
        .collect()
}

/// The jobs of a level. Without vectors (`scalar`), offsets do not matter.
pub(crate) fn jobs(level: Level, scalar: bool) -> Vec<Job> {
    let blocks: Vec<usize> = (0..FRONT).collect();
    let all_at = |places: Vec<Place>| SINGLES.map(|single| (single, places.clone())).to_vec();
    let validate_at = |places: Vec<Place>| vec![(Single::Validate, places)];
    let strings = Strings::new;
    let alone = || places([0], 0).into_iter().chain(places([5], 40)).collect::<Vec<_>>();
    match level {
        Level::Quick if scalar => vec![
            Job::utf8(strings(Alphabet::classes(), 4), all_at(alone()), &DENSE, vec![0]),
            Job::utf16("pairs of UTF-16 from D7FF and D800", 0xD7FF..0xD801, vec![0], vec![0]),
        ],
        Level::Quick => vec![
            Job::utf8(strings(Alphabet::classes(), 4), validate_at(everywhere(192)), &DENSE, blocks),
            Job::utf8(strings(Alphabet::classes(), 4), all_at(places(0..=130, 40)), &[], vec![]),
            Job::utf8(strings(Alphabet::classes(), 5), vec![], &DENSE, vec![0]),
            Job::utf16("pairs of UTF-16 from D7FF and D800", 0xD7FF..0xD801, (0..32).collect(), vec![0, 15, 40]),
        ],
        _ if scalar => vec![
            Job::utf8(strings(Alphabet::every_byte(), 3), all_at(alone()), &DENSE, vec![0]),
            Job::utf8(strings(Alphabet::borders(), 5), validate_at(alone()), &DENSE, vec![0]),
            Job::utf8(strings(Alphabet::every_byte(), 4), all_at(alone()), &DENSE, vec![0]),
            Job::utf16("pairs of UTF-16", 0..0x1_0000, vec![0], vec![0]),
            Job { name: "units of UTF-32".to_owned(), kind: Kind::Utf32 { fronts: vec![0], places: vec![0] } },
        ],
        Level::Default => vec![
            Job::utf8(strings(Alphabet::borders(), 4), all_at(everywhere(192)), &DENSE, blocks.clone()),
            Job::utf8(strings(Alphabet::classes(), 7), vec![], &DENSE, vec![0, 21, 43]),
            Job::utf8(strings(Alphabet::every_byte(), 3), validate_at(places(0..=130, 40)), &DENSE, blocks),
            Job::utf8(strings(Alphabet::every_byte(), 4), vec![], &DENSE, vec![0, 5, 14, 30, 46, 61, 62, 63]),
            Job::utf8(strings(Alphabet::every_byte(), 4), validate_at(some_places()), &[], vec![]),
            Job::utf16("pairs of UTF-16 from D7FF to E000", 0xD7FF..0xE001, (0..32).collect(), vec![0, 15, 31, 40]),
            Job::utf16("pairs of UTF-16", 0..0x1_0000, vec![0, 11], vec![7]),
            Job { name: "units of UTF-32".to_owned(), kind: Kind::Utf32 { fronts: vec![0, 5], places: vec![0, 7] } },
        ],
        Level::Full => vec![
            Job::utf8(strings(Alphabet::borders(), 5), all_at(everywhere(192)), &DENSE, blocks.clone()),
            Job::utf8(strings(Alphabet::classes(), 7), vec![], &DENSE, blocks.clone()),
            Job::utf8(strings(Alphabet::every_byte(), 3), all_at(everywhere(130)), &DENSE, blocks.clone()),
            Job::utf8(strings(Alphabet::every_byte(), 4), all_at(of_each_kind()), &DENSE, blocks.clone()),
            Job::utf8(strings(Alphabet::every_byte(), 4), validate_at(places(0..64, 80)), &[], vec![]),
            Job::utf16("pairs of UTF-16", 0..0x1_0000, (0..32).collect(), vec![0, 15, 31, 40]),
            Job {
                name: "units of UTF-32".to_owned(),
                kind: Kind::Utf32 { fronts: (0..16).collect(), places: (0..16).collect() },
            },
        ],
    }
}
