//! Splits a stream into well-formed text, ill-formed sequences, and the lines in which
//! something may have been encoded twice. The result does not depend on how the stream
//! is chunked.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::misreading::{DEFAULTS, EncodingSet, Misreadings};
use super::runs::{HIGH, MAX_LINE, prefix, runs};
use super::undo::{RunCounts, ends_cell};
use super::watch::Watch;
use utfkit_core::internal::utf8::{decode, is_continuation, read_leniently, split_well_formed};
use utfkit_core::internal::{Decoded, is_scalar_value};
use utfkit_core::{Error, Standard, from_utf8, validate};

/// The next part of the stream.
pub(super) enum Event<'a> {
    /// Well-formed text in which nothing was encoded twice.
    Text(&'a [u8]),
    /// A line, or a part of one, with a run that may fit an encoding. A part that is `cut`
    /// is continued, and the sink returns how much of it is decided. `has_sequence` is false
    /// if no run has more than the front of a sequence; `is_odd` says that the text itself
    /// looks as if it was read in another encoding.
    Line { text: &'a str, cut: bool, has_sequence: bool, is_odd: bool, table: &'a Misreadings },
    /// A maximal subpart, or the complete form of the character in `spelled`.
    IllFormed { bytes: &'a [u8], spelled: Option<char> },
}

/// The most bytes of a line before its run.
const LOOK_BACK: usize = 256;

/// The longest form: six bytes, or two surrogates of three.
const MAX_FORM: usize = 6;

/// Takes an event; returns how many bytes of a line are decided.
pub(super) type Sink<'t> = dyn FnMut(Event<'_>) -> usize + 't;

#[derive(Clone, Debug)]
pub(super) struct Scanner {
    /// True to look for text that was encoded twice.
    wants_lines: bool,
    /// True for every line with a character beyond US-ASCII.
    wants_all: bool,
    reinterpret: bool,
    watch: Watch,
    /// Built at the first character beyond US-ASCII.
    table: Option<Arc<Misreadings>>,
    /// The end of the input, not decided yet.
    pending: Vec<u8>,
    /// How many pending bytes have no run that fits.
    clean: usize,
}

impl Scanner {
    pub(super) fn new(wants_lines: bool, reinterpret: bool) -> Scanner {
        Scanner {
            wants_lines,
            wants_all: false,
            reinterpret,
            watch: Watch::new(),
            table: None,
            pending: Vec::new(),
            clean: 0,
        }
    }

    pub(super) fn with(self, wants_lines: bool, wants_all: bool, table: Option<Arc<Misreadings>>) -> Scanner {
        Scanner { wants_lines, wants_all, table, ..self }
    }

    pub(super) fn table(&self) -> Option<Arc<Misreadings>> {
        self.table.clone()
    }

    /// Takes the next bytes; `last` ends the stream.
    pub(super) fn feed(&mut self, chunk: &[u8], last: bool, sink: &mut Sink<'_>) {
        if self.pending.is_empty() {
            let done = self.scan(chunk, last, sink);
            self.pending.extend_from_slice(&chunk[done..]);
            return;
        }
        let mut joined = core::mem::take(&mut self.pending);
        joined.extend_from_slice(chunk);
        let done = self.scan(&joined, last, sink);
        joined.drain(..done);
        self.pending = joined;
    }

    /// Returns the end of the bytes that are decided.
    fn scan(&mut self, src: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        let mut at = 0;
        while at < src.len() {
            let (sure, open) = match well_formed_before_error(&src[at..]).filter(|_| at > 0) {
                Some(len) => (at + len, false),
                None => match validate(&src[at..], Standard::Rfc3629) {
                    Ok(()) => (src.len(), !last),
                    Err(error) => (at + error.offset(), !last && is_open(&error)),
                },
            };
            at = self.text(&src[..sure], at, open, sink);
            if at < sure {
                return at;
            }
            // Errors come in groups: decodes as long as they do, without the validator.
            while at < src.len() {
                let rest = &src[at..];
                if rest.len() < MAX_FORM && !last {
                    let whole = matches!(decode(rest, Standard::Rfc3629), Decoded::Value { .. });
                    if whole {
                        break;
                    }
                    return at;
                }
                let (len, spelled) = match decode(rest, Standard::Rfc3629) {
                    Decoded::Value { .. } | Decoded::StateChange { .. } => break,
                    Decoded::IllFormed { len, .. } | Decoded::Unfinished { len, .. } => match self.spelled(rest) {
                        Some((c, len)) => (len, Some(c)),
                        None => (len, None),
                    },
                };
                sink(Event::IllFormed { bytes: &rest[..len], spelled });
                at += len;
            }
        }
        at
    }

    /// The character whose ill-formed sequence of UTF-8 is at the front of `rest`, and the
    /// length of that.
    fn spelled(&self, rest: &[u8]) -> Option<(char, usize)> {
        if !self.reinterpret {
            return None;
        }
        let (value, len) = read_leniently(rest);
        let value = value.filter(|value| is_scalar_value(*value))?;
        Some((char::from_u32(value)?, len))
    }

