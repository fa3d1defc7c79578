//! `utfkit check`: is it well-formed, and where is it not?

mod large;

use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};

use utfkit::Encoding;
use utfkit::diagnose::{Ahead, Checker, Finding};

use crate::args::{Check, Format, Global};
use crate::buffer::Buffer;
use crate::exit::Status;
use crate::input::{Input, Inputs, Unreadable};
use crate::ordered::{self, Ticket};
use crate::report::{Console, Escaped, Jsonl, Styles, Text, skipped_binaries};
use large::Cut;

/// What is printed of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Show {
    Findings(Format),
    Nothing,
    BadNames,
    GoodNames,
}

struct Job<'a> {
    args: &'a Check,
    show: Show,
    out: Styles,
    err: Styles,
    binaries: &'a AtomicU64,
    verbose: bool,
    /// How a large file is cut, if there are threads for it.
    cut: Cut,
    threads: usize,
}

pub(crate) fn run(args: &Check, global: &Global) -> anyhow::Result<Status> {
    let binaries = AtomicU64::new(0);
    let show = match (args.quiet, args.list_bad, args.list_good) {
        (true, ..) => Show::Nothing,
        (_, true, _) => Show::BadNames,
        (_, _, true) => Show::GoodNames,
        _ => Show::Findings(args.format),
    };
    let console = match show {
        Show::Findings(Format::Jsonl) => Console::for_json(),
        _ => Console::new(),
    };
    let job = Job {
        args,
        show,
        out: console.out_styles,
        err: console.err_styles,
        binaries: &binaries,
        verbose: global.verbose,
        cut: Cut::new(),
        threads: global.threads(),
    };
    let status = ordered::run(Inputs::new(&args.inputs)?, job.threads, console, || {
        let mut chunk = Buffer::new(job.cut.chunk);
        let job = &job;
        move |input: Result<Input, Unreadable>, ticket: &mut Ticket<'_>| {
            let outcome = input.and_then(|input| {
                job.check(&input, &mut chunk, ticket).map_err(|error| Unreadable::new(input.path(), &error))
            });
            outcome.unwrap_or_else(|unreadable| {
                if show != Show::Nothing {
                    ticket.say_err(format_args!("utfkit: {unreadable}"));
                }
                Status::Failed
            })
        }
    })?;
    if show != Show::Nothing {
        skipped_binaries(binaries.into_inner(), "check");
    }
    Ok(status)
}

impl Job<'_> {
    fn check(&self, input: &Input, chunk: &mut [u8], ticket: &mut Ticket<'_>) -> io::Result<Status> {
        let args = self.args;
        let mut reader = input.reader()?;
        let report = match self.show {
            Show::Findings(Format::Text) => {
                let hint = args.encoding == Encoding::Utf8;
                Report::Text(Box::new(Text::new(input.path(), self.out, self.err, hint)))
            }
            Show::Findings(Format::Jsonl) => Report::Jsonl(Jsonl::new(input.path())),
            _ => Report::Nothing,
        };
        let mut checking = Checking {
            checker: Checker::new(args.encoding, args.standard.into()),
            findings: Findings {
                report,
                shown: 0,
                limit: if args.max_errors == 0 { u64::MAX } else { args.max_errors },
            },
        };
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
                if self.verbose && self.show != Show::Nothing {
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
                && let Some(rest) = reader.rest()?
            {
                large::check(&rest, self.cut, &mut checking, chunk, ticket)?;
            }
            first = false;
        }
        let Checking { checker, findings: Findings { report, shown, .. } } = checking;
        let totals = checker.totals();
        let bad = totals.findings() > 0;
        match &report {
            Report::Text(text) => text.summary(&mut ticket.said.err, &totals, shown),
            Report::Jsonl(jsonl) => jsonl.summary(&mut ticket.said.out, &totals, shown),
            Report::Nothing if self.show == if bad { Show::BadNames } else { Show::GoodNames } => {
                ticket.say_out(format_args!("{}", Escaped(input.path())));
            }
            Report::Nothing => {}
        }
        Ok(if bad { Status::IllFormed } else { Status::Well })
    }
}

/// One file under check.
struct Checking {
    checker: Checker,
    findings: Findings,
}

/// Where its findings go.
struct Findings {
    report: Report,
    /// How many findings were shown, of at most so many.
    shown: u64,
    limit: u64,
}

impl Findings {
    fn take(&mut self, finding: &Finding, ticket: &mut Ticket<'_>) {
        let show = self.shown < self.limit;
        self.shown += u64::from(show);
        self.report.finding(ticket, finding, show);
    }
}

impl Checking {
    /// Checks what comes next; nothing is the end.
    fn feed(&mut self, bytes: &[u8], ticket: &mut Ticket<'_>) {
        let Checking { checker, findings } = self;
        let found = |finding: &Finding| findings.take(finding, ticket);
        if bytes.is_empty() { checker.finish(found) } else { checker.feed(bytes, found) }
    }

    /// The same for what `ahead` has looked at. Answers how many bytes that is.
    fn join(&mut self, ahead: &Ahead, ticket: &mut Ticket<'_>) -> usize {
        let Checking { checker, findings } = self;
        checker.join(ahead, |finding| findings.take(finding, ticket))
    }

    fn ahead(&self) -> Option<Ahead> {
        self.checker.ahead()
    }

    /// Whether nothing more has to be read: for names and the status, one
    /// finding is enough.
    fn is_decided(&self, ticket: &Ticket<'_>) -> bool {
        self.findings.report.is_nothing() && self.checker.totals().findings() > 0 || ticket.is_stopped()
    }
}

enum Report {
    Text(Box<Text>),
    Jsonl(Jsonl),
    Nothing,
}

impl Report {
    fn finding(&mut self, ticket: &mut Ticket<'_>, finding: &Finding, show: bool) {
        match self {
            Report::Text(text) => text.finding(&mut ticket.said.out, finding, show),
            Report::Jsonl(jsonl) if show => jsonl.finding(&mut ticket.said.out, finding),
            _ => {}
        }
        // With --max-errors 0 one chunk alone can say very much.
        ticket.relieve();
    }

    fn is_nothing(&self) -> bool {
        matches!(self, Report::Nothing)
    }
}
