//! The command line.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use utfkit::isa::Isa;
use utfkit::{Encoding, EscapeForm, Standard};

use crate::names::encoding;

/// Validate, convert and diagnose UTF-8 and its relatives.
#[derive(Debug, Parser)]
#[command(
    name = "utfkit",
    disable_version_flag = true,
    after_help = "\
Examples:
  utfkit check notes.txt                     what is wrong, and on which line
  utfkit check src                           every file of a folder
  utfkit convert -f UTF-16 -o out.txt in.txt
  utfkit count src                           lines, characters, columns
  utfkit list                                encodings and their names

Exit status: 0 all well; 1 something is ill-formed or not in the target
encoding; 2 a file could not be read or written, or wrong usage."
)]
pub(crate) struct Args {
    /// Print the version; with --verbose, the instruction sets too
    #[arg(short = 'V', long)]
    pub(crate) version: bool,

    #[command(flatten)]
    pub(crate) global: Global,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// The heading of these options in `--help`.
const EVERYWHERE: &str = "For every subcommand";

/// What every subcommand knows.
#[derive(ClapArgs, Debug)]
pub(crate) struct Global {
    /// Work on N files at once [default: one for each processor]
    #[arg(short = 'j', long = "threads", value_name = "N", global = true, help_heading = EVERYWHERE)]
    threads: Option<usize>,

    /// When to use colour
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN", global = true, help_heading = EVERYWHERE)]
    pub(crate) color: Color,

    /// Use this instruction set: scalar, ssse3, avx2, avx512, neon, simd128
    #[arg(long, value_name = "NAME", global = true, help_heading = EVERYWHERE)]
    pub(crate) isa: Option<Isa>,

    /// Say more: which files were skipped; with --version, the instruction sets
    #[arg(short, long, global = true, help_heading = EVERYWHERE)]
    pub(crate) verbose: bool,
}

impl Global {
    pub(crate) fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, NonZero::get);
        self.threads.filter(|&n| n > 0).unwrap_or_else(all)
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

impl Color {
    pub(crate) fn apply(self) {
        let choice = match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(Check),
    Convert(Convert),
    Count(Count),
    /// Print the encodings, each with its other names
    #[command(after_help = LIST, after_long_help = with_names(LIST))]
    List,
}

const LIST: &str = "\
Examples:
  utfkit list
  utfkit list | grep -i latin
  utfkit list --help            what the names mean";

/// What `--help` says about the names of encodings.
const NAMES: &str = "\
Names of encodings:
  A name means what IANA registered it for; `utfkit list` prints all. Case does
  not matter, nor does anything but letters and digits: utf_16be is UTF-16BE.
  With web: in front it means what browsers take it for (WHATWG Encoding
  Standard): ISO-8859-1 is ISO-8859-1, where 93 is a control character, but
  web:ISO-8859-1 is windows-1252, where it is a quotation mark; US-ASCII ends at
  7F, but web:US-ASCII is windows-1252 too; web:UTF-16 is UTF-16LE.

  ISO-2022-UTF-8 is ISO-8859-1 in which ESC % G switches to UTF-8 and ESC % @
  back, as utf-8(7) has it. ISO-2022-UTF-8+KOI8-R has KOI8-R outside of UTF-8
  instead; behind the + may stand any encoding from before Unicode but
  ISO-2022-JP.

  UTF-8-RFC2044 takes overlong forms and surrogates, as the first definition of
  UTF-8 did. It is unsafe: what a check of the bytes kept out (a slash, a NUL)
  comes in by another form. Use it to read old data, never to judge any.";

/// The examples, and what the names mean.
fn with_names(examples: &str) -> String {
    format!("{examples}\n\n{NAMES}")
}

/// What to read.
#[derive(ClapArgs, Debug)]
pub(crate) struct Inputs {
    /// Files and folders; `-` or nothing is standard input
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Read the names of files from FILE (`-` is standard input), each ended by a NUL byte
    #[arg(long, value_name = "FILE", conflicts_with = "paths")]
    pub(crate) files0_from: Option<PathBuf>,

