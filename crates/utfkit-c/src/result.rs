//! Results of calls.

use engine::{Error, ErrorKind};

/// The outcome of a call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum utfkit_status {
    /// All of the source was read.
    UTFKIT_OK = 0,
    /// The source is ill-formed, or the target lacks a character of it.
    UTFKIT_ILL_FORMED = 1,
    /// The next character does not fit into the destination.
    UTFKIT_NO_SPACE = 2,
    /// An argument is null, not aligned, overlapping or unknown. Nothing was done.
    UTFKIT_INVALID_ARGUMENT = 3,
}

/// The kind of an error. utfkit_kind_name names it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum utfkit_kind {
    /// No error.
    UTFKIT_NO_ERROR = 0,
    /// A continuation byte where a character begins.
    UTFKIT_UNEXPECTED_CONTINUATION = 1,
    /// A lead byte with too few continuation bytes.
    UTFKIT_MISSING_CONTINUATION = 2,
    /// A sequence longer than its value needs.
    UTFKIT_OVERLONG = 3,
    /// A surrogate in UTF-8 or UTF-32.
    UTFKIT_SURROGATE = 4,
    /// A value above U+10FFFF.
    UTFKIT_TOO_LARGE = 5,
    /// A byte that is never part of a text.
    UTFKIT_INVALID_BYTE = 6,
    /// An incomplete sequence at the end of the source.
    UTFKIT_TRUNCATED = 7,
    /// An unpaired surrogate in UTF-16.
    UTFKIT_UNPAIRED_SURROGATE = 8,
    /// A noncharacter, in a standard that refuses it.
    UTFKIT_NONCHARACTER = 9,
    /// Bytes that do not map to a character.
    UTFKIT_INVALID_SEQUENCE = 10,
    /// A shift of UTF-7 without base64.
    UTFKIT_EMPTY_SHIFT = 11,
    /// Base64 that ends inside a code unit.
    UTFKIT_PARTIAL_UNIT = 12,
    /// Base64 with padding bits that are not zero.
    UTFKIT_PADDING_BITS = 13,
    /// Base64 without its end.
    UTFKIT_UNCLOSED_SHIFT = 14,
    /// Base64 for a character that needs none.
    UTFKIT_NEEDLESS_SHIFT = 15,
    /// A character that the target lacks.
    UTFKIT_UNREPRESENTABLE = 16,
    /// An error without a number in this version.
    UTFKIT_OTHER_ERROR = 255,
}

use utfkit_kind::*;
use utfkit_status::*;

/// The result of a call. Numbers are in units of the source and of the destination.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct utfkit_result {
    /// The outcome.
    pub status: utfkit_status,
    /// The kind of the error, if the status is UTFKIT_ILL_FORMED.
    pub kind: utfkit_kind,
    /// The units of the source that were read.
    pub read: usize,
    /// The units that were written, whole characters. The destination after them is unspecified.
    pub written: usize,
    /// The position of the error, or of the character that is lacking or does not fit; the length of the
    /// source if all is well. From a transcoder, it counts from the beginning of the stream.
    pub offset: usize,
    /// The length of that error or character, or 0.
    pub length: usize,
}

impl utfkit_result {
    pub(crate) const INVALID: utfkit_result = utfkit_result {
        status: UTFKIT_INVALID_ARGUMENT,
        kind: UTFKIT_NO_ERROR,
        read: 0,
        written: 0,
        offset: 0,
        length: 0,
    };

    pub(crate) fn ok(read: usize, written: usize) -> utfkit_result {
        utfkit_result { status: UTFKIT_OK, read, written, offset: read, ..utfkit_result::INVALID }
    }

    pub(crate) fn error(error: &Error) -> utfkit_result {
        let (status, kind) = match error.kind() {
            ErrorKind::OutputTooSmall => (UTFKIT_NO_SPACE, UTFKIT_NO_ERROR),
            kind => (UTFKIT_ILL_FORMED, kind.into()),
        };
        let offset = error.offset();
        utfkit_result { status, kind, read: offset, written: error.written(), offset, length: error.len() }
    }
}

impl From<ErrorKind> for utfkit_kind {
    fn from(kind: ErrorKind) -> utfkit_kind {
        match kind {
            ErrorKind::UnexpectedContinuation => UTFKIT_UNEXPECTED_CONTINUATION,
            ErrorKind::MissingContinuation => UTFKIT_MISSING_CONTINUATION,
            ErrorKind::Overlong => UTFKIT_OVERLONG,
            ErrorKind::Surrogate => UTFKIT_SURROGATE,
            ErrorKind::TooLarge => UTFKIT_TOO_LARGE,
            ErrorKind::InvalidByte => UTFKIT_INVALID_BYTE,
            ErrorKind::Truncated => UTFKIT_TRUNCATED,
            ErrorKind::UnpairedSurrogate => UTFKIT_UNPAIRED_SURROGATE,
            ErrorKind::Noncharacter => UTFKIT_NONCHARACTER,
            ErrorKind::InvalidSequence => UTFKIT_INVALID_SEQUENCE,
            ErrorKind::EmptyShift => UTFKIT_EMPTY_SHIFT,
            ErrorKind::PartialUnit => UTFKIT_PARTIAL_UNIT,
            ErrorKind::PaddingBits => UTFKIT_PADDING_BITS,
            ErrorKind::UnclosedShift => UTFKIT_UNCLOSED_SHIFT,
            ErrorKind::NeedlessShift => UTFKIT_NEEDLESS_SHIFT,
            ErrorKind::Unrepresentable => UTFKIT_UNREPRESENTABLE,
            _ => UTFKIT_OTHER_ERROR,
        }
    }
}
