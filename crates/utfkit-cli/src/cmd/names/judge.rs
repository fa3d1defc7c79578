//! Finds the encoding of each name.
//!
//! One name is too short to tell. So the names of a folder are judged together, and if
//! they are too few, together with the names in neighbouring folders.

use std::collections::HashMap;
use std::fmt;

use utfkit::Encoding;
use utfkit::detect::{self, Certainty, detect};
use utfkit::repair::{Options, Repairer, Stretch, Survey};

use super::accident;
use super::tree::Tree;
use crate::misread::Misread;

/// The bytes of names that are judged together.
const ENOUGH: usize = 256 << 10;

/// A name contradicts its neighbours only if it has this many bytes above US-ASCII.
const TELLING: usize = 8;

/// One contradiction in this number of names is too many.
const MIXED: usize = 8;

/// The place of a name: its folder, and its number there.
pub(super) type At = (usize, usize);

/// A name in UTF-8, and the evidence for it.
pub(super) struct Reading {
    pub(super) text: String,
    pub(super) was: Was,
    pub(super) certainty: Certainty,
}

/// The fault of a name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Was {
    In(Encoding),
    Misread(Misread),
}

impl fmt::Display for Was {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Was::In(encoding) => encoding.fmt(f),
            Was::Misread(misread) if misread.is_doubled() => write!(f, "UTF-8 read as {misread}"),
            Was::Misread(misread) => misread.fmt(f),
        }
    }
}

/// The readings of names that are not UTF-8, and the reasons why others have none.
#[derive(Default)]
pub(super) struct Readings {
    pub(super) read: HashMap<At, Reading>,
    pub(super) unread: Vec<(At, String)>,
}

pub(super) fn judge(tree: &Tree, from: Option<Encoding>, least: Certainty) -> Readings {
    let mut readings = Readings::default();
    // The names that are not UTF-8, by folder.
    let mut foreign: Vec<Vec<At>> = Vec::new();
    let mut others = Vec::new();
    for (number, folder) in tree.folders.iter().enumerate() {
        let mut here = Vec::new();
        for (i, entry) in folder.entries.iter().enumerate() {
            match entry.name.to_str() {
                None => here.push((number, i)),
                // The names are joined by line feeds below.
                Some(name) if !name.is_ascii() && !name.contains('\n') => others.push(((number, i), name)),
                Some(_) => {}
            }
        }
        foreign.push(here);
    }
    match from {
        Some(encoding) => {
            for at in foreign.into_iter().flatten() {
                match decoded(encoding, bytes(tree, at)) {
                    Some(text) => readings.insert(at, text, encoding, Certainty::Certain),
                    None => readings.unread.push((at, format!("ill-formed in {encoding}"))),
                }
            }
        }
        None => judge_until_settled(tree, foreign, least, &mut readings),
    }
    find_accidents(tree, &mut others, &mut readings);
    undouble(&others, &mut readings);
    readings
}

/// The least number of names in one encoding that make a name in UTF-8 seem to be in it too.
const MANY: usize = 4;

/// Reads names that are UTF-8 by accident as most of the folder is, and takes them out of `utf8`, which is in the
/// order of folders.
fn find_accidents(tree: &Tree, utf8: &mut Vec<(At, &str)>, readings: &mut Readings) {
    let mut found = Vec::new();
    for names in utf8.chunk_by(|(a, _), (b, _)| a.0 == b.0) {
        let number = names[0].0.0;
        let read = || (0..tree.folders[number].entries.len()).filter_map(|i| readings.read.get(&(number, i)));
        let Some(&Reading { was: Was::In(encoding), certainty, .. }) = read().next() else { continue };
        let is_alike = read().all(|reading| matches!(reading.was, Was::In(other) if other == encoding));
        if !is_alike || read().count() < MANY {
            continue;
        }
        let Some(script) = accident::script(read().map(|reading| reading.text.as_str())) else { continue };
        let certainty = certainty.min(Certainty::NearlyCertain);
        let accidents = names.iter().filter_map(|(at, name)| {
            let text = decoded(encoding, name.as_bytes())?;
            accident::is_one_of(script, name, &text).then_some((*at, text, encoding, certainty))
        });
        let accidents: Vec<_> = accidents.collect();
        if 2 * accidents.len() <= read().count() {
            found.extend(accidents);
        }
    }
    for (at, text, encoding, certainty) in found {
        readings.insert(at, text, encoding, certainty);
    }
    utf8.retain(|(at, _)| !readings.read.contains_key(at));
}

