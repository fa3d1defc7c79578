//! Each file once, under whatever names it is given.

use std::collections::HashSet;
use std::fs::File;
use std::hash::{BuildHasher, Hash, RandomState};
use std::io;
use std::path::Path;

use crate::lock::Lock;
use crate::paths::{identity, identity_at, resolve};

/// The files that were taken. A name is kept as a hash of 128 bits: a list of
/// millions of names takes little memory, and collisions are improbable.
#[derive(Debug, Default)]
pub(crate) struct Once {
    taken: Lock<HashSet<(u64, u64)>>,
    keys: (RandomState, RandomState),
}

impl Once {
    /// Takes the file at `path`. Returns false if an earlier argument led to it, or
    /// if this run has written it.
    pub(crate) fn take(&self, path: &Path, file: &File) -> io::Result<bool> {
        let name = self.digest(&resolve(path)?);
        let written = self.digest(&identity(file)?);
        let mut taken = self.taken.lock();
        Ok(!taken.contains(&written) && taken.insert(name))
    }

    /// Notes that this run has written the file at `path`. It may be reached by
    /// other names, for instance through a second mount of its folder.
    pub(crate) fn written(&self, path: &Path) {
        if let Ok(identity) = resolve(path).and_then(|path| identity_at(&path)) {
            let digest = self.digest(&identity);
            self.taken.lock().insert(digest);
        }
    }

    fn digest(&self, what: &impl Hash) -> (u64, u64) {
        (self.keys.0.hash_one(what), self.keys.1.hash_one(what))
    }
}
