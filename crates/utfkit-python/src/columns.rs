//! Functions on columns, which come and go by the Arrow PyCapsule interface: pyarrow, Polars, DuckDB
//! and pandas have it, so this crate depends on none of them.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, LargeStringArray, StringArray, StringViewArray, new_empty_array};
use arrow_schema::{ArrowError, DataType, Field, FieldRef};
use engine::Practice;
use pyo3::exceptions::{PyLookupError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use utfkit_arrow::{Cleaning, CleaningFallback, Decoding};

use crate::import::{self, Chunks};
use crate::{export, names};

/// A column that other libraries take without a copy: `pyarrow.array(column)`,
/// `polars.Series(column)`.
///
/// >>> import pyarrow
/// >>> pyarrow.array(utfkit.arrow.is_valid_utf8(pyarrow.array([b"caf\xe9", None]))).to_pylist()
/// [False, None]
#[pyclass(frozen, module = "utfkit.arrow")]
pub(crate) struct Column {
    array: ArrayRef,
    field: FieldRef,
}

/// A column in the chunks of the argument: `pyarrow.chunked_array(column)`,
/// `polars.Series(column)`.
#[pyclass(frozen, module = "utfkit.arrow")]
pub(crate) struct ChunkedColumn {
    chunks: Vec<ArrayRef>,
    field: FieldRef,
}

impl Column {
    pub(crate) fn of(array: ArrayRef) -> Column {
        let field = Arc::new(Field::new("", array.data_type().clone(), true));
        Column { array, field }
    }
}

#[pymethods]
impl Column {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        slf: &Bound<'py, Self>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Some(cast) = export::cast(slf.as_any(), "array", "__arrow_c_array__", requested_schema.as_ref()) {
            return Ok(cast);
        }
        let this = slf.get();
        Ok(export::array(slf.py(), &this.field, &this.array)?.into_any())
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        export::schema(py, &self.field)
    }

    fn __len__(&self) -> usize {
        self.array.len()
    }

    fn __repr__(&self) -> String {
        format!("<utfkit.arrow.Column: {} rows of {}>", self.array.len(), self.array.data_type())
    }
}

#[pymethods]
impl ChunkedColumn {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        slf: &Bound<'py, Self>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Some(cast) = export::cast(slf.as_any(), "chunked_array", "__arrow_c_stream__", requested_schema.as_ref())
        {
            return Ok(cast);
        }
        let this = slf.get();
        Ok(export::stream(slf.py(), this.field.clone(), this.chunks.clone())?.into_any())
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        export::schema(py, &self.field)
    }

    fn __len__(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    fn __repr__(&self) -> String {
        let (rows, chunks) = (self.__len__(), self.chunks.len());
        format!("<utfkit.arrow.ChunkedColumn: {rows} rows of {} in {chunks} pieces>", self.field.data_type())
    }
}

pub(crate) fn error(error: ArrowError) -> PyErr {
    match error {
        ArrowError::OffsetOverflowError(len) => {
            PyOverflowError::new_err(format!("{len} bytes are more than the offsets of this type can count"))
        }
        ArrowError::InvalidArgumentError(text) => PyValueError::new_err(text),
        ArrowError::CastError(text) => PyTypeError::new_err(text),
        other => PyValueError::new_err(other.to_string()),
    }
}

/// True for the type by which Polars exports objects of Python: their addresses. It has no bytes of a fixed size.
fn has_pointers(data_type: &DataType) -> bool {
    match data_type {
        DataType::FixedSizeBinary(_) => true,
        DataType::Struct(fields) => fields.iter().any(|field| has_pointers(field.data_type())),
        _ => false,
    }
}

/// The extension types of Arrow whose bytes are not text. `arrow.opaque` over strings is text: some databases export
/// numbers and addresses so.
const NOT_TEXT: [&str; 5] = ["arrow.uuid", "arrow.opaque", "arrow.parquet.variant", "geoarrow.wkb", "ogc.wkb"];

/// The first field, of this one and those in it, with an extension type of [`NOT_TEXT`].
fn not_text(field: &Field) -> Option<&Field> {
    use DataType::*;
    let is_text = matches!(field.data_type(), Utf8 | LargeUtf8 | Utf8View);
    if !is_text && field.extension_type_name().is_some_and(|name| NOT_TEXT.contains(&name)) {
        return Some(field);
    }
    match field.data_type() {
        List(values) | LargeList(values) | FixedSizeList(values, _) | RunEndEncoded(_, values) => not_text(values),
        Struct(fields) => fields.iter().find_map(|field| not_text(field)),
        _ => None,
    }
}

