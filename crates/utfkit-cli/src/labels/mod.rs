//! Labels: the encoding that a text declares in itself, in one of many formats.
//!
//! A converted text with its old label is wrong. Most labels stand in one line, and are rows of a
//! table ([`rows`]). Tags ([`markup`]), headers of mails ([`mime`]), options of LaTeX, and mode lines
//! are read by functions. A label that says how bytes are to be read which a conversion leaves as
//! they are, such as that of a part in base64, is no label here.

mod finder;
mod markup;
mod mime;
mod rows;
mod sql;
mod traits;

use std::ops::Range;

use utfkit::Encoding;
use utfkit::detect::{encoding_of_program, without_line_end};

pub(crate) use finder::Finder;

/// The bytes at the front of a text in which a label may stand in a comment.
pub(crate) const HEAD: usize = 16 << 10;

/// A label in a text in UTF-8, or in another encoding with US-ASCII in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    /// The place of the name of the encoding.
    pub(crate) at: Range<usize>,
    pub(crate) name: String,
    shown: String,
    spelling: Spelling,
    pub(crate) part: Part,
}

/// What a label speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The text.
    None,
    /// The bytes of a mail, or of a part of one.
    Bytes,
}

/// How a format writes UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spelling {
    /// `UTF-8`
    Upper,
    /// `utf-8`
    Lower,
    /// In upper case unless the old name is in lower case.
    AsWritten,
    /// `utf8`
    Plain,
    /// `utf-8`, with the suffix of Emacs for line ends.
    Emacs,
    /// `utf8mb4`, or `UTF8` where the old name is not one of MySQL.
    Sql,
    /// `utf8mb4_…`
    Collation,
    /// `UTF8`
    Postgres,
    /// `UTF-8`, or `UTF-8 Unicode` where the old name is one of TeXShop.
    TexShop,
    /// `65001`
    CodePage,
    /// The format cannot say UTF-8.
    Fixed,
}

/// The ends of collations that `utf8mb4` has too.
const COLLATIONS: [&str; 12] = [
    "bin",
    "general_ci",
    "unicode_ci",
    "swedish_ci",
    "danish_ci",
    "spanish_ci",
    "turkish_ci",
    "hungarian_ci",
    "croatian_ci",
    "polish_ci",
    "german2_ci",
    "lithuanian_ci",
];

impl Label {
    fn new(text: &[u8], at: Range<usize>, spelling: Spelling, shown: impl FnOnce(&str) -> String) -> Label {
        let name = String::from_utf8_lossy(&text[at.clone()]).into_owned();
        let shown = shown(&name);
        Label { at, name, shown, spelling, part: Part::None }
    }

    /// The encoding that it names, if it is known.
    pub(crate) fn encoding(&self) -> Option<Encoding> {
        let name = match self.spelling {
            Spelling::Collation => self.name.split('_').next().unwrap_or_default(),
            Spelling::CodePage if self.name == "65001" => return Some(Encoding::Utf8),
            _ => &self.name,
        };
        // TeX's tables of characters and the fonts of CJK are named after encodings.
        let name = if self.spelling == Spelling::Fixed { name.split('-').next().unwrap_or_default() } else { name };
        let known = encoding_of_program(name).or_else(|| Encoding::for_web_label(name));
        // Emacs has more names for UTF-8.
        let longer = name.get(..5).filter(|front| Encoding::for_label(front) == Some(Encoding::Utf8));
        known.or(longer.map(|_| Encoding::Utf8))
    }

    /// True if it says something else than UTF-8, and cannot say UTF-8.
    pub(crate) fn is_fixed(&self) -> bool {
        self.spelling == Spelling::Fixed
            && self.encoding() != Some(Encoding::Utf8)
            && !PLAIN_TABLES.contains(&self.name.as_str())
    }

    /// The name for a text in UTF-8, unless the label already has one.
    pub(crate) fn in_utf8(&self) -> Option<String> {
        let is_utf8 = self.encoding() == Some(Encoding::Utf8);
        if is_utf8 || self.spelling == Spelling::Fixed {
            return None;
        }
        let has = |front: &str| self.name.get(..front.len()).is_some_and(|name| name.eq_ignore_ascii_case(front));
        Some(match self.spelling {
            Spelling::Upper => "UTF-8".to_owned(),
            Spelling::Lower => "utf-8".to_owned(),
            Spelling::AsWritten if !without_line_end(&self.name).1.is_empty() => {
                format!("utf-8{}", without_line_end(&self.name).1)
            }
            Spelling::AsWritten if self.name.bytes().any(|byte| byte.is_ascii_uppercase()) => "UTF-8".to_owned(),
            Spelling::AsWritten => "utf-8".to_owned(),
            Spelling::Plain | Spelling::Fixed => "utf8".to_owned(),
            Spelling::Emacs => format!("utf-8{}", without_line_end(&self.name).1),
            Spelling::Sql if has("win") || has("iso") || has("euc_") => "UTF8".to_owned(),
            Spelling::Sql => "utf8mb4".to_owned(),
            Spelling::Collation => {
                let (_, order) = self.name.split_once('_')?;
                let order = order.to_ascii_lowercase();
                let order = if COLLATIONS.contains(&order.as_str()) { &order } else { "general_ci" };
                format!("utf8mb4_{order}")
            }
            Spelling::Postgres => "UTF8".to_owned(),
            Spelling::TexShop if self.name.contains(' ') || has("Iso") || has("Mac") => "UTF-8 Unicode".to_owned(),
            Spelling::TexShop => "UTF-8".to_owned(),
            Spelling::CodePage => "65001".to_owned(),
        })
    }

    /// True if it is in the declaration of XML, and names an encoding whose units are longer than a
    /// byte: parsers refuse US-ASCII that says so.
    pub(crate) fn is_of_xml_in_units(&self) -> bool {
        self.shown.starts_with("encoding=") && self.encoding().is_some_and(|encoding| encoding.unit_size() > 1)
    }

    /// The label, for a message.
    pub(crate) fn shown(&self) -> &str {
        &self.shown
    }
}

/// Tables of TeX that leave every byte as it is.
const PLAIN_TABLES: [&str; 4] = ["cp8bit", "cp227", "empty", "natural"];

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

/// The place of the name of an encoding at `at`, if there is one.
fn name_at(text: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let mut len = rest.iter().position(|byte| !is_of_name(*byte)).unwrap_or(rest.len());
    // IANA's names of ISO 8859 have a year: `ISO_8859-1:1987`.
    if let Some([b':', b'1', b'9', year @ ..]) = rest.get(len..len + 5)
        && year.iter().all(u8::is_ascii_digit)
    {
        len += 5;
    }
    ((1..=40).contains(&len) && rest[0].is_ascii_alphanumeric()).then_some(at..at + len)
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.+".contains(&byte)
}

fn position(text: &[u8], what: &[u8]) -> Option<usize> {
    memchr::memmem::find(text, what)
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
