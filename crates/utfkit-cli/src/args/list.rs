//! The arguments of `utfkit list`.

use clap::Args as ClapArgs;

use super::{brief, with_names};

const LIST: &str = "\
Examples:
  utfkit list
  utfkit list | grep -i latin
  utfkit list --jsonl | jq -r .name
  utfkit list --notes           where they differ from others of that name
  utfkit list --types | grep rust
  utfkit list --help            what the names mean

A line is an encoding: its name, then its other names.";

/// Print the encodings, each with its other names
#[derive(ClapArgs, Debug)]
#[command(after_help = brief(LIST), after_long_help = with_names(LIST))]
pub(crate) struct List {
    /// Print a JSON object a line: name, aliases, note
    #[arg(long)]
    pub(crate) jsonl: bool,

    /// Print what is unlike elsewhere, for each encoding that has such characters
    #[arg(long, conflicts_with = "jsonl")]
    pub(crate) notes: bool,

    /// Print the types of files that --type takes, each with its globs
    #[arg(long, conflicts_with_all = ["jsonl", "notes"])]
    pub(crate) types: bool,
}
