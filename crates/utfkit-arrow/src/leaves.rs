//! Text in layouts that [`Column`](crate::input::Column) does not have.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, FixedSizeBinaryArray, FixedSizeListArray, GenericListArray,
    LargeBinaryArray, OffsetSizeTrait, StructArray, UInt64Array, downcast_run_array, new_null_array,
};
use arrow_buffer::{BooleanBufferBuilder, OffsetBuffer};
use arrow_schema::{ArrowError, DataType, Field, FieldRef};
use arrow_select::nullif::nullif;
use arrow_select::take::take;

type Kernel<'a> = &'a dyn Fn(&dyn Array) -> Result<ArrayRef, ArrowError>;

/// Applies a function of this crate to an array of any type whose leaves are bytes or strings.
///
/// The values of dictionaries and runs are passed once each, and the result has a row for each row.
/// `FixedSizeBinary` is passed as `Binary`, and `Null` as a column of nulls. Of lists and structs the
/// values are passed, and the results have the same shape.
///
/// ```
/// use arrow_array::cast::AsArray;
/// use arrow_array::types::Int8Type;
/// use arrow_array::{Array, DictionaryArray, Int8Array, BinaryArray};
///
/// let values = BinaryArray::from(vec![&b"caf\xE9"[..], b"tea"]);
/// let column = DictionaryArray::<Int8Type>::new(Int8Array::from(vec![Some(1), None, Some(0), Some(0)]), std::sync::Arc::new(values));
/// let text = utfkit_arrow::by_leaves(&column, &|leaf| utfkit_arrow::make_valid_utf8(leaf, Default::default()))?;
/// let rows: Vec<_> = text.as_string::<i32>().iter().collect();
/// assert_eq!(rows, [Some("tea"), None, Some("caf\u{FFFD}"), Some("caf\u{FFFD}")]);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
///
/// # Errors
///
/// The errors of `kernel`, and [`CastError`](ArrowError::CastError) for a leaf of another type and for
/// maps, unions and list views.
pub fn by_leaves(array: &dyn Array, kernel: Kernel<'_>) -> Result<ArrayRef, ArrowError> {
    use DataType::*;
    match array.data_type() {
        Binary | LargeBinary | BinaryView | Utf8 | LargeUtf8 | Utf8View => kernel(array),
        Null => kernel(&new_null_array(&Utf8, array.len())),
        FixedSizeBinary(_) => kernel(&of_one_size(array.as_fixed_size_binary())?),
        Dictionary(_, _) => {
            let dictionary = array.as_any_dictionary();
            by_values(dictionary.values(), dictionary.keys(), kernel)
        }
        RunEndEncoded(_, _) => downcast_run_array! {
            array => {
                let rows: Vec<u64> = (0..array.len() as u64).collect();
                let runs = array.get_physical_indices(&rows)?;
                let runs: UInt64Array = runs.into_iter().map(|run| run as u64).collect();
                by_values(array.values(), &runs, kernel)
            },
            other => Err(refused(other))
        },
        List(field) => list(array.as_list::<i32>(), field, kernel),
        LargeList(field) => list(array.as_list::<i64>(), field, kernel),
        FixedSizeList(field, size) => {
            let lists = array.as_fixed_size_list();
            let per_list = usize::try_from(*size).unwrap_or(0);
            let made = visible(lists.values(), kernel, || {
                hidden(array, lists.values().len(), |row| row * per_list..(row + 1) * per_list)
            })?;
            let field = renewed(field, &made);
            let nulls = array.nulls().cloned();
            Ok(Arc::new(FixedSizeListArray::try_new_with_length(field, *size, made, nulls, array.len())?))
        }
        Struct(fields) => {
            let rows = array.as_struct();
            let mut made = Vec::with_capacity(fields.len());
            for (field, column) in fields.iter().zip(rows.columns()) {
                let column = visible(column, kernel, || hidden(array, array.len(), |row| row..row + 1));
                let column = column.map_err(|error| match error {
                    ArrowError::CastError(text) => ArrowError::CastError(format!("field {:?}: {text}", field.name())),
                    other => other,
                })?;
                made.push((renewed(field, &column), column));
            }
            let (fields, columns): (Vec<FieldRef>, Vec<ArrayRef>) = made.into_iter().unzip();
            let nulls = array.nulls().cloned();
            Ok(Arc::new(StructArray::try_new_with_length(fields.into(), columns, nulls, array.len())?))
        }
        other => Err(refused(other)),
    }
}

