//! Rows read in another encoding, or once more.

use arrow_array::{Array, ArrayRef};
use arrow_schema::ArrowError;
use utfkit::repair::{Options, repair as repaired};
use utfkit::{Encoding, Policy, Practice, Transcoder};

use crate::input::Column;

/// How [`decode`] reads rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decoding {
    /// All in one encoding. A BOM is a part of the text, except in `UTF-16` and `UTF-32`,
    /// which are read by it.
    As(Encoding),
    /// Each as it looks: what is UTF-8 as UTF-8, and every other row in the encoding that
    /// [`detect`](crate::detect()) finds in it alone. Where that finds none it becomes what
    /// [`make_valid_utf8`](crate::make_valid_utf8) makes of it. A short row says little of its encoding.
    Detected,
}

/// Each row as text. What is ill-formed becomes U+FFFD, one for each maximal
/// subpart.
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
/// An array of another type than those in the [list](crate#layouts);
/// [`OffsetOverflowError`](ArrowError::OffsetOverflowError) where the text has more bytes than the
/// layout can count.
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
        Decoding::Detected => Column::of(array)?.mended(|row, text| {
            let encoding = utfkit::detect::detect(row).encoding().unwrap_or(Encoding::Utf8);
            text.push_str(&encoding.decode(row).0);
        }),
    }
}

/// Each row as [`make_valid_utf8`](crate::make_valid_utf8) has it, and as it was before where it
/// was UTF-8 that somebody read in another encoding and encoded again.
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
/// An array of another type than those in the [list](crate#layouts);
/// [`OffsetOverflowError`](ArrowError::OffsetOverflowError) where the text has more bytes than the
/// layout can count.
pub fn undouble(array: &dyn Array) -> Result<ArrayRef, ArrowError> {
    repair(array, &Options::new().undouble(true))
}

/// Each row as [`utfkit::repair`] has it: U+FFFD for what is ill-formed, or what `options` ask for.
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
/// An array of another type than those in the [list](crate#layouts);
/// [`OffsetOverflowError`](ArrowError::OffsetOverflowError) where the text has more bytes than the
/// layout can count.
pub fn repair(array: &dyn Array, options: &Options) -> Result<ArrayRef, ArrowError> {
    let column = Column::of(array)?;
    // Only who looks for what was encoded twice changes rows that are UTF-8.
    if !options.wants_evidence() {
        return column.mended(|row, text| text.push_str(&repaired(row, options)));
    }
    column.mapped(|row, text| {
        if row.is_ascii() {
            return false;
        }
        text.push_str(&repaired(row, options));
        text.as_bytes() != row
    })
}
