//! Tables.

use draw::{Record, Unit, three_digits};

use crate::contest::{Column, Figure};
use crate::header;
use crate::options::{Format, Options};
use crate::peer::Peer;
use crate::text::Class;

pub(crate) struct Measurement {
    pub(crate) text: String,
    pub(crate) class: Class,
    pub(crate) columns: Vec<Column>,
    pub(crate) figures: Vec<Figure>,
    pub(crate) bytes: usize,
    pub(crate) calls: usize,
    pub(crate) target: f64,
}

impl Measurement {
    /// Ratio of utfkit's last column to the best peer.
    pub(crate) fn ratio(&self) -> Option<f64> {
        let own = self.best(|peer| peer == Peer::Utfkit, |times| times.last().copied())?;
        let peer = self.best(|peer| peer != Peer::Utfkit, |times| times.iter().copied().min_by(f64::total_cmp))?;
        Some(peer / own)
    }

    /// Bytes of input per second, for utfkit's last column.
    fn own_speed(&self) -> Option<f64> {
        let own = self.best(|peer| peer == Peer::Utfkit, |times| times.last().copied())?;
        Some(self.bytes as f64 / own)
    }

    fn best(&self, whose: impl Fn(Peer) -> bool, pick: impl Fn(&[f64]) -> Option<f64>) -> Option<f64> {
        let all = self.columns.iter().zip(&self.figures);
        let times: Vec<f64> = all.filter(|(column, _)| whose(column.peer)).map(|(_, figure)| figure.best).collect();
        pick(&times)
    }

    fn amount(&self, seconds: f64, options: &Options) -> String {
        match options.per_call() {
            true => format!("{:.1}", seconds * 1e9 / self.calls as f64),
            false => three_digits(self.bytes as f64 / seconds / 1e9),
        }
    }
}

pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) rows: Vec<Measurement>,
}

