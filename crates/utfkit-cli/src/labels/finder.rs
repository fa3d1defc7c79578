//! Finds the labels of a text that is read in pieces, in bounded memory.

use std::mem;
use std::path::Path;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, Input};
use regex::bytes::Regex;
use utfkit::Encoding;
use utfkit::detect::encoding_of_program;

use super::label::Spelling::{AsWritten, Collation, Emacs, Lower, Plain, Upper};
use super::label::{self, HEAD, Label, Part, is_of_name, name_at, position};
use super::markup::{Tag, attributes, charset};
use super::mime;
use super::rows::{ROWS, Row};
use super::sql::Sql;
use super::traits::{Trait, Traits};

/// The context that is kept before and after each place, in bytes.
const AROUND: usize = 16 << 10;
/// The bytes that are searched at a time.
const BLOCK: usize = 64 << 10;
/// The context of a label in one line.
const NEAR: usize = 512;
/// The limit of a tag, in bytes.
const TAG: usize = 4 << 10;
/// The characters at the end of a text in which Emacs looks for variables.
const VARIABLES: usize = 3000;
/// The lines at both ends of a text in which vim looks for a mode line.
const MODE_LINES: usize = 5;
/// The limit of labels in a text: a mailbox has one for each message.
pub(crate) const MOST: usize = 1 << 18;
/// The limit of boundaries of mails that are remembered.
const BOUNDARIES: usize = 64;

/// Words with a meaning of their own. The keys of the table follow.
const KEYS: [&str; 14] = [
    "<meta",
    "<!--",
    "-->",
    "<xsl:output",
    "<%@",
    "<jsp:directive.page",
    "<cfprocessingdirective",
    "content-type",
    "boundary",
    "inputenc",
    "inputenx",
    r"\document",
    r"\begin{document}",
    r"\end{document}",
];

/// Finds labels.
pub(crate) struct Finder<'a> {
    path: &'a Path,
    head: Vec<u8>,
    traits: Option<Traits>,
    window: Vec<u8>,
    /// The offset of the window in the text.
    base: usize,
    /// The offset up to which the text was searched.
    searched: usize,
    /// True if the window begins at the begin of a line.
    is_at_line: bool,
    /// The front of the line in which the window begins.
    line: Vec<u8>,
    in_comment: bool,
    boundaries: Vec<Vec<u8>>,
    /// In a mail: whether the part is a page whose bytes are its text.
    in_page: bool,
    found: Vec<Label>,
    /// The options of `inputenc`.
    of_packages: Vec<Label>,
    /// In comments.
    of_comments: Vec<Label>,
    /// A class of LaTeX is named, so that the text is a document itself.
    has_class: bool,
    /// The body of the document, in which packages are only talked about.
    in_body: bool,
    /// The last line that was asked for, in offsets of the text.
    last_line: Option<Line>,
    /// The last line with a field of a header, and its block. All offsets are those of the text.
    last_field: Option<(usize, Option<mime::Block>)>,
    /// The end of the last tag.
    tag_end: usize,
    /// The state of SQL, and where.
    sql: (Sql, usize),
    /// Labels in statements of SQL about tables.
    of_tables: Vec<Label>,
    /// True if all statements of SQL that name the encoding of the file name UTF-8; `None` without one.
    is_sql_in_utf8: Option<bool>,
}

