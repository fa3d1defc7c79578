//! The fast scalar codec: a text of few characters, one after the other.
//!
//! A kernel that has to put its first block together takes as long as this takes for some
//! [`MAX`] characters. It is also what tails of longer texts and rare characters go through.
//! Every function agrees with the definitions in [`utf8`](super::utf8) and
//! [`utf16`](super::utf16); the tests compare them character by character.

use super::is_scalar_value;
use super::utf8::is_continuation;
use super::utf16::{is_high, is_low, join};

/// The units of the longest source that this converts faster than a kernel does.
pub const MAX: usize = 8;

/// Converts all of `src` to UTF-16. Returns the units written, or `None` if `src` is ill-formed
/// or `dst` too short.
#[inline(never)]
pub fn utf8_to_utf16(mut src: &[u8], dst: &mut [u16]) -> Option<usize> {
    let mut written = 0;
    while !src.is_empty() {
        if let Some(bytes) = four_ascii(src) {
            *dst.get_mut(written..)?.first_chunk_mut()? = bytes.map(u16::from);
            (src, written) = (&src[4..], written + 4);
            continue;
        }
        let (value, len) = decode_utf8(src)?;
        if value < 0x1_0000 {
            *dst.get_mut(written)? = value as u16;
            written += 1;
        } else {
            let pair = [(0xD7C0 + (value >> 10)) as u16, (0xDC00 | value & 0x3FF) as u16];
            *dst.get_mut(written..)?.first_chunk_mut()? = pair;
            written += 2;
        }
        src = &src[len..];
    }
    Some(written)
}

/// Converts all of `src` to UTF-32. Returns the units written, or `None` if `src` is ill-formed
/// or `dst` too short.
#[inline(never)]
pub fn utf8_to_utf32(mut src: &[u8], dst: &mut [u32]) -> Option<usize> {
    let mut written = 0;
    while !src.is_empty() {
        if let Some(bytes) = four_ascii(src) {
            *dst.get_mut(written..)?.first_chunk_mut()? = bytes.map(u32::from);
            (src, written) = (&src[4..], written + 4);
            continue;
        }
        let (value, len) = decode_utf8(src)?;
        *dst.get_mut(written)? = value;
        written += 1;
        src = &src[len..];
    }
    Some(written)
}

/// Converts all of `src` to UTF-8. Returns the bytes written, or `None` if `src` is ill-formed
/// or `dst` too short.
#[inline(never)]
pub fn utf16_to_utf8(mut src: &[u16], dst: &mut [u8]) -> Option<usize> {
    let (space, mut rest) = (dst.len(), dst);
    while let [..0x80, ..] = src
        && let (Some(units), Some(out)) = (src.first_chunk::<4>(), rest.first_chunk_mut::<4>())
        && units.iter().fold(0, |all, unit| all | unit) < 0x80
    {
        *out = units.map(|unit| unit as u8);
        (src, rest) = (&src[4..], &mut rest[4..]);
    }
    while let [unit, others @ ..] = src {
        let (mut value, mut others) = (u32::from(*unit), others);
        if is_high(*unit) {
            let [second, after @ ..] = others else { return None };
            if !is_low(*second) {
                return None;
            }
            (value, others) = (join(*unit, *second), after);
        } else if is_low(*unit) {
            return None;
        }
        let len = put_utf8(value, rest)?;
        (src, rest) = (others, &mut rest[len..]);
    }
    Some(space - rest.len())
}

/// Converts all of `src`, in which no unit is a surrogate, to UTF-8. Returns the bytes written, or `None` if one is
/// or `dst` is too short.
#[inline(never)]
pub fn ucs2_to_utf8(src: &[u16], dst: &mut [u8]) -> Option<usize> {
    let mut written = 0;
    for unit in src {
        let value = u32::from(*unit);
        if !is_scalar_value(value) {
            return None;
        }
        written += put_utf8(value, &mut dst[written..])?;
    }
    Some(written)
}

