//! Checking a range of a file without the bytes before it, on another machine for example.
//!
//! Few ranges end where a character does, and near damage only a reader from the front knows where
//! one begins. But there are places where a sequence has ended whatever it was:
//!
//! - in UTF-8, before each byte that is not a continuation byte, because a sequence is one other
//!   byte and continuation bytes after it. Except ED: for two surrogates in a row the finding names
//!   the character that they spell together;
//! - in UTF-16, before each unit that is not a low surrogate;
//! - in UTF-32 and US-ASCII, before each unit.
//!
//! A range ends at the first such place from its cut on, where the next one begins. In text that is
//! within a few bytes. In a run of continuation bytes one range takes all of them, and the next ones
//! are empty.
//!
//! The places of findings are relative to the beginning of the range. The lines before a range, and
//! the columns on its first line, are sums over the ranges before it. At the end of a range the
//! checker is fed a sequence that is always ill-formed: it ends a pending sequence, as any character
//! would, and its place is the end of the range.
//!
//! ```text
//! file     ..one\ntw o..three\nfour..
//! cut                ^ in ranges
//! range    1 line, 2 columns | 1 line, ..
//! ```
//!
//! Files in encodings with states or of several bytes a character are one range.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::Encoding;
use engine::Standard;
use engine::diagnose::{Checker, Finding};
use pyo3::prelude::*;
use utfkit_arrow::FindingsBuilder;

use crate::columns::{self, Column};
use crate::names;
use crate::source::bytes_of;
use crate::unicode::apart;

/// Checks one range of a file.
#[pyclass(module = "utfkit")]
pub(crate) struct RangeChecker {
    checker: Checker,
    tally: Tally,
}

/// The counts of a range.
struct Tally {
    encoding: Encoding,
    /// The beginning of the range, as far as it is known.
    start: Place,
    /// The number of bytes fed.
    bytes: u64,
    kinds: BTreeMap<&'static str, u64>,
    /// The findings, if they are wanted.
    kept: Option<FindingsBuilder>,
    /// The end of the range. A finding there is no finding of the range.
    end: Option<Place>,
}

#[derive(Clone, Copy)]
struct Place {
    offset: u64,
    line: u64,
    column: u64,
}

impl Place {
    /// The place of a finding that is relative to this one.
    fn of(self, finding: &Finding) -> Place {
        let column = if finding.line() == 1 { self.column - 1 } else { 0 };
        Place {
            offset: self.offset + finding.offset(),
            line: self.line - 1 + finding.line(),
            column: column + finding.column(),
        }
    }
}

impl Tally {
    fn take(&mut self, finding: &Finding) {
        let place = self.start.of(finding);
        if finding.offset() >= self.bytes {
            self.end = Some(place);
            return;
        }
        *self.kinds.entry(finding.kind().name()).or_default() += 1;
        if let Some(kept) = &mut self.kept {
            kept.push(place.offset, place.line, place.column, finding.diagnosis());
        }
    }
}

/// The size of a unit in bytes. `None` for an encoding whose files cannot be cut.
fn unit(encoding: Encoding) -> Option<usize> {
    use Encoding::*;
    match encoding {
        Utf8 | Utf8Rfc2279 | Utf8Rfc2044 | Utf8Kuhn | Utf8NoNoncharacters | UsAscii => Some(1),
        Utf16Le | Utf16Be => Some(2),
        Utf32Le | Utf32Be => Some(4),
        _ => None,
    }
}

/// True if a sequence begins with `unit`, whatever comes before.
fn begins(encoding: Encoding, unit: &[u8]) -> bool {
    match (encoding, unit) {
        (Encoding::UsAscii | Encoding::Utf32Le | Encoding::Utf32Be, _) => true,
        (Encoding::Utf16Le, &[_, high]) | (Encoding::Utf16Be, &[high, _]) => high & 0xFC != 0xDC,
        (_, &[byte]) => !matches!(byte, 0x80..=0xBF | 0xED),
        _ => false,
    }
}