impl Readings {
    fn insert(&mut self, at: At, text: String, encoding: Encoding, certainty: Certainty) {
        self.read.insert(at, Reading { text, was: Was::In(encoding), certainty });
    }
}

/// Why a name is left.
const SEVERAL_ENCODINGS: &str = "the names around it are in several encodings";

/// The encoding of a group of names.
#[derive(Clone, Copy)]
struct Verdict {
    encoding: Encoding,
    certainty: Certainty,
    /// The certainty is that of the names that are the same in this encoding.
    unless: Option<Encoding>,
}

/// The names of one folder that have no encoding yet.
struct Group {
    names: Vec<At>,
    /// The likeliest encoding of them together, if there is one.
    best: Option<Verdict>,
}

impl Group {
    fn is_in(&self, encoding: Encoding) -> bool {
        self.best.is_some_and(|best| best.encoding == encoding)
    }
}

/// The names below a folder.
#[derive(Default)]
struct Below {
    open: Vec<Group>,
    /// The names that have an encoding.
    settled: Vec<(Encoding, Vec<At>)>,
}

impl Below {
    fn settle(&mut self, encoding: Encoding, names: Vec<At>) {
        match self.settled.iter_mut().find(|(known, _)| *known == encoding) {
            Some((_, known)) => known.extend(names),
            None => self.settled.push((encoding, names)),
        }
    }

    /// Settles names of one folder that are sure together. Where several contradict, the folder has names in
    /// another encoding too, and each name has to say itself that it is in this one.
    fn take(&mut self, tree: &Tree, names: Vec<At>, together: Verdict, least: Certainty, readings: &mut Readings) {
        let read: Vec<_> = names.iter().map(|&at| read(bytes(tree, at), together, least)).collect();
        let contradict = read.iter().filter(|read| read.is_err()).count();
        let is_mixed = contradict > 1 && MIXED * contradict >= names.len();
        for (&at, read) in names.iter().zip(read) {
            match read {
                Ok((text, _)) if is_mixed && !says_so(tree, at, &text) => {
                    readings.unread.push((at, SEVERAL_ENCODINGS.to_owned()));
                }
                Ok((text, verdict)) => readings.insert(at, text, verdict.encoding, verdict.certainty),
                Err(why) => readings.unread.push((at, why)),
            }
        }
        self.settle(together.encoding, names);
    }

    /// Settles the groups that `belong` to `encoding`, if they and the names that have it are sure together.
    fn pool(
        &mut self,
        tree: &Tree,
        encoding: Encoding,
        belongs: impl Fn(&Group) -> bool,
        least: Certainty,
        readings: &mut Readings,
    ) {
        let settled = self.settled.iter().filter(|(known, _)| *known == encoding).flat_map(|(_, names)| names);
        let groups = self.open.iter().filter(|group| belongs(group)).flat_map(|group| &group.names);
        let together = verdict(tree, groups.chain(settled));
        let Some(together) = together.filter(|all| all.encoding == encoding && all.certainty >= least) else { return };
        for group in self.open.extract_if(.., |group| belongs(group)).collect::<Vec<_>>() {
            self.take(tree, group.names, together, least, readings);
        }
    }

    /// The likeliest encodings of the open groups.
    fn candidates(&self) -> Vec<Encoding> {
        let mut candidates: Vec<_> = self.open.iter().filter_map(|group| Some(group.best?.encoding)).collect();
        candidates.sort_by_key(|encoding| encoding.name());
        candidates.dedup();
        candidates
    }
}

