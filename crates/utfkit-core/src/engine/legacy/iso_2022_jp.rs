//! ISO-2022-JP: four sets of characters in seven bits, and escape sequences
//! that change from one to another (Encoding Standard, section 13.2; RFC 1468).
//!
//! | sequence | set | characters |
//! |---|---|---|
//! | `1B 28 42` | US-ASCII | one byte |
//! | `1B 28 4A` | JIS X 0201, Roman | one byte; 5C is the yen sign, 7E the overline |
//! | `1B 28 49` | JIS X 0201, katakana | one byte, 21–5F; never written |
//! | `1B 24 40`, `1B 24 42` | JIS X 0208 | two bytes, 21–7E; written with 42 |
//!
//! An escape sequence directly after another one is an error, since the first
//! one was for nothing: such pairs have hidden text from filters. A byte below
//! 80 after a lead byte of JIS X 0208 that is not a trail byte goes down with it;
//! only an escape sequence is spared.

use super::pair_set::{PairSet, read_ascii, write_ascii};
use super::{Legacy, character};
use utfkit_forms::ErrorKind;
use utfkit_forms::scalar::{Decoded, Encoded, ReadRun, Reader, WriteRun, Writer, Written};

const ESCAPE: u8 = 0x1B;
/// The bytes that are no characters of US-ASCII, and those that are not the same in JIS X 0201.
const SPECIAL: &[u8; 3] = &[ESCAPE, 0x0E, 0x0F];
const SPECIAL_IN_ROMAN: &[u8; 5] = &[ESCAPE, 0x0E, 0x0F, b'\\', b'~'];

pub(super) static JIS_X_0208: PairSet = PairSet::new(2, jis_0208, in_jis_0208);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Ascii,
    Roman,
    Katakana,
    Jis0208,
}

impl Set {
    /// The set that the two bytes after 1B choose.
    const fn chosen_by(bytes: [u8; 2]) -> Option<Set> {
        match &bytes {
            b"(B" => Some(Set::Ascii),
            b"(J" => Some(Set::Roman),
            b"(I" => Some(Set::Katakana),
            b"$@" | b"$B" => Some(Set::Jis0208),
            _ => None,
        }
    }

    const fn of_number(number: u32) -> Set {
        match number & 3 {
            0 => Set::Ascii,
            1 => Set::Roman,
            2 => Set::Katakana,
            _ => Set::Jis0208,
        }
    }

