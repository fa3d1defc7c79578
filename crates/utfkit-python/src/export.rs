//! Columns for other libraries, by the Arrow PyCapsule interface and the C data and stream
//! interfaces below it.
//!
//! Casts to any type that another library may ask for would make the package twice as large. Here pyarrow casts if it is
//! loaded: it is the library that asks. The interface lets a column keep its type otherwise.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int};
use std::{ptr, vec};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef};
use arrow_schema::{Field, FieldRef};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use crate::columns::error;

/// `EINVAL`, the errors that the stream interface counts in.
const INVALID: c_int = 22;

pub(crate) fn schema<'py>(py: Python<'py>, field: &Field) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowSchema::try_from(field).map_err(error)?, c"arrow_schema")
}

pub(crate) fn array<'py>(py: Python<'py>, field: &Field, array: &dyn Array) -> PyResult<Bound<'py, PyTuple>> {
    let memory = PyCapsule::new_with_value(py, FFI_ArrowArray::new(&array.to_data()), c"arrow_array")?;
    PyTuple::new(py, [schema(py, field)?, memory])
}

pub(crate) fn stream<'py>(py: Python<'py>, field: FieldRef, chunks: Vec<ArrayRef>) -> PyResult<Bound<'py, PyCapsule>> {
    let left = Box::new(Left { field, chunks: chunks.into_iter() });
    let stream = FFI_ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release),
        private_data: Box::into_raw(left).cast(),
    };
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}

/// A column as pyarrow casts it to `asked`, by the method `how` of what `make` makes. `None` if
/// pyarrow is not loaded, or cannot.
pub(crate) fn cast<'py>(
    column: &Bound<'py, PyAny>,
    make: &str,
    how: &str,
    asked: Option<&Bound<'py, PyCapsule>>,
) -> Option<Bound<'py, PyAny>> {
    let asked = asked?;
    let pyarrow = column.py().import("sys").ok()?.getattr("modules").ok()?.get_item("pyarrow").ok()?;
    pyarrow.call_method1(make, (column,)).ok()?.call_method1(how, (asked,)).ok()
}

/// The private data of a stream: the chunks that it has not given away.
struct Left {
    field: FieldRef,
    chunks: vec::IntoIter<ArrayRef>,
}

/// The private data of `stream`.
///
/// # Safety
/// `stream` is one of [`stream`] that has not been released, and nothing else uses it meanwhile:
/// the interface forbids concurrent calls.
unsafe fn left<'a>(stream: *mut FFI_ArrowArrayStream) -> &'a mut Left {
    // SAFETY: the caller's stream is valid.
    let data = unsafe { (*stream).private_data };
    // SAFETY: `stream` made the pointer of a box of this type, and `release`, which frees it, has not
    // been called. The caller has the only use of it.
    unsafe { &mut *data.cast::<Left>() }
}

unsafe extern "C" fn get_schema(stream: *mut FFI_ArrowArrayStream, out: *mut FFI_ArrowSchema) -> c_int {
    // SAFETY: the interface passes the stream that has this callback.
    let left = unsafe { left(stream) };
    match FFI_ArrowSchema::try_from(left.field.as_ref()) {
        Ok(schema) => {
            // SAFETY: the caller has memory for a schema at `out`, and nothing there that must be dropped.
            unsafe { out.write(schema) };
            0
        }
        Err(_) => INVALID,
    }
}

unsafe extern "C" fn get_next(stream: *mut FFI_ArrowArrayStream, out: *mut FFI_ArrowArray) -> c_int {
    // SAFETY: the interface passes the stream that has this callback.
    let left = unsafe { left(stream) };
    // An array that is released already is the end.
    let next = left.chunks.next().map_or_else(FFI_ArrowArray::empty, |chunk| FFI_ArrowArray::new(&chunk.to_data()));
    // SAFETY: the caller has memory for an array at `out`, and nothing there that must be dropped.
    unsafe { out.write(next) };
    0
}

/// No text: the number says all.
unsafe extern "C" fn get_last_error(_: *mut FFI_ArrowArrayStream) -> *const c_char {
    ptr::null()
}

unsafe extern "C" fn release(stream: *mut FFI_ArrowArrayStream) {
    // SAFETY: the interface passes a valid stream that has this callback.
    let stream = unsafe { &mut *stream };
    // SAFETY: `stream` made the pointer of such a box. The interface has a stream released once, and
    // without the callback no one does it again.
    drop(unsafe { Box::from_raw(stream.private_data.cast::<Left>()) });
    stream.private_data = ptr::null_mut();
    stream.release = None;
}
