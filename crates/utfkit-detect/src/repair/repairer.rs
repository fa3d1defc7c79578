//! The repair of a stream.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::crossing::misreading;
use super::fallback::Fallback;
use super::item::items;
use super::misreading::Misreadings;
use super::options::Options;
use super::scanner::{Event, Scanner};
use super::survey::Evidence;
use crate::halves::{Halves, Parts, parts};
use crate::line::{Extent, Part, Words, end};
use utfkit_core::{Encoding, Standard, from_utf8, validate};

/// A part of the repaired text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stretch<'a> {
    /// Well-formed text, unchanged.
    Kept(&'a [u8]),
    /// Changed text.
    Changed(Change<'a>),
}

impl<'a> Stretch<'a> {
    /// The bytes of the repaired text.
    pub fn text(&self) -> &'a [u8] {
        match self {
            Stretch::Kept(text) => text,
            Stretch::Changed(change) => change.after.as_bytes(),
        }
    }
}

/// A run of bytes that was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change<'a> {
    /// The byte offset in the source.
    pub offset: u64,
    /// The reason.
    pub kind: ChangeKind,
    /// The bytes of the source.
    pub before: &'a [u8],
    /// The text that replaces them.
    pub after: &'a str,
    /// The number of sequences: maximal subparts, bytes of the fallback, forms of a character, or
    /// runs that were encoded twice.
    pub count: u64,
    encoding: Option<Encoding>,
    written: Option<Encoding>,
    layers: u8,
}

impl<'a> Change<'a> {
    /// Bytes that were read in `encoding`.
    pub(super) fn of_piece(offset: u64, encoding: Encoding, before: &'a [u8], after: &'a str) -> Change<'a> {
        let (kind, count) = (ChangeKind::Fallback, before.len() as u64);
        Change { offset, kind, before, after, count, encoding: Some(encoding), written: None, layers: 0 }
    }
}

impl Change<'_> {
    /// The fallback encoding, or the one in which text was read by mistake before it was encoded
    /// again (the last, if several).
    ///
    /// ```
    /// use utfkit::repair::{Options, Repairer, Stretch};
    ///
    /// let text = "NicolÃ¡s".as_bytes();
    /// let mut repairer = Repairer::new(Options::new().undouble(true));
    /// let mut found = Vec::new();
    /// let mut take = |stretch: Stretch<'_>| {
    ///     if let Stretch::Changed(change) = stretch {
    ///         found.push((change.after.to_owned(), change.encoding().unwrap().name(), change.layers()));
    ///     }
    /// };
    /// repairer.feed(text, &mut take);
    /// repairer.finish(&mut take);
    /// assert_eq!(found, [("á".to_owned(), "windows-1252", 1)]);
    /// ```
    pub fn encoding(&self) -> Option<Encoding> {
        self.encoding
    }

    /// The encoding of the bytes that were read in [`encoding`](Change::encoding) by mistake:
    /// UTF-8, or another one that was taken for that. `None` for other kinds of change.
    ///
    /// ```
    /// use utfkit::repair::{Options, Repairer, Stretch};
    ///
    /// let text = "Ñïàñèáî çà ïîêóïêó".as_bytes();
    /// let mut repairer = Repairer::new(Options::new().undouble(true));
    /// let mut found = Vec::new();
    /// let mut take = |stretch: Stretch<'_>| {
    ///     if let Stretch::Changed(change) = stretch {
    ///         found.push((change.after.to_owned(), change.written().unwrap().name(), change.encoding().unwrap().name()));
    ///     }
    /// };
    /// repairer.feed(text, &mut take);
    /// repairer.finish(&mut take);
    /// assert_eq!(found[0], ("Спасибо".to_owned(), "windows-1251", "windows-1252"));
    /// ```
    pub fn written(&self) -> Option<Encoding> {
        self.written
    }

    /// How many times too often it was encoded; 0 for other kinds of change.
    pub fn layers(&self) -> usize {
        self.layers.into()
    }
}

