//! Checks one large file on several threads.
//!
//! The file is split into stretches. The thread that owns the file goes through
//! them in order with the one checker that reports; helper threads scan the
//! stretches ahead of it ([`Ahead`]). In well-formed text, which is nearly all,
//! the checker only joins their results. Elsewhere it reads the rest of the
//! stretch again, so that the report is the same as on one thread.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, MutexGuard, PoisonError};
use std::thread;

use utfkit::diagnose::Ahead;

use super::checking::Checking;
use crate::buffer::Buffer;
use crate::input::Rest;
use crate::lock::Lock;
use crate::ordered::Ticket;
use crate::progress;

/// Maximum number of stretches that helpers are ahead of the checker, which
/// bounds wasted work if the check ends early.
const FARTHEST: u64 = 64;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    /// Bytes per read.
    pub(crate) chunk: usize,
    /// Bytes per stretch; a multiple of the largest code unit.
    pub(crate) stretch: u64,
}

impl Cut {
    /// A chunk fits into the L2 cache, so that it is still there when checked
    /// after the kernel copied it.
    const USUAL: Cut = Cut { chunk: 128 << 10, stretch: 4 << 20 };

    /// `UTFKIT_TEST_STRETCH` makes stretches small enough for the tests' files.
    pub(crate) fn new() -> Cut {
        let asked = std::env::var("UTFKIT_TEST_STRETCH").ok().and_then(|text| text.parse().ok());
        match asked {
            Some(units @ 1..=0x10_0000) => Cut { chunk: 4 * units, stretch: 8 * units as u64 },
            _ => Cut::USUAL,
        }
    }

    /// True if this many bytes are worth another thread.
    fn pays(self, bytes: u64) -> bool {
        bytes >= 2 * self.stretch
    }
}

/// Checks `rest` if it is large; otherwise returns false and does nothing.
pub(crate) fn check(
    rest: &Rest,
    cut: Cut,
    checking: &mut Checking<'_>,
    chunk: &mut [u8],
    ticket: &mut Ticket<'_>,
) -> io::Result<bool> {
    if !cut.pays(rest.len()) {
        return Ok(false);
    }
    let Some(ahead) = checking.ahead() else { return Ok(false) };
    let stretches = Stretches {
        rest,
        cut,
        count: rest.len().div_ceil(cut.stretch),
        ahead,
        state: Lock::new(State { turn: 0, next: 0, found: BTreeMap::new(), idle: 0, lost: false }),
        changed: Condvar::new(),
        stopped: AtomicBool::new(false),
    };
    thread::scope(|scope| {
        let _guard = Stop(&stretches);
        let (mut at, mut helpers) = (0, 0);
        for number in 0..stretches.count {
            // Threads can become free during the check.
            while helpers < stretches.not_taken().saturating_sub(1)
                && let Some(spare) = ticket.spare()
            {
                let stretches = &stretches;
                let help = move || {
                    stretches.help(cut.chunk);
                    drop(spare);
                };
                // Without a helper the check is only slower.
                if thread::Builder::new().spawn_scoped(scope, help).is_err() {
                    break;
                }
                helpers += 1;
            }
            let found = stretches.find(number, chunk);
            let end = rest.len().min((number + 1) * cut.stretch);
            if let Some(ahead) = found {
                let taken = checking.join(&ahead, ticket);
                progress::read(taken);
                at += taken as u64;
            }
            while at < end && !checking.is_decided(ticket) {
                let most = cut.chunk.min(usize::try_from(end - at).unwrap_or(usize::MAX));
                let len = rest.read_at(&mut chunk[..most], at)?;
                if len == 0 {
                    break;
                }
                checking.feed(&chunk[..len], ticket);
                ticket.relieve();
                ticket.pass_on();
                progress::read(len);
                at += len as u64;
            }
            // The file can have been truncated since it was opened.
            if at < end || checking.is_decided(ticket) {
                break;
            }
        }
        // If the file has grown, the caller reads the rest.
        rest.end_at(at);
        Ok(true)
    })
}

/// The stretches of one file.
struct Stretches<'a> {
    rest: &'a Rest,
    cut: Cut,
    count: u64,
    /// The scanner's state at the start of every stretch.
    ahead: Ahead,
    state: Lock<State>,
    changed: Condvar,
    /// Set when results are no longer needed.
    stopped: AtomicBool,
}

struct State {
    /// The stretch that the checker is at.
    turn: u64,
    /// The first stretch not taken by a thread.
    next: u64,
    /// Results for stretches after `turn`.
    found: BTreeMap<u64, Ahead>,
    idle: usize,
    /// Set if a helper panicked: its stretch will never be in `found`.
    lost: bool,
}

