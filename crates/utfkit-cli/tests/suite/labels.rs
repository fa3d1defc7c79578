//! Labels: each kind is rewritten with its file, and nothing else is. `{L}` is the name,
//! `@` for text, `{FILL}` for more of it.

use crate::common::Place;

/// Text in a language for each encoding.
fn text(codec: &str) -> &'static str {
    match codec {
        "windows-1252" => "Der Bär läuft über die größten Felder, später schläft er müde in der Höhle.",
        "windows-1250" | "iso-8859-2" => "Zażółć gęślą jaźń, wpłynąć na źródła, książka się skończyła późno.",
        "windows-1251" | "koi8-r" => "Широкая электрификация южных губерний даст мощный толчок подъёму хозяйства.",
        "windows-1253" => "Γαζίες και μυρτιές δεν θα βρω πια στο χρυσαφί ξέφωτο της πόλης.",
        "euc-kr" => "다람쥐 헌 쳇바퀴에 타고파 하는 사람들이 많이 있습니다.",
        "shift_jis" | "euc-jp" => "いろはにほへと、色は匂へど散りぬるを。今日は良い天気です。",
        other => unreachable!("{other}"),
    }
}

fn encoded(codec: &str, text: &str) -> Vec<u8> {
    let (bytes, _, has_failed) = encoding_rs::Encoding::for_label(codec.as_bytes()).unwrap().encode(text);
    assert!(!has_failed, "{codec}: {text}");
    bytes.into_owned()
}

/// Asserts that a file with each of the labels, each with its codec, becomes the same text with another name in it, that nothing is left
/// to do then, and that `undo` restores its bytes.
#[track_caller]
fn are_rewritten(file: &str, template: &str, new: &str, labels: &[(&str, &str)]) {
    for (label, codec) in labels {
        is_rewritten(file, template, label, codec, new);
    }
}

#[track_caller]
fn is_rewritten(file: &str, template: &str, label: &str, codec: &str, new: &str) {
    let place = Place::new();
    let fill = "A line of plain text that makes the file long.\n".repeat(3000);
    let prose = [text(codec); 2].join(" ");
    // A collation has the name in it.
    let full = |name: &str| {
        let text = template.replace("@documentencoding", "\u{1}").replace("<%@", "\u{2}").replace("//@", "\u{3}");
        let text = text.replace("{L}", name).replace("{FILL}", &fill).replace('@', &prose);
        text.replace('\u{1}', "@documentencoding").replace('\u{2}', "<%@").replace('\u{3}', "//@")
    };
    let before = encoded(codec, &full(label));
    place.file(file, &before);
    let ran = place.run(&["fix", "--yes", "--trust", "likely", "."]);
    let (got, wanted) = (String::from_utf8_lossy(&place.read(file)).into_owned(), full(new));
    let differs = got.lines().zip(wanted.lines()).find(|(got, wanted)| got != wanted);
    assert!(got == wanted, "{file} {label}: {differs:?}\n{}{}", ran.out(), ran.err);
    let again = place.run(&["fix", file]);
    assert!(again.err.starts_with("utfkit: 0 files to change, 1 in UTF-8 already"), "{}{}", again.out(), again.err);
    assert_eq!(place.run(&["undo"]).status, 0);
    assert_eq!(place.read(file), before, "{file} {label}");
}

#[test]
fn labels_of_latex_are_rewritten() {
    for (label, codec) in
        [("latin1", "windows-1252"), ("latin2", "iso-8859-2"), ("cp1251", "windows-1251"), ("koi8-r", "koi8-r")]
    {
        is_rewritten(
            "a.tex",
            "\\documentclass{article}\n%\\usepackage[ascii]{inputenc}\n\\usepackage [T1,{L} ]{inputenc}\n\\inputencoding{{L}}\n@",
            label,
            codec,
            "utf8",
        );
    }
    are_rewritten(
        "b.tex",
        "\\documentclass[12pt,\n  {L}]{book}\n\\usepackage[greek]{babel}\n\\usepackage{inputenc}\n@",
        "utf8",
        &[("ansinew", "windows-1252"), ("cp1250", "windows-1250")],
    );
    are_rewritten(
        "c.tex",
        "% !TEX encoding = {L}\n@",
        "UTF-8 Unicode",
        &[("IsoLatin", "windows-1252"), ("IsoLatin2", "iso-8859-2")],
    );
    are_rewritten(
        "d.tex",
        "%!TEX encoding = {L}\r\n@",
        "UTF-8",
        &[("KOI8-R", "koi8-r"), ("windows-1253", "windows-1253")],
    );
}

#[test]
fn labels_of_bibtex_are_rewritten() {
    are_rewritten("a.bib", "% Encoding: {L}\n\n@", "UTF-8", &[("Cp1252", "windows-1252"), ("ISO8859_2", "iso-8859-2")]);
    are_rewritten(
        "b.bib",
        "This file was created with JabRef 2.9.\nEncoding: {L}\n\n@",
        "UTF-8",
        &[("Cp1251", "windows-1251")],
    );
}

