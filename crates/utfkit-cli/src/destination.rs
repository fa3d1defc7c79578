//! Files that are written atomically.
//!
//! The new content is written to a temporary file in the folder of the target,
//! synced, and renamed over the target. Before the rename, the target does not
//! change, so it may be one of the inputs. Its attributes are kept. A symbolic
//! link is followed, and stays.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::console::complain;
use crate::paths::{
    Identity, folder_of, identity, identity_at, is_held, is_regular, links_at, resolve, sync_folder_of,
};
use crate::printable::{Escaped, words};
use crate::temporary::Temporary;
use utfkit_gate::{CHANGED, Keep, NotKept};

/// The target of a command that writes text.
#[derive(Debug)]
pub(crate) enum Destination {
    Stdout(io::Stdout),
    /// Standard output, a pipe or a device. Written without a buffer and without a
    /// temporary file.
    Direct(File),
    File(Box<Replacement>),
}

/// The new content of the file `path`.
#[derive(Debug)]
pub(crate) struct Replacement {
    temporary: Temporary,
    path: PathBuf,
    old: Option<Metadata>,
    /// The old content, if the new one was made of it.
    read: Option<Snapshot>,
    attributes: Keep,
    /// The time of modification to set, instead of now.
    modified: Option<SystemTime>,
}

/// Metadata that changes when the content of a file does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Snapshot {
    len: u64,
    modified: Option<SystemTime>,
    identity: Identity,
}

impl Snapshot {
    pub(crate) fn of(file: &File) -> io::Result<Snapshot> {
        Ok(Snapshot::new(&file.metadata()?, identity(file)?))
    }

    /// A snapshot of the file at `path`; of a link itself.
    fn at(path: &Path) -> io::Result<Snapshot> {
        Ok(Snapshot::new(&fs::symlink_metadata(path)?, identity_at(path)?))
    }

    fn new(file: &Metadata, identity: Identity) -> Snapshot {
        Snapshot { len: file.len(), modified: file.modified().ok(), identity }
    }
}

impl Destination {
    pub(crate) fn stdout() -> Destination {
        stdout_file().map_or_else(|| Destination::Stdout(io::stdout()), Destination::Direct)
    }

    /// Begins to write `path`, which need not exist. Fails if `attributes` asks for
    /// more than can be kept of an existing file.
    pub(crate) fn file(path: &Path, attributes: Keep) -> io::Result<Destination> {
        // Opened again, the position would be 0, also where the shell appends.
        if ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| path == Path::new(name)) {
            return Ok(Destination::stdout());
        }
        let direct = |path: &Path| Ok(Destination::Direct(File::options().write(true).open(path)?));
        if fs::metadata(path).is_ok_and(|special| !special.is_file() && !special.is_dir()) {
            return direct(path);
        }
        if cfg!(windows)
            && let Ok(device) = direct(path)
            && let Destination::Direct(open) = &device
            && !is_regular(open)?
        {
            // A device, such as NUL, which has no metadata. With nul.txt the user means a file,
            // and all that is written would be lost.
            if path.extension().is_some() {
                return Err(io::Error::other("Windows keeps this name for a device: choose another"));
            }
            return Ok(device);
        }
        let path = resolve(path)?;
        let old = match fs::metadata(&path) {
            Ok(old) if old.is_dir() => {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder: name a file in it"));
            }
            Ok(old) if !old.is_file() => return direct(&path),
            Ok(old) => Some(old),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if let Some(old) = &old {
            ensure_writable(&path, old)?;
        }
        let temporary = Temporary::new(&folder_of(&path), old.is_some()).map_err(|error| no_new_file(&error))?;
        if let Some(old) = &old {
            keep_attributes(temporary.file()?, &path, old, attributes)?;
        }
        Ok(Destination::File(Box::new(Replacement { temporary, path, old, read: None, attributes, modified: None })))
    }

    /// Begins to write over the file `path`, which is `old` and not a link. Its folder
    /// is not resolved again.
    pub(crate) fn through(path: &Path, old: &Metadata, attributes: Keep) -> io::Result<Destination> {
        if cfg!(windows) {
            // Unlike Unix, it renames nothing over a read-only file.
            ensure_writable(path, old)?;
        }
        let temporary = Temporary::new(&folder_of(path), true).map_err(|error| no_new_file(&error))?;
        keep_attributes(temporary.file()?, path, old, attributes)?;
        let (path, old) = (path.to_owned(), Some(old.clone()));
        Ok(Destination::File(Box::new(Replacement { temporary, path, old, read: None, attributes, modified: None })))
    }

