//! Conversion of a file, with the checks of the command `utfkit convert`. Where the command warns or
//! asks a question, this refuses. It keeps no log.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use engine::detect::{Basis, Certainty, Detection, Detector, detect};
use engine::{Encoding, Policy, Practice, Status, Transcoder};
use pyo3::exceptions::{PyLookupError, PyUnicodeError, PyValueError};
use pyo3::prelude::*;
use utfkit_gate::{CHANGED, Folders, Keep, Lack, NotKept, Plausible, keep_attributes, magic};

use crate::finding::named;
use crate::names::{self, Errors};

/// Converts a file, in place or to `destination`, and returns the number of bytes written.
///
/// The result is written to the disk under a temporary name and then renamed, so there is always
/// either the old file or the new one. Owner, mode, access control lists and extended attributes
/// are kept. After an error nothing has changed.
///
/// Without `encoding` it is detected, and has to be nearly certain. A ValueError refuses
///
/// - files that are not text: known formats, NUL and control characters, characters that make no
///   words. `text` allows them.
/// - files in UTF-8, or partly so, if `encoding` is another; results that would be mostly U+FFFD;
///   files that declare another encoding; attributes that cannot be kept. `force` allows them.
/// - files of a version control system.
///
/// `errors` is 'strict' (`UnicodeError`), 'replace', 'ignore' or 'backslashreplace'.
///
/// >>> utfkit.convert_file("notes.txt", "windows-1252")  # doctest: +SKIP
/// 1024
#[pyfunction]
#[pyo3(
    signature = (path, encoding=None, *, to=None, destination=None, errors=None, text=false, force=false),
    text_signature = "(path, encoding=None, *, to='utf-8', destination=None, errors='strict', text=False, force=False)"
)]
#[allow(clippy::too_many_arguments)]
pub(crate) fn convert_file(
    py: Python<'_>,
    path: PathBuf,
    encoding: Option<&Bound<'_, PyAny>>,
    to: Option<&Bound<'_, PyAny>>,
    destination: Option<PathBuf>,
    errors: Option<&Bound<'_, PyAny>>,
    text: bool,
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
    let to = names::encoding(to.map(|to| names::string(to, "to")).transpose()?.map(|to| to.as_any()))?;
    let from = from.map(|named| named.encoding);
    let order = Order { from, to: to.encoding, with_bom: to.with_bom, policy, text, force };
    py.detach(|| order.run(&path, destination.as_deref())).map_err(|failure| match failure {
        Failure::Refused(why) => PyValueError::new_err(format!("{}: left as it was: {why}", path.display())),
        Failure::IllFormed(what) => PyUnicodeError::new_err(format!("{}: left as it was: {what}", path.display())),
        Failure::System(error, path) => named(error, &path),
    })
}

/// The reason why a file is not converted.
enum Failure {
    Refused(String),
    IllFormed(String),
    System(io::Error, PathBuf),
}

type Outcome<T> = Result<T, Failure>;

/// The arguments of `convert_file`.
struct Order {
    from: Option<Encoding>,
    to: Encoding,
    with_bom: bool,
    policy: Policy,
    text: bool,
    force: bool,
}

const PIECE: usize = 256 << 10;