    /// In folders, read hidden files too
    #[arg(long)]
    pub(crate) hidden: bool,

    /// In folders, read what .gitignore and its like exclude too
    #[arg(long)]
    pub(crate) no_ignore: bool,
}

const CHECK: &str = "\
Examples:
  utfkit check notes.txt              notes.txt:2:7: byte 31: C0 AF: overlong: ...
  utfkit check -q notes.txt && ship   the status alone
  utfkit check -l .                   names of bad files below here
  find . -name '*.md' -print0 | utfkit check --files0-from -
  utfkit check --format jsonl src | jq 'select(.kind == \"overlong\")'

A folder is walked as ripgrep does it: hidden files, what .gitignore excludes,
and binary files (with a NUL byte in their first block) are left out; a file
that is named is always checked.";

/// Report every ill-formed sequence: line, column, offset, bytes, and why
#[derive(ClapArgs, Debug)]
#[command(after_help = CHECK, after_long_help = with_names(CHECK))]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    /// The definition of UTF-8 to check against
    #[arg(long, value_enum, default_value_t = StandardName::Rfc3629, value_name = "NAME")]
    pub(crate) standard: StandardName,

    /// The encoding that the files should be in (see `utfkit list`)
    #[arg(long, value_parser = encoding, default_value = "UTF-8", value_name = "NAME")]
    pub(crate) encoding: Encoding,

    /// How findings are printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,

    /// Print at most N findings a file and count the others; 0 prints all
    #[arg(long, default_value_t = 100, value_name = "N")]
    pub(crate) max_errors: u64,

    /// Print nothing: the exit status tells
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Print only the names of files that are ill-formed
    #[arg(short = 'l', long, conflicts_with_all = ["quiet", "list_good"])]
    pub(crate) list_bad: bool,

