//! The output of a conversion.
//!
//! A thread writes long outputs while the next part is converted. A file that is
//! replaced is not touched while the output equals its content: the new file is
//! created at the first difference and starts with a copy of the equal part. A
//! file that would not change is never written.

use std::fs::File;
use std::io::{self, Read};
use std::mem;
use std::panic;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use crate::buffer::Buffer;
use crate::destination::{Destination, Snapshot, ensure_free};
use crate::feed::{BUFFERS, Filled, LONG};
use crate::reading::copy;
use crate::record::Record;
use utfkit_gate::{CHANGED, Keep};

/// Size of the output buffer, in bytes.
const CAPACITY: usize = 256 << 10;
/// Size of the buffer when a thread writes. Larger, since handing over a buffer
/// has a fixed cost.
const CAPACITY_OF_THREAD: usize = 1 << 20;

/// Maximum number of bytes that a decoder holds back. If the output lags further
/// behind the input, it differs.
const MOST_PENDING: usize = 64;

/// A file to be replaced by its conversion.
pub(crate) struct Rewrite {
    pub(crate) path: PathBuf,
    pub(crate) file: Arc<File>,
    pub(crate) read: Snapshot,
    pub(crate) backup: Option<PathBuf>,
    pub(crate) attributes: Keep,
    pub(crate) record: Option<Box<Record>>,
}

impl Rewrite {
    fn begin(&self) -> io::Result<Destination> {
        if let Some(backup) = &self.backup {
            ensure_free(&self.path, backup)?;
        }
        Destination::existing(&self.path, self.attributes, &self.read)
    }
}

pub(crate) struct Sink {
    state: State,
    buf: Buffer,
    /// Bytes written so far.
    total: u64,
    /// True if a thread may write.
    threaded: bool,
    record: Option<Box<Record>>,
}

enum State {
    /// The output so far equals the first `total` bytes of the file.
    Equal {
        rewrite: Rewrite,
        tail: Vec<u8>,
    },
    Here(Destination),
    Thread(Writer),
    Broken,
}

struct Writer {
    full: SyncSender<Filled>,
    empty: Receiver<Buffer>,
    thread: JoinHandle<Option<io::Result<Destination>>>,
}

impl Sink {
    /// `buffer` is reused; [`finish`](Self::finish) returns it.
    pub(crate) fn to(target: Destination, buffer: Buffer, threaded: bool) -> Sink {
        Sink::new(State::Here(target), buffer, threaded, None)
    }

    /// An output that replaces its source. The source of `is_made` text is made of the file.
    pub(crate) fn over(mut rewrite: Rewrite, buffer: Buffer, threaded: bool, is_made: bool) -> io::Result<Sink> {
        let record = rewrite.record.take();
        let state = match is_made {
            false => State::Equal { rewrite, tail: Vec::new() },
            true => State::Here(rewrite.begin()?),
        };
        Ok(Sink::new(state, buffer, threaded, record))
    }

    fn new(state: State, mut buf: Buffer, threaded: bool, record: Option<Box<Record>>) -> Sink {
        buf.grow(CAPACITY);
        Sink { state, buf, total: 0, threaded, record }
    }

    /// The space for the next part of the output.
    pub(crate) fn buf(&mut self) -> &mut [u8] {
        &mut self.buf
    }

    /// Takes the first `len` bytes of the buffer as output, made from the input
    /// bytes `source`.
    pub(crate) fn made(&mut self, len: usize, source: &[u8]) -> io::Result<()> {
        if let Some(record) = &mut self.record {
            record.take(source, &self.buf[..len])?;
        }
        if let State::Equal { tail, .. } = &mut self.state {
            if continues_source(&self.buf[..len], tail, source) {
                self.total += len as u64;
                return Ok(());
            }
            self.begin()?;
        }
        if len == 0 {
            return Ok(());
        }
        if self.threaded && self.total >= LONG {
            self.threaded = false;
            self.begin_thread();
        }
        self.total += len as u64;
        match &mut self.state {
            State::Here(target) => target.write_all(&self.buf[..len]),
            State::Thread(writer) => {
                let sent = writer.full.send((mem::take(&mut self.buf), len)).is_ok();
                if sent && let Ok(buf) = writer.empty.recv() {
                    self.buf = buf;
                    self.buf.grow(CAPACITY_OF_THREAD);
                    return Ok(());
                }
                self.buf.grow(CAPACITY_OF_THREAD);
                // The thread ended because of a write error.
                self.settle()?;
                Err(given_up())
            }
            State::Equal { .. } | State::Broken => Err(given_up()),
        }
    }

