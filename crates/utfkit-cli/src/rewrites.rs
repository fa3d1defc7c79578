//! Files that are written over themselves: what is common to all subcommands
//! that do it.

use std::collections::HashSet;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::ensure;

use crate::args;
use crate::console::complain;
use crate::destination::{backup_of, ensure_regular, is_backup};
use crate::exit::Status;
use crate::input::Input;
use crate::lock::Lock;
use crate::once::Once;
use crate::paths::{folder_of, resolve, sync_folder};
use crate::printable::Escaped;
use crate::progress;
use crate::reading::open_at_once;
use crate::temporary::{Cleaner, is_temporary};

/// The files of a run, and what becomes of the old ones.
pub(crate) struct Rewrites<'a> {
    suffix: &'a str,
    cleaner: Option<Cleaner>,
    /// For names that may be given twice.
    once: Option<Once>,
    backups: AtomicU64,
    /// Folders with names that have to last.
    folders: Lock<HashSet<PathBuf>>,
}

impl<'a> Rewrites<'a> {
    /// The old files are kept under their names with `suffix`, if there is any.
    pub(crate) fn new(inputs: &args::Inputs, suffix: &'a str, clean: bool) -> anyhow::Result<Rewrites<'a>> {
        let (paths, listed) = (&inputs.paths, inputs.files0_from.is_some());
        ensure!(
            listed || !(paths.is_empty() || paths.iter().any(|path| path == Path::new("-"))),
            "standard input cannot be changed in place: name files or folders"
        );
        ensure!(
            !suffix.contains(['/', MAIN_SEPARATOR]),
            "--in-place={}: a suffix is the end of a name, and cannot lead into a folder",
            Escaped(Path::new(suffix))
        );
        Ok(Rewrites {
            suffix,
            cleaner: clean.then(Cleaner::default),
            once: (listed || paths.len() > 1).then(Once::default),
            backups: AtomicU64::new(0),
            folders: Lock::default(),
        })
    }

    /// Whether it was met on a walk and is what runs like this one leave: a
    /// temporary file, of this run or of another one, which will give it its
    /// name; or a backup.
    pub(crate) fn passes_over(&self, input: &Input) -> bool {
        if input.is_named() {
            return false;
        }
        let backup = is_backup(input.path(), self.suffix);
        self.backups.fetch_add(u64::from(backup), Ordering::Relaxed);
        backup || is_temporary(input.path())
    }

    /// Begins with a file: removes what killed runs left beside it. Returns `None`
    /// if the file itself is left over by a run.
    pub(crate) fn prepare(&self, input: &Input, say: impl FnMut(&str)) -> Option<Status> {
        match () {
            () if self.passes_over(input) => None,
            () if self.clean(input.path(), say) => Some(Status::Well),
            () => Some(Status::Failed),
        }
    }

    /// Removes what killed runs left beside `path`, with `--clean`. Returns false
    /// if something could not be removed.
    pub(crate) fn clean(&self, path: &Path, say: impl FnMut(&str)) -> bool {
        self.cleaner.as_ref().is_none_or(|cleaner| cleaner.beside(path, say))
    }

    /// Opens a file that is to be written. `None`: it was taken before.
    pub(crate) fn open(&self, input: &Input) -> io::Result<Option<(File, Metadata)>> {
        if input.is_stdin() {
            return Err(io::Error::other("standard input has no place to be written to"));
        }
        // Before it is opened: a pipe would wait for somebody to write.
        ensure_regular(&fs::metadata(input.path())?)?;
        progress::opened();
        let file = open_at_once(input.path())?;
        let metadata = file.metadata()?;
        ensure_regular(&metadata)?;
        let first = match &self.once {
            Some(once) => once.take(input.path(), &metadata)?,
            None => true,
        };
        Ok(first.then_some((file, metadata)))
    }

    pub(crate) fn backup(&self, path: &Path) -> Option<PathBuf> {
        backup_of(path, self.suffix)
    }

    /// `path` has its new content.
    pub(crate) fn written(&self, path: &Path) {
        if let Ok(path) = resolve(path) {
            self.folders.lock().insert(folder_of(&path));
        }
        if let Some(once) = &self.once {
            once.written(path);
        }
    }

    /// Says what was passed over and removed.
    pub(crate) fn finish(self, verb: &str) {
        self.folders.into_inner().iter().for_each(|path| sync_folder(path));
        let suffix = Escaped(Path::new(self.suffix));
        match self.backups.into_inner() {
            0 => {}
            1 => complain(&format!("skipped 1 backup ({suffix}); name it to {verb} it too")),
            n => complain(&format!("skipped {n} backups ({suffix}); name them to {verb} them too")),
        }
        self.cleaner.and_then(|cleaner| cleaner.report()).as_deref().into_iter().for_each(complain);
    }
}
