//! Hints for ill-formed files: the probable encoding, as `utfkit detect` finds
//! it, and a command to try.
//!
//! The detector sees the whole file, as in `utfkit detect`; of a file of more than
//! 64 MiB, 1 MiB from the first finding on, so that the hint does not depend on how
//! the file was split among threads. A file that fits into one chunk is not reread.
//! Of longer standard input, which cannot be reread, the detector sees the front.

use std::cmp::Reverse;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use utfkit::detect::{Basis, Certainty, Detection, detect, detect_reader};
use utfkit::diagnose::{Finding, Totals};
use utfkit::repair::Fallback;
use utfkit::{Encoding, ErrorKind, Legacy};

use super::model::Hint;
use crate::compressed::{self, Format, begun};
use crate::printable::{argument, count};
use crate::reading::{CHUNK, Replay, open_at_once};
use crate::survey::detection;
use crate::wide::{Front, signed_wide, wide};

/// The largest file that the detector sees from its beginning to its end.
const WHOLE: u64 = 64 << 20;
/// Size of the detector's sample of a larger file, and the alignment of its start.
const SAMPLE: u64 = 1 << 20;
const ALIGNED: u64 = 64 << 10;

/// Evidence for an encoding other than UTF-8.
#[derive(Debug)]
pub(crate) struct Hints {
    /// The offset of the first finding.
    first: u64,
    front: Front,
    /// Number of occurrences of each ill-formed byte from 80 on.
    bytes: [u64; 128],
    /// Number of findings that may be letters in another encoding: an overlong form or a
    /// surrogate was meant to be UTF-8.
    stray: u64,
    /// Number of findings that are halves of surrogate pairs.
    halves: u64,
    all: u64,
    /// The file was decompressed.
    is_unpacked: bool,
}

impl Hints {
    pub(crate) fn new() -> Hints {
        Hints { first: 0, front: Front::default(), bytes: [0; 128], stray: 0, halves: 0, all: 0, is_unpacked: false }
    }

    /// The file is decompressed.
    pub(crate) fn of_compressed(&mut self) {
        self.is_unpacked = true;
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
        let is_stray = !matches!(finding.kind(), ErrorKind::Overlong | ErrorKind::Surrogate);
        self.stray += u64::from(is_stray);
        for byte in finding.bytes().iter().filter(|byte| !byte.is_ascii()) {
            self.bytes[usize::from(byte & 0x7F)] += 1;
        }
    }

    /// Returns the probable encoding of the file, if it is not just a guess.
    pub(crate) fn hint(&mut self, path: &Path, whole: Option<&[u8]>, totals: &Totals) -> Option<Hint> {
        if self.all == 0 {
            return None;
        }
        if let Some(format) = begun(self.front.bytes()).filter(|_| !self.is_unpacked) {
            return Some(of_compressed(format, path));
        }
        let hint = self.of_text(path, whole, totals)?;
        let unpacks = ["convert", "repair"].iter().fold(hint.command.clone(), |command, subcommand| {
            command.replace(&format!("utfkit {subcommand} "), &format!("utfkit {subcommand} -z "))
        });
        Some(if self.is_unpacked { Hint { command: unpacks, ..hint } } else { hint })
    }

