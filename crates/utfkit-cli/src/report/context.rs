//! The line around a finding, with the ill-formed bytes marked:
//!
//! ```text
//!     2 | abcdef<C0 AF>
//!       |       ^^^^^^^
//! ```
//!
//! It needs the stream as it passes, once and in any pieces, and keeps a
//! bounded part of the line: what was last read, and for an open group of
//! findings what stands around them.

use std::collections::VecDeque;
use std::io::Write;

use utfkit::{Encoding, Policy, Standard, Transcoder, display_width};

use super::console::Styles;
use super::model::{Found, LINE_END};
use super::printable::{escaped_html, is_hostile};

/// Columns before the first finding of a group.
const BEFORE: usize = 48;
/// Columns after the last one.
const AFTER: usize = 40;
/// A finding joins a group of fewer columns.
const JOINED: usize = 72;
/// A finding is known when so many bytes after its first one have passed.
const LATE: usize = 64;
/// What stands for a tab.
const TAB: &str = "    ";
/// What stands for the rest of a line.
const MORE: &str = "...";

/// The line around each finding of one stream.
pub(super) struct Context {
    /// To UTF-8. What is ill-formed is left out: a finding stands for it.
    reader: Transcoder,
    /// Bytes that were not read yet, because a finding may begin in them.
    waiting: Vec<u8>,
    /// How many of these were read all the same.
    read: usize,
    /// The place of the first waiting byte in the stream.
    offset: u64,
    text: Vec<u8>,
    line: Line,
}

/// How a line is written.
#[derive(Clone, Copy)]
pub(super) enum Look {
    /// With a row of carets; `ascii`: nothing above US-ASCII can be shown.
    Terminal { styles: Styles, ascii: bool },
    /// With elements `mark`.
    Html,
}

/// The line on which the stream stands.
struct Line {
    look: Look,
    /// The last pieces of it.
    lead: VecDeque<Glyph>,
    /// What they take.
    columns: usize,
    /// Whether there are more pieces before.
    cut: bool,
    group: Option<Group>,
}

/// Findings that are shown together.
struct Group {
    number: u64,
    pieces: Vec<Glyph>,
    columns: usize,
    cut: bool,
    /// The columns that may follow.
    free: usize,
}

#[derive(Clone)]
enum Glyph {
    Char(char),
    IllFormed { bytes: Vec<u8>, marked: bool },
}

impl Context {
    pub(super) fn new(encoding: Encoding, standard: Standard, look: Look) -> Context {
        let encoding = match (encoding, standard) {
            (Encoding::Utf8, Standard::Rfc2279) => Encoding::Utf8Rfc2279,
            (Encoding::Utf8, Standard::Rfc2044) => Encoding::Utf8Rfc2044,
            (Encoding::Utf8, Standard::Kuhn) => Encoding::Utf8Kuhn,
            (Encoding::Utf8, Standard::NoNoncharacters) => Encoding::Utf8NoNoncharacters,
            _ => encoding,
        };
        Context {
            reader: Transcoder::new(encoding, Encoding::Utf8, Policy::Skip),
            waiting: Vec::new(),
            read: 0,
            offset: 0,
            text: Vec::new(),
            line: Line { look, lead: VecDeque::new(), columns: 0, cut: false, group: None },
        }
    }

    /// Takes what comes next, before it is checked.
    pub(super) fn feed(&mut self, out: &mut Vec<u8>, bytes: &[u8]) {
        self.read_to(out, self.waiting.len().saturating_sub(LATE), false);
        self.waiting.drain(..self.read);
        self.offset += self.read as u64;
        self.read = 0;
        self.waiting.extend_from_slice(bytes);
    }

