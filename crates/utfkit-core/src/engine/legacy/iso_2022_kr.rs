//! ISO-2022-KR: KS X 1001 in seven bits (RFC 1557).
//!
//! | sequence | meaning |
//! |---|---|
//! | `1B 24 29 43` | the header, before all other text: SO means KS X 1001 |
//! | `0E` | begins KS X 1001, two bytes a character, 21–7E each |
//! | `0F` | begins US-ASCII |
//!
//! The header is read anywhere, and may be missing. Each line begins in US-ASCII
//! (RFC 1557): a line that ends in KS X 1001, which is not allowed, does not damage
//! the next one. A blank or control between Korean characters is read as itself.

use super::pair_set::{PairSet, read_ascii, write_ascii};
use super::{Legacy, character};
use utfkit_forms::ErrorKind;
use utfkit_forms::scalar::{Decoded, Encoded, ReadRun, Reader, WriteRun, Writer, Written};

pub(super) static KS_X_1001: PairSet = PairSet::new(1, ks_x_1001, in_ks_x_1001);

const HEADER: &[u8; 4] = b"\x1B$)C";
const SO: u8 = 0x0E;
const SI: u8 = 0x0F;
/// The bytes that are no characters of US-ASCII.
const SPECIAL: &[u8; 3] = &[0x1B, SO, SI];

#[derive(Clone, Debug)]
pub(super) struct KoreanReader {
    korean: bool,
}

impl KoreanReader {
    pub(super) const fn new() -> KoreanReader {
        KoreanReader { korean: false }
    }
}

impl Reader for KoreanReader {
    fn decode(&mut self, src: &[u8], last: bool) -> Decoded {
        match (src, self.korean) {
            ([0x1B, ..], _) if src.starts_with(HEADER) => Decoded::StateChange { len: HEADER.len() },
            ([0x1B, ..], _) if !last && HEADER.starts_with(src) => {
                Decoded::Unfinished { kind: ErrorKind::Truncated, len: src.len() }
            }
            ([0x1B, ..], _) => Decoded::IllFormed { kind: ErrorKind::InvalidSequence, len: 1 },
            ([byte @ (SO | SI), ..], _) => {
                self.korean = *byte == SO;
                Decoded::StateChange { len: 1 }
            }
            ([byte @ (0..=0x20 | 0x7F), ..], _) | ([byte @ 0..=0x7F, ..], false) => {
                self.korean &= *byte != b'\n';
                Decoded::Value { value: (*byte).into(), len: 1 }
            }
            ([0x21..=0x7E], true) => Decoded::Unfinished { kind: ErrorKind::Truncated, len: 1 },
            ([lead @ 0x21..=0x7E, trail @ 0x21..=0x7E, ..], true) => match KS_X_1001.character(*lead, *trail) {
                Some(value) => Decoded::Value { value, len: 2 },
                None => Decoded::IllFormed { kind: ErrorKind::InvalidSequence, len: 2 },
            },
            ([0x21..=0x7E, ..], true) => Decoded::IllFormed { kind: ErrorKind::InvalidSequence, len: 1 },
            _ => Decoded::IllFormed { kind: ErrorKind::InvalidByte, len: 1 },
        }
    }

    fn state(&self) -> u32 {
        self.korean.into()
    }

    fn set_state(&mut self, state: u32) {
        self.korean = state & 1 != 0;
    }
}

impl ReadRun for KoreanReader {
    fn read_run(&mut self, src: &[u8], units: &mut [[u8; 2]]) -> (usize, usize) {
        if self.korean { KS_X_1001.read_run(src, units) } else { read_ascii(SPECIAL, src, units) }
    }
}

/// The character that KS X 1001 got in 2002 and code page 949, which is the Encoding
/// Standard's EUC-KR, did not.
const CIRCLED_U: ([u8; 2], u32) = ([0x22, 0x68], 0x327E);

/// The character of KS X 1001, whose bytes are 21–7E: in EUC-KR it is the same
/// with the eighth bits set.
pub(super) fn ks_x_1001(lead: u8, trail: u8) -> Option<u32> {
    if [lead, trail] == CIRCLED_U.0 {
        return Some(CIRCLED_U.1);
    }
    character::pair(Legacy::EucKr, [lead | 0x80, trail | 0x80])
}

/// The bytes of `value` in KS X 1001. EUC-KR has more Hangul, with one byte that
/// is none of those.
pub(super) fn in_ks_x_1001(value: u32) -> Option<[u8; 2]> {
    if value == CIRCLED_U.1 {
        return Some(CIRCLED_U.0);
    }
    let [lead @ 0xA1..=0xFE, trail @ 0xA1..=0xFE] = *character::encode(Legacy::EucKr, value)?.as_slice() else {
        return None;
    };
    Some([lead & 0x7F, trail & 0x7F])
}

#[derive(Clone, Debug)]
pub(super) struct KoreanWriter {
    begun: bool,
    korean: bool,
}

impl KoreanWriter {
    pub(super) const fn new() -> KoreanWriter {
        KoreanWriter { begun: false, korean: false }
    }

    /// `bytes` in US-ASCII or in KS X 1001, with what leads there, and before
    /// all others the header.
    #[inline(always)]
    fn put<const N: usize>(&mut self, korean: bool, bytes: [u8; N]) -> Encoded<u8> {
        let mut out = Written::default();
        if !self.begun {
            out.push_all(*HEADER);
            self.begun = true;
        }
        if self.korean != korean {
            out.push(if korean { SO } else { SI });
            self.korean = korean;
        }
        out.push_all(bytes);
        out.into_encoded()
    }
}

impl Writer for KoreanWriter {
    fn encode(&mut self, value: u32) -> Option<Encoded<u8>> {
        match value {
            // They would be read as shifts.
            0x0E | 0x0F | 0x1B => None,
            0..=0x7F => Some(self.put(false, [value as u8])),
            _ => {
                let pair = KS_X_1001.code(value)?;
                Some(self.put(true, pair))
            }
        }
    }

    fn finish(&mut self) -> Encoded<u8> {
        match self.korean {
            true => self.put(false, []),
            false => Encoded::from_slice(&[]),
        }
    }

    fn state(&self) -> u32 {
        u32::from(self.begun) | u32::from(self.korean) << 1
    }

    fn set_state(&mut self, state: u32) {
        *self = KoreanWriter { begun: state & 1 != 0, korean: state >> 1 & 1 != 0 };
    }
}

impl WriteRun for KoreanWriter {
    fn write_run(&mut self, units: &[[u8; 2]], dst: &mut [u8]) -> (usize, usize) {
        match self.begun {
            false => (0, 0),
            true if self.korean => KS_X_1001.write_run(units, dst),
            true => write_ascii(SPECIAL, units, dst),
        }
    }
}
