//! `utfkit undo`: restores the files of a run from its log.
//!
//! A log is untrusted. Only files below one folder are restored, and each is read
//! twice. First its size and checksum must match the log. Then the changes are
//! taken back in a temporary file, which replaces the file only if its checksum
//! is that of the original.

use std::collections::HashSet;
use std::env;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use anyhow::{Context, bail, ensure};
use serde::Deserialize;
use serde_json::Value;
use utfkit::{Encoding, Policy, Transcoder};
use utfkit_gate::Keep;

use crate::args::{Global, Undo};
use crate::buffer::Buffer;
use crate::checksum::Checksum;
use crate::cmd::names;
use crate::confined::{Confined, Root};
use crate::console::{Console, complain};
use crate::destination::{Destination, Snapshot};
use crate::exit::Status;
use crate::lock::Lock;
use crate::log::format::{ChangeLine, FileLine, Head, Lines, NAME, RenameLine, VERSION};
use crate::log::{SUFFIX, done};
use crate::ordered::{self, Ticket};
use crate::paths::{canonical, sync_folder};
use crate::printable::{Escaped, causes, count, words};
use crate::reading::{CHUNK, copy, spooled};
use crate::report::JsonPath;
use crate::state;
use crate::temporary::Cleaner;
use crate::transcoding::transcode;

/// The limit of the length of all names, in bytes, up to which files are restored in
/// their order.
const SORTED: usize = 32 << 20;

/// A file in the log.
struct Entry {
    line: FileLine,
    path: PathBuf,
    modified: Option<SystemTime>,
    conversion: Option<(Encoding, Encoding)>,
}

impl Entry {
    fn read(log: &mut Lines, start: u64) -> anyhow::Result<Entry> {
        log.seek(start)?;
        let value = log.next()?.unwrap_or_default();
        Entry::new(&value).context("not a log of utfkit, or a damaged one")
    }

    fn new(value: &Value) -> anyhow::Result<Entry> {
        let line = FileLine::deserialize(value)?;
        let path = line.path.to_path().context("not a path")?;
        let (modified, conversion) = (line.modified()?, line.conversion()?);
        Ok(Entry { line, path, modified, conversion })
    }
}

pub(crate) fn run(args: &Undo, global: &Global) -> anyhow::Result<Status> {
    let log = match &args.log {
        Some(log) => log.clone(),
        None => last_here()?,
    };
    let named = || Escaped(&log).to_string();
    let mut reader = Lines::open(&log).with_context(named)?;
    let head = reader.next().with_context(named)?.unwrap_or_default();
    ensure!(head["log"] == NAME, "{}: not a log of utfkit", named());
    ensure!(head["version"] == VERSION, "{}: written by another version of utfkit", named());
    let folder = folder(&head).with_context(|| format!("{}: does not say where it was made", named()))?;
    let mut status = Status::Well;
    let (mut entries, mut renames) = (Vec::new(), Vec::new());
    let mut length = 0;
    loop {
        let start = reader.at;
        let line = match reader.next() {
            Ok(Some(line)) => line,
            Ok(None) => break,
            Err(error) if reader.is_at_end().with_context(named)? => {
                // The run was interrupted while it wrote the line, before the change.
                complain(&format!("{}: ends in the middle of a line: {}", named(), causes(&error)));
                break;
            }
            Err(error) => return Err(error.context(named())),
        };
        if line["rename"] == true {
            let rename = RenameLine::deserialize(&line).context("the log is damaged").with_context(named)?;
            renames.push(rename);
        } else if line["file"] == true {
            let path = JsonPath::deserialize(&line).ok().and_then(|path| path.to_path()).unwrap_or_default();
            length += path.as_os_str().len();
            // Too many names are not kept.
            entries.push((start, if length < SORTED { path } else { PathBuf::new() }));
        }
    }
    if let [(start, path)] = &entries[..]
        && path == Path::new("-")
    {
        return from_stdin(&log, *start, named());
    }
    // The last change is taken back first, of files in the order of their names.
    entries.reverse();
    if length < SORTED {
        entries.sort_by(|(_, a), (_, b)| a.cmp(b));
    }
    let root = root(args, &log, &folder).with_context(named)?;
    let has_renames = !renames.is_empty();
    if has_renames {
        let (changed, result) = names::restore(&renames, &root, complain);
        status = status.max(result);
        if !args.silent {
            complain(&format!("{} restored", count(changed, "name")));
        }
    }
    let job = Job {
        root,
        log: &log,
        folder: &folder,
        here: env::current_dir().and_then(|here| canonical(&here)).unwrap_or_default(),
        names_each: global.verbose && !args.silent,
        restored: AtomicU64::new(0),
        already: AtomicU64::new(0),
        folders: Lock::default(),
        cleaner: Cleaner::new(true),
    };
    let files = entries.len() as u64;
    let starts = entries.iter().map(|&(start, _)| start);
    status = status.max(ordered::run(starts, global.threads(), Console::new(), || {
        let job = &job;
        let mut chunk = Buffer::new(CHUNK);
        let mut reader = None;
        move |start: u64, ticket: &mut Ticket<'_>| job.restore(start, &mut reader, &mut chunk, ticket)
    })?);
    if !args.silent && (files > 0 || !has_renames) {
        complain(&job.sum(files));
    }
    job.cleaner.report().as_deref().into_iter().for_each(complain);
    for error in job.folders.into_inner().iter().filter_map(|folder| sync_folder(folder).err()) {
        complain(&format!("{error}; a power failure may bring the new files back"));
        status = Status::Failed;
    }
    if status == Status::Well && args.log.is_none() {
        // The next `undo` takes back the run before.
        fs::rename(&log, done(&log)).with_context(|| {
            format!("{}: all is restored, but the log keeps its name, so the next `undo` finds it again", named())
        })?;
    }
    Ok(status)
}

