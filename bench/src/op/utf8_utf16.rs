//! UTF-8 to UTF-16 and back, strict.

use super::{Conversion, Entry};
use crate::goal::Goal;
#[cfg(target_os = "wasi")]
use crate::peer::node;
use crate::peer::{Peer, encoding_rs, simdutf, std};

pub(super) const UTF8_TO_UTF16: Conversion<u8, u16> = Conversion {
    name: "8-16",
    title: "UTF-8 to UTF-16",
    goal: Goal::Utf8ToUtf16,
    source: |text| Some(text.as_bytes().to_vec()),
    expected: |src| String::from_utf8_lossy(src).encode_utf16().collect(),
    growth: 1,
    entries: &[
        Entry::exact(Peer::Utfkit, |src, dst| utfkit::utf8_to_utf16(src, dst).ok()),
        Entry::exact(Peer::Std, std::utf8_to_utf16),
        Entry::generous(Peer::EncodingRs, encoding_rs::utf8_to_utf16),
        Entry::exact(Peer::Simdutf, simdutf::utf8_to_utf16),
        #[cfg(target_os = "wasi")]
        Entry::exact(Peer::Node, node::utf8_to_utf16),
    ],
};

pub(super) const UTF16_TO_UTF8: Conversion<u16, u8> = Conversion {
    name: "16-8",
    title: "UTF-16 to UTF-8",
    goal: Goal::Utf16ToUtf8,
    source: |text| Some(text.encode_utf16().collect()),
    expected: |src| String::from_utf16_lossy(src).into_bytes(),
    growth: 3,
    entries: &[
        Entry::exact(Peer::Utfkit, |src, dst| utfkit::utf16_to_utf8(src, dst).ok()),
        Entry::exact(Peer::Std, std::utf16_to_utf8),
        Entry::generous(Peer::EncodingRs, encoding_rs::utf16_to_utf8),
        Entry::exact(Peer::Simdutf, simdutf::utf16_to_utf8),
        #[cfg(target_os = "wasi")]
        Entry::exact(Peer::Node, node::utf16_to_utf8),
    ],
};
