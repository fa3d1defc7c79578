//! The functions of `utfkit-datafusion` for the Python package `datafusion`, as capsules.

#![deny(unsafe_code)]

mod csv;

use std::sync::Arc;

use datafusion_expr::ScalarUDF;
use datafusion_ffi::udf::FFI_ScalarUDF;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// A function that `datafusion.udf` accepts.
#[pyclass(frozen, module = "utfkit_datafusion")]
struct Function {
    udf: Arc<ScalarUDF>,
}

#[pymethods]
impl Function {
    /// The name of the function in SQL.
    #[getter]
    fn name(&self) -> &str {
        self.udf.name()
    }

    fn __datafusion_scalar_udf__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        PyCapsule::new_with_value(py, FFI_ScalarUDF::from(Arc::clone(&self.udf)), c"datafusion_scalar_udf")
    }

    fn __repr__(&self) -> String {
        format!("<utfkit_datafusion.Function: {}>", self.udf.name())
    }
}

/// Returns all functions.
#[pyfunction]
fn functions() -> Vec<Function> {
    utfkit_datafusion::functions().into_iter().map(|udf| Function { udf }).collect()
}

#[pymodule(gil_used = false)]
mod _utfkit_datafusion {
    #[pymodule_export]
    use super::csv::CsvTable;
    #[pymodule_export]
    use super::{Function, functions};
    use pyo3::prelude::*;

    #[pymodule_init]
    fn version(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
