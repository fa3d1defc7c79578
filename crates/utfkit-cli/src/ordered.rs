//! Many files at once, their output in order.
//!
//! Workers take jobs from one iterator, so the job whose turn it is to print
//! is always in some worker's hands. Such a worker writes through; the others
//! collect what they have to say and leave it to be printed when its turn
//! comes. Two limits keep the memory bounded: a job that has collected much
//! waits for its turn, and so does a worker when much lies waiting.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::exit::{Status, is_broken_pipe};
use crate::report::Console;

/// What one job may collect.
const JOB_LIMIT: usize = 256 << 10;
/// What all finished jobs may leave behind.
const WAITING_LIMIT: usize = 8 << 20;
/// How many finished jobs may lie waiting, be it with nothing to say.
const WAITING_JOBS: usize = 50_000;

/// What a job says.
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
    /// The job whose turn it is.
    turn: u64,
    /// What finished jobs said before their turn.
    waiting: BTreeMap<u64, Said>,
    waiting_bytes: usize,
    status: Status,
    error: Option<io::Error>,
}

struct Shared {
    printer: Mutex<Printer>,
    turned: Condvar,
    /// Nobody reads any more, or writing failed: go home.
    stopped: AtomicBool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Printer> {
        self.printer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn print(&self, printer: &mut Printer, said: &Said) {
        if self.stopped.load(Ordering::Relaxed) {
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

    /// Waits until `ready`, or until there is no reason to wait.
    fn wait<'a>(
        &'a self,
        printer: MutexGuard<'a, Printer>,
        ready: impl Fn(&Printer) -> bool,
    ) -> MutexGuard<'a, Printer> {
        self.turned
            .wait_while(printer, |p| !ready(p) && !self.stopped.load(Ordering::Relaxed))
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// A job's right to speak.
pub(crate) struct Ticket<'a> {
    shared: &'a Shared,
    number: u64,
    pub(crate) said: Said,
}

impl Ticket<'_> {
    /// Call it now and then: hands over what was collected if that is much.
    pub(crate) fn relieve(&mut self) {
        if self.said.len() < JOB_LIMIT {
            return;
        }
        let mut printer = self.shared.wait(self.shared.lock(), |p| p.turn == self.number);
        self.shared.print(&mut printer, &self.said);
        self.said.out.clear();
        self.said.err.clear();
    }

    /// The place of the job among all jobs, from 0.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// A line on standard output.
    pub(crate) fn say_out(&mut self, line: fmt::Arguments<'_>) {
        // Writing to memory cannot fail.
        let _ = writeln!(self.said.out, "{line}");
    }

    /// A line on standard error.
    pub(crate) fn say_err(&mut self, line: fmt::Arguments<'_>) {
        let _ = writeln!(self.said.err, "{line}");
    }

    /// Nobody wants to hear more.
    pub(crate) fn is_stopped(&self) -> bool {
        self.shared.stopped.load(Ordering::Relaxed)
    }

    fn finish(mut self, status: Status) {
        let shared = self.shared;
        let said = mem::take(&mut self.said);
        let mut printer = shared.lock();
        printer.status = printer.status.max(status);
        if printer.turn != self.number {
            printer.waiting_bytes += said.len();
            printer.waiting.insert(self.number, said);
            let _printer = shared.wait(printer, |p| p.waiting_bytes < WAITING_LIMIT && p.waiting.len() < WAITING_JOBS);
            return;
        }
        shared.print(&mut printer, &said);
        printer.turn += 1;
        loop {
            let turn = printer.turn;
            let Some(said) = printer.waiting.remove(&turn) else { break };
            printer.waiting_bytes -= said.len();
            shared.print(&mut printer, &said);
            printer.turn += 1;
        }
        drop(printer);
        shared.turned.notify_all();
    }
}

/// A worker that panics never takes its turn: nobody may wait for it.
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

/// Does every job of `jobs`, up to `threads` at once. `worker` makes what a
/// thread uses for all of its jobs.
///
/// Answers with the worst status. A reader that went away ends the work
/// quietly; another failure to write is an error.
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
    let shared = Shared {
        printer: Mutex::new(Printer {
            console,
            turn: 0,
            waiting: BTreeMap::new(),
            waiting_bytes: 0,
            status: Status::Well,
            error: None,
        }),
        turned: Condvar::new(),
        stopped: AtomicBool::new(false),
    };
    let jobs = Mutex::new(jobs.enumerate());
    let work = || {
        let _guard = StopOnPanic(&shared);
        let mut work = worker();
        while !shared.stopped.load(Ordering::Relaxed) {
            let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((number, job)) = next else { break };
            let mut ticket = Ticket { shared: &shared, number: number as u64, said: Said::default() };
            let status = work(job, &mut ticket);
            ticket.finish(status);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    let printer = shared.printer.into_inner().unwrap_or_else(PoisonError::into_inner);
    match printer.error {
        Some(error) => Err(error),
        None => Ok(printer.status),
    }
}
