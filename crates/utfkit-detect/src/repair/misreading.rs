//! The encodings that UTF-8 is read in by mistake, and the way back.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::undouble::Item;
use utfkit_core::Encoding;
use utfkit_core::Legacy;
use utfkit_core::internal::Ibm437;
use utfkit_core::internal::{Decoded, Form};

/// Which of the [encodings](ENCODINGS).
pub(super) type Which = u8;

/// One bit for each of the [encodings](ENCODINGS).
pub(super) type Set = u32;

/// The encodings in which UTF-8 is read, and what it takes, in bits, to believe
/// it of them: where two give the same text, the first one counts.
pub(super) const ENCODINGS: [(Encoding, u32); 25] = {
    use Legacy as L;
    [
        (Encoding::Legacy(L::Windows1252), 0),
        (Encoding::Latin1, 0),
        (Encoding::Legacy(L::Windows1251), 1),
        (Encoding::Legacy(L::Windows1250), 1),
        (Encoding::Legacy(L::Windows1254), 1),
        (Encoding::Legacy(L::Windows1253), 1),
        (Encoding::Legacy(L::Windows1257), 1),
        (Encoding::Legacy(L::Macintosh), 1),
        (Encoding::Ibm437, 1),
        (Encoding::Legacy(L::Ibm850), 1),
        (Encoding::Legacy(L::Iso8859_2), 1),
        (Encoding::Legacy(L::Iso8859_15), 2),
        (Encoding::Legacy(L::Iso8859_9), 2),
        (Encoding::Legacy(L::Windows1255), 10),
        (Encoding::Legacy(L::Windows1256), 10),
        (Encoding::Legacy(L::Windows1258), 10),
        (Encoding::Legacy(L::Ibm852), 10),
        (Encoding::Legacy(L::Iso8859_5), 10),
        (Encoding::Legacy(L::Iso8859_7), 10),
        (Encoding::Legacy(L::Iso8859_13), 10),
        (Encoding::Legacy(L::Koi8R), 12),
        (Encoding::Legacy(L::Ibm866), 12),
        (Encoding::Legacy(L::Iso8859_3), 14),
        (Encoding::Legacy(L::Iso8859_4), 14),
        (Encoding::Legacy(L::Iso8859_16), 14),
    ]
};

/// How many of them are those that programs fall back to: windows-1252, ISO-8859-1.
pub(super) const BY_DEFAULT: usize = 2;

pub(super) const COUNT: usize = ENCODINGS.len();

/// The bytes that a character was in each encoding; 0 where it is not from 80 on.
type Bytes = [u8; COUNT];

/// Characters that stand below this have two bytes in UTF-8.
const LOW: usize = 0x800;
/// The block of the others: punctuation to the frames.
const HIGH: core::ops::Range<u32> = 0x2000..0x2600;

/// What a character can be in a sequence, in each encoding.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Roles {
    /// The first of two, of three, of four.
    pub(super) leads: [Set; 3],
    /// One of the others.
    pub(super) trail: Set,
    /// All, if it can stand beside sequences: it is a sign.
    pub(super) beside: Set,
}

/// For each character that one of the encodings has from 80 on: its byte there.
#[derive(Debug)]
pub(super) struct Misreadings {
    low: Box<[u16; LOW]>,
    high: Vec<u16>,
    /// The others, seldom seen.
    others: Vec<(char, u16)>,
    bytes: Vec<Bytes>,
    roles: Vec<Roles>,
    /// Where A0 is the space that does not break, which people lose.
    spaces: Set,
}

impl Misreadings {
    /// The table, made once where there is a place to keep it.
    #[cfg(feature = "std")]
    pub(super) fn shared() -> Arc<Misreadings> {
        static SHARED: std::sync::OnceLock<Arc<Misreadings>> = std::sync::OnceLock::new();
        SHARED.get_or_init(|| Arc::new(Misreadings::new())).clone()
    }

    #[cfg(not(feature = "std"))]
    pub(super) fn shared() -> Arc<Misreadings> {
        Arc::new(Misreadings::new())
    }

    fn new() -> Misreadings {
        let mut all = Misreadings {
            low: Box::new([0; LOW]),
            high: vec![0; HIGH.len()],
            others: Vec::new(),
            bytes: vec![[0; COUNT]],
            roles: vec![Roles::default()],
            spaces: 0,
        };
        for (which, (encoding, _)) in ENCODINGS.into_iter().enumerate() {
            for byte in 0x80..=0xFF {
                let value = match encoding {
                    Encoding::Legacy(legacy) => legacy.value(byte),
                    Encoding::Ibm437 => match Ibm437::decode(&[byte]) {
                        Decoded::Value { value, .. } => Some(value),
                        _ => None,
                    },
                    _ => Some(byte.into()),
                };
                // A byte that means nothing is kept as the control of its number.
                let c = value.and_then(char::from_u32).unwrap_or(char::from(byte));
                all.put(c, which, byte);
            }
        }
        all
    }

