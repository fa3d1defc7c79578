//! utfkit for C: `libutfkit.so`, `libutfkit.a` and their header, `include/utfkit.h`.
//!
//! Pointers become slices ([`slices`]), errors become a [`result`], and the library (here `engine`) does the
//! work. `ci/c-header.sh` makes the header from this crate, comments and preconditions included.
//!
//! No panic crosses into C: the functions are `extern "C"`, so Rust aborts the process instead of unwinding.
//! A panic would be a bug of unknown extent, and stopping is the safest reaction to one.
#![deny(unsafe_code)]
#![allow(non_camel_case_types)]

#[allow(unsafe_code)]
pub mod check;
#[allow(unsafe_code)]
pub mod detect;
#[allow(unsafe_code)]
pub mod encoding;
#[allow(unsafe_code)]
pub mod repair;
pub mod result;
#[allow(unsafe_code)]
mod slices;
#[allow(unsafe_code)]
pub mod transcoder;
#[allow(unsafe_code)]
pub mod units;
