//! Validates, repairs, decodes and diagnoses UTF-8 in Arrow arrays.
//!
//! ```
//! use arrow_array::{Array, BinaryArray, StringArray};
//!
//! let raw = BinaryArray::from(vec![&b"caf\xC3\xA9"[..], b"caf\xE9", b"tea"]);
//! assert_eq!(utfkit_arrow::is_valid_utf8(&raw)?.values().iter().collect::<Vec<_>>(), [true, false, true]);
//!
//! let text = utfkit_arrow::make_valid_utf8(&raw, Default::default())?;
//! let text: &StringArray = text.as_any().downcast_ref().unwrap();
//! assert_eq!(text.value(1), "caf\u{FFFD}");
//! # Ok::<(), arrow_schema::ArrowError>(())
//! ```
//!
//! | function | for each row | returns |
//! |---|---|---|
//! | [`is_valid_utf8`] | true if it is UTF-8 | `BooleanArray` |
//! | [`make_valid_utf8`] | the text, with U+FFFD for ill-formed sequences | strings |
//! | [`try_validate_utf8`] | the text, or null | strings |
//! | [`validate_utf8`] | the text, or an error for the whole array | strings |
//! | [`first_error`] | offset, length and kind of the first error, or null | structs |
//! | [`errors`] | offset, length and kind of every error | lists of structs |
//! | [`findings`] | line, column, kind, message and more, as the command reports them | lists of structs |
//! | [`decode`] | the text, decoded from an encoding | strings |
//! | [`detect`] | the encoding and the certainty | structs |
//! | [`undouble`] | the text, with double encoding undone | strings |
//! | [`repair`] | the text, repaired by [`utfkit::repair`] | strings |
//! | [`code_points`] | the number of characters | `Int64Array` |
//!
//! The first five have the names that Spark and DataFusion use.
//!
//! # Layouts
//!
//! Every function takes `Binary`, `LargeBinary`, `BinaryView`, `Utf8`, `LargeUtf8` and
//! `Utf8View`. String arrays are validated like binary ones, because an array that comes over
//! the C data interface may hold any bytes. The result has the layout of the input: `Utf8` for
//! `Binary`, `LargeUtf8` for `LargeBinary`, `Utf8View` for `BinaryView`. Any other type is an
//! [`ArrowError::InvalidArgumentError`](arrow_schema::ArrowError); [`by_leaves`] applies the functions to
//! dictionaries, runs, rows of one size, lists and structs.
//!
//! Null rows stay null; their bytes do not matter.
//!
//! # Cost
//!
//! Many rows are validated as one block of bytes, after which each row is checked to begin and end at a character
//! boundary, so a short row costs no call of its own. A column without errors shares its buffers with the result.
//! Otherwise a column with offsets is copied once, block by block while it is validated; a column with views keeps
//! its buffers and gains new ones for the replaced rows. On Linux, large copies ask for huge pages.
#![deny(unsafe_code)]

mod decode;
mod detect;
mod errors;
mod findings;
mod ill_formed;
mod input;
mod leaves;
#[allow(unsafe_code)]
mod output;
mod validity;

pub use decode::{Decoding, decode, repair, undouble};
pub use detect::detect;
pub use errors::{error_fields, errors, first_error, validate_utf8};
pub use findings::{FindingsBuilder, finding_fields, findings};
pub use leaves::by_leaves;
pub use validity::{code_points, is_valid_utf8, make_valid_utf8, try_validate_utf8};
