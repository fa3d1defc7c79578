//! Which rows are not UTF-8, in one pass over the bytes of all of them.

use std::ops::Range;

use arrow_array::OffsetSizeTrait;
use arrow_buffer::{BooleanBuffer, BooleanBufferBuilder};
use arrow_schema::ArrowError;

use crate::input::{Column, INLINE, Offsets, Rows, Views, length, place};

impl Column<'_> {
    /// Calls `found` for each row that is not UTF-8, in order, until it has an error. A null is judged by
    /// its bytes, which a string array has to have well-formed as well.
    pub(crate) fn ill_formed(&self, found: &mut dyn FnMut(usize) -> Result<(), ArrowError>) -> Result<(), ArrowError> {
        match self {
            Column::Small(column) => of_offsets(column, found),
            Column::Large(column) => of_offsets(column, found),
            Column::View(column) => of_views(column, found),
        }
    }

    /// Set for each row that is UTF-8; nothing where all are.
    pub(crate) fn well_formed(&self) -> Result<Option<BooleanBuffer>, ArrowError> {
        let mut marks = Marks::new(self.rows().len());
        self.ill_formed(&mut |row| {
            marks.clear(row);
            Ok(())
        })?;
        Ok(marks.finish())
    }
}

/// All set, until a row is ill-formed.
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

/// About so many bytes are validated at once, or one row. They are still in the cache when the ends of the rows are
/// looked at, and when they are copied.
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
        // Well-formed up to here, and the row in which that ends.
        let (until, stop) = match utfkit::from_utf8(&values[start..end]) {
            Ok(_) => (end, rows.end),
            Err(error) => {
                let at = start + error.offset();
                (at, row_of(offsets, first, at))
            }
        };
        // What follows `until` is not judged yet, so that it is a boundary whatever stands there.
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

/// The row in which byte `at` lies, `first` or one after it. Where rows are damaged the next is near,
/// and a search through all offsets would wait for memory at every step.
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
    // Of a buffer that is well-formed as a whole only the ends of the rows are looked
    // at. One that few rows are left of, after a filter, is not read.
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
