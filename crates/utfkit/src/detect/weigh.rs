//! Encodings from before Unicode: a guess, by how often which bytes follow
//! each other. The weighing is that of the crate `chardetng`.

use alloc::boxed::Box;
use alloc::vec::Vec;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

use crate::diagnose::Checker;
use crate::encoding::Encoding;
use crate::engine::legacy::Legacy;
use crate::error::ErrorKind;
use crate::standard::Standard;

/// What is kept from the first byte above 7F on, until the first fault shows
/// that it has to be weighed.
const SAMPLE: usize = 64 << 10;

/// How much is weighed at most: that takes hundreds of times as long as
/// validation.
const LIMIT: u64 = 4 << 20;

/// How many bytes above 7F are weighed, but for the rest of their window. They
/// are what tells encodings apart, and what excludes one may come late: a
/// quarter as many were too few for Russian in GBK.
const ABOVE: u64 = 256 << 10;

/// The bytes that `chardetng` wants to see in front of the first one above 7F.
const BEFORE: usize = 2;

/// A stream as legacy text.
#[derive(Default)]
pub(super) struct Weigher {
    /// The last bytes of US-ASCII in front of the first one above it.
    before: Vec<u8>,
    /// From `before` on, up to [`SAMPLE`].
    sample: Vec<u8>,
    /// Whether there is more than the sample.
    cut: bool,
    detector: Option<Box<EncodingDetector>>,
    weighed: u64,
    /// Those of them above 7F.
    above: u64,
    /// Whether something was not weighed any more.
    full: bool,
    /// Which bytes were weighed.
    seen: Seen,
}

/// A set of bytes.
#[derive(Clone, Copy)]
struct Seen([bool; 256]);

impl Default for Seen {
    fn default() -> Seen {
        Seen([false; 256])
    }
}

/// The guess.
pub(super) struct Guess {
    pub(super) encoding: Encoding,
    /// Whether the sample is well-formed so.
    pub(super) fits: bool,
    /// Bytes above 7F in the sample.
    pub(super) above: u64,
    /// One that reads the bytes alike.
    pub(super) alike: Option<Encoding>,
}

impl Weigher {
    /// Takes a window. `faulty`: something in it or before it is not UTF-8, and
    /// it looks like text.
    pub(super) fn window(&mut self, window: &[u8], faulty: bool) {
        let mut rest = window;
        if self.sample.is_empty() {
            let Some(at) = window.iter().position(|byte| !byte.is_ascii()) else {
                self.before.extend_from_slice(&window[window.len().saturating_sub(BEFORE)..]);
                self.before.drain(..self.before.len().saturating_sub(BEFORE));
                return;
            };
            let from = at.saturating_sub(BEFORE);
            if from == at {
                self.sample.append(&mut self.before);
            } else if at == 1 {
                self.sample.extend(self.before.pop());
            }
            rest = &window[from..];
        }
        if self.detector.is_none() {
            let room = rest.len().min(SAMPLE - self.sample.len().min(SAMPLE));
            self.sample.extend_from_slice(&rest[..room]);
            rest = &rest[room..];
            self.cut |= !rest.is_empty();
            if !faulty {
                return;
            }
            self.begin();
        } else if self.sample.len() < SAMPLE {
            let room = rest.len().min(SAMPLE - self.sample.len());
            self.sample.extend_from_slice(&rest[..room]);
            self.cut |= room < rest.len();
        } else {
            self.cut = true;
        }
        if faulty && !rest.is_empty() {
            self.full |= self.weighed >= LIMIT || self.above >= ABOVE;
            if !self.full {
                self.weigh(rest);
            }
        }
    }

    /// Weighs the sample.
    fn begin(&mut self) {
        self.detector = Some(Box::new(EncodingDetector::new(Iso2022JpDetection::Deny)));
        let sample = core::mem::take(&mut self.sample);
        self.weigh(&sample);
        self.sample = sample;
    }

    fn weigh(&mut self, bytes: &[u8]) {
        if let Some(detector) = &mut self.detector {
            detector.feed(bytes, false);
            self.weighed += bytes.len() as u64;
            self.above += bytes.iter().filter(|byte| !byte.is_ascii()).count() as u64;
            bytes.iter().for_each(|&byte| self.seen.0[usize::from(byte)] = true);
        }
    }

