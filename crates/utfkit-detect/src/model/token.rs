//! Characters as the model classifies them.

/// A character in 32 bits, so that slices of them compare fast.
///
/// ```text
/// letter    1 0 0 C A SSS  0  0  NNNNNNNN         capital, not US-ASCII, script, number
/// wide      0 1 0 0 0 000  0  WWWWWWWWWWWWWWWW    code point
/// sign      0 0 L T A KKK  $ $ $ $  NNNNNNNN      leading, trailing, not US-ASCII, kind, score, hash
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token(u32);

/// The fields of a [`Token`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// `number` is the index of its lower case in the script.
    Letter { script: u8, number: u8 },
    /// An ideograph, kana or Hangul syllable.
    Wide(u16),
    /// Anything else. `score` is in sixteenths of a bit.
    Sign { kind: Kind, score: u16 },
}

/// Where a sign is likely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    /// White space and most of US-ASCII: anywhere but within words.
    Between,
    /// Within words too: apostrophe, soft hyphen.
    Within,
    /// Beyond US-ASCII, anywhere but within words.
    Outside,
    /// EBCDIC whose code point is a letter in a national variant.
    National,
    /// Box drawing: lines, corners, shades, next to others.
    Frame,
    /// Vertical lines of box drawing, alone too.
    Bar,
    /// Punctuation of Chinese, Japanese and Korean.
    Wide,
    /// In hardly any text: controls, private use.
    Odd,
}

impl Kind {
    const ALL: [Kind; 8] =
        [Kind::Between, Kind::Within, Kind::Outside, Kind::National, Kind::Frame, Kind::Bar, Kind::Wide, Kind::Odd];
}

/// Scores are in sixteenths of a bit.
pub(crate) const BIT: u32 = 16;

const LETTER: u32 = 1 << 31;
const WIDE: u32 = 1 << 30;
const CAPITAL: u32 = 1 << 28;
const NON_ASCII: u32 = 1 << 27;
/// Of a sign: it follows a letter or a digit.
const TRAILING: u32 = 1 << 28;
/// Of a sign: it does not end a word.
const LEADING: u32 = 1 << 29;
/// The offset of a letter's script and of a sign's kind.
const CLASS: u32 = 24;
/// The offset of a sign's score.
const COST: u32 = 8;

impl Token {
    /// Ill-formed bytes.
    pub(crate) const ILL_FORMED: Token = Token::sign(Kind::Odd, 28 * BIT as u16, true, 0);

    pub(super) const fn letter(script: u8, number: u8, is_capital: bool, is_non_ascii: bool) -> Token {
        let capital = if is_capital { CAPITAL } else { 0 };
        let non_ascii = if is_non_ascii { NON_ASCII } else { 0 };
        Token(LETTER | capital | non_ascii | (script as u32) << CLASS | number as u32)
    }

    /// An ideograph, kana or Hangul syllable.
    pub(super) const fn wide(code: u16) -> Token {
        Token(WIDE | code as u32)
    }

    /// `hash` tells signs apart, roughly: a repeated one scores lower.
    const fn sign(kind: Kind, score: u16, is_non_ascii: bool, hash: u8) -> Token {
        let non_ascii = if is_non_ascii { NON_ASCII } else { 0 };
        Token(non_ascii | (kind as u32) << CLASS | (score as u32) << COST | hash as u32)
    }

    /// Never 0 for a character.
    pub(crate) const fn to_bits(self) -> u32 {
        self.0
    }

    pub(crate) const fn from_bits(bits: u32) -> Token {
        Token(bits)
    }

    /// A character that the end of the sample truncates.
    pub(crate) const fn cut(score: u16) -> Token {
        Token::sign(Kind::Between, score, false, 0)
    }

    /// See [`Kind::National`].
    pub(crate) const fn national() -> Token {
        Token::sign(Kind::National, 7 * BIT as u16, false, 0)
    }

    #[inline]
    pub(crate) const fn meaning(self) -> Meaning {
        let class = (self.0 >> CLASS & 7) as u8;
        if self.0 & LETTER != 0 {
            Meaning::Letter { script: class, number: self.number() }
        } else if self.0 & WIDE != 0 {
            Meaning::Wide(self.0 as u16)
        } else {
            Meaning::Sign { kind: Kind::ALL[class as usize % Kind::ALL.len()], score: (self.0 >> COST) as u16 }
        }
    }

    /// The number of a letter, the hash of a sign.
    #[inline]
    pub(crate) const fn number(self) -> u8 {
        self.0 as u8
    }

    #[inline]
    pub(crate) const fn is_letter(self) -> bool {
        self.0 & LETTER != 0
    }

