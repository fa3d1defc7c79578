//! UTF-8 in the SQL of [DataFusion](https://datafusion.apache.org).
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
//! | function | each row | |
//! |---|---|---|
//! | `is_valid_utf8(raw)` | whether it is UTF-8 | `BOOLEAN` |
//! | `make_valid_utf8(raw)` | the text, U+FFFD for each maximal subpart that is ill-formed | string |
//! | `make_valid_utf8(raw, practice)` | the same, U+FFFD `'per-byte'` or `'per-sequence'` | string |
//! | `try_validate_utf8(raw)` | the text, or null | string |
//! | `validate_utf8(raw)` | the text, or an error that ends the query | string |
//! | `first_error_utf8(raw)` | `offset`, `length` and `kind` of the first error, or null | struct |
//! | `errors_utf8(raw)` | the same of every error | list of structs |
//! | `decode_text(raw, encoding)` | the text, read in an encoding, or with `'auto'` in the one that is detected | string |
//! | `detect_encoding(raw)` | the name of its `encoding`, and the `certainty` of that | struct |
//! | `undouble(raw)` | the text as it was before it was encoded twice | string |
//! | `code_points(raw)` | how many characters it has | `BIGINT` |
//!
//! The first ones have Spark's names and meanings, except that they take what Spark calls a binary
//! as well. DuckDB has the same names by the Python package. [`functions`] documents each with an
//! example.
//!
//! Rows are `Binary`, `LargeBinary`, `BinaryView`, `Utf8`, `LargeUtf8` or `Utf8View`; strings come back in the
//! layout that was given. Dictionaries are unpacked, and `FixedSizeBinary` is read as `Binary`. Any other type is an
//! error when the query is planned. A null gives null. Several encodings or practices in one column are
//! read each by its own.
//!
//! # Cost
//!
//! That of the kernels of [`utfkit_arrow`]: each batch is validated in one pass, and a string
//! column without an error shares the memory of the batch.

mod by_name;
mod documentation;
mod function;

use std::sync::Arc;

use datafusion_common::Result;
use datafusion_expr::ScalarUDF;
use datafusion_expr::registry::FunctionRegistry;

use function::Function;

/// Every function, to be registered one by one or called in an expression.
///
/// ```
/// let names: Vec<_> = utfkit_datafusion::functions().iter().map(|f| f.name().to_owned()).collect();
/// assert!(names.contains(&"make_valid_utf8".to_owned()));
/// ```
pub fn functions() -> Vec<Arc<ScalarUDF>> {
    Function::ALL.iter().map(|function| Arc::new(ScalarUDF::from(function.udf()))).collect()
}

/// Adds every function to a registry: a `SessionContext`, a `SessionState`. A
/// function of the same name that was there is replaced.
///
/// # Errors
///
/// What the registry says: that of a session takes all.
pub fn register(registry: &mut dyn FunctionRegistry) -> Result<()> {
    for function in functions() {
        registry.register_udf(function)?;
    }
    Ok(())
}
