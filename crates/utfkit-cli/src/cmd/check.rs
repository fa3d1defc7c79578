//! `utfkit check`: is it well-formed, and where is it not?

mod large;

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use utfkit::diagnose::{Ahead, Checker};

use crate::args::{Check, Global};
use crate::buffer::Buffer;
use crate::exit::Status;
use crate::input::{Input, Inputs, Unreadable};
use crate::ordered::{self, Ticket};
use crate::reading::read_some;
use crate::report::{Escaped, Report, Reports, skipped_binaries};
use large::Cut;

struct Job<'a> {
    args: &'a Check,
    reports: &'a Reports,
    binaries: &'a AtomicU64,
    verbose: bool,
    /// How a large file is cut, if there are threads for it.
    cut: Cut,
    threads: usize,
}

pub(crate) fn run(args: &Check, global: &Global) -> anyhow::Result<Status> {
    args.validate()?;
    let binaries = AtomicU64::new(0);
    let reports = Reports::new(args);
    let inputs = Inputs::new(&args.inputs)?;
    let console = reports.console()?;
    let job = Job {
        args,
        reports: &reports,
        binaries: &binaries,
        verbose: global.verbose,
        cut: Cut::new(),
        threads: global.threads(),
    };
    let status = ordered::run(inputs, job.threads, console, || {
        let mut chunk = Buffer::new(job.cut.chunk);
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
        let mut checking = Checking {
            checker: Checker::new(self.args.encoding, self.args.standard.into()),
            report: self.reports.file(input.path(), ticket.number()),
        };
        self.read(input, chunk, &mut checking, ticket).unwrap_or_else(|error| {
            checking.report.unreadable(ticket, &Unreadable::new(input.path(), &error));
            Status::Failed
        })
    }

    fn read(
        &self,
        input: &Input,
        chunk: &mut [u8],
        checking: &mut Checking<'_>,
        ticket: &mut Ticket<'_>,
    ) -> io::Result<Status> {
        let mut reader = input.reader()?;
        let mut first = true;
        loop {
            // What was found before an error stands.
            let len = read_some(&mut reader, chunk).inspect_err(|_| ticket.relieve())?;
            let bytes = &chunk[..len];
            if first && input.is_binary(bytes, self.args.encoding) {
                self.binaries.fetch_add(1, Ordering::Relaxed);
                if self.verbose && !self.reports.is_quiet() {
                    ticket.say_err(format_args!("utfkit: {}: binary, skipped", Escaped(input.path())));
                }
                return Ok(Status::Well);
            }
            checking.feed(bytes, ticket);
            if len == 0 || checking.is_decided(ticket) {
                break;
            }
            ticket.relieve();
            ticket.pass_on();
            if first
                && self.threads > 1
                && len == chunk.len()
                && !checking.report.wants()
                && let Some(rest) = reader.rest()?
            {
                large::check(&rest, self.cut, checking, chunk, ticket)?;
            }
            first = false;
        }
        let totals = checking.checker.totals();
        checking.report.summary(ticket, &totals);
        Ok(if totals.findings() > 0 { Status::IllFormed } else { Status::Well })
    }
}

/// One file under check.
struct Checking<'a> {
    checker: Checker,
    report: Report<'a>,
}

impl Checking<'_> {
    /// Checks what comes next; nothing is the end.
    fn feed(&mut self, bytes: &[u8], ticket: &mut Ticket<'_>) {
        let Checking { checker, report } = self;
        if report.wants() {
            report.feed(ticket, bytes);
        }
        let found = |finding: &_| report.finding(ticket, finding);
        if bytes.is_empty() { checker.finish(found) } else { checker.feed(bytes, found) }
    }

    /// The same for what `ahead` has looked at. Answers how many bytes that is.
    fn join(&mut self, ahead: &Ahead, ticket: &mut Ticket<'_>) -> usize {
        let Checking { checker, report } = self;
        checker.join(ahead, |finding| report.finding(ticket, finding))
    }

    fn ahead(&self) -> Option<Ahead> {
        self.checker.ahead()
    }

    /// Whether nothing more has to be read: for names and the status, one
    /// finding is enough.
    fn is_decided(&self, ticket: &Ticket<'_>) -> bool {
        self.report.is_nothing() && self.checker.totals().findings() > 0 || ticket.is_stopped()
    }
}
