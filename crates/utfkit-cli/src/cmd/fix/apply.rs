//! A planned file becomes UTF-8.

use std::fs::File;
use std::io;
use std::mem;

use utfkit::repair::{Options, Stretch};
use utfkit::{Encoding, Policy, Status, Transcoder};

use super::plan::{Edit, How, Planned, edited, fallback_options, repairer};
use super::still_is;
use crate::checksum::Checksum;
use crate::destination::Destination;
use crate::labels::HEAD;
use crate::log::{Entry, Log};
use crate::reading::{CHUNK, read_at, read_some};
use crate::record::Record;
use utfkit_gate::Keep;

/// Does what was planned; what there is to say besides, `say` gets.
pub(super) fn apply(planned: &Planned, log: Option<&Log>, force: bool, say: impl FnOnce(&str)) -> io::Result<()> {
    let file = still_is(planned)?;
    let target = Destination::existing(&planned.path, Keep::forced(force))?.made_of(planned.read.clone());
    let (target, entry) = match planned.how {
        How::Convert(from) => convert(planned, from, &file, target)?,
        How::Is => repair(planned, &Options::new(), &file, target)?,
        How::Undouble(_) => repair(planned, &Options::new().undouble(true), &file, target)?,
        How::Fallback => repair(planned, &fallback_options(), &file, target)?,
    };
    if let Some(log) = log {
        log.take(entry).map_err(|error| io::Error::new(error.kind(), format!("the log: {error}")))?;
    }
    target.commit_later(say)
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
        let mut at = 0;
        loop {
            let step = transcoder.transcode(&chunk[at..len], &mut buf, len == 0);
            let (source, made) = (&chunk[at..at + step.read], &buf[..step.written]);
            at += step.read;
            match &mut head {
                Some((sources, front)) => {
                    sources.extend_from_slice(source);
                    front.extend_from_slice(made);
                    if front.len() >= HEAD {
                        begin(&mut head, planned, &mut record, &mut target)?;
                    }
                }
                None => {
                    record.take(source, made)?;
                    target.write_all(made)?;
                }
            }
            match step.status {
                Status::InputEmpty => break,
                Status::OutputFull => {}
                Status::IllFormed(error) => {
                    return Err(io::Error::other(format!(
                        "left as it was: ill-formed in {from} at byte {} of the file",
                        error.offset()
                    )));
                }
            }
        }
        if len == 0 {
            begin(&mut head, planned, &mut record, &mut target)?;
            return Ok((target, record.finish(file)?));
        }
    }
}

/// Writes the front, with its labels rewritten.
fn begin(
    head: &mut Option<(Vec<u8>, Vec<u8>)>,
    planned: &Planned,
    record: &mut Record,
    target: &mut Destination,
) -> io::Result<()> {
    let Some((sources, front)) = head.take() else { return Ok(()) };
    let new = edited(&front, &planned.edits);
    record.take_edited(&sources, &front, &new)?;
    each_edit(&planned.edits, |old, new_at, edit| {
        record.edited(new_at, "label", &front[old..edit.at.end], edit.new.as_bytes())
    })?;
    target.write_all(&new)
}

/// Calls `on` with the place of each edit in the old text and in the new one.
fn each_edit(edits: &[Edit], mut on: impl FnMut(usize, u64, &Edit) -> io::Result<()>) -> io::Result<()> {
    let mut shift = 0_i64;
    for edit in edits {
        let new_at = (edit.at.start as i64 + shift).unsigned_abs();
        on(edit.at.start, new_at, edit)?;
        shift += edit.new.len() as i64 - edit.at.len() as i64;
    }
    Ok(())
}

fn repair(
    planned: &Planned,
    options: &Options,
    mut file: &File,
    mut target: Destination,
) -> io::Result<(Destination, Entry)> {
    let mut chunk = vec![0; CHUNK];
    let mut repairer = repairer(file, options, &mut chunk)?;
    let mut entry = Entry::new(&planned.path, &planned.path, planned.modified);
    let (mut before, mut after) = (Checksum::new(), Checksum::new());
    let mut head = Some(Vec::new());
    let mut failed = Ok(());
    loop {
        let len = read_some(&mut file, &mut chunk)?;
        let mut made = Vec::new();
        let mut take = |piece: Stretch<'_>| {
            if planned.edits.is_empty() && failed.is_ok() {
                failed = entry.note(&piece);
            }
            made.extend_from_slice(piece.text());
        };
        if len == 0 {
            repairer.finish(&mut take);
        } else {
            repairer.feed(&chunk[..len], &mut take);
        }
        mem::replace(&mut failed, Ok(()))?;
        before.feed(&chunk[..len]);
        if let Some(front) = &mut head {
            front.append(&mut made);
            if front.len() >= HEAD || len == 0 {
                made = edited(front, &planned.edits);
                head = None;
            }
        }
        after.feed(&made);
        target.write_all(&made)?;
        if len == 0 {
            break;
        }
    }
    if planned.how == How::Is {
        let front = read_front(file)?;
        each_edit(&planned.edits, |old, new_at, edit| {
            entry.change_at(old as u64, new_at, "label", &front[old..edit.at.end], edit.new.as_bytes())
        })?;
        entry.edited(before, after);
    } else if !planned.edits.is_empty() {
        entry.keep(before, after, file)?;
    }
    Ok((target, entry))
}

fn read_front(file: &File) -> io::Result<Vec<u8>> {
    let mut front = vec![0; HEAD];
    let mut len = 0;
    while len < front.len() {
        match read_at(file, &mut front[len..], len as u64)? {
            0 => break,
            more => len += more,
        }
    }
    front.truncate(len);
    Ok(front)
}