/// The reason for a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChangeKind {
    /// An ill-formed sequence, replaced with U+FFFD.
    Replaced,
    /// Ill-formed bytes, read in the fallback encoding.
    Fallback,
    /// An ill-formed form of a character.
    Reinterpreted,
    /// Text that was encoded twice or more, or read in another encoding.
    Undoubled,
    /// A character whose bytes a line break or a delimiter parted.
    Rejoined,
}

impl ChangeKind {
    /// `replaced`, `fallback`, `reinterpreted`, `undoubled` or `rejoined`.
    pub const fn name(self) -> &'static str {
        match self {
            ChangeKind::Replaced => "replaced",
            ChangeKind::Fallback => "fallback",
            ChangeKind::Reinterpreted => "reinterpreted",
            ChangeKind::Undoubled => "undoubled",
            ChangeKind::Rejoined => "rejoined",
        }
    }
}

impl fmt::Display for ChangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The most bytes of a change. Longer runs are several.
const LONGEST_CHANGE: usize = 4096;

/// Repairs a stream that comes in chunks. The text and the changes do not depend on the
/// chunks. See the [module](super).
///
/// ```
/// use utfkit::repair::{ChangeKind, Options, Stretch, Repairer};
///
/// let mut repairer = Repairer::new(Options::new());
/// let mut found = Vec::new();
/// let mut take = |stretch: Stretch<'_>| {
///     if let Stretch::Changed(change) = stretch {
///         found.push((change.offset, change.kind, change.before.to_vec(), change.after.to_owned()));
///     }
/// };
/// repairer.feed(b"a\xE2", &mut take);
/// repairer.feed(b"\x82b", &mut take);
/// repairer.finish(&mut take);
/// assert_eq!(found, [(1, ChangeKind::Replaced, b"\xE2\x82".to_vec(), "\u{FFFD}".to_owned())]);
/// ```
#[derive(Clone, Debug)]
pub struct Repairer {
    scanner: Scanner,
    maker: Maker,
    /// The line or the parted character that the last chunk did not end.
    line: Vec<u8>,
}

/// Turns the events of the scanner into stretches.
#[derive(Clone, Debug)]
struct Maker {
    options: Options,
    evidence: Evidence,
    offset: u64,
    /// The kind of the change that may continue.
    open: Option<ChangeKind>,
    encoding: Option<Encoding>,
    written: Option<Encoding>,
    layers: u8,
    before: Vec<u8>,
    after: String,
    count: u64,
}

impl Repairer {
    /// A repairer at the start of a stream. It undoes only text whose line is evidence enough.
    pub fn new(options: Options) -> Repairer {
        Repairer {
            scanner: Scanner::new(options.undouble, options.reinterpret),
            maker: Maker {
                options,
                evidence: Evidence::default(),
                offset: 0,
                open: None,
                encoding: None,
                written: None,
                layers: 0,
                before: Vec::new(),
                after: String::new(),
                count: 0,
            },
            line: Vec::new(),
        }
    }

    /// Adds the evidence of a survey of the stream.
    #[doc(hidden)]
    pub fn with_evidence(mut self, evidence: Evidence) -> Repairer {
        let wants_lines = self.maker.options.undouble && !evidence.is_empty();
        self.scanner = self.scanner.with(wants_lines, evidence.has_crossing(), evidence.table.clone());
        self.maker.evidence = evidence;
        self
    }