impl Order {
    fn run(&self, path: &Path, destination: Option<&Path>) -> Outcome<u64> {
        let failed = |error| Failure::System(error, path.to_owned());
        // Through symbolic links.
        let path = path.canonicalize().map_err(failed)?;
        let target = match destination {
            None => path.clone(),
            Some(other) => resolved(other).map_err(|error| Failure::System(error, other.to_owned()))?,
        };
        let folders = Folders::default();
        for file in [&path, &target] {
            if let Some(folder) = folders.of(file) {
                return Err(Failure::Refused(format!("{} belongs to version control", folder.display())));
            }
        }
        // Before it is opened: a pipe would wait for a writer.
        if !path.metadata().map_err(failed)?.is_file() {
            return Err(Failure::Refused("it is not a regular file".to_owned()));
        }
        let mut source = File::open(&path).map_err(failed)?;
        let about = source.metadata().map_err(failed)?;
        let from = self.judge(&mut source, failed)?;
        source.rewind().map_err(failed)?;
        let folder = target.parent().unwrap_or(Path::new("."));
        let is_in_place = target == path;
        let failed = |error| Failure::System(error, target.clone());
        // The file that is replaced.
        let kept = if is_in_place { Some(about.clone()) } else { target.metadata().ok() };
        if kept.as_ref().is_some_and(|old| !old.is_file()) {
            return Err(Failure::Refused("the destination is not a regular file".to_owned()));
        }
        if kept.is_some() {
            // A rename needs no permission to write the file.
            OpenOptions::new().write(true).open(&target).map_err(failed)?;
        }
        let (mut temporary, name) = temporary_in(folder, kept.is_some()).map_err(failed)?;
        let keep =
            |temporary: &File| match &kept {
                Some(old) => keep_attributes(temporary, &target, old, Keep::forced(self.force)).map_err(|error| {
                    match error.get_ref().is_some_and(|inner| inner.is::<NotKept>()) {
                        true => Failure::Refused(format!("{error}")),
                        false => failed(error),
                    }
                }),
                None => Ok(()),
            };
        // Before the first write, and again after it, because writing removes some of them.
        let result = keep(&temporary).and_then(|()| self.write(from, &mut source, &mut temporary, failed));
        let result = result.and_then(|written| {
            keep(&temporary)?;
            temporary.sync_all().map_err(failed)?;
            if let Some(old) = &kept
                && !is_same(old, &target)
            {
                return Err(failed(io::Error::other(CHANGED)));
            }
            std::fs::rename(&name, &target).map_err(failed)?;
            Ok(written)
        });
        match &result {
            // The new name is on the disk when the folder is.
            Ok(_) => _ = File::open(folder).and_then(|folder| folder.sync_all()),
            Err(_) => _ = std::fs::remove_file(&name),
        }
        result
    }

