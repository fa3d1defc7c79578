//! Whether a file may be written over: one question for every subcommand that
//! does it, asked of the whole file, named or met on a walk.

use std::fmt;
use std::fs::File;
use std::io::{self, Seek};
use std::path::Path;

use utfkit::detect::{Basis, Certainty, Detection, Detector, detect};
use utfkit::repair::{ChangeKind, Options, Repairer, Stretch};
use utfkit::{Encoding, Policy, Status, Transcoder};

use crate::input::Input;
use crate::labels::{HEAD, Label, labels};
use crate::paths::resolve;
use crate::reading::{read_at, read_some};
use crate::report::{Escaped, FRONT, argument, wide};

pub(crate) use utfkit_gate::is_of_version_control;
use utfkit_gate::{Folders, Lack, Plausible, magic};

/// Where a file becomes large, in bytes: it takes longer to read than to look
/// twice.
const LARGE: u64 = 16 << 20;

/// What the user said about all files of the run.
#[derive(Debug)]
pub(crate) struct Gate {
    /// Files that are not text are taken for text.
    text: bool,
    /// What would lose or garble something is done.
    force: bool,
    folders: Folders,
}

/// What is to be done with a file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Intent<'a> {
    /// With the encoding in which what is ill-formed is read.
    Repair { options: &'a Options, fallback: Option<Encoding> },
    /// Without an encoding it is found out, and has to be as sure as that.
    Convert { from: Option<Encoding>, trust: Certainty },
    /// Whatever makes UTF-8 of it.
    Fix,
}

/// What is known of a file that may be written over.
pub(crate) struct Passed {
    pub(crate) found: Detection,
    /// The encoding that it is to be read in.
    pub(crate) from: Encoding,
    /// As it is, it is what it should become.
    pub(crate) is_done: bool,
}

/// Why a file may not be written over.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// It is not text: on a walk, such files are counted.
    pub(crate) is_binary: bool,
    /// The reason and the way out, safe on a terminal.
    pub(crate) why: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "left as it was: {}", self.why)
    }
}

/// Says why not.
type Answer<T> = Result<T, Refusal>;

fn refuse<T>(why: String) -> Answer<T> {
    Err(Refusal { is_binary: false, why })
}

fn no_text<T>(why: impl fmt::Display) -> Answer<T> {
    Err(Refusal { is_binary: true, why: format!("not text ({why}); -a takes it for text") })
}

impl Gate {
    pub(crate) fn new(text: bool, force: bool) -> Gate {
        Gate { text, force, folders: Folders::default() }
    }

    /// What may not be lost is lost all the same.
    pub(crate) fn is_forced(&self) -> bool {
        self.force
    }

    /// Asks whether `file`, which is `input`, may be written over. It is read to
    /// its end, more than once, and stands at its beginning again.
    pub(crate) fn ask(
        &self,
        input: &Input,
        file: &File,
        intent: Intent<'_>,
        chunk: &mut [u8],
    ) -> io::Result<Answer<Passed>> {
        let path = input.path();
        if let Some(folder) = self.folders.of(&resolve(path)?) {
            return Ok(refuse(format!("{} belongs to version control, and is never written to", Escaped(&folder))));
        }
        if !self.text && input.is_declared_binary() {
            return Ok(no_text("declared so in .gitattributes"));
        }
        if let Err(refusal) = self.begins_as_text(file, intent, chunk)? {
            return Ok(Err(refusal));
        }
        let look = Look::new(file, chunk)?;
        let answer = self.judge(path, file, intent, look, chunk);
        (&*file).rewind()?;
        answer
    }

