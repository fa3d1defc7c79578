//! Hints for ill-formed files: the probable encoding, as `utfkit detect` finds
//! it, and a command to try.
//!
//! The detector sees up to 1 MiB of the file from the first finding on, so the
//! hint does not depend on how the file was split among threads. A file that fits
//! into one chunk is not reread. Of longer standard input, which cannot be
//! reread, the detector sees the front.

use std::cmp::Reverse;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::LazyLock;

use utfkit::detect::{Basis, Certainty, Detection, detect, detect_reader};
use utfkit::diagnose::{Finding, Totals};
use utfkit::{Encoding, ErrorKind, Legacy, Policy, Transcoder};

use super::model::Hint;
use crate::printable::argument;
use crate::wide::{Front, signed_wide, wide};

/// Size of the detector's sample, and the alignment of its start.
const SAMPLE: u64 = 1 << 20;
const ALIGNED: u64 = 64 << 10;

/// Evidence for an encoding other than UTF-8.
#[derive(Debug)]
pub(crate) struct Hints {
    /// The offset of the first finding.
    first: u64,
    front: Front,
    windows_1252: Windows1252,
    /// Number of findings that are halves of surrogate pairs.
    halves: u64,
    all: u64,
}

impl Hints {
    pub(crate) fn new() -> Hints {
        Hints { first: 0, front: Front::default(), windows_1252: Windows1252::new(), halves: 0, all: 0 }
    }

    /// Takes the next bytes of the file. Only the front is needed.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        self.front.feed(bytes);
    }

    /// True until the front is complete.
    pub(crate) fn wants(&self) -> bool {
        self.front.wants()
    }

    pub(crate) fn note(&mut self, finding: &Finding) {
        if self.all == 0 {
            self.first = finding.offset();
        }
        self.all += 1;
        self.halves += u64::from(finding.diagnosis().pair().is_some());
        self.windows_1252.note(finding);
    }

    /// Returns the probable encoding of the file, if it is not just a guess.
    pub(crate) fn hint(&mut self, path: &Path, whole: Option<&[u8]>, totals: &Totals) -> Option<Hint> {
        if self.all == 0 {
            return None;
        }
        let file = argument(path);
        if let Some(wide) = wide(self.front.bytes()) {
            let encoding = wide.encoding.name();
            let whole = totals.bytes().is_multiple_of(wide.encoding.unit_size() as u64);
            // The name with a byte order would keep U+FEFF as text.
            let from = if wide.bom { &encoding[..encoding.len() - 2] } else { encoding };
            return whole.then(|| Hint {
                encoding,
                reason: format!("looks like {encoding}"),
                command: format!("utfkit convert -f {from} {file}"),
            });
        }
        if nearly(self.halves, self.all) {
            return Some(Hint {
                encoding: "CESU-8",
                reason: "surrogate pairs as in CESU-8".to_owned(),
                command: format!(
                    "utfkit convert -f CESU-8 {file} (or, if it has four-byte forms too, \
                     utfkit repair --reinterpret {file})"
                ),
            });
        }
        if signed_wide(self.front.bytes()).is_some() {
            // A damaged UTF-16 or UTF-32 file, but no windows-1252 either.
            return None;
        }
        let found = self.look_again(path, whole);
        let declaration = found.as_ref().and_then(Detection::declaration);
        if declaration.is_some_and(|declared| declared.encoding().is_none()) {
            // The declared encoding is not supported, so no hint would help.
            return None;
        }
        // A guess is too weak for a recommendation.
        let found = found.filter(|found| found.certainty() > Certainty::Guess);
        if let Some(hint) = found.and_then(|found| by_detection(&found, file)) {
            return Some(hint);
        }
        self.windows_1252.text(totals).map(|characters| Hint {
            encoding: "windows-1252",
            reason: format!("in windows-1252: {characters}"),
            command: format!("utfkit repair --fallback windows-1252 {file}"),
        })
    }
}

impl Hints {
    fn look_again(&self, path: &Path, whole: Option<&[u8]>) -> Option<Detection> {
        let start = self.first / ALIGNED * ALIGNED;
        if let Some(rest) = whole.and_then(|whole| whole.get(usize::try_from(start).ok()?..)) {
            return Some(detect(&rest[..rest.len().min(SAMPLE as usize)]));
        }
        if path.as_os_str() == "-" {
            return Some(detect(self.front.bytes()));
        }
        let mut file = File::open(path).ok().filter(|file| file.metadata().is_ok_and(|data| data.is_file()))?;
        file.seek(SeekFrom::Start(start)).ok()?;
        detect_reader(file.take(SAMPLE)).ok()
    }
}