/// The log of the last run in this folder, or in one above or below it.
fn last_here() -> anyhow::Result<PathBuf> {
    let here = canonical(&env::current_dir()?)?;
    let folder = state::folder().context("there is no folder of logs: name the log")?;
    let listed = fs::read_dir(&folder).and_then(|logs| logs.map(|log| Ok(log?.path())).collect());
    let mut logs: Vec<PathBuf> = match listed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        listed => listed.with_context(|| format!("{}: cannot be read", Escaped(&folder)))?,
    };
    logs.retain(|log| log.to_string_lossy().ends_with(SUFFIX));
    logs.sort_unstable();
    for log in logs.into_iter().rev() {
        let head = match Lines::open(&log).and_then(|mut lines| lines.next()) {
            Ok(head) => head.unwrap_or_default(),
            Err(error) => match error.downcast_ref::<io::Error>() {
                // It may be the last run here.
                Some(error) => {
                    bail!("{}: cannot be read: {}; name the log of the run to undo", Escaped(&log), words(error))
                }
                None => continue,
            },
        };
        if self::folder(&head).is_some_and(|folder| folder.starts_with(&here) || here.starts_with(&folder)) {
            return Ok(log);
        }
    }
    bail!("there is no run to undo in this folder; its log would be in {}", Escaped(&folder))
}

/// The folder in which a log was made, by its first line.
fn folder(head: &Value) -> Option<PathBuf> {
    Head::deserialize(head).ok()?.folder.to_path()
}

/// The folder below which files may be restored. This user's runs wrote the logs in
/// the state folder. Other logs are trusted only below the current folder.
fn root(args: &Undo, log: &Path, folder: &Path) -> anyhow::Result<Root> {
    if let Some(root) = &args.root {
        let path = canonical(root).with_context(|| Escaped(root).to_string())?;
        return Ok(Root::new(&path, false)?);
    }
    let own = state::folder().and_then(|state| canonical(&state).ok());
    let is_own = own.is_some() && canonical(log)?.parent() == own.as_deref();
    let named = Escaped(folder);
    let is_folder = canonical(folder).is_ok_and(|path| path == folder);
    ensure!(is_folder, "it was made in {named}, which does not exist; --root DIR names the folder to restore");
    if !is_own {
        let here = canonical(&env::current_dir()?)?;
        ensure!(
            folder.starts_with(&here),
            "it was made in {named}, which is not below the current folder; go there, or name the folder to restore with --root DIR"
        );
    }
    Ok(Root::new(folder, !is_own)?)
}

enum Outcome {
    Restored,
    AlreadyThere,
}