    /// Of a large file the front is asked first: a disk image is not read to its
    /// end to learn what its first bytes say.
    fn begins_as_text(&self, file: &File, intent: Intent<'_>, chunk: &mut [u8]) -> io::Result<Answer<()>> {
        let is_wide = matches!(intent, Intent::Convert { from: Some(from), .. } if from.unit_size() > 1);
        if self.text || is_wide || file.metadata()?.len() < LARGE {
            return Ok(Ok(()));
        }
        let len = read_at(file, chunk, 0)?;
        let front = detect(&chunk[..len]);
        // A repair has nothing to do with these.
        let is_fine = matches!(intent, Intent::Repair { .. }) && is_well_formed(&front);
        let is_binary = front.nulls() > 0 && front.encoding().is_none_or(|encoding| encoding.unit_size() == 1);
        Ok(match is_binary && !is_fine {
            true => no_text(format_args!("{} in its first {len} bytes", count(front.nulls(), "NUL byte"))),
            false => Ok(()),
        })
    }

    fn judge(
        &self,
        path: &Path,
        file: &File,
        intent: Intent<'_>,
        look: Look,
        chunk: &mut [u8],
    ) -> io::Result<Answer<Passed>> {
        let Look { found, front, controls } = look;
        let is_utf8 = is_well_formed(&found);
        let passed = |found: Detection, from, is_done| Ok(Ok(Passed { found, from, is_done }));
        let from = match intent {
            Intent::Repair { options, .. } => {
                let is_done = is_utf8 && !options.wants_evidence();
                if is_done {
                    return passed(found, Encoding::Utf8, true);
                }
                Encoding::Utf8
            }
            Intent::Convert { from: Some(from), .. } => from,
            Intent::Convert { from: None, .. } | Intent::Fix => match self.verdict(path, &found, intent) {
                Ok(from) => from,
                Err(refusal) => return Ok(Err(refusal)),
            },
        };
        let answer = self
            .is_meant(path, &found, from, intent)
            .and_then(|()| self.is_text(&front, controls, &found, from, intent));
        if let Err(refusal) = answer {
            return Ok(Err(refusal));
        }
        let mut reading = Reading::default();
        match intent {
            Intent::Repair { options, fallback } => {
                let repair = (options, fallback);
                if let Err(refusal) = self.is_mostly_utf8(path, file, &found, repair, &mut reading, chunk)? {
                    return Ok(Err(refusal));
                }
            }
            // What is ill-formed in UTF-8 is reported with its place.
            _ if from == Encoding::Utf8 || is_utf8 => {
                reading.head = front.to_vec();
                reading.all = found.bytes() <= front.len() as u64;
            }
            _ => reading.decode(file, with_bom(from, &found), chunk)?,
        }
        let is_guessed = match intent {
            Intent::Convert { from: Some(_), .. } => false,
            Intent::Repair { .. } => reading.fallback > reading.kept,
            _ => found.certainty() <= Certainty::Likely,
        };
        let labels = labels(&reading.head, reading.all);
        let answer = self
            .is_plausible(&reading, from, is_guessed)
            .and_then(|()| self.is_known(&labels, &found))
            .and_then(|()| is_trusted(&found, from, intent));
        match answer {
            Ok(()) => passed(found, from, false),
            Err(refusal) => Ok(Err(refusal)),
        }
    }

    /// The encoding that was found, if all of the file can be read in it.
    fn verdict(&self, path: &Path, found: &Detection, intent: Intent<'_>) -> Answer<Encoding> {
        let file = argument(path);
        match found.encoding() {
            Some(other) if found.is_mixed() && matches!(intent, Intent::Fix) => refuse(format!(
                "partly UTF-8, partly something else, perhaps {other}; \
                 `utfkit repair --diff --fallback {other} {file}` shows what that would make of it"
            )),
            _ if found.is_mixed() => refuse(format!(
                "{found}: these would be garbled; `utfkit repair --fallback NAME {file}` leaves them alone, \
                 and `utfkit convert -f NAME {file}` converts all of it"
            )),
            Some(encoding) => Ok(encoding),
            None if found.name().is_none() => {
                Err(Refusal { is_binary: true, why: format!("{found}; if it is text, name its encoding with -f") })
            }
            None => {
                refuse(format!("{found}: an encoding that cannot be read here; if it is another one, name it with -f"))
            }
        }
    }

