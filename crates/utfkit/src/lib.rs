//! Checks and converts text: UTF-8, UTF-16, UTF-32, ISO-8859-1 and US-ASCII.
//!
//! ```
//! // Is it UTF-8? If not: where, how long, and what is wrong.
//! let error = utfkit::from_utf8(b"caf\xE9 au lait").unwrap_err();
//! assert_eq!((error.offset(), error.error_len()), (3, Some(1)));
//! assert_eq!(error.kind(), utfkit::ErrorKind::MissingContinuation);
//!
//! // Into memory of yours, checked on the way.
//! let mut units = [0; 8];
//! let n = utfkit::utf8_to_utf16("naïve".as_bytes(), &mut units)?;
//! assert_eq!(units[..n], [0x6E, 0x61, 0xEF, 0x76, 0x65]);
//! # Ok::<(), utfkit::Error>(())
//! ```
//!
//! # Which function when
//!
//! | you have | and want | |
//! |---|---|---|
//! | bytes | a `&str` | [`from_utf8`] |
//! | bytes | text, whatever they are | [`from_utf8_lossy`] |
//! | bytes | to know whether they are UTF-8, by the RFC of your choice | [`validate()`] |
//! | bytes | every fault in them, not only the first | [`errors()`] |
//! | bytes | what to tell a person: line, column, clause | [`diagnose`] |
//! | units in memory | other units, in memory of yours | [`utf8_to_utf16`] and its eleven like |
//! | | in a new vector or string | [`utf8_to_utf16_to_vec`], [`utf16_to_string`] and their like |
//! | | with U+FFFD for what is ill-formed | [`utf8_to_utf16_lossy`], [`utf16_to_utf8_lossy`], [`utf8_to_utf8_lossy`] |
//! | units | how much room the result takes | [`utf16_len_from_utf8`] and its like, [`count_code_points`] |
//! | a lot, and cores to spare | the same sooner | [`parallel`] |
//! | a stream, in pieces | any encoding as any other | [`Transcoder`] |
//! | a `Read` or a `Write` | the same | [`TranscodeReader`], [`TranscodeWriter`] |
//! | a label, as `utf-16le` | the encoding | [`Encoding::for_label`] |
//! | a document, a `Content-Type` | the label in it | [`label`] |
//! | bytes of no known encoding | whether U+FEFF in front tells it | [`bom`] |
//! | a place in UTF-8, damaged or not | where the next or the last character begins | [`next_boundary`], [`previous_boundary`], [`resynchronize`] |
//! | two texts | their order by code point | [`compare_utf8`], [`compare_utf16`] and its like |
//! | | whether they are the same to a reader | `normalized_eq` (feature `normalization`) |
//! | text | one of its normalization forms | `normalize`, `NormalizeReader`, `NormalizeWriter` (feature `normalization`) |
//! | | the columns that it takes on a terminal | `display_width` (feature `width`) |
//! | bytes, and text that may be in them | where it is | the module `search` (feature `search`) |
//! | bytes of unknown origin | whether they are UTF-8, and how surely | [`recognize`] |
//! | | which encoding they are in | the module `detect` (feature `detect`) |
//! | bytes that should be UTF-8 | to make them so, and to know what was changed | the module `repair` (feature `repair`) |
//! | an environment | whether its locale is one of UTF-8 | [`locale`] |
//!
//! `u16` and `u32` units are in the order of the machine; [`Transcoder`] reads
//! and writes bytes in a stated order.
//!
//! # What bad input gets
//!
//! An [`Error`]: offset, length and [kind](ErrorKind), for UTF-8 exactly as
//! [`core::str::Utf8Error`] counts them. Strict functions stop in front of it.
//! Lossy ones write U+FFFD for each maximal subpart of what is ill-formed
//! (Unicode Standard, section 3.9), as the standard library does. If the
//! destination is too small the error says so, and [`Error::written`] how far
//! it went, which is a boundary between characters; what lies behind that in
//! the destination is unspecified. No function panics.
//!
//! # Features
//!
//! - `std` (default): finds the best instruction set when the program runs,
//!   and adds the adaptors for `std::io`, [`locale`] and [`parallel`].
//! - `alloc` (in `std`): vectors and strings as results.
//! - Without both: everything that works in memory of the caller. The
//!   instruction set is then the one that the program is compiled for.
//! - `legacy`: the encodings from before UTF-8 that browsers read (`Legacy`),
//!   by the tables of `encoding_rs`.
//! - `detect` (with `alloc` and `legacy`): which encoding bytes are in. By the
//!   crate `chardetng`, where nothing better than a guess is left.
//! - `normalization` (with `alloc`): the normalization forms, and equality by
//!   them; with `std` for streams. By the crate `unicode-normalization`.
//! - `repair` (with `alloc` and `legacy`): ill-formed text made well-formed, and
//!   text that was encoded twice undone.
//! - `search`: text in bytes that may be ill-formed. By the crate `memchr`.
//! - `width`: columns on a terminal. By the crate `unicode-width`.
//!
//! Without the last five there are no dependencies. The oldest Rust that compiles
//! this is 1.89.
//!
//! # Cost
//!
//! A conversion is one pass, validates on the way, and allocates only where
//! its result is a vector or a string. Vector kernels for AVX-512 (with
//! VBMI2), AVX2, SSSE3, NEON and WebAssembly's simd128 validate and convert
//! between UTF-8, UTF-16, UTF-32 and ISO-8859-1, well-formed or not, and count. What has no kernel takes runs
//! of US-ASCII at once and the rest value by value. Each fault that [`errors()`]
//! answers with costs some tens of nanoseconds. [`isa`] says what is in use. Every
//! instruction set gives the same results.
//!
//! # Safety
//!
//! `unsafe` is confined to the instruction sets and to one small module that
//! sees integers as bytes and validated bytes as `str`; the compiler refuses
//! it everywhere else. Kernels reach memory through slices of checked length.
#![no_std]
#![deny(unsafe_code)]
// No function panics: what cannot happen is said by types, or answered with
// something harmless.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::todo,
        clippy::unimplemented,
        clippy::unwrap_in_result,
        clippy::panic_in_result_fn
    )
)]
// On a processor for which there is no instruction set in `simd`, the kernels
// are there and nobody calls them.
#![cfg_attr(
    not(any(
        target_arch = "x86_64",
        target_arch = "x86",
        all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
        all(target_arch = "wasm32", target_feature = "simd128")
    )),
    allow(dead_code, unused_imports, unused_variables)
)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