/// Judges names, then the remaining ones again, until nothing changes. Another run has nothing to do then.
fn judge_until_settled(tree: &Tree, mut foreign: Vec<Vec<At>>, least: Certainty, readings: &mut Readings) {
    loop {
        let mut pass = Readings::default();
        judge_foreign(tree, foreign, least, &mut pass);
        // In a folder with names in another encoding, each name has to say itself that it is in this one.
        let mut known: HashMap<usize, Vec<Encoding>> = HashMap::new();
        for (at, reading) in &readings.read {
            let Was::In(encoding) = reading.was else { continue };
            let of_folder = known.entry(at.0).or_default();
            if !of_folder.contains(&encoding) {
                of_folder.push(encoding);
            }
        }
        let is_open = |&at: &At, reading: &mut Reading| {
            let Was::In(encoding) = reading.was else { return false };
            let others = known.get(&at.0).is_some_and(|known| known.iter().any(|known| *known != encoding));
            others && !says_so(tree, at, &reading.text)
        };
        readings.unread.extend(pass.read.extract_if(is_open).map(|(at, _)| (at, SEVERAL_ENCODINGS.to_owned())));
        if pass.read.is_empty() || pass.unread.is_empty() {
            readings.unread.append(&mut pass.unread);
            readings.read.extend(pass.read);
            return;
        }
        readings.read.extend(pass.read);
        foreign = vec![Vec::new(); tree.folders.len()];
        pass.unread.sort_by_key(|(at, _)| *at);
        pass.unread.iter().for_each(|&(at, _)| foreign[at.0].push(at));
    }
}

fn judge_foreign(tree: &Tree, foreign: Vec<Vec<At>>, least: Certainty, readings: &mut Readings) {
    let mut all: Vec<Below> = foreign.iter().map(|_| Below::default()).collect();
    // A folder comes after the one that contains it.
    for (number, names) in foreign.into_iter().enumerate().rev() {
        let mut below = std::mem::take(&mut all[number]);
        if !names.is_empty() {
            match verdict(tree, &names) {
                Some(best) if best.certainty >= least => below.take(tree, names, best, least, readings),
                best => below.open.push(Group { names, best }),
            }
        }
        for encoding in below.candidates() {
            below.pool(tree, encoding, |group| group.is_in(encoding), least, readings);
        }
        // A folder whose names tell nothing gets the encoding of all the others.
        if let [(encoding, _)] = below.settled[..] {
            let belongs = |group: &Group| group.best.is_none_or(|best| best.certainty < Certainty::Likely);
            below.pool(tree, encoding, belongs, least, readings);
        }
        match tree.folders[number].parent {
            Some(parent) => {
                all[parent].open.append(&mut below.open);
                below.settled.into_iter().for_each(|(encoding, names)| all[parent].settle(encoding, names));
            }
            None => {
                for group in std::mem::take(&mut below.open) {
                    match verdict_but_one(tree, &group.names).filter(|best| best.certainty >= least) {
                        Some(best) => below.take(tree, group.names, best, least, readings),
                        None => alone(tree, &group, least, readings),
                    }
                }
            }
        }
    }
}
/// Judges the names of a folder that are not sure enough together, nor with those around them.
fn alone(tree: &Tree, group: &Group, least: Certainty, readings: &mut Readings) {
    let own: Vec<_> = group.names.iter().map(|&at| own(bytes(tree, at))).collect();
    let mut sure = own.iter().flatten().filter(|(_, own)| own.certainty >= least).map(|(_, own)| own.encoding);
    // At least one name is sure, and all together give the same encoding.
    let agreed = group.best.filter(|best| {
        sure.next().is_some_and(|first| first == best.encoding) && sure.all(|other| other == best.encoding)
    });
    for (&at, own) in group.names.iter().zip(own) {
        let text = agreed.and_then(|best| Some((best.encoding, decoded(best.encoding, bytes(tree, at))?)));
        let text = text.filter(|(_, text)| !accident::is_jumbled(text));
        match (text, own) {
            (Some((encoding, text)), _) => readings.insert(at, text, encoding, least),
            (None, Some((text, own))) if own.certainty >= least => {
                readings.insert(at, text, own.encoding, own.certainty);
            }
            _ => readings.unread.push((at, open(group.best))),
        }
    }
}

