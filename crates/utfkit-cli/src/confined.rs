//! Files below one folder only. Neither `..` nor a symbolic link leads out of it,
//! even if a link is created at the same time.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use utfkit_gate::is_of_version_control;

#[cfg(windows)]
use crate::paths::identity_at;
use crate::paths::{Identity, canonical};
#[cfg(unix)]
use crate::printable::{Escaped, words};

/// A file below a [`Root`].
pub(crate) struct Confined {
    pub(crate) file: File,
    /// A path through the open folder, which stays valid if folders are renamed. On
    /// Windows the path by names, which were looked at once.
    pub(crate) path: PathBuf,
    /// Keeps that path alive.
    pub(crate) folder: Option<File>,
}

/// A folder below which files are opened.
#[derive(Debug)]
pub(crate) struct Root {
    path: PathBuf,
    #[cfg(unix)]
    folder: File,
    /// Names that begin with a dot are refused.
    pub(crate) without_hidden: bool,
}

impl Root {
    /// `path` has no symbolic links in it.
    pub(crate) fn new(path: &Path, without_hidden: bool) -> io::Result<Root> {
        Ok(Root {
            path: path.to_owned(),
            #[cfg(unix)]
            folder: File::open(path)
                .map_err(|error| io::Error::new(error.kind(), format!("{}: {}", Escaped(path), words(&error))))?,
            without_hidden,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the file `path`, which is relative to the folder, for reading.
    pub(crate) fn open(&self, path: &Path) -> io::Result<Confined> {
        let names = self.names(path)?;
        let Some((name, folders)) = names.split_last() else { return Err(refused("not the name of a file")) };
        let confined = self.walk(folders, name.as_ref())?;
        if !confined.file.metadata()?.is_file() {
            return Err(refused("not a regular file, so skipped"));
        }
        Ok(confined)
    }

    /// Fails if `path` leads out of the folder, belongs to version control, or is hidden where that is
    /// not allowed.
    pub(crate) fn check(&self, path: &Path) -> io::Result<()> {
        self.names(path).map(|_| ())
    }

    /// Opens the folder `path`, which is relative to this one.
    pub(crate) fn open_folder(&self, path: &Path) -> io::Result<Folder> {
        let names = self.names(path)?;
        Ok(Folder {
            #[cfg(unix)]
            folder: self.descend(&names)?,
            #[cfg(windows)]
            path: self.by_name(&names, Path::new(""))?,
        })
    }

    /// The components of `path`, if [`check`](Root::check) accepts it.
    fn names<'a>(&self, path: &'a Path) -> io::Result<Vec<&'a OsStr>> {
        let mut names = Vec::new();
        for component in path.components() {
            let Component::Normal(name) = component else {
                return Err(refused("not below the folder that is restored, so skipped; --root DIR names another"));
            };
            if is_of_version_control(name) {
                return Err(refused("belongs to version control, so skipped"));
            }
            if self.without_hidden && name.as_encoded_bytes().starts_with(b".") {
                return Err(refused("a hidden name in a log from elsewhere, so skipped; --root DIR allows it"));
            }
            names.push(name);
        }
        Ok(names)
    }

    #[cfg(unix)]
    fn descend(&self, folders: &[&OsStr]) -> io::Result<File> {
        use rustix::fs::{Mode, OFlags, openat};

        let mut folder = self.folder.try_clone()?;
        for name in folders {
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::DIRECTORY;
            folder = openat(&folder, *name, flags, Mode::empty()).map_err(linked)?.into();
        }
        Ok(folder)
    }

    #[cfg(unix)]
    fn walk(&self, folders: &[&OsStr], name: &Path) -> io::Result<Confined> {
        use std::os::fd::AsRawFd;

        use rustix::fs::{Mode, OFlags, openat};

        let folder = self.descend(folders)?;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        // Opening a pipe must not wait for a writer.
        let file = openat(&folder, name, flags | OFlags::NONBLOCK, Mode::empty()).map_err(linked)?.into();
        let through = PathBuf::from(format!("/proc/self/fd/{}", folder.as_raw_fd()));
        let path = match fs::metadata(&through) {
            Ok(_) => through.join(name),
            // Without `/proc`, the names on the way are checked again.
            Err(_) => self.by_name(folders, name)?,
        };
        Ok(Confined { file, path, folder: Some(folder) })
    }

    #[cfg(windows)]
    fn walk(&self, folders: &[&OsStr], name: &Path) -> io::Result<Confined> {
        let path = self.by_name(folders, name)?;
        if fs::symlink_metadata(&path)?.is_symlink() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "a symbolic link, so skipped"));
        }
        Ok(Confined { file: File::open(&path)?, path, folder: None })
    }

    fn by_name(&self, folders: &[&OsStr], name: &Path) -> io::Result<PathBuf> {
        let folder = folders.iter().fold(self.path.clone(), |path, name| path.join(name));
        if canonical(&folder)? != folder {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "a symbolic link in its path, so skipped"));
        }
        Ok(folder.join(name))
    }
}

fn refused(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, why.to_owned())
}

