//! The log of a repair: for each file a line, then a line for each change.
//!
//! The lines of a file come into the log together, and reach the disk, before
//! the file takes its new content: whatever is interrupted, what was changed is
//! in the log.

use std::env;
use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use tempfile::SpooledTempFile;
use utfkit::repair::{Change, Piece};

use super::checksum::Checksum;
use crate::report::{JsonPath, hex, line};

/// What the first line of a log says it is.
pub(super) const NAME: &str = "utfkit repair";
pub(super) const VERSION: u64 = 1;

/// What the lines of a file may take in memory.
const SPOOL: usize = 1 << 20;
/// Lines written at once.
const BUFFER: usize = 64 << 10;

#[derive(Serialize)]
struct Head {
    log: &'static str,
    version: u64,
    folder: String,
}

#[derive(Serialize)]
struct FileLine<'a> {
    #[serde(flatten)]
    path: &'a JsonPath,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a str>,
    file: bool,
    bytes: u64,
    sha256: String,
    repaired_bytes: u64,
    repaired_sha256: String,
    changes: u64,
}

#[derive(Serialize)]
struct ChangeLine<'a> {
    #[serde(flatten)]
    path: &'a JsonPath,
    offset: u64,
    repaired_offset: u64,
    kind: &'static str,
    before: String,
    after: String,
}

/// The log of a run.
pub(super) struct Log(Mutex<File>);

impl Log {
    /// A new log. One that is there is never written over: it may be all that
    /// is left of somebody's bytes.
    pub(super) fn create(path: &Path) -> io::Result<Log> {
        let mut file = File::create_new(path)?;
        let folder = env::current_dir().unwrap_or_default().to_string_lossy().into_owned();
        let mut head = Vec::new();
        line(&mut head, &Head { log: NAME, version: VERSION, folder });
        file.write_all(&head)?;
        file.sync_all()?;
        // The name of the log has to last as well. Not every file system can.
        if let Some(folder) = path.parent() {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            let _ = File::open(folder).and_then(|folder| folder.sync_all());
        }
        Ok(Log(Mutex::new(file)))
    }

    /// Takes what is to be known of a file, down to the disk.
    pub(super) fn take(&self, entry: Entry) -> io::Result<()> {
        let Entry { path, source, mut lines, mut buffer, before, after, changes } = entry;
        if changes == 0 {
            return Ok(());
        }
        lines.write_all(&buffer)?;
        buffer.clear();
        let head = FileLine {
            path: &path,
            source: source.as_deref(),
            file: true,
            bytes: before.bytes(),
            sha256: before.finish(),
            repaired_bytes: after.bytes(),
            repaired_sha256: after.finish(),
            changes,
        };
        line(&mut buffer, &head);
        lines.rewind()?;
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        log.write_all(&buffer)?;
        io::copy(&mut lines, &mut *log)?;
        log.sync_data()
    }
}

/// What is to be known of one file.
pub(super) struct Entry {
    path: JsonPath,
    source: Option<String>,
    lines: SpooledTempFile,
    buffer: Vec<u8>,
    before: Checksum,
    after: Checksum,
    changes: u64,
}

impl Entry {
    /// `path` is where the repaired text will stand, `source` where it stood if
    /// that is not the same.
    pub(super) fn new(path: &Path, source: &Path) -> Entry {
        Entry {
            path: JsonPath::new(path),
            source: (path != source).then(|| source.to_string_lossy().into_owned()),
            lines: SpooledTempFile::new(SPOOL),
            buffer: Vec::new(),
            before: Checksum::new(),
            after: Checksum::new(),
            changes: 0,
        }
    }

    pub(super) fn note(&mut self, piece: &Piece<'_>) -> io::Result<()> {
        match piece {
            Piece::Kept(text) => {
                self.before.feed(text);
                self.after.feed(text);
            }
            Piece::Changed(Change { offset, kind, before, after, .. }) => {
                let change = ChangeLine {
                    path: &self.path,
                    offset: *offset,
                    repaired_offset: self.after.bytes(),
                    kind: kind.name(),
                    before: hex(before),
                    after: hex(after.as_bytes()),
                };
                line(&mut self.buffer, &change);
                self.before.feed(before);
                self.after.feed(after.as_bytes());
                self.changes += 1;
                if self.buffer.len() >= BUFFER {
                    self.lines.write_all(&self.buffer)?;
                    self.buffer.clear();
                }
            }
        }
        Ok(())
    }
}
