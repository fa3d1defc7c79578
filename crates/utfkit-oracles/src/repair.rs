//! Repair: the result is well-formed and nothing is lost.
//!
//! Judges: the standard library (well-formedness, and the result of U+FFFD
//! alone), the source (by undoing the changes), and the library itself, fed in
//! pieces.

use utfkit::repair::{ChangeKind, Evidence, Fallback, Options, Repairer, Stretch, Survey, repair};
use utfkit::{Encoding, Legacy};

use crate::input::Input;
use crate::isas::choose;
use crate::pieces::cut;

/// See the [module](self).
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let [way, which, isa, _] = input.choices;
    let mut options = Options::new().reinterpret(way & 1 != 0).undouble(way & 2 != 0);
    // In a multibyte encoding, a word is read at once.
    let mut multibyte = None;
    if way & 4 != 0
        && let Some(taken) = Fallback::new(fallback(which))
    {
        options = options.fallback(taken);
        multibyte = Some(fallback(which)).filter(|encoding| !is_single_byte(*encoding));
    }
    let src = &input.bytes()[..];
    let plain = way & 7 == 0;
    let pieces = cut(src, &mut input.random);
    let of_survey = cut(src, &mut input.random);
    let isa = choose(isa);
    let whole = Repaired::of(&options, &[src], &[src]);
    assert_eq!(std::str::from_utf8(&whole.text).err(), None, "{isa} {options:?} {src:02X?}");
    assert!(whole.taken_back() == src, "{isa} {options:?} {src:02X?}\n {whole:?}");
    if plain {
        assert!(whole.text == String::from_utf8_lossy(src).as_bytes(), "{isa} {src:02X?}\n {whole:?}");
    }
    if way & 2 == 0 {
        assert_eq!(whole.changes.is_empty(), std::str::from_utf8(src).is_ok(), "{isa} {options:?} {src:02X?}");
    }
    let other = Repaired::of(&options, &pieces, &of_survey);
    assert_eq!(other, whole, "{isa} {options:?} {src:02X?}");
    assert_eq!(repair(src, &options).as_bytes(), whole.text, "{isa} {options:?} {src:02X?}");
    for change in &whole.changes {
        assert!(change.is_of(&options, multibyte, src), "{isa} {options:?} {src:02X?}\n {change:?}");
    }
}

fn is_single_byte(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::Latin1 | Encoding::Ibm437)
        || matches!(encoding, Encoding::Legacy(legacy) if legacy.is_single_byte())
}

fn fallback(choice: u8) -> Encoding {
    match usize::from(choice).checked_sub(2) {
        None => [Encoding::Latin1, Encoding::Ibm437][usize::from(choice)],
        Some(choice) => Encoding::Legacy(Legacy::ALL[choice % Legacy::ALL.len()]),
    }
}

#[derive(Debug, PartialEq)]
struct Repaired {
    text: Vec<u8>,
    changes: Vec<Change>,
}

#[derive(Debug, PartialEq)]
struct Change {
    offset: u64,
    kind: ChangeKind,
    before: Vec<u8>,
    after: String,
    count: u64,
    /// The position in the result.
    at: usize,
}

impl Repaired {
    fn of(options: &Options, pieces: &[&[u8]], of_survey: &[&[u8]]) -> Repaired {
        let mut repairer = Repairer::new(options.clone());
        if options.wants_evidence() {
            repairer = repairer.with_evidence(surveyed(options, of_survey));
        }
        let mut repaired = Repaired { text: Vec::new(), changes: Vec::new() };
        let mut take = |piece: Stretch<'_>| {
            if let Stretch::Changed(change) = piece {
                repaired.changes.push(Change {
                    offset: change.offset,
                    kind: change.kind,
                    before: change.before.to_vec(),
                    after: change.after.to_owned(),
                    count: change.count,
                    at: repaired.text.len(),
                });
            }
            repaired.text.extend_from_slice(piece.text());
        };
        for piece in pieces {
            repairer.feed(piece, &mut take);
        }
        repairer.finish(&mut take);
        repaired
    }

    fn taken_back(&self) -> Vec<u8> {
        let (mut src, mut at) = (Vec::new(), 0);
        for change in &self.changes {
            src.extend_from_slice(&self.text[at..change.at]);
            assert_eq!(src.len() as u64, change.offset, "{self:?}");
            src.extend_from_slice(&change.before);
            at = change.at + change.after.len();
        }
        src.extend_from_slice(&self.text[at..]);
        src
    }
}

fn surveyed(options: &Options, pieces: &[&[u8]]) -> Evidence {
    let mut survey = Survey::new(options);
    for piece in pieces {
        survey.feed(piece);
    }
    survey.finish()
}

impl Change {
    /// True if `options` allow this change for these bytes.
    fn is_of(&self, options: &Options, multibyte: Option<Encoding>, src: &[u8]) -> bool {
        let replaced = self.after.chars().all(|c| c == char::REPLACEMENT_CHARACTER);
        let ill_formed = std::str::from_utf8(&self.before).is_err();
        self.count > 0
            && !self.before.is_empty()
            && self.before.len() <= src.len()
            && match (self.kind, multibyte) {
                (ChangeKind::Replaced | ChangeKind::Fallback, Some(encoding)) => {
                    let (text, lost) = encoding.decode_without_bom_handling(&self.before);
                    text == self.after && lost == (self.kind == ChangeKind::Replaced)
                }
                (ChangeKind::Replaced, None) => {
                    replaced && ill_formed && self.after.chars().count() as u64 == self.count
                }
                (ChangeKind::Fallback, None) => ill_formed && self.after.chars().count() == self.before.len(),
                (kind, _) => self.is_of_kind(kind, ill_formed, options),
            }
    }

    fn is_of_kind(&self, kind: ChangeKind, ill_formed: bool, options: &Options) -> bool {
        match kind {
            ChangeKind::Reinterpreted => ill_formed && self.after.chars().count() as u64 == self.count,
            ChangeKind::Undoubled => !ill_formed && options.wants_evidence() && self.after.as_bytes() != self.before,
            _ => false,
        }
    }
}
