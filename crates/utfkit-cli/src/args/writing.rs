//! What may be written over, and how it is taken back: the arguments of every
//! subcommand that writes files over themselves.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use utfkit::detect::Certainty;

/// The heading of these options in `--help`.
const SAFETY: &str = "What may be written over";

#[derive(ClapArgs, Debug)]
pub(crate) struct Writing {
    /// Take every file for text, also one that looks binary
    #[arg(short = 'a', long, help_heading = SAFETY)]
    pub(crate) text: bool,

    /// Write over a file even where something is lost by that: text that would be encoded twice,
    /// an encoding that it declares and that is not known, an owner or attribute that cannot be kept
    #[arg(long, help_heading = SAFETY)]
    pub(crate) force: bool,

    /// Keep the log of what was changed in FILE, which must not exist, and not in the user's state
    /// folder; `utfkit undo FILE` takes the changes back
    #[arg(long, value_name = "FILE.jsonl", help_heading = SAFETY)]
    pub(crate) log: Option<PathBuf>,

    /// Keep no log: the changes cannot be taken back
    #[arg(long, conflicts_with = "log", help_heading = SAFETY)]
    pub(crate) no_log: bool,
}

/// How sure an encoding that was found out has to be before a file is written over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Trust {
    /// Proved, or by chance so in one of a million
    Certain,
    /// By chance so in one of thousands
    NearlyCertain,
    /// It would be a surprise if not
    Likely,
}

impl Trust {
    pub(crate) fn least(self) -> Certainty {
        match self {
            Trust::Certain => Certainty::Certain,
            Trust::NearlyCertain => Certainty::NearlyCertain,
            Trust::Likely => Certainty::Likely,
        }
    }
}