    /// The encoding to read the file in, or a refusal.
    fn judge(&self, source: &mut File, failed: impl Fn(io::Error) -> Failure + Copy) -> Outcome<Encoding> {
        let Look { mut found, front, controls } = Look::new(source).map_err(failed)?;
        if self.from.is_none() && found.may_be_split() {
            let mut bytes = Vec::new();
            source.rewind().and_then(|()| source.read_to_end(&mut bytes)).map_err(failed)?;
            found.split(&bytes);
        }
        let refuse = |why: String| Err(Failure::Refused(why));
        let is_sure = self.force || found.certainty() >= Certainty::NearlyCertain;
        let from = match (self.from, found.encoding()) {
            (Some(from), _) => from,
            (None, Some(encoding)) if is_sure && found.basis() != Basis::NoText && !found.is_mixed() => {
                by_bom(encoding, &found)
            }
            _ => return refuse(format!("which encoding it is in is not certain: {found}")),
        };
        let is_well_formed = found.ill_formed() == Some(0) && found.encoding() == Some(Encoding::Utf8);
        let is_utf8 = from == Encoding::Utf8 || is_relative(from);
        if !self.force {
            if found.basis() == Basis::WellFormed && !is_utf8 {
                return refuse(format!("it is UTF-8 already, and {from} would encode it twice"));
            }
            if found.basis() == Basis::Ascii && from.unit_size() > 1 {
                return refuse(format!("it is US-ASCII, and not {from}"));
            }
            if found.is_mixed() && !is_utf8 {
                return refuse(format!("{found}: {from} would encode that twice"));
            }
            if let Some(declaration) = found.declaration()
                && declaration.encoding() != Some(self.to)
            {
                return refuse(format!("it has a label that would be wrong: {}", declaration.label()));
            }
        }
        if !self.text
            && let Some(why) = no_text(from, &found, &front, controls, is_well_formed)
        {
            return refuse(format!("not text ({why})"));
        }
        // It is text, whatever encoding it is read in.
        if is_well_formed {
            return Ok(from);
        }
        let reading = Reading::new(from, source).map_err(failed)?;
        if !self.text {
            let why = match reading.plausible.lack(self.from.is_none()) {
                _ if reading.plausible.nuls() > 0 => Some("NUL characters".to_owned()),
                Some(Lack::Controls(count)) => Some(format!("{count} control characters")),
                Some(Lack::Order) if !is_utf8 => Some("characters that make no words".to_owned()),
                _ => None,
            };
            if let Some(why) = why {
                return refuse(format!("not text (as {from} it holds {why})"));
            }
        }
        if !self.force && self.policy != Policy::Strict && reading.replaced > reading.kept {
            return refuse(format!("most of it that is not US-ASCII is ill-formed in {from}"));
        }
        Ok(from)
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

/// True for variants of UTF-8, which well-formed UTF-8 does not contradict.
fn is_relative(encoding: Encoding) -> bool {
    use Encoding::*;
    matches!(
        encoding,
        Cesu8 | Mutf8 | Wtf8 | Utf8Rfc2279 | Utf8Rfc2044 | Utf8Kuhn | Utf8NoNoncharacters | Unicode11Utf8
    )
}

/// Takes a BOM of UTF-16 or UTF-32 out of the text.
fn by_bom(encoding: Encoding, found: &Detection) -> Encoding {
    match encoding {
        _ if found.bom().is_none() => encoding,
        Encoding::Utf16Le | Encoding::Utf16Be => Encoding::Utf16,
        Encoding::Utf32Le | Encoding::Utf32Be => Encoding::Utf32,
        other => other,
    }
}

/// The reason why the bytes are not text, if they are not.
fn no_text(from: Encoding, found: &Detection, front: &[u8], controls: u64, is_well_formed: bool) -> Option<String> {
    let is_narrow = from.unit_size() == 1;
    if found.nulls() > 0 && is_narrow {
        return Some(format!("{} NUL bytes", found.nulls()));
    }
    let has_controls = found.nulls() + controls > 0;
    if let Some(format) = magic::format(front).filter(|format| has_controls || !format.is_weak) {
        return Some(format.name.to_owned());
    }
    // More controls are allowed in UTF-8, because few files are well-formed by chance.
    let share = if is_well_formed { 16 } else { 512 };
    if controls * share > found.bytes() && is_narrow {
        return Some(format!("{controls} control characters"));
    }
    // The front is enough to tell the size of a unit.
    let begins = detect(&front[..front.len().min(1024)]);
    let width = begins.encoding().map(Encoding::unit_size);
    let is_sure = begins.certainty() > Certainty::Guess;
    (is_sure && width.is_some_and(|width| width != from.unit_size()))
        .then(|| format!("it does not begin as {from} does"))
}

/// The results of the first pass over a file.
struct Look {
    found: Detection,
    front: Vec<u8>,
    /// Controls other than NUL and white space, without the U+001A at the end of a file of DOS.
    controls: u64,
}

impl Look {
    fn new(file: &mut File) -> io::Result<Look> {
        let (mut detector, mut piece) = (Detector::new(), vec![0; PIECE]);
        let (mut front, mut last) = (Vec::new(), 0);
        loop {
            let len = file.read(&mut piece)?;
            let Some(&end) = piece[..len].last() else { break };
            last = end;
            front.extend_from_slice(&piece[..len.min(magic::FRONT.saturating_sub(front.len()))]);
            detector.feed(&piece[..len]);
        }
        let found = detector.finish();
        let controls = found.controls().saturating_sub(u64::from(last == 0x1A));
        Ok(Look { found, front, controls })
    }
}

/// The text of a file in an encoding.
struct Reading {
    plausible: Plausible,
    /// The number of well-formed characters beyond US-ASCII.
    kept: u64,
    /// The number of ill-formed sequences.
    replaced: u64,
}

impl Reading {
    fn new(from: Encoding, file: &mut File) -> io::Result<Reading> {
        file.rewind()?;
        let mut reading = Reading { plausible: Plausible::default(), kept: 0, replaced: 0 };
        let mut transcoder = Transcoder::new(from, Encoding::Utf8, Policy::Replace(Practice::MaximalSubpart));
        let (mut piece, mut text) = (vec![0; PIECE], String::new());
        loop {
            let len = file.read(&mut piece)?;
            // It cannot fail: the target is UTF-8, and errors are replaced.
            let _ = transcoder.transcode_to_string(&piece[..len], &mut text, len == 0);
            reading.plausible.feed(&text, true);
            let replaced = text.matches('\u{FFFD}').count() as u64;
            reading.replaced += replaced;
            reading.kept += text.bytes().filter(|byte| *byte >= 0xC0).count() as u64 - replaced;
            text.clear();
            if len == 0 {
                return Ok(reading);
            }
        }
    }
}

/// True if a path still has the file `old`, unchanged.
fn is_same(old: &Metadata, path: &Path) -> bool {
    let Ok(now) = std::fs::symlink_metadata(path) else { return false };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if (now.dev(), now.ino()) != (old.dev(), old.ino()) {
            return false;
        }
    }
    now.len() == old.len() && now.modified().ok() == old.modified().ok()
}

/// The canonical path of a file that may not exist yet.
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

/// A new file and its path. Only its owner can read it if `private`.
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
