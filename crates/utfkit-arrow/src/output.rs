//! String arrays made of rows that are known to be UTF-8. The one file of this
//! crate with `unsafe`: Arrow would validate everything once more.

use std::sync::Arc;

use arrow_array::builder::make_view;
use arrow_array::{ArrayRef, GenericStringArray, OffsetSizeTrait, StringViewArray};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::ArrowError;

use crate::ill_formed::well_formed;
use crate::input::{Column, INLINE, Offsets, Rows, Views};

/// A column, and which of its rows are UTF-8.
pub(crate) struct Judged<'a> {
    column: Column<'a>,
    /// Nothing where all rows are.
    well_formed: Option<BooleanBuffer>,
}

impl<'a> Judged<'a> {
    pub(crate) fn new(column: Column<'a>) -> Judged<'a> {
        let well_formed = well_formed(&column);
        Judged { column, well_formed }
    }

    pub(crate) fn rows(&self) -> &dyn Rows {
        self.column.rows()
    }

    /// Set for each row that is UTF-8; nothing where all are.
    pub(crate) fn well_formed(&self) -> Option<&BooleanBuffer> {
        self.well_formed.as_ref()
    }

    pub(crate) fn is_well_formed(&self, row: usize) -> bool {
        self.well_formed.as_ref().is_none_or(|marks| marks.value(row))
    }

    /// The rows that are not UTF-8, nulls included.
    pub(crate) fn ill_formed(&self) -> impl Iterator<Item = usize> + '_ {
        let rows = self.rows().len();
        self.well_formed.iter().flat_map(move |marks| {
            let mut next = 0;
            marks.set_slices().chain([(rows, rows)]).flat_map(move |(start, end)| {
                let gap = next..start;
                next = end;
                gap
            })
        })
    }

    /// The rows as strings. In the place of each that is not UTF-8 stands what `mend`
    /// appends for it; of a null, nothing. `nulls` are those of the result.
    pub(crate) fn mended(
        &self,
        nulls: Option<NullBuffer>,
        mut mend: impl FnMut(&[u8], &mut String),
    ) -> Result<ArrayRef, ArrowError> {
        let rows = self.rows();
        self.write(self.ill_formed(), nulls, |row, text| {
            if !rows.is_null(row) {
                mend(rows.row(row), text);
            }
            true
        })
    }

    /// The rows as strings. `nulls`, those of the result, hide what stands in the place of each
    /// that is not UTF-8.
    pub(crate) fn blanked(&self, nulls: Option<NullBuffer>) -> Result<ArrayRef, ArrowError> {
        match &self.column {
            Column::Small(column) => blank(OffsetsWriter::new(column), self.ill_formed(), nulls),
            Column::Large(column) => blank(OffsetsWriter::new(column), self.ill_formed(), nulls),
            Column::View(column) => blank(ViewsWriter::new(column), self.ill_formed(), nulls),
        }
    }

    /// The rows as strings, each read by `read`, which says whether it appended
    /// something else than the row. What it appends for a row that is not UTF-8
    /// stands in its place, whatever it says.
    pub(crate) fn mapped(&self, mut read: impl FnMut(&[u8], &mut String) -> bool) -> Result<ArrayRef, ArrowError> {
        let rows = self.rows();
        self.write(0..rows.len(), rows.nulls().cloned(), |row, text| {
            let is_other = !rows.is_null(row) && read(rows.row(row), text);
            is_other || !self.is_well_formed(row)
        })
    }

    /// Asks for the text of each of `replaced`, which must have all rows that are not
    /// UTF-8, in order, and whether it takes the row's place, which it must for those.
    fn write(
        &self,
        replaced: impl Iterator<Item = usize>,
        nulls: Option<NullBuffer>,
        text_of: impl FnMut(usize, &mut String) -> bool,
    ) -> Result<ArrayRef, ArrowError> {
        match &self.column {
            Column::Small(column) => fill(OffsetsWriter::new(column), replaced, nulls, text_of),
            Column::Large(column) => fill(OffsetsWriter::new(column), replaced, nulls, text_of),
            Column::View(column) => fill(ViewsWriter::new(column), replaced, nulls, text_of),
        }
    }
}

fn fill(
    mut writer: impl Writer,
    replaced: impl Iterator<Item = usize>,
    nulls: Option<NullBuffer>,
    mut text_of: impl FnMut(usize, &mut String) -> bool,
) -> Result<ArrayRef, ArrowError> {
    let mut text = String::new();
    for row in replaced {
        text.clear();
        if text_of(row, &mut text) {
            writer.replace(row, &text)?;
        }
    }
    writer.finish(nulls)
}

fn blank(
    mut writer: impl Writer,
    rows: impl Iterator<Item = usize>,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrowError> {
    rows.for_each(|row| writer.blank(row));
    writer.finish(nulls)
}

/// Makes a string array of a column in which some rows are replaced, or some are blanked. Rows that are not
/// must be UTF-8.
trait Writer {
    /// Puts `text` in the place of a row, which comes after those that were replaced before.
    fn replace(&mut self, row: usize, text: &str) -> Result<(), ArrowError>;
    /// Puts some text in the place of a row, which is null in the result.
    fn blank(&mut self, row: usize);
    fn finish(self, nulls: Option<NullBuffer>) -> Result<ArrayRef, ArrowError>;
}

struct OffsetsWriter<'a, O: OffsetSizeTrait> {
    column: &'a Offsets<'a, O>,
    /// The bytes up to row `next`, or, once a row was blanked, those of all rows.
    values: Vec<u8>,
    /// Stays empty while no row is replaced: the rows end where they did.
    offsets: Vec<O>,
    /// The first row that was not written.
    next: usize,
}

