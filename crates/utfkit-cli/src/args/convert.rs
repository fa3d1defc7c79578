//! The arguments of `utfkit convert`.

use clap::{Args as ClapArgs, ValueEnum};
use utfkit::locale::{Codeset, codeset};
use utfkit::{Encoding, EscapeForm};

use super::help::{brief, with_names};
use super::inputs::{Decompress, Inputs};
use super::outputs::Outputs;
use super::writing::{Trust, Writing};
use crate::names::encoding;

const CONVERT: &str = "\
Examples:
  utfkit convert -f UTF-16 in.txt                 to UTF-8, on standard output
  utfkit convert -t UTF-16LE --bom add -o b.txt a.txt
  utfkit convert -f latin1 -t UTF-8 --in-place=.bak old/*.txt
  utfkit convert -f latin1 --in-place src         every file below a folder
  printf '5 \\342\\202\\254' | utfkit convert -t ISO-8859-1 --errors escape
  utfkit convert -c -f UTF-8 -t US-ASCII//IGNORE  as with iconv
  utfkit convert -f web:latin1 page.html          decode as browsers do
  utfkit convert -f auto --in-place=.bak old      detect the encoding of each file
  utfkit convert -z -f auto dump.sql.gz           read a compressed file

Without --errors, conversion stops at the first ill-formed sequence or character
that the target encoding lacks. It is reported as by `utfkit check`, the exit
status is 1, and the output file is left unchanged (-o and --in-place).

Several inputs are concatenated, as by cat. With --in-place each file is
converted separately; a file that would not change is not written.

-f auto detects the encoding of each input as `utfkit detect` does, from the
whole file; of a pipe, from a mebibyte that begins with the first character that
is not US-ASCII. --verbose prints the result; a guess is always reported, unless
with -s. Input that is not text is left unchanged. A BOM of UTF-16 or UTF-32 is
dropped. --in-place changes a file only if its encoding is certain or nearly
certain (see --trust); if it is only a guess, name it with -f.

A file is replaced atomically once its new content is complete and on disk. Its
mode, owner and symbolic links are kept. Other hard links keep the old content,
with a message. A backup never overwrites a file: if its name is taken by a file
with other content, the input is left unchanged.

A run that was killed (SIGKILL, power loss) can leave a temporary file named
.utfkit-*.tmp next to the file it was writing. The next run mentions it, and
`utfkit fix --clean FOLDER` removes it.

Differences from iconv: the default encoding is UTF-8, not the locale's, which
is written as an empty name (-f ''). With -c the number of omitted characters is
printed to standard error and the exit status is 0. //TRANSLIT, which writes
other letters in place of those that the target lacks, is not supported: which
ones depends on the language of the text. `utfkit convert -f NAME FILE | iconv
-f UTF-8 -t ASCII//TRANSLIT` has iconv choose them.";

/// Convert from one encoding to another
#[derive(ClapArgs, Debug)]
// -t is iconv's here.
#[command(after_help = brief(CONVERT), after_long_help = with_names(CONVERT), mut_arg("types", |types| types.short(None)), mut_arg("types_not", |types| types.short(None)))]
pub(crate) struct Convert {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    #[command(flatten)]
    pub(crate) compressed: Decompress,

    /// Encoding of the input: a name of `utfkit list`, `auto` to detect it, '' for the locale's;
    /// may end in //IGNORE or //REPLACE
    #[arg(short, long = "from-code", visible_aliases = ["from", "encoding"], value_parser = source, default_value = "UTF-8", value_name = "NAME")]
    pub(crate) from: Code<Option<Encoding>>,

    /// Encoding of the output; may end in //IGNORE or //REPLACE
    #[arg(short, long = "to-code", visible_alias = "to", value_parser = code, default_value = "UTF-8", value_name = "NAME")]
    pub(crate) to: Code<Encoding>,

    #[command(flatten)]
    pub(crate) outputs: Outputs,

    #[command(flatten)]
    pub(crate) writing: Writing,

    /// With -f auto, how sure an encoding has to be before a file is changed in place
    #[arg(long, value_enum, default_value_t = Trust::NearlyCertain, value_name = "HOW", hide_short_help = true)]
    pub(crate) trust: Trust,

    /// What to do with ill-formed input and with characters that the target lacks
    #[arg(long, value_enum, value_name = "POLICY")]
    pub(crate) errors: Option<Errors>,

    /// Omit ill-formed input and characters that the target lacks, like --errors skip
    #[arg(short = 'c', conflicts_with = "errors")]
    pub(crate) discard: bool,

    /// How many U+FFFD --errors replace writes for ill-formed input [default: maximal-subpart]
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) practice: Option<PracticeName>,

    /// How --errors escape writes characters that the target lacks [default: braces]
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) escape_form: Option<EscapeFormName>,

    /// What to do with a byte order mark (BOM, U+FEFF) at the start
    ///
    /// `utfkit fix --bom remove` removes those within a text as well, where files were joined.
    #[arg(long, value_enum, default_value_t = Bom::Keep, value_name = "WHAT")]
    pub(crate) bom: Bom,

    /// Do not report ill-formed input or replaced, skipped or escaped characters; see the exit status
    #[arg(short, long, alias = "quiet", short_alias = 'q')]
    pub(crate) silent: bool,

    /// List the encodings, like `utfkit list`
    #[arg(short, long)]
    pub(crate) list: bool,
}

/// The policy of `--errors`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Errors {
    /// Stop at the first error
    Strict,
    /// Write U+FFFD, or ? if the target lacks it
    Replace,
    /// Omit them
    Skip,
    /// Write \xNN for a byte, \u{NNNN} for a character
    Escape,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PracticeName {
    /// One for each maximal subpart (Unicode, WHATWG)
    MaximalSubpart,
    /// One for each code unit
    #[value(alias = "per-byte")]
    PerUnit,
    /// One for each sequence that `utfkit check` reports
    PerSequence,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EscapeFormName {
    /// \u{20AC}
    Braces,
    /// &#x20AC;
    Xml,
    /// \x{20AC}
    Hex,
    /// &#8364;
    XmlDecimal,
}

impl From<EscapeFormName> for EscapeForm {
    fn from(name: EscapeFormName) -> EscapeForm {
        match name {
            EscapeFormName::Braces => EscapeForm::Braces,
            EscapeFormName::Xml => EscapeForm::Xml,
            EscapeFormName::Hex => EscapeForm::Hex,
            EscapeFormName::XmlDecimal => EscapeForm::XmlDecimal,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Bom {
    /// Treat it as any other character
    Keep,
    /// Start the output with one
    Add,
    /// Drop it
    Remove,
}

/// An encoding name with iconv's suffixes, parsed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Code<E> {
    pub(crate) encoding: E,
    pub(crate) errors: Option<Errors>,
    /// True for names that include a BOM, such as `utf-8-sig`.
    pub(crate) with_bom: bool,
}

/// Parses the source encoding; `None` stands for `auto`.
fn source(text: &str) -> Result<Code<Option<Encoding>>, String> {
    let (name, suffixes) = text.split_once("//").unwrap_or((text, ""));
    if name.eq_ignore_ascii_case("auto") {
        // Any encoding will do: only the suffixes are used.
        let Code { errors, .. } = code(&format!("UTF-8//{suffixes}"))?;
        return Ok(Code { encoding: None, errors, with_bom: false });
    }
    let Code { encoding, errors, with_bom } = code(text)?;
    Ok(Code { encoding: Some(encoding), errors, with_bom })
}

fn code(text: &str) -> Result<Code<Encoding>, String> {
    let mut parts = text.split("//");
    let encoding = match parts.next().unwrap_or_default() {
        "" => locale_encoding(&codeset())?,
        name if name.eq_ignore_ascii_case("auto") => {
            return Err("auto works only for the input: name the encoding of the output".to_owned());
        }
        name => encoding(name)?,
    };
    let mut errors = None;
    for suffix in parts {
        errors = match suffix.to_ascii_uppercase().as_str() {
            "" => errors,
            "IGNORE" => Some(Errors::Skip),
            "REPLACE" => Some(Errors::Replace),
            "TRANSLIT" => {
                return Err(
                    "//TRANSLIT is not supported; try //REPLACE (writes `?`), --errors escape, or a pipe of UTF-8 to \
                            `iconv -f UTF-8 -t ASCII//TRANSLIT`"
                        .to_owned(),
                );
            }
            _ => return Err(format!("unknown suffix //{suffix}; use //IGNORE or //REPLACE")),
        };
    }
    Ok(Code { encoding, errors, with_bom: names_a_bom(text) })
}

/// True for the names of UTF-8 with a BOM.
fn names_a_bom(text: &str) -> bool {
    let name = text.split("//").next().unwrap_or_default().replace('_', "-");
    ["utf-8-sig", "utf-8-bom", "utf8-sig", "utf8-bom"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// The locale's encoding, which an empty name means in iconv.
fn locale_encoding(codeset: &Codeset) -> Result<Encoding, String> {
    codeset.encoding().ok_or_else(|| match codeset.name() {
        Some(name) => format!("an empty name means the locale's encoding, but {name} is not supported: name one"),
        None => "an empty name means the locale's encoding, but the locale has none: name one".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_suffixes() {
        let ascii = code("ascii//TRANSLIT");
        assert!(ascii.is_err_and(|e| e.contains("//REPLACE")));
        let latin = code("latin1//ignore").unwrap();
        assert_eq!((latin.encoding, latin.errors), (Encoding::Latin1, Some(Errors::Skip)));
        assert_eq!(locale_encoding(&Codeset::Named("ISO8859-1".into())), Ok(Encoding::Latin1));
        assert_eq!(locale_encoding(&Codeset::UsAscii), Ok(Encoding::UsAscii));
        assert!(locale_encoding(&Codeset::Named("KLINGON".into())).is_err_and(|e| e.contains("KLINGON")));
        assert!(locale_encoding(&Codeset::Unstated).is_err_and(|e| e.contains("name one")));
        assert!(code("auto").is_err_and(|e| e.contains("name the encoding of the output")));
        let auto = source("Auto//IGNORE").unwrap();
        assert_eq!((auto.encoding, auto.errors), (None, Some(Errors::Skip)));
        assert_eq!(source("latin1").unwrap().encoding, Some(Encoding::Latin1));
        let plain = code("utf_8//").unwrap();
        assert_eq!((plain.encoding, plain.errors, plain.with_bom), (Encoding::Utf8, None, false));
        let with_bom = source("UTF_8_SIG//IGNORE").unwrap();
        assert_eq!((with_bom.encoding, with_bom.with_bom), (Some(Encoding::Utf8), true));
    }
}
