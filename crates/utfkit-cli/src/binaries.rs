//! The files of a walk that are left out because they are not text.

use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use utfkit::Encoding;

use crate::console::complain;
use crate::printable::{Escaped, count};

/// Why a file is not text. Text in an unknown encoding is text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotText {
    /// It has a NUL byte at this offset.
    Nul(u64),
    /// It has U+0000 in the encoding that it was read in.
    NulCharacter(Encoding),
    /// It begins as this format does.
    Format(&'static str),
    /// It has this many control characters that text does not contain.
    Controls(u64),
    /// It has no words in any encoding, and no lines.
    Noise,
    /// `.gitattributes` says so.
    Declared,
}

impl fmt::Display for NotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotText::Nul(at) => write!(f, "NUL at byte {at}"),
            NotText::NulCharacter(encoding) => write!(f, "NUL characters in {encoding}"),
            NotText::Format(name) => write!(f, "it begins like {name}"),
            NotText::Controls(n) => f.write_str(&count(*n, "control character")),
            NotText::Noise => f.write_str("no lines, and no words in any encoding"),
            NotText::Declared => f.write_str("declared in .gitattributes"),
        }
    }
}

impl NotText {
    /// True for a known format.
    pub(crate) fn is_format(self) -> bool {
        matches!(self, NotText::Format(_))
    }

    /// The place in [`KINDS`].
    fn kind(self) -> usize {
        match self {
            NotText::Nul(_) | NotText::NulCharacter(_) => 0,
            NotText::Format(_) => 1,
            NotText::Controls(_) => 2,
            NotText::Noise => 3,
            NotText::Declared => 4,
        }
    }
}

/// The kinds, as the summary names them after a number of files.
const KINDS: [&str; 5] = [
    "with NUL bytes",
    "in a known format",
    "with many control characters",
    "without lines or words",
    "declared in .gitattributes",
];

/// Counts them, and names each if `--verbose` wants it.
#[derive(Debug)]
pub(crate) struct Binaries {
    /// By kind, in the order of [`KINDS`].
    counts: [AtomicU64; KINDS.len()],
    names_each: bool,
}

impl Binaries {
    pub(crate) fn new(names_each: bool) -> Binaries {
        Binaries { counts: Default::default(), names_each }
    }

    pub(crate) fn skip(&self, path: &Path, why: NotText, say: impl FnOnce(&str)) {
        self.counts[why.kind()].fetch_add(1, Ordering::Relaxed);
        if self.names_each {
            say(&format!("{}: binary, skipped ({why})", Escaped(path)));
        }
    }

    pub(crate) fn count(&self) -> u64 {
        self.counts.iter().map(|count| count.load(Ordering::Relaxed)).sum()
    }

    /// `3 binary files (2 with NUL bytes, 1 of a known format)`, unless there are none.
    pub(crate) fn counted(&self) -> Option<String> {
        let counts = self.counts.iter().map(|count| count.load(Ordering::Relaxed));
        let kinds: Vec<_> = counts.zip(KINDS).filter(|(n, _)| *n > 0).collect();
        let why = match kinds[..] {
            [] => return None,
            [(_, what)] => what.to_owned(),
            _ => kinds.iter().map(|(n, what)| format!("{n} {what}")).collect::<Vec<_>>().join(", "),
        };
        Some(format!("{} ({why})", count(self.count(), "binary file")))
    }

    /// Prints how many were skipped, if any. `verb` is what naming one would do, if it
    /// would do more than to say why.
    pub(crate) fn finish(&self, verb: Option<&str>) {
        let Some(counted) = self.counted() else { return };
        let one = if self.count() == 1 { "it" } else { "one" };
        let advice = match verb {
            Some(verb) => format!("; to {verb} {one} anyway, name it"),
            None => String::new(),
        };
        let lists = match (self.names_each, self.count()) {
            (true, _) => "",
            (false, 1) => "; -v names it",
            (false, _) => "; -v names them",
        };
        complain(&format!("skipped {counted}{lists}{advice}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_has_its_reasons() {
        let binaries = Binaries::new(false);
        assert_eq!(binaries.counted(), None);
        binaries.skip(Path::new("a"), NotText::Nul(7), |_| unreachable!());
        assert_eq!(binaries.counted().unwrap(), "1 binary file (with NUL bytes)");
        binaries.skip(Path::new("b"), NotText::Declared, |_| unreachable!());
        binaries.skip(Path::new("c"), NotText::Nul(7), |_| unreachable!());
        assert_eq!(binaries.counted().unwrap(), "3 binary files (2 with NUL bytes, 1 declared in .gitattributes)");
    }
}
