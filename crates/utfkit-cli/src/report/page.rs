//! The data of `utfkit report`: totals, and rows for a bounded number of files.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;

use utfkit::detect::Detection;
use utfkit::diagnose::{Finding, Totals};
use utfkit::{Encoding, Standard};

use super::context::{Context, Look};
use super::detected::encoding_of;
use super::hint::Hints;
use super::model::{First, Found, Hint, Item, Summary, Sums, Tally};
use crate::args::BomRule;
use crate::census::Census;
use crate::printable::{Escaped, argument};

/// Maximum number of ill-formed files shown with their findings.
const WORST: usize = 100;
/// Maximum number of rows in each table of other files.
pub(super) const ROWS: usize = 5000;
/// Maximum number of unreadable files listed.
const UNREADABLE: usize = 1000;

#[derive(Debug)]
pub(crate) struct Page {
    pub(super) title: String,
    pub(super) sums: Sums,
    pub(super) code_points: u64,
    pub(super) encodings: BTreeMap<String, u64>,
    pub(super) scripts: BTreeMap<&'static str, u64>,
    pub(super) line_ends: BTreeMap<&'static str, u64>,
    /// The files with the most findings, then the lowest number.
    pub(super) worst: BTreeMap<(Reverse<u64>, u64), Details>,
    pub(super) more: First<FileRow>,
    pub(super) good: First<FileRow>,
    pub(super) unreadable: First<String>,
    pub(super) skipped: u64,
}

/// A row for one file. The path is escaped.
#[derive(Clone, Debug)]
pub(super) struct FileRow {
    pub(super) path: String,
    pub(super) encoding: String,
    pub(super) line_ends: &'static str,
    pub(super) summary: Summary,
}

#[derive(Debug)]
pub(crate) struct Details {
    pub(super) row: FileRow,
    pub(super) items: Vec<Shown>,
}

/// A finding, and the excerpt (HTML) that ends with it, if any.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) item: Item,
    pub(super) lines: String,
}

impl Page {
    pub(crate) fn new(title: &str) -> Page {
        Page {
            title: title.to_owned(),
            sums: Sums::default(),
            code_points: 0,
            encodings: BTreeMap::new(),
            scripts: BTreeMap::new(),
            line_ends: BTreeMap::new(),
            worst: BTreeMap::new(),
            more: First::new(ROWS),
            good: First::new(ROWS),
            unreadable: First::new(UNREADABLE),
            skipped: 0,
        }
    }

    /// Adds a file that was read; `number` is its index in the run.
    pub(crate) fn add(&mut self, number: u64, details: Details, census: &Census) {
        let row = &details.row;
        self.sums.add(&row.summary);
        self.code_points += row.summary.code_points;
        *self.encodings.entry(row.encoding.clone()).or_default() += 1;
        *self.line_ends.entry(row.line_ends).or_default() += 1;
        for (script, count) in census.scripts() {
            *self.scripts.entry(script).or_default() += count;
        }
        let findings = row.summary.findings;
        if findings == 0 {
            self.good.add(number, details.row);
            return;
        }
        self.worst.insert((Reverse(findings), number), details);
        if self.worst.len() > WORST
            && let Some(((_, number), details)) = self.worst.pop_last()
        {
            self.more.add(number, details.row);
        }
    }

    /// Adds a file that could not be read to its end. The message is escaped.
    pub(crate) fn unreadable(&mut self, number: u64, message: String) {
        self.sums.unreadable += 1;
        self.unreadable.add(number, message);
    }

    /// Counts a binary file that was skipped in a folder.
    pub(crate) fn skip(&mut self) {
        self.skipped += 1;
    }
}

impl Details {
    pub(crate) fn has_findings(&self) -> bool {
        self.row.summary.findings > 0
    }
}

pub(crate) struct FileDetails {
    path: String,
    /// The path in a command.
    argument: String,
    encoding: Encoding,
    declared: Option<Encoding>,
    /// Maximum number of findings shown.
    limit: u64,
    items: Vec<Shown>,
    hints: Option<(Hints, std::path::PathBuf)>,
    context: Context,
    lines: Vec<u8>,
}

impl FileDetails {
    pub(crate) fn new(path: &Path, encoding: Encoding, declared: Option<Encoding>, limit: u64) -> FileDetails {
        FileDetails {
            path: Escaped(path).to_string(),
            argument: argument(path).to_owned(),
            encoding,
            declared,
            limit,
            items: Vec::new(),
            hints: (encoding == Encoding::Utf8).then(|| (Hints::new(), path.to_owned())),
            context: Context::new(encoding, Standard::Rfc3629, Look::Html),
            lines: Vec::new(),
        }
    }

    /// Takes the next bytes, before they are checked.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        if let Some((hints, _)) = &mut self.hints {
            hints.feed(bytes);
        }
        self.context.feed(&mut self.lines, bytes);
        self.take_lines();
    }

    pub(crate) fn finding(&mut self, finding: &Finding) {
        if let Some((hints, _)) = &mut self.hints {
            hints.note(finding);
        }
        let show = (self.items.len() as u64) < self.limit;
        self.context.finding(&mut self.lines, &Found::IllFormed(*finding), show);
        self.take_lines();
        if show {
            self.items.push(Shown { item: Item::new(finding), lines: String::new() });
        }
    }

    /// Ends a file that was read to its end. `whole` is its content, if it was read
    /// in one chunk.
    pub(crate) fn finish(
        mut self,
        whole: Option<&[u8]>,
        found: &Detection,
        bom: Option<BomRule>,
        totals: &Totals,
        census: &Census,
    ) -> Details {
        self.context.finish(&mut self.lines);
        self.take_lines();
        let mut tally = Tally::from(totals);
        // In UTF-8 and US-ASCII, other text is ill-formed.
        let has_all_bytes = |encoding: &Encoding| !matches!(encoding, Encoding::Utf8 | Encoding::UsAscii);
        let declared = self.declared.filter(|encoding| has_all_bytes(encoding) || bom.is_some());
        let another = declared.and_then(|declared| Item::of_declared(found, declared, bom));
        let is_another = another.is_some();
        if let Some(item) = another {
            tally.note(&Found::OfFile(item.clone()));
            self.items.insert(0, Shown { item, lines: String::new() });
        }
        let is_declared = !is_another && self.declared.is_some_and(|declared| declared != Encoding::Utf8);
        let hint = match self.hints {
            _ if is_another => Hint::of_declared(found, &self.argument),
            _ if is_declared => None,
            Some((mut hints, path)) => hints.hint(&path, whole, totals),
            // With a BOM, programs know it.
            None if found.bom().is_none() => Some(Hint::of_wide(self.encoding, false, &self.argument)),
            None => None,
        };
        let summary = Summary::new(totals, &tally, self.items.len() as u64, hint);
        let encoding = match self.declared {
            Some(declared) if is_declared && totals.findings() == 0 && totals.bytes() > 0 => declared.name().to_owned(),
            _ => encoding_of(found, self.encoding, totals),
        };
        let row = FileRow { path: self.path, encoding, line_ends: census.line_ends().name(), summary };
        Details { row, items: self.items }
    }

    /// Attaches the excerpt written last to the last finding.
    fn take_lines(&mut self) {
        if !self.lines.is_empty() {
            if let Some(last) = self.items.last_mut() {
                last.lines.push_str(&String::from_utf8_lossy(&self.lines));
            }
            self.lines.clear();
        }
    }
}