#[test]
fn labels_of_sql_are_rewritten() {
    for (label, codec) in
        [("cp1250", "windows-1250"), ("CP1251", "windows-1251"), ("koi8r", "koi8-r"), ("ujis", "euc-jp")]
    {
        is_rewritten(
            "a.sql",
            "/*!40101 SET NAMES {L} */;\nCREATE TABLE t (a text CHARACTER SET {L}) DEFAULT CHARSET={L};\nINSERT INTO t VALUES ('@ CHARSET=latin1');\nalter database x character set = {L} collate {L}_general_ci;\n",
            label,
            codec,
            "utf8mb4",
        );
    }
    are_rewritten(
        "b.sql",
        "SET client_encoding = '{L}';\nCREATE TABLE t (a text);\nCOPY t FROM stdin;\n@\n\\\\.\n",
        "UTF8",
        &[("WIN1252", "windows-1252"), ("LATIN2", "iso-8859-2"), ("KOI8R", "koi8-r")],
    );
}

#[test]
fn labels_of_playlists_are_rewritten() {
    are_rewritten(
        "a.m3u",
        "#EXTM3U\r\n#EXTENC:{L}\r\n#EXTINF:1,@\r\na.mp3\r\n",
        "UTF-8",
        &[("windows-1252", "windows-1252"), ("EUC-KR", "euc-kr")],
    );
}

#[test]
fn labels_of_pages_are_rewritten() {
    are_rewritten(
        "a.jsp",
        "<%@ page import=\"x\" contentType=\"text/html; charset={L}\"\n  pageEncoding=\"{L}\" %>\n@",
        "utf-8",
        &[("windows-1251", "windows-1251"), ("euc-jp", "euc-jp")],
    );
    are_rewritten(
        "a.asp",
        "<%@ Language=VBScript CodePage={L} %>\n<p>@",
        "65001",
        &[("1250", "windows-1250"), ("1251", "windows-1251")],
    );
    are_rewritten(
        "a.php",
        "<?php\nheader('Content-Type: text/html; charset={L}');\n?><p>@",
        "utf-8",
        &[("windows-1253", "windows-1253"), ("koi8-r", "koi8-r")],
    );
    are_rewritten(
        "a.xsl",
        "<?xml version=\"1.0\" encoding=\"{L}\"?>\n<xsl:output method=\"html\"\n encoding='{L}'/>\n<p>@</p>",
        "UTF-8",
        &[("ISO-8859-2", "iso-8859-2"), ("Shift_JIS", "shift_jis")],
    );
    are_rewritten(
        "a.html",
        "<html>\n<script>\n{FILL}</script><meta charset={L}>\n@",
        "utf-8",
        &[("windows-1251", "windows-1251"), ("euc-kr", "euc-kr")],
    );
}

#[test]
fn labels_of_records_are_rewritten() {
    are_rewritten(
        "a.ged",
        "0 HEAD\r\n1 SOUR x\r\n1 CHAR {L}\r\n1 NOTE @\r\n0 TRLR\r\n",
        "UTF-8",
        &[("ANSI", "windows-1252"), ("WINDOWS-1250", "windows-1250")],
    );
    are_rewritten(
        "a.vcf",
        "BEGIN:VCARD\r\nFN;CHARSET={L}:@\r\nN;CHARSET=iso-8859-1;ENCODING=QUOTED-PRINTABLE:caf=E9\r\nEND:VCARD\r\n",
        "UTF-8",
        &[("windows-1252", "windows-1252"), ("KOI8-R", "koi8-r")],
    );
    are_rewritten(
        "a.ics",
        "BEGIN:VCALENDAR\r\nSUMMARY;LANGUAGE=x;CHARSET={L}:@\r\nEND:VCALENDAR\r\n",
        "UTF-8",
        &[("ISO-8859-2", "iso-8859-2")],
    );
    are_rewritten(
        "a.desktop",
        "[Desktop Entry]\nEncoding={L}\nName=@\n",
        "UTF-8",
        &[("ISO-8859-2", "iso-8859-2"), ("KOI8-R", "koi8-r")],
    );
    are_rewritten(
        "a.ts",
        "<!DOCTYPE TS><TS>\n<defaultcodec>{L}</defaultcodec><translation>@</translation></TS>\n",
        "UTF-8",
        &[("windows-1251", "windows-1251")],
    );
    are_rewritten(
        "a.txt",
        "The Project Gutenberg EBook\r\n\r\nCharacter set encoding: {L}\r\n\r\n@",
        "UTF-8",
        &[("ISO-8859-1", "windows-1252"), ("ISO-8859-2", "iso-8859-2")],
    );
    are_rewritten(
        "b.txt",
        "Title: A book\nAuthor: A. Person\n\nCharacter set encoding: {L}\n\n@",
        "UTF-8",
        &[("ISO-8859-2", "iso-8859-2"), ("KOI8-R", "koi8-r")],
    );
}

