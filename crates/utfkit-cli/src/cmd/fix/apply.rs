//! Carries out a plan: a file becomes UTF-8.

use std::fs::File;
use std::io;
use std::mem;
use std::path::Path;

use utfkit::repair::Stretch;
use utfkit::{Encoding, Policy, Transcoder};
use utfkit_gate::Keep;

use super::edit::{Edit, Editor};
use super::planned::{How, Planned};
use super::text::each_new_text;
use crate::checksum::Checksum;
use crate::destination::{Destination, Snapshot};
use crate::failure::{AtPath, Failure};
use crate::log::{Entry, Log};
use crate::reading::{CHUNK, Replay, open_at_once, read_some};
use crate::record::Record;
use crate::rules::{Change, Mender};
use crate::transcoding::transcode;

/// Changes the file as planned, if it is still the file that was surveyed.
/// `say` takes messages.
pub(super) fn apply(planned: &Planned, log: Option<&Log>, force: bool, say: impl FnOnce(&str)) -> Result<(), Failure> {
    let path = &planned.path;
    let file = still_is(planned).reading(path)?;
    let target = Destination::existing(path, Keep::forced(force), &planned.read).writing(path)?;
    let changed = match planned.how {
        How::Stays(encoding) => mend(planned, encoding, &file, target),
        How::Is if planned.mends() && planned.edits.is_empty() => mend(planned, Encoding::Utf8, &file, target),
        _ if planned.to != Encoding::Utf8 || planned.mends() || planned.then.is_some() => {
            rewrite(planned, &file, target)
        }
        How::Convert(from) => convert(planned, from, &file, target),
        How::Joined => rewrite(planned, &file, target),
        _ => repair(planned, &file, target),
    };
    let (target, entry) = changed.writing(path)?;
    if let Some(log) = log {
        log.take(entry).writing(Path::new("the log"))?;
    }
    // Windows replaces no file that is open.
    drop(file);
    target.commit_later(None, say).writing(path)
}

fn still_is(planned: &Planned) -> io::Result<File> {
    let file = open_at_once(&planned.path)?;
    if Snapshot::of(&file)? != planned.read {
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
    let mut editor = Editor::new(&planned.edits);
    let (mut chunk, mut buf, mut new) = (vec![0; CHUNK], vec![0; 64 << 10], Vec::new());
    loop {
        let len = read_some(&mut file, &mut chunk)?;
        let stopped = transcode(&mut transcoder, &chunk[..len], &mut buf, len == 0, |source, text| {
            if editor.is_done() {
                record.take(source, text)?;
                return target.write_all(text);
            }
            new.clear();
            let edits = editor.feed(text, &mut new);
            record.take_edited(source, text, &new)?;
            for (at, Edit { old, new, .. }) in edits {
                record.edited(at, "label", old.as_bytes(), new.as_bytes())?;
            }
            target.write_all(&new)
        })?;
        if let Some(error) = stopped {
            return Err(io::Error::other(format!(
                "left as it was: ill-formed in {from} at byte {} of the file",
                error.offset()
            )));
        }
        if len == 0 {
            return Ok((target, record.finish(file)?));
        }
    }
}

/// Changes what breaks the rules in a file that stays in its encoding.
fn mend(
    planned: &Planned,
    encoding: Encoding,
    mut file: &File,
    mut target: Destination,
) -> io::Result<(Destination, Entry)> {
    let (mut before, mut after) = (Checksum::default(), Checksum::default());
    let mut entry = Entry::new(&planned.path, &planned.path, planned.modified);
    let mut mender = Mender::new(planned.rules.only(&planned.mended.changed), encoding);
    // Lines of the log for many changes are longer than the old content.
    let changes: u64 = planned.mended.changed.values().sum();
    let is_each_told = mender.tells_changes() && changes.saturating_mul(LOGGED) <= file.metadata()?.len();
    let (mut chunk, mut new, mut told) = (vec![0; CHUNK], Vec::new(), Ok(()));
    loop {
        let len = read_some(&mut file, &mut chunk)?;
        new.clear();
        mender.feed(&chunk[..len], &mut new, |Change { from, to, kind, before, after }| {
            if is_each_told && told.is_ok() {
                told = entry.change_at(from, to, kind, None, before, after);
            }
        });
        mem::replace(&mut told, Ok(()))?;
        before.feed(&chunk[..len]);
        after.feed(&new);
        target.write_all(&new)?;
        if len == 0 {
            break;
        }
    }
    if is_each_told {
        entry.edited(before, after);
    } else {
        entry.keep(before, after, file)?;
    }
    Ok((target, entry))
}

/// Bytes of a change in the log, for a usual path, that bytes of the old content weigh up.
const LOGGED: u64 = 100;

/// Writes the new text of a file in the encoding planned. The plan found that it can be.
fn rewrite(planned: &Planned, file: &File, mut target: Destination) -> io::Result<(Destination, Entry)> {
    let (mut before, mut after) = (Checksum::default(), Checksum::default());
    let mut chunk = vec![0; CHUNK];
    let mut replay = Replay::new(file, &mut chunk);
    replay.each(|chunk| before.feed(chunk))?;
    let mut transcoder = Transcoder::new(Encoding::Utf8, planned.to, Policy::Strict);
    let mut buf = vec![0; 64 << 10];
    let mut failed = Ok(());
    let mut write = |text: &[u8], last: bool| {
        let stopped = transcode(&mut transcoder, text, &mut buf, last, |_, bytes| {
            after.feed(bytes);
            target.write_all(bytes)
        })?;
        match stopped {
            Some(error) => Err(io::Error::other(format!(
                "left as it was: {} lacks the character at byte {}",
                planned.to,
                error.offset()
            ))),
            None => Ok(()),
        }
    };
    if planned.has_bom {
        write("\u{FEFF}".as_bytes(), false)?;
    }
    each_new_text(planned, &mut replay, |text| {
        if failed.is_ok() {
            failed = write(text, false);
        }
    })?;
    failed?;
    write(&[], true)?;
    let mut entry = Entry::new(&planned.path, &planned.path, planned.modified);
    entry.keep(before, after, file)?;
    Ok((target, entry))
}

fn repair(planned: &Planned, mut file: &File, mut target: Destination) -> io::Result<(Destination, Entry)> {
    let mut chunk = vec![0; CHUNK];
    let mut repairer = planned.repairer();
    let mut editor = Editor::new(&planned.edits);
    let mut entry = Entry::new(&planned.path, &planned.path, planned.modified);
    let (mut before, mut after) = (Checksum::default(), Checksum::default());
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
        if !editor.is_done() {
            let mut new = Vec::new();
            let edits = editor.feed(&text, &mut new);
            if planned.how == How::Is {
                for (at, Edit { at: place, old, new }) in edits {
                    entry.change_at(place.start as u64, at, "label", None, old.as_bytes(), new.as_bytes())?;
                }
            }
            text = new;
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
