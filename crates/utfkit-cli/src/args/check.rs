//! The arguments of `utfkit check`.

use anyhow::ensure;
use clap::{Args as ClapArgs, ValueEnum};
use utfkit::{Encoding, Standard};

use super::{Inputs, with_names};
use crate::names::encoding;

const CHECK: &str = "\
Examples:
  utfkit check notes.txt              notes.txt:2:7: byte 31: C0 AF: overlong: ...
  utfkit check -q notes.txt && ship   the status alone
  utfkit check -l .                   names of bad files below here
  find . -name '*.md' -print0 | utfkit check --files0-from -
  utfkit check --context notes.txt    each line with the bad bytes marked
  utfkit check --format jsonl src | jq 'select(.kind == \"overlong\")'
  utfkit check --format sarif . > utfkit.sarif
  utfkit check --format github .      in a workflow: notes beside the lines

A folder is walked as ripgrep does it: hidden files, what .gitignore excludes,
and binary files (a NUL byte in the first block, and not UTF-16 or UTF-32) are
left out; a file that is named is always checked.

A summary of each bad file goes to standard error: how many of each kind, and,
where nearly all say the same, what the file is in truth and what to try. JSON
and SARIF have it in the document.";

/// Report every ill-formed sequence: line, column, offset, bytes, and why
#[derive(ClapArgs, Debug)]
#[command(after_help = CHECK, after_long_help = with_names(CHECK))]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    /// The definition of UTF-8 to check against
    #[arg(long, value_enum, default_value_t = StandardName::Rfc3629, value_name = "NAME")]
    pub(crate) standard: StandardName,

    /// The encoding that the files should be in [default: what .gitattributes and .editorconfig
    /// declare, or UTF-8]
    #[arg(short = 'f', long, visible_aliases = ["from-code", "from"], value_parser = encoding, value_name = "NAME")]
    pub(crate) encoding: Option<Encoding>,

    /// Report a byte order mark (BOM) at the start of a file, or that there is none
    #[arg(long, value_enum, default_value_t = CheckBom::Allow, value_name = "WHAT", help_heading = CONVENTIONS)]
    pub(crate) bom: CheckBom,

    /// Report lines that end in another way: CRLF, say, where LF should be
    #[arg(long, value_enum, value_name = "END", help_heading = CONVENTIONS)]
    pub(crate) eol: Option<Eol>,

    /// Report text that is not in Unicode's Normalization Form C
    #[arg(long, help_heading = CONVENTIONS)]
    pub(crate) nfc: bool,

    /// Report controls that reorder what is shown ("Trojan Source", UTS 55)
    #[arg(long, help_heading = CONVENTIONS)]
    pub(crate) bidi: bool,

    /// Report only lines that are new since BASE [default: HEAD], by `git diff`
    #[arg(long, value_name = "BASE", num_args = 0..=1, require_equals = true, default_missing_value = "HEAD")]
    pub(crate) changed: Option<String>,

    /// How findings are printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,

    /// Print at most N findings a file and count the others; 0 prints all
    #[arg(long, default_value_t = 100, value_name = "N")]
    pub(crate) max_errors: u64,

    /// Show the line of each finding with the bad bytes marked (text only)
    #[arg(long, conflicts_with_all = ["quiet", "list_bad", "list_good"])]
    pub(crate) context: bool,

    /// Print nothing, in no format: the exit status tells
    #[arg(short, long, visible_alias = "silent", visible_short_alias = 's')]
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