#[test]
fn labels_of_comments_are_rewritten() {
    are_rewritten(
        "a.txt",
        "# words\n#\n# Encoding: {L}\n#\n@",
        "UTF-8",
        &[("ISO-8859-2", "iso-8859-2"), ("KOI8-R", "koi8-r")],
    );
    are_rewritten("b.txt", "% Charset: {L}\n% @", "utf-8", &[("windows-1251", "windows-1251")]);
    are_rewritten("a.js", "//@charset {L}\nvar x = '@';", "utf-8", &[("windows-1253", "windows-1253")]);
    are_rewritten("a.zpt", "<html>\n<!-- coding: {L} -->\n@", "utf-8", &[("latin-2", "iso-8859-2")]);
}

#[test]
fn labels_of_programs_are_rewritten() {
    are_rewritten(
        "a.vim",
        "\" x\nscriptencoding {L}\n\" @\nscriptencoding\n",
        "utf-8",
        &[("cp1250", "windows-1250"), ("euc-kr", "euc-kr")],
    );
    are_rewritten(
        "a.pl",
        "#!/usr/bin/perl\nuse encoding '{L}';\n# @",
        "utf8",
        &[("koi8-r", "koi8-r"), ("latin2", "iso-8859-2")],
    );
    are_rewritten(
        "b.pl",
        "#!/usr/bin/perl\nuse open IN => ':encoding({L})', OUT => ':encoding({L})';\n# @",
        "UTF-8",
        &[("cp1251", "windows-1251")],
    );
    are_rewritten("a.pod", "=encoding {L}\n\n=head1 X\n\n@", "UTF-8", &[("iso-8859-2", "iso-8859-2")]);
    are_rewritten("a.texi", "\\input texinfo\n@documentencoding {L}\n@", "UTF-8", &[("ISO-8859-2", "iso-8859-2")]);
    are_rewritten(
        "a.rc",
        "#pragma code_page({L})\r\n// @",
        "65001",
        &[("1251", "windows-1251"), ("1250", "windows-1250")],
    );
    are_rewritten("a.pas", "unit x;\n{$codepage {L}}\n// @", "utf8", &[("cp1251", "windows-1251")]);
    are_rewritten("a.Rd", "\name{x}\n\\encoding{{L}}\n\title{@}", "UTF-8", &[("latin2", "iso-8859-2")]);
}

#[test]
fn labels_of_markup_and_settings_are_rewritten() {
    are_rewritten("a.rb", "# -*- encoding : {L} -*-\nputs '@'\n", "utf-8", &[("iso-8859-2", "iso-8859-2")]);
    are_rewritten("a.adoc", "= A title\n:encoding: {L}\n\n@\n", "utf-8", &[("iso-8859-2", "iso-8859-2")]);
    are_rewritten("a.t2t", "A title\n\n\n%!encoding: {L}\n\n@\n", "utf-8", &[("koi8-r", "koi8-r")]);
    are_rewritten("a.tcl", "encoding system {L}\nputs \"@\"\n", "utf-8", &[("cp1251", "windows-1251")]);
    are_rewritten("a.ly", "\\encoding \"{L}\"\n% @\n", "utf-8", &[("latin2", "iso-8859-2")]);
    are_rewritten("a.lrc", "[ti:x]\n[encoding:{L}]\n[00:01.00]@\n", "utf-8", &[("iso-8859-2", "iso-8859-2")]);
    let loader = |name: &str| format!("LOAD DATA\n{name}INFILE *\nINTO TABLE t\n(a)\nBEGINDATA\n@\n");
    are_rewritten("a.ctl", &loader("CHARACTERSET {L}\n"), "AL32UTF8", &[("CL8MSWIN1251", "windows-1251")]);
    are_rewritten("a.ctl", &loader("characterset '{L}'\n"), "AL32UTF8", &[("EE8ISO8859P2", "iso-8859-2")]);
    are_rewritten(
        "a.lisp",
        ";; -*- Mode: Lisp; External-format: {L} -*-\n;; @\n",
        "utf-8",
        &[("latin-2", "iso-8859-2")],
    );
    are_rewritten(
        "a.xml",
        "\n<?xml version=\"1.0\" encoding=\"{L}\"?>\n<r>@</r>\n",
        "UTF-8",
        &[("ISO-8859-2", "iso-8859-2")],
    );
    are_rewritten("a.ftl", "<#ftl encoding=\"{L}\">\n<p>@</p>\n", "utf-8", &[("iso-8859-2", "iso-8859-2")]);
    are_rewritten(
        "b.ftl",
        "[#ftl strip_whitespace=true encoding='{L}']\n<p>@</p>\n",
        "utf-8",
        &[("windows-1251", "windows-1251")],
    );
    are_rewritten(
        "a.cfm",
        "<cfset x = 1>\n<cfprocessingdirective suppressWhitespace=\"yes\" pageEncoding=\"{L}\">\n<p>@</p>\n",
        "utf-8",
        &[("iso-8859-2", "iso-8859-2")],
    );
    are_rewritten("a.theme", "[Theme]\nEncoding={L}\nName=@\n", "UTF-8", &[("ISO-8859-2", "iso-8859-2")]);
}

