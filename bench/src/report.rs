//! Tables.

use crate::contest::{Column, Figure};
use crate::options::{Format, Options};
use crate::peer::Peer;

/// One text's row of a table.
pub(crate) struct Row {
    pub(crate) text: String,
    pub(crate) columns: Vec<Column>,
    pub(crate) figures: Vec<Figure>,
    pub(crate) bytes: usize,
    pub(crate) calls: usize,
    pub(crate) target: f64,
}

impl Row {
    /// How many times as fast as the best peer the last column of utfkit is.
    pub(crate) fn ratio(&self) -> Option<f64> {
        let own = self.best(|peer| peer == Peer::Utfkit, |times| times.last().copied())?;
        let peer = self.best(|peer| peer != Peer::Utfkit, |times| times.iter().copied().min_by(f64::total_cmp))?;
        Some(peer / own)
    }

    fn best(&self, whose: impl Fn(Peer) -> bool, pick: impl Fn(&[f64]) -> Option<f64>) -> Option<f64> {
        let all = self.columns.iter().zip(&self.figures);
        let times: Vec<f64> = all.filter(|(column, _)| whose(column.peer)).map(|(_, figure)| figure.best).collect();
        pick(&times)
    }

    fn amount(&self, seconds: f64, options: &Options) -> String {
        match options.short {
            true => format!("{:.1}", seconds * 1e9 / self.calls as f64),
            false => three_digits(self.bytes as f64 / seconds / 1e9),
        }
    }
}

pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) rows: Vec<Row>,
}

impl Table {
    pub(crate) fn geometric_mean(&self) -> Option<f64> {
        let logs: Vec<f64> = self.rows.iter().filter_map(Row::ratio).map(f64::ln).collect();
        (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
    }

    pub(crate) fn print(&self, options: &Options) {
        match options.format {
            Format::Json => self.print_json(options),
            Format::Plain | Format::Markdown => self.print_table(options),
        }
    }

    fn print_table(&self, options: &Options) {
        let Some(first) = self.rows.first() else { return };
        let markdown = options.format == Format::Markdown;
        let unit = if options.short { "ns a call" } else { "GB/s of input" };
        println!("\n{}{} ({}), {unit}\n", if markdown { "### " } else { "" }, self.title, self.name);

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
        if let Some(mean) = self.geometric_mean() {
            let mut cells = vec!["geometric mean".to_owned()];
            cells.resize(first.columns.len() + 1, String::new());
            cells.extend([format!("{mean:.2}"), String::new(), String::new()]);
            lines.push(cells);
        }
        print_lines(&lines, markdown);
    }

    fn print_json(&self, options: &Options) {
        for row in &self.rows {
            for (column, figure) in row.columns.iter().zip(&row.figures) {
                // Names are letters, digits, spaces and hyphens: nothing to escape.
                println!(
                    "{{\"op\":\"{}\",\"text\":\"{}\",\"who\":\"{}\",\"bytes\":{},\"calls\":{},\"best_s\":{:e},\"median_s\":{:e},\"target\":{}}}",
                    self.name,
                    row.text,
                    label(*column, options),
                    row.bytes,
                    row.calls,
                    figure.best,
                    figure.median,
                    row.target
                );
            }
        }
    }
}

fn label(column: Column, options: &Options) -> String {
    match column.isa {
        Some(isa) if options.isas.len() > 1 => format!("{}/{isa}", column.peer.name()),
        _ => column.peer.name().to_owned(),
    }
}

fn mark(ratio: f64, target: f64) -> &'static str {
    match ratio {
        _ if ratio < 0.9 => "LOST",
        _ if ratio < target.min(1.0) => "lost",
        _ if ratio < target => "below",
        _ => "",
    }
}

fn three_digits(value: f64) -> String {
    match value {
        _ if value >= 100.0 => format!("{value:.0}"),
        _ if value >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// Aligns text on the left and numbers on the right.
fn print_lines(lines: &[Vec<String>], markdown: bool) {
    let count = lines[0].len();
    let width = |i: usize| lines.iter().map(|cells| cells[i].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count).map(width).collect();
    let left = |i: usize| i == 0 || i == count - 1;
    for (number, cells) in lines.iter().enumerate() {
        let padded: Vec<String> = cells
            .iter()
            .enumerate()
            .map(
                |(i, cell)| {
                    if left(i) { format!("{cell:<w$}", w = widths[i]) } else { format!("{cell:>w$}", w = widths[i]) }
                },
            )
            .collect();
        match markdown {
            true => println!("| {} |", padded.join(" | ")),
            false => println!("{}", padded.join("  ").trim_end()),
        }
        if markdown && number == 0 {
            let rules: Vec<String> = (0..count)
                .map(|i| {
                    if left(i) {
                        "-".repeat(widths[i].max(3))
                    } else {
                        format!("{}:", "-".repeat(widths[i].max(3) - 1))
                    }
                })
                .collect();
            println!("| {} |", rules.join(" | "));
        }
    }
}

/// The last line.
pub(crate) fn print_summary(tables: &[Table], options: &Options) {
    let cells: Vec<(f64, f64)> =
        tables.iter().flat_map(|table| &table.rows).filter_map(|row| Some((row.ratio()?, row.target))).collect();
    let below = cells.iter().filter(|(ratio, target)| ratio < target).count();
    let lost = |limit: f64| cells.iter().filter(|(ratio, _)| *ratio < limit).count();
    let line = format!(
        "{} cells: {below} below target, {} lost (under 1.0), {} lost badly (under 0.9)",
        cells.len(),
        lost(1.0),
        lost(0.9)
    );
    match options.format {
        Format::Json => eprintln!("{line}"),
        Format::Plain | Format::Markdown => println!("\n{line}"),
    }
}
