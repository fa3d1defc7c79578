//! Findings for programs: one JSON document for all files.
//!
//! It is written as the files are read, so its size costs no memory:
//! `{"files":[…],"totals":{…}}`, and of each file
//! `{"path":…,"findings":[…],"summary":{…}}`, or `"error"` instead of the
//! summary where it could not be read to its end.

use std::path::Path;

use super::console::NEXT;
use super::jsonl::{JsonPath, value};
use super::model::{Item, Summary, Sums};
use serde::Serialize;

pub(super) const HEAD: &[u8] = b"{\"files\":[";

/// What stands after the last file.
pub(super) fn tail(to: &mut Vec<u8>, totals: &Sums, skipped: u64) {
    #[derive(Serialize)]
    struct Totals<'a> {
        #[serde(flatten)]
        totals: &'a Sums,
        /// Files met on a walk that are not text.
        skipped: u64,
    }
    to.extend_from_slice(b"],\n\"totals\":");
    value(to, &Totals { totals, skipped });
    to.extend_from_slice(b"}\n");
}

/// A file of the document.
#[derive(Default)]
pub(super) struct Json {
    /// How many findings it has got, once it was begun.
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
                // The object goes on.
                to.pop();
            }
            None => to.extend_from_slice(b"{\"path\":null"),
        }
        to.extend_from_slice(b",\"findings\":[");
    }
}
