//! Each file once, whatever names it is given by.

use std::collections::HashSet;
use std::fs::{self, Metadata};
use std::hash::{BuildHasher, Hash, RandomState};
use std::io;
use std::path::Path;

use crate::lock::Lock;
use crate::paths::{identity, resolve};

/// The files that were taken by now. Of a name there are 16 bytes: a list of
/// millions of names costs little, and two names with the same do not occur.
#[derive(Debug, Default)]
pub(crate) struct Once {
    taken: Lock<HashSet<(u64, u64)>>,
    keys: (RandomState, RandomState),
}

impl Once {
    /// Takes the file that `path` leads to and that `file` is about. `false`:
    /// an argument before led there too, or this run has written it.
    pub(crate) fn take(&self, path: &Path, file: &Metadata) -> io::Result<bool> {
        let name = self.digest(&resolve(path)?);
        let written = identity(file).map(|identity| self.digest(&identity));
        let mut taken = self.taken.lock();
        Ok(!written.is_some_and(|written| taken.contains(&written)) && taken.insert(name))
    }

    /// `path` leads to a file that this run has written. It may have other
    /// names that nobody can tell: the folder may be mounted at two places.
    pub(crate) fn written(&self, path: &Path) {
        if let Some(identity) = fs::metadata(path).ok().as_ref().and_then(identity) {
            let digest = self.digest(&identity);
            self.taken.lock().insert(digest);
        }
    }

    fn digest(&self, what: &impl Hash) -> (u64, u64) {
        (self.keys.0.hash_one(what), self.keys.1.hash_one(what))
    }
}
