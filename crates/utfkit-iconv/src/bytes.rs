//! Fast paths of single-byte encodings, by tables that utfkit fills once per encoding.

use std::sync::Mutex;

use utfkit::Encoding;

use crate::charset::Charset;
use crate::units::{self, NOTHING, Units};

/// The tables of a single-byte encoding.
pub struct Bytes {
    /// The character of each byte, or [`NOTHING`].
    values: [u16; 256],
    /// The UTF-8 of each byte and its length, which is 0 if the byte is not mapped.
    utf8: [([u8; 3], u8); 256],
    /// The byte of each character of the Basic Multilingual Plane, or 0.
    bytes: Box<[u8; 0x1_0000]>,
    /// True if each byte below 80 is its US-ASCII character.
    is_ascii: bool,
    /// Bytes below this are the characters of their numbers: 80 as in US-ASCII, 100 as in ISO-8859-1, or 0.
    same: u32,
}

/// The most bytes that go to UTF-8 directly; more go by way of UTF-16.
const SHORT: usize = 256;

/// The bytes of a piece that is copied if it is US-ASCII.
const PIECE: usize = 1024;

impl Bytes {
    /// Returns the tables of `charset`, if it is a single-byte encoding. The first call fills them.
    pub fn of(charset: Charset) -> Option<&'static Bytes> {
        static MADE: Mutex<Vec<(Encoding, &'static Bytes)>> = Mutex::new(Vec::new());
        if !charset.is_single_byte() {
            return None;
        }
        let mut made = MADE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some((_, bytes)) = made.iter().find(|(encoding, _)| *encoding == charset.encoding) {
            return Some(bytes);
        }
        let bytes: &'static Bytes = Box::leak(Box::new(Bytes::learn(charset)));
        made.push((charset.encoding, bytes));
        Some(bytes)
    }

    fn learn(charset: Charset) -> Bytes {
        let mut learned = Bytes {
            values: [NOTHING; 256],
            utf8: [([0; 3], 0); 256],
            bytes: Box::new([0; 0x1_0000]),
            is_ascii: true,
            same: 0,
        };
        for byte in 0..=0xFF {
            let mut unit = [0; 2];
            let is_hole = charset.before_hole(&[byte]) == 0;
            if is_hole || charset.encoding.convert(Encoding::Utf16Le, &[byte], &mut unit) != Ok(2) {
                learned.is_ascii &= byte >= 0x80;
                continue;
            }
            let value = u16::from_le_bytes(unit);
            learned.values[usize::from(byte)] = value;
            learned.is_ascii &= byte >= 0x80 || value == u16::from(byte);
            let (text, len) = &mut learned.utf8[usize::from(byte)];
            *len = Encoding::Utf16Le.convert(Encoding::Utf8, &unit, text).unwrap_or(0) as u8;
            // If two bytes have the same character, one of them is written.
            let mut back = [0; 1];
            if Encoding::Utf16Le.convert(charset.encoding, &unit, &mut back) == Ok(1) {
                learned.bytes[usize::from(value)] = back[0];
            }
        }
        learned.same = match () {
            () if (0..).zip(learned.values).all(|(byte, value)| byte == value) => 0x100,
            () if learned.is_ascii => 0x80,
            () => 0,
        };
        learned
    }

    /// Widens all of `src`, if each byte is the character of its number.
    fn same_as_units(&self, to: Units, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        match self.same {
            0x100 => units::of_latin1(to, src, dst),
            0x80 => units::of_ascii(to, src, dst),
            _ => (0, 0),
        }
    }

    /// Returns the byte of the character `value`.
    #[inline(always)]
    fn byte(&self, value: u32) -> Option<u8> {
        let byte = *self.bytes.get(value as usize)?;
        (byte != 0 || value == 0).then_some(byte)
    }

