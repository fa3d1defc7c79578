//! Checks, converts, detects and repairs text: UTF-8 in all its forms, UTF-16,
//! UTF-32, ISO-8859-1 and older encodings.
//!
//! ```
//! // Like `core::str::from_utf8`, but the error also has a kind.
//! let error = utfkit::from_utf8(b"caf\xE9 au lait").unwrap_err();
//! assert_eq!((error.offset(), error.error_len()), (3, Some(1)));
//! assert_eq!(error.kind(), utfkit::ErrorKind::MissingContinuation);
//!
//! // Into memory of the caller, validated on the way.
//! let mut units = [0; 8];
//! let n = utfkit::utf8_to_utf16("naïve".as_bytes(), &mut units)?;
//! assert_eq!(units[..n], [0x6E, 0x61, 0xEF, 0x76, 0x65]);
//! # Ok::<(), utfkit::Error>(())
//! ```
//!
//! # Which function to use
//!
//! | from | to | |
//! |---|---|---|
//! | bytes | a `&str` | [`from_utf8`], [`from_utf8_lossy`] |
//! | a `Vec<u8>` | a `String`, without a copy | [`string_from_utf8`], [`string_from_utf8_lossy`] |
//! | bytes in any encoding | text, and back | [`Encoding::decode`], [`Encoding::encode`] |
//! | bytes | the first error, by the RFC of your choice | [`validate()`]; for a stream [`Utf8Validator`] |
//! | | every error | [`errors()`], [`utf8_chunks`] |
//! | | a message for people: line, column, clause | [`diagnose::findings`]; for a stream [`diagnose`] |
//! | units in memory | other units, in memory of the caller | [`utf8_to_utf16`], [`utf16_to_utf8_lossy`] … |
//! | | a new vector, or several threads | [`conversion`] |
//! | | a string | [`utf16_to_string`], [`utf32_to_string`], [`latin1_to_string`] |
//! | | the length of the result | [`utf16_len_from_utf8`] …; an upper bound [`max_utf8_len_from_utf16`] … |
//! | bytes of UTF-16 or UTF-32 in a stated order | any of these | [`Encoding::validate`], [`convert`](Encoding::convert), [`decode_strict`](Encoding::decode_strict), [`encode`](Encoding::encode) |
//! | a stream | any encoding from any other | [`Transcoder`], [`TranscodeReader`], [`TranscodeWriter`] |
//! | a reader | its characters | `chars`, `read_char` (feature `std`) |
//! | | UTF-8 for a parser, the encoding detected on the way | [`io::Utf8Reader`], [`io::Utf8Stream`] |
//! | a label, a document, a BOM | the encoding | [`Encoding::for_label`], [`label`], [`bom`], [`Encoding::for_bom`] |
//! | a code page of Windows | the encoding, and back | [`Encoding::for_code_page`], [`Encoding::code_page`] |
//! | bytes of unknown origin | their encoding | [`recognize`], [`detect_encodings`], `detect` (feature `detect`) |
//! | damaged UTF-8 | its characters and boundaries | [`char_indices`], [`next_boundary`], [`previous_boundary`] |
//! | | UTF-8 and a list of changes | `repair` (feature `repair`) |
//! | | the offset of some text | `search` (feature `search`) |
//! | two texts | their order by code point | `cmp` of their bytes in UTF-8, [`compare_utf16`] |
//! | | canonical equivalence | `normalized_eq` (feature `normalization`) |
//! | a terminal | its encoding, the columns of a text | `locale` (feature `locale`), `display_width` (feature `width`) |
//!
//! [`coming_from`] translates calls of `encoding_rs`, `bstr`, `simdutf8`, `std` and
//! simdutf.
//!
//! `u16` and `u32` units are in native byte order. [`Transcoder`] reads and writes
//! bytes in a stated order.
//!
//! # Ill-formed input
//!
//! The result is an [`Error`] with offset, length and [kind](ErrorKind); for UTF-8,
//! offset and length equal those of [`core::str::Utf8Error`]. Strict functions stop
//! before the error. Lossy functions write U+FFFD for each maximal subpart of an
//! ill-formed sequence (Unicode Standard, section 3.9), as the standard library does.
//! If the destination is too small, the error says so, and [`Error::written`] is the
//! number of units written, which ends at a character boundary. The rest of the
//! destination is unspecified. No function panics.
//!
//! # Features
//!
//! - `std` (default): selects the instruction set at run time, and adds adaptors for
//!   `std::io`.
//! - `alloc` (in `std`): vectors and strings as results.
//! - `parallel`: conversion of large slices on several threads.
//! - `legacy`: the encodings from before Unicode ([`Legacy`]); the Web's encodings use the
//!   tables of `encoding_rs`.
//! - `detect`: which encoding bytes are in, and how surely. Adds `legacy` and a model
//!   of 69 languages (190 KB).
//! - `repair`: makes ill-formed text well-formed and undoes double encoding. Adds
//!   `legacy` and the model.
//! - `normalization`: normalization forms, by `unicode-normalization`.
//! - `search`: text in bytes that may be ill-formed, by `memchr`.
//! - `width`: columns on a terminal, by `unicode-width`.
//! - `locale`: the encoding that the environment selects.
//! - `serde`: an [`Encoding`] as its name, by `serde_core`.
//!
//! Without `std` and `alloc` everything works in memory of the caller, and the
//! instruction set is the one that the program is compiled for. The default features
//! have no dependencies outside this project. The oldest supported Rust is 1.89.
//!
//! # Cost
//!
//! A conversion is one pass that validates on the way; it allocates only if its result
//! is a vector or a string. Kernels for AVX-512 (with VBMI2), AVX2, SSSE3, NEON and
//! WebAssembly's simd128 validate, count and convert between UTF-8, UTF-16, UTF-32 and
//! ISO-8859-1, well-formed or not. Other encodings copy US-ASCII in runs and convert
//! the rest value by value. Each error that [`errors()`] returns costs some tens of
//! nanoseconds. [`isa`] names the instruction set in use; the results do not depend
//! on it.
//!
//! # Safety
//!
//! `unsafe` is confined to the instruction sets, to one small module that views
//! integers as bytes, and to the functions that return a `str` of bytes that they have
//! validated or written; the compiler refuses it elsewhere.
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[doc(inline)]
pub use utfkit_core::*;
#[cfg(feature = "detect")]
#[doc(inline)]
pub use utfkit_detect::detect;
#[cfg(feature = "repair")]
#[doc(inline)]
pub use utfkit_detect::repair;
#[doc(inline)]
pub use utfkit_diagnose as diagnose;
#[cfg(feature = "alloc")]
#[doc(inline)]
pub use utfkit_io as io;
#[cfg(feature = "std")]
#[doc(inline)]
pub use utfkit_io::root::{Chars, FinishError, TranscodeReader, TranscodeWriter, chars, chars_lossy, read_char};
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
#[doc = include_str!("../README.md")]
struct Readme;

// All types are `Send` and `Sync`.
const _: () = {
    const fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<(Encoding, Error, Transcoder)>();
    #[cfg(feature = "detect")]
    is_send_and_sync::<(detect::Detector, detect::Detection)>();
    #[cfg(feature = "repair")]
    is_send_and_sync::<(repair::Repairer, repair::Options, repair::Survey)>();
    #[cfg(feature = "std")]
    is_send_and_sync::<(TranscodeReader<()>, TranscodeWriter<()>, FinishError<()>, Chars<()>)>();
    #[cfg(all(feature = "normalization", feature = "std"))]
    is_send_and_sync::<(NormalizeReader<()>, NormalizeWriter<()>)>();
};
