//! The arguments of `utfkit repair`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use utfkit::repair::Fallback;

use super::{Inputs, Outputs, Writing, brief, with_names};
use crate::names::encoding;

const REPAIR: &str = "\
Examples:
  utfkit repair --dry-run src                     what would be changed: a line a change
  utfkit repair --diff --fallback windows-1252 a.txt
  utfkit repair --in-place --log undo.jsonl --fallback windows-1252 old
  utfkit repair --undo undo.jsonl                 the original bytes again
  utfkit repair --undouble <dump.sql >new.sql     what was encoded twice
  utfkit repair --reinterpret --in-place=.bak java.txt

What is well-formed is not touched, and a file that needs nothing is not
written. Without --fallback U+FFFD stands for each maximal subpart of what is
ill-formed. Of --undouble: the text decides, as it stands and as it would be, and
says in which encoding it was read (windows-1250 to 1258, ISO-8859, IBM437, 850,
852 and 866, macintosh, KOI8-R); what can be meant as it stands is left.

Exit status: 0 repaired as asked; with --dry-run, or with --diff alone, 1 if
something would change; 2 a file could not be read or written.";

/// Make UTF-8 well-formed, and touch nothing else
#[derive(ClapArgs, Debug)]
#[command(after_help = brief(REPAIR), after_long_help = with_names(REPAIR))]
pub(crate) struct Repair {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    #[command(flatten)]
    pub(crate) outputs: Outputs,

    #[command(flatten)]
    pub(crate) writing: Writing,

    /// Write nothing: say what would be changed, a line a change
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,

    /// Show the changes as a unified diff; without -o and --in-place write nothing
    #[arg(long)]
    pub(crate) diff: bool,

    /// Read ill-formed bytes in this encoding, which has a byte a character
    #[arg(long, value_parser = fallback, value_name = "NAME")]
    pub(crate) fallback: Option<Fallback>,

    /// Undo mojibake: UTF-8 that was read in another encoding and encoded again, once or several times
    #[arg(long)]
    pub(crate) undouble: bool,

    /// Make of overlong forms, forms of five and six bytes and surrogate pairs (CESU-8) the character they spell
    #[arg(long)]
    pub(crate) reinterpret: bool,

    /// Restore the original bytes of every file of this log
    #[arg(
        long,
        value_name = "LOG",
        conflicts_with_all = ["paths", "files0_from", "output", "in_place", "clean", "dry_run", "diff", "fallback", "undouble", "reinterpret", "log"]
    )]
    pub(crate) undo: Option<PathBuf>,

    /// Do not count on standard error what was done
    #[arg(short, long, alias = "quiet", short_alias = 'q')]
    pub(crate) silent: bool,
}

fn fallback(name: &str) -> Result<Fallback, String> {
    let encoding = encoding(name)?;
    Fallback::new(encoding).ok_or_else(|| {
        format!(
            "in {encoding} a byte is not a character, so where its text begins among UTF-8 cannot be told; \
             for a file that is all {encoding} use `utfkit convert -f {encoding}`"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fallback_has_a_byte_a_character() {
        assert_eq!(fallback("cp1252").unwrap().read(0x80), '€');
        assert_eq!(fallback("latin1").unwrap().read(0xE9), 'é');
        for name in ["Shift_JIS", "UTF-16", "UTF-8", "US-ASCII"] {
            assert!(fallback(name).unwrap_err().contains("utfkit convert -f"), "{name}");
        }
        assert!(fallback("klingon").unwrap_err().contains("unknown"));
    }
}
