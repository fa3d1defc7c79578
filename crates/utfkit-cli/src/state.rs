//! The folder for data that outlives a run.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::paths::sync_folder_of;

/// `$XDG_STATE_HOME/utfkit`, or its default.
pub(crate) fn folder() -> Option<PathBuf> {
    let of = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || match cfg!(windows) {
        true => of("LOCALAPPDATA"),
        false => of("HOME").map(|home| home.join(".local/state")),
    };
    Some(of("XDG_STATE_HOME").or_else(home)?.join("utfkit"))
}

/// Creates the folder, for its owner only.
pub(crate) fn make(folder: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = folder.ancestors().take_while(|folder| !folder.exists()).collect();
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    // On Windows it has the rights of the folder of the user's data, which is closed to others.
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    missing.into_iter().try_for_each(sync_folder_of)
}
