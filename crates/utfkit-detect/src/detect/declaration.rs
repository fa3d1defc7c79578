//! The encoding that a text declares at its front.

use alloc::borrow::ToOwned;
use alloc::string::String;

use utfkit_core::Encoding;
use utfkit_core::internal::label_of_html;
use utfkit_core::label::{charset_of_html, encoding_of_xml};

use super::names::encoding_of_program;

/// The bytes that are searched, as in the HTML Standard.
pub(super) const FRONT: usize = 1024;

/// The bytes of a text beyond UTF-8 that are searched for [`DeclaredBy::Line`].
pub(super) const OPENING: usize = 8 << 10;

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
    /// A line of the format of the text: a header of a mail, a command of LaTeX or SQL, a record of
    /// GEDCOM.
    Line,
}

/// The encoding that a text declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    by: DeclaredBy,
    label: String,
    encoding: Option<Encoding>,
    is_ascii: bool,
}

impl Declaration {
    fn new(by: DeclaredBy, label: &str) -> Declaration {
        let of_program = encoding_of_program(label);
        let encoding = match by {
            DeclaredBy::Html | DeclaredBy::Css => Encoding::for_web_label(label).or(of_program),
            _ => of_program,
        };
        let is_ascii = of_program == Some(Encoding::UsAscii);
        Declaration { by, label: label.to_owned(), encoding, is_ascii }
    }

    /// Where the text declares it.
    pub fn by(&self) -> DeclaredBy {
        self.by
    }

    /// The label in the text; for HTML, the name of its encoding.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The encoding of the label, by the Encoding Standard for HTML and CSS, by IANA's registry
    /// elsewhere and if that standard lacks it. `None` for an unknown label.
    pub fn encoding(&self) -> Option<Encoding> {
        self.encoding
    }

    /// True if the label names US-ASCII, which browsers take for windows-1252.
    pub(super) fn is_ascii(&self) -> bool {
        self.is_ascii
    }
}

