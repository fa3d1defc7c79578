//! Decoding without vectors, of encodings whose characters are mostly pairs of bytes: each pair is
//! looked up once.

use core::sync::atomic::{AtomicU16, Ordering};

use super::Legacy;
use super::character::{decode, pair};
use super::table::{AT_ONCE, NOTHING, copy_ascii};
use crate::engine::fast_path::utf16_to_utf8;
use crate::engine::progress::OnError;
use utfkit_forms::scalar::{Decoded, LONGEST};

/// The encodings whose characters have up to two bytes, or more in GB 18030.
pub(super) const OF_PAIRS: [Legacy; 6] =
    [Legacy::Big5, Legacy::EucJp, Legacy::EucKr, Legacy::ShiftJis, Legacy::Gbk, Legacy::Gb18030];

/// The place of an encoding in [`OF_PAIRS`].
pub(super) fn place_of_pairs(legacy: Legacy) -> Option<usize> {
    OF_PAIRS.iter().position(|other| *other == legacy)
}

/// The units of pairs, by the lead byte without its highest bit and the trail byte.
static PAIRS: [[AtomicU16; 0x8000]; OF_PAIRS.len()] =
    [const { [const { AtomicU16::new(UNKNOWN) }; 0x8000] }; OF_PAIRS.len()];
/// The units of bytes from 80, or [`LEAD`], or [`NOTHING`].
static BYTES: [[AtomicU16; 0x80]; OF_PAIRS.len()] =
    [const { [const { AtomicU16::new(UNKNOWN) }; 0x80] }; OF_PAIRS.len()];

/// Not asked for yet. No pair is U+0000.
const UNKNOWN: u16 = 0;
/// The byte begins a pair. U+FFFE is a noncharacter.
const LEAD: u16 = 0xFFFE;

pub(super) struct Learned {
    legacy: Legacy,
    bytes: &'static [AtomicU16; 0x80],
    pairs: &'static [AtomicU16; 0x8000],
}

impl Learned {
    /// The tables of `legacy`; `None` if it is not one of [`OF_PAIRS`].
    pub(super) fn new(legacy: Legacy) -> Option<Learned> {
        let at = place_of_pairs(legacy)?;
        Some(Learned { legacy, bytes: &BYTES[at], pairs: &PAIRS[at] })
    }

    /// The unit of a byte from 80, or [`LEAD`], or [`NOTHING`].
    #[inline]
    fn value(&self, byte: u8) -> u16 {
        let entry = &self.bytes[usize::from(byte & 0x7F)];
        // Entries do not depend on each other, and filling one in twice writes the same: no order
        // is needed.
        match entry.load(Ordering::Relaxed) {
            UNKNOWN => byte_value(self.legacy, byte, entry),
            value => value,
        }
    }

    /// Decodes bytes and pairs into units, and stops before a longer or an ill-formed sequence. Returns
    /// the numbers of bytes read and of units.
    fn to_units(&self, src: &[u8], units: &mut [[u8; 2]]) -> (usize, usize) {
        let mut read = 0;
        for (count, unit) in units.iter_mut().enumerate() {
            let Some(&byte) = src.get(read) else { return (read, count) };
            if byte < 0x80 {
                *unit = [byte, 0];
                read += 1;
                continue;
            }
            let mut value = self.value(byte);
            let mut len = 1;
            if value >= LEAD {
                let Some(&trail) = src.get(read + 1).filter(|_| value == LEAD) else { return (read, count) };
                let entry = &self.pairs[usize::from(byte & 0x7F) << 8 | usize::from(trail)];
                value = entry.load(Ordering::Relaxed);
                if value == UNKNOWN {
                    value = pair_value(self.legacy, [byte, trail], entry);
                }
                if value == NOTHING {
                    return (read, count);
                }
                len = 2;
            }
            *unit = value.to_le_bytes();
            read += len;
        }
        (read, units.len())
    }

    /// The character at the front of `src` that is neither a byte nor a pair, and its bytes. Some pairs of
    /// Big5 are two characters.
    #[cold]
    fn long(&self, src: &[u8]) -> Option<(char, Option<char>, usize)> {
        let front = &src[..src.len().min(LONGEST)];
        match decode(self.legacy, front) {
            (Decoded::Value { value, len }, None) => Some((char::from_u32(value)?, None, len)),
            (Decoded::Value { value, len }, Some(second)) => {
                Some((char::from_u32(value)?, Some(char::from_u32(second)?), len + 1))
            }
            _ => None,
        }
    }

    /// Decodes as [`decode_to_utf16`](super::run::decode_to_utf16) says.
    pub(super) fn to_utf16(&self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        loop {
            let (taken, count) = self.to_units(&src[read..], dst[written..].as_chunks_mut().0);
            (read, written) = (read + taken, written + 2 * count);
            let Some((first, second, len)) = self.long(&src[read..]) else { return (read, written) };
            let units = 1 + usize::from(first.len_utf16() > 1 || second.is_some());
            let Some(to) = dst.get_mut(written..written + 2 * units) else { return (read, written) };
            let mut both = [0; 2];
            let all = match second {
                Some(second) => [first as u16, second as u16],
                None => {
                    first.encode_utf16(&mut both);
                    both
                }
            };
            for (to, unit) in to.as_chunks_mut().0.iter_mut().zip(all) {
                *to = unit.to_le_bytes();
            }
            (read, written) = (read + len, written + to.len());
        }
    }

