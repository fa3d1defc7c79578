//! The arguments of `utfkit fix`.

use clap::{Args as ClapArgs, ValueEnum};

use super::{Inputs, Trust, Writing};

const FIX: &str = "\
Examples:
  utfkit fix old                    show what would be done, and ask
  utfkit fix --yes old              do it without a question
  utfkit fix --trust likely old     also where the encoding is likely, not sure
  utfkit fix --format jsonl old     the plan for programs
  utfkit undo                       take it back

A file that is not UTF-8 is converted; UTF-8 that was encoded twice (mojibake)
becomes what it was; a BOM is dropped; and where a text says that it is in
another encoding (<?xml encoding?>, <meta charset>, @charset, the mode lines of
vim and Emacs, coding:, Content-Type), that is rewritten. What is UTF-8 already,
binary files and version control are not touched.

Only what is certain or nearly certain is done; --trust likely does more. The
rest is listed as left alone, with the reason. Each file is replaced whole or
not at all, a log is kept, and `utfkit undo` takes the run back.

Exit status: 0 nothing is left to do; 1 files would be changed, or were left
alone; 2 a file could not be read or written.";

/// Make UTF-8 of files of doubtful origin: plan, ask, do
#[derive(ClapArgs, Debug)]
#[command(after_help = FIX)]
pub(crate) struct Fix {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    #[command(flatten)]
    pub(crate) writing: Writing,

    /// Do it without asking
    #[arg(short, long)]
    pub(crate) yes: bool,

    /// How sure an encoding has to be
    #[arg(long, value_enum, default_value_t = Trust::NearlyCertain, value_name = "HOW")]
    pub(crate) trust: Trust,

    /// Leave a BOM where it is
    #[arg(long)]
    pub(crate) keep_bom: bool,

    /// How the plan is printed
    #[arg(long, value_enum, default_value_t = FixFormat::Text)]
    pub(crate) format: FixFormat,

    /// Do not say on standard error what was done
    #[arg(short, long)]
    pub(crate) silent: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FixFormat {
    /// A table
    Text,
    /// A JSON object a line, one a file
    Jsonl,
}
