//! How a call ended.

use engine::{Error, ErrorKind};

/// How a call ended.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum utfkit_status {
    /// All of the source was taken.
    UTFKIT_OK = 0,
    /// The source is ill-formed, or the target lacks a character of it.
    UTFKIT_ILL_FORMED = 1,
    /// The destination has no space for what comes next.
    UTFKIT_NO_SPACE = 2,
    /// An argument cannot be: null, not aligned, overlapping, or unknown. Nothing was done.
    UTFKIT_INVALID_ARGUMENT = 3,
}

/// What is wrong with a sequence. utfkit_kind_name has a name for each.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum utfkit_kind {
    /// Nothing.
    UTFKIT_NO_ERROR = 0,
    /// A continuation byte where a character begins.
    UTFKIT_UNEXPECTED_CONTINUATION = 1,
    /// A lead byte without all of its continuation bytes.
    UTFKIT_MISSING_CONTINUATION = 2,
    /// More bytes than the value needs.
    UTFKIT_OVERLONG = 3,
    /// A surrogate in UTF-8 or UTF-32.
    UTFKIT_SURROGATE = 4,
    /// A value above U+10FFFF.
    UTFKIT_TOO_LARGE = 5,
    /// A byte that can stand nowhere.
    UTFKIT_INVALID_BYTE = 6,
    /// The source ends inside a sequence that more could complete.
    UTFKIT_TRUNCATED = 7,
    /// A surrogate in UTF-16 without its other half.
    UTFKIT_UNPAIRED_SURROGATE = 8,
    /// A noncharacter, where the standard in use refuses it.
    UTFKIT_NONCHARACTER = 9,
    /// Bytes that together stand for nothing.
    UTFKIT_INVALID_SEQUENCE = 10,
    /// A shift of UTF-7 without base64.
    UTFKIT_EMPTY_SHIFT = 11,
    /// Base64 that ends inside a unit.
    UTFKIT_PARTIAL_UNIT = 12,
    /// Base64 whose padding bits are not zero.
    UTFKIT_PADDING_BITS = 13,
    /// Base64 that is not closed.
    UTFKIT_UNCLOSED_SHIFT = 14,
    /// Base64 where none is allowed.
    UTFKIT_NEEDLESS_SHIFT = 15,
    /// A character that the target lacks.
    UTFKIT_UNREPRESENTABLE = 16,
    /// Something that this version of the interface has no number for.
    UTFKIT_OTHER_ERROR = 255,
}

use utfkit_kind::*;
use utfkit_status::*;

/// What a call did. Numbers are in units of the source and of the destination.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct utfkit_result {
    /// Why it ended.
    pub status: utfkit_status,
    /// What is wrong, if it is UTFKIT_ILL_FORMED.
    pub kind: utfkit_kind,
    /// The units of the source that are dealt with: all, or those before `offset`.
    pub read: usize,
    /// The units that were written: whole characters. What is after them in the
    /// destination is unspecified.
    pub written: usize,
    /// Where the ill-formed sequence begins, or the character that is lacking or
    /// has no space; the length of the source if all is well. Of a transcoder:
    /// counted from the beginning of the stream.
    pub offset: usize,
    /// The length of that sequence or character; 0 if there is none.
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
