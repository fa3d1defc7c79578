//! The arguments of `utfkit report`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::help::brief;
use super::inputs::Inputs;

const REPORT: &str = "\
Examples:
  utfkit report -o report.html src
  utfkit report --title 'Before the migration' -o before.html dump
  git ls-files -z | utfkit report --files0-from - -o report.html

The page is a single file without scripts or external resources. It lists files
by encoding, findings by kind, scripts and line ends (LF, CRLF), and the worst
files with their findings. File names and bytes are escaped.

Files are read as UTF-8, or as UTF-16 or UTF-32 if they begin with its BOM or
its pattern of NUL bytes. In folders, other files with NUL bytes in their first
block are skipped, as by `utfkit check`.

The page shows the findings of up to 100 ill-formed files and the names of up to
5000 more, and up to 5000 names of well-formed files; the rest is counted.

Exit status: 1 if a file is ill-formed, 2 if one could not be read.";

/// Write an HTML report about the encodings of many files
#[derive(ClapArgs, Debug)]
#[command(after_help = brief(REPORT), after_long_help = REPORT)]
pub(crate) struct Report {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    /// Write the page to FILE atomically; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Title of the page
    #[arg(long, default_value = "Encodings", value_name = "TEXT")]
    pub(crate) title: String,

    /// Show at most N findings per file (1 to 100) and count the rest
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100))]
    pub(crate) max_errors: u64,
}