impl<'a> Finder<'a> {
    /// For the text of the file at `path`, in UTF-8.
    pub(crate) fn new(path: &'a Path) -> Finder<'a> {
        Finder {
            path,
            head: Vec::new(),
            traits: None,
            window: Vec::new(),
            base: 0,
            searched: 0,
            is_at_line: true,
            line: Vec::new(),
            in_comment: false,
            boundaries: Vec::new(),
            in_page: false,
            found: Vec::new(),
            of_packages: Vec::new(),
            of_comments: Vec::new(),
            has_class: false,
            in_body: false,
            last_line: None,
            last_field: None,
            tag_end: 0,
            sql: (Sql::default(), 0),
            of_tables: Vec::new(),
            is_sql_in_utf8: None,
        }
    }

    pub(crate) fn feed(&mut self, mut text: &[u8]) {
        while !text.is_empty() {
            let len = text.len().min(BLOCK);
            if self.head.len() < HEAD {
                self.head.extend_from_slice(&text[..len.min(HEAD - self.head.len())]);
            }
            self.window.extend_from_slice(&text[..len]);
            text = &text[len..];
            let end = self.base + self.window.len();
            if end - self.searched >= BLOCK + AROUND {
                self.search(end - AROUND);
                self.forget(self.searched.saturating_sub(AROUND).max(self.base));
            }
        }
    }

    /// The front of the text.
    pub(crate) fn head(&self) -> &[u8] {
        &self.head
    }

    pub(crate) fn has_bom(&self) -> bool {
        self.head.starts_with(b"\xEF\xBB\xBF")
    }

    /// Leaves the text out up to `offset`.
    pub(crate) fn skip_to(&mut self, offset: usize) {
        self.search(self.base + self.window.len());
        self.forget(self.base + self.window.len());
        (self.base, self.searched, self.is_at_line) = (offset, offset, false);
        self.line.clear();
    }

    /// All labels, in order. Returns `None` if there are too many.
    pub(crate) fn finish(mut self) -> Option<Vec<Label>> {
        // Of two labels at one place, the first counts.
        self.front();
        self.search(self.base + self.window.len());
        self.tail();
        let mut found = mem::take(&mut self.found);
        // Text that is no document and names several encodings tells how to use the package.
        if self.has_class || self.is_tex() || agree(&self.of_packages) {
            found.append(&mut self.of_packages);
        }
        // Comments that name several are about them.
        if agree(&self.of_comments) {
            found.append(&mut self.of_comments);
        }
        // The encoding in which tables are stored says nothing about the file.
        if self.is_sql_in_utf8 != Some(true) {
            found.append(&mut self.of_tables);
        }
        found.sort_by_key(|label| label.at.start);
        found.dedup_by(|b, a| b.at.start < a.at.end);
        (found.len() <= MOST).then_some(found)
    }

    fn is_tex(&self) -> bool {
        self.path.extension().is_some_and(|name| ["tex", "ltx", "sty", "cls"].iter().any(|tex| name == *tex))
    }

    /// Drops the window up to `offset`.
    fn forget(&mut self, offset: usize) {
        let len = offset - self.base;
        if len == 0 {
            return;
        }
        let gone = &self.window[..len];
        match gone.iter().rposition(|byte| is_line_end(*byte)) {
            Some(at) => self.line = gone[at + 1..].iter().take(NEAR).copied().collect(),
            None => {
                let more = NEAR - self.line.len();
                self.line.extend(gone.iter().take(more));
            }
        }
        self.is_at_line = gone.last().is_some_and(|byte| is_line_end(*byte));
        self.window.drain(..len);
        self.base = offset;
    }

    /// Searches the window up to `until`, an offset in the text.
    fn search(&mut self, until: usize) {
        if until <= self.searched {
            return;
        }
        let traits = self.traits.take().unwrap_or_else(|| Traits::of(&self.head, self.path));
        let window = mem::take(&mut self.window);
        let keys = keys();
        let from = self.searched - self.base;
        for hit in keys.find_iter(Input::new(&window).span(from..window.len())) {
            if self.base + hit.start() >= until || self.found.len() > MOST {
                break;
            }
            let key = hit.pattern().as_usize();
            let key = KEYS.get(key).copied().unwrap_or_else(|| row_keys()[key - KEYS.len()]);
            if traits.sql {
                self.pass_sql(&window, hit.start());
            }
            self.at_key(&window, key, hit.start(), &traits);
            for row in ROWS.iter().filter(|row| row.key == key) {
                self.at_row(&window, row, hit.start(), &traits);
            }
        }
        if traits.sql {
            self.pass_sql(&window, until - self.base);
        }
        self.traits = Some(traits);
        self.window = window;
        self.searched = until;
    }

    fn pass_sql(&mut self, window: &[u8], to: usize) {
        let from = self.sql.1.max(self.base) - self.base;
        if from < to {
            self.sql.0.pass(&window[from..to], &window[to..window.len().min(to + 16)]);
            self.sql.1 = self.base + to;
        }
    }

    fn add(&mut self, label: Label) {
        let label = self.placed(label);
        self.found.push(label);
    }

    /// The label of the window with its place in the text.
    fn placed(&self, mut label: Label) -> Label {
        label.at = label.at.start + self.base..label.at.end + self.base;
        label
    }

    /// A label of the table at `hit`.
    fn at_row(&mut self, window: &[u8], row: &Row, hit: usize, traits: &Traits) {
        if !traits.may_have(row.of, self.base + hit) || (row.of == Trait::Statements && !self.sql.0.is_statement()) {
            return;
        }
        let line = self.line_of(window, hit);
        let begin = if line.is_whole { &window[line.start..line.end] } else { &self.line[..] };
        if !traits.has(row.of, begin, self.base + line.start) {
            return;
        }
        let (start, end) = (line.start.max(hit.saturating_sub(NEAR)), line.end.min(hit + NEAR));
        if (row.is_from_the_start() && !(line.is_whole && start == line.start))
            || (row.is_to_the_end() && end != line.end)
        {
            return;
        }
        let Some(regex) = row.regex() else { return };
        let piece = &window[start..end];
        for captures in regex.captures_iter(piece) {
            let (Some(all), Some(name)) = (captures.get(0), captures.get(1)) else { continue };
            if start + all.start() > hit || start + all.end() <= hit {
                continue;
            }
            if row.is_tex() && !row.is_from_the_start() && is_commented(&piece[..all.start()]) {
                continue;
            }
            // The lines of a card that are encoded in US-ASCII keep their bytes.
            if row.of == Trait::Vcard && is_encoded_line(&window[line.start..line.end]) {
                continue;
            }
            let at = start + name.start()..start + name.end();
            let text = String::from_utf8_lossy(name.as_bytes()).into_owned();
            let before = String::from_utf8_lossy(&piece[all.start()..name.start()]).trim_start().to_owned();
            let quote =
                before.chars().last().filter(|last| matches!(last, '"' | '\'')).map_or("".to_owned(), String::from);
            let mut label = Label::new(window, at, row.spelling, |_| format!("{before}{text}{quote}"));
            label.part = if row.of == Trait::Script { Part::Output } else { Part::None };
            let is_known = label.encoding().is_some();
            let is_default = row.of == Trait::Statements
                && ["default", "binary"].iter().any(|name| label.name.eq_ignore_ascii_case(name));
            if (!row.is_clear && !is_known) || is_default || (row.spelling == Collation && !label.name.contains('_')) {
                continue;
            }
            // For what a script writes there.
            let is_placeholder = |word: &str| label.name.to_ascii_lowercase().contains(word);
            if !is_known && ["encoding", "charset"].into_iter().any(is_placeholder) {
                continue;
            }
            if row.of == (Trait::Text { in_head: true }) && !row.is_clear {
                let label = self.placed(label);
                self.of_comments.push(label);
                continue;
            }
            let is_of_table =
                row.of == Trait::Statements && !["set names", "client_encod", r"\encod"].contains(&row.key);
            if is_of_table {
                let label = self.placed(label);
                self.of_tables.push(label);
                continue;
            }
            if row.of == Trait::Statements {
                let is_utf8 = label.encoding() == Some(Encoding::Utf8);
                self.is_sql_in_utf8 = Some(is_utf8 && self.is_sql_in_utf8 != Some(false));
            }
            self.add(label);
        }
    }

    /// A label in a tag, a header, or a command.
    fn at_key(&mut self, window: &[u8], key: &str, hit: usize, traits: &Traits) {
        let after = hit + key.len();
        let is_markup = traits.markup || self.in_page;
        let ends_here = window.get(after).is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'/');
        match key {
            "<!--" => self.in_comment |= is_markup,
            "-->" => self.in_comment = false,
            "<meta" if is_markup && !self.in_comment && ends_here => self.tag(window, after, Tag::Meta),
            "<xsl:output" if is_markup && !self.in_comment && ends_here => self.tag(window, after, Tag::Output),
            "<%@" | "<jsp:directive.page" | "<cfprocessingdirective" if traits.markup => {
                self.tag(window, after, Tag::Directive);
            }
            "content-type" => self.header(window, hit),
            "boundary" => {
                if let Some(boundary) = mime::boundary(&window[after..window.len().min(after + 100)]) {
                    if self.boundaries.len() == BOUNDARIES {
                        self.boundaries.remove(0);
                    }
                    self.boundaries.push(boundary.to_vec());
                }
            }
            // The second is the first, and more.
            "inputenc" | "inputenx" if !self.in_body => self.inputenc(window, hit),
            r"\document" if !is_commented(&window[self.line_of(window, hit).start..hit]) => {
                let rest = &window[after..];
                self.has_class |= rest.starts_with(b"class") || rest.starts_with(b"style");
                if let Some(options) = options(window, after) {
                    self.options(window, options, false);
                }
            }
            r"\begin{document}" => {
                self.in_body |= window[self.line_of(window, hit).start..hit].trim_ascii().is_empty();
            }
            r"\end{document}" => self.in_body = false,
            _ => {}
        }
    }

