//! `utfkit repair --undo`: the original bytes, by the log of a repair.
//!
//! A file is read twice. First its size and checksum have to be those that the
//! repair left; then what was changed is changed back, into a file that takes
//! the place of the other only if its checksum is that of the original.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use serde_json::Value;

use super::checksum::Checksum;
use super::log::{NAME, VERSION};
use super::{CHUNK, spooled};
use crate::buffer::Buffer;
use crate::exit::{Status, is_broken_pipe};
use crate::reading::read_some;
use crate::report::{Escaped, complain};
use crate::target::{Snapshot, Target};

/// The most bytes of a line of a log.
const LONGEST_LINE: u64 = 1 << 20;

/// What a log says of a file.
struct Entry {
    path: PathBuf,
    bytes: u64,
    sha256: String,
    repaired_bytes: u64,
    repaired_sha256: String,
    changes: u64,
    /// Where its changes begin in the log.
    at: u64,
}

struct Change {
    repaired_offset: u64,
    before: Vec<u8>,
    after: Vec<u8>,
}

pub(super) fn run(log: &Path, silent: bool) -> anyhow::Result<Status> {
    let named = || Escaped(log).to_string();
    let mut reader = Lines { reader: BufReader::new(File::open(log).with_context(named)?), at: 0, number: 0 };
    let head = reader.next().with_context(named)?;
    let Some(head) = head.filter(|head| head["log"] == NAME) else {
        bail!("{}: not a log of `utfkit repair`", named());
    };
    ensure!(head["version"] == VERSION, "{}: written by another version of utfkit", named());
    let folder = head["folder"].as_str().unwrap_or_default().to_owned();
    let mut status = Status::Well;
    // Where the files stand in the log: the last one is undone first.
    let mut entries = Vec::new();
    loop {
        let start = reader.at;
        let line = match reader.next() {
            Ok(Some(line)) => line,
            Ok(None) => break,
            Err(error) if reader.is_at_end().with_context(named)? => {
                // The writing of it was interrupted, so the file was not changed.
                complain(&format!("{}: ends in the middle of a line: {error:#}", named()));
                break;
            }
            Err(error) => return Err(error.context(named())),
        };
        if line["file"] == true {
            entries.push(start);
        }
    }
    for start in entries.into_iter().rev() {
        reader.seek(start).with_context(named)?;
        let line = reader.next().with_context(named)?.unwrap_or_default();
        let entry = entry(&line, reader.at).with_context(|| format!("{}: not a log of `utfkit repair`", named()))?;
        let name = Escaped(&entry.path).to_string();
        match restore(&entry, &mut reader) {
            Ok(Outcome::Restored) => {
                let noun = if entry.changes == 1 { "change" } else { "changes" };
                if !silent {
                    complain(&format!("{name}: restored ({} {noun} undone)", entry.changes));
                }
            }
            Ok(Outcome::AlreadyThere) => {
                if !silent {
                    complain(&format!("{name}: is as it was before the repair"));
                }
            }
            Err(error) if error.chain().filter_map(|e| e.downcast_ref::<io::Error>()).any(is_broken_pipe) => {
                return Ok(status);
            }
            Err(error) => {
                let missing = error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::NotFound);
                let hint = match missing && entry.path.is_relative() {
                    true => format!("; the repair ran in {}", Escaped(Path::new(&folder))),
                    false => String::new(),
                };
                complain(&format!("{name}: {error:#}{hint}"));
                status = Status::Failed;
            }
        }
    }
    Ok(status)
}

enum Outcome {
    Restored,
    AlreadyThere,
}