    /// What the bytes themselves say against text.
    fn is_text(
        &self,
        front: &[u8],
        controls: u64,
        found: &Detection,
        from: Encoding,
        intent: Intent<'_>,
    ) -> Answer<()> {
        if self.text {
            return Ok(());
        }
        if found.nulls() > 0 && from.unit_size() == 1 {
            return no_text(count(found.nulls(), "NUL byte"));
        }
        let has_controls = found.nulls() + controls > 0;
        if let Some(format) = magic::format(front).filter(|format| has_controls || !format.is_weak) {
            return no_text(format.name);
        }
        // What is well-formed UTF-8 is proved by that, up to a point.
        let share = if is_well_formed(found) { 16 } else { 512 };
        if controls * share > found.bytes() && from.unit_size() == 1 {
            return no_text(count(controls, "control character"));
        }
        // What the front looks like has to hold for the rest.
        let begins = &front[..front.len().min(FRONT)];
        let of_front = wide(begins).map(|wide| wide.encoding);
        let is_guessed = !matches!(intent, Intent::Convert { from: Some(_), .. });
        let goes_on = |begin: &Encoding| begin.unit_size() == from.unit_size() && (!is_guessed || *begin == from);
        if let Some(begin) = of_front.filter(|begin| !goes_on(begin)) {
            return no_text(format_args!("it begins as {begin} does, and does not go on so"));
        }
        if is_guessed && from.unit_size() > 1 {
            let of_front = detect(begins);
            let agrees = of_front.encoding().is_some_and(|encoding| encoding.unit_size() == from.unit_size());
            if !agrees && of_front.certainty() > Certainty::Guess {
                return no_text(format_args!("it does not begin as {from} does"));
            }
        }
        Ok(())
    }

