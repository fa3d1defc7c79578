//! Detection of encodings and repair of text, re-exported by
//! [`utfkit`](https://docs.rs/utfkit): depend on that, with the features `detect` and
//! `repair`.
// ci/doctests compiles the examples alone.
#![cfg_attr(utfkit_examples, cfg(doctest))]
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
// No function panics: types exclude it, or the result is harmless.
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

extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

pub mod detect;
mod halves;
mod hashes;
mod line;
mod model;
pub mod repair;
