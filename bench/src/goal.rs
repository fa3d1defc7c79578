//! Goals: the lowest acceptable ratio to the best peer for each cell.

use utfkit::isa::Isa;

use crate::text::Class;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Not slower than the best peer.
    Par,
    /// A short input: at most 10 % slower.
    Short,
    /// A million strings, one call each.
    Strings,
    /// A stream: slightly slower than one call for the whole input.
    Stream,
    /// A relative of UTF-8 on text without its special cases, compared with
    /// UTF-8.
    Relative,
    /// UTF-8 by another standard, compared with RFC 3629.
    OtherStandard,
    Validate,
    Utf8ToUtf16,
    Utf8ToUtf32,
    Utf16ToUtf8,
    Utf32ToUtf8,
    ValidateUtf16,
    /// Replacement where one byte in this many is ill-formed.
    Lossy(u32),
}

impl Goal {
    /// Goals for AVX-512 apply unless another instruction set is given. AVX2
    /// has its own for two operations and is otherwise at least on par with
    /// AVX2 peers.
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
