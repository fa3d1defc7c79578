//! Labels: the encoding that a text declares. Known are XML, HTML, CSS, the
//! comments of Python, Ruby, Emacs and vim, and `Content-Type` headers (gettext,
//! mail). A converted text with its old label is wrong.

use std::ops::Range;

use utfkit::Encoding;

/// The bytes at the front of a text that are searched for labels.
pub(crate) const HEAD: usize = 16 << 10;

/// A label in a text in UTF-8, or in another encoding with US-ASCII in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    /// The place of the name of the encoding.
    pub(crate) at: Range<usize>,
    pub(crate) name: String,
    by: By,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Xml,
    Html,
    Css,
    /// Python, Ruby, Emacs: `coding: …`
    Coding,
    Vim,
    Header,
}

/// Suffixes of Emacs for line ends.
const LINE_ENDS: [&str; 3] = ["-unix", "-dos", "-mac"];

impl Label {
    /// The encoding that it names, if it is known.
    pub(crate) fn encoding(&self) -> Option<Encoding> {
        let (name, _) = self.parts();
        let known = Encoding::for_label(name).or_else(|| Encoding::for_web_label(name));
        // Emacs has more names for UTF-8, MySQL has `utf8mb4`.
        let longer = name.get(..5).filter(|front| Encoding::for_label(front) == Some(Encoding::Utf8));
        known.or(longer.map(|_| Encoding::Utf8))
    }

    /// The name for a text in UTF-8, unless the label already has one.
    pub(crate) fn in_utf8(&self) -> Option<String> {
        if self.encoding() == Some(Encoding::Utf8) {
            return None;
        }
        let (_, ends) = self.parts();
        Some(if self.by == By::Xml { "UTF-8".to_owned() } else { format!("utf-8{ends}") })
    }

    /// The name, and the suffix of Emacs.
    fn parts(&self) -> (&str, &str) {
        let end = LINE_ENDS.iter().find(|end| self.by == By::Coding && self.name.ends_with(*end));
        self.name.split_at(self.name.len() - end.map_or(0, |end| end.len()))
    }

    /// The label, for a message.
    pub(crate) fn shown(&self) -> String {
        let name = &self.name;
        match self.by {
            By::Xml => format!("encoding=\"{name}\""),
            By::Html | By::Header => format!("charset={name}"),
            By::Css => format!("@charset \"{name}\""),
            By::Coding => format!("coding: {name}"),
            By::Vim => format!("fileencoding={name}"),
        }
    }
}

/// The labels in `head`, the front of a text or, if `is_all`, all of it.
pub(crate) fn labels(head: &[u8], is_all: bool) -> Vec<Label> {
    let begin = if head.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let text = Text { head, labels: Vec::new() };
    text.find(begin, is_all)
}

struct Text<'a> {
    head: &'a [u8],
    labels: Vec<Label>,
}

impl<'a> Text<'a> {
    fn find(mut self, begin: usize, is_all: bool) -> Vec<Label> {
        let head = self.head;
        let front = &head[begin..];
        if front.starts_with(b"<?xml") && front.get(5).is_some_and(u8::is_ascii_whitespace) {
            let end = position(front, b"?>").unwrap_or(front.len());
            self.attributes(begin + 5, begin + end, By::Xml);
        }
        if front.trim_ascii_start().starts_with(b"<") {
            self.metas(begin);
        }
        if front.starts_with(b"@charset \"") {
            self.name(begin + 10, By::Css);
        }
        self.lines(begin, is_all);
        self.labels.sort_by_key(|label| label.at.start);
        self.labels.dedup_by(|a, b| a.at == b.at);
        self.labels
    }

    /// Adds a label for the name at `at`, if there is one.
    fn name(&mut self, at: usize, by: By) {
        let rest = &self.head[at..];
        let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:+".contains(byte);
        let len = rest.iter().position(|byte| !is_of_name(byte)).unwrap_or(rest.len());
        if (1..=40).contains(&len) && rest[0].is_ascii_alphanumeric() {
            let name = String::from_utf8_lossy(&rest[..len]).into_owned();
            self.labels.push(Label { at: at..at + len, name, by });
        }
    }

    /// The `meta` elements outside of comments.
    fn metas(&mut self, begin: usize) {
        let head = self.head;
        let mut at = begin;
        while let Some(found) = position(&head[at..], b"<") {
            at += found;
            let rest = &head[at..];
            if rest.starts_with(b"<!--") {
                let Some(end) = position(&rest[2..], b"-->") else { return };
                at += 2 + end + 3;
            } else if starts_with(rest, b"<meta") && rest.get(5).is_some_and(|b| b.is_ascii_whitespace() || *b == b'/')
            {
                let end = rest.iter().position(|byte| *byte == b'>').unwrap_or(rest.len());
                self.attributes(at + 5, at + end, By::Html);
                at += end;
            } else {
                at += 1;
            }
        }
    }