    /// Whether the encoding that was named is a mistake.
    fn is_meant(&self, path: &Path, found: &Detection, from: Encoding, intent: Intent<'_>) -> Answer<()> {
        let file = argument(path);
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
                refuse(format!("it is {name} already, and would be encoded twice; --force does it"))
            }
            Intent::Repair { .. }
                if found.certainty() > Certainty::Guess
                    && found.encoding().is_some_and(|encoding| encoding.unit_size() > 1) =>
            {
                let name = found.encoding().map_or("", Encoding::name);
                let name = if found.bom().is_some() { &name[..name.len() - 2] } else { name };
                refuse(format!(
                    "it is {name}, of which a repair would leave nothing; make UTF-8 of it with \
                     `utfkit convert -f {name} --in-place {file}`"
                ))
            }
            _ => Ok(()),
        }
    }

    /// Whether most of it is UTF-8, so that repairing that is what is meant.
    fn is_mostly_utf8(
        &self,
        path: &Path,
        file: &File,
        found: &Detection,
        (options, fallback): (&Options, Option<Encoding>),
        reading: &mut Reading,
        chunk: &mut [u8],
    ) -> io::Result<Answer<()>> {
        // What was encoded twice is not text before, and needs no proof after.
        reading.repair(file, options.clone().undouble(false).reinterpret(true), chunk)?;
        let is_mostly = reading.replaced + reading.fallback <= reading.kept;
        if self.force || is_mostly {
            return Ok(Ok(()));
        }
        // The fallback is what all of it is in.
        let is_fallback = |found: Option<Encoding>| found.is_some() && found == fallback;
        if reading.replaced == 0 && (is_fallback(found.encoding()) || is_fallback(found.equivalent())) {
            return Ok(Ok(()));
        }
        // Of a few strange bytes in much US-ASCII nobody can say which encoding they are in; but
        // who names one knows.
        let is_rare = reading.fallback.saturating_mul(100) <= file.metadata()?.len();
        if reading.replaced == 0 && fallback.is_some() && found.basis() == Basis::Unknown && is_rare {
            return Ok(Ok(()));
        }
        let (name, file) = (found.encoding().filter(|encoding| *encoding != Encoding::Utf8), argument(path));
        let is = match (name, found.name()) {
            _ if found.basis() == Basis::NoText => return Ok(no_text("most of it is ill-formed")),
            (Some(encoding), _) => {
                let name = encoding.name();
                format!(
                    "it may be {name} ({}): `utfkit convert -f {name} --in-place {file}` or `utfkit fix {file}` makes UTF-8 of it",
                    found.certainty()
                )
            }
            (None, Some(name)) if found.encoding().is_none() => format!("it may be {name}"),
            _ if fallback.is_some() => "and text in no encoding that is known here; --force goes on".to_owned(),
            _ => "--fallback NAME reads what is ill-formed in another encoding, --force writes U+FFFD".to_owned(),
        };
        Ok(refuse(format!("most of it that is not US-ASCII is ill-formed in UTF-8; {is}")))
    }

    /// What the characters say against text.
    fn is_plausible(&self, reading: &Reading, from: Encoding, is_guessed: bool) -> Answer<()> {
        if self.text {
            return Ok(());
        }
        match reading.plausible.lack(is_guessed) {
            _ if reading.plausible.nuls() > 0 => no_text(format_args!("as {from} it holds NUL characters")),
            Some(Lack::Controls(n)) => no_text(format_args!("as {from} it holds {}", count(n, "control character"))),
            Some(Lack::Order) => no_text(format_args!("as {from} its characters make no words")),
            None => Ok(()),
        }
    }

    /// A label that nobody here knows says more than any guess.
    fn is_known(&self, labels: &[Label], found: &Detection) -> Answer<()> {
        if self.force || is_well_formed(found) {
            return Ok(());
        }
        match labels.iter().find(|label| label.encoding().is_none()) {
            Some(label) => refuse(format!(
                "it says that it is in another encoding ({}), which is not known here; \
                 convert it with a program that knows it, or --force",
                label.shown()
            )),
            None => Ok(()),
        }
    }
}

/// Whether the encoding that was found is sure enough to write over the only
/// copy. [`Intent::Fix`] shows what it found, and asks for itself.
fn is_trusted(found: &Detection, from: Encoding, intent: Intent<'_>) -> Answer<()> {
    match intent {
        Intent::Convert { from: None, trust } if found.certainty() < trust && !is_well_formed(found) => {
            let name = with_bom(from, found).name();
            refuse(match found.certainty() {
                Certainty::Guess => {
                    format!("it may be {name}, which is a guess; if it is right, say `-f {name}` instead of `-f auto`")
                }
                Certainty::Likely => format!("it is likely {name}, but not sure; `--trust likely` converts it"),
                sure => format!("it is {name}, {sure}; `--trust nearly-certain` converts it"),
            })
        }
        _ => Ok(()),
    }
}

/// What one pass over the bytes shows.
struct Look {
    found: Detection,
    front: Vec<u8>,
    /// Other controls than NUL that text has none of, without the U+001A with
    /// which DOS ends it.
    controls: u64,
}

impl Look {
    fn new(file: &File, chunk: &mut [u8]) -> io::Result<Look> {
        let mut from = file;
        from.rewind()?;
        let mut detector = Detector::new();
        let mut front = Vec::new();
        let mut last = 0;
        loop {
            let len = read_some(&mut from, chunk)?;
            if len == 0 {
                let found = detector.finish();
                let controls = found.controls().saturating_sub(u64::from(last == 0x1A));
                return Ok(Look { found, front, controls });
            }
            last = chunk[len - 1];
            front.extend_from_slice(&chunk[..len.min(HEAD.max(magic::FRONT) - front.len())]);
            detector.feed(&chunk[..len]);
        }
    }
}

