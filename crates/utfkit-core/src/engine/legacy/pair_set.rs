//! Sets of characters that are pairs of bytes, 21–7E each, in the encodings with states: what a pair
//! and a character are is asked once and kept.

use core::sync::atomic::{AtomicU16, Ordering};

pub(super) struct PairSet {
    /// The character of two bytes from 21 to 7E.
    read: fn(u8, u8) -> Option<u32>,
    /// The two bytes of a character.
    write: fn(u32) -> Option<[u8; 2]>,
    /// By the first byte and seven bits of the second.
    characters: &'static [AtomicU16; 0x4000],
    /// By the character up to U+FFFF.
    codes: &'static [AtomicU16; 0x1_0000],
}

const SETS: usize = 3;
static CHARACTERS: [[AtomicU16; 0x4000]; SETS] = [const { [const { AtomicU16::new(UNKNOWN) }; 0x4000] }; SETS];
static CODES: [[AtomicU16; 0x1_0000]; SETS] = [const { [const { AtomicU16::new(UNKNOWN) }; 0x1_0000] }; SETS];

/// Not asked for yet. No pair has that number and no pair is that character.
const UNKNOWN: u16 = 0;
/// The set has no such pair or character.
const NOTHING: u16 = 0xFFFF;

impl PairSet {
    /// A set, which is the `place`-th of all.
    pub(super) const fn new(
        place: usize,
        read: fn(u8, u8) -> Option<u32>,
        write: fn(u32) -> Option<[u8; 2]>,
    ) -> PairSet {
        PairSet { read, write, characters: &CHARACTERS[place], codes: &CODES[place] }
    }

    /// The character of a pair, or [`NOTHING`].
    #[inline(always)]
    fn unit(&self, [lead, trail]: [u8; 2]) -> u16 {
        if (lead | trail) >= 0x80 {
            return NOTHING;
        }
        let entry = &self.characters[usize::from(lead) << 7 | usize::from(trail)];
        // Entries do not depend on each other, and filling one in twice writes the same: no order
        // is needed.
        match entry.load(Ordering::Relaxed) {
            UNKNOWN => self.ask_unit(lead, trail, entry),
            unit => unit,
        }
    }

    #[cold]
    fn ask_unit(&self, lead: u8, trail: u8, entry: &AtomicU16) -> u16 {
        let is_pair = (0x21..=0x7E).contains(&lead) && (0x21..=0x7E).contains(&trail);
        let value = is_pair.then(|| (self.read)(lead, trail)).flatten();
        let unit = value.and_then(|value| u16::try_from(value).ok()).unwrap_or(NOTHING);
        entry.store(unit, Ordering::Relaxed);
        unit
    }

    /// The pair of a character up to U+FFFF as a number, or [`NOTHING`].
    #[inline(always)]
    fn number(&self, unit: u16) -> u16 {
        let entry = &self.codes[usize::from(unit)];
        match entry.load(Ordering::Relaxed) {
            UNKNOWN => self.ask_number(unit, entry),
            number => number,
        }
    }

    #[cold]
    fn ask_number(&self, unit: u16, entry: &AtomicU16) -> u16 {
        let number = (self.write)(unit.into()).map_or(NOTHING, u16::from_be_bytes);
        entry.store(number, Ordering::Relaxed);
        number
    }

    /// The character of two bytes.
    pub(super) fn character(&self, lead: u8, trail: u8) -> Option<u32> {
        Some(self.unit([lead, trail])).filter(|unit| *unit != NOTHING).map(u32::from)
    }

    /// The two bytes of a character.
    pub(super) fn code(&self, value: u32) -> Option<[u8; 2]> {
        let number = self.number(u16::try_from(value).ok()?);
        (number != NOTHING).then_some(number.to_be_bytes())
    }

    /// [`ReadRun::read_run`](utfkit_forms::scalar::ReadRun::read_run) within the set.
    pub(super) fn read_run(&self, src: &[u8], units: &mut [[u8; 2]]) -> (usize, usize) {
        let mut count = 0;
        for (pair, to) in src.as_chunks::<2>().0.iter().zip(units) {
            let unit = self.unit(*pair);
            if unit == NOTHING {
                break;
            }
            *to = unit.to_le_bytes();
            count += 1;
        }
        (2 * count, count)
    }

