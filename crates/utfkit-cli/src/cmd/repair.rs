//! `utfkit repair`: makes well-formed UTF-8, and changes nothing else.

mod diff;
mod work;

use std::io::Seek;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use utfkit::Encoding;
use utfkit::detect::{Certainty, Piece};
use utfkit::repair::Options;
use utfkit_gate::{Keep, magic};

use crate::args::{Decompress, FallbackArg, Global, Repair, Undo};
use crate::binaries::{Binaries, NotText};
use crate::buffer::Buffer;
use crate::compressed::begun;
use crate::console::{Console, Styles, complain};
use crate::destination::{Destination, Snapshot};
use crate::each::each;
use crate::exit::{Status, is_broken_pipe};
use crate::failure::{AtPath, Failure, Refusal};
use crate::gate::{Gate, Intent, no_text};
use crate::input::Input;
use crate::inputs::Inputs;
use crate::log::{Entry, Log};
use crate::ordered::Ticket;
use crate::paths::identity;
use crate::printable::Escaped;
use crate::readers::reader;
use crate::reading::{CHUNK, Replay, open_at_once};
use crate::rewrites::{Rewrites, is_over_itself};
use crate::stale::wrong_label;
use crate::survey::{cut_beside, detection, fallback, joined, may_be_repaired};
use crate::temporary::clean_beside;
use work::{Done, Output, Show, Source, Work};

pub(crate) fn run(args: &Repair, global: &Global) -> anyhow::Result<Status> {
    if let Some(log) = &args.undo {
        let undo = Undo { log: Some(log.clone()), root: None, silent: args.silent };
        return crate::cmd::undo::run(&undo, global);
    }
    let mut options = Options::new().reinterpret(args.reinterpret).undouble(args.undouble).by_line(true).rejoin(true);
    if let Some(text) = &args.replacement {
        options = options.replacement(text.clone());
    }
    if let Some(FallbackArg::Named(fallback)) = &args.fallback {
        options = options.fallback((**fallback).clone());
    }
    let output = args.outputs.file();
    // Without a target, a diff is printed instead of the text.
    let dry = args.dry_run || (args.diff && args.outputs.is_stdout());
    if dry && args.writing.log.is_some() {
        bail!("--log lists what was changed: with --diff add -o or --in-place");
    }
    let over_itself = is_over_itself(&args.outputs, &args.inputs).then_some("");
    let in_place = args.outputs.in_place.as_deref().or(over_itself).filter(|_| !dry);
    if args.compressed.decompress {
        ensure!(in_place.is_none(), Decompress::WRITES);
        args.compressed.ensure_plain(output)?;
    }
    let wants_log = !dry && (in_place.is_some() || args.writing.log.is_some());
    let below = output.map_or_else(|| args.inputs.paths.clone(), |output| vec![output.to_owned()]);
    let log = if wants_log { Log::of("repair", &args.writing, &below)? } else { None };
    let gate = Gate::new(args.writing.text, args.writing.force);
    let plan = Plan { args, options, log, dry, binaries: Binaries::new(global.verbose), gate };
    let (status, changed) = match (in_place, dry) {
        (Some(suffix), _) => {
            let rewrites = Rewrites::new(&args.inputs, suffix, args.outputs.clean)?;
            let status = each_alone(&plan, Some(&rewrites), global)?;
            let changed = rewrites.changed();
            (status.max(rewrites.finish("repair")), changed)
        }
        (None, true) => (each_alone(&plan, None, global)?, 0),
        (None, false) => match concatenate(&plan, output) {
            Ok(status) => (status, u64::from(status == Status::Well || output.is_none())),
            Err(error) => {
                plan.log.and_then(|log| log.finish(0, "file"));
                return Err(error);
            }
        },
    };
    // Where a file is written over, the gate refuses a named one too.
    plan.binaries.finish(in_place.is_none().then_some("repair"));
    let undo = plan.log.and_then(|log| log.finish(changed, "file")).filter(|_| !args.silent && in_place.is_some());
    undo.iter().for_each(|line| complain(line));
    Ok(status)
}

/// The settings of the run.
struct Plan<'a> {
    args: &'a Repair,
    options: Options,
    log: Option<Log>,
    /// Nothing is written.
    dry: bool,
    binaries: Binaries,
    gate: Gate,
}

