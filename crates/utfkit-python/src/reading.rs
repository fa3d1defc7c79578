//! Streams of bytes in any encoding, as UTF-8.

use engine::detect::Certainty;
use engine::io::{Options, ReadError, Utf8Stream};
use engine::{Policy, Practice};
use pyo3::exceptions::{PyLookupError, PyUnicodeDecodeError, PyUnicodeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use crate::detecting::{self, Detection};
use crate::names::{self, Named};
use crate::objects::reduced;
use crate::repairing;
use crate::source::bytes_of;
use crate::unicode::apart;

/// The encoding of a reader's file, and its errors so far.
///
/// `encoding` is `None` while it is unknown. `certainty` is 'certain' for an encoding that was
/// stated. `errors` counts ill-formed sequences, `first_error` is the offset of the first, and
/// `in_fallback` counts the bytes that were read in the fallback.
#[pyclass(frozen, eq, hash, get_all, module = "utfkit")]
#[derive(PartialEq, Hash)]
pub(crate) struct Report {
    encoding: Option<String>,
    certainty: Option<String>,
    reason: Option<String>,
    bom: Option<String>,
    errors: u64,
    first_error: Option<u64>,
    in_fallback: u64,
    bytes: u64,
}

#[pymethods]
impl Report {
    /// Makes a report from its attributes, for pickle.
    #[new]
    #[pyo3(signature = (*, encoding, certainty, reason, bom, errors, first_error, in_fallback, bytes))]
    #[expect(clippy::too_many_arguments, reason = "it has as many attributes")]
    fn new(
        encoding: Option<String>,
        certainty: Option<String>,
        reason: Option<String>,
        bom: Option<String>,
        errors: u64,
        first_error: Option<u64>,
        in_fallback: u64,
        bytes: u64,
    ) -> Report {
        Report { encoding, certainty, reason, bom, errors, first_error, in_fallback, bytes }
    }

    /// The attributes as a dictionary.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("encoding", &self.encoding)?;
        dict.set_item("certainty", &self.certainty)?;
        dict.set_item("reason", &self.reason)?;
        dict.set_item("bom", &self.bom)?;
        dict.set_item("errors", self.errors)?;
        dict.set_item("first_error", self.first_error)?;
        dict.set_item("in_fallback", self.in_fallback)?;
        dict.set_item("bytes", self.bytes)?;
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        let encoding = self.encoding.as_deref().unwrap_or("unknown");
        format!("<Report {encoding}, {} bytes, errors: {}>", self.bytes, self.errors)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        reduced(slf.get_type(), &slf.get().to_dict(slf.py())?)
    }
}

impl From<&engine::io::Report> for Report {
    fn from(report: &engine::io::Report) -> Report {
        Report {
            encoding: report.encoding().map(|encoding| Named { encoding, with_bom: false }.name()),
            certainty: report.certainty().map(|certainty| certainty.name().to_owned()),
            reason: report.detection().map(|found| found.reason().to_string()),
            bom: report.bom().map(|bom| bom.name().to_owned()),
            errors: report.errors(),
            first_error: report.first_error(),
            in_fallback: report.in_fallback(),
            bytes: report.bytes(),
        }
    }
}

/// Bytes in any encoding, which come in chunks, as UTF-8. `utfkit.reader` and `utfkit.open` read by it.
#[pyclass(module = "utfkit")]
pub(crate) struct Stream {
    stream: Utf8Stream,
    name: Option<String>,
}

/// The certainty of this name.
pub(crate) fn certainty(name: &str) -> PyResult<Certainty> {
    [Certainty::Guess, Certainty::Likely, Certainty::NearlyCertain, Certainty::Certain]
        .into_iter()
        .find(|certainty| certainty.name() == name)
        .ok_or_else(|| {
            PyValueError::new_err(format!(
                "at_least is 'a guess', 'likely', 'nearly certain' or 'certain', not {name:?}"
            ))
        })
}

