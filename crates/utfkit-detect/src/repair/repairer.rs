//! The repair of a stream.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::misreading::{Misreadings, misreading};
use super::scanner::{Event, Scanner};
use super::survey::Evidence;
use super::undo::items;
use super::{Fallback, Options};
use utfkit_core::Encoding;

/// The next part of the repaired text.
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
    /// The number of bytes of the source before it.
    pub offset: u64,
    /// The reason.
    pub kind: ChangeKind,
    /// The bytes of the source.
    pub before: &'a [u8],
    /// The text that replaces them.
    pub after: &'a str,
    /// How many sequences it was: maximal subparts, bytes of the fallback, forms
    /// of a character, runs that were encoded twice.
    pub count: u64,
    encoding: Option<Encoding>,
    layers: u8,
}

impl Change<'_> {
    /// The encoding that explains it: the fallback, or the one in which the
    /// UTF-8 was read before it was encoded once more (the last time, if that
    /// was several).
    ///
    /// ```
    /// use utfkit::repair::{Options, Repairer, Stretch, Survey};
    ///
    /// let text = "Le Schtroumpf conseille g√¢teaux et baies pour un r√©gime".as_bytes();
    /// let options = Options::new().undouble(true);
    /// let mut survey = Survey::new(&options);
    /// survey.feed(text);
    /// let mut repairer = Repairer::new(options).with_evidence(survey.finish());
    /// let mut found = Vec::new();
    /// let mut take = |piece: Stretch<'_>| {
    ///     if let Stretch::Changed(change) = piece {
    ///         found.push((change.after.to_owned(), change.encoding().unwrap().name(), change.layers()));
    ///     }
    /// };
    /// repairer.feed(text, &mut take);
    /// repairer.finish(&mut take);
    /// assert_eq!(found, [("â".to_owned(), "macintosh", 1), ("é".to_owned(), "macintosh", 1)]);
    /// ```
    pub fn encoding(&self) -> Option<Encoding> {
        self.encoding
    }

    /// How often it was encoded once too often; 0 for other kinds of change.
    pub fn layers(&self) -> usize {
        self.layers.into()
    }
}

/// The reason for a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChangeKind {
    /// It was ill-formed: U+FFFD stands for it.
    Replaced,
    /// It was ill-formed: it was read in the fallback encoding.
    Fallback,
    /// It was the form of a character that UTF-8 does not allow.
    Reinterpreted,
    /// It was encoded twice or more.
    Undoubled,
}

impl ChangeKind {
    /// In one word: `replaced`, `fallback`, `reinterpreted`, `undoubled`.
    pub const fn name(self) -> &'static str {
        match self {
            ChangeKind::Replaced => "replaced",
            ChangeKind::Fallback => "fallback",
            ChangeKind::Reinterpreted => "reinterpreted",
            ChangeKind::Undoubled => "undoubled",
        }
    }
}

impl fmt::Display for ChangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The most bytes of a change. A longer run is several.
const LONGEST_CHANGE: usize = 4096;

/// Repairs a stream that comes in pieces. The text and the changes do not
/// depend on how it was cut. See the [module](super).
///
/// ```
/// use utfkit::repair::{ChangeKind, Options, Stretch, Repairer};
///
/// let mut repairer = Repairer::new(Options::new());
/// let mut found = Vec::new();
/// let mut take = |piece: Stretch<'_>| {
///     if let Stretch::Changed(change) = piece {
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
}

/// Makes pieces of the parts that the scanner finds.
#[derive(Clone, Debug)]
struct Maker {
    options: Options,
    evidence: Evidence,
    offset: u64,
    /// A change of which more may come.
    open: Option<ChangeKind>,
    encoding: Option<Encoding>,
    layers: u8,
    before: Vec<u8>,
    after: String,
    count: u64,
}

impl Repairer {
    /// A repairer at the beginning of a stream, which undoes only what is
    /// certain in its line.
    pub fn new(options: Options) -> Repairer {
        Repairer {
            scanner: Scanner::new(options.undouble, options.reinterpret),
            maker: Maker {
                options,
                evidence: Evidence::default(),
                offset: 0,
                open: None,
                encoding: None,
                layers: 0,
                before: Vec::new(),
                after: String::new(),
                count: 0,
            },
        }
    }

    /// The same with the evidence of a survey of the stream.
    pub fn with_evidence(mut self, evidence: Evidence) -> Repairer {
        self.scanner = self.scanner.with(self.maker.options.undouble && !evidence.is_empty(), evidence.table.clone());
        self.maker.evidence = evidence;
        self
    }

    /// Takes the next bytes.
    pub fn feed(&mut self, chunk: &[u8], mut take: impl FnMut(Stretch<'_>)) {
        let Repairer { scanner, maker } = self;
        scanner.feed(chunk, false, &mut |event| maker.event(event, &mut take));
    }

    /// Ends the stream.
    pub fn finish(&mut self, mut take: impl FnMut(Stretch<'_>)) {
        let Repairer { scanner, maker } = self;
        scanner.feed(&[], true, &mut |event| maker.event(event, &mut take));
        maker.close(&mut take);
    }
}

impl Maker {
    /// Returns how much of a line is decided.
    fn event(&mut self, event: Event<'_>, take: &mut dyn FnMut(Stretch<'_>)) -> usize {
        match event {
            Event::Text(text) => self.keep(text, take),
            Event::Line { text, has_sequence: false, .. } => {
                self.keep(text.as_bytes(), take);
                return text.len();
            }
            Event::Line { text, cut, table, .. } => return self.line(table, text, cut, take),
            Event::IllFormed { bytes, spelled: Some(c) } => {
                self.change(ChangeKind::Reinterpreted, bytes, c.encode_utf8(&mut [0; 4]), take);
            }
            Event::IllFormed { bytes, spelled: None } if self.options.fallback.is_none() => {
                self.change(ChangeKind::Replaced, bytes, "\u{FFFD}", take);
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
        let Some(undone) = self.evidence.undo(table, &items(text), cut) else {
            self.keep(text.as_bytes(), take);
            return text.len();
        };
        let chain = undone.chain.encodings();
        let encoding = chain.first().map(|index| misreading(*index).encoding);
        let layers = chain.len().try_into().unwrap_or(u8::MAX);
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
                self.close(take);
                self.change(ChangeKind::Undoubled, before, &after, take);
                (self.encoding, self.layers) = (encoding, layers);
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

    fn keep(&mut self, text: &[u8], take: &mut dyn FnMut(Stretch<'_>)) {
        self.close(take);
        self.offset += text.len() as u64;
        take(Stretch::Kept(text));
    }

    /// A change that follows one of the same kind is part of it.
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
        let layers = core::mem::take(&mut self.layers);
        let Maker { offset, before, after, count, .. } = self;
        take(Stretch::Changed(Change { offset: *offset, kind, before, after, count: *count, encoding, layers }));
        self.offset += self.before.len() as u64;
        self.before.clear();
        self.after.clear();
        self.count = 0;
    }
}
