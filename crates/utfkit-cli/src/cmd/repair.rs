//! `utfkit repair`: well-formed UTF-8, and nothing else touched.

mod diff;
mod work;

use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, bail, ensure};
use utfkit::repair::Options;

use crate::args::{Global, Repair, Undo};
use crate::buffer::Buffer;
use crate::destination::{Destination, Snapshot};
use crate::exit::{Status, is_broken_pipe};
use crate::gate::{Gate, Intent};
use crate::input::{Input, Inputs, Unreadable};
use crate::log::Log;
use crate::ordered::{self, Said, Ticket};
use crate::paths::identity;
use crate::reading::CHUNK;
use crate::report::{Console, Escaped, Styles, complain, skipped_binaries};
use crate::rewrites::Rewrites;
use crate::temporary::clean_beside;
use utfkit_gate::Keep;

use work::{Done, Failure, Output, Show, Source, Work};

pub(crate) fn run(args: &Repair, global: &Global) -> anyhow::Result<Status> {
    if let Some(log) = &args.undo {
        let undo = Undo { log: Some(log.clone()), root: None, silent: args.silent };
        return crate::cmd::undo::run(&undo, global);
    }
    let mut options = Options::new().reinterpret(args.reinterpret).undouble(args.undouble);
    if let Some(fallback) = &args.fallback {
        options = options.fallback(fallback.clone());
    }
    let output = args.outputs.file();
    // A diff alone takes the place of the text, and changes nothing.
    let dry = args.dry_run || (args.diff && args.outputs.is_stdout());
    if dry && args.writing.log.is_some() {
        bail!("--log lists what was changed: with --diff add -o or --in-place");
    }
    let wants_log = !dry && (args.outputs.in_place.is_some() || args.writing.log.is_some());
    let below = output.map_or_else(|| args.inputs.paths.clone(), |output| vec![output.to_owned()]);
    let log = if wants_log { Log::of("repair", &args.writing, &below)? } else { None };
    let gate = Gate::new(args.writing.text, args.writing.force);
    let plan = Plan { args, options, log, dry, verbose: global.verbose, binaries: AtomicU64::new(0), gate };
    let status = match (&args.outputs.in_place, dry) {
        (Some(suffix), false) => {
            let rewrites = Rewrites::new(&args.inputs, suffix, args.outputs.clean)?;
            let status = each(&plan, Some(&rewrites), global)?;
            rewrites.finish("repair");
            status
        }
        (_, true) => each(&plan, None, global)?,
        (None, false) => concatenate(&plan, output)?,
    };
    skipped_binaries(plan.binaries.into_inner(), "repair");
    let undo = plan.log.and_then(Log::finish).filter(|_| !args.silent && args.outputs.in_place.is_some());
    undo.iter().for_each(|line| complain(line));
    Ok(status)
}

/// What is to be done with every file.
struct Plan<'a> {
    args: &'a Repair,
    options: Options,
    log: Option<Log>,
    /// Nothing is written.
    dry: bool,
    verbose: bool,
    /// Files met on a walk that are not text.
    binaries: AtomicU64,
    gate: Gate,
}

impl Plan<'_> {
    fn show(&self, input: &Input, styles: Styles) -> Show {
        match (self.args.diff, self.dry) {
            (true, _) => Show::diff(input.path(), styles),
            (false, true) => Show::lines(input.path(), styles),
            (false, false) => Show::Nothing,
        }
    }

    /// The line that counts, unless nobody wants it.
    fn count(&self, input: &Input, done: &Done) -> Option<String> {
        if self.args.silent || done.changes() == 0 {
            return None;
        }
        let verb = if self.dry { "would be repaired" } else { "repaired" };
        Some(format!("{}: {verb}: {}", Escaped(input.path()), done.counts(self.args.fallback.as_ref())))
    }

    fn intent(&self) -> Intent<'_> {
        let fallback = self.args.fallback.as_ref().map(utfkit::repair::Fallback::encoding);
        Intent::Repair { options: &self.options, fallback }
    }

    fn attributes(&self) -> Keep {
        Keep::forced(self.gate.is_forced())
    }

    fn binary(&self, input: &Input) -> Option<String> {
        self.binaries.fetch_add(1, Ordering::Relaxed);
        self.verbose.then(|| format!("{}: binary, skipped", Escaped(input.path())))
    }
}

