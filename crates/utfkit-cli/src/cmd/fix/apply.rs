//! Carries out a plan: a file becomes UTF-8.

use std::fs::File;
use std::io;
use std::mem;
use std::path::Path;

use utfkit::repair::Stretch;
use utfkit::{Encoding, Policy, Transcoder};
use utfkit_gate::Keep;

use super::plan::{Edit, How, Planned, each_text};
use crate::checksum::Checksum;
use crate::destination::{Destination, Snapshot};
use crate::failure::{AtPath, Failure};
use crate::log::{Entry, Log};
use crate::reading::{CHUNK, Replay, open_at_once, read_some};
use crate::record::Record;
use crate::transcoding::transcode;

/// Changes the file as planned, if it is still the file that was surveyed.
/// `say` takes messages.
pub(super) fn apply(planned: &Planned, log: Option<&Log>, force: bool, say: impl FnOnce(&str)) -> Result<(), Failure> {
    let path = &planned.path;
    let file = still_is(planned).reading(path)?;
    let target = Destination::existing(path, Keep::forced(force), &planned.read).writing(path)?;
    let changed = match planned.how {
        _ if planned.to != Encoding::Utf8 => into_declared(planned, &file, target),
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

/// Converts a file into the encoding that is declared for it. The plan found that it can be.
fn into_declared(planned: &Planned, file: &File, mut target: Destination) -> io::Result<(Destination, Entry)> {
    let (mut before, mut after) = (Checksum::default(), Checksum::default());
    let mut chunk = vec![0; CHUNK];
    let mut replay = Replay::new(file, &mut chunk);
    replay.each(|chunk| before.feed(chunk))?;
    let mut transcoder = Transcoder::new(Encoding::Utf8, planned.to, Policy::Strict);
    let mut editor = Editor::new(&planned.edits);
    let (mut buf, mut new) = (vec![0; 64 << 10], Vec::new());
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
    each_text(planned, &mut replay, |text| {
        if failed.is_ok() {
            new.clear();
            editor.feed(text, &mut new);
            failed = write(&new, false);
        }
    })?;
    failed?;
    write(&[], true)?;
    let mut entry = Entry::new(&planned.path, &planned.path, planned.modified);
    entry.keep(before, after, file)?;
    Ok((target, entry))
}

/// Applies edits to a text that comes in pieces.
struct Editor<'a> {
    edits: &'a [Edit],
    /// The offset of the next piece, before and after the edits.
    at: usize,
    new_at: u64,
}

impl<'a> Editor<'a> {
    fn new(edits: &'a [Edit]) -> Editor<'a> {
        Editor { edits, at: 0, new_at: 0 }
    }

    /// True if no edit is left.
    fn is_done(&self) -> bool {
        self.edits.is_empty()
    }

    /// Appends the edited piece to `out`. Returns the edits that begin in it, with their offsets in
    /// the new text.
    fn feed(&mut self, text: &[u8], out: &mut Vec<u8>) -> Vec<(u64, &'a Edit)> {
        let (mut begun, start, end) = (Vec::new(), self.at, self.at + text.len());
        let before = out.len();
        let mut at = start;
        while let Some((edit, rest)) = self.edits.split_first() {
            if edit.at.start >= start {
                if edit.at.start >= end {
                    break;
                }
                out.extend_from_slice(&text[at - start..edit.at.start - start]);
                begun.push((self.new_at + (out.len() - before) as u64, edit));
                out.extend_from_slice(edit.new.as_bytes());
            }
            // The rest of it may be in the next piece.
            at = edit.at.end.min(end);
            if edit.at.end > end {
                break;
            }
            self.edits = rest;
        }
        out.extend_from_slice(&text[at - start..]);
        self.at = end;
        self.new_at += (out.len() - before) as u64;
        begun
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_do_not_depend_on_the_pieces() {
        let text = b"latin1 in the front, latin1 in the middle, koi8-r";
        let edit =
            |at: usize, old: &str, new: &str| Edit { at: at..at + old.len(), old: old.to_owned(), new: new.to_owned() };
        let edits = [edit(0, "latin1", "utf-8"), edit(21, "latin1", "a-long-name"), edit(43, "koi8-r", "")];
        let wanted = b"utf-8 in the front, a-long-name in the middle, ";
        for size in 1..=text.len() {
            let mut editor = Editor::new(&edits);
            let (mut new, mut places) = (Vec::new(), Vec::new());
            for piece in text.chunks(size) {
                places.extend(editor.feed(piece, &mut new).into_iter().map(|(at, _)| at));
            }
            assert!(editor.is_done());
            assert_eq!((new.as_slice(), places), (&wanted[..], vec![0, 20, 47]), "{size}");
        }
    }
}
