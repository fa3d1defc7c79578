//! A sliding window over a file or pipe of any size.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use utfkit::diagnose::Pieces;

use crate::args::Decompress;
use crate::buffer::Buffer;
use crate::compressed;
use crate::reading::read_some;

/// Size of the buffer, in bytes.
const SIZE: usize = 64 << 10;

/// The bytes from a position on, enough to decode the next piece.
pub(super) struct Window {
    input: Input,
    buffer: Buffer,
    /// The unconsumed bytes are `buffer[start..end]`.
    start: usize,
    end: usize,
    /// The file offset of `start`.
    offset: u64,
    at_end: bool,
}

enum Input {
    File { file: File, length: u64 },
    Pipe(Box<dyn Read>),
}

impl Window {
    /// Opens `path`; `-` is standard input.
    pub(super) fn open(path: &Path, compressed: Decompress) -> io::Result<Window> {
        let input = if path == Path::new("-") {
            Input::Pipe(Box::new(io::stdin().lock()))
        } else {
            let metadata = fs::metadata(path)?;
            if metadata.is_dir() {
                return Err(io::Error::other("is a folder; inspect takes only files (`utfkit check` takes folders)"));
            }
            let file = File::open(path)?;
            if let Some(format) = compressed::format(path).filter(|_| compressed.decompress) {
                return Ok(Window::of(Input::Pipe(Box::new(format.open(file)?))));
            }
            // Files in /proc have length 0 but can have content.
            match metadata.is_file() && metadata.len() > 0 {
                true => Input::File { file, length: metadata.len() },
                false => Input::Pipe(Box::new(file)),
            }
        };
        Ok(Window::of(input))
    }

    fn of(input: Input) -> Window {
        Window { input, buffer: Buffer::new(SIZE), start: 0, end: 0, offset: 0, at_end: false }
    }

    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// The length of the file; `None` for a pipe.
    pub(super) fn length(&self) -> Option<u64> {
        match self.input {
            Input::File { length, .. } => Some(length),
            Input::Pipe(_) => None,
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// True if no bytes follow.
    pub(super) fn is_last(&self) -> bool {
        self.at_end
    }

    /// Reads until the window has enough bytes to decode the next piece, or the
    /// input ends.
    pub(super) fn fill(&mut self) -> io::Result<()> {
        while self.end - self.start < Pieces::LOOK_AHEAD && !self.at_end {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
            self.read_more()?;
        }
        Ok(())
    }

    fn read_more(&mut self) -> io::Result<()> {
        let buf = &mut self.buffer[self.end..];
        let len = match &mut self.input {
            Input::File { file, .. } => read_some(file, buf)?,
            Input::Pipe(pipe) => read_some(pipe, buf)?,
        };
        self.end += len;
        self.at_end = len == 0;
        Ok(())
    }

    /// Drops the first `len` bytes.
    pub(super) fn consume(&mut self, len: usize) {
        let len = len.min(self.end - self.start);
        self.start += len;
        self.offset += len as u64;
    }

    /// Advances to `offset`, or to the end of the input if it is shorter.
    pub(super) fn go_to(&mut self, offset: u64) -> io::Result<()> {
        if let Input::File { file, .. } = &mut self.input {
            // If seeking fails, read and drop instead.
            if file.seek(SeekFrom::Start(offset)).is_ok() {
                (self.start, self.end, self.offset, self.at_end) = (0, 0, offset, false);
                return Ok(());
            }
        }
        loop {
            let left = offset.saturating_sub(self.offset);
            self.consume(usize::try_from(left).unwrap_or(usize::MAX));
            if self.offset >= offset || self.at_end {
                return Ok(());
            }
            (self.start, self.end) = (0, 0);
            self.read_more()?;
        }
    }
}
