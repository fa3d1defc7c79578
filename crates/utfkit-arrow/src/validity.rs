//! Validation and lossy conversion of rows.

use arrow_array::{Array, ArrayRef, BooleanArray, Int64Array};
use arrow_buffer::BooleanBuffer;
use arrow_schema::ArrowError;
use utfkit::{Encoding, Policy, Practice, Transcoder};

use crate::input::Column;

/// Returns, for each row, true if it is UTF-8.
///
/// ```
/// use arrow_array::{Array, BinaryViewArray};
///
/// let raw = BinaryViewArray::from(vec![Some(&b"\xC0\xAF"[..]), None, Some(b"/")]);
/// let valid = utfkit_arrow::is_valid_utf8(&raw)?;
/// assert_eq!((valid.value(0), valid.is_null(1), valid.value(2)), (false, true, true));
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
///
/// # Errors
///
/// An array of an unsupported [type](crate#layouts).
pub fn is_valid_utf8(array: &dyn Array) -> Result<BooleanArray, ArrowError> {
    let column = Column::of(array)?;
    let marks = column.well_formed()?.unwrap_or_else(|| BooleanBuffer::new_set(array.len()));
    Ok(BooleanArray::new(marks, column.rows().nulls().cloned()))
}

/// Replaces ill-formed sequences with U+FFFD, one for each maximal subpart unless `practice` says otherwise.
///
/// ```
/// use arrow_array::cast::AsArray;
/// use arrow_array::LargeBinaryArray;
/// use utfkit::Practice;
///
/// let raw = LargeBinaryArray::from(vec![&b"\xED\xA0\x80!"[..]]);
/// let text = utfkit_arrow::make_valid_utf8(&raw, Practice::PerSequence)?;
/// assert_eq!(text.as_string::<i64>().value(0), "\u{FFFD}!");
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
///
/// # Errors
///
/// An array of an unsupported [type](crate#layouts);
/// [`OffsetOverflowError`](ArrowError::OffsetOverflowError) if the text is longer than the offsets of the
/// layout reach: U+FFFD has three bytes and may replace a single one.
pub fn make_valid_utf8(array: &dyn Array, practice: Practice) -> Result<ArrayRef, ArrowError> {
    let column = Column::of(array)?;
    if practice == Practice::MaximalSubpart {
        return column.mended(|_, row, text| {
            for chunk in utfkit::utf8_chunks(row) {
                text.push_str(chunk.valid());
                if !chunk.invalid().is_empty() {
                    text.push('\u{FFFD}');
                }
            }
        });
    }
    let mut transcoder = Transcoder::new(Encoding::Utf8, Encoding::Utf8, Policy::Replace(practice));
    column.mended(|_, row, text| {
        transcoder.reset();
        // The target is UTF-8.
        let _ = transcoder.transcode_to_string(row, text, true);
    })
}

/// Returns each row as a string, or null if it is not UTF-8.
///
/// ```
/// use arrow_array::cast::AsArray;
/// use arrow_array::{Array, BinaryArray};
///
/// let raw = BinaryArray::from(vec![&b"tea"[..], b"caf\xE9"]);
/// let text = utfkit_arrow::try_validate_utf8(&raw)?;
/// assert_eq!((text.as_string::<i32>().value(0), text.is_null(1)), ("tea", true));
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
///
/// # Errors
///
/// An array of an unsupported [type](crate#layouts).
pub fn try_validate_utf8(array: &dyn Array) -> Result<ArrayRef, ArrowError> {
    Column::of(array)?.blanked(|_| Ok(()))
}

/// Returns the number of characters in each row. An ill-formed sequence counts as the U+FFFD that
/// [`make_valid_utf8`] writes for it.
///
/// ```
/// use arrow_array::BinaryArray;
///
/// let raw = BinaryArray::from(vec![&b"caf\xC3\xA9"[..], b"caf\xE9"]);
/// assert_eq!(utfkit_arrow::code_points(&raw)?.values(), &[4, 4]);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
///
/// # Errors
///
/// An array of an unsupported [type](crate#layouts).
pub fn code_points(array: &dyn Array) -> Result<Int64Array, ArrowError> {
    let column = Column::of(array)?;
    let rows = column.rows();
    let mut counts: Vec<i64> = (0..rows.len()).map(|row| utfkit::count_code_points(rows.row(row)) as i64).collect();
    column.ill_formed(&mut |row| {
        counts[row] = utfkit::count_code_points(utfkit::from_utf8_lossy(rows.row(row)).as_bytes()) as i64;
        Ok(())
    })?;
    Ok(Int64Array::new(counts.into(), rows.nulls().cloned()))
}
