//! What counts as done: the least ratio to the best peer, cell by cell.

use utfkit::isa::Isa;

use crate::text::Class;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Not slower than the best peer.
    Par,
    /// A short input: not slower by more than a tenth.
    Short,
    /// A million strings, one call each.
    Strings,
    /// A stream: little slower than the function that does it at once.
    Stream,
    /// A relative of UTF-8 on text that both write alike: beside UTF-8.
    Relative,
    /// UTF-8 by another standard: beside RFC 3629.
    OtherStandard,
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
    /// Where the targets name no instruction set they are those of AVX-512;
    /// AVX2 has two of its own, and beside its equals utfkit is at least on par.
    pub(crate) fn ratio(self, class: Class, isa: Isa) -> f64 {
        let (ascii, emoji) = (class == Class::Ascii, class == Class::Emoji);
        match (self, isa) {
            (Goal::Short | Goal::Stream, _) => 0.9,
            (Goal::Strings, _) => 1.2,
            (Goal::Relative, _) => 0.8,
            (Goal::OtherStandard, _) => 0.5,
            (_, Isa::Scalar) => 1.0,
            (Goal::Lossy(100), _) if !ascii => 5.0,
            (Goal::Lossy(10), _) if !ascii => 15.0,
            (Goal::Validate | Goal::Utf8ToUtf16 | Goal::Utf8ToUtf32, _) if ascii => 1.0,
            (Goal::Validate, Isa::Avx2) => 1.15,
            (Goal::Utf8ToUtf16, Isa::Avx2) => 1.3,
            (Goal::Validate | Goal::Utf8ToUtf16, Isa::Avx512) => 1.5,
            (Goal::Utf8ToUtf32, Isa::Avx512) => 2.0,
            (Goal::Utf16ToUtf8, Isa::Avx512) if emoji => 1.1,
            (Goal::Utf16ToUtf8, Isa::Avx512) => 1.25,
            (Goal::Utf32ToUtf8, Isa::Avx512) if emoji => 2.0,
            (Goal::Utf32ToUtf8, Isa::Avx512) => 1.2,
            (Goal::ValidateUtf16, Isa::Avx512) if emoji => 3.0,
            _ => 1.0,
        }
    }
}
