//! Whether standard output is there.
//!
//! Rust opens `/dev/null` in place of a standard stream that is closed
//! (`utfkit … >&-`), before `main` begins. Everything that is written is lost
//! then, without an error, and nothing in the descriptor tells it from the
//! `/dev/null` that somebody meant: not that it is open for reading too, which
//! is how a parent in Python or daemon(3) opens it. So `main` is too late, and
//! it is asked for among the constructors that the loader runs. This is the one
//! attribute of the command that needs leave for unsafe code; ARCHITECTURE.md
//! has it in its list.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);

/// Nothing of the standard library is used but an atomic: it is not ready yet.
#[cfg(unix)]
#[ctor::ctor(unsafe)]
fn look() {
    if rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err() {
        CLOSED.store(true, Ordering::Relaxed);
    }
}

/// For whoever is about to write.
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
