//! Where the text goes: the arguments of every subcommand that writes text.

use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;

/// The arguments that choose the output.
#[derive(ClapArgs, Debug)]
pub(crate) struct Outputs {
    /// Write to FILE atomically
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Change files in place; with SUFFIX, keep the old content in a new file, FILE with SUFFIX
    /// appended
    #[arg(
        long,
        value_name = "SUFFIX",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        conflicts_with = "output"
    )]
    pub(crate) in_place: Option<String>,

    /// Remove temporary files that an interrupted run left in the output folders
    #[arg(long, hide_short_help = true)]
    pub(crate) clean: bool,
}

impl Outputs {
    /// The file given with --output, unless it is `-`.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| *path != Path::new("-"))
    }

    pub(crate) fn is_stdout(&self) -> bool {
        self.file().is_none() && self.in_place.is_none()
    }
}
