//! A code page: a table of what its bytes are, and the way back.
//!
//! The way back is derived from the table when this is compiled. Code points
//! that differ in their last five bits alone are a *group*; most code pages have
//! ten to twenty. Each group has a place among the slots where its members do
//! not collide with members of another:
//!
//! ```text
//! code point   yyyyyyyyyyyxxxxx
//! group        yyyyyyyyyyy        folded to six bits, by a factor with which
//!                                 no two members of the page meet
//! slot         starts[folded] + xxxxx
//! byte         slots[slot], if values[byte] is the code point
//! ```
//!
//! So a character costs three loads and one comparison, whether the page has it
//! or not, and a page less than 900 bytes.

use super::lacking::Run;
use super::table::{self, AT_ONCE, NOTHING, len_in_utf8};
use crate::engine::fast_path::utf8_to_utf16;
use crate::engine::progress::OnError;
use crate::engine::progress::OnLacking;

/// The bits of a code point within its group, and the bits of a folded group.
const WITHIN: u32 = 5;
const FOLDED: u32 = 6;

/// The highest start, plus a group.
const SLOTS: usize = 256 + (1 << WITHIN);

/// The code pages, written by `data/code_pages.py`. A record is the name, filled up
/// with zeros, and the code points of the 256 bytes in 16 bits each, little-endian.
const DATA: &[u8] = include_bytes!("../../../data/code_pages.bin");
const NAME: usize = 16;
const RECORD: usize = NAME + 2 * 256;

/// True if the record at `at` has this name. There is no record after the last one:
/// a name that does not exist fails to compile.
const fn is_name(at: usize, name: &[u8]) -> bool {
    let mut i = 0;
    while i < name.len() {
        if DATA[at + i] != name[i] {
            return false;
        }
        i += 1;
    }
    DATA[at + i] == 0
}

#[derive(Debug)]
pub(super) struct Page {
    /// The code points of all bytes, below U+FFFF.
    values: [u16; 256],
    /// True if the bytes below 80 are US-ASCII, which then takes no slots.
    is_ascii: bool,
    factor: u16,
    starts: [u8; 1 << FOLDED],
    slots: [u8; SLOTS],
}

impl Page {
    /// The page with this name in [`DATA`].
    pub(super) const fn named(name: &str) -> Page {
        let mut record = 0;
        while !is_name(record, name.as_bytes()) {
            record += RECORD;
            assert!(record < DATA.len(), "the page is not in code_pages.bin: run data/code_pages.py --write");
        }
        let (mut values, mut byte, mut is_ascii) = ([0; 256], 0, true);
        while byte < values.len() {
            let at = record + NAME + 2 * byte;
            values[byte] = u16::from_le_bytes([DATA[at], DATA[at + 1]]);
            is_ascii &= byte >= 128 || values[byte] == byte as u16;
            byte += 1;
        }
        Page::with(values, is_ascii)
    }

    const fn with(values: [u16; 256], is_ascii: bool) -> Page {
        let mut factor = 0;
        loop {
            let page = Page { values, is_ascii, factor, starts: [0; 1 << FOLDED], slots: [0; SLOTS] };
            if let Some(page) = page.placed() {
                return page;
            }
            factor += 1;
            assert!(factor < 1 << FOLDED, "no factor keeps the code points of the page apart");
        }
    }

    /// With its groups among the slots, if no two code points meet and all find
    /// a place.
    const fn placed(mut self) -> Option<Page> {
        // Which members each folded group has.
        let mut members = [0_u32; 1 << FOLDED];
        let mut byte = self.first();
        while byte < 256 {
            let value = self.values[byte];
            if value != NOTHING {
                let (group, within) = self.group(value);
                if members[group] >> within & 1 == 1 {
                    return None;
                }
                members[group] |= 1 << within;
            }
            byte += 1;
        }
        // The first place where all of them fit.
        let mut taken = [false; SLOTS];
        let mut group = 0;
        while group < members.len() {
            let mut start = 0;
            while !fits(&taken, start, members[group]) {
                start += 1;
                if start == 256 {
                    return None;
                }
            }
            self.starts[group] = start as u8;
            let mut within = 0;
            while within < 1 << WITHIN {
                taken[start + within] |= members[group] >> within & 1 == 1;
                within += 1;
            }
            group += 1;
        }
        let mut byte = self.first();
        while byte < 256 {
            let value = self.values[byte];
            if value != NOTHING {
                let (group, within) = self.group(value);
                self.slots[self.starts[group] as usize + within] = byte as u8;
            }
            byte += 1;
        }
        Some(self)
    }

