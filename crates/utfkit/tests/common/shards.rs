//! Long loops on all cores.

use std::io::Write;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Calls `work` with parts of `0..count`, several at a time. A panic in one of
/// them fails the test with its own message.
///
/// With `UTFKIT_TEST_SHARE=N` only one case of each `N` is worked on, and that
/// is said on standard error: for processors that are imitated, on which all
/// would take hours.
pub(crate) fn in_shards(count: usize, work: impl Fn(Range<usize>) + Sync) {
    let share = share();
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
                let case = case * share + case % share;
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

/// Those of `cases` that are to be worked on: the same share of a loop that is
/// too short for several threads.
pub(crate) fn in_share<T>(cases: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
    let share = share();
    cases.enumerate().filter(move |(i, _)| i % share == i / share % share).map(|(_, case)| case)
}

/// One case of how many is to be worked on.
fn share() -> usize {
    static SHARE: OnceLock<usize> = OnceLock::new();
    *SHARE.get_or_init(|| {
        let Ok(share) = std::env::var("UTFKIT_TEST_SHARE") else { return 1 };
        let number = share.parse().ok().filter(|&number| number > 0);
        let number = number.unwrap_or_else(|| panic!("UTFKIT_TEST_SHARE: {share:?} is no number above 0"));
        // Written to the stream itself: what `eprintln` writes is kept back
        // as long as the test passes.
        let _ = writeln!(std::io::stderr(), "UTFKIT_TEST_SHARE: of the long loops only one case of {number}");
        number
    })
}
