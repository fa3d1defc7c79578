//! The gate: every subcommand that writes asks it whether a file may be written
//! over. It judges the whole file, whether it was named or found by a walk.

mod no_text;
mod sample;

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use utfkit::detect::{Basis, Certainty, Detection, detect};
use utfkit::diagnose::Checker;
use utfkit::repair::{Evidence, Fallback, Options};
use utfkit::{Encoding, Standard};
use utfkit_gate::{Folders, Lack, magic};

use crate::args::BomRule;
use crate::binaries::NotText;
use crate::declared::{Declarations, Declared};
use crate::failure::{AtPath, Failure, Refusal, Unreadable};
use crate::input::Input;
use crate::labels::labels;
use crate::neighbours::{Beside, Neighbours};
use crate::paths::resolve;
use crate::printable::{Escaped, count, escaped_text};
use crate::reading::Replay;
use crate::report::nearest;
use crate::survey::{
    Survey, encodings, is_surely_another, is_utf8_too, is_well_formed, joined, may_be_repaired, mends_mixed, with_bom,
};
use crate::wide::{FRONT, wide};
use no_text::{Lines, Stray, nul, stray};
use sample::{AS_LINES, Sample};

pub(crate) use no_text::{begins_with_strays, no_text};

/// From this size on, in bytes, the first chunk of a file is judged before the
/// rest is read.
const LARGE: u64 = 16 << 20;

/// The permissions that the user gives for a run.
#[derive(Clone, Debug)]
pub(crate) struct Gate {
    declarations: Arc<Declarations>,
    /// `--text`: every file is text.
    text: bool,
    /// `--force`: write even where something is lost.
    force: bool,
    /// Stray controls are mended, so they do not make a file binary.
    mends_controls: bool,
    /// Every file is in this encoding, and stays in it.
    only: Option<Encoding>,
    folders: Arc<Folders>,
    neighbours: Arc<Neighbours>,
}

