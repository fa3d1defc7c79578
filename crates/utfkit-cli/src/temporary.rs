//! Temporary files, and their removal after a run was killed.
//!
//! The writer of a temporary file holds a lock on it, which ends with the
//! process. [`Cleaner`] removes only files that it can lock. If a cleaner comes
//! between the creation of a file and its lock, the writer finds the lock taken
//! or the file without a name, and makes another.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use tempfile::NamedTempFile;

use crate::console::complain;
use crate::exit::Status;
use crate::lock::Lock;
use crate::paths::{folder_of, identity, identity_at, is_held, resolve};
use crate::printable::{Escaped, argument, count, words};
use crate::signals;

/// The name of a temporary file: `RANDOM` letters and digits between `FRONT` and
/// `BACK`.
const FRONT: &str = ".utfkit-";
const BACK: &str = ".tmp";
const RANDOM: usize = 12;

/// After this time a file that was just created is locked.
const SETTLED: Duration = Duration::from_millis(20);

/// The number of attempts, if cleaners keep taking the file.
const TRIES: usize = 100;

/// A file that is removed on drop, unless it was named.
#[derive(Debug)]
pub(crate) struct Temporary(Option<NamedTempFile>);

impl Temporary {
    /// Creates a file in `folder`: readable by its owner only if `private`, and
    /// with the usual mode of new files otherwise.
    pub(crate) fn new(folder: &Path, private: bool) -> io::Result<Temporary> {
        signals::watch();
        for _ in 0..TRIES {
            let mut live = signals::live();
            let file = new_in(folder, private)?;
            live.push(file.path().to_owned());
            drop(live);
            let temporary = Temporary(Some(file));
            if temporary.is_held()? {
                return Ok(temporary);
            }
        }
        Err(io::Error::other("another process keeps removing the temporary file"))
    }

    /// Locks the file. Returns false if a cleaner has taken it.
    fn is_held(&self) -> io::Result<bool> {
        match self.file()?.try_lock() {
            // On Windows, a file that was removed is there, without its name, until it is closed.
            Ok(()) => {
                let (file, path) =
                    self.0.as_ref().map(|file| (file.as_file(), file.path())).ok_or(io::ErrorKind::NotFound)?;
                Ok(identity_at(path).is_ok_and(|there| identity(file).is_ok_and(|this| this == there)))
            }
            Err(TryLockError::WouldBlock) => Ok(false),
            // On a file system without locks, cleaners do not remove files.
            Err(TryLockError::Error(_)) => Ok(true),
        }
    }

