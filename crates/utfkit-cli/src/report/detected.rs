//! The report of `utfkit detect`.

use std::io::Write;
use std::path::Path;

use serde::Serialize;
use utfkit::Encoding;
use utfkit::detect::{Basis, Certainty, Detection};
use utfkit::diagnose::Totals;

use super::jsonl::{JsonPath, line};
use crate::console::Styles;
use crate::printable::{Escaped, escaped_text};
use crate::wide::is_wide;

/// The name of the encoding, or "unknown" or "binary".
fn name(found: &Detection) -> &'static str {
    found.name().unwrap_or(if found.basis() == Basis::Unknown { "unknown" } else { "binary" })
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum DetectReport {
    /// `PATH: ENCODING (certainty: reason)`
    Text {
        styles: Styles,
        verbose: bool,
    },
    /// `PATH: encoding`
    Mime(Styles),
    Jsonl,
}

#[derive(Serialize)]
struct FileLine<'a> {
    #[serde(flatten)]
    path: &'a JsonPath,
    encoding: Option<&'static str>,
    bom: Option<&'static str>,
    certainty: &'static str,
    reason: String,
    declared: Option<&'a str>,
    contradicted: bool,
    bytes: u64,
    sequences: u64,
    ill_formed: Option<u64>,
    bits: u64,
}

impl DetectReport {
    pub(crate) fn file(self, to: &mut Vec<u8>, path: &Path, found: &Detection) {
        // Writing to memory cannot fail.
        let _ = match self {
            DetectReport::Text { styles: Styles { path: p, place: n, .. }, verbose } => {
                let (name, sure) = (name(found), found.certainty());
                // The reason can quote the file's declaration.
                let reason = escaped_text(&found.reason().to_string());
                let _ = write!(to, "{p}{}{p:#}: {n}{name}{n:#} ({sure}: {reason})", Escaped(path));
                if verbose {
                    let (bytes, nulls, controls) = (found.bytes(), found.nulls(), found.controls());
                    let _ = write!(to, " [{bytes} bytes, {nulls} of them NUL, {controls} other controls]");
                }
                writeln!(to)
            }
            DetectReport::Mime(Styles { path: p, .. }) => {
                // The names that file(1) uses.
                let name = name(found).replace("unknown", "unknown-8bit").to_ascii_lowercase();
                writeln!(to, "{p}{}{p:#}: {name}", Escaped(path))
            }
            DetectReport::Jsonl => {
                let object = FileLine {
                    path: &JsonPath::new(path),
                    encoding: found.name(),
                    bom: found.bom().map(|bom| bom.name()),
                    certainty: found.certainty().name(),
                    reason: found.reason().to_string(),
                    declared: found.declaration().map(|declaration| declaration.label()),
                    contradicted: found.is_contradicted(),
                    bytes: found.bytes(),
                    sequences: found.sequences(),
                    ill_formed: found.ill_formed(),
                    bits: found.bits(),
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