impl Stretches<'_> {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn wait<'a>(&self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        state.idle += 1;
        state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.idle -= 1;
        state
    }

    fn tell(&self, state: MutexGuard<'_, State>) {
        if state.idle > 0 {
            drop(state);
            self.changed.notify_all();
        }
    }

    /// Returns the result for stretch `number`, or `None` if no helper took it.
    /// While a helper works on it, this thread scans other stretches.
    fn find(&self, number: u64, chunk: &mut [u8]) -> Option<Ahead> {
        let mut state = self.lock();
        state.turn = number;
        if state.idle > 0 {
            self.changed.notify_all();
        }
        loop {
            if let Some(found) = state.found.remove(&number) {
                return Some(found);
            }
            if state.next == number || state.lost {
                state.next = state.next.max(number + 1);
                return None;
            }
            state = match self.take(&mut state) {
                Some(other) => {
                    drop(state);
                    let found = self.look_at(other, chunk);
                    let mut state = self.lock();
                    state.found.insert(other, found);
                    state
                }
                None => self.wait(state),
            };
        }
    }

    fn not_taken(&self) -> u64 {
        self.count - self.lock().next
    }

    /// The work of a helper thread.
    fn help(&self, chunk: usize) {
        let _guard = TellOnPanic(self);
        let mut chunk = Buffer::new(chunk);
        let mut state = self.lock();
        while !self.is_stopped() && state.next < self.count {
            state = match self.take(&mut state) {
                Some(number) => {
                    drop(state);
                    let found = self.look_at(number, &mut chunk);
                    let mut state = self.lock();
                    state.found.insert(number, found);
                    self.tell(state);
                    self.lock()
                }
                None => self.wait(state),
            };
        }
    }

    fn take(&self, state: &mut State) -> Option<u64> {
        let number = state.next;
        let may = number < self.count && number < state.turn + FARTHEST;
        state.next += u64::from(may);
        may.then_some(number)
    }

    /// Scans a stretch. A read error ends the scan; the checker will meet it again.
    fn look_at(&self, number: u64, chunk: &mut [u8]) -> Ahead {
        let mut ahead = self.ahead.clone();
        let (mut at, end) = (number * self.cut.stretch, self.rest.len().min((number + 1) * self.cut.stretch));
        while at < end && !self.is_stopped() {
            let most = self.cut.chunk.min(usize::try_from(end - at).unwrap_or(usize::MAX));
            match self.rest.read_at(&mut chunk[..most], at) {
                Ok(len) if len > 0 && ahead.feed(&chunk[..len]) => at += len as u64,
                _ => break,
            }
        }
        ahead
    }
}

struct TellOnPanic<'a>(&'a Stretches<'a>);

impl Drop for TellOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.lock().lost = true;
            self.0.changed.notify_all();
        }
    }
}

/// Ends the helpers when dropped: at the end of the file, on error and on panic.
struct Stop<'a>(&'a Stretches<'a>);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        let _state = self.0.lock();
        self.0.stopped.store(true, Ordering::Relaxed);
        self.0.changed.notify_all();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs::File;
    use std::io::{Seek, Write};

    use utfkit::diagnose::Checker;
    use utfkit::{Encoding, Standard};

    use clap::Parser;

    use crate::args::{Args, Command};
    use crate::console::Console;
    use crate::exit::Status;
    use crate::ordered;
    use crate::report::Reports;

    const CUT: Cut = Cut { chunk: 64, stretch: 256 };
    const BEFORE: u64 = 10_000;

    /// Checks a file that is `now` bytes long by then; returns the number of
    /// bytes checked and the file position afterwards.
    fn checked(mut file: File, now: u64) -> (u64, u64) {
        file.write_all(&b"text\n".repeat(BEFORE as usize / 5)).unwrap();
        file.rewind().unwrap();
        let rest = Rest::of(file.try_clone().unwrap()).unwrap().unwrap();
        assert_eq!(rest.len(), BEFORE);
        file.set_len(now).unwrap();
        let bytes = Lock::new(0);
        let Some(Command::Check(quiet)) = Args::try_parse_from(["utfkit", "check", "-q"]).unwrap().command else {
            unreachable!("it is `check`");
        };
        let reports = Reports::new(&quiet);
        let work = |rest: Rest, ticket: &mut Ticket<'_>| {
            let mut checking = Checking {
                checker: Checker::new(Encoding::Utf8, Standard::Rfc3629),
                rules: None,
                bom: None,
                detector: None,
                lines: None,
                report: reports.file("-".as_ref(), Encoding::Utf8, 0),
            };
            assert!(check(&rest, CUT, &mut checking, &mut [0; CUT.chunk], ticket).unwrap());
            *bytes.lock() = checking.checker.totals().bytes();
            Status::Well
        };
        ordered::run([rest].into_iter(), 3, Console::new(), || work).unwrap();
        (bytes.into_inner(), file.stream_position().unwrap())
    }

    #[test]
    fn a_file_that_became_shorter_ends_where_it_ends() {
        for now in [0, 1, 255, 256, 257, 5000, BEFORE - 1] {
            assert_eq!(checked(tempfile::tempfile().unwrap(), now), (now, now));
        }
    }

    #[test]
    fn what_a_file_has_grown_by_is_left_to_be_read() {
        assert_eq!(checked(tempfile::tempfile().unwrap(), BEFORE + 7), (BEFORE, BEFORE));
    }
}
