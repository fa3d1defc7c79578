//! The arguments of `utfkit names`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use utfkit::Encoding;

use super::writing::Trust;
use crate::names::encoding;

const NAMES: &str = "\
Examples:
  utfkit names unpacked                     show the plan, then ask
  utfkit names --yes unpacked               do not ask
  utfkit names --from IBM866 unpacked       the names are in this encoding
  utfkit names --nfc ~/Music                compose what macOS decomposed
  utfkit names --portable share             escape what Windows refuses
  utfkit names --format jsonl old           the plan for a program
  utfkit undo                               undo the last run

Names that are not UTF-8 are converted to it, and names that were read in a wrong
encoding and saved as UTF-8 (mojibake: an archive in Shift_JIS unpacked as IBM437,
UTF-8 encoded twice) are decoded. A name is short, so all names of a folder, and
where they are too few those of the folders around it, tell the encoding together.
A name that happens to be UTF-8 among such names is converted with them if it makes
no words as it is.

Only the names change, never the content of a file, and no name is renamed to one
that exists. Hidden folders and mounted file systems are entered only if named,
those of version control never. Symbolic links are not followed; a link that points
to a renamed file is reported. If a run is interrupted, a second one does the rest,
and `utfkit undo` takes back what was done.

--portable replaces each character that Windows refuses in a name (< > : \" | ? * \\
and controls) and a dot or space at the end by %XX, its byte in hexadecimal, and
adds _ to the names of devices, such as con.txt. Names of one folder that differ in
case or normalization form alone are reported.

Exit status: 0 nothing left to do; 1 names would be changed or were left alone;
2 a folder could not be read or a name not changed.";

/// Convert the names of files and folders to UTF-8: show a plan, ask, then do it
#[derive(ClapArgs, Debug)]
#[command(after_help = NAMES)]
pub(crate) struct Names {
    /// Files and folders to rename; folders with all that they contain
    #[arg(value_name = "PATH", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,

    /// Make the changes without asking
    #[arg(short, long)]
    pub(crate) yes: bool,

    /// Show the plan; do not ask, and change nothing
    #[arg(short = 'n', long, conflicts_with = "yes")]
    pub(crate) dry_run: bool,

    /// Encoding of the names that are not UTF-8 [default: detected]
    #[arg(short, long, value_name = "ENCODING", value_parser = encoding)]
    pub(crate) from: Option<Encoding>,

    /// Certainty of a detected encoding that is required to rename a file
    #[arg(long, value_enum, default_value_t = Trust::NearlyCertain, value_name = "HOW", conflicts_with = "from")]
    pub(crate) trust: Trust,

    /// Compose names to Normalization Form C, as Linux and Windows write them
    #[arg(long, conflicts_with = "nfd")]
    pub(crate) nfc: bool,

    /// Decompose names to Normalization Form D, as HFS+ of macOS keeps them
    #[arg(long)]
    pub(crate) nfd: bool,

    /// Escape what Windows refuses in names, and report names that it takes for one
    #[arg(long)]
    pub(crate) portable: bool,

    /// Descend at most N levels; 1 changes only the names directly in a folder
    #[arg(long, value_name = "N")]
    pub(crate) max_depth: Option<usize>,

    /// List every name of the plan, not only some of each kind
    #[arg(long)]
    pub(crate) all: bool,

    /// Format of the plan
    #[arg(long, value_enum, default_value_t = NamesFormat::Text)]
    pub(crate) format: NamesFormat,

    /// Write the undo log to FILE, which must not exist, instead of the user's state folder; see
    /// `utfkit undo`
    #[arg(long, value_name = "FILE.jsonl")]
    pub(crate) log: Option<PathBuf>,

    /// Keep no log; the changes cannot be undone
    #[arg(long, conflicts_with = "log")]
    pub(crate) no_log: bool,

    /// Do not print a summary of the changes to standard error
    #[arg(short, long)]
    pub(crate) silent: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NamesFormat {
    /// Sums, and a few names of each kind
    Text,
    /// One JSON object per line and name
    Jsonl,
}
