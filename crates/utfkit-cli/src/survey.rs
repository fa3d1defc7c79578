//! The first reading of a file: everything that later decisions need.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use utfkit::Encoding;
use utfkit::detect::{Basis, Certainty, Detection, Detector, Piece};
use utfkit::repair::{self, Evidence, Fallback, Options, Stretch};
use utfkit_gate::magic;

use crate::failure::{AtPath, Failure, Refusal};
use crate::labels::HEAD;
use crate::neighbours::Whole;
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
    /// to the repair that may follow. `known` is the detection of a file with this first chunk,
    /// if it was made before.
    pub(crate) fn of(
        path: &Path,
        file: &mut Replay<'_>,
        options: &Options,
        known: impl Fn(&[u8]) -> Option<Whole>,
        begins: impl Fn(&[u8]) -> Result<(), Refusal>,
    ) -> Result<Survey, Failure> {
        let mut detector = Detector::new();
        let mut doubled = options.wants_evidence().then(|| repair::Survey::new(options));
        let mut front = Vec::new();
        let mut whole: Option<Whole> = None;
        let read = file.each_until(|chunk| {
            if front.is_empty()
                && let Err(refusal) = begins(chunk)
            {
                return ControlFlow::Break(refusal);
            }
            if front.is_empty() {
                whole = known(chunk);
            } else if let Some(whole) = whole.take() {
                detector.feed(&whole.bytes);
            }
            if whole.is_none() {
                detector.feed(chunk);
            }
            let capacity = HEAD.max(magic::FRONT) - front.len();
            front.extend_from_slice(&chunk[..chunk.len().min(capacity)]);
            if let Some(doubled) = &mut doubled {
                doubled.feed(chunk);
            }
            ControlFlow::Continue(())
        });
        if let ControlFlow::Break(refusal) = read.reading(path)? {
            return Err(Failure::Refused(path.to_owned(), refusal));
        }
        let found = match whole {
            Some(whole) => whole.found,
            None => {
                let mut found = detector.finish();
                split(&mut found, file).reading(path)?;
                found
            }
        };
        let controls = found.controls();
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

/// Reads the file once, and detects its encoding.
pub(crate) fn detection(file: &mut Replay<'_>) -> io::Result<Detection> {
    let mut detector = Detector::new();
    file.each(|chunk| detector.feed(chunk))?;
    let mut found = detector.finish();
    split(&mut found, file)?;
    Ok(found)
}

/// Finds the pieces of a file that may be joined.
pub(crate) fn split(found: &mut Detection, file: &mut Replay<'_>) -> io::Result<()> {
    if found.may_be_split() {
        found.split(&whole(file)?);
    }
    Ok(())
}

/// All of a file, which is small enough to be [split](Detection::split).
fn whole(file: &mut Replay<'_>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.each(|chunk| bytes.extend_from_slice(chunk))?;
    Ok(bytes)
}

/// Passes the text of joined pieces to `on`.
pub(crate) fn unite(file: &mut Replay<'_>, pieces: &[Piece], on: impl FnMut(Stretch<'_>)) -> io::Result<()> {
    repair::unite(&whole(file)?, pieces, on);
    Ok(())
}

/// The pieces of a joined file, and the names of their encodings other than UTF-8; `None` for a file
/// that is not joined. Refuses a file of which a piece is a guess.
pub(crate) fn joined(found: &Detection) -> Result<Option<(&[Piece], String)>, Refusal> {
    if found.basis() != Basis::Joined {
        return Ok(None);
    }
    if let Some(at) = found.pieces().iter().position(|piece| piece.certainty == Certainty::Guess) {
        let pieces = found.pieces();
        let piece = &pieces[at];
        let line = piece.lines.start;
        // The guess is the first piece or the bytes after it.
        if let Some((encoding, byte)) = [at, at.saturating_sub(1)].into_iter().find_map(|at| out_of_step(&pieces[at..]))
        {
            let why =
                format!("a byte of {encoding} is missing or one too many, on line {line} at byte {byte} or near it");
            return Err(Refusal::text(why, "`utfkit inspect FILE` shows its bytes"));
        }
        let why = match piece.encoding {
            None => format!("the encoding of its piece on line {line} is unknown"),
            Some(encoding) => format!("{encoding} from line {line} on, and it is not sure where that ends"),
        };
        return Err(Refusal::text(
            format!("joined of several encodings: {why}"),
            "`utfkit detect FILE` lists its pieces",
        ));
    }
    let read: Vec<Piece> = found.pieces().iter().filter(|piece| !is_utf8(piece)).cloned().collect();
    Ok(Some((found.pieces(), encodings(&read))))
}

/// The encoding of two pieces with one or three bytes between them, if it has units of two, and where these bytes begin.
fn out_of_step(pieces: &[Piece]) -> Option<(Encoding, u64)> {
    let [first, between, last, ..] = pieces else { return None };
    let len = between.range.end - between.range.start;
    let encoding = first.encoding.filter(|encoding| encoding.unit_size() == 2 && last.encoding == Some(*encoding))?;
    matches!(len, 1 | 3).then_some((encoding, between.range.start))
}

fn is_utf8(piece: &Piece) -> bool {
    matches!(piece.encoding, Some(Encoding::Utf8 | Encoding::UsAscii))
}

/// `US-ASCII, UTF-16LE`
pub(crate) fn encodings(pieces: &[Piece]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for encoding in pieces.iter().filter_map(|piece| piece.encoding) {
        if !names.contains(&encoding.name()) {
            names.push(encoding.name());
        }
    }
    names.join(", ")
}

