//! Detects that standard output was closed when the program started.
//!
//! Before `main`, Rust opens `/dev/null` in place of a closed standard stream
//! (`utfkit … >&-`). Output would be lost without an error, and the descriptor
//! does not differ from a `/dev/null` that a parent opened on purpose. So a
//! constructor, which the loader runs first, looks at the descriptor. Its
//! attribute is the only unsafe one in the command; ARCHITECTURE.md lists it.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::printable::words;

static CLOSED: AtomicBool = AtomicBool::new(false);

/// Windows has no such descriptors: a program without a console has no standard output by design,
/// and the standard library discards its output.
///
/// Runs before the standard library is initialized, and uses only an atomic of it.
#[cfg(unix)]
#[ctor::ctor(unsafe)]
fn look() {
    if rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err() {
        CLOSED.store(true, Ordering::Relaxed);
    }
}

/// Writes all of `text`.
pub(crate) fn print(text: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text).and_then(|()| out.flush()).map_err(named)
}

/// Names standard output in an error.
pub(crate) fn named(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("standard output cannot be written: {}", words(&error)))
}

/// Fails if output would be lost.
///
/// # Errors
///
/// Standard output was closed when the program was started.
pub(crate) fn ensure_open() -> io::Result<()> {
    if CLOSED.load(Ordering::Relaxed) {
        return Err(io::Error::other("standard output is closed"));
    }
    Ok(())
}
