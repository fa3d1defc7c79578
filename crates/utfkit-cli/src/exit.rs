//! How a run ends.

use std::io;
use std::process::ExitCode;

/// The status of a file or of the whole run. The worst one wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// 0: success.
    #[default]
    Well,
    /// 1: something was ill-formed, or the target lacks a character.
    IllFormed,
    /// 2: something could not be read or written, or the usage was wrong.
    Failed,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

/// True if the reader of our output went away.
pub(crate) fn is_broken_pipe(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}