#[test]
fn labels_of_the_ends_of_long_texts_are_rewritten() {
    are_rewritten(
        "a.txt",
        "@\n{FILL}\n# Local variables:\n# coding: {L}-unix\n# End:\n",
        "utf-8",
        &[("iso-8859-2", "iso-8859-2"), ("koi8-r", "koi8-r")],
    );
    are_rewritten("b.txt", "@\n{FILL}\n/* vim: set ts=4 fenc={L}: */\n", "utf-8", &[("cp1251", "windows-1251")]);
    are_rewritten(
        "c.tex",
        "@\n{FILL}\n\\inputencoding{{L}}\n{FILL}\n\\inputencoding{{L}}",
        "utf8",
        &[("latin2", "iso-8859-2")],
    );
}

#[test]
fn labels_of_dictionaries_are_rewritten() {
    are_rewritten("hyph_x.dic", "{L}\n.a1b\n@", "UTF-8", &[("ISO8859-2", "iso-8859-2"), ("KOI8-R", "koi8-r")]);
    are_rewritten(
        "x.aff",
        "SET {L}\nTRY aeo\nSFX A Y 1\nSFX A 0 b .\n# @",
        "UTF-8",
        &[("ISO8859-2", "iso-8859-2"), ("microsoft-cp1251", "windows-1251")],
    );
}

#[test]
fn a_name_of_a_family_is_that_of_its_encoding() {
    are_rewritten("a.txt", "% encoding: {L}\n@", "UTF-8", &[("EUC", "euc-jp")]);
}

#[test]
fn labels_of_mails_are_rewritten() {
    are_rewritten(
        "a.eml",
        "From: a\nContent-Type: multipart/mixed;\n boundary=\"=_1\"\n\n--=_1\nContent-Type: text/plain;\n\tcharset=\"{L}\"\nContent-Transfer-Encoding: 8bit\n\n@\n--=_1\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\ncaf=E9\n--=_1\nContent-Type: text/html; charset={L}\n\n<html><meta charset={L}>x\n--=_1--\n\nContent-Type: text/plain; charset=latin1\n",
        "utf-8",
        &[("iso-8859-2", "iso-8859-2"), ("windows-1251", "windows-1251"), ("euc-kr", "euc-kr")],
    );
    are_rewritten(
        "mbox",
        "From a\nSubject: x\nContent-Type: text/plain; charset={L}\n\n@\n{FILL}\n\nFrom a\nSubject: x\nContent-Type: text/plain; charset={L}\n\n@\n{FILL}\n\n",
        "utf-8",
        &[("koi8-r", "koi8-r"), ("windows-1253", "windows-1253")],
    );
}

/// libhyphen and MyThes read the name in the first line.
#[test]
fn patterns_for_hyphenation_are_converted_with_their_first_line() {
    for (encoding, label, patterns) in [
        ("ISO-8859-2", "ISO8859-2", "LEFTHYPHENMIN 2\n.dů1l\n1čá\n.ně3m\nš2ť1\nů1v\n"),
        ("KOI8-R", "KOI8-R", ".по4дъ\n.без3об\nнедо3уч\nсверх1ъ\nтранс2ъ\n"),
        ("ISO-8859-1", "ISO8859-1", "% norsk\n.bå4ten\n.dø2rer\nstr6ø7m\nv8ær\n.hå5nd\nlø2sn\n"),
    ] {
        let place = Place::new();
        let patterns = patterns.repeat(40);
        place.file("hyph_xx.dic", encoded(encoding, &format!("{label}\n{patterns}")));
        let ran = place.run(&["fix", "--yes", "--trust", "likely", "."]);
        let got = place.read("hyph_xx.dic");
        assert_eq!(String::from_utf8_lossy(&got), format!("UTF-8\n{patterns}"), "{}{}", ran.out(), ran.err);
    }
    let place = Place::new();
    let prose = format!("ISO-8859-1\n{}\n", text("windows-1252"));
    place.file("a.txt", encoded("windows-1252", &prose));
    place.run(&["fix", "--yes", "--trust", "likely", "a.txt"]);
    assert_eq!(String::from_utf8_lossy(&place.read("a.txt")), prose);
}