/// The declaration at the front of a text in a superset of US-ASCII.
pub(super) fn declaration(front: &[u8]) -> Option<Declaration> {
    let front = front.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(front);
    let of = |by, label: &str| Some(Declaration::new(by, label));
    if let Some(label) = encoding_of_xml(front).filter(|_| front.starts_with(b"<?xml")) {
        return of(DeclaredBy::Xml, label);
    }
    if front.trim_ascii_start().starts_with(b"<") {
        let known = label_of_html(front, program_label);
        let label = known.filter(|label| encoding_of_program(label) == Some(Encoding::UsAscii));
        // Browsers take US-ASCII for windows-1252.
        if let Some(label) = label.or_else(|| charset_of_html(front)).or(known) {
            return of(DeclaredBy::Html, label);
        }
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
            && (position(line, b"-*-").is_some() || encoding_of_program(label).is_some() || is_last(line, label))
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

/// The text before the name in a line that declares an encoding, in lower case. True if an unknown
/// name counts, too: the text before it leaves no doubt.
const LINES: [(&str, bool); 22] = [
    ("1 char ", true),
    ("\\inputencoding{", true),
    ("% !tex encoding", true),
    ("%!tex encoding", true),
    ("% encoding:", false),
    ("# encoding:", false),
    ("% charset:", false),
    ("set names ", false),
    ("/*!40101 set names ", false),
    ("set client_encoding", false),
    ("#extenc:", true),
    ("character set encoding:", false),
    ("scriptencoding ", false),
    ("@documentencoding ", true),
    ("=encoding ", true),
    ("use encoding ", false),
    ("{$codepage ", true),
    ("\\encoding{", false),
    ("encoding: ", false),
    ("set iso8859-", false),
    ("set ", false),
    ("encoding=", false),
];

/// The bytes with which such a line begins: few lines of text do.
const BEGINS: [bool; 256] = {
    let (mut begins, mut at) = ([false; 256], 0);
    while at < LINES.len() {
        begins[LINES[at].0.as_bytes()[0] as usize] = true;
        at += 1;
    }
    begins
};

/// The fields of a header of gettext from `Content-Type` on, which may come after others in the same string.
fn last_field(string: &[u8]) -> &[u8] {
    find(string, "\\ncontent-type:").map_or(string, |at| &string[at + 2..])
}

/// The lines after a first line that is a name.
const ENTRIES: usize = 8;

const INPUTENC: &str = "{inputenc}";

/// The declaration in a line of the format of the text, in the first [`OPENING`] bytes of it.
pub(super) fn in_a_line(opening: &[u8]) -> Option<Declaration> {
    let opening = opening.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(opening);
    let of = |label: &str| Some(Declaration::new(DeclaredBy::Line, label));
    if let Some(label) = of_first_line(opening) {
        return of(label);
    }
    let is_gedcom = starts_with(opening, "0 head");
    let has_inputenc = opening.contains(&b'{') && of_braces(opening).any(|rest| starts_with(rest, INPUTENC));
    let (is_vcard, mut is_multipart) = (starts_with(opening, "begin:v"), false);
    let mut in_header = true;
    for (number, line) in opening.split(|&byte| matches!(byte, b'\n' | b'\r')).enumerate() {
        let line = line.trim_ascii();
        let string = line.strip_prefix(b"msgstr ").unwrap_or(line).strip_prefix(b"\"");
        let header = string.map_or(line, last_field);
        if (string.is_some() || in_header)
            && starts_with(header, "content-type:")
            && let Some(at) = find(header, "charset=")
            && let Some(label) = word(&header[at + 8..])
            && !(is_multipart && is_utf8_or_ascii(label))
        {
            return of(label);
        }
        is_multipart |= in_header && find(header, "boundary=").is_some();
        let is_begun = (number == 0 && line.starts_with(b"From ")) || (is_multipart && line.starts_with(b"--"));
        in_header = is_begun || (in_header && (line.contains(&b':') || line.starts_with(b"boundary=")));
        if is_vcard
            && let Some(at) = find(line, ";charset=")
            && let Some(label) = word(&line[at + 9..])
        {
            return of(label);
        }
        if line.starts_with(b"<%@")
            && let Some(label) = of_page(line)
        {
            return of(label);
        }
        if has_inputenc && let Some(label) = of_inputenc(line) {
            return of(label);
        }
        let Some(first) = line.first().map(u8::to_ascii_lowercase).filter(|first| BEGINS[usize::from(*first)]) else {
            continue;
        };
        for (before, is_clear) in LINES.into_iter().filter(|(before, _)| before.as_bytes()[0] == first) {
            let Some(rest) = starts_with(line, before).then(|| &line[before.len()..]) else { continue };
            let Some(label) = word(rest) else { continue };
            let is_its_own = match before {
                "1 char " => is_gedcom,
                // hunspell's, which has a line of its own.
                "set " => rest.trim_ascii() == label.as_bytes() && is_hunspell(opening),
                _ => true,
            };
            if is_its_own && (is_clear || encoding_of_program(label).is_some()) {
                return of(label);
            }
        }
    }
    None
}

/// The name that is all of the first line, in the dictionaries of libhyphen and MyThes: before patterns and settings,
/// or an index.
fn of_first_line(opening: &[u8]) -> Option<&str> {
    let mut lines = opening.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.next()?;
    let name =
        word(first).filter(|name| name.len() == first.len() && name.bytes().any(|byte| !byte.is_ascii_alphabetic()))?;
    encoding_of_program(name)?;
    let is_comment = |line: &&[u8]| line.is_empty() || line.starts_with(b"%") || line.starts_with(b"#");
    // A setting ends with a number.
    let is_entry =
        |line: &[u8]| !line.contains(&b' ') || line.contains(&b'|') || line.last().is_some_and(u8::is_ascii_digit);
    let entries = lines.filter(|line| !is_comment(line)).take(ENTRIES);
    let is_name = |line: &[u8]| core::str::from_utf8(line).is_ok_and(|line| encoding_of_program(line).is_some());
    let mut count = 0;
    for entry in entries {
        if !is_entry(entry) || is_name(entry) {
            return None;
        }
        count += 1;
    }
    (count > 1).then_some(name)
}

/// True for the label of a part of a mail that may be beside one in an older encoding.
fn is_utf8_or_ascii(label: &str) -> bool {
    matches!(encoding_of_program(label), Some(Encoding::UsAscii | Encoding::Utf8))
}

/// The encoding in a directive of JSP.
fn of_page(line: &[u8]) -> Option<&str> {
    let at = find(line, "pageencoding=").map(|at| at + 13);
    word(&line[at.or_else(|| find(line, "charset=").map(|at| at + 8))?..])
}

/// True for the rules of hunspell.
fn is_hunspell(opening: &[u8]) -> bool {
    ["SFX ", "PFX ", "TRY ", "REP ", "KEY ", "WORDCHARS "]
        .iter()
        .any(|word| opening.split(|&byte| byte == b'\n').any(|line| line.starts_with(word.as_bytes())))
}

/// The option in `\usepackage[…]{inputenc}` that is an encoding.
fn of_inputenc(line: &[u8]) -> Option<&str> {
    let at = of_braces(line).find(|rest| starts_with(rest, INPUTENC)).map(|rest| line.len() - rest.len())?;
    let rest = line[..at].trim_ascii_end().strip_suffix(b"]")?;
    let start = rest.iter().rposition(|&byte| byte == b'[')?;
    if rest[..start].contains(&b'%') {
        return None;
    }
    let options = rest[start + 1..].split(|&byte| byte == b',').filter_map(|option| word(option));
    options.clone().find(|option| encoding_of_program(option).is_some()).or(options.clone().next())
}

/// A label that begins with `{`.
fn of_braces(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    core::iter::from_fn(move || {
        let at = rest.iter().position(|&byte| byte == b'{')?;
        let found = &rest[at..];
        rest = &found[1..];
        Some(found)
    })
}

/// The name at the front of `rest`, after white space, quotes, `=`, `:`, `to` or `:encoding(`.
pub(super) fn word(rest: &[u8]) -> Option<&str> {
    let mut rest = rest.trim_ascii_start();
    if starts_with(rest, "to ") {
        rest = rest[3..].trim_ascii_start();
    }
    let start = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'=' | b':' | b'"' | b'\''))?;
    let rest = &rest[start..];
    let end = rest.iter().position(|&byte| !is_of_label(byte)).unwrap_or(rest.len());
    label(&rest[..end])
}

