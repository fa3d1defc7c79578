//! Long loops on all cores.

use std::ops::Range;
use std::thread;

/// Calls `work` with parts of `0..count`, several at a time. A panic in one of
/// them fails the test with its own message.
pub(crate) fn in_shards(count: usize, work: impl Fn(Range<usize>) + Sync) {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let each = count.div_ceil(cores).max(1);
    thread::scope(|scope| {
        let work = &work;
        let shards: Vec<_> =
            (0..count).step_by(each).map(|start| scope.spawn(move || work(start..count.min(start + each)))).collect();
        for shard in shards {
            if let Err(panic) = shard.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
}