/// The example in README.md is a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

mod convert;
#[cfg(feature = "detect")]
pub mod detect;
pub mod diagnose;
mod encoding;
mod engine;
mod error;
pub mod isa;
mod policy;
#[cfg(feature = "repair")]
pub mod repair;
mod standard;
mod text;
mod transcode;
mod utf8;

#[cfg(feature = "alloc")]
pub use convert::owned::{
    latin1_to_string, latin1_to_utf8_to_vec, latin1_to_utf16_to_vec, latin1_to_utf32_to_vec, utf8_to_latin1_to_vec,
    utf8_to_utf8_lossy_to_vec, utf8_to_utf16_lossy_to_vec, utf8_to_utf16_to_vec, utf8_to_utf32_to_vec,
    utf16_to_latin1_to_vec, utf16_to_string, utf16_to_string_lossy, utf16_to_utf8_lossy_to_vec, utf16_to_utf8_to_vec,
    utf16_to_utf32_to_vec, utf32_to_latin1_to_vec, utf32_to_string, utf32_to_utf8_to_vec, utf32_to_utf16_to_vec,
};
#[cfg(feature = "std")]
pub use convert::parallel;
pub use convert::{
    count_code_points, latin1_to_utf8, latin1_to_utf16, latin1_to_utf32, utf8_len_from_latin1, utf8_len_from_utf16,
    utf8_len_from_utf32, utf8_to_latin1, utf8_to_utf8_lossy, utf8_to_utf16, utf8_to_utf16_lossy, utf8_to_utf32,
    utf16_len_from_utf8, utf16_to_latin1, utf16_to_utf8, utf16_to_utf8_lossy, utf16_to_utf32, utf32_to_latin1,
    utf32_to_utf8, utf32_to_utf16,
};
pub use encoding::Encoding;
#[cfg(feature = "legacy")]
pub use engine::legacy::Legacy;
pub use error::{Error, ErrorKind};
pub use policy::{EscapeForm, Policy, Practice};
pub use standard::Standard;
#[cfg(feature = "std")]
pub use text::locale;
#[cfg(feature = "normalization")]
pub use text::normalize::{NormalizationForm, is_normalized, normalize, normalized_eq};
#[cfg(all(feature = "normalization", feature = "std"))]
pub use text::normalize::{NormalizeReader, NormalizeWriter};
pub use text::order::{compare_utf8, compare_utf16, compare_utf16_be, compare_utf16_le};
#[cfg(feature = "search")]
pub use text::search;
pub use text::{bom, label};
#[cfg(feature = "width")]
pub use text::{display_width, display_width_of_bytes};
#[cfg(feature = "std")]
pub use transcode::{FinishError, TranscodeReader, TranscodeWriter};
pub use transcode::{Status, Step, Transcoder};
#[cfg(feature = "alloc")]
pub use utf8::from_utf8_lossy;
pub use utf8::{
    Errors, Recognition, Verdict, errors, from_utf8, is_boundary, next_boundary, previous_boundary, recognize,
    resynchronize, validate, validate_utf16, validate_utf32,
};
