//! Findings: ill-formed sequences with their places and reasons.

use std::collections::VecDeque;
use std::fs::File;
use std::hash::{Hash, Hasher};
use std::io::{ErrorKind, Read};
use std::ops::ControlFlow;
use std::path::PathBuf;

use engine::Standard;
use engine::diagnose::Checker;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use crate::names::{self, Named};
use crate::objects::{code_point, hex, reduced, shown};
use crate::source::bytes_of;
use crate::unicode::{apart, opened};

/// An ill-formed sequence, its place and the reason.
///
/// `offset` counts bytes from 0, `line` and `column` count from 1, columns in code points.
///
/// >>> [finding] = utfkit.check(b"caf\xe9 au lait")
/// >>> finding.offset, finding.line, finding.column, finding.kind
/// (3, 1, 4, 'missing-continuation')
#[pyclass(frozen, eq, hash, module = "utfkit", weakref)]
pub(crate) struct Finding(Source);

enum Source {
    /// Its words are made when they are asked for: a file can have millions.
    Found(engine::diagnose::Finding),
    Pickled(Box<Pickled>),
}

struct Pickled {
    offset: u64,
    length: u64,
    line: u64,
    column: u64,
    kind: String,
    bytes: Vec<u8>,
    message: String,
    code_point: Option<u32>,
}

impl From<&engine::diagnose::Finding> for Finding {
    fn from(finding: &engine::diagnose::Finding) -> Finding {
        Finding(Source::Found(*finding))
    }
}

#[pymethods]
impl Finding {
    /// Makes a finding from its attributes, for pickle.
    #[new]
    #[pyo3(signature = (*, offset, length, line, column, kind, bytes, message, code_point=None))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        offset: u64,
        length: u64,
        line: u64,
        column: u64,
        kind: String,
        bytes: Vec<u8>,
        message: String,
        code_point: Option<u32>,
    ) -> Finding {
        Finding(Source::Pickled(Box::new(Pickled { offset, length, line, column, kind, bytes, message, code_point })))
    }

    #[getter]
    fn offset(&self) -> u64 {
        match &self.0 {
            Source::Found(finding) => finding.offset(),
            Source::Pickled(pickled) => pickled.offset,
        }
    }

    #[getter]
    fn length(&self) -> u64 {
        match &self.0 {
            Source::Found(finding) => finding.bytes().len() as u64,
            Source::Pickled(pickled) => pickled.length,
        }
    }

    #[getter]
    fn line(&self) -> u64 {
        match &self.0 {
            Source::Found(finding) => finding.line(),
            Source::Pickled(pickled) => pickled.line,
        }
    }

    #[getter]
    fn column(&self) -> u64 {
        match &self.0 {
            Source::Found(finding) => finding.column(),
            Source::Pickled(pickled) => pickled.column,
        }
    }

    #[getter]
    fn kind(&self) -> &str {
        match &self.0 {
            Source::Found(finding) => finding.kind().name(),
            Source::Pickled(pickled) => &pickled.kind,
        }
    }

    #[getter]
    fn message(&self) -> String {
        match &self.0 {
            Source::Found(finding) => finding.diagnosis().to_string(),
            Source::Pickled(pickled) => pickled.message.clone(),
        }
    }

    /// The code point that the sequence spells, if any.
    #[getter]
    fn code_point(&self) -> Option<u32> {
        match &self.0 {
            Source::Found(finding) => finding.diagnosis().value(),
            Source::Pickled(pickled) => pickled.code_point,
        }
    }

    /// The bytes of the sequence.
    #[getter(bytes)]
    fn py_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.bytes())
    }

    /// The attributes as `utfkit check --format jsonl` writes them: `bytes` is 'c0af', `code_point` 'U+002F'.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = self.attributes(py)?;
        dict.set_item("bytes", hex(self.bytes()))?;
        dict.set_item("code_point", self.code_point().map(code_point))?;
        Ok(dict)
    }

    fn __str__(&self) -> String {
        let (line, column, offset) = (self.line(), self.column(), self.offset());
        format!("{line}:{column}: byte {offset}: {}: {}: {}", shown(self.bytes()), self.kind(), self.message())
    }

    fn __repr__(&self) -> String {
        format!("<Finding {}>", self.__str__())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        reduced(slf.get_type(), &slf.get().attributes(slf.py())?)
    }
}

