//! What a character is to the model.

use super::model::{THE_MODEL, is_wide};

/// A character as the model sees it, in 32 bits: a row of them is compared at once.
///
/// ```text
/// letter    1 0 0 C A SSS  0  0  NNNNNNNN    number, script, not US-ASCII, capital
/// wide      0 1 0 0 0 000  0  WWWWWWWWWWWWWWWW    code point
/// sign      0 0 0 0 A KKK  $ $ $ $  NNNNNNNN    which one, cost, kind, not US-ASCII
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token(u32);

/// What it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Of a word: which script's, its number in the script in lower case.
    Letter { script: u8, number: u8 },
    /// An ideograph, kana or Hangul.
    Wide(u16),
    /// Anything else, with its cost in sixteenths of a bit.
    Sign { kind: Kind, cost: u16 },
}

/// Where a sign stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    /// Between words: white space, and what is US-ASCII.
    Between,
    /// Within words too: apostrophe, soft hyphen.
    Within,
    /// Only outside of words.
    Outside,
    /// US-ASCII, but in another part of the same encodings a letter.
    National,
    /// Of frames.
    Frame,
    /// Of Chinese, Japanese and Korean.
    Wide,
    /// Of no text, or of hardly any.
    Odd,
}

impl Kind {
    const ALL: [Kind; 7] =
        [Kind::Between, Kind::Within, Kind::Outside, Kind::National, Kind::Frame, Kind::Wide, Kind::Odd];
}

/// Bits in the unit of costs.
pub(crate) const BIT: u32 = 16;

const LETTER: u32 = 1 << 31;
const WIDE: u32 = 1 << 30;
const CAPITAL: u32 = 1 << 28;
const ABOVE: u32 = 1 << 27;
/// Where the script of a letter is, and the kind of a sign.
const CLASS: u32 = 24;
/// Where the cost of a sign is.
const COST: u32 = 8;

impl Token {
    /// What does not belong in any text: ill-formed bytes.
    pub(crate) const ILL_FORMED: Token = Token::sign(Kind::Odd, 28 * BIT as u16, true, 0);

    pub(super) const fn letter(script: u8, number: u8, is_capital: bool, is_above: bool) -> Token {
        let capital = if is_capital { CAPITAL } else { 0 };
        let above = if is_above { ABOVE } else { 0 };
        Token(LETTER | capital | above | (script as u32) << CLASS | number as u32)
    }

    /// `which` one it is, roughly: repeated ones are cheap.
    const fn sign(kind: Kind, cost: u16, is_above: bool, which: u8) -> Token {
        let above = if is_above { ABOVE } else { 0 };
        Token(above | (kind as u32) << CLASS | (cost as u32) << COST | which as u32)
    }

    /// All of it, which is never 0 for a character; and back.
    pub(crate) const fn to_bits(self) -> u32 {
        self.0
    }

    pub(crate) const fn from_bits(bits: u32) -> Token {
        Token(bits)
    }

    /// A character that the end cuts.
    pub(crate) const fn cut(cost: u16) -> Token {
        Token::sign(Kind::Between, cost, false, 0)
    }

    /// A sign of US-ASCII in whose place national variants have a letter.
    pub(crate) const fn national() -> Token {
        Token::sign(Kind::National, 7 * BIT as u16, false, 0)
    }

    /// What it says.
    #[inline]
    pub(crate) const fn meaning(self) -> Meaning {
        let class = (self.0 >> CLASS & 7) as u8;
        if self.0 & LETTER != 0 {
            Meaning::Letter { script: class, number: self.number() }
        } else if self.0 & WIDE != 0 {
            Meaning::Wide(self.0 as u16)
        } else {
            Meaning::Sign { kind: Kind::ALL[class as usize % Kind::ALL.len()], cost: (self.0 >> COST) as u16 }
        }
    }

    /// The number of a letter, which sign it is.
    #[inline]
    pub(crate) const fn number(self) -> u8 {
        self.0 as u8
    }

    #[inline]
    pub(crate) const fn is_letter(self) -> bool {
        self.0 & LETTER != 0
    }

    /// Whether it is a letter of the same script as another one.
    #[inline]
    pub(super) const fn is_letter_like(self, letter: Token) -> bool {
        (self.0 ^ letter.0) & (LETTER | 7 << CLASS) == 0
    }

