//! Errors named as a person would name them, with the line they stand on.
//!
//! [`Error`](crate::Error) says what a program does next: how many units to
//! skip. A person wants to read that `C0 AF` is *one* overlong form of U+002F,
//! not two bytes that cannot stand where they stand. A [`Finding`] is that:
//! the whole sequence, its line and column, and a message with the clause of
//! the standard that it breaks.
//!
//! - [`Checker`] finds everything that is wrong with a stream, in bounded
//!   memory and however the stream was cut, at the speed of the validator where
//!   nothing is wrong.
//! - [`Locator`] follows a stream that a [`Transcoder`](crate::Transcoder)
//!   converts, and turns the one `Error` that stopped it into a `Finding`.
//! - [`Pieces`] takes a stream apart for readers who want to see all of it,
//!   well-formed characters too, and which bits are header and which payload.
//!
//! - `lenient_reading` (with `alloc`) reads a stretch of bytes as a careless
//!   decoder would: it shows the attack in `2F C0 AE 2E 2F`.
//!
//! A column counts code points, each ill-formed sequence as one; a line ends at
//! U+000A. A U+FEFF at the start of UTF-8 is a character like any other.
//!
//! ```
//! use utfkit::diagnose::Checker;
//! use utfkit::{Encoding, ErrorKind, Standard};
//!
//! let mut lines = Vec::new();
//! let mut checker = Checker::new(Encoding::Utf8, Standard::Rfc3629);
//! for chunk in [b"Gr\xC3\xBC\xC3\x9Fe\n../\xC0".as_slice(), b"\xAEsecret\n"] {
//!     checker.feed(chunk, |finding| lines.push(finding.to_string()));
//! }
//! checker.finish(|finding| lines.push(finding.to_string()));
//!
//! assert_eq!(
//!     lines,
//!     [r#"2:4: byte 11: C0 AE: overlong: two-byte form of U+002E ".", which must be 2E (RFC 3629 section 3)"#]
//! );
//! assert_eq!(checker.totals().of_kind(ErrorKind::Overlong), 1);
//! ```

mod ahead;
mod checker;
mod finding;
#[cfg(feature = "alloc")]
mod lenient;
mod locator;
mod naming;
mod pieces;
mod position;
mod relatives;

#[doc(hidden)]
pub use ahead::Ahead;
pub use checker::{Checker, Totals};
pub use finding::{Diagnosis, Finding};
#[cfg(feature = "alloc")]
pub use lenient::lenient_reading;
pub use locator::Locator;
pub use pieces::{Content, Piece, Pieces};
