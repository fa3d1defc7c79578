//! The repair of one file: it is read, repaired, written, shown and logged in one
//! pass.

use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use utfkit::Encoding;
use utfkit::bom::Bom;
use utfkit::detect::Piece;
use utfkit::repair::{Change, ChangeKind, Evidence, Options, Repairer, Stretch, Survey};
use utfkit_gate::Keep;

use super::diff::{Diff, shown};
use crate::binaries::NotText;
use crate::console::Styles;
use crate::destination::{Destination, Snapshot};
use crate::failure::{AtPath, Failure};
use crate::input::{Input, Stream};
use crate::log::{Entry, Log};
use crate::misread::Misread;
use crate::printable::{Escaped, count};
use crate::progress;
use crate::reading::{CHUNK, Replay, copy, read_some, spooled};
use crate::survey::unite;

/// The number of changes of each kind.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    changes: u64,
    replaced: u64,
    fallback: u64,
    reinterpreted: u64,
    undoubled: u64,
    rejoined: u64,
    /// Of `undoubled`, the repairs of text in another encoding than UTF-8 that was misread.
    misreadings: u64,
    /// The encodings that text was misread in.
    misread: [Option<Misread>; 4],
}

impl Done {
    fn note(&mut self, change: &Change<'_>) {
        self.changes += 1;
        if let Some(misread) = Misread::of(change) {
            if let Some(place) = self.misread.iter_mut().find(|place| place.is_none() || **place == Some(misread)) {
                *place = Some(misread);
            }
            self.misreadings += if misread.is_doubled() { 0 } else { change.count };
        }
        *match change.kind {
            ChangeKind::Fallback => &mut self.fallback,
            ChangeKind::Reinterpreted => &mut self.reinterpreted,
            ChangeKind::Undoubled => &mut self.undoubled,
            ChangeKind::Rejoined => &mut self.rejoined,
            _ => &mut self.replaced,
        } += change.count;
    }

    pub(super) fn changes(&self) -> u64 {
        self.changes
    }

    /// `2 sequences replaced by U+FFFD, 3 bytes read as windows-1252`
    pub(super) fn counts(&self, fallback: Option<&str>, replacement: Option<&str>) -> String {
        let encoding = fallback.unwrap_or_default();
        let names = |is_doubled| {
            let of_kind = self.misread.iter().flatten().filter(|misread| misread.is_doubled() == is_doubled);
            of_kind.map(Misread::to_string).collect::<Vec<_>>().join(", ")
        };
        let replaced = match replacement {
            None => "replaced by U+FFFD".to_owned(),
            Some("") => "dropped".to_owned(),
            Some(text) => format!("replaced by \"{}\"", shown(text.as_bytes())),
        };
        let kinds = [
            (self.replaced, "sequence", replaced),
            (self.rejoined, "cut character", "joined again".to_owned()),
            (self.fallback, "byte", format!("read as {encoding}")),
            (self.reinterpreted, "form", "reinterpreted".to_owned()),
            (self.undoubled - self.misreadings, "double encoding", format!("undone ({})", names(true))),
            (self.misreadings, "misreading", format!("undone ({})", names(false))),
        ];
        let made = kinds.iter().filter(|(n, ..)| *n > 0);
        let parts: Vec<_> = made.map(|(n, noun, done)| format!("{} {done}", count(*n, noun))).collect();
        parts.join(", ")
    }
}

/// How changes are shown.
pub(super) enum Show {
    Nothing,
    /// One line for each change.
    Lines {
        path: String,
        styles: Styles,
        line: u64,
    },
    Diff(Box<Diff>),
}

impl Show {
    pub(super) fn diff(path: &Path, styles: Styles) -> Show {
        Show::Diff(Box::new(Diff::new(path, styles)))
    }

    pub(super) fn lines(path: &Path, styles: Styles) -> Show {
        Show::Lines { path: Escaped(path).to_string(), styles, line: 1 }
    }