/// What the file says, read in an encoding.
#[derive(Default)]
struct Reading {
    plausible: Plausible,
    /// Its front, in UTF-8.
    head: Vec<u8>,
    /// That is all.
    all: bool,
    /// Characters beyond US-ASCII that were well-formed UTF-8.
    kept: u64,
    /// Sequences for which U+FFFD would stand.
    replaced: u64,
    /// Bytes that would be read in the fallback encoding.
    fallback: u64,
}

impl Reading {
    fn take(&mut self, text: &[u8], is_doubtful: bool) {
        let capacity = HEAD - self.head.len();
        self.head.extend_from_slice(&text[..text.len().min(capacity)]);
        self.all &= text.len() <= capacity;
        for part in text.utf8_chunks() {
            self.plausible.feed(part.valid(), is_doubtful);
        }
    }

    fn decode(&mut self, mut file: &File, from: Encoding, chunk: &mut [u8]) -> io::Result<()> {
        self.all = true;
        file.rewind()?;
        let policy = Policy::Replace(utfkit::Practice::MaximalSubpart);
        let mut transcoder = Transcoder::new(from, Encoding::Utf8, policy);
        let mut buf = vec![0; 64 << 10];
        loop {
            let len = read_some(&mut file, chunk)?;
            let mut at = 0;
            loop {
                let step = transcoder.transcode(&chunk[at..len], &mut buf, len == 0);
                at += step.read;
                self.take(&buf[..step.written], true);
                if !matches!(step.status, Status::OutputFull) {
                    break;
                }
            }
            if len == 0 {
                return Ok(());
            }
        }
    }

    fn repair(&mut self, mut file: &File, options: Options, chunk: &mut [u8]) -> io::Result<()> {
        self.all = true;
        file.rewind()?;
        let mut repairer = Repairer::new(options);
        loop {
            let len = read_some(&mut file, chunk)?;
            let mut take = |piece: Stretch<'_>| match piece {
                Stretch::Kept(text) => {
                    self.kept += text.iter().filter(|byte| **byte >= 0xC0).count() as u64;
                    self.take(text, false);
                }
                Stretch::Changed(change) => match change.kind {
                    ChangeKind::Replaced => self.replaced += change.count,
                    // Whole forms of characters: UTF-8 of another kind.
                    ChangeKind::Reinterpreted => self.kept += change.count,
                    _ => {
                        self.fallback += change.count;
                        self.take(change.after.as_bytes(), true);
                    }
                },
            };
            if len == 0 {
                repairer.finish(&mut take);
                return Ok(());
            }
            repairer.feed(&chunk[..len], &mut take);
        }
    }
}

fn count(n: u64, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// UTF-8 from end to end, or something that is written in US-ASCII.
fn is_well_formed(found: &Detection) -> bool {
    let is_seven_bits = matches!(found.basis(), Basis::Ascii | Basis::Empty);
    is_seven_bits || (found.encoding() == Some(Encoding::Utf8) && found.ill_formed() == Some(0))
}

/// Encodings in which UTF-8 reads as what it is.
fn is_utf8_too(encoding: Encoding) -> bool {
    use Encoding::{Cesu8, Mutf8, Unicode11Utf8, Utf8, Utf8Kuhn, Utf8NoNoncharacters, Utf8Rfc2044, Utf8Rfc2279, Wtf8};
    matches!(
        encoding,
        Utf8 | Utf8Rfc2279 | Utf8Rfc2044 | Utf8Kuhn | Utf8NoNoncharacters | Unicode11Utf8 | Cesu8 | Mutf8 | Wtf8
    )
}

/// A BOM that says the order of the bytes is not part of the text.
pub(crate) fn with_bom(encoding: Encoding, found: &Detection) -> Encoding {
    match encoding {
        _ if found.bom().is_none() => encoding,
        Encoding::Utf16Le | Encoding::Utf16Be => Encoding::Utf16,
        Encoding::Utf32Le | Encoding::Utf32Be => Encoding::Utf32,
        other => other,
    }
}
