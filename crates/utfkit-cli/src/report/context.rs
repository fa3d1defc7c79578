//! The line around each finding, with the ill-formed bytes marked:
//!
//! ```text
//!     2 | abcdef<C0 AF>
//!       |       ^^^^^^^
//! ```
//!
//! The stream is seen once, in pieces of any size. Memory is bounded: only the
//! end of the current line and the surroundings of an open group of findings
//! are kept.

use std::collections::VecDeque;
use std::io::Write;

use utfkit::{Encoding, Policy, Standard, Transcoder, display_width};

use super::model::{Found, LINE_END};
use crate::console::Styles;
use crate::printable::{escaped_html, is_hostile};

/// Columns shown before the first finding of a group.
const BEFORE: usize = 48;
/// Columns shown after the last finding of a group.
const AFTER: usize = 40;
/// A finding joins the open group if the group has fewer columns than this.
const JOINED: usize = 72;
/// A finding is reported at most this many bytes after its first byte.
const LATE: usize = 64;
/// Shown in place of a tab.
const TAB: &str = "    ";
/// Shown where a line is cut.
const MORE: &str = "...";

/// Writes the line around each finding of one stream.
pub(super) struct Context {
    /// Decodes to UTF-8 and skips ill-formed sequences: findings show those.
    reader: Transcoder,
    /// Bytes not decoded yet, because a finding may begin in them.
    waiting: Vec<u8>,
    /// Number of waiting bytes that have been decoded already.
    read: usize,
    /// The offset of the first waiting byte in the stream.
    offset: u64,
    text: Vec<u8>,
    line: Line,
}

#[derive(Clone, Copy)]
pub(super) enum Look {
    /// A row of carets below the line; `ascii` escapes all but US-ASCII.
    Terminal { styles: Styles, ascii: bool },
    /// `<mark>` elements in the line.
    Html,
}

struct Line {
    look: Look,
    /// The last glyphs of the line, up to [`BEFORE`] columns.
    lead: VecDeque<Glyph>,
    /// Total width of `lead`.
    columns: usize,
    /// True if glyphs were dropped before `lead`.
    cut: bool,
    group: Option<Group>,
}

/// Findings shown in one excerpt.
struct Group {
    number: u64,
    pieces: Vec<Glyph>,
    columns: usize,
    cut: bool,
    /// Columns that may still be appended.
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

    /// Takes the next bytes of the stream, before they are checked.
    pub(super) fn feed(&mut self, out: &mut Vec<u8>, bytes: &[u8]) {
        self.read_to(out, self.waiting.len().saturating_sub(LATE), false);
        self.waiting.drain(..self.read);
        self.offset += self.read as u64;
        self.read = 0;
        self.waiting.extend_from_slice(bytes);
    }

    /// Adds a finding in the bytes fed so far. Only `marked` findings are shown.
    pub(super) fn finding(&mut self, out: &mut Vec<u8>, found: &Found, marked: bool) {
        let at = usize::try_from(found.offset().saturating_sub(self.offset)).unwrap_or(usize::MAX);
        self.read_to(out, at, false);
        match found {
            Found::IllFormed(finding) => self.line.ill_formed(out, finding.line(), finding.bytes().to_vec(), marked),
            // Unless shown, it is ordinary text of the line.
            Found::Other(_) if !marked => {}
            Found::OfFile(_) => {}
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

    /// Ends the stream, or as much of it as could be read.
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
        // Skipping cannot fail.
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
        // Without an open group, only the end of the last line matters.
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

    /// Appends a glyph after the findings of the open group.
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

    /// Begins a new line.
    fn forget(&mut self) {
        self.lead.clear();
        self.columns = 0;
        self.cut = false;
    }

    /// Prints the open group, if there is one; `more` if the line continues.
    fn close(&mut self, out: &mut Vec<u8>, more: bool) {
        let Some(mut group) = self.group.take() else { return };
        if !more {
            // Part of the line end.
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
                // Width is additive here: `<` does not combine with what precedes it.
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
    /// The glyph as it appears in the lead of another group.
    fn unmarked(&self) -> Glyph {
        match self {
            Glyph::Char(c) => Glyph::Char(*c),
            Glyph::IllFormed { bytes, .. } => Glyph::IllFormed { bytes: bytes.clone(), marked: false },
        }
    }

    fn is_marked(&self) -> bool {
        matches!(self, Glyph::IllFormed { marked: true, .. })
    }

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

    /// Approximate width in columns, at least 1, so that a limit on columns also
    /// limits memory.
    fn cost(&self) -> usize {
        match self {
            Glyph::Char('\t') => TAB.len(),
            Glyph::Char(c) if is_hostile(*c) => c.escape_default().len(),
            Glyph::Char(c) => display_width(c.encode_utf8(&mut [0; 4])).max(1),
            Glyph::IllFormed { bytes, .. } => 3 * bytes.len() + 1,
        }
    }
}
