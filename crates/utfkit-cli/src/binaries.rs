//! The files of a walk that are left out because they are not text.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::console::complain;
use crate::printable::Escaped;

/// Counts them, and names each if `--verbose` wants it.
#[derive(Debug)]
pub(crate) struct Binaries {
    count: AtomicU64,
    names_each: bool,
}

impl Binaries {
    pub(crate) fn new(names_each: bool) -> Binaries {
        Binaries { count: AtomicU64::new(0), names_each }
    }

    pub(crate) fn skip(&self, path: &Path, say: impl FnOnce(&str)) {
        self.count.fetch_add(1, Ordering::Relaxed);
        if self.names_each {
            say(&format!("{}: binary, skipped", Escaped(path)));
        }
    }

    pub(crate) fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    /// Prints how many were skipped, if any. `verb` is what naming one would do.
    pub(crate) fn finish(&self, verb: &str) {
        match self.count() {
            0 => {}
            1 => complain(&format!("skipped 1 file that looks binary (see -v); to {verb} it anyway, name it")),
            n => complain(&format!("skipped {n} files that look binary (see -v); to {verb} one anyway, name it")),
        }
    }
}
