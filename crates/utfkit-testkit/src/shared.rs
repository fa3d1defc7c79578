//! The folder `shared` next to the project, or the folder named by
//! `UTFKIT_SHARED`. It has third-party test data; tests skip with a message if
//! it is missing.

use std::io::Write;
use std::path::{Path, PathBuf};

/// The folder of conformance cases, if present.
pub fn vectors() -> Option<PathBuf> {
    let shared = std::env::var_os("UTFKIT_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    Some(shared.join("vectors")).filter(|folder| folder.is_dir())
}

/// Prints to standard error directly, because the test harness captures
/// `eprintln!` in tests that pass.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
