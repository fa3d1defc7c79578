//! Names what text was misread as.

use std::fmt;

use utfkit::Encoding;
use utfkit::repair::{Change, ChangeKind};

/// The encoding of the bytes of a text, and the one that they were read in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Misread {
    pub(crate) written: Encoding,
    pub(crate) read: Encoding,
}

impl Misread {
    /// `None` for changes that undo no reading.
    pub(crate) fn of(change: &Change<'_>) -> Option<Misread> {
        match (change.kind, change.written(), change.encoding()) {
            (ChangeKind::Undoubled, Some(written), Some(read)) => Some(Misread { written, read }),
            _ => None,
        }
    }

    /// True if the text was UTF-8 and is encoded twice.
    pub(crate) fn is_doubled(self) -> bool {
        self.written == Encoding::Utf8
    }
}

/// `windows-1252` for UTF-8, else `windows-1251 read as windows-1252`.
impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_doubled() {
            true => f.write_str(self.read.name()),
            false => write!(f, "{} read as {}", self.written, self.read),
        }
    }
}
