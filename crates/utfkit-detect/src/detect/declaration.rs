//! The encoding that a text declares at its front.

use alloc::borrow::ToOwned;
use alloc::string::String;

use utfkit_core::Encoding;
use utfkit_core::label::{charset_of_html, encoding_of_xml};

/// The bytes that are searched, as in the HTML Standard.
pub(super) const FRONT: usize = 1024;

/// Where a text declares its encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DeclaredBy {
    /// `<?xml … encoding="…"?>`
    Xml,
    /// `<meta charset=…>`
    Html,
    /// `@charset "…";`, in CSS.
    Css,
    /// `-*- coding: … -*-` or `# coding: …` (Emacs, Python, Ruby), in the first two lines.
    Cookie,
    /// `vim: set fileencoding=…:`, in the first five lines.
    Modeline,
}

/// The encoding that a text declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    by: DeclaredBy,
    label: String,
}

impl Declaration {
    /// Where the text declares it.
    pub fn by(&self) -> DeclaredBy {
        self.by
    }

    /// The label in the text; for HTML, the name of its encoding.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The encoding of the label, by the Encoding Standard for HTML and CSS, by IANA's registry
    /// elsewhere. `None` for an unknown label.
    pub fn encoding(&self) -> Option<Encoding> {
        match self.by {
            DeclaredBy::Html | DeclaredBy::Css => Encoding::for_web_label(&self.label),
            _ => of_label(&self.label).or_else(|| {
                // Editors append the line ends: `utf-8-unix`.
                let (label, end) = self.label.rsplit_once('-')?;
                let is_end = ["unix", "dos", "mac"].iter().any(|name| end.eq_ignore_ascii_case(name));
                if is_end { of_label(label) } else { None }
            }),
        }
    }
}

/// The names of Emacs that are no labels elsewhere.
const EMACS: [(&str, &str); 27] = [
    ("iso-latin-1", "ISO-8859-1"),
    ("iso-latin-2", "ISO-8859-2"),
    ("iso-latin-3", "ISO-8859-3"),
    ("iso-latin-4", "ISO-8859-4"),
    ("iso-latin-5", "ISO-8859-9"),
    ("iso-latin-6", "ISO-8859-10"),
    ("iso-latin-7", "ISO-8859-13"),
    ("iso-latin-8", "ISO-8859-14"),
    ("iso-latin-9", "ISO-8859-15"),
    ("iso-latin-10", "ISO-8859-16"),
    ("latin-0", "ISO-8859-15"),
    ("cyrillic-koi8", "KOI8-R"),
    ("cyrillic-iso-8bit", "ISO-8859-5"),
    ("cyrillic-alternativnyj", "IBM866"),
    ("alternativnyj", "IBM866"),
    ("greek-iso-8bit", "ISO-8859-7"),
    ("hebrew-iso-8bit", "ISO-8859-8"),
    ("euc-japan", "EUC-JP"),
    ("euc-japan-1990", "EUC-JP"),
    ("japanese-iso-8bit", "EUC-JP"),
    ("japanese-shift-jis", "Shift_JIS"),
    ("euc-korea", "EUC-KR"),
    ("korean-iso-8bit", "EUC-KR"),
    ("euc-china", "GB2312"),
    ("chinese-iso-8bit", "GB2312"),
    ("chinese-big5", "Big5"),
    ("vietnamese-viscii", "VISCII"),
];

fn of_label(label: &str) -> Option<Encoding> {
    let emacs = EMACS.iter().find(|(name, _)| name.eq_ignore_ascii_case(label));
    Encoding::for_label(emacs.map_or(label, |(_, label)| label))
}

