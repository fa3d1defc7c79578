//! The HTML page of `utfkit report`: one file, without scripts or external
//! resources.
//!
//! All outside text is escaped twice: hostile characters first, then HTML by
//! [`escaped_html`].

use std::collections::BTreeMap;
use std::fmt::Write;

use super::model::{First, Hint, Kinds};
use super::page::{Details, FileRow, Page, ROWS, Shown};
use super::rules::RULES;
use crate::printable::{escaped_html, escaped_text};

const STYLE: &str = include_str!("page.css");

/// A bar of a chart. `class` selects its style.
struct Bar {
    label: String,
    note: String,
    count: u64,
    class: &'static str,
}

impl Page {
    pub(crate) fn to_html(&self) -> String {
        let mut page = String::new();
        self.head(&mut page);
        self.tiles(&mut page);
        page.push_str("<div class=\"grid\">\n");
        self.encodings(&mut page);
        self.kinds(&mut page);
        self.scripts(&mut page);
        self.line_ends(&mut page);
        page.push_str("</div>\n");
        self.worst(&mut page);
        self.more(&mut page);
        self.unreadable_files(&mut page);
        self.good(&mut page);
        page.push_str("</main>\n<footer><p>Written by utfkit ");
        page.push_str(env!("CARGO_PKG_VERSION"));
        page.push_str(
            ". Bytes are in hexadecimal, offsets count from 0, lines and columns from 1; \
             a column is a code point or an ill-formed sequence.</p></footer>\n</body>\n</html>\n",
        );
        page
    }

    fn head(&self, to: &mut String) {
        let title = escaped_html(&escaped_text(&self.title));
        // Writing to memory cannot fail, here and below.
        let _ = write!(
            to,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n"
        );
        let (files, bad) = (self.sums.files, self.sums.ill_formed);
        let (class, verdict) = match (files, bad) {
            (0, _) => ("none", "No file was read.".to_owned()),
            (1, 0) => ("good", "The file is well-formed.".to_owned()),
            (n, 0) => ("good", format!("All {} files are well-formed.", grouped(n))),
            (1, _) => ("bad", "The file is ill-formed.".to_owned()),
            (n, 1) => ("bad", format!("1 of {} files is ill-formed.", grouped(n))),
            (n, bad) => ("bad", format!("{} of {} files are ill-formed.", grouped(bad), grouped(n))),
        };
        let _ = writeln!(to, "<p class=\"verdict {class}\">{verdict}</p>");
        if self.sums.unreadable > 0 {
            let _ = writeln!(
                to,
                "<p class=\"verdict bad\"><a href=\"#unreadable\">{} could not be read.</a></p>",
                counted(self.sums.unreadable, "file")
            );
        }
        to.push_str("</header>\n<main>\n");
    }

    fn tiles(&self, to: &mut String) {
        to.push_str("<dl class=\"tiles\">\n");
        let mut tile = |class: &str, name: &str, value: String| {
            let _ = writeln!(to, "<div class=\"{class}\"><dt>{name}</dt><dd>{value}</dd></div>");
        };
        let alarm = |count: u64| if count > 0 { "bad" } else { "" };
        tile("", "Files", grouped(self.sums.files));
        tile("", "Size", size(self.sums.bytes));
        tile("", "Characters", grouped(self.code_points));
        tile(alarm(self.sums.ill_formed), "Ill-formed files", grouped(self.sums.ill_formed));
        tile(alarm(self.sums.findings), "Findings", grouped(self.sums.findings));
        if self.skipped > 0 {
            tile("", "Binary, left out", grouped(self.skipped));
        }
        to.push_str("</dl>\n");
    }

    fn encodings(&self, to: &mut String) {
        let class = |name: &str| match name {
            "US-ASCII" | "UTF-8" | "UTF-8 with BOM" => "good",
            name if name.starts_with("not ") || name.ends_with("damaged") => "bad",
            "empty" => "quiet",
            _ => "other",
        };
        let bars = by_count(&self.encodings).map(|(name, count)| Bar {
            class: class(name),
            label: escaped_html(name),
            note: String::new(),
            count,
        });
        chart(to, "encodings", "Files by encoding", "Encoding", "Files", bars.collect());
    }

    fn kinds(&self, to: &mut String) {
        let short = |kind: &str| RULES.iter().find(|rule| rule.id == kind).map_or("", |rule| rule.short);
        let bars = by_count(&self.sums.kinds).map(|(&kind, count)| Bar {
            label: kind.to_owned(),
            note: escaped_html(short(kind)),
            count,
            class: "bad",
        });
        chart(to, "kinds", "Findings by kind", "Kind", "Findings", bars.collect());
    }

