//! The table of labels of one line.

use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};

use super::label::Spelling::{
    self, AsWritten, CodePage, Collation, Fixed, Lower, Oracle, Plain, Postgres, Sql, TexShop, Upper,
};
use super::traits::Trait::{self, Desktop, Gedcom, Gutenberg, JabrefOrR, Markup, Script, Statements, Text, Vcard};

/// A label, and where it counts.
pub(super) struct Row {
    /// The word in lower case that leads to the row.
    pub(super) key: &'static str,
    /// The kind of text that has such labels.
    pub(super) of: Trait,
    /// A regular expression for a line, or a part of one. Case does not matter. `NAME` becomes
    /// a group for the name, `COMMENT` the beginning of a comment, and `CLOSE` its end.
    pattern: &'static str,
    pub(super) spelling: Spelling,
    /// True if it is a label whatever the name is. Otherwise a name that is unknown is no
    /// name of an encoding, and the line is prose.
    pub(super) is_clear: bool,
    regex: OnceLock<Option<Regex>>,
}

const fn clear(key: &'static str, of: Trait, pattern: &'static str, spelling: Spelling) -> Row {
    Row { key, of, pattern, spelling, is_clear: true, regex: OnceLock::new() }
}

const fn named(key: &'static str, of: Trait, pattern: &'static str, spelling: Spelling) -> Row {
    Row { key, of, pattern, spelling, is_clear: false, regex: OnceLock::new() }
}

const NAME: &str = r"([A-Za-z0-9][A-Za-z0-9._+-]*(?::19[0-9][0-9])?)";
/// A name in which words may be separated.
const WORDS: &str = r"([A-Za-z0-9][A-Za-z0-9 ._:+()-]*?)";
const COMMENT: &str = r#"[ \t]*(?:#+|%+|;+|//+|--+|/?\*+|<!--+|dnl|rem|c|'|"|!|\.?\\")[ \t]*"#;
const CLOSE: &str = r"[.;,]?[ \t]*(?:\*/|--+>|-\*-|#)?[ \t]*";