    /// The guess. There is one for all bytes above 7F.
    pub(super) fn guess(&mut self) -> Option<Guess> {
        if self.detector.is_none() {
            self.begin();
        }
        let detector = self.detector.as_mut()?;
        if !self.full {
            detector.feed(&[], true);
        }
        let name = detector.guess(None, Utf8Detection::Deny).name();
        let mut encoding = Encoding::for_web_label(name)?;
        let mut alike = None;
        match encoding {
            // Russian is the same in both, and called the one.
            Encoding::Legacy(Legacy::Koi8U) if !self.has(&UKRAINIAN) => {
                encoding = Encoding::Legacy(Legacy::Koi8R);
                alike = Some(Encoding::Legacy(Legacy::Koi8U));
            }
            Encoding::Legacy(Legacy::Windows1252) if !self.seen.0[0x80..0xA0].contains(&true) => {
                alike = Some(Encoding::Latin1);
            }
            _ => {}
        }
        // Of what lies behind the limit nobody knows.
        let alike = alike.filter(|_| !self.full);
        Some(Guess { encoding, fits: self.fits(encoding), above: self.above_in_sample(), alike })
    }

    fn has(&self, bytes: &[u8]) -> bool {
        bytes.iter().any(|&byte| self.seen.0[usize::from(byte)])
    }

    /// Bytes above 7F in the sample.
    pub(super) fn above_in_sample(&self) -> u64 {
        self.sample.iter().filter(|byte| !byte.is_ascii()).count() as u64
    }

    /// Whether a byte of 80 to 9F was met.
    pub(super) fn has_c1(&self) -> bool {
        self.sample.iter().any(|byte| (0x80..=0x9F).contains(byte))
    }

    /// Whether the sample is well-formed in `encoding`. What the end cuts is,
    /// if it is the end of the sample alone.
    pub(super) fn fits(&self, encoding: Encoding) -> bool {
        let mut checker = Checker::new(encoding, Standard::Rfc3629);
        checker.feed(&self.sample, |_| {});
        checker.finish(|_| {});
        let totals = checker.totals();
        let forgiven = if self.cut { totals.of_kind(ErrorKind::Truncated) } else { 0 };
        totals.findings() == forgiven
    }
}

/// What KOI8-U has for letters of Ukrainian and Belarusian, where KOI8-R has
/// lines to draw with.
const UKRAINIAN: [u8; 10] = [0xA4, 0xA6, 0xA7, 0xAD, 0xAE, 0xB4, 0xB6, 0xB7, 0xBD, 0xBE];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Policy;
    use crate::transcode::{Status, Transcoder};

    #[test]
    fn koi8_r_and_koi8_u_differ_in_these_bytes_alone() {
        for byte in 0..=255_u8 {
            let read = |legacy| {
                let mut room = [0; 4];
                let mut reader = Transcoder::new(Encoding::Legacy(legacy), Encoding::Utf32Be, Policy::Strict);
                let step = reader.transcode(&[byte], &mut room, true);
                assert_eq!(step.status, Status::InputEmpty);
                room
            };
            assert_eq!(UKRAINIAN.contains(&byte), read(Legacy::Koi8R) != read(Legacy::Koi8U), "{byte:02X}");
        }
    }

    #[test]
    fn what_was_before_the_first_byte_above_7f_is_weighed_however_the_windows_fall() {
        let text = b"Un n.\xBA 1 de la s\xE9rie";
        let mut whole = Weigher::default();
        whole.window(text, true);
        for cut in 1..text.len() {
            let mut weigher = Weigher::default();
            weigher.window(&text[..cut], cut > 5);
            weigher.window(&text[cut..], true);
            assert_eq!(weigher.sample, whole.sample, "{cut}");
            assert_eq!(weigher.guess().map(|g| g.encoding), whole.guess_again(), "{cut}");
        }
        assert_eq!(whole.sample, text[3..]);
    }

    impl Weigher {
        fn guess_again(&self) -> Option<Encoding> {
            let mut weigher = Weigher::default();
            weigher.window(&self.sample, true);
            weigher.guess().map(|g| g.encoding)
        }
    }
}