    /// True for a letter of the script of `letter`.
    #[inline]
    pub(super) const fn is_letter_like(self, letter: Token) -> bool {
        (self.0 ^ letter.0) & (LETTER | 7 << CLASS) == 0
    }

    #[inline]
    pub(crate) const fn is_capital(self) -> bool {
        self.0 & CAPITAL != 0
    }

    /// True for a letter or sign beyond US-ASCII.
    #[inline]
    pub(crate) const fn is_non_ascii(self) -> bool {
        self.0 & NON_ASCII != 0
    }

    #[inline]
    pub(crate) const fn is_of(self, kind: Kind) -> bool {
        self.0 & (LETTER | WIDE | 7 << CLASS) == (kind as u32) << CLASS
    }

    /// True for a sign that follows a letter or a digit, such as a superscript.
    #[inline]
    pub(super) const fn is_trailing(self) -> bool {
        self.0 & (LETTER | WIDE | TRAILING) == TRAILING
    }

    /// True for a sign that does not end a word, such as an opening quotation mark.
    #[inline]
    pub(super) const fn is_leading(self) -> bool {
        self.0 & (LETTER | WIDE | LEADING) == LEADING
    }

    /// True for an ideograph, kana or Hangul syllable.
    #[inline]
    pub(super) const fn is_ideograph(self) -> bool {
        self.0 & WIDE != 0
    }

    /// The code point of an ideograph, kana or Hangul syllable.
    pub(super) const fn ideograph(self) -> Option<u16> {
        if self.is_ideograph() { Some(self.0 as u16) } else { None }
    }

    /// True for those and for punctuation of Chinese, Japanese and Korean.
    pub(crate) const fn is_wide(self) -> bool {
        self.is_ideograph() || self.is_of(Kind::Wide)
    }

    /// The low byte of the code point of box drawing, which is a sign at U+25xx.
    pub(super) const fn box_drawing(self) -> u8 {
        self.number() ^ 0x25
    }

    pub(super) const fn is_middle_dot(self) -> bool {
        self.0 == Token::of_sign(0xB7).0
    }

    pub(crate) const fn is_odd(self) -> bool {
        self.is_of(Kind::Odd)
    }

    pub(super) const fn of_sign(code: u32) -> Token {
        let (kind, bits) = kind_and_bits(code);
        sign(kind, bits, code)
    }
}

const fn sign(kind: Kind, bits: u16, code: u32) -> Token {
    let hash = (code ^ code >> 8) as u8;
    let Token(sign) = Token::sign(kind, bits * BIT as u16, code >= 0x80, hash);
    let place = match code {
        0xAA | 0xB2 | 0xB3 | 0xB9 | 0xBA => TRAILING,
        0x2018 | 0x201A | 0x201E | 0x2030 => LEADING,
        _ => 0,
    };
    Token(sign | place)
}

