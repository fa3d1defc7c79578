//! One input: a file or standard input.

use std::fs::File;
use std::io::{self, Read, Seek, StdinLock};
use std::path::{Path, PathBuf};

use utfkit::Encoding;
use utfkit_gate::magic;

use crate::binaries::NotText;
use crate::compressed::{self, Format, Unpacked};
use crate::paths::is_regular;
use crate::progress;
use crate::reading::{is_console, open_at_once, read_at, stdin_file};
use crate::wide::{FRONT, wide};

/// A NUL byte among the first of this many bytes makes a file binary.
const FIRST_BLOCK: usize = 8 << 10;

/// A file or standard input.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// A `named` path `-` is standard input.
    path: PathBuf,
    /// The user named it. Otherwise a walk found it.
    named: bool,
    /// It is read as text, whatever it holds: it was named, or `-uuu` was given.
    text: bool,
    /// `.gitattributes` says that it is not text.
    binary: bool,
    /// It is decompressed.
    format: Option<&'static Format>,
}

impl Input {
    pub(crate) fn named(path: PathBuf) -> Input {
        Input { path, named: true, text: true, binary: false, format: None }
    }

    /// A file that a walk found.
    pub(crate) fn found(path: PathBuf, text: bool, binary: bool) -> Input {
        Input { path, named: false, text, binary, format: None }
    }

    /// Decompresses it if its name says that it is compressed.
    pub(crate) fn decompressed(self) -> Input {
        // .gitattributes describes the compressed bytes.
        match compressed::format(&self.path) {
            Some(format) => Input { format: Some(format), binary: false, ..self },
            None => self,
        }
    }

    pub(crate) fn is_compressed(&self) -> bool {
        self.format.is_some()
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn is_stdin(&self) -> bool {
        // To compare paths costs more than to open the file.
        self.named && self.path.as_os_str() == "-"
    }

    pub(crate) fn is_named(&self) -> bool {
        self.named
    }

    /// True if a walk found it and `.gitattributes` says that it is not text.
    pub(crate) fn is_declared_binary(&self) -> bool {
        self.binary && !self.text
    }

    pub(crate) fn is_text(&self) -> bool {
        self.text
    }

    /// The reason why it is not text, if a walk found it: `.gitattributes` says so, or
    /// `front` has a NUL byte and is neither UTF-16 nor UTF-32.
    pub(crate) fn binary(&self, front: &[u8], encoding: Encoding) -> Option<NotText> {
        if self.text {
            return None;
        }
        if self.binary {
            return Some(NotText::Declared);
        }
        let block = &front[..front.len().min(FIRST_BLOCK)];
        let nul = memchr::memchr(0, block).filter(|_| encoding.unit_size() == 1)?;
        let is_format = magic::format(&front[..front.len().min(magic::FRONT)]).is_some_and(|format| !format.is_weak);
        // UTF-16 in the first kilobyte alone is a table of numbers.
        let is_wide = !is_format && wide(&front[..front.len().min(FRONT)]).is_some() && wide(front).is_some();
        (!is_wide).then_some(NotText::Nul(nul as u64))
    }

    pub(crate) fn reader(&self) -> io::Result<Reader> {
        let source = match self.named {
            true if self.is_stdin() => Source::stdin()?,
            _ => match self.open()? {
                Stream::File(file) => Source::File(file),
                Stream::Unpacked(unpacked) => Source::Unpacked(unpacked),
            },
        };
        progress::opened();
        Ok(Reader(source))
    }

    /// Opens a file, which is not standard input.
    pub(crate) fn open(&self) -> io::Result<Stream> {
        let file = match self.named {
            true => File::open(&self.path)?,
            // A pipe may have taken the place of the file.
            false => open_at_once(&self.path)?,
        };
        Ok(match self.format {
            Some(format) => Stream::Unpacked(format.open(file)?),
            None => Stream::File(file),
        })
    }
}

/// An open file, or its content if it is compressed.
pub(crate) enum Stream {
    File(File),
    Unpacked(Unpacked),
}

/// Reads an input from beginning to end, and reports to [`progress`].
pub(crate) struct Reader(Source);

enum Source {
    /// Unbuffered, so that the position shows how much was read. The lock keeps
    /// two inputs `-` apart.
    Stdin {
        file: File,
        _lock: StdinLock<'static>,
    },
    /// Of Windows.
    Console(StdinLock<'static>),
    File(File),
    Unpacked(Unpacked),
}

impl Source {
    fn stdin() -> io::Result<Source> {
        let lock = io::stdin().lock();
        match is_console(&lock) {
            true => Ok(Source::Console(lock)),
            false => Ok(Source::Stdin { file: stdin_file()?, _lock: lock }),
        }
    }
}

impl Reader {
    /// The rest of the input, if it is a regular file.
    pub(crate) fn rest(&self) -> io::Result<Option<Rest>> {
        match &self.0 {
            Source::Stdin { file, .. } | Source::File(file) => Rest::of(file.try_clone()?),
            Source::Console(_) | Source::Unpacked(_) => Ok(None),
        }
    }
}

/// The rest of a file. Several threads can read it.
pub(crate) struct Rest {
    file: File,
    from: u64,
    len: u64,
}

impl Rest {
    pub(crate) fn of(mut file: File) -> io::Result<Option<Rest>> {
        if !is_regular(&file)? {
            return Ok(None);
        }
        let (from, len) = (file.stream_position()?, file.metadata()?.len());
        Ok(Some(Rest { file, from, len: len.saturating_sub(from) }))
    }

    /// The length when it was opened, in bytes. The file may change.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Reads at an offset from its beginning. Does not count as progress.
    pub(crate) fn read_at(&self, to: &mut [u8], at: u64) -> io::Result<usize> {
        read_at(&self.file, to, self.from + at)
    }

    /// Moves the position of the file to an offset from its beginning.
    pub(crate) fn end_at(&self, at: u64) {
        // The shell shares the position of standard input.
        let _ = (&self.file).seek(io::SeekFrom::Start(self.from + at));
    }
}

impl Read for Reader {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let len = match &mut self.0 {
            Source::Stdin { file, .. } => file.read(to),
            Source::Console(stdin) => stdin.read(to),
            Source::File(file) => file.read(to),
            // Its reader reports the progress.
            Source::Unpacked(unpacked) => return unpacked.read(to),
        }?;
        progress::read(len);
        Ok(len)
    }
}
