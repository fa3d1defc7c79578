//! `utfkit convert`: from one encoding to another.

mod auto;
mod conversion;
mod in_place;
mod plan;

use std::fs::File;
use std::io::{self, Seek};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use utfkit::Encoding;
use utfkit_gate::Keep;

use crate::args::{Convert, Decompress, Global};
use crate::binaries::{Binaries, NotText};
use crate::buffer::Buffer;
use crate::cmd::list;
use crate::console::{Console, complain};
use crate::destination::{Destination, Snapshot};
use crate::exit::{Status, is_broken_pipe};
use crate::failure::{AtPath, Failure, Refusal};
use crate::feed::{Feed, Stream};
use crate::gate::Gate;
use crate::input::{self, Input};
use crate::inputs::Inputs;
use crate::lock::Lock;
use crate::log::{Entry, Log};
use crate::paths::{Identity, identity, is_regular};
use crate::printable::Escaped;
use crate::progress;
use crate::reading::{CHUNK, Replay, is_console, spooled, stdin_file};
use crate::report::finding_line;
use crate::rewrites::is_over_itself;
use crate::sink::Sink;
use crate::temporary::clean_beside;
use auto::{piped, source};
use conversion::Conversion;
use plan::Plan;

pub(crate) fn run(args: &Convert, global: &Global) -> anyhow::Result<Status> {
    if args.list {
        return list::run();
    }
    let plan = Plan::new(args, global.verbose)?;
    let over_itself = is_over_itself(&args.outputs, &args.inputs).then_some("");
    let in_place = args.outputs.in_place.as_deref().or(over_itself);
    ensure!(
        args.writing.log.is_none() || in_place.is_some(),
        "--log lists the files that were written over: add --in-place"
    );
    let threads = global.threads();
    match in_place {
        Some(_) if args.compressed.decompress => bail!(Decompress::WRITES),
        Some(suffix) => in_place::run(args, &plan, suffix, threads),
        None => {
            args.compressed.ensure_plain(args.outputs.file())?;
            concatenate(args, &plan, threads)
        }
    }
}

/// Writes all inputs to one output.
fn concatenate(args: &Convert, plan: &Plan, threads: usize) -> anyhow::Result<Status> {
    let output = args.outputs.file();
    let named = |path: &Path| Escaped(path).to_string();
    ensure!(
        output.is_some() || matches!(plan.to, Encoding::Utf8 | Encoding::UsAscii) || !is_console(&io::stdout()),
        "standard output is a console, which shows text and does not take {}: -o FILE or a pipe does",
        plan.to
    );
    let mut status = clean_beside(output, args.outputs.clean)?;
    let target = match output {
        Some(path) => Destination::file(path, Keep::forced(args.writing.force)).with_context(|| named(path))?,
        None => Destination::stdout(),
    };
    let mut output_file = OutputFile::of(&target).with_context(|| output.map_or_else(String::new, named))?;
    let mut sink = Sink::to(target, Buffer::default(), threads > 1);
    let mut conversion = Conversion::new(plan, args.writing.text);
    let binaries = Binaries::new(plan.verbose);
    let gate = Gate::new(args.writing.text, args.writing.force);
    let mut buffer = Buffer::default();
    for input in Inputs::new(&args.inputs)?.decompressed(args.compressed)? {
        let done = input.map_err(Failure::from).and_then(|input| {
            let path = input.path();
            let stream = open(&input).reading(path)?;
            let file = match &stream {
                Stream::File(file) => Arc::clone(file),
                Stream::Unpacked(unpacked) => {
                    if output_file.meet(unpacked.lock().compressed()).reading(path)? {
                        return Err(Failure::Refused(path.to_owned(), Refusal::text(Decompress::WRITES, "")));
                    }
                    let ahead = threads > 1;
                    let why = read_once(&mut conversion, &input, stream, &mut buffer, &mut sink, ahead)?;
                    why.into_iter().for_each(|why| binaries.skip(path, why, complain));
                    return Ok(());
                }
            };
            if output_file.meet(&file).reading(path)? {
                buffer.grow(CHUNK);
                gate.ask(&input, &mut Replay::new(&file, &mut buffer), plan.intent())?;
                (&*file).rewind().reading(path)?;
            }
            if plan.from.is_none() && !is_regular(&file).reading(path)? {
                let ahead = threads > 1;
                return piped(&mut conversion, &input, stream, &mut buffer, &mut sink, ahead).map(drop);
            }
            let (file, from) = source(plan, &input, file, &mut buffer, |message| complain(&message))?;
            let binary = match from {
                Ok(from) => {
                    let mut feed = Feed::new(Stream::File(Arc::clone(&file)), std::mem::take(&mut buffer), threads > 1);
                    let binary = conversion.convert(&input, from, Some(&file), &mut feed, &mut sink)?;
                    buffer = feed.into_buffer();
                    binary
                }
                Err(why) => Some(why),
            };
            if let Some(why) = binary {
                binaries.skip(path, why, complain);
            }
            Ok(())
        });
        match done {
            Ok(()) => {}
            Err(Failure::Unwritable(_, error)) => return unwritable(error, output, status),
            Err(Failure::Stopped(stopped)) => {
                if !plan.silent {
                    let mut console = Console::new();
                    let mut text = Vec::new();
                    finding_line(&mut text, console.err_styles, &stopped.path, &stopped.finding);
                    // If this fails, no message can be written.
                    let _ = console.print(&[], &text);
                }
                status = status.max(Status::IllFormed);
                // An output with a gap would pass for the whole.
                break;
            }
            // If the output would replace the file, it is named even if a walk found it.
            Err(failure) => status = status.max(failure.tell(true, &binaries, complain)),
        }
    }
    conversion.report(None).as_deref().into_iter().for_each(complain);
    binaries.finish(Some("convert"));
    let target = match sink.finish() {
        Ok((Some(target), _)) => target,
        Ok((None, _)) => return Ok(status),
        Err(error) => return unwritable(error, output, status),
    };
    if status != Status::Well && output.is_some() {
        if !plan.silent || status == Status::Failed {
            complain(&format!("{}: not written", output.map(named).unwrap_or_default()));
        }
        target.abandon()?;
        return Ok(status);
    }
    let overwrites = output_file.read.is_some();
    let target = match output_file.read {
        Some(read) => target.made_of(read),
        None => target,
    };
    let log = match (output, overwrites) {
        (Some(path), true) => Log::of("convert", &args.writing, &[path.to_owned()])?.map(|log| (log, path)),
        _ => None,
    };
    if let Some((log, path)) = &log {
        Entry::of_replaced(path, &target).and_then(|entry| log.take(entry)).context("the log")?;
    }
    let committed = target.commit();
    let undo = log.and_then(|(log, _)| log.finish(u64::from(committed.is_ok()), "file"));
    match committed {
        Ok(()) => {
            output.and_then(|path| plan.wrong_label(path)).iter().for_each(|line| complain(line));
            undo.iter().filter(|_| !plan.silent).for_each(|line| complain(line));
            Ok(status)
        }
        Err(error) => unwritable(error, output, status),
    }
}

