//! Scores code points as text. In the wrong byte order they scatter over the code space,
//! where text keeps to a script or two and the characters that all scripts share.

use crate::model::is_rare_ideograph;

/// A class of code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// US-ASCII except controls.
    Ascii,
    /// Punctuation, marks and emoji of all scripts.
    Shared,
    /// A letter of a script, by number.
    Letter(u8),
    /// Assigned, but rare.
    Rare,
    /// A control, private use, or unassigned.
    Odd,
    /// A noncharacter.
    Never,
}

/// The last code point of each range and its kind: the blocks of the Unicode Standard,
/// adjacent ones of a script joined.
const RANGES: &[(u32, Kind)] = {
    use Kind::{Letter, Never, Odd, Rare, Shared};
    &[
        (0x9F, Odd),
        (0x24F, Shared), // Latin goes with every script
        (0x2FF, Rare),
        (0x36F, Shared),
        (0x3FF, Letter(1)),   // Greek
        (0x52F, Letter(2)),   // Cyrillic
        (0x58F, Letter(3)),   // Armenian
        (0x5FF, Letter(4)),   // Hebrew
        (0x6FF, Letter(5)),   // Arabic
        (0x74F, Letter(6)),   // Syriac
        (0x77F, Letter(5)),   // Arabic
        (0x89F, Rare),        // Thaana to Mandaic
        (0x8FF, Letter(5)),   // Arabic
        (0x97F, Letter(7)),   // Devanagari
        (0x9FF, Letter(8)),   // Bengali
        (0xA7F, Letter(9)),   // Gurmukhi
        (0xAFF, Letter(10)),  // Gujarati
        (0xB7F, Letter(11)),  // Oriya
        (0xBFF, Letter(12)),  // Tamil
        (0xC7F, Letter(13)),  // Telugu
        (0xCFF, Letter(14)),  // Kannada
        (0xD7F, Letter(15)),  // Malayalam
        (0xDFF, Letter(16)),  // Sinhala
        (0xE7F, Letter(17)),  // Thai
        (0xEFF, Letter(18)),  // Lao
        (0xFFF, Letter(19)),  // Tibetan
        (0x109F, Letter(20)), // Myanmar
        (0x10FF, Letter(21)), // Georgian
        (0x11FF, Rare),
        (0x139F, Letter(22)), // Ethiopic
        (0x13FF, Letter(23)), // Cherokee
        (0x167F, Letter(24)), // Canadian syllabics
        (0x177F, Rare),
        (0x17FF, Letter(25)), // Khmer
        (0x18AF, Letter(26)), // Mongolian
        (0x1DBF, Rare),
        (0x1EFF, Shared),    // marks, Latin
        (0x1FFF, Letter(1)), // Greek
        (0x200A, Rare),
        (0x203F, Shared), // punctuation
        (0x209F, Rare),
        (0x20CF, Shared), // currencies
        (0x2BFF, Shared), // symbols
        (0x2FFF, Rare),
        (0x303F, Shared),     // punctuation of Chinese, Japanese, Korean
        (0x30FF, Letter(27)), // kana
        (0x4DBF, Rare),
        (0x9FFF, Letter(27)), // the ideographs
        (0xABFF, Rare),
        (0xD7A3, Letter(28)), // Hangul
        (0xD7FF, Rare),
        (0xF8FF, Odd),
        (0xFAFF, Rare),
        (0xFDCF, Letter(5)), // Arabic
        (0xFDEF, Never),
        (0xFDFF, Letter(5)),
        (0xFE4F, Shared),
        (0xFE6F, Rare),
        (0xFEFE, Letter(5)),
        (0xFFEF, Shared), // full and half width
        (0xFFFD, Rare),
        (0xFFFF, Never),
        (0x1EFFF, Rare),
        (0x1FAFF, Shared), // emoji
        (0x1FFFD, Odd),
        (0x3FFFD, Rare), // ideographs
        (0xDFFFF, Odd),
        (0xE01EF, Shared), // tags, variants
    ]
};

