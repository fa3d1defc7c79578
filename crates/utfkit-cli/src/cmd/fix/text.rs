//! The text that a file becomes.

use std::io;

use utfkit::repair::{self, Stretch};
use utfkit::{Encoding, Policy, Practice, Transcoder};

use super::edit::Editor;
use super::planned::{How, Planned};
use crate::labels::HEAD;
use crate::reading::Replay;
use crate::rules::{Mended, Mender};
use crate::survey::unite;
use crate::transcoding::transcode;

/// Passes the text in UTF-8 that the file becomes to `on`, before its edits.
pub(super) fn each_text(planned: &Planned, file: &mut Replay<'_>, mut on: impl FnMut(&[u8])) -> io::Result<()> {
    let Some(then) = &planned.then else { return each_first(planned, file, on) };
    let mut repairer = then.repairer();
    let mut take = |piece: Stretch<'_>| on(piece.text());
    each_first(planned, file, |text| repairer.feed(text, &mut take))?;
    repairer.finish(&mut take);
    Ok(())
}

/// Passes the text that the first change of the file makes to `on`.
fn each_first(planned: &Planned, file: &mut Replay<'_>, mut on: impl FnMut(&[u8])) -> io::Result<()> {
    match planned.how {
        How::Is => file.each(on),
        How::Convert(from) | How::Stays(from) => {
            // Ill-formed sequences will stop the conversion itself.
            let policy = Policy::Replace(Practice::MaximalSubpart);
            let mut transcoder = Transcoder::new(from, Encoding::Utf8, policy);
            let mut buf = vec![0; 64 << 10];
            let mut take = |chunk: &[u8], last| {
                let _ = transcode(&mut transcoder, chunk, &mut buf, last, |_, text| {
                    on(text);
                    Ok(())
                });
            };
            file.each(|chunk| take(chunk, false))?;
            take(&[], true);
            Ok(())
        }
        How::Joined => unite(file, &planned.pieces, |stretch| on(stretch.text())),
        How::Undouble(_) | How::Rejoin | How::Pairs | How::Replace | How::Fallback(_) => {
            let mut repairer = planned.repairer();
            let mut take = |piece: Stretch<'_>| on(piece.text());
            file.each(|chunk| repairer.feed(chunk, &mut take))?;
            repairer.finish(&mut take);
            Ok(())
        }
    }
}

/// Passes the new text in UTF-8 to `on`, after edits and rules. Returns what the rules did.
pub(super) fn each_new_text(planned: &Planned, file: &mut Replay<'_>, mut on: impl FnMut(&[u8])) -> io::Result<Mended> {
    let mut editor = Editor::new(&planned.edits);
    let mut mender = Mender::new(planned.rules, Encoding::Utf8);
    let (mut edited, mut new) = (Vec::new(), Vec::new());
    let mut mend = |text: &[u8]| {
        new.clear();
        mender.feed(text, &mut new, |_| ());
        on(&new);
    };
    each_text(planned, file, |text| {
        edited.clear();
        editor.feed(text, &mut edited);
        // An empty slice would end the text.
        if !edited.is_empty() {
            mend(&edited);
        }
    })?;
    mend(&[]);
    Ok(mender.finish().unwrap_or_default())
}

/// The front of the text in UTF-8, for its labels.
pub(super) fn head(planned: &Planned, front: &[u8], is_all: bool) -> Vec<u8> {
    let mut text = front_text(planned, front, is_all);
    text.truncate(HEAD);
    text
}

/// The text in UTF-8 that `front` becomes. With `is_all`, it ends there.
pub(super) fn front_text(planned: &Planned, front: &[u8], is_all: bool) -> Vec<u8> {
    let mut text = Vec::new();
    match planned.how {
        How::Is => text.extend_from_slice(front),
        How::Convert(from) | How::Stays(from) => {
            let policy = Policy::Replace(Practice::MaximalSubpart);
            // Only a sample. Ill-formed sequences will stop the conversion itself.
            let _ = Transcoder::new(from, Encoding::Utf8, policy).transcode_to_vec(front, &mut text, is_all);
        }
        How::Joined => {
            let mut pieces = planned.pieces.clone();
            let last = pieces.iter_mut().find(|piece| piece.range.end >= front.len() as u64);
            last.into_iter().for_each(|piece| piece.range.end = front.len() as u64);
            repair::unite(front, &pieces, |stretch| text.extend_from_slice(stretch.text()));
        }
        How::Undouble(_) | How::Rejoin | How::Pairs | How::Replace | How::Fallback(_) => {
            let mut repairer = planned.repairer();
            let mut take = |piece: Stretch<'_>| text.extend_from_slice(piece.text());
            repairer.feed(front, &mut take);
            if is_all {
                repairer.finish(&mut take);
            }
        }
    }
    if let Some(then) = &planned.then {
        let mut repairer = then.repairer();
        let first = std::mem::take(&mut text);
        let mut take = |piece: Stretch<'_>| text.extend_from_slice(piece.text());
        repairer.feed(&first, &mut take);
        if is_all {
            repairer.finish(&mut take);
        }
    }
    text
}
