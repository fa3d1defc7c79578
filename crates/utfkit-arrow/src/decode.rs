//! Decoding and repair of rows.

use arrow_array::{Array, ArrayRef, BooleanArray};
use arrow_schema::ArrowError;
use arrow_select::nullif::nullif;
use utfkit::detect::Basis;
use utfkit::repair::{Options, repair as repaired};
use utfkit::{Encoding, Policy, Practice, Transcoder};

use crate::input::Column;

/// How [`decode`] reads rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decoding {
    /// Every row in this encoding. A BOM is part of the text, except in `UTF-16` and `UTF-32`,
    /// where it chooses the byte order.
    As(Encoding),
    /// UTF-8 where a row is UTF-8, otherwise the encoding that [`detect`](crate::detect()) finds
    /// for this row. Without one the row is decoded as by [`make_valid_utf8`](crate::make_valid_utf8),
    /// and a row that is not text, as an image, becomes null. Short rows give little evidence.
    Detected,
}

/// Decodes each row, with U+FFFD for each maximal subpart that is ill-formed.
///
/// ```
/// use arrow_array::cast::AsArray;
/// use arrow_array::BinaryArray;
/// use utfkit::Encoding;
/// use utfkit_arrow::Decoding;
///
/// let raw = BinaryArray::from(vec![&b"caf\xE9"[..]]);
/// let text = utfkit_arrow::decode(&raw, Decoding::As(Encoding::Latin1))?;
/// assert_eq!(text.as_string::<i32>().value(0), "café");
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
///
/// # Errors
///
/// An array of an unsupported [type](crate#layouts);
/// [`OffsetOverflowError`](ArrowError::OffsetOverflowError) if the text is longer than the offsets of the
/// layout reach.
pub fn decode(array: &dyn Array, decoding: Decoding) -> Result<ArrayRef, ArrowError> {
    match decoding {
        Decoding::As(Encoding::Utf8) => crate::make_valid_utf8(array, Practice::MaximalSubpart),
        Decoding::As(encoding) => {
            let mut reader = Transcoder::new(encoding, Encoding::Utf8, Policy::Replace(Practice::MaximalSubpart));
            Column::of(array)?.mapped(|row, text| {
                reader.reset();
                // The target is UTF-8.
                let _ = reader.transcode_to_string(row, text, true);
                text.as_bytes() != row
            })
        }
        Decoding::Detected => {
            let mut binary = Vec::new();
            let made = Column::of(array)?.mended(|row, bytes, text| {
                let found = utfkit::detect::detect(bytes);
                match found.basis() {
                    Basis::NoText => binary.push(row),
                    _ => text.push_str(&found.encoding().unwrap_or(Encoding::Utf8).decode(bytes).0),
                }
            })?;
            if binary.is_empty() {
                return Ok(made);
            }
            let mut is_binary = vec![false; made.len()];
            binary.into_iter().for_each(|row| is_binary[row] = true);
            nullif(&made, &BooleanArray::from(is_binary))
        }
    }
}

/// Undoes double encoding: UTF-8 that was decoded in another encoding and encoded again. Other
/// rows are returned as by [`make_valid_utf8`](crate::make_valid_utf8).
///
/// ```
/// use arrow_array::cast::AsArray;
/// use arrow_array::StringArray;
///
/// let twice = StringArray::from(vec!["Ã©tÃ© Ã©crit", "été"]);
/// let text = utfkit_arrow::undouble(&twice)?;
/// let text = text.as_string::<i32>();
/// assert_eq!((text.value(0), text.value(1)), ("été écrit", "été"));
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
///
/// # Errors
///
/// An array of an unsupported [type](crate#layouts);
/// [`OffsetOverflowError`](ArrowError::OffsetOverflowError) if the text is longer than the offsets of the
/// layout reach.
pub fn undouble(array: &dyn Array) -> Result<ArrayRef, ArrowError> {
    repair(array, &Options::new().undouble(true))
}

/// Repairs each row with [`utfkit::repair`], which writes U+FFFD for ill-formed sequences unless `options` say
/// otherwise.
///
/// ```
/// use arrow_array::BinaryArray;
/// use arrow_array::cast::AsArray;
/// use utfkit::repair::Options;
///
/// let raw = BinaryArray::from(vec![&b"..\xC0\xAF"[..], b"tea"]);
/// let text = utfkit_arrow::repair(&raw, &Options::new().reinterpret(true))?;
/// assert_eq!(text.as_string::<i32>().value(0), "../");
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
///
/// # Errors
///
/// An array of an unsupported [type](crate#layouts);
/// [`OffsetOverflowError`](ArrowError::OffsetOverflowError) if the text is longer than the offsets of the
/// layout reach.
pub fn repair(array: &dyn Array, options: &Options) -> Result<ArrayRef, ArrowError> {
    let column = Column::of(array)?;
    // Only undoubling changes rows that are UTF-8.
    if !options.wants_evidence() {
        return column.mended(|_, row, text| text.push_str(&repaired(row, options)));
    }
    column.mapped(|row, text| {
        if row.is_ascii() {
            return false;
        }
        text.push_str(&repaired(row, options));
        text.as_bytes() != row
    })
}
