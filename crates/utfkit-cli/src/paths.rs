//! Paths: the file that one leads to, and its folder.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

#[cfg(unix)]
use crate::printable::{Escaped, words};

/// Follows symbolic links, also to a file that does not exist yet.
pub(crate) fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    // The limit of Linux.
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

pub(crate) fn folder_of(path: &Path) -> PathBuf {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}

/// The device and the inode.
#[cfg(unix)]
pub(crate) fn identity(file: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((file.dev(), file.ino()))
}

#[cfg(not(unix))]
pub(crate) fn identity(_: &Metadata) -> Option<(u64, u64)> {
    None
}

/// Syncs the folder of `path`, so that its name lasts.
pub(crate) fn sync_folder_of(path: &Path) -> io::Result<()> {
    sync_folder(&folder_of(path))
}

/// Syncs a folder, so that the names in it last. That not every file system can do
/// it, and that not every folder may be read, is no error.
#[cfg(unix)]
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder).and_then(|open| open.sync_all()) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        Err(error) if !matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            let why = format!("{}: could not be synced to the disk: {}", Escaped(folder), words(&error));
            Err(io::Error::new(error.kind(), why))
        }
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
pub(crate) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// The path with these bytes, if there is one on this system.
#[cfg(unix)]
pub(crate) fn path_from_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(std::ffi::OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
pub(crate) fn path_from_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    String::from_utf8(bytes).ok().map(PathBuf::from)
}
