//! The one error of the subcommands: why a file was not done.

use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use utfkit::diagnose::Finding;

use crate::binaries::{Binaries, NotText};
use crate::exit::{Status, is_broken_pipe};
use crate::printable::{Escaped, argument, escaped_text, words};

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// Set if the file is not text. Such files are counted if a walk found them,
    /// and named otherwise.
    pub(crate) binary: Option<NotText>,
    /// The reason, safe on a terminal.
    pub(crate) why: String,
    /// The encodings that it may be in, the likeliest first.
    pub(crate) readings: Vec<&'static str>,
    /// Advice for the user, or empty. `FILE` is replaced by the path of the file.
    pub(crate) advice: String,
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
            Failure::Refused(path, Refusal { binary: Some(why), .. }) if !named => {
                binaries.skip(path, *why, say);
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
        // On Windows, no name has these characters.
        let is_pattern = cfg!(windows) && error.kind() == io::ErrorKind::InvalidFilename;
        let is_pattern = is_pattern && path.as_os_str().as_encoded_bytes().iter().any(|byte| b"*?".contains(byte));
        let reason = if is_pattern { "no file matches".to_owned() } else { unreadable(error) };
        Unreadable { path: Some(path.to_owned()), reason }
    }

    /// A walk of `folder` failed.
    pub(crate) fn of_walk(folder: &Path, error: &ignore::Error) -> Unreadable {
        match error {
            ignore::Error::WithPath { path, err } => Unreadable::of_walk(path, err),
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
                Unreadable::of_walk(folder, err)
            }
            ignore::Error::Io(error) => match error.get_ref().map(|inner| inner.to_string()) {
                // The crate's own text repeats the path.
                Some(_) if error.kind() == io::ErrorKind::NotFound => Unreadable {
                    path: Some(folder.to_owned()),
                    reason: "a symbolic link to a file that does not exist".to_owned(),
                },
                Some(text) if error.kind() != io::ErrorKind::Other => {
                    let why = text.split(" (os error ").next().and_then(|text| text.rsplit(": ").next());
                    let reason = format!("cannot be read: {}", escaped_text(why.unwrap_or_default()));
                    Unreadable { path: Some(folder.to_owned()), reason }
                }
                _ => Unreadable::new(folder, error),
            },
            ignore::Error::Loop { ancestor, child } => Unreadable {
                path: Some(child.clone()),
                reason: format!("a symbolic link back to {}, so not followed", Escaped(ancestor)),
            },
            other => Unreadable { path: Some(folder.to_owned()), reason: escaped_text(&other.to_string()) },
        }
    }

    /// The folder of `list`, a list of ignored files, cannot be walked.
    pub(crate) fn of_list(list: &Path) -> Unreadable {
        let why = match fs::metadata(list) {
            Ok(metadata) if !metadata.is_file() => "is not a regular file".to_owned(),
            Ok(metadata) if metadata.len() > 256 << 10 => "is larger than 256 KiB".to_owned(),
            Ok(_) => match File::open(list) {
                Ok(_) => "could not be read".to_owned(),
                Err(error) => format!("cannot be read: {}", words(&error)),
            },
            Err(error) => format!("cannot be read: {}", words(&error)),
        };
        let reason = format!("{why}, so its folder is not searched; --no-ignore searches it");
        Unreadable { path: Some(list.to_owned()), reason }
    }

    /// The file is not written, because `unread` may declare its encoding and could not be read.
    pub(crate) fn for_lack_of(path: &Path, unread: &str) -> Unreadable {
        let reason = format!("left as it was: {unread}, which may say what the file is");
        Unreadable { path: Some(path.to_owned()), reason }
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

impl Refusal {
    pub(crate) fn binary(why: NotText) -> Refusal {
        Refusal { binary: Some(why), why: why.to_string(), readings: Vec::new(), advice: String::new() }
    }

    /// The file is text. `advice` names it as `FILE`.
    pub(crate) fn text(why: impl Into<String>, advice: impl Into<String>) -> Refusal {
        Refusal { binary: None, why: why.into(), readings: Vec::new(), advice: advice.into() }
    }

    /// Adds what else can be done.
    pub(crate) fn advise(&mut self, advice: &str) {
        if !self.advice.is_empty() {
            self.advice.push_str("; ");
        }
        self.advice.push_str(advice);
    }

    /// The reason and the advice, for the file at `path`.
    pub(crate) fn message(&self, path: &Path) -> String {
        let binary = if self.binary.is_some() { "binary: " } else { "" };
        let and = if self.advice.is_empty() { "" } else { "; " };
        format!("{binary}{}{}{and}{}", self.why, perhaps(&self.readings), for_file(&self.advice, path))
    }
}

/// `, perhaps windows-1250 or ISO-8859-2`
pub(crate) fn perhaps(readings: &[&str]) -> String {
    match readings {
        [] => String::new(),
        [one] => format!(", perhaps {one}"),
        [first @ .., last] => format!(", perhaps {} or {last}", first.join(", ")),
    }
}

/// The message for a file that could not be read.
pub(crate) fn unreadable(error: &io::Error) -> String {
    match error.kind() {
        // A message of ours.
        _ if error.get_ref().is_some() => error.to_string(),
        // These words say it all.
        io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied | io::ErrorKind::IsADirectory => words(error),
        _ => format!("cannot be read: {}", words(error)),
    }
}

/// The advice, with the path of the file in the place of `FILE` if the shell would
/// take it as one word.
pub(crate) fn for_file(advice: &str, path: &Path) -> String {
    advice.replace("FILE", argument(path))
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Unreadable(unreadable) => unreadable.fmt(f),
            Failure::Unwritable(path, error) if error.raw_os_error().is_some() => {
                write!(f, "{}: cannot be written: {}", Escaped(path), words(error))
            }
            Failure::Unwritable(path, error) => write!(f, "{}: {error}", Escaped(path)),
            Failure::Refused(path, refusal) => {
                write!(f, "{}: left as it was: {}", Escaped(path), refusal.message(path))
            }
            Failure::Stopped(stopped) => write!(f, "{}: {}", stopped.path, stopped.finding),
        }
    }
}
