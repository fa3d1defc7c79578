//! `utfkit repair`: well-formed UTF-8, and nothing else touched.

mod checksum;
mod diff;
mod log;
mod undo;
mod work;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use anyhow::{Context, bail, ensure};
use utfkit::repair::Options;

use crate::args::{Global, Repair};
use crate::exit::{Status, is_broken_pipe};
use crate::input::{Input, Inputs, Unreadable};
use crate::ordered::{self, Ticket};
use crate::report::{Console, Escaped, Styles, complain, skipped_binaries};
use crate::target::Target;

use log::Log;
use work::{Done, Failure, Output, Show, Work};

/// Read at once.
const CHUNK: usize = 128 << 10;

pub(crate) fn run(args: &Repair, global: &Global) -> anyhow::Result<Status> {
    if let Some(log) = &args.undo {
        return undo::run(log, args.silent);
    }
    let mut options = Options::new().reinterpret(args.reinterpret).undouble(args.undouble);
    if let Some(fallback) = &args.fallback {
        options = options.fallback(fallback.clone());
    }
    let output = args.output.as_deref().filter(|path| *path != Path::new("-"));
    // A diff alone takes the place of the text, and changes nothing.
    let dry = args.dry_run || (args.diff && output.is_none() && args.in_place.is_none());
    let log = match &args.log {
        Some(_) if dry => bail!("--log lists what was changed: with --diff add -o or --in-place"),
        Some(path) => Some(Log::create(path).map_err(|error| log_error(path, error))?),
        None => None,
    };
    let plan = Plan { args, options, log, dry, verbose: global.verbose, binaries: AtomicU64::new(0) };
    let status = match (&args.in_place, dry) {
        (Some(suffix), false) => each(&plan, Some(suffix), global)?,
        (_, true) => each(&plan, None, global)?,
        (None, false) => concatenate(&plan, output)?,
    };
    skipped_binaries(plan.binaries.into_inner(), "repair");
    Ok(status)
}

fn log_error(path: &Path, error: io::Error) -> anyhow::Error {
    let name = Escaped(path).to_string();
    match error.kind() {
        io::ErrorKind::AlreadyExists => anyhow::anyhow!(
            "{name}: there is one already, and a log is never written over; give another name, or take that repair back with --undo"
        ),
        _ => anyhow::Error::new(error).context(name),
    }
}

/// What is to be done with every file.
struct Plan<'a> {
    args: &'a Repair,
    options: Options,
    log: Option<Log>,
    /// Nothing is written.
    dry: bool,
    verbose: bool,
    /// Files met on a walk that are no text.
    binaries: AtomicU64,
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

    fn binary(&self, input: &Input) -> Option<String> {
        self.binaries.fetch_add(1, Ordering::Relaxed);
        self.verbose.then(|| format!("{}: binary, skipped", Escaped(input.path())))
    }
}

