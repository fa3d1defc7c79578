//! Where the output of a conversion goes.
//!
//! Of a long output, a thread writes one piece while the next one is made. A
//! file that is written over itself is not touched as long as the output is
//! what it holds: only the first difference begins the new file, with a copy
//! of what was alike. So a file that would not change costs no writing.

use std::fs::File;
use std::io;
use std::mem;
use std::panic;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use crate::buffer::Buffer;
use crate::destination::{Destination, Snapshot, ensure_free};
use crate::feed::{BUFFERS, Filled, LONG};
use crate::reading::read_at;
use crate::record::Record;
use utfkit_gate::{CHANGED, Keep};

/// Written at once.
const CAPACITY: usize = 256 << 10;
/// The same by a thread of its own: handing over costs the same for much and
/// for little.
const CAPACITY_OF_THREAD: usize = 1 << 20;

/// What a decoder may hold back: where more is missing, the output is another.
const MOST_PENDING: usize = 64;

/// A file that is to be written over itself.
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
        Ok(Destination::existing(&self.path, self.attributes)?.made_of(self.read.clone()))
    }
}

/// An output that is being made.
pub(crate) struct Sink {
    state: State,
    buf: Buffer,
    /// What was written by now.
    total: u64,
    /// Whether a thread may write.
    threaded: bool,
    record: Option<Box<Record>>,
}

enum State {
    /// The first `total` bytes are those of the file.
    Alike {
        rewrite: Rewrite,
        tail: Vec<u8>,
    },
    Here(Destination),
    Thread(Writer),
    /// Writing failed.
    Broken,
}

struct Writer {
    full: SyncSender<Filled>,
    empty: Receiver<Buffer>,
    thread: JoinHandle<Option<io::Result<Destination>>>,
}

impl Sink {
    /// `buffer` is one to use again, from [`finish`](Self::finish).
    pub(crate) fn to(target: Destination, buffer: Buffer, threaded: bool) -> Sink {
        Sink::new(State::Here(target), buffer, threaded, None)
    }

    /// An output that is to take the place of its source.
    pub(crate) fn over(mut rewrite: Rewrite, buffer: Buffer, threaded: bool) -> io::Result<Sink> {
        let record = rewrite.record.take();
        let state = if cfg!(unix) {
            State::Alike { rewrite, tail: Vec::new() }
        } else {
            // A file cannot be read here and there.
            State::Here(rewrite.begin()?)
        };
        Ok(Sink::new(state, buffer, threaded, record))
    }

    fn new(state: State, mut buf: Buffer, threaded: bool, record: Option<Box<Record>>) -> Sink {
        buf.grow(CAPACITY);
        Sink { state, buf, total: 0, threaded, record }
    }

    /// Where the next piece is made.
    pub(crate) fn buf(&mut self) -> &mut [u8] {
        &mut self.buf
    }

    /// Takes the first `len` bytes of the space, for which the bytes `source` of
    /// the input were read.
    pub(crate) fn made(&mut self, len: usize, source: &[u8]) -> io::Result<()> {
        if let Some(record) = &mut self.record {
            record.take(source, &self.buf[..len])?;
        }
        if let State::Alike { tail, .. } = &mut self.state {
            if is_alike(&self.buf[..len], tail, source) {
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
                // It ended because it could not write.
                self.settle()?;
                Err(given_up())
            }
            State::Alike { .. } | State::Broken => Err(given_up()),
        }
    }

    /// All was made: the target to commit, or nothing if it would hold what it
    /// holds. And a buffer to use again.
    pub(crate) fn finish(mut self) -> io::Result<(Option<Destination>, Buffer)> {
        if let State::Alike { rewrite, tail } = &self.state {
            // As far as it goes the output is alike: is it all?
            if tail.is_empty() && rewrite.file.metadata()?.len() == self.total {
                return Ok((None, mem::take(&mut self.buf)));
            }
            self.begin()?;
        }
        let target = self.settle()?;
        Ok((Some(target), mem::take(&mut self.buf)))
    }

    /// What is to be known of the file, if that was asked for.
    pub(crate) fn take_record(&mut self) -> Option<Box<Record>> {
        self.record.take()
    }

    /// Begins the new file, with what is as in the old one.
    fn begin(&mut self) -> io::Result<()> {
        let State::Alike { rewrite, .. } = mem::replace(&mut self.state, State::Broken) else { return Ok(()) };
        let mut target = rewrite.begin()?;
        let mut at = 0;
        let mut block = Buffer::new(if self.total > 0 { CAPACITY } else { 0 });
        while at < self.total {
            let capacity = block.len().min(usize::try_from(self.total - at).unwrap_or(usize::MAX));
            let len = read_at(&rewrite.file, &mut block[..capacity], at)?;
            if len == 0 {
                return Err(io::Error::other(CHANGED));
            }
            target.write_all(&block[..len])?;
            at += len as u64;
        }
        self.state = State::Here(target);
        Ok(())
    }

    /// Lets a thread write from now on, if one is to be had.
    fn begin_thread(&mut self) {
        let State::Here(target) = mem::replace(&mut self.state, State::Broken) else { return };
        let (full, take) = sync_channel::<Filled>(BUFFERS);
        let (give, empty) = sync_channel::<Buffer>(BUFFERS);
        // The target comes by a channel: without a thread it is not lost.
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
                // Who made it may have gone, and needs none.
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

    /// Waits until all is written.
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
            State::Alike { .. } | State::Broken => Err(given_up()),
        }
    }
}

impl Drop for Sink {
    /// A thread that writes has the temporary file, and removes it in the end:
    /// that must not come after the end of the process.
    fn drop(&mut self) {
        if let State::Thread(Writer { full, thread, .. }) = mem::replace(&mut self.state, State::Broken) {
            drop(full);
            let _ = thread.join();
        }
    }
}

/// An earlier error said why.
fn given_up() -> io::Error {
    io::Error::other("given up after an earlier error")
}

/// Whether `made` goes on as the source does: with `tail`, which was read
/// before, and with `source`. What is left of both is the new tail.
fn is_alike(made: &[u8], tail: &mut Vec<u8>, source: &[u8]) -> bool {
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
    fn alike_however_it_is_cut() {
        let mut tail = Vec::new();
        assert!(is_alike(b"ab", &mut tail, b"abc"));
        assert!(is_alike(b"", &mut tail, b"d"));
        assert!(is_alike(b"c", &mut tail, b"") && tail == b"d");
        assert!(is_alike(b"de", &mut tail, b"e") && tail.is_empty());
        assert!(!is_alike(b"x", &mut tail, b"y"));
        assert!(!is_alike(b"xx", &mut tail, b"x"), "more than there was");
        assert!(!is_alike(b"", &mut Vec::new(), &[b'x'; MOST_PENDING + 1]), "nothing is pending for so long");
    }
}
