//! utfkit for Python: the interpreter's memory as slices, errors as exceptions. All encoding logic
//! is in the library.
#![deny(unsafe_code, clippy::undocumented_unsafe_blocks, clippy::multiple_unsafe_ops_per_block)]
#![deny(unsafe_op_in_unsafe_fn, clippy::missing_safety_doc)]
#![warn(missing_docs, unreachable_pub)]
// pyo3 would turn a panic into an exception that no program expects.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable, clippy::todo)]

mod around;
mod columns;
mod converting;
mod decoding;
mod detecting;
mod encoding;
mod export;
mod finding;
mod handlers;
mod ill_formed;
mod import;
mod incremental;
mod inspecting;
mod names;
mod objects;
mod part;
mod pieces;
mod ranges;
mod reading;
mod repairing;
mod replacing;
mod source;
mod strings;
mod tables;
mod text;
mod unicode;
mod widest;
mod writing;

use pyo3::prelude::*;
use pyo3::types::PyString;

/// The name of the encoding for a label, or `None`.
///
/// >>> utfkit.find_encoding('l1'), utfkit.find_encoding('nonsense')
/// ('iso-8859-1', None)
#[pyfunction]
fn find_encoding(label: &Bound<'_, PyString>) -> Option<String> {
    // A label with a surrogate is one that no encoding has.
    names::find(&label.to_string_lossy()).map(names::Named::name)
}

/// The name of every encoding, and its other labels.
///
/// >>> dict(utfkit.encoding_names())['UTF-7-IMAP']
/// ['IMAP-mailbox-name', 'csUTF7IMAP']
#[pyfunction]
fn encoding_names() -> Vec<(&'static str, Vec<&'static str>)> {
    engine::Encoding::ALL.iter().map(|encoding| (encoding.name(), encoding.labels().collect())).collect()
}

/// The code and English name of every language that detection knows.
///
/// >>> dict(utfkit.language_names())['fr']
/// 'French'
#[pyfunction]
fn language_names() -> Vec<(&'static str, &'static str)> {
    engine::detect::Language::all().map(|language| (language.code(), language.name())).collect()
}

#[pymodule(gil_used = false)]
mod _utfkit {
    #[pymodule_export]
    use super::{encoding_names, find_encoding, language_names};
    #[pymodule_export]
    use crate::converting::convert_file;
    #[pymodule_export]
    use crate::detecting::{Candidate, Detection, detect, detect_as_one};
    #[pymodule_export]
    use crate::finding::{Finding, Findings, check, errors, is_utf8};
    #[pymodule_export]
    use crate::incremental::{IncrementalDecoder, IncrementalEncoder};
    #[pymodule_export]
    use crate::inspecting::{Inspection, Piece, inspect};
    #[pymodule_export]
    use crate::part::{decode_part, encode_part};
    #[pymodule_export]
    use crate::ranges::RangeChecker;
    #[pymodule_export]
    use crate::reading::{Report, Stream};
    #[pymodule_export]
    use crate::repairing::{Change, Repair, fix_encoding, repair};

    #[pymodule_export]
    use super::arrow;

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        let decode = wrap_pyfunction!(crate::text::decode_any, module)?;
        let encode = wrap_pyfunction!(crate::text::encode_any, module)?;
        let encode_next = wrap_pyfunction!(crate::incremental::encode_next, module)?;
        crate::unicode::calls::add(module, decode, encode, encode_next)
    }
}

/// Functions on Arrow columns.
#[pymodule]
mod arrow {
    #[pymodule_export]
    use crate::columns::{
        ChunkedColumn, Column, clean, code_points, decode, detect, errors, findings, first_error, is_valid_utf8,
        make_valid_utf8, repair, try_validate_utf8, undouble, validate_utf8,
    };

    use pyo3::prelude::*;

    /// Makes `import utfkit._utfkit.arrow` work, although `_utfkit` is one file.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let modules = module.py().import("sys")?.getattr("modules")?;
        modules.set_item("utfkit._utfkit.arrow", module)
    }
}
