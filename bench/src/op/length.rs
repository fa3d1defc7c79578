//! Counts, and lengths in another encoding form.

use super::Query;
use super::latin1::latin1;
use crate::goal::Goal;
use crate::peer::{Peer, std};

/// Well-formed, as required by the counts of std.
fn source(text: &str) -> Option<Vec<u8>> {
    Some(text.as_bytes().to_vec())
}

pub(super) const COUNT: Query<u8> = Query {
    name: "count",
    title: "Count the code points of UTF-8",
    goal: Goal::Par,
    source,
    expected: std::count_code_points,
    entries: &[
        (Peer::Utfkit, utfkit::count_code_points),
        (Peer::Std, std::count_code_points),
        (Peer::Simdutf, simdutf::count_utf8),
        (Peer::Bytecount, bytecount::num_chars),
    ],
};

pub(super) const UTF16_FROM_UTF8: Query<u8> = Query {
    name: "len-16-of-8",
    title: "UTF-16 length of UTF-8",
    goal: Goal::Par,
    source,
    expected: std::utf16_len_from_utf8,
    entries: &[
        (Peer::Utfkit, utfkit::utf16_len_from_utf8),
        (Peer::Std, std::utf16_len_from_utf8),
        (Peer::Simdutf, simdutf::utf16_length_from_utf8),
    ],
};

pub(super) const UTF8_FROM_UTF16: Query<u16> = Query {
    name: "len-8-of-16",
    title: "UTF-8 length of UTF-16",
    goal: Goal::Par,
    source: |text| Some(text.encode_utf16().collect()),
    expected: std::utf8_len_from_utf16,
    entries: &[
        (Peer::Utfkit, utfkit::utf8_len_from_utf16),
        (Peer::Std, std::utf8_len_from_utf16),
        (Peer::Simdutf, simdutf::utf8_length_from_utf16),
    ],
};

pub(super) const UTF8_FROM_UTF32: Query<u32> = Query {
    name: "len-8-of-32",
    title: "UTF-8 length of UTF-32",
    goal: Goal::Par,
    source: |text| Some(text.chars().map(u32::from).collect()),
    expected: std::utf8_len_from_utf32,
    entries: &[
        (Peer::Utfkit, utfkit::utf8_len_from_utf32),
        (Peer::Std, std::utf8_len_from_utf32),
        (Peer::Simdutf, simdutf::utf8_length_from_utf32),
    ],
};

pub(super) const UTF8_FROM_LATIN1: Query<u8> = Query {
    name: "len-8-of-latin1",
    title: "UTF-8 length of Latin-1",
    goal: Goal::Par,
    source: latin1,
    expected: std::utf8_len_from_latin1,
    entries: &[
        (Peer::Utfkit, utfkit::utf8_len_from_latin1),
        (Peer::Std, std::utf8_len_from_latin1),
        (Peer::Simdutf, simdutf::utf8_length_from_latin1),
    ],
};