/// The first range of each 256 code points of the Basic Multilingual Plane.
const FIRST: [u8; 256] = {
    let mut first = [0; 256];
    let (mut row, mut range) = (0, 0);
    while row < 256 {
        while RANGES[range].0 < (row as u32) << 8 {
            range += 1;
        }
        first[row] = range as u8;
        row += 1;
    }
    first
};

pub(super) fn kind(value: u32) -> Kind {
    if matches!(value, 0x20..=0x7E | 0x9 | 0xA | 0xC | 0xD) {
        return Kind::Ascii;
    }
    if value & 0xFFFE == 0xFFFE {
        return Kind::Never;
    }
    let first = FIRST.get((value >> 8) as usize).unwrap_or(&FIRST[0xFF]);
    let ranges = &RANGES[usize::from(*first)..];
    ranges.iter().find(|(last, _)| value <= *last).map_or(Kind::Odd, |(_, kind)| *kind)
}

/// Fewer code points are a short text.
const SHORTEST: i64 = 16;

/// Of the 32 signs of US-ASCII, a line without many spaces has fewer.
const MANY_SIGNS: u32 = 10;

/// The sum of points for the code points of a text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Score {
    points: i64,
    values: i64,
    /// Of those, the ones that are hardly ever in text.
    implausible: i64,
    /// The number of times that the script changes.
    changes: i64,
    script: Option<u8>,
    /// The last code point, and how often one beyond US-ASCII follows the one before it in
    /// the code charts.
    last: u32,
    steps: i64,
    /// Signs, and letters of Latin beyond US-ASCII.
    shared: i64,
    /// Signs of US-ASCII, and a bit for each of them.
    signs: i64,
    known_signs: u128,
    spaces: i64,
    has_line_end: bool,
}

impl Score {
    pub(crate) fn add(&mut self, value: u32) {
        self.values += 1;
        self.steps += i64::from(value > 0x7F && value == self.last + 1);
        self.last = value;
        let kind = kind(value);
        if let Some(sign) = u8::try_from(value).ok().filter(u8::is_ascii_punctuation) {
            self.signs += 1;
            self.known_signs |= 1 << sign;
        }
        self.spaces += i64::from(value == 0x20);
        self.has_line_end |= value == 0xA || value == 0xD;
        self.shared += i64::from(kind == Kind::Shared);
        let is_implausible = matches!(kind, Kind::Rare | Kind::Odd | Kind::Never) || is_rare_ideograph(value);
        self.implausible += i64::from(is_implausible);
        self.points += match kind {
            Kind::Ascii => 2,
            Kind::Shared => 1,
            Kind::Letter(script) => match self.script.replace(script) {
                Some(before) if before != script => {
                    self.changes += 1;
                    -2
                }
                _ => 1,
            },
            Kind::Rare => -1,
            Kind::Odd => -6,
            Kind::Never => -20,
        };
    }

    /// Adds an ill-formed unit.
    pub(super) fn add_ill_formed(&mut self) {
        self.values += 1;
        self.implausible += 1;
        self.points -= 20;
    }

    pub(crate) fn values(&self) -> u64 {
        self.values.unsigned_abs()
    }

    /// At least half a point per code point: half as much as pure text has.
    pub(crate) fn is_text(&self) -> bool {
        self.values > 0 && 2 * self.points >= self.values
    }

    /// Text with hardly a code point that text does not have. A part that is text may be joined to
    /// bytes that, read as units, are ideographs, half of which are rare.
    pub(super) fn is_plausible(&self) -> bool {
        2 * (self.points - self.implausible) >= self.values && 8 * self.implausible <= self.values
    }

    /// True if there are more such code points than in nearly all texts.
    pub(super) fn is_doubtful(&self) -> bool {
        32 * self.implausible > self.values
    }

    /// True for code points in their order, a few that are mostly signs, or US-ASCII in one line with more different
    /// signs than a line has: they may be numbers.
    pub(super) fn may_be_numbers(&self) -> bool {
        let is_of_signs = 4 * self.signs > self.values && 16 * self.spaces < self.values;
        let has_many_signs = self.known_signs.count_ones() >= MANY_SIGNS;
        4 * self.steps > self.values
            || (self.values < SHORTEST && 2 * self.shared > self.values)
            || (is_of_signs && has_many_signs && !self.has_line_end)
    }

