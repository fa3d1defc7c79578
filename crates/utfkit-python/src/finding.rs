//! Findings: ill-formed sequences with their places and reasons.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use engine::Standard;
use engine::diagnose::Checker;
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use crate::names::{self, Named};
use crate::source::bytes_of;
use crate::unicode::apart;

/// An ill-formed sequence, its place and the reason.
///
/// `offset` counts bytes from 0, `line` and `column` count from 1, columns in code points.
///
/// >>> [finding] = utfkit.check(b"caf\xe9 au lait")
/// >>> finding.offset, finding.line, finding.column, finding.kind
/// (3, 1, 4, 'missing-continuation')
#[pyclass(frozen, module = "utfkit", weakref)]
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Finding {
    #[pyo3(get)]
    offset: u64,
    #[pyo3(get)]
    length: u64,
    #[pyo3(get)]
    line: u64,
    #[pyo3(get)]
    column: u64,
    #[pyo3(get)]
    kind: String,
    bytes: Vec<u8>,
    #[pyo3(get)]
    message: String,
    /// The code point that the sequence spells, if any.
    #[pyo3(get)]
    code_point: Option<u32>,
}

impl From<&engine::diagnose::Finding> for Finding {
    fn from(finding: &engine::diagnose::Finding) -> Finding {
        Finding {
            offset: finding.offset(),
            length: finding.bytes().len() as u64,
            line: finding.line(),
            column: finding.column(),
            kind: finding.kind().name().to_owned(),
            bytes: finding.bytes().to_vec(),
            message: finding.diagnosis().to_string(),
            code_point: finding.diagnosis().code_point(),
        }
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
        Finding { offset, length, line, column, kind, bytes, message, code_point }
    }

    /// The bytes of the sequence.
    #[getter]
    fn bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.bytes)
    }

    /// The attributes as a dictionary that JSON can hold: `bytes` is in hexadecimal.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = self.fields(py)?;
        dict.set_item("bytes", self.hex())?;
        Ok(dict)
    }

    fn __str__(&self) -> String {
        let Finding { offset, line, column, kind, message, .. } = self;
        format!("{line}:{column}: byte {offset}: {}: {kind}: {message}", self.hex())
    }

    fn __repr__(&self) -> String {
        format!("<Finding {}>", self.__str__())
    }

    fn __richcmp__(&self, py: Python<'_>, other: &Finding, op: CompareOp) -> Py<PyAny> {
        let result = match op {
            CompareOp::Eq => self == other,
            CompareOp::Ne => self != other,
            _ => return py.NotImplemented(),
        };
        pyo3::types::PyBool::new(py, result).to_owned().into_any().unbind()
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let partial = py.import("functools")?.getattr("partial")?;
        let make = partial.call((slf.get_type(),), Some(&slf.get().fields(py)?))?;
        (make, PyTuple::empty(py)).into_pyobject(py)
    }
}

impl Finding {
    fn hex(&self) -> String {
        let bytes: Vec<String> = self.bytes.iter().map(|byte| format!("{byte:02X}")).collect();
        bytes.join(" ")
    }

    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("offset", self.offset)?;
        dict.set_item("length", self.length)?;
        dict.set_item("line", self.line)?;
        dict.set_item("column", self.column)?;
        dict.set_item("kind", &self.kind)?;
        dict.set_item("bytes", PyBytes::new(py, &self.bytes))?;
        dict.set_item("message", &self.message)?;
        dict.set_item("code_point", self.code_point)?;
        Ok(dict)
    }
}

/// Bytes, or the path of a file.
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

    /// Passes all bytes to `take`, in pieces, without the interpreter.
    pub(crate) fn read(&self, py: Python<'py>, mut take: impl FnMut(&[u8]) + Send) -> PyResult<()> {
        match self {
            Input::Bytes(bytes) => {
                for piece in bytes.as_bytes().chunks(PIECE) {
                    py.check_signals()?;
                    apart(py, piece.len(), || take(piece));
                }
                Ok(())
            }
            Input::File(path) => loop_over(py, &mut File::open(path).map_err(|error| named(error, path))?, take),
        }
    }
}