/// Why names have no encoding.
fn open(best: Option<Verdict>) -> String {
    match best {
        Some(Verdict { encoding, certainty, .. }) => {
            let sure = if certainty == Certainty::Guess { "a guess" } else { certainty.name() };
            format!("{encoding} is {sure}; --from {encoding} takes it for that")
        }
        None => "the encoding is unknown; --from names it".to_owned(),
    }
}

/// True if a name is this text without its neighbours, too.
fn says_so(tree: &Tree, at: At, text: &str) -> bool {
    own(bytes(tree, at)).is_some_and(|(own, verdict)| own == text && verdict.certainty >= Certainty::Likely)
}

/// The reading of a name without its neighbours.
fn own(name: &[u8]) -> Option<(String, Verdict)> {
    let found = detect(name);
    let encoding = found.encoding().filter(|encoding| !is_unicode(*encoding))?;
    Some((decoded(encoding, name)?, Verdict { encoding, certainty: found.certainty(), unless: None }))
}

/// The likeliest encoding of all `names` together.
fn verdict<'a>(tree: &Tree, names: impl IntoIterator<Item = &'a At>) -> Option<Verdict> {
    let found = detect(&joined(tree, names));
    let encoding = found.encoding().filter(|encoding| !is_unicode(*encoding))?;
    Some(Verdict { encoding, certainty: found.certainty(), unless: None })
}

/// The verdict on names that are not sure enough because of one other encoding, such as windows-1256 for French
/// in windows-1252. Names that are the same in both are sure.
fn verdict_but_one(tree: &Tree, names: &[At]) -> Option<Verdict> {
    let joined = joined(tree, names);
    let found = detect(&joined);
    let [best, rival, ..] = &found.candidates()[..] else { return None };
    let found = detect::Options::new().not([rival.encoding()]).detect(&joined);
    let encoding = found.encoding().filter(|encoding| *encoding == best.encoding() && !is_unicode(*encoding))?;
    Some(Verdict { encoding, certainty: found.certainty(), unless: Some(rival.encoding()) })
}

/// The names in lines.
fn joined<'a>(tree: &Tree, names: impl IntoIterator<Item = &'a At>) -> Vec<u8> {
    let mut joined = Vec::new();
    for &at in names {
        // A line feed in a name would be the end of a line.
        joined.extend(bytes(tree, at).iter().map(|&byte| if byte == b'\n' { b' ' } else { byte }));
        joined.push(b'\n');
        if joined.len() >= ENOUGH {
            break;
        }
    }
    joined
}

/// Names have no NUL, so that none is UTF-16 or UTF-32. One that is not UTF-8 is not a damaged one.
fn is_unicode(encoding: Encoding) -> bool {
    !matches!(encoding, Encoding::Legacy(_) | Encoding::Ibm437)
}

/// Reads a name as its neighbours are read, unless it is ill-formed so or says clearly that it is something else.
fn read(name: &[u8], neighbours: Verdict, least: Certainty) -> Result<(String, Verdict), String> {
    let Verdict { encoding, .. } = neighbours;
    let Some(text) = decoded(encoding, name) else {
        return own(name)
            .filter(|(_, own)| own.certainty >= least)
            .ok_or_else(|| format!("ill-formed in {encoding}, the encoding of the names around it"));
    };
    let is_telling = name.iter().filter(|byte| !byte.is_ascii()).count() >= TELLING;
    let other = || own(name).filter(|(other, own)| *other != text && own.certainty >= Certainty::Likely);
    if is_telling && let Some((_, other)) = other() {
        return Err(format!("the names around it are in {encoding}, and it reads like {}", other.encoding));
    }
    let is_text = || detect::Options::new().only([encoding]).detect(name).encoding() == Some(encoding);
    if accident::is_jumbled(&text) || is_telling && !is_text() {
        return Err(format!("the names around it are in {encoding}, in which it makes no words"));
    }
    match neighbours.unless {
        Some(rival) if decoded(rival, name).as_ref() != Some(&text) => {
            Err(format!("{encoding} is likely, and {rival} possible; --from names it"))
        }
        _ => Ok((text, neighbours)),
    }
}

