//! `utfkit report`: one page about many files.

use std::io;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use utfkit::detect::Detector;
use utfkit::diagnose::Checker;
use utfkit::{Encoding, Policy, Standard, Transcoder};

use crate::args::{Global, Report};
use crate::binaries::Binaries;
use crate::buffer::Buffer;
use crate::census::Census;
use crate::console::Console;
use crate::declared::{Declarations, Declared};
use crate::destination::Destination;
use crate::exit::Status;
use crate::failure::Unreadable;
use crate::input::Input;
use crate::inputs::Inputs;
use crate::lock::Lock;
use crate::ordered::{self, Ticket};
use crate::printable::Escaped;
use crate::reading::{CHUNK, read_full, read_some};
use crate::report::{FileDetails, Page};
use crate::stdout;
use crate::wide::{FRONT, wide};
use utfkit_gate::Keep;

struct Job<'a> {
    declarations: Arc<Declarations>,
    page: &'a Lock<Page>,
    max_errors: u64,
    binaries: Binaries,
}

/// Memory that a worker uses for every file.
struct Memory {
    chunk: Buffer,
    text: Vec<u8>,
}

pub(crate) fn run(args: &Report, global: &Global) -> anyhow::Result<Status> {
    let output = args.output.as_deref().filter(|path| *path != Path::new("-"));
    let named = |path: &Path| Escaped(path).to_string();
    if let Some(path) = output {
        // Fails now rather than after everything was read. Dropped, it leaves nothing.
        drop(Destination::file(path, Keep::All).with_context(|| named(path))?);
    }
    let page = Lock::new(Page::new(&args.title));
    let inputs = Inputs::new(&args.inputs)?;
    let declarations = inputs.declarations();
    let binaries = Binaries::new(global.verbose);
    let job = Job { declarations, page: &page, max_errors: args.max_errors, binaries };
    let status = ordered::run(inputs, global.threads(), Console::new(), || {
        let mut memory = Memory { chunk: Buffer::new(CHUNK), text: Vec::new() };
        let job = &job;
        move |input: Result<Input, Unreadable>, ticket: &mut Ticket<'_>| {
            let outcome = input.and_then(|input| {
                job.read(&input, &mut memory, ticket).map_err(|error| Unreadable::new(input.path(), &error))
            });
            outcome.unwrap_or_else(|unreadable| {
                ticket.complain(&unreadable);
                job.on_page(|page| page.unreadable(ticket.number(), unreadable.to_string()));
                Status::Failed
            })
        }
    })?;
    let binaries = job.binaries;
    let page = page.into_inner();
    let mut target = match output {
        Some(path) => Destination::file(path, Keep::All).with_context(|| named(path))?,
        None => Destination::stdout(),
    };
    let written = target.write_all(page.to_html().as_bytes()).and_then(|()| target.commit());
    match output {
        Some(path) => written.with_context(|| named(path))?,
        None => written.map_err(stdout::named)?,
    }
    binaries.finish(Some("read"));
    Ok(status)
}

impl Job<'_> {
    fn on_page(&self, change: impl FnOnce(&mut Page)) {
        change(&mut self.page.lock());
    }

    fn read(&self, input: &Input, memory: &mut Memory, ticket: &mut Ticket<'_>) -> io::Result<Status> {
        let mut reader = input.reader()?;
        let first_len = read_full(&mut reader, &mut memory.chunk)?;
        let mut len = first_len;
        let declared = if input.is_stdin() { Declared::default() } else { self.declarations.of(input.path()) };
        let bom = declared.bom;
        let declared = declared.encoding.transpose().map_err(io::Error::other)?;
        let wide = wide(&memory.chunk[..len.min(FRONT)]);
        if let Some(why) = input.binary(&memory.chunk[..len], declared.unwrap_or(Encoding::Utf8)) {
            self.binaries.skip(input.path(), why, |message| ticket.complain(message));
            self.on_page(Page::skip);
            return Ok(Status::Well);
        }
        let of_units = wide.map_or(Encoding::Utf8, |wide| wide.encoding);
        let encoding = declared.unwrap_or(of_units);
        let mut details = FileDetails::new(input.path(), encoding, declared, self.max_errors);
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
            // `Policy::Skip` never stops.
            let _ = to_utf8.transcode_to_vec(bytes, &mut memory.text, len == 0);
            census.feed(&memory.text);
            if len == 0 {
                break;
            }
            len = read_some(&mut reader, &mut memory.chunk)?;
        }
        let totals = checker.totals();
        // A read that returns 0 leaves the first chunk in place.
        let whole = (first_len as u64 == totals.bytes()).then(|| &memory.chunk[..first_len]);
        let details = details.finish(whole, &detector.finish(), bom, &totals, &census);
        let is_bad = details.has_findings();
        self.on_page(|page| page.add(ticket.number(), details, &census));
        Ok(if is_bad { Status::IllFormed } else { Status::Well })
    }
}