/// The kind of a sign and its score in bits. US-ASCII is the same in nearly every
/// encoding; of the rest quotation marks and dashes are common, and letters that no
/// language of the model has are rare.
const fn kind_and_bits(code: u32) -> (Kind, u16) {
    match code {
        0x20 => (Kind::Between, 1),
        0x0A | 0x0D | 0x09 => (Kind::Between, 4),
        // Page breaks, the end of a DOS file, and what separates fields and records.
        0x01 | 0x0C | 0x1A | 0x1C..=0x1F => (Kind::Between, 10),
        0x30..=0x39 => (Kind::Between, 5),
        0x27 | 0x2D | 0x2C | 0x2E => (Kind::Between, 5),
        0x21..=0x7E => (Kind::Between, 7),
        // Terminals: most of their sequences are taken out before.
        0x08 | 0x0E | 0x0F | 0x1B => (Kind::Between, 14),
        0..=0x1F => (Kind::Odd, 22),
        0x7F => (Kind::Odd, 22),
        // NEXT LINE is the line end of EBCDIC.
        0x80..=0x9F => (Kind::Odd, 22),
        0xA0 => (Kind::Between, 10),
        0xAD => (Kind::Within, 12),
        0xB7 => (Kind::Within, 12),
        0x2019 => (Kind::Within, 8),
        // For an apostrophe or a quotation mark.
        0xB4 => (Kind::Within, 10),
        0x2018 | 0x2BC => (Kind::Within, 12),
        0xAB | 0xBB | 0x201C | 0x201D | 0x201E => (Kind::Outside, 9),
        0x2013 | 0x2014 | 0x2026 | 0xA9 | 0xB0 => (Kind::Outside, 10),
        0x2022 | 0x20AC | 0xA7 | 0xAE | 0xB2 | 0xB3 | 0xB5 => (Kind::Outside, 11),
        0xBF | 0xA1 | 0xBA | 0xAA | 0x2116 | 0x201A | 0x2122 => (Kind::Outside, 12),
        0xA3 | 0xA5 | 0xA8 | 0xB1 | 0xB9 | 0xBC..=0xBE | 0xD7 | 0xF7 => (Kind::Outside, 12),
        // ISO-8859-15 has the euro sign in its place.
        0xA4 => (Kind::Outside, 16),
        0xA2..=0xBF | 0x2020 | 0x2030 => (Kind::Outside, 14),
        0x2010..=0x2015 => (Kind::Outside, 14),
        // Quotations within quotations.
        0x2039 | 0x203A => (Kind::Outside, 15),
        0x2021 | 0x2212 | 0x2248 | 0x2260 | 0x2264 | 0x2265 | 0x2190..=0x2193 => (Kind::Outside, 15),
        // Directional marks, Arabic punctuation and digits.
        0x200C => (Kind::Within, 7),
        0x200B | 0x200D | 0x200E | 0x200F => (Kind::Outside, 12),
        0x60C | 0x61B | 0x61F | 0x640 => (Kind::Outside, 8),
        0x66A..=0x66C | 0x6F0..=0x6F9 => (Kind::Outside, 8),
        // Without Arabic letters, a line of box drawing in IBM864.
        0x660..=0x669 => (Kind::Outside, 13),
        0x5BE | 0x5F3 | 0x5F4 => (Kind::Within, 12),
        0x20AA | 0xE3F => (Kind::Outside, 13),
        0xE50..=0xE5B | 0xE46 | 0xE2F => (Kind::Outside, 9),
        0x2502 | 0x2551 => (Kind::Bar, 11),
        // Shades follow each other.
        0x2588 | 0x2591..=0x2593 => (Kind::Frame, 9),
        0x2500..=0x259F => (Kind::Frame, 12),
        0x25A0..=0x25FF => (Kind::Outside, 14),
        // CJK punctuation, full-width forms.
        0x3001 | 0x3002 | 0xFF0C => (Kind::Wide, 5),
        0x3000 | 0x300C | 0x300D | 0xFF08 | 0xFF09 | 0xFF1A | 0xFF1B | 0xFF01 | 0xFF1F => (Kind::Wide, 6),
        0x3003..=0x3020 | 0x3099..=0x309C => (Kind::Wide, 9),
        0xFF10..=0xFF19 => (Kind::Wide, 8),
        0xFF02..=0xFF5E => (Kind::Wide, 9),
        0xFF61..=0xFF65 | 0xFFE0..=0xFFE6 => (Kind::Wide, 12),
        // Syllables are hardly ever written in single letters of Hangul.
        0x3131..=0x318E => (Kind::Wide, 16),
        0x3021..=0x303F | 0x3100..=0x33FF => (Kind::Wide, 14),
        0x2460..=0x24FF => (Kind::Wide, 12),
        // Private use, unassigned, or in none of the encodings.
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
        assert!(small.is_non_ascii() && !small.is_capital() && !capital.is_non_ascii() && capital.is_capital());
        assert_eq!(Token::of('語').meaning(), Meaning::Wide(0x8A9E));
        for odd in ['\0', '\u{7F}', '\u{85}', '\u{E000}', '\u{FFFD}'] {
            assert!(Token::of(odd).is_odd(), "{odd:?}");
        }
    }

    #[test]
    fn tokens_keep_their_fields() {
        for kind in Kind::ALL {
            for score in [0, 1, 22 * BIT as u16, u16::MAX] {
                let token = Token::sign(kind, score, true, 0xA5);
                assert_eq!(token.meaning(), Meaning::Sign { kind, score });
                assert!(token.is_of(kind) && token.is_non_ascii() && token.number() == 0xA5);
            }
        }
        for script in 0..6 {
            for is_capital in [false, true] {
                let token = Token::letter(script, 0xF5, is_capital, !is_capital);
                assert_eq!(token.meaning(), Meaning::Letter { script, number: 0xF5 });
                assert_eq!((token.is_capital(), token.is_non_ascii()), (is_capital, !is_capital));
                assert!(Kind::ALL.iter().all(|&kind| !token.is_of(kind)));
            }
        }
    }

    #[test]
    fn common_signs_score_lower() {
        let score = |c: char| match Token::of(c).meaning() {
            Meaning::Sign { score, .. } => score,
            meaning => panic!("{c} {meaning:?}"),
        };
        assert!(
            score(' ') < score('.')
                && score('.') < score('’')
                && score('’') < score('¬')
                && score('¬') < score('\u{9C}')
        );
        assert!(score('─') < score('☺'));
    }
}
