//! The fuzzers' corpus: a file for each target with a line for each input, in
//! hexadecimal, shortest first.
//!
//! The text files make diffs readable and inputs easy to add. libFuzzer needs a
//! folder with a file for each input; `examples/corpus.rs` converts between the
//! two.

use std::path::PathBuf;
use std::{fs, io};

use utfkit_testkit::hex;

/// The path of a target's corpus.
pub fn file(target: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "..", "fuzz", "corpus", &format!("{target}.hex")].iter().collect()
}

/// Reads the inputs of a target.
///
/// # Errors
///
/// If the file cannot be read.
pub fn read(target: &str) -> io::Result<Vec<Vec<u8>>> {
    Ok(fs::read_to_string(file(target))?.lines().map(hex::parse).collect())
}

/// Replaces the inputs of a target.
///
/// # Errors
///
/// If the file cannot be written.
pub fn write(target: &str, mut inputs: Vec<Vec<u8>>) -> io::Result<()> {
    inputs.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    inputs.dedup();
    let lines: String = inputs.iter().map(|input| hex::digits(input) + "\n").collect();
    fs::write(file(target), lines)
}
