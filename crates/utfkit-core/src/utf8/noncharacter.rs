//! The first noncharacter of text that is well-formed.

use crate::engine::kernel::noncharacters::first_end;
use crate::engine::scalar::utf8;
use crate::engine::scalar::{Decoded, Form};
use crate::standard::Standard;

/// Where the first noncharacter begins that `standard` refuses; `None` if there
/// is none, and for a standard that refuses none.
///
/// `well_formed` is well-formed by RFC 3629, and so whole characters; for other
/// bytes the result is any place within them, or `None`.
///
/// Costs less than validation, which has to come first.
#[inline]
pub(crate) fn first_noncharacter(well_formed: &[u8], standard: Standard) -> Option<usize> {
    let end = match standard {
        Standard::Rfc3629 | Standard::Rfc2279 | Standard::Rfc2044 => return None,
        Standard::Kuhn => first_end(well_formed, false),
        Standard::NoNoncharacters => first_end(well_formed, true),
    };
    match end {
        // EF is the lead of three bytes; where there are four, it is none of
        // them.
        Some(end) => end.map(|end| end.saturating_sub(if well_formed[end.saturating_sub(2)] == 0xEF { 2 } else { 3 })),
        None => by_decoder(well_formed, standard),
    }
}

/// The same, value by value.
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
