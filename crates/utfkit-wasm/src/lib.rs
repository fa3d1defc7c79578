//! The engine of the npm package `utfkit`: functions that a WebAssembly module
//! exports.
//!
//! The module owns its memory. JavaScript asks for the address of `input`, writes bytes there
//! and calls a function with their number. The function leaves its results in `output`, in
//! `note`, which is text or JSON, and in `numbers`. No pointer comes in, so the one use of
//! `unsafe` is the attribute that exports a name.
//!
//! A stream is an object with a number, which JavaScript frees.
#![deny(unsafe_code)]
#![allow(missing_docs)]
// Some functions are used by larger modules alone.
#![cfg_attr(not(feature = "detect"), allow(dead_code))]

#[cfg(feature = "check")]
mod checking;
#[cfg(feature = "convert")]
mod converting;
#[cfg(feature = "detect")]
mod detecting;
// `no_mangle` is an unsafe attribute: two functions of one name would be one.
#[allow(unsafe_code)]
pub mod exports;
#[cfg(feature = "check")]
mod json;
#[cfg(feature = "convert")]
mod labels;
#[cfg(feature = "detect")]
mod repairing;
mod state;
mod validating;
