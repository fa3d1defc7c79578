//! A [`Transcoder`] between `std::io` streams.
//!
//! Neither adaptor does anything in `drop`: there an error could only be
//! swallowed. What is unfinished when one is dropped is lost; `finish` reports
//! it.

use alloc::{boxed::Box, vec};
use core::fmt;
use std::io::{self, BufRead, Read, Write};

use crate::error::Error;
use crate::transcode::{Status, Transcoder};

/// The bytes of a buffer: they stay in a cache of the first or second level.
const BUFFER: usize = 16 * 1024;

/// A buffer, and the bytes of it that are still to be used.
pub(crate) struct Buffer {
    pub(crate) bytes: Box<[u8]>,
    start: usize,
    end: usize,
}

impl Buffer {
    pub(crate) fn new() -> Buffer {
        Buffer { bytes: vec![0; BUFFER].into_boxed_slice(), start: 0, end: 0 }
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// Drops the first `len` of the bytes, or all if there are fewer.
    pub(crate) fn consume(&mut self, len: usize) {
        self.start = self.end.min(self.start.saturating_add(len));
    }

    /// Says that the bytes are now the first `len`.
    pub(crate) fn refilled(&mut self, len: usize) {
        (self.start, self.end) = (0, len.min(self.bytes.len()));
    }
}

pub(crate) fn invalid_data(fault: Error) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, fault)
}

/// Reads from `R` and gives what it read in another encoding.
///
/// ```
/// use std::io::Read;
/// use utfkit::{Encoding, Policy, TranscodeReader, Transcoder};
///
/// let source = &b"\xFF\xFEa\x00\xAC\x20"[..];
/// let mut reader = TranscodeReader::new(source, Transcoder::new(Encoding::Utf16, Encoding::Utf8, Policy::Strict));
/// let mut text = String::new();
/// reader.read_to_string(&mut text)?;
/// assert_eq!(text, "a€");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Those of the inner reader come through as they are, also
/// [`Interrupted`](io::ErrorKind::Interrupted) and
/// [`WouldBlock`](io::ErrorKind::WouldBlock); nothing is lost by them, and the
/// next call tries again.
///
/// With [`Policy::Strict`](crate::Policy::Strict), a fault is an error of the
/// kind [`InvalidData`](io::ErrorKind::InvalidData) with the [`Error`] in it,
/// after everything before it has been read. A later call goes on behind the
/// fault, so that a caller who wants to can see every one.
///
/// ```
/// use std::io::{ErrorKind, Read};
/// use utfkit::{Encoding, Policy, TranscodeReader, Transcoder};
///
/// let utf8 = Transcoder::new(Encoding::Utf8, Encoding::Utf8, Policy::Strict);
/// let mut reader = TranscodeReader::new(&b"ab\xFFc"[..], utf8);
/// let mut bytes = Vec::new();
///
/// let e = reader.read_to_end(&mut bytes).unwrap_err();
/// assert_eq!((e.kind(), &bytes[..]), (ErrorKind::InvalidData, &b"ab"[..]));
/// let fault = e.get_ref().and_then(|e| e.downcast_ref::<utfkit::Error>()).unwrap();
/// assert_eq!(fault.offset(), 2);
///
/// reader.read_to_end(&mut bytes)?;
/// assert_eq!(bytes, b"abc");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Cost
///
/// Two buffers of 16 KiB; a `BufReader` under or over it gains nothing. It
/// reads ahead: [`into_inner`](Self::into_inner) gives back a reader that
/// stands behind what was converted.
pub struct TranscodeReader<R> {
    inner: R,
    transcoder: Transcoder,
    input: Buffer,
    output: Buffer,
    /// Found, and not reported because there was output before it.
    fault: Option<Error>,
    /// The inner reader is at its end.
    ended: bool,
}

impl<R> TranscodeReader<R> {
    /// Converts what comes from `inner`.
    pub fn new(inner: R, transcoder: Transcoder) -> TranscodeReader<R> {
        TranscodeReader { inner, transcoder, input: Buffer::new(), output: Buffer::new(), fault: None, ended: false }
    }

    /// The transcoder, for [`had_errors`](Transcoder::had_errors).
    pub fn transcoder(&self) -> &Transcoder {
        &self.transcoder
    }

