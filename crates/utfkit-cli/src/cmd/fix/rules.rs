//! The rules of hunspell (`.aff`).

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use utfkit::Encoding;
use utfkit::detect::encoding_of_program;

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

/// The dictionary of the rules at `path`, if there is one.
pub(super) fn words_of(path: &Path) -> Option<PathBuf> {
    beside(path, "aff", "dic")
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

/// True if the file declares an encoding as rules do.
pub(super) fn is_rules(path: &Path) -> bool {
    let mut front = Vec::new();
    let read = File::open(path).and_then(|file| file.take(FRONT).read_to_end(&mut front));
    read.is_ok() && front.split(|byte| *byte == b'\n').any(|line| line.starts_with(b"SET "))
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
