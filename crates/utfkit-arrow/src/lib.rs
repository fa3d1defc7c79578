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
//! | [`clean`] | the text, the encoding, the certainty, the damage, and what was done | structs |
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
//!
//! # Files in any encoding
//!
//! A [`Utf8Stream`](utfkit::io::Utf8Stream) before the `Decoder` of arrow-csv makes UTF-8 of the chunks of an object
//! store, as they come:
//!
//! ```
//! use std::sync::Arc;
//! use arrow_array::cast::AsArray;
//! use arrow_schema::{DataType, Field, Schema};
//! use futures::StreamExt;
//! use object_store::{ObjectStoreExt, memory::InMemory, path::Path};
//! use utfkit::io::Options;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let (store, path) = (InMemory::new(), Path::from("cities.csv"));
//! store.put(&path, b"id,city\n1,M\xE1laga\n2,Gen\xE8ve o\xF9 d\xE9j\xE0\n".to_vec().into()).await?;
//!
//! let fields = vec![Field::new("id", DataType::Int64, false), Field::new("city", DataType::Utf8, false)];
//! let mut decoder = arrow_csv::ReaderBuilder::new(Arc::new(Schema::new(fields))).with_header(true).build_decoder();
//! let mut stream = Options::new().detect(Options::WINDOW).stream();
//! let mut chunks = store.get(&path).await?.into_stream();
//! let mut batches = Vec::new();
//! loop {
//!     let chunk = chunks.next().await.transpose()?;
//!     let text = match &chunk {
//!         Some(chunk) => stream.push(chunk)?,
//!         None => stream.finish()?,
//!     };
//!     let mut rest = text.as_bytes();
//!     while !rest.is_empty() {
//!         let read = decoder.decode(rest)?;
//!         rest = &rest[read..];
//!         // It takes no more until the batch that it has is taken.
//!         if read == 0 || decoder.capacity() == 0 {
//!             batches.extend(decoder.flush()?);
//!         }
//!     }
//!     if chunk.is_none() {
//!         // No text ends the last row.
//!         decoder.decode(&[])?;
//!         batches.extend(decoder.flush()?);
//!         break;
//!     }
//! }
//! assert_eq!(batches[0].column(1).as_string::<i32>().value(1), "Genève où déjà");
//! assert_eq!(stream.report().encoding().map(|encoding| encoding.name()), Some("windows-1252"));
//! # Ok(())
//! # }
//! ```
//!
//! The `Decoder` of arrow-json is fed in the same way, and takes all of a text at once:
//!
//! ```
//! use std::sync::Arc;
//! use arrow_array::cast::AsArray;
//! use arrow_schema::{DataType, Field, Schema};
//! use utfkit::Encoding;
//! use utfkit::io::Options;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let schema = Arc::new(Schema::new(vec![Field::new("city", DataType::Utf8, false)]));
//! let mut decoder = arrow_json::ReaderBuilder::new(schema).build_decoder()?;
//! let mut stream = Options::new().encoding(Encoding::Latin1).stream();
//! let chunks: [&[u8]; 2] = [b"{\"city\": \"K\xF6ln\"}\n{\"ci", b"ty\": \"Z\xFCrich\"}\n"];
//! for chunk in chunks {
//!     decoder.decode(stream.push(chunk)?.as_bytes())?;
//! }
//! decoder.decode(stream.finish()?.as_bytes())?;
//! let batch = decoder.flush()?.unwrap();
//! assert_eq!(batch.column(0).as_string::<i32>().value(1), "Zürich");
//! # Ok(())
//! # }
//! ```
#![deny(unsafe_code)]

mod clean;
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

pub use clean::{Cleaning, CleaningFallback, clean, cleaned_fields};
pub use decode::{Decoding, decode, repair, undouble};
pub use detect::detect;
pub use errors::{error_fields, errors, first_error, validate_utf8};
pub use findings::{FindingsBuilder, finding_fields, findings};
pub use leaves::by_leaves;
pub use validity::{code_points, is_valid_utf8, make_valid_utf8, try_validate_utf8};

/// The example in README.md is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
