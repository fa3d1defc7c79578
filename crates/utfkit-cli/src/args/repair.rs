//! The arguments of `utfkit repair`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use utfkit::repair::Fallback;

use super::help::{brief, with_names};
use super::inputs::{Decompress, Inputs};
use super::outputs::Outputs;
use super::writing::Writing;
use crate::names::encoding;

const REPAIR: &str = "\
Examples:
  utfkit repair --dry-run src                     list the changes, write nothing
  utfkit repair --diff --fallback auto a.txt      read what is not UTF-8 in the encoding that it is in
  utfkit repair --diff --fallback windows-1252 a.txt
  utfkit repair --in-place --log undo.jsonl --fallback windows-1252 old
  utfkit repair --undo undo.jsonl                 restore the original bytes
  utfkit repair --undouble <dump.sql >new.sql     undo mojibake
  utfkit repair --reinterpret --in-place=.bak java.txt

Well-formed text is not changed, except by --undouble, and a file that needs no
repair is not written. Without --fallback, each maximal subpart of an ill-formed
sequence becomes U+FFFD, unless a line break or a delimiter cut a character and
its other bytes follow: these are joined before it. With it, ill-formed bytes
are decoded in that encoding, and so are bytes in the same word or line that are
UTF-8 only by chance. With --fallback auto, the ill-formed bytes of a file, all
together and with their lines, determine the encoding; a file for which it is a
guess is refused.

--undouble recognizes mojibake by its text, without being told the encoding that
it was wrongly read in: UTF-8 read as windows-1250 to 1258, ISO-8859, IBM437,
850, 852 and 866, macintosh, KOI8-R, GBK, Shift_JIS, Big5 or EUC-KR; text in
these read as the encoding of another system or language (windows-1251 read as
windows-1252); controls for windows-1252's quotes and dashes. Text that makes
sense as it is stays unchanged, and so does what lost a character.

Exit status: 0 repaired; with --dry-run, or --diff alone, 1 if something would
change; 2 a file could not be read or written.";

/// Repair ill-formed UTF-8 and change nothing else
#[derive(ClapArgs, Debug)]
#[command(after_help = brief(REPAIR), after_long_help = with_names(REPAIR))]
pub(crate) struct Repair {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    #[command(flatten)]
    pub(crate) compressed: Decompress,

    #[command(flatten)]
    pub(crate) outputs: Outputs,

    #[command(flatten)]
    pub(crate) writing: Writing,

    /// Write nothing; list the changes, one per line
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,

    /// Show the changes as a unified diff; write files only with -o or --in-place
    #[arg(long)]
    pub(crate) diff: bool,

    /// Decode ill-formed bytes in this encoding; `auto` is the one in which they are the likeliest text
    #[arg(long, value_parser = fallback, value_name = "NAME")]
    pub(crate) fallback: Option<FallbackArg>,

    /// Write this text for an ill-formed sequence instead of U+FFFD; '' drops it
    #[arg(long, value_name = "TEXT")]
    pub(crate) replacement: Option<String>,

    /// Undo mojibake: text that was wrongly read in another encoding and saved as UTF-8, even repeatedly
    #[arg(long)]
    pub(crate) undouble: bool,

    /// Decode overlong forms, five- and six-byte forms and surrogate pairs (CESU-8) as their character
    #[arg(long)]
    pub(crate) reinterpret: bool,

    /// Restore the original bytes of every file in this log
    #[arg(
        long,
        value_name = "LOG",
        conflicts_with_all = ["paths", "files0_from", "output", "in_place", "clean", "dry_run", "diff", "fallback", "replacement", "undouble", "reinterpret", "log"]
    )]
    pub(crate) undo: Option<PathBuf>,

    /// Do not print a summary of the changes to standard error
    #[arg(short, long, alias = "quiet", short_alias = 'q')]
    pub(crate) silent: bool,
}

/// The encoding of ill-formed bytes.
#[derive(Clone, Debug)]
pub(crate) enum FallbackArg {
    /// The one that the survey of each file finds.
    Auto,
    Named(Box<Fallback>),
}

fn fallback(name: &str) -> Result<FallbackArg, String> {
    if name.eq_ignore_ascii_case("auto") {
        return Ok(FallbackArg::Auto);
    }
    let encoding = encoding(name)?;
    Fallback::new(encoding).map(|fallback| FallbackArg::Named(Box::new(fallback))).ok_or_else(|| {
        format!(
            "--fallback needs an encoding from before Unicode, such as windows-1252 or Shift_JIS; \
             if the whole file is {encoding}, use `utfkit convert -f {encoding}`"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fallback_is_an_encoding_from_before_unicode() {
        for (name, expected) in [("cp1252", "windows-1252"), ("latin1", "ISO-8859-1"), ("sjis", "Shift_JIS")] {
            let FallbackArg::Named(fallback) = fallback(name).unwrap() else { panic!("{name}") };
            assert_eq!(fallback.encoding().name(), expected);
        }
        assert!(matches!(fallback("auto"), Ok(FallbackArg::Auto)));
        for name in ["ISO-2022-JP", "UTF-16", "UTF-8", "US-ASCII"] {
            assert!(fallback(name).unwrap_err().contains("utfkit convert -f"), "{name}");
        }
        assert!(fallback("klingon").unwrap_err().contains("unknown"));
    }
}
