//! The command `utfkit`: reads the arguments, walks folders, reads and writes
//! files, and reports. Everything about encodings comes from the library
//! `utfkit`.
//!
//! This library exists for the program in `main.rs`, and for tests and fuzzers
//! that ask how a command line is read.

// `stdout` allows unsafe code for the expansion of a macro.
#![deny(unsafe_code)]

mod args;
mod binaries;
mod buffer;
mod census;
mod checksum;
mod cmd;
mod columns;
mod compressed;
mod confined;
mod console;
mod declared;
mod destination;
mod each;
mod exit;
mod failure;
mod feed;
mod gate;
mod gitattributes;
mod input;
mod inputs;
mod labels;
mod lock;
mod log;
mod misread;
mod names;
mod neighbours;
mod once;
mod ordered;
mod pager;
mod paths;
mod printable;
mod progress;
mod quoted;
mod readers;
mod reading;
mod record;
mod report;
mod rewrites;
mod rules;
mod served;
mod signals;
mod sink;
mod stale;
mod state;
mod stdout;
mod survey;
mod temporary;
mod transcoding;
mod unicode;
mod walk;
mod wide;

use std::env;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, Parser};

use args::Command;
use exit::Status;

pub use args::{Args, Errors};
pub use names::encoding as encoding_named;

/// Runs the command with the arguments of the process.
pub fn main() -> ExitCode {
    let args = match Args::quick(env::args_os().collect()).map_or_else(Args::try_parse, Ok) {
        Ok(args) => args.with_patterns(),
        Err(error) => {
            let status = console::wrong_usage(&error);
            advise(&error);
            return status;
        }
    };
    match run(args) {
        Ok(status) => status.into(),
        // The reader of our output needs no more of it.
        Err(error) if is_broken_pipe(&error) => Status::Well.into(),
        Err(error) => {
            console::complain(&printable::causes(&error));
            Status::Failed.into()
        }
    }
}

fn run(args: Args) -> anyhow::Result<Status> {
    args.global.color.apply();
    if let Some(isa) = args.global.isa {
        utfkit::isa::set(isa)?;
    }
    if args.version {
        return cmd::version::run(args.global.verbose);
    }
    if args.command.as_ref().is_some_and(wants_stdout) {
        stdout::ensure_open()?;
    }
    let _progress = progress::start(args.command.as_ref().is_some_and(wants_progress));
    match args.command {
        Some(Command::Check(check)) => cmd::check::run(*check, &args.global),
        Some(Command::Convert(convert)) => cmd::convert::run(&convert, &args.global),
        Some(Command::Count(count)) => cmd::count::run(&count, &args.global),
        Some(Command::Detect(detect)) => cmd::detect::run(&detect, &args.global),
        Some(Command::Inspect(inspect)) => cmd::inspect::run(&inspect),
        Some(Command::List(list)) => cmd::list::subcommand(&list),
        Some(Command::Completions(completions)) => cmd::completions::run(&completions),
        Some(Command::Man(man)) => cmd::man::run(&man),
        Some(Command::Report(report)) => cmd::report::run(&report, &args.global),
        Some(Command::Fix(fix)) => cmd::fix::run(&fix, &args.global),
        Some(Command::Names(names)) => cmd::names::run(&names, &args.global),
        Some(Command::Undo(undo)) => cmd::undo::run(&undo, &args.global),
        Some(Command::Repair(repair)) => cmd::repair::run(&repair, &args.global),
        None => {
            // Help that was not asked for is a message: standard output stays empty.
            anstream::eprint!("{}", Args::command().render_help().ansi());
            Ok(Status::Failed)
        }
    }
}

/// Suggests `check` where the first argument is a file and not a subcommand.
fn advise(error: &clap::Error) {
    let word = error.get(ContextKind::InvalidSubcommand);
    if let Some(ContextValue::String(word)) = word
        && Path::new(word).exists()
    {
        let file = printable::escaped_text(word);
        console::complain(&format!("{file} is a file: try `utfkit check {file}`"));
    }
}

/// True if a progress bar may be drawn. Output to a terminal that bypasses
/// [`console::Console`] would be mixed with it.
fn wants_progress(command: &Command) -> bool {
    match command {
        Command::Check(check) => !check.quiet && (!check.fix || check.yes),
        Command::Count(_) | Command::Detect(_) => true,
        Command::Convert(convert) => !convert.outputs.is_stdout() || !io::stdout().is_terminal(),
        Command::Repair(repair) => !repair.outputs.is_stdout() || !io::stdout().is_terminal(),
        // Without `--yes` it may ask a question.
        Command::Fix(fix) => fix.yes,
        Command::Undo(_) => true,
        Command::Report(report) => report.output.is_some() || !io::stdout().is_terminal(),
        Command::Names(_) | Command::Inspect(_) | Command::List(_) | Command::Completions(_) | Command::Man(_) => false,
    }
}

/// True if the command writes to standard output without [`console::Console`],
/// which would notice that it is closed.
fn wants_stdout(command: &Command) -> bool {
    match command {
        Command::Convert(convert) => convert.outputs.is_stdout(),
        Command::Repair(repair) => repair.outputs.is_stdout() && !repair.dry_run && repair.undo.is_none(),
        Command::Completions(_) => true,
        Command::Man(man) => man.output.is_none(),
        Command::Report(report) => report.output.is_none(),
        Command::Check(_)
        | Command::Count(_)
        | Command::Detect(_)
        | Command::Fix(_)
        | Command::Inspect(_)
        | Command::List(_)
        | Command::Names(_)
        | Command::Undo(_) => false,
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(exit::is_broken_pipe)
}