#[test]
fn prose_that_looks_like_a_label_is_left_alone() {
    for line in [
        "# Encoding: see below",
        "The encoding: latin1 is what we use",
        "encoding: latin1",
        "Encoding=latin1",
        "SET ISO8859-2",
        "SET NAMES latin1 is a statement of SQL",
        "DEFAULT CHARSET=latin1",
        "1 CHAR ANSI is a line",
        "x;CHARSET=latin1:y",
        "% \\usepackage[latin1]{inputenc}",
        "Files with '\\usepackage[latin1]{inputenc}' are read in it",
        "\\verb|\\usepackage[latin1]{inputenc}|",
        "\\usepackage[latin1]{inputenc",
        "\\documentclass[greek,a4paper]{article}",
        "\\documentclass{article}\n\\begin{document}\n\\begin{verbatim}\n\\usepackage[latin1]{inputenc}\n\\end{verbatim}",
        "On Windows:\n  \\usepackage[cp1252]{inputenc}\non a Mac:\n  \\usepackage[applemac]{inputenc}",
        "Character set encoding: latin1",
        "A line\nContent-Type: text/plain; charset=latin1 is a header",
        "// the charset=latin1 of this",
        "the <meta charset=latin1> tag",
        "scriptencoding is a command",
        "#!/bin/sh\n# set encoding=latin1 in the editor",
        "{\"encoding\": \"latin1\"}",
        // The encodings of other files.
        "<html><script charset=latin1></script>",
        "<html><link rel=stylesheet charset=latin1 href=a.css>",
        "<html><!-- <meta charset=latin1> -->",
        "header('Content-Type: text/html; charset=latin1');",
        "0 HEAD\n2 CHAR ANSI",
        "-- the charset latin1 is old\nINSERT INTO t VALUES (1);",
    ] {
        let place = Place::new();
        let text = format!("{line}\n{}\n{line}!\n", text("windows-1252"));
        place.file("a", encoded("windows-1252", &text));
        place.run(&["fix", "--yes", "--trust", "likely", "a"]);
        let got = place.read("a");
        assert!(
            got == text.as_bytes() || got == encoded("windows-1252", &text),
            "{line}: {}",
            String::from_utf8_lossy(&got)
        );
    }
}

/// A program in UTF-8 may print another encoding. One that is converted prints its own strings in UTF-8, too.
#[test]
fn statements_of_a_program_are_rewritten_only_if_it_is_converted() {
    for (name, statement) in [
        ("a.php", "<?php mb_internal_encoding('iso-8859-1');"),
        ("b.php", "<?php ini_set('default_charset', 'iso-8859-1');"),
        ("c.cgi", "#!/usr/bin/perl\nprint \"Content-Type: text/html; charset=iso-8859-1\\n\\n\";"),
        ("d.sh", "#!/bin/sh\necho 'Content-Type: text/html; charset=iso-8859-1'"),
    ] {
        let place = Place::new();
        let text = format!("{statement}\n# {}\n", text("windows-1252"));
        place.file(name, text.as_bytes());
        place.run(&["fix", "--yes", "--trust", "likely", name]);
        assert_eq!(String::from_utf8_lossy(&place.read(name)), text);
        place.file(name, encoded("windows-1252", &text));
        place.run(&["fix", "--yes", "--trust", "likely", name]);
        assert_eq!(
            String::from_utf8_lossy(&place.read(name)).to_lowercase(),
            text.replace("iso-8859-1", "utf-8").to_lowercase()
        );
    }
}

#[test]
fn a_label_that_cannot_be_rewritten_keeps_its_file() {
    let polish = text("iso-8859-2");
    for (codec, content, why) in [
        ("iso-8859-2", format!("%& --translate-file=il2-pl\n{polish}\n"), "cannot name UTF-8"),
        ("euc-kr", format!("\\begin{{CJK}}{{KS}}{{mj}}\n{}\n", text("euc-kr")), "cannot name UTF-8"),
        ("windows-1252", format!("0 HEAD\n1 CHAR ANSEL\n1 NOTE {}\n", text("windows-1252")), "ANSEL)"),
        ("windows-1252", format!("{}\n\n# vim: fenc=ptcp154\n", text("windows-1252")), "ptcp154)"),
        (
            "windows-1251",
            format!(
                "Subject: a\nContent-Type: text/plain; charset=iso-8859-2\n\n§ 5\n\nFrom b\nContent-Type: text/plain; \
                 charset=windows-1251\n\n{}\n",
                text("windows-1251")
            ),
            "several encodings",
        ),
    ] {
        let place = Place::new();
        let bytes = encoded(codec, &content);
        place.file("a.tex", &bytes);
        let ran = place.run(&["fix", "--yes", "--trust", "likely", "."]);
        assert!(ran.out().contains(why), "{why}: {}{}", ran.out(), ran.err);
        assert_eq!(place.read("a.tex"), bytes, "{why}");
    }
}

/// US-ASCII is the same text in all of these.
#[test]
fn a_part_of_a_mail_in_us_ascii_does_not_keep_the_others() {
    for charset in ["utf-8", "iso-8859-1", "us-ascii", "windows-1252"] {
        let mail = |old: &str, new: &str| {
            let part = |charset: &str, text: &str| {
                format!(
                    "--=x\nContent-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: 8bit\n\n{text}\n"
                )
            };
            let russian = text("koi8-r");
            let [first, second, third] = [part(new, "See the list."), part(old, russian), part(new, "Bye.")];
            format!("From: a\nContent-Type: multipart/mixed;\n boundary=\"=x\"\n\n{first}{second}{third}--=x--\n")
        };
        let place = Place::new();
        place.file("a.eml", encoded("koi8-r", &mail("koi8-r", charset)));
        let ran = place.run(&["fix", "--yes", "."]);
        assert_eq!(ran.status, 0, "{charset}: {}{}", ran.out(), ran.err);
        assert_eq!(String::from_utf8_lossy(&place.read("a.eml")), mail("utf-8", "utf-8"), "{charset}");
    }
}

