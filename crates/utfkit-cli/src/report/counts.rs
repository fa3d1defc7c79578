//! The report of `utfkit count`: a table or JSON lines.

use std::io::Write;
use std::path::Path;

use serde::Serialize;

use super::jsonl::{JsonPath, line};
use crate::console::Styles;
use crate::printable::Escaped;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Counts {
    pub(crate) bytes: u64,
    /// Well-formed code points.
    pub(crate) code_points: u64,
    pub(crate) lines: u64,
    /// Length of the well-formed code points in UTF-16 code units.
    pub(crate) utf16_units: u64,
    /// Width of the widest line on a terminal.
    pub(crate) columns: u64,
    /// Ill-formed sequences, as `utfkit check` counts them.
    pub(crate) ill_formed: u64,
}

impl Counts {
    pub(crate) fn add(&mut self, other: Counts) {
        self.bytes += other.bytes;
        self.code_points += other.code_points;
        self.lines += other.lines;
        self.utf16_units += other.utf16_units;
        self.columns = self.columns.max(other.columns);
        self.ill_formed += other.ill_formed;
    }
}

#[derive(Serialize)]
struct FileLine<'a> {
    #[serde(flatten)]
    path: &'a JsonPath,
    #[serde(flatten)]
    counts: Counts,
}

#[derive(Serialize)]
struct TotalLine {
    total: bool,
    files: u64,
    #[serde(flatten)]
    counts: Counts,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum CountReport {
    Text(Styles),
    Jsonl,
}

impl CountReport {
    /// The titles of the table; nothing for JSON.
    pub(crate) fn head(self) -> Vec<u8> {
        match self {
            CountReport::Text(_) => format!(
                "{:>13} {:>13} {:>13} {:>13} {:>8} {:>10}  path\n",
                "bytes", "code points", "lines", "UTF-16 units", "columns", "ill-formed"
            )
            .into_bytes(),
            CountReport::Jsonl => Vec::new(),
        }
    }

    pub(crate) fn file(self, to: &mut Vec<u8>, path: &Path, counts: Counts) {
        match self {
            CountReport::Text(styles) => row(to, styles, counts, &Escaped(path).to_string()),
            CountReport::Jsonl => line(to, &FileLine { path: &JsonPath::new(path), counts }),
        }
    }

    /// Writes the totals of `files` files.
    pub(crate) fn total(self, to: &mut Vec<u8>, files: u64, counts: Counts) {
        match self {
            CountReport::Text(styles) => row(to, styles, counts, "total"),
            CountReport::Jsonl => line(to, &TotalLine { total: true, files, counts }),
        }
    }
}

fn row(to: &mut Vec<u8>, styles: Styles, counts: Counts, name: &str) {
    let Styles { path: p, kind: k, .. } = styles;
    let Counts { bytes, code_points, lines, utf16_units, columns, ill_formed } = counts;
    let k = if ill_formed == 0 { Default::default() } else { k };
    // Writing to memory cannot fail.
    let _ = writeln!(
        to,
        "{bytes:>13} {code_points:>13} {lines:>13} {utf16_units:>13} {columns:>8} {k}{ill_formed:>10}{k:#}  {p}{name}{p:#}"
    );
}