#[cfg(unix)]
fn linked(error: rustix::io::Errno) -> io::Error {
    match error {
        rustix::io::Errno::LOOP | rustix::io::Errno::NOTDIR => refused("a symbolic link in its path, so skipped"),
        other => other.into(),
    }
}

/// An open folder, in which names are changed.
pub(crate) struct Folder {
    #[cfg(unix)]
    folder: File,
    #[cfg(windows)]
    path: PathBuf,
}

#[cfg(unix)]
impl Folder {
    /// The identity of the file or folder `name`; that of a link itself.
    pub(crate) fn identity(&self, name: &OsStr) -> io::Result<Option<Identity>> {
        match rustix::fs::statat(&self.folder, name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW) {
            // The types differ between systems.
            #[allow(clippy::unnecessary_cast)]
            Ok(found) => Ok(Some((found.st_dev as u64, found.st_ino as u64))),
            Err(rustix::io::Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Renames `old` to `new`, which must not exist.
    pub(crate) fn rename(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
        let renamed = self.identity(old)?;
        self.rename_once(old, new).or_else(|error| {
            // A network file system can fail after it renamed (rename(2), "BUGS").
            let is_done = renamed.is_some() && self.identity(new)? == renamed && self.identity(old)?.is_none();
            if is_done { Ok(()) } else { Err(error) }
        })
    }

    fn rename_once(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
        #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
        {
            use rustix::io::Errno;
            let flags = rustix::fs::RenameFlags::NOREPLACE;
            match rustix::fs::renameat_with(&self.folder, old, &self.folder, new, flags) {
                Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
                done => return Ok(done?),
            }
        }
        self.rename_by_link(old, new)
    }

    /// [`rename`](Self::rename) where the file system cannot do that at once.
    fn rename_by_link(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
        use rustix::fs::{AtFlags, linkat, renameat, unlinkat};
        use rustix::io::Errno;

        match linkat(&self.folder, old, &self.folder, new, AtFlags::empty()) {
            Ok(()) => Ok(unlinkat(&self.folder, old, AtFlags::empty())?),
            // Folders have no links, and some file systems have none at all.
            Err(Errno::PERM | Errno::NOTSUP | Errno::MLINK) if self.identity(new)?.is_none() => {
                Ok(renameat(&self.folder, old, &self.folder, new)?)
            }
            Err(Errno::PERM | Errno::NOTSUP | Errno::MLINK) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) fn sync(&self) -> io::Result<()> {
        self.folder.sync_all()
    }
}

#[cfg(windows)]
impl Folder {
    /// The identity of the file or folder `name`; that of a link itself.
    pub(crate) fn identity(&self, name: &OsStr) -> io::Result<Option<Identity>> {
        match identity_at(&self.path.join(name)) {
            Ok(found) => Ok(Some(found)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Renames `old` to `new`, which must not exist.
    pub(crate) fn rename(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
        let (from, to) = (self.path.join(old), self.path.join(new));
        // The standard library's rename replaces an existing file. A hard link fails instead. Folders
        // cannot be linked, but a rename of a folder replaces nothing.
        let linked = match fs::symlink_metadata(&from)?.is_file() {
            true => fs::hard_link(&from, &to),
            false => Err(io::ErrorKind::Unsupported.into()),
        };
        match linked {
            Ok(()) => fs::remove_file(&from).inspect_err(|_| {
                // The first error is the one to report.
                let _ = fs::remove_file(&to);
            }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            Err(_) if self.identity(new)?.is_some() => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => fs::rename(from, to),
        }
    }

    pub(crate) fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_renamed_over_what_is_there() {
        let place = tempfile::tempdir().unwrap();
        let path = crate::paths::canonical(place.path()).unwrap();
        for (name, content) in [("a", "1"), ("b", "2")] {
            fs::write(path.join(name), content).unwrap();
        }
        fs::hard_link(path.join("a"), path.join("twin")).unwrap();
        fs::create_dir(path.join("folder")).unwrap();
        fs::create_dir(path.join("other")).unwrap();
        let folder = Root::new(&path, false).unwrap().open_folder(Path::new("")).unwrap();
        let id = |name: &str| folder.identity(OsStr::new(name)).unwrap();
        assert!(id("a").is_some() && id("a") == id("twin") && id("a") != id("b") && id("c").is_none());
        for (old, new) in [("a", "b"), ("folder", "b"), ("a", "folder"), ("folder", "other")] {
            let error = folder.rename(OsStr::new(old), OsStr::new(new)).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::AlreadyExists, "{old} {new}");
        }
        let of_a = id("a");
        folder.rename(OsStr::new("a"), OsStr::new("c")).unwrap();
        folder.rename(OsStr::new("folder"), OsStr::new("new")).unwrap();
        assert!(id("c") == of_a && id("a").is_none() && id("folder").is_none() && id("new").is_some());
        assert_eq!(
            (fs::read(path.join("c")).unwrap(), fs::read(path.join("b")).unwrap()),
            (b"1".to_vec(), b"2".to_vec())
        );
    }
}