    /// The first byte among the slots.
    const fn first(&self) -> usize {
        if self.is_ascii { 128 } else { 0 }
    }

    /// The folded group of a code point, and its place in there.
    #[inline(always)]
    const fn group(&self, value: u16) -> (usize, usize) {
        let group = value >> WITHIN;
        let folded = group.wrapping_add((group >> FOLDED).wrapping_mul(self.factor)) & ((1 << FOLDED) - 1);
        (folded as usize, (value & ((1 << WITHIN) - 1)) as usize)
    }

    /// True if the bytes below 80 are US-ASCII, and US-ASCII has no other bytes.
    pub(super) const fn is_ascii(&self) -> bool {
        self.is_ascii
    }

    /// The code point of `byte`.
    pub(super) fn value(&self, byte: u8) -> Option<u32> {
        let value = self.values[usize::from(byte)];
        (value != NOTHING).then_some(value.into())
    }

    /// The byte of the code point `value`.
    pub(super) fn byte(&self, value: u32) -> Option<u8> {
        self.byte_of_unit(u16::try_from(value).ok()?)
    }

    #[inline(always)]
    fn byte_of_unit(&self, value: u16) -> Option<u8> {
        if self.is_ascii && value < 0x80 {
            return Some(value as u8);
        }
        let (group, within) = self.group(value);
        let byte = self.slots[usize::from(self.starts[group]) + within];
        // A free slot says 00, which is right for U+0000 alone.
        (self.values[usize::from(byte)] == value).then_some(byte)
    }

    /// See [`decode_run`](super::run::decode_run).
    pub(super) fn decode_run(&self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        table::to_utf8(&self.values, self.is_ascii, src, dst)
    }

    /// The code points of all bytes, or [`NOTHING`].
    pub(super) const fn values(&self) -> &[u16; 256] {
        &self.values
    }

    /// See [`encode_run`](super::run::encode_run).
    pub(super) fn encode_run(&self, src: &[u8], dst: &mut [u8], on_lacking: OnLacking) -> Run {
        let mut run = Run::default();
        let mut units = [[0; 2]; AT_ONCE];
        // A page without a question mark has nothing to write.
        let mark = self.byte_of_unit(b'?'.into()).unwrap_or(b'?');
        while run.read < src.len() {
            let (rest, space) = (&src[run.read..], &mut dst[run.written..]);
            let ascii = if self.is_ascii { table::copy_ascii(rest, space) } else { 0 };
            if ascii > 0 {
                run.read += ascii;
                run.written += ascii;
                continue;
            }
            let piece = &rest[..rest.len().min(AT_ONCE)];
            let done = utf8_to_utf16(piece, units.as_flattened_mut(), OnError::Stop).unpack();
            let end = run.read + done.read;
            let mut rest_of_units = &units[..done.written / 2];
            loop {
                let encoded = self.encode_units(rest_of_units, &mut dst[run.written..]);
                let (taken, rest) = rest_of_units.split_at(encoded);
                run.read += taken.iter().map(len_in_utf8).sum::<usize>();
                run.written += encoded;
                let Some(lacking) = rest.first().filter(|_| run.written < dst.len() || on_lacking == OnLacking::Skip)
                else {
                    break;
                };
                if self.byte_of_unit(u16::from_le_bytes(*lacking)).is_some() {
                    break;
                }
                let mut decoded = char::decode_utf16(rest.iter().map(|unit| u16::from_le_bytes(*unit)));
                let Some(Ok(c)) = decoded.next() else { break };
                if !run.pass(c, mark, dst, on_lacking) {
                    return run;
                }
                rest_of_units = &rest[c.len_utf16()..];
            }
            // The cut may have cut a character, which comes with the next piece.
            if run.read < end || done.read == 0 || (done.read < piece.len() && piece.len() == rest.len()) {
                break;
            }
        }
        run
    }

