//! The codec of [`utfkit`](https://docs.rs/utfkit), which re-exports all of it:
//! validation, conversion, transcoding, BOMs and labels.
//!
//! Depend on `utfkit`; its documentation begins with a table of which function
//! to use when. This crate exists so that programs which only convert text do
//! not compile the detector and its language model.
// ci/doctests compiles the examples alone.
#![cfg_attr(utfkit_examples, cfg(doctest))]
#![no_std]
#![deny(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
// No function panics: types exclude impossible cases, or such cases have a
// harmless result.
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
// Without an instruction set for the target, the kernels are compiled and unused.
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

mod convert;
mod encoding;
// Other crates see some of it through `internal`.
#[allow(missing_docs)]
mod engine;
mod error;
#[doc(hidden)]
pub mod internal;
mod policy;
mod text;
mod transcode;
mod utf8;

// Each item that needs a feature has an attribute of its own: rustdoc shows it also where `utfkit` re-exports
// the item.
#[cfg(feature = "alloc")]
pub use convert::conversion;
#[cfg(feature = "parallel")]
pub use convert::validate_parallel;
#[cfg(feature = "alloc")]
pub use convert::{
    FromUtf8Error, from_utf8_lossy, latin1_to_string, string_from_utf8, string_from_utf8_lossy, utf16_to_string,
    utf16_to_string_lossy, utf32_to_string,
};
pub use convert::{
    count_code_points, count_utf16, latin1_to_utf8, latin1_to_utf16, latin1_to_utf32, max_utf8_len_from_latin1,
    max_utf8_len_from_utf8_lossy, max_utf8_len_from_utf16, max_utf8_len_from_utf32, max_utf16_len_from_utf8,
    max_utf16_len_from_utf32, swap_utf16_bytes, to_well_formed_utf16, trim_partial_utf16, utf8_len_from_latin1,
    utf8_len_from_utf16, utf8_len_from_utf32, utf8_to_latin1, utf8_to_utf8_lossy, utf8_to_utf16, utf8_to_utf16_lossy,
    utf8_to_utf32, utf16_len_from_utf8, utf16_len_from_utf32, utf16_to_latin1, utf16_to_utf8, utf16_to_utf8_lossy,
    utf16_to_utf32, utf32_len_from_utf16, utf32_to_latin1, utf32_to_utf8, utf32_to_utf16,
};
#[doc(hidden)]
pub use convert::{count_code_points_and_highest, ucs2_to_utf8};
pub use encoding::Encoding;
#[cfg(feature = "legacy")]
pub use engine::legacy::Legacy;
pub use engine::simd::isa;
pub use error::Error;
pub use policy::{EscapeForm, Policy, Practice};
pub use text::order::{compare_utf16, compare_utf16_be, compare_utf16_le};
pub use text::{bom, detect_encodings, label, parse::UnknownEncoding};
pub use transcode::{Status, Step, Transcoder, WrongTarget};
pub use utf8::{
    CharIndices, Errors, Recognition, Utf8Chunk, Utf8Chunks, Utf8Validator, Verdict, char_indices, errors, from_utf8,
    is_boundary, next_boundary, previous_boundary, recognize, resynchronize, trim_partial_utf8, utf8_chunks, validate,
    validate_ascii, validate_utf16, validate_utf32,
};
#[doc(inline)]
pub use utfkit_forms::{ErrorKind, Standard};

// All types are `Send` and `Sync`.
const _: () = {
    const fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<(Encoding, UnknownEncoding)>();
    is_send_and_sync::<Error>();
    is_send_and_sync::<Transcoder>();
    is_send_and_sync::<(Step, Status, WrongTarget)>();
    is_send_and_sync::<(Errors<'_>, Utf8Chunks<'_>, Utf8Chunk<'_>, CharIndices<'_>, Utf8Validator)>();
    is_send_and_sync::<(isa::Isa, isa::UnknownIsa, isa::UnavailableIsa)>();
    is_send_and_sync::<(bom::Bom, bom::BomPolicy, bom::BomTreatment)>();
    #[cfg(feature = "alloc")]
    is_send_and_sync::<FromUtf8Error>();
};
