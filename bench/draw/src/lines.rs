//! Small line charts in a grid, with logarithmic y axes.

use crate::svg::Svg;

pub(crate) struct Chart {
    pub(crate) title: String,
    /// Class and points of each line; x from 0 to 1.
    pub(crate) lines: Vec<(String, Vec<(f64, f64)>)>,
    /// Position (0 to 1) and label of each mark on the x axis.
    pub(crate) marks: Vec<(f64, String)>,
    pub(crate) remark: String,
}

pub(crate) struct Lines<'a> {
    pub(crate) title: &'a str,
    pub(crate) subtitle: &'a str,
    /// Class and name of each line.
    pub(crate) legend: Vec<(&'a str, &'a str)>,
    pub(crate) rows: Vec<Vec<Chart>>,
    /// Values with a grid line; the first and the last are the limits of the
    /// axis.
    pub(crate) grid: &'a [f64],
    pub(crate) notes: Vec<String>,
}

const WIDTH: f64 = 1020.0;
const TOP: f64 = 78.0;
/// Height of a chart with title and marks, and of its plot area.
const HEIGHT: f64 = 136.0;
const INNER: f64 = 84.0;
const LEFT: f64 = 34.0;

impl Lines<'_> {
    pub(crate) fn draw(&self) -> String {
        let bottom = TOP + HEIGHT * self.rows.len() as f64;
        let mut svg = Svg::new(WIDTH, bottom + 20.0 + 18.0 * self.notes.len() as f64, self.title);
        let mut x = 16.0;
        for (class, name) in &self.legend {
            svg.line(&format!("l {class}"), &[(x, 47.0), (x + 22.0, 47.0)]);
            svg.text(x + 28.0, 51.0, "ink", name);
            x += 52.0 + 7.0 * name.len() as f64;
        }
        svg.text(x, 51.0, "dim", self.subtitle);
        for (row, charts) in self.rows.iter().enumerate() {
            let step = (WIDTH - 20.0) / charts.len() as f64;
            for (column, chart) in charts.iter().enumerate() {
                let x = 10.0 + step * column as f64;
                self.chart(&mut svg, chart, x + LEFT, TOP + HEIGHT * row as f64, step - LEFT - 12.0);
            }
        }
        for (i, note) in self.notes.iter().enumerate() {
            svg.text(16.0, bottom + 18.0 + 18.0 * i as f64, "dim s", note);
        }
        svg.finish()
    }

    fn chart(&self, svg: &mut Svg, chart: &Chart, x: f64, y: f64, width: f64) {
        let (least, most) = (self.grid[0], self.grid[self.grid.len() - 1]);
        let top = y + 24.0;
        let height = |value: f64| {
            let part = (value.clamp(least, most) / least).ln() / (most / least).ln();
            top + INNER * (1.0 - part)
        };
        svg.text(x, y + 14.0, "ink b", &chart.title);
        svg.text(x + width - 2.0, top + INNER - 5.0, "dim s e", &chart.remark);
        for &value in self.grid {
            svg.line("grid", &[(x, height(value)), (x + width, height(value))]);
            svg.text(x - 5.0, height(value) + 4.0, "dim s e", &value.to_string());
        }
        for (place, label) in &chart.marks {
            svg.text(x + width * place, top + INNER + 15.0, "dim s m", label);
        }
        for (class, points) in &chart.lines {
            let points: Vec<(f64, f64)> =
                points.iter().map(|&(place, value)| (x + width * place, height(value))).collect();
            svg.line(&format!("l {class}"), &points);
        }
    }
}
