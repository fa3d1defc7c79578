//! The plan for one file: how to change it, or why it is left alone.

use std::fs::{File, Metadata};
use std::io;
use std::ops::ControlFlow;

use utfkit::bom::Bom;
use utfkit::detect::{Basis, Certainty, Detection};
use utfkit::diagnose::{Checker, Finding};
use utfkit::repair::{Change, ChangeKind, Options, Repairer, Stretch};
use utfkit::{Encoding, ErrorKind, Policy, Standard, Transcoder};

use super::doubled::{doubled, doubled_after};
use super::edit::Edit;
use super::example::{first_change, sample};
use super::left::Left;
use super::planned::{BOM, How, Planned};
use super::rules::{declared_by, foreign_flag, rules_of};
use super::text::{each_new_text, each_text, head};
use crate::args::{BomRule, RuleArgs};
use crate::binaries::NotText;
use crate::destination::Snapshot;
use crate::failure::{AtPath, Failure, Refusal};
use crate::gate::{Gate, Intent, Passed};
use crate::input::Input;
use crate::labels::{Finder, HEAD, Label, Part, labels_of_xml_in_units};
use crate::printable::{count, escaped_text};
use crate::quoted::is_program;
use crate::readers::{Wants, reader};
use crate::reading::{Replay, read_at};
use crate::rules::{InnerBom, Mended, Mender, Rules};
use crate::served::Servers;
use crate::survey::{Survey, cut_beside, encodings, fallback, with_bom};
use crate::transcoding::transcode;

pub(super) enum Decision {
    /// The file is UTF-8 already.
    Fine,
    /// The file is in its declared encoding, which is not UTF-8.
    Declared,
    Binary(NotText),
    Left(Left),
    Change(Box<Planned>),
}

/// One form that UTF-8 excludes among this number of ill-formed sequences is two characters by chance.
const FEW_FORMS: u64 = 8;

const CUT: &str = "--trust likely writes U+FFFD for what is missing";
/// Where other bytes are ill-formed too, or little else is UTF-8.
const CUT_IN_PART: &str = "`utfkit repair --in-place FILE` writes U+FFFD for what is missing";
const CUT_FOR_MOST: &str = "`utfkit repair --in-place --force FILE` writes U+FFFD for what is missing";
const AS_TEXT: &str = "-a treats it as text";
const LIKELY_AS_TEXT: &str = "-a --trust likely treats it as text";
const AS_ALL: &str = "--force changes it all the same";

/// Decides what to do with each file.
pub(super) struct Planner<'a> {
    pub(super) gate: &'a Gate,
    pub(super) trust: Certainty,
    pub(super) rules: RuleArgs,
    pub(super) servers: &'a Servers,
}