    fn scripts(&self, to: &mut String) {
        let no_script = |name: &str| matches!(name, "Common" | "Inherited" | "Unknown");
        let bars = by_count(&self.scripts).filter(|(name, _)| !no_script(name)).map(|(name, count)| Bar {
            label: name.replace('_', " "),
            note: String::new(),
            count,
            class: "other",
        });
        chart(to, "scripts", "Scripts", "Script", "Characters", bars.collect());
        let others: u64 = self.scripts.iter().filter(|(name, _)| no_script(name)).map(|(_, count)| count).sum();
        if others > 0 {
            // `chart` has closed the section.
            let note = format!(
                "<p class=\"note\">{} more characters belong to no one script: spaces, digits, punctuation, symbols, \
                 marks.</p>\n</section>\n",
                grouped(others)
            );
            to.truncate(to.trim_end().len() - "</section>".len());
            to.push_str(&note);
        }
    }

    fn line_ends(&self, to: &mut String) {
        let bars = by_count(&self.line_ends).map(|(&name, count)| Bar {
            label: name.to_owned(),
            note: match name {
                "LF" => "U+000A",
                "CRLF" => "U+000D U+000A",
                "CR" => "U+000D alone",
                "mixed" => "more than one kind in a file",
                _ => "",
            }
            .to_owned(),
            count,
            class: match name {
                "mixed" => "bad",
                "no line end" => "quiet",
                _ => "other",
            },
        });
        chart(to, "lines", "Files by line end", "Line end", "Files", bars.collect());
    }

    fn worst(&self, to: &mut String) {
        if self.worst.is_empty() {
            return;
        }
        let title = if self.more.len() > 0 { "The worst files" } else { "Ill-formed files" };
        let _ = writeln!(to, "<section aria-labelledby=\"worst\">\n<h2 id=\"worst\">{title}</h2>");
        for (i, details) in self.worst.values().enumerate() {
            article(to, details, i < 3);
        }
        to.push_str("</section>\n");
    }

    fn more(&self, to: &mut String) {
        if self.more.len() > 0 {
            rows(to, "more", "More ill-formed files", &self.more, true);
        }
    }

    fn good(&self, to: &mut String) {
        if self.good.len() > 0 {
            rows(to, "good", "Well-formed files", &self.good, false);
        }
    }

    fn unreadable_files(&self, to: &mut String) {
        if self.sums.unreadable == 0 {
            return;
        }
        to.push_str("<section aria-labelledby=\"unreadable\">\n<h2 id=\"unreadable\">Not read</h2>\n<ul>\n");
        for message in self.unreadable.iter() {
            let _ = writeln!(to, "<li><bdi>{}</bdi></li>", escaped_html(message));
        }
        to.push_str("</ul>\n");
        left_out(to, self.unreadable.left_out);
        to.push_str("</section>\n");
    }
}

/// Sorts by descending count.
fn by_count<K: Ord>(counts: &BTreeMap<K, u64>) -> impl Iterator<Item = (&K, u64)> {
    let mut sorted: Vec<_> = counts.iter().map(|(name, &count)| (name, count)).collect();
    sorted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    sorted.into_iter()
}

/// A section with a bar for each row of a table.
fn chart(to: &mut String, id: &str, title: &str, what: &str, unit: &str, bars: Vec<Bar>) {
    let _ = writeln!(to, "<section class=\"chart\" aria-labelledby=\"{id}\">\n<h2 id=\"{id}\">{title}</h2>");
    if bars.is_empty() {
        to.push_str("<p class=\"note\">None.</p>\n</section>\n");
        return;
    }
    let all: u64 = bars.iter().map(|bar| bar.count).sum();
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(1).max(1);
    let _ = writeln!(
        to,
        "<table>\n<thead><tr><th scope=\"col\">{what}</th><th scope=\"col\">{unit}</th><th scope=\"col\">Share</th></tr></thead>\n<tbody>"
    );
    for Bar { label, note, count, class } in bars {
        let width = count as f64 * 100.0 / most as f64;
        let note = if note.is_empty() { note } else { format!("<small>{note}</small>") };
        let _ = writeln!(
            to,
            "<tr><th scope=\"row\">{label}{note}<div class=\"bar {class}\" style=\"width:{width:.2}%\"></div></th>\
             <td>{}</td><td>{}</td></tr>",
            grouped(count),
            share(count, all)
        );
    }
    to.push_str("</tbody>\n</table>\n</section>\n");
}