    #[inline]
    pub(super) const fn is_capital(self) -> bool {
        self.0 & CAPITAL != 0
    }

    /// Whether it is not US-ASCII. Of ideographs, kana and Hangul it does not say.
    #[inline]
    pub(crate) const fn is_above(self) -> bool {
        self.0 & ABOVE != 0
    }

    #[inline]
    pub(super) const fn is_sign(self) -> bool {
        self.0 & (LETTER | WIDE) == 0
    }

    #[inline]
    pub(crate) const fn is_of(self, kind: Kind) -> bool {
        self.0 & (LETTER | WIDE | 7 << CLASS) == (kind as u32) << CLASS
    }

    /// Whether it is an ideograph, kana or Hangul.
    #[inline]
    pub(super) const fn is_ideograph(self) -> bool {
        self.0 & WIDE != 0
    }

    /// Whether it is an ideograph, kana or Hangul, or punctuation of these.
    pub(crate) const fn is_wide(self) -> bool {
        self.is_ideograph() || self.is_of(Kind::Wide)
    }

    /// Whether no text has it, or hardly any.
    pub(crate) const fn is_odd(self) -> bool {
        self.is_of(Kind::Odd)
    }

    /// The token of a character.
    #[inline]
    pub(crate) fn of(c: char) -> Token {
        let code = u32::from(c);
        THE_MODEL.token(code).unwrap_or_else(|| Token::of_other(code))
    }

    /// The same of one in a block that has no letters.
    fn of_other(code: u32) -> Token {
        match u16::try_from(code) {
            // Katakana of half width are in hardly any text.
            Ok(0xFF66..=0xFF9D) => sign(Kind::Wide, 16, code),
            Ok(unit) if is_wide(code) => Token(WIDE | unit as u32),
            _ => Token::of_sign(code),
        }
    }

    pub(super) const fn of_sign(code: u32) -> Token {
        let (kind, bits) = kind_and_bits(code);
        sign(kind, bits, code)
    }
}

const fn sign(kind: Kind, bits: u16, code: u32) -> Token {
    let which = (code ^ code >> 8) as u8;
    Token::sign(kind, bits * BIT as u16, code >= 0x80, which)
}