    /// Sets the time of modification that the file gets.
    pub(crate) fn modified(mut self, modified: Option<SystemTime>) -> Destination {
        if let Destination::File(file) = &mut self {
            file.modified = modified;
        }
        self
    }

    /// Begins to write over the file `path`, whose content was `read`. If it
    /// changes, it is not replaced.
    pub(crate) fn existing(path: &Path, attributes: Keep, read: &Snapshot) -> io::Result<Destination> {
        ensure_regular(&fs::metadata(path)?)?;
        Ok(Destination::file(path, attributes)?.made_of(read.clone()))
    }

    /// The new content is made of the old one, which was `read`. If the file changes,
    /// it is not replaced.
    pub(crate) fn made_of(mut self, read: Snapshot) -> Destination {
        if let Destination::File(file) = &mut self {
            file.read = Some(read);
        }
        self
    }

    /// The identity of the file that will be replaced, if there is one.
    pub(crate) fn replaced(&self) -> io::Result<Option<Identity>> {
        match self {
            Destination::File(replacement) if replacement.old.is_some() => identity_at(&replacement.path).map(Some),
            _ => Ok(None),
        }
    }

    /// The new content of a file, so far.
    pub(crate) fn made(&self) -> io::Result<&File> {
        match self {
            Destination::File(replacement) => replacement.temporary.file(),
            Destination::Stdout(_) | Destination::Direct(_) => Err(io::ErrorKind::NotFound.into()),
        }
    }

    pub(crate) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Destination::Stdout(out) => out.write_all(bytes),
            Destination::Direct(file) => file.write_all(bytes),
            Destination::File(file) => file.temporary.file()?.write_all(bytes),
        }
        .map_err(|error| match error.kind() {
            io::ErrorKind::FileTooLarge => advised(error, "`ulimit -f` or the file system sets the limit"),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => advised(error, "free some space first"),
            _ => error,
        })
    }

    /// Gives the target its new content, and makes its name last.
    pub(crate) fn commit(self) -> io::Result<()> {
        let path = match &self {
            Destination::File(file) => Some(file.path.clone()),
            Destination::Stdout(_) | Destination::Direct(_) => None,
        };
        self.commit_later(None, complain)?;
        path.as_deref().map_or(Ok(()), sync_folder_of)
    }

    /// Gives the target its new content. The caller syncs the folder. The old file
    /// stays under the name `backup`, if there is one. `say` takes messages.
    pub(crate) fn commit_later(self, backup: Option<&Path>, say: impl FnOnce(&str)) -> io::Result<()> {
        match self {
            Destination::Stdout(mut out) => out.flush(),
            Destination::Direct(_) => Ok(()),
            Destination::File(file) => file.commit(backup, say),
        }
    }

    /// Leaves a file unchanged. Standard output keeps the bytes written so far.
    pub(crate) fn abandon(self) -> io::Result<()> {
        match self {
            Destination::Stdout(mut out) => out.flush(),
            Destination::Direct(_) | Destination::File(_) => Ok(()),
        }
    }
}

impl Replacement {
    fn commit(self, backup: Option<&Path>, say: impl FnOnce(&str)) -> io::Result<()> {
        let Replacement { temporary, path, old, read, attributes, modified } = self;
        let is_changed = || read.as_ref().is_some_and(|read| Snapshot::at(&path).ok().as_ref() != Some(read));
        if is_changed() {
            return Err(io::Error::other(CHANGED));
        }
        if let Some(old) = &old {
            // Writing clears some of them, such as the setuid bit.
            keep_attributes(temporary.file()?, &path, old, attributes)?;
        }
        if let Some(modified) = modified {
            temporary.file()?.set_modified(modified)?;
        }
        temporary.file()?.sync_all().map_err(|error| {
            io::Error::new(error.kind(), format!("could not be synced to the disk: {}", words(&error)))
        })?;
        let names = links_at(&path).ok().filter(|_| old.is_some());
        let kept = match backup {
            Some(backup) => keep(&path, backup)?,
            None => Kept::Nothing,
        };
        let made = identity(temporary.file()?)?;
        let is_there = || identity_at(&path).is_ok_and(|there| there == made);
        if let Err(error) = temporary.replace(&path, || if is_changed() { Err(io::Error::other(CHANGED)) } else { Ok(()) })
            // A network file system can fail after it renamed (rename(2), "BUGS").
            && !is_there()
        {
            if let (Kept::Made, Some(backup)) = (kept, backup) {
                // The next run would take its name for taken.
                let _ = fs::remove_file(backup);
            }
            return Err(if old.is_some() { held(error) } else { error });
        }
        if let Some(links) = names.and_then(|names| other_links(names, kept)) {
            say(&format!("{}: replaced; {links} the old content", Escaped(&path)));
        }
        Ok(())
    }
}

