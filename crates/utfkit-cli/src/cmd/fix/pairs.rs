//! Files that belong together: a dictionary of hunspell (`.dic`) has no label. hunspell reads it in the
//! encoding that its file of rules (`.aff`) declares.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use utfkit::Encoding;
use utfkit::detect::Detector;

use super::left::Left;
use super::planned::{How, Planned};
use super::rules::{declared_by, is_rules, rules_of, words_of};
use crate::printable::Escaped;
use crate::survey::is_well_formed;

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

/// The reason to leave `file` alone because its other half is left alone.
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
    let words = words_of(&file.path)?;
    match change_of(&words) {
        Some(How::Convert(_)) => None,
        _ if is_utf8(&words) => None,
        _ => Some(format!("{} beside it is read as this file says, and is not converted", Escaped(&words))),
    }
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
