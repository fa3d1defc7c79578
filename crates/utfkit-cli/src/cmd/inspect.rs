//! `utfkit inspect`: shows the code points in a file.

mod window;

use std::io;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use utfkit::bom::Bom;
use utfkit::diagnose::{Content, Pieces};
use utfkit::{Encoding, Standard};

use crate::args::{ByteRange, Decompress, Inspect};
use crate::console::Console;
use crate::exit::Status;
use crate::failure::unreadable;
use crate::printable::Escaped;
use crate::report::PieceReport;
use window::Window;

/// Output is printed when the buffer reaches this size, in bytes.
const MUCH: usize = 64 << 10;

/// Reason why a file was not shown to its end.
enum Stop {
    Unreadable(String),
    Unprintable(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Unreadable(unreadable(&error))
    }
}

pub(crate) fn run(args: &Inspect) -> anyhow::Result<Status> {
    let mut console = if args.jsonl { Console::for_json() } else { Console::new() };
    let stdin = [PathBuf::from("-")];
    let paths = if args.paths.is_empty() { &stdin } else { args.paths.as_slice() };
    let is_stdin = |path: &PathBuf| path == Path::new("-");
    ensure!(!(args.compressed.decompress && paths.iter().any(is_stdin)), Decompress::STDIN);
    let mut status = Status::Well;
    for (at, path) in paths.iter().enumerate() {
        let report = if args.jsonl { PieceReport::jsonl(path) } else { PieceReport::table(&console) };
        let mut inspection = Inspection { args, path, console: &mut console, report, said: Vec::new() };
        let outcome = inspection.run((paths.len() > 1).then_some(at));
        let outcome = inspection.close().and(outcome);
        status = status.max(match outcome {
            Ok(status) => status,
            Err(Stop::Unreadable(reason)) => {
                console.print(&[], format!("utfkit: {}: {reason}\n", Escaped(path)).as_bytes())?;
                Status::Failed
            }
            Err(Stop::Unprintable(error)) => return Err(error.into()),
        });
    }
    Ok(status)
}

struct Inspection<'a> {
    args: &'a Inspect,
    path: &'a Path,
    console: &'a mut Console,
    report: PieceReport,
    said: Vec<u8>,
}

impl Inspection<'_> {
    /// `number` is the index of the file among several.
    fn run(&mut self, number: Option<usize>) -> Result<Status, Stop> {
        let Inspect { encoding, range, .. } = *self.args;
        let mut window = Window::open(self.path, self.args.compressed)?;
        if let Some(number) = number {
            self.report.heading(&mut self.said, self.path, number == 0);
        }
        let mut pieces = Pieces::new(encoding, Standard::from(self.args.standard));
        self.begin(&mut window, &mut pieces)?;

        let limit = self.args.max.unwrap_or(u64::MAX);
        let mut shown = 0;
        let mut status = Status::Well;
        loop {
            window.fill()?;
            let offset = window.offset();
            if offset >= range.end {
                break;
            }
            let Some(piece) = pieces.read(window.bytes(), window.is_last()) else { break };
            let end = offset + piece.bytes().len() as u64;
            if end <= range.start {
                window.consume(piece.bytes().len());
                continue;
            }
            if shown == limit {
                self.say(format_args!("stopped after {shown} rows; continue with --range {offset}.."))?;
                break;
            }
            if offset < range.start {
                self.say(format_args!(
                    "byte {} is inside a sequence that begins at byte {offset}; shown from there",
                    range.start
                ))?;
            }
            if let Content::IllFormed(_) = piece.content() {
                status = Status::IllFormed;
                if offset == 0 {
                    self.hint(window.bytes())?;
                }
            }
            self.report.piece(&mut self.said, offset, piece);
            window.consume(piece.bytes().len());
            shown += 1;
            if self.said.len() >= MUCH {
                self.print()?;
            }
        }
        let ByteRange { start, end } = range;
        if shown == 0 && start > 0 && start < end && limit > 0 {
            let length = window.length().unwrap_or(window.offset());
            return Err(Stop::Unreadable(format!("has only {length} bytes, so there is no byte {start}")));
        }
        Ok(status)
    }

    /// Seeks to where decoding has to begin for the range.
    fn begin(&self, window: &mut Window, pieces: &mut Pieces) -> io::Result<()> {
        let Some(back) = pieces.look_back() else { return Ok(()) };
        let start = self.args.range.start;
        let unit = self.args.encoding.unit_size() as u64;
        let start = (start - start % unit).saturating_sub(back as u64);
        if start > 0 {
            window.fill()?;
            let front = window.bytes();
            pieces.settle(&front[..front.len().min(4)]);
            window.go_to(start)?;
        }
        Ok(())
    }

    /// Suggests UTF-16 or UTF-32 if the file begins with its BOM.
    fn hint(&mut self, front: &[u8]) -> Result<(), Stop> {
        let other = Bom::of(front).and_then(Bom::encoding);
        let known = match other {
            Some(Encoding::Utf16Le | Encoding::Utf16Be) => "UTF-16",
            Some(Encoding::Utf32Le | Encoding::Utf32Be) => "UTF-32",
            _ => return Ok(()),
        };
        if self.args.encoding != Encoding::Utf8 {
            return Ok(());
        }
        self.say(format_args!("begins with the BOM of {known}: try --encoding {known}"))
    }

    /// Prints a message to standard error, in order with the rows.
    fn say(&mut self, message: std::fmt::Arguments<'_>) -> Result<(), Stop> {
        self.report.finish(&mut self.said);
        let line = format!("utfkit: {}: {message}\n", Escaped(self.path));
        self.console.print(&self.said, line.as_bytes()).map_err(Stop::Unprintable)?;
        self.said.clear();
        Ok(())
    }

    fn print(&mut self) -> Result<(), Stop> {
        self.console.print(&self.said, &[]).map_err(Stop::Unprintable)?;
        self.said.clear();
        Ok(())
    }

    /// Prints the pending rows, also after a read error.
    fn close(&mut self) -> Result<(), Stop> {
        self.report.finish(&mut self.said);
        self.print()
    }
}
