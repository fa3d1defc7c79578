//! All inputs of a command: named on the command line or in a list, or found by
//! walks.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::vec;

use anyhow::{Context, ensure};

use crate::args;
use crate::declared::{Declarations, Declared};
use crate::failure::Unreadable;
use crate::input::Input;
use crate::lock::Lock;
use crate::paths::path_from_bytes;
use crate::printable::Escaped;
use crate::progress;
use crate::walk::{Entries, Walker};

/// The limit of a name in a list, in bytes. It is longer than the limit of any
/// system.
const LONGEST_NAME: u64 = 128 << 10;

/// The number of names that are looked up together.
const AT_ONCE: usize = 64;

/// All inputs in the order of the arguments, the files of a folder sorted by
/// name. Memory is bounded for lists and trees of any size. With `--sort` by time,
/// the names of a folder are in memory.
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
    /// Compressed files are decompressed.
    unpacks: bool,
    walk: Option<Entries>,
    /// The folder that is walked.
    folder: PathBuf,
    /// Lists of ignored files that the walk cannot read, so that it skips their folders.
    unread: Arc<Lock<VecDeque<PathBuf>>>,
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
            unpacks: false,
            walk: None,
            folder: PathBuf::new(),
            unread: Arc::default(),
        })
    }

    /// The inputs of a command that writes: folders of version control are skipped.
    pub(crate) fn to_be_written(args: &args::Inputs) -> anyhow::Result<Inputs> {
        Ok(Inputs { writes: true, ..Inputs::new(args)? })
    }

    /// With `-z`, compressed files are decompressed. Refuses standard input, which has no
    /// name that says how it is compressed.
    pub(crate) fn decompressed(self, by: args::Decompress) -> anyhow::Result<Inputs> {
        let named = |paths: &[PathBuf]| paths.iter().any(|path| path == Path::new("-"));
        let stdin = matches!(&self.names, Names::Given(paths) if named(paths.as_slice()));
        ensure!(!(by.decompress && stdin), args::Decompress::STDIN);
        Ok(Inputs { unpacks: by.decompress, ..self })
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
            if let Some(list) = self.unread.lock().pop_front() {
                return Some(Err(Unreadable::of_list(&list)));
            }
            if let Some(walk) = &mut self.walk {
                match walk.next() {
                    // Reading a symbolic link, a pipe or a device could loop or
                    // block.
                    Some(Ok(entry)) if entry.file_type().is_some_and(|t| t.is_file()) => {
                        let path = entry.into_path();
                        let declared = if self.ignore { self.declarations.of(&path) } else { Declared::default() };
                        if let Some(unread) = declared.unread.filter(|_| self.writes) {
                            return Some(Err(Unreadable::for_lack_of(&path, &unread)));
                        }
                        return Some(Ok(Input::found(path, self.binary, declared.binary)));
                    }
                    Some(Ok(_)) => continue,
                    Some(Err(error)) => return Some(Err(Unreadable::of_walk(&self.folder, &error))),
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
            let input = Input::named(path);
            if !input.is_stdin() && fs::metadata(input.path()).is_ok_and(|m| m.is_dir()) {
                if let Some(list) = self.walker.obstacle(input.path()) {
                    return Some(Err(Unreadable::of_list(&list)));
                }
                self.walk = Some(self.walker.walk(input.path(), self.writes, &self.unread));
                self.folder = input.path().to_owned();
                continue;
            }
            return Some(Ok(input));
        }
    }
}

impl Iterator for Inputs {
    type Item = Result<Input, Unreadable>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_input().map(|input| input.map(|input| if self.unpacks { input.decompressed() } else { input }))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let known = self.found.len();
        (known, (self.walk.is_none() && self.names.is_at_end()).then_some(known))
    }
}

impl Inputs {
    fn next_input(&mut self) -> Option<Result<Input, Unreadable>> {
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
}
