//! `utfkit convert`: from one encoding to another.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use utfkit::diagnose::{Checker, Finding, Locator};
use utfkit::{Encoding, EscapeForm, Policy, Practice, Standard, Status as Stop, Transcoder};

use crate::args::{Bom, Convert, Errors, Global, PracticeName};
use crate::cmd::list;
use crate::exit::{Status, is_broken_pipe};
use crate::input::{Input, Inputs, Unreadable};
use crate::report::{Console, Escaped, complain, finding_line, skipped_binaries};
use crate::target::Target;

/// Read at once.
const CHUNK: usize = 128 << 10;
/// Written at once.
const ROOM: usize = 256 << 10;
/// What must follow an error so that all of its sequence is seen.
const SIGHT: usize = 8;

pub(crate) fn run(args: &Convert, global: &Global) -> anyhow::Result<Status> {
    if args.list {
        return list::run();
    }
    let plan = Plan::new(args, global.verbose)?;
    match &args.in_place {
        Some(suffix) => in_place(args, &plan, suffix),
        None => concatenate(args, &plan),
    }
}

/// What is to be done, settled before anything is read.
struct Plan {
    from: Encoding,
    to: Encoding,
    policy: Policy,
    escape_form: EscapeForm,
    /// U+FEFF as the source would have it, if that is no signature by itself.
    source_signature: Vec<u8>,
    /// What `--bom add` writes first.
    target_signature: Vec<u8>,
    silent: bool,
    verbose: bool,
}

/// U+FEFF at the beginning of a stream.
const SIGNATURE: &str = "\u{FEFF}";

impl Plan {
    fn new(args: &Convert, verbose: bool) -> anyhow::Result<Plan> {
        let (from, to) = (args.from.encoding, args.to.encoding);
        let errors = match args.errors {
            Some(errors) => errors,
            None if args.discard => Errors::Skip,
            None => args.to.errors.or(args.from.errors).unwrap_or(Errors::Strict),
        };
        ensure!(
            args.practice.is_none() || errors == Errors::Replace,
            "--practice says how many U+FFFD are written: add --errors replace"
        );
        let policy = match errors {
            Errors::Strict => Policy::Strict,
            Errors::Replace => Policy::Replace(match args.practice {
                Some(PracticeName::PerByte) => Practice::PerByte,
                Some(PracticeName::PerSequence) => Practice::PerSequence,
                Some(PracticeName::MaximalSubpart) | None => Practice::MaximalSubpart,
            }),
            Errors::Skip => Policy::Skip,
            Errors::Escape => Policy::Escape,
        };
        ensure!(
            args.escape_form.is_none() || errors == Errors::Escape,
            "--escape-form says how characters are escaped: add --errors escape"
        );
        // Encodings with a signature of their own read and write it unasked.
        ensure!(
            args.bom != Bom::Remove || !to.has_signature(),
            "{to} has a signature by definition: for none, convert to {to}LE or {to}BE"
        );
        let target_signature = match args.bom {
            Bom::Add if !to.has_signature() => {
                encoded(SIGNATURE, to).with_context(|| format!("{to} has no signature: leave --bom add out"))?
            }
            _ => Vec::new(),
        };
        let source_signature = if args.bom == Bom::Keep || from.has_signature() {
            Vec::new()
        } else {
            encoded(SIGNATURE, from).unwrap_or_default()
        };
        let escape_form = args.escape_form.map(EscapeForm::from).unwrap_or_default();
        Ok(Plan { from, to, policy, escape_form, source_signature, target_signature, silent: args.silent, verbose })
    }

    fn transcoder(&self) -> Transcoder {
        Transcoder::new(self.from, self.to, self.policy).with_escape_form(self.escape_form)
    }
}

/// `text` in `encoding`, or `None` if it lacks a character.
fn encoded(text: &str, encoding: Encoding) -> Option<Vec<u8>> {
    let mut bytes = vec![0; 8 * text.len()];
    let step = Transcoder::new(Encoding::Utf8, encoding, Policy::Strict).transcode(text.as_bytes(), &mut bytes, true);
    bytes.truncate(step.written);
    (step.status == Stop::InputEmpty).then_some(bytes)
}

