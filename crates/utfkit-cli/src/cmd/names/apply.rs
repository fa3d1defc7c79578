//! Renames, as planned or back again.

use std::collections::HashSet;
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
        let mut gone = HashSet::new();
        for step in steps {
            if gone.contains(&step.old) {
                continue;
            }
            match folder.rename(&step.old, OsStr::new(&step.new)) {
                Ok(()) => changed += u64::from(step.is_last),
                Err(error) => {
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
    for rename in renames {
        let (old, new) = (plan.old(rename.at), OsStr::new(&rename.new));
        waiting.remove(old);
        let id = folder.identity(old)?;
        let is_itself = !plan.folder(rename.at).has(new) && id.is_some() && folder.identity(new)? == id;
        if !is_itself && !waiting.contains(new) {
            steps.push(Step { old: old.to_owned(), new: rename.new.clone(), is_last: true });
            continue;
        }
        let between = free(folder)?;
        steps.push(Step { old: old.to_owned(), new: between.clone(), is_last: false });
        last.push(Step { old: between.into(), new: rename.new.clone(), is_last: true });
    }
    steps.append(&mut last);
    Ok(steps)
}

/// A name that nothing has. It does not look like a temporary file, which another run would remove.
fn free(folder: &Folder) -> io::Result<String> {
    for n in 0.. {
        let name = format!("utfkit-renames-{}-{n}", std::process::id());
        if folder.identity(OsStr::new(&name))?.is_none() {
            return Ok(name);
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

fn lines(steps: &[Step], folder: &Folder, below: &Path) -> Vec<RenameLine> {
    let line = |step: &Step| RenameLine {
        path: JsonPath::new(&below.join(&step.old)),
        rename: true,
        to: step.new.clone(),
        id: folder.identity(&step.old).ok().flatten(),
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
    match (folder.identity(old)?, folder.identity(new)?) {
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
        let between = free(&folder)?;
        let between = OsStr::new(&between);
        folder.rename(new, between)?;
        folder.rename(between, old).inspect_err(|_| {
            // The first error is the one to report.
            let _ = folder.rename(between, new);
        })
    })?;
    Ok(true)
}
