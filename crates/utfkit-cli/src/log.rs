//! The log of a run: a line for each file, followed by a line for each change.
//!
//! The lines of a file are written together, and reach the disk before the file
//! changes. So the log has every change, whenever a run is interrupted. An entry
//! that cannot be written whole is removed.

pub(crate) mod format;

use std::borrow::Cow;
use std::env;
use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::path::{Component, Path, PathBuf};
use std::process;
use std::sync::MutexGuard;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use tempfile::SpooledTempFile;
use utfkit::Encoding;
use utfkit::repair::{Change, Stretch};

use crate::args;
use crate::checksum::Checksum;
use crate::destination::Destination;
use crate::lock::Lock;
use crate::paths::{canonical, resolve, sync_folder_of};
use crate::printable::{Escaped, argument, count, words};
use crate::reading::{open_at_once, read_at};
use crate::report::{JsonPath, line};
use crate::state;
use format::{ChangeLine, FileLine, Head, NAME, RenameLine, VERSION};

/// The suffix of logs in the state folder.
pub(crate) const SUFFIX: &str = ".jsonl";
/// The suffix of a log whose run was undone, after [`SUFFIX`].
const DONE: &str = ".undone";

/// The lines of a file that are kept in memory, in bytes.
const SPOOL: usize = 1 << 20;
/// The lines that are written together, in bytes.
const BUFFER: usize = 64 << 10;
/// The bytes that one line keeps of a file that cannot be rebuilt.
const KEPT: usize = 64 << 10;

/// The log of a run.
pub(crate) struct Log {
    command: &'static str,
    /// A folder above all files of the run.
    folder: PathBuf,
    named: Option<PathBuf>,
    written: Lock<Written>,
    /// The length that is on the disk, in bytes, or why that is no longer known.
    synced: Lock<Result<u64, String>>,
}

#[derive(Default)]
struct Written {
    file: Option<File>,
    path: PathBuf,
    len: u64,
    entries: u64,
    failed: bool,
    /// The end of it is half an entry, which could not be removed.
    is_cut: bool,
}

impl Log {
    /// The log that the arguments ask for. An existing log is never written over: it
    /// may be the only copy of the old content of files.
    pub(crate) fn of(command: &'static str, writing: &args::Writing, paths: &[PathBuf]) -> anyhow::Result<Option<Log>> {
        if writing.no_log {
            return Ok(None);
        }
        Log::within(command, writing.log.as_ref(), &common_folder(paths)?).map(Some)
    }

    /// The log of a run whose files are all below `folder`.
    pub(crate) fn within(command: &'static str, named: Option<&PathBuf>, folder: &Path) -> anyhow::Result<Log> {
        let log = Log {
            command,
            folder: folder.to_owned(),
            named: named.cloned(),
            written: Lock::default(),
            synced: Lock::new(Ok(0)),
        };
        match &log.named {
            Some(path) => log.begin(&mut log.lock()).map_err(|error| named_error(path, error))?,
            None => {
                state::folder().context(
                    "there is no folder for a log: set HOME or XDG_STATE_HOME, or add --log FILE or --no-log",
                )?;
            }
        }
        Ok(log)
    }

