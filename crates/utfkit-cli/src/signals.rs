//! Signals that end the process, and the files that they may not leave after.
//!
//! Every temporary file stands in one list. It is made, renamed and removed
//! while the list is held, so whoever holds the list knows all of them. A
//! signal is taken by a thread of its own: that holds the list for good,
//! removes what stands in it, and lets the signal do what it would have done.
//!
//! The thread begins with the first temporary file: a run that makes none ends
//! by a signal as any program does.

use std::path::PathBuf;
use std::sync::{MutexGuard, Once};

use crate::lock::Lock;

static LIVE: Lock<Vec<PathBuf>> = Lock::new(Vec::new());
static WATCHED: Once = Once::new();

/// The temporary files that there are, held: nobody makes, renames or removes
/// one meanwhile.
pub(crate) fn live() -> MutexGuard<'static, Vec<PathBuf>> {
    LIVE.lock()
}

/// From now on an orderly signal removes what is [`live`].
pub(crate) fn watch() {
    WATCHED.call_once(platform::watch);
}

#[cfg(unix)]
mod platform {
    use std::fs;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use std::sync::mpsc;
    use std::thread;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use signal_hook::{flag, low_level};

    pub(super) fn watch() {
        let ignored = ignored(&fs::read_to_string("/proc/self/status").unwrap_or_default());
        // `nohup` and shells without job control start a program so that it
        // outlives these: that stays.
        let wanted: Vec<_> = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|&s| !ignored.contains(&s)).collect();
        let (ready, is_ready) = mpsc::channel();
        // The handlers come after the thread: without it they would only
        // swallow the signals.
        let thread = thread::Builder::new().name("signals".to_owned()).spawn(move || {
            let signals = Signals::new(wanted);
            let _ = ready.send(());
            let Ok(mut signals) = signals else { return };
            if let Some(signal) = signals.forever().next() {
                // Held to the end: a file that is just being made waits here.
                let live = super::live();
                for path in live.iter() {
                    let _ = fs::remove_file(path);
                }
                let _ = low_level::emulate_default_handler(signal);
            }
        });
        if thread.is_ok() {
            let _ = is_ready.recv();
        }
        // A file beyond the limit (`ulimit -f`) is then an error of the write,
        // which cleans up, and no sudden end.
        let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }

    /// The signals that this process was told to ignore, as Linux says it. On
    /// other systems nothing says it without `unsafe`.
    fn ignored(status: &str) -> Vec<i32> {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
        (1..=64).filter(|signal| mask >> (signal - 1) & 1 == 1).collect()
    }

    #[cfg(test)]
    mod tests {
        #[test]
        fn the_mask_of_linux() {
            assert_eq!(super::ignored("Name:\tx\nSigIgn:\t0000000000001003\nSigCgt:\tff\n"), [1, 2, 13]);
            assert!(super::ignored("").is_empty());
        }
    }
}

#[cfg(not(unix))]
mod platform {
    pub(super) fn watch() {}
}
