//! Parallel jobs with ordered output.
//!
//! Workers take batches of jobs from one iterator, so some worker always has the
//! batch whose turn it is to print. That worker prints at once. The others buffer
//! their output, and leave it to be printed when its turn comes. Memory is
//! bounded: a batch with much output waits for its turn, and a worker waits while
//! much finished output is waiting.
//!
//! A thread starts when there is a second job. A large job can use the threads
//! that are left.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::mem;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, MutexGuard, PoisonError};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use crate::console::Console;
use crate::exit::{Status, is_broken_pipe};
use crate::lock::Lock;

/// The output that one batch may buffer, in bytes.
const BATCH_LIMIT: usize = 256 << 10;
/// The output of finished batches that may wait, in bytes.
const WAITING_LIMIT: usize = 8 << 20;
/// The number of finished batches that may wait, even without output.
const WAITING_BATCHES: usize = 10_000;

/// The limit of jobs in a batch.
const LARGEST_BATCH: usize = 64;
/// Batches that finish sooner than this grow; others shrink.
const BATCH_TIME: Duration = Duration::from_micros(500);
/// Output waits no longer than this for the rest of its batch.
const PATIENCE: Duration = Duration::from_millis(10);

/// The output of a job.
#[derive(Debug, Default)]
pub(crate) struct Said {
    pub(crate) out: Vec<u8>,
    pub(crate) err: Vec<u8>,
}

impl Said {
    fn len(&self) -> usize {
        self.out.len() + self.err.len()
    }
}

struct Printer {
    console: Console,
    /// The output of batches that finished before their turn, by job.
    waiting: BTreeMap<u64, Vec<Said>>,
    waiting_bytes: usize,
    /// The number of workers that wait.
    idle: usize,
    status: Status,
    error: Option<io::Error>,
}

struct Shared {
    printer: Lock<Printer>,
    turned: Condvar,
    /// The batch whose turn it is. Changes only under the lock of the printer.
    turn: AtomicU64,
    /// Printing failed: workers stop.
    stopped: AtomicBool,
    /// The number of threads that may still be started.
    spare: AtomicUsize,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Printer> {
        self.printer.lock()
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn is_turn_of(&self, batch: u64) -> bool {
        self.turn.load(Ordering::Relaxed) == batch
    }

    fn print(&self, printer: &mut Printer, said: &[Said]) {
        for said in said {
            if self.is_stopped() {
                return;
            }
            if let Err(error) = printer.console.print(&said.out, &said.err) {
                self.stopped.store(true, Ordering::Relaxed);
                self.turned.notify_all();
                if !is_broken_pipe(&error) {
                    printer.error = Some(error);
                }
            }
        }
    }

    /// Waits until `ready`, or until the work is stopped.
    fn wait<'a>(
        &'a self,
        mut printer: MutexGuard<'a, Printer>,
        ready: impl Fn(&Printer) -> bool,
    ) -> MutexGuard<'a, Printer> {
        printer.idle += 1;
        printer = self
            .turned
            .wait_while(printer, |p| !ready(p) && !self.is_stopped())
            .unwrap_or_else(PoisonError::into_inner);
        printer.idle -= 1;
        printer
    }

    fn spare(&self) -> Option<Spare<'_>> {
        let take = |spare: usize| spare.checked_sub(1);
        self.spare.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).ok().map(|_| Spare(self))
    }
}

/// The right to start a thread.
pub(crate) struct Spare<'a>(&'a Shared);

impl Drop for Spare<'_> {
    fn drop(&mut self) {
        self.0.spare.fetch_add(1, Ordering::Relaxed);
    }
}

/// The output of the jobs of a batch.
pub(crate) struct Ticket<'a> {
    shared: &'a Shared,
    batch: u64,
    /// The index of the job.
    number: u64,
    /// The output of earlier jobs of the batch.
    before: Vec<Said>,
    before_len: usize,
    pub(crate) said: Said,
}

impl<'a> Ticket<'a> {
    /// For a batch that begins with job `number`.
    fn new(shared: &'a Shared, batch: u64, number: u64) -> Ticket<'a> {
        Ticket { shared, batch, number, before: Vec::new(), before_len: 0, said: Said::default() }
    }

    /// Prints the output if there is much of it, and waits for the turn. To be called
    /// now and then.
    pub(crate) fn relieve(&mut self) {
        if self.said.len() + self.before_len < BATCH_LIMIT {
            return;
        }
        let printer = self.shared.wait(self.shared.lock(), |_| self.shared.is_turn_of(self.batch));
        self.hand_over(printer);
    }

    /// Prints the output if it is the turn of this batch.
    pub(crate) fn pass_on(&mut self) {
        if self.said.len() + self.before_len > 0 && self.shared.is_turn_of(self.batch) {
            self.hand_over(self.shared.lock());
        }
    }

    fn hand_over(&mut self, mut printer: MutexGuard<'_, Printer>) {
        self.shared.print(&mut printer, &self.before);
        self.shared.print(&mut printer, std::slice::from_ref(&self.said));
        self.before.clear();
        self.before_len = 0;
        self.said.out.clear();
        self.said.err.clear();
    }

    /// The index of the job among all jobs.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// A line on standard output.
    pub(crate) fn say_out(&mut self, line: fmt::Arguments<'_>) {
        // Writing to memory cannot fail.
        let _ = writeln!(self.said.out, "{line}");
    }

    /// A message of the command, on standard error.
    pub(crate) fn complain(&mut self, message: impl fmt::Display) {
        let _ = writeln!(self.said.err, "utfkit: {message}");
    }

    /// True if no more output is wanted.
    pub(crate) fn is_stopped(&self) -> bool {
        self.shared.is_stopped()
    }

    /// The right to start a thread for this job, if one is left.
    pub(crate) fn spare(&self) -> Option<Spare<'a>> {
        self.shared.spare()
    }

