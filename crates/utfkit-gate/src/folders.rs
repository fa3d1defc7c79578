//! Folders of version control systems. A change to a file in one destroys history.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

const NAMES: [&str; 4] = [".git", ".hg", ".svn", ".jj"];

/// True for the name of a folder of version control.
pub fn is_of_version_control(name: &OsStr) -> bool {
    NAMES.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Caches which folders are repositories without a working tree.
#[derive(Debug, Default)]
pub struct Folders(Mutex<HashMap<PathBuf, bool>>);

impl Folders {
    /// The folder of version control that contains `file`, a canonical path: one
    /// with such a name, or a repository without a working tree.
    pub fn of(&self, file: &Path) -> Option<PathBuf> {
        file.ancestors().find(|path| self.is_one(path, *path != file)).map(Path::to_owned)
    }

    fn is_one(&self, path: &Path, is_folder: bool) -> bool {
        if path.file_name().is_some_and(is_of_version_control) {
            return true;
        }
        if !is_folder {
            return false;
        }
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(path) {
            return *known;
        }
        let is_bare = path.join("HEAD").is_file() && path.join("objects").is_dir() && path.join("refs").is_dir();
        // Bounds the memory for trees of any size.
        if known.len() >= 10_000 {
            known.clear();
        }
        known.insert(path.to_owned(), is_bare);
        is_bare
    }
}