/// Units that are ill-formed in any place, and the number of characters after them.
fn end_mark(encoding: Encoding) -> (&'static [u8], u64) {
    match encoding {
        Encoding::Utf16Le => (b"\x00\xD8a\x00", 1),
        Encoding::Utf16Be => (b"\xD8\x00\x00a", 1),
        Encoding::Utf32Le => (b"\x00\xD8\x00\x00", 0),
        Encoding::Utf32Be => (b"\x00\x00\xD8\x00", 0),
        _ => (b"\xFF", 0),
    }
}

fn encoding_of(name: Option<&Bound<'_, PyAny>>) -> PyResult<Encoding> {
    Ok(names::encoding(name)?.encoding)
}

#[pymethods]
impl RangeChecker {
    /// A checker for a range that begins at `offset`, a place that `cut` returned. `line` and
    /// `column` are the place in the file, or 1 if it is not known yet.
    #[new]
    #[pyo3(
        signature = (encoding=None, *, offset=0, line=1, column=1, keeps=false),
        text_signature = "(encoding='utf-8', *, offset=0, line=1, column=1, keeps=False)"
    )]
    fn new(
        encoding: Option<&Bound<'_, PyAny>>,
        offset: u64,
        line: u64,
        column: u64,
        keeps: bool,
    ) -> PyResult<RangeChecker> {
        let encoding = encoding_of(encoding)?;
        let kept = keeps.then(FindingsBuilder::default);
        let start = Place { offset, line: line.max(1), column: column.max(1) };
        let tally = Tally { encoding, start, bytes: 0, kinds: BTreeMap::new(), kept, end: None };
        Ok(RangeChecker { checker: Checker::new(encoding, Standard::Rfc3629), tally })
    }

    /// The size of a unit in bytes, or None if files of the encoding cannot be cut.
    #[staticmethod]
    #[pyo3(name = "unit")]
    fn unit_of(encoding: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        Ok(unit(encoding_of(Some(encoding))?))
    }

    /// The first offset in `data`, which begins with a whole unit, where a range can begin.
    #[staticmethod]
    fn cut(encoding: &Bound<'_, PyAny>, data: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        let encoding = encoding_of(Some(encoding))?;
        let Some(size) = unit(encoding) else { return Ok(None) };
        let data = bytes_of(data)?;
        let mut units = data.as_bytes().chunks_exact(size);
        Ok(units.position(|unit| begins(encoding, unit)).map(|at| at * size))
    }

    /// Checks the next bytes.
    fn feed(&mut self, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let bytes = bytes_of(data)?;
        let bytes = bytes.as_bytes();
        let RangeChecker { checker, tally } = self;
        tally.bytes += bytes.len() as u64;
        apart(data.py(), bytes.len(), || checker.feed(bytes, |finding| tally.take(finding)));
        Ok(())
    }

    /// Ends the range, and with `is_last` the file. Returns the numbers of bytes, code points and line
    /// feeds, the column after the range, and the number of errors of each kind.
    fn finish(&mut self, is_last: bool) -> (u64, u64, u64, u64, BTreeMap<&'static str, u64>) {
        let RangeChecker { checker, tally } = self;
        let mut uncounted = 0;
        if is_last {
            checker.finish(|finding| tally.take(finding));
        } else {
            let (mark, after) = end_mark(tally.encoding);
            checker.feed(mark, |finding| tally.take(finding));
            uncounted = after;
        }
        let totals = checker.totals();
        let column = tally.end.map_or(1, |end| end.column);
        (tally.bytes, totals.code_points() - uncounted, totals.lines(), column, tally.kinds.clone())
    }

    /// The findings since the last call, as a column of structs.
    fn take_findings(&mut self) -> PyResult<Column> {
        let table = self.tally.kept.get_or_insert_default().finish().map_err(columns::error)?;
        Ok(Column::of(Arc::new(table)))
    }

    /// The number of findings that are not taken yet.
    fn __len__(&self) -> usize {
        self.tally.kept.as_ref().map_or(0, FindingsBuilder::len)
    }
}
