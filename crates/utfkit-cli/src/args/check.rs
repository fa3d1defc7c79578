//! The arguments of `utfkit check`.

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
