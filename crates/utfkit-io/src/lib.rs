//! Reads text in any encoding as UTF-8, in bounded memory.
//!
//! [`Utf8Reader`] is for parsers that want UTF-8. [`Utf8Stream`] does the same without
//! I/O, for asynchronous code.
//!
//! ```
//! use std::io::Read;
//! use utfkit::io::Utf8Reader;
//!
//! // "Grüße" in UTF-16LE, with a BOM.
//! let file = &b"\xFF\xFEG\0r\0\xFC\0\xDF\0e\0"[..];
//! let mut text = String::new();
//! Utf8Reader::new(file).read_to_string(&mut text)?;
//! assert_eq!(text, "Grüße");
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # The encoding
//!
//! - [`Options::encoding`] states it.
//! - [`Options::detect`] (feature `detect`) finds it. US-ASCII is the same in nearly all
//!   encodings, so it is passed on until the first byte that is not, or is a control of
//!   an encoding with states. Then a window is read, and the encoding of it is detected.
//!   No byte is read twice, so pipes and sockets work.
//! - Otherwise a BOM selects UTF-8, UTF-16 or UTF-32; without one, it is UTF-8.
//!
//! [`report`](Utf8Reader::report) says which it is, and how many errors there were.
//!
//! # Errors
//!
//! Bytes that are ill-formed in the encoding are errors, also if it was detected and they
//! contradict it later. [`Options::errors`] says how they are treated. With
//! [`Policy::Strict`](utfkit_core::Policy::Strict), the default, the text before the
//! error is returned first, and the error then ends the stream.
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

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "std")]
mod adaptor;
#[cfg(feature = "std")]
mod chars;
mod error;
mod options;
#[cfg(feature = "std")]
mod reader;
mod report;
mod stream;
#[cfg(feature = "std")]
mod transcode;
#[cfg(feature = "detect")]
mod window;

pub use error::ReadError;
pub use options::Options;
#[cfg(feature = "std")]
pub use reader::Utf8Reader;
pub use report::Report;
pub use stream::Utf8Stream;

/// The readers and writers that `utfkit` has at its root.
#[cfg(feature = "std")]
#[doc(hidden)]
pub mod root {
    pub use crate::chars::{Chars, chars, chars_lossy, read_char};
    pub use crate::transcode::{FinishError, TranscodeReader, TranscodeWriter};
}

/// Parts for other adaptors of this workspace. Not covered by semantic versioning.
#[cfg(feature = "std")]
#[doc(hidden)]
pub mod internal {
    pub use crate::adaptor::{Operation, Reader, Writer, reader, writer};
}

// For the command; not covered by semantic versioning.
#[cfg(feature = "detect")]
#[doc(hidden)]
pub use window::{Decision, Window};