/// The name in UTF-8, if it is well-formed in `encoding` and can be a name.
fn decoded(encoding: Encoding, name: &[u8]) -> Option<String> {
    let text = encoding.decode_strict(name).ok()?.into_owned();
    let controls = |text: &str| text.chars().filter(|c| c.is_control()).count();
    let had = name.iter().filter(|byte| byte.is_ascii_control()).count();
    (is_a_name(&text) && controls(&text) <= had).then_some(text)
}

fn is_a_name(text: &str) -> bool {
    !text.contains(['/', '\0']) && !matches!(text, "" | "." | "..")
}

fn bytes(tree: &Tree, (folder, entry): At) -> &[u8] {
    tree.folders[folder].entries[entry].name.as_encoded_bytes()
}

/// A repair of fewer names than this is likely, not nearly certain.
const SEVERAL: usize = 3;

/// Decodes the names that were encoded twice. The evidence is all names, and in a folder with such names also its
/// own names alone, because the rest may have been read in another encoding.
fn undouble(names: &[(At, &str)], readings: &mut Readings) {
    let mut found = doubled(names);
    for folder in names.chunk_by(|(a, _), (b, _)| a.0 == b.0) {
        let known = folder.iter().filter(|(at, _)| found.contains_key(at)).count();
        if known > 0 && known < folder.len() {
            for (at, other) in doubled(folder) {
                found.entry(at).or_insert(other);
            }
        }
    }
    let certainty = if found.len() < SEVERAL { Certainty::Likely } else { Certainty::NearlyCertain };
    for (at, (misread, text)) in found {
        readings.read.insert(at, Reading { text, was: Was::Misread(misread), certainty });
    }
}

/// The names that were encoded twice, decoded.
fn doubled(names: &[(At, &str)]) -> HashMap<At, (Misread, String)> {
    let mut joined = Vec::new();
    names.iter().for_each(|(_, name)| joined.extend([name.as_bytes(), b"\n"].concat()));
    let options = Options::new().undouble(true);
    let mut survey = Survey::new(&options);
    survey.feed(&joined);
    let mut repairer = Repairer::new(options).with_evidence(survey.finish());
    let mut repaired = Repaired::default();
    repairer.feed(&joined, |stretch| repaired.take(stretch));
    repairer.finish(|stretch| repaired.take(stretch));
    let text = String::from_utf8_lossy(&repaired.text);
    let mut changes = repaired.changes.into_iter().peekable();
    let mut end = 0;
    let mut found = HashMap::new();
    for ((at, name), text) in names.iter().zip(text.lines()) {
        end += name.len() + 1;
        let (mut last, mut is_whole) = (None, true);
        while let Some((_, misread, whole)) = changes.next_if(|(offset, ..)| *offset < end) {
            last = Some(misread);
            is_whole &= whole;
        }
        if let Some(misread) = last
            && is_whole
            && is_a_name(text)
            && !text.chars().any(char::is_control)
        {
            found.insert(*at, (misread, text.to_owned()));
        }
    }
    found
}

/// The names after a repair.
#[derive(Default)]
struct Repaired {
    text: Vec<u8>,
    /// The offset of each change in the old names, and whether it is of a whole word: no character beyond
    /// US-ASCII that was kept adjoins it.
    changes: Vec<(usize, Misread, bool)>,
    /// The end of the text is a change.
    is_changed: bool,
}

impl Repaired {
    fn take(&mut self, stretch: Stretch<'_>) {
        let kept_before = !self.is_changed && self.text.last().is_some_and(|byte| !byte.is_ascii());
        let text = stretch.text();
        self.text.extend_from_slice(text);
        match &stretch {
            Stretch::Changed(change) => {
                let misread = Misread::of(change).map(|misread| (change.offset as usize, misread, !kept_before));
                self.changes.extend(misread);
                self.is_changed = true;
            }
            _ if text.is_empty() => {}
            _ => {
                if let Some((.., is_whole)) = self.changes.last_mut().filter(|_| self.is_changed) {
                    *is_whole &= text[0].is_ascii();
                }
                self.is_changed = false;
            }
        }
    }
}
