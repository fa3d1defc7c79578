//! A unified diff, made during the repair. The changes are known, so nothing is
//! compared, and only the lines around them are kept.
//!
//! The diff is for people. Control characters are escaped, except a carriage return
//! at the end of a line, and ill-formed bytes are `\xNN`. A line of more than [`LONGEST`] bytes is split, with `…` after each
//! part except the last.

use std::collections::VecDeque;
use std::io::Write;
use std::mem;
use std::path::Path;

use utfkit::repair::Stretch;

use crate::console::Styles;
use crate::printable::{Escaped, escaped_text};

/// The number of lines before and after a change.
const CONTEXT: usize = 3;
/// The approximate limit of a row, in bytes.
const LONGEST: usize = 4096;
/// Follows a row without a line feed.
const UNENDED: &[u8] = b"\\ No newline at end of file\n";
/// A hunk of more bytes than this is split.
const HUNK: usize = 64 << 10;

pub(super) struct Diff {
    path: String,
    styles: Styles,
    begun: bool,
    /// The last unchanged lines, not shown yet.
    context: VecDeque<Vec<u8>>,
    /// The current line before the repair, and after it if it changes.
    old: Vec<u8>,
    new: Option<Vec<u8>>,
    /// The line numbers before and after the repair.
    old_line: u64,
    new_line: u64,
    hunk: Option<Hunk>,
    /// The current row is the last, and has no line feed.
    is_end: bool,
}

#[derive(Default)]
struct Hunk {
    old_start: u64,
    new_start: u64,
    old_rows: u64,
    new_rows: u64,
    rows: Vec<u8>,
    /// The number of unchanged rows at the end.
    trailing: usize,
}

impl Diff {
    pub(super) fn new(path: &Path, styles: Styles) -> Diff {
        Diff {
            path: Escaped(path).to_string(),
            styles,
            begun: false,
            context: VecDeque::new(),
            old: Vec::new(),
            new: None,
            old_line: 1,
            new_line: 1,
            hunk: None,
            is_end: false,
        }
    }

    pub(super) fn take(&mut self, piece: &Stretch<'_>, to: &mut Vec<u8>) {
        match piece {
            Stretch::Kept(text) => self.keep(text, to),
            Stretch::Changed(change) => {
                let new = self.new.get_or_insert_with(|| self.old.clone());
                new.extend_from_slice(change.after.as_bytes());
                self.old.extend_from_slice(change.before);
                if self.old.len() >= LONGEST {
                    self.end_row(false, to);
                }
            }
        }
    }

    /// Ends the diff.
    pub(super) fn finish(mut self, to: &mut Vec<u8>) {
        if !self.old.is_empty() || self.new.is_some() {
            self.is_end = true;
            self.end_row(false, to);
        }
        self.show(to);
    }

    fn keep(&mut self, mut text: &[u8], to: &mut Vec<u8>) {
        if self.hunk.is_none() && self.new.is_none() {
            text = self.skip(text);
        }
        while !text.is_empty() {
            let capacity = LONGEST.saturating_sub(self.old.len()).max(1);
            let (len, ends) = match text.iter().take(capacity).position(|byte| *byte == b'\n') {
                Some(at) => (at + 1, true),
                None if text.len() <= capacity => (text.len(), false),
                None => (utfkit::next_boundary(text, capacity - 1).clamp(1, text.len()), false),
            };
            let (part, rest) = text.split_at(len);
            text = rest;
            let shown = if ends { &part[..len - 1] } else { part };
            self.old.extend_from_slice(shown);
            if let Some(new) = &mut self.new {
                new.extend_from_slice(shown);
            }
            if ends || self.old.len() >= LONGEST {
                self.end_row(ends, to);
            }
        }
    }