    /// Takes the next bytes, and passes the repaired text to `take`.
    pub fn feed(&mut self, chunk: &[u8], mut take: impl FnMut(Stretch<'_>)) {
        match self.maker.options.line_encoding() {
            None if self.maker.options.rejoin && self.maker.options.fallback.is_none() => {
                self.halves(chunk, false, &mut take)
            }
            None => self.scan(chunk, false, &mut take),
            Some(encoding) => self.lines(chunk, false, encoding, &mut take),
        }
    }

    /// Ends the stream.
    pub fn finish(&mut self, mut take: impl FnMut(Stretch<'_>)) {
        if let Some(encoding) = self.maker.options.line_encoding() {
            self.lines(&[], true, encoding, &mut take);
        }
        if !self.line.is_empty() {
            self.halves(&[], true, &mut take);
        }
        self.scan(&[], true, &mut take);
        self.maker.close(&mut take);
    }

    fn scan(&mut self, bytes: &[u8], last: bool, take: &mut dyn FnMut(Stretch<'_>)) {
        let Repairer { scanner, maker, .. } = self;
        scanner.feed(bytes, last, &mut |event| maker.event(event, take));
    }

    /// Takes bytes in which characters may be parted.
    fn halves(&mut self, chunk: &[u8], last: bool, take: &mut dyn FnMut(Stretch<'_>)) {
        let mut left = core::mem::take(&mut self.line);
        let bytes = joined(&mut left, chunk);
        // Bytes before `passed` are scanned, and those before `at` are not parted.
        let (mut passed, mut at) = (0, 0);
        let end = loop {
            let Err(error) = validate(&bytes[at..], Standard::Rfc3629) else { break bytes.len() };
            at += error.offset();
            match parts(&bytes[at..], last) {
                Parts::Open => break at,
                Parts::Nothing => at += error.len().max(1),
                Parts::Halves(Halves { first, between, rest, character }) => {
                    self.scan(&bytes[passed..at], false, take);
                    self.scan(&[], true, take);
                    let mut after = String::from(character);
                    let delimiter = &bytes[at + first..at + first + between];
                    after.push_str(from_utf8(delimiter).unwrap_or_default());
                    passed = at + first + between + rest;
                    self.maker.change(ChangeKind::Rejoined, &bytes[at..passed], &after, take);
                    self.maker.close(take);
                    at = passed;
                }
            }
        };
        self.scan(&bytes[passed..end], false, take);
        self.line = bytes[end..].to_vec();
    }

    /// Takes bytes by lines, each of which is read at once if it is ill-formed.
    fn lines(&mut self, chunk: &[u8], last: bool, encoding: Encoding, take: &mut dyn FnMut(Stretch<'_>)) {
        let mut left = core::mem::take(&mut self.line);
        let bytes = joined(&mut left, chunk);
        // Lines before `at` are done, and those before `passed` are scanned.
        let (mut passed, mut at) = (0, 0);
        while let Some(len) = end(&bytes[at..], last) {
            // Lines that stay need no look at each.
            let whole = self.maker.options.whole;
            let same = match whole {
                true => bytes[at..].iter().position(|byte| !byte.is_ascii()),
                false => validate(&bytes[at..], Standard::Rfc3629).err().map(|error| error.offset()),
            };
            let next = same.map_or(bytes.len(), |same| at + same);
            let mut line = at..at + len;
            while line.end <= next
                && let Some(len) = end(&bytes[line.end..], last)
            {
                line = line.end..line.end + len;
            }
            at = line.end;
            if line.end <= next {
                break;
            }
            let words = Words::of(&bytes[line.clone()]);
            let extent = if whole { Extent::Line } else { words.extent(encoding) };
            if extent == Extent::Sequences {
                continue;
            }
            self.scan(&bytes[passed..line.start], false, take);
            self.scan(&[], true, take);
            passed = line.end;
            words.read(encoding, extent, |part| self.maker.part(part, take));
        }
        self.scan(&bytes[passed..at], false, take);
        self.line = bytes[at..].to_vec();
    }
}

/// The bytes that the last chunk left, and `chunk` after them.
fn joined<'a>(left: &'a mut Vec<u8>, chunk: &'a [u8]) -> &'a [u8] {
    if left.is_empty() {
        return chunk;
    }
    left.extend_from_slice(chunk);
    left
}

impl Maker {
    /// Returns how many bytes of a line are decided.
    fn event(&mut self, event: Event<'_>, take: &mut dyn FnMut(Stretch<'_>)) -> usize {
        match event {
            Event::Text(text) => self.keep(text, take),
            Event::Line { text, has_sequence: false, is_odd: false, .. } if !self.evidence.has_crossing() => {
                self.keep(text.as_bytes(), take);
                return text.len();
            }
            Event::Line { text, cut, table, .. } => return self.line(table, text, cut, take),
            Event::IllFormed { bytes, spelled: Some(c) } => {
                self.change(ChangeKind::Reinterpreted, bytes, c.encode_utf8(&mut [0; 4]), take);
            }
            Event::IllFormed { bytes, spelled: None } if self.options.fallback.is_none() => {
                let text = core::mem::take(&mut self.options.replacement);
                self.change(ChangeKind::Replaced, bytes, text.as_deref().unwrap_or("\u{FFFD}"), take);
                self.options.replacement = text;
            }
            Event::IllFormed { bytes, spelled: None } => {
                for byte in bytes {
                    let c = self.options.fallback.as_ref().map_or(char::REPLACEMENT_CHARACTER, |f| f.read(*byte));
                    let kind = match c {
                        char::REPLACEMENT_CHARACTER => ChangeKind::Replaced,
                        _ => ChangeKind::Fallback,
                    };
                    self.change(kind, &[*byte], c.encode_utf8(&mut [0; 4]), take);
                }
            }
        }
        0
    }

    fn line(&mut self, table: &Misreadings, text: &str, cut: bool, take: &mut dyn FnMut(Stretch<'_>)) -> usize {
        let Some(undone) = self.evidence.read(table, &items(text), cut) else {
            self.keep(text.as_bytes(), take);
            return text.len();
        };
        let (mut start, mut at) = (0, 0);
        while let Some(first) = undone.items.get(at) {
            let is_undone = first.is_undone;
            let mut after = String::new();
            while let Some(item) = undone.items.get(at).filter(|item| item.is_undone == is_undone) {
                after.push(item.c);
                at += 1;
            }
            let end = undone.items[at - 1].end as usize;
            let before = &text.as_bytes()[start..end];
            if is_undone {
                let chain = undone.chain(end);
                let encodings = chain.encodings();
                self.close(take);
                self.change(ChangeKind::Undoubled, before, &after, take);
                self.encoding = encodings.first().map(|index| misreading(*index).encoding);
                self.written = Some(chain.crossing().map_or(Encoding::Utf8, |crossing| crossing.written));
                self.layers = encodings.len().try_into().unwrap_or(u8::MAX);
                self.close(take);
            } else {
                self.keep(before, take);
            }
            start = end;
        }
        if start < undone.end {
            self.keep(&text.as_bytes()[start..undone.end], take);
        }
        undone.end
    }

    /// Takes a part of a line that is read at once.
    fn part(&mut self, part: Part<'_>, take: &mut dyn FnMut(Stretch<'_>)) {
        match part {
            Part::Kept(text) => self.keep(text, take),
            Part::Read { before, after, is_whole } => {
                self.close(take);
                let kind = if is_whole { ChangeKind::Fallback } else { ChangeKind::Replaced };
                self.change(kind, before, &after, take);
                // Bytes, or replaced characters.
                self.count = match is_whole {
                    true => before.len() as u64,
                    false => after.chars().filter(|c| *c == char::REPLACEMENT_CHARACTER).count() as u64,
                };
            }
        }
    }

    fn keep(&mut self, text: &[u8], take: &mut dyn FnMut(Stretch<'_>)) {
        self.close(take);
        self.offset += text.len() as u64;
        take(Stretch::Kept(text));
    }

    /// Continues the open change if it has the same kind.
    fn change(&mut self, kind: ChangeKind, before: &[u8], after: &str, take: &mut dyn FnMut(Stretch<'_>)) {
        if self.open.is_some_and(|open| open != kind) || self.before.len() + before.len() > LONGEST_CHANGE {
            self.close(take);
        }
        self.open = Some(kind);
        self.before.extend_from_slice(before);
        self.after.push_str(after);
        self.count += 1;
    }

    fn close(&mut self, take: &mut dyn FnMut(Stretch<'_>)) {
        let Some(kind) = self.open.take() else { return };
        let encoding = match kind {
            ChangeKind::Fallback => self.options.fallback.as_ref().map(Fallback::encoding),
            _ => self.encoding.take(),
        };
        let written = self.written.take();
        let layers = core::mem::take(&mut self.layers);
        let Maker { offset, before, after, count, .. } = self;
        take(Stretch::Changed(Change {
            offset: *offset,
            kind,
            before,
            after,
            count: *count,
            encoding,
            written,
            layers,
        }));
        self.offset += self.before.len() as u64;
        self.before.clear();
        self.after.clear();
        self.count = 0;
    }
}