/// The file that is written, which may be one of the inputs.
struct OutputFile {
    /// The file that `-o` replaces.
    old: Option<Identity>,
    /// The file that standard output appends to. As an input it would not end.
    appended: Option<Identity>,
    /// The input that is replaced, when it was opened.
    read: Option<Snapshot>,
}

impl OutputFile {
    fn of(target: &Destination) -> io::Result<OutputFile> {
        let appended = match target {
            Destination::Direct(file) if is_regular(file).unwrap_or(false) => identity(file).ok(),
            _ => None,
        };
        Ok(OutputFile { old: target.replaced()?, appended, read: None })
    }

    /// Takes an input that was opened. Returns true if the output replaces it.
    fn meet(&mut self, input: &File) -> io::Result<bool> {
        if self.old.is_none() && self.appended.is_none() {
            return Ok(false);
        }
        if !is_regular(input)? {
            return Ok(false);
        }
        let this = Some(identity(input)?);
        if this == self.appended {
            return Err(io::Error::other(
                "standard output goes to this file, and would be read again: \
                 --in-place or -o writes a file over itself",
            ));
        }
        if this == self.old {
            self.read = Some(Snapshot::of(input)?);
            return Ok(true);
        }
        Ok(false)
    }
}

fn open(input: &Input) -> io::Result<Stream> {
    progress::opened();
    let file = match input.is_stdin() {
        false => match input.open()? {
            input::Stream::File(file) => file,
            input::Stream::Unpacked(unpacked) => return Ok(Stream::Unpacked(Arc::new(Lock::new(unpacked)))),
        },
        true if is_console(&io::stdin()) => spooled(&mut io::stdin().lock())?,
        true => stdin_file()?,
    };
    Ok(Stream::File(Arc::new(file)))
}

/// Converts the content of a compressed file, which is read once as a pipe is. Returns
/// the reason if a walk found it and it is not text.
fn read_once(
    conversion: &mut Conversion<'_>,
    input: &Input,
    stream: Stream,
    buffer: &mut Buffer,
    sink: &mut Sink,
    ahead: bool,
) -> Result<Option<NotText>, Failure> {
    let Some(from) = conversion.plan().from else {
        return piped(conversion, input, stream, buffer, sink, ahead);
    };
    let mut feed = Feed::new(stream, std::mem::take(buffer), ahead);
    let binary = conversion.convert(input, from, None, &mut feed, sink)?;
    *buffer = feed.into_buffer();
    Ok(binary)
}

fn unwritable(error: io::Error, output: Option<&Path>, status: Status) -> anyhow::Result<Status> {
    if is_broken_pipe(&error) {
        return Ok(status);
    }
    Err(error).with_context(|| output.map_or("standard output".to_owned(), |path| Escaped(path).to_string()))
}