/// A hint from a detection, if the encoding is not UTF-8 and can be read.
fn by_detection(found: &Detection, file: &str) -> Option<Hint> {
    let encoding = found.encoding()?;
    let is_other = match found.basis() {
        // The findings say this already.
        Basis::WellFormed | Basis::Damaged | Basis::Ascii | Basis::Empty => false,
        // A lone surrogate is ill-formed in every encoding.
        Basis::Relative { lone, .. } => lone == 0,
        _ => !found.is_mixed(),
    };
    // `Windows1252` has a better hint, which also covers text mixed with UTF-8.
    let is_western = matches!(encoding, Encoding::Latin1 | Encoding::Legacy(Legacy::Windows1252));
    if !is_other || is_western {
        return None;
    }
    let name = encoding.name();
    let reason = format!("{} {name}", found.certainty());
    Some(Hint { encoding: name, reason, command: format!("utfkit convert -f {name} {file}") })
}

/// True if `some` is at least 90 % of `all`.
fn nearly(some: u64, all: u64) -> bool {
    some.saturating_mul(10) >= all.saturating_mul(9)
}

/// Counts the characters that ill-formed bytes would be in windows-1252.
#[derive(Clone, Debug)]
struct Windows1252 {
    /// Number of occurrences of each byte from 80 on.
    bytes: [u64; 128],
    likely: u64,
    /// Findings of one or two bytes that are no overlong form or surrogate.
    stray: u64,
    all: u64,
}

/// Number of different characters that a hint lists.
const NAMED: usize = 5;

impl Windows1252 {
    fn new() -> Windows1252 {
        Windows1252 { bytes: [0; 128], likely: 0, stray: 0, all: 0 }
    }

    fn note(&mut self, finding: &Finding) {
        self.all += 1;
        // A letter of windows-1252 in ASCII text is a lead byte without its
        // continuation or the reverse. An overlong form or a surrogate was
        // meant to be UTF-8.
        let stray = matches!(
            finding.kind(),
            ErrorKind::MissingContinuation
                | ErrorKind::UnexpectedContinuation
                | ErrorKind::InvalidByte
                | ErrorKind::Truncated
        );
        self.stray += u64::from(stray);
        if stray && finding.bytes().iter().all(|&byte| CHARACTERS[index(byte)].is_some()) {
            self.likely += 1;
            for &byte in finding.bytes() {
                self.bytes[index(byte)] += 1;
            }
        }
    }

    /// The most frequent characters, as `é (12), ü (3)`. `None` unless nearly all
    /// findings are printable in windows-1252 and the file has at least twice as
    /// many code points as findings.
    fn text(&self, totals: &Totals) -> Option<String> {
        let in_text = self.all.saturating_mul(2) <= totals.code_points();
        if self.all == 0 || !nearly(self.likely, self.all) || !in_text {
            return None;
        }
        let mut met: Vec<(u8, u64)> = (0x80..=0xFF).zip(self.bytes).filter(|&(_, count)| count > 0).collect();
        met.sort_by_key(|&(byte, count)| (Reverse(count), byte));
        let more = if met.len() > NAMED { ", …" } else { "" };
        let named = met.iter().take(NAMED).filter_map(|&(byte, n)| Some(format!("{} ({n})", CHARACTERS[index(byte)]?)));
        Some(named.collect::<Vec<_>>().join(", ") + more)
    }
}

fn index(byte: u8) -> usize {
    usize::from(byte & 0x7F)
}

/// The printable characters of bytes from 80 on.
static CHARACTERS: LazyLock<[Option<char>; 128]> = LazyLock::new(|| {
    std::array::from_fn(|i| {
        let mut buf = [0; 4];
        let mut reader = Transcoder::new(Encoding::Legacy(Legacy::Windows1252), Encoding::Utf8, Policy::Strict);
        let step = reader.transcode(&[i as u8 | 0x80], &mut buf, true);
        let text = utfkit::from_utf8(&buf[..step.written]).unwrap_or_default();
        text.chars().next().filter(|c| !c.is_control() && !c.is_whitespace() && *c != '\u{AD}')
    })
});
