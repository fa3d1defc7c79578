//! The inputs: named on the command line or in a list, or found by a walk.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, StdinLock};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::vec;

use anyhow::Context;
use ignore::Walk;
use utfkit::Encoding;

use crate::args;
use crate::declared::Declarations;
use crate::failure::Unreadable;
use crate::paths::path_from_bytes;
use crate::printable::{Escaped, escaped_text};
use crate::progress;
use crate::reading::{open_at_once, read_at};
use crate::walk::Walker;
use crate::wide::{FRONT, wide};

/// A NUL byte among the first of this many bytes makes a file binary.
const FIRST_BLOCK: usize = 8 << 10;

/// The limit of a name in a list, in bytes. It is longer than the limit of any
/// system.
const LONGEST_NAME: u64 = 128 << 10;

/// The number of names that are looked up together.
const AT_ONCE: usize = 64;

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

    /// True if a walk found it and it is not text: `.gitattributes` says so, or
    /// `front` has a NUL byte and is neither UTF-16 nor UTF-32.
    pub(crate) fn is_binary(&self, front: &[u8], encoding: Encoding) -> bool {
        let holds_nul = || {
            encoding.unit_size() == 1
                && front[..front.len().min(FIRST_BLOCK)].contains(&0)
                // UTF-16 in the first kilobyte alone is a table of numbers.
                && (wide(&front[..front.len().min(FRONT)]).is_none() || wide(front).is_none())
        };
        !self.text && (self.binary || holds_nul())
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

/// All inputs in the order of the arguments, the files of a folder sorted by
/// name. Memory is bounded for lists and trees of any size.
///
/// The lower bound of `size_hint` counts the inputs that do not have to be waited
/// for.
pub(crate) struct Inputs {
    /// The next inputs.
    found: VecDeque<Result<Input, Unreadable>>,
    names: Names,
    walker: Walker,
    /// Binary files are read as text.
    binary: bool,
    /// `.gitattributes` can say that a file is binary.
    ignore: bool,
    declarations: Arc<Declarations>,
    /// The files will be written over.
    writes: bool,
    walk: Option<Walk>,
}

enum Names {
    Given(vec::IntoIter<PathBuf>),
    Listed { reader: BufReader<Box<dyn Read + Send>>, from: PathBuf },
}

impl Inputs {
    pub(crate) fn new(args: &args::Inputs) -> anyhow::Result<Inputs> {
        let names = match &args.files0_from {
            None if args.paths.is_empty() => Names::Given(vec![PathBuf::from("-")].into_iter()),
            None => Names::Given(args.paths.clone().into_iter()),
            Some(from) if from == Path::new("-") => {
                Names::Listed { reader: BufReader::new(Box::new(io::stdin())), from: from.clone() }
            }
            Some(from) => {
                let list = File::open(from).with_context(|| format!("{}", Escaped(from)))?;
                Names::Listed { reader: BufReader::new(Box::new(list)), from: from.clone() }
            }
        };
        if let Names::Given(paths) = &names {
            progress::expect(paths.as_slice());
        }
        Ok(Inputs {
            found: VecDeque::new(),
            names,
            walker: Walker::new(args)?,
            binary: args.binary(),
            ignore: !args.no_ignore(),
            declarations: Arc::default(),
            writes: false,
            walk: None,
        })
    }

    /// The inputs of a command that writes: folders of version control are skipped.
    pub(crate) fn to_be_written(args: &args::Inputs) -> anyhow::Result<Inputs> {
        Ok(Inputs { writes: true, ..Inputs::new(args)? })
    }

    pub(crate) fn declarations(&self) -> Arc<Declarations> {
        Arc::clone(&self.declarations)
    }
}

impl Names {
    /// True if the next name needs no read.
    fn is_at_hand(&self) -> bool {
        match self {
            Names::Given(paths) => paths.len() > 0,
            Names::Listed { reader, .. } => reader.buffer().contains(&0),
        }
    }

    fn is_at_end(&self) -> bool {
        matches!(self, Names::Given(paths) if paths.len() == 0)
    }

    fn next(&mut self) -> Option<Result<PathBuf, Unreadable>> {
        match self {
            Names::Given(paths) => paths.next().map(Ok),
            Names::Listed { reader, from } => match listed(reader, from) {
                Ok(name) => name,
                Err(error) => {
                    let failed = Err(Unreadable::new(from, &error));
                    *self = Names::Given(Vec::new().into_iter());
                    Some(failed)
                }
            },
        }
    }
}

/// The next name of the list `from`.
fn listed(reader: &mut impl BufRead, from: &Path) -> io::Result<Option<Result<PathBuf, Unreadable>>> {
    let mut name = Vec::new();
    if reader.by_ref().take(LONGEST_NAME + 1).read_until(0, &mut name)? == 0 {
        return Ok(None);
    }
    let refused = |why: &str| Err(Unreadable::unnamed(format!("{}: {why}", Escaped(from))));
    if name.pop_if(|end| *end == 0).is_none() && name.len() as u64 > LONGEST_NAME {
        reader.skip_until(0)?;
        return Ok(Some(refused(&format!("holds a name of more than {LONGEST_NAME} bytes"))));
    }
    Ok(Some(match path_from_bytes(name) {
        Some(path) if path == Path::new("-") && from == Path::new("-") => {
            refused("standard input holds the list of names and cannot be an input too")
        }
        Some(path) if !path.as_os_str().is_empty() => Ok(path),
        _ => refused("holds a name that is not a path"),
    }))
}

impl Inputs {
    /// The next input, or `None` at the end. Unless it `waits`, also `None` if the
    /// next name needs a read.
    fn find(&mut self, waits: bool) -> Option<Result<Input, Unreadable>> {
        loop {
            if let Some(walk) = &mut self.walk {
                match walk.next() {
                    // Reading a symbolic link, a pipe or a device could loop or
                    // block.
                    Some(Ok(entry)) if entry.file_type().is_some_and(|t| t.is_file()) => {
                        let path = entry.into_path();
                        let binary = self.ignore && self.declarations.of(&path).binary;
                        return Some(Ok(Input { path, named: false, text: self.binary, binary }));
                    }
                    Some(Ok(_)) => continue,
                    Some(Err(error)) => return Some(Err(Unreadable::unnamed(escaped_text(&error.to_string())))),
                    None => self.walk = None,
                }
            }
            if !waits && !self.names.is_at_hand() {
                return None;
            }
            let path = match self.names.next()? {
                Ok(path) => path,
                Err(unreadable) => return Some(Err(unreadable)),
            };
            let input = Input { path, named: true, text: true, binary: false };
            if !input.is_stdin() && fs::metadata(&input.path).is_ok_and(|m| m.is_dir()) {
                self.walk = Some(self.walker.walk(&input.path, self.writes));
                continue;
            }
            return Some(Ok(input));
        }
    }
}

impl Iterator for Inputs {
    type Item = Result<Input, Unreadable>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.found.is_empty() {
            let first = self.find(true)?;
            self.found.push_back(first);
            while self.found.len() < AT_ONCE
                && let Some(next) = self.find(false)
            {
                self.found.push_back(next);
            }
        }
        self.found.pop_front()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let known = self.found.len();
        (known, (self.walk.is_none() && self.names.is_at_end()).then_some(known))
    }
}
