//! utfkit for C: `libutfkit.so`, `libutfkit.a` and their header, `include/utfkit.h`.
//!
//! A door: pointers become slices ([`slices`]), errors become a [`result`], and
//! the library (here `engine`) does the work. The header is made of this crate by
//! `ci/c-header.sh`, comments included.
//!
//! No panic crosses the boundary. The library's functions do not panic, and those here
//! are `extern "C"`, at which Rust ends the process rather than unwind into C. That is meant:
//! a panic would be a bug whose extent nobody knows, and to go on with it is not safer than to stop.
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