/// The encoding of the bytes that are not UTF-8, and how sure that is. `None` if there are none,
/// or only cut characters. Refuses a guess.
pub(crate) fn fallback(found: &Detection) -> Result<Option<(Fallback, Certainty)>, Refusal> {
    let refuse = |why: String, advice: String| Err(Refusal::text(why, advice));
    let (encoding, sure) = match (found.foreign(), found.foreign_certainty(), found.encoding()) {
        (Some(encoding), Some(sure), _) => (encoding, sure),
        _ if found.ill_formed() == Some(0) => return Ok(None),
        _ if found.basis() == Basis::Damaged && !found.is_mixed() && is_only_cut(found) => return Ok(None),
        (_, _, Some(encoding)) if found.ill_formed().is_none() && !found.is_mixed() => (encoding, found.certainty()),
        _ if found.may_be_cut() => {
            return refuse("its ill-formed bytes may be characters that were cut off".to_owned(), SHOWN.to_owned());
        }
        _ => {
            return refuse(
                "the encoding of its ill-formed bytes is unknown".to_owned(),
                "`utfkit repair --fallback NAME FILE` reads them in one that you know".to_owned(),
            );
        }
    };
    match Fallback::new(encoding) {
        Some(fallback) if sure > Certainty::Guess => Ok(Some((fallback, sure))),
        Some(_) if found.may_be_cut() => refuse(
            format!("its ill-formed bytes may be characters that were cut off, or {encoding}, which is a guess"),
            SHOWN.to_owned(),
        ),
        Some(_) => refuse(
            format!("its ill-formed bytes may be {encoding}, which is a guess"),
            format!("`utfkit repair --diff --fallback {encoding} FILE` shows what that would make of them"),
        ),
        None => refuse(format!("it is {encoding}"), format!("`utfkit convert -f {encoding} FILE` makes UTF-8 of it")),
    }
}

const SHOWN: &str = "`utfkit repair --diff FILE` shows them";

/// Refuses a repair of UTF-16 and UTF-32.
pub(crate) fn may_be_repaired(found: &Detection) -> Result<(), Refusal> {
    let units = found.encoding().filter(|encoding| encoding.unit_size() > 1);
    let Some(encoding) = units.filter(|_| found.certainty() > Certainty::Guess) else { return Ok(()) };
    let name = encoding.name();
    let name = if found.bom().is_some() { &name[..name.len() - 2] } else { name };
    Err(Refusal::text(
        format!("it is {name}, of which a repair would leave nothing"),
        format!("`utfkit convert -f {name} --in-place FILE` makes UTF-8 of it"),
    ))
}

/// True if nothing is ill-formed but parts of characters that were cut.
fn is_only_cut(found: &Detection) -> bool {
    found.is_truncated() || found.ill_formed().is_some_and(|ill_formed| ill_formed <= found.cut())
}

/// Refuses a file with cut characters and bytes in another encoding: all of them are ill-formed, and only the user
/// can tell which is which.
pub(crate) fn cut_beside(other: Encoding) -> Refusal {
    Refusal::text(
        format!("some of its characters are cut off, and other bytes are {other}"),
        format!("`utfkit repair --diff --fallback {other} FILE` shows what reading both in it makes"),
    )
}

/// The advice for a file that no single encoding reads.
pub(crate) fn mends_mixed(found: &Detection, file: &str) -> String {
    match (found.basis(), found.foreign_certainty()) {
        (Basis::Damaged, Some(sure)) if sure > Certainty::Guess => {
            let place = if file == "-" { "" } else { " --in-place" };
            format!("`utfkit repair --fallback auto{place} {file}` reads each part in its encoding")
        }
        (Basis::Damaged, _) => {
            format!("`utfkit repair --fallback NAME {file}` reads what is not UTF-8 in an encoding that you know")
        }
        (Basis::Joined, _) if found.certainty() > Certainty::Guess => {
            format!("`utfkit fix {file}` reads each piece in its encoding")
        }
        _ => "no single encoding reads all of it".to_owned(),
    }
}

/// See [`Survey::is_well_formed`].
pub(crate) fn is_well_formed(found: &Detection) -> bool {
    let is_seven_bits = matches!(found.basis(), Basis::Ascii | Basis::Empty);
    is_seven_bits || (found.encoding() == Some(Encoding::Utf8) && found.ill_formed() == Some(0))
}

/// True if it is certain that a file is not in the encoding, whatever BOM it has.
pub(crate) fn is_surely_another(found: &Detection, encoding: Encoding) -> bool {
    let is_sure = found.certainty() >= Certainty::NearlyCertain || found.basis() == Basis::WellFormed;
    let is_other = match found.encoding() {
        Some(found) if found.unit_size() != encoding.unit_size() => true,
        Some(Encoding::Utf8) => encoding.unit_size() == 1 && !is_utf8_too(encoding),
        Some(Encoding::Utf16Le) => encoding == Encoding::Utf16Be,
        Some(Encoding::Utf16Be) => encoding == Encoding::Utf16Le,
        _ => false,
    };
    found.basis() != Basis::Empty && is_sure && is_other
}

/// True for the encodings that read UTF-8 as UTF-8 does.
pub(crate) fn is_utf8_too(encoding: Encoding) -> bool {
    use Encoding::{Cesu8, Mutf8, Unicode11Utf8, Utf8, Utf8Kuhn, Utf8NoNoncharacters, Utf8Rfc2044, Utf8Rfc2279, Wtf8};
    matches!(
        encoding,
        Utf8 | Utf8Rfc2279 | Utf8Rfc2044 | Utf8Kuhn | Utf8NoNoncharacters | Unicode11Utf8 | Cesu8 | Mutf8 | Wtf8
    )
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
