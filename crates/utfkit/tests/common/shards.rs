//! Long loops on all cores.

use std::io::Write;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Calls `work` with parts of `0..count`, several at a time. A panic in one of
/// them fails the test with its own message.
///
/// Only one case of each [`USUALLY`] is worked on, or of each `N` with
/// `UTFKIT_TEST_SHARE=N`, and that is said on standard error. `UTFKIT_TEST_ROUND`
/// counts up to take the next one each time: after `N` rounds all were.
pub(crate) fn in_shards(count: usize, work: impl Fn(Range<usize>) + Sync) {
    shared_out(count, &work);
}

/// Compiled once, for all loops.
fn shared_out(count: usize, work: &(dyn Fn(Range<usize>) + Sync)) {
    let (share, round) = (share(), round());
    let cases = count.div_ceil(share);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    // Small enough that the cores end together though one part costs more
    // than another.
    let each = cases.div_ceil(16 * cores).max(1);
    let next = AtomicUsize::new(0);
    let one_after_the_other = || {
        loop {
            let start = next.fetch_add(each, Ordering::Relaxed);
            if start >= cases {
                break;
            }
            let range = start..cases.min(start + each);
            if share == 1 {
                work(range);
                continue;
            }
            for case in range {
                // The next one of its `share` each time: whatever else goes by
                // the number of a case, all of it comes up.
                let case = case * share + (case + round) % share;
                if case < count {
                    work(case..case + 1);
                }
            }
        }
    };
    thread::scope(|scope| {
        // This thread is one of them: with one core, and on a machine that
        // knows no threads, none is started.
        let workers: Vec<_> = (1..cores).map(|_| scope.spawn(one_after_the_other)).collect();
        one_after_the_other();
        for worker in workers {
            if let Err(panic) = worker.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
}

/// The share of `cases` that is run, for a loop that is too short for several
/// threads.
pub(crate) fn in_share<T>(cases: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
    cases.enumerate().filter(|(number, _)| is_in_share(*number)).map(|(_, case)| case)
}

/// True if the case of this number is run.
pub(crate) fn is_in_share(number: usize) -> bool {
    let (share, round) = (share(), round());
    number % share == (number / share + round) % share
}

/// The default of `UTFKIT_TEST_SHARE`. A prime number, so that no other cycle in
/// the cases has the same period.
const USUALLY: usize = 11;

/// One case of this number is run.
fn share() -> usize {
    static SHARE: OnceLock<usize> = OnceLock::new();
    *SHARE.get_or_init(|| {
        let number = number("UTFKIT_TEST_SHARE", USUALLY);
        assert!(number > 0, "UTFKIT_TEST_SHARE is 0");
        // Written to the stream itself: what `eprintln` writes is kept back
        // as long as the test passes.
        if number > 1 {
            let _ = writeln!(
                std::io::stderr(),
                "of the long loops only one case of {number} (UTFKIT_TEST_SHARE=1: all of them)"
            );
        }
        number
    })
}

/// Selects which case of each share that is.
fn round() -> usize {
    static ROUND: OnceLock<usize> = OnceLock::new();
    *ROUND.get_or_init(|| number("UTFKIT_TEST_ROUND", 0))
}

fn number(variable: &str, otherwise: usize) -> usize {
    std::env::var(variable)
        .map_or(otherwise, |value| value.parse().unwrap_or_else(|_| panic!("{variable}: {value:?} is not a number")))
}
