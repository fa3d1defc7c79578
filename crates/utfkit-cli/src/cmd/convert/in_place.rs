//! `utfkit convert --in-place`: each input over itself, several at once.

use std::io;
use std::mem;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::conversion::{Conversion, Failure};
use super::plan::Plan;

use crate::args::Convert;
use crate::buffer::Buffer;
use crate::destination::Snapshot;
use crate::exit::Status;
use crate::feed::Feed;
use crate::gate::{Gate, with_bom};
use crate::input::{Input, Inputs, Unreadable};
use crate::log::Log;
use crate::ordered::{self, Ticket};
use crate::reading::CHUNK;
use crate::record::Record;
use crate::report::{Console, Escaped, Styles, complain, finding_line, skipped_binaries};
use crate::rewrites::Rewrites;
use crate::sink::{Rewrite, Sink};
use utfkit_gate::Keep;

struct Job<'a> {
    plan: &'a Plan,
    rewrites: Rewrites<'a>,
    styles: Styles,
    threads: bool,
    binaries: AtomicU64,
    gate: Gate,
    log: Option<Log>,
}

/// What a worker uses for one file after the other.
#[derive(Default)]
struct Buffers {
    chunk: Buffer,
    buf: Buffer,
}

pub(super) fn run(args: &Convert, plan: &Plan, suffix: &str, threads: usize) -> anyhow::Result<Status> {
    let rewrites = Rewrites::new(&args.inputs, suffix, args.outputs.clean)?;
    let log = Log::of("convert", &args.writing, &args.inputs.paths)?;
    let gate = Gate::new(args.writing.text, args.writing.force);
    let console = Console::new();
    let styles = console.err_styles;
    let job = Job { plan, rewrites, styles, threads: threads > 1, binaries: AtomicU64::new(0), gate, log };
    let status = ordered::run(Inputs::to_be_written(&args.inputs)?, threads, console, || {
        let mut buffers = Buffers::default();
        let job = &job;
        move |input: Result<Input, Unreadable>, ticket: &mut Ticket<'_>| match input {
            Ok(input) => job.run(&input, ticket, &mut buffers),
            Err(unreadable) => {
                ticket.say_err(format_args!("utfkit: {unreadable}"));
                Status::Failed
            }
        }
    })?;
    skipped_binaries(job.binaries.into_inner(), "convert");
    job.rewrites.finish("convert");
    let undo = job.log.and_then(Log::finish).filter(|_| !plan.silent);
    undo.iter().for_each(|line| complain(line));
    Ok(status)
}

impl Job<'_> {
    fn run(&self, input: &Input, ticket: &mut Ticket<'_>, buffers: &mut Buffers) -> Status {
        let path = input.path();
        if self.rewrites.passes_over(input) {
            return Status::Well;
        }
        let cleaned = self.rewrites.clean(path, |message| ticket.say_err(format_args!("utfkit: {message}")));
        let status = if cleaned { Status::Well } else { Status::Failed };
        let failed = match self.convert(input, ticket, buffers) {
            Ok(done) => return status.max(done),
            Err(Failure::Stopped(stopped)) => {
                if !self.plan.silent {
                    finding_line(&mut ticket.said.err, self.styles, &stopped.path, &stopped.finding);
                    ticket.say_err(format_args!("utfkit: {}: left as it was", Escaped(path)));
                }
                return status.max(Status::IllFormed);
            }
            Err(Failure::Unreadable(unreadable)) => unreadable,
            Err(Failure::Unwritable(error)) => Unreadable::new(path, &error),
        };
        ticket.say_err(format_args!("utfkit: {failed}"));
        Status::Failed
    }

    fn convert(&self, input: &Input, ticket: &mut Ticket<'_>, buffers: &mut Buffers) -> Result<Status, Failure> {
        let path = input.path();
        let unreadable = |error: io::Error| Failure::Unreadable(Unreadable::new(path, &error));
        let Some((file, metadata)) = self.rewrites.open(input).map_err(unreadable)? else {
            ticket.say_err(format_args!("utfkit: {}: named before, and converted once", Escaped(path)));
            return Ok(Status::Well);
        };
        let file = Arc::new(file);
        let backup = self.rewrites.backup(path);
        let mut rewrite = Rewrite {
            path: path.to_owned(),
            file: Arc::clone(&file),
            read: Snapshot::of(&metadata),
            backup: backup.clone(),
            attributes: Keep::forced(self.gate.is_forced()),
            record: None,
        };
        buffers.chunk.grow(CHUNK);
        let passed = match self.gate.ask(input, &file, self.plan.intent(), &mut buffers.chunk).map_err(unreadable)? {
            Ok(passed) => passed,
            Err(refusal) if refusal.is_binary && !input.is_named() => {
                self.binaries.fetch_add(1, Ordering::Relaxed);
                if self.plan.verbose {
                    ticket.say_err(format_args!("utfkit: {}: binary, skipped", Escaped(path)));
                }
                return Ok(Status::Well);
            }
            Err(refusal) => {
                ticket.say_err(format_args!("utfkit: {}: {refusal}", Escaped(path)));
                return Ok(Status::IllFormed);
            }
        };
        let from = self.plan.from.unwrap_or_else(|| with_bom(passed.from, &passed.found));
        if self.log.is_some() {
            let record = Record::new(path, metadata.modified().ok(), from, self.plan.to);
            rewrite.record = Some(Box::new(record));
        }
        let mut sink = Sink::over(rewrite, mem::take(&mut buffers.buf), self.threads).map_err(Failure::Unwritable)?;
        let mut feed = Feed::new(Arc::clone(&file), mem::take(&mut buffers.chunk), self.threads);
        let mut conversion = Conversion::new(self.plan, true);
        conversion.convert(input, from, &file, &mut feed, &mut sink)?;
        buffers.chunk = feed.into_buffer();
        let record = sink.take_record();
        let (target, buf) = sink.finish().map_err(Failure::Unwritable)?;
        buffers.buf = buf;
        if let Some(target) = target {
            if let (Some(log), Some(record)) = (&self.log, record) {
                let logged = record.finish(&file).and_then(|entry| log.take(entry));
                logged.map_err(|error| Failure::Unreadable(Unreadable::new(Path::new("the log"), &error)))?;
            }
            let say = |message: &str| ticket.say_err(format_args!("utfkit: {message}"));
            let committed = match backup {
                None => target.commit_later(say),
                backup => target.commit_saying(backup.as_deref(), say),
            };
            committed.map_err(Failure::Unwritable)?;
            self.rewrites.written(path);
            // Of what was left as it was nothing is said.
            if self.plan.from.is_none() && self.plan.verbose {
                ticket.say_err(format_args!("utfkit: {}: converted from {}", Escaped(path), passed.found));
            }
            if let Some(line) = self.plan.wrong_label(path) {
                ticket.say_err(format_args!("utfkit: {line}"));
            }
        }
        if let Some(counts) = conversion.report(Some(path)) {
            ticket.say_err(format_args!("utfkit: {counts}"));
        }
        Ok(Status::Well)
    }
}
