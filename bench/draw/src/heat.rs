//! A coloured table of ratios: a row for each operation, a column for each
//! text.

use crate::data::{Data, in_order, title};
use crate::svg::Svg;

const LEFT: f64 = 262.0;
const TOP: f64 = 164.0;
const COLUMN: f64 = 46.0;
const ROW: f64 = 21.0;

/// The caption of most tables.
pub(crate) const SPEED: &str = "utfkit's speed divided by that of the fastest peer; above 1 utfkit is faster";
pub(crate) const CALLS: &str =
    "a million strings in random order, a call for each: the fastest peer's time divided by utfkit's";

/// `ratio` is the caption.
pub(crate) fn draw(head: &str, ratio: &str, data: &Data, size: &str, notes: &[&str]) -> String {
    let ops = in_order(data.distinct(|record| &record.op));
    let texts = data.distinct(|record| &record.text);
    let width = LEFT + COLUMN * (texts.len() + 1) as f64 + 54.0;
    let bottom = TOP + ROW * ops.len() as f64;
    let mut svg = Svg::new(width, bottom + 28.0 + 18.0 * notes.len() as f64, head);
    svg.text(16.0, 48.0, "dim", ratio);
    let samples = ["under 0.90", "0.90 to 0.97", "to 1.03", "to 1.25", "to 2", "to 5", "5 and more"];
    for (class, sample) in samples.iter().enumerate() {
        let x = 16.0 + 90.0 * class as f64;
        svg.rect(x, 60.0, 88.0, 18.0, &format!("r{class}"));
        svg.text(x + 44.0, 73.0, "ink s m", sample);
    }
    for (column, text) in texts.iter().map(String::as_str).chain(["geometric mean"]).enumerate() {
        svg.slanted(LEFT + COLUMN * column as f64 + 20.0, TOP - 8.0, "ink s", text);
    }
    for (row, op) in ops.iter().enumerate() {
        let y = TOP + ROW * row as f64;
        svg.text(LEFT - 10.0, y + 14.5, "ink e", title(op));
        let cells = texts.iter().map(|text| data.cell(op, text, size)).chain([data.mean(op, &texts, size)]);
        for (column, cell) in cells.enumerate() {
            let Some(cell) = cell else { continue };
            let x = LEFT + COLUMN * column as f64;
            svg.rect(x, y, COLUMN - 2.0, ROW - 2.0, class(cell.ratio));
            let bold = if column == texts.len() { "ink s m b" } else { "ink s m" };
            svg.text(x + COLUMN / 2.0 - 1.0, y + 14.0, bold, &short(cell.ratio));
        }
    }
    for (i, note) in notes.iter().enumerate() {
        svg.text(16.0, bottom + 24.0 + 18.0 * i as f64, "dim s", note);
    }
    svg.finish()
}

fn class(ratio: f64) -> &'static str {
    match ratio {
        _ if ratio < 0.90 => "r0",
        _ if ratio < 0.97 => "r1",
        _ if ratio < 1.03 => "r2",
        _ if ratio < 1.25 => "r3",
        _ if ratio < 2.0 => "r4",
        _ if ratio < 5.0 => "r5",
        _ => "r6",
    }
}

fn short(ratio: f64) -> String {
    if ratio < 9.95 { format!("{ratio:.2}") } else { format!("{ratio:.1}") }
}
