//! `utfkit detect`: which encoding is it in?

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use utfkit::detect::{Detection, Detector};

use crate::args::{Detect, DetectFormat, Global};
use crate::buffer::Buffer;
use crate::exit::Status;
use crate::input::{Input, Inputs, Unreadable};
use crate::ordered::{self, Ticket};
use crate::reading::{CHUNK, read_some};
use crate::report::{Console, DetectReport, Escaped, complain};

struct Job<'a> {
    report: DetectReport,
    binaries: &'a AtomicU64,
    verbose: bool,
}

pub(crate) fn run(args: &Detect, global: &Global) -> anyhow::Result<Status> {
    let console = match args.format {
        DetectFormat::Text => Console::new(),
        DetectFormat::Jsonl => Console::for_json(),
    };
    let report = match args.format {
        DetectFormat::Jsonl => DetectReport::Jsonl,
        DetectFormat::Text if args.mime => DetectReport::Mime(console.out_styles),
        DetectFormat::Text => DetectReport::Text { styles: console.out_styles, verbose: global.verbose },
    };
    let binaries = AtomicU64::new(0);
    let job = Job { report, binaries: &binaries, verbose: global.verbose };
    let status = ordered::run(Inputs::new(&args.inputs)?, global.threads(), console, || {
        let mut chunk = Buffer::new(CHUNK);
        let job = &job;
        move |input: Result<Input, Unreadable>, ticket: &mut Ticket<'_>| {
            let outcome = input.and_then(|input| {
                job.detect(&input, &mut chunk, ticket).map_err(|error| Unreadable::new(input.path(), &error))
            });
            outcome.unwrap_or_else(|unreadable| {
                ticket.say_err(format_args!("utfkit: {unreadable}"));
                Status::Failed
            })
        }
    })?;
    match binaries.into_inner() {
        0 => {}
        1 => complain("skipped 1 file that looks binary (see -v); name it to see why"),
        n => complain(&format!("skipped {n} files that look binary (see -v); name one to see why")),
    }
    Ok(status)
}

impl Job<'_> {
    fn detect(&self, input: &Input, chunk: &mut [u8], ticket: &mut Ticket<'_>) -> io::Result<Status> {
        let mut reader = input.open()?;
        let mut detector = Detector::new();
        loop {
            match read_some(&mut reader, chunk)? {
                0 => break,
                len => detector.feed(&chunk[..len]),
            }
            if ticket.is_stopped() {
                return Ok(Status::Well);
            }
        }
        let found = detector.finish();
        if found.name().is_none() && !input.is_text() {
            self.binaries.fetch_add(1, Ordering::Relaxed);
            if self.verbose {
                ticket.say_err(format_args!("utfkit: {}: binary, skipped", Escaped(input.path())));
            }
            return Ok(Status::Well);
        }
        self.report.file(&mut ticket.said.out, input.path(), &found);
        Ok(status(&found))
    }
}

/// Bytes that are not text are ill-formed in every encoding.
fn status(found: &Detection) -> Status {
    let damaged = found.ill_formed().is_some_and(|count| count > 0);
    if damaged || found.name().is_none() { Status::IllFormed } else { Status::Well }
}
