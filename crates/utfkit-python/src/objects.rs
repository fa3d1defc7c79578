//! What the objects of results share: `__reduce__`, and the forms of bytes and code points.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

/// What `__reduce__` returns for an object that its class makes from `attributes`.
pub(crate) fn reduced<'py>(
    class: Bound<'py, PyType>,
    attributes: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyTuple>> {
    let py = class.py();
    let make = py.import("functools")?.getattr("partial")?.call((class,), Some(attributes))?;
    (make, PyTuple::empty(py)).into_pyobject(py)
}

/// `C0 AF`, for people.
pub(crate) fn shown(bytes: &[u8]) -> String {
    let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    bytes.join(" ")
}

/// `c0af`, as the command writes bytes in JSON.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// `U+002F`, as the command writes code points in JSON.
pub(crate) fn code_point(value: u32) -> String {
    format!("U+{value:04X}")
}
