//! What a person reads about rows that are not UTF-8.

use std::sync::Arc;

use arrow_array::builder::{Int64Builder, StringBuilder};
use arrow_array::{Array, ArrayRef, ListArray, StructArray};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{ArrowError, DataType, Field, Fields};
use utfkit::diagnose::{Checker, Diagnosis};
use utfkit::{Encoding, Standard};

use crate::input::Column;

/// The fields of a finding, which are those that `utfkit check --format jsonl` prints: `offset` and
/// `length` in bytes, `line` and `column` from 1 on, columns in code points, `bytes` in hexadecimal, `kind`,
/// `code_point` that the sequence spells, as `U+002F`, if any, and `message`.
///
/// ```
/// let names: Vec<_> = utfkit_arrow::finding_fields().iter().map(|field| field.name().clone()).collect();
/// assert_eq!(names, ["offset", "length", "line", "column", "bytes", "kind", "code_point", "message"]);
/// ```
pub fn finding_fields() -> Fields {
    let number = |name: &str| Field::new(name, DataType::Int64, false);
    let text = |name: &str| Field::new(name, DataType::Utf8, name == "code_point");
    Fields::from(vec![
        number("offset"),
        number("length"),
        number("line"),
        number("column"),
        text("bytes"),
        text("kind"),
        text("code_point"),
        text("message"),
    ])
}

/// A table of findings, being filled.
///
/// ```
/// use utfkit::diagnose::Checker;
/// use utfkit::{Encoding, Standard};
///
/// let mut table = utfkit_arrow::FindingsBuilder::default();
/// let mut checker = Checker::new(Encoding::Utf8, Standard::Rfc3629);
/// checker.feed(b"caf\xE9 au lait", |found| {
///     table.push(found.offset(), found.line(), found.column(), found.diagnosis());
/// });
/// assert_eq!(arrow_array::Array::len(&table.finish()?), 1);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
#[derive(Debug, Default)]
pub struct FindingsBuilder {
    offsets: Int64Builder,
    lengths: Int64Builder,
    lines: Int64Builder,
    columns: Int64Builder,
    bytes: StringBuilder,
    kinds: StringBuilder,
    code_points: StringBuilder,
    messages: StringBuilder,
    /// What is written before it is appended.
    text: String,
}

impl FindingsBuilder {
    /// Appends what was found at a place.
    pub fn push(&mut self, offset: u64, line: u64, column: u64, diagnosis: &Diagnosis) {
        use std::fmt::Write;

        self.offsets.append_value(offset as i64);
        self.lengths.append_value(diagnosis.bytes().len() as i64);
        self.lines.append_value(line as i64);
        self.columns.append_value(column as i64);
        self.kinds.append_value(diagnosis.kind().name());
        // Nothing that is written to a string fails.
        self.text.clear();
        for byte in diagnosis.bytes() {
            _ = write!(self.text, "{byte:02x}");
        }
        self.bytes.append_value(&self.text);
        self.text.clear();
        match diagnosis.value() {
            Some(value) => {
                _ = write!(self.text, "U+{value:04X}");
                self.code_points.append_value(&self.text);
            }
            None => self.code_points.append_null(),
        }
        self.text.clear();
        _ = write!(self.text, "{diagnosis}");
        self.messages.append_value(&self.text);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        use arrow_array::builder::ArrayBuilder;
        self.offsets.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The table of what was appended, with the fields [`finding_fields`]; the builder is empty again.
    ///
    /// # Errors
    ///
    /// None: the columns are as long as each other.
    pub fn finish(&mut self) -> Result<StructArray, ArrowError> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.offsets.finish()),
            Arc::new(self.lengths.finish()),
            Arc::new(self.lines.finish()),
            Arc::new(self.columns.finish()),
            Arc::new(self.bytes.finish()),
            Arc::new(self.kinds.finish()),
            Arc::new(self.code_points.finish()),
            Arc::new(self.messages.finish()),
        ];
        StructArray::try_new(finding_fields(), columns, None)
    }
}

/// Every finding in each row, as the command reports it for a file with the same bytes; an empty list
/// where there is none.
///
/// One ill-formed sequence can be several [`errors`](crate::errors): a sequence is what a person would name as
/// one, an error what U+FFFD would be written for.
///
/// ```
/// use arrow_array::cast::AsArray;
/// use arrow_array::{Array, BinaryArray};
///
/// let raw = BinaryArray::from(vec![&b"tea"[..], b"one\n\xC0\xAF"]);
/// let findings = utfkit_arrow::findings(&raw)?;
/// assert_eq!((findings.value_length(0), findings.value_length(1)), (0, 1));
/// let second = findings.value(1);
/// assert_eq!(second.as_struct().column(5).as_string::<i32>().value(0), "overlong");
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
///
/// # Errors
///
/// An array of another type than those in the [list](crate#layouts); more than 2³¹ − 1 findings.
pub fn findings(array: &dyn Array) -> Result<ListArray, ArrowError> {
    let column = Column::of(array)?;
    let rows = column.rows();
    let mut table = FindingsBuilder::default();
    let mut ends: Vec<i32> = Vec::with_capacity(rows.len() + 1);
    ends.push(0);
    let count =
        |table: &FindingsBuilder| i32::try_from(table.len()).map_err(|_| ArrowError::OffsetOverflowError(table.len()));
    column.ill_formed(&mut |row| {
        if rows.is_null(row) {
            return Ok(());
        }
        ends.resize(row + 1, count(&table)?);
        let mut checker = Checker::new(Encoding::Utf8, Standard::Rfc3629);
        let mut push = |found: &utfkit::diagnose::Finding| {
            table.push(found.offset(), found.line(), found.column(), found.diagnosis());
        };
        checker.feed(rows.row(row), &mut push);
        checker.finish(&mut push);
        ends.push(count(&table)?);
        Ok(())
    })?;
    ends.resize(rows.len() + 1, count(&table)?);
    let item = Arc::new(Field::new_list_field(DataType::Struct(finding_fields()), false));
    ListArray::try_new(item, OffsetBuffer::new(ends.into()), Arc::new(table.finish()?), rows.nulls().cloned())
}