    /// True if it has rare code points, or several scripts.
    pub(super) fn is_uneven(&self) -> bool {
        self.implausible + self.changes > 0
    }

    /// Better by at least half a point per code point.
    pub(super) fn outdoes(&self, other: &Score) -> bool {
        // Over the same bytes, so that one has at most twice as many code points as the other.
        2 * (self.points - other.points) >= self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(values: impl IntoIterator<Item = u32>) -> Score {
        let mut score = Score::default();
        values.into_iter().for_each(|value| score.add(value));
        score
    }

    #[test]
    fn text_outdoes_the_same_units_in_the_other_order() {
        for text in [
            "Hi",
            "plain text, 1234\n",
            "Grüße aus Köln",
            "Съешь же ещё этих мягких французских булок",
            "שלום עולם",
            "مرحبا بالعالم",
            "नमस्ते दुनिया",
            "こんにちは世界。",
            "火星是太阳系八大行星之一。",
            "안녕하세요 세계",
            "สวัสดีชาวโลก",
        ] {
            let right = score(text.encode_utf16().map(u32::from));
            let wrong = score(text.encode_utf16().map(|unit| u32::from(unit.swap_bytes())));
            assert!(right.is_text() && right.outdoes(&wrong), "{text}: {right:?} {wrong:?}");
        }
    }

    #[test]
    fn other_values_are_not_text() {
        assert!(!score([]).is_text());
        assert!(!score([0, 1, 2, 3]).is_text());
        assert!(!score([0x61, 0xFFFF]).is_text());
        assert!(!score((0..1000).map(|i| i * 64 + 1)).is_text());
    }

    #[test]
    fn ranges_are_in_order() {
        assert!(RANGES.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(kind(0x10_FFFF), Kind::Never);
        assert_eq!(kind(0x1_F600), Kind::Shared);
        assert_eq!((kind(0), kind(0x7F), kind(0xE000), kind(0x10_0000)), (Kind::Odd, Kind::Odd, Kind::Odd, Kind::Odd));
    }

    /// A table that maps numbers to code points, and a few numbers.
    #[test]
    fn numbers_of_16_bits_are_a_guess_at_utf_16() {
        use crate::detect::{Certainty, detect};
        use alloc::vec::Vec;
        let bytes = |values: &[u16]| values.iter().flat_map(|value| value.to_be_bytes()).collect::<Vec<u8>>();
        let table: Vec<u16> = (0x3041..0x3090).chain(0x4E00..0x4E20).chain(0x2500..0x2520).collect();
        for values in [&table[..], &[298, 214, 552, 42, 0xFF18, 0xFF76, 0xFE7A, 0xFFDB, 0xFF3D, 447]] {
            let found = detect(&bytes(values));
            assert!(found.certainty() <= Certainty::Guess || found.encoding().is_none(), "{found}");
        }
        // Readings of a sensor, which are US-ASCII by chance.
        let noise = || core::iter::successors(Some(1_u32), |last| Some(last * 75 % 65_537));
        for (count, least, range) in [(240, 33, 88), (60, 35, 60), (40, 33, 94)] {
            let readings: Vec<u16> = noise().take(count).map(|value| least + value as u16 % range).collect();
            let found = detect(&bytes(&readings));
            assert!(found.certainty() <= Certainty::Guess, "{count} {found}");
        }
        for text in ["[1,2];{\"a\":-5,\"b\":[7,8]}", "C:\\Dir\\a-b_c (1).txt", "x = (a + b) * c[0] / {d} - e;"] {
            let found = detect(&bytes(&text.encode_utf16().collect::<Vec<u16>>()));
            assert!(found.certainty() >= Certainty::Likely, "{text} {found}");
        }
        for text in ["Добрый вечер", "Grüße aus Köln", "今日は雨です。", "abcdefg, hij"] {
            let found = detect(&bytes(&text.encode_utf16().collect::<Vec<u16>>()));
            assert!(found.certainty() >= Certainty::Likely, "{text} {found}");
        }
    }
}