#[test]
fn us_ascii_that_says_it_is_utf_16_is_rewritten() {
    for name in ["UTF-16", "utf-16", "UTF-16LE", "UCS-2", "ISO-10646-UCS-2"] {
        let place = Place::new();
        let text = |name: &str| format!("<?xml version=\"1.0\" encoding=\"{name}\"?>\n<list/>\n");
        place.file("a.xml", text(name));
        assert_eq!(place.run(&["fix", "--yes", "."]).status, 0);
        assert_eq!(place.read("a.xml"), text("UTF-8").as_bytes(), "{name}");
    }
}

#[test]
fn a_dictionary_goes_with_its_rules() {
    let words = format!("3\n{}\n", text("iso-8859-2").replace(' ', "/A\n"));
    let rules = |set: &str, line: &str| format!("SET {set}\nTRY aeo\nSFX A Y 1\nSFX A 0 {line} .\n");
    let polish = |text: &str| encoded("iso-8859-2", text);
    for (aff, is_converted) in [
        (polish(&rules("ISO8859-2", "ów")), true),
        (rules("UTF-8", "ów").into_bytes(), true),
        // US-ASCII, and not converted.
        (rules("ISO8859-2", "x").into_bytes(), false),
        // A flag of one byte.
        (polish(&rules("ISO8859-2", "ów").replace("SFX A", "SFX Ż")), false),
    ] {
        let place = Place::new();
        place.file("pl.aff", &aff);
        place.file("pl.dic", polish(&words));
        let ran = place.run(&["fix", "--yes", "--trust", "likely", "."]);
        let wanted = if is_converted { words.clone().into_bytes() } else { polish(&words) };
        assert_eq!(place.read("pl.dic"), wanted, "{}{}", ran.out(), ran.err);
        assert_eq!(place.read("pl.aff").starts_with(b"SET UTF-8"), is_converted, "{}", ran.out());
    }
    let place = Place::new();
    place.file("pl.aff", polish(&rules("ISO8859-2", "ów")));
    place.file("pl.dic", polish(&words));
    for name in ["pl.aff", "pl.dic"] {
        let ran = place.run(&["fix", "--yes", "--trust", "likely", name]);
        assert!(ran.out().contains("is not converted"), "{name}: {}{}", ran.out(), ran.err);
    }
}

#[test]
fn a_file_whose_reader_wants_an_encoding_is_left_alone() {
    let german = text("windows-1252");
    for (name, front) in [
        ("a.bat", "@echo off\r\n"),
        ("a.CMD", ""),
        ("a.ps1", "# "),
        ("a.nsi", "; "),
        ("a.vbs", "' "),
        ("a.reg", "REGEDIT4\r\n"),
        ("a.inf", "[Version]\r\n; "),
        ("a.properties", "a="),
        ("a.strings", "\"a\" = \"b\";\n/* "),
        ("a.eps", "%!PS-Adobe-3.0 EPSF-3.0\n% "),
        ("th_de_DE.dat", "WINDOWS-1252\nHaus|1\n(noun)|"),
        ("th_de_DE.idx", "WINDOWS-1252\n1\n"),
        ("de.dat", "name de\ncharset iso8859-1\n# "),
        ("de_phonet.dat", "version 1\nfollowup 0\n# "),
        ("a.patch", "--- a/x.c\n+++ b/x.c\n@@ -1 +1 @@\n+// "),
        ("Main.pas", "unit Main;\r\n// "),
        ("app.rc", "STRINGTABLE\r\n// "),
    ] {
        let place = Place::new();
        let bytes = encoded("windows-1252", &format!("{front}{german}\r\n"));
        place.file(name, &bytes);
        let ran = place.run(&["fix", "--yes", "--trust", "likely", "."]);
        assert!(ran.out().contains("makes UTF-8 of it all the same"), "{name}: {}{}", ran.out(), ran.err);
        assert_eq!(place.read(name), bytes, "{name}");
        let ran = place.run(&["convert", "-f", "windows-1252", "--in-place", name]);
        assert!(ran.err.contains(&format!("{name}: it is UTF-8 now; ")), "{name}: {}", ran.err);
        assert_eq!(place.read(name), format!("{front}{german}\r\n").as_bytes());
    }
    for (name, front) in [
        ("a.ps1", "# "),
        ("a.nsh", "# "),
        ("a.nlf", "# "),
        ("Main.pas", "unit Main; // "),
        ("a.cpp", "// "),
        ("a.h", "// "),
    ] {
        let place = Place::new();
        place.file(name, format!("\u{FEFF}{front}{german}\r\n"));
        let ran = place.run(&["fix", "."]);
        assert!(ran.err.contains("0 files to change, 1 in UTF-8 already"), "{name}: {}", ran.err);
    }
    // Without the BOM it is the same text in the code page of Windows.
    let place = Place::new();
    place.file("a.cpp", "\u{FEFF}int x;\n");
    assert_eq!(place.run(&["fix", "--yes", "."]).status, 0);
    assert_eq!(place.read("a.cpp"), b"int x;\n");
    // A source that names its code page itself.
    is_rewritten("Main.pas", "{$codepage {L}}\nunit Main;\n// @\n", "cp1252", "windows-1252", "utf8");
}

