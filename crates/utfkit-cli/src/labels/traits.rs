//! Kinds of texts, as far as labels depend on them.

use std::cell::OnceCell;
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
    /// A graph of Graphviz.
    Graph,
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

/// The kinds that a text belongs to, by its front and its name. A kind that needs a search of the front is found on
/// demand, because most texts have no word of a label.
#[derive(Clone, Debug, Default)]
pub(super) struct Traits {
    head: Vec<u8>,
    /// `head` in lower case.
    lower: OnceCell<Vec<u8>>,
    pub(super) sql: bool,
    loader: OnceCell<bool>,
    vcard: OnceCell<bool>,
    gedcom: bool,
    desktop: OnceCell<bool>,
    gutenberg: OnceCell<bool>,
    jabref_or_r: OnceCell<bool>,
    pub(super) markup: bool,
    graph: bool,
    is_named_script: bool,
    script: OnceCell<bool>,
    is_named_aff: bool,
    hunspell: OnceCell<bool>,
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
        let front = head.trim_ascii_start();
        let begins =
            |word: &str| front.get(..word.len()).is_some_and(|front| front.eq_ignore_ascii_case(word.as_bytes()));
        let is_comment = ["--", "/*", "set ", "create ", "insert ", "drop ", "use ", "begin", "alter ", "lock ", "#"];
        let traits = Traits {
            gedcom: begins("0 head"),
            // Templates begin with something of their own.
            markup: front.first().is_some_and(|byte| b"<{@".contains(byte)),
            graph: is(&["dot", "gv"]) || begins("digraph ") || begins("strict digraph "),
            is_named_script: begins("#!")
                || begins("<%")
                || is(&[
                    "php", "php3", "php4", "php5", "phtml", "inc", "pl", "pm", "cgi", "py", "rb", "asp", "aspx", "asa",
                    "jsp", "tcl",
                ]),
            is_named_aff: is(&["aff"]),
            comment: match () {
                () if begins("/*") => memchr::memmem::find(head, b"*/").unwrap_or_default(),
                () if begins("<!--") => memchr::memmem::find(head, b"-->").unwrap_or_default(),
                () => 0,
            },
            lyx: begins("#lyx "),
            ppd: begins("*ppd-adobe:"),
            calendar: path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("calendar")),
            head: head.to_vec(),
            ..Traits::default()
        };
        let statements = ["\ncreate table", "\ninsert into", "\ndrop table", "\n/*!40101 set"];
        let sql = is(&["sql", "mysql", "psql", "pgsql", "ddl", "dump"])
            || (is_comment.iter().any(|word| begins(word))
                && statements.iter().any(|word| begins(word.trim_start()) || traits.has_word(word)));
        Traits { sql, ..traits }
    }

    /// True if the front has a word, which is in lower case here.
    fn has_word(&self, word: &str) -> bool {
        let lower = self.lower.get_or_init(|| self.head.to_ascii_lowercase());
        memchr::memmem::find(lower, word.as_bytes()).is_some()
    }

    /// True if a line of the front begins with one of these words.
    fn has_line(&self, words: &[&str]) -> bool {
        let begins = |at: usize| words.iter().any(|word| self.head[at..].starts_with(word.as_bytes()));
        begins(0) || memchr::memchr2_iter(b'\n', b'\r', &self.head).any(|end| begins(end + 1))
    }

    fn is_loader(&self) -> bool {
        *self.loader.get_or_init(|| self.has_word("load data") && self.has_word("into table"))
    }

    fn is_vcard(&self) -> bool {
        let words = ["begin:vcard", "begin:vcalendar", "begin:vnote", "begin:vevent"];
        *self.vcard.get_or_init(|| words.iter().any(|word| self.has_word(word)))
    }

    fn is_desktop(&self) -> bool {
        let words =
            ["[Desktop Entry]", "[KDE Desktop Entry]", "[Icon Theme]", "[Sound Theme]", "[Theme]", "[Desktop Action"];
        *self.desktop.get_or_init(|| self.has_line(&words))
    }

    fn is_gutenberg(&self) -> bool {
        // Its header may be all that is left of it.
        let fields = ["Title: ", "Author: ", "Language: ", "Release Date: "];
        *self.gutenberg.get_or_init(|| self.has_word("project gutenberg") || self.has_line(&fields))
    }

    fn is_jabref_or_r(&self) -> bool {
        *self.jabref_or_r.get_or_init(|| self.has_word("jabref") || self.has_line(&["Package:"]))
    }

    fn is_script(&self) -> bool {
        self.is_named_script || *self.script.get_or_init(|| self.has_word("<?php"))
    }

    fn is_hunspell(&self) -> bool {
        let words = ["SFX ", "PFX ", "TRY ", "REP ", "KEY ", "MAP ", "WORDCHARS ", "COMPOUND", "NOSUGGEST ", "FLAG "];
        self.is_named_aff || *self.hunspell.get_or_init(|| self.has_line(&words))
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
            Trait::Loader => self.is_loader(),
            Trait::Vcard => self.is_vcard(),
            Trait::Gedcom => self.gedcom,
            Trait::Desktop => self.is_desktop(),
            Trait::Gutenberg => self.is_gutenberg(),
            Trait::JabrefOrR => at < super::label::HEAD && self.is_jabref_or_r(),
            Trait::Markup => self.markup,
            Trait::Script => self.is_script(),
            Trait::UseOpen => {
                let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
                words.next() == Some(b"use") && words.next() == Some(b"open")
            }
            Trait::Hunspell => self.is_hunspell(),
            Trait::Graph => self.graph,
            Trait::Lyx => self.lyx,
            Trait::FrontComment => at < self.comment,
            Trait::Ppd => self.ppd,
            Trait::Calendar => self.calendar,
            Trait::FirstLine => at == 0 || at == 3,
        }
    }
}
