//! The order of texts by code point.
//!
//! UTF-8 sorts by byte. In UTF-16 the surrogates D800–DFFF encode code points above
//! U+FFFF, although they are less than the units E000–FFFF. Only the first place
//! where two texts differ matters.

use core::cmp::Ordering;

/// Compares two texts in UTF-16, in native order, by code point: they sort as they
/// would in UTF-8 and UTF-32, which is not the order of their units.
///
/// An unpaired surrogate counts as the code point D800–DFFF, below U+E000, as in
/// WTF-8.
///
/// ```
/// use std::cmp::Ordering;
///
/// let (a, b) = ([0xFF5E], [0xD83D, 0xDE00]); // U+FF5E, U+1F600
/// assert_eq!(utfkit::compare_utf16(&a, &b), Ordering::Less);
/// assert_eq!(a[..].cmp(&b[..]), Ordering::Greater);
///
/// let unpaired = [0xD83D, 0x61];
/// assert_eq!(utfkit::compare_utf16(&unpaired, &a), Ordering::Less);
/// ```
#[inline]
pub fn compare_utf16(a: &[u16], b: &[u16]) -> Ordering {
    let same = common_prefix(a, b);
    match (a.get(same), b.get(same)) {
        (Some(_), Some(_)) => rank(|at| a.get(at).copied(), same).cmp(&rank(|at| b.get(at).copied(), same)),
        _ => a.len().cmp(&b.len()),
    }
}

/// [`compare_utf16`] for the bytes of UTF-16LE.
///
/// A single byte after the last unit sorts after the end and before every unit;
/// two such bytes are compared as bytes.
///
/// ```
/// use std::cmp::Ordering;
///
/// assert_eq!(utfkit::compare_utf16_le(b"\x5E\xFF", b"\x3D\xD8\x00\xDE"), Ordering::Less);
/// ```
#[inline]
pub fn compare_utf16_le(a: &[u8], b: &[u8]) -> Ordering {
    compare_bytes(a, b, u16::from_le_bytes)
}

/// [`compare_utf16`] for the bytes of UTF-16BE.
///
/// A single byte after the last unit sorts after the end and before every unit;
/// two such bytes are compared as bytes.
///
/// ```
/// use std::cmp::Ordering;
///
/// assert_eq!(utfkit::compare_utf16_be(b"\xFF\x5E", b"\xD8\x3D\xDE\x00"), Ordering::Less);
/// ```
#[inline]
pub fn compare_utf16_be(a: &[u8], b: &[u8]) -> Ordering {
    compare_bytes(a, b, u16::from_be_bytes)
}

#[inline]
fn compare_bytes(a: &[u8], b: &[u8], read: fn([u8; 2]) -> u16) -> Ordering {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks(), b.as_chunks());
    let unit = |units: &[[u8; 2]], at: usize| units.get(at).copied().map(read);
    let same = common_prefix(a, b);
    match (a.get(same), b.get(same)) {
        (Some(_), Some(_)) => rank(|at| unit(a, at), same).cmp(&rank(|at| unit(b, at), same)),
        _ => a.len().cmp(&b.len()).then_with(|| a_rest.cmp(b_rest)),
    }
}

/// The length of the longest common prefix of `a` and `b`.
#[inline]
pub fn common_prefix<T: PartialEq>(a: &[T], b: &[T]) -> usize {
    /// Values compared by one call of `memcmp`.
    const BLOCK: usize = 64;
    let blocks = a.chunks_exact(BLOCK).zip(b.chunks_exact(BLOCK)).take_while(|(a, b)| a == b).count();
    let sure = blocks * BLOCK;
    sure + a[sure..].iter().zip(&b[sure..]).take_while(|(a, b)| a == b).count()
}

/// The rank of the unit at `at`, for a comparison with another text that equals
/// this one before `at` and differs there: in the order of the code points in which
/// the two texts differ.
#[inline]
fn rank(unit: impl Fn(usize) -> Option<u16>, at: usize) -> u32 {
    let here = unit(at).unwrap_or_default();
    let before = at.checked_sub(1).and_then(&unit);
    let after = at.checked_add(1).and_then(&unit);
    let is_high = |unit: Option<u16>| matches!(unit, Some(0xD800..=0xDBFF));
    let is_low = |unit: Option<u16>| matches!(unit, Some(0xDC00..=0xDFFF));
    let is_paired = match here {
        0xD800..=0xDBFF => is_low(after),
        // The texts differ in the code point that begins at the high surrogate
        // before: above U+FFFF here, and an unpaired surrogate where the other
        // text has no low one. If both have one, the units decide; a low
        // surrogate is greater than a high one that begins a pair here.
        0xDC00..=0xDFFF => is_high(before),
        _ => false,
    };
    u32::from(is_paired) << 16 | u32::from(here)
}
