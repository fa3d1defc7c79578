//! utfkit for Python: turns the interpreter's memory into slices, and errors into exceptions.
//! What is known of encodings is in the library.
#![deny(unsafe_code, clippy::undocumented_unsafe_blocks, clippy::multiple_unsafe_ops_per_block)]
#![deny(unsafe_op_in_unsafe_fn, clippy::missing_safety_doc)]
#![warn(missing_docs, unreachable_pub)]
// Nothing panics; pyo3 would make an exception of it.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable, clippy::todo)]

mod decoding;
mod encoding;
mod handlers;
mod names;
mod part;
mod source;
mod text;
mod unicode;
mod widest;

use pyo3::prelude::*;

/// The name of the encoding that `label` means, and all other names of it.
#[pyfunction]
fn find_encoding(label: &str) -> Option<String> {
    names::find(label).map(names::Named::name)
}

/// The names of all encodings.
#[pyfunction]
fn encoding_names() -> Vec<(&'static str, Vec<&'static str>)> {
    engine::Encoding::ALL.iter().map(|encoding| (encoding.name(), encoding.labels().collect())).collect()
}

#[pymodule(gil_used = false)]
mod _utfkit {
    #[pymodule_export]
    use super::{encoding_names, find_encoding};
    #[pymodule_export]
    use crate::part::{decode_part, encode_part};

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let decode = wrap_pyfunction!(crate::text::decode_any, module)?;
        let encode = wrap_pyfunction!(crate::text::encode_any, module)?;
        crate::unicode::short_calls::add(module, decode, encode)
    }
}
