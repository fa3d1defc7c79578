//! Repair of ill-formed text and of text that was encoded twice.

use engine::repair::{Fallback, Options, Repairer, Stretch, Survey};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use crate::names;
use crate::source::bytes_of;
use crate::unicode::{Text, apart, string_of_latin1, string_of_values};
use crate::{decoding, encoding};

/// One change of a repair.
///
/// `offset` is its place in the source, in bytes. `kind` is 'replaced', 'fallback', 'reinterpreted'
/// or 'undoubled'. `count` is the number of sequences that it combines.
#[pyclass(frozen, get_all, module = "utfkit")]
pub(crate) struct Change {
    offset: u64,
    kind: &'static str,
    before: Py<PyBytes>,
    after: String,
    count: u64,
}

#[pymethods]
impl Change {
    /// The attributes as a dictionary that JSON can hold: `before` is in hexadecimal.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("offset", self.offset)?;
        dict.set_item("kind", self.kind)?;
        dict.set_item("before", self.hex(py))?;
        dict.set_item("after", &self.after)?;
        dict.set_item("count", self.count)?;
        Ok(dict)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<Change byte {}: {}: {} -> {:?}>", self.offset, self.kind, self.hex(py), self.after)
    }
}

impl Change {
    fn hex(&self, py: Python<'_>) -> String {
        let bytes: Vec<String> = self.before.bind(py).as_bytes().iter().map(|byte| format!("{byte:02X}")).collect();
        bytes.join(" ")
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
}

/// A change that is not yet an object of Python.
struct Found {
    offset: u64,
    kind: &'static str,
    before: Vec<u8>,
    after: String,
    count: u64,
}

/// Returns the repaired text and the changes.
fn repaired(src: &[u8], options: &Options) -> (Vec<u8>, Vec<Found>) {
    let mut repairer = Repairer::new(options.clone());
    if options.wants_evidence() {
        let mut survey = Survey::new(options);
        survey.feed(src);
        repairer = repairer.with_evidence(survey.finish());
    }
    let (mut out, mut changes) = (Vec::with_capacity(src.len()), Vec::new());
    let mut take = |stretch: Stretch<'_>| {
        out.extend_from_slice(stretch.text());
        if let Stretch::Changed(change) = stretch {
            changes.push(Found {
                offset: change.offset,
                kind: change.kind.name(),
                before: change.before.to_vec(),
                after: change.after.to_owned(),
                count: change.count,
            });
        }
    };
    repairer.feed(src, &mut take);
    repairer.finish(&mut take);
    (out, changes)
}

/// The options for the arguments of `repair`.
pub(crate) fn options(fallback: Option<&Bound<'_, PyAny>>, reinterpret: bool, undouble: bool) -> PyResult<Options> {
    let options = Options::new().reinterpret(reinterpret).undouble(undouble);
    let Some(name) = fallback else { return Ok(options) };
    let encoding = names::encoding(Some(name))?.encoding;
    match Fallback::new(encoding) {
        Some(fallback) => Ok(options.fallback(fallback)),
        None => Err(PyValueError::new_err(format!(
            "{encoding} cannot be a fallback: it is an encoding of Unicode, has states, or is not based on US-ASCII"
        ))),
    }
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
    let (out, changes) = apart(py, bytes.len(), || repaired(bytes, &options));
    let bytes = if changes.is_empty() { data.into_owned() } else { PyBytes::new(py, &out) };
    let changes = changes.into_iter().map(|change| {
        let before = PyBytes::new(py, &change.before).unbind();
        let Found { offset, kind, after, count, .. } = change;
        Py::new(py, Change { offset, kind, before, after, count })
    });
    Ok(Repair { bytes: bytes.unbind(), changes: changes.collect::<PyResult<_>>()? })
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
