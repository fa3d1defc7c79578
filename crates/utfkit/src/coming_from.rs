//! The equivalents of other libraries' functions. Each page has a table, whose calls of utfkit are
//! compiled as a test, and five programs written with both libraries.
//!
//! - [`encoding_rs`]: encodings of the web, in whole and in pieces
//! - [`encoding_rs_io`]: files in any encoding
//! - [`bstr`]: byte strings that are mostly UTF-8
//! - [`simdutf8`]: fast validation
//! - [`std`]: `core::str` and `String`
//! - [`simdutf`]: the C++ library

#[doc = include_str!("../docs/coming_from/bstr.md")]
pub mod bstr {}
#[doc = include_str!("../docs/coming_from/encoding_rs.md")]
pub mod encoding_rs {}
#[doc = include_str!("../docs/coming_from/encoding_rs_io.md")]
pub mod encoding_rs_io {}
#[doc = include_str!("../docs/coming_from/simdutf.md")]
pub mod simdutf {}
#[doc = include_str!("../docs/coming_from/simdutf8.md")]
pub mod simdutf8 {}
#[doc = include_str!("../docs/coming_from/std.md")]
pub mod std {}
