//! Builds string arrays from rows that are known to be UTF-8. The only file of this
//! crate with `unsafe`, which avoids a second validation by Arrow.

use std::sync::Arc;

use arrow_array::builder::make_view;
use arrow_array::{ArrayRef, GenericStringArray, OffsetSizeTrait, StringViewArray};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::ArrowError;

use crate::ill_formed::{BLOCK, Marks};
use crate::input::{Column, INLINE, Offsets, Rows, Views};

impl Column<'_> {
    /// The rows as strings. A row that is not UTF-8 is replaced by the text that `mend`, which gets
    /// its number too, appends for it, or by nothing if it is null.
    pub(crate) fn mended(&self, mut mend: impl FnMut(usize, &[u8], &mut String)) -> Result<ArrayRef, ArrowError> {
        let rows = self.rows();
        self.replaced(
            |replace| self.ill_formed(replace),
            |row, text| {
                if !rows.is_null(row) {
                    mend(row, rows.row(row), text);
                }
                true
            },
        )
    }

    /// The rows as strings, decoded by `read`, which returns true if the text that it appends
    /// differs from the row. The text replaces the row then, and also if the row is not UTF-8.
    pub(crate) fn mapped(&self, mut read: impl FnMut(&[u8], &mut String) -> bool) -> Result<ArrayRef, ArrowError> {
        let rows = self.rows();
        let marks = self.well_formed()?;
        self.replaced(
            |replace| (0..rows.len()).try_for_each(replace),
            |row, text| {
                let is_other = !rows.is_null(row) && read(rows.row(row), text);
                is_other || marks.as_ref().is_some_and(|marks| !marks.value(row))
            },
        )
    }

    /// The rows as strings. `rows` calls its argument for each row that may be replaced, in order, including all
    /// that are not UTF-8. `text_of` appends the text and returns true if it replaces the row, which it must for a row
    /// that is not UTF-8.
    fn replaced(
        &self,
        rows: impl FnOnce(&mut dyn FnMut(usize) -> Result<(), ArrowError>) -> Result<(), ArrowError>,
        text_of: impl FnMut(usize, &mut String) -> bool,
    ) -> Result<ArrayRef, ArrowError> {
        let nulls = self.rows().nulls().cloned();
        match self {
            Column::Small(column) => replace(OffsetsWriter::new(column), nulls, rows, text_of),
            Column::Large(column) => replace(OffsetsWriter::new(column), nulls, rows, text_of),
            Column::View(column) => replace(ViewsWriter::new(column), nulls, rows, text_of),
        }
    }

    /// The rows as strings, null for each that is not UTF-8. Stops if `refuse` returns an error for such a row.
    pub(crate) fn blanked(&self, refuse: impl FnMut(usize) -> Result<(), ArrowError>) -> Result<ArrayRef, ArrowError> {
        match self {
            Column::Small(column) => blank(OffsetsWriter::new(column), self, refuse),
            Column::Large(column) => blank(OffsetsWriter::new(column), self, refuse),
            Column::View(column) => blank(ViewsWriter::new(column), self, refuse),
        }
    }
}

fn replace(
    mut writer: impl Writer,
    nulls: Option<NullBuffer>,
    rows: impl FnOnce(&mut dyn FnMut(usize) -> Result<(), ArrowError>) -> Result<(), ArrowError>,
    mut text_of: impl FnMut(usize, &mut String) -> bool,
) -> Result<ArrayRef, ArrowError> {
    let mut text = String::new();
    rows(&mut |row| {
        text.clear();
        if text_of(row, &mut text) { writer.replace(row, &text) } else { Ok(()) }
    })?;
    writer.finish(nulls)
}

fn blank(
    mut writer: impl Writer,
    column: &Column<'_>,
    mut refuse: impl FnMut(usize) -> Result<(), ArrowError>,
) -> Result<ArrayRef, ArrowError> {
    let rows = column.rows();
    let mut marks = Marks::new(rows.len());
    column.ill_formed(&mut |row| {
        refuse(row)?;
        marks.clear(row);
        writer.blank(row);
        Ok(())
    })?;
    let marks = marks.finish().map(NullBuffer::new);
    writer.finish(NullBuffer::union(rows.nulls(), marks.as_ref()))
}

