//! Findings as text, one per line, in the format of compilers.

use std::cell::OnceCell;
use std::io::Write;
use std::path::Path;

use utfkit::diagnose::Finding;

use super::context::Context;
use super::model::{Found, Hint, Item, Tally};
use super::rules::RULES;
use crate::console::Styles;
use crate::printable::Escaped;

/// `PATH:LINE:COLUMN: byte OFFSET: HEX HEX…: KIND: message`
pub(crate) fn finding_line(to: &mut Vec<u8>, styles: Styles, path: &str, finding: &Finding) {
    item_line(to, styles, path, &Item::new(finding));
}

fn item_line(to: &mut Vec<u8>, styles: Styles, path: &str, item: &Item) {
    let Styles { path: p, place: n, kind: k, .. } = styles;
    let Item { offset, line, column, kind, message, .. } = item;
    // Writing to memory cannot fail, here and below.
    let _ = write!(to, "{p}{path}{p:#}:{n}{line}{n:#}:{n}{column}{n:#}: byte {offset}: ");
    // A missing BOM has no bytes.
    match item.spaced().as_str() {
        "" => {}
        bytes => {
            let _ = write!(to, "{bytes}: ");
        }
    }
    let _ = writeln!(to, "{k}{kind}{k:#}: {message}");
}

pub(crate) struct Text {
    /// The escaped path, computed on first use: most files have no findings.
    name: OnceCell<String>,
    out: Styles,
    err: Styles,
    context: Option<Context>,
}

impl Text {
    pub(super) fn new(out: Styles, err: Styles, context: Option<Context>) -> Text {
        Text { name: OnceCell::new(), out, err, context }
    }

    fn name(&self, path: &Path) -> &str {
        self.name.get_or_init(|| Escaped(path).to_string())
    }

    /// Takes the next bytes of the file, before they are checked.
    pub(super) fn feed(&mut self, to: &mut Vec<u8>, bytes: &[u8]) {
        if let Some(context) = &mut self.context {
            context.feed(to, bytes);
        }
    }

    pub(super) fn finding(&mut self, to: &mut Vec<u8>, path: &Path, found: &Found, shown: bool) {
        if let Some(context) = &mut self.context {
            context.finding(to, found, shown);
        }
        if shown {
            item_line(to, self.out, self.name(path), &found.item());
        }
    }

    /// Ends the file.
    pub(super) fn finish(&mut self, to: &mut Vec<u8>) {
        if let Some(context) = &mut self.context {
            context.finish(to);
        }
    }

    /// Writes the number of findings by kind, if there are any.
    pub(super) fn summary(&self, to: &mut Vec<u8>, path: &Path, tally: &Tally, shown: u64, hint: Option<&Hint>) {
        if tally.findings > 0 {
            summary_line(to, self.err, self.name(path), tally, shown, hint);
        }
    }
}

/// `PATH: 3 ill-formed sequences: 2 overlong, 1 truncated; …`, if there are any.
pub(super) fn summary_line(
    to: &mut Vec<u8>,
    styles: Styles,
    path: &str,
    tally: &Tally,
    shown: u64,
    hint: Option<&Hint>,
) {
    let all = tally.findings;
    if all == 0 {
        return;
    }
    let p = styles.path;
    let counted = RULES.iter().filter_map(|rule| Some(format!("{} {}", tally.kinds.get(rule.id)?, rule.id)));
    let kinds: Vec<_> = counted.collect();
    let noun = match (tally.ill_formed == all, all) {
        (true, 1) => "ill-formed sequence",
        (true, _) => "ill-formed sequences",
        (false, 1) => "finding",
        (false, _) => "findings",
    };
    let _ = write!(to, "{p}{path}{p:#}: {all} {noun}: {}", kinds.join(", "));
    if shown < all {
        let _ = write!(to, " (the first {shown} shown; --max-errors 0 shows all)");
    }
    if let Some(Hint { reason, command, .. }) = hint {
        let _ = write!(to, "; {reason}; try: {command}");
    }
    let _ = writeln!(to);
}