#[test]
fn a_patch_keeps_its_bytes() {
    let front = "diff --git a/x.po b/x.po\n--- a/x.po\n+++ b/x.po\n@@ -1,2 +1,2 @@\n";
    let german = text("windows-1252");
    let old = encoded("windows-1252", german);
    let doubled = encoding_rs::WINDOWS_1252.decode(german.as_bytes()).0;
    let patches: [(&str, Vec<u8>); 4] = [
        // From an old encoding to UTF-8.
        ("mixed.patch", [front.as_bytes(), b"-", &old, b"\n+", german.as_bytes(), b"\n"].concat()),
        ("doubled.diff", format!("{front}-{doubled}\n-{doubled}\n+{german}\n").into()),
        ("label.patch", format!("{front}+\"Content-Type: text/plain; charset=ISO-8859-1\\n\"\n+{german}\n").into()),
        ("bom.diff", format!("\u{FEFF}{front}+{german}\n").into()),
    ];
    for (name, bytes) in patches {
        let place = Place::new();
        place.file(name, &bytes);
        place.run(&["fix", "--yes", "--trust", "likely", "."]);
        assert_eq!(place.read(name), bytes, "{name}");
        // With --force it is changed.
        if name.starts_with(['m', 'd']) {
            place.run(&["fix", "--yes", "--force", "--trust", "likely", "."]);
            assert_ne!(place.read(name), bytes, "{name}");
        }
    }
    let place = Place::new();
    place.file("a.patch", format!("{front}+a\r\n"));
    let ran = place.run(&["fix", "--yes", "--eol", "lf", "."]);
    assert!(ran.out().contains("a patch has the bytes"), "{}{}", ran.out(), ran.err);
}

/// A table is stored in an encoding of its own; that of the file is said once.
#[test]
fn tables_of_sql_keep_their_encoding_in_a_file_that_says_utf_8() {
    let place = Place::new();
    let sql = "/*!40101 SET NAMES utf8mb4 */;\nCREATE TABLE `p` (a text CHARACTER SET latin1 COLLATE latin1_german1_ci)\n) ENGINE=InnoDB DEFAULT CHARSET=latin1;\nINSERT INTO p VALUES ('größer');\n";
    place.file("a.sql", sql);
    let ran = place.run(&["fix", "--yes", "--trust", "likely", "a.sql"]);
    assert_eq!(place.read("a.sql"), sql.as_bytes(), "{}", ran.err);
    // mysqldump names UTF-8 for the definitions, whatever the rows are in.
    let dump = "/*!40101 SET NAMES latin1 */;\n/*!40101 SET character_set_client = utf8 */;\nCREATE TABLE `p` (a text) DEFAULT CHARSET=latin1;\n@\n";
    let after = dump.replace("NAMES latin1", "NAMES utf8mb4").replace("CHARSET=latin1", "CHARSET=utf8mb4");
    place.file("b.sql", encoded("windows-1252", &dump.replace('@', text("windows-1252"))));
    place.run(&["fix", "--yes", "--trust", "likely", "b.sql"]);
    assert_eq!(String::from_utf8(place.read("b.sql")).unwrap(), after.replace('@', text("windows-1252")));
}

/// `repair` changes no label, and says so.
#[test]
fn a_repair_names_the_label_that_is_wrong_now() {
    let place = Place::new();
    for (file, label, template) in [
        ("a.html", "windows-1251", "<html><meta charset=\"{L}\"><p>@\n"),
        ("a.xml", "ISO-8859-2", "<?xml version=\"1.0\" encoding=\"{L}\"?>\n<r>@</r>\n"),
        (
            "a.po",
            "ISO-8859-1",
            "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset={L}\\n\"\n\nmsgid \"a\"\nmsgstr \"@\"\n",
        ),
    ] {
        let codec = if label == "ISO-8859-1" { "windows-1252".to_owned() } else { label.to_ascii_lowercase() };
        place.file(file, encoded(&codec, &template.replace("{L}", label).replace('@', text(&codec))));
        let ran = place.run(&["repair", "--in-place", "--fallback", "auto", file]);
        assert!(ran.err.contains("still says") && ran.err.contains(&format!("`utfkit fix {file}`")), "{}", ran.err);
        place.run(&["fix", "--yes", "--trust", "likely", file]);
        let new = String::from_utf8(place.read(file)).unwrap();
        assert!(new.to_lowercase().contains("utf-8") && !new.contains(label), "{new}");
    }
}

