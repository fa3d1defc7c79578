//! `utfkit count`: counts bytes, code points, lines, UTF-16 units, columns and
//! ill-formed sequences.

use std::io;

use utfkit::diagnose::Checker;
use utfkit::{
    Encoding, Policy, Practice, Standard, Status as Stop, Transcoder, count_code_points, utf16_len_from_utf8,
};

use crate::args::{Count, CountFormat, Global};
use crate::binaries::Binaries;
use crate::buffer::Buffer;
use crate::columns::Columns;
use crate::console::Console;
use crate::each::each;
use crate::exit::{Status, is_broken_pipe};
use crate::failure::AtPath;
use crate::input::Input;
use crate::inputs::Inputs;
use crate::lock::Lock;
use crate::ordered::Ticket;
use crate::reading::read_some;
use crate::report::{CountReport, Counts};

/// Bytes per read.
const CHUNK: usize = 64 << 10;
/// Size of the UTF-8 buffer, enough for a chunk in most encodings.
const CAPACITY: usize = 3 * CHUNK;

struct Job<'a> {
    encoding: Encoding,
    report: CountReport,
    binaries: Binaries,
    total: &'a Lock<Total>,
}

#[derive(Default)]
struct Total {
    files: u64,
    counts: Counts,
}

struct Memory {
    chunk: Buffer,
    buf: Vec<u8>,
}

pub(crate) fn run(args: &Count, global: &Global) -> anyhow::Result<Status> {
    let new_console = || match args.format {
        CountFormat::Text => Console::new(),
        CountFormat::Jsonl => Console::for_json(),
    };
    let mut console = new_console();
    let report = match args.format {
        CountFormat::Text => CountReport::Text(console.out_styles),
        CountFormat::Jsonl => CountReport::Jsonl,
    };
    let total = Lock::default();
    let job = Job { encoding: args.encoding, report, binaries: Binaries::new(global.verbose), total: &total };
    let inputs = Inputs::new(&args.inputs)?.decompressed(args.compressed)?;
    console.print(&report.head(), &[])?;
    let status = each(inputs, global.threads(), console, &job.binaries, || {
        let mut memory = Memory { chunk: Buffer::new(CHUNK), buf: vec![0; CAPACITY] };
        let job = &job;
        move |input: &Input, ticket: &mut Ticket<'_>| job.count(input, &mut memory, ticket).reading(input.path())
    })?;
    let binaries = job.binaries;
    let total = total.into_inner();
    if total.files > 1 {
        let mut last = Vec::new();
        report.total(&mut last, total.files, total.counts);
        match new_console().print(&last, &[]) {
            // The reader of the pipe has seen enough.
            Err(error) if is_broken_pipe(&error) => return Ok(status),
            other => other?,
        }
    }
    binaries.finish(Some("count"));
    Ok(status)
}

impl Job<'_> {
    fn count(&self, input: &Input, memory: &mut Memory, ticket: &mut Ticket<'_>) -> io::Result<Status> {
        let mut reader = input.reader()?;
        let mut counter = Counter::new(self.encoding);
        let mut first = true;
        loop {
            let len = read_some(&mut reader, &mut memory.chunk)?;
            let bytes = &memory.chunk[..len];
            if first && let Some(why) = input.binary(bytes, self.encoding) {
                self.binaries.skip(input.path(), why, |message| ticket.complain(message));
                return Ok(Status::Well);
            }
            first = false;
            counter.feed(bytes, &mut memory.buf);
            if len == 0 || ticket.is_stopped() {
                break;
            }
        }
        let counts = counter.finish();
        self.report.file(&mut ticket.said.out, input.path(), counts);
        let mut total = self.total.lock();
        total.files += 1;
        total.counts.add(counts);
        Ok(if counts.ill_formed > 0 { Status::IllFormed } else { Status::Well })
    }
}

struct Counter {
    checker: Checker,
    /// Decodes to UTF-8, with U+FFFD for each ill-formed sequence.
    transcoder: Transcoder,
    /// Code points that are surrogate pairs in UTF-16.
    supplementary: u64,
    columns: Columns,
}

impl Counter {
    fn new(encoding: Encoding) -> Counter {
        let replace = Policy::Replace(Practice::PerSequence);
        Counter {
            checker: Checker::new(encoding, Standard::Rfc3629),
            transcoder: Transcoder::new(encoding, Encoding::Utf8, replace),
            supplementary: 0,
            columns: Columns::default(),
        }
    }

    /// Takes the next bytes; an empty slice ends the file.
    fn feed(&mut self, mut bytes: &[u8], buf: &mut [u8]) {
        let last = bytes.is_empty();
        if last {
            self.checker.finish(|_| {});
        } else {
            self.checker.feed(bytes, |_| {});
        }
        loop {
            let step = self.transcoder.transcode(bytes, buf, last);
            bytes = &bytes[step.read..];
            let text = &buf[..step.written];
            // Both functions count lead bytes, so cuts inside a character do
            // not matter. U+FFFD adds nothing to the difference.
            self.supplementary += (utf16_len_from_utf8(text) - count_code_points(text)) as u64;
            self.columns.feed(text);
            if step.status == Stop::InputEmpty {
                break;
            }
        }
    }

    fn finish(self) -> Counts {
        let totals = self.checker.totals();
        Counts {
            bytes: totals.bytes(),
            code_points: totals.code_points(),
            lines: totals.lines(),
            utf16_units: totals.code_points() + self.supplementary,
            columns: self.columns.widest(),
            ill_formed: totals.findings(),
        }
    }
}
