//! One input: a file or standard input.

use std::fs::File;
use std::io::{self, Read, Seek, StdinLock};
use std::path::{Path, PathBuf};

use utfkit::Encoding;

use crate::binaries::NotText;
use crate::progress;
use crate::reading::{open_at_once, read_at};
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
}

impl Input {
    pub(crate) fn named(path: PathBuf) -> Input {
        Input { path, named: true, text: true, binary: false }
    }

    /// A file that a walk found.
    pub(crate) fn found(path: PathBuf, text: bool, binary: bool) -> Input {
        Input { path, named: false, text, binary }
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
        let nul = block.iter().position(|&byte| byte == 0).filter(|_| encoding.unit_size() == 1)?;
        // UTF-16 in the first kilobyte alone is a table of numbers.
        let is_wide = wide(&front[..front.len().min(FRONT)]).is_some() && wide(front).is_some();
        (!is_wide).then_some(NotText::Nul(nul as u64))
    }

    pub(crate) fn reader(&self) -> io::Result<Reader> {
        let source = match self.named {
            true if self.is_stdin() => Source::stdin()?,
            true => Source::File(File::open(&self.path)?),
            // A pipe may have taken the place of the file.
            false => Source::File(open_at_once(&self.path)?),
        };
        progress::opened();
        Ok(Reader(source))
    }
}

/// Reads an input from beginning to end, and reports to [`progress`].
pub(crate) struct Reader(Source);

enum Source {
    /// Unbuffered, so that the position shows how much was read. The lock keeps
    /// two inputs `-` apart.
    #[cfg(unix)]
    Stdin {
        file: File,
        _lock: StdinLock<'static>,
    },
    #[cfg(not(unix))]
    Stdin(StdinLock<'static>),
    File(File),
}

impl Source {
    #[cfg(unix)]
    fn stdin() -> io::Result<Source> {
        use std::os::fd::AsFd;

        let lock = io::stdin().lock();
        Ok(Source::Stdin { file: File::from(lock.as_fd().try_clone_to_owned()?), _lock: lock })
    }

    #[cfg(not(unix))]
    fn stdin() -> io::Result<Source> {
        Ok(Source::Stdin(io::stdin().lock()))
    }
}

impl Reader {
    /// The rest of the input, if it is a regular file.
    #[cfg(unix)]
    pub(crate) fn rest(&self) -> io::Result<Option<Rest>> {
        let (Source::Stdin { file, .. } | Source::File(file)) = &self.0;
        Rest::of(file.try_clone()?)
    }

    #[cfg(not(unix))]
    pub(crate) fn rest(&self) -> io::Result<Option<Rest>> {
        Ok(None)
    }
}

/// The rest of a file. Several threads can read it.
pub(crate) struct Rest {
    file: File,
    from: u64,
    len: u64,
}

impl Rest {
    #[cfg(unix)]
    pub(crate) fn of(mut file: File) -> io::Result<Option<Rest>> {
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Ok(None);
        }
        let from = file.stream_position()?;
        Ok(Some(Rest { file, from, len: metadata.len().saturating_sub(from) }))
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
            #[cfg(unix)]
            Source::Stdin { file, .. } => file.read(to),
            #[cfg(not(unix))]
            Source::Stdin(stdin) => stdin.read(to),
            Source::File(file) => file.read(to),
        }?;
        progress::read(len);
        Ok(len)
    }
}
