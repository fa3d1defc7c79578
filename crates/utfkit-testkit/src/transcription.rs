//! The expected result of converting a stream of bytes between encodings.

use crate::encoder::Encoder;
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
    let mut sink = Sink { encoder: to.encoder(), bom: to.bom() };
    let has = |value: u32| to.encode(value, &mut Vec::new());
    let ascii = |text: String| text.bytes().map(u32::from).collect::<Vec<u32>>();

    let mut skipped_to = 0;
    for piece in from.pieces(src) {
        if piece.offset < skipped_to {
            continue;
        }
        let bytes = &src[piece.offset..piece.offset + piece.len];
        let error = match piece.what {
            What::Value(value) if sink.write(&mut out.output, &[value]) => continue,
            What::StateChange => continue,
            What::Value(_) => None,
            What::IllFormed(error) => Some(error),
        };
        out.had_errors = true;
        let is_character = piece.value().is_some_and(|value| char::from_u32(value).is_some());
        let replacement = [if !is_character && has(0xFFFD) { 0xFFFD } else { '?'.into() }];
        match (treatment, piece.what) {
            (Treatment::Report, _) => {
                sink.encoder.flush(&mut out.output);
                out.reports.push(Report {
                    offset: piece.offset,
                    written: out.output.len(),
                    len: piece.len,
                    error_len: piece.error_len(),
                    kind: error.map_or("unrepresentable", |error| error.kind),
                });
            }
            (Treatment::ReplaceSequences, What::IllFormed(_)) => {
                skipped_to = sequence_end(from, src, &piece);
                let _ = sink.write(&mut out.output, &replacement);
            }
            (Treatment::ReplaceUnits, What::IllFormed(_)) => {
                for _ in bytes.chunks(from.unit()) {
                    let _ = sink.write(&mut out.output, &replacement);
                }
            }
            (Treatment::ReplaceSubparts | Treatment::ReplaceUnits | Treatment::ReplaceSequences, _) => {
                let _ = sink.write(&mut out.output, &replacement);
            }
            (Treatment::Skip, _) | (_, What::StateChange) => {}
            (Treatment::Escape, What::Value(value)) => {
                let _ = sink.write(&mut out.output, &ascii(format!("\\u{{{value:X}}}")));
            }
            (Treatment::Escape, What::IllFormed(_)) => {
                for byte in bytes {
                    let _ = sink.write(&mut out.output, &ascii(format!("\\x{byte:02X}")));
                }
            }
        }
    }
    sink.encoder.finish(&mut out.output);
    out
}

/// Writes values.
struct Sink {
    encoder: Box<dyn Encoder>,
    /// What has to come before the first value.
    bom: &'static [u8],
}

impl Sink {
    /// Writes `text` without the values that the target lacks here; returns false if
    /// there was one.
    fn write(&mut self, output: &mut Vec<u8>, text: &[u32]) -> bool {
        let mut all = true;
        for &value in text {
            let mut bytes = Vec::new();
            all &= self.encoder.encode(value, &mut bytes);
            if !bytes.is_empty() {
                output.extend(std::mem::take(&mut self.bom));
                output.extend(bytes);
            }
        }
        all
    }
}

fn sequence_end(from: Scheme, src: &[u8], piece: &Piece) -> usize {
    if from.is_like_utf8() { utf8::sequence_end(src, piece) } else { piece.offset + piece.len }
}
