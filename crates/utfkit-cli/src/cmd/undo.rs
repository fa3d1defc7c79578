//! `utfkit undo`: restores the files of a run from its log.
//!
//! A log is untrusted. Only files below one folder are restored, and each is read
//! twice. First its size and checksum must match the log. Then the changes are
//! taken back in a temporary file, which replaces the file only if its checksum
//! is that of the original.

use std::collections::HashSet;
use std::env;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail, ensure};
use serde_json::Value;
use utfkit::{Encoding, Policy, Transcoder};

use crate::args::{Global, Undo};
use crate::buffer::Buffer;
use crate::checksum::Checksum;
use crate::confined::Root;
use crate::console::{Console, complain};
use crate::destination::{Destination, Snapshot};
use crate::exit::{Status, is_broken_pipe};
use crate::lock::Lock;
use crate::log::{NAME, SUFFIX, VERSION};
use crate::ordered::{self, Ticket};
use crate::paths::{path_from_bytes, sync_folder};
use crate::printable::Escaped;
use crate::reading::{CHUNK, copy, open_at_once, spooled};
use crate::state;
use crate::temporary::Cleaner;
use crate::transcoding::transcode;
use utfkit_gate::Keep;

/// The limit of a line in a log, in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// The suffix of a log that was undone.
const DONE: &str = ".undone";

/// A file in a log.
struct Entry {
    path: PathBuf,
    bytes: u64,
    sha256: String,
    repaired_bytes: u64,
    repaired_sha256: String,
    modified: Option<SystemTime>,
    conversion: Option<(Encoding, Encoding)>,
    whole: bool,
    changes: u64,
}

struct Change {
    repaired_offset: u64,
    before: Vec<u8>,
    after: Vec<u8>,
}

pub(crate) fn run(args: &Undo, global: &Global) -> anyhow::Result<Status> {
    let log = match &args.log {
        Some(log) => log.clone(),
        None => last_here()?,
    };
    let named = || Escaped(&log).to_string();
    let mut reader = Lines::open(&log).with_context(named)?;
    let head = reader.next().with_context(named)?;
    let Some(head) = head.filter(|head| head["log"] == NAME) else {
        bail!("{}: not a log of utfkit", named());
    };
    ensure!(head["version"] == VERSION, "{}: written by another version of utfkit", named());
    let folder = path(&head).with_context(|| format!("{}: does not say where it was made", named()))?;
    let mut status = Status::Well;
    let mut entries = Vec::new();
    loop {
        let start = reader.at;
        let line = match reader.next() {
            Ok(Some(line)) => line,
            Ok(None) => break,
            Err(error) if reader.is_at_end().with_context(named)? => {
                // The run was interrupted while it wrote the line, before the change.
                complain(&format!("{}: ends in the middle of a line: {error:#}", named()));
                break;
            }
            Err(error) => return Err(error.context(named())),
        };
        if line["file"] == true {
            entries.push((start, line["path"] == "-" && line.get("path_bytes").is_none()));
        }
    }
    if let [(start, true)] = entries[..] {
        return from_stdin(&log, start, named());
    }
    let root = root(args, &log, &folder).with_context(named)?;
    let job = Job {
        root,
        log: &log,
        folder: &folder,
        here: env::current_dir().and_then(fs::canonicalize).unwrap_or_default(),
        silent: args.silent,
        folders: Lock::default(),
        restored: AtomicU64::new(0),
        cleaner: Cleaner::default(),
    };
    // The last change is taken back first.
    let starts = entries.iter().rev().map(|&(start, _)| start);
    status = status.max(ordered::run(starts, global.threads(), Console::new(), || {
        let job = &job;
        let mut chunk = Buffer::new(CHUNK);
        let mut reader = None;
        move |start: u64, ticket: &mut Ticket<'_>| job.restore(start, &mut reader, &mut chunk, ticket)
    })?);
    job.folders.into_inner().iter().for_each(|folder| sync_folder(folder));
    if status == Status::Well && args.log.is_none() {
        // The next `undo` takes back the run before.
        let mut done = log.clone().into_os_string();
        done.push(DONE);
        fs::rename(&log, done).with_context(named)?;
    }
    Ok(status)
}

/// The log of the last run in this folder, or in one above or below it.
fn last_here() -> anyhow::Result<PathBuf> {
    let here = fs::canonicalize(env::current_dir()?)?;
    let folder = state::folder().context("there is no folder of logs: name the log")?;
    let mut logs: Vec<PathBuf> = match fs::read_dir(&folder) {
        Ok(logs) => logs.filter_map(|log| Some(log.ok()?.path())).collect(),
        Err(_) => Vec::new(),
    };
    logs.retain(|log| log.to_string_lossy().ends_with(SUFFIX));
    logs.sort_unstable();
    let is_here = |log: &PathBuf| {
        let head = Lines::open(log).and_then(|mut lines| lines.next()).ok().flatten();
        let folder = head.and_then(|head| path(&head));
        folder.is_some_and(|folder| folder.starts_with(&here) || here.starts_with(&folder))
    };
    logs.into_iter().rev().find(is_here).with_context(|| {
        format!("no run that changed files here is left to be taken back; its log would be in {}", Escaped(&folder))
    })
}

