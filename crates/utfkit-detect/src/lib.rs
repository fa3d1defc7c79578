//! The judgement of [`utfkit`](https://docs.rs/utfkit), which re-exports it:
//! which encoding bytes are in, and what damaged or doubly encoded text was.
//!
//! Depend on `utfkit` with the features `detect` and `repair`.
#![no_std]
#![forbid(unsafe_code)]
// No function panics: what cannot happen is said by types, or has a
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
mod likelihood;
pub mod repair;
