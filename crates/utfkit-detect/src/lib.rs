//! The judgement of [`utfkit`](https://docs.rs/utfkit), which re-exports it:
//! the encoding of bytes of unknown origin, and the repair of damaged or doubly
//! encoded text.
//!
//! Depend on `utfkit` with the features `detect` and `repair`.
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

extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

pub mod detect;
mod model;
pub mod repair;
