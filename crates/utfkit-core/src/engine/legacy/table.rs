//! Decoding by a table of what the bytes are, for encodings with a byte a character.

use crate::engine::fast_path::utf16_to_utf8;
use crate::engine::progress::OnError;
use utfkit_forms::scalar::ascii::ascii_prefix;

/// The byte is no character: U+FFFF is a noncharacter.
pub(super) const NOTHING: u16 = 0xFFFF;

/// The bytes that are converted at once: few enough for the first cache.
pub(super) const AT_ONCE: usize = 1024;

/// The bytes of US-ASCII in a row that are worth copying.
const WORTH_COPYING: usize = 64;

/// Copies the US-ASCII at the front, if there is enough to be worth it.
pub(super) fn copy_ascii(src: &[u8], dst: &mut [u8]) -> usize {
    let len = ascii_prefix(&src[..src.len().min(dst.len())]);
    if len < WORTH_COPYING {
        return 0;
    }
    dst[..len].copy_from_slice(&src[..len]);
    len
}

/// Decodes the front of `src` into UTF-16LE, up to a byte that is no character. Returns the bytes
/// read; twice as many are written.
pub(super) fn to_utf16(values: &[u16; 256], src: &[u8], dst: &mut [u8]) -> usize {
    let mut done = 0;
    for (bytes, units) in src.chunks(AT_ONCE).zip(dst.chunks_mut(2 * AT_ONCE)) {
        let len = bytes.len().min(units.len() / 2);
        let certain = look_up(values, &bytes[..len], units.as_chunks_mut().0);
        done += certain;
        if certain < AT_ONCE {
            break;
        }
    }
    done
}

/// Writes the units of `bytes`. Returns how many of the bytes at the front are characters.
fn look_up(values: &[u16; 256], bytes: &[u8], units: &mut [[u8; 2]]) -> usize {
    // Eight at a time: compilers seldom unroll this where they optimise for size.
    let (bytes_by_eight, last_bytes) = bytes.as_chunks::<8>();
    let (units_by_eight, _) = units.as_chunks_mut::<8>();
    let mut undefined = 0;
    for (units, bytes) in units_by_eight.iter_mut().zip(bytes_by_eight) {
        for (unit, byte) in units.iter_mut().zip(bytes) {
            undefined += write(values, *byte, unit);
        }
    }
    for (unit, byte) in units[bytes.len() - last_bytes.len()..].iter_mut().zip(last_bytes) {
        undefined += write(values, *byte, unit);
    }
    match undefined == 0 {
        true => bytes.len(),
        false => bytes.iter().take_while(|byte| values[usize::from(**byte)] != NOTHING).count(),
    }
}

/// Writes the unit of a byte. Returns 1 if it is no character.
#[inline(always)]
fn write(values: &[u16; 256], byte: u8, unit: &mut [u8; 2]) -> u32 {
    let value = values[usize::from(byte)];
    *unit = value.to_le_bytes();
    u32::from(value == NOTHING)
}

/// As [`decode_run`](super::run::decode_run). `is_ascii` says that the bytes below 80 are US-ASCII.
/// The characters go by way of UTF-16, from which there is a kernel.
pub(super) fn to_utf8(values: &[u16; 256], is_ascii: bool, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    let mut units = [[0; 2]; AT_ONCE];
    while read < src.len() {
        let (rest, space) = (&src[read..], &mut dst[written..]);
        let ascii = if is_ascii { copy_ascii(rest, space) } else { 0 };
        if ascii > 0 {
            (read, written) = (read + ascii, written + ascii);
            continue;
        }
        let piece = &rest[..rest.len().min(AT_ONCE)];
        let certain = look_up(values, piece, &mut units);
        let done = utf16_to_utf8(units[..certain].as_flattened(), space, OnError::Stop).unpack();
        (read, written) = (read + done.read / 2, written + done.written);
        if done.read / 2 < piece.len() {
            break;
        }
    }
    (read, written)
}

/// The bytes in UTF-8 of a character of plane 0.
pub(super) fn len_in_utf8(unit: &[u8; 2]) -> usize {
    match u16::from_le_bytes(*unit) {
        0..0x80 => 1,
        0x80..0x800 => 2,
        _ => 3,
    }
}
