//! The definitions of the encoding forms of [`utfkit`](https://docs.rs/utfkit), one value at a
//! time, the kinds of errors, and the standards of UTF-8.
//!
//! Depend on `utfkit`, which re-exports the public types. This crate knows no kernel: what is
//! fast is in `utfkit-core` and may only shorten the way to the same result.
// ci/doctests compiles the examples alone.
#![cfg_attr(utfkit_examples, cfg(doctest))]
#![no_std]
#![forbid(unsafe_code)]
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

mod error;
/// Not covered by semantic versioning.
#[allow(missing_docs, clippy::new_without_default)]
#[doc(hidden)]
pub mod scalar;
mod standard;

pub use error::ErrorKind;
pub use standard::Standard;
