//! Cuts a stream into well-formed text, ill-formed sequences, and the lines in
//! which something could have been encoded twice. The cuts do not depend on how
//! the stream comes.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::misreading::{BY_DEFAULT, COUNT, Misreadings, Set, Which};
use super::undouble::Runs;
use utfkit_core::Error;
use utfkit_core::Standard;
use utfkit_core::from_utf8;
use utfkit_core::internal::ascii_prefix;
use utfkit_core::internal::utf8::{decode, is_continuation, read_leniently};
use utfkit_core::internal::{Decoded, is_scalar_value};
use utfkit_core::validate;

/// The next part of the stream.
pub(super) enum Event<'a> {
    /// Well-formed, and nothing in it was encoded twice.
    Text(&'a [u8]),
    /// A line, or a part of one, with a run that may fit an encoding. One that is
    /// `cut` goes on: who takes it says how much of it is decided. `has_sequence`: in some
    /// encoding it has more than the front of one.
    Line { text: &'a str, cut: bool, has_sequence: bool, table: &'a Misreadings },
    /// An ill-formed sequence: the complete form of a character, or a maximal
    /// subpart.
    IllFormed { bytes: &'a [u8], meant: Option<char> },
}

/// The most bytes of a line, and of a run. A longer one is cut.
const LONGEST: usize = 4096;

/// How many bytes before a run belong to its line.
const LOOK_BACK: usize = 256;

/// The bytes of the longest form: six octets, or two surrogates.
const LONGEST_FORM: usize = 6;

/// Takes an event; of a line it returns the bytes that are decided.
pub(super) type Take<'t> = dyn FnMut(Event<'_>) -> usize + 't;

#[derive(Clone, Debug)]
pub(super) struct Scanner {
    /// Whether lines are wanted.
    lines: bool,
    reinterpret: bool,
    /// Made where the first character that is not US-ASCII is met.
    table: Option<Arc<Misreadings>>,
    /// The end of the bytes fed, not decided yet.
    pending: Vec<u8>,
    /// How many of them are known to hold nothing that fits.
    seen: usize,
}

impl Scanner {
    pub(super) fn new(lines: bool, reinterpret: bool) -> Scanner {
        Scanner { lines, reinterpret, table: None, pending: Vec::new(), seen: 0 }
    }

    /// The same, with what was made for another one.
    pub(super) fn with(self, lines: bool, table: Option<Arc<Misreadings>>) -> Scanner {
        Scanner { lines, table, ..self }
    }

    pub(super) fn table(&self) -> Option<Arc<Misreadings>> {
        self.table.clone()
    }

    /// Takes the next bytes; `last` says that they are the last.
    pub(super) fn feed(&mut self, chunk: &[u8], last: bool, on: &mut Take<'_>) {
        if self.pending.is_empty() {
            let done = self.scan(chunk, last, on);
            self.pending.extend_from_slice(&chunk[done..]);
            return;
        }
        let mut joined = core::mem::take(&mut self.pending);
        joined.extend_from_slice(chunk);
        let done = self.scan(&joined, last, on);
        joined.drain(..done);
        self.pending = joined;
    }

    /// Returns the start of the part that more bytes must decide.
    fn scan(&mut self, src: &[u8], last: bool, on: &mut Take<'_>) -> usize {
        let mut at = 0;
        while at < src.len() {
            let (sure, open) = match validate(&src[at..], Standard::Rfc3629) {
                Ok(()) => (src.len(), !last),
                Err(error) => (at + error.offset(), !last && is_open(&error)),
            };
            at = self.text(&src[..sure], at, open, on);
            if at < sure {
                return at;
            }
            // One error seldom comes alone: its neighbours need no validator.
            while at < src.len() {
                let rest = &src[at..];
                if rest.len() < LONGEST_FORM && !last {
                    let whole = matches!(decode(rest, Standard::Rfc3629), Decoded::Value { .. });
                    if whole {
                        break;
                    }
                    return at;
                }
                let (len, meant) = match decode(rest, Standard::Rfc3629) {
                    Decoded::Value { .. } | Decoded::StateChange { .. } => break,
                    Decoded::IllFormed { len, .. } | Decoded::Unfinished { len, .. } => match self.meant(rest) {
                        Some((c, len)) => (len, Some(c)),
                        None => (len, None),
                    },
                };
                on(Event::IllFormed { bytes: &rest[..len], meant });
                at += len;
            }
        }
        at
    }

