//! Detects that standard output was closed when the program started.
//!
//! Before `main`, Rust opens `/dev/null` in place of a closed standard stream
//! (`utfkit … >&-`). Output would be lost without an error, and the descriptor
//! does not differ from a `/dev/null` that a parent opened on purpose. So a
//! constructor, which the loader runs first, looks at the descriptor. Its
//! attribute is the only unsafe one in the command; ARCHITECTURE.md lists it.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);

/// Runs before the standard library is initialized, and uses only an atomic of it.
#[cfg(unix)]
#[ctor::ctor(unsafe)]
fn look() {
    if rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err() {
        CLOSED.store(true, Ordering::Relaxed);
    }
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
