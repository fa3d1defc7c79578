//! The report of `utfkit detect`.

use std::io::Write;
use std::path::Path;

use serde::Serialize;
use utfkit::Encoding;
use utfkit::detect::{Basis, Candidate, Certainty, Detection, Language, Piece};
use utfkit::diagnose::Totals;

use super::jsonl::{JsonPath, line};
use crate::binaries::NotText;
use crate::console::Styles;
use crate::failure::perhaps;
use crate::neighbours::Beside;
use crate::printable::{Escaped, escaped_text};
use crate::wide::is_wide;

/// The name of the encoding, or "unknown" or "binary".
fn name(found: &Detection) -> &'static str {
    found.name().unwrap_or(if matches!(found.basis(), Basis::Unknown | Basis::Joined) { "unknown" } else { "binary" })
}

/// [`name`], or `mixed`.
fn shown_name(found: &Detection) -> &'static str {
    if found.is_mixed() && matches!(found.basis(), Basis::Damaged | Basis::Joined) { "mixed" } else { name(found) }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum DetectReport {
    /// `PATH: ENCODING (certainty: reason), LANGUAGE`, and a line per candidate
    Text {
        styles: Styles,
        verbose: bool,
        /// To tell the language takes as long as to detect the encoding of a small file.
        has_language: bool,
        candidates: Option<u16>,
    },
    /// `PATH: encoding`
    Mime(Styles),
    Jsonl {
        candidates: Option<u16>,
    },
}

#[derive(Serialize)]
struct FileLine<'a> {
    #[serde(flatten)]
    path: &'a JsonPath,
    encoding: Option<&'static str>,
    bom: Option<&'static str>,
    certainty: &'static str,
    confidence: f64,
    language: Option<&'static str>,
    reason: String,
    declared: Option<&'a str>,
    contradicted: bool,
    bytes: u64,
    sequences: u64,
    ill_formed: Option<u64>,
    bits: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    candidates: Option<Vec<CandidateObject>>,
    #[serde(skip_serializing_if = "is_false")]
    mixed: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pieces: Vec<PieceLine>,
    /// The number of pieces that are left out.
    #[serde(skip_serializing_if = "is_zero")]
    more_pieces: u64,
}

#[derive(Serialize)]
struct PieceLine {
    offset: u64,
    length: u64,
    first_line: u64,
    last_line: u64,
    encoding: Option<&'static str>,
    certainty: &'static str,
    cut: bool,
}

impl PieceLine {
    fn of(piece: &Piece) -> PieceLine {
        PieceLine {
            offset: piece.range.start,
            length: piece.range.end - piece.range.start,
            first_line: piece.lines.start,
            last_line: piece.lines.end - 1,
            encoding: piece.encoding.map(Encoding::name),
            certainty: piece.certainty.name(),
            cut: piece.is_cut,
        }
    }
}

#[derive(Serialize)]
struct CandidateObject {
    encoding: &'static str,
    alike: Vec<&'static str>,
    probability: f64,
    language: Option<&'static str>,
}

impl CandidateObject {
    fn new(of: &Candidate) -> CandidateObject {
        CandidateObject {
            encoding: of.encoding().name(),
            alike: alike(of).collect(),
            probability: rounded(of.probability()),
            language: of.language().map(Language::code),
        }
    }
}

fn alike(of: &Candidate) -> impl Iterator<Item = &'static str> {
    of.equivalent().iter().map(|encoding| encoding.name())
}

/// Rounds to six digits: more are noise.
fn rounded(probability: f64) -> f64 {
    (probability * 1e6).round() / 1e6
}

/// The likeliest candidates.
fn likeliest(found: &Detection, count: u16) -> Vec<Candidate> {
    let mut candidates = found.candidates();
    candidates.truncate(count.into());
    candidates
}

/// A line per candidate: `  97.3 %  windows-1252, French (ISO-8859-1 reads it alike)`.
fn write_candidates(to: &mut Vec<u8>, candidates: &[Candidate]) -> std::io::Result<()> {
    for candidate in candidates {
        let percent = match 100.0 * candidate.probability() {
            0.0..0.1 => "< 0.1".to_owned(),
            99.9.. => "> 99.9".to_owned(),
            percent => format!("{percent:.1}"),
        };
        write!(to, "  {percent:>6} %  {}", candidate.encoding())?;
        if let Some(language) = candidate.language() {
            write!(to, ", {}", language.name())?;
        }
        let alike: Vec<&str> = alike(candidate).collect();
        match alike.len() {
            0 => {}
            1 => write!(to, " ({} reads it alike)", alike[0])?,
            2..=3 => write!(to, " ({} read it alike)", alike.join(", "))?,
            more => write!(to, " ({} and {} more read it alike)", alike[..2].join(", "), more - 2)?,
        }
        writeln!(to)?;
    }
    Ok(())
}

/// The best readings of text in an unknown encoding.
pub(crate) fn nearest(found: &Detection) -> Vec<&'static str> {
    let candidates = found.candidates();
    let near = candidates.iter().filter(|candidate| candidate.probability() >= NEAR).take(NEAREST);
    near.map(|candidate| candidate.encoding().name()).collect()
}

/// The least confidence in the encoding of neighbouring files.
const LIKELY: f64 = 0.95;

/// The probability of a reading that is named, and the number of readings.
const NEAR: f64 = 0.02;
const NEAREST: usize = 3;