/// Applies `kernel` to each chunk of a column, without the interpreter.
fn mapped(
    column: &Bound<'_, PyAny>,
    kernel: impl Fn(&dyn Array) -> Result<ArrayRef, ArrowError> + Sync,
) -> PyResult<Py<PyAny>> {
    let py = column.py();
    let is_a_column = |name: &str| column.hasattr(name);
    if !is_a_column("__arrow_c_array__")? && !is_a_column("__arrow_c_stream__")? {
        let found = column.get_type().name()?;
        return Err(PyTypeError::new_err(format!("a column of Arrow is needed, not {found}")));
    }
    let kernel = |array: &dyn Array| utfkit_arrow::by_leaves(array, &kernel);
    let given = import::column(column)?;
    if let Some(field) = not_text(&given.field) {
        // With the metadata of the type, as `{"type_name": "bit", "vendor_name": "DuckDB"}`.
        let parts = [field.extension_type_name(), field.extension_type_metadata()].map(Option::unwrap_or_default);
        let found = parts.join(" ");
        return Err(PyTypeError::new_err(format!(
            "a column of bytes or strings is needed, not of {}",
            found.trim_end()
        )));
    }
    let given_type = given.field.data_type();
    if has_pointers(given_type) && column.get_type().module()?.to_cow()?.starts_with("polars") {
        return Err(PyTypeError::new_err("a column of bytes or strings is needed, not of Object"));
    }
    match given.chunks {
        Chunks::One(array) => {
            let array = py.detach(|| kernel(&array)).map_err(error)?;
            Ok(Py::new(py, Column::of(array))?.into_any())
        }
        Chunks::Stream(stream) => {
            let chunks = py.detach(|| stream.map(|chunk| kernel(&chunk?)).collect::<Result<Vec<_>, _>>());
            let chunks = chunks.map_err(error)?;
            let first = match chunks.first() {
                Some(chunk) => chunk.clone(),
                None => kernel(&new_empty_array(given_type)).map_err(error)?,
            };
            let field = Column::of(first).field;
            Ok(Py::new(py, ChunkedColumn { chunks, field })?.into_any())
        }
    }
}

/// True for each row that is UTF-8.
///
/// >>> import pyarrow
/// >>> pyarrow.array(utfkit.arrow.is_valid_utf8(pyarrow.array([b"tea", b"\xff"]))).to_pylist()
/// [True, False]
#[pyfunction]
pub(crate) fn is_valid_utf8(column: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    mapped(column, |array| Ok(Arc::new(utfkit_arrow::is_valid_utf8(array)?)))
}

/// Each row as text, with U+FFFD for ill-formed sequences: one for each 'maximal-subpart', as
/// browsers and Python have it, 'per-unit' or 'per-sequence'.
///
/// >>> import pyarrow
/// >>> pyarrow.array(utfkit.arrow.make_valid_utf8(pyarrow.array([b"caf\xe9"]))).to_pylist()
/// ['caf\ufffd']
#[pyfunction]
#[pyo3(signature = (column, practice="maximal-subpart"))]
pub(crate) fn make_valid_utf8(column: &Bound<'_, PyAny>, practice: &str) -> PyResult<Py<PyAny>> {
    let practice = match practice {
        "maximal-subpart" => Practice::MaximalSubpart,
        "per-unit" | "per-byte" => Practice::PerUnit,
        "per-sequence" => Practice::PerSequence,
        other => {
            let known = "'maximal-subpart', 'per-unit' and 'per-sequence'";
            return Err(PyValueError::new_err(format!("practice {other:?} is unknown: there are {known}")));
        }
    };
    mapped(column, |array| utfkit_arrow::make_valid_utf8(array, practice))
}

/// Each row that is UTF-8 as text, and None for the others.
///
/// >>> import pyarrow
/// >>> pyarrow.array(utfkit.arrow.try_validate_utf8(pyarrow.array([b"tea", b"\xff"]))).to_pylist()
/// ['tea', None]
#[pyfunction]
pub(crate) fn try_validate_utf8(column: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    mapped(column, utfkit_arrow::try_validate_utf8)
}

/// The rows as text. A ValueError with row, offset and kind of the first error if one is not UTF-8.
///
/// >>> import pyarrow
/// >>> utfkit.arrow.validate_utf8(pyarrow.array([b"tea", b"caf\xe9"]))
/// Traceback (most recent call last):
/// ValueError: row 1: truncated sequence at offset 3
#[pyfunction]
pub(crate) fn validate_utf8(column: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    mapped(column, utfkit_arrow::validate_utf8)
}

