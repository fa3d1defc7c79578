//! The arguments of `utfkit fix`.

use anyhow::ensure;
use clap::{Args as ClapArgs, ValueEnum};
use utfkit::Encoding;

use super::inputs::Inputs;
use super::rules::{BomRule, RuleArgs, bom_words};
use super::writing::{Trust, Writing};
use crate::names::encoding;

const FIX: &str = "\
Examples:
  utfkit fix old                    show the plan, then ask
  utfkit fix --yes old              do not ask
  utfkit fix --dry-run old          show the plan alone
  utfkit fix --trust likely old     also convert where the encoding is less certain
  utfkit fix --eol lf --nfc src     also mend line ends and decomposed letters
  utfkit fix --format jsonl old     print the plan as JSON
  utfkit undo                       undo the last run

Files in other encodings are converted to UTF-8, UTF-8 that was encoded twice
(mojibake) is decoded, a BOM is dropped, and a declaration of the old encoding
(<?xml encoding?>, <meta charset>, @charset, vim and Emacs mode lines, coding:,
Content-Type) is rewritten. Well-formed UTF-8, binary files and the files of
version control are not touched.

Files are changed only if their encoding is certain or nearly certain; --trust
likely includes more. Others, such as text in an unknown encoding, are listed as
left alone, with the reason. Files are replaced atomically, changes are logged,
and `utfkit undo` restores them.

Rules are off unless asked for, except that a BOM at the start is removed, and
with it those at the start of other lines, where files were joined. They change
only what they name: every other byte of a file that keeps its encoding
stays. `utfkit check` with the same rules shows each place. U+FFFD and
bidirectional controls are listed and not changed: the text that U+FFFD stands
for is lost, and only a person can say if a control is wanted. With --controls,
text with a few NULs is no binary file; -a says so where that is not sure.

The plan of more than ten files begins with sums, and files that are alike share
a row with one of them as an example; --all gives each file its own. On a
terminal, a plan that is longer than the screen is shown with $PAGER, or less.

Exit status: 0 nothing left to do; 1 files would be changed or were left alone;
2 a file could not be read or written.";

/// Convert files in unknown encodings to UTF-8: show a plan, ask, then do it
#[derive(ClapArgs, Debug)]
// Standard input cannot be fixed.
#[command(
    after_help = FIX,
    mut_arg("paths", |paths| paths.help("Files and folders to fix")),
    mut_arg("bom", |bom| bom.value_parser(bom_words(false))),
    mut_arg("controls", |controls| controls.num_args(1).require_equals(false))
)]
pub(crate) struct Fix {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    #[command(flatten)]
    pub(crate) writing: Writing,

    /// Make the changes without asking
    #[arg(short, long)]
    pub(crate) yes: bool,

    /// Show the plan; do not ask, and change nothing
    #[arg(short = 'n', long, conflicts_with = "yes")]
    pub(crate) dry_run: bool,

    /// How sure the encoding of a file has to be before it is converted
    #[arg(long, value_enum, default_value_t = Trust::NearlyCertain, value_name = "HOW")]
    pub(crate) trust: Trust,

    /// List each file of the plan, not only one of each group
    #[arg(long, conflicts_with = "format")]
    pub(crate) all: bool,

    /// Remove temporary files that an interrupted run left in the folders
    #[arg(long, hide_short_help = true)]
    pub(crate) clean: bool,

    #[command(flatten)]
    pub(crate) rules: RuleArgs,

    /// Keep a BOM at the start, as --bom keep does
    #[arg(long, hide = true, conflicts_with = "bom")]
    pub(crate) keep_bom: bool,

    /// Keep files in this encoding, and only mend what the rules find
    ///
    /// A file that is not well-formed in it is left alone. Without this, files become UTF-8, or the
    /// encoding that .gitattributes (working-tree-encoding) or .editorconfig (charset) declares.
    #[arg(
        short = 'f',
        long,
        aliases = ["from-code", "from"],
        value_parser = encoding,
        value_name = "NAME",
        hide_short_help = true
    )]
    pub(crate) encoding: Option<Encoding>,

    /// Format of the plan: for people, or an object for each file
    #[arg(long, value_enum, default_value_t = FixFormat::Text)]
    pub(crate) format: FixFormat,

    /// Do not print a summary of the changes to standard error
    #[arg(short, long)]
    pub(crate) silent: bool,

    /// Set by `check --fix` with a format that has no plan.
    #[arg(skip)]
    pub(crate) hides_plan: bool,
}

impl Fix {
    /// Rejects combinations of options that clap cannot express.
    pub(crate) fn validate(&self) -> anyhow::Result<()> {
        ensure!(
            self.encoding.is_none() || self.rules.is_any(),
            "--encoding keeps files in their encoding, so it needs a rule such as --eol lf; to convert files, use \
             `utfkit convert`"
        );
        Ok(())
    }

    /// The rules, with --keep-bom among them.
    pub(crate) fn rules(&self) -> RuleArgs {
        let kept = self.keep_bom.then_some(BomRule::Allow);
        RuleArgs { bom: self.rules.bom.or(kept), ..self.rules }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FixFormat {
    /// Sums, and a table with a row for each group of files
    Text,
    /// One JSON object per line and file
    Jsonl,
}