impl Planner<'_> {
    pub(super) fn decide(
        &self,
        input: &Input,
        file: &mut Replay<'_>,
        metadata: &Metadata,
    ) -> Result<Decision, Failure> {
        let mut left = match self.plan(input, file, metadata)? {
            // A file of a walk is only counted.
            Decision::Binary(why) if input.is_named() => match Left::from(Refusal::binary(why)) {
                left if why.is_format() => return Ok(Decision::Left(left)),
                left => left,
            },
            Decision::Left(left) if input.is_named() && left.found.is_none() => left,
            decision => return Ok(decision),
        };
        let Some(gate) = self.gate.as_text(file) else { return Ok(Decision::Left(left)) };
        for trust in [self.trust, Certainty::Likely] {
            let as_text = Planner { gate: &gate, trust: self.trust.min(trust), ..*self };
            if let Decision::Change(_) = as_text.plan(input, file, metadata)? {
                let advice = if as_text.trust == self.trust { AS_TEXT } else { LIKELY_AS_TEXT };
                let and = if left.advice.is_empty() { "" } else { "; " };
                left.advice.push_str(&format!("{and}{advice}"));
                break;
            }
        }
        Ok(Decision::Left(left))
    }

    fn plan(&self, input: &Input, file: &mut Replay<'_>, metadata: &Metadata) -> Result<Decision, Failure> {
        let undouble = Options::new().undouble(true);
        // A dictionary of hunspell is in the encoding of its rules.
        let declared = rules_of(input.path()).and_then(|rules| declared_by(&rules));
        let by_rules = declared.filter(|encoding| *encoding != Encoding::Utf8).and_then(|encoding| {
            let intent = Intent::Convert { from: Some(encoding), trust: self.trust };
            self.gate.ask(input, file, intent).ok().filter(|passed| !passed.survey.is_well_formed())
        });
        let is_by_rules = by_rules.is_some();
        let Passed { survey, from, is_done, declared, beside, stray } =
            match by_rules.map_or_else(|| self.gate.ask(input, file, Intent::Fix { options: &undouble }), Ok) {
                Ok(passed) => passed,
                Err(Failure::Refused(_, Refusal { binary: Some(why), .. })) => {
                    let mut front = Vec::new();
                    let _ = file.each_until(|chunk| {
                        front.extend_from_slice(&chunk[..chunk.len().min(HEAD)]);
                        ControlFlow::Break(())
                    });
                    // RTF is no text, and has text in it.
                    return Ok(match reader(input.path(), &front).filter(|reader| reader.is_marked()) {
                        Some(reader) => Decision::Left(Left {
                            found: None,
                            readings: Vec::new(),
                            why: reader.why.to_owned(),
                            advice: String::new(),
                        }),
                        None => Decision::Binary(why),
                    });
                }
                Err(Failure::Refused(_, refusal)) => return Ok(Decision::Left(refusal.into())),
                Err(failure) => return Err(failure),
            };
        let rules = Rules::new(&self.rules, &declared);
        if is_done {
            return self.plan_within(input, file, metadata, &survey, from, rules);
        }
        let beside = beside.filter(|_| stray.is_none());
        let found = &survey.found;
        let left = |why: &str, advice: &str| {
            let found = match beside {
                Some(beside) => Some((beside.encoding.name(), Certainty::Likely)),
                None => found.name().map(|name| (name, found.certainty())),
            };
            let (readings, why, advice) = (Vec::new(), why.to_owned(), advice.to_owned());
            Ok(Decision::Left(Left { found, readings, why, advice }))
        };
        let is_utf8 = matches!(from, Encoding::Utf8 | Encoding::UsAscii);
        let (how, certainty) = match found.basis() {
            _ if is_by_rules => (How::Convert(from), Certainty::NearlyCertain),
            _ if beside.is_some() => (How::Convert(from), Certainty::Likely),
            _ if !is_utf8 => (How::Convert(with_bom(from, found)), found.certainty()),
            Basis::Joined => (How::Joined, found.certainty()),
            Basis::Damaged
                if found.cut() > 0
                    && !found.is_mixed()
                    && all_are(file, How::Rejoin, is_rejoined).reading(input.path())? =>
            {
                (How::Rejoin, Certainty::NearlyCertain)
            }
            Basis::Damaged if found.is_truncated() || found.cut() > 0 => {
                let others = found.ill_formed().unwrap_or_default() - found.cut();
                let is_utf8 = found.pieces().iter().all(|piece| piece.encoding == Some(Encoding::Utf8));
                let is_all = found.certainty() >= Certainty::Likely
                    && !found.is_mixed()
                    && is_utf8
                    && (others == 0 || (others == 1 && is_truncated(file).reading(input.path())?));
                if !is_all && let Ok(Some((other, _))) = fallback(found) {
                    let Refusal { why, advice, .. } = cut_beside(other.encoding());
                    return left(&why, &advice);
                }
                if !is_all || self.trust > Certainty::Likely {
                    let why = if found.is_truncated() { "its last character is" } else { "some of its characters are" };
                    let advice = if is_all { CUT } else { self.cut_in_part(input, file, &survey)? };
                    return left(&format!("{why} cut off"), advice);
                }
                (How::Replace, Certainty::Likely)
            }
            Basis::Damaged if all_are(file, How::Pairs, are_pairs).reading(input.path())? => {
                (How::Pairs, found.certainty().min(Certainty::NearlyCertain))
            }
            Basis::Damaged => match self.fallback(input, file, &survey) {
                Ok((other, sure)) => (How::Fallback(other), sure.min(found.certainty())),
                Err(Failure::Refused(_, refusal)) => {
                    return left(&format!("partly UTF-8, partly something else: {}", refusal.why), &refusal.advice);
                }
                Err(failure) => return Err(failure),
            },
            _ => match doubled(input.path(), file, survey.evidence.as_ref()).reading(input.path())? {
                Some((misread, sure)) => (How::Undouble(misread), sure),
                None if stray.is_some() => (How::Is, Certainty::NearlyCertain),
                None => (How::Is, found.certainty()),
            },
        };
        if let How::Convert(from) = how
            && let Some(why) = cannot_be_read(found, from)
        {
            let advice = format!("`utfkit convert -f {from} --errors replace --in-place FILE` writes U+FFFD for it");
            return left(&why, &advice);
        }
        let mut planned = Planned {
            path: input.path().to_owned(),
            read: Snapshot::of(file.file()).reading(input.path())?,
            modified: metadata.modified().ok(),
            encoding: match beside {
                Some(_) => from.name(),
                None if is_by_rules || stray.is_some() => from.name(),
                None if how == How::Joined => "mixed",
                None => found.name().unwrap_or_default(),
            },
            certainty,
            how,
            to: match declared.encoding {
                Some(Ok(to)) if to != Encoding::UsAscii && !self.gate.is_forced() => to,
                _ => Encoding::Utf8,
            },
            has_bom: false,
            evidence: survey.evidence.clone().filter(|_| how.options().wants_evidence()),
            pieces: found.pieces().iter().filter(|_| how == How::Joined).cloned().collect(),
            then: None,
            edits: Vec::new(),
            drops_bom: false,
            rules: Rules::NONE,
            mended: Mended::default(),
            before: String::new(),
            after: String::new(),
        };
        if how.may_leave_doubled() && certainty >= self.trust {
            let then = doubled_after(&planned, file).reading(input.path())?;
            planned.then = then.filter(|then| then.certainty >= self.trust);
            planned.certainty = planned.then.as_ref().map_or(certainty, |then| certainty.min(then.certainty));
        }
        let keeps_bom = match self.rules.bom {
            _ if declared.bom == Some(BomRule::Require) => true,
            Some(BomRule::Allow | BomRule::Require) => true,
            Some(BomRule::Declared) => rules.bom != BomRule::Forbid,
            Some(BomRule::Forbid) | None => false,
        };
        let (front, is_all) = survey.head();
        let reader = reader(input.path(), &head(&planned, front, is_all)).filter(|_| !self.gate.is_forced());
        let is_declared = declared.encoding.is_some();
        // One sequence is the BOM itself: the rest is US-ASCII, the same in every code page.
        let reader = reader.filter(|reader| reader.wants != Wants::Bom || found.sequences() > 1);
        let wants_encoding = reader.filter(|reader| reader.wants.is_encoding());
        if let (Some(reader), How::Convert(from), false) = (wants_encoding, how, is_declared) {
            let advice = format!("`utfkit convert -f {from} --in-place FILE` makes UTF-8 of it all the same");
            return left(reader.why, &advice);
        }
        if matches!(how, How::Convert(_))
            && !is_declared
            && !self.gate.is_forced()
            && let Some(served) = self.servers.of(input.path())
        {
            return left(&served.why(), "--force converts it all the same");
        }
        if let (Some(reader), How::Joined) = (wants_encoding, how) {
            return left(reader.why, "`utfkit convert -f auto --in-place FILE` makes UTF-8 of it all the same");
        }
        // A label in a patch is one of another file.
        let is_patch = reader.is_some_and(|reader| reader.wants == Wants::Bytes);
        if let (Some(reader), true) = (reader, is_patch && how != How::Is) {
            return left(reader.why, AS_ALL);
        }
        // Editors write UTF-16 with a BOM. Git forbids it in UTF-16LE without `-BOM`.
        let takes_bom = declared.bom.is_some_and(|bom| bom != BomRule::Forbid);
        planned.has_bom = planned.to.unit_size() > 1 && !planned.to.has_bom() && takes_bom;
        let is_asked = declared.bom == Some(BomRule::Require) || rules.bom == BomRule::Require;
        let wants_bom = planned.to == Encoding::Utf8 && is_asked;
        let keeps_bom = keeps_bom || reader.is_some_and(|reader| reader.wants.is_bom());
        let is_ascii = stray.is_some_and(|stray| stray.is_ascii);
        if !is_patch
            && let Some(why) =
                self.edit(&mut planned, &survey, keeps_bom, is_ascii, input.is_named(), file).reading(input.path())?
        {
            return left(&why, "");
        }
        let has_bom = survey.found.bom() == Some(Bom::Utf8) || survey.front.starts_with(Bom::Utf8.bytes());
        if wants_bom && !has_bom && survey.found.bytes() > 0 {
            planned.edits.insert(0, Edit { at: 0..0, old: String::new(), new: BOM.to_owned() });
            (planned.before, planned.after) = sample(&planned, front, &head(&planned, front, is_all), is_all);
        }
        // The BOM at the start is one of the edits. Those at the start of other lines are of files that were
        // joined to it.
        let inner_bom = if planned.drops_bom { InnerBom::ForbidOnLines } else { InnerBom::Allow };
        planned.rules = Rules { bom: BomRule::Allow, inner_bom: rules.inner_bom.max(inner_bom), ..rules };
        if planned.rules != Rules::NONE {
            planned.mended = each_new_text(&planned, file, |_| ()).reading(input.path())?;
            if planned.mends() && how != How::Is {
                (planned.before, planned.after) = sample(&planned, front, &head(&planned, front, is_all), is_all);
            }
            if planned.mends() && planned.before == planned.after {
                let Mended { before, after, .. } = &planned.mended;
                (planned.before, planned.after) = (before.clone(), after.clone());
            }
        }
        if let (Some(reader), true) = (reader, is_patch && (planned.mends() || !planned.edits.is_empty())) {
            return left(reader.why, AS_ALL);
        }
        if planned.to != Encoding::Utf8 || planned.mends() {
            if let Some(why) = cannot_become(&planned, file).reading(input.path())? {
                return left(&why, "");
            }
        } else if how == How::Is && planned.edits.is_empty() && !planned.drops_bom {
            return Ok(planned.rest().map_or(Decision::Fine, Decision::Left));
        }
        // Well-formed UTF-8 does not change.
        let stays = how == How::Is && planned.edits.is_empty();
        if planned.certainty < self.trust && !stays {
            let sure = planned.certainty;
            let trust = match sure {
                Certainty::Likely => "--trust likely",
                _ => "--trust nearly-certain",
            };
            return match (sure, how) {
                (Certainty::Guess, How::Fallback(other)) => left(
                    "a guess",
                    &format!("`utfkit repair --diff --fallback {other} FILE` shows what that would make of it"),
                ),
                (Certainty::Guess, How::Is | How::Rejoin | How::Pairs | How::Replace | How::Joined) => {
                    left("a guess", "`utfkit repair --diff FILE` shows what a repair would change")
                }
                (Certainty::Guess, _) => left(
                    "a guess",
                    &format!("if it is right, `utfkit convert -f {} --in-place FILE`", planned.encoding),
                ),
                (_, How::Undouble(misread)) if misread.is_doubled() => {
                    left(&format!("{sure} read as {misread} and encoded again"), &format!("{trust} undoes it"))
                }
                (_, How::Undouble(misread)) => left(&format!("{sure} {misread}"), &format!("{trust} undoes it")),
                (_, How::Fallback(other)) => {
                    left(&format!("with something else in it, {sure} {other}"), &format!("{trust} repairs it"))
                }
                (_, How::Joined) => {
                    let joined = encodings(&planned.pieces);
                    left(&format!("{joined} joined, {sure}"), &format!("{trust} converts each piece"))
                }
                (_, How::Is) => match planned.edits.iter().find(|edit| !edit.old.is_empty() && edit.old != BOM) {
                    Some(edit) => {
                        let why = format!("{sure}, with a label that says {}", escaped_text(&edit.old));
                        left(&why, &format!("{trust} rewrites it"))
                    }
                    None => left(&sure.to_string(), &format!("{trust} changes it")),
                },
                _ => {
                    let why = beside.map(|beside| format!(", {}", beside.reason())).unwrap_or_default();
                    left(&format!("{sure}{why}"), &format!("{trust} converts it"))
                }
            };
        }
        if planned.before == planned.after {
            (planned.before, planned.after) = first_change(&planned, file).reading(input.path())?;
        }
        Ok(Decision::Change(Box::new(planned)))
    }

    /// The plan for a file that stays in `encoding`.
    fn plan_within(
        &self,
        input: &Input,
        file: &mut Replay<'_>,
        metadata: &Metadata,
        survey: &Survey,
        encoding: Encoding,
        rules: Rules,
    ) -> Result<Decision, Failure> {
        let found = Some((encoding.name(), Certainty::Certain));
        let mut mender = Mender::with_proof(rules, encoding);
        if rules == Rules::NONE || survey.found.bytes() == 0 {
            return Ok(if encoding == Encoding::Utf8 { Decision::Fine } else { Decision::Declared });
        }
        let mut new = Vec::new();
        file.each(|chunk| {
            new.clear();
            mender.feed(chunk, &mut new, |_| ());
        })
        .reading(input.path())?;
        mender.feed(&[], &mut new, |_| ());
        let Some(mended) = mender.finish() else {
            let why = format!("what breaks the rules cannot be changed alone in {encoding}");
            let advice = "`utfkit convert` makes UTF-8 of it".to_owned();
            return Ok(Decision::Left(Left { found, readings: Vec::new(), why, advice }));
        };
        if mended.changed.is_empty() {
            return Ok(Left::unmended(&mended, encoding, found).map_or(Decision::Declared, Decision::Left));
        }
        match self.gate.is_text_in(input.path(), file, survey, encoding) {
            Err(Failure::Refused(_, Refusal { binary: Some(why), .. })) => return Ok(Decision::Binary(why)),
            Err(Failure::Refused(_, refusal)) => return Ok(Decision::Left(refusal.into())),
            other => other?,
        }
        Ok(Decision::Change(Box::new(Planned {
            path: input.path().to_owned(),
            read: Snapshot::of(file.file()).reading(input.path())?,
            modified: metadata.modified().ok(),
            encoding: encoding.name(),
            certainty: Certainty::Certain,
            how: How::Stays(encoding),
            to: encoding,
            has_bom: false,
            evidence: None,
            pieces: Vec::new(),
            then: None,
            edits: Vec::new(),
            drops_bom: false,
            rules,
            before: mended.before.clone(),
            after: mended.after.clone(),
            mended,
        })))
    }

    /// The advice for a file in which some ill-formed sequences are cut characters: a repair, with `--force` if
    /// the gate refuses it otherwise.
    fn cut_in_part(&self, input: &Input, file: &mut Replay<'_>, survey: &Survey) -> Result<&'static str, Failure> {
        match self.gate.judge(input.path(), file, survey, Intent::Repair { options: &Options::new(), fallback: None }) {
            Ok(_) => Ok(CUT_IN_PART),
            Err(Failure::Refused(..)) => Ok(CUT_FOR_MOST),
            Err(failure) => Err(failure),
        }
    }

    /// The encoding of the ill-formed sequences. Refuses one that is a guess, or in which they do
    /// not read well.
    fn fallback(
        &self,
        input: &Input,
        file: &mut Replay<'_>,
        survey: &Survey,
    ) -> Result<(Encoding, Certainty), Failure> {
        let path = input.path();
        let refused = |refusal| Failure::Refused(path.to_owned(), refusal);
        let Some((fallback, sure)) = fallback(&survey.found).map_err(refused)? else {
            let refusal = Refusal::text("it cannot be told what", "`utfkit repair --diff FILE` shows it");
            return Err(refused(refusal));
        };
        let encoding = fallback.encoding();
        let options = How::Fallback(encoding).options();
        let (mut lost, mut repairer) = (0, Repairer::new(options.clone().reinterpret(true)));
        let mut take = |piece: Stretch<'_>| match piece {
            Stretch::Changed(change) if change.kind == ChangeKind::Replaced => lost += change.count,
            _ => {}
        };
        // Surrogates and overlong forms are damage of UTF-8, unless they are few among much other text.
        let (mut forms, mut findings, mut checker) = (0, 0, Checker::new(Encoding::Utf8, Standard::Rfc3629));
        let mut judge = |finding: &Finding| {
            findings += 1;
            forms += u64::from(matches!(finding.kind(), ErrorKind::Surrogate | ErrorKind::Overlong));
        };
        file.each(|chunk| {
            repairer.feed(chunk, &mut take);
            checker.feed(chunk, |finding| judge(finding));
        })
        .reading(path)?;
        repairer.finish(&mut take);
        checker.finish(|finding| judge(finding));
        // In an encoding of several bytes, such a form is a character.
        let is_wide = matches!(encoding, Encoding::Legacy(legacy) if !legacy.is_single_byte());
        let forms = if is_wide || forms * FEW_FORMS < findings { 0 } else { forms };
        if lost + forms > 0 {
            let these = match lost + forms {
                1 => "1 sequence is".to_owned(),
                many => format!("{many} sequences are"),
            };
            return Err(refused(Refusal::text(
                format!("{these} neither UTF-8 nor {encoding}"),
                "`utfkit repair --diff --fallback auto FILE` shows them",
            )));
        }
        let intent = Intent::Repair { options: &options, fallback: Some(encoding) };
        match self.gate.judge(path, file, survey, intent) {
            Ok(_) => Ok((encoding, sure)),
            Err(Failure::Refused(_, Refusal { binary: Some(_), .. })) => Err(refused(Refusal::text(
                format!("in {encoding} not all of it forms words"),
                format!("`utfkit repair --diff --fallback {encoding} FILE` shows it"),
            ))),
            Err(failure) => Err(failure),
        }
    }

    /// Finds the edits, and a line to show. Returns the reason if a label keeps the file from being
    /// changed.
    fn edit(
        &self,
        planned: &mut Planned,
        survey: &Survey,
        keeps_bom: bool,
        is_ascii: bool,
        is_named: bool,
        file: &mut Replay<'_>,
    ) -> io::Result<Option<String>> {
        let (front, is_all) = survey.head();
        let text = head(planned, front, is_all);
        let bom = Bom::Utf8.bytes();
        let is_decoded_bom = matches!(planned.how, How::Convert(Encoding::Utf16 | Encoding::Utf32));
        // It may have been encoded twice, as `ï»¿`.
        planned.drops_bom = is_decoded_bom || (!keeps_bom && text.starts_with(bom));
        if planned.drops_bom && text.starts_with(bom) {
            // Files with a BOM that were joined may have it twice.
            let boms = text.chunks_exact(bom.len()).take_while(|bytes| *bytes == bom).count();
            planned.edits.push(Edit { at: 0..boms * bom.len(), old: BOM.repeat(boms), new: String::new() });
        } else if !keeps_bom && begins_with_doubled_bom(&text) {
            planned.drops_bom = true;
            planned.edits.push(Edit { at: 0..DOUBLED_BOM.len(), old: DOUBLED_BOM.to_owned(), new: String::new() });
        }
        let labels = match survey.found.basis() {
            _ if is_ascii => Vec::new(),
            // US-ASCII is the same text in nearly all encodings that a label can name.
            Basis::Ascii => labels_of_xml_in_units(&text, is_all),
            _ => match found_labels(planned, file, is_named)? {
                Some(labels) => labels,
                None => return Ok(Some("it has too many labels".to_owned())),
            },
        };
        if planned.to != Encoding::Utf8 {
            let is_wrong = |label: &&Label| !reads_alike(label.encoding(), planned.to);
            if let Some(label) = labels.iter().find(is_wrong).filter(|_| !self.gate.is_forced()) {
                let shown = escaped_text(label.shown());
                return Ok(Some(format!(
                    "it is declared to be {}, and says itself that it is not ({shown})",
                    planned.to
                )));
            }
            (planned.before, planned.after) = sample(planned, front, &text, is_all);
            return Ok(None);
        }
        if let Some(why) = self.unfit(planned, &labels, file)? {
            return Ok(Some(why));
        }
        for label in labels {
            if let Some(new) = label.in_utf8().filter(|_| !is_kept(&label, planned)) {
                planned.edits.push(Edit { at: label.at, old: label.name, new });
            }
        }
        (planned.before, planned.after) = sample(planned, front, &text, is_all);
        Ok(None)
    }

    /// The reason why a file with these labels cannot be changed.
    fn unfit(&self, planned: &Planned, labels: &[Label], file: &mut Replay<'_>) -> io::Result<Option<String>> {
        let How::Convert(from) = planned.how else { return Ok(None) };
        if self.gate.is_forced() {
            return Ok(None);
        }
        if let Some(label) = labels.iter().find(|label| label.is_fixed()) {
            return Ok(Some(format!("its label ({}) cannot name UTF-8", escaped_text(label.shown()))));
        }
        if let Some(label) = labels.iter().find(|label| label.encoding().is_none()) {
            let shown = escaped_text(label.shown());
            return Ok(Some(format!(
                "it declares an unknown encoding ({shown}); convert it with a program that knows that one, or --force"
            )));
        }
        if let Some([first, other]) = parts_that_differ(planned, labels, file)? {
            return Ok(Some(format!(
                "its parts are in several encodings ({}, {})",
                escaped_text(first.shown()),
                escaped_text(other.shown())
            )));
        }
        let is_rules = planned.path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("aff"));
        if is_rules && from.unit_size() == 1 {
            let mut text = Vec::new();
            each_text(planned, file, |piece| text.extend_from_slice(piece))?;
            if let Some(flag) = foreign_flag(&text) {
                let flag = escaped_text(&flag);
                return Ok(Some(format!("its flags are bytes beyond US-ASCII ({flag}); in UTF-8 it needs FLAG UTF-8")));
            }
        }
        Ok(None)
    }
}

