//! Folders of version control systems. What lies there belongs to a program,
//! and a byte that is changed in it is a history that is lost.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

const NAMES: [&str; 4] = [".git", ".hg", ".svn", ".jj"];

/// Whether a file or folder of this name is one of them.
pub fn is_of_version_control(name: &OsStr) -> bool {
    NAMES.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Which folders were looked at.
#[derive(Debug, Default)]
pub struct Folders(Mutex<HashMap<PathBuf, bool>>);

impl Folders {
    /// The version control folder in which `file` lies, which is its path
    /// without links: one by its name, or a repository without a tree.
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
        // A tree of any size costs no memory to speak of.
        if known.len() >= 10_000 {
            known.clear();
        }
        known.insert(path.to_owned(), is_bare);
        is_bare
    }
}