    fn lock(&self) -> MutexGuard<'_, Written> {
        self.written.lock()
    }

    /// Creates the file, or leaves none.
    fn begin(&self, written: &mut Written) -> io::Result<()> {
        let path = match &self.named {
            Some(path) => path.clone(),
            None => {
                let folder = state::folder().ok_or(io::ErrorKind::NotFound)?;
                state::make(&folder)?;
                let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros();
                folder.join(format!("{now:018}-{}-{}{SUFFIX}", process::id(), self.command))
            }
        };
        let mut options = File::options();
        options.write(true).create_new(true);
        // On Windows, the folder of a user's data is closed to others.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path)?;
        let mut head = Vec::new();
        let folder = JsonPath::new(&self.folder);
        line(&mut head, &Head { log: NAME.to_owned(), version: VERSION, command: self.command.to_owned(), folder });
        let begun = file.write_all(&head).and_then(|()| file.sync_all()).and_then(|()| sync_folder_of(&path));
        if let Err(error) = begun {
            let _ = fs::remove_file(&path);
            return Err(error);
        }
        *written = Written { file: Some(file), path, len: head.len() as u64, ..Written::default() };
        Ok(())
    }

    /// Writes an entry to the disk.
    pub(crate) fn take(&self, entry: Entry) -> io::Result<()> {
        let (head, mut lines) = entry.lines(&self.folder)?;
        lines.rewind()?;
        self.append(&head, &mut lines, 1)
    }

    /// Writes the lines of `renames` to the disk.
    pub(crate) fn take_renames(&self, renames: &[RenameLine]) -> io::Result<()> {
        let mut lines = Vec::new();
        renames.iter().for_each(|rename| line(&mut lines, rename));
        self.append(&lines, &mut io::empty(), renames.len() as u64)
    }

    fn append(&self, head: &[u8], lines: &mut impl io::Read, entries: u64) -> io::Result<()> {
        let mut written = self.lock();
        if written.file.is_none() {
            let advised = |error: io::Error| {
                let advice = "--log FILE keeps it elsewhere, --no-log does without";
                io::Error::new(error.kind(), format!("cannot be written: {}; {advice}", words(&error)))
            };
            self.begin(&mut written).map_err(advised)?;
        }
        if written.is_cut {
            return Err(io::Error::other("cannot be written any more after an earlier error"));
        }
        let Written { file: Some(file), len, .. } = &mut *written else { return Ok(()) };
        let appended = file.write_all(head).and_then(|()| io::copy(lines, file)).map(|lines| head.len() as u64 + lines);
        match appended {
            Ok(more) => *len += more,
            Err(error) => {
                // Removes the part that was written.
                let removed = file.set_len(*len).and_then(|()| file.seek(io::SeekFrom::Start(*len)));
                (written.failed, written.is_cut) = (true, removed.is_err());
                return Err(error);
            }
        }
        let (end, file) = (*len, file.try_clone()?);
        written.entries += entries;
        drop(written);
        // While one thread syncs, others append; the next sync is for all of them.
        let mut synced = self.synced.lock();
        match &*synced {
            // After a failed sync, the next one can succeed without the lost data.
            Err(why) => return Err(io::Error::other(why.clone())),
            Ok(synced) if *synced >= end => return Ok(()),
            Ok(_) => {}
        }
        let all = self.lock().len;
        let why = |error| format!("could not be synced to the disk: {}", words(&error));
        *synced = file.sync_data().map(|()| all).map_err(why);
        synced.clone().map(|_| ()).map_err(io::Error::other)
    }

    /// A message with the number of files or names (`noun`) that the run changed and the command
    /// that undoes it, or `None` if it changed nothing.
    pub(crate) fn finish(self, changed: u64, noun: &str) -> Option<String> {
        let Written { entries, failed, path, .. } = self.written.into_inner();
        if entries == 0 {
            if failed {
                // `undo` would take it for a run, and the next try would refuse to write over it.
                let _ = fs::remove_file(path);
            }
            return None;
        }
        if changed == 0 {
            // So that `undo` takes back the run before. It is not removed, since the
            // file system has just failed.
            let aside = done(&path);
            if fs::symlink_metadata(&aside).is_err() {
                let _ = fs::rename(path, aside);
            }
            return None;
        }
        let undo = match &self.named {
            Some(path) => format!("utfkit undo {}", argument(path)),
            None => "utfkit undo".to_owned(),
        };
        Some(format!("{} changed; `{undo}` takes that back", count(changed, noun)))
    }
}

/// The name of a log after its run was undone.
pub(crate) fn done(log: &Path) -> PathBuf {
    let mut done = log.to_owned().into_os_string();
    done.push(DONE);
    done.into()
}

fn named_error(path: &Path, error: io::Error) -> anyhow::Error {
    let name = Escaped(path).to_string();
    match error.kind() {
        io::ErrorKind::AlreadyExists => anyhow::anyhow!(
            "{name}: exists, and a log is never written over; choose another name, or take that run back with `utfkit undo`"
        ),
        _ => anyhow::Error::new(error).context(name),
    }
}

/// The deepest folder above all paths; without paths, the current folder.
pub(crate) fn common_folder(paths: &[PathBuf]) -> anyhow::Result<PathBuf> {
    let mut common: Option<PathBuf> = None;
    for path in paths.iter().filter(|path| *path != Path::new("-")) {
        let Ok(path) = resolve(path) else { continue };
        let folder = if path.is_dir() { path } else { path.parent().unwrap_or(&path).to_owned() };
        let Ok(folder) = canonical(if folder.as_os_str().is_empty() { Path::new(".") } else { &folder }) else {
            continue;
        };
        common = Some(match common {
            None => folder,
            Some(common) => {
                let both = common.components().zip(folder.components()).take_while(|(a, b)| a == b);
                both.map(|(component, _)| component).collect::<PathBuf>()
            }
        });
    }
    common.map_or_else(|| Ok(canonical(&env::current_dir()?)?), Ok)
}

/// The lines of one file.
pub(crate) struct Entry {
    path: PathBuf,
    /// The path as the user wrote it.
    named: JsonPath,
    source: Option<String>,
    lines: SpooledTempFile,
    buffer: Vec<u8>,
    before: Checksum,
    after: Checksum,
    changes: u64,
    modified: Option<SystemTime>,
    conversion: Option<(Encoding, Encoding)>,
    whole: bool,
}