/// All inputs, one behind the other, into one output.
fn concatenate(args: &Convert, plan: &Plan) -> anyhow::Result<Status> {
    let output = args.output.as_deref().filter(|path| *path != Path::new("-"));
    let named = |path: &Path| Escaped(path).to_string();
    let mut target = match output {
        Some(path) => Target::file(path).with_context(|| named(path))?,
        None => Target::stdout(),
    };
    let mut conversion = Conversion::new(plan);
    let mut status = Status::Well;
    for input in Inputs::new(&args.inputs)? {
        match input.map_err(Failure::Unreadable).and_then(|input| conversion.convert(&input, &mut target)) {
            Ok(()) => {}
            Err(Failure::Unreadable(unreadable)) => {
                complain(&unreadable.to_string());
                status = Status::Failed;
            }
            Err(Failure::Stopped(line)) => {
                show(&line);
                status = status.max(Status::IllFormed);
                // What comes behind a gap would be taken for the whole.
                break;
            }
            Err(Failure::Unwritable(error)) => return unwritable(error, output, status),
        }
    }
    conversion.report(None);
    skipped_binaries(conversion.binaries, "convert");
    if status != Status::Well && output.is_some() {
        complain(&format!("{}: not written", output.map(named).unwrap_or_default()));
        target.abandon()?;
        return Ok(status);
    }
    match target.commit(None) {
        Ok(()) => Ok(status),
        Err(error) => unwritable(error, output, status),
    }
}

/// Each input over itself.
fn in_place(args: &Convert, plan: &Plan, suffix: &str) -> anyhow::Result<Status> {
    let mut status = Status::Well;
    let mut binaries = 0;
    for input in Inputs::new(&args.inputs)? {
        let input = match input {
            Ok(input) if input.is_stdin() => {
                bail!("--in-place needs files: standard input has no place to be written to")
            }
            Ok(input) => input,
            Err(unreadable) => {
                complain(&unreadable.to_string());
                status = Status::Failed;
                continue;
            }
        };
        let path = input.path();
        let mut conversion = Conversion::new(plan);
        let outcome = Target::existing(path).map_err(Failure::Unwritable).and_then(|mut target| {
            conversion.convert(&input, &mut target)?;
            if conversion.binaries > 0 {
                return Ok(());
            }
            target.commit(backup(path, suffix).as_deref()).map_err(Failure::Unwritable)
        });
        match outcome {
            Ok(()) => {
                binaries += conversion.binaries;
                conversion.report(Some(path));
            }
            Err(Failure::Stopped(line)) => {
                show(&line);
                complain(&format!("{}: left as it was", Escaped(path)));
                status = status.max(Status::IllFormed);
            }
            Err(Failure::Unreadable(unreadable)) => {
                complain(&unreadable.to_string());
                status = Status::Failed;
            }
            Err(Failure::Unwritable(error)) => {
                complain(&Unreadable::new(path, &error).to_string());
                status = Status::Failed;
            }
        }
    }
    skipped_binaries(binaries, "convert");
    Ok(status)
}

fn backup(path: &Path, suffix: &str) -> Option<PathBuf> {
    if suffix.is_empty() {
        return None;
    }
    let mut name = OsString::from(path);
    name.push(suffix);
    Some(name.into())
}

fn unwritable(error: io::Error, output: Option<&Path>, status: Status) -> anyhow::Result<Status> {
    if is_broken_pipe(&error) {
        // The reader has what it wanted.
        return Ok(status);
    }
    Err(error).with_context(|| output.map_or("standard output".to_owned(), |path| Escaped(path).to_string()))
}

/// The line of a finding, on standard error.
fn show(line: &Stopped) {
    let mut console = Console::new();
    let mut text = Vec::new();
    finding_line(&mut text, console.err_styles, &line.path, &line.finding);
    // There is nobody left to tell if this fails.
    let _ = console.print(&[], &text);
}

/// Why an input did not come to its end.
enum Failure {
    Unreadable(Unreadable),
    Unwritable(io::Error),
    Stopped(Box<Stopped>),
}

/// Strict conversion met something.
struct Stopped {
    path: String,
    finding: Finding,
}

/// A conversion of inputs into one output.
struct Conversion<'a> {
    plan: &'a Plan,
    transcoder: Transcoder,
    chunk: Vec<u8>,
    room: Vec<u8>,
    /// How many inputs have begun.
    begun: u64,
    ill_formed: u64,
    /// Files met on a walk that are no text.
    binaries: u64,
}

