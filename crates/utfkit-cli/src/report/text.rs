//! Findings for people: a line each, as compilers print them.

use std::io::Write;
use std::path::Path;

use utfkit::diagnose::{Finding, Totals};

use super::console::Styles;
use super::context::Context;
use super::model::Hint;
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
    context: Option<Context>,
}

impl Text {
    pub(super) fn new(path: &Path, out: Styles, err: Styles, context: Option<Context>) -> Text {
        Text { path: Escaped(path).to_string(), out, err, context }
    }

    /// What comes next of the file, before it is checked.
    pub(super) fn feed(&mut self, to: &mut Vec<u8>, bytes: &[u8]) {
        if let Some(context) = &mut self.context {
            context.feed(to, bytes);
        }
    }

    pub(super) fn finding(&mut self, to: &mut Vec<u8>, finding: &Finding, shown: bool) {
        if let Some(context) = &mut self.context {
            context.finding(to, finding, shown);
        }
        if shown {
            finding_line(to, self.out, &self.path, finding);
        }
    }

    /// Nothing more comes.
    pub(super) fn finish(&mut self, to: &mut Vec<u8>) {
        if let Some(context) = &mut self.context {
            context.finish(to);
        }
    }

    /// A line for a file that has findings: how many of each kind.
    pub(super) fn summary(&self, to: &mut Vec<u8>, totals: &Totals, shown: u64, hint: Option<&Hint>) {
        summary_line(to, self.err, &self.path, totals, shown, hint);
    }
}

/// `PATH: 3 ill-formed sequences: 2 overlong, 1 truncated; …`, if there are any.
pub(super) fn summary_line(
    to: &mut Vec<u8>,
    styles: Styles,
    path: &str,
    totals: &Totals,
    shown: u64,
    hint: Option<&Hint>,
) {
    let all = totals.findings();
    if all == 0 {
        return;
    }
    let p = styles.path;
    let kinds: Vec<_> = totals.kinds().map(|(kind, count)| format!("{count} {kind}")).collect();
    let noun = if all == 1 { "sequence" } else { "sequences" };
    let _ = write!(to, "{p}{path}{p:#}: {all} ill-formed {noun}: {}", kinds.join(", "));
    if shown < all {
        let _ = write!(to, " (the first {shown} shown; --max-errors 0 shows all)");
    }
    if let Some(Hint { reason, command, .. }) = hint {
        let _ = write!(to, "; {reason}; try: {command}");
    }
    let _ = writeln!(to);
}
