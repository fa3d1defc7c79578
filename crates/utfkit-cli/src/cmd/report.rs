//! `utfkit report`: a page about many files.

use std::io::{self, Read};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;
use utfkit::detect::Detector;
use utfkit::diagnose::Checker;
use utfkit::{Encoding, Policy, Standard, Transcoder};

use crate::args::{Global, Report};
use crate::buffer::Buffer;
use crate::census::Census;
use crate::destination::Destination;
use crate::exit::Status;
use crate::input::{Input, Inputs, Unreadable};
use crate::ordered::{self, Ticket};
use crate::reading::{CHUNK, read_some};
use crate::report::{Console, Escaped, FRONT, FileDetails, Page, skipped_binaries, wide};
use utfkit_gate::Keep;

struct Job<'a> {
    page: &'a Mutex<Page>,
    max_errors: u64,
    verbose: bool,
}

/// What a thread reads into.
struct Memory {
    chunk: Buffer,
    text: Vec<u8>,
}

pub(crate) fn run(args: &Report, global: &Global) -> anyhow::Result<Status> {
    let output = args.output.as_deref().filter(|path| *path != Path::new("-"));
    let named = |path: &Path| Escaped(path).to_string();
    if let Some(path) = output {
        // Better now than when all is read. Nothing is left after by it.
        drop(Destination::file(path, Keep::All).with_context(|| named(path))?);
    }
    let page = Mutex::new(Page::new(&args.title));
    let job = Job { page: &page, max_errors: args.max_errors, verbose: global.verbose };
    let status = ordered::run(Inputs::new(&args.inputs)?, global.threads(), Console::new(), || {
        let mut memory = Memory { chunk: Buffer::new(CHUNK), text: Vec::new() };
        let job = &job;
        move |input: Result<Input, Unreadable>, ticket: &mut Ticket<'_>| {
            let outcome = input.and_then(|input| {
                job.read(&input, &mut memory, ticket).map_err(|error| Unreadable::new(input.path(), &error))
            });
            outcome.unwrap_or_else(|unreadable| {
                ticket.say_err(format_args!("utfkit: {unreadable}"));
                job.on_page(|page| page.unreadable(ticket.number(), unreadable.to_string()));
                Status::Failed
            })
        }
    })?;
    let page = page.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut target = match output {
        Some(path) => Destination::file(path, Keep::All).with_context(|| named(path))?,
        None => Destination::stdout(),
    };
    let written = target.write_all(page.to_html().as_bytes()).and_then(|()| target.commit(None));
    match output {
        Some(path) => written.with_context(|| named(path))?,
        None => written?,
    }
    skipped_binaries(page.skipped(), "read");
    Ok(status)
}

impl Job<'_> {
    fn on_page(&self, change: impl FnOnce(&mut Page)) {
        change(&mut self.page.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn read(&self, input: &Input, memory: &mut Memory, ticket: &mut Ticket<'_>) -> io::Result<Status> {
        let mut reader = input.open()?;
        let mut len = read_front(&mut *reader, &mut memory.chunk)?;
        let wide = wide(&memory.chunk[..len.min(FRONT)]);
        if input.is_binary(&memory.chunk[..len], Encoding::Utf8) {
            if self.verbose {
                ticket.say_err(format_args!("utfkit: {}: binary, skipped", Escaped(input.path())));
            }
            self.on_page(Page::skip);
            return Ok(Status::Well);
        }
        let encoding = wide.map_or(Encoding::Utf8, |wide| wide.encoding);
        let mut details = FileDetails::new(input.path(), encoding, self.max_errors);
        let mut checker = Checker::new(encoding, Standard::Rfc3629);
        let mut to_utf8 = Transcoder::new(encoding, Encoding::Utf8, Policy::Skip);
        let mut census = Census::new();
        let mut detector = Detector::new();
        loop {
            let bytes = &memory.chunk[..len];
            detector.feed(bytes);
            details.feed(bytes);
            match len {
                0 => checker.finish(|finding| details.finding(finding)),
                _ => checker.feed(bytes, |finding| details.finding(finding)),
            }
            memory.text.clear();
            // It replaces, and reports nothing.
            let _ = to_utf8.transcode_to_vec(bytes, &mut memory.text, len == 0);
            census.feed(&memory.text);
            if len == 0 {
                break;
            }
            len = read_some(&mut *reader, &mut memory.chunk)?;
        }
        let totals = checker.totals();
        let details = details.finish(&detector.finish(), &totals, &census);
        self.on_page(|page| page.add(ticket.number(), details, &census));
        Ok(if totals.findings() > 0 { Status::IllFormed } else { Status::Well })
    }
}

/// Reads until the front is complete, or the end is there.
fn read_front(reader: &mut dyn Read, chunk: &mut [u8]) -> io::Result<usize> {
    let mut len = 0;
    while len < FRONT {
        match read_some(reader, &mut chunk[len..])? {
            0 => break,
            more => len += more,
        }
    }
    Ok(len)
}