/// An empty vector with capacity for `len` values. Page faults dominate the cost of filling a large one, so this
/// asks for huge pages where the system has them.
fn reserved<T>(len: usize) -> Vec<T> {
    let vector = Vec::with_capacity(len);
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 2 << 20;
        let begin = (vector.as_ptr() as usize).next_multiple_of(PAGE);
        let pages = (vector.as_ptr() as usize + vector.capacity() * size_of::<T>()).saturating_sub(begin) / PAGE;
        if pages > 0 {
            // SAFETY: the pages lie in the vector's own memory, and the advice does not change its content. A
            // failure is harmless.
            unsafe { libc::madvise(begin as *mut libc::c_void, pages * PAGE, libc::MADV_HUGEPAGE) };
        }
    }
    vector
}

fn copy<T: Copy>(values: &[T]) -> Vec<T> {
    let mut copy = reserved(values.len());
    copy.extend_from_slice(values);
    copy
}

/// Builds a string array from a column, with some rows replaced or blanked. All other rows must be UTF-8.
trait Writer {
    /// Replaces a row, which must come after all rows replaced before.
    fn replace(&mut self, row: usize, text: &str) -> Result<(), ArrowError>;
    /// Overwrites a row, which must come after all rows blanked before and is null in the result.
    fn blank(&mut self, row: usize);
    fn finish(self, nulls: Option<NullBuffer>) -> Result<ArrayRef, ArrowError>;
}

struct OffsetsWriter<'a, O: OffsetSizeTrait> {
    column: &'a Offsets<'a, O>,
    /// The bytes up to row `next`, or, when blanking, up to the last blanked row or somewhat further.
    values: Vec<u8>,
    /// Empty if no row was replaced, so that the offsets are unchanged.
    offsets: Vec<O>,
    /// The first row that has not been written.
    next: usize,
}

impl<'a, O: OffsetSizeTrait> OffsetsWriter<'a, O> {
    fn new(column: &'a Offsets<'a, O>) -> Self {
        OffsetsWriter { column, values: Vec::new(), offsets: Vec::new(), next: 0 }
    }

    /// Copies the rows from `next` to `end`.
    fn keep(&mut self, end: usize) -> Result<(), ArrowError> {
        let (from, to) = (self.column.start(self.next), self.column.start(end));
        let begin = self.values.len();
        self.values.extend_from_slice(&self.column.values[from..to]);
        check::<O>(self.values.len())?;
        let moved = |offset: &O| O::usize_as(offset.as_usize() - from + begin);
        self.offsets.extend(self.column.offsets[self.next + 1..=end].iter().map(moved));
        self.next = end;
        Ok(())
    }
}

/// Fails if an offset of type `O` cannot hold `len`.
fn check<O: OffsetSizeTrait>(len: usize) -> Result<(), ArrowError> {
    O::from_usize(len).map(drop).ok_or(ArrowError::OffsetOverflowError(len))
}

impl<O: OffsetSizeTrait> Writer for OffsetsWriter<'_, O> {
    fn replace(&mut self, row: usize, text: &str) -> Result<(), ArrowError> {
        if self.offsets.is_empty() {
            // U+FFFD is longer than the bytes that it replaces: an eighth more seldom has to be reallocated.
            let bytes = self.column.start(self.column.len()) - self.column.start(0);
            self.values = reserved(bytes + bytes / 8 + text.len());
            self.offsets = reserved(self.column.len() + 1);
            self.offsets.push(O::usize_as(0));
        }
        self.keep(row)?;
        self.values.extend_from_slice(text.as_bytes());
        check::<O>(self.values.len())?;
        self.offsets.push(O::usize_as(self.values.len()));
        self.next = row + 1;
        Ok(())
    }

    // The row keeps its length, so the offsets are shared. The bytes are copied, a block ahead.
    fn blank(&mut self, row: usize) {
        let (first, last) = (self.column.start(0), self.column.start(self.column.len()));
        if self.values.is_empty() {
            self.values = reserved(last - first);
        }
        let end = self.column.start(row + 1) - first;
        if self.values.len() < end {
            let ahead = last.min(first + end + BLOCK);
            self.values.extend_from_slice(&self.column.values[first + self.values.len()..ahead]);
        }
        self.values[self.column.start(row) - first..end].fill(b' ');
    }

    fn finish(mut self, nulls: Option<NullBuffer>) -> Result<ArrayRef, ArrowError> {
        let rows = self.column.len();
        let (offsets, values) = if rows == 0 {
            // The single offset may lie outside of the buffer: arrow-rs imports an empty slice
            // over the C data interface without a buffer.
            (OffsetBuffer::new_empty(), Buffer::default())
        } else if self.offsets.is_empty() {
            let (first, end) = (self.column.start(0), self.column.start(rows));
            let values = if self.values.is_empty() {
                // Arrow requires the bytes before the first row to be well-formed too.
                self.column.values.slice_with_length(first, end - first)
            } else {
                self.values.extend_from_slice(&self.column.values[first + self.values.len()..end]);
                Buffer::from_vec(self.values)
            };
            if first == 0 {
                (self.column.offsets.clone(), values)
            } else {
                let moved = |offset: &O| O::usize_as(offset.as_usize() - first);
                self.offsets = reserved(rows + 1);
                self.offsets.extend(self.column.offsets.iter().map(moved));
                (OffsetBuffer::new(self.offsets.into()), values)
            }
        } else {
            self.keep(rows)?;
            (OffsetBuffer::new(self.offsets.into()), Buffer::from_vec(self.values))
        };
        // SAFETY: the conditions of `try_new` hold. There is one offset more than there are rows,
        // and `nulls` has one bit for each row. The offsets do not decrease (`OffsetBuffer::new`
        // asserts that for those made here), begin at 0, and the last is the length of `values`. Each
        // row was found to be UTF-8, or was replaced by spaces or a `str`. So all of `values` is
        // UTF-8, and every offset is a character boundary.
        let array = unsafe { GenericStringArray::<O>::new_unchecked(offsets, values, nulls) };
        Ok(Arc::new(array))
    }
}

