//! The folder in which what lasts longer than a run is kept.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// `$XDG_STATE_HOME/utfkit`, or where that is by default.
pub(crate) fn folder() -> Option<PathBuf> {
    let of = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || match cfg!(windows) {
        true => of("LOCALAPPDATA"),
        false => of("HOME").map(|home| home.join(".local/state")),
    };
    Some(of("XDG_STATE_HOME").or_else(home)?.join("utfkit"))
}

/// Makes it, for its owner alone.
pub(crate) fn make(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