    fn of_text(&mut self, path: &Path, whole: Option<&[u8]>, totals: &Totals) -> Option<Hint> {
        let file = &argument(path);
        let is_signed = signed_wide(self.front.bytes()).is_some();
        let wide = wide(self.front.bytes());
        let found = if is_signed || wide.is_some() { self.look_again(path, whole) } else { None };
        if let Some(hint) = found.as_ref().and_then(|found| of_joined(found, file)) {
            return Some(hint);
        }
        if let Some(wide) = wide {
            let whole = totals.bytes().is_multiple_of(wide.encoding.unit_size() as u64);
            return whole.then(|| Hint::of_wide(wide.encoding, wide.bom, file));
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
        if is_signed {
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
        let found = found.filter(|found| found.certainty() > Certainty::Guess)?;
        if found.basis() == Basis::Joined {
            return of_joined(&found, file);
        }
        if found.basis() != Basis::Damaged {
            return self.by_detection(&found, file);
        }
        match found.foreign_certainty() {
            Some(sure) if sure > Certainty::Guess => self.read_in(found.foreign()?, sure, file),
            None if !found.is_mixed() && found.cut() > 0 => Some(Hint {
                encoding: "UTF-8",
                reason: count(found.cut(), "cut character"),
                command: format!("utfkit repair {file}"),
            }),
            _ => None,
        }
    }

    /// The hint for UTF-8 with ill-formed bytes in `encoding`.
    fn read_in(&self, encoding: Encoding, sure: Certainty, file: &str) -> Option<Hint> {
        let name = encoding.name();
        let is_single_byte = !matches!(encoding, Encoding::Legacy(legacy) if !legacy.is_single_byte());
        if is_single_byte && !nearly(self.stray, self.all) {
            return None;
        }
        let reason = match characters(&self.bytes, encoding) {
            Some(characters) => format!("in {name}: {characters}"),
            None => format!("{sure} {name}"),
        };
        Some(Hint { encoding: name, reason, command: format!("utfkit repair --fallback {name} {file}") })
    }

    /// A hint from a detection, if the encoding is not UTF-8 and can be read.
    fn by_detection(&self, found: &Detection, file: &str) -> Option<Hint> {
        let encoding = found.encoding()?;
        let is_other = match found.basis() {
            // The findings say this already.
            Basis::WellFormed | Basis::Damaged | Basis::Ascii | Basis::Empty => false,
            // A lone surrogate is ill-formed in every encoding.
            Basis::Relative { lone, .. } => lone == 0,
            _ => !found.is_mixed(),
        };
        if !is_other {
            return None;
        }
        let (name, sure) = (encoding.name(), found.certainty());
        if matches!(encoding, Encoding::Latin1 | Encoding::Legacy(Legacy::Windows1252)) {
            return self.read_in(Encoding::Legacy(Legacy::Windows1252), sure, file);
        }
        let reason = format!("{sure} {name}");
        Some(Hint { encoding: name, reason, command: format!("utfkit convert -f {name} {file}") })
    }
}

impl Hints {
    fn look_again(&self, path: &Path, whole: Option<&[u8]>) -> Option<Detection> {
        if let Some(whole) = whole {
            return Some(detect(whole));
        }
        if path.as_os_str() == "-" {
            return Some(detect(self.front.bytes()));
        }
        if self.is_unpacked {
            let unpacked = compressed::format(path)?.open(open_at_once(path).ok()?).ok()?;
            return detect_reader(unpacked.take(WHOLE)).ok();
        }
        let mut file = File::open(path).ok().filter(|file| file.metadata().is_ok_and(|data| data.is_file()))?;
        if file.metadata().ok()?.len() <= WHOLE {
            return detection(&mut Replay::new(&file, &mut vec![0; CHUNK])).ok();
        }
        file.seek(SeekFrom::Start(self.first / ALIGNED * ALIGNED)).ok()?;
        detect_reader(file.take(SAMPLE)).ok()
    }
}

impl Hint {
    /// The hint for UTF-16 or UTF-32, in a form with a byte order.
    pub(super) fn of_wide(encoding: Encoding, has_bom: bool, file: &str) -> Hint {
        let encoding = encoding.name();
        // The name with a byte order would keep U+FEFF as text.
        let from = if has_bom { &encoding[..encoding.len() - 2] } else { encoding };
        let command = format!("utfkit convert -f {from} {file}");
        Hint { encoding, reason: format!("looks like {encoding}"), command }
    }
}

/// The hint for a file that is compressed, and was read as it is.
fn of_compressed(format: &'static Format, path: &Path) -> Hint {
    let (file, program) = (argument(path), format.program());
    let command = match compressed::format(path) {
        Some(_) => format!("utfkit check -z {file}"),
        None => format!("{program} -dc <{file} | utfkit check"),
    };
    Hint { encoding: program, reason: format!("compressed ({program})"), command }
}

/// The hint for UTF-16 joined to other text.
fn of_joined(found: &Detection, file: &str) -> Option<Hint> {
    let is_sure = found.basis() == Basis::Joined && found.certainty() > Certainty::Guess;
    is_sure.then(|| Hint {
        encoding: "mixed",
        reason: format!("{}: {}", found.certainty(), found.reason()),
        command: format!("utfkit repair --fallback auto {file}"),
    })
}

/// True if `some` is at least 90 % of `all`.
fn nearly(some: u64, all: u64) -> bool {
    some.saturating_mul(10) >= all.saturating_mul(9)
}

/// Number of different characters that a hint lists.
const NAMED: usize = 5;

/// The most frequent characters of ill-formed bytes, as `é (12), ü (3)`; `None` if the encoding
/// has several bytes per character, or if a byte is no printable character.
fn characters(bytes: &[u64; 128], encoding: Encoding) -> Option<String> {
    let fallback = Fallback::new(encoding)?;
    let mut met: Vec<(u8, u64)> = (0x80..=0xFF).zip(*bytes).filter(|&(_, count)| count > 0).collect();
    met.sort_by_key(|&(byte, count)| (Reverse(count), byte));
    let more = if met.len() > NAMED { ", …" } else { "" };
    let named = met.iter().take(NAMED).map(|&(byte, n)| {
        let c = fallback.read(byte);
        let is_shown = !c.is_control() && !c.is_whitespace() && !matches!(c, '\u{AD}' | char::REPLACEMENT_CHARACTER);
        is_shown.then(|| format!("{c} ({n})"))
    });
    let named: Option<Vec<String>> = named.collect();
    named.filter(|named| !named.is_empty()).map(|named| named.join(", ") + more)
}
