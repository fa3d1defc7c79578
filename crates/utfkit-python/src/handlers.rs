//! Error handlers that are registered with Python.

use std::ffi::{CStr, CString};

use engine::diagnose::Diagnosis;
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::names::Errors;
use crate::unicode::set_error;

/// The error handler of one call.
pub(crate) struct Handler<'a> {
    pub(crate) errors: Errors<'a>,
    /// The registered function, looked up when it is needed.
    function: Option<Py<PyAny>>,
    /// The exception that it was given. Python too changes it and passes it again.
    exception: Option<Py<PyAny>>,
    /// The last error and its description. The same one often comes again.
    pub(crate) last: Option<(Diagnosis, CString)>,
}

impl<'a> Handler<'a> {
    pub(crate) fn new(errors: Errors<'a>) -> Handler<'a> {
        Handler { errors, function: None, exception: None, last: None }
    }

    /// The exception for the next call of the handler. `new` makes the first one; it is changed for the others.
    pub(crate) fn exception<'py>(
        &mut self,
        py: Python<'py>,
        start: usize,
        end: usize,
        reason: &CStr,
        new: impl FnOnce(&str) -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Some(old) = &self.exception else {
            let new = new(&reason.to_string_lossy())?;
            self.exception = Some(new.clone().unbind());
            return Ok(new);
        };
        let old = old.bind(py).clone();
        set_error(&old, start, end, reason)?;
        Ok(old)
    }

    /// Calls the registered function.
    pub(crate) fn call<'py>(&mut self, py: Python<'py>, exception: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if self.function.is_none() {
            let lookup = lookup_error(py)?;
            let function = match self.errors {
                Errors::Other(name) => lookup.call1((name,))?,
                Errors::XmlCharRefReplace => lookup.call1(("xmlcharrefreplace",))?,
                Errors::SurrogatePass => lookup.call1(("surrogatepass",))?,
                _ => lookup.call1(("strict",))?,
            };
            self.function = Some(function.unbind());
        }
        match &self.function {
            Some(function) => function.bind(py).call1((exception,)),
            None => Err(PyTypeError::new_err("no error handler")),
        }
    }
}

/// `codecs.lookup_error`.
fn lookup_error<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyAny>> {
    static FUNCTION: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    FUNCTION.import(py, "codecs", "lookup_error")
}

/// The position that a handler returned, in `len` units. A negative one counts from the end.
pub(crate) fn position(next: isize, len: usize) -> PyResult<usize> {
    let at = if next < 0 { len.checked_sub(next.unsigned_abs()) } else { usize::try_from(next).ok() };
    at.filter(|at| *at <= len)
        .ok_or_else(|| PyIndexError::new_err(format!("position {next} from error handler out of bounds")))
}

/// A number out of bounds stays that. A value that is no number has the wrong type.
pub(crate) fn as_wrong(py: Python<'_>, error: PyErr, wrong: PyErr) -> PyErr {
    match error.is_instance_of::<PyTypeError>(py) {
        true => wrong,
        false => PyIndexError::new_err("position from error handler out of bounds"),
    }
}