    /// The sequence that chooses it.
    const fn sequence(self) -> &'static [u8; 3] {
        match self {
            Set::Ascii => b"\x1B(B",
            Set::Roman => b"\x1B(J",
            Set::Katakana => b"\x1B(I",
            Set::Jis0208 => b"\x1B$B",
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct ShiftReader {
    set: Set,
    /// The last thing read was an escape sequence.
    shifted: bool,
}

impl ShiftReader {
    pub(super) const fn new() -> ShiftReader {
        ShiftReader { set: Set::Ascii, shifted: false }
    }

    fn escape(&mut self, src: &[u8], last: bool) -> Decoded {
        let set = match src {
            [_, first @ (b'(' | b'$'), second, ..] => Set::chosen_by([*first, *second]),
            [_] => return unfinished(src),
            [_, b'(' | b'$'] if !last => return unfinished(src),
            _ => None,
        };
        match set {
            Some(set) => {
                self.set = set;
                if core::mem::replace(&mut self.shifted, true) {
                    Decoded::IllFormed { kind: ErrorKind::InvalidSequence, len: 3 }
                } else {
                    Decoded::StateChange { len: 3 }
                }
            }
            // The bytes after 1B are read as if it were not there.
            None => {
                self.shifted = false;
                Decoded::IllFormed { kind: ErrorKind::InvalidSequence, len: 1 }
            }
        }
    }

    fn pair(&mut self, src: &[u8]) -> Decoded {
        let (value, len) = match src {
            [_] => return unfinished(src),
            [_, ESCAPE, ..] => (None, 1),
            [lead, trail @ 0x21..=0x7E, ..] => (JIS_X_0208.character(*lead, *trail), 2),
            _ => (None, 2),
        };
        self.shifted = false;
        match value {
            Some(value) => Decoded::Value { value, len },
            None => Decoded::IllFormed { kind: ErrorKind::InvalidSequence, len },
        }
    }
}

impl Reader for ShiftReader {
    fn decode(&mut self, src: &[u8], last: bool) -> Decoded {
        let value = match (self.set, src[0]) {
            (_, ESCAPE) => return self.escape(src, last),
            (Set::Jis0208, 0x21..=0x7E) => return self.pair(src),
            (Set::Katakana, byte @ 0x21..=0x5F) => Some(0xFF61 + u32::from(byte - 0x21)),
            (Set::Roman, b'\\') => Some(0xA5),
            (Set::Roman, b'~') => Some(0x203E),
            // The shifts of ISO 646 would hide text as well.
            (_, 0x0E | 0x0F) => None,
            (Set::Ascii | Set::Roman, byte @ 0..=0x7F) => Some(byte.into()),
            _ => None,
        };
        self.shifted = false;
        match value {
            Some(value) => Decoded::Value { value, len: 1 },
            None => Decoded::IllFormed { kind: ErrorKind::InvalidByte, len: 1 },
        }
    }

    fn state(&self) -> u32 {
        self.set as u32 | u32::from(self.shifted) << 2
    }

    fn set_state(&mut self, state: u32) {
        *self = ShiftReader { set: Set::of_number(state), shifted: state >> 2 & 1 != 0 };
    }
}

impl ReadRun for ShiftReader {
    fn read_run(&mut self, src: &[u8], units: &mut [[u8; 2]]) -> (usize, usize) {
        let (read, count) = match self.set {
            Set::Ascii => read_ascii(SPECIAL, src, units),
            Set::Roman => read_ascii(SPECIAL_IN_ROMAN, src, units),
            Set::Katakana => (0, 0),
            Set::Jis0208 => JIS_X_0208.read_run(src, units),
        };
        self.shifted &= read == 0;
        (read, count)
    }
}

fn unfinished(src: &[u8]) -> Decoded {
    Decoded::Unfinished { kind: ErrorKind::Truncated, len: src.len() }
}

/// The character of JIS X 0208: in EUC-JP it is the same with the eighth bits
/// set.
fn jis_0208(lead: u8, trail: u8) -> Option<u32> {
    character::pair(Legacy::EucJp, [lead | 0x80, trail | 0x80])
}

/// The bytes of `value` in JIS X 0208.
fn in_jis_0208(value: u32) -> Option<[u8; 2]> {
    // On its own it is an escape sequence and the pair.
    let alone =
        character::encode(Legacy::Iso2022Jp, value).filter(|_| !character::is_folded(Legacy::Iso2022Jp, value))?;
    match *alone.as_slice() {
        [ESCAPE, b'$', b'B', lead, trail] => Some([lead, trail]),
        _ => None,
    }
}

#[derive(Clone, Debug)]
pub(super) struct ShiftWriter {
    set: Set,
}

impl ShiftWriter {
    pub(super) const fn new() -> ShiftWriter {
        ShiftWriter { set: Set::Ascii }
    }

    /// `bytes` of `set`, which becomes the one in use.
    #[inline(always)]
    fn put<const N: usize>(&mut self, set: Set, bytes: [u8; N]) -> Encoded<u8> {
        let mut out = Written::default();
        if self.set != set {
            out.push_all(*set.sequence());
            self.set = set;
        }
        out.push_all(bytes);
        out.into_encoded()
    }
}

impl Writer for ShiftWriter {
    fn encode(&mut self, value: u32) -> Option<Encoded<u8>> {
        match value {
            0x0E | 0x0F | 0x1B => None,
            0xA5 => Some(self.put(Set::Roman, *b"\\")),
            0x203E => Some(self.put(Set::Roman, *b"~")),
            0..=0x7F => {
                // Roman has all but two of US-ASCII: no shift for those.
                let stays = self.set == Set::Roman && !matches!(value, 0x5C | 0x7E);
                Some(self.put(if stays { Set::Roman } else { Set::Ascii }, [value as u8]))
            }
            _ => {
                let pair = JIS_X_0208.code(value)?;
                Some(self.put(Set::Jis0208, pair))
            }
        }
    }

    fn finish(&mut self) -> Encoded<u8> {
        self.put(Set::Ascii, [])
    }

    fn state(&self) -> u32 {
        self.set as u32
    }

    fn set_state(&mut self, state: u32) {
        self.set = Set::of_number(state);
    }
}

impl WriteRun for ShiftWriter {
    fn write_run(&mut self, units: &[[u8; 2]], dst: &mut [u8]) -> (usize, usize) {
        match self.set {
            Set::Ascii => write_ascii(SPECIAL, units, dst),
            Set::Roman => write_ascii(SPECIAL_IN_ROMAN, units, dst),
            Set::Katakana => (0, 0),
            Set::Jis0208 => JIS_X_0208.write_run(units, dst),
        }
    }
}
