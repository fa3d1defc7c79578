//! `utfkit convert --in-place`: each input over itself, several at once.

use std::io::Seek;
use std::mem;
use std::path::Path;
use std::sync::Arc;

use utfkit_gate::Keep;

use super::auto::united;
use super::conversion::Conversion;
use super::plan::Plan;
use crate::args::Convert;
use crate::binaries::Binaries;
use crate::buffer::Buffer;
use crate::console::{Console, Styles, complain};
use crate::destination::Snapshot;
use crate::each::each;
use crate::exit::Status;
use crate::failure::{AtPath, Failure};
use crate::feed::{Feed, Stream};
use crate::gate::Gate;
use crate::input::Input;
use crate::inputs::Inputs;
use crate::log::Log;
use crate::ordered::Ticket;
use crate::printable::Escaped;
use crate::reading::{CHUNK, Replay};
use crate::record::Record;
use crate::report::finding_line;
use crate::rewrites::Rewrites;
use crate::sink::{Rewrite, Sink};
use crate::survey::{joined, with_bom};

struct Job<'a> {
    plan: &'a Plan,
    rewrites: Rewrites<'a>,
    styles: Styles,
    threads: bool,
    binaries: Binaries,
    gate: Gate,
    log: Option<Log>,
}

/// Memory that a worker uses for every file.
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
    let job = Job { plan, rewrites, styles, threads: threads > 1, binaries: Binaries::new(plan.verbose), gate, log };
    let inputs = Inputs::to_be_written(&args.inputs)?;
    let status = each(inputs, threads, console, &job.binaries, || {
        let mut buffers = Buffers::default();
        let job = &job;
        move |input: &Input, ticket: &mut Ticket<'_>| job.run(input, ticket, &mut buffers)
    })?;
    job.binaries.finish(None);
    let changed = job.rewrites.changed();
    let status = status.max(job.rewrites.finish("convert"));
    let undo = job.log.and_then(|log| log.finish(changed, "file")).filter(|_| !plan.silent);
    undo.iter().for_each(|line| complain(line));
    Ok(status)
}

impl Job<'_> {
    fn run(&self, input: &Input, ticket: &mut Ticket<'_>, buffers: &mut Buffers) -> Result<Status, Failure> {
        self.rewrites.clean(input.path(), |message| ticket.complain(message));
        if self.rewrites.passes_over(input) {
            return Ok(Status::Well);
        }
        match self.convert(input, ticket, buffers) {
            Ok(()) => Ok(Status::Well),
            Err(Failure::Stopped(stopped)) => {
                if !self.plan.silent {
                    finding_line(&mut ticket.said.err, self.styles, &stopped.path, &stopped.finding);
                    ticket.complain(format_args!("{}: left as it was", Escaped(input.path())));
                }
                Ok(Status::IllFormed)
            }
            Err(failure) => Err(failure),
        }
    }

    fn convert(&self, input: &Input, ticket: &mut Ticket<'_>, buffers: &mut Buffers) -> Result<(), Failure> {
        let path = input.path();
        let Some((file, metadata)) = self.rewrites.open(input).reading(path)? else {
            ticket.complain(format_args!("{}: named twice, converted once", Escaped(path)));
            return Ok(());
        };
        let file = Arc::new(file);
        let backup = self.rewrites.backup(path);
        let mut rewrite = Rewrite {
            path: path.to_owned(),
            file: Arc::clone(&file),
            read: Snapshot::of(&file).reading(path)?,
            backup: backup.clone(),
            attributes: Keep::forced(self.gate.is_forced()),
            record: None,
        };
        buffers.chunk.grow(CHUNK);
        let mut replay = Replay::new(&file, &mut buffers.chunk);
        let passed = self.gate.ask(input, &mut replay, self.plan.intent())?;
        let held = replay.held();
        (&*file).rewind().reading(path)?;
        let found = passed.survey.found;
        let from = self.plan.from.unwrap_or_else(|| with_bom(passed.from, &found));
        let pieces = if self.plan.from.is_none() { joined(&found).ok().flatten() } else { None };
        let (source, held) = match pieces {
            Some((pieces, _)) => {
                let text = united(&mut Replay::new(&file, &mut buffers.chunk), pieces).reading(path)?;
                (Arc::new(text), None)
            }
            None => (Arc::clone(&file), held),
        };
        if self.log.is_some() {
            let record = match pieces {
                Some(_) => Record::of_pieces(path, metadata.modified().ok()),
                None => Record::new(path, metadata.modified().ok(), from, self.plan.to),
            };
            rewrite.record = Some(Box::new(record));
        }
        let buf = mem::take(&mut buffers.buf);
        let mut sink = Sink::over(rewrite, buf, self.threads, pieces.is_some()).writing(path)?;
        let chunk = mem::take(&mut buffers.chunk);
        let mut feed = match held {
            Some(len) => Feed::held(chunk, len),
            None => Feed::new(Stream::File(Arc::clone(&source)), chunk, self.threads),
        };
        let plan = self.plan.of_declared(&passed.declared);
        let mut conversion = Conversion::new(&plan, true);
        conversion.convert(input, from, Some(&source), &mut feed, &mut sink)?;
        buffers.chunk = feed.into_buffer();
        let record = sink.take_record();
        let (target, buf) = sink.finish().writing(path)?;
        buffers.buf = buf;
        if let Some(target) = target {
            if let (Some(log), Some(record)) = (&self.log, record) {
                let logged = record.finish(&file).and_then(|entry| log.take(entry));
                logged.writing(Path::new("the log"))?;
            }
            // Windows replaces no file that is open.
            drop((file, source));
            let say = |message: &str| ticket.complain(message);
            target.commit_later(backup.as_deref(), say).writing(path)?;
            self.rewrites.written(path);
            if self.plan.from.is_none() && self.plan.verbose {
                ticket.complain(format_args!("{}: converted from {}", Escaped(path), found));
            }
            if let Some(line) = self.plan.wrong_label(path) {
                ticket.complain(line);
            }
        }
        if let Some(counts) = conversion.report(Some(path)) {
            ticket.complain(counts);
        }
        Ok(())
    }
}
