//! What is to be done with a file, and why it is left alone.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek};
use std::ops::Range;
use std::path::PathBuf;
use std::time::SystemTime;

use utfkit::bom::Bom;
use utfkit::detect::{Basis, Certainty, Detection};
use utfkit::repair::{Fallback, Options, Repairer, Stretch, Survey};
use utfkit::{Encoding, Legacy, Policy, Transcoder};

use crate::destination::Snapshot;
use crate::gate::{Gate, Intent, Passed, with_bom};
use crate::input::Input;
use crate::labels::{HEAD, labels};
use crate::reading::read_some;
use crate::report::{argument, escaped_text};

/// A BOM in UTF-8.
const BOM: &[u8] = "\u{FEFF}".as_bytes();

/// What was decided.
pub(super) enum Decision {
    /// It is UTF-8.
    Fine,
    Binary,
    Left(Left),
    Change(Box<Planned>),
}

/// A file that is left alone although something is wrong with it.
pub(super) struct Left {
    pub(super) found: Option<(String, Certainty)>,
    pub(super) why: String,
}

/// A file that would change.
pub(super) struct Planned {
    pub(super) path: PathBuf,
    pub(super) read: Snapshot,
    pub(super) modified: Option<SystemTime>,
    pub(super) encoding: &'static str,
    pub(super) certainty: Certainty,
    pub(super) how: How,
    /// At the front of the text in UTF-8: what stands there, and what will.
    pub(super) edits: Vec<Edit>,
    pub(super) drops_bom: bool,
    /// A line, before and after.
    pub(super) before: String,
    pub(super) after: String,
}

/// How it becomes UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// It is.
    Is,
    Convert(Encoding),
    /// It was read in this encoding and encoded again.
    Undouble(Encoding),
    /// What is ill-formed is windows-1252.
    Fallback,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) at: Range<usize>,
    pub(super) new: String,
}

impl Planned {
    /// In words.
    pub(super) fn actions(&self) -> Vec<String> {
        let mut actions = Vec::new();
        match self.how {
            How::Is => {}
            How::Convert(_) => actions.push("convert".to_owned()),
            How::Undouble(encoding) => actions.push(format!("undouble {encoding}")),
            How::Fallback => actions.push("repair".to_owned()),
        }
        if self.drops_bom {
            actions.push("drop the BOM".to_owned());
        }
        if self.edits.iter().any(|edit| !edit.new.is_empty()) {
            actions.push("rewrite the label".to_owned());
        }
        actions
    }
}

/// Decides.
pub(super) struct Planner<'a> {
    pub(super) gate: &'a Gate,
    pub(super) trust: Certainty,
    pub(super) keep_bom: bool,
}

impl Planner<'_> {
    pub(super) fn decide(
        &self,
        input: &Input,
        file: &File,
        metadata: &Metadata,
        chunk: &mut [u8],
    ) -> io::Result<Decision> {
        let Passed { found, from, .. } = match self.gate.ask(input, file, Intent::Fix, chunk)? {
            Ok(passed) => passed,
            Err(refusal) if refusal.is_binary => return Ok(Decision::Binary),
            Err(refusal) => return Ok(Decision::Left(Left { found: None, why: refusal.why })),
        };
        let left = |why: String| {
            let found = found.name().map(|name| (name.to_owned(), found.certainty()));
            Ok(Decision::Left(Left { found, why }))
        };
        let name = argument(input.path());
        let is_utf8 = matches!(from, Encoding::Utf8 | Encoding::UsAscii);
        let (how, certainty) = match found.basis() {
            _ if !is_utf8 => (How::Convert(with_bom(from, &found)), found.certainty()),
            Basis::Damaged if found.is_truncated() => {
                return left(format!("its last character is cut off; `utfkit repair {name}` writes U+FFFD for it"));
            }
            Basis::Damaged => match self.fallback(input, file, chunk)? {
                Ok(()) => (How::Fallback, Certainty::Likely),
                Err(why) => return left(why),
            },
            _ => match changes(file, &Options::new().undouble(true), chunk)? {
                (1..3, Some(encoding)) => (How::Undouble(encoding), Certainty::Likely),
                (3.., Some(encoding)) => (How::Undouble(encoding), Certainty::NearlyCertain),
                _ => (How::Is, found.certainty()),
            },
        };
        let mut planned = Planned {
            path: input.path().to_owned(),
            read: Snapshot::of(metadata),
            modified: metadata.modified().ok(),
            encoding: found.name().unwrap_or_default(),
            certainty,
            how,
            edits: Vec::new(),
            drops_bom: false,
            before: String::new(),
            after: String::new(),
        };
        self.edit(&mut planned, file, &found, chunk)?;
        if how == How::Is && planned.edits.is_empty() && !planned.drops_bom {
            return Ok(Decision::Fine);
        }
        if planned.certainty < self.trust {
            return left(match planned.certainty {
                Certainty::Guess => {
                    format!("a guess; if it is right, `utfkit convert -f {} --in-place {name}`", planned.encoding)
                }
                sure => match how {
                    How::Undouble(encoding) => {
                        format!("{sure} read as {encoding} and encoded again; --trust likely undoes it")
                    }
                    How::Fallback => {
                        "UTF-8 with something else in it, likely windows-1252; --trust likely repairs it".to_owned()
                    }
                    _ => format!("{sure}; --trust likely converts it"),
                },
            });
        }
        Ok(Decision::Change(Box::new(planned)))
    }

    /// Whether what is ill-formed reads well in windows-1252.
    fn fallback(&self, input: &Input, file: &File, chunk: &mut [u8]) -> io::Result<Result<(), String>> {
        let options = fallback_options();
        let intent = Intent::Repair { options: &options, fallback: Some(Encoding::Legacy(Legacy::Windows1252)) };
        Ok(self.gate.ask(input, file, intent, chunk)?.map(|_| ()).map_err(|refusal| {
            let name = argument(input.path());
            format!("UTF-8 with something ill-formed in it ({}); `utfkit repair --diff {name}` shows it", refusal.why)
        }))
    }

    /// Finds the labels to rewrite, and a line to show.
    fn edit(&self, planned: &mut Planned, file: &File, found: &Detection, chunk: &mut [u8]) -> io::Result<()> {
        let front = front(file)?;
        let is_all = (front.len() as u64) == found.bytes();
        let text = head(planned.how, &front, is_all, chunk, file)?;
        let had_bom = found.bom() == Some(Bom::Utf8);
        let is_decoded_bom = matches!(planned.how, How::Convert(Encoding::Utf16 | Encoding::Utf32));
        planned.drops_bom = is_decoded_bom || (had_bom && !self.keep_bom && text.starts_with(BOM));
        if planned.drops_bom && text.starts_with(BOM) {
            planned.edits.push(Edit { at: 0..BOM.len(), new: String::new() });
        }
        // What is US-ASCII reads alike in nearly all encodings.
        if found.basis() != Basis::Ascii {
            for label in labels(&text, is_all) {
                if let Some(new) = label.in_utf8() {
                    planned.edits.push(Edit { at: label.at, new });
                }
            }
        }
        (planned.before, planned.after) = sample(planned, &front, &text);
        Ok(())
    }
}

