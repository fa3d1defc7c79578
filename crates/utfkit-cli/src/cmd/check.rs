//! `utfkit check`: reports ill-formed sequences and breaches of rules.

mod changed;
mod checking;
mod large;

use std::fs::{self, File};
use std::io;
use std::mem;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use utfkit::Encoding;
use utfkit::detect::Detector;
use utfkit::diagnose::Checker;

use crate::args::{BomRule, Check, Fix, FixFormat, Global, Trust};
use crate::binaries::{Binaries, NotText};
use crate::buffer::Buffer;
use crate::cmd;
use crate::declared::{Declarations, Declared};
use crate::exit::Status;
use crate::failure::Unreadable;
use crate::gate::begins_with_strays;
use crate::input::Input;
use crate::inputs::Inputs;
use crate::ordered::{self, Ticket};
use crate::reading::read_some;
use crate::report::{Report, Reports};
use crate::rules::{Rules, Scan};
use changed::Changed;
use checking::Checking;
use large::Cut;

struct Job<'a> {
    args: &'a Check,
    reports: &'a Reports,
    binaries: Binaries,
    declarations: Arc<Declarations>,
    changed: Option<Changed>,
    /// How a large file is split, if there are threads for it.
    cut: Cut,
    threads: usize,
    /// With `--quiet`, an ill-formed input was found, and no more has to be read.
    is_decided: AtomicBool,
}

pub(crate) fn run(mut args: Check, global: &Global) -> anyhow::Result<Status> {
    args.settle();
    args.validate()?;
    let changed = args.changed.as_deref().map(Changed::since).transpose()?;
    if changed.is_some() && args.inputs.paths.is_empty() && args.inputs.files0_from.is_none() {
        args.inputs.paths.push(PathBuf::from("."));
    }
    let fixed = if args.fix { fix(&mut args, global)? } else { Status::Well };
    let args = &args;
    let reports = Reports::new(args);
    let inputs = Inputs::new(&args.inputs)?.decompressed(args.compressed)?;
    let console = reports.console()?;
    let job = Job {
        args,
        reports: &reports,
        binaries: Binaries::new(global.verbose && !reports.is_quiet()),
        declarations: inputs.declarations(),
        changed,
        cut: Cut::new(),
        threads: global.threads(),
        is_decided: AtomicBool::new(false),
    };
    let status = ordered::run(inputs, job.threads, console, || {
        let mut chunk = Buffer::new(job.cut.chunk);
        let job = &job;
        move |input: Result<Input, Unreadable>, ticket: &mut Ticket<'_>| {
            let status = match input {
                Ok(input) => job.check(&input, &mut chunk, ticket),
                Err(unreadable) => {
                    job.reports.unreadable(ticket, &unreadable);
                    Status::Failed
                }
            };
            if status == Status::IllFormed && job.reports.is_quiet() {
                job.is_decided.store(true, Ordering::Relaxed);
            }
            status
        }
    })?;
    reports.finish(status, job.binaries.count())?;
    if !reports.is_quiet() {
        job.binaries.finish(Some("check"));
    }
    Ok(status.max(fixed))
}

/// Does what `utfkit fix` with the same rules does.
fn fix(args: &mut Check, global: &Global) -> anyhow::Result<Status> {
    let hides_plan = !args.shows_plan();
    let fix = Fix {
        inputs: mem::take(&mut args.inputs),
        writing: mem::take(&mut args.writing),
        yes: args.yes,
        dry_run: false,
        trust: Trust::NearlyCertain,
        all: false,
        clean: false,
        rules: args.rules,
        keep_bom: false,
        encoding: args.encoding,
        format: FixFormat::Text,
        silent: args.quiet,
        hides_plan,
    };
    let status = cmd::fix::run(&fix, global)?;
    args.inputs = fix.inputs;
    Ok(status)
}

impl Job<'_> {
    fn check(&self, input: &Input, chunk: &mut [u8], ticket: &mut Ticket<'_>) -> Status {
        let failed = |report: &mut Report<'_>, ticket: &mut Ticket<'_>, error: &io::Error| {
            report.unreadable(ticket, &Unreadable::new(input.path(), error));
            Status::Failed
        };
        let mut declared = if input.is_stdin() { Declared::default() } else { self.declarations.of(input.path()) };
        if let Some(encoding) = self.args.encoding {
            declared.read_in(encoding);
        }
        let encoding = match (self.args.encoding, &declared.encoding) {
            (Some(encoding), _) => encoding,
            (None, &Some(Ok(encoding))) => encoding,
            (None, None) => Encoding::Utf8,
            (None, Some(Err(unknown))) => {
                let mut report = self.reports.file(input.path(), Encoding::Utf8, ticket.number());
                return failed(&mut report, ticket, &io::Error::other(unknown.as_str()));
            }
        };
        // A file that cannot be read still decides the status. Opening a pipe could wait.
        if self.is_decided.load(Ordering::Relaxed) {
            let is_readable = input.is_stdin()
                || fs::metadata(input.path()).is_ok_and(|found| !found.is_file() || File::open(input.path()).is_ok());
            return if is_readable { Status::Well } else { Status::Failed };
        }
        let mut report = self.reports.file(input.path(), encoding, ticket.number());
        let lines = match &self.changed {
            Some(changed) if !input.is_stdin() => match changed.lines(input.path()) {
                Ok(Some(lines)) => Some(lines),
                Ok(None) => return Status::Well,
                Err(error) => return failed(&mut report, ticket, &error),
            },
            _ => None,
        };
        if input.is_compressed() {
            report.of_compressed();
        }
        let standard = self.args.standard.into();
        let is_declared = self.args.encoding.is_none() && !matches!(encoding, Encoding::Utf8 | Encoding::UsAscii);
        let mut rules = Rules::new(&self.args.rules, &declared);
        // A file in another encoding has no BOM in this one.
        let bom = declared.bom.filter(|_| is_declared && self.args.rules.bom.is_none());
        if bom.is_some() {
            rules.bom = BomRule::Allow;
        }
        let mut checking = Checking {
            checker: Checker::new(encoding, standard),
            rules: (rules != Rules::NONE).then(|| Box::new(Scan::new(rules, encoding, standard))),
            bom,
            detector: (is_declared && lines.is_none()).then(|| Box::new(Detector::new())),
            lines,
            report,
        };
        let checked = self.read(input, encoding, chunk, &mut checking, ticket);
        checked.unwrap_or_else(|error| failed(&mut checking.report, ticket, &error))
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
        let (mut first, mut first_len) = (true, 0);
        loop {
            // Findings before a read error are still reported.
            let len = read_some(&mut reader, chunk).inspect_err(|_| ticket.relieve())?;
            let bytes = &chunk[..len];
            if first
                && let Some(why) = input.binary(bytes, encoding)
                && !(matches!(why, NotText::Nul(_)) && self.args.rules.controls.is_some() && begins_with_strays(bytes))
            {
                self.binaries.skip(input.path(), why, |message| ticket.complain(message));
                return Ok(Status::Well);
            }
            checking.feed(bytes, ticket);
            if first {
                first_len = len;
            }
            if len == 0 || checking.is_decided(ticket) || self.is_decided.load(Ordering::Relaxed) {
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
        checking.compare(encoding, ticket);
        let totals = checking.checker.totals();
        // A read that returns 0 leaves the first chunk in place.
        let whole = (first_len as u64 == totals.bytes()).then(|| &chunk[..first_len]);
        checking.report.summary(ticket, whole, &totals);
        Ok(if checking.report.findings() > 0 { Status::IllFormed } else { Status::Well })
    }
}
