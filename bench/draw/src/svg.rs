//! Writes SVG. Elements have classes; a style sheet gives their colours, with a
//! second set for dark mode.

use std::fmt::Write;

pub(crate) struct Svg {
    width: f64,
    height: f64,
    body: String,
}

/// Class, property, colour in light mode, colour in dark mode.
const COLOURS: &[(&str, &str, &str, &str)] = &[
    ("paper", "fill", "#ffffff", "#0d1117"),
    ("ink", "fill", "#1f2328", "#e6edf3"),
    ("dim", "fill", "#59636e", "#9198a1"),
    ("lost", "fill", "#c4320a", "#ff8f6b"),
    ("grid", "stroke", "#d8dee4", "#30363d"),
    ("own", "fill", "#0969da", "#58a6ff"),
    ("peer", "fill", "#afb8c1", "#59636e"),
    ("l-utfkit", "stroke", "#0969da", "#58a6ff"),
    ("l-simdutf", "stroke", "#bc4c00", "#f0883e"),
    ("l-encoding_rs", "stroke", "#8250df", "#bc8cff"),
    ("l-std", "stroke", "#848d97", "#8b949e"),
    ("l-peer", "stroke", "#848d97", "#8b949e"),
    // Ratios, from worst to best.
    ("r0", "fill", "#ffb59e", "#8a3318"),
    ("r1", "fill", "#ffe3d6", "#54291b"),
    ("r2", "fill", "#eef1f4", "#21262d"),
    ("r3", "fill", "#ddeeff", "#132c47"),
    ("r4", "fill", "#bcdcff", "#163c66"),
    ("r5", "fill", "#91c5ff", "#184d87"),
    ("r6", "fill", "#66acf7", "#1b60ac"),
];

const STYLE: &str = "text{font-family:system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif;font-size:12px}\
.h{font-size:16px;font-weight:600}.b{font-weight:600}.s{font-size:11px}\
.m{text-anchor:middle}.e{text-anchor:end}\
.grid{stroke-width:1}.l{fill:none;stroke-width:1.5}.l-utfkit{stroke-width:2.5}.dash{stroke-dasharray:4 3}";

impl Svg {
    pub(crate) fn new(width: f64, height: f64, title: &str) -> Svg {
        let body = format!("<title>{}</title>\n", escaped(title));
        let mut svg = Svg { width, height, body };
        svg.rect(0.0, 0.0, width, height, "paper");
        svg.text(16.0, 28.0, "ink h", title);
        svg
    }

    pub(crate) fn text(&mut self, x: f64, y: f64, class: &str, text: &str) {
        let _ = writeln!(self.body, r#"<text x="{x:.1}" y="{y:.1}" class="{class}">{}</text>"#, escaped(text));
    }

    /// Writes text slanted upwards that starts at this position.
    pub(crate) fn slanted(&mut self, x: f64, y: f64, class: &str, text: &str) {
        let text = escaped(text);
        let _ = writeln!(
            self.body,
            r#"<text transform="translate({x:.1} {y:.1}) rotate(-40)" class="{class}">{text}</text>"#
        );
    }

    pub(crate) fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, class: &str) {
        let _ = writeln!(
            self.body,
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" class="{class}"/>"#
        );
    }

    pub(crate) fn line(&mut self, class: &str, points: &[(f64, f64)]) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(self.body, r#"<polyline points="{}" class="{class}"/>"#, points.join(" "));
    }

    pub(crate) fn finish(self) -> String {
        let rules = |dark: bool| {
            let rule = |(class, what, light, night): &(&str, &str, &str, &str)| {
                format!(".{class}{{{what}:{}}}", if dark { night } else { light })
            };
            COLOURS.iter().map(rule).collect::<String>()
        };
        let Svg { width, height, body } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\">\n\
             <style>{STYLE}{}@media (prefers-color-scheme:dark){{{}}}</style>\n{body}</svg>\n",
            rules(false),
            rules(true)
        )
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