/// The declaration at the front of a text in a superset of US-ASCII.
pub(super) fn declaration(front: &[u8]) -> Option<Declaration> {
    let front = front.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(front);
    let of = |by, label: &str| Some(Declaration { by, label: label.to_owned() });
    if let Some(label) = encoding_of_xml(front).filter(|_| front.starts_with(b"<?xml")) {
        return of(DeclaredBy::Xml, label);
    }
    if front.trim_ascii_start().starts_with(b"<")
        && let Some(label) = charset_of_html(front)
    {
        return of(DeclaredBy::Html, label);
    }
    if let Some(rest) = front.strip_prefix(b"@charset \"") {
        let end = rest.iter().position(|&byte| byte == b'"')?;
        return of(DeclaredBy::Css, label(&rest[..end])?);
    }
    // Every other declaration has one of these.
    if !front.contains(&b':') && !front.contains(&b'=') {
        return None;
    }
    for (number, line) in front.split(|&byte| byte == b'\n').take(5).enumerate() {
        if number < 2
            && is_comment(line)
            && let Some(label) = value_of(line, b"coding")
        {
            return of(DeclaredBy::Cookie, label);
        }
        if let Some(at) = position(line, b"vim:").or_else(|| position(line, b"vi:"))
            && let Some(label) = [&b"fileencoding"[..], b"fenc"].iter().find_map(|name| value_of(&line[at..], name))
        {
            return of(DeclaredBy::Modeline, label);
        }
    }
    None
}

/// True for a comment in a language with such cookies, or with Emacs' marks.
fn is_comment(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    line.starts_with(b"#") || position(line, b"-*-").is_some()
}

/// The first occurrence of `what`. Looks for its last byte first, which is rare.
fn position(line: &[u8], what: &[u8]) -> Option<usize> {
    let (last, before) = what.split_last()?;
    if !line.contains(last) {
        return None;
    }
    let mut from = 0;
    loop {
        let end = from + line[from..].iter().position(|byte| byte == last)?;
        if line[..end].ends_with(before) {
            return Some(end - before.len());
        }
        from = end + 1;
    }
}

/// The label after `name:` or `name=`.
fn value_of<'a>(line: &'a [u8], name: &[u8]) -> Option<&'a str> {
    let rest = &line[position(line, name)? + name.len()..];
    let rest = rest.strip_prefix(b":").or_else(|| rest.strip_prefix(b"="))?.trim_ascii_start();
    let end = rest.iter().position(|&byte| !is_of_label(byte)).unwrap_or(rest.len());
    label(&rest[..end])
}

fn is_of_label(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.')
}