fn is_false(value: &bool) -> bool {
    !value
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl DetectReport {
    /// `beside` is the encoding of neighbouring files, if it settles this one.
    pub(crate) fn file(self, to: &mut Vec<u8>, path: &Path, found: &Detection, beside: Option<Beside>) {
        self.write(to, path, found, beside, None);
    }

    /// A file that begins like `format`.
    pub(crate) fn binary(self, to: &mut Vec<u8>, path: &Path, found: &Detection, format: &'static str) {
        self.write(to, path, found, None, Some(format));
    }

    fn write(
        self,
        to: &mut Vec<u8>,
        path: &Path,
        found: &Detection,
        beside: Option<Beside>,
        format: Option<&'static str>,
    ) {
        let begins = format.map(|format| NotText::Format(format).to_string());
        // Writing to memory cannot fail.
        match (&begins, self) {
            (Some(_), DetectReport::Mime(Styles { path: p, .. })) => {
                let _ = writeln!(to, "{p}{}{p:#}: binary", Escaped(path));
                return;
            }
            (Some(begins), DetectReport::Text { styles: Styles { path: p, place: n, .. }, .. }) => {
                let _ = writeln!(to, "{p}{}{p:#}: {n}binary{n:#} ({begins})", Escaped(path));
                return;
            }
            _ => {}
        }
        let name = beside.map_or_else(|| name(found), |beside| beside.encoding.name());
        let _ = match self {
            DetectReport::Text { styles: Styles { path: p, place: n, .. }, verbose, has_language, candidates } => {
                let name = if beside.is_none() { shown_name(found) } else { name };
                // The reason can quote the file's declaration.
                let reason = match (beside, found.name()) {
                    (Some(beside), _) => format!("{}: {}", Certainty::Likely, beside.reason()),
                    (None, None) if found.basis() == Basis::Joined => {
                        format!("{}: {}", found.certainty(), found.reason())
                    }
                    (None, Some(_)) => format!("{}: {}", found.certainty(), found.reason()),
                    // Nothing is sure of it.
                    (None, None) => format!("{}{}", found.reason(), perhaps(&nearest(found))),
                };
                let _ = write!(to, "{p}{}{p:#}: {n}{name}{n:#} ({})", Escaped(path), escaped_text(&reason));
                if has_language && let Some(language) = found.language() {
                    let _ = write!(to, ", {}", language.name());
                }
                if verbose {
                    let (bytes, nulls, controls) = (found.bytes(), found.nulls(), found.controls());
                    let _ = write!(to, " [{bytes} bytes, {nulls} of them NUL, {controls} other controls]");
                }
                let _ = writeln!(to);
                write_candidates(to, &candidates.map_or(Vec::new(), |count| likeliest(found, count)))
            }
            DetectReport::Mime(Styles { path: p, .. }) => {
                // The names that file(1) uses.
                let name = name.replace("unknown", "unknown-8bit").to_ascii_lowercase();
                writeln!(to, "{p}{}{p:#}: {name}", Escaped(path))
            }
            DetectReport::Jsonl { candidates } => {
                let object = FileLine {
                    path: &JsonPath::new(path),
                    encoding: beside.map(|beside| beside.encoding.name()).or(found.name().filter(|_| begins.is_none())),
                    bom: found.bom().map(|bom| bom.name()),
                    certainty: match (beside, &begins) {
                        (None, None) => found.certainty().name(),
                        _ => Certainty::Likely.name(),
                    },
                    confidence: if beside.is_some() || begins.is_some() { LIKELY } else { rounded(found.confidence()) },
                    language: found.language().filter(|_| begins.is_none()).map(Language::code),
                    reason: match (&begins, beside) {
                        (Some(begins), _) => begins.clone(),
                        (None, Some(beside)) => beside.reason(),
                        (None, None) => found.reason().to_string(),
                    },
                    declared: found.declaration().map(|declaration| declaration.label()),
                    contradicted: found.is_contradicted(),
                    bytes: found.bytes(),
                    sequences: found.sequences(),
                    ill_formed: found.ill_formed(),
                    bits: found.bits(),
                    candidates: candidates
                        .map(|count| likeliest(found, count).iter().map(CandidateObject::new).collect()),
                    mixed: found.is_mixed(),
                    pieces: found.pieces().iter().map(PieceLine::of).collect(),
                    more_pieces: found.more_pieces(),
                };
                line(to, &object);
                Ok(())
            }
        };
    }
}

/// A short description of a file's encoding. `found` is the result of detection;
/// `encoding` is the encoding that the file was read in, with these totals.
pub(crate) fn encoding_of(found: &Detection, encoding: Encoding, totals: &Totals) -> String {
    let name = match found.encoding() {
        _ if totals.bytes() == 0 => return "empty".to_owned(),
        _ if is_wide(encoding) => encoding.name(),
        Some(Encoding::Utf8) if found.bom().is_some() => "UTF-8 with BOM",
        Some(Encoding::Utf8) => "UTF-8",
        // Errors in UTF-8 are not damage if the file is in another encoding.
        Some(other) if found.certainty() > Certainty::Guess => return other.name().to_owned(),
        Some(other) => return format!("not UTF-8; perhaps {other}"),
        None => return "not UTF-8".to_owned(),
    };
    let damaged = if totals.findings() > 0 { ", damaged" } else { "" };
    format!("{name}{damaged}")
}