fn restore(entry: &Entry, log: &mut Lines) -> anyhow::Result<Outcome> {
    let stdin = entry.path == Path::new("-");
    let mut file = if stdin { spooled(&mut io::stdin().lock())? } else { File::open(&entry.path)? };
    let read = Snapshot::of(&file.metadata()?);
    let mut chunk = Buffer::new(CHUNK);
    let mut sum = Checksum::new();
    copy(&mut file, u64::MAX, &mut chunk, |bytes| {
        sum.feed(bytes);
        Ok(())
    })?;
    let (bytes, checksum) = (sum.bytes(), sum.finish());
    let original = (bytes, &checksum) == (entry.bytes, &entry.sha256);
    if original && !stdin {
        return Ok(Outcome::AlreadyThere);
    }
    if !original && (bytes, &checksum) != (entry.repaired_bytes, &entry.repaired_sha256) {
        bail!("not what the repair left, so not touched: it was changed since");
    }
    file.seek(SeekFrom::Start(0))?;
    let mut target = if stdin { Target::stdout() } else { Target::existing(&entry.path)?.made_of(read) };
    let mut sum = Checksum::new();
    let mut write = |target: &mut Target, bytes: &[u8]| {
        sum.feed(bytes);
        target.write_all(bytes)
    };
    let mut at = 0;
    for _ in 0..if original { 0 } else { entry.changes } {
        let line = log.next()?.context("the log ends before its changes do")?;
        let change = change(&line).context("the log is damaged")?;
        let kept = change.repaired_offset.checked_sub(at).context("the log is damaged: its changes overlap")?;
        let copied = copy(&mut file, kept, &mut chunk, |bytes| write(&mut target, bytes))?;
        let mut found = vec![0; change.after.len()];
        let read = file.read_exact(&mut found);
        if copied != kept || read.is_err() || found != change.after {
            bail!("the log is damaged: at byte {} stands something else", change.repaired_offset);
        }
        write(&mut target, &change.before)?;
        at = change.repaired_offset + change.after.len() as u64;
    }
    copy(&mut file, u64::MAX, &mut chunk, |bytes| write(&mut target, bytes))?;
    if (sum.bytes(), sum.finish()) != (entry.bytes, entry.sha256.clone()) {
        target.abandon()?;
        bail!("the log is damaged: what it makes is not the original");
    }
    target.commit(None)?;
    Ok(Outcome::Restored)
}

/// Passes on up to `len` bytes, and answers with how many there were.
fn copy(from: &mut File, len: u64, chunk: &mut [u8], mut to: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<u64> {
    let mut done = 0;
    while done < len {
        let room = usize::try_from(len - done).unwrap_or(usize::MAX).min(chunk.len());
        let n = read_some(from, &mut chunk[..room])?;
        if n == 0 {
            break;
        }
        to(&chunk[..n])?;
        done += n as u64;
    }
    Ok(done)
}

fn entry(line: &Value, at: u64) -> Option<Entry> {
    let text = |name: &str| Some(line[name].as_str()?.to_owned());
    Some(Entry {
        path: path(line)?,
        bytes: line["bytes"].as_u64()?,
        sha256: text("sha256")?,
        repaired_bytes: line["repaired_bytes"].as_u64()?,
        repaired_sha256: text("repaired_sha256")?,
        changes: line["changes"].as_u64()?,
        at,
    })
    .filter(|entry| entry.at == at)
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
        Some(bytes) => path_of_bytes(unhex(bytes.as_str()?)?),
        None => Some(line["path"].as_str()?.into()),
    }
}

#[cfg(unix)]
fn path_of_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(std::ffi::OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
fn path_of_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    if !rest.is_empty() {
        return None;
    }
    pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect()
}

/// The lines of a log, each of them JSON.
struct Lines {
    reader: BufReader<File>,
    /// Where the next line begins.
    at: u64,
    number: u64,
}

impl Lines {
    fn next(&mut self) -> anyhow::Result<Option<Value>> {
        let mut text = Vec::new();
        let len = (&mut self.reader).take(LONGEST_LINE).read_until(b'\n', &mut text)?;
        if len == 0 {
            return Ok(None);
        }
        self.at += len as u64;
        self.number += 1;
        ensure!(text.ends_with(b"\n"), "not a line of a log, or not all of it");
        Ok(Some(serde_json::from_slice(&text).context("not a line of a log")?))
    }

    fn is_at_end(&mut self) -> io::Result<bool> {
        Ok(self.reader.fill_buf()?.is_empty())
    }

    fn seek(&mut self, to: u64) -> io::Result<()> {
        self.at = to;
        self.reader.seek(SeekFrom::Start(to)).map(|_| ())
    }
}
