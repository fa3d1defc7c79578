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
//! | bytes | a `&str` | [`from_utf8`], [`from_utf8_lossy`] |
//! | a `Vec<u8>` | a `String`, without a copy | [`string_from_utf8`], [`string_from_utf8_lossy`] |
//! | bytes in any encoding | text, and the other way round | [`Encoding::decode`], [`Encoding::encode`] |
//! | bytes | to know whether they are UTF-8, by the RFC of your choice | [`validate()`]; in pieces [`Utf8Validator`] |
//! | | every error, not only the first | [`errors()`], [`utf8_chunks`] |
//! | | what to tell a person: line, column, clause | [`diagnose`] |
//! | units in memory | other units, in memory of yours | [`utf8_to_utf16`], [`utf16_to_utf8_lossy`] and so on |
//! | | the same in a new vector | the same names in [`owned`] |
//! | | a string | [`utf16_to_string`], [`utf32_to_string`], [`latin1_to_string`] |
//! | | how long the result gets | [`utf16_len_from_utf8`] and so on; at most [`max_utf8_len_from_utf16`] and so on |
//! | bytes of UTF-16 or UTF-32, in a stated order | all of that | the same names in [`le`] and [`be`] |
//! | much text, and cores to spare | all of that | the same names in `parallel` (feature `parallel`) |
//! | a stream | any encoding as any other | [`Transcoder`], [`TranscodeReader`], [`TranscodeWriter`] |
//! | a label, a document, a BOM | the encoding | [`Encoding::for_label`], [`label`], [`bom`], [`Encoding::for_bom`] |
//! | bytes of unknown origin | their encoding | [`recognize`], [`detect_encodings`], `detect` (feature `detect`) |
//! | damaged UTF-8 | its characters and where they begin | [`char_indices`], [`next_boundary`], [`previous_boundary`] |
//! | | UTF-8, and what was changed | `repair` (feature `repair`) |
//! | | where some text is | `search` (feature `search`) |
//! | two texts | their order by code point | `cmp` of their bytes in UTF-8, [`compare_utf16`] |
//! | | whether they are the same to a reader | `normalized_eq` (feature `normalization`) |
//! | a terminal | its encoding, the columns of a text | [`locale`], `display_width` (feature `width`) |
//!
//! Calls of `encoding_rs`, `bstr`, `simdutf8`, `std` and simdutf stand beside
//! ours in [`coming_from`].
//!
//! `u16` and `u32` units are in the order of the machine; [`Transcoder`] reads
//! and writes bytes in a stated order.
//!
//! # What bad input gets
//!
//! An [`Error`]: offset, length and [kind](ErrorKind), for UTF-8 exactly as
//! [`core::str::Utf8Error`] counts them. Strict functions stop before it.
//! Lossy ones write U+FFFD for each maximal subpart of what is ill-formed
//! (Unicode Standard, section 3.9), as the standard library does. If the
//! destination is too small the error says so, and [`Error::written`] how far
//! it went, which is a boundary between characters; what lies after that in
//! the destination is unspecified. No function panics.
//!
//! # Features
//!
//! - `std` (default): finds the best instruction set when the program runs,
//!   and adds the adaptors for `std::io` and [`locale`].
//! - `parallel` (with `std`): conversions of large slices on several threads.
//! - `alloc` (in `std`): vectors and strings as results.
//! - Without both: everything that works in memory of the caller. The
//!   instruction set is then the one that the program is compiled for.
//! - `legacy`: the encodings from before UTF-8 (`Legacy`): those that browsers
//!   read by the tables of `encoding_rs`, others by tables of its own.
//! - `detect` (with `alloc` and `legacy`): which encoding bytes are in, and how
//!   surely. It comes with 190 KB of what text of 69 languages is like.
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
//! of US-ASCII at once and the rest value by value. Each error that [`errors()`]
//! returns costs some tens of nanoseconds. [`isa`] says what is in use. Every
//! instruction set gives the same results.
//!
//! # Safety
//!
//! `unsafe` is confined to the instruction sets, to one small module that sees
//! integers as bytes, and to the functions that make a `str` of bytes which they
//! have validated or written; the compiler refuses it everywhere else. Kernels
//! reach memory through slices of checked length.
#![no_std]
#![forbid(unsafe_code)]

#[doc(inline)]
pub use utfkit_core::*;
#[cfg(feature = "detect")]
#[doc(inline)]
pub use utfkit_detect::detect;
#[cfg(feature = "repair")]
#[doc(inline)]
pub use utfkit_detect::repair;
#[cfg(feature = "locale")]
#[doc(inline)]
pub use utfkit_text::locale;
#[cfg(feature = "search")]
#[doc(inline)]
pub use utfkit_text::search;
#[cfg(feature = "normalization")]
pub use utfkit_text::{NormalizationForm, is_normalized, normalize, normalized_eq};
#[cfg(all(feature = "normalization", feature = "std"))]
pub use utfkit_text::{NormalizeReader, NormalizeWriter};
#[cfg(feature = "width")]
pub use utfkit_text::{display_width, display_width_of_bytes};

#[cfg(any(doc, doctest))]
pub mod coming_from;

/// The examples in README.md are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// Every type may go to another thread and be seen by several.
const _: () = {
    const fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<(Encoding, Error, Transcoder)>();
    #[cfg(feature = "detect")]
    is_send_and_sync::<(detect::Detector, detect::Detection)>();
    #[cfg(feature = "repair")]
    is_send_and_sync::<(repair::Repairer, repair::Options, repair::Survey)>();
    #[cfg(all(feature = "normalization", feature = "std"))]
    is_send_and_sync::<(NormalizeReader<()>, NormalizeWriter<()>)>();
};
