//! The encodings in which UTF-8 is read by mistake, and the bytes that their characters
//! were.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::item::Item;
use super::oddness::Oddness;
use crate::line::character;
use utfkit_core::internal::utf8::{is_continuation, well_formed_len};
use utfkit_core::{Encoding, Legacy};

/// An index in [`ENCODINGS`].
pub(super) type Index = u8;

/// A bit for each of [`ENCODINGS`].
pub(super) type EncodingSet = u32;

#[derive(Clone, Copy)]
pub(super) struct Misreading {
    pub(super) encoding: Encoding,
    /// The negative log2-probability of the mistake, in bits, relative to windows-1252.
    pub(super) prior: u32,
}

/// Of two that give the same text, the first one counts.
pub(super) const ENCODINGS: [Misreading; 25] = {
    use Legacy as L;
    const fn of(encoding: Encoding, prior: u32) -> Misreading {
        Misreading { encoding, prior }
    }
    [
        of(Encoding::Legacy(L::Windows1252), 0),
        of(Encoding::Latin1, 0),
        of(Encoding::Legacy(L::Windows1251), 1),
        of(Encoding::Legacy(L::Windows1250), 1),
        of(Encoding::Legacy(L::Windows1254), 1),
        of(Encoding::Legacy(L::Windows1253), 1),
        of(Encoding::Legacy(L::Windows1257), 1),
        of(Encoding::Legacy(L::Macintosh), 1),
        of(Encoding::Ibm437, 1),
        of(Encoding::Legacy(L::Ibm850), 1),
        of(Encoding::Legacy(L::Iso8859_2), 4),
        of(Encoding::Legacy(L::Iso8859_15), 2),
        of(Encoding::Legacy(L::Iso8859_9), 2),
        of(Encoding::Legacy(L::Windows1255), 10),
        of(Encoding::Legacy(L::Windows1256), 10),
        of(Encoding::Legacy(L::Windows1258), 10),
        of(Encoding::Legacy(L::Ibm852), 10),
        of(Encoding::Legacy(L::Iso8859_5), 10),
        of(Encoding::Legacy(L::Iso8859_7), 10),
        of(Encoding::Legacy(L::Iso8859_13), 10),
        of(Encoding::Legacy(L::Koi8R), 12),
        of(Encoding::Legacy(L::Ibm866), 12),
        of(Encoding::Legacy(L::Iso8859_3), 14),
        of(Encoding::Legacy(L::Iso8859_4), 14),
        of(Encoding::Legacy(L::Iso8859_16), 14),
    ]
};

/// The first of them are the defaults of programs.
pub(super) const DEFAULTS: usize = 2;

pub(super) const COUNT: usize = ENCODINGS.len();

/// Further encodings in which text in others than UTF-8 is read by mistake.
const MORE: [Encoding; 7] = {
    use Legacy as L;
    [
        Encoding::Legacy(L::XMacCyrillic),
        Encoding::Legacy(L::XMacCe),
        Encoding::Legacy(L::Ibm737),
        Encoding::Legacy(L::Ibm775),
        Encoding::Legacy(L::Ibm857),
        Encoding::Legacy(L::Ibm862),
        Encoding::Legacy(L::Koi8U),
    ]
};

pub(super) const COLUMNS: usize = COUNT + MORE.len();

/// The byte of a character in each encoding; 0 without one from 80.
type Bytes = [u8; COLUMNS];

/// The column of a single-byte encoding in [`Bytes`].
pub(super) fn column(encoding: Encoding) -> Option<Index> {
    let mut all = ENCODINGS.iter().map(|misreading| misreading.encoding).chain(MORE);
    all.position(|other| other == encoding).map(|at| at as Index)
}

/// Characters below this have at most two bytes in UTF-8.
const LOW: usize = 0x800;
/// General punctuation to geometric shapes: nearly all other characters.
const HIGH: core::ops::Range<u32> = 0x2000..0x2600;

/// The encodings in which the byte of a character has a role in UTF-8.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Roles {
    /// A lead byte of two, three and four.
    pub(super) leads: [EncodingSet; 3],
    /// A continuation byte.
    pub(super) trail: EncodingSet,
    /// All encodings for a sign, which a run may have outside of sequences.
    pub(super) sign: EncodingSet,
}

impl Roles {
    #[inline]
    pub(super) fn all_leads(&self) -> EncodingSet {
        self.leads[0] | self.leads[1] | self.leads[2]
    }
}

/// The characters that the encodings have from 80, each with a number from 1.
#[derive(Debug)]
pub(super) struct Misreadings {
    low: Box<[u16; LOW]>,
    high: Vec<u16>,
    /// Rare ones.
    others: Vec<(char, u16)>,
    bytes: Vec<Bytes>,
    roles: Vec<Roles>,
    /// The encodings with U+00A0 at A0, for which people type a space.
    has_no_break_space: EncodingSet,
    /// The signs of text that was read in another encoding.
    pub(super) oddness: Oddness,
}

