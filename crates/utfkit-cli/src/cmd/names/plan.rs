//! The plan: old and new names, and the order of the renames.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use unicode_normalization::UnicodeNormalization;
use utfkit::Encoding;
use utfkit::detect::Certainty;

use super::judge::{At, Reading, Was, judge};
use super::portable;
use super::tree::{Folder, Tree};
use crate::args::Names;
use crate::misread::Misread;

/// The longest name of most file systems, in bytes.
const LONGEST: usize = 255;

/// A name that will be changed.
pub(super) struct Rename {
    pub(super) at: At,
    pub(super) new: String,
    pub(super) actions: Vec<Action>,
    pub(super) certainty: Certainty,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Action {
    Convert(Encoding),
    Undouble(Misread),
    Compose,
    Decompose,
    Escape,
}

impl Action {
    pub(super) fn name(self) -> &'static str {
        match self {
            Action::Convert(_) => "convert",
            Action::Undouble(_) => "undouble",
            Action::Compose => "compose",
            Action::Decompose => "decompose",
            Action::Escape => "escape",
        }
    }

    /// The encoding that the name is in, or was wrongly read in.
    pub(super) fn encoding(self) -> Option<Encoding> {
        match self {
            Action::Convert(encoding) => Some(encoding),
            Action::Undouble(misread) => Some(misread.read),
            _ => None,
        }
    }

    /// The encoding that the name was in before it was wrongly read.
    pub(super) fn written(self) -> Option<Encoding> {
        match self {
            Action::Undouble(misread) => Some(misread.written),
            _ => None,
        }
    }
}

pub(super) struct Plan {
    pub(super) tree: Tree,
    /// In the order in which they can be done within a folder.
    pub(super) renames: Vec<Rename>,
    pub(super) left: Vec<(At, String)>,
    /// Names that would be other names in Normalization Form C, if that was not asked for.
    pub(super) decomposed: u64,
    /// Symbolic links whose targets contain an old name.
    pub(super) links: Vec<At>,
    pub(super) names: u64,
}

impl Plan {
    pub(super) fn of(tree: Tree, args: &Names) -> Plan {
        let least = args.trust.least();
        let readings = judge(&tree, args.from, least);
        let mut left = readings.unread;
        let mut read = readings.read;
        let mut renames = Vec::new();
        let (mut decomposed, mut names) = (0, 0);
        for (number, folder) in tree.folders.iter().enumerate() {
            for (i, entry) in folder.entries.iter().enumerate() {
                let (at, name) = ((number, i), entry.name.to_str());
                names += 1;
                let reading = read.remove(&at);
                if let Some(reading) = reading.as_ref().filter(|reading| reading.certainty < least) {
                    left.push((at, format!("{}: {}", reading.was, reading.certainty.name())));
                    continue;
                }
                if reading.is_none() && name.is_none() {
                    continue;
                }
                let rename = renamed(at, name, reading, args);
                decomposed += u64::from(!args.nfc && !args.nfd && rename.new.nfc().ne(rename.new.chars()));
                if name != Some(&rename.new) {
                    renames.push(rename);
                }
            }
        }
        let mut plan = Plan { tree, renames, left, decomposed, links: Vec::new(), names };
        if args.portable {
            plan.leave_alike();
        }
        plan.leave_impossible();
        plan.leave_other_spellings();
        plan.leave_what_collides();
        plan.order();
        plan.find_links();
        plan.left.sort_by_key(|(at, _)| *at);
        plan
    }

    pub(super) fn folder(&self, at: At) -> &Folder {
        &self.tree.folders[at.0]
    }

    pub(super) fn old(&self, at: At) -> &OsStr {
        &self.folder(at).entries[at.1].name
    }

    pub(super) fn path(&self, at: At) -> PathBuf {
        self.folder(at).path.join(self.old(at))
    }

    /// Drops the renames for which `why` has a reason.
    fn leave(&mut self, mut why: impl FnMut(&Rename) -> Option<String>) -> bool {
        let before = self.renames.len();
        let left = &mut self.left;
        self.renames.retain(|rename| match why(rename) {
            Some(why) => {
                left.push((rename.at, why));
                false
            }
            None => true,
        });
        self.renames.len() < before
    }

    /// Leaves names that differ in case or normalization form alone, which Windows takes for one.
    fn leave_alike(&mut self) {
        let new: HashMap<At, &str> = self.renames.iter().map(|rename| (rename.at, rename.new.as_str())).collect();
        let mut alike = HashMap::new();
        let mut groups: HashMap<(usize, String), Vec<At>> = HashMap::new();
        for (number, folder) in self.tree.folders.iter().enumerate() {
            for (i, entry) in folder.entries.iter().enumerate() {
                if let Some(name) = new.get(&(number, i)).copied().or(entry.name.to_str()) {
                    groups.entry((number, portable::folded(name))).or_default().push((number, i));
                }
            }
        }
        for group in groups.into_values().filter(|group| group.len() > 1) {
            for &at in &group {
                let other = group.iter().copied().find(|&other| other != at).unwrap_or(at);
                let name = self.old(other).to_string_lossy().into_owned();
                alike.insert(at, format!("Windows takes it and \"{name}\" for one name"));
            }
        }
        self.leave(|rename| alike.remove(&rename.at));
        self.left.extend(alike);
    }