    /// The inner reader.
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// The inner reader. What is read from it past the adaptor is missing
    /// there.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// The inner reader. What was read ahead, and a fault in it, are lost:
    /// [`finish`](Self::finish) reports it.
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: Read> TranscodeReader<R> {
    /// Reads what is left and drops it, for a caller who wants no more of it
    /// but has to know whether it was well-formed.
    ///
    /// # Errors
    ///
    /// The first one that reading meets, with the adaptor, which can go on
    /// behind it.
    ///
    /// ```
    /// use utfkit::{Encoding, Policy, TranscodeReader, Transcoder};
    ///
    /// let utf8 = Transcoder::new(Encoding::Utf8, Encoding::Utf8, Policy::Strict);
    /// let reader = TranscodeReader::new(&b"caf\xC3"[..], utf8);
    /// let e = reader.finish().unwrap_err();
    /// assert_eq!(e.error().kind(), std::io::ErrorKind::InvalidData);
    /// ```
    pub fn finish(mut self) -> Result<R, FinishError<TranscodeReader<R>>> {
        loop {
            match self.fill_buf().map(<[u8]>::len) {
                Ok(0) => return Ok(self.inner),
                Ok(len) => self.consume(len),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(FinishError::new(error, self)),
            }
        }
    }

    /// Converts into `dst`, or into the buffer without one. Answers with the
    /// bytes written: 0 only at the end, or if `dst` is empty.
    fn convert(&mut self, dst: Option<&mut [u8]>) -> io::Result<usize> {
        let TranscodeReader { inner, transcoder, input, output, fault, ended } = self;
        let dst = dst.unwrap_or(&mut output.bytes);
        if dst.is_empty() {
            return Ok(0);
        }
        loop {
            if let Some(fault) = fault.take() {
                return Err(invalid_data(fault));
            }
            let step = transcoder.transcode(input.as_slice(), dst, *ended);
            input.consume(step.read);
            if let Status::IllFormed(found) = step.status {
                *fault = Some(found);
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

impl<R: Read> Read for TranscodeReader<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.output.is_empty() && buf.len() >= BUFFER {
            return self.convert(Some(buf));
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

impl<R: Read> BufRead for TranscodeReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.output.is_empty() {
            let len = self.convert(None)?;
            self.output.refilled(len);
        }
        Ok(self.output.as_slice())
    }

    fn consume(&mut self, len: usize) {
        self.output.consume(len);
    }
}

impl<R: fmt::Debug> fmt::Debug for TranscodeReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TranscodeReader")
            .field("inner", &self.inner)
            .field("transcoder", &self.transcoder)
            .finish_non_exhaustive()
    }
}

/// Writes to `W` in another encoding what it is given.
///
/// [`finish`](Self::finish) has to be called at the end: only there is it
/// known that a sequence is unfinished. Without it, what is held at the end,
/// an unfinished sequence and whatever `W` did not take, is lost: `drop` does
/// nothing, as nobody would hear what went wrong in it.
///
/// ```
/// use std::io::Write;
/// use utfkit::{Encoding, Policy, TranscodeWriter, Transcoder};
///
/// let latin1 = Transcoder::new(Encoding::Utf8, Encoding::Latin1, Policy::Strict);
/// let mut writer = TranscodeWriter::new(Vec::new(), latin1);
/// writer.write_all("café".as_bytes())?;
/// assert_eq!(writer.finish()?, b"caf\xE9");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Whatever a call of `write` answers with was taken, once and for good; after
/// an error nothing was. So an error behind something that was taken is
/// reported by the next call of `write`, `flush` or `finish`: by `finish` at
/// last.
///
/// Those of the inner writer come through as they are, and nothing is lost by
/// them: the next call offers it the same bytes again.
///
/// With [`Policy::Strict`](crate::Policy::Strict), a fault is an error of the
/// kind [`InvalidData`](io::ErrorKind::InvalidData) with the [`Error`] in it,
/// when everything before it has been written. A later call goes on behind the
/// fault.
///
/// # Cost
///
/// A buffer of 16 KiB, which is emptied in every call: put a
/// [`BufWriter`](io::BufWriter) in it if many small pieces go to a file.
#[must_use = "only `finish` reports what is unfinished at the end"]
pub struct TranscodeWriter<W> {
    inner: W,
    transcoder: Transcoder,
    output: Buffer,
    /// Found, and not reported because the call before took something.
    fault: Option<Error>,
    /// The same of the inner writer.
    failure: Option<io::Error>,
}

impl<W> TranscodeWriter<W> {
    /// Converts what is written, for `inner`.
    pub fn new(inner: W, transcoder: Transcoder) -> TranscodeWriter<W> {
        TranscodeWriter { inner, transcoder, output: Buffer::new(), fault: None, failure: None }
    }

    /// The transcoder, for [`had_errors`](Transcoder::had_errors).
    pub fn transcoder(&self) -> &Transcoder {
        &self.transcoder
    }

    /// The inner writer.
    pub fn get_ref(&self) -> &W {
        &self.inner
    }

    /// The inner writer. What is written to it past the adaptor stands before
    /// what the adaptor holds.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.inner
    }

    /// The inner writer as it is. What the adaptor holds is lost:
    /// [`finish`](Self::finish) writes and reports it.
    pub fn into_inner(self) -> W {
        self.inner
    }
}

impl<W: Write> TranscodeWriter<W> {
    /// Ends the stream: what is unfinished is dealt with as the policy says,
    /// everything held is written, and the inner writer flushed and given
    /// back.
    ///
    /// # Errors
    ///
    /// Whatever was not reported yet, a fault at the end included, with the
    /// adaptor. Calling `finish` on that again tries again, or goes on behind
    /// the fault; [`into_inner`](Self::into_inner) gives up the rest.
    ///
    /// ```
    /// use std::io::Write;
    /// use utfkit::{Encoding, Policy, TranscodeWriter, Transcoder};
    ///
    /// let utf8 = Transcoder::new(Encoding::Utf8, Encoding::Utf8, Policy::Strict);
    /// let mut writer = TranscodeWriter::new(Vec::new(), utf8);
    /// writer.write_all(b"caf\xC3")?;
    /// let e = writer.finish().unwrap_err();
    /// assert_eq!(e.error().kind(), std::io::ErrorKind::InvalidData);
    /// assert_eq!(e.into_adaptor().into_inner(), b"caf");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn finish(mut self) -> Result<W, FinishError<TranscodeWriter<W>>> {
        match self.end() {
            Ok(()) => Ok(self.inner),
            Err(error) => Err(FinishError::new(error, self)),
        }
    }

