//! Findings in rows that are not UTF-8, as the command reports them.

use std::sync::Arc;

use arrow_array::builder::{Int64Builder, StringBuilder};
use arrow_array::{Array, ArrayRef, ListArray, StructArray};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{ArrowError, DataType, Field, Fields};
use utfkit::diagnose::{Checker, Diagnosis};
use utfkit::{Encoding, Standard};

use crate::input::Column;

/// The fields of a finding, as in `utfkit check --format jsonl`: `offset` and `length` in bytes, `line` and
/// `column` counted from 1, columns in code points, `bytes` in hexadecimal, `kind`, `code_point` that an overlong
/// or similar sequence encodes (`U+002F`) or null, and `message`.
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

/// Builds a table of findings.
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
    /// A buffer for formatting.
    text: String,
}

impl FindingsBuilder {
    /// Appends a finding: the offset in bytes, line and column from 1, and the diagnosis.
    pub fn push(&mut self, offset: u64, line: u64, column: u64, diagnosis: &Diagnosis) {
        use std::fmt::Write;

        self.offsets.append_value(offset as i64);
        self.lengths.append_value(diagnosis.bytes().len() as i64);
        self.lines.append_value(line as i64);
        self.columns.append_value(column as i64);
        self.kinds.append_value(diagnosis.kind().name());
        // Writing to a string cannot fail.
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

    /// Returns the number of findings.
    pub fn len(&self) -> usize {
        use arrow_array::builder::ArrayBuilder;
        self.offsets.len()
    }

    /// Returns true if there are no findings.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the findings with the fields of [`finding_fields`], and empties the builder.
    ///
    /// # Errors
    ///
    /// Never: all columns have the same length.
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

/// Returns the findings of each row, as `utfkit check` reports them for a file with these bytes.
///
/// A finding may cover several [`errors`](crate::errors), each of which would become one U+FFFD: an overlong form
/// is one finding, and an error for each of its bytes.
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
/// An array of an unsupported [type](crate#layouts), or more than 2³¹ − 1 findings.
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