impl Entry {
    /// `path` is the file with the new content, `source` the one with the old
    /// content.
    pub(crate) fn new(path: &Path, source: &Path, modified: Option<SystemTime>) -> Entry {
        Entry {
            path: path.to_owned(),
            named: JsonPath::new(path),
            source: (path != source).then(|| source.to_string_lossy().into_owned()),
            lines: SpooledTempFile::new(SPOOL),
            buffer: Vec::new(),
            before: Checksum::default(),
            after: Checksum::default(),
            changes: 0,
            modified,
            conversion: None,
            whole: false,
        }
    }

    /// The file at `path`, whose whole old content is kept. `target` has the new content.
    pub(crate) fn of_replaced(path: &Path, target: &Destination) -> io::Result<Entry> {
        let old = open_at_once(path)?;
        let mut entry = Entry::new(path, path, old.metadata()?.modified().ok());
        entry.keep(Checksum::of(&old)?, Checksum::of(target.made()?)?, &old)?;
        Ok(entry)
    }

    pub(crate) fn note(&mut self, piece: &Stretch<'_>) -> io::Result<()> {
        match piece {
            Stretch::Kept(text) => {
                self.before.feed(text);
                self.after.feed(text);
                Ok(())
            }
            Stretch::Changed(change) => {
                let Change { offset, kind, before, after, .. } = *change;
                let (at, encoding) = (self.after.bytes(), change.encoding().map(Encoding::name));
                self.change_at(offset, at, kind.name(), encoding, before, after.as_bytes())?;
                self.before.feed(before);
                self.after.feed(after.as_bytes());
                Ok(())
            }
        }
    }

    /// Notes that `before` became `after`, at `repaired_offset` of the new content.
    pub(crate) fn change_at(
        &mut self,
        offset: u64,
        repaired_offset: u64,
        kind: &str,
        encoding: Option<&'static str>,
        before: &[u8],
        after: &[u8],
    ) -> io::Result<()> {
        let change = ChangeLine {
            path: Cow::Borrowed(&self.named),
            offset,
            repaired_offset,
            kind: kind.into(),
            encoding: encoding.map(Cow::from),
            before: before.into(),
            after: after.into(),
        };
        line(&mut self.buffer, &change);
        self.changes += 1;
        if self.buffer.len() >= BUFFER {
            self.lines.write_all(&self.buffer)?;
            self.buffer.clear();
        }
        Ok(())
    }

    /// Logs a conversion, which can be taken back by converting again.
    pub(crate) fn converted(&mut self, from: Encoding, to: Encoding, before: Checksum, after: Checksum) {
        self.conversion = Some((from, to));
        (self.before, self.after) = (before, after);
    }

    /// Logs a file whose changes were all noted.
    pub(crate) fn edited(&mut self, before: Checksum, after: Checksum) {
        (self.before, self.after) = (before, after);
    }

    /// Logs the whole old content, since nothing else can rebuild it.
    pub(crate) fn keep(&mut self, before: Checksum, after: Checksum, old: &File) -> io::Result<()> {
        (self.conversion, self.whole, self.changes) = (None, true, 0);
        self.lines = SpooledTempFile::new(SPOOL);
        self.buffer.clear();
        let mut block = vec![0; KEPT];
        let mut at = 0;
        loop {
            let len = read_at(old, &mut block, at)?;
            if len == 0 {
                break;
            }
            self.change_at(at, 0, "kept", None, &block[..len], b"")?;
            at += len as u64;
        }
        (self.before, self.after) = (before, after);
        Ok(())
    }

    /// The line of the file, and the lines of its changes.
    fn lines(self, folder: &Path) -> io::Result<(Vec<u8>, SpooledTempFile)> {
        let Entry { path, named: _, source, mut lines, buffer, before, after, changes, modified, conversion, whole } =
            self;
        lines.write_all(&buffer)?;
        let path = match path == Path::new("-") {
            true => path,
            // Without symbolic links, like the folder of the log.
            false => resolve(&path).and_then(|path| match path.components().next() {
                Some(Component::RootDir | Component::Prefix(_)) => Ok(path),
                _ => Ok(canonical(&env::current_dir()?)?.join(path)),
            })?,
        };
        let path = JsonPath::new(path.strip_prefix(folder).unwrap_or(&path));
        let since = |time: SystemTime| time.duration_since(UNIX_EPOCH).ok();
        let head = FileLine {
            path,
            source,
            file: true,
            bytes: before.bytes(),
            sha256: before.finish(),
            repaired_bytes: after.bytes(),
            repaired_sha256: after.finish(),
            modified: modified.and_then(since).map(|since| (since.as_secs(), since.subsec_nanos())),
            from: conversion.map(|(from, _)| from.name().to_owned()),
            to: conversion.map(|(_, to)| to.name().to_owned()),
            whole,
            changes,
        };
        let mut first = Vec::new();
        line(&mut first, &head);
        Ok((first, lines))
    }
}
