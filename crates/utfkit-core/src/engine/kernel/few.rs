//! Short sources, a character at a time: what is done before a kernel without masks would
//! be ready.

use super::Otherwise;
use super::short_utf16_to_utf8::blocks;
use crate::engine::scalar::utf8::is_continuation;
use crate::engine::scalar::utf16::{is_high, is_low, join};
use crate::error::Error;

/// As few bytes of UTF-8 are sooner converted here; into UTF-16 only if they begin beyond
/// US-ASCII.
pub(crate) const UTF8: usize = 12;
/// The same into UTF-32 where there are no masks.
pub(crate) const UTF8_TO_UTF32: usize = 24;
/// As few bytes of UTF-16 are.
pub(crate) const UTF16: usize = 30;
/// As few bytes of UTF-32 are.
pub(crate) const UTF32: usize = 28;

/// Converts all of `src` to UTF-16, two bytes of `dst` a unit. Returns the bytes written, or
/// `None` if something is ill-formed or does not fit.
#[inline(always)]
pub(crate) fn utf8_to_utf16(mut src: &[u8], dst: &mut [u8]) -> Option<usize> {
    let (units, _) = dst.as_chunks_mut::<2>();
    let mut written = 0;
    while !src.is_empty() {
        let (value, len) = first(src)?;
        if value < 0x1_0000 {
            *units.get_mut(written)? = (value as u16).to_le_bytes();
            written += 1;
        } else {
            let pair = units.get_mut(written..)?.first_chunk_mut()?;
            *pair = [(0xD7C0 + (value >> 10)) as u16, (0xDC00 | value & 0x3FF) as u16].map(u16::to_le_bytes);
            written += 2;
        }
        src = &src[len..];
    }
    Some(2 * written)
}

/// Converts all of `src` to UTF-32, four bytes of `dst` a unit. Returns the units written, or
/// `None` if something is ill-formed or does not fit.
#[inline(always)]
pub(crate) fn utf8_to_utf32(mut src: &[u8], dst: &mut [u8]) -> Option<usize> {
    let (units, _) = dst.as_chunks_mut();
    let mut written = 0;
    while !src.is_empty() {
        let (value, len) = first(src)?;
        *units.get_mut(written)? = value.to_le_bytes();
        written += 1;
        src = &src[len..];
    }
    Some(written)
}

/// Converts all of `src`, two bytes a unit, to UTF-8. Returns the bytes written.
#[inline(never)]
pub(crate) fn utf16_to_utf8(src: &[u8], dst: &mut [u8], otherwise: Otherwise) -> Result<usize, Error> {
    // Letters of two and three bytes are sooner a register's.
    if src.len() > UTF16 / 2 && matches!(u16::from_le_bytes([src[0], src[1]]), 0x80..0xD800 | 0xE000..) {
        return blocks(src, dst, otherwise);
    }
    match from_utf16(src, dst) {
        Some(written) => Ok(written),
        None => otherwise(src, dst),
    }
}

#[inline(always)]
fn from_utf16(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    let (mut units, _) = src.as_chunks::<2>();
    let (space, mut rest) = (dst.len(), dst);
    while let [unit, others @ ..] = units {
        let unit = u16::from_le_bytes(*unit);
        let (mut value, mut others) = (u32::from(unit), others);
        if unit < 0x80
            && let (Some(own), Some(out)) = (units.as_flattened().first_chunk(), rest.first_chunk_mut())
            && four_ascii(own, out).is_some()
        {
            (units, rest) = (&units[4..], &mut rest[4..]);
            continue;
        }
        if is_high(unit) {
            let [second, after @ ..] = others else { return None };
            let second = u16::from_le_bytes(*second);
            if !is_low(second) {
                return None;
            }
            (value, others) = (join(unit, second), after);
        } else if is_low(unit) {
            return None;
        }
        let len = put(value, rest)?;
        (units, rest) = (others, &mut rest[len..]);
    }
    Some(space - rest.len())
}

/// Converts all of `src`, four bytes a unit, to UTF-8. Returns the bytes written.
#[inline(never)]
pub(crate) fn utf32_to_utf8(src: &[u8], dst: &mut [u8], otherwise: Otherwise) -> Result<usize, Error> {
    match from_utf32(src, dst) {
        Some(written) => Ok(written),
        None => otherwise(src, dst),
    }
}

#[inline(always)]
fn from_utf32(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    let (mut units, _) = src.as_chunks::<4>();
    let (space, mut rest) = (dst.len(), dst);
    while let [unit, others @ ..] = units {
        let value = u32::from_le_bytes(*unit);
        char::from_u32(value)?;
        let len = put(value, rest)?;
        (units, rest) = (others, &mut rest[len..]);
    }
    Some(space - rest.len())
}

/// Writes the character. Returns the bytes that it takes, or `None` if it does not fit.
#[inline(always)]
fn put(value: u32, dst: &mut [u8]) -> Option<usize> {
    let (bytes, len) = bytes_of(value);
    if let Some(four) = dst.first_chunk_mut() {
        *four = bytes;
    } else {
        let dst = dst.get_mut(..len)?;
        // A copy of so many would be a call, for which registers have to be saved.
        for at in 0..3 {
            if at < len {
                dst[at] = bytes[at];
            }
        }
    }
    Some(len)
}

/// The UTF-8 of a scalar value (RFC 3629 section 3), with zeros after it, and its length. By
/// arithmetic on one number, so that it is one store.
#[inline(always)]
pub fn bytes_of(value: u32) -> ([u8; 4], usize) {
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

/// Four units of US-ASCII, or nothing.
#[inline(always)]
fn four_ascii(units: &[u8; 8], out: &mut [u8; 4]) -> Option<()> {
    let units = u64::from_le_bytes(*units);
    if units & 0xFF80_FF80_FF80_FF80 != 0 {
        return None;
    }
    let pairs = (units | units >> 8) & 0x0000_FFFF_0000_FFFF;
    *out = ((pairs | pairs >> 16) as u32).to_le_bytes();
    Some(())
}

/// The first character of `src` and its length, if there is a whole and well-formed one (RFC 3629
/// section 4).
#[inline(always)]
fn first(src: &[u8]) -> Option<(u32, usize)> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::scalar::utf8::Utf8;
    use crate::engine::scalar::{Decoded, Form};

    /// A byte on each side of every border of RFC 3629 section 4.
    const BORDERS: [u8; 21] = [
        0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xEC, 0xED, 0xEF, 0xF0, 0xF3,
        0xF4, 0xF5, 0xFF,
    ];

    #[test]
    fn the_first_character_is_what_the_definition_reads() {
        let mut seen = 0;
        for one in 0..=0xFF {
            for two in BORDERS {
                for rest in BORDERS.iter().flat_map(|three| BORDERS.map(|four| [*three, four])) {
                    let bytes = [one, two, rest[0], rest[1]];
                    for len in 1..=4 {
                        let wanted = match Utf8::decode(&bytes[..len]) {
                            Decoded::Value { value, len } => Some((value, len)),
                            _ => None,
                        };
                        assert_eq!(first(&bytes[..len]), wanted, "{:X?}", &bytes[..len]);
                        seen += usize::from(wanted.is_some());
                    }
                }
            }
        }
        assert!(seen > 100_000, "{seen}");
    }

    #[test]
    fn the_bytes_of_a_character_are_those_of_the_definition() {
        for character in '\0'..=char::MAX {
            let (bytes, len) = bytes_of(character.into());
            let wanted = Utf8::encode(character.into()).expect("a scalar value");
            assert_eq!(&bytes[..len], wanted.as_slice(), "{character:?}");
        }
    }
}
