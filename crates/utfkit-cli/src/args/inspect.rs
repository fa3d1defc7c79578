//! The arguments of `utfkit inspect`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use utfkit::Encoding;

use super::check::StandardName;
use super::help::{brief, with_names};
use super::inputs::Decompress;
use crate::names::encoding;

const INSPECT: &str = "\
Examples:
  utfkit inspect notes.txt
  utfkit inspect --range 31..+8 notes.txt     8 bytes from byte 31 on
  printf 'caf\\303\\251' | utfkit inspect
  utfkit inspect --encoding UTF-16 --max 40 page.txt
  utfkit inspect --color always notes.txt | less -RS
  utfkit inspect --jsonl notes.txt | jq 'select(.script == \"Cyrillic\")'

Each row is a code point or an ill-formed sequence: byte offset, bytes, bits,
code point, the character if it is safe to print, and its name or the error. In
the bits, | separates header and payload: 110|00011 10|101001. A byte without |
is all payload; a byte that ends in | is all header. Encodings whose bits are
not those of the code point (UTF-7, most legacy encodings) show no bits. Code
points without a name are described in parentheses.

--range selects bytes: A..B (B excluded), A.., ..B, or A..+N for N bytes.
Numbers may be hexadecimal (0x1F). Rows that lie partly in the range are shown
whole. In files the range is found by seeking; in pipes the bytes before it are
read and dropped. In UTF-7, UTF-1, ISO-2022 and multi-byte legacy encodings, the
meaning of a byte depends on all bytes before it, so they are read as well.

With --jsonl each row is an object with the members path, offset, length, bytes
(hex), bits, code_point, name, note (\"private use\", \"state change\", ...), script,
character, kind and message; members that do not apply are null. For an
ill-formed sequence, kind and message describe the error, and code_point and
name the character that it would spell, if any.

Exit status: 1 if an ill-formed sequence was shown; 2 if a file could not be
read.";

/// Show the code points in a file: bytes, bits, names and errors
#[derive(ClapArgs, Debug)]
#[command(after_help = brief(INSPECT), after_long_help = with_names(INSPECT))]
pub(crate) struct Inspect {
    /// Files; `-` or nothing is standard input
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) compressed: Decompress,

    /// Show only these bytes: A..B, A.., ..B or A..+N
    #[arg(long, value_parser = range, default_value = "..", hide_default_value = true, value_name = "A..B")]
    pub(crate) range: ByteRange,

    /// Show at most N rows per file
    #[arg(long, value_parser = rows, value_name = "N")]
    pub(crate) max: Option<u64>,

    /// Encoding of the files (see `utfkit list`)
    #[arg(short = 'f', long, aliases = ["from-code", "from"], value_parser = encoding, default_value = "UTF-8", value_name = "NAME")]
    pub(crate) encoding: Encoding,

    /// Definition of UTF-8 to check against
    #[arg(long, value_enum, default_value_t = StandardName::Rfc3629, value_name = "NAME")]
    pub(crate) standard: StandardName,

    /// Print one JSON object per row instead of a table
    #[arg(long)]
    pub(crate) jsonl: bool,
}

/// A range of bytes in a file; `end` is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ByteRange {
    pub(crate) start: u64,
    pub(crate) end: u64,
}

fn range(text: &str) -> Result<ByteRange, String> {
    let Some((start, end)) = text.split_once("..") else {
        return Err("a range is A..B, A.., ..B or A..+N, in bytes; one byte is A..+1".to_owned());
    };
    let start = if start.is_empty() { 0 } else { number(start)? };
    let end = match end.strip_prefix('+') {
        Some(length) => start.saturating_add(number(length)?),
        None if end.is_empty() => u64::MAX,
        None => number(end)?,
    };
    if end < start {
        return Err(format!("the range ends before it begins; {start}..+N is N bytes from {start} on"));
    }
    Ok(ByteRange { start, end })
}

fn rows(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "not a number of rows; write a number such as 40".to_owned())
}

fn number(text: &str) -> Result<u64, String> {
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let (digits, radix) = hex.map_or((text, 10), |hex| (hex, 16));
    // `from_str_radix` takes a sign.
    match digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then(|| u64::from_str_radix(digits, radix)) {
        Some(Ok(number)) => Ok(number),
        _ => Err(format!("`{text}` is not a number of bytes; write a number such as 4096 or 0x1000")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_four_forms() {
        for (text, start, end) in [
            ("..", 0, u64::MAX),
            ("3..7", 3, 7),
            ("3..", 3, u64::MAX),
            ("..7", 0, 7),
            ("3..+4", 3, 7),
            ("..+4", 0, 4),
            ("0x10..0X2f", 16, 47),
            ("0x10..+0x10", 16, 32),
            ("5..5", 5, 5),
            ("1..+18446744073709551615", 1, u64::MAX),
        ] {
            assert_eq!(range(text), Ok(ByteRange { start, end }), "{text}");
        }
        for (text, advice) in [
            ("7", "A..+1"),
            ("7..3", "before it begins"),
            ("a..b", "such as 4096 or 0x1000"),
            ("-1..", "not a number"),
            ("0x..", "not a number"),
            ("+1..", "not a number"),
            ("0..++1", "not a number"),
            ("0..99999999999999999999", "not a number"),
        ] {
            assert!(range(text).is_err_and(|error| error.contains(advice)), "{text}: {:?}", range(text));
        }
    }
}
