//! All errors of bytes that are at hand.

use core::iter::FusedIterator;
use core::ops::ControlFlow;

use crate::checker::Checker;
use crate::finding::Finding;
use utfkit_core::Encoding;
use utfkit_core::Standard;

/// Iterates over the ill-formed sequences of UTF-8, each with line, column and
/// message. For another encoding or another standard there is [`findings_in`].
///
/// ```
/// let text = b"Gr\xC3\xBC\xC3\x9Fe\n../\xC0\xAEsecret\n";
/// let lines: Vec<String> = utfkit::diagnose::findings(text).map(|finding| finding.to_string()).collect();
/// assert_eq!(
///     lines,
///     [r#"2:4: byte 11: C0 AE: overlong: two-byte form of U+002E ".", which must be 2E (RFC 3629 section 3)"#]
/// );
/// ```
///
/// # Cost
///
/// That of a [`Checker`], which is for streams, and which counts; it allocates
/// nothing.
pub fn findings(bytes: &[u8]) -> Findings<'_> {
    findings_in(bytes, Encoding::Utf8)
}

/// [`findings`] in any encoding, from the start of a stream: UTF-16 and UTF-32 by their
/// BOMs, UTF-8 of another standard as [`Utf8Rfc2279`](Encoding::Utf8Rfc2279) or one of
/// its neighbours.
///
/// ```
/// use utfkit::{Encoding, diagnose::findings_in};
///
/// let found: Vec<String> = findings_in(b"a\0\x3D\xD8", Encoding::Utf16Le).map(|f| f.to_string()).collect();
/// assert_eq!(found.len(), 1);
/// assert!(found[0].starts_with("1:2: byte 2: 3D D8: "), "{found:?}");
/// ```
pub fn findings_in(bytes: &[u8], encoding: Encoding) -> Findings<'_> {
    Findings { checker: Checker::new(encoding, Standard::Rfc3629), rest: bytes }
}

/// The iterator that [`findings`] and [`findings_in`] return.
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy"]
pub struct Findings<'a> {
    checker: Checker,
    rest: &'a [u8],
}

impl Iterator for Findings<'_> {
    type Item = Finding;

    fn next(&mut self) -> Option<Finding> {
        let mut first = None;
        let done = self.checker.scan(self.rest, self.rest.len(), true, &mut |finding: &Finding| {
            first = Some(*finding);
            ControlFlow::Break(())
        });
        self.rest = &self.rest[done..];
        first
    }
}

impl FusedIterator for Findings<'_> {}