    fn end_job(&mut self) {
        if self.said.len() > 0 {
            self.before_len += self.said.len();
            self.before.push(mem::take(&mut self.said));
        }
    }

    fn finish(self, status: Status) {
        let Ticket { shared, batch, before, before_len, .. } = self;
        let mut printer = shared.lock();
        printer.status = printer.status.max(status);
        if !shared.is_turn_of(batch) {
            printer.waiting_bytes += before_len;
            printer.waiting.insert(batch, before);
            let few = |p: &Printer| p.waiting_bytes < WAITING_LIMIT && p.waiting.len() < WAITING_BATCHES;
            let _printer = if few(&printer) { printer } else { shared.wait(printer, few) };
            return;
        }
        shared.print(&mut printer, &before);
        let mut turn = batch + 1;
        while let Some(said) = printer.waiting.remove(&turn) {
            printer.waiting_bytes -= said.iter().map(Said::len).sum::<usize>();
            shared.print(&mut printer, &said);
            turn += 1;
        }
        shared.turn.store(turn, Ordering::Relaxed);
        if printer.idle > 0 {
            drop(printer);
            shared.turned.notify_all();
        }
    }
}

/// Stops the others if a worker panics: its turn would never end.
struct StopOnPanic<'a>(&'a Shared);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            let _printer = self.0.lock();
            self.0.stopped.store(true, Ordering::Relaxed);
            self.0.turned.notify_all();
        }
    }
}

/// Does all `jobs`, up to `threads` at once. `worker` makes the function that does
/// the jobs of one thread.
///
/// `size_hint` of `jobs` has to be right: its lower bound counts jobs that can be
/// taken without waiting, and an upper bound of 0 means that no thread is needed.
///
/// Returns the worst status. If the reader of the output goes away, the work ends
/// without an error.
pub(crate) fn run<T, W>(
    jobs: impl Iterator<Item = T> + Send,
    threads: usize,
    console: Console,
    worker: impl Fn() -> W + Sync,
) -> io::Result<Status>
where
    T: Send,
    W: FnMut(T, &mut Ticket<'_>) -> Status,
{
    let crew = Crew {
        shared: Shared {
            printer: Lock::new(Printer {
                console,
                waiting: BTreeMap::new(),
                waiting_bytes: 0,
                idle: 0,
                status: Status::Well,
                error: None,
            }),
            turned: Condvar::new(),
            turn: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
            spare: AtomicUsize::new(threads),
        },
        jobs: Lock::new(Jobs { rest: jobs, jobs: 0, batches: 0 }),
        worker,
    };
    thread::scope(|scope| crew.work(scope, crew.shared.spare()));
    let printer = crew.shared.printer.into_inner();
    match printer.error {
        Some(error) => Err(error),
        None => Ok(printer.status),
    }
}

struct Crew<J, F> {
    shared: Shared,
    jobs: Lock<Jobs<J>>,
    worker: F,
}

struct Jobs<J> {
    rest: J,
    /// The number of jobs and batches that were taken.
    jobs: u64,
    batches: u64,
}

/// A batch of jobs.
struct Taken {
    /// The index of the batch.
    batch: u64,
    /// The index of its first job.
    first: u64,
    /// There may be another batch.
    more: bool,
}

impl<J, F, W> Crew<J, F>
where
    J: Iterator<Item: Send> + Send,
    F: Fn() -> W + Sync,
    W: FnMut(J::Item, &mut Ticket<'_>) -> Status,
{
    /// The loop of each thread.
    fn work<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>, spare: Option<Spare<'scope>>) {
        let shared = &self.shared;
        let _guard = StopOnPanic(shared);
        let mut work = (self.worker)();
        let mut size = 1;
        let mut batch = Vec::new();
        while !shared.is_stopped() {
            let Some(Taken { batch: turn, first, more }) = self.take(size, &mut batch) else { break };
            if more && let Some(spare) = shared.spare() {
                // If no thread can be started, this one does the work.
                let _ = thread::Builder::new().spawn_scoped(scope, || self.work(scope, Some(spare)));
            }
            let began = Instant::now();
            let mut status = Status::Well;
            let mut ticket = Ticket::new(shared, turn, first);
            for job in batch.drain(..) {
                status = status.max(work(job, &mut ticket));
                ticket.end_job();
                ticket.number += 1;
                if shared.is_stopped() {
                    break;
                }
                if ticket.before_len > 0 && began.elapsed() > PATIENCE {
                    ticket.pass_on();
                }
            }
            ticket.finish(status);
            size = if began.elapsed() < BATCH_TIME { LARGEST_BATCH.min(size * 2) } else { 1.max(size / 2) };
        }
        drop(spare);
    }

    /// Puts up to `size` jobs into `batch`.
    fn take(&self, size: usize, batch: &mut Vec<J::Item>) -> Option<Taken> {
        let mut jobs = self.jobs.lock();
        batch.push(jobs.rest.next()?);
        while batch.len() < size && jobs.rest.size_hint().0 > 0 {
            let Some(job) = jobs.rest.next() else { break };
            batch.push(job);
        }
        let taken = Taken { batch: jobs.batches, first: jobs.jobs, more: jobs.rest.size_hint().1 != Some(0) };
        jobs.batches += 1;
        jobs.jobs += batch.len() as u64;
        Some(taken)
    }
}
