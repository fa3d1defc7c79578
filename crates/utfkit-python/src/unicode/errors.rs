//! The attributes of Unicode errors, as Python's own codecs set them: by functions that look no name up.

use std::ffi::{CStr, c_char, c_int};

use pyo3::exceptions::{PyTypeError, PyUnicodeDecodeError, PyUnicodeEncodeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::as_size;

/// Sets the place and the reason of a `UnicodeDecodeError` or a `UnicodeEncodeError`.
pub(crate) fn set_error(exception: &Bound<'_, PyAny>, start: usize, end: usize, reason: &CStr) -> PyResult<()> {
    type SetSize = unsafe extern "C" fn(*mut ffi::PyObject, ffi::Py_ssize_t) -> c_int;
    type SetText = unsafe extern "C" fn(*mut ffi::PyObject, *const c_char) -> c_int;
    let (set_start, set_end, set_reason): (SetSize, SetSize, SetText) =
        if exception.is_instance_of::<PyUnicodeDecodeError>() {
            (ffi::PyUnicodeDecodeError_SetStart, ffi::PyUnicodeDecodeError_SetEnd, ffi::PyUnicodeDecodeError_SetReason)
        } else if exception.is_instance_of::<PyUnicodeEncodeError>() {
            (ffi::PyUnicodeEncodeError_SetStart, ffi::PyUnicodeEncodeError_SetEnd, ffi::PyUnicodeEncodeError_SetReason)
        } else {
            return Err(PyTypeError::new_err("not an error of a codec"));
        };
    let (start, end) = (as_size(start)?, as_size(end)?);
    // SAFETY: the thread is attached, as `exception` shows, and the object has the type that the function is for.
    let mut failed = unsafe { set_start(exception.as_ptr(), start) };
    // SAFETY: as above.
    failed |= unsafe { set_end(exception.as_ptr(), end) };
    // SAFETY: as above. The text ends with a null byte, and the function copies it.
    failed |= unsafe { set_reason(exception.as_ptr(), reason.as_ptr()) };
    if failed == 0 { Ok(()) } else { Err(PyErr::fetch(exception.py())) }
}

/// The bytes of a `UnicodeDecodeError`, which a handler may have exchanged.
pub(crate) fn object_of<'py>(exception: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let wrong = || PyTypeError::new_err("object attribute must be bytes");
    if !exception.is_instance_of::<PyUnicodeDecodeError>() {
        return Err(wrong());
    }
    // SAFETY: the thread is attached, as `exception` shows, and the object has the type that the function is for.
    let object = unsafe { ffi::PyUnicodeDecodeError_GetObject(exception.as_ptr()) };
    // SAFETY: `PyUnicodeDecodeError_GetObject` returns a new reference, or null with an exception set.
    let object = unsafe { Bound::from_owned_ptr_or_err(exception.py(), object) };
    object.ok().and_then(|object| object.cast_into::<PyBytes>().ok()).ok_or_else(wrong)
}
