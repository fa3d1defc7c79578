//! UTF-32 to and from UTF-8 and UTF-16, strict.

use super::{Conversion, Entry};
use crate::goal::Goal;
use crate::peer::{Peer, simdutf, std};

/// The values of a well-formed source.
fn characters(src: &[u32]) -> impl Iterator<Item = char> {
    src.iter().map(|&value| char::from_u32(value).expect("a scalar value"))
}

pub(super) const UTF8_TO_UTF32: Conversion<u8, u32> = Conversion {
    name: "8-32",
    title: "UTF-8 to UTF-32",
    goal: Goal::Utf8ToUtf32,
    source: |text| Some(text.as_bytes().to_vec()),
    expected: |src| String::from_utf8_lossy(src).chars().map(u32::from).collect(),
    growth: 1,
    entries: &[
        Entry::exact(Peer::Utfkit, |src, dst| utfkit::utf8_to_utf32(src, dst).ok()),
        Entry::exact(Peer::Std, std::utf8_to_utf32),
        Entry::exact(Peer::Simdutf, simdutf::utf8_to_utf32),
    ],
};

pub(super) const UTF32_TO_UTF8: Conversion<u32, u8> = Conversion {
    name: "32-8",
    title: "UTF-32 to UTF-8",
    goal: Goal::Utf32ToUtf8,
    source: |text| Some(text.chars().map(u32::from).collect()),
    expected: |src| characters(src).collect::<String>().into_bytes(),
    growth: 4,
    entries: &[
        Entry::exact(Peer::Utfkit, |src, dst| utfkit::utf32_to_utf8(src, dst).ok()),
        Entry::exact(Peer::Std, std::utf32_to_utf8),
        Entry::exact(Peer::Simdutf, simdutf::utf32_to_utf8),
    ],
};

pub(super) const UTF16_TO_UTF32: Conversion<u16, u32> = Conversion {
    name: "16-32",
    title: "UTF-16 to UTF-32",
    goal: Goal::Par,
    source: |text| Some(text.encode_utf16().collect()),
    expected: |src| String::from_utf16_lossy(src).chars().map(u32::from).collect(),
    growth: 1,
    entries: &[
        Entry::exact(Peer::Utfkit, |src, dst| utfkit::utf16_to_utf32(src, dst).ok()),
        Entry::exact(Peer::Std, std::utf16_to_utf32),
        Entry::exact(Peer::Simdutf, simdutf::utf16_to_utf32),
    ],
};

pub(super) const UTF32_TO_UTF16: Conversion<u32, u16> = Conversion {
    name: "32-16",
    title: "UTF-32 to UTF-16",
    goal: Goal::Par,
    source: |text| Some(text.chars().map(u32::from).collect()),
    expected: |src| characters(src).collect::<String>().encode_utf16().collect(),
    growth: 2,
    entries: &[
        Entry::exact(Peer::Utfkit, |src, dst| utfkit::utf32_to_utf16(src, dst).ok()),
        Entry::exact(Peer::Std, std::utf32_to_utf16),
        Entry::exact(Peer::Simdutf, simdutf::utf32_to_utf16),
    ],
};