    /// Ends the output. Returns the target to commit, or `None` if the file would
    /// not change, and a buffer to reuse.
    pub(crate) fn finish(mut self) -> io::Result<(Option<Destination>, Buffer)> {
        if let State::Equal { rewrite, tail } = &self.state {
            // The output so far is a prefix of the file.
            if tail.is_empty() && rewrite.file.metadata()?.len() == self.total {
                return Ok((None, mem::take(&mut self.buf)));
            }
            self.begin()?;
        }
        let target = self.settle()?;
        Ok((Some(target), mem::take(&mut self.buf)))
    }

    /// Takes the record, if one was requested.
    pub(crate) fn take_record(&mut self) -> Option<Box<Record>> {
        self.record.take()
    }

    /// Starts the new file with the part that equals the old one.
    fn begin(&mut self) -> io::Result<()> {
        let State::Equal { rewrite, .. } = mem::replace(&mut self.state, State::Broken) else { return Ok(()) };
        let mut target = rewrite.begin()?;
        if self.total > 0 {
            // Its own position: another thread reads on. If the file has changed since, it
            // is not replaced.
            let mut front = File::open(&rewrite.path)?.take(self.total);
            if copy(&mut front, &mut Buffer::new(CAPACITY), |bytes| target.write_all(bytes))? < self.total {
                return Err(io::Error::other(CHANGED));
            }
        }
        self.state = State::Here(target);
        Ok(())
    }

    /// Starts a thread to write from now on, if possible.
    fn begin_thread(&mut self) {
        let State::Here(target) = mem::replace(&mut self.state, State::Broken) else { return };
        let (full, take) = sync_channel::<Filled>(BUFFERS);
        let (give, empty) = sync_channel::<Buffer>(BUFFERS);
        // Through a channel, so that the target is not lost if spawning fails.
        let (hand_over, handed_over) = sync_channel::<Destination>(1);
        for _ in 1..BUFFERS {
            let _ = give.send(Buffer::default());
        }
        let writer = move || {
            let mut target = handed_over.recv().ok()?;
            while let Ok((buffer, len)) = take.recv() {
                if let Err(error) = target.write_all(&buffer[..len]) {
                    return Some(Err(error));
                }
                // Fails if the sink is gone and needs no buffer.
                let _ = give.send(buffer);
            }
            Some(Ok(target))
        };
        self.state = match thread::Builder::new().name("writer".to_owned()).spawn(writer) {
            Ok(thread) => {
                let _ = hand_over.send(target);
                State::Thread(Writer { full, empty, thread })
            }
            Err(_) => State::Here(target),
        };
    }

    /// Waits until everything is written.
    fn settle(&mut self) -> io::Result<Destination> {
        match mem::replace(&mut self.state, State::Broken) {
            State::Here(target) => Ok(target),
            State::Thread(Writer { full, empty: _empty, thread }) => {
                drop(full);
                match thread.join() {
                    Ok(Some(written)) => written,
                    Ok(None) => Err(given_up()),
                    Err(panicked) => panic::resume_unwind(panicked),
                }
            }
            State::Equal { .. } | State::Broken => Err(given_up()),
        }
    }
}

impl Drop for Sink {
    /// Joins the thread, which owns the temporary file and removes it: the process
    /// must not end before that.
    fn drop(&mut self) {
        if let State::Thread(Writer { full, thread, .. }) = mem::replace(&mut self.state, State::Broken) {
            drop(full);
            let _ = thread.join();
        }
    }
}

/// For calls after an error, which was reported already.
fn given_up() -> io::Error {
    io::Error::other("given up after an earlier error")
}

/// True if `made` continues with the bytes of the source: first `tail`, pending
/// from before, then `source`. Sets `tail` to the source bytes not yet matched.
fn continues_source(made: &[u8], tail: &mut Vec<u8>, source: &[u8]) -> bool {
    if tail.is_empty() && made.len() == source.len() {
        return made == source;
    }
    let of_tail = made.len().min(tail.len());
    let (front, rest) = made.split_at(of_tail);
    if !tail.starts_with(front) || !source.starts_with(rest) {
        return false;
    }
    tail.drain(..of_tail);
    tail.extend_from_slice(&source[rest.len()..]);
    tail.len() <= MOST_PENDING
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equality_does_not_depend_on_the_cuts() {
        let mut tail = Vec::new();
        assert!(continues_source(b"ab", &mut tail, b"abc"));
        assert!(continues_source(b"", &mut tail, b"d"));
        assert!(continues_source(b"c", &mut tail, b"") && tail == b"d");
        assert!(continues_source(b"de", &mut tail, b"e") && tail.is_empty());
        assert!(!continues_source(b"x", &mut tail, b"y"));
        assert!(!continues_source(b"xx", &mut tail, b"x"), "more than there was");
        assert!(!continues_source(b"", &mut Vec::new(), &[b'x'; MOST_PENDING + 1]), "too many bytes pending");
    }
}
