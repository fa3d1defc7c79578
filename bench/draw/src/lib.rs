//! The results of a run as CSV: `utfkit-bench --csv` appends lines, and the
//! program `draw` makes pictures of them.

use std::fs::{self, File, OpenOptions};
use std::path::Path;

use serde::{Deserialize, Serialize};

/// The speed of one library in one operation on one text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub processor: String,
    /// The version measured, or another name without a date.
    pub run: String,
    /// utfkit's instruction set.
    pub isa: String,
    pub op: String,
    pub text: String,
    /// `natural`, the value of `--size`, or the length of a short input in
    /// bytes.
    pub size: String,
    pub library: String,
    pub unit: Unit,
    pub value: f64,
    /// utfkit's speed divided by this library's; empty for utfkit itself.
    pub ratio: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unit {
    /// 10⁹ bytes of input per second.
    #[serde(rename = "GB/s")]
    Gigabytes,
    /// Nanoseconds per call.
    #[serde(rename = "ns")]
    Nanoseconds,
    /// Instructions per byte of input.
    #[serde(rename = "instructions/B")]
    Instructions,
    /// Cycles per 64 bytes of input.
    #[serde(rename = "cycles/64B")]
    Cycles,
}

/// The library that is compared with the others.
pub const OWN: &str = "utfkit";

pub fn read(path: &Path) -> csv::Result<Vec<Record>> {
    csv::Reader::from_path(path)?.deserialize().collect()
}

/// Appends to the file; writes the header first if the file is new.
pub fn append(path: &Path, records: &[Record]) -> csv::Result<()> {
    let is_new = fs::metadata(path).map_or(true, |data| data.len() == 0);
    let file: File = OpenOptions::new().create(true).append(true).open(path)?;
    let mut writer = csv::WriterBuilder::new().has_headers(is_new).from_writer(file);
    for record in records {
        writer.serialize(record)?;
    }
    writer.flush()?;
    Ok(())
}

/// Rounds to the precision of a measurement.
#[must_use]
pub fn three_digits(value: f64) -> String {
    match value {
        _ if value >= 100.0 => format!("{value:.0}"),
        _ if value >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(library: &str, value: f64, ratio: Option<f64>) -> Record {
        let [processor, run, isa, op, text, size] =
            ["A (1, 2)", "0.1.0", "avx2", "8-16", "Latin", "natural"].map(str::to_owned);
        Record { processor, run, isa, op, text, size, library: library.into(), unit: Unit::Gigabytes, value, ratio }
    }

    #[test]
    fn what_was_appended_twice_is_read_with_one_header() {
        let path = std::env::temp_dir().join(format!("utfkit-results-{}.csv", std::process::id()));
        let records = [record(OWN, 12.0, None), record("std", 0.97, Some(12.4))];
        append(&path, &records[..1]).expect("a new file");
        append(&path, &records[1..]).expect("more of it");
        let read = read(&path);
        fs::remove_file(&path).expect("it was written");
        assert_eq!(read.expect("well-formed"), records);
    }
}