struct Job<'a> {
    root: Root,
    log: &'a Path,
    folder: &'a Path,
    here: PathBuf,
    names_each: bool,
    restored: AtomicU64,
    /// The number of files that were as they had been.
    already: AtomicU64,
    /// The folders to sync at the end.
    folders: Lock<HashSet<PathBuf>>,
    cleaner: Cleaner,
}

impl Job<'_> {
    /// `1117 files restored, 2 were as before the run, 1 could not be restored`
    fn sum(&self, files: u64) -> String {
        let (restored, already) = (self.restored.load(Ordering::Relaxed), self.already.load(Ordering::Relaxed));
        let mut parts = vec![format!("{} restored", count(restored, "file"))];
        if already > 0 {
            parts.push(format!("{already} as before the run already"));
        }
        if restored + already < files {
            parts.push(format!("{} not restored", files - restored - already));
        }
        parts.join(", ")
    }

    fn restore(&self, start: u64, reader: &mut Option<Lines>, chunk: &mut Buffer, ticket: &mut Ticket<'_>) -> Status {
        let opened = match reader {
            Some(reader) => Ok(reader),
            None => Lines::open(self.log).map(|lines| reader.insert(lines)),
        };
        let read = opened.and_then(|reader| Ok((Entry::read(reader, start)?, reader)));
        let (entry, reader) = match read {
            Ok(read) => read,
            Err(error) => {
                ticket.complain(format_args!("{}: {}", Escaped(self.log), causes(&error)));
                return Status::Failed;
            }
        };
        let path = self.root.path().join(&entry.path);
        let name = Escaped(path.strip_prefix(&self.here).unwrap_or(&path)).to_string();
        match self.restore_one(&entry, reader, chunk, ticket) {
            Ok(Outcome::Restored) => {
                self.restored.fetch_add(1, Ordering::Relaxed);
                if self.names_each {
                    match entry.conversion {
                        Some((from, _)) => ticket.complain(format_args!("{name}: restored to {from}")),
                        None if entry.line.whole => ticket.complain(format_args!("{name}: restored")),
                        None => ticket.complain(format_args!(
                            "{name}: restored ({} undone)",
                            count(entry.line.changes, "change")
                        )),
                    }
                }
                Status::Well
            }
            Ok(Outcome::AlreadyThere) => {
                self.already.fetch_add(1, Ordering::Relaxed);
                if self.names_each {
                    ticket.complain(format_args!("{name}: is as it was before the run"));
                }
                Status::Well
            }
            Err(error) => {
                let missing = error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::NotFound);
                let hint = match missing {
                    true => format!("; the run was in {}", Escaped(self.folder)),
                    false => String::new(),
                };
                let is_of_system = error.downcast_ref::<io::Error>().is_some_and(|e| e.raw_os_error().is_some());
                let not = if is_of_system { "cannot be restored: " } else { "" };
                ticket.complain(format_args!("{name}: {not}{}{hint}", causes(&error)));
                Status::Failed
            }
        }
    }

    fn restore_one(
        &self,
        entry: &Entry,
        log: &mut Lines,
        chunk: &mut Buffer,
        ticket: &mut Ticket<'_>,
    ) -> anyhow::Result<Outcome> {
        // Paths outside of the folder of the log are absolute.
        let relative = match entry.path.strip_prefix(self.root.path()) {
            Ok(below) => below,
            Err(_) => &entry.path,
        };
        let Confined { mut file, path, folder: _folder } = self.root.open(relative)?;
        self.cleaner.beside(&self.root.path().join(relative), |message| ticket.complain(message));
        let metadata = file.metadata()?;
        if ![entry.line.bytes, entry.line.repaired_bytes].contains(&metadata.len()) {
            bail!("{CHANGED}");
        }
        let mut sum = Checksum::default();
        copy(&mut file, chunk, |bytes| {
            sum.feed(bytes);
            Ok(())
        })?;
        let (bytes, checksum) = (sum.bytes(), sum.finish());
        if (bytes, &checksum) == (entry.line.bytes, &entry.line.sha256) {
            return Ok(Outcome::AlreadyThere);
        }
        if (bytes, &checksum) != (entry.line.repaired_bytes, &entry.line.repaired_sha256) {
            bail!("{CHANGED}");
        }
        file.seek(SeekFrom::Start(0))?;
        let target = Destination::through(&path, &metadata, Keep::All)?.made_of(Snapshot::of(&file)?);
        let target = rebuilt(entry, &file, log, target.modified(entry.modified), chunk)?;
        // Windows replaces no file that is open.
        drop(file);
        target.commit_later(None, |message| ticket.complain(message))?;
        let folder = self.root.path().join(relative).parent().map(Path::to_owned);
        self.folders.lock().extend(folder);
        Ok(Outcome::Restored)
    }
}