    fn tag(&mut self, window: &[u8], at: usize, tag: Tag) {
        if self.base + at < self.tag_end {
            return;
        }
        let end = window.len().min(at + TAG);
        self.tag_end = self.base + memchr::memchr(b'>', &window[at..end]).map_or(end, |len| at + len);
        attributes(&window[..end], at, tag).into_iter().for_each(|label| self.add(label));
    }

    /// `Content-Type:` in the header of a mail, or in that of gettext, which is a string.
    fn header(&mut self, window: &[u8], hit: usize) {
        let line = self.line_of(window, hit);
        let before = window[line.start..hit].trim_ascii();
        let name_end = hit + "content-type".len();
        if !line.is_whole || !window[name_end..].trim_ascii_start().starts_with(b":") {
            return;
        }
        let (end, part) = match before {
            b"\"" | b"msgstr \"" => (line.end, Part::None),
            // After other fields in the same string.
            [.., b'\\', b'n'] if is_gettext(before, &window[..line.start]) => (line.end, Part::None),
            b"" => {
                let last = self.last_field.take().filter(|(at, _)| *at >= self.base);
                let text = mime::Text {
                    bytes: window,
                    begin: if self.base == 0 && window.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 },
                    is_begin: self.base == 0,
                    boundaries: &self.boundaries,
                };
                let known = last.as_ref().map(|(at, block)| (at - self.base, *block));
                let block = text.block(line.start, known);
                self.last_field = Some((self.base + line.start, block));
                let Some(block) = block else { return };
                let end = mime::end_of_field(window, line.start);
                let value = window[name_end..end].to_ascii_lowercase();
                self.in_page = !block.is_encoded && position(&value, b"text/html").is_some();
                self.in_comment = false;
                if block.is_encoded {
                    return;
                }
                (end, Part::Bytes)
            }
            _ => return,
        };
        if let Some(at) = charset(window, name_end..end).and_then(|at| name_at(window, at)) {
            let mut label = Label::new(window, at, Lower, |name| format!("charset={name}"));
            label.part = part;
            self.add(label);
        }
    }

    /// The options of `\usepackage[…]{inputenc}`.
    fn inputenc(&mut self, window: &[u8], hit: usize) {
        static COMMAND: OnceLock<Option<Regex>> = OnceLock::new();
        let pattern = r"(?s-u)\\(?:usepackage|RequirePackage|PassOptionsToPackage)\s*[\[{]([^\]}]*)[\]}]\s*\{\s*(?:[A-Za-z0-9_-]+\s*,\s*)*(?:lua)?\z";
        let after = &window[hit + "inputenc".len()..window.len().min(hit + 100)];
        let closed = after.iter().find(|byte| !byte.is_ascii_whitespace());
        if !closed.is_some_and(|byte| b"},".contains(byte)) {
            return;
        }
        let Some(command) = COMMAND.get_or_init(|| Regex::new(pattern).ok()) else { return };
        let start = hit.saturating_sub(2048);
        let Some(captures) = command.captures(&window[start..hit]) else { return };
        let (Some(all), Some(options)) = (captures.get(0), captures.get(1)) else { return };
        let at = start + all.start();
        // Text that quotes the command.
        let is_quoted = at.checked_sub(1).is_some_and(|at| b"'`\"|!+".contains(&window[at]));
        let before = &window[self.line_of(window, at).start..at];
        // A sentence about it.
        let is_told =
            !self.has_class && !self.is_tex() && !matches!(before.trim_ascii_start(), [] | [b'\\' | b'%' | b'{', ..]);
        if !is_quoted && !is_told && !is_commented(before) {
            self.options(window, start + options.start()..start + options.end(), true);
        }
    }

    /// The options of a package or a class that are encodings.
    fn options(&mut self, window: &[u8], within: std::ops::Range<usize>, is_inputenc: bool) {
        let mut at = within.start;
        while at < within.end {
            let byte = window[at];
            if byte == b'%' {
                at += window[at..within.end].iter().take_while(|byte| !is_line_end(**byte)).count();
                continue;
            }
            let len = window[at..within.end].iter().take_while(|byte| is_of_name(**byte)).count();
            if len == 0 {
                at += 1;
                continue;
            }
            let name = String::from_utf8_lossy(&window[at..at + len]).to_ascii_lowercase();
            let is_known = is_inputenc_name(&name) && encoding_of_program(&name).is_some();
            if is_known || (is_inputenc && UNKNOWN.contains(&name.as_str())) {
                let end = if is_inputenc { "]{inputenc}" } else { "]" };
                let label = Label::new(window, at..at + len, Plain, |name| format!("[{name}{end}"));
                if is_inputenc {
                    self.of_packages.push(self.placed(label));
                } else {
                    self.add(label);
                }
            }
            at += len;
        }
    }

    /// The labels at the front, which were in no line of the table.
    fn front(&mut self) {
        let head = mem::take(&mut self.head);
        let base = mem::take(&mut self.base);
        let begin = if head.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        let front = &head[begin..];
        let extension = self.path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let mut is_python = ["py", "pyw", "pyx"].contains(&extension);
        // After an empty line it is no declaration, and lenient programs read it.
        let xml = front.trim_ascii_start();
        if xml.starts_with(b"<?xml") && xml.get(5).is_some_and(u8::is_ascii_whitespace) {
            let blanks = front.len() - xml.len();
            attributes(&head, begin + blanks + 5, Tag::Xml).into_iter().for_each(|label| self.add(label));
        }
        // A dictionary of libhyphen or MyThes.
        if ["dic", "dat"].contains(&extension)
            && let Some((at, line)) = lines(front, begin).next()
            && let Ok(name) = std::str::from_utf8(line.trim_ascii_end())
            && encoding_of_program(name).is_some()
        {
            self.add(Label::new(&head, at..at + name.len(), Upper, str::to_owned));
        }
        for (number, (at, line)) in lines(front, begin).take(MODE_LINES).enumerate() {
            // The second line is a label after a comment or nothing, not in a document that shows code.
            let is_first = number == 0;
            let may_follow = || lines(front, begin).next().is_none_or(|(_, first)| begins_as_comment(first));
            if is_first || (number == 1 && may_follow()) {
                let is_marked = position(line, b"-*-").is_some();
                let is_comment = line.trim_ascii_start().starts_with(b"#");
                is_python |= number == 0 && is_comment && position(line, b"python").is_some();
                if is_marked || is_comment || is_cookie(line) {
                    let count = self.found.len();
                    let spelling = if is_marked || is_python { Emacs } else { AsWritten };
                    // The second is that of Lisp machines and LispWorks.
                    let names = if is_marked { &[&b"coding"[..], b"external-format"][..] } else { &[&b"coding"[..]] };
                    self.value_of(&head, at, line, names, spelling);
                    // Python finds it in the middle of a sentence.
                    if !is_marked
                        && !is_python
                        && self.found[count..].iter().any(|label| {
                            let before = head[at..label.at.start].to_ascii_lowercase();
                            let word = before.len()
                                - before.iter().rev().take_while(|byte| !byte.is_ascii_alphabetic()).count();
                            let word =
                                before[..word].rsplit(|byte| !byte.is_ascii_alphabetic()).next().unwrap_or_default();
                            ![&b"coding"[..], b"encoding", b"fileencoding"].contains(&word)
                                || head[label.at.end..at + line.len()].iter().any(u8::is_ascii_alphanumeric)
                        })
                    {
                        self.found.truncate(count);
                    }
                }
            }
            self.mode_line(&head, at, line);
        }
        (self.base, self.head) = (base, head);
    }

    /// The variables of Emacs and the mode lines of vim at the end.
    fn tail(&mut self) {
        let window = mem::take(&mut self.window);
        let mut chars = window.iter().enumerate().rev().filter(|(_, byte)| !matches!(byte, 0x80..=0xBF));
        let start = chars.nth(VARIABLES - 1).map_or(0, |(at, _)| at);
        let page = window[start..].iter().rposition(|byte| *byte == b'\x0C').map_or(start, |at| start + at);
        let mut in_variables = false;
        for (at, line) in lines(&window[page..], page) {
            let lower = line.to_ascii_lowercase();
            if in_variables {
                in_variables = position(&lower, b"end:").is_none();
                self.value_of(&window, at, line, &[b"coding"], Emacs);
            }
            in_variables |= position(&lower, b"local variables:").is_some();
        }
        // Empty lines are lines, too.
        let end = before_line_end(&window);
        let mut start = end;
        for _ in 0..MODE_LINES {
            let before = window[..start].iter().rposition(|byte| is_line_end(*byte));
            start = before.map_or(0, |at| before_line_end(&window[..=at]));
        }
        for (at, line) in lines(&window[start..end], start) {
            self.mode_line(&window, at, line);
        }
        self.window = window;
    }

    fn mode_line(&mut self, text: &[u8], at: usize, line: &[u8]) {
        let found = [&b"vim:"[..], b"vi:", b"ex:", b"Vim:"].iter().find_map(|word| position(line, word));
        if let Some(vim) = found {
            self.value_of(text, at + vim, &line[vim..], &[b"fileencoding", b"fenc"], Lower);
        }
    }

    /// The value after one of `names` and `:` or `=`, in the line at `at`.
    fn value_of(&mut self, text: &[u8], at: usize, line: &[u8], names: &[&[u8]], spelling: label::Spelling) {
        for name in names {
            let lower = line.to_ascii_lowercase();
            let mut from = 0;
            while let Some(found) = position(&lower[from..], name) {
                let after = from + found + name.len();
                from = after;
                let spaces = |at: usize| line[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
                // Ruby takes blanks before the colon.
                let blanks = spaces(after);
                let after = if blanks > 0 && position(line, b"-*-").is_some() { after + blanks } else { after };
                if !line.get(after).is_some_and(|byte| b":=".contains(byte)) {
                    continue;
                }
                let start = at + after + 1 + spaces(after + 1);
                if let Some(at) = name_at(text, start) {
                    let key = if spelling == Lower { "fileencoding=" } else { "coding: " };
                    let mut label = Label::new(text, at, spelling, |name| format!("{key}{name}"));
                    label.is_quoted = false;
                    self.add(label);
                }
                return;
            }
        }
    }

    /// The line around `at`, as far as it is in the window. A long line is not looked for again at
    /// each word in it.
    fn line_of(&mut self, window: &[u8], at: usize) -> Line {
        let (base, end) = (self.base, self.base + window.len());
        let known = self
            .last_line
            .filter(|line| (line.start..line.end).contains(&(base + at)) && line.start >= base && line.seen == end);
        let line = known.unwrap_or_else(|| {
            let before = memchr::memrchr2(b'\n', b'\r', &window[..at]);
            let after = memchr::memchr2(b'\n', b'\r', &window[at..]).map_or(window.len(), |end| at + end);
            let bom = if base == 0 && window.starts_with(b"\xEF\xBB\xBF") && at >= 3 { 3 } else { 0 };
            let start = before.map_or(bom, |end| end + 1);
            Line { start: base + start, end: base + after, is_whole: before.is_some() || self.is_at_line, seen: end }
        });
        self.last_line = Some(line);
        Line { start: line.start - base, end: line.end - base, ..line }
    }
}

