//! The arguments of `utfkit check`.

use anyhow::ensure;
use clap::{Args as ClapArgs, ValueEnum};
use utfkit::{Encoding, Standard};

use super::help::{brief, with_names};
use super::inputs::{Decompress, Inputs};
use super::rules::{Controls, RULES, RuleArgs};
use super::writing::Writing;
use crate::names::encoding;

const CHECK: &str = "\
Examples:
  utfkit check notes.txt              line, column, bytes and error
  utfkit check --context src          also print the lines, bad bytes marked
  utfkit check --changed --bidi       in a hook: only new lines
  utfkit check --fix --eol lf src     mend what can be mended
  utfkit check -f UTF-16 old.txt      check UTF-16 instead of UTF-8

In scripts and CI:
  utfkit check -q notes.txt && ship   exit status only
  utfkit check -l0 . | xargs -0 utfkit detect
  find . -name '*.md' -print0 | utfkit check --files0-from -
  utfkit check --format jsonl src | jq 'select(.kind == \"overlong\")'
  utfkit check --format sarif . > utfkit.sarif
  utfkit check --format github .      annotations in a GitHub workflow

Folders are searched as ripgrep does: hidden files, files excluded by
.gitignore, .ignore or .rgignore, and binary files are skipped. A file is binary
if its first block has a NUL byte and is not UTF-16 or UTF-32, or if
.gitattributes says `binary` or `-text`. A file named on the command line is
always checked.

Without --encoding, each file is checked in the encoding that .gitattributes
(working-tree-encoding) or .editorconfig (charset) declares, else in UTF-8.
Their other settings override --bom forbid (charset = utf-8-bom) and --eol (eol,
end_of_line).

Rules (--bom, --eol, --nfc, --controls, --replacement, --bidi) report text that
is well-formed but often unwanted. Each is off unless asked for, and counts as a
finding like any other. A line ends with LF, CRLF or a CR alone. With --fix,
`utfkit check` first does what `utfkit fix` does with the same rules; what it
does not change (U+FFFD, bidirectional controls) is still reported.

--changed checks only lines that `git diff` reports as new, staged or not, below
PATH or the current folder. Untracked files are not checked until `git add`.

A summary of each bad file goes to standard error: the number of findings by
kind and, if the file looks like another encoding, its name and a command to
try. JSON and SARIF have the summary in the document.

Mojibake (two or three odd characters where one should be) can be well-formed:
`utfkit repair --undouble` finds and undoes it.";