const CHANGED: &str = "changed since the run, so skipped";

/// Restores a text that came from a pipe, from standard input to standard output.
fn from_stdin(log: &Path, start: u64, named: String) -> anyhow::Result<Status> {
    let mut reader = Lines::open(log)?;
    let entry = Entry::read(&mut reader, start).context(named)?;
    let mut chunk = Buffer::new(CHUNK);
    let mut file = spooled(&mut io::stdin().lock())?;
    let mut sum = Checksum::default();
    copy(&mut file, &mut chunk, |bytes| {
        sum.feed(bytes);
        Ok(())
    })?;
    if (sum.bytes(), sum.finish()) != (entry.line.repaired_bytes, entry.line.repaired_sha256.clone()) {
        bail!("-: {CHANGED}");
    }
    file.seek(SeekFrom::Start(0))?;
    rebuilt(&entry, &file, &mut reader, Destination::stdout(), &mut chunk)?.commit()?;
    Ok(Status::Well)
}

/// Writes the old content to `target`, without committing it.
fn rebuilt(
    entry: &Entry,
    mut file: &File,
    log: &mut Lines,
    target: Destination,
    chunk: &mut Buffer,
) -> anyhow::Result<Destination> {
    let mut back = WayBack::new(entry, target);
    let mut at = 0;
    for _ in 0..entry.line.changes {
        let line = log.next()?.context("the log ends before its changes do")?;
        let change = ChangeLine::deserialize(&line).context("the log is damaged")?;
        if !entry.line.whole {
            let kept = change.repaired_offset.checked_sub(at).context("the log is damaged: its changes overlap")?;
            let copied = copy(&mut file.take(kept), chunk, |bytes| back.write(bytes))?;
            let mut found = vec![0; change.after.len()];
            let read = file.read_exact(&mut found);
            if copied != kept || read.is_err() || found != *change.after {
                bail!("the log is damaged: byte {} of the file differs", change.repaired_offset);
            }
            at = change.repaired_offset + change.after.len() as u64;
        }
        back.write(&change.before)?;
    }
    if !entry.line.whole {
        copy(&mut file, chunk, |bytes| back.write(bytes))?;
    }
    let (target, sum) = back.finish()?;
    if (sum.bytes(), sum.finish()) != (entry.line.bytes, entry.line.sha256.clone()) {
        target.abandon()?;
        bail!("the log is damaged: the result is not the original");
    }
    Ok(target)
}

/// Converts the text back, and writes the old content.
struct WayBack {
    target: Destination,
    sum: Checksum,
    most: u64,
    transcoder: Option<Transcoder>,
    buf: Vec<u8>,
}

impl WayBack {
    fn new(entry: &Entry, target: Destination) -> WayBack {
        let transcoder = entry.conversion.map(|(from, to)| Transcoder::new(to, from, Policy::Strict));
        let buf = vec![0; if transcoder.is_some() { 64 << 10 } else { 0 }];
        WayBack { target, sum: Checksum::default(), most: entry.line.bytes, transcoder, buf }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.pass(bytes, false)
    }

    fn pass(&mut self, bytes: &[u8], last: bool) -> io::Result<()> {
        let WayBack { target, sum, most, transcoder, buf } = self;
        let mut put = |bytes: &[u8]| {
            sum.feed(bytes);
            // A damaged log must not fill the disk.
            if sum.bytes() > *most {
                return Err(io::Error::other("the log is damaged: the result is longer than the original"));
            }
            target.write_all(bytes)
        };
        let Some(transcoder) = transcoder else { return put(bytes) };
        match transcode(transcoder, bytes, buf, last, |_, text| put(text))? {
            None => Ok(()),
            Some(_) => Err(io::Error::other("the log is damaged: the text is not in the encoding that it names")),
        }
    }

    fn finish(mut self) -> io::Result<(Destination, Checksum)> {
        if self.transcoder.is_some() {
            self.pass(&[], true)?;
        }
        Ok((self.target, self.sum))
    }
}
