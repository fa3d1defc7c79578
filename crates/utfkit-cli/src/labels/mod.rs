//! Labels: the encoding that a text declares in itself, in one of many formats.
//!
//! After a conversion the old label is wrong. Most formats have their label in one line, and are
//! rows of a table ([`rows`]). Functions read tags ([`markup`]), headers of mails ([`mime`]), options
//! of LaTeX, and mode lines. The label of bytes that a conversion does not change, such as a mail
//! part in base64, does not count.

mod finder;
mod label;
mod markup;
mod mime;
mod rows;
mod sql;
mod traits;

pub(crate) use finder::Finder;
pub(crate) use label::{HEAD, Label, Part};

/// The labels in `text`, the front of a text or, if `is_all`, all of it.
pub(crate) fn labels(text: &[u8], is_all: bool) -> Vec<Label> {
    let mut finder = Finder::new(std::path::Path::new(""));
    finder.feed(text);
    if !is_all {
        // The end of the text is elsewhere.
        finder.skip_to(text.len());
    }
    finder.finish().unwrap_or_default()
}

/// The [`labels`] of a text in US-ASCII that are an [XML declaration of UTF-16 or UTF-32](Label::is_of_xml_in_units).
pub(crate) fn labels_of_xml_in_units(text: &[u8], is_all: bool) -> Vec<Label> {
    // The comment at the front may write one in the same way.
    let front = text.trim_ascii_start();
    if ![&b"<?xml"[..], b"<!--", b"/*"].iter().any(|begin| front.starts_with(begin)) {
        return Vec::new();
    }
    labels(text, is_all).into_iter().filter(Label::is_of_xml_in_units).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_xml_in_units_are_found_without_a_search_of_all_texts() {
        for (text, count) in [
            ("<?xml version='1.0' encoding='UTF-16'?><a/>", 1),
            ("\n <?xml version='1.0' encoding='UCS-2'?><a/>", 1),
            ("/*\nencoding=UTF-16\n*/\nbody {}\n", 1),
            ("<!--\nencoding=UTF-32\n-->\n<p>\n", 1),
            ("<?xml version='1.0' encoding='ISO-8859-1'?><a/>", 0),
            ("<xsl:stylesheet><xsl:output encoding='UTF-16'/>", 0),
            ("# encoding=UTF-16\n", 0),
            ("encoding=UTF-16\n", 0),
        ] {
            let all = labels(text.as_bytes(), true).into_iter().filter(Label::is_of_xml_in_units).count();
            assert_eq!((labels_of_xml_in_units(text.as_bytes(), true).len(), all), (count, count), "{text}");
        }
    }

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
            (
                "<META NAME='content-type' CONTENT='text/html; charset=big5'>",
                "<META NAME='content-type' CONTENT='text/html; charset=utf-8'>",
            ),
            ("<%@ Page ResponseEncoding=\"windows-1250\" %>\n", "<%@ Page ResponseEncoding=\"utf-8\" %>\n"),
            ("set title 'x'\nset enc cp852 # DOS\n", "set title 'x'\nset enc utf8 # DOS\n"),
            ("\\lstset{inputencoding=cp1251, tabsize=4}", "\\lstset{inputencoding=utf8, tabsize=4}"),
            (
                "\\documentclass{book}\n\\usepackage[ansinew]{luainputenc}",
                "\\documentclass{book}\n\\usepackage[utf8]{luainputenc}",
            ),
            ("\\enableregime[il2]\n", "\\enableregime[utf-8]\n"),
            ("%\\VignetteEncoding{latin1}\n", "%\\VignetteEncoding{UTF-8}\n"),
            ("%%abc-charset iso-8859-2\nX:1\n", "%%abc-charset utf-8\nX:1\n"),
            (
                "digraph x {\n  graph [rankdir=LR, charset=\"latin1\"];",
                "digraph x {\n  graph [rankdir=LR, charset=\"utf-8\"];",
            ),
            (
                "<?php $m->query('SET NAMES cp1250'); mysqli_set_charset($m, 'cp1250');",
                "<?php $m->query('SET NAMES utf8mb4'); mysqli_set_charset($m, 'utf8mb4');",
            ),
            ("<?php new PDO('mysql:host=h;charset=latin2', $u);", "<?php new PDO('mysql:host=h;charset=utf8mb4', $u);"),
            (
                "<?php define('_CHARSET', 'windows-1251'); $lang['charset'] = 'windows-1251';",
                "<?php define('_CHARSET', 'utf-8'); $lang['charset'] = 'utf-8';",
            ),
            ("@charset \"koi8-r\";", "@charset \"utf-8\";"),
            ("#!/usr/bin/python\n# -*- coding: latin-1 -*-\n", "#!/usr/bin/python\n# -*- coding: utf-8 -*-\n"),
            ("# encoding: cp1251\r\n", "# encoding: utf-8\r\n"),
            (";; -*- mode: lisp; coding: iso-8859-2-dos -*-", ";; -*- mode: lisp; coding: utf-8-dos -*-"),
            ("/* vim: set fenc=big5 : */", "/* vim: set fenc=utf-8 : */"),
            (
                "a\n\n\n\n\n\r\n# vim: fenc=latin1\r\n\r\n\r\n\r\nd\r\n",
                "a\n\n\n\n\n\r\n# vim: fenc=utf-8\r\n\r\n\r\n\r\nd\r\n",
            ),
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
                "msgid \"\"\nmsgstr \"Project-Id-Version: x\\nContent-Type: text/plain; charset=ISO-8859-1\\n\"\n",
                "msgid \"\"\nmsgstr \"Project-Id-Version: x\\nContent-Type: text/plain; charset=utf-8\\n\"\n",
            ),
            (
                "msgid \"\"\nmsgstr \"\"\n\"MIME-Version: 1.0\\nContent-Type: text/plain; charset=koi8-r\\n\"\n",
                "msgid \"\"\nmsgstr \"\"\n\"MIME-Version: 1.0\\nContent-Type: text/plain; charset=utf-8\\n\"\n",
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
            "```python\n# -*- coding: latin-1 -*-\n```\n",
            "Write \\usepackage[latin1]{inputenc} into it.\n",
            "# coding: utf-8-unix",
            "<meta charset=UTF8>",
            "To read it, set encoding latin1 in the menu.\n",
            "set encoding locale\n",
            "graph { a -- b [label=\"charset=latin1\"] }",
            "<?php open($file, 'r', 'latin1'); $charsets = array('latin1');",
            "a\n\n\n\n\n\nvim: fenc=latin1 is a mode line\nnear\nthe\nends\n\n\n\n",
            "a\r\n\r\n\r\n\r\n\r\nvim: fenc=latin1 is a mode line\r\nnear\r\nthe\r\nends\r\n\r\n\r\n",
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
