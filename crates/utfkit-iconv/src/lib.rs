//! `iconv(3)` by utfkit: `libutfkit_iconv.so`, preloaded with `LD_PRELOAD`.
//!
//! Programs that call `iconv_open`, `iconv` and `iconv_close` get utfkit's kernels without being compiled again.
//! Bytes, return values, `errno`, pointers and counts are glibc's. Conversions that utfkit would do
//! differently go to the system's `iconv`: stateful encodings, East Asian encodings with other tables, `//TRANSLIT`,
//! `//IGNORE`, and unknown names. The library is for Linux; elsewhere it is empty.
//!
//! | | |
//! |---|---|
//! | [`charset`] | the names converted here, with glibc's meaning |
//! | [`conversion`] | a conversion with glibc's results, on slices |
//! | [`bytes`], [`units`] | fast paths for single-byte encodings and for short calls |
//! | [`learned`] | East Asian encodings, by tables learned from the system's `iconv` |
//! | [`boundary`] | the functions that C calls |
//! | `handle` | the object behind an `iconv_t` |
//! | [`system`] | the system's `iconv`, found by `dlsym` |
//! | [`count`] | counts of calls |
//!
//! # Differences from glibc
//!
//! - UTF-8 is that of RFC 3629. glibc also converts values above U+10FFFF, in four to six bytes, between UTF-8 and
//!   UCS-4 or UTF-8. Here they are `EILSEQ`.
//! - Surrogates in UCS-4 are `EILSEQ`. glibc copies them from UCS-4 to UCS-4.
//!
//! # Panics
//!
//! No panic crosses into C: the functions are `extern "C"`, so Rust aborts the process instead of unwinding. The
//! fuzzer of this crate looks for panics.
#![cfg(target_os = "linux")]
#![deny(unsafe_code)]

#[allow(unsafe_code)]
pub mod boundary;
pub mod bytes;
pub mod charset;
pub mod conversion;
#[allow(unsafe_code)]
pub mod count;
#[allow(unsafe_code)]
mod handle;
pub mod learned;
#[allow(unsafe_code)]
pub mod system;
pub mod units;
