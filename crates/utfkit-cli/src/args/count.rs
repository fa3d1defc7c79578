//! The arguments of `utfkit count`.

use clap::{Args as ClapArgs, ValueEnum};
use utfkit::Encoding;

use super::help::{brief, with_names};
use super::inputs::{Decompress, Inputs};
use crate::names::encoding;

const COUNT: &str = "\
Examples:
  utfkit count notes.txt
  utfkit count --encoding UTF-16 old/*.txt
  utfkit count --format jsonl src | jq 'select(.ill_formed > 0).path'

bytes         size of the file
code points   well-formed code points
lines         line feeds (U+000A), as counted by `wc -l`
UTF-16 units  length of the code points in UTF-16 code units
columns       width of the widest line on a terminal: 2 per wide character, 0
              per combining mark, 1 per ill-formed sequence; a tab advances
              to the next multiple of 8
ill-formed    ill-formed sequences, as counted by `utfkit check`; if there are
              any, the exit status is 1

For several files a last row has the totals and the width of the widest line.
A line with more than 64 KiB of non-ASCII text is measured in pieces; an emoji
sequence across two pieces counts as its parts.";

/// Count bytes, code points, lines, UTF-16 units, columns, and ill-formed sequences
#[derive(ClapArgs, Debug)]
#[command(after_help = brief(COUNT), after_long_help = with_names(COUNT))]
pub(crate) struct Count {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    #[command(flatten)]
    pub(crate) compressed: Decompress,

    /// Encoding of the files (see `utfkit list`)
    #[arg(short = 'f', long, aliases = ["from-code", "from"], value_parser = encoding, default_value = "UTF-8", value_name = "NAME")]
    pub(crate) encoding: Encoding,

    /// Output format
    #[arg(long, value_enum, default_value_t = CountFormat::Text)]
    pub(crate) format: CountFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CountFormat {
    /// A table
    Text,
    /// One JSON object per line and file, and one for the total of several files
    Jsonl,
}