    /// What was found in what was fed. Not all findings are `marked`.
    pub(super) fn finding(&mut self, out: &mut Vec<u8>, found: &Found, marked: bool) {
        let at = usize::try_from(found.offset().saturating_sub(self.offset)).unwrap_or(usize::MAX);
        self.read_to(out, at, false);
        match found {
            Found::IllFormed(finding) => self.line.ill_formed(out, finding.line(), finding.bytes().to_vec(), marked),
            // What is well-formed stays text, unless it is shown.
            Found::Other(_) if !marked => {}
            Found::Other(item) => {
                self.line.ill_formed(out, item.line, item.raw(), true);
                self.read = self.read.max(at.saturating_add(item.length)).min(self.waiting.len());
                if item.kind == LINE_END {
                    self.line.close(out, false);
                    self.line.forget();
                }
            }
        }
    }

    /// The stream is at its end, or nothing more can be read of it.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        self.read_to(out, usize::MAX, true);
        self.line.close(out, false);
    }

    fn read_to(&mut self, out: &mut Vec<u8>, until: usize, last: bool) {
        let until = until.min(self.waiting.len());
        if until <= self.read && !last {
            return;
        }
        self.text.clear();
        // It replaces, and reports nothing.
        let _ = self.reader.transcode_to_vec(&self.waiting[self.read.min(until)..until], &mut self.text, last);
        self.read = self.read.max(until);
        for chunk in self.text.utf8_chunks() {
            self.line.text(out, chunk.valid());
        }
    }
}

impl Line {
    fn text(&mut self, out: &mut Vec<u8>, mut text: &str) {
        while self.group.is_some() {
            let mut chars = text.chars();
            let Some(c) = chars.next() else { return };
            text = chars.as_str();
            self.char(out, c);
        }
        // Of what nobody waits for, only the end of the last line counts.
        if let Some(end) = text.as_bytes().iter().rposition(|&byte| byte == b'\n') {
            self.forget();
            text = &text[end + 1..];
        }
        if let Some((at, _)) = text.char_indices().rev().nth(BEFORE) {
            self.forget();
            self.cut = true;
            text = &text[at..];
        }
        text.chars().for_each(|c| self.char(out, c));
    }

    fn char(&mut self, out: &mut Vec<u8>, c: char) {
        if c == '\n' {
            self.close(out, false);
            return self.forget();
        }
        let piece = Glyph::Char(c);
        self.extend_group(out, &piece);
        self.lead(piece);
    }

    fn ill_formed(&mut self, out: &mut Vec<u8>, number: u64, bytes: Vec<u8>, marked: bool) {
        let piece = Glyph::IllFormed { bytes, marked };
        if marked && self.group.as_ref().is_some_and(|group| group.columns >= JOINED) {
            self.close(out, true);
        }
        match &mut self.group {
            Some(group) if marked => {
                group.push(piece.clone());
                group.free = AFTER;
            }
            Some(_) => self.extend_group(out, &piece),
            None if marked => {
                let pieces: Vec<_> = self.lead.iter().map(Glyph::unmarked).collect();
                let columns = self.columns;
                let mut group = Group { number, pieces, columns, cut: self.cut, free: AFTER };
                group.push(piece.clone());
                self.group = Some(group);
            }
            None => {}
        }
        self.lead(piece);
    }

    /// What stands after the findings of the open group.
    fn extend_group(&mut self, out: &mut Vec<u8>, piece: &Glyph) {
        let Some(group) = &mut self.group else { return };
        let cost = piece.cost();
        if group.free < cost {
            self.close(out, true);
        } else {
            group.free -= cost;
            group.push(piece.clone());
        }
    }

    fn lead(&mut self, piece: Glyph) {
        self.columns += piece.cost();
        self.lead.push_back(piece);
        while self.columns > BEFORE
            && let Some(first) = self.lead.pop_front()
        {
            self.columns -= first.cost();
            self.cut = true;
        }
    }

    /// The next line begins.
    fn forget(&mut self) {
        self.lead.clear();
        self.columns = 0;
        self.cut = false;
    }

