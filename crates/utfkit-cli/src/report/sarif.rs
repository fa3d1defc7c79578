//! Findings as SARIF 2.1.0, the format of code scanning tools.
//!
//! Results are written as the files are read. The part after them is bounded: it
//! names at most [`KEPT`] unreadable and [`KEPT`] ill-formed files.

use std::path::Path;

use serde::Serialize;
use serde_json::{Map, Value, json};
use utfkit::Encoding;

use super::jsonl::value;
use super::model::{First, Item, Summary, Sums};
use super::rules::{RULES, index};
use crate::console::NEXT;
use crate::exit::Status;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The address of the command's description, from its manifest, or of RFC 3629
/// if the manifest has none, since validators require an address that exists.
fn information() -> &'static str {
    let of_manifest = [env!("CARGO_PKG_HOMEPAGE"), env!("CARGO_PKG_REPOSITORY")];
    of_manifest.into_iter().find(|uri| !uri.is_empty()).unwrap_or("https://www.rfc-editor.org/rfc/rfc3629")
}

/// Maximum number of unreadable files listed, and of summaries of ill-formed
/// files.
const KEPT: usize = 1000;

/// Writes the part before the results.
pub(super) fn head(to: &mut Vec<u8>, encoding: Encoding) {
    let rules: Vec<Value> = RULES
        .iter()
        .map(|rule| {
            json!({
                "id": rule.id,
                "name": rule.name,
                "shortDescription": { "text": format!("{}.", rule.short) },
                "fullDescription": { "text": rule.help },
                "help": { "text": rule.help, "markdown": format!("{} [More]({}).", rule.help, rule.uri) },
                "helpUri": rule.uri,
                "defaultConfiguration": { "level": "error" },
            })
        })
        .collect();
    let driver = json!({
        "name": "utfkit",
        "informationUri": information(),
        "version": env!("CARGO_PKG_VERSION"),
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "rules": rules,
    });
    to.extend_from_slice(format!("{{\"$schema\":\"{SCHEMA}\",\"version\":\"2.1.0\",\"runs\":[{{\n").as_bytes());
    field(to, "tool", &json!({ "driver": driver }), ",\n");
    field(to, "columnKind", &"unicodeCodePoints", ",");
    field(to, "defaultEncoding", &encoding.name(), ",\n");
    to.extend_from_slice(b"\"results\":[");
}

pub(super) fn finding(to: &mut Vec<u8>, path: &Path, item: &Item) {
    let mut result = json!({
        "ruleId": item.kind,
        "level": "error",
        "message": { "text": format!("{}.", item.message) },
        "locations": [{
            "physicalLocation": {
                "artifactLocation": { "uri": uri(path) },
                "region": {
                    "startLine": item.line,
                    "startColumn": item.column,
                    "endColumn": item.column + u64::from(item.length > 0),
                    "byteOffset": item.offset,
                    "byteLength": item.length,
                },
            },
        }],
        "properties": { "bytes": item.bytes, "codePoint": item.code_point },
    });
    if let Some(index) = index(item.kind) {
        result["ruleIndex"] = index.into();
    }
    to.extend_from_slice(&[NEXT, b'\n']);
    value(to, &result);
}

/// The part after the results.
#[derive(Debug)]
pub(super) struct Tail {
    /// Summaries of ill-formed files.
    artifacts: First<Value>,
    notifications: First<Value>,
}

impl Tail {
    pub(super) fn new() -> Tail {
        Tail { artifacts: First::new(KEPT), notifications: First::new(KEPT) }
    }

    /// Adds a file that was read; `number` is its index in the run.
    pub(super) fn summary(&mut self, number: u64, path: &Path, file: &Summary) {
        if file.findings > 0 {
            let artifact = json!({
                "location": { "uri": uri(path) },
                "length": file.bytes,
                "properties": { "summary": file },
            });
            self.artifacts.add(number, artifact);
        }
    }

    /// Adds a file that could not be read to its end.
    pub(super) fn error(&mut self, number: u64, path: Option<&Path>, error: &str) {
        let mut notification = json!({ "level": "error", "message": { "text": error } });
        if let Some(path) = path {
            notification["locations"] = json!([{ "physicalLocation": { "artifactLocation": { "uri": uri(path) } } }]);
        }
        self.notifications.add(number, notification);
    }

    pub(super) fn tail(&self, to: &mut Vec<u8>, totals: &Sums, skipped: u64, status: Status) {
        let mut notifications: Vec<Value> = self.notifications.iter().cloned().collect();
        let mut note = |level: &str, text: String| {
            notifications.push(json!({ "level": level, "message": { "text": text } }));
        };
        match self.notifications.left_out {
            0 => {}
            more => note("error", format!("{more} more could not be read")),
        }
        match totals.findings - totals.shown {
            0 => {}
            more => note("note", format!("{more} more findings are not listed; --max-errors 0 lists all")),
        }
        match skipped {
            0 => {}
            more => note("note", format!("{more} binary files were skipped")),
        }
        let invocation = json!({
            "executionSuccessful": status != Status::Failed,
            "exitCode": status as u8,
            "toolExecutionNotifications": notifications,
        });
        let artifacts: Vec<&Value> = self.artifacts.iter().collect();
        to.extend_from_slice(b"],\n");
        field(to, "artifacts", &artifacts, ",\n");
        field(to, "invocations", &[invocation], ",\n");
        let mut properties = Map::new();
        properties.insert("totals".to_owned(), json!(totals));
        field(to, "properties", &properties, "}]}\n");
    }
}

fn field(to: &mut Vec<u8>, name: &str, content: &impl Serialize, after: &str) {
    value(to, &name);
    to.push(b':');
    value(to, content);
    to.extend_from_slice(after.as_bytes());
}

/// The path as a URI reference (RFC 3986): relative, or absolute with the scheme
/// `file`. Percent-encoding keeps names in any encoding exact.
fn uri(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    let bytes = match bytes.strip_prefix(b"./") {
        // `-` alone is standard input.
        Some(rest) if !rest.is_empty() && rest != b"-" && rest[0] != b'/' => rest,
        _ => bytes,
    };
    let mut uri = String::with_capacity(bytes.len());
    if path.is_absolute() {
        uri.push_str(if bytes.first() == Some(&b'/') { "file://" } else { "file:///" });
    }
    for &byte in bytes {
        match byte {
            b'\\' if cfg!(windows) => uri.push('/'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_references() {
        for (path, expected) in [
            ("a b/ä#1?.txt", "a%20b/%C3%A4%231%3F.txt"),
            ("./a", "a"),
            ("./-", "./-"),
            ("-", "-"),
            ("a:b", "a%3Ab"),
            ("../100%", "../100%25"),
        ] {
            assert_eq!(uri(Path::new(path)), expected);
        }
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            assert_eq!(uri(Path::new("/srv/x y")), "file:///srv/x%20y");
            assert_eq!(uri(Path::new(std::ffi::OsStr::from_bytes(b"caf\xE9"))), "caf%E9");
        }
    }
}
