//! Text of doubtful origin: each row as UTF-8, with its encoding, the certainty, and the repairs.

use std::sync::Arc;

use arrow_array::builder::{Int64Builder, LargeStringBuilder, StringBuilder};
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_schema::{ArrowError, DataType, Field, Fields};
use utfkit::detect::{self, Certainty, Detection};
use utfkit::repair::{self, ChangeKind, Fallback, Repairer, Stretch, Survey};
use utfkit::{Encoding, Policy, Practice, Transcoder};

use crate::input::Column;

/// How [`clean`] reads rows, and the repairs that it makes.
#[derive(Clone, Debug)]
pub struct Cleaning {
    /// The encoding of every row. `None` detects that of each.
    pub encoding: Option<Encoding>,
    /// The encodings and languages in question.
    pub known: detect::Options,
    /// The encoding of bytes that are not UTF-8, in rows that are mostly UTF-8.
    pub fallback: CleaningFallback,
    /// Undoes double encoding.
    pub undouble: bool,
    /// Removes controls: U+0000 to U+001F without tabs, line ends and form feeds, and U+007F to U+009F.
    pub removes_controls: bool,
    /// Rows whose encoding is less sure get a reason.
    pub at_least: Certainty,
    /// Rows with a larger share of ill-formed sequences among their characters get a reason: with 0 all that have any.
    /// `None` accepts all.
    pub most_damage: Option<f64>,
    /// Ill-formed sequences are left out, and not replaced by U+FFFD.
    pub drops_damage: bool,
}

impl Default for Cleaning {
    /// Detects the encoding, replaces ill-formed sequences, and accepts any certainty and damage.
    fn default() -> Cleaning {
        Cleaning {
            encoding: None,
            known: detect::Options::new(),
            fallback: CleaningFallback::Nothing,
            undouble: false,
            removes_controls: false,
            at_least: Certainty::Guess,
            most_damage: None,
            drops_damage: false,
        }
    }
}

/// How ill-formed bytes are read in a row that is mostly UTF-8.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum CleaningFallback {
    /// They become U+FFFD.
    #[default]
    Nothing,
    /// In the encoding that detection finds for them, unless that is a guess.
    Detected,
    /// In this one.
    As(Box<Fallback>),
}

/// The fields of the result of [`clean`].
pub fn cleaned_fields() -> Fields {
    let count = |name| Field::new(name, DataType::Int64, false);
    Fields::from(vec![
        Field::new("text", DataType::LargeUtf8, true),
        Field::new("encoding", DataType::Utf8, true),
        Field::new("certainty", DataType::Utf8, false),
        count("damage"),
        count("in_fallback"),
        count("undoubled"),
        count("controls"),
        Field::new("reason", DataType::Utf8, true),
    ])
}

/// Converts each row to UTF-8 in one pass, and reports the repairs. A BOM is removed.
///
/// | field | |
/// |---|---|
/// | `text` | with U+FFFD for each ill-formed sequence; null if the row is in no known encoding |
/// | `encoding` | the encoding that was stated or detected |
/// | `certainty` | how sure a detection is; `certain` for a stated encoding |
/// | `damage` | number of ill-formed sequences |
/// | `in_fallback` | number of bytes that were read in the fallback |
/// | `undoubled` | number of double encodings that were undone |
/// | `controls` | number of controls that were removed |
/// | `reason` | why the row does not meet the bounds; null if it does |
///
/// ```
/// use arrow_array::cast::AsArray;
/// use arrow_array::types::Int64Type;
/// use arrow_array::BinaryArray;
/// use utfkit::Encoding;
/// use utfkit_arrow::Cleaning;
///
/// let raw = BinaryArray::from(vec!["caf\u{c3}\u{a9} \u{c3}\u{a9}crit\0".as_bytes(), b"tea \xFF"]);
/// let encoding = Some(Encoding::Utf8);
/// let cleaning = Cleaning { encoding, undouble: true, removes_controls: true, ..Cleaning::default() };
/// let rows = utfkit_arrow::clean(&raw, &cleaning)?;
/// let text = rows.column_by_name("text").unwrap().as_string::<i64>();
/// assert_eq!((text.value(0), text.value(1)), ("café écrit", "tea \u{FFFD}"));
/// let damage = rows.column_by_name("damage").unwrap().as_primitive::<Int64Type>();
/// assert_eq!((damage.value(0), damage.value(1)), (0, 1));
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
///
/// # Errors
///
/// An array of an unsupported [type](crate#layouts).
pub fn clean(array: &dyn Array, cleaning: &Cleaning) -> Result<StructArray, ArrowError> {
    let column = Column::of(array)?;
    let rows = column.rows();
    let mut made = Made::default();
    let mut transcoder = None;
    for row in 0..rows.len() {
        match rows.is_null(row) {
            true => made.push(None, None, "", &Counts::default(), None),
            false => cleaning.row(rows.row(row), &mut transcoder, &mut made),
        }
    }
    StructArray::try_new(cleaned_fields(), made.finish(), rows.nulls().cloned())
}

