//! The first reading of a file: everything that later decisions need.

use std::ops::ControlFlow;
use std::path::Path;

use utfkit::Encoding;
use utfkit::detect::{Basis, Detection, Detector};
use utfkit::repair::{self, Evidence, Options};
use utfkit_gate::magic;

use crate::failure::{AtPath, Failure, Refusal};
use crate::labels::HEAD;
use crate::reading::Replay;

/// The results of reading a file once. Everything that decides about the file, or
/// changes it, takes them from here.
pub(crate) struct Survey {
    pub(crate) found: Detection,
    /// The first bytes of the file.
    pub(crate) front: Vec<u8>,
    /// Control characters that text does not contain, except NUL, and except the
    /// U+001A at the end of a DOS file.
    pub(crate) controls: u64,
    /// The evidence of text that was encoded twice, if the options ask for it.
    pub(crate) evidence: Option<Evidence>,
}

impl Survey {
    /// Reads the file once, unless `begins` refuses its first chunk. `options` belong
    /// to the repair that may follow.
    pub(crate) fn of(
        path: &Path,
        file: &mut Replay<'_>,
        options: &Options,
        begins: impl Fn(&[u8]) -> Result<(), Refusal>,
    ) -> Result<Survey, Failure> {
        let mut detector = Detector::new();
        let mut doubled = options.wants_evidence().then(|| repair::Survey::new(options));
        let mut front = Vec::new();
        let mut last = 0;
        let read = file.each_until(|chunk| {
            if front.is_empty()
                && let Err(refusal) = begins(chunk)
            {
                return ControlFlow::Break(refusal);
            }
            let capacity = HEAD.max(magic::FRONT) - front.len();
            front.extend_from_slice(&chunk[..chunk.len().min(capacity)]);
            last = chunk[chunk.len() - 1];
            detector.feed(chunk);
            if let Some(doubled) = &mut doubled {
                doubled.feed(chunk);
            }
            ControlFlow::Continue(())
        });
        if let ControlFlow::Break(refusal) = read.reading(path)? {
            return Err(Failure::Refused(path.to_owned(), refusal));
        }
        let found = detector.finish();
        let controls = found.controls().saturating_sub(u64::from(last == 0x1A));
        Ok(Survey { found, front, controls, evidence: doubled.map(repair::Survey::finish) })
    }

    /// True if the file is US-ASCII, an encoding that uses only its bytes, or
    /// well-formed UTF-8.
    pub(crate) fn is_well_formed(&self) -> bool {
        is_well_formed(&self.found)
    }

    /// The first bytes of the file that may contain labels, and whether they are
    /// all of it.
    pub(crate) fn head(&self) -> (&[u8], bool) {
        let head = &self.front[..self.front.len().min(HEAD)];
        (head, head.len() as u64 == self.found.bytes())
    }
}

/// See [`Survey::is_well_formed`].
pub(crate) fn is_well_formed(found: &Detection) -> bool {
    let is_seven_bits = matches!(found.basis(), Basis::Ascii | Basis::Empty);
    is_seven_bits || (found.encoding() == Some(Encoding::Utf8) && found.ill_formed() == Some(0))
}

/// The encoding whose decoder removes the BOM that was found.
pub(crate) fn with_bom(encoding: Encoding, found: &Detection) -> Encoding {
    match encoding {
        _ if found.bom().is_none() => encoding,
        Encoding::Utf16Le | Encoding::Utf16Be => Encoding::Utf16,
        Encoding::Utf32Le | Encoding::Utf32Be => Encoding::Utf32,
        other => other,
    }
}
