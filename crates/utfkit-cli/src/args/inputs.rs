//! What to read, and what of a folder.

use std::path::PathBuf;

use clap::{ArgAction, Args as ClapArgs, ValueHint};

/// The heading of the options that choose files in `--help`.
const FOLDERS: &str = "In folders";

/// What to read. The options are those of ripgrep, and mean the same.
#[derive(ClapArgs, Debug)]
pub(crate) struct Inputs {
    /// Files and folders; `-` or nothing is standard input
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,

    /// Read the names of files from FILE (`-` is standard input), each ended by a NUL byte
    #[arg(long, value_name = "FILE", conflicts_with = "paths", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub(crate) files0_from: Option<PathBuf>,

    /// Only files that match GLOB, or with !GLOB do not
    ///
    /// As in .gitignore, from the current folder; can be given more than once, and the last one that
    /// matches counts. What matches is read though it is hidden or ignored.
    #[arg(short, long = "glob", value_name = "GLOB", help_heading = FOLDERS)]
    pub(crate) globs: Vec<String>,

    /// Leave out files and folders that match GLOB
    ///
    /// The same as --glob '!GLOB'.
    #[arg(long, value_name = "GLOB", help_heading = FOLDERS)]
    pub(crate) exclude: Vec<String>,

    /// Only files of this type (see `utfkit list --types`)
    #[arg(short = 't', long = "type", value_name = "TYPE", help_heading = FOLDERS)]
    pub(crate) types: Vec<String>,

    /// Go down N folders at most; 1 reads the files of the folder itself
    #[arg(long, value_name = "N", help_heading = FOLDERS, hide_short_help = true)]
    pub(crate) max_depth: Option<usize>,

    /// Follow symbolic links
    #[arg(short = 'L', long, help_heading = FOLDERS, hide_short_help = true)]
    pub(crate) follow: bool,

    /// Read hidden files too
    #[arg(long, help_heading = FOLDERS, hide_short_help = true)]
    hidden: bool,

    /// Read what .gitignore, .ignore and .rgignore exclude too
    #[arg(long, help_heading = FOLDERS, hide_short_help = true)]
    no_ignore: bool,

    /// Read more: -u ignored, -uu hidden, -uuu binary files
    ///
    /// -u is --no-ignore, -uu is --no-ignore --hidden, and -uuu also reads files that hold NUL bytes
    /// or that .gitattributes calls binary.
    #[arg(short, long, action = ArgAction::Count, help_heading = FOLDERS)]
    unrestricted: u8,
}

impl Inputs {
    /// Whether hidden files are read.
    pub(crate) fn hidden(&self) -> bool {
        self.hidden || self.unrestricted >= 2
    }

    /// Whether files are read that .gitignore and the like exclude.
    pub(crate) fn no_ignore(&self) -> bool {
        self.no_ignore || self.unrestricted >= 1
    }

    /// Whether files are read that seem to be binary.
    pub(crate) fn binary(&self) -> bool {
        self.unrestricted >= 3
    }
}
