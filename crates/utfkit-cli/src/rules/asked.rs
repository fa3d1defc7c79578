//! The rules for one file, and their words in plans.

use std::collections::BTreeMap;

use utfkit::Encoding;

use crate::args::{BomRule, Controls, Eol, LineEnd, RuleArgs};
use crate::declared::Declared;
use crate::printable::count;
use crate::report::{BIDI_CONTROL, BOM, CONTROL, LINE_END, MISSING_BOM, NOT_NFC, REPLACEMENT};

/// The rules for one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    /// The BOM at the start. Never [`BomRule::Declared`].
    pub(crate) bom: BomRule,
    pub(crate) inner_bom: InnerBom,
    pub(crate) eol: Option<LineEnd>,
    pub(crate) nfc: bool,
    pub(crate) controls: Option<Controls>,
    pub(crate) replacement: bool,
    pub(crate) bidi: bool,
}

/// A BOM that is not at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum InnerBom {
    Allow,
    /// None at the start of a line, where files with a BOM were joined.
    ForbidOnLines,
    Forbid,
}

/// The line end that Git writes where `eol` is not set.
const NATIVE: LineEnd = if cfg!(windows) { LineEnd::CrLf } else { LineEnd::Lf };

impl Rules {
    pub(crate) const NONE: Rules = Rules {
        bom: BomRule::Allow,
        inner_bom: InnerBom::Allow,
        eol: None,
        nfc: false,
        controls: None,
        replacement: false,
        bidi: false,
    };

    /// Every rule, for tests.
    #[cfg(test)]
    pub(super) const ALL: Rules = Rules {
        bom: BomRule::Forbid,
        inner_bom: InnerBom::Forbid,
        eol: Some(LineEnd::Lf),
        nfc: true,
        controls: Some(Controls::Remove),
        replacement: true,
        bidi: true,
    };

    /// The declarations for a file override the BOM and the line end that are asked of all. A BOM that they
    /// require or forbid is a part of the encoding.
    pub(crate) fn new(args: &RuleArgs, declared: &Declared) -> Rules {
        let bom = match args.bom {
            None => declared.bom.unwrap_or(BomRule::Allow),
            Some(BomRule::Declared) => declared.bom.unwrap_or(match declared.encoding {
                Some(Ok(Encoding::Utf8)) => BomRule::Forbid,
                _ => BomRule::Allow,
            }),
            Some(BomRule::Forbid) => declared.bom.unwrap_or(BomRule::Forbid),
            Some(BomRule::Require) if declared.bom == Some(BomRule::Forbid) => BomRule::Forbid,
            Some(bom) => bom,
        };
        let native = declared.is_git_text.then_some(NATIVE);
        let eol = match args.eol {
            None => None,
            Some(Eol::Declared) => declared.eol.or(native),
            Some(Eol::Lf) => declared.eol.or(Some(LineEnd::Lf)),
            Some(Eol::Crlf) => declared.eol.or(Some(LineEnd::CrLf)),
        };
        let forbids_all = args.bom == Some(BomRule::Forbid) || (args.bom.is_some() && bom == BomRule::Forbid);
        Rules {
            bom,
            inner_bom: if forbids_all { InnerBom::Forbid } else { InnerBom::Allow },
            eol,
            nfc: args.nfc,
            controls: args.controls,
            replacement: args.replacement,
            bidi: args.bidi,
        }
    }

    /// The rules that change one character without regard to its neighbours, and the others.
    pub(super) fn split(self) -> [Rules; 2] {
        let neighbours = Rules { eol: self.eol, nfc: self.nfc, ..Rules::NONE };
        [Rules { eol: None, nfc: false, ..self }, neighbours]
    }

    /// The rules that found something.
    pub(crate) fn only(self, found: &BTreeMap<&'static str, u64>) -> Rules {
        let has = |kind| found.contains_key(kind);
        Rules {
            bom: if has(BOM) || has(MISSING_BOM) { self.bom } else { BomRule::Allow },
            inner_bom: if has(BOM) { self.inner_bom } else { InnerBom::Allow },
            eol: self.eol.filter(|_| has(LINE_END)),
            nfc: self.nfc && has(NOT_NFC),
            controls: self.controls.filter(|_| has(CONTROL)),
            replacement: false,
            bidi: false,
        }
    }
}

/// The action of `fix` on `n` breaches of a kind, or on any number of them.
pub(crate) fn action(kind: &str, rules: &Rules, n: Option<u64>) -> String {
    let counted = |noun: &str| match n {
        Some(n) => count(n, noun),
        None => format!("{noun}s"),
    };
    match kind {
        BOM => format!("remove {}", counted("BOM")),
        MISSING_BOM => "add the BOM".to_owned(),
        LINE_END => format!("{} to {}", counted("line end"), rules.eol.map_or("", LineEnd::name)),
        NOT_NFC => format!("{} to NFC", counted("sequence")),
        _ if rules.controls == Some(Controls::Escape) => format!("escape {}", counted("control")),
        _ => format!("remove {}", counted("control")),
    }
}

/// The reason why breaches are not mended, for each kind.
pub(crate) fn unmended(found: &BTreeMap<&'static str, u64>, encoding: Encoding) -> String {
    let parts = found.iter().map(|(kind, n)| match *kind {
        REPLACEMENT => format!("{} for lost text, which cannot be mended", count(*n, "U+FFFD")),
        BIDI_CONTROL => format!("{}, which only a person can judge", count(*n, "bidirectional control")),
        NOT_NFC => format!("{} whose NFC {encoding} lacks", count(*n, "sequence")),
        kind => format!("{} of `{kind}` that {encoding} cannot have mended", count(*n, "finding")),
    });
    parts.collect::<Vec<_>>().join("; ")
}
