//! What the fuzzers kept: in a file for each target a line for each input, in
//! hexadecimal, the shortest first.
//!
//! So it is one file to look at, a difference shows which inputs came and
//! went, and one found elsewhere is a line to add. libFuzzer wants a folder with
//! a file for each: `examples/corpus.rs` makes one of the other.

use std::path::PathBuf;
use std::{fs, io};

use utfkit_testkit::hex;

/// The file of a target.
pub fn file(target: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "..", "fuzz", "corpus", &format!("{target}.hex")].iter().collect()
}

/// The inputs of a target.
///
/// # Errors
///
/// If there is no file, or none that can be read.
pub fn read(target: &str) -> io::Result<Vec<Vec<u8>>> {
    Ok(fs::read_to_string(file(target))?.lines().map(hex::parse).collect())
}

/// Makes these the inputs of a target.
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
