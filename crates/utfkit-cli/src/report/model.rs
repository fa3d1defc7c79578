//! The data model of a finding, a file and a run, shared by the JSON, SARIF and
//! HTML reports.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde::Serialize;
use utfkit::Encoding;
use utfkit::detect::Detection;
use utfkit::diagnose::{Finding, Totals};

use crate::args::BomRule;
use crate::survey::is_surely_another;

/// Number of findings by kind.
pub(crate) type Kinds = BTreeMap<&'static str, u64>;

// Kinds of findings that are not ill-formed sequences.
pub(crate) const BOM: &str = "bom";
pub(crate) const MISSING_BOM: &str = "missing-bom";
pub(crate) const LINE_END: &str = "line-end";
pub(crate) const NOT_NFC: &str = "not-nfc";
pub(crate) const BIDI_CONTROL: &str = "bidi-control";
pub(crate) const CONTROL: &str = "control";
pub(crate) const REPLACEMENT: &str = "replacement-character";
pub(crate) const WRONG_ENCODING: &str = "wrong-encoding";

/// A finding as the reports show it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Item {
    pub(crate) offset: u64,
    pub(crate) length: usize,
    pub(crate) line: u64,
    pub(crate) column: u64,
    /// In hexadecimal.
    pub(crate) bytes: String,
    pub(crate) kind: &'static str,
    pub(crate) code_point: Option<String>,
    pub(crate) message: String,
}

/// A finding of a check: an ill-formed sequence, or a breach of a convention
/// such as `--eol lf`.
#[derive(Clone, Debug)]
pub(crate) enum Found {
    IllFormed(Finding),
    Other(Item),
    /// A finding about the whole file.
    OfFile(Item),
}

impl Found {
    pub(crate) fn offset(&self) -> u64 {
        match self {
            Found::IllFormed(finding) => finding.offset(),
            Found::Other(item) | Found::OfFile(item) => item.offset,
        }
    }

    pub(crate) fn line(&self) -> u64 {
        match self {
            Found::IllFormed(finding) => finding.line(),
            Found::Other(item) | Found::OfFile(item) => item.line,
        }
    }

    pub(crate) fn item(&self) -> Item {
        match self {
            Found::IllFormed(finding) => Item::new(finding),
            Found::Other(item) | Found::OfFile(item) => item.clone(),
        }
    }
}

/// Counts the findings of one file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) kinds: Kinds,
    pub(crate) findings: u64,
    pub(crate) ill_formed: u64,
}

impl Tally {
    pub(crate) fn note(&mut self, found: &Found) {
        let (kind, ill_formed) = match found {
            Found::IllFormed(finding) => (finding.kind().name(), 1),
            Found::Other(item) | Found::OfFile(item) => (item.kind, 0),
        };
        *self.kinds.entry(kind).or_default() += 1;
        self.findings += 1;
        self.ill_formed += ill_formed;
    }
}

impl From<&Totals> for Tally {
    fn from(totals: &Totals) -> Tally {
        let kinds = totals.kinds().map(|(kind, count)| (kind.name(), count)).collect();
        Tally { kinds, findings: totals.findings(), ill_formed: totals.findings() }
    }
}

impl Item {
    pub(crate) fn new(finding: &Finding) -> Item {
        let diagnosis = finding.diagnosis();
        Item {
            offset: finding.offset(),
            length: finding.bytes().len(),
            line: finding.line(),
            column: finding.column(),
            bytes: hex(finding.bytes()),
            kind: finding.kind().name(),
            code_point: diagnosis.value().map(code),
            message: diagnosis.to_string(),
        }
    }

    /// The finding about a file that is declared to be in `encoding` with or without a BOM, and is not.
    pub(crate) fn of_declared(found: &Detection, encoding: Encoding, bom: Option<BomRule>) -> Option<Item> {
        let (kind, message) = if is_surely_another(found, encoding) {
            (WRONG_ENCODING, format!("the text is {}, and declared to be {encoding}", found.name()?))
        } else if bom == Some(BomRule::Require) && found.bom().is_none() && found.bytes() > 0 {
            (MISSING_BOM, format!("the text is declared to be {encoding} with a byte order mark (BOM)"))
        } else if bom == Some(BomRule::Forbid) && found.bom().is_some() {
            (BOM, format!("the text is declared to be {encoding} without a byte order mark (BOM)"))
        } else {
            return None;
        };
        let (offset, length, bytes) = (0, 0, String::new());
        Some(Item { offset, length, line: 1, column: 1, bytes, kind, code_point: None, message })
    }

