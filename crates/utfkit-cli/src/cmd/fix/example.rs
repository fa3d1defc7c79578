//! The line of the plan that shows how a file would change.

use std::io;

use utfkit::Encoding;

use super::edit::edited;
use super::planned::{How, Planned};
use super::text::each_new_text;
use crate::labels::HEAD;
use crate::printable::escaped_text;
use crate::reading::Replay;
use crate::rules::{Mender, Rules};

/// The limit of characters of a line that is shown.
const SHOWN: usize = 72;

/// The first line that changes, before and after.
pub(super) fn sample(planned: &Planned, front: &[u8], text: &[u8]) -> (String, String) {
    // Nothing is edited yet, and nothing mended.
    if front == text && planned.how == How::Is && planned.edits.is_empty() && planned.rules == Rules::NONE {
        return Default::default();
    }
    let in_front: Vec<_> = planned.edits.iter().filter(|edit| edit.at.end <= text.len()).cloned().collect();
    let edited = edited(text, &in_front);
    let mut mended = Vec::new();
    let mut mender = Mender::new(planned.rules, Encoding::Utf8);
    mender.feed(&edited, &mut mended, |_| ());
    mender.feed(&[], &mut mended, |_| ());
    // A CR that becomes a line end would make other pairs of lines.
    let lines = |text: &[u8]| memchr::memchr_iter(b'\n', text).count();
    let edited = if lines(&edited) == lines(&mended) { mended } else { edited };
    let is_wide = match planned.how {
        How::Convert(encoding) => encoding.unit_size() > 1,
        _ => planned.pieces.first().and_then(|piece| piece.encoding).is_some_and(|encoding| encoding.unit_size() > 1),
    };
    let mut after = edited.split(|byte| *byte == b'\n');
    if is_wide {
        let line = after.find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
        let octets: Vec<_> = front.iter().take(16).map(|byte| format!("{byte:02X}")).collect();
        return (octets.join(" ") + if front.len() > 16 { " …" } else { "" }, shown(line));
    }
    // The last line of the front may be a part of one.
    let whole = lines(front) + usize::from(front.len() < HEAD);
    let pairs = front.split(|byte| *byte == b'\n').take(whole).zip(after);
    let mut pairs = pairs.filter(|(before, after)| before != after).peekable();
    // A line beyond US-ASCII says more than the line of a label.
    let first = pairs.peek().copied();
    let pair = pairs.find(|(before, _)| !before.is_ascii()).or(first);
    pair.map(|(before, after)| (shown(before), shown(after))).unwrap_or_default()
}

/// The first line that changes in a file whose front does not; nothing if the file is large.
pub(super) fn first_change(planned: &Planned, file: &mut Replay<'_>) -> io::Result<(String, String)> {
    const MOST: u64 = 16 << 20;
    if file.file().metadata()?.len() > MOST {
        return Ok(Default::default());
    }
    let (mut old, mut new) = (Vec::new(), Vec::new());
    file.each(|chunk| old.extend_from_slice(chunk))?;
    each_new_text(planned, file, |text| new.extend_from_slice(text))?;
    let mut lines = old.split(|byte| *byte == b'\n').zip(new.split(|byte| *byte == b'\n'));
    let changed = lines.find(|(before, after)| before != after);
    Ok(changed.map(|(before, after)| (shown(before), shown(after))).unwrap_or_default())
}

fn shown(line: &[u8]) -> String {
    let mut text = String::new();
    for chunk in line.trim_ascii_end().utf8_chunks() {
        text.push_str(&escaped_text(chunk.valid()));
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02X}")));
    }
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
