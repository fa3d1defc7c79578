//! HZ: GB 2312 in seven bits (RFC 1843).
//!
//! | sequence | meaning |
//! |---|---|
//! | `~{` | begins GB 2312, two bytes a character, 21–77 and 21–7E |
//! | `~}` | begins US-ASCII |
//! | `~~` | in US-ASCII, a tilde |
//! | `~` and the end of a line | in US-ASCII, nothing: the line continues |
//!
//! Each line begins in US-ASCII (RFC 1843, section 2): a line that ends in GB
//! 2312, which is not allowed, does not damage the next one.

use super::pair_set::{PairSet, read_ascii, write_ascii};
use super::{Legacy, character};
use utfkit_forms::ErrorKind;
use utfkit_forms::scalar::{Decoded, Encoded, ReadRun, Reader, WriteRun, Writer, Written};

pub(super) static GB_2312: PairSet = PairSet::new(0, gb_2312, in_gb_2312);

#[derive(Clone, Debug)]
pub(super) struct HzReader {
    chinese: bool,
}

impl HzReader {
    pub(super) const fn new() -> HzReader {
        HzReader { chinese: false }
    }

    fn tilde(&mut self, src: &[u8]) -> Decoded {
        match (self.chinese, src.get(1)) {
            (_, None) => Decoded::Unfinished { kind: ErrorKind::Truncated, len: 1 },
            (false, Some(b'~')) => Decoded::Value { value: b'~'.into(), len: 2 },
            (false, Some(b'\n')) => Decoded::StateChange { len: 2 },
            (false, Some(b'{')) | (true, Some(b'}')) => {
                self.chinese = !self.chinese;
                Decoded::StateChange { len: 2 }
            }
            _ => Decoded::IllFormed { kind: ErrorKind::InvalidSequence, len: 1 },
        }
    }
}

impl Reader for HzReader {
    fn decode(&mut self, src: &[u8], _last: bool) -> Decoded {
        match (src, self.chinese) {
            ([b'~', ..], _) => self.tilde(src),
            ([byte @ b'\n', ..], _) | ([byte @ 0..=0x7F, ..], false) => {
                self.chinese = false;
                Decoded::Value { value: (*byte).into(), len: 1 }
            }
            ([0x21..=0x77], true) => Decoded::Unfinished { kind: ErrorKind::Truncated, len: 1 },
            ([lead @ 0x21..=0x77, trail @ 0x21..=0x7E, ..], true) => match GB_2312.character(*lead, *trail) {
                Some(value) => Decoded::Value { value, len: 2 },
                None => Decoded::IllFormed { kind: ErrorKind::InvalidSequence, len: 2 },
            },
            ([0x21..=0x77, ..], true) => Decoded::IllFormed { kind: ErrorKind::InvalidSequence, len: 1 },
            _ => Decoded::IllFormed { kind: ErrorKind::InvalidByte, len: 1 },
        }
    }

    fn state(&self) -> u32 {
        self.chinese.into()
    }

    fn set_state(&mut self, state: u32) {
        self.chinese = state & 1 != 0;
    }
}

impl ReadRun for HzReader {
    fn read_run(&mut self, src: &[u8], units: &mut [[u8; 2]]) -> (usize, usize) {
        if self.chinese { GB_2312.read_run(src, units) } else { read_ascii(b"~", src, units) }
    }
}

/// The character of GB 2312: in GBK it is the same with the eighth bits set.
fn gb_2312(lead: u8, trail: u8) -> Option<u32> {
    if !is_gb_2312(lead, trail) {
        return None;
    }
    character::pair(Legacy::Gbk, [lead | 0x80, trail | 0x80])
}

/// The bytes of `value` in GB 2312.
fn in_gb_2312(value: u32) -> Option<[u8; 2]> {
    let [lead, trail @ 0x80..=0xFF] = *character::encode(Legacy::Gbk, value)?.as_slice() else { return None };
    let pair = [lead & 0x7F, trail & 0x7F];
    (is_gb_2312(pair[0], pair[1]) && !character::is_folded(Legacy::Gbk, value)).then_some(pair)
}

/// True if GB 2312 has it. GBK has more signs in the first rows.
const fn is_gb_2312(lead: u8, trail: u8) -> bool {
    match lead {
        0x21 | 0x23 | 0x30..=0x56 | 0x58..=0x77 => matches!(trail, 0x21..=0x7E),
        0x22 => matches!(trail, 0x31..=0x62 | 0x65..=0x6E | 0x71..=0x7C),
        0x24 => matches!(trail, 0x21..=0x73),
        0x25 => matches!(trail, 0x21..=0x76),
        0x26 => matches!(trail, 0x21..=0x38 | 0x41..=0x58),
        0x27 => matches!(trail, 0x21..=0x41 | 0x51..=0x71),
        0x28 => matches!(trail, 0x21..=0x3A | 0x45..=0x69),
        0x29 => matches!(trail, 0x24..=0x6F),
        0x57 => matches!(trail, 0x21..=0x79),
        _ => false,
    }
}

#[derive(Clone, Debug)]
pub(super) struct HzWriter {
    chinese: bool,
}

impl HzWriter {
    pub(super) const fn new() -> HzWriter {
        HzWriter { chinese: false }
    }

    /// `bytes` in US-ASCII or in GB 2312, with what leads there.
    #[inline(always)]
    fn put<const N: usize>(&mut self, chinese: bool, bytes: [u8; N]) -> Encoded<u8> {
        let mut out = Written::default();
        if self.chinese != chinese {
            out.push_all([b'~', if chinese { b'{' } else { b'}' }]);
            self.chinese = chinese;
        }
        out.push_all(bytes);
        out.into_encoded()
    }
}

impl Writer for HzWriter {
    fn encode(&mut self, value: u32) -> Option<Encoded<u8>> {
        if value == u32::from(b'~') {
            return Some(self.put(false, *b"~~"));
        }
        if value < 0x80 {
            return Some(self.put(false, [value as u8]));
        }
        let pair = GB_2312.code(value)?;
        Some(self.put(true, pair))
    }

    fn finish(&mut self) -> Encoded<u8> {
        self.put(false, [])
    }

    fn state(&self) -> u32 {
        self.chinese.into()
    }

    fn set_state(&mut self, state: u32) {
        self.chinese = state & 1 != 0;
    }
}

impl WriteRun for HzWriter {
    fn write_run(&mut self, units: &[[u8; 2]], dst: &mut [u8]) -> (usize, usize) {
        if self.chinese { GB_2312.write_run(units, dst) } else { write_ascii(b"~", units, dst) }
    }
}
