//! `utfkit --version`.

use std::io::{self, Write};

use utfkit::isa;

use crate::exit::Status;

/// Prints the version and, if `verbose`, what a bug report needs to say about
/// the processor.
pub(crate) fn run(verbose: bool) -> anyhow::Result<Status> {
    let mut out = io::stdout().lock();
    writeln!(out, "utfkit {}", env!("CARGO_PKG_VERSION"))?;
    if verbose {
        let present: Vec<_> = isa::available().map(|isa| isa.to_string()).collect();
        writeln!(out, "instruction sets: {}", present.join(" "))?;
        writeln!(out, "in use: {}", isa::active())?;
    }
    Ok(Status::Well)
}
