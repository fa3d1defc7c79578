//! Findings as one JSON object per line.

use std::io;
use std::path::{Path, PathBuf};

use super::model::{Item, Summary, hex, unhex};
use crate::paths::path_from_bytes;
use crate::printable::{is_hostile, json_escape};
use serde::{Deserialize, Serialize};
use serde_json::ser::{Formatter, Serializer};

pub(crate) struct Jsonl {
    path: JsonPath,
}

/// `path` is exact if it is UTF-8. Otherwise it is lossy, and `path_bytes` has
/// the bytes in hexadecimal.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
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

    pub(crate) fn to_path(&self) -> Option<PathBuf> {
        match &self.path_bytes {
            Some(bytes) => path_from_bytes(unhex(bytes)?),
            None => Some(self.path.as_str().into()),
        }
    }
}

#[derive(Serialize)]
struct FindingLine<'a> {
    #[serde(flatten)]
    path: &'a JsonPath,
    #[serde(flatten)]
    item: &'a Item,
}

#[derive(Serialize)]
struct SummaryLine<'a> {
    #[serde(flatten)]
    path: &'a JsonPath,
    summary: bool,
    #[serde(flatten)]
    file: &'a Summary,
}

#[derive(Serialize)]
struct ErrorLine<'a> {
    #[serde(flatten)]
    path: Option<&'a JsonPath>,
    error: &'a str,
}

impl Jsonl {
    pub(crate) fn new(path: &Path) -> Jsonl {
        Jsonl { path: JsonPath::new(path) }
    }

    pub(crate) fn finding(&self, to: &mut Vec<u8>, item: &Item) {
        line(to, &FindingLine { path: &self.path, item });
    }

    pub(crate) fn summary(&self, to: &mut Vec<u8>, file: &Summary) {
        line(to, &SummaryLine { path: &self.path, summary: true, file });
    }
}

/// Writes an error of a file, or one without a path.
pub(super) fn error_line(to: &mut Vec<u8>, path: Option<&Path>, error: &str) {
    line(to, &ErrorLine { path: path.map(JsonPath::new).as_ref(), error });
}

/// Writes an object on a line of its own.
pub(crate) fn line(to: &mut Vec<u8>, object: &impl Serialize) {
    if value(to, object) {
        to.push(b'\n');
    }
}

/// Writes a JSON value without a line end.
pub(super) fn value(to: &mut Vec<u8>, value: &impl Serialize) -> bool {
    // Strings and numbers always serialize, and writing to memory cannot fail.
    value.serialize(&mut Serializer::with_formatter(to, Safe)).is_ok()
}

/// Compact JSON that escapes characters which could control a terminal; JSON
/// itself requires that only below U+0020.
struct Safe;

impl Formatter for Safe {
    fn write_string_fragment<W: io::Write + ?Sized>(&mut self, to: &mut W, fragment: &str) -> io::Result<()> {
        // JSON has escaped all other controls of US-ASCII.
        if fragment.is_ascii() && !fragment.contains('\u{7F}') {
            return to.write_all(fragment.as_bytes());
        }
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