struct ViewsWriter<'a> {
    column: &'a Views<'a>,
    /// Empty until a row is replaced or blanked, then all views.
    views: Vec<u128>,
    /// Full buffers of replaced rows, and the buffer being filled.
    full: Vec<Buffer>,
    last: Vec<u8>,
}

/// The longest replacement of a row: some readers treat offsets into a buffer as signed.
const BUFFER: usize = i32::MAX as usize;
/// The least and greatest capacity of a buffer; each has twice the capacity of the one before. A longer row gets a
/// buffer of its own length.
const CAPACITIES: (usize, usize) = (8 << 10, 16 << 20);

impl<'a> ViewsWriter<'a> {
    fn new(column: &'a Views<'a>) -> Self {
        ViewsWriter { column, views: Vec::new(), full: Vec::new(), last: Vec::new() }
    }
}

impl Writer for ViewsWriter<'_> {
    fn replace(&mut self, row: usize, text: &str) -> Result<(), ArrowError> {
        if self.views.is_empty() {
            self.views = copy(self.column.views);
        }
        let too_much = |len: usize| ArrowError::OffsetOverflowError(len);
        if text.len() <= INLINE {
            self.views[row] = make_view(text.as_bytes(), 0, 0);
            return Ok(());
        }
        if text.len() > BUFFER {
            return Err(too_much(text.len()));
        }
        if self.last.len() + text.len() > self.last.capacity() {
            let capacity = (2 * self.last.capacity()).clamp(CAPACITIES.0, CAPACITIES.1).max(text.len());
            let full = std::mem::replace(&mut self.last, reserved(capacity));
            if !full.is_empty() {
                self.full.push(Buffer::from_vec(full));
            }
        }
        let buffer = u32::try_from(self.column.buffers.len() + self.full.len()).map_err(|_| too_much(text.len()))?;
        let at = u32::try_from(self.last.len()).map_err(|_| too_much(self.last.len()))?;
        self.views[row] = make_view(text.as_bytes(), buffer, at);
        self.last.extend_from_slice(text.as_bytes());
        Ok(())
    }

    fn blank(&mut self, row: usize) {
        if self.views.is_empty() {
            self.views = copy(self.column.views);
        }
        self.views[row] = 0;
    }

    fn finish(mut self, nulls: Option<NullBuffer>) -> Result<ArrayRef, ArrowError> {
        let views = if self.views.is_empty() {
            self.column.views.clone()
        } else {
            if !self.last.is_empty() {
                self.full.push(Buffer::from_vec(self.last));
            }
            ScalarBuffer::from(self.views)
        };
        let buffers: Arc<[Buffer]> = self.column.buffers.iter().cloned().chain(self.full).collect();
        // SAFETY: the conditions of `try_new` hold. `nulls` has one bit for each row. A view of the input is
        // valid, because it comes from an array and the index of its buffer has not changed; its row was found to be
        // UTF-8. A view made here is 0, which is an empty row, or was made by `make_view` from a `str`, which is at
        // this place of this buffer if it is long.
        let array = unsafe { StringViewArray::new_unchecked(views, buffers, nulls) };
        Ok(Arc::new(array))
    }
}
