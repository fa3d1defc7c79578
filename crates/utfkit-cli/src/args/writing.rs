//! The arguments shared by subcommands that change files in place.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use utfkit::detect::Certainty;

/// Heading of these options in `--help`.
const SAFETY: &str = "Changing files in place";

#[derive(ClapArgs, Debug, Default)]
pub(crate) struct Writing {
    /// Treat every file as text, even if it looks binary
    #[arg(short = 'a', long, help_heading = SAFETY)]
    pub(crate) text: bool,

    /// Change a file even if that loses something: if its text would be encoded twice, if it declares
    /// an unknown encoding, or if its owner or attributes cannot be kept
    #[arg(long, help_heading = SAFETY)]
    pub(crate) force: bool,

    /// Write the undo log to FILE, which must not exist, instead of the user's state folder; see
    /// `utfkit undo`
    #[arg(long, value_name = "FILE.jsonl", help_heading = SAFETY)]
    pub(crate) log: Option<PathBuf>,

    /// Keep no log; the changes cannot be undone
    #[arg(long, conflicts_with = "log", help_heading = SAFETY)]
    pub(crate) no_log: bool,
}

/// Certainty required of a detected encoding before a file is changed in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Trust {
    /// Proved, or estimated to be wrong in less than 1 of 1,000,000
    Certain,
    /// Estimated to be wrong in less than 1 of 1,000
    NearlyCertain,
    /// Probably right
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