    /// Emits the text from `at` to the end of `src`, of which `open` says that it may
    /// continue. Returns the end of the bytes emitted.
    fn text(&mut self, src: &[u8], mut at: usize, open: bool, sink: &mut Sink<'_>) -> usize {
        if !self.wants_lines {
            pass(&src[at..], sink);
            return src.len();
        }
        // No run before this fits anything.
        let mut clean = at + core::mem::take(&mut self.clean);
        loop {
            let start = clean + prefix(&src[clean..], 0);
            if start == src.len() {
                clean = start;
                break;
            }
            let table = &**self.table.get_or_insert_with(Misreadings::shared);
            let (end, fits) = run(table, src, start);
            if end == src.len() && open && end - start < MAX_LINE {
                clean = start;
                break;
            }
            let watch = self.watch;
            let is_odd = self.watch.is_odd(&table.oddness, src, at, start..end);
            if !fits && !is_odd && !self.wants_all {
                clean = end;
                continue;
            }
            let first = line_start(src, at, start);
            let Some((last, cut)) = line_end(src, first, end, open) else {
                // The run will be looked at again.
                self.watch = watch;
                clean = start;
                break;
            };
            let line = &src[first..last];
            let seems_odd = is_odd || self.watch.has_odd(&table.oddness, line, end - first);
            let is_odd = seems_odd && Watch::is_odd_line(&table.oddness, line);
            if !self.wants_all && !is_odd && !is_suspect(table, line) {
                clean = last;
                continue;
            }
            pass(&src[at..first], sink);
            let text = from_utf8(line).unwrap_or_default();
            let has_sequence = has_sequence(table, line);
            let done = sink(Event::Line { text, cut, has_sequence, is_odd, table });
            // Never zero, so that the loop ends.
            at = match done {
                0 => last,
                done => first + done.min(text.len()),
            };
            clean = at;
        }
        let end = if open { kept_from(src, at, clean) } else { src.len() };
        pass(&src[at..end], sink);
        self.clean = if open { clean - end } else { 0 };
        end
    }
}

/// The length of the well-formed text before an error that is near: most errors are, after another one, and the
/// validator reads beyond them.
fn well_formed_before_error(src: &[u8]) -> Option<usize> {
    let near = src.first_chunk::<64>()?;
    let len = near.utf8_chunks().next()?.valid().len();
    (len + MAX_FORM <= near.len()).then_some(len)
}

fn pass(text: &[u8], sink: &mut Sink<'_>) {
    if !text.is_empty() {
        sink(Event::Text(text));
    }
}

/// The start of the bytes to keep, because the line of a run after `clean` may begin with
/// them: [`line_start`] finds the same in them.
fn kept_from(src: &[u8], from: usize, clean: usize) -> usize {
    let mut first = from.max(clean.saturating_sub(LOOK_BACK + LONGEST_END));
    while first > from && first < clean && is_continuation(src[first]) {
        first += 1;
    }
    (first..clean).rev().find(|at| src[*at] == b'\n').map_or(first, |at| at + 1)
}

/// The longest end of a record, in bytes.
const LONGEST_END: usize = 8;

/// True if a line or a record ends with the byte at `at`: a row of SQL or of a table in HTML, or an object
/// of JSON, of which a file of one line has many, as others have lines. Bytes before `from` are not
/// looked at.
fn is_end(src: &[u8], from: usize, at: usize) -> bool {
    let before = &src[from.max(at.saturating_sub(LONGEST_END - 1))..at];
    match src[at] {
        b'\n' => true,
        b'(' => before.ends_with(b"),") || before.ends_with(b"), "),
        b'{' => before.ends_with(b"},") || before.ends_with(b"}, "),
        b'[' => before.ends_with(b"],") || before.ends_with(b"], "),
        b'>' => [&b"</tr"[..], b"</td", b"</li", b"</p", b"</div"].iter().any(|tag| before.ends_with(tag)),
        _ => false,
    }
}

/// The end of the run at `start`, cut at [`MAX_LINE`], and true if it may fit an encoding.
fn run(table: &Misreadings, src: &[u8], start: usize) -> (usize, bool) {
    let most = src.len().min(start + MAX_LINE);
    let len = prefix(&src[start..most], HIGH);
    let mut end = start + len;
    while end < src.len() && is_continuation(src[end]) {
        end -= 1;
    }
    (end, table.could_fit(Characters(&src[start..end])) != 0)
}

#[inline(never)]
fn could_fit(table: &Misreadings, run: &[u8]) -> EncodingSet {
    table.could_fit(Characters(run))
}