impl PartialEq for Finding {
    fn eq(&self, other: &Finding) -> bool {
        let place = |finding: &Finding| (finding.offset(), finding.length(), finding.line(), finding.column());
        place(self) == place(other)
            && self.kind() == other.kind()
            && self.bytes() == other.bytes()
            && self.code_point() == other.code_point()
            && self.message() == other.message()
    }
}

impl Hash for Finding {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (self.offset(), self.line(), self.column(), self.kind(), self.bytes()).hash(hasher);
    }
}

impl Finding {
    fn bytes(&self) -> &[u8] {
        match &self.0 {
            Source::Found(finding) => finding.bytes(),
            Source::Pickled(pickled) => &pickled.bytes,
        }
    }

    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("offset", self.offset())?;
        dict.set_item("length", self.length())?;
        dict.set_item("line", self.line())?;
        dict.set_item("column", self.column())?;
        dict.set_item("kind", self.kind())?;
        dict.set_item("bytes", self.py_bytes(py))?;
        dict.set_item("message", self.message())?;
        dict.set_item("code_point", self.code_point())?;
        Ok(dict)
    }
}

/// Bytes, or the path of a file.
#[derive(Clone)]
pub(crate) enum Input<'py> {
    Bytes(Bound<'py, PyBytes>),
    File(PathBuf),
}

impl<'py> Input<'py> {
    /// A `str` or an `os.PathLike` is a path.
    pub(crate) fn of(argument: &Bound<'py, PyAny>) -> PyResult<Input<'py>> {
        if let Ok(bytes) = argument.cast_exact::<PyBytes>() {
            return Ok(Input::Bytes(bytes.clone()));
        }
        let is_path = argument.is_instance_of::<PyString>() || argument.hasattr("__fspath__")?;
        match is_path {
            true => Ok(Input::File(argument.extract()?)),
            false => Ok(Input::Bytes(bytes_of(argument)?.into_owned())),
        }
    }

    /// Passes all bytes to `take`, in pieces, without the interpreter, until it breaks off.
    pub(crate) fn read(self, py: Python<'py>, mut take: impl FnMut(&[u8]) -> ControlFlow<()> + Send) -> PyResult<()> {
        let mut reading = Reading::of(py, self)?;
        while reading.next(py, &mut take)?.is_continue() {}
        Ok(())
    }
}

/// An [`Input`] that is being read.
pub(crate) enum Reading {
    Bytes { bytes: Py<PyBytes>, at: usize },
    File { file: File, path: PathBuf, piece: Vec<u8> },
}

impl Reading {
    pub(crate) fn of(py: Python<'_>, input: Input<'_>) -> PyResult<Reading> {
        Ok(match input {
            Input::Bytes(bytes) => Reading::Bytes { bytes: bytes.unbind(), at: 0 },
            Input::File(path) => {
                let file = opened(py, &path)?;
                Reading::File { file, path, piece: vec![0; PIECE] }
            }
        })
    }

