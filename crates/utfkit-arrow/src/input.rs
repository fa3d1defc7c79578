//! Access to the rows of an array as byte slices, in every layout.

use arrow_array::types::ByteArrayType;
use arrow_array::types::ByteViewType;
use arrow_array::{Array, GenericByteArray, GenericByteViewArray, OffsetSizeTrait};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType};

/// An array of offsets into one buffer.
pub(crate) struct Offsets<'a, O: OffsetSizeTrait> {
    pub(crate) offsets: &'a OffsetBuffer<O>,
    pub(crate) values: &'a Buffer,
    pub(crate) nulls: Option<&'a NullBuffer>,
}

/// An array of views: short rows are stored in the view, others in one of several buffers.
pub(crate) struct Views<'a> {
    pub(crate) views: &'a ScalarBuffer<u128>,
    pub(crate) buffers: &'a [Buffer],
    pub(crate) nulls: Option<&'a NullBuffer>,
}

/// An array in one of the supported layouts.
pub(crate) enum Column<'a> {
    Small(Offsets<'a, i32>),
    Large(Offsets<'a, i64>),
    View(Views<'a>),
}

impl<'a> Column<'a> {
    pub(crate) fn of(array: &'a dyn Array) -> Result<Column<'a>, ArrowError> {
        use arrow_array::cast::AsArray;
        Ok(match array.data_type() {
            DataType::Binary => Column::Small(Offsets::of(array.as_binary::<i32>())),
            DataType::Utf8 => Column::Small(Offsets::of(array.as_string::<i32>())),
            DataType::LargeBinary => Column::Large(Offsets::of(array.as_binary::<i64>())),
            DataType::LargeUtf8 => Column::Large(Offsets::of(array.as_string::<i64>())),
            DataType::BinaryView => Column::View(Views::of(array.as_binary_view())),
            DataType::Utf8View => Column::View(Views::of(array.as_string_view())),
            other => {
                return Err(ArrowError::InvalidArgumentError(format!(
                    "utfkit reads Binary, LargeBinary, BinaryView, Utf8, LargeUtf8 and Utf8View, not {other}"
                )));
            }
        })
    }

    pub(crate) fn rows(&self) -> &dyn Rows {
        match self {
            Column::Small(column) => column,
            Column::Large(column) => column,
            Column::View(column) => column,
        }
    }
}

impl<'a, O: OffsetSizeTrait> Offsets<'a, O> {
    fn of<T: ByteArrayType<Offset = O>>(array: &'a GenericByteArray<T>) -> Offsets<'a, O> {
        Offsets { offsets: array.offsets(), values: array.values(), nulls: array.nulls() }
    }

    /// The offset at which row `row` begins. For `row == len`, the end of the last row.
    pub(crate) fn start(&self, row: usize) -> usize {
        self.offsets[row].as_usize()
    }
}

impl<'a> Views<'a> {
    fn of<T: ByteViewType + ?Sized>(array: &'a GenericByteViewArray<T>) -> Views<'a> {
        Views { views: array.views(), buffers: array.data_buffers(), nulls: array.nulls() }
    }
}

/// The longest row that is stored in its view, in bytes.
pub(crate) const INLINE: usize = 12;

/// The length of the row in bytes.
pub(crate) fn length(view: u128) -> usize {
    view as u32 as usize
}

/// The index of the buffer and the offset in it, for a row longer than [`INLINE`].
pub(crate) fn place(view: u128) -> (usize, usize) {
    ((view >> 64) as u32 as usize, (view >> 96) as usize)
}

pub(crate) trait Rows {
    fn len(&self) -> usize;
    /// The bytes of a row, even if it is null.
    fn row(&self, row: usize) -> &[u8];
    fn nulls(&self) -> Option<&NullBuffer>;

    fn is_null(&self, row: usize) -> bool {
        self.nulls().is_some_and(|nulls| nulls.is_null(row))
    }
}

impl<O: OffsetSizeTrait> Rows for Offsets<'_, O> {
    fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    fn row(&self, row: usize) -> &[u8] {
        &self.values[self.start(row)..self.start(row + 1)]
    }

    fn nulls(&self) -> Option<&NullBuffer> {
        self.nulls
    }
}

impl Rows for Views<'_> {
    fn len(&self) -> usize {
        self.views.len()
    }

    fn row(&self, row: usize) -> &[u8] {
        let view = &self.views[row];
        let len = length(*view);
        if len <= INLINE {
            // The bytes follow the length, which has four.
            let at = row * 16 + 4;
            &self.views.inner()[at..at + len]
        } else {
            let (buffer, at) = place(*view);
            &self.buffers[buffer][at..at + len]
        }
    }

    fn nulls(&self) -> Option<&NullBuffer> {
        self.nulls
    }
}
