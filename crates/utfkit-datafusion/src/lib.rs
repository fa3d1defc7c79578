//! Functions for UTF-8 in the SQL of [DataFusion](https://datafusion.apache.org).
//!
//! ```
//! use datafusion::prelude::SessionContext;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> datafusion::error::Result<()> {
//! let mut context = SessionContext::new();
//! utfkit_datafusion::register(&mut context)?;
//! let text = context.sql("SELECT make_valid_utf8(x'636166E9') AS text").await?.to_string().await?;
//! assert!(text.contains("caf\u{FFFD}"));
//! # Ok(())
//! # }
//! ```
//!
//! | function | for each row | type |
//! |---|---|---|
//! | `is_valid_utf8(raw)` | true if it is UTF-8 | `BOOLEAN` |
//! | `make_valid_utf8(raw)` | the text, with U+FFFD for each maximal subpart that is ill-formed | string |
//! | `make_valid_utf8(raw, practice)` | the text, with U+FFFD `'per-unit'` or `'per-sequence'` | string |
//! | `try_validate_utf8(raw)` | the text, or null | string |
//! | `validate_utf8(raw)` | the text, or an error that ends the query | string |
//! | `first_error_utf8(raw)` | `offset`, `length` and `kind` of the first error, or null | struct |
//! | `errors_utf8(raw)` | `offset`, `length` and `kind` of every error | list of structs |
//! | `findings_utf8(raw)` | line, column, kind, message and more of every finding | list of structs |
//! | `repair_utf8(raw, fallback)` | the text, with ill-formed bytes read in another encoding | string |
//! | `decode_text(raw, encoding)` | the text, decoded from an encoding, or with `'auto'` from the detected one | string |
//! | `detect_encoding(raw)` | the `encoding` and the `certainty` | struct |
//! | `undouble(raw)`, `fix_encoding(raw)` | the text, with double encoding undone | string |
//! | `code_points(raw)` | the number of characters | `BIGINT` |
//!
//! `is_valid_utf8`, `make_valid_utf8`, `try_validate_utf8` and `validate_utf8` have Spark's names and semantics, and
//! take binary columns as well as strings. The Python package gives DuckDB functions of these names. The
//! documentation of each of the [`functions`] has an example.
//!
//! Arguments are `Binary`, `LargeBinary`, `BinaryView`, `Utf8`, `LargeUtf8` or `Utf8View`; strings are returned in
//! the layout of the argument. Dictionaries are unpacked, and `FixedSizeBinary` is read as `Binary`. Any other type is
//! an error when the query is planned. Null rows stay null. `encoding`, `fallback` and `practice` may be columns.
//!
//! # Files
//!
//! With the feature `csv`, which is on by default, [`register_csv_in`] and [`csv_in`] make tables of CSV files in any
//! encoding, detected file by file, from every object store that the session knows. [`Utf8Store`] is such a store for
//! other formats.
//!
//! # Cost
//!
//! As for the kernels of [`utfkit_arrow`]: each batch is validated in one pass, and a column without errors shares
//! the memory of the batch.

#![deny(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod by_name;
#[cfg(feature = "csv")]
mod csv;
mod documentation;
mod function;
#[cfg(feature = "csv")]
mod store;

use std::sync::Arc;

use datafusion_common::Result;
use datafusion_expr::ScalarUDF;
use datafusion_expr::registry::FunctionRegistry;

#[cfg(feature = "csv")]
pub use csv::{csv_in, options_of, register_csv_in};
#[cfg(feature = "csv")]
pub use store::Utf8Store;

use function::Function;

/// The example in README.md is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Returns all functions, to register one by one or to call in an expression.
///
/// ```
/// let names: Vec<_> = utfkit_datafusion::functions().iter().map(|f| f.name().to_owned()).collect();
/// assert!(names.contains(&"make_valid_utf8".to_owned()));
/// ```
pub fn functions() -> Vec<Arc<ScalarUDF>> {
    Function::ALL.iter().map(|function| Arc::new(ScalarUDF::from(function.udf()))).collect()
}

/// Registers all functions, for example in a `SessionContext` or `SessionState`. Replaces functions
/// of the same name.
///
/// # Errors
///
/// Errors of the registry. Sessions accept any function.
pub fn register(registry: &mut dyn FunctionRegistry) -> Result<()> {
    for function in functions() {
        registry.register_udf(function)?;
    }
    Ok(())
}
