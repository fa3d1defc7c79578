//! What is said of a finding, of a file and of a run: one model for JSON in
//! its shapes, for SARIF and for HTML.

use std::collections::BTreeMap;

use serde::Serialize;
use utfkit::diagnose::{Finding, Totals};

/// The kinds that were found, and how often.
pub(crate) type Kinds = BTreeMap<&'static str, u64>;

/// A finding.
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
            code_point: diagnosis.code_point().map(|value| format!("U+{value:04X}")),
            message: diagnosis.to_string(),
        }
    }
}

/// A file.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Summary {
    pub(crate) bytes: u64,
    pub(crate) code_points: u64,
    pub(crate) lines: u64,
    pub(crate) findings: u64,
    /// The findings that were printed.
    pub(crate) shown: u64,
    pub(crate) kinds: Kinds,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<Hint>,
}

impl Summary {
    pub(crate) fn new(totals: &Totals, shown: u64, hint: Option<Hint>) -> Summary {
        Summary {
            bytes: totals.bytes(),
            code_points: totals.code_points(),
            lines: totals.lines(),
            findings: totals.findings(),
            shown,
            kinds: totals.kinds().map(|(kind, count)| (kind.name(), count)).collect(),
            hint,
        }
    }
}

/// What a file is in truth, as it seems, and what to do then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Hint {
    pub(crate) encoding: &'static str,
    pub(crate) reason: String,
    #[serde(rename = "try")]
    pub(crate) command: String,
}

/// A run.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Sums {
    /// Those that were read to the end.
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
        self.ill_formed += u64::from(file.findings > 0);
        self.bytes += file.bytes;
        self.findings += file.findings;
        self.shown += file.shown;
        for (&kind, count) in &file.kinds {
            *self.kinds.entry(kind).or_default() += count;
        }
    }
}

/// The first ones of many, by number, however the threads come by them.
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
