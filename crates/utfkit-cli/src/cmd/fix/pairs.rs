//! Files that belong together: a dictionary of hunspell (`.dic`) has no label, and is read in the
//! encoding that the rules beside it (`.aff`) declare.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use utfkit::Encoding;
use utfkit::detect::{Detector, encoding_of_program};

use super::plan::{How, Left, Planned};
use crate::printable::Escaped;
use crate::survey::is_well_formed;

/// The bytes of rules that are searched for their label.
const FRONT: u64 = 16 << 10;

/// The rules of the dictionary at `path`, if there are any.
pub(super) fn rules_of(path: &Path) -> Option<PathBuf> {
    beside(path, "dic", "aff")
}

/// The encoding that the rules of hunspell at `path` declare: ISO-8859-1 without a label. `None`
/// if it is unknown, or if they are no rules.
pub(super) fn declared_by(path: &Path) -> Option<Encoding> {
    let mut front = Vec::new();
    File::open(path).ok()?.take(FRONT).read_to_end(&mut front).ok()?;
    let lines = || front.split(|byte| matches!(byte, b'\n' | b'\r'));
    let front_of = |line: &[u8]| line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).to_vec();
    let name = lines().find_map(|line| {
        let line = front_of(line);
        let rest = line.strip_prefix(b"SET")?;
        rest.first()
            .is_some_and(u8::is_ascii_whitespace)
            .then(|| String::from_utf8_lossy(rest.trim_ascii()).into_owned())
    });
    match name {
        Some(name) => encoding_of_program(&name),
        None => lines()
            .any(|line| [&b"SFX "[..], b"PFX ", b"TRY ", b"REP "].iter().any(|word| line.starts_with(word)))
            .then_some(Encoding::Latin1),
    }
}

fn beside(path: &Path, extension: &str, other: &str) -> Option<PathBuf> {
    let own = path.extension()?.to_str()?;
    let other = match own {
        _ if own == extension => other.to_owned(),
        _ if own.eq_ignore_ascii_case(extension) => other.to_ascii_uppercase(),
        _ => return None,
    };
    let path = path.with_extension(other);
    fs::metadata(&path).is_ok_and(|metadata| metadata.is_file()).then_some(path)
}

/// Leaves rules and dictionaries alone that would not fit each other any more.
pub(super) fn settle(planned: &mut Vec<(u64, Planned)>, left: &mut Vec<(u64, PathBuf, Left)>) {
    // Rules that are left alone keep their dictionary back, and the other way round.
    for _ in 0..2 {
        let whys: Vec<Option<String>> = planned.iter().map(|(_, file)| unpaired(file, planned)).collect();
        if whys.iter().all(Option::is_none) {
            return;
        }
        let mut whys = whys.into_iter();
        let kept = std::mem::take(planned);
        for (number, file) in kept {
            match whys.next().flatten() {
                Some(why) => {
                    let found = Some((file.encoding, file.certainty));
                    let left_file = Left { found, readings: Vec::new(), why, advice: String::new() };
                    left.push((number, file.path, left_file));
                }
                None => planned.push((number, file)),
            }
        }
    }
}

/// The reason to leave `file` alone that the file beside it is.
fn unpaired(file: &Planned, planned: &[(u64, Planned)]) -> Option<String> {
    let How::Convert(from) = file.how else { return None };
    let change_of = |path: &Path| planned.iter().find(|(_, other)| other.path == path).map(|(_, other)| other.how);
    if let Some(rules) = rules_of(&file.path) {
        return match change_of(&rules) {
            Some(How::Convert(other)) if other == from => None,
            Some(How::Convert(other)) => {
                Some(format!("{} beside it is in {other}: the two belong together", Escaped(&rules)))
            }
            _ => match declared_by(&rules) {
                Some(Encoding::Utf8) => None,
                // A word list of something else.
                None if !is_rules(&rules) => None,
                _ => Some(format!("{} beside it says how it is read, and is not converted", Escaped(&rules))),
            },
        };
    }
    let words = beside(&file.path, "aff", "dic")?;
    match change_of(&words) {
        Some(How::Convert(_)) => None,
        _ if is_utf8(&words) => None,
        _ => Some(format!("{} beside it is read as this file says, and is not converted", Escaped(&words))),
    }
}

fn is_rules(path: &Path) -> bool {
    let mut front = Vec::new();
    let read = File::open(path).and_then(|file| file.take(FRONT).read_to_end(&mut front));
    read.is_ok() && front.split(|byte| *byte == b'\n').any(|line| line.starts_with(b"SET "))
}

fn is_utf8(path: &Path) -> bool {
    let Ok(mut file) = File::open(path) else { return false };
    let mut detector = Detector::new();
    let mut chunk = vec![0; 64 << 10];
    loop {
        match file.read(&mut chunk) {
            Ok(0) => return is_well_formed(&detector.finish()),
            Ok(len) => detector.feed(&chunk[..len]),
            Err(_) => return false,
        }
    }
}

/// A flag of hunspell's rules that is no character of US-ASCII. Such a flag is one byte; in UTF-8
/// it would be several.
pub(super) fn foreign_flag(text: &[u8]) -> Option<String> {
    let mut foreign = None;
    for line in text.split(|byte| matches!(byte, b'\n' | b'\r')) {
        let mut words = line.split(|byte| matches!(byte, b' ' | b'\t')).filter(|word| !word.is_empty());
        let (name, value) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        match name {
            // The flags are characters, or numbers.
            b"FLAG" if value == b"UTF-8" || value == b"num" => return None,
            b"SFX"
            | b"PFX"
            | b"KEEPCASE"
            | b"NOSUGGEST"
            | b"FORBIDDENWORD"
            | b"COMPOUNDFLAG"
            | b"COMPOUNDBEGIN"
            | b"COMPOUNDMIDDLE"
            | b"COMPOUNDEND"
            | b"COMPOUNDLAST"
            | b"ONLYINCOMPOUND"
            | b"COMPOUNDPERMITFLAG"
            | b"COMPOUNDFORBIDFLAG"
            | b"COMPOUNDROOT"
            | b"CIRCUMFIX"
            | b"NEEDAFFIX"
            | b"PSEUDOROOT"
            | b"LEMMA_PRESENT"
            | b"SUBSTANDARD"
            | b"WARN"
            | b"FORCEUCASE"
                if !value.is_ascii() && foreign.is_none() =>
            {
                foreign = Some(String::from_utf8_lossy(value).into_owned());
            }
            _ => {}
        }
    }
    foreign
}