impl Plan<'_> {
    fn show(&self, input: &Input, styles: Styles) -> Show {
        match (self.args.diff, self.dry) {
            (true, _) => Show::diff(input.path(), styles),
            (false, true) => Show::lines(input.path(), styles),
            (false, false) => Show::Nothing,
        }
    }

    /// The line that counts the changes, unless `--silent` is given.
    fn count(&self, input: &Input, done: &Done, how: &How) -> Option<String> {
        if self.args.silent || done.changes() == 0 {
            return None;
        }
        let verb = if self.dry { "would be repaired" } else { "repaired" };
        Some(format!(
            "{}: {verb}: {}",
            Escaped(input.path()),
            done.counts(how.reading().as_deref(), self.args.replacement.as_deref())
        ))
    }

    fn is_auto(&self) -> bool {
        matches!(self.args.fallback, Some(FallbackArg::Auto))
    }

    /// How to repair a file. With `--fallback auto`, the file is surveyed.
    fn how(&self, path: &Path, file: &mut Replay<'_>) -> Result<How, Failure> {
        let options = self.options.clone();
        if !self.is_auto() {
            return Ok(How { options, fallback: self.named(), joined: None });
        }
        let found = detection(file).reading(path)?;
        let refused = |why| Failure::Refused(path.to_owned(), why);
        may_be_repaired(&found).map_err(refused)?;
        if let Some((pieces, encodings)) = joined(&found).map_err(refused)? {
            let joined = Some((pieces.to_vec(), format!("{encodings} ({})", found.certainty())));
            return Ok(How { options, fallback: None, joined });
        }
        let mended = match fallback(&found) {
            Ok(mended) => mended,
            Err(why) => {
                let is_text = self.args.writing.text;
                let format = |front: &[u8]| match begun(front) {
                    Some(format) => Some(format.program()),
                    None if is_text => None,
                    None => magic::format(front).filter(|format| !format.is_weak).map(|format| format.name),
                };
                let format = file.each_until(|front| ControlFlow::Break(format(front))).reading(path)?;
                let binary = match format.break_value().flatten() {
                    Some(format) => Some(NotText::Format(format)),
                    None if is_text => None,
                    None => no_text(&found, file).reading(path)?,
                };
                return Err(refused(binary.map_or(why, Refusal::binary)));
            }
        };
        Ok(match mended {
            Some((fallback, _)) if found.cut() > 0 && !self.gate.is_forced() => {
                return Err(refused(cut_beside(fallback.encoding())));
            }
            Some((fallback, sure)) => {
                let encoding = fallback.encoding();
                let options = options.fallback(fallback).whole(found.encoding() == Some(encoding) && !found.is_mixed());
                How { options, fallback: Some((encoding, Some(sure))), joined: None }
            }
            None => {
                // Their surrogate pairs are characters, as `fix` reads them.
                let is_relative = matches!(found.encoding(), Some(Encoding::Cesu8 | Encoding::Mutf8));
                let options = if is_relative { options.reinterpret(true) } else { options };
                How { options, fallback: None, joined: None }
            }
        })
    }

    /// The encoding that the user named.
    fn named(&self) -> Option<(Encoding, Option<Certainty>)> {
        match &self.args.fallback {
            Some(FallbackArg::Named(fallback)) => Some((fallback.encoding(), None)),
            _ => None,
        }
    }

    /// Opens a file that is not replaced.
    fn source<'a>(&self, input: &Input, chunk: &'a mut [u8]) -> Result<(Source<'a>, How), Failure> {
        let path = input.path();
        let twice = self.is_auto() || self.options.wants_evidence();
        let mut source = Source::open(input, twice, chunk).reading(path)?;
        let how = match &mut source {
            Source::File(file, chunk) if self.is_auto() => {
                let how = self.how(path, &mut Replay::new(file, chunk))?;
                file.rewind().reading(path)?;
                how
            }
            _ => How { options: self.options.clone(), fallback: self.named(), joined: None },
        };
        Ok((source, how))
    }

    fn attributes(&self) -> Keep {
        Keep::forced(self.gate.is_forced())
    }

    /// Repairs one file over itself, or, without `rewrites`, only shows the changes.
    fn one(
        &self,
        input: &Input,
        rewrites: Option<&Rewrites<'_>>,
        styles: Styles,
        chunk: &mut [u8],
        ticket: &mut Ticket<'_>,
    ) -> Result<Status, Failure> {
        let path = input.path();
        if let Some(rewrites) = rewrites {
            rewrites.clean(path, |message| ticket.complain(message));
            if rewrites.passes_over(input) {
                return Ok(Status::Well);
            }
        }
        let (opened, mut modified) = (rewrites.map(|rewrites| rewrites.open(input)).transpose().reading(path)?, None);
        let (source, how, output) = match (rewrites, &opened) {
            (None, _) => {
                let (source, how) = self.source(input, chunk)?;
                (source, how, Output::Nowhere)
            }
            (Some(_), None | Some(None)) => {
                ticket.complain(format_args!("{}: named twice, repaired once", Escaped(path)));
                return Ok(Status::Well);
            }
            (Some(rewrites), Some(Some((file, metadata)))) => {
                let mut file = Replay::new(file, chunk);
                let how = self.how(path, &mut file)?;
                let passed = self.gate.ask(input, &mut file, how.intent())?;
                if passed.is_done {
                    return Ok(Status::Well);
                }
                let reader = reader(path, &passed.survey.front).filter(|reader| reader.wants.is_encoding());
                if let Some(reader) = reader.filter(|_| how.is_found() && !self.gate.is_forced()) {
                    let name = how.fallback.map_or("auto", |(encoding, _)| encoding.name());
                    let command = if how.joined.is_some() { "convert -f" } else { "repair --fallback" };
                    let advice = format!("`utfkit {command} {name} --in-place FILE` makes UTF-8 of it all the same");
                    return Err(Failure::Refused(path.to_owned(), Refusal::text(reader.why, advice)));
                }
                modified = metadata.modified().ok();
                let read = Snapshot::of(file.file()).reading(path)?;
                let output = Output::in_place(input, read, rewrites.backup(path), self.attributes());
                (Source::Surveyed(file, passed.survey.evidence), how, output)
            }
        };
        let mut work = Work::new(&how.options, self.show(input, styles), output).of_pieces(how.pieces());
        if self.log.is_some() {
            work.keep_log(path, path, modified);
        }
        let done = work.run(input, source, |out| {
            ticket.said.out.append(out);
            ticket.relieve();
            !ticket.is_stopped()
        })?;
        let done = match done {
            Ok(done) => done,
            Err(why) => {
                self.binaries.skip(path, why, |message| ticket.complain(message));
                return Ok(Status::Well);
            }
        };
        // Windows replaces no file that is open.
        drop(opened);
        let mut rest = Vec::new();
        let written = work.finish(self.log.as_ref(), &mut rest, |message| ticket.complain(message))?;
        ticket.said.out.append(&mut rest);
        if let Some(rewrites) = rewrites.filter(|_| written) {
            rewrites.written(path);
            // Only text that was read in another encoding was declared to be in it.
            if how.reading().is_some() && !self.args.silent {
                wrong_label(path, Encoding::Utf8).iter().for_each(|line| ticket.complain(line));
            }
        }
        if let Some(line) = self.count(input, &done, &how) {
            ticket.complain(line);
        }
        Ok(if self.dry && done.changes() > 0 { Status::IllFormed } else { Status::Well })
    }
}

