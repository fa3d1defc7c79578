//! `utfkit convert --in-place`: each input over itself, several at once.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::mem;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::ensure;

use super::Plan;
use super::auto::source;
use super::conversion::{Conversion, Failure};
use crate::args::Convert;
use crate::buffer::Buffer;
use crate::exit::Status;
use crate::feed::Feed;
use crate::input::{Input, Inputs, Unreadable};
use crate::once::Once;
use crate::ordered::{self, Ticket};
use crate::progress;
use crate::report::{Console, Escaped, Styles, complain, finding_line, skipped_binaries};
use crate::sink::{Rewrite, Sink};
use crate::target::{Snapshot, ensure_regular, is_backup};
use crate::temporary::{Cleaner, is_temporary};

struct Job<'a> {
    plan: &'a Plan,
    suffix: &'a str,
    cleaner: Option<Cleaner>,
    /// For names that may be given twice.
    once: Option<Once>,
    styles: Styles,
    threads: bool,
    binaries: AtomicU64,
    backups: AtomicU64,
}

/// What a worker uses for one file after the other.
#[derive(Default)]
struct Buffers {
    chunk: Buffer,
    room: Buffer,
}

pub(super) fn run(args: &Convert, plan: &Plan, suffix: &str, threads: usize) -> anyhow::Result<Status> {
    let (paths, listed) = (&args.inputs.paths, args.inputs.files0_from.is_some());
    ensure!(
        listed || !(paths.is_empty() || paths.iter().any(|path| path == Path::new("-"))),
        "--in-place needs files: standard input has no place to be written to"
    );
    ensure!(
        !suffix.contains(['/', MAIN_SEPARATOR]),
        "--in-place={}: a suffix is the end of a name, and cannot lead into a folder",
        Escaped(Path::new(suffix))
    );
    let console = Console::new();
    let job = Job {
        plan,
        suffix,
        cleaner: args.clean.then(Cleaner::default),
        once: (listed || paths.len() > 1).then(Once::default),
        styles: console.err_styles,
        threads: threads > 1,
        binaries: AtomicU64::new(0),
        backups: AtomicU64::new(0),
    };
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
    let suffix = Escaped(Path::new(suffix));
    skipped_binaries(job.binaries.into_inner(), "convert");
    match job.backups.into_inner() {
        0 => {}
        1 => complain(&format!("skipped 1 backup ({suffix}); name it to convert it too")),
        n => complain(&format!("skipped {n} backups ({suffix}); name them to convert them too")),
    }
    job.cleaner.and_then(|cleaner| cleaner.report()).as_deref().into_iter().for_each(complain);
    Ok(status)
}

impl Job<'_> {
    fn run(&self, input: &Input, ticket: &mut Ticket<'_>, buffers: &mut Buffers) -> Status {
        let path = input.path();
        if !input.is_named() && is_temporary(path) {
            // Of this run or of another one, which will give it its name.
            return Status::Well;
        }
        if !input.is_named() && is_backup(path, self.suffix) {
            self.backups.fetch_add(1, Ordering::Relaxed);
            return Status::Well;
        }
        let mut status = Status::Well;
        if let Some(cleaner) = &self.cleaner
            && !cleaner.beside(path, |message| ticket.say_err(format_args!("utfkit: {message}")))
        {
            status = Status::Failed;
        }
        let failed = match self.convert(input, ticket, buffers) {
            Ok(()) => return status,
            Err(Failure::Stopped(stopped)) => {
                finding_line(&mut ticket.said.err, self.styles, &stopped.path, &stopped.finding);
                ticket.say_err(format_args!("utfkit: {}: left as it was", Escaped(path)));
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
        let unreadable = |error| Failure::Unreadable(Unreadable::new(path, &error));
        if input.is_stdin() {
            return Err(unreadable(io::Error::other("standard input has no place to be written to")));
        }
        // Before it is opened: a pipe would wait for somebody to write.
        ensure_regular(&fs::metadata(path).map_err(unreadable)?).map_err(unreadable)?;
        progress::opened();
        let file = Arc::new(File::open(path).map_err(unreadable)?);
        let metadata = file.metadata().map_err(unreadable)?;
        ensure_regular(&metadata).map_err(unreadable)?;
        if let Some(once) = &self.once
            && !once.take(path, &metadata).map_err(unreadable)?
        {
            ticket.say_err(format_args!("utfkit: {}: named before, and converted once", Escaped(path)));
            return Ok(());
        }
        let backup = self.backup(path);
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
            if let Some(once) = &self.once {
                once.written(path);
            }
        }
        if let Some(counts) = conversion.report(Some(path)) {
            ticket.say_err(format_args!("utfkit: {counts}"));
        }
        Ok(())
    }

    fn backup(&self, path: &Path) -> Option<PathBuf> {
        if self.suffix.is_empty() {
            return None;
        }
        let mut name = OsString::from(path);
        name.push(self.suffix);
        Some(name.into())
    }
}
