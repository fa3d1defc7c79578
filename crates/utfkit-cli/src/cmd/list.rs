//! `utfkit list`: the encodings.

use std::io::{self, Write};

use utfkit::Encoding;

use crate::exit::Status;

/// Prints a line for each encoding: its name, then its other labels.
pub(crate) fn run() -> anyhow::Result<Status> {
    let mut out = io::stdout().lock();
    for encoding in Encoding::ALL {
        write!(out, "{encoding}")?;
        for label in encoding.labels() {
            write!(out, " {label}")?;
        }
        writeln!(out)?;
    }
    out.flush()?;
    Ok(Status::Well)
}