/// Fails for a read-only file, which a rename would replace.
fn ensure_writable(path: &Path, file: &Metadata) -> io::Result<()> {
    // Of what Unix says, the superuser may ignore this.
    if cfg!(windows) && file.permissions().readonly() {
        return Err(read_only(io::ErrorKind::PermissionDenied.into()));
    }
    File::options().write(true).open(path).map(drop).map_err(read_only)
}

/// Why a file cannot be opened for writing.
#[cfg(windows)]
fn read_only(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::PermissionDenied => io::Error::new(
            error.kind(),
            "it is read-only, or not yours to write; `attrib -r` makes it writable, `icacls` says whose it is",
        ),
        _ => held(error),
    }
}

/// Why a file is not replaced.
fn held(error: io::Error) -> io::Error {
    match is_held(&error) {
        true => {
            io::Error::new(error.kind(), "another program has it open; left as it was: close it there, and try again")
        }
        false => error,
    }
}

/// Why a file cannot be opened for writing.
#[cfg(unix)]
fn read_only(error: io::Error) -> io::Error {
    match error.raw_os_error() {
        // `EPERM`, which is not about the mode.
        Some(1) => io::Error::new(
            error.kind(),
            "the file system does not allow any change of it: it may be immutable (see `lsattr`)",
        ),
        _ if error.kind() == io::ErrorKind::PermissionDenied => {
            io::Error::new(error.kind(), "it is read-only for you; `chmod u+w` lets its owner change it")
        }
        _ => error,
    }
}

/// Why no temporary file can be made in the folder of a file. Its name says nothing to
/// the user.
fn no_new_file(error: &io::Error) -> io::Error {
    let why = match error.kind() {
        io::ErrorKind::NotFound => "its folder does not exist: make it first".to_owned(),
        io::ErrorKind::PermissionDenied => {
            let advice = if cfg!(windows) { "`icacls` says who is" } else { "`chmod u+w` on the folder allows it" };
            format!(
                "you are not allowed to write in its folder, where the new content is put before it takes the place \
                 of the old; {advice}"
            )
        }
        io::ErrorKind::ReadOnlyFilesystem => "its file system is read-only".to_owned(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "no space is left for the new content; free some first".to_owned()
        }
        _ => {
            // The crate's own text ends with the path.
            let text = error.to_string();
            let why = text.split_once(" (os error ").map_or(text.as_str(), |(why, _)| why);
            format!("the new content cannot be put in its folder: {why}")
        }
    };
    io::Error::new(error.kind(), why)
}

/// `error` with what to try next.
fn advised(error: io::Error, advice: &str) -> io::Error {
    io::Error::new(error.kind(), format!("{}; {advice}", words(&error)))
}

/// Fails if the content of `file` cannot be replaced.
pub(crate) fn ensure_regular(file: &Metadata) -> io::Result<()> {
    match () {
        () if file.is_file() => Ok(()),
        () if file.is_dir() => Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder: name the files in it")),
        () => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not a regular file, so it cannot be replaced: read it with `<` or as an argument, and write with -o",
        )),
    }
}

/// The fate of the old file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    Nothing,
    /// The backup was made.
    Made,
    /// A backup with the same content was there.
    Before,
    /// The backup was a hard link to the file: a run was killed after making it.
    AsLink,
}

const TAKEN: &str = "exists with other content: remove it, or choose another suffix";

/// Fails early where [`keep`] would fail.
pub(crate) fn ensure_free(path: &Path, backup: &Path) -> io::Result<()> {
    match fs::symlink_metadata(backup) {
        Ok(_) => already_kept(path, backup).map(|_| ()),
        Err(_) => Ok(()),
    }
}

