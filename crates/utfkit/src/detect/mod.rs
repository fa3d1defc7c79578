//! Which encoding bytes are in, why, and how surely.
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
//! What proves comes first:
//!
//! 1. a BOM, if what follows does not speak against it;
//! 2. UTF-32 and UTF-16 without one: code points that make text in one byte
//!    order and none in the other;
//! 3. UTF-8: "the probability that a string of characters in any other
//!    encoding appears as valid UTF-8 is low" (RFC 3629 section 1). How low says
//!    [`Detection::bits`]. US-ASCII is UTF-8 as well;
//! 4. ISO-2022-JP by its escape sequences;
//! 5. CESU-8, Modified UTF-8 and WTF-8, where everything that is ill-formed as
//!    UTF-8 is what they have more;
//! 6. UTF-8 with damage: twice as many well-formed sequences as ill-formed
//!    ones, or at least as many where they are many;
//! 7. bytes that no text has: no encoding;
//! 8. what the text declares in its front, if it fits;
//! 9. a guess, by the crate `chardetng`.
//!
//! What a text declares never outdoes what is well-formed: a file that declares
//! ISO-8859-1 and is UTF-8 is UTF-8, and
//! [contradicts itself](Detection::is_contradicted).
//!
//! A guess is windows-1252 where ISO-8859-1 would read the same; then
//! [`Detection::alike`] says so.
//!
//! # Streams
//!
//! A [`Detector`] is fed; the answer does not depend on the cuts. Memory is
//! bounded, at some 200 KiB. The legacy encodings are weighed by at most 4 MiB
//! from the first byte above 7F on, and until 64 Ki of such bytes were met; all
//! other evidence is of the whole stream.
//!
//! # Cost
//!
//! For UTF-8: the validator and four counting passes, by vector kernels over
//! 16 KiB that stay in the first cache. What turns out to be something else is
//! read once or twice more, value by value.

mod controls;
mod declared;
mod detection;
mod evidence;
mod judge;
mod plausible;
mod shifts;
mod units;
mod weigh;

use alloc::vec::Vec;

pub use declared::{Declaration, DeclaredBy};
pub use detection::{Basis, Certainty, Detection, Place};

use controls::Controls;
use declared::FRONT;
use evidence::Utf8;
use shifts::{Escapes, Shifts};
use units::Units;
use weigh::Weigher;

use crate::bom::Bom;

/// What is looked at at once, at the same places however the stream is cut.
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
    held: Vec<u8>,
    evidence: Evidence,
}

/// What was seen.
struct Evidence {
    bytes: u64,
    front: Vec<u8>,
    utf8: Utf8,
    controls: Controls,
    units: Units,
    escapes: Escapes,
    shifts: Shifts,
    weigher: Weigher,
}

impl Detector {
    /// A detector that has seen nothing.
    pub fn new() -> Detector {
        let evidence = Evidence {
            bytes: 0,
            front: Vec::new(),
            utf8: Utf8::new(),
            controls: Controls::default(),
            units: Units::default(),
            escapes: Escapes::default(),
            shifts: Shifts::default(),
            weigher: Weigher::default(),
        };
        Detector { held: Vec::new(), evidence }
    }

    /// Takes what comes next.
    pub fn feed(&mut self, mut chunk: &[u8]) {
        if !self.held.is_empty() {
            let (front, rest) = chunk.split_at(chunk.len().min(WINDOW - self.held.len()));
            self.held.extend_from_slice(front);
            chunk = rest;
            if self.held.len() < WINDOW {
                return;
            }
            self.evidence.window(&self.held);
            self.held.clear();
        }
        let (windows, rest) = chunk.as_chunks::<WINDOW>();
        for window in windows {
            self.evidence.window(window);
        }
        self.held.extend_from_slice(rest);
    }

    /// The stream is at its end: the answer.
    pub fn finish(mut self) -> Detection {
        let last = core::mem::take(&mut self.held);
        if !last.is_empty() {
            self.evidence.window(&last);
        }
        judge::judge(self)
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
            .field("bytes", &(self.evidence.bytes + self.held.len() as u64))
            .finish_non_exhaustive()
    }
}

impl Evidence {
    fn window(&mut self, window: &[u8]) {
        let before = self.bytes;
        self.bytes += window.len() as u64;
        if before == 0 {
            self.front.extend_from_slice(&window[..window.len().min(FRONT)]);
        }
        let escape = self.controls.window(window);
        self.utf8.window(window);
        if before == 0 {
            self.choose_units();
        }
        if !self.units.is_out() {
            self.units.window(window, before);
            if Bom::of(&self.front).is_none() {
                self.units.weed();
            }
        }
        self.escapes.window(window, escape);
        if self.utf8.above == 0 {
            self.shifts.window(window);
        }
        let is_text = self.controls.foreign() <= self.bytes / 64 && (self.units.is_out() || self.controls.nulls == 0);
        self.weigher.window(window, self.utf8.faults() > 0 && is_text);
    }

    /// After the first window: what is worth a try in units of 16 or 32 bits.
    fn choose_units(&mut self) {
        match Bom::of(&self.front) {
            Some(bom @ (Bom::Utf16Le | Bom::Utf16Be | Bom::Utf32Le | Bom::Utf32Be)) => {
                if let Some(encoding) = bom.encoding() {
                    self.units.try_one(encoding);
                }
            }
            Some(Bom::Utf8) => {}
            _ if is_mostly_ascii(&self.front) => {}
            // Cyrillic is 04 every other byte, and nothing above 7F.
            _ if self.controls.nulls > 0
                || (self.controls.foreign() > 0 && self.utf8.above > 0)
                || self.controls.foreign() > self.bytes / 16 =>
            {
                self.units.try_all();
            }
            _ => {}
        }
    }
}

/// Whether these are US-ASCII with something in it. In pairs its bytes would be
/// Chinese; but of Chinese, half of the bytes are US-ASCII at the most, and of
/// kana, four of five, and hardly a third are letters.
fn is_mostly_ascii(front: &[u8]) -> bool {
    let count = |such: fn(&u8) -> bool| front.iter().filter(|byte| such(byte)).count();
    let printable = count(|byte| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r'));
    let letters = count(|byte| byte.is_ascii_alphabetic() || *byte == b' ');
    printable * 5 > front.len() * 4 && letters * 20 > front.len() * 9
}

/// The encoding of `bytes`. See the [module](self).
///
/// ```
/// use utfkit::detect::{Basis, detect};
///
/// let found = detect(b"<?xml version='1.0' encoding='ISO-8859-2'?><a>\xB1\xE6</a>");
/// assert_eq!((found.name(), found.basis()), (Some("ISO-8859-2"), Basis::Declared));
/// ```
pub fn detect(bytes: &[u8]) -> Detection {
    let mut detector = Detector::new();
    detector.feed(bytes);
    detector.finish()
}

/// The encoding of everything that `reader` has.
///
/// # Errors
///
/// Those of `reader`, but for an interruption.
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