    fn end(&mut self) -> io::Result<()> {
        loop {
            self.settle()?;
            let (_, status) = self.take(&[], true);
            if status == Status::InputEmpty && self.output.is_empty() {
                break;
            }
        }
        retry(|| self.inner.flush())
    }

    /// Converts `src` into the buffer, which is empty. Answers with the bytes
    /// taken and the status.
    fn take(&mut self, src: &[u8], last: bool) -> (usize, Status) {
        let step = self.transcoder.transcode(src, &mut self.output.bytes, last);
        self.output.refilled(step.written);
        if let Status::IllFormed(fault) = step.status {
            self.fault = Some(fault);
        }
        (step.read, step.status)
    }

    /// Gives the inner writer all that waits for it.
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
    fn settle(&mut self) -> io::Result<()> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        self.drain()?;
        match self.fault.take() {
            Some(fault) => Err(invalid_data(fault)),
            None => Ok(()),
        }
    }
}

/// Calls `write` again if a signal came.
pub(crate) fn retry<T>(mut write: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match write() {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

impl<W: Write> Write for TranscodeWriter<W> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.settle()?;
        let mut taken = 0;
        while taken < buf.len() {
            taken += self.take(&buf[taken..], false).0;
            if taken == 0 {
                // A fault that lies wholly in earlier bytes: nothing stands
                // against reporting it now.
                self.settle()?;
                continue;
            }
            if let Err(failure) = self.drain() {
                // Whether it would still block is for the next call to find.
                if failure.kind() != io::ErrorKind::WouldBlock {
                    self.failure = Some(failure);
                }
                break;
            }
            if self.fault.is_some() {
                break;
            }
        }
        Ok(taken)
    }

    /// Writes everything but the beginning of a sequence that is not finished
    /// yet.
    fn flush(&mut self) -> io::Result<()> {
        self.settle()?;
        self.inner.flush()
    }
}

impl<W: fmt::Debug> fmt::Debug for TranscodeWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TranscodeWriter")
            .field("inner", &self.inner)
            .field("transcoder", &self.transcoder)
            .finish_non_exhaustive()
    }
}

/// Why `finish` failed, and the adaptor, so that nothing is lost by it.
///
/// As [`std::io::IntoInnerError`]; `?` turns it into the [`io::Error`] alone.
#[derive(Debug)]
pub struct FinishError<A> {
    error: io::Error,
    /// In a box, so that a result of two words goes through every `?`.
    adaptor: Box<A>,
}

impl<A> FinishError<A> {
    pub(crate) fn new(error: io::Error, adaptor: A) -> FinishError<A> {
        FinishError { error, adaptor: Box::new(adaptor) }
    }

    /// What went wrong.
    pub fn error(&self) -> &io::Error {
        &self.error
    }

    /// What went wrong, without the adaptor.
    pub fn into_error(self) -> io::Error {
        self.error
    }

    /// The adaptor, to try again or to take the inner stream out of it.
    pub fn into_adaptor(self) -> A {
        *self.adaptor
    }

    /// Both.
    pub fn into_parts(self) -> (io::Error, A) {
        (self.error, *self.adaptor)
    }
}

impl<A> From<FinishError<A>> for io::Error {
    fn from(e: FinishError<A>) -> io::Error {
        e.error
    }
}

impl<A> fmt::Display for FinishError<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<A: fmt::Debug> core::error::Error for FinishError<A> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        self.error.source()
    }
}
