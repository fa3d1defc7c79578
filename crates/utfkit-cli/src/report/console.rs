//! Standard output and standard error, with colour where it is wanted.

use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

/// The styles of a stream; without colour all are empty.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Styles {
    pub(crate) path: Style,
    pub(crate) place: Style,
    pub(crate) kind: Style,
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
        }
    }
}

/// Both streams of the process.
pub(crate) struct Console {
    out: Box<dyn Write + Send>,
    err: Box<dyn Write + Send>,
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
            out_styles: Styles::coloured(out),
            err_styles: Styles::coloured(err),
        }
    }

    /// Prints to both streams, in this order where they are one terminal.
    pub(crate) fn print(&mut self, out: &[u8], err: &[u8]) -> io::Result<()> {
        if !out.is_empty() {
            self.out.write_all(out)?;
            self.out.flush()?;
        }
        if !err.is_empty() {
            // A closed standard error is no reason to withhold the data.
            let _ = self.err.write_all(err);
        }
        Ok(())
    }
}

/// A message of the command itself, on standard error. `message` is safe on a
/// terminal.
pub(crate) fn complain(message: &str) {
    // There is nobody left to tell if this fails.
    let _ = writeln!(io::stderr(), "utfkit: {message}");
}

/// Says how many files of a walk were left out, if any, and what to do.
pub(crate) fn skipped_binaries(count: u64, verb: &str) {
    match count {
        0 => {}
        1 => complain(&format!("skipped 1 binary file (it holds NUL bytes); name it to {verb} it too")),
        n => complain(&format!("skipped {n} binary files (they hold NUL bytes); name them to {verb} them too")),
    }
}