    /// Writes the bytes of `units` until the page lacks one or there is no space;
    /// returns how many. No page has a surrogate.
    fn encode_units(&self, units: &[[u8; 2]], dst: &mut [u8]) -> usize {
        let mut written = 0;
        for (unit, to) in units.iter().zip(dst) {
            let Some(byte) = self.byte_of_unit(u16::from_le_bytes(*unit)) else { break };
            *to = byte;
            written += 1;
        }
        written
    }
}

/// True if the slots of `members`, from `start` on, are free.
const fn fits(taken: &[bool; SLOTS], start: usize, members: u32) -> bool {
    let mut rest = members;
    while rest != 0 {
        if taken[start + rest.trailing_zeros() as usize] {
            return false;
        }
        rest &= rest - 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::super::run::decode_run;
    use super::super::{Legacy, LegacyWriter};
    use super::*;
    use alloc::string::String;
    use alloc::vec;
    use alloc::vec::Vec;

    fn pages() -> impl Iterator<Item = (Legacy, &'static Page)> {
        Legacy::ALL.iter().filter_map(|legacy| Some((*legacy, legacy.page()?)))
    }

    #[test]
    fn what_a_byte_is_has_that_byte_and_nothing_else_has_one() {
        for (legacy, page) in pages() {
            for value in 0..=0x1_FFFF {
                let bytes: Vec<u8> = (0..=0xFF).filter(|byte| page.value(*byte) == Some(value)).collect();
                assert_eq!(page.byte(value).as_slice(), bytes, "{legacy} {value:04X}");
            }
            assert_eq!(page.byte(u32::MAX), None);
            let ascii = (0..0x80).all(|byte| page.value(byte) == Some(byte.into()));
            assert_eq!(page.is_ascii(), ascii, "{legacy}");
        }
    }

    /// A few of each, by hand: from the tables that their makers published.
    #[test]
    fn characters_stand_where_they_are_known_to() {
        for (legacy, byte, c) in [
            (Legacy::Ibm850, 0x84, 'ä'),
            (Legacy::Ibm850, 0xD5, 'ı'),
            (Legacy::Ibm858, 0xD5, '€'),
            (Legacy::Ibm852, 0x88, 'ł'),
            (Legacy::Ibm855, 0xA0, 'а'),
            (Legacy::Ibm857, 0x98, 'İ'),
            (Legacy::Ibm862, 0x80, 'א'),
            (Legacy::Ibm864, 0x25, '٪'),
            (Legacy::Ibm865, 0x9B, 'ø'),
            (Legacy::Ibm869, 0x98, 'Ώ'),
            (Legacy::Ibm1125, 0xF2, 'Ґ'),
            (Legacy::XMacCe, 0xB8, 'ł'),
            (Legacy::XMacTurkish, 0xDA, 'Ğ'),
            (Legacy::XMacRomanian, 0xAF, 'Ș'),
            (Legacy::XMacIcelandic, 0xDE, 'Þ'),
            (Legacy::XMacCroatian, 0xA9, 'Š'),
            (Legacy::XMacGreek, 0xE1, 'α'),
            (Legacy::Iso8859_9, 0x93, '\u{93}'),
            (Legacy::Iso8859_9, 0xFE, 'ş'),
            (Legacy::Iso8859_11, 0xA0, '\u{A0}'),
            (Legacy::Tis620, 0xA1, 'ก'),
            (Legacy::Viscii, 0x02, 'Ẳ'),
            (Legacy::Viscii, 0xE6, 'ữ'),
            (Legacy::Koi8Ru, 0xAE, 'ў'),
            (Legacy::Koi8T, 0x80, 'қ'),
            (Legacy::Ibm037, 0xC1, 'A'),
            (Legacy::Ibm037, 0x25, '\n'),
            (Legacy::Ibm500, 0x4A, '['),
            (Legacy::Ibm1047, 0xAD, '['),
        ] {
            let page = legacy.page().unwrap();
            assert_eq!(
                (page.value(byte), page.byte(c.into())),
                (Some(c.into()), Some(byte)),
                "{legacy} {byte:02X} {c}"
            );
        }
        assert_eq!(Legacy::Tis620.page().unwrap().value(0xA0), None);
        assert_eq!(Legacy::Ibm864.page().unwrap().byte('%'.into()), None);
    }

    /// The bytes of a page in all neighbourhoods, long and short, cut off by one
    /// that is no character.
    #[test]
    fn runs_are_the_same_as_byte_by_byte() {
        let mut dst = vec![0; 20_000];
        for (legacy, page) in pages() {
            for len in [0, 1, 2, 63, 64, 65, 1023, 1024, 1025, 3000] {
                for step in [1_usize, 7, 64, 129] {
                    let src: Vec<u8> = (0..len).map(|i| (i * step / 3) as u8).collect();
                    let certain = src.iter().position(|byte| page.value(*byte).is_none()).unwrap_or(len);
                    let text: String =
                        src[..certain].iter().map(|byte| char::from_u32(page.value(*byte).unwrap()).unwrap()).collect();
                    assert_eq!(decode_run(legacy, &src, &mut dst), (certain, text.len()), "{legacy} {len} {step}");
                    assert_eq!(&dst[..text.len()], text.as_bytes());
                    assert_eq!(
                        LegacyWriter::new(legacy).encode_run(text.as_bytes(), &mut dst, OnLacking::Stop),
                        (text.len(), certain)
                    );
                    assert_eq!(&dst[..certain], &src[..certain]);
                }
            }
        }
    }

    #[test]
    fn runs_stop_where_they_have_to() {
        let (mut dst, page) = ([0; 5000], Legacy::Ibm852.page().unwrap());
        // A character that the page lacks, at each place; ill-formed and unfinished ones.
        for at in [0, 1, 5, 500, 1023, 1024, 1025, 2000] {
            let (front, len) = ("łé".repeat(at), 4 * at);
            for stop in ["Ж", "漢", "😀", "\u{FFFF}"] {
                let text = [&front, stop, "ł"].concat();
                let run = page.encode_run(text.as_bytes(), &mut dst, OnLacking::Stop);
                let c = stop.chars().next().map(u32::from);
                assert_eq!((run.read, run.written, run.stopped_by), (len, 2 * at, c), "{at} {stop}");
                let run = page.encode_run(text.as_bytes(), &mut dst, OnLacking::Replace);
                assert_eq!((run.read, run.written, run.lacking), (text.len(), 2 * at + 2, 1), "{at} {stop}");
                assert_eq!(&dst[2 * at..2 * at + 2], b"?\x88");
                let run = page.encode_run(text.as_bytes(), &mut dst, OnLacking::Skip);
                assert_eq!((run.read, run.written, run.lacking), (text.len(), 2 * at + 1, 1), "{at} {stop}");
            }
            for stop in [&b"\xC5"[..], b"\xFF", b"\xC0\x80", b"\xE6\xBC"] {
                let text = [front.as_bytes(), stop].concat();
                let run = page.encode_run(&text, &mut dst, OnLacking::Replace);
                assert_eq!((run.read, run.written), (len, 2 * at), "{at} {stop:02X?}");
            }
        }
        let (text, bytes) = ("ał".repeat(40), b"a\x88".repeat(40));
        for space in 0..=130 {
            let Run { read, written, .. } = page.encode_run(text.as_bytes(), &mut dst[..space], OnLacking::Stop);
            assert_eq!((read, written), (written / 2 * 3 + written % 2, space.min(80)));
            let (read, written) = page.decode_run(&bytes, &mut dst[..space]);
            assert_eq!(written, read / 2 * 3 + read % 2);
            assert!(written <= space && (read == 80 || space < written + 3), "{space} {read} {written}");
        }
    }
}
