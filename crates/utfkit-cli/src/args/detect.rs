//! The arguments of `utfkit detect`.

use clap::{Args as ClapArgs, ValueEnum};
use utfkit::Encoding;
use utfkit::detect::Language;

use super::help::brief;
use super::inputs::{Decompress, Inputs};
use crate::names::{encoding, language};

const DETECT: &str = "\
Examples:
  utfkit detect notes.txt       notes.txt: UTF-8 (certain: 123 sequences of ...)
  utfkit detect both.txt        both.txt: mixed (likely: ... windows-1250 on line 7)
  utfkit detect --mime *.txt    notes.txt: utf-8
  utfkit detect src             every file below a folder
  utfkit detect --only windows-1251,KOI8-R,UTF-8 old.txt
  utfkit detect --language pl --candidates 3 list.csv
  utfkit detect --format jsonl src | jq 'select(.encoding != \"UTF-8\").path'

Certainty of the result:
  certain          proved, or estimated to be wrong in less than 1 of 1,000,000
  nearly certain   estimated to be wrong in less than 1 of 1,000
  likely           probably right; look before you rely on it
  a guess          another encoding is about as likely

Every file is read whole. A byte order mark (BOM) decides first, then whether
the bytes are well-formed UTF-8, UTF-16 or UTF-32. Otherwise the most probable
encoding is chosen by a statistical model of text, in which a declaration such
as <meta charset> adds weight. Text that fits no encoding, or declares one that
`utfkit list` lacks, is \"unknown\".

--only and --not say which encodings come into question. Text in none of them
is \"unknown\". --language says in which languages the text probably is: their
customary encodings become likelier, and none is excluded. --candidates prints
the likeliest encodings below each file, with the probability that the text in
it is the right one; encodings that read the file alike share a line. With
either of the last two, or -v, the language of the text stands at the end of the
line, if it is clear.

With --format jsonl, each file is an object with these members:
  path           path as given; path_bytes has it in hex if it is not UTF-8
  encoding       a name of `utfkit list`, or SCSU, BOCU-1, UTF-EBCDIC,
                 ISO-2022-CN; null if unknown or binary
  bom            encoding of the BOM, or null
  certainty      one of the four above
  confidence     probability that this is right, from 0 to 1
  language       code of the language of the text (fr, zh-Hans), or null if it
                 is open
  candidates     with --candidates: encoding, alike (others that read the file
                 alike), probability, language; the likeliest first
  reason         explanation in words
  declared       label that the text declares, or null
  contradicted   true if the declared encoding does not fit the bytes
  bytes          size of the file
  sequences      well-formed multi-byte sequences of UTF-8
  ill_formed     ill-formed sequences in this encoding, or null if not counted
  bits           random bytes are well-formed UTF-8 like this with a
                 probability of 1 in 2^bits
  mixed          true for text in several encodings; left out otherwise
  pieces         its parts: offset, length, first_line, last_line, encoding,
                 certainty, cut (a part of a character that was cut)
  more_pieces    number of pieces that are left out, if there are many

Exit status: 0 every file is well-formed in the encoding found; 1 a file is
damaged or not text; 2 a file could not be read. In folders, files that are not
text are skipped and counted.";

/// Detect the encoding of files, with a reason and a degree of certainty
#[derive(ClapArgs, Debug)]
#[command(after_help = brief(DETECT), after_long_help = DETECT)]
pub(crate) struct Detect {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    #[command(flatten)]
    pub(crate) compressed: Decompress,

    /// Output format
    #[arg(long, value_enum, default_value_t = DetectFormat::Text)]
    pub(crate) format: DetectFormat,

    /// The encoding is one of these, separated by commas
    #[arg(long, value_parser = encoding, value_delimiter = ',', value_name = "NAMES")]
    pub(crate) only: Vec<Encoding>,

    /// The encoding is none of these
    #[arg(long, value_parser = encoding, value_delimiter = ',', value_name = "NAMES")]
    pub(crate) not: Vec<Encoding>,

    /// Languages that the text is probably in: codes (fr, zh-Hant) or English names
    #[arg(long, value_parser = language, value_delimiter = ',', value_name = "CODES")]
    pub(crate) language: Vec<Language>,

    /// Also print the N likeliest encodings, with their probabilities
    #[arg(long, value_name = "N", conflicts_with = "mime", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) candidates: Option<u16>,

    /// Print only the name in lower case, like `file --mime-encoding`
    #[arg(long, conflicts_with = "format")]
    pub(crate) mime: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DetectFormat {
    /// PATH: ENCODING (certainty: reason)
    Text,
    /// One JSON object per line and file
    Jsonl,
}
