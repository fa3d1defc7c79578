//! The arguments of `utfkit list`.

use clap::Args as ClapArgs;

use super::help::{brief, with_names};

const LIST: &str = "\
Examples:
  utfkit list
  utfkit list | grep -i latin
  utfkit list --jsonl | jq -r .name
  utfkit list --notes           differences from other implementations
  utfkit list --types | grep rust
  utfkit list --help            how names are understood

Each line is an encoding: its name, then its aliases.";

/// List the encodings and their aliases
#[derive(ClapArgs, Debug)]
#[command(after_help = brief(LIST), after_long_help = with_names(LIST))]
pub(crate) struct List {
    /// Print one JSON object per encoding: name, aliases, note
    #[arg(long)]
    pub(crate) jsonl: bool,

    /// List encodings that other implementations map differently, with the characters concerned
    #[arg(long, conflicts_with = "jsonl")]
    pub(crate) notes: bool,

    /// List the file types for --type and their globs
    #[arg(long, conflicts_with_all = ["jsonl", "notes"])]
    pub(crate) types: bool,
}