/// The change that a subcommand wants to make.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Intent<'a> {
    /// Ill-formed sequences are read in `fallback`, or replaced.
    Repair { options: &'a Options, fallback: Option<Encoding> },
    /// Without `from`, the encoding is detected, and has to be as sure as `trust`.
    Convert { from: Option<Encoding>, trust: Certainty },
    /// Any change that makes UTF-8 of it. `options` belong to the repair.
    Fix { options: &'a Options },
}

/// A file that may be written over.
pub(crate) struct Passed {
    pub(crate) survey: Survey,
    /// The encoding to read it in.
    pub(crate) from: Encoding,
    /// True if the file needs no change.
    pub(crate) is_done: bool,
    /// The declarations for it.
    pub(crate) declared: Declared,
    /// The other files of its folder, if it is read in their encoding.
    pub(crate) beside: Option<Beside>,
    /// Its stray controls, if they are mended.
    pub(crate) stray: Option<Stray>,
}

/// The result of a judgement.
struct Judged {
    /// The encoding to read the file in.
    from: Encoding,
    /// True if nothing is left to do.
    is_done: bool,
    stray: Option<Stray>,
}

/// `advice` may name the file as `FILE`.
fn refuse<T>(why: impl Into<String>, advice: impl Into<String>) -> Result<T, Refusal> {
    refuse_read(why, Vec::new(), advice)
}

/// `readings` are the encodings that it may be in.
fn refuse_read<T>(
    why: impl Into<String>,
    readings: Vec<&'static str>,
    advice: impl Into<String>,
) -> Result<T, Refusal> {
    Err(Refusal { binary: None, why: why.into(), readings, advice: advice.into() })
}

fn no_words<T>(from: Encoding) -> Result<T, Refusal> {
    refuse_read("its characters form no words", vec![from.name()], "")
}

fn binary<T>(why: NotText) -> Result<T, Refusal> {
    Err(Refusal::binary(why))
}

impl Gate {
    pub(crate) fn new(text: bool, force: bool) -> Gate {
        Gate {
            declarations: Arc::default(),
            text,
            force,
            mends_controls: false,
            only: None,
            folders: Arc::default(),
            neighbours: Arc::default(),
        }
    }

    /// The gate for rules: with `only`, every file is in this encoding, and stays in it.
    pub(crate) fn for_rules(self, mends_controls: bool, only: Option<Encoding>) -> Gate {
        Gate { mends_controls, only, ..self }
    }

    /// The gate of a run with `--text`, unless this is one, or `file` is so large that
    /// trying it takes long.
    pub(crate) fn as_text(&self, file: &Replay<'_>) -> Option<Gate> {
        let is_small = file.file().metadata().is_ok_and(|metadata| metadata.len() < LARGE);
        (!self.text && is_small).then(|| Gate { text: true, ..self.clone() })
    }

    pub(crate) fn is_forced(&self) -> bool {
        self.force
    }

    /// Surveys `file`, which is `input`, and judges it. A refusal recommends `--text`
    /// if that helps.
    pub(crate) fn ask(&self, input: &Input, file: &mut Replay<'_>, intent: Intent<'_>) -> Result<Passed, Failure> {
        let mut asked = self.examine(input, file, intent);
        // A file of a walk is only counted. What `fix` does is decided by its plan.
        if let Err(Failure::Refused(_, refusal)) = &mut asked
            && input.is_named()
            && !matches!(intent, Intent::Fix { .. })
            && !refusal.binary.is_some_and(NotText::is_format)
            && let Some(as_text) = self.as_text(file)
            && let Ok(passed) = as_text.examine(input, file, intent)
            && !passed.is_done
            && !passed.survey.is_well_formed()
            && would_change(file, intent).reading(input.path())?
        {
            refusal.advise(TREATS_AS_TEXT);
        }
        asked
    }

    fn examine(&self, input: &Input, file: &mut Replay<'_>, intent: Intent<'_>) -> Result<Passed, Failure> {
        let path = input.path();
        let refused = |refusal| Failure::Refused(path.to_owned(), refusal);
        if let Some(folder) = self.folders.of(&resolve(path).reading(path)?) {
            let why = format!("{} belongs to version control, and is never written to", Escaped(&folder));
            return refuse(why, "").map_err(refused);
        }
        let mut declared = self.declarations.of(path);
        if let Some(unread) = &declared.unread {
            return Err(Unreadable::for_lack_of(path, unread).into());
        }
        if let Some(only) = self.only {
            declared.read_in(only);
            declared.encoding = Some(Ok(only));
        }
        if !self.text && input.is_declared_binary() {
            return binary(NotText::Declared).map_err(refused);
        }
        let none = Options::new();
        let options = match intent {
            Intent::Repair { options, .. } | Intent::Fix { options } => options,
            Intent::Convert { .. } => &none,
        };
        let is_large = file.file().metadata().reading(path)?.len() >= LARGE;
        let has_neighbours = !input.is_named() && is_detected(intent);
        let known = |first: &[u8]| if has_neighbours { self.neighbours.whole(path, first) } else { None };
        let survey = Survey::of(path, file, options, known, |chunk| {
            self.begins_as_format(chunk, &declared, intent)?;
            if is_large { self.begins_as_text(chunk, intent) } else { Ok(()) }
        })?;
        if has_neighbours && survey.front.len() as u64 == survey.found.bytes() {
            self.neighbours.met(path, &survey.front, &survey.found);
        }
        let mut beside = None;
        let Judged { from, is_done, stray } =
            match self.is_declared(&declared, file, &survey.found, intent).reading(path)?.map_err(refused)? {
                Some(from) => Judged { from, is_done: true, stray: None },
                None => {
                    if has_neighbours {
                        beside = self.neighbours.reading(path, &survey.found, file).reading(path)?;
                    }
                    self.judge_beside(path, file, &survey, intent, beside)?
                }
            };
        // `fix` asks about all files before it writes any.
        if !is_done && matches!(intent, Intent::Convert { from: None, .. }) {
            self.neighbours.keep(path, &survey.found).reading(path)?;
        }
        Ok(Passed { survey, from, is_done, declared, beside, stray })
    }

    /// Returns the encoding that .gitattributes or .editorconfig declare for a file
    /// if it is not UTF-8 and the file is well-formed in it: a command that was not
    /// told the encoding leaves such a file as it is. Refuses a file that is not.
    fn is_declared(
        &self,
        declared: &Declared,
        file: &mut Replay<'_>,
        found: &Detection,
        intent: Intent<'_>,
    ) -> io::Result<Result<Option<Encoding>, Refusal>> {
        let is_told = self.force || matches!(intent, Intent::Convert { from: Some(_), .. });
        let encoding = match &declared.encoding {
            Some(Ok(encoding)) if self.only.is_some() => *encoding,
            Some(Ok(encoding)) if !is_told && !matches!(encoding, Encoding::Utf8 | Encoding::UsAscii) => *encoding,
            None if !is_told && !is_well_formed(found) && declared.ignored.is_some() => {
                let unknown = declared.ignored.as_deref().unwrap_or_default();
                return Ok(refuse(format!("its declared encoding is not supported: {unknown}"), "--force ignores it"));
            }
            Some(Err(unknown)) if !is_told => {
                return Ok(refuse(format!("its declared encoding is not supported: {unknown}"), "--force ignores it"));
            }
            _ => return Ok(Ok(None)),
        };
        let mut checker = Checker::new(encoding, Standard::Rfc3629);
        file.each(|chunk| checker.feed(chunk, |_| ()))?;
        checker.finish(|_| ());
        Ok(if checker.totals().findings() == 0 && !is_another(found, declared, encoding) {
            match intent {
                Intent::Convert { .. } => refuse(
                    format!("it is {encoding}, as .gitattributes or .editorconfig declares"),
                    format!("`utfkit convert -f {encoding} --in-place FILE` converts it all the same"),
                ),
                _ => Ok(Some(encoding)),
            }
        } else if self.only.is_some() {
            refuse(format!("it is not {encoding}"), "`utfkit detect FILE` tells what it may be")
        } else if matches!(intent, Intent::Fix { .. }) {
            // `fix` converts it to the declared encoding.
            Ok(None)
        } else {
            refuse(
                format!("it is declared to be {encoding}, and is not"),
                "`utfkit fix FILE` mends that, and --force ignores the declaration",
            )
        })
    }

    /// Refuses a file with NUL in a known format, such as gzip, before the rest is read. A file that is
    /// declared to be in an encoding is read all the same.
    fn begins_as_format(&self, chunk: &[u8], declared: &Declared, intent: Intent<'_>) -> Result<(), Refusal> {
        if self.text || !is_detected(intent) || declared.encoding.is_some() || !chunk.contains(&0) {
            return Ok(());
        }
        match magic::format(&chunk[..chunk.len().min(magic::FRONT)]).filter(|format| !format.is_weak) {
            Some(format) => binary(NotText::Format(format.name)),
            None => Ok(()),
        }
    }

    /// Refuses a file whose first chunk is not text, such as a disk image.
    fn begins_as_text(&self, chunk: &[u8], intent: Intent<'_>) -> Result<(), Refusal> {
        let is_wide = matches!(intent, Intent::Convert { from: Some(from), .. } if from.unit_size() > 1);
        if self.text || is_wide || (self.mends_controls && begins_with_strays(chunk)) {
            return Ok(());
        }
        let front = detect(chunk);
        // A repair would not change these.
        let is_fine = matches!(intent, Intent::Repair { .. }) && is_well_formed(&front);
        let is_binary = front.nulls() > 0
            && front.basis() != Basis::Joined
            && !front.has_separators()
            && front.encoding().is_none_or(|encoding| encoding.unit_size() == 1);
        let nul = chunk.iter().position(|&byte| byte == 0).filter(|_| is_binary && !is_fine);
        nul.map_or(Ok(()), |at| binary(NotText::Nul(at as u64)))
    }

    /// Judges a file by its survey. Returns the encoding to read it in, and
    /// whether nothing is left to do.
    pub(crate) fn judge(
        &self,
        path: &Path,
        file: &mut Replay<'_>,
        survey: &Survey,
        intent: Intent<'_>,
    ) -> Result<(Encoding, bool), Failure> {
        self.judge_beside(path, file, survey, intent, None).map(|judged| (judged.from, judged.is_done))
    }

    /// Like [`judge`](Gate::judge). With `beside` the file is read in the encoding of its neighbours.
    fn judge_beside(
        &self,
        path: &Path,
        file: &mut Replay<'_>,
        survey: &Survey,
        intent: Intent<'_>,
        beside: Option<Beside>,
    ) -> Result<Judged, Failure> {
        let refused = |refusal| Failure::Refused(path.to_owned(), refusal);
        let found = &survey.found;
        let is_utf8 = survey.is_well_formed();
        if matches!(intent, Intent::Fix { .. })
            && let Some(stray) = self.stray(file, survey).reading(path)?.map_err(refused)?
        {
            return Ok(Judged { from: Encoding::Utf8, is_done: false, stray: Some(stray) });
        }
        let from = match intent {
            Intent::Repair { options, .. } if is_utf8 && !options.wants_evidence() => {
                return Ok(Judged { from: Encoding::Utf8, is_done: true, stray: None });
            }
            Intent::Repair { .. } => Encoding::Utf8,
            Intent::Convert { from: Some(from), .. } => from,
            Intent::Convert { from: None, .. } | Intent::Fix { .. } if let Some(beside) = beside => beside.encoding,
            Intent::Convert { from: None, .. } | Intent::Fix { .. } => {
                self.verdict(file, found, intent).reading(path)?.map_err(refused)?
            }
        };
        // Nothing that is UTF-8 already is asked for more.
        if matches!(intent, Intent::Fix { .. })
            && found.basis() == Basis::WellFormed
            && found.nulls() > 0
            && found.bom().is_none()
            && survey.evidence.as_ref().is_none_or(Evidence::is_empty)
            && magic::format(&survey.front).is_none()
        {
            return Ok(Judged { from: Encoding::Utf8, is_done: true, stray: None });
        }
        self.is_meant(found, from, intent).map_err(refused)?;
        self.is_text(file, survey, from, intent).reading(path)?.map_err(refused)?;
        let strays = AS_LINES.filter(|_| found.has_separators() || self.mends_controls);
        let sample = match intent {
            // Text that was encoded twice needs no proof that it is text.
            Intent::Repair { options, fallback } => {
                let options = options.clone().undouble(false).reinterpret(true);
                let sample = Sample::repaired(file, options, strays).reading(path)?;
                self.is_mostly_utf8(path, file, survey, fallback, &sample)?;
                sample
            }
            // Ill-formed sequences in UTF-8 are reported with their place.
            _ if is_joined(found, intent) => Sample::united(file, found.pieces()).reading(path)?,
            _ if from == Encoding::Utf8 || is_utf8 => Sample::of_front(survey.head()),
            _ => Sample::decoded(file, with_bom(from, found), strays).reading(path)?,
        };
        let is_guessed = match intent {
            Intent::Convert { from: Some(_), .. } => false,
            Intent::Repair { .. } => sample.fallback > sample.kept,
            _ => found.certainty() <= Certainty::Likely,
        };
        self.is_plausible(file, survey, &sample, (from, intent), is_guessed).reading(path)?.map_err(refused)?;
        self.is_known(&sample, found).map_err(refused)?;
        is_trusted(found, from, intent, beside).map_err(refused)?;
        Ok(Judged { from, is_done: false, stray: None })
    }

    /// The stray controls of UTF-8 to mend. Refuses a file that may not be text.
    fn stray(&self, file: &mut Replay<'_>, survey: &Survey) -> io::Result<Result<Option<Stray>, Refusal>> {
        let Survey { found, front, controls, .. } = survey;
        let is_wide = found.certainty() > Certainty::Guess && found.encoding().is_some_and(|is| is.unit_size() > 1);
        if !self.mends_controls || found.nulls() + controls == 0 || is_wide {
            return Ok(Ok(None));
        }
        Ok(match stray(file, Encoding::Utf8)? {
            None => Ok(None),
            // Pieces of UTF-16 are not UTF-8 with NULs, unless they are a few US-ASCII words.
            Some(stray) if found.is_mixed() && !(stray.are_nuls && (stray.is_sure || self.text)) => Ok(None),
            stray if self.text => Ok(stray),
            stray => match magic::format(front) {
                Some(format) => binary(NotText::Format(format.name)),
                None if stray.is_some_and(|stray| stray.is_sure) => Ok(stray),
                None if found.nulls() > 0 => binary(nul(file)?),
                None => binary(NotText::Controls(*controls)),
            },
        })
    }

    /// Refuses bytes that are not text, whatever their encoding.
    fn is_text(
        &self,
        file: &mut Replay<'_>,
        survey: &Survey,
        from: Encoding,
        intent: Intent<'_>,
    ) -> io::Result<Result<(), Refusal>> {
        if self.text {
            return Ok(Ok(()));
        }
        let Survey { found, front, controls, .. } = survey;
        let is_joined = is_joined(found, intent);
        let is_guessed = !matches!(intent, Intent::Convert { from: Some(_), .. });
        let controls = *controls;
        let has_nulls = found.nulls() > 0 && !is_joined && from.unit_size() == 1;
        // A repair has no --trust, and would change it at likely.
        if has_nulls && found.has_separators() && matches!(intent, Intent::Repair { .. }) {
            return Ok(refuse("it has NUL between its fields, so that it may be no text", ""));
        }
        if has_nulls && !found.has_separators() {
            // Rare controls that are mended do not make it binary.
            let is_mended = self.mends_controls && stray(file, from)?.is_some_and(|stray| stray.is_rare);
            if !is_mended || magic::format(front).is_some() {
                return Ok(binary(nul(file)?));
            }
        }
        // The bytes of units are no controls.
        let has_controls = found.nulls() + controls > 0 && !is_joined;
        if let Some(format) = magic::format(front).filter(|format| has_controls || !format.is_weak) {
            return Ok(binary(NotText::Format(format.name)));
        }
        if is_joined {
            return Ok(Ok(()));
        }
        // Well-formed UTF-8 is hardly ever binary, so it may have more controls; so may
        // lines, of which some end or separate pages with one.
        if controls * 512 > found.bytes() && from.unit_size() == 1 && !(is_guessed && is_ebcdic(from)) {
            let lines = Lines::of(file)?;
            let controls = lines.foreign(controls);
            let share = if is_well_formed(found) { 16 } else { lines.share() };
            if controls * share > found.bytes() {
                return Ok(binary(NotText::Controls(controls)));
            }
        }
        // The front and the whole have to agree.
        let begins = &front[..front.len().min(FRONT)];
        let of_front = wide(begins).map(|wide| wide.encoding);
        let agrees = |begin: &Encoding| begin.unit_size() == from.unit_size() && (!is_guessed || *begin == from);
        if let Some(begin) = of_front.filter(|begin| !agrees(begin)) {
            return Ok(refuse(format!("it begins as {begin}, and the rest is not"), ""));
        }
        if is_guessed && from.unit_size() > 1 {
            let of_front = detect(begins);
            let agrees = of_front.encoding().is_some_and(|encoding| encoding.unit_size() == from.unit_size());
            if !agrees && of_front.certainty() > Certainty::Guess {
                return Ok(refuse(format!("its beginning is not {from}"), ""));
            }
        }
        Ok(Ok(()))
    }

    /// Refuses a file in `encoding` that is not text. For rules, which leave it in that encoding.
    pub(crate) fn is_text_in(
        &self,
        path: &Path,
        file: &mut Replay<'_>,
        survey: &Survey,
        encoding: Encoding,
    ) -> Result<(), Failure> {
        if self.text {
            return Ok(());
        }
        let Survey { found, front, controls, .. } = survey;
        let has_controls = found.nulls() + controls > 0;
        let format = magic::format(front).filter(|format| has_controls || !format.is_weak);
        let judged = match (format, stray(file, encoding).reading(path)?) {
            (Some(format), _) => binary(NotText::Format(format.name)),
            (None, Some(stray)) if self.mends_controls && is_utf8_too(encoding) && stray.is_sure => Ok(()),
            (None, stray) => {
                let strays = self.mends_controls && stray.is_some_and(|stray| stray.is_rare);
                let sample = Sample::decoded(file, encoding, strays.then_some("")).reading(path)?;
                let intent = Intent::Convert { from: Some(encoding), trust: Certainty::Guess };
                self.is_plausible(file, survey, &sample, (encoding, intent), false).reading(path)?
            }
        };
        judged.map_err(|refusal| Failure::Refused(path.to_owned(), refusal))
    }

    /// Refuses a command that would encode UTF-8 twice, or repair UTF-16 as UTF-8.
    fn is_meant(&self, found: &Detection, from: Encoding, intent: Intent<'_>) -> Result<(), Refusal> {
        match intent {
            _ if self.force => Ok(()),
            Intent::Convert { from: Some(_), .. } if is_utf8_too(from) => Ok(()),
            Intent::Convert { from: Some(_), .. } => {
                let is_utf8 = found.basis() == Basis::WellFormed && found.ill_formed() == Some(0);
                let is_ascii = found.basis() == Basis::Ascii && from.unit_size() > 1;
                if !is_utf8 && !is_ascii {
                    return Ok(());
                }
                let name = found.name().unwrap_or_default();
                refuse(format!("it is {name} already, and would be encoded twice"), "--force does it")
            }
            Intent::Repair { .. } => may_be_repaired(found),
            _ => Ok(()),
        }
    }

    /// Refuses to repair a file that is for the most part not UTF-8, or of which much
    /// would be lost.
    fn is_mostly_utf8(
        &self,
        path: &Path,
        file: &mut Replay<'_>,
        survey: &Survey,
        fallback: Option<Encoding>,
        sample: &Sample,
    ) -> Result<(), Failure> {
        let Survey { found, .. } = survey;
        let lost = sample.replaced.saturating_sub(found.cut());
        // `fix` calls these no text, too.
        let is_unknown = matches!(found.basis(), Basis::Unknown | Basis::NoText) && !self.text;
        let is_much = lost >= 16 && lost * 4 > sample.kept;
        let is_mostly = sample.replaced + sample.fallback <= sample.kept;
        if self.force || (is_mostly && !(lost > 0 && (is_unknown || is_much))) {
            return Ok(());
        }
        // The whole file is in the fallback encoding.
        let is_fallback = |found: Option<Encoding>| found.is_some() && found == fallback;
        let is_found = [found.encoding(), found.equivalent(), found.foreign()].into_iter().any(is_fallback);
        if sample.replaced == 0 && is_found {
            return Ok(());
        }
        // A few bytes among much US-ASCII do not reveal their encoding, and the user
        // named one.
        let is_rare = (sample.replaced + sample.fallback).saturating_mul(100) <= found.bytes();
        let is_open = found.basis() == Basis::Unknown || found.certainty() == Certainty::Guess;
        if sample.replaced == 0 && fallback.is_some() && is_open && is_rare {
            return Ok(());
        }
        let why = match is_mostly {
            true => format!("{} would be lost", count(sample.replaced, "ill-formed sequence")),
            false => "most of it that is not US-ASCII is ill-formed in UTF-8".to_owned(),
        };
        // All commands call the same files no text.
        let fix = Intent::Fix { options: &Options::new() };
        match self.judge(path, file, survey, fix) {
            Err(Failure::Refused(path, refusal)) if refusal.binary.is_some() => {
                return Err(Failure::Refused(path, refusal));
            }
            _ => {}
        }
        let can_fall_back = fallback.is_none() && (is_mostly || (is_unknown && is_rare));
        // A guess is no answer to someone who named another encoding.
        let is_answer = |encoding: &Encoding| {
            *encoding != Encoding::Utf8 && (fallback.is_none() || found.certainty() > Certainty::Guess)
        };
        let refusal = match found.encoding().filter(is_answer) {
            Some(encoding) => {
                let name = encoding.name();
                let convert = Intent::Convert { from: Some(encoding), trust: Certainty::Guess };
                let advice = match self.judge(path, file, survey, convert) {
                    Ok(_) if found.certainty() > Certainty::Likely => {
                        format!("`utfkit convert -f {name} --in-place FILE` makes UTF-8 of it")
                    }
                    Ok(_) => format!("if that is right, `utfkit convert -f {name} --in-place FILE` makes UTF-8 of it"),
                    Err(_) => "--force writes U+FFFD".to_owned(),
                };
                refuse(format!("{why}; it may be {name} ({})", found.certainty()), advice)
            }
            None if let Some(name) = found.name().filter(|_| found.encoding().is_none()) => {
                refuse(format!("{why}; it may be {name}, which is not supported"), "")
            }
            None if fallback.is_some() => {
                refuse(format!("{why}, and in no known encoding"), "--force repairs it all the same")
            }
            None if can_fall_back => {
                refuse(why, "--fallback NAME reads them in another encoding, --force writes U+FFFD")
            }
            None => refuse(why, "--force writes U+FFFD"),
        };
        refusal.map_err(|refusal| Failure::Refused(path.to_owned(), refusal))
    }

    /// Refuses characters that do not form words.
    fn is_plausible(
        &self,
        file: &mut Replay<'_>,
        survey: &Survey,
        sample: &Sample,
        (from, intent): (Encoding, Intent<'_>),
        is_guessed: bool,
    ) -> io::Result<Result<(), Refusal>> {
        if self.text {
            return Ok(Ok(()));
        }
        let Survey { found, controls, .. } = survey;
        Ok(match sample.plausible.lack(is_guessed) {
            _ if sample.plausible.nuls() > 0 => binary(NotText::NulCharacter(from)),
            // Units with a BOM, all of them well-formed and plausible.
            Some(_) if from.unit_size() > 1 && found.bom().is_some() && found.certainty() == Certainty::Certain => {
                Ok(())
            }
            Some(Lack::Controls(n)) if !is_detected(intent) || !Lines::of(file)?.may_have(n, *controls) => {
                binary(NotText::Controls(n))
            }
            Some(Lack::Controls(n)) if n <= *controls && !sample.plausible.lacks_order(is_guessed) => Ok(()),
            Some(Lack::Controls(_) | Lack::Order) => match Lines::of(file)? {
                lines if !lines.are_text() && found.nulls() > 0 => binary(nul(file)?),
                lines if !lines.are_text() => binary(NotText::Noise),
                // Tables and lists of patterns break the rules of words. The model knows them, or they
                // declare their encoding.
                lines
                    if (found.certainty() > Certainty::Likely || found.basis() == Basis::Declared)
                        && lines.has_lines()
                        && *controls == 0 =>
                {
                    Ok(())
                }
                // Surrogates alone are U+FFFD here, and no change is made of them.
                _ if from == Encoding::Wtf8 && is_detected(intent) => Ok(()),
                _ => no_words(from),
            },
            None if matches!(found.basis(), Basis::Likeliest { .. }) && is_detected(intent) => {
                // In EBCDIC, spaces and line ends are other bytes.
                let lines = if is_ebcdic(from) { Lines::of_text(&sample.head) } else { Lines::of(file)? };
                // The scripts of multibyte encodings have no spaces.
                let has_words = sample.has_words() && (!is_single_byte(from) || lines.has_spaces());
                let is_multibyte = !is_single_byte(from) && found.certainty() > Certainty::Likely;
                if has_words || is_multibyte || lines.are_text() { Ok(()) } else { binary(NotText::Noise) }
            }
            None => Ok(()),
        })
    }

    /// Refuses a file that declares an encoding that we lack.
    fn is_known(&self, sample: &Sample, found: &Detection) -> Result<(), Refusal> {
        if self.force || is_well_formed(found) {
            return Ok(());
        }
        let labels = labels(&sample.head, sample.is_all);
        match labels.iter().find(|label| label.encoding().is_none() && !label.is_fixed()) {
            Some(label) => refuse(
                format!("it declares an unknown encoding ({})", label.shown()),
                "convert it with a program that knows that one, or --force",
            ),
            None => Ok(()),
        }
    }

    /// The detected encoding, if all of the file can be read in it.
    fn verdict(
        &self,
        file: &mut Replay<'_>,
        found: &Detection,
        intent: Intent<'_>,
    ) -> io::Result<Result<Encoding, Refusal>> {
        let encoding = found.encoding();
        if found.basis() == Basis::Joined {
            if let Some(why) = no_text(found, file)?.filter(|_| !self.text) {
                return Ok(binary(why));
            }
            return Ok(joined(found).map(|_| Encoding::Utf8));
        }
        Ok(match encoding {
            // The planner decides by piece.
            Some(Encoding::Utf8) if found.basis() == Basis::Damaged && matches!(intent, Intent::Fix { .. }) => {
                Ok(Encoding::Utf8)
            }
            Some(other) if found.is_mixed() && matches!(intent, Intent::Fix { .. }) => refuse_read(
                "partly UTF-8, partly something else",
                vec![other.name()],
                match Fallback::new(other) {
                    Some(_) => {
                        format!("`utfkit repair --diff --fallback {other} FILE` shows what that would make of it")
                    }
                    None => "`utfkit check FILE` shows where it is not UTF-8".to_owned(),
                },
            ),
            _ if found.is_mixed() => refuse(found.to_string(), mends_mixed(found, "FILE")),
            Some(encoding) => Ok(encoding),
            None if found.name().is_some() => refuse(
                format!("{found}: an unsupported encoding"),
                "if it is in another one, `utfkit convert -f NAME --in-place FILE`",
            ),
            None if found.is_mixed() => refuse(found.reason().to_string(), ""),
            None if let Some(declaration) =
                found.declaration().filter(|declaration| declaration.encoding().is_none()) =>
            {
                refuse(
                    format!("it declares an unknown encoding ({})", escaped_text(declaration.label())),
                    "convert it with a program that knows that one",
                )
            }
            None => match no_text(found, file)? {
                Some(why) if !self.text => binary(why),
                why => refuse_read(unknown(why), nearest(found), NAME_IT),
            },
        })
    }
}

/// True if a file that is well-formed in its declared encoding is in another one all the same: nearly
/// all bytes are ISO-8859-1, and every second file has an even length.
fn is_another(found: &Detection, declared: &Declared, encoding: Encoding) -> bool {
    let lacks_bom = declared.bom == Some(BomRule::Require) || encoding.has_bom();
    is_surely_another(found, encoding) || (lacks_bom && found.bom().is_none() && found.basis() != Basis::Empty)
}

fn is_single_byte(encoding: Encoding) -> bool {
    match encoding {
        Encoding::Latin1 | Encoding::Ibm437 => true,
        Encoding::Legacy(legacy) => legacy.is_single_byte(),
        _ => false,
    }
}

/// True for an encoding of one byte per character in which US-ASCII is other bytes.
fn is_ebcdic(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::Legacy(legacy) if legacy.is_single_byte() && !legacy.is_ascii_compatible())
}

/// True if the encoding comes from the detector.
fn is_detected(intent: Intent<'_>) -> bool {
    matches!(intent, Intent::Fix { .. } | Intent::Convert { from: None, .. })
}

/// True if each piece of a joined file is read in its encoding.
fn is_joined(found: &Detection, intent: Intent<'_>) -> bool {
    found.basis() == Basis::Joined && is_detected(intent)
}

/// True if the change does anything to a file that is not well-formed UTF-8.
fn would_change(file: &mut Replay<'_>, intent: Intent<'_>) -> io::Result<bool> {
    let is_changed = |chunk: &[u8]| if chunk.is_ascii() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    match intent {
        Intent::Repair { .. } => {
            let mut checker = Checker::new(Encoding::Utf8, Standard::Rfc3629);
            file.each(|chunk| checker.feed(chunk, |_| ()))?;
            checker.finish(|_| ());
            Ok(checker.totals().findings() > 0)
        }
        Intent::Convert { from: Some(from), .. } if from.unit_size() == 1 => {
            Ok(file.each_until(is_changed)?.is_break())
        }
        Intent::Convert { .. } | Intent::Fix { .. } => Ok(true),
    }
}

const TREATS_AS_TEXT: &str = "-a treats it as text";
const NAME_IT: &str = "if you know it, `utfkit convert -f NAME --in-place FILE`";

/// Why there is no encoding. `binary` says that it is not text, if it was taken for
/// text all the same.
fn unknown(binary: Option<NotText>) -> String {
    match binary {
        Some(why) => format!("taken for text as asked ({why}), it is in no known encoding"),
        None => "text in no encoding that is known here".to_owned(),
    }
}

/// Refuses an encoding that is less sure than the user wants. [`Intent::Fix`]
/// applies its own limit, when it plans.
fn is_trusted(found: &Detection, from: Encoding, intent: Intent<'_>, beside: Option<Beside>) -> Result<(), Refusal> {
    match intent {
        Intent::Convert { from: None, trust } if found.basis() == Basis::Joined && found.certainty() < trust => refuse(
            format!("it is {} joined, {}", encodings(found.pieces()), found.certainty()),
            match trust {
                Certainty::NearlyCertain if found.certainty() == Certainty::Likely => "`--trust likely` converts it",
                _ => "`--trust nearly-certain` converts it",
            },
        ),
        // Of damaged UTF-8, the conversion itself says where it stops.
        Intent::Convert { from: None, trust } if found.certainty() < trust && from != Encoding::Utf8 => {
            let name = with_bom(from, found).name();
            match found.certainty() {
                _ if let Some(beside) = beside => match trust {
                    Certainty::Likely | Certainty::Guess => Ok(()),
                    _ => refuse(format!("it is likely {name}, {}", beside.reason()), "`--trust likely` converts it"),
                },
                Certainty::Guess => refuse(
                    format!("it may be {name}, which is a guess"),
                    format!("if it is right, `utfkit convert -f {name} --in-place FILE`"),
                ),
                Certainty::Likely => {
                    refuse(format!("it is likely {name}, but not sure"), "`--trust likely` converts it")
                }
                sure => refuse(format!("it is {name}, {sure}"), "`--trust nearly-certain` converts it"),
            }
        }
        _ => Ok(()),
    }
}
