//! The settings of a conversion.

use std::borrow::Cow;
use std::path::Path;

use anyhow::{Context, ensure};
use utfkit::detect::Certainty;
use utfkit::{Encoding, EscapeForm, Policy, Practice, Status as Stop, Transcoder};

use crate::args::{Bom, BomRule, Convert, Errors, PracticeName};
use crate::declared::Declared;
use crate::gate::Intent;
use crate::stale::wrong_label;

/// The settings of a conversion, checked before anything is read.
#[derive(Clone)]
pub(super) struct Plan {
    /// `None` if it is detected for each input.
    pub(super) from: Option<Encoding>,
    /// The certainty that a detected encoding needs before a file is written over.
    pub(super) trust: Certainty,
    pub(super) to: Encoding,
    pub(super) policy: Policy,
    pub(super) escape_form: EscapeForm,
    /// U+FEFF at the front of the source is a character like any other.
    pub(super) keep_bom: bool,
    /// The BOM that `--bom add` writes.
    pub(super) target_bom: Vec<u8>,
    pub(super) silent: bool,
    pub(super) verbose: bool,
}

const BOM: &str = "\u{FEFF}";

impl Plan {
    pub(super) fn new(args: &Convert, verbose: bool) -> anyhow::Result<Plan> {
        let (from, to) = (args.from.encoding, args.to.encoding);
        let errors = match args.errors {
            Some(errors) => errors,
            None if args.discard => Errors::Skip,
            None => args.to.errors.or(args.from.errors).unwrap_or(Errors::Strict),
        };
        ensure!(
            args.practice.is_none() || errors == Errors::Replace,
            "--practice says how many U+FFFD are written: add --errors replace"
        );
        let policy = match errors {
            Errors::Strict => Policy::Strict,
            Errors::Replace => Policy::Replace(match args.practice {
                Some(PracticeName::PerUnit) => Practice::PerUnit,
                Some(PracticeName::PerSequence) => Practice::PerSequence,
                Some(PracticeName::MaximalSubpart) | None => Practice::MaximalSubpart,
            }),
            Errors::Skip => Policy::Skip,
            Errors::Escape => Policy::Escape,
        };
        ensure!(
            args.escape_form.is_none() || errors == Errors::Escape,
            "--escape-form says how characters are escaped: add --errors escape"
        );
        // Names such as `utf-8-sig` ask for a BOM in the target, and for its removal
        // from the source.
        let bom = match args.bom {
            Bom::Keep if args.to.with_bom => Bom::Add,
            Bom::Keep if args.from.with_bom => Bom::Remove,
            bom => bom,
        };
        // UTF-16 and UTF-32 have a BOM by definition.
        ensure!(
            args.bom != Bom::Remove || !to.has_bom(),
            "{to} has a BOM by definition: for none, convert to {to}LE or {to}BE"
        );
        let target_bom = match bom {
            Bom::Add if !to.has_bom() => {
                encoded(BOM, to).with_context(|| format!("{to} has no BOM: leave --bom add out"))?
            }
            _ => Vec::new(),
        };
        Ok(Plan {
            from,
            trust: args.trust.least(),
            to,
            policy,
            escape_form: args.escape_form.map(EscapeForm::from).unwrap_or_default(),
            keep_bom: bom == Bom::Keep,
            target_bom,
            silent: args.silent,
            verbose,
        })
    }

    /// The plan for a file that is declared to have a BOM, if the user says nothing else.
    pub(super) fn of_declared(&self, declared: &Declared) -> Cow<'_, Plan> {
        if declared.bom != Some(BomRule::Require) || !self.keep_bom || self.to != Encoding::Utf8 {
            return Cow::Borrowed(self);
        }
        Cow::Owned(Plan { keep_bom: false, target_bom: BOM.into(), ..self.clone() })
    }

    pub(super) fn intent(&self) -> Intent<'static> {
        Intent::Convert { from: self.from, trust: self.trust }
    }

    /// The BOM to remove from a source in `from`. Empty if the BOM is kept, or if the
    /// decoder removes it.
    pub(super) fn source_bom(&self, from: Encoding) -> Vec<u8> {
        if self.keep_bom || from.has_bom() { Vec::new() } else { encoded(BOM, from).unwrap_or_default() }
    }

    /// A warning if `path`, after its conversion, has a label with another encoding.
    pub(super) fn wrong_label(&self, path: &Path) -> Option<String> {
        if self.silent || self.to.unit_size() > 1 {
            return None;
        }
        wrong_label(path, self.to)
    }
}

/// `text` in `encoding`, or `None` if the encoding lacks a character.
fn encoded(text: &str, encoding: Encoding) -> Option<Vec<u8>> {
    let mut bytes = vec![0; 8 * text.len()];
    let step = Transcoder::new(Encoding::Utf8, encoding, Policy::Strict).transcode(text.as_bytes(), &mut bytes, true);
    bytes.truncate(step.written);
    (step.status == Stop::InputEmpty).then_some(bytes)
}
