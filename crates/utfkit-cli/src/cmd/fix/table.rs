//! The plan, for people and for programs.

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;
use utfkit::display_width as width;

use super::plan::{Left, Planned};
use crate::console::Styles;
use crate::printable::{Escaped, count, escaped_text};
use crate::report::{JsonPath, line};

/// The widest column of paths.
const WIDEST: usize = 40;

pub(super) fn text(to: &mut Vec<u8>, styles: Styles, planned: &[(u64, Planned)], left: &[(u64, PathBuf, Left)]) {
    let Styles { path: p, place: n, kind: k, name: b, .. } = styles;
    let name = |path: &PathBuf| Escaped(path).to_string();
    let widest = |texts: &mut dyn Iterator<Item = String>| texts.map(|text| width(&text)).max().unwrap_or(0);
    let paths = widest(&mut planned.iter().map(|(_, planned)| name(&planned.path))).clamp(4, WIDEST);
    let found = widest(&mut planned.iter().map(|(_, planned)| planned.encoding.to_owned())).max(5);
    let sure = widest(&mut planned.iter().map(|(_, planned)| planned.certainty.to_string())).max(4);
    let pad = |text: &str, to: usize| " ".repeat(to.saturating_sub(width(text)));
    // Writing to memory cannot fail.
    if !planned.is_empty() {
        let _ = writeln!(
            to,
            "{b}FILE{}  FOUND{}  SURE{}  WILL{b:#}",
            pad("FILE", paths),
            pad("FOUND", found),
            pad("SURE", sure)
        );
    }
    for (_, planned) in planned {
        let (path, sureness) = (name(&planned.path), planned.certainty.to_string());
        let _ = writeln!(
            to,
            "{p}{path}{p:#}{}  {n}{}{n:#}{}  {sureness}{}  {}",
            pad(&path, paths),
            planned.encoding,
            pad(planned.encoding, found),
            pad(&sureness, sure),
            planned.actions().join(", ")
        );
        if planned.before != planned.after {
            let _ = writeln!(to, "  {k}- {}{k:#}\n  {n}+ {}{n:#}", planned.before, planned.after);
        }
    }
    if !left.is_empty() {
        let _ = writeln!(to, "{}{b}LEFT ALONE{b:#}", if planned.is_empty() { "" } else { "\n" });
    }
    for (_, path, left) in left {
        let found = left.found.as_ref().map(|(name, _)| format!("{name}: ")).unwrap_or_default();
        let _ = writeln!(to, "{p}{}{p:#}: {found}{}", Escaped(path), escaped_text(&left.why));
    }
}

#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    path: JsonPath,
    encoding: Option<&'a str>,
    certainty: Option<&'a str>,
    actions: Vec<String>,
    before: Option<&'a str>,
    after: Option<&'a str>,
    left_alone: Option<&'a str>,
}

pub(super) fn jsonl(to: &mut Vec<u8>, planned: &[(u64, Planned)], left: &[(u64, PathBuf, Left)]) {
    let planned = planned.iter().map(|(number, planned)| {
        let row = Row {
            path: JsonPath::new(&planned.path),
            encoding: Some(planned.encoding),
            certainty: Some(planned.certainty.name()),
            actions: planned.actions(),
            before: Some(&planned.before),
            after: Some(&planned.after),
            left_alone: None,
        };
        (*number, row)
    });
    let left = left.iter().map(|(number, path, left)| {
        let row = Row {
            path: JsonPath::new(path),
            encoding: left.found.as_ref().map(|(name, _)| name.as_str()),
            certainty: left.found.as_ref().map(|(_, certainty)| certainty.name()),
            actions: Vec::new(),
            before: None,
            after: None,
            left_alone: Some(&left.why),
        };
        (*number, row)
    });
    let mut rows: Vec<_> = planned.chain(left).collect();
    rows.sort_by_key(|(number, _)| *number);
    rows.iter().for_each(|(_, row)| line(to, row));
}

/// `3 files to change, 1 left alone, 12 in UTF-8 already, 4 binary`
pub(super) fn counts(planned: u64, left: u64, [fine, declared, binaries]: [u64; 3]) -> String {
    let mut parts = vec![format!("{} to change", count(planned, "file"))];
    for (n, what) in
        [(left, "left alone"), (fine, "in UTF-8 already"), (declared, "in the declared encoding"), (binaries, "binary")]
    {
        if n > 0 {
            parts.push(format!("{n} {what}"));
        }
    }
    parts.join(", ")
}