/// A BOM that was read in windows-1252 and encoded again.
const DOUBLED_BOM: &str = "ï»¿";

/// True for such a BOM before a letter beyond US-ASCII: together they may not fit windows-1252.
fn begins_with_doubled_bom(text: &[u8]) -> bool {
    let rest = text.strip_prefix(DOUBLED_BOM.as_bytes()).unwrap_or_default();
    let next = rest.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
    next.is_some_and(|next| !next.is_ascii() && next.is_alphabetic())
}

/// True if a label names `to`, or an encoding that readers take for the same.
fn reads_alike(named: Option<Encoding>, to: Encoding) -> bool {
    let Some(named) = named else { return false };
    let on_the_web = |encoding: Encoding| Encoding::for_web_label(encoding.name());
    named == to
        || (on_the_web(named).is_some() && on_the_web(named) == on_the_web(to))
        || (named.unit_size() == 2 && to.unit_size() == 2)
}

/// The reason why a file cannot be written in the encoding planned.
fn cannot_become(planned: &Planned, file: &mut Replay<'_>) -> io::Result<Option<String>> {
    let to = planned.to;
    let is_declared = to != Encoding::Utf8;
    if let How::Convert(from) = planned.how {
        let mut checker = Checker::new(from, Standard::Rfc3629);
        let mut first = None;
        let mut found = |finding: &Finding| first = first.or(Some(finding.offset()));
        file.each(|chunk| checker.feed(chunk, &mut found))?;
        checker.finish(&mut found);
        if let Some(at) = first {
            let declared = if is_declared { format!("it is declared to be {to}, and ") } else { "it ".to_owned() };
            return Ok(Some(format!("{declared}is ill-formed in {from} at byte {at}")));
        }
    }
    if !is_declared {
        return Ok(None);
    }
    let mut transcoder = Transcoder::new(Encoding::Utf8, to, Policy::Strict);
    let (mut buf, mut stopped) = (vec![0; 64 << 10], None);
    each_new_text(planned, file, |text| {
        if stopped.is_none() {
            stopped = transcode(&mut transcoder, text, &mut buf, false, |_, _| Ok(())).unwrap_or_default();
        }
    })?;
    Ok(stopped.map(|error| {
        format!(
            "it is declared to be {to}, which lacks a character of it (byte {} of its text in UTF-8)",
            error.offset()
        )
    }))
}

