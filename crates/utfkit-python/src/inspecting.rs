//! A text, piece by piece.

use engine::Standard;
use engine::diagnose::{Content, Pieces};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use crate::names;
use crate::objects::{code_point, hex, reduced, shown};
use crate::source::bytes_of;
use crate::unicode::string_of_values;

/// One piece of a text: a character, an ill-formed sequence, a BOM or a state change.
///
/// `kind` is 'character', 'ill-formed', 'bom' or 'state-change'. `message` is the reason of an
/// ill-formed sequence, or the encoding of a BOM.
#[pyclass(frozen, eq, hash, module = "utfkit")]
#[derive(PartialEq, Hash)]
pub(crate) struct Piece {
    #[pyo3(get)]
    offset: usize,
    bytes: Vec<u8>,
    #[pyo3(get)]
    kind: String,
    /// The code point of a character, or the one that an ill-formed sequence spells.
    #[pyo3(get)]
    code_point: Option<u32>,
    #[pyo3(get)]
    message: Option<String>,
}

#[pymethods]
impl Piece {
    /// Makes a piece from its attributes, for pickle.
    #[new]
    #[pyo3(signature = (*, offset, bytes, kind, code_point, message))]
    fn new(offset: usize, bytes: Vec<u8>, kind: String, code_point: Option<u32>, message: Option<String>) -> Piece {
        Piece { offset, bytes, kind, code_point, message }
    }

    #[getter]
    fn bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.bytes)
    }

    /// The character, or `None` for other kinds.
    #[getter]
    fn char<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        match self.code_point {
            Some(value) if self.kind == "character" && value <= 0x10_FFFF => {
                string_of_values(py, vec![value]).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The name of the character in `unicodedata`, if it has one.
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(char) = self.char(py)? else { return Ok(None) };
        let name = py.import("unicodedata")?.call_method1("name", (char, py.None()))?;
        Ok((!name.is_none()).then_some(name))
    }

    /// The attributes as a dictionary that JSON can hold: `bytes` is 'c0af', `code_point` 'U+002F'.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = self.attributes(py)?;
        dict.set_item("bytes", hex(&self.bytes))?;
        dict.set_item("code_point", self.code_point.map(code_point))?;
        dict.set_item("char", self.char(py)?)?;
        dict.set_item("name", self.name(py)?)?;
        Ok(dict)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut words = format!("<Piece byte {}: {}", self.offset, shown(&self.bytes));
        match (&self.message, self.code_point) {
            (Some(message), _) => words += &format!(": {}: {message}", self.kind),
            (None, Some(value)) => words += &format!(": {}", code_point(value)),
            (None, None) => words += &format!(": {}", self.kind),
        }
        if let Some(name) = self.name(py)? {
            words += &format!(" {name}");
        }
        Ok(words + ">")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        reduced(slf.get_type(), &slf.get().attributes(slf.py())?)
    }
}

impl Piece {
    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("offset", self.offset)?;
        dict.set_item("bytes", self.bytes(py))?;
        dict.set_item("kind", &self.kind)?;
        dict.set_item("code_point", self.code_point)?;
        dict.set_item("message", &self.message)?;
        Ok(dict)
    }
}

/// The iterator of `inspect`.
#[pyclass(module = "utfkit")]
pub(crate) struct Inspection {
    data: Py<PyBytes>,
    pieces: Pieces,
    at: usize,
}

#[pymethods]
impl Inspection {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> Option<Piece> {
        let rest = self.data.bind(py).as_bytes().get(self.at..)?;
        let window = &rest[..rest.len().min(Pieces::LOOK_AHEAD)];
        let piece = self.pieces.read(window, window.len() == rest.len())?;
        let offset = self.at;
        self.at += piece.bytes().len().max(1);
        let (kind, code_point, message) = match piece.content() {
            Content::CodePoint(value) => ("character", Some(value), None),
            Content::Bom(encoding) => ("bom", None, Some(format!("BOM of {encoding}"))),
            Content::StateChange => ("state-change", None, None),
            Content::IllFormed(diagnosis) => ("ill-formed", diagnosis.value(), Some(diagnosis.to_string())),
        };
        Some(Piece { offset, bytes: piece.bytes().to_vec(), kind: kind.to_owned(), code_point, message })
    }
}

/// Iterates over the characters, ill-formed sequences, BOMs and state changes of `data`.
///
/// >>> for piece in utfkit.inspect(b"\xc3\xa9\xff"):
/// ...     print(piece)
/// <Piece byte 0: C3 A9: U+00E9 LATIN SMALL LETTER E WITH ACUTE>
/// <Piece byte 2: FF: ill-formed: FF can stand nowhere in UTF-8: it is neither a lead byte nor a continuation byte (RFC 3629 section 1)>
#[pyfunction]
#[pyo3(signature = (data, encoding=None), text_signature = "(data, encoding='utf-8')")]
pub(crate) fn inspect(data: &Bound<'_, PyAny>, encoding: Option<&Bound<'_, PyAny>>) -> PyResult<Inspection> {
    let pieces = Pieces::new(names::encoding(encoding)?.encoding, Standard::Rfc3629);
    Ok(Inspection { data: bytes_of(data)?.into_owned().unbind(), pieces, at: 0 })
}
