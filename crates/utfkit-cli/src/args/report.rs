//! The arguments of `utfkit report`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::{Inputs, brief};

const REPORT: &str = "\
Examples:
  utfkit report -o report.html src
  utfkit report --title 'Before the migration' -o before.html dump
  git ls-files -z | utfkit report --files0-from - -o report.html

The page stands alone: it loads nothing, runs no script, and shows names and
bytes escaped. It has the files by encoding, the findings by kind, the scripts
and line ends (LF, CRLF) that are in use, and the worst files with their findings.

A file is read as UTF-8, or as the UTF-16 or UTF-32 that it begins with: by the
BOM, or by the NUL bytes that such text has. Other files with NUL bytes in
their first block are left out on a walk, as `utfkit check` does it.

The page has 100 ill-formed files with their findings and up to 5000 more names
of ill-formed and of well-formed files each; what is beyond that is counted.

Exit status: 1 if a file is ill-formed, 2 if one could not be read.";

/// Write a page about the encodings of many files: one HTML file, to be looked at
#[derive(ClapArgs, Debug)]
#[command(after_help = brief(REPORT), after_long_help = REPORT)]
pub(crate) struct Report {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    /// Write the page to FILE, whole or not at all; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// What stands above the page
    #[arg(long, default_value = "Encodings", value_name = "TEXT")]
    pub(crate) title: String,

    /// Show at most N findings a file, 1 to 100, and count the others
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100))]
    pub(crate) max_errors: u64,
}