    /// The character that the form at the front of `rest` spells, which UTF-8
    /// does not allow.
    fn meant(&self, rest: &[u8]) -> Option<(char, usize)> {
        if !self.reinterpret {
            return None;
        }
        let (value, len) = read_leniently(rest);
        let value = value.filter(|value| is_scalar_value(*value))?;
        Some((char::from_u32(value)?, len))
    }

    /// Passes on the text that ends with `src`, from `at` on; if it is `open`, more
    /// of it may come. Returns the start of the part that it left.
    fn text(&mut self, src: &[u8], mut at: usize, open: bool, on: &mut Take<'_>) -> usize {
        if !self.lines {
            pass(&src[at..], on);
            return src.len();
        }
        // Up to here no run fits anything.
        let mut seen = at + core::mem::take(&mut self.seen);
        loop {
            let start = seen + prefix(&src[seen..], 0);
            if start == src.len() {
                seen = start;
                break;
            }
            let table = &**self.table.get_or_insert_with(Misreadings::shared);
            let (end, fits) = run(table, src, start);
            if end == src.len() && open && end - start < LONGEST {
                seen = start;
                break;
            }
            if !fits {
                seen = end;
                continue;
            }
            let first = line_start(src, at, start);
            let Some((last, cut)) = line_end(src, first, end, open) else {
                seen = start;
                break;
            };
            if !is_suspect(table, &src[first..last]) {
                seen = last;
                continue;
            }
            pass(&src[at..first], on);
            let text = from_utf8(&src[first..last]).unwrap_or_default();
            let has_sequence = has_sequence(table, text.as_bytes());
            let done = on(Event::Line { text, cut, has_sequence, table });
            // Something is always decided.
            at = match done {
                0 => last,
                done => first + done.min(text.len()),
            };
            seen = at;
        }
        let end = if open { held(src, at, seen) } else { src.len() };
        pass(&src[at..end], on);
        self.seen = if open { seen - end } else { 0 };
        end
    }
}

fn pass(text: &[u8], on: &mut Take<'_>) {
    if !text.is_empty() {
        on(Event::Text(text));
    }
}

/// From where on text is kept, because it may belong to the line of a run after
/// `seen`: so much that [`line_start`] finds the same.
fn held(src: &[u8], from: usize, seen: usize) -> usize {
    let mut first = from.max(seen.saturating_sub(LOOK_BACK + 4));
    while first > from && first < seen && is_continuation(src[first]) {
        first += 1;
    }
    src[first..seen].iter().rposition(|byte| *byte == b'\n').map_or(first, |at| first + at + 1)
}

/// Where the run that starts at `start` ends, or the part of it that is looked at, and
/// whether it may fit an encoding.
fn run(table: &Misreadings, src: &[u8], start: usize) -> (usize, bool) {
    let most = src.len().min(start + LONGEST);
    let len = prefix(&src[start..most], HIGH);
    let mut end = start + len;
    while end < src.len() && is_continuation(src[end]) {
        end -= 1;
    }
    (end, table.could_fit(Characters(&src[start..end])) != 0)
}

/// The encodings that a run may fit.
#[inline(never)]
fn could_fit(table: &Misreadings, run: &[u8]) -> Set {
    table.could_fit(Characters(run))
}

/// Whether there is an encoding that enough runs of a line may fit.
fn is_suspect(table: &Misreadings, line: &[u8]) -> bool {
    let mut fits = Runs::none();
    for run in runs(line) {
        let set = could_fit(table, run);
        // Of those by default one is enough.
        if set & ((1 << BY_DEFAULT) - 1) != 0 {
            return true;
        }
        fits.add(set);
    }
    (0..COUNT).any(|which| fits.is_most(which as Which))
}

/// Whether two characters of a line begin a sequence in some encoding.
fn has_sequence(table: &Misreadings, line: &[u8]) -> bool {
    runs(line).any(|run| table.begins_sequence(Characters(run)))
}

/// The eighth bit of each byte.
const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);

/// How many bytes at the front have the eighth bit as `all` does: as all of [`HIGH`] or none.
fn prefix(bytes: &[u8], all: u64) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let others = (u64::from_le_bytes(*word) ^ all) & HIGH;
        if others != 0 {
            return 8 * at + others.trailing_zeros() as usize / 8;
        }
        // US-ASCII alone goes on, as a rule.
        if at == 7 && all == 0 {
            return 64 + ascii_prefix(&bytes[64..]);
        }
    }
    let is_other = |byte: &u8| (*byte >= 0x80) != (all == HIGH);
    8 * words.len() + rest.iter().position(is_other).unwrap_or(rest.len())
}

