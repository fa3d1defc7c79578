//! Detection of each row's encoding.

use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_schema::{ArrowError, DataType, Field, Fields};

use crate::input::Column;

/// Detects the encoding of each row. The result has the fields `encoding`, null if no encoding
/// fits, and `certainty`: `certain`, `nearly certain`, `likely` or `a guess`.
///
/// ```
/// use arrow_array::cast::AsArray;
/// use arrow_array::BinaryArray;
///
/// let raw = BinaryArray::from(vec!["Grüße, 日本語, Съешь".as_bytes(), b"H\0i\0"]);
/// let found = utfkit_arrow::detect(&raw)?;
/// let encodings = found.column(0).as_string::<i32>();
/// assert_eq!((encodings.value(0), encodings.value(1)), ("UTF-8", "UTF-16LE"));
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
///
/// # Errors
///
/// An array of an unsupported [type](crate#layouts).
pub fn detect(array: &dyn Array) -> Result<StructArray, ArrowError> {
    let column = Column::of(array)?;
    let rows = column.rows();
    let (mut encodings, mut certainties) = (StringBuilder::new(), StringBuilder::new());
    for row in 0..rows.len() {
        if rows.is_null(row) {
            encodings.append_null();
            certainties.append_value("");
            continue;
        }
        let found = utfkit::detect::detect(rows.row(row));
        encodings.append_option(found.name());
        certainties.append_value(found.certainty().name());
    }
    let fields = Fields::from(vec![
        Field::new("encoding", DataType::Utf8, true),
        Field::new("certainty", DataType::Utf8, false),
    ]);
    let columns: Vec<ArrayRef> = vec![Arc::new(encodings.finish()), Arc::new(certainties.finish())];
    StructArray::try_new(fields, columns, rows.nulls().cloned())
}
