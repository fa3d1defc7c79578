//! One adaptor for each direction of `std::io`, over any operation on bytes.
//!
//! Neither does anything in `drop`: there an error could only be swallowed.
//! Pending bytes are lost when one is dropped; `finish` reports them.

use alloc::{boxed::Box, vec};
use std::io::{self, BufRead, Read, Write};

use utfkit_core::{Error, Status, Step};

/// Bytes into bytes, in pieces: from the front of one slice to the front of
/// another, with the contract of [`Transcoder::transcode`](utfkit_core::Transcoder::transcode).
pub trait Operation {
    /// Takes bytes from `src` and writes to `dst`; `last` says that nothing
    /// follows `src`. With [`Status::InputEmpty`] all of `src` was taken.
    fn run(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Step;
}

/// The bytes of a buffer: they stay in a cache of the first or second level.
const BUFFER: usize = 16 * 1024;

/// A buffer, and the bytes of it that are still to be used.
struct Buffer {
    bytes: Box<[u8]>,
    start: usize,
    end: usize,
}

impl Buffer {
    #[inline]
    fn new() -> Buffer {
        Buffer { bytes: vec![0; BUFFER].into_boxed_slice(), start: 0, end: 0 }
    }

    #[inline]
    fn as_slice(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// Drops the first `len` of the bytes, or all if there are fewer.
    #[inline]
    fn consume(&mut self, len: usize) {
        self.start = self.end.min(self.start.saturating_add(len));
    }

    /// Says that the bytes are now the first `len`.
    #[inline]
    fn refilled(&mut self, len: usize) {
        (self.start, self.end) = (0, len.min(self.bytes.len()));
    }
}

#[inline]
fn invalid_data(error: Error) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

/// Reads from `inner` and returns the bytes that `operation` makes of it.
pub struct Reader<R, O> {
    /// The reader of the source.
    pub inner: R,
    /// The operation on the bytes.
    pub operation: O,
    input: Buffer,
    output: Buffer,
    /// Found, and not reported because there was output before it.
    error: Option<Error>,
    /// The inner reader is at its end.
    ended: bool,
}

impl<R, O> Reader<R, O> {
    /// At the beginning of the stream.
    #[inline]
    pub fn new(inner: R, operation: O) -> Reader<R, O> {
        Reader { inner, operation, input: Buffer::new(), output: Buffer::new(), error: None, ended: false }
    }
}

impl<R: Read, O: Operation> Reader<R, O> {
    /// Reads the rest and drops it, up to the first error.
    #[inline]
    pub fn read_out(&mut self) -> io::Result<()> {
        loop {
            match self.fill_buf().map(<[u8]>::len) {
                Ok(0) => return Ok(()),
                Ok(len) => self.consume(len),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Runs the operation into `dst`, or into the buffer without one. Returns
    /// the number of bytes written: 0 only at the end, or if `dst` is empty.
    #[inline]
    fn run(&mut self, dst: Option<&mut [u8]>) -> io::Result<usize> {
        let Reader { inner, operation, input, output, error, ended } = self;
        let dst = dst.unwrap_or(&mut output.bytes);
        if dst.is_empty() {
            return Ok(0);
        }
        loop {
            if let Some(error) = error.take() {
                return Err(invalid_data(error));
            }
            let step = operation.run(input.as_slice(), dst, *ended);
            input.consume(step.read);
            if let Status::IllFormed(found) = step.status {
                *error = Some(found);
            }
            if step.written > 0 {
                return Ok(step.written);
            }
            if step.status == Status::InputEmpty {
                if *ended {
                    return Ok(0);
                }
                let len = inner.read(&mut input.bytes)?;
                input.refilled(len);
                *ended = len == 0;
            }
        }
    }
}

impl<R: Read, O: Operation> Read for Reader<R, O> {
    #[inline]
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.output.is_empty() && buf.len() >= BUFFER {
            return self.run(Some(buf));
        }
        if buf.is_empty() {
            return Ok(0);
        }
        let ready = self.fill_buf()?;
        let len = ready.len().min(buf.len());
        buf[..len].copy_from_slice(&ready[..len]);
        self.consume(len);
        Ok(len)
    }
}

impl<R: Read, O: Operation> BufRead for Reader<R, O> {
    #[inline]
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.output.is_empty() {
            let len = self.run(None)?;
            self.output.refilled(len);
        }
        Ok(self.output.as_slice())
    }

    #[inline]
    fn consume(&mut self, len: usize) {
        self.output.consume(len);
    }
}

/// Writes its input to `inner`, converted by `operation`.
///
/// The bytes that a call of `write` counts were taken, once and for good; after
/// an error none were. So an error after something that was taken is reported
/// by the next call.
pub struct Writer<W, O> {
    /// The writer of the results.
    pub inner: W,
    /// The operation on the bytes.
    pub operation: O,
    output: Buffer,
    /// Found, and not reported because the call before took something.
    error: Option<Error>,
    /// An error of the inner writer, not reported yet for that reason.
    failure: Option<io::Error>,
}

impl<W, O> Writer<W, O> {
    /// At the beginning of the stream.
    #[inline]
    pub fn new(inner: W, operation: O) -> Writer<W, O> {
        Writer { inner, operation, output: Buffer::new(), error: None, failure: None }
    }
}

impl<W: Write, O: Operation> Writer<W, O> {
    /// Ends the stream, writes everything that is pending, and flushes the
    /// inner writer. After an error another call continues.
    #[inline]
    pub fn end(&mut self) -> io::Result<()> {
        self.write_out(true)?;
        retry(|| self.inner.flush())
    }