impl Misreadings {
    /// The table; built once with `std`.
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
            bytes: vec![[0; COLUMNS]],
            roles: vec![Roles::default()],
            has_no_break_space: 0,
            oddness: Oddness::new(),
        };
        let encodings = ENCODINGS.iter().map(|misreading| misreading.encoding).chain(MORE);
        for (index, encoding) in encodings.enumerate() {
            for byte in 0x80..=0xFF {
                // An unassigned byte is read as the control of that code.
                let c = character(encoding, byte).unwrap_or(char::from(byte));
                all.put(c, index, byte);
            }
        }
        all
    }

    fn put(&mut self, c: char, index: usize, byte: u8) {
        let mut number = self.number(c);
        if number == 0 {
            number = self.bytes.len();
            let stored = u16::try_from(number).unwrap_or(0);
            match u32::from(c) {
                value @ ..0x800 => self.low[value as usize] = stored,
                value if HIGH.contains(&value) => self.high[(value - HIGH.start) as usize] = stored,
                _ => self.others.push((c, stored)),
            }
            self.bytes.push([0; COLUMNS]);
            let sign = if c.is_alphabetic() { 0 } else { EncodingSet::MAX };
            self.roles.push(Roles { sign, ..Roles::default() });
        }
        self.bytes[number][index] = byte;
        if index >= COUNT {
            return;
        }
        let bit = 1 << index;
        match well_formed_len(byte) {
            0 if is_continuation(byte) => self.roles[number].trail |= bit,
            len @ 2..=4 => self.roles[number].leads[len - 2] |= bit,
            _ => {}
        }
        if (c, byte) == ('\u{A0}', 0xA0) {
            self.has_no_break_space |= bit;
        }
    }

    /// 0 for a character that no encoding has.
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

    /// The distinct numbers of a text.
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

    /// True if two encodings have these characters at the same bytes.
    pub(super) fn are_equivalent(&self, a: Index, b: Index, numbers: &[usize]) -> bool {
        let is_same = |&number: &usize| self.bytes[number][usize::from(a)] == self.bytes[number][usize::from(b)];
        self.loses_spaces(a) == self.loses_spaces(b) && numbers.iter().all(is_same)
    }

    /// The byte that was read as `c`.
    #[inline]
    pub(super) fn byte(&self, index: Index, c: char) -> Option<u8> {
        let byte = self.bytes[self.number(c)][usize::from(index)];
        (byte != 0).then_some(byte)
    }

    /// The byte that was read as `c` in each column.
    pub(super) fn bytes_of(&self, c: char) -> &[u8; COLUMNS] {
        &self.bytes[self.number(c)]
    }

    #[inline]
    pub(super) fn roles(&self, c: char) -> Roles {
        match self.number(c) {
            0 if !is_alphabetic(c) => Roles { sign: EncodingSet::MAX, ..Roles::default() },
            number => self.roles[number],
        }
    }

    #[inline]
    pub(super) fn is_letter(&self, c: char) -> bool {
        match self.number(c) {
            0 => is_alphabetic(c),
            number => self.roles[number].sign == 0,
        }
    }

    /// True if a space may be a byte A0.
    pub(super) fn loses_spaces(&self, index: Index) -> bool {
        self.has_no_break_space >> index & 1 == 1
    }
}

/// [`char::is_alphabetic`], without its search for letters that are common.
#[inline]
fn is_alphabetic(c: char) -> bool {
    match c {
        '\u{48A}'..='\u{52F}' | '\u{531}'..='\u{556}' | '\u{561}'..='\u{587}' => true,
        '\u{E01}'..='\u{E39}' | '\u{E40}'..='\u{E46}' | '\u{1E00}'..='\u{1EFF}' => true,
        '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}' | '\u{3400}'..='\u{4DBF}' => true,
        '\u{4E00}'..='\u{9FFC}' | '\u{AC00}'..='\u{D7A3}' => true,
        _ => c.is_alphabetic(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::Fallback;

    #[test]
    fn common_letters_are_alphabetic() {
        for c in '\0'..=char::MAX {
            assert_eq!(is_alphabetic(c), c.is_alphabetic(), "{c:?}");
        }
    }

    #[test]
    fn a_byte_that_was_read_is_found_again() {
        let all = Misreadings::new();
        for (index, Misreading { encoding, .. }) in (0..).zip(ENCODINGS) {
            let table = Fallback::new(encoding).unwrap();
            for byte in 0x80..=0xFF {
                let c = match table.read(byte) {
                    char::REPLACEMENT_CHARACTER => char::from(byte),
                    c => c,
                };
                assert_eq!(all.byte(index, c), Some(byte), "{encoding} {c:?}");
                let roles = all.roles(c);
                let expected = [0xC2..=0xDF, 0xE0..=0xEF, 0xF0..=0xF4].map(|bytes| bytes.contains(&byte));
                assert_eq!(roles.leads.map(|set| set >> index & 1 == 1), expected, "{encoding} {c:?}");
                assert_eq!(roles.trail >> index & 1 == 1, byte < 0xC0, "{encoding} {c:?}");
            }
            for c in ['a', ' ', '語', '\u{1F600}', '\u{FFFD}'] {
                assert_eq!(all.byte(index, c), None, "{encoding}");
            }
        }
    }
}
