//! The first noncharacter of well-formed text.

use crate::engine::kernel::noncharacters::first_end;
use utfkit_forms::Standard;
use utfkit_forms::scalar::utf8;
use utfkit_forms::scalar::{Decoded, Form};

/// The offset of the first noncharacter that `standard` refuses, if it refuses
/// any.
///
/// `well_formed` is well-formed by RFC 3629; for other bytes the result is an
/// arbitrary offset or `None`. Costs less than validation.
#[inline]
pub(crate) fn first_noncharacter(well_formed: &[u8], standard: Standard) -> Option<usize> {
    if !standard.refuses_noncharacters() {
        return None;
    }
    match first_end(well_formed, standard.refuses(0xFDD0)) {
        // EF is the lead of a three-byte form, but a continuation byte is never
        // EF, so a noncharacter of four bytes has another byte there.
        Some(end) => end.map(|end| end.saturating_sub(if well_formed[end.saturating_sub(2)] == 0xEF { 2 } else { 3 })),
        None => by_decoder(well_formed, standard),
    }
}

/// The portable form of the search.
#[inline]
fn by_decoder(well_formed: &[u8], standard: Standard) -> Option<usize> {
    let mut at = 0;
    while at < well_formed.len() {
        match utf8::Utf8::decode(&well_formed[at..]) {
            Decoded::Value { value, .. } if standard.refuses(value) => return Some(at),
            Decoded::Value { len, .. } => at += len,
            _ => return None,
        }
    }
    None
}
