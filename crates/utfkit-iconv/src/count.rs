//! Counts of calls, which show that a program uses this library.
//!
//! With `UTFKIT_ICONV_COUNT=FILE` in its environment, a process appends a line to `FILE` when it ends (`-` is
//! standard error):
//! `utfkit-iconv: xmllint: opened 2 (utfkit 1, system 1), calls 3 (utfkit 3, system 0), 4096 bytes by utfkit`.

use std::ffi::{CStr, OsStr, c_char};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

unsafe extern "C" {
    /// `getenv`, but null in a process with more privileges than its user. The crate `libc` lacks it.
    fn secure_getenv(name: *const c_char) -> *mut c_char;
}

static COUNTS: AtomicBool = AtomicBool::new(false);
static OPENED: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)];
static CALLS: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)];
static BYTES: AtomicU64 = AtomicU64::new(0);

/// Counts a conversion opened here (`ours`) or by the system.
pub fn opened(ours: bool) {
    static BEGUN: Once = Once::new();
    BEGUN.call_once(begin);
    if COUNTS.load(Relaxed) {
        OPENED[usize::from(!ours)].fetch_add(1, Relaxed);
    }
}

/// Counts a call that converted `bytes`.
#[inline]
pub fn converted(bytes: usize) {
    if COUNTS.load(Relaxed) {
        CALLS[0].fetch_add(1, Relaxed);
        BYTES.fetch_add(bytes as u64, Relaxed);
    }
}

/// Counts a call passed to the system.
#[inline]
pub fn passed_on() {
    if COUNTS.load(Relaxed) {
        CALLS[1].fetch_add(1, Relaxed);
    }
}

/// The value of `UTFKIT_ICONV_COUNT`.
fn file() -> Option<&'static OsStr> {
    // SAFETY: the name is null-terminated.
    let value = unsafe { secure_getenv(c"UTFKIT_ICONV_COUNT".as_ptr()) };
    if value.is_null() {
        return None;
    }
    // SAFETY: it is not null but null-terminated, and glibc and musl keep the old value when a program sets another.
    let value = unsafe { CStr::from_ptr(value) };
    Some(OsStr::from_bytes(value.to_bytes()))
}

fn begin() {
    if file().is_some() {
        COUNTS.store(true, Relaxed);
        // SAFETY: `report` has the type that `atexit` takes, and does not unwind.
        unsafe { libc::atexit(report) };
    }
}

extern "C" fn report() {
    let Some(file) = file() else { return };
    let of = |counts: &[AtomicU64; 2]| (counts[0].load(Relaxed), counts[1].load(Relaxed));
    let ((opened, passed), (calls, others)) = (of(&OPENED), of(&CALLS));
    let name = std::fs::read_to_string("/proc/self/comm").unwrap_or_default();
    let line = format!(
        "utfkit-iconv: {}: opened {} (utfkit {opened}, system {passed}), calls {} (utfkit {calls}, system {others}), \
         {} bytes by utfkit\n",
        name.trim_end(),
        opened + passed,
        calls + others,
        BYTES.load(Relaxed),
    );
    // An error at the end of a process is ignored.
    if file == "-" {
        let _ = std::io::stderr().write_all(line.as_bytes());
    } else if let Ok(mut file) = std::fs::OpenOptions::new().append(true).create(true).open(file) {
        let _ = file.write_all(line.as_bytes());
    }
}