    /// Prints the open group, if there is one. `more`: the line goes on.
    fn close(&mut self, out: &mut Vec<u8>, more: bool) {
        let Some(mut group) = self.group.take() else { return };
        if !more {
            // It belongs to the end of the line.
            group.pieces.pop_if(|last| matches!(last, Glyph::Char('\r')));
        }
        match self.look {
            Look::Terminal { styles, ascii } => group.on_terminal(out, styles, ascii, more),
            Look::Html => group.as_html(out, more),
        }
    }
}

impl Group {
    fn push(&mut self, piece: Glyph) {
        self.columns += piece.cost();
        self.pieces.push(piece);
    }

    fn on_terminal(&self, out: &mut Vec<u8>, styles: Styles, ascii: bool, more: bool) {
        let Styles { place: n, kind: k, .. } = styles;
        let (mut plain, mut row, mut marks) = (String::new(), String::new(), String::new());
        let mut marked_to = 0;
        if self.cut {
            plain.push_str(MORE);
            row.push_str(MORE);
        }
        for piece in &self.pieces {
            let shown = piece.shown(ascii);
            if piece.is_marked() {
                // Nothing joins the `<` to what stands before it.
                let column = display_width(&plain);
                let (blank, carets) = (" ".repeat(column.saturating_sub(marked_to)), "^".repeat(shown.len()));
                marks.push_str(&format!("{blank}{k}{carets}{k:#}"));
                marked_to = column + shown.len();
                row.push_str(&format!("{k}{shown}{k:#}"));
            } else {
                row.push_str(&shown);
            }
            plain.push_str(&shown);
        }
        if more {
            row.push_str(MORE);
        }
        let number = format!("{:>5}", self.number);
        let blank = " ".repeat(number.len());
        // Writing to memory cannot fail.
        let _ = writeln!(out, "{n}{number} |{n:#} {row}\n{n}{blank} |{n:#} {marks}");
    }

    fn as_html(&self, out: &mut Vec<u8>, more: bool) {
        let mut row = format!("<span>{}</span> ", self.number);
        if self.cut {
            row.push_str("<i>\u{2026}</i>");
        }
        for piece in &self.pieces {
            let shown = piece.shown(false);
            match piece {
                Glyph::Char(_) => row.push_str(&escaped_html(&shown)),
                Glyph::IllFormed { marked, .. } => {
                    let element = if *marked { "mark" } else { "s" };
                    row.push_str(&format!("<{element}>{}</{element}>", shown.trim_matches(['<', '>'])));
                }
            }
        }
        if more {
            row.push_str("<i>\u{2026}</i>");
        }
        row.push('\n');
        out.extend_from_slice(row.as_bytes());
    }
}

impl Glyph {
    /// The same before another group.
    fn unmarked(&self) -> Glyph {
        match self {
            Glyph::Char(c) => Glyph::Char(*c),
            Glyph::IllFormed { bytes, .. } => Glyph::IllFormed { bytes: bytes.clone(), marked: false },
        }
    }

    fn is_marked(&self) -> bool {
        matches!(self, Glyph::IllFormed { marked: true, .. })
    }

    /// As a person can see it.
    fn shown(&self, ascii: bool) -> String {
        match self {
            Glyph::Char('\t') => TAB.to_owned(),
            Glyph::Char(c) if is_hostile(*c) => c.escape_default().collect(),
            Glyph::Char(c) if ascii && !c.is_ascii() => c.escape_unicode().collect(),
            Glyph::Char(c) => c.to_string(),
            Glyph::IllFormed { bytes, .. } => {
                let hex: Vec<_> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
                format!("<{}>", hex.join(" "))
            }
        }
    }

    /// The columns it takes, about; never none, so that a limit on columns is
    /// one on memory.
    fn cost(&self) -> usize {
        match self {
            Glyph::Char('\t') => TAB.len(),
            Glyph::Char(c) if is_hostile(*c) => c.escape_default().len(),
            Glyph::Char(c) => display_width(c.encode_utf8(&mut [0; 4])).max(1),
            Glyph::IllFormed { bytes, .. } => 3 * bytes.len() + 1,
        }
    }
}