/// Two labels of parts of a mail that are in different encodings. A part in US-ASCII is the same text in both.
fn parts_that_differ<'a>(
    planned: &Planned,
    labels: &'a [Label],
    file: &mut Replay<'_>,
) -> io::Result<Option<[&'a Label; 2]>> {
    let encoding = |label: &Label| Encoding::for_web_label(&label.name).or(label.encoding());
    let differ = |parts: &[&'a Label]| {
        let first = *parts.first()?;
        parts.iter().find(|other| encoding(other) != encoding(first)).map(|other| [first, *other])
    };
    let parts: Vec<&Label> = labels.iter().filter(|label| label.part == Part::Bytes).collect();
    let is_other =
        |label: &Label| !is_kept(label, planned) && !matches!(label.encoding(), None | Some(Encoding::UsAscii));
    let others: Vec<&Label> = parts.iter().copied().filter(|label| is_other(label)).collect();
    if differ(&others).is_none() {
        return Ok(None);
    }
    let mut are_ascii = vec![true; parts.len()];
    let mut start = 0;
    each_text(planned, file, |text| {
        let within = |at: usize| at.saturating_sub(start).min(text.len());
        for (number, (label, is_ascii)) in parts.iter().zip(&mut are_ascii).enumerate() {
            let end = parts.get(number + 1).map_or(text.len(), |next| within(next.at.start));
            *is_ascii &= text[within(label.at.start)..end].is_ascii();
        }
        start += text.len();
    })?;
    let others: Vec<&Label> = parts
        .iter()
        .zip(are_ascii)
        .filter(|(label, is_ascii)| !is_ascii && is_other(label))
        .map(|(label, _)| *label)
        .collect();
    Ok(differ(&others))
}