/// Report every byte sequence that is not UTF-8: where it is and what is wrong
#[derive(ClapArgs, Debug)]
#[command(
    after_help = brief(CHECK),
    after_long_help = with_names(CHECK),
    mut_arg("text", |text| text.hide_short_help(true)),
    mut_arg("force", |force| force.hide_short_help(true)),
    mut_arg("log", |log| log.hide_short_help(true)),
    mut_arg("no_log", |no_log| no_log.hide_short_help(true))
)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    #[command(flatten)]
    pub(crate) compressed: Decompress,

    /// Definition of UTF-8 to check against
    #[arg(long, value_enum, default_value_t = StandardName::Rfc3629, value_name = "NAME", hide_short_help = true)]
    pub(crate) standard: StandardName,

    /// Encoding [default: as declared, else UTF-8]
    ///
    /// Without it, each file is checked in the encoding that .gitattributes or .editorconfig
    /// declares, else in UTF-8. `utfkit list` prints the names.
    #[arg(short = 'f', long, aliases = ["from-code", "from"], value_parser = encoding, value_name = "NAME")]
    pub(crate) encoding: Option<Encoding>,

    #[command(flatten)]
    pub(crate) rules: RuleArgs,

    /// Mend what they find, as `utfkit fix` does
    ///
    /// First does what `utfkit fix` with the same rules does: shows a plan, asks, and mends. Then
    /// checks the files. Findings that are left decide the exit status.
    #[arg(long, conflicts_with = "changed", help_heading = RULES)]
    pub(crate) fix: bool,

    /// With --fix: make the changes without asking
    #[arg(short, long, help_heading = RULES, hide_short_help = true)]
    pub(crate) yes: bool,

    #[command(flatten)]
    pub(crate) writing: Writing,

    /// Check only lines new since BASE [default: HEAD]
    ///
    /// New lines are those that `git diff BASE` reports, staged or not, below PATH or the current
    /// folder.
    #[arg(long, value_name = "BASE", num_args = 0..=1, require_equals = true, default_missing_value = "HEAD")]
    pub(crate) changed: Option<String>,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text, hide_default_value = true)]
    pub(crate) format: Format,

    /// Print at most N findings per file and count the rest; 0 prints all
    #[arg(long, default_value_t = 100, value_name = "N", hide_short_help = true)]
    pub(crate) max_errors: u64,

    /// Also show the line of each finding, bad bytes marked
    #[arg(long, conflicts_with_all = ["quiet", "list_bad", "list_good"])]
    pub(crate) context: bool,

    /// Print nothing; stop at the first ill-formed sequence
    #[arg(short, long, alias = "silent", short_alias = 's')]
    pub(crate) quiet: bool,

    /// Print only the names of ill-formed files
    #[arg(short = 'l', long, conflicts_with_all = ["quiet", "list_good"])]
    pub(crate) list_bad: bool,

    /// Print only the names of well-formed files
    #[arg(short = 'i', long, conflicts_with = "quiet")]
    pub(crate) list_good: bool,

    /// With -l or -i, end names with NUL, for `xargs -0`
    #[arg(short = '0', long, conflicts_with = "quiet", hide_short_help = true)]
    pub(crate) null: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// PATH:LINE:COLUMN: byte OFFSET: BYTES: KIND: message
    Text,
    /// One JSON object per line, for each finding and each file
    Jsonl,
    /// One JSON document
    Json,
    /// SARIF 2.1.0, for code scanning tools
    Sarif,
    /// GitHub workflow commands, shown as annotations
    Github,
}

impl Check {
    /// Rejects combinations of options that clap cannot express.
    pub(crate) fn validate(&self) -> anyhow::Result<()> {
        let text = self.format == Format::Text;
        ensure!(!self.null || self.list_bad || self.list_good, "-0 ends the names that -l and -i print");
        ensure!(text || !self.context, "--context works only with --format text");
        ensure!(
            text || !(self.list_bad || self.list_good),
            "-l and -i print one name per line and take no --format; --format json has the result for every file"
        );
        let Writing { text: as_text, force, log, no_log } = &self.writing;
        let is_for_fix = self.yes || *as_text || *force || log.is_some() || *no_log;
        ensure!(
            self.fix || !is_for_fix,
            "--yes, --text, --force, --log and --no-log are for changing files: add --fix"
        );
        ensure!(
            !self.fix || self.yes || self.shows_plan(),
            "-q, -l, -i and --format show no plan to agree to: with them, --fix needs --yes"
        );
        ensure!(
            !self.fix || self.inputs.files0_from.as_deref().is_none_or(|from| from.as_os_str() != "-"),
            "--fix reads the names of files twice, so --files0-from needs a file"
        );
        ensure!(!(self.fix && self.compressed.decompress), Decompress::WRITES);
        Ok(())
    }

    /// True if the plan of --fix is shown.
    pub(crate) fn shows_plan(&self) -> bool {
        self.format == Format::Text && !self.quiet && !self.list_bad && !self.list_good
    }

    /// Takes `--controls remove`, as `utfkit fix` has it, for `--controls=remove`.
    pub(crate) fn settle(&mut self) {
        let word = self.inputs.paths.first().filter(|path| !path.exists()).and_then(|path| path.to_str());
        let how = match word {
            Some("remove") => Controls::Remove,
            Some("escape") => Controls::Escape,
            _ => return,
        };
        if self.fix && self.rules.controls.is_some() {
            self.rules.controls = Some(how);
            self.inputs.paths.remove(0);
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StandardName {
    /// Today's UTF-8: up to four bytes and U+10FFFF
    Rfc3629,
    /// Up to six bytes, 31 bits
    Rfc2279,
    /// Like rfc2279, but overlong forms and surrogates are valid (unsafe)
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