    /// Skips lines that are not within the context of a change.
    fn skip<'a>(&mut self, text: &'a [u8]) -> &'a [u8] {
        let mut start = text.len();
        for _ in 0..=CONTEXT {
            match text[..start].iter().rposition(|byte| *byte == b'\n') {
                Some(at) => start = at,
                None => return text,
            }
        }
        let (passed, rest) = text.split_at(start + 1);
        // Blocks of fewer than 256 bytes, so that a `u8` can count.
        let lines: u64 = passed
            .chunks(192)
            .map(|block| u64::from(block.iter().fold(0u8, |sum, byte| sum + u8::from(*byte == b'\n'))))
            .sum();
        self.old_line += lines;
        self.new_line += lines;
        self.old.clear();
        self.context.clear();
        rest
    }

    /// Ends the row, and the line if it `ends`, too.
    fn end_row(&mut self, ends: bool, to: &mut Vec<u8>) {
        let old = mem::take(&mut self.old);
        let more = if ends || old.len() < LONGEST { "" } else { "…" };
        let mut added = 0;
        match self.new.take() {
            Some(new) => {
                let Diff { context, old_line, new_line, styles, .. } = self;
                let hunk = self.hunk.get_or_insert_with(|| {
                    let before = context.len() as u64;
                    let mut hunk = Hunk {
                        old_start: old_line.saturating_sub(before).max(1),
                        new_start: new_line.saturating_sub(before).max(1),
                        ..Hunk::default()
                    };
                    context.drain(..).for_each(|line| hunk.row(' ', anstyle::Style::new(), &line, ""));
                    hunk
                });
                hunk.row('-', styles.kind, &old, more);
                if self.is_end {
                    hunk.rows.extend_from_slice(UNENDED);
                }
                // A reinterpreted sequence can be a line feed.
                for line in new.split(|byte| *byte == b'\n') {
                    hunk.row('+', styles.place, line, more);
                    added += 1;
                }
                if self.is_end {
                    hunk.rows.extend_from_slice(UNENDED);
                }
                added -= 1;
                hunk.trailing = 0;
            }
            None => match &mut self.hunk {
                Some(hunk) => {
                    hunk.row(' ', anstyle::Style::new(), &old, more);
                    hunk.trailing += 1;
                    if self.is_end {
                        hunk.rows.extend_from_slice(UNENDED);
                    }
                }
                None => {
                    self.context.push_back(old);
                    if self.context.len() > CONTEXT {
                        self.context.pop_front();
                    }
                }
            },
        }
        self.new_line += added + u64::from(ends);
        self.old_line += u64::from(ends);
        if self.hunk.as_ref().is_some_and(|hunk| hunk.trailing >= CONTEXT || hunk.rows.len() > HUNK) {
            self.show(to);
        }
    }

    fn show(&mut self, to: &mut Vec<u8>) {
        let Some(hunk) = self.hunk.take() else { return };
        let p = self.styles.path;
        // Writing to memory cannot fail.
        if !self.begun {
            self.begun = true;
            let _ = write!(to, "{p}--- {0}{p:#}\n{p}+++ {0} (repaired){p:#}\n", self.path);
        }
        let Hunk { old_start, old_rows, new_start, new_rows, rows, .. } = hunk;
        let _ = writeln!(to, "{p}@@ -{old_start},{old_rows} +{new_start},{new_rows} @@{p:#}");
        to.extend_from_slice(&rows);
    }
}

impl Hunk {
    fn row(&mut self, sign: char, style: anstyle::Style, line: &[u8], more: &str) {
        self.old_rows += u64::from(sign != '+');
        self.new_rows += u64::from(sign != '-');
        // `patch` needs the line end as it is.
        let (line, end) = match line.strip_suffix(b"\r") {
            Some(line) if more.is_empty() => (line, "\r\n"),
            _ => (line, "\n"),
        };
        // Writing to memory cannot fail.
        let _ = write!(self.rows, "{style}{sign}{}{more}{style:#}{end}", shown(line));
    }
}

/// A line that is safe on a terminal. Tabs stay.
pub(super) fn shown(line: &[u8]) -> String {
    let mut text = String::with_capacity(line.len());
    for chunk in line.utf8_chunks() {
        let parts: Vec<_> = chunk.valid().split('\t').map(escaped_text).collect();
        text.push_str(&parts.join("\t"));
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02X}"));
        }
    }
    text
}
