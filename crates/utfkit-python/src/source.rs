//! The bytes of an argument.

use std::borrow::Cow;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::unicode::has_memory;

/// Bytes that nobody changes: those of an object of type `bytes` where they lie, those of
/// anything else (`bytearray`, `mmap`, a view) as a copy, made by Python. What was
/// checked is what is converted, whatever other threads do to the original meanwhile.
pub(crate) fn bytes_of<'a, 'py>(data: &'a Bound<'py, PyAny>) -> PyResult<Cow<'a, Bound<'py, PyBytes>>> {
    if let Ok(bytes) = data.cast::<PyBytes>() {
        return Ok(Cow::Borrowed(bytes));
    }
    copied(data).map(Cow::Owned)
}

#[cold]
fn copied<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    if !has_memory(data.as_borrowed()) {
        let found = data.get_type().name()?;
        return Err(PyTypeError::new_err(format!("a bytes-like object is required, not '{found}'")));
    }
    let copy = data.py().get_type::<PyBytes>().call1((data,))?;
    Ok(copy.cast_into::<PyBytes>()?)
}
