//! The table of counts.

use std::fmt::Write;

use crate::cells::TEXTS;

/// Maximum relative difference from the recorded counts, with the same compiler
/// and with another.
const SAME: f64 = 0.02;
const OTHER: f64 = 0.15;

/// The recorded counts: the compiler and, for each operation, instructions per
/// 1000 bytes of each of [`TEXTS`].
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Table {
    pub(crate) compiler: String,
    pub(crate) rows: Vec<(String, Vec<f64>)>,
}

const COMPILER: &str = "compiler: ";

impl Table {
    pub(crate) fn parse(text: &str) -> Result<Table, String> {
        let mut table = Table::default();
        for line in text.lines() {
            if let Some(compiler) = line.strip_prefix(COMPILER) {
                table.compiler = compiler.to_owned();
            } else if !line.starts_with(['#', ' ']) && !line.is_empty() {
                let mut words = line.split_whitespace();
                let name = words.next().unwrap_or_default().to_owned();
                let counts: Vec<f64> = words.map_while(|word| word.parse().ok()).collect();
                if counts.len() != TEXTS.len() {
                    return Err(format!("not a row of counts: {line}"));
                }
                table.rows.push((name, counts));
            }
        }
        Ok(table)
    }

    pub(crate) fn print(&self) -> String {
        let mut text = String::from("# Instructions for 1000 bytes of input, on AVX2: a row for each operation, a\n");
        text.push_str("# column for each text. Written by: cargo run --release -p utfkit-instructions -- --write\n");
        let _ = writeln!(text, "{COMPILER}{}", self.compiler);
        let _ = write!(text, "{:16}", "");
        for mixture in &TEXTS {
            let _ = write!(text, "{:>9}", mixture.name);
        }
        text.push('\n');
        for (name, counts) in &self.rows {
            let _ = write!(text, "{name:16}");
            for count in counts {
                let _ = write!(text, "{count:9.1}");
            }
            text.push('\n');
        }
        text
    }

    /// A line for each count that differs from the recorded one, and the
    /// tolerance.
    pub(crate) fn compare(&self, kept: &Table) -> (Vec<String>, f64) {
        let tolerance = if self.compiler == kept.compiler { SAME } else { OTHER };
        let mut differences = Vec::new();
        for (name, counts) in &self.rows {
            let Some((_, before)) = kept.rows.iter().find(|(kept, _)| kept == name) else {
                differences.push(format!("{name}: nothing is kept to compare with"));
                continue;
            };
            for ((mixture, &count), &before) in TEXTS.iter().zip(counts).zip(before) {
                let change = count / before - 1.0;
                if change.abs() > tolerance {
                    let text = mixture.name;
                    differences.push(format!("{name} of {text}: {before:.1} -> {count:.1} ({:+.1} %)", change * 100.0));
                }
            }
        }
        (differences, tolerance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(compiler: &str, count: f64) -> Table {
        Table { compiler: compiler.to_owned(), rows: vec![("validate".to_owned(), vec![count, 200.0, 300.0, 400.5])] }
    }

    #[test]
    fn what_is_printed_is_what_is_read() {
        assert_eq!(Table::parse(&table("a b", 100.0).print()), Ok(table("a b", 100.0)));
        assert!(Table::parse("validate 1 2\n").is_err());
    }

    #[test]
    fn a_change_is_found_in_both_directions() {
        let kept = table("a", 100.0);
        for (count, found) in [(100.0, 0), (101.9, 0), (102.1, 1), (97.9, 1)] {
            assert_eq!(table("a", count).compare(&kept).0.len(), found, "{count}");
        }
        assert!(table("b", 110.0).compare(&kept).0.is_empty());
        assert_eq!(table("b", 120.0).compare(&kept).0.len(), 1);
        assert_eq!(table("a", 100.0).compare(&Table::default()).0.len(), 1);
    }
}
