//! Files below one folder only. Neither `..` nor a symbolic link leads out of it,
//! even if a link is created at the same time.

use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use utfkit_gate::is_of_version_control;

/// A file below a [`Root`].
pub(crate) struct Confined {
    pub(crate) file: File,
    /// A path through the open folder, which stays valid if folders are renamed.
    pub(crate) path: PathBuf,
    /// Keeps that path alive.
    _folder: File,
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
            folder: File::open(path)?,
            without_hidden,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the file `path`, which is relative to the folder, for reading.
    pub(crate) fn open(&self, path: &Path) -> io::Result<Confined> {
        let refused = |why: &str| Err(io::Error::new(io::ErrorKind::PermissionDenied, why.to_owned()));
        let mut names = Vec::new();
        for component in path.components() {
            let Component::Normal(name) = component else {
                return refused("not below the folder that is restored, so skipped; --root DIR names another");
            };
            if is_of_version_control(name) {
                return refused("belongs to version control, so skipped");
            }
            if self.without_hidden && name.as_encoded_bytes().starts_with(b".") {
                return refused("a hidden name in a log from elsewhere, so skipped; --root DIR allows it");
            }
            names.push(name);
        }
        let Some((name, folders)) = names.split_last() else { return refused("not the name of a file") };
        let confined = self.walk(folders, name.as_ref())?;
        if !confined.file.metadata()?.is_file() {
            return refused("not a regular file, so skipped");
        }
        Ok(confined)
    }

    #[cfg(unix)]
    fn walk(&self, folders: &[&std::ffi::OsStr], name: &Path) -> io::Result<Confined> {
        use std::os::fd::AsRawFd;

        use rustix::fs::{Mode, OFlags, openat};

        let linked = |error: rustix::io::Errno| match error {
            rustix::io::Errno::LOOP | rustix::io::Errno::NOTDIR => {
                io::Error::new(io::ErrorKind::PermissionDenied, "a symbolic link in its path, so skipped")
            }
            other => other.into(),
        };
        let mut folder = self.folder.try_clone()?;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        for name in folders {
            folder = openat(&folder, *name, flags | OFlags::DIRECTORY, Mode::empty()).map_err(linked)?.into();
        }
        // Opening a pipe must not wait for a writer.
        let file = openat(&folder, name, flags | OFlags::NONBLOCK, Mode::empty()).map_err(linked)?.into();
        let through = PathBuf::from(format!("/proc/self/fd/{}", folder.as_raw_fd()));
        let path = match fs::metadata(&through) {
            Ok(_) => through.join(name),
            // Without `/proc`, the names on the way are checked again.
            Err(_) => self.by_name(folders, name)?,
        };
        Ok(Confined { file, path, _folder: folder })
    }

    #[cfg(not(unix))]
    fn walk(&self, folders: &[&std::ffi::OsStr], name: &Path) -> io::Result<Confined> {
        let path = self.by_name(folders, name)?;
        if fs::symlink_metadata(&path)?.is_symlink() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "a symbolic link, so skipped"));
        }
        let file = File::open(&path)?;
        Ok(Confined { _folder: file.try_clone()?, file, path })
    }

    fn by_name(&self, folders: &[&std::ffi::OsStr], name: &Path) -> io::Result<PathBuf> {
        let folder = folders.iter().fold(self.path.clone(), |path, name| path.join(name));
        if fs::canonicalize(&folder)? != folder {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "a symbolic link in its path, so skipped"));
        }
        Ok(folder.join(name))
    }
}