#[pymethods]
impl Stream {
    #[new]
    #[pyo3(signature = (encoding="auto", errors="strict", *, fallback=None, at_least="a guess", only=None, not_=None, language=None, name=None))]
    #[expect(clippy::too_many_arguments, reason = "they are options")]
    fn new(
        encoding: &str,
        errors: &str,
        fallback: Option<&Bound<'_, PyAny>>,
        at_least: &str,
        only: Option<&Bound<'_, PyAny>>,
        not_: Option<&Bound<'_, PyAny>>,
        language: Option<&Bound<'_, PyAny>>,
        name: Option<&Bound<'_, PyString>>,
    ) -> PyResult<Stream> {
        let policy = match errors {
            "strict" => Policy::Strict,
            "replace" => Policy::Replace(Practice::MaximalSubpart),
            "ignore" => Policy::Skip,
            other => {
                let known = "'strict', 'replace' and 'ignore'";
                return Err(PyLookupError::new_err(format!("unknown error handler {other:?}: a stream has {known}")));
            }
        };
        let mut options = Options::new().errors(policy).at_least(certainty(at_least)?);
        let known = detecting::options(only, not_, language)?;
        if encoding == "auto" {
            options = options.detect(Options::WINDOW).known(known);
        } else {
            let named =
                names::find(encoding).ok_or_else(|| PyLookupError::new_err(format!("unknown encoding: {encoding}")))?;
            if only.is_some() || not_.is_some() || language.is_some() || at_least != "a guess" {
                let message = "only, not_, language and at_least are for encoding='auto'";
                return Err(PyValueError::new_err(message));
            }
            options = options.encoding(named.encoding);
        }
        if let Some(name) = fallback {
            options = options.fallback(repairing::fallback_of(name)?);
        }
        // A name that is not UTF-8 has surrogates in Python.
        let name = name.map(|name| name.to_string_lossy().into_owned());
        Ok(Stream { stream: options.stream(), name })
    }

    /// Takes the next bytes, and returns the text that they decide, as UTF-8.
    fn push<'py>(&mut self, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let py = data.py();
        let data = bytes_of(data)?;
        let bytes = data.as_bytes();
        let stream = &mut self.stream;
        let pushed = apart(py, bytes.len(), || {
            stream.push(bytes).map(|text| (text.as_ptr(), text.len()) == (bytes.as_ptr(), bytes.len()))
        });
        match pushed {
            // The text is all of the bytes.
            Ok(true) => Ok(data.into_owned()),
            Ok(false) => Ok(PyBytes::new(py, self.stream.text().as_bytes())),
            Err(error) => Err(self.error(py, &error)),
        }
    }

    /// Ends the stream, and returns the rest of the text.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        // All of a window may be converted here.
        let stream = &mut self.stream;
        let finished = py.detach(|| stream.finish().map(|_| ()));
        match finished {
            Ok(()) => Ok(PyBytes::new(py, self.stream.text().as_bytes())),
            Err(error) => Err(self.error(py, &error)),
        }
    }

    /// The text of the last call. After an error, that before it.
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.stream.text().as_bytes())
    }

    /// The encoding and the errors so far.
    #[getter]
    fn report(&self) -> Report {
        self.stream.report().into()
    }

    /// The result of detection. `None` before there is one, and for a stated encoding.
    #[getter]
    fn detection(&self) -> Option<Detection> {
        self.stream.report().detection().cloned().map(|found| Detection::of(found, usize::MAX))
    }
}

impl Stream {
    fn error(&self, py: Python<'_>, error: &ReadError) -> PyErr {
        let of = |place: String| match &self.name {
            Some(name) => format!("{place} of {name}"),
            None => place,
        };
        let ReadError::IllFormed(error) = error else {
            return PyUnicodeError::new_err(match &self.name {
                Some(name) => format!("{name}: {error}"),
                None => error.to_string(),
            });
        };
        let encoding =
            self.stream.report().encoding().map_or_else(String::new, |encoding| encoding.name().to_ascii_lowercase());
        let bytes = self.stream.ill_formed_bytes();
        let reason = format!("{} at {}", error.kind(), of(format!("byte {}", error.offset())));
        match py.get_type::<PyUnicodeDecodeError>().call1((encoding, PyBytes::new(py, bytes), 0, bytes.len(), reason)) {
            Ok(exception) => PyErr::from_value(exception),
            Err(error) => error,
        }
    }
}
