//! The folder `shared` beside the project, or where `UTFKIT_SHARED` says: data
//! of others, without which some tests say so and pass.

use std::io::Write;
use std::path::{Path, PathBuf};

/// Its conformance cases, if they are there.
pub fn vectors() -> Option<PathBuf> {
    let shared = std::env::var_os("UTFKIT_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    Some(shared.join("vectors")).filter(|folder| folder.is_dir())
}

/// Writes to the stream itself: what `eprintln` writes is kept back as long as
/// the test passes.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
