//! `utfkit detect`: the encoding of each file.

use std::io;

use utfkit::detect::{Detection, Options};
use utfkit_gate::magic;

use crate::args::{Detect, DetectFormat, Global};
use crate::binaries::{Binaries, NotText};
use crate::buffer::Buffer;
use crate::console::Console;
use crate::each::each;
use crate::exit::Status;
use crate::failure::AtPath;
use crate::gate::no_text;
use crate::input::Input;
use crate::inputs::Inputs;
use crate::neighbours::{Neighbours, is_open};
use crate::ordered::Ticket;
use crate::reading::{CHUNK, Replay, open_at_once, read_some, spooled};
use crate::report::DetectReport;
use crate::survey::{is_well_formed, split};

/// Of a longer stream the pieces are not listed.
const STREAM: usize = 1 << 20;

struct Job {
    options: Options,
    report: DetectReport,
    binaries: Binaries,
    neighbours: Neighbours,
    /// There are no options, as for neighbours.
    is_plain: bool,
}

pub(crate) fn run(args: &Detect, global: &Global) -> anyhow::Result<Status> {
    let console = match args.format {
        DetectFormat::Text => Console::new(),
        DetectFormat::Jsonl => Console::for_json(),
    };
    let report = match args.format {
        DetectFormat::Jsonl => DetectReport::Jsonl { candidates: args.candidates },
        DetectFormat::Text if args.mime => DetectReport::Mime(console.out_styles),
        DetectFormat::Text => DetectReport::Text {
            styles: console.out_styles,
            verbose: global.verbose,
            has_language: global.verbose || !args.language.is_empty() || args.candidates.is_some(),
            candidates: args.candidates,
        },
    };
    let job = Job {
        options: options(args),
        report,
        binaries: Binaries::new(global.verbose),
        neighbours: Neighbours::default(),
        is_plain: args.not.is_empty() && args.only.is_empty() && args.language.is_empty(),
    };
    let inputs = Inputs::new(&args.inputs)?.decompressed(args.compressed)?;
    let status = each(inputs, global.threads(), console, &job.binaries, || {
        let mut chunk = Buffer::new(CHUNK);
        let job = &job;
        move |input: &Input, ticket: &mut Ticket<'_>| job.detect(input, &mut chunk, ticket).reading(input.path())
    })?;
    job.binaries.finish(Some("classify"));
    Ok(status)
}

fn options(args: &Detect) -> Options {
    let options = Options::new().not(args.not.iter().copied()).language(args.language.iter().copied());
    if args.only.is_empty() { options } else { options.only(args.only.iter().copied()) }
}

impl Job {
    fn detect(&self, input: &Input, chunk: &mut [u8], ticket: &mut Ticket<'_>) -> io::Result<Status> {
        let mut reader = input.reader()?;
        let mut detector = self.options.detector();
        // A stream can be read only once.
        let mut stream = (input.is_stdin() || input.is_compressed()).then(Vec::new);
        let (mut front, mut format, mut is_first) = (Vec::new(), None, true);
        let format_of = |first: &[u8]| magic::format(first).filter(|format| !format.is_weak);
        // The length of the first chunk, as long as it is at the front of the buffer.
        let mut first = 0;
        let has_neighbours = !input.is_named() && !input.is_compressed();
        let (may_be_known, mut whole) = (has_neighbours && self.is_plain, None);
        loop {
            let len = match read_some(&mut reader, &mut chunk[first..])? {
                0 => break,
                len => len,
            };
            let bytes = &chunk[first..first + len];
            // Whatever follows, it is not well-formed UTF-8.
            if is_first
                && !input.is_text()
                && is_ill_formed(&bytes[..len.min(magic::FRONT)])
                && let Some(format) = format_of(bytes)
            {
                self.neighbours.whole(input.path(), bytes);
                self.binaries.skip(input.path(), NotText::Format(format.name), |message| ticket.complain(message));
                return Ok(Status::Well);
            }
            if is_first && may_be_known {
                whole = self.neighbours.whole(input.path(), bytes);
            } else if let Some(whole) = whole.take() {
                detector.feed(&whole.bytes);
            }
            if whole.is_none() {
                detector.feed(bytes);
            }
            if let Some(stream) = &mut stream {
                stream.extend_from_slice(bytes);
            }
            if std::mem::take(&mut is_first) {
                first = len;
            } else if first > 0 {
                format = format_of(&chunk[..std::mem::take(&mut first)]);
            }
            if first == chunk.len() {
                format = format_of(chunk);
                first = 0;
            }
            if let Some(bytes) = stream.take_if(|bytes| bytes.len() > STREAM) {
                front = bytes;
            }
            if ticket.is_stopped() {
                return Ok(Status::Well);
            }
        }
        let is_known = whole.is_some();
        let mut found = whole.map_or_else(|| detector.finish(), |whole| whole.found);
        // No command that writes takes other files that begin like a format for text.
        let is_plain = is_well_formed(&found) && found.nulls() + found.controls() == 0;
        let format = if is_plain { None } else { format.or_else(|| format_of(&chunk[..first])) };
        if let Some(format) = format
            && !input.is_text()
        {
            self.binaries.skip(input.path(), NotText::Format(format.name), |message| ticket.complain(message));
            return Ok(Status::Well);
        }
        match stream {
            Some(bytes) => {
                found.split(&bytes);
                front = bytes;
            }
            None if is_known => {}
            None if first > 0 => {
                found.split(&chunk[..first]);
                if may_be_known {
                    self.neighbours.met(input.path(), &chunk[..first], &found);
                }
            }
            None if found.may_be_split() && front.is_empty() => {
                split(&mut found, &mut Replay::new(&open_at_once(input.path())?, chunk))?;
            }
            None => {}
        }
        if found.name().is_none()
            && !input.is_text()
            && let Some(why) = self.no_text(input, &found, &front, chunk)?
        {
            self.binaries.skip(input.path(), why, |message| ticket.complain(message));
            return Ok(Status::Well);
        }
        if let Some(format) = format {
            self.report.binary(&mut ticket.said.out, input.path(), &found, format.name);
            return Ok(Status::IllFormed);
        }
        let mut beside = None;
        if has_neighbours && is_open(&found) {
            let file = open_at_once(input.path())?;
            beside = self.neighbours.reading(input.path(), &found, &mut Replay::new(&file, chunk))?;
        }
        self.report.file(&mut ticket.said.out, input.path(), &found, beside);
        Ok(if beside.is_some() { Status::Well } else { status(&found) })
    }
}

impl Job {
    /// Judges a compressed file by its `front`.
    fn no_text(&self, input: &Input, found: &Detection, front: &[u8], chunk: &mut [u8]) -> io::Result<Option<NotText>> {
        if !input.is_compressed() {
            return no_text(found, &mut Replay::new(&open_at_once(input.path())?, chunk));
        }
        let mut detector = self.options.detector();
        detector.feed(front);
        no_text(&detector.finish(), &mut Replay::new(&spooled(&mut &*front)?, chunk))
    }
}

/// True if a text with this front has NUL, or is ill-formed in UTF-8.
fn is_ill_formed(front: &[u8]) -> bool {
    front.contains(&0) || str::from_utf8(front).is_err_and(|error| error.error_len().is_some())
}

/// Bytes that are not text are ill-formed in every encoding.
fn status(found: &Detection) -> Status {
    let damaged = found.ill_formed().is_some_and(|count| count > 0);
    if damaged || found.name().is_none() { Status::IllFormed } else { Status::Well }
}