    fn take(&mut self, piece: &Stretch<'_>, to: &mut Vec<u8>) {
        match (self, piece) {
            (Show::Nothing, _) => {}
            (Show::Diff(diff), _) => diff.take(piece, to),
            (Show::Lines { line, .. }, Stretch::Kept(text)) => {
                *line += text.iter().filter(|byte| **byte == b'\n').count() as u64;
            }
            (Show::Lines { path, styles, line }, Stretch::Changed(change)) => {
                let Styles { path: p, place: n, kind: k, .. } = styles;
                let (offset, kind) = (change.offset, change.kind);
                let by = Misread::of(change).map_or_else(String::new, |misread| format!(" ({misread})"));
                let before = match kind {
                    ChangeKind::Undoubled => quoted(&String::from_utf8_lossy(change.before)),
                    _ => octets(change.before),
                };
                let after = quoted(change.after);
                // Writing to memory cannot fail.
                let _ = writeln!(
                    to,
                    "{p}{path}{p:#}:{n}{line}{n:#}: byte {offset}: {k}{kind}{k:#}{by}: {before} -> {after}"
                );
            }
        }
    }
}

/// The limit of characters, or bytes, of a change in a line.
const SHOWN: usize = 40;

fn quoted(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("\"{}\"…", shown(&text.as_bytes()[..at])),
        None => format!("\"{}\"", shown(text.as_bytes())),
    }
}

fn octets(bytes: &[u8]) -> String {
    let shown: Vec<_> = bytes.iter().take(SHOWN).map(|byte| format!("{byte:02X}")).collect();
    shown.join(" ") + if bytes.len() > SHOWN { " …" } else { "" }
}

/// Where the repaired text goes.
pub(super) enum Output<'a> {
    Nowhere,
    /// Appended to a shared output.
    Shared(&'a mut Destination),
    /// Over the file itself. The new file is created at the first change.
    InPlace {
        path: PathBuf,
        /// The file when it was opened.
        read: Snapshot,
        backup: Option<PathBuf>,
        attributes: Keep,
        kept: u64,
        target: Option<Box<Destination>>,
    },
}

impl Output<'_> {
    pub(super) fn in_place(
        input: &Input,
        read: Snapshot,
        backup: Option<PathBuf>,
        attributes: Keep,
    ) -> Output<'static> {
        Output::InPlace { path: input.path().to_owned(), read, backup, attributes, kept: 0, target: None }
    }
}

/// Where the text comes from, and the memory to read it into.
pub(super) enum Source<'a> {
    /// A file that was surveyed, and the evidence of double encodings.
    Surveyed(Replay<'a>, Option<Evidence>),
    File(File, &'a mut [u8]),
    /// A stream that can be read only once.
    Pipe(Box<dyn Read>, &'a mut [u8]),
}

impl Source<'_> {
    /// Opens a file or a pipe; `twice` says that it is read twice.
    pub(super) fn open<'a>(input: &Input, twice: bool, chunk: &'a mut [u8]) -> io::Result<Source<'a>> {
        progress::opened();
        if input.is_stdin() {
            let mut stdin = io::stdin().lock();
            return Ok(match twice {
                true => Source::File(spooled(&mut stdin)?, chunk),
                false => Source::Pipe(Box::new(stdin), chunk),
            });
        }
        let file = match input.open()? {
            Stream::File(file) => file,
            Stream::Unpacked(mut unpacked) if twice => return Ok(Source::File(spooled(&mut unpacked)?, chunk)),
            Stream::Unpacked(unpacked) => return Ok(Source::Pipe(Box::new(unpacked), chunk)),
        };
        Ok(match file.metadata()?.is_file() {
            true => Source::File(file, chunk),
            false if twice => Source::File(spooled(&mut &file)?, chunk),
            false => Source::Pipe(Box::new(file), chunk),
        })
    }
}

/// The repair of one file.
pub(super) struct Work<'a> {
    options: &'a Options,
    /// The pieces of a joined file.
    pieces: Option<&'a [Piece]>,
    show: Show,
    output: Output<'a>,
    log: Option<Entry>,
    done: Done,
    /// Collects small pieces for one write.
    text: Vec<u8>,
}

