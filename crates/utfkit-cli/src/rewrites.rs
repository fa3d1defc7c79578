//! Files that are written over themselves, for every subcommand that does it.

use std::collections::HashSet;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

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

/// The files of a run, and the backups of their old content.
pub(crate) struct Rewrites<'a> {
    suffix: &'a str,
    cleaner: Cleaner,
    /// The paths that were named.
    named: &'a [PathBuf],
    /// A file could not be removed.
    failed: AtomicBool,
    /// `None` if no file can be named twice.
    once: Option<Once>,
    backups: AtomicU64,
    /// The number of files with new content.
    changed: AtomicU64,
    /// The folders to sync at the end.
    folders: Lock<HashSet<PathBuf>>,
}

/// True if `-o` names the only input, which is then changed in place.
pub(crate) fn is_over_itself(outputs: &args::Outputs, inputs: &args::Inputs) -> bool {
    match (outputs.file(), &inputs.paths[..], &inputs.files0_from) {
        (Some(output), [input], None) => {
            input.is_file() && resolve(output).is_ok_and(|output| resolve(input).is_ok_and(|input| input == output))
        }
        _ => false,
    }
}

impl<'a> Rewrites<'a> {
    /// With a `suffix`, the old files are kept under their names with it.
    pub(crate) fn new(inputs: &'a args::Inputs, suffix: &'a str, clean: bool) -> anyhow::Result<Rewrites<'a>> {
        let (paths, listed) = (&inputs.paths, inputs.files0_from.is_some());
        ensure!(
            listed || !(paths.is_empty() || paths.iter().any(|path| path == Path::new("-"))),
            "standard input cannot be changed in place: name files or folders; \
             `utfkit convert -f auto` and `utfkit repair` write what they make of it to standard output"
        );
        ensure!(
            !suffix.contains(['/', MAIN_SEPARATOR]),
            "--in-place={}: a suffix cannot contain a path separator",
            Escaped(Path::new(suffix))
        );
        Ok(Rewrites {
            suffix,
            cleaner: Cleaner::new(clean),
            named: paths,
            failed: AtomicBool::new(false),
            once: (listed || paths.len() > 1 || inputs.follow).then(Once::default),
            backups: AtomicU64::new(0),
            changed: AtomicU64::new(0),
            folders: Lock::default(),
        })
    }

    /// True if a walk found it and it is a temporary file, of this or another run,
    /// or a backup.
    pub(crate) fn passes_over(&self, input: &Input) -> bool {
        if input.is_named() {
            return false;
        }
        let backup = is_backup(input.path(), self.suffix);
        self.backups.fetch_add(u64::from(backup), Ordering::Relaxed);
        backup || is_temporary(input.path())
    }

    /// Mentions temporary files of killed runs in the folder of `path`, or removes
    /// them with `--clean`.
    pub(crate) fn clean(&self, path: &Path, say: impl FnMut(&str)) {
        if !self.cleaner.beside(path, say) {
            self.failed.store(true, Ordering::Relaxed);
        }
    }

    /// Opens a file that will be written. Returns `None` if it was taken before.
    pub(crate) fn open(&self, input: &Input) -> io::Result<Option<(File, Metadata)>> {
        if input.is_stdin() {
            return Err(io::Error::other("standard input cannot be changed in place"));
        }
        // Opening a pipe would wait for a writer.
        ensure_regular(&fs::metadata(input.path())?)?;
        progress::opened();
        let file = open_at_once(input.path())?;
        let metadata = file.metadata()?;
        ensure_regular(&metadata)?;
        let first = match &self.once {
            Some(once) => once.take(input.path(), &file)?,
            None => true,
        };
        Ok(first.then_some((file, metadata)))
    }

    pub(crate) fn backup(&self, path: &Path) -> Option<PathBuf> {
        backup_of(path, self.suffix)
    }

    /// Notes that `path` has its new content.
    pub(crate) fn written(&self, path: &Path) {
        self.changed.fetch_add(1, Ordering::Relaxed);
        if let Ok(path) = resolve(path) {
            self.folders.lock().insert(folder_of(&path));
        }
        if let Some(once) = &self.once {
            once.written(path);
        }
    }

    /// The number of files with new content.
    pub(crate) fn changed(&self) -> u64 {
        self.changed.load(Ordering::Relaxed)
    }

    /// Syncs the folders, and prints how many files were skipped and removed. Returns
    /// `Failed` if a folder could not be synced, or a file not removed.
    pub(crate) fn finish(self, verb: &str) -> Status {
        let mut failed = self.failed.into_inner();
        for error in self.folders.into_inner().iter().filter_map(|path| sync_folder(path).err()) {
            complain(&format!("{error}; a power failure may bring the old files back"));
            failed = true;
        }
        let suffix = Escaped(Path::new(self.suffix));
        match self.backups.into_inner() {
            0 => {}
            1 => complain(&format!("skipped 1 backup ({suffix}); to {verb} it anyway, name it")),
            n => complain(&format!("skipped {n} backups ({suffix}); to {verb} one anyway, name it")),
        }
        for folder in self.named.iter().filter(|path| path.is_dir()) {
            failed |= !self.cleaner.within(folder, complain);
        }
        self.cleaner.report().as_deref().into_iter().for_each(complain);
        if failed { Status::Failed } else { Status::Well }
    }
}