    pub(crate) fn file(&self) -> io::Result<&File> {
        // `None` only after `take_name`, which consumes `self`.
        self.0.as_ref().map(NamedTempFile::as_file).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Renames it to `path` atomically, over an existing file. On Windows, no process may have that
    /// file open. Unlike `persist`, this keeps the attributes on Windows, and `path` may be longer
    /// than 260 characters. Calls `check` right before each attempt.
    pub(crate) fn replace(self, path: &Path, check: impl Fn() -> io::Result<()>) -> io::Result<()> {
        self.take_name(|mut file| match rename(file.path(), path, check) {
            Ok(()) => {
                file.disable_cleanup(true);
                Ok(())
            }
            Err(error) => Err((file, error)),
        })
    }

    /// Renames it to `path`, which must not exist.
    pub(crate) fn name(self, path: &Path) -> io::Result<()> {
        self.take_name(|file| file.persist_noclobber(path).map(drop).map_err(|failed| (failed.file, failed.error)))
    }

    fn take_name(
        mut self,
        rename: impl FnOnce(NamedTempFile) -> Result<(), (NamedTempFile, io::Error)>,
    ) -> io::Result<()> {
        let Some(file) = self.0.take() else { return Err(io::ErrorKind::NotFound.into()) };
        let mut live = signals::live();
        let name = file.path().to_owned();
        match rename(file) {
            Ok(()) => {
                live.retain(|path| *path != name);
                Ok(())
            }
            Err((file, error)) => {
                drop(live);
                // Dropping `self` removes it.
                self.0 = Some(file);
                Err(error)
            }
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(file) = self.0.take() {
            let mut live = signals::live();
            let name = file.path().to_owned();
            drop(file);
            live.retain(|path| *path != name);
        }
    }
}

/// Renames, and tries again if another process has the old file open: virus scanners and other runs
/// of utfkit hold files for a moment only.
fn rename(from: &Path, to: &Path, check: impl Fn() -> io::Result<()>) -> io::Result<()> {
    let mut wait = Duration::from_millis(1);
    loop {
        match check().and_then(|()| fs::rename(from, to)) {
            Err(error) if is_held(&error) && wait < Duration::from_millis(200) => {
                thread::sleep(wait);
                wait *= 2;
            }
            done => return done,
        }
    }
}

fn new_in(folder: &Path, private: bool) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(FRONT).suffix(BACK).rand_bytes(RANDOM);
    #[cfg(unix)]
    if !private {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    // On Windows a new file has the rights that its folder gives, and `tempfile_in` would
    // make it one that the system keeps in memory for as long as it can.
    #[cfg(windows)]
    let _ = private;
    #[cfg(windows)]
    return builder.make_in(folder, |path| {
        use std::os::windows::fs::OpenOptionsExt;

        /// `GENERIC_READ`, `GENERIC_WRITE`, and `WRITE_DAC`, with which it gets the access
        /// control list of the file that it replaces.
        const RIGHTS: u32 = 0x8000_0000 | 0x4000_0000 | 0x0004_0000;
        /// `FILE_SHARE_READ` and `FILE_SHARE_DELETE`, which a rename needs. A cleaner, which
        /// opens it for writing, finds it taken from the beginning.
        const SHARED: u32 = 1 | 4;

        File::options().write(true).create_new(true).access_mode(RIGHTS).share_mode(SHARED).open(path)
    });
    #[cfg(unix)]
    builder.tempfile_in(folder)
}

/// True for the name of a temporary file of ours.
pub(crate) fn is_temporary(path: &Path) -> bool {
    let name = path.file_name().map(OsStr::as_encoded_bytes).unwrap_or_default();
    let random = name.strip_prefix(FRONT.as_bytes()).and_then(|name| name.strip_suffix(BACK.as_bytes()));
    random.is_some_and(|random| random.len() == RANDOM && random.iter().all(u8::is_ascii_alphanumeric))
}

/// Finds the temporary files that killed runs left.
#[derive(Debug)]
pub(crate) struct Cleaner {
    /// Removes them, instead of mentioning them.
    removes: bool,
    /// The folders that were searched.
    seen: Lock<HashSet<PathBuf>>,
    removed: AtomicU64,
}

impl Cleaner {
    pub(crate) fn new(removes: bool) -> Cleaner {
        Cleaner { removes, seen: Lock::default(), removed: AtomicU64::new(0) }
    }

    /// Searches the folder of `target`, unless that was done before. Returns false
    /// if a file could not be removed; `say` takes a message for each.
    pub(crate) fn beside(&self, target: &Path, mut say: impl FnMut(&str)) -> bool {
        let is_link = fs::symlink_metadata(target).is_ok_and(|target| target.is_symlink());
        let of_link = if is_link { resolve(target).ok().map(|file| folder_of(&file)) } else { None };
        [Some(folder_of(target)), of_link].into_iter().flatten().all(|folder| self.within(&folder, &mut say))
    }

    /// Searches `folder`, unless that was done before.
    pub(crate) fn within(&self, folder: &Path, mut say: impl FnMut(&str)) -> bool {
        {
            let mut seen = self.seen.lock();
            // A folder under two names is searched twice, which does no harm.
            if seen.contains(folder) || !seen.insert(folder.to_owned()) {
                return true;
            }
        }
        // The writer reports a folder that is not readable.
        let Ok(entries) = fs::read_dir(folder) else { return true };
        let (mut well, mut left) = (true, 0);
        for path in entries.filter_map(Result::ok).map(|entry| entry.path()).filter(|path| is_temporary(path)) {
            // Another thread may be about to lock its own.
            if signals::live().iter().any(|live| live.file_name() == path.file_name()) {
                continue;
            }
            match self.take_if_left(&path) {
                // Another process may be about to lock it, or to make another.
                Ok(true) if !self.removes => {
                    thread::sleep(SETTLED);
                    left += u64::from(self.take_if_left(&path).is_ok_and(|is_left| is_left));
                }
                Ok(true) => {
                    self.removed.fetch_add(1, Ordering::Relaxed);
                }
                Ok(_) => {}
                Err(_) if !self.removes => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => {
                    say(&format!("{}: this temporary file cannot be removed: {}", Escaped(&path), words(&error)));
                    well = false;
                }
            }
        }
        if left > 0 {
            say(&format!(
                "{}: a run that was killed left {} here; `utfkit fix --clean {}` removes {}",
                Escaped(folder),
                count(left, "temporary file"),
                argument(folder),
                if left == 1 { "it" } else { "them" },
            ));
        }
        well
    }

    /// True if no process is writing the file, which is removed then if that is asked for.
    fn take_if_left(&self, path: &Path) -> io::Result<bool> {
        if !fs::symlink_metadata(path)?.is_file() {
            return Ok(false);
        }
        // Some network file systems lock only files that are open for writing.
        let file = match File::options().read(true).write(true).open(path) {
            // On Windows its writer denies others write access.
            Err(error) if is_held(&error) => return Ok(false),
            Err(_) => File::open(path)?,
            Ok(file) => file,
        };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(false),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // The lock keeps the writer from renaming it. If it was renamed before, the
        // path is another file.
        if identity(&file)? != identity_at(path)? {
            return Ok(false);
        }
        if self.removes {
            fs::remove_file(path)?;
        }
        Ok(true)
    }

    /// A message with the number of removed files, if any.
    pub(crate) fn report(&self) -> Option<String> {
        match self.removed.load(Ordering::Relaxed) {
            0 => None,
            1 => Some("removed 1 temporary file that an earlier run had left".to_owned()),
            n => Some(format!("removed {n} temporary files that earlier runs had left")),
        }
    }
}

/// Does `--clean` in the folder of the file that `-o` names. Without `--clean`, mentions the temporary
/// files that it would remove.
pub(crate) fn clean_beside(output: Option<&Path>, clean: bool) -> anyhow::Result<Status> {
    let Some(path) = output else {
        anyhow::ensure!(!clean, "--clean removes temporary files next to written files: add --in-place or -o FILE");
        return Ok(Status::Well);
    };
    let cleaner = Cleaner::new(clean);
    let cleaned = cleaner.beside(path, complain);
    cleaner.report().as_deref().into_iter().for_each(complain);
    Ok(if cleaned { Status::Well } else { Status::Failed })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn only_names_of_ours_are_ours() {
        for (name, ours) in [
            (".utfkit-abcdefABC123.tmp", true),
            ("x/.utfkit-000000000000.tmp", true),
            (".utfkit-abcdefABC12.tmp", false),
            (".utfkit-abcdefABC12-.tmp", false),
            (".utfkit-abcdefABC123", false),
            ("utfkit-abcdefABC123.tmp", false),
            (".utfkit-notes.tmp", false),
        ] {
            assert_eq!(is_temporary(Path::new(name)), ours, "{name}");
        }
    }

    #[test]
    fn a_cleaner_takes_what_nobody_holds() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("target");
        let held = Temporary::new(folder.path(), true).unwrap();
        fs::write(folder.path().join(".utfkit-abcdefABC123.tmp"), "left").unwrap();
        fs::write(folder.path().join(".utfkit-notes.tmp"), "not ours").unwrap();
        let cleaner = Cleaner::new(true);
        assert!(cleaner.beside(&target, |_| {}) && cleaner.report().unwrap().contains("removed 1 "));
        assert_eq!(names(folder.path()), 2, "what is held and what is not ours stay");
        held.replace(&target, || Ok(())).unwrap();
        assert!(target.exists() && !signals::live().iter().any(|path| path.starts_with(folder.path())));
    }

    #[test]
    fn a_file_that_a_cleaner_took_first_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let file = new_in(folder.path(), true).unwrap();
        let path = file.path().to_owned();
        let fresh = Temporary(Some(file));
        // A cleaner that has locked the file and not yet removed it.
        let cleaner = File::open(&path).unwrap();
        cleaner.try_lock().unwrap();
        assert!(!fresh.is_held().unwrap());
        drop(cleaner);
        // A cleaner that has removed it, as only Unix allows.
        assert_eq!(Cleaner::new(true).take_if_left(&path).unwrap(), cfg!(unix));
        assert_eq!((path.exists(), fresh.is_held().unwrap()), (cfg!(windows), cfg!(windows)));
    }

    #[test]
    fn two_at_once_do_not_harm_each_other() {
        let folder = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for writer in 0..2 {
                let path = folder.path().join(format!("target{writer}"));
                let folder = folder.path();
                scope.spawn(move || {
                    for round in 0..200u32 {
                        let temporary = Temporary::new(folder, true).unwrap();
                        io::Write::write_all(&mut temporary.file().unwrap(), &round.to_le_bytes()).unwrap();
                        temporary.replace(&path, || Ok(())).unwrap();
                        assert_eq!(fs::read(&path).unwrap(), round.to_le_bytes());
                    }
                });
            }
            let target = folder.path().join("x");
            scope.spawn(move || {
                for _ in 0..200 {
                    // As another process does it.
                    for entry in fs::read_dir(target.parent().unwrap()).unwrap().filter_map(Result::ok) {
                        if is_temporary(&entry.path()) {
                            let _ = Cleaner::new(true).take_if_left(&entry.path());
                        }
                    }
                    assert!(Cleaner::new(false).beside(&target, |said| panic!("{said}")));
                }
            });
        });
        assert_eq!(names(folder.path()), 2);
    }
}
