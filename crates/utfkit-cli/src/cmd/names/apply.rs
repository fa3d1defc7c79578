//! Renames, as planned or back again.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

use super::plan::{Plan, Rename};
use crate::confined::{Folder, Root};
use crate::exit::Status;
use crate::log::Log;
use crate::log::format::RenameLine;
use crate::printable::{Escaped, words};
use crate::report::JsonPath;

/// One rename within a folder. The new name is free by then.
struct Step {
    old: OsString,
    new: String,
    /// False on the way to a third name.
    is_last: bool,
}

/// Carries out the plan below `root`, and returns how many names have changed. `say` takes messages.
pub(super) fn apply(plan: &Plan, root: &Root, log: Option<&Log>, mut say: impl FnMut(&str)) -> (u64, Status) {
    let (mut changed, mut status) = (0, Status::Well);
    for renames in plan.renames.chunk_by(|a, b| a.at.0 == b.at.0) {
        let path = &plan.folder(renames[0].at).path;
        let mut complain = |name: &Path, error: io::Error| {
            status = Status::Failed;
            say(&format!("{}: {}", Escaped(name), words(&error)));
        };
        let below = path.strip_prefix(root.path()).unwrap_or(path);
        let opened = root.open_folder(below).and_then(|folder| Ok((steps(plan, renames, &folder)?, folder)));
        let (steps, folder) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                complain(path, error);
                continue;
            }
        };
        // The log is on the disk before the first name changes.
        if let Some(log) = log
            && let Err(error) = log.take_renames(&lines(&steps, &folder, below))
        {
            complain(Path::new("the log"), error);
            return (changed, Status::Failed);
        }
        let (mut gone, mut thirds) = (HashSet::new(), HashSet::new());
        for step in steps {
            if gone.contains(&step.old) {
                continue;
            }
            match folder.rename(&step.old, OsStr::new(&step.new)) {
                Ok(()) if step.is_last => changed += 1,
                Ok(()) => drop(thirds.insert(OsString::from(step.new))),
                Err(error) => {
                    // It keeps its third name, which `undo` takes back.
                    changed += u64::from(thirds.contains(&step.old));
                    complain(&path.join(&step.old), to(&step.new, error));
                    gone.insert(OsString::from(step.new));
                }
            }
        }
        if let Err(error) = folder.sync() {
            complain(path, error);
        }
    }
    (changed, status)
}

fn to(new: &str, error: io::Error) -> io::Error {
    let why = match error.kind() {
        io::ErrorKind::AlreadyExists => "there is such a name now".to_owned(),
        _ => words(&error),
    };
    io::Error::new(error.kind(), format!("not renamed to {}: {why}", Escaped(Path::new(new))))
}

/// The renames of one folder, with a third name where two change places or the file system takes the new
/// name for the old one.
fn steps(plan: &Plan, renames: &[Rename], folder: &Folder) -> io::Result<Vec<Step>> {
    let mut waiting: HashSet<&OsStr> = renames.iter().map(|rename| plan.old(rename.at)).collect();
    let (mut steps, mut last) = (Vec::new(), Vec::new());
    let mut thirds = 0..;
    for rename in renames {
        let (old, new) = (plan.old(rename.at), OsStr::new(&rename.new));
        waiting.remove(old);
        let id = folder.identity(old)?;
        let is_itself = !plan.folder(rename.at).has(new) && id.is_some() && folder.identity(new)? == id;
        if !is_itself && !waiting.contains(new) {
            steps.push(Step { old: old.to_owned(), new: rename.new.clone(), is_last: true });
            continue;
        }
        let between = free(folder, &mut thirds)?;
        steps.push(Step { old: old.to_owned(), new: between.clone(), is_last: false });
        last.push(Step { old: between.into(), new: rename.new.clone(), is_last: true });
    }
    steps.append(&mut last);
    Ok(steps)
}

/// The prefix of temporary names.
const THIRD: &str = "utfkit-renames-";