    /// Decodes as [`decode_run`](super::run::decode_run) says, by way of UTF-16, from which there is a kernel.
    pub(super) fn to_utf8(&self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        let mut units = [[0; 2]; AT_ONCE];
        loop {
            let ascii = copy_ascii(&src[read..], &mut dst[written..]);
            (read, written) = (read + ascii, written + ascii);
            let (taken, count) = self.to_units(&src[read..], &mut units);
            let units = units[..count].as_flattened();
            let done = utf16_to_utf8(units, &mut dst[written..], OnError::Stop).unpack();
            written += done.written;
            if done.read < units.len() {
                return (read + self.len_of(&src[read..], done.read / 2), written);
            }
            read += taken;
            if ascii + count > 0 {
                continue;
            }
            let Some((first, second, len)) = self.long(&src[read..]) else { return (read, written) };
            let size = first.len_utf8() + second.map_or(0, char::len_utf8);
            let Some(to) = dst.get_mut(written..written + size) else { return (read, written) };
            let (front, rest) = to.split_at_mut(first.len_utf8());
            first.encode_utf8(front);
            if let Some(second) = second {
                second.encode_utf8(rest);
            }
            (read, written) = (read + len, written + size);
        }
    }

    /// The number of bytes of the first `count` units.
    fn len_of(&self, src: &[u8], count: usize) -> usize {
        let len = |byte: u8| 1 + usize::from(byte >= 0x80 && self.value(byte) == LEAD);
        (0..count).fold(0, |at, _| at + len(src[at]))
    }
}

#[cold]
fn byte_value(legacy: Legacy, byte: u8, entry: &AtomicU16) -> u16 {
    let value = match decode(legacy, &[byte]) {
        (Decoded::Value { value, .. }, None) => u16::try_from(value).unwrap_or(NOTHING),
        (Decoded::Unfinished { .. }, _) => LEAD,
        _ => NOTHING,
    };
    entry.store(value, Ordering::Relaxed);
    value
}

#[cold]
fn pair_value(legacy: Legacy, bytes: [u8; 2], entry: &AtomicU16) -> u16 {
    let value = pair(legacy, bytes).and_then(|value| u16::try_from(value).ok()).unwrap_or(NOTHING);
    entry.store(value, Ordering::Relaxed);
    value
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;
    use crate::engine::legacy::LegacyReader;
    use utfkit_forms::scalar::Reader;

    /// Each byte and each pair is what the reader, which asks the decoder each time, says that it is.
    #[test]
    fn every_byte_and_every_pair_is_what_the_decoder_says() {
        for &legacy in Legacy::ALL {
            let Some(learned) = Learned::new(legacy) else { continue };
            for lead in 0..=0xFF_u8 {
                for trail in 0..=0xFF_u8 {
                    let src = [lead, trail, b'a'];
                    let mut expected = String::new();
                    let mut at = 0;
                    let mut reader = LegacyReader::new(legacy);
                    while at < src.len()
                        && let Decoded::Value { value, len } = reader.decode(&src[at..], false)
                    {
                        expected.extend(char::from_u32(value));
                        at += len;
                    }
                    let expected_units: Vec<u16> = expected.encode_utf16().collect();
                    // Twice: when it is learned and when it is known.
                    for _ in 0..2 {
                        let mut utf16 = [0; 8];
                        let (read, written) = learned.to_utf16(&src, &mut utf16);
                        let units: Vec<u16> =
                            utf16[..written].as_chunks::<2>().0.iter().map(|unit| u16::from_le_bytes(*unit)).collect();
                        assert_eq!((read, &units), (at, &expected_units), "{legacy} {src:X?}");
                        let mut utf8 = [0; 16];
                        let (read, written) = learned.to_utf8(&src, &mut utf8);
                        assert_eq!((read, &utf8[..written]), (at, expected.as_bytes()), "{legacy} {src:X?}");
                    }
                }
            }
        }
    }

    #[test]
    fn too_little_space_ends_a_run_after_a_character() {
        let Some(learned) = Learned::new(Legacy::ShiftJis) else { panic!("Shift_JIS is learned") };
        let src = [&b"abc"[..], &[0x83, 0x65, 0xB1, 0x83, 0x58], &[b'x'; 100], &[0x83, 0x67, 0x83]].concat();
        let text = alloc::format!("abcテｱス{}ト", "x".repeat(100));
        for space in 0..=text.len() {
            let mut dst = vec![0; space];
            let (read, written) = learned.to_utf8(&src, &mut dst);
            let whole = core::str::from_utf8(&dst[..written]).unwrap_or("?");
            assert!(text.starts_with(whole), "{space}");
            let bytes: usize = whole.chars().map(|c| if c.is_ascii() || c == 'ｱ' { 1 } else { 2 }).sum();
            assert_eq!(read, bytes, "{space}");
        }
    }
}
