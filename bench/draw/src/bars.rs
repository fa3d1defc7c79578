//! Bar charts: utfkit above the fastest peer, for each row, in panels.

use draw::three_digits;

use crate::data::Cell;
use crate::svg::Svg;

pub(crate) struct Panel {
    pub(crate) title: String,
    pub(crate) cells: Vec<Option<Cell>>,
}

pub(crate) struct Bars<'a> {
    pub(crate) title: &'a str,
    pub(crate) rows: Vec<String>,
    pub(crate) panels: Vec<Panel>,
    /// True if bars of different panels share a scale.
    pub(crate) one_scale: bool,
    pub(crate) notes: Vec<String>,
}

const TOP: f64 = 92.0;
const ROW: f64 = 27.0;
const WIDTH: f64 = 920.0;
/// Width of the text to the right of a bar: ratio and speed.
const NUMBERS: f64 = 66.0;

impl Bars<'_> {
    pub(crate) fn draw(&self) -> String {
        let longest = self.rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
        let left = 30.0 + 6.6 * longest as f64;
        let bottom = TOP + ROW * self.rows.len() as f64;
        let mut svg = Svg::new(WIDTH, bottom + 24.0 + 18.0 * self.notes.len() as f64, self.title);
        svg.rect(16.0, 42.0, 22.0, 10.0, "own");
        svg.text(44.0, 51.0, "ink", "utfkit");
        svg.rect(100.0, 42.0, 22.0, 7.0, "peer");
        svg.text(128.0, 51.0, "ink", "fastest peer");
        svg.text(220.0, 51.0, "dim", "the numbers: utfkit's speed divided by the peer's, and utfkit's GB/s of input");

        for (i, row) in self.rows.iter().enumerate() {
            svg.text(left - 12.0, TOP + ROW * i as f64 + 12.0, "ink e", row);
        }
        let most = |panel: &Panel| panel.cells.iter().flatten().map(|cell| cell.own.max(cell.peer)).fold(0.0, f64::max);
        let most_of_all = self.panels.iter().map(most).fold(0.0, f64::max);
        let step = (WIDTH - left - 10.0) / self.panels.len() as f64;
        for (i, panel) in self.panels.iter().enumerate() {
            let x = left + step * i as f64;
            let scale = (step - NUMBERS - 12.0) / if self.one_scale { most_of_all } else { most(panel) };
            svg.text(x, TOP - 14.0, "ink b", &panel.title);
            svg.line("grid", &[(x, TOP - 6.0), (x, bottom)]);
            for (row, cell) in panel.cells.iter().enumerate() {
                let y = TOP + ROW * row as f64;
                let Some(cell) = cell else {
                    svg.text(x + 4.0, y + 12.0, "dim s", "not measured");
                    continue;
                };
                svg.rect(x, y, cell.own * scale, 11.0, "own");
                svg.rect(x, y + 12.0, cell.peer * scale, 7.0, "peer");
                let class = if cell.ratio < 0.97 { "lost b" } else { "ink" };
                let end = x + cell.own.max(cell.peer) * scale + 5.0;
                svg.text(end, y + 12.0, class, &ratio(cell.ratio));
                svg.text(end + 34.0, y + 12.0, "dim s", &three_digits(cell.own));
            }
        }
        for (i, note) in self.notes.iter().enumerate() {
            svg.text(16.0, bottom + 22.0 + 18.0 * i as f64, "dim s", note);
        }
        svg.finish()
    }
}

/// Three significant digits, at most two after the point.
fn ratio(ratio: f64) -> String {
    if ratio < 10.0 { format!("{ratio:.2}") } else { format!("{ratio:.1}") }
}
