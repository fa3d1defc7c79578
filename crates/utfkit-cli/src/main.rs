//! The command `utfkit`: the face of the library on a command line. It walks
//! folders, reads, writes and reports; what is well-formed, and what it becomes
//! in another encoding, only the library knows.

mod args;
mod cmd;
mod columns;
mod exit;
mod input;
mod names;
mod ordered;
mod report;
mod target;

use std::io;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::{Args, Command};
use exit::Status;

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return report::wrong_usage(&error),
    };
    match run(args) {
        Ok(status) => status.into(),
        // The reader has what it wanted: nothing to complain about.
        Err(error) if is_broken_pipe(&error) => Status::Well.into(),
        Err(error) => {
            report::complain(&format!("{error:#}"));
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
    match args.command {
        Some(Command::Check(check)) => cmd::check::run(&check, &args.global),
        Some(Command::Convert(convert)) => cmd::convert::run(&convert, &args.global),
        Some(Command::Count(count)) => cmd::count::run(&count, &args.global),
        Some(Command::Repair(repair)) => cmd::repair::run(&repair, &args.global),
        Some(Command::List) => cmd::list::run(),
        None => {
            Args::command().print_help()?;
            Ok(Status::Failed)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(exit::is_broken_pipe)
}