    /// The attributes of a tag: `encoding`, or `charset` and `content`.
    fn attributes(&mut self, mut at: usize, end: usize, by: By) {
        let tag = &self.head[..end];
        let (mut content, mut is_pragma) = (None, false);
        loop {
            at += tag[at..].iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == b'/').count();
            let name = at;
            at += tag[at..].iter().take_while(|byte| !byte.is_ascii_whitespace() && !b"=/".contains(byte)).count();
            let name = &tag[name..at];
            if name.is_empty() && at >= end {
                break;
            }
            let spaces = tag[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            if tag.get(at + spaces) != Some(&b'=') {
                at += usize::from(name.is_empty());
                continue;
            }
            at += spaces + 1;
            at += tag[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let (start, stop) = match tag.get(at) {
                Some(quote @ (b'"' | b'\'')) => {
                    let len = tag[at + 1..].iter().position(|byte| byte == quote);
                    let Some(len) = len else { break };
                    (at + 1, at + 1 + len)
                }
                _ => (at, at + tag[at..].iter().take_while(|byte| !byte.is_ascii_whitespace()).count()),
            };
            let value = &tag[start..stop];
            match by {
                By::Xml if name == b"encoding" => self.name(start, by),
                By::Html if name.eq_ignore_ascii_case(b"charset") => self.name(start, by),
                By::Html if name.eq_ignore_ascii_case(b"content") => content = Some(start..stop),
                By::Html if name.eq_ignore_ascii_case(b"http-equiv") => {
                    is_pragma = value.eq_ignore_ascii_case(b"content-type");
                }
                _ => {}
            }
            at = (stop + 1).min(end);
        }
        if let Some(content) = content.filter(|_| is_pragma) {
            self.charset(content, By::Html);
        }
    }

    /// `charset=…` anywhere in a range.
    fn charset(&mut self, within: Range<usize>, by: By) {
        let value = &self.head[within.clone()];
        if let Some(found) = value.windows(8).position(|word| word.eq_ignore_ascii_case(b"charset=")) {
            let at = within.start + found + 8;
            let quote = self.head.get(at).is_some_and(|byte| b"\"'".contains(byte));
            self.name(at + usize::from(quote), by);
        }
    }

    /// The labels in single lines, near both ends of a text.
    fn lines(&mut self, begin: usize, is_all: bool) {
        let head = self.head;
        let mut lines = Vec::new();
        let mut at = begin;
        for line in head[begin..].split(|byte| matches!(byte, b'\n' | b'\r')) {
            if !line.is_empty() {
                lines.push((at, line));
            }
            at += line.len() + 1;
        }
        let count = lines.len();
        let mut in_header = true;
        let mut in_variables = false;
        for (number, (at, line)) in lines.into_iter().enumerate() {
            let is_marked = position(line, b"-*-").is_some();
            let trimmed = line.trim_ascii_start();
            if number < 2 && (trimmed.starts_with(b"#") || is_marked) {
                self.value_of(at, line, &[b"coding"], By::Coding);
            }
            let is_near_an_end = number < 5 || (is_all && number + 5 >= count);
            if is_near_an_end && let Some(vim) = position(line, b"vim:").or_else(|| position(line, b"vi:")) {
                self.value_of(at + vim, &line[vim..], &[b"fileencoding", b"fenc"], By::Vim);
            }
            // The file variables of Emacs, at the end of a file.
            if in_variables {
                in_variables = position(line, b"End:").is_none();
                self.value_of(at, line, &[b"coding"], By::Coding);
            }
            in_variables |= is_all && position(line, b"Local Variables:").is_some();
            // In gettext, the header is a string.
            let (quoted, header) = match trimmed.strip_prefix(b"\"") {
                Some(rest) => (true, rest),
                None => (false, trimmed),
            };
            in_header &= quoted || header.contains(&b':') || (number == 0 && line.starts_with(b"From "));
            if (quoted || in_header) && starts_with(header, b"Content-Type:") {
                self.charset(at..at + line.len(), By::Header);
            }
        }
    }

    /// The value after one of `names` and `:` or `=`.
    fn value_of(&mut self, at: usize, line: &[u8], names: &[&[u8]], by: By) {
        for name in names {
            let Some(found) = position(line, name) else { continue };
            let after = found + name.len();
            if !line.get(after).is_some_and(|byte| b":=".contains(byte)) {
                continue;
            }
            let spaces = line[after + 1..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            return self.name(at + after + 1 + spaces, by);
        }
    }
}

fn position(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|window| window == what)
}

fn starts_with(text: &[u8], what: &[u8]) -> bool {
    text.get(..what.len()).is_some_and(|front| front.eq_ignore_ascii_case(what))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(text: &str) -> String {
        let mut new = text.to_owned();
        for label in labels(text.as_bytes(), true).into_iter().rev() {
            if let Some(name) = label.in_utf8() {
                new.replace_range(label.at, &name);
            }
        }
        new
    }

    #[test]
    fn every_kind_of_label_is_rewritten() {
        for (old, new) in [
            ("<?xml version='1.0' encoding='windows-1251'?><a/>", "<?xml version='1.0' encoding='UTF-8'?><a/>"),
            (
                "\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-16\"?>",
                "\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            ),
            ("<!doctype html><meta charset=sjis><p>", "<!doctype html><meta charset=utf-8><p>"),
            ("<html><META CHARSET='ibm855' />", "<html><META CHARSET='utf-8' />"),
            (
                "<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>",
                "<meta http-equiv=Content-Type content='text/html; charset=utf-8'>",
            ),
            (
                "<meta content=\"text/html; charset=koi8-r\" http-equiv=\"content-type\">",
                "<meta content=\"text/html; charset=utf-8\" http-equiv=\"content-type\">",
            ),
            ("@charset \"koi8-r\";", "@charset \"utf-8\";"),
            ("#!/usr/bin/python\n# -*- coding: latin-1 -*-\n", "#!/usr/bin/python\n# -*- coding: utf-8 -*-\n"),
            ("# encoding: cp1251\r\n", "# encoding: utf-8\r\n"),
            (";; -*- mode: lisp; coding: iso-8859-2-dos -*-", ";; -*- mode: lisp; coding: utf-8-dos -*-"),
            ("/* vim: set fenc=big5 : */", "/* vim: set fenc=utf-8 : */"),
            ("a\nb\nc\nd\ne\nf\n# vim: fileencoding=latin1", "a\nb\nc\nd\ne\nf\n# vim: fileencoding=utf-8"),
            (
                "x\ny\nz\n;; Local Variables:\n;; coding: latin-1\n;; End:\n",
                "x\ny\nz\n;; Local Variables:\n;; coding: utf-8\n;; End:\n",
            ),
            (
                "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=ISO-8859-1\\n\"\n",
                "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=utf-8\\n\"\n",
            ),
            (
                "Subject: x\nContent-Type: text/plain; charset=\"koi8-r\"\n\nx",
                "Subject: x\nContent-Type: text/plain; charset=\"utf-8\"\n\nx",
            ),
        ] {
            assert_eq!(rewritten(old), new);
            assert_eq!(rewritten(new), new);
        }
    }

    #[test]
    fn what_is_no_label_stays() {
        for text in [
            "",
            "<",
            "<meta",
            "<meta charset",
            "<meta charset=",
            "<meta charset='",
            "<?xml",
            "<?xml encoding=",
            "the meta charset=latin1 of HTML",
            "<!-- <meta charset=latin1> --><p>",
            "<p>charset=latin1</p>",
            "<meta name=x content='charset=latin1'>",
            "a\nb\n# coding: latin-1\n",
            "a paragraph\nContent-Type: is charset=latin1 of this\n",
            "coding: latin1",
            "# coding: utf8",
            "# coding: utf-8-unix",
            "<meta charset=UTF8>",
        ] {
            assert_eq!(rewritten(text), text);
        }
    }

    #[test]
    fn unknown_names_are_labels_too() {
        let found = labels(b"<html><meta charset=ibm868>", true);
        assert_eq!((found[0].name.as_str(), found[0].encoding()), ("ibm868", None));
        assert_eq!(found[0].shown(), "charset=ibm868");
    }

    #[test]
    fn hostile_texts_end() {
        let pieces = [
            "<", "meta", "<!--", "-->", " ", "=", "'", "\"", "/", ">", "charset", "content", "<?xml", "\n", "vim:",
            "#coding:",
        ];
        let mut state = 1_u64;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..30 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                text.push_str(pieces[(state >> 60) as usize]);
            }
            for label in labels(text.as_bytes(), state & 1 == 0) {
                assert_eq!(&text[label.at.clone()], label.name);
            }
        }
    }
}
