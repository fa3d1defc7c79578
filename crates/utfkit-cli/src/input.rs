//! What to read: names on the command line or from a list, folders walked.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::vec;

use anyhow::Context;
use ignore::{Walk, WalkBuilder};
use utfkit::Encoding;

use crate::args;
use crate::report::{Escaped, escaped_text};

/// Where a NUL byte makes a file a binary one.
const FIRST_BLOCK: usize = 8 << 10;

/// A place to read from.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// `-` is standard input, if `named`.
    path: PathBuf,
    /// It was named, not met on a walk.
    named: bool,
}

impl Input {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn is_stdin(&self) -> bool {
        self.named && self.path == Path::new("-")
    }

    /// Whether somebody named it; otherwise it was met on a walk.
    pub(crate) fn is_named(&self) -> bool {
        self.named
    }

    /// Whether it was met on a walk and its `front` says that it is no text: a
    /// NUL byte, which UTF-16 and UTF-32 are full of.
    pub(crate) fn is_binary(&self, front: &[u8], encoding: Encoding) -> bool {
        !self.named && encoding.unit_size() == 1 && front[..front.len().min(FIRST_BLOCK)].contains(&0)
    }

    pub(crate) fn open(&self) -> io::Result<Box<dyn Read>> {
        if self.is_stdin() { Ok(Box::new(io::stdin().lock())) } else { Ok(Box::new(File::open(&self.path)?)) }
    }
}

/// Something that cannot be read. The message is safe on a terminal.
#[derive(Debug)]
pub(crate) struct Unreadable(String);

impl Unreadable {
    pub(crate) fn new(path: &Path, error: &io::Error) -> Unreadable {
        Unreadable(format!("{}: {error}", Escaped(path)))
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Every input in the order of the arguments, the files of a folder sorted by
/// name. Lazy: a list or a tree of any size costs no memory to speak of.
pub(crate) struct Inputs {
    names: Names,
    hidden: bool,
    no_ignore: bool,
    walk: Option<Walk>,
}

enum Names {
    Given(vec::IntoIter<PathBuf>),
    Listed { reader: Box<dyn BufRead + Send>, from: PathBuf },
}

impl Inputs {
    pub(crate) fn new(args: &args::Inputs) -> anyhow::Result<Inputs> {
        let names = match &args.files0_from {
            None if args.paths.is_empty() => Names::Given(vec![PathBuf::from("-")].into_iter()),
            None => Names::Given(args.paths.clone().into_iter()),
            Some(from) if from == Path::new("-") => {
                Names::Listed { reader: Box::new(BufReader::new(io::stdin())), from: from.clone() }
            }
            Some(from) => {
                let list = File::open(from).with_context(|| format!("{}", Escaped(from)))?;
                Names::Listed { reader: Box::new(BufReader::new(list)), from: from.clone() }
            }
        };
        Ok(Inputs { names, hidden: args.hidden, no_ignore: args.no_ignore, walk: None })
    }

    fn walk(&self, folder: &Path) -> Walk {
        WalkBuilder::new(folder)
            .standard_filters(!self.no_ignore)
            .hidden(!self.hidden)
            .sort_by_file_name(|a, b| a.cmp(b))
            .build()
    }
}

impl Names {
    fn next(&mut self) -> Option<Result<PathBuf, Unreadable>> {
        match self {
            Names::Given(paths) => paths.next().map(Ok),
            Names::Listed { reader, from } => {
                let mut name = Vec::new();
                match reader.read_until(0, &mut name) {
                    Ok(0) => None,
                    Ok(_) => {
                        name.pop_if(|end| *end == 0);
                        Some(match path_from_bytes(name) {
                            Some(path) if path == Path::new("-") && from == Path::new("-") => Err(Unreadable(
                                "-: standard input holds the list of names and cannot be an input too".to_owned(),
                            )),
                            Some(path) if !path.as_os_str().is_empty() => Ok(path),
                            _ => Err(Unreadable(format!("{}: holds a name that is no path", Escaped(from)))),
                        })
                    }
                    Err(error) => {
                        let failed = Err(Unreadable::new(from, &error));
                        *self = Names::Given(Vec::new().into_iter());
                        Some(failed)
                    }
                }
            }
        }
    }
}

#[cfg(unix)]
fn path_from_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(std::ffi::OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
fn path_from_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

impl Iterator for Inputs {
    type Item = Result<Input, Unreadable>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(walk) = &mut self.walk {
                match walk.next() {
                    // Symbolic links, pipes and devices met on a walk are left
                    // alone: reading them could loop or wait for ever.
                    Some(Ok(entry)) if entry.file_type().is_some_and(|t| t.is_file()) => {
                        return Some(Ok(Input { path: entry.into_path(), named: false }));
                    }
                    Some(Ok(_)) => continue,
                    Some(Err(error)) => return Some(Err(Unreadable(escaped_text(&error.to_string())))),
                    None => self.walk = None,
                }
            }
            let path = match self.names.next()? {
                Ok(path) => path,
                Err(unreadable) => return Some(Err(unreadable)),
            };
            let input = Input { path, named: true };
            if !input.is_stdin() && fs::metadata(&input.path).is_ok_and(|m| m.is_dir()) {
                self.walk = Some(self.walk(&input.path));
                continue;
            }
            return Some(Ok(input));
        }
    }
}