    /// Print only the names of files that are well-formed
    #[arg(short = 'i', long, conflicts_with = "quiet")]
    pub(crate) list_good: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// PATH:LINE:COLUMN: byte OFFSET: BYTES: KIND: message
    Text,
    /// A JSON object a line: one a finding, and one a file
    Jsonl,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StandardName {
    /// UTF-8 of today: at most four bytes, U+10FFFF
    Rfc3629,
    /// Up to six bytes, 31 bits
    Rfc2279,
    /// The same, overlong forms and surrogates allowed (unsafe)
    Rfc2044,
    /// RFC 3629 without U+FFFE and U+FFFF
    Kuhn,
    /// RFC 3629 without any of the 66 noncharacters
    NoNoncharacters,
}

impl From<StandardName> for Standard {
    fn from(name: StandardName) -> Standard {
        match name {
            StandardName::Rfc3629 => Standard::Rfc3629,
            StandardName::Rfc2279 => Standard::Rfc2279,
            StandardName::Rfc2044 => Standard::Rfc2044,
            StandardName::Kuhn => Standard::Kuhn,
            StandardName::NoNoncharacters => Standard::NoNoncharacters,
        }
    }
}

const CONVERT: &str = "\
Examples:
  utfkit convert -f UTF-16 in.txt                 to UTF-8, on standard output
  utfkit convert -t UTF-16LE --bom add -o b.txt a.txt
  utfkit convert -f latin1 -t UTF-8 --in-place=.bak old/*.txt
  printf '5 \\342\\202\\254' | utfkit convert -t ISO-8859-1 --errors escape
  utfkit convert -c -f UTF-8 -t US-ASCII//IGNORE  as with iconv
  utfkit convert -f web:latin1 page.html          as a browser reads it

Without --errors the first ill-formed sequence, or character that the target
lacks, stops the conversion with status 1 and is reported as `utfkit check`
would. With -o or --in-place a file is then left as it was.";

/// Convert from one encoding to another
#[derive(ClapArgs, Debug)]
#[command(after_help = CONVERT, after_long_help = with_names(CONVERT))]
pub(crate) struct Convert {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    /// The encoding of the input (see `utfkit list`); //IGNORE and //REPLACE may follow
    #[arg(short, long = "from-code", visible_alias = "from", value_parser = code, default_value = "UTF-8", value_name = "NAME")]
    pub(crate) from: Code,

    /// The encoding of the output; //IGNORE and //REPLACE may follow
    #[arg(short, long = "to-code", visible_alias = "to", value_parser = code, default_value = "UTF-8", value_name = "NAME")]
    pub(crate) to: Code,

    /// Write to FILE, whole or not at all
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Write each file back over itself; with SUFFIX, keep the old one under its name with SUFFIX
    #[arg(
        long,
        value_name = "SUFFIX",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        conflicts_with = "output"
    )]
    pub(crate) in_place: Option<String>,

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

    /// What becomes of a signature (U+FEFF) at the start
    #[arg(long, value_enum, default_value_t = Bom::Keep, value_name = "WHAT")]
    pub(crate) bom: Bom,

    /// Do not count on standard error what was replaced, skipped or escaped
    #[arg(short, long)]
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
}

impl From<EscapeFormName> for EscapeForm {
    fn from(name: EscapeFormName) -> EscapeForm {
        match name {
            EscapeFormName::Braces => EscapeForm::Braces,
            EscapeFormName::Xml => EscapeForm::Xml,
            EscapeFormName::Hex => EscapeForm::Hex,
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

const COUNT: &str = "\
Examples:
  utfkit count notes.txt
  utfkit count --encoding UTF-16 old/*.txt
  utfkit count --format jsonl src | jq 'select(.ill_formed > 0).path'

bytes         all of the file
code points   the well-formed ones
lines         line feeds (U+000A), as `wc -l` counts them
UTF-16 units  what these code points take in UTF-16
columns       what the widest line takes on a terminal: 2 for a wide character,
              0 for a combining mark, 1 for an ill-formed sequence; a tabulator
              goes to the next multiple of 8
ill-formed    sequences, as `utfkit check` finds them; with any, the status is 1

Several files have a total: the sums, and the widest line of all. A line without
ASCII for 64 KiB is measured in pieces: an emoji of several characters that lies
across two of them counts as its parts.";

/// Count bytes, code points, lines, UTF-16 units, columns, and what is ill-formed
#[derive(ClapArgs, Debug)]
#[command(after_help = COUNT, after_long_help = with_names(COUNT))]
pub(crate) struct Count {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    /// The encoding of the files (see `utfkit list`)
    #[arg(long, value_parser = encoding, default_value = "UTF-8", value_name = "NAME")]
    pub(crate) encoding: Encoding,

    /// How counts are printed
    #[arg(long, value_enum, default_value_t = CountFormat::Text)]
    pub(crate) format: CountFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CountFormat {
    /// A table with titles
    Text,
    /// A JSON object a line: one a file, and one for all if there are several
    Jsonl,
}

/// A name with iconv's suffixes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Code {
    pub(crate) encoding: Encoding,
    pub(crate) errors: Option<Errors>,
}

fn code(text: &str) -> Result<Code, String> {
    let mut parts = text.split("//");
    let encoding = encoding(parts.next().unwrap_or_default())?;
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
    Ok(Code { encoding, errors })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn codes_have_suffixes() {
        let ascii = code("ascii//TRANSLIT");
        assert!(ascii.is_err_and(|e| e.contains("//REPLACE")));
        let latin = code("latin1//ignore").unwrap();
        assert_eq!((latin.encoding, latin.errors), (Encoding::Latin1, Some(Errors::Skip)));
        let plain = code("utf_8//").unwrap();
        assert_eq!((plain.encoding, plain.errors), (Encoding::Utf8, None));
    }
}
