//! The report of `check`, in each output format.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::MutexGuard;

use utfkit::detect::Detection;
use utfkit::diagnose::Totals;
use utfkit::{Encoding, Standard};

use super::context::{Context, Look};
use super::github;
use super::hint::Hints;
use super::json::{self, Json};
use super::jsonl::{Jsonl, error_line};
use super::model::{Found, Hint, Summary, Sums, Tally};
use super::sarif::{self, Tail};
use super::text::{Text, summary_line};
use crate::args::{Check, Format};
use crate::console::{Console, Styles};
use crate::exit::{Status, is_broken_pipe};
use crate::failure::Unreadable;
use crate::lock::Lock;
use crate::ordered::Ticket;
use crate::printable::{Escaped, argument};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Show {
    Findings(Format),
    Nothing,
    BadNames,
    GoodNames,
}

pub(crate) struct Reports {
    show: Show,
    encoding: Encoding,
    standard: Standard,
    context: bool,
    /// Names end with a NUL byte and are not escaped.
    null: bool,
    out: Styles,
    err: Styles,
    out_is_ascii: bool,
    /// Maximum number of findings shown per file.
    limit: u64,
    sums: Lock<(Sums, Tail)>,
}

impl Reports {
    pub(crate) fn new(args: &Check) -> Reports {
        let show = match (args.quiet, args.list_bad, args.list_good) {
            (true, ..) => Show::Nothing,
            (_, true, _) => Show::BadNames,
            (_, _, true) => Show::GoodNames,
            _ => Show::Findings(args.format),
        };
        let console = Console::new();
        Reports {
            show,
            encoding: args.encoding.unwrap_or(Encoding::Utf8),
            standard: args.standard.into(),
            context: args.context,
            // Nothing from outside goes to a terminal as it is.
            null: args.null && !io::stdout().is_terminal(),
            out: console.out_styles,
            err: console.err_styles,
            out_is_ascii: console.out_is_ascii,
            limit: if args.max_errors == 0 { u64::MAX } else { args.max_errors },
            sums: Lock::new((Sums::default(), Tail::new())),
        }
    }

    /// True if only the exit status matters.
    pub(crate) fn is_quiet(&self) -> bool {
        self.show == Show::Nothing
    }

    /// Returns the console for the reports, after printing the document's head.
    pub(crate) fn console(&self) -> io::Result<Console> {
        let mut head = Vec::new();
        let mut console = match self.show {
            Show::Findings(Format::Json) => {
                head.extend_from_slice(json::HEAD);
                Console::for_elements()
            }
            Show::Findings(Format::Sarif) => {
                sarif::head(&mut head, self.encoding);
                Console::for_elements()
            }
            Show::Findings(Format::Jsonl) => Console::for_json(),
            _ => Console::new(),
        };
        console.print(&head, &[])?;
        Ok(console)
    }

    /// Prints the document's tail. `skipped` is the number of binary files.
    pub(crate) fn finish(&self, status: Status, skipped: u64) -> io::Result<()> {
        let mut tail = Vec::new();
        let sums = self.lock();
        match self.show {
            Show::Findings(Format::Json) => json::tail(&mut tail, &sums.0, skipped),
            Show::Findings(Format::Sarif) => sums.1.tail(&mut tail, &sums.0, skipped, status),
            _ => {}
        }
        match Console::for_json().print(&tail, &[]) {
            // The reader of the pipe has seen enough.
            Err(error) if is_broken_pipe(&error) => Ok(()),
            other => other,
        }
    }

    /// Starts the report of a file in `encoding`; `number` is its index in the
    /// run.
    pub(crate) fn file(&self, path: &Path, encoding: Encoding, number: u64) -> Report<'_> {
        let form = match self.show {
            Show::Findings(Format::Text) => {
                let look = Look::Terminal { styles: self.out, ascii: self.out_is_ascii };
                let context = self.context.then(|| Context::new(encoding, self.standard, look));
                Form::Text(Box::new(Text::new(self.out, self.err, context)))
            }
            Show::Findings(Format::Jsonl) => Form::Jsonl(Jsonl::new(path)),
            Show::Findings(Format::Json) => Form::Json(Json::default()),
            Show::Findings(Format::Sarif) => Form::Sarif,
            Show::Findings(Format::Github) => Form::Github,
            _ => Form::Nothing,
        };
        let hints = encoding == Encoding::Utf8 && !matches!(form, Form::Nothing);
        Report {
            reports: self,
            path: path.to_owned(),
            number,
            form,
            hints: hints.then(|| Box::new(Hints::new())),
            hint: None,
            shown: 0,
            tally: Tally::default(),
        }
    }

    /// Reports an error that belongs to no open report.
    pub(crate) fn unreadable(&self, ticket: &mut Ticket<'_>, unreadable: &Unreadable) {
        let mut json = Json::default();
        let form = match self.show {
            Show::Findings(Format::Json) => Some(&mut json),
            _ => None,
        };
        self.failed(ticket, unreadable, form);
    }

    fn failed(&self, ticket: &mut Ticket<'_>, unreadable: &Unreadable, json: Option<&mut Json>) {
        let (path, reason) = (unreadable.path(), unreadable.reason());
        let number = ticket.number();
        let out = &mut ticket.said.out;
        match (self.show, json) {
            (Show::Nothing, _) => return,
            (_, Some(json)) => json.error(out, path, reason),
            (Show::Findings(Format::Jsonl), _) => error_line(out, path, reason),
            (Show::Findings(Format::Github), _) => github::message(out, "error", path, reason),
            (Show::Findings(Format::Sarif), _) => self.lock().1.error(number, path, reason),
            _ => {}
        }
        self.lock().0.unreadable += 1;
        ticket.complain(unreadable);
    }

    fn lock(&self) -> MutexGuard<'_, (Sums, Tail)> {
        self.sums.lock()
    }
}