impl<'a, O: OffsetSizeTrait> OffsetsWriter<'a, O> {
    fn new(column: &'a Offsets<'a, O>) -> Self {
        OffsetsWriter { column, values: Vec::new(), offsets: Vec::new(), next: 0 }
    }

    /// Writes the rows up to `end` as they are.
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

/// Offsets that are too small for so many bytes are an error.
fn check<O: OffsetSizeTrait>(len: usize) -> Result<(), ArrowError> {
    O::from_usize(len).map(drop).ok_or(ArrowError::OffsetOverflowError(len))
}

impl<O: OffsetSizeTrait> Writer for OffsetsWriter<'_, O> {
    fn replace(&mut self, row: usize, text: &str) -> Result<(), ArrowError> {
        if self.offsets.is_empty() {
            self.values.reserve(self.column.start(self.column.len()) - self.column.start(0) + text.len());
            self.offsets.reserve(self.column.len() + 1);
            self.offsets.push(O::usize_as(0));
        }
        self.keep(row)?;
        self.values.extend_from_slice(text.as_bytes());
        check::<O>(self.values.len())?;
        self.offsets.push(O::usize_as(self.values.len()));
        self.next = row + 1;
        Ok(())
    }

    // Copying all bytes at once and no offset takes half as long as leaving the rows out.
    fn blank(&mut self, row: usize) {
        let first = self.column.start(0);
        if self.values.is_empty() {
            self.values = self.column.values[first..self.column.start(self.column.len())].to_vec();
        }
        self.values[self.column.start(row) - first..self.column.start(row + 1) - first].fill(b' ');
    }

    fn finish(mut self, nulls: Option<NullBuffer>) -> Result<ArrayRef, ArrowError> {
        let rows = self.column.len();
        let (offsets, values) = if rows == 0 {
            // Nobody says that the one offset lies in the buffer: over the C data interface
            // arrow-rs takes none for an empty slice.
            (OffsetBuffer::new_empty(), Buffer::default())
        } else if self.offsets.is_empty() {
            let (first, end) = (self.column.start(0), self.column.start(rows));
            let values = if self.values.is_empty() {
                // Arrow wants the bytes before the first row well-formed too.
                self.column.values.slice_with_length(first, end - first)
            } else {
                Buffer::from_vec(self.values)
            };
            if first == 0 {
                (self.column.offsets.clone(), values)
            } else {
                let moved = |offset: &O| O::usize_as(offset.as_usize() - first);
                (OffsetBuffer::new(self.column.offsets.iter().map(moved).collect()), values)
            }
        } else {
            self.keep(rows)?;
            (OffsetBuffer::new(self.offsets.into()), Buffer::from_vec(self.values))
        };
        // SAFETY: `try_new` has no error here. There is one offset more than there are rows,
        // and `nulls` has one bit for each row. The offsets do not decrease (`OffsetBuffer::new`
        // asserts that for those made here), begin at 0, and the last is the length of `values`. Each
        // row is UTF-8: it was found to be, or spaces or a `str` took the place of one that was
        // not. So all of `values` is UTF-8, and every offset lies between two of its characters.
        let array = unsafe { GenericStringArray::<O>::new_unchecked(offsets, values, nulls) };
        Ok(Arc::new(array))
    }
}

struct ViewsWriter<'a> {
    column: &'a Views<'a>,
    /// All views, once a row was replaced.
    views: Vec<u128>,
    /// Buffers full of what took the place of rows, and the one being filled.
    full: Vec<Buffer>,
    last: Vec<u8>,
}

/// The most that one buffer holds: offsets into it are signed for some readers.
const BUFFER: usize = i32::MAX as usize;

impl<'a> ViewsWriter<'a> {
    fn new(column: &'a Views<'a>) -> Self {
        ViewsWriter { column, views: Vec::new(), full: Vec::new(), last: Vec::new() }
    }
}

impl Writer for ViewsWriter<'_> {
    fn replace(&mut self, row: usize, text: &str) -> Result<(), ArrowError> {
        if self.views.is_empty() {
            self.views = self.column.views.to_vec();
        }
        let too_much = |len: usize| ArrowError::OffsetOverflowError(len);
        if text.len() <= INLINE {
            self.views[row] = make_view(text.as_bytes(), 0, 0);
            return Ok(());
        }
        if text.len() > BUFFER {
            return Err(too_much(text.len()));
        }
        if self.last.len() + text.len() > BUFFER {
            self.full.push(Buffer::from_vec(std::mem::take(&mut self.last)));
        }
        let buffer = u32::try_from(self.column.buffers.len() + self.full.len()).map_err(|_| too_much(text.len()))?;
        let at = u32::try_from(self.last.len()).map_err(|_| too_much(self.last.len()))?;
        self.views[row] = make_view(text.as_bytes(), buffer, at);
        self.last.extend_from_slice(text.as_bytes());
        Ok(())
    }

    fn blank(&mut self, row: usize) {
        if self.views.is_empty() {
            self.views = self.column.views.to_vec();
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
        // SAFETY: `try_new` has no error here. `nulls` has one bit for each row. A view that was there
        // is that of an array, so that it lies in its buffer, whose index has not changed, has its prefix,
        // and zeros after a short row; its row was found to be UTF-8. A view made here is 0, an empty row, or of a
        // `str`, which stands at that place of that buffer.
        let array = unsafe { StringViewArray::new_unchecked(views, buffers, nulls) };
        Ok(Arc::new(array))
    }
}
