//! The arguments of `utfkit check`.

use anyhow::ensure;
use clap::{Args as ClapArgs, ValueEnum};
use utfkit::{Encoding, Standard};

use super::{Inputs, brief, with_names};
use crate::names::encoding;

const CHECK: &str = "\
Examples:
  utfkit check notes.txt              line, column, bytes, and what is wrong
  utfkit check --context src          each line with the bad bytes marked
  utfkit check -l .                   only the names of bad files
  utfkit check --changed --bidi       in a hook: only lines that are new
  utfkit check -f UTF-16 old.txt      is it well-formed UTF-16?

In programs and in CI:
  utfkit check -q notes.txt && ship   the status alone
  find . -name '*.md' -print0 | utfkit check --files0-from -
  utfkit check --format jsonl src | jq 'select(.kind == \"overlong\")'
  utfkit check --format sarif . > utfkit.sarif
  utfkit check --format github .      in a workflow: notes beside the lines

A folder is walked as ripgrep does it: hidden files, what .gitignore, .ignore
and .rgignore exclude, and binary files (a NUL byte in the first block, and not
UTF-16 or UTF-32; or `binary` or `-text` in .gitattributes) are left out; a file
that is named is always checked.

Without --encoding a file is checked in the encoding that .gitattributes
(working-tree-encoding) or .editorconfig (charset) declares, and in UTF-8 where
neither says anything. What they declare of a file is also an exception from
--bom forbid (charset = utf-8-bom) and from --eol (eol, end_of_line).

--bom, --eol, --nfc and --bidi report more than what is ill-formed, each as a
finding like any other: a byte order mark, CRLF, characters that are written as
letter and accent, controls that show source in another order than it runs
(Trojan Source, UTS 55).

--changed asks `git diff` which lines of the files below PATH, or below the
current folder, are not in the last commit, staged or not. A file that git does
not know is not looked at before `git add`.

A summary of each bad file goes to standard error: how many of each kind, and
which encoding the file seems to be in, if it is not UTF-8, with the command to
try. JSON and SARIF have it in the document.

Mojibake, two or three odd characters where one should be, can be well-formed:
`utfkit repair --undouble` finds and undoes it.";

/// Report every byte sequence that is not UTF-8: where, which bytes, and why
#[derive(ClapArgs, Debug)]
#[command(after_help = brief(CHECK), after_long_help = with_names(CHECK))]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    /// The definition of UTF-8 to check against
    #[arg(long, value_enum, default_value_t = StandardName::Rfc3629, value_name = "NAME", hide_short_help = true)]
    pub(crate) standard: StandardName,

    /// Their encoding [default: UTF-8, or as declared]
    ///
    /// Without it a file is checked in the encoding that .gitattributes or .editorconfig declares,
    /// and in UTF-8 where neither says anything. `utfkit list` prints the names.
    #[arg(short = 'f', long, aliases = ["from-code", "from"], value_parser = encoding, value_name = "NAME")]
    pub(crate) encoding: Option<Encoding>,

    /// Byte order mark (BOM) at the start
    ///
    /// A file that is declared to have one (charset = utf-8-bom) has to have one under `forbid` too.
    #[arg(long, value_enum, default_value_t = CheckBom::Allow, hide_default_value = true, value_name = "WHAT", help_heading = CONVENTIONS)]
    pub(crate) bom: CheckBom,

    /// Lines that end otherwise (CRLF for LF)
    ///
    /// Where .gitattributes (eol) or .editorconfig (end_of_line) declares the line ends of a file,
    /// that counts for it.
    #[arg(long, value_enum, value_name = "END", help_heading = CONVENTIONS)]
    pub(crate) eol: Option<Eol>,

    /// Text that is not in Unicode's Normalization Form C
    ///
    /// The same letter can be one code point, or a letter and a combining mark. They look alike and
    /// do not compare equal.
    #[arg(long, help_heading = CONVENTIONS)]
    pub(crate) nfc: bool,

    /// Controls that reorder what is shown ("Trojan Source")
    ///
    /// U+202A to U+202E and U+2066 to U+2069 show source in another order than it runs (UTS 55).
    #[arg(long, help_heading = CONVENTIONS)]
    pub(crate) bidi: bool,

    /// Only lines that are new since BASE [default: HEAD]
    ///
    /// These are the lines that `git diff` says are not in the commit BASE, staged or not. Without
    /// PATH it is those below the current folder.
    #[arg(long, value_name = "BASE", num_args = 0..=1, require_equals = true, default_missing_value = "HEAD")]
    pub(crate) changed: Option<String>,

    /// The form of the findings
    #[arg(long, value_enum, default_value_t = Format::Text, hide_default_value = true)]
    pub(crate) format: Format,

    /// Print at most N findings a file and count the others; 0 prints all
    #[arg(long, default_value_t = 100, value_name = "N", hide_short_help = true)]
    pub(crate) max_errors: u64,

    /// Show the line of each finding, the bad bytes marked
    #[arg(long, conflicts_with_all = ["quiet", "list_bad", "list_good"])]
    pub(crate) context: bool,

    /// Print nothing, in no format: the exit status tells
    #[arg(short, long, alias = "silent", short_alias = 's')]
    pub(crate) quiet: bool,

    /// Print only the names of files that are ill-formed
    #[arg(short = 'l', long, conflicts_with_all = ["quiet", "list_good"])]
    pub(crate) list_bad: bool,

    /// Print only the names of files that are well-formed
    #[arg(short = 'i', long, conflicts_with = "quiet")]
    pub(crate) list_good: bool,
}

/// The heading of these options in `--help`.
const CONVENTIONS: &str = "Also report, where the text is well-formed";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckBom {
    /// None may be there
    Forbid,
    /// One has to be there
    Require,
    /// It does not matter
    Allow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Eol {
    /// LF (\n), as on Unix
    Lf,
    /// CRLF (\r\n), as on Windows
    Crlf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// PATH:LINE:COLUMN: byte OFFSET: BYTES: KIND: message
    Text,
    /// A JSON object a line: one a finding, and one a file
    Jsonl,
    /// One JSON document
    Json,
    /// SARIF 2.1.0, for programs that collect results
    Sarif,
    /// Workflow commands, which GitHub shows beside the lines
    Github,
}

impl Check {
    /// What the parser cannot see.
    pub(crate) fn validate(&self) -> anyhow::Result<()> {
        let text = self.format == Format::Text;
        ensure!(text || !self.context, "--context is for people: leave it out, or --format");
        ensure!(
            text || !(self.list_bad || self.list_good),
            "-l and -i print names, one a line: leave --format out (--format json says of each file what it is)"
        );
        Ok(())
    }
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
