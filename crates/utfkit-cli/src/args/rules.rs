//! The rules that `check` reports the breaches of and `fix` mends.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args as ClapArgs, ValueEnum};

/// Heading of these options in `--help`.
pub(super) const RULES: &str = "Rules";

/// The rules that are asked for. Each is off unless it is.
#[derive(ClapArgs, Clone, Copy, Debug, Default)]
pub(crate) struct RuleArgs {
    /// Byte order marks (BOM)
    ///
    /// A BOM inside the text, as joined files have it, counts too. A file for which .editorconfig
    /// says charset = utf-8-bom keeps the one at its start.
    #[arg(long, value_parser = bom_words(true), value_name = "WHAT", help_heading = RULES)]
    pub(crate) bom: Option<BomRule>,

    /// Line ends
    ///
    /// A file for which .gitattributes (eol) or .editorconfig (end_of_line) declares another line end
    /// has to have that one.
    #[arg(long, value_enum, value_name = "END", help_heading = RULES)]
    pub(crate) eol: Option<Eol>,

    /// Unicode Normalization Form C
    ///
    /// An accented letter can be one code point, or a letter and a combining mark. Both look the same
    /// but do not compare equal. NFC is the first form.
    #[arg(long, help_heading = RULES)]
    pub(crate) nfc: bool,

    /// NUL, other controls
    ///
    /// These are U+0000 to U+001F, except TAB, LF, CR, FF and ESC. DEL and C1 controls (U+007F to
    /// U+009F) are not among them: most C1 controls are punctuation that was read in the wrong
    /// encoding, which `utfkit fix` undoes. A file that is text apart from a few of them is not
    /// skipped as binary.
    #[arg(
        long,
        value_enum,
        value_name = "HOW",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "remove",
        help_heading = RULES
    )]
    pub(crate) controls: Option<Controls>,

    /// U+FFFD, which stands for lost text; only reported
    #[arg(long, help_heading = RULES)]
    pub(crate) replacement: bool,

    /// Controls that reorder text; only reported
    ///
    /// U+202A to U+202E and U+2066 to U+2069 can make source code look different from what runs
    /// ("Trojan Source", UTS 55).
    #[arg(long, help_heading = RULES)]
    pub(crate) bidi: bool,
}

/// The byte order marks that a text may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BomRule {
    /// None, neither at the start nor inside.
    Forbid,
    /// One at the start.
    Require,
    Allow,
    /// The charset of .editorconfig decides.
    Declared,
}

impl BomRule {
    /// The words for it in `check` and in `fix`.
    const ALL: [(BomRule, [(&str, &str); 2]); 4] = [
        (BomRule::Forbid, [("forbid", "Report every BOM"), ("remove", "Remove every BOM")]),
        (BomRule::Require, [("require", "Report a missing BOM"), ("add", "Add a missing BOM")]),
        (BomRule::Allow, [("allow", "Accept both"), ("keep", "Keep a BOM")]),
        (
            BomRule::Declared,
            [
                ("declared", "Forbid or require it as the charset in .editorconfig says"),
                ("declared", "Remove or add it as the charset in .editorconfig says"),
            ],
        ),
    ];
}

/// Parses a [`BomRule`]. Each command knows the words of both.
pub(super) fn bom_words(is_check: bool) -> impl TypedValueParser<Value = BomRule> {
    let values = BomRule::ALL.map(|(_, [check, fix])| {
        let ((name, help), (alias, _)) = if is_check { (check, fix) } else { (fix, check) };
        let value = PossibleValue::new(name).help(help);
        if name == alias { value } else { value.alias(alias) }
    });
    PossibleValuesParser::new(values).map(|word| {
        let rule = BomRule::ALL.into_iter().find(|(_, words)| words.iter().any(|(name, _)| *name == word));
        rule.map_or(BomRule::Allow, |(rule, _)| rule)
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Eol {
    /// LF (\n), as on Unix
    Lf,
    /// CRLF (\r\n), as on Windows
    Crlf,
    /// As .gitattributes (eol, text) or .editorconfig (end_of_line) says; any, if neither does
    Declared,
}

/// The end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineEnd {
    Lf,
    CrLf,
    /// Only .editorconfig can ask for it.
    Cr,
}

impl LineEnd {
    pub(crate) fn text(self) -> &'static str {
        match self {
            LineEnd::Lf => "\n",
            LineEnd::CrLf => "\r\n",
            LineEnd::Cr => "\r",
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            LineEnd::Lf => "LF",
            LineEnd::CrLf => "CRLF",
            LineEnd::Cr => "CR",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Controls {
    /// Remove them
    Remove,
    /// Write each as \u{0}
    Escape,
}

impl RuleArgs {
    /// True if a rule is asked for.
    pub(crate) fn is_any(&self) -> bool {
        let RuleArgs { bom, eol, nfc, controls, replacement, bidi } = self;
        bom.is_some() || eol.is_some() || *nfc || controls.is_some() || *replacement || *bidi
    }
}
