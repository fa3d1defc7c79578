//! Carries out a plan: a file becomes UTF-8.

use std::fs::File;
use std::io;
use std::mem;
use std::path::Path;

use utfkit::repair::Stretch;
use utfkit::{Encoding, Policy, Transcoder};
use utfkit_gate::Keep;

use super::plan::{Edit, How, Planned, edited};
use crate::checksum::Checksum;
use crate::destination::{Destination, Snapshot};
use crate::failure::{AtPath, Failure};
use crate::labels::HEAD;
use crate::log::{Entry, Log};
use crate::reading::{CHUNK, open_at_once, read_some};
use crate::record::Record;
use crate::transcoding::transcode;

/// Changes the file as planned, if it is still the file that was surveyed.
/// `say` takes messages.
pub(super) fn apply(planned: &Planned, log: Option<&Log>, force: bool, say: impl FnOnce(&str)) -> Result<(), Failure> {
    let path = &planned.path;
    let file = still_is(planned).reading(path)?;
    let target = Destination::existing(path, Keep::forced(force), &planned.read).writing(path)?;
    let changed = match planned.how {
        How::Convert(from) => convert(planned, from, &file, target),
        _ => repair(planned, &file, target),
    };
    let (target, entry) = changed.writing(path)?;
    if let Some(log) = log {
        log.take(entry).writing(Path::new("the log"))?;
    }
    target.commit_later(None, say).writing(path)
}

fn still_is(planned: &Planned) -> io::Result<File> {
    let file = open_at_once(&planned.path)?;
    if Snapshot::of(&file.metadata()?) != planned.read {
        return Err(io::Error::other("changed since the plan was made; left as it was"));
    }
    Ok(file)
}

fn convert(
    planned: &Planned,
    from: Encoding,
    mut file: &File,
    mut target: Destination,
) -> io::Result<(Destination, Entry)> {
    let mut record = Record::new(&planned.path, planned.modified, from, Encoding::Utf8);
    let mut transcoder = Transcoder::new(from, Encoding::Utf8, Policy::Strict);
    let (mut chunk, mut buf) = (vec![0; CHUNK], vec![0; 64 << 10]);
    let mut head = Some((Vec::new(), Vec::new()));
    loop {
        let len = read_some(&mut file, &mut chunk)?;
        let stopped = transcode(&mut transcoder, &chunk[..len], &mut buf, len == 0, |source, text| match &mut head {
            Some((sources, front)) => {
                sources.extend_from_slice(source);
                front.extend_from_slice(text);
                if front.len() >= HEAD { begin(&mut head, planned, &mut record, &mut target) } else { Ok(()) }
            }
            None => {
                record.take(source, text)?;
                target.write_all(text)
            }
        })?;
        if let Some(error) = stopped {
            return Err(io::Error::other(format!(
                "left as it was: ill-formed in {from} at byte {} of the file",
                error.offset()
            )));
        }
        if len == 0 {
            begin(&mut head, planned, &mut record, &mut target)?;
            return Ok((target, record.finish(file)?));
        }
    }
}

/// Writes the front with its edits, unless that is done.
fn begin(
    head: &mut Option<(Vec<u8>, Vec<u8>)>,
    planned: &Planned,
    record: &mut Record,
    target: &mut Destination,
) -> io::Result<()> {
    let Some((sources, front)) = head.take() else { return Ok(()) };
    let new = edited(&front, &planned.edits);
    record.take_edited(&sources, &front, &new)?;
    each_edit(&planned.edits, |new_at, Edit { at, new }| {
        record.edited(new_at, "label", &front[at.clone()], new.as_bytes())
    })?;
    target.write_all(&new)
}

/// Calls `on` with each edit and its offset in the new text.
fn each_edit(edits: &[Edit], mut on: impl FnMut(u64, &Edit) -> io::Result<()>) -> io::Result<()> {
    let (mut removed, mut added) = (0, 0);
    for edit in edits {
        on((edit.at.start + added - removed) as u64, edit)?;
        removed += edit.at.len();
        added += edit.new.len();
    }
    Ok(())
}

fn repair(planned: &Planned, mut file: &File, mut target: Destination) -> io::Result<(Destination, Entry)> {
    let mut chunk = vec![0; CHUNK];
    let mut repairer = planned.repairer();
    let mut entry = Entry::new(&planned.path, &planned.path, planned.modified);
    let (mut before, mut after) = (Checksum::default(), Checksum::default());
    let mut head = Some(Vec::new());
    let mut failed = Ok(());
    loop {
        let len = read_some(&mut file, &mut chunk)?;
        let mut text = Vec::new();
        let mut take = |piece: Stretch<'_>| {
            if planned.edits.is_empty() && failed.is_ok() {
                failed = entry.note(&piece);
            }
            text.extend_from_slice(piece.text());
        };
        if len == 0 {
            repairer.finish(&mut take);
        } else {
            repairer.feed(&chunk[..len], &mut take);
        }
        mem::replace(&mut failed, Ok(()))?;
        before.feed(&chunk[..len]);
        if let Some(front) = &mut head {
            front.append(&mut text);
            if front.len() >= HEAD || len == 0 {
                text = edited(front, &planned.edits);
                if planned.how == How::Is {
                    each_edit(&planned.edits, |new_at, Edit { at, new }| {
                        entry.change_at(at.start as u64, new_at, "label", None, &front[at.clone()], new.as_bytes())
                    })?;
                }
                head = None;
            }
        }
        after.feed(&text);
        target.write_all(&text)?;
        if len == 0 {
            break;
        }
    }
    if planned.how == How::Is {
        entry.edited(before, after);
    } else if !planned.edits.is_empty() {
        entry.keep(before, after, file)?;
    }
    Ok((target, entry))
}
