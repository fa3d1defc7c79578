//! Calls of a kernel whose second argument is a column.

use std::collections::HashMap;

use arrow_array::{Array, ArrayRef, BooleanArray, StringArray, new_null_array};
use arrow_schema::DataType;
use arrow_select::filter::filter;
use arrow_select::interleave::interleave;
use datafusion_common::Result;

/// Calls `kernel` once for each distinct name, with the rows that have this name, and puts the results, of type
/// `data_type`, in the order of the rows. Null where the name is null.
pub(crate) fn by_name(
    rows: &ArrayRef,
    names: &StringArray,
    data_type: &DataType,
    kernel: impl Fn(&ArrayRef, &str) -> Result<ArrayRef>,
) -> Result<ArrayRef> {
    // A literal becomes a column of equal names when it crosses the foreign interface.
    if let Some(Some(first)) = names.iter().next()
        && names.null_count() == 0
        && names.iter().flatten().all(|name| name == first)
    {
        return kernel(rows, first);
    }
    let mut indices: HashMap<&str, usize> = HashMap::new();
    let mut distinct: Vec<&str> = Vec::new();
    let index_of_row: Vec<Option<usize>> = names
        .iter()
        .map(|name| {
            let name = name?;
            Some(*indices.entry(name).or_insert_with(|| {
                distinct.push(name);
                distinct.len() - 1
            }))
        })
        .collect();
    let mut parts = Vec::with_capacity(distinct.len() + 1);
    for (index, name) in distinct.iter().enumerate() {
        let mask: BooleanArray = index_of_row.iter().map(|at| Some(*at == Some(index))).collect();
        parts.push(kernel(&filter(rows, &mask)?, name)?);
    }
    // The last part holds the null for rows without a name.
    parts.push(new_null_array(data_type, 1));
    let mut taken = vec![0; distinct.len()];
    let places: Vec<(usize, usize)> = index_of_row
        .iter()
        .map(|index| match index {
            Some(index) => {
                taken[*index] += 1;
                (*index, taken[*index] - 1)
            }
            None => (distinct.len(), 0),
        })
        .collect();
    let parts: Vec<&dyn Array> = parts.iter().map(|part| part.as_ref()).collect();
    Ok(interleave(&parts, &places)?)
}