/// The repair of one file.
struct How {
    options: Options,
    /// The encoding of ill-formed bytes, and how sure it is unless the user named it.
    fallback: Option<(Encoding, Option<Certainty>)>,
    /// The pieces of a joined file, and their encodings for people.
    joined: Option<(Vec<Piece>, String)>,
}

impl How {
    fn intent(&self) -> Intent<'_> {
        if self.joined.is_some() {
            return Intent::Convert { from: None, trust: Certainty::Likely };
        }
        Intent::Repair { options: &self.options, fallback: self.fallback.map(|(encoding, _)| encoding) }
    }

    /// True if the encoding was not named by the user.
    fn is_found(&self) -> bool {
        self.joined.is_some() || self.fallback.is_some_and(|(_, sure)| sure.is_some())
    }

    fn pieces(&self) -> Option<&[Piece]> {
        self.joined.as_ref().map(|(pieces, _)| pieces.as_slice())
    }

    /// `windows-1250 (likely)`
    fn reading(&self) -> Option<String> {
        if let Some((_, encodings)) = &self.joined {
            return Some(encodings.clone());
        }
        self.fallback.map(|(encoding, sure)| match sure {
            Some(sure) => format!("{encoding} ({sure})"),
            None => encoding.name().to_owned(),
        })
    }
}

/// Repairs each file over itself, or, without `rewrites`, only shows the changes.
fn each_alone(plan: &Plan<'_>, rewrites: Option<&Rewrites<'_>>, global: &Global) -> anyhow::Result<Status> {
    let console = Console::new();
    let styles = console.out_styles;
    let inputs = match rewrites {
        Some(_) => Inputs::to_be_written(&plan.args.inputs)?,
        None => Inputs::new(&plan.args.inputs)?.decompressed(plan.args.compressed)?,
    };
    Ok(each(inputs, global.threads(), console, &plan.binaries, || {
        let mut chunk = Buffer::new(CHUNK);
        move |input: &Input, ticket: &mut Ticket<'_>| plan.one(input, rewrites, styles, &mut chunk, ticket)
    })?)
}

