//! Repair of ill-formed text and of text that was encoded twice.

use std::hash::{DefaultHasher, Hash, Hasher};

use engine::repair::{Fallback, Options, Repairer, Stretch, Survey};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use crate::names;
use crate::objects::{hex, reduced, shown};
use crate::source::bytes_of;
use crate::unicode::{Text, apart, string_of_latin1, string_of_values};
use crate::{decoding, encoding};

/// One change of a repair.
///
/// `offset` is its place in the source, in bytes. `kind` is 'replaced', 'fallback', 'reinterpreted'
/// or 'undoubled'. `count` is the number of sequences that it combines.
#[pyclass(frozen, eq, hash, module = "utfkit")]
#[derive(PartialEq, Hash)]
pub(crate) struct Change {
    #[pyo3(get)]
    offset: u64,
    #[pyo3(get)]
    kind: String,
    before: Vec<u8>,
    #[pyo3(get)]
    after: String,
    #[pyo3(get)]
    count: u64,
}

#[pymethods]
impl Change {
    /// Makes a change from its attributes, for pickle.
    #[new]
    #[pyo3(signature = (*, offset, kind, before, after, count))]
    fn new(offset: u64, kind: String, before: Vec<u8>, after: String, count: u64) -> Change {
        Change { offset, kind, before, after, count }
    }

    #[getter]
    fn before<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.before)
    }

    /// The attributes as a dictionary that JSON can hold: `before` is in hexadecimal.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = self.attributes(py)?;
        dict.set_item("before", hex(&self.before))?;
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        format!("<Change byte {}: {}: {} -> {:?}>", self.offset, self.kind, shown(&self.before), self.after)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        reduced(slf.get_type(), &slf.get().attributes(slf.py())?)
    }
}

impl Change {
    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("offset", self.offset)?;
        dict.set_item("kind", &self.kind)?;
        dict.set_item("before", self.before(py))?;
        dict.set_item("after", &self.after)?;
        dict.set_item("count", self.count)?;
        Ok(dict)
    }
}

/// The result of `repair`: the text, as `text` and as `bytes`, and the changes.
#[pyclass(frozen, module = "utfkit")]
pub(crate) struct Repair {
    #[pyo3(get)]
    bytes: Py<PyBytes>,
    changes: Vec<Py<Change>>,
}

#[pymethods]
impl Repair {
    /// Makes a result from its attributes, for pickle.
    #[new]
    #[pyo3(signature = (*, bytes, changes))]
    fn new(bytes: Py<PyBytes>, changes: Vec<Py<Change>>) -> Repair {
        Repair { bytes, changes }
    }

    /// The repaired text.
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        decoding::decode(self.bytes.bind(py), names::Named::UTF_8, names::Errors::Replace)
    }

    /// The changes, in the order of the source.
    #[getter]
    fn changes(&self, py: Python<'_>) -> Vec<Py<Change>> {
        self.changes.iter().map(|change| change.clone_ref(py)).collect()
    }

    /// True if there are changes.
    #[getter]
    fn is_changed(&self) -> bool {
        !self.changes.is_empty()
    }

    fn __str__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        self.text(py)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let changes = self.changes.len();
        let bytes = self.bytes.bind(py).as_bytes().len();
        format!("<Repair {changes} {}, {bytes} bytes>", if changes == 1 { "change" } else { "changes" })
    }

    fn __eq__(&self, py: Python<'_>, other: &Repair) -> bool {
        let changes = |repair: &Repair| repair.changes.len();
        self.bytes.bind(py).as_bytes() == other.bytes.bind(py).as_bytes()
            && changes(self) == changes(other)
            && self.changes.iter().zip(&other.changes).all(|(one, two)| one.get() == two.get())
    }

    fn __hash__(&self, py: Python<'_>) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.bytes.bind(py).as_bytes().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, repair) = (slf.py(), slf.get());
        let attributes = PyDict::new(py);
        attributes.set_item("bytes", &repair.bytes)?;
        attributes.set_item("changes", repair.changes(py))?;
        reduced(slf.get_type(), &attributes)
    }
}

/// The source is repaired in pieces of this size, between two checks for signals.
const PIECE: usize = 1 << 20;