pub(super) fn starts_with(line: &[u8], what: &str) -> bool {
    line.get(..what.len()).is_some_and(|front| front.eq_ignore_ascii_case(what.as_bytes()))
}

pub(super) fn find(line: &[u8], what: &str) -> Option<usize> {
    line.windows(what.len()).position(|window| window.eq_ignore_ascii_case(what.as_bytes()))
}

/// True for a field of the header of a mail.
pub(super) fn is_field(line: &[u8]) -> bool {
    let name = line.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
    name > 0 && line[name..].starts_with(b":")
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

/// True if `label`, which is in `line`, is its last word: words may follow a colon in any comment.
fn is_last(line: &[u8], label: &str) -> bool {
    line.trim_ascii_end().ends_with(label.as_bytes())
}

fn is_of_label(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.')
}

/// `bytes` as a label that programs know, and perhaps no browser.
fn program_label(bytes: &[u8]) -> Option<&str> {
    label(bytes).filter(|label| encoding_of_program(label).is_some())
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
            (b"<html><meta charset='IBM850'>", DeclaredBy::Html, "IBM850"),
            (b"<META content='text/html; charset=cp852' http-equiv=Content-Type>", DeclaredBy::Html, "cp852"),
            (b"<!-- <meta charset=cp437> --><meta charset=cp850>", DeclaredBy::Html, "cp850"),
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
    fn lines_of_formats_are_found() {
        for (text, label) in [
            ("0 HEAD\n1 SOUR x\n1 CHAR ANSEL\n", "ANSEL"),
            ("0 HEAD\r\n1 CHAR IBMPC\r\n", "IBMPC"),
            ("From: x\nContent-Type: text/plain;charset=\"koi8-r\"\n\n", "koi8-r"),
            ("msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=ISO-8859-2\\n\"\n", "ISO-8859-2"),
            ("ISO8859-2\n.a4b\n.ák1\n1bá\n", "ISO8859-2"),
            ("KOI8-R\nLEFTHYPHENMIN 2\n% patterns\n.a4b\n.ac3\n", "KOI8-R"),
            ("ISO8859-1\n(bestått) prøve|1\n(noun)|a test|b\nab|2\n", "ISO8859-1"),
            ("msgid \"\"\nmsgstr \"Language: cs\\nContent-Type: text/plain; charset=ISO-8859-2\\n\"\n", "ISO-8859-2"),
            ("\\documentclass{article}\n\\usepackage [T2A, cp1251 ] {x}\n\\usepackage[cp1251]{inputenc}\n", "cp1251"),
            ("%\\usepackage[latin1]{inputenc}\n\\inputencoding{latin2}\n", "latin2"),
            ("%!TEX encoding = IsoLatin9\n", "IsoLatin9"),
            ("SET ISO8859-2\nTRY aeo\n", "ISO8859-2"),
            ("-- dump\nSET NAMES 'cp1250';\n", "cp1250"),
            ("#EXTM3U\n#EXTENC: WINDOWS-1252\n", "WINDOWS-1252"),
            ("SET client_encoding TO 'WIN1251';\n", "WIN1251"),
            ("{$CODEPAGE cp1250}\n", "cp1250"),
            ("# Encoding: ISO-8859-15\n", "ISO-8859-15"),
            ("BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=KOI8-R;LANGUAGE=ru:x\n", "KOI8-R"),
            ("<%@ page contentType=\"text/html; charset=iso-8859-2\" %>\n", "iso-8859-2"),
            ("<%-- a --%>\n<%@page contentType='text/html' pageEncoding='cp1251'%>\n", "cp1251"),
            (
                "From: a\nContent-Type: multipart/mixed;\n boundary=x\n\nsee below\n--x\n\
                 Content-Type: text/plain; charset=us-ascii\n\na\n--x\nContent-Type: text/plain; charset=koi8-r\n",
                "koi8-r",
            ),
        ] {
            let found = in_a_line(text.as_bytes());
            assert_eq!(found.as_ref().map(|found| found.label()), Some(label), "{text}");
        }
        for text in [
            "1 CHAR ANSI\n",
            "# Encoding: see below\n",
            "SET names of things\n",
            "SET ISO8859-2\n",
            "a paragraph\nContent-Type: is charset=latin1 of this\n",
            "the \\usepackage[latin1]{inputenc\n",
            "ISO-8859-1\n==========\nThe characters of Western Europe\n",
            "ISO8859-1\nISO8859-2\nKOI8-R\n",
            "KOI8-R\n",
            "ISO-8859-1 is\n.a4\n.b5\n",
            "N;CHARSET=KOI8-R:a word of a text\n",
            "From: a\n\nsee below\n--x\nContent-Type: text/plain; charset=koi8-r\n",
        ] {
            assert_eq!(in_a_line(text.as_bytes()), None, "{text}");
        }
    }

    /// Thai has letters in the place of these.
    #[test]
    fn patterns_against_a_declaration_that_fits_are_a_guess() {
        use crate::detect::{Certainty, detect};
        let patterns = "ISO8859-1\n".to_owned() + &"% Norwegian\n.bå4t\n.dø2r\n6ø7de\næ3v\n".repeat(40);
        let found = detect(&Encoding::Latin1.encode(&patterns).0);
        assert!(found.encoding() == Some(Encoding::Latin1) || found.certainty() == Certainty::Guess, "{found}");
        let russian = "KOI8-R\nи так далее: ".to_owned() + &"мы живём у самого моря ".repeat(9);
        let page = russian.replace("KOI8-R\n", "<html><meta charset=koi8-r>");
        let found = detect(&Encoding::for_label("windows-1251").unwrap().encode(&page).0);
        assert!(found.certainty() >= Certainty::NearlyCertain, "{found}");
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
            ("windows-1250", "SET NAMES cp1250;\nINSERT INTO t VALUES ('Žluťoučký kůň');\n".to_owned()),
            ("KOI8-R", "\\usepackage[koi8-r]{inputenc}\n\\begin{document}\nПримеры к этой главе\n".to_owned()),
            ("EUC-JP", "From: x\nContent-Type: text/plain; charset=euc-jp\n\n資料を送ります\n".to_owned()),
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
        for text in [
            "Le soir tombe, la vieille tour se reflète dans la rivière.",
            "Le maître est très âgé, il a relevé la tête.",
        ] {
            let text = alloc::format!("<?xml version=\"1.0\" encoding=\"iso-8859-2\"?>\n<p>{text}</p>\n");
            let found = detect(&Encoding::for_label("windows-1252").unwrap().encode(&text).0);
            assert!(found.certainty() <= Certainty::Likely, "{found}");
        }
        // So does a short text with the wrong label.
        for (label, name, text) in [
            ("windows-1250", "IBM852", "Účet dosud nebyl uhrazen"),
            ("windows-1250", "ISO-8859-2", "Urządzenie nie działa prawidłowo"),
            ("windows-1252", "IBM850", "Kunden önskar bli uppringd"),
        ] {
            let found = detect(&Encoding::for_label(name).unwrap().encode(&page(label, &[text])).0);
            assert!(found.certainty() <= Certainty::Likely, "{text} {found}");
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
            b"<!-- <meta charset=cp850> --><p>",
            b"<meta name=x content=a><meta charset=unheard-of>",
            b"<meta name=x content='charset=cp850'>",
        ] {
            assert_eq!(declared(front), None, "{front:?}");
        }
    }
}
