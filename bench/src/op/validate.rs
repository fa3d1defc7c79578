//! Validation. The answer is the number of well-formed units.

use super::Query;
use crate::goal::Goal;
use crate::peer::{Peer, encoding_rs, simdutf};

pub(super) const UTF8: Query<u8> = Query {
    name: "validate",
    title: "Validate UTF-8",
    goal: Goal::Validate,
    source: |text| Some(text.as_bytes().to_vec()),
    expected: std,
    entries: &[
        (Peer::Utfkit, |src| utfkit::from_utf8(src).map_or_else(|e| e.valid_up_to(), str::len)),
        (Peer::Std, std),
        (Peer::Simdutf8, |src| simdutf8::basic::from_utf8(src).map_or(usize::MAX, str::len)),
        (Peer::Simdutf8Compat, |src| simdutf8::compat::from_utf8(src).map_or_else(|e| e.valid_up_to(), str::len)),
        (Peer::EncodingRs, encoding_rs::valid_up_to),
        (Peer::Simdutf, simdutf::valid_len),
        (Peer::SimdutfErrors, simdutf::valid_up_to),
    ],
};

fn std(src: &[u8]) -> usize {
    core::str::from_utf8(src).map_or_else(|e| e.valid_up_to(), str::len)
}
