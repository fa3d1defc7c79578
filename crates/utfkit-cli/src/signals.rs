//! Removal of temporary files when a signal ends the process.
//!
//! One list has the names of all temporary files. They are created, renamed and
//! removed only under the lock of the list. A thread waits for signals: it locks
//! the list for good, removes the files, and then takes the default action of the
//! signal.
//!
//! The thread starts with the first temporary file. Without one, signals are
//! handled as in any program.

use std::path::PathBuf;
use std::sync::{MutexGuard, Once};

use crate::lock::Lock;

static LIVE: Lock<Vec<PathBuf>> = Lock::new(Vec::new());
static WATCHED: Once = Once::new();

/// Locks the list of temporary files. While it is locked, none may be created,
/// renamed or removed.
pub(crate) fn live() -> MutexGuard<'static, Vec<PathBuf>> {
    LIVE.lock()
}

/// From now on, a signal removes the files in the list.
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
        // `nohup`, and shells without job control, start programs that ignore some
        // of these. They stay ignored.
        let wanted: Vec<_> = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|&s| !ignored.contains(&s)).collect();
        let (ready, is_ready) = mpsc::channel();
        // The thread installs the handlers: without it, they would swallow the
        // signals.
        let thread = thread::Builder::new().name("signals".to_owned()).spawn(move || {
            let signals = Signals::new(wanted);
            let _ = ready.send(());
            let Ok(mut signals) = signals else { return };
            if let Some(signal) = signals.forever().next() {
                // Never unlocked, so that no other file is created.
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
        // Beyond the limit of a file (`ulimit -f`), a write then fails instead of
        // ending the process.
        let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }

    /// The signals that this process ignores, by `/proc/self/status`. Other systems
    /// need `unsafe` for it.
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

#[cfg(windows)]
mod platform {
    use std::fs;
    use std::process;

    /// The status of a program that Ctrl-C ended (`STATUS_CONTROL_C_EXIT`).
    const INTERRUPTED: i32 = 0xC000_013Au32 as i32;

    /// Ctrl-C, Ctrl-Break, and the end of the console or of the session. The system runs
    /// the handler on a thread of its own.
    pub(super) fn watch() {
        let _ = ctrlc::set_handler(|| {
            // Never unlocked, so that no other file is created.
            let live = super::live();
            for path in live.iter() {
                let _ = fs::remove_file(path);
            }
            process::exit(INTERRUPTED);
        });
    }
}