/// Writes all inputs to one output.
fn concatenate(plan: &Plan<'_>, output: Option<&Path>) -> anyhow::Result<Status> {
    let named = || output.map_or("standard output".to_owned(), |path| Escaped(path).to_string());
    let mut status = clean_beside(output, plan.args.outputs.clean)?;
    let mut inputs = Inputs::new(&plan.args.inputs)?.decompressed(plan.args.compressed)?.peekable();
    let first = inputs.next();
    ensure!(
        plan.log.is_none() || inputs.peek().is_none(),
        "a log covers one file: with --log, give one file or --in-place"
    );
    let mut target = match output {
        Some(path) => Destination::file(path, plan.attributes()).with_context(named)?,
        None => Destination::stdout(),
    };
    let mut console = Console::new();
    let mut chunk = Buffer::new(CHUNK);
    let mut overwrites = false;
    for input in first.into_iter().chain(inputs) {
        let done = input
            .map_err(Failure::from)
            .and_then(|input| append(plan, &input, output, &mut target, &mut console, &mut chunk));
        match done {
            Ok(is_replaced) => overwrites |= is_replaced,
            Err(failure) if failure.is_broken_pipe() => return Ok(status),
            Err(Failure::Unwritable(_, error)) => return Err(error).with_context(named),
            // If the output would replace the file, it is named even if a walk found it.
            Err(failure) => status = status.max(failure.tell(true, &plan.binaries, complain)),
        }
    }
    if status != Status::Well && output.is_some() {
        complain(&format!("{}: not written", named()));
        target.abandon()?;
        return Ok(status);
    }
    let log = match output {
        Some(path) if overwrites => Log::of("repair", &plan.args.writing, &[path.to_owned()])?.map(|log| (log, path)),
        _ => None,
    };
    if let Some((log, path)) = &log {
        Entry::of_replaced(path, &target).and_then(|entry| log.take(entry)).context("the log")?;
    }
    let committed = target.commit();
    let undo = log.and_then(|(log, _)| log.finish(u64::from(committed.is_ok()), "file"));
    undo.iter().filter(|_| !plan.args.silent).for_each(|line| complain(line));
    match committed {
        Err(error) if is_broken_pipe(&error) => Ok(status),
        Err(error) => Err(error).with_context(named),
        Ok(()) => Ok(status),
    }
}

/// Appends the text of one input to `target`, which is the file `output` or
/// standard output. Returns true if that replaces the input.
fn append(
    plan: &Plan<'_>,
    input: &Input,
    output: Option<&Path>,
    target: &mut Destination,
    console: &mut Console,
    chunk: &mut [u8],
) -> Result<bool, Failure> {
    let replaced = target.replaced().writing(output.unwrap_or(Path::new("-")))?;
    if input.is_compressed()
        && let Some(replaced) = &replaced
        && identity(&open_at_once(input.path()).reading(input.path())?).is_ok_and(|this| this == *replaced)
    {
        return Err(Failure::Refused(input.path().to_owned(), Refusal::text(Decompress::WRITES, "")));
    }
    let (mut source, how) = plan.source(input, chunk)?;
    let mut is_replaced = false;
    if let Source::File(file, chunk) = &mut source
        && replaced.is_some_and(|replaced| identity(file).is_ok_and(|this| this == replaced))
    {
        is_replaced = true;
        plan.gate.ask(input, &mut Replay::new(file, chunk), how.intent())?;
        file.rewind().reading(input.path())?;
    }
    let show = plan.show(input, console.out_styles);
    let mut work = Work::new(&how.options, show, Output::Shared(target)).of_pieces(how.pieces());
    if plan.log.is_some() {
        work.keep_log(output.unwrap_or(Path::new("-")), input.path(), None);
    }
    let mut print = |out: &mut Vec<u8>| {
        let printed = console.print(out, &[]);
        out.clear();
        printed.is_ok()
    };
    let done = work.run(input, source, &mut print)?;
    let mut rest = Vec::new();
    work.finish(plan.log.as_ref(), &mut rest, complain)?;
    print(&mut rest);
    match done {
        Ok(done) => plan.count(input, &done, &how).iter().for_each(|line| complain(line)),
        Err(why) => plan.binaries.skip(input.path(), why, complain),
    }
    Ok(is_replaced)
}