/// The rows, by their keys. Only the first 16 KiB of a text have labels in comments.
pub(super) static ROWS: [Row; 69] = [
    // Comments.
    named(
        "encod",
        Text { in_head: true },
        r#"^COMMENT(?:(?:file|source|text|document|char(?:acter)?(?:[ _-]?set)?)[ _-]?)?encoding[ \t]*[:=][ \t]*["']?NAME["']?CLOSE$"#,
        AsWritten,
    ),
    named("charset", Text { in_head: true }, r#"^COMMENT@?charset[ \t]*[:= \t][ \t]*["']?NAME["']?CLOSE$"#, AsWritten),
    named(
        "encod",
        Trait::FrontComment,
        r"^[ \t]*(?:(?:file|source|char(?:acter)?)[ _-]?)?encoding[ \t]*[:=][ \t]*NAME[ \t]*$",
        AsWritten,
    ),
    // AsciiDoc and txt2tags.
    named("encod", Text { in_head: true }, r"^:encoding:[ \t]+NAME[ \t]*$", AsWritten),
    named("encod", Text { in_head: true }, r"^%![ \t]*encoding[ \t]*:[ \t]*NAME[ \t]*$", AsWritten),
    named("charset", Trait::FrontComment, r"^[ \t]*charset[ \t]*[:=][ \t]*NAME[ \t]*$", AsWritten),
    named("encod", JabrefOrR, r"^encoding:[ \t]*NAME[ \t]*$", Upper),
    named("character set", Gutenberg, r"^[ \t]*character set(?: encoding)?[ \t]*:[ \t]*WORDS[ \t]*$", AsWritten),
    // TeX.
    clear("inputenc", Text { in_head: false }, r"\\inputencoding[ \t]*\{[ \t]*NAME[ \t]*\}", Plain),
    clear("inputenc", Text { in_head: false }, r"\binputencoding[ \t]*=[ \t]*\{?[ \t]*NAME", Plain),
    clear("inputenc", Text { in_head: false }, r#"\\xetexinputencoding[ \t]*"?[ \t]*NAME"#, Plain),
    clear("inputenc", Trait::Lyx, r"^\\inputencoding[ \t]+NAME[ \t]*$", Plain),
    clear(
        "!tex encod",
        Text { in_head: false },
        r"^[ \t]*%+[ \t]*!tex[ \t]+encoding[ \t]*=[ \t]*WORDS[ \t]*$",
        TexShop,
    ),
    clear(
        "!tex  encod",
        Text { in_head: false },
        r"^[ \t]*%+[ \t]*!tex[ \t]+encoding[ \t]*=[ \t]*WORDS[ \t]*$",
        TexShop,
    ),
    clear("translate-file", Text { in_head: true }, r"^%&[^\r\n]*-translate-file[ \t=]*NAME", Fixed),
    clear(r"\begin{cjk", Text { in_head: false }, r"\\begin\{cjk\*?\}(?:\[[^\]]*\])?\{NAME\}", Fixed),
    clear("enableregime", Text { in_head: false }, r"\\enableregime[ \t]*\[[ \t]*NAME[ \t]*\]", Lower),
    clear("vignetteencod", Text { in_head: false }, r"\\VignetteEncoding\{[ \t]*NAME[ \t]*\}", Upper),
    clear("documentencod", Text { in_head: false }, r"^@documentencoding[ \t]+NAME", Upper),
    // SQL.
    clear("set names", Statements, r#"\bset[ \t]+names[ \t]*=?[ \t]*["'`]?NAME["'`]?[ \t]*(?:;|\*/|collat|$)"#, Sql),
    clear("charset", Statements, r#"\bcharset[ \t]*=[ \t]*["'`]?NAME"#, Sql),
    named("charset", Statements, r#"\bcharset[ \t]+["'`]?NAME"#, Sql),
    named("character set", Statements, r#"\bcharacter[ \t]+set[ \t]*=?[ \t]*["'`]?NAME"#, Sql),
    named("character_set", Statements, r#"\bcharacter_set_[a-z]+[ \t]*=[ \t]*["'`]?NAME"#, Sql),
    named("collat", Statements, r#"\bcollat(?:e|ion_[a-z]+)[ \t]*=?[ \t]*["'`]?NAME"#, Collation),
    clear("client_encod", Statements, r#"\bclient_encoding[ \t]*(?:=|[ \t]to[ \t])[ \t]*["']?NAME"#, Postgres),
    clear(r"\encod", Statements, r#"^[ \t]*\\encoding[ \t]+["']?NAME"#, Postgres),
    // SQL*Loader.
    named("characterset", Trait::Loader, r#"^[ \t]*(?:LOAD[ \t]+DATA[ \t]+)?CHARACTERSET[ \t]+["']?NAME"#, Oracle),
    // Programs.
    clear(r"\encod", Text { in_head: false }, r"^[ \t]*\\encoding\{[ \t]*NAME[ \t]*\}", Upper),
    // LilyPond, Tcl, and lyrics.
    named(r"\encod", Text { in_head: true }, r#"^[ \t]*\\encoding[ \t]+"NAME"[ \t]*$"#, Lower),
    named("encod", Text { in_head: true }, r"^[ \t]*encoding[ \t]+system[ \t]+NAME[ \t]*;?[ \t]*$", Lower),
    named("encod", Text { in_head: true }, r"^\[encoding:[ \t]*NAME\][ \t]*$", AsWritten),
    clear(
        "scripte",
        Text { in_head: false },
        r#"^[ \t:]*(?-i:scripte(?:ncoding|ncodin|ncodi|ncod|nco|nc|n)?)[ \t]+NAME[ \t]*(?:".*|\|.*)?$"#,
        Lower,
    ),
    clear(
        "encod",
        Text { in_head: false },
        r#"^[ \t]*use[ \t]+encoding[ \t]+(?:qw[ \t]*[(/\[{<]|q?q?[({]|["'])[ \t]*NAME"#,
        Plain,
    ),
    clear("encod", Trait::UseOpen, r":encoding\([ \t]*NAME[ \t]*\)", Upper),
    clear("=encod", Text { in_head: false }, r"^=encoding[ \t]+NAME", Upper),
    clear("encod", Script, r#"\bdeclare[ \t]*\([ \t]*encoding[ \t]*=[ \t]*["']NAME["']"#, Upper),
    clear(
        "code_page",
        Text { in_head: false },
        r"^[ \t]*#[ \t]*pragma[ \t]+code_page[ \t]*\([ \t]*([0-9]+)[ \t]*\)",
        CodePage,
    ),
    clear("codepage", Text { in_head: false }, r"\{\$codepage[ \t]+NAME[ \t]*\}", Plain),
    named("codepage", Script, r"\b(?:response|session)\.codepage[ \t]*=[ \t]*([0-9]+)", CodePage),
    named("charset", Script, r#"\bresponse\.charset[ \t]*=[ \t]*"NAME""#, AsWritten),
    clear("charset", Script, r#"["'][ \t]*content-type[ \t]*:[^"'\r\n]{0,80}?charset[ \t]*=[ \t]*NAME"#, AsWritten),
    clear("charset", Script, r#"\bini_set[ \t]*\([ \t]*["']default_charset["'][ \t]*,[ \t]*["']NAME["']"#, AsWritten),
    clear("internal_encod", Script, r#"\bmb_internal_encoding[ \t]*\([ \t]*["']NAME["']"#, AsWritten),
    // The connection to a database, which gets the strings of the script.
    named("set names", Script, r#"["'][ \t]*set[ \t]+names[ \t]*["'`]?NAME"#, Sql),
    named("set_charset", Script, r#"set_charset[ \t]*\((?:[^()"']*,)?[ \t]*["']NAME["']"#, Sql),
    named("charset", Script, r#"["'](?:mysql|mysqli|mariadb):[^"']{0,200}?charset=NAME"#, Sql),
    // The phrases of a program in one language.
    named(
        "charset",
        Script,
        r#"\bdefine[ \t]*\([ \t]*["']_?(?:[a-z]+_)?charset["'][ \t]*,[ \t]*["']NAME["']"#,
        AsWritten,
    ),
    named("charset", Script, r#"\$[a-z_]+\[["'](?:[a-z]+_?)?charset["']\][ \t]*=[ \t]*["']NAME["']"#, AsWritten),
    // FreeMarker, ColdFusion.
    clear(
        "#ftl",
        Text { in_head: true },
        r#"^[ \t]*[<\[]#ftl[ \t](?:[^>\]\r\n]{0,200}?[ \t])?encoding[ \t]*=[ \t]*["']NAME["']"#,
        AsWritten,
    ),
    clear(
        "cfprocessingdir",
        Text { in_head: false },
        r#"<cfprocessingdirective[ \t](?:[^>\r\n]{0,200}?[ \t])?pageencoding[ \t]*=[ \t]*["']NAME["']"#,
        AsWritten,
    ),
    // gnuplot.
    named(
        "set enc",
        Text { in_head: false },
        r"^[ \t]*set[ \t]+enc(?:o(?:d(?:i(?:n(?:g)?)?)?)?)?[ \t]+NAME[ \t]*(?:[;#].*)?$",
        Plain,
    ),
    // Data.
    clear("languageencod", Trait::Ppd, r"^\*LanguageEncoding:[ \t]*NAME[ \t]*$", Upper),
    named("lang=", Trait::Calendar, r"^LANG=[A-Za-z]{2,3}(?:_[A-Za-z]{2})?\.NAME[ \t]*$", Upper),
    clear("encod", Text { in_head: true }, r"^/encoding=NAME[ \t]*$", Lower),
    clear("charset", Text { in_head: false }, r#"^[ \t]*@charset[ \t]+["']NAME["']"#, Lower),
    clear("charset", Text { in_head: false }, r"^(?:i:|%%)abc-charset[ \t]+NAME", Lower),
    clear("extenc", Text { in_head: false }, r"^[ \t]*#extenc[ \t]*:[ \t]*NAME", Upper),
    clear("1 char ", Gedcom, r"^[ \t]*1 char[ \t]+WORDS[ \t]*$", Upper),
    clear("charset", Vcard, r#";[ \t]*charset[ \t]*=[ \t]*"?NAME"#, Upper),
    clear("encod", Desktop, r"^(?-i:Encoding)[ \t]*=[ \t]*NAME[ \t]*$", Upper),
    named("charset", Trait::Graph, r#"(?:^|[\[{;, \t])charset[ \t]*=[ \t]*"?NAME"#, AsWritten),
    clear("codec>", Markup, r"<(?:default)?codec>[ \t]*NAME", Upper),
    clear("encod", Text { in_head: true }, r"^!_tag_file_encoding\tNAME", Lower),
    // hunspell, and the dictionaries of its kin.
    clear("set ", Trait::Hunspell, r"^(?-i:SET)[ \t]+NAME[ \t]*$", Upper),
    clear("set\t", Trait::Hunspell, r"^(?-i:SET)[ \t]+NAME[ \t]*$", Upper),
    clear("iso8859-", Trait::FirstLine, r"^(?-i:(ISO8859-[0-9]+))$", Upper),
    clear("koi8-", Trait::FirstLine, r"^(?-i:(KOI8-[RU]))$", Upper),
    clear("-cp125", Trait::FirstLine, r"^(?-i:(microsoft-cp125[0-9]))$", Upper),
];

impl Row {
    /// The expression. `None` never happens: a test compiles all of them.
    pub(super) fn regex(&self) -> Option<&Regex> {
        let compiled = self.regex.get_or_init(|| {
            let pattern = self.pattern.replace("NAME", NAME).replace("WORDS", WORDS);
            let pattern = pattern.replace("COMMENT", COMMENT).replace("CLOSE", CLOSE);
            RegexBuilder::new(&pattern).unicode(false).case_insensitive(true).build().ok()
        });
        compiled.as_ref()
    }

    /// True for a command of TeX, after which a `%` begins a comment.
    pub(super) fn is_tex(&self) -> bool {
        self.key == "inputenc" || self.spelling == Fixed
    }

    /// True if the expression needs the beginning of a line.
    pub(super) fn is_from_the_start(&self) -> bool {
        self.pattern.starts_with('^')
    }

    pub(super) fn is_to_the_end(&self) -> bool {
        self.pattern.ends_with('$')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_regular_expression() {
        for row in &ROWS {
            assert!(row.regex().is_some(), "{}", row.pattern);
            assert_eq!(row.key, row.key.to_ascii_lowercase());
        }
    }
}
