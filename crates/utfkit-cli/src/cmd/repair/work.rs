//! One file: read, repaired, written, shown and logged as it goes by.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use utfkit::Encoding;
use utfkit::bom::Bom;
use utfkit::repair::{Change, ChangeKind, Fallback, Options, Repairer, Stretch, Survey};

use super::diff::{Diff, shown};
use crate::buffer::Buffer;
use crate::destination::{Destination, Snapshot};
use crate::exit::Status;
use crate::input::{Input, Unreadable};
use crate::log::{Entry, Log};
use crate::progress;
use crate::reading::{CHUNK, read_some, spooled};
use crate::report::{Escaped, Styles};
use utfkit_gate::Keep;

/// Why a file was not repaired.
pub(super) enum Failure {
    Unreadable(Unreadable),
    Unwritable(PathBuf, io::Error),
    /// It would have been harmed. The message is safe on a terminal.
    Refused(String),
}

impl Failure {
    pub(super) fn status(&self) -> Status {
        if matches!(self, Failure::Refused(_)) { Status::IllFormed } else { Status::Failed }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Unreadable(unreadable) => unreadable.fmt(f),
            Failure::Unwritable(path, error) => Unreadable::new(path, error).fmt(f),
            Failure::Refused(why) => f.write_str(why),
        }
    }
}

/// What was done to a file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    changes: u64,
    replaced: u64,
    fallback: u64,
    reinterpreted: u64,
    undoubled: u64,
    /// In which encodings it was read before it was encoded again.
    misread: [Option<Encoding>; 4],
}

impl Done {
    fn note(&mut self, change: &Change<'_>) {
        self.changes += 1;
        if change.kind == ChangeKind::Undoubled
            && let Some(place) = self.misread.iter_mut().find(|place| place.is_none() || **place == change.encoding())
        {
            *place = change.encoding();
        }
        *match change.kind {
            ChangeKind::Fallback => &mut self.fallback,
            ChangeKind::Reinterpreted => &mut self.reinterpreted,
            ChangeKind::Undoubled => &mut self.undoubled,
            _ => &mut self.replaced,
        } += change.count;
    }

    pub(super) fn changes(&self) -> u64 {
        self.changes
    }

    /// `2 sequences replaced by U+FFFD, 3 bytes read as windows-1252`
    pub(super) fn counts(&self, fallback: Option<&Fallback>) -> String {
        let encoding = fallback.map_or("", |fallback| fallback.encoding().name());
        let plural = |n: u64, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
        let mut parts = Vec::new();
        if self.replaced > 0 {
            parts.push(plural(self.replaced, "sequence", "sequences") + " replaced by U+FFFD");
        }
        if self.fallback > 0 {
            parts.push(plural(self.fallback, "byte", "bytes") + " read as " + encoding);
        }
        if self.reinterpreted > 0 {
            parts.push(plural(self.reinterpreted, "form", "forms") + " reinterpreted");
        }
        if self.undoubled > 0 {
            let names: Vec<_> = self.misread.iter().flatten().map(|encoding| encoding.name()).collect();
            let count = plural(self.undoubled, "double encoding", "double encodings");
            parts.push(format!("{count} undone ({})", names.join(", ")));
        }
        parts.join(", ")
    }
}

