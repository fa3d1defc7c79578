//! Walks of folders, by the rules and the crate of ripgrep.

use std::collections::VecDeque;
use std::env;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use anyhow::Context;
use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::{FileTypeDef, Types, TypesBuilder};
use ignore::{DirEntry, Walk, WalkBuilder};

use crate::args::{self, Sort, SortBy};
use crate::lock::Lock;
use crate::names::nearest_of;
use crate::paths::canonical;
use utfkit_gate::is_of_version_control;

/// The files and errors of a walk.
pub(crate) type Entries = Box<dyn Iterator<Item = Result<DirEntry, ignore::Error>> + Send>;

/// The options that choose files in folders.
#[derive(Clone, Debug)]
pub(crate) struct Walker {
    overrides: Override,
    types: Types,
    sort: Sort,
    max_depth: Option<usize>,
    follow: bool,
    hidden: bool,
    no_ignore: bool,
}

impl Walker {
    pub(crate) fn new(args: &args::Inputs) -> anyhow::Result<Walker> {
        Ok(Walker {
            overrides: overrides(args)?,
            types: types(&args.types, &args.types_not)?,
            sort: args.sort(),
            max_depth: args.max_depth,
            follow: args.follow,
            hidden: args.hidden(),
            no_ignore: args.no_ignore(),
        })
    }

    /// Walks `folder` in the order that was asked for. If the command `writes`, folders of
    /// version control are skipped. Folders with a list of ignored files that cannot be
    /// read go to `unread`, with that list.
    pub(crate) fn walk(&self, folder: &Path, writes: bool, unread: &Arc<Lock<VecDeque<PathBuf>>>) -> Entries {
        let walk = self.walk_by_name(folder, writes, unread);
        let time: fn(&Metadata) -> io::Result<SystemTime> = match self.sort.by {
            SortBy::Path => return Box::new(walk),
            SortBy::Modified => Metadata::modified,
            SortBy::Accessed => Metadata::accessed,
            SortBy::Created => Metadata::created,
        };
        let time = |entry: &DirEntry| entry.metadata().ok().and_then(|metadata| time(&metadata).ok());
        let mut entries: Vec<_> = walk.map(|entry| (entry.as_ref().ok().and_then(time), entry)).collect();
        // The sort is stable: files of one time stay in the order of names.
        entries.sort_by(|(a, _), (b, _)| if self.sort.is_reversed { b.cmp(a) } else { a.cmp(b) });
        Box::new(entries.into_iter().map(|(_, entry)| entry))
    }

    fn walk_by_name(&self, folder: &Path, writes: bool, unread: &Arc<Lock<VecDeque<PathBuf>>>) -> Walk {
        let is_reversed = self.sort.by == SortBy::Path && self.sort.is_reversed;
        let mut builder = WalkBuilder::new(folder);
        builder
            .standard_filters(!self.no_ignore)
            .hidden(!self.hidden)
            .overrides(self.overrides.clone())
            .types(self.types.clone())
            .max_depth(self.max_depth)
            .follow_links(self.follow)
            .sort_by_file_name(move |a, b| if is_reversed { b.cmp(a) } else { a.cmp(b) });
        if !self.no_ignore {
            builder.add_custom_ignore_filename(".rgignore");
        }
        let (no_ignore, unread) = (self.no_ignore, Arc::clone(unread));
        builder.filter_entry(move |entry| {
            if writes && is_of_version_control(entry.file_name()) {
                return false;
            }
            if no_ignore || !entry.file_type().is_some_and(|kind| kind.is_dir()) {
                return true;
            }
            let list = unbounded_list(entry.path());
            let is_walked = list.is_none();
            unread.lock().extend(list);
            is_walked
        });
        builder.build()
    }

