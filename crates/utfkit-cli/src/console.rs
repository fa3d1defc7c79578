//! Standard output and standard error, in colour if wanted, and escaped to
//! US-ASCII on terminals that cannot show more.
//!
//! Messages and reports go through here. The output of `utfkit convert` does
//! not: it is data, even on a terminal.

use std::borrow::Cow;
use std::env;
use std::io::{self, BufRead, IsTerminal, Write};
use std::mem;
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use anstyle::{Ansi256Color, AnsiColor, Style};
use utfkit::locale;

use crate::exit::{Status, is_broken_pipe};
use crate::{progress, stdout};

use crate::printable::{Notation, ascii_only, escaped_text, words};

/// The styles of a stream; all empty without colour.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Styles {
    pub(crate) path: Style,
    pub(crate) place: Style,
    pub(crate) kind: Style,
    pub(crate) name: Style,
    /// Bits that tell the kind of a byte, and bits that carry its value.
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
            // From the fixed part of the palette, readable on white and black.
            header: Ansi256Color(133).on_default(),
            payload: Ansi256Color(31).on_default().bold(),
        }
    }
}

/// Precedes each element of a JSON array in `out`. [`Console::print`] replaces
/// it with a comma except before the first element, since the threads that write
/// elements do not know their order. JSON text never contains this byte raw.
pub(crate) const NEXT: u8 = 0x1E;

pub(crate) struct Console {
    out: Box<dyn Write + Send>,
    err: Box<dyn Write + Send>,
    pub(crate) out_is_ascii: bool,
    err_is_ascii: bool,
    notation: Notation,
    /// `Some` if [`NEXT`] precedes elements; true once one has been printed.
    elements: Option<bool>,
    pub(crate) out_styles: Styles,
    pub(crate) err_styles: Styles,
}

impl Console {
    /// Uses colour as `--color`, the environment and the terminal say.
    pub(crate) fn new() -> Console {
        let out = AutoStream::choice(&io::stdout());
        let err = AutoStream::choice(&io::stderr());
        Console {
            // `AutoStream` would search all output for escape sequences.
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

    /// A console for JSON on standard output: escapes are JSON's.
    pub(crate) fn for_json() -> Console {
        Console { notation: Notation::Json, ..Console::new() }
    }

    /// A console for the elements of one JSON array.
    pub(crate) fn for_elements() -> Console {
        Console { elements: Some(false), ..Console::for_json() }
    }

    /// `text` in a form that standard output can show.
    pub(crate) fn shown<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
        shown(text, self.out_is_ascii, self.notation)
    }

    /// Prints to standard output, then to standard error. Both parts must end at
    /// a character boundary.
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
                let printed = self.out.write_all(&shown(&out, self.out_is_ascii, self.notation));
                printed.and_then(|()| self.out.flush()).map_err(stdout::named)?;
            }
            if !err.is_empty() {
                // A closed standard error is not a reason to withhold the data.
                let _ = self.err.write_all(&shown(err, self.err_is_ascii, Notation::Braces));
            }
            Ok(())
        })
    }
}

/// True for a terminal whose locale is not UTF-8 (utf-8(7), "Application notes").
/// Files and pipes take any bytes, and so does the Windows console, which has no
/// locale.
fn is_ascii(stream: &impl IsTerminal) -> bool {
    !cfg!(windows) && stream.is_terminal() && !locale::is_utf8()
}

/// Replaces each [`NEXT`] with a comma, except before the first element.
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

/// `text` in a form that the stream can show.
fn shown(text: &[u8], is_ascii: bool, notation: Notation) -> Cow<'_, [u8]> {
    if is_ascii && !text.is_ascii() { ascii_only(text, notation).into() } else { text.into() }
}

/// Prints a message of the command to standard error. `message` must be safe to
/// show on a terminal.
pub(crate) fn complain(message: &str) {
    let line = format!("utfkit: {message}\n");
    // An error here cannot be reported anywhere.
    let _ =
        progress::aside(|| io::stderr().write_all(&shown(line.as_bytes(), is_ascii(&io::stderr()), Notation::Braces)));
}

/// Asks a question with the answers yes and no on a terminal. Elsewhere the answer is no.
pub(crate) fn agreed(question: &str) -> io::Result<bool> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(false);
    }
    anstream::eprint!("{question} [y/N] ");
    io::stderr().flush()?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

/// Prints clap's error or help. The text can repeat arguments, such as hostile
/// file names, so it is escaped if any argument needs that.
pub(crate) fn wrong_usage(error: &clap::Error) -> ExitCode {
    let hostile = env::args_os().any(|argument| {
        let argument = argument.to_string_lossy();
        escaped_text(&argument) != argument
    });
    let is_ascii = is_ascii(&io::stderr());
    if !error.use_stderr() {
        match stdout::ensure_open().and_then(|()| error.print()).and_then(|()| io::stdout().flush()) {
            Err(error) if !is_broken_pipe(&error) => {
                complain(&format!("standard output: {}", words(&error)));
                return Status::Failed.into();
            }
            _ => return ExitCode::SUCCESS,
        }
    }
    if hostile || is_ascii {
        // Without colour, since an argument could contain escape sequences.
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
