//! ISO 8859-1 to and from the three encoding forms.

use super::{Conversion, Entry};
use crate::goal::Goal;
use crate::peer::{Peer, encoding_rs, simdutf, std};

/// The text in Latin-1, or an approximation.
///
/// For Latin text, the characters that Latin-1 has. For text of mostly two-byte
/// characters, the other extreme: letters from U+00C0 on in their places.
/// `None` for other texts.
pub(super) fn latin1(text: &str) -> Option<Vec<u8>> {
    let characters = text.chars().count();
    let fits = |c: &char| u32::from(*c) <= 0xFF;
    if text.chars().filter(fits).count() * 100 >= characters * 97 {
        return Some(text.chars().filter(fits).map(|c| c as u8).collect());
    }
    if text.chars().filter(|c| c.len_utf8() > 2).count() * 100 > characters * 5 {
        return None;
    }
    Some(text.chars().map(|c| if fits(&c) { c as u8 } else { 0xC0 | (u32::from(c) & 0x3F) as u8 }).collect())
}

fn wide<D: From<u8>>(src: &[u8]) -> Vec<D> {
    src.iter().map(|&byte| byte.into()).collect()
}

fn utf8(src: &[u8]) -> Vec<u8> {
    src.iter().map(|&byte| char::from(byte)).collect::<String>().into_bytes()
}

pub(super) const TO_UTF8: Conversion<u8, u8> = Conversion {
    name: "latin1-8",
    title: "Latin-1 to UTF-8",
    goal: Goal::Par,
    source: latin1,
    expected: utf8,
    growth: 2,
    entries: &[
        Entry::exact(Peer::Utfkit, |src, dst| utfkit::latin1_to_utf8(src, dst).ok()),
        Entry::exact(Peer::Std, std::latin1_to_utf8),
        Entry::generous(Peer::EncodingRs, encoding_rs::latin1_to_utf8),
        Entry::exact(Peer::Simdutf, simdutf::latin1_to_utf8),
    ],
};

pub(super) const FROM_UTF8: Conversion<u8, u8> = Conversion {
    name: "8-latin1",
    title: "UTF-8 to Latin-1",
    goal: Goal::Par,
    source: |text| latin1(text).map(|bytes| utf8(&bytes)),
    expected: |src| String::from_utf8_lossy(src).chars().map(|c| c as u8).collect(),
    growth: 1,
    entries: &[
        Entry::exact(Peer::Utfkit, |src, dst| utfkit::utf8_to_latin1(src, dst).ok()),
        Entry::exact(Peer::Std, std::utf8_to_latin1),
        Entry::generous(Peer::EncodingRs, encoding_rs::utf8_to_latin1),
        Entry::exact(Peer::Simdutf, simdutf::utf8_to_latin1),
    ],
};

pub(super) const TO_UTF16: Conversion<u8, u16> = Conversion {
    name: "latin1-16",
    title: "Latin-1 to UTF-16",
    goal: Goal::Par,
    source: latin1,
    expected: wide,
    growth: 1,
    entries: &[
        Entry::exact(Peer::Utfkit, |src, dst| utfkit::latin1_to_utf16(src, dst).ok()),
        Entry::exact(Peer::Std, std::widen),
        Entry::exact(Peer::EncodingRs, encoding_rs::latin1_to_utf16),
        Entry::exact(Peer::Simdutf, simdutf::latin1_to_utf16),
    ],
};

pub(super) const FROM_UTF16: Conversion<u16, u8> = Conversion {
    name: "16-latin1",
    title: "UTF-16 to Latin-1",
    goal: Goal::Par,
    source: |text| latin1(text).map(|bytes| wide(&bytes)),
    expected: |src| src.iter().map(|&unit| unit as u8).collect(),
    growth: 1,
    entries: &[
        Entry::exact(Peer::Utfkit, |src, dst| utfkit::utf16_to_latin1(src, dst).ok()),
        Entry::exact(Peer::Std, std::narrow),
        Entry::exact(Peer::EncodingRs, encoding_rs::utf16_to_latin1),
        Entry::exact(Peer::Simdutf, simdutf::utf16_to_latin1),
    ],
};

pub(super) const TO_UTF32: Conversion<u8, u32> = Conversion {
    name: "latin1-32",
    title: "Latin-1 to UTF-32",
    goal: Goal::Par,
    source: latin1,
    expected: wide,
    growth: 1,
    entries: &[
        Entry::exact(Peer::Utfkit, |src, dst| utfkit::latin1_to_utf32(src, dst).ok()),
        Entry::exact(Peer::Std, std::widen),
        Entry::exact(Peer::Simdutf, simdutf::latin1_to_utf32),
    ],
};

pub(super) const FROM_UTF32: Conversion<u32, u8> = Conversion {
    name: "32-latin1",
    title: "UTF-32 to Latin-1",
    goal: Goal::Par,
    source: |text| latin1(text).map(|bytes| wide(&bytes)),
    expected: |src| src.iter().map(|&unit| unit as u8).collect(),
    growth: 1,
    entries: &[
        Entry::exact(Peer::Utfkit, |src, dst| utfkit::utf32_to_latin1(src, dst).ok()),
        Entry::exact(Peer::Std, std::narrow),
        Entry::exact(Peer::Simdutf, simdutf::utf32_to_latin1),
    ],
};
