//! Errors described for people, with line and column.
//!
//! [`Error`](utfkit_core::Error) tells a program how many units to skip. A [`Finding`]
//! tells a person that `C0 AF` is *one* overlong form of U+002F, not two invalid
//! bytes: it has the whole sequence, its line and column, and a message with the
//! clause of the standard that the sequence breaks.
//!
//! - [`findings`] iterates over the errors of bytes that are at hand.
//! - [`Checker`] finds all errors of a stream in bounded memory, however the stream
//!   is cut, at the speed of the validator on well-formed text.
//! - [`Locator`] follows a stream that a [`Transcoder`](utfkit_core::Transcoder)
//!   converts, and turns the `Error` that stopped it into a `Finding`.
//! - [`Pieces`] iterates over all of a stream, well-formed characters included,
//!   with their header and payload bits.
//! - `lenient_reading` (with `alloc`) decodes bytes as a careless decoder would:
//!   it shows the attack in `2F C0 AE 2E 2F`.
//!
//! A column counts code points, each ill-formed sequence as one. A line ends at
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

#[cfg(feature = "alloc")]
extern crate alloc;

mod ahead;
mod checker;
mod finding;
mod findings;
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
pub use findings::{Findings, findings, findings_in};
#[cfg(feature = "alloc")]
pub use lenient::lenient_reading;
pub use locator::Locator;
pub use pieces::{Content, Piece, Pieces};

// All types are `Send` and `Sync`.
const _: () = {
    const fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<(Checker, Locator, Ahead, Finding, Findings<'_>, Pieces)>();
};
