//! Findings as one JSON document for all files.
//!
//! It is written as the files are read, in bounded memory:
//! `{"files":[…],"totals":{…}}`, with `{"path":…,"findings":[…],"summary":{…}}`
//! for each file. A file that could not be read to its end has `"error"` instead
//! of `"summary"`.

use std::path::Path;

use super::jsonl::{JsonPath, value};
use super::model::{Item, Summary, Sums};
use crate::console::NEXT;
use serde::Serialize;

pub(super) const HEAD: &[u8] = b"{\"files\":[";

/// Writes the end of the document.
pub(super) fn tail(to: &mut Vec<u8>, totals: &Sums, skipped: u64) {
    #[derive(Serialize)]
    struct Totals<'a> {
        #[serde(flatten)]
        totals: &'a Sums,
        /// Number of binary files skipped in folders.
        skipped: u64,
    }
    to.extend_from_slice(b"],\n\"totals\":");
    value(to, &Totals { totals, skipped });
    to.extend_from_slice(b"}\n");
}

/// An element of `files`.
#[derive(Default)]
pub(super) struct Json {
    /// Number of findings written; `None` before the first output.
    findings: Option<u64>,
}

impl Json {
    pub(super) fn finding(&mut self, to: &mut Vec<u8>, path: &Path, item: &Item) {
        self.begin(to, Some(path));
        to.extend_from_slice(if self.findings == Some(0) { b"\n" } else { b",\n" });
        value(to, item);
        self.findings = self.findings.map(|count| count + 1);
    }

    pub(super) fn summary(&mut self, to: &mut Vec<u8>, path: &Path, file: &Summary) {
        self.begin(to, Some(path));
        to.extend_from_slice(b"],\"summary\":");
        value(to, file);
        to.push(b'}');
    }

    pub(super) fn error(&mut self, to: &mut Vec<u8>, path: Option<&Path>, error: &str) {
        self.begin(to, path);
        to.extend_from_slice(b"],\"error\":");
        value(to, &error);
        to.push(b'}');
    }

    fn begin(&mut self, to: &mut Vec<u8>, path: Option<&Path>) {
        if self.findings.is_some() {
            return;
        }
        self.findings = Some(0);
        to.extend_from_slice(&[NEXT, b'\n']);
        match path {
            Some(path) => {
                value(to, &JsonPath::new(path));
                // Drop the closing brace, since more members follow.
                to.pop();
            }
            None => to.extend_from_slice(b"{\"path\":null"),
        }
        to.extend_from_slice(b",\"findings\":[");
    }
}
