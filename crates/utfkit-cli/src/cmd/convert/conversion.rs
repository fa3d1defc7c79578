//! One output made of one input or more.

use std::fs::File;
use std::io::{self, Seek};
use std::path::Path;
use std::sync::Arc;

use utfkit::diagnose::{Checker, Finding, Locator};
use utfkit::{Encoding, Error, Policy, Standard, Status as Stop, Transcoder};

use super::plan::Plan;
use crate::feed::Feed;
use crate::input::{Input, Unreadable};
use crate::reading::read_at;
use crate::report::Escaped;
use crate::sink::Sink;

/// What must follow an error so that all of its sequence is seen.
const SIGHT: usize = 8;
/// No error begins as far before the place where it is noticed.
const AROUND: usize = 64;

/// Why an input did not come to its end.
pub(super) enum Failure {
    Unreadable(Unreadable),
    Unwritable(io::Error),
    Stopped(Box<Stopped>),
}

/// Strict conversion met something.
pub(super) struct Stopped {
    pub(super) path: String,
    pub(super) finding: Finding,
}

/// A conversion of inputs into one output.
pub(super) struct Conversion<'a> {
    plan: &'a Plan,
    transcoder: Transcoder,
    /// Whether a file is text was decided before.
    asked: bool,
    /// How many inputs have begun.
    begun: u64,
    ill_formed: u64,
}

