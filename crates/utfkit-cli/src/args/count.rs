//! The arguments of `utfkit count`.

use clap::{Args as ClapArgs, ValueEnum};
use utfkit::Encoding;

use super::{Inputs, brief, with_names};
use crate::names::encoding;

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
              0 for a combining mark, 1 for an ill-formed sequence; a tab
              goes to the next multiple of 8
ill-formed    sequences, as `utfkit check` finds them; with any, the status is 1

Several files have a total: the sums, and the widest line of all. A line without
ASCII for 64 KiB is measured in pieces: an emoji of several characters that lies
across two of them counts as its parts.";

/// Count bytes, code points, lines, UTF-16 units, columns, and ill-formed sequences
#[derive(ClapArgs, Debug)]
#[command(after_help = brief(COUNT), after_long_help = with_names(COUNT))]
pub(crate) struct Count {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    /// The encoding of the files (see `utfkit list`)
    #[arg(short = 'f', long, aliases = ["from-code", "from"], value_parser = encoding, default_value = "UTF-8", value_name = "NAME")]
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
