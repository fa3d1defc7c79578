//! The arguments that choose the input files.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{ArgAction, Args as ClapArgs, ValueEnum, ValueHint};

use crate::compressed;
use crate::printable::Escaped;

/// Heading in `--help` of the options that choose files.
const FOLDERS: &str = "In folders";

/// Input files and folders. The options have ripgrep's names and meanings.
#[derive(ClapArgs, Debug, Default)]
pub(crate) struct Inputs {
    /// Files and folders; `-` or nothing is standard input
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,

    /// Read the names of files from FILE (`-` is standard input), each ending in a NUL byte
    #[arg(long, value_name = "FILE", conflicts_with = "paths", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub(crate) files0_from: Option<PathBuf>,

    /// Read only files that match GLOB; !GLOB excludes instead
    ///
    /// Globs are as in .gitignore, relative to the current folder. If several are given, the last
    /// match decides. Matching files are read even if hidden or ignored.
    #[arg(short, long = "glob", value_name = "GLOB", help_heading = FOLDERS)]
    pub(crate) globs: Vec<String>,

    /// Like --glob, without regard to case
    #[arg(long = "iglob", value_name = "GLOB", help_heading = FOLDERS, hide_short_help = true)]
    pub(crate) iglobs: Vec<String>,

    /// Skip files and folders that match GLOB
    ///
    /// Equivalent to --glob '!GLOB'.
    #[arg(long, value_name = "GLOB", help_heading = FOLDERS, hide_short_help = true)]
    pub(crate) exclude: Vec<String>,

    /// Read only files of TYPE (see `utfkit list --types`)
    #[arg(short = 't', long = "type", value_name = "TYPE", help_heading = FOLDERS)]
    pub(crate) types: Vec<String>,

    /// Skip files of TYPE
    #[arg(short = 'T', long = "type-not", value_name = "TYPE", help_heading = FOLDERS, hide_short_help = true)]
    pub(crate) types_not: Vec<String>,

    /// Order of the files of a folder [default: path]
    ///
    /// By time the oldest is first. All names of the folder are then collected before the first file is read.
    #[arg(long, value_enum, value_name = "BY", help_heading = FOLDERS, hide_short_help = true)]
    sort: Option<SortBy>,

    /// The same, in reverse
    #[arg(long, value_enum, value_name = "BY", help_heading = FOLDERS, conflicts_with = "sort", hide_short_help = true)]
    sortr: Option<SortBy>,

    /// Descend at most N levels; 1 reads only the files directly in a folder
    #[arg(long, value_name = "N", help_heading = FOLDERS, hide_short_help = true)]
    pub(crate) max_depth: Option<usize>,

    /// Follow symbolic links
    #[arg(short = 'L', long, help_heading = FOLDERS, hide_short_help = true)]
    pub(crate) follow: bool,

    /// Also read hidden files
    #[arg(long, help_heading = FOLDERS, hide_short_help = true)]
    hidden: bool,

    /// Also read files that .gitignore, .ignore and .rgignore exclude
    #[arg(long, help_heading = FOLDERS, hide_short_help = true)]
    no_ignore: bool,

    /// Read more: -u ignored, -uu hidden, -uuu binary files
    ///
    /// -u is --no-ignore, -uu is --no-ignore --hidden, and -uuu also reads files that have NUL bytes
    /// or that .gitattributes calls binary.
    #[arg(short, long, action = ArgAction::Count, help_heading = FOLDERS)]
    unrestricted: u8,
}

/// Reading compressed files.
#[derive(ClapArgs, Clone, Copy, Debug, Default)]
pub(crate) struct Decompress {
    /// Decompress .gz, .zst, .xz, .bz2, .lz4 files
    ///
    /// Also .lzma, .br and .Z. The extension of the name decides. The programs gzip, zstd, xz, bzip2, lz4 and brotli do that, and must be installed. Offsets,
    /// lines and columns are those of the decompressed text. A compressed file is not written over.
    #[arg(short = 'z', long)]
    pub(crate) decompress: bool,
}

impl Decompress {
    pub(crate) const WRITES: &str = "-z reads compressed files and writes none: decompress a file, change it, and \
         compress it again";
    pub(crate) const STDIN: &str = "-z finds out by a file's name how it is compressed, and standard input has none: \
         decompress it before, as in `gzip -dc | utfkit`";
}

impl Decompress {
    /// Refuses an output whose name says that it is compressed.
    pub(crate) fn ensure_plain(self, output: Option<&Path>) -> anyhow::Result<()> {
        match output.filter(|path| self.decompress && compressed::format(path).is_some()) {
            Some(path) => bail!("{}: not written: {}", Escaped(path), Decompress::WRITES),
            None => Ok(()),
        }
    }
}

/// Replaces each path with `*` or `?`, which no name has on Windows, by the files that
/// match, as a shell of Unix does: sorted, without names that begin with a dot. A path
/// that matches nothing stays, and is reported as any that is not there.
#[cfg(windows)]
pub(super) fn expand(paths: &mut Vec<PathBuf>) {
    let like_shells = glob::MatchOptions {
        case_sensitive: false,
        require_literal_separator: true,
        require_literal_leading_dot: true,
    };
    *paths = std::mem::take(paths)
        .into_iter()
        .flat_map(|path| {
            let pattern = path.to_str().filter(|path| path.contains(['*', '?'])).map(|path| path.replace('[', "[[]"));
            let found = pattern.and_then(|pattern| glob::glob_with(&pattern, like_shells).ok());
            // A file that cannot be read is reported when it is opened.
            let mut found: Vec<_> = found
                .into_iter()
                .flatten()
                .map(|found| found.unwrap_or_else(|error| error.path().to_owned()))
                .collect();
            if found.is_empty() {
                found.push(path);
            }
            found
        })
        .collect();
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum SortBy {
    /// Folder by folder, by name
    #[default]
    Path,
    /// By the time of the last change
    Modified,
    /// By the time of the last access
    Accessed,
    /// By the time of creation, where the file system keeps it
    Created,
}

/// The order of the files of a folder.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sort {
    pub(crate) by: SortBy,
    pub(crate) is_reversed: bool,
}

impl Inputs {
    pub(crate) fn sort(&self) -> Sort {
        Sort { by: self.sort.or(self.sortr).unwrap_or_default(), is_reversed: self.sortr.is_some() }
    }

    pub(crate) fn hidden(&self) -> bool {
        self.hidden || self.unrestricted >= 2
    }

    pub(crate) fn no_ignore(&self) -> bool {
        self.no_ignore || self.unrestricted >= 1
    }

    pub(crate) fn binary(&self) -> bool {
        self.unrestricted >= 3
    }
}
