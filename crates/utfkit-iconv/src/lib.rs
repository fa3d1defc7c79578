//! `iconv(3)` by utfkit, before the system's in the order of lookup:
//! `libutfkit_iconv.so` is for `LD_PRELOAD`.
//!
//! A program that calls `iconv_open`, `iconv` and `iconv_close` gets utfkit's
//! kernels without being compiled again. Bytes, return values, `errno`, pointers
//! and counts are those of glibc. What utfkit does not convert byte for byte as
//! glibc does goes to the system's `iconv`: encodings with shift states, those
//! of East Asia whose tables differ, `//TRANSLIT` and `//IGNORE`, and every name
//! that is unknown here. It is for Linux: elsewhere it is empty.
//!
//! | | |
//! |---|---|
//! | [`charset`] | which names are ours, and what glibc means by them |
//! | [`conversion`] | a conversion as glibc does it; knows nothing of C |
//! | [`bytes`], [`units`] | faster ways for encodings of a byte a character, and for short calls |
//! | [`learned`] | encodings of East Asia, by what the system's `iconv` makes of each character |
//! | [`boundary`] | the functions that C calls |
//! | [`system`] | the system's `iconv`, found by `dlsym` |
//! | [`count`] | how often it was called, for those who ask |
//!
//! # Where glibc is not followed
//!
//! - UTF-8 is that of RFC 3629. glibc also reads and writes values above U+10FFFF, in
//!   four to six bytes, where the other side has them: UCS-4, or UTF-8 itself. Here
//!   they are `EILSEQ`.
//! - Surrogates in UCS-4 are `EILSEQ`. glibc copies them where the target is
//!   UCS-4 too.
//!
//! # Panics
//!
//! None cross the boundary: the functions that C calls are `extern "C"`, at which
//! Rust ends the process rather than unwind into C; and none begin, which is what
//! the fuzzer of this crate looks for.
#![cfg(target_os = "linux")]
#![deny(unsafe_code)]

#[allow(unsafe_code)]
pub mod boundary;
pub mod bytes;
pub mod charset;
pub mod conversion;
#[allow(unsafe_code)]
pub mod count;
pub mod learned;
#[allow(unsafe_code)]
pub mod system;
pub mod units;
