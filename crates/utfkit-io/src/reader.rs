use alloc::boxed::Box;
use alloc::vec;
use core::fmt;
use core::ops::Range;
use std::io::{self, BufRead, Read};

use crate::options::Options;
use crate::report::Report;
use crate::stream::Utf8Stream;

/// Reads text in any encoding from `R` as well-formed UTF-8. See the [module](crate).
///
/// ```
/// use std::io::BufRead;
/// use utfkit::io::{Options, Utf8Reader};
///
/// // Shift_JIS, from a socket, a pipe or a file.
/// let csv = b"id,city\n1,\x93\x8C\x8B\x9E\n2,\x91\xE5\x8D\xE3\n3,\x89\xA1\x95\x6C\n";
/// let mut reader = Utf8Reader::options().detect(Options::WINDOW).reader(&csv[..]);
/// let mut header = String::new();
/// reader.read_line(&mut header)?;
/// assert_eq!(reader.lines().next().unwrap()?, "1,東京");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Errors of the inner reader are passed on unchanged, also
/// [`Interrupted`](io::ErrorKind::Interrupted) and
/// [`WouldBlock`](io::ErrorKind::WouldBlock); the next call tries again.
/// A [`ReadError`](crate::ReadError) comes after the text before it, as an error of the
/// kind [`InvalidData`](io::ErrorKind::InvalidData), and again at each later call.
///
/// # Cost
///
/// UTF-8 is read into a buffer of 64 KiB and validated there. Other encodings have a second
/// buffer for their text. With detection, the window and its growth are up to 4 MiB more, with
/// the usual limit, until the encoding is found.
pub struct Utf8Reader<R> {
    inner: R,
    stream: Utf8Stream,
    buffer: Box<[u8]>,
    /// The bytes of the buffer that the stream has not taken.
    raw: Range<usize>,
    /// The text that is ready.
    ready: Ready,
    progress: Progress,
}

/// Where the text is that is ready.
#[derive(Clone, Debug)]
enum Ready {
    Buffer(Range<usize>),
    Text(Range<usize>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    Reading,
    /// The inner reader is at its end.
    Closing,
    /// The stream is closed, and may hold bytes back.
    Closed,
    Ended,
}

const BUFFER: usize = 64 << 10;

impl<R> Utf8Reader<R> {
    /// Reads `inner`, whose encoding is that of its BOM, or UTF-8.
    pub fn new(inner: R) -> Utf8Reader<R> {
        Utf8Reader::with_options(inner, Options::new())
    }

    pub(crate) fn with_options(inner: R, options: Options) -> Utf8Reader<R> {
        Utf8Reader {
            inner,
            stream: options.stream(),
            buffer: vec![0; BUFFER].into_boxed_slice(),
            raw: 0..0,
            ready: Ready::Text(0..0),
            progress: Progress::Reading,
        }
    }

    /// The encoding, how sure it is, and the errors so far. The encoding is
    /// known when the first text is read, or with detection the first that is not US-ASCII.
    pub fn report(&self) -> &Report {
        self.stream.report()
    }

    /// The inner reader.
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// The inner reader. Bytes that are read from it directly are missing in the text.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// The inner reader. Bytes read ahead are lost.
    pub fn into_inner(self) -> R {
        self.inner
    }

    fn ready(&self) -> &[u8] {
        match &self.ready {
            Ready::Buffer(range) => self.buffer.get(range.clone()),
            Ready::Text(range) => self.stream.ready.as_bytes().get(range.clone()),
        }
        .unwrap_or_default()
    }
}

impl Utf8Reader<()> {
    /// The options of a new reader.
    pub fn options() -> Options {
        Options::new()
    }
}

impl<R: Read> Utf8Reader<R> {
    /// Makes some text ready, unless the stream is at its end.
    fn advance(&mut self) -> io::Result<()> {
        while self.ready().is_empty() {
            self.stream.ready.clear();
            self.ready = Ready::Text(0..0);
            if self.stream.drain() {
                self.ready = Ready::Text(0..self.stream.ready.len());
                continue;
            }
            let passed = self.stream.pass(&self.buffer[self.raw.clone()]).len();
            if passed > 0 {
                self.ready = Ready::Buffer(self.raw.start..self.raw.start + passed);
                self.raw.start += passed;
                continue;
            }
            if let Some(error) = self.stream.failure() {
                return Err(error.clone().into());
            }
            match self.progress {
                Progress::Reading => self.read_more()?,
                Progress::Closing => {
                    self.stream.offer(&self.buffer[self.raw.clone()]);
                    self.stream.close();
                    (self.raw, self.progress) = (0..0, Progress::Closed);
                }
                Progress::Closed => {
                    self.stream.end();
                    self.progress = Progress::Ended;
                }
                Progress::Ended => return Ok(()),
            }
            self.ready = Ready::Text(0..self.stream.ready.len());
        }
        Ok(())
    }

    /// Reads into the buffer, behind a character that it has in part.
    fn read_more(&mut self) -> io::Result<()> {
        /// A character that is not whole.
        const PART: usize = 3;
        if self.raw.len() > PART {
            // The stream does not pass it on as it is.
            self.stream.offer(&self.buffer[self.raw.clone()]);
            self.raw = 0..0;
            return Ok(());
        }
        self.buffer.copy_within(self.raw.clone(), 0);
        self.raw = 0..self.raw.len();
        let len = self.inner.read(&mut self.buffer[self.raw.end..])?;
        self.raw.end += len;
        if len == 0 {
            self.progress = Progress::Closing;
        }
        Ok(())
    }
}

impl Options {
    /// A reader of what `inner` reads.
    pub fn reader<R>(self, inner: R) -> Utf8Reader<R> {
        Utf8Reader::with_options(inner, self)
    }
}

impl<R: Read> Read for Utf8Reader<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
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

impl<R: Read> BufRead for Utf8Reader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.advance()?;
        Ok(self.ready())
    }

    fn consume(&mut self, len: usize) {
        let (Ready::Buffer(range) | Ready::Text(range)) = &mut self.ready;
        range.start = range.end.min(range.start.saturating_add(len));
    }
}

impl<R: fmt::Debug> fmt::Debug for Utf8Reader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Utf8Reader").field("inner", &self.inner).field("report", self.report()).finish_non_exhaustive()
    }
}
