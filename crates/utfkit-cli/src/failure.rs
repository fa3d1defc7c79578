//! The one error of the subcommands: why a file was not done.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use utfkit::diagnose::Finding;

use crate::binaries::Binaries;
use crate::exit::{Status, is_broken_pipe};
use crate::printable::Escaped;

/// Why a file was not done. Displayed, each variant is a line that is safe on a
/// terminal and names the file.
#[derive(Debug)]
pub(crate) enum Failure {
    Unreadable(Unreadable),
    /// A file could not be written.
    Unwritable(PathBuf, io::Error),
    /// Writing over the file could lose something.
    Refused(PathBuf, Refusal),
    /// A strict conversion found an ill-formed sequence, or a character that the
    /// target lacks.
    Stopped(Box<Stopped>),
}

/// An input that cannot be read.
#[derive(Debug)]
pub(crate) struct Unreadable {
    path: Option<PathBuf>,
    reason: String,
}

/// Why a file may not be written over.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// The file is not text. Such files are counted if a walk found them, and
    /// named otherwise.
    pub(crate) is_binary: bool,
    /// The reason and what to do instead, safe on a terminal.
    pub(crate) why: String,
}

/// Where a strict conversion ended.
#[derive(Debug)]
pub(crate) struct Stopped {
    /// The name of the input, safe on a terminal.
    pub(crate) path: String,
    pub(crate) finding: Finding,
}

/// Adds the path to an error of the system.
pub(crate) trait AtPath<T> {
    fn reading(self, path: &Path) -> Result<T, Failure>;
    fn writing(self, path: &Path) -> Result<T, Failure>;
}

impl<T> AtPath<T> for io::Result<T> {
    fn reading(self, path: &Path) -> Result<T, Failure> {
        self.map_err(|error| Unreadable::new(path, &error).into())
    }

    fn writing(self, path: &Path) -> Result<T, Failure> {
        self.map_err(|error| Failure::Unwritable(path.to_owned(), error))
    }
}

impl Failure {
    pub(crate) fn status(&self) -> Status {
        match self {
            Failure::Unreadable(_) | Failure::Unwritable(..) => Status::Failed,
            Failure::Refused(..) | Failure::Stopped(_) => Status::IllFormed,
        }
    }

    /// True if the reader of our output went away, which is not worth a message.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Failure::Unwritable(_, error) if is_broken_pipe(error))
    }

    /// Says why a file was not done, and returns what that means for the run. A
    /// file that is not text is only counted, unless it was `named`.
    pub(crate) fn tell(&self, named: bool, binaries: &Binaries, say: impl FnOnce(&str)) -> Status {
        match self {
            Failure::Refused(path, Refusal { is_binary: true, .. }) if !named => {
                binaries.skip(path, say);
                Status::Well
            }
            broken if broken.is_broken_pipe() => Status::Well,
            failure => {
                say(&failure.to_string());
                failure.status()
            }
        }
    }
}

impl From<Unreadable> for Failure {
    fn from(unreadable: Unreadable) -> Failure {
        Failure::Unreadable(unreadable)
    }
}

impl Unreadable {
    pub(crate) fn new(path: &Path, error: &io::Error) -> Unreadable {
        Unreadable { path: Some(path.to_owned()), reason: error.to_string() }
    }

    /// An input without a path. `reason` is safe on a terminal.
    pub(crate) fn unnamed(reason: String) -> Unreadable {
        Unreadable { path: None, reason }
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The message without the path.
    pub(crate) fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path {
            Some(path) => write!(f, "{}: {}", Escaped(path), self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "left as it was: {}", self.why)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Unreadable(unreadable) => unreadable.fmt(f),
            Failure::Unwritable(path, error) => write!(f, "{}: {error}", Escaped(path)),
            Failure::Refused(path, refusal) => write!(f, "{}: {refusal}", Escaped(path)),
            Failure::Stopped(stopped) => write!(f, "{}: {}", stopped.path, stopped.finding),
        }
    }
}
