//! `utfkit convert --in-place`: each input over itself, several at once.

use std::io;
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Plan;
use super::auto::source;
use super::conversion::{Conversion, Failure};
use crate::args::Convert;
use crate::buffer::Buffer;
use crate::exit::Status;
use crate::feed::Feed;
use crate::input::{Input, Inputs, Unreadable};
use crate::ordered::{self, Ticket};
use crate::report::{Console, Escaped, Styles, finding_line, skipped_binaries};
use crate::rewrites::Rewrites;
use crate::sink::{Rewrite, Sink};
use crate::target::Snapshot;

struct Job<'a> {
    plan: &'a Plan,
    rewrites: Rewrites<'a>,
    styles: Styles,
    threads: bool,
    binaries: AtomicU64,
}

/// What a worker uses for one file after the other.
#[derive(Default)]
struct Buffers {
    chunk: Buffer,
    room: Buffer,
}

pub(super) fn run(args: &Convert, plan: &Plan, suffix: &str, threads: usize) -> anyhow::Result<Status> {
    let rewrites = Rewrites::new(&args.inputs, suffix, args.outputs.clean)?;
    let console = Console::new();
    let styles = console.err_styles;
    let job = Job { plan, rewrites, styles, threads: threads > 1, binaries: AtomicU64::new(0) };
    let status = ordered::run(Inputs::new(&args.inputs)?, threads, console, || {
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
            Ok(()) => return status,
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

    fn convert(&self, input: &Input, ticket: &mut Ticket<'_>, buffers: &mut Buffers) -> Result<(), Failure> {
        let path = input.path();
        let unreadable = |error: io::Error| Failure::Unreadable(Unreadable::new(path, &error));
        let Some((file, metadata)) = self.rewrites.open(input).map_err(unreadable)? else {
            ticket.say_err(format_args!("utfkit: {}: named before, and converted once", Escaped(path)));
            return Ok(());
        };
        let file = Arc::new(file);
        let backup = self.rewrites.backup(path);
        let rewrite = Rewrite {
            path: path.to_owned(),
            file: Arc::clone(&file),
            read: Snapshot::of(&metadata),
            backup: backup.clone(),
        };
        let say = |message| ticket.say_err(format_args!("utfkit: {message}"));
        let (file, from) = source(self.plan, input, file, &mut buffers.chunk, say)?;
        let Some(from) = from else {
            self.binaries.fetch_add(1, Ordering::Relaxed);
            return Ok(());
        };
        let mut sink = Sink::over(rewrite, mem::take(&mut buffers.room), self.threads).map_err(Failure::Unwritable)?;
        let mut feed = Feed::new(Arc::clone(&file), mem::take(&mut buffers.chunk), self.threads);
        let mut conversion = Conversion::new(self.plan);
        if !conversion.convert(input, from, &file, &mut feed, &mut sink)? {
            self.binaries.fetch_add(1, Ordering::Relaxed);
            if self.plan.verbose {
                ticket.say_err(format_args!("utfkit: {}: binary, skipped", Escaped(path)));
            }
            return Ok(());
        }
        buffers.chunk = feed.into_buffer();
        let (target, room) = sink.finish().map_err(Failure::Unwritable)?;
        buffers.room = room;
        if let Some(target) = target {
            target
                .commit_saying(backup.as_deref(), |message| ticket.say_err(format_args!("utfkit: {message}")))
                .map_err(Failure::Unwritable)?;
            self.rewrites.written(path);
        }
        if let Some(counts) = conversion.report(Some(path)) {
            ticket.say_err(format_args!("utfkit: {counts}"));
        }
        Ok(())
    }
}