/// The runs of a line.
fn runs(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = line;
    core::iter::from_fn(move || {
        let from = &rest[prefix(rest, 0)..];
        let (run, after) = from.split_at(prefix(from, HIGH));
        rest = after;
        (!run.is_empty()).then_some(run)
    })
}

/// The characters of well-formed text that is not US-ASCII.
struct Characters<'a>(&'a [u8]);

impl Iterator for Characters<'_> {
    type Item = char;

    #[inline]
    fn next(&mut self) -> Option<char> {
        let trail = |byte: u8| u32::from(byte & 0x3F);
        let (value, rest) = match *self.0 {
            [lead @ 0xC2..0xE0, a, ref rest @ ..] => (u32::from(lead & 0x1F) << 6 | trail(a), rest),
            [lead @ 0xE0..0xF0, a, b, ref rest @ ..] => (u32::from(lead & 0x0F) << 12 | trail(a) << 6 | trail(b), rest),
            [lead, a, b, c, ref rest @ ..] => {
                (u32::from(lead & 0x07) << 18 | trail(a) << 12 | trail(b) << 6 | trail(c), rest)
            }
            _ => return None,
        };
        self.0 = rest;
        char::from_u32(value)
    }
}

/// Where the line begins that `start` is in, not before `from`.
fn line_start(src: &[u8], from: usize, start: usize) -> usize {
    let first = from.max(start.saturating_sub(LOOK_BACK));
    let window = &src[first..start];
    if let Some(at) = window.iter().rposition(|byte| *byte == b'\n') {
        return first + at + 1;
    }
    if first == from {
        return from;
    }
    // Between words, or where a character begins.
    match window.iter().position(u8::is_ascii_whitespace) {
        Some(at) => first + at + 1,
        None => first + window.iter().position(|byte| !is_continuation(*byte)).unwrap_or(window.len()),
    }
}

/// Where the line ends that begins at `first` and has a run up to `end`, and
/// whether it is cut there. `None` if more must come.
fn line_end(src: &[u8], first: usize, end: usize, open: bool) -> Option<(usize, bool)> {
    let most = first + LONGEST;
    let window = &src[first..src.len().min(most)];
    if let Some(at) = src[end.min(src.len())..src.len().min(most.max(end))].iter().position(|byte| *byte == b'\n') {
        return Some((end + at, false));
    }
    if src.len() < most {
        return (!open).then_some((src.len(), false));
    }
    // Between words, if the run leaves any.
    if let Some(at) = window[(end - first).min(window.len())..].iter().rposition(u8::is_ascii_whitespace) {
        return Some((end + at, false));
    }
    let mut last = most;
    while last < src.len() && is_continuation(src[last]) {
        last -= 1;
    }
    Some((last, true))
}

/// Whether more bytes could complete the sequence that the error stopped at.
fn is_open(error: &Error) -> bool {
    error.error_len().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn a_prefix_ends_at_the_first_other_byte() {
        for len in 0..150 {
            for (all, same, other) in [(0, b'a', 0x80_u8), (HIGH, 0xFF, 0x7F)] {
                let mut bytes = vec![same; len];
                assert_eq!(prefix(&bytes, all), len);
                for at in (0..len).rev() {
                    bytes[at] = other;
                    assert_eq!(prefix(&bytes, all), at, "{len}");
                }
            }
        }
    }

    #[test]
    fn the_runs_of_a_line_are_what_is_not_us_ascii() {
        for line in ["", "plain", "é", "aé", "éa", "Zwölf Boxkämpfer – jagen 語語 x", "äöü ß.…"] {
            let expected: Vec<&[u8]> = line.as_bytes().split(u8::is_ascii).filter(|run| !run.is_empty()).collect();
            assert_eq!(runs(line.as_bytes()).collect::<Vec<_>>(), expected, "{line}");
        }
    }

    #[test]
    fn runs_are_counted_for_each_encoding() {
        let (mut counted, mut fits) = (Runs::none(), [0; COUNT]);
        let mut state = 1_u32;
        for all in 1..600 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let set = (state >> 3) & ((1 << COUNT) - 1);
            counted.add(set);
            for (which, fits) in fits.iter_mut().enumerate() {
                *fits += (set >> which & 1) as usize;
                let is_most = super::super::undouble::is_most(which as Which, *fits, all - *fits);
                assert_eq!(counted.is_most(which as Which), is_most, "{which} {all}");
            }
        }
    }
}