/// True if the label says how bytes are read that stay as they are, US-ASCII with escapes among other text; or
/// what a program in UTF-8 prints or has in a string, which may be something else.
fn is_kept(label: &Label, planned: &Planned) -> bool {
    let how = planned.how;
    let is_of_program = || (label.is_quoted || label.part == Part::Bytes) && is_program(&planned.path);
    let is_of_other = label.part == Part::Output || is_of_program();
    if is_of_other && matches!(how, How::Is | How::Undouble(_) | How::Rejoin | How::Pairs | How::Replace) {
        return true;
    }
    let Some(encoding) = label.encoding() else { return false };
    let is_seven_bits = ["ISO-2022-", "HZ-", "UTF-7"].iter().any(|front| encoding.name().starts_with(front));
    let is_converted =
        how == How::Convert(encoding) || planned.pieces.iter().any(|piece| piece.encoding == Some(encoding));
    label.part == Part::Bytes && is_seven_bits && !is_converted
}

/// The labels of the text that the file becomes. Of a file in UTF-8 that a walk found, only the
/// front and the end are searched.
fn found_labels(planned: &Planned, file: &mut Replay<'_>, is_named: bool) -> io::Result<Option<Vec<Label>>> {
    let mut finder = Finder::new(&planned.path);
    let len = usize::try_from(file.file().metadata()?.len()).unwrap_or(usize::MAX);
    if planned.how == How::Is && !is_named && len > 2 * SIDE {
        let mut side = vec![0; SIDE];
        for at in [0, len - SIDE] {
            finder.skip_to(at);
            let read = read_full_at(file.file(), &mut side, at)?;
            finder.feed(&side[..read]);
        }
    } else {
        each_text(planned, file, |piece| finder.feed(piece))?;
    }
    Ok(finder.finish())
}