fn article(to: &mut String, details: &Details, open: bool) {
    let FileRow { path, encoding, line_ends, summary } = &details.row;
    let open = if open { " open" } else { "" };
    let _ = writeln!(
        to,
        "<details class=\"file\"{open}>\n<summary><h3><bdi>{}</bdi></h3> <b>{}</b></summary>\n\
         <p class=\"facts\"><span>{}</span> <span>{}</span> <span>{}</span> <span>{}</span></p>",
        escaped_html(path),
        counted(summary.findings, "finding"),
        escaped_html(encoding),
        size(summary.bytes),
        line_ends,
        counted(summary.lines, "line"),
    );
    let _ = writeln!(to, "<p>{}</p>", kinds(&summary.kinds));
    if let Some(Hint { reason, command, .. }) = &summary.hint {
        let _ = writeln!(
            to,
            "<p class=\"hint\">{}. Try: <code>{}</code></p>",
            escaped_html(&escaped_text(&capital(reason))),
            escaped_html(&escaped_text(command))
        );
    }
    to.push_str(
        "<div class=\"wide\"><table class=\"findings\">\n<thead><tr><th scope=\"col\">Line:col</th>\
         <th scope=\"col\">Byte</th><th scope=\"col\">Bytes</th><th scope=\"col\">Code point</th>\
         <th scope=\"col\">What is wrong</th></tr></thead>\n<tbody>\n",
    );
    for Shown { item, lines } in &details.items {
        let code_point = item.code_point.as_deref().unwrap_or("\u{2013}");
        let _ = writeln!(
            to,
            "<tr><td>{}:{}</td><td>{}</td><td><code>{}</code></td><td>{code_point}</td><td><b>{}</b>: {}</td></tr>",
            item.line,
            item.column,
            item.offset,
            item.spaced(),
            item.kind,
            escaped_html(&escaped_text(&item.message))
        );
        if !lines.is_empty() {
            // Escaped by `Context`.
            let _ = writeln!(to, "<tr class=\"lines\"><td colspan=\"5\"><pre>{lines}</pre></td></tr>");
        }
    }
    to.push_str("</tbody>\n</table></div>\n");
    let left = summary.findings - summary.shown;
    if left > 0 {
        let _ = writeln!(to, "<p class=\"note\">{} not listed.</p>", counted(left, "finding"));
    }
    to.push_str("</details>\n");
}

/// Files in a compact table.
fn rows(to: &mut String, id: &str, title: &str, rows: &First<FileRow>, bad: bool) {
    let all = rows.len() as u64 + rows.left_out;
    let _ = writeln!(
        to,
        "<section aria-labelledby=\"{id}\">\n<h2 id=\"{id}\">{title}</h2>\n<details class=\"rows\">\n\
         <summary>{}</summary>\n<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">File</th>\
         <th scope=\"col\">Encoding</th><th scope=\"col\">Line ends</th><th scope=\"col\">Bytes</th>{}</tr></thead>\n<tbody>",
        counted(all, "file"),
        if bad { "<th scope=\"col\">Findings</th>" } else { "<th scope=\"col\">Lines</th>" }
    );
    for FileRow { path, encoding, line_ends, summary } in rows.iter() {
        let last = if bad { summary.findings } else { summary.lines };
        let hint = match &summary.hint {
            Some(Hint { command, .. }) => format!("<br>Try: <code>{}</code>", escaped_html(&escaped_text(command))),
            None => String::new(),
        };
        let _ = writeln!(
            to,
            "<tr><th scope=\"row\"><bdi>{}</bdi>{hint}</th><td>{}</td><td>{line_ends}</td><td>{}</td><td>{}</td></tr>",
            escaped_html(path),
            escaped_html(encoding),
            grouped(summary.bytes),
            grouped(last)
        );
    }
    to.push_str("</tbody>\n</table></div>\n");
    left_out(to, rows.left_out);
    to.push_str("</details>\n</section>\n");
}

fn left_out(to: &mut String, count: u64) {
    if count > 0 {
        let _ = writeln!(
            to,
            "<p class=\"note\">{} more are not listed; a page lists at most {}.</p>",
            grouped(count),
            grouped(ROWS as u64)
        );
    }
}

/// `12 overlong, 1 truncated`.
fn kinds(kinds: &Kinds) -> String {
    let each: Vec<_> = by_count(kinds).map(|(kind, count)| format!("{}\u{A0}{kind}", grouped(count))).collect();
    each.join(", ")
}

/// `1 line`, `2 lines`.
fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(count))
}

/// `1 234 567`, with narrow spaces that do not break.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push('\u{202F}');
        }
        grouped.push(digit);
    }
    grouped
}

fn size(bytes: u64) -> String {
    let mut size = bytes as f64;
    for unit in ["bytes", "KiB", "MiB", "GiB", "TiB"] {
        if size < 1024.0 || unit == "TiB" {
            return match unit {
                "bytes" => format!("{bytes}\u{A0}{}", if bytes == 1 { "byte" } else { "bytes" }),
                _ => format!("{size:.1}\u{A0}{unit}"),
            };
        }
        size /= 1024.0;
    }
    String::new()
}

fn share(count: u64, all: u64) -> String {
    let percent = count as f64 * 100.0 / all.max(1) as f64;
    if count > 0 && percent < 0.1 { "&lt;\u{202F}0.1\u{A0}%".to_owned() } else { format!("{percent:.1}\u{A0}%") }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_for_people() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1\u{202F}000", "1\u{202F}234\u{202F}567"]);
        assert_eq!(
            [0, 1, 1023, 1536, 5 << 30].map(size),
            ["0 bytes", "1 byte", "1023 bytes", "1.5 KiB", "5.0 GiB"].map(|s| s.replace(' ', "\u{A0}"))
        );
        assert_eq!(
            (share(1, 3), share(1, 100_000), share(0, 0)),
            ("33.3\u{A0}%".into(), "&lt;\u{202F}0.1\u{A0}%".into(), "0.0\u{A0}%".into())
        );
    }

    #[test]
    fn html_is_escaped() {
        assert_eq!(escaped_html("<a b='c' d=\"e\">&é"), "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;é");
    }
}
