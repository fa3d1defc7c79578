//! `utfkit check`: is it well-formed, and where is it not?

mod changed;
mod conventions;
mod large;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use utfkit::Encoding;
use utfkit::diagnose::{Ahead, Checker};

use crate::args::{Check, Global};
use crate::buffer::Buffer;
use crate::declared::{Declarations, Declared};
use crate::exit::Status;
use crate::input::{Input, Inputs, Unreadable};
use crate::ordered::{self, Ticket};
use crate::reading::read_some;
use crate::report::{Escaped, Found, Report, Reports, skipped_binaries};
use changed::{Changed, Lines};
use conventions::{Conventions, Scanner};
use large::Cut;

struct Job<'a> {
    args: &'a Check,
    reports: &'a Reports,
    binaries: &'a AtomicU64,
    declarations: Arc<Declarations>,
    changed: Option<Changed>,
    verbose: bool,
    /// How a large file is cut, if there are threads for it.
    cut: Cut,
    threads: usize,
}

pub(crate) fn run(mut args: Check, global: &Global) -> anyhow::Result<Status> {
    args.validate()?;
    let changed = args.changed.as_deref().map(Changed::since).transpose()?;
    if changed.is_some() && args.inputs.paths.is_empty() && args.inputs.files0_from.is_none() {
        args.inputs.paths.push(PathBuf::from("."));
    }
    let args = &args;
    let binaries = AtomicU64::new(0);
    let reports = Reports::new(args);
    let inputs = Inputs::new(&args.inputs)?;
    let console = reports.console()?;
    let job = Job {
        args,
        reports: &reports,
        binaries: &binaries,
        declarations: inputs.declarations(),
        changed,
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
        let failed = |report: &mut Report<'_>, ticket: &mut Ticket<'_>, error: &io::Error| {
            report.unreadable(ticket, &Unreadable::new(input.path(), error));
            Status::Failed
        };
        let declared = if input.is_stdin() { Declared::default() } else { self.declarations.of(input.path()) };
        let encoding = match (self.args.encoding, &declared.encoding) {
            (Some(encoding), _) => encoding,
            (None, &Some(Ok(encoding))) => encoding,
            (None, None) => Encoding::Utf8,
            (None, Some(Err(unknown))) => {
                let mut report = self.reports.file(input.path(), Encoding::Utf8, ticket.number());
                return failed(&mut report, ticket, &io::Error::other(unknown.as_str()));
            }
        };
        let mut report = self.reports.file(input.path(), encoding, ticket.number());
        let lines = match &self.changed {
            Some(changed) if !input.is_stdin() => match changed.lines(input.path()) {
                Ok(Some(lines)) => Some(lines),
                Ok(None) => return Status::Well,
                Err(error) => return failed(&mut report, ticket, &error),
            },
            _ => None,
        };
        let standard = self.args.standard.into();
        let mut checking = Checking {
            checker: Checker::new(encoding, standard),
            conventions: Conventions::new(self.args, &declared)
                .map(|asked| Box::new(Scanner::new(asked, encoding, standard))),
            lines,
            report,
        };
        self.read(input, encoding, chunk, &mut checking, ticket)
            .unwrap_or_else(|error| failed(&mut checking.report, ticket, &error))
    }

    fn read(
        &self,
        input: &Input,
        encoding: Encoding,
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
            if first && input.is_binary(bytes, encoding) {
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
                && !checking.needs_all()
                && let Some(rest) = reader.rest()?
            {
                large::check(&rest, self.cut, checking, chunk, ticket)?;
            }
            first = false;
        }
        let totals = checking.checker.totals();
        checking.report.summary(ticket, &totals);
        Ok(if checking.report.findings() > 0 { Status::IllFormed } else { Status::Well })
    }
}

/// One file under check.
struct Checking<'a> {
    checker: Checker,
    conventions: Option<Box<Scanner>>,
    /// The only ones whose findings count.
    lines: Option<&'a Lines>,
    report: Report<'a>,
}

impl Checking<'_> {
    /// Checks what comes next; nothing is the end.
    fn feed(&mut self, bytes: &[u8], ticket: &mut Ticket<'_>) {
        let Checking { checker, conventions, lines, report } = self;
        if report.wants() {
            report.feed(ticket, bytes);
        }
        let counts = |found: &Found| lines.is_none_or(|lines| lines.contains(found.line()));
        let mut check = |found: &mut dyn FnMut(Found)| {
            let found = |finding: &_| found(Found::IllFormed(*finding));
            if bytes.is_empty() { checker.finish(found) } else { checker.feed(bytes, found) }
        };
        let Some(conventions) = conventions else {
            check(&mut |found| {
                if counts(&found) {
                    report.finding(ticket, &found);
                }
            });
            return report.checked(bytes);
        };
        // Two look at the same bytes, and what they find stands in one order.
        let mut all = Vec::new();
        check(&mut |found| all.push(found));
        conventions.feed(bytes, |item| all.push(Found::Other(item)));
        all.sort_by_key(Found::offset);
        all.iter().filter(|found| counts(found)).for_each(|found| report.finding(ticket, found));
        report.checked(bytes);
    }

    /// The same for what `ahead` has looked at. Returns how many bytes that is.
    fn join(&mut self, ahead: &Ahead, ticket: &mut Ticket<'_>) -> usize {
        let Checking { checker, lines, report, .. } = self;
        checker.join(ahead, |finding| {
            if lines.is_none_or(|lines| lines.contains(finding.line())) {
                report.finding(ticket, &Found::IllFormed(*finding));
            }
        })
    }

    fn ahead(&self) -> Option<Ahead> {
        self.checker.ahead()
    }

    /// Whether somebody has to see every byte of the file.
    fn needs_all(&self) -> bool {
        self.conventions.is_some() || self.report.wants()
    }

    /// Whether nothing more has to be read: for names and the status, one
    /// finding is enough.
    fn is_decided(&self, ticket: &Ticket<'_>) -> bool {
        self.report.is_nothing() && self.report.findings() > 0 || ticket.is_stopped()
    }
}