    /// The bytes, decoded from hexadecimal.
    pub(crate) fn raw(&self) -> Vec<u8> {
        unhex(&self.bytes).unwrap_or_default()
    }

    /// The bytes as `C0 AF`.
    pub(crate) fn spaced(&self) -> String {
        let mut spaced = String::new();
        for (i, digit) in self.bytes.chars().enumerate() {
            if i > 0 && i % 2 == 0 {
                spaced.push(' ');
            }
            spaced.push(digit.to_ascii_uppercase());
        }
        spaced
    }
}

/// `U+002F`.
pub(crate) fn code(value: u32) -> String {
    format!("U+{value:04X}")
}

/// The summary of a file that was read to its end.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Summary {
    pub(crate) bytes: u64,
    pub(crate) code_points: u64,
    pub(crate) lines: u64,
    pub(crate) findings: u64,
    /// Number of findings printed.
    pub(crate) shown: u64,
    pub(crate) kinds: Kinds,
    /// Number of findings that are ill-formed sequences.
    #[serde(skip)]
    pub(crate) ill_formed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<Hint>,
}

impl Summary {
    pub(crate) fn new(totals: &Totals, tally: &Tally, shown: u64, hint: Option<Hint>) -> Summary {
        Summary {
            bytes: totals.bytes(),
            code_points: totals.code_points(),
            lines: totals.lines(),
            findings: tally.findings,
            shown,
            kinds: tally.kinds.clone(),
            ill_formed: tally.ill_formed,
            hint,
        }
    }
}

/// The probable encoding of an ill-formed file, and a command to try.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Hint {
    pub(crate) encoding: &'static str,
    pub(crate) reason: String,
    #[serde(rename = "try")]
    pub(crate) command: String,
}

impl Hint {
    /// For a file that is not in its declared encoding.
    pub(crate) fn of_declared(found: &Detection, file: impl Display) -> Option<Hint> {
        let encoding = found.name()?;
        let reason = format!("{} {encoding}", found.certainty());
        Some(Hint { encoding, reason, command: format!("utfkit fix {file}") })
    }
}

/// The totals of a run.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Sums {
    /// Number of files read to the end.
    pub(crate) files: u64,
    pub(crate) ill_formed: u64,
    pub(crate) unreadable: u64,
    pub(crate) bytes: u64,
    pub(crate) findings: u64,
    pub(crate) shown: u64,
    pub(crate) kinds: Kinds,
}

impl Sums {
    pub(crate) fn add(&mut self, file: &Summary) {
        self.files += 1;
        self.ill_formed += u64::from(file.ill_formed > 0);
        self.bytes += file.bytes;
        self.findings += file.findings;
        self.shown += file.shown;
        for (&kind, count) in &file.kinds {
            *self.kinds.entry(kind).or_default() += count;
        }
    }
}

/// The `limit` items with the lowest numbers, added in any order.
#[derive(Clone, Debug)]
pub(crate) struct First<T> {
    kept: BTreeMap<u64, T>,
    limit: usize,
    pub(crate) left_out: u64,
}

impl<T> First<T> {
    pub(crate) fn new(limit: usize) -> First<T> {
        First { kept: BTreeMap::new(), limit, left_out: 0 }
    }

    pub(crate) fn add(&mut self, number: u64, item: T) {
        self.kept.insert(number, item);
        if self.kept.len() > self.limit {
            self.kept.pop_last();
            self.left_out += 1;
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.kept.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.kept.values()
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes that [`hex`] wrote.
pub(crate) fn unhex(text: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let bytes = pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect::<Option<_>>();
    bytes.filter(|_| rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_ones_are_kept_whatever_the_order() {
        let mut first = First::new(3);
        for number in [9, 2, 7, 4, 0] {
            first.add(number, number);
        }
        assert_eq!((first.iter().copied().collect::<Vec<_>>(), first.left_out), (vec![0, 2, 4], 2));
    }
}