impl<'a> Work<'a> {
    pub(super) fn new(options: &'a Options, show: Show, output: Output<'a>) -> Work<'a> {
        Work { options, pieces: None, show, output, log: None, done: Done::default(), text: Vec::new() }
    }

    /// Reads each piece in its encoding.
    pub(super) fn of_pieces(self, pieces: Option<&'a [Piece]>) -> Work<'a> {
        Work { pieces, ..self }
    }

    /// Notes each change for a log. `path` is the file that is written.
    pub(super) fn keep_log(&mut self, path: &Path, source: &Path, modified: Option<SystemTime>) {
        self.log = Some(Entry::new(path, source, modified));
    }

    /// Reads the input to its end. `relieve` takes the output for people, and
    /// returns false if no more is wanted. The reason is returned if the input is not
    /// text.
    pub(super) fn run(
        &mut self,
        input: &Input,
        source: Source<'_>,
        mut relieve: impl FnMut(&mut Vec<u8>) -> bool,
    ) -> Result<Result<Done, NotText>, Failure> {
        let path = input.path();
        match source {
            Source::Surveyed(mut file, evidence) => self.replay(path, &mut file, evidence, &mut relieve).map(Ok),
            Source::File(file, chunk) => {
                let mut file = Replay::new(&file, chunk);
                if self.pieces.is_some() {
                    return self.replay(path, &mut file, None, &mut relieve).map(Ok);
                }
                let binary = file.each_until(|front| ControlFlow::Break(input.binary(front, Encoding::Utf8)));
                if let ControlFlow::Break(Some(why)) = binary.reading(path)? {
                    return Ok(Err(why));
                }
                let evidence = match self.options.wants_evidence() {
                    true => {
                        let mut survey = Survey::new(self.options);
                        file.each(|bytes| survey.feed(bytes)).reading(path)?;
                        Some(survey.finish())
                    }
                    false => None,
                };
                self.replay(path, &mut file, evidence, &mut relieve).map(Ok)
            }
            Source::Pipe(mut pipe, chunk) => {
                let mut repairer = Repairer::new(self.options.clone());
                let mut is_first = true;
                loop {
                    // A BOM has to be whole to be seen.
                    let mut len = 0;
                    while len < Bom::LONGEST {
                        match read_some(&mut pipe, &mut chunk[len..]).reading(path)? {
                            0 => break,
                            more => len += more,
                        }
                    }
                    if is_first && let Some(why) = input.binary(&chunk[..len], Encoding::Utf8) {
                        return Ok(Err(why));
                    }
                    is_first = false;
                    self.feed(&mut repairer, &chunk[..len], &mut relieve)?;
                    if len == 0 {
                        return Ok(Ok(self.done));
                    }
                }
            }
        }
    }

    fn replay(
        &mut self,
        path: &Path,
        file: &mut Replay<'_>,
        evidence: Option<Evidence>,
        relieve: &mut impl FnMut(&mut Vec<u8>) -> bool,
    ) -> Result<Done, Failure> {
        if let Some(pieces) = self.pieces {
            return self.unite(path, file, pieces, relieve);
        }
        let mut repairer = Repairer::new(self.options.clone());
        if let Some(evidence) = evidence {
            repairer = repairer.with_evidence(evidence);
        }
        let read = file.each_until(|bytes| match self.feed(&mut repairer, bytes, relieve) {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => ControlFlow::Break(failure),
        });
        match read.reading(path)? {
            ControlFlow::Break(failure) => Err(failure),
            ControlFlow::Continue(()) => {
                self.feed(&mut repairer, &[], relieve)?;
                Ok(self.done)
            }
        }
    }

    fn unite(
        &mut self,
        path: &Path,
        file: &mut Replay<'_>,
        pieces: &[Piece],
        relieve: &mut impl FnMut(&mut Vec<u8>) -> bool,
    ) -> Result<Done, Failure> {
        let (mut failed, mut out) = (Ok(()), Vec::new());
        let read = unite(file, pieces, |stretch| {
            if failed.is_ok() {
                failed = self.take(&stretch, &mut out);
            }
        });
        read.reading(path)?;
        failed?;
        self.write()?;
        self.relieved(relieve, &mut out)?;
        Ok(self.done)
    }

    /// Repairs the next bytes. An empty slice ends the input.
    fn feed(
        &mut self,
        repairer: &mut Repairer,
        bytes: &[u8],
        relieve: &mut impl FnMut(&mut Vec<u8>) -> bool,
    ) -> Result<(), Failure> {
        progress::read(bytes.len());
        let (mut failed, mut out) = (Ok(()), Vec::new());
        let mut take = |piece: Stretch<'_>| {
            if failed.is_ok() {
                failed = self.take(&piece, &mut out);
            }
        };
        match bytes {
            [] => repairer.finish(&mut take),
            bytes => repairer.feed(bytes, &mut take),
        }
        failed?;
        self.write()?;
        self.relieved(relieve, &mut out)
    }

    /// Passes on what people see.
    fn relieved(&self, relieve: &mut impl FnMut(&mut Vec<u8>) -> bool, out: &mut Vec<u8>) -> Result<(), Failure> {
        match relieve(out) {
            true => Ok(()),
            false => Err(Failure::Unwritable("standard output".into(), io::ErrorKind::BrokenPipe.into())),
        }
    }

    fn take(&mut self, piece: &Stretch<'_>, out: &mut Vec<u8>) -> Result<(), Failure> {
        if let Some(log) = &mut self.log {
            log.note(piece).writing(Path::new("the log"))?;
        }
        self.show.take(piece, out);
        if let Stretch::Changed(change) = piece {
            self.done.note(change);
        }
        match &mut self.output {
            Output::Nowhere => Ok(()),
            Output::Shared(_) => self.put(piece.text()),
            Output::InPlace { path, read, kept, target, attributes, .. } => {
                match (target, piece) {
                    (Some(_), _) => self.put(piece.text()),
                    (None, Stretch::Kept(text)) => {
                        *kept += text.len() as u64;
                        Ok(())
                    }
                    (target, Stretch::Changed(_)) => {
                        let mut begun = Box::new(Destination::existing(path, *attributes, read).writing(path)?);
                        // The text so far. If the file has changed since, it is not
                        // replaced.
                        let mut front = File::open(&*path).writing(path)?.take(*kept);
                        let mut chunk = vec![0; CHUNK];
                        copy(&mut front, &mut chunk, |bytes| begun.write_all(bytes)).writing(path)?;
                        begun.write_all(piece.text()).writing(path)?;
                        *target = Some(begun);
                        Ok(())
                    }
                }
            }
        }
    }

    fn put(&mut self, text: &[u8]) -> Result<(), Failure> {
        self.text.extend_from_slice(text);
        if self.text.len() < CHUNK { Ok(()) } else { self.write() }
    }

    /// Writes what [`put`](Work::put) collected.
    fn write(&mut self) -> Result<(), Failure> {
        let (target, path) = match &mut self.output {
            Output::Shared(target) => (&mut **target, Path::new("-")),
            Output::InPlace { target: Some(target), path, .. } => (&mut **target, path.as_path()),
            Output::InPlace { target: None, .. } | Output::Nowhere => return Ok(()),
        };
        let written = target.write_all(&self.text);
        self.text.clear();
        written.writing(path)
    }

    /// Replaces the file, once the log is on the disk. Returns false if there was
    /// nothing to replace.
    pub(super) fn finish(self, log: Option<&Log>, out: &mut Vec<u8>, say: impl FnOnce(&str)) -> Result<bool, Failure> {
        let Work { show, output, log: entry, done, .. } = self;
        if let Show::Diff(diff) = show {
            diff.finish(out);
        }
        if let (Some(log), Some(entry)) = (log, entry) {
            if done.changes == 0 {
                return Ok(false);
            }
            log.take(entry).writing(Path::new("the log"))?;
        }
        match output {
            Output::InPlace { path, backup, target: Some(target), .. } => {
                target.commit_later(backup.as_deref(), say).writing(&path)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}