/// What is shown of a file.
pub(super) enum Show {
    Nothing,
    /// A line a change.
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
                let by = match change.encoding() {
                    Some(encoding) if kind == ChangeKind::Undoubled => format!(" ({encoding})"),
                    _ => String::new(),
                };
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

/// The most characters, or bytes, of a change that a line shows.
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
    /// After what is there.
    Shared(&'a mut Destination),
    /// Over the file itself. It is begun at the first change.
    InPlace {
        path: PathBuf,
        /// What the file was when it was opened.
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

/// What is read, twice if need be.
pub(super) enum Source {
    File(File),
    /// It can be read once.
    Pipe(Box<dyn Read>),
}

impl Source {
    pub(super) fn open(input: &Input, options: &Options) -> io::Result<Source> {
        let twice = options.wants_evidence();
        progress::opened();
        if input.is_stdin() {
            let mut stdin = io::stdin().lock();
            return Ok(if twice { Source::File(spooled(&mut stdin)?) } else { Source::Pipe(Box::new(stdin)) });
        }
        let file = File::open(input.path())?;
        Ok(match file.metadata()?.is_file() {
            true => Source::File(file),
            false if twice => Source::File(spooled(&mut &file)?),
            false => Source::Pipe(Box::new(file)),
        })
    }

    /// Reads what comes next, at least [`Bom::LONGEST`] bytes if there
    /// are as many.
    fn fill(&mut self, chunk: &mut [u8]) -> io::Result<usize> {
        let mut len = 0;
        while len < Bom::LONGEST {
            let more = match self {
                Source::File(file) => read_some(file, &mut chunk[len..])?,
                Source::Pipe(pipe) => read_some(pipe, &mut chunk[len..])?,
            };
            if more == 0 {
                break;
            }
            len += more;
        }
        progress::read(len);
        Ok(len)
    }
}

/// The repair of one file.
pub(super) struct Work<'a> {
    options: &'a Options,
    show: Show,
    output: Output<'a>,
    log: Option<Entry>,
    done: Done,
    /// What is to be written next: a file full of errors comes in many pieces.
    text: Vec<u8>,
}

impl<'a> Work<'a> {
    pub(super) fn new(options: &'a Options, show: Show, output: Output<'a>) -> Work<'a> {
        Work { options, show, output, log: None, done: Done::default(), text: Vec::new() }
    }

    /// Notes each change for a log: `path` is where the text will stand.
    pub(super) fn keep_log(&mut self, path: &Path, source: &Path, modified: Option<SystemTime>) {
        self.log = Some(Entry::new(path, source, modified));
    }

    /// Reads the file to its end. `relieve` takes what there is to be shown, and
    /// says whether more is wanted. `None` if it is not a text.
    pub(super) fn run(
        &mut self,
        input: &Input,
        mut source: Source,
        chunk: &mut [u8],
        mut relieve: impl FnMut(&mut Vec<u8>) -> bool,
    ) -> Result<Option<Done>, Failure> {
        let unreadable = |error: io::Error| Failure::Unreadable(Unreadable::new(input.path(), &error));
        let in_place = matches!(self.output, Output::InPlace { .. });
        let mut len = source.fill(chunk).map_err(unreadable)?;
        // What is written over was asked for as a whole.
        if !in_place && input.is_binary(&chunk[..len], Encoding::Utf8) {
            return Ok(None);
        }
        let mut repairer = Repairer::new(self.options.clone());
        if self.options.wants_evidence() {
            let mut survey = Survey::new(self.options);
            while len > 0 {
                survey.feed(&chunk[..len]);
                len = source.fill(chunk).map_err(unreadable)?;
            }
            repairer = repairer.with_evidence(survey.finish());
            if let Source::File(file) = &mut source {
                file.rewind().map_err(unreadable)?;
            }
            len = source.fill(chunk).map_err(unreadable)?;
        }
        let (mut failed, mut out) = (None, Vec::new());
        loop {
            let mut take = |piece: Stretch<'_>| {
                if failed.is_none()
                    && let Err(failure) = self.take(&piece, &mut out)
                {
                    failed = Some(failure);
                }
            };
            if len == 0 {
                repairer.finish(&mut take);
            } else {
                repairer.feed(&chunk[..len], &mut take);
            }
            if let Some(failure) = failed {
                return Err(failure);
            }
            self.write()?;
            if !relieve(&mut out) {
                // Nobody reads any more: what was begun is not to be finished.
                let gone = io::Error::from(io::ErrorKind::BrokenPipe);
                return Err(Failure::Unwritable(PathBuf::from("standard output"), gone));
            }
            if len == 0 {
                return Ok(Some(self.done));
            }
            len = source.fill(chunk).map_err(unreadable)?;
        }
    }

    fn take(&mut self, piece: &Stretch<'_>, out: &mut Vec<u8>) -> Result<(), Failure> {
        if let Some(log) = &mut self.log {
            log.note(piece).map_err(|error| Failure::Unwritable("the log".into(), error))?;
        }
        self.show.take(piece, out);
        if let Stretch::Changed(change) = piece {
            self.done.note(change);
        }
        match &mut self.output {
            Output::Nowhere => Ok(()),
            Output::Shared(_) => self.put(piece.text()),
            Output::InPlace { path, read, kept, target, attributes, .. } => {
                let unwritable = |error| Failure::Unwritable(path.clone(), error);
                match (target, piece) {
                    (Some(_), _) => self.put(piece.text()),
                    (None, Stretch::Kept(text)) => {
                        *kept += text.len() as u64;
                        Ok(())
                    }
                    (target, Stretch::Changed(_)) => {
                        let begun = Destination::existing(path, *attributes).map_err(unwritable)?;
                        let mut begun = Box::new(begun.made_of(read.clone()));
                        // What was passed over. It takes the place of the file only if
                        // that is still the same.
                        let mut front = File::open(&*path).map_err(unwritable)?.take(*kept);
                        copy(&mut front, &mut begun).map_err(unwritable)?;
                        begun.write_all(piece.text()).map_err(unwritable)?;
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

    /// Writes what was put together.
    fn write(&mut self) -> Result<(), Failure> {
        let (target, path) = match &mut self.output {
            Output::Shared(target) => (&mut **target, Path::new("-")),
            Output::InPlace { target: Some(target), path, .. } => (&mut **target, path.as_path()),
            Output::InPlace { target: None, .. } | Output::Nowhere => return Ok(()),
        };
        let written = target.write_all(&self.text);
        self.text.clear();
        written.map_err(|error| Failure::Unwritable(path.to_owned(), error))
    }

    /// Puts the new content in its place, once the log has reached the disk.
    /// Returns whether there was any.
    pub(super) fn finish(self, log: Option<&Log>, out: &mut Vec<u8>, say: impl FnOnce(&str)) -> Result<bool, Failure> {
        let Work { show, output, log: entry, done: Done { changes: self_done, .. }, .. } = self;
        if let Show::Diff(diff) = show {
            diff.finish(out);
        }
        if let (Some(log), Some(entry)) = (log, entry) {
            let entry = if self_done == 0 { return Ok(false) } else { entry };
            log.take(entry).map_err(|error| Failure::Unwritable("the log".into(), error))?;
        }
        match output {
            Output::InPlace { path, backup, target: Some(target), .. } => {
                let committed = match backup {
                    None => target.commit_later(say),
                    backup => target.commit_saying(backup.as_deref(), say),
                };
                committed.map_err(|error| Failure::Unwritable(path, error))?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

fn copy(from: &mut dyn Read, to: &mut Destination) -> io::Result<()> {
    let mut chunk = Buffer::new(CHUNK);
    loop {
        match read_some(from, &mut chunk)? {
            0 => return Ok(()),
            len => to.write_all(&chunk[..len])?,
        }
    }
}
