//! Errors of rows that are not UTF-8.

use std::sync::Arc;

use arrow_array::builder::{Int64Builder, NullBufferBuilder, StringBuilder};
use arrow_array::{Array, ArrayRef, ListArray, StructArray};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, DataType, Field, Fields};
use utfkit::{Error, Standard};

use crate::input::Column;

/// The fields of an error: `offset` in bytes from the start of the row, `length` of the ill-formed
/// sequence in bytes, and `kind`, the [name](utfkit::ErrorKind::name) of its kind.
///
/// ```
/// let names: Vec<_> = utfkit_arrow::error_fields().iter().map(|field| field.name().clone()).collect();
/// assert_eq!(names, ["offset", "length", "kind"]);
/// ```
pub fn error_fields() -> Fields {
    Fields::from(vec![
        Field::new("offset", DataType::Int64, false),
        Field::new("length", DataType::Int64, false),
        Field::new("kind", DataType::Utf8, false),
    ])
}

/// Builds the columns of a table of errors.
#[derive(Default)]
struct Table {
    offsets: Int64Builder,
    lengths: Int64Builder,
    kinds: StringBuilder,
}

impl Table {
    fn push(&mut self, error: &Error) {
        self.offsets.append_value(error.offset() as i64);
        self.lengths.append_value(error.len() as i64);
        self.kinds.append_value(error.kind().name());
    }

    /// Appends placeholders for rows without an error, which are null.
    fn push_nothing(&mut self, rows: usize) {
        self.offsets.append_value_n(0, rows);
        self.lengths.append_value_n(0, rows);
        for _ in 0..rows {
            self.kinds.append_value("");
        }
    }

    fn finish(mut self, nulls: Option<NullBuffer>) -> Result<StructArray, ArrowError> {
        let columns: Vec<ArrayRef> =
            vec![Arc::new(self.offsets.finish()), Arc::new(self.lengths.finish()), Arc::new(self.kinds.finish())];
        StructArray::try_new(error_fields(), columns, nulls)
    }
}

/// Returns the first error of each row, or null if it has none.
///
/// ```
/// use arrow_array::cast::AsArray;
/// use arrow_array::{Array, BinaryArray};
///
/// let raw = BinaryArray::from(vec![&b"tea"[..], b"caf\xE9 cr\xE8me"]);
/// let first = utfkit_arrow::first_error(&raw)?;
/// assert!(first.is_null(0));
/// assert_eq!(first.column(2).as_string::<i32>().value(1), "missing-continuation");
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
///
/// # Errors
///
/// An array of an unsupported [type](crate#layouts).
pub fn first_error(array: &dyn Array) -> Result<StructArray, ArrowError> {
    let column = Column::of(array)?;
    let rows = column.rows();
    let mut table = Table::default();
    let mut has_error = NullBufferBuilder::new(rows.len());
    let mut next = 0;
    column.ill_formed(&mut |row| {
        if !rows.is_null(row)
            && let Err(error) = utfkit::from_utf8(rows.row(row))
        {
            table.push_nothing(row - next);
            has_error.append_n_nulls(row - next);
            table.push(&error);
            has_error.append_non_null();
            next = row + 1;
        }
        Ok(())
    })?;
    table.push_nothing(rows.len() - next);
    has_error.append_n_nulls(rows.len() - next);
    table.finish(has_error.finish())
}

/// Returns all errors of each row, in order.
///
/// ```
/// use arrow_array::{Array, BinaryArray};
///
/// let raw = BinaryArray::from(vec![&b"tea"[..], b"caf\xE9 cr\xE8me"]);
/// let errors = utfkit_arrow::errors(&raw)?;
/// assert_eq!((errors.value_length(0), errors.value_length(1)), (0, 2));
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
///
/// # Errors
///
/// An array of an unsupported [type](crate#layouts), or more than 2³¹ − 1 errors.
pub fn errors(array: &dyn Array) -> Result<ListArray, ArrowError> {
    let column = Column::of(array)?;
    let rows = column.rows();
    let mut table = Table::default();
    let mut ends: Vec<i32> = Vec::with_capacity(rows.len() + 1);
    ends.push(0);
    let mut count = 0_i32;
    column.ill_formed(&mut |row| {
        if rows.is_null(row) {
            return Ok(());
        }
        ends.resize(row + 1, count);
        for error in utfkit::errors(rows.row(row), Standard::Rfc3629) {
            table.push(&error);
            count = count.checked_add(1).ok_or(ArrowError::OffsetOverflowError(count as usize + 1))?;
        }
        ends.push(count);
        Ok(())
    })?;
    ends.resize(rows.len() + 1, count);
    let item = Arc::new(Field::new_list_field(DataType::Struct(error_fields()), false));
    let table = Arc::new(table.finish(None)?);
    ListArray::try_new(item, OffsetBuffer::new(ends.into()), table, rows.nulls().cloned())
}

/// Returns the rows as strings if all of them are UTF-8.
///
/// ```
/// use arrow_array::BinaryArray;
///
/// let raw = BinaryArray::from(vec![&b"tea"[..], b"caf\xE9"]);
/// let error = utfkit_arrow::validate_utf8(&raw).unwrap_err();
/// assert_eq!(error.to_string(), "Invalid argument error: row 1: truncated sequence at offset 3");
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
///
/// # Errors
///
/// The first row that is not UTF-8, with offset and kind, or an array of an unsupported [type](crate#layouts).
pub fn validate_utf8(array: &dyn Array) -> Result<ArrayRef, ArrowError> {
    let column = Column::of(array)?;
    let rows = column.rows();
    column.blanked(|row| match utfkit::from_utf8(rows.row(row)) {
        Err(error) if !rows.is_null(row) => Err(ArrowError::InvalidArgumentError(format!("row {row}: {error}"))),
        _ => Ok(()),
    })
}
