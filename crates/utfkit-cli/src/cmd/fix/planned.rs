//! A file that would change, and how.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::SystemTime;

use utfkit::Encoding;
use utfkit::detect::{Certainty, Piece};
use utfkit::repair::{Evidence, Fallback, Options, Repairer};

use super::edit::Edit;
use super::left::Left;
use crate::destination::Snapshot;
use crate::misread::Misread;
use crate::rules::{Mended, Rules, action};
use crate::survey::encodings;

/// A file that would change.
pub(super) struct Planned {
    pub(super) path: PathBuf,
    pub(super) read: Snapshot,
    pub(super) modified: Option<SystemTime>,
    pub(super) encoding: &'static str,
    pub(super) certainty: Certainty,
    pub(super) how: How,
    /// UTF-8, unless .gitattributes or .editorconfig declare another encoding.
    pub(super) to: Encoding,
    /// A BOM is written in `to`.
    pub(super) has_bom: bool,
    /// The evidence for [`How::Undouble`].
    pub(super) evidence: Option<Evidence>,
    /// The pieces for [`How::Joined`].
    pub(super) pieces: Vec<Piece>,
    /// The text that was encoded twice, where `how` is something else.
    pub(super) then: Option<Then>,
    /// Changes to the text in UTF-8, in order: the BOM and labels.
    pub(super) edits: Vec<Edit>,
    pub(super) drops_bom: bool,
    /// The rules for the new text, and what breaks them.
    pub(super) rules: Rules,
    pub(super) mended: Mended,
    /// A line to show, before and after the change.
    pub(super) before: String,
    pub(super) after: String,
}

/// How a file becomes UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// The file is UTF-8; only its front is edited.
    Is,
    Convert(Encoding),
    /// The text was misread and encoded again.
    Undouble(Misread),
    /// Each ill-formed sequence is a part of a character whose other bytes follow.
    Rejoin,
    /// The ill-formed sequences are pairs of surrogates, as in CESU-8.
    Pairs,
    /// Each ill-formed sequence is a part of a character whose other bytes are lost.
    Replace,
    /// The ill-formed sequences are in this encoding.
    Fallback(Encoding),
    /// The file stays in this encoding; only what breaks the rules changes.
    Stays(Encoding),
    /// Each piece is in an encoding of its own.
    Joined,
}

impl How {
    /// True if the text that it makes may have been encoded twice. In bytes of one encoding, such text
    /// would be UTF-8.
    pub(super) fn may_leave_doubled(self) -> bool {
        match self {
            How::Convert(from) => from.unit_size() > 1,
            How::Fallback(_) | How::Joined | How::Rejoin | How::Pairs | How::Replace => true,
            How::Is | How::Undouble(_) | How::Stays(_) => false,
        }
    }

    /// The options of the repair. A conversion needs none.
    pub(super) fn options(self) -> Options {
        match self {
            How::Is | How::Convert(_) | How::Stays(_) | How::Joined | How::Replace => Options::new(),
            How::Undouble(_) => Options::new().undouble(true),
            How::Rejoin => Options::new().rejoin(true),
            How::Pairs => Options::new().reinterpret(true),
            How::Fallback(encoding) => match Fallback::new(encoding) {
                Some(fallback) => Options::new().fallback(fallback).by_line(true),
                None => Options::new(),
            },
        }
    }
}

/// A repair of the text that another change of the same file makes: it was encoded twice.
#[derive(Clone)]
pub(super) struct Then {
    pub(super) misread: Misread,
    pub(super) certainty: Certainty,
    pub(super) evidence: Evidence,
}

impl Then {
    pub(super) fn options() -> Options {
        Options::new().undouble(true)
    }

    pub(super) fn repairer(&self) -> Repairer {
        Repairer::new(Then::options()).with_evidence(self.evidence.clone())
    }
}

pub(super) const BOM: &str = "\u{FEFF}";

impl Planned {
    /// The column `WILL` of the plan, with these numbers of what breaks the rules.
    pub(super) fn actions(&self, counts: Option<&BTreeMap<&'static str, u64>>) -> Vec<String> {
        let mut actions = Vec::new();
        match self.how {
            How::Stays(_) => {}
            _ if self.to != Encoding::Utf8 => match self.only_the_bom() {
                Some(action) => actions.push(action.to_owned()),
                None => actions.push(format!("convert to {}", self.to)),
            },
            How::Is => {}
            How::Convert(_) => actions.push("convert".to_owned()),
            How::Undouble(misread) if misread.is_doubled() => actions.push(format!("undouble {misread}")),
            How::Undouble(misread) => actions.push(format!("undo {misread}")),
            How::Rejoin => actions.push("join cut characters".to_owned()),
            How::Pairs => actions.push("join surrogates".to_owned()),
            How::Replace => actions.push("replace cut characters by U+FFFD".to_owned()),
            How::Fallback(encoding) => actions.push(format!("repair ({encoding})")),
            How::Joined => actions.push(format!("convert each piece ({})", encodings(&self.pieces))),
        }
        match self.then.as_ref().map(|then| then.misread) {
            Some(misread) if misread.is_doubled() => actions.push(format!("undouble {misread}")),
            Some(misread) => actions.push(format!("undo {misread}")),
            None => {}
        }
        if self.drops_bom && !self.writes_bom() && self.only_the_bom().is_none() {
            actions.push("drop the BOM".to_owned());
        }
        if self.edits.iter().any(|edit| edit.new == BOM) {
            actions.push("add the BOM".to_owned());
        }
        if self.edits.iter().any(|edit| !edit.new.is_empty() && edit.new != BOM) {
            actions.push("rewrite the label".to_owned());
        }
        for kind in self.mended.changed.keys() {
            actions.push(action(kind, &self.rules, counts.and_then(|counts| counts.get(kind)).copied()));
        }
        actions
    }

    /// True if the new file begins with a BOM that is no part of its text.
    fn writes_bom(&self) -> bool {
        self.has_bom || self.to.has_bom()
    }

    /// The change of a file that is in the declared encoding, except for its BOM.
    fn only_the_bom(&self) -> Option<&'static str> {
        let How::Convert(_) = self.how else { return None };
        let is_same = if self.to.has_bom() {
            // UTF-16LE is UTF-16 without the BOM.
            self.encoding.strip_prefix(self.to.name()).is_some_and(|order| order.len() == 2)
        } else {
            self.encoding == self.to.name()
        };
        match (self.drops_bom, self.writes_bom()) {
            _ if !is_same => None,
            (true, false) => Some("drop the BOM"),
            (false, true) => Some("add the BOM"),
            _ => None,
        }
    }

    /// True if rules change the text.
    pub(super) fn mends(&self) -> bool {
        !self.mended.changed.is_empty()
    }

    /// The findings of the rules that nothing can mend.
    pub(super) fn rest(&self) -> Option<Left> {
        Left::unmended(&self.mended, self.to, Some((self.encoding, self.certainty)))
    }

    /// A repairer that knows the evidence.
    pub(super) fn repairer(&self) -> Repairer {
        let repairer = Repairer::new(self.how.options());
        match &self.evidence {
            Some(evidence) => repairer.with_evidence(evidence.clone()),
            None => repairer,
        }
    }
}
