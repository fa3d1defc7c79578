//! Standard output and standard error, with colour where it is wanted, and
//! with nothing above US-ASCII where the terminal cannot show it.
//!
//! What a person reads goes through here. The text that `utfkit convert`
//! writes does not: it is data, whatever stands at the other end.

use std::borrow::Cow;
use std::env;
use std::io::{self, IsTerminal, Write};
use std::mem;
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use anstyle::{Ansi256Color, AnsiColor, Style};
use utfkit::locale;

use crate::exit::{Status, is_broken_pipe};
use crate::{progress, stdout};

use super::printable::{Notation, ascii_only, escaped_text};

/// The styles of a stream; without colour all are empty.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Styles {
    pub(crate) path: Style,
    pub(crate) place: Style,
    pub(crate) kind: Style,
    pub(crate) name: Style,
    /// The bits that say what a byte is, and those that carry the value.
    pub(crate) header: Style,
    pub(crate) payload: Style,
}

impl Styles {
    fn coloured(choice: ColorChoice) -> Styles {
        if choice == ColorChoice::Never {
            return Styles::default();
        }
        Styles {
            path: AnsiColor::Magenta.on_default(),
            place: AnsiColor::Green.on_default(),
            kind: AnsiColor::Red.on_default().bold(),
            name: Style::new().bold(),
            // Of the colours that no theme changes, two that are read as well
            // on white as on black.
            header: Ansi256Color(133).on_default(),
            payload: Ansi256Color(31).on_default().bold(),
        }
    }
}

/// In JSON for standard output: the next element of an array, which needs a
/// comma unless it is the first. Whoever makes an element cannot know. JSON has
/// this byte nowhere else: in its strings it is escaped.
pub(super) const NEXT: u8 = 0x1E;

/// Both streams of the process.
pub(crate) struct Console {
    out: Box<dyn Write + Send>,
    err: Box<dyn Write + Send>,
    pub(super) out_is_ascii: bool,
    err_is_ascii: bool,
    notation: Notation,
    /// Whether an element was printed, where [`NEXT`] stands before each.
    elements: Option<bool>,
    pub(crate) out_styles: Styles,
    pub(crate) err_styles: Styles,
}

impl Console {
    /// With colour as `--color`, the environment and the terminal have it.
    pub(crate) fn new() -> Console {
        let out = AutoStream::choice(&io::stdout());
        let err = AutoStream::choice(&io::stderr());
        Console {
            // Without colour nothing has to be looked through for it.
            out: match out {
                ColorChoice::Never => Box::new(io::stdout()),
                choice => Box::new(AutoStream::new(io::stdout(), choice)),
            },
            err: match err {
                ColorChoice::Never => Box::new(io::stderr()),
                choice => Box::new(AutoStream::new(io::stderr(), choice)),
            },
            out_is_ascii: is_ascii(&io::stdout()),
            err_is_ascii: is_ascii(&io::stderr()),
            notation: Notation::Braces,
            elements: None,
            out_styles: Styles::coloured(out),
            err_styles: Styles::coloured(err),
        }
    }

    /// The same for JSON on standard output, which stays JSON.
    pub(crate) fn for_json() -> Console {
        Console { notation: Notation::Json, ..Console::new() }
    }

    /// The same for the elements of one array.
    pub(super) fn for_elements() -> Console {
        Console { elements: Some(false), ..Console::for_json() }
    }

    /// Whether standard output takes nothing above US-ASCII.
    pub(super) fn out_is_ascii(&self) -> bool {
        self.out_is_ascii
    }

    /// Prints to both streams, in this order where they are one terminal. Both
    /// parts end where a character ends.
    pub(crate) fn print(&mut self, out: &[u8], err: &[u8]) -> io::Result<()> {
        if out.is_empty() && err.is_empty() {
            return Ok(());
        }
        progress::aside(|| {
            if !out.is_empty() {
                stdout::ensure_open()?;
                let out = match &mut self.elements {
                    Some(any) => with_commas(out, any),
                    None => out.into(),
                };
                self.out.write_all(&shown(&out, self.out_is_ascii, self.notation))?;
                self.out.flush()?;
            }
            if !err.is_empty() {
                // A closed standard error is not a reason to withhold the data.
                let _ = self.err.write_all(&shown(err, self.err_is_ascii, Notation::Braces));
            }
            Ok(())
        })
    }
}

/// Whether `stream` is a terminal that by its locale takes no UTF-8 (utf-8(7),
/// "Application notes"). A file or a pipe takes all, and so does the console of
/// Windows, which no locale speaks for.
fn is_ascii(stream: &impl IsTerminal) -> bool {
    !cfg!(windows) && stream.is_terminal() && !locale::is_utf8()
}

/// `json` with a comma before each element but the first one.
fn with_commas<'a>(json: &'a [u8], any: &mut bool) -> Cow<'a, [u8]> {
    if !json.contains(&NEXT) {
        return json.into();
    }
    let mut whole = Vec::with_capacity(json.len());
    for (i, part) in json.split(|&byte| byte == NEXT).enumerate() {
        if i > 0 && mem::replace(any, true) {
            whole.push(b',');
        }
        whole.extend_from_slice(part);
    }
    whole.into()
}

/// `text` as a stream can show it.
fn shown(text: &[u8], is_ascii: bool, notation: Notation) -> Cow<'_, [u8]> {
    if is_ascii && !text.is_ascii() { ascii_only(text, notation).into() } else { text.into() }
}

/// A message of the command itself, on standard error. `message` is safe on a
/// terminal.
pub(crate) fn complain(message: &str) {
    let line = format!("utfkit: {message}\n");
    // There is nobody left to tell if this fails.
    let _ =
        progress::aside(|| io::stderr().write_all(&shown(line.as_bytes(), is_ascii(&io::stderr()), Notation::Braces)));
}

/// What clap has to say about the command line, be it only the help that was
/// asked for. It repeats the arguments, which can be names of files too.
pub(crate) fn wrong_usage(error: &clap::Error) -> ExitCode {
    let hostile = env::args_os().any(|argument| {
        let argument = argument.to_string_lossy();
        escaped_text(&argument) != argument
    });
    let is_ascii = is_ascii(&io::stderr());
    if !error.use_stderr() {
        match stdout::ensure_open().and_then(|()| error.print()).and_then(|()| io::stdout().flush()) {
            Err(error) if !is_broken_pipe(&error) => {
                complain(&format!("standard output: {error}"));
                return Status::Failed.into();
            }
            _ => return ExitCode::SUCCESS,
        }
    }
    if hostile || is_ascii {
        // Without colour: an argument could hold what looks like it.
        let plain = error.render().to_string();
        let safe: String = plain.split_inclusive('\n').map(safe_line).collect();
        let _ = io::stderr().write_all(&shown(safe.as_bytes(), is_ascii, Notation::Braces));
    } else {
        let _ = error.print();
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(u8::MAX))
}

fn safe_line(line: &str) -> String {
    match line.strip_suffix('\n') {
        Some(line) => escaped_text(line) + "\n",
        None => escaped_text(line),
    }
}

/// Says how many files of a walk were left out, if any, and what to do.
pub(crate) fn skipped_binaries(count: u64, verb: &str) {
    match count {
        0 => {}
        1 => complain(&format!("skipped 1 binary file (not text); name it to {verb} it too")),
        n => complain(&format!("skipped {n} binary files (not text); name them to {verb} them too")),
    }
}
