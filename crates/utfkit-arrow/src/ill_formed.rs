//! Finds the rows that are not UTF-8, in one pass over the bytes of all rows.

use std::ops::Range;

use arrow_array::OffsetSizeTrait;
use arrow_buffer::{BooleanBuffer, BooleanBufferBuilder};
use arrow_schema::ArrowError;

use crate::input::{Column, INLINE, Offsets, Rows, Views, length, place};

impl Column<'_> {
    /// Calls `found` for each row that is not UTF-8, in order, until it fails. Null rows are included, because
    /// their bytes must be well-formed in a string array.
    pub(crate) fn ill_formed(&self, found: &mut dyn FnMut(usize) -> Result<(), ArrowError>) -> Result<(), ArrowError> {
        match self {
            Column::Small(column) => of_offsets(column, found),
            Column::Large(column) => of_offsets(column, found),
            Column::View(column) => of_views(column, found),
        }
    }

    /// One bit for each row, set if it is UTF-8. `None` if all are.
    pub(crate) fn well_formed(&self) -> Result<Option<BooleanBuffer>, ArrowError> {
        let mut marks = Marks::new(self.rows().len());
        self.ill_formed(&mut |row| {
            marks.clear(row);
            Ok(())
        })?;
        Ok(marks.finish())
    }
}

/// One bit for each row, initially set. Allocates when the first is cleared.
pub(crate) struct Marks {
    rows: usize,
    marks: Option<BooleanBufferBuilder>,
}

impl Marks {
    pub(crate) fn new(rows: usize) -> Marks {
        Marks { rows, marks: None }
    }

    pub(crate) fn clear(&mut self, row: usize) {
        let rows = self.rows;
        let marks = self.marks.get_or_insert_with(|| {
            let mut marks = BooleanBufferBuilder::new(rows);
            marks.append_n(rows, true);
            marks
        });
        marks.set_bit(row, false);
    }

    pub(crate) fn finish(self) -> Option<BooleanBuffer> {
        self.marks.map(|mut marks| marks.finish())
    }
}

/// The approximate number of bytes validated at once, unless one row is longer. They stay in the cache until row
/// boundaries are checked and rows are copied.
pub(crate) const BLOCK: usize = 256 << 10;

fn of_offsets<O: OffsetSizeTrait>(
    column: &Offsets<'_, O>,
    found: &mut dyn FnMut(usize) -> Result<(), ArrowError>,
) -> Result<(), ArrowError> {
    let rows = column.len();
    let mean = (column.start(rows) - column.start(0)) / rows.max(1);
    let step = (BLOCK / mean.max(1)).max(1);
    (0..rows).step_by(step).try_for_each(|first| of_block(column, first..rows.min(first + step), found))
}

fn of_block<O: OffsetSizeTrait>(
    column: &Offsets<'_, O>,
    rows: Range<usize>,
    found: &mut dyn FnMut(usize) -> Result<(), ArrowError>,
) -> Result<(), ArrowError> {
    let (offsets, values) = (column.offsets, column.values.as_slice());
    let end = column.start(rows.end);
    let mut first = rows.start;
    while first < rows.end {
        let start = column.start(first);
        // The end of the well-formed prefix, and the row that contains it.
        let (until, stop) = match utfkit::from_utf8(&values[start..end]) {
            Ok(_) => (end, rows.end),
            Err(error) => {
                let at = start + error.offset();
                (at, row_of(offsets, first, at))
            }
        };
        // The byte at `until` has not been validated; `until` is a boundary in any case.
        let is_inside = |at: usize| at < until && (values[at] as i8) < -64;
        if offsets[first..=stop].iter().fold(false, |any, offset| any | is_inside(offset.as_usize())) {
            for row in first..stop {
                let (start, end) = (column.start(row), column.start(row + 1));
                if start < end && (is_inside(start) || is_inside(end)) {
                    found(row)?;
                }
            }
        }
        if stop < rows.end {
            found(stop)?;
        }
        first = stop + 1;
    }
    Ok(())
}

/// The row, `first` or later, that contains byte `at`. Errors tend to be close to each other, so the search
/// gallops from `first`: a binary search over all offsets would miss the cache at every step.
fn row_of<O: OffsetSizeTrait>(offsets: &[O], first: usize, at: usize) -> usize {
    let mut step = 1;
    while first + step < offsets.len() && offsets[first + step].as_usize() <= at {
        step *= 2;
    }
    let near = first + step / 2;
    let after = (first + step).min(offsets.len());
    near + offsets[near..after].partition_point(|offset| offset.as_usize() <= at) - 1
}

fn of_views(column: &Views<'_>, found: &mut dyn FnMut(usize) -> Result<(), ArrowError>) -> Result<(), ArrowError> {
    // In a buffer that is well-formed as a whole only the row boundaries need a check. Buffers
    // of which a filter has left few rows are not validated as a whole.
    let used: usize = column.views.iter().map(|view| length(*view)).filter(|len| *len > INLINE).sum();
    let is_worth_it = column.buffers.iter().map(|buffer| buffer.len()).sum::<usize>() <= 2 * used;
    let whole: Vec<bool> =
        column.buffers.iter().map(|buffer| is_worth_it && utfkit::from_utf8(buffer).is_ok()).collect();
    let is_inside = |buffer: &[u8], at: usize| buffer.get(at).is_some_and(|byte| (*byte as i8) < -64);
    for (row, view) in column.views.iter().enumerate() {
        let len = length(*view);
        let is_well_formed = if len <= INLINE {
            const HIGH: u128 = 0x8080_8080_8080_8080_8080_8080 << 32;
            view & HIGH == 0 || utfkit::from_utf8(column.row(row)).is_ok()
        } else {
            let (buffer, at) = place(*view);
            if whole[buffer] {
                let buffer = column.buffers[buffer].as_slice();
                !is_inside(buffer, at) && !is_inside(buffer, at + len)
            } else {
                utfkit::from_utf8(column.row(row)).is_ok()
            }
        };
        if !is_well_formed {
            found(row)?;
        }
    }
    Ok(())
}
