//! A label, and how its format writes UTF-8.

use std::ops::Range;

use utfkit::Encoding;
use utfkit::detect::{encoding_of_program, without_line_end};

use crate::quoted::Quotes;

/// The number of bytes at the front of a text in which a comment may be a label.
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
    /// True if a string of a program would contain it.
    pub(crate) is_quoted: bool,
}

/// The text that a label describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The text.
    None,
    /// The bytes of a mail, or of a part of one.
    Bytes,
    /// The output of a program.
    Output,
}

/// How a format writes UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
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
    /// `AL32UTF8`
    Oracle,
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
    pub(super) fn new(text: &[u8], at: Range<usize>, spelling: Spelling, shown: impl FnOnce(&str) -> String) -> Label {
        let name = String::from_utf8_lossy(&text[at.clone()]).into_owned();
        let shown = shown(&name);
        let line = &text[..at.start];
        let line = &line[memchr::memrchr(b'\n', line).map_or(0, |end| end + 1)..];
        Label { at, name, shown, spelling, part: Part::None, is_quoted: Quotes::of_program().feed(line).is_open() }
    }

    /// The encoding that it names, if it is known.
    pub(crate) fn encoding(&self) -> Option<Encoding> {
        let name = match self.spelling {
            Spelling::Collation => self.name.split('_').next().unwrap_or_default(),
            Spelling::CodePage if self.name == "65001" => return Some(Encoding::Utf8),
            Spelling::Oracle => return oracle(&self.name),
            _ => &self.name,
        };
        // TeX's tables of characters and the fonts of CJK are named after encodings.
        let name = if self.spelling == Spelling::Fixed { name.split('-').next().unwrap_or_default() } else { name };
        // `il2` is Latin-2 in TeX.
        let latin = name.strip_prefix("il").filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
        let latin = latin.map(|number| format!("latin{number}"));
        let name = latin.as_deref().unwrap_or(name);
        // The Japanese say so for short.
        let name = if name.eq_ignore_ascii_case("EUC") { "EUC-JP" } else { name };
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
            Spelling::Oracle => "AL32UTF8".to_owned(),
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

/// The encoding with a name of Oracle: a language, the bits of a character, and a standard.
fn oracle(name: &str) -> Option<Encoding> {
    let name = name.to_ascii_uppercase();
    let standard =
        name.trim_start_matches(|c: char| c.is_ascii_uppercase()).trim_start_matches(|c: char| c.is_ascii_digit());
    let label = match standard {
        _ if matches!(name.as_str(), "UTF8" | "AL32UTF8") => "UTF-8".to_owned(),
        "ASCII7" => "US-ASCII".to_owned(),
        "KOI8R" => "KOI8-R".to_owned(),
        "KOI8U" => "KOI8-U".to_owned(),
        "SJIS" => "Shift_JIS".to_owned(),
        "EUC" => "EUC-JP".to_owned(),
        "KSC5601" => "EUC-KR".to_owned(),
        "GBK" | "GB18030" | "BIG5" => standard.to_owned(),
        _ => [("ISO8859P", "ISO-8859-"), ("MSWIN", "windows-"), ("PC", "IBM")]
            .iter()
            .find_map(|(front, label)| Some(format!("{label}{}", standard.strip_prefix(front)?)))?,
    };
    Encoding::for_label(&label)
}

/// Tables of TeX that leave every byte as it is.
const PLAIN_TABLES: [&str; 4] = ["cp8bit", "cp227", "empty", "natural"];

/// The place of the name of an encoding at `at`, if there is one.
pub(super) fn name_at(text: &[u8], at: usize) -> Option<Range<usize>> {
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

pub(super) fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.+".contains(&byte)
}

pub(super) fn position(text: &[u8], what: &[u8]) -> Option<usize> {
    memchr::memmem::find(text, what)
}