impl<'a> Conversion<'a> {
    fn new(plan: &'a Plan) -> Conversion<'a> {
        Conversion {
            plan,
            transcoder: plan.transcoder(),
            chunk: vec![0; CHUNK],
            room: vec![0; ROOM],
            begun: 0,
            ill_formed: 0,
            binaries: 0,
        }
    }

    fn convert(&mut self, input: &Input, target: &mut Target) -> Result<(), Failure> {
        let unreadable = |error: io::Error| Failure::Unreadable(Unreadable::new(input.path(), &error));
        let mut reader = input.open().map_err(unreadable)?;
        let mut read = |room: &mut [u8]| {
            loop {
                match reader.read(room) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    other => return other.map_err(unreadable),
                }
            }
        };
        // A signature may come in pieces.
        let signature = self.plan.source_signature.as_slice();
        let (mut len, mut last) = (0, false);
        while len < signature.len().max(1) && !last {
            let more = read(&mut self.chunk[len..])?;
            len += more;
            last = more == 0;
        }
        if input.is_binary(&self.chunk[..len], self.plan.from) {
            self.binaries += 1;
            if self.plan.verbose {
                complain(&format!("{}: binary, skipped", Escaped(input.path())));
            }
            return Ok(());
        }
        if self.begun == 0 {
            target.write_all(&self.plan.target_signature).map_err(Failure::Unwritable)?;
        } else {
            self.transcoder.next_source();
        }
        self.begun += 1;
        let mut witness = Witness::new(self.plan);
        let mut at = 0;
        if !signature.is_empty() && self.chunk[..len].starts_with(signature) {
            at = signature.len();
            witness.skip(signature);
        }
        loop {
            if len == 0 && !last {
                len = read(&mut self.chunk)?;
                last = len == 0;
            }
            let start = at;
            while let Some(error) =
                step(&mut self.transcoder, &self.chunk[..len], &mut at, last, &mut self.room, target)
                    .map_err(Failure::Unwritable)?
            {
                // The sequence is named by all of its bytes: see some more.
                while !last && len - at < SIGHT {
                    self.chunk.resize(self.chunk.len().max(len + SIGHT), 0);
                    let more = read(&mut self.chunk[len..])?;
                    len += more;
                    last = more == 0;
                }
                if let Witness::Locator(locator) = &mut witness {
                    let finding = locator.locate(&error, &self.chunk[start..len]);
                    let path = Escaped(input.path()).to_string();
                    return Err(Failure::Stopped(Box::new(Stopped { path, finding })));
                }
            }
            witness.pass(&self.chunk[start..len]);
            (len, at) = (0, 0);
            if last {
                break;
            }
        }
        self.ill_formed += witness.finish();
        Ok(())
    }

    /// One line that counts what was not converted as it was.
    fn report(&self, path: Option<&Path>) {
        let done = match self.plan.policy {
            Policy::Replace(_) => "replaced",
            Policy::Skip => "left out",
            Policy::Escape => "escaped",
            _ => return,
        };
        let lacking = self.transcoder.unrepresentable_count();
        if self.plan.silent || (self.ill_formed == 0 && lacking == 0) {
            return;
        }
        let mut parts = Vec::new();
        match self.ill_formed {
            0 => {}
            1 => parts.push("1 ill-formed sequence".to_owned()),
            n => parts.push(format!("{n} ill-formed sequences")),
        }
        match lacking {
            0 => {}
            1 => parts.push(format!("1 character that {} lacks", self.plan.to)),
            n => parts.push(format!("{n} characters that {} lacks", self.plan.to)),
        }
        let name = path.map(|path| format!("{}: ", Escaped(path))).unwrap_or_default();
        complain(&format!("{name}{done}: {}", parts.join(", ")));
    }
}

/// Converts what is left of `src` behind `at`, up to an error.
fn step(
    transcoder: &mut Transcoder,
    src: &[u8],
    at: &mut usize,
    last: bool,
    room: &mut [u8],
    target: &mut Target,
) -> io::Result<Option<utfkit::Error>> {
    loop {
        let step = transcoder.transcode(&src[*at..], room, last);
        target.write_all(&room[..step.written])?;
        *at += step.read;
        match step.status {
            Stop::InputEmpty => return Ok(None),
            Stop::OutputFull => {}
            Stop::IllFormed(error) => return Ok(Some(error)),
        }
    }
}

/// Who sees the source go by: for the line on which it stops, or for the count
/// of what was replaced.
enum Witness {
    Locator(Box<Locator>),
    Counter(Box<Checker>),
    Nobody,
}

impl Witness {
    fn new(plan: &Plan) -> Witness {
        match plan.policy {
            Policy::Strict => Witness::Locator(Box::new(Locator::new(plan.from, plan.to))),
            _ if plan.silent => Witness::Nobody,
            _ => Witness::Counter(Box::new(Checker::new(plan.from, Standard::Rfc3629))),
        }
    }

    fn skip(&mut self, signature: &[u8]) {
        match self {
            Witness::Locator(locator) => locator.skip(signature),
            Witness::Counter(checker) => checker.feed(signature, |_| {}),
            Witness::Nobody => {}
        }
    }

    fn pass(&mut self, chunk: &[u8]) {
        match self {
            Witness::Locator(locator) => locator.pass(chunk),
            Witness::Counter(checker) => checker.feed(chunk, |_| {}),
            Witness::Nobody => {}
        }
    }

    /// The ill-formed sequences that were counted.
    fn finish(&mut self) -> u64 {
        let Witness::Counter(checker) = self else { return 0 };
        checker.finish(|_| {});
        checker.totals().findings()
    }
}