/// Each file by itself: over itself, or, without `rewrites`, nowhere.
fn each(plan: &Plan<'_>, rewrites: Option<&Rewrites<'_>>, global: &Global) -> anyhow::Result<Status> {
    let console = Console::new();
    let styles = console.out_styles;
    let inputs = match rewrites {
        Some(_) => Inputs::to_be_written(&plan.args.inputs)?,
        None => Inputs::new(&plan.args.inputs)?,
    };
    let status = ordered::run(inputs, global.threads(), console, || {
        let mut chunk = Buffer::new(CHUNK);
        move |input: Result<Input, Unreadable>, ticket: &mut Ticket<'_>| {
            let mut status = Status::Well;
            let outcome = input.map_err(Failure::Unreadable).and_then(|input| {
                let unreadable = |error| Failure::Unreadable(Unreadable::new(input.path(), &error));
                let mut modified = None;
                let (source, output) = match rewrites {
                    Some(rewrites) => {
                        if rewrites.passes_over(&input) {
                            return Ok(());
                        }
                        let say = |message: &str| ticket.say_err(format_args!("utfkit: {message}"));
                        if !rewrites.clean(input.path(), say) {
                            status = Status::Failed;
                        }
                        let Some((file, metadata)) = rewrites.open(&input).map_err(unreadable)? else {
                            ticket.say_err(format_args!(
                                "utfkit: {}: named before, and repaired once",
                                Escaped(input.path())
                            ));
                            return Ok(());
                        };
                        match plan.gate.ask(&input, &file, plan.intent(), &mut chunk).map_err(unreadable)? {
                            Ok(passed) if passed.is_done => return Ok(()),
                            Ok(_) => {}
                            Err(refusal) if refusal.is_binary && !input.is_named() => {
                                if let Some(line) = plan.binary(&input) {
                                    ticket.say_err(format_args!("utfkit: {line}"));
                                }
                                return Ok(());
                            }
                            Err(refusal) => {
                                status = status.max(Status::IllFormed);
                                ticket.say_err(format_args!("utfkit: {}: {refusal}", Escaped(input.path())));
                                return Ok(());
                            }
                        }
                        modified = metadata.modified().ok();
                        let (read, backup) = (Snapshot::of(&metadata), rewrites.backup(input.path()));
                        let output = Output::in_place(&input, read, backup, plan.attributes());
                        (Source::File(file), output)
                    }
                    None => (Source::open(&input, &plan.options).map_err(unreadable)?, Output::Nowhere),
                };
                let mut work = Work::new(&plan.options, plan.show(&input, styles), output);
                if plan.log.is_some() {
                    work.keep_log(input.path(), input.path(), modified);
                }
                let done = work.run(&input, source, &mut chunk, |out| {
                    ticket.said.out.append(out);
                    ticket.relieve();
                    !ticket.is_stopped()
                })?;
                let Some(done) = done else {
                    if let Some(line) = plan.binary(&input) {
                        ticket.say_err(format_args!("utfkit: {line}"));
                    }
                    return Ok(());
                };
                let Said { out, err } = &mut ticket.said;
                let say = |message: &str| {
                    // Writing to memory cannot fail.
                    let _ = writeln!(err, "utfkit: {message}");
                };
                let written = work.finish(plan.log.as_ref(), out, say)?;
                if let Some(rewrites) = rewrites.filter(|_| written) {
                    rewrites.written(input.path());
                }
                if let Some(line) = plan.count(&input, &done) {
                    ticket.say_err(format_args!("utfkit: {line}"));
                }
                if plan.dry && done.changes() > 0 {
                    status = status.max(Status::IllFormed);
                }
                Ok(())
            });
            match outcome {
                Ok(()) => status,
                // The reader has what it wanted.
                Err(Failure::Unwritable(_, error)) if is_broken_pipe(&error) => status,
                Err(failure) => {
                    ticket.say_err(format_args!("utfkit: {failure}"));
                    Status::Failed
                }
            }
        }
    })?;
    Ok(status)
}

/// All inputs, one after the other, into one output.
fn concatenate(plan: &Plan<'_>, output: Option<&Path>) -> anyhow::Result<Status> {
    let named = || output.map_or("standard output".to_owned(), |path| Escaped(path).to_string());
    let mut status = clean_beside(output, plan.args.outputs.clean)?;
    let mut inputs = Inputs::new(&plan.args.inputs)?.peekable();
    let first = inputs.next();
    ensure!(
        plan.log.is_none() || inputs.peek().is_none(),
        "a log can take back what came of one file: with --log give one file, or --in-place"
    );
    let mut target = match output {
        Some(path) => Destination::file(path, plan.attributes()).with_context(named)?,
        None => Destination::stdout(),
    };
    let replaced = target.replaced();
    let mut console = Console::new();
    let mut chunk = Buffer::new(CHUNK);
    for input in first.into_iter().chain(inputs) {
        let outcome = input.map_err(Failure::Unreadable).and_then(|input| {
            let mut work = Work::new(&plan.options, plan.show(&input, console.out_styles), Output::Shared(&mut target));
            if plan.log.is_some() {
                work.keep_log(output.unwrap_or(Path::new("-")), input.path(), None);
            }
            let mut print = |out: &mut Vec<u8>| {
                let printed = console.print(out, &[]);
                out.clear();
                printed.is_ok()
            };
            let source = Source::open(&input, &plan.options)
                .map_err(|error| Failure::Unreadable(Unreadable::new(input.path(), &error)))?;
            if let Source::File(file) = &source
                && replaced.is_some()
                && file.metadata().ok().as_ref().and_then(identity) == replaced
            {
                let intent = plan.intent();
                let asked = plan.gate.ask(&input, file, intent, &mut chunk);
                asked
                    .map_err(|error| Failure::Unreadable(Unreadable::new(input.path(), &error)))?
                    .map_err(|refusal| Failure::Refused(format!("{}: {refusal}", Escaped(input.path()))))?;
            }
            let done = work.run(&input, source, &mut chunk, &mut print)?;
            let mut rest = Vec::new();
            work.finish(plan.log.as_ref(), &mut rest, complain)?;
            print(&mut rest);
            Ok((input, done))
        });
        match outcome {
            Ok((input, Some(done))) => plan.count(&input, &done).iter().for_each(|line| complain(line)),
            Ok((input, None)) => plan.binary(&input).iter().for_each(|line| complain(line)),
            // The reader has what it wanted.
            Err(Failure::Unwritable(_, error)) if is_broken_pipe(&error) => return Ok(status),
            Err(Failure::Unwritable(_, error)) => return Err(error).with_context(named),
            Err(failure) => {
                complain(&failure.to_string());
                status = status.max(failure.status());
            }
        }
    }
    if status != Status::Well && output.is_some() {
        complain(&format!("{}: not written", named()));
        target.abandon()?;
        return Ok(status);
    }
    match target.commit(None) {
        Err(error) if is_broken_pipe(&error) => Ok(status),
        Err(error) => Err(error).with_context(named),
        Ok(()) => Ok(status),
    }
}