pub(crate) struct Report<'a> {
    reports: &'a Reports,
    path: PathBuf,
    number: u64,
    form: Form,
    hints: Option<Box<Hints>>,
    hint: Option<Hint>,
    shown: u64,
    tally: Tally,
}

enum Form {
    Text(Box<Text>),
    Jsonl(Jsonl),
    Json(Json),
    Sarif,
    Github,
    Nothing,
}

impl Report<'_> {
    /// The file is decompressed.
    pub(crate) fn of_compressed(&mut self) {
        if let Some(hints) = &mut self.hints {
            hints.of_compressed();
        }
    }

    /// Takes the next bytes of the file, before they are checked. Needed only
    /// while [`wants`](Report::wants) is true.
    pub(crate) fn feed(&mut self, ticket: &mut Ticket<'_>, bytes: &[u8]) {
        if let Some(hints) = &mut self.hints {
            hints.feed(bytes);
        }
        if let Form::Text(text) = &mut self.form {
            text.feed(&mut ticket.said.out, bytes);
        }
    }

    /// True if the report must be fed more of the file. With `--context` it must
    /// be fed all of it, and the findings of each piece before the next piece.
    pub(crate) fn wants(&self) -> bool {
        self.reports.context || self.hints.as_ref().is_some_and(|hints| hints.wants())
    }

    pub(crate) fn finding(&mut self, ticket: &mut Ticket<'_>, found: &Found) {
        if let (Some(hints), Found::IllFormed(finding)) = (&mut self.hints, found) {
            hints.note(finding);
        }
        self.tally.note(found);
        let show = self.shown < self.reports.limit;
        self.shown += u64::from(show);
        let out = &mut ticket.said.out;
        match &mut self.form {
            Form::Text(text) => text.finding(out, &self.path, found, show),
            _ if !show => {}
            Form::Jsonl(jsonl) => jsonl.finding(out, &found.item()),
            Form::Json(json) => json.finding(out, &self.path, &found.item()),
            Form::Sarif => sarif::finding(out, &self.path, &found.item()),
            Form::Github => github::finding(out, &self.path, &found.item()),
            Form::Nothing => {}
        }
        // With --max-errors 0 the findings of one chunk can be many megabytes.
        ticket.relieve();
    }

    /// Recommends `utfkit fix` for a file that was found to be in another encoding than the declared one.
    pub(crate) fn mended_by_fix(&mut self, found: &Detection) {
        self.hint = Hint::of_declared(found, argument(&self.path));
    }

    pub(crate) fn findings(&self) -> u64 {
        self.tally.findings
    }

    /// True if single findings are not reported.
    pub(crate) fn is_nothing(&self) -> bool {
        matches!(self.form, Form::Nothing)
    }

    /// Reports a file that was read to its end. `whole` is its content, if it was
    /// read in one chunk.
    pub(crate) fn summary(&mut self, ticket: &mut Ticket<'_>, whole: Option<&[u8]>, totals: &Totals) {
        let (reports, path) = (self.reports, &self.path);
        let bad = self.tally.findings > 0;
        let hint = self.hints.as_mut().and_then(|hints| hints.hint(path, whole, totals)).or(self.hint.take());
        let said = &mut ticket.said;
        match &mut self.form {
            Form::Nothing => {
                if reports.show == if bad { Show::BadNames } else { Show::GoodNames } {
                    match reports.null {
                        true => said.out.extend_from_slice(&[path.as_os_str().as_encoded_bytes(), b"\0"].concat()),
                        false => ticket.say_out(format_args!("{}", Escaped(path))),
                    }
                }
            }
            Form::Text(text) => {
                text.finish(&mut said.out);
                text.summary(&mut said.err, path, &self.tally, self.shown, hint.as_ref());
            }
            Form::Github => {
                let name = Escaped(path).to_string();
                summary_line(&mut said.err, reports.err, &name, &self.tally, self.shown, hint.as_ref());
            }
            form => {
                let file = Summary::new(totals, &self.tally, self.shown, hint);
                let mut sums = reports.lock();
                sums.0.add(&file);
                match form {
                    Form::Jsonl(jsonl) => jsonl.summary(&mut said.out, &file),
                    Form::Json(json) => json.summary(&mut said.out, path, &file),
                    _ => sums.1.summary(self.number, path, &file),
                }
            }
        }
    }

    /// Reports a file that could not be opened or read to its end. Findings
    /// reported before are kept.
    pub(crate) fn unreadable(&mut self, ticket: &mut Ticket<'_>, unreadable: &Unreadable) {
        if let Form::Text(text) = &mut self.form {
            text.finish(&mut ticket.said.out);
        }
        let json = match &mut self.form {
            Form::Json(json) => Some(json),
            _ => None,
        };
        self.reports.failed(ticket, unreadable, json);
    }
}
