//! Validation. The result is the number of well-formed units.

use super::Query;
use crate::goal::Goal;
use crate::peer::{Peer, encoding_rs, simdutf, std};

pub(super) const UTF8: Query<u8> = Query {
    name: "validate",
    title: "Validate UTF-8",
    goal: Goal::Validate,
    source: |text| Some(text.as_bytes().to_vec()),
    expected: utf8_by_std,
    entries: &[
        (Peer::Utfkit, |src| utfkit::from_utf8(src).map_or_else(|e| e.valid_up_to(), str::len)),
        (Peer::Std, utf8_by_std),
        (Peer::Simdutf8, |src| simdutf8::basic::from_utf8(src).map_or(usize::MAX, str::len)),
        (Peer::Simdutf8Compat, |src| simdutf8::compat::from_utf8(src).map_or_else(|e| e.valid_up_to(), str::len)),
        (Peer::EncodingRs, encoding_rs::valid_up_to),
        (Peer::Simdutf, simdutf::valid_len),
        (Peer::SimdutfErrors, simdutf::valid_up_to),
    ],
};

fn utf8_by_std(src: &[u8]) -> usize {
    core::str::from_utf8(src).map_or_else(|e| e.valid_up_to(), str::len)
}

pub(super) const UTF16: Query<u16> = Query {
    name: "validate-16",
    title: "Validate UTF-16",
    goal: Goal::ValidateUtf16,
    source: |text| Some(text.encode_utf16().collect()),
    expected: std::utf16_valid_len,
    entries: &[
        (Peer::Utfkit, |src| utfkit::validate_utf16(src).map_or_else(|e| e.valid_up_to(), |()| src.len())),
        (Peer::Std, std::utf16_valid_len),
        (Peer::EncodingRs, encoding_rs::utf16_valid_up_to),
        (Peer::Simdutf, simdutf::utf16_valid_len),
    ],
};

pub(super) const UTF32: Query<u32> = Query {
    name: "validate-32",
    title: "Validate UTF-32",
    goal: Goal::Par,
    source: |text| Some(text.chars().map(u32::from).collect()),
    expected: std::utf32_valid_len,
    entries: &[
        (Peer::Utfkit, |src| utfkit::validate_utf32(src).map_or_else(|e| e.valid_up_to(), |()| src.len())),
        (Peer::Std, std::utf32_valid_len),
        (Peer::Simdutf, simdutf::utf32_valid_len),
    ],
};