#[derive(Default)]
struct Counts {
    damage: u64,
    in_fallback: u64,
    undoubled: u64,
    controls: u64,
}

#[derive(Default)]
struct Made {
    text: LargeStringBuilder,
    encoding: StringBuilder,
    certainty: StringBuilder,
    counts: [Int64Builder; 4],
    reason: StringBuilder,
}

impl Made {
    fn push(
        &mut self,
        text: Option<&str>,
        encoding: Option<&str>,
        certainty: &str,
        counts: &Counts,
        reason: Option<String>,
    ) {
        self.text.append_option(text);
        self.encoding.append_option(encoding);
        self.certainty.append_value(certainty);
        let Counts { damage, in_fallback, undoubled, controls } = *counts;
        for (builder, count) in self.counts.iter_mut().zip([damage, in_fallback, undoubled, controls]) {
            builder.append_value(i64::try_from(count).unwrap_or(i64::MAX));
        }
        self.reason.append_option(reason);
    }

    fn finish(mut self) -> Vec<ArrayRef> {
        let mut columns: Vec<ArrayRef> =
            vec![Arc::new(self.text.finish()), Arc::new(self.encoding.finish()), Arc::new(self.certainty.finish())];
        columns.extend(self.counts.iter_mut().map(|counts| Arc::new(counts.finish()) as ArrayRef));
        columns.push(Arc::new(self.reason.finish()));
        columns
    }
}

impl Cleaning {
    fn row(&self, bytes: &[u8], transcoder: &mut Option<(Encoding, Transcoder)>, made: &mut Made) {
        let mut counts = Counts::default();
        let found = match self.encoding {
            None if !bytes.is_ascii() || bytes.contains(&0x1B) || bytes.contains(&0) || bytes.contains(&b'~') => {
                Some(self.known.detect(bytes))
            }
            _ => None,
        };
        let encoding = match &found {
            Some(found) => found.encoding(),
            None => Some(self.encoding.unwrap_or(Encoding::UsAscii)),
        };
        let certainty = found.as_ref().map_or(Certainty::Certain, Detection::certainty).name();
        let Some(encoding) = encoding else {
            let reason = found.map(|found| format!("no encoding was found: {found}"));
            return made.push(None, None, certainty, &counts, reason);
        };
        let mut text = match encoding {
            Encoding::UsAscii | Encoding::Utf8 if found.is_some() || encoding == Encoding::Utf8 => {
                self.repaired(bytes, found.as_ref(), &mut counts)
            }
            _ => {
                let decoded = self.decoded(encoding, bytes, transcoder, &mut counts);
                match self.undouble && !decoded.is_ascii() {
                    true => self.repaired(decoded.as_bytes(), None, &mut counts),
                    false => decoded,
                }
            }
        };
        if text.starts_with('\u{FEFF}') {
            text.drain(..'\u{FEFF}'.len_utf8());
        }
        if self.removes_controls && text.chars().any(is_removed) {
            text.retain(|c| {
                counts.controls += u64::from(is_removed(c));
                !is_removed(c)
            });
        }
        let reason = self.reason(found.as_ref(), &text, encoding, &counts);
        made.push(Some(&text), Some(encoding.name()), certainty, &counts, reason);
    }

