//! Paths: the file that one leads to, and its folder.

use std::fs;
#[cfg(unix)]
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

#[cfg(unix)]
use crate::printable::{Escaped, words};

/// The path without symbolic links, `.` and `..`; on Windows with `\\?\`, so that it may have
/// any length.
pub(crate) fn canonical(path: &Path) -> io::Result<PathBuf> {
    /// `ERROR_MORE_DATA`: Wine 8 cannot tell more than 260 characters.
    const MORE: i32 = 234;
    match fs::canonicalize(path) {
        Err(error) if cfg!(windows) && error.raw_os_error() == Some(MORE) => match path.file_name() {
            Some(name) if !fs::symlink_metadata(path)?.is_symlink() => Ok(canonical(&folder_of(path))?.join(name)),
            _ => Err(error),
        },
        other => other,
    }
}

/// Follows symbolic links, also to a file that does not exist yet. The path that
/// Windows returns may be longer than 260 characters.
pub(crate) fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    // The limit of Linux.
    for _ in 0..40 {
        match canonical(&path) {
            Ok(file) => return Ok(file),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Err(_) => {}
        }
        match fs::read_link(&path) {
            Ok(to) => path = path.parent().unwrap_or(Path::new("")).join(to),
            // Only Windows gives a resolved path another form, in which it may be long.
            Err(_) => match (canonical(&folder_of(&path)), path.file_name()) {
                (Ok(folder), Some(name)) if cfg!(windows) => return Ok(folder.join(name)),
                _ => return Ok(path),
            },
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

pub(crate) fn folder_of(path: &Path) -> PathBuf {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}

/// Two files have the same one only if they are the same, under whatever names: the
/// device and the inode. On Windows, the volume and the number of the file on it.
pub(crate) type Identity = (u64, u64);

#[cfg(unix)]
mod platform {
    use std::fs::{self, File};
    use std::io;
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    use super::Identity;

    /// The identity of an open file.
    pub(crate) fn identity(file: &File) -> io::Result<Identity> {
        file.metadata().map(|file| (file.dev(), file.ino()))
    }

    /// The identity of the file at `path`; of a link itself.
    pub(crate) fn identity_at(path: &Path) -> io::Result<Identity> {
        fs::symlink_metadata(path).map(|file| (file.dev(), file.ino()))
    }

    /// The number of hard links of the file at `path`.
    pub(crate) fn links_at(path: &Path) -> io::Result<u64> {
        fs::symlink_metadata(path).map(|file| file.nlink())
    }

    /// True for a file that has a length and positions, unlike a pipe or a device.
    pub(crate) fn is_regular(file: &File) -> io::Result<bool> {
        file.metadata().map(|file| file.is_file())
    }
}

#[cfg(windows)]
mod platform {
    use std::fs::File;
    use std::io;
    use std::os::windows::fs::OpenOptionsExt;
    use std::path::Path;

    use winapi_util::file::{information, typ};

    use super::Identity;

    // <https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-createfilew>
    const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;
    const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;

    /// The identity of an open file.
    pub(crate) fn identity(file: &File) -> io::Result<Identity> {
        information(file).map(|file| (file.volume_serial_number(), file.file_index()))
    }

    /// The identity of the file at `path`; of a link itself.
    pub(crate) fn identity_at(path: &Path) -> io::Result<Identity> {
        identity(&open_name(path)?)
    }

    /// Opens a file without access to its content, which works while another process has it
    /// open. Folders need the first flag.
    fn open_name(path: &Path) -> io::Result<File> {
        let flags = FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT;
        File::options().access_mode(0).custom_flags(flags).open(path)
    }

    /// The number of hard links of the file at `path`.
    pub(crate) fn links_at(path: &Path) -> io::Result<u64> {
        information(open_name(path)?).map(|file| file.number_of_links())
    }

    /// True for a file that has a length and positions, unlike a pipe or a device, for
    /// which the metadata say that it is a file, or cannot be had. A folder is not opened.
    pub(crate) fn is_regular(file: &File) -> io::Result<bool> {
        typ(file).map(|kind| kind.is_disk())
    }
}

pub(crate) use platform::{identity, identity_at, is_regular, links_at};

/// True if another program has the file open, or whatever Windows says then of one that
/// should be replaced. On Unix, open files can be replaced.
pub(crate) fn is_held(error: &io::Error) -> bool {
    /// `ERROR_ACCESS_DENIED`, `ERROR_SHARING_VIOLATION`, `ERROR_LOCK_VIOLATION` and
    /// `ERROR_USER_MAPPED_FILE`.
    const HELD: [i32; 4] = [5, 32, 33, 1224];
    cfg!(windows) && error.raw_os_error().is_some_and(|code| HELD.contains(&code))
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

/// Windows has no such thing: the names last when the file system has written them.
#[cfg(windows)]
pub(crate) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// The path with these bytes, if there is one on this system.
#[cfg(unix)]
pub(crate) fn path_from_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(std::ffi::OsString::from_vec(bytes).into())
}

/// The path with these bytes, if there is one on this system: on Windows in WTF-8,
/// which has the names that are not Unicode too.
#[cfg(windows)]
pub(crate) fn path_from_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::windows::ffi::OsStringExt;

    use utfkit::Encoding;

    let mut wide = vec![0; 2 * bytes.len()];
    let len = Encoding::Wtf8.convert(Encoding::Wtf16Le, &bytes, &mut wide).ok()?;
    let units: Vec<u16> = wide[..len].chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect();
    Some(std::ffi::OsString::from_wide(&units).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_names_of_a_file_have_its_identity_and_no_other_file_has() {
        let folder = tempfile::tempdir().unwrap();
        let [a, twin, b] = ["a", "twin", "b"].map(|name| folder.path().join(name));
        fs::write(&a, "1").unwrap();
        fs::write(&b, "1").unwrap();
        fs::hard_link(&a, &twin).unwrap();
        let of_a = identity(&fs::File::open(&a).unwrap()).unwrap();
        assert_eq!([&a, &twin].map(|name| identity_at(name).unwrap()), [of_a; 2]);
        assert_ne!(identity_at(&b).unwrap(), of_a);
        assert_ne!(identity_at(folder.path()).unwrap(), of_a, "a folder has one too");
        assert_eq!([&a, &b].map(|name| links_at(name).unwrap()), [2, 1]);
        fs::rename(&b, &a).unwrap();
        assert_ne!(identity_at(&a).unwrap(), of_a, "another file took its name");
        assert_eq!(identity_at(&twin).unwrap(), of_a);
    }

    #[test]
    fn names_come_back_from_their_bytes() {
        for name in ["a", "日本語", "Содержание"] {
            assert_eq!(path_from_bytes(name.as_bytes().to_vec()).unwrap(), Path::new(name));
        }
        // WTF-8 of a surrogate without a pair; on Unix, any bytes.
        let path = path_from_bytes(b"a\xED\xA0\x80.t".to_vec()).unwrap();
        assert_eq!(path.as_os_str().as_encoded_bytes(), b"a\xED\xA0\x80.t");
        assert_eq!(path_from_bytes(b"\xFF".to_vec()).is_none(), cfg!(windows));
    }
}