fn refused(given: &DataType) -> ArrowError {
    ArrowError::CastError(format!("a column of bytes or strings is needed, not of {given}"))
}

/// Rows of one size as rows with offsets.
fn of_one_size(array: &FixedSizeBinaryArray) -> Result<ArrayRef, ArrowError> {
    let size = usize::try_from(array.value_length()).unwrap_or(0);
    let (values, nulls) = (array.values().clone(), array.nulls().cloned());
    let lengths = std::iter::repeat_n(size, array.len());
    if i32::try_from(size.saturating_mul(array.len())).is_ok() {
        return Ok(Arc::new(BinaryArray::try_new(OffsetBuffer::from_lengths(lengths), values, nulls)?));
    }
    Ok(Arc::new(LargeBinaryArray::try_new(OffsetBuffer::from_lengths(lengths), values, nulls)?))
}

/// The results for `values`, in the order of `indices`.
fn by_values(values: &ArrayRef, indices: &dyn Array, kernel: Kernel<'_>) -> Result<ArrayRef, ArrowError> {
    if values.len() <= indices.len()
        && let Ok(made) = by_leaves(values, kernel)
    {
        return take(&made, indices, None);
    }
    // An error may be in a value that no row has, and names a value where it has to name a row.
    by_leaves(&take(values, indices, None)?, kernel)
}

fn list<O: OffsetSizeTrait>(
    array: &GenericListArray<O>,
    field: &FieldRef,
    kernel: Kernel<'_>,
) -> Result<ArrayRef, ArrowError> {
    // A slice has the values of all lists.
    let place = |row: usize| array.offsets()[row].as_usize();
    let (first, end) = (place(0), place(array.len()));
    let values = array.values().slice(first, end - first);
    let made =
        visible(&values, kernel, || hidden(array, values.len(), |row| place(row) - first..place(row + 1) - first))?;
    let offsets = array.offsets().iter().map(|offset| O::usize_as(offset.as_usize() - first)).collect::<Vec<_>>();
    let field = renewed(field, &made);
    let offsets = OffsetBuffer::new(offsets.into());
    Ok(Arc::new(GenericListArray::<O>::try_new(field, offsets, made, array.nulls().cloned())?))
}

/// The field of results.
fn renewed(field: &FieldRef, made: &ArrayRef) -> FieldRef {
    Arc::new(Field::new(field.name(), made.data_type().clone(), true))
}

/// The results for `values`. Values in null rows do not matter: after an error, the kernel runs again with
/// these values set to null.
fn visible(
    values: &ArrayRef,
    kernel: Kernel<'_>,
    hidden: impl FnOnce() -> Option<BooleanArray>,
) -> Result<ArrayRef, ArrowError> {
    let made = by_leaves(values, kernel);
    match (&made, values.data_type()) {
        (Err(ArrowError::InvalidArgumentError(_)), given) if !matches!(given, DataType::RunEndEncoded(_, _)) => {
            match hidden() {
                Some(hidden) => by_leaves(&nullif(values, &hidden)?, kernel),
                None => made,
            }
        }
        _ => made,
    }
}

/// True for each of `len` values that belongs to a null row. `None` without null rows.
fn hidden(array: &dyn Array, len: usize, values: impl Fn(usize) -> std::ops::Range<usize>) -> Option<BooleanArray> {
    let nulls = array.nulls()?;
    let mut hidden = BooleanBufferBuilder::new(len);
    hidden.append_n(len, false);
    for row in (0..array.len()).filter(|row| nulls.is_null(*row)) {
        values(row).for_each(|value| hidden.set_bit(value, true));
    }
    Some(BooleanArray::new(hidden.finish(), None))
}
