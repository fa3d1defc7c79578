//! The arguments of `utfkit convert`.

use clap::{Args as ClapArgs, ValueEnum};
use utfkit::locale::{Codeset, codeset};
use utfkit::{Encoding, EscapeForm};

use super::{Inputs, Outputs, Trust, Writing, brief, with_names};
use crate::names::encoding;

const CONVERT: &str = "\
Examples:
  utfkit convert -f UTF-16 in.txt                 to UTF-8, on standard output
  utfkit convert -t UTF-16LE --bom add -o b.txt a.txt
  utfkit convert -f latin1 -t UTF-8 --in-place=.bak old/*.txt
  utfkit convert -f latin1 --in-place src         each file of a folder
  printf '5 \\342\\202\\254' | utfkit convert -t ISO-8859-1 --errors escape
  utfkit convert -c -f UTF-8 -t US-ASCII//IGNORE  as with iconv
  utfkit convert -f web:latin1 page.html          as a browser reads it
  utfkit convert -f auto --in-place=.bak old      each file from what it is in

Without --errors the first ill-formed sequence, or character that the target
lacks, stops the conversion with status 1 and is reported as `utfkit check`
would. With -o or --in-place a file is then left as it was.

Several inputs, and the files of a folder, become one output: one after the
other, as with cat. With --in-place each becomes its own: a file that is named
twice is converted once, and one that would not change is not written.

-f auto finds out the encoding of each input as `utfkit detect` does, by all of
it; --verbose says what was found, and a mere guess is said unasked (-s silences
it). An input that is not text is left as it is. The BOM of UTF-16 or UTF-32 is
not part of the text then. A file is written over only where the encoding is
certain or nearly certain; --trust likely does more, and a guess has to be named
with -f.

A file is replaced in one step when its new content is complete and on the disk.
Mode, owner and symbolic links stay; a hard link to it keeps the old content,
and that is said. What is at the name of a backup is never overwritten: where
there is one of another text, the file is left as it was.

A run that was ended by force (SIGKILL, a power cut) can leave a temporary file,
.utfkit-*.tmp, beside the file it was writing: the same command with --clean
removes it.

Beside iconv: without -f or -t the encoding is UTF-8 and not the locale's, which
is what an empty name means (-f ''). What -c leaves out is counted on standard
error and the status is 0. //TRANSLIT is not known.";

/// Convert from one encoding to another
#[derive(ClapArgs, Debug)]
// -t is iconv's here.
#[command(after_help = brief(CONVERT), after_long_help = with_names(CONVERT), mut_arg("types", |types| types.short(None)))]
pub(crate) struct Convert {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    /// The encoding of the input (see `utfkit list`; '' is the locale's; auto finds out for each);
    /// //IGNORE and //REPLACE may follow
    #[arg(short, long = "from-code", visible_aliases = ["from", "encoding"], value_parser = source, default_value = "UTF-8", value_name = "NAME")]
    pub(crate) from: Code<Option<Encoding>>,

    /// The encoding of the output; //IGNORE and //REPLACE may follow
    #[arg(short, long = "to-code", visible_alias = "to", value_parser = code, default_value = "UTF-8", value_name = "NAME")]
    pub(crate) to: Code<Encoding>,

    #[command(flatten)]
    pub(crate) outputs: Outputs,

    #[command(flatten)]
    pub(crate) writing: Writing,

    /// How sure -f auto has to be to write over a file
    #[arg(long, value_enum, default_value_t = Trust::NearlyCertain, value_name = "HOW", hide_short_help = true)]
    pub(crate) trust: Trust,

    /// What becomes of ill-formed input and of characters that the target lacks
    #[arg(long, value_enum, value_name = "POLICY")]
    pub(crate) errors: Option<Errors>,

    /// Leave out what is ill-formed or not in the target: --errors skip
    #[arg(short = 'c', conflicts_with = "errors")]
    pub(crate) discard: bool,

    /// How many U+FFFD --errors replace writes [default: maximal-subpart]
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) practice: Option<PracticeName>,

    /// How --errors escape writes a character that the target lacks [default: braces]
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) escape_form: Option<EscapeFormName>,

    /// What becomes of a byte order mark (BOM, U+FEFF) at the start
    #[arg(long, value_enum, default_value_t = Bom::Keep, value_name = "WHAT")]
    pub(crate) bom: Bom,

    /// Say nothing of ill-formed input, nor of what was replaced, skipped or escaped: the status tells
    #[arg(short, long, alias = "quiet", short_alias = 'q')]
    pub(crate) silent: bool,

    /// Print the encodings, as `utfkit list` does
    #[arg(short, long)]
    pub(crate) list: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Errors {
    /// Stop at the first one
    Strict,
    /// Write U+FFFD, or ? where the target lacks it
    Replace,
    /// Leave it out
    Skip,
    /// Write \xNN for a byte, \u{NNNN} for a character
    Escape,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PracticeName {
    /// One for each maximal subpart (Unicode, WHATWG)
    MaximalSubpart,
    /// One for each unit
    PerByte,
    /// One for each sequence as a person names it
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
    /// It is a character like any other
    Keep,
    /// Begin the output with one
    Add,
    /// Leave it out
    Remove,
}

/// A name with iconv's suffixes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Code<E> {
    pub(crate) encoding: E,
    pub(crate) errors: Option<Errors>,
    /// The name says that there is a BOM: `utf-8-sig`.
    pub(crate) with_bom: bool,
}

/// The source can be left to be found out: `None`.
fn source(text: &str) -> Result<Code<Option<Encoding>>, String> {
    let (name, suffixes) = text.split_once("//").unwrap_or((text, ""));
    if name.eq_ignore_ascii_case("auto") {
        // Whatever stands before the suffixes.
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
            return Err("the encoding of the output cannot be found out: name it".to_owned());
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
                return Err("//TRANSLIT is not known here; //REPLACE writes `?`, --errors escape keeps all".to_owned());
            }
            _ => return Err(format!("unknown suffix //{suffix}; known are //IGNORE and //REPLACE")),
        };
    }
    Ok(Code { encoding, errors, with_bom: names_a_bom(text) })
}

/// Whether it is one of the names for UTF-8 with a BOM.
fn names_a_bom(text: &str) -> bool {
    let name = text.split("//").next().unwrap_or_default().replace('_', "-");
    ["utf-8-sig", "utf-8-bom", "utf8-sig", "utf8-bom"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// What an empty name means to iconv.
fn locale_encoding(codeset: &Codeset) -> Result<Encoding, String> {
    codeset.encoding().ok_or_else(|| match codeset.name() {
        Some(name) => format!("an empty name is the locale's encoding, and {name} is not known: name one"),
        None => "an empty name is the locale's encoding, and the locale does not say it: name one".to_owned(),
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
        assert!(code("auto").is_err_and(|e| e.contains("name it")));
        let auto = source("Auto//IGNORE").unwrap();
        assert_eq!((auto.encoding, auto.errors), (None, Some(Errors::Skip)));
        assert_eq!(source("latin1").unwrap().encoding, Some(Encoding::Latin1));
        let plain = code("utf_8//").unwrap();
        assert_eq!((plain.encoding, plain.errors, plain.with_bom), (Encoding::Utf8, None, false));
        let with_bom = source("UTF_8_SIG//IGNORE").unwrap();
        assert_eq!((with_bom.encoding, with_bom.with_bom), (Some(Encoding::Utf8), true));
    }
}