/// True if enough runs of a cell of a line may fit some encoding.
fn is_suspect(table: &Misreadings, line: &[u8]) -> bool {
    let mut fits = RunCounts::none();
    let mut at = 0;
    loop {
        let ascii = prefix(&line[at..], 0);
        let is_end = at + ascii == line.len();
        let byte = |at: usize| line.get(at).copied().unwrap_or(b' ');
        let ends_here = is_end || (at..at + ascii).any(|at| ends_cell(|after| byte(at + after)));
        if ends_here && fits.end_cell(EncodingSet::MAX) != 0 {
            return true;
        }
        if is_end {
            return false;
        }
        at += ascii;
        let run = &line[at..at + prefix(&line[at..], HIGH)];
        at += run.len();
        let set = could_fit(table, run);
        // For a default encoding one run is enough.
        if set & ((1 << DEFAULTS) - 1) != 0 {
            return true;
        }
        fits.add(set);
    }
}

/// True if two characters of a line begin a sequence in some encoding.
fn has_sequence(table: &Misreadings, line: &[u8]) -> bool {
    runs(line).any(|run| table.begins_sequence(Characters(run)))
}

/// The characters of well-formed text.
struct Characters<'a>(&'a [u8]);

impl Iterator for Characters<'_> {
    type Item = char;

    #[inline]
    fn next(&mut self) -> Option<char> {
        let (value, rest) = split_well_formed(self.0)?;
        self.0 = rest;
        char::from_u32(value)
    }
}

/// The start of the line with `start` in it, not before `from`.
fn line_start(src: &[u8], from: usize, start: usize) -> usize {
    let first = from.max(start.saturating_sub(LOOK_BACK));
    let window = &src[first..start];
    if let Some(at) = (first..start).rev().find(|at| is_end(src, from, *at)) {
        return at + 1;
    }
    if first == from {
        return from;
    }
    // Else at white space, or at a character.
    match window.iter().position(u8::is_ascii_whitespace) {
        Some(at) => first + at + 1,
        None => first + window.iter().position(|byte| !is_continuation(*byte)).unwrap_or(window.len()),
    }
}

/// The end of the line that begins at `first` and has a run up to `end`, and true if it is
/// cut there. `None` if more input is needed.
fn line_end(src: &[u8], first: usize, end: usize, open: bool) -> Option<(usize, bool)> {
    let most = first + MAX_LINE;
    let window = &src[first..src.len().min(most)];
    if let Some(at) = (end..src.len().min(most.max(end))).find(|at| is_end(src, first, *at)) {
        return Some((if src[at] == b'\n' { at } else { at + 1 }, false));
    }
    if src.len() < most {
        return (!open).then_some((src.len(), false));
    }
    // Else at white space after the run.
    if let Some(at) = window[(end - first).min(window.len())..].iter().rposition(u8::is_ascii_whitespace) {
        return Some((end + at, false));
    }
    let mut last = most;
    while last < src.len() && is_continuation(src[last]) {
        last -= 1;
    }
    Some((last, true))
}

/// True if more bytes may complete the sequence.
fn is_open(error: &Error) -> bool {
    error.error_len().is_none()
}

#[cfg(test)]
mod tests {
    use super::super::misreading::{COUNT, Index};
    use super::*;

    #[test]
    fn runs_are_counted_for_each_encoding() {
        let (mut counted, mut fits) = (RunCounts::none(), [0; COUNT]);
        let mut state = 1_u32;
        for all in 1..600 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let set = (state >> 3) & ((1 << COUNT) - 1);
            counted.add(set);
            for (index, fits) in fits.iter_mut().enumerate() {
                *fits += (set >> index & 1) as usize;
                let is_enough = super::super::undo::is_enough(index as Index, *fits, all - *fits);
                assert_eq!(counted.is_enough(index as Index), is_enough, "{index} {all}");
            }
        }
    }

    #[test]
    fn records_of_a_line_are_the_same_in_any_chunks() {
        let rows =
            ["'GrÃ¶ÃŸe','x'", "'Größe, (a), (b)'", "{\"a\":\"schÃ¶n\"}, {\"b\":[1], [2]}", "<td>fÃ¼r</td><li>für</li>"];
        let text = (0..40).map(|row| rows[row % rows.len()]).collect::<Vec<_>>().join("),(");
        let lines = |len: usize| {
            let (mut scanner, mut lines) = (Scanner::new(true, false), Vec::new());
            let mut sink = |event: Event<'_>| match event {
                Event::Line { text, .. } => {
                    lines.push(alloc::string::String::from(text));
                    text.len()
                }
                _ => 0,
            };
            text.as_bytes().chunks(len).for_each(|chunk| scanner.feed(chunk, false, &mut sink));
            scanner.feed(&[], true, &mut sink);
            lines
        };
        let whole = lines(text.len());
        assert!(whole.len() >= 20 && whole.iter().all(|line| line.len() < 64), "{whole:?}");
        for len in 1..80 {
            assert_eq!(lines(len), whole, "{len}");
        }
    }
}
