//! Findings for programs: a JSON object a line.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use utfkit::diagnose::{Finding, Totals};

use super::printable::{is_hostile, json_escape};

/// The report of one file.
pub(crate) struct Jsonl {
    path: JsonPath,
}

/// Exact in `path` where it is UTF-8; otherwise that is lossy, and the bytes
/// in `path_bytes` are exact.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct JsonPath {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
}

impl JsonPath {
    pub(crate) fn new(path: &Path) -> JsonPath {
        match path.to_str() {
            Some(exact) => JsonPath { path: exact.to_owned(), path_bytes: None },
            None => JsonPath {
                path: path.to_string_lossy().into_owned(),
                path_bytes: Some(hex(path.as_os_str().as_encoded_bytes())),
            },
        }
    }
}

#[derive(Serialize)]
struct FindingLine<'a> {
    #[serde(flatten)]
    path: &'a JsonPath,
    offset: u64,
    length: usize,
    line: u64,
    column: u64,
    bytes: String,
    kind: &'static str,
    code_point: Option<String>,
    message: String,
}

#[derive(Serialize)]
struct SummaryLine<'a> {
    #[serde(flatten)]
    path: &'a JsonPath,
    summary: bool,
    bytes: u64,
    code_points: u64,
    lines: u64,
    findings: u64,
    shown: u64,
    kinds: BTreeMap<&'static str, u64>,
}

impl Jsonl {
    pub(crate) fn new(path: &Path) -> Jsonl {
        Jsonl { path: JsonPath::new(path) }
    }

    pub(crate) fn finding(&self, to: &mut Vec<u8>, finding: &Finding) {
        let diagnosis = finding.diagnosis();
        line(
            to,
            &FindingLine {
                path: &self.path,
                offset: finding.offset(),
                length: finding.bytes().len(),
                line: finding.line(),
                column: finding.column(),
                bytes: hex(finding.bytes()),
                kind: finding.kind().name(),
                code_point: diagnosis.code_point().map(|value| format!("U+{value:04X}")),
                message: diagnosis.to_string(),
            },
        );
    }

    pub(crate) fn summary(&self, to: &mut Vec<u8>, totals: &Totals, shown: u64) {
        line(
            to,
            &SummaryLine {
                path: &self.path,
                summary: true,
                bytes: totals.bytes(),
                code_points: totals.code_points(),
                lines: totals.lines(),
                findings: totals.findings(),
                shown,
                kinds: totals.kinds().map(|(kind, count)| (kind.name(), count)).collect(),
            },
        );
    }
}

/// An object on a line of its own.
pub(crate) fn line(to: &mut Vec<u8>, object: &impl Serialize) {
    // Strings and numbers always serialise, and memory takes all of them.
    if object.serialize(&mut Serializer::with_formatter(&mut *to, Safe)).is_ok() {
        to.push(b'\n');
    }
}

/// Compact JSON in which what could steer a terminal is escaped. JSON itself
/// asks for that below U+0020 only.
struct Safe;

impl Formatter for Safe {
    fn write_string_fragment<W: io::Write + ?Sized>(&mut self, to: &mut W, fragment: &str) -> io::Result<()> {
        for part in fragment.split_inclusive(is_hostile) {
            let mut chars = part.chars();
            match chars.next_back() {
                Some(last) if is_hostile(last) => {
                    to.write_all(chars.as_str().as_bytes())?;
                    to.write_all(json_escape(last).as_bytes())?;
                }
                _ => to.write_all(part.as_bytes())?,
            }
        }
        Ok(())
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