/// A line in the window.
#[derive(Clone, Copy)]
struct Line {
    start: usize,
    end: usize,
    /// Its beginning is in the window.
    is_whole: bool,
    /// The end of the window.
    seen: usize,
}

/// True unless they name several encodings.
fn agree(labels: &[Label]) -> bool {
    let mut named = labels.iter().filter_map(Label::encoding);
    named.next().is_none_or(|first| named.all(|other| other == first))
}

/// True for the beginning of a string in the header of a translation.
fn is_gettext(before: &[u8], text: &[u8]) -> bool {
    before.strip_prefix(b"msgstr ").unwrap_or(before).starts_with(b"\"") && position(text, b"msgid \"\"").is_some()
}

/// True for a comment in one of many languages, and for an empty line.
fn begins_as_comment(line: &[u8]) -> bool {
    line.trim_ascii_start().first().is_none_or(|first| b"#;%/*\"<-.'(!{:@".contains(first))
}

/// The encodings of inputenc that the library lacks.
const UNKNOWN: [&str; 18] = [
    "next", "decmulti", "ctt", "dbk", "mik", "mls", "mnk", "mos", "ncc", "pt154", "pt254", "isoir111", "tcvn", "vps",
    "mviscii", "si960", "macukr", "cp1361",
];

/// True for a name that options of LaTeX have for an encoding, and for nothing else: `greek` is a
/// language.
fn is_inputenc_name(name: &str) -> bool {
    let is_number = |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
    let has = |front: &str| name.strip_prefix(front).is_some_and(is_number);
    has("latin")
        || has("cp")
        || ["iso-8859-", "iso8859-", "iso8859", "koi8-"].iter().any(|front| name.starts_with(front))
        || ["ansinew", "applemac", "macce", "maccyr", "cp437de", "utf8", "utf8x", "viscii"].contains(&name)
}