/// Fills `buf` from `at` on, and less of it only at the end.
fn read_full_at(file: &File, buf: &mut [u8], at: usize) -> io::Result<usize> {
    let mut len = 0;
    while len < buf.len() {
        match read_at(file, &mut buf[len..], (at + len) as u64)? {
            0 => break,
            more => len += more,
        }
    }
    Ok(len)
}

/// True if a file ends within a character.
fn is_truncated(file: &mut Replay<'_>) -> io::Result<bool> {
    let mut end = Vec::new();
    file.each(|chunk| {
        end.extend_from_slice(&chunk[chunk.len().saturating_sub(3)..]);
        end.drain(..end.len().saturating_sub(3));
    })?;
    Ok((0..end.len()).any(|at| {
        std::str::from_utf8(&end[at..]).is_err_and(|error| error.error_len().is_none() && error.valid_up_to() == 0)
    }))
}

/// True if all that the repair of this kind changes is of the kind.
fn all_are(file: &mut Replay<'_>, how: How, is_of_kind: fn(&Change<'_>) -> bool) -> io::Result<bool> {
    let (mut all, mut repairer) = (true, Repairer::new(how.options()));
    let mut take = |piece: Stretch<'_>| {
        if let Stretch::Changed(change) = piece {
            all &= is_of_kind(&change);
        }
    };
    file.each(|chunk| repairer.feed(chunk, &mut take))?;
    repairer.finish(&mut take);
    Ok(all)
}

/// True for characters that were cut.
fn is_rejoined(change: &Change<'_>) -> bool {
    change.kind == ChangeKind::Rejoined
}

/// True for characters that were pairs of surrogates. An overlong form is a shorter character.
fn are_pairs(change: &Change<'_>) -> bool {
    change.kind == ChangeKind::Reinterpreted && change.after.chars().all(|c| c > '\u{FFFF}')
}

/// The bytes at both ends of a file in UTF-8 that are searched for labels.
const SIDE: usize = 16 << 10;

/// `1 ill-formed sequence`, if text that is not UTF-8 is not well-formed in its encoding of Unicode.
fn cannot_be_read(found: &Detection, from: Encoding) -> Option<String> {
    match found.basis() {
        Basis::Relative { lone, .. } => {
            (lone > 0).then(|| format!("{} without a pair, which UTF-8 cannot hold", count(lone, "surrogate")))
        }
        _ if from.unit_size() > 1 => {
            let ill_formed = found.ill_formed().filter(|ill_formed| *ill_formed > 0)?;
            Some(format!("{} in {from}", count(ill_formed, "ill-formed sequence")))
        }
        _ => None,
    }
}
