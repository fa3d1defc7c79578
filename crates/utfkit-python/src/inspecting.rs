//! A text, piece by piece.

use engine::Standard;
use engine::diagnose::{Content, Pieces};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use crate::names;
use crate::source::bytes_of;
use crate::unicode::string_of_values;

/// One piece of a text: a character, an ill-formed sequence, a BOM or a state change.
///
/// `kind` is 'character', 'ill-formed', 'bom' or 'state-change'. `message` is the reason of an
/// ill-formed sequence, or the encoding of a BOM.
#[pyclass(frozen, module = "utfkit")]
pub(crate) struct Piece {
    #[pyo3(get)]
    offset: usize,
    #[pyo3(get)]
    bytes: Py<PyBytes>,
    #[pyo3(get)]
    kind: &'static str,
    /// The code point of a character, or the one that an ill-formed sequence spells.
    #[pyo3(get)]
    code_point: Option<u32>,
    #[pyo3(get)]
    message: Option<String>,
}

#[pymethods]
impl Piece {
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

    /// The attributes as a dictionary that JSON can hold: `bytes` is in hexadecimal.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("offset", self.offset)?;
        dict.set_item("bytes", self.hex(py))?;
        dict.set_item("kind", self.kind)?;
        dict.set_item("code_point", self.code_point)?;
        dict.set_item("char", self.char(py)?)?;
        dict.set_item("name", self.name(py)?)?;
        dict.set_item("message", &self.message)?;
        Ok(dict)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut words = format!("<Piece byte {}: {}", self.offset, self.hex(py));
        match (&self.message, self.code_point) {
            (Some(message), _) => words += &format!(": {}: {message}", self.kind),
            (None, Some(value)) => words += &format!(": U+{value:04X}"),
            (None, None) => words += &format!(": {}", self.kind),
        }
        if let Some(name) = self.name(py)? {
            words += &format!(" {name}");
        }
        Ok(words + ">")
    }
}

impl Piece {
    fn hex(&self, py: Python<'_>) -> String {
        let bytes: Vec<String> = self.bytes.bind(py).as_bytes().iter().map(|byte| format!("{byte:02X}")).collect();
        bytes.join(" ")
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
            Content::IllFormed(diagnosis) => ("ill-formed", diagnosis.code_point(), Some(diagnosis.to_string())),
        };
        Some(Piece { offset, bytes: PyBytes::new(py, piece.bytes()).unbind(), kind, code_point, message })
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
