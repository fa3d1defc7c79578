//! The bytes of an argument.

use std::borrow::Cow;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::unicode::{bytes_of_buffer, has_buffer};

/// Borrows the bytes of a `bytes` object, and copies those of any other object with the buffer
/// protocol (`bytearray`, `mmap`, a view), which another thread could change between the check
/// and the conversion.
pub(crate) fn bytes_of<'a, 'py>(data: &'a Bound<'py, PyAny>) -> PyResult<Cow<'a, Bound<'py, PyBytes>>> {
    if let Ok(bytes) = data.cast::<PyBytes>() {
        return Ok(Cow::Borrowed(bytes));
    }
    copied(data).map(Cow::Owned)
}

#[cold]
fn copied<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    if !has_buffer(data.as_borrowed()) {
        let found = data.get_type().name()?;
        return Err(PyTypeError::new_err(format!("a bytes-like object is required, not '{found}'")));
    }
    bytes_of_buffer(data)
}
