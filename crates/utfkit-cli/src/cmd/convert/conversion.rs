//! One output made of one input or more.

use std::fs::File;
use std::io::{self, Seek};
use std::path::Path;
use std::sync::Arc;

use utfkit::diagnose::{Checker, Finding, Locator};
use utfkit::{Encoding, Error, Policy, Standard, Status as Stop, Transcoder};

use super::plan::Plan;
use crate::binaries::NotText;
use crate::failure::{AtPath, Failure, Stopped};
use crate::feed::Feed;
use crate::input::Input;
use crate::paths::is_regular;
use crate::printable::{Escaped, count};
use crate::reading::read_at;
use crate::sink::Sink;

/// The bytes after an error that the locator needs to see the whole sequence.
const SIGHT: usize = 8;
/// An error begins less than this many bytes before its offset.
const AROUND: usize = 64;

/// A conversion of inputs into one output.
pub(super) struct Conversion<'a> {
    plan: &'a Plan,
    transcoder: Transcoder,
    /// Every input is known to be text.
    asked: bool,
    /// The number of inputs that have begun.
    begun: u64,
    ill_formed: u64,
}

impl<'a> Conversion<'a> {
    pub(super) fn new(plan: &'a Plan, asked: bool) -> Conversion<'a> {
        let from = plan.from.unwrap_or(Encoding::Utf8);
        let transcoder = Transcoder::new(from, plan.to, plan.policy).with_escape_form(plan.escape_form);
        Conversion { plan, transcoder, asked, begun: 0, ill_formed: 0 }
    }

    pub(super) fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// Converts what `feed` reads, of `file` if it is one, from `from`. Returns the reason if a walk
    /// found it and it is not text.
    pub(super) fn convert(
        &mut self,
        input: &Input,
        from: Encoding,
        file: Option<&Arc<File>>,
        feed: &mut Feed,
        sink: &mut Sink,
    ) -> Result<Option<NotText>, Failure> {
        let path = input.path();
        let mut witness = Witness::new(self.plan, from, file.and_then(Reader::new));
        // A read may end inside the BOM.
        let bom = self.plan.source_bom(from);
        feed.more(bom.len().max(1)).reading(path)?;
        if !self.asked
            && let Some(why) = input.binary(feed.bytes(), from)
        {
            return Ok(Some(why));
        }
        let skipped = if feed.bytes().starts_with(&bom) { &bom[..] } else { &[] };
        witness.skip(skipped);
        self.begin(from, skipped, sink).writing(path)?;
        let at = skipped.len();
        self.rest(path, from, witness, feed, at, sink)?;
        Ok(None)
    }

    /// Begins an input whose BOM is `skipped`.
    fn begin(&mut self, from: Encoding, skipped: &[u8], sink: &mut Sink) -> io::Result<()> {
        self.transcoder.next_source_in(from);
        let added = if self.begun == 0 { self.plan.target_bom.as_slice() } else { &[] };
        self.begun += 1;
        sink.buf()[..added.len()].copy_from_slice(added);
        sink.made(added.len(), skipped)
    }

    /// Begins an input that is US-ASCII at first.
    pub(super) fn begin_ascii(&mut self, sink: &mut Sink) -> io::Result<Ascii> {
        self.begin(Encoding::UsAscii, &[], sink)?;
        Ok(Ascii { locator: Box::new(Locator::new(Encoding::UsAscii, self.plan.to)) })
    }

    /// Converts `text`, which is US-ASCII.
    pub(super) fn pass_ascii(&mut self, ascii: &mut Ascii, text: &[u8], sink: &mut Sink) -> io::Result<()> {
        let mut at = 0;
        // Every target has US-ASCII.
        while step(&mut self.transcoder, text, &mut at, false, sink)?.is_some() {}
        ascii.locator.pass(text);
        Ok(())
    }

    /// Converts the rest of an input that begins with US-ASCII.
    pub(super) fn after_ascii(
        &mut self,
        path: &Path,
        ascii: Ascii,
        from: Encoding,
        feed: &mut Feed,
        sink: &mut Sink,
    ) -> Result<(), Failure> {
        let witness = match Witness::new(self.plan, from, None) {
            Witness::Locator(_) => Witness::Locator(Box::new(ascii.locator.continued_in(from))),
            other => other,
        };
        self.transcoder.next_source_in(from);
        self.rest(path, from, witness, feed, 0, sink)
    }

    /// Converts the rest of an input, whose bytes before `at` are taken.
    fn rest(
        &mut self,
        path: &Path,
        from: Encoding,
        mut witness: Witness,
        feed: &mut Feed,
        mut at: usize,
        sink: &mut Sink,
    ) -> Result<(), Failure> {
        loop {
            let last = feed.bytes().is_empty();
            let start = at;
            while let Some(error) = step(&mut self.transcoder, feed.bytes(), &mut at, last, sink).writing(path)? {
                let finding = match &mut witness {
                    Witness::Locator(locator) => {
                        // The finding names all bytes of the sequence.
                        feed.more(at + SIGHT).reading(path)?;
                        locator.locate(&error, &feed.bytes()[start..])
                    }
                    Witness::Reader(reader) => reader.locate(from, self.plan.to, &error).reading(path)?,
                    Witness::Counter(_) | Witness::Nobody => continue,
                };
                return Err(Failure::Stopped(Box::new(Stopped { path: Escaped(path).to_string(), finding })));
            }
            witness.pass(&feed.bytes()[start..]);
            if last {
                break;
            }
            feed.next().reading(path)?;
            at = 0;
        }
        self.ill_formed += witness.finish();
        Ok(())
    }

    /// The line that counts replacements, unless nothing was lost or `--silent` is
    /// given.
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
        if self.ill_formed > 0 {
            parts.push(count(self.ill_formed, "ill-formed sequence"));
        }
        if lacking > 0 {
            parts.push(format!("{} that {} lacks", count(lacking, "character"), self.plan.to));
        }
        let name = path.map(|path| format!("{}: ", Escaped(path))).unwrap_or_default();
        Some(format!("{name}{done}: {}", parts.join(", ")))
    }
}