/// Returns the repaired text and the changes.
fn repaired(py: Python<'_>, src: &[u8], options: &Options) -> PyResult<(Vec<u8>, Vec<Change>)> {
    let mut repairer = Repairer::new(options.clone());
    if options.wants_evidence() {
        let mut survey = Survey::new(options);
        for piece in src.chunks(PIECE) {
            py.check_signals()?;
            apart(py, piece.len(), || survey.feed(piece));
        }
        repairer = repairer.with_evidence(survey.finish());
    }
    let (mut out, mut changes) = (Vec::with_capacity(src.len()), Vec::new());
    let mut take = |stretch: Stretch<'_>| {
        out.extend_from_slice(stretch.text());
        if let Stretch::Changed(change) = stretch {
            changes.push(Change {
                offset: change.offset,
                kind: change.kind.name().to_owned(),
                before: change.before.to_vec(),
                after: change.after.to_owned(),
                count: change.count,
            });
        }
    };
    for piece in src.chunks(PIECE) {
        py.check_signals()?;
        apart(py, piece.len(), || repairer.feed(piece, &mut take));
    }
    repairer.finish(&mut take);
    Ok((out, changes))
}

/// The options for the arguments of `repair`.
pub(crate) fn options(fallback: Option<&Bound<'_, PyAny>>, reinterpret: bool, undouble: bool) -> PyResult<Options> {
    let options = Options::new().reinterpret(reinterpret).undouble(undouble);
    Ok(match fallback {
        Some(name) => options.fallback(fallback_of(name)?),
        None => options,
    })
}

/// The fallback that an argument names.
pub(crate) fn fallback_of(name: &Bound<'_, PyAny>) -> PyResult<Fallback> {
    let encoding = names::encoding(Some(names::string(name, "fallback")?))?.encoding;
    Fallback::new(encoding).ok_or_else(|| {
        PyValueError::new_err(format!(
            "{encoding} cannot be a fallback: it is an encoding of Unicode, has states, or is not based on US-ASCII"
        ))
    })
}

/// Makes `data` well-formed UTF-8.
///
/// Ill-formed sequences become U+FFFD, or, with `fallback`, their bytes are read in that encoding,
/// which is based on US-ASCII and has no states. `reinterpret` reads overlong forms and surrogate pairs as the
/// characters that they spell. `undouble` undoes text that was read in another encoding and
/// encoded again.
///
/// >>> utfkit.repair(b"caf\xe9 \xe2\x82\xac", fallback="windows-1252").text
/// 'café €'
#[pyfunction]
#[pyo3(signature = (data, *, fallback=None, reinterpret=false, undouble=false))]
pub(crate) fn repair(
    data: &Bound<'_, PyAny>,
    fallback: Option<&Bound<'_, PyAny>>,
    reinterpret: bool,
    undouble: bool,
) -> PyResult<Repair> {
    let py = data.py();
    let options = options(fallback, reinterpret, undouble)?;
    let data = bytes_of(data)?;
    let bytes = data.as_bytes();
    let (out, changes) = repaired(py, bytes, &options)?;
    let bytes = if changes.is_empty() { data.into_owned() } else { PyBytes::new(py, &out) };
    let changes = changes.into_iter().map(|change| Py::new(py, change)).collect::<PyResult<_>>()?;
    Ok(Repair { bytes: bytes.unbind(), changes })
}

/// Undoes text that was encoded twice, as ftfy's function of this name.
///
/// >>> utfkit.fix_encoding("NicolÃ¡s, itâ€™s")
/// 'Nicolás, it’s'
#[pyfunction]
pub(crate) fn fix_encoding<'py>(text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyString>> {
    let (py, string) = (text.py(), names::string(text, "text")?);
    let options = Options::new().undouble(true);
    let text = Text::of(string)?;
    if let Text::Ascii(_) = text {
        return Ok(string.clone());
    }
    if let Some(bytes) = encoding::to_utf8(py, text)? {
        let src = bytes.as_bytes();
        let fixed = apart(py, src.len(), || match engine::repair::repair(src, &options) {
            std::borrow::Cow::Borrowed(_) => None,
            std::borrow::Cow::Owned(fixed) => Some(fixed),
        });
        return match fixed {
            None => Ok(string.clone()),
            Some(fixed) => {
                decoding::decode(&PyBytes::new(py, fixed.as_bytes()), names::Named::UTF_8, names::Errors::Replace)
            }
        };
    }
    // Surrogates have no form in UTF-8. The text between them is repaired.
    let mut values = Vec::new();
    let mut part = String::new();
    for value in (0..text.len()).filter_map(|at| text.at(at)) {
        match char::from_u32(value) {
            Some(c) => part.push(c),
            None => {
                values.extend(engine::repair::repair(part.as_bytes(), &options).chars().map(u32::from));
                values.push(value);
                part.clear();
            }
        }
    }
    values.extend(engine::repair::repair(part.as_bytes(), &options).chars().map(u32::from));
    match values.is_empty() {
        true => string_of_latin1(py, b""),
        false => string_of_values(py, values),
    }
}