/// The range of the options after `\documentclass` or `\documentstyle`.
fn options(window: &[u8], after: usize) -> Option<std::ops::Range<usize>> {
    let rest = &window[after..window.len().min(after + 2048)];
    let len = [&b"class"[..], b"style"].iter().find(|word| rest.starts_with(word))?.len();
    let spaces = rest[len..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let start = len + spaces + 1;
    let end = rest.get(len + spaces).filter(|byte| **byte == b'[').and_then(|_| position(&rest[start..], b"]"))?;
    Some(after + start..after + start + end)
}

/// True after a `%` that begins a comment of TeX.
fn is_commented(before: &[u8]) -> bool {
    let mut is_escaped = false;
    for byte in before {
        match byte {
            b'%' if !is_escaped => return true,
            b'\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    false
}

/// True for a line of a vCard whose value is encoded in US-ASCII.
fn is_encoded_line(line: &[u8]) -> bool {
    let parameters = line.split(|byte| *byte == b':').next().unwrap_or_default();
    parameters.split(|byte| *byte == b';').skip(1).any(|parameter| {
        let value = parameter.split(|byte| *byte == b'=').next_back().unwrap_or_default();
        [&b"quoted-printable"[..], b"base64", b"b"].iter().any(|name| value.trim_ascii().eq_ignore_ascii_case(name))
    })
}

/// True for a comment that has nothing but `coding: NAME`.
fn is_cookie(line: &[u8]) -> bool {
    static COOKIE: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern =
        r#"^(?i-u)[ \t]*(?:<!--+|//+|/\*+|;+|%+|--+|\(\*|\.?\\"|")[ \t]*(?:en)?coding[ \t]*[:=][ \t]*[A-Za-z0-9]"#;
    COOKIE.get_or_init(|| Regex::new(pattern).ok()).as_ref().is_some_and(|cookie| cookie.is_match(line))
}

/// The lines of `text`, which begins at `base`, with their places.
fn lines(text: &[u8], base: usize) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = base;
    let mut rest = Some(text);
    core::iter::from_fn(move || {
        let text = rest?;
        let end = text.iter().position(|byte| is_line_end(*byte));
        let line = &text[..end.unwrap_or(text.len())];
        let start = at;
        rest = end.map(|end| {
            let next = end + if text[end..].starts_with(b"\r\n") { 2 } else { 1 };
            at += next;
            &text[next..]
        });
        Some((start, line))
    })
}

/// The length of `text` without the line end that it ends with.
fn before_line_end(text: &[u8]) -> usize {
    text.strip_suffix(b"\r\n")
        .or_else(|| text.strip_suffix(b"\n"))
        .or_else(|| text.strip_suffix(b"\r"))
        .map_or(text.len(), <[u8]>::len)
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

fn row_keys() -> &'static [&'static str] {
    static ROW_KEYS: OnceLock<Vec<&'static str>> = OnceLock::new();
    ROW_KEYS.get_or_init(|| {
        let mut keys: Vec<_> = ROWS.iter().map(|row| row.key).collect();
        // The first of two that begin at the same place wins.
        keys.sort_unstable_by_key(|key| (std::cmp::Reverse(key.len()), *key));
        keys.dedup();
        keys.retain(|key| !KEYS.contains(key));
        keys
    })
}

/// Finds all keys at once.
fn keys() -> &'static AhoCorasick {
    static FOUND: OnceLock<AhoCorasick> = OnceLock::new();
    FOUND.get_or_init(|| {
        let all = KEYS.iter().chain(row_keys());
        // The words are few and short, so the automaton can be built.
        AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(aho_corasick::MatchKind::LeftmostFirst)
            .build(all)
            .unwrap_or_else(|error| unreachable!("{error}"))
    })
}
