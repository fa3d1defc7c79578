//! Columns of other libraries, by the Arrow PyCapsule interface and the C data and stream interfaces below it.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::ptr::{self, NonNull};
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, make_array, new_null_array};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType, Field, FieldRef};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

/// A column and its type.
pub(crate) struct Given {
    pub(crate) field: FieldRef,
    pub(crate) chunks: Chunks,
}

pub(crate) enum Chunks {
    One(ArrayRef),
    Stream(Stream),
}

/// The column of an object with `__arrow_c_array__` or `__arrow_c_stream__`.
pub(crate) fn column(object: &Bound<'_, PyAny>) -> PyResult<Given> {
    let wrong = |error: ArrowError| PyTypeError::new_err(error.to_string());
    if object.hasattr("__arrow_c_array__")? {
        let pair = object.call_method0("__arrow_c_array__")?.cast_into::<PyTuple>()?;
        let (schema, array) = pair.extract::<(Bound<'_, PyCapsule>, Bound<'_, PyCapsule>)>()?;
        let schema = content::<FFI_ArrowSchema>(&schema, c"arrow_schema")?;
        let array = content::<FFI_ArrowArray>(&array, c"arrow_array")?;
        // SAFETY: a capsule of this name has a valid schema, which nothing changes while the capsule is held.
        let field = Arc::new(Field::try_from(unsafe { schema.as_ref() }).map_err(wrong)?);
        // SAFETY: a capsule of this name has a valid array. The one that is left there counts as released.
        let array = unsafe { FFI_ArrowArray::from_raw(array.as_ptr()) };
        if array.is_released() {
            return Err(PyTypeError::new_err("the array was taken before"));
        }
        let array = imported(array, field.data_type()).map_err(wrong)?;
        return Ok(Given { field, chunks: Chunks::One(array) });
    }
    let capsule = object.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
    let stream = content::<FFI_ArrowArrayStream>(&capsule, c"arrow_array_stream")?;
    // SAFETY: a capsule of this name has a valid stream. The one that is left there counts as released.
    let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) };
    let Some(get_schema) = stream.get_schema.filter(|_| stream.release.is_some()) else {
        return Err(PyTypeError::new_err("the stream was read before"));
    };
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: it is the callback of this stream, which has not been released.
    if unsafe { get_schema(&mut stream, &mut schema) } != 0 {
        return Err(wrong(failure(&mut stream)));
    }
    let field = Arc::new(Field::try_from(&schema).map_err(wrong)?);
    let chunks = Chunks::Stream(Stream { stream, field: field.clone() });
    Ok(Given { field, chunks })
}

fn content<T>(capsule: &Bound<'_, PyCapsule>, name: &CStr) -> PyResult<NonNull<T>> {
    Ok(capsule.pointer_checked(Some(name))?.cast())
}

/// The arrays of a stream.
pub(crate) struct Stream {
    stream: FFI_ArrowArrayStream,
    field: FieldRef,
}

impl Iterator for Stream {
    type Item = Result<ArrayRef, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut array = FFI_ArrowArray::empty();
        let get_next = self.stream.get_next?;
        // SAFETY: it is the callback of this stream, which is released when it is dropped.
        if unsafe { get_next(&mut self.stream, &mut array) } != 0 {
            return Some(Err(failure(&mut self.stream)));
        }
        // An array that is released already is the end.
        (!array.is_released()).then(|| imported(array, self.field.data_type()))
    }
}

/// The error of the last callback.
fn failure(stream: &mut FFI_ArrowArrayStream) -> ArrowError {
    let get_last_error = stream.get_last_error;
    // SAFETY: it is the callback of this stream, which has not been released.
    let text = get_last_error.map_or(ptr::null(), |get| unsafe { get(stream) });
    if text.is_null() {
        return ArrowError::CDataInterface("the stream has an error".to_owned());
    }
    // SAFETY: the text ends with a null byte, and is valid until the next call.
    let text = unsafe { CStr::from_ptr(text) };
    ArrowError::CDataInterface(text.to_string_lossy().into_owned())
}

fn imported(array: FFI_ArrowArray, data_type: &DataType) -> Result<ArrayRef, ArrowError> {
    // Polars exports nulls with a buffer, and others no rows without offsets, which arrow-rs does not take.
    if *data_type == DataType::Null || array.is_empty() {
        return Ok(new_null_array(data_type, array.len()));
    }
    // SAFETY: the array comes from a capsule or a stream whose type is this, and the interface asks for valid arrays.
    let data = unsafe { from_ffi_and_data_type(array, data_type.clone()) }?;
    Ok(make_array(settled(&data, 0, data.len())))
}

/// `len` rows from `start` on, with the offsets of structs and of lists of a fixed size moved into their values.
/// `make_array` slices a struct in such a column twice.
fn settled(data: &ArrayData, start: usize, len: usize) -> ArrayData {
    if !data.data_type().is_nested() {
        return data.slice(start, len);
    }
    let from = data.offset() + start;
    let children = data.child_data().iter();
    let moved = |children, nulls| {
        let made = ArrayData::builder(data.data_type().clone()).len(len).nulls(nulls).child_data(children);
        // SAFETY: the type has no buffers, and the values are those of the rows.
        unsafe { made.build_unchecked() }
    };
    let nulls = || data.nulls().map(|nulls| nulls.slice(start, len));
    match data.data_type() {
        DataType::Struct(_) => moved(children.map(|child| settled(child, from, len)).collect(), nulls()),
        DataType::FixedSizeList(_, size) => {
            let size = usize::try_from(*size).unwrap_or(0);
            moved(children.map(|child| settled(child, from * size, len * size)).collect(), nulls())
        }
        _ => {
            let children = children.map(|child| settled(child, 0, child.len())).collect();
            let made = data.slice(start, len).into_builder().child_data(children);
            // SAFETY: only offsets were moved, in values that have the same rows.
            unsafe { made.build_unchecked() }
        }
    }
}
