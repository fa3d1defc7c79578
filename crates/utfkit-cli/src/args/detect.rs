//! The arguments of `utfkit detect`.

use clap::{Args as ClapArgs, ValueEnum};

use super::{Inputs, brief};

const DETECT: &str = "\
Examples:
  utfkit detect notes.txt       notes.txt: UTF-8 (certain: 123 sequences of ...)
  utfkit detect --mime *.txt    notes.txt: utf-8
  utfkit detect src             every file of a folder
  utfkit detect --format jsonl src | jq 'select(.encoding != \"UTF-8\").path'

How sure it is:
  certain          proved, or so by chance in one of a million
  nearly certain   so by chance in one of thousands
  likely           it would be a surprise if not
  a guess          something else is as likely, or nearly

Every file is read whole. A byte order mark (BOM) counts first, then what is well-formed
(UTF-8, or UTF-16 and UTF-32 in one byte order). Where that leaves it open, it is
the encoding in which the bytes are the likeliest text, and what the text declares
counts for it; what is text in none, or declares one that `utfkit list` lacks, is
unknown.

With --format jsonl, each file is an object with these members:
  path           as it was given; path_bytes has it in hex if it is not UTF-8
  encoding       a name of `utfkit list`, or SCSU, BOCU-1, UTF-EBCDIC,
                 ISO-2022-CN; null if it is not text or in none of them
  bom            the encoding whose BOM is at the start, or null
  certainty      in the words above
  reason         for people
  declared       the label that the text declares, or null
  contradicted   true if the text declares an encoding that reads otherwise
  bytes          all of the file
  sequences      well-formed ones of UTF-8, of more than one byte
  ill_formed     sequences that are ill-formed in this encoding, or null where
                 they were not counted
  bits           by chance it is well-formed UTF-8 in one of 2 to the power of
                 this

Exit status: 0 all files are well-formed in an encoding that was found or
guessed; 1 one is damaged, or not text; 2 one could not be read. In a folder what
is not text is left out, and counted.";

/// Say which encoding files are in, why, and how sure that is
#[derive(ClapArgs, Debug)]
#[command(after_help = brief(DETECT), after_long_help = DETECT)]
pub(crate) struct Detect {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    /// How the results are printed
    #[arg(long, value_enum, default_value_t = DetectFormat::Text)]
    pub(crate) format: DetectFormat,

    /// Print nothing but the name, in lower case, as `file --mime-encoding` does
    #[arg(long, conflicts_with = "format")]
    pub(crate) mime: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DetectFormat {
    /// PATH: ENCODING (how sure: why)
    Text,
    /// A JSON object a line, one a file
    Jsonl,
}
