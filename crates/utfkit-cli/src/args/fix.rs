//! The arguments of `utfkit fix`.

use clap::{Args as ClapArgs, ValueEnum};

use super::inputs::Inputs;
use super::writing::{Trust, Writing};

const FIX: &str = "\
Examples:
  utfkit fix old                    show the plan, then ask
  utfkit fix --yes old              do not ask
  utfkit fix --trust likely old     also convert where the encoding is less certain
  utfkit fix --format jsonl old     print the plan as JSON
  utfkit undo                       undo the last run

Files in other encodings are converted to UTF-8, UTF-8 that was encoded twice
(mojibake) is decoded, a BOM is dropped, and a declaration of the old encoding
(<?xml encoding?>, <meta charset>, @charset, vim and Emacs mode lines, coding:,
Content-Type) is rewritten. Well-formed UTF-8, binary files and the files of
version control are not touched.

Files are changed only if their encoding is certain or nearly certain; --trust
likely includes more. Others, such as text in an unknown encoding, are listed as
left alone, with the reason. Files are replaced atomically, changes are logged,
and `utfkit undo` restores them.

The plan of more than ten files begins with sums, and files that are alike share
a row with one of them as an example; --all gives each file its own. On a
terminal, a plan that is longer than the screen is shown with $PAGER, or less.

Exit status: 0 nothing left to do; 1 files would be changed or were left alone;
2 a file could not be read or written.";

/// Convert files in unknown encodings to UTF-8: show a plan, ask, then do it
#[derive(ClapArgs, Debug)]
// Standard input cannot be fixed.
#[command(after_help = FIX, mut_arg("paths", |paths| paths.help("Files and folders to fix")))]
pub(crate) struct Fix {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    #[command(flatten)]
    pub(crate) writing: Writing,

    /// Make the changes without asking
    #[arg(short, long)]
    pub(crate) yes: bool,

    /// How sure the encoding of a file has to be before it is converted
    #[arg(long, value_enum, default_value_t = Trust::NearlyCertain, value_name = "HOW")]
    pub(crate) trust: Trust,

    /// List each file of the plan, not only one of each group
    #[arg(long, conflicts_with = "format")]
    pub(crate) all: bool,

    /// Remove temporary files that an interrupted run left in the folders
    #[arg(long, hide_short_help = true)]
    pub(crate) clean: bool,

    /// Keep a BOM at the start
    #[arg(long)]
    pub(crate) keep_bom: bool,

    /// Format of the plan: for people, or an object for each file
    #[arg(long, value_enum, default_value_t = FixFormat::Text)]
    pub(crate) format: FixFormat,

    /// Do not print a summary of the changes to standard error
    #[arg(short, long)]
    pub(crate) silent: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FixFormat {
    /// Sums, and a table with a row for each group of files
    Text,
    /// One JSON object per line and file
    Jsonl,
}