/// Converts all of `src` to UTF-8. Returns the bytes written, or `None` if `src` is ill-formed
/// or `dst` too short.
#[inline(never)]
pub fn utf32_to_utf8(mut src: &[u32], dst: &mut [u8]) -> Option<usize> {
    let (space, mut rest) = (dst.len(), dst);
    while let [..0x80, ..] = src
        && let (Some(units), Some(out)) = (src.first_chunk::<4>(), rest.first_chunk_mut::<4>())
        && units.iter().fold(0, |all, unit| all | unit) < 0x80
    {
        *out = units.map(|unit| unit as u8);
        (src, rest) = (&src[4..], &mut rest[4..]);
    }
    for value in src {
        char::from_u32(*value)?;
        let len = put_utf8(*value, rest)?;
        rest = &mut rest[len..];
    }
    Some(space - rest.len())
}

/// The first four bytes, if they are US-ASCII.
#[inline(always)]
fn four_ascii(src: &[u8]) -> Option<[u8; 4]> {
    let bytes = *src.first_chunk()?;
    (u32::from_ne_bytes(bytes) & 0x8080_8080 == 0).then_some(bytes)
}

/// The first character of `src` and its length in bytes; `None` if it is ill-formed or cut (RFC 3629
/// section 4).
#[inline(always)]
pub fn decode_utf8(src: &[u8]) -> Option<(u32, usize)> {
    let tail = |byte: u8| u32::from(byte & 0x3F);
    match *src {
        [one @ ..0x80, ..] => Some((one.into(), 1)),
        [one @ 0xC2..0xE0, two, ..] if is_continuation(two) => Some((u32::from(one & 0x1F) << 6 | tail(two), 2)),
        [one @ 0xE0..0xF0, two, three, ..] if is_continuation(two) & is_continuation(three) => {
            let value = u32::from(one & 0x0F) << 12 | tail(two) << 6 | tail(three);
            ((value >= 0x800) & (value & 0xF800 != 0xD800)).then_some((value, 3))
        }
        [one @ 0xF0..0xF5, two, three, four, ..]
            if is_continuation(two) & is_continuation(three) & is_continuation(four) =>
        {
            let value = u32::from(one & 0x07) << 18 | tail(two) << 12 | tail(three) << 6 | tail(four);
            (0x1_0000..0x11_0000).contains(&value).then_some((value, 4))
        }
        _ => None,
    }
}

/// The UTF-8 of a scalar value, padded with zeros, and its length (RFC 3629 section 3). Computed in
/// one integer, so that it is written by one store.
#[inline(always)]
pub fn encode_utf8(value: u32) -> ([u8; 4], usize) {
    let (bytes, len) = match value {
        0..0x80 => (value, 1),
        0x80..0x800 => (value >> 6 | value << 8 & 0x3F00 | 0x80C0, 2),
        0x800..0x1_0000 => (value >> 12 | value << 2 & 0x3F00 | value << 16 & 0x3F_0000 | 0x80_80E0, 3),
        _ => {
            let (upper, lower) =
                (value >> 18 | value >> 4 & 0x3F00, value << 10 & 0x3F_0000 | value << 24 & 0x3F00_0000);
            (upper | lower | 0x8080_80F0, 4)
        }
    };
    (bytes.to_le_bytes(), len)
}

/// Writes the UTF-8 of a scalar value to the front of `dst`. Returns its length, or `None` if `dst`
/// is too short.
#[inline(always)]
fn put_utf8(value: u32, dst: &mut [u8]) -> Option<usize> {
    let (bytes, len) = encode_utf8(value);
    if let Some(four) = dst.first_chunk_mut() {
        *four = bytes;
    } else {
        let dst = dst.get_mut(..len)?;
        // A copy of variable length would be a call, and cost saved registers.
        for at in 0..3 {
            if at < len {
                dst[at] = bytes[at];
            }
        }
    }
    Some(len)
}
