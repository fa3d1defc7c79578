//! Labels that a file has after it was written in another encoding.

use std::fs::{self, File};
use std::path::Path;

use utfkit::Encoding;

use crate::labels::{Finder, Label, Part};
use crate::printable::{Escaped, argument, escaped_text};
use crate::readers::reader;
use crate::reading::{CHUNK, read_some};
use crate::served::Servers;

/// A warning if the file at `path`, which is in `to` now, has a label with another encoding, or
/// readers that want another one.
pub(crate) fn wrong_label(path: &Path, to: Encoding) -> Option<String> {
    // Opening a pipe could block.
    if !fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return None;
    }
    let mut finder = Finder::new(path);
    let mut chunk = vec![0; CHUNK];
    let mut file = File::open(path).ok()?;
    loop {
        match read_some(&mut file, &mut chunk).ok()? {
            0 => break,
            len => finder.feed(&chunk[..len]),
        }
    }
    if let Some(reader) = reader(path, finder.head()).filter(|reader| {
        to == Encoding::Utf8 && reader.wants.is_encoding() && !(reader.wants.is_bom() && finder.has_bom())
    }) {
        return Some(format!("{}: it is {} now; {}", Escaped(path), to, reader.why));
    }
    if let Some(served) = Servers::default().of(path).filter(|_| to == Encoding::Utf8) {
        return Some(format!("{}: it is {to} now, and {}", Escaped(path), served.why()));
    }
    let labels = finder.finish()?;
    let is_wrong = |label: &&Label| label.encoding().is_none_or(|encoding| encoding != to);
    let of_output = |label: &&Label| is_wrong(label) && label.part == Part::Output;
    let wrong = labels.iter().find(|label| is_wrong(label) && !of_output(label)).or(labels.iter().find(of_output))?;
    let advice = match to {
        // `fix` cannot know what a program in UTF-8 prints.
        _ if wrong.part == Part::Output => format!("change that by hand if it prints {to} now"),
        Encoding::Utf8 if wrong.in_utf8().is_some() => format!("`utfkit fix {}` rewrites that", argument(path)),
        to => format!("it is {to} now"),
    };
    Some(format!("{}: still says {}; {advice}", Escaped(path), escaped_text(wrong.shown())))
}