    /// [`WriteRun::write_run`](utfkit_forms::scalar::WriteRun::write_run) within the set.
    pub(super) fn write_run(&self, units: &[[u8; 2]], dst: &mut [u8]) -> (usize, usize) {
        let mut count = 0;
        for (unit, to) in units.iter().zip(dst.as_chunks_mut::<2>().0) {
            let number = self.number(u16::from_le_bytes(*unit));
            if number == NOTHING {
                break;
            }
            *to = number.to_be_bytes();
            count += 1;
        }
        (count, 2 * count)
    }
}

/// The characters of US-ASCII at the front without `special`.
pub(super) fn read_ascii<const N: usize>(special: &[u8; N], src: &[u8], units: &mut [[u8; 2]]) -> (usize, usize) {
    let is_plain = |byte: u8| special.iter().fold(byte < 0x80, |plain, other| plain & (byte != *other));
    let mut len = 0;
    let is_worth_it = src.iter().take(FEW).all(|byte| is_plain(*byte));
    // Without exits the loops over a block become vector code.
    while is_worth_it
        && let Some((block, to)) = src[len..].first_chunk::<BLOCK>().zip(units[len..].first_chunk_mut())
        && block.iter().fold(true, |plain, byte| plain & is_plain(*byte))
    {
        *to = block.map(|byte| [byte, 0]);
        len += BLOCK;
    }
    let rest = src[len..].iter().zip(&mut units[len..]).take_while(|(byte, _)| is_plain(**byte));
    len += rest.map(|(byte, to)| *to = [*byte, 0]).count();
    (len, len)
}

/// The reverse of [`read_ascii`].
pub(super) fn write_ascii<const N: usize>(special: &[u8; N], units: &[[u8; 2]], dst: &mut [u8]) -> (usize, usize) {
    let is_plain = |[byte, zero]: [u8; 2]| {
        special.iter().fold((byte < 0x80) & (zero == 0), |plain, other| plain & (byte != *other))
    };
    let mut len = 0;
    let is_worth_it = units.iter().take(FEW).all(|unit| is_plain(*unit));
    while is_worth_it
        && let Some((block, to)) = units[len..].first_chunk::<BLOCK>().zip(dst[len..].first_chunk_mut())
        && block.iter().fold(true, |plain, unit| plain & is_plain(*unit))
    {
        *to = block.map(|[byte, _]| byte);
        len += BLOCK;
    }
    let rest = units[len..].iter().zip(&mut dst[len..]).take_while(|(unit, _)| is_plain(**unit));
    len += rest.map(|([byte, _], to)| *to = *byte).count();
    (len, len)
}

/// The characters that are looked at together, if the first few are US-ASCII: often one stands alone.
const BLOCK: usize = 16;
const FEW: usize = 4;

#[cfg(test)]
mod tests {
    use super::super::{hz, iso_2022_jp, iso_2022_kr};

    /// Twice: when it is asked and when it is known.
    #[test]
    fn every_pair_and_every_character_is_what_the_definition_says() {
        for set in [&hz::GB_2312, &iso_2022_kr::KS_X_1001, &iso_2022_jp::JIS_X_0208] {
            for lead in 0..=0xFF {
                for trail in 0..=0xFF {
                    let is_pair = (0x21..=0x7E).contains(&lead) && (0x21..=0x7E).contains(&trail);
                    let expected = is_pair.then(|| (set.read)(lead, trail)).flatten();
                    assert_eq!([0; 2].map(|_| set.character(lead, trail)), [expected; 2], "{lead:X} {trail:X}");
                }
            }
            let mut pairs = 0;
            for value in (0..0x1_0100).chain([0x2_0000]) {
                let expected = (set.write)(value);
                assert_eq!([0; 2].map(|_| set.code(value)), [expected; 2], "{value:X}");
                let Some([lead, trail]) = expected else { continue };
                assert_eq!(set.character(lead, trail), Some(value));
                pairs += 1;
            }
            assert!(pairs > 6000, "{pairs}");
        }
    }
}