impl Table {
    fn geometric_mean(&self, counts: impl Fn(&Measurement) -> bool) -> Option<f64> {
        let rows = self.rows.iter().filter(|row| counts(row));
        let logs: Vec<f64> = rows.filter_map(Measurement::ratio).map(f64::ln).collect();
        (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
    }

    pub(crate) fn lines(&self, options: &Options) -> Vec<String> {
        match options.format {
            Format::Json => self.json(options),
            Format::Plain | Format::Markdown => self.table(options),
        }
    }

    fn table(&self, options: &Options) -> Vec<String> {
        let Some(first) = self.rows.first() else { return Vec::new() };
        let markdown = options.format == Format::Markdown;
        let unit = if options.per_call() { "ns a call" } else { "GB/s of input" };
        let title = format!("{}{} ({}), {unit}", if markdown { "### " } else { "" }, self.title, self.name);

        let mut head = vec!["text".to_owned()];
        head.extend(first.columns.iter().map(|column| label(*column, options)));
        head.extend(["ratio", "target", ""].map(str::to_owned));
        let mut lines = vec![head];
        for row in &self.rows {
            let mut cells = vec![row.text.clone()];
            for figure in &row.figures {
                let best = row.amount(figure.best, options);
                cells.push(match options.median {
                    true => format!("{best} ({})", row.amount(figure.median, options)),
                    false => best,
                });
            }
            cells.push(row.ratio().map_or(String::new(), |ratio| format!("{ratio:.2}")));
            cells.push(format!("{:.2}", row.target));
            cells.push(row.ratio().map_or("", |ratio| mark(ratio, row.target)).to_owned());
            lines.push(cells);
        }
        let all = self.geometric_mean(|_| true);
        let others = self.geometric_mean(|row| row.class != Class::Ascii);
        for (name, mean) in [("geometric mean", all), ("without ASCII", others)] {
            let Some(mean) = mean else { continue };
            let mut cells = vec![name.to_owned()];
            cells.resize(first.columns.len() + 1, String::new());
            cells.extend([format!("{mean:.2}"), String::new(), String::new()]);
            lines.push(cells);
        }
        let heading = [String::new(), title, String::new()];
        heading.into_iter().chain(align(&lines, markdown)).collect()
    }

    /// The rows as CSV lines.
    pub(crate) fn records(&self, options: &Options) -> Vec<Record> {
        let mut records = Vec::new();
        for row in &self.rows {
            let (text, size) = match row.text.split_once(' ') {
                Some((kind, "mix")) => (kind.to_owned(), "0-64".to_owned()),
                Some((kind, length)) => (kind.to_owned(), length.trim().to_owned()),
                None => (row.text.clone(), options.size_label()),
            };
            let own = row.best(|peer| peer == Peer::Utfkit, |times| times.last().copied());
            for (column, figure) in row.columns.iter().zip(&row.figures) {
                let (unit, value) = match options.per_call() {
                    true => (Unit::Nanoseconds, figure.best * 1e9 / row.calls as f64),
                    false => (Unit::Gigabytes, row.bytes as f64 / figure.best / 1e9),
                };
                let ratio = own.filter(|_| column.peer != Peer::Utfkit).map(|own| rounded(figure.best / own));
                records.push(Record {
                    processor: header::processor(),
                    run: options.run.clone(),
                    isa: options.compared().to_string(),
                    op: self.name.to_owned(),
                    text: text.clone(),
                    size: size.clone(),
                    library: column.peer.name().to_owned(),
                    unit,
                    value: rounded(value),
                    ratio,
                });
            }
        }
        records
    }

    fn json(&self, options: &Options) -> Vec<String> {
        let mut lines = Vec::new();
        for row in &self.rows {
            for (column, figure) in row.columns.iter().zip(&row.figures) {
                // Names contain only letters, digits, spaces and hyphens, so
                // nothing is escaped.
                lines.push(format!(
                    "{{\"op\":\"{}\",\"text\":\"{}\",\"who\":\"{}\",\"bytes\":{},\"calls\":{},\"best_s\":{:e},\"median_s\":{:e},\"target\":{}}}",
                    self.name,
                    row.text,
                    label(*column, options),
                    row.bytes,
                    row.calls,
                    figure.best,
                    figure.median,
                    row.target
                ));
            }
        }
        lines
    }
}

fn label(column: Column, options: &Options) -> String {
    match column.isa {
        Some(isa) if options.isas.len() > 1 => format!("{}/{isa}", column.peer.name()),
        _ => column.peer.name().to_owned(),
    }
}

/// Three significant digits for values of any size, since means are computed
/// from them.
fn rounded(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

fn mark(ratio: f64, target: f64) -> &'static str {
    match ratio {
        _ if ratio < 0.9 => "LOST",
        _ if ratio < target.min(1.0) => "lost",
        _ if ratio < target => "below",
        _ => "",
    }
}

/// Aligns text left and numbers right.
fn align(lines: &[Vec<String>], markdown: bool) -> Vec<String> {
    let count = lines[0].len();
    let width = |i: usize| lines.iter().map(|cells| cells[i].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count).map(|i| width(i).max(if markdown { 3 } else { 0 })).collect();
    let left = |i: usize| i == 0 || i == count - 1;
    let pad = |(i, cell): (usize, &String)| match left(i) {
        true => format!("{cell:<w$}", w = widths[i]),
        false => format!("{cell:>w$}", w = widths[i]),
    };
    let join = |cells: Vec<String>| match markdown {
        true => format!("| {} |", cells.join(" | ")),
        false => cells.join("  ").trim_end().to_owned(),
    };
    let rule = |i: usize| match left(i) {
        true => "-".repeat(widths[i]),
        false => format!("{}:", "-".repeat(widths[i] - 1)),
    };
    let mut aligned: Vec<String> =
        lines.iter().map(|cells| join(cells.iter().enumerate().map(pad).collect())).collect();
    if markdown {
        aligned.insert(1, join((0..count).map(rule).collect()));
    }
    aligned
}

/// The lines after the tables: the replacement goal and the number of cells below target.
pub(crate) fn summary(tables: &[Table]) -> Vec<String> {
    let cells: Vec<(f64, f64)> =
        tables.iter().flat_map(|table| &table.rows).filter_map(|row| Some((row.ratio()?, row.target))).collect();
    let below = cells.iter().filter(|(ratio, target)| ratio < target).count();
    let lost = |limit: f64| cells.iter().filter(|(ratio, _)| *ratio < limit).count();
    let mut lines = Vec::from_iter(slowest_damaged(tables));
    lines.push(format!(
        "{} cells: {below} below target, {} lost (under 1.0), {} lost badly (under 0.9)",
        cells.len(),
        lost(1.0),
        lost(0.9)
    ));
    lines
}

/// The replacement goal: at its worst error rate, utfkit keeps 0.8 of its speed
/// on the undamaged text (table `…/clean`).
fn slowest_damaged(tables: &[Table]) -> Option<String> {
    let mut shares = Vec::new();
    for damaged in tables {
        let Some((family, rate)) = damaged.name.split_once('/') else { continue };
        let is_clean = |table: &&Table| table.name.split_once('/') == Some((family, "clean"));
        let Some(clean) = tables.iter().find(is_clean).filter(|_| rate != "clean" && family.starts_with("lossy-8-"))
        else {
            continue;
        };
        for row in damaged.rows.iter().filter(|row| row.class != Class::Ascii) {
            let whole = clean.rows.iter().find(|whole| whole.text == row.text)?;
            shares.push((row.own_speed()? / whole.own_speed()?, damaged.name, row.text.as_str()));
        }
    }
    let under = shares.iter().filter(|share| share.0 < 0.8).count();
    let (share, name, text) = shares.iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(format!(
        "lossy on damaged text without ASCII: at the least {share:.2} of the own clean speed ({name} of {text}); {under} of {} cells under 0.8",
        shares.len()
    ))
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn a_ratio_far_below_one_is_not_rounded_to_nothing() {
        assert_eq!([117.3, 33.94, 0.9714, 0.002_348].map(rounded), [117.0, 33.9, 0.971, 0.00235]);
    }
}