    fn put(&mut self, c: char, which: usize, byte: u8) {
        let mut number = self.number(c);
        if number == 0 {
            number = self.bytes.len();
            let stored = u16::try_from(number).unwrap_or(0);
            match u32::from(c) {
                value @ ..0x800 => self.low[value as usize] = stored,
                value if HIGH.contains(&value) => self.high[(value - HIGH.start) as usize] = stored,
                _ => self.others.push((c, stored)),
            }
            self.bytes.push([0; COUNT]);
            let beside = if c.is_alphabetic() { 0 } else { Set::MAX };
            self.roles.push(Roles { beside, ..Roles::default() });
        }
        let bit = 1 << which;
        self.bytes[number][which] = byte;
        match byte {
            0x80..0xC0 => self.roles[number].trail |= bit,
            0xC2..0xE0 => self.roles[number].leads[0] |= bit,
            0xE0..0xF0 => self.roles[number].leads[1] |= bit,
            0xF0..0xF5 => self.roles[number].leads[2] |= bit,
            _ => {}
        }
        if (c, byte) == ('\u{A0}', 0xA0) {
            self.spaces |= bit;
        }
    }

    /// The number of a character; 0 for one that no encoding has.
    #[inline]
    fn number(&self, c: char) -> usize {
        let value = u32::from(c);
        let number = match value {
            ..0x800 => self.low[value as usize],
            0x2000..0x2600 => self.high[(value - HIGH.start) as usize],
            0xE000.. => self.others.iter().find(|(other, _)| *other == c).map_or(0, |(_, number)| *number),
            _ => 0,
        };
        number.into()
    }

    /// The numbers of the characters of a text that some encoding has.
    pub(super) fn numbers(&self, text: &[Item]) -> Vec<usize> {
        let mut is_there = vec![false; self.bytes.len()];
        let mut numbers = Vec::new();
        for item in text.iter().filter(|item| !item.c.is_ascii()) {
            let number = self.number(item.c);
            if number > 0 && !core::mem::replace(&mut is_there[number], true) {
                numbers.push(number);
            }
        }
        numbers
    }

    /// Whether two encodings have the characters of these numbers at the same bytes.
    pub(super) fn are_alike(&self, a: Which, b: Which, numbers: &[usize]) -> bool {
        let is_same = |&number: &usize| self.bytes[number][usize::from(a)] == self.bytes[number][usize::from(b)];
        self.loses_spaces(a) == self.loses_spaces(b) && numbers.iter().all(is_same)
    }

    /// The byte that was read as `c`.
    #[inline]
    pub(super) fn byte(&self, which: Which, c: char) -> Option<u8> {
        let byte = self.bytes[self.number(c)][usize::from(which)];
        (byte != 0).then_some(byte)
    }

    #[inline]
    pub(super) fn roles(&self, c: char) -> Roles {
        match self.number(c) {
            0 if !c.is_alphabetic() => Roles { beside: Set::MAX, ..Roles::default() },
            number => self.roles[number],
        }
    }

    /// Whether a character is a letter.
    #[inline]
    pub(super) fn is_letter(&self, c: char) -> bool {
        match self.number(c) {
            0 => c.is_alphabetic(),
            number => self.roles[number].beside == 0,
        }
    }

    /// Whether a space can be what became of a byte A0.
    pub(super) fn loses_spaces(&self, which: Which) -> bool {
        self.spaces >> which & 1 == 1
    }
}

/// The encoding, and its cost in bits.
pub(super) fn encoding(which: Which) -> (Encoding, u32) {
    ENCODINGS[usize::from(which)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::Fallback;

    #[test]
    fn a_byte_that_was_read_is_found_again() {
        let all = Misreadings::new();
        for (which, (encoding, _)) in (0..).zip(ENCODINGS) {
            let table = Fallback::new(encoding).unwrap();
            for byte in 0x80..=0xFF {
                let c = match table.read(byte) {
                    char::REPLACEMENT_CHARACTER => char::from(byte),
                    c => c,
                };
                assert_eq!(all.byte(which, c), Some(byte), "{encoding} {c:?}");
                let roles = all.roles(c);
                let expected = [0xC2..=0xDF, 0xE0..=0xEF, 0xF0..=0xF4].map(|bytes| bytes.contains(&byte));
                assert_eq!(roles.leads.map(|set| set >> which & 1 == 1), expected, "{encoding} {c:?}");
                assert_eq!(roles.trail >> which & 1 == 1, byte < 0xC0, "{encoding} {c:?}");
            }
            for c in ['a', ' ', '語', '\u{1F600}', '\u{FFFD}'] {
                assert_eq!(all.byte(which, c), None, "{encoding}");
            }
        }
    }
}
