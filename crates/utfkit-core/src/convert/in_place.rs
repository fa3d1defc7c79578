//! Operations on UTF-16 in place.

use crate::utf8::validate_utf16;
use utfkit_forms::scalar::utf16::is_high;

/// Replaces each unpaired surrogate by U+FFFD, and returns their number:
/// JavaScript's `toWellFormed`, in place. The units are in native order.
///
/// ```
/// let mut units = [0x61, 0xDC00, 0xD83C, 0xDF89, 0xD800];
/// assert_eq!(utfkit::to_well_formed_utf16(&mut units), 2);
/// assert_eq!(units, [0x61, 0xFFFD, 0xD83C, 0xDF89, 0xFFFD]);
/// ```
pub fn to_well_formed_utf16(units: &mut [u16]) -> usize {
    let (mut at, mut count) = (0, 0);
    while let Err(error) = validate_utf16(&units[at..]) {
        at += error.offset();
        units[at] = 0xFFFD;
        at += 1;
        count += 1;
    }
    count
}

/// Reverses the byte order of each unit: UTF-16LE becomes UTF-16BE, and vice versa.
///
/// ```
/// let mut units = [0x0061, 0x20AC];
/// utfkit::swap_utf16_bytes(&mut units);
/// assert_eq!(units, [0x6100, 0xAC20]);
/// ```
#[doc(alias = "change_endianness_utf16")]
pub fn swap_utf16_bytes(units: &mut [u16]) {
    for unit in units {
        *unit = unit.swap_bytes();
    }
}

/// Returns `units` without a high surrogate at the end, whose other half may be in
/// the next chunk.
///
/// ```
/// assert_eq!(utfkit::trim_partial_utf16(&[0x61, 0xD83C]), [0x61]);
/// assert_eq!(utfkit::trim_partial_utf16(&[0x61, 0xD83C, 0xDF89]), [0x61, 0xD83C, 0xDF89]);
/// ```
pub fn trim_partial_utf16(units: &[u16]) -> &[u16] {
    match units {
        [whole @ .., last] if is_high(*last) => whole,
        _ => units,
    }
}