    /// The list of ignored files that keeps `folder` from being walked, if there is one,
    /// in it or in a folder above.
    pub(crate) fn obstacle(&self, folder: &Path) -> Option<PathBuf> {
        if self.no_ignore {
            return None;
        }
        let folder = canonical(folder).ok()?;
        folder.ancestors().find_map(unbounded_list)
    }
}

/// The limit of a list of ignored files, in bytes. Its compiled patterns take several
/// hundred times as much memory.
const LARGEST: u64 = 256 << 10;

/// The list of ignored files in `folder` that is no regular file, such as a FIFO, which
/// would block, or that is too large or cannot be read.
fn unbounded_list(folder: &Path) -> Option<PathBuf> {
    let lists = [".gitignore", ".ignore", ".rgignore", ".git/info/exclude"];
    lists.iter().map(|name| folder.join(name)).find(|list| is_unbounded(list)).or_else(|| unbounded_link(folder))
}

fn is_unbounded(list: &Path) -> bool {
    match fs::metadata(list) {
        Ok(metadata) if metadata.is_dir() => false,
        Ok(metadata) => !metadata.is_file() || metadata.len() > LARGEST || File::open(list).is_err(),
        // The walk says that a folder may not be searched.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => fs::symlink_metadata(list).is_ok(),
        Err(error) => !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory),
    }
}

/// [`unbounded_list`] among the files that are read where `.git` is a file, as in a worktree of git: it names a
/// folder, in which `commondir` names that of `info/exclude`.
fn unbounded_link(folder: &Path) -> Option<PathBuf> {
    let git = folder.join(".git");
    if !fs::metadata(&git).is_ok_and(|metadata| !metadata.is_dir()) {
        return None;
    }
    let line = |file: &Path| Some(fs::read_to_string(file).ok()?.lines().next()?.to_owned());
    if is_unbounded(&git) {
        return Some(git);
    }
    let private = PathBuf::from(line(&git)?.strip_prefix("gitdir: ")?);
    let common = private.join("commondir");
    if is_unbounded(&common) {
        return Some(common);
    }
    let list = private.join(line(&common)?).join("info/exclude");
    is_unbounded(&list).then_some(list)
}

/// Globs are relative to the current folder.
fn overrides(args: &args::Inputs) -> anyhow::Result<Override> {
    if args.globs.is_empty() && args.iglobs.is_empty() && args.exclude.is_empty() {
        return Ok(Override::empty());
    }
    let mut builder = OverrideBuilder::new(env::current_dir()?);
    for glob in &args.globs {
        builder.add(glob).context("--glob")?;
    }
    builder.case_insensitive(true)?;
    for glob in &args.iglobs {
        builder.add(glob).context("--iglob")?;
    }
    builder.case_insensitive(false)?;
    for glob in &args.exclude {
        builder.add(&format!("!{glob}")).context("--exclude")?;
    }
    Ok(builder.build()?)
}

fn types(wanted: &[String], unwanted: &[String]) -> anyhow::Result<Types> {
    if wanted.is_empty() && unwanted.is_empty() {
        return Ok(Types::empty());
    }
    let mut builder = TypesBuilder::new();
    builder.add_defaults();
    let known = builder.definitions();
    let options = [("--type", wanted), ("--type-not", unwanted)];
    for (option, name) in options.iter().flat_map(|(option, names)| names.iter().map(move |name| (option, name))) {
        if name != "all" && !known.iter().any(|kind| kind.name() == name) {
            let near = nearest_of(name, known.iter().map(FileTypeDef::name));
            let advice = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            anyhow::bail!(
                "{option}: unknown file type {}{advice} (`utfkit list --types` prints all)",
                crate::printable::escaped_text(name)
            );
        }
    }
    for name in wanted {
        builder.select(name);
    }
    for name in unwanted {
        builder.negate(name);
    }
    Ok(builder.build()?)
}

/// The types of `--type`, with their globs.
pub(crate) fn all_types() -> Vec<FileTypeDef> {
    TypesBuilder::new().add_defaults().definitions()
}