/// The place after US-ASCII whose encoding is not known yet.
pub(super) struct Ascii {
    locator: Box<Locator>,
}

/// Converts `src` from `at` on, up to an error.
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

/// Watches the source: for the line of an error, or to count replacements.
enum Witness {
    /// Sees every byte of a stream.
    Locator(Box<Locator>),
    /// Reads a file again, once there is an error.
    Reader(Reader),
    Counter(Box<Checker>),
    Nobody,
}

impl Witness {
    fn new(plan: &Plan, from: Encoding, reader: Option<Reader>) -> Witness {
        match plan.policy {
            Policy::Strict => match reader {
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

    /// The number of ill-formed sequences.
    fn finish(&mut self) -> u64 {
        let Witness::Counter(checker) = self else { return 0 };
        checker.finish(|_| {});
        checker.totals().findings()
    }
}

/// A regular file, read at any offset.
struct Reader {
    file: Arc<File>,
    /// The offset at which the input begins.
    origin: u64,
    /// The BOM, which the transcoder does not see.
    skipped: Vec<u8>,
}

impl Reader {
    fn new(file: &Arc<File>) -> Option<Reader> {
        let regular = is_regular(file).unwrap_or(false);
        let origin = regular.then(|| (&**file).stream_position().ok())??;
        Some(Reader { file: Arc::clone(file), origin, skipped: Vec::new() })
    }

    /// Reads up to the error, to count lines and columns.
    fn locate(&self, from: Encoding, to: Encoding, error: &Error) -> io::Result<Finding> {
        let mut locator = Locator::new(from, to);
        locator.skip(&self.skipped);
        let mut at = self.skipped.len() as u64;
        let before = (at + error.offset() as u64).saturating_sub(AROUND as u64);
        let mut block = vec![0; 64 << 10];
        while at < before {
            let capacity = block.len().min(usize::try_from(before - at).unwrap_or(usize::MAX));
            match self.read(&mut block[..capacity], at)? {
                // The file was cut since.
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