/// Python's exception for an I/O error, with the path.
pub(crate) fn named(error: std::io::Error, path: &std::path::Path) -> PyErr {
    match error.raw_os_error() {
        Some(number) => {
            let words = error.to_string();
            let words = words.split(" (os error").next().unwrap_or_default().to_owned();
            pyo3::exceptions::PyOSError::new_err((number, words, path.to_path_buf()))
        }
        // A NUL in the path, for example.
        None if error.kind() == std::io::ErrorKind::InvalidInput => {
            pyo3::exceptions::PyValueError::new_err(error.to_string())
        }
        None => error.into(),
    }
}

/// The bytes that are read at once, between two checks for signals.
const PIECE: usize = 1 << 20;

fn loop_over(py: Python<'_>, file: &mut File, mut take: impl FnMut(&[u8]) + Send) -> PyResult<()> {
    let mut piece = vec![0; PIECE];
    loop {
        py.check_signals()?;
        let read = py.detach(|| {
            let read = file.read(&mut piece)?;
            take(&piece[..read]);
            std::io::Result::Ok(read)
        })?;
        if read == 0 {
            return Ok(());
        }
    }
}

/// A checker for an encoding. It needs no `with_bom`: a BOM of UTF-8 is well-formed.
fn checker(named: Named) -> Checker {
    Checker::new(named.encoding, Standard::Rfc3629)
}

/// Returns every ill-formed sequence of bytes or of a file.
///
/// >>> for finding in utfkit.check(b"a\xc0\xafb"):
/// ...     print(finding)
/// 1:2: byte 1: C0 AF: overlong: two-byte form of U+002F "/", which must be 2F (RFC 3629 section 3)
#[pyfunction]
#[pyo3(signature = (data_or_path, encoding=None), text_signature = "(data_or_path, encoding='utf-8')")]
pub(crate) fn check(data_or_path: &Bound<'_, PyAny>, encoding: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Finding>> {
    let py = data_or_path.py();
    let mut checker = checker(names::encoding(encoding)?);
    let mut found = Vec::new();
    Input::of(data_or_path)?.read(py, |piece| checker.feed(piece, |finding| found.push(Finding::from(finding))))?;
    checker.finish(|finding| found.push(Finding::from(finding)));
    Ok(found)
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

/// Iterates over the ill-formed sequences of `data`. It reads no further than it has to.
///
/// >>> next(utfkit.errors(b"a\xffb")).offset
/// 1
#[pyfunction]
#[pyo3(signature = (data, encoding=None), text_signature = "(data, encoding='utf-8')")]
pub(crate) fn errors(data: &Bound<'_, PyAny>, encoding: Option<&Bound<'_, PyAny>>) -> PyResult<Findings> {
    let checker = checker(names::encoding(encoding)?);
    let data = bytes_of(data)?.into_owned().unbind();
    Ok(Findings { data, checker, at: 0, is_done: false, found: VecDeque::new() })
}

/// The iterator of `errors`.
#[pyclass(module = "utfkit")]
pub(crate) struct Findings {
    data: Py<PyBytes>,
    checker: Checker,
    at: usize,
    is_done: bool,
    found: VecDeque<Finding>,
}

#[pymethods]
impl Findings {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> Option<Finding> {
        let Findings { data, checker, at, is_done, found } = self;
        while found.is_empty() && !*is_done {
            let rest = data.bind(py).as_bytes().get(*at..).unwrap_or_default();
            let piece = &rest[..rest.len().min(PIECE >> 4)];
            *at += piece.len();
            let take = |finding: &engine::diagnose::Finding| found.push_back(Finding::from(finding));
            match piece.is_empty() {
                false => apart(py, piece.len(), || checker.feed(piece, take)),
                true => {
                    checker.finish(take);
                    *is_done = true;
                }
            }
        }
        found.pop_front()
    }
}