    /// Writes everything that the operation gives without more input.
    #[inline]
    fn write_out(&mut self, last: bool) -> io::Result<()> {
        loop {
            self.settle()?;
            let (_, status) = self.run(&[], last);
            if status == Status::InputEmpty && self.output.is_empty() {
                return Ok(());
            }
        }
    }

    /// Runs the operation into the buffer, which is empty. Returns the number
    /// of bytes taken and the status.
    #[inline]
    fn run(&mut self, src: &[u8], last: bool) -> (usize, Status) {
        let step = self.operation.run(src, &mut self.output.bytes, last);
        self.output.refilled(step.written);
        if let Status::IllFormed(error) = step.status {
            self.error = Some(error);
        }
        (step.read, step.status)
    }

    /// Gives the inner writer all that waits for it.
    #[inline]
    fn drain(&mut self) -> io::Result<()> {
        while !self.output.is_empty() {
            match retry(|| self.inner.write(self.output.as_slice()))? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                len => self.output.consume(len),
            }
        }
        Ok(())
    }

    /// Reports what an earlier call could not, and makes the buffer empty.
    #[inline]
    fn settle(&mut self) -> io::Result<()> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        self.drain()?;
        match self.error.take() {
            Some(error) => Err(invalid_data(error)),
            None => Ok(()),
        }
    }
}

/// Calls `write` again if a signal came.
fn retry<T>(mut write: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match write() {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

impl<W: Write, O: Operation> Write for Writer<W, O> {
    #[inline]
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.settle()?;
        if buf.is_empty() {
            return Ok(0);
        }
        let mut taken = 0;
        loop {
            let (len, status) = self.run(&buf[taken..], false);
            taken += len;
            if taken == 0 {
                // An error wholly in earlier bytes can be reported now.
                self.settle()?;
                continue;
            }
            if let Err(failure) = self.drain() {
                // The next call finds out if it would still block.
                if failure.kind() != io::ErrorKind::WouldBlock {
                    self.failure = Some(failure);
                }
                break;
            }
            if status != Status::OutputFull {
                break;
            }
        }
        Ok(taken)
    }

    #[inline]
    fn flush(&mut self) -> io::Result<()> {
        self.write_out(false)?;
        self.inner.flush()
    }
}

/// The methods and traits of each public reader, a struct around a [`Reader`]. Its
/// documentation, `new` and `finish` are its own; the names after it are
/// methods that its `Debug` form shows.
#[doc(hidden)]
#[macro_export]
macro_rules! __reader {
    ($name:ident $(, $shown:ident)*) => {
        impl<R> $name<R> {
            /// The inner reader.
            pub fn get_ref(&self) -> &R {
                &self.0.inner
            }

            /// The inner reader. Bytes that are read from it directly are missing in
            /// the adaptor.
            pub fn get_mut(&mut self) -> &mut R {
                &mut self.0.inner
            }

            /// The inner reader. Bytes read ahead, and an error in them, are lost:
            /// [`finish`](Self::finish) reports it.
            pub fn into_inner(self) -> R {
                self.0.inner
            }
        }

        impl<R: std::io::Read> std::io::Read for $name<R> {
            fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
                self.0.read(buf)
            }
        }

        impl<R: std::io::Read> std::io::BufRead for $name<R> {
            fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
                self.0.fill_buf()
            }

            fn consume(&mut self, len: usize) {
                self.0.consume(len);
            }
        }

        impl<R: core::fmt::Debug> core::fmt::Debug for $name<R> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let mut f = f.debug_struct(stringify!($name));
                f.field("inner", self.get_ref())$(.field(stringify!($shown), self.$shown()))*.finish_non_exhaustive()
            }
        }
    };
}
pub use __reader as reader;

/// [`reader!`] for writers.
#[doc(hidden)]
#[macro_export]
macro_rules! __writer {
    ($name:ident $(, $shown:ident)*) => {
        impl<W> $name<W> {
            /// The inner writer.
            pub fn get_ref(&self) -> &W {
                &self.0.inner
            }

            /// The inner writer. Bytes written to it directly come before the bytes that are
            /// pending in the adaptor.
            pub fn get_mut(&mut self) -> &mut W {
                &mut self.0.inner
            }

            /// The inner writer as it is. Bytes pending in the adaptor are lost:
            /// [`finish`](Self::finish) writes and reports it.
            pub fn into_inner(self) -> W {
                self.0.inner
            }
        }

        impl<W: std::io::Write> std::io::Write for $name<W> {
            fn write(&mut self, buf: &[u8]) -> std::io::Result<usize> {
                self.0.write(buf)
            }

            /// Writes everything that does not depend on further input.
            fn flush(&mut self) -> std::io::Result<()> {
                self.0.flush()
            }
        }

        impl<W: core::fmt::Debug> core::fmt::Debug for $name<W> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let mut f = f.debug_struct(stringify!($name));
                f.field("inner", self.get_ref())$(.field(stringify!($shown), self.$shown()))*.finish_non_exhaustive()
            }
        }
    };
}
pub use __writer as writer;
