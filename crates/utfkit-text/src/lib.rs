//! Normalization, display width, search and locales: parts of
//! [`utfkit`](https://docs.rs/utfkit), which re-exports them.
//!
//! Depend on `utfkit` with the features `normalization`, `width`, `search` and
//! `locale`.
// ci/doctests compiles the examples alone.
#![cfg_attr(utfkit_examples, cfg(doctest))]
#![no_std]
#![forbid(unsafe_code)]
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

#[cfg(any(feature = "normalization", feature = "std"))]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "std")]
pub mod locale;
#[cfg(feature = "normalization")]
mod normalize;
#[cfg(feature = "search")]
pub mod search;
#[cfg(feature = "width")]
mod width;

#[cfg(feature = "normalization")]
pub use normalize::{NormalizationForm, is_normalized, normalize, normalized_eq};
#[cfg(all(feature = "normalization", feature = "std"))]
pub use normalize::{NormalizeReader, NormalizeWriter};
#[cfg(feature = "width")]
pub use width::{display_width, display_width_of_bytes};