/// Each file by itself: over itself, or, without a suffix, nowhere.
fn each(plan: &Plan<'_>, suffix: Option<&String>, global: &Global) -> anyhow::Result<Status> {
    let console = Console::new();
    let styles = console.out_styles;
    let busy = Busy::default();
    let busy = &busy;
    let status = ordered::run(Inputs::new(&plan.args.inputs)?, global.threads(), console, || {
        let mut chunk = vec![0; CHUNK];
        move |input: Result<Input, Unreadable>, ticket: &mut Ticket<'_>| {
            let outcome = input.map_err(Failure::Unreadable).and_then(|input| {
                let _turn = suffix.map(|_| busy.wait(input.path()));
                let output = match suffix {
                    Some(_) if input.is_stdin() => {
                        return Err(Failure::Refused(
                            "--in-place needs files: standard input has no place to be written to".to_owned(),
                        ));
                    }
                    Some(suffix) => Output::in_place(input.path(), backup(input.path(), suffix)),
                    None => Output::Nowhere,
                };
                let mut work = Work::new(&plan.options, plan.show(&input, styles), output);
                if plan.log.is_some() {
                    work.keep_log(input.path(), input.path());
                }
                let done = work.run(&input, &mut chunk, |out| {
                    ticket.said.out.append(out);
                    ticket.relieve();
                    !ticket.is_stopped()
                })?;
                work.finish(plan.log.as_ref(), &mut ticket.said.out)?;
                Ok((input, done))
            });
            match outcome {
                Ok((input, Some(done))) => {
                    if let Some(line) = plan.count(&input, &done) {
                        ticket.say_err(format_args!("utfkit: {line}"));
                    }
                    if plan.dry && done.changes() > 0 { Status::IllFormed } else { Status::Well }
                }
                Ok((input, None)) => {
                    if let Some(line) = plan.binary(&input) {
                        ticket.say_err(format_args!("utfkit: {line}"));
                    }
                    Status::Well
                }
                // The reader has what it wanted.
                Err(Failure::Unwritable(_, error)) if is_broken_pipe(&error) => Status::Well,
                Err(failure) => {
                    ticket.say_err(format_args!("utfkit: {failure}"));
                    failure.status()
                }
            }
        }
    })?;
    Ok(status)
}

/// All inputs, one behind the other, into one output.
fn concatenate(plan: &Plan<'_>, output: Option<&Path>) -> anyhow::Result<Status> {
    let named = || output.map_or("standard output".to_owned(), |path| Escaped(path).to_string());
    let mut inputs = Inputs::new(&plan.args.inputs)?.peekable();
    let first = inputs.next();
    ensure!(
        plan.log.is_none() || inputs.peek().is_none(),
        "a log can take back what came of one file: with --log give one file, or --in-place"
    );
    let mut target = match output {
        Some(path) => Target::file(path).with_context(named)?,
        None => Target::stdout(),
    };
    let mut console = Console::new();
    let (mut status, mut chunk) = (Status::Well, vec![0; CHUNK]);
    for input in first.into_iter().chain(inputs) {
        let outcome = input.map_err(Failure::Unreadable).and_then(|input| {
            let mut work = Work::new(&plan.options, plan.show(&input, console.out_styles), Output::Shared(&mut target));
            if plan.log.is_some() {
                work.keep_log(output.unwrap_or(Path::new("-")), input.path());
            }
            let mut print = |out: &mut Vec<u8>| {
                let printed = console.print(out, &[]);
                out.clear();
                printed.is_ok()
            };
            let done = work.run(&input, &mut chunk, &mut print)?;
            let mut rest = Vec::new();
            work.finish(plan.log.as_ref(), &mut rest)?;
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

/// The files in work. Two arguments can name one file, which must not be
/// written by two threads at once; the second finds nothing left to do.
#[derive(Default)]
struct Busy {
    files: Mutex<Vec<PathBuf>>,
    done: Condvar,
}

/// A file in work, until this is dropped.
struct Turn<'a> {
    busy: &'a Busy,
    file: PathBuf,
}

impl Busy {
    fn wait(&self, path: &Path) -> Turn<'_> {
        // A file that cannot be found fails when it is opened.
        let file = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let mut files =
            self.done.wait_while(files, |files| files.contains(&file)).unwrap_or_else(PoisonError::into_inner);
        files.push(file.clone());
        Turn { busy: self, file }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut files = self.busy.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.retain(|file| *file != self.file);
        drop(files);
        self.busy.done.notify_all();
    }
}

fn backup(path: &Path, suffix: &str) -> Option<PathBuf> {
    if suffix.is_empty() {
        return None;
    }
    let mut name = OsString::from(path);
    name.push(suffix);
    Some(name.into())
}

/// All that `from` has, in a file without a name, to be read twice.
fn spooled(from: &mut dyn Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(from, &mut file)?;
    file.flush()?;
    file.rewind()?;
    Ok(file)
}
