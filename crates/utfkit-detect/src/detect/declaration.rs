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
            // Editors append the line ends: `utf-8-unix`.
            _ => Encoding::for_label(&self.label).or_else(|| {
                let ends = ["-unix", "-dos", "-mac"];
                Encoding::for_label(ends.iter().find_map(|end| self.label.strip_suffix(end))?)
            }),
        }
    }
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
