//! Attributes: owner, group, mode, access control lists and extended attributes.
//! A file that replaces another one gets all of them.

use std::error::Error;
use std::fmt;
use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

/// Which attributes have to be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// All.
    All,
    /// All that the system allows. No user gets more rights than before.
    WhatIsAllowed,
}

impl Keep {
    /// [`Keep::WhatIsAllowed`] with `--force`.
    pub fn forced(force: bool) -> Keep {
        if force { Keep::WhatIsAllowed } else { Keep::All }
    }
}

/// The error if an attribute cannot be kept. [`Keep::WhatIsAllowed`] ignores it.
#[derive(Debug)]
pub struct NotKept {
    what: &'static str,
    why: io::Error,
}

impl fmt::Display for NotKept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot be kept ({})", self.what, words(&self.why))
    }
}

/// The words of the system for an error, without its number.
pub fn words(error: &io::Error) -> String {
    let text = error.to_string();
    match (error.raw_os_error(), text.rfind(" (os error ")) {
        (Some(_), Some(end)) => text[..end].to_owned(),
        _ => text,
    }
}

impl Error for NotKept {}

/// The message for a file that was changed, replaced or removed by another process.
pub const CHANGED: &str = "changed while it was read; left as it was";

/// Gives `file` the attributes of `old`, which is at `path`.
///
/// # Errors
///
/// An error of the system, or [`NotKept`] for an attribute that has to be kept.
#[cfg(unix)]
pub fn keep_attributes(file: &File, path: &Path, old: &Metadata, keep: Keep) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

    let new = file.metadata()?;
    let mut mode = old.mode() & 0o7777;
    let allowed = |what: &'static str, done: io::Result<()>| match done {
        Ok(()) => Ok(true),
        Err(_) if keep == Keep::WhatIsAllowed => Ok(false),
        // Only the lists are read by path: the file is gone.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(io::Error::other(CHANGED)),
        Err(why) => Err(io::Error::new(why.kind(), NotKept { what, why })),
    };
    // Only members of the group and the superuser may do it.
    if new.gid() != old.gid() && !allowed("its group", fchown(file, None, Some(old.gid())))? {
        // Another group gets the rights of others.
        mode &= !0o2070 | (mode & 0o007) << 3;
    }
    if new.uid() != old.uid() && !allowed("its owner", fchown(file, Some(old.uid()), None))? {
        mode &= !0o4000;
    }
    if !allowed("its access control list or an extended attribute", keep_extended(file, path))? {
        // With a list, the mode of the group is its mask.
        mode &= !0o070 | (mode & 0o007) << 3;
    }
    // Last, since a change of owner may clear bits.
    file.set_permissions(std::fs::Permissions::from_mode(mode))
}

/// Gives `file` the attributes of `old`, which is at `path`, such as hidden, and its access control list. `file` is
/// open with the right to change that (`WRITE_DAC`). The owner of `file` does not change: only administrators may give files away.
///
/// # Errors
///
/// An error of the system, or [`NotKept`] for an attribute that has to be kept.
#[cfg(windows)]
pub fn keep_attributes(file: &File, path: &Path, old: &Metadata, keep: Keep) -> io::Result<()> {
    match list::keep(file, path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(io::Error::other(CHANGED)),
        Err(why) if keep == Keep::All => {
            return Err(io::Error::new(why.kind(), NotKept { what: "its access control list", why }));
        }
        _ => {}
    }
    file.set_permissions(old.permissions())
}

/// Access control lists of Windows.
#[cfg(windows)]
#[allow(unsafe_code)]
mod list {
    use std::fs::File;
    use std::io;
    use std::os::windows::io::AsRawHandle;
    use std::path::Path;
    use std::ptr;

    use windows_sys::Win32::Security::{DACL_SECURITY_INFORMATION, GetKernelObjectSecurity, SetKernelObjectSecurity};

    /// Gives `file` the access control list of the file at `path`. Sets nothing if both have the same list, as most
    /// have that of their folder: some file systems cannot set one.
    pub(super) fn keep(file: &File, path: &Path) -> io::Result<()> {
        let wanted = of(&File::open(path)?)?;
        if of(file)? == wanted {
            return Ok(());
        }
        // SAFETY: `file` is open, and `of` has filled `wanted` with a descriptor.
        let is_set = unsafe {
            SetKernelObjectSecurity(file.as_raw_handle(), DACL_SECURITY_INFORMATION, wanted.as_ptr().cast_mut().cast())
        };
        if is_set == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }

    /// The security descriptor of a file, with the access control list alone. It has to be aligned to 4 bytes.
    fn of(file: &File) -> io::Result<Vec<u32>> {
        let (handle, mut len) = (file.as_raw_handle(), 0);
        // SAFETY: `file` is open; nothing is written to a buffer of no bytes.
        unsafe { GetKernelObjectSecurity(handle, DACL_SECURITY_INFORMATION, ptr::null_mut(), 0, &mut len) };
        let mut descriptor = vec![0u32; len.div_ceil(4) as usize];
        // SAFETY: `file` is open, and the buffer has `len` bytes at least.
        let is_read = unsafe {
            GetKernelObjectSecurity(handle, DACL_SECURITY_INFORMATION, descriptor.as_mut_ptr().cast(), len, &mut len)
        };
        if is_read == 0 { Err(io::Error::last_os_error()) } else { Ok(descriptor) }
    }
}

/// Copies extended attributes, which include access control lists.
#[cfg(unix)]
fn keep_extended(file: &File, path: &Path) -> io::Result<()> {
    use xattr::FileExt;

    /// A new file inherits it from its folder.
    const LIST: &str = "system.posix_acl_access";
    /// The system computes these from the content.
    const OF_CONTENT: [&str; 2] = ["security.ima", "security.evm"];

    let names = match xattr::list_deref(path) {
        Ok(names) => names,
        // A file system without extended attributes.
        Err(error) if matches!(error.kind(), io::ErrorKind::Unsupported) => return Ok(()),
        Err(error) => return Err(error),
    };
    let (mut has_list, mut first_error) = (false, None);
    for name in names {
        has_list |= name == LIST;
        if OF_CONTENT.iter().any(|of_content| name == *of_content) {
            continue;
        }
        let Some(value) = xattr::get_deref(path, &name)? else { continue };
        if file.get_xattr(&name).ok().flatten().as_ref() != Some(&value)
            && let Err(error) = file.set_xattr(&name, &value)
        {
            first_error.get_or_insert(error);
        }
    }
    if !has_list && file.get_xattr(LIST).is_ok_and(|list| list.is_some()) {
        file.remove_xattr(LIST)?;
    }
    first_error.map_or(Ok(()), Err)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// A file that was removed at that moment was reported to have an access control
    /// list that cannot be kept.
    #[test]
    fn a_file_that_vanishes_before_its_lists_are_read_has_changed() {
        let folder = tempfile::tempdir().unwrap();
        let (path, new) = (folder.path().join("old"), File::create(folder.path().join("new")).unwrap());
        std::fs::write(&path, "old").unwrap();
        let old = std::fs::metadata(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let error = keep_attributes(&new, &path, &old, Keep::All).unwrap_err();
        assert_eq!(error.to_string(), CHANGED);
    }
}
