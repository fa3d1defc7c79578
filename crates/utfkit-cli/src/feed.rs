//! Reads an input in chunks. A thread reads ahead in long inputs.

use std::fs::File;
use std::io;
use std::mem;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use crate::buffer::Buffer;
use crate::compressed::Unpacked;
use crate::lock::Lock;
use crate::progress;
use crate::reading::{CHUNK, read_some};

/// Chunk size of the thread. Larger than [`CHUNK`], since handing over a buffer
/// has a fixed cost.
const AHEAD: usize = 512 << 10;
/// Bytes after which an input is read ahead.
pub(crate) const LONG: u64 = 2 << 20;
/// Number of buffers in circulation.
pub(crate) const BUFFERS: usize = 4;

/// A buffer and the number of bytes in use.
pub(crate) type Filled = (Buffer, usize);

pub(crate) struct Feed {
    source: Source,
    chunk: Buffer,
    len: usize,
    /// Bytes read so far.
    total: u64,
    /// True if a thread may read ahead.
    ahead: bool,
}

/// A file, or the content of a compressed one. Clones share their position.
#[derive(Clone)]
pub(crate) enum Stream {
    File(Arc<File>),
    Unpacked(Arc<Lock<Unpacked>>),
}

impl Stream {
    pub(crate) fn file(&self) -> Option<&Arc<File>> {
        match self {
            Stream::File(file) => Some(file),
            Stream::Unpacked(_) => None,
        }
    }

    /// Reads once, and reports to [`progress`].
    pub(crate) fn read(&self, buf: &mut [u8]) -> io::Result<usize> {
        match self {
            Stream::File(file) => {
                let len = read_some(&mut &**file, buf)?;
                progress::read(len);
                Ok(len)
            }
            // Its reader reports the progress.
            Stream::Unpacked(unpacked) => read_some(&mut *unpacked.lock(), buf),
        }
    }
}

enum Source {
    Here(Stream),
    Ahead {
        full: Receiver<io::Result<Filled>>,
        empty: SyncSender<Buffer>,
        thread: JoinHandle<()>,
    },
    /// The input has ended.
    Nowhere,
}

impl Feed {
    /// `buffer` is reused; see [`into_buffer`](Self::into_buffer).
    pub(crate) fn new(stream: Stream, mut buffer: Buffer, ahead: bool) -> Feed {
        buffer.grow(CHUNK);
        Feed { source: Source::Here(stream), chunk: buffer, len: 0, total: 0, ahead }
    }

    /// An input of which `front` was read before; a thread may read ahead in the rest.
    pub(crate) fn after(front: &[u8], stream: Stream, buffer: Buffer, ahead: bool) -> Feed {
        let mut feed = Feed::new(stream, buffer, ahead);
        feed.chunk.grow(front.len());
        feed.chunk[..front.len()].copy_from_slice(front);
        (feed.len, feed.total) = (front.len(), front.len() as u64);
        feed
    }

    /// A whole input of `len` bytes, which was read before.
    pub(crate) fn held(buffer: Buffer, len: usize) -> Feed {
        progress::read(len);
        Feed { source: Source::Nowhere, chunk: buffer, len, total: len as u64, ahead: false }
    }

    /// The current bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.chunk[..self.len]
    }

    /// Replaces the current bytes with the next. False at the end of the input.
    pub(crate) fn next(&mut self) -> io::Result<bool> {
        self.len = 0;
        if self.ahead && self.total >= LONG {
            self.ahead = false;
            self.read_ahead();
        }
        self.more(1)?;
        Ok(self.len > 0)
    }

    /// Appends to the current bytes until there are `wanted`, or the input ends.
    pub(crate) fn more(&mut self, wanted: usize) -> io::Result<()> {
        while self.len < wanted {
            let more = match &mut self.source {
                Source::Here(stream) => {
                    self.chunk.grow(wanted);
                    stream.read(&mut self.chunk[self.len..])?
                }
                Source::Ahead { full, empty, .. } => match full.recv() {
                    Ok(filled) => {
                        let (buffer, len) = filled?;
                        let spare = if self.len == 0 {
                            mem::replace(&mut self.chunk, buffer)
                        } else {
                            let end = self.len + len;
                            self.chunk.grow(end);
                            self.chunk[self.len..end].copy_from_slice(&buffer[..len]);
                            buffer
                        };
                        // Fails if the reader has ended and needs no buffer.
                        let _ = empty.send(spare);
                        len
                    }
                    Err(_) => 0,
                },
                Source::Nowhere => 0,
            };
            self.len += more;
            self.total += more as u64;
            if more == 0 {
                // An open file keeps Windows from replacing it.
                if let Source::Ahead { thread, .. } = mem::replace(&mut self.source, Source::Nowhere) {
                    let _ = thread.join();
                }
                break;
            }
        }
        Ok(())
    }

    pub(crate) fn into_buffer(self) -> Buffer {
        self.chunk
    }

    /// Starts a thread to read from now on, if possible.
    fn read_ahead(&mut self) {
        let Source::Here(stream) = &self.source else { return };
        let stream = stream.clone();
        let (fill, full) = sync_channel::<io::Result<Filled>>(BUFFERS);
        let (empty, take) = sync_channel::<Buffer>(BUFFERS);
        let reader = move || {
            while let Ok(mut buffer) = take.recv() {
                buffer.grow(AHEAD);
                let filled = stream.read(&mut buffer).map(|len| (buffer, len));
                let done = !matches!(filled, Ok((_, 1..)));
                if fill.send(filled).is_err() || done {
                    return;
                }
            }
        };
        if let Ok(thread) = thread::Builder::new().name("reader".to_owned()).spawn(reader) {
            for _ in 1..BUFFERS {
                let _ = empty.send(Buffer::default());
            }
            self.source = Source::Ahead { full, empty, thread };
        }
    }
}
