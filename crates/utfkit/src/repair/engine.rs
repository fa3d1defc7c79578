//! The repair of a stream.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::Options;
use super::scan::{Event, Scanner};
use super::survey::Evidence;
use super::undouble::{LAYERS, Part, parts, runs};
use super::windows_1252::Windows1252;

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
    /// of a character, groups.
    pub count: u64,
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
    table: Windows1252,
    offset: u64,
    /// A change of which more may come.
    open: Option<ChangeKind>,
    before: Vec<u8>,
    after: String,
    count: u64,
}

impl Repairer {
    /// A repairer at the beginning of a stream, which undoes only certain
    /// groups.
    pub fn new(options: Options) -> Repairer {
        Repairer {
            scanner: Scanner::new(options.undouble, options.reinterpret),
            maker: Maker {
                options,
                evidence: Evidence::default(),
                table: Windows1252::new(),
                offset: 0,
                open: None,
                before: Vec::new(),
                after: String::new(),
                count: 0,
            },
        }
    }

    /// The same with the evidence of a survey of the stream.
    pub fn with_evidence(mut self, evidence: Evidence) -> Repairer {
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
    fn event(&mut self, event: Event<'_>, take: &mut dyn FnMut(Stretch<'_>)) {
        match event {
            Event::Text(text) => self.keep(text, take),
            Event::Run { text, before, after } => {
                let table = self.table.clone();
                parts(&table, text, before, after, |part| match part {
                    Part::Group { text, decoded, verdict } if self.evidence.allows(verdict, 0) => {
                        let settled = settle(&table, &self.evidence, decoded, before, after, 1);
                        self.close(take);
                        self.change(ChangeKind::Undoubled, text.as_bytes(), &settled, take);
                        self.close(take);
                    }
                    Part::Group { text, .. } | Part::Rest(text) => self.keep(text.as_bytes(), take),
                });
            }
            Event::IllFormed { bytes, meant: Some(c) } => {
                self.change(ChangeKind::Reinterpreted, bytes, c.encode_utf8(&mut [0; 4]), take);
            }
            Event::IllFormed { bytes, meant: None } if self.options.fallback.is_none() => {
                self.change(ChangeKind::Replaced, bytes, "\u{FFFD}", take);
            }
            Event::IllFormed { bytes, meant: None } => {
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
        let Maker { offset, before, after, count, .. } = self;
        take(Stretch::Changed(Change { offset: *offset, kind, before, after, count: *count }));
        self.offset += self.before.len() as u64;
        self.before.clear();
        self.after.clear();
        self.count = 0;
    }
}

/// Undoes the further layers in the result of one.
fn settle(
    table: &Windows1252,
    evidence: &Evidence,
    text: String,
    before: Option<char>,
    after: Option<char>,
    layer: usize,
) -> String {
    if layer >= LAYERS {
        return text;
    }
    let mut settled = String::with_capacity(text.len());
    runs(table, &text, before, after, |part, is_run, before, after| {
        if !is_run {
            return settled.push_str(part);
        }
        parts(table, part, before, after, |part| match part {
            Part::Group { decoded, verdict, .. } if evidence.allows(verdict, layer) => {
                settled.push_str(&settle(table, evidence, decoded, before, after, layer + 1));
            }
            Part::Group { text, .. } | Part::Rest(text) => settled.push_str(text),
        });
    });
    settled
}