    fn reason(&self, found: Option<&Detection>, text: &str, encoding: Encoding, counts: &Counts) -> Option<String> {
        if let Some(found) = found
            && found.certainty() < self.at_least
        {
            return Some(format!("less sure than {}: {found}", self.at_least.name()));
        }
        let most = self.most_damage?;
        let dropped = if self.drops_damage { counts.damage } else { 0 };
        let characters = text.chars().count() as u64 + dropped;
        (counts.damage > 0 && counts.damage as f64 > most * characters as f64).then(|| {
            let sequences = if counts.damage == 1 { "sequence" } else { "sequences" };
            format!("{} ill-formed {sequences} in {characters} characters of {encoding}", counts.damage)
        })
    }

    /// The text of a row that is mostly UTF-8.
    fn repaired(&self, bytes: &[u8], found: Option<&Detection>, counts: &mut Counts) -> String {
        let mut options = repair::Options::new().undouble(self.undouble).by_line(true);
        let fallback = match &self.fallback {
            CleaningFallback::Nothing => None,
            CleaningFallback::As(fallback) => Some((**fallback).clone()),
            CleaningFallback::Detected => {
                let sure = found.and_then(Detection::foreign_certainty).is_some_and(|sure| sure > Certainty::Guess);
                found.and_then(Detection::foreign).filter(|_| sure).and_then(Fallback::new)
            }
        };
        if let Some(fallback) = fallback {
            options = options.fallback(fallback);
        }
        if self.drops_damage {
            options = options.replacement(String::new());
        }
        let mut repairer = Repairer::new(options.clone());
        if options.wants_evidence() {
            let mut survey = Survey::new(&options);
            survey.feed(bytes);
            repairer = repairer.with_evidence(survey.finish());
        }
        let mut text = String::with_capacity(bytes.len());
        let mut take = |stretch: Stretch<'_>| {
            // Both kinds of stretches are UTF-8.
            text.push_str(&String::from_utf8_lossy(stretch.text()));
            if let Stretch::Changed(change) = stretch {
                match change.kind {
                    ChangeKind::Fallback => {
                        let lacking = change.after.matches(char::REPLACEMENT_CHARACTER).count() as u64;
                        counts.damage += lacking;
                        counts.in_fallback += change.count.saturating_sub(lacking);
                    }
                    ChangeKind::Undoubled => counts.undoubled += change.count,
                    _ => counts.damage += change.count,
                }
            }
        };
        repairer.feed(bytes, &mut take);
        repairer.finish(&mut take);
        text
    }

    fn decoded(
        &self,
        encoding: Encoding,
        bytes: &[u8],
        transcoder: &mut Option<(Encoding, Transcoder)>,
        counts: &mut Counts,
    ) -> String {
        let transcoder = match transcoder {
            Some((last, transcoder)) if *last == encoding => {
                transcoder.reset();
                transcoder
            }
            other => {
                let policy = if self.drops_damage { Policy::Skip } else { Policy::Replace(Practice::MaximalSubpart) };
                let new = Transcoder::new(encoding, Encoding::Utf8, policy).counting_errors();
                &mut other.insert((encoding, new)).1
            }
        };
        let mut text = String::with_capacity(bytes.len());
        // The target is UTF-8, and the policy does not stop.
        let _ = transcoder.transcode_to_string(bytes, &mut text, true);
        counts.damage += transcoder.error_count().unwrap_or_default().count;
        text
    }
}

fn is_removed(c: char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{C}')
}
