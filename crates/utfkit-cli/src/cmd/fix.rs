//! `utfkit fix`: makes UTF-8 of a folder of files of doubtful origin.
//!
//! First every file is surveyed, and the plan is shown. Then, if the user wants
//! it, each file is changed, unless it was modified since its survey.

mod apply;
mod doubled;
mod edit;
mod example;
mod left;
mod pairs;
mod plan;
mod planned;
mod rules;
mod table;
mod text;

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::args::{Fix, FixFormat, Global};
use crate::binaries::Binaries;
use crate::buffer::Buffer;
use crate::console::{Console, complain};
use crate::each::each;
use crate::exit::Status;
use crate::failure::AtPath;
use crate::gate::Gate;
use crate::input::Input;
use crate::inputs::Inputs;
use crate::lock::Lock;
use crate::log::Log;
use crate::ordered::{self, Ticket};
use crate::pager;
use crate::reading::{CHUNK, Replay};
use crate::rewrites::Rewrites;
use crate::served::Servers;
use left::Left;
use plan::{Decision, Planner};
use planned::Planned;

/// The results of the survey of all files, by the number of the job.
struct Surveyed {
    planned: Lock<Vec<(u64, Planned)>>,
    left: Lock<Vec<(u64, PathBuf, Left)>>,
    fine: AtomicU64,
    declared: AtomicU64,
    binaries: Binaries,
}

pub(crate) fn run(args: &Fix, global: &Global) -> anyhow::Result<Status> {
    args.validate()?;
    let rewrites = Rewrites::new(&args.inputs, "", args.clean)?;
    let rules = args.rules();
    let gate = Gate::new(args.writing.text, args.writing.force).for_rules(rules.controls.is_some(), args.encoding);
    let servers = Servers::default();
    let planner = Planner { gate: &gate, trust: args.trust.least(), rules, servers: &servers };
    let surveyed = Surveyed {
        planned: Lock::default(),
        left: Lock::default(),
        fine: AtomicU64::new(0),
        declared: AtomicU64::new(0),
        binaries: Binaries::new(global.verbose),
    };
    let inputs = Inputs::to_be_written(&args.inputs)?;
    let read = each(inputs, global.threads(), Console::new(), &surveyed.binaries, || {
        let mut chunk = Buffer::new(CHUNK);
        let (planner, surveyed, rewrites) = (&planner, &surveyed, &rewrites);
        move |input: &Input, ticket: &mut Ticket<'_>| {
            rewrites.clean(input.path(), |message| ticket.complain(message));
            if rewrites.passes_over(input) {
                return Ok(Status::Well);
            }
            if let Some((file, metadata)) = rewrites.open(input).reading(input.path())? {
                let decision = planner.decide(input, &mut Replay::new(&file, &mut chunk), &metadata)?;
                surveyed.take(ticket, input, decision);
            }
            Ok(Status::Well)
        }
    })?;
    let Surveyed { planned, left, fine, declared, binaries } = surveyed;
    let mut planned = planned.into_inner();
    let mut left = left.into_inner();
    planned.sort_by_key(|(number, _)| *number);
    pairs::settle(&mut planned, &mut left);
    left.sort_by_key(|(number, ..)| *number);
    let mut console = if args.format == FixFormat::Jsonl { Console::for_json() } else { Console::new() };
    let mut out = Vec::new();
    match args.format {
        _ if args.hides_plan => {}
        FixFormat::Jsonl => table::jsonl(&mut out, &planned, &left),
        FixFormat::Text => table::text(&mut out, console.out_styles, args.all, &planned, &left),
    }
    // --yes is for scripts, which cannot leave a pager.
    if args.format == FixFormat::Text && !args.yes {
        pager::print(&mut console, &out)
    } else {
        console.print(&out, &[])
    }?;
    drop(console);
    let counts = table::counts(
        planned.len() as u64,
        left.len() as u64,
        [fine.into_inner(), declared.into_inner()],
        binaries.counted(),
    );
    let mut status = read.max(if left.is_empty() { Status::Well } else { Status::IllFormed });
    let wanted = args.yes || !planned.is_empty() && !args.dry_run && asked(args, &counts, planned.len())?;
    if planned.is_empty() || !wanted {
        if !args.silent {
            let hint = if planned.is_empty() { "" } else { "; nothing was changed, --yes does it" };
            complain(&format!("{counts}{hint}"));
        }
        let status = status.max(rewrites.finish("fix"));
        return Ok(if planned.is_empty() { status } else { status.max(Status::IllFormed) });
    }
    let paths = match args.inputs.files0_from {
        // The list was read by then, and links lead elsewhere.
        _ if args.inputs.follow => planned.iter().map(|(_, planned)| planned.path.clone()).collect(),
        Some(_) => planned.iter().map(|(_, planned)| planned.path.clone()).collect(),
        None => args.inputs.paths.clone(),
    };
    let log = Log::of("fix", &args.writing, &paths)?;
    let force = args.writing.force;
    let files = planned.into_iter().map(|(_, planned)| planned);
    status = status.max(ordered::run(files, global.threads(), Console::new(), || {
        let (log, rewrites) = (log.as_ref(), &rewrites);
        move |planned: Planned, ticket: &mut Ticket<'_>| match apply::apply(&planned, log, force, |message| {
            ticket.complain(message)
        }) {
            Ok(()) => {
                rewrites.written(&planned.path);
                Status::Well
            }
            Err(failure) => {
                ticket.complain(failure);
                Status::Failed
            }
        }
    })?);
    let changed = rewrites.changed();
    status = status.max(rewrites.finish("fix"));
    if !args.silent && args.yes {
        complain(&counts);
    }
    log.and_then(|log| log.finish(changed, "file")).filter(|_| !args.silent).iter().for_each(|line| complain(line));
    Ok(status)
}

impl Surveyed {
    fn take(&self, ticket: &mut Ticket<'_>, input: &Input, decision: Decision) {
        match decision {
            Decision::Fine => {
                self.fine.fetch_add(1, Ordering::Relaxed);
            }
            Decision::Declared => {
                self.declared.fetch_add(1, Ordering::Relaxed);
            }
            Decision::Binary(why) => self.binaries.skip(input.path(), why, |message| ticket.complain(message)),
            Decision::Left(left) => self.left(ticket.number(), input, left),
            Decision::Change(planned) => {
                if let Some(rest) = planned.rest() {
                    self.left(ticket.number(), input, rest);
                }
                self.planned.lock().push((ticket.number(), *planned));
            }
        }
    }

    fn left(&self, number: u64, input: &Input, left: Left) {
        self.left.lock().push((number, input.path().to_owned(), left));
    }
}

/// Asks on a terminal. Elsewhere the answer is no.
fn asked(args: &Fix, counts: &str, files: usize) -> io::Result<bool> {
    let reads_names = args.inputs.files0_from.as_deref().is_some_and(|from| from.as_os_str() == "-");
    if reads_names || !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(false);
    }
    let these = if files == 1 { "this file".to_owned() } else { format!("these {files} files") };
    anstream::eprint!("{counts}.\nChange {these}? A log is kept, and `utfkit undo` takes it back. [y/N] ");
    io::stderr().flush()?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}
