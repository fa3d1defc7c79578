//! Encodings with states, many characters at once: by way of UTF-16, from and into which there
//! are kernels.
//!
//! Between two changes of state, [`ReadRun`] and [`WriteRun`] convert characters in a loop. The
//! change itself, and whatever else is rare, is a step of the [`Reader`] or the [`Writer`].

use super::fast_path::{utf8_to_utf16, utf16_to_utf8};
use super::progress::OnError;
use utfkit_forms::scalar::utf16::{Utf16, is_high, is_low, join};
use utfkit_forms::scalar::{Decoded, Form, ReadRun, WriteRun};

/// The bytes or units that are converted at once: few enough for the first cache.
const AT_ONCE: usize = 1024;
/// Fewer, for a short text.
const FEW: usize = 256;

/// Reads the front of `src` into units of UTF-16LE, up to an ill-formed or unfinished sequence or a
/// character for which there is no space. Returns the bytes read and the units written.
pub(crate) fn read_units<R: ReadRun>(reader: &mut R, src: &[u8], units: &mut [[u8; 2]]) -> (usize, usize) {
    let (mut read, mut count) = (0, 0);
    loop {
        let (taken, put) = reader.read_run(&src[read..], &mut units[count..]);
        (read, count) = (read + taken, count + put);
        if read >= src.len() {
            return (read, count);
        }
        let mut next = reader.clone();
        let len = match next.decode(&src[read..], false) {
            Decoded::Value { value, len } => {
                let Some(encoded) = Utf16::encode(value) else { return (read, count) };
                let of_value = encoded.as_slice();
                let Some(space) = units.get_mut(count..count + of_value.len()) else { return (read, count) };
                for (to, unit) in space.iter_mut().zip(of_value) {
                    *to = unit.to_le_bytes();
                }
                count += of_value.len();
                len
            }
            Decoded::StateChange { len } => len,
            Decoded::IllFormed { .. } | Decoded::Unfinished { .. } => return (read, count),
        };
        *reader = next;
        read += len;
    }
}

/// Reads the front of `src` as [`read_units`] does, into UTF-8. Returns the bytes read and written.
pub(crate) fn read_utf8<R: ReadRun>(reader: &mut R, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let mut units = [[0; 2]; AT_ONCE];
    let (mut read, mut written) = (0, 0);
    loop {
        let before = reader.clone();
        let (taken, count) = read_units(reader, &src[read..], &mut units);
        let filled = units[..count].as_flattened();
        let done = utf16_to_utf8(filled, &mut dst[written..], OnError::Stop).unpack();
        written += done.written;
        if done.read < filled.len() {
            // No space. The place in the source is found by reading again.
            *reader = before;
            let (taken, _) = read_units(reader, &src[read..], &mut units[..done.read / 2]);
            return (read + taken, written);
        }
        read += taken;
        if taken == 0 || read >= src.len() {
            return (read, written);
        }
    }
}

/// Writes the units of UTF-16LE at the front, up to a lone surrogate or a character that the encoding
/// lacks. For lack of space it may stop a few bytes early. Returns the units taken and the bytes
/// written. The rest of `dst` is unspecified.
pub(crate) fn write_units<W: WriteRun>(writer: &mut W, units: &[[u8; 2]], dst: &mut [u8]) -> (usize, usize) {
    let (mut taken, mut written) = (0, 0);
    while taken < units.len() {
        let (run, put) = writer.write_run(&units[taken..], &mut dst[written..]);
        (taken, written) = (taken + run, written + put);
        let mut next = units[taken..].iter().map(|unit| u16::from_le_bytes(*unit));
        let Some(first) = next.next() else { break };
        let (value, len) = match next.next() {
            _ if !is_high(first) && !is_low(first) => (first.into(), 1),
            Some(second) if is_high(first) && is_low(second) => (join(first, second), 2),
            _ => break,
        };
        // Whatever is written fits, so that no state has to be taken back.
        let Some(space) = dst[written..].first_chunk_mut() else { break };
        let Some(encoded) = writer.encode(value) else { break };
        *space = *encoded.padded();
        taken += len;
        written += encoded.as_slice().len();
    }
    (taken, written)
}

/// Writes the front of `src`, which is UTF-8, as [`write_units`] does, up to an ill-formed or
/// unfinished sequence. Returns the bytes read and written.
pub(crate) fn write_utf8<W: WriteRun>(writer: &mut W, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    // To fill memory that is not needed takes as long as to write a short text.
    if src.len() <= FEW {
        write_by(writer, src, dst, &mut [[0; 2]; FEW])
    } else {
        write_by(writer, src, dst, &mut [[0; 2]; AT_ONCE])
    }
}

/// [`write_utf8`] by way of `units`.
fn write_by<W: WriteRun>(writer: &mut W, src: &[u8], dst: &mut [u8], units: &mut [[u8; 2]]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        let piece = &src[read..src.len().min(read + units.len())];
        let done = utf8_to_utf16(piece, units.as_flattened_mut(), OnError::Stop).unpack();
        let all = &units[..done.written / 2];
        let (taken, put) = write_units(writer, all, &mut dst[written..]);
        written += put;
        if taken < all.len() {
            return (read + all[..taken].iter().map(len_in_utf8).sum::<usize>(), written);
        }
        read += done.read;
        if done.read == 0 {
            return (read, written);
        }
    }
}

/// The bytes in UTF-8 of a unit: two for each half of a pair.
fn len_in_utf8(unit: &[u8; 2]) -> usize {
    match u16::from_le_bytes(*unit) {
        0..0x80 => 1,
        0x80..0x800 | 0xD800..0xE000 => 2,
        _ => 3,
    }
}
