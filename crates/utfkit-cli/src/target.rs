//! A file that is written whole or not at all.
//!
//! The new content goes to a temporary file beside the target, is flushed to
//! the disk, and takes the target's name in one step. Whatever happens before
//! that step leaves the target as it was, and the target may be one of the
//! inputs. The mode is kept; a symbolic link is followed, so that it still
//! points to the file.

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Where a conversion writes.
pub(crate) enum Target {
    Stdout(io::StdoutLock<'static>),
    /// A pipe or a device: there is nothing to keep and nothing to rename.
    Direct(File),
    File(Box<Replacement>),
}

/// What is to take the name `path`.
pub(crate) struct Replacement {
    temporary: NamedTempFile,
    path: PathBuf,
    old: Option<Metadata>,
}

impl Target {
    pub(crate) fn stdout() -> Target {
        Target::Stdout(io::stdout().lock())
    }

    /// Begins to write `path`, which need not exist.
    pub(crate) fn file(path: &Path) -> io::Result<Target> {
        let path = resolve(path)?;
        let old = match fs::metadata(&path) {
            Ok(old) if old.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(old) if !old.is_file() => return Ok(Target::Direct(File::options().write(true).open(&path)?)),
            Ok(old) => Some(old),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if old.is_some() {
            // A rename would get around the protection of the file.
            File::options().write(true).open(&path)?;
        }
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let temporary = builder(old.as_ref()).tempfile_in(folder)?;
        Ok(Target::File(Box::new(Replacement { temporary, path, old })))
    }

    /// Begins to write `path` anew, which has to be a file.
    pub(crate) fn existing(path: &Path) -> io::Result<Target> {
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        Target::file(path)
    }

    pub(crate) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Target::Stdout(out) => out.write_all(bytes),
            Target::Direct(file) => file.write_all(bytes),
            Target::File(file) => file.temporary.as_file_mut().write_all(bytes),
        }
    }

    /// The content is complete: from now on it is the target's. With `backup`
    /// the old file stays under that name.
    pub(crate) fn commit(self, backup: Option<&Path>) -> io::Result<()> {
        match self {
            Target::Stdout(mut out) => out.flush(),
            Target::Direct(_) => Ok(()),
            Target::File(file) => file.commit(backup),
        }
    }

    /// Keeps what standard output has got; a file stays as it was.
    pub(crate) fn abandon(self) -> io::Result<()> {
        match self {
            Target::Stdout(mut out) => out.flush(),
            Target::Direct(_) | Target::File(_) => Ok(()),
        }
    }
}

impl Replacement {
    fn commit(self, backup: Option<&Path>) -> io::Result<()> {
        let Replacement { temporary, path, old } = self;
        if let Some(old) = &old {
            keep_attributes(temporary.as_file(), old)?;
            warn_of_links(&path, old);
        }
        temporary.as_file().sync_all()?;
        if let Some(backup) = backup {
            fs::copy(&path, backup)?;
        }
        temporary.persist(&path).map_err(|failed| failed.error)?;
        sync_folder(&path);
        Ok(())
    }
}

/// The file that `path` stands for: links are followed, also one to a file
/// that does not exist yet.
fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    // As many as Linux follows.
    for _ in 0..40 {
        match fs::canonicalize(&path) {
            Ok(file) => return Ok(file),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Err(_) => {}
        }
        match fs::read_link(&path) {
            Ok(to) => path = path.parent().unwrap_or(Path::new("")).join(to),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// The temporary file is nobody else's while it is being written, unless the
/// target is new: then it has the mode that any new file has.
#[cfg(unix)]
fn builder(old: Option<&Metadata>) -> tempfile::Builder<'static, 'static> {
    use std::os::unix::fs::PermissionsExt;
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY);
    if old.is_none() {
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder
}

#[cfg(not(unix))]
fn builder(_: Option<&Metadata>) -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY);
    builder
}

/// What the name of a temporary file begins with.
const TEMPORARY: &str = ".utfkit-";

fn keep_attributes(file: &File, old: &Metadata) -> io::Result<()> {
    keep_owner(file, old)?;
    // After the owner, because a change of owner may take bits away.
    file.set_permissions(old.permissions())
}

#[cfg(unix)]
fn keep_owner(file: &File, old: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        // Allowed to the superuser, and to members of the group: where it is
        // not, the file belongs to whoever wrote it.
        let _ = fchown(file, None, Some(old.gid()));
        let _ = fchown(file, Some(old.uid()), None);
    }
    Ok(())
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}

/// A rename breaks hard links; nobody should be surprised.
#[cfg(unix)]
fn warn_of_links(path: &Path, old: &Metadata) {
    use crate::report::{Escaped, complain};
    use std::os::unix::fs::MetadataExt;
    let others = old.nlink().saturating_sub(1);
    if others > 0 {
        let links = if others == 1 { "hard link to it still leads" } else { "hard links to it still lead" };
        complain(&format!("{}: written anew; {others} other {links} to the old content", Escaped(path)));
    }
}

#[cfg(not(unix))]
fn warn_of_links(_: &Path, _: &Metadata) {}

/// Makes the rename itself last. Not every file system can, and the content is
/// safe without it.
#[cfg(unix)]
fn sync_folder(path: &Path) {
    if let Some(folder) = path.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) {}