/// The place and the cost of a sign. Those of US-ASCII are the same in nearly every
/// encoding; of the others quotation marks and dashes are common, and letters
/// that are not among those of the model hardly occur.
const fn kind_and_bits(code: u32) -> (Kind, u16) {
    match code {
        0x20 => (Kind::Between, 1),
        0x0A | 0x0D | 0x09 => (Kind::Between, 4),
        0x0C | 0x1A => (Kind::Between, 10),
        0x30..=0x39 => (Kind::Between, 5),
        0x27 | 0x2D | 0x2C | 0x2E => (Kind::Between, 5),
        0x21..=0x7E => (Kind::Between, 7),
        0x08 | 0x0E | 0x0F | 0x1B => (Kind::Odd, 14),
        0..=0x1F => (Kind::Odd, 22),
        0x7F => (Kind::Odd, 22),
        // NEXT LINE is what EBCDIC ends lines with.
        0x80..=0x9F => (Kind::Odd, 22),
        0xA0 => (Kind::Outside, 9),
        0xAD => (Kind::Within, 12),
        0xB7 => (Kind::Within, 12),
        0x2019 => (Kind::Within, 8),
        0x2018 | 0x2BC => (Kind::Within, 12),
        0xAB | 0xBB | 0x201C | 0x201D | 0x201E => (Kind::Outside, 9),
        0x2013 | 0x2014 => (Kind::Outside, 10),
        0x2026 => (Kind::Outside, 11),
        0x2022 | 0xA9 | 0xB0 | 0x20AC => (Kind::Outside, 11),
        0xA7 | 0xAE | 0xBF | 0xA1 | 0xBA | 0xAA | 0x2116 | 0x201A | 0x2039 | 0x203A | 0x2122 => (Kind::Outside, 12),
        0xA3 | 0xB1 | 0xB2 | 0xB3 | 0xB5 | 0xBC..=0xBE | 0xD7 => (Kind::Outside, 13),
        0xA2..=0xBF | 0xF7 => (Kind::Outside, 15),
        0x2010..=0x2015 => (Kind::Outside, 14),
        0x2020 | 0x2021 | 0x2030 | 0x2212 | 0x2248 | 0x2260 | 0x2264 | 0x2265 | 0x2190..=0x2193 => (Kind::Outside, 15),
        // Marks of Hebrew and Arabic for the direction, Arabic punctuation and digits.
        0x200C => (Kind::Within, 7),
        0x200B | 0x200D | 0x200E | 0x200F => (Kind::Outside, 12),
        0x60C | 0x61B | 0x61F | 0x640 => (Kind::Outside, 8),
        0x660..=0x66C | 0x6F0..=0x6F9 => (Kind::Outside, 8),
        0x5BE | 0x5F3 | 0x5F4 => (Kind::Within, 12),
        0x20AA | 0xE3F => (Kind::Outside, 13),
        0xE50..=0xE5B | 0xE46 | 0xE2F => (Kind::Outside, 9),
        0x2500 | 0x2502 | 0x2550 | 0x2551 | 0x2588 | 0x2591..=0x2593 => (Kind::Frame, 11),
        0x2501..=0x259F => (Kind::Frame, 12),
        0x25A0..=0x25FF => (Kind::Outside, 14),
        // Punctuation of Chinese, Japanese and Korean, forms of full width.
        0x3001 | 0x3002 | 0xFF0C => (Kind::Wide, 5),
        0x3000 | 0x300C | 0x300D | 0xFF08 | 0xFF09 | 0xFF1A | 0xFF1B | 0xFF01 | 0xFF1F | 0x30FB | 0x30FC => {
            (Kind::Wide, 6)
        }
        0x3003..=0x3020 => (Kind::Wide, 9),
        0xFF10..=0xFF19 => (Kind::Wide, 8),
        0xFF02..=0xFF5E => (Kind::Wide, 9),
        0xFF61..=0xFF9F => (Kind::Wide, 16),
        0x3021..=0x303F | 0x3100..=0x33FF => (Kind::Wide, 14),
        0x2460..=0x24FF => (Kind::Wide, 12),
        // For private use, not assigned, or not in any of these encodings.
        0xE000..=0xF8FF | 0xFFF0..=0xFFFF => (Kind::Odd, 24),
        0x2020..=0x2BFF => (Kind::Outside, 16),
        _ => (Kind::Outside, 19),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_letters_and_controls_are_odd() {
        let [small, capital] = ['é', 'Q'].map(Token::of);
        assert!(matches!(small.meaning(), Meaning::Letter { script: 0, .. }) && small.is_letter_like(capital));
        assert!(small.is_above() && !small.is_capital() && !capital.is_above() && capital.is_capital());
        assert_eq!(Token::of('語').meaning(), Meaning::Wide(0x8A9E));
        for odd in ['\0', '\u{7F}', '\u{85}', '\u{E000}', '\u{FFFD}'] {
            assert!(Token::of(odd).is_odd() && Token::of(odd).is_sign(), "{odd:?}");
        }
    }

    #[test]
    fn a_token_says_what_it_was_made_of() {
        for kind in Kind::ALL {
            for cost in [0, 1, 22 * BIT as u16, u16::MAX] {
                let token = Token::sign(kind, cost, true, 0xA5);
                assert_eq!(token.meaning(), Meaning::Sign { kind, cost });
                assert!(token.is_of(kind) && token.is_above() && token.number() == 0xA5);
            }
        }
        for script in 0..6 {
            for is_capital in [false, true] {
                let token = Token::letter(script, 0xF5, is_capital, !is_capital);
                assert_eq!(token.meaning(), Meaning::Letter { script, number: 0xF5 });
                assert_eq!((token.is_capital(), token.is_above()), (is_capital, !is_capital));
                assert!(Kind::ALL.iter().all(|&kind| !token.is_of(kind)));
            }
        }
    }

    #[test]
    fn what_is_common_costs_less() {
        let cost = |c: char| match Token::of(c).meaning() {
            Meaning::Sign { cost, .. } => cost,
            meaning => panic!("{c} {meaning:?}"),
        };
        assert!(cost(' ') < cost('.') && cost('.') < cost('’') && cost('’') < cost('¬') && cost('¬') < cost('\u{9C}'));
        assert!(cost('─') < cost('☺'));
    }
}
