//! `utfkit --version`.

use std::env::consts::{ARCH, OS};
use std::io::{self, Write};

use utfkit::{Encoding, isa};

use crate::exit::Status;
use crate::{stdout, unicode};

/// Prints the version and, if `verbose`, the details that a bug report needs.
pub(crate) fn run(verbose: bool) -> anyhow::Result<Status> {
    stdout::ensure_open()?;
    let mut out = io::stdout().lock();
    writeln!(out, "utfkit {}", env!("CARGO_PKG_VERSION"))?;
    if verbose {
        let present: Vec<_> = isa::available().map(|isa| isa.to_string()).collect();
        let build = if cfg!(debug_assertions) { "debug" } else { "release" };
        let (major, minor, _) = unicode_script::UNICODE_VERSION;
        writeln!(out, "instruction sets: {}", present.join(" "))?;
        writeln!(out, "in use: {}", isa::active())?;
        writeln!(out, "target: {ARCH} {OS}{}, {build} build", environment())?;
        writeln!(out, "encodings: {}", Encoding::ALL.len())?;
        writeln!(out, "Unicode: names of {}, scripts of {major}.{minor}", unicode::VERSION)?;
    }
    out.flush()?;
    Ok(Status::Well)
}

/// The C library, for targets that have several.
fn environment() -> &'static str {
    if cfg!(target_env = "gnu") {
        " gnu"
    } else if cfg!(target_env = "musl") {
        " musl"
    } else if cfg!(target_env = "msvc") {
        " msvc"
    } else {
        ""
    }
}