    /// Leaves names that no file system would change.
    fn leave_impossible(&mut self) {
        let tree = &self.tree;
        let is_mounted = |at: At| tree.folders[at.0].entries[at.1].is_mounted;
        let mounted: HashSet<At> = self.renames.iter().map(|rename| rename.at).filter(|at| is_mounted(*at)).collect();
        // The units in which file systems limit a name.
        let (length, unit): (fn(&str) -> usize, _) = match cfg!(windows) {
            true => (|name| name.encode_utf16().count(), "UTF-16 units"),
            false => (str::len, "bytes"),
        };
        self.leave(|rename| match length(&rename.new) {
            _ if mounted.contains(&rename.at) => Some("a file system is mounted there".to_owned()),
            len if len > LONGEST => Some(format!("its name would have {len} {unit}, and {LONGEST} is the limit")),
            _ => None,
        });
    }

    /// Leaves a name alone if the file system takes its new name for that of another file, because it
    /// ignores case.
    fn leave_other_spellings(&mut self) {
        let is_taken = |rename: &&Rename| {
            let (folder, new) = (self.folder(rename.at), OsStr::new(&rename.new));
            !folder.has(new) && folder.takes_for_another(new, self.old(rename.at))
        };
        let taken: HashSet<At> = self.renames.iter().filter(is_taken).map(|rename| rename.at).collect();
        self.leave(|rename| {
            let why = || format!("another name there is taken for \"{}\", which differs in case or form", rename.new);
            taken.contains(&rename.at).then(why)
        });
    }

    /// Leaves names whose new names are taken, until none is left that is.
    fn leave_what_collides(&mut self) {
        loop {
            let moved: HashSet<At> = self.renames.iter().map(|rename| rename.at).collect();
            let mut targets: HashMap<(usize, &str), u64> = HashMap::new();
            for rename in &self.renames {
                *targets.entry((rename.at.0, &rename.new)).or_default() += 1;
            }
            let wanted_twice: HashSet<At> = self
                .renames
                .iter()
                .filter(|rename| targets[&(rename.at.0, rename.new.as_str())] > 1)
                .map(|rename| rename.at)
                .collect();
            let mut taken = HashMap::new();
            for rename in &self.renames {
                let folder = self.folder(rename.at);
                let new = OsStr::new(&rename.new);
                let number = folder.number(new);
                if wanted_twice.contains(&rename.at) {
                    taken.insert(rename.at, format!("two names would become \"{}\"", rename.new));
                } else if folder.has(new) && !number.is_some_and(|number| moved.contains(&(rename.at.0, number))) {
                    taken.insert(rename.at, format!("there is a \"{}\" already", rename.new));
                }
            }
            if !self.leave(|rename| taken.remove(&rename.at)) {
                break;
            }
        }
    }

    /// Sorts the deepest folder first, and within a folder a name before the one that becomes it.
    pub(super) fn order(&mut self) {
        let mut by_folder: HashMap<usize, Vec<Rename>> = HashMap::new();
        for rename in self.renames.drain(..) {
            by_folder.entry(rename.at.0).or_default().push(rename);
        }
        let mut folders: Vec<_> = by_folder.into_iter().collect();
        let depth = |number: usize| self.tree.folders[number].path.components().count();
        folders.sort_by_key(|(number, _)| (std::cmp::Reverse(depth(*number)), *number));
        for (number, mut renames) in folders {
            renames.sort_by_key(|rename| rename.at);
            let entries = &self.tree.folders[number].entries;
            let by_name: HashMap<&OsStr, usize> =
                renames.iter().enumerate().map(|(i, rename)| (entries[rename.at.1].name.as_os_str(), i)).collect();
            let mut place = vec![None; renames.len()];
            let mut next = 0;
            for start in 0..renames.len() {
                // The names that must go first, the last of them in front of the others.
                let mut chain = vec![start];
                while let Some(&blocker) = chain.last().and_then(|&i| by_name.get(OsStr::new(&renames[i].new)))
                    && place[blocker].is_none()
                    && !chain.contains(&blocker)
                {
                    chain.push(blocker);
                }
                for i in chain.into_iter().rev() {
                    place[i].get_or_insert_with(|| {
                        next += 1;
                        next
                    });
                }
            }
            let mut placed: Vec<_> = place.into_iter().zip(renames).collect();
            placed.sort_by_key(|(place, _)| *place);
            self.renames.extend(placed.into_iter().map(|(_, rename)| rename));
        }
    }

    fn find_links(&mut self) {
        let old: HashSet<PathBuf> = self.renames.iter().map(|rename| self.path(rename.at)).collect();
        if old.is_empty() {
            return;
        }
        for (number, folder) in self.tree.folders.iter().enumerate() {
            for (i, entry) in folder.entries.iter().enumerate() {
                let Some(target) = &entry.link else { continue };
                let target = normalized(&folder.path.join(target));
                if target.ancestors().any(|path| old.contains(path)) {
                    self.links.push((number, i));
                }
            }
        }
    }
}

/// Without `.` and `..`, by the names alone.
fn normalized(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

fn renamed(at: At, name: Option<&str>, reading: Option<Reading>, args: &Names) -> Rename {
    let mut actions = Vec::new();
    let mut certainty = Certainty::Certain;
    let mut new = match reading {
        Some(reading) => {
            certainty = reading.certainty;
            actions.push(match reading.was {
                Was::Misread(misread) => Action::Undouble(misread),
                Was::In(encoding) => Action::Convert(encoding),
            });
            reading.text
        }
        None => name.unwrap_or_default().to_owned(),
    };
    type Step = (bool, Action, fn(&str) -> String);
    let steps: [Step; 3] = [
        (args.nfc, Action::Compose, |name| name.nfc().collect()),
        (args.nfd, Action::Decompose, |name| name.nfd().collect()),
        (args.portable, Action::Escape, portable::escaped),
    ];
    for (is_wanted, action, step) in steps {
        let next = if is_wanted { step(&new) } else { continue };
        if next != new {
            actions.push(action);
            new = next;
        }
    }
    Rename { at, new, actions, certainty }
}