/// `fix` leaves what a program in UTF-8 prints, so no command recommends it for that.
#[test]
fn a_statement_of_a_converted_program_is_for_a_person_to_change() {
    let place = Place::new();
    let page = "<?php\nheader('Content-Type: text/html; charset=iso-8859-1');\necho '@';\n";
    place.file("a.php", encoded("windows-1252", &page.replace('@', text("windows-1252"))));
    let ran = place.run(&["convert", "-f", "windows-1252", "--in-place", "a.php"]);
    assert!(ran.err.contains("still says") && ran.err.contains("by hand"), "{}", ran.err);
    assert!(!ran.err.contains("utfkit fix"), "{}", ran.err);
    assert!(place.run(&["fix", "a.php"]).err.contains("1 in UTF-8 already"));
}

#[test]
fn labels_of_printers_editors_and_calendars_are_rewritten() {
    let ppd = "*PPD-Adobe: \"4.3\"\n*LanguageEncoding: {L}\n*ModelName: \"@\"\n";
    are_rewritten(
        "a.ppd",
        ppd,
        "UTF-8",
        &[("ISOLatin1", "windows-1252"), ("WindowsANSI", "windows-1252"), ("ISOLatin2", "iso-8859-2")],
    );
    let lyx = "#LyX 1.4 created this file.\n\\lyxformat 245\n\\inputencoding {L}\n\\begin_body\n@\n";
    are_rewritten("a.lyx", lyx, "utf8", &[("latin1", "windows-1252"), ("cp1251", "windows-1251")]);
    let calendar = "#ifndef _calendar_x\nLANG=de_DE.{L}\n\n01/01\t@\n";
    are_rewritten("calendar.x", calendar, "UTF-8", &[("ISO8859-1", "windows-1252"), ("KOI8-R", "koi8-r")]);
    let words = "# a list of words\n/encoding={L}\n/regions=de\n@\n";
    are_rewritten("de.dic.txt", words, "utf-8", &[("latin1", "windows-1252"), ("iso-8859-2", "iso-8859-2")]);
    let php = "<?php ini_set('default_charset', '{L}'); mb_internal_encoding(\"{L}\"); ?>\n@\n";
    are_rewritten("a.php", php, "utf-8", &[("iso-8859-1", "windows-1252"), ("windows-1251", "windows-1251")]);
    let tex = "\\documentclass{article}\n\\usepackage[{L}]{inputenx}\n\\begin{document}\n@\n\\end{document}\n";
    are_rewritten("x.tex", tex, "utf8", &[("latin1", "windows-1252"), ("cp1250", "windows-1250")]);
}

#[test]
fn a_document_of_lyx_whose_language_decides_is_left_alone() {
    let place = Place::new();
    let text = format!("#LyX 1.4 created this file.\n\\inputencoding auto\n\\begin_body\n{}\n", text("windows-1252"));
    let before = encoded("windows-1252", &text);
    place.file("a.lyx", &before);
    let ran = place.run(&["fix", "--yes", "--trust", "likely", "a.lyx"]);
    assert!(ran.out().contains("inputencoding auto"), "{}", ran.out());
    assert_eq!(place.read("a.lyx"), before);
}

#[test]
fn a_label_in_the_first_comment_is_rewritten() {
    are_rewritten(
        "calendar-cs.js",
        "/*\n\tcalendar-cs.js\n\tlanguage: Czech\n\tencoding: {L}\n\tauthor: somebody\n*/\nx = '@';\n",
        "utf-8",
        &[("windows-1250", "windows-1250"), ("iso-8859-2", "iso-8859-2")],
    );
    let place = Place::new();
    let text = format!("/* A table. */\nvar x = {{\n  encoding: iso-8859-1\n}}; // {}\n", text("windows-1252"));
    place.file("a.js", encoded("windows-1252", &text));
    place.run(&["fix", "--yes", "--trust", "likely", "a.js"]);
    assert_eq!(String::from_utf8(place.read("a.js")).unwrap(), text);
}

#[test]
fn comments_about_encodings_and_what_a_script_replaces_are_no_labels() {
    let place = Place::new();
    let comment = "/* How a page is read:\n *\n *   encoding = ISO-8859-1\n *   output goes to a terminal\n *\n *   encoding = EUC-JP\n *   every byte is kept; größer\n */\nint x;\n";
    let header = "SET xxENCODINGxx\nTRY aoeäöü\n# größer und später\n";
    place.file("pages.c", comment);
    place.file("words.header", header);
    let ran = place.run(&["fix", "--yes", "--trust", "likely", "."]);
    assert!(ran.err.contains("0 files to change, 2 in UTF-8 already"), "{}{}", ran.out(), ran.err);
    // One that says it twice.
    let twice = "# encoding: {L}\n# written by a program\n# encoding: {L}\nname = \"@\"\n";
    are_rewritten("a.conf", twice, "UTF-8", &[("ISO-8859-2", "iso-8859-2"), ("KOI8-R", "koi8-r")]);
}
