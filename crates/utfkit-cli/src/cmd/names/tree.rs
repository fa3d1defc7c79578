//! The names below the paths of the command line.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use utfkit_gate::is_of_version_control;

use crate::failure::{AtPath, Failure, Unreadable};
use crate::paths::{canonical, folder_of, identity_at};

/// A folder and the names in it that may be changed.
pub(super) struct Folder {
    /// Without symbolic links.
    pub(super) path: PathBuf,
    /// The folder above, if its names are judged too.
    pub(super) parent: Option<usize>,
    pub(super) entries: Vec<Entry>,
    /// The names that are not changed: hidden ones, and those next to a named path.
    others: HashSet<OsString>,
}

pub(super) struct Entry {
    pub(super) name: OsString,
    /// The target of a symbolic link.
    pub(super) link: Option<PathBuf>,
    /// Another file system is mounted there, or a part of this one.
    pub(super) is_mounted: bool,
}

impl Folder {
    /// True if something in the folder has this name.
    pub(super) fn has(&self, name: &OsStr) -> bool {
        self.others.contains(name) || self.number(name).is_some()
    }

    /// True if the file system finds something by the name `new` that is not `old`.
    pub(super) fn takes_for_another(&self, new: &OsStr, old: &OsStr) -> bool {
        let identity = |name| identity_at(&self.path.join(name)).ok();
        let found = identity(new);
        found.is_some() && found != identity(old)
    }

    /// The number of the entry with this name.
    pub(super) fn number(&self, name: &OsStr) -> Option<usize> {
        self.entries.binary_search_by(|entry| entry.name.as_os_str().cmp(name)).ok()
    }
}

/// The folders, each after the one that contains it.
#[derive(Default)]
pub(super) struct Tree {
    pub(super) folders: Vec<Folder>,
    /// The mounted file systems that were not entered.
    pub(super) mounts: u64,
    pub(super) failures: Vec<Failure>,
    by_path: HashMap<PathBuf, usize>,
}

impl Tree {
    pub(super) fn of(paths: &[PathBuf], max_depth: usize) -> Result<Tree, Failure> {
        let mut tree = Tree::default();
        for path in paths {
            let metadata = fs::symlink_metadata(path).reading(path)?;
            let folder = match path.file_name() {
                Some(name) if is_of_version_control(name) => {
                    let why = io::Error::other("it belongs to version control, whose names are not changed");
                    tree.failures.push(Unreadable::new(path, &why).into());
                    continue;
                }
                // A hidden folder that is named is meant.
                Some(name) => {
                    let folder = canonical(&folder_of(path)).reading(path)?;
                    let number = tree.folder(&folder, None)?;
                    tree.choose(number, name, &metadata, is_mount_point(path));
                    metadata.is_dir().then(|| (folder.join(name), Some(number)))
                }
                // `.`, `..` and `/` have no name that could be changed.
                None => Some((canonical(path).reading(path)?, None)),
            };
            if let Some((folder, parent)) = folder {
                tree.descend(folder, parent, max_depth)?;
            }
        }
        Ok(tree)
    }

    /// The number of a folder, none of whose names are chosen yet.
    fn folder(&mut self, path: &Path, parent: Option<usize>) -> Result<usize, Failure> {
        if let Some(&number) = self.by_path.get(path) {
            self.folders[number].parent = self.folders[number].parent.or(parent);
            return Ok(number);
        }
        let names = fs::read_dir(path).and_then(|entries| entries.map(|entry| Ok(entry?.file_name())).collect());
        let others = names.reading(path)?;
        self.folders.push(Folder { path: path.to_owned(), parent, entries: Vec::new(), others });
        self.by_path.insert(path.to_owned(), self.folders.len() - 1);
        Ok(self.folders.len() - 1)
    }

    /// Chooses `name` to be judged, if it is not yet.
    fn choose(&mut self, folder: usize, name: &OsStr, metadata: &Metadata, is_mounted: bool) {
        let folder = &mut self.folders[folder];
        if let Some(name) = folder.others.take(name) {
            let link = metadata.is_symlink().then(|| fs::read_link(folder.path.join(&name)).ok()).flatten();
            let at = folder.entries.partition_point(|entry| entry.name < name);
            folder.entries.insert(at, Entry { name, link, is_mounted });
        }
    }

    /// Chooses all names below `path`. A folder that cannot be read is a failure of its own.
    fn descend(&mut self, path: PathBuf, parent: Option<usize>, max_depth: usize) -> Result<(), Failure> {
        let device = device(&path);
        let mut open = vec![(path, parent, max_depth)];
        while let Some((path, parent, depth)) = open.pop() {
            if depth == 0 {
                continue;
            }
            let number = match self.folder(&path, parent) {
                Ok(number) => number,
                Err(failure) => {
                    self.failures.push(failure);
                    continue;
                }
            };
            let mut names: Vec<_> = self.folders[number].others.iter().filter(|name| !is_passed_over(name)).collect();
            names.sort_unstable();
            let names: Vec<_> = names.into_iter().cloned().collect();
            let mut below = Vec::new();
            for name in &names {
                let path = path.join(name);
                let metadata = match fs::symlink_metadata(&path) {
                    Ok(metadata) => metadata,
                    // Removed since.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    Err(error) => {
                        self.failures.push(Unreadable::new(&path, &error).into());
                        continue;
                    }
                };
                let is_mounted = self::device(&path) != device || is_mount_point(&path);
                self.choose(number, name, &metadata, is_mounted);
                if metadata.is_dir() {
                    match is_mounted {
                        true => self.mounts += 1,
                        false => below.push((path, Some(number), depth - 1)),
                    }
                }
            }
            open.extend(below.into_iter().rev());
        }
        Ok(())
    }
}

/// True for names that begin with a dot, and for folders of version control.
fn is_passed_over(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".") || is_of_version_control(name)
}

fn device(path: &Path) -> Option<u64> {
    identity_at(path).ok().map(|(device, _)| device)
}

/// True if a file system, or a part of one, is mounted at `path`. A part of the surrounding file system has its
/// device, so that the device does not tell.
#[cfg(target_os = "linux")]
fn is_mount_point(path: &Path) -> bool {
    use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};

    let flags = AtFlags::SYMLINK_NOFOLLOW | AtFlags::NO_AUTOMOUNT;
    statx(CWD, path, flags, StatxFlags::empty())
        .is_ok_and(|found| (found.stx_attributes & found.stx_attributes_mask).contains(StatxAttributes::MOUNT_ROOT))
}

/// Elsewhere a mounted file system has a device of its own.
#[cfg(not(target_os = "linux"))]
fn is_mount_point(_: &Path) -> bool {
    false
}
