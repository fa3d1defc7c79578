//! The progress bar.
//!
//! There is one meter per process. [`Input`] counts the bytes read, and
//! [`Console`] hides the bar while it prints, so subcommands need not know of it.
//! Without a bar, the cost is one load of an atomic flag per call.
//!
//! [`Input`]: crate::input::Input
//! [`Console`]: crate::console::Console

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::lock::Lock;

/// Work that is done in this time gets no bar.
const PATIENCE: Duration = Duration::from_secs(1);
const BETWEEN_DRAWINGS: Duration = Duration::from_millis(100);

const KNOWN: &str = "[{bar:30}] {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";
const UNKNOWN: &str = "{spinner} {bytes}{msg}, {bytes_per_sec}, {elapsed}";

static METER: Meter = Meter {
    runs: AtomicBool::new(false),
    bytes: AtomicU64::new(0),
    files: AtomicU64::new(0),
    screen: Lock::new(Screen { named: None, bar: None, ended: false }),
    ended: Condvar::new(),
};

struct Meter {
    runs: AtomicBool,
    bytes: AtomicU64,
    files: AtomicU64,
    screen: Lock<Screen>,
    ended: Condvar,
}

struct Screen {
    /// The paths on the command line; `None` if they come from elsewhere.
    named: Option<Vec<PathBuf>>,
    bar: Option<ProgressBar>,
    ended: bool,
}

impl Meter {
    fn runs(&self) -> bool {
        self.runs.load(Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, Screen> {
        self.screen.lock()
    }
}

/// Removes the bar when dropped.
pub(crate) struct Progress(());

/// Starts a thread that draws a bar after one second, if `wanted` and standard
/// error is a terminal.
pub(crate) fn start(wanted: bool) -> Progress {
    if wanted && io::stderr().is_terminal() {
        METER.runs.store(true, Ordering::Relaxed);
        let began = Instant::now();
        // If the thread cannot be started, there is no bar.
        let _ = thread::Builder::new().spawn(move || draw(began));
    }
    Progress(())
}

impl Drop for Progress {
    fn drop(&mut self) {
        if METER.runs() {
            let mut screen = METER.lock();
            screen.ended = true;
            if let Some(bar) = screen.bar.take() {
                bar.finish_and_clear();
            }
            METER.ended.notify_all();
        }
    }
}

/// Announces files that will be read to their end, for the total.
pub(crate) fn expect(named: &[PathBuf]) {
    if METER.runs() {
        METER.lock().named = Some(named.to_vec());
    }
}

pub(crate) fn opened() {
    if METER.runs() {
        METER.files.fetch_add(1, Ordering::Relaxed);
    }
}

pub(crate) fn read(bytes: usize) {
    if METER.runs() {
        METER.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

/// Calls `print` with the bar hidden.
pub(crate) fn aside<R>(print: impl FnOnce() -> R) -> R {
    if !METER.runs() {
        return print();
    }
    match &METER.lock().bar {
        Some(bar) => bar.suspend(print),
        None => print(),
    }
}

fn draw(began: Instant) {
    // Created here, since its clock starts now and determines the rate.
    let bar = ProgressBar::hidden();
    let mut wait = PATIENCE;
    loop {
        let screen = METER.lock();
        let (mut screen, _) =
            METER.ended.wait_timeout_while(screen, wait, |s| !s.ended).unwrap_or_else(PoisonError::into_inner);
        if screen.ended {
            return;
        }
        if screen.bar.is_none() {
            let named = screen.named.take();
            drop(screen);
            // Can be slow, so the lock is not held.
            let total = named.and_then(|named| total(&named));
            screen = METER.lock();
            if screen.ended {
                return;
            }
            bar.set_style(style(if total.is_some() { KNOWN } else { UNKNOWN }));
            if let Some(total) = total {
                bar.set_length(total);
            }
            bar.set_elapsed(began.elapsed());
            bar.set_draw_target(ProgressDrawTarget::stderr());
            screen.bar = Some(bar.clone());
            wait = BETWEEN_DRAWINGS;
        }
        let files = METER.files.load(Ordering::Relaxed);
        if files > 1 {
            bar.set_message(format!(" in {files} files"));
        }
        let bytes = METER.bytes.load(Ordering::Relaxed);
        // The file can have grown.
        if bar.length().is_some_and(|total| total < bytes) {
            bar.set_length(bytes);
        }
        bar.set_position(bytes);
        bar.tick();
    }
}

/// Without colour or anything above US-ASCII, for any terminal.
fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.progress_chars("=> ").tick_chars("|/-\\ ")
}

/// The total size of the files; `None` if one is not a regular file.
fn total(named: &[PathBuf]) -> Option<u64> {
    named.iter().try_fold(0u64, |sum, path| {
        let file = match path == Path::new("-") {
            true => return None,
            false => fs::metadata(path).ok(),
        };
        match file {
            Some(file) if file.is_file() => Some(sum + file.len()),
            Some(_) => None,
            // A missing file adds nothing.
            None => Some(sum),
        }
    })
}
