//! Findings for people: a line each, as compilers print them.

use std::io::Write;
use std::path::Path;

use utfkit::diagnose::{Finding, Totals};

use super::console::Styles;
use super::hint::Windows1252;
use super::printable::Escaped;

/// `PATH:LINE:COLUMN: byte OFFSET: HEX HEX…: KIND: message`
pub(crate) fn finding_line(to: &mut Vec<u8>, styles: Styles, path: &str, finding: &Finding) {
    let Styles { path: p, place: n, kind: k, .. } = styles;
    let (line, column, offset) = (finding.line(), finding.column(), finding.offset());
    // Writing to memory cannot fail, here and below.
    let _ = write!(to, "{p}{path}{p:#}:{n}{line}{n:#}:{n}{column}{n:#}: byte {offset}:");
    for byte in finding.bytes() {
        let _ = write!(to, " {byte:02X}");
    }
    let _ = writeln!(to, ": {k}{}{k:#}: {}", finding.kind(), finding.diagnosis());
}

/// The report of one file.
pub(crate) struct Text {
    path: String,
    out: Styles,
    err: Styles,
    hint: Option<Windows1252>,
}

impl Text {
    /// `hint`: whether the faulty bytes could be windows-1252.
    pub(crate) fn new(path: &Path, out: Styles, err: Styles, hint: bool) -> Text {
        Text { path: Escaped(path).to_string(), out, err, hint: hint.then(Windows1252::new) }
    }

    pub(crate) fn finding(&mut self, to: &mut Vec<u8>, finding: &Finding, shown: bool) {
        if let Some(hint) = &mut self.hint {
            hint.note(finding);
        }
        if shown {
            finding_line(to, self.out, &self.path, finding);
        }
    }

    /// A line for a file that has findings: how many of each kind.
    pub(crate) fn summary(&self, to: &mut Vec<u8>, totals: &Totals, shown: u64) {
        let all = totals.findings();
        if all == 0 {
            return;
        }
        let p = self.err.path;
        let kinds: Vec<_> = totals.kinds().map(|(kind, count)| format!("{count} {kind}")).collect();
        let noun = if all == 1 { "sequence" } else { "sequences" };
        let _ = write!(to, "{p}{}{p:#}: {all} ill-formed {noun}: {}", self.path, kinds.join(", "));
        if shown < all {
            let _ = write!(to, " (the first {shown} shown; --max-errors 0 shows all)");
        }
        if let Some(characters) = self.hint.as_ref().and_then(|hint| hint.text(totals)) {
            let _ = write!(to, "; in windows-1252: {characters}");
        }
        let _ = writeln!(to);
    }
}