    /// Passes the next piece to `take`. Breaks off if that does, or at the end.
    pub(crate) fn next(
        &mut self,
        py: Python<'_>,
        mut take: impl FnMut(&[u8]) -> ControlFlow<()> + Send,
    ) -> PyResult<ControlFlow<()>> {
        py.check_signals()?;
        match self {
            Reading::Bytes { bytes, at } => {
                let rest = bytes.bind(py).as_bytes().get(*at..).unwrap_or_default();
                let piece = &rest[..rest.len().min(PIECE)];
                *at += piece.len();
                match piece.is_empty() {
                    true => Ok(ControlFlow::Break(())),
                    false => Ok(apart(py, piece.len(), || take(piece))),
                }
            }
            Reading::File { file, path, piece } => {
                let read = py.detach(|| match file.read(piece)? {
                    0 => std::io::Result::Ok(ControlFlow::Break(())),
                    read => Ok(take(&piece[..read])),
                });
                match read {
                    // A signal, which the next call looks at.
                    Err(error) if error.kind() == ErrorKind::Interrupted => Ok(ControlFlow::Continue(())),
                    read => read.map_err(|error| named(error, path)),
                }
            }
        }
    }
}

/// Python's exception for an I/O error, with the path as a string, as in the exceptions of `open`.
pub(crate) fn named(error: std::io::Error, path: &std::path::Path) -> PyErr {
    match error.raw_os_error() {
        Some(number) => {
            let words = error.to_string();
            let words = words.split(" (os error").next().unwrap_or_default().to_owned();
            pyo3::exceptions::PyOSError::new_err((number, words, path.as_os_str().to_os_string()))
        }
        // A NUL in the path, for example.
        None if error.kind() == std::io::ErrorKind::InvalidInput => {
            pyo3::exceptions::PyValueError::new_err(error.to_string())
        }
        None => error.into(),
    }
}

/// The bytes that are read at once, between two checks for signals. Where each of them is ill-formed,
/// that is some milliseconds.
const PIECE: usize = 64 << 10;

/// A checker for an encoding. It needs no `with_bom`: a BOM of UTF-8 is well-formed.
fn checker(named: Named) -> Checker {
    Checker::new(named.encoding, Standard::Rfc3629)
}

/// Returns the ill-formed sequences of bytes or of a file: all, or the first `limit`.
///
/// >>> for finding in utfkit.check(b"a\xc0\xafb"):
/// ...     print(finding)
/// 1:2: byte 1: C0 AF: overlong: two-byte form of U+002F "/", which must be 2F (RFC 3629 section 3)
#[pyfunction]
#[pyo3(
    signature = (data_or_path, encoding=None, *, limit=None),
    text_signature = "(data_or_path, encoding='utf-8', *, limit=None)"
)]
pub(crate) fn check(
    data_or_path: &Bound<'_, PyAny>,
    encoding: Option<&Bound<'_, PyAny>>,
    limit: Option<isize>,
) -> PyResult<Vec<Finding>> {
    let py = data_or_path.py();
    let limit = count(limit, "limit")?;
    let mut checker = checker(names::encoding(encoding)?);
    let mut found = Vec::new();
    let take = |found: &mut Vec<Finding>, finding: &engine::diagnose::Finding| {
        if found.len() < limit {
            found.push(Finding::from(finding));
        }
    };
    Input::of(data_or_path)?.read(py, |piece| {
        checker.feed(piece, |finding| take(&mut found, finding));
        if found.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    checker.finish(|finding| take(&mut found, finding));
    Ok(found)
}

/// A number of things that an argument asks for. `None` is no limit.
pub(crate) fn count(value: Option<isize>, what: &str) -> PyResult<usize> {
    match value.map(usize::try_from) {
        None => Ok(usize::MAX),
        Some(Ok(count)) => Ok(count),
        Some(Err(_)) => Err(PyValueError::new_err(format!("'{what}' must not be negative"))),
    }
}

/// True if `data` is well-formed UTF-8.
///
/// >>> utfkit.is_utf8(b"caf\xc3\xa9"), utfkit.is_utf8(b"caf\xe9")
/// (True, False)
#[pyfunction]
pub(crate) fn is_utf8(data: &Bound<'_, PyAny>) -> PyResult<bool> {
    let data = bytes_of(data)?;
    let bytes = data.as_bytes();
    Ok(apart(data.py(), bytes.len(), || engine::from_utf8(bytes).is_ok()))
}

/// Iterates over the ill-formed sequences of bytes or of a file. It reads no further than it has to.
///
/// >>> next(utfkit.errors(b"a\xffb")).offset
/// 1
#[pyfunction]
#[pyo3(signature = (data_or_path, encoding=None), text_signature = "(data_or_path, encoding='utf-8')")]
pub(crate) fn errors(data_or_path: &Bound<'_, PyAny>, encoding: Option<&Bound<'_, PyAny>>) -> PyResult<Findings> {
    let checker = checker(names::encoding(encoding)?);
    let reading = Reading::of(data_or_path.py(), Input::of(data_or_path)?)?;
    Ok(Findings { reading, checker, is_done: false, found: VecDeque::new() })
}

/// The iterator of `errors`.
#[pyclass(module = "utfkit")]
pub(crate) struct Findings {
    reading: Reading,
    checker: Checker,
    is_done: bool,
    found: VecDeque<Finding>,
}

#[pymethods]
impl Findings {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Finding>> {
        let Findings { reading, checker, is_done, found } = self;
        while found.is_empty() && !*is_done {
            let mut take = |finding: &engine::diagnose::Finding| found.push_back(Finding::from(finding));
            let next = reading.next(py, |piece| {
                checker.feed(piece, &mut take);
                ControlFlow::Continue(())
            })?;
            if next.is_break() {
                checker.finish(take);
                *is_done = true;
            }
        }
        Ok(found.pop_front())
    }
}
