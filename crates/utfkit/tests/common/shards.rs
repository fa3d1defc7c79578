//! Long loops on all cores.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Calls `work` with parts of `0..count`, several at a time. A panic in one of
/// them fails the test with its own message.
pub(crate) fn in_shards(count: usize, work: impl Fn(Range<usize>) + Sync) {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    // Small enough that the cores end together though one part costs more
    // than another.
    let each = count.div_ceil(16 * cores).max(1);
    let next = AtomicUsize::new(0);
    let one_after_the_other = || {
        loop {
            let start = next.fetch_add(each, Ordering::Relaxed);
            if start >= count {
                break;
            }
            work(start..count.min(start + each));
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
