//! A file into another encoding.
//!
//! The plain part of what the command does: the gate, the log and what is kept of attributes
//! beyond owner and mode are the command's own.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use engine::detect::{Basis, Certainty, Detection, Detector};
use engine::{Encoding, Policy, Practice, Status, Transcoder};
use pyo3::exceptions::{PyLookupError, PyUnicodeError, PyValueError};
use pyo3::prelude::*;

use crate::finding::named;
use crate::names::{self, Errors};

/// Converts a file, in place or to `destination`, and returns how many bytes that wrote.
///
/// The result is written beside the place where it goes, to the disk, and gets its name in one
/// step: whatever happens, there is the old file or the new one. Owner and mode stay, extended
/// attributes do not. With an error nothing is changed.
///
/// Without `encoding` it is found out, and has to be nearly certain. What is not text, what
/// is UTF-8 already and is said to be something else, and what has a label for another encoding
/// is refused (`ValueError`), except with `force`; what belongs to a version control system always.
/// Errors are 'strict' (`UnicodeError`), 'replace', 'ignore' or 'backslashreplace'.
///
/// >>> utfkit.convert_file("notes.txt", "windows-1252")  # doctest: +SKIP
/// 1024
#[pyfunction]
#[pyo3(
    signature = (path, encoding=None, *, to=None, destination=None, errors=None, force=false),
    text_signature = "(path, encoding=None, *, to='utf-8', destination=None, errors='strict', force=False)"
)]
pub(crate) fn convert_file(
    py: Python<'_>,
    path: PathBuf,
    encoding: Option<&Bound<'_, PyAny>>,
    to: Option<&Bound<'_, PyAny>>,
    destination: Option<PathBuf>,
    errors: Option<&Bound<'_, PyAny>>,
    force: bool,
) -> PyResult<u64> {
    let policy = match Errors::of(errors)? {
        Errors::Strict => Policy::Strict,
        Errors::Ignore => Policy::Skip,
        Errors::Replace => Policy::Replace(Practice::MaximalSubpart),
        Errors::BackslashReplace => Policy::Escape,
        _ => return Err(PyLookupError::new_err("errors are 'strict', 'replace', 'ignore' or 'backslashreplace'")),
    };
    let from = encoding.map(|encoding| names::encoding(Some(encoding))).transpose()?;
    let to = names::encoding(to)?;
    let order = Order { from: from.map(|named| named.encoding), to: to.encoding, with_bom: to.with_bom, policy, force };
    py.detach(|| order.run(&path, destination.as_deref())).map_err(|failure| match failure {
        Failure::Refused(why) => PyValueError::new_err(format!("{}: left as it was: {why}", path.display())),
        Failure::IllFormed(what) => PyUnicodeError::new_err(format!("{}: left as it was: {what}", path.display())),
        Failure::System(error, path) => named(error, &path),
    })
}

/// Why there is no result.
enum Failure {
    Refused(String),
    IllFormed(String),
    System(io::Error, PathBuf),
}

type Outcome<T> = Result<T, Failure>;

/// What is to be done.
struct Order {
    from: Option<Encoding>,
    to: Encoding,
    with_bom: bool,
    policy: Policy,
    force: bool,
}

const PIECE: usize = 256 << 10;

impl Order {
    fn run(&self, path: &Path, destination: Option<&Path>) -> Outcome<u64> {
        let failed = |error| Failure::System(error, path.to_owned());
        // The file itself, whatever links to it.
        let path = path.canonicalize().map_err(failed)?;
        let target = match destination {
            None => path.clone(),
            Some(other) => resolved(other).map_err(|error| Failure::System(error, other.to_owned()))?,
        };
        if let Some(folder) = version_control(&target) {
            return Err(Failure::Refused(format!("it belongs to a version control system ({folder})")));
        }
        let mut source = File::open(&path).map_err(failed)?;
        let about = source.metadata().map_err(failed)?;
        if !about.is_file() {
            return Err(Failure::Refused("it is not a regular file".to_owned()));
        }
        let from = self.judge(&looked_at(&mut source).map_err(failed)?)?;
        source.rewind().map_err(failed)?;
        let folder = target.parent().unwrap_or(Path::new("."));
        let failed = |error| Failure::System(error, target.clone());
        // In place, or over another file: as that one was.
        let kept = if destination.is_none() { Some(about) } else { target.metadata().ok() };
        let (mut temporary, name) = temporary_in(folder, kept.is_some()).map_err(failed)?;
        let result = self.write(from, &mut source, &mut temporary, failed).and_then(|written| {
            keep(&temporary, kept.as_ref()).map_err(failed)?;
            temporary.sync_all().map_err(failed)?;
            std::fs::rename(&name, &target).map_err(failed)?;
            Ok(written)
        });
        match &result {
            // The name is on the disk when the folder is.
            Ok(_) => _ = File::open(folder).and_then(|folder| folder.sync_all()),
            Err(_) => _ = std::fs::remove_file(&name),
        }
        result
    }

