//! Kinds of texts, as far as labels depend on them.

use std::path::Path;

/// The kind of text that has a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trait {
    /// Any text, or the front of any.
    Text {
        in_head: bool,
    },
    /// SQL, outside of its strings.
    Statements,
    /// A control file of SQL*Loader.
    Loader,
    Vcard,
    Gedcom,
    Desktop,
    Gutenberg,
    /// A database of `JabRef`, or the DESCRIPTION of a package of R.
    JabrefOrR,
    Markup,
    /// PHP, Perl, ASP, and others that print pages.
    Script,
    /// A line of Perl that begins with `use open`.
    UseOpen,
    Hunspell,
    Lyx,
    /// A description of a PostScript printer.
    Ppd,
    /// The days of `calendar`, of BSD.
    Calendar,
    /// The comment with which the text begins.
    FrontComment,
    /// The first line of a text, which has nothing but the label.
    FirstLine,
}

/// The kinds that a text belongs to, by its front and its name.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Traits {
    pub(super) sql: bool,
    loader: bool,
    vcard: bool,
    gedcom: bool,
    desktop: bool,
    gutenberg: bool,
    jabref_or_r: bool,
    pub(super) markup: bool,
    script: bool,
    hunspell: bool,
    lyx: bool,
    ppd: bool,
    calendar: bool,
    /// The length of the comment with which the text begins.
    comment: usize,
}

impl Traits {
    pub(super) fn of(head: &[u8], path: &Path) -> Traits {
        let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("").to_ascii_lowercase();
        let is = |extensions: &[&str]| extensions.contains(&extension.as_str());
        let lower = head.to_ascii_lowercase();
        let has = |word: &str| memchr::memmem::find(&lower, word.as_bytes()).is_some();
        let begins = |word: &str| lower.trim_ascii_start().starts_with(word.as_bytes());
        let has_line = |words: &[&str]| {
            let mut lines = head.split(|byte| matches!(byte, b'\n' | b'\r'));
            lines.any(|line| words.iter().any(|word| line.starts_with(word.as_bytes())))
        };
        let is_comment = ["--", "/*", "set ", "create ", "insert ", "drop ", "use ", "begin", "alter ", "lock ", "#"];
        Traits {
            sql: is(&["sql", "mysql", "psql", "pgsql", "ddl", "dump"])
                || (is_comment.iter().any(|word| begins(word))
                    && ["\ncreate table", "\ninsert into", "\ndrop table", "\n/*!40101 set"]
                        .iter()
                        .any(|word| has(word) || begins(word.trim_start()))),
            loader: has("load data") && has("into table"),
            vcard: ["begin:vcard", "begin:vcalendar", "begin:vnote", "begin:vevent"].iter().any(|word| has(word)),
            gedcom: begins("0 head"),
            desktop: has_line(&[
                "[Desktop Entry]",
                "[KDE Desktop Entry]",
                "[Icon Theme]",
                "[Sound Theme]",
                "[Theme]",
                "[Desktop Action",
            ]),
            gutenberg: has("project gutenberg"),
            jabref_or_r: has("jabref") || has_line(&["Package:"]),
            // Templates begin with something of their own.
            markup: head.trim_ascii_start().first().is_some_and(|byte| b"<{@".contains(byte)),
            script: begins("#!")
                || begins("<%")
                || has("<?php")
                || is(&[
                    "php", "php3", "php4", "php5", "phtml", "inc", "pl", "pm", "cgi", "py", "rb", "asp", "aspx", "asa",
                    "jsp", "tcl",
                ]),
            comment: match () {
                () if begins("/*") => memchr::memmem::find(&lower, b"*/").unwrap_or_default(),
                () if begins("<!--") => memchr::memmem::find(&lower, b"-->").unwrap_or_default(),
                () => 0,
            },
            lyx: begins("#lyx "),
            ppd: begins("*ppd-adobe:"),
            calendar: path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("calendar")),
            hunspell: has_line(&[
                "SFX ",
                "PFX ",
                "TRY ",
                "REP ",
                "KEY ",
                "MAP ",
                "WORDCHARS ",
                "COMPOUND",
                "NOSUGGEST ",
                "FLAG ",
            ]) || is(&["aff"]),
        }
    }

    /// False if no line near `at` can have a label of `kind`.
    pub(super) fn may_have(&self, kind: Trait, at: usize) -> bool {
        match kind {
            Trait::UseOpen => true,
            Trait::FirstLine => at < 64,
            _ => self.has(kind, b"", at),
        }
    }

    /// True if a label of `kind` counts in the line that begins with `line`, if the text is one of
    /// that kind. `at` is the offset of the line.
    pub(super) fn has(&self, kind: Trait, line: &[u8], at: usize) -> bool {
        match kind {
            Trait::Text { in_head } => !in_head || at < super::label::HEAD,
            Trait::Statements => self.sql,
            Trait::Loader => self.loader,
            Trait::Vcard => self.vcard,
            Trait::Gedcom => self.gedcom,
            Trait::Desktop => self.desktop,
            Trait::Gutenberg => self.gutenberg,
            Trait::JabrefOrR => self.jabref_or_r && at < super::label::HEAD,
            Trait::Markup => self.markup,
            Trait::Script => self.script,
            Trait::UseOpen => {
                let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
                words.next() == Some(b"use") && words.next() == Some(b"open")
            }
            Trait::Hunspell => self.hunspell,
            Trait::Lyx => self.lyx,
            Trait::FrontComment => at < self.comment,
            Trait::Ppd => self.ppd,
            Trait::Calendar => self.calendar,
            Trait::FirstLine => at == 0 || at == 3,
        }
    }
}
