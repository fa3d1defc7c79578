//! What is read, a chunk at a time; of a long input the next chunks while
//! somebody works on this one.

use std::fs::File;
use std::io;
use std::mem;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use crate::buffer::Buffer;
use crate::progress;
use crate::reading::{CHUNK, read_some};

/// Read at once by a thread of its own: handing over costs the same for much
/// and for little.
const AHEAD: usize = 512 << 10;
/// An input that goes on for so long is read ahead.
pub(crate) const LONG: u64 = 2 << 20;
/// How many buffers go around.
pub(crate) const BUFFERS: usize = 4;

/// A buffer and how many of its bytes count.
pub(crate) type Filled = (Buffer, usize);

/// An input.
pub(crate) struct Feed {
    source: Source,
    chunk: Buffer,
    len: usize,
    /// What was read by now.
    total: u64,
    /// Whether a thread may read ahead.
    ahead: bool,
}

enum Source {
    Here(Arc<File>),
    Ahead {
        full: Receiver<io::Result<Filled>>,
        empty: SyncSender<Buffer>,
    },
    /// At its end.
    Nowhere,
}

impl Feed {
    /// `buffer` is one to use again, from [`into_buffer`](Self::into_buffer).
    pub(crate) fn new(file: Arc<File>, mut buffer: Buffer, ahead: bool) -> Feed {
        buffer.grow(CHUNK);
        Feed { source: Source::Here(file), chunk: buffer, len: 0, total: 0, ahead }
    }

    /// The bytes at hand.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.chunk[..self.len]
    }

    /// Takes the next ones instead. `false`: there are none.
    pub(crate) fn next(&mut self) -> io::Result<bool> {
        self.len = 0;
        if self.ahead && self.total >= LONG {
            self.ahead = false;
            self.read_ahead();
        }
        self.more(1)?;
        Ok(self.len > 0)
    }

    /// Takes more after those, until `wanted` are at hand or there are no
    /// more.
    pub(crate) fn more(&mut self, wanted: usize) -> io::Result<()> {
        while self.len < wanted {
            let more = match &mut self.source {
                Source::Here(file) => {
                    self.chunk.grow(wanted);
                    read(file, &mut self.chunk[self.len..])?
                }
                Source::Ahead { full, empty } => match full.recv() {
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
                        // The reader may be at the end, and needs none.
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
                self.source = Source::Nowhere;
                break;
            }
        }
        Ok(())
    }

    pub(crate) fn into_buffer(self) -> Buffer {
        self.chunk
    }

    /// Lets a thread read from now on, if one is to be had.
    fn read_ahead(&mut self) {
        let Source::Here(file) = &self.source else { return };
        let file = Arc::clone(file);
        let (fill, full) = sync_channel::<io::Result<Filled>>(BUFFERS);
        let (empty, take) = sync_channel::<Buffer>(BUFFERS);
        let reader = move || {
            while let Ok(mut buffer) = take.recv() {
                buffer.grow(AHEAD);
                let filled = read(&file, &mut buffer).map(|len| (buffer, len));
                let done = !matches!(filled, Ok((_, 1..)));
                if fill.send(filled).is_err() || done {
                    return;
                }
            }
        };
        if thread::Builder::new().name("reader".to_owned()).spawn(reader).is_ok() {
            for _ in 1..BUFFERS {
                let _ = empty.send(Buffer::default());
            }
            self.source = Source::Ahead { full, empty };
        }
    }
}

fn read(mut file: &File, buf: &mut [u8]) -> io::Result<usize> {
    let len = read_some(&mut file, buf)?;
    progress::read(len);
    Ok(len)
}