/// `bytes` as a label, if it can be one.
fn label(bytes: &[u8]) -> Option<&str> {
    let fits = (1..=40).contains(&bytes.len()) && bytes.iter().all(|&byte| is_of_label(byte));
    core::str::from_utf8(bytes).ok().filter(|_| fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(front: &[u8]) -> Option<(DeclaredBy, String)> {
        declaration(front).map(|d| (d.by, d.label))
    }

    #[test]
    fn declarations_are_found() {
        for (front, by, label) in [
            (&b"<?xml version='1.0' encoding='EUC-JP'?>"[..], DeclaredBy::Xml, "EUC-JP"),
            (b"\xEF\xBB\xBF<?xml version='1.0' encoding='utf-8'?>", DeclaredBy::Xml, "utf-8"),
            (b"\n<!doctype html><meta charset=sjis>", DeclaredBy::Html, "Shift_JIS"),
            (b"@charset \"koi8-r\";", DeclaredBy::Css, "koi8-r"),
            (b"#!/usr/bin/python\n# -*- coding: latin-1 -*-\n", DeclaredBy::Cookie, "latin-1"),
            (b"# coding=cp1251", DeclaredBy::Cookie, "cp1251"),
            (b";; -*- mode: lisp; coding: iso-8859-2-unix -*-", DeclaredBy::Cookie, "iso-8859-2-unix"),
            (b"/* vim: set fileencoding=utf-8 : */", DeclaredBy::Modeline, "utf-8"),
            (b"\n\n\n# vim:fenc=big5:ts=4", DeclaredBy::Modeline, "big5"),
        ] {
            assert_eq!(declared(front), Some((by, label.to_owned())));
            assert!(declaration(front).unwrap().encoding().is_some(), "{label}");
        }
    }

    #[test]
    fn names_of_emacs_are_known() {
        for (name, label) in EMACS {
            let encoding = Encoding::for_label(label);
            assert!(encoding.is_some(), "{label}");
            for end in ["", "-unix", "-dos", "-mac", "-UNIX"] {
                let line = alloc::format!(";; -*- mode: text; coding: {name}{end} -*-\n");
                assert_eq!(declaration(line.as_bytes()).unwrap().encoding(), encoding, "{name}{end}");
            }
        }
        for name in ["iso-2022-7bit", "ctext", "euc-japan-", "-unix", "latin-1-linux"] {
            let line = alloc::format!("# coding: {name}\n");
            assert_eq!(declaration(line.as_bytes()).unwrap().encoding(), None, "{name}");
        }
    }

    #[test]
    fn a_declaration_that_fits_is_the_encoding() {
        use crate::detect::{Basis, Certainty, detect};
        let page = |charset: &str, words: &[&str]| {
            let links = words.iter().map(|word| alloc::format!("<a href=\"./{}.html\">{word}</a> | ", word.len()));
            alloc::format!("<html><head><meta charset={charset}></head>\n<p>{}</p>\n", links.collect::<String>())
        };
        let lisp =
            |charset: &str, line: &str| alloc::format!(";;; a.el -*- coding: {charset} -*-\n;; {line}\n(provide 'a)\n");
        for (name, text) in [
            ("EUC-KR", page("euc-kr", &["설정", "문서", "색인", "검색"])),
            ("EUC-JP", page("euc-jp", &["目次", "索引", "辞書"])),
            ("Big5", page("big5", &["首頁", "說明", "下載"])),
            ("windows-1251", page("windows-1251", &["Главная", "Форум", "Ссылки"])),
            ("ISO-8859-2", page("iso-8859-2", &["Úvod", "Články", "Žádosti"])),
            ("EUC-JP", lisp("euc-japan-unix", "辞書を引くための関数です")),
            ("KOI8-R", lisp("cyrillic-koi8", "Примеры к этой главе")),
            ("ISO-8859-2", lisp("iso-latin-2-dos", "Przykłady i źródła do rozdziału")),
            ("ISO-8859-1", lisp("iso-latin-1-unix", "Größere Änderungen für Anfänger")),
        ] {
            let bytes = Encoding::for_label(name).unwrap().encode(&text).0;
            let found = detect(&bytes);
            assert_eq!((found.name(), found.basis()), (Some(name), Basis::Declared), "{text} {found}");
            assert!(found.certainty() >= Certainty::NearlyCertain, "{text} {found}");
        }
        // The letters speak against it.
        let text = page("iso-8859-1", &["Главная страница", "Форум о музыке", "Ссылки на другие страницы"]);
        let bytes = Encoding::for_label("windows-1251").unwrap().encode(&text).0;
        assert_eq!(detect(&bytes).name(), Some("windows-1251"));
    }

    #[test]
    fn the_first_occurrence_is_found() {
        for what in [&b"-*-"[..], b"vim:", b"vi:", b"coding", b"aa"] {
            for line in
                [&b""[..], b"-", b":", b"-*-", b"--*-*-", b"v:vi:vim:", b"vim: vi:", b"codincoding", b"baaa", b"ag:-"]
            {
                let wanted = line.windows(what.len()).position(|window| window == what);
                assert_eq!(position(line, what), wanted, "{line:?} {what:?}");
            }
        }
    }

    #[test]
    fn other_text_is_no_declaration() {
        for front in [
            &b""[..],
            b"the meta charset=utf-8 of HTML",
            b"// a test: <meta charset=utf-8>",
            b"\n\n# coding: utf-8",
            b"encoding: utf-8",
            b"# coding: ",
            b"# coding: \x1B[31m",
            b"@charset \"\x07\";",
            b"<p>nothing</p>",
        ] {
            assert_eq!(declared(front), None, "{front:?}");
        }
    }
}
