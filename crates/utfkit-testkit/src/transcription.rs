//! The expected result of converting a stream of bytes between encodings.

use crate::piece::{Piece, What};
use crate::scheme::Scheme;
use crate::utf8;

/// The treatment of errors and of characters that the target lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Treatment {
    /// Report and skip.
    Report,
    /// U+FFFD for each maximal subpart, or `?`.
    ReplaceSubparts,
    /// U+FFFD for each unit, or `?`.
    ReplaceUnits,
    /// U+FFFD for each sequence that `check` reports, or `?`.
    ReplaceSequences,
    /// Skip.
    Skip,
    /// `\xNN` for each byte, `\u{N}` for a character.
    Escape,
}

/// A reported error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// Offset in the source.
    pub offset: usize,
    /// Length of the output before it.
    pub written: usize,
    /// Length of the ill-formed sequence or character in bytes.
    pub len: usize,
    /// Number of bytes to skip.
    pub error_len: Option<usize>,
    /// Kind of error.
    pub kind: &'static str,
}

/// The result of a conversion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The output.
    pub output: Vec<u8>,
    /// The reported errors; empty unless the policy reports them.
    pub reports: Vec<Report>,
    /// True if anything was ill-formed or lacking.
    pub had_errors: bool,
}

/// Converts `src`.
pub fn transcribe(from: Scheme, to: Scheme, treatment: Treatment, src: &[u8]) -> Outcome {
    let mut out = Outcome::default();
    let mut first = true;
    let mut encoder = to.encoder();
    // Writes a value, or returns false if the target lacks it.
    let mut write_one = |output: &mut Vec<u8>, value: u32| {
        let mut bytes = Vec::new();
        let exists = encoder.encode(value, &mut bytes);
        if !bytes.is_empty() && std::mem::take(&mut first) {
            output.extend_from_slice(to.bom());
        }
        output.extend(bytes);
        exists
    };
    // Of an escape, what the target lacks is left out.
    let mut write =
        |output: &mut Vec<u8>, text: &[u32]| text.iter().fold(true, |all, &value| write_one(output, value) & all);
    let has = |value: u32| to.encode(value, &mut Vec::new());
    let ascii = |text: String| text.bytes().map(u32::from).collect::<Vec<u32>>();

    let mut skipped_to = 0;
    for piece in from.pieces(src) {
        if piece.offset < skipped_to {
            continue;
        }
        let bytes = &src[piece.offset..piece.offset + piece.len];
        let error = match piece.what {
            What::Value(value) if write(&mut out.output, &[value]) => continue,
            What::StateChange => continue,
            What::Value(_) => None,
            What::IllFormed(error) => Some(error),
        };
        out.had_errors = true;
        let replacement = [if error.is_some() && has(0xFFFD) { 0xFFFD } else { '?'.into() }];
        match (treatment, piece.what) {
            (Treatment::Report, _) => out.reports.push(Report {
                offset: piece.offset,
                written: out.output.len(),
                len: piece.len,
                error_len: piece.error_len(),
                kind: error.map_or("unrepresentable", |error| error.kind),
            }),
            (Treatment::ReplaceSequences, What::IllFormed(_)) => {
                skipped_to = sequence_end(from, src, &piece);
                let _ = write(&mut out.output, &replacement);
            }
            (Treatment::ReplaceUnits, What::IllFormed(_)) => {
                for _ in bytes.chunks(from.unit()) {
                    let _ = write(&mut out.output, &replacement);
                }
            }
            (Treatment::ReplaceSubparts | Treatment::ReplaceUnits | Treatment::ReplaceSequences, _) => {
                let _ = write(&mut out.output, &replacement);
            }
            (Treatment::Skip, _) | (_, What::StateChange) => {}
            (Treatment::Escape, What::Value(value)) => {
                let _ = write(&mut out.output, &ascii(format!("\\u{{{value:X}}}")));
            }
            (Treatment::Escape, What::IllFormed(_)) => {
                for byte in bytes {
                    let _ = write(&mut out.output, &ascii(format!("\\x{byte:02X}")));
                }
            }
        }
    }
    encoder.finish(&mut out.output);
    out
}

fn sequence_end(from: Scheme, src: &[u8], piece: &Piece) -> usize {
    if from.is_like_utf8() { utf8::sequence_end(src, piece) } else { piece.offset + piece.len }
}
