//! Encodings from before Unicode: legacy encodings of the Encoding Standard (WHATWG)
//! by the tables of `encoding_rs`, and code pages and others by tables of this library.
//! `rows.rs` lists them.
//!
//! [`LegacyReader`] and [`LegacyWriter`] convert value by value; [`LegacyReader::decode_run`] and
//! [`LegacyWriter::encode_run`] convert many at once and may stop anywhere.

mod character;
mod hz;
mod iso_2022_jp;
mod iso_2022_kr;
mod johab;
mod lacking;
#[cfg(not(feature = "legacy-tables"))]
mod learned;
#[cfg(not(feature = "legacy-tables"))]
mod learned_pairs;
mod notes;
mod page;
mod pair_set;
mod reader;
mod rows;
mod run;
mod single_byte;
mod table;
#[cfg(test)]
mod tests;
mod writer;

pub(crate) use reader::LegacyReader;
pub use rows::Legacy;
pub(crate) use writer::LegacyWriter;