/// Makes `backup` a hard link to the file `path`. An existing file of that name is
/// never written over: it may be the only copy of an older content.
fn keep(path: &Path, backup: &Path) -> io::Result<Kept> {
    match fs::hard_link(path, backup) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return already_kept(path, backup),
        // A file system without hard links, or another file system.
        Err(_) => {
            let advice = |error| advised(error, "the backup cannot be made; left as it was");
            let copy = Temporary::new(&folder_of(backup), true).map_err(advice)?;
            let mut from = File::open(path)?;
            io::copy(&mut from, &mut copy.file()?).map_err(advice)?;
            keep_attributes(copy.file()?, path, &from.metadata()?, Keep::WhatIsAllowed)?;
            copy.file()?.sync_all().map_err(advice)?;
            copy.name(backup).map_err(advice)?;
        }
    }
    if let Err(error) = sync_folder_of(backup) {
        let _ = fs::remove_file(backup);
        return Err(advised(error, "left as it was"));
    }
    Ok(Kept::Made)
}

/// Fails unless `backup` has the same content as `path`.
fn already_kept(path: &Path, backup: &Path) -> io::Result<Kept> {
    let taken = || io::Error::new(io::ErrorKind::AlreadyExists, format!("{} {TAKEN}", Escaped(backup)));
    if identity_at(path)? == identity_at(backup)? {
        return Ok(Kept::AsLink);
    }
    let (file, other) = (fs::metadata(path)?, fs::symlink_metadata(backup)?);
    let same = other.is_file() && file.len() == other.len() && is_same_content(path, backup)?;
    if same { Ok(Kept::Before) } else { Err(taken()) }
}

fn is_same_content(a: &Path, b: &Path) -> io::Result<bool> {
    const BLOCK: usize = 64 << 10;
    let (a, b) = (File::open(a)?, File::open(b)?);
    let (mut of_a, mut of_b) = (Vec::with_capacity(BLOCK), Vec::with_capacity(BLOCK));
    loop {
        of_a.clear();
        of_b.clear();
        (&a).take(BLOCK as u64).read_to_end(&mut of_a)?;
        (&b).take(BLOCK as u64).read_to_end(&mut of_b)?;
        if of_a != of_b || of_a.is_empty() {
            return Ok(of_a == of_b);
        }
    }
}

/// The name of the backup of `path`, if there is a suffix.
pub(crate) fn backup_of(path: &Path, suffix: &str) -> Option<PathBuf> {
    if suffix.is_empty() {
        return None;
    }
    let mut name = OsString::from(path);
    name.push(suffix);
    Some(name.into())
}

/// True if `path` has the name of a backup.
pub(crate) fn is_backup(path: &Path, suffix: &str) -> bool {
    let name = path.file_name().map(OsStr::as_encoded_bytes).unwrap_or_default();
    !suffix.is_empty() && name.len() > suffix.len() && name.ends_with(suffix.as_bytes())
}

/// Standard output without a buffer.
#[cfg(unix)]
fn stdout_file() -> Option<File> {
    use std::os::fd::AsFd;
    io::stdout().as_fd().try_clone_to_owned().ok().map(File::from)
}

/// Standard output without a buffer, unless it is a console: to that, only the
/// standard library writes UTF-8 whatever its code page.
#[cfg(windows)]
fn stdout_file() -> Option<File> {
    use std::os::windows::io::AsHandle;

    let stdout = io::stdout();
    if crate::reading::is_console(&stdout) {
        None
    } else {
        stdout.as_handle().try_clone_to_owned().ok().map(File::from)
    }
}

/// Gives `file` the attributes of `old`, which is at `path`. The error mentions
/// `--force`.
fn keep_attributes(file: &File, path: &Path, old: &Metadata, keep: Keep) -> io::Result<()> {
    utfkit_gate::keep_attributes(file, path, old, keep).map_err(|error| {
        match error.get_ref().is_some_and(|inner| inner.is::<NotKept>()) {
            true => io::Error::new(error.kind(), format!("{error}; left as it was; --force writes it without")),
            false => error,
        }
    })
}

/// A message about the hard links that a rename breaks. The file had `names` names before.
fn other_links(names: u64, kept: Kept) -> Option<String> {
    match names.saturating_sub(1 + u64::from(kept == Kept::AsLink)) {
        0 => None,
        1 => Some("1 other hard link keeps".to_owned()),
        n => Some(format!("{n} other hard links keep")),
    }
}