impl<'a> Conversion<'a> {
    /// `asked`: each file was asked for by the gate.
    pub(super) fn new(plan: &'a Plan, asked: bool) -> Conversion<'a> {
        let from = plan.from.unwrap_or(Encoding::Utf8);
        let transcoder = Transcoder::new(from, plan.to, plan.policy).with_escape_form(plan.escape_form);
        Conversion { plan, transcoder, asked, begun: 0, ill_formed: 0 }
    }

    /// Converts `file` from the encoding `from`; `feed` reads it. `false`: it
    /// was met on a walk and is not a text.
    pub(super) fn convert(
        &mut self,
        input: &Input,
        from: Encoding,
        file: &Arc<File>,
        feed: &mut Feed,
        sink: &mut Sink,
    ) -> Result<bool, Failure> {
        let unreadable = |error: io::Error| Failure::Unreadable(Unreadable::new(input.path(), &error));
        let mut witness = Witness::new(self.plan, from, file);
        // A BOM may come in pieces.
        let bom = self.plan.source_bom(from);
        feed.more(bom.len().max(1)).map_err(unreadable)?;
        if !self.asked && input.is_binary(feed.bytes(), from) {
            return Ok(false);
        }
        let skipped = if feed.bytes().starts_with(&bom) { &bom[..] } else { &[] };
        witness.skip(skipped);
        self.transcoder.next_source_in(from);
        let added = if self.begun == 0 { self.plan.target_bom.as_slice() } else { &[] };
        self.begun += 1;
        sink.buf()[..added.len()].copy_from_slice(added);
        sink.made(added.len(), skipped).map_err(Failure::Unwritable)?;
        let mut at = skipped.len();
        loop {
            let last = feed.bytes().is_empty();
            let start = at;
            while let Some(error) =
                step(&mut self.transcoder, feed.bytes(), &mut at, last, sink).map_err(Failure::Unwritable)?
            {
                let finding = match &mut witness {
                    Witness::Locator(locator) => {
                        // The sequence is named by all of its bytes: see some more.
                        feed.more(at + SIGHT).map_err(unreadable)?;
                        locator.locate(&error, &feed.bytes()[start..])
                    }
                    Witness::Reader(reader) => reader.locate(from, self.plan.to, &error).map_err(unreadable)?,
                    Witness::Counter(_) | Witness::Nobody => continue,
                };
                let path = Escaped(input.path()).to_string();
                return Err(Failure::Stopped(Box::new(Stopped { path, finding })));
            }
            witness.pass(&feed.bytes()[start..]);
            if last {
                break;
            }
            feed.next().map_err(unreadable)?;
            at = 0;
        }
        self.ill_formed += witness.finish();
        Ok(true)
    }

    /// One line that counts what was not converted as it was.
    pub(super) fn report(&self, path: Option<&Path>) -> Option<String> {
        let done = match self.plan.policy {
            Policy::Replace(_) => "replaced",
            Policy::Skip => "left out",
            Policy::Escape => "escaped",
            _ => return None,
        };
        let lacking = self.transcoder.unrepresentable_count();
        if self.plan.silent || (self.ill_formed == 0 && lacking == 0) {
            return None;
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
        Some(format!("{name}{done}: {}", parts.join(", ")))
    }
}

/// Converts what is left of `src` after `at`, up to an error.
fn step(
    transcoder: &mut Transcoder,
    src: &[u8],
    at: &mut usize,
    last: bool,
    sink: &mut Sink,
) -> io::Result<Option<Error>> {
    loop {
        let rest = &src[*at..];
        let step = transcoder.transcode(rest, sink.buf(), last);
        sink.made(step.written, &rest[..step.read])?;
        *at += step.read;
        match step.status {
            Stop::InputEmpty => return Ok(None),
            Stop::OutputFull => {}
            Stop::IllFormed(error) => return Ok(Some(error)),
        }
    }
}

/// Who knows the source: for the line on which it stops, or for the count of
/// what was replaced.
enum Witness {
    /// Sees it go by.
    Locator(Box<Locator>),
    /// Can read it again, and has nothing to do until there is an error.
    Reader(Reader),
    Counter(Box<Checker>),
    Nobody,
}

impl Witness {
    fn new(plan: &Plan, from: Encoding, file: &Arc<File>) -> Witness {
        match plan.policy {
            Policy::Strict => match Reader::new(file) {
                Some(reader) => Witness::Reader(reader),
                None => Witness::Locator(Box::new(Locator::new(from, plan.to))),
            },
            _ if plan.silent => Witness::Nobody,
            _ => Witness::Counter(Box::new(Checker::new(from, Standard::Rfc3629))),
        }
    }

    fn skip(&mut self, bom: &[u8]) {
        match self {
            Witness::Locator(locator) => locator.skip(bom),
            Witness::Reader(reader) => reader.skipped = bom.to_vec(),
            Witness::Counter(checker) => checker.feed(bom, |_| {}),
            Witness::Nobody => {}
        }
    }

    fn pass(&mut self, chunk: &[u8]) {
        match self {
            Witness::Locator(locator) => locator.pass(chunk),
            Witness::Counter(checker) => checker.feed(chunk, |_| {}),
            Witness::Reader(_) | Witness::Nobody => {}
        }
    }

    /// The ill-formed sequences that were counted.
    fn finish(&mut self) -> u64 {
        let Witness::Counter(checker) = self else { return 0 };
        checker.finish(|_| {});
        checker.totals().findings()
    }
}

/// A file that can be read anywhere.
struct Reader {
    file: Arc<File>,
    /// Where the input began.
    origin: u64,
    /// What the transcoder was not given.
    skipped: Vec<u8>,
}

impl Reader {
    fn new(file: &Arc<File>) -> Option<Reader> {
        let regular = cfg!(unix) && file.metadata().is_ok_and(|file| file.is_file());
        let origin = regular.then(|| (&**file).stream_position().ok())??;
        Some(Reader { file: Arc::clone(file), origin, skipped: Vec::new() })
    }

    /// Reads again up to the error, to count lines and columns.
    fn locate(&self, from: Encoding, to: Encoding, error: &Error) -> io::Result<Finding> {
        let mut locator = Locator::new(from, to);
        locator.skip(&self.skipped);
        let mut at = self.skipped.len() as u64;
        let before = (at + error.offset() as u64).saturating_sub(AROUND as u64);
        let mut block = vec![0; 64 << 10];
        while at < before {
            let capacity = block.len().min(usize::try_from(before - at).unwrap_or(usize::MAX));
            match self.read(&mut block[..capacity], at)? {
                // It is shorter than it was.
                0 => break,
                len => {
                    locator.pass(&block[..len]);
                    at += len as u64;
                }
            }
        }
        let mut len = 0;
        while len < 2 * AROUND + SIGHT {
            match self.read(&mut block[len..2 * AROUND + SIGHT], at + len as u64)? {
                0 => break,
                more => len += more,
            }
        }
        Ok(locator.locate(error, &block[..len]))
    }

    fn read(&self, buf: &mut [u8], at: u64) -> io::Result<usize> {
        read_at(&self.file, buf, self.origin + at)
    }
}