/// A name that nothing has, with the next of the `numbers`. It does not look like a temporary file, which another run would remove.
fn free(folder: &Folder, numbers: &mut impl Iterator<Item = u64>) -> io::Result<String> {
    for n in numbers {
        let name = format!("{THIRD}{}-{n}", std::process::id());
        if folder.identity(OsStr::new(&name))?.is_none() {
            return Ok(name);
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

fn lines(steps: &[Step], folder: &Folder, below: &Path) -> Vec<RenameLine> {
    // The name that comes after a temporary one, with the name that the file has now.
    let thirds: HashMap<&OsStr, &OsStr> =
        steps.iter().filter(|step| !step.is_last).map(|step| (OsStr::new(&step.new), step.old.as_os_str())).collect();
    let line = |step: &Step| {
        let now = thirds.get(step.old.as_os_str()).copied().unwrap_or(&step.old);
        RenameLine {
            path: JsonPath::new(&below.join(&step.old)),
            rename: true,
            to: step.new.clone(),
            id: folder.identity(now).ok().flatten(),
        }
    };
    steps.iter().map(line).collect()
}

/// Takes renames back, the last one first. Returns how many names have changed.
pub(crate) fn restore(lines: &[RenameLine], root: &Root, mut say: impl FnMut(&str)) -> (u64, Status) {
    let (mut changed, mut status) = (0, Status::Well);
    for line in lines.iter().rev() {
        let path = line.path.to_path().unwrap_or_default();
        match restore_one(line, &path, root) {
            Ok(is_changed) => changed += u64::from(is_changed),
            Err(error) => {
                status = Status::Failed;
                say(&format!("{}: {}", Escaped(&root.path().join(&path)), words(&error)));
            }
        }
    }
    (changed, status)
}

fn restore_one(line: &RenameLine, path: &Path, root: &Root) -> io::Result<bool> {
    let damaged = || io::Error::new(io::ErrorKind::InvalidData, "not a name, so the log is damaged");
    let old = path.file_name().ok_or_else(damaged)?;
    let new = OsStr::new(&line.to);
    if Path::new(new).file_name() != Some(new) {
        return Err(damaged());
    }
    // The folder of the old path also checks the names.
    root.check(path)?;
    let folder = root.open_folder(path.parent().unwrap_or(Path::new("")))?;
    let is_third = old.to_str().is_some_and(|old| old.starts_with(THIRD));
    match (folder.identity(old)?, folder.identity(new)?) {
        // Two names that were to change places, and have not yet or no longer.
        (None, Some(found)) if is_third && line.id.is_some_and(|id| id != found) => return Ok(false),
        (None, Some(_)) => {}
        // Not renamed, or already taken back.
        (Some(found), other) if other.is_none() || line.id == Some(found) && other != Some(found) => return Ok(false),
        // The file system takes both names for one.
        (Some(found), Some(other)) if found == other => {}
        (Some(_), Some(_)) => return Err(io::Error::other(format!("there is such a name now; {} stays", line.to))),
        (None, None) => return Err(io::Error::other("removed or renamed since the run, so skipped")),
        (Some(_), None) => return Ok(false),
    }
    folder.rename(new, old).or_else(|error| {
        if error.kind() != io::ErrorKind::AlreadyExists {
            return Err(error);
        }
        let between = free(&folder, &mut (0..))?;
        let between = OsStr::new(&between);
        folder.rename(new, between)?;
        folder.rename(between, old).inspect_err(|_| {
            // The first error is the one to report.
            let _ = folder.rename(between, new);
        })
    })?;
    Ok(true)
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;

    use tempfile::TempDir;
    use utfkit::detect::Certainty;

    use super::super::tree::Tree;
    use super::*;

    /// A folder with a file of each old name, which holds that name, and the plan for it.
    fn planned(renames: &[(&str, &str)]) -> (TempDir, Plan) {
        let folder = tempfile::tempdir().unwrap();
        renames.iter().for_each(|(old, _)| fs::write(folder.path().join(old), old).unwrap());
        let path = crate::paths::canonical(folder.path()).unwrap();
        let tree = Tree::of(&[path], usize::MAX).unwrap();
        let number = tree.folders.iter().position(|folder| folder.number(OsStr::new(renames[0].0)).is_some()).unwrap();
        let at = |old: &str| (number, tree.folders[number].number(OsStr::new(old)).unwrap());
        let rename = |(old, new): &(&str, &str)| Rename {
            at: at(old),
            new: (*new).to_owned(),
            actions: Vec::new(),
            certainty: Certainty::Certain,
        };
        let renames = renames.iter().map(rename).collect();
        let mut plan = Plan { tree, renames, left: Vec::new(), decomposed: 0, links: Vec::new(), names: 0 };
        plan.order();
        (folder, plan)
    }

    fn content(folder: &TempDir) -> Vec<(String, String)> {
        let entries = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap());
        let mut content: Vec<_> = entries
            .map(|entry| (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap()))
            .collect();
        content.sort();
        content
    }

    const PLANS: [&[(&str, &str)]; 4] = [
        &[("a", "b"), ("b", "a")],
        &[("a", "b"), ("b", "c"), ("c", "d")],
        &[("a", "b"), ("b", "c"), ("c", "a"), ("x", "y"), ("y", "x")],
        &[("a", "b"), ("b", "c"), ("c", "b2"), ("e", "f"), ("f", "e"), ("g", "h")],
    ];

    #[test]
    fn names_change_places_in_chains_and_cycles() {
        for renames in PLANS {
            let (folder, plan) = planned(renames);
            let root = Root::new(&plan.folder(plan.renames[0].at).path, false).unwrap();
            let (changed, status) = apply(&plan, &root, None, |message| panic!("{message}"));
            assert_eq!((changed, status), (renames.len() as u64, Status::Well));
            let mut right: Vec<_> = renames.iter().map(|(old, new)| ((*new).to_owned(), (*old).to_owned())).collect();
            right.sort();
            assert_eq!(content(&folder), right);
        }
    }

    /// As after `kill -9`.
    #[test]
    fn a_run_that_ended_after_any_rename_is_taken_back() {
        for renames in PLANS {
            let (folder, plan) = planned(renames);
            let before = content(&folder);
            let root = Root::new(&plan.folder(plan.renames[0].at).path, false).unwrap();
            let opened = root.open_folder(Path::new("")).unwrap();
            let all = steps(&plan, &plan.renames, &opened).unwrap();
            let lines = lines(&all, &opened, Path::new(""));
            for done in 0..=all.len() {
                all[..done].iter().for_each(|step| opened.rename(&step.old, OsStr::new(&step.new)).unwrap());
                let (_, status) = restore(&lines, &root, |message| panic!("{renames:?} after {done}: {message}"));
                assert_eq!((status, content(&folder)), (Status::Well, before.clone()), "{renames:?} after {done}");
            }
        }
    }

    #[test]
    fn a_folder_that_vanished_is_reported() {
        let (folder, plan) = planned(&[("a", "b")]);
        let path = plan.folder(plan.renames[0].at).path.clone();
        let root = Root::new(path.parent().unwrap(), false).unwrap();
        folder.close().unwrap();
        let mut said = Vec::new();
        let (changed, status) = apply(&plan, &root, None, |message| said.push(message.to_owned()));
        assert_eq!((changed, status), (0, Status::Failed));
        assert!(said[0].contains(path.to_str().unwrap()) && said[0].contains("No such file"), "{said:?}");
    }

    #[test]
    fn a_name_that_vanished_or_came_is_reported_and_the_rest_is_done() {
        let (folder, plan) = planned(&[("a", "1"), ("b", "2"), ("c", "3")]);
        let root = Root::new(&plan.folder(plan.renames[0].at).path, false).unwrap();
        fs::remove_file(folder.path().join("a")).unwrap();
        fs::write(folder.path().join("2"), "new").unwrap();
        let mut said = Vec::new();
        let (changed, status) = apply(&plan, &root, None, |message| said.push(message.to_owned()));
        assert_eq!((changed, status, said.len()), (1, Status::Failed, 2), "{said:?}");
        assert_eq!(fs::read(folder.path().join("2")).unwrap(), b"new");
        assert_eq!(fs::read(folder.path().join("b")).unwrap(), b"b");
    }
}
