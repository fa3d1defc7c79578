//! What counts as done: the least ratio to the best peer, cell by cell.

use utfkit::isa::Isa;

use crate::text::Class;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Not slower than the best peer.
    Par,
    /// A short input: not slower by more than a tenth.
    Short,
    Validate,
    Utf8ToUtf16,
    Utf8ToUtf32,
    Utf16ToUtf8,
    Utf32ToUtf8,
    ValidateUtf16,
    /// Replacement where one byte in so many is bad.
    Lossy(u32),
}

impl Goal {
    pub(crate) fn ratio(self, class: Class, isa: Isa) -> f64 {
        let (ascii, emoji) = (class == Class::Ascii, class == Class::Emoji);
        match self {
            Goal::Par => 1.0,
            Goal::Short => 0.9,
            Goal::Lossy(100) if !ascii => 5.0,
            Goal::Lossy(10) if !ascii => 15.0,
            Goal::Lossy(_) => 1.0,
            Goal::Validate | Goal::Utf8ToUtf16 | Goal::Utf8ToUtf32 if ascii => 1.0,
            _ if isa == Isa::Avx2 => match self {
                Goal::Validate => 1.15,
                Goal::Utf8ToUtf16 => 1.3,
                _ => 1.0,
            },
            Goal::Validate | Goal::Utf8ToUtf16 => 1.5,
            Goal::Utf8ToUtf32 => 2.0,
            Goal::Utf16ToUtf8 => {
                if emoji {
                    1.1
                } else {
                    1.25
                }
            }
            Goal::Utf32ToUtf8 => {
                if emoji {
                    2.0
                } else {
                    1.2
                }
            }
            Goal::ValidateUtf16 => {
                if emoji {
                    3.0
                } else {
                    1.0
                }
            }
        }
    }
}
