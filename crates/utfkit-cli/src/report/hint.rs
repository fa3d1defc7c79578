//! Text that is not UTF-8 is in another encoding. A hint says which one, as
//! `utfkit detect` would, and what to do.
//!
//! The detector sees the file again, up to a megabyte from the first finding on:
//! so a hint is the same however the file was cut among threads. Of standard
//! input, which cannot be read again, it sees the front.

use std::cmp::Reverse;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::LazyLock;

use utfkit::detect::{Basis, Certainty, Detection, detect, detect_reader};
use utfkit::diagnose::{Finding, Totals};
use utfkit::{Encoding, ErrorKind, Legacy, Policy, Transcoder};

use super::encoding::{Front, signed_wide, wide};
use super::model::Hint;

/// How much the detector sees, and where that begins.
const SAMPLE: u64 = 1 << 20;
const ALIGNED: u64 = 64 << 10;

/// What hints at another encoding than the one that was asked for.
#[derive(Debug)]
pub(crate) struct Hints {
    /// Where the first finding is.
    first: u64,
    front: Front,
    windows_1252: Windows1252,
    /// The halves of surrogate pairs.
    halves: u64,
    all: u64,
}

impl Hints {
    pub(crate) fn new() -> Hints {
        Hints { first: 0, front: Front::default(), windows_1252: Windows1252::new(), halves: 0, all: 0 }
    }

    /// What comes next of the file; its front is enough.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        self.front.feed(bytes);
    }

    /// Whether the front is not complete.
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

    /// What the file with these totals is, if that is nearly certain.
    pub(crate) fn hint(&mut self, path: &Path, totals: &Totals) -> Option<Hint> {
        if self.all == 0 {
            return None;
        }
        let file = argument(path);
        if let Some(wide) = wide(self.front.bytes()) {
            let encoding = wide.encoding.name();
            let whole = totals.bytes().is_multiple_of(wide.encoding.unit_size() as u64);
            // By its name with the order of bytes, U+FEFF would be text.
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
            // What it is, is not certain; no letters of windows-1252.
            return None;
        }
        let found = self.look_again(path);
        let declaration = found.as_ref().and_then(Detection::declaration);
        if declaration.is_some_and(|declared| declared.encoding().is_none()) {
            // It says what it is in, and that cannot be read here.
            return None;
        }
        // A mere guess is none to act on.
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
    /// What the detector says of the file.
    fn look_again(&self, path: &Path) -> Option<Detection> {
        if path.as_os_str() == "-" {
            return Some(detect(self.front.bytes()));
        }
        let mut file = File::open(path).ok().filter(|file| file.metadata().is_ok_and(|data| data.is_file()))?;
        file.seek(SeekFrom::Start(self.first / ALIGNED * ALIGNED)).ok()?;
        detect_reader(file.take(SAMPLE)).ok()
    }
}

/// What the detector says, where that is another encoding and can be read.
fn by_detection(found: &Detection, file: &str) -> Option<Hint> {
    let encoding = found.encoding()?;
    let is_other = match found.basis() {
        // Damage is what the findings say.
        Basis::WellFormed | Basis::Damaged | Basis::Ascii | Basis::Empty => false,
        // A lone surrogate is one in any encoding.
        Basis::Relative { lone, .. } => lone == 0,
        _ => !found.is_mixed(),
    };
    // What stands among UTF-8, and what the characters tell better.
    let is_western = matches!(encoding, Encoding::Latin1 | Encoding::Legacy(Legacy::Windows1252));
    if !is_other || is_western {
        return None;
    }
    let name = encoding.name();
    let reason = format!("{} {name}", found.certainty());
    Some(Hint { encoding: name, reason, command: format!("utfkit convert -f {name} {file}") })
}

/// Nine of ten.
fn nearly(some: u64, all: u64) -> bool {
    some.saturating_mul(10) >= all.saturating_mul(9)
}

/// The name of a file as a shell takes it, where it needs no quotes.
pub(crate) fn argument(path: &Path) -> &str {
    let plain = |c: char| c.is_alphanumeric() || "._-/+=@,:".contains(c);
    match path.to_str() {
        Some("-") => "-",
        Some(name) if name.chars().all(plain) && !name.starts_with('-') && !name.is_empty() => name,
        _ => "FILE",
    }
}

/// What the ill-formed bytes would be in windows-1252.
#[derive(Clone, Debug)]
struct Windows1252 {
    /// How often each byte from 80 was met.
    bytes: [u64; 128],
    likely: u64,
    /// Those that are a byte or two alone, and no form of UTF-8.
    stray: u64,
    all: u64,
}

/// How many different characters a hint names.
const NAMED: usize = 5;

impl Windows1252 {
    fn new() -> Windows1252 {
        Windows1252 { bytes: [0; 128], likely: 0, stray: 0, all: 0 }
    }

    fn note(&mut self, finding: &Finding) {
        self.all += 1;
        // A letter of windows-1252 between letters of US-ASCII is a lead byte
        // without its continuation, or one without its lead. A whole form that
        // is overlong or a surrogate was meant to be UTF-8.
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

    /// The characters that were met most, if nearly all findings are such and
    /// stand in text: `é (12), ü (3)`.
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

/// The characters of the bytes from 80 that can be seen.
static CHARACTERS: LazyLock<[Option<char>; 128]> = LazyLock::new(|| {
    std::array::from_fn(|i| {
        let mut buf = [0; 4];
        let mut reader = Transcoder::new(Encoding::Legacy(Legacy::Windows1252), Encoding::Utf8, Policy::Strict);
        let step = reader.transcode(&[i as u8 | 0x80], &mut buf, true);
        let text = utfkit::from_utf8(&buf[..step.written]).unwrap_or_default();
        text.chars().next().filter(|c| !c.is_control() && !c.is_whitespace() && *c != '\u{AD}')
    })
});
