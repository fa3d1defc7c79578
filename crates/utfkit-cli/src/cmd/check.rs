//! `utfkit check`: is it well-formed, and where is it not?

use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};

use utfkit::diagnose::{Checker, Finding};

use crate::args::{Check, Global};
use crate::exit::Status;
use crate::input::{Input, Inputs, Unreadable};
use crate::ordered::{self, Ticket};
use crate::report::{Escaped, Report, Reports, skipped_binaries};

/// Read at once. It stays in the second cache between the copy that the kernel
/// makes and the check.
const CHUNK: usize = 128 << 10;

struct Job<'a> {
    args: &'a Check,
    reports: &'a Reports,
    binaries: &'a AtomicU64,
    verbose: bool,
}

pub(crate) fn run(args: &Check, global: &Global) -> anyhow::Result<Status> {
    args.validate()?;
    let binaries = AtomicU64::new(0);
    let reports = Reports::new(args);
    let inputs = Inputs::new(&args.inputs)?;
    let console = reports.console()?;
    let job = Job { args, reports: &reports, binaries: &binaries, verbose: global.verbose };
    let status = ordered::run(inputs, global.threads(), console, || {
        let mut chunk = vec![0; CHUNK];
        let job = &job;
        move |input: Result<Input, Unreadable>, ticket: &mut Ticket<'_>| match input {
            Ok(input) => job.check(&input, &mut chunk, ticket),
            Err(unreadable) => {
                job.reports.unreadable(ticket, &unreadable);
                Status::Failed
            }
        }
    })?;
    let binaries = binaries.into_inner();
    reports.finish(status, binaries)?;
    if !reports.is_quiet() {
        skipped_binaries(binaries, "check");
    }
    Ok(status)
}

impl Job<'_> {
    fn check(&self, input: &Input, chunk: &mut [u8], ticket: &mut Ticket<'_>) -> Status {
        let mut report = self.reports.file(input.path(), ticket.number());
        self.read(input, chunk, &mut report, ticket).unwrap_or_else(|error| {
            report.unreadable(ticket, &Unreadable::new(input.path(), &error));
            Status::Failed
        })
    }

    fn read(
        &self,
        input: &Input,
        chunk: &mut [u8],
        report: &mut Report<'_>,
        ticket: &mut Ticket<'_>,
    ) -> io::Result<Status> {
        let args = self.args;
        let mut reader = input.open()?;
        let mut checker = Checker::new(args.encoding, args.standard.into());
        let mut first = true;
        loop {
            let len = match reader.read(chunk) {
                Ok(len) => len,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    // What was found up to here stands.
                    ticket.relieve();
                    return Err(error);
                }
            };
            let bytes = &chunk[..len];
            if first && input.is_binary(bytes, args.encoding) {
                self.binaries.fetch_add(1, Ordering::Relaxed);
                if self.verbose && !self.reports.is_quiet() {
                    ticket.say_err(format_args!("utfkit: {}: binary, skipped", Escaped(input.path())));
                }
                return Ok(Status::Well);
            }
            first = false;
            if report.wants() {
                report.feed(ticket, bytes);
            }
            let found = |finding: &Finding| report.finding(ticket, finding);
            if len == 0 {
                checker.finish(found)
            } else {
                checker.feed(bytes, found)
            }
            // For names and the status, one finding is enough.
            let decided = report.is_nothing() && checker.totals().findings() > 0;
            if len == 0 || decided || ticket.is_stopped() {
                break;
            }
            ticket.relieve();
        }
        let totals = checker.totals();
        report.summary(ticket, &totals);
        Ok(if totals.findings() > 0 { Status::IllFormed } else { Status::Well })
    }
}