    /// The encoding to read it in, unless that would lose something.
    fn judge(&self, found: &Detection) -> Outcome<Encoding> {
        let is_text = found.basis() != Basis::NoText;
        let from = match self.from {
            Some(from) => from,
            None => match found.encoding() {
                Some(encoding) if is_text && (self.force || found.certainty() >= Certainty::NearlyCertain) => encoding,
                _ => return Err(Failure::Refused(format!("which encoding it is in is not certain: {found}"))),
            },
        };
        if self.force {
            return Ok(from);
        }
        if !is_text {
            return Err(Failure::Refused(format!("{found}")));
        }
        if found.basis() == Basis::WellFormed && from != Encoding::Utf8 && !is_relative(from) {
            return Err(Failure::Refused(format!("it is UTF-8 already, and {from} would encode it twice")));
        }
        match found.declaration() {
            Some(declaration) if declaration.encoding() != Some(self.to) => {
                Err(Failure::Refused(format!("it has a label that would be wrong: {}", declaration.label())))
            }
            _ => Ok(from),
        }
    }

    fn write(
        &self,
        from: Encoding,
        source: &mut File,
        target: &mut File,
        failed: impl Fn(io::Error) -> Failure + Copy,
    ) -> Outcome<u64> {
        let mut transcoder = Transcoder::new(from, self.to, self.policy);
        let mut target = BufWriter::with_capacity(PIECE, target);
        let (mut piece, mut out, mut written) = (vec![0; PIECE], Vec::new(), 0);
        if self.with_bom {
            out.extend_from_slice(b"\xEF\xBB\xBF");
        }
        loop {
            let len = source.read(&mut piece).map_err(failed)?;
            let step = transcoder.transcode_to_vec(&piece[..len], &mut out, len == 0);
            if let Status::IllFormed(error) = step.status {
                return Err(Failure::IllFormed(format!("{error} in {from}")));
            }
            target.write_all(&out).map_err(failed)?;
            written += out.len() as u64;
            out.clear();
            if len == 0 {
                target.flush().map_err(failed)?;
                return Ok(written);
            }
        }
    }
}

/// Whether well-formed UTF-8 says nothing against it: a variant of it.
fn is_relative(encoding: Encoding) -> bool {
    use Encoding::*;
    matches!(
        encoding,
        Cesu8 | Mutf8 | Wtf8 | Utf8Rfc2279 | Utf8Rfc2044 | Utf8Kuhn | Utf8NoNoncharacters | Unicode11Utf8
    )
}

fn looked_at(file: &mut File) -> io::Result<Detection> {
    let mut detector = Detector::new();
    let mut piece = vec![0; PIECE];
    loop {
        let len = file.read(&mut piece)?;
        if len == 0 {
            return Ok(detector.finish());
        }
        detector.feed(&piece[..len]);
    }
}

/// The file that a name stands for, which need not be there yet.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    if let Ok(path) = path.canonicalize() {
        return Ok(path);
    }
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder.canonicalize()?,
        _ => Path::new(".").canonicalize()?,
    };
    match path.file_name() {
        Some(name) => Ok(folder.join(name)),
        None => Err(io::ErrorKind::InvalidInput.into()),
    }
}

/// The folder of a version control system that a file is in.
fn version_control(path: &Path) -> Option<&'static str> {
    let folders = [".git", ".hg", ".svn", ".jj"];
    folders.into_iter().find(|folder| path.components().any(|part| part.as_os_str() == *folder))
}

/// A new file, which nobody else may read if it is `private`, and its name.
#[cfg_attr(not(unix), allow(unused_variables))]
fn temporary_in(folder: &Path, private: bool) -> io::Result<(File, PathBuf)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = folder.join(format!(".utfkit-{}-{count}.tmp", std::process::id()));
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if private {
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        match options.open(&name) {
            Ok(file) => return Ok((file, name)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Gives a new file the owner and mode of an old one. Without one it has the mode of any new
/// file.
fn keep(file: &File, old: Option<&std::fs::Metadata>) -> io::Result<()> {
    let Some(old) = old else { return Ok(()) };
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let new = file.metadata()?;
        if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
            fchown(file, Some(old.uid()), Some(old.gid()))?;
        }
    }
    file.set_permissions(old.permissions())
}