    /// Converts the front of `src` from this encoding. Returns the bytes read and written.
    pub fn read(&self, to: Other<'_>, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        match to {
            Other::Utf8 => self.to_utf8(src, dst),
            Other::Units(units) => {
                if let (read @ 1.., written) = self.same_as_units(units, src, dst) {
                    return (read, written);
                }
                let count = units::widen(units, src, dst, |byte| self.values[usize::from(byte)]);
                (count, count * units.size())
            }
            Other::Bytes(other) => {
                let both = self.same.min(other.same);
                let len = src.len().min(dst.len());
                if both == 0x100 || (both == 0x80 && src[..len].is_ascii()) {
                    dst[..len].copy_from_slice(&src[..len]);
                    return (len, len);
                }
                let pairs = src.iter().zip(dst.iter_mut());
                let mut count = 0;
                for (from, to) in pairs {
                    let value = self.values[usize::from(*from)];
                    let Some(byte) = other.byte(value.into()).filter(|_| value != NOTHING) else { break };
                    *to = byte;
                    count += 1;
                }
                (count, count)
            }
        }
    }

    fn to_utf8(&self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        if src.len() <= SHORT {
            return self.to_short_utf8(src, dst);
        }
        let widened = |src: &[u8], dst: &mut [u8]| {
            let count = units::widen(Units::Two, src, dst, |byte| self.values[usize::from(byte)]);
            (count, 2 * count)
        };
        let (mut read, mut written) = (0, 0);
        for piece in src.chunks(PIECE) {
            let (taken, made) = match dst[written..].get_mut(..piece.len()) {
                Some(space) if self.is_ascii && piece.is_ascii() => {
                    space.copy_from_slice(piece);
                    (piece.len(), piece.len())
                }
                _ => units::into_utf8(piece, &mut dst[written..], widened),
            };
            (read, written) = (read + taken, written + made);
            if taken < piece.len() {
                break;
            }
        }
        (read, written)
    }

    fn to_short_utf8(&self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        while read < src.len() {
            if self.is_ascii
                && let (Some(block), Some(space)) = (src[read..].first_chunk::<32>(), dst[written..].first_chunk_mut())
                && block.is_ascii()
            {
                *space = *block;
                (read, written) = (read + 32, written + 32);
                continue;
            }
            let block = &src[read..src.len().min(read + 32)];
            for &byte in block {
                let (text, len) = &self.utf8[usize::from(byte)];
                let Some(space) = dst[written..].first_chunk_mut::<3>().filter(|_| *len > 0) else {
                    return (read, written);
                };
                *space = *text;
                written += usize::from(*len);
                read += 1;
            }
        }
        (read, written)
    }

    /// Converts the front of `src` to this encoding. Returns the bytes read and written.
    pub fn write(&self, from: Other<'_>, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        match from {
            Other::Utf8 => self.of_utf8(src, dst),
            Other::Units(units) => {
                if let (read @ 1.., written) = units::to_bytes_below(self.same, units, src, dst) {
                    return (read, written);
                }
                let count = self.of_units(units, src, dst);
                (units.size() * count, count)
            }
            Other::Bytes(other) => other.read(Other::Bytes(self), src, dst),
        }
    }

    #[inline(always)]
    fn of_units(&self, units: Units, src: &[u8], dst: &mut [u8]) -> usize {
        let mut places = dst.iter_mut();
        units::read(units, src, |_, value| match (self.byte(value), places.next()) {
            (Some(byte), Some(place)) => {
                *place = byte;
                true
            }
            _ => false,
        })
    }

    fn of_utf8(&self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        if self.is_ascii
            && let Some(space) = dst.get_mut(..src.len())
            && src.is_ascii()
        {
            space.copy_from_slice(src);
            return (src.len(), src.len());
        }
        units::of_utf8(src, dst, |between, dst| {
            let count = self.of_units(Units::Two, between, dst);
            (2 * count, count)
        })
    }
}

/// The other encoding of a conversion.
#[derive(Clone, Copy)]
pub enum Other<'a> {
    /// UTF-8.
    Utf8,
    /// Units of 2 or 4 bytes.
    Units(Units),
    /// A single-byte encoding.
    Bytes(&'a Bytes),
}