/// A repair that reads what is ill-formed as windows-1252.
pub(super) fn fallback_options() -> Options {
    match Fallback::new(Encoding::Legacy(Legacy::Windows1252)) {
        Some(fallback) => Options::new().fallback(fallback).reinterpret(true),
        None => Options::new(),
    }
}

/// A repairer that knows the whole text, where it needs to.
pub(super) fn repairer(file: &File, options: &Options, chunk: &mut [u8]) -> io::Result<Repairer> {
    let mut file = file;
    let mut repairer = Repairer::new(options.clone());
    if options.wants_evidence() {
        file.rewind()?;
        let mut survey = Survey::new(options);
        loop {
            match read_some(&mut file, chunk)? {
                0 => break,
                len => survey.feed(&chunk[..len]),
            }
        }
        repairer = repairer.with_evidence(survey.finish());
    }
    file.rewind()?;
    Ok(repairer)
}

/// How many places a repair would change, and the encoding of the first.
fn changes(mut file: &File, options: &Options, chunk: &mut [u8]) -> io::Result<(u64, Option<Encoding>)> {
    let mut repairer = repairer(file, options, chunk)?;
    let mut changes = (0, None);
    let mut take = |piece: Stretch<'_>| {
        if let Stretch::Changed(change) = piece {
            changes = (changes.0 + 1, changes.1.or(change.encoding()));
        }
    };
    loop {
        match read_some(&mut file, chunk)? {
            0 => break,
            len => repairer.feed(&chunk[..len], &mut take),
        }
    }
    repairer.finish(&mut take);
    Ok(changes)
}

fn front(mut file: &File) -> io::Result<Vec<u8>> {
    file.rewind()?;
    let mut front = Vec::new();
    file.take(HEAD as u64).read_to_end(&mut front)?;
    Ok(front)
}

/// The front of the text in UTF-8.
fn head(how: How, front: &[u8], is_all: bool, chunk: &mut [u8], file: &File) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    match how {
        How::Is => text.extend_from_slice(front),
        How::Convert(from) => {
            let policy = Policy::Replace(utfkit::Practice::MaximalSubpart);
            // A sample, replaced where it is ill-formed: nothing is lost.
            let _ = Transcoder::new(from, Encoding::Utf8, policy).transcode_to_vec(front, &mut text, is_all);
        }
        How::Undouble(_) | How::Fallback => {
            let options = if how == How::Fallback { fallback_options() } else { Options::new().undouble(true) };
            let mut repairer = repairer(file, &options, chunk)?;
            let mut take = |piece: Stretch<'_>| text.extend_from_slice(piece.text());
            repairer.feed(front, &mut take);
            if is_all {
                repairer.finish(&mut take);
            }
        }
    }
    text.truncate(HEAD);
    Ok(text)
}

/// The most characters of a line that are shown.
const SHOWN: usize = 72;

/// The first line that changes, before and after.
fn sample(planned: &Planned, front: &[u8], text: &[u8]) -> (String, String) {
    let edited = edited(text, &planned.edits);
    let is_wide = matches!(planned.how, How::Convert(encoding) if encoding.unit_size() > 1);
    let mut after = edited.split(|byte| *byte == b'\n');
    if is_wide {
        let line = after.find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
        let octets: Vec<_> = front.iter().take(16).map(|byte| format!("{byte:02X}")).collect();
        return (octets.join(" ") + if front.len() > 16 { " …" } else { "" }, shown(line));
    }
    let mut pairs = front.split(|byte| *byte == b'\n').zip(after).filter(|(before, after)| before != after).peekable();
    // A line of text says more than a label.
    let first = pairs.peek().copied();
    let pair = pairs.find(|(before, _)| !before.is_ascii()).or(first);
    pair.map(|(before, after)| (shown(before), shown(after))).unwrap_or_default()
}

/// `text` with the edits.
pub(super) fn edited(text: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut new = Vec::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        new.extend_from_slice(&text[at..edit.at.start]);
        new.extend_from_slice(edit.new.as_bytes());
        at = edit.at.end;
    }
    new.extend_from_slice(&text[at..]);
    new
}

fn shown(line: &[u8]) -> String {
    let mut text = String::new();
    for chunk in line.trim_ascii_end().utf8_chunks() {
        text.push_str(&escaped_text(chunk.valid()));
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02X}")));
    }
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