/// The folder below which files may be restored. This user's runs wrote the logs in
/// the state folder. Other logs are trusted only below the current folder.
fn root(args: &Undo, log: &Path, folder: &Path) -> anyhow::Result<Root> {
    if let Some(root) = &args.root {
        let path = fs::canonicalize(root).with_context(|| Escaped(root).to_string())?;
        return Ok(Root::new(&path, false)?);
    }
    let own = state::folder().and_then(|state| fs::canonicalize(state).ok());
    let is_own = own.is_some() && fs::canonicalize(log)?.parent() == own.as_deref();
    let named = Escaped(folder);
    let is_folder = fs::canonicalize(folder).is_ok_and(|path| path == folder);
    ensure!(is_folder, "it was made in {named}, which is not there; --root DIR names the folder that is restored");
    if !is_own {
        let here = fs::canonicalize(env::current_dir()?)?;
        ensure!(
            folder.starts_with(&here),
            "it was made in {named}, which is not below the current folder; go there, or name the folder that is restored with --root DIR"
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
    silent: bool,
    /// The folders to sync at the end.
    folders: Lock<HashSet<PathBuf>>,
    restored: AtomicU64,
    cleaner: Cleaner,
}

impl Job<'_> {
    fn restore(&self, start: u64, reader: &mut Option<Lines>, chunk: &mut Buffer, ticket: &mut Ticket<'_>) -> Status {
        let damaged = |error: anyhow::Error| format!("{}: {error:#}", Escaped(self.log));
        let opened = match reader {
            Some(reader) => Ok(reader),
            None => Lines::open(self.log).map(|lines| reader.insert(lines)),
        };
        let read = opened.and_then(|reader| {
            reader.seek(start)?;
            let line = reader.next()?.unwrap_or_default();
            Ok((entry(&line).context("not a log of utfkit, or a damaged one")?, reader))
        });
        let (entry, reader) = match read {
            Ok(read) => read,
            Err(error) => {
                ticket.complain(format_args!("{}", damaged(error)));
                return Status::Failed;
            }
        };
        let path = self.root.path().join(&entry.path);
        let name = Escaped(path.strip_prefix(&self.here).unwrap_or(&path)).to_string();
        match self.restore_one(&entry, reader, chunk, ticket) {
            Ok(Outcome::Restored) => {
                self.restored.fetch_add(1, Ordering::Relaxed);
                let noun = if entry.changes == 1 { "change" } else { "changes" };
                if !self.silent {
                    match entry.conversion {
                        Some((from, _)) => ticket.complain(format_args!("{name}: restored to {from}")),
                        None if entry.whole => ticket.complain(format_args!("{name}: restored")),
                        None => ticket.complain(format_args!("{name}: restored ({} {noun} undone)", entry.changes)),
                    }
                }
                Status::Well
            }
            Ok(Outcome::AlreadyThere) => {
                if !self.silent {
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
                ticket.complain(format_args!("{name}: {error:#}{hint}"));
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
        let confined = self.root.open(relative)?;
        let metadata = confined.file.metadata()?;
        let mut file = &confined.file;
        if ![entry.bytes, entry.repaired_bytes].contains(&metadata.len()) {
            bail!("{CHANGED}");
        }
        let mut sum = Checksum::new();
        copy(&mut file, chunk, |bytes| {
            sum.feed(bytes);
            Ok(())
        })?;
        let (bytes, checksum) = (sum.bytes(), sum.finish());
        if (bytes, &checksum) == (entry.bytes, &entry.sha256) {
            return Ok(Outcome::AlreadyThere);
        }
        if (bytes, &checksum) != (entry.repaired_bytes, &entry.repaired_sha256) {
            bail!("{CHANGED}");
        }
        file.seek(SeekFrom::Start(0))?;
        let target = Destination::through(&confined.path, &metadata, Keep::All)?.made_of(Snapshot::of(&metadata));
        let target = rebuilt(entry, file, log, target.modified(entry.modified), chunk)?;
        target.commit_later(None, |message| ticket.complain(message))?;
        let said = |message: &str| ticket.complain(message);
        self.cleaner.beside(&self.root.path().join(relative), said);
        let folder = self.root.path().join(relative).parent().map(Path::to_owned);
        self.folders.lock().extend(folder);
        Ok(Outcome::Restored)
    }
}

const CHANGED: &str = "not what the run left, so not touched: it was changed since";

/// Restores a text that came from a pipe, from standard input to standard output.
fn from_stdin(log: &Path, start: u64, named: String) -> anyhow::Result<Status> {
    let mut reader = Lines::open(log)?;
    reader.seek(start)?;
    let line = reader.next()?.unwrap_or_default();
    let entry = entry(&line).with_context(|| format!("{named}: not a log of utfkit, or a damaged one"))?;
    let mut chunk = Buffer::new(CHUNK);
    let mut file = spooled(&mut io::stdin().lock())?;
    let mut sum = Checksum::new();
    copy(&mut file, &mut chunk, |bytes| {
        sum.feed(bytes);
        Ok(())
    })?;
    if (sum.bytes(), sum.finish()) != (entry.repaired_bytes, entry.repaired_sha256.clone()) {
        bail!("-: {CHANGED}");
    }
    file.seek(SeekFrom::Start(0))?;
    let restored = rebuilt(&entry, &file, &mut reader, Destination::stdout(), &mut chunk);
    match restored.and_then(|target| Ok(target.commit()?)) {
        Err(error) if error.chain().filter_map(|e| e.downcast_ref::<io::Error>()).any(is_broken_pipe) => {}
        other => other?,
    }
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
    for _ in 0..entry.changes {
        let line = log.next()?.context("the log ends before its changes do")?;
        let change = change(&line).context("the log is damaged")?;
        if !entry.whole {
            let kept = change.repaired_offset.checked_sub(at).context("the log is damaged: its changes overlap")?;
            let copied = copy(&mut file.take(kept), chunk, |bytes| back.write(bytes))?;
            let mut found = vec![0; change.after.len()];
            let read = file.read_exact(&mut found);
            if copied != kept || read.is_err() || found != change.after {
                bail!("the log is damaged: at byte {} stands something else", change.repaired_offset);
            }
            at = change.repaired_offset + change.after.len() as u64;
        }
        back.write(&change.before)?;
    }
    if !entry.whole {
        copy(&mut file, chunk, |bytes| back.write(bytes))?;
    }
    let (target, sum) = back.finish()?;
    if (sum.bytes(), sum.finish()) != (entry.bytes, entry.sha256.clone()) {
        target.abandon()?;
        bail!("the log is damaged: what it makes is not the original");
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
        WayBack { target, sum: Checksum::new(), most: entry.bytes, transcoder, buf }
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
                return Err(io::Error::other("the log is damaged: what it makes is longer than the original"));
            }
            target.write_all(bytes)
        };
        let Some(transcoder) = transcoder else { return put(bytes) };
        match transcode(transcoder, bytes, buf, last, |_, text| put(text))? {
            None => Ok(()),
            Some(_) => Err(io::Error::other("the log is damaged: the text is not in the encoding that it says")),
        }
    }

    fn finish(mut self) -> io::Result<(Destination, Checksum)> {
        if self.transcoder.is_some() {
            self.pass(&[], true)?;
        }
        Ok((self.target, self.sum))
    }
}

fn entry(line: &Value) -> Option<Entry> {
    let text = |name: &str| Some(line[name].as_str()?.to_owned());
    let encoding = |name: &str| Encoding::for_label(line[name].as_str()?);
    let conversion = match line.get("from") {
        Some(_) => Some((encoding("from")?, encoding("to")?)),
        None => None,
    };
    let modified = match line.get("modified") {
        Some(time) => {
            let nanos = u32::try_from(time[1].as_u64()?).ok().filter(|nanos| *nanos < 1_000_000_000)?;
            Some(UNIX_EPOCH.checked_add(Duration::new(time[0].as_u64()?, nanos))?)
        }
        None => None,
    };
    Some(Entry {
        path: path(line)?,
        bytes: line["bytes"].as_u64()?,
        sha256: text("sha256")?,
        repaired_bytes: line["repaired_bytes"].as_u64()?,
        repaired_sha256: text("repaired_sha256")?,
        modified,
        conversion,
        whole: line["whole"] == true,
        changes: line["changes"].as_u64()?,
    })
}

fn change(line: &Value) -> Option<Change> {
    Some(Change {
        repaired_offset: line["repaired_offset"].as_u64()?,
        before: unhex(line["before"].as_str()?)?,
        after: unhex(line["after"].as_str()?)?,
    })
}

fn path(line: &Value) -> Option<PathBuf> {
    match line.get("path_bytes") {
        Some(bytes) => path_from_bytes(unhex(bytes.as_str()?)?),
        None => Some(line["path"].as_str()?.into()),
    }
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    if !rest.is_empty() {
        return None;
    }
    pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect()
}

/// The lines of a log.
struct Lines {
    reader: BufReader<File>,
    /// The offset of the next line.
    at: u64,
}

impl Lines {
    fn open(path: &Path) -> anyhow::Result<Lines> {
        let file = open_at_once(path)?;
        ensure!(file.metadata()?.is_file(), "not a regular file, and so not a log");
        Ok(Lines { reader: BufReader::new(file), at: 0 })
    }

    fn next(&mut self) -> anyhow::Result<Option<Value>> {
        let mut text = Vec::new();
        let len = (&mut self.reader).take(LONGEST_LINE).read_until(b'\n', &mut text)?;
        if len == 0 {
            return Ok(None);
        }
        self.at += len as u64;
        ensure!(text.ends_with(b"\n"), "not a line of a log, or not all of it");
        Ok(Some(serde_json::from_slice(&text).context("not a line of a log")?))
    }

    fn is_at_end(&mut self) -> io::Result<bool> {
        Ok(self.reader.fill_buf()?.is_empty())
    }

    fn seek(&mut self, to: u64) -> anyhow::Result<()> {
        self.at = to;
        self.reader.seek(SeekFrom::Start(to))?;
        Ok(())
    }
}
