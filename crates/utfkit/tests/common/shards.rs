//! Runs long loops on all cores.

use std::io::Write;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Calls `work` with parts of `0..count` on several threads. A panic in a thread fails the test
/// with its own message.
///
/// Only one case in [`USUALLY`] is run, or one in `N` with `UTFKIT_TEST_SHARE=N`, and standard
/// error says so. `UTFKIT_TEST_ROUND` selects which: rounds 0 to `N - 1` cover all cases.
pub(crate) fn in_shards(count: usize, work: impl Fn(Range<usize>) + Sync) {
    shared_out(count, &work);
}

/// Not generic, so that it is compiled once.
fn shared_out(count: usize, work: &(dyn Fn(Range<usize>) + Sync)) {
    let (share, round) = (share(), round());
    let cases = count.div_ceil(share);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    // Small parts, so that the threads end at about the same time.
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
                // Another position within each share, so that a property that repeats with the
                // number of a case is covered.
                let case = case * share + (case + round) % share;
                if case < count {
                    work(case..case + 1);
                }
            }
        }
    };
    thread::scope(|scope| {
        // This thread takes part, so with one core no other thread is started.
        let workers: Vec<_> = (1..cores).map(|_| scope.spawn(one_after_the_other)).collect();
        one_after_the_other();
        for worker in workers {
            if let Err(panic) = worker.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
}

/// The cases of `cases` that are run, for a loop too short for several threads.
pub(crate) fn in_share<T>(cases: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
    cases.enumerate().filter(|(number, _)| is_in_share(*number)).map(|(_, case)| case)
}

/// True if the case with this number is run.
pub(crate) fn is_in_share(number: usize) -> bool {
    let (share, round) = (share(), round());
    number % share == (number / share + round) % share
}

/// The default of `UTFKIT_TEST_SHARE`. It is prime, so that it shares no period with a cycle in
/// the cases.
const USUALLY: usize = 23;

/// One case in this number is run.
fn share() -> usize {
    static SHARE: OnceLock<usize> = OnceLock::new();
    *SHARE.get_or_init(|| {
        let number = number("UTFKIT_TEST_SHARE", USUALLY);
        assert!(number > 0, "UTFKIT_TEST_SHARE is 0");
        // Written to the stream itself: the harness captures `eprintln` if the test passes.
        if number > 1 {
            let _ = writeln!(
                std::io::stderr(),
                "of the long loops only one case of {number} (UTFKIT_TEST_SHARE=1: all of them)"
            );
        }
        number
    })
}

/// Selects the case within each share.
fn round() -> usize {
    static ROUND: OnceLock<usize> = OnceLock::new();
    *ROUND.get_or_init(|| number("UTFKIT_TEST_ROUND", 0))
}

fn number(variable: &str, otherwise: usize) -> usize {
    std::env::var(variable)
        .map_or(otherwise, |value| value.parse().unwrap_or_else(|_| panic!("{variable}: {value:?} is not a number")))
}
