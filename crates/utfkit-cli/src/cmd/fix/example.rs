//! The line of the plan that shows how a file would change.

use std::io;
use std::ops::ControlFlow;

use utfkit::Encoding;

use super::edit::edited;
use super::planned::{How, Planned};
use super::text::front_text;
use crate::printable::escaped_text;
use crate::reading::Replay;
use crate::rules::{Mender, Rules};

/// The limit of characters of a line that is shown.
const SHOWN: usize = 72;
/// The characters that are shown before the first difference of a longer line.
const CONTEXT: usize = 24;
/// A difference this close to the end of a text that is not whole may be a character that is cut, in bytes.
const CUT: usize = 16;

/// The first line that changes, before and after. `text` is the front after the first change; `is_all` if both are
/// whole.
pub(super) fn sample(planned: &Planned, front: &[u8], text: &[u8], is_all: bool) -> (String, String) {
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
    let edited = if lines(&edited) == lines(&mended) { mended } else { edited };
    let is_wide = match planned.how {
        How::Convert(encoding) => encoding.unit_size() > 1,
        _ => planned.pieces.first().and_then(|piece| piece.encoding).is_some_and(|encoding| encoding.unit_size() > 1),
    };
    if is_wide {
        let mut after = edited.split(|byte| *byte == b'\n');
        let line = after.find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
        let octets: Vec<_> = front.iter().take(16).map(|byte| format!("{byte:02X}")).collect();
        return (octets.join(" ") + if front.len() > 16 { " …" } else { "" }, shown(line, 0));
    }
    let whole = if is_all { usize::MAX } else { lines(front).min(lines(&edited)) };
    let pairs = front.split(|byte| *byte == b'\n').zip(edited.split(|byte| *byte == b'\n')).enumerate();
    let pairs = pairs.map(|(line, (before, after))| (line, before, after, difference(before, after)));
    let is_change = |(line, before, after, at): &(usize, &[u8], &[u8], usize)| {
        before != after && (*line < whole || at + CUT < before.len().min(after.len()))
    };
    let mut pairs = pairs.filter(is_change).peekable();
    // A line beyond US-ASCII says more than the line of a label.
    let first = pairs.peek().copied();
    let pair = pairs.find(|(_, before, ..)| !before.is_ascii()).or(first);
    pair.map(|(_, before, after, at)| (shown(before, at), shown(after, at))).unwrap_or_default()
}

/// The first line that changes in a file whose front does not; nothing if it is beyond the first 16 MiB.
pub(super) fn first_change(planned: &Planned, file: &mut Replay<'_>) -> io::Result<(String, String)> {
    let len = file.file().metadata()?.len();
    for most in [64 << 10, 1 << 20, 16 << 20] {
        let mut front = Vec::new();
        let _: ControlFlow<()> = file.each_until(|chunk| {
            front.extend_from_slice(&chunk[..chunk.len().min(most - front.len())]);
            if front.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        let is_all = len <= most as u64;
        let pair = sample(planned, &front, &front_text(planned, &front, true), is_all);
        if is_all || pair.0 != pair.1 {
            return Ok(pair);
        }
    }
    Ok(Default::default())
}

fn lines(text: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', text).count()
}

/// The offset of the first character that differs.
fn difference(before: &[u8], after: &[u8]) -> usize {
    let same = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let inside = before[..same].iter().rev().take(3).take_while(|byte| **byte >= 0x80).count();
    same - inside
}

/// A line, without its front if it first differs far from that.
fn shown(line: &[u8], difference: usize) -> String {
    let is_start = |at: &usize| !matches!(line[*at], 0x80..=0xBF);
    let mut before = (0..difference).rev().filter(is_start);
    let start = before.nth(CONTEXT - 1).filter(|_| before.nth(SHOWN - 2 * CONTEXT - 1).is_some()).unwrap_or(0);
    let mut text = String::from(if start > 0 { "…" } else { "" });
    let line = line.trim_ascii_end().get(start..).unwrap_or_default();
    // More than is shown, whatever the characters are.
    for chunk in line[..line.len().min(8 * SHOWN)].utf8_chunks() {
        text.push_str(&escaped_text(chunk.valid()));
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02X}")));
    }
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