/// The first error of each row, as a struct of offset, length and kind, or None.
///
/// >>> import pyarrow
/// >>> pyarrow.array(utfkit.arrow.first_error(pyarrow.array([b"tea", b"caf\xe9"]))).to_pylist()
/// [None, {'offset': 3, 'length': 1, 'kind': 'truncated'}]
#[pyfunction]
pub(crate) fn first_error(column: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    mapped(column, |array| Ok(Arc::new(utfkit_arrow::first_error(array)?)))
}

/// All errors of each row, as a list of structs.
///
/// >>> import pyarrow
/// >>> pyarrow.array(utfkit.arrow.errors(pyarrow.array([b"tea", b"caf\xe9"]))).to_pylist()
/// [[], [{'offset': 3, 'length': 1, 'kind': 'truncated'}]]
#[pyfunction]
pub(crate) fn errors(column: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    mapped(column, |array| Ok(Arc::new(utfkit_arrow::errors(array)?)))
}

/// All findings of each row, as a list of structs with the keys of `utfkit check --format jsonl`.
///
/// >>> import pyarrow
/// >>> [[], [found]] = pyarrow.array(utfkit.arrow.findings(pyarrow.array([b"tea", b"one\ntwo \xc0\xaf"]))).to_pylist()
/// >>> found["line"], found["column"], found["kind"], found["code_point"]
/// (2, 5, 'overlong', 'U+002F')
#[pyfunction]
pub(crate) fn findings(column: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    mapped(column, |array| Ok(Arc::new(utfkit_arrow::findings(array)?)))
}

/// Each row repaired as by `utfkit.repair`.
///
/// >>> import pyarrow
/// >>> raw = pyarrow.array([b"caf\xe9", "cr\u00e8me".encode()])
/// >>> pyarrow.array(utfkit.arrow.repair(raw, fallback="windows-1252")).to_pylist()
/// ['café', 'crème']
#[pyfunction]
#[pyo3(signature = (column, *, fallback=None, reinterpret=false, undouble=false))]
pub(crate) fn repair(
    column: &Bound<'_, PyAny>,
    fallback: Option<&Bound<'_, PyAny>>,
    reinterpret: bool,
    undouble: bool,
) -> PyResult<Py<PyAny>> {
    let options = crate::repairing::options(fallback, reinterpret, undouble)?;
    mapped(column, |array| utfkit_arrow::repair(array, &options))
}

/// Each row decoded, with 'auto' in the encoding that is detected for that row; a row that is not
/// text, as an image, becomes None.
///
/// >>> import pyarrow
/// >>> pyarrow.array(utfkit.arrow.decode(pyarrow.array([b"caf\xe9"]), "latin-1")).to_pylist()
/// ['café']
#[pyfunction]
pub(crate) fn decode(column: &Bound<'_, PyAny>, encoding: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    let name = names::string(encoding, "encoding")?;
    if name.to_string_lossy().eq_ignore_ascii_case("auto") {
        return mapped(column, |array| utfkit_arrow::decode(array, Decoding::Detected));
    }
    let named = names::encoding(Some(encoding))?;
    mapped(column, |array| {
        let made = utfkit_arrow::decode(array, Decoding::As(named.encoding))?;
        Ok(if named.with_bom { without_bom(made) } else { made })
    })
}

/// A column of text without the BOM at the front of each row.
fn without_bom(made: ArrayRef) -> ArrayRef {
    fn rest(row: Option<&str>) -> Option<&str> {
        row.map(|row| row.strip_prefix('\u{FEFF}').unwrap_or(row))
    }
    match made.data_type() {
        DataType::Utf8 => Arc::new(made.as_string::<i32>().iter().map(rest).collect::<StringArray>()),
        DataType::LargeUtf8 => Arc::new(made.as_string::<i64>().iter().map(rest).collect::<LargeStringArray>()),
        DataType::Utf8View => Arc::new(made.as_string_view().iter().map(rest).collect::<StringViewArray>()),
        _ => made,
    }
}

/// The encoding detected for each row, as a struct of encoding and certainty.
///
/// >>> import pyarrow
/// >>> pyarrow.array(utfkit.arrow.detect(pyarrow.array(["naïve".encode()]))).to_pylist()[0]["encoding"]
/// 'UTF-8'
#[pyfunction]
pub(crate) fn detect(column: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    mapped(column, |array| Ok(Arc::new(utfkit_arrow::detect(array)?)))
}

