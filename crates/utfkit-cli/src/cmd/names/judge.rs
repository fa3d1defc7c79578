//! Finds the encoding of each name.
//!
//! One name is too short to tell. So the names of a folder are judged together, and if
//! they are too few, together with the names in neighbouring folders.

use std::collections::HashMap;

use utfkit::Encoding;
use utfkit::detect::{Certainty, detect};
use utfkit::repair::{Options, Repairer, Stretch, Survey};

use super::tree::Tree;

/// The bytes of names that are judged together.
const ENOUGH: usize = 256 << 10;

/// A name contradicts its neighbours only if it has this many bytes above US-ASCII.
const TELLING: usize = 8;

/// The place of a name: its folder, and its number there.
pub(super) type At = (usize, usize);

/// A name in UTF-8, and the evidence for it.
pub(super) struct Reading {
    pub(super) text: String,
    pub(super) encoding: Encoding,
    pub(super) certainty: Certainty,
    pub(super) is_undoubled: bool,
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
        None => judge_foreign(tree, foreign, least, &mut readings),
    }
    undouble(&others, &mut readings);
    readings
}

impl Readings {
    fn insert(&mut self, at: At, text: String, encoding: Encoding, certainty: Certainty) {
        self.read.insert(at, Reading { text, encoding, certainty, is_undoubled: false });
    }
}

/// The encoding of a group of names.
#[derive(Clone, Copy)]
struct Verdict {
    encoding: Encoding,
    certainty: Certainty,
}

/// The names of one folder that have no encoding yet.
struct Group {
    names: Vec<At>,
    /// The likeliest encoding of them together, if there is one.
    best: Option<Verdict>,
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
        let evidence: Vec<At> = groups.chain(settled).copied().collect();
        let together = verdict(tree, &evidence).filter(|all| all.encoding == encoding && all.certainty >= least);
        let Some(together) = together else { return };
        for group in self.open.extract_if(.., |group| belongs(group)).collect::<Vec<_>>() {
            for &at in &group.names {
                match read(bytes(tree, at), together, least) {
                    Ok((text, verdict)) => readings.insert(at, text, verdict.encoding, verdict.certainty),
                    Err(why) => readings.unread.push((at, why)),
                }
            }
            self.settle(encoding, group.names);
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

fn judge_foreign(tree: &Tree, foreign: Vec<Vec<At>>, least: Certainty, readings: &mut Readings) {
    let mut all: Vec<Below> = foreign.iter().map(|_| Below::default()).collect();
    // A folder comes after the one that contains it.
    for (number, names) in foreign.into_iter().enumerate().rev() {
        let mut below = std::mem::take(&mut all[number]);
        if !names.is_empty() {
            let best = verdict(tree, &names);
            below.open.push(Group { names, best });
        }
        for encoding in below.candidates() {
            let belongs = |group: &Group| group.best.is_some_and(|best| best.encoding == encoding);
            below.pool(tree, encoding, belongs, least, readings);
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
            None => below.open.iter().for_each(|group| alone(tree, group, least, readings)),
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
        Some(Verdict { encoding, certainty }) => {
            let sure = if certainty == Certainty::Guess { "a guess" } else { certainty.name() };
            format!("{encoding} is {sure}; --from {encoding} takes it for that")
        }
        None => "the encoding is unknown; --from names it".to_owned(),
    }
}

/// The reading of a name without its neighbours.
fn own(name: &[u8]) -> Option<(String, Verdict)> {
    let found = detect(name);
    let encoding = found.encoding().filter(|encoding| !is_unicode(*encoding))?;
    Some((decoded(encoding, name)?, Verdict { encoding, certainty: found.certainty() }))
}

/// The likeliest encoding of all `names` together.
fn verdict(tree: &Tree, names: &[At]) -> Option<Verdict> {
    let found = detect(&joined(tree, names));
    let encoding = found.encoding().filter(|encoding| !is_unicode(*encoding))?;
    Some(Verdict { encoding, certainty: found.certainty() })
}

/// The names in lines.
fn joined(tree: &Tree, names: &[At]) -> Vec<u8> {
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
    match (decoded(neighbours.encoding, name), own(name)) {
        (Some(text), Some((other, own)))
            if other != text
                && own.certainty >= Certainty::Likely
                && name.iter().filter(|byte| !byte.is_ascii()).count() >= TELLING =>
        {
            Err(format!("the names around it are in {}, and it reads like {}", neighbours.encoding, own.encoding))
        }
        (Some(text), _) => Ok((text, neighbours)),
        (None, Some(own)) if own.1.certainty >= least => Ok(own),
        (None, _) => Err(format!("ill-formed in {}, the encoding of the names around it", neighbours.encoding)),
    }
}

/// The name in UTF-8, if it is well-formed in `encoding` and can be a name.
fn decoded(encoding: Encoding, name: &[u8]) -> Option<String> {
    let text = encoding.decode_strict(name).ok()?.into_owned();
    let controls = |text: &str| text.chars().filter(|c| c.is_control()).count();
    let had = name.iter().filter(|byte| byte.is_ascii_control()).count();
    (!text.contains(['/', '\0']) && controls(&text) <= had).then_some(text)
}

fn bytes(tree: &Tree, (folder, entry): At) -> &[u8] {
    tree.folders[folder].entries[entry].name.as_encoded_bytes()
}

/// A repair of fewer names than this is likely, not nearly certain.
const SEVERAL: usize = 3;

/// Finds the names that were encoded twice. All names are the evidence.
fn undouble(names: &[(At, &str)], readings: &mut Readings) {
    let mut joined = Vec::new();
    names.iter().for_each(|(_, name)| joined.extend([name.as_bytes(), b"\n"].concat()));
    let options = Options::new().undouble(true);
    let mut survey = Survey::new(&options);
    survey.feed(&joined);
    let mut repairer = Repairer::new(options).with_evidence(survey.finish());
    let (mut text, mut misread) = (Vec::with_capacity(joined.len()), Vec::new());
    let mut take = |stretch: Stretch<'_>| {
        text.extend_from_slice(stretch.text());
        if let Stretch::Changed(change) = stretch {
            misread.extend(change.encoding().map(|encoding| (change.offset as usize, encoding)));
        }
    };
    repairer.feed(&joined, &mut take);
    repairer.finish(&mut take);
    let text = String::from_utf8_lossy(&text);
    let mut misread = misread.into_iter().peekable();
    let mut end = 0;
    let mut found = Vec::new();
    for ((at, name), text) in names.iter().zip(text.lines()) {
        end += name.len() + 1;
        let mut last = None;
        while let Some((_, encoding)) = misread.next_if(|(offset, _)| *offset < end) {
            last = Some(encoding);
        }
        if let Some(encoding) = last
            && !text.contains(['/', '\0'])
            && !text.chars().any(char::is_control)
        {
            found.push((*at, encoding, text.to_owned()));
        }
    }
    let certainty = if found.len() < SEVERAL { Certainty::Likely } else { Certainty::NearlyCertain };
    for (at, encoding, text) in found {
        readings.read.insert(at, Reading { text, encoding, certainty, is_undoubled: true });
    }
}
