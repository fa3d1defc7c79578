//! UTF-8 in Arrow arrays.
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
//! | function | for each row | |
//! |---|---|---|
//! | [`is_valid_utf8`] | whether it is UTF-8 | `BooleanArray` |
//! | [`make_valid_utf8`] | the text, U+FFFD for what is ill-formed | strings |
//! | [`try_validate_utf8`] | the text, or null | strings |
//! | [`validate_utf8`] | the text, or an error for the whole array | strings |
//! | [`first_error`] | offset, length and kind of the first error, or null | structs |
//! | [`errors`] | the same of every error | lists of structs |
//! | [`findings`] | what the command reports: line, column, kind, message and more | lists of structs |
//! | [`decode`] | the text, read in an encoding | strings |
//! | [`detect`] | the name of its encoding, and how sure that is | structs |
//! | [`undouble`] | the text, where it was encoded twice as it was | strings |
//! | [`repair`] | the text, mended as [`utfkit::repair`] mends it | strings |
//! | [`code_points`] | how many characters it has | `Int64Array` |
//!
//! The first five are called as Spark and DataFusion call them.
//!
//! # Layouts
//!
//! Every function takes `Binary`, `LargeBinary`, `BinaryView`, `Utf8`, `LargeUtf8` and
//! `Utf8View`. Strings are judged like bytes, because arrays that come over the C data
//! interface hold what their maker put there. Strings come back in the layout that was
//! given: `Binary` as `Utf8`, `LargeBinary` as `LargeUtf8`, `BinaryView` as `Utf8View`.
//! Other types are an [`ArrowError::InvalidArgumentError`](arrow_schema::ArrowError).
//!
//! A null stays null, whatever lies in its bytes.
//!
//! # Cost
//!
//! The bytes of all rows are validated in one pass, a block of many rows at a time, and whether the rows begin and end
//! between characters is looked up afterwards: short strings cost what their bytes cost. A column
//! without an error comes back with its own buffers. Where there are errors, a column with
//! offsets is copied once, block by block as it is validated, and one with views shares its buffers and gains some for
//! what was mended. On Linux, large copies ask for huge pages.
#![deny(unsafe_code)]

mod decode;
mod detect;
mod errors;
mod findings;
mod ill_formed;
mod input;
#[allow(unsafe_code)]
mod output;
mod validity;

pub use decode::{Decoding, decode, repair, undouble};
pub use detect::detect;
pub use errors::{error_fields, errors, first_error, validate_utf8};
pub use findings::{FindingsBuilder, finding_fields, findings};
pub use validity::{code_points, is_valid_utf8, make_valid_utf8, try_validate_utf8};