/// UTF-8 of each row in one pass, with what was done: a struct of text, encoding, certainty, damage (the number of
/// ill-formed sequences), in_fallback, undoubled, controls. The text of a row in no known encoding is None.
///
/// `reason` says why a row does not meet the bounds: an encoding that is less sure than `at_least`, with
/// `errors='strict'` damage of any kind, and else more ill-formed sequences than the share `most_damage` of its
/// characters. They become U+FFFD, or nothing with `errors='ignore'`. `fallback` is an encoding for bytes that are
/// not UTF-8 in rows that mostly are, or 'auto'. `controls` is 'keep' or 'remove'.
///
/// >>> import pyarrow
/// >>> [row] = pyarrow.array(utfkit.arrow.clean(pyarrow.array([b"caf\xe9 \x80 12"]), "windows-1252")).to_pylist()
/// >>> row["text"], row["encoding"], row["damage"]
/// ('café € 12', 'windows-1252', 0)
#[pyfunction]
#[pyo3(signature = (column, encoding="auto", errors="replace", *, at_least="a guess", most_damage=None, fallback=None, undouble=false, controls="keep", only=None, not_=None, language=None))]
#[expect(clippy::too_many_arguments, reason = "they are options")]
pub(crate) fn clean(
    column: &Bound<'_, PyAny>,
    encoding: &str,
    errors: &str,
    at_least: &str,
    most_damage: Option<f64>,
    fallback: Option<&Bound<'_, PyAny>>,
    undouble: bool,
    controls: &str,
    only: Option<&Bound<'_, PyAny>>,
    not_: Option<&Bound<'_, PyAny>>,
    language: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<PyAny>> {
    let is_auto = encoding.eq_ignore_ascii_case("auto");
    if !is_auto && (only.is_some() || not_.is_some() || language.is_some()) {
        return Err(PyValueError::new_err("only, not_ and language are for encoding='auto'"));
    }
    let named = match is_auto {
        true => None,
        false => Some(
            names::find(encoding)
                .ok_or_else(|| PyLookupError::new_err(format!("unknown encoding: {encoding}")))?
                .encoding,
        ),
    };
    let fallback = match fallback {
        None => CleaningFallback::Nothing,
        Some(name) if name.extract::<String>().is_ok_and(|name| name.eq_ignore_ascii_case("auto")) => {
            CleaningFallback::Detected
        }
        Some(name) => CleaningFallback::As(Box::new(crate::repairing::fallback_of(name)?)),
    };
    let removes_controls = match controls {
        "keep" => false,
        "remove" => true,
        other => return Err(PyValueError::new_err(format!("controls is 'keep' or 'remove', not {other:?}"))),
    };
    let known = crate::detecting::options(only, not_, language)?;
    let most_damage = match errors {
        "strict" => Some(0.0),
        "replace" | "ignore" => most_damage,
        other => {
            let known = "'strict', 'replace' and 'ignore'";
            return Err(PyLookupError::new_err(format!("unknown error handler {other:?}: rows have {known}")));
        }
    };
    if most_damage.is_some_and(|most| !(0.0..=1.0).contains(&most)) {
        return Err(PyValueError::new_err("most_damage is a share between 0 and 1"));
    }
    let cleaning = Cleaning {
        encoding: named,
        known,
        fallback,
        undouble,
        removes_controls,
        at_least: crate::reading::certainty(at_least)?,
        most_damage,
        drops_damage: errors == "ignore",
    };
    mapped(column, |array| Ok(Arc::new(utfkit_arrow::clean(array, &cleaning)?)))
}

/// Each row with double encoding undone.
///
/// >>> import pyarrow
/// >>> pyarrow.array(utfkit.arrow.undouble(pyarrow.array(["Ã©tÃ© Ã©crit"]))).to_pylist()
/// ['été écrit']
#[pyfunction]
pub(crate) fn undouble(column: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    mapped(column, utfkit_arrow::undouble)
}

/// The number of code points of each row. An ill-formed sequence counts as make_valid_utf8 writes it.
///
/// >>> import pyarrow
/// >>> pyarrow.array(utfkit.arrow.code_points(pyarrow.array(["café".encode(), b"caf\xe9"]))).to_pylist()
/// [4, 4]
#[pyfunction]
pub(crate) fn code_points(column: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    mapped(column, |array| Ok(Arc::new(utfkit_arrow::code_points(array)?)))
}
